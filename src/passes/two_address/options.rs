//! Holds the options of the two-address pass.

use crate::versions;

/// What the user, the profile and the version of LLVM ask for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether copies may be avoided by other means: not at -O0, nor with `-ptx-fast-compile`
    /// (requirement T6).
    pub optimize: bool,
    /// `twoaddr-reschedule`
    pub may_reschedule: bool,
    /// `dataflow-edge-limit`
    pub dataflow_edge_limit: u32,
    /// `twoaddr-analyze-revcopy-tied`
    pub follows_tied_operands: bool,
    /// Whether the user wants remarks on copies (requirement T9).
    pub wants_remarks: bool,
    /// The coalescer gets hints on copies of one value (requirement T5).
    pub copy_hints: bool,
    /// The coalescer gets hints on the components of one value (requirement T7).
    pub neighbour_hints: bool,
    /// In the default profile: an EXTRACT_SUBREG of several pairs becomes COPYs (requirement T4),
    /// and if the result of a REG_SEQUENCE is dead, so is its last COPY (requirement T8).
    pub is_default: bool,
    /// What the version of LLVM does.
    pub differences: versions::TwoAddress,
}
