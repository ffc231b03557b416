//! Hands over live ranges a few at a time. An array of all ranges of a function would be fresh
//! memory, which is slow.

pub use crate::mir::{LiveRange, LiveRanges, Segment, UNUSED};

/// Takes the ranges of virtual registers.
pub trait Sink {
    /// Takes some ranges. The range of each register comes once, in no particular order.
    fn ranges(&mut self, ranges: &LiveRanges);
}

/// Keeps all ranges.
impl Sink for LiveRanges {
    fn ranges(&mut self, ranges: &LiveRanges) {
        self.append(ranges);
    }
}
