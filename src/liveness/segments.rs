//! Turns the solution for a group of registers into segments (phase 7).
//!
//! **Algorithm.** Go through the blocks in layout order. A register that is live out of a block has
//! an open segment, which continues if the register is live into the next block. A block that does
//! not change the open segments of 64 registers costs a few operations on words. In the end,
//! distribute the closed segments to their registers, in order.

use super::block_facts::{BlockFacts, PieceRef};
use super::propagate::{LiveSets, CLASSES, WORD};
use super::slot_index::{SlotIndex, SlotIndexes};
use crate::adt::bits;
use crate::mir::{BlockId, LiveRange, LiveRanges, Segment, VRegId, ValueNo};

/// The most registers that a group has.
pub const GROUP_REGS: usize = CLASSES * WORD;

/// Returns the first piece of each register of a group.
pub fn first_pieces(facts: &BlockFacts, sets: &LiveSets, group: usize) -> [PieceRef; GROUP_REGS] {
    let mut first = [PieceRef::End; GROUP_REGS];
    for class in 0..CLASSES {
        for (bit, &reg) in sets.group(class, group).iter().enumerate() {
            first[class * WORD + bit] = facts.first(reg);
        }
    }
    first
}

/// A segment that has ended. `reg` is the position of its register in the group.
struct Closed {
    reg: u8,
    start: SlotIndex,
    end: SlotIndex,
}

/// Builds the segments of one group after the other.
pub struct SegmentBuilder {
    /// By register of the group: the start of its open segment.
    start: [SlotIndex; GROUP_REGS],
    /// By register of the group: how many segments it has.
    count: [u32; GROUP_REGS],
    closed: Vec<Closed>,
}

impl Default for SegmentBuilder {
    fn default() -> Self {
        let (start, count) = ([SlotIndex(0); GROUP_REGS], [0; GROUP_REGS]);
        SegmentBuilder { start, count, closed: Vec::new() }
    }
}

impl SegmentBuilder {
    /// Appends the ranges of a solved group to `out`.
    pub fn build(
        &mut self,
        group: usize,
        facts: &BlockFacts,
        sets: &mut LiveSets,
        slots: &SlotIndexes,
        out: &mut LiveRanges,
    ) {
        let mut piece = first_pieces(facts, sets, group);
        self.closed.clear();
        self.count.fill(0);
        let (mut open, mut next_block) = ([0; CLASSES], BlockId::from_raw(0));
        sets.drain(group, |regs, block, sets| {
            for class in 0..CLASSES {
                let goes_on = if block == next_block { open[class] & sets.live_in[class] } else { 0 };
                for bit in bits(open[class] & !goes_on) {
                    self.close(class * WORD + bit, slots.start(next_block));
                }
                let pieces = sets.pieces(class);
                for bit in bits(sets.live_in[class] & !goes_on & !pieces) {
                    self.start[class * WORD + bit] = slots.start(block);
                }
                for bit in bits(pieces) {
                    let i = class * WORD + bit;
                    let has = |set: u64| set >> bit & 1 != 0;
                    let reg = PiecesInBlock {
                        facts,
                        reg: regs[class][bit],
                        block,
                        is_joined: has(goes_on),
                        is_live_out: has(sets.live_out[class]),
                    };
                    piece[i] = self.add_pieces(i, reg, piece[i]);
                }
                open[class] = sets.live_out[class];
            }
            next_block = block + 1;
        });
        for (class, &open) in open.iter().enumerate() {
            for bit in bits(open) {
                self.close(class * WORD + bit, slots.start(next_block));
            }
        }
        self.distribute(group, facts, sets, out);
    }

    fn close(&mut self, reg: usize, end: SlotIndex) {
        self.count[reg] += 1;
        self.closed.push(Closed { reg: reg as u8, start: self.start[reg], end });
    }

    /// Adds the pieces that register `i` of the group has in a block, from `at` on. Returns the
    /// place after them.
    fn add_pieces(&mut self, i: usize, pieces: PiecesInBlock, mut at: PieceRef) -> PieceRef {
        let PiecesInBlock { facts, reg, block, mut is_joined, is_live_out } = pieces;
        while let Some((p, next)) = facts.piece(reg, at).filter(|p| p.0.is_in(block)) {
            at = next;
            if !is_joined {
                self.start[i] = p.start;
            }
            let next = facts.piece(reg, next).filter(|n| n.0.is_in(block));
            is_joined = next.is_some_and(|n| n.0.start == p.end);
            let lives_on = next.is_none() && is_live_out;
            if !is_joined && !lives_on {
                self.close(i, p.end);
            }
        }
        at
    }

    /// Distributes the closed segments to their registers. The segments of a register stay in
    /// order.
    fn distribute(&self, group: usize, facts: &BlockFacts, sets: &LiveSets, out: &mut LiveRanges) {
        let mut next = [0; GROUP_REGS];
        let mut at = out.segments.len() as u32;
        for class in 0..CLASSES {
            for (bit, &reg) in sets.group(class, group).iter().enumerate() {
                let i = class * WORD + bit;
                next[i] = at;
                let first_value = out.values.len() as u32;
                let def = facts.defs(reg).next().expect("phase 5 is for registers with a def");
                out.values.push(def.start);
                out.ranges.push(LiveRange {
                    owner: reg.raw(),
                    first_value,
                    num_values: 1,
                    first_segment: at,
                    num_segments: self.count[i],
                });
                at += self.count[i];
            }
        }
        let nothing = Segment { start: SlotIndex(0), end: SlotIndex(0), value: ValueNo::new(0) };
        out.segments.resize(at as usize, nothing);
        for &Closed { reg, start, end } in &self.closed {
            let next = &mut next[reg as usize];
            out.segments[*next as usize] = Segment { start, end, value: ValueNo::new(0) };
            *next += 1;
        }
    }
}

/// The pieces of a register in one block.
struct PiecesInBlock<'a> {
    facts: &'a BlockFacts,
    reg: VRegId,
    block: BlockId,
    /// Whether the first one continues the open segment.
    is_joined: bool,
    is_live_out: bool,
}
