//! Handles to LLVM's objects, over the C ABI of `cpp-shim/ptxpasses.h`.
//!
//! **Problem.** LLVM's classes are C++ and differ between versions. A pass in Rust is to read and change a machine function by safe
//! calls, with any LLVM from 17 on and for any target. Rust sees opaque pointers and calls the shim; nothing here knows a layout.
//!
//! **Lifetimes.** A handle is a pointer with a lifetime, that of the run of a pass on one function, so none outlives the run. Handles are
//! `Copy`, and changes go through `&self`, as LLVM's own graph of instructions is shared and mutable. A pass that keeps a handle for the
//! next function does not compile:
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
//! A handle is bound to its thread, too. A [`FunctionReader`] keeps its buffers from run to run; it remembers the run that it has read
//! in, and [`FunctionReader::handles`] panics in every other one.
//!
//! # Where to find what
//!
//! * *The code*: [`MachineFunction`], [`MachineBasicBlock`], [`MachineInstr`] with its [`Properties`] and [`InstrFacts`], [`Global`], [`IrFunction`].
//! * *New code*: [`NewInstr`], [`NewOperand`], [`NewMemory`]; [`EditLog`] for edits that are made later; [`TargetOpcodes`].
//! * *Analyses*: [`LiveIntervals`], [`LiveVariables`], [`InstrSlots`], [`MachineDominators`], [`MachineLoopInfo`], [`BlockFrequencies`],
//!   [`AliasAnalysis`], [`ClassPressure`].
//! * *The run of a pass*: [`Run`], [`Outcome`], [`Place`], [`Analyses`], [`Remark`], [`StageTimer`].
//! * *Whole functions in arrays*: [`FunctionReader`], [`Handles`], [`BlockContents`].
//!
//! # Kill flags
//!
//! A use of a register may be flagged as *killed*: it reads the register last, on every path that goes on from there. A def may be flagged
//! *dead*: nothing reads it. A missing flag is always right, and says that nothing is known. A flag that is wrong is not:
//!
//! * Passes after yours believe it. The two-address pass writes the result into a register that a use kills, so the later read that you
//!   have added finds another value; a register allocator gives the register away there.
//! * `-verify-machineinstrs` and `-NAME-verify` end with "Using a killed virtual register", if the read is in the same block.
//!
//! Clear the flags of a register ([`MachineFunction::clear_kills`]) where your pass makes it live longer:
//!
//! | edit | register |
//! |---|---|
//! | a new instruction reads it, or [`MachineInstr::set_reg`] has one read it | that which is read |
//! | [`MachineFunction::replace_reg`] | the one that all read now |
//! | an instruction that reads it moves down | that which is read |
//! | a copy or its like is erased, and its readers read the source | the source |
//!
//! Nothing is to be cleared where an instruction is erased, as its flags go with it, or where a new register is made. LLVM sets flags in
//! instruction selection and, up to LLVM 23, in LiveVariables, which computes all anew right before PHI elimination; so a wrong one that is
//! set before that harms only the passes in between. From there on nobody mends it. From LLVM 24 on NVPTX has none before LiveIntervals.
//!
//! A pass that keeps [`Analyses::LIVE_VARIABLES`] keeps the lists of kills there as well ([`LiveVariables`]).
//!
//! # How it is safe
//!
//! **Erased instructions.** [`MachineInstr::erase`] takes an instruction out of its block, and LLVM knows it no more. It stays in
//! memory until the run ends, also if that ends by a panic, so copies of its handle stay handles. Its text and its key can still be asked
//! for. All else is misuse: what is needed of an instruction is read before it is erased.
//!
//! **Checks.** A number of an operand, register, class, opcode, part of a register, register unit or block, and a place where something
//! is inserted, are looked at in the shim (`cpp-shim/checked.h`) before LLVM is asked, which takes them as they are. Misuse ends the
//! process with LLVM's fatal error, and nothing that does not exist is read:
//!
//! ```text
//! LLVM ERROR: my-plugin: pass 'my-pass', function 'k': operand 7 of an instruction that has 3: %5:b32 = ADDi32rr %3:b32, %4:b32
//! ```
//!
//! The documentation calls that *fatal errors*. What Rust checks panics, and a panic becomes a fatal error when it reaches LLVM. The
//! meaning of an instruction is not checked: operands of a wrong kind or class, a use without a def, an analysis that was not told of a
//! change. LLVM's verifier finds these (`-verify-machineinstrs`).
//!
//! **Two parts.** Items that are `pub` are for every pass. Items that are `pub(crate)` are for our passes that replace LLVM's own. These fill
//! LLVM's analyses, hold pointers into live ranges, or take lists that must fit the function; they are sound by what those passes know.
//! `scripts/imports` checks that [`ssa`](crate::ssa), [`stages`](crate::stages) and [`checker`](crate::checker) use the public part alone.
//!
//! This is the only module with `unsafe`.
//!
//! **Source.** The ABI header. The meaning of a method that is named as in LLVM is that of LLVM's header, of the version that the plugin is
//! built for: `MachineInstr.h`, `MachineBasicBlock.h`, `MachineFunction.h`, `MachineRegisterInfo.h`, `TargetInstrInfo.h`,
//! `TargetRegisterInfo.h`, `MachineLoopInfo.h`, `MachineDominators.h`, `LiveIntervals.h`.
//!
//! **Deviation.** LLVM asserts what is checked here, and only in builds with assertions. It frees an erased instruction at once. Its
//! iterators over the operands of a register follow its chain; here they are listed first, so that the function may be changed meanwhile.
//!
//! **Complexity.** A method is one call of the shim and what LLVM's function costs, unless it says otherwise; a check is constant.

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
pub(crate) use entry::{catch_panic, entry_points, FinalOutput, IrLoop, KnobInfo, Plugin};
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
