//! Points of a function, named as LLVM's `SlotIndex` does.
//!
//! Each start of a block and each instruction or bundle has an entry. Each entry has four slots, in
//! which its events happen in order. Entries are numbered without gaps.
//!
//! **Source.** `llvm/CodeGen/SlotIndexes.h`. **Deviation.** LLVM's index is a pointer into a list
//! with gaps, which allows insertion.

pub use super::record_ids::SlotIndex;
pub use super::records::PtxSlotKind as Slot;

impl SlotIndex {
    /// Makes slot `slot` of `entry`.
    pub const fn new(entry: u32, slot: Slot) -> SlotIndex {
        SlotIndex(entry << 2 | slot as u32)
    }
    /// Returns the entry.
    pub const fn entry(self) -> u32 {
        self.0 >> 2
    }
    /// Returns the slot within the entry.
    pub const fn slot(self) -> Slot {
        match self.0 & 3 {
            0 => Slot::Block,
            1 => Slot::EarlyClobber,
            2 => Slot::Register,
            _ => Slot::Dead,
        }
    }
    /// Returns the slot before it.
    pub const fn prev(self) -> SlotIndex {
        SlotIndex(self.0 - 1)
    }
    /// Returns the block slot of the same entry.
    pub const fn base(self) -> SlotIndex {
        SlotIndex(self.0 & !3)
    }
    /// Returns the early-clobber slot of the same entry, the earliest point at which an instruction
    /// reads.
    pub const fn early_clobber(self) -> SlotIndex {
        SlotIndex(self.0 & !3 | Slot::EarlyClobber as u32)
    }
    /// Returns the register slot of the same entry.
    pub const fn register(self) -> SlotIndex {
        SlotIndex(self.0 & !3 | Slot::Register as u32)
    }
    /// Returns the dead slot of the same entry.
    pub const fn dead(self) -> SlotIndex {
        SlotIndex(self.0 | 3)
    }
    /// Returns whether it is a block slot: the start of a block, or a PHI-def.
    pub const fn is_block(self) -> bool {
        self.0 & 3 == 0
    }
    /// Returns whether both belong to one instruction.
    pub const fn same_instr(self, other: SlotIndex) -> bool {
        self.entry() == other.entry()
    }
}
