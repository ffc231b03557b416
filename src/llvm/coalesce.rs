//! Edits a function for the register coalescer, which knows instructions by number.
//!
//! Edits wait in a list, so that many cross the boundary in one call. Whatever asks LLVM about something that an edit may
//! have changed makes the waiting edits first.

use super::ffi::PtxInstrKind::PTX_KIND_IMPLICIT_DEF;
use super::read::read_list;
use super::{
    ffi, to_ffi_str, AliasAnalysis, Handles, HostPass, LiveIntervals, MachineFunction, MachineInstr,
    MachineLoopInfo, Remark,
};
use crate::mir::{BlockId, InstrId, Operand, RegClassId, Register, VRegId};
use index_vec::IndexVec;

/// So many edits wait at most, but for the marks of one move.
const MAX_WAITING_EDITS: usize = 256;

/// What RegisterClassInfo says of a class.
pub type ClassInfo = ffi::PtxClassInfo;

/// The operands of debug instructions that name a virtual register, in the order of the code.
#[derive(Default)]
pub struct DebugOperandTable {
    operands: Vec<ffi::PtxDebugOperand>,
}

/// An operand of a debug instruction.
#[derive(Clone, Copy, Debug)]
pub struct DebugOperandFacts {
    /// Which debug instruction of the function it belongs to, counted from 1.
    pub instr: u32,
    /// Its position in the debug instruction.
    pub index: u32,
    /// The register that it names.
    pub reg: VRegId,
    /// The entry of the first instruction behind the debug instruction.
    pub entry: u32,
    /// Whether the debug instruction is a DBG_VALUE or DBG_VALUE_LIST.
    pub is_value: bool,
}

// SAFETY: the pointers are those of the function read last and only used while that function is at hand.
unsafe impl Send for DebugOperandTable {}

impl DebugOperandTable {
    /// Reads them.
    pub fn read(&mut self, handles: Handles) {
        self.operands.clear();
        if !handles.has_debug_instrs() {
            return;
        }
        let mf = handles.mf.ptr.as_ptr();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut self.operands, |out, n| unsafe { ffi::ptx_mf_debug_operands(mf, out, n) });
    }
    /// Lists them.
    pub fn iter(&self) -> impl Iterator<Item = DebugOperandFacts> + '_ {
        let (mut instr, mut last) = (0, std::ptr::null_mut());
        self.operands.iter().map(move |d| {
            instr += u32::from(d.instr != last);
            last = d.instr;
            let reg = Register(d.reg).vreg().expect("it names a virtual register");
            DebugOperandFacts { instr, index: d.index, reg, entry: d.entry, is_value: d.is_value }
        })
    }
}

impl MachineFunction<'_> {
    /// Whether it calls something that returns twice.
    pub fn exposes_returns_twice(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_exposes_returns_twice(self.ptr.as_ptr()) }
    }
    /// Whether the subtarget turns `join-globalcopies` on.
    pub fn joins_global_copies(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_join_global_copies(self.ptr.as_ptr()) }
    }
    /// Whether debug values follow PHIs.
    pub fn has_debug_phis(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_has_debug_phis(self.ptr.as_ptr()) }
    }
    /// Runs LLVM's verifier, which ends the process if it finds an error.
    pub fn verify(self, pass: HostPass, banner: &str) {
        // SAFETY: handles; the string lives through the call.
        unsafe { ffi::ptx_mf_verify(pass.as_ptr(), self.ptr.as_ptr(), to_ffi_str(banner)) }
    }
    /// Finds the largest class whose registers are in both classes.
    pub fn common_sub_class(self, a: RegClassId, b: RegClassId) -> Option<RegClassId> {
        // SAFETY: handle; numbers of classes.
        let class = unsafe { ffi::ptx_tri_common_sub_class(self.ptr.as_ptr(), a.raw(), b.raw()) };
        (class != u32::MAX).then(|| RegClassId::from_raw(class))
    }
    /// Reads what RegisterClassInfo says of a class.
    pub fn class_info(self, class: RegClassId) -> ClassInfo {
        let mut info = ffi::PtxClassInfo { num_allocatable: 0, bits: 0, is_proper_sub_class: false };
        // SAFETY: handle; a number of a class.
        unsafe { ffi::ptx_class_info(self.ptr.as_ptr(), class.raw(), &mut info) }
        info
    }
    /// Whether the class of a virtual register has a physical one.
    pub fn class_contains(self, reg: VRegId, phys: Register) -> bool {
        // SAFETY: handle; a virtual register of the function and one of the target.
        unsafe { ffi::ptx_mri_class_contains(self.ptr.as_ptr(), Register::from(reg).0, phys.0) }
    }
    /// Whether a physical register always has the same value.
    pub fn is_constant_phys_reg(self, phys: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_mri_is_constant_phys_reg(self.ptr.as_ptr(), phys.0) }
    }
    /// Gives a register the largest class that its operands allow; whether that is a change.
    pub fn recompute_class(self, reg: VRegId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_recompute_class(self.ptr.as_ptr(), Register::from(reg).0) }
    }
}

impl Handles<'_, '_> {
    /// How many loops a block is in.
    pub fn loop_depth(self, loops: MachineLoopInfo, block: BlockId) -> u32 {
        // SAFETY: handles.
        unsafe { ffi::ptx_loop_depth(loops.as_ptr(), self.block(block.index())) }
    }
    /// Whether a block has one predecessor, one successor, and copies and jumps only.
    pub fn is_split_edge(self, block: BlockId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_is_split_edge(self.block(block.index())) }
    }
    /// Whether a landing pad follows a block.
    pub fn has_eh_pad_successor(self, block: BlockId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_has_eh_pad_successor(self.block(block.index())) }
    }
    /// Whether a block is a landing pad or the target of an INLINEASM_BR.
    pub fn is_special_target(self, block: BlockId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mbb_flags(self.block(block.index())) != 0 }
    }
}

/// Properties of an instruction that few are asked for.
#[derive(Clone, Copy, Default)]
pub struct CoalescerProperties {
    /// `isTriviallyReMaterializable`; `isReMaterializable` since LLVM 22.
    pub is_rematerializable: bool,
    /// `isSafeToMove`, with no store before it.
    pub is_safe_to_move: bool,
    /// Its description has one def.
    pub has_one_def: bool,
    /// `isSafeToMove`, with stores before it.
    pub is_safe_to_move_past_stores: bool,
    /// It is an INLINEASM.
    pub is_inline_asm: bool,
}

/// Edits the instructions of one function by number.
pub struct InstrEditor<'r, 'f> {
    handles: Handles<'r, 'f>,
    lis: LiveIntervals<'f>,
    aa: Option<AliasAnalysis<'f>>,
    instrs: IndexVec<InstrId, *mut ffi::PtxInstr>,
    debug: &'r [ffi::PtxDebugOperand],
    waiting: Vec<ffi::PtxCoalesceEdit>,
}

impl<'r, 'f> InstrEditor<'r, 'f> {
    /// Begins with the function that was read: an instruction's number is its entry.
    pub fn new(
        handles: Handles<'r, 'f>,
        debug: &'r DebugOperandTable,
        lis: LiveIntervals<'f>,
        aa: Option<AliasAnalysis<'f>>,
    ) -> Self {
        // The end of the function has a number, too; few instructions are made.
        let heads = handles.heads();
        let mut instrs = IndexVec::with_capacity(heads.len() + MAX_WAITING_EDITS);
        instrs.extend(heads.iter().copied());
        instrs.push(std::ptr::null_mut());
        InstrEditor { handles, lis, aa, instrs, debug: &debug.operands, waiting: Vec::new() }
    }

    /// Makes the edits that are waiting.
    pub fn flush(&mut self) {
        let (mf, lis) = (self.handles.mf.ptr.as_ptr(), self.lis());
        // SAFETY: handles; each edit is of an instruction that is in the function when its turn comes, of
        // operands below its number of operands, and of registers of the function.
        unsafe { ffi::ptx_coalesce_edit(mf, lis, self.waiting.as_ptr(), self.waiting.len()) }
        self.waiting.clear();
    }

    fn lis(&self) -> *mut ffi::PtxLiveIntervals {
        LiveIntervals::to_ptr(Some(self.lis))
    }
    fn set_ptr(&mut self, instr: InstrId, ptr: *mut ffi::PtxInstr) {
        if instr == self.instrs.len_idx() {
            self.instrs.push(ptr);
        } else {
            self.instrs[instr] = ptr;
        }
    }
    /// Notes that `instr` is `ptr` now, and reads its operands; false if that is null.
    fn replace(&mut self, instr: InstrId, ptr: *mut ffi::PtxInstr, out: &mut Vec<Operand>) -> bool {
        // SAFETY: an instruction of the function, or null.
        let Some(mi) = (unsafe { MachineInstr::from_ptr(ptr) }) else { return false };
        self.set_ptr(instr, ptr);
        mi.read_operands(out);
        true
    }
    fn push(&mut self, instr: *mut ffi::PtxInstr, what: u32, a: u32, b: u32) {
        self.waiting.push(ffi::PtxCoalesceEdit { instr, what, a, b });
        // The marks of one move stay together.
        if self.waiting.len() >= MAX_WAITING_EDITS && what != ffi::PTX_COALESCE_MARK {
            self.flush();
        }
    }
    fn push_instr(&mut self, instr: InstrId, what: u32, a: u32, b: u32) {
        self.push(self.instrs[instr], what, a, b);
    }

    /// Makes every operand of `src` one of `dst`.
    pub fn rename(&mut self, src: VRegId, dst: Register) {
        self.push(std::ptr::null_mut(), ffi::PTX_COALESCE_RENAME, Register::from(src).0, dst.0);
    }
    /// Erases an instruction and its slot.
    pub fn erase(&mut self, instr: InstrId) {
        self.push_instr(instr, ffi::PTX_COALESCE_ERASE, 0, 0);
    }
    /// Sets or clears the dead flag of a def.
    pub fn set_dead(&mut self, instr: InstrId, index: u32, is_dead: bool) {
        self.push_instr(instr, ffi::PTX_COALESCE_SET_DEAD, index, u32::from(is_dead));
    }
    /// Sets the undef flag of a use.
    pub fn set_undef(&mut self, instr: InstrId, index: u32) {
        self.push_instr(instr, ffi::PTX_COALESCE_SET_UNDEF, index, 1);
    }
    /// Gives a register another class.
    pub fn set_class(&mut self, reg: VRegId, class: RegClassId) {
        let reg = Register::from(reg).0;
        self.push(std::ptr::null_mut(), ffi::PTX_COALESCE_SET_CLASS, reg, class.raw());
    }
    /// Makes a COPY an IMPLICIT_DEF.
    pub fn make_implicit_def(&mut self, instr: InstrId) {
        self.push_instr(instr, ffi::PTX_COALESCE_TO_IMPLICIT_DEF, 0, 0);
    }
    /// Makes register `new`, the next one, of the class of `of`.
    pub fn clone_reg(&mut self, of: VRegId, new: VRegId) {
        let [of, new] = [of, new].map(|reg| Register::from(reg).0);
        self.push(std::ptr::null_mut(), ffi::PTX_COALESCE_CLONE_REG, of, new);
    }
    /// Marks an operand: at the next [`InstrEditor::move_marked`] it becomes one of `reg`.
    pub fn mark(&mut self, instr: InstrId, index: u32, reg: VRegId) {
        self.push_instr(instr, ffi::PTX_COALESCE_MARK, index, Register::from(reg).0);
    }
    /// Marks operand number `operand` of the table of debug operands in the same way.
    pub fn mark_debug(&mut self, operand: usize, reg: VRegId) {
        let d = &self.debug[operand];
        self.push(d.instr, ffi::PTX_COALESCE_MARK, d.index, Register::from(reg).0);
    }
    /// Moves the marked operands, all of `from`, in the order of that register's chain.
    pub fn move_marked(&mut self, from: VRegId) {
        let from = Register::from(from).0;
        self.push(std::ptr::null_mut(), ffi::PTX_COALESCE_MOVE_MARKED, from, 0);
    }
    /// Makes the debug instruction of operand number `operand` one of no value.
    pub fn set_debug_undef(&mut self, operand: usize) {
        self.push(self.debug[operand].instr, ffi::PTX_COALESCE_DEBUG_UNDEF, 0, 0);
    }
    /// Takes the def of a physical register by an instruction out of LLVM's live ranges.
    pub fn remove_phys_def(&mut self, instr: InstrId, reg: Register) {
        self.push_instr(instr, ffi::PTX_COALESCE_REMOVE_PHYS_DEF, reg.0, 0);
    }
    /// Enters a dead def of a physical register by an instruction into LLVM's live ranges.
    pub fn add_phys_def(&mut self, instr: InstrId, reg: Register) {
        self.push_instr(instr, ffi::PTX_COALESCE_ADD_PHYS_DEF, reg.0, 0);
    }
    /// Makes an instruction a KILL of the physical registers that it names.
    pub fn make_kill(&mut self, instr: InstrId) {
        self.push_instr(instr, ffi::PTX_COALESCE_TO_KILL, 0, 0);
    }
    /// Makes an instruction, which defines and reads one register each, a COPY.
    pub fn make_copy(&mut self, instr: InstrId) {
        self.push_instr(instr, ffi::PTX_COALESCE_TO_COPY, 0, 0);
    }
    /// Gives an instruction another opcode with as many operands.
    pub fn set_opcode(&mut self, instr: InstrId, opcode: u32) {
        self.push_instr(instr, ffi::PTX_COALESCE_SET_OPCODE, opcode, 0);
    }
    /// Gives an immediate operand another value.
    pub fn set_imm(&mut self, instr: InstrId, index: u32, value: u32) {
        self.push_instr(instr, ffi::PTX_COALESCE_SET_IMM, index, value);
    }

    /// Asks the target whether the registers of `copy`, of these classes, may become one of class `new`.
    pub fn should_coalesce(
        &mut self,
        copy: InstrId,
        src: RegClassId,
        dst: RegClassId,
        new: RegClassId,
    ) -> bool {
        self.flush();
        let (src, dst, new) = (src.raw(), dst.raw(), new.raw());
        // SAFETY: handles; numbers of classes.
        unsafe { ffi::ptx_tri_should_coalesce(self.instrs[copy], src, dst, new, self.lis()) }
    }
    /// Reads an instruction's opcode.
    pub fn opcode(&self, instr: InstrId) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_opcode(self.instrs[instr]) }
    }
    /// Prints an instruction.
    pub fn text(&mut self, instr: InstrId) -> String {
        self.flush();
        // SAFETY: an instruction of the function.
        let mi = unsafe { MachineInstr::from_ptr(self.instrs[instr]) }.expect("never null");
        mi.text().trim().to_owned()
    }
    /// Emits a remark on an instruction.
    pub fn emit_remark(&mut self, instr: InstrId, remark: &Remark) {
        self.flush();
        let ptr = self.instrs[instr];
        // SAFETY: handles, of one function.
        unsafe { remark.emit(ffi::ptx_mi_block(ptr), ptr) }
    }
    /// Asks for `isAsCheapAsAMove`.
    pub fn is_cheap(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_as_cheap_as_a_move(self.instrs[instr]) }
    }
    /// Asks for `isCommutable`.
    pub fn is_commutable(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_commutable(self.instrs[instr]) }
    }
    /// Reads [`CoalescerProperties`].
    pub fn properties(&mut self, instr: InstrId) -> CoalescerProperties {
        self.flush();
        let aa = AliasAnalysis::to_ptr(self.aa);
        // SAFETY: handles.
        let flags = unsafe { ffi::ptx_coalesce_properties(self.instrs[instr], aa) };
        let has = |flag| flags & flag != 0;
        CoalescerProperties {
            is_rematerializable: has(ffi::PTX_COALESCE_REMATERIALIZABLE),
            is_safe_to_move: has(ffi::PTX_COALESCE_SAFE_TO_MOVE),
            has_one_def: has(ffi::PTX_COALESCE_ONE_DEF),
            is_safe_to_move_past_stores: has(ffi::PTX_COALESCE_SAFE_PAST_STORES),
            is_inline_asm: has(ffi::PTX_COALESCE_INLINE_ASM),
        }
    }
    /// Whether an instruction is a terminator.
    pub fn is_terminator(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_properties(self.instrs[instr]) & ffi::PTX_PROP_TERMINATOR != 0 }
    }
    /// Whether two instructions differ in nothing but the virtual registers that they define.
    pub fn computes_the_same(&mut self, a: InstrId, b: InstrId) -> bool {
        self.flush();
        // SAFETY: handles.
        unsafe { ffi::ptx_mi_computes_the_same(self.instrs[a], self.instrs[b]) }
    }
    /// Whether the def of an instruction can be a physical register.
    pub fn can_define(&self, instr: InstrId, phys: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_coalesce_can_define(self.instrs[instr], phys.0) }
    }
    /// Whether an instruction behind `def` and before `copy`, in one block, reads a physical register.
    pub fn is_read_between(&mut self, def: InstrId, copy: InstrId, phys: Register) -> bool {
        self.flush();
        // SAFETY: handles, of one block.
        unsafe { ffi::ptx_coalesce_is_read_between(self.instrs[def], self.instrs[copy], phys.0) }
    }
    /// Whether an operand that reads a physical register does not keep an instruction where it is.
    pub fn is_ignorable_use(&self, instr: InstrId, index: u32) -> bool {
        // SAFETY: handle; an operand of it.
        unsafe { ffi::ptx_mi_is_ignorable_use(self.instrs[instr], index) }
    }
    /// Finds the def operand that a use is tied to, or the use that a def is tied to.
    pub fn tied_operand(&self, instr: InstrId, index: u32) -> u32 {
        // SAFETY: handle; the operand is tied.
        unsafe { ffi::ptx_mi_tied_def(self.instrs[instr], index) }
    }
    /// Asks for `canFoldAsLoad`.
    pub fn can_fold_as_load(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_can_fold_as_load(self.instrs[instr]) }
    }
    /// Finds an operand that commutes with operand `a`.
    pub fn commutes_with(&mut self, instr: InstrId, a: u32) -> Option<u32> {
        self.flush();
        let mut b = 0;
        // SAFETY: handle; the place for the index lives through the call.
        let found = unsafe { ffi::ptx_mi_commutes_with_any(self.instrs[instr], a, &mut b) };
        found.then_some(b)
    }

    /// Moves the debug values of `from`, which nothing else reads, to `to`, behind `instr`.
    pub fn move_debug_values(&mut self, from: VRegId, to: Register, instr: InstrId) {
        self.flush();
        let (mf, from) = (self.handles.mf.ptr.as_ptr(), Register::from(from).0);
        // SAFETY: handles.
        unsafe { ffi::ptx_coalesce_move_debug_values(mf, from, to.0, self.instrs[instr]) }
    }
    /// Computes `def` again behind `copy`, which goes, to `dst`, which if it is virtual is of class `class` at most
    /// then. The new instruction is `new`; whether it is an IMPLICIT_DEF, or none if the class does not fit.
    pub fn rematerialize(
        &mut self,
        def: InstrId,
        copy: InstrId,
        dst: Register,
        class: Option<RegClassId>,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) -> Option<bool> {
        self.flush();
        let class = class.map_or(u32::MAX, RegClassId::raw);
        let (def, copy, lis) = (self.instrs[def], self.instrs[copy], self.lis());
        // SAFETY: handles; a number of a class.
        let ptr = unsafe { ffi::ptx_coalesce_rematerialize(def, copy, dst.0, class, lis) };
        // SAFETY: not null, so the shim has made it.
        self.replace(new, ptr, operands).then(|| unsafe { ffi::ptx_mi_kind(ptr) } == PTX_KIND_IMPLICIT_DEF)
    }
    /// Inserts `new`, a copy of `src` to `dst` with the debug location of `like`, before an instruction or at the end of
    /// the block. Returns its slot.
    pub fn insert_copy(
        &mut self,
        new: InstrId,
        like: InstrId,
        block: BlockId,
        before: Option<InstrId>,
        (dst, src): (VRegId, VRegId),
        operands: &mut Vec<Operand>,
    ) -> u64 {
        self.flush();
        let before = before.map_or(std::ptr::null_mut(), |b| self.instrs[b]);
        let (block, like) = (self.handles.block(block.index()), self.instrs[like]);
        let [dst, src] = [dst, src].map(|reg| Register::from(reg).0);
        let mut slot = 0;
        // SAFETY: handles; the place for the slot lives through the call.
        let ptr =
            unsafe { ffi::ptx_coalesce_insert_copy(block, before, like, dst, src, self.lis(), &mut slot) };
        assert!(self.replace(new, ptr, operands), "a copy is made");
        slot
    }
    /// Commutes two operands, which may make another instruction; false if the target does not.
    pub fn commute(&mut self, instr: InstrId, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool {
        self.flush();
        // SAFETY: handles; operands that the target has said commute.
        let ptr = unsafe { ffi::ptx_coalesce_commute(self.instrs[instr], a, b, self.lis()) };
        self.replace(instr, ptr, operands)
    }
    /// Folds `load`, which defines `reg`, into its reader, whose place the instruction `new` gets; false if the
    /// target does not.
    pub fn fold_load(
        &mut self,
        reader: InstrId,
        load: InstrId,
        reg: VRegId,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) -> bool {
        self.flush();
        let (reader, load, reg) = (self.instrs[reader], self.instrs[load], Register::from(reg).0);
        // SAFETY: handles; the one defines a register of the function that the other reads.
        let ptr = unsafe { ffi::ptx_coalesce_fold_load(reader, load, reg, self.lis()) };
        self.replace(new, ptr, operands)
    }
}
