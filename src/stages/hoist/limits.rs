//! States the limits of the stage. Those that were measured: docs/stages/hoist.md, "Computing
//! where registers end", and docs/measured.md, "Register targets".

use crate::nvptx::cost::REGISTER_PRICE;
use crate::nvptx::occupancy::RegisterTarget;

/// Only this many movable instructions of a block, the first ones, are considered. This bounds
/// compile time only.
pub const MAX_MOVABLE: usize = 512;
/// A register with more readers is assumed to be live below anyway. This bounds compile time only.
pub const MAX_READS: usize = 64;
/// The number of dominators of a block that are tried to find the block above. This bounds compile
/// time only.
pub const MAX_STEPS_UP: usize = 16;

/// The limits that depend on how many registers a function is to fit in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The least gain for which candidates move.
    pub min_gain: u32,
    /// The least number of registers that ptxas is predicted to use for the function before the
    /// moves. With fewer, ptxas often has room, and the other order costs registers.
    pub min_registers: u32,
}

impl Limits {
    /// The limits of a function without a target: four registers of 32 bits. ptxas often does not
    /// notice less, or chooses another schedule because of it.
    pub const DEFAULT: Limits = Limits { min_gain: 4 * REGISTER_PRICE, min_registers: 46 };
    /// The limits of a function that is to fit in fewer registers than usual, where each one saved
    /// counts.
    pub const TIGHT: Limits = Limits { min_gain: REGISTER_PRICE, min_registers: 0 };

    /// Chooses the limits of a function.
    pub fn of(target: Option<RegisterTarget>) -> Limits {
        match target {
            Some(target) if target.is_tight() => Limits::TIGHT,
            _ => Limits::DEFAULT,
        }
    }
}
