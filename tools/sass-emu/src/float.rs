//! Floating-point arithmetic of SASS.
//!
//! **Problem.** Results must be right to the bit in every direction of rounding, with and without
//! subnormal numbers.
//!
//! **Method.** Rounding to nearest uses the host's arithmetic. Other directions and other formats
//! use `rustc_apfloat`. MUFU is the function in double precision, rounded.
//!
//! **Source.** CUDA C++ Programming Guide, "Floating-Point Standard"; IEEE 754-2019.
//!
//! **Deviation.** The tables of MUFU are not published. Its results here are correctly rounded;
//! those of a GPU are up to two units off. A scaled product (`FMUL.M4`) is rounded once, after the
//! scale, as a sum is that ptxas fuses with its product. Whether a GPU does so is known only where
//! neither the product nor the result is subnormal or too large.
//!
//! **Complexity.** Constant.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The only NaN that single-precision arithmetic returns.
pub const NAN32: u32 = 0x7fff_ffff;
/// The NaN that double-precision arithmetic returns here.
pub const NAN64: u64 = 0x7fff_ffff_ffff_ffff;

/// The treatment of an arithmetic result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    pub round: Rounding,
    /// Whether subnormal operands and results are zero.
    pub flushes: bool,
    /// Whether the result is clamped to [0, 1].
    pub saturates: bool,
    /// The power of two by which a product is multiplied before it is rounded.
    pub scale: i8,
}

/// The direction of rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    #[default]
    Nearest,
    Down,
    Up,
    Zero,
}

impl Rounding {
    fn apfloat(self) -> Round {
        match self {
            Rounding::Nearest => Round::NearestTiesToEven,
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::Zero => Round::TowardZero,
        }
    }
}

/// An operation of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Multiply,
    MultiplyAdd,
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    /// Its result if an operand is NaN.
    pub unordered: bool,
}

impl Comparison {
    /// Reads `LT`, `GEU`, `NUM` and the like.
    pub fn read(name: &str) -> Option<Comparison> {
        let (less, equal, greater, unordered) = match name {
            "F" => (false, false, false, false),
            "LT" => (true, false, false, false),
            "EQ" => (false, true, false, false),
            "LE" => (true, true, false, false),
            "GT" => (false, false, true, false),
            "NE" => (true, false, true, false),
            "GE" => (false, true, true, false),
            "NUM" => (true, true, true, false),
            "NAN" => (false, false, false, true),
            "LTU" => (true, false, false, true),
            "EQU" => (false, true, false, true),
            "LEU" => (true, true, false, true),
            "GTU" => (false, false, true, true),
            "NEU" => (true, false, true, true),
            "GEU" => (false, true, true, true),
            "T" => (true, true, true, true),
            _ => return None,
        };
        Some(Comparison { less, equal, greater, unordered })
    }

    /// Whether it holds for two numbers. It has no branches, so that it is fast for the lanes of a
    /// warp.
    #[inline]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        let (is_less, is_equal, is_greater) = (a < b, a == b, a > b);
        is_less & self.less
            | is_equal & self.equal
            | is_greater & self.greater
            | !(is_less | is_equal | is_greater) & self.unordered
    }
}

/// Replaces a subnormal number by a zero of its sign.
#[inline]
pub fn flush(value: f32) -> f32 {
    let bits = value.to_bits();
    f32::from_bits(if bits & 0x7f80_0000 == 0 { bits & 0x8000_0000 } else { bits })
}

fn finish32(value: f32, mode: Mode) -> u32 {
    if value.is_nan() {
        return if mode.saturates { 0 } else { NAN32 };
    }
    let value = if mode.flushes { flush(value) } else { value };
    if mode.saturates {
        // This also turns -0 into 0.
        return (if value > 0.0 { value.min(1.0) } else { 0.0 }).to_bits();
    }
    value.to_bits()
}

/// Computes `a * b + c`, rounded once to nearest. A sum in double precision that is rounded to odd
/// can be rounded again. That is needed only if the first rounding hit the middle between two
/// numbers of single precision, or for subnormal results.
#[inline]
pub fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    let sum = f64::from(a) * f64::from(b) + f64::from(c);
    let is_middle = sum.to_bits() & 0x1fff_ffff == 0x1000_0000;
    if !is_middle && (sum.abs() >= f32::MIN_POSITIVE.into() || sum == 0.0) {
        return sum as f32;
    }
    to_odd(f64::from(a) * f64::from(b), c.into()) as f32
}

/// Computes an operation of single precision for all lanes; returns the bits.
pub fn singles<const N: usize>(operation: Arithmetic, mode: Mode, [x, y, z]: &[[f32; N]; 3]) -> [u32; N] {
    if mode.round != Rounding::Nearest || mode.saturates || mode.scale != 0 {
        return std::array::from_fn(|lane| single(operation, mode, [x[lane], y[lane], z[lane]]));
    }
    let finish = |value: f32| if value.is_nan() { NAN32 } else { value.to_bits() };
    if mode.flushes {
        let [x, y, z] = [x, y, z].map(|row| row.map(flush));
        return match operation {
            Arithmetic::Add => std::array::from_fn(|lane| finish(flush(x[lane] + y[lane]))),
            Arithmetic::Multiply => std::array::from_fn(|lane| finish(flush(x[lane] * y[lane]))),
            Arithmetic::MultiplyAdd => {
                std::array::from_fn(|lane| finish(flush(multiply_add(x[lane], y[lane], z[lane]))))
            }
        };
    }
    match operation {
        Arithmetic::Add => std::array::from_fn(|lane| finish(x[lane] + y[lane])),
        Arithmetic::Multiply => std::array::from_fn(|lane| finish(x[lane] * y[lane])),
        Arithmetic::MultiplyAdd => {
            std::array::from_fn(|lane| finish(multiply_add(x[lane], y[lane], z[lane])))
        }
    }
}

/// Computes an operation of single precision; returns the bits.
pub fn single(operation: Arithmetic, mode: Mode, operands: [f32; 3]) -> u32 {
    let [a, b, c] = if mode.flushes { operands.map(flush) } else { operands };
    if mode.scale != 0 {
        // Exact in double precision: 48 bits, and exponents far from its ends.
        let scaled = f64::from(a) * f64::from(b) * 2f64.powi(mode.scale.into());
        return finish32(f32::from_bits(narrow(Format::Single, mode.round, scaled) as u32), mode);
    }
    if mode.round == Rounding::Nearest {
        let value = match operation {
            Arithmetic::Add => a + b,
            Arithmetic::Multiply => a * b,
            Arithmetic::MultiplyAdd => multiply_add(a, b, c),
        };
        return finish32(value, mode);
    }
    let [a, b, c] = [a, b, c].map(|value| Single::from_bits(value.to_bits().into()));
    let round = mode.round.apfloat();
    let value = match operation {
        Arithmetic::Add => a.add_r(b, round),
        Arithmetic::Multiply => a.mul_r(b, round),
        Arithmetic::MultiplyAdd => a.mul_add_r(b, c, round),
    };
    finish32(f32::from_bits(value.value.to_bits() as u32), mode)
}

/// Computes an operation of double precision; returns the bits.
pub fn double(operation: Arithmetic, round: Rounding, [a, b, c]: [f64; 3]) -> u64 {
    let value = if round == Rounding::Nearest {
        match operation {
            Arithmetic::Add => a + b,
            Arithmetic::Multiply => a * b,
            Arithmetic::MultiplyAdd => a.mul_add(b, c),
        }
    } else {
        let [a, b, c] = [a, b, c].map(|value| Double::from_bits(value.to_bits().into()));
        let round = round.apfloat();
        let value = match operation {
            Arithmetic::Add => a.add_r(b, round),
            Arithmetic::Multiply => a.mul_r(b, round),
            Arithmetic::MultiplyAdd => a.mul_add_r(b, c, round),
        };
        f64::from_bits(value.value.to_bits() as u64)
    };
    if value.is_nan() {
        NAN64
    } else {
        value.to_bits()
    }
}

/// A format of floating point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Half,
    Brain,
    Single,
    Double,
}

impl Format {
    pub fn bytes(self) -> usize {
        match self {
            Format::Half | Format::Brain => 2,
            Format::Single => 4,
            Format::Double => 8,
        }
    }
}

/// Widens a number to double precision, which represents all formats exactly.
pub fn widen(format: Format, bits: u64) -> f64 {
    let mut loses = false;
    match format {
        Format::Double => f64::from_bits(bits),
        Format::Single => f32::from_bits(bits as u32).into(),
        Format::Brain => f32::from_bits((bits as u32 & 0xffff) << 16).into(),
        Format::Half => {
            let wide: Double = Half::from_bits((bits & 0xffff).into()).convert(&mut loses).value;
            f64::from_bits(wide.to_bits() as u64)
        }
    }
}

/// Rounds a number to a format; returns its bits.
pub fn narrow(format: Format, round: Rounding, value: f64) -> u64 {
    if value.is_nan() {
        return match format {
            Format::Half | Format::Brain => 0x7fff,
            Format::Single => NAN32.into(),
            Format::Double => NAN64,
        };
    }
    let (round, mut loses) = (round.apfloat(), false);
    let wide = Double::from_bits(value.to_bits().into());
    match format {
        Format::Double => value.to_bits(),
        Format::Single => {
            let narrow: Single = wide.convert_r(round, &mut loses).value;
            narrow.to_bits() as u64
        }
        Format::Half => {
            let narrow: Half = wide.convert_r(round, &mut loses).value;
            narrow.to_bits() as u64
        }
        Format::Brain => {
            let narrow: BFloat = wide.convert_r(round, &mut loses).value;
            narrow.to_bits() as u64
        }
    }
}

/// Rounds an integer to a format.
pub fn from_integer(format: Format, round: Rounding, value: i128) -> u64 {
    let round = round.apfloat();
    match format {
        Format::Double => Double::from_i128_r(value, round).value.to_bits() as u64,
        Format::Single => Single::from_i128_r(value, round).value.to_bits() as u64,
        Format::Half => Half::from_i128_r(value, round).value.to_bits() as u64,
        Format::Brain => BFloat::from_i128_r(value, round).value.to_bits() as u64,
    }
}

/// A direction of rounding to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integral {
    Nearest,
    Zero,
    Down,
    Up,
}

/// Rounds to an integer; the result is a floating-point number.
pub fn integral(direction: Integral, value: f64) -> f64 {
    match direction {
        Integral::Nearest => value.round_ties_even(),
        Integral::Zero => value.trunc(),
        Integral::Down => value.floor(),
        Integral::Up => value.ceil(),
    }
}

/// Converts to an integer of this many bits and saturates. NaN gives 0, or the smallest number for
/// 64 bits.
pub fn to_integer(value: f64, bits: u32, is_signed: bool, is_double: bool) -> u64 {
    if value.is_nan() {
        // NVIDIA's guide: NaN of single precision gives 0, of double precision or to 64 bits
        // 0x8000...
        return if bits == 64 || is_double { 1 << (bits - 1) } else { 0 };
    }
    let (low, high) = if is_signed {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    };
    (value as i128).clamp(low, high) as u64
}

/// A function of the MUFU unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Reciprocal,
    ReciprocalRoot,
    Root,
    Power,
    Logarithm,
    Sine,
    Cosine,
    Tangent,
}

impl Function {
    pub fn read(name: &str) -> Option<Function> {
        Some(match name {
            "RCP" => Function::Reciprocal,
            "RSQ" => Function::ReciprocalRoot,
            "SQRT" => Function::Root,
            "EX2" => Function::Power,
            "LG2" => Function::Logarithm,
            "SIN" => Function::Sine,
            "COS" => Function::Cosine,
            "TANH" => Function::Tangent,
            _ => return None,
        })
    }

    fn of(self, x: f64) -> f64 {
        match self {
            Function::Reciprocal => 1.0 / x,
            Function::ReciprocalRoot => 1.0 / x.sqrt(),
            Function::Root => x.sqrt(),
            Function::Power => x.exp2(),
            Function::Logarithm => x.log2(),
            // The unit's operand is a fraction of a circle: 1 is 2 pi.
            Function::Sine => (x * std::f64::consts::TAU).sin(),
            Function::Cosine => (x * std::f64::consts::TAU).cos(),
            Function::Tangent => x.tanh(),
        }
    }

    /// The unit's result for a number of single precision. It treats subnormal numbers as zero.
    pub fn single(self, x: f32) -> u32 {
        let value = flush(self.of(flush(x).into()) as f32);
        if value.is_nan() {
            NAN32
        } else {
            value.to_bits()
        }
    }

    /// The upper word of the result, from the upper word of a double-precision operand.
    pub fn upper(self, high: u32) -> u32 {
        let x = f64::from_bits(u64::from(high) << 32);
        let x = if x.is_subnormal() { 0.0f64.copysign(x) } else { x };
        let value = self.of(x);
        let value = if value.is_subnormal() { 0.0f64.copysign(value) } else { value };
        if value.is_nan() {
            return (NAN64 >> 32) as u32;
        }
        (value.to_bits() >> 32) as u32
    }
}

/// Computes an operation on numbers of 16 bits. Returns the bits, those of single precision if
/// `is_single`.
pub fn half(
    operation: Arithmetic,
    mode: Mode,
    format: Format,
    relu: bool,
    [a, b, c]: [f64; 3],
    is_single: bool,
) -> u32 {
    // Products are exact in double precision, and so are sums of halves. Those of brain floats may
    // not be: a fused one is rounded to odd, and the error of any other is far less than half a
    // unit.
    let value = match operation {
        Arithmetic::Add => a + b,
        Arithmetic::Multiply => a * b,
        Arithmetic::MultiplyAdd => to_odd(a * b, c),
    };
    if is_single {
        return narrow(Format::Single, mode.round, value) as u32;
    }
    let least = 2f64.powi(if format == Format::Half { -14 } else { -126 });
    let value = if relu && value < 0.0 { 0.0 } else { value };
    let value = if mode.saturates {
        if value > 0.0 {
            value.min(1.0)
        } else {
            0.0
        }
    } else {
        value
    };
    let bits = narrow(format, mode.round, value);
    let is_flushed = mode.flushes && widen(format, bits).abs() < least;
    (if is_flushed { bits & 0x8000 } else { bits }) as u32
}

/// Adds and rounds to odd, so that the sum can be rounded again.
fn to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let back = sum - a;
    let error = (a - (sum - back)) + (b - back);
    let bits = sum.to_bits();
    if error == 0.0 || !error.is_finite() || bits & 1 == 1 {
        return sum;
    }
    let is_larger = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if is_larger { bits | 1 } else { bits - 1 })
}

/// The smaller or the larger of two numbers. Of a number and a NaN it is the number, unless NaNs
/// are kept. -0 is less than 0.
pub fn extreme(takes_least: bool, keeps_nan: bool, a: f64, b: f64) -> f64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => f64::NAN,
        (true, false) | (false, true) if keeps_nan => f64::NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            let is_less = a < b || a == b && a.is_sign_negative() && b.is_sign_positive();
            if is_less == takes_least {
                a
            } else {
                b
            }
        }
    }
}

/// FCHK: whether a division of these operands needs the long path.
pub fn needs_long_division(a: f32, b: f32) -> bool {
    let exponent = |value: f32| (value.to_bits() >> 23 & 0xff) as i32 - 127;
    let (a, b) = (exponent(a), exponent(b));
    // Zeros, subnormal numbers, infinities, and operands whose quotient or residual could leave the
    // range.
    b >= 126 || b <= -126 || a == 128 || a <= -102 || a - b >= 126 || a - b <= -125
}

/// A format of 8 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// E5M2: the upper byte of a number of 16 bits.
    Wide,
    /// E4M3: no infinity, one NaN.
    Narrow,
}

/// Converts a number of 8 bits to one of 16; it is exact.
pub fn from_byte(byte: u8, range: Range) -> u16 {
    const NAN: u16 = 0x7fff;
    let (sign, rest) = (u16::from(byte & 0x80) << 8, u16::from(byte & 0x7f));
    match range {
        Range::Wide if rest > 0x7c => NAN,
        Range::Wide => sign | rest << 8,
        Range::Narrow if rest == 0x7f => NAN,
        Range::Narrow if rest == 0 => sign,
        // A multiple of 2^-9 less than 2^-6: here it is large enough for a leading one.
        Range::Narrow if rest < 8 => {
            let leading = 15 - rest.leading_zeros() as u16;
            sign | (leading + 6) << 10 | rest << (10 - leading) & 0x3ff
        }
        // The three bits of the fraction become the upper ones of ten; the exponent starts at 2^-7,
        // not 2^-15.
        Range::Narrow => sign | ((rest << 7) + (8 << 10)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_path_of_a_product_and_a_sum_rounds_once() {
        // Numbers of all sizes, some with sums in the middle between two, or subnormal.
        let mut state = 1u64;
        let mut next = |bits: u32| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) as u32 & ((1 << bits) - 1)
        };
        for _ in 0..200_000 {
            let [a, b, c] = [0; 3].map(|_| match next(2) {
                0 => f32::from_bits(next(31) | next(1) << 31),
                1 => f32::from_bits(0x3f80_0000 | next(12) << 11),
                2 => f32::from_bits(next(5) << 20 | next(3) | next(1) << 31),
                _ => f32::from_bits((100 + next(5)) << 23 | next(2) << 21),
            });
            let (own, wanted) = (multiply_add(a, b, c), a.mul_add(b, c));
            assert!(
                own.to_bits() == wanted.to_bits() || own.is_nan() && wanted.is_nan(),
                "{a:e} * {b:e} + {c:e}: {own:e}, {wanted:e}"
            );
            let rows = singles(Arithmetic::MultiplyAdd, Mode::default(), &[[a], [b], [c]]);
            assert_eq!(rows[0], single(Arithmetic::MultiplyAdd, Mode::default(), [a, b, c]));
            let flushing = Mode { flushes: true, ..Mode::default() };
            let rows = singles(Arithmetic::Add, flushing, &[[a], [b], [c]]);
            assert_eq!(rows[0], single(Arithmetic::Add, flushing, [a, b, c]));
        }
    }

    #[test]
    fn a_product_and_a_sum_are_rounded_once() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        for _ in 0..200_000 {
            let (a, b, c) = (next(), next(), next());
            // Exponents near each other, where double rounding shows.
            let near = |bits: u32, base: u32| f32::from_bits(bits & 0x807f_ffff | (base + bits % 24) << 23);
            for (a, b, c) in [
                (near(a, 115), near(b, 115), near(c, 110)),
                (near(a, 40), near(b, 40), near(c, 1)),
                (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c)),
            ] {
                let (own, host) = (multiply_add(a, b, c), a.mul_add(b, c));
                assert!(
                    own.to_bits() == host.to_bits() || own.is_nan() && host.is_nan(),
                    "{a:e} {b:e} {c:e}"
                );
            }
        }
    }

    #[test]
    fn directions_of_rounding_are_kept() {
        let mode = |round| Mode { round, ..Mode::default() };
        let third = |round| f32::from_bits(single(Arithmetic::Multiply, mode(round), [1.0 / 3.0, 0.1, 0.0]));
        assert!(third(Rounding::Down) < third(Rounding::Up));
        assert_eq!(third(Rounding::Zero), third(Rounding::Down));
        assert_eq!(narrow(Format::Half, Rounding::Nearest, 1.0), 0x3c00);
        assert_eq!(narrow(Format::Brain, Rounding::Nearest, 1.0), 0x3f80);
        assert_eq!(widen(Format::Half, 0x0001), 2f64.powi(-24));
        assert_eq!(from_integer(Format::Single, Rounding::Up, 16_777_217), 0x4b80_0001);
    }

    #[test]
    fn integers_saturate() {
        assert_eq!(to_integer(3e9, 32, true, false), 0x7fff_ffff);
        assert_eq!(to_integer(-1.0, 32, false, false), 0);
        assert_eq!(to_integer(f64::NAN, 32, true, false), 0);
        assert_eq!(to_integer(f64::NAN, 64, true, false), 1 << 63);
    }
}
