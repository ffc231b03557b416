//! Keeps hints for the coalescer on virtual registers that belong together (requirements T5, T7).
//!
//! **Problem.** The components of a wide load or store, a REG_SEQUENCE, the tied results of one
//! instruction, or a chain of copies and tied operands say that registers belong together. After
//! the two-address pass there are only registers and COPYs, all alike, and the coalescer would have
//! to rediscover which belong together.
//!
//! **Algorithm.** A side table, one for each function. [`Affinity::Neighbour`]: the register has
//! the component next to its partner's in one value (given to the second and later components;
//! "early-tied" in the description of CICC's pass). [`Affinity::Copy`]: register and partner are in
//! one copy-equivalence class, over transitive chains of copies; the partner is the class's lowest
//! register. [`AffinityHints::finish`] joins the classes and sorts. The coalescer reads all hints
//! into tables by register ([`crate::passes::coalescer::affinities`]). A hint says nothing about
//! interference, and correctness does not depend on it: its registers may be gone by the time it is
//! read.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "earlyTied Optimization
//! Detail" and "Copy-Equivalence Classes". **Our deviation.** Erratum 6: a table beside the code,
//! not a flag on the COPY's operand, which LLVM's verifier would reject. The table is part of the
//! two-address pass object. The shim finds that object in the pass manager of the requesting pass,
//! so functions compiled at the same time do not share it. The table is emptied when the next
//! function begins and dropped at the end of the module. Only the default profile fills it.
//!
//! **Complexity.** Linear in the hints for copies and in the range of register numbers that they
//! span; O(n log n) to sort if there are hints for neighbours; hints for copies alone come sorted.

use crate::adt::IntEqClasses;
use crate::mir::Register;
use std::fmt::Write;

/// Why two registers belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Affinity {
    /// Next to each other among the components of one value (requirement T7).
    Neighbour,
    /// Copies of one value, or tied to one (requirement T5).
    Copy,
}

/// A virtual register and one that it should be joined with or lie next to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hint {
    /// The register.
    pub reg: Register,
    /// Why.
    pub affinity: Affinity,
    /// The other one.
    pub partner: Register,
}

/// The hints of one function, sorted.
#[derive(Default)]
pub struct AffinityHints {
    function: Option<u32>,
    hints: Vec<Hint>,
    copies: Vec<(Register, Register)>,
    /// Scratch: the classes of registers, from the lowest of `copies` on.
    classes: IntEqClasses,
}

impl AffinityHints {
    /// Begins with function number `function` of the module.
    pub fn begin(&mut self, function: u32) {
        self.function = Some(function);
        self.hints.clear();
        self.copies.clear();
    }
    /// Whether they are of this function.
    pub fn is_of(&self, function: u32) -> bool {
        self.function == Some(function)
    }
    /// Adds the hint that `reg` has the component next to that of `previous`.
    pub fn add_neighbours(&mut self, previous: Register, reg: Register) {
        if previous != reg && previous.is_virtual() && reg.is_virtual() {
            self.hints.push(Hint { reg, affinity: Affinity::Neighbour, partner: previous });
        }
    }
    /// Adds pairs of a register and one that it has the same value as.
    pub fn add_copies(&mut self, copies: impl Iterator<Item = (Register, Register)>) {
        self.copies.extend(copies);
    }
    /// Joins the classes of copies, and sorts. All hints of the function have been added.
    pub fn finish(&mut self) {
        self.join_copies();
        self.hints.sort_unstable();
        self.hints.dedup();
    }
    /// All hints, sorted by register.
    pub fn all(&self) -> &[Hint] {
        &self.hints
    }
    /// How many there are of a kind.
    pub fn count(&self, affinity: Affinity) -> u64 {
        self.hints.iter().filter(|h| h.affinity == affinity).count() as u64
    }
    /// The text that `-ptx-print-affinity` shows.
    pub fn text(&self, function: &str) -> String {
        let mut text = format!("# Affinity hints of function {function}\n");
        for h in &self.hints {
            let what = match h.affinity {
                Affinity::Neighbour => "next to",
                Affinity::Copy => "same as",
            };
            let (reg, partner) = (h.reg.virt_index(), h.partner.virt_index());
            writeln!(text, "%{reg} {what} %{partner}").expect("a string can be written to");
        }
        text
    }

    /// Gives every register of a class, except the lowest, a hint to the lowest.
    fn join_copies(&mut self) {
        let AffinityHints { hints, copies, classes, .. } = self;
        let regs = || copies.iter().flat_map(|&(a, b)| [a.0, b.0]);
        let (Some(first), Some(last)) = (regs().min(), regs().max()) else { return };
        classes.reset((last - first) as usize + 1);
        for &(a, b) in &*copies {
            classes.join(a.0 - first, b.0 - first);
        }
        for i in 0..=last - first {
            let lowest = classes.leader(i);
            if lowest != i {
                let (reg, partner) = (Register(first + i), Register(first + lowest));
                hints.push(Hint { reg, affinity: Affinity::Copy, partner });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(index: u32) -> Register {
        Register::virt(index)
    }
    fn partners(hints: &AffinityHints, reg: u32) -> Vec<(Affinity, usize)> {
        hints.all().iter().filter(|h| h.reg == v(reg)).map(|h| (h.affinity, h.partner.virt_index())).collect()
    }

    #[test]
    fn t5_a_transitive_chain_is_one_class() {
        let mut hints = AffinityHints::default();
        hints.begin(0);
        // Out of order, from two blocks, and around a loop.
        hints.add_copies([(v(9), v(5)), (v(3), v(2)), (v(5), v(3))].into_iter());
        hints.add_copies([(v(2), v(9)), (v(11), v(10))].into_iter());
        hints.finish();
        for reg in [3, 5, 9] {
            assert_eq!(partners(&hints, reg), [(Affinity::Copy, 2)]);
        }
        assert_eq!(partners(&hints, 11), [(Affinity::Copy, 10)]);
        assert_eq!(partners(&hints, 2), []);
        assert_eq!(hints.count(Affinity::Copy), 4);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too large")]
    fn t5_long_chains_are_joined_in_linear_steps() {
        let mut hints = AffinityHints::default();
        hints.begin(0);
        hints.add_copies((0..200_000).rev().map(|i| (v(i + 1), v(i))));
        hints.finish();
        assert!(hints.all().iter().all(|h| h.partner == v(0)));
        assert_eq!(hints.count(Affinity::Copy), 200_000);
    }

    #[test]
    fn t7_neighbours_are_sorted_and_told_once() {
        let mut hints = AffinityHints::default();
        hints.begin(3);
        hints.add_neighbours(v(7), v(8));
        hints.add_neighbours(v(1), v(2));
        hints.add_neighbours(v(7), v(8));
        hints.add_neighbours(v(4), v(4));
        hints.add_neighbours(Register(1), v(4));
        hints.add_copies([(v(8), v(1))].into_iter());
        hints.finish();
        assert_eq!(
            hints.text("f"),
            "# Affinity hints of function f\n%2 next to %1\n%8 next to %7\n%8 same as %1\n"
        );
        assert_eq!(partners(&hints, 8), [(Affinity::Neighbour, 7), (Affinity::Copy, 1)]);
        assert_eq!(partners(&hints, 1), []);
    }

    #[test]
    fn t7_hints_are_of_one_function() {
        let mut hints = AffinityHints::default();
        assert!(!hints.is_of(0));
        hints.begin(3);
        hints.add_neighbours(v(1), v(2));
        hints.finish();
        assert!(hints.is_of(3) && !hints.is_of(2));
        hints.begin(4);
        hints.finish();
        assert!(hints.is_of(4) && !hints.is_of(3));
        assert!(hints.all().is_empty());
    }
}
