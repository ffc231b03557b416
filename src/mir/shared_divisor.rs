//! Facts about divisions in IR that have one divisor.

/// Divisions of a block that have the same divisor, and could be computed in one place.
#[derive(Clone, Copy, Debug)]
pub struct SharedDivisor {
    /// How many they are.
    pub num_divisions: u32,
    /// Those of them that divide 1.
    pub num_reciprocals: u32,
}
