//! The errors of this crate.

/// Why a kernel is not run. A run that begins and stops early has a [`crate::grid::block::Stop`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The emulator does not know something in the text, which this names.
    #[error("{0}")]
    Text(String),
    /// The module has no such kernel.
    #[error("there is no kernel {0}")]
    NoKernel(String),
    /// The text of a launch is wrong.
    #[error("line {line}: {why}")]
    Line {
        /// Its line.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The parameters of a launch are not those of its kernel.
    #[error("{0}")]
    Parameters(String),
    /// A launch or a variable needs more than is allowed.
    #[error("{0}")]
    Limit(String),
}
