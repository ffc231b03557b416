//! The NVPTX coalescer: what is done about the copies that the standard one leaves (`cicc` profile).
//!
//! **Problem.** The standard coalescer knows COPY and nothing of what the registers hold. PTX has moves of its own,
//! and on a machine with any number of virtual registers a constant need not be kept in one.
//!
//! **Algorithm.** At the end of the coalescer pass, on its own view of the function:
//!
//! 1. [`moves`]: moves of NVPTX's own within a class become COPYs (row C3).
//! 2. [`conversions`]: registers change class where that saves conversions of bits, which become COPYs.
//! 3. [`constants`]: a copy of a constant becomes an immediate move, and the constant goes if nobody reads it any
//!    more (row C9).
//! 4. [`worklist`]: what is left is tried again, within its budgets (rows C4 to C6).
//! 5. [`parallel`]: copies of a block become one parallel copy where that is fewer.
//! 6. [`redundant`]: a move goes where its register has that value already.
//!
//! [`opcodes`] says which instructions are moves, of which kind.
//!
//! **Source.** register-coalescing.txt, "NVPTX-Specific Coalescer"; errata 12 to 14.
//!
//! **Complexity.** Linear in the instructions, and as [`crate::passes::coalescer`] in the ranges that get shorter.

pub mod constants;
pub mod conversions;
pub mod families;
pub mod moves;
pub mod parallel;
pub mod redundant;
pub mod worklist;

use crate::passes::coalescer::copies::BlockPriority;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;

/// What it counts.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    copies_seen: u64,
    immediates: u64,
    constants_erased: u64,
    moves: u64,
    conversions: u64,
    conversions_seen: u64,
    joined: u64,
    resequenced: u64,
    redundant: u64,
    untried: u64,
}

impl Counts {
    /// The statistics of the run.
    pub fn counters(&self) -> [(&'static str, u64); 10] {
        [
            ("copies seen", self.copies_seen),
            ("copies of constants made immediate moves", self.immediates),
            ("constants erased", self.constants_erased),
            ("register moves made copies", self.moves),
            ("conversions between classes seen", self.conversions_seen),
            ("conversions between classes made copies", self.conversions),
            ("copies joined", self.joined),
            ("copies saved by putting a block's in parallel", self.resequenced),
            ("moves of what the register has already", self.redundant),
            ("copies not tried: a budget is reached", self.untried),
        ]
    }
}

/// Working storage, kept from function to function.
#[derive(Default)]
pub struct NvptxCoalescer {
    families: families::Families,
    moves: moves::Moves,
    conversions: conversions::Conversions,
    worklist: worklist::Worklist,
    parallel: parallel::Parallel,
    redundant: redundant::Redundant,
}

impl NvptxCoalescer {
    /// Does it to a function that the standard coalescer is done with.
    pub fn run<H: CoalescerHost>(
        &mut self,
        c: &mut Coalescing<'_, H>,
        blocks: &[BlockPriority],
        budget: worklist::Budget,
    ) -> Counts {
        let NvptxCoalescer { families, moves, conversions, worklist, parallel, redundant } = self;
        let counts = &mut Counts::default();
        counts.moves = moves.find(c, families);
        counts.conversions_seen = moves.crossing.len() as u64;
        counts.conversions = conversions.run(c, families, &moves.crossing);
        constants::run(c, families, counts);
        worklist.begin(c.slots.num_blocks(), blocks);
        worklist.run(c, budget);
        counts.resequenced = parallel.run(c);
        counts.redundant = redundant.run(c, families, blocks);
        worklist.remark(c);
        (counts.joined, counts.untried) = (worklist.joined, worklist.num_untried());
        *counts
    }
}
