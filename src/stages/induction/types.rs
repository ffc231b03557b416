//! Declares induction variables, their sums, and the variables that are made of these.

use crate::mir::{BlockId, InstrId, Operand, RegClassId, VRegId};
use std::ops::Range;

index_vec::define_index_type! {
    /// An induction variable that was found.
    pub struct VariableId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A sum that was found.
    pub struct SumId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An induction variable: a PHI of two values where a loop begins, one of which is the PHI and a step.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The PHI.
    pub phi: InstrId,
    /// The instruction that adds the step to it.
    pub increment: InstrId,
    /// The value that it begins with.
    pub initial: VRegId,
    /// The step: a register or a constant.
    pub step: Operand,
    /// The block from which the loop is entered, where `initial` comes from.
    pub entry: BlockId,
    /// The block where the loop begins.
    pub header: BlockId,
    /// The block from which the loop goes on to its header.
    pub latch: BlockId,
}

/// A sum of an induction variable and a register that its loop does not change, the distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sum {
    /// The variable.
    pub variable: VariableId,
    /// The distance.
    pub distance: VRegId,
    /// Whether it reads the variable behind the step, the result of its increment, and not its PHI.
    pub reads_next: bool,
    /// The instruction that adds them.
    pub instr: InstrId,
}

/// An induction variable that is to be made of the sums of one variable and one distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewVariable {
    /// The variable.
    pub variable: VariableId,
    /// The sums, as numbered by the algorithm.
    pub sums: Range<SumId>,
}

/// Answers questions about the target's instructions. Instructions that define a register define only that one.
pub trait InductionTarget {
    /// Whether an instruction adds its operands, all of one class, and does nothing else.
    fn is_sum(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction moves a register or a constant, and does nothing else.
    fn is_move(&mut self, instr: InstrId) -> bool;
    /// The constant that is the last operand of an instruction, if that is one.
    fn constant_operand(&mut self, instr: InstrId) -> Option<i64>;
    /// The class of a register.
    fn class(&mut self, reg: VRegId) -> Option<RegClassId>;
    /// Whether an instruction may read or write memory, or is inline assembly.
    fn is_access(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction is inline assembly.
    fn is_inline_asm(&mut self, instr: InstrId) -> bool;
    /// How many registers of 32 bits a register takes.
    fn registers32(&mut self, reg: VRegId) -> u32;
    /// Whether all threads have the same result of an instruction, and ptxas sees that.
    fn is_uniform(&mut self, instr: InstrId) -> bool;
    /// How many registers of 32 bits ptxas keeps through a loop for a register that `def` defines, if the loop only adds it to other
    /// registers, and needs one such sum at a time.
    fn registers32_in_sums(&mut self, reg: VRegId, def: InstrId) -> u32;
}
