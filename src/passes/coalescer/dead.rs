//! Erases instructions whose results nothing reads.
//!
//! **Problem.** A dead copy goes, and so does a def whose only readers were copies that are gone.
//! Then the registers that it read may be dead too. A load with only one remaining reader is folded
//! into that, if the target can.
//!
//! **Source.** `LiveRangeEdit::eliminateDeadDefs`, `foldAsLoad`.
//!
//! **Complexity.** Linear in the operands of the erased instructions, and in the ranges that get
//! shorter.

use super::code::Place;
use super::host::{CoalescerHost, Edit};
use super::live_range::LiveRange;
use super::state::Coalescing;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrFlags, InstrId, InstrKind, Operand, VRegId, ValueNo};
use crate::versions::VERSIONS;
use index_vec::IndexVec;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Erases `dead_instrs`, whose defs are all dead, and everything that becomes dead by that.
    pub fn eliminate_dead_defs(&mut self) {
        debug_assert!(self.buffers.to_shrink.is_empty());
        loop {
            while let Some(instr) = self.buffers.dead_instrs.pop() {
                self.eliminate_dead_def(instr);
            }
            let Some(reg) = self.buffers.to_shrink.pop() else { return };
            if self.fold_as_load(reg) {
                continue;
            }
            if self.shrink_range(reg, true) {
                self.renumber_values(reg);
                self.split_parts(reg);
            }
        }
    }

    fn eliminate_dead_def(&mut self, instr: InstrId) {
        if !self.host.is_safe_to_move(instr) || self.host.kind(instr).is_inline_asm() {
            return;
        }
        let mut empty = Vec::new();
        let mut reads_phys = false;
        for index in 0..self.code.num_operands(instr) {
            let op = self.code.operand(Place { instr, index });
            if !op.is_reg() {
                continue;
            }
            if op.reg().is_physical() {
                let is_kept = op.reads() && !self.host.is_reserved(op.reg());
                reads_phys |= is_kept;
                if !is_kept && op.is_def() {
                    self.host.edit(Edit::RemovePhysDef(instr, op.reg()));
                }
            }
            self.note_dead_operand(instr, op, &mut empty);
        }
        if reads_phys {
            // Ranges of physical registers are not shrunk, so an instruction must still read them.
            self.make_kill(instr);
        } else {
            self.erase(instr);
        }
        for reg in empty {
            if self.ranges.has(reg) && self.code.is_unnamed(reg) {
                self.buffers.to_shrink.retain(|&r| r != reg);
                self.ranges.remove(reg);
            }
        }
    }

    /// Makes an instruction a KILL of the physical registers that it names.
    fn make_kill(&mut self, instr: InstrId) {
        self.host.edit(Edit::SetKind(instr, InstrKind::Kill));
        self.remove_operands(instr, |op| !op.is_reg() || !op.reg().is_physical());
        if VERSIONS.coalescer.kill_drops_mem_refs {
            self.host.edit(Edit::DropMemRefs(instr));
        }
        self.code.make_kill(instr);
    }

    /// Decides whether to shrink the range of the virtual register that `op`, an operand of a dead
    /// instruction, names. Removes its value if the instruction defines it. Registers whose ranges
    /// become empty go to `empty`.
    fn note_dead_operand(&mut self, instr: InstrId, op: Operand, empty: &mut Vec<VRegId>) {
        let Some(reg) = op.vreg() else { return };
        let at = self.code.slot(instr).register();
        let needs_shrink = self.code.reads(instr, reg) && (op.is_def() || self.code.is_copy(instr))
            || op.reads() && (self.has_one_use(reg) || self.ranges.get(reg).query(at).is_kill);
        if needs_shrink && !self.buffers.to_shrink.contains(&reg) {
            self.buffers.to_shrink.push(reg);
        }
        if op.is_def() {
            self.remove_def_at(reg, at);
            if self.ranges.get(reg).segments.is_empty() {
                empty.push(reg);
            }
        }
    }

    /// Finds the only instruction that defines `reg` and the only one that reads it.
    fn only_def_and_use(&self, reg: VRegId) -> Option<(InstrId, InstrId)> {
        let (mut def, mut reader) = (None, None);
        let are_single = self.code.all_places(reg, |place, op| {
            let seen = match (op.is_def(), op.is_undef()) {
                (true, _) => &mut def,
                (false, true) => return true,
                (false, false) => &mut reader,
            };
            *seen.get_or_insert(place.instr) == place.instr
        });
        def.zip(reader).filter(|_| are_single)
    }

    /// Folds the only def of `reg`, a load, into its only reader; then the load is dead.
    fn fold_as_load(&mut self, reg: VRegId) -> bool {
        let Some((load, reader)) = self.only_def_and_use(reg) else { return false };
        if !self.host.can_fold_as_load(load)
            || !self.all_uses_available(load, self.code.slot(reader))
            || !self.host.is_safe_to_move_past_stores(load)
        {
            return false;
        }
        let names_reg = |op: &Operand| op.vreg() == Some(reg);
        let named = self.code.places_of(reader).filter(|(_, op)| names_reg(op));
        let (read, written): (Vec<_>, Vec<_>) = named.partition(|(_, op)| op.is_use());
        if !written.is_empty() {
            return false;
        }
        let read: Vec<u32> = read.iter().map(|(place, _)| place.index).collect();
        let mut operands = std::mem::take(&mut self.buffers.operands);
        let new = self.code.new_instr();
        let is_folded = self.host.fold_load(reader, &read, load, new, &mut operands);
        if is_folded {
            let (slot, block) = (self.code.slot(reader), self.code.block(reader));
            self.buffers.worklists.note_instr(new);
            self.code.erase(reader, self.slots);
            self.code.set_instr(new, slot, block, InstrFlags::NONE, &operands);
            self.slots.set_instr(slot, new);
            // The target may have constrained the classes of its registers.
            for reg in operands.iter().filter(|op| op.is_reg()).filter_map(|op| op.reg().vreg()) {
                self.forget_class(reg);
            }
            self.counts.loads_folded += 1;
            self.set_dead(load, reg, true);
            self.buffers.dead_instrs.push(load);
        } else {
            self.code.drop_new_instr(new);
        }
        self.buffers.operands = operands;
        is_folded
    }

    /// Removes the value that `reg` has at `at` (`removeVRegDefAt`).
    pub fn remove_def_at(&mut self, reg: VRegId, at: SlotIndex) {
        if let Some(value) = self.ranges.get(reg).value_at(at) {
            self.edit_range(reg, |range| range.remove_value(value));
        }
    }

    /// Numbers the values by their first segments and forgets those that are not used
    /// (`RenumberValues`).
    fn renumber_values(&mut self, reg: VRegId) {
        self.edit_range(reg, |range| {
            let LiveRange { segments, values } = range;
            let old = std::mem::take(values);
            let mut numbers: IndexVec<ValueNo, Option<ValueNo>> = IndexVec::new();
            numbers.resize(old.len(), None);
            for s in segments {
                let value = s.value;
                s.value = *numbers[value].get_or_insert_with(|| values.push(old[value]));
            }
        });
    }

    /// Leaves the range of `reg`, which has lost a reader, to be shrunk by the next
    /// [`Coalescing::late_updates`].
    pub fn update_later(&mut self, reg: VRegId) {
        self.buffers.late_updates.insert(reg);
    }

    /// Whether ranges wait for [`Coalescing::late_updates`].
    pub fn has_late_updates(&self) -> bool {
        !self.buffers.late_updates.is_empty()
    }

    /// Shrinks the ranges that were left for later (`lateLiveIntervalUpdate`).
    pub fn late_updates(&mut self) {
        let mut updates = std::mem::take(&mut self.buffers.late_updates);
        let mut regs = Vec::new();
        updates.in_order(&mut regs);
        for reg in regs {
            if self.ranges.has(reg) {
                self.shrink_to_uses_for_dead(reg);
                self.eliminate_dead_defs();
            }
        }
        updates.clear();
        self.buffers.late_updates = updates;
    }
}
