//! How a register is live at the start of a block.

/// How a register is live at the start of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiveIn {
    /// It is not live.
    No,
    /// A PHI there defines it.
    DefinedAtStart,
    /// It is live out of the predecessors.
    Yes,
}
