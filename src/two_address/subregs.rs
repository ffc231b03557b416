//! The sub-register pseudos (row T4). NVPTX has no sub-registers; other targets do.

use super::{Walk, DIFFERENCES};
use crate::llvm::{GenericOpcode, MachineInstr};

impl<'f> Walk<'_, 'f> {
    /// `%d = REG_SEQUENCE %a, i, %b, j` becomes `undef %d:i = COPY %a; %d:j = COPY %b`, or an
    /// IMPLICIT_DEF if every part is undefined. The instruction that the walk goes on with.
    pub(super) fn eliminate_reg_sequence(&mut self, mi: MachineInstr<'f>) -> MachineInstr<'f> {
        self.counts.reg_sequences += 1;
        let dst = mi.operand(0).reg();
        let count = mi.num_operands();
        let mut original_regs = Vec::new();
        let mut value = None;
        if let Some(lis) = self.lis {
            original_regs.push(dst);
            original_regs.extend((1..count).step_by(2).map(|i| mi.operand(i).reg()));
            value = lis.value_out(mi, dst);
        }

        let mut undef_lanes = 0;
        let mut first: Option<MachineInstr<'f>> = None;
        for i in (1..count).step_by(2) {
            let op = mi.operand(i);
            let subreg = mi.operand(i + 1).imm_low();
            if op.is_undef() {
                undef_lanes |= self.mf.lane_mask(subreg);
                continue;
            }
            // A register that is read again dies at its last copy.
            let mut killed = op.is_kill();
            if killed {
                let again = (i + 2..count).step_by(2).find(|&j| mi.operand(j).reg() == op.reg());
                if let Some(j) = again {
                    mi.set_kill(j, true);
                    mi.set_kill(i, false);
                    killed = false;
                }
            }
            let copy = mi.insert_copy_of_operand_before(dst, subreg, i);
            if first.is_none() {
                // Nothing of the register is live before.
                copy.set_undef(0, true);
                first = Some(copy);
            }
            if let Some(lv) = self.lv {
                if killed && !op.reg().is_physical() {
                    lv.replace_kill(op.reg(), mi, copy);
                }
            }
        }

        let end = mi.next();
        let Some(first) = first else {
            mi.set_opcode(GenericOpcode::ImplicitDef);
            for i in (1..count).rev() {
                mi.remove_operand(i);
            }
            if let Some(lis) = self.lis {
                lis.repair(self.block, mi, end, &original_regs);
            }
            return mi;
        };
        if let Some(lis) = self.lis {
            let partial = undef_lanes != 0
                && DIFFERENCES.reg_sequence_recomputes_partial
                && lis.has_interval(dst)
                && self.mf.tracks_subreg_liveness(dst);
            if partial && !DIFFERENCES.reg_sequence_propagates_undef {
                lis.remove_interval(dst);
            } else if partial && value.is_some() {
                for o in self.mf.reg_operands(dst) {
                    let subreg = o.operand.subreg();
                    if o.operand.is_use()
                        && !o.operand.is_undef()
                        && subreg != 0
                        && lis.value_at(o.instr, dst) == value
                        && undef_lanes & self.mf.lane_mask(subreg) != 0
                    {
                        o.instr.set_undef(o.index, true);
                    }
                }
                lis.remove_interval(dst);
            }
            lis.remove_instr(mi);
        }
        mi.erase();
        if let Some(lis) = self.lis {
            lis.repair(self.block, first, end, &original_regs);
        }
        first
    }

    /// `%d = INSERT_SUBREG %d, %s, i`, its tie satisfied, becomes `%d:i = COPY %s`.
    pub(super) fn insert_subreg_to_copy(&mut self, mi: MachineInstr<'f>) {
        self.counts.insert_subregs += 1;
        let subreg = mi.operand(3).imm_low();
        mi.remove_operand(3);
        mi.set_subreg(0, subreg);
        mi.set_undef(0, mi.operand(1).is_undef());
        mi.remove_operand(1);
        mi.set_opcode(GenericOpcode::Copy);
        if let Some(lis) = self.lis {
            lis.insert_subreg_to_copy(mi);
        }
    }
}
