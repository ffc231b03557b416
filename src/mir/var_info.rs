//! The facts from which LiveVariables and the local part of LiveIntervals are filled.

use super::ids::{BlockId, VRegId};
use super::live_range::{Segment, ValueNo};
pub use super::record_ids::{Reader, VarFlags};
pub use super::records::{PtxPiece as Piece, PtxVarInfo as VarInfo};
use super::records::{PTX_VAR_DEFINED, PTX_VAR_GLOBAL, PTX_VAR_MANY_DEFS, PTX_VAR_NAMED};
use super::slot::SlotIndex;
use crate::adt::PackedOption;
use index_vec::IndexSlice;
use std::ops::BitOrAssign;

impl VarFlags {
    /// No operand names the register.
    pub const NONE: VarFlags = VarFlags(0);
    /// An operand that is neither a def nor a read names it, such as an undef use. The register may
    /// have no piece.
    pub const NAMED: VarFlags = VarFlags(PTX_VAR_NAMED);
    /// It is live across the boundary of a block.
    pub const GLOBAL: VarFlags = VarFlags(PTX_VAR_GLOBAL);
    /// It has a def.
    pub const DEFINED: VarFlags = VarFlags(PTX_VAR_DEFINED);
    /// It has several.
    pub const MANY_DEFS: VarFlags = VarFlags(PTX_VAR_MANY_DEFS);

    /// Returns the flags as bits.
    pub const fn bits(self) -> u8 {
        self.0
    }
    /// Returns whether it has any of `others`.
    pub const fn has(self, others: VarFlags) -> bool {
        self.0 & others.0 != 0
    }
    /// Returns whether it has one def and is live in one block only. Then its only piece is its
    /// live range.
    pub const fn is_local(self) -> bool {
        self.0 & (Self::GLOBAL.0 | Self::MANY_DEFS.0 | Self::DEFINED.0) == Self::DEFINED.0
    }
}

impl BitOrAssign for VarFlags {
    fn bitor_assign(&mut self, other: VarFlags) {
        self.0 |= other.0;
    }
}

impl Piece {
    /// Stands for a piece that is not known yet.
    pub const MISSING: Piece =
        Piece { block: PackedOption::NONE, start: SlotIndex(0), end: SlotIndex(0), reader: None };

    /// Makes a stretch from a def or from the start of the block to `end`, where `reader` reads.
    pub fn new(block: BlockId, start: SlotIndex, end: SlotIndex, reader: Option<Reader>) -> Piece {
        Piece { block: block.into(), start, end, reader }
    }
    /// Returns whether it is not known yet.
    pub fn is_missing(&self) -> bool {
        self.block.is_none()
    }
    /// Returns whether it is in `block`.
    pub fn is_in(&self, block: BlockId) -> bool {
        self.block == block.into()
    }
    /// Returns the block of a known piece.
    pub fn block(&self) -> BlockId {
        self.block.get().expect("the piece is known")
    }
    /// Returns the only segment of the live range of a local register.
    pub fn segment(&self) -> Segment {
        Segment { start: self.start, end: self.end, value: ValueNo::new(0) }
    }
    /// Returns whether it starts with a def; otherwise it is live into its block.
    pub fn is_def(&self) -> bool {
        !self.start.is_block()
    }
}

/// The flags and last pieces of all virtual registers. LLVM's analyses take only the local ones.
#[derive(Clone, Copy)]
pub struct LocalRegisters<'a> {
    /// By register.
    pub flags: &'a IndexSlice<VRegId, [VarFlags]>,
    /// By register, the last piece.
    pub pieces: &'a IndexSlice<VRegId, [Piece]>,
}

/// A change of one operand's flag. Instructions are identified by their entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagEdit {
    /// The operand gets the kill flag.
    SetKill {
        /// The entry of the instruction.
        entry: u32,
        /// The position of the operand.
        operand: u32,
    },
    /// The operand loses the kill flag.
    ClearKill {
        /// The entry of the instruction.
        entry: u32,
        /// The position of the operand.
        operand: u32,
    },
    /// All defs of a register by an instruction are dead.
    Dead {
        /// The entry of the instruction.
        entry: u32,
        /// The register.
        reg: VRegId,
    },
}

#[cfg(test)]
mod tests {
    use super::super::operand::Operand;
    use super::*;

    #[test]
    fn a_piece_has_sixteen_bytes_and_a_reader_keeps_position_and_flag() {
        assert_eq!(size_of::<Piece>(), 16);
        let use_ = Operand::test_reg(crate::mir::Register::virt(1), false, false);
        let [plain, kill] = [use_, use_.with_kill(true)].map(|op| Reader::new(3, op));
        assert_eq!((plain.operand(), plain.has_kill_flag()), (3, false));
        assert_eq!((kill.operand(), kill.has_kill_flag()), (3, true));
    }
}
