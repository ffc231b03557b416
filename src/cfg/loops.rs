//! Finds natural loops.
//!
//! **Problem.** Code in a loop is executed more often than code around it. This tells which loops a
//! block is in.
//!
//! **Algorithm.** Find the loops of back edges, the innermost first. Walk from the latches up to
//! the header, and skip over loops that are already known.
//!
//! **Source.** LLVM's `LoopInfo`. **Deviation.** None: a cycle with several entries is not a loop.
//!
//! **Complexity.** Linear in the edges of loops, times the loops around them.

use super::dominators::Dominators;
use super::graph::Cfg;
use crate::adt::PackedOption;
use crate::mir::BlockId;
use index_vec::IndexVec;

index_vec::define_index_type! {
    /// The number of a natural loop; inner loops come before outer ones.
    pub struct LoopId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "loop{}";
}

/// The loops of a function.
#[derive(Default)]
pub struct Loops {
    /// By block: its innermost loop.
    loop_of: IndexVec<BlockId, PackedOption<LoopId>>,
    /// By loop: the one around it.
    parents: IndexVec<LoopId, PackedOption<LoopId>>,
    depths: IndexVec<LoopId, u32>,
    headers: IndexVec<LoopId, BlockId>,
    /// Blocks, dominated ones first.
    order: Vec<BlockId>,
    worklist: Vec<BlockId>,
}

impl Loops {
    /// Finds the loops of a function.
    pub fn compute(&mut self, cfg: &Cfg, dominators: &Dominators) {
        self.loop_of.clear();
        self.loop_of.resize(cfg.num_blocks(), PackedOption::NONE);
        self.parents.clear();
        self.depths.clear();
        self.headers.clear();
        self.order.clear();
        self.order.extend_from_slice(cfg.reachable());
        self.order.sort_unstable_by_key(|&b| std::cmp::Reverse(dominators.preorder(b)));
        for i in 0..self.order.len() {
            let header = self.order[i];
            self.worklist.clear();
            let latches = cfg.preds.row(header).iter().copied();
            self.worklist.extend(latches.filter(|&p| dominators.dominates(header, p)));
            if !self.worklist.is_empty() {
                let this = self.parents.push(PackedOption::NONE);
                self.headers.push(header);
                self.discover(cfg, this);
            }
        }
        // A loop's parent comes after it.
        self.depths.resize(self.parents.len(), 0);
        for l in (0..self.parents.len()).rev().map(LoopId::from_usize) {
            self.depths[l] = 1 + self.parents[l].get().map_or(0, |parent| self.depths[parent]);
        }
    }

    /// Adds the blocks on the paths from the header of loop `this` to its latches, the worklist, to
    /// the loop.
    fn discover(&mut self, cfg: &Cfg, this: LoopId) {
        while let Some(block) = self.worklist.pop() {
            let from = match self.loop_of[block].get() {
                None => {
                    self.loop_of[block] = this.into();
                    if block == self.headers[this] {
                        continue;
                    }
                    block
                }
                Some(mut inner) => {
                    while let Some(outer) = self.parents[inner].get() {
                        inner = outer;
                    }
                    if inner == this {
                        continue;
                    }
                    // The block is in a known loop, which is skipped.
                    self.parents[inner] = this.into();
                    self.headers[inner]
                }
            };
            self.worklist.extend(cfg.preds.row(from).iter().filter(|&&p| cfg.is_reachable(p)));
        }
    }

    /// Returns how many loops there are.
    pub fn num_loops(&self) -> usize {
        self.parents.len()
    }
    /// Returns the loops, inner ones before outer ones.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = LoopId> + Clone {
        (0..self.num_loops()).map(LoopId::from_usize)
    }
    /// Returns the header of a loop.
    pub fn header(&self, l: LoopId) -> BlockId {
        self.headers[l]
    }
    /// Returns the loop right around another one. `None` if there is none.
    pub fn parent(&self, l: LoopId) -> Option<LoopId> {
        self.parents[l].get()
    }
    /// Returns the loops around a block, the innermost first.
    pub fn around(&self, block: BlockId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(block), |&l| self.parents[l].get())
    }
    /// Returns whether a block is in a loop.
    pub fn contains(&self, l: LoopId, block: BlockId) -> bool {
        let mut around = self.around(block).skip_while(|&a| self.depths[a] > self.depths[l]);
        around.next() == Some(l)
    }
    /// Returns the innermost loop of a block. `None` if it is in no loop.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.loop_of[block].get()
    }
    /// Returns whether a block is in the innermost loop of another one, or the other one is in no
    /// loop.
    pub fn is_in_loop_of(&self, block: BlockId, of: BlockId) -> bool {
        self.innermost(of).is_none_or(|l| self.contains(l, block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::edges;

    #[test]
    fn loops_in_loops() {
        let (mut cfg, mut dominators, mut loops) = Default::default();
        let mut find = |succs: &[&[u32]]| -> Loops {
            Cfg::compute(&mut cfg, &edges(succs));
            Dominators::compute(&mut dominators, &cfg);
            Loops::compute(&mut loops, &cfg, &dominators);
            std::mem::take(&mut loops)
        };
        let b = BlockId::new;
        // 0 → 1 (outer) → 2 (inner 2 → 2) → 3 → 1, 4
        let l = find(&[&[1], &[2], &[2, 3], &[1, 4], &[]]);
        assert_eq!([0, 4].map(|i| l.innermost(b(i))), [None, None]);
        assert_eq!(l.innermost(b(1)), l.innermost(b(3)));
        assert_eq!(l.around(b(2)).count(), 2);
        assert!(l.is_in_loop_of(b(2), b(3)) && !l.is_in_loop_of(b(3), b(2)) && l.is_in_loop_of(b(2), b(4)));
        assert!(!l.is_in_loop_of(b(0), b(1)));
        // A cycle with two entries is not a loop.
        let l = find(&[&[1, 2], &[2], &[1]]);
        assert_eq!([1, 2].map(|i| l.innermost(b(i))), [None, None]);
    }
}
