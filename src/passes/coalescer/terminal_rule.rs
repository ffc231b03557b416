//! Puts a copy off whose destination has no other copy, and interferes with what its source is copied to elsewhere.
//!
//! Joining such a copy first would leave the other one for ever. **Source.** `applyTerminalRule`. **Deviation:** the copies
//! of a block are sorted by register, and the number of copies that name a register is kept, where LLVM walks over all
//! operands of a register for each of its copies.
//!
//! **Complexity.** Sorting of a block's copies; pairs of copies of one source in one block.

use super::host::CoalescerHost;
use super::state::Coalescing;
use crate::mir::{BlockId, InstrId, Register, VRegId};
use crate::versions::VERSIONS;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Lists the virtual registers that copies of a block name and these copies, in order.
    pub(super) fn sort_copies_by_reg(&self, block: BlockId, out: &mut Vec<(VRegId, InstrId)>) {
        out.clear();
        for copy in self.slots.inside(block).filter_map(|at| self.copy_at(at)) {
            let regs = self.code.operands(copy).filter(|op| op.is_reg());
            out.extend(regs.filter_map(|op| op.reg().vreg()).map(|reg| (reg, copy)));
        }
        out.sort_unstable();
    }

    /// Whether a copy is put off (`applyTerminalRule`). `copies_by_reg`: see [`Self::sort_copies_by_reg`].
    pub(super) fn is_terminal(&self, copy: InstrId, copies_by_reg: &[(VRegId, InstrId)]) -> bool {
        let Some((dst, src)) = self.code.copy_vregs(copy) else { return false };
        if self.code.has_other_copy(dst, copy) {
            return false;
        }
        let interferes = |other: InstrId| {
            // Until LLVM 21 the two are mistaken for each other: source and destination are those of `copy` itself.
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
