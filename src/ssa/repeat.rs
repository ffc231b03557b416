//! Finds the registers that ptxas recomputes by itself where they are read.
//!
//! **Problem.** ptxas has parameters and the numbers of threads at hand everywhere. It recomputes
//! what a few instructions compute from these, instead of keeping it. Such a register is not live
//! where nothing reads it, whatever its live range says.
//!
//! **Algorithm.** Walk up from the register over instructions that may be repeated.
//!
//! **Source.** What ptxas does; docs/stages/hoist.md, "Computing where registers end".
//! **Complexity.** Bounded by [`MAX_RECOMPUTED`].

use super::facts::SsaFacts;
use crate::mir::{virtual_reads, InstrId, VRegId};

/// ptxas recomputes a register only if at most this many instructions compute it.
pub const MAX_RECOMPUTED: u32 = 10;

/// Tells which instructions may be repeated.
pub trait Repeat {
    /// Returns whether an instruction may be computed again anywhere, from its operands alone. A
    /// load of a parameter and the number of a thread count too.
    fn is_repeatable(&mut self, instr: InstrId) -> bool;
}

/// Returns whether ptxas recomputes a register by itself: at most [`MAX_RECOMPUTED`] instructions
/// compute it from nothing but the numbers of threads and the parameters.
pub fn is_recomputed(facts: &SsaFacts, target: &mut (impl Repeat + ?Sized), reg: VRegId) -> bool {
    steps(facts, target, reg, MAX_RECOMPUTED) <= MAX_RECOMPUTED
}

/// Counts the instructions that compute a register in this way. Returns a number above `max` if
/// there are more, or if it cannot be computed so.
fn steps(facts: &SsaFacts, target: &mut (impl Repeat + ?Sized), reg: VRegId, max: u32) -> u32 {
    let def = facts.def_of(reg).filter(|&def| max > 0 && !facts.is_phi_instr(def));
    let Some(def) = def.filter(|&def| target.is_repeatable(def)) else { return max + 1 };
    let mut count = 1;
    for operand in virtual_reads(facts.operands_of(def)) {
        count += steps(facts, target, operand, max - count);
        if count > max {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::testing::{end_block, push, read, write};
    use crate::mir::{FunctionFacts, InstrFlags};

    /// Every instruction may be repeated except those listed.
    struct AllBut(Vec<u32>);
    impl Repeat for AllBut {
        fn is_repeatable(&mut self, instr: InstrId) -> bool {
            !self.0.contains(&instr.raw())
        }
    }

    #[test]
    fn ptxas_recomputes_what_few_instructions_compute_of_nothing() {
        // %0 is a parameter. Each of the others is computed from the one before it, the last one
        // from two.
        let mut facts = FunctionFacts::default();
        facts.clear(12, 1);
        push(&mut facts, InstrFlags::NONE, &[write(0)]);
        (1..11).for_each(|r| push(&mut facts, InstrFlags::NONE, &[write(r), read(r - 1)]));
        push(&mut facts, InstrFlags::NONE, &[write(11), read(3), read(4)]);
        end_block(&mut facts, 0, &[]);
        let facts = SsaFacts::of(facts);
        let recomputed = |not: Vec<u32>| {
            let mut target = AllBut(not);
            let regs = (0..12).filter(|&r| is_recomputed(&facts, &mut target, VRegId::new(r)));
            regs.collect::<Vec<_>>()
        };
        // %9 takes ten instructions; %11 one, and four and five for its operands.
        assert_eq!(recomputed(vec![]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
        assert_eq!(recomputed(vec![2]), [0, 1]);
        assert!(recomputed(vec![0]).is_empty());
    }
}
