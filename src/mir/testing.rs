//! Functions written out by hand in tests.

use super::{FunctionFacts, InstrFlags, InstrRun, Operand, Register};

/// Returns an operand that reads a virtual register.
pub fn read(reg: u32) -> Operand {
    Operand::test_reg(Register::virt(reg), false, false)
}
/// An operand that defines a virtual register.
#[cfg(test)]
pub fn write(reg: u32) -> Operand {
    Operand::test_reg(Register::virt(reg), true, false)
}
/// Appends an instruction.
pub fn push(facts: &mut FunctionFacts, flags: InstrFlags, operands: &[Operand]) {
    facts.push_run(InstrRun { flags: &[flags], num_operands: &[operands.len() as u32], operands });
}
/// Ends the code of a block, which goes on to others.
#[cfg(test)]
pub fn end_block(facts: &mut FunctionFacts, block: u32, succs: &[u32]) {
    facts.shape.succs.push_row(succs.iter().map(|&s| super::BlockId::from_raw(s)));
    facts.shape.push_block(super::BlockNumber::from_raw(block));
    facts.end_block();
}
