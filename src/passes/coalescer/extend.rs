//! Cuts a value out of a range, and extends a range to where it is read.
//!
//! **Problem.** A join gives part of a value's range to another value. That part is cut out. After
//! the join, the value that now reaches each old end point is extended to it, with PHI-defs where
//! several values meet.
//!
//! **Algorithm.** LLVM's. The search for the value that reaches an end point is that of liveness
//! ([`LiveRangeCalc`]), on a range that already has segments. Where an IMPLICIT_DEF was replaced
//! and erased, a reader may no longer be reached by any value. It reads an undefined register, and
//! nothing is extended. (LLVM enters a segment without a value there, which trips an assertion.)
//!
//! **Source.** `LiveIntervals::pruneValue`, `extendToIndices`.
//!
//! **Complexity.** That of the search; each block that it visits adds a segment to the range.

use super::live_range::LiveRange;
use super::slots::Slots;
use crate::adt::{PackedOption, Rows};
use crate::liveness::live_range_calc::{Around, Extendable, Layout, LiveOut, LiveRangeCalc};
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, ValueNo};
use index_vec::IndexVec;

/// The function around the ranges.
pub type FunctionAround<'a> = Around<'a, Slots>;

impl Layout for Slots {
    fn start(&self, block: BlockId) -> SlotIndex {
        self.start(block)
    }
    fn end(&self, block: BlockId) -> SlotIndex {
        self.end(block)
    }
    fn block_of(&self, at: SlotIndex) -> BlockId {
        self.block_of(at)
    }
}

/// The value at the end of a block, if the stamp is that of the search.
#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    out: PackedOption<ValueNo>,
}

/// Working storage.
#[derive(Default)]
pub struct Extender {
    stamp: u32,
    blocks: IndexVec<BlockId, BlockState>,
    calc: LiveRangeCalc,
    /// The path of the search: its blocks, and how many successors of each it has followed.
    stack: Vec<(BlockId, usize)>,
}

impl Extender {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.stamp = 0;
        self.blocks.clear();
        self.blocks.resize(num_blocks, BlockState::default());
    }

    /// Cuts out the value that is live after `kill`, from there to its end points, which go to
    /// `ends`.
    pub fn prune_value(
        &mut self,
        around: FunctionAround,
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
        for &succ in succs.row(kill_block) {
            self.enter(around, range, value, succ, ends);
            while let Some((block, next)) = self.stack.last_mut() {
                match succs.row(*block).get(*next) {
                    Some(&succ) => {
                        *next += 1;
                        self.enter(around, range, value, succ, ends);
                    }
                    None => {
                        self.stack.pop();
                    }
                }
            }
        }
    }

    /// Cuts the value out of `block`, which the search of [`Extender::prune_value`] has reached.
    fn enter(
        &mut self,
        around: FunctionAround,
        range: &mut LiveRange,
        value: ValueNo,
        block: BlockId,
        ends: &mut Vec<SlotIndex>,
    ) {
        if std::mem::replace(&mut self.blocks[block].stamp, self.stamp) == self.stamp {
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
    pub fn extend_to(&mut self, around: FunctionAround, range: &mut LiveRange, ends: &[SlotIndex]) {
        self.stamp += 1;
        let Extender { stamp, blocks, calc, .. } = self;
        let mut growing = Growing { stamp: *stamp, blocks, range };
        for &at in ends {
            calc.extend(around, &mut growing, at);
        }
    }
}

/// A range that is being extended.
struct Growing<'a> {
    stamp: u32,
    blocks: &'a mut IndexVec<BlockId, BlockState>,
    range: &'a mut LiveRange,
}

impl Extendable for Growing<'_> {
    fn live_out(&self, block: BlockId) -> LiveOut {
        let s = &self.blocks[block];
        if s.stamp == self.stamp {
            s.out.into()
        } else {
            LiveOut::Unknown
        }
    }
    fn set_live_out(&mut self, block: BlockId, value: Option<ValueNo>) {
        self.blocks[block] = BlockState { stamp: self.stamp, out: value.into() };
    }
    fn extend_in_block(&mut self, _: BlockId, start: SlotIndex, at: SlotIndex) -> Option<ValueNo> {
        self.range.extend_in_block(start, at)
    }
    fn set_live_in(&mut self, _: BlockId, start: SlotIndex, end: SlotIndex, value: ValueNo) {
        self.range.add_segment(Segment { start, end, value });
    }
    fn new_phi_def(&mut self, start: SlotIndex) -> ValueNo {
        self.range.new_value(start)
    }
    fn def_of(&self, value: ValueNo) -> SlotIndex {
        self.range.view().def(value)
    }
}
