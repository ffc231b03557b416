//! Finds the address of an instruction that accesses memory.
//!
//! **Problem.** A stage that changes addresses must not mistake a value for an address. What a
//! store writes, or an atomic operation reads, is a register, as an address may be. And an address
//! may be a symbol.
//!
//! **Algorithm.** The opcode gives the place ([`crate::nvptx::accesses`]), counted from the
//! results. This module tells what stands there. Every stage that looks for an address asks
//! [`address_of`], and a stage that wants a register takes [`Address::register`].
//!
//! **Source.** None. **Complexity.** Linear in the results of the instruction.

use super::facts::SsaFacts;
use super::machine::MachineInfo;
use crate::mir::{InstrId, Kind, VRegId};
use crate::nvptx::accesses::AddressPlace;

/// The address of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The position of the base.
    pub position: usize,
    /// The kind of the base.
    pub base: Base,
    /// The position of the constant that is added to the base, if the opcode has one.
    pub offset: Option<usize>,
    /// Where the opcode has its address.
    pub place: AddressPlace,
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A whole virtual register that has a value.
    Register(VRegId),
    /// A number.
    Immediate,
    /// A symbol, or an object of the frame.
    Named,
    /// Anything else: part of a register, a physical register, or one without a value.
    Other,
}

impl Address {
    /// Returns the register that is the base. `None` if the base is anything else.
    pub fn register(&self) -> Option<VRegId> {
        match self.base {
            Base::Register(reg) => Some(reg),
            _ => None,
        }
    }
}

/// Finds the address of an instruction. `None` if it accesses no memory, or if no stage changes
/// such an address.
pub fn address_of(facts: &SsaFacts, machine: &impl MachineInfo, instr: InstrId) -> Option<Address> {
    let place = machine.opcode_info(instr).address?;
    let operands = facts.operands_of(instr);
    let num_results = operands.iter().take_while(|o| o.is_def() && !o.is_implicit()).count();
    let position = num_results + place.operands_before;
    let operand = operands.get(position).filter(|o| !o.is_implicit())?;
    let base = match operand.kind() {
        Kind::Reg if operand.reads_whole() => operand.vreg().map_or(Base::Other, Base::Register),
        Kind::Imm => Base::Immediate,
        Kind::Other => Base::Named,
        Kind::Reg | Kind::RegMask => Base::Other,
    };
    let is_constant = |index: &usize| operands.get(*index).is_some_and(|o| o.kind() == Kind::Imm);
    let offset = Some(position + 1).filter(|_| place.has_offset);
    // If the operands contradict the place, there is no address.
    offset.iter().all(is_constant).then_some(Address { position, base, offset, place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ssa::testing::{imm, named, reg, TestFunction};

    /// Returns the address of one instruction with these results and inputs.
    fn address(name: &'static str, results: &[u32], inputs: &[crate::ssa::forms::Value]) -> Option<Address> {
        let mut f = TestFunction::new(20, 1);
        let instr = f.instr(name, results, inputs);
        f.end_block(&[]);
        let (facts, machine) = f.finish();
        address_of(&facts, &machine, instr)
    }
    fn base_and_offset(address: Option<Address>) -> Option<(usize, Base, Option<usize>)> {
        address.map(|a| (a.position, a.base, a.offset))
    }

    #[test]
    fn an_address_is_what_stands_in_its_place() {
        let v = |n| Base::Register(VRegId::from_raw(n));
        let atomic = |base| base_and_offset(address("INT_PTX_ATOM_ADD_32_Sr", &[0], &[base, imm(4), reg(2)]));
        assert_eq!(atomic(reg(1)), Some((1, v(1), Some(2))));
        assert_eq!(atomic(named()), Some((1, Base::Named, Some(2))));
        assert_eq!(atomic(imm(64)), Some((1, Base::Immediate, Some(2))));
        let flags = [0, 0, 3, 64].map(imm);
        let store = |base| {
            let inputs: Vec<_> = [reg(3), reg(4)].into_iter().chain(flags).chain([base, imm(8)]).collect();
            base_and_offset(address("STV_i64_v2", &[], &inputs))
        };
        assert_eq!(store(reg(1)), Some((6, v(1), Some(7))));
        assert_eq!(store(named()), Some((6, Base::Named, Some(7))));
    }

    #[test]
    fn an_address_of_a_vector_load_comes_after_all_results() {
        let flags = [0, 0, 3, 3, 32, -1].map(imm);
        let inputs: Vec<_> = flags.into_iter().chain([reg(9), imm(16)]).collect();
        let found = address("LDV_i32_v4", &[0, 1, 2, 3], &inputs).expect("it has one");
        assert_eq!((found.position, found.register()), (10, Some(VRegId::from_raw(9))));
    }

    #[test]
    fn a_value_is_not_an_address_of_a_named_variable() {
        let found = address("INT_PTX_ATOM_CAS_32_ri", &[0], &[named(), imm(0), reg(1), imm(7)]);
        assert_eq!(found.expect("it has one").register(), None);
        let found = address("CP_ASYNC_CA_SHARED_GLOBAL_16", &[], &[named(), imm(0), reg(1), imm(0)]);
        assert_eq!(found.expect("it has one").register(), None);
    }

    #[test]
    fn what_no_stage_changes_has_no_address() {
        assert_eq!(address("INT_PTX_SATOM_ADD_s32_ctagenr", &[0], &[reg(1), imm(0), reg(2)]), None);
        assert_eq!(address("ADD64rr", &[0], &[reg(1), reg(2)]), None);
    }
}
