//! Tracks the blocks of instructions while the stage moves them, and finds the block that an
//! instruction can move to.

use super::live_into::LiveInto;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The present blocks of instructions, and the blocks that registers are live into.
#[derive(Default)]
pub struct Placement {
    /// The block of each instruction, moved ones included.
    pub block_of: IndexVec<InstrId, BlockId>,
    /// The blocks that registers are live into.
    pub live_into: LiveInto,
}

impl Placement {
    /// Begins with a function.
    pub fn begin(&mut self, facts: &SsaFacts) {
        self.block_of.clone_from(&facts.block_of);
        self.live_into.begin(facts.shape.num_blocks(), facts.num_instrs());
    }

    /// Finds the lowest block below an instruction that dominates all readers of its result and is
    /// executed at most as often. `None` if that is its own block.
    pub fn block_for(&self, facts: &SsaFacts, instr: InstrId, result: VRegId) -> Option<BlockId> {
        let from = self.block_of[instr];
        // Most results are read in their own blocks.
        let mut is_below = true;
        self.for_each_read(facts, result, |block| is_below &= block != from && facts.cfg.is_reachable(block));
        let mut to: Option<BlockId> = None;
        self.for_each_read(facts, result, |block| {
            if !is_below {
                return;
            }
            let both = to.map_or(Some(block), |to| common_dominator(facts, to, block));
            to = both;
        });
        let mut to = to.filter(|_| is_below)?;
        while !facts.is_in_loop_of(from, to) {
            to = facts.idom_of(to)?;
        }
        (to != from && facts.dominates(from, to)).then_some(to)
    }

    /// Calls `visit` with the blocks in which a register is now read. A PHI reads at the end of its
    /// predecessors.
    fn for_each_read(&self, facts: &SsaFacts, reg: VRegId, mut visit: impl FnMut(BlockId)) {
        for reader in facts.readers_of(reg) {
            if facts.is_phi_instr(reader) {
                let reads = facts.phi_reads_of(reader).filter(|read| read.0 == reg);
                reads.for_each(|(_, pred)| visit(pred));
            } else {
                visit(self.block_of[reader]);
            }
        }
    }
}

/// Finds the lowest block that dominates both blocks, which are reachable.
fn common_dominator(facts: &SsaFacts, a: BlockId, b: BlockId) -> Option<BlockId> {
    std::iter::successors(Some(a), |&up| facts.idom_of(up)).find(|&up| facts.dominates(up, b))
}
