//! Computing a value again instead of copying it.
//!
//! **Problem.** Where the two registers of a copy interfere and the copied value is as cheap to compute as to
//! copy, an IMPLICIT_DEF or a constant, the copy becomes its computation.
//!
//! **Algorithm.** As LLVM's: what the computation reads must have the same values at the copy. The target makes
//! the new instruction, which takes over the copy's slot. If the value had many copies, its range is shrunk
//! once at the end.
//!
//! **Source.** `reMaterializeTrivialDef`.
//!
//! **Complexity.** Operands of the register that was copied.

use super::code::{Place, NONE};
use super::host::CoalescerHost;
use super::pair::Pair;
use super::Coalescing;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::Register;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Replaces the copy by what computed the value; false if that cannot be done.
    pub fn rematerialize(&mut self, pair: &Pair, copy: u32) -> bool {
        self.rematerialize_to(pair.copied(), Register::virt(pair.defined()), Some(pair.new_class), copy)
    }

    /// The same for a copy of `src` to `dst`, which if it is virtual is of this class at most then.
    pub fn rematerialize_to(&mut self, src: u32, dst: Register, class: Option<u32>, copy: u32) -> bool {
        let at = self.slot_of(copy);
        let range = self.ranges.get(src);
        let Some(value) = range.query(at).value_in() else { return false };
        let def_slot = range.values[value as usize];
        if def_slot.is_block() {
            return false;
        }
        let Some(def) = self.slots.instr_at(def_slot) else { return false };
        if self.code.is_copy(def) {
            return false;
        }
        if !self.host.is_cheap(def) {
            return false;
        }
        // What it reads may change.
        self.b.depends.on_more();
        let properties = self.host.properties(def);
        if !properties.is_rematerializable
            || !self.code.operands(def).any(|op| op.is_def() && op.reg() == Register::virt(src))
            || !properties.is_safe_to_move
            || !properties.has_one_def
            || dst.is_physical() && !self.host.can_define(def, dst)
            || !self.all_uses_available(def, at)
        {
            return false;
        }
        self.compute_again(def, src, dst, class, copy);
        true
    }

    /// Replaces a copy of `src` to `dst` by what `def` computes, which is what is copied.
    pub fn compute_again(&mut self, def: u32, src: u32, dst: Register, class: Option<u32>, copy: u32) {
        let (entry, block) = (self.code.instr(copy).entry, self.code.instr(copy).block);
        let mut operands = std::mem::take(&mut self.b.operands);
        let new = self.code.new_instr();
        let made = self.host.rematerialize(def, copy, dst, class, new, &mut operands);
        let kind = made.expect("the class of a def has the class of its copies");
        self.b.lists.made(new);
        self.b.lists.erased(copy);
        self.code.erase(copy, self.slots);
        self.code.set_instr(new, entry, block, kind, &operands);
        self.slots.set_instr(entry, new);
        self.b.operands = operands;
        if dst.is_virtual() {
            self.b.classes[dst.virt_index()] = NONE; // to be asked for
        }
        self.counts.remats += 1;

        let is_later = self.b.late_updates.contains(src);
        let has_debug = self.code.debug_operands(src).next().is_some();
        if is_later && !has_debug {
            return;
        }
        let mut uses = 0;
        let mut copies = 0;
        self.code.all_places(src, |place, op| {
            uses += u32::from(op.is_use());
            copies += u32::from(op.is_use() && self.code.is_copy(place.instr));
            true
        });
        if uses == 0 && has_debug {
            self.host.move_debug_values(src, dst, new);
            if dst.is_virtual() {
                self.code.move_debug_operands(src, |_| dst.virt_index() as u32);
            } else {
                self.code.forget_debug_operands(src);
            }
        }
        if is_later {
            return;
        }
        if copies < self.options.late_remat_update {
            self.shrink_to_uses_for_dead(src);
            self.eliminate_dead_defs();
        } else {
            self.b.late_updates.insert(src);
        }
    }

    /// Whether everything that `def` reads has the same value at `at` (`allUsesAvailableAt`).
    pub fn all_uses_available(&mut self, def: u32, at: SlotIndex) -> bool {
        let (from, to) = (self.slot_of(def).early_clobber(), at.early_clobber());
        for index in 0..self.code.num_operands(def) {
            let op = self.code.operand(Place { instr: def, index });
            if !op.is_reg() || !op.reg().is_valid() || !op.reads() {
                continue;
            }
            if !op.reg().is_virtual() {
                if self.host.is_ignorable_use(def, index) {
                    continue;
                }
                return false;
            }
            let range = self.ranges.get(op.reg().virt_index() as u32);
            let value = range.value_at(from);
            if value.is_some() && (from.same_instr(to) || value != range.value_at(to)) {
                return false;
            }
        }
        true
    }
}
