//! Computes the dominator tree of a control-flow graph.
//!
//! **Algorithm.** Immediate dominators are the fixed point of an iteration in reverse post-order. A
//! walk over the tree then gives each block an interval of numbers, which contains the intervals of
//! the blocks that it dominates. Dominance is a comparison of intervals.
//!
//! **Source.** Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". **Complexity.**
//! Linear in the edges except for irreducible graphs. No recursion.

use super::graph::Cfg;
use crate::adt::{PackedOption, Rows};
use crate::mir::BlockId;
use index_vec::IndexVec;

/// A dominator tree, given by immediate dominators.
#[derive(Default, Debug)]
pub struct Dominators {
    /// By block: its immediate dominator. `None` for the entry and for unreachable blocks.
    pub idom: IndexVec<BlockId, PackedOption<BlockId>>,
    /// By block: whether it is in the tree.
    pub reachable: IndexVec<BlockId, bool>,
    intervals: IndexVec<BlockId, Interval>,
    children: Rows<BlockId, BlockId>,
    /// The blocks that the walk is in, and how many of their children it has visited.
    stack: Vec<(BlockId, u32)>,
}

/// When the walk over the tree enters and leaves a block.
#[derive(Clone, Copy, Default, Debug)]
struct Interval {
    enter: u32,
    leave: u32,
}

impl Dominators {
    /// Computes the tree of a graph, and prepares [`Dominators::dominates`].
    pub fn compute(&mut self, cfg: &Cfg) {
        let n = cfg.num_blocks();
        self.idom.clear();
        self.idom.resize(n, PackedOption::NONE);
        self.reachable.clear();
        self.reachable.extend((0..n).map(|b| cfg.is_reachable(BlockId::from_usize(b))));
        let Some((&entry, others)) = cfg.reachable().split_last() else { return self.number() };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in others.iter().rev() {
                let mut new: Option<BlockId> = None;
                for &pred in cfg.preds.row(block) {
                    if pred != entry && self.idom[pred].is_none() {
                        continue; // not reached, or not yet
                    }
                    new = Some(new.map_or(pred, |new| self.common(cfg, pred, new)));
                }
                let new = PackedOption::from(new);
                changed |= std::mem::replace(&mut self.idom[block], new) != new;
            }
        }
        self.number();
    }
    /// Returns the nearest block that dominates two others, as far as immediate dominators are
    /// known.
    fn common(&self, cfg: &Cfg, mut a: BlockId, mut b: BlockId) -> BlockId {
        let up = |block: BlockId| self.idom[block].get().expect("the entry has the last position");
        while a != b {
            if cfg.postorder_position[a] < cfg.postorder_position[b] {
                a = up(a);
            } else {
                b = up(b);
            }
        }
        a
    }
    /// Returns the position of a block in a preorder of the tree: a block comes before those that
    /// it dominates.
    pub fn preorder(&self, block: BlockId) -> u32 {
        self.intervals[block].enter
    }
    /// Prepares [`Dominators::dominates`] once `idom` and `reachable` are set.
    pub fn number(&mut self) {
        let n = self.idom.len();
        let pairs = self.idom.iter_enumerated().filter_map(|(block, up)| Some((block, up.get()?)));
        self.children.collect(n, pairs);
        self.intervals.clear();
        self.intervals.resize(n, Interval::default());
        let mut time = 0;
        for root in (0..n).map(BlockId::from_usize) {
            if !self.reachable[root] || self.idom[root].is_some() {
                continue;
            }
            self.stack.push((root, 0));
            self.intervals[root].enter = time;
            time += 1;
            while let Some((block, next)) = self.stack.last_mut() {
                match self.children.row(*block).get(*next as usize) {
                    Some(&child) => {
                        *next += 1;
                        self.intervals[child].enter = time;
                        time += 1;
                        self.stack.push((child, 0));
                    }
                    None => {
                        self.intervals[*block].leave = time;
                        self.stack.pop();
                    }
                }
            }
        }
    }
    /// Returns whether `a` dominates `b`. A block dominates itself. An unreachable block is
    /// dominated by all.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        if a == b || !self.reachable[b] {
            return true;
        }
        let (outer, inner) = (self.intervals[a], self.intervals[b]);
        self.reachable[a] && outer.enter <= inner.enter && inner.leave <= outer.leave
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::edges;

    #[test]
    fn l4_dominance_is_that_of_the_tree() {
        // A loop after the entry, with an exit from one of its blocks; block 4 is unreachable.
        let (mut cfg, mut d) = (Cfg::default(), Dominators::default());
        cfg.compute(&edges(&[&[1], &[2, 3], &[1], &[], &[3]]));
        d.compute(&cfg);
        let idom = |b: usize| d.idom[b].get().map(BlockId::index);
        assert_eq!([0, 1, 2, 3, 4].map(idom), [None, Some(0), Some(1), Some(1), None]);
        assert_eq!(d.reachable.raw, [true, true, true, true, false]);
        for (a, b, yes) in
            [(0, 3, true), (1, 2, true), (2, 3, false), (3, 1, false), (2, 4, true), (4, 2, false)]
        {
            assert_eq!(d.dominates(BlockId::new(a), BlockId::new(b)), yes, "{a} {b}");
        }
    }
}
