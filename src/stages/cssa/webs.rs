//! Chooses the webs of PHIs that share registers.
//!
//! **Problem.** Classes are joined greedily, and no join is undone. In a large web, such as that of the variables of an interpreter's
//! loop over hundreds of cases, early joins keep out later ones, and its classes are live nearly everywhere. The coalescer, which sees
//! exact live ranges, does better there. Outside of loops a copy runs once: nothing is gained that pays for a longer live range.
//!
//! **Algorithm.** PHIs and the registers that they name are joined to *webs*. By default, a web takes part if lowering its PHIs takes
//! at most [`MAX_COPIES`] copies, and if these weigh [`MIN_WEIGHT`] each in the mean: most of them are in loops.
//!
//! **Source.** The bound is ours; the reference description of CICC 13.0 warns of "over-aggressive coalescing that creates very long live
//! ranges". **Deviation:** none of the papers has one.
//!
//! **Complexity.** O(n log n) in PHIs and operands.

use super::types::{CssaFacts, PhiId, Scope};
use crate::adt::IntEqClasses;
use index_vec::IndexVec;

/// How many copies the PHIs of a web take at most.
const MAX_COPIES: u64 = 256;
/// How much a copy of a web weighs at least in the mean; outside of loops it weighs 1.
const MIN_WEIGHT: u64 = 2;

/// What the PHIs of a web take without sharing.
#[derive(Clone, Copy, Default)]
struct Cost {
    copies: u64,
    weight: u64,
}

impl Cost {
    fn is_worth_sharing(self) -> bool {
        self.copies <= MAX_COPIES && self.weight >= self.copies.saturating_mul(MIN_WEIGHT)
    }
}

/// The webs of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Webs {
    /// Joins PHIs; the registers are behind them.
    joined: IntEqClasses,
    /// By PHI that leads a web, the cost of the web.
    costs: IndexVec<PhiId, Cost>,
    /// By PHI, whether it takes part.
    takes_part: IndexVec<PhiId, bool>,
}

impl Webs {
    /// Finds the PHIs that take part, and returns how many do not.
    pub fn choose(&mut self, facts: &CssaFacts, scope: Scope) -> u64 {
        let num_phis = facts.phis.len();
        self.takes_part.clear();
        self.takes_part.resize(num_phis, true);
        if scope == Scope::All {
            return 0;
        }
        self.join(facts);
        self.costs.clear();
        self.costs.resize(num_phis, Cost::default());
        for (id, phi) in facts.phis.iter_enumerated() {
            let cost = &mut self.costs[PhiId::from_raw(self.joined.leader(id.raw()))];
            let preds = phi.source_ids().map(|source| facts.sources[source].pred);
            for block in preds.chain([phi.block]) {
                cost.copies += 1;
                cost.weight = cost.weight.saturating_add(facts.weight(block));
            }
        }
        for (id, takes_part) in self.takes_part.iter_mut_enumerated() {
            *takes_part = self.costs[PhiId::from_raw(self.joined.leader(id.raw()))].is_worth_sharing();
        }
        self.takes_part.iter().filter(|&&takes_part| !takes_part).count() as u64
    }

    /// Returns whether a PHI takes part.
    pub fn takes_part(&self, phi: PhiId) -> bool {
        self.takes_part[phi]
    }

    /// Joins each PHI with its result and operands. A PHI leads each web, as it has smaller numbers than registers.
    fn join(&mut self, facts: &CssaFacts) {
        let num_phis = facts.phis.len();
        self.joined.reset(num_phis + facts.candidates.len());
        for (id, phi) in facts.phis.iter_enumerated() {
            let sources = phi.source_ids().filter_map(|source| facts.sources[source].candidate);
            for candidate in sources.chain(phi.result) {
                self.joined.join(id.raw(), num_phis as u32 + candidate.raw());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::types::{Phi, Source};
    use super::*;
    use crate::mir::BlockId;

    /// Makes PHIs without registers in blocks of these loop depths, with so many predecessors of the same depth.
    fn facts(phis: &[(u32, usize)]) -> CssaFacts {
        let mut facts = CssaFacts::default();
        for &(depth, preds) in phis {
            let block: BlockId = facts.depths.push(depth);
            let first = facts.sources.next_idx();
            facts.sources.extend((0..preds).map(|_| Source { pred: block, candidate: None }));
            let sources = first..facts.sources.next_idx();
            facts.phis.push(Phi { position: 0, block, result: None, sources, class: None });
        }
        facts
    }

    fn chosen(facts: &CssaFacts, scope: Scope) -> Vec<bool> {
        let mut webs = Webs::default();
        let left = webs.choose(facts, scope);
        let chosen: Vec<_> = facts.phis.indices().map(|phi| webs.takes_part(phi)).collect();
        assert_eq!(left as usize, chosen.iter().filter(|&&c| !c).count());
        chosen
    }

    #[test]
    fn c8_webs_outside_of_loops_and_large_ones_do_not_take_part() {
        let facts = facts(&[(0, 2), (1, 2), (1, 255), (1, 256)]);
        assert_eq!(chosen(&facts, Scope::WhereItPays), [false, true, true, false]);
        assert_eq!(chosen(&facts, Scope::All), [true; 4]);
    }

    #[test]
    fn c8_phis_that_name_one_register_are_one_web() {
        let mut facts = facts(&[(1, 200), (1, 200), (1, 200)]);
        for phi in [0, 2] {
            // Only its number matters here.
            facts.phis[PhiId::new(phi)].result = Some(super::super::types::CandidateId::new(0));
        }
        facts.candidates.push(super::super::types::Candidate::for_test());
        assert_eq!(chosen(&facts, Scope::WhereItPays), [false, true, false]);
    }
}
