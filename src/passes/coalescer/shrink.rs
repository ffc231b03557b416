//! Cutting a range to what is read.
//!
//! **Problem.** When a reader goes, a register may not have to be live as far any more; a PHI-def that nobody
//! reads goes, and a def that nobody reads is dead. What is left may be in several parts that have nothing to
//! do with each other: each becomes a register of its own.
//!
//! **Algorithm.** Every value lives at its def; from each reader back to it, through the blocks that it was
//! live in before. Parts: values that meet in a PHI-def, or where one is defined as another ends, are one.
//!
//! **Source.** `LiveIntervals::shrinkToUses`, `extendSegmentsToUses`, `computeDeadValues`;
//! `ConnectedVNInfoEqClasses`. **Deviation:** LLVM inserts segments one by one into a sorted array; here ends
//! are kept by def and by block and sorted once, n log n instead of quadratic.
//!
//! **Complexity.** Readers and blocks, times the logarithm of the values.

use super::code::{Place, NONE};
use super::extend::Around;
use super::host::{CoalescerHost, Edit};
use super::live_range::{LiveRange, RangeRef};
use super::{around, Coalescing};
use crate::adt::{BitSet, IntEqClasses};
use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::BlockId;

#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    /// Readers in successors have been told.
    is_live_out: bool,
    /// The value that is live in, and how far.
    live_in: u32,
    end: SlotIndex,
}

/// Working storage.
#[derive(Default)]
pub struct Shrink {
    stamp: u32,
    blocks: Vec<BlockState>,
    /// Of the values in use: def, end and number, by def.
    defs: Vec<(SlotIndex, SlotIndex, u32)>,
    with_live_in: Vec<u32>,
    worklist: Vec<(SlotIndex, u32)>,
    used_phis: BitSet,
    old: LiveRange,
    parts: Vec<u32>,
    classes: IntEqClasses,
}

impl Shrink {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.stamp = 0;
        self.blocks.clear();
        self.blocks.resize(num_blocks, BlockState::default());
    }

    fn state(&mut self, block: u32) -> &mut BlockState {
        let s = &mut self.blocks[block as usize];
        if s.stamp != self.stamp {
            *s = BlockState { stamp: self.stamp, live_in: NONE, ..BlockState::default() };
        }
        s
    }

    /// Begins with a range that is read nowhere.
    pub fn begin(&mut self, range: RangeRef) {
        self.old.assign(range);
        self.stamp += 1;
        self.with_live_in.clear();
        self.worklist.clear();
        self.defs.clear();
        let used = range.values.iter().enumerate().filter(|v| *v.1 != UNUSED);
        self.defs.extend(used.map(|(value, &def)| (def, def.dead(), value as u32)));
        self.defs.sort_unstable_by_key(|d| d.0);
        self.used_phis.reset(range.values.len());
    }

    /// The instruction of `at` reads the range.
    pub fn read_at(&mut self, at: SlotIndex) {
        let q = self.old.view().query(at.register());
        // Without a value some flag of an undefined use is missing.
        let Some(value) = q.value_in() else { return };
        // A tied early-clobber operand reads and writes one slot early.
        let until = q.value_defined().map_or(at.register(), |v| self.old.values[v as usize]);
        self.worklist.push((until, value));
    }

    /// Puts the range with the readers that were told into `out`; values are those that it had.
    pub fn finish(&mut self, around: Around, out: &mut LiveRange) {
        while let Some((at, value)) = self.worklist.pop() {
            self.extend(around, at, value);
        }
        out.values.clear();
        out.values.extend_from_slice(&self.old.values);
        out.segments.clear();
        out.segments.extend(self.defs.iter().map(|&(start, end, value)| Segment { start, end, value }));
        for &block in &self.with_live_in {
            let BlockState { live_in, end, .. } = self.blocks[block as usize];
            out.segments.push(Segment { start: around.slots.start(block), end, value: live_in });
        }
        out.segments.sort_unstable_by_key(|s| s.start);
        out.segments.dedup_by(|next, kept| {
            let joined = next.value == kept.value && next.start <= kept.end;
            if joined {
                kept.end = kept.end.max(next.end);
            }
            joined
        });
    }

    /// `value` is live up to `at`.
    fn extend(&mut self, around: Around, at: SlotIndex, value: u32) {
        let block = around.slots.block_of(at.prev());
        let start = around.slots.start(block);
        let before = self.defs.partition_point(|d| d.0 < at);
        if let Some(def) = self.defs[..before].last_mut().filter(|d| d.0 >= start) {
            debug_assert!(def.2 == value);
            def.1 = def.1.max(at);
            if def.0 == start && self.used_phis.insert(value as usize) {
                for &pred in around.cfg.preds.row(BlockId::from_raw(block)) {
                    let end = around.slots.end(pred.raw());
                    if !std::mem::replace(&mut self.state(pred.raw()).is_live_out, true) {
                        if let Some(value) = self.old.view().value_before(end) {
                            self.worklist.push((end, value));
                        }
                    }
                }
            }
            return;
        }
        let s = self.state(block);
        s.end = s.end.max(at);
        if s.live_in != NONE {
            return;
        }
        s.live_in = value;
        self.with_live_in.push(block);
        for &pred in around.cfg.preds.row(BlockId::from_raw(block)) {
            let end = around.slots.end(pred.raw());
            if !std::mem::replace(&mut self.state(pred.raw()).is_live_out, true)
                && self.old.view().value_before(end).is_some()
            {
                self.worklist.push((end, value));
            }
        }
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Cuts the range of `reg` to what is read, and splits it if it is in several parts.
    pub fn shrink_to_uses(&mut self, reg: u32) {
        self.counts.shrinks += 1;
        if self.shrink_range(reg, false) {
            self.split_parts(reg);
        }
    }
    /// The same; instructions whose defs are all dead go to `dead_defs`.
    pub fn shrink_to_uses_for_dead(&mut self, reg: u32) {
        self.counts.shrinks += 1;
        if self.shrink_range(reg, true) {
            self.split_parts(reg);
        }
    }

    /// Cuts the range of `reg` to what is read; whether it may be in several parts. With `collect_dead`
    /// instructions whose defs are all dead go to `dead_defs`.
    pub fn shrink_range(&mut self, reg: u32, collect_dead: bool) -> bool {
        let mut places = std::mem::take(&mut self.b.places);
        self.code.places(reg, &mut places);
        self.b.shrink.begin(self.ranges.get(reg));
        for &place in &places {
            if self.code.operand(place).reads() {
                let at = self.slot_of(place.instr);
                self.b.shrink.read_at(at);
            }
        }
        self.b.places = places;
        let mut range = std::mem::take(&mut self.b.scratch);
        self.b.shrink.finish(around!(self), &mut range);

        let mut may_be_in_parts = false;
        for value in 0..range.values.len() {
            let def = range.values[value];
            if def == UNUSED {
                continue;
            }
            let segment = range.view().segment_at(def).expect("a value lives at its def");
            if range.segments[segment].end != def.dead() {
                continue;
            }
            may_be_in_parts = true;
            if def.is_block() {
                range.values[value] = UNUSED;
                range.segments.remove(segment);
            } else {
                let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
                self.set_dead(instr, reg, true);
                if collect_dead && self.code.all_defs_are_dead(instr) {
                    self.b.dead_defs.push(instr);
                }
            }
        }
        self.ranges.store(reg, &range);
        self.b.scratch = range;
        may_be_in_parts
    }

    /// Gives each part of the range of `reg` but the first a register of its own (`splitSeparateComponents`).
    pub fn split_parts(&mut self, reg: u32) {
        let mut parts = std::mem::take(&mut self.b.shrink.parts);
        let num_parts = self.classify(reg, &mut parts);
        if num_parts > 1 {
            let first_new = self.code.num_regs() as u32;
            for _ in 1..num_parts {
                self.clone_reg(reg);
            }
            self.move_parts(reg, &parts, first_new);
            self.distribute(reg, &parts, num_parts, first_new);
        }
        self.b.shrink.parts = parts;
    }

    /// By value the part that it is in; parts count in the order of their first values. How many there are
    /// (`ConnectedVNInfoEqClasses::Classify`).
    fn classify(&mut self, reg: u32, parts: &mut Vec<u32>) -> u32 {
        let range = self.ranges.get(reg);
        let classes = &mut self.b.shrink.classes;
        classes.reset(range.values.len());
        let (mut last_used, mut last_unused) = (NONE, NONE);
        for (value, &def) in range.values.iter().enumerate() {
            let value = value as u32;
            if def == UNUSED {
                if last_unused != NONE {
                    classes.join(last_unused, value);
                }
                last_unused = value;
                continue;
            }
            last_used = value;
            if def.is_block() {
                for &pred in self.cfg.preds.row(BlockId::from_raw(self.slots.block_of(def))) {
                    if let Some(other) = range.value_before(self.slots.end(pred.raw())) {
                        classes.join(value, other);
                    }
                }
            } else if let Some(other) = range.value_before(def) {
                classes.join(value, other);
            }
        }
        if last_used != NONE && last_unused != NONE {
            classes.join(last_used, last_unused);
        }
        classes.compress(parts)
    }

    /// Operands of values that are not in the first part become those of new registers.
    fn move_parts(&mut self, reg: u32, parts: &[u32], first_new: u32) {
        let mut moves: Vec<(Place, u32)> = Vec::new();
        let mut places = std::mem::take(&mut self.b.places);
        self.code.places(reg, &mut places);
        let range = self.ranges.get(reg);
        for &place in &places {
            let q = range.query(self.slot_of(place.instr));
            let reads = self.code.operand(place).reads();
            let value = if reads { q.value_in() } else { q.value_defined() };
            if let Some(part) = value.map(|v| parts[v as usize]).filter(|&p| p > 0) {
                moves.push((place, first_new + part - 1));
            }
        }
        let debug_moves: Vec<(u32, u32)> = self
            .code
            .debug_operands(reg)
            .filter_map(|i| {
                let value = range.query(self.debug_slot(i)).value_out()?;
                Some((i, parts[value as usize])).filter(|m| m.1 > 0)
            })
            .map(|(i, part)| (i, first_new + part - 1))
            .collect();
        self.b.places = places;
        for &(place, to) in &moves {
            self.host.edit(Edit::Mark(place, to));
        }
        for &(debug, to) in &debug_moves {
            self.host.edit(Edit::MarkDebug(debug, to));
        }
        self.host.edit(Edit::MoveMarked(reg));
        self.code.distribute(reg, &moves);
        self.code.move_debug_operands(reg, |i| debug_moves.iter().find(|m| m.0 == i).map_or(reg, |m| m.1));
    }

    /// Segments and values of the parts.
    fn distribute(&mut self, reg: u32, parts: &[u32], num_parts: u32, first_new: u32) {
        let old = self.ranges.get(reg);
        let mut split = vec![LiveRange::default(); num_parts as usize];
        let mut numbers = Vec::with_capacity(parts.len());
        for (value, &def) in old.values.iter().enumerate() {
            let to = &mut split[parts[value] as usize].values;
            numbers.push(to.len() as u32);
            to.push(def);
        }
        for s in old.segments {
            let to = &mut split[parts[s.value as usize] as usize].segments;
            to.push(Segment { value: numbers[s.value as usize], ..*s });
        }
        self.ranges.store(reg, &split[0]);
        for (i, range) in split.iter().enumerate().skip(1) {
            self.ranges.store(first_new + i as u32 - 1, range);
        }
    }
}
