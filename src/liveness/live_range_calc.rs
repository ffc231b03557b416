//! Finds the value that reaches a use: the search that phase 6 of liveness and the coalescer's
//! extensions share.
//!
//! **Algorithm.** LLVM's. Look for the value of a use in its block. If there is none, search
//! backwards, breadth first, for blocks whose value at the end is known. If they all have one
//! value, it is live into every block that the search has visited. Otherwise propagate values down
//! the dominator tree until nothing changes. Make a PHI-def where a predecessor has another value
//! at its end than the immediate dominator has.
//!
//! **Source.** The reference description of the live-range calculation, phase 6
//! (`resolvePhiValue`); `LiveRangeCalc::extend`, `findReachingDefs` and `updateSSA`, the algorithm
//! of Cytron et al. over an incomplete program. **Deviation:** the caller chooses the
//! representation of a range ([`Extendable`]). Liveness builds segments once, at the end. The
//! coalescer changes segments.
//!
//! **Complexity.** Linear in the visited blocks; where values differ, times the rounds of
//! propagation.

use super::slot_index::SlotIndex;
use crate::adt::PackedOption;
use crate::cfg::{Cfg, Dominators};
use crate::mir::{BlockId, BlockNumber, ValueNo};
use index_vec::IndexSlice;

/// Where blocks begin and end.
pub trait Layout {
    /// Returns where `block` starts.
    fn start(&self, block: BlockId) -> SlotIndex;
    /// Returns where it ends: the start of the next one in layout.
    fn end(&self, block: BlockId) -> SlotIndex;
    /// Returns the block that `at` is in; a boundary belongs to the block that starts there.
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

/// The value of a range at the end of a block, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiveOut {
    /// No search has visited the block since the range was begun.
    Unknown,
    /// The block defines no value. One may be live through it.
    NoValue,
    /// This value is live out.
    Value(ValueNo),
}

impl LiveOut {
    /// Returns the value, where one is known.
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

/// A range that can be extended, and its known values at the ends of blocks.
pub trait Extendable {
    /// Returns what is known at the end of `block`.
    fn live_out(&self, block: BlockId) -> LiveOut;
    /// Records the value at the end of `block`; `None` if the block defines none.
    fn set_live_out(&mut self, block: BlockId, value: Option<ValueNo>);
    /// Extends the value that is live before `at` in `block` up to `at`, and returns it. The block
    /// begins at `start`.
    fn extend_in_block(&mut self, block: BlockId, start: SlotIndex, at: SlotIndex) -> Option<ValueNo>;
    /// Makes `value` live in `block` from its start, `start`, to `end`.
    fn set_live_in(&mut self, block: BlockId, start: SlotIndex, end: SlotIndex, value: ValueNo);
    /// Makes a new value that is defined at `start`, where a block begins.
    fn new_phi_def(&mut self, start: SlotIndex) -> ValueNo;
    /// Returns where a value is defined.
    fn def_of(&self, value: ValueNo) -> SlotIndex;
}

/// A block that needs a value at its start.
struct LiveInBlock {
    block: BlockId,
    value: Option<ValueNo>,
    /// Where it is read last. `None` if it is live through.
    kill: Option<SlotIndex>,
    /// Whether the value is settled, or the block is unreachable.
    is_done: bool,
}

/// Working storage.
#[derive(Default)]
pub struct LiveRangeCalc {
    worklist: Vec<BlockId>,
    live_ins: Vec<LiveInBlock>,
}

/// The values that a search has found.
enum Reaching {
    None,
    /// One value, which was made live where it must be.
    One,
    /// Several values. In the block of the use, the range ends here. `None` if it lives through the
    /// block.
    Several(Option<SlotIndex>),
}

impl LiveRangeCalc {
    /// Extends a range to a use at `at`. Returns false if no def reaches the use, or a block that
    /// the range must be live into.
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

    /// Collects the blocks that the range must be live into. If only one value reaches them, makes
    /// it live there.
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
                                // The value is live around a loop, back into this block.
                                kill = None;
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

    /// Propagates values down the dominator tree, and makes PHI-defs where different values meet.
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

/// Returns whether a block needs a PHI-def. It does if some predecessor has another value at its
/// end than the immediate dominator has, and that value is defined below the immediate dominator.
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

/// Makes `value` live in `block`, up to `kill` or through it.
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
