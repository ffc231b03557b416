//! Lists the changes that make registers narrow.

use super::demand::Demand;
use super::roles::{Role, Roles};
use crate::mir::{InstrId, VRegId};
use crate::nvptx::narrowing::Narrowing;
use crate::ssa::machine::MachineInfo;
use rustc_hash::FxHashMap;

/// An edit. Edits are made in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// A register of 64 bits gets 32.
    Narrow(VRegId),
    /// After the definition of a register of 64 bits, its low half is taken. The result is the next
    /// new register.
    Truncate {
        /// The register of 64 bits.
        of: VRegId,
        /// The new register.
        result: VRegId,
    },
    /// An operand gets another register.
    SetRead {
        /// The instruction.
        instr: InstrId,
        /// The position of the operand.
        operand: usize,
        /// The new register.
        reg: VRegId,
    },
    /// An operation of 64 bits becomes the one that computes its low half, with constants taken
    /// modulo 2^32.
    LowHalf(InstrId),
    /// An access gets the form with an address of 32 bits.
    ShortAddress(InstrId),
    /// The definition of a register is erased. Its readers read another register, which has 32
    /// bits.
    Replace {
        /// The erased register.
        reg: VRegId,
        /// The other register.
        by: VRegId,
    },
}

/// The numbers of edits in a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Accesses whose address has 32 bits now.
    pub addresses: u64,
    /// Registers that have 32 bits now.
    pub registers: u64,
    /// Truncations and extensions that were erased.
    pub conversions: u64,
    /// Registers of 64 bits that stay and are truncated.
    pub truncations: u64,
}

/// Makes the edits of a function.
pub struct Editor<'a, M> {
    roles: Roles<'a, M>,
    demand: &'a Demand,
    edits: &'a mut Vec<Edit>,
    /// The low halves of registers of 64 bits that stay.
    low_halves: FxHashMap<VRegId, VRegId>,
    counts: Counts,
}

impl<'a, M: MachineInfo> Editor<'a, M> {
    /// Begins with a function in which `demand` has found narrow registers. The edits are appended
    /// to `edits`.
    pub fn new(roles: Roles<'a, M>, demand: &'a Demand, edits: &'a mut Vec<Edit>) -> Self {
        Editor { roles, demand, edits, low_halves: FxHashMap::default(), counts: Counts::default() }
    }

    /// Makes all edits.
    pub fn run(mut self) -> Counts {
        let facts = self.roles.facts;
        let mut replaced = Vec::new();
        for instr in facts.instr_ids() {
            match self.demand.role(instr) {
                Role::Computes(narrowing) => {
                    let result = facts.operands_of(instr)[0].vreg().filter(|&reg| self.demand.is_narrow(reg));
                    if let Some(result) = result {
                        if !self.compute_low_half(instr, result, narrowing) {
                            replaced.push(result);
                        }
                    }
                }
                Role::Truncates(reg) if self.demand.is_narrow(reg) => {
                    replaced.extend(facts.operands_of(instr)[0].vreg());
                }
                Role::Accesses(operand) => self.shorten(instr, operand),
                Role::Truncates(_) | Role::Other => {}
            }
        }
        for reg in replaced {
            let by = self.low_half(reg);
            self.edits.push(Edit::Replace { reg, by });
            self.counts.conversions += 1;
        }
        self.counts
    }

    /// Changes the instruction that defines a register that becomes narrow. Returns false if an
    /// existing register is its low half.
    fn compute_low_half(&mut self, instr: InstrId, result: VRegId, narrowing: Option<Narrowing>) -> bool {
        if narrowing.is_some_and(|narrowing| !narrowing.is_operation()) {
            return false;
        }
        self.counts.registers += 1;
        self.edits.push(Edit::Narrow(result));
        for (operand, read) in self.roles.facts.operands_of(instr).iter().enumerate().skip(1) {
            if let Some(reg) = read.vreg() {
                self.set_read(instr, operand, reg);
            }
        }
        if narrowing.is_some() {
            self.edits.push(Edit::LowHalf(instr));
        }
        true
    }

    /// Gives an access an address of 32 bits, if its address becomes narrow.
    fn shorten(&mut self, instr: InstrId, operand: usize) {
        let address = self.roles.facts.operands_of(instr)[operand].vreg();
        if let Some(reg) = address.filter(|&reg| self.demand.is_narrow(reg)) {
            self.counts.addresses += 1;
            self.set_read(instr, operand, reg);
            self.edits.push(Edit::ShortAddress(instr));
        }
    }

    fn set_read(&mut self, instr: InstrId, operand: usize, old: VRegId) {
        let reg = self.low_half(old);
        if reg != old {
            self.edits.push(Edit::SetRead { instr, operand, reg });
        }
    }

    /// Returns the register that holds the low half of a register, or the register itself if it
    /// does not have 64 bits.
    fn low_half(&mut self, reg: VRegId) -> VRegId {
        let facts = self.roles.facts;
        let Some(def) = facts.def_of(reg) else { return self.truncated(reg) };
        let is_narrow = self.demand.is_narrow(reg);
        match self.demand.role(def) {
            Role::Truncates(read) if self.demand.is_narrow(read) => self.low_half(read),
            Role::Computes(Some(Narrowing::FirstOperand)) if is_narrow => self.low_half_of_first(def),
            Role::Computes(Some(Narrowing::Extended)) => self.low_half_of_first(def),
            _ if is_narrow => reg,
            _ => self.truncated(reg),
        }
    }
    fn low_half_of_first(&mut self, def: InstrId) -> VRegId {
        let first =
            self.roles.facts.operands_of(def)[1].vreg().expect("its role says that it reads a register");
        self.low_half(first)
    }
    /// Returns the low half of a register that stays as it is.
    fn truncated(&mut self, of: VRegId) -> VRegId {
        if !self.roles.is_wide(of) {
            return of;
        }
        let next = VRegId::from_usize(self.roles.facts.shape.num_virt_regs + self.low_halves.len());
        let result = *self.low_halves.entry(of).or_insert(next);
        if result == next {
            self.edits.push(Edit::Truncate { of, result });
            self.counts.truncations += 1;
        }
        result
    }
}
