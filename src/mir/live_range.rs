//! Live ranges in arenas: the values and segments of many registers in two arrays (requirement L7).
//!
//! A [`LiveRange`] has the contents of LLVM's. Its [`Segment`]s are half-open and ordered, and
//! touch only if their values differ. Its values (`VNInfo`) are listed by number, each with the
//! slot of its def. A value whose def is a block slot is a PHI-def.
//!
//! **Source.** `llvm/CodeGen/LiveInterval.h`. **Deviation.** LLVM's records have 296 bytes, with
//! room for a few segments. Both layouts avoid an allocation for each segment.

use super::ids::VRegId;
use super::record_ids::SlotIndex;
pub use super::record_ids::ValueNo;
use super::records::PTX_UNUSED_VALUE;
pub use super::records::{PtxLiveRange as LiveRange, PtxSegment as Segment};
use index_vec::Idx;
use std::marker::PhantomData;

/// The def of a value that is no longer used.
pub const UNUSED: SlotIndex = SlotIndex(PTX_UNUSED_VALUE);

/// The ranges of virtual registers, or those of [register units](super::RegUnit).
#[derive(Debug)]
pub struct LiveRanges<Owner = VRegId> {
    /// The ranges, in no particular order.
    pub ranges: Vec<LiveRange>,
    /// The slots of the defs of values.
    pub values: Vec<SlotIndex>,
    /// The segments.
    pub segments: Vec<Segment>,
    owner: PhantomData<Owner>,
}

impl<Owner> Default for LiveRanges<Owner> {
    fn default() -> Self {
        LiveRanges { ranges: Vec::new(), values: Vec::new(), segments: Vec::new(), owner: PhantomData }
    }
}

impl<Owner: Idx> LiveRanges<Owner> {
    /// Removes all ranges.
    pub fn clear(&mut self) {
        self.ranges.clear();
        self.values.clear();
        self.segments.clear();
    }
    /// Returns the register or register unit that `range` belongs to.
    pub fn owner(&self, range: &LiveRange) -> Owner {
        Owner::from_usize(range.owner as usize)
    }
    /// Returns the values of `range`.
    pub fn values(&self, range: &LiveRange) -> &[SlotIndex] {
        &self.values[range.first_value as usize..][..range.num_values as usize]
    }
    /// Returns the segments of `range`.
    pub fn segments(&self, range: &LiveRange) -> &[Segment] {
        &self.segments[range.first_segment as usize..][..range.num_segments as usize]
    }
    /// Begins a range. It gets the values and segments that are appended until [`LiveRanges::end`].
    pub fn begin(&mut self, owner: Owner) {
        self.ranges.push(LiveRange {
            owner: owner.index() as u32,
            first_value: self.values.len() as u32,
            num_values: 0,
            first_segment: self.segments.len() as u32,
            num_segments: 0,
        });
    }
    /// Appends a segment. Extends the last one instead if they touch and have the same value.
    pub fn push_segment(&mut self, segment: Segment) {
        let first = self.ranges.last().map_or(0, |r| r.first_segment as usize);
        match self.segments[first..].last_mut() {
            Some(last) if last.end == segment.start && last.value == segment.value => last.end = segment.end,
            _ => self.segments.push(segment),
        }
    }
    /// Ends the range that was begun last.
    pub fn end(&mut self) {
        let (values, segments) = (self.values.len() as u32, self.segments.len() as u32);
        if let Some(r) = self.ranges.last_mut() {
            r.num_values = values - r.first_value;
            r.num_segments = segments - r.first_segment;
        }
    }
    /// Reserves room for about this many registers, so that the arrays are not copied as they grow.
    pub fn reserve(&mut self, num_regs: usize) {
        self.ranges.reserve(num_regs / 4);
        self.values.reserve(num_regs * 3 / 2);
        self.segments.reserve(num_regs * 2);
    }
    /// Appends other ranges.
    pub fn append(&mut self, others: &Self) {
        for range in &others.ranges {
            self.push_range(others.owner(range), others.values(range), others.segments(range));
        }
    }
    /// Appends a whole range.
    pub fn push_range(&mut self, owner: Owner, values: &[SlotIndex], segments: &[Segment]) {
        self.begin(owner);
        self.values.extend_from_slice(values);
        self.segments.extend_from_slice(segments);
        self.end();
    }
    /// Lists the defs of `range` that nothing reads. A PHI-def is always read.
    pub fn dead_defs<'a>(&'a self, range: &'a LiveRange) -> impl Iterator<Item = SlotIndex> + 'a {
        let values = self.values(range);
        self.segments(range)
            .iter()
            .filter(|s| s.end == s.start.dead() && values[s.value.index()] == s.start)
            .map(|s| s.start)
    }
}
