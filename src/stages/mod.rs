//! Holds the stages that stock LLVM does not have. [`crate::plugin::pipeline`] says where each of
//! them runs.
//!
//! Each stage is a folder. Its `mod.rs` states the problem and the solution. The algorithm needs no
//! LLVM; `pass.rs` binds it to LLVM's function: facts in, edits out.
//! `choices` counts for the stages on IR.

pub mod bit_fields;
pub mod choices;
pub mod cssa;
pub mod divisions;
pub mod early_loads;
pub mod equal_phis;
pub mod flush;
pub mod fold_addresses;
pub mod hoist;
pub mod induction;
pub mod loop_branches;
pub mod nounroll;
pub mod nvptx_coalescer;
pub mod ptxas_errata;
pub mod remat;
pub mod restrict;
pub mod short_addresses;
pub mod sink;
pub mod unroll;
pub mod wide_phis;
