//! Answers liveness's questions from LLVM's function and analyses.

use super::analysis::LivenessHost;
use super::slot_index::{HostSlots, Slot, SlotIndex, SlotIndexes};
use super::unsuited::Unsuited;
use super::values::{DefId, Occurrences};
use crate::adt::BitSet;
use crate::cfg::Dominators;
use crate::llvm::{ChainBuffer, ChainPlace, Handles, InstrAddress, MachineFunction, SlotsAndDominators};
use crate::mir::{FunctionShape, RegUnit, Register, VRegId};
use crate::nvptx::registers::is_predicate_class;

/// LLVM's function and its analyses.
pub struct LlvmHost<'r, 'f> {
    mf: MachineFunction<'f>,
    shape: &'r FunctionShape,
    analyses: Option<SlotsAndDominators<'f>>,
    slots: &'r mut HostSlots,
    /// By entry, LLVM's own SlotIndex.
    slot_bits: &'r [u64],
    /// The instructions, once slots were read.
    handles: Option<Handles<'r, 'f>>,
    /// By class id: whether the class is that of predicates, once that is known.
    classes: Vec<Option<bool>>,
    chain: ChainBuffer,
    def_chain: Vec<InstrAddress>,
    by_address: Vec<(InstrAddress, DefId)>,
    seen: BitSet,
}

/// The operands of a register to list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Defs,
    Uses,
    /// Uses. Their kill flags are cleared.
    UsesWithoutKills,
}

impl<'r, 'f> LlvmHost<'r, 'f> {
    /// Makes the host of `mf`, which has this shape. Without `analyses` it answers questions about
    /// registers only.
    pub fn new(
        mf: MachineFunction<'f>,
        shape: &'r FunctionShape,
        analyses: Option<SlotsAndDominators<'f>>,
        slots: &'r mut HostSlots,
    ) -> Self {
        LlvmHost {
            mf,
            shape,
            analyses,
            slots,
            slot_bits: &[],
            handles: None,
            classes: Vec::new(),
            chain: ChainBuffer::default(),
            def_chain: Vec::new(),
            by_address: Vec::new(),
            seen: BitSet::default(),
        }
    }

    fn analyses(&self) -> SlotsAndDominators<'f> {
        self.analyses.expect("LiveIntervals requires SlotIndexes and the dominator tree")
    }

    /// Reads LLVM's own SlotIndex of each entry to `bits`.
    ///
    /// # Errors
    /// When LLVM has other entries than the instructions that were read.
    pub fn read_slots(
        &mut self,
        handles: Handles<'r, 'f>,
        expected: usize,
        bits: &'r mut Vec<u64>,
    ) -> Result<(), Unsuited> {
        self.handles = Some(handles);
        self.slots.numbers.clear();
        let is_expected = self.analyses().read_slots(self.mf, expected, bits);
        self.slot_bits = bits;
        is_expected.then_some(()).ok_or(Unsuited::Slots)
    }

    /// Returns LLVM's own SlotIndex of each entry, after [`LlvmHost::read_slots`].
    pub fn slot_bits(&self) -> &'r [u64] {
        self.slot_bits
    }

    /// Reads LLVM's numbers of the slots, unless they are known.
    pub fn read_numbers(&mut self) {
        if self.slots.numbers.is_empty() {
            self.analyses().read_numbers(self.slot_bits, &mut self.slots.numbers);
        }
    }

    /// Appends the defs and uses of a register unit to `out`, in LLVM's order. A reserved unit has
    /// only its defs listed. Clears kill flags.
    ///
    /// # Errors
    /// When LLVM has a slot that no entry has.
    pub fn unit_occurrences(
        &mut self,
        unit: RegUnit,
        slots: &SlotIndexes,
        out: &mut Occurrences,
    ) -> Result<(), Unsuited> {
        let regs = self.mf.unit_registers(unit.raw());
        for &reg in &regs {
            self.append_chain(reg, slots, Listed::Defs, &mut out.defs)?;
        }
        if !self.mf.is_reserved_unit(unit.raw()) {
            for &reg in &regs {
                self.append_chain(reg, slots, Listed::UsesWithoutKills, &mut out.uses)?;
            }
        }
        Ok(())
    }

    /// Appends the slots of the defs or uses of a register, in the order of LLVM's chain.
    fn append_chain(
        &mut self,
        reg: Register,
        slots: &SlotIndexes,
        listed: Listed,
        out: &mut Vec<SlotIndex>,
    ) -> Result<(), Unsuited> {
        self.read_numbers();
        let analyses = self.analyses();
        for c in analyses.chain(self.mf, reg, &mut self.chain) {
            let op = c.operand;
            if listed == Listed::UsesWithoutKills && op.is_use() && op.is_kill() {
                c.instr.set_kill(c.position, false);
            }
            let at = match c.place {
                ChainPlace::EndOfBlock(number) => slots.end(self.shape.block_numbered(number)),
                ChainPlace::Slot(number) => {
                    let entry = self.slots.entry_of(number).ok_or(Unsuited::Slots)?;
                    let slot = if op.is_early_clobber() { Slot::EarlyClobber } else { Slot::Register };
                    SlotIndex::new(entry, slot)
                }
            };
            if if listed == Listed::Defs { op.is_def() } else { op.reads() } {
                out.push(at);
            }
        }
        Ok(())
    }
}

impl LivenessHost for LlvmHost<'_, '_> {
    fn is_predicate(&mut self, reg: VRegId) -> bool {
        let (mf, reg) = (self.mf, Register::from(reg));
        let Some(id) = mf.class_id(reg) else { return false };
        if self.classes.len() <= id {
            self.classes.resize(id + 1, None);
        }
        *self.classes[id].get_or_insert_with(|| is_predicate_class(&mf.class_name(reg)))
    }

    fn def_order(&mut self, reg: VRegId, defs: &[u32], out: &mut Vec<DefId>) -> Result<(), Unsuited> {
        self.mf.def_chain(reg, &mut self.def_chain);
        out.clear();
        let handles = self.handles.ok_or(Unsuited::Slots)?;
        let instr = |position: usize| defs.get(position).map(|&entry| handles.instr_address(entry));
        // A chain mostly has the order of the layout, or the reverse.
        let (mut last, mut is_sorted) = (0, false);
        for &mi in &self.def_chain {
            let position = if instr(last) == Some(mi) {
                last
            } else if instr(last + 1) == Some(mi) {
                last + 1
            } else if last > 0 && instr(last - 1) == Some(mi) {
                last - 1
            } else {
                if !is_sorted {
                    let addresses = defs.iter().map(|&entry| handles.instr_address(entry));
                    self.by_address.clear();
                    self.by_address.extend(addresses.zip((0..).map(DefId::from_usize)));
                    self.by_address.sort_unstable();
                    is_sorted = true;
                }
                let found = self.by_address.binary_search_by_key(&mi, |d| d.0);
                self.by_address[found.map_err(|_| Unsuited::Slots)?].1.index()
            };
            last = position;
            out.push(DefId::from_usize(position));
        }
        // Several operands of one instruction are one def, numbered by the first.
        if out.len() > defs.len() {
            self.seen.reset(defs.len());
            out.retain(|def| self.seen.insert(def.index()));
        }
        (out.len() == defs.len()).then_some(()).ok_or(Unsuited::Slots)
    }

    fn use_order(
        &mut self,
        reg: VRegId,
        slots: &SlotIndexes,
        out: &mut Vec<SlotIndex>,
    ) -> Result<(), Unsuited> {
        out.clear();
        self.append_chain(reg.into(), slots, Listed::Uses, out)
    }

    fn dominators(&mut self, out: &mut Dominators) {
        self.analyses().read_dominators(self.mf, self.shape.num_blocks(), out);
    }
}
