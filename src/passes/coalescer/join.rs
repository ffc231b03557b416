//! One copy: joined, made needless in another way, or left.
//!
//! **Source.** `joinCopy`. The steps are those of the module's documentation.

use super::host::{CoalescerHost, Edit};
use super::pair::Pair;
use super::Coalescing;
use crate::mir::Register;

/// What came of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JoinOutcome {
    /// It is gone, or the code is better otherwise.
    pub done: bool,
    /// It may succeed when others have been joined.
    pub again: bool,
}

impl JoinOutcome {
    const DONE: JoinOutcome = JoinOutcome { done: true, again: false };
    const AGAIN: JoinOutcome = JoinOutcome { done: false, again: true };
    const NEVER: JoinOutcome = JoinOutcome { done: false, again: false };
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Tries a copy.
    pub fn join_copy(&mut self, copy: u32) -> JoinOutcome {
        self.b.depends.begin();
        let (dst, src) = self.code.copy_regs(copy);
        if dst.is_physical() || src.is_physical() {
            return self.join_physical(copy, dst, src);
        }
        let Some(mut pair) = self.pair_of(copy) else { return JoinOutcome::NEVER };
        if self.code.all_defs_are_dead(copy) {
            self.b.dead_defs.push(copy);
            self.eliminate_dead_defs();
            return JoinOutcome::DONE;
        }
        if let Some(is_implicit_def) = self.eliminate_undef_copy(copy) {
            if !is_implicit_def {
                self.erase(copy);
            }
            return JoinOutcome::NEVER;
        }
        if pair.src == pair.dst {
            self.remove_identity_copy(copy, pair.src);
            return JoinOutcome::DONE;
        }
        self.b.depends.on(pair.src);
        self.b.depends.on(pair.dst);
        // The register with the larger range stays.
        if self.ranges.get(pair.src).segments.len() > self.ranges.get(pair.dst).segments.len() {
            pair.flip();
        }
        if !self.join_virt_regs(&pair) {
            return self.try_without_join(&pair, copy);
        }
        self.finish_join(&pair, copy);
        JoinOutcome::DONE
    }

    /// A copy from or to a physical register: that is joined only if it is reserved, else the value may be computed
    /// again.
    fn join_physical(&mut self, copy: u32, dst: Register, src: Register) -> JoinOutcome {
        let flipped = src.is_physical();
        let (reg, phys) = if flipped { (dst, src) } else { (src, dst) };
        if !reg.is_virtual() || !self.host.class_contains(reg.virt_index() as u32, phys) {
            return JoinOutcome::NEVER;
        }
        let reg = reg.virt_index() as u32;
        let can_join = self.can_join_phys(reg, phys);
        if can_join && self.join_reserved_phys_reg(copy, reg, phys, flipped)
            || !flipped && self.rematerialize_to(reg, phys, None, copy)
        {
            return JoinOutcome::DONE;
        }
        self.b.depends.on_more();
        if can_join {
            return JoinOutcome::AGAIN;
        }
        if flipped {
            return JoinOutcome::NEVER;
        }
        // When the copy that defines it is joined there may be something to compute.
        let at = self.slot_of(copy);
        let range = self.ranges.get(reg);
        let def = range.query(at).value_in().map(|v| range.values[v as usize]).filter(|d| !d.is_block());
        let is_copy = def.and_then(|d| self.slots.instr_at(d)).is_some_and(|i| self.code.is_copy(i));
        JoinOutcome { done: false, again: is_copy }
    }

    /// Both registers of the copy are one already: its value is the one that it copies.
    fn remove_identity_copy(&mut self, copy: u32, reg: u32) {
        let at = self.slot_of(copy);
        let q = self.ranges.get(reg).query(at);
        if let Some(defined) = q.value_defined() {
            let read = q.value_in().expect("a copy of no value was eliminated");
            let mut scratch = std::mem::take(&mut self.b.scratch);
            self.ranges.edit(reg, &mut scratch, |range| range.merge_value_into(defined, read));
            self.b.scratch = scratch;
        }
        self.erase(copy);
    }

    /// The ranges interfere.
    fn try_without_join(&mut self, pair: &Pair, copy: u32) -> JoinOutcome {
        if self.rematerialize(pair, copy) {
            return JoinOutcome::DONE;
        }
        if self.adjust_copies_back_from(pair, copy) {
            return JoinOutcome::DONE;
        }
        if let Some(shrink) = self.remove_copy_by_commuting(pair, copy) {
            self.erase(copy);
            if shrink {
                self.shrink_to_uses(pair.defined());
            }
            return JoinOutcome::DONE;
        }
        if self.remove_partial_redundancy(pair, copy) {
            return JoinOutcome::DONE;
        }
        JoinOutcome::AGAIN
    }

    /// The ranges are joined: names and classes of the registers follow.
    fn finish_join(&mut self, pair: &Pair, copy: u32) {
        if pair.cross_class {
            self.counts.cross_class_joins += 1;
            self.set_class(pair.dst, pair.new_class);
        }
        if self.host.class_info(pair.new_class).is_proper_sub_class {
            self.b.inflate.push(pair.dst);
        }
        self.b.lists.joined(copy);
        self.host.edit(Edit::Rename { src: pair.src, dst: pair.dst });
        self.code.rename(pair.src, pair.dst);
        if self.b.late_updates.contains(pair.src) {
            self.shrink_to_uses(pair.dst);
        }
        self.ranges.remove(pair.src);
        self.counts.joins += 1;
    }
}
