//! Describes passes to LLVM: where they run, and what they need and keep.

use super::ffi;
use std::ops::BitOr;

/// Where a pass runs, by the argument of a pass of LLVM's as `-run-pass=` and `-stop-after=` have it (`phi-node-elimination`).
/// `llc -debug-pass=Structure` lists the passes of a pipeline, `-print-after-all` their arguments.
///
/// The pass that is named must run on machine functions. One that other passes read results of (`liveintervals`) can't be named:
/// name one before it or after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In place of LLVM's pass, which gets the functions for which the pass returns [`Outcome::Delegate`](super::Outcome::Delegate).
    InsteadOf(&'static str),
    /// Right before it, as a pass of its own.
    Before(&'static str),
    /// Right after it, as a pass of its own: through LLVM's public callback for pipelines where it has one (from 22 on).
    After(&'static str),
}

/// A set of LLVM's analyses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Analyses(u32);

impl Analyses {
    /// No analysis.
    pub const NONE: Analyses = Analyses(0);
    /// SlotIndexes.
    pub const SLOT_INDEXES: Analyses = Analyses(ffi::PTX_ANALYSIS_SLOT_INDEXES);
    /// The dominator tree.
    pub const DOMINATORS: Analyses = Analyses(ffi::PTX_ANALYSIS_DOMINATORS);
    /// LiveIntervals, with the two that it asks while it is used: LLVM's pass manager fails where it is kept without them.
    pub const LIVE_INTERVALS: Analyses =
        Analyses(ffi::PTX_ANALYSIS_INTERVALS).with(Analyses::SLOT_INDEXES).with(Analyses::DOMINATORS);
    /// The loops.
    pub const LOOPS: Analyses = Analyses(ffi::PTX_ANALYSIS_LOOPS);
    /// How often blocks run.
    pub const BLOCK_FREQUENCIES: Analyses = Analyses(ffi::PTX_ANALYSIS_FREQUENCIES);
    /// Alias analysis.
    pub const ALIASES: Analyses = Analyses(ffi::PTX_ANALYSIS_ALIASES);
    /// LiveVariables. It can be kept, not needed: LLVM computes it before PHI elimination only.
    pub const LIVE_VARIABLES: Analyses = Analyses(ffi::PTX_ANALYSIS_VARIABLES);
    /// The analyses that depend on nothing but blocks and edges. They can be kept, not needed as such.
    pub const CFG: Analyses = Analyses(ffi::PTX_ANALYSIS_CFG);
    /// All analyses: a pass that changes nothing keeps them. They can't be needed as such.
    pub const ALL: Analyses = Analyses(ffi::PTX_ANALYSIS_ALL);

    /// Returns the set with others added.
    pub const fn with(self, others: Analyses) -> Analyses {
        Analyses(self.0 | others.0)
    }
    /// Returns whether all of `others` are in it.
    pub const fn contains(self, others: Analyses) -> bool {
        self.0 & others.0 == others.0
    }
    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

impl BitOr for Analyses {
    type Output = Analyses;
    fn bitor(self, other: Analyses) -> Analyses {
        self.with(other)
    }
}

/// A pass of the plugin, as LLVM sees it.
pub(crate) struct PassInfo {
    /// The name in messages.
    pub name: &'static str,
    /// Its name in LLVM's registry, as in `-run-pass=`.
    pub argument: &'static str,
    /// One line about it; one that stands in for LLVM's has LLVM's.
    pub title: &'static str,
    /// Where it runs. None: it is not a pass, but the instruction emitter of the SelectionDAG schedulers.
    pub place: Option<Place>,
    /// Other passes downcast it, so only a subclass can replace it.
    pub is_analysis: bool,
    /// It asks LLVM whether to skip a function, which counts for `-opt-bisect-limit`.
    pub asks_to_skip: bool,
    /// The analyses that it needs; of one that stands in for LLVM's, besides those of that.
    pub needs: Analyses,
    /// The analyses that are as good after it as before it; of one that stands in for LLVM's, those of that.
    pub keeps: Analyses,
}
