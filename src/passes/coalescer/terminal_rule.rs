//! Defers a copy if no other copy names its destination, and the destination interferes with the
//! other register of another copy of its source.
//!
//! Joining such a copy first would make the other copy stay. **Source.** `applyTerminalRule`.
//! **Deviation:** we sort the copies of a block by register, and keep the number of copies that
//! name a register. LLVM walks all operands of a register for each of its copies.
//!
//! **Complexity.** Sorting a block's copies; then the pairs of copies of one source in one block.

use super::host::CoalescerHost;
use super::state::Coalescing;
use crate::mir::{BlockId, InstrId, Register, VRegId};
use crate::versions::VERSIONS;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Lists, sorted, the virtual registers that copies of a block name, each with its copy.
    pub(super) fn sort_copies_by_reg(&self, block: BlockId, out: &mut Vec<(VRegId, InstrId)>) {
        out.clear();
        for copy in self.slots.inside(block).filter_map(|at| self.copy_at(at)) {
            let regs = self.code.operands(copy).filter(|op| op.is_reg());
            out.extend(regs.filter_map(|op| op.reg().vreg()).map(|reg| (reg, copy)));
        }
        out.sort_unstable();
    }

    /// Whether a copy is deferred (`applyTerminalRule`). `copies_by_reg`: see
    /// [`Self::sort_copies_by_reg`].
    pub(super) fn is_terminal(&self, copy: InstrId, copies_by_reg: &[(VRegId, InstrId)]) -> bool {
        let Some((dst, src)) = self.code.copy_vregs(copy) else { return false };
        if self.code.has_other_copy(dst, copy) {
            return false;
        }
        let interferes = |other: InstrId| {
            // Up to LLVM 21 the two copies are confused: source and destination are those of `copy`
            // itself.
            let seen = if VERSIONS.coalescer.terminal_rule_looks_at_other { other } else { copy };
            let (other_dst, other_src) = self.code.copy_regs(seen);
            let other_reg = if other_dst == Register::from(src) { other_src } else { other_dst };
            other_reg.vreg().is_some_and(|other_reg| {
                self.code.has_other_copy(other_reg, other)
                    && self.ranges.get(other_reg).overlaps(self.ranges.get(dst))
            })
        };
        let first = copies_by_reg.partition_point(|c| c.0 < src);
        let of_src = copies_by_reg[first..].iter().take_while(|c| c.0 == src);
        of_src.map(|c| c.1).filter(|&other| other != copy).any(interferes)
    }
}
