//! The tied pairs of one instruction, and the COPYs that satisfy them (rows T1, T3, T10).

use super::live_variables_update::CopyUpdate;
use super::Walk;
use crate::adt::DenseMapOrder;
use crate::llvm::{InstrFacts, MachineInstr};
use crate::mir::{Operand, Register};
use crate::versions::VERSIONS;

/// Pairs (use, def) whose registers differ, grouped by source register. The groups are visited in
/// LLVM's order, which is that of a hash map: see [`DenseMapOrder`].
#[derive(Default)]
pub(super) struct TiedOperands {
    order: DenseMapOrder,
    /// By ordinal of the source register: first and last pair in `pairs`.
    groups: Vec<(u32, u32)>,
    pairs: Vec<Pair>,
    /// All operands of the instruction, kept as they are changed.
    pub(super) operands: Vec<Operand>,
    /// (register, index) of every use, sorted.
    uses: Vec<(Register, u32)>,
    /// Scratch: ties as they are found; group starts of an INLINEASM.
    ties: Vec<(u32, u32)>,
    asm_groups: Vec<usize>,
    ordinals: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Pair {
    src: u32,
    dst: u32,
    next: u32,
}
const END: u32 = u32::MAX;

impl TiedOperands {
    /// Makes it as new: the hash map's size is that of a function's first instruction.
    pub(super) fn reset(&mut self) {
        self.order.reset();
        self.groups.clear();
        self.pairs.clear();
    }

    fn clear(&mut self) {
        self.order.clear();
        self.groups.clear();
        self.pairs.clear();
    }

    /// The pairs as (use, def), in the order in which they are processed.
    pub(super) fn all_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let next = |pair: &u32| Some(self.pairs[*pair as usize].next).filter(|&next| next != END);
        let of_group = move |ordinal: usize| std::iter::successors(Some(self.groups[ordinal].0), next);
        let pairs = self.order.ordinals().flat_map(of_group).map(|p| self.pairs[p as usize]);
        pairs.map(|pair| (pair.src as usize, pair.dst as usize))
    }

    fn add(&mut self, reg: Register, src: u32, dst: u32) {
        let pair = self.pairs.len() as u32;
        self.pairs.push(Pair { src, dst, next: END });
        let ordinal = self.order.insert(reg.0);
        match self.groups.get_mut(ordinal) {
            None => self.groups.push((pair, pair)),
            Some((_, last)) => {
                self.pairs[*last as usize].next = pair;
                *last = pair;
            }
        }
    }

    /// The pairs of a group, in the order of the uses.
    fn group(&self, ordinal: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let first = self.groups[ordinal].0;
        let first = (first != END).then(|| self.pairs[first as usize]);
        std::iter::successors(first, |p| (p.next != END).then(|| self.pairs[p.next as usize]))
            .map(|p| (p.src as usize, p.dst as usize))
    }

    /// The pair, if there is one only.
    pub(super) fn single_pair(&self) -> Option<(usize, usize)> {
        match self.pairs[..] {
            [p] => Some((p.src as usize, p.dst as usize)),
            _ => None,
        }
    }

    /// (use, def) of each source register's only pair, in LLVM's order; `None` for a register with more.
    pub(super) fn sole_pairs(&self) -> impl Iterator<Item = (Register, Option<(usize, usize)>)> + '_ {
        self.order.ordinals().map(|ordinal| {
            let mut pairs = self.group(ordinal);
            let first = pairs.next().expect("a group has a pair");
            (self.operands[first.0].reg(), pairs.next().is_none().then_some(first))
        })
    }

    /// Reads the operands of `mi` again; the pairs stay.
    pub(super) fn read(&mut self, mi: MachineInstr) {
        mi.read_operands(&mut self.operands);
    }

    fn index_uses(&mut self) {
        self.uses.clear();
        let uses = self.operands.iter().enumerate().filter(|(_, op)| op.is_use());
        self.uses.extend(uses.map(|(i, op)| (op.reg(), i as u32)));
        self.uses.sort_unstable();
    }

    /// Indices of the uses of `reg`, ascending, as far as they still are.
    pub(super) fn uses_of(&self, reg: Register) -> impl Iterator<Item = usize> + '_ {
        let start = self.uses.partition_point(|&(r, _)| r < reg);
        self.uses[start..]
            .iter()
            .take_while(move |&&(r, _)| r == reg)
            .map(|&(_, i)| i as usize)
            .filter(move |&i| self.operands[i].reg() == reg)
    }

    fn set_reg(&mut self, mi: MachineInstr, index: usize, reg: Register) {
        mi.set_reg(index, reg);
        self.operands[index] = self.operands[index].with_reg(reg);
    }

    fn set_kill(&mut self, mi: MachineInstr, index: usize, kill: bool) {
        mi.set_kill(index, kill);
        self.operands[index] = self.operands[index].with_kill(kill);
    }
}

impl<'f> Walk<'_, 'f> {
    /// Collects the tied pairs of `mi` whose registers differ. An undefined source is rewritten at once.
    pub(super) fn collect_tied_operands(&mut self, mi: MachineInstr<'f>, facts: InstrFacts<'f>) {
        let t = &mut self.b.tied;
        t.clear();
        mi.read_operands(&mut t.operands);
        t.ties.clear();
        mi.for_each_tied_use(facts.is_inline_asm(), &t.operands, &mut t.asm_groups, |src, dst| {
            t.ties.push((src as u32, dst as u32));
        });
        for i in 0..t.ties.len() {
            let (src, dst) = t.ties[i];
            let (use_op, def_op) = (t.operands[src as usize], t.operands[dst as usize]);
            if use_op.reg() == def_op.reg() {
                continue;
            }
            if use_op.is_undef() && def_op.subreg() == 0 {
                if def_op.reg().is_virtual() {
                    self.mf.constrain_class_like(def_op.reg(), use_op.reg());
                }
                t.set_reg(mi, src as usize, def_op.reg());
                self.counts.undef += 1;
                continue;
            }
            t.add(use_op.reg(), src, dst);
        }
    }

    /// Satisfies every collected pair by a COPY.
    pub(super) fn process_tied_operands(&mut self, mi: MachineInstr<'f>, facts: InstrFacts<'f>) {
        self.b.tied.index_uses();
        if self.remarks {
            self.remark_copies(mi);
        }
        if self.options.cicc {
            self.hint_tied_results();
        }
        let t = &mut self.b.tied;
        let mut ordinals = std::mem::take(&mut t.ordinals);
        ordinals.clear();
        ordinals.extend(t.order.ordinals().map(|o| o as u32));
        for &ordinal in &ordinals {
            self.process_tied_pairs(mi, facts, ordinal as usize);
        }
        self.b.tied.ordinals = ordinals;
    }

    /// Whether the use is the last of its register.
    fn tied_use_is_killed(&self, mi: MachineInstr<'f>, index: usize) -> bool {
        let t = &self.b.tied;
        let op = t.operands[index];
        if op.is_kill() || !VERSIONS.two_address.tied_kills_from_liveness {
            return op.is_kill();
        }
        match self.lis.filter(|lis| lis.has_instr(mi)) {
            Some(lis) => lis.ends_at(mi, op.reg()),
            None => t.uses_of(op.reg()).any(|i| t.operands[i].is_kill()),
        }
    }

    fn remove_kill_flag(&mut self, mi: MachineInstr<'f>, index: usize) -> bool {
        let killed = self.tied_use_is_killed(mi, index);
        if killed {
            self.b.tied.set_kill(mi, index, false);
        }
        killed
    }

    /// The pairs of one source register B: for each destination A, `A = COPY B` in front of `mi`, and
    /// the use becomes A. Other uses of B in `mi` become the last A as well, so that B can end at its
    /// copy, unless some pair was satisfied already or the destination is written early.
    fn process_tied_pairs(&mut self, mi: MachineInstr<'f>, facts: InstrFacts<'f>, ordinal: usize) {
        let early_clobber =
            self.b.tied.group(ordinal).any(|(_, dst)| self.b.tied.operands[dst].is_early_clobber());
        let mut removed_kill = false;
        let mut all_uses_copied = true;
        let mut reg_b = Register::NONE;
        let mut subreg_b = 0;
        let mut last_copied = Register::NONE;
        let mut last_slot = None;
        let mut update: Option<CopyUpdate> = None;

        let mut pair = self.b.tied.groups[ordinal].0;
        while pair != END {
            let Pair { src, dst, next } = self.b.tied.pairs[pair as usize];
            pair = next;
            let (src, dst) = (src as usize, dst as usize);
            let reg_a = self.b.tied.operands[dst].reg();
            // Read again: commuting may have swapped it.
            reg_b = self.b.tied.operands[src].reg();
            subreg_b = self.b.tied.operands[src].subreg();
            if reg_a == reg_b {
                all_uses_copied = false;
                continue;
            }
            assert!(reg_b.is_virtual(), "tied use of physical register {} cannot be copied", reg_b.0);
            last_copied = reg_a;

            let copy = mi.insert_copy_before(reg_a, reg_b, subreg_b);
            self.counts.copies += 1;
            if let Some(lv) = self.lv {
                let next = CopyUpdate { copy, mi, dst: reg_a, src: reg_b };
                if let Some(previous) = update.replace(next) {
                    previous.transfer(lv, false);
                }
            }
            self.b.distance.insert(copy.key(), self.dist);
            self.dist += 1;
            self.b.distance.set(mi.key(), self.dist);
            last_slot = self.lis.map(|lis| lis.insert_copy(copy, mi, reg_a, early_clobber));

            removed_kill |= self.remove_kill_flag(mi, src);
            // A copy of a part truncates; the class of the whole then says nothing about A's.
            if reg_a.is_virtual() && subreg_b == 0 {
                self.mf.constrain_class_like(reg_a, reg_b);
            }
            self.b.tied.set_reg(mi, src, reg_a);
            if VERSIONS.two_address.rewrites_bundles && facts.is_bundle() {
                mi.replace_reg_in_bundle(reg_b, reg_a);
            }
        }

        if !all_uses_copied {
            // B is still read here. If the flag went with another use, one that is left gets it.
            if removed_kill {
                let first = self.b.tied.uses_of(reg_b).next();
                if let Some(index) = first {
                    self.b.tied.set_kill(mi, index, true);
                }
            }
            if let (Some(lv), Some(update)) = (self.lv, update) {
                update.transfer(lv, false);
            }
            return;
        }

        let mut remaining_lanes = 0;
        let start = self.b.tied.uses.partition_point(|&(r, _)| r < reg_b);
        for i in start..self.b.tied.uses.len() {
            let (reg, index) = self.b.tied.uses[i];
            if reg != reg_b {
                break;
            }
            let index = index as usize;
            let op = self.b.tied.operands[index];
            if op.reg() != reg_b {
                continue;
            }
            if op.subreg() == subreg_b && !early_clobber {
                removed_kill |= self.remove_kill_flag(mi, index);
                self.b.tied.set_reg(mi, index, last_copied);
            } else {
                remaining_lanes |= self.mf.lane_mask(op.subreg());
            }
        }
        let source_ends = removed_kill && remaining_lanes == 0;
        if let (Some(lv), Some(update)) = (self.lv, update) {
            update.transfer(lv, source_ends);
        }
        if source_ends {
            self.b.maps.set_source(last_copied, reg_b);
        }
        if let (Some(lis), Some(slot)) = (self.lis, last_slot) {
            lis.end_at_copy(mi, reg_b, slot, remaining_lanes);
        }
    }
}
