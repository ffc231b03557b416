//! Puts the copies of a block into the fewest moves: rotations and swaps.
//!
//! **Problem.** PHIs that take each other's values at a back edge form a permutation. PHI
//! elimination copies each of them twice, through a new register, and the standard coalescer
//! removes one copy at a time. Of a rotation of four it keeps seven copies, some at the top of the
//! loop and some at the bottom, where five suffice. A value that also leaves the loop keeps the
//! register that it has at the top.
//!
//! **Algorithm.** For each block with at least `plan::MIN_COPIES` copies:
//!
//! 1. The block is followed as if its copies were gone (`plan`). Values are the registers at the
//!    start of the block, and the defs of other instructions. A reader of a copied register reads
//!    the *home* of its value instead: the register that the value was defined in. A def that
//!    overwrites a home that is still needed gets a register of its own, and the block is followed
//!    again.
//! 2. At the end of the block, registers that are live out must have the values that they had. Two
//!    registers with the same value there become one if the first has no other value, and the
//!    second has no other value where the first is live outside the block. The first is renamed to
//!    the second.
//! 3. The rest is a parallel copy before the terminators. In sequence (`sequence`) it takes a move
//!    for each register that changes, and one more for each cycle that no other move reads.
//! 4. If that is fewer copies than before, the block is changed (`rewrite`), and the ranges of its
//!    registers are rebuilt (`block_ranges`). A new register or temporary is one that the
//!    coalescers have left unnamed, if there is one (`spare_regs`).
//!
//! **Source.** Sequence of a parallel copy: Boissinot et al. 2009, section "Sequentialization of
//! parallel copies"; the reference description of CICC 13.0's register coalescing, which names
//! rotations among the copies that PHIs leave. **Deviation:** the original copies need not be
//! adjacent.
//!
//! **Complexity.** Linear in the instructions of blocks with copies, and in the ranges of the
//! registers that these copies name. Room for new copies is made once for each function.

mod block_ranges;
mod plan;
mod rewrite;
mod sequence;
mod spare_regs;

use super::budget::Account;
use crate::mir::BlockId;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::slots::RoomBefore;
use crate::passes::coalescer::Coalescing;
use plan::Plan;
use rewrite::Rewriter;
use sequence::{sequence, Step};

/// Working storage.
#[derive(Default)]
pub struct ParallelCopies {
    plan: Plan,
    steps: Vec<Step>,
    rewriter: Rewriter,
}

impl ParallelCopies {
    /// Puts the copies of a function's blocks in parallel. Returns the number of copies saved.
    pub fn run<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, account: &mut Account) -> u64 {
        self.plan.reset();
        let mut chosen = Vec::new();
        for block in c.slots.blocks() {
            if self.find_fewer_copies(c, block) && account.may_remove_many(self.num_saved()) {
                chosen.push((block, self.steps.len()));
            }
        }
        if chosen.is_empty() {
            return 0;
        }
        let room = |&(block, num_copies): &(BlockId, usize)| RoomBefore {
            slot: c.end_of_code(block),
            num_entries: num_copies as u32,
        };
        let rooms: Vec<RoomBefore> = chosen.iter().map(room).collect();
        c.make_room_for(&rooms);
        self.rewriter.begin(c);
        let mut num_saved = 0;
        for (block, max_copies) in chosen {
            // Registers that an earlier block renamed may be in the way now.
            if self.find_fewer_copies(c, block)
                && self.steps.len() <= max_copies
                && account.may_remove_many(self.num_saved())
            {
                num_saved += self.num_saved();
                account.note_removed(self.num_saved());
                self.rewriter.change_block(c, block, &mut self.plan, &mut self.steps);
            }
        }
        num_saved
    }

    /// Returns how many copies the plan saves.
    fn num_saved(&self) -> u64 {
        (self.plan.copies.len() - self.steps.len()) as u64
    }

    /// Plans how a block would change. False if that saves no copies.
    fn find_fewer_copies<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, block: BlockId) -> bool {
        if !self.plan.make(c, block) {
            return false;
        }
        sequence(&self.plan.moves, &mut self.steps);
        self.steps.len() < self.plan.copies.len()
    }
}
