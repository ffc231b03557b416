//! Cutting a value out of a range, and extending a range to where it is read.
//!
//! **Problem.** A join gives part of a value's range to another value: what was there is cut out, and after
//! the join whatever value reaches the old end points is extended to them, with PHI-defs where several do.
//!
//! **Algorithm.** As LLVM's. [`Extender::extend`] is the search of [`crate::liveness::values`] on a range that
//! has segments already: backward to the blocks that know their value, one value is live in wherever the
//! search has been, several go down the dominator tree.
//!
//! Where an IMPLICIT_DEF was replaced and erased, what was read between may be reached by no value any more: it
//! is undefined, and nothing is extended. (LLVM enters a segment without a value, and has an assertion against
//! it.)
//!
//! **Source.** `LiveIntervals::pruneValue`, `extendToIndices`; `LiveRangeCalc::findReachingDefs`, `updateSSA`.
//!
//! **Complexity.** Blocks visited, times rounds where values differ; each adds a segment to the range.

use super::code::NONE;
use super::live_range::LiveRange;
use super::slots::Slots;
use crate::adt::Rows;
use crate::liveness::cfg::{Cfg, Dominators};
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;

/// The function around the ranges.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Slots.
    pub slots: &'a Slots,
    /// Predecessors.
    pub cfg: &'a Cfg,
    /// Successors, in LLVM's order.
    pub succs: &'a Rows,
    /// LLVM's numbers of the blocks.
    pub numbers: &'a [u32],
    /// The dominator tree.
    pub dominators: &'a Dominators,
}

#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    out: u32,
}

struct LiveInBlock {
    block: u32,
    value: u32,
    kill: Option<SlotIndex>,
    done: bool,
}

/// Working storage.
#[derive(Default)]
pub struct Extender {
    stamp: u32,
    blocks: Vec<BlockState>,
    worklist: Vec<u32>,
    live_ins: Vec<LiveInBlock>,
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
        for &succ in around.succs.row(kill_block as usize) {
            self.enter(around, range, value, succ, ends);
            while let Some((block, next)) = self.stack.last_mut() {
                match around.succs.row(*block as usize).get(*next as usize) {
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
        for &at in ends {
            self.extend(around, range, at);
        }
    }

    fn seen(&self, block: u32) -> bool {
        self.blocks[block as usize].stamp == self.stamp
    }
    fn out(&self, block: u32) -> u32 {
        if self.seen(block) {
            self.blocks[block as usize].out
        } else {
            NONE
        }
    }
    fn set_out(&mut self, block: u32, out: u32) {
        self.blocks[block as usize] = BlockState { stamp: self.stamp, out };
    }

    fn extend(&mut self, around: Around, range: &mut LiveRange, at: SlotIndex) {
        let block = around.slots.block_of(at.prev());
        if range.extend_in_block(around.slots.start(block), at).is_some() {
            return;
        }
        let Some(kill) = self.find_reaching_defs(around, range, block, at) else { return };
        self.live_ins.clear();
        for &b in &self.worklist {
            let kill = if b == block { kill } else { None };
            let done = !around.dominators.reachable[b as usize];
            self.live_ins.push(LiveInBlock { block: b, value: NONE, kill, done });
        }
        self.update_ssa(around, range);
        for i in std::mem::take(&mut self.live_ins).iter().filter(|i| !i.done && i.value != NONE) {
            self.set_live_in(around, range, i.block, i.value, i.kill);
        }
    }

    fn set_live_in(
        &mut self,
        around: Around,
        range: &mut LiveRange,
        block: u32,
        value: u32,
        kill: Option<SlotIndex>,
    ) {
        let end = kill.unwrap_or_else(|| {
            self.set_out(block, value);
            around.slots.end(block)
        });
        range.add_segment(Segment { start: around.slots.start(block), end, value });
    }

    /// Collects the blocks where the range must be live in. One value: it is entered. Otherwise where it is
    /// read in `use_block`, `Some(None)` if it lives through it.
    fn find_reaching_defs(
        &mut self,
        around: Around,
        range: &mut LiveRange,
        use_block: u32,
        at: SlotIndex,
    ) -> Option<Option<SlotIndex>> {
        self.worklist.clear();
        self.worklist.push(use_block);
        let mut kill = Some(at);
        let (mut value, mut unique) = (NONE, true);
        let mut i = 0;
        while let Some(&block) = self.worklist.get(i) {
            i += 1;
            for &pred in around.cfg.preds.row(block as usize) {
                let found = if self.seen(pred) {
                    self.out(pred)
                } else {
                    let (start, end) = (around.slots.start(pred), around.slots.end(pred));
                    let found = range.extend_in_block(start, end).unwrap_or(NONE);
                    self.set_out(pred, found);
                    if found == NONE {
                        if pred == use_block {
                            kill = None;
                        } else {
                            self.worklist.push(pred);
                        }
                    }
                    found
                };
                if found != NONE {
                    unique &= value == NONE || value == found;
                    value = found;
                }
            }
        }
        if value == NONE {
            return None; // what is read there is undefined
        }
        if self.worklist.len() > 4 {
            self.worklist.sort_unstable_by_key(|&b| around.numbers[b as usize]);
        }
        if !unique {
            return Some(kill);
        }
        for i in 0..self.worklist.len() {
            let block = self.worklist[i];
            self.set_live_in(around, range, block, value, if block == use_block { kill } else { None });
        }
        None
    }

    fn update_ssa(&mut self, around: Around, range: &mut LiveRange) {
        let mut live_ins = std::mem::take(&mut self.live_ins);
        let mut changed = true;
        while changed {
            changed = false;
            for i in live_ins.iter_mut().filter(|i| !i.done) {
                let idom = around.dominators.idom[i.block as usize];
                let mut idom_value = NONE;
                let mut needs_phi = true;
                if idom != NONE && self.seen(idom) {
                    idom_value = self.out(idom);
                    needs_phi = around.cfg.preds.row(i.block as usize).iter().any(|&pred| {
                        let value = self.out(pred);
                        value != NONE && value != idom_value && {
                            let at = around.slots.block_of(range.values[value as usize]);
                            around.dominators.dominates(idom as usize, at as usize)
                        }
                    });
                }
                if needs_phi {
                    changed = true;
                    i.value = range.new_value(around.slots.start(i.block));
                    i.done = true;
                    self.set_live_in(around, range, i.block, i.value, i.kill);
                } else if idom_value != NONE {
                    i.value = idom_value;
                    if i.kill.is_none() && self.out(i.block) != idom_value {
                        changed = true;
                        self.set_out(i.block, idom_value);
                    }
                }
            }
        }
        self.live_ins = live_ins;
    }
}
