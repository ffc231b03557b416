//! Counts the work on a block.

/// The work on one block.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Nodes emitted, a clone as one more.
    pub nodes: u64,
    /// Instructions made, without debug instructions.
    pub instructions: u64,
    /// COPYs among them that narrow or widen a class.
    pub class_copies: u64,
    /// Virtual registers made.
    pub registers: u64,
    /// Results that went to the register of the CopyToReg that uses them.
    pub reused: u64,
    /// Debug values and labels.
    pub debug: u64,
    /// Copies that were not made, as a glued group had the value in a register already (requirement E12).
    pub glue_consumers: u64,
    /// Results of inline assembly that went to the register of the CopyToReg that uses them (requirement E13).
    pub direct_results: u64,
    /// Nodes of several results (requirement E13).
    pub multi_result: u64,
    /// Nodes with others glued to them (requirement E13).
    pub bundles: u64,
    /// CopyFromRegs of physical registers that were omitted, as nothing reads the result (requirement E11).
    pub unread_copies: u64,
    /// Blocks that were emitted in another order than the source's.
    pub reordered: u64,
    /// By how many registers of 32 bits their peaks were lowered.
    pub peak_reduction: u64,
    /// Blocks that have one order only, for calls or for physical registers.
    pub fixed: u64,
}
