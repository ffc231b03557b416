//! Values of the IR that live across blocks.

pub use super::records::{PtxIrEdge as IrEdge, PtxIrUse as IrUse, PtxIrValue as IrValue};

/// The IR values that instruction selection keeps in registers across blocks, and the function's
/// blocks.
#[derive(Clone, Copy, Default)]
pub struct Ir<'a> {
    /// In ascending order of registers.
    pub values: &'a [IrValue],
    /// The uses of all values.
    pub uses: &'a [IrUse],
    /// All edges.
    pub edges: &'a [IrEdge],
    /// How many blocks there are.
    pub num_blocks: usize,
}

impl<'a> Ir<'a> {
    /// The uses of a value.
    pub fn uses_of(&self, value: &IrValue) -> &'a [IrUse] {
        &self.uses[value.first_use as usize..][..value.num_uses as usize]
    }
}
