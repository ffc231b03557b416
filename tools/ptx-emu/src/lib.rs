//! PTX without a GPU: reads it and executes it by interpretation.
//!
//! **Uses.** To compare two texts of a module by what they do (`ptx-compare equal`), a text with
//! known results (`ptx-compare grid`), and ptxas' code for a text with the text itself.
//!
//! Two modules; the second uses the first:
//!
//! * [`ptx`]: the parser, counts of what is in a text, the types of its registers, and one thread
//!   on symbolic values.
//! * [`grid`]: whole grids on memory: integers, floating point to the bit, shuffles, barriers,
//!   atomics, matrices.
//!
//! The crate knows PTX only: no LLVM, no SASS, no command line.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod error;
pub mod grid;
pub mod ptx;

pub use error::Error;
