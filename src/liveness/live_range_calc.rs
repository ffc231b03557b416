//! Which value reaches a use: the search behind phase 6 of liveness and behind the coalescer's extensions.
//!
//! **Algorithm.** LLVM's. For a use, look for the value in its block; else search backwards, breadth first, for the
//! blocks that know their value at the end. One value: it is live in wherever the search has been. Several: values
//! go down the dominator tree until nothing changes, and a PHI-def is made where a predecessor brings something
//! else than the immediate dominator does.
//!
//! **Source.** live-range-calc.txt, phase 6 (`resolvePhiValue`); `LiveRangeCalc::extend`, `findReachingDefs` and
//! `updateSSA`, the algorithm of Cytron et al. over an incomplete program. **Deviation:** what a range is made of is
//! left to the caller ([`Extendable`]): liveness builds its segments once at the end, the coalescer changes them.
//!
//! **Complexity.** Blocks visited, times rounds where values differ.

use super::slot_index::SlotIndex;
use crate::cfg::graph::{Cfg, Dominators, NONE};

/// Where blocks begin and end.
pub trait Layout {
    /// Where `block` starts.
    fn start(&self, block: u32) -> SlotIndex;
    /// Where it ends: the start of the next one in layout.
    fn end(&self, block: u32) -> SlotIndex;
    /// The block that `at` is in; a boundary belongs to the block that starts there.
    fn block_of(&self, at: SlotIndex) -> u32;
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
    pub numbers: &'a [u32],
}

impl<L> Clone for Around<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Around<'_, L> {}

/// A range that is extended, and what is known of blocks. Values are numbers, [`NONE`] is none.
pub trait Extendable {
    /// The value at the end of `block`, if that has been asked for or was set since the range was begun with.
    fn out(&self, block: u32) -> Option<u32>;
    /// That value.
    fn set_out(&mut self, block: u32, value: u32);
    /// The value that is live before `at` in `block`, which begins at `start`, extended to `at`.
    fn extend_in_block(&mut self, block: u32, start: SlotIndex, at: SlotIndex) -> u32;
    /// `value` is live in `block` from `start`, where that begins, to `end`.
    fn set_live_in(&mut self, block: u32, start: SlotIndex, end: SlotIndex, value: u32);
    /// A new value that is defined at `start`, where a block begins.
    fn new_phi_def(&mut self, start: SlotIndex) -> u32;
    /// Where a value is defined.
    fn def_of(&self, value: u32) -> SlotIndex;
}

/// A block that needs a value at its start.
struct LiveInBlock {
    block: u32,
    value: u32,
    /// Where it is read last; none if it is live through.
    kill: Option<SlotIndex>,
    /// The value is settled, or the block cannot be reached.
    done: bool,
}

/// Working storage.
#[derive(Default)]
pub struct LiveRangeCalc {
    worklist: Vec<u32>,
    live_ins: Vec<LiveInBlock>,
}

/// What a search has come upon.
enum Reaching {
    Nothing,
    /// It is live in where it must be.
    OneValue,
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
        if range.extend_in_block(block, around.slots.start(block), at) != NONE {
            return true;
        }
        let kill = match self.find_reaching_defs(around, range, block, at) {
            Reaching::Nothing => return false,
            Reaching::OneValue => return true,
            Reaching::Several(kill) => kill,
        };
        self.live_ins.clear();
        self.live_ins.extend(self.worklist.iter().map(|&b| LiveInBlock {
            block: b,
            value: NONE,
            kill: kill.filter(|_| b == block),
            done: !around.dominators.reachable[b as usize],
        }));
        self.update_ssa(around, range);
        let mut reached = true;
        for i in self.live_ins.iter().filter(|i| !i.done) {
            if i.value == NONE {
                reached = false;
            } else {
                set_live_in(around, range, i.block, i.value, i.kill);
            }
        }
        reached
    }

    /// Collects the blocks where the range must be live in. If only one value reaches them it is entered.
    fn find_reaching_defs<R: Extendable, L: Layout>(
        &mut self,
        around: Around<L>,
        range: &mut R,
        use_block: u32,
        at: SlotIndex,
    ) -> Reaching {
        self.worklist.clear();
        self.worklist.push(use_block);
        let mut kill = Some(at);
        let (mut value, mut unique) = (NONE, true);
        let mut i = 0;
        while let Some(&block) = self.worklist.get(i) {
            i += 1;
            for &pred in around.cfg.preds.row(block as usize) {
                let found = range.out(pred).unwrap_or_else(|| {
                    let (start, end) = (around.slots.start(pred), around.slots.end(pred));
                    let found = range.extend_in_block(pred, start, end);
                    range.set_out(pred, found);
                    if found == NONE {
                        if pred == use_block {
                            kill = None; // the value comes back to its block
                        } else {
                            self.worklist.push(pred);
                        }
                    }
                    found
                });
                if found != NONE {
                    unique &= value == NONE || value == found;
                    value = found;
                }
            }
        }
        if value == NONE {
            return Reaching::Nothing;
        }
        if self.worklist.len() > 4 {
            self.worklist.sort_unstable_by_key(|&b| around.numbers[b as usize]);
        }
        if !unique {
            return Reaching::Several(kill);
        }
        for &block in &self.worklist {
            set_live_in(around, range, block, value, kill.filter(|_| block == use_block));
        }
        Reaching::OneValue
    }

    /// Values go down the dominator tree; PHI-defs are made where they meet others.
    fn update_ssa<R: Extendable, L: Layout>(&mut self, around: Around<L>, range: &mut R) {
        let mut changed = true;
        while changed {
            changed = false;
            for i in self.live_ins.iter_mut().filter(|i| !i.done) {
                let idom = around.dominators.idom[i.block as usize];
                let idom_value = if idom == NONE { None } else { range.out(idom) };
                let needs_phi = idom_value.is_none_or(|idom_value| {
                    around.cfg.preds.row(i.block as usize).iter().any(|&pred| {
                        let value = range.out(pred).unwrap_or(NONE);
                        value != NONE && value != idom_value && {
                            let at = around.slots.block_of(range.def_of(value));
                            around.dominators.dominates(idom as usize, at as usize)
                        }
                    })
                });
                if needs_phi {
                    changed = true;
                    i.value = range.new_phi_def(around.slots.start(i.block));
                    i.done = true;
                    set_live_in(around, range, i.block, i.value, i.kill);
                } else if let Some(value) = idom_value.filter(|&v| v != NONE) {
                    i.value = value;
                    if i.kill.is_none() && range.out(i.block) != Some(value) {
                        changed = true;
                        range.set_out(i.block, value);
                    }
                }
            }
        }
    }
}

/// `value` is live in `block`, up to `kill` or through it.
fn set_live_in<R: Extendable, L: Layout>(
    around: Around<L>,
    range: &mut R,
    block: u32,
    value: u32,
    kill: Option<SlotIndex>,
) {
    let (start, end) = (around.slots.start(block), around.slots.end(block));
    if kill.is_none() {
        range.set_out(block, value);
    }
    range.set_live_in(block, start, kill.unwrap_or(end), value);
}
