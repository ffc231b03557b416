//! Queries live ranges and changes them.
//!
//! **Problem.** The coalescer queries which value a register has at a slot. It cuts, joins and
//! extends ranges value by value.
//!
//! **Algorithm.** [`RangeRef`] answers queries: segments are ordered, so each is a binary search.
//! [`LiveRange`] is a range copied out of the table of ranges ([`super::ranges`]) to be changed.
//!
//! **Source.** `LiveRange` of `LiveInterval.h` and `LiveInterval.cpp`: the same operations under
//! the same names. **Deviation:** a value (VNInfo) is a number; an unused value has the def
//! [`UNUSED`].
//!
//! **Complexity.** A query takes O(log segments). A change takes O(segments), of 12 bytes each,
//! moved at once.

use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::{Slot, SlotIndex};
use crate::mir::ValueNo;
use index_vec::{IndexSlice, IndexVec};

/// A range to query.
#[derive(Clone, Copy)]
pub struct RangeRef<'a> {
    /// Ordered; two that touch have different values.
    pub segments: &'a [Segment],
    /// By value, its def.
    pub values: &'a IndexSlice<ValueNo, [SlotIndex]>,
}

/// The values of a range around an instruction (`LiveQueryResult`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    early: Option<ValueNo>,
    late: Option<ValueNo>,
    /// The end of the segment that leaves the instruction, or else of the one that enters it.
    pub end: SlotIndex,
    /// Whether the value that is live into the instruction ends there.
    pub is_kill: bool,
}

impl Query {
    /// The value that is live into the instruction.
    pub fn value_in(self) -> Option<ValueNo> {
        self.early
    }
    /// The value that is live after it, or defined there and dead.
    pub fn value_out_or_dead(self) -> Option<ValueNo> {
        self.late
    }
    /// The value that is live after it.
    pub fn value_out(self) -> Option<ValueNo> {
        self.late.filter(|_| self.end.slot() != Slot::Dead)
    }
    /// The value that it defines.
    pub fn value_defined(self) -> Option<ValueNo> {
        self.late.filter(|_| self.early != self.late)
    }
}

impl<'a> RangeRef<'a> {
    /// Finds the first segment that ends after `at`.
    pub fn find(self, at: SlotIndex) -> usize {
        self.segments.partition_point(|s| s.end <= at)
    }
    /// Finds the segment that `at` is in.
    pub fn segment_at(self, at: SlotIndex) -> Option<usize> {
        let i = self.find(at);
        self.segments.get(i).filter(|s| s.start <= at).map(|_| i)
    }
    /// The value at `at`.
    pub fn value_at(self, at: SlotIndex) -> Option<ValueNo> {
        self.segment_at(at).map(|i| self.segments[i].value)
    }
    /// The value just before `at`.
    pub fn value_before(self, at: SlotIndex) -> Option<ValueNo> {
        self.value_at(at.prev())
    }
    /// Whether it is live at `at`.
    pub fn is_live_at(self, at: SlotIndex) -> bool {
        self.segment_at(at).is_some()
    }
    /// Finds the values around the instruction of `at`.
    pub fn query(self, at: SlotIndex) -> Query {
        let base = at.base();
        let mut q = Query { early: None, late: None, end: SlotIndex(0), is_kill: false };
        let mut i = self.find(base);
        let Some(first) = self.segments.get(i) else { return q };
        if first.start <= base {
            q.early = Some(first.value);
            q.end = first.end;
            if first.end.same_instr(at) {
                q.is_kill = true;
                i += 1;
                if i == self.segments.len() {
                    return q;
                }
            }
            // A PHI-def can be in the middle of a segment, when its value is live out of the
            // previous block in layout.
            if self.def(first.value) == base {
                q.early = None;
            }
        }
        let s = &self.segments[i];
        if s.start.entry() <= at.entry() {
            q.late = Some(s.value);
            q.end = s.end;
        }
        q
    }
    /// Whether the two have a slot in common.
    pub fn overlaps(self, other: RangeRef) -> bool {
        let (mut a, mut b) = (self.segments, other.segments);
        if a.is_empty() || b.is_empty() {
            return false;
        }
        // Skips segments that end before the other range begins; then walks both side by side.
        a = &a[a.partition_point(|s| s.end <= b[0].start)..];
        if let Some(first) = a.first() {
            b = &b[b.partition_point(|s| s.end <= first.start)..];
        }
        while let (Some(x), Some(y)) = (a.first(), b.first()) {
            if x.start < y.end && y.start < x.end {
                return true;
            }
            if x.end <= y.end {
                a = &a[1..];
            } else {
                b = &b[1..];
            }
        }
        false
    }
    /// Whether it is live anywhere in `start..end`.
    pub fn overlaps_span(self, start: SlotIndex, end: SlotIndex) -> bool {
        let i = self.segments.partition_point(|s| s.start < end);
        i > 0 && self.segments[i - 1].end > start
    }
    /// Where a value is defined.
    pub fn def(self, value: ValueNo) -> SlotIndex {
        self.values[value]
    }
    /// Whether a value has a PHI-def.
    pub fn is_phi_def(self, value: ValueNo) -> bool {
        self.def(value).is_block()
    }
    /// Whether a value is in use.
    pub fn is_used(self, value: ValueNo) -> bool {
        self.def(value) != UNUSED
    }
    /// The values that are in use, and their defs.
    pub fn used_values(self) -> impl Iterator<Item = (ValueNo, SlotIndex)> + 'a {
        self.values.iter_enumerated().map(|(value, &def)| (value, def)).filter(|&(_, def)| def != UNUSED)
    }
    /// Whether exactly one value is in use.
    pub fn has_one_value(self) -> bool {
        let mut used = self.used_values();
        used.next().is_some() && used.next().is_none()
    }
    /// Whether the range is live out of a block that ends at `end`.
    pub fn is_live_out(self, end: SlotIndex) -> bool {
        self.segment_at(end.prev()).is_some_and(|i| self.segments[i].end >= end)
    }
}

/// A range to change (`LiveRange`).
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct LiveRange {
    /// As in [`RangeRef`].
    pub segments: Vec<Segment>,
    /// As in [`RangeRef`].
    pub values: IndexVec<ValueNo, SlotIndex>,
}

impl LiveRange {
    /// The range, to query.
    pub fn view(&self) -> RangeRef<'_> {
        RangeRef { segments: &self.segments, values: &self.values }
    }
    /// Makes it a copy of `from`.
    pub fn assign(&mut self, from: RangeRef) {
        self.segments.clear();
        self.segments.extend_from_slice(from.segments);
        self.values.clear();
        self.values.extend_from_slice(from.values);
    }
    /// Removes `start..end`, which one segment covers. Does nothing if no segment ends after
    /// `start`.
    pub fn remove_segment(&mut self, start: SlotIndex, end: SlotIndex) {
        let i = self.view().find(start);
        let Some(&s) = self.segments.get(i) else { return };
        debug_assert!(s.start <= start && end <= s.end);
        if s.start == start {
            if s.end == end {
                self.segments.remove(i);
            } else {
                self.segments[i].start = end;
            }
        } else {
            self.segments[i].end = start;
            if s.end != end {
                self.segments.insert(i + 1, Segment { start: end, ..s });
            }
        }
    }
    /// Removes a value and all its segments.
    pub fn remove_value(&mut self, value: ValueNo) {
        if self.segments.is_empty() {
            return;
        }
        self.segments.retain(|s| s.value != value);
        self.drop_value(value);
    }
    /// Marks a value as unused, or drops it if it is the last one (`markValNoForDeletion`).
    fn drop_value(&mut self, value: ValueNo) {
        if value + 1 == self.values.len_idx() {
            self.values.pop();
            while self.values.last() == Some(&UNUSED) {
                self.values.pop();
            }
        } else {
            self.set_def(value, UNUSED);
        }
    }
    /// Merges two values to one, with the smaller number and the def of `into`. Returns it.
    pub fn merge_value_into(&mut self, from: ValueNo, into: ValueNo) -> ValueNo {
        debug_assert!(from != into);
        let (keep, gone) = (from.min(into), from.max(into));
        self.set_def(keep, self.view().def(into));
        for s in &mut self.segments {
            if s.value == gone {
                s.value = keep;
            }
        }
        self.join_touching();
        self.drop_value(gone);
        keep
    }
    /// Merges segments that touch and have the same value.
    fn join_touching(&mut self) {
        self.segments.dedup_by(|next, kept| {
            let joined = next.start == kept.end && next.value == kept.value;
            if joined {
                kept.end = next.end;
            }
            joined
        });
    }
    /// Adds a segment, which may only overlap others of the same value. Returns the position of the
    /// segment that it became part of.
    pub fn add_segment(&mut self, segment: Segment) -> usize {
        let Segment { start, end, value } = segment;
        // [first, last) are the segments with its value that it touches or overlaps.
        let mut first = self.segments.partition_point(|s| s.end < start);
        if self.segments.get(first).is_some_and(|s| s.end == start && s.value != value) {
            first += 1;
        }
        let mut last = first;
        while self.segments.get(last).is_some_and(|s| s.start <= end && s.value == value) {
            last += 1;
        }
        if first == last {
            self.segments.insert(first, segment);
        } else {
            let joined = Segment {
                start: start.min(self.segments[first].start),
                end: end.max(self.segments[last - 1].end),
                value,
            };
            self.segments[first] = joined;
            self.segments.drain(first + 1..last);
        }
        first
    }
    /// Sets where a value is defined; [`UNUSED`] if it no longer is.
    pub fn set_def(&mut self, value: ValueNo, def: SlotIndex) {
        self.values[value] = def;
    }
    /// Makes a new value with this def.
    pub fn new_value(&mut self, def: SlotIndex) -> ValueNo {
        self.values.push(def)
    }
    /// Extends the value that is live before `at`, in the block that begins at `start`, to `at`.
    /// Returns it.
    pub fn extend_in_block(&mut self, start: SlotIndex, at: SlotIndex) -> Option<ValueNo> {
        let before = self.segments.partition_point(|s| s.start < at);
        let s = *self.segments[..before].last()?;
        if s.end <= start {
            return None;
        }
        if s.end < at {
            self.add_segment(Segment { start: s.start, end: at, value: s.value });
        }
        Some(s.value)
    }
    /// Adds a dead def at `def`, unless the instruction already defines the register. Returns its
    /// value.
    pub fn create_dead_def(&mut self, def: SlotIndex) -> ValueNo {
        let i = self.view().find(def);
        if let Some(s) = self.segments.get_mut(i).filter(|s| s.start.same_instr(def)) {
            if def < s.start {
                s.start = def;
                let value = s.value;
                self.set_def(value, def);
                return value;
            }
            return s.value;
        }
        let value = self.new_value(def);
        self.segments.insert(i, Segment { start: def, end: def.dead(), value });
        value
    }
}
