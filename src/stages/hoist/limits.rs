//! States the limits that the stage keeps to. Those that were measured: docs/measured.md, "Computing where registers end".

/// Registers cost their bits divided by this.
pub const BITS_PER_COST: u32 = 8;
/// The gain that moves must have: four registers of 32 bits. Less is often not seen by ptxas, or makes it choose another schedule.
pub const MIN_GAIN: u32 = 4 * 32 / BITS_PER_COST;
/// ptxas recomputes a register below by itself if at most so many instructions compute it of parameters and the numbers of threads.
pub const MAX_RECOMPUTED: u32 = 10;
/// How many movable instructions of a block are looked at, the first ones. It bounds compile time alone.
pub const MAX_MOVABLE: usize = 512;
/// A register with more readers is taken to be live below anyway. It bounds compile time alone.
pub const MAX_READS: usize = 64;
/// How many dominators of a block are looked at to find the block above. It bounds compile time alone.
pub const MAX_STEPS_UP: usize = 16;
