//! Rebuilds a range so that each value reaches from its def to its readers only.
//!
//! **Algorithm.** Every value is live at its def, and from each reader back to it, through the
//! blocks that it was live in before.
//!
//! **Source.** `LiveIntervals::extendSegmentsToUses`. **Deviation:** LLVM inserts segments one by
//! one into a sorted array. Here end points are kept by def and by block and sorted once, which is
//! O(n log n) instead of quadratic.
//!
//! **Complexity.** O((readers + blocks) · log values).

use super::extend::FunctionAround;
use super::live_range::{LiveRange, RangeRef};
use crate::adt::{BitSet, PackedOption};
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, ValueNo};
use index_vec::IndexVec;

#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    /// The value live out of the block is in the worklist, or was.
    is_live_out: bool,
    /// The value that is live in.
    live_in: PackedOption<ValueNo>,
    /// The slot up to which that value is live.
    end: SlotIndex,
}

/// Working storage.
#[derive(Default)]
pub struct Shrinker {
    stamp: u32,
    blocks: IndexVec<BlockId, BlockState>,
    /// The segments that begin at the defs of the values in use, by def.
    defs: Vec<Segment>,
    with_live_in: Vec<BlockId>,
    /// Values, and the slots up to which they are live.
    worklist: Vec<(SlotIndex, ValueNo)>,
    used_phis: BitSet,
    old: LiveRange,
}

impl Shrinker {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.stamp = 0;
        self.blocks.clear();
        self.blocks.resize(num_blocks, BlockState::default());
    }

    fn state(&mut self, block: BlockId) -> &mut BlockState {
        let s = &mut self.blocks[block];
        if s.stamp != self.stamp {
            *s = BlockState { stamp: self.stamp, ..BlockState::default() };
        }
        s
    }

    /// Begins with a range that has no reader.
    pub fn begin(&mut self, range: RangeRef) {
        self.old.assign(range);
        self.stamp += 1;
        self.with_live_in.clear();
        self.worklist.clear();
        self.defs.clear();
        let used = range.used_values();
        self.defs.extend(used.map(|(value, start)| Segment { start, end: start.dead(), value }));
        self.defs.sort_unstable_by_key(|d| d.start);
        self.used_phis.reset(range.values.len());
    }

    /// Adds a reader: the instruction of `at`.
    pub fn add_reader(&mut self, at: SlotIndex) {
        let q = self.old.view().query(at.register());
        // No value: an undefined use lacks its flag.
        let Some(value) = q.value_in() else { return };
        // A tied early-clobber operand is read and written one slot early.
        let until = q.value_defined().map_or(at.register(), |defined| self.old.view().def(defined));
        self.worklist.push((until, value));
    }

    /// Puts the range with these readers into `out`. Its values are as before.
    pub fn finish(&mut self, around: FunctionAround, out: &mut LiveRange) {
        while let Some((at, value)) = self.worklist.pop() {
            self.extend(around, at, value);
        }
        out.values.clone_from(&self.old.values);
        out.segments.clear();
        out.segments.extend_from_slice(&self.defs);
        for &block in &self.with_live_in {
            let BlockState { live_in, end, .. } = self.blocks[block];
            let value = live_in.get().expect("the block has a value that is live in");
            out.segments.push(Segment { start: around.slots.start(block), end, value });
        }
        out.segments.sort_unstable_by_key(|s| s.start);
        out.segments.dedup_by(|next, kept| {
            let is_joined = next.value == kept.value && next.start <= kept.end;
            if is_joined {
                kept.end = kept.end.max(next.end);
            }
            is_joined
        });
    }

    /// Makes `value` live up to `at`.
    fn extend(&mut self, around: FunctionAround, at: SlotIndex, value: ValueNo) {
        let block = around.slots.block_of(at.prev());
        let start = around.slots.start(block);
        let before = self.defs.partition_point(|d| d.start < at);
        if let Some(def) = self.defs[..before].last_mut().filter(|d| d.start >= start) {
            debug_assert!(def.value == value);
            def.end = def.end.max(at);
            if def.start == start && self.used_phis.insert(value.index()) {
                for &pred in around.cfg.preds.row(block) {
                    self.extend_to_end(around, pred, None);
                }
            }
            return;
        }
        let s = self.state(block);
        s.end = s.end.max(at);
        if s.live_in.is_some() {
            return;
        }
        s.live_in = value.into();
        self.with_live_in.push(block);
        for &pred in around.cfg.preds.row(block) {
            self.extend_to_end(around, pred, Some(value));
        }
    }

    /// Makes the range live out of `block`, with `value`, or without one with its old value there.
    fn extend_to_end(&mut self, around: FunctionAround, block: BlockId, value: Option<ValueNo>) {
        let end = around.slots.end(block);
        if !std::mem::replace(&mut self.state(block).is_live_out, true) {
            if let Some(old) = self.old.view().value_before(end) {
                self.worklist.push((end, value.unwrap_or(old)));
            }
        }
    }
}
