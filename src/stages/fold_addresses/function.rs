//! Bundles what the search through a function needs.

use crate::ssa::forms::Forms;
use crate::ssa::SsaFacts;

/// The function being read, and the forms of its registers.
pub struct Function<'a, D, M> {
    /// Its code.
    pub facts: &'a SsaFacts,
    /// The target.
    pub machine: &'a M,
    /// The forms of its registers.
    pub forms: &'a mut Forms,
    /// The definitions that forms are made from.
    pub defs: &'a mut D,
}
