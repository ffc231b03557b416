//! Tells why a function is left to the stock pass.

/// The reason why a function is left to the stock pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsuited {
    /// A register is read and no def reaches it. The stock pass reports an error or accepts it.
    UseWithoutDef,
    /// The pass needs SSA form, and a register has several defs, or a def that does not dominate its uses.
    NotSsa,
    /// Liveness of parts of registers is enabled.
    SubRegisters,
    /// There are bundles, and the stock pass looks at their first instructions only.
    Bundles,
    /// LLVM's slots do not match the instructions.
    Slots,
    /// Passes have updated LLVM's intervals since they were computed.
    Updated,
}

impl Unsuited {
    /// Returns the name under which such functions are counted.
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
