//! Compares the values that instructions read which are not computed.
//!
//! **Problem.** A stage that computes addresses anew must leave all other instructions as they were, with the same values.
//! **Algorithm.** Their reads are listed in order, before and behind the stage; the two lists must be equal. **Complexity.**
//! Linear.

use super::Values;

/// An operand that an instruction reads, or the address of a load or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Tells instructions apart.
    pub key: usize,
    /// The values of the operand or address.
    pub values: Values,
}

/// Returns the position of the first access that is another one or has other values; none if all are as they were.
pub fn first_difference(before: &[Access], after: &[Access]) -> Option<usize> {
    let first = before.iter().zip(after).position(|(b, a)| b != a);
    first.or_else(|| (before.len() != after.len()).then(|| before.len().min(after.len())))
}
