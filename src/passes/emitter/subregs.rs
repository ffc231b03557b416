//! Expands the sub-register pseudos and COPY_TO_REGCLASS (requirement E8).

use super::block::{BlockEmitter, Repetition};
use super::host::EmitterHost;
use crate::mir::dag::ids::ClassId;
use crate::mir::dag::new_instr::{reg_flag, NewOperand};
use crate::mir::dag::node::Node;
use crate::mir::dag::operand::Operand;
use crate::mir::Register;
use crate::versions::VERSIONS;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Emits EXTRACT_SUBREG as a COPY of the part. If the target sees through an extension that
    /// made the register, the value before the extension is copied instead.
    pub(super) fn emit_extract_subreg(&mut self, node: &Node) {
        let operands = self.dag.operands_of(node);
        let subreg = self.dag.zext(operands[1]) as u32;
        let class = self.class_for(self.dag.values[node.first_value].ty, node.is_divergent());
        let mut src = match operands[0].as_register() {
            Some(reg) => reg,
            None => self.value_reg(&operands[0]),
        };
        let extended = if src.is_virtual() { self.host.coalescable_ext(src) } else { None };
        let extended = extended.filter(|&(of, part)| part == subreg && self.host.class_of(of) == Some(class));
        let reg = if let Some((of, _)) = extended {
            let reg = self.new_reg(class);
            self.emit_copy(node.handle, reg, of);
            self.host.clear_kills(of);
            reg
        } else {
            if src.is_virtual() {
                let ty = self.dag.type_of(operands[0]);
                src = self.constrain_for_subreg(src, subreg, ty, node.is_divergent(), node.handle);
            }
            let dst = self.dag.copies_of(node).first().map(|copy| copy.reg);
            let dst = dst.unwrap_or_else(|| self.new_reg(class));
            let part = if src.is_virtual() {
                NewOperand::subreg(src, subreg)
            } else {
                NewOperand::reg(self.host.subreg_of(src, subreg), 0)
            };
            let operands = [NewOperand::reg(dst, reg_flag::DEFINE), part];
            self.emit(self.target.opcodes.copy, node.handle, &operands);
            dst
        };
        self.set_value_reg(node.first_value, reg, true);
    }

    /// Emits INSERT_SUBREG or SUBREG_TO_REG. The result is of the largest class of the type that
    /// has the part.
    pub(super) fn emit_insert_subreg(&mut self, node: &Node, repetition: Repetition) {
        let is_insert = node.opcode != self.target.opcodes.subreg_to_reg;
        let has_whole = is_insert || !VERSIONS.subreg_to_reg_begins_with_register;
        let (whole, part) = self.dag.operands_of(node).split_at(usize::from(has_whole));
        let subreg = self.dag.zext(part[1]) as u32;
        let of_type = self.class_for(self.dag.values[node.first_value].ty, node.is_divergent());
        let class =
            self.host.sub_class_with_subreg(of_type, subreg).expect("no class of the type has this part");
        let reused = self.dag.copies_of(node).first().map(|copy| copy.reg);
        let has_part = |old| self.target.classes.has_sub_class_eq(class, old);
        let reused = reused.filter(|&reg| self.host.class_of(reg).is_some_and(has_part));
        let reg = reused.unwrap_or_else(|| self.new_reg(class));

        let desc = self.target.desc(self.host, node.opcode);
        let mi = self.start(desc, node.handle, repetition);
        self.push(NewOperand::reg(reg, reg_flag::DEFINE));
        match whole.first() {
            Some(whole) if is_insert => self.add_operand(&mi, whole, None),
            Some(immediate) => self.push(NewOperand::imm(self.dag.zext(*immediate) as i64)),
            None => {}
        }
        self.add_operand(&mi, &part[0], None);
        self.push(NewOperand::imm(subreg.into()));
        self.emit_built(node.opcode, node.handle);
        self.set_value_reg(node.first_value, reg, true);
    }

    /// Emits COPY_TO_REGCLASS as a COPY whose result is of the class that operand 1 names.
    pub(super) fn emit_copy_to_regclass(&mut self, node: &Node) {
        let operands = self.dag.operands_of(node);
        let allocatable = |b: &Self| {
            let class = b.target.classes.allocatable(ClassId::from_raw(b.dag.zext(operands[1]) as u32));
            class.expect("a class that can be allocated")
        };
        let reg = if VERSIONS.emitter.copy_to_regclass_adds_operand {
            let class = allocatable(self);
            let reg = self.new_reg(class);
            let copy = self.target.opcodes.copy;
            let desc = self.target.desc(self.host, copy);
            let mi = self.start(desc, node.handle, Repetition::Once);
            self.push(NewOperand::reg(reg, reg_flag::DEFINE));
            self.add_operand(&mi, &operands[0], Some(1));
            self.emit_built(copy, node.handle);
            reg
        } else {
            let src = self.value_reg(&operands[0]);
            let class = allocatable(self);
            let reg = self.new_reg(class);
            self.emit_copy(node.handle, reg, src);
            reg
        };
        self.set_value_reg(node.first_value, reg, true);
    }

    /// Emits REG_SEQUENCE: pairs of a value and the part that it becomes. The class has to have all
    /// these parts.
    pub(super) fn emit_reg_sequence(&mut self, node: &Node, repetition: Repetition) {
        let operands = self.dag.operands_of(node);
        let with_chain = operands.last().is_some_and(|op| op.is_chain());
        let operands = &operands[..operands.len() - usize::from(with_chain)];
        let mut class = ClassId::from_raw(self.dag.zext(operands[0]) as u32);
        let allocatable = self.target.classes.allocatable(class).expect("a class that can be allocated");
        let reg = self.new_reg(allocatable);
        let desc = self.target.desc(self.host, node.opcode);
        let mi = self.start(desc, node.handle, repetition);
        self.push(NewOperand::reg(reg, reg_flag::DEFINE));
        for (i, op) in operands.iter().enumerate().skip(1) {
            if i % 2 == 0 {
                self.narrow_for_part(operands[i - 1].as_register(), operands, i, reg, &mut class);
            }
            self.add_operand(&mi, op, Some(i + 1));
        }
        self.emit_built(node.opcode, node.handle);
        self.set_value_reg(node.first_value, reg, true);
    }

    /// Narrows `class` of `reg` so that its part `operands[i]` can hold the value before it. A
    /// physical register is copied later.
    fn narrow_for_part(
        &mut self,
        register: Option<Register>,
        operands: &[Operand],
        i: usize,
        reg: Register,
        class: &mut ClassId,
    ) {
        if register.is_some_and(Register::is_physical) {
            return;
        }
        let subreg = self.dag.zext(operands[i]) as u32;
        let part = self.value_reg(&operands[i - 1]);
        let of_part = self.host.class_of(part);
        let narrowed = of_part.and_then(|part| self.host.matching_super_class(*class, part, subreg));
        if let Some(narrowed) = narrowed.filter(|n| n != class) {
            self.host.set_class(reg, narrowed);
            *class = narrowed;
        }
    }
}
