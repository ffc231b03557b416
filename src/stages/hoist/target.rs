//! Declares the stage's questions to the target.

use crate::mir::{InstrId, VRegId};
use crate::ssa::repeat::Repeat;

/// Answers questions about the target's instructions and registers.
pub trait HoistTarget: Repeat {
    /// Whether an instruction does nothing but compute, and may move.
    fn may_move(&mut self, instr: InstrId) -> bool;
    /// Returns the cost of keeping a virtual register live: its [price](crate::nvptx::cost::price);
    /// 0 for a constant.
    fn cost(&mut self, reg: VRegId) -> u32;
}
