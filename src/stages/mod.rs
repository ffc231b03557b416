//! Holds the stages that stock LLVM has not. [`crate::plugin::pipeline`] says where each of them runs.
//!
//! A stage is a folder: its `mod.rs` says what problem it solves and how, the algorithm needs no LLVM, and `pass.rs` binds it to LLVM's
//! function: facts in, edits out.

pub mod cssa;
pub mod flush;
pub mod fold_addresses;
pub mod hoist;
pub mod induction;
pub mod nounroll;
pub mod nvptx_coalescer;
pub mod remat;
pub mod short_addresses;
pub mod sink;
pub mod unroll;
pub mod wide_phis;
