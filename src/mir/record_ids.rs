//! Gives the numbers of the C records of `cpp-shim/ptxpasses_machine_records.h` their types.

use super::ids::{BlockId, RegClassId};
use super::live_range::ValueNo;
use super::slot::SlotIndex;
use super::var_info::Reader;
#[cfg(all(ptx_host, not(test)))]
use super::var_info::VarFlags;
use crate::adt::PackedOption;

// The names that the C header has for them.
pub(crate) type PtxSlot = SlotIndex;
pub(crate) type PtxValueNo = ValueNo;
pub(crate) type PtxOptBlockId = PackedOption<BlockId>;
pub(crate) type PtxOptReader = Option<Reader>;
pub(crate) type PtxOptRegClassId = PackedOption<RegClassId>;
#[cfg(all(ptx_host, not(test)))]
pub(crate) type PtxVarFlags = VarFlags;
