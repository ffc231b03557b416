//! Finds the value of a register that is live into each block, where the register has several
//! (phase 6).
//!
//! **Problem.** After PHI elimination and the two-address pass, a register may have several defs.
//! Where more than one reaches a block, the block gets a PHI-def: a value that begins with it. The
//! blocks with PHI-defs and the numbers of all values must be exactly those of LLVM, as the
//! coalescer visits values by number.
//!
//! **Algorithm.** LLVM's search ([`super::live_range_calc`]), with arrays by block.
//!
//! LLVM searches from every use, in the order of the register's use-def chain. As long as all
//! blocks are reachable, that order decides the numbers of PHI-defs, but not which blocks get one
//! (tested on random graphs). So the search starts from the upward-exposed pieces that phase 4 has
//! found, one for each block. It is repeated in LLVM's order only if there are two PHI-defs or
//! more, or an unreachable block. The order of defs in the chain decides the numbers of all other
//! values.
//!
//! **Source.** The reference description of the live-range calculation, phase 6; `LiveRangeCalc`.
//! **Deviations:** the order of searches, as said above. And segments are not kept sorted during
//! the search, but built once at the end.
//!
//! **Complexity.** That of the search.

use super::live_range_calc::{self, Extendable, Layout, LiveOut, LiveRangeCalc};
use super::slot_index::{SlotIndex, SlotIndexes};
use super::unsuited::Unsuited;
use crate::adt::PackedOption;
use crate::mir::{BlockId, LiveRanges, Piece, Segment, ValueNo};
use index_vec::{Idx, IndexVec};

index_vec::define_index_type! {
    /// The position of a def among those of a register, in layout order.
    pub struct DefId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// The defs and uses of a register unit.
#[derive(Default, Debug)]
pub struct Occurrences {
    /// Slots of the defs, in the order of the numbers of their values. Several defs of one
    /// instruction have one value.
    pub defs: Vec<SlotIndex>,
    /// Slots of the uses, in the order of the chain.
    pub uses: Vec<SlotIndex>,
}

/// The facts of a block. They belong to the current register if the stamp is the current one.
#[derive(Clone, Copy)]
struct BlockState {
    stamp: u32,
    /// The block's defs: the first one, and how many.
    first_def: DefId,
    num_defs: u32,
    /// The value that is live in, and the slot that it is live to.
    live_in: PackedOption<ValueNo>,
    live_in_end: SlotIndex,
    /// Whether the value at the end is known. It is `out`.
    is_out_known: bool,
    out: PackedOption<ValueNo>,
}

#[derive(Clone, Copy)]
struct Def {
    start: SlotIndex,
    end: SlotIndex,
    value: ValueNo,
}

/// The range of a register while it grows.
#[derive(Default)]
struct Growing {
    stamp: u32,
    blocks: IndexVec<BlockId, BlockState>,
    defs: IndexVec<DefId, Def>,
    /// By value: where it begins.
    values: IndexVec<ValueNo, SlotIndex>,
    with_live_in: Vec<BlockId>,
}

/// A def of a register unit, the number that it was given with, and its place among the defs.
struct NumberedDef {
    at: SlotIndex,
    number: u32,
    def: DefId,
}

/// Working storage, kept from register to register.
#[derive(Default)]
pub struct Resolver {
    range: Growing,
    calc: LiveRangeCalc,
    numbered_defs: Vec<NumberedDef>,
    segments: Vec<Segment>,
}

/// The function around the register.
pub type Around<'a> = live_range_calc::Around<'a, SlotIndexes>;

impl Layout for SlotIndexes {
    fn start(&self, block: BlockId) -> SlotIndex {
        self.start(block)
    }
    fn end(&self, block: BlockId) -> SlotIndex {
        self.end(block)
    }
    fn block_of(&self, at: SlotIndex) -> BlockId {
        self.block_of(at)
    }
}

impl BlockState {
    /// Makes the state of a block about which nothing is known.
    fn new(stamp: u32) -> BlockState {
        BlockState {
            stamp,
            first_def: DefId::from_raw(0),
            num_defs: 0,
            live_in: PackedOption::NONE,
            live_in_end: SlotIndex(0),
            is_out_known: false,
            out: PackedOption::NONE,
        }
    }
}

impl Growing {
    fn begin(&mut self) {
        self.stamp += 1;
        self.with_live_in.clear();
        self.defs.clear();
        self.values.clear();
    }

    fn state(&mut self, block: BlockId) -> &mut BlockState {
        let s = &mut self.blocks[block];
        if s.stamp != self.stamp {
            *s = BlockState::new(self.stamp);
        }
        s
    }

    /// Appends a def in `block`; defs come in layout order.
    fn push_def(&mut self, block: BlockId, start: SlotIndex, end: SlotIndex) {
        let def = self.defs.push(Def { start, end, value: ValueNo::from_raw(0) });
        let s = self.state(block);
        if s.num_defs == 0 {
            s.first_def = def;
        }
        s.num_defs += 1;
    }

    /// Makes the next value from a def.
    fn number_def(&mut self, def: DefId) {
        let def = &mut self.defs[def];
        def.value = self.values.push(def.start);
    }
}

impl Extendable for Growing {
    fn live_out(&self, block: BlockId) -> LiveOut {
        let s = &self.blocks[block];
        if s.stamp == self.stamp && s.is_out_known {
            s.out.into()
        } else {
            LiveOut::Unknown
        }
    }
    fn set_live_out(&mut self, block: BlockId, value: Option<ValueNo>) {
        let s = self.state(block);
        s.is_out_known = true;
        s.out = value.into();
    }
    fn extend_in_block(&mut self, block: BlockId, _: SlotIndex, at: SlotIndex) -> Option<ValueNo> {
        let s = *self.state(block);
        let first = s.first_def.index();
        let defs = &mut self.defs.raw[first..first + s.num_defs as usize];
        let before = defs.partition_point(|d| d.start < at);
        if let Some(def) = defs[..before].last_mut() {
            def.end = def.end.max(at);
            return Some(def.value);
        }
        if s.live_in.is_some() {
            let end = &mut self.blocks[block].live_in_end;
            *end = (*end).max(at);
        }
        s.live_in.get()
    }
    fn set_live_in(&mut self, block: BlockId, _: SlotIndex, end: SlotIndex, value: ValueNo) {
        let s = self.state(block);
        let is_new = s.live_in.is_none();
        s.live_in = value.into();
        s.live_in_end = s.live_in_end.max(end);
        if is_new {
            self.with_live_in.push(block);
        }
    }
    fn new_phi_def(&mut self, start: SlotIndex) -> ValueNo {
        self.values.push(start)
    }
    fn def_of(&self, value: ValueNo) -> SlotIndex {
        self.values[value]
    }
}

impl Resolver {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.range.stamp = 0;
        self.range.blocks.clear();
        self.range.blocks.resize(num_blocks, BlockState::new(0));
    }

    /// Begins a register whose defs are `pieces`, in layout order. `order[v]` is the def of value
    /// number `v`.
    pub fn begin_pieces<'a>(&mut self, pieces: impl Iterator<Item = &'a Piece>, order: &[DefId]) {
        let range = &mut self.range;
        range.begin();
        for piece in pieces {
            range.push_def(piece.block(), piece.start, piece.end);
        }
        for &def in order {
            range.number_def(def);
        }
    }

    /// Begins a register unit with these defs, in the order of the numbers of their values.
    pub fn begin_defs(&mut self, around: Around, defs: &[SlotIndex]) {
        let Resolver { range, numbered_defs: order, .. } = self;
        range.begin();
        order.clear();
        order.extend(defs.iter().zip(0..).map(|(&at, number)| NumberedDef {
            at,
            number,
            def: DefId::from_raw(0),
        }));
        order.sort_unstable_by_key(|d| (d.at, d.number));
        // Defs by one instruction are one: at the earliest slot, with the lowest number.
        order.dedup_by(|later, kept| {
            let is_same = later.at.same_instr(kept.at);
            if is_same {
                kept.number = kept.number.min(later.number);
            }
            is_same
        });
        for d in order.iter_mut() {
            d.def = range.defs.next_idx();
            range.push_def(around.slots.block_of(d.at), d.at, d.at.dead());
        }
        order.sort_unstable_by_key(|d| d.number);
        for d in order.iter() {
            range.number_def(d.def);
        }
    }

    /// Returns how many PHI-defs were made.
    pub fn num_phi_defs(&self) -> usize {
        self.range.values.len() - self.range.defs.len()
    }

    /// Extends the register's range to a use at `at`.
    ///
    /// # Errors
    /// When no def reaches the use.
    pub fn extend(&mut self, around: Around, at: SlotIndex) -> Result<(), Unsuited> {
        match self.calc.extend(around, &mut self.range, at) {
            true => Ok(()),
            false => Err(Unsuited::UseWithoutDef),
        }
    }

    /// Appends the values and segments to `out` as the range of `owner`.
    pub fn emit<Owner: Idx>(&mut self, around: Around, owner: Owner, out: &mut LiveRanges<Owner>) {
        let Resolver { range, segments, .. } = self;
        out.begin(owner);
        out.values.extend_from_slice(range.values.as_raw_slice());
        let of_defs = range.defs.iter().map(|d| Segment { start: d.start, end: d.end, value: d.value });
        if range.with_live_in.is_empty() {
            of_defs.for_each(|segment| out.push_segment(segment));
        } else {
            segments.clear();
            segments.extend(of_defs);
            segments.extend(range.with_live_in.iter().filter_map(|&block| {
                let (s, start) = (&range.blocks[block], around.slots.start(block));
                s.live_in.get().map(|value| Segment { start, end: s.live_in_end, value })
            }));
            // No two segments start at the same slot.
            segments.sort_unstable_by_key(|s| s.start);
            segments.iter().for_each(|&segment| out.push_segment(segment));
        }
        out.end();
    }
}
