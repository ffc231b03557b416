//! Writes values as linear forms: a sum of registers, each times a factor, and a constant.
//!
//! **Problem.** Two addresses can be compared only if it is known what they are sums of. Between the index of an array and the
//! address there are operations that do not distribute over sums as such: `or`, and extensions from 32 to 64 bits, before which a sum
//! must not wrap around.
//!
//! **Algorithm.** From a register back through its definitions. A form is exact modulo 2^64; that of a register of 32 bits as such is
//! exact modulo 2^32. `or` and `xor` are sums where no bit can be set on both sides. An extension distributes over an operation of 32
//! bits if the exact result is less than 2^32. Both are decided by the bits of a register that may be set. A register that is no sum
//! is an *atom*, a term by itself; so are bits of an atom that `and` or a right shift selects.
//!
//! * [`operation`]: the operations that define registers.
//! * [`linear`]: the forms and their arithmetic.
//! * [`bits`]: the bits that may be set.
//! * [`registers`]: from registers to forms.
//!
//! **Source.** LLVM's `SeparateConstOffsetFromGEP` and `computeKnownBits`, which work on IR and believe its flags; this is for the
//! operations that are left behind instruction selection. **Deviation:** flags (`nuw`, `disjoint`) are not believed, as passes that make
//! one instruction of two equal ones need not have kept them right.
//!
//! **Complexity.** Every register is looked at once; a form has at most [`linear::MAX_TERMS`] terms.

pub mod bits;
pub mod linear;
pub mod operation;
pub mod registers;

pub use linear::{AtomId, FormId, Term};
pub use operation::{Definition, Defs, Op, Value};
pub use registers::Forms;
