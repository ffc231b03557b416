//! Control-flow graphs: orders of blocks, dominators, natural loops. They need no LLVM.

pub mod graph;
pub mod loops;
