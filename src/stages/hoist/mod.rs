//! Moves computations up, to where the registers that they read end (default profile, stage
//! `hoist`).
//!
//! **Problem.** LLVM sinks a computation to the block that reads it (InstCombine, MachineSink), and
//! looks at one instruction at a time. An expression of many registers then waits for its reader
//! while all of them are live:
//!
//! ```text
//! %g1 ... %g8 are computed          %g1 ... %g8 are computed
//! if (...) { ... }                  %v = f(%g1, ..., %g8)
//! %v = f(%g1, ..., %g8)             if (...) { ... }
//! ```
//!
//! ptxas moves nothing across blocks to save registers.
//!
//! **Algorithm.** In SSA form, before LiveVariables.
//!
//! 1. Each block is paired with the nearest block above that is executed equally often (`regions`).
//!    The pairs are visited from the lowest block to the highest, so code can move up several
//!    blocks, one at a time.
//! 2. A computation of the lower block is a candidate if its operands are defined above, or are
//!    candidates themselves (`candidates`).
//! 3. A minimum cut (`network`, [`cut`]) chooses the candidates to compute above, so that the
//!    registers that are live from the upper block to the lower one have the fewest bits. A
//!    register that is live there anyway costs nothing. Neither does one that ptxas recomputes
//!    below by itself, from parameters and thread numbers in a few instructions.
//! 4. Candidates move if that saves at least [`Limits::min_gain`], in functions for which ptxas is
//!    predicted to use at least [`Limits::min_registers`].
//!
//! Routines that ptxas calls stay: other registers would be live across the call, and so would
//! those of the call. Inline assembly without side effects moves too, as LLVM up to 21 sinks it.
//!
//! **Source.** Min-cut placement as in register-pressure-aware code motion; no description of CICC
//! has it. On the kernels that change most, NVIDIA's compiler needs equally few registers.
//! **Deviation:** none. Measurements: docs/stages/hoist.md, "Computing where registers end".
//!
//! **Complexity.** Linear in the instructions and operands. For a block with something to gain, its
//! gain times its edges; both are bounded ([`limits::MAX_MOVABLE`], [`limits::MAX_READS`]).

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
use crate::ssa::pressure::{SsaPressure, StorageOf};
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
    pressure: SsaPressure,
}

impl Hoisting {
    /// Finds the instructions of a function in SSA form that move, in the order in which they must
    /// be moved.
    pub fn run(
        &mut self,
        facts: &SsaFacts,
        limits: &Limits,
        target: &mut (impl HoistTarget + StorageOf),
        moves: &mut Vec<Move>,
    ) {
        let Hoisting { regions, from_below, placement, candidates, network, pressure } = self;
        moves.clear();
        network.min_gain = limits.min_gain;
        regions.compute(facts);
        regions.list_from_below(facts, from_below);
        if from_below.is_empty() {
            return;
        }
        placement.read(facts, target, from_below);
        // Few functions have something to gain, so only these are measured.
        let mut uses_enough = None;
        for &block in &*from_below {
            let above = regions.above(block).expect("only blocks that have one are listed");
            candidates.find(facts, placement, block, above);
            if network.cut(facts, target, placement, candidates, block, above) {
                let predicts = || pressure.predicts(limits.min_registers, facts, target);
                if !*uses_enough.get_or_insert_with(predicts) {
                    return;
                }
                placement.move_up(facts, block, above, |reg| {
                    candidates.value(reg).is_some_and(|value| network.is_above(value))
                });
            }
        }
        placement.list_moves(facts, moves);
    }
}
