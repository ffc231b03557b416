//! Holds the state of one run of the pass, and the changes that keep its parts consistent.

use super::affinities::Affinities;
use super::code::{Code, Place};
use super::debug_values::DebugValues;
use super::extend::{Extender, FunctionAround};
use super::host::{CoalescerHost, Edit};
use super::join_vals::JoinVals;
use super::late_updates::LateUpdates;
use super::live_range::LiveRange;
use super::options::{Counts, Options};
use super::ranges::Ranges;
use super::shrinker::Shrinker;
use super::slots::Slots;
use super::worklists::{Dependencies, Failure, Worklists};
use crate::adt::{IntEqClasses, PackedOption, Rows};
use crate::cfg::{Cfg, Dominators};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, BlockNumber, InstrId, Operand, RegClassId, Register, VRegId, ValueNo};
use index_vec::{IndexSlice, IndexVec};
use rustc_hash::FxHashMap;

/// Working storage, kept from function to function.
#[derive(Default)]
pub struct Buffers {
    pub(super) worklists: Worklists,
    pub(super) affinities: Affinities,
    pub(super) dependencies: Dependencies,
    pub(super) join: JoinVals,
    pub(super) extender: Extender,
    pub(super) shrinker: Shrinker,
    pub(super) range: LiveRange,
    pub(super) ends: Vec<SlotIndex>,
    /// An IMPLICIT_DEF of the function was replaced and erased.
    pub(super) has_erased_implicit_def: bool,
    pub(super) places: Vec<Place>,
    pub(super) operands: Vec<Operand>,
    /// Instructions whose defs are all dead.
    pub(super) dead_instrs: Vec<InstrId>,
    /// Registers that a dead instruction read.
    pub(super) to_shrink: Vec<VRegId>,
    /// Registers that an erased copy read.
    pub(super) read_by_erased: Vec<VRegId>,
    /// Registers whose class may grow when the copies are gone.
    pub(super) to_inflate: Vec<VRegId>,
    pub(super) late_updates: LateUpdates,
    /// By register with a large interval, the number of attempts to join it.
    pub(super) large_interval_visits: IndexVec<VRegId, u32>,
    /// Pairs of registers, one with many values, that could not be joined.
    pub(super) failed_pairs: FxHashMap<(VRegId, VRegId), Failure>,
    /// By register, its class, once it was queried.
    pub(super) classes: IndexVec<VRegId, PackedOption<RegClassId>>,
    pub(super) debug_values: DebugValues,
    /// By instruction, whether it is known to move a constant to its register.
    pub(super) constants: IndexVec<InstrId, bool>,
    /// Classes of values, and by value the part of the range that it is in.
    pub(super) value_classes: IntEqClasses,
    pub(super) parts: IndexVec<ValueNo, u32>,
}

impl Buffers {
    /// Makes room for a function.
    pub(super) fn reset(&mut self, num_regs: usize, num_instrs: usize, num_blocks: usize) {
        self.worklists.reset(num_instrs);
        self.extender.reset(num_blocks);
        self.shrinker.reset(num_blocks);
        self.has_erased_implicit_def = false;
        self.dead_instrs.clear();
        self.to_inflate.clear();
        self.late_updates.reset();
        self.large_interval_visits.clear();
        self.failed_pairs.clear();
        self.classes.clear();
        self.classes.resize(num_regs, PackedOption::NONE);
        self.constants.clear();
    }
}

/// The control-flow graph of the function, which does not change.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// Orders, and predecessors.
    pub cfg: &'a Cfg,
    /// Successors, in LLVM's order.
    pub succs: &'a Rows<BlockId, BlockId>,
    /// LLVM's numbers of the blocks.
    pub numbers: &'a IndexSlice<BlockId, [BlockNumber]>,
    /// The dominator tree, numbered.
    pub dominators: &'a Dominators,
}

impl<'a> Graph<'a> {
    /// The predecessors of a block.
    pub fn preds(self, block: BlockId) -> &'a [BlockId] {
        self.cfg.preds.row(block)
    }
    /// The successors of a block.
    pub fn succs(self, block: BlockId) -> &'a [BlockId] {
        self.succs.row(block)
    }
    /// The graph with these slots, for extending or cutting ranges.
    pub fn with_slots<'s>(self, slots: &'s Slots) -> FunctionAround<'s>
    where
        'a: 's,
    {
        FunctionAround { slots, cfg: self.cfg, dominators: self.dominators, numbers: self.numbers }
    }
}

/// Everything about one function.
pub struct Function<'a> {
    /// Instructions.
    pub code: &'a mut Code,
    /// Their slots.
    pub slots: &'a mut Slots,
    /// Live ranges.
    pub ranges: &'a mut Ranges,
    /// Blocks and edges.
    pub graph: Graph<'a>,
}

/// The pass on one function.
pub struct Coalescing<'a, H: CoalescerHost> {
    pub(crate) code: &'a mut Code,
    pub(crate) slots: &'a mut Slots,
    pub(crate) ranges: &'a mut Ranges,
    pub(crate) graph: Graph<'a>,
    pub(crate) host: &'a mut H,
    pub(super) options: Options,
    pub(super) buffers: &'a mut Buffers,
    pub(super) counts: Counts,
}

impl<'a, H: CoalescerHost> Coalescing<'a, H> {
    /// Begins with a function.
    pub fn new(f: Function<'a>, options: Options, host: &'a mut H, buffers: &'a mut Buffers) -> Self {
        buffers.reset(f.code.num_regs(), f.code.num_instrs(), f.slots.num_blocks());
        buffers.debug_values.read(f.code);
        Coalescing::again(f, options, host, buffers)
    }
    /// Continues with the last function, which these buffers belong to.
    pub fn again(f: Function<'a>, options: Options, host: &'a mut H, buffers: &'a mut Buffers) -> Self {
        let Function { code, slots, ranges, graph } = f;
        Coalescing { code, slots, ranges, graph, host, options, buffers, counts: Counts::default() }
    }

    /// The class of a register.
    pub(crate) fn class(&mut self, reg: VRegId) -> RegClassId {
        let known = &mut self.buffers.classes[reg];
        known.get().unwrap_or_else(|| {
            let class = self.host.class_of(reg);
            *known = class.into();
            class
        })
    }
    /// Gives a register another class.
    pub(crate) fn set_class(&mut self, reg: VRegId, class: RegClassId) {
        self.buffers.classes[reg] = class.into();
        self.host.edit(Edit::SetClass(reg, class));
    }
    /// Notes that the host has changed the class of a register: it is queried again.
    pub(super) fn forget_class(&mut self, reg: VRegId) {
        self.buffers.classes[reg] = PackedOption::NONE;
    }
    /// The copy at an entry, if there is one.
    pub(crate) fn copy_at(&self, at: SlotIndex) -> Option<InstrId> {
        self.slots.instr_at(at).filter(|&instr| self.code.is_copy(instr))
    }
    /// Notes that `instr` is now a copy.
    pub(crate) fn note_copy(&mut self, instr: InstrId) {
        self.buffers.worklists.note_copy(instr);
    }
    /// Notes that `instr` moves a constant to `reg` and does nothing else. From now on a join
    /// treats two such moves of equal constants as one value.
    pub(crate) fn note_constant(&mut self, instr: InstrId, reg: VRegId) {
        let constants = &mut self.buffers.constants;
        if instr >= constants.len_idx() {
            constants.resize(self.code.num_instrs().max(instr.index() + 1), false);
        }
        constants[instr] = true;
        self.ranges.touch(reg);
    }
    /// Whether `instr` was noted as a move of a constant.
    pub(crate) fn is_constant(&self, instr: InstrId) -> bool {
        self.buffers.constants.get(instr).copied().unwrap_or(false)
    }
    /// Erases an instruction, which may be in a worklist (`deleteInstr`).
    pub(crate) fn erase(&mut self, instr: InstrId) {
        self.buffers.worklists.note_erased(instr);
        self.host.edit(Edit::Erase(instr));
        if let Some(is_constant) = self.buffers.constants.get_mut(instr) {
            *is_constant = false;
        }
        self.code.erase(instr, self.slots);
    }
    /// Removes the operands that `is_removed` picks from an instruction of the owner's function,
    /// whose kind is about to change.
    pub(super) fn remove_operands(&mut self, instr: InstrId, is_removed: impl Fn(Operand) -> bool) {
        for index in (0..self.code.num_operands(instr)).rev() {
            let place = Place { instr, index };
            if is_removed(self.code.operand(place)) {
                self.host.edit(Edit::RemoveOperand(place));
            }
        }
    }
    /// Makes a register of the class of `of`, with an empty range.
    pub(crate) fn clone_reg(&mut self, of: VRegId) -> VRegId {
        let new = self.code.new_reg();
        self.ranges.push();
        let class = self.class(of);
        self.buffers.classes.push(class.into());
        self.host.edit(Edit::CloneReg { of, new });
        new
    }
    /// Whether `reg` has no range, and no instruction names it, not even a debug instruction.
    pub(crate) fn is_spare(&mut self, reg: VRegId) -> bool {
        !self.ranges.has(reg) && self.code.is_unnamed(reg) && self.code.debug.is_unnamed(reg)
    }
    /// Moves operands of `from` to other registers: `moves`, in the order of [`Code::places`].
    pub(crate) fn move_operands(&mut self, from: VRegId, moves: &[(Place, VRegId)]) {
        for &(place, to) in moves {
            self.host.edit(Edit::Mark(place, to));
        }
        self.host.edit(Edit::MoveMarked(from));
        self.code.distribute(from, moves);
    }
    /// Sets or clears the dead flag where `instr` defines `reg` (`addRegisterDead`,
    /// `clearRegisterDeads`).
    pub(crate) fn set_dead(&mut self, instr: InstrId, reg: VRegId, is_dead: bool) {
        for index in 0..self.code.num_operands(instr) {
            let place = Place { instr, index };
            let op = self.code.operand(place);
            if op.is_def()
                && op.reg() == Register::from(reg)
                && self.code.set_flag(place, Operand::DEAD_OR_KILL_SHIFT, is_dead)
            {
                self.host.edit(Edit::SetDead(place, is_dead));
            }
        }
    }
    /// Flags a use as undefined.
    pub(super) fn set_undef(&mut self, place: Place) {
        if self.code.set_flag(place, Operand::UNDEF_SHIFT, true) {
            self.host.edit(Edit::SetUndef(place, true));
        }
    }
    /// Flags the uses of `reg` as undefined in the instructions that `reads_nothing` picks.
    pub(super) fn set_uses_undef(&mut self, reg: VRegId, reads_nothing: impl Fn(&Self, InstrId) -> bool) {
        let mut places = std::mem::take(&mut self.buffers.places);
        self.code.places(reg, &mut places);
        for &place in &places {
            if self.code.operand(place).is_use() && reads_nothing(self, place.instr) {
                self.set_undef(place);
            }
        }
        self.buffers.places = places;
    }
    /// Changes the range of `reg`.
    pub(super) fn edit_range<T>(&mut self, reg: VRegId, f: impl FnOnce(&mut LiveRange) -> T) -> T {
        self.ranges.edit(reg, &mut self.buffers.range, f)
    }
    /// Whether the range of `reg` is inside one block (`intervalIsInOneMBB`).
    pub(crate) fn is_in_one_block(&self, reg: VRegId) -> bool {
        let range = self.ranges.get(reg);
        let (Some(first), Some(last)) = (range.segments.first(), range.segments.last()) else { return false };
        !first.start.is_block()
            && !last.end.is_block()
            && self.slots.block_of(first.start) == self.slots.block_of(last.end)
    }
    /// Whether exactly one operand, debug instructions aside, reads `reg` (`hasOneNonDBGUse`).
    pub(super) fn has_one_use(&self, reg: VRegId) -> bool {
        let mut uses = 0;
        self.code.all_places(reg, |_, op| {
            uses += u32::from(op.is_use());
            uses < 2
        });
        uses == 1
    }
}
