//! Rematerialises a value instead of copying it.
//!
//! **Problem.** The two registers of a copy interfere, and the copied value, such as an
//! IMPLICIT_DEF or a constant, is as cheap to compute as to copy. Then the copy is replaced by the
//! computation.
//!
//! **Algorithm.** LLVM's: the operands that the computation reads must have the same values at the
//! copy. The target makes the new instruction, which takes over the copy's slot. If the value had
//! many copies, its range is shrunk once at the end.
//!
//! **Source.** `reMaterializeTrivialDef`.
//!
//! **Complexity.** Linear in the operands of the copied register.

use super::code::Place;
use super::host::{CoalescerHost, Edit};
use super::pair::CoalescerPair;
use super::state::Coalescing;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrFlags, InstrId, Operand, RegClassId, Register, VRegId};
use crate::versions::VERSIONS;

/// The number of explicit operands of a COPY; others are implicit.
const COPY_OPERANDS: u32 = 2;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Replaces a copy by the computation of its value. Returns false if that cannot be done.
    pub fn rematerialize(&mut self, pair: &CoalescerPair, copy: InstrId) -> bool {
        self.rematerialize_to(pair.copied(), pair.defined().into(), Some(pair.new_class), copy)
    }

    /// Replaces a copy of `src` to `dst` in the same way. The class of a virtual `dst` becomes a
    /// sub-class of `class`.
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
        // The values that it reads may change.
        self.buffers.dependencies.add_others();
        if !self.host.is_rematerializable(def)
            || !self.code.operands(def).any(|op| op.is_def() && op.reg() == Register::from(src))
            || !self.host.is_safe_to_move(def)
            || self.host.num_described_defs(def) != 1
            || dst.is_physical() && !self.can_define(def, dst)
            || !self.all_uses_available(def, at)
        {
            return false;
        }
        self.replace_by_computation(def, src, dst, class, copy);
        true
    }

    /// Replaces a copy of `src` to `dst` by the computation of the copied value, `def`.
    pub fn replace_by_computation(
        &mut self,
        def: InstrId,
        src: VRegId,
        dst: Register,
        class: Option<RegClassId>,
        copy: InstrId,
    ) {
        let (slot, block) = (self.code.slot(copy), self.code.block(copy));
        let class = class.filter(|_| dst.is_virtual()).map(|class| self.computed_class(def, class));
        let mut operands = std::mem::take(&mut self.buffers.operands);
        let new = self.code.new_instr();
        self.host.rematerialize(def, copy, dst, new, &mut operands);
        let flags = InstrFlags::of_kind(self.host.kind(new));
        self.finish_operands(new, copy, dst, &mut operands);
        self.buffers.worklists.note_instr(new);
        self.erase(copy);
        if let Some((dst, class)) = dst.vreg().zip(class) {
            self.set_class(dst, class);
        }
        self.code.set_instr(new, slot, block, flags, &operands);
        self.slots.set_instr(slot, new);
        self.buffers.operands = operands;
        self.counts.remats += 1;
        self.update_after_remat(src, dst, new);
    }

    /// Whether `def` can define a physical register.
    fn can_define(&mut self, def: InstrId, phys: Register) -> bool {
        self.code.is_implicit_def(def)
            || self.host.def_class(def).is_some_and(|class| self.host.class_contains(class, phys))
    }

    /// Finds the largest class in `class` whose registers `def` can define.
    fn computed_class(&mut self, def: InstrId, class: RegClassId) -> RegClassId {
        match self.host.def_class(def) {
            Some(def_class) if def_class != class => {
                let common = self.host.common_sub_class(class, def_class);
                common.expect("the class of a def has the class of its copies")
            }
            _ => class,
        }
    }

    /// Corrects the operands of `new`, which computes `dst` instead of `copy`: its defs are live,
    /// and it takes over the copy's implicit operands.
    fn finish_operands(&mut self, new: InstrId, copy: InstrId, dst: Register, operands: &mut Vec<Operand>) {
        let num_described = self.host.num_described_operands(new) as usize;
        let implicit = operands.get(num_described..).unwrap_or_default().iter();
        let implicit_defs: Vec<Register> =
            implicit.filter(|op| op.is_def() && op.reg().is_physical()).map(|op| op.reg()).collect();
        self.revive_defs(new, dst, operands);
        let (first, place) = (operands[0], Place { instr: new, index: 0 });
        if dst.is_virtual() {
            operands[0] = first.with_undef(false);
            self.host.edit(Edit::SetUndef(place, false));
        } else if first.reg() != dst {
            // It defines part of `dst`, so it defines the whole implicitly.
            operands[0] = first.with_dead(true);
            self.host.edit(Edit::SetDead(place, true));
            if !VERSIONS.coalescer.remat_keeps_virtual_implicits || !implicit_defs.contains(&dst) {
                operands.push(Operand::implicit_def(dst));
                self.host.edit(Edit::AppendImplicitDef(new, dst));
            }
            self.host.edit(Edit::AddKnownPhysDef(new, first.reg()));
        }
        self.append_implicit_operands(new, copy, operands);
        for reg in implicit_defs {
            self.host.edit(Edit::AddKnownPhysDef(new, reg));
        }
    }

    /// Clears the dead flags of the defs of `dst` by `new`: the original def may have been dead.
    fn revive_defs(&mut self, new: InstrId, dst: Register, operands: &mut [Operand]) {
        for (index, op) in (0..).zip(operands) {
            let is_revived = if VERSIONS.coalescer.remat_revives_defs_of_register {
                op.is_def() && op.reg() == dst
            } else {
                index == 0
            };
            if is_revived && op.is_dead() {
                *op = op.with_dead(false);
                self.host.edit(Edit::SetDead(Place { instr: new, index }, false));
            }
        }
    }

    /// Appends the implicit operands of `copy` to `new`.
    fn append_implicit_operands(&mut self, new: InstrId, copy: InstrId, operands: &mut Vec<Operand>) {
        for index in COPY_OPERANDS..self.code.num_operands(copy) {
            let place = Place { instr: copy, index };
            let op = self.code.operand(place);
            let keeps_virtual = VERSIONS.coalescer.remat_keeps_virtual_implicits;
            let is_kept = op.is_reg() && (keeps_virtual || op.reg().is_physical());
            if is_kept {
                operands.push(op);
                self.host.edit(Edit::AppendOperand(new, place));
            }
        }
    }

    /// Shrinks the range of `src`, which has lost a reading copy, now or later. If nothing reads it
    /// any more, its debug values move to `dst`, which `new` computes.
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

    /// Whether every register that `def` reads has the same value at `at` (`allUsesAvailableAt`).
    pub fn all_uses_available(&mut self, def: InstrId, at: SlotIndex) -> bool {
        let (from, to) = (self.code.slot(def).early_clobber(), at.early_clobber());
        for index in 0..self.code.num_operands(def) {
            let op = self.code.operand(Place { instr: def, index });
            if !op.is_reg() || !op.reg().is_valid() || !op.reads() {
                continue;
            }
            let Some(reg) = op.reg().vreg() else {
                if self.host.is_constant(op.reg()) || self.host.is_ignorable_use(def, index) {
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
