//! Recognises sums of pairs of 16-bit integers, and what reads one half of a pair.
//!
//! **Algorithm.** By the opcode's name: `ADD16x2`, which LLVM has from 18 on; the moves of a half
//! ([`Family::Half`], [`Family::Unpack`]); conversions of 32 bits to 16, which read the low half.
//! **Source.** `NVPTXInstrInfo.td` of LLVM 18 to 24. **Deviation:** none. **Complexity.** Linear in
//! the name.

use super::moves::{Family, Move};

/// An operation on a register that holds two integers of 16 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PackedOp {
    /// The sums of both halves, without a carry between them.
    Add,
    /// One half; 0 is the low one.
    Half(u8),
    /// Both halves, as two results.
    Halves,
    /// The low half, converted by a mode, which is 0 for a plain one.
    Truncate,
}

impl PackedOp {
    /// Classifies the opcode of this name, which is this move, if it is one.
    pub fn from_name(name: &str, move_: Option<Move>) -> Option<PackedOp> {
        match (name, move_) {
            ("ADD16x2", _) => Some(PackedOp::Add),
            ("CVT_u16_u32" | "CVT_u16_s32" | "CVT_s16_u32" | "CVT_s16_s32", _) => Some(PackedOp::Truncate),
            (_, Some(Move { family: Family::Half(half), bits: 32, .. })) => Some(PackedOp::Half(half)),
            (_, Some(Move { family: Family::Unpack(2), bits: 32, .. })) => Some(PackedOp::Halves),
            _ => None,
        }
    }
}
