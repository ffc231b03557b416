//! Reads which registers are live into the blocks that edges to may be split.

use super::host::PhiElimHost;
use crate::adt::{BitSet, Rows};
use crate::mir::Register;
use crate::passes::function::{BlockHandle, InstrHandle, VariablesHandle};

/// By block, for blocks that edges to may be split: the registers that LiveVariables says are live in. As
/// they were before the first edge was split, which is when they are read.
#[derive(Default)]
pub(super) struct LiveInSets {
    wanted: BitSet,
    /// (index of a register, number of a block)
    pairs: Vec<(u32, u32)>,
    rows: Rows,
    blocks: Vec<u32>,
}

impl LiveInSets {
    /// Reads the sets before the first edge is split.
    pub(super) fn read<H: PhiElimHost>(&mut self, host: H, lv: H::Variables) {
        let num_block_ids = host.num_block_ids();
        self.wanted.reset(num_block_ids);
        for block in host.blocks() {
            if host.phis(block).next().is_some() && block.predecessors().any(|p| p.num_successors() > 1) {
                self.wanted.insert(block.number() as usize);
            }
        }
        self.pairs.clear();
        for index in 0..host.num_virt_regs() as u32 {
            let reg = Register::virt(index);
            let Some(def) = host.first_def(reg) else { continue };
            let mut add = |blocks: &[u32]| {
                let wanted = blocks.iter().filter(|&&b| self.wanted.contains(b as usize));
                self.pairs.extend(wanted.map(|&b| (index, b)));
            };
            lv.alive_blocks(reg, &mut self.blocks);
            add(&self.blocks);
            // It is live into a block that it ends in, but not into the one that defines it.
            lv.kill_blocks(reg, &mut self.blocks);
            if self.blocks.len() > 1 || self.blocks.first().is_some_and(|&b| b != def.instr.block().number())
            {
                add(&self.blocks);
            }
        }
        self.rows.collect(num_block_ids, self.pairs.iter().map(|&(reg, block)| (reg, block as usize)));
    }

    /// The indices of the registers live into a block, by its number.
    pub(super) fn of(&self, block: u32) -> &[u32] {
        self.rows.row(block as usize)
    }
}
