//! Holds the registers that inline assembly reads and writes instead of its own; see
//! [`super::asm_registers`].

use crate::mir::dag::ids::NodeId;
use crate::mir::Register;
use rustc_hash::FxHashMap;

/// The registers of inline assembly that have been renamed.
#[derive(Default)]
pub(super) struct AsmRegisters {
    /// By number.
    renamed: FxHashMap<u32, Register>,
    /// The next node of the chain of glue that was walked last, and whether the chain leads to
    /// assembly.
    pub(super) chain: Option<(NodeId, bool)>,
    /// The registers of this function that were renamed.
    replaced: Vec<Register>,
}

impl AsmRegisters {
    /// Forgets the block.
    pub(super) fn start_block(&mut self) {
        self.renamed.clear();
        self.chain = None;
    }
    /// The register that is used instead of `reg`.
    pub(super) fn now(&self, reg: Register) -> Register {
        self.renamed.get(&reg.0).copied().unwrap_or(reg)
    }
    /// Takes the registers of the function that were renamed: nothing may read them.
    pub(super) fn take_replaced(&mut self) -> Vec<Register> {
        std::mem::take(&mut self.replaced)
    }
    /// Uses `now` instead of `reg` from here on.
    pub(super) fn rename(&mut self, reg: Register, now: Register) {
        self.renamed.insert(reg.0, now);
        self.replaced.push(reg);
    }
}
