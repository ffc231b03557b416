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
    /// Whether redundant copies are omitted or erased (requirements E11 to E14).
    pub omits_redundant_copies: bool,
    /// The order.
    pub order: EmitOrder,
}
