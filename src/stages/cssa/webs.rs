//! Chooses the webs of PHIs that share registers.
//!
//! **Problem.** Classes are joined greedily, and no join is undone. In a large web, such as that of the variables of an interpreter's
//! loop over hundreds of cases, early joins keep out later ones, and its classes are live nearly everywhere. The coalescer, which sees
//! exact live ranges, does better there. Outside of loops a copy runs once: nothing is gained that pays for a longer live range.
//!
//! **Algorithm.** PHIs that name a register in common are joined to *webs*. By default, a web takes part if lowering its PHIs takes
//! at most [`MAX_COPIES`] copies, and if these weigh [`MIN_WEIGHT`] each in the mean: most of them are in loops.
//!
//! **Source.** The bound is ours; the reference description of CICC 13.0 warns of "over-aggressive coalescing that creates very long live
//! ranges". **Deviation:** none of the papers has one.
//!
//! Webs need no live ranges, so they are chosen first: most functions have none that takes part, and are done.
//!
//! **Complexity.** O(n log n) in PHIs and operands, and the number of registers.

use super::types::{LeftOut, PhiId};
use crate::adt::{IntEqClasses, PackedOption};
use crate::mir::VRegId;
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
    /// Joins PHIs.
    joined: IntEqClasses,
    /// By PHI, the cost of its copies.
    costs: IndexVec<PhiId, Cost>,
    /// By PHI that leads a web, the cost of the web.
    of_webs: IndexVec<PhiId, Cost>,
    /// By register, the first PHI that names it.
    named_by: IndexVec<VRegId, PackedOption<PhiId>>,
}

impl Webs {
    /// Begins with PHIs that are a web each.
    pub fn begin(&mut self, num_phis: usize, num_regs: usize) {
        self.joined.reset(num_phis);
        self.costs.clear();
        self.costs.resize(num_phis, Cost::default());
        self.named_by.clear();
        self.named_by.resize(num_regs, PackedOption::NONE);
    }

    /// Adds a copy that a PHI takes, with the register that the PHI names there, if that may be shared.
    pub fn add_copy(&mut self, phi: PhiId, reg: Option<VRegId>, weight: u64) {
        let cost = &mut self.costs[phi];
        cost.copies += 1;
        cost.weight = cost.weight.saturating_add(weight);
        let Some(reg) = reg else { return };
        match self.named_by[reg].get() {
            Some(first) => self.joined.join(first.raw(), phi.raw()),
            None => self.named_by[reg] = phi.into(),
        }
    }

    /// Finds the PHIs that take part, when all copies were added, and counts the others.
    pub fn choose(&mut self, takes_part: &mut IndexVec<PhiId, bool>) -> LeftOut {
        let Webs { joined, costs, of_webs, .. } = self;
        of_webs.clear();
        of_webs.resize(costs.len(), Cost::default());
        for (phi, &Cost { copies, weight }) in costs.iter_enumerated() {
            let web = &mut of_webs[PhiId::from_raw(joined.leader(phi.raw()))];
            web.copies += copies;
            web.weight = web.weight.saturating_add(weight);
        }
        let mut left_out = LeftOut::default();
        takes_part.clear();
        takes_part.extend(costs.iter_enumerated().map(|(phi, cost)| {
            let is_chosen = of_webs[PhiId::from_raw(joined.leader(phi.raw()))].is_worth_sharing();
            if !is_chosen {
                left_out.phis += 1;
                left_out.copies += cost.copies;
            }
            is_chosen
        }));
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds PHIs with copies in blocks of these loop depths: one for the result, and so many for operands.
    fn webs(phis: &[(u32, usize)]) -> Webs {
        let mut webs = Webs::default();
        webs.begin(phis.len(), 1);
        for (phi, &(depth, preds)) in phis.iter().enumerate() {
            (0..=preds).for_each(|_| webs.add_copy(PhiId::from_usize(phi), None, 1 << (3 * depth)));
        }
        webs
    }

    fn chosen(webs: &mut Webs) -> Vec<bool> {
        let mut takes_part = IndexVec::new();
        let left_out = webs.choose(&mut takes_part);
        assert_eq!(left_out.phis as usize, takes_part.iter().filter(|&&takes_part| !takes_part).count());
        takes_part.into_iter().collect()
    }

    #[test]
    fn c8_webs_outside_of_loops_and_large_ones_do_not_take_part() {
        let mut webs = webs(&[(0, 2), (1, 2), (1, 255), (1, 256)]);
        assert_eq!(chosen(&mut webs), [false, true, true, false]);
    }

    #[test]
    fn c8_phis_that_name_one_register_are_one_web() {
        let mut webs = webs(&[(1, 200), (1, 200), (1, 200)]);
        for phi in [0, 2] {
            webs.add_copy(PhiId::new(phi), Some(VRegId::new(0)), 8);
        }
        assert_eq!(chosen(&mut webs), [false, true, false]);
    }
}
