//! Finds out whether a register is live into a block.
//!
//! **Algorithm.** A walk from the readers up to the def. Moves only take readers down, and never
//! out of the blocks that their def dominates. So a register that was live into a block before the
//! moves still is.

use super::limits::MAX_BLOCKS_PER_INSTR;
use crate::mir::{BlockId, VRegId};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// Buffers, and the number of blocks that may still be visited.
#[derive(Default)]
pub struct LiveInto {
    /// By block: the number of the last walk that reached it.
    walk_of: IndexVec<BlockId, u32>,
    walk: u32,
    worklist: Vec<BlockId>,
    num_left: usize,
}

impl LiveInto {
    /// Begins with a function of this many blocks and instructions.
    pub fn begin(&mut self, num_blocks: usize, num_instrs: usize) {
        self.walk_of.clear();
        self.walk_of.resize(num_blocks, 0);
        self.walk = 0;
        self.num_left = num_instrs.saturating_mul(MAX_BLOCKS_PER_INSTR);
    }

    /// Returns whether a register that is defined above `block` is live into it. Returns false once
    /// too many blocks have been visited.
    pub fn is_live_into(&mut self, facts: &SsaFacts, reg: VRegId, block: BlockId) -> bool {
        let home = facts.block_of_def(reg);
        self.walk += 1;
        self.worklist.clear();
        for reader in facts.readers_of(reg) {
            if facts.is_phi_instr(reader) {
                let reads = facts.phi_reads_of(reader).filter(|read| read.0 == reg);
                self.worklist.extend(reads.map(|(_, pred)| pred));
            } else {
                self.worklist.push(facts.block_of_instr(reader));
            }
        }
        while let Some(at) = self.worklist.pop() {
            if at == block {
                return true;
            }
            if Some(at) == home || std::mem::replace(&mut self.walk_of[at], self.walk) == self.walk {
                continue;
            }
            if self.num_left == 0 {
                return false;
            }
            self.num_left -= 1;
            self.worklist.extend(facts.preds_of(at));
        }
        false
    }
}
