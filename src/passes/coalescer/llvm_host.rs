//! Answers the coalescer's queries with LLVM, and applies its edits to LLVM's function.

use super::code::Place;
use super::debug_operands::DebugOperand;
use super::host::{CoalescerHost, Edit, Twin};
use super::live_range::RangeRef;
use super::worklists::BlockPriority;
use crate::liveness::ranges::LiveRanges;
use crate::liveness::slot_index::{Slot, SlotIndex};
use crate::llvm::{
    AliasAnalysis, DebugOperandTable, Handles, InstrEditor, InstrTable, LiveIntervals, MachineFunction,
    MachineLoopInfo, Remark, RemarkKind,
};
use crate::mir::{
    BlockId, ClassInfo, FunctionShape, InstrId, InstrKind, Opcode, Operand, RegClassId, Register, VRegId,
};
use crate::nvptx::twins::{changed_operands, untyped_mnemonic};
use index_vec::IndexVec;

/// The pass that remarks on remaining copies name.
const NVPTX_COALESCER: &str = "nvptx-coalescer";

/// LLVM's side of one run.
pub struct LlvmCoalescerHost<'r, 'f> {
    editor: InstrEditor<'r, 'f>,
    handles: Handles<'r, 'f>,
    lis: LiveIntervals<'f>,
    is_nvptx: bool,
    classes: IndexVec<RegClassId, Option<ClassInfo>>,
    reserved: Option<Vec<u32>>,
}

impl<'r, 'f> LlvmCoalescerHost<'r, 'f> {
    /// Begins with a function that has been read.
    pub fn new(
        handles: Handles<'r, 'f>,
        instrs: &'r mut InstrTable,
        debug: &'r DebugOperandTable,
        lis: LiveIntervals<'f>,
        aa: Option<AliasAnalysis<'f>>,
    ) -> Self {
        let editor = InstrEditor::new(handles, instrs, debug, lis, aa);
        let is_nvptx = handles.function().is_nvptx();
        LlvmCoalescerHost { editor, handles, lis, is_nvptx, classes: IndexVec::new(), reserved: None }
    }
    /// Applies the pending edits.
    pub fn flush(&mut self) {
        self.editor.flush();
    }
    fn mf(&self) -> MachineFunction<'f> {
        self.handles.function()
    }
}

/// Reads the operands of debug instructions.
pub fn read_debug_operands(handles: Handles, table: &mut DebugOperandTable, out: &mut Vec<DebugOperand>) {
    table.read(handles);
    out.clear();
    out.extend(table.iter().map(|d| DebugOperand {
        instr: d.instr,
        index: d.index,
        reg: d.reg.into(),
        next_slot: SlotIndex::new(d.entry, Slot::Block),
        is_value: d.is_value,
    }));
}

/// Reads the facts that the order of the blocks depends on. `num_preds`: the number of predecessors
/// of a block.
pub fn read_block_priorities(
    handles: Handles,
    shape: &FunctionShape,
    loops: MachineLoopInfo,
    num_preds: impl Fn(BlockId) -> usize,
    join_split_edges: bool,
    out: &mut Vec<BlockPriority>,
) {
    out.clear();
    out.extend(shape.blocks().map(|block| BlockPriority {
        block,
        depth: handles.loop_depth(loops, block),
        is_split_edge: join_split_edges
            && num_preds(block) == 1
            && shape.succs.row(block).len() == 1
            && only_copies_and_jumps(handles, block),
        num_edges: (shape.succs.row(block).len() + num_preds(block)) as u32,
        number: shape.numbers[block].raw(),
    }));
}

/// Whether a block has nothing but copies and unconditional branches, not even a debug instruction.
fn only_copies_and_jumps(handles: Handles, block: BlockId) -> bool {
    handles
        .all_instrs(block)
        .all(|mi| mi.facts().kind.is_copy_like() || mi.properties().is_unconditional_branch())
}

/// The range of one virtual register, as LLVM takes it.
fn only_range(reg: VRegId, range: RangeRef) -> LiveRanges {
    let mut ranges = LiveRanges::default();
    ranges.push_range(reg, range.values.as_raw_slice(), range.segments);
    ranges
}

impl CoalescerHost for LlvmCoalescerHost<'_, '_> {
    fn class_of(&mut self, reg: VRegId) -> RegClassId {
        RegClassId::from_usize(self.mf().class_id(reg.into()).expect("a register has a class"))
    }
    fn common_sub_class(&mut self, a: RegClassId, b: RegClassId) -> Option<RegClassId> {
        self.mf().common_sub_class(a, b)
    }
    fn class_info(&mut self, class: RegClassId) -> ClassInfo {
        let mf = self.mf();
        if self.classes.len() <= class.index() {
            self.classes.resize(class.index() + 1, None);
        }
        *self.classes[class].get_or_insert_with(|| mf.class_info(class))
    }
    fn should_coalesce(&mut self, copy: InstrId, src: RegClassId, dst: RegClassId, new: RegClassId) -> bool {
        // NVPTX does not override it.
        self.is_nvptx || self.editor.should_coalesce(copy, src, dst, new)
    }
    fn edit(&mut self, edit: Edit) {
        let editor = &mut self.editor;
        match edit {
            Edit::Rename { src, dst } => editor.rename(src, dst.into()),
            Edit::RenameToPhys { src, dst } => editor.rename(src, dst),
            Edit::ClearKills(reg) => editor.clear_kills(reg),
            Edit::Erase(instr) => editor.erase(instr),
            Edit::SetDead(Place { instr, index }, dead) => editor.set_dead(instr, index, dead),
            Edit::SetUndef(Place { instr, index }, undef) => editor.set_undef(instr, index, undef),
            Edit::SetClass(reg, class) => editor.set_class(reg, class),
            Edit::SetKind(instr, kind) => editor.set_kind(instr, kind),
            Edit::RemoveOperand(Place { instr, index }) => editor.remove_operand(instr, index),
            Edit::AppendImplicitDef(instr, reg) => editor.append_implicit_def(instr, reg),
            Edit::AppendOperand(to, Place { instr, index }) => editor.append_operand_of(to, instr, index),
            Edit::DropMemRefs(instr) => editor.drop_mem_refs(instr),
            Edit::CloneReg { of, new } => editor.clone_reg(of, new),
            Edit::Mark(Place { instr, index }, reg) => editor.mark(instr, index, reg),
            Edit::MarkDebug(debug, reg) => editor.mark_debug(debug.index(), reg),
            Edit::MoveMarked(reg) => editor.move_marked(reg),
            Edit::DebugUndef(debug) => editor.set_debug_undef(debug.index()),
            Edit::RemovePhysDef(instr, reg) => editor.remove_phys_def(instr, reg),
            Edit::AddPhysDef(instr, reg) => editor.add_phys_def(instr, reg, true),
            Edit::AddKnownPhysDef(instr, reg) => editor.add_phys_def(instr, reg, false),
            Edit::SetOpcode(instr, opcode) => editor.set_opcode(instr, opcode),
            Edit::SetImm(Place { instr, index }, value) => editor.set_imm(instr, index, value),
        }
    }
    fn opcode(&mut self, instr: InstrId) -> u32 {
        self.editor.opcode(instr)
    }
    fn opcode_name(&mut self, opcode: u32) -> String {
        self.mf().opcode_name(opcode).into_owned()
    }
    fn twin(&mut self, opcode: u32, from: RegClassId, to: RegClassId) -> Option<Twin> {
        let (mf, opcode) = (self.mf(), Opcode::from(opcode));
        let classes =
            |opcode: Opcode| mf.opcode_operands(opcode).iter().map(|o| o.reg_class.get()).collect::<Vec<_>>();
        let untyped = |opcode: Opcode| untyped_mnemonic(&mf.mnemonic(opcode));
        let (text, before) = (untyped(opcode)?, classes(opcode));
        let (from, to) = (Some(from), Some(to));
        mf.opcodes_alike(opcode).find_map(|other| {
            let operands = changed_operands(&before, &classes(other), &from, &to)?;
            (untyped(other).as_ref() == Some(&text)).then_some(Twin { opcode: other.number(), operands })
        })
    }
    fn wants_missed(&mut self) -> bool {
        self.mf().wants_remarks(RemarkKind::Missed, NVPTX_COALESCER)
    }
    fn missed(&mut self, copy: InstrId, name: &str, why: &str) {
        let parts = [
            ("", "Function: ".to_owned()),
            ("Function", self.mf().name().into_owned()),
            ("", ": '".to_owned()),
            ("Copy", self.editor.text(copy)),
            ("", "' is left: ".to_owned()),
            ("Reason", why.to_owned()),
        ];
        let remark = Remark { kind: RemarkKind::Missed, pass: NVPTX_COALESCER, name, parts: &parts };
        self.editor.emit_remark(copy, &remark);
    }
    fn is_cheap(&mut self, instr: InstrId) -> bool {
        self.editor.is_cheap(instr)
    }
    fn is_commutable(&mut self, instr: InstrId) -> bool {
        self.editor.is_commutable(instr)
    }
    fn kind(&mut self, instr: InstrId) -> InstrKind {
        self.editor.kind(instr)
    }
    fn is_rematerializable(&mut self, instr: InstrId) -> bool {
        self.editor.is_rematerializable(instr)
    }
    fn is_safe_to_move(&mut self, instr: InstrId) -> bool {
        self.editor.is_safe_to_move(instr)
    }
    fn is_safe_to_move_past_stores(&mut self, instr: InstrId) -> bool {
        self.editor.is_safe_to_move_past_stores(instr)
    }
    fn num_described_operands(&mut self, instr: InstrId) -> u32 {
        self.editor.num_described_operands(instr)
    }
    fn num_described_defs(&mut self, instr: InstrId) -> u32 {
        self.editor.num_described_defs(instr)
    }
    fn def_class(&mut self, instr: InstrId) -> Option<RegClassId> {
        self.editor.def_class(instr)
    }
    fn has_eh_pad_successor(&mut self, block: BlockId) -> bool {
        self.handles.has_eh_pad_successor(block)
    }
    fn is_special_target(&mut self, block: BlockId) -> bool {
        self.handles.is_special_target(block)
    }
    fn is_terminator(&mut self, instr: InstrId) -> bool {
        self.editor.is_terminator(instr)
    }
    fn rematerialize(
        &mut self,
        def: InstrId,
        copy: InstrId,
        dst: Register,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) {
        self.editor.rematerialize(def, copy, dst, new, operands);
    }
    fn move_debug_values(&mut self, from: VRegId, to: Register, instr: InstrId) {
        self.editor.move_debug_values(from, to, instr);
    }
    fn computes_the_same(&mut self, a: InstrId, b: InstrId) -> bool {
        self.editor.computes_the_same(a, b)
    }
    fn class_contains(&mut self, class: RegClassId, phys: Register) -> bool {
        self.mf().class_contains(class, phys)
    }
    fn is_reserved(&mut self, phys: Register) -> bool {
        self.reserved.get_or_insert_with(|| self.handles.reserved_registers()).contains(&phys.0)
    }
    fn is_constant(&mut self, phys: Register) -> bool {
        self.mf().is_constant_phys_reg(phys)
    }
    fn regs_overlap(&mut self, a: Register, b: Register) -> bool {
        self.mf().regs_overlap(a, b)
    }
    fn units(&mut self, phys: Register) -> Vec<u32> {
        self.mf().units(phys)
    }
    fn unit_roots(&mut self, unit: u32) -> Vec<Register> {
        self.mf().unit_roots(unit)
    }
    fn overlaps_unit(&mut self, reg: VRegId, range: RangeRef, slots: &[u64], unit: u32) -> bool {
        // LLVM may compute the range of the unit.
        self.flush();
        self.lis.overlaps_unit(slots, &only_range(reg, range), unit)
    }
    fn mask_clobbers(&mut self, reg: VRegId, range: RangeRef, slots: &[u64], phys: Register) -> bool {
        self.lis.mask_clobbers(slots, &only_range(reg, range), phys)
    }
    fn insert_copy(
        &mut self,
        new: InstrId,
        like: InstrId,
        block: BlockId,
        before: Option<InstrId>,
        regs: (VRegId, VRegId),
        operands: &mut Vec<Operand>,
    ) -> u64 {
        self.editor.insert_copy(new, like, block, before, regs, operands)
    }
    fn commutes_with(&mut self, instr: InstrId, a: u32) -> Option<u32> {
        self.editor.commutes_with(instr, a)
    }
    fn commute(&mut self, instr: InstrId, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool {
        self.editor.commute(instr, a, b, operands)
    }
    fn tied_operand(&mut self, instr: InstrId, index: u32) -> u32 {
        self.editor.tied_operand(instr, index)
    }
    fn can_fold_as_load(&mut self, instr: InstrId) -> bool {
        // NVPTX has no such loads.
        !self.is_nvptx && self.editor.can_fold_as_load(instr)
    }
    fn fold_load(
        &mut self,
        reader: InstrId,
        read: &[u32],
        load: InstrId,
        new: InstrId,
        operands: &mut Vec<Operand>,
    ) -> bool {
        self.editor.fold_load(reader, read, load, new, operands)
    }
    fn recompute_class(&mut self, reg: VRegId) -> bool {
        self.flush();
        self.mf().recompute_class(reg)
    }
    fn is_ignorable_use(&mut self, instr: InstrId, index: u32) -> bool {
        self.editor.is_ignorable_use(instr, index)
    }
}
