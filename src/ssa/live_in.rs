//! Finds the blocks that a register lives into, by walking from its readers up to its def.

use super::facts::SsaFacts;
use crate::mir::{BlockId, InstrId, VRegId};
use index_vec::IndexVec;

/// A register that lives into more blocks is not followed. The limit only bounds compile time.
pub const MAX_BLOCKS: usize = 1024;

/// The register that was followed last, and buffers.
#[derive(Default)]
pub struct LiveInWalk {
    /// By block: the number of the last walk that found the register to live into it.
    into: IndexVec<BlockId, u32>,
    /// By block: the number of the last walk that found the register to live out of it.
    out_of: IndexVec<BlockId, u32>,
    walk: u32,
    worklist: Vec<BlockId>,
}

impl LiveInWalk {
    /// Starts a function with this many blocks.
    pub fn begin(&mut self, num_blocks: usize) {
        for walks in [&mut self.into, &mut self.out_of] {
            walks.clear();
            walks.resize(num_blocks, 0);
        }
        self.walk = 0;
    }

    /// Appends to `out` the blocks that a register lives into so that these instructions can read
    /// it. Returns false if they are more than [`MAX_BLOCKS`].
    pub fn follow(
        &mut self,
        facts: &SsaFacts,
        reg: VRegId,
        readers: impl Iterator<Item = InstrId>,
        out: &mut Vec<BlockId>,
    ) -> bool {
        let home = facts.block_of_def(reg);
        let max_len = out.len() + MAX_BLOCKS;
        self.walk += 1;
        self.worklist.clear();
        for instr in readers {
            if facts.is_phi_instr(instr) {
                // It reads at the ends of blocks.
                for (_, pred) in facts.phi_reads_of(instr).filter(|read| read.0 == reg) {
                    self.out_of[pred] = self.walk;
                    self.worklist.push(pred);
                }
            } else {
                self.worklist.push(facts.block_of_instr(instr));
            }
        }
        while let Some(block) = self.worklist.pop() {
            if Some(block) == home || std::mem::replace(&mut self.into[block], self.walk) == self.walk {
                continue;
            }
            out.push(block);
            if out.len() > max_len {
                return false;
            }
            for pred in facts.preds_of(block) {
                self.out_of[pred] = self.walk;
                self.worklist.push(pred);
            }
        }
        true
    }

    /// Returns whether the register that was followed last lives into a block.
    pub fn is_live_into(&self, block: BlockId) -> bool {
        self.into[block] == self.walk
    }
    /// Returns whether it lives to the end of a block and on.
    pub fn is_live_out_of(&self, block: BlockId) -> bool {
        self.out_of[block] == self.walk
    }
}
