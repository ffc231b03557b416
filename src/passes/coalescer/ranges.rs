//! The live ranges of all registers.
//!
//! **Algorithm.** Values and segments of all registers are in two arrays, as liveness leaves them; a register
//! has a row of each. One that outgrows its row gets another one at the end, of twice the size.
//!
//! **Complexity.** Storing a range is a copy; the arrays are at most a few times the size of what was stored.

use super::live_range::{LiveRange, RangeRef};
use super::slots::renumbered;
use crate::liveness::block_facts::BlockFacts;
use crate::liveness::ranges::{LiveRanges, Segment};
use crate::liveness::slot_index::SlotIndex;

#[derive(Clone, Copy, Default)]
struct Row {
    first: u32,
    len: u32,
    capacity: u32,
}

impl Row {
    fn range(self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.len) as usize
    }
    fn store<T: Copy>(&mut self, arena: &mut Vec<T>, items: &[T]) {
        let len = items.len() as u32;
        if len > self.capacity {
            self.first = arena.len() as u32;
            self.capacity = 2 * len;
            arena.extend_from_slice(items);
            arena.extend_from_slice(items); // room, of whatever content
        } else {
            arena[self.first as usize..][..items.len()].copy_from_slice(items);
        }
        self.len = len;
    }
}

#[derive(Clone, Copy, Default)]
struct Rows {
    segments: Row,
    values: Row,
    exists: bool,
    /// When it was changed last; 0 if it was not.
    changed: u32,
}

/// By virtual register.
#[derive(Default)]
pub struct Ranges {
    rows: Vec<Rows>,
    segments: Vec<Segment>,
    values: Vec<SlotIndex>,
    /// How many changes there have been, and one, as 0 is before all of them.
    now: u32,
}

impl Ranges {
    /// Takes over what liveness has found of local registers and of `others`; the arrays of these are left empty.
    pub fn read(&mut self, facts: &BlockFacts, others: &mut LiveRanges) {
        self.now = 1;
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
        for (reg, piece) in facts.last.iter().enumerate() {
            let mut rows = Rows::default();
            if facts.is_local(reg) {
                rows.segments = Row { first: self.segments.len() as u32, len: 1, capacity: 1 };
                rows.values = Row { first: self.values.len() as u32, len: 1, capacity: 1 };
                rows.exists = true;
                self.segments.push(Segment { start: piece.start, end: piece.end, value: 0 });
                self.values.push(piece.start);
            }
            self.rows.push(rows);
        }
        for range in others.ranges.drain(..) {
            let row = |first, len| Row { first, len, capacity: len };
            self.rows[range.owner as usize] = Rows {
                segments: row(range.first_segment, range.num_segments),
                values: row(range.first_value, range.num_values),
                exists: true,
                changed: 0,
            };
        }
    }
    /// The range of `reg`.
    pub fn get(&self, reg: u32) -> RangeRef<'_> {
        let rows = &self.rows[reg as usize];
        RangeRef {
            segments: &self.segments[rows.segments.range()],
            values: &self.values[rows.values.range()],
        }
    }
    /// Whether it has one, maybe empty.
    pub fn has(&self, reg: u32) -> bool {
        self.rows[reg as usize].exists
    }
    /// Makes `range` the range of `reg`.
    pub fn store(&mut self, reg: u32, range: &LiveRange) {
        let rows = &mut self.rows[reg as usize];
        rows.segments.store(&mut self.segments, &range.segments);
        rows.values.store(&mut self.values, &range.values);
        rows.exists = true;
        self.now += 1;
        rows.changed = self.now;
    }
    /// Changes the range of `reg` in `scratch`.
    pub fn edit<T>(&mut self, reg: u32, scratch: &mut LiveRange, f: impl FnOnce(&mut LiveRange) -> T) -> T {
        scratch.assign(self.get(reg));
        let result = f(scratch);
        self.store(reg, scratch);
        result
    }
    /// `reg` has no range any more.
    pub fn remove(&mut self, reg: u32) {
        self.now += 1;
        self.rows[reg as usize] = Rows { changed: self.now, ..Rows::default() };
    }
    /// Another register, with an empty range.
    pub fn push(&mut self) {
        self.now += 1;
        self.rows.push(Rows { exists: true, changed: self.now, ..Rows::default() });
    }
    /// The time, which goes on with every change.
    pub fn now(&self) -> u32 {
        self.now
    }
    /// An instruction that defines a value of `reg` is another one now.
    pub fn touch(&mut self, reg: u32) {
        self.now += 1;
        self.rows[reg as usize].changed = self.now;
    }
    /// Whether the range of `reg` is what it was then.
    pub fn is_unchanged_since(&self, reg: u32, then: u32) -> bool {
        self.rows[reg as usize].changed <= then
    }
    /// The registers whose range is not what it was, and whether they have one.
    pub fn changed(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        let rows = self.rows.iter().enumerate().filter(|(_, r)| r.changed > 0);
        rows.map(|(reg, r)| (reg as u32, r.exists))
    }
    /// Entries have new numbers.
    pub fn renumber(&mut self, new: &[u32]) {
        for s in &mut self.segments {
            (s.start, s.end) = (renumbered(s.start, new), renumbered(s.end, new));
        }
        for v in &mut self.values {
            *v = renumbered(*v, new);
        }
    }
}
