//! States the limits that the stage keeps to.

/// How many instructions move together at most.
pub const MAX_CHAIN: usize = 12;
/// In how many blocks of a function it is looked for readers of operands, all together; then no more instructions move. It bounds compile
/// time alone.
pub const MAX_BLOCKS: usize = 1 << 22;
