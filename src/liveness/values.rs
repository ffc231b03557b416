//! Phase 6: which value of a register is live in, where it has several.
//!
//! **Problem.** Behind PHI elimination and two-address a register has several defs. A block may be reached by
//! more than one; then a PHI-def is made, a value that begins with the block. Which blocks get one, and the
//! numbers of the values, must be LLVM's to the last digit: the coalescer visits values by number.
//!
//! **Algorithm.** LLVM's search, on arrays by block: for each use, look for the value in the block; else
//! search backwards, breadth first, for the blocks that know their value at the end. One value: it is live in
//! wherever the search has been. Several: values go down the dominator tree until nothing changes, and a
//! PHI-def is made where a predecessor brings something else than the immediate dominator does.
//!
//! LLVM makes the search for every use, in the order of the register's chain. Which blocks get a PHI-def does
//! not depend on that order as long as all blocks are reachable, only the PHI-defs' numbers do (tested on
//! random graphs). So the search is made for the upward-exposed stretches that phase 4 has found, one for each
//! block, and LLVM's order is asked for only when there are two PHI-defs or more, or a block that is not
//! reachable. The numbers of all other values follow from the chain's defs alone.
//!
//! **Source.** live-range-calc.txt, phase 6 (`resolvePhiValue`); `LiveRangeCalc::findReachingDefs` and
//! `updateSSA`, the algorithm of Cytron et al. over an incomplete program. **Deviations:** as said; and
//! segments are not kept sorted while the search runs, but built once at the end.
//!
//! **Complexity.** As LLVM's: blocks visited, times rounds where values differ.

use super::block_facts::Piece;
use super::cfg::{Cfg, Dominators, NONE};
use super::ranges::{LiveRanges, Segment};
use super::slot_index::{SlotIndex, SlotIndexes};
use super::Unsuited;
use crate::mutations::seeded;

/// The defs and uses of a register unit.
#[derive(Default, Debug)]
pub struct Occurrences {
    /// Slots of the defs, in the order in which their values are numbered; one of the same instruction is the
    /// same value.
    pub defs: Vec<SlotIndex>,
    /// Slots of the uses, in the order of the chain.
    pub uses: Vec<SlotIndex>,
}

/// What is known of a block; of this register if the stamp is right.
#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    /// The block's defs: position of the first in `defs`, and how many.
    first_def: u32,
    num_defs: u32,
    /// The value that is live in, and how far.
    live_in: u32,
    live_in_end: SlotIndex,
    /// The value at the end has been asked for; it is `out`, unknown as yet if [`NONE`].
    seen: bool,
    out: u32,
}

#[derive(Clone, Copy)]
struct Def {
    start: SlotIndex,
    end: SlotIndex,
    value: u32,
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

/// Working storage, kept from register to register.
#[derive(Default)]
pub struct Resolver {
    stamp: u32,
    blocks: Vec<BlockState>,
    defs: Vec<Def>,
    /// By value, where it begins.
    values: Vec<SlotIndex>,
    worklist: Vec<u32>,
    live_ins: Vec<LiveInBlock>,
    with_live_in: Vec<u32>,
    order: Vec<(SlotIndex, u32)>,
}

/// The function around the register.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// Its slots.
    pub slots: &'a SlotIndexes,
    /// Its graph.
    pub cfg: &'a Cfg,
    /// Its dominator tree.
    pub dominators: &'a Dominators,
    /// LLVM's numbers of the blocks: the order in which LLVM visits many of them.
    pub numbers: &'a [u32],
}

impl Resolver {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.stamp = 0;
        self.blocks.clear();
        self.blocks.resize(num_blocks, BlockState::default());
    }

    /// Begins with a register whose defs are `pieces`, in layout order; `order[v]` is the position of value
    /// number `v` there.
    pub fn begin_pieces<'a>(&mut self, pieces: impl Iterator<Item = &'a Piece>, order: &[u32]) {
        self.begin();
        for piece in pieces {
            let position = self.defs.len() as u32;
            let s = self.state(piece.block as usize);
            if s.num_defs == 0 {
                s.first_def = position;
            }
            s.num_defs += 1;
            self.defs.push(Def { start: piece.start, end: piece.end, value: 0 });
        }
        for (value, &position) in order.iter().enumerate() {
            let def = &mut self.defs[position as usize];
            def.value = value as u32;
            self.values.push(def.start);
        }
    }

    /// Begins with defs in the order of their values.
    pub fn begin_defs(&mut self, around: Around, defs: &[SlotIndex]) {
        self.begin();
        self.number_defs(around, defs);
    }

    fn begin(&mut self) {
        self.stamp += 1;
        self.with_live_in.clear();
        self.defs.clear();
        self.values.clear();
    }

    /// How many values are PHI-defs made here.
    pub fn num_phi_defs(&self) -> usize {
        self.values.len() - self.defs.len()
    }

    fn state(&mut self, block: usize) -> &mut BlockState {
        let s = &mut self.blocks[block];
        if s.stamp != self.stamp {
            *s = BlockState { stamp: self.stamp, live_in: NONE, out: NONE, ..BlockState::default() };
        }
        s
    }

    fn number_defs(&mut self, around: Around, defs: &[SlotIndex]) {
        self.order.clear();
        self.order.extend(defs.iter().enumerate().map(|(i, &d)| (d, i as u32)));
        self.order.sort_unstable();
        // Defs by one instruction are one: at the earliest slot, numbered where the first of them was.
        self.order.dedup_by(|later, kept| {
            let same = later.0.same_instr(kept.0);
            if same {
                kept.1 = kept.1.min(later.1);
            }
            same
        });
        self.defs.extend(self.order.iter().map(|&(d, _)| Def { start: d, end: d.dead(), value: 0 }));
        for (position, o) in self.order.iter_mut().enumerate() {
            *o = (SlotIndex(position as u32), o.1);
        }
        self.order.sort_unstable_by_key(|o| o.1);
        for (value, &(position, _)) in self.order.iter().enumerate() {
            let def = &mut self.defs[position.0 as usize];
            def.value = value as u32;
            self.values.push(def.start);
        }
        for i in 0..self.defs.len() {
            let block = around.slots.block_of(self.defs[i].start);
            let s = self.state(block);
            if s.num_defs == 0 {
                s.first_def = i as u32;
            }
            s.num_defs += 1;
        }
    }

    /// `LiveRange::extendInBlock`: the value that is live before `at` in its block, extended to it.
    fn extend_in_block(&mut self, block: usize, at: SlotIndex) -> u32 {
        let s = *self.state(block);
        let first = s.first_def as usize;
        let defs = &mut self.defs[first..first + s.num_defs as usize];
        let before = defs.partition_point(|d| d.start < at);
        if let Some(def) = defs[..before].last_mut() {
            def.end = def.end.max(at);
            return def.value;
        }
        if s.live_in != NONE {
            let end = &mut self.blocks[block].live_in_end;
            *end = (*end).max(at);
        }
        s.live_in
    }

    fn set_live_in(&mut self, around: Around, block: usize, value: u32, kill: Option<SlotIndex>) {
        let end = kill.unwrap_or_else(|| around.slots.end(block));
        let s = self.state(block);
        let new = s.live_in == NONE;
        s.live_in = value;
        s.live_in_end = s.live_in_end.max(end);
        if new {
            self.with_live_in.push(block as u32);
        }
    }

    /// Extends the register's range to a use at `at`.
    ///
    /// # Errors
    /// When no def reaches it.
    pub fn extend(&mut self, around: Around, at: SlotIndex) -> Result<(), Unsuited> {
        let block = around.slots.block_of(at.prev());
        if self.extend_in_block(block, at) != NONE {
            return Ok(());
        }
        if let Some(kill) = self.find_reaching_defs(around, block, at)? {
            self.prepare_live_ins(around, block, kill);
            self.update_ssa(around);
            for i in 0..self.live_ins.len() {
                let LiveInBlock { block, value, kill, done } = self.live_ins[i];
                if done {
                    continue;
                }
                if value == NONE {
                    return Err(Unsuited::UseWithoutDef);
                }
                if kill.is_none() {
                    self.state(block as usize).out = value;
                }
                self.set_live_in(around, block as usize, value, kill);
            }
        }
        Ok(())
    }

    /// Collects the blocks where the register must be live in. If only one value reaches them it is entered;
    /// otherwise the result is where the value is read in `use_block`, `Some(None)` if it lives through it.
    fn find_reaching_defs(
        &mut self,
        around: Around,
        use_block: usize,
        at: SlotIndex,
    ) -> Result<Option<Option<SlotIndex>>, Unsuited> {
        self.worklist.clear();
        self.worklist.push(use_block as u32);
        let mut kill = Some(at);
        let mut value = NONE;
        let mut unique = true;
        let mut i = 0;
        while let Some(&block) = self.worklist.get(i) {
            i += 1;
            for &pred in around.cfg.preds.row(block as usize) {
                let pred = pred as usize;
                let s = self.state(pred);
                let found = if s.seen {
                    s.out
                } else {
                    let found = self.extend_in_block(pred, around.slots.end(pred));
                    let s = self.state(pred);
                    s.seen = true;
                    s.out = found;
                    if found == NONE {
                        if pred != use_block {
                            self.worklist.push(pred as u32);
                        } else {
                            kill = None; // the value comes back to its block
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
            return Err(Unsuited::UseWithoutDef);
        }
        if self.worklist.len() > 4 {
            self.worklist.sort_unstable_by_key(|&b| around.numbers[b as usize]);
        }
        if !unique {
            return Ok(Some(kill));
        }
        for i in 0..self.worklist.len() {
            let block = self.worklist[i] as usize;
            let end = if block == use_block { kill } else { None };
            if end.is_none() {
                self.state(block).out = value;
            }
            self.set_live_in(around, block, value, end);
        }
        Ok(None)
    }

    fn prepare_live_ins(&mut self, around: Around, use_block: usize, kill: Option<SlotIndex>) {
        self.live_ins.clear();
        self.live_ins.extend(self.worklist.iter().map(|&block| LiveInBlock {
            block,
            value: NONE,
            kill: if block as usize == use_block { kill } else { None },
            done: !around.dominators.reachable[block as usize],
        }));
    }

    /// Values go down the dominator tree; PHI-defs are made where they meet others.
    fn update_ssa(&mut self, around: Around) {
        let mut live_ins = std::mem::take(&mut self.live_ins);
        let mut changed = true;
        while changed {
            changed = false;
            for i in live_ins.iter_mut().filter(|i| !i.done) {
                let block = i.block as usize;
                let idom = around.dominators.idom[block];
                let mut idom_value = NONE;
                let mut needs_phi = true;
                if idom != NONE && self.state(idom as usize).seen {
                    idom_value = self.state(idom as usize).out;
                    needs_phi = around.cfg.preds.row(block).iter().any(|&pred| {
                        let value = self.state(pred as usize).out;
                        value != NONE && value != idom_value && {
                            let at = around.slots.block_of(self.values[value as usize]);
                            around.dominators.dominates(idom as usize, at)
                        }
                    });
                }
                if needs_phi && (idom_value == NONE || !seeded("liveintervals: no PHI-def where values meet"))
                {
                    changed = true;
                    let value = self.values.len() as u32;
                    self.values.push(around.slots.start(block));
                    i.value = value;
                    i.done = true;
                    self.set_live_in(around, block, value, i.kill);
                    if i.kill.is_none() {
                        self.state(block).out = value;
                    }
                } else if idom_value != NONE {
                    i.value = idom_value;
                    if i.kill.is_none() && self.state(block).out != idom_value {
                        changed = true;
                        self.state(block).out = idom_value;
                    }
                }
            }
        }
        self.live_ins = live_ins;
    }

    /// Appends the values and where they live to `out` as the range of `owner`.
    pub fn emit(&mut self, around: Around, owner: u32, out: &mut LiveRanges) {
        out.begin(owner);
        out.values.extend_from_slice(&self.values);
        if self.with_live_in.is_empty() {
            for d in &self.defs {
                out.push_segment(Segment { start: d.start, end: d.end, value: d.value });
            }
            out.end();
            return;
        }
        self.order.clear();
        self.order.extend(self.defs.iter().enumerate().map(|(i, d)| (d.start, i as u32)));
        let defs = self.defs.len() as u32;
        for &block in
            self.with_live_in.iter().filter(|_| !seeded("liveintervals: nothing is live into a block"))
        {
            self.order.push((around.slots.start(block as usize), defs + block));
        }
        // A def in a block slot comes after what is live in there; there is never both.
        self.order.sort_unstable();
        for &(start, which) in &self.order {
            let (end, value) = if which < defs {
                let d = &self.defs[which as usize];
                (d.end, d.value)
            } else {
                let s = &self.blocks[(which - defs) as usize];
                (s.live_in_end, s.live_in)
            };
            out.push_segment(Segment { start, end, value });
        }
        out.end();
    }
}
