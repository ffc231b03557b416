//! Writes values as linear forms: a sum of registers, each times a factor, and a constant.
//!
//! **Problem.** To compare two addresses, their terms must be known. Between an array index and the
//! address there are operations that distribute over sums only under conditions: `or`, and
//! extensions from 32 to 64 bits, before which a sum must not wrap around.
//!
//! **Algorithm.** Follow a register back through its definitions. A form is exact modulo 2^64; the
//! form of a register of 32 bits that is not extended is exact modulo 2^32. `or` and `xor` are sums
//! if no bit can be set on both sides. An extension distributes over an operation of 32 bits if the
//! exact result is less than 2^32. Both follow from the bits of a register that may be set. A
//! register that is not a sum is an *atom*, a term by itself. So are bits of an atom that `and` or
//! a right shift selects.
//!
//! * [`operation`]: the operations that define registers.
//! * [`linear`]: the forms and their arithmetic.
//! * [`bits`]: the bits that may be set.
//! * [`rules`]: from an operation to the form of its result, each under its conditions.
//! * [`number`]: the numbers that bits and rules compute with.
//! * [`registers`]: from registers to forms.
//!
//! **Source.** LLVM's `SeparateConstOffsetFromGEP` and `computeKnownBits`, which work on IR and use
//! its flags. This is for the operations after instruction selection. **Deviation:** flags (`nuw`,
//! `disjoint`) are not used, as passes that merge two equal instructions may have left wrong ones.
//!
//! **Complexity.** Every register is visited once. A form has at most [`linear::MAX_TERMS`] terms.

pub mod bits;
pub mod linear;
pub mod number;
pub mod operation;
pub mod registers;
pub mod rules;

pub use linear::{AtomId, FormId, Term};
pub use operation::{Definition, Defs, Op, Value};
pub use registers::Forms;
