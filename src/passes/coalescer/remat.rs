//! Rematerialises a value instead of copying it.
//!
//! **Problem.** The two registers of a copy interfere, and the copied value, an IMPLICIT_DEF or a constant, is as cheap to
//! compute as to copy. Then the copy becomes the computation.
//!
//! **Algorithm.** LLVM's: what the computation reads must have the same values at the copy. The target makes the new
//! instruction, which takes over the copy's slot. If the value had many copies, its range is shrunk once at the end.
//!
//! **Source.** `reMaterializeTrivialDef`.
//!
//! **Complexity.** The operands of the register that was copied.

use super::code::Place;
use super::host::CoalescerHost;
use super::pair::CoalescerPair;
use super::state::Coalescing;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrId, RegClassId, Register, VRegId};

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Replaces a copy by the computation of its value; false if that cannot be done.
    pub fn rematerialize(&mut self, pair: &CoalescerPair, copy: InstrId) -> bool {
        self.rematerialize_to(pair.copied(), pair.defined().into(), Some(pair.new_class), copy)
    }

    /// Replaces a copy of `src` to `dst`, whose class if it is virtual becomes a subclass of `class`, in the same way.
    pub fn rematerialize_to(
        &mut self,
        src: VRegId,
        dst: Register,
        class: Option<RegClassId>,
        copy: InstrId,
    ) -> bool {
        let at = self.code.slot(copy);
        let range = self.ranges.get(src);
        let Some(value) = range.query(at).value_in() else { return false };
        let Some(def) = self.slots.def_instr(range.def(value)) else { return false };
        if self.code.is_copy(def) || !self.host.is_cheap(def) {
            return false;
        }
        // What it reads may change.
        self.buffers.dependencies.add_others();
        let properties = self.host.properties(def);
        if !properties.is_rematerializable
            || !self.code.operands(def).any(|op| op.is_def() && op.reg() == Register::from(src))
            || !properties.is_safe_to_move
            || !properties.has_one_def
            || dst.is_physical() && !self.host.can_define(def, dst)
            || !self.all_uses_available(def, at)
        {
            return false;
        }
        self.replace_by_computation(def, src, dst, class, copy);
        true
    }

    /// Replaces a copy of `src` to `dst` by the computation of the copied value, which `def` is.
    pub fn replace_by_computation(
        &mut self,
        def: InstrId,
        src: VRegId,
        dst: Register,
        class: Option<RegClassId>,
        copy: InstrId,
    ) {
        let (slot, block) = (self.code.slot(copy), self.code.block(copy));
        let mut operands = std::mem::take(&mut self.buffers.operands);
        let new = self.code.new_instr();
        let flags = self.host.rematerialize(def, copy, dst, class, new, &mut operands);
        let flags = flags.expect("the class of a def has the class of its copies");
        self.buffers.worklists.note_instr(new);
        self.buffers.worklists.note_erased(copy);
        self.code.erase(copy, self.slots);
        self.code.set_instr(new, slot, block, flags, &operands);
        self.slots.set_instr(slot, new);
        self.buffers.operands = operands;
        if let Some(dst) = dst.vreg() {
            self.forget_class(dst);
        }
        self.counts.remats += 1;
        self.update_after_remat(src, dst, new);
    }

    /// Shrinks the range of `src`, which one copy less reads, now or later. If nothing reads it any more its debug values
    /// go over to `dst`, which `new` computes.
    fn update_after_remat(&mut self, src: VRegId, dst: Register, new: InstrId) {
        let is_later = self.buffers.late_updates.contains(src);
        let has_debug = !self.code.debug.is_unnamed(src);
        if is_later && !has_debug {
            return;
        }
        let (mut num_uses, mut num_copies) = (0, 0);
        self.code.all_places(src, |place, op| {
            num_uses += u32::from(op.is_use());
            num_copies += u32::from(op.is_use() && self.code.is_copy(place.instr));
            true
        });
        if num_uses == 0 && has_debug {
            self.host.move_debug_values(src, dst, new);
            match dst.vreg() {
                Some(dst) => self.code.debug.distribute(src, |_| dst),
                None => self.code.debug.forget(src),
            }
        }
        if is_later {
            return;
        }
        if num_copies < self.options.late_remat_update {
            self.shrink_to_uses_for_dead(src);
            self.eliminate_dead_defs();
        } else {
            self.buffers.late_updates.insert(src);
        }
    }

    /// Whether everything that `def` reads has the same value at `at` (`allUsesAvailableAt`).
    pub fn all_uses_available(&mut self, def: InstrId, at: SlotIndex) -> bool {
        let (from, to) = (self.code.slot(def).early_clobber(), at.early_clobber());
        for index in 0..self.code.num_operands(def) {
            let op = self.code.operand(Place { instr: def, index });
            if !op.is_reg() || !op.reg().is_valid() || !op.reads() {
                continue;
            }
            let Some(reg) = op.reg().vreg() else {
                if self.host.is_ignorable_use(def, index) {
                    continue;
                }
                return false;
            };
            let range = self.ranges.get(reg);
            let value = range.value_at(from);
            if value.is_some() && (from.same_instr(to) || value != range.value_at(to)) {
                return false;
            }
        }
        true
    }
}
