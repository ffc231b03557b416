//! Joins copies of reserved physical registers.
//!
//! **Problem.** A register that is only a copy of the stack pointer, or is only computed to be
//! copied to it, can be the stack pointer. A reserved register is never allocated, and its live
//! range is a dead def at each of its defs. So no ranges are joined: operands are renamed, and the
//! copy goes.
//!
//! **Algorithm.** The virtual register must have one value, and the reserved register must be
//! neither defined nor clobbered while it is live. A copy to the reserved register moves that
//! register's def up to where the value is computed. So the copy must be the only reader of the
//! value, in the same block, and nothing in between may read the reserved register.
//!
//! **Source.** `canJoinPhys`, `joinReservedPhysReg`.
//!
//! **Complexity.** Linear in the defs of the physical register, and in the instructions between def
//! and copy.

use super::host::{CoalescerHost, Edit};
use super::state::Coalescing;
use crate::liveness::ranges::UNUSED;
use crate::mir::{InstrId, Register, VRegId, ValueNo};

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Whether `reg` may become the physical register, as far as policy goes (`canJoinPhys`).
    pub fn can_join_phys(&mut self, reg: VRegId, phys: Register) -> bool {
        self.host.is_reserved(phys) && self.ranges.get(reg).values.len() == 1
    }

    /// Makes `reg` the reserved register `phys`, which `copy` copies it to or, with `is_flipped`,
    /// from. Returns false if that cannot be done.
    pub fn join_reserved_phys_reg(
        &mut self,
        copy: InstrId,
        reg: VRegId,
        phys: Register,
        is_flipped: bool,
    ) -> bool {
        let is_constant = self.host.is_constant(phys);
        if !is_constant && self.reserved_interferes(reg, phys) {
            return false;
        }
        if !is_flipped {
            let range = self.ranges.get(reg);
            let def = Some(range.def(ValueNo::new(0))).filter(|&def| def != UNUSED);
            let Some(def) = def.and_then(|def| self.slots.def_instr(def)) else { return false };
            if !self.has_one_use(reg)
                || !self.is_in_one_block(reg)
                || !is_constant && self.is_read_between(def, copy, phys)
            {
                return false;
            }
            self.host.edit(Edit::RemovePhysDef(copy, phys));
            self.erase(copy);
            // Only now, because LLVM may compute the ranges of the register's units here.
            self.host.edit(Edit::AddPhysDef(def, phys));
        } else {
            self.erase(copy);
        }
        self.buffers.worklists.note_joined(copy);
        self.host.edit(Edit::ClearKills(reg));
        self.host.edit(Edit::RenameToPhys { src: reg, dst: phys });
        self.code.rename_to_phys(reg, phys);
        self.ranges.remove(reg);
        self.counts.joins += 1;
        self.counts.reserved_joins += 1;
        true
    }

    /// Whether `phys` is defined or clobbered where `reg` is live, or shares a unit with a register
    /// that is not reserved.
    fn reserved_interferes(&mut self, reg: VRegId, phys: Register) -> bool {
        let (range, slots) = (self.ranges.get(reg), &self.slots.host[..]);
        for unit in self.host.units(phys) {
            let roots = self.host.unit_roots(unit);
            if roots.iter().any(|&root| !self.host.is_reserved(root))
                || self.host.overlaps_unit(reg, range, slots, unit)
            {
                return true;
            }
        }
        self.host.mask_clobbers(reg, range, slots, phys)
    }

    /// Whether an instruction after `def` and before `copy`, in one block, reads a physical
    /// register.
    fn is_read_between(&mut self, def: InstrId, copy: InstrId, phys: Register) -> bool {
        let (from, to) = (self.code.slot(def), self.code.slot(copy));
        let Coalescing { code, slots, host, .. } = self;
        slots
            .between(from, to)
            .filter_map(|at| slots.instr_at(at))
            .any(|instr| code.operands(instr).any(|op| op.is_use() && host.regs_overlap(op.reg(), phys)))
    }
}
