//! Binds the emitter to LLVM's emission of a block. All calls go through the handle.

use super::dead_copies::{SelectedFunction, UnreadDef};
use super::host::EmitterHost;
use crate::adt::PackedOption;
use crate::llvm::{BlockEmission, MachineFunction, MachineInstr};
use crate::mir::dag::debug::{DbgConstant, Expression, NewDbg};
use crate::mir::dag::description::{ClassFacts, DescFacts, DescOperand, TargetOpcodes};
use crate::mir::dag::ids::{ClassId, DbgValueId, IrBlockId, NodeHandle, NodeId};
use crate::mir::dag::ir::Ir;
use crate::mir::dag::new_instr::NewInstr;
use crate::mir::{Operand, Register};
use std::borrow::Cow;

// Each call resolves to the inherent method of the same name, which takes precedence over the
// trait's.
impl<'f> EmitterHost for BlockEmission<'f> {
    type Instr = MachineInstr<'f>;

    fn opcodes(&self) -> TargetOpcodes {
        self.opcodes()
    }
    fn num_classes(&self) -> u32 {
        self.num_classes()
    }
    fn class(&self, id: ClassId) -> ClassFacts<'_> {
        self.class(id)
    }
    fn class_for_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        self.class_for_type(ty, divergent)
    }
    fn class_for_any_type(&self, ty: u16, divergent: bool) -> Option<ClassId> {
        self.class_for_any_type(ty, divergent)
    }
    fn minimal_phys_class(&self, reg: Register, ty: u16) -> ClassId {
        self.minimal_phys_class(reg, ty)
    }
    fn sub_class_with_subreg(&self, class: ClassId, subreg: u32) -> Option<ClassId> {
        self.sub_class_with_subreg(class, subreg)
    }
    fn matching_super_class(&self, class: ClassId, sub: ClassId, subreg: u32) -> Option<ClassId> {
        self.matching_super_class(class, sub, subreg)
    }
    fn subreg_of(&self, reg: Register, subreg: u32) -> Register {
        self.subreg_of(reg, subreg)
    }
    fn is_subreg(&self, reg: Register, sub: Register) -> bool {
        self.is_subreg(reg, sub)
    }
    fn regs_overlap(&self, a: Register, b: Register) -> bool {
        self.regs_overlap(a, b)
    }
    fn rounding_regs(&self) -> Vec<Register> {
        self.rounding_regs()
    }
    fn desc(&self, opcode: u32, operands: &mut Vec<DescOperand>) -> DescFacts<'_> {
        self.desc(opcode, operands)
    }
    fn call_frame_opcodes(&self) -> [u32; 2] {
        self.call_frame_opcodes()
    }
    fn opcode_name(&self, opcode: u32) -> Cow<'_, str> {
        self.opcode_name(opcode)
    }
    fn users(&self, node: NodeHandle, out: &mut Vec<PackedOption<NodeId>>) {
        self.users(node, out)
    }
    fn ir(&self) -> Ir<'_> {
        self.ir()
    }
    fn ir_block(&self) -> Option<IrBlockId> {
        self.ir_block()
    }
    fn num_virt_regs(&self) -> usize {
        self.num_virt_regs()
    }
    fn class_of(&self, reg: Register) -> Option<ClassId> {
        self.class_of(reg)
    }
    fn coalescable_ext(&self, reg: Register) -> Option<(Register, u32)> {
        self.coalescable_ext(reg)
    }
    fn new_reg(&self, class: Option<ClassId>) -> Register {
        self.new_reg(class)
    }
    fn set_class(&self, reg: Register, class: ClassId) {
        self.set_class(reg, class)
    }
    fn clear_kills(&self, reg: Register) {
        self.clear_kills(reg)
    }
    fn emit(&self, instr: &NewInstr) -> MachineInstr<'f> {
        self.emit(instr)
    }
    fn emit_noop(&self) {
        self.emit_noop()
    }
    fn set_dead_except(&self, mi: MachineInstr<'f>, used: &[Register]) {
        self.set_dead_except(mi, used)
    }
    fn add_implicit_use(&self, mi: MachineInstr<'f>, reg: Register) {
        self.add_implicit_use(mi, reg)
    }
    fn post_isel_hook(
        &self,
        mi: MachineInstr<'f>,
        first: MachineInstr<'f>,
        node: NodeHandle,
    ) -> MachineInstr<'f> {
        self.post_isel_hook(mi, first, node)
    }
    fn is_call_site(&self, mi: MachineInstr<'f>) -> bool {
        self.is_call_site(mi)
    }
    fn add_call_site_info(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        self.add_call_site_info(mi, node)
    }
    fn add_called_global(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        self.add_called_global(mi, node)
    }
    fn set_no_merge(&self, mi: MachineInstr<'f>) {
        self.set_no_merge(mi)
    }
    fn set_pc_sections(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        self.set_pc_sections(mi, node)
    }
    fn set_mmra(&self, first: MachineInstr<'f>, node: NodeHandle) {
        self.set_mmra(first, node)
    }
    fn is_call(&self, mi: MachineInstr<'f>) -> bool {
        self.is_call(mi)
    }
    fn set_heap_alloc(&self, mi: MachineInstr<'f>, node: NodeHandle) {
        self.set_heap_alloc(mi, node)
    }
    fn dbg_constant(&self, constant: u64) -> DbgConstant {
        self.dbg_constant(constant)
    }
    fn dbg_fold_constant(&self, value: DbgValueId) -> (DbgConstant, Expression) {
        self.dbg_fold_constant(value)
    }
    fn only_def(&self, reg: Register) -> Option<(MachineInstr<'f>, u32)> {
        self.only_def(reg)
    }
    fn is_copy(&self, mi: MachineInstr<'f>) -> bool {
        self.is_copy(mi)
    }
    fn debug_number(&self, mi: MachineInstr<'f>) -> u32 {
        self.debug_number(mi)
    }
    fn build_dbg(&self, dbg: &NewDbg) -> MachineInstr<'f> {
        self.build_dbg(dbg)
    }
    fn build_dbg_label(&self, label: usize) -> MachineInstr<'f> {
        self.build_dbg_label(label)
    }
    fn insert_before(&self, mi: MachineInstr<'f>, before: MachineInstr<'f>) {
        self.place_before(mi, before)
    }
    fn insert(&self, mi: MachineInstr<'f>) {
        self.insert(mi)
    }
    fn append(&self, mi: MachineInstr<'f>) {
        self.append(mi)
    }
    fn first_non_phi(&self) -> Option<MachineInstr<'f>> {
        self.first_non_phi()
    }
    fn first_terminator(&self) -> Option<MachineInstr<'f>> {
        self.first_terminator()
    }
    fn insert_point(&self) -> Option<MachineInstr<'f>> {
        self.insert_point()
    }
    fn next(&self, mi: MachineInstr<'f>) -> Option<MachineInstr<'f>> {
        self.next(mi)
    }
    fn is_debug_value(&self, mi: MachineInstr<'f>) -> bool {
        self.is_debug_value(mi)
    }
    fn drop_location(&self, mi: MachineInstr<'f>, before: MachineInstr<'f>) {
        self.drop_location(mi, before)
    }
}

impl<'f> SelectedFunction for MachineFunction<'f> {
    type Instr = MachineInstr<'f>;

    fn unread(&self) -> Vec<Register> {
        self.unread_registers()
    }
    fn is_read(&self, reg: Register) -> bool {
        self.reg_operands(reg).any(|o| !o.operand.is_def())
    }
    fn def(&self, reg: Register) -> Option<UnreadDef<MachineInstr<'f>>> {
        let def = self.selected_def(reg)?;
        Some(UnreadDef {
            instr: def.instr,
            kind: def.kind,
            is_pure: def.is_safe_to_move,
            is_convergent: def.is_convergent,
            is_numbered: def.has_debug_number,
            is_parameter: def.reads_symbol_in_first_block,
        })
    }
    fn operands(&self, mi: MachineInstr<'f>, out: &mut Vec<Operand>) {
        mi.read_operands(out);
    }
    fn erase(&self, mi: MachineInstr<'f>) {
        mi.free();
    }
}
