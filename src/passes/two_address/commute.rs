//! Swaps operands so that the tied source is one that dies here (requirement T2).

use super::host::TwoAddressHost;
use super::walk::Walk;
use crate::mir::{InstrKind, Register};
use crate::passes::function::InstrHandle;

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Tries to swap operand `base`, which is tied to `dst`, with each other one. Returns whether
    /// it did.
    pub(super) fn try_instruction_commute(
        &mut self,
        mi: H::Instr,
        dst: usize,
        base: usize,
        mut base_killed: bool,
    ) -> bool {
        if !self.host.properties(mi).is_commutable {
            return false;
        }
        let mut changed = false;
        let dst_reg = mi.operand(dst).reg();
        let mut base_reg = mi.operand(base).reg();
        let mut other = self.host.num_described_defs(mi);
        // Commuting may change the opcode, and with it the number of operands.
        while other < self.host.num_described_operands(mi) {
            let index = other;
            other += 1;
            if index == base || !mi.operand(index).is_reg() || !self.host.operands_commute(mi, base, index) {
                continue;
            }
            let other_reg = mi.operand(index).reg();
            let other_killed = self.is_killed(mi, other_reg, false);
            let clearly = !base_killed && other_killed;
            let aggressively = !clearly && self.is_profitable_to_commute(dst_reg, base_reg, other_reg, mi);
            if (clearly || aggressively) && self.commute_instruction(mi, dst, base, index) {
                changed = true;
                self.counts.commuted += 1;
                self.counts.commuted_aggressively += u64::from(aggressively);
                base_reg = other_reg;
                base_killed = other_killed;
            }
        }
        changed
    }

    fn commute_instruction(&mut self, mi: H::Instr, dst: usize, b: usize, c: usize) -> bool {
        let reg_c = mi.operand(c).reg();
        if !self.host.commute(mi, b, c) {
            return false;
        }
        let from_c = self.b.maps.src.mapped_physical(reg_c);
        if from_c.is_valid() {
            self.b.maps.set_source(mi.operand(dst).reg(), from_c);
        }
        true
    }

    /// Whether C is the better source to tie in `A = op B(tied), C`.
    fn is_profitable_to_commute(&mut self, a: Register, b: Register, c: Register, mi: H::Instr) -> bool {
        if !self.options.optimize || !self.is_plainly_killed(mi, c) {
            return false;
        }
        // A will be copied to a physical register: tie the source that came from it.
        let to_a = self.b.maps.dst.mapped_physical(a);
        if to_a.is_valid() {
            let from_b = self.b.maps.src.mapped_physical(b);
            let from_c = self.b.maps.src.mapped_physical(c);
            let fits_b = from_b.is_valid() && self.host.regs_overlap(from_b, to_a);
            let fits_c = from_c.is_valid() && self.host.regs_overlap(from_c, to_a);
            if (!from_b.is_valid() && fits_c)
                || (from_b.is_valid() && !fits_b && (!from_c.is_valid() || fits_c))
            {
                return true;
            }
            if (!from_c.is_valid() && fits_b)
                || (from_c.is_valid() && !fits_c && (!from_b.is_valid() || fits_b))
            {
                return false;
            }
        }
        // A source that is read between its last def and here cannot be coalesced with A.
        let (last_def_c, c_is_free) = self.last_def(c);
        if !c_is_free {
            return false;
        }
        let (last_def_b, b_is_free) = self.last_def(b);
        if !b_is_free {
            return true;
        }
        // A loop copies A back to the source.
        if self.is_reversed_copy_chain(c, a) {
            return true;
        }
        if self.is_reversed_copy_chain(b, a) {
            return false;
        }
        if let Some(commute) = self.host.commute_preference(mi) {
            return commute;
        }
        // The one defined later has the shorter interval.
        last_def_b != 0 && last_def_c != 0 && last_def_c > last_def_b
    }

    /// The distance of the last def of `reg` in this block before the current instruction (0:
    /// none), and whether nothing reads it between that def and here.
    fn last_def(&mut self, reg: Register) -> (u32, bool) {
        let here = self.dist;
        let mut last_def = 0;
        let mut last_use = here;
        for o in self.host.reg_operands(reg) {
            if o.instr.block() != self.block || o.operand.is_debug() {
                continue;
            }
            let Some(distance) = self.b.distance.get(o.instr.key()) else { continue };
            if o.operand.is_use() {
                last_use = last_use.min(distance);
            } else {
                last_def = last_def.max(distance);
            }
        }
        (last_def, !(last_use > last_def && last_use < here))
    }

    /// Whether at most `dataflow-edge-limit` copies lead from `to` to `from`. From LLVM 23 on, an
    /// instruction whose result is tied to a source counts as a copy of that source.
    fn is_reversed_copy_chain(&self, from: Register, to: Register) -> bool {
        let mut reg = from;
        for _ in 0..self.options.dataflow_edge_limit {
            let Some(def) = self.single_def(reg) else { return false };
            let source = match def.kind() {
                InstrKind::Copy => Some(def.operand(1).reg()),
                _ => self.tied_source(def, reg).filter(|&source| source != reg),
            };
            let Some(source) = source else { return false };
            reg = source;
            if reg == to {
                return true;
            }
        }
        false
    }

    /// The source that the result `reg` of `mi` is tied to.
    fn tied_source(&self, mi: H::Instr, reg: Register) -> Option<Register> {
        if !self.options.follows_tied_operands {
            return None;
        }
        let operands = || (0..mi.num_operands()).map(|i| (i, mi.operand(i)));
        let (def, _) = operands().find(|(_, op)| op.is_def() && op.reg() == reg)?;
        let mut uses = operands().filter(|(_, op)| op.is_use() && op.is_tied());
        uses.find(|&(i, _)| self.host.tied_def(mi, i) == def).map(|(_, op)| op.reg())
    }

    /// The only instruction of this block that defines `reg`.
    fn single_def(&self, reg: Register) -> Option<H::Instr> {
        let mut single = None;
        for o in self.host.reg_operands(reg).take_while(|o| o.operand.is_def()) {
            if o.instr.block() != self.block {
                continue;
            }
            if single.is_some_and(|s| s != o.instr) {
                return None;
            }
            single = Some(o.instr);
        }
        single
    }
}
