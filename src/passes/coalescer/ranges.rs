//! Keeps the live ranges of all registers.
//!
//! **Algorithm.** Values and segments of all registers are in two arrays, as liveness leaves them.
//! A register has a row in each. A range that outgrows its row gets a new row at the end, of twice
//! its length.
//!
//! **Complexity.** Storing a range copies it. The arrays are at most a few times the size of the
//! stored ranges.

use super::live_range::{LiveRange, RangeRef};
use super::slots::Renumbering;
use crate::liveness::block_facts::BlockFacts;
use crate::liveness::ranges::{LiveRanges, Segment};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{VRegId, ValueNo};
use index_vec::{IndexSlice, IndexVec};
use std::ops::Range;

#[derive(Clone, Copy, Default)]
struct Row {
    first: u32,
    len: u32,
    capacity: u32,
}

impl Row {
    fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
    fn store<T: Copy>(&mut self, arena: &mut Vec<T>, items: &[T]) {
        let len = items.len() as u32;
        if len > self.capacity {
            self.first = arena.len() as u32;
            self.capacity = 2 * len;
            arena.extend_from_slice(items);
            arena.extend_from_slice(items); // spare room, whose content does not matter
        } else {
            self.len = len;
            arena[self.range()].copy_from_slice(items);
        }
        self.len = len;
    }
}

#[derive(Clone, Copy, Default)]
struct Rows {
    segments: Row,
    values: Row,
    exists: bool,
    /// The time of its last change; 0 if it never changed.
    changed: u32,
}

/// The live ranges of all virtual registers.
#[derive(Default)]
pub struct Ranges {
    rows: IndexVec<VRegId, Rows>,
    segments: Vec<Segment>,
    values: Vec<SlotIndex>,
    /// The number of changes, plus one: 0 is before all of them.
    now: u32,
    /// The time when slots were last renumbered; 0 if they never were.
    renumbered: u32,
}

impl Ranges {
    /// Takes over the ranges that liveness found: those of local registers from `facts`, the rest
    /// from `others`, whose arrays are left empty.
    pub fn read(&mut self, facts: &BlockFacts, others: &mut LiveRanges) {
        self.now = 1;
        self.renumbered = 0;
        // Both sides keep an allocation.
        self.segments.clear();
        self.values.clear();
        std::mem::swap(&mut self.segments, &mut others.segments);
        std::mem::swap(&mut self.values, &mut others.values);
        self.rows.clear();
        let num_regs = facts.last.len();
        let num_local = num_regs - others.ranges.len().min(num_regs);
        self.rows.reserve(num_regs);
        self.segments.reserve(num_local);
        self.values.reserve(num_local);
        for (reg, piece) in facts.last.iter_enumerated() {
            let mut rows = Rows::default();
            if facts.is_local(reg) {
                rows.segments = Row { first: self.segments.len() as u32, len: 1, capacity: 1 };
                rows.values = Row { first: self.values.len() as u32, len: 1, capacity: 1 };
                rows.exists = true;
                self.segments.push(Segment { start: piece.start, end: piece.end, value: ValueNo::new(0) });
                self.values.push(piece.start);
            }
            self.rows.push(rows);
        }
        for range in &others.ranges {
            let row = |first, len| Row { first, len, capacity: len };
            self.rows[others.owner(range)] = Rows {
                segments: row(range.first_segment, range.num_segments),
                values: row(range.first_value, range.num_values),
                exists: true,
                changed: 0,
            };
        }
        others.ranges.clear();
    }
    /// The range of `reg`.
    pub fn get(&self, reg: VRegId) -> RangeRef<'_> {
        let rows = &self.rows[reg];
        RangeRef {
            segments: &self.segments[rows.segments.range()],
            values: IndexSlice::new(&self.values[rows.values.range()]),
        }
    }
    /// Whether `reg` has a range, which may be empty.
    pub fn has(&self, reg: VRegId) -> bool {
        self.rows[reg].exists
    }
    /// Makes `range` the range of `reg`.
    pub fn store(&mut self, reg: VRegId, range: &LiveRange) {
        let rows = &mut self.rows[reg];
        rows.segments.store(&mut self.segments, &range.segments);
        rows.values.store(&mut self.values, range.values.as_raw_slice());
        rows.exists = true;
        self.now += 1;
        rows.changed = self.now;
    }
    /// Changes the range of `reg` by `f`, with `scratch` as storage.
    pub fn edit<T>(
        &mut self,
        reg: VRegId,
        scratch: &mut LiveRange,
        f: impl FnOnce(&mut LiveRange) -> T,
    ) -> T {
        scratch.assign(self.get(reg));
        let result = f(scratch);
        self.store(reg, scratch);
        result
    }
    /// Removes the range of `reg`.
    pub fn remove(&mut self, reg: VRegId) {
        self.now += 1;
        self.rows[reg] = Rows { changed: self.now, ..Rows::default() };
    }
    /// Adds a register with an empty range.
    pub fn push(&mut self) {
        self.now += 1;
        self.rows.push(Rows { exists: true, changed: self.now, ..Rows::default() });
    }
    /// The time: every change advances it.
    pub fn now(&self) -> u32 {
        self.now
    }
    /// Counts a change of the range of `reg`, for example when another instruction defines its
    /// value now.
    pub fn touch(&mut self, reg: VRegId) {
        self.now += 1;
        self.rows[reg].changed = self.now;
    }
    /// Whether the range of `reg` has not changed since the time `then`.
    pub fn is_unchanged_since(&self, reg: VRegId, then: u32) -> bool {
        self.rows[reg].changed <= then
    }
    /// Whether slots recorded at the time `then` have other numbers now.
    pub fn is_renumbered_since(&self, then: u32) -> bool {
        self.renumbered > then
    }
    /// The registers whose ranges have changed since the time `then`, and whether they still have
    /// one.
    pub fn changed_since(&self, then: u32) -> impl Iterator<Item = (VRegId, bool)> + '_ {
        self.rows.iter_enumerated().filter(move |(_, r)| r.changed > then).map(|(reg, r)| (reg, r.exists))
    }
    /// Gives every slot its new number.
    pub fn renumber(&mut self, new: &Renumbering) {
        self.now += 1;
        self.renumbered = self.now;
        for s in &mut self.segments {
            (s.start, s.end) = (new.of(s.start), new.of(s.end));
        }
        for v in &mut self.values {
            *v = new.of(*v);
        }
    }
}
