//! Lists the changes that the stage makes to a function.

use crate::mir::{InstrId, VRegId};
use crate::nvptx::counterparts::Counterpart;
use crate::nvptx::created::CreatedOp;

/// The opcode that an instruction gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewOpcode {
    /// The one that it has.
    Same,
    /// The same operation with other operands.
    Counterpart(Counterpart),
    /// Another operation.
    Created(CreatedOp),
}

/// Up to three registers that an operation reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Inputs {
    regs: [VRegId; 3],
    len: usize,
}

impl Inputs {
    /// Holds these registers.
    pub fn new(regs: &[VRegId]) -> Inputs {
        let mut all = [VRegId::from_raw(0); 3];
        all[..regs.len()].copy_from_slice(regs);
        Inputs { regs: all, len: regs.len() }
    }
    /// Returns the registers.
    pub fn as_slice(&self) -> &[VRegId] {
        &self.regs[..self.len]
    }
}

impl std::fmt::Debug for Inputs {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// An edit. Edits are made in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// An operand becomes a register, and the next one a constant, which is added if it is missing.
    SetOperands {
        /// The instruction.
        instr: InstrId,
        /// Its opcode.
        opcode: NewOpcode,
        /// The position of the register.
        operand: usize,
        /// The register.
        reg: VRegId,
        /// The constant.
        constant: i64,
    },
    /// An instruction keeps its result and becomes an operation on registers.
    SetOperation {
        /// The instruction.
        instr: InstrId,
        /// The operation.
        op: CreatedOp,
        /// Its operands.
        inputs: Inputs,
    },
    /// An operation on registers, with an optional constant after them, is inserted.
    Insert {
        /// The instruction that it is put before.
        before: InstrId,
        /// The operation.
        op: CreatedOp,
        /// Its operands.
        inputs: Inputs,
        /// Its last operand.
        constant: Option<u32>,
        /// Its result: the next new register.
        result: VRegId,
    },
    /// The instruction that defines a register, which only debug values read, is erased.
    Erase(VRegId),
}
