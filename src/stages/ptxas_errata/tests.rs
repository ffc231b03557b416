//! Pairs of comparisons.

use super::{Comparisons, Second};
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
