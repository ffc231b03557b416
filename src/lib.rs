//! ptxpasses: the machine-level passes that take a GPU kernel from SelectionDAG to final virtual
//! registers, in Rust, in place of the ones of a stock LLVM.
//!
//! How to read this crate:
//!
//! * [`passes`] is the list: which passes of LLVM are replaced, and which of them run in Rust.
//! * [`knobs`] and [`stats`] are what a user sets and sees.
//! * Each pass is a module named after LLVM's; its `mod.rs` opens with problem, algorithm, source and
//!   complexity and reads top to bottom.
//! * [`emitter`] turns the scheduled SelectionDAG into machine instructions.
//! * [`coalescer`] joins the registers of copies; [`affinity`] is what the two-address pass tells it.
//! * [`nvptx_coalescer`] is what NVPTX has of its own behind it: constants.
//! * [`cssa`] finds the registers that the PHIs of a function can share.
//! * [`addresses`] makes addresses that differ by a constant share a register.
//! * [`induction`] has pointers walk through a loop side by side.
//! * `wide_phis` makes one PHI of two whose values are the halves of one.
//! * [`hoist`] computes values where the registers that they are made of end.
//! * [`remat`] computes again what would be a register otherwise; `computing` tells the stages what may be, [`ssa`] what they see.
//! * [`liveness`] is LiveVariables, SlotIndexes and LiveIntervals.
//! * [`mir`] is the vocabulary that needs no LLVM (registers, packed operands), [`adt`] the data
//!   structures. Both, and all algorithms, are tested without LLVM.
//! * `llvm` holds the handles to LLVM's objects over the C ABI of `cpp-shim/ptxpasses.h`: the only
//!   module with `unsafe`. It and the passes that change a live `MachineFunction` exist only in a
//!   build for a host (`--features llvm19-1`), and not in unit tests.

pub mod addresses;
pub mod adt;
pub mod affinity;
pub mod checker;
pub mod coalescer;
pub mod cssa;
pub mod emitter;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod hoist;
pub mod induction;
pub mod knobs;
pub mod liveness;
pub mod mir;
pub mod nvptx_coalescer;
pub mod passes;
pub mod remat;
pub mod ssa;
pub mod stats;

#[cfg(all(ptx_host, not(test)))]
mod computing;
#[cfg(all(ptx_host, not(test)))]
#[allow(unsafe_code)]
mod llvm;
#[cfg(any(ptx_host, test))]
mod phi_elim;
#[cfg(all(ptx_host, not(test)))]
mod two_address;
#[cfg(all(ptx_host, not(test)))]
mod wide_phis;
