//! Collects the tied pairs of one instruction, and satisfies them by COPYs (requirements T1, T3,
//! T10).

use super::host::{InstrFacts, TwoAddressHost};
use super::live_variables_update::CopyUpdate;
use super::tied_operands::{GroupId, TiedPair};
use super::walk::{Walk, NAME};
use crate::mir::{for_each_tied_use, InstrKind, Operand, Register};
use crate::passes::function::{InstrHandle, IntervalsHandle};
use crate::process::trace::trace;

/// The COPYs of one source register B to the results that it is tied to.
struct GroupCopies<H: TwoAddressHost> {
    /// B, and the part of it that is read.
    source: Register,
    subreg: u32,
    /// The last result that got a COPY.
    last_copied: Register,
    /// The slot of the last COPY.
    last_slot: Option<<H::Intervals as IntervalsHandle>::Slot>,
    /// The last COPY, which LiveVariables does not know yet.
    update: Option<CopyUpdate<H>>,
    /// Some result is written before all operands are read.
    is_early_clobber: bool,
    /// A use that was rewritten to a result was the last of its register.
    has_removed_kill: bool,
    /// No pair was already satisfied.
    all_uses_copied: bool,
}

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Collects the tied pairs of `mi` whose registers differ. An undefined source is rewritten at
    /// once.
    pub(super) fn collect_tied_operands(&mut self, mi: H::Instr, facts: InstrFacts<H::Instr>) {
        self.b.tied.clear();
        mi.read_operands(&mut self.b.tied.operands);
        self.find_ties(mi, facts);
        for i in 0..self.b.tied.ties.len() {
            let pair = self.b.tied.ties[i];
            let (use_op, def_op) = (self.b.tied.operands[pair.src], self.b.tied.operands[pair.dst]);
            if use_op.reg() == def_op.reg() {
                continue;
            }
            if use_op.is_undef() && def_op.subreg() == 0 {
                if def_op.reg().is_virtual() {
                    self.host.constrain_class_like(def_op.reg(), use_op.reg());
                }
                self.set_reg(mi, pair.src, def_op.reg());
                self.counts.undef += 1;
                continue;
            }
            self.b.tied.add(use_op.reg(), pair);
        }
    }

    /// Lists all ties of `mi`, in the order of the uses. Those of an INLINEASM are found in one
    /// walk over its operand groups.
    fn find_ties(&mut self, mi: H::Instr, facts: InstrFacts<H::Instr>) {
        let t = &mut self.b.tied;
        t.ties.clear();
        if facts.kind.is_inline_asm() {
            let first = self.host.inline_asm_first_operand();
            for_each_tied_use(&t.operands, first, &mut t.asm_groups, |src, dst| {
                t.ties.push(TiedPair { src, dst });
            });
            return;
        }
        for (src, op) in t.operands.iter().enumerate() {
            if op.is_use() && op.is_tied() {
                t.ties.push(TiedPair { src, dst: self.host.tied_def(mi, src) });
            }
        }
    }

    /// Satisfies every collected pair by a COPY.
    pub(super) fn process_tied_operands(&mut self, mi: H::Instr, facts: InstrFacts<H::Instr>) {
        self.b.tied.index_uses();
        if self.options.wants_remarks {
            self.remark_copies(mi);
        }
        let mut groups = std::mem::take(&mut self.b.groups);
        groups.clear();
        groups.extend(self.b.tied.groups());
        for &group in &groups {
            self.process_tied_group(mi, facts, group);
        }
        self.b.groups = groups;
    }

    /// Satisfies the pairs of one source register B: for each result A, `A = COPY B` goes before
    /// `mi`, and the use becomes A. Other uses of B in `mi` become the last A as well, so that B
    /// can end at its copy. They do not if some pair was already satisfied or a result is
    /// early-clobber.
    fn process_tied_group(&mut self, mi: H::Instr, facts: InstrFacts<H::Instr>, group: GroupId) {
        let copies = self.copy_to_results(mi, facts, group);
        if copies.all_uses_copied {
            self.end_source(mi, copies);
        } else {
            self.keep_source(mi, copies);
        }
    }

    fn copy_to_results(
        &mut self,
        mi: H::Instr,
        facts: InstrFacts<H::Instr>,
        group: GroupId,
    ) -> GroupCopies<H> {
        let tied = &self.b.tied;
        let mut copies = GroupCopies {
            source: Register::NONE,
            subreg: 0,
            last_copied: Register::NONE,
            last_slot: None,
            update: None,
            is_early_clobber: tied.pairs_of(group).any(|p| tied.operands[p.dst].is_early_clobber()),
            has_removed_kill: false,
            all_uses_copied: true,
        };
        let mut link = Some(tied.first_link(group));
        while let Some(at) = link {
            let pair;
            (pair, link) = self.b.tied.pair_and_next(at);
            let reg_a = self.b.tied.operands[pair.dst].reg();
            // Read again: commuting may have swapped it.
            let source = self.b.tied.operands[pair.src];
            let (reg_b, subreg_b) = (source.reg(), source.subreg());
            (copies.source, copies.subreg) = (reg_b, subreg_b);
            if reg_a == reg_b {
                copies.all_uses_copied = false;
                continue;
            }
            assert!(reg_b.is_virtual(), "tied use of physical register {} cannot be copied", reg_b.0);
            copies.last_copied = reg_a;

            let copy = self.host.insert_copy_before(mi, reg_a, reg_b, subreg_b);
            self.counts.copies += 1;
            trace!(NAME, "{reg_a} tied to {reg_b}: copied before the instruction");
            if let Some(lv) = self.lv {
                let next = CopyUpdate { copy, mi, dst: reg_a, src: reg_b, replaces_def: false };
                if let Some(previous) = copies.update.replace(next) {
                    previous.transfer(lv, false);
                }
            }
            self.b.distance.insert(copy.key(), self.dist);
            self.dist += 1;
            self.b.distance.set(mi.key(), self.dist);
            copies.last_slot = self.lis.map(|lis| lis.insert_copy(copy, mi, reg_a, copies.is_early_clobber));

            copies.has_removed_kill |= self.remove_kill_flag(mi, pair.src);
            // A copy of a part truncates; the class of the whole then says nothing about A's.
            if reg_a.is_virtual() && subreg_b == 0 {
                self.host.constrain_class_like(reg_a, reg_b);
            }
            self.set_reg(mi, pair.src, reg_a);
            if self.options.differences.rewrites_bundles && facts.kind == InstrKind::Bundle {
                self.host.replace_reg_in_bundle(mi, reg_b, reg_a);
            }
        }
        copies
    }

    /// `mi` still reads B. If the kill flag went with another use, a remaining one gets it.
    fn keep_source(&mut self, mi: H::Instr, copies: GroupCopies<H>) {
        if copies.has_removed_kill {
            let first = self.b.tied.uses_of(copies.source).next();
            if let Some(index) = first {
                self.set_kill(mi, index, true);
            }
        }
        if let (Some(lv), Some(update)) = (self.lv, copies.update) {
            update.transfer(lv, false);
        }
    }

    /// No tied operand of `mi` reads B any more. Its other uses of B become the last A where they
    /// can.
    fn end_source(&mut self, mi: H::Instr, mut copies: GroupCopies<H>) {
        let mut remaining_lanes = 0;
        for position in self.b.tied.indexed_uses(copies.source) {
            let index = self.b.tied.indexed_use(position);
            let op = self.b.tied.operands[index];
            if op.reg() != copies.source {
                continue;
            }
            if op.subreg() == copies.subreg && !copies.is_early_clobber {
                copies.has_removed_kill |= self.remove_kill_flag(mi, index);
                self.set_reg(mi, index, copies.last_copied);
            } else {
                remaining_lanes |= self.host.lane_mask(op.subreg());
            }
        }
        let source_ends = copies.has_removed_kill && remaining_lanes == 0;
        if let (Some(lv), Some(update)) = (self.lv, copies.update) {
            update.transfer(lv, source_ends);
        }
        if source_ends {
            self.b.maps.set_source(copies.last_copied, copies.source);
        }
        if let (Some(lis), Some(slot)) = (self.lis, copies.last_slot) {
            lis.end_at_copy(mi, copies.source, slot, remaining_lanes);
        }
    }

    /// Whether the use is the last of its register.
    fn tied_use_is_killed(&self, mi: H::Instr, index: usize) -> bool {
        let t = &self.b.tied;
        let op = t.operands[index];
        if op.is_kill() || !self.options.differences.tied_kills_from_liveness {
            return op.is_kill();
        }
        match self.lis.filter(|lis| lis.has_instr(mi)) {
            Some(lis) => lis.ends_at(mi, op.reg()),
            None => t.uses_of(op.reg()).any(|i| t.operands[i].is_kill()),
        }
    }

    /// Clears the kill flag of a use. Returns whether the use was the last of its register.
    fn remove_kill_flag(&mut self, mi: H::Instr, index: usize) -> bool {
        let killed = self.tied_use_is_killed(mi, index);
        if killed {
            self.set_kill(mi, index, false);
        }
        killed
    }

    fn set_reg(&mut self, mi: H::Instr, index: usize, reg: Register) {
        mi.set_reg(index, reg);
        let operand: &mut Operand = &mut self.b.tied.operands[index];
        *operand = operand.with_reg(reg);
    }

    fn set_kill(&mut self, mi: H::Instr, index: usize, kill: bool) {
        self.host.set_kill(mi, index, kill);
        let operand: &mut Operand = &mut self.b.tied.operands[index];
        *operand = operand.with_kill(kill);
    }
}
