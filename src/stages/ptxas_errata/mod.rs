//! Writes code that some versions of ptxas compile wrongly in another form (default profile, stage
//! `ptxas-errata`).
//!
//! **Problem.** From 12.6 to 13.3 ptxas takes an unsigned comparison for the signed one of the same
//! operands, if a branch on one leads to a branch on the other
//! ([`Id::UnsignedAsSigned`](crate::nvptx::ptxas_errata::Id)):
//!
//! ```text
//! setp.ge.u32 %p1, %r1, %r2;
//! setp.ge.s32 %p2, %r1, %r2;
//! ```
//!
//! It does so only if both have the same relation and the same order of operands.
//!
//! **Algorithm.** In SSA form. Comparisons of 32 bits are listed by relation and operands. If a
//! signed and an unsigned one are the same apart from the sign, the signed one is written in its
//! other form: `le.s32 b, a`, or with a constant `gt.s32 a, c - 1`. If that form has no constant, or
//! would be the same as another unsigned comparison, the unsigned one gets its other form.
//!
//! From 12.6 to 13.3 it also makes one instruction of two maxima or minima, and loses the minus sign
//! if the second operand of the first one is a negation
//! ([`Id::NegatedMaximum`](crate::nvptx::ptxas_errata::Id)). The operands of the first one are
//! exchanged, unless both are negations.
//!
//! Up to 13.1 it loses the constant of an `add.s16x2` if one half alone of its result is read
//! ([`Id::PackedHalf`](crate::nvptx::ptxas_errata::Id)). A sum of 32 bits takes its place, whose
//! constant is 0 in the other half, so that no carry comes from there into the half that is read.
//! Halves are followed through other sums of pairs and copies. Debug values that would show
//! the half that is not read name no register then.
//!
//! **Cost.** None: no more instructions and registers than before. So the stage also runs
//! if no version of ptxas is named.
//!
//! **Source.** docs/bugs.md. **Deviation.** Pairs without such branches are rewritten as well: ptxas
//! may find other paths between them. Constants in registers and copies are not followed; after
//! instruction selection constants are operands. nvcc 13.0 has nothing like it.
//!
//! **Complexity.** Linear in the instructions.

pub mod comparisons;
pub mod extremes;
pub mod packed;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::{Faults, PtxasErrata};
