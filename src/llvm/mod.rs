//! Handles to LLVM's objects, over the C ABI of `cpp-shim/ptxpasses.h`.
//!
//! **Problem.** LLVM's classes are C++ and differ between versions. A pass in Rust should read and
//! change a machine function by safe calls, with any LLVM from 17 on and for any target. Rust sees
//! opaque pointers and calls the shim; nothing here knows a layout.
//!
//! **Lifetimes.** A handle is a pointer whose lifetime is the run of a pass on one function, so no
//! handle outlives the run. Handles are `Copy`, and changes go through `&self`, because LLVM's own
//! graph of instructions is shared and mutable. A pass that keeps a handle for the next function
//! does not compile:
//!
//! ```compile_fail
//! use ptxpasses::llvm::{MachineFunction, MachineInstr};
//!
//! struct Pass {
//!     last: Option<MachineInstr<'static>>,
//! }
//! impl Pass {
//!     fn run(&mut self, mf: MachineFunction) {
//!         self.last = mf.blocks().flat_map(|block| block.instrs()).last();
//!     }
//! }
//! ```
//!
//! A handle is also bound to its thread. A [`FunctionReader`] keeps its buffers from run to run. It
//! remembers the run of its last reading, and [`FunctionReader::handles`] panics in any other.
//!
//! # Where to find what
//!
//! * *The code*: [`MachineFunction`], [`MachineBasicBlock`], [`MachineInstr`] with its
//!   [`Properties`] and [`InstrFacts`], [`Global`], [`IrFunction`].
//! * *New code*: [`NewInstr`], [`NewOperand`], [`NewMemory`]; [`EditLog`] for edits that are made
//!   later; [`TargetOpcodes`].
//! * *Analyses*: [`LiveIntervals`], [`LiveVariables`], [`InstrSlots`], [`MachineDominators`],
//!   [`MachineLoopInfo`], [`BlockFrequencies`], [`AliasAnalysis`], [`ClassPressure`].
//! * *The run of a pass*: [`Run`], [`Outcome`], [`Place`], [`Analyses`], [`Remark`],
//!   [`StageTimer`].
//! * *Whole functions in arrays*: [`FunctionReader`], [`Handles`], [`BlockContents`].
//!
//! # Kill flags
//!
//! A use of a register may be flagged as *killed*: it is the last read on every path from there. A
//! def may be flagged *dead*: nothing reads it. A missing flag is always correct, and says nothing.
//! A wrong flag is an error:
//!
//! * Later passes believe it. The two-address pass writes a result into a register that a use
//!   kills, so the later read that you added finds another value. A register allocator reuses the
//!   register there.
//! * `-verify-machineinstrs` and `-NAME-verify` end with "Using a killed virtual register", if the
//!   read is in the same block.
//!
//! Clear the flags of a register ([`MachineFunction::clear_kills`]) where your pass makes it live
//! longer:
//!
//! | edit | register |
//! |---|---|
//! | a new instruction reads it, or [`MachineInstr::set_reg`] has one read it | the register that is read |
//! | [`MachineFunction::replace_reg`] | the register that all read now |
//! | an instruction that reads it moves down | the register that is read |
//! | a copy or its like is erased, and its readers read the source | the source |
//!
//! Clear nothing if you erase an instruction, as its flags go with it, or if you make a new
//! register. LLVM sets flags in instruction selection and, up to LLVM 23, in LiveVariables. That
//! pass recomputes all flags right before PHI elimination, so a wrong flag set earlier harms only
//! the passes in between. A wrong flag set later is never corrected. From LLVM 24 on NVPTX has no
//! flags before LiveIntervals.
//!
//! A pass that keeps [`Analyses::LIVE_VARIABLES`] must also keep the lists of kills there right
//! ([`LiveVariables`]).
//!
//! # How it is safe
//!
//! **Erased instructions.** [`MachineInstr::erase`] removes an instruction from its block, and LLVM
//! no longer knows it. It stays in memory until the run ends, even by a panic, so copies of its
//! handle stay valid handles. Only its text and its key may still be read. Anything else is misuse:
//! read what you need before you erase an instruction.
//!
//! **Checks.** LLVM does not check its arguments. So the shim (`cpp-shim/checked.h`) first checks
//! each number of an operand, register, class, opcode, sub-register, register unit or block, and
//! each insertion point. Misuse ends the process with LLVM's fatal error, before anything that does
//! not exist is read:
//!
//! ```text
//! LLVM ERROR: my-plugin: pass 'my-pass', function 'k': operand 7 of an instruction that has 3: %5:b32 = ADDi32rr %3:b32, %4:b32
//! ```
//!
//! The documentation calls these *fatal errors*. Checks in Rust panic, and a panic becomes a fatal
//! error when it reaches LLVM. The meaning of an instruction is not checked: operands of a wrong
//! kind or class, a use without a def, an analysis that was not told about a change. LLVM's
//! verifier finds those (`-verify-machineinstrs`).
//!
//! **Two parts.** Items that are `pub` are for every pass. Items that are `pub(crate)` are for our
//! passes that replace LLVM's own. They fill LLVM's analyses, hold pointers into live ranges, or
//! take lists that must fit the function. They are sound only under invariants that those passes
//! keep. `scripts/imports` checks that [`ssa`](crate::ssa), [`stages`](crate::stages) and
//! [`checker`](crate::checker) use only the public part.
//!
//! This is the only module with `unsafe`.
//!
//! **Source.** The ABI header. A method named as in LLVM means what LLVM's header says, in the
//! version that the plugin is built for: `MachineInstr.h`, `MachineBasicBlock.h`,
//! `MachineFunction.h`, `MachineRegisterInfo.h`, `TargetInstrInfo.h`, `TargetRegisterInfo.h`,
//! `MachineLoopInfo.h`, `MachineDominators.h`, `LiveIntervals.h`.
//!
//! **Deviation.** LLVM only asserts these checks, and only in builds with assertions. It frees an
//! erased instruction at once. Its iterators over a register's operands follow the chain; here the
//! operands are listed first, so that the function may change meanwhile.
//!
//! **Complexity.** A method is one call of the shim plus the cost of LLVM's function, unless stated
//! otherwise. A check is constant.

mod coalesce;
mod contents;
mod dominators;
mod edges;
mod edit_log;
mod emit;
mod entry;
mod facts;
mod ffi;
mod function;
mod global;
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
mod pressure;
mod ranges;
mod read;
mod registers;
mod remarks;
mod run;
mod runs;
mod slots;
mod strings;
mod timers;
mod unroll;
#[cfg(ptx_variables)]
mod variables;

pub(crate) use coalesce::{DebugOperandTable, InstrEditor, InstrTable};
pub use contents::{BlockContents, InstrContents};
pub use dominators::MachineDominators;
pub(crate) use edges::{can_split_edge, EdgeSplitter};
pub use edges::{HostPass, MachineLoop, MachineLoopInfo};
pub use edit_log::EditLog;
pub(crate) use emit::BlockEmission;
pub use entry::plugin_name;
pub(crate) use entry::{catch_panic, entry_points, FinalOutput, IrLoop, IrStage, KnobInfo, Plugin};
#[doc(hidden)]
pub use entry::{fill_pass_plugin_info, refusal, EntryPoints};
pub use facts::{FunctionReader, Handles, LlvmCode};
pub use function::{Def, RegOperand};
pub use global::Global;
pub use handles::{
    AliasAnalysis, BlockFrequencies, InstrSlots, LiveIntervals, LiveVariables, MachineBasicBlock,
    MachineFunction, MachineInstr, SlotsAndDominators,
};
pub use instr::{DebugLocation, InstrFacts, Properties};
pub use ir_function::IrFunction;
pub use liveness::LiveSegment;
pub(crate) use liveness::{edit_flags, RegMask, EDITS_AT_ONCE};
pub use new_instr::{NewInstr, NewMemory, NewOperand};
pub use opcodes::{MissingOpcode, OpcodeField, TargetOpcodes};
pub(crate) use options::{
    llvm_option_bool, llvm_option_bool_or_default, llvm_option_given, llvm_option_unsigned,
};
pub(crate) use pass_info::PassInfo;
pub use pass_info::{Analyses, Place};
pub use pressure::ClassPressure;
pub(crate) use ranges::{RangeHandle, SlotIndex, ValueHandle};
pub use remarks::{Remark, RemarkKind};
pub use run::{Outcome, Run};
pub(crate) use runs::{edits_of_run, forget_edits, num_erased, Edits};
pub(crate) use slots::{ChainBuffer, ChainPlace, InstrAddress};
pub(in crate::llvm) use strings::{borrow_str, to_ffi_str};
pub use timers::StageTimer;
pub(crate) use unroll::{UnrollLoop, UnrollResult};
