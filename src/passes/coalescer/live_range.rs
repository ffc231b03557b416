//! A live range that changes.
//!
//! **Problem.** The coalescer asks what a register is at a slot, and cuts, joins and extends ranges, value by
//! value.
//!
//! **Algorithm.** [`RangeRef`] reads: segments are ordered, so every question is a binary search.
//! [`LiveRange`] changes one that was copied out of the table of ranges.
//!
//! **Source.** `LiveRange` of `LiveInterval.h` and `LiveInterval.cpp`: the same operations under the same
//! names. **Deviation:** values are numbers, a value that is gone has the def [`UNUSED`].
//!
//! **Complexity.** Questions O(log segments); a change O(segments), of 12 bytes each, moved at once.

use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::{Slot, SlotIndex};

/// A range to look at.
#[derive(Clone, Copy)]
pub struct RangeRef<'a> {
    /// Ordered; two that touch have different values.
    pub segments: &'a [Segment],
    /// By number, the def.
    pub values: &'a [SlotIndex],
}

/// What a range is at an instruction (`LiveQueryResult`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Query {
    early: Option<u32>,
    late: Option<u32>,
    /// Where the segment ends that leaves the instruction, or else the one that enters it.
    pub end: SlotIndex,
    /// Whether the value that enters ends there.
    pub is_kill: bool,
}

impl Query {
    /// The value that is live into the instruction.
    pub fn value_in(self) -> Option<u32> {
        self.early
    }
    /// The value that is live behind it, or defined there and dead.
    pub fn value_out_or_dead(self) -> Option<u32> {
        self.late
    }
    /// The value that is live behind it.
    pub fn value_out(self) -> Option<u32> {
        self.late.filter(|_| self.end.slot() != Slot::Dead)
    }
    /// The value that it defines.
    pub fn value_defined(self) -> Option<u32> {
        self.late.filter(|_| self.early != self.late)
    }
}

impl<'a> RangeRef<'a> {
    /// The first segment that ends behind `at`.
    pub fn find(self, at: SlotIndex) -> usize {
        self.segments.partition_point(|s| s.end <= at)
    }
    /// The segment that `at` is in.
    pub fn segment_at(self, at: SlotIndex) -> Option<usize> {
        let i = self.find(at);
        self.segments.get(i).filter(|s| s.start <= at).map(|_| i)
    }
    /// The value at `at`.
    pub fn value_at(self, at: SlotIndex) -> Option<u32> {
        self.segment_at(at).map(|i| self.segments[i].value)
    }
    /// The value just before `at`.
    pub fn value_before(self, at: SlotIndex) -> Option<u32> {
        self.value_at(at.prev())
    }
    /// Whether it is live at `at`.
    pub fn is_live_at(self, at: SlotIndex) -> bool {
        self.segment_at(at).is_some()
    }
    /// The values around the instruction of `at`.
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
            // A PHI-def in the middle of a segment, as its value is live out of the block before in layout.
            if self.values[first.value as usize] == base {
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
        // The one that begins earlier first; from there a merge of the two.
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
    /// Whether a value has a PHI-def.
    pub fn is_phi_def(self, value: u32) -> bool {
        self.values[value as usize].is_block()
    }
    /// Whether a value is in use.
    pub fn is_used(self, value: u32) -> bool {
        self.values[value as usize] != UNUSED
    }
}

/// A range to change.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct LiveRange {
    /// As in [`RangeRef`].
    pub segments: Vec<Segment>,
    /// As in [`RangeRef`].
    pub values: Vec<SlotIndex>,
}

impl LiveRange {
    /// To look at.
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
    /// Takes `start..end`, which one segment covers, out; nothing if no segment ends behind.
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
    /// Takes all segments of a value out and the value too.
    pub fn remove_value(&mut self, value: u32) {
        if self.segments.is_empty() {
            return;
        }
        self.segments.retain(|s| s.value != value);
        self.drop_value(value);
    }
    /// `markValNoForDeletion`
    fn drop_value(&mut self, value: u32) {
        if value as usize + 1 == self.values.len() {
            self.values.pop();
            while self.values.last() == Some(&UNUSED) {
                self.values.pop();
            }
        } else {
            self.values[value as usize] = UNUSED;
        }
    }
    /// Makes two values one: the smaller number, with the def of `into`. Returns it.
    pub fn merge_value_into(&mut self, from: u32, into: u32) -> u32 {
        debug_assert!(from != into);
        let (keep, gone) = (from.min(into), from.max(into));
        self.values[keep as usize] = self.values[into as usize];
        for s in &mut self.segments {
            if s.value == gone {
                s.value = keep;
            }
        }
        self.join_touching();
        self.drop_value(gone);
        keep
    }
    /// Makes one of two segments that touch and have the same value.
    fn join_touching(&mut self) {
        self.segments.dedup_by(|next, kept| {
            let joined = next.start == kept.end && next.value == kept.value;
            if joined {
                kept.end = next.end;
            }
            joined
        });
    }
    /// Adds a segment, which may only overlap others of the same value; returns the one that it became part
    /// of.
    pub fn add_segment(&mut self, segment: Segment) -> usize {
        let Segment { start, end, value } = segment;
        // Segments that it touches or overlaps and that have its value are [first, last).
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
    /// A new value with this def.
    pub fn new_value(&mut self, def: SlotIndex) -> u32 {
        self.values.push(def);
        self.values.len() as u32 - 1
    }
    /// The value that is live before `at` in the block that begins at `start`, extended to `at`.
    pub fn extend_in_block(&mut self, start: SlotIndex, at: SlotIndex) -> Option<u32> {
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
    /// A def at `def` that nobody reads, unless the instruction defines the register already. Returns its
    /// value.
    pub fn create_dead_def(&mut self, def: SlotIndex) -> u32 {
        let i = self.view().find(def);
        if let Some(s) = self.segments.get_mut(i).filter(|s| s.start.same_instr(def)) {
            if def < s.start {
                s.start = def;
                self.values[s.value as usize] = def;
            }
            return s.value;
        }
        let value = self.new_value(def);
        self.segments.insert(i, Segment { start: def, end: def.dead(), value });
        value
    }
}
