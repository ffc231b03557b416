//! States the limits of the stage. Those that were measured: docs/stages/remat.md, "Computing
//! again", and docs/measured.md, "Register targets".

use super::types::PerFile;
use crate::nvptx::occupancy::{RegisterTarget, TargetSource, USUAL_TARGET};

/// The largest number of instructions that compute a candidate.
pub const MAX_STEPS: usize = 3;

/// The limits that depend on how many registers a function is to fit in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Below this pressure a block needs no relief.
    pub min_pressure: PerFile<u32>,
    /// The candidates that live through a block must be at least this fraction of all that lives
    /// into it: one in `min_share`.
    pub min_share: u32,
}

impl Limits {
    /// The limits of a function without a target. Below 48 registers hardly more threads would run.
    /// There are seven predicates; further ones are bits of a register, which takes instructions.
    pub const DEFAULT: Limits =
        Limits { min_pressure: PerFile { registers: 48, predicates: 7 }, min_share: 8 };
    /// The share in a function that is to fit in fewer registers than usual.
    const TIGHT_SHARE: u32 = 64;

    /// Chooses the limits of a function. With a small target, registers are short as soon as that
    /// many are live, and each one saved counts. With a large target fewer registers gain nothing,
    /// unless the target only follows from the launch bounds.
    pub fn of(target: Option<RegisterTarget>) -> Limits {
        let Some(target) = target else { return Limits::DEFAULT };
        let RegisterTarget { registers, source } = target;
        let PerFile { registers: usual, predicates } = Limits::DEFAULT.min_pressure;
        let within = |registers| PerFile { registers, predicates };
        if target.is_tight() {
            return Limits { min_pressure: within(registers.min(usual)), min_share: Limits::TIGHT_SHARE };
        }
        if source == TargetSource::LaunchBounds {
            return Limits::DEFAULT;
        }
        Limits { min_pressure: within(usual + registers - USUAL_TARGET), ..Limits::DEFAULT }
    }
}
