//! Expands the sub-register pseudos (requirement T4). NVPTX has no sub-registers; other targets do.

use super::host::TwoAddressHost;
use super::live_variables_update::CopyUpdate;
use super::walk::Walk;
use crate::mir::{Operand, Register};
use crate::passes::function::{InstrHandle, IntervalsHandle};

impl<H: TwoAddressHost> Walk<'_, H> {
    /// `%d = REG_SEQUENCE %a, i, %b, j` becomes `undef %d:i = COPY %a; %d:j = COPY %b`, or an
    /// IMPLICIT_DEF if every part is undefined. Returns the instruction that the walk goes on with.
    pub(super) fn eliminate_reg_sequence(&mut self, mi: H::Instr) -> H::Instr {
        self.counts.reg_sequences += 1;
        if self.options.neighbour_hints {
            self.hint_reg_sequence(mi);
        }
        let dst = mi.operand(0).reg();
        let count = mi.num_operands();
        let mut original_regs = Vec::new();
        let mut value = None;
        if let Some(lis) = self.lis {
            original_regs.push(dst);
            original_regs.extend((1..count).step_by(2).map(|i| mi.operand(i).reg()));
            value = lis.value_out(mi, dst);
        }

        let is_undef = |i| mi.operand(i).is_undef();
        let read_lanes = if (1..count).step_by(2).any(is_undef) { self.read_lanes(dst) } else { 0 };
        // An undefined part that nothing reads is not copied.
        let is_copied =
            |i| !is_undef(i) || read_lanes & self.host.lane_mask(mi.operand(i + 1).imm_low()) != 0;
        let mut undef_lanes = 0;
        let mut first: Option<H::Instr> = None;
        let last = (1..count).step_by(2).rfind(|&i| is_copied(i));
        for i in (1..count).step_by(2) {
            let op = mi.operand(i);
            let subreg = mi.operand(i + 1).imm_low();
            if !is_copied(i) {
                undef_lanes |= self.host.lane_mask(subreg);
                continue;
            }
            pass_on_kill(self.host, mi, i);
            let copy = self.host.insert_copy_of_operand_before(mi, dst, subreg, i);
            self.remark_part(mi, copy);
            if first.is_none() {
                // No part of the register is live before.
                self.host.set_undef(copy, 0, true);
                first = Some(copy);
            }
            if let Some(lv) = self.lv {
                let replaces_def = self.options.is_default && Some(i) == last;
                let update = CopyUpdate::<H> { copy, mi, dst, src: op.reg(), replaces_def };
                update.transfer(lv, copy.operand(1).is_kill());
            }
        }

        let end = mi.next();
        if first.is_none() {
            self.host.become_implicit_def(mi);
            for i in (1..count).rev() {
                self.host.remove_operand(mi, i);
            }
        } else {
            if let Some(lis) = self.lis {
                self.update_partial_interval(lis, dst, value, undef_lanes);
                lis.remove_instr(mi);
            }
            mi.erase();
        }
        let first = first.unwrap_or(mi);
        if let Some(lis) = self.lis {
            lis.repair(self.block, first, end, &original_regs);
        }
        first
    }

    /// The lanes of `dst` that sub-register uses read, if undefined parts have to be copied for
    /// them; otherwise 0.
    fn read_lanes(&self, dst: Register) -> u64 {
        if self.lis.is_some() || !self.options.differences.copies_undefined_parts_that_are_read {
            return 0;
        }
        let uses = self.host.reg_operands(dst).filter(|o| o.operand.is_use() && !o.operand.is_debug());
        let subregs = uses.map(|o| o.operand.subreg()).filter(|&subreg| subreg != 0);
        subregs.fold(0, |lanes, subreg| lanes | self.host.lane_mask(subreg))
    }

    /// Drops the interval of `dst`, which a REG_SEQUENCE with undefined parts defined, so that it
    /// is computed anew. Flags the readers of these parts. `value` is the value that the
    /// REG_SEQUENCE defined.
    fn update_partial_interval(
        &self,
        lis: H::Intervals,
        dst: Register,
        value: Option<<H::Intervals as IntervalsHandle>::Value>,
        undef_lanes: u64,
    ) {
        let (host, differences) = (self.host, &self.options.differences);
        let partial = undef_lanes != 0
            && differences.reg_sequence_recomputes_partial
            && lis.has_interval(dst)
            && host.tracks_subreg_liveness(dst);
        if !partial {
            return;
        }
        if !differences.reg_sequence_propagates_undef {
            lis.remove_interval(dst);
        } else if value.is_some() {
            for o in host.reg_operands(dst) {
                let subreg = o.operand.subreg();
                if o.operand.is_use()
                    && !o.operand.is_undef()
                    && subreg != 0
                    && lis.value_at(o.instr, dst) == value
                    && undef_lanes & host.lane_mask(subreg) != 0
                {
                    host.set_undef(o.instr, o.index, true);
                }
            }
            lis.remove_interval(dst);
        }
    }

    /// `%a, %s:i, %b, %s:j, ... = EXTRACT_SUBREG` becomes `%a = COPY %s:i; %b = COPY %s:j; ...`
    /// (erratum 4). Returns the instruction that the walk goes on with, or `None` if `mi` has
    /// another form. LLVM's own form, with an index instead of a part, is left alone as LLVM leaves
    /// it. So is one that writes what it reads.
    pub(super) fn decompose_extract_subreg(&mut self, mi: H::Instr) -> Option<H::Instr> {
        let operands = &mut self.b.operands;
        mi.read_operands(operands);
        if !is_pairs(operands) {
            return None;
        }
        self.counts.extract_subregs += 1;
        if self.options.neighbour_hints {
            self.hint_extract_subreg(mi);
        }

        let original_regs: Vec<_> = self.b.operands.iter().map(|op| op.reg()).collect();
        let mut first = None;
        for i in (0..original_regs.len()).step_by(2) {
            let (dst, src) = (original_regs[i], original_regs[i + 1]);
            pass_on_kill(self.host, mi, i + 1);
            let copy = self.host.insert_copy_of_operand_before(mi, dst, 0, i + 1);
            self.remark_part(mi, copy);
            first = first.or(Some(copy));
            self.counts.copies += 1;
            let dead = mi.operand(i).is_dead();
            self.host.set_dead(copy, 0, dead);
            if let Some(lv) = self.lv {
                let update = CopyUpdate::<H> { copy, mi, dst, src, replaces_def: true };
                update.transfer(lv, copy.operand(1).is_kill());
            }
        }
        let end = mi.next();
        if let Some(lis) = self.lis {
            lis.remove_instr(mi);
        }
        mi.erase();
        if let (Some(lis), Some(first)) = (self.lis, first) {
            lis.repair(self.block, first, end, &original_regs);
        }
        first
    }

    /// `%d = INSERT_SUBREG %d, %s, i`, its tie satisfied, becomes `%d:i = COPY %s`.
    pub(super) fn insert_subreg_to_copy(&mut self, mi: H::Instr) {
        self.counts.insert_subregs += 1;
        self.remark_insert_subreg(mi);
        let subreg = mi.operand(3).imm_low();
        self.host.remove_operand(mi, 3);
        self.host.set_subreg(mi, 0, subreg);
        let undef = mi.operand(1).is_undef();
        self.host.set_undef(mi, 0, undef);
        self.host.remove_operand(mi, 1);
        self.host.become_copy(mi);
        if let Some(lis) = self.lis {
            lis.insert_subreg_to_copy(mi);
        }
    }
}

/// Whether the operands are pairs (def of a whole virtual register, use) and no register is both
/// written and read.
fn is_pairs(operands: &[Operand]) -> bool {
    let is_pair = |pair: &[Operand]| match pair {
        [def, part] => def.is_def() && def.reg().is_virtual() && def.subreg() == 0 && part.is_use(),
        _ => false,
    };
    if operands.is_empty() || !operands.chunks(2).all(is_pair) {
        return false;
    }
    let mut defs: Vec<_> = operands.iter().step_by(2).map(|op| op.reg()).collect();
    defs.sort_unstable();
    operands.iter().skip(1).step_by(2).all(|op| defs.binary_search(&op.reg()).is_err())
}

/// Passes a kill flag on. Operand `index` and later ones are about to get COPYs, and a register
/// that is read again dies at its last COPY.
fn pass_on_kill<H: TwoAddressHost>(host: H, mi: H::Instr, index: usize) {
    let op = mi.operand(index);
    if !op.is_kill() {
        return;
    }
    let again = (index + 2..mi.num_operands()).step_by(2).find(|&j| mi.operand(j).reg() == op.reg());
    if let Some(j) = again {
        host.set_kill(mi, j, true);
        host.set_kill(mi, index, false);
    }
}
