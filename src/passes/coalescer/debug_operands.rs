//! Keeps the operands of debug instructions, and which of them name a register.
//!
//! They are not readers. They are kept apart from the operands of [`super::code::Code`], so that
//! debug instructions do not influence the code.

use super::list::List;
use crate::adt::PackedOption;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::VRegId;
use index_vec::{IndexSlice, IndexVec};
use std::ops::Range;

index_vec::define_index_type! {
    /// The number of an operand of a debug instruction, in the order of the code.
    pub struct DebugOperandId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An operand of a debug instruction that names a virtual register.
#[derive(Clone, Copy, Debug)]
pub struct DebugOperand {
    /// The number of the debug instruction; debug instructions are counted on their own.
    pub instr: u32,
    /// Its position in the debug instruction.
    pub index: u32,
    /// The register; `NONE` when the operand no longer names a virtual register.
    pub reg: PackedOption<VRegId>,
    /// The slot of the first instruction after the debug instruction, or of the end of the block.
    pub next_slot: SlotIndex,
    /// Whether the debug instruction is a DBG_VALUE.
    pub is_value: bool,
}

/// The operands of all debug instructions of a function.
#[derive(Default)]
pub struct DebugOperands {
    operands: IndexVec<DebugOperandId, DebugOperand>,
    /// By register, its operands; empty if the function has no debug operand.
    lists: IndexVec<VRegId, List<DebugOperandId>>,
    /// By operand, the next one in its list.
    next: IndexVec<DebugOperandId, PackedOption<DebugOperandId>>,
}

impl DebugOperands {
    /// Reads those of a function with this many registers.
    pub fn read(&mut self, num_regs: usize, operands: &[DebugOperand]) {
        self.operands.clear();
        self.lists.clear();
        self.next.clear();
        if operands.is_empty() {
            return;
        }
        self.operands.extend(operands.iter().copied());
        self.lists.resize(num_regs, List::EMPTY);
        self.next.resize(operands.len(), PackedOption::NONE);
        let DebugOperands { operands, lists, next } = self;
        for (id, d) in operands.iter_enumerated() {
            if let Some(reg) = d.reg.get() {
                lists[reg].append(id, |last| next[last] = id.into());
            }
        }
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.operands.is_empty()
    }
    /// All of them.
    pub fn all(&self) -> &IndexSlice<DebugOperandId, [DebugOperand]> {
        &self.operands
    }
    /// One of them.
    pub fn get(&self, id: DebugOperandId) -> &DebugOperand {
        &self.operands[id]
    }
    /// Adds a register.
    pub fn push_reg(&mut self) {
        if !self.lists.is_empty() {
            self.lists.push(List::EMPTY);
        }
    }
    /// The operands that name `reg`.
    pub fn of(&self, reg: VRegId) -> impl Iterator<Item = DebugOperandId> + '_ {
        let first = self.lists.get(reg).and_then(|list| list.first());
        let all = std::iter::successors(first, |&id| self.next[id].get());
        all.filter(|&id| self.operands[id].reg.is_some())
    }
    /// Whether no operand names `reg`.
    pub fn is_unnamed(&self, reg: VRegId) -> bool {
        self.of(reg).next().is_none()
    }
    /// Makes every operand of `src` one of `dst`. The operands themselves keep the old name.
    pub fn rename(&mut self, src: VRegId, dst: VRegId) {
        if !self.lists.is_empty() {
            let moved = std::mem::replace(&mut self.lists[src], List::EMPTY);
            self.lists[dst].concat(moved, |last| self.next[last] = moved.first().into());
        }
    }
    /// Writes into every operand the register that it now names.
    pub fn settle(&mut self, root: impl Fn(VRegId) -> VRegId) {
        for d in &mut self.operands {
            d.reg = d.reg.get().map(&root).into();
        }
    }
    /// Moves the operands of `from`, each to the register that `to` returns.
    pub fn distribute(&mut self, from: VRegId, mut to: impl FnMut(DebugOperandId) -> VRegId) {
        let Some(list) = self.lists.get_mut(from) else { return };
        let mut at = std::mem::replace(list, List::EMPTY).first();
        while let Some(id) = at {
            at = std::mem::take(&mut self.next[id]).get();
            if self.operands[id].reg.is_some() {
                let reg = to(id);
                self.operands[id].reg = reg.into();
                self.lists[reg].append(id, |last| self.next[last] = id.into());
            }
        }
    }
    /// Notes that the operands of `reg` now name a physical register.
    pub fn forget(&mut self, reg: VRegId) {
        let mut at = self.lists.get(reg).and_then(|list| list.first());
        while let Some(id) = at {
            self.operands[id].reg = PackedOption::NONE;
            at = self.next[id].get();
        }
    }
    /// The operands of the debug instruction that `id` belongs to.
    pub fn of_same_instr(&self, id: DebugOperandId) -> Range<DebugOperandId> {
        let instr = self.operands[id].instr;
        let (before, after) = self.operands.as_raw_slice().split_at(id.index());
        let is_same = |d: &&DebugOperand| d.instr == instr;
        let num_before = before.iter().rev().take_while(is_same).count();
        let num_after = after.iter().take_while(is_same).count();
        id - num_before..id + num_after
    }
    /// Makes the debug instruction of `id` undef.
    pub fn set_undef(&mut self, id: DebugOperandId) {
        let operands = self.of_same_instr(id);
        for d in &mut self.operands[operands] {
            d.reg = PackedOption::NONE;
        }
    }
    /// Gives every slot its new number.
    pub fn renumber(&mut self, new: impl Fn(SlotIndex) -> SlotIndex) {
        for d in &mut self.operands {
            d.next_slot = new(d.next_slot);
        }
    }
}
