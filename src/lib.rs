//! ptxpasses: the machine-level passes that take a GPU kernel from SelectionDAG to final virtual
//! registers, in Rust, in place of the ones of a stock LLVM; and a library for machine passes of your own.
//!
//! **Your own pass**: `machine_pass` has the trait, the builder and the macro of a plugin, `llvm` the handles that it reads and changes a
//! function by. They need an LLVM: documentation with them is that of a build with a feature (`cargo doc --features llvm19-1`). docs/guides/machine-pass.md is a
//! tutorial. A plugin of your own leaves ours out, `default-features = false`.
//!
//! The modules are storeys: each one imports only modules that stand above it in this list.
//!
//! * [`adt`] is data structures, [`mir`] registers and operands, [`mod@cfg`] control-flow graphs, [`nvptx`] what an
//!   opcode is on NVPTX, [`versions`] what differs between LLVM's versions. None of them needs LLVM.
//! * `llvm` holds the handles to LLVM's objects over the C ABI of `cpp-shim/ptxpasses.h`: the only
//!   module with `unsafe`. It exists only in a build for a host (`--features llvm19-1`), and not in unit tests.
//! * [`liveness`] is LiveVariables, SlotIndexes, LiveIntervals and register pressure; [`ssa`] is a function in SSA form.
//! * [`process`] knows the process that a plugin is in: its options, files and statistics.
//! * [`passes`] are those of LLVM: the instruction emitter, PHI elimination, two-address, the register coalescer.
//! * [`stages`] are what LLVM has not.
//! * [`checker`] proves that a pass has not changed what the code computes.
//! * [`plugin`] is the top: the pipeline, the options, the statistics. `machine_pass` stands beside it.
//!
//! **Stable**, as docs/compatibility.md promises, are `llvm`, `machine_pass`, and what of [`mir`], [`checker`] and [`process`] their signatures name. The
//! other modules are public to be read, and change with any version.

// The handles have more than passes of others use.
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
