//! The pairs of small loops.

use super::pairs::{PairId, Source, WidePairs};
use crate::mir::VRegId;
use crate::ssa::testing::{reg, TestFunction};

fn vreg(index: u32) -> VRegId {
    VRegId::from_raw(index)
}

/// What a test changes in [`pipelined_loop`].
struct Changes {
    /// The registers that the PHIs take from the latch.
    from_latch: [u32; 2],
    /// The loop reads this half alone.
    reads_alone: Option<u32>,
    /// The halves that PHIs behind the loop take.
    behind: [u32; 2],
}

const UNCHANGED: Changes = Changes { from_latch: [6, 7], reads_alone: None, behind: [3, 4] };

/// A loop, block 1, that carries the halves of registers 0 and 5 as 3 and 4. Registers 8 and 9 are these behind the loop.
fn pipelined_loop(changes: &Changes) -> TestFunction {
    let mut f = TestFunction::new(13, 3);
    f.machine.regs_of_32_bits.extend([0, 5, 10, 11].map(vreg));
    f.instr("LD_i32", &[0], &[]);
    f.instr("I32toV2I16", &[1, 2], &[reg(0)]);
    f.end_block(&[1]);
    let [low, high] = changes.from_latch;
    f.phi(3, &[(1, 0), (low, 1)]);
    f.phi(4, &[(2, 0), (high, 1)]);
    f.instr("V2I16toI32", &[10], &[reg(3), reg(4)]);
    f.instr("ADD32rr", &[5], &[reg(10), reg(0)]);
    f.instr("I32toI16L", &[6], &[reg(5)]);
    f.instr("I32toI16H", &[7], &[reg(5)]);
    if let Some(half) = changes.reads_alone {
        f.instr("NOT_b16", &[12], &[reg(half)]);
    }
    f.end_block(&[1, 2]);
    let [low, high] = changes.behind;
    f.phi(8, &[(low, 1)]);
    f.phi(9, &[(high, 1)]);
    f.instr("V2I16toI32", &[11], &[reg(8), reg(9)]);
    f.end_block(&[]);
    f
}

fn wide_pairs(changes: &Changes) -> (u64, WidePairs) {
    let (facts, machine) = pipelined_loop(changes).finish();
    let mut found = WidePairs::default();
    let num_wide = found.find(&facts, &machine);
    assert_eq!(found.find(&facts, &machine), num_wide, "the buffers say nothing of the function before");
    (num_wide, found)
}

#[test]
fn c7_halves_that_a_loop_carries_become_wide() {
    let (num_wide, found) = wide_pairs(&UNCHANGED);
    assert_eq!(num_wide, 2);
    let pairs: Vec<_> = found.pairs().iter().map(|pair| (pair.halves, found.sources(pair))).collect();
    let in_loop = [Source::Whole(vreg(0)), Source::Whole(vreg(5))];
    let behind = [Source::Pair(PairId::from_raw(0))];
    assert_eq!(pairs, [([3, 4].map(vreg), &in_loop[..]), ([8, 9].map(vreg), &behind[..])]);
    let unpacks: Vec<_> = found.unpacks().iter().map(|instr| instr.raw()).collect();
    assert_eq!(unpacks, [1, 6, 7]);
}

#[test]
fn c7_halves_stay_if_one_is_read_alone() {
    // Also by the PHIs behind the loop, which are wide with them or not at all.
    assert_eq!(wide_pairs(&Changes { reads_alone: Some(3), ..UNCHANGED }).0, 0);
    assert_eq!(wide_pairs(&Changes { reads_alone: Some(4), ..UNCHANGED }).0, 0);
}

#[test]
fn c7_halves_stay_if_they_are_of_several_values() {
    assert_eq!(wide_pairs(&Changes { from_latch: [7, 6], ..UNCHANGED }).0, 0);
    assert_eq!(wide_pairs(&Changes { from_latch: [6, 2], ..UNCHANGED }).0, 0);
    assert_eq!(wide_pairs(&Changes { behind: [4, 3], ..UNCHANGED }).0, 0);
    assert_eq!(wide_pairs(&Changes { behind: [3, 3], ..UNCHANGED }).0, 0);
}

#[test]
fn c7_halves_stay_if_a_source_is_undefined() {
    // Register 12 is defined by nothing.
    assert_eq!(wide_pairs(&Changes { from_latch: [6, 12], ..UNCHANGED }).0, 0);
}
