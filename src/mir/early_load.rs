//! Facts about a load in IR that may move before stores of its block.

/// Such a load.
#[derive(Clone, Copy, Debug)]
pub struct EarlyLoad {
    /// The stores that wait for a load, and that it passes: at least one.
    pub num_stores: u32,
    /// The instructions that compute its address, and move with it.
    pub num_instrs: u32,
    /// The loads of its block that were moved before it.
    pub num_moved: u32,
    /// Whether its block is in a loop.
    pub is_in_loop: bool,
}
