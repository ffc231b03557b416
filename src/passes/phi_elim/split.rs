//! Splits critical edges.
//!
//! **Problem.** A PHI's copy at the end of a predecessor with other successors also executes on the
//! paths to those. If its source lives on there, the two registers interfere and the copy stays. A
//! copy in a block of its own on the edge avoids both. But a new block has a price, most of all in
//! a loop. (On NVPTX control flow has to stay structured: LLVM splits no edge there, and from 22 on
//! only edges to the header of a loop.)
//!
//! **Algorithm.** An edge is split if the source lives on past the predecessor, but not into the
//! PHI's block; or if the edge leaves a loop. A back edge is split only if the option asks for all
//! critical edges. **Source.** `SplitPHIEdges` of LLVM's `PHIElimination.cpp`. **Complexity.** One
//! or two liveness queries for each operand over a critical edge.

use super::host::PhiElimHost;
use super::options::Options;
use super::walk::PhiElim;
use crate::mir::{LiveIn, Register};
use crate::passes::function::{BlockHandle, InstrHandle, IntervalsHandle, VariablesHandle};

/// The edges that were split.
pub struct SplitEdges<H: PhiElimHost> {
    /// Made for the first edge; LLVM's dominators may be out of date until it is gone.
    splitter: Option<H::EdgeSplitter>,
    /// How many there are.
    pub(super) count: u64,
}

impl<H: PhiElimHost> SplitEdges<H> {
    /// Returns whether any edge was split.
    pub fn has_any(&self) -> bool {
        self.count != 0
    }
}

/// Splits the critical edges on which a copy is better off in a block of its own.
pub(super) fn split_edges<H: PhiElimHost>(
    host: H,
    options: &Options,
    buffers: &mut PhiElim,
) -> SplitEdges<H> {
    let mut split = SplitEdges { splitter: None, count: 0 };
    if !options.split_edges || (host.variables().is_none() && host.intervals().is_none()) {
        return split;
    }
    let mut splitting = Splitting { host, options, buffers, split: &mut split };
    splitting.split_edges();
    split
}

struct Splitting<'a, H: PhiElimHost> {
    host: H,
    options: &'a Options,
    buffers: &'a mut PhiElim,
    split: &'a mut SplitEdges<H>,
}

impl<H: PhiElimHost> Splitting<'_, H> {
    fn split_edges(&mut self) {
        let host = self.host;
        // NVPTX is such a target. With LiveIntervals the queries are made all the same: to answer
        // one, LLVM may compute an interval.
        let only_to_headers = host.requires_structured_cfg() && host.intervals().is_none();
        if only_to_headers && !self.options.differences.splits_edges_to_structured_loops {
            return;
        }
        for block in host.blocks() {
            if host.phis(block).next().is_none() || host.is_eh_pad(block) {
                continue;
            }
            if only_to_headers && !host.loop_of(block).is_some_and(|l| host.is_header(l, block)) {
                continue;
            }
            for phi in host.phis(block) {
                phi.read_operands(&mut self.buffers.operands);
                for i in (1..self.buffers.operands.len()).step_by(2) {
                    let reg = self.buffers.operands[i].reg();
                    let pred = host.block_numbered(self.buffers.operands[i + 1].block_number());
                    if pred.num_successors() != 1
                        && self.is_worth_splitting(reg, pred, block)
                        && self.split_edge(pred, block)
                    {
                        self.split.count += 1;
                        // Every PHI of the block names the new block now.
                        phi.read_operands(&mut self.buffers.operands);
                    }
                }
            }
        }
    }

    /// Tells whether the edge from `pred`, over which a PHI of `block` reads `reg`, is to be split.
    fn is_worth_splitting(&self, reg: Register, pred: H::Block, block: H::Block) -> bool {
        let (host, split_all) = (self.host, self.options.split_all_critical_edges);
        let (current, from) = (host.loop_of(block), host.loop_of(pred));
        // On a back edge the new block would be out of line and run in every iteration.
        let is_back_edge =
            pred == block || from == current && current.is_some_and(|l| host.is_header(l, block));
        if is_back_edge && !split_all {
            return false;
        }
        // Otherwise the copy ends the source and will be coalesced.
        let lives_on = self.is_live_out_past_phis(reg, pred);
        if !lives_on && !self.options.no_live_out_early_exit {
            return false;
        }
        if lives_on && !self.is_live_in(reg, block) {
            return true;
        }
        // The copy stays anyway. At least it can leave the loop, if the edge does and does not
        // enter an inner loop.
        let leaves_loop = current != from && from.is_some_and(|l| !host.contains(l, current));
        leaves_loop || split_all
    }

    fn split_edge(&mut self, pred: H::Block, block: H::Block) -> bool {
        let host = self.host;
        if !host.can_split_edge(pred, block) {
            return false;
        }
        let splitter = match &mut self.split.splitter {
            Some(splitter) => splitter,
            none => {
                if let Some(lv) = host.variables() {
                    self.buffers.live_in.read(host, lv);
                }
                none.insert(host.edge_splitter())
            }
        };
        let live_in = host.variables().map(|_| self.buffers.live_in.of(block.number()));
        host.split_edge(splitter, pred, block, live_in)
    }

    fn is_live_in(&self, reg: Register, block: H::Block) -> bool {
        match (self.host.intervals(), self.host.variables()) {
            (Some(lis), _) => lis.live_in(reg, block) != LiveIn::No,
            (None, Some(lv)) => lv.is_live_in(reg, block),
            (None, None) => unreachable!("edges are split only where liveness is known"),
        }
    }

    /// Tells whether `reg` is live after `block`. In LiveVariables a PHI reads at the end of the
    /// predecessor, which does not count. In LiveIntervals it reads on the edge, which does.
    fn is_live_out_past_phis(&self, reg: Register, block: H::Block) -> bool {
        match (self.host.intervals(), self.host.variables()) {
            (Some(lis), _) => block.successors().any(|s| lis.live_in(reg, s) != LiveIn::No),
            (None, Some(lv)) => lv.is_live_out(reg, block),
            (None, None) => unreachable!("edges are split only where liveness is known"),
        }
    }
}
