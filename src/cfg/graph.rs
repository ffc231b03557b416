//! Orders the blocks of a control-flow graph.
//!
//! **Source.** Textbook depth-first search. **Complexity.** Linear. No recursion, so a deep graph
//! does not overflow the stack.

use crate::adt::{BitSet, Rows};
use crate::mir::BlockId;
use index_vec::IndexVec;

/// The block where a function begins.
const ENTRY: BlockId = BlockId::from_raw_unchecked(0);

/// Predecessors and the orders of a function's blocks.
#[derive(Default, Debug)]
pub struct Cfg {
    /// Predecessors of each block, in layout order.
    pub preds: Rows<BlockId, BlockId>,
    /// Blocks in post-order from the entry. The unreachable ones come last.
    pub postorder: Vec<BlockId>,
    /// By block: its position in `postorder`.
    pub postorder_position: IndexVec<BlockId, u32>,
    /// By block: its position in LLVM's depth-first preorder; 0 if it is unreachable.
    pub preorder: IndexVec<BlockId, u32>,
    /// How many blocks are reachable.
    pub num_reachable: usize,
    visited: BitSet,
    /// The blocks that the search is in, and how many of their successors it has followed.
    stack: Vec<(BlockId, u32)>,
}

impl Cfg {
    /// Computes everything for the graph of these successors, whose entry is block 0.
    pub fn compute(&mut self, succs: &Rows<BlockId, BlockId>) {
        let n = succs.len();
        self.preds.transpose_of(succs, n);
        self.postorder.clear();
        self.postorder_position.clear();
        self.postorder_position.resize(n, 0);
        self.preorder.clear();
        self.preorder.resize(n, 0);
        self.visited.reset(n);
        let mut preorder = 0;
        if n > 0 {
            self.visited.insert(0);
            preorder = 1;
            self.stack.push((ENTRY, 0));
        }
        while let Some((block, next)) = self.stack.last_mut() {
            match succs.row(*block).get(*next as usize) {
                Some(&succ) => {
                    *next += 1;
                    if self.visited.insert(succ.index()) {
                        self.preorder[succ] = preorder;
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
        self.postorder.extend((0..n).filter(|&b| !self.visited.contains(b)).map(BlockId::from_usize));
        for (i, &b) in self.postorder.iter().enumerate() {
            self.postorder_position[b] = i as u32;
        }
    }
    /// Returns how many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.postorder.len()
    }
    /// Returns the reachable blocks in post-order.
    pub fn reachable(&self) -> &[BlockId] {
        &self.postorder[..self.num_reachable]
    }
    /// Returns whether there is a path from the entry to a block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        (self.postorder_position[block] as usize) < self.num_reachable
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfg::testing::edges;

    #[test]
    fn l4_orders_of_a_loop_with_an_unreachable_block() {
        let mut cfg = Cfg::default();
        // 0 -> 2, 1; 1 -> 1, 3; 2 -> 3; 4 -> 3
        cfg.compute(&edges(&[&[2, 1], &[1, 3], &[3], &[], &[3]]));
        assert_eq!(cfg.postorder, [3, 2, 1, 0, 4]);
        assert_eq!(cfg.preorder.raw[..4], [0, 3, 1, 2]);
        assert_eq!([0, 3, 4].map(|b| cfg.is_reachable(BlockId::new(b))), [true, true, false]);
        assert_eq!(
            (cfg.num_reachable, cfg.preds.row(BlockId::new(3))),
            (4, &[1, 2, 4].map(BlockId::new)[..])
        );
    }
}
