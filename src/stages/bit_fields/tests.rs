//! Which fields two shifts extract.

use super::fields::{shifts, Fields};
use crate::ssa::forms::Value;
use crate::ssa::testing::{imm, reg, TestFunction};

/// The fields found among those of these positions and widths, and how many are left.
fn found(fields: &[[Value; 2]]) -> (Vec<(usize, u32, u32)>, u64) {
    let mut f = TestFunction::new(1 + fields.len(), 1);
    f.op("LD_i32", 0, &[]);
    for (at, &[position, width]) in fields.iter().enumerate() {
        f.op("BFE_S32rii", 1 + at as u32, &[reg(0), position, width]);
    }
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut all = Fields::default();
    all.find(&facts, &machine);
    (all.found().iter().map(|f| (f.instr.index() - 1, f.left, f.right)).collect(), all.num_left())
}

#[test]
fn a_field_is_shifted_to_the_top_and_down() {
    let fields = [[7, 1], [3, 5], [8, 7], [9, 8], [4, 16]].map(|field| field.map(imm));
    let expected = [(0, 24, 31), (1, 24, 27), (2, 17, 25), (3, 15, 24), (4, 12, 16)];
    assert_eq!(found(&fields), (expected.to_vec(), 0));
}

#[test]
fn low_fields_bytes_halves_and_high_fields_stay() {
    for field in [[0, 1], [0, 8], [8, 8], [16, 8], [8, 16], [31, 1], [24, 8], [40, 1], [7, 0], [7, -1]] {
        assert_eq!(found(&[field.map(imm)]), (vec![], 1), "{field:?}");
    }
    assert_eq!(found(&[[reg(0), imm(1)], [imm(7), reg(0)]]), (vec![], 2));
}

#[test]
fn the_shifts_extract_the_field() {
    for position in 1..32_u32 {
        for width in 1..32_i64 {
            let Some((left, right)) = shifts(position.into(), width) else { continue };
            for value in [0x8000_0001_u32, 0x1234_5678, 0xdead_beef, u32::MAX, 1 << position] {
                let field = (i64::from(value) >> position) & ((1 << width) - 1);
                let sign = field >> (width - 1);
                assert_eq!(i64::from((value << left) as i32 >> right), field - (sign << width));
            }
        }
    }
}
