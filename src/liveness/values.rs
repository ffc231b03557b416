//! Phase 6: which value of a register is live in, where it has several.
//!
//! **Problem.** Behind PHI elimination and two-address a register has several defs. A block may be reached by
//! more than one; then a PHI-def is made, a value that begins with the block. Which blocks get one, and the
//! numbers of the values, must be LLVM's to the last digit: the coalescer visits values by number.
//!
//! **Algorithm.** LLVM's search ([`super::live_range_calc`]), on arrays by block.
//!
//! LLVM makes the search for every use, in the order of the register's chain. Which blocks get a PHI-def does
//! not depend on that order as long as all blocks are reachable, only the PHI-defs' numbers do (tested on
//! random graphs). So the search is made for the upward-exposed stretches that phase 4 has found, one for each
//! block, and LLVM's order is asked for only when there are two PHI-defs or more, or a block that is not
//! reachable. The numbers of all other values follow from the chain's defs alone.
//!
//! **Source.** live-range-calc.txt, phase 6; `LiveRangeCalc`. **Deviations:** as said; and segments are not kept
//! sorted while the search runs, but built once at the end.
//!
//! **Complexity.** That of the search.

use super::block_facts::Piece;
use super::live_range_calc::{self, Extendable, Layout, LiveRangeCalc};
use super::ranges::{LiveRanges, Segment};
use super::slot_index::{SlotIndex, SlotIndexes};
use super::Unsuited;
use crate::cfg::graph::NONE;

/// The defs and uses of a register unit.
#[derive(Default, Debug)]
pub struct Occurrences {
    /// Slots of the defs, in the order in which their values are numbered; one of the same instruction is the
    /// same value.
    pub defs: Vec<SlotIndex>,
    /// Slots of the uses, in the order of the chain.
    pub uses: Vec<SlotIndex>,
}

/// What is known of a block; of this register if the stamp is right.
#[derive(Clone, Copy, Default)]
struct BlockState {
    stamp: u32,
    /// The block's defs: position of the first in `defs`, and how many.
    first_def: u32,
    num_defs: u32,
    /// The value that is live in, and how far.
    live_in: u32,
    live_in_end: SlotIndex,
    /// The value at the end has been asked for; it is `out`, unknown as yet if [`NONE`].
    seen: bool,
    out: u32,
}

#[derive(Clone, Copy)]
struct Def {
    start: SlotIndex,
    end: SlotIndex,
    value: u32,
}

/// The range of a register, in the making.
#[derive(Default)]
struct Growing {
    stamp: u32,
    blocks: Vec<BlockState>,
    defs: Vec<Def>,
    /// By value, where it begins.
    values: Vec<SlotIndex>,
    with_live_in: Vec<u32>,
}

/// Working storage, kept from register to register.
#[derive(Default)]
pub struct Resolver {
    range: Growing,
    calc: LiveRangeCalc,
    order: Vec<(SlotIndex, u32)>,
}

/// The function around the register.
pub type Around<'a> = live_range_calc::Around<'a, SlotIndexes>;

impl Layout for SlotIndexes {
    fn start(&self, block: u32) -> SlotIndex {
        self.start(block as usize)
    }
    fn end(&self, block: u32) -> SlotIndex {
        self.end(block as usize)
    }
    fn block_of(&self, at: SlotIndex) -> u32 {
        self.block_of(at) as u32
    }
}

impl Growing {
    fn begin(&mut self) {
        self.stamp += 1;
        self.with_live_in.clear();
        self.defs.clear();
        self.values.clear();
    }

    fn state(&mut self, block: u32) -> &mut BlockState {
        let s = &mut self.blocks[block as usize];
        if s.stamp != self.stamp {
            *s = BlockState { stamp: self.stamp, live_in: NONE, out: NONE, ..BlockState::default() };
        }
        s
    }

    /// The def at this position in `defs`, the last as yet, is in `block`.
    fn note_def(&mut self, block: u32, position: u32) {
        let s = self.state(block);
        if s.num_defs == 0 {
            s.first_def = position;
        }
        s.num_defs += 1;
    }

    /// The def at `position` makes the next value.
    fn number_def(&mut self, position: u32) {
        let def = &mut self.defs[position as usize];
        def.value = self.values.len() as u32;
        self.values.push(def.start);
    }
}

impl Extendable for Growing {
    fn out(&self, block: u32) -> Option<u32> {
        let s = &self.blocks[block as usize];
        (s.stamp == self.stamp && s.seen).then_some(s.out)
    }
    fn set_out(&mut self, block: u32, value: u32) {
        let s = self.state(block);
        s.seen = true;
        s.out = value;
    }
    fn extend_in_block(&mut self, block: u32, _: SlotIndex, at: SlotIndex) -> u32 {
        let s = *self.state(block);
        let first = s.first_def as usize;
        let defs = &mut self.defs[first..first + s.num_defs as usize];
        let before = defs.partition_point(|d| d.start < at);
        if let Some(def) = defs[..before].last_mut() {
            def.end = def.end.max(at);
            return def.value;
        }
        if s.live_in != NONE {
            let end = &mut self.blocks[block as usize].live_in_end;
            *end = (*end).max(at);
        }
        s.live_in
    }
    fn set_live_in(&mut self, block: u32, _: SlotIndex, end: SlotIndex, value: u32) {
        let s = self.state(block);
        let new = s.live_in == NONE;
        s.live_in = value;
        s.live_in_end = s.live_in_end.max(end);
        if new {
            self.with_live_in.push(block);
        }
    }
    fn new_phi_def(&mut self, start: SlotIndex) -> u32 {
        self.values.push(start);
        self.values.len() as u32 - 1
    }
    fn def_of(&self, value: u32) -> SlotIndex {
        self.values[value as usize]
    }
}

impl Resolver {
    /// Makes room for a function.
    pub fn reset(&mut self, num_blocks: usize) {
        self.range.stamp = 0;
        self.range.blocks.clear();
        self.range.blocks.resize(num_blocks, BlockState::default());
    }

    /// Begins with a register whose defs are `pieces`, in layout order; `order[v]` is the position of value
    /// number `v` there.
    pub fn begin_pieces<'a>(&mut self, pieces: impl Iterator<Item = &'a Piece>, order: &[u32]) {
        let range = &mut self.range;
        range.begin();
        for piece in pieces {
            range.note_def(piece.block, range.defs.len() as u32);
            range.defs.push(Def { start: piece.start, end: piece.end, value: 0 });
        }
        for &position in order {
            range.number_def(position);
        }
    }

    /// Begins with defs in the order of their values.
    pub fn begin_defs(&mut self, around: Around, defs: &[SlotIndex]) {
        self.range.begin();
        self.number_defs(around, defs);
    }

    /// How many values are PHI-defs made here.
    pub fn num_phi_defs(&self) -> usize {
        self.range.values.len() - self.range.defs.len()
    }

    fn number_defs(&mut self, around: Around, defs: &[SlotIndex]) {
        self.order.clear();
        self.order.extend(defs.iter().enumerate().map(|(i, &d)| (d, i as u32)));
        self.order.sort_unstable();
        // Defs by one instruction are one: at the earliest slot, numbered where the first of them was.
        self.order.dedup_by(|later, kept| {
            let same = later.0.same_instr(kept.0);
            if same {
                kept.1 = kept.1.min(later.1);
            }
            same
        });
        let range = &mut self.range;
        range.defs.extend(self.order.iter().map(|&(d, _)| Def { start: d, end: d.dead(), value: 0 }));
        for (position, o) in self.order.iter_mut().enumerate() {
            *o = (SlotIndex(position as u32), o.1);
        }
        self.order.sort_unstable_by_key(|o| o.1);
        for &(position, _) in &self.order {
            range.number_def(position.0);
        }
        for i in 0..range.defs.len() {
            range.note_def(around.slots.block_of(range.defs[i].start) as u32, i as u32);
        }
    }

    /// Extends the register's range to a use at `at`.
    ///
    /// # Errors
    /// When no def reaches it.
    pub fn extend(&mut self, around: Around, at: SlotIndex) -> Result<(), Unsuited> {
        match self.calc.extend(around, &mut self.range, at) {
            true => Ok(()),
            false => Err(Unsuited::UseWithoutDef),
        }
    }

    /// Appends the values and where they live to `out` as the range of `owner`.
    pub fn emit(&mut self, around: Around, owner: u32, out: &mut LiveRanges) {
        let range = &self.range;
        out.begin(owner);
        out.values.extend_from_slice(&range.values);
        if range.with_live_in.is_empty() {
            for d in &range.defs {
                out.push_segment(Segment { start: d.start, end: d.end, value: d.value });
            }
            out.end();
            return;
        }
        self.order.clear();
        self.order.extend(range.defs.iter().enumerate().map(|(i, d)| (d.start, i as u32)));
        let defs = range.defs.len() as u32;
        for &block in &range.with_live_in {
            self.order.push((around.slots.start(block as usize), defs + block));
        }
        // A def in a block slot comes after what is live in there; there is never both.
        self.order.sort_unstable();
        for &(start, which) in &self.order {
            let (end, value) = if which < defs {
                let d = &range.defs[which as usize];
                (d.end, d.value)
            } else {
                let s = &range.blocks[(which - defs) as usize];
                (s.live_in_end, s.live_in)
            };
            out.push_segment(Segment { start, end, value });
        }
        out.end();
    }
}
