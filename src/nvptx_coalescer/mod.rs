//! The NVPTX coalescer: what is done about the copies that the standard one leaves (`cicc` profile).
//!
//! **Problem.** The standard coalescer knows COPY and nothing of what the registers hold. PTX has moves of its own,
//! and on a machine with any number of virtual registers a constant need not be kept in one.
//!
//! **Algorithm.** At the end of the coalescer pass, on its own view of the function:
//!
//! 1. [`constants`]: a copy of a constant becomes an immediate move, and the constant goes if nobody reads it any
//!    more (row C9).
//!
//! In front of it, [`loop_exits`] marks copies that the standard coalescer is to keep.
//!
//! [`opcodes`] says which instructions are moves, of which kind.
//!
//! **Source.** register-coalescing.txt, "NVPTX-Specific Coalescer"; errata 12 to 14.
//!
//! **Complexity.** Linear in the instructions, and as [`crate::coalescer`] in the ranges that get shorter.

pub mod constants;
pub mod loop_exits;
pub mod opcodes;

use crate::coalescer::copies::BlockPriority;
use crate::coalescer::host::Host;
use crate::coalescer::Coalescing;
use crate::stats::Counters;

/// What it counts.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    copies_seen: u64,
    immediates: u64,
    constants_erased: u64,
    kept: u64,
}

impl Counts {
    /// Adds them to the statistics of the run.
    pub fn report(&self, counters: &mut Counters) {
        counters.extend([
            ("copies seen", self.copies_seen),
            ("copies of constants made immediate moves", self.immediates),
            ("constants erased", self.constants_erased),
            ("copies at loop exits kept", self.kept),
        ]);
    }
}

/// Working storage, kept from function to function.
#[derive(Default)]
pub struct NvptxCoalescer {
    families: opcodes::Families,
    counts: Counts,
    depths: Vec<u32>,
}

impl NvptxCoalescer {
    /// In front of the standard coalescer.
    pub fn prepare<H: Host>(&mut self, c: &mut Coalescing<'_, H>, blocks: &[BlockPriority]) {
        self.counts = Counts { kept: loop_exits::keep(c, blocks, &mut self.depths), ..Counts::default() };
    }
    /// Does it to a function that the standard coalescer is done with.
    pub fn run<H: Host>(&mut self, c: &mut Coalescing<'_, H>) -> Counts {
        constants::run(c, &mut self.families, &mut self.counts);
        self.counts
    }
}
