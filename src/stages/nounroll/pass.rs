//! Binds the pass to LLVM's function.

use super::{Counts, NoUnroll, Which, Wish, DIRECTIVE};
use crate::adt::Counters;
use crate::llvm::{MachineBasicBlock, MachineFunction, Outcome, Run};
use crate::mir::{BlockId, BlockNumber, FunctionShape};
use index_vec::IndexVec;

/// The pass with its buffers, kept from function to function.
#[derive(Default)]
pub struct NoUnrollPass {
    stage: NoUnroll,
    shape: FunctionShape,
    /// By block number.
    by_number: Vec<u64>,
    frequencies: IndexVec<BlockId, u64>,
}

impl NoUnrollPass {
    /// Runs the pass. Statistics go to `counters`.
    pub fn run(&mut self, run: Run, which: Which, counters: &mut Counters) -> Outcome {
        let NoUnrollPass { stage, shape, by_number, frequencies } = self;
        read_shape(run.mf, shape);
        let block = |id| run.mf.block_numbered(shape.numbers[id]);
        frequencies.clear();
        if which == Which::Cold {
            run.mf.block_frequencies(run.frequencies.expect("the pass requires them"), by_number);
            frequencies.extend(shape.numbers.iter().map(|number| by_number[number.index()]));
        }
        let mut counts = Counts::default();
        let wish = |latch| wish_at(block(latch));
        let headers = stage.find(&shape.succs, which, wish, frequencies, &mut counts);
        for &header in headers {
            let block = block(header);
            let directive = block.insert_assembly(block.skip_phis_and_labels(block.first()), DIRECTIVE);
            run.slots.expect("the pass requires them").insert_instr(directive);
        }
        counters.extend(counts.named());
        Outcome::of(!headers.is_empty())
    }
}

/// Reads the blocks of a function and their edges.
fn read_shape(mf: MachineFunction, shape: &mut FunctionShape) {
    shape.clear(mf.num_virt_regs(), mf.num_block_ids());
    for block in mf.blocks() {
        shape.push_block(block.number());
    }
    let mut succs = Vec::new();
    for block in mf.blocks() {
        succs.resize(block.num_successors() as usize, 0);
        block.read_successor_numbers(&mut succs);
        shape.push_successors(succs.iter().map(|&number| BlockNumber::from_raw(number)));
    }
}

/// Reads LLVM's metadata of the loop whose latch this is. A count of one forbids unrolling, as for
/// LLVM's printer.
fn wish_at(latch: MachineBasicBlock) -> Wish {
    let says = |name: &str| latch.loop_metadata(&format!("llvm.loop.unroll.{name}"));
    let count = says("count");
    if says("disable").is_some() || count == Some(1) {
        return Wish::NotUnrolled;
    }
    let is_wanted = count.is_some() || ["enable", "full"].iter().any(|name| says(name).is_some());
    if is_wanted {
        Wish::Unrolled
    } else {
        Wish::None
    }
}
