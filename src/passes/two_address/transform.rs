//! Satisfies a single tied pair without a copy (requirement T2).
//!
//! In this order: commute; move the instruction below the kill of its source; three-address form;
//! move the kill above the instruction; unfold a load. LLVM has the conversion between the two
//! reschedulings, and so do we. The description of CICC's pass has it after both.

use super::host::TwoAddressHost;
use super::tied_operands::TiedPair;
use super::walk::{Cursor, Walk, NAME};
use crate::mir::Register;
use crate::passes::function::{InstrHandle, IntervalsHandle, VariablesHandle};
use crate::process::trace::trace;

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Tries to satisfy the pair of `at.mi` without a copy. True: no copy is needed, continue with
    /// `at.next`. False: `at.mi` still needs one (it may have been commuted, or be another
    /// instruction now).
    pub(super) fn try_instruction_transform(
        &mut self,
        at: &mut Cursor<H::Instr>,
        pair: TiedPair,
        only_commute: bool,
    ) -> bool {
        if !self.options.optimize {
            return false;
        }
        let mi = at.mi;
        let TiedPair { src, dst } = pair;
        let reg_a = mi.operand(dst).reg();
        let mut reg_b = mi.operand(src).reg();
        let mut b_killed = self.is_killed(mi, reg_b, true);
        if reg_a.is_virtual() {
            self.scan_uses(reg_a);
        }
        let commuted = self.try_instruction_commute(mi, dst, src, b_killed);
        at.is_rewritten |= commuted;
        if commuted {
            trace!(NAME, "{reg_a} tied to {reg_b}: the operands are exchanged");
        }
        let properties = self.host.properties(mi);
        let convertible = if self.options.differences.converts_in_place {
            properties.is_convertible_to_3addr_in_bundle
        } else {
            properties.is_convertible_to_3addr
        };
        if (commuted && !convertible) || only_commute {
            return false;
        }
        if !commuted && self.options.may_reschedule && self.reschedule_below_kill(at, reg_b) {
            self.counts.moved_down += 1;
            trace!(
                NAME,
                "{reg_a} tied to {reg_b}: no copy, as the instruction moves below the last use of {reg_b}"
            );
            return true;
        }
        if commuted {
            reg_b = mi.operand(src).reg();
            b_killed = self.is_killed(mi, reg_b, true);
        }
        if convertible
            && (!b_killed || self.is_profitable_to_convert(reg_a, reg_b))
            && self.convert_to_three_address(at, reg_a, reg_b)
        {
            self.counts.converted += 1;
            trace!(
                NAME,
                "{reg_a} tied to {reg_b}: no copy, as the instruction has a form with three addresses"
            );
            return true;
        }
        if commuted {
            return false;
        }
        if self.options.may_reschedule && self.reschedule_kill_above(at, reg_b) {
            self.counts.moved_up += 1;
            trace!(
                NAME,
                "{reg_a} tied to {reg_b}: no copy, as the last use of {reg_b} moves above the instruction"
            );
            return true;
        }
        if properties.may_load && !b_killed {
            self.try_unfold_load(at, reg_a, reg_b);
        }
        false
    }

    /// Splits the load off if the operation is then the last reader of its tied source. That is
    /// better than a copy: a load can be scheduled, a copy only coalesced. Otherwise nothing
    /// changes.
    fn try_unfold_load(&mut self, at: &mut Cursor<H::Instr>, reg_a: Register, reg_b: Register) {
        let mi = at.mi;
        let Some((load, op, reg)) = self.host.unfold_load(mi) else { return };
        // In the block, so that the attempt below sees ordinary instructions.
        self.host.insert_before(mi, load);
        self.host.insert_before(mi, op);
        self.host.add_register_killed(op, reg);
        self.b.distance.insert(load.key(), self.dist);
        self.dist += 1;
        self.b.distance.insert(op.key(), self.dist);

        let find = |def: bool, reg: Register| {
            (0..op.num_operands()).find(|&i| {
                let o = op.operand(i);
                o.is_reg() && o.is_def() == def && o.reg() == reg
            })
        };
        let dst = find(true, reg_a).expect("the unfolded operation defines the result");
        let src = find(false, reg_b).expect("the unfolded operation reads the tied source");
        self.try_instruction_transform(
            &mut Cursor { mi: op, next: Some(mi), is_rewritten: false },
            TiedPair { src, dst },
            true,
        );

        if !op.operand(src).is_kill() {
            load.erase();
            op.erase();
            self.b.distance.erase(load.key());
            self.b.distance.erase(op.key());
            self.dist -= 1;
            return;
        }
        self.counts.unfolded += 1;
        trace!(NAME, "{reg_a} tied to {reg_b}: the load of the other operand is split off");
        self.move_liveness_to_unfolded(mi, load, op, reg);
        let mut original_regs = Vec::new();
        if let Some(lis) = self.lis {
            let operands = (0..mi.num_operands()).map(|i| mi.operand(i));
            original_regs.extend(operands.filter(|o| o.is_reg()).map(|o| o.reg()));
            lis.remove_instr(mi);
        }
        mi.erase();
        self.b.distance.erase(mi.key());
        if let Some(lis) = self.lis {
            lis.repair(self.block, load, Some(op), &original_regs);
        }
        at.mi = op;
        at.is_rewritten = true;
    }

    /// Moves the kills and dead defs of `mi` to `load` or `op`; `reg` is the register between the
    /// two.
    fn move_liveness_to_unfolded(&mut self, mi: H::Instr, load: H::Instr, op: H::Instr, reg: Register) {
        let Some(lv) = self.lv else { return };
        for index in 0..mi.num_operands() {
            let o = mi.operand(index);
            if !o.is_reg() || !o.reg().is_virtual() {
                continue;
            }
            if o.is_use() {
                if o.is_kill() {
                    lv.replace_kill(
                        o.reg(),
                        mi,
                        if self.host.kills_register(load, o.reg()) { load } else { op },
                    );
                }
            } else if lv.remove_dead(o.reg(), mi) {
                lv.add_dead(o.reg(), if self.host.def_is_dead(op, o.reg()) { op } else { load });
            }
        }
        lv.add_killed(reg, op);
    }
}
