//! Says why a function is left to the stock pass.

/// The reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuited {
    /// A register is read and no def reaches it: stock has its own error or its own leniency.
    UseWithoutDef,
    /// A register has several defs, or its def does not dominate its uses, where SSA is asked for.
    NotSsa,
    /// Liveness by part of a register is asked for.
    SubRegisters,
    /// Bundles, where the stock pass looks at their heads alone.
    Bundles,
    /// LLVM's slots are not those of the instructions.
    Slots,
    /// LLVM's intervals have been updated by passes since they were computed.
    Updated,
}

impl Unsuited {
    /// How functions left for this reason are counted.
    pub fn counter(self) -> &'static str {
        match self {
            Unsuited::UseWithoutDef => "left to the stock pass: use without def",
            Unsuited::NotSsa => "left to the stock pass: not SSA",
            Unsuited::SubRegisters => "left to the stock pass: sub-registers",
            Unsuited::Bundles => "left to the stock pass: bundles",
            Unsuited::Slots => "left to the stock pass: slots",
            Unsuited::Updated => "left to the stock pass: intervals that were updated",
        }
    }
}
