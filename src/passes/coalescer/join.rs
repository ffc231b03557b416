//! Tries one copy: joins its registers, removes it in another way, or leaves it.
//!
//! **Source.** `joinCopy`. The steps are those in the documentation of
//! [`crate::passes::coalescer`].

use super::host::{CoalescerHost, Edit};
use super::pair::CoalescerPair;
use super::state::Coalescing;
use crate::mir::{InstrId, Register, VRegId};
use crate::process::trace::trace;

/// The outcome of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinOutcome {
    /// The copy is gone, or the code was improved in another way.
    Done,
    /// The copy may be joined after others have been.
    MaySucceedLater,
    /// The copy stays, or was not a copy of a value.
    Never,
}

/// The pass in traces.
const NAME: &str = "coalescer";

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Tries a copy.
    pub fn join_copy(&mut self, copy: InstrId) -> JoinOutcome {
        self.buffers.dependencies.begin();
        let (dst, src) = self.code.copy_regs(copy);
        let (Some(dst), Some(src)) = (dst.vreg(), src.vreg()) else {
            return self.join_physical(copy, dst, src);
        };
        let shown = || format!("{dst} = COPY {src}");
        let Some(mut pair) = self.pair_of(copy, dst, src) else {
            trace!(NAME, "{}: stays, as no class fits both registers", shown());
            return JoinOutcome::Never;
        };
        if self.code.all_defs_are_dead(copy) {
            self.buffers.dead_instrs.push(copy);
            self.eliminate_dead_defs();
            trace!(NAME, "{}: erased, as nothing reads the result", shown());
            return JoinOutcome::Done;
        }
        if self.eliminate_undef_copy(copy, dst, src) {
            trace!(NAME, "{}: erased, as the source has no value", shown());
            return JoinOutcome::Never;
        }
        if pair.src == pair.dst {
            self.remove_identity_copy(copy, pair.src);
            trace!(NAME, "{}: erased, as both are one register by now", shown());
            return JoinOutcome::Done;
        }
        self.buffers.dependencies.add(pair.src);
        self.buffers.dependencies.add(pair.dst);
        if self.keeps_source(&pair) {
            pair.flip();
        }
        if !self.join_virt_regs(&pair) {
            let (outcome, how) = self.try_without_join(&pair, copy);
            trace!(NAME, "{}: both are live with different values: {how}", shown());
            return outcome;
        }
        self.finish_join(&pair, copy);
        trace!(NAME, "{}: joined, {} is {} now", shown(), pair.src, pair.dst);
        JoinOutcome::Done
    }

    /// Whether to keep the register that would go. The hints decide; without a decision the
    /// register with more segments stays.
    fn keeps_source(&self, pair: &CoalescerPair) -> bool {
        let num_segments = |reg| self.ranges.get(reg).segments.len();
        let by_hints = self.buffers.affinities.keeps_first(pair.src, pair.dst, self.code);
        by_hints.unwrap_or_else(|| num_segments(pair.src) > num_segments(pair.dst))
    }

    /// Tries a copy from or to a physical register. It is joined only if that is reserved.
    /// Otherwise the value may be rematerialised.
    fn join_physical(&mut self, copy: InstrId, dst: Register, src: Register) -> JoinOutcome {
        let is_flipped = src.is_physical();
        let (reg, phys) = if is_flipped { (dst, src) } else { (src, dst) };
        let Some(reg) = reg.vreg() else { return JoinOutcome::Never };
        let class = self.class(reg);
        if !self.host.class_contains(class, phys) {
            return JoinOutcome::Never;
        }
        let can_join = self.can_join_phys(reg, phys);
        if can_join && self.join_reserved_phys_reg(copy, reg, phys, is_flipped)
            || !is_flipped && self.rematerialize_to(reg, phys, None, copy)
        {
            return JoinOutcome::Done;
        }
        self.buffers.dependencies.add_others();
        if can_join {
            return JoinOutcome::MaySucceedLater;
        }
        if is_flipped {
            return JoinOutcome::Never;
        }
        // Once the copy that defines it is joined, the value may be rematerialisable.
        let range = self.ranges.get(reg);
        let def =
            range.query(self.code.slot(copy)).value_in().and_then(|v| self.slots.def_instr(range.def(v)));
        if def.is_some_and(|def| self.code.is_copy(def)) {
            JoinOutcome::MaySucceedLater
        } else {
            JoinOutcome::Never
        }
    }

    /// Erases a copy of a register to itself: its value is the one that it copies.
    fn remove_identity_copy(&mut self, copy: InstrId, reg: VRegId) {
        let q = self.ranges.get(reg).query(self.code.slot(copy));
        if let Some(defined) = q.value_defined() {
            let read = q.value_in().expect("a copy of no value was eliminated");
            self.edit_range(reg, |range| range.merge_value_into(defined, read));
        }
        self.erase(copy);
    }

    /// Tries the alternatives when the ranges interfere. Returns what was done as well, in words.
    fn try_without_join(&mut self, pair: &CoalescerPair, copy: InstrId) -> (JoinOutcome, &'static str) {
        if self.rematerialize(pair, copy) {
            return (JoinOutcome::Done, "the value is computed again");
        }
        if self.adjust_copies_back_from(pair, copy) {
            return (JoinOutcome::Done, "the value lives on in the register that it was copied from");
        }
        if let Some(needs_shrink) = self.remove_copy_by_commuting(pair, copy) {
            self.erase(copy);
            if needs_shrink {
                self.shrink_to_uses(pair.defined());
            }
            return (JoinOutcome::Done, "erased, as the def of the source is commuted");
        }
        if self.remove_partial_redundancy(pair, copy) {
            return (JoinOutcome::Done, "moved to the predecessor that needs it");
        }
        (JoinOutcome::MaySucceedLater, "stays, until another join changes that")
    }

    /// Finishes a join of two ranges: updates the names and classes of the registers.
    fn finish_join(&mut self, pair: &CoalescerPair, copy: InstrId) {
        if pair.is_cross_class {
            self.counts.cross_class_joins += 1;
            self.set_class(pair.dst, pair.new_class);
        }
        if self.host.class_info(pair.new_class).is_proper_sub_class {
            self.buffers.to_inflate.push(pair.dst);
        }
        self.buffers.worklists.note_joined(copy);
        self.flag_reads_after_join(pair.dst);
        self.host.edit(Edit::Rename { src: pair.src, dst: pair.dst });
        self.code.rename(pair.src, pair.dst);
        if self.buffers.late_updates.contains(pair.src) {
            self.shrink_to_uses(pair.dst);
        }
        self.ranges.remove(pair.src);
        self.buffers.affinities.note_joined(pair.src, pair.dst);
        self.counts.joins += 1;
    }
}
