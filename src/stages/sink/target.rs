//! Declares the stage's questions to the target.

use crate::mir::{InstrId, VRegId};

/// Answers questions about the target's instructions and registers.
pub trait SinkTarget {
    /// Whether an instruction does nothing but compute, and may move.
    fn may_move(&mut self, instr: InstrId) -> bool;
    /// Whether the result of an instruction takes no register: it is a constant or a parameter,
    /// which ptxas has at hand.
    fn is_free(&mut self, instr: InstrId) -> bool;
    /// Returns the cost of keeping a virtual register live.
    fn cost(&mut self, reg: VRegId) -> u32;
}
