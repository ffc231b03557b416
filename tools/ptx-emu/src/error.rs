//! The errors of this crate.

use std::borrow::Cow;

/// Why a text is not understood, or a kernel is not run. A run that begins and stops early has a
/// [`crate::grid::block::Stop`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A name in the text that is not known.
    #[error("unknown {kind} {name}")]
    Unknown {
        /// What it would be: an instruction, a register.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// Something else in the text is wrong, or is not supported.
    #[error("{0}")]
    Text(Cow<'static, str>),
    /// A line of the text is wrong.
    #[error("line {line}: {why}")]
    Line {
        /// Its number.
        line: usize,
        /// What is wrong.
        why: Box<Error>,
    },
    /// A function or a variable of the module is wrong.
    #[error("{name}: {why}")]
    Of {
        /// Its name.
        name: String,
        /// What is wrong.
        why: Box<Error>,
    },
    /// The module has no such kernel.
    #[error("there is no kernel {0}")]
    NoKernel(String),
    /// The parameters of a launch are not those of its kernel.
    #[error("{0}")]
    Parameters(String),
    /// A launch or a variable needs more than is allowed.
    #[error("{0}")]
    Limit(String),
}

impl Error {
    pub(crate) fn unknown(kind: &'static str, name: impl Into<String>) -> Error {
        Error::Unknown { kind, name: name.into() }
    }

    /// The error, on this line.
    pub(crate) fn on(self, line: usize) -> Error {
        Error::Line { line, why: Box::new(self) }
    }

    /// The error, in this function or variable.
    pub(crate) fn of(self, name: &str) -> Error {
        Error::Of { name: name.to_owned(), why: Box::new(self) }
    }
}

impl From<&'static str> for Error {
    fn from(what: &'static str) -> Error {
        Error::Text(what.into())
    }
}

impl From<String> for Error {
    fn from(what: String) -> Error {
        Error::Text(what.into())
    }
}
