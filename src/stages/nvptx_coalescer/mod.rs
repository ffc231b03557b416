//! Removes copies that the standard coalescer leaves: the NVPTX coalescer (default profile).
//!
//! **Problem.** The standard coalescer handles COPY only, and does not know which values the
//! registers hold. PTX has moves of its own. And on a machine with any number of virtual registers
//! a constant need not be kept in one.
//!
//! **Algorithm.** After the coalescer pass, on its view of the function:
//!
//! 1. [`moves`] finds the moves of the function. NVPTX's own moves within a register class become
//!    COPYs (requirement C3). The opcode table says which instructions these are ([`families`]).
//! 2. [`worklist`] tries all moves in order until nothing changes (requirement C4). Copies are
//!    joined, also where both registers hold the same value (C5). A copy of a constant becomes an
//!    immediate move ([`constants`], C9). A move goes if its register already has the value
//!    ([`redundant`]). Registers change class where that saves conversions of bits
//!    ([`conversions`]). A pack of what was unpacked becomes a copy ([`pairs`]).
//! 3. [`parallel`] makes one parallel copy of the copies of a block where that takes fewer moves.
//!    It comes last because it decides at once about all copies that are left in a block.
//!
//! [`budget`] counts how many moves may go (requirement C6).
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, "NVPTX-Specific
//! Coalescer"; errata 12 to 14.
//!
//! **Complexity.** Linear in the instructions; that of [`crate::passes::coalescer`] for the ranges
//! that change.

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
    /// Runs the stage on a function that the standard coalescer is done with. `blocks`: the blocks
    /// with their loop depths, in layout order. `frequencies`: the block frequencies by block
    /// number, if weights depend on them.
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
