//! States what the stage asks of the target, and the limits that it keeps to.

use crate::mir::{InstrId, VRegId};

/// Registers cost their bits divided by this.
pub const BITS_PER_COST: u32 = 8;
/// What a move has to save: four registers of 32 bits. Less is often not seen by ptxas, or makes it choose another schedule.
pub const MIN_GAIN: u32 = 4 * 32 / BITS_PER_COST;
/// How many movable instructions of a block are looked at, the first ones. It bounds compile time alone.
pub const MAX_MOVABLE: usize = 512;
/// ptxas recomputes below what at most so many instructions compute of parameters and the numbers of threads.
pub const MAX_RECOMPUTED: u32 = 10;
/// A register with more readers is taken to be live below anyway. It bounds compile time alone.
pub const MAX_READS: usize = 64;

/// Answers questions about the target's instructions and registers.
pub trait HoistTarget {
    /// Whether an instruction does nothing but compute, and may move.
    fn may_move(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction may be computed anywhere and again, of its operands alone: also a load of a parameter, or the number
    /// of a thread.
    fn is_repeatable(&mut self, instr: InstrId) -> bool;
    /// The cost of having a virtual register live: its bits divided by [`BITS_PER_COST`]; 0 for a constant.
    fn cost(&mut self, reg: VRegId) -> u32;
}
