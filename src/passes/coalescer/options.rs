//! Declares the options of the pass and what it counts.

/// LLVM's options that the pass reads, and the improvement that the profile adds.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// `join-liveintervals`
    pub join: bool,
    /// `join-splitedges`
    pub join_split_edges: bool,
    /// `join-globalcopies`, or the subtarget's default.
    pub join_global_copies: bool,
    /// `terminal-rule`
    pub terminal_rule: bool,
    /// `late-remat-update-threshold`
    pub late_remat_update: u32,
    /// `large-interval-size-threshold`
    pub large_interval_size: u32,
    /// `large-interval-freq-threshold`
    pub large_interval_freq: u32,
    /// default profile: readers of a replaced IMPLICIT_DEF are flagged undefined.
    pub flags_undefined: bool,
}

/// The counts of the pass, which have the names of LLVM's statistics.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    pub(super) joins: u64,
    pub(super) cross_class_joins: u64,
    pub(super) commutes: u64,
    pub(super) extensions: u64,
    pub(super) remats: u64,
    pub(super) inflations: u64,
    pub(super) shrinks: u64,
    pub(super) reserved_joins: u64,
    pub(super) loads_folded: u64,
}

impl Counts {
    /// The statistics of the run.
    pub fn counters(&self) -> [(&'static str, u64); 9] {
        [
            ("interval joins performed", self.joins),
            ("cross class joins performed", self.cross_class_joins),
            ("instruction commuting performed", self.commutes),
            ("copies extended", self.extensions),
            ("instructions re-materialized", self.remats),
            ("register classes inflated", self.inflations),
            ("shrinkToUses called", self.shrinks),
            ("joins with reserved registers", self.reserved_joins),
            ("loads folded into their readers", self.loads_folded),
        ]
    }
    /// Whether the pass has rewritten instructions other than copies: they now name a physical
    /// register, or have a load folded in.
    pub fn has_rewritten(&self) -> bool {
        self.reserved_joins + self.loads_folded > 0
    }
}
