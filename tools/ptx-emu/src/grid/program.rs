//! A module, ready to run, and the reasons why a run stops.

use crate::error::Error;

use super::decode::{self, Code};
use super::float::Approximation;
use super::image::Image;

/// A module, ready to run.
pub struct Program {
    /// Variables and functions of the module.
    pub image: Image,
    codes: Vec<Result<Code, String>>,
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
        let image = Image::read(ptx).map_err(Error::Text)?;
        let decode = |number| decode::decode(&image, number, approximation);
        let codes = (0..image.functions.len()).map(decode).collect();
        Ok(Program { image, codes })
    }

    /// The names of the kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        let functions = self.image.functions.iter().zip(&self.image.heads);
        functions.filter(|(_, head)| head.is_kernel).map(|(function, _)| function.name.as_str())
    }

    pub(crate) fn code(&self, function: usize) -> Result<&Code, Stop> {
        let code = &self.codes[function];
        code.as_ref().map_err(|why| Stop::Unknown(format!("{}: {why}", self.image.functions[function].name)))
    }
}

/// Why a run stopped before its kernel ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has run as many instructions as it may.
    Budget,
    /// The kernel reports an error: a trap, or a failed assertion. Line and reason.
    Trap(usize, String),
    /// A GPU would fault.
    Fault(usize, &'static str),
    /// The next step depends on an undefined value.
    Undefined(usize, &'static str),
    /// All threads wait.
    Deadlock,
    /// The emulator does not know something in it.
    Unknown(String),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Budget => write!(f, "the budget of instructions is used up"),
            Stop::Trap(line, what) => write!(f, "line {line}: {what}"),
            Stop::Fault(line, what) => write!(f, "line {line}: {what}"),
            Stop::Undefined(line, what) => write!(f, "line {line}: {what} is undefined"),
            Stop::Deadlock => write!(f, "all threads wait for each other"),
            Stop::Unknown(what) => write!(f, "{what}"),
        }
    }
}
