//! Finds the registers whose high halves are not needed.

use super::roles::{Role, Roles};
use crate::adt::{BitSet, IntEqClasses};
use crate::mir::{InstrId, VRegId};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;

/// The registers that need their high halves. The buffers are kept from function to function.
#[derive(Default)]
pub struct Demand {
    /// By instruction.
    roles: Vec<Role>,
    /// The registers whose high halves are needed.
    high: BitSet,
    pending: Vec<VRegId>,
    /// Registers that become narrow together, or not at all.
    classes: IntEqClasses,
    /// By leader of a class: whether the class has an address.
    has_address: BitSet,
    narrow: BitSet,
}

impl Demand {
    /// Finds the registers of a function that become narrow. Returns how many there are.
    pub fn find<M: MachineInfo>(&mut self, facts: &SsaFacts, machine: &M) -> usize {
        let roles = Roles { facts, machine };
        let num_regs = facts.shape.num_virt_regs;
        self.roles.clear();
        self.roles.extend(facts.instr_ids().map(|instr| roles.role(instr)));
        self.high.reset(num_regs);
        self.narrow.reset(num_regs);
        self.find_high(&roles);
        self.join(&roles);
        let mut num = 0;
        for reg in (0..num_regs).map(VRegId::from_usize) {
            if self.is_candidate(&roles, reg)
                && self.has_address.contains(self.classes.leader(reg.raw()) as usize)
            {
                self.narrow.insert(reg.index());
                num += 1;
            }
        }
        num
    }
    /// Returns the role of an instruction.
    pub fn role(&self, instr: InstrId) -> Role {
        self.roles[instr.index()]
    }
    /// Returns whether a register becomes narrow.
    pub fn is_narrow(&self, reg: VRegId) -> bool {
        self.narrow.contains(reg.index())
    }

    /// Finds the registers whose high halves are needed.
    fn find_high<M: MachineInfo>(&mut self, roles: &Roles<'_, M>) {
        let Demand { roles: of, high, pending, .. } = self;
        pending.clear();
        let mut need = |reg: VRegId, pending: &mut Vec<VRegId>| {
            if roles.is_wide(reg) && high.insert(reg.index()) {
                pending.push(reg);
            }
        };
        for instr in roles.facts.instr_ids() {
            let low = match of[instr.index()] {
                Role::Computes(_) | Role::Truncates(_) => continue,
                Role::Accesses(operand) => Some(operand),
                Role::Other => None,
            };
            for (index, operand) in roles.facts.operands_of(instr).iter().enumerate() {
                if let Some(reg) = operand.vreg().filter(|_| Some(index) != low && operand.is_use()) {
                    need(reg, pending);
                }
            }
        }
        while let Some(reg) = pending.pop() {
            let Some(def) = roles.facts.def_of(reg) else { continue };
            if let Role::Computes(_) = of[def.index()] {
                for operand in roles.facts.operands_of(def).iter().filter(|o| o.is_use()) {
                    if let Some(read) = operand.vreg() {
                        need(read, pending);
                    }
                }
            }
        }
    }

    /// Returns whether a register may become narrow.
    fn is_candidate<M: MachineInfo>(&self, roles: &Roles<'_, M>, reg: VRegId) -> bool {
        let is_computed = |def: InstrId| matches!(self.roles[def.index()], Role::Computes(_));
        !self.high.contains(reg.index())
            && roles.is_wide(reg)
            && roles.facts.def_of(reg).is_some_and(is_computed)
    }

    /// Joins the candidates that read each other, and marks the classes that have an address.
    fn join<M: MachineInfo>(&mut self, roles: &Roles<'_, M>) {
        let num_regs = roles.facts.shape.num_virt_regs;
        self.classes.reset(num_regs);
        self.has_address.reset(num_regs);
        for reg in (0..num_regs).map(VRegId::from_usize) {
            let Some(def) = roles.facts.def_of(reg).filter(|_| self.is_candidate(roles, reg)) else {
                continue;
            };
            for operand in roles.facts.operands_of(def).iter().filter(|o| o.is_use()) {
                if let Some(read) = operand.vreg().filter(|&read| self.is_candidate(roles, read)) {
                    self.classes.join(reg.raw(), read.raw());
                }
            }
        }
        for instr in roles.facts.instr_ids() {
            let Role::Accesses(index) = self.roles[instr.index()] else { continue };
            if let Some(reg) = roles.facts.operands_of(instr)[index].vreg() {
                self.has_address.insert(self.classes.leader(reg.raw()) as usize);
            }
        }
    }
}
