//! Natural loops.
//!
//! **Problem.** What is executed more often than what: which loops a block is in.
//!
//! **Algorithm.** The loops of back edges, the innermost first: from the latches up to the header, passing over loops that are known
//! already.
//!
//! **Source.** LLVM's `LoopInfo`. **Deviation.** None: a cycle with several entries is no loop.
//!
//! **Complexity.** The loops' edges, once for each loop around them.

use super::graph::{Cfg, Dominators, NONE};

/// The loops of a function.
#[derive(Default)]
pub struct Loops {
    /// By block its innermost loop; by loop the one around it, and how deep it is.
    loop_of: Vec<u32>,
    parents: Vec<u32>,
    depths: Vec<u32>,
    headers: Vec<u32>,
    /// By loop.
    header_of: Vec<u32>,
    worklist: Vec<u32>,
}

impl Loops {
    /// Finds them.
    pub fn compute(&mut self, cfg: &Cfg, dominators: &Dominators) {
        self.loop_of.clear();
        self.loop_of.resize(cfg.preds.len(), NONE);
        self.parents.clear();
        self.depths.clear();
        self.header_of.clear();
        self.headers.clear();
        self.headers.extend_from_slice(&cfg.postorder[..cfg.num_reachable]);
        self.headers.sort_unstable_by_key(|&b| std::cmp::Reverse(dominators.preorder(b as usize)));
        for &header in &self.headers {
            self.worklist.clear();
            let latches = cfg.preds.row(header as usize).iter().copied();
            self.worklist.extend(latches.filter(|&p| dominators.dominates(header as usize, p as usize)));
            if self.worklist.is_empty() {
                continue;
            }
            let this = self.parents.len() as u32;
            self.parents.push(NONE);
            self.header_of.push(header);
            while let Some(block) = self.worklist.pop() {
                let mut inner = self.loop_of[block as usize];
                let from = if inner == NONE {
                    self.loop_of[block as usize] = this;
                    if block == header {
                        continue;
                    }
                    block
                } else {
                    while self.parents[inner as usize] != NONE {
                        inner = self.parents[inner as usize];
                    }
                    if inner == this {
                        continue;
                    }
                    self.parents[inner as usize] = this;
                    self.header_of[inner as usize]
                };
                // What is in a loop already is passed over.
                let is_reachable = |&&p: &&u32| cfg.preorder[p as usize] != NONE;
                self.worklist.extend(cfg.preds.row(from as usize).iter().filter(is_reachable));
            }
        }
        // A loop's parent comes behind it.
        self.depths.resize(self.parents.len(), 0);
        for l in (0..self.parents.len()).rev() {
            self.depths[l] = match self.parents[l] {
                NONE => 1,
                parent => self.depths[parent as usize] + 1,
            };
        }
    }

    /// How many there are.
    pub fn num_loops(&self) -> usize {
        self.parents.len()
    }
    /// The loops around a block, by number, the innermost first.
    pub fn around(&self, block: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.innermost(block), |&l| {
            Some(self.parents[l as usize]).filter(|&p| p != NONE)
        })
    }
    /// Whether a block is in a loop.
    pub fn contains(&self, l: u32, block: u32) -> bool {
        let mut around =
            self.around(block).skip_while(|&a| self.depths[a as usize] > self.depths[l as usize]);
        around.next() == Some(l)
    }
    /// The innermost loop of a block, by number; none if it is in none.
    pub fn innermost(&self, block: u32) -> Option<u32> {
        Some(self.loop_of[block as usize]).filter(|&l| l != NONE)
    }
    /// Whether a block is in the innermost loop of another one, or that is in none.
    pub fn is_in_loop_of(&self, block: u32, of: u32) -> bool {
        self.innermost(of).is_none_or(|l| self.contains(l, block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::graph::tests::rows;

    #[test]
    fn loops_in_loops() {
        let (mut cfg, mut dominators, mut loops) = Default::default();
        let mut find = |succs: &[&[u32]]| -> Loops {
            Cfg::compute(&mut cfg, &rows(succs));
            Dominators::compute(&mut dominators, &cfg);
            Loops::compute(&mut loops, &cfg, &dominators);
            std::mem::take(&mut loops)
        };
        // 0 → 1 (outer) → 2 (inner 2 → 2) → 3 → 1, 4
        let l = find(&[&[1], &[2], &[2, 3], &[1, 4], &[]]);
        assert_eq!([0, 4].map(|b| l.innermost(b)), [None, None]);
        assert_eq!(l.innermost(1), l.innermost(3));
        assert!(l.is_in_loop_of(2, 3) && !l.is_in_loop_of(3, 2) && l.is_in_loop_of(2, 4));
        assert!(!l.is_in_loop_of(0, 1));
        // A cycle with two entries is none.
        let l = find(&[&[1, 2], &[2], &[1]]);
        assert_eq!([1, 2].map(|b| l.innermost(b)), [None, None]);
    }
}
