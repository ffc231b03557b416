//! Splitting critical edges.
//!
//! **Problem.** A copy for a PHI at the end of a predecessor that has other successors is executed on the way
//! to these as well, and if its source lives on there, the two registers interfere: the copy stays. On a block
//! of its own on the edge it does not. But a new block has a price, most of all in a loop. (On NVPTX control
//! flow has to stay structured: LLVM splits no edge at all, from 22 on only edges to the header of a loop.)
//!
//! **Algorithm.** LLVM's: an edge is split if the source lives on past the predecessor, but not into the PHI's
//! block; or if the edge leaves a loop. Never the back edge of a loop.

use super::pass::{phis, Walk};
use crate::adt::{BitSet, Rows};
use crate::llvm::{
    can_split_edge, EdgeSplitter, LiveIn, LiveVariables, MachineBasicBlock, MachineFunction, MachineLoop,
};
use crate::mir::Register;
use crate::versions::VERSIONS;

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
    fn read(&mut self, mf: MachineFunction, lv: LiveVariables) {
        let num_block_ids = mf.num_block_ids();
        self.wanted.reset(num_block_ids);
        for block in mf.blocks() {
            if phis(block).next().is_some() && block.predecessors().any(|p| p.num_successors() > 1) {
                self.wanted.insert(block.number() as usize);
            }
        }
        self.pairs.clear();
        for index in 0..mf.num_virt_regs() as u32 {
            let reg = Register::virt(index);
            let Some(def) = mf.def(reg) else { continue };
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
}

impl<'f> Walk<'_, 'f> {
    pub(super) fn split_edges(&mut self) -> bool {
        // NVPTX is such a target. With LiveIntervals the questions are asked all the same: LLVM may compute an
        // interval for an answer.
        let only_to_headers = self.mf.requires_structured_cfg() && self.lis.is_none();
        if only_to_headers && !VERSIONS.phi_elim.splits_edges_to_structured_loops {
            return false;
        }
        for block in self.mf.blocks() {
            if phis(block).next().is_none() || block.is_eh_pad() {
                continue;
            }
            if only_to_headers && !self.loop_of(block).is_some_and(|l| l.is_header(block)) {
                continue;
            }
            for phi in phis(block) {
                phi.read_operands(&mut self.b.operands);
                for i in (1..self.b.operands.len()).step_by(2) {
                    let reg = self.b.operands[i].reg();
                    let pred = self.mf.block_numbered(self.b.operands[i + 1].block_number());
                    if pred.num_successors() != 1
                        && self.is_worth_splitting(reg, pred, block)
                        && self.split_edge(pred, block)
                    {
                        self.counts.edges_split += 1;
                        // Every PHI of the block names the new block now.
                        phi.read_operands(&mut self.b.operands);
                    }
                }
            }
        }
        self.counts.edges_split != 0
    }

    /// Whether the edge from `pred`, over which a PHI of `block` reads `reg`, is to be split.
    fn is_worth_splitting(
        &self,
        reg: Register,
        pred: MachineBasicBlock<'f>,
        block: MachineBasicBlock<'f>,
    ) -> bool {
        let (current, from) = (self.loop_of(block), self.loop_of(pred));
        // A back edge: the new block would be out of line and run in every turn.
        let is_back_edge = pred == block || from == current && current.is_some_and(|l| l.is_header(block));
        if is_back_edge && !self.options.split_all_critical_edges {
            return false;
        }
        // If not, the copy ends the source and will be coalesced.
        let lives_on = self.is_live_out_past_phis(reg, pred);
        if !lives_on && !self.options.no_live_out_early_exit {
            return false;
        }
        if lives_on && !self.is_live_in(reg, block) {
            return true;
        }
        // The copy stays anyway. At least it can leave the loop, if the edge does and enters no loop inside.
        let leaves_loop = current != from && from.is_some_and(|l| !l.contains(current));
        leaves_loop || self.options.split_all_critical_edges
    }

    fn split_edge(&mut self, pred: MachineBasicBlock<'f>, block: MachineBasicBlock<'f>) -> bool {
        if !can_split_edge(pred, block, self.run.loops) {
            return false;
        }
        let splitter = match &mut self.splitter {
            Some(splitter) => splitter,
            none => {
                if let Some(lv) = self.lv {
                    self.b.live_in.read(self.mf, lv);
                }
                none.insert(EdgeSplitter::new(self.run.host_pass, self.mf))
            }
        };
        let live_in = self.lv.map(|_| self.b.live_in.rows.row(block.number() as usize));
        splitter.split(pred, block, live_in)
    }

    /// The innermost loop that `block` is in.
    fn loop_of(&self, block: MachineBasicBlock<'f>) -> Option<MachineLoop<'f>> {
        self.run.loops.and_then(|loops| loops.loop_for(block))
    }

    fn is_live_in(&self, reg: Register, block: MachineBasicBlock<'f>) -> bool {
        match (self.lis, self.lv) {
            (Some(lis), _) => lis.live_in(reg, block) != LiveIn::No,
            (None, Some(lv)) => lv.is_live_in(reg, block),
            (None, None) => unreachable!("edges are split only where liveness is known"),
        }
    }

    /// Whether `reg` is live behind `block`. To LiveVariables a PHI reads at the end of the predecessor, which
    /// does not count; to LiveIntervals on the edge, which does.
    fn is_live_out_past_phis(&self, reg: Register, block: MachineBasicBlock<'f>) -> bool {
        match (self.lis, self.lv) {
            (Some(lis), _) => block.successors().any(|s| lis.live_in(reg, s) != LiveIn::No),
            (None, Some(lv)) => lv.is_live_out(reg, block),
            (None, None) => unreachable!("edges are split only where liveness is known"),
        }
    }
}
