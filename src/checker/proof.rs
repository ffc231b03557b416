//! Holds the state of a proof: the goals that are left, and those that were proved or assumed.

use super::goal::{Goal, Key};
use super::phi_sources::PhiSources;
use crate::mir::Register;
use rustc_hash::FxHashSet;

/// A register that an instruction writes before it has read all its operands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EarlyClobber {
    pub reg: Register,
    /// The position of the def.
    pub operand: usize,
}

/// The state of a proof; its buffers are kept from function to function.
#[derive(Default)]
pub struct Proof {
    pub(super) goals: Vec<Goal>,
    /// Goals that were proved, or are assumed.
    pub(super) known: FxHashSet<Key>,
    /// Those added since the last operand.
    pub(super) log: Vec<Key>,
    /// The PHI that a goal goes through, after the pass.
    pub(super) phi_after: PhiSources,
    /// The PHI that it goes through, before the pass.
    pub(super) phi_before: PhiSources,
    pub(super) early_clobbers: Vec<EarlyClobber>,
}
