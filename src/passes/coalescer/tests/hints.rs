//! Tests what the hints of the two-address pass decide, and that they do not change results.

use super::*;
use crate::fuzzing::cases;
use crate::passes::affinity::{Affinity, Hint};

fn hint(reg: u32, affinity: Affinity, partner: u32) -> Hint {
    let [reg, partner] = [reg, partner].map(Register::virt);
    Hint { reg, affinity, partner }
}

/// Coalesces a function of one block with hints. Returns the register that each of `0..num_regs`
/// has become.
fn roots(num_regs: usize, instrs: Vec<(InstrFlags, Vec<Operand>)>, hints: &[Hint]) -> Vec<u32> {
    let mut facts = FunctionFacts::default();
    facts.clear(num_regs, 1);
    facts.shape.succs.push_row(std::iter::empty());
    facts.shape.push_block(BlockNumber::new(0));
    instrs.into_iter().for_each(|(flags, operands)| push(&mut facts, flags, &operands));
    facts.end_block();
    let mut buffers = Buffers::default();
    buffers.affinities.read(hints, num_regs);
    let c = coalesce(&facts, &mut Liveness::default(), Setup::DEFAULT, &mut buffers);
    (0..num_regs).map(|reg| c.code.root(VRegId::from_usize(reg)).raw()).collect()
}

fn def(to: u32) -> (InstrFlags, Vec<Operand>) {
    (InstrFlags::NONE, vec![reg(to, true)])
}
fn copy(to: u32, from: u32) -> (InstrFlags, Vec<Operand>) {
    (InstrFlags::COPY, vec![reg(to, true), reg(from, false)])
}
fn read(regs: &[u32]) -> (InstrFlags, Vec<Operand>) {
    (InstrFlags::NONE, regs.iter().map(|&of| reg(of, false)).collect())
}

#[test]
fn t7_of_two_joined_registers_the_one_with_the_number_next_to_its_neighbour_stays() {
    // 0 and 1 are the results of one load; 0 is copied to 3. LLVM's rule keeps 3.
    let code = || vec![def(0), def(1), copy(3, 0), read(&[3, 1])];
    assert_eq!(roots(4, code(), &[]), [3, 1, 2, 3]);
    assert_eq!(roots(4, code(), &[hint(1, Affinity::Neighbour, 0)]), [0, 1, 2, 0]);
    // A neighbour of the other register counts, too: 3 stays, next to 2.
    let code = || vec![def(2), def(0), copy(3, 0), copy(1, 3), read(&[2, 1])];
    assert_eq!(roots(4, code(), &[]), [1, 1, 2, 1]);
    assert_eq!(roots(4, code(), &[hint(3, Affinity::Neighbour, 2)]), [3, 3, 2, 3]);
}

#[test]
fn t5_a_copy_of_one_class_is_tried_before_an_earlier_one_that_excludes_it() {
    // 2 is written again while 1 still has the value of 0.
    let again = (InstrFlags::NONE, vec![reg(2, true), reg(2, false)]);
    let code = || vec![def(0), copy(1, 0), copy(2, 0), again.clone(), read(&[1, 2])];
    assert_eq!(roots(3, code(), &[]), [1, 1, 2]);
    assert_eq!(roots(3, code(), &[hint(2, Affinity::Copy, 0)]), [2, 1, 2]);
}

#[test]
fn each_copy_is_traced_with_its_outcome_and_the_reason() {
    use crate::process::trace::captured;
    // 2 is written again while 1 still has the value of 0. Nothing reads 3.
    let again = (InstrFlags::NONE, vec![reg(2, true), reg(2, false)]);
    let code = vec![def(0), copy(1, 0), copy(2, 0), again, copy(3, 1), read(&[1, 2])];
    let lines = captured::of(|| drop(roots(4, code, &[])));
    let stays = "coalescer: %2 = COPY %1: both are live with different values: stays, until another join changes that";
    let dead = "coalescer: %3 = COPY %1: erased, as nothing reads the result";
    // The second one is tried again, as a range has changed.
    assert_eq!(lines, ["coalescer: %1 = COPY %0: joined, %0 is %1 now", stays, dead, stays]);
}

#[test]
fn t7_a_copy_between_components_is_tried_before_an_earlier_one_that_excludes_it() {
    let again = (InstrFlags::NONE, vec![reg(2, true), reg(2, false)]);
    let code = || vec![def(0), def(3), copy(1, 0), copy(2, 0), again.clone(), read(&[1, 2, 3])];
    let hints = [hint(0, Affinity::Neighbour, 3), hint(3, Affinity::Neighbour, 2)];
    let roots = roots(4, code(), &hints);
    assert!(roots[0] == roots[2] && roots[1] == 1, "{roots:?}");
}

#[test]
fn t5_t7_functions_do_what_they_did_with_any_hints() {
    let (mut liveness, mut buffers) = (Liveness::default(), Buffers::default());
    for seed in 1..cases(1500) + 1 {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let facts = random_function(&mut rng, false);
        let num_regs = facts.shape.num_virt_regs;
        let mut any = || rng.below(num_regs as u32);
        let mut hints = Vec::new();
        for _ in 0..num_regs {
            hints.push(hint(any(), Affinity::Neighbour, any()));
            hints.push(hint(any(), Affinity::Copy, any()));
        }
        buffers.affinities.read(&hints, num_regs);
        let setup =
            Setup { stage: (seed % 2 == 0).then_some(nvptx_coalescer::Options::ALL), ..Setup::DEFAULT };
        let c = coalesce(&facts, &mut liveness, setup, &mut buffers);
        for _ in 0..4 {
            check_runs(&facts, &c, &mut rng, seed);
        }
        check_ranges(&facts, &c, seed);
    }
}
