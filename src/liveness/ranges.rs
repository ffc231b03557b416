//! Hands over live ranges some at a time: an array of all those of a function would be memory that was never written before.

pub use crate::mir::{LiveRange, LiveRanges, Segment, UNUSED};

/// Who takes the ranges of virtual registers.
pub trait Sink {
    /// Some more of them; in no particular order, each register's once.
    fn ranges(&mut self, ranges: &LiveRanges);
}

/// Keeps them all.
impl Sink for LiveRanges {
    fn ranges(&mut self, ranges: &LiveRanges) {
        self.append(ranges);
    }
}
