//! States the limits that the stage keeps to. Those that were measured: docs/measured.md, "Computing again".

use super::types::PerFile;

/// Below this pressure a block is no trouble. With fewer than 48 registers hardly more threads would run; there are seven predicates,
/// and further ones are bits of a register, which takes instructions.
pub const MIN_PRESSURE: PerFile<u32> = PerFile { registers: 48, predicates: 7 };
/// Candidates that live through a block have to be one part of so many of all that lives into it: an eighth.
pub const MIN_SHARE: u32 = 8;
/// How many instructions compute a candidate at most.
pub const MAX_STEPS: usize = 3;
/// A register that lives into more blocks is left as it is. It bounds compile time alone.
pub const MAX_BLOCKS: usize = 1024;
