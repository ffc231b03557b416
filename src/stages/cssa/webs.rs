//! Chooses the webs of PHIs that share registers.
//!
//! **Problem.** Classes are joined greedily, and a join is never undone. In a large web, such as
//! that of the variables of an interpreter's loop over hundreds of cases, early joins rule out
//! later ones, and its classes are live nearly everywhere. The coalescer, which sees exact live
//! ranges, does better there. Outside loops a copy runs once: sharing gains nothing that pays for a
//! longer live range.
//!
//! **Algorithm.** PHIs that name a register in common form a *web*. By default, a web takes part if
//! lowering its PHIs takes at most `MAX_COPIES` copies, and these weigh at least `MIN_WEIGHT` on
//! average: then most of them are in loops.
//!
//! **Source.** The bound is ours. The reference description of CICC 13.0 warns of "over-aggressive
//! coalescing that creates very long live ranges". **Deviation:** none of the papers has a bound.
//!
//! Webs need no live ranges, and counting their copies does not even need loops: if all webs of a
//! function are large, neither is computed.
//!
//! **Complexity.** O(n log n) in PHIs and operands, and the number of registers.

use super::types::{LeftOut, PhiId};
use crate::adt::{IntEqClasses, PackedOption};
use crate::mir::VRegId;
use index_vec::IndexVec;

/// The largest number of copies that the PHIs of a web may take.
const MAX_COPIES: u64 = 256;
/// The least average weight of a web's copies; outside loops a copy weighs 1.
const MIN_WEIGHT: u64 = 2;

/// The copies that the PHIs of a web take without sharing.
#[derive(Clone, Copy, Default)]
struct Cost {
    copies: u64,
    weight: u64,
}

impl Cost {
    fn is_small(self) -> bool {
        self.copies <= MAX_COPIES
    }
    fn is_worth_sharing(self) -> bool {
        self.is_small() && self.weight >= self.copies.saturating_mul(MIN_WEIGHT)
    }
}

/// The webs of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Webs {
    /// Joins PHIs into webs.
    joined: IntEqClasses,
    /// By PHI: how many copies it takes.
    copies: IndexVec<PhiId, u64>,
    /// By PHI that leads a web: the cost of the web.
    of_webs: IndexVec<PhiId, Cost>,
    /// By register: the first PHI that names it.
    named_by: IndexVec<VRegId, PackedOption<PhiId>>,
}

impl Webs {
    /// Begins with PHIs, each of which is a web of its own.
    pub fn begin(&mut self, num_phis: usize, num_regs: usize) {
        self.joined.reset(num_phis);
        self.copies.clear();
        self.copies.resize(num_phis, 0);
        self.named_by.clear();
        self.named_by.resize(num_regs, PackedOption::NONE);
    }

    /// Adds a copy that a PHI takes. `reg` is the register that the PHI names there, if it may be
    /// shared.
    pub fn add_copy(&mut self, phi: PhiId, reg: Option<VRegId>) {
        self.copies[phi] += 1;
        let Some(reg) = reg else { return };
        match self.named_by[reg].get() {
            Some(first) => self.joined.join(first.raw(), phi.raw()),
            None => self.named_by[reg] = phi.into(),
        }
    }

    /// Counts the copies of webs, after all were added. Returns whether any web is small enough.
    pub fn count_copies(&mut self) -> bool {
        self.of_webs.clear();
        self.of_webs.resize(self.copies.len(), Cost::default());
        for (phi, &copies) in self.copies.iter_enumerated() {
            self.of_webs[PhiId::from_raw(self.joined.leader(phi.raw()))].copies += copies;
        }
        self.of_webs.iter().any(|web| web.copies != 0 && web.is_small())
    }

    /// Returns whether the web of a PHI is small enough. Needs [`Webs::count_copies`].
    pub fn is_small(&mut self, phi: PhiId) -> bool {
        self.web(phi).is_small()
    }

    /// Adds the weight of a copy that a PHI takes. Needs [`Webs::count_copies`].
    pub fn add_weight(&mut self, phi: PhiId, weight: u64) {
        let web = self.web(phi);
        web.weight = web.weight.saturating_add(weight);
    }

    fn web(&mut self, phi: PhiId) -> &mut Cost {
        &mut self.of_webs[PhiId::from_raw(self.joined.leader(phi.raw()))]
    }

    /// Chooses the PHIs that take part, after the weights of small webs were added, and counts the
    /// others.
    pub fn choose(&mut self, takes_part: &mut IndexVec<PhiId, bool>) -> LeftOut {
        let Webs { joined, copies, of_webs, .. } = self;
        let mut left_out = LeftOut::default();
        takes_part.clear();
        takes_part.extend(copies.iter_enumerated().map(|(phi, &copies)| {
            let is_chosen = of_webs[PhiId::from_raw(joined.leader(phi.raw()))].is_worth_sharing();
            if !is_chosen {
                left_out.phis += 1;
                left_out.copies += copies;
            }
            is_chosen
        }));
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PHI in a block of this loop depth, with this many predecessors of the same depth, and
    /// whether it names a register that others name as well.
    type TestPhi = (u32, usize, bool);

    fn chosen(phis: &[TestPhi]) -> Vec<bool> {
        let mut webs = Webs::default();
        webs.begin(phis.len(), 1);
        let ids = || phis.iter().enumerate().map(|(id, phi)| (PhiId::from_usize(id), phi));
        for (id, &(_, preds, is_joined)) in ids() {
            (0..preds).for_each(|_| webs.add_copy(id, None));
            webs.add_copy(id, is_joined.then_some(VRegId::new(0)));
        }
        let any_is_small = webs.count_copies();
        for (id, &(depth, preds, _)) in ids() {
            if webs.is_small(id) {
                assert!(any_is_small);
                (0..=preds).for_each(|_| webs.add_weight(id, 1 << (3 * depth)));
            }
        }
        let mut takes_part = IndexVec::new();
        let left_out = webs.choose(&mut takes_part);
        let left = || takes_part.iter().zip(phis).filter(|(&takes_part, _)| !takes_part);
        assert_eq!(left_out.phis as usize, left().count());
        assert_eq!(left_out.copies as usize, left().map(|(_, phi)| phi.1 + 1).sum::<usize>());
        takes_part.into_iter().collect()
    }

    #[test]
    fn c8_webs_outside_of_loops_and_large_ones_do_not_take_part() {
        let phis = [(0, 2, false), (1, 2, false), (1, 255, false), (1, 256, false)];
        assert_eq!(chosen(&phis), [false, true, true, false]);
    }

    #[test]
    fn c8_phis_that_name_one_register_are_one_web() {
        assert_eq!(chosen(&[(1, 200, true), (1, 200, false), (1, 200, true)]), [false, true, false]);
    }

    #[test]
    fn c8_where_all_webs_are_large_no_weights_are_needed() {
        let mut webs = Webs::default();
        webs.begin(1, 0);
        (0..=MAX_COPIES).for_each(|_| webs.add_copy(PhiId::new(0), None));
        assert!(!webs.count_copies());
    }
}
