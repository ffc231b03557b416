//! Approximate instructions with the values that ptxas' code gives them.
//!
//! **Problem.** SASS has none of PTX's approximate instructions. It has a function unit, MUFU, and
//! ptxas writes code around it; exact divisions and roots start from its results too. An executor
//! of SASS gives MUFU values, and PTX must leave the same values in memory.
//!
//! **Method.** MUFU is defined here, as no document gives its last bits: it is the function in
//! `f64` by Rust's standard library, rounded to nearest. In `f32`, and for halves of `f64`,
//! subnormal operands and results are zeros of their sign. The instructions that ptxas writes
//! around it are computed one by one:
//!
//! | instruction | code |
//! |---|---|
//! | `tanh`, and `f32` with `.ftz` except those below | MUFU alone; a quotient is the dividend times a reciprocal |
//! | `ex2` | below -126: half the operand, and the square of the result |
//! | `lg2`, `rsqrt`, `sqrt` | a subnormal operand times 2^24, and the result corrected |
//! | `sin`, `cos`, also with `.ftz` | turns: the operand times 1 / (2 pi), rounded to zero |
//! | `rcp`, `div.full` | a subnormal divisor times 2^24, one above 2^126 times 1/4; the dividend, or the result, times the same |
//! | `div.full.ftz` | a divisor above 2^126 and its dividend times 1/4 |
//! | `div.approx` | a subnormal divisor and its dividend times 2^24: a quotient by more than 2^126 is zero |
//! | `rcp`, `rsqrt` of `f64` with `.ftz` | the upper halves of operand and result |
//! | `rsqrt` of `f64` | from such a half, one step of third order |
//!
//! **Source.** The code of ptxas 13.0 for sm_80, 90, 100 and 120; we read it, and it is the same
//! for all four. The step is Halley's method.
//!
//! **Deviation.** ptxas may fuse the last multiplication of a division with an addition that has no
//! rounding modifier (`add.f32`). It computes a function of a constant itself, rounded to nearest.
//! MUFU cuts `f64` after the upper half.
//!
//! **Complexity.** Constant.

use std::f64::consts::TAU;

use super::arithmetic::{compute, Arithmetic};
use super::format::{Format, Rounding};

/// The kind of values that approximate instructions have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approximation {
    /// Hashes: two different computations do not agree by chance.
    #[default]
    Hash,
    /// The values that ptxas' code computes if MUFU rounds to nearest.
    Value,
}

/// The function of an approximate instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Exp2,
    Log2,
    Sine,
    Cosine,
    Tanh,
    Reciprocal,
    ReciprocalRoot,
    Root,
    Divide,
    DivideFull,
}

const QUARTER: u64 = 0x3e80_0000;
const HALF: u64 = 0x3f00_0000;
const TWO_TO_24: u64 = 0x4b80_0000;
/// 2^12 and 2^-12.
const TWO_TO_12: u64 = 0x4580_0000;
const TWO_TO_MINUS_12: u64 = 0x3980_0000;
const MINUS_24: u64 = 0xc1c0_0000;
/// 1 / (2 pi).
const TURN: u64 = 0x3e22_f983;
/// Reciprocals of larger numbers are subnormal.
const LARGE: f64 = (1u128 << 126) as f64;
/// The least exponent of 2 that MUFU computes directly.
const SMALLEST_EXPONENT: f64 = -126.0;

impl Function {
    /// The function of an opcode's first word.
    pub fn decode(name: &str, is_full: bool) -> Option<Function> {
        Some(match name {
            "div" if is_full => Function::DivideFull,
            _ if is_full => return None,
            "ex2" => Function::Exp2,
            "lg2" => Function::Log2,
            "sin" => Function::Sine,
            "cos" => Function::Cosine,
            "tanh" => Function::Tanh,
            "rcp" => Function::Reciprocal,
            "rsqrt" => Function::ReciprocalRoot,
            "sqrt" => Function::Root,
            "div" => Function::Divide,
            _ => return None,
        })
    }

    pub fn num_operands(self) -> usize {
        1 + usize::from(matches!(self, Function::Divide | Function::DivideFull))
    }

    /// Whether PTX has such an instruction.
    pub fn exists(self, format: Format, flushes: bool) -> bool {
        match format {
            Format::F32 => self != Function::Tanh || !flushes,
            Format::F64 => self == Function::ReciprocalRoot || self == Function::Reciprocal && flushes,
            Format::F16 => matches!(self, Function::Exp2 | Function::Tanh) && !flushes,
            Format::Bf16 => self == if flushes { Function::Exp2 } else { Function::Tanh },
            _ => false,
        }
    }

    /// Computes one lane; with `.ftz` the operands have been flushed, and the result will be.
    pub fn eval(self, format: Format, flushes: bool, a: u64, b: u64) -> u64 {
        match format {
            Format::F32 => self.in_f32(flushes, a, b),
            Format::F64 if flushes => self.of_upper_half(a),
            Format::F64 => reciprocal_root(a),
            _ => format.narrow(self.unit(format.widen(a)), Rounding::Nearest),
        }
    }

    /// MUFU's function, before rounding.
    fn unit(self, x: f64) -> f64 {
        match self {
            Function::Exp2 => x.exp2(),
            Function::Log2 => x.log2(),
            Function::Sine => (TAU * x).sin(),
            Function::Cosine => (TAU * x).cos(),
            Function::Tanh => x.tanh(),
            Function::Reciprocal | Function::Divide | Function::DivideFull => 1.0 / x,
            Function::ReciprocalRoot => 1.0 / x.sqrt(),
            Function::Root => x.sqrt(),
        }
    }

    fn unit_in_f32(self, bits: u64) -> u64 {
        let x = Format::F32.widen(Format::F32.flush(bits));
        Format::F32.flush(Format::F32.narrow(self.unit(x), Rounding::Nearest))
    }

    fn in_f32(self, flushes: bool, a: u64, b: u64) -> u64 {
        let multiply = |a, b| {
            let product = compute(Arithmetic::Multiply, Format::F32, Rounding::Nearest, [a, b, 0]);
            if flushes {
                Format::F32.flush(product)
            } else {
                product
            }
        };
        // Subnormal numbers and zeros; zeros are scaled as well. There are none where operands are
        // flushed.
        let is_small = |bits| Format::F32.widen(bits).abs() < f64::from(f32::MIN_POSITIVE) && !flushes;
        let is_large = |bits| Format::F32.widen(bits).abs() > LARGE;
        match self {
            Function::Tanh => self.unit_in_f32(a),
            Function::Exp2 if !flushes && Format::F32.widen(a) < SMALLEST_EXPONENT => {
                let root = self.unit_in_f32(multiply(a, HALF));
                multiply(root, root)
            }
            Function::Log2 if is_small(a) => {
                let log = self.unit_in_f32(multiply(a, TWO_TO_24));
                compute(Arithmetic::Add, Format::F32, Rounding::Nearest, [log, MINUS_24, 0])
            }
            Function::ReciprocalRoot if is_small(a) => {
                multiply(self.unit_in_f32(multiply(a, TWO_TO_24)), TWO_TO_12)
            }
            Function::Root if is_small(a) => {
                multiply(self.unit_in_f32(multiply(a, TWO_TO_24)), TWO_TO_MINUS_12)
            }
            Function::Exp2 | Function::Log2 | Function::ReciprocalRoot | Function::Root => {
                self.unit_in_f32(a)
            }
            Function::Sine | Function::Cosine => {
                self.unit_in_f32(compute(Arithmetic::Multiply, Format::F32, Rounding::Zero, [a, TURN, 0]))
            }
            Function::Reciprocal if flushes => self.unit_in_f32(a),
            Function::Reciprocal | Function::Divide | Function::DivideFull => {
                let (dividend, divisor) =
                    if self == Function::Reciprocal { (Format::F32.one(), a) } else { (a, b) };
                let scale = match () {
                    () if is_small(divisor) => TWO_TO_24,
                    () if self != Function::Divide && is_large(divisor) => QUARTER,
                    () => Format::F32.one(),
                };
                multiply(self.unit_in_f32(multiply(divisor, scale)), multiply(dividend, scale))
            }
        }
    }

    /// MUFU on the upper half of an `f64`.
    fn of_upper_half(self, bits: u64) -> u64 {
        let x = Format::F64.widen(Format::F64.flush(upper_half(bits)));
        upper_half(Format::F64.flush(Format::F64.narrow(self.unit(x), Rounding::Nearest)))
    }
}

fn upper_half(bits: u64) -> u64 {
    bits & !u64::from(u32::MAX)
}

/// `rsqrt.approx.f64`.
fn reciprocal_root(bits: u64) -> u64 {
    let x = f64::from_bits(bits);
    let sign = bits & Format::F64.sign_bit();
    match () {
        () if x == 0.0 => sign | Format::F64.exponent_field(),
        () if x.is_nan() => Format::F64.nan(),
        // ptxas writes this NaN as a constant.
        () if sign != 0 => 0xfff8_0000_0000_0000,
        () if x.is_infinite() => 0,
        () if Format::F64.is_subnormal(bits) => {
            (refined_root(x * (1u64 << 54) as f64) * (1u64 << 27) as f64).to_bits()
        }
        () => refined_root(x).to_bits(),
    }
}

/// 1 / sqrt(x) from MUFU's 20 bits: with e = 1 - x y^2, y + y e (1/2 + 3/8 e). `x` is positive and
/// normal.
fn refined_root(x: f64) -> f64 {
    let y = f64::from_bits(Function::ReciprocalRoot.of_upper_half(x.to_bits()));
    let e = x.mul_add(-(y * y), 1.0);
    e.mul_add(0.375, 0.5).mul_add(y * e, y)
}
