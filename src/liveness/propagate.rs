//! Finds the blocks that a register is live into and out of (phase 5).
//!
//! **Problem.** `LiveOut(B)` is the union of `LiveIn(S)` over the successors, and what their PHIs read at the
//! end of `B`; `LiveIn(B)` is what `B` reads before any def, and `LiveOut(B)` without what `B` defines
//! (errata 10).
//!
//! **Algorithm.** Two bitsets, one for predicate registers and one for all others (requirement L5, errata 11), in one
//! fixed point with one `changed` flag: every block that is pending is visited in post-order (the reverse
//! post-order of the reversed graph), hands what it newly needs to its predecessors and makes them pending;
//! another round is made while a predecessor lies behind. Bits behind the last register are masked.
//!
//! Instead of all words of a block at once, the outermost loop runs over the words: a group is word `k` of
//! either set, and only the blocks that its registers reach are visited. Registers are numbered in the order
//! of their first use across blocks, so those of a group live near each other. Memory is one record for each
//! block, and time follows the size of the result, where a full matrix grows with blocks times registers; and a
//! group's solution is turned into segments (phase 7) while it is in the cache.
//!
//! The bypass (requirement L6, errata 9) solves the same equations for one register at a time, walking up from its
//! uses: cheaper for a few instructions, and exact.
//!
//! **Source.** The reference description of the live-range calculation, phase 5. **Deviations:** the reference expands
//! kill sets through other blocks' entries, which is no liveness equation; sparse words as said.
//!
//! **Complexity.** Rounds (loop depth + 2 on reducible graphs) times blocks reached, for 128 registers at a
//! time.

use super::block_facts::BlockFacts;
use crate::adt::{BitSet, Rows};
use crate::cfg::Cfg;
use crate::mir::{BlockId, VRegId, VarFlags};
use index_vec::IndexVec;

/// Bits of a word.
pub const WORD: usize = 64;
/// The two sets: general registers and predicates.
pub const CLASSES: usize = 2;

/// What is known of one block for the registers of a group; by class.
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
    /// By block; all zero before a group is solved.
    sets: IndexVec<BlockId, BlockSets>,
    touched: BitSet,
    pending: BitSet,
    stack: Vec<BlockId>,
    /// By register, the blocks at whose ends PHIs read it; without rows if there is no PHI.
    phi_uses: Rows<VRegId, BlockId>,
}

impl LiveSets {
    /// How many groups there are.
    pub fn num_groups(&self) -> usize {
        self.regs.iter().map(|r| r.len().div_ceil(WORD)).max().unwrap_or(0)
    }
    /// The registers of a class in a group; the position is the bit.
    pub fn group(&self, class: usize, group: usize) -> &[VRegId] {
        let regs = &self.regs[class];
        &regs[(group * WORD).min(regs.len())..((group + 1) * WORD).min(regs.len())]
    }
    /// The blocks at whose ends PHIs read `reg`; may have one more than once.
    pub fn phi_uses_of(&self, reg: VRegId) -> &[BlockId] {
        if self.phi_uses.is_empty() {
            &[]
        } else {
            self.phi_uses.row(reg)
        }
    }

    /// Chooses the registers: global and with one def. One with several defs is phase 6's alone, which has
    /// to find out which of its values is live in any case.
    pub fn choose(&mut self, facts: &BlockFacts, cfg: &Cfg, mut is_predicate: impl FnMut(VRegId) -> bool) {
        for class in &mut self.regs {
            class.clear();
        }
        for &reg in facts.globals.iter().filter(|&&r| !facts.flags[r].has(VarFlags::MANY_DEFS)) {
            self.regs[usize::from(is_predicate(reg))].push(reg);
        }
        let blocks = cfg.num_blocks();
        self.sets.clear();
        self.sets.resize(blocks, BlockSets::default());
        self.touched.reset(blocks);
        self.pending.reset(blocks);
        let rows = if facts.phi_uses.is_empty() { 0 } else { facts.flags.len() };
        self.phi_uses.collect(rows, facts.phi_uses.iter().copied());
    }

    /// Solves one group; [`LiveSets::drain`] has the solution.
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

    /// Enters what the blocks themselves do to `reg`; where it is needed goes to the stack.
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
        while changed {
            changed = false;
            let mut from = 0;
            while let Some(position) = self.pending.take_first(from) {
                from = position + 1;
                let block = cfg.postorder[position];
                let sets = &mut self.sets[block];
                let mut new = [0; CLASSES];
                // The general registers, then the predicates: the same code, one flag.
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

    /// Calls `visit` with the registers of the group by class, each block that they reach, in layout order,
    /// and what holds there; leaves everything zero for the next group.
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
    /// The registers of a class with a piece in the block.
    pub fn pieces(&self, class: usize) -> u64 {
        self.exposed[class] | self.defined[class]
    }
}

/// The bits of a group of `len` registers.
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
    fn l5_bits_behind_the_last_register_are_masked() {
        assert_eq!((tail_mask(0), tail_mask(3), tail_mask(64), tail_mask(63)), (0, 7, !0, !0 >> 1));
    }
}
