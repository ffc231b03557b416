//! Recognises sums of pairs of 16-bit integers, and what reads one half of a pair.
//!
//! **Algorithm.** By the opcode's name: `ADD16x2`, which LLVM has from 18 on; the moves of a half
//! ([`Family::Half`], [`Family::Unpack`]); conversions of 32 or 64 bits to 16, sign extensions of
//! 16 bits in place, and stores, which may read the low half; what makes 64 bits whose lower word
//! is the pair. **Source.** `NVPTXInstrInfo.td` of LLVM 18 to 24. **Deviation:** none.
//! **Complexity.** Linear in the name.

use super::accesses::is_load_or_store;
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
    /// A store of 32-bit registers. Its width tells whether it reads the low halves alone.
    Store,
    /// 64 bits. Their lower word is the first input.
    Lower,
}

impl PackedOp {
    /// Classifies the opcode of this name, which is this move, if it is one.
    pub fn from_name(name: &str, move_: Option<Move>) -> Option<PackedOp> {
        match (name, move_) {
            ("ADD16x2", _) => Some(PackedOp::Add),
            ("CVT_INREG_s32_s16" | "CVT_INREG_s64_s16", _) => Some(PackedOp::Half(0)),
            ("CVT_u64_u32" | "CVT_s64_s32", _) => Some(PackedOp::Lower),
            (_, Some(Move { family: Family::Pack(2), bits: 64, .. })) => Some(PackedOp::Lower),
            _ if is_truncation(name) => Some(PackedOp::Truncate),
            _ if is_load_or_store(name) && (name.starts_with("ST_i32") || name.starts_with("STV_i32")) => {
                Some(PackedOp::Store)
            }
            (_, Some(Move { family: Family::Half(half), bits: 32, .. })) => Some(PackedOp::Half(half)),
            (_, Some(Move { family: Family::Unpack(2), bits: 32, .. })) => Some(PackedOp::Halves),
            _ => None,
        }
    }
}

/// Tells whether it converts an integer of 32 or 64 bits to one of 16: `CVT_u16_u32`.
fn is_truncation(name: &str) -> bool {
    let types = name.strip_prefix("CVT_").and_then(|types| types.split_once('_'));
    types.is_some_and(|(to, from)| matches!((to, from), ("u16" | "s16", "u32" | "s32" | "u64" | "s64")))
}
