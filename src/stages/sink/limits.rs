//! States the limits of the stage.

/// At most this many instructions move together.
pub const MAX_CHAIN: usize = 12;
/// The searches for operands' readers may visit this many blocks per instruction, in total for a
/// function. After that, operands count as not live below. This bounds compile time only.
pub const MAX_BLOCKS_PER_INSTR: usize = 256;
