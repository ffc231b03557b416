//! Erases copies that nothing reads when the block is done (requirement E11, `cicc` profile).
//!
//! Problem. Some COPYs turn out to be of no use: those out of physical registers whose value nobody wants, and those
//! to another class for an operand that went away. LLVM leaves them to a later pass. Until that runs they count as
//! register pressure, and the block has more instructions and registers than it needs.
//!
//! Algorithm. Each COPY to a register that this block made is recorded. All readers are known only when the block is
//! done. The records are walked from the last to the first, and each COPY whose register has no operand but its def
//! is erased. A COPY comes behind the one that it reads, so one walk finds cascades as well, through glue or not.
//!
//! Never erased: copies to physical registers, to registers that other blocks or PHIs read, copies that a debug value
//! names, and anything that is no COPY, above all convergent instructions (errata 1).
//!
//! Source: the reference description of CICC 13.0's instruction emitter, "Dead Copy Elimination". Deviation: CICC asks
//! the target about each kind of record; a COPY has no effect but its result. Other dead instructions are left to
//! LLVM's own pass.
//!
//! Complexity: linear in copies.

use super::block::{BlockEmitter, CopyRecord};
use super::host::EmitterHost;
use crate::mir::Register;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Records `dst = COPY src`.
    pub(super) fn record_copy(&mut self, mi: H::Instr, dst: Register, src: Register) {
        if self.omits_redundant_copies && self.is_local_to_block(dst) {
            self.copies.push(CopyRecord { mi, dst, src });
        }
    }

    /// Whether the block made the register; virtual registers that existed before are read elsewhere.
    fn is_local_to_block(&self, reg: Register) -> bool {
        reg.is_virtual() && self.first_new_reg.is_some_and(|first| first <= reg)
    }

    /// Erases those that nothing reads.
    pub(super) fn erase_dead_copies(&mut self) {
        let mut last_read = Register::NONE;
        for copy in std::mem::take(&mut self.copies).into_iter().rev() {
            if self.host.is_read(copy.dst) {
                continue;
            }
            self.counts.cascaded += u64::from(copy.dst == last_read);
            self.counts.dead_copies += 1;
            last_read = copy.src;
            self.host.erase(copy.mi);
        }
    }
}
