//! A word for each lane of a warp.

/// Lanes of a warp.
pub const LANES: usize = 32;
/// A word for each lane.
pub type Row = [u32; LANES];
/// Two words for each lane.
pub type Row64 = [u64; LANES];
/// All lanes.
pub const ALL: u32 = u32::MAX;
