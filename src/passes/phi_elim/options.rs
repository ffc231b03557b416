//! Holds the options of PHI elimination, and the differences between versions of LLVM.

use crate::versions;

/// The options of the user, the profile and the version of LLVM.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether edges may be split: not `disable-phi-elim-edge-splitting`.
    pub split_edges: bool,
    /// `phi-elim-split-all-critical-edges`
    pub split_all_critical_edges: bool,
    /// `no-phi-elim-live-out-early-exit`
    pub no_live_out_early_exit: bool,
    /// The default profile: PHIs that differ in an undef flag are not alike, and an undefined value
    /// does not stay alive for a PHI that is gone.
    pub is_default: bool,
    /// The differences between versions of LLVM.
    pub differences: versions::PhiElim,
}
