//! States the limits that the stage keeps to.

/// How many instructions move together at most.
pub const MAX_CHAIN: usize = 12;
/// In so many blocks for each instruction of a function, all together, readers of operands are looked for; then an operand counts as one
/// that is not live below. It bounds compile time alone.
pub const MAX_BLOCKS_PER_INSTR: usize = 256;
