//! Replaces two PHIs that carry the halves of one value by one PHI of the whole (requirement C7, `cicc` profile).
//!
//! **Problem.** SelectionDAG sees one block at a time. So a packed value that crosses a block boundary is unpacked where it is computed and
//! packed again where it is used. A software-pipelined loop on `<2 x half>` has
//!
//! ```text
//! %lo = PHI %lo0, %entry, %lo1, %loop      ...   %lo1, %hi1 = I32toV2I16 %next
//! %hi = PHI %hi0, %entry, %hi1, %loop      ...   %lo2, %hi2 = V2I16toI32 ...
//! %v  = V2I16toI32 %lo, %hi
//! ```
//!
//! ptxas turns that into PRMT and MOV, and needs two registers instead of one.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables ([`pairs`]). Start with a pair of PHIs that a pack reads together, and follow the
//! PHIs that it reads, up to pairs that a value was unpacked to. A pair can be replaced if every reader of a half is a pack of just this
//! pair, or the same operand of a pair that is replaced. So pairs that read one another are replaced together or not at all ([`IntEqClasses`](crate::adt::IntEqClasses)).
//!
//! The PHI of the low half takes over the whole; the one of the high half, the packs, and unpacks that nothing reads any more are
//! erased (`pass`).
//!
//! Measurements: docs/measured.md, "Registers, SASS, spills".
//!
//! **Source.** The problem is that of the wide pairs in the reference description of CICC 13.0's register coalescing (requirement C7).
//! **Deviation:** there pairs are coalesced behind PHI elimination, where the copies of the halves are in the way. Debug values of a half
//! are lost, as no register holds it any more.
//!
//! **Complexity.** Almost linear in the PHIs, their readers, and the operands of the PHIs of pairs.

pub mod groups;
pub mod parts;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::WidePhis;
