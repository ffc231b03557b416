//! Recomputes cheap values next to their readers when the registers that they are computed from are
//! live there anyway (default profile, stage `remat`).
//!
//! **Problem.** LLVM computes once the values that a loop reads again and again, and assumes that
//! there is a register for each. A key schedule before a loop, `k + 1, k + 2, ...`, takes a
//! register for each key throughout the loop, where `k` alone would do:
//!
//! ```text
//! %k1 = add %k, 1                   loop:
//! %k2 = add %k, 2                     if (...) {
//! loop:                                 %k1 = add %k, 1
//!   if (...) { use %k1, %k2 }           %k2 = add %k, 2
//!   use %k                              use %k1, %k2 }
//!                                     use %k
//! ```
//!
//! The same holds for conditions, and there are only seven predicates: ptxas packs each further one
//! into a register, and unpacks it again. ptxas rematerialises constants and expressions of
//! parameters, but moves nothing else across branches.
//!
//! **Algorithm.** In SSA form, before LiveVariables.
//!
//! 1. Find candidates (`candidates`). A register is one if a cheap instruction computes it from one
//!    register, its *origin*, and constants. A predicate is one if at most [`limits::MAX_STEPS`]
//!    instructions compute it, which compare any registers and combine predicates. Its origins are
//!    the compared registers, except parameters, which ptxas has at hand.
//! 2. Keep those whose origins are live, for other reasons, into every other block that reads the
//!    candidate. The blocks are found by walking from the readers up to the def
//!    ([`crate::ssa::live_in`]). Values of thread numbers that ptxas recomputes by itself are not
//!    live between their readers, whatever their live range says ([`crate::ssa::repeat`]). A
//!    predicate may have such an origin only in a block that reads the origin anyway.
//! 3. Keep those that live through a block that does not read them, if the register pressure there
//!    is high and such candidates are a worthwhile part of it (`pressure`).
//! 4. Drop registers, but not predicates, if the function does not need fewer registers: all warp
//!    slots are taken anyway, and it fits in its target ([`crate::nvptx::cost`]). Further
//!    predicates cost instructions, not only registers.
//! 5. Recompute the others in each block that reads them, before the first reader, and each step
//!    once in a block (`recompute`).
//!
//! **Not rematerialised.** Registers that a comparison reads: it may end a loop, and ptxas unrolls
//! a loop only if that does not change. Registers that inline assembly reads. A comparison of
//! floats that its own block branches on: if another block branches on it as well, only the shared
//! predicate tells ptxas which path was taken; of integers it knows the values after a branch.
//! Uniform values of more than 32 bits: ptxas has them in uniform registers, and would use fewer of
//! these.
//!
//! **Source.** Rematerialisation (Briggs, Cooper, Torczon 1992), before register allocation, as
//! ours has none. NVIDIA's compiler rematerialises too; no description of CICC says how.
//! **Deviation:** none. Measurements: docs/stages/remat.md, "Computing again".
//!
//! **Complexity.** Linear in operands. Each register is followed through at most [`MAX_BLOCKS`]
//! blocks; all registers are followed only if there is something to gain.
//!
//! [`MAX_BLOCKS`]: crate::ssa::live_in::MAX_BLOCKS

mod candidates;
pub mod limits;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod pass;
mod pressure;
pub mod recompute;
#[cfg(test)]
mod tests;
pub mod types;

use crate::nvptx::cost::Budget;
use crate::ssa::live_in::LiveInWalk;
use crate::ssa::pressure::SsaPressure;
use crate::ssa::SsaFacts;
use candidates::Candidates;
use limits::Limits;
use pressure::Pressure;
use recompute::Recomputations;
use types::RematTarget;

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct Rematerialisation {
    candidates: Candidates,
    walk: LiveInWalk,
    pressure: Pressure,
    demand: SsaPressure,
    recomputations: Recomputations,
}

impl Rematerialisation {
    /// Finds the instructions to recompute in a function in SSA form, in an order in which they can
    /// be made.
    pub fn run(
        &mut self,
        facts: &SsaFacts,
        limits: &Limits,
        budget: Budget,
        target: &mut impl RematTarget,
    ) -> &Recomputations {
        let Rematerialisation { candidates, walk, pressure, demand, recomputations } = self;
        recomputations.clear();
        candidates.find(facts, target);
        if candidates.list.is_empty() {
            return recomputations;
        }
        walk.begin(facts.shape.num_blocks());
        candidates.keep_if_origins_live(facts, target, walk);
        pressure.find_blocks_through(facts, target, walk, candidates);
        pressure.measure(facts, limits, target, walk);
        pressure.keep_worthwhile(limits, candidates);
        if candidates.has_registers() {
            demand.measure(facts, target);
            if budget.has_room(demand.peak()) {
                candidates.drop_registers();
            }
        }
        recomputations.list(facts, candidates);
        recomputations
    }
}
