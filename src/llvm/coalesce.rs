//! Edits a function for the register coalescer, which knows instructions by number.
//!
//! Edits wait in a list, so that many cross the boundary in one call. Before we ask LLVM anything
//! that an edit may have changed, the waiting edits are made.

use super::ffi::PtxCoalesceEditKind as EditKind;
use super::ffi::PtxInstrKind;
use super::instr::kind_from_ffi;
use super::read::read_list;
use super::{
    ffi, to_ffi_str, AliasAnalysis, BlockFrequencies, Handles, HostPass, LiveIntervals, MachineBasicBlock,
    MachineFunction, MachineInstr, MachineLoopInfo, Remark,
};
use crate::mir::{BlockId, ClassInfo, InstrId, InstrKind, Operand, RegClassId, Register, VRegId};
use index_vec::IndexVec;

/// At most this many edits wait, except for the marks of one move.
const MAX_WAITING_EDITS: usize = 256;

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
    /// The entry of the first instruction after the debug instruction.
    pub entry: u32,
    /// Whether the debug instruction is a DBG_VALUE or DBG_VALUE_LIST.
    pub is_value: bool,
}

// SAFETY: the pointers are those of the function read last, and are used only while that function
// exists.
unsafe impl Send for DebugOperandTable {}

impl DebugOperandTable {
    /// Reads the operands of a function.
    pub(crate) fn read(&mut self, handles: Handles) {
        self.operands.clear();
        if !handles.has_debug_instrs() {
            return;
        }
        let mf = handles.mf.ptr.as_ptr();
        // SAFETY: handle; the buffer has the capacity that is passed.
        read_list(&mut self.operands, |out, n| unsafe { ffi::ptx_mf_debug_operands(mf, out, n) });
    }
    /// Lists the operands.
    pub(crate) fn iter(&self) -> impl Iterator<Item = DebugOperandFacts> + '_ {
        let (mut instr, mut last) = (0, std::ptr::null_mut());
        self.operands.iter().map(move |d| {
            instr += u32::from(d.instr != last);
            last = d.instr;
            let reg = Register(d.reg).vreg().expect("it names a virtual register");
            DebugOperandFacts { instr, index: d.index, reg, entry: d.entry, is_value: d.is_value }
        })
    }
}

/// # Properties for joining registers
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
    /// Whether debug values refer to PHIs.
    pub fn has_debug_phis(self) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mf_has_debug_phis(self.ptr.as_ptr()) }
    }
    /// Reads the frequency of each block, by its number.
    pub fn block_frequencies(self, frequencies: BlockFrequencies, out: &mut Vec<u64>) {
        out.clear();
        out.resize(self.num_block_ids(), 0);
        let frequencies = BlockFrequencies::to_ptr(Some(frequencies));
        // SAFETY: handles, of one function; there is room for all numbers of blocks.
        unsafe { ffi::ptx_block_frequencies(frequencies, self.ptr.as_ptr(), out.as_mut_ptr()) }
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
    /// Reads the facts of RegisterClassInfo about a class.
    pub fn class_info(self, class: RegClassId) -> ClassInfo {
        let mut info = ClassInfo::default();
        let ClassInfo { num_allocatable, is_proper_sub_class, bits } = &mut info;
        // SAFETY: handle; a number of a class; the places for the answers live through the call.
        unsafe {
            ffi::ptx_class_info(self.ptr.as_ptr(), class.raw(), num_allocatable, bits, is_proper_sub_class)
        }
        info
    }
    /// Whether a class contains a physical register.
    pub fn class_contains(self, class: RegClassId, phys: Register) -> bool {
        // SAFETY: handle; a number of a class and a register of the target.
        unsafe { ffi::ptx_tri_class_contains(self.ptr.as_ptr(), class.raw(), phys.0) }
    }
    /// Lists the roots of a register unit.
    pub fn unit_roots(self, unit: u32) -> Vec<Register> {
        let (mf, mut roots) = (self.ptr.as_ptr(), Vec::new());
        // SAFETY: handle; a unit of the target; the buffer has the capacity that is passed.
        read_list(&mut roots, |out, n| unsafe { ffi::ptx_unit_roots(mf, unit, out, n) });
        roots.into_iter().map(Register).collect()
    }
    /// Whether a physical register always has the same value.
    pub fn is_constant_phys_reg(self, phys: Register) -> bool {
        // SAFETY: handle; a register of the target.
        unsafe { ffi::ptx_mri_is_constant_phys_reg(self.ptr.as_ptr(), phys.0) }
    }
    /// Gives a register the largest class that its operands allow. Returns whether that is a
    /// change.
    pub fn recompute_class(self, reg: VRegId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mri_recompute_class(self.ptr.as_ptr(), Register::from(reg).0) }
    }
}

impl<'f> Handles<'_, 'f> {
    /// How many loops a block is in.
    pub fn loop_depth(self, loops: MachineLoopInfo, block: BlockId) -> u32 {
        // SAFETY: handles.
        unsafe { ffi::ptx_loop_depth(loops.as_ptr(), self.block(block.index())) }
    }
    /// Lists the instructions of a block, including debug instructions. A bundle counts as one.
    pub fn all_instrs(self, block: BlockId) -> impl Iterator<Item = MachineInstr<'f>> {
        // SAFETY: a block of the function.
        let block = unsafe { MachineBasicBlock::from_ptr(self.block(block.index())) };
        std::iter::successors(block.expect("a block that was read").first(), |mi| mi.next())
    }
    /// Whether a successor of a block is a landing pad.
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

/// The instructions of a function by number, including those that an [`InstrEditor`] has made.
#[derive(Default)]
pub struct InstrTable {
    instrs: IndexVec<InstrId, *mut ffi::PtxInstr>,
}

// SAFETY: the pointers are those of the function read last, and are used only while that function
// exists.
unsafe impl Send for InstrTable {}

impl InstrTable {
    /// Starts with the function that was read: an instruction's number is its entry.
    pub(crate) fn read(&mut self, handles: Handles) {
        self.instrs.clear();
        // The end of the function has a number too. Few instructions are added.
        let heads = handles.heads();
        self.instrs.reserve(heads.len() + MAX_WAITING_EDITS);
        self.instrs.extend(heads.iter().copied());
        self.instrs.push(std::ptr::null_mut());
    }
}

/// Edits the instructions of one function by number.
pub struct InstrEditor<'r, 'f> {
    handles: Handles<'r, 'f>,
    lis: LiveIntervals<'f>,
    aa: Option<AliasAnalysis<'f>>,
    instrs: &'r mut IndexVec<InstrId, *mut ffi::PtxInstr>,
    debug: &'r [ffi::PtxDebugOperand],
    waiting: Vec<ffi::PtxCoalesceEdit>,
}

impl<'r, 'f> InstrEditor<'r, 'f> {
    /// Starts with a function and its tables.
    pub(crate) fn new(
        handles: Handles<'r, 'f>,
        instrs: &'r mut InstrTable,
        debug: &'r DebugOperandTable,
        lis: LiveIntervals<'f>,
        aa: Option<AliasAnalysis<'f>>,
    ) -> Self {
        let instrs = &mut instrs.instrs;
        InstrEditor { handles, lis, aa, instrs, debug: &debug.operands, waiting: Vec::new() }
    }

    /// Makes the waiting edits.
    pub(crate) fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let (mf, lis) = (self.handles.mf.ptr.as_ptr(), self.lis());
        // SAFETY: handles. Each edit's instruction is in the function when its turn comes; its
        // operands are below the number of operands; its registers are the function's.
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
    /// Notes that `instr` is now `ptr`, and reads its operands. Returns `false` if `ptr` is null.
    fn replace(&mut self, instr: InstrId, ptr: *mut ffi::PtxInstr, out: &mut Vec<Operand>) -> bool {
        // SAFETY: an instruction of the function, or null.
        let Some(mi) = (unsafe { MachineInstr::from_ptr(ptr) }) else { return false };
        self.set_ptr(instr, ptr);
        mi.read_operands(out);
        true
    }
    fn push(&mut self, instr: *mut ffi::PtxInstr, kind: EditKind::Type, a: u32, b: u32) {
        self.waiting.push(ffi::PtxCoalesceEdit { instr, kind, a, b });
        // The marks of one move stay together.
        if self.waiting.len() >= MAX_WAITING_EDITS && kind != EditKind::PTX_COALESCE_MARK {
            self.flush();
        }
    }
    fn push_instr(&mut self, instr: InstrId, kind: EditKind::Type, a: u32, b: u32) {
        self.push(self.instrs[instr], kind, a, b);
    }
    /// Adds an edit of a register alone.
    fn push_reg(&mut self, reg: VRegId, kind: EditKind::Type, b: u32) {
        self.push(std::ptr::null_mut(), kind, Register::from(reg).0, b);
    }

    /// Turns every operand of `src` into one of `dst`.
    pub(crate) fn rename(&mut self, src: VRegId, dst: Register) {
        self.push_reg(src, EditKind::PTX_COALESCE_RENAME, dst.0);
    }
    /// Clears the kill flags of all uses of a register.
    pub(crate) fn clear_kills(&mut self, reg: VRegId) {
        self.push_reg(reg, EditKind::PTX_COALESCE_CLEAR_KILLS, 0);
    }
    /// Erases an instruction and its slot.
    pub(crate) fn erase(&mut self, instr: InstrId) {
        self.push_instr(instr, EditKind::PTX_COALESCE_ERASE, 0, 0);
    }
    /// Sets or clears the dead flag of a def.
    pub(crate) fn set_dead(&mut self, instr: InstrId, index: u32, is_dead: bool) {
        self.push_instr(instr, EditKind::PTX_COALESCE_SET_DEAD, index, u32::from(is_dead));
    }
    /// Sets or clears the undef flag of a register operand.
    pub(crate) fn set_undef(&mut self, instr: InstrId, index: u32, is_undef: bool) {
        self.push_instr(instr, EditKind::PTX_COALESCE_SET_UNDEF, index, u32::from(is_undef));
    }
    /// Gives a register another class.
    pub(crate) fn set_class(&mut self, reg: VRegId, class: RegClassId) {
        self.push_reg(reg, EditKind::PTX_COALESCE_SET_CLASS, class.raw());
    }
    /// Makes register `new`, which must be the next one, with the class of `of`.
    pub(crate) fn clone_reg(&mut self, of: VRegId, new: VRegId) {
        self.push_reg(of, EditKind::PTX_COALESCE_CLONE_REG, Register::from(new).0);
    }
    /// Marks an operand: the next [`InstrEditor::move_marked`] turns it into an operand of `reg`.
    pub(crate) fn mark(&mut self, instr: InstrId, index: u32, reg: VRegId) {
        self.push_instr(instr, EditKind::PTX_COALESCE_MARK, index, Register::from(reg).0);
    }
    /// Marks operand number `operand` of the debug-operand table in the same way.
    pub(crate) fn mark_debug(&mut self, operand: usize, reg: VRegId) {
        let d = &self.debug[operand];
        self.push(d.instr, EditKind::PTX_COALESCE_MARK, d.index, Register::from(reg).0);
    }
    /// Moves the marked operands, all of `from`, in the order of that register's use-def chain.
    pub(crate) fn move_marked(&mut self, from: VRegId) {
        self.push_reg(from, EditKind::PTX_COALESCE_MOVE_MARKED, 0);
    }
    /// Makes the debug instruction of operand number `operand` say that the value is undefined.
    pub(crate) fn set_debug_undef(&mut self, operand: usize) {
        self.push(self.debug[operand].instr, EditKind::PTX_COALESCE_DEBUG_UNDEF, 0, 0);
    }
    /// Removes an instruction's def of a physical register from LLVM's live ranges.
    pub(crate) fn remove_phys_def(&mut self, instr: InstrId, reg: Register) {
        self.push_instr(instr, EditKind::PTX_COALESCE_REMOVE_PHYS_DEF, reg.0, 0);
    }
    /// Adds a dead def of a physical register by an instruction to LLVM's live ranges of register
    /// units. Ranges that LLVM has not computed yet are computed or left alone.
    pub(crate) fn add_phys_def(&mut self, instr: InstrId, reg: Register, computes_ranges: bool) {
        self.push_instr(instr, EditKind::PTX_COALESCE_ADD_PHYS_DEF, reg.0, u32::from(computes_ranges));
    }
    /// Makes an instruction a COPY, an IMPLICIT_DEF or a KILL; the operands must suit it.
    ///
    /// # Panics
    /// For any other kind.
    pub(crate) fn set_kind(&mut self, instr: InstrId, kind: InstrKind) {
        let kind = match kind {
            InstrKind::Copy => PtxInstrKind::PTX_KIND_COPY,
            InstrKind::ImplicitDef => PtxInstrKind::PTX_KIND_IMPLICIT_DEF,
            InstrKind::Kill => PtxInstrKind::PTX_KIND_KILL,
            _ => panic!("no instruction is made a {kind:?}"),
        };
        self.push_instr(instr, EditKind::PTX_COALESCE_SET_KIND, u32::from(kind), 0);
    }
    /// Removes an operand; later operands move up.
    pub(crate) fn remove_operand(&mut self, instr: InstrId, index: u32) {
        self.push_instr(instr, EditKind::PTX_COALESCE_REMOVE_OPERAND, index, 0);
    }
    /// Removes an instruction's memory operands.
    pub(crate) fn drop_mem_refs(&mut self, instr: InstrId) {
        self.push_instr(instr, EditKind::PTX_COALESCE_DROP_MEM_REFS, 0, 0);
    }
    /// Gives an instruction another opcode with the same number of operands.
    pub(crate) fn set_opcode(&mut self, instr: InstrId, opcode: u32) {
        self.push_instr(instr, EditKind::PTX_COALESCE_SET_OPCODE, opcode, 0);
    }
    /// Gives an immediate operand another value.
    pub(crate) fn set_imm(&mut self, instr: InstrId, index: u32, value: u32) {
        self.push_instr(instr, EditKind::PTX_COALESCE_SET_IMM, index, value);
    }

    /// Asks the target whether the registers of `copy`, which have these classes, may become one of
    /// class `new`.
    pub(crate) fn should_coalesce(
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
    pub(crate) fn opcode(&self, instr: InstrId) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_opcode(self.instrs[instr]) }
    }
    /// Prints an instruction.
    pub(crate) fn text(&mut self, instr: InstrId) -> String {
        self.flush();
        // SAFETY: an instruction of the function.
        let mi = unsafe { MachineInstr::from_ptr(self.instrs[instr]) }.expect("never null");
        mi.text().trim().to_owned()
    }
    /// Emits a remark on an instruction.
    pub(crate) fn emit_remark(&mut self, instr: InstrId, remark: &Remark) {
        self.flush();
        let ptr = self.instrs[instr];
        // SAFETY: handles, of one function.
        unsafe { remark.emit(ffi::ptx_mi_block(ptr), ptr) }
    }
    /// `isAsCheapAsAMove`
    pub(crate) fn is_cheap(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_as_cheap_as_a_move(self.instrs[instr]) }
    }
    /// `isCommutable`
    pub(crate) fn is_commutable(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_commutable(self.instrs[instr]) }
    }
    /// Reads an instruction's kind.
    pub(crate) fn kind(&mut self, instr: InstrId) -> InstrKind {
        self.flush();
        // SAFETY: handle.
        kind_from_ffi(unsafe { ffi::ptx_mi_kind(self.instrs[instr]) })
    }
    /// `isReMaterializable`; up to LLVM 21 `isTriviallyReMaterializable`.
    pub(crate) fn is_rematerializable(&mut self, instr: InstrId) -> bool {
        self.flush();
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_is_rematerializable(self.instrs[instr]) }
    }
    /// `isSafeToMove`, with no store in between.
    pub(crate) fn is_safe_to_move(&mut self, instr: InstrId) -> bool {
        self.flush();
        // SAFETY: handles.
        unsafe {
            ffi::ptx_mi_is_safe_to_move_without_store(self.instrs[instr], AliasAnalysis::to_ptr(self.aa))
        }
    }
    /// `isSafeToMove`, with stores in between.
    pub(crate) fn is_safe_to_move_past_stores(&mut self, instr: InstrId) -> bool {
        self.flush();
        // SAFETY: handles.
        unsafe { ffi::ptx_mi_is_safe_to_move(self.instrs[instr], AliasAnalysis::to_ptr(self.aa)) }
    }
    /// How many operands the opcode's description has.
    pub(crate) fn num_described_operands(&self, instr: InstrId) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_num_explicit_operands_of_desc(self.instrs[instr]) }
    }
    /// How many defs the opcode's description has.
    pub(crate) fn num_described_defs(&self, instr: InstrId) -> u32 {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_num_defs_of_desc(self.instrs[instr]) }
    }
    /// The class that the opcode's description requires for operand 0.
    pub(crate) fn def_class(&self, instr: InstrId) -> Option<RegClassId> {
        // SAFETY: handle.
        let class = unsafe { ffi::ptx_mi_def_class(self.instrs[instr]) };
        (class != u32::MAX).then(|| RegClassId::from_raw(class))
    }
    /// Whether an instruction is a terminator.
    pub(crate) fn is_terminator(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_properties(self.instrs[instr]) & ffi::PTX_PROP_TERMINATOR != 0 }
    }
    /// Whether two instructions differ only in the virtual registers that they define.
    pub(crate) fn computes_the_same(&mut self, a: InstrId, b: InstrId) -> bool {
        self.flush();
        // SAFETY: handles.
        unsafe { ffi::ptx_mi_computes_the_same(self.instrs[a], self.instrs[b]) }
    }
    /// `isIgnorableUse`
    pub(crate) fn is_ignorable_use(&self, instr: InstrId, index: u32) -> bool {
        // SAFETY: handle; an operand of it.
        unsafe { ffi::ptx_mi_is_ignorable_use(self.instrs[instr], index) }
    }
    /// Finds the def operand that a use is tied to, or the use that a def is tied to.
    pub(crate) fn tied_operand(&self, instr: InstrId, index: u32) -> u32 {
        // SAFETY: handle; the operand is tied.
        unsafe { ffi::ptx_mi_tied_def(self.instrs[instr], index) }
    }
    /// `canFoldAsLoad`
    pub(crate) fn can_fold_as_load(&self, instr: InstrId) -> bool {
        // SAFETY: handle.
        unsafe { ffi::ptx_mi_can_fold_as_load(self.instrs[instr]) }
    }
    /// Finds an operand that commutes with operand `a`.
    pub(crate) fn commutes_with(&mut self, instr: InstrId, a: u32) -> Option<u32> {
        self.flush();
        let mut b = 0;
        // SAFETY: handle; the place for the index lives through the call.
        let found = unsafe { ffi::ptx_mi_commutes_with_any(self.instrs[instr], a, &mut b) };
        found.then_some(b)
    }

    /// Moves the debug values of `from`, which nothing else reads, to `to`, after `instr`.
    pub(crate) fn move_debug_values(&mut self, from: VRegId, to: Register, instr: InstrId) {
        self.flush();
        let (mf, from) = (self.handles.mf.ptr.as_ptr(), Register::from(from).0);
        // SAFETY: handles.
        unsafe { ffi::ptx_coalesce_move_debug_values(mf, from, to.0, self.instrs[instr]) }
    }
    /// Computes `def` again after `copy`, into `dst`. The new instruction is `new`. It takes over
    /// the copy's slot, so that the copy has none, and its debug location.
    pub(crate) fn rematerialize(
        &mut self,
        def: InstrId,
        copy: InstrId,
        dst: Register,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) {
        self.flush();
        let (def, copy, lis) = (self.instrs[def], self.instrs[copy], self.lis());
        // SAFETY: handles, of one function; the new instruction is in the block.
        let ptr = unsafe {
            let new = ffi::ptx_mi_rematerialize_after(copy, def, dst.0);
            ffi::ptx_lis_replace_instr(lis, copy, new);
            ffi::ptx_mi_set_debug_loc_like(new, copy);
            new
        };
        assert!(self.replace(new, ptr, operands), "the target makes an instruction");
    }
    /// Appends an implicit def of a register to an instruction.
    pub(crate) fn append_implicit_def(&mut self, instr: InstrId, reg: Register) {
        self.flush();
        // SAFETY: handle; a register of the target or the function.
        unsafe { ffi::ptx_mi_add_implicit(self.instrs[instr], reg.0, true, false) }
    }
    /// Appends a copy of an implicit operand of `from` to an instruction.
    pub(crate) fn append_operand_of(&mut self, instr: InstrId, from: InstrId, index: u32) {
        self.flush();
        // SAFETY: handles; an operand of `from`.
        unsafe { ffi::ptx_mi_append_operand_of(self.instrs[instr], self.instrs[from], index) }
    }
    /// Inserts `new`, a copy of `src` to `dst` with the debug location of `like`, before an
    /// instruction or at the end of the block. Returns its slot.
    pub(crate) fn insert_copy(
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
    /// Commutes two operands, which may make another instruction. Returns `false` if the target
    /// declines.
    pub(crate) fn commute(&mut self, instr: InstrId, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool {
        self.flush();
        let (old, lis) = (self.instrs[instr], self.lis());
        // SAFETY: handles; operands that the target has said commute; a new instruction is in no
        // block.
        let new = unsafe {
            let new = ffi::ptx_mi_commuted(old, a, b);
            if !new.is_null() && new != old {
                ffi::ptx_lis_replace_instr(lis, old, new);
                ffi::ptx_mbb_insert_before(ffi::ptx_mi_block(old), old, new);
                ffi::ptx_mi_free(old);
            }
            new
        };
        self.replace(instr, new, operands)
    }
    /// Folds `load` into its reader, where these operands read the loaded value. The instruction
    /// `new` takes the reader's place. Returns `false` if the target declines.
    pub(crate) fn fold_load(
        &mut self,
        reader: InstrId,
        read: &[u32],
        load: InstrId,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) -> bool {
        self.flush();
        let (reader, load, lis) = (self.instrs[reader], self.instrs[load], self.lis());
        // SAFETY: handles; operands of the reader; a new instruction is in the block.
        let ptr = unsafe {
            let new = ffi::ptx_mi_fold_load(reader, read.as_ptr(), read.len(), load, lis);
            if !new.is_null() {
                ffi::ptx_lis_replace_instr(lis, reader, new);
                ffi::ptx_mi_move_call_info(reader, new);
                ffi::ptx_mi_free(reader);
            }
            new
        };
        self.replace(new, ptr, operands)
    }
}
