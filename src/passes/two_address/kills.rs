//! Tells whether an instruction is the last to read a register.

use super::host::TwoAddressHost;
use super::walk::Walk;
use crate::mir::{Operand, Register};
use crate::passes::function::{IntervalsHandle, VariablesHandle};

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Whether `op`, a use of `mi`, is the last of its register: by its own flag, or else as
    /// [`Self::is_plainly_killed`].
    pub(super) fn use_is_killed(&self, mi: H::Instr, op: Operand) -> bool {
        op.is_kill() || self.is_plainly_killed(mi, op.reg())
    }

    /// Whether `mi` is the last reader of `reg`, by LiveIntervals or else by its kill flags. An
    /// instruction without a slot yet (a load being unfolded) has flags.
    pub(super) fn is_plainly_killed(&self, mi: H::Instr, reg: Register) -> bool {
        match self.lis.filter(|lis| lis.has_instr(mi)) {
            Some(lis) => lis.ends_at(mi, reg),
            None => self.host.kills_register(mi, reg),
        }
    }

    /// The same through copies: a register copied from one that lives on counts as not killed,
    /// since the copy may be coalesced. With `likely_is_enough` every use of a physical register
    /// counts as its last.
    pub(super) fn is_killed(&self, mut mi: H::Instr, mut reg: Register, likely_is_enough: bool) -> bool {
        loop {
            if reg.is_physical() && (likely_is_enough || self.has_one_use(reg)) {
                return true;
            }
            if !self.is_plainly_killed(mi, reg) {
                return false;
            }
            if reg.is_physical() {
                return true;
            }
            let mut defs = self.host.reg_operands(reg).take_while(|o| o.operand.is_def());
            // Several defs, or none: only the flag is left to go by.
            let (Some(def), None) = (defs.next(), defs.next()) else { return true };
            match self.host.copied_registers(def.instr) {
                None => return true,
                Some((_, src)) => (mi, reg) = (def.instr, src),
            }
        }
    }

    fn has_one_use(&self, reg: Register) -> bool {
        let mut uses = self.host.reg_operands(reg).filter(|o| o.operand.is_use());
        uses.next().is_some() && uses.next().is_none()
    }

    /// The instruction of this block that kills `reg`, if the register dies here.
    pub(super) fn find_kill(&self, reg: Register) -> Option<H::Instr> {
        match (self.lis, self.lv) {
            (Some(lis), _) => lis.find_kill(reg, self.block),
            (None, Some(lv)) => lv.find_kill(reg, self.block),
            (None, None) => None,
        }
    }
}
