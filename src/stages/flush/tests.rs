//! The ranges of small functions, and random arithmetic against random values.

use super::range::Range;
use super::ranges::Ranges;
use crate::fuzzing::{cases, Rng};
use crate::mir::InstrId;
use crate::ssa::testing::{imm, named, reg, TestFunction};

/// Returns whether the root of register `result` of a function may flush. `build` appends the code
/// of one block.
fn may_flush(result: u32, build: impl FnOnce(&mut TestFunction)) -> bool {
    let mut f = TestFunction::new(20, 1);
    build(&mut f);
    let root = f.op("RSQRT_APPROX_f32", 19, &[reg(result), imm(0)]);
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut ranges = Ranges::default();
    ranges.find(&facts, &machine);
    ranges.found().contains(&root)
}

/// Appends an instruction whose last input is a constant.
fn with_constant(f: &mut TestFunction, name: &'static str, result: u32, read: u32, constant: f32) {
    let instr: InstrId = f.op(name, result, &[reg(read), named(), imm(0)]);
    f.machine.floats.insert((instr, 2), constant);
}

#[test]
fn a_sum_of_squares_and_a_normal_constant_is_normal() {
    let distance = |constant| {
        may_flush(4, |f| {
            f.op("LD_i32", 0, &[]);
            f.op("LD_i32", 1, &[]);
            f.op("FMULf32rr", 2, &[reg(0), reg(0), imm(0)]);
            f.op("FMA_F32rrr", 3, &[reg(1), reg(1), reg(2), imm(0)]);
            with_constant(f, "FADDf32ri", 4, 3, constant);
        })
    };
    assert!(distance(1e-9));
    assert!(distance(f32::MIN_POSITIVE));
    assert!(!distance(1e-39));
    assert!(!distance(0.0));
    assert!(!distance(-1e-9));
    assert!(!distance(f32::NAN));
}

#[test]
fn products_of_two_registers_may_be_negative() {
    assert!(!may_flush(3, |f| {
        f.op("LD_i32", 0, &[]);
        f.op("LD_i32", 1, &[]);
        f.op("FMULf32rr", 2, &[reg(0), reg(1), imm(0)]);
        with_constant(f, "FADDf32ri", 3, 2, 1.0);
    }));
}

#[test]
fn results_that_are_flushed_are_never_subnormal() {
    let sum = |flag| {
        may_flush(2, |f| {
            f.op("LD_i32", 0, &[]);
            f.op("LD_i32", 1, &[]);
            f.op("FADDf32rr", 2, &[reg(0), reg(1), imm(flag)]);
        })
    };
    assert!(sum(-1));
    assert!(!sum(0));
}

#[test]
fn integers_and_their_fractions_are_zero_or_normal() {
    let part = |factor| {
        may_flush(2, |f| {
            f.op("LD_i32", 0, &[]);
            f.op("CVT_f32_u32", 1, &[reg(0), imm(5)]);
            with_constant(f, "FMULf32ri", 2, 1, factor);
        })
    };
    assert!(part(2f32.powi(-32)));
    assert!(!part(1e-38));
}

#[test]
fn the_greater_of_a_constant_and_a_value_is_at_least_the_constant() {
    let greater = |name, constant| {
        may_flush(1, |f| {
            f.op("LD_i32", 0, &[]);
            with_constant(f, name, 1, 0, constant);
        })
    };
    assert!(greater("MAX_f32_ri", 1e-6));
    assert!(!greater("MIN_f32_ri", 1e-6));
    assert!(greater("MIN_f32_ri", -1e-6));
    // Either of two registers may be NaN; the result is then the other one.
    assert!(!may_flush(3, |f| {
        f.op("LD_i32", 0, &[]);
        f.op("FMULf32rr", 1, &[reg(0), reg(0), imm(0)]);
        with_constant(f, "FADDf32ri", 2, 1, 1.0);
        f.op("MAX_f32_rr", 3, &[reg(0), reg(2), imm(0)]);
    }));
}

#[test]
fn a_greater_one_or_nan_is_not_a_bound_for_what_ignores_nan() {
    let greater = |name, outer| {
        may_flush(3, |f| {
            f.op("LD_i32", 0, &[]);
            f.op("LD_i32", 1, &[]);
            with_constant(f, name, 2, 0, 1.0);
            f.op(outer, 3, &[reg(2), reg(1), imm(0)]);
        })
    };
    assert!(greater("MAX_f32_ri", "MAX_f32_rr"));
    // The result is NaN, or at least the constant.
    assert!(greater("MAX_f32_ri", "MAX_NAN_f32_rr"));
    assert!(greater("MAX_NAN_f32_ri", "MAX_NAN_f32_rr"));
    // If the first input is NaN, so is the inner result, and the outer one is any value.
    assert!(!greater("MAX_NAN_f32_ri", "MAX_f32_rr"));
}

#[test]
fn a_root_is_zero_or_normal() {
    assert!(may_flush(1, |f| {
        f.op("LD_i32", 0, &[]);
        f.op("INT_NVVM_SQRT_APPROX_F", 1, &[reg(0)]);
    }));
}

/// Returns how many approximations of a function may flush, and how many are left.
fn counts(build: impl FnOnce(&mut TestFunction)) -> (usize, u64) {
    let mut f = TestFunction::new(3, 1);
    f.op("LD_i32", 0, &[]);
    build(&mut f);
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut ranges = Ranges::default();
    ranges.find(&facts, &machine);
    (ranges.found().len(), ranges.num_left())
}

#[test]
fn approximations_that_may_meet_subnormal_numbers_are_counted() {
    let found = counts(|f| {
        f.op("LG2_APPROX_f32", 1, &[reg(0), imm(0)]);
    });
    assert_eq!(found, (0, 1));
}

#[test]
fn approximations_that_flush_already_are_not_counted() {
    let found = counts(|f| {
        f.op("RSQRT_APPROX_f32", 1, &[reg(0), imm(-1)]);
        f.op("INT_NVVM_SQRT_APPROX_FTZ_F", 2, &[reg(0)]);
    });
    assert_eq!(found, (0, 0));
}

#[test]
fn a_fused_product_is_not_rounded() {
    // The rounded square is the least normal number; the exact one is less.
    let below = f32::from_bits(0x1fff_ffff);
    let range = Range::constant(below);
    let rounded = below * below;
    assert_eq!(range.squared(false).low, rounded);
    assert!(f64::from(range.squared(true).low) <= f64::from(below) * f64::from(below));
    assert!(f64::from(range.squared(true).high) >= f64::from(below) * f64::from(below));
    assert_eq!(range.squared(true).low, f32::from_bits(rounded.to_bits() - 1));
}

/// Returns a number of any size, often one at the edge of a range.
fn number(rng: &mut Rng) -> f32 {
    let bits = rng.below(u32::MAX);
    let exponents = [0, 1, 2, 62, 63, 64, 65, 126, 127, 128, 190, 253, 254, 255];
    match rng.below(4) {
        0 => f32::from_bits(bits),
        1 => f32::from_bits(bits & 0x807f_ffff | exponents[(bits >> 24) as usize % exponents.len()] << 23),
        2 => f32::from_bits(bits & 0x8000_0007 | exponents[(bits >> 24) as usize % exponents.len()] << 23),
        _ => [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE]
            [(bits >> 8) as usize % 8],
    }
}

fn flushed(value: f32) -> f32 {
    if value.is_subnormal() {
        0.0f32.copysign(value)
    } else {
        value
    }
}

/// A value, and a range that holds it.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: f32,
    range: Range,
}

impl Known {
    fn random(rng: &mut Rng) -> Known {
        let (value, other) = (number(rng), number(rng));
        let constant = Range::constant(value);
        let range = match rng.below(4) {
            0 => Range::ANY,
            1 => constant,
            2 => constant.either(Range::constant(other)),
            _ if value.abs() > other.abs() => constant.either(Range::constant(value - other)),
            _ => constant,
        };
        Known { value, range }
    }
    fn check(self, what: &str) {
        let Known { value, range } = self;
        assert!(!range.low.is_nan() && !range.high.is_nan() && !range.least.is_nan(), "{what}: {range:?}");
        if value.is_nan() {
            assert!(!range.is_number, "{what}: NaN in {range:?}");
        } else {
            assert!(range.low <= value && value <= range.high, "{what}: {value:e} in {range:?}");
            assert!(value == 0.0 || value.abs() >= range.least, "{what}: {value:e} in {range:?}");
        }
        assert!(!(range.is_never_subnormal() && value.is_subnormal()), "{what}: {value:e} in {range:?}");
    }
}

/// Each step computes a value and its range from earlier ones.
#[test]
fn values_are_in_their_ranges() {
    let mut num_normal = 0;
    for seed in 0..cases(20_000) {
        let mut rng = Rng::new((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut known: Vec<Known> = (0..3).map(|_| Known::random(&mut rng)).collect();
        for _ in 0..8 {
            let mut pick = || known[rng.below(known.len() as u32) as usize];
            let [a, b, c] = [pick(), pick(), pick()];
            let or_nan = |value: f32| if a.value.is_nan() || b.value.is_nan() { f32::NAN } else { value };
            let operation = rng.below(15);
            let fused = operation % 2 == 0;
            let (value, range) = match operation {
                0 => (a.value + b.value, a.range.plus(b.range)),
                1 => (a.value - b.value, a.range.plus(b.range.negated())),
                2 | 3 => (a.value * b.value, a.range.times(b.range, fused)),
                4 | 5 => (a.value * a.value, a.range.squared(fused)),
                6 => (a.value.mul_add(b.value, c.value), a.range.times_plus(b.range, c.range)),
                7 => (a.value.mul_add(a.value, c.value), a.range.squared_plus(c.range)),
                8 => (a.value.abs(), a.range.absolute()),
                9 => (a.value.max(b.value), a.range.maximum(b.range)),
                10 => (a.value.min(b.value), a.range.minimum(b.range)),
                11 => (flushed(a.value), a.range.flushed()),
                12 => (or_nan(a.value.max(b.value)), a.range.maximum_or_nan(b.range)),
                13 => (or_nan(a.value.min(b.value)), a.range.minimum_or_nan(b.range)),
                // A product and a sum that ptxas fuses into one instruction.
                _ => (a.value.mul_add(b.value, c.value), a.range.times(b.range, true).plus(c.range)),
            };
            let made = Known { value, range };
            made.check(&format!("seed {seed}, operation {operation} of {a:?}, {b:?}, {c:?}"));
            num_normal += u32::from(range.is_never_subnormal());
            known.push(made);
        }
    }
    assert!(num_normal > 0);
}
