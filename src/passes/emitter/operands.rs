//! Gathers the operands of an instruction and fits their registers' classes to its description
//! (requirements E6 and E7).

use super::block::{BlockEmitter, EmittedValue, Repetition};
use super::classes::{Constrained, MIN_RC_SIZE};
use super::host::EmitterHost;
use super::target::Desc;
use crate::mir::dag::ids::{ClassId, NodeHandle};
use crate::mir::dag::new_instr::{new, reg_flag, NewOperand};
use crate::mir::dag::operand::{kind, Operand};
use crate::mir::Register;
use crate::versions::VERSIONS;

/// The instruction whose operands are gathered in the block's buffer.
#[derive(Clone, Copy)]
pub(super) struct Building {
    /// The description of its opcode.
    pub(super) desc: Desc,
    /// The node whose debug location it has.
    pub(super) location: NodeHandle,
    /// How often its node is emitted.
    pub(super) repetition: Repetition,
}

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Begins an instruction without operands. Only one is under construction at a time.
    pub(super) fn start(&mut self, desc: Desc, location: NodeHandle, repetition: Repetition) -> Building {
        self.buffers.operands.clear();
        self.buffers.num_implicit = 0;
        Building { desc, location, repetition }
    }
    /// Appends an operand. LLVM keeps explicit ones before implicit registers.
    #[inline]
    pub(super) fn push(&mut self, op: NewOperand) {
        self.buffers.num_implicit += usize::from(op.is_implicit_reg());
        self.buffers.operands.push(op);
    }
    /// Makes the instruction from the gathered operands. It is not a call and not that of an
    /// ordinary machine node.
    pub(super) fn emit_built(&mut self, opcode: u32, location: NodeHandle) -> H::Instr {
        let operands = std::mem::take(&mut self.buffers.operands);
        let mi = self.emit(opcode, location, &operands);
        self.buffers.operands = operands;
        mi
    }

    /// Appends `op` as operand `index` of the description. Without an index its class is not
    /// constrained.
    pub(super) fn add_operand(&mut self, mi: &Building, op: &Operand, index: Option<usize>) {
        if let Some(value) = op.as_constant() {
            return self.push(NewOperand::imm(value));
        }
        match op.kind {
            kind::NODE => self.add_value(mi, op, index),
            kind::REGISTER => self.add_register_node(mi, op, index),
            kind::LONG_CONSTANT => self.push(NewOperand::of(new::IMM, self.dag.word_of(*op))),
            leaf if leaf >= kind::LEAF => self.push(NewOperand::of(leaf.into(), self.dag.word_of(*op))),
            other => unreachable!("operand kind {other} is one of `unsupported.rs`"),
        }
    }

    /// Appends a register that a node names. Beyond the description's operands it is an implicit
    /// use, such as an argument of a call.
    fn add_register_node(&mut self, mi: &Building, op: &Operand, index: Option<usize>) {
        let mut reg = op.as_register().expect("a register operand");
        let class = index.and_then(|i| self.target.allocatable_operand_class(mi.desc, i));
        let divergent = op.is_divergent() || class.is_some_and(|c| self.target.classes.is_divergent(c));
        let of_type = self.target.class_for_type(self.host, op.register_type(), divergent);
        if let (Some(class), Some(of_type)) = (class, of_type) {
            if class != of_type && reg.is_virtual() {
                reg = self.copy_to_class(NodeHandle::NULL, reg, class);
            }
        }
        let implicit = index.is_some_and(|i| i >= mi.desc.num_operands() && !mi.desc.is_variadic());
        self.push(NewOperand::reg(reg, if implicit { reg_flag::IMPLICIT } else { 0 }));
    }

    /// Appends the result of a node. Its register is narrowed to the class of the description, or
    /// copied if that cannot be.
    fn add_value(&mut self, mi: &Building, op: &Operand, index: Option<usize>) {
        let EmittedValue { mut reg, dies_at_use, is_undefined } = self.value_of(op);
        let described = index.and_then(|i| self.target.operand(mi.desc, i));
        let is_optional_def = described.is_some_and(|op| op.is_optional_def);
        if let Some(class) = described.and_then(|op| op.class) {
            // Each use of an undefined value has a register of its own, for which the smallest
            // class will do.
            let min_regs = if is_undefined { 0 } else { MIN_RC_SIZE };
            if !self.constrain(reg, class, min_regs) {
                let class = self.target.classes.allocatable(class).expect("a class that can be allocated");
                let at =
                    if VERSIONS.emitter.class_copy_at_instr { mi.location } else { self.location_of(op) };
                reg = self.copy_to_class(at, reg, class);
            }
        }
        let mut flags = 0;
        if is_optional_def {
            flags |= reg_flag::DEFINE;
        }
        // A clone has the same use again, and a tied register lives on.
        let may_end = VERSIONS.emitter.flags_only_readers && mi.repetition == Repetition::Once;
        if dies_at_use && may_end && !self.is_next_tied(mi.desc) {
            flags |= reg_flag::KILL;
        }
        self.push(NewOperand::reg(reg, flags));
    }

    /// The node whose debug location belongs to a value.
    fn location_of(&self, value: &Operand) -> NodeHandle {
        let value = value.as_value().expect("an operand of a node");
        self.dag.nodes[self.dag.node_of(value)].handle
    }

    /// Whether the next operand is tied, by its position among the explicit ones.
    fn is_next_tied(&self, desc: Desc) -> bool {
        let index = self.buffers.operands.len() - self.buffers.num_implicit;
        self.target.operand(desc, index).is_some_and(|o| o.is_tied)
    }

    /// Narrows the class of `reg` to a sub-class of `class` with at least `min_regs` registers.
    /// Returns false if there is none.
    fn constrain(&mut self, reg: Register, class: ClassId, min_regs: u32) -> bool {
        if reg.is_physical() {
            return false;
        }
        // A register without a class has no sub-class in common with one.
        let Some(old) = self.host.class_of(reg) else { return false };
        match self.target.classes.constrain(old, class, min_regs) {
            Constrained::AsIs => true,
            Constrained::Narrowed(class) => {
                self.host.set_class(reg, class);
                true
            }
            Constrained::No => false,
        }
    }

    /// Copies `reg` to a new register of `class` (requirement E6).
    pub(super) fn copy_to_class(&mut self, location: NodeHandle, reg: Register, class: ClassId) -> Register {
        let new = self.new_reg(class);
        self.emit_copy(location, new, reg);
        self.counts.class_copies += 1;
        new
    }

    /// Narrows `reg` to a class with the part `subreg`, or copies it to the largest class of its
    /// type that has one.
    pub(super) fn constrain_for_subreg(
        &mut self,
        reg: Register,
        subreg: u32,
        ty: u16,
        divergent: bool,
        location: NodeHandle,
    ) -> Register {
        let class = self.host.class_of(reg);
        if let Some(with) = class.and_then(|class| self.host.sub_class_with_subreg(class, subreg)) {
            if Some(with) == class || self.constrain(reg, with, MIN_RC_SIZE) {
                return reg;
            }
        }
        let of_type = self.class_for(ty, divergent);
        let class = self.host.sub_class_with_subreg(of_type, subreg);
        self.copy_to_class(location, reg, class.expect("no class of the type has this part"))
    }
}
