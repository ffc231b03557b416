//! STATEPOINT: a tied use that dies there needs no copy, the result takes its register. NVPTX has none.

use super::Walk;
use crate::llvm::MachineInstr;
use crate::mir::Register;

impl<'f> Walk<'_, 'f> {
    /// Turns `A = STATEPOINT B(tied)` into `B = STATEPOINT B(tied)` and A into B everywhere. True if
    /// that satisfied all pairs.
    pub(super) fn process_statepoint(&mut self, mi: MachineInstr<'f>) -> bool {
        // Few and rare: a list of its own.
        let groups: Vec<_> = self.b.tied.sole_pairs().collect();
        let mut satisfied = true;
        for (reg_b, pair) in groups {
            satisfied &= pair.is_some_and(|(src, dst)| self.join_tied(mi, reg_b, src, dst));
        }
        self.b.tied.read(mi);
        satisfied
    }

    fn join_tied(&mut self, mi: MachineInstr<'f>, b: Register, src: usize, dst: usize) -> bool {
        let a = mi.operand(dst).reg();
        if a == b {
            return true;
        }
        // A compare may have been sunk past the statepoint, so that B lives on.
        let lives_on = match (self.lis, self.lv) {
            (Some(lis), _) => lis.overlap(a, b),
            (None, Some(lv)) => lv.find_kill(b, self.block) != Some(mi),
            (None, None) => false,
        };
        if lives_on || !self.mf.constrain_class_like(b, a) {
            return false;
        }
        self.mf.replace_reg(a, b);
        if let Some(lis) = self.lis {
            lis.merge(b, a);
        }
        if let Some(lv) = self.lv {
            if mi.operand(src).is_kill() {
                lv.remove_killed(b, mi);
            }
            lv.merge(b, a);
        }
        true
    }
}
