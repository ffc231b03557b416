//! Computes LiveVariables, SlotIndexes and LiveIntervals.
//!
//! **Problem.** Every later pass asks where a register is live. LLVM has two answers. LiveVariables
//! is for code in SSA form: the blocks that a register is alive through, its kills and its dead
//! defs. LiveIntervals is for any code: segments of slots, and value numbers. A later pass must
//! find the same contents here as in LLVM's.
//!
//! **Algorithm.** Both are computed from the same facts, in the eight phases of the reference.
//! [`Liveness::analyze`] runs phases 1 to 4, [`Liveness::live_intervals`] runs 5 to 8. Each phase
//! has a function in [`analysis`] or a file of its own:
//!
//! 1. `reset`: empties the buffers and keeps them.
//! 2. `auxiliary_tables`: orders the graph ([`crate::cfg`]).
//! 3. `choose_method`: a small function needs no bitsets (requirement L6). It runs after phase 4,
//!    which counts the instructions.
//! 4. [`block_facts`]: numbers slots ([`slot_index`]) and gathers the defs and uses of each block,
//!    in one walk.
//! 5. [`propagate`]: finds the blocks that registers are live into and out of, with two bitsets in
//!    one fixed point.
//! 6. [`values`]: finds the value that is live in where a register has several, and makes PHI-defs.
//! 7. [`segments`]: turns the solution of phase 5 into segments, joined across blocks.
//! 8. `finish`: hands the ranges over ([`ranges`]).
//!
//! Phases 5, 7 and 8 run for one group of registers after the other. LiveVariables
//! ([`live_variables`]) uses the result of phase 5. [`pressure`] (requirement L8) measures register
//! pressure if an option asks for it.
//!
//! **Source.** The reference description of the live-range calculation (docs/requirements.md);
//! `LiveVariables.cpp`, `LiveIntervals.cpp`, `LiveRangeCalc.cpp`. **Deviations.** The reference
//! computes intervals one by one, with a hash table by block. Here all registers are computed at
//! once, and local ones, which are most, need no data flow. Errata 8 to 11: no block is left out,
//! the method for small functions is exact, kill sets are not expanded, and there really are two
//! bitsets.
//!
//! **Complexity.** Linear in operands and in the size of the result. Registers with several values
//! cost as much as in LLVM.

pub mod analysis;
pub mod block_facts;
pub mod live_range_calc;
pub mod live_variables;
#[cfg(all(ptx_host, feature = "plugin", not(test)))]
pub mod llvm_host;
#[cfg(all(ptx_host, feature = "plugin", not(test)))]
pub mod pass;
#[cfg(all(ptx_host, feature = "plugin", not(test)))]
pub mod phys_regs;
pub mod pressure;
pub mod propagate;
pub mod ranges;
pub mod segments;
pub mod slot_index;
#[cfg(test)]
pub(crate) mod tests;
pub mod unsuited;
pub mod values;

pub use analysis::{Liveness, LivenessHost};
#[cfg(all(ptx_host, feature = "plugin", not(test)))]
pub(crate) use unsuited::unsuited_counters;
pub use unsuited::{Unsuited, UnsuitedCounters};
