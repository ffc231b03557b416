//! Extracts signed bit fields by two shifts (default profile, stage `bit-fields`).
//!
//! **Problem.** LLVM makes one `bfe.s32` of two shifts. ptxas makes two machine instructions of it
//! again, `SHF.R` and `SGXT`. Both are on the pipe of logic, which takes half of the instructions
//! that a scheduler can issue. Of two shifts ptxas makes `SHF.L`, or a multiplication `IMAD.SHL`
//! where that pipe is busy, and `SHF.R`. It also puts the right shift and a sum together, which it
//! does not do with `SGXT`:
//!
//! ```text
//! bfe.s32 %r2, %r1, 7, 1;       shl.b32 %r3, %r1, 24;
//!                               shr.s32 %r2, %r3, 31;
//! ```
//!
//! **Algorithm.** In SSA form ([`fields`]). Each `bfe.s32` with a constant position and width is
//! read. Three kinds of fields stay: those that begin at bit 0, of which ptxas makes one `SGXT`;
//! bytes and halves at a multiple of eight bits, which a conversion to floating point reads for
//! nothing; and those that reach the last bit.
//!
//! **Source.** None: found in the machine code of nvcc 13.0, whose compiler does not make `bfe` of
//! shifts. **Deviation.** None. **Complexity.** Linear in the instructions.

pub mod fields;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::BitFields;
