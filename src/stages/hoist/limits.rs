//! States the limits that the stage keeps to. Those that were measured: docs/measured.md, "Computing where registers end" and "Register targets".

use crate::nvptx::cost::REGISTER_PRICE;
use crate::nvptx::occupancy::{RegisterTarget, USUAL_TARGET};

/// How many movable instructions of a block are looked at, the first ones. It bounds compile time alone.
pub const MAX_MOVABLE: usize = 512;
/// A register with more readers is taken to be live below anyway. It bounds compile time alone.
pub const MAX_READS: usize = 64;
/// How many dominators of a block are looked at to find the block above. It bounds compile time alone.
pub const MAX_STEPS_UP: usize = 16;

/// The limits that depend on how many registers a function is to fit in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The gain that moves must have.
    pub min_gain: u32,
}

impl Limits {
    /// Those of a function without a target: four registers of 32 bits. Less is often not seen by ptxas, or makes it choose another schedule.
    pub const DEFAULT: Limits = Limits { min_gain: 4 * REGISTER_PRICE };
    /// Those of a function that is to fit in fewer registers than usual, where one saved counts.
    pub const TIGHT: Limits = Limits { min_gain: REGISTER_PRICE };

    /// Chooses those of a function.
    pub fn of(target: Option<RegisterTarget>) -> Limits {
        match target {
            Some(target) if target.registers < USUAL_TARGET => Limits::TIGHT,
            _ => Limits::DEFAULT,
        }
    }
}
