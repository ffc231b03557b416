//! MachineFunction and MachineBasicBlock, and what LLVM keeps for each register.

use super::handles::{MachineBasicBlock, MachineFunction, MachineInstr};
use super::instr::kind_from_ffi;
use super::ir_function::IrFunction;
use super::read::{read_list, read_text};
use super::{borrow_str, ffi, to_ffi_str, RemarkKind};
use crate::mir::{BlockNumber, InstrKind, Opcode, Operand, Register};
use std::borrow::Cow;

/// The def of a virtual register, see [`MachineFunction::def`].
#[derive(Clone, Copy)]
pub struct Def<'f> {
    /// The instruction.
    pub instr: MachineInstr<'f>,
    /// Its kind.
    pub kind: InstrKind,
    /// Whether it is a terminator whose result can be neither spilled nor copied after it.
    pub is_unspillable_terminator: bool,
}

/// One operand that names a given register.
pub struct RegOperand<'f> {
    /// The instruction that it belongs to.
    pub instr: MachineInstr<'f>,
    /// Its position in the instruction.
    pub index: usize,
    /// The operand.
    pub operand: Operand,
}

// Each call in these blocks passes pointers that the handles keep valid (see the module
// documentation).
/// # Identity and properties
impl<'f> MachineFunction<'f> {
    /// Its address, which no other existing function has.
    pub fn address(self) -> usize {
        self.ptr.as_ptr() as usize
    }
    /// The IR function that it was made from.
    pub fn ir(self) -> IrFunction<'f> {
        // SAFETY: handle; the function in IR lives as long.
        unsafe { IrFunction::new(ffi::ptx_mf_ir(self.ptr.as_ptr())) }
    }
    /// Its name.
    pub fn name(self) -> Cow<'f, str> {
        self.ir().name()
    }
    /// Identifier of its module.
    pub fn module_name(self) -> Cow<'f, str> {
        self.ir().module_name()
    }
    /// Position in its module.
    pub fn number(self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_number(self.ptr.as_ptr()) }
    }
    /// Whether it is in SSA form.
    pub fn is_ssa(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_is_ssa(self.ptr.as_ptr()) }
    }
    /// Whether it is for NVPTX.
    pub fn is_nvptx(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_is_nvptx(self.ptr.as_ptr()) }
    }
    /// Number of machine instructions. Linear.
    pub fn instruction_count(self) -> u64 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_instruction_count(self.ptr.as_ptr()) }
    }
    /// Whether the target wants loops and conditionals to stay properly nested.
    pub fn requires_structured_cfg(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_requires_structured_cfg(self.ptr.as_ptr()) }
    }
    /// Its text, as LLVM prints it.
    pub(crate) fn whole_text(self) -> String {
        let mf = self.ptr.as_ptr();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_text(|out, capacity| unsafe { ffi::ptx_mf_text(mf, out, capacity) })
    }
    /// Prints it to stderr.
    pub fn print(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_print(self.ptr.as_ptr()) }
    }
}

/// # Settings
impl<'f> MachineFunction<'f> {
    /// Whether LLVM would skip an optimisation of this name: at -O0, in an `optnone` function, and
    /// past `-opt-bisect-limit`, which counts the call.
    pub fn skips_stage(self, name: &str) -> bool {
        // SAFETY: handle; the name lives through the call.
        unsafe { ffi::ptx_mf_skips_stage(self.ptr.as_ptr(), to_ffi_str(name)) }
    }
    /// Whether the subtarget has the machine scheduler on.
    pub fn machine_scheduler_enabled(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_machine_scheduler_enabled(self.ptr.as_ptr()) }
    }
    /// Whether the target wants sub-register liveness.
    pub fn subreg_liveness_enabled(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_subreg_liveness_enabled(self.ptr.as_ptr()) }
    }
    /// Whether remarks of `kind` and of `pass` are shown or written anywhere.
    pub fn wants_remarks(self, kind: RemarkKind, pass: &str) -> bool {
        // SAFETY: handle; the string lives through the call.
        unsafe { ffi::ptx_remarks_wanted(self.ptr.as_ptr(), kind as u8, to_ffi_str(pass)) }
    }
}

/// # Its blocks
impl<'f> MachineFunction<'f> {
    /// How many block numbers there are, including gaps.
    pub fn num_block_ids(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_num_block_ids(self.ptr.as_ptr()) as usize }
    }
    /// The block with this number.
    ///
    /// # Panics
    /// If no block has it now.
    ///
    /// # Fatal errors
    /// If no block ever had it.
    pub fn block_numbered(self, number: BlockNumber) -> MachineBasicBlock<'f> {
        // SAFETY: handle; the number is that of a block.
        unsafe { MachineBasicBlock::from_ptr(ffi::ptx_mf_block_numbered(self.ptr.as_ptr(), number.raw())) }
            .expect("no block of this number")
    }
    /// The blocks, in layout order.
    pub fn blocks(self) -> impl Iterator<Item = MachineBasicBlock<'f>> {
        // SAFETY: handle; a block's successor is a block of the same function.
        let first = unsafe { MachineBasicBlock::from_ptr(ffi::ptx_mf_first_block(self.ptr.as_ptr())) };
        // SAFETY: as above.
        std::iter::successors(first, |b| unsafe {
            MachineBasicBlock::from_ptr(ffi::ptx_mbb_next(b.ptr.as_ptr()))
        })
    }
}

/// # Its registers
impl<'f> MachineFunction<'f> {
    /// Number of the class of virtual register `reg`; `None` if it has no class.
    ///
    /// # Fatal errors
    /// If `reg` is not a virtual register of the function.
    pub fn class_id(self, reg: Register) -> Option<usize> {
        // SAFETY: handle; a virtual register of this function.
        let id = unsafe { ffi::ptx_mri_class_id(self.ptr.as_ptr(), reg.0) };
        (id != u32::MAX).then_some(id as usize)
    }
    /// Name of the class of virtual register `reg`.
    ///
    /// # Fatal errors
    /// If `reg` is not a virtual register of the function.
    pub fn class_name(self, reg: Register) -> Cow<'f, str> {
        // SAFETY: handle; the name is the target's own.
        unsafe { borrow_str(ffi::ptx_mri_class_name(self.ptr.as_ptr(), reg.0)) }
    }
    /// The size in bits of a register of that class.
    ///
    /// # Fatal errors
    /// If `reg` is not a virtual register of the function.
    pub fn class_bits(self, reg: Register) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_class_bits(self.ptr.as_ptr(), reg.0) }
    }
    /// The number of virtual registers, which are numbered from 0 without gaps.
    pub fn num_virt_regs(self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_num_virt_regs(self.ptr.as_ptr()) as usize }
    }
    /// Makes a virtual register of the class of `opcode`'s result.
    ///
    /// # Fatal errors
    /// If the target has no such opcode, or it has no result in a register.
    pub fn new_result(self, opcode: impl Into<Opcode>) -> Register {
        // SAFETY: handle; the shim checks the opcode.
        Register(unsafe { ffi::ptx_mri_new_result(self.ptr.as_ptr(), opcode.into().number()) })
    }
    /// Makes a virtual register of the class of `like`.
    ///
    /// # Fatal errors
    /// If `like` is not a virtual register of the function, or has no class.
    pub fn new_reg_like(self, like: Register) -> Register {
        // SAFETY: handle; a virtual register of this function.
        Register(unsafe { ffi::ptx_mri_new_reg_like(self.ptr.as_ptr(), like.0) })
    }
    /// Whether only debug instructions, if any, read `reg`.
    pub fn use_nodbg_empty(self, reg: Register) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_use_nodbg_empty(self.ptr.as_ptr(), reg.0) }
    }
    /// The instructions that define `reg`, one for each operand, in the order of LLVM's chain. The
    /// list is made before the first one is visited.
    ///
    /// # Fatal errors
    /// If `reg` is unknown or none.
    pub fn defs(self, reg: Register) -> impl Iterator<Item = MachineInstr<'f>> {
        self.list_operands(reg, true).map(|o| o.instr)
    }
    /// `getVRegDef`: the def of a register that has one.
    ///
    /// # Fatal errors
    /// If `reg` is not a virtual register of the function.
    pub fn def(self, reg: Register) -> Option<Def<'f>> {
        let (mut kind, mut is_unspillable_terminator) = (0, false);
        // SAFETY: handle; a virtual register of the function; both places are written if there is a
        // def.
        let instr = unsafe {
            let def = ffi::ptx_mri_def(self.ptr.as_ptr(), reg.0, &mut kind, &mut is_unspillable_terminator);
            MachineInstr::from_ptr(def)
        }?;
        Some(Def { instr, kind: kind_from_ffi(kind), is_unspillable_terminator })
    }
    /// The registers that may not be allocated. They are unknown, and the list empty, before the
    /// first pass after instruction selection.
    pub fn reserved_registers(self) -> Vec<u32> {
        let (mf, mut regs) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle.
        if unsafe { ffi::ptx_mri_reserved_registers_known(mf) } {
            // SAFETY: handle; the buffer has the capacity that is passed.
            read_list(&mut regs, |out, n| unsafe { ffi::ptx_mri_reserved_registers(mf, out, n) });
        }
        regs
    }
    /// A register, or part of one, with its class, as LLVM prints it.
    pub fn reg_text(self, reg: Register, subreg: u32) -> String {
        let mf = self.ptr.as_ptr();
        // SAFETY: handle; a register of the function; the buffer has the capacity that is passed.
        read_text(|out, capacity| unsafe { ffi::ptx_reg_text(mf, reg.0, subreg, out, capacity) })
    }
    /// The operands that name `reg`, in the order of LLVM's chain: defs first. The list is made
    /// before the first one is visited.
    ///
    /// # Fatal errors
    /// If `reg` is unknown or none.
    pub fn reg_operands(self, reg: Register) -> impl Iterator<Item = RegOperand<'f>> {
        self.list_operands(reg, false)
    }
    fn list_operands(self, reg: Register, defs_only: bool) -> impl Iterator<Item = RegOperand<'f>> {
        // Most registers are named this often at most, so one call lists them.
        let (mf, mut list) = (self.ptr.as_ptr(), Vec::with_capacity(if defs_only { 2 } else { 16 }));
        // SAFETY: handle; the shim checks the register; the buffer has the capacity that is passed.
        read_list(&mut list, |out, n| unsafe { ffi::ptx_mri_operands(mf, reg.0, defs_only, out, n) });
        list.into_iter().map(|o: ffi::PtxRegOperand| RegOperand {
            // SAFETY: an operand of the function has an instruction of it.
            instr: unsafe { MachineInstr::from_ptr(o.instr) }.expect("never null"),
            index: o.index as usize,
            operand: Operand(o.operand),
        })
    }
    /// Whether sub-register liveness is tracked for `reg`.
    pub fn tracks_subreg_liveness(self, reg: Register) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_tracks_subreg_liveness(self.ptr.as_ptr(), reg.0) }
    }
    /// Whether two registers are the same or share a part.
    pub fn regs_overlap(self, a: Register, b: Register) -> bool {
        if a == b {
            return true;
        }
        // SAFETY: handle.
        a.is_physical()
            && b.is_physical()
            && unsafe { ffi::ptx_tri_regs_overlap(self.ptr.as_ptr(), a.0, b.0) }
    }
}

/// # Changing a register everywhere
impl<'f> MachineFunction<'f> {
    /// Clears the kill flags of all readers of `reg`.
    pub fn clear_kills(self, reg: Register) {
        let kills: Vec<_> = self.reg_operands(reg).filter(|o| o.operand.is_kill()).collect();
        kills.into_iter().for_each(|o| o.instr.set_kill(o.index, false));
    }
    /// Makes every use of `reg`, including those by debug instructions, read no register.
    pub fn forget_uses(self, reg: Register) {
        let uses: Vec<_> = self.reg_operands(reg).filter(|o| o.operand.is_use()).collect();
        uses.into_iter().for_each(|o| o.instr.set_reg(o.index, Register::NONE));
    }
    /// Makes every debug instruction that names `reg` name no register.
    pub fn forget_debug_uses(self, reg: Register) {
        let uses: Vec<_> = self.reg_operands(reg).filter(|o| o.operand.is_debug()).collect();
        uses.into_iter().for_each(|o| o.instr.set_reg(o.index, Register::NONE));
    }
    /// Narrows the class of virtual register `reg` to the registers that `like`'s class allows.
    /// Returns `false` and changes nothing if they have none in common.
    ///
    /// # Fatal errors
    /// If one of them is not a virtual register of the function with a class.
    pub fn constrain_class_like(self, reg: Register, like: Register) -> bool {
        // SAFETY: handle; both are virtual registers of this function.
        unsafe { ffi::ptx_mri_constrain_class_like(self.ptr.as_ptr(), reg.0, like.0) }
    }
    /// Gives `reg` the class of the result of `opcode`.
    ///
    /// # Fatal errors
    /// If `reg` is not a virtual register of the function, or `opcode` has no result in a register.
    pub fn set_class_of_result(self, reg: Register, opcode: impl Into<Opcode>) {
        let opcode = opcode.into().number();
        // SAFETY: handle; a virtual register of this function, and an opcode with a result.
        unsafe { ffi::ptx_mri_set_class_of_result(self.ptr.as_ptr(), reg.0, opcode) }
    }
    /// `MachineRegisterInfo::replaceRegWith`
    ///
    /// # Fatal errors
    /// If one of them is unknown or none.
    pub fn replace_reg(self, from: Register, to: Register) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_replace_reg(self.ptr.as_ptr(), from.0, to.0) }
    }
}

/// # Parts of registers
impl<'f> MachineFunction<'f> {
    /// The first bit and the number of bits of a sub-register index; `None` if it is not
    /// contiguous.
    ///
    /// # Fatal errors
    /// If the target has no such part, or it is the whole, 0.
    pub fn subreg_bits(self, subreg: u32) -> Option<(u32, u32)> {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: handle; the index is one of the target's and not 0.
        unsafe { ffi::ptx_tri_subreg_bits(self.ptr.as_ptr(), subreg, &mut offset, &mut size) };
        (offset != u32::from(u16::MAX)).then_some((offset, size))
    }
    /// The lanes of a sub-register index; all of them for index 0.
    ///
    /// # Fatal errors
    /// If the target has no such part.
    pub fn lane_mask(self, subreg: u32) -> u64 {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_lane_mask(self.ptr.as_ptr(), subreg) }
    }
}

// The function's state, which our versions of LLVM's passes change.
impl<'f> MachineFunction<'f> {
    /// A register that violates SSA form's single def, and its number of defs: several, or 0
    /// although it is read. Linear in the registers.
    pub(crate) fn not_ssa(self) -> Option<(Register, u32)> {
        let mut num_defs = 0;
        // SAFETY: handle; the place for the number lives through the call.
        let reg = Register(unsafe { ffi::ptx_mf_not_ssa(self.ptr.as_ptr(), &mut num_defs) });
        reg.is_virtual().then_some((reg, num_defs))
    }
    /// `MachineRegisterInfo::leaveSSA`
    pub(crate) fn leave_ssa(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_leave_ssa(self.ptr.as_ptr()) }
    }
    /// Sets the property `TiedOpsRewritten`.
    pub(crate) fn set_tied_ops_rewritten(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_set_tied_ops_rewritten(self.ptr.as_ptr()) }
    }
    /// Sets the property `NoPHIs`.
    pub(crate) fn set_no_phis(self) {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_set_no_phis(self.ptr.as_ptr()) }
    }
    /// Makes debug values that name `number` find, in `reg`, the value of an eliminated PHI of
    /// `block`.
    pub(crate) fn add_debug_phi(self, number: u32, block: MachineBasicBlock<'f>, reg: Register) {
        // SAFETY: handles.
        unsafe { ffi::ptx_mf_add_debug_phi(self.ptr.as_ptr(), number, block.ptr.as_ptr(), reg.0) }
    }
    /// Frees an instruction that is not in a block. No handle to it may be used again.
    pub(crate) fn delete_instr(self, mi: MachineInstr<'f>) {
        // SAFETY: handles.
        unsafe { ffi::ptx_mi_delete(self.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
}

// See above.
/// # Properties and neighbours
impl<'f> MachineBasicBlock<'f> {
    /// The name of the IR block that it was made from; empty if there is none or it has no name.
    pub fn name(self) -> Cow<'f, str> {
        // SAFETY: handle; the name belongs to the block in IR.
        unsafe { borrow_str(ffi::ptx_mbb_name(self.ptr.as_ptr())) }
    }
    /// Whether it is the function's first block.
    pub fn is_entry(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_is_entry(self.ptr.as_ptr()) }
    }
    /// Writes the numbers of its successors, in LLVM's order. `out` must have room for exactly all
    /// of them.
    pub fn read_successor_numbers(self, out: &mut [u32]) {
        assert_eq!(out.len(), self.num_successors() as usize);
        // SAFETY: handle; there is room for all.
        unsafe { ffi::ptx_mbb_successors(self.ptr.as_ptr(), out.as_mut_ptr()) }
    }
    /// LLVM's number of the block.
    pub fn number(self) -> BlockNumber {
        // SAFETY: handle.
        BlockNumber::from_raw(unsafe { ffi::ptx_mbb_number(self.ptr.as_ptr()) })
    }
    fn has_flag(self, flag: u32) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_flags(self.ptr.as_ptr()) & flag != 0 }
    }
    /// Whether it is a landing pad.
    pub fn is_eh_pad(self) -> bool {
        self.has_flag(ffi::PTX_MBB_EH_PAD)
    }
    /// Whether some INLINEASM_BR may jump to it.
    pub fn is_asm_br_target(self) -> bool {
        self.has_flag(ffi::PTX_MBB_ASM_BR_TARGET)
    }
    /// How many successors there are.
    pub fn num_successors(self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_num_successors(self.ptr.as_ptr()) }
    }
    /// How many predecessors there are.
    pub fn num_predecessors(self) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_num_predecessors(self.ptr.as_ptr()) }
    }
    /// The successors, in LLVM's order.
    pub fn successors(self) -> impl Iterator<Item = MachineBasicBlock<'f>> {
        // SAFETY: handle; the index is below the number of successors, which are blocks of the
        // function.
        (0..self.num_successors()).map_while(move |i| unsafe {
            MachineBasicBlock::from_ptr(ffi::ptx_mbb_successor(self.ptr.as_ptr(), i))
        })
    }
    /// The predecessors, in LLVM's order.
    pub fn predecessors(self) -> impl Iterator<Item = MachineBasicBlock<'f>> {
        // SAFETY: as for the successors.
        (0..self.num_predecessors()).map_while(move |i| unsafe {
            MachineBasicBlock::from_ptr(ffi::ptx_mbb_predecessor(self.ptr.as_ptr(), i))
        })
    }
    /// Looks up an entry in the metadata of the loop that its IR branch closes. Returns the number
    /// after the name, 0 if the name stands alone, and `None` if there is no such entry.
    pub fn loop_metadata(self, name: &str) -> Option<u64> {
        let mut value = 0;
        // SAFETY: handle; the name lives through the call; the place is written.
        let found = unsafe { ffi::ptx_mbb_loop_metadata(self.ptr.as_ptr(), to_ffi_str(name), &mut value) };
        found.then_some(value)
    }
}

/// # Its instructions
impl<'f> MachineBasicBlock<'f> {
    /// The first instruction; a bundle counts as one.
    pub fn first(self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        unsafe { MachineInstr::from_ptr(ffi::ptx_mbb_first(self.ptr.as_ptr())) }
    }
    /// Its instructions; a bundle counts as one. The next one is looked up before each visit, so
    /// the visited one may be erased or moved.
    ///
    /// # Fatal errors
    /// If the next one was erased instead.
    pub fn instrs(self) -> impl Iterator<Item = MachineInstr<'f>> {
        std::iter::successors(self.first(), |mi| mi.next())
    }
    /// The last instruction.
    pub fn last(self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        unsafe { MachineInstr::from_ptr(ffi::ptx_mbb_last(self.ptr.as_ptr())) }
    }
    /// Its PHIs.
    pub fn phis(self) -> impl Iterator<Item = MachineInstr<'f>> {
        let is_phi = |mi: &MachineInstr| mi.kind() == InstrKind::Phi;
        std::iter::successors(self.first().filter(is_phi), move |mi| mi.next().filter(is_phi))
    }
    /// Reads the operands of its PHIs into `out`, one PHI after the other. Each PHI begins with its
    /// only def.
    pub fn phi_operands(self, out: &mut Vec<Operand>) {
        // SAFETY: handle; the buffer has the capacity that is passed; `Operand` is one u64.
        read_list(out, |out, n| unsafe { ffi::ptx_mbb_phi_operands(self.ptr.as_ptr(), out.cast(), n) });
    }
    /// The first terminator; `None` if the block ends without one.
    pub fn first_terminator(self) -> Option<MachineInstr<'f>> {
        // SAFETY: handle.
        unsafe { MachineInstr::from_ptr(ffi::ptx_mbb_first_terminator(self.ptr.as_ptr())) }
    }
    /// `from`, or the first instruction after it that is not a PHI, a label or part of the target's
    /// block prologue. `None` is the end of the block.
    ///
    /// # Fatal errors
    /// If `from` is not in this block.
    pub fn skip_phis_and_labels(self, from: Option<MachineInstr<'f>>) -> Option<MachineInstr<'f>> {
        // SAFETY: handles of this block.
        unsafe {
            let from = MachineInstr::to_ptr(from);
            MachineInstr::from_ptr(ffi::ptx_mbb_skip_phis_and_labels(self.ptr.as_ptr(), from))
        }
    }
}

/// # Inserting inline assembly and implicit defs
impl<'f> MachineBasicBlock<'f> {
    /// Inserts inline assembly that has no operands and is never removed. `None` is the end of the
    /// block.
    ///
    /// # Fatal errors
    /// If `before` is not in this block.
    pub fn insert_assembly(self, before: Option<MachineInstr<'f>>, text: &str) -> MachineInstr<'f> {
        let before = MachineInstr::to_ptr(before);
        // SAFETY: handle, `before` in this block; LLVM copies the text; the shim returns the
        // instruction it made.
        unsafe {
            MachineInstr::from_ptr(ffi::ptx_mbb_insert_assembly(self.ptr.as_ptr(), before, to_ffi_str(text)))
        }
        .expect("LLVM made no INLINEASM")
    }
    /// Inserts `reg = IMPLICIT_DEF` with the debug location of `like`; `None` is the end of the
    /// block.
    pub fn insert_implicit_def(
        self,
        before: Option<MachineInstr<'f>>,
        like: MachineInstr<'f>,
        reg: Register,
    ) -> MachineInstr<'f> {
        let before = MachineInstr::to_ptr(before);
        // SAFETY: handles, `before` in this block; the shim returns the instruction it made.
        unsafe {
            let mi = ffi::ptx_mbb_insert_implicit_def(self.ptr.as_ptr(), before, like.ptr.as_ptr(), reg.0);
            MachineInstr::from_ptr(mi)
        }
        .expect("LLVM made no IMPLICIT_DEF")
    }
}

// For our versions of LLVM's passes.
impl<'f> MachineBasicBlock<'f> {
    /// Has the target insert `dst = COPY src` for a PHI of this block, `like`.
    pub(crate) fn insert_phi_destination_copy(
        self,
        before: Option<MachineInstr<'f>>,
        like: MachineInstr<'f>,
        src: Register,
        dst: Register,
    ) -> MachineInstr<'f> {
        let (block, before, like) = (self.ptr.as_ptr(), MachineInstr::to_ptr(before), like.ptr.as_ptr());
        // SAFETY: as above.
        unsafe {
            MachineInstr::from_ptr(ffi::ptx_mbb_insert_phi_destination_copy(
                block, before, like, src.0, dst.0,
            ))
        }
        .expect("the target made no copy")
    }
    /// Has the target insert `dst = COPY src:subreg` for a PHI of a successor.
    pub(crate) fn insert_phi_source_copy(
        self,
        before: Option<MachineInstr<'f>>,
        (src, subreg): (Register, u32),
        dst: Register,
    ) -> MachineInstr<'f> {
        let (block, before) = (self.ptr.as_ptr(), MachineInstr::to_ptr(before));
        // SAFETY: as above.
        unsafe {
            MachineInstr::from_ptr(ffi::ptx_mbb_insert_phi_source_copy(block, before, src.0, subreg, dst.0))
        }
        .expect("the target made no copy")
    }
    /// Moves the instructions from `first` up to but excluding `last` to before `before`; `None` is
    /// the end of the block.
    pub(crate) fn splice(
        self,
        before: Option<MachineInstr<'f>>,
        first: MachineInstr<'f>,
        last: Option<MachineInstr<'f>>,
    ) {
        // SAFETY: handles of this block.
        unsafe {
            ffi::ptx_mbb_splice(
                self.ptr.as_ptr(),
                MachineInstr::to_ptr(before),
                first.ptr.as_ptr(),
                MachineInstr::to_ptr(last),
            )
        }
    }
    /// Puts `mi`, which is not in a block yet, before `before`.
    pub(crate) fn place_before(self, before: MachineInstr<'f>, mi: MachineInstr<'f>) {
        // SAFETY: handles; `before` is in this block.
        unsafe { ffi::ptx_mbb_insert_before(self.ptr.as_ptr(), before.ptr.as_ptr(), mi.ptr.as_ptr()) }
    }
}
