//! Instructions whose results nobody reads.
//!
//! **Problem.** A dead copy, or a def that only copies read which are gone, goes; then what it read may be
//! dead too. A load that only one instruction reads any more is folded into that one, if the target can.
//!
//! **Source.** `LiveRangeEdit::eliminateDeadDefs`, `foldAsLoad`.
//!
//! **Complexity.** Linear in what goes, and in the ranges that get shorter.

use super::code::{Place, NONE};
use super::host::{CoalescerHost, Edit};
use super::Coalescing;
use crate::adt::DenseMapOrder;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrFlags, Register};
use crate::versions::VERSIONS;

/// Registers whose ranges are to be cut later (`ToBeUpdated`), in the order of LLVM's set: new registers may come of it.
pub struct LateUpdates {
    regs: Vec<u32>,
    order: DenseMapOrder,
}

impl Default for LateUpdates {
    fn default() -> Self {
        LateUpdates { regs: Vec::new(), order: DenseMapOrder::without_inline_buckets() }
    }
}

impl LateUpdates {
    /// Begins with a function.
    pub fn reset(&mut self) {
        if VERSIONS.coalescer.has_set_for_each_function {
            self.order.reset();
        }
        self.regs.clear();
    }
    /// Whether a register is one of them.
    pub fn contains(&self, reg: u32) -> bool {
        !self.regs.is_empty() && self.order.contains(Register::virt(reg).0)
    }
    /// Adds one that is not.
    pub fn insert(&mut self, reg: u32) {
        self.order.insert(Register::virt(reg).0);
        self.regs.push(reg);
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Erases the instructions of `dead_defs`, all of whose defs are dead, and what becomes dead by that.
    pub fn eliminate_dead_defs(&mut self) {
        debug_assert!(self.b.to_shrink.is_empty());
        loop {
            while let Some(instr) = self.b.dead_defs.pop() {
                self.eliminate_dead_def(instr);
            }
            let Some(reg) = self.b.to_shrink.pop() else { return };
            if self.fold_as_load(reg) {
                continue;
            }
            if self.shrink_range(reg, true) {
                self.renumber_values(reg);
                self.split_parts(reg);
            }
        }
    }

    fn eliminate_dead_def(&mut self, instr: u32) {
        let properties = self.host.properties(instr);
        if properties.is_inline_asm || !properties.is_safe_to_move {
            return;
        }
        let at = self.slot_of(instr).register();
        let is_copy = self.code.is_copy(instr);
        let mut empty = Vec::new();
        let mut reads_phys = false;
        for index in 0..self.code.num_operands(instr) {
            let op = self.code.operand(Place { instr, index });
            if op.is_reg() && op.reg().is_physical() {
                let keeps = op.reads() && !self.host.is_reserved(op.reg());
                reads_phys |= keeps;
                if !keeps && op.is_def() {
                    self.host.edit(Edit::RemovePhysDef(instr, op.reg()));
                }
            }
            if !op.is_reg() || !op.reg().is_virtual() {
                continue;
            }
            let reg = op.reg().virt_index() as u32;
            let reads = self.code.reads(instr, reg);
            let shrinks = reads && (op.is_def() || is_copy)
                || op.reads() && (self.has_one_use(reg) || self.ranges.get(reg).query(at).is_kill);
            if shrinks && !self.b.to_shrink.contains(&reg) {
                self.b.to_shrink.push(reg);
            }
            if op.is_def() {
                self.remove_def_at(reg, at);
                if self.ranges.get(reg).segments.is_empty() {
                    empty.push(reg);
                }
            }
        }
        if reads_phys {
            // Ranges of physical registers are not shrunk, so somebody must read them.
            self.host.edit(Edit::ToKill(instr));
            self.code.make_kill(instr);
        } else {
            self.erase(instr);
        }
        for reg in empty {
            if self.ranges.has(reg) && self.code.is_unnamed(reg) {
                self.b.to_shrink.retain(|&r| r != reg);
                self.ranges.remove(reg);
            }
        }
    }

    /// Folds the load that alone defines `reg` into the instruction that alone reads it; then the load is dead.
    fn fold_as_load(&mut self, reg: u32) -> bool {
        let (mut load, mut reader) = (None, None);
        let are_single = self.code.all_places(reg, |place, op| {
            let seen = match (op.is_def(), op.is_undef()) {
                (true, _) => &mut load,
                (false, true) => return true,
                (false, false) => &mut reader,
            };
            *seen.get_or_insert(place.instr) == place.instr
        });
        let (true, Some(load), Some(reader)) = (are_single, load, reader) else { return false };
        if !self.host.can_fold_as_load(load)
            || !self.all_uses_available(load, self.slot_of(reader))
            || !self.host.properties(load).is_safe_to_move_past_stores
        {
            return false;
        }
        let mut operands = std::mem::take(&mut self.b.operands);
        let new = self.code.new_instr();
        let folded = self.host.fold_load(reader, load, reg, new, &mut operands);
        if folded {
            let (entry, block) = (self.code.instr(reader).entry, self.code.instr(reader).block);
            self.b.lists.made(new);
            self.code.erase(reader, self.slots);
            self.code.set_instr(new, entry, block, InstrFlags::NONE, &operands);
            self.slots.set_instr(entry, new);
            for op in operands.iter().filter(|op| op.is_reg() && op.reg().is_virtual()) {
                self.b.classes[op.reg().virt_index()] = NONE; // maybe constrained: to be asked for
            }
            self.counts.loads_folded += 1;
            self.set_dead(load, reg, true);
            self.b.dead_defs.push(load);
        } else {
            self.code.drop_new_instr(new);
        }
        self.b.operands = operands;
        folded
    }

    /// `hasOneNonDBGUse`
    pub fn has_one_use(&self, reg: u32) -> bool {
        let mut uses = 0;
        self.code.all_places(reg, |_, op| {
            uses += u32::from(op.is_use());
            uses < 2
        });
        uses == 1
    }

    /// The value that `reg` has at `at` is gone (`removeVRegDefAt`).
    pub fn remove_def_at(&mut self, reg: u32, at: SlotIndex) {
        if let Some(value) = self.ranges.get(reg).value_at(at) {
            let mut scratch = std::mem::take(&mut self.b.scratch);
            self.ranges.edit(reg, &mut scratch, |range| range.remove_value(value));
            self.b.scratch = scratch;
        }
    }

    /// Numbers the values by their first segments and forgets those that are not used (`RenumberValues`).
    fn renumber_values(&mut self, reg: u32) {
        let mut scratch = std::mem::take(&mut self.b.scratch);
        self.ranges.edit(reg, &mut scratch, |range| {
            let old = std::mem::take(&mut range.values);
            let mut numbers = vec![u32::MAX; old.len()];
            for s in &mut range.segments {
                let number = &mut numbers[s.value as usize];
                if *number == u32::MAX {
                    *number = range.values.len() as u32;
                    range.values.push(old[s.value as usize]);
                }
                s.value = *number;
            }
        });
        self.b.scratch = scratch;
    }

    /// One reader of `reg` is gone; its range is cut with [`Coalescing::late_updates`].
    pub fn update_later(&mut self, reg: u32) {
        if !self.b.late_updates.contains(reg) {
            self.b.late_updates.insert(reg);
        }
    }

    /// Cuts the ranges that rematerialisation has left as they were (`lateLiveIntervalUpdate`).
    pub fn late_updates(&mut self) {
        let mut updates = std::mem::take(&mut self.b.late_updates);
        for i in updates.order.ordinals() {
            let reg = updates.regs[i];
            if self.ranges.has(reg) {
                self.shrink_to_uses_for_dead(reg);
                self.eliminate_dead_defs();
            }
        }
        updates.regs.clear();
        updates.order.clear();
        self.b.late_updates = updates;
    }
}
