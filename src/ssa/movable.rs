//! Finds the instructions that a stage may move to another block, judged by their form. The target
//! tells whether they only compute.

use super::facts::SsaFacts;
use crate::mir::{InstrFlags, InstrId, Operand, VRegId};

/// Finds the only register that an instruction defines, if the instruction can be moved. It must
/// not be a PHI or in a bundle. Its registers must be whole virtual registers that are not tied.
pub fn movable_result(facts: &SsaFacts, instr: InstrId) -> Option<VRegId> {
    const UNSUITED: InstrFlags =
        InstrFlags::PHI.with(InstrFlags::IN_BUNDLE).with(InstrFlags::PHYSICAL).with(InstrFlags::SUBREG);
    let operands = facts.operands_of(instr);
    if facts.flags_of(instr).has_any(UNSUITED) || operands.iter().any(|o| o.is_reg() && o.is_tied()) {
        return None;
    }
    operands[Operand::only_def(operands)?].vreg()
}
