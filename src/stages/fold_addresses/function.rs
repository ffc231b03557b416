//! Holds what the search through a function needs at hand.

use crate::ssa::forms::Forms;
use crate::ssa::SsaFacts;

/// A function that is read, and its registers as forms.
pub struct Function<'a, D, M> {
    /// Its code.
    pub facts: &'a SsaFacts,
    /// The target.
    pub machine: &'a M,
    /// The forms of its registers.
    pub forms: &'a mut Forms,
    /// What forms are made of.
    pub defs: &'a mut D,
}
