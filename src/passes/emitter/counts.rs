//! Counts the work on a block.

/// The work on one block.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Nodes emitted; each clone counts.
    pub nodes: u64,
    /// Instructions made, without debug instructions.
    pub instructions: u64,
    /// COPYs among them that narrow or widen a class.
    pub class_copies: u64,
    /// Virtual registers made.
    pub registers: u64,
    /// Results written straight to the register of the CopyToReg that uses them.
    pub reused: u64,
    /// Debug values and labels.
    pub debug: u64,
    /// Copies that were not made because a glued group already had the value in a register
    /// (requirement E12).
    pub glue_consumers: u64,
    /// Results of inline assembly written straight to the register of the CopyToReg that uses them
    /// (requirement E13).
    pub direct_results: u64,
    /// Nodes of several results (requirement E13).
    pub multi_result: u64,
    /// Nodes with others glued to them (requirement E13).
    pub bundles: u64,
    /// CopyFromRegs of physical registers that were omitted because nothing reads the result
    /// (requirement E11).
    pub unread_copies: u64,
    /// Blocks that were emitted in another order than the scheduler's.
    pub reordered: u64,
    /// The number of 32-bit registers by which their peaks were lowered, in total.
    pub peak_reduction: u64,
    /// Blocks whose order is fixed by calls or physical registers.
    pub fixed: u64,
}
