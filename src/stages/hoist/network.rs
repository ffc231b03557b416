//! Decides which candidates of a block to compute in the block above, by a minimum cut over the
//! values that they read and define.

use super::candidates::{Candidates, Value};
use super::cut::{MinimumCut, ValueId};
use super::limits::MAX_READS;
use super::placement::Placement;
use super::target::HoistTarget;
use crate::mir::{virtual_reads, BlockId, VRegId};
use crate::ssa::repeat::is_recomputed;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The network of one pair of blocks.
#[derive(Default)]
pub struct Network {
    /// The gain that a cut must have.
    pub min_gain: u32,
    cut: MinimumCut,
    /// By value: the cost of keeping it live below if it is defined above; 0 for a candidate.
    costs: IndexVec<ValueId, u32>,
}

impl Network {
    /// Finds the cheapest set of values to keep live from the upper block to the lower one. Returns
    /// whether it saves enough.
    pub fn cut(
        &mut self,
        facts: &SsaFacts,
        target: &mut impl HoistTarget,
        placement: &Placement,
        candidates: &Candidates,
        block: BlockId,
        above: BlockId,
    ) -> bool {
        self.costs.clear();
        let mut now = 0;
        for &Value { reg, is_candidate } in candidates.values() {
            let is_free = is_candidate
                || is_live_below(facts, placement, candidates, reg, block, above)
                || is_recomputed(facts, target, reg);
            let cost = if is_free { 0 } else { target.cost(reg) };
            now += cost;
            self.costs.push(cost);
        }
        if now < self.min_gain {
            return false;
        }
        self.build(facts, target, candidates);
        self.cut.run(now - self.min_gain).is_some()
    }
    /// Returns whether a value is computed, or available, in the upper block. Call it after
    /// [`Network::cut`].
    pub fn is_above(&self, value: ValueId) -> bool {
        self.cut.is_first(value)
    }

    fn build(&mut self, facts: &SsaFacts, target: &mut impl HoistTarget, candidates: &Candidates) {
        self.cut.clear();
        for (value, &Value { reg, is_candidate }) in candidates.values().iter_enumerated() {
            if !is_candidate {
                self.cut.add(self.costs[value]);
                self.cut.mark_available(value);
                continue;
            }
            self.cut.add(target.cost(reg));
            let def = facts.def_of(reg).expect("a candidate defines it");
            for operand in virtual_reads(facts.operands_of(def)) {
                self.cut.add_read(value, candidates.value(operand).expect("every operand has a value"));
            }
            let mut readers = facts.readers_of(reg);
            if readers.len() > MAX_READS || readers.any(|instr| !candidates.contains(facts, instr)) {
                self.cut.mark_needed(value);
            }
        }
    }
}

/// Returns whether a register that is defined above is live after the upper block even if all
/// candidates are computed there.
fn is_live_below(
    facts: &SsaFacts,
    placement: &Placement,
    candidates: &Candidates,
    reg: VRegId,
    block: BlockId,
    above: BlockId,
) -> bool {
    let home = placement.block_of_def(facts, reg).expect("a candidate reads it");
    let mut readers = facts.readers_of(reg);
    if readers.len() > MAX_READS || !facts.is_in_loop_of(home, block) {
        return true;
    }
    let is_below = |b: BlockId| b != above && facts.dominates(above, b);
    readers.any(|instr| {
        if facts.is_phi_instr(instr) {
            // A PHI reads at the end of a predecessor.
            let mut reads = facts.phi_reads_of(instr).filter(|read| read.0 == reg);
            return reads.any(|(_, pred)| pred == above || is_below(pred));
        }
        is_below(placement.block_of(instr)) && !candidates.contains(facts, instr)
    })
}
