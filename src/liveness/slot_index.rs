//! Numbers the slots of a function (requirement L2).
//!
//! Every instruction and every start of a block has an entry, and an entry has four slots. A bundle
//! has one entry. The end of a block is the start of the next one. There is one more entry after
//! the last block.
//!
//! **Source.** `llvm/CodeGen/SlotIndexes.h`. **Deviation:** LLVM's index is a pointer into a list
//! with gaps, made for insertion. Here it is a number without gaps, as nothing is inserted while
//! liveness is computed. [`HostSlots`] translates between LLVM's numbers and these.
//!
//! **Complexity.** Linear.

use crate::mir::BlockId;
pub use crate::mir::{Slot, SlotIndex};
use index_vec::IndexVec;

/// The numbering of one function. An instruction or a bundle is identified by its entry.
#[derive(Default, Debug)]
pub struct SlotIndexes {
    /// The start of each block, and the end of the last one.
    starts: IndexVec<BlockId, SlotIndex>,
    next: u32,
}

impl SlotIndexes {
    /// Forgets the previous function.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.next = 0;
    }
    /// Begins a block, or ends the function, and returns where. The instructions of the block have
    /// the next entries.
    pub fn begin_block(&mut self) -> SlotIndex {
        let start = SlotIndex::new(self.next, Slot::Block);
        self.starts.push(start);
        self.next += 1;
        start
    }
    /// Ends the block that was begun last. `last` is the entry of its last instruction, or its own
    /// if it has none.
    pub fn end_instrs(&mut self, last: u32) {
        self.next = last + 1;
    }
    /// Lists the blocks, in layout order.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = BlockId> {
        (0..self.num_blocks()).map(BlockId::from_usize)
    }
    /// Returns how many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.starts.len() - 1
    }
    /// Returns how many entries there are.
    pub fn num_entries(&self) -> usize {
        self.next as usize
    }
    /// Returns how many instructions there are.
    pub fn num_instrs(&self) -> usize {
        self.next as usize - self.starts.len()
    }
    /// Returns where `block` starts.
    pub fn start(&self, block: BlockId) -> SlotIndex {
        self.starts[block]
    }
    /// Returns where `block` ends: the start of the next one in layout.
    pub fn end(&self, block: BlockId) -> SlotIndex {
        self.starts[block + 1]
    }
    /// Returns the block that `index` is in; a boundary belongs to the block that starts there.
    pub fn block_of(&self, index: SlotIndex) -> BlockId {
        let blocks = &self.starts.raw[..self.num_blocks()];
        BlockId::from_usize(blocks.partition_point(|&start| start <= index) - 1)
    }
}

/// LLVM's numbers of the slots.
#[derive(Default, Debug)]
pub struct HostSlots {
    /// By entry: LLVM's number, ascending. Empty until they are needed.
    pub numbers: Vec<u32>,
}

impl HostSlots {
    /// The distance between LLVM's numbers as long as no instruction was inserted or removed.
    const DISTANCE: u32 = 16;

    /// Finds the entry of LLVM's number `number`.
    pub fn entry_of(&self, number: u32) -> Option<u32> {
        let guess = number / Self::DISTANCE;
        if self.numbers.get(guess as usize) == Some(&number) {
            return Some(guess);
        }
        self.numbers.binary_search(&number).ok().map(|entry| entry as u32)
    }
    /// Names a slot as LLVM prints it.
    pub fn name(&self, at: SlotIndex) -> String {
        let slot = ["B", "e", "r", "d"][at.slot() as usize];
        format!("{}{slot}", self.numbers[at.entry() as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l2_slots_of_an_entry_are_ordered_and_convert_both_ways() {
        let slots = [Slot::Block, Slot::EarlyClobber, Slot::Register, Slot::Dead];
        let indexes = slots.map(|s| SlotIndex::new(7, s));
        assert!(indexes.is_sorted());
        for (i, s) in indexes.into_iter().zip(slots) {
            assert_eq!((i.entry(), i.slot(), i.dead()), (7, s, indexes[3]));
        }
        assert!(indexes[0].is_block() && !indexes[2].is_block());
        assert_eq!(indexes[0].prev(), SlotIndex::new(6, Slot::Dead));
    }

    #[test]
    fn l2_blocks_share_their_boundary() {
        let mut s = SlotIndexes::default();
        // Two instructions, none, one.
        for n in [2, 0, 1] {
            let start = s.begin_block().entry();
            s.end_instrs(start + n);
        }
        s.begin_block();
        assert_eq!((s.num_entries(), s.num_instrs()), (7, 3));
        let [a, b, c] = [0, 1, 2].map(BlockId::new);
        assert_eq!((s.start(a).entry(), s.end(a).entry(), s.start(b).entry()), (0, 3, 3));
        assert_eq!((s.start(c).entry(), s.end(c).entry()), (4, 6));
        for (index, block) in [(0, 0), (11, 0), (12, 1), (15, 1), (16, 2), (23, 2)] {
            assert_eq!(s.block_of(SlotIndex(index)), block, "{index}");
        }
    }

    #[test]
    fn l2_slots_are_named_as_llvm_prints_them() {
        let h = HostSlots { numbers: vec![0, 16, 32] };
        let names = [0, 5, 10, 7].map(|i| h.name(SlotIndex(i)));
        assert_eq!(names, ["0B", "16e", "32r", "16d"]);
    }

    #[test]
    fn l2_numbers_of_llvm_are_found_with_and_without_gaps() {
        let mut h = HostSlots { numbers: vec![0, 16, 32, 48] };
        assert_eq!((h.entry_of(32), h.entry_of(40)), (Some(2), None));
        h.numbers = vec![0, 8, 16, 64];
        assert_eq!((h.entry_of(16), h.entry_of(64), h.entry_of(8)), (Some(2), Some(3), Some(1)));
    }
}
