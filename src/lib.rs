//! ptxpasses: the machine-level passes that take a GPU kernel from SelectionDAG to final virtual
//! registers. They are in Rust and replace those of a stock LLVM. It is also a library for machine
//! passes of your own.
//!
//! # A pass of your own
//!
//! docs/guides/machine-pass.md is a tutorial. In a plugin of your own leave our passes out:
//! `default-features = false`.
//!
#![cfg_attr(
    all(ptx_host, not(test)),
    doc = "
| to | look at |
|---|---|
| describe a pass and a plugin: where it runs, what it needs and keeps, how it is checked | [`mod@machine_pass`]: [`Pass`](machine_pass::Pass), [`Plugin`](machine_pass::Plugin), [`machine_pass!`], [`Place`](llvm::Place), [`Analyses`](llvm::Analyses) |
| run on a function, count, remark, time | [`MachinePass`](machine_pass::MachinePass), [`PassRun`](machine_pass::PassRun), [`RemarkKind`](llvm::RemarkKind) |
| have options | [`PassOption`](machine_pass::PassOption) |
| know opcodes by name, looked up once | [`opcodes!`], [`Opcode`](mir::Opcode) |
| read code | [`MachineFunction`](llvm::MachineFunction), [`MachineBasicBlock`](llvm::MachineBasicBlock), [`MachineInstr`](llvm::MachineInstr), [`Operand`](mir::Operand), [`Register`](mir::Register), [`Properties`](llvm::Properties) |
| read globals, constants, accesses to memory | [`Global`](llvm::Global), [`Float`](mir::Float), [`MemoryAccess`](mir::MemoryAccess), [`AddressSpace`](mir::AddressSpace) |
| make instructions, loads and stores among them | [`NewInstr`](llvm::NewInstr), [`NewMemory`](llvm::NewMemory), [`NewOperand`](llvm::NewOperand) |
| change, move and erase instructions; now, or after reading | [`MachineInstr`](llvm::MachineInstr), [`EditLog`](llvm::EditLog) |
| keep kill flags right | [kill flags](llvm#kill-flags) |
| ask analyses | [`LiveIntervals`](llvm::LiveIntervals), [`LiveVariables`](llvm::LiveVariables), [`MachineDominators`](llvm::MachineDominators), [`MachineLoopInfo`](llvm::MachineLoopInfo), [`BlockFrequencies`](llvm::BlockFrequencies) |
| prove that a pass keeps what the code computes | [`Check`](machine_pass::Check), [`Rules`](checker::Rules) |
"
)]
#![cfg_attr(
    not(all(ptx_host, not(test))),
    doc = "
The modules for that, `machine_pass` and `llvm`, are in builds for an LLVM, and this is the documentation of a build without: `DOCS_RS=1 cargo doc --features llvm22-1` has them, and needs no LLVM either.
"
)]
//! # Modules
//!
//! They are layers: each imports only modules above it in this list.
//!
//! * [`adt`] is data structures, [`mir`] registers and operands, [`mod@cfg`] control-flow graphs,
//!   [`nvptx`] what an opcode is on NVPTX, [`versions`] what differs between LLVM's versions. None
//!   of them needs LLVM.
#![cfg_attr(
    all(ptx_host, not(test)),
    doc = "* [`llvm`] holds the handles to LLVM's objects over the C ABI of `cpp-shim/ptxpasses.h`: the only module with `unsafe`."
)]
#![cfg_attr(
    not(all(ptx_host, not(test))),
    doc = "* `llvm` holds the handles to LLVM's objects over the C ABI of `cpp-shim/ptxpasses.h`: the only module with `unsafe`. It is in builds for a host alone."
)]
//! * [`liveness`] is LiveVariables, SlotIndexes, LiveIntervals and register pressure; [`ssa`] is a
//!   function in SSA form.
//! * [`process`] knows the process that a plugin is in: its options, files and statistics.
#![cfg_attr(
    feature = "plugin",
    doc = "* [`passes`] are those of LLVM: the instruction emitter, PHI elimination, two-address, the register coalescer. [`stages`] are what LLVM has not."
)]
//! * [`checker`] proves that a pass has not changed what the code computes.
#![cfg_attr(
    feature = "plugin",
    doc = "* [`plugin`] is the top of ptxpasses' own passes: the pipeline, the options, the statistics."
)]
#![cfg_attr(all(ptx_host, not(test)), doc = "* [`mod@machine_pass`] is the top of a plugin of your own.")]
#![cfg_attr(
    not(all(ptx_host, not(test))),
    doc = "* `machine_pass` is the top of a plugin of your own. It is in builds for a host alone."
)]
//!
//! docs/compatibility.md promises that these are **stable**: `llvm`, `machine_pass`, and the items
//! of [`mir`], [`checker`] and [`process`] in their signatures. The other modules are public for
//! reading only, and change with any version.

// The handles have more functions than our own passes use.
#![cfg_attr(not(feature = "plugin"), allow(dead_code, unused_imports))]

pub mod adt;
pub mod cfg;
pub mod checker;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod liveness;
#[cfg(all(ptx_host, not(test)))]
#[allow(unsafe_code)]
pub mod llvm;
#[cfg(all(ptx_host, not(test)))]
pub mod machine_pass;
pub mod mir;
pub mod nvptx;
#[cfg(feature = "plugin")]
pub mod passes;
#[cfg(feature = "plugin")]
pub mod plugin;
pub mod process;
pub mod ssa;
#[cfg(feature = "plugin")]
pub mod stages;
#[cfg(test)]
mod statements;
pub mod versions;
