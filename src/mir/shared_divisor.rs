//! Facts about divisions in IR that have one divisor.

/// Divisions of a block that have the same divisor, and could be computed in one place; one or more.
#[derive(Clone, Copy, Debug)]
pub struct SharedDivisor {
    /// How many they are.
    pub num_divisions: u32,
    /// Those of them that divide 1.
    pub num_reciprocals: u32,
    /// The divisors of the function that are shared already.
    pub num_shared: u32,
    /// Whether they are in double precision.
    pub is_double: bool,
    /// Whether the innermost loop around them does not change the divisor, so that the reciprocal is
    /// computed before it.
    pub is_invariant: bool,
}
