//! Rebuilds the range of a register in one block from the code.
//!
//! **Algorithm.** The range outside the block stays. Inside, the defs and uses of the register are
//! walked in order: the value that is live in, or that the last def defined, is live up to its last
//! use.

use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, VRegId, ValueNo};
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::live_range::LiveRange;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;

/// An access to the register. An instruction's uses read before its defs write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Access {
    Use,
    Def,
}

/// Working storage.
#[derive(Default)]
pub struct RangeBuilder {
    range: LiveRange,
    old: LiveRange,
    accesses: Vec<(SlotIndex, Access)>,
    is_used: IndexVec<ValueNo, bool>,
}

impl RangeBuilder {
    /// Makes `to` live where `reg` was live outside the block. The range of `reg` keeps only the
    /// part in the block.
    pub fn move_after_block<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: BlockId,
        reg: VRegId,
        to: VRegId,
    ) {
        let (start, end) = (c.slots.start(block), c.slots.end(block));
        let value = c.ranges.get(to).value_before(end).expect("it is live out");
        let RangeBuilder { range, old, .. } = self;
        old.assign(c.ranges.get(reg));
        range.assign(c.ranges.get(to));
        for s in &old.segments {
            if s.start < start {
                range.add_segment(Segment { start: s.start, end: s.end.min(start), value });
            }
            if s.end > end {
                range.add_segment(Segment { start: s.start.max(end), end: s.end, value });
            }
        }
        c.ranges.store(to, range);
        old.segments.retain_mut(|s| {
            (s.start, s.end) = (s.start.max(start), s.end.min(end));
            s.start < s.end
        });
        c.ranges.store(reg, old);
    }

    /// Rebuilds the range of `reg` in the block. After the block, where it is live as `live_out`,
    /// the range stays.
    pub fn build<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        block: BlockId,
        reg: VRegId,
        live_out: Option<ValueNo>,
    ) {
        let (start, end) = (c.slots.start(block), c.slots.end(block));
        self.old.assign(c.ranges.get(reg));
        self.range.values.clone_from(&self.old.values);
        self.range.segments.clear();
        self.find_accesses(c, block, reg);
        let live_in = self.old.view().value_at(start);
        self.copy_outside(|s| (s.start, s.end.min(start)));
        self.build_inside(start, end, live_in, live_out);
        self.copy_outside(|s| (s.start.max(end), s.end));
        self.drop_unused_values();
        join_segments_that_touch(&mut self.range.segments);
        let has_no_def = self.accesses.iter().all(|a| a.1 == Access::Use);
        if let (Some(live_in), Some(live_out), true) = (live_in, live_out, has_no_def) {
            if live_in != live_out && self.range.view().is_used(live_out) {
                // The last copy restored the value that came in, so both are one value.
                self.range.merge_value_into(live_out, live_in);
            }
        }
        c.ranges.store(reg, &self.range);
    }

    /// Finds the accesses of the block's instructions to `reg`, in order.
    fn find_accesses<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>, block: BlockId, reg: VRegId) {
        let accesses = &mut self.accesses;
        accesses.clear();
        c.code.all_places(reg, |place, op| {
            if c.code.block(place.instr) == block {
                let at = c.code.slot(place.instr);
                if op.reads() && op.is_use() {
                    accesses.push((at.register(), Access::Use));
                }
                if op.is_def() {
                    let at = if op.is_early_clobber() { at.early_clobber() } else { at.register() };
                    accesses.push((at, Access::Def));
                }
            }
            true
        });
        accesses.sort_unstable();
    }

    /// Copies the part of each old segment that `clip` leaves.
    fn copy_outside(&mut self, clip: impl Fn(&Segment) -> (SlotIndex, SlotIndex)) {
        for s in &self.old.segments {
            let (start, end) = clip(s);
            if start < end {
                self.range.segments.push(Segment { start, end, ..*s });
            }
        }
    }

    /// Appends the segments inside the block.
    fn build_inside(
        &mut self,
        start: SlotIndex,
        end: SlotIndex,
        live_in: Option<ValueNo>,
        live_out: Option<ValueNo>,
    ) {
        let (mut value, mut from, mut last_read) = (live_in, start, start);
        let num_defs = self.accesses.iter().filter(|a| a.1 == Access::Def).count();
        let mut num_seen = 0;
        for i in 0..self.accesses.len() {
            let (at, access) = self.accesses[i];
            if access == Access::Def {
                self.push_segment(value, from, last_read, start);
                num_seen += 1;
                value = Some(self.value_of_def(at, live_out, num_seen == num_defs));
                from = at;
            }
            last_read = at;
        }
        let was_live_out = self.old.segments.iter().any(|s| s.start < end && s.end >= end);
        let until = if was_live_out && live_out.is_some() { end } else { last_read };
        self.push_segment(value, from, until, start);
    }

    /// Appends the segment of a value, if there is one. A value that is not read has a dead def,
    /// unless it was live in.
    fn push_segment(
        &mut self,
        value: Option<ValueNo>,
        from: SlotIndex,
        until: SlotIndex,
        block_start: SlotIndex,
    ) {
        let Some(value) = value else { return };
        if until > from {
            self.range.segments.push(Segment { start: from, end: until, value });
        } else if from != block_start {
            self.range.segments.push(Segment { start: from, end: from.dead(), value });
        }
    }

    /// Returns the value of the def at `at`. The last def defines the value that is live out. Any
    /// other def keeps the value that was defined there before, or gets a new one.
    fn value_of_def(&mut self, at: SlotIndex, live_out: Option<ValueNo>, is_last: bool) -> ValueNo {
        if let Some(live_out) = live_out.filter(|_| is_last) {
            self.range.set_def(live_out, at);
            return live_out;
        }
        let known = self.old.view().used_values().find(|&(_, def)| def == at).map(|(value, _)| value);
        match known.filter(|&value| Some(value) != live_out) {
            Some(known) => known,
            None => self.range.new_value(at),
        }
    }

    /// Marks values without segments as unused.
    fn drop_unused_values(&mut self) {
        self.is_used.clear();
        self.is_used.resize(self.range.values.len(), false);
        for s in &self.range.segments {
            self.is_used[s.value] = true;
        }
        for (def, _) in self.range.values.iter_mut().zip(&self.is_used).filter(|(_, is_used)| !**is_used) {
            *def = UNUSED;
        }
    }
}

/// Joins adjacent segments that touch and have the same value.
fn join_segments_that_touch(segments: &mut Vec<Segment>) {
    segments.dedup_by(|next, kept| {
        let touches = kept.end == next.start && kept.value == next.value;
        if touches {
            kept.end = next.end;
        }
        touches
    });
}
