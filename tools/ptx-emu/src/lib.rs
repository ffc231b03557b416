//! PTX without a GPU: reads it, and executes it by interpretation.
//!
//! **What for.** Two texts of a module are compared by what they do (`ptx-compare equal`), a text with results that are known
//! (`ptx-compare grid`), and the code that ptxas makes of a text with the text itself.
//!
//! Two modules, of which the second uses the first:
//!
//! * [`ptx`]: the parser, counts of what a text has, the types of its registers, and one thread on symbolic values.
//! * [`grid`]: whole grids on memory: integers, floating point to the bit, shuffles, barriers, atomics, matrices.
//!
//! The crate knows PTX only: no LLVM, no SASS, no command line.

#![deny(unsafe_code)]
#![warn(missing_docs)]

pub mod grid;
pub mod ptx;
