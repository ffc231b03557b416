//! Declares the facts of a function that the algorithm works on: PHIs, their operands, and the
//! registers that they name.

use crate::cfg::Dominators;
use crate::liveness::slot_index::{SlotIndex, SlotIndexes};
use crate::mir::{BlockId, RegClassId, VRegId};
use index_vec::IndexVec;
use std::ops::Range;

index_vec::define_index_type! {
    /// A register that a PHI names and that may share another one.
    pub struct CandidateId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A PHI that may share registers.
    pub struct PhiId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// An operand of a PHI.
    pub struct SourceId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A value: live ranges with the same number have the same value.
    pub struct ValueNo = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// Deeper loops count as this deep.
pub const MAX_DEPTH: u32 = 16;

/// The condition under which intersecting live ranges interfere: `-usedessa`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// They interfere, unless one is a copy of the other: a copy of its operand, or a result of its
    /// PHI.
    Plain,
    /// The same, but ranges whose values are equal through a COPY within the class do not interfere
    /// either.
    Value,
}

/// The PHIs that take part: `-usedessa`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// PHIs of small webs in loops (see [`super::webs`]).
    WhereItPays,
    /// All PHIs.
    All,
}

/// The options of the stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The condition under which live ranges interfere.
    pub method: Method,
    /// The PHIs that take part.
    pub scope: Scope,
    /// How much to print on stderr: 0 is nothing, 1 the counts of each function, 2 the classes as
    /// well.
    pub verbosity: u8,
    /// Whether to print every function on stderr before it is changed.
    pub print_before: bool,
}

/// A part of a live range, half-open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NodeSegment {
    /// The first slot.
    pub start: SlotIndex,
    /// The first slot after it.
    pub end: SlotIndex,
}

/// The two-address pass's treatment of the register that an instruction defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TiedDef {
    /// The instruction has no tied operands.
    None,
    /// It has some: the register is written before the instruction's reads.
    WrittenEarly,
    /// The same, but no copy is needed if the register is shared with this one, which the
    /// instruction reads once.
    WrittenEarlyBut(VRegId),
}

/// A register that a PHI names and that may share another one.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The register.
    pub reg: VRegId,
    /// Its def; for a PHI, the start of the block.
    pub def: SlotIndex,
    /// Its live range, as a range of [`CssaFacts::segments`], ascending.
    pub segments: Range<usize>,
    /// Its value, a number below the number of candidates.
    pub value: ValueNo,
    /// The register that it is a COPY of, if any.
    pub copied: Option<VRegId>,
    /// Its register class. Only registers of one class can be one.
    pub class: RegClassId,
    /// The PHI that it is the result of, if any.
    pub phi: Option<PhiId>,
    /// The tied operands of the instruction that defines it.
    pub tied: TiedDef,
}

/// A PHI.
#[derive(Clone, Debug)]
pub struct Phi {
    /// Its position among all PHIs of the function.
    pub position: usize,
    /// Its block.
    pub block: BlockId,
    /// Its result. `None` if that cannot share a register.
    pub result: Option<CandidateId>,
    /// Its operands, one for each predecessor.
    pub sources: Range<SourceId>,
    /// The class of its registers.
    pub class: Option<RegClassId>,
}

impl Phi {
    /// Returns its operands.
    pub fn source_ids(&self) -> impl Iterator<Item = SourceId> {
        (self.sources.start.raw()..self.sources.end.raw()).map(SourceId::from_raw)
    }
}

/// An operand of a PHI.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The predecessor.
    pub pred: BlockId,
    /// The register that it reads. `None` if that is undefined or cannot share a register.
    pub candidate: Option<CandidateId>,
}

/// Counts what is left to the coalescer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// PHIs of webs that do not take part.
    pub phis: u64,
    /// Their copies: one for each result, and one for each operand and predecessor.
    pub copies: u64,
}

/// The facts of a function in SSA form that the algorithm uses.
#[derive(Default)]
pub struct CssaFacts {
    /// The PHIs that may share registers.
    pub phis: IndexVec<PhiId, Phi>,
    /// Their operands.
    pub sources: IndexVec<SourceId, Source>,
    /// The registers that they name.
    pub candidates: IndexVec<CandidateId, Candidate>,
    /// The live ranges of the registers.
    pub segments: Vec<NodeSegment>,
    /// By block: the slot for copies at its end, before the terminators. Set for predecessors of
    /// PHIs.
    pub copy_slots: IndexVec<BlockId, Option<SlotIndex>>,
    /// By block: its loop depth.
    pub depths: IndexVec<BlockId, u32>,
    /// The PHIs that do not share registers because of their webs.
    pub left_out: LeftOut,
}

impl CssaFacts {
    /// Empties the facts.
    pub fn clear(&mut self) {
        self.phis.clear();
        self.sources.clear();
        self.candidates.clear();
        self.segments.clear();
        self.copy_slots.clear();
        self.depths.clear();
        self.left_out = LeftOut::default();
    }
    /// Returns the cost of a copy in a block: each loop counts as eight iterations.
    pub fn weight(&self, block: BlockId) -> u64 {
        1 << (3 * self.depths[block].min(MAX_DEPTH))
    }
    /// Returns the slot for copies at the end of a predecessor of a PHI.
    pub fn copy_slot(&self, pred: BlockId) -> SlotIndex {
        self.copy_slots[pred].expect("it is a predecessor of a PHI")
    }
}

/// The graph and the slots of a function.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// Slots.
    pub slots: &'a SlotIndexes,
    /// The dominator tree, numbered.
    pub dominators: &'a Dominators,
}

impl Graph<'_> {
    /// Returns the block of a slot.
    pub fn block_of(&self, slot: SlotIndex) -> BlockId {
        self.slots.block_of(slot)
    }
    /// Returns the start of a block.
    pub fn start(&self, block: BlockId) -> SlotIndex {
        self.slots.start(block)
    }
    /// Returns the end of a block.
    pub fn end(&self, block: BlockId) -> SlotIndex {
        self.slots.end(block)
    }
    /// Returns whether a block dominates another one or itself.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.dominators.dominates(above, below)
    }
}
