//! Computes registers further up, where the registers that they are computed of end (`cicc` profile, stage `hoist`).
//!
//! **Problem.** LLVM sinks a computation to the block that reads it (InstCombine, MachineSink), and looks at one instruction
//! at a time. An expression of many registers then waits for its reader with all of them live:
//!
//! ```text
//! %g1 ... %g8 are computed          %g1 ... %g8 are computed
//! if (...) { ... }                  %v = f(%g1, ..., %g8)
//! %v = f(%g1, ..., %g8)             if (...) { ... }
//! ```
//!
//! ptxas moves nothing over blocks that would save registers.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables.
//!
//! 1. Each block is paired with the nearest one above that is executed as often (`regions`). The pairs are visited from the
//!    lowest block to the highest, so that code goes up several blocks one by one.
//! 2. A computation of the lower block is a candidate if its operands are defined above, or are candidates themselves
//!    (`candidates`).
//! 3. A minimum cut (`network`, [`cut`]) finds which candidates to compute above, so that the registers that are live from the
//!    upper block to the lower one have the fewest bits. A register that is live there anyway costs nothing. Neither does one
//!    that ptxas recomputes below by itself: one that a few instructions compute of parameters and thread numbers.
//! 4. Candidates move if that saves at least [`Limits::min_gain`].
//!
//! Routines that ptxas calls stay: other registers would be live across the call, and so would those of the call.
//! Inline assembly without effects moves as well, as LLVM up to 21 sinks it.
//!
//! **Source.** Min-cut placement as in register-pressure aware code motion; no description of CICC has it. NVIDIA's compiler needs
//! as few registers on the kernels that change most. **Deviation:** none. Measurements: docs/measured.md, "Computing where registers end".
//!
//! **Complexity.** Linear in the instructions and operands; for a block with something to gain, its gain times its edges, both bounded
//! ([`limits::MAX_MOVABLE`], [`limits::MAX_READS`]).

mod candidates;
pub mod cut;
pub mod limits;
mod network;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod pass;
pub mod placement;
pub mod regions;
pub mod target;
#[cfg(test)]
mod tests;

use crate::mir::BlockId;
use crate::ssa::SsaFacts;
use candidates::Candidates;
use limits::Limits;
use network::Network;
use placement::{Move, Placement};
use regions::Regions;
use target::HoistTarget;

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct Hoisting {
    regions: Regions,
    from_below: Vec<BlockId>,
    placement: Placement,
    candidates: Candidates,
    network: Network,
}

impl Hoisting {
    /// Finds the instructions of a function in SSA form that are to move, in the order in which they are to be moved.
    pub fn run(
        &mut self,
        facts: &SsaFacts,
        limits: &Limits,
        target: &mut impl HoistTarget,
        moves: &mut Vec<Move>,
    ) {
        let Hoisting { regions, from_below, placement, candidates, network } = self;
        moves.clear();
        network.min_gain = limits.min_gain;
        regions.compute(facts);
        regions.list_from_below(facts, from_below);
        if from_below.is_empty() {
            return;
        }
        placement.read(facts, target, from_below);
        for &block in &*from_below {
            let above = regions.above(block).expect("only blocks that have one are listed");
            candidates.find(facts, placement, block, above);
            if network.cut(facts, target, placement, candidates, block, above) {
                placement.move_up(facts, block, above, |reg| {
                    candidates.value(reg).is_some_and(|value| network.is_above(value))
                });
            }
        }
        placement.list_moves(facts, moves);
    }
}
