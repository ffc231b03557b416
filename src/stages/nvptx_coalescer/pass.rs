//! Binds the pass to LLVM. It works on the view that the coalescer has left, or computes one.
//!
//! **Source.** None. A function that the coalescer leaves to the stock pass is left alone, and
//! counted by reason.

use super::{NvptxCoalescer, Options};
use crate::adt::Counters;
use crate::llvm::{Outcome, Run};
use crate::nvptx::OpcodeTable;
use crate::passes::coalescer::pass::{self, with_view};

/// The pass, with its working storage, which is kept from function to function.
#[derive(Default)]
pub struct NvptxCoalescerPass {
    stage: NvptxCoalescer,
    /// By block number.
    frequencies: Vec<u64>,
}

impl NvptxCoalescerPass {
    /// Runs the pass. `view`: the options of the coalescer, with which the view of the function is
    /// made. Statistics go to `counters`.
    pub fn run(
        &mut self,
        run: Run,
        opcodes: &OpcodeTable,
        view: &pass::Options<'_>,
        options: &Options,
        counters: &mut Counters,
    ) -> Outcome {
        let NvptxCoalescerPass { stage, frequencies } = self;
        let frequencies = run.frequencies.map(|known| {
            run.mf.block_frequencies(known, frequencies);
            &frequencies[..]
        });
        let done = with_view(run, view, |c, blocks| {
            let counts = stage.run(c, opcodes, blocks, options, frequencies);
            c.inflate_classes();
            counts
        });
        match done {
            Ok(None) => Outcome::Unchanged,
            Ok(Some(counts)) => {
                counters.extend(counts.counters());
                Outcome::Changed
            }
            Err(why) => {
                counters.push((why.counters().alone, 1));
                Outcome::Unchanged
            }
        }
    }
}
