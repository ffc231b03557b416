//! Replaces two PHIs that carry the halves of one value by one PHI of the whole (requirement C7, `cicc` profile).
//!
//! **Problem.** A packed value that crosses a block boundary is taken apart where it is computed and put together where it is used, as
//! SelectionDAG sees one block at a time: a software-pipelined loop on `<2 x half>` carries
//!
//! ```text
//! %lo = PHI %lo0, %entry, %lo1, %loop      ...   %lo1, %hi1 = I32toV2I16 %next
//! %hi = PHI %hi0, %entry, %hi1, %loop      ...   %lo2, %hi2 = V2I16toI32 ...
//! %v  = V2I16toI32 %lo, %hi
//! ```
//!
//! ptxas makes PRMT and MOV of that, and keeps two registers where one would do.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables ([`pairs`]). A pair of PHIs that some pack reads together is followed through
//! the PHIs that it reads, until pairs that one value was unpacked to. A pair can be replaced if every reader of a half is a pack of
//! just this pair, or the same operand of a pair that is replaced. As that goes both ways, pairs that read one another are replaced
//! together or not at all ([`IntEqClasses`](crate::adt::IntEqClasses)).
//!
//! The PHI of the low half takes over the whole; the one of the high half, the packs, and unpacks that nothing reads any more are
//! erased (`pass`).
//!
//! Measurements: docs/measured.md, "Registers, SASS, spills".
//!
//! **Source.** The problem is that of the wide pairs in the reference description of CICC 13.0's register coalescing (requirement C7).
//! **Deviation:** there pairs are coalesced behind PHI elimination, where the copies of the halves are in the way. Debug values of a
//! half are lost, as there is no register of it.
//!
//! **Complexity.** O(PHIs + their readers + operands of the PHIs of pairs), nearly.

pub mod pairs;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::WidePhis;
