//! Holds the registers that inline assembly reads and writes in place of its own; see [`super::asm_registers`].

use crate::mir::dag::ids::NodeId;
use crate::mir::Register;
use rustc_hash::FxHashMap;

/// The registers of inline assembly that have been renamed.
#[derive(Default)]
pub(super) struct AsmRegisters {
    /// By number.
    renamed: FxHashMap<u32, Register>,
    /// The node that is next in the chain of glue that was looked at last, and whether the chain comes to assembly.
    pub(super) chain: Option<(NodeId, bool)>,
    /// The registers of this function that are not defined, as they were renamed.
    replaced: Vec<Register>,
}

impl AsmRegisters {
    /// Forgets the block.
    pub(super) fn start_block(&mut self) {
        self.renamed.clear();
        self.chain = None;
    }
    /// The register that is used in place of `reg`.
    pub(super) fn now(&self, reg: Register) -> Register {
        self.renamed.get(&reg.0).copied().unwrap_or(reg)
    }
    /// Takes the registers of the function that have no def as they were renamed: nothing may read them.
    pub(super) fn take_replaced(&mut self) -> Vec<Register> {
        std::mem::take(&mut self.replaced)
    }
    /// Uses `now` in place of `reg` from here on.
    pub(super) fn rename(&mut self, reg: Register, now: Register) {
        self.renamed.insert(reg.0, now);
        self.replaced.push(reg);
    }
}
