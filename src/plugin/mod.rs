//! What LLVM loads: the list of passes, the options, the statistics.

pub mod knobs;
pub mod pipeline;
pub mod stats;
