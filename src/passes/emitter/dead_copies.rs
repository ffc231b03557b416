//! Copies that nothing reads are erased when the block is done (row E11, `cicc` profile).
//!
//! Problem. Some COPYs turn out to be of no use: those out of physical registers whose value nobody wants, and to
//! another class for an operand that went away. LLVM leaves them to a later pass; until that runs they count as
//! pressure and have the block's instructions and registers longer than need be.
//!
//! Algorithm. Each COPY to a register that this block made is recorded. Only when the block is done all readers are
//! known, so the records are a dead list: walked from the last to the first, each whose register has no operand but
//! its def is erased. A COPY comes behind the one that it reads, so that one walk finds cascades as well: what
//! only a dead copy read, through glue or not.
//!
//! Never erased: copies to physical registers, to registers that other blocks or PHIs read, copies that a debug
//! value names, and anything that is no COPY, convergent instructions above all (errata 1).
//!
//! Source: instr-emitter.txt, "Dead Copy Elimination". Deviation: the text asks the target about each kind of
//! record; a COPY has no effect but its result. Other dead instructions are left to LLVM's own pass.
//!
//! Complexity: linear in copies.

use super::host::Host;
use super::Block;
use crate::mir::Register;

/// A COPY.
pub(super) struct CopyRecord<H: Host> {
    mi: H::Instr,
    dst: Register,
    src: Register,
}

impl<H: Host> Block<'_, H> {
    /// `dst = COPY src` was made.
    pub(super) fn record_copy(&mut self, mi: H::Instr, dst: Register, src: Register) {
        if self.improves && self.is_made_here(dst) {
            self.copies.push(CopyRecord { mi, dst, src });
        }
    }

    /// Virtual registers that were there before the block are read elsewhere.
    fn is_made_here(&self, reg: Register) -> bool {
        reg.is_virtual() && self.first_made.is_some_and(|first| first <= reg)
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
