//! Writes, as statements for a solver, the rules by which values are recomputed. `scripts/prove`
//! has them proved. Only in tests.
//!
//! * [`term`]: the terms that stand in for numbers.
//! * [`operations`]: the rules of [`crate::ssa::forms`].
//! * [`linear`]: the arithmetic of stored forms.
//! * [`low_halves`]: the rules of [`crate::nvptx::narrowing`].
//! * [`stages`]: the code that stages make with these rules.

mod linear;
mod low_halves;
mod operations;
mod stages;
mod term;

use serde::Serialize;
use term::Case;

/// A rule.
#[derive(Clone, Serialize)]
pub struct Statement {
    /// Names the operation, and how its result is computed.
    rule: String,
    /// The width of the numbers; in the code it is 64.
    bits: u32,
    /// All that must hold.
    cases: Vec<Case>,
}

fn all() -> Vec<Statement> {
    [operations::statements(), linear::statements(), low_halves::statements(), stages::statements()].concat()
}

/// Writes the statements to the file that `PTX_STATEMENTS` names, a line of JSON each, if it names
/// one.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn statements_of_all_rules() {
    let statements = all();
    assert!(statements.iter().all(|s| !s.cases.is_empty()));
    if let Some(path) = std::env::var_os("PTX_STATEMENTS") {
        let lines: Vec<_> =
            statements.iter().map(|s| serde_json::to_string(s).expect("it is text")).collect();
        std::fs::write(&path, lines.join("\n") + "\n")
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}
