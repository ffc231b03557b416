//! Slots that instructions come and go at.
//!
//! **Problem.** Ranges are made of slots, numbered without gaps when liveness was computed; an instruction
//! that is inserted needs one between.
//!
//! **Algorithm.** What there is no room for makes room: all entries get new numbers, and wherever something
//! was inserted, or may be soon, there are free ones, eight times as many each time, so that renumbering costs
//! no more than a few walks over the function. LLVM's slots stay what they are, see [`Slots::host`].
//!
//! **Source.** `SlotIndexes.h`. **Deviation:** LLVM has a list with gaps and renumbers around a place.
//!
//! **Complexity.** Questions are constant; renumbering linear in everything, logarithmically often.

use super::code::NONE;
use crate::liveness::slot_index::{Slot, SlotIndex, SlotIndexes};

/// The slots of a function, by entry.
#[derive(Default)]
pub struct Slots {
    /// By block, its first entry; behind the last the entry of its end.
    starts: Vec<u32>,
    /// By entry, its block; the end of the function counts as the last one's.
    block: Vec<u32>,
    /// By entry, its instruction; [`NONE`] at a boundary and where none is.
    instr: Vec<u32>,
    /// By entry, LLVM's own slot.
    pub host: Vec<u64>,
    room: u32,
}

impl Slots {
    /// The slots of the function as it was read: instructions have the numbers of their entries. Takes `host` over.
    pub fn read(&mut self, slots: &SlotIndexes, host: &mut Vec<u64>) {
        let blocks = slots.num_blocks();
        self.starts.clear();
        self.block.clear();
        self.instr.clear();
        self.block.reserve(host.len());
        self.instr.reserve(host.len());
        for block in 0..blocks {
            let (start, end) = (slots.start(block).entry(), slots.end(block).entry());
            self.starts.push(start);
            self.block.resize(end as usize, block as u32);
            self.instr.push(NONE);
            self.instr.extend(start + 1..end);
        }
        self.starts.push(self.block.len() as u32);
        self.block.push(blocks.saturating_sub(1) as u32);
        self.instr.push(NONE);
        // Both sides keep an allocation.
        std::mem::swap(&mut self.host, host);
        self.room = 1;
    }
    /// How many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.starts.len() - 1
    }
    /// How many entries there are.
    pub fn num_entries(&self) -> u32 {
        self.instr.len() as u32
    }
    /// Where `block` starts.
    pub fn start(&self, block: u32) -> SlotIndex {
        SlotIndex::new(self.starts[block as usize], Slot::Block)
    }
    /// Where `block` ends: the start of the next one in layout.
    pub fn end(&self, block: u32) -> SlotIndex {
        SlotIndex::new(self.starts[block as usize + 1], Slot::Block)
    }
    /// The block that `at` is in; a boundary belongs to the block that starts there.
    pub fn block_of(&self, at: SlotIndex) -> u32 {
        self.block[at.entry() as usize]
    }
    /// The instruction at `at`.
    pub fn instr_at(&self, at: SlotIndex) -> Option<u32> {
        self.instr.get(at.entry() as usize).copied().filter(|&i| i != NONE)
    }
    /// The instruction that `at` is of is gone.
    pub fn clear_instr(&mut self, entry: u32) {
        self.instr[entry as usize] = NONE;
    }
    /// `instr` is what is at `entry` now.
    pub fn set_instr(&mut self, entry: u32, instr: u32) {
        self.instr[entry as usize] = instr;
    }
    /// The slot before `at`, where LLVM has one.
    pub fn prev(&self, at: SlotIndex) -> SlotIndex {
        let mut prev = at.prev();
        while self.host[prev.entry() as usize] == FREE {
            prev = SlotIndex::new(prev.entry() - 1, Slot::Dead);
        }
        prev
    }
    /// The last entry before `before`, a boundary or one of an instruction, and how many are free between.
    fn room_before(&self, before: u32) -> (u32, u32) {
        let mut last = before - 1;
        while self.instr[last as usize] == NONE && self.host[last as usize] == FREE {
            last -= 1;
        }
        (last, before - last - 1)
    }
    /// A free entry behind everything that is before `before`.
    pub fn free_before(&self, before: u32) -> Option<u32> {
        let (last, free) = self.room_before(before);
        (free > 0).then_some(last + 1)
    }
    /// Makes room before each of `places` (ascending entries), and returns, by old entry, the new one.
    pub fn make_room(&mut self, places: &[u32]) -> Vec<u32> {
        self.room *= 8;
        let places: Vec<(u32, u32)> = places.iter().map(|&entry| (entry, self.room)).collect();
        self.spread(&places)
    }
    /// The same for so many entries before each.
    pub fn spread(&mut self, places: &[(u32, u32)]) -> Vec<u32> {
        let mut new = Vec::with_capacity(self.block.len());
        let old = std::mem::take(self);
        let (mut place, mut block) = (places.iter().copied().peekable(), 0);
        self.room = old.room;
        for entry in 0..old.block.len() as u32 {
            if let Some((_, room)) = place.next_if(|p| p.0 == entry) {
                let owner = old.block[entry as usize - 1];
                for _ in 0..room {
                    self.block.push(owner);
                    self.instr.push(NONE);
                    self.host.push(FREE);
                }
            }
            let here = self.block.len() as u32;
            if old.starts.get(block) == Some(&entry) {
                self.starts.push(here);
                block += 1;
            }
            new.push(here);
            self.block.push(old.block[entry as usize]);
            self.instr.push(old.instr[entry as usize]);
            self.host.push(old.host[entry as usize]);
        }
        new
    }
}

/// LLVM has no slot there.
const FREE: u64 = 0;

/// A slot in another numbering of entries.
pub fn renumbered(at: SlotIndex, new: &[u32]) -> SlotIndex {
    match new.get(at.entry() as usize) {
        Some(&entry) => SlotIndex(entry << 2 | at.0 & 3),
        None => at, // UNUSED
    }
}
