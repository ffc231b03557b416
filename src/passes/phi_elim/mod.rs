//! PHI elimination: the function leaves SSA form, every PHI becomes copies.
//!
//! **Problem.** A PHI selects a value by the edge that control came over; no machine does that. Behind this
//! pass the values of `%d = PHI %a, %bb.1, %b, %bb.2` meet in a new register, the *incoming* one: a copy
//! `%in = COPY %a` at the end of `%bb.1`, another in `%bb.2`, and `%d = COPY %in` where the PHI was. As every
//! PHI has an incoming register of its own, PHIs of one block that swap values among themselves need no
//! further care; the coalescer takes away the copies that nothing is in the way of.
//!
//! **Algorithm.**
//!
//! 1. Critical edges are split where a copy at the end of the predecessor would live beside its source
//!    ([`split`]).
//! 2. For every edge and register the PHIs that read the register over that edge are counted ([`uses`]): the
//!    last one to be lowered ends it, unless it is live out for another reason.
//! 3. Block by block, PHI by PHI from the top ([`lower`]): the copy in place of the PHI, the copies at the
//!    ends of predecessors ([`insert_point`]), and what LiveVariables and LiveIntervals say of the registers.
//!    A PHI that was lowered before with the same operands shares its incoming register ([`lowered`]). Values
//!    that are undefined become IMPLICIT_DEFs.
//! 4. An IMPLICIT_DEF that only PHIs have read goes.
//!
//! **Source.** For byte-identical output `PHIElimination.cpp` and `PHIEliminationUtils.cpp` of LLVM 17 to 22,
//! whose differences are [`crate::versions::PhiElim`].
//!
//! **Our deviation.** None in what comes out. Counts are in arrays where LLVM has a hash map; LiveVariables is
//! asked once for each register, not for each use; what is live into the blocks behind split edges is collected
//! before the first split and for these blocks only, not for every function and block; a lowered PHI is freed
//! at once, as its operands are kept instead.
//!
//! **Complexity.** O(operands of PHIs + kills of the registers they read + successors of the predecessors), but
//! for what LLVM's sorted segments take where LiveIntervals are kept, and its lists of kills where PHIs share
//! an incoming register.

mod lowered;
mod uses;

// What changes a live function.
#[cfg(not(test))]
mod insert_point;
#[cfg(not(test))]
mod lower;
#[cfg(not(test))]
mod pass;
#[cfg(not(test))]
mod shared;
#[cfg(not(test))]
mod split;

#[cfg(not(test))]
pub use pass::{Options, PhiElim};
#[cfg(not(test))]
pub use shared::SharedRegisters;
