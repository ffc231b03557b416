//! Keeps the registers of an instruction that may change places with others.

use crate::mir::{Operand, Register};

/// The registers of the instruction that moves, and of one that it passes; reused.
#[derive(Default)]
pub(super) struct MovedRegisters {
    /// Registers that it reads.
    pub(super) uses: Vec<Register>,
    /// Those of `uses` that end there, except its tied source.
    pub(super) kills: Vec<Register>,
    /// Registers that it defines; if it moves up, physical ones only.
    pub(super) defs: Vec<Register>,
    /// Those of `defs` that are not dead.
    pub(super) live_defs: Vec<Register>,
    /// Registers that the passed instruction defines.
    pub(super) passed_defs: Vec<Register>,
    /// The operands of the instruction being read.
    pub(super) operands: Vec<Operand>,
}

impl MovedRegisters {
    /// Begins an attempt.
    pub(super) fn clear(&mut self) {
        self.uses.clear();
        self.kills.clear();
        self.defs.clear();
        self.live_defs.clear();
    }
}
