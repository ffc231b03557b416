//! Keeps the copies that are still to be tried, and the reasons for failures.
//!
//! LLVM identifies the copies in its worklists by address, and another instruction may get the same
//! address. Here a copy is identified by its number, which a new instruction may get in the same
//! way ([`super::code`]). **Deviation:** a stamp tells that a copy was joined, where LLVM walks all
//! lists after every block.

use super::ranges::Ranges;
use crate::adt::PackedOption;
use crate::mir::{BlockId, InstrId, VRegId};
use index_vec::IndexVec;

/// The facts that decide the place of a block in the order.
#[derive(Clone, Copy, Debug)]
pub struct BlockPriority {
    /// The block.
    pub block: BlockId,
    /// How many loops it is in.
    pub depth: u32,
    /// Whether it is a split edge and `join-splitedges` is on.
    pub is_split_edge: bool,
    /// How many predecessors and successors it has.
    pub num_edges: u32,
    /// LLVM's number of the block.
    pub number: u32,
}

/// A copy in a worklist: its number, and the stamp of the number when the copy was listed.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// The copy.
    pub instr: InstrId,
    stamp: u32,
}

/// A failed join. It fails again as long as the ranges of the registers that it depended on have
/// not changed.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// See [`Ranges::now`].
    time: u32,
    /// Both registers, and those that values were followed to.
    regs: [VRegId; Failure::MAX_REGS],
    num_regs: u32,
}

index_vec::define_index_type! {
    /// The number of a failure.
    struct FailureId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

impl Failure {
    const MAX_REGS: usize = 6;

    /// Records the registers that a failure depended on; `None` if there were too many.
    pub fn new(dependencies: &Dependencies, ranges: &Ranges) -> Option<Failure> {
        let num_regs = dependencies.regs.len();
        let mut regs = [VRegId::new(0); Failure::MAX_REGS];
        regs.get_mut(..num_regs)?.copy_from_slice(&dependencies.regs);
        Some(Failure { time: ranges.now(), regs, num_regs: num_regs as u32 })
    }
    /// The registers that it depended on.
    pub fn regs(&self) -> &[VRegId] {
        &self.regs[..self.num_regs as usize]
    }
    /// Whether nothing that it depended on has changed.
    pub fn still_holds(&self, ranges: &Ranges) -> bool {
        self.regs().iter().all(|&reg| ranges.is_unchanged_since(reg, self.time))
    }
}

/// The facts that the outcome of an attempt depends on.
#[derive(Default)]
pub struct Dependencies {
    regs: Vec<VRegId>,
    has_others: bool,
}

impl Dependencies {
    /// Begins an attempt.
    pub fn begin(&mut self) {
        self.regs.clear();
        self.has_others = false;
    }
    /// Adds the range of a register, and the operands that name it.
    pub fn add(&mut self, reg: VRegId) {
        if !self.regs.contains(&reg) {
            self.regs.push(reg);
        }
    }
    /// Notes a dependency on something else that may change.
    pub fn add_others(&mut self) {
        self.has_others = true;
    }
    /// Whether it depends only on ranges of registers.
    pub fn are_known(&self) -> bool {
        !self.has_others
    }
}

/// The worklists.
#[derive(Default)]
pub struct Worklists {
    /// Copies that have failed, to be tried again after all blocks.
    pub(super) global: Vec<Item>,
    /// Copies of local registers, which wait until a loop depth is done.
    pub(super) local: Vec<Item>,
    /// The copies of the current block.
    pub(super) block: Vec<Item>,
    /// Sorted, the virtual registers that copies of the current block name, each with its copy.
    pub(super) copies_by_reg: Vec<(VRegId, InstrId)>,
    /// By instruction, its failure.
    failure_of: IndexVec<InstrId, PackedOption<FailureId>>,
    failures: IndexVec<FailureId, Failure>,
    /// By instruction: items with another stamp are void.
    stamps: IndexVec<InstrId, u32>,
    /// Whether an instruction is in LLVM's set of erased instructions.
    is_erased: IndexVec<InstrId, bool>,
    /// Whether a copy was joined in this round.
    is_joined: IndexVec<InstrId, bool>,
    joined: Vec<InstrId>,
}

impl Worklists {
    /// Empties them, for a function of this many instructions.
    pub fn reset(&mut self, num_instrs: usize) {
        self.global.clear();
        self.local.clear();
        self.stamps.clear();
        self.is_erased.clear();
        self.is_joined.clear();
        self.joined.clear();
        self.failure_of.clear();
        self.failures.clear();
        self.grow(num_instrs);
    }
    fn grow(&mut self, num_instrs: usize) {
        self.stamps.resize(num_instrs, 0);
        self.is_erased.resize(num_instrs, false);
        self.is_joined.resize(num_instrs, false);
    }
    /// Notes that `instr` is erased.
    pub fn note_erased(&mut self, instr: InstrId) {
        self.is_erased[instr] = true;
    }
    /// Notes that `copy` was joined: only this round can still meet it.
    pub fn note_joined(&mut self, copy: InstrId) {
        if std::mem::take(&mut self.is_erased[copy]) {
            self.is_joined[copy] = true;
            self.joined.push(copy);
        }
    }
    /// Notes a new copy, which may have the number of an erased one.
    pub fn note_copy(&mut self, instr: InstrId) {
        self.note_instr(instr);
        self.is_erased[instr] = false;
        if let Some(failure) = self.failure_of.get_mut(instr) {
            *failure = PackedOption::NONE;
        }
    }
    /// Notes a new instruction that is not a copy.
    pub fn note_instr(&mut self, instr: InstrId) {
        if instr >= self.stamps.len_idx() {
            self.grow(instr.index() + 1);
        }
    }
    /// Notes why `copy` could not be joined.
    pub fn note_failure(&mut self, copy: InstrId, failure: Failure) {
        if copy >= self.failure_of.len_idx() {
            self.failure_of.resize(self.stamps.len().max(copy.index() + 1), PackedOption::NONE);
        }
        match self.failure_of[copy].get() {
            Some(known) => self.failures[known] = failure,
            None => self.failure_of[copy] = self.failures.push(failure).into(),
        }
    }
    /// Whether `copy` has failed, and nothing that the failure depended on has changed since.
    pub fn fails_again(&self, copy: InstrId, ranges: &Ranges) -> bool {
        let known = self.failure_of.get(copy).and_then(|failure| failure.get());
        known.is_some_and(|failure| self.failures[failure].still_holds(ranges))
    }
    /// The item of a copy.
    pub fn item(&self, instr: InstrId) -> Item {
        Item { instr, stamp: self.stamps[instr] }
    }
    /// Whether the copy of an item was joined or erased.
    pub fn is_void(&self, item: Item) -> bool {
        let Item { instr, .. } = item;
        self.is_outdated(item) || self.is_erased[instr] || self.is_joined[instr]
    }
    /// Whether the copy of an item was joined in an earlier round.
    pub fn is_outdated(&self, item: Item) -> bool {
        self.stamps[item.instr] != item.stamp
    }
    /// Ends a round: items of copies that were joined are void from now on.
    pub fn end_round(&mut self) {
        for copy in self.joined.drain(..) {
            self.stamps[copy] += 1;
            self.is_joined[copy] = false;
        }
    }
}
