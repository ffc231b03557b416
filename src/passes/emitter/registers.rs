//! Makes and finds the registers of results (requirements E4 and E5).

use super::block::{BlockEmitter, EmittedValue, Repetition};
use super::host::EmitterHost;
use super::target::Desc;
use crate::mir::dag::ids::{ClassId, ValueId};
use crate::mir::dag::new_instr::{reg_flag, NewOperand};
use crate::mir::dag::node::{isd, Node};
use crate::mir::dag::operand::Operand;
use crate::mir::Register;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// The register of an operand's value. Each use of an undefined value gets a register and an
    /// IMPLICIT_DEF of its own.
    pub(super) fn value_reg(&mut self, op: &Operand) -> Register {
        self.value_of(op).reg
    }
    /// The register of an operand's value, and how it may be read.
    #[inline]
    pub(super) fn value_of(&mut self, op: &Operand) -> EmittedValue {
        let value = op.as_value().expect("an operand without a value is used as a register");
        if self.is_undefined(value) {
            return self.undefined_value(value);
        }
        self.buffers.values[value]
    }
    /// Whether a result that is used is undefined: its node is an IMPLICIT_DEF.
    #[inline]
    pub(super) fn is_undefined(&self, value: ValueId) -> bool {
        !self.buffers.values[value].reg.is_valid() && self.is_of_implicit_def(value)
    }
    #[cold]
    fn is_of_implicit_def(&self, value: ValueId) -> bool {
        let node = &self.dag.nodes[self.dag.node_of(value)];
        assert!(
            node.is_opcode(self.target.opcodes.implicit_def),
            "result {value:?} is used before its node is emitted"
        );
        true
    }
    #[cold]
    fn undefined_value(&mut self, value: ValueId) -> EmittedValue {
        let (node, facts) = (&self.dag.nodes[self.dag.node_of(value)], self.dag.values[value]);
        let class = self.class_for(facts.ty, node.is_divergent());
        let reg = self.new_reg(class);
        let def = [NewOperand::reg(reg, reg_flag::DEFINE)];
        self.emit(self.target.opcodes.implicit_def, node.handle, &def);
        EmittedValue { reg, dies_at_use: facts.has_one_use(), is_undefined: true }
    }

    /// Notes that result `value` is in `reg`; see [`EmittedValue::dies_at_use`] for `may_die`.
    pub(super) fn set_value_reg(&mut self, value: ValueId, reg: Register, may_die: bool) {
        let dies_at_use = may_die && self.dag.values[value].has_one_use();
        self.buffers.values[value] = EmittedValue { reg, dies_at_use, is_undefined: false };
    }

    /// Makes the registers that `node` defines and appends them to the operands (requirement E5).
    ///
    /// The class is the instruction's, narrowed to that of the type. A result that a CopyToReg puts
    /// into a register of the same class goes straight there. A convergence token gets a register
    /// without a class.
    pub(super) fn create_virtual_registers(
        &mut self,
        node: &Node,
        desc: Desc,
        (num_regs, num_results): (usize, usize),
        repetition: Repetition,
    ) {
        for i in 0..num_regs {
            let value = self.dag.value_of(node, i);
            let reg = self.optional_def(node, desc, i, num_results).unwrap_or_else(|| {
                let class = self.class_of_result(node, desc, i, num_results);
                let reused = match repetition {
                    Repetition::Once => self.reused_copy_destination(node, value, class),
                    Repetition::Cloned => None,
                };
                reused.unwrap_or_else(|| self.new_reg(class))
            });
            self.push(NewOperand::reg(reg, reg_flag::DEFINE));
            if i < num_results {
                self.set_value_reg(value, reg, !desc.is_convergence_control());
            }
        }
    }

    /// The physical register that an optional def writes: the node names it as an operand.
    fn optional_def(&self, node: &Node, desc: Desc, i: usize, num_results: usize) -> Option<Register> {
        if !desc.has_optional_def() {
            return None;
        }
        self.target.operand(desc, i).filter(|op| op.is_optional_def)?;
        let reg = self.dag.operands_of(node)[i - num_results].as_register();
        // Register 0 means no register: the def gets one of its own.
        Some(reg.expect("an optional def is a physical register")).filter(|reg| reg.is_valid())
    }

    /// The class of result `i`: the instruction's, narrowed to that of the type. A token has
    /// neither.
    fn class_of_result(&mut self, node: &Node, desc: Desc, i: usize, num_results: usize) -> Option<ClassId> {
        let class = self.target.allocatable_operand_class(desc, i);
        if i >= num_results {
            return class;
        }
        let divergent = node.is_divergent() || class.is_some_and(|c| self.target.classes.is_divergent(c));
        let of_type = self.target.class_for_type(self.host, self.dag.values_of(node)[i].ty, divergent);
        match (class, of_type) {
            (Some(class), Some(of_type)) => {
                Some(self.target.classes.common_sub_class(class, of_type).unwrap_or(class))
            }
            (class, of_type) => class.or(of_type),
        }
    }

    /// The register of the first CopyToReg of `value` whose class is the same.
    fn reused_copy_destination(
        &mut self,
        node: &Node,
        value: ValueId,
        class: Option<ClassId>,
    ) -> Option<Register> {
        let copies = self.dag.copies_of(node).iter().filter(|copy| copy.value == value);
        let found = copies.map(|copy| copy.reg).find(|&reg| self.host.class_of(reg) == class);
        self.counts.reused += u64::from(found.is_some());
        found
    }

    /// Makes `src` the register of result `result` of `node` (requirement E4). A virtual register
    /// is taken as it is. A physical one is copied, unless that is too expensive and all uses can
    /// read it.
    pub(super) fn emit_copy_from_reg(&mut self, node: &Node, result: usize, src: Register) {
        let value = self.dag.value_of(node, result);
        if self.settings.dead_copies && src.is_physical() && self.is_unread(node, value) {
            self.counts.unread_copies += 1;
            return;
        }
        let reg =
            if src.is_virtual() { self.buffers.asm.now(src) } else { self.copy_physical(node, value, src) };
        self.set_value_reg(value, reg, node.is_machine());
    }

    /// Copies a physical register to a virtual one that suits the uses, or returns it as it is.
    fn copy_physical(&mut self, node: &Node, value: ValueId, src: Register) -> Register {
        let ty = self.dag.values[value].ty;
        let use_class = self.target.class_for_type(self.host, ty, node.is_divergent());
        let uses = self.uses_of_physical(node, value, src, use_class);
        let src_class = self.host.minimal_phys_class(src, ty);
        if uses.can_read_src && self.target.classes.is_copy_impossible(src_class) {
            return src;
        }
        let class = match uses.copied_to {
            Some(reg) => self.host.class_of(reg),
            None => Some(uses.class.unwrap_or(src_class)),
        };
        if self.settings.glue_consumers {
            if let Some((reg, first)) = self.buffers.glue.find(src, class) {
                self.counts.glue_consumers += 1;
                // It now has more readers than those of the first value.
                self.buffers.values[first].dies_at_use = false;
                return reg;
            }
        }
        let reg = self.new_reg(class);
        self.emit_copy(node.handle, reg, src);
        if self.settings.glue_consumers {
            self.buffers.glue.insert(src, class, reg, value);
        }
        reg
    }

    /// Whether nothing in the DAG reads it (requirement E11).
    fn is_unread(&self, node: &Node, value: ValueId) -> bool {
        !self.dag.values[value].has_use() && !node.has_debug_value()
    }

    /// Collects the demands of the users of `value`, which is in the physical register `src`.
    fn uses_of_physical(
        &mut self,
        node: &Node,
        value: ValueId,
        src: Register,
        class: Option<ClassId>,
    ) -> PhysicalUses {
        let mut uses = PhysicalUses { copied_to: None, can_read_src: true, class };
        let mut users = std::mem::take(&mut self.buffers.users);
        users.clear();
        self.host.users(node.handle, &mut users);
        for user in users.iter().filter_map(|user| user.get()) {
            let user = &self.dag.nodes[user];
            let operands = self.dag.operands_of(user);
            if user.is_isd(isd::COPY_TO_REG) && operands[2].is_value(value) {
                let dst = operands[1].as_register().expect("CopyToReg names a register");
                if dst.is_virtual() {
                    uses.copied_to = Some(dst);
                    uses.can_read_src = false;
                    break;
                }
                uses.can_read_src &= dst == src;
            } else {
                self.narrow_by_user(user, value, &mut uses);
            }
        }
        self.buffers.users = users;
        uses
    }

    /// Adds the demands of a user that does not copy the value to a register.
    fn narrow_by_user(&mut self, user: &Node, value: ValueId, uses: &mut PhysicalUses) {
        let facts = self.dag.values[value];
        if facts.is_chain() || facts.is_glue() {
            return;
        }
        for (i, _) in self.dag.operands_of(user).iter().enumerate().filter(|(_, op)| op.is_value(value)) {
            uses.can_read_src = false;
            if !user.is_machine() {
                continue;
            }
            let desc = self.target.desc(self.host, user.opcode);
            let class = self.target.allocatable_operand_class(desc, i + desc.num_defs());
            uses.class = match (uses.class, class) {
                // Uses without a common sub-class get copies later.
                (Some(a), Some(b)) => Some(self.target.classes.common_sub_class(a, b).unwrap_or(a)),
                (a, b) => a.or(b),
            };
        }
    }
}

/// The demands of the users of a value in a physical register.
struct PhysicalUses {
    /// The virtual register that a CopyToReg copies it to.
    copied_to: Option<Register>,
    /// Whether all of them can read the physical register itself.
    can_read_src: bool,
    /// The common sub-class of their operands.
    class: Option<ClassId>,
}
