//! Uses the hints of the two-address pass where the coalescer is free to choose (requirements T5,
//! T7).
//!
//! **Problem.** The coalescer chooses which copy is tried first, and which of two joined registers
//! keeps its number. The two-address pass knows more than the copies show: which registers are
//! components of one value, and which copies only satisfy a tie.
//!
//! **Algorithm.** Two tables by register. A copy is *preferred* if both registers are in one class
//! of copies, or each is a component of some value. The preferred copies of a block are tried
//! before its others: where two joins exclude each other, the preferred one is made. Of two joined
//! registers, the one whose number is adjacent to more of their neighbours stays; in a tie LLVM's
//! rule decides. So the components of a wide load, a store or an `mma` get consecutive numbers. A
//! joined register has the neighbours of both.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "earlyTied Optimization
//! Detail" and "Copy-Equivalence Classes". **Our deviation.** Only the default profile has hints;
//! without hints, both decisions are LLVM's.
//!
//! **Complexity.** Linear in the hints; for each copy and join a few look-ups of the register that
//! another one has become.

use super::code::Code;
use crate::adt::{IntEqClasses, PackedOption};
use crate::mir::{Register, VRegId};
use crate::passes::affinity::{Affinity, Hint};
use index_vec::IndexVec;

/// The registers before and after a register among the components of a value.
#[derive(Clone, Copy, Default)]
struct Neighbours {
    before: PackedOption<VRegId>,
    after: PackedOption<VRegId>,
}

/// The hints on one function, by register. Empty if there are none.
#[derive(Default)]
pub struct Affinities {
    neighbours: IndexVec<VRegId, Neighbours>,
    /// Registers whose copies satisfy ties, and what they were joined with.
    copies: IntEqClasses,
}

impl Affinities {
    /// Reads the hints on a function of `num_regs` registers.
    pub fn read(&mut self, hints: &[Hint], num_regs: usize) {
        self.neighbours.clear();
        if hints.is_empty() {
            return;
        }
        self.neighbours.resize(num_regs, Neighbours::default());
        self.copies.reset(num_regs);
        for &Hint { reg, affinity, partner } in hints {
            let [reg, partner] = [reg, partner].map(|reg: Register| VRegId::from_usize(reg.virt_index()));
            match affinity {
                Affinity::Neighbour => {
                    self.neighbours[reg].before = partner.into();
                    self.neighbours[partner].after = reg.into();
                }
                Affinity::Copy => self.copies.join(reg.raw(), partner.raw()),
            }
        }
    }
    /// Whether there are no hints.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }
    /// Whether a copy between the two registers is tried before others.
    pub fn prefers(&mut self, a: VRegId, b: VRegId) -> bool {
        let (Some(of_a), Some(of_b)) = (self.neighbours.get(a), self.neighbours.get(b)) else { return false };
        of_a.has_any() && of_b.has_any() || self.copies.leader(a.raw()) == self.copies.leader(b.raw())
    }
    /// Whether `a` should keep its number rather than `b` if the two are joined; `None` if neither
    /// is better.
    pub fn keeps_first(&self, a: VRegId, b: VRegId, code: &Code) -> Option<bool> {
        let (of_a, of_b) = (self.neighbours.get(a)?, self.neighbours.get(b)?);
        let adjacent = |reg: VRegId| {
            let of = |neighbours: &Neighbours| neighbours.num_adjacent(reg, code);
            of(of_a) + of(of_b)
        };
        let (with_a, with_b) = (adjacent(a), adjacent(b));
        (with_a != with_b).then_some(with_a > with_b)
    }
    /// Notes that `src` has become `dst`.
    pub fn note_joined(&mut self, src: VRegId, dst: VRegId) {
        let Some(&gone) = self.neighbours.get(src) else { return };
        let Some(stays) = self.neighbours.get_mut(dst) else { return };
        stays.before = stays.before.get().or(gone.before.get()).into();
        stays.after = stays.after.get().or(gone.after.get()).into();
        self.copies.join(src.raw(), dst.raw());
    }
}

impl Neighbours {
    fn has_any(self) -> bool {
        self.before.get().or(self.after.get()).is_some()
    }
    /// How many of them have the number adjacent to that of `reg`, on their side.
    fn num_adjacent(self, reg: VRegId, code: &Code) -> u32 {
        let number = |reg: PackedOption<VRegId>| reg.get().map(|reg| code.root(reg).raw());
        u32::from(number(self.before).is_some_and(|before| before + 1 == reg.raw()))
            + u32::from(number(self.after) == Some(reg.raw() + 1))
    }
}
