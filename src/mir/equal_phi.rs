//! Facts about a PHI in IR whose values are all computed alike.

/// Such a PHI.
#[derive(Clone, Copy, Debug)]
pub struct EqualPhi {
    /// The instructions that compute one value.
    pub num_instrs: u32,
}
