//! Handles to LLVM's objects, over the C ABI of `cpp-shim/ptxpasses.h`.
//!
//! Problem: LLVM's classes are C++ and differ between versions. Rust sees opaque pointers and calls
//! the shim; nothing here knows a layout.
//!
//! A handle is a pointer newtype with a lifetime, that of the run of the pass on one function: none
//! outlives it. Handles are `Copy` and changes go through `&self`, as LLVM's own graph of instructions
//! is shared and mutable. What that asks of the passes, and every method's safety rests on: an
//! instruction that was erased ([`MachineInstr::erase`]) is not used again, not even to compare.
//!
//! This is the only module with `unsafe`. Source: the ABI header; the analyses' meaning is LLVM's.

mod coalesce;
mod contents;
mod dominators;
mod edges;
mod emit;
mod entry;
mod facts;
mod ffi;
mod function;
mod handles;
mod instr;
mod ir_function;
mod liveness;
mod new_instr;
#[cfg(not(ptx_variables))]
mod no_variables;
mod opcodes;
mod options;
mod pass_info;
mod ranges;
mod read;
mod registers;
mod remarks;
mod run;
mod runs;
mod slots;
mod strings;
mod timers;
#[cfg(ptx_variables)]
mod variables;

pub(crate) use coalesce::{DebugOperandTable, InstrEditor, InstrTable};
pub use contents::{BlockContents, InstrContents};
pub use dominators::MachineDominators;
pub(crate) use edges::{can_split_edge, EdgeSplitter};
pub use edges::{HostPass, MachineLoop, MachineLoopInfo};
pub(crate) use emit::BlockEmission;
pub use entry::plugin_name;
pub(crate) use entry::{entry_points, FinalOutput, IrLoop, KnobInfo, Plugin};
#[doc(hidden)]
pub use entry::{fill_pass_plugin_info, refusal, EntryPoints};
pub use facts::{FunctionReader, Handles, LlvmCode};
pub use function::{Def, RegOperand};
pub use handles::{
    AliasAnalysis, BlockFrequencies, InstrSlots, LiveIntervals, LiveVariables, MachineBasicBlock,
    MachineFunction, MachineInstr, SlotsAndDominators,
};
pub use instr::{DebugLocation, InstrFacts, Properties};
pub use ir_function::IrFunction;
pub use liveness::LiveSegment;
pub(crate) use liveness::{edit_flags, RegMask, EDITS_AT_ONCE};
pub use new_instr::NewOperand;
pub use options::{llvm_option_bool, llvm_option_bool_or_default, llvm_option_given, llvm_option_unsigned};
pub(crate) use pass_info::PassInfo;
pub use pass_info::{Analyses, Place};
pub(crate) use ranges::{RangeHandle, SlotIndex, ValueHandle};
pub use remarks::{Remark, RemarkKind};
pub use run::{Outcome, Run};
pub(crate) use slots::{ChainBuffer, ChainPlace, InstrAddress};
pub(in crate::llvm) use strings::{borrow_str, to_ffi_str};
pub use timers::StageTimer;
