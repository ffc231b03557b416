//! Blocks that are executed equally often.
//!
//! **Problem.** Code may go from a block up to another one, and be executed neither more nor less often, if one is not executed without the
//! other: the upper one dominates the lower one, which post-dominates it, in the same loop.
//!
//! **Algorithm.** Dominators, natural loops, and dominators of the reversed graph with one exit. The nearest of a block is found by going
//! up its dominators.
//!
//! **Deviation.** A cycle with several entries is no loop here. Code may then go up into one: it is executed more often, and right.
//!
//! **Complexity.** That of dominators and loops; the way up is cut at [`MOST_STEPS`].

use crate::adt::Rows;
use crate::cfg::graph::{Cfg, Dominators};
use crate::ssa::SsaFacts;

/// No block.
pub const NONE: u32 = u32::MAX;
/// Dominators that are looked at for one block.
const MOST_STEPS: u32 = 16;

/// What is known of the blocks of a function.
#[derive(Default)]
pub struct Regions {
    reversed: Rows,
    exits: Cfg,
    post_dominators: Dominators,
    /// By block, the nearest one above that is executed as often.
    above: Vec<u32>,
}

impl Regions {
    /// Finds them.
    pub fn compute(&mut self, facts: &SsaFacts) {
        let succs = &facts.shape.succs;
        let n = succs.len();
        // Block 0 of the reversed graph is the exit, block b is 1 + b there.
        self.reversed.clear();
        let ends = (0..n as u32).filter(|&b| succs.row(b as usize).is_empty());
        self.reversed
            .push_row(ends.clone().count(), |row| row.iter_mut().zip(ends).for_each(|(to, b)| *to = 1 + b));
        for block in 0..n {
            let preds = facts.cfg.preds.row(block);
            self.reversed.push_row(preds.len(), |row| {
                row.iter_mut().zip(preds).for_each(|(to, &pred)| *to = 1 + pred);
            });
        }
        self.exits.compute(&self.reversed);
        self.post_dominators.compute(&self.exits);
        self.above.clear();
        for block in 0..n as u32 {
            let above = self.find_above(facts, block);
            self.above.push(above);
        }
    }

    /// The nearest block above that is executed as often; none if there is none.
    pub fn above(&self, block: u32) -> Option<u32> {
        Some(self.above[block as usize]).filter(|&b| b != NONE)
    }
    /// Those that have a block above them, the lowest first.
    pub fn from_below(&self, facts: &SsaFacts, out: &mut Vec<u32>) {
        out.clear();
        out.extend((0..self.above.len() as u32).filter(|&b| self.above(b).is_some()));
        out.sort_unstable_by_key(|&b| std::cmp::Reverse(facts.dominators.preorder(b as usize)));
    }

    fn find_above(&self, facts: &SsaFacts, block: u32) -> u32 {
        let SsaFacts { dominators, loops, .. } = facts;
        let mut at = dominators.idom[block as usize];
        for _ in 0..MOST_STEPS {
            if at == NONE {
                break;
            }
            // One that never gets to the exit is post-dominated by none.
            let reaches_exit = self.exits.preorder[1 + at as usize] != NONE;
            let is_always = self.post_dominators.dominates(1 + block as usize, 1 + at as usize);
            if reaches_exit && is_always && loops.innermost(at) == loops.innermost(block) {
                return at;
            }
            at = dominators.idom[at as usize];
        }
        NONE
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

    #[test]
    fn hoist_behind_a_diamond_is_as_often_as_in_front() {
        let mut r = Regions::default();
        // 0 → 1, 2 → 3 → 4 (loop 4 → 4) → 5
        let facts = edges(&[&[1, 2], &[3], &[3], &[4], &[4, 5], &[]]);
        r.compute(&facts);
        assert_eq!(r.above(3), Some(0));
        assert_eq!(r.above(1), None);
        // The loop is executed more often; behind it as often as in front.
        assert_eq!(r.above(4), None);
        assert_eq!(r.above(5), Some(3));
        assert!(facts.loops.is_in_loop_of(4, 4) && !facts.loops.is_in_loop_of(3, 4));
    }

    #[test]
    fn hoist_loops_in_loops() {
        let mut r = Regions::default();
        // 0 → 1 (outer) → 2 (inner 2 → 2) → 3 → 1, 4
        let facts = edges(&[&[1], &[2], &[2, 3], &[1, 4], &[]]);
        r.compute(&facts);
        assert_eq!([1, 2, 3, 4].map(|b| r.above(b)), [None, None, Some(1), Some(0)]);
        assert!(facts.loops.is_in_loop_of(2, 3) && !facts.loops.is_in_loop_of(3, 2));
        // A loop without an end.
        r.compute(&edges(&[&[1, 3], &[2], &[1], &[]]));
        assert_eq!([1, 2, 3].map(|b| r.above(b)), [None, None, Some(0)]);
    }
}
