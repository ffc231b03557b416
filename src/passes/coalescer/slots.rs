//! Keeps the slots of a function while instructions are inserted and erased.
//!
//! **Problem.** Ranges are made of slots, which were numbered without gaps when liveness was
//! computed. An instruction that is inserted needs a free entry between two others.
//!
//! **Algorithm.** Where there is none, all entries are renumbered, and free ones are added where an
//! instruction is inserted or may be soon. Each renumbering adds eight times as many as the last,
//! so renumbering costs no more than a few walks over the function. LLVM's slots stay as they are,
//! see [`Slots::host`].
//!
//! **Source.** `SlotIndexes.h`. **Deviation:** LLVM has a list with gaps and renumbers around a
//! place.
//!
//! **Complexity.** Queries take constant time. Renumbering is linear in all entries and ranges, and
//! happens a logarithmic number of times.

use crate::adt::PackedOption;
use crate::liveness::slot_index::{Slot, SlotIndex, SlotIndexes};
use crate::mir::{BlockId, InstrId};
use index_vec::IndexVec;

/// Marks an entry for which LLVM has no slot.
const FREE: u64 = 0;

/// The slots of a function, by entry.
#[derive(Default)]
pub struct Slots {
    /// By block, its start; then the end of the function.
    starts: IndexVec<BlockId, SlotIndex>,
    /// By entry, its block; the end of the function counts as part of the last block.
    blocks: Vec<BlockId>,
    /// By entry, its instruction; `NONE` at a boundary and at a free entry.
    instrs: Vec<PackedOption<InstrId>>,
    /// By entry, LLVM's own slot.
    pub host: Vec<u64>,
    /// The number of free entries that the last renumbering added at each place.
    room: u32,
}

/// A number of new entries before an existing one.
#[derive(Clone, Copy, Debug)]
pub struct RoomBefore {
    /// A slot of the existing entry: the boundary of a block, or an instruction.
    pub slot: SlotIndex,
    /// The number of new entries.
    pub num_entries: u32,
}

/// The new entry, by old entry.
pub struct Renumbering(Vec<u32>);

impl Renumbering {
    /// The new number of a slot. A slot without an entry, such as that of an unused value, stays.
    pub fn of(&self, at: SlotIndex) -> SlotIndex {
        self.0.get(entry(at)).map_or(at, |&entry| SlotIndex::new(entry, at.slot()))
    }
}

fn entry(at: SlotIndex) -> usize {
    at.entry() as usize
}
fn slot_of_entry(entry: usize) -> SlotIndex {
    SlotIndex::new(entry as u32, Slot::Block)
}

impl Slots {
    /// Reads the slots of a function whose instructions have the numbers of their entries. Takes
    /// over `host`.
    pub fn read(&mut self, slots: &SlotIndexes, host: &mut Vec<u64>) {
        self.starts.clear();
        self.blocks.clear();
        self.instrs.clear();
        self.blocks.reserve(host.len());
        self.instrs.reserve(host.len());
        for block in slots.blocks() {
            let (start, end) = (slots.start(block), slots.end(block));
            self.starts.push(start);
            self.blocks.resize(entry(end), block);
            self.instrs.push(PackedOption::NONE);
            let instrs = start.entry() + 1..end.entry();
            self.instrs.extend(instrs.map(|entry| PackedOption::from(InstrId::from_raw(entry))));
        }
        let last_block = BlockId::from_usize(self.starts.len().saturating_sub(1));
        self.starts.push(slot_of_entry(self.blocks.len()));
        self.blocks.push(last_block);
        self.instrs.push(PackedOption::NONE);
        // Both sides keep an allocation.
        std::mem::swap(&mut self.host, host);
        self.room = 1;
    }
    /// How many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.starts.len() - 1
    }
    /// All blocks, in layout order.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> {
        (0..self.num_blocks()).map(BlockId::from_usize)
    }
    /// The block slots of all entries, in order.
    pub fn all(&self) -> impl Iterator<Item = SlotIndex> {
        (0..self.instrs.len()).map(slot_of_entry)
    }
    /// The block slots of the entries inside a block, in order.
    pub fn inside(&self, block: BlockId) -> impl Iterator<Item = SlotIndex> {
        self.between(self.start(block), self.end(block))
    }
    /// The block slots of the entries after `from` and before `to`, in order.
    pub fn between(&self, from: SlotIndex, to: SlotIndex) -> impl Iterator<Item = SlotIndex> {
        (from.entry() + 1..to.entry()).map(|e| SlotIndex::new(e, Slot::Block))
    }
    /// Where `block` starts.
    pub fn start(&self, block: BlockId) -> SlotIndex {
        self.starts[block]
    }
    /// Where `block` ends: the start of the next one in layout.
    pub fn end(&self, block: BlockId) -> SlotIndex {
        self.starts[block + 1]
    }
    /// The block that `at` is in; a boundary belongs to the block that starts there.
    pub fn block_of(&self, at: SlotIndex) -> BlockId {
        self.blocks[entry(at)]
    }
    /// The instruction at `at`.
    pub fn instr_at(&self, at: SlotIndex) -> Option<InstrId> {
        self.instrs.get(entry(at)).and_then(|instr| instr.get())
    }
    /// The instruction that defines a value at `def`; `None` for a PHI-def, which is at the
    /// boundary of a block.
    pub fn def_instr(&self, def: SlotIndex) -> Option<InstrId> {
        if def.is_block() {
            None
        } else {
            self.instr_at(def)
        }
    }
    /// Notes that the instruction at `at` is gone.
    pub fn clear_instr(&mut self, at: SlotIndex) {
        self.instrs[entry(at)] = PackedOption::NONE;
    }
    /// Puts an instruction at `at`.
    pub fn set_instr(&mut self, at: SlotIndex, instr: InstrId) {
        self.instrs[entry(at)] = instr.into();
    }
    /// Notes LLVM's slot for the entry of `at`.
    pub fn set_host(&mut self, at: SlotIndex, host: u64) {
        self.host[entry(at)] = host;
    }
    /// The slot before `at`, where LLVM has one.
    pub fn prev(&self, at: SlotIndex) -> SlotIndex {
        let mut prev = at.prev();
        while self.host[entry(prev)] == FREE {
            prev = prev.base().prev();
        }
        prev
    }
    /// Finds a free entry before `before` and after all used entries that precede `before`.
    pub fn free_before(&self, before: SlotIndex) -> Option<SlotIndex> {
        let mut free = None;
        let mut at = entry(before) - 1;
        while self.instrs[at].is_none() && self.host[at] == FREE {
            free = Some(slot_of_entry(at));
            at -= 1;
        }
        free
    }
    /// Makes room before each of `places`, in ascending order; more on each call.
    pub fn make_more_room(&mut self, places: &[SlotIndex]) -> Renumbering {
        self.room *= 8;
        let num_entries = self.room;
        let places: Vec<_> = places.iter().map(|&slot| RoomBefore { slot, num_entries }).collect();
        self.make_room(&places)
    }
    /// Makes room in each of `places`, in ascending order.
    pub fn make_room(&mut self, places: &[RoomBefore]) -> Renumbering {
        let mut new = Vec::with_capacity(self.blocks.len());
        let old = std::mem::take(self);
        let (mut places, mut starts) = (places.iter().peekable(), old.starts.iter().peekable());
        self.room = old.room;
        for at in 0..old.blocks.len() {
            let slot = slot_of_entry(at);
            if let Some(place) = places.next_if(|p| p.slot.same_instr(slot)) {
                for _ in 0..place.num_entries {
                    self.push(old.blocks[at - 1], PackedOption::NONE, FREE);
                }
            }
            let here = self.blocks.len();
            if starts.next_if(|&&start| start == slot).is_some() {
                self.starts.push(slot_of_entry(here));
            }
            new.push(here as u32);
            self.push(old.blocks[at], old.instrs[at], old.host[at]);
        }
        Renumbering(new)
    }
    fn push(&mut self, block: BlockId, instr: PackedOption<InstrId>, host: u64) {
        self.blocks.push(block);
        self.instrs.push(instr);
        self.host.push(host);
    }
}
