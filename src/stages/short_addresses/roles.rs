//! Finds how instructions use the low halves of registers of 64 bits.

use crate::mir::{AddressSpace, InstrId, Kind, Operand, VRegId};
use crate::nvptx::accesses::SpaceSource;
use crate::nvptx::arithmetic::Arithmetic;
use crate::nvptx::narrowing::Narrowing;
use crate::ssa::address::{address_of, Address};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;

/// The address spaces whose addresses are shortened: shared and constant memory. Addresses of local
/// memory have 32 bits as well. But with short ones ptxas keeps arrays of up to 256 elements in
/// registers that it would have left in memory.
const SMALL_SPACES: [AddressSpace; 2] = [AddressSpace::Shared, AddressSpace::Constant];

/// The role of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The low half of its 64-bit result is computed from the low halves of its operands. `None`
    /// for a PHI and a COPY, which pass them on unchanged.
    Computes(Option<Narrowing>),
    /// Its result is the low half of this register.
    Truncates(VRegId),
    /// It reads the low half of the register at this position, an address, and everything else
    /// whole.
    Accesses(usize),
    /// It may read whatever halves its operands have.
    Other,
}

/// Finds the roles of the instructions of a function.
pub struct Roles<'a, M> {
    /// The function.
    pub facts: &'a SsaFacts,
    /// The target.
    pub machine: &'a M,
}

impl<M: MachineInfo> Roles<'_, M> {
    /// Returns whether a register has 64 bits.
    pub fn is_wide(&self, reg: VRegId) -> bool {
        self.machine.class(reg).is_some() && self.machine.bits(reg) == 64
    }

    /// Returns whether some instruction accesses shared or constant memory at the address in a
    /// register. Most functions have no such access, and this check is cheaper than the roles.
    pub fn have_short_address(&self) -> bool {
        self.facts.instr_ids().any(|instr| self.short_address(instr).is_some())
    }

    /// Returns the role of an instruction.
    pub fn role(&self, instr: InstrId) -> Role {
        let operands = self.facts.operands_of(instr);
        let has_wide_result = operands.first().is_some_and(|o| o.is_def() && self.is_whole_and_wide(o));
        if self.facts.is_phi_instr(instr) {
            let incoming = operands.iter().skip(1).step_by(2);
            let is_plain = has_wide_result && incoming.clone().all(|o| o.reads_whole());
            return if is_plain { Role::Computes(None) } else { Role::Other };
        }
        if self.facts.flags_of(instr).is_copy() {
            let is_plain = has_wide_result && operands.len() == 2 && self.is_whole_and_wide(&operands[1]);
            return if is_plain { Role::Computes(None) } else { Role::Other };
        }
        let info = self.machine.opcode_info(instr);
        if info.address.is_some() {
            return self.short_address(instr).map_or(Role::Other, |address| Role::Accesses(address.position));
        }
        if info.arithmetic.is_some_and(|op| op.operation == Arithmetic::Truncate) {
            return self.truncation(instr, operands).map_or(Role::Other, Role::Truncates);
        }
        match info.narrowing {
            Some(narrowing) if has_wide_result && self.applies(narrowing, instr, operands) => {
                Role::Computes(Some(narrowing))
            }
            _ => Role::Other,
        }
    }

    fn is_whole_and_wide(&self, operand: &Operand) -> bool {
        operand.is_whole() && operand.vreg().is_some_and(|reg| self.is_wide(reg))
    }

    /// Returns the register that an instruction truncates.
    fn truncation(&self, instr: InstrId, operands: &[Operand]) -> Option<VRegId> {
        let (read, mode) = (operands.get(1)?, 2);
        let is_plain = match operands.get(mode).map(|o| o.kind()) {
            None => true,
            Some(Kind::Imm) => self.machine.immediate(instr, mode) == 0,
            Some(_) => false,
        };
        let is_whole = operands[0].is_whole() && read.reads_whole();
        read.vreg().filter(|&reg| is_whole && is_plain && self.is_wide(reg))
    }

    /// Returns whether a narrowing applies to an instruction.
    fn applies(&self, narrowing: Narrowing, instr: InstrId, operands: &[Operand]) -> bool {
        let are_plain = operands.iter().enumerate().skip(1).all(|(index, operand)| match operand.kind() {
            Kind::Imm => true,
            Kind::Reg => operand.reads_whole(),
            Kind::RegMask => false,
            // A symbol of global memory has an address of 64 bits; ptxas has no operand for its low
            // half.
            Kind::Other => {
                self.machine.symbol_space(instr, index).is_some_and(|space| SMALL_SPACES.contains(&space))
            }
        });
        let last_is_zero = || {
            let last = operands.len() - 1;
            operands[last].kind() == Kind::Imm && self.machine.immediate(instr, last) == 0
        };
        are_plain
            && match narrowing {
                Narrowing::SameOperation | Narrowing::FirstOperand => true,
                Narrowing::ShiftBy(index) => {
                    (0..32).contains(&self.machine.immediate(instr, usize::from(index)))
                }
                Narrowing::Conversion | Narrowing::Extended => last_is_zero(),
            }
    }

    /// Returns the address of an access to shared or constant memory, if it is a register and may
    /// have 32 bits.
    fn short_address(&self, instr: InstrId) -> Option<Address> {
        let address = address_of(self.facts, self.machine, instr)?;
        let space = || self.machine.memory_space(instr);
        let is_small = match address.place.space {
            SpaceSource::LoadOrStore => space().is_some_and(|space| SMALL_SPACES.contains(&space)),
            SpaceSource::Atomic => space() == Some(AddressSpace::Shared),
            SpaceSource::Shared => true,
        };
        Some(address).filter(|a| a.place.may_be_short && a.register().is_some() && is_small)
    }
}
