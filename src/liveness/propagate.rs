//! Finds the blocks that a register is live into and out of (phase 5).
//!
//! **Problem.** `LiveOut(B)` is the union of `LiveIn(S)` over the successors `S`, and of the
//! registers that their PHIs read at the end of `B`. `LiveIn(B)` is the union of the registers that
//! `B` reads before any def, and of `LiveOut(B)` without the registers that `B` defines (errata
//! 10).
//!
//! **Algorithm.** Two bitsets, one for predicate registers and one for all others (requirement L5,
//! errata 11), are solved in one fixed point with one `changed` flag. Pending blocks are visited in
//! post-order. A block passes the registers that it newly needs to its predecessors, which become
//! pending. There is another round while a pending predecessor comes earlier in post-order. Bits
//! after the last register are masked.
//!
//! The outermost loop runs over the words of the bitsets, not over the blocks. A group is word `k`
//! of both sets, and only the blocks that its registers reach are visited. Registers are numbered
//! in the order of their first use across blocks, so those of a group are live near each other.
//! Memory is one record for each block. Time is linear in the size of the result, where a full
//! matrix takes blocks times registers. And the solution of a group is turned into segments (phase
//! 7) while it is in the cache.
//!
//! A small function (requirement L6, errata 9) is solved for one register at a time, by walking up
//! from its uses. The equations are the same and so is the result. This is faster for a few
//! instructions.
//!
//! **Source.** The reference description of the live-range calculation, phase 5. **Deviations:**
//! the reference expands kill sets through the entries of other blocks, which is not an equation of
//! liveness. The loop over words is ours, as said above.
//!
//! **Complexity.** For 128 registers at a time: rounds (loop depth + 2 on reducible graphs) times
//! the blocks that are reached.

use super::block_facts::BlockFacts;
use crate::adt::{BitSet, Rows};
use crate::cfg::Cfg;
use crate::mir::{BlockId, VRegId, VarFlags};
use index_vec::IndexVec;

/// How many bits a word has.
pub const WORD: usize = 64;
/// The two sets: general registers and predicates.
pub const CLASSES: usize = 2;

/// The registers of a group in one block, by class.
#[derive(Clone, Copy, Default, Debug)]
pub struct BlockSets {
    /// Read before any def.
    pub exposed: [u64; CLASSES],
    /// Defined.
    pub defined: [u64; CLASSES],
    /// Live in.
    pub live_in: [u64; CLASSES],
    /// Live out.
    pub live_out: [u64; CLASSES],
}

/// How the sets are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// Bitsets, all registers of a group at once.
    #[default]
    FixedPoint,
    /// Each register on its own.
    Local,
}

/// The registers that take part, and the solution for one group of them.
#[derive(Default, Debug)]
pub struct LiveSets {
    /// By class, the registers; the position is the bit.
    regs: [Vec<VRegId>; CLASSES],
    /// By block; all are empty before a group is solved.
    sets: IndexVec<BlockId, BlockSets>,
    touched: BitSet,
    pending: BitSet,
    stack: Vec<BlockId>,
    /// The most rounds that the fixed point of a group has taken.
    rounds: u64,
    /// By register: the blocks at whose ends PHIs read it. Without rows if there is no PHI.
    phi_uses: Rows<VRegId, BlockId>,
}

impl LiveSets {
    /// Returns how many groups there are.
    pub fn num_groups(&self) -> usize {
        self.regs.iter().map(|r| r.len().div_ceil(WORD)).max().unwrap_or(0)
    }
    /// Returns the most rounds that the fixed point of a group has taken; 0 if the dataflow was
    /// bypassed.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }
    /// Returns the registers of a class in a group; the position is the bit.
    pub fn group(&self, class: usize, group: usize) -> &[VRegId] {
        let regs = &self.regs[class];
        &regs[(group * WORD).min(regs.len())..((group + 1) * WORD).min(regs.len())]
    }
    /// Returns the blocks at whose ends PHIs read `reg`. A block may be listed more than once.
    pub fn phi_uses_of(&self, reg: VRegId) -> &[BlockId] {
        if self.phi_uses.is_empty() {
            &[]
        } else {
            self.phi_uses.row(reg)
        }
    }

    /// Chooses the registers: global ones with one def. Phase 6 handles registers with several
    /// defs, as it must find out which value is live anyway.
    pub fn choose(&mut self, facts: &BlockFacts, cfg: &Cfg, mut is_predicate: impl FnMut(VRegId) -> bool) {
        for class in &mut self.regs {
            class.clear();
        }
        for &reg in facts.globals.iter().filter(|&&r| !facts.flags[r].has(VarFlags::MANY_DEFS)) {
            self.regs[usize::from(is_predicate(reg))].push(reg);
        }
        self.rounds = 0;
        let blocks = cfg.num_blocks();
        self.sets.clear();
        self.sets.resize(blocks, BlockSets::default());
        self.touched.reset(blocks);
        self.pending.reset(blocks);
        let rows = if facts.phi_uses.is_empty() { 0 } else { facts.flags.len() };
        self.phi_uses.collect(rows, facts.phi_uses.iter().copied());
    }

    /// Drops the registers that are not wanted, before the first group.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(VRegId) -> bool) {
        for class in &mut self.regs {
            class.retain(|&reg| is_wanted(reg));
        }
    }

    /// Solves one group. [`LiveSets::drain`] hands the solution over.
    pub fn solve(&mut self, group: usize, facts: &BlockFacts, cfg: &Cfg, method: Method) {
        for class in 0..CLASSES {
            for bit in 0..self.group(class, group).len() {
                self.seed(facts, class, bit, self.group(class, group)[bit]);
                if method == Method::Local {
                    self.walk_up(cfg, class, bit);
                }
            }
        }
        if method == Method::FixedPoint {
            for block in self.stack.drain(..) {
                self.pending.insert(cfg.postorder_position[block] as usize);
            }
            let mask = std::array::from_fn(|class| tail_mask(self.group(class, group).len()));
            self.fixed_point(cfg, mask);
        }
    }

    /// Enters the pieces and PHI uses of `reg`. Pushes the blocks that need it on the stack.
    fn seed(&mut self, facts: &BlockFacts, class: usize, bit: usize, reg: VRegId) {
        for piece in facts.pieces(reg) {
            let block = piece.block();
            let sets = &mut self.sets[block];
            if piece.is_def() {
                sets.defined[class] |= 1 << bit;
            } else {
                sets.exposed[class] |= 1 << bit;
                self.stack.push(block);
            }
            self.touched.insert(block.index());
        }
        for i in 0..self.phi_uses_of(reg).len() {
            let block = self.phi_uses_of(reg)[i];
            self.sets[block].live_out[class] |= 1 << bit;
            self.touched.insert(block.index());
            self.stack.push(block);
        }
    }

    fn fixed_point(&mut self, cfg: &Cfg, mask: [u64; CLASSES]) {
        let mut changed = true;
        let mut rounds = 0;
        while changed {
            changed = false;
            rounds += 1;
            let mut from = 0;
            while let Some(position) = self.pending.take_first(from) {
                from = position + 1;
                let block = cfg.postorder[position];
                let sets = &mut self.sets[block];
                let mut new = [0; CLASSES];
                // General registers, then predicates.
                for class in 0..CLASSES {
                    let live_in =
                        (sets.exposed[class] | sets.live_out[class] & !sets.defined[class]) & mask[class];
                    new[class] = live_in & !sets.live_in[class];
                    sets.live_in[class] = live_in;
                }
                if new == [0; CLASSES] {
                    continue;
                }
                for &pred in cfg.preds.row(block) {
                    let sets = &mut self.sets[pred];
                    let before = sets.live_out;
                    for (live_out, new) in sets.live_out.iter_mut().zip(new) {
                        *live_out |= new;
                    }
                    if sets.live_out != before {
                        self.touched.insert(pred.index());
                        let p = cfg.postorder_position[pred] as usize;
                        self.pending.insert(p);
                        changed |= p < from;
                    }
                }
            }
        }
        self.rounds = self.rounds.max(rounds);
    }

    fn walk_up(&mut self, cfg: &Cfg, class: usize, bit: usize) {
        let bit = 1 << bit;
        while let Some(block) = self.stack.pop() {
            let sets = &mut self.sets[block];
            let needed = (sets.exposed[class] | sets.live_out[class] & !sets.defined[class]) & bit != 0;
            if !needed || sets.live_in[class] & bit != 0 {
                continue;
            }
            sets.live_in[class] |= bit;
            for &pred in cfg.preds.row(block) {
                let out = &mut self.sets[pred].live_out[class];
                if *out & bit == 0 {
                    *out |= bit;
                    self.touched.insert(pred.index());
                    self.stack.push(pred);
                }
            }
        }
    }

    /// Calls `visit` for each block that the registers of a group reach, in layout order. It gets
    /// the registers by class, the block, and the block's sets. Clears the sets for the next group.
    pub fn drain(&mut self, group: usize, mut visit: impl FnMut([&[VRegId]; CLASSES], BlockId, BlockSets)) {
        let mut from = 0;
        while let Some(block) = self.touched.take_first(from) {
            from = block + 1;
            let block = BlockId::from_usize(block);
            let sets = std::mem::take(&mut self.sets[block]);
            visit([self.group(0, group), self.group(1, group)], block, sets);
        }
    }
}

impl BlockSets {
    /// Returns the registers of a class with a piece in the block.
    pub fn pieces(&self, class: usize) -> u64 {
        self.exposed[class] | self.defined[class]
    }
}

/// Returns the bits of a group of `len` registers.
fn tail_mask(len: usize) -> u64 {
    match len {
        WORD.. => !0,
        _ => (1 << len) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l5_bits_after_the_last_register_are_masked() {
        assert_eq!((tail_mask(0), tail_mask(3), tail_mask(64), tail_mask(63)), (0, 7, !0, !0 >> 1));
    }
}
