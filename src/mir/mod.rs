//! Machine code without LLVM: registers, operands, instructions, functions.
//!
//! Names and meanings are LLVM's (`Register.h`, `MachineOperand.h`). An operand crosses the
//! boundary as one `u64`. So one call reads an instruction, and nothing here depends on the layout
//! of an LLVM class.

mod address_space;
mod class_info;
pub mod dag;
mod float;
mod function;
mod ids;
mod inline_asm;
mod instr_flags;
mod kind;
mod live_in;
mod live_range;
mod memory_access;
mod opcode;
mod operand;
pub(crate) mod record_ids;
#[rustfmt::skip]
#[allow(missing_docs)]
pub(crate) mod records;
mod early_load;
mod equal_phi;
mod loop_branch;
mod parameter;
mod reg_map;
mod register;
mod shared_divisor;
mod slot;
#[cfg(any(test, fuzzing))]
pub(crate) mod testing;
mod unroll;
mod var_info;

pub use address_space::AddressSpace;
pub use class_info::ClassInfo;
pub use early_load::EarlyLoad;
pub use equal_phi::EqualPhi;
pub use float::Float;
pub use function::{is_large, Code, FunctionFacts, FunctionShape, InstrRun};
pub use ids::{virtual_reads, BlockId, BlockNumber, InstrId, RegClassId, RegUnit, VRegId};
pub use inline_asm::for_each_tied_use;
pub use instr_flags::InstrFlags;
pub use kind::InstrKind;
pub use live_in::LiveIn;
pub use live_range::{LiveRange, LiveRanges, Segment, ValueNo, UNUSED};
pub use loop_branch::{LoopBranch, LoopTarget};
pub use memory_access::MemoryAccess;
pub use opcode::Opcode;
pub use operand::{Kind, Operand};
pub use parameter::Parameter;
pub use records::{
    PtxMemOperand as MemOperand, PtxOpcodeFacts as OpcodeFacts, PtxOpcodeOperand as OpcodeOperand,
};
pub use reg_map::RegMap;
pub use register::Register;
pub use shared_divisor::SharedDivisor;
pub use slot::{Slot, SlotIndex};
pub use unroll::{Moves, Unroll, UnrollFacts, UnrollWish};
pub use var_info::{FlagEdit, LocalRegisters, Piece, Reader, VarFlags, VarInfo};
