//! Facts about a load in IR that may move before stores of its block.

/// Such a load.
#[derive(Clone, Copy, Debug)]
pub struct EarlyLoad {
    /// The loads of its block that were moved before it.
    pub num_moved: u32,
    /// Whether its block is in a loop.
    pub is_in_loop: bool,
}
