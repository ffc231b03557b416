//! Keeps the parts of a value in one register where they are only packed again (requirement C7,
//! default profile).
//!
//! **Problem.** SelectionDAG sees one block at a time. So a packed value that crosses a block
//! boundary is unpacked where it is computed, and packed again where it is used. A
//! software-pipelined loop on `<2 x half>` has
//!
//! ```text
//! %lo = PHI %lo0, %entry, %lo1, %loop      ...   %lo1, %hi1 = I32toV2I16 %next
//! %hi = PHI %hi0, %entry, %hi1, %loop      ...   %lo2, %hi2 = V2I16toI32 ...
//! %v  = V2I16toI32 %lo, %hi
//! ```
//!
//! ptxas turns that into PRMT and MOV, and needs two registers instead of one. 128-bit values have
//! the same moves into and out of inline assembly. Doubles have them around the intrinsics for
//! their halves.
//!
//! **Algorithm.** In SSA form, before LiveVariables.
//!
//! 1. [`parts`] finds round trips: packs of all parts of a value, and unpacks of a packed value.
//!    Their readers then read the register that already holds the result.
//! 2. [`groups`] starts with PHIs that one pack reads together. It follows the PHIs that these
//!    read, up to the parts of one value. A group can be replaced if every reader of a part is a
//!    pack of exactly this group, or the same operand of a group that is replaced. So groups that
//!    read one another are replaced together or not at all
//!    ([`IntEqClasses`](crate::adt::IntEqClasses)). Parts of 32 bits or more may also be packed
//!    where a loop is entered.
//!
//! The PHI of the least significant part becomes the PHI of the whole. The PHIs of the other parts,
//! the packs, and the unpacks that nothing reads any more are erased (`pass`). Then both steps run
//! again: groups of 16 bits become parts of 64 bits, and these become parts of 128.
//!
//! Measurements: docs/measured.md, "Copies".
//!
//! **Source.** The wide pairs of the reference description of CICC 13.0's register coalescing
//! (requirement C7): the high half of a pair inherits the constraints of the low one. Here a group
//! is decided as a unit. Either all parts get one register, of the packs' class, or none does.
//! **Deviation:** CICC coalesces pairs after PHI elimination, where the copies of the halves are in
//! the way. Debug values of a part of a wide PHI are lost, as no register holds the part any more.
//!
//! **Complexity.** Almost linear in the instructions, the PHIs, their readers, and the operands of
//! the PHIs of groups.

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
