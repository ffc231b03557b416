//! Sums, products, quotients and roots, rounded once.
//!
//! **Problem.** The host rounds to nearest, and has `f32` and `f64` only. PTX rounds in four
//! directions, and has formats of 16 bits.
//!
//! **Method.** Rounding to nearest in `f32` and `f64` is the host's. Everything else in `f16`,
//! `bf16` and `f32` is computed in `f64` and *rounded to odd*: if the `f64` is not exact, it is the
//! one of its two neighbours whose last bit is one. Such a number is never a tie nor a number of
//! the narrower format. So rounding it once more, in any direction, gives the same as rounding the
//! exact result. That holds if the wider format has two bits more than the narrower one: here 53
//! against 24.
//!
//! * A product of two such numbers is exact, as 2 * 24 <= 53, and no exponent leaves the range of
//!   `f64`.
//! * The error of a sum is computed exactly by Knuth's TwoSum.
//! * The sign of the error of a quotient or a root is that of its remainder, which a fused
//!   multiply-add gives exactly.
//!
//! Other directions in `f64` are rustc_apfloat's; those of the root follow from its remainder.
//!
//! **Source.** IEEE 754-2019, section 5.4.1; Boldo and Melquiond, "Emulation of FMA and correctly
//! rounded sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57
//! (2008); Knuth, The Art of Computer Programming, volume 2, section 4.2.2.
//!
//! **Deviation.** Every computed NaN is the canonical one of the format.
//!
//! **Complexity.** Constant.

use rustc_apfloat::ieee::Double;
use rustc_apfloat::{Float as _, Round};

use super::format::{power_of_two, Format, Rounding};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Multiply,
    MultiplyAdd,
    Divide,
    SquareRoot,
}

/// Computes with the bits of `format`, which is F16, Bf16, F32 or F64.
pub fn compute(arithmetic: Arithmetic, format: Format, rounding: Rounding, operands: [u64; 3]) -> u64 {
    match (format, rounding) {
        (Format::F32, Rounding::Nearest) => in_f32(arithmetic, operands),
        (Format::F64, Rounding::Nearest) => in_f64(arithmetic, operands),
        (Format::F64, _) => in_f64_directed(arithmetic, rounding, operands),
        _ => {
            let wide = to_odd(arithmetic, rounding, operands.map(|bits| format.widen(bits)));
            format.narrow(wide, rounding)
        }
    }
}

fn in_f32(arithmetic: Arithmetic, operands: [u64; 3]) -> u64 {
    let [a, b, c] = operands.map(|bits| f32::from_bits(bits as u32));
    let result = match arithmetic {
        Arithmetic::Add => a + b,
        Arithmetic::Multiply => a * b,
        Arithmetic::MultiplyAdd => a.mul_add(b, c),
        Arithmetic::Divide => a / b,
        Arithmetic::SquareRoot => a.sqrt(),
    };
    if result.is_nan() {
        return Format::F32.nan();
    }
    u64::from(result.to_bits())
}

fn in_f64(arithmetic: Arithmetic, operands: [u64; 3]) -> u64 {
    let [a, b, c] = operands.map(f64::from_bits);
    let result = match arithmetic {
        Arithmetic::Add => a + b,
        Arithmetic::Multiply => a * b,
        Arithmetic::MultiplyAdd => a.mul_add(b, c),
        Arithmetic::Divide => a / b,
        Arithmetic::SquareRoot => a.sqrt(),
    };
    if result.is_nan() {
        return Format::F64.nan();
    }
    result.to_bits()
}

fn apfloat_rounding(rounding: Rounding) -> Round {
    match rounding {
        Rounding::Nearest => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::Zero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
    }
}

/// Rounds an integer.
pub fn integer_to_f64(value: i128, rounding: Rounding) -> u64 {
    Double::from_i128_r(value, apfloat_rounding(rounding)).value.to_bits() as u64
}

fn in_f64_directed(arithmetic: Arithmetic, rounding: Rounding, operands: [u64; 3]) -> u64 {
    let [a, b, c] = operands.map(|bits| Double::from_bits(u128::from(bits)));
    let round = apfloat_rounding(rounding);
    let result = match arithmetic {
        Arithmetic::Add => a.add_r(b, round).value,
        Arithmetic::Multiply => a.mul_r(b, round).value,
        Arithmetic::MultiplyAdd => a.mul_add_r(b, c, round).value,
        Arithmetic::Divide => a.div_r(b, round).value,
        Arithmetic::SquareRoot => return root_directed(f64::from_bits(operands[0]), rounding),
    };
    if result.is_nan() {
        return Format::F64.nan();
    }
    result.to_bits() as u64
}

/// Below this the remainder of a root may not be a number of `f64`.
const SMALL: f64 = 1e-270;

fn root_directed(value: f64, rounding: Rounding) -> u64 {
    if value > 0.0 && value < SMALL {
        // The scaled number is no longer small. No root is subnormal: dividing is exact.
        let root = root_directed(value * power_of_two(400), rounding);
        return (f64::from_bits(root) / power_of_two(200)).to_bits();
    }
    let root = value.sqrt();
    if root.is_nan() {
        return Format::F64.nan();
    }
    if root == 0.0 || root.is_infinite() {
        return root.to_bits();
    }
    let remainder = (-root).mul_add(root, value);
    match rounding {
        Rounding::Up if remainder > 0.0 => root.to_bits() + 1,
        Rounding::Down | Rounding::Zero if remainder < 0.0 => root.to_bits() - 1,
        // A root is never a tie.
        _ => root.to_bits(),
    }
}

/// Computes in `f64`, rounded to odd. The operands are numbers of formats not wider than `f32`.
/// `rounding` determines the sign of a zero sum.
fn to_odd(arithmetic: Arithmetic, rounding: Rounding, [a, b, c]: [f64; 3]) -> f64 {
    match arithmetic {
        Arithmetic::Add => sum_to_odd(a, b, rounding),
        Arithmetic::Multiply => a * b,
        Arithmetic::MultiplyAdd => sum_to_odd(a * b, c, rounding),
        Arithmetic::Divide => {
            let quotient = a / b;
            if !quotient.is_finite() || quotient == 0.0 || b.is_infinite() {
                return quotient;
            }
            let remainder = (-quotient).mul_add(b, a);
            make_odd(quotient, if b > 0.0 { remainder } else { -remainder })
        }
        Arithmetic::SquareRoot => {
            let root = a.sqrt();
            if !root.is_finite() || root == 0.0 {
                return root;
            }
            make_odd(root, (-root).mul_add(root, a))
        }
    }
}

fn sum_to_odd(a: f64, b: f64, rounding: Rounding) -> f64 {
    let sum = a + b;
    if !sum.is_finite() {
        return sum;
    }
    if sum == 0.0 {
        let has_one_sign = a.is_sign_negative() == b.is_sign_negative();
        return if has_one_sign || rounding != Rounding::Down { sum } else { -0.0 };
    }
    let from_b = sum - a;
    let error = (a - (sum - from_b)) + (b - from_b);
    make_odd(sum, error)
}

/// Rounds an exact number to odd. `nearest` is the nearest `f64`; the sign of `error` is the
/// direction from there to the exact number.
fn make_odd(nearest: f64, error: f64) -> f64 {
    let bits = nearest.to_bits();
    if error == 0.0 || bits & 1 == 1 {
        nearest
    } else if (error > 0.0) == (nearest > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}
