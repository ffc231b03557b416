//! Reads and changes a function through handles, so that a pass runs on LLVM's function and, in
//! tests, on one in memory.
//!
//! **Problem.** PHI elimination and two-address change instructions one by one, and each decision
//! depends on earlier changes. They cannot read all facts first and return a list of edits, as
//! other passes do.
//!
//! **Algorithm.** The traits here are what such a pass may ask of a function and do to it. A handle
//! is `Copy`, and changes go through it, because instructions, blocks and registers refer to one
//! another. A pass is generic over [`FunctionHandle`]. The binding to LLVM (`llvm`) forwards every
//! call; the calls are resolved statically and cost nothing. A pass that asks more of its host has
//! a trait of its own on top of this one.
//!
//! Names and meanings are LLVM's: a handle's method does what the method of that name does in LLVM,
//! unless its documentation says otherwise.

mod handles;
#[cfg(test)]
pub mod in_memory;
#[cfg(all(ptx_host, not(test)))]
mod interval_updates;
mod intervals;
#[cfg(all(ptx_host, not(test)))]
mod llvm;
mod variables;

pub use handles::{BlockHandle, FunctionHandle, InstrHandle, NamedOperand, VRegDef};
pub use intervals::IntervalsHandle;
pub use variables::VariablesHandle;
