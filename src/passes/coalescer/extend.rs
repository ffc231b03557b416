//! Cutting a value out of a range, and extending a range to where it is read.
//!
//! **Problem.** A join gives part of a value's range to another value: what was there is cut out, and after
//! the join whatever value reaches the old end points is extended to them, with PHI-defs where several do.
//!
//! **Algorithm.** As LLVM's. What is extended is searched for as in liveness ([`LiveRangeCalc`]), on a range that
//! has segments already.
//!
//! Where an IMPLICIT_DEF was replaced and erased, what was read between may be reached by no value any more: it
//! is undefined, and nothing is extended. (LLVM enters a segment without a value, and has an assertion against
//! it.)
//!
//! **Source.** `LiveIntervals::pruneValue`, `extendToIndices`.
//!
//! **Complexity.** That of the search; each block that it visits adds a segment to the range.

use super::live_range::LiveRange;
use super::slots::Slots;
use crate::adt::{PackedOption, Rows};
use crate::liveness::live_range_calc::{self, Extendable, Layout, LiveOut, LiveRangeCalc};
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, ValueNo};

/// The function around the ranges.
pub type Around<'a> = live_range_calc::Around<'a, Slots>;

impl Layout for Slots {
    fn start(&self, block: BlockId) -> SlotIndex {
        self.start(block.raw())
    }
    fn end(&self, block: BlockId) -> SlotIndex {
        self.end(block.raw())
    }
    fn block_of(&self, at: SlotIndex) -> BlockId {
        BlockId::from_raw(self.block_of(at))
    }
}

#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    out: PackedOption<ValueNo>,
}

/// Working storage.
#[derive(Default)]
pub struct Extender {
    stamp: u32,
    blocks: Vec<BlockState>,
    calc: LiveRangeCalc,
    stack: Vec<(u32, u32)>,
}

impl Extender {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.stamp = 0;
        self.blocks.clear();
        self.blocks.resize(num_blocks, BlockState::default());
    }

    /// Cuts the value that is live behind `kill` out, from there to its ends, which go to `ends`.
    pub fn prune_value(
        &mut self,
        around: Around,
        succs: &Rows<BlockId, BlockId>,
        range: &mut LiveRange,
        kill: SlotIndex,
        ends: &mut Vec<SlotIndex>,
    ) {
        let q = range.view().query(kill);
        let Some(value) = q.value_out_or_dead() else { return };
        let kill_block = around.slots.block_of(kill);
        let block_end = around.slots.end(kill_block);
        if q.end < block_end {
            range.remove_segment(kill, q.end);
            ends.push(q.end);
            return;
        }
        range.remove_segment(kill, block_end);
        ends.push(block_end);
        self.stamp += 1;
        for &succ in succs.row(BlockId::from_raw(kill_block)) {
            self.enter(around, range, value, succ.raw(), ends);
            while let Some((block, next)) = self.stack.last_mut() {
                match succs.row(BlockId::from_raw(*block)).get(*next as usize) {
                    Some(&succ) => {
                        *next += 1;
                        self.enter(around, range, value, succ.raw(), ends);
                    }
                    None => {
                        self.stack.pop();
                    }
                }
            }
        }
    }

    /// The search of [`Extender::prune_value`] comes to `block`.
    fn enter(
        &mut self,
        around: Around,
        range: &mut LiveRange,
        value: u32,
        block: u32,
        ends: &mut Vec<SlotIndex>,
    ) {
        if std::mem::replace(&mut self.blocks[block as usize].stamp, self.stamp) == self.stamp {
            return;
        }
        let (start, end) = (around.slots.start(block), around.slots.end(block));
        let q = range.view().query(start);
        if q.value_in() != Some(value) {
            return;
        }
        let until = q.end.min(end);
        range.remove_segment(start, until);
        ends.push(until);
        if until == end {
            self.stack.push((block, 0));
        }
    }

    /// Extends the range to each of `ends`, in this order.
    pub fn extend_to(&mut self, around: Around, range: &mut LiveRange, ends: &[SlotIndex]) {
        self.stamp += 1;
        let Extender { stamp, blocks, calc, .. } = self;
        let mut growing = Growing { stamp: *stamp, blocks, range };
        for &at in ends {
            calc.extend(around, &mut growing, at);
        }
    }
}

/// A range that is extended.
struct Growing<'a> {
    stamp: u32,
    blocks: &'a mut [BlockState],
    range: &'a mut LiveRange,
}

impl Extendable for Growing<'_> {
    fn live_out(&self, block: BlockId) -> LiveOut {
        let s = &self.blocks[block.index()];
        if s.stamp == self.stamp {
            s.out.into()
        } else {
            LiveOut::Unknown
        }
    }
    fn set_live_out(&mut self, block: BlockId, value: Option<ValueNo>) {
        self.blocks[block.index()] = BlockState { stamp: self.stamp, out: value.into() };
    }
    fn extend_in_block(&mut self, _: BlockId, start: SlotIndex, at: SlotIndex) -> Option<ValueNo> {
        self.range.extend_in_block(start, at).map(ValueNo::from_raw)
    }
    fn set_live_in(&mut self, _: BlockId, start: SlotIndex, end: SlotIndex, value: ValueNo) {
        self.range.add_segment(Segment { start, end, value: value.raw() });
    }
    fn new_phi_def(&mut self, start: SlotIndex) -> ValueNo {
        ValueNo::from_raw(self.range.new_value(start))
    }
    fn def_of(&self, value: ValueNo) -> SlotIndex {
        self.range.values[value.index()]
    }
}
