//! Reads whole functions across the boundary.

use super::ffi;
use super::handles::{MachineFunction, MachineInstr};
use super::instr::kind_from_ffi;
use super::read::read_list;
use super::remarks::Remark;
use super::runs::RunId;
use crate::mir::{
    BlockId, BlockNumber, Code, FunctionFacts, FunctionShape, InstrFlags, InstrId, InstrRun, Kind, Operand,
    Register,
};
use index_vec::IndexSlice;

const _: () = {
    assert!(InstrFlags::IN_BUNDLE.bits() as u32 == ffi::PTX_READ_IN_BUNDLE);
    assert!(InstrFlags::EARLY_CLOBBER.bits() as u32 == ffi::PTX_READ_EARLY_CLOBBER);
    assert!(InstrFlags::REG_MASK.bits() as u32 == ffi::PTX_READ_REG_MASK);
    assert!(InstrFlags::PHYSICAL.bits() as u32 == ffi::PTX_READ_PHYSICAL);
    assert!(InstrFlags::SUBREG.bits() as u32 == ffi::PTX_READ_SUBREG);
    assert!(Operand::INTERNAL_READ_SHIFT == ffi::PTX_OP_INTERNAL_READ_SHIFT);
};

/// The flags of each kind, by the shim's number of the kind.
const KIND_FLAGS: [InstrFlags; ffi::PtxInstrKind::PTX_KIND_DEBUG as usize + 1] = {
    let mut flags = [InstrFlags::NONE; ffi::PtxInstrKind::PTX_KIND_DEBUG as usize + 1];
    let mut kind = 0;
    while kind < flags.len() {
        flags[kind] = InstrFlags::of_kind(kind_from_ffi(kind as u8));
        kind += 1;
    }
    flags
};

/// The room for the instructions of one call and for their operands. It grows if one instruction
/// has more.
const RUN_INSTRS: usize = 256;
const RUN_OPERANDS: usize = 1024;

/// The buffers of a reading; kept from function to function.
#[derive(Default)]
pub struct FunctionReader {
    /// The run in which the function was read, and its address. Its instructions exist until that
    /// run ends.
    read_in: Option<(RunId, usize)>,
    shape: FunctionShape,
    code: CodeBuffers,
}

#[derive(Default)]
struct CodeBuffers {
    blocks: Vec<(*mut ffi::PtxBlock, ffi::PtxBlockFacts)>,
    /// LLVM's numbers of the successors of each block, one block after the other.
    succs: Vec<u32>,
    /// The instruction of each entry; null at a block boundary.
    heads: Vec<*mut ffi::PtxInstr>,
    /// (entry, mask): the register masks of instructions, in order.
    masks: Vec<(u32, *const u32)>,
    /// (block, mask): the register masks at the ends of blocks, in order.
    end_masks: Vec<(u32, *const u32)>,
    /// Whether debug instructions or pseudo probes were left out.
    left_out: bool,
    instrs: Vec<*mut ffi::PtxInstr>,
    kinds: Vec<ffi::PtxInstrKind::Type>,
    flags: Vec<InstrFlags>,
    num_operands: Vec<u32>,
    operands: Vec<Operand>,
}

// SAFETY: the pointers are those of the function read last. They are used only through `LlvmCode`
// and `Handles`, while that function exists.
unsafe impl Send for CodeBuffers {}

impl FunctionReader {
    /// Reads the shape of `mf`. The code is read when it is visited. With `clear_kills` that also
    /// clears the kill flags of virtual registers.
    pub fn read<'f>(
        &mut self,
        mf: MachineFunction<'f>,
        clear_kills: bool,
    ) -> (&FunctionShape, LlvmCode<'_, 'f>) {
        let FunctionReader { read_in, shape, code } = self;
        *read_in = RunId::current().map(|run| (run, mf.address()));
        // SAFETY: handle.
        let num_block_ids = unsafe { ffi::ptx_mf_num_block_ids(mf.ptr.as_ptr()) };
        shape.clear(mf.num_virt_regs(), num_block_ids as usize);
        code.blocks.clear();
        code.heads.clear();
        code.masks.clear();
        code.end_masks.clear();
        code.left_out = false;
        code.blocks.reserve(num_block_ids as usize);
        code.heads.reserve(mf.num_virt_regs() + num_block_ids as usize);
        code.succs.clear();
        for block in mf.blocks() {
            let block = block.ptr.as_ptr();
            let mut b = ffi::PtxBlockFacts {
                number: 0,
                flags: 0,
                num_successors: 0,
                begin_mask: std::ptr::null(),
                eh_mask: std::ptr::null(),
            };
            // SAFETY: a block of the function; there is room for its successors.
            unsafe {
                ffi::ptx_mbb_facts(block, &mut b);
                code.succs.reserve(b.num_successors as usize);
                ffi::ptx_mbb_successors(block, code.succs.as_mut_ptr().add(code.succs.len()));
                code.succs.set_len(code.succs.len() + b.num_successors as usize);
            }
            shape.push_block(BlockNumber::from_raw(b.number));
            code.blocks.push((block, b));
        }
        let mut succs = &code.succs[..];
        for (_, b) in &code.blocks {
            let (these, rest) = succs.split_at(b.num_successors as usize);
            shape.push_successors(these.iter().map(|&number| BlockNumber::from_raw(number)));
            succs = rest;
        }
        (shape, LlvmCode { mf, clear_kills, buffers: code })
    }
    /// How many virtual registers the function read last had.
    pub fn num_virt_regs(&self) -> usize {
        self.shape.num_virt_regs
    }
    /// Reads all of `mf`, unchanged.
    pub fn read_all<'f>(&mut self, mf: MachineFunction<'f>, facts: &mut FunctionFacts) -> Handles<'_, 'f> {
        let (shape, mut code) = self.read(mf, false);
        code.read_whole(shape, facts);
        Handles { mf, code: code.buffers }
    }
}

impl CodeBuffers {
    /// Forgets the instructions read last, so that reserved room starts at the front.
    fn clear_run(&mut self) {
        self.instrs.clear();
        self.kinds.clear();
        self.flags.clear();
        self.num_operands.clear();
        self.operands.clear();
    }
    /// Notes the heads and masks of the instructions read last.
    fn note_heads_and_masks(&mut self) {
        let mut first = 0;
        for (i, &instr) in self.instrs.iter().enumerate() {
            let operands = &self.operands[first..][..self.num_operands[i] as usize];
            first += operands.len();
            if self.flags[i].is_in_bundle() {
                continue;
            }
            self.heads.push(instr);
            if self.flags[i].has_any(InstrFlags::REG_MASK) {
                // SAFETY: an instruction of the function.
                let mi = unsafe { MachineInstr::from_ptr(instr) }.expect("never null");
                let entry = self.heads.len() as u32 - 1;
                for (index, _) in operands.iter().enumerate().filter(|o| o.1.kind() == Kind::RegMask) {
                    self.masks.push((entry, mi.reg_mask(index)));
                }
            }
        }
    }
}

impl FunctionReader {
    /// # Panics
    /// If `mf` was not read in this run.
    fn check_run(&self, mf: MachineFunction) {
        let is_of_run =
            self.read_in.is_some() && self.read_in == RunId::current().map(|run| (run, mf.address()));
        assert!(
            is_of_run,
            "a reading is used in another run of a pass, or of another function, than it was made in"
        );
    }
    /// The last reading of `mf`, possibly from an earlier run. The caller knows that no pass has
    /// changed `mf` since.
    pub(crate) fn again<'f>(&mut self, mf: MachineFunction<'f>) -> (&FunctionShape, LlvmCode<'_, 'f>) {
        self.read_in = RunId::current().map(|run| (run, mf.address()));
        (&self.shape, LlvmCode { mf, clear_kills: false, buffers: &mut self.code })
    }
    /// The handles of `mf`, which was read completely and has not changed since.
    ///
    /// # Panics
    /// If it was not read in this run.
    pub fn handles<'f>(&self, mf: MachineFunction<'f>) -> Handles<'_, 'f> {
        self.check_run(mf);
        Handles { mf, code: &self.code }
    }
}

/// The code of a function, read block by block.
pub struct LlvmCode<'r, 'f> {
    mf: MachineFunction<'f>,
    clear_kills: bool,
    buffers: &'r mut CodeBuffers,
}

impl<'r, 'f> LlvmCode<'r, 'f> {
    /// Reads everything, again if it was read before.
    pub fn read_whole(&mut self, shape: &FunctionShape, facts: &mut FunctionFacts) {
        self.buffers.heads.clear();
        self.buffers.masks.clear();
        self.buffers.end_masks.clear();
        facts.clear(0, 0);
        facts.shape.clone_from(shape);
        facts.reserve(shape.num_virt_regs);
        for block in shape.blocks() {
            self.read_block(block, |run| facts.push_run(run));
            facts.end_block();
        }
    }
    /// The instructions and blocks that were read.
    pub fn handles(&self) -> Handles<'_, 'f> {
        Handles { mf: self.mf, code: self.buffers }
    }
    /// Returns the handles, valid until the function is read again.
    pub fn into_handles(self) -> Handles<'r, 'f> {
        Handles { mf: self.mf, code: self.buffers }
    }
}

impl Code for LlvmCode<'_, '_> {
    fn read_block(&mut self, index: BlockId, mut visit: impl FnMut(InstrRun)) {
        let b = &mut *self.buffers;
        let block = b.blocks[index.index()].0;
        b.heads.push(std::ptr::null_mut());
        b.clear_run();
        b.instrs.reserve(RUN_INSTRS);
        b.kinds.reserve(RUN_INSTRS);
        b.flags.reserve(RUN_INSTRS);
        b.num_operands.reserve(RUN_INSTRS);
        b.operands.reserve(RUN_OPERANDS);
        let mut next = std::ptr::null_mut();
        loop {
            let capacities =
                [b.instrs.capacity(), b.kinds.capacity(), b.flags.capacity(), b.num_operands.capacity()];
            let capacity = capacities.into_iter().min().expect("not empty") as u32;
            let buffer = ffi::PtxInstrBuffer {
                instrs: b.instrs.as_mut_ptr(),
                kinds: b.kinds.as_mut_ptr(),
                flags: b.flags.as_mut_ptr().cast(),
                num_operands: b.num_operands.as_mut_ptr(),
                instr_capacity: capacity,
                operands: b.operands.as_mut_ptr().cast(),
                operand_capacity: b.operands.capacity() as u32,
            };
            // SAFETY: the buffers have the capacities given, `Operand` is one u64, and as many
            // items are initialised as the result says.
            let done = unsafe {
                let done = ffi::ptx_mbb_read(block, next, &buffer, self.clear_kills);
                b.instrs.set_len(done.num_instrs as usize);
                b.kinds.set_len(done.num_instrs as usize);
                b.flags.set_len(done.num_instrs as usize);
                b.num_operands.set_len(done.num_instrs as usize);
                b.operands.set_len(done.num_operands as usize);
                done
            };
            b.left_out |= done.debug;
            for (flags, &kind) in b.flags.iter_mut().zip(&b.kinds) {
                *flags |= KIND_FLAGS[usize::from(kind)];
            }
            if !InstrFlags::union(&b.flags).has_any(InstrFlags::IN_BUNDLE.with(InstrFlags::REG_MASK)) {
                b.heads.extend_from_slice(&b.instrs);
            } else {
                b.note_heads_and_masks();
            }
            if done.num_instrs > 0 {
                visit(InstrRun { flags: &b.flags, num_operands: &b.num_operands, operands: &b.operands });
            }
            next = done.next;
            if next.is_null() {
                if !done.end_mask.is_null() {
                    b.end_masks.push((index.raw(), done.end_mask));
                }
                return;
            }
            if done.num_instrs == 0 {
                // A single instruction or bundle is larger than the buffers.
                let (instrs, operands) = (2 * b.instrs.capacity(), 2 * b.operands.capacity());
                b.instrs.reserve(instrs);
                b.kinds.reserve(instrs);
                b.flags.reserve(instrs);
                b.num_operands.reserve(instrs);
                b.operands.reserve(operands);
            }
        }
    }
}

/// The instructions and blocks that were read, as handles.
#[derive(Clone, Copy)]
pub struct Handles<'r, 'f> {
    pub(super) mf: MachineFunction<'f>,
    code: &'r CodeBuffers,
}

impl<'r, 'f> Handles<'r, 'f> {
    pub(super) fn block(&self, block: usize) -> *mut ffi::PtxBlock {
        self.code.blocks[block].0
    }
    /// An instruction by its number in the function; `block_of` gives the block of each. Entries of
    /// block boundaries come in between.
    pub fn instr_of(&self, block_of: &IndexSlice<InstrId, [BlockId]>, instr: InstrId) -> MachineInstr<'f> {
        self.instr(instr.raw() + block_of[instr].raw() + 1)
    }
    /// The instruction of an entry.
    pub fn instr(&self, entry: u32) -> MachineInstr<'f> {
        // SAFETY: read in this run from a function that lives for 'f. Erased instructions stay in
        // memory until the run ends.
        unsafe { MachineInstr::from_ptr(self.code.heads[entry as usize]) }.expect("no boundary")
    }
    /// The function.
    pub fn function(&self) -> MachineFunction<'f> {
        self.mf
    }
    /// Emits a remark on `block`. Its debug location is that of the instruction at `entry` or, if a
    /// block begins there, of the next one.
    pub fn remark(&self, remark: &Remark, block: usize, entry: u32) {
        let mut here = self.code.heads[entry as usize..].iter().copied();
        let instr = here.next().filter(|i| !i.is_null()).or(here.next()).unwrap_or(std::ptr::null_mut());
        // SAFETY: a block and an instruction of the function, or null.
        unsafe { remark.emit(self.code.blocks[block].0, instr) }
    }
    /// The instruction of each entry; null at a block boundary.
    pub(super) fn heads(&self) -> &'r [*mut ffi::PtxInstr] {
        &self.code.heads
    }
    /// Whether debug instructions or pseudo probes were left out.
    pub fn has_debug_instrs(&self) -> bool {
        self.code.left_out
    }
    /// (entry, mask): the register masks of instructions, in order.
    pub(crate) fn reg_masks(&self) -> &'r [(u32, *const u32)] {
        &self.code.masks
    }
    /// Whether `block` is a landing pad.
    pub fn is_eh_pad(&self, block: usize) -> bool {
        self.code.blocks[block].1.flags & ffi::PTX_MBB_EH_PAD != 0
    }
    /// The register units of the live-ins of `block`, in LLVM's order, with repetitions.
    pub fn live_in_units(&self, block: usize) -> Vec<u32> {
        // SAFETY: handle; the buffer has the capacity that is passed.
        self.live_in_list(block, |block, out, n| unsafe { ffi::ptx_mbb_live_in_units(block, out, n) })
    }
    /// The physical registers that are live into `block`.
    pub fn live_ins(&self, block: usize) -> Vec<u32> {
        // SAFETY: handle; the buffer has the capacity that is passed.
        self.live_in_list(block, |block, out, n| unsafe { ffi::ptx_mbb_live_ins(block, out, n) })
    }
    fn live_in_list(
        &self,
        block: usize,
        call: impl Fn(*mut ffi::PtxBlock, *mut u32, usize) -> usize,
    ) -> Vec<u32> {
        let (block, facts) = &self.code.blocks[block];
        let mut list = Vec::new();
        if facts.flags & ffi::PTX_MBB_HAS_LIVE_INS != 0 {
            read_list(&mut list, |out, n| call(*block, out, n));
        }
        list
    }
    /// The address of the target's register table. It is constant data: facts about one function's
    /// registers hold for every function with the same address.
    pub fn register_table(&self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_table(self.mf.ptr.as_ptr()) as usize }
    }
    /// How many physical registers the target has, plus one: register 0 is `NoRegister`.
    pub fn num_registers(&self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_registers(self.mf.ptr.as_ptr()) as usize }
    }
    /// How many of the target's registers, from the first on, the function's subtarget has.
    pub fn num_supported_registers(&self) -> usize {
        // SAFETY: handle.
        unsafe { ffi::ptx_tri_num_supported_registers(self.mf.ptr.as_ptr()) as usize }
    }
    /// The parts of a physical register, in LLVM's order, without the register itself.
    pub fn sub_registers(&self, reg: Register) -> Vec<u32> {
        let (mf, mut regs) = (self.mf.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; a register of the target; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_tri_sub_registers(mf, reg.0, out, n) });
        regs
    }
    /// The registers that contain a physical register, in LLVM's order, without the register
    /// itself.
    pub fn super_registers(&self, reg: Register) -> Vec<u32> {
        let (mf, mut regs) = (self.mf.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; a register of the target; the buffer has the capacity that is passed.
        read_list(&mut regs, |out, n| unsafe { ffi::ptx_tri_super_registers(mf, reg.0, out, n) });
        regs
    }
    /// Whether some allocatable class contains `reg`.
    pub fn in_allocatable_class(&self, reg: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_tri_in_allocatable_class(self.mf.ptr.as_ptr(), reg.0) }
    }
    /// The registers that the function may not allocate.
    pub fn reserved_registers(&self) -> Vec<u32> {
        self.mf.reserved_registers()
    }
    /// Calls `f` with the register masks at the start of `block`.
    pub(crate) fn begin_masks(&self, block: usize, f: impl FnMut(*const u32)) {
        let b = &self.code.blocks[block].1;
        [b.begin_mask, b.eh_mask].into_iter().filter(|m| !m.is_null()).for_each(f);
    }
    /// (block, mask): the register masks at the ends of blocks, in order.
    pub(crate) fn end_masks(&self) -> &'r [(u32, *const u32)] {
        &self.code.end_masks
    }
}
