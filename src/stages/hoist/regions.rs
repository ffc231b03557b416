//! Pairs each block with the nearest block above that is executed equally often.
//!
//! **Problem.** Code may move from a block up to another one without being executed more or less
//! often if neither block is executed without the other. That is so if the upper one dominates the
//! lower one, the lower one post-dominates the upper one, and both are in the same loop.
//!
//! **Algorithm.** Dominators, natural loops, and dominators of the reversed graph with one exit.
//! The upper block is found by walking up the dominator tree.
//!
//! **Deviation.** A cycle with several entries does not count as a loop. Code may move up into one:
//! it is then executed more often, but is still correct.
//!
//! **Complexity.** That of dominators and loops; the walk up stops after [`MAX_STEPS_UP`] steps.

use super::limits::MAX_STEPS_UP;
use crate::adt::{PackedOption, Rows};
use crate::cfg::{Cfg, Dominators};
use crate::mir::BlockId;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The pairs of blocks of a function.
#[derive(Default)]
pub struct Regions {
    reversed: Rows<BlockId, BlockId>,
    exits: Cfg,
    post_dominators: Dominators,
    /// By block: the nearest block above that is executed equally often.
    above: IndexVec<BlockId, PackedOption<BlockId>>,
}

/// Returns the number of a block in the reversed graph, whose block 0 is the exit.
fn in_reversed(block: BlockId) -> BlockId {
    block + 1
}

impl Regions {
    /// Finds the pairs.
    pub fn compute(&mut self, facts: &SsaFacts) {
        self.reversed.clear();
        let ends = facts.blocks().filter(|&block| facts.succs_of(block).len() == 0);
        self.reversed.push_row(ends.map(in_reversed));
        for block in facts.blocks() {
            self.reversed.push_row(facts.preds_of(block).map(in_reversed));
        }
        self.exits.compute(&self.reversed);
        self.post_dominators.compute(&self.exits);
        self.above.clear();
        for block in facts.blocks() {
            let above = self.find_above(facts, block);
            self.above.push(above.into());
        }
    }

    /// Returns the nearest block above that is executed equally often, if there is one.
    pub fn above(&self, block: BlockId) -> Option<BlockId> {
        self.above[block].get()
    }
    /// Lists the blocks that have a block above, the lowest first.
    pub fn list_from_below(&self, facts: &SsaFacts, out: &mut Vec<BlockId>) {
        out.clear();
        out.extend(facts.blocks().filter(|&block| self.above(block).is_some()));
        out.sort_unstable_by_key(|&block| std::cmp::Reverse(facts.dominators.preorder(block)));
    }

    fn find_above(&self, facts: &SsaFacts, block: BlockId) -> Option<BlockId> {
        let dominators = std::iter::successors(facts.idom_of(block), |&up| facts.idom_of(up));
        dominators.take(MAX_STEPS_UP).find(|&up| {
            let [lower, upper] = [block, up].map(in_reversed);
            // A block that never reaches the exit is post-dominated by no block.
            let reaches_exit = self.exits.is_reachable(upper);
            reaches_exit && self.post_dominators.dominates(lower, upper) && facts.have_same_loop(up, block)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::testing::end_block;
    use crate::mir::FunctionFacts;

    fn edges(succs: &[&[u32]]) -> SsaFacts {
        let mut facts = FunctionFacts::default();
        facts.clear(0, succs.len());
        (0..).zip(succs).for_each(|(block, succs)| end_block(&mut facts, block, succs));
        SsaFacts::of(facts)
    }

    /// By block: the nearest block above that is executed equally often.
    fn above_of(succs: &[&[u32]]) -> Vec<Option<u32>> {
        let (facts, mut regions) = (edges(succs), Regions::default());
        regions.compute(&facts);
        facts.blocks().map(|block| regions.above(block).map(BlockId::raw)).collect()
    }

    fn is_in_loop_of(facts: &SsaFacts, block: usize, of: usize) -> bool {
        facts.is_in_loop_of(BlockId::new(block), BlockId::new(of))
    }

    #[test]
    fn hoist_after_a_diamond_is_as_often_as_before() {
        // 0 → 1, 2 → 3 → 4 (loop 4 → 4) → 5. Block 4 is executed more often; 5 as often as 3.
        let succs: [&[u32]; 6] = [&[1, 2], &[3], &[3], &[4], &[4, 5], &[]];
        assert_eq!(above_of(&succs), [None, None, None, Some(0), None, Some(3)]);
        let facts = edges(&succs);
        assert!(is_in_loop_of(&facts, 4, 4) && !is_in_loop_of(&facts, 3, 4));
    }

    #[test]
    fn hoist_loops_in_loops() {
        // 0 → 1 (outer) → 2 (inner 2 → 2) → 3 → 1, 4
        let succs: [&[u32]; 5] = [&[1], &[2], &[2, 3], &[1, 4], &[]];
        assert_eq!(above_of(&succs), [None, None, None, Some(1), Some(0)]);
        let facts = edges(&succs);
        assert!(is_in_loop_of(&facts, 2, 3) && !is_in_loop_of(&facts, 3, 2));
        // An infinite loop.
        assert_eq!(above_of(&[&[1, 3], &[2], &[1], &[]]), [None, None, None, Some(0)]);
    }
}
