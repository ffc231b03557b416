//! Declares induction variables, their sums, and the variables that the sums become.

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

/// An induction variable: a PHI of two values at a loop header, one of which is the PHI plus a
/// step.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The PHI.
    pub phi: InstrId,
    /// The instruction that adds the step to it.
    pub increment: InstrId,
    /// The value before the first iteration.
    pub initial: VRegId,
    /// The step: a register or a constant.
    pub step: Operand,
    /// The block from which the loop is entered, where `initial` comes from.
    pub entry: BlockId,
    /// The header of the loop.
    pub header: BlockId,
    /// The latch of the loop.
    pub latch: BlockId,
}

/// A sum of an induction variable and a loop-invariant register, the distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sum {
    /// The variable.
    pub variable: VariableId,
    /// The distance.
    pub distance: VRegId,
    /// Whether it reads the variable after the step, the increment's result, instead of the PHI.
    pub reads_next: bool,
    /// The instruction that adds them.
    pub instr: InstrId,
}

/// An induction variable to be made from the sums of one variable and one distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewVariable {
    /// The old variable.
    pub variable: VariableId,
    /// The sums, as numbered by the algorithm.
    pub sums: Range<SumId>,
}

/// Answers questions about the target's instructions. An instruction defines at most one register.
pub trait InductionTarget {
    /// Whether an instruction adds its operands, all of one class, and does nothing else.
    fn is_sum(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction moves a register or a constant, and does nothing else.
    fn is_move(&mut self, instr: InstrId) -> bool;
    /// Returns the last operand of an instruction, if that is a constant.
    fn constant_operand(&mut self, instr: InstrId) -> Option<i64>;
    /// Returns the class of a register.
    fn class(&mut self, reg: VRegId) -> Option<RegClassId>;
    /// Whether an instruction may read or write memory, or is inline assembly.
    fn is_access(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction is inline assembly.
    fn is_inline_asm(&mut self, instr: InstrId) -> bool;
    /// Returns how many registers of 32 bits a register takes.
    fn registers32(&mut self, reg: VRegId) -> u32;
    /// Whether the result of an instruction is the same in all threads, and ptxas sees that.
    fn is_uniform(&mut self, instr: InstrId) -> bool;
    /// Returns how many registers of 32 bits ptxas keeps through a loop for a register that `def`
    /// defines. It assumes that the loop only adds the register to others, and needs one such sum
    /// at a time.
    fn registers32_in_sums(&mut self, reg: VRegId, def: InstrId) -> u32;
}
