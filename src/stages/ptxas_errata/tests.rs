//! Pairs of comparisons.

use super::comparisons::{Comparisons, Second};
use super::extremes::Extremes;
use super::packed::PackedSums;
use crate::mir::VRegId;
use crate::nvptx::comparisons::Relation::{self, Greater, GreaterOrEqual, Less, LessOrEqual};
use crate::ssa::forms::Value;
use crate::ssa::testing::{imm, reg, TestFunction};

/// The number of an operator in LLVM from 21 on.
fn mode(relation: Relation, is_signed: bool) -> Value {
    imm(relation as i64 + if is_signed { 2 } else { 8 })
}

/// The forms that comparisons get: position, relation, operands; and how many are left.
fn rewritten(comparisons: &[(Relation, bool, Value, Value)]) -> (Vec<(usize, Relation, u32, Second)>, u64) {
    let mut f = TestFunction::new(2 + comparisons.len(), 1);
    f.op("LD_i32", 0, &[]);
    f.op("LD_i32", 1, &[]);
    for (at, &(relation, is_signed, first, second)) in comparisons.iter().enumerate() {
        f.op("SETP_i32rr", 2 + at as u32, &[first, second, mode(relation, is_signed)]);
    }
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut found = Comparisons::default();
    found.find(&facts, &machine);
    let changed = found.changed().iter().map(|comparison| {
        let form = comparison.form;
        (comparison.instr.index() - 2, form.relation, form.first.raw(), form.second)
    });
    (changed.collect(), found.num_left())
}

const SIGNED: bool = true;
const UNSIGNED: bool = false;

#[test]
fn the_signed_one_of_a_pair_is_exchanged() {
    let (changed, left) =
        rewritten(&[(GreaterOrEqual, UNSIGNED, reg(0), reg(1)), (GreaterOrEqual, SIGNED, reg(0), reg(1))]);
    assert_eq!((changed, left), (vec![(1, LessOrEqual, 1, Second::Reg(VRegId::from_raw(0)))], 0));
}

#[test]
fn others_stay() {
    for other in [
        (Greater, SIGNED, reg(0), reg(1)),
        (GreaterOrEqual, SIGNED, reg(1), reg(0)),
        (LessOrEqual, SIGNED, reg(1), reg(0)),
        (GreaterOrEqual, UNSIGNED, reg(0), reg(1)),
        (GreaterOrEqual, SIGNED, reg(0), imm(1)),
    ] {
        assert_eq!(rewritten(&[(GreaterOrEqual, UNSIGNED, reg(0), reg(1)), other]).0, []);
    }
}

#[test]
fn a_constant_gets_its_neighbour() {
    let (changed, _) = rewritten(&[(Greater, SIGNED, reg(0), imm(-8)), (Greater, UNSIGNED, reg(0), imm(-8))]);
    assert_eq!(changed, [(0, GreaterOrEqual, 0, Second::Constant(-7i32 as u32))]);
}

#[test]
fn the_unsigned_one_changes_if_the_signed_one_has_no_other_form() {
    // Nothing is less than the least number.
    let least = imm(i64::from(i32::MIN));
    let (changed, left) = rewritten(&[(Less, SIGNED, reg(0), least), (Less, UNSIGNED, reg(0), least)]);
    assert_eq!((changed, left), (vec![(1, LessOrEqual, 0, Second::Constant(i32::MAX as u32))], 0));
    // The signed one's other form is there already.
    let (changed, left) = rewritten(&[
        (GreaterOrEqual, UNSIGNED, reg(0), reg(1)),
        (LessOrEqual, UNSIGNED, reg(1), reg(0)),
        (GreaterOrEqual, SIGNED, reg(0), reg(1)),
    ]);
    assert_eq!((changed, left), (vec![(0, LessOrEqual, 1, Second::Reg(VRegId::from_raw(0)))], 0));
}

#[test]
fn a_register_compared_with_itself_has_no_other_form() {
    let (changed, left) = rewritten(&[(Less, SIGNED, reg(0), reg(0)), (Less, UNSIGNED, reg(0), reg(0))]);
    assert_eq!((changed, left), (vec![], 1));
}

/// The maxima and minima whose operands are exchanged, and how many are left. `%0` and `%1` are
/// loaded, `%2` and `%3` are their negations.
fn exchanged(extremes: &[(&'static str, u32, u32)]) -> (Vec<usize>, u64) {
    let mut f = TestFunction::new(4 + extremes.len(), 1);
    f.op("LD_i32", 0, &[]);
    f.op("LD_i32", 1, &[]);
    f.op("NEG_S32", 2, &[reg(0)]);
    f.op("NEG_S32", 3, &[reg(1)]);
    for (at, &(name, first, second)) in extremes.iter().enumerate() {
        f.op(name, 4 + at as u32, &[reg(first), reg(second)]);
    }
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut found = Extremes::default();
    found.find(&facts, &machine);
    (found.exchanged().iter().map(|instr| instr.index() - 4).collect(), found.num_left())
}

#[test]
fn a_negation_becomes_the_first_operand() {
    assert_eq!(exchanged(&[("SMAX32rr", 0, 2), ("SMAX32rr", 4, 1)]), (vec![0], 0));
    assert_eq!(exchanged(&[("SMIN32rr", 1, 2), ("SMIN32rr", 1, 4)]), (vec![0], 0));
    // Two readers: once.
    assert_eq!(exchanged(&[("SMAX32rr", 0, 2), ("SMAX32rr", 4, 1), ("SMAX32rr", 5, 4)]), (vec![0], 0));
}

#[test]
fn other_maxima_stay() {
    assert_eq!(exchanged(&[("SMAX32rr", 2, 0), ("SMAX32rr", 4, 1)]), (vec![], 0), "it is the first");
    assert_eq!(exchanged(&[("SMAX32rr", 0, 2), ("SMIN32rr", 4, 1)]), (vec![], 0), "of another kind");
    assert_eq!(exchanged(&[("SMAX32rr", 0, 1), ("SMAX32rr", 4, 2)]), (vec![], 0), "the second one has it");
    assert_eq!(exchanged(&[("SMAX32rr", 0, 2)]), (vec![], 0), "there is one only");
    assert_eq!(exchanged(&[("SMAX32rr", 3, 2), ("SMAX32rr", 4, 1)]), (vec![], 1), "both are negations");
}

/// The constant and the place of the summand that the sum `%2` of `%0` and `%1` gets, if any;
/// `%1` is 0x30007, and `readers` read the sum.
fn summed(second_is_constant: bool, readers: &[(&'static str, &[u32], &[Value])]) -> Option<(u32, usize)> {
    let mut f = TestFunction::new(9, 1);
    f.machine.sizes.extend((3..9).map(|reg| (VRegId::from_raw(reg), 16)));
    f.op("LD_i32", 0, &[]);
    f.op("MOV_B32_i", 1, &[imm(0x30007)]);
    let summands = if second_is_constant { [reg(0), reg(1)] } else { [reg(1), reg(0)] };
    let sum = f.op("ADD16x2", 2, &summands);
    readers.iter().for_each(|(name, results, inputs)| {
        f.instr(name, results, inputs);
    });
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut found = PackedSums::default();
    found.find(&facts, &machine);
    assert!(found.changed().len() <= 1 && found.changed().iter().all(|changed| changed.instr == sum));
    found.changed().first().map(|changed| (changed.constant, changed.summand))
}

#[test]
fn a_sum_of_halves_of_which_one_is_read_becomes_a_sum_of_32_bits() {
    let sum = &[reg(2)];
    assert_eq!(summed(true, &[("I32toI16L_Sink", &[3], sum)]), Some((7, 1)));
    assert_eq!(summed(true, &[("I32toI16H", &[3], sum)]), Some((0x30000, 1)));
    assert_eq!(summed(false, &[("I32toI16L", &[3], sum), ("I32toI16L", &[4], sum)]), Some((7, 2)));
    assert_eq!(summed(true, &[("CVT_u16_u32", &[3], &[reg(2), imm(0)])]), Some((7, 1)));
    // Of both results of the unpack one is read.
    let unpack: (_, &[_], &[_]) = ("I32toV2I16", &[3, 4], sum);
    assert_eq!(summed(true, &[unpack, ("CVT_u32_u16", &[5], &[reg(4), imm(0)])]), Some((0x30000, 1)));
    assert_eq!(summed(true, &[("CVT_INREG_s32_s16", &[3], sum)]), Some((7, 1)));
    assert_eq!(summed(true, &[store(reg(2), 16)]), Some((7, 1)));
}

/// A store of this many bits to the address `%0`.
fn store(value: Value, width: i64) -> (&'static str, &'static [u32], &'static [Value]) {
    ("ST_i32", &[], vec![value, imm(0), imm(0), imm(1), imm(width), reg(0), imm(0)].leak())
}

#[test]
fn a_half_of_a_sum_of_halves_is_read_through_what_passes_it_on() {
    let other_sum: (_, &[_], &[_]) = ("ADD16x2", &[4], &[reg(2), reg(0)]);
    assert_eq!(summed(true, &[other_sum, ("I32toI16L", &[3], &[reg(4)])]), Some((7, 1)));
    assert_eq!(summed(true, &[other_sum, ("I32toI16H", &[3], &[reg(4)])]), Some((0x30000, 1)));
    assert_eq!(summed(true, &[other_sum, ("I32toI16H", &[3], &[reg(4)]), store(reg(4), 16)]), None, "both");
    assert_eq!(summed(true, &[other_sum]), None, "nothing reads it");
    let wide: (_, &[_], &[_]) = ("CVT_u64_u32", &[4], &[reg(2), imm(0)]);
    assert_eq!(summed(true, &[wide, ("CVT_u16_u64", &[3], &[reg(4), imm(0)])]), Some((7, 1)));
    assert_eq!(summed(true, &[wide, ("ADDi64rr", &[5], &[reg(4), reg(4)])]), None, "all of it is read");
    let pair: (_, &[_], &[_]) = ("V2I32toI64", &[4], &[reg(2), reg(0)]);
    assert_eq!(summed(true, &[pair, ("CVT_u16_u64", &[3], &[reg(4), imm(0)])]), Some((7, 1)));
    let upper: (_, &[_], &[_]) = ("V2I32toI64", &[4], &[reg(0), reg(2)]);
    assert_eq!(summed(true, &[upper, ("CVT_u16_u64", &[3], &[reg(4), imm(0)])]), None, "not followed");
}

#[test]
fn debug_values_are_lost_only_where_a_half_has_changed() {
    let mut f = TestFunction::new(9, 1);
    f.op("LD_i32", 0, &[]);
    f.op("MOV_B32_i", 1, &[imm(0x30007)]);
    f.op("ADD16x2", 2, &[reg(0), reg(1)]);
    f.op("ADD16x2", 3, &[reg(2), reg(0)]);
    f.instr("I32toV2I16", &[4, 5], &[reg(3)]);
    f.op("ADD16x2", 6, &[reg(0), reg(0)]);
    f.op("I32toI16L", 7, &[reg(6)]);
    f.op("ADD16rr", 8, &[reg(4), reg(7)]);
    f.machine.sizes.extend([4, 5, 7, 8].map(|reg| (VRegId::from_raw(reg), 16)));
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut found = PackedSums::default();
    found.find(&facts, &machine);
    assert_eq!(found.changed().len(), 1);
    assert_eq!(found.altered().iter().map(|reg| reg.raw()).collect::<Vec<_>>(), [2, 3, 5]);
}

#[test]
fn other_sums_of_halves_stay() {
    let sum = &[reg(2)];
    assert_eq!(summed(true, &[("I32toI16L", &[3], sum), ("I32toI16H", &[4], sum)]), None, "both are read");
    let unpack: (_, &[_], &[_]) = ("I32toV2I16", &[3, 4], sum);
    assert_eq!(summed(true, &[unpack, ("ADD16rr", &[5], &[reg(3), reg(4)])]), None, "both are read");
    assert_eq!(summed(true, &[store(reg(2), 32)]), None, "all of it is stored");
    assert_eq!(summed(true, &[store(reg(2), 8)]), None, "ptxas is right");
    assert_eq!(summed(true, &[("I32toI16L", &[3], sum), store(reg(2), 32)]), None, "it is stored too");
    assert_eq!(summed(true, &[("CVT_u16_u32", &[3], &[reg(2), imm(1)])]), None, "it saturates");
    assert_eq!(summed(true, &[]), None, "nothing reads it");
}
