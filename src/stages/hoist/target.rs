//! States what the stage asks of the target.

use crate::mir::{InstrId, VRegId};

/// Answers questions about the target's instructions and registers.
pub trait HoistTarget {
    /// Whether an instruction does nothing but compute, and may move.
    fn may_move(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction may be computed anywhere and again, of its operands alone: also a load of a parameter, or the number
    /// of a thread.
    fn is_repeatable(&mut self, instr: InstrId) -> bool;
    /// Tells the cost of having a virtual register live: its bits divided by [`BITS_PER_COST`](super::limits::BITS_PER_COST); 0 for a
    /// constant.
    fn cost(&mut self, reg: VRegId) -> u32;
}
