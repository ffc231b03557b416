//! Copies of reserved physical registers.
//!
//! **Problem.** A register that is only a copy of the stack pointer, or that is only computed to be copied there, can
//! be the stack pointer. Nobody allocates a reserved register, and its range is no more than a dead def at each of its
//! defs, so nothing is joined: names change, and the copy goes.
//!
//! **Algorithm.** The virtual register has one value, and the reserved one is neither defined nor clobbered while it
//! is live. A def that moves up to where the value is computed must not come before other readers either; the value is
//! read by the copy alone then, and lives in one block.
//!
//! **Source.** `canJoinPhys`, `joinReservedPhysReg`.
//!
//! **Complexity.** The defs of the physical register; instructions between def and copy.

use super::host::{CoalescerHost, Edit};
use super::Coalescing;
use crate::liveness::ranges::UNUSED;
use crate::mir::Register;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Whether `reg` may become the physical register, as far as policy goes (`canJoinPhys`).
    pub fn can_join_phys(&mut self, reg: u32, phys: Register) -> bool {
        self.host.is_reserved(phys) && self.ranges.get(reg).values.len() == 1
    }

    /// Makes `reg` the reserved register `phys`, which `copy` copies it to or, with `flipped`, from; false if that
    /// cannot be.
    pub fn join_reserved_phys_reg(&mut self, copy: u32, reg: u32, phys: Register, flipped: bool) -> bool {
        let is_constant = self.host.is_constant(phys);
        let range = self.ranges.get(reg);
        if !is_constant && self.host.reserved_interferes(reg, range, &self.slots.host, phys) {
            return false;
        }
        if !flipped {
            let def = range.values[0];
            let Some(def) = self.slots.instr_at(def).filter(|_| def != UNUSED && !def.is_block()) else {
                return false;
            };
            if !self.has_one_use(reg)
                || !self.is_in_one_block(reg)
                || !is_constant && self.host.is_read_between(def, copy, phys)
            {
                return false;
            }
            self.host.edit(Edit::RemovePhysDef(copy, phys));
            self.erase(copy);
            // Only now: LLVM may compute the units of the register on this occasion.
            self.host.edit(Edit::AddPhysDef(def, phys));
        } else {
            self.erase(copy);
        }
        self.b.lists.joined(copy);
        self.host.edit(Edit::RenameToPhys { src: reg, dst: phys });
        self.code.rename_to_phys(reg, phys);
        self.ranges.remove(reg);
        self.counts.joins += 1;
        self.counts.reserved_joins += 1;
        true
    }
}
