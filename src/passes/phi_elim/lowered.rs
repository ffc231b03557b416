//! Finds an earlier PHI with the same operands.
//!
//! **Problem.** Tail duplication leaves PHIs with the same operands in several blocks with the same
//! predecessors. One incoming register, copied to once, serves all of them.
//!
//! **Algorithm.** A hash table of operand lists, for look-ups only. Two PHIs are alike when they
//! have the same registers, sub-registers and blocks, in the same order.
//!
//! **Source.** `LoweredPHIs` of LLVM's `PHIElimination.cpp`. **Deviation.** LLVM ignores flags. If
//! two PHIs differ in an undef flag only, the first one's copies serve both, and a value may get
//! lost. LLVM itself makes no such PHIs. We tell them apart, except in the `upstream` profile.
//! **Complexity.** Linear in the operands.

use super::uses::Use;
use crate::adt::PackedOption;
use crate::mir::{BlockNumber, Register};
use index_vec::IndexVec;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

index_vec::define_index_type! {
    /// A PHI that has an incoming register of its own.
    struct LoweredId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// Maps the sources of a PHI to its incoming register.
#[derive(Default)]
pub(super) struct LoweredPhis {
    /// By hash, the last PHI that has it.
    by_hash: FxHashMap<u64, PackedOption<LoweredId>>,
    phis: IndexVec<LoweredId, Lowered>,
    /// The sources of all PHIs.
    sources: Vec<Source>,
    undef_matters: bool,
}

struct Lowered {
    sources: Range<usize>,
    incoming: Register,
    /// The previous PHI with the same hash.
    previous: PackedOption<LoweredId>,
}

/// An operand of a PHI, without the flags that do not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Source {
    reg: Register,
    subreg: u32,
    is_undef: bool,
    pred: BlockNumber,
}

impl Source {
    fn of(read: &Use, undef_matters: bool) -> Source {
        let Use { source, pred, .. } = *read;
        let is_undef = undef_matters && source.is_undef();
        Source { reg: source.reg(), subreg: source.subreg(), is_undef, pred }
    }
}

impl LoweredPhis {
    /// Begins a function.
    pub(super) fn clear(&mut self, undef_matters: bool) {
        self.undef_matters = undef_matters;
        self.by_hash.clear();
        self.phis.clear();
        self.sources.clear();
    }

    /// Returns the incoming register of a PHI like this one, or else the one that `new` makes; and
    /// whether it is shared.
    pub(super) fn incoming(&mut self, uses: &[Use], new: impl FnOnce() -> Register) -> (Register, bool) {
        let mut hasher = FxHasher::default();
        let undef_matters = self.undef_matters;
        let sources = uses.iter().map(|read| Source::of(read, undef_matters));
        sources.clone().for_each(|source| source.hash(&mut hasher));
        let last = self.by_hash.entry(hasher.finish()).or_default();
        let mut candidate = *last;
        while let Some(id) = candidate.get() {
            let phi = &self.phis[id];
            if self.sources[phi.sources.clone()].iter().copied().eq(sources.clone()) {
                return (phi.incoming, true);
            }
            candidate = phi.previous;
        }
        let first = self.sources.len();
        self.sources.extend(sources);
        let (incoming, previous) = (new(), *last);
        *last = self.phis.push(Lowered { sources: first..self.sources.len(), incoming, previous }).into();
        (incoming, false)
    }
}

#[cfg(test)]
mod tests {
    use super::super::host::PhiId;
    use super::super::uses::PhiUses;
    use super::*;
    use crate::mir::Operand;

    fn phi(sources: &[(Operand, u32)]) -> PhiUses {
        let pairs = sources.iter().flat_map(|&(reg, block)| [reg, Operand::test_block(block)]);
        let operands: Vec<_> = [reg(99)].into_iter().chain(pairs).collect();
        let mut uses = PhiUses::default();
        uses.push_phi(BlockNumber::new(0), &operands);
        uses
    }

    fn reg(index: u32) -> Operand {
        Operand::test_reg(Register::virt(index), false, false)
    }

    #[test]
    fn phis_are_alike_by_registers_parts_and_blocks_in_order() {
        let mut lowered = LoweredPhis::default();
        let mut next = 0;
        let mut incoming = |sources: &[(Operand, u32)]| {
            let new = || {
                next += 1;
                Register::virt(100 + next)
            };
            let (reg, shared) = lowered.incoming(phi(sources).uses(PhiId::new(0)), new);
            (reg.virt_index(), shared)
        };
        assert_eq!(incoming(&[(reg(1), 7), (reg(2), 8)]), (101, false));
        assert_eq!(incoming(&[(reg(2), 8), (reg(1), 7)]), (102, false));
        assert_eq!(incoming(&[(reg(1), 7), (reg(2), 9)]), (103, false));
        assert_eq!(incoming(&[(reg(1), 7), (reg(2).test_subreg(1), 8)]), (104, false));
        assert_eq!(incoming(&[(reg(1), 7)]), (105, false));
        // These flags do not matter.
        assert_eq!(incoming(&[(reg(1).with_kill(true), 7), (reg(2), 8)]), (101, true));
        assert_eq!(incoming(&[(reg(1), 7), (reg(2).test_subreg(1), 8)]), (104, true));
    }

    #[test]
    fn phis_that_differ_in_an_undef_flag_are_alike_if_it_does_not_matter() {
        for matters in [true, false] {
            let mut lowered = LoweredPhis::default();
            lowered.clear(matters);
            let undef = reg(1).test_flag(Operand::UNDEF_SHIFT);
            assert!(!lowered.incoming(phi(&[(undef, 7)]).uses(PhiId::new(0)), || Register::virt(5)).1);
            assert_eq!(
                lowered.incoming(phi(&[(reg(1), 7)]).uses(PhiId::new(0)), || Register::virt(6)).1,
                !matters
            );
        }
    }

    #[test]
    fn a_new_function_shares_nothing_with_the_last() {
        let mut lowered = LoweredPhis::default();
        assert!(!lowered.incoming(phi(&[(reg(1), 7)]).uses(PhiId::new(0)), || Register::virt(5)).1);
        lowered.clear(false);
        assert_eq!(
            lowered.incoming(phi(&[(reg(1), 7)]).uses(PhiId::new(0)), || Register::virt(6)),
            (Register::virt(6), false)
        );
    }
}
