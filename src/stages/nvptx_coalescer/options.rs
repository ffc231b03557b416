//! Declares the options of the stage.

use super::budget::Budget;

/// The parts of the stage that run, and its budget.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The number of copies that it may look at, and remove.
    pub budget: Budget,
    /// NVPTX's own moves are candidates, not only COPYs (requirement C3).
    pub families: bool,
    /// The worklist runs (requirement C4).
    pub worklist: bool,
    /// Candidates with lower registers come first; otherwise the code's order decides.
    pub lower_registers_first: bool,
    /// Heavier candidates come first.
    pub weights: bool,
    /// Weights depend on block frequencies.
    pub frequencies: bool,
    /// The candidates of each block come before those of the function.
    pub blocks_first: bool,
    /// Candidates that failed are tried again.
    pub retries: bool,
    /// Registers may overlap where they hold the same value (requirement C5).
    pub by_value: bool,
    /// Copies of constants become immediate moves, and redundant moves go (requirement C9).
    pub constants: bool,
}

impl Options {
    /// Everything, with no budget.
    pub const ALL: Options = Options {
        budget: Budget { copies: u32::MAX, joins: u32::MAX },
        families: true,
        worklist: true,
        lower_registers_first: true,
        weights: true,
        frequencies: true,
        blocks_first: true,
        retries: true,
        by_value: true,
        constants: true,
    };
}
