//! The stages that stock LLVM has not, in the order in which they run.

pub mod cssa;
pub mod fold_addresses;
pub mod hoist;
pub mod induction;
pub mod nvptx_coalescer;
pub mod remat;
pub mod wide_phis;
