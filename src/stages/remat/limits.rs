//! States the limits that the stage keeps to. Those that were measured: docs/measured.md, "Computing again" and "Register targets".

use super::types::PerFile;
use crate::nvptx::occupancy::{RegisterTarget, TargetSource, USUAL_TARGET};

/// How many instructions compute a candidate at most.
pub const MAX_STEPS: usize = 3;

/// The limits that depend on how many registers a function is to fit in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Below this pressure a block is no trouble.
    pub min_pressure: PerFile<u32>,
    /// Candidates that live through a block have to be one part of so many of all that lives into it.
    pub min_share: u32,
}

impl Limits {
    /// Those of a function without a target. With fewer than 48 registers hardly more threads would run; there are seven predicates, and
    /// further ones are bits of a register, which takes instructions.
    pub const DEFAULT: Limits =
        Limits { min_pressure: PerFile { registers: 48, predicates: 7 }, min_share: 8 };
    /// The share in a function that is to fit in fewer registers than usual.
    const TIGHT_SHARE: u32 = 64;

    /// Chooses those of a function. In one that is to fit in few registers, they are short as soon as so many are live, and one saved counts.
    /// One that may have many has no need of fewer, if that is said of its registers and does not only follow from its launches.
    pub fn of(target: Option<RegisterTarget>) -> Limits {
        let Some(RegisterTarget { registers, source }) = target else { return Limits::DEFAULT };
        let PerFile { registers: usual, predicates } = Limits::DEFAULT.min_pressure;
        let within = |registers| PerFile { registers, predicates };
        if registers < USUAL_TARGET {
            return Limits { min_pressure: within(registers.min(usual)), min_share: Limits::TIGHT_SHARE };
        }
        if source == TargetSource::LaunchBounds {
            return Limits::DEFAULT;
        }
        Limits { min_pressure: within(usual + registers - USUAL_TARGET), ..Limits::DEFAULT }
    }
}
