//! Decides the order in which copies are tried.
//!
//! **Problem.** Every join makes ranges longer and can make other joins impossible. So the order
//! decides which copies remain.
//!
//! **Algorithm.** Blocks are sorted by loop depth, deepest first; then split edges first, if
//! wanted; then by the number of edges, most first; then by LLVM's number. The copies of a block
//! are tried together. Those that failed and may succeed later are tried again after all blocks,
//! until a round changes nothing. With `join-globalcopies` the copies of local registers wait until
//! a loop depth is done. The terminal rule ([`super::terminal_rule`]) moves some copies after the
//! others of their block. With hints, the copies that they prefer ([`super::affinities`]) come
//! first.
//!
//! **Source.** `joinAllIntervals`, `copyCoalesceInMBB`, `copyCoalesceWorkList`. **Deviation:** a
//! failed copy is tried again only if a range that its failure depended on has changed. LLVM tries
//! all of them in every round.
//!
//! **Complexity.** Sorting the blocks; then one attempt for each copy, and one more each time a
//! range that it depends on has changed.

use super::code::Place;
use super::host::CoalescerHost;
use super::join::JoinOutcome;
use super::state::Coalescing;
use super::worklists::{BlockPriority, Failure, Item};
use crate::mir::{BlockId, InstrId};
use std::cmp::Reverse;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Tries all copies (`joinAllIntervals`).
    pub fn join_all(&mut self, blocks: &[BlockPriority]) {
        let mut order: Vec<BlockPriority> = blocks.to_vec();
        order.sort_unstable_by_key(|b| (Reverse(b.depth), !b.is_split_edge, Reverse(b.num_edges), b.number));
        let mut depth = u32::MAX;
        for b in &order {
            if self.options.join_global_copies && b.depth < depth {
                self.join_local_copies();
                depth = b.depth;
            }
            self.join_copies_of_block(b.block);
        }
        self.late_updates();
        self.join_local_copies();
        let mut list = std::mem::take(&mut self.buffers.worklists.global);
        while self.try_copies(&mut list) {}
        self.late_updates();
        list.clear();
        self.buffers.worklists.global = list;
    }

    /// Tries the copies of a block (`copyCoalesceInMBB`).
    fn join_copies_of_block(&mut self, block: BlockId) {
        let mut list = std::mem::take(&mut self.buffers.worklists.block);
        let (mut terminals, mut local_terminals) = (Vec::new(), Vec::new());
        let mut copies_by_reg = std::mem::take(&mut self.buffers.worklists.copies_by_reg);
        if self.options.terminal_rule {
            self.sort_copies_by_reg(block, &mut copies_by_reg);
        }
        for at in self.slots.inside(block) {
            let Some(copy) = self.copy_at(at) else { continue };
            let is_terminal = self.options.terminal_rule && self.is_terminal(copy, &copies_by_reg);
            let is_local = self.options.join_global_copies && self.is_local_copy(copy);
            let item = self.buffers.worklists.item(copy);
            match (is_local, is_terminal) {
                (false, false) => list.push(item),
                (false, true) => terminals.push(item),
                (true, false) => self.buffers.worklists.local.push(item),
                (true, true) => local_terminals.push(item),
            }
        }
        self.buffers.worklists.copies_by_reg = copies_by_reg;
        self.buffers.worklists.local.append(&mut local_terminals);
        if !self.buffers.affinities.is_empty() {
            let (code, affinities) = (&self.code, &mut self.buffers.affinities);
            // The sort is stable.
            list.sort_by_key(|item| {
                !code.copy_vregs(item.instr).is_some_and(|(dst, src)| affinities.prefers(dst, src))
            });
        }
        list.append(&mut terminals);
        self.try_copies(&mut list);
        self.buffers.worklists.global.append(&mut list);
        self.buffers.worklists.block = list;
    }

    /// Tries the copies of local registers (`coalesceLocals`).
    fn join_local_copies(&mut self) {
        let mut list = std::mem::take(&mut self.buffers.worklists.local);
        self.try_copies(&mut list);
        self.buffers.worklists.global.append(&mut list);
        self.buffers.worklists.local = list;
    }

    /// Tries the copies of a list and keeps those that may succeed later. Returns whether anything
    /// was done (`copyCoalesceWorkList`).
    fn try_copies(&mut self, list: &mut Vec<Item>) -> bool {
        let mut progress = false;
        let mut kept = 0;
        for i in 0..list.len() {
            let copy = list[i].instr;
            if self.buffers.worklists.is_void(list[i]) || !self.code.is_alive(copy) {
                continue;
            }
            if let Some(outcome) = self.try_again(copy) {
                progress |= outcome == JoinOutcome::Done;
                if outcome != JoinOutcome::MaySucceedLater {
                    continue;
                }
            }
            list[kept] = list[i];
            kept += 1;
        }
        list.truncate(kept);
        self.end_round();
        list.retain(|&item| !self.buffers.worklists.is_outdated(item));
        progress
    }

    /// Tries a copy that may have been tried before; `None` if it would fail again.
    pub fn try_again(&mut self, copy: InstrId) -> Option<JoinOutcome> {
        if self.buffers.worklists.fails_again(copy, self.ranges) {
            return None;
        }
        let outcome = self.join_copy(copy);
        if outcome == JoinOutcome::MaySucceedLater && self.buffers.dependencies.are_known() {
            if let Some(failure) = Failure::new(&self.buffers.dependencies, self.ranges) {
                self.buffers.worklists.note_failure(copy, failure);
            }
        }
        Some(outcome)
    }
    /// Ends a round of [`Self::try_again`].
    pub fn end_round(&mut self) {
        self.buffers.worklists.end_round();
    }

    /// Whether one of the two registers of a copy is live in one block only (`isLocalCopy`).
    fn is_local_copy(&self, copy: InstrId) -> bool {
        let is_undef = self.code.operand(Place { instr: copy, index: 1 }).is_undef();
        let Some((dst, src)) = self.code.copy_vregs(copy) else { return false };
        !is_undef && (self.is_in_one_block(src) || self.is_in_one_block(dst))
    }
}
