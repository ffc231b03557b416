//! Removes copies that the standard coalescer leaves: the NVPTX coalescer (`cicc` profile).
//!
//! **Problem.** The standard coalescer knows COPY only, and not which values the registers hold. PTX has moves of its own; and
//! on a machine with any number of virtual registers a constant need not be kept in one.
//!
//! **Algorithm.** Behind the coalescer, on its view of the function:
//!
//! 1. [`moves`]: NVPTX's own moves within a register class become COPYs (requirement C3).
//! 2. [`conversions`]: registers change class where that saves conversions of bits, which become COPYs.
//! 3. [`constants`]: a copy of a constant becomes an immediate move, and a constant that nothing reads any more goes
//!    (requirement C9).
//! 4. [`worklist`]: the copies that are left are tried again (requirements C4 and C5).
//! 5. [`parallel`]: the copies of a block become one parallel copy where that takes fewer moves.
//! 6. [`redundant`]: a move goes if its register has the value already.
//!
//! [`families`] tells which instructions are moves, [`budget`] how many of them may go (requirement C6).
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
pub mod parallel;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod redundant;
pub mod worklist;

pub use counts::Counts;

use crate::nvptx::OpcodeTable;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::worklists::BlockPriority;
use crate::passes::coalescer::Coalescing;

/// The stage, with its working storage, which is kept from function to function.
#[derive(Default)]
pub struct NvptxCoalescer {
    moves: moves::Moves,
    conversions: conversions::Conversions,
    account: budget::Account,
    worklist: worklist::Worklist,
    parallel: parallel::ParallelCopies,
    redundant: redundant::Redundant,
}

impl NvptxCoalescer {
    /// Runs the stage on a function that the standard coalescer is done with. `blocks`: the blocks with their loop depths.
    /// `frequencies`: how often each block runs, by its number, if that is known.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        opcodes: &OpcodeTable,
        blocks: &[BlockPriority],
        budget: budget::Budget,
        _frequencies: Option<&[u64]>,
    ) -> Counts {
        let families = families::Families::new(opcodes);
        let NvptxCoalescer { moves, conversions, account, worklist, parallel, redundant } = self;
        let counts = &mut Counts::default();
        account.begin(budget);
        counts.moves = moves.find(c, families);
        counts.conversions_seen = moves.crossing.len() as u64;
        counts.conversions = conversions.run(c, families, &moves.crossing);
        constants::run(c, families, account, counts);
        worklist.begin(c.slots.num_blocks(), blocks);
        worklist.run(c, account);
        counts.resequenced = parallel.run(c, account);
        counts.redundant = redundant.run(c, families, blocks, account);
        (counts.joined, counts.untried) = (worklist.num_joined, account.num_left());
        worklist::remark(c, account);
        *counts
    }
}
