//! Asks the target what an instruction or a register is.

use crate::mir::{AddressSpace, InstrId, RegClassId, VRegId};
use crate::nvptx::created::CreatedOp;
use crate::nvptx::OpcodeInfo;

/// Answers questions about the instructions and registers of the function that
/// [`SsaFacts`](super::SsaFacts) holds.
pub trait MachineInfo {
    /// Returns the row of the opcode table for an instruction.
    fn opcode_info(&self, instr: InstrId) -> OpcodeInfo;
    /// Returns the value of an operand that is an immediate.
    fn immediate(&self, instr: InstrId, operand: usize) -> i64;
    /// Returns the value of an operand that is a constant float of 32 bits. `None` if it is not
    /// one.
    fn float(&self, instr: InstrId, operand: usize) -> Option<f32>;
    /// Returns the class of a register; `None` if it has only a type.
    fn class(&self, reg: VRegId) -> Option<RegClassId>;
    /// Returns the size of a register that has a class, in bits.
    fn bits(&self, reg: VRegId) -> u32;
    /// Returns how many threads a block has at most, in each dimension.
    fn max_threads(&self) -> [u32; 3];
    /// Returns whether the target has an operation that a stage creates.
    fn has_created(&self, op: CreatedOp) -> bool;
    /// Returns the address space of the memory that an instruction accesses. `None` unless it names
    /// exactly one place.
    fn memory_space(&self, instr: InstrId) -> Option<AddressSpace>;
    /// Returns the address space of the symbol that an operand is. `None` if it is not a symbol.
    fn symbol_space(&self, instr: InstrId, operand: usize) -> Option<AddressSpace>;
}

impl<M: MachineInfo> MachineInfo for &M {
    fn opcode_info(&self, instr: InstrId) -> OpcodeInfo {
        (**self).opcode_info(instr)
    }
    fn immediate(&self, instr: InstrId, operand: usize) -> i64 {
        (**self).immediate(instr, operand)
    }
    fn float(&self, instr: InstrId, operand: usize) -> Option<f32> {
        (**self).float(instr, operand)
    }
    fn class(&self, reg: VRegId) -> Option<RegClassId> {
        (**self).class(reg)
    }
    fn bits(&self, reg: VRegId) -> u32 {
        (**self).bits(reg)
    }
    fn max_threads(&self) -> [u32; 3] {
        (**self).max_threads()
    }
    fn has_created(&self, op: CreatedOp) -> bool {
        (**self).has_created(op)
    }
    fn memory_space(&self, instr: InstrId) -> Option<AddressSpace> {
        (**self).memory_space(instr)
    }
    fn symbol_space(&self, instr: InstrId, operand: usize) -> Option<AddressSpace> {
        (**self).symbol_space(instr, operand)
    }
}
