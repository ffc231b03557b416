//! Orders over the control-flow graph, and dominance.
//!
//! Source: textbook depth-first search; dominance by the interval of a block's subtree. All linear; no
//! recursion, so the depth of a graph does not matter.

use crate::adt::{BitSet, Rows};

/// No block.
pub const NONE: u32 = u32::MAX;

/// Predecessors and the orders of a function's blocks.
#[derive(Default, Debug)]
pub struct Cfg {
    /// Predecessors of each block, in layout order.
    pub preds: Rows,
    /// Blocks in post-order from the entry; behind them the ones that are not reachable.
    pub postorder: Vec<u32>,
    /// By block, its position there.
    pub postorder_position: Vec<u32>,
    /// By block, its position in LLVM's depth-first preorder; [`NONE`] if it is not reachable.
    pub preorder: Vec<u32>,
    /// How many blocks are reachable.
    pub num_reachable: usize,
    visited: BitSet,
    stack: Vec<(u32, u32)>,
}

impl Cfg {
    /// Computes everything for this graph, whose entry is block 0.
    pub fn compute(&mut self, succs: &Rows) {
        let n = succs.len();
        self.preds.transpose_of(succs);
        self.postorder.clear();
        self.postorder_position.clear();
        self.postorder_position.resize(n, NONE);
        self.preorder.clear();
        self.preorder.resize(n, NONE);
        self.visited.reset(n);
        let mut preorder = 0;
        if n > 0 {
            self.visited.insert(0);
            self.preorder[0] = 0;
            preorder = 1;
            self.stack.push((0, 0));
        }
        while let Some((block, next)) = self.stack.last_mut() {
            match succs.row(*block as usize).get(*next as usize) {
                Some(&succ) => {
                    *next += 1;
                    if self.visited.insert(succ as usize) {
                        self.preorder[succ as usize] = preorder;
                        preorder += 1;
                        self.stack.push((succ, 0));
                    }
                }
                None => {
                    self.postorder.push(*block);
                    self.stack.pop();
                }
            }
        }
        self.num_reachable = self.postorder.len();
        self.postorder.extend((0..n as u32).filter(|&b| !self.visited.contains(b as usize)));
        for (i, &b) in self.postorder.iter().enumerate() {
            self.postorder_position[b as usize] = i as u32;
        }
    }
}

/// A dominator tree, given by immediate dominators.
#[derive(Default, Debug)]
pub struct Dominators {
    /// By block, its immediate dominator; [`NONE`] for the entry and for blocks that are not reachable.
    pub idom: Vec<u32>,
    /// By block, whether it is in the tree.
    pub reachable: Vec<bool>,
    /// By block, when the walk over the tree enters and leaves it.
    interval: Vec<(u32, u32)>,
    children: Rows,
    parents: Rows,
    stack: Vec<(u32, u32)>,
}

impl Dominators {
    /// Computes the tree of a graph, and prepares [`Dominators::dominates`]. Source: Cooper, Harvey, Kennedy, "A
    /// Simple, Fast Dominance Algorithm"; linear in the edges but for irreducible graphs.
    pub fn compute(&mut self, cfg: &Cfg) {
        let n = cfg.postorder.len();
        let position = |b: u32| cfg.postorder_position[b as usize];
        self.idom.clear();
        self.idom.resize(n, NONE);
        self.reachable.clear();
        self.reachable.extend((0..n).map(|b| (cfg.postorder_position[b] as usize) < cfg.num_reachable));
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in cfg.postorder[..cfg.num_reachable].iter().rev().filter(|&&b| b != 0) {
                let mut new = NONE;
                for &pred in cfg.preds.row(block as usize) {
                    if pred != 0 && self.idom[pred as usize] == NONE {
                        continue; // not reached, or not yet
                    }
                    let (mut a, mut b) = (pred, if new == NONE { pred } else { new });
                    while a != b {
                        if position(a) < position(b) {
                            a = self.idom[a as usize];
                        } else {
                            b = self.idom[b as usize];
                        }
                    }
                    new = a;
                }
                changed |= std::mem::replace(&mut self.idom[block as usize], new) != new;
            }
        }
        self.number();
    }
    /// When the walk over the tree enters a block: blocks that dominate another one come before it.
    pub fn preorder(&self, block: usize) -> u32 {
        self.interval[block].0
    }
    /// Prepares [`Dominators::dominates`] once `idom` and `reachable` are set.
    pub fn number(&mut self) {
        let n = self.idom.len();
        self.parents.clear();
        for &up in &self.idom {
            self.parents.push_row(usize::from(up != NONE), |row| row.iter_mut().for_each(|r| *r = up));
        }
        self.children.transpose_of(&self.parents);
        self.interval.clear();
        self.interval.resize(n, (0, 0));
        let mut time = 0;
        for root in (0..n).filter(|&b| self.reachable[b] && self.idom[b] == NONE) {
            self.stack.push((root as u32, 0));
            self.interval[root].0 = time;
            time += 1;
            while let Some((block, next)) = self.stack.last_mut() {
                match self.children.row(*block as usize).get(*next as usize) {
                    Some(&child) => {
                        *next += 1;
                        self.interval[child as usize].0 = time;
                        time += 1;
                        self.stack.push((child, 0));
                    }
                    None => {
                        self.interval[*block as usize].1 = time;
                        self.stack.pop();
                    }
                }
            }
        }
    }
    /// Whether `a` dominates `b`; a block dominates itself, and what is not reachable is dominated by all.
    pub fn dominates(&self, a: usize, b: usize) -> bool {
        if a == b || !self.reachable[b] {
            return true;
        }
        let (a_in, a_out) = self.interval[a];
        self.reachable[a] && a_in <= self.interval[b].0 && self.interval[b].1 <= a_out
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn rows(lists: &[&[u32]]) -> Rows {
        let mut rows = Rows::default();
        for l in lists {
            rows.push_row(l.len(), |r| r.copy_from_slice(l));
        }
        rows
    }

    #[test]
    fn l4_orders_of_a_loop_with_an_unreachable_block() {
        let mut cfg = Cfg::default();
        // 0 -> 2, 1; 1 -> 1, 3; 2 -> 3; 4 -> 3
        cfg.compute(&rows(&[&[2, 1], &[1, 3], &[3], &[], &[3]]));
        assert_eq!(cfg.postorder, [3, 2, 1, 0, 4]);
        assert_eq!(cfg.preorder, [0, 3, 1, 2, NONE]);
        assert_eq!((cfg.num_reachable, cfg.preds.row(3)), (4, &[1, 2, 4][..]));
    }

    #[test]
    fn l4_dominance_is_that_of_the_tree() {
        let mut d = Dominators {
            idom: vec![NONE, 0, 1, 1, NONE],
            reachable: vec![true, true, true, true, false],
            ..Dominators::default()
        };
        d.number();
        for (a, b, yes) in
            [(0, 3, true), (1, 2, true), (2, 3, false), (3, 1, false), (2, 4, true), (4, 2, false)]
        {
            assert_eq!(d.dominates(a, b), yes, "{a} {b}");
        }
    }
}
