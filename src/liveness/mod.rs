//! Computes LiveVariables, SlotIndexes and LiveIntervals.
//!
//! **Problem.** Every later pass asks where a register is live. LLVM answers it twice: LiveVariables (of code
//! in SSA: blocks that a register is alive through, kills, dead defs) and LiveIntervals (of any code: segments
//! of slots, value numbers). Whoever reads them must not be able to tell that they came from here.
//!
//! **Algorithm.** Both are views of the same facts. The eight phases of the reference are
//! [`Liveness::analyze`] and [`Liveness::live_intervals`]; each has its function in [`analysis`] or a file of its own:
//!
//! 1. `reset`: empties the buffers and keeps them.
//! 2. `auxiliary_tables`: orders the graph ([`crate::cfg`]).
//! 3. `choose_method`: a small function needs no bitsets (requirement L6). Instructions are counted in the walk of phase 4.
//! 4. [`block_facts`]: numbers slots ([`slot_index`]) and gathers the defs and uses of each block, in one walk.
//! 5. [`propagate`]: finds the blocks that registers are live into and out of, with two bitsets in one fixed point.
//! 6. [`values`]: finds the value that is live in where a register has several, and makes PHI-defs.
//! 7. [`segments`]: turns the solution of phase 5 into segments, joined across blocks.
//! 8. `finish`: hands the ranges over ([`ranges`]).
//!
//! Phases 5, 7 and 8 alternate, one group of registers after the other. LiveVariables ([`live_variables`])
//! branches off behind phase 5. [`pressure`] (requirement L8) measures the result where it is asked for.
//!
//! **Source.** The reference description of the live-range calculation (docs/requirements.md); `LiveVariables.cpp`, `LiveIntervals.cpp`, `LiveRangeCalc.cpp`.
//! **Deviations.** The reference computes intervals one by one through a hash table by block; here all registers
//! are computed at once and most never reach a data flow (local ones). Errata 8 to 11: no block is left out,
//! the bypass is exact, kill sets are not expanded, the two sets are real.
//!
//! **Complexity.** Linear in operands and in the size of the result, but for registers with several values,
//! which cost what they cost LLVM.

pub mod analysis;
pub mod block_facts;
pub mod live_range_calc;
pub mod live_variables;
#[cfg(all(ptx_host, not(test)))]
pub mod llvm_host;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
#[cfg(all(ptx_host, not(test)))]
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
pub use unsuited::Unsuited;
