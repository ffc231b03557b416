//! Finds the value that reaches a use: the search behind phase 6 of liveness and behind the coalescer's extensions.
//!
//! **Algorithm.** LLVM's. For a use, look for the value in its block; else search backwards, breadth first, for the
//! blocks that know their value at the end. One value: it is live in wherever the search has been. Several: values
//! go down the dominator tree until nothing changes, and a PHI-def is made where a predecessor brings something
//! else than the immediate dominator does.
//!
//! **Source.** The reference description of the live-range calculation, phase 6 (`resolvePhiValue`);
//! `LiveRangeCalc::extend`, `findReachingDefs` and `updateSSA`, the algorithm of Cytron et al. over an incomplete program.
//! **Deviation:** the representation of a range is left to the caller ([`Extendable`]): liveness builds its segments once
//! at the end, the coalescer changes them.
//!
//! **Complexity.** Blocks visited, times rounds where values differ.

use super::slot_index::SlotIndex;
use crate::adt::PackedOption;
use crate::cfg::{Cfg, Dominators};
use crate::mir::{BlockId, BlockNumber, ValueNo};
use index_vec::IndexSlice;

/// Where blocks begin and end.
pub trait Layout {
    /// Where `block` starts.
    fn start(&self, block: BlockId) -> SlotIndex;
    /// Where it ends: the start of the next one in layout.
    fn end(&self, block: BlockId) -> SlotIndex;
    /// The block that `at` is in; a boundary belongs to the block that starts there.
    fn block_of(&self, at: SlotIndex) -> BlockId;
}

/// The function around a range.
pub struct Around<'a, L> {
    /// Its slots.
    pub slots: &'a L,
    /// Its graph.
    pub cfg: &'a Cfg,
    /// Its dominator tree.
    pub dominators: &'a Dominators,
    /// LLVM's numbers of the blocks: the order in which LLVM visits many of them.
    pub numbers: &'a IndexSlice<BlockId, [BlockNumber]>,
}

impl<L> Clone for Around<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Around<'_, L> {}

/// What is known of a range at the end of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiveOut {
    /// The search has not been there since the range was begun with.
    Unknown,
    /// The block itself brings no value; one may be live through it.
    NoValue,
    /// This value.
    Value(ValueNo),
}

impl LiveOut {
    /// The value, where one is known.
    pub fn value(self) -> Option<ValueNo> {
        match self {
            LiveOut::Value(value) => Some(value),
            LiveOut::Unknown | LiveOut::NoValue => None,
        }
    }
}

impl From<PackedOption<ValueNo>> for LiveOut {
    fn from(known: PackedOption<ValueNo>) -> LiveOut {
        known.get().map_or(LiveOut::NoValue, LiveOut::Value)
    }
}

/// A range that is extended, and what is known of blocks.
pub trait Extendable {
    /// What is known at the end of `block`.
    fn live_out(&self, block: BlockId) -> LiveOut;
    /// From now on that is known there.
    fn set_live_out(&mut self, block: BlockId, value: Option<ValueNo>);
    /// The value that is live before `at` in `block`, which begins at `start`, extended to `at`.
    fn extend_in_block(&mut self, block: BlockId, start: SlotIndex, at: SlotIndex) -> Option<ValueNo>;
    /// `value` is live in `block` from `start`, where that begins, to `end`.
    fn set_live_in(&mut self, block: BlockId, start: SlotIndex, end: SlotIndex, value: ValueNo);
    /// A new value that is defined at `start`, where a block begins.
    fn new_phi_def(&mut self, start: SlotIndex) -> ValueNo;
    /// Where a value is defined.
    fn def_of(&self, value: ValueNo) -> SlotIndex;
}

/// A block that needs a value at its start.
struct LiveInBlock {
    block: BlockId,
    value: Option<ValueNo>,
    /// Where it is read last; none if it is live through.
    kill: Option<SlotIndex>,
    /// The value is settled, or the block cannot be reached.
    is_done: bool,
}

/// Working storage.
#[derive(Default)]
pub struct LiveRangeCalc {
    worklist: Vec<BlockId>,
    live_ins: Vec<LiveInBlock>,
}

/// The values that a search has come upon.
enum Reaching {
    None,
    /// It is live in where it must be.
    One,
    /// Where the range is read in the block of the use; none if it lives through it.
    Several(Option<SlotIndex>),
}

impl LiveRangeCalc {
    /// Extends a range to a use at `at`; false if no def reaches it, or some block that it must be live in.
    pub fn extend<R: Extendable, L: Layout>(
        &mut self,
        around: Around<L>,
        range: &mut R,
        at: SlotIndex,
    ) -> bool {
        let block = around.slots.block_of(at.prev());
        if range.extend_in_block(block, around.slots.start(block), at).is_some() {
            return true;
        }
        let kill = match self.find_reaching_defs(around, range, block, at) {
            Reaching::None => return false,
            Reaching::One => return true,
            Reaching::Several(kill) => kill,
        };
        self.live_ins.clear();
        self.live_ins.extend(self.worklist.iter().map(|&b| LiveInBlock {
            block: b,
            value: None,
            kill: kill.filter(|_| b == block),
            is_done: !around.dominators.reachable[b],
        }));
        self.update_ssa(around, range);
        let mut reached = true;
        for i in self.live_ins.iter().filter(|i| !i.is_done) {
            match i.value {
                None => reached = false,
                Some(value) => set_live_in(around, range, i.block, value, i.kill),
            }
        }
        reached
    }

    /// Collects the blocks where the range must be live in. If only one value reaches them it is entered.
    fn find_reaching_defs<R: Extendable, L: Layout>(
        &mut self,
        around: Around<L>,
        range: &mut R,
        use_block: BlockId,
        at: SlotIndex,
    ) -> Reaching {
        self.worklist.clear();
        self.worklist.push(use_block);
        let mut kill = Some(at);
        let (mut value, mut is_unique) = (None, true);
        let mut i = 0;
        while let Some(&block) = self.worklist.get(i) {
            i += 1;
            for &pred in around.cfg.preds.row(block) {
                let found = match range.live_out(pred) {
                    LiveOut::Unknown => {
                        let (start, end) = (around.slots.start(pred), around.slots.end(pred));
                        let found = range.extend_in_block(pred, start, end);
                        range.set_live_out(pred, found);
                        if found.is_none() {
                            if pred == use_block {
                                kill = None; // the value comes back to its block
                            } else {
                                self.worklist.push(pred);
                            }
                        }
                        found
                    }
                    known => known.value(),
                };
                if found.is_some() {
                    is_unique &= value.is_none() || value == found;
                    value = found;
                }
            }
        }
        let Some(value) = value else { return Reaching::None };
        if self.worklist.len() > 4 {
            self.worklist.sort_unstable_by_key(|&b| around.numbers[b]);
        }
        if !is_unique {
            return Reaching::Several(kill);
        }
        for &block in &self.worklist {
            set_live_in(around, range, block, value, kill.filter(|_| block == use_block));
        }
        Reaching::One
    }

    /// Values go down the dominator tree; PHI-defs are made where they meet others.
    fn update_ssa<R: Extendable, L: Layout>(&mut self, around: Around<L>, range: &mut R) {
        let mut changed = true;
        while changed {
            changed = false;
            for i in self.live_ins.iter_mut().filter(|i| !i.is_done) {
                let idom = around.dominators.idom[i.block].get();
                if needs_phi_def(around, range, i.block, idom) {
                    changed = true;
                    let value = range.new_phi_def(around.slots.start(i.block));
                    (i.value, i.is_done) = (Some(value), true);
                    set_live_in(around, range, i.block, value, i.kill);
                } else if let Some(value) = idom.and_then(|idom| range.live_out(idom).value()) {
                    i.value = Some(value);
                    if i.kill.is_none() && range.live_out(i.block) != LiveOut::Value(value) {
                        changed = true;
                        range.set_live_out(i.block, Some(value));
                    }
                }
            }
        }
    }
}

/// Whether a value must begin with a block: some predecessor brings another one than the immediate dominator does, which
/// could not have come through that.
fn needs_phi_def<R: Extendable, L: Layout>(
    around: Around<L>,
    range: &R,
    block: BlockId,
    idom: Option<BlockId>,
) -> bool {
    let Some(idom) = idom else { return true };
    let above = range.live_out(idom);
    if above == LiveOut::Unknown {
        return true;
    }
    around.cfg.preds.row(block).iter().any(|&pred| {
        range.live_out(pred).value().filter(|&value| LiveOut::Value(value) != above).is_some_and(|value| {
            around.dominators.dominates(idom, around.slots.block_of(range.def_of(value)))
        })
    })
}

/// `value` is live in `block`, up to `kill` or through it.
fn set_live_in<R: Extendable, L: Layout>(
    around: Around<L>,
    range: &mut R,
    block: BlockId,
    value: ValueNo,
    kill: Option<SlotIndex>,
) {
    let (start, end) = (around.slots.start(block), around.slots.end(block));
    if kill.is_none() {
        range.set_live_out(block, Some(value));
    }
    range.set_live_in(block, start, kill.unwrap_or(end), value);
}
