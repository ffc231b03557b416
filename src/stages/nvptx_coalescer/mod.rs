//! Removes copies that the standard coalescer leaves: the NVPTX coalescer (`cicc` profile).
//!
//! **Problem.** The standard coalescer knows COPY only, and not which values the registers hold. PTX has moves of its own; and
//! on a machine with any number of virtual registers a constant need not be kept in one.
//!
//! **Algorithm.** Behind the coalescer pass, on its view of the function:
//!
//! 1. [`moves`]: the moves of the function are found. NVPTX's own moves within a register class become COPYs (requirement
//!    C3), which the opcode table tells ([`families`]).
//! 2. [`worklist`]: all of them are candidates, which are tried in order until nothing changes (requirement C4): copies are
//!    joined, also where both registers hold the same value (C5), a copy of a constant becomes an immediate move
//!    ([`constants`], C9), a move goes if its register has the value already ([`redundant`]), and registers change class
//!    where that saves conversions of bits ([`conversions`]), and a pack of what was unpacked becomes a copy ([`pairs`]).
//! 3. [`parallel`]: the copies of a block become one parallel copy where that takes fewer moves. It is the last step because
//!    it decides about all copies of a block at once: those that are left.
//!
//! [`budget`] counts how many moves may go (requirement C6).
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, "NVPTX-Specific Coalescer"; errata 12 to 14.
//!
//! **Complexity.** Linear in the instructions; that of [`crate::passes::coalescer`] for the ranges that change.

pub mod budget;
pub mod constants;
pub mod conversions;
pub mod counts;
pub mod families;
pub mod moves;
pub mod options;
pub mod pairs;
pub mod parallel;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod redundant;
pub mod worklist;

pub use counts::Counts;
pub use options::Options;

use crate::nvptx::OpcodeTable;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::worklists::BlockPriority;
use crate::passes::coalescer::Coalescing;

/// The stage, with its working storage, which is kept from function to function.
#[derive(Default)]
pub struct NvptxCoalescer {
    moves: moves::Moves,
    worklist: worklist::Worklist,
    parallel: parallel::ParallelCopies,
}

impl NvptxCoalescer {
    /// Runs the stage on a function that the standard coalescer is done with. `blocks`: the blocks with their loop depths,
    /// in layout order. `frequencies`: by number of a block its frequency, if weights are to depend on it.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        opcodes: &OpcodeTable,
        blocks: &[BlockPriority],
        options: &Options,
        frequencies: Option<&[u64]>,
    ) -> Counts {
        let families = families::Families::new(opcodes);
        let NvptxCoalescer { moves, worklist, parallel } = self;
        worklist.begin(c, blocks, frequencies, options);
        moves.find(c, families, options);
        if options.worklist {
            worklist.run(c, families, &moves.found, options);
        }
        worklist.counts.moves = moves.num_made_copies;
        worklist.counts.conversions_seen = moves.num_conversions;
        worklist.counts.resequenced = parallel.run(c, &mut worklist.account);
        worklist.counts.untried = worklist.account.num_left();
        worklist::remark(c, &worklist.account);
        worklist.counts
    }
}
