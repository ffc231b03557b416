//! Predicts which of two versions of a GPU kernel is faster, without a GPU.
//!
//! **Problem.** Registers, instructions and occupancy say little about time. What decides is which instructions wait for what, on all warps
//! that share a multiprocessor.
//!
//! **Method.** `sass-emu` runs some blocks of the kernel; [`trace`] records which instructions each warp issued and which memory it
//! touched. [`memory`] says which level of the hierarchy answers each access. [`replay`] then plays these traces on a model of one multiprocessor:
//! four schedulers, the stall counts and scoreboards that ptxas wrote into the code, pipes with their widths, shared memory with bank
//! conflicts, L1, L2 and DRAM with latencies and bandwidths, barriers, and blocks that follow each other. [`machine`] holds the
//! numbers of each architecture, with the source of each.
//!
//! | module | content |
//! |---|---|
//! | [`pipe`] | which pipe executes an opcode |
//! | [`machine`] | the numbers of an architecture |
//! | [`trace`] | what warps did, recorded while the emulator runs |
//! | [`memory`] | the level that answers each access, and what it costs |
//! | [`code`] | the facts of each instruction that the replay asks for |
//! | [`replay`] | the model of a multiprocessor |
//!
//! **Source.** Control fields: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking". The structure: Huerta et
//! al., "Analyzing Modern NVIDIA GPU cores" (2025). The use, ranking versions of one kernel by stall counts: Sakdhnagool et al., "RegDem".
//!
//! **Deviation.** Not modelled: the instruction cache, the TLB, the other multiprocessors (each
//! gets its share of L2 and DRAM). So the result is a ratio of two versions, not microseconds.
//!
//! **Complexity.** Linear in the instructions that are replayed, times the warps of a scheduler.

pub mod code;
pub mod machine;
pub mod memory;
pub mod pipe;
pub mod replay;
pub mod trace;
