//! Describes passes to LLVM: where they run, and what they need and keep.

use super::ffi;
use std::ops::BitOr;

/// Where a pass runs, by the argument of one of LLVM's passes, as for `-run-pass=` and
/// `-stop-after=` (`phi-node-elimination`). `llc -debug-pass=Structure` lists the passes of a
/// pipeline, `-print-after-all` their arguments.
///
/// The named pass must run on machine functions. An analysis that other passes read
/// (`liveintervals`) cannot be named: name a pass before it or after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In place of LLVM's pass. LLVM's pass still gets the functions for which this one returns
    /// [`Outcome::Delegate`](super::Outcome::Delegate).
    InsteadOf(&'static str),
    /// Right before it, as a pass of its own.
    Before(&'static str),
    /// Right after it, as a pass of its own. Where LLVM has its public callback for pipelines (from
    /// 22 on), through that.
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
    /// LiveIntervals, and the two analyses that it queries: without them LLVM's pass manager fails.
    pub const LIVE_INTERVALS: Analyses =
        Analyses(ffi::PTX_ANALYSIS_INTERVALS).with(Analyses::SLOT_INDEXES).with(Analyses::DOMINATORS);
    /// The loops.
    pub const LOOPS: Analyses = Analyses(ffi::PTX_ANALYSIS_LOOPS);
    /// Block frequencies.
    pub const BLOCK_FREQUENCIES: Analyses = Analyses(ffi::PTX_ANALYSIS_FREQUENCIES);
    /// Alias analysis.
    pub const ALIASES: Analyses = Analyses(ffi::PTX_ANALYSIS_ALIASES);
    /// LiveVariables. It can be kept but not needed: LLVM computes it only before PHI elimination.
    pub const LIVE_VARIABLES: Analyses = Analyses(ffi::PTX_ANALYSIS_VARIABLES);
    /// The analyses that depend only on blocks and edges. They can be kept but not needed, as a
    /// group.
    pub const CFG: Analyses = Analyses(ffi::PTX_ANALYSIS_CFG);
    /// All analyses: a pass that changes nothing keeps them. They cannot be needed as a group.
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

/// A pass of the plugin, in LLVM's terms.
pub(crate) struct PassInfo {
    /// The name in messages.
    pub name: &'static str,
    /// Its name in LLVM's registry, as in `-run-pass=`.
    pub argument: &'static str,
    /// A one-line description. A pass in place of one of LLVM's has the latter's.
    pub title: &'static str,
    /// Where it runs. `None` for the instruction emitter of the SelectionDAG schedulers, which is
    /// not a pass.
    pub place: Option<Place>,
    /// Other passes downcast to its class, so only a subclass can replace it.
    pub is_analysis: bool,
    /// It asks LLVM whether to skip a function. `-opt-bisect-limit` counts that.
    pub asks_to_skip: bool,
    /// The analyses that it needs; for a pass in place of one of LLVM's, those in addition to the
    /// latter's.
    pub needs: Analyses,
    /// The analyses that it preserves; for a pass in place of one of LLVM's, the latter's.
    pub keeps: Analyses,
}
