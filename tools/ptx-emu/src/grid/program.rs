//! A module, ready to run, and the reasons why a run stops.

use crate::error::Error;
use crate::ptx::parse::Function;

use super::decode::{self, Code};
use super::float::Approximation;
use super::image::Image;

/// A module, ready to run.
pub struct Program {
    /// Variables and functions of the module.
    pub image: Image,
    codes: Vec<Result<Code, Error>>,
}

impl Program {
    /// Reads a PTX text. The error names what is not understood. A function that is not understood
    /// is an error only when it is called.
    pub fn new(ptx: &str) -> Result<Program, Error> {
        Program::with(ptx, Approximation::Hash)
    }

    /// The same as [`Program::new`]; `approximation` says what values approximate instructions
    /// have.
    pub fn with(ptx: &str, approximation: Approximation) -> Result<Program, Error> {
        let image = Image::read(ptx)?;
        let decode = |(number, function): (usize, &Function)| {
            decode::decode(&image, number, approximation).map_err(|why| why.of(&function.name))
        };
        let codes = image.functions.iter().enumerate().map(decode).collect();
        Ok(Program { image, codes })
    }

    /// The names of the kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        let functions = self.image.functions.iter().zip(&self.image.heads);
        functions.filter(|(_, head)| head.is_kernel).map(|(function, _)| function.name.as_str())
    }

    pub(crate) fn code(&self, function: usize) -> Result<&Code, Error> {
        self.codes[function].as_ref().map_err(Error::clone)
    }
}

/// Why a run stopped before its kernel ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// It has run as many instructions as it may.
    #[error("the budget of instructions is used up")]
    Budget,
    /// The kernel reports an error: a trap, or a failed assertion. Line and reason.
    #[error("line {0}: {1}")]
    Trap(usize, String),
    /// A GPU would fault.
    #[error("line {0}: {1}")]
    Fault(usize, &'static str),
    /// The next step depends on an undefined value.
    #[error("line {0}: {1} is undefined")]
    Undefined(usize, &'static str),
    /// All threads wait.
    #[error("all threads wait for each other")]
    Deadlock,
    /// The emulator does not know something in it.
    #[error(transparent)]
    Unknown(#[from] Error),
}
