//! Gives the result of a STATEPOINT the register of a tied use that dies there, so that no copy is
//! needed. NVPTX has none.

use super::host::TwoAddressHost;
use super::tied_operands::TiedPair;
use super::walk::Walk;
use crate::mir::Register;
use crate::passes::function::{InstrHandle, IntervalsHandle, VariablesHandle};

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Turns `A = STATEPOINT B(tied)` into `B = STATEPOINT B(tied)` and A into B everywhere. True
    /// if that satisfied all pairs.
    pub(super) fn process_statepoint(&mut self, mi: H::Instr) -> bool {
        // Few and rare: a list of its own.
        let groups: Vec<_> = self.b.tied.sole_pairs().collect();
        let mut satisfied = true;
        for (reg_b, pair) in groups {
            satisfied &= pair.is_some_and(|pair| self.join_tied(mi, reg_b, pair));
        }
        mi.read_operands(&mut self.b.tied.operands);
        satisfied
    }

    fn join_tied(&mut self, mi: H::Instr, b: Register, pair: TiedPair) -> bool {
        let a = mi.operand(pair.dst).reg();
        if a == b {
            return true;
        }
        // A compare may have been sunk past the statepoint, so that B lives on.
        let lives_on = match (self.lis, self.lv) {
            (Some(lis), _) => lis.overlap(a, b),
            (None, Some(lv)) => lv.find_kill(b, self.block) != Some(mi),
            (None, None) => false,
        };
        if lives_on || !self.host.constrain_class_like(b, a) {
            return false;
        }
        self.host.replace_reg(a, b);
        if let Some(lis) = self.lis {
            lis.merge(b, a);
        }
        if let Some(lv) = self.lv {
            if mi.operand(pair.src).is_kill() {
                lv.remove_killed(b, mi);
            }
            lv.merge(b, a);
        }
        true
    }
}
