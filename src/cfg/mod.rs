//! Control-flow graphs: orders of blocks, dominators, natural loops. They need no LLVM.

mod dominators;
mod graph;
mod loops;
#[cfg(test)]
pub(crate) mod testing;

pub use dominators::Dominators;
pub use graph::Cfg;
pub use loops::{LoopId, Loops};
