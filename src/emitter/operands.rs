//! Operands of an instruction (rows E6 and E7).

use super::classes::{Constrained, MIN_RC_SIZE};
use super::dag::{isd, operand, ClassId, NodeHandle, Operand};
use super::host::{reg_flag, Host, NewOperand};
use super::target::Desc;
use super::versions::VERSIONS;
use super::{Block, Cloning};
use crate::mir::Register;

/// An instruction that gets its operands.
pub(super) struct Building {
    /// Of its opcode.
    pub(super) desc: Desc,
    /// The node whose debug location it has.
    pub(super) location: NodeHandle,
    /// So far.
    pub(super) operands: Vec<NewOperand>,
    /// How many of these are no implicit registers.
    num_explicit: usize,
    /// Whether its node is emitted more than once.
    pub(super) cloning: Cloning,
}

impl Building {
    /// Appends an operand. LLVM keeps explicit ones before implicit registers.
    pub(super) fn push(&mut self, op: NewOperand) {
        self.num_explicit += usize::from(!op.is_implicit_reg());
        self.operands.push(op);
    }
}

impl<H: Host> Block<'_, H> {
    /// An instruction without operands yet, on a buffer that [`Self::done`] takes back.
    pub(super) fn start(&mut self, desc: Desc, location: NodeHandle, cloning: Cloning) -> Building {
        let mut operands = std::mem::take(&mut self.b.operands);
        operands.clear();
        Building { desc, location, operands, num_explicit: 0, cloning }
    }
    pub(super) fn done(&mut self, mi: Building) {
        self.b.operands = mi.operands;
    }

    /// Appends `op` as operand `index` of the description `desc`; without one nothing is asked of it.
    pub(super) fn add_operand(&mut self, mi: &mut Building, op: Operand, index: usize, desc: Option<Desc>) {
        match op.kind {
            operand::CONSTANT => mi.push(NewOperand::imm(op.payload as i64)),
            operand::REGISTER => self.add_register_node(mi, op, index, desc),
            operand::NODE => self.add_value(mi, op, index, desc),
            kind if kind >= operand::LEAF => mi.push(NewOperand::of(kind.into(), op.payload)),
            kind => unreachable!("an operand of kind {kind} is left to the stock emitter"),
        }
    }

    /// A register that stands for itself. Beyond the description's operands it is an implicit use: an argument
    /// of a call.
    fn add_register_node(&mut self, mi: &mut Building, op: Operand, index: usize, desc: Option<Desc>) {
        let mut reg = op.as_register().expect("a register operand");
        let class = desc.and_then(|d| self.target.allocatable_operand_class(d, index));
        let divergent = op.is_divergent() || class.is_some_and(|c| self.target.classes.is_divergent(c));
        let of_type = self.target.class_for_type(self.host, op.ty, divergent);
        if let (Some(class), Some(of_type)) = (class, of_type) {
            if class != of_type && reg.is_virtual() {
                reg = self.copy_to_class(NodeHandle::NULL, reg, class);
            }
        }
        let implicit = desc.is_some_and(|d| index >= d.num_operands && !d.is_variadic());
        mi.push(NewOperand::reg(reg, if implicit { reg_flag::IMPLICIT } else { 0 }));
    }

    /// The value of a node. The register's class is narrowed to what the description asks, or else copied.
    fn add_value(&mut self, mi: &mut Building, op: Operand, index: usize, desc: Option<Desc>) {
        let (id, value) = op.as_value().expect("an operand of a node");
        let mut reg = self.value_reg(op);
        if let Some(class) = desc.and_then(|d| self.target.operand_class(d, index)) {
            // Each use of an undefined value has a register of its own: however small, a class will do.
            let min_regs = if self.is_implicit_def(id) { 0 } else { MIN_RC_SIZE };
            if !self.constrain(reg, class, min_regs) {
                let class = self.target.classes.allocatable(class).expect("a class that can be allocated");
                let at = if VERSIONS.class_copy_at_instr { mi.location } else { self.dag.nodes[id].handle };
                reg = self.copy_to_class(at, reg, class);
            }
        }
        let is_optional_def = self.target.operand(mi.desc, index).is_some_and(|o| o.is_optional_def);
        let flags = if is_optional_def { reg_flag::DEFINE } else { 0 }
            | if self.kills(mi, id, value) { reg_flag::KILL } else { 0 };
        mi.push(NewOperand::reg(reg, flags));
    }

    /// Whether the only use of a value kills it. Not that of a CopyFromReg, whose register may have others, nor of
    /// nodes that are emitted more than once, nor one that is tied.
    fn kills(&self, mi: &Building, id: usize, value: u32) -> bool {
        self.dag.values[value as usize].has_one_use()
            && !self.dag.nodes[id].is_isd(isd::COPY_FROM_REG)
            && !mi.cloning.any()
            && !self.is_convergence_control(id)
            && !self.target.operand(mi.desc, mi.num_explicit).is_some_and(|o| o.is_tied)
    }

    fn constrain(&mut self, reg: Register, class: ClassId, min_regs: u32) -> bool {
        if reg.is_physical() {
            return false;
        }
        match self.target.classes.constrain(self.host.class_of(reg), class, min_regs) {
            Constrained::AsIs => true,
            Constrained::Narrowed(class) => {
                self.host.set_class(reg, class);
                true
            }
            Constrained::No => false,
        }
    }

    /// A COPY of `reg` to a new register of `class` (row E6).
    pub(super) fn copy_to_class(&mut self, location: NodeHandle, reg: Register, class: ClassId) -> Register {
        let new = self.new_reg(class);
        self.emit_copy(location, new, reg);
        self.counts.class_copies += 1;
        new
    }

    /// Narrows `reg` to a class with the part `subreg`, or copies it to the largest class of its type that has
    /// one.
    pub(super) fn constrain_for_subreg(
        &mut self,
        reg: Register,
        subreg: u32,
        ty: u16,
        divergent: bool,
        location: NodeHandle,
    ) -> Register {
        let class = self.host.class_of(reg);
        if let Some(with) = self.host.sub_class_with_subreg(class, subreg) {
            if with == class || self.constrain(reg, with, MIN_RC_SIZE) {
                return reg;
            }
        }
        let of_type = self.class_for(ty, divergent);
        let class = self.host.sub_class_with_subreg(of_type, subreg);
        self.copy_to_class(location, reg, class.expect("no class of the type has this part"))
    }
}
