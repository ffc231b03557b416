//! Says how blocks are emitted.

/// The order in which the nodes of a block are emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EmitOrder {
    /// That of the scheduler that the user chose. LLVM's default for NVPTX follows the source.
    #[default]
    Source,
    /// The one that needs the fewest registers, see `pressure_order.rs`.
    Pressure,
}

/// How blocks are emitted. The default does what the stock emitter does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Whether to erase copies and other results that nothing reads (requirement E11).
    pub dead_copies: bool,
    /// Whether a glued node reads the register that already holds a value, not a copy (requirement
    /// E12).
    pub glue_consumers: bool,
    /// Whether the results of inline assembly go straight to the register that a CopyToReg wants
    /// (requirement E13).
    pub direct_results: bool,
    /// Whether to erase parameters that nothing reads (requirement E14).
    pub dead_parameters: bool,
    /// The order.
    pub order: EmitOrder,
}

impl Settings {
    /// Everything that the emitter can do.
    #[cfg(test)]
    pub fn improved(order: EmitOrder) -> Settings {
        Settings {
            dead_copies: true,
            glue_consumers: true,
            direct_results: true,
            dead_parameters: true,
            order,
        }
    }
}
