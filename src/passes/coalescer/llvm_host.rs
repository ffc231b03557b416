//! Answers the coalescer's questions with LLVM, and makes its edits to LLVM's function.

use super::code::{DebugOperand, Place};
use super::copies::BlockPriority;
use super::host::{ClassInfo, CoalescerHost, Edit, Properties, Twin};
use super::live_range::RangeRef;
use crate::liveness::ranges::LiveRanges;
use crate::llvm::{
    AliasAnalysis, DebugOperandTable, Handles, InstrEditor, LiveIntervals, MachineFunction, MachineLoopInfo,
    Remark, RemarkKind,
};
use crate::mir::{BlockId, FunctionShape, InstrFlags, InstrId, Operand, RegClassId, Register, VRegId};

/// The pass whose remarks those on copies that are left are.
const NVPTX_COALESCER: &str = "nvptx-coalescer";

/// LLVM's side of one run.
pub struct LlvmCoalescerHost<'r, 'f> {
    editor: InstrEditor<'r, 'f>,
    handles: Handles<'r, 'f>,
    lis: LiveIntervals<'f>,
    is_nvptx: bool,
    classes: Vec<Option<ClassInfo>>,
    reserved: Option<Vec<u32>>,
}

impl<'r, 'f> LlvmCoalescerHost<'r, 'f> {
    /// Begins with the function that was read.
    pub fn new(
        handles: Handles<'r, 'f>,
        debug: &'r DebugOperandTable,
        lis: LiveIntervals<'f>,
        aa: Option<AliasAnalysis<'f>>,
    ) -> Self {
        let editor = InstrEditor::new(handles, debug, lis, aa);
        let is_nvptx = handles.function().is_nvptx();
        LlvmCoalescerHost { editor, handles, lis, is_nvptx, classes: Vec::new(), reserved: None }
    }
    /// Makes the edits that are waiting.
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
        reg: d.reg.raw(),
        entry: d.entry,
        is_value: d.is_value,
    }));
}

/// Reads what the order of the blocks depends on. `num_preds`: how many predecessors a block has.
pub fn read_block_priorities(
    handles: Handles,
    shape: &FunctionShape,
    loops: MachineLoopInfo,
    num_preds: impl Fn(usize) -> usize,
    join_split_edges: bool,
    out: &mut Vec<BlockPriority>,
) {
    out.clear();
    out.extend((0..shape.num_blocks()).map(|index| {
        let block = BlockId::new(index);
        BlockPriority {
            block: block.raw(),
            depth: handles.loop_depth(loops, block),
            is_split_edge: join_split_edges && handles.is_split_edge(block),
            num_edges: (shape.succs.row(block).len() + num_preds(index)) as u32,
            number: shape.numbers[index],
        }
    }));
}

fn instr_id(instr: u32) -> InstrId {
    InstrId::from_raw(instr)
}
fn vreg(reg: u32) -> VRegId {
    VRegId::from_raw(reg)
}
fn class_id(class: u32) -> RegClassId {
    RegClassId::from_raw(class)
}

impl CoalescerHost for LlvmCoalescerHost<'_, '_> {
    fn class_of(&mut self, reg: u32) -> u32 {
        self.mf().class_id(Register::virt(reg)).expect("a register has a class") as u32
    }
    fn common_sub_class(&mut self, a: u32, b: u32) -> Option<u32> {
        self.mf().common_sub_class(class_id(a), class_id(b)).map(RegClassId::raw)
    }
    fn class_info(&mut self, class: u32) -> ClassInfo {
        let mf = self.mf();
        if self.classes.len() <= class as usize {
            self.classes.resize(class as usize + 1, None);
        }
        *self.classes[class as usize].get_or_insert_with(|| {
            let info = mf.class_info(class_id(class));
            ClassInfo {
                num_allocatable: info.num_allocatable,
                is_proper_sub_class: info.is_proper_sub_class,
                bits: info.bits,
            }
        })
    }
    fn should_coalesce(&mut self, copy: u32, src: u32, dst: u32, new: u32) -> bool {
        // NVPTX does not override it.
        self.is_nvptx
            || self.editor.should_coalesce(instr_id(copy), class_id(src), class_id(dst), class_id(new))
    }
    fn edit(&mut self, edit: Edit) {
        let editor = &mut self.editor;
        match edit {
            Edit::Rename { src, dst } => editor.rename(vreg(src), Register::virt(dst)),
            Edit::RenameToPhys { src, dst } => editor.rename(vreg(src), dst),
            Edit::Erase(instr) => editor.erase(instr_id(instr)),
            Edit::SetDead(Place { instr, index }, dead) => editor.set_dead(instr_id(instr), index, dead),
            Edit::SetUndef(Place { instr, index }) => editor.set_undef(instr_id(instr), index),
            Edit::SetClass(reg, class) => editor.set_class(vreg(reg), class_id(class)),
            Edit::ToImplicitDef(instr) => editor.make_implicit_def(instr_id(instr)),
            Edit::CloneReg { of, new } => editor.clone_reg(vreg(of), vreg(new)),
            Edit::Mark(Place { instr, index }, reg) => editor.mark(instr_id(instr), index, vreg(reg)),
            Edit::MarkDebug(debug, reg) => editor.mark_debug(debug as usize, vreg(reg)),
            Edit::MoveMarked(reg) => editor.move_marked(vreg(reg)),
            Edit::DebugUndef(debug) => editor.set_debug_undef(debug as usize),
            Edit::RemovePhysDef(instr, reg) => editor.remove_phys_def(instr_id(instr), reg),
            Edit::AddPhysDef(instr, reg) => editor.add_phys_def(instr_id(instr), reg),
            Edit::ToKill(instr) => editor.make_kill(instr_id(instr)),
            Edit::ToCopy(instr) => editor.make_copy(instr_id(instr)),
            Edit::SetOpcode(instr, opcode) => editor.set_opcode(instr_id(instr), opcode),
            Edit::SetImm(Place { instr, index }, value) => editor.set_imm(instr_id(instr), index, value),
        }
    }
    fn opcode(&mut self, instr: u32) -> u32 {
        self.editor.opcode(instr_id(instr))
    }
    fn opcode_name(&mut self, opcode: u32) -> String {
        self.mf().opcode_name(opcode).into_owned()
    }
    fn twin(&mut self, opcode: u32, from: u32, to: u32) -> Option<Twin> {
        let twin = self.mf().twin_opcode(opcode, class_id(from), class_id(to));
        twin.map(|(opcode, operands)| Twin { opcode, operands })
    }
    fn wants_missed(&mut self) -> bool {
        self.mf().wants_remarks(RemarkKind::Missed, NVPTX_COALESCER)
    }
    fn missed(&mut self, copy: u32, name: &str, why: &str) {
        let parts = [
            ("", "Function: ".to_owned()),
            ("Function", self.mf().name().into_owned()),
            ("", ": '".to_owned()),
            ("Copy", self.editor.text(instr_id(copy))),
            ("", "' is left: ".to_owned()),
            ("Reason", why.to_owned()),
        ];
        let remark = Remark { kind: RemarkKind::Missed, pass: NVPTX_COALESCER, name, parts: &parts };
        self.editor.emit_remark(instr_id(copy), &remark);
    }
    fn is_cheap(&mut self, instr: u32) -> bool {
        self.editor.is_cheap(instr_id(instr))
    }
    fn is_commutable(&mut self, instr: u32) -> bool {
        self.editor.is_commutable(instr_id(instr))
    }
    fn properties(&mut self, instr: u32) -> Properties {
        let p = self.editor.properties(instr_id(instr));
        Properties {
            is_rematerializable: p.is_rematerializable,
            is_safe_to_move: p.is_safe_to_move,
            has_one_def: p.has_one_def,
            is_safe_to_move_past_stores: p.is_safe_to_move_past_stores,
            is_inline_asm: p.is_inline_asm,
        }
    }
    fn has_eh_pad_successor(&mut self, block: u32) -> bool {
        self.handles.has_eh_pad_successor(BlockId::from_raw(block))
    }
    fn is_special_target(&mut self, block: u32) -> bool {
        self.handles.is_special_target(BlockId::from_raw(block))
    }
    fn is_terminator(&mut self, instr: u32) -> bool {
        self.editor.is_terminator(instr_id(instr))
    }
    fn rematerialize(
        &mut self,
        def: u32,
        copy: u32,
        dst: Register,
        class: Option<u32>,
        new: u32,
        operands: &mut Vec<Operand>,
    ) -> Option<InstrFlags> {
        let [def, copy, new] = [def, copy, new].map(instr_id);
        let is_implicit_def =
            self.editor.rematerialize(def, copy, dst, class.map(class_id), new, operands)?;
        Some(if is_implicit_def { InstrFlags::IMPLICIT_DEF } else { InstrFlags::NONE })
    }
    fn move_debug_values(&mut self, from: u32, to: Register, instr: u32) {
        self.editor.move_debug_values(vreg(from), to, instr_id(instr));
    }
    fn computes_the_same(&mut self, a: u32, b: u32) -> bool {
        self.editor.computes_the_same(instr_id(a), instr_id(b))
    }
    fn class_contains(&mut self, reg: u32, phys: Register) -> bool {
        self.flush();
        self.mf().class_contains(vreg(reg), phys)
    }
    fn can_define(&mut self, instr: u32, phys: Register) -> bool {
        self.editor.can_define(instr_id(instr), phys)
    }
    fn is_reserved(&mut self, phys: Register) -> bool {
        self.reserved.get_or_insert_with(|| self.handles.reserved_registers()).contains(&phys.0)
    }
    fn is_constant(&mut self, phys: Register) -> bool {
        self.mf().is_constant_phys_reg(phys)
    }
    fn reserved_interferes(&mut self, reg: u32, range: RangeRef, slots: &[u64], phys: Register) -> bool {
        self.flush();
        let mut ranges = LiveRanges::default();
        ranges.push_range(reg, range.values, range.segments);
        self.lis.reserved_interferes(slots, &ranges, phys)
    }
    fn is_read_between(&mut self, def: u32, copy: u32, phys: Register) -> bool {
        self.editor.is_read_between(instr_id(def), instr_id(copy), phys)
    }
    fn insert_copy(
        &mut self,
        new: u32,
        like: u32,
        block: u32,
        before: Option<u32>,
        (dst, src): (u32, u32),
        operands: &mut Vec<Operand>,
    ) -> u64 {
        let (block, before) = (BlockId::from_raw(block), before.map(instr_id));
        self.editor.insert_copy(
            instr_id(new),
            instr_id(like),
            block,
            before,
            (vreg(dst), vreg(src)),
            operands,
        )
    }
    fn commutes_with(&mut self, instr: u32, a: u32) -> Option<u32> {
        self.editor.commutes_with(instr_id(instr), a)
    }
    fn commute(&mut self, instr: u32, a: u32, b: u32, operands: &mut Vec<Operand>) -> bool {
        self.editor.commute(instr_id(instr), a, b, operands)
    }
    fn tied_operand(&mut self, instr: u32, index: u32) -> u32 {
        self.editor.tied_operand(instr_id(instr), index)
    }
    fn can_fold_as_load(&mut self, instr: u32) -> bool {
        // NVPTX has no such loads.
        !self.is_nvptx && self.editor.can_fold_as_load(instr_id(instr))
    }
    fn fold_load(&mut self, reader: u32, load: u32, reg: u32, new: u32, operands: &mut Vec<Operand>) -> bool {
        self.editor.fold_load(instr_id(reader), instr_id(load), vreg(reg), instr_id(new), operands)
    }
    fn recompute_class(&mut self, reg: u32) -> bool {
        self.flush();
        self.mf().recompute_class(vreg(reg))
    }
    fn is_ignorable_use(&mut self, instr: u32, index: u32) -> bool {
        self.editor.is_ignorable_use(instr_id(instr), index)
    }
}
