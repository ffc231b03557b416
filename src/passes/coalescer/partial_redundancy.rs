//! Moves a copy that is needed on only one of the two edges into its block.
//!
//! **Problem.**
//!
//! ```text
//! BB0: A = B     BB1:             BB0: A = B     BB1: B = A
//!         \       /        =>            \       /
//!       BB2: B = A                       BB2:
//! ```
//!
//! On the edge from BB0 the copy changes nothing. It moves to BB1, which has no other successor.
//! The most common case is a loop of one block: BB0 is BB2.
//!
//! **Source.** `removePartialRedundancy`, whose comment has the conditions.
//!
//! **Complexity.** Linear in the operands and segments of both registers.

use super::code::Place;
use super::host::CoalescerHost;
use super::pair::CoalescerPair;
use super::state::Coalescing;
use crate::liveness::ranges::UNUSED;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::versions::VERSIONS;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Moves the copy, or drops it if both predecessors have copied back. Returns false if that
    /// cannot be done.
    pub fn remove_partial_redundancy(&mut self, pair: &CoalescerPair, copy: InstrId) -> bool {
        let block = self.code.block(copy);
        let &[p, q] = self.graph.preds(block) else { return false };
        if self.host.is_special_target(block) {
            return false;
        }
        let (a, b) = (pair.copied(), pair.defined());
        let at = self.code.slot(copy).early_clobber();
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let value_a = range_a.value_at(at).expect("the copied register is live");
        if !range_a.is_phi_def(value_a) || range_b.overlaps_span(self.slots.start(block), at) {
            return false;
        }
        let pred_that_needs_it = match [p, q].map(|pred| self.is_copied_back(a, b, pred)) {
            [false, false] => return false,
            [true, true] => None,
            [true, false] => Some(q),
            [false, true] => Some(p),
        };
        if let Some(pred) = pred_that_needs_it {
            if !self.can_get_copy(pred, b) {
                return false;
            }
            self.insert_copy(copy, pred, b, a);
        }
        let is_undef = self.code.operand(Place { instr: copy, index: 1 }).is_undef();
        let at = self.code.slot(copy).register();
        self.erase(copy);

        self.drop_def(b, at, is_undef && VERSIONS.coalescer.flags_moved_undef_copies);
        self.shrink_to_uses(b);
        self.shrink_to_uses(a);
        true
    }

    /// Whether a copy to `reg` can be inserted at the end of `block`.
    fn can_get_copy(&mut self, block: BlockId, reg: VRegId) -> bool {
        if self.graph.succs(block).len() > 1 {
            return false;
        }
        let Some(terminator) = self.first_terminator(block) else { return true };
        let from = self.code.slot(terminator).early_clobber();
        !self.ranges.get(reg).overlaps_span(from, self.slots.end(block))
    }

    /// Removes the def of `reg` at `at`: the values that reach it live on. With `flags_undef`, uses
    /// that no value reaches now are flagged undefined.
    pub fn drop_def(&mut self, reg: VRegId, at: SlotIndex, flags_undef: bool) {
        let mut ends = std::mem::take(&mut self.buffers.ends);
        ends.clear();
        let mut range = std::mem::take(&mut self.buffers.range);
        range.assign(self.ranges.get(reg));
        let value = range.view().query(at).value_out_or_dead().expect("it defines a value");
        let around = self.graph.with_slots(self.slots);
        self.buffers.extender.prune_value(around, self.graph.succs, &mut range, at, &mut ends);
        range.set_def(value, UNUSED);
        if flags_undef {
            self.set_uses_undef(reg, |this, instr| !range.view().is_live_at(this.code.slot(instr)));
        }
        let around = self.graph.with_slots(self.slots);
        self.buffers.extender.extend_to(around, &mut range, &ends);
        self.ranges.store(reg, &range);
        self.buffers.range = range;
        self.buffers.ends = ends;
    }

    /// Whether `a` leaves `pred` as a copy of `b` that is made there, with no def of `b` after it.
    fn is_copied_back(&self, a: VRegId, b: VRegId, pred: BlockId) -> bool {
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let end = self.slots.end(pred);
        let Some(value) = range_a.value_before(end) else { return false };
        let def = range_a.def(value);
        let Some(instr) = self.slots.def_instr(def) else { return false };
        self.code.is_copy(instr)
            && self.code.copy_vregs(instr) == Some((a, b))
            && self.code.block(instr) == pred
            && !range_b.used_values().any(|(_, v)| def < v && v < end)
    }
}
