//! Reads which registers are live into the blocks whose incoming edges may be split.
//!
//! **Problem.** The registers live through a new block on an edge are those live into its
//! successor. LiveVariables has no list of them. **Algorithm.** One query for each register, before
//! the first edge is split. **Source.** `LiveInSets` of LLVM's `PHIElimination.cpp`. **Deviation.**
//! Only blocks with PHIs and critical edges are listed. **Complexity.** Linear in the blocks that
//! the registers are alive in and killed in.

use super::host::PhiElimHost;
use crate::adt::{BitSet, Rows};
use crate::mir::{BlockNumber, VRegId};
use crate::passes::function::{BlockHandle, InstrHandle, VariablesHandle};

/// By block whose incoming edges may be split: the registers live into it by LiveVariables, before
/// the first split.
#[derive(Default)]
pub(super) struct LiveInSets {
    /// The blocks that are listed.
    wanted: BitSet,
    pairs: Vec<(VRegId, BlockNumber)>,
    rows: Rows<BlockNumber, VRegId>,
    blocks: Vec<BlockNumber>,
}

impl LiveInSets {
    /// Reads the sets before the first edge is split.
    pub(super) fn read<H: PhiElimHost>(&mut self, host: H, lv: H::Variables) {
        let num_block_ids = host.num_block_ids();
        self.wanted.reset(num_block_ids);
        for block in host.blocks() {
            if host.phis(block).next().is_some() && block.predecessors().any(|p| p.num_successors() > 1) {
                self.wanted.insert(block.number().index());
            }
        }
        self.pairs.clear();
        for reg in (0..host.num_virt_regs()).map(VRegId::from_usize) {
            let Some(def) = host.only_def(reg.into()) else { continue };
            let mut add = |blocks: &[BlockNumber]| {
                let wanted = blocks.iter().filter(|block| self.wanted.contains(block.index()));
                self.pairs.extend(wanted.map(|&block| (reg, block)));
            };
            lv.alive_blocks(reg.into(), &mut self.blocks);
            add(&self.blocks);
            // It is live into a block that kills it, unless that block defines it.
            lv.kill_blocks(reg.into(), &mut self.blocks);
            let is_local = || matches!(self.blocks[..], [one] if one == def.instr.block().number());
            if !self.blocks.is_empty() && !is_local() {
                add(&self.blocks);
            }
        }
        self.rows.collect(num_block_ids, self.pairs.iter().copied());
    }

    /// Lists the registers live into a block.
    pub(super) fn of(&self, block: BlockNumber) -> &[VRegId] {
        self.rows.row(block)
    }
}
