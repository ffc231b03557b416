//! The Rust types of the numbers in the C records of `cpp-shim/ptxpasses_machine_records.h`.

use super::ids::{BlockId, RegClassId};
use super::operand::Operand;
use crate::adt::PackedOption;
use std::num::NonZeroU32;

index_vec::define_index_type! {
    /// The number of a value of a register (`VNInfo::id`).
    pub struct ValueNo = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "value{}";
}

/// A point in the function: four times the entry plus the slot.
#[repr(transparent)] // handed to the shim unchanged
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct SlotIndex(pub u32);

/// How the instructions of a function name a virtual register.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[repr(transparent)] // handed to the shim unchanged
pub struct VarFlags(pub(super) u8);

/// The first operand of an instruction that reads a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Reader(
    /// The position plus one; bit 31 is the kill flag.
    NonZeroU32,
);

impl Reader {
    const KILL: u32 = 1 << 31;

    /// Makes the reader for operand `op`, at `position` in its instruction or bundle.
    pub fn new(position: usize, op: Operand) -> Reader {
        let kill = if op.is_kill() { Self::KILL } else { 0 };
        Reader(NonZeroU32::new((position as u32 + 1) | kill).expect("at least 1"))
    }
    /// Returns the position of the operand in its instruction or bundle.
    pub fn operand(self) -> u32 {
        (self.0.get() & !Self::KILL) - 1
    }
    /// Returns whether the operand had a kill flag when it was read.
    pub fn has_kill_flag(self) -> bool {
        self.0.get() & Self::KILL != 0
    }
}

// The names that the C header uses.
pub(crate) type PtxSlot = SlotIndex;
pub(crate) type PtxValueNo = ValueNo;
pub(crate) type PtxOptBlockId = PackedOption<BlockId>;
pub(crate) type PtxOptReader = Option<Reader>;
pub(crate) type PtxOptRegClassId = PackedOption<RegClassId>;
#[cfg(all(ptx_host, not(test)))]
pub(crate) type PtxVarFlags = VarFlags;
