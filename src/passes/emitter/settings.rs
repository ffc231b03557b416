//! Says how blocks are emitted.

/// The order in which the nodes of a block are emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EmitOrder {
    /// That of the scheduler that the user chose; LLVM's choice for NVPTX follows the source.
    #[default]
    Source,
    /// The one that needs the fewest registers, see `pressure_order.rs`.
    Pressure,
}

/// How blocks are emitted. The default is the way of the stock emitter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Whether copies and other results that nothing reads go (requirement E11).
    pub dead_copies: bool,
    /// Whether a glued node reads the register that holds a value already, not a copy (requirement E12).
    pub glue_consumers: bool,
    /// Whether the results of inline assembly are put where a CopyToReg wants them (requirement E13).
    pub direct_results: bool,
    /// Whether parameters that nothing reads go (requirement E14).
    pub dead_parameters: bool,
    /// The order.
    pub order: EmitOrder,
}

impl Settings {
    /// All that the emitter can do.
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
