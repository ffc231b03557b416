//! Formats of floating-point numbers, and conversions between them.
//!
//! **Problem.** PTX has seven formats of 8 to 64 bits and five ways to round. A result must be
//! right to the last bit.
//!
//! **Method.** Every number of every format is a number of `f64`: [`Format::widen`] is exact.
//! [`Format::narrow`] rounds an `f64` once: it cuts the significand at the last place of the
//! format, and adds one if the rounding says so. A carry out of the fraction goes into the
//! exponent. That is right for the next binade, for the step from the largest subnormal to the
//! smallest normal number, and for the step to infinity.
//!
//! **Source.** IEEE 754-2019, sections 3.4 and 4.3; PTX ISA, section 5.2.3 "Alternate
//! Floating-Point Data Formats".
//!
//! **Deviation.** None.
//!
//! **Complexity.** Constant.

/// The direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To nearest, ties to even.
    Nearest,
    /// To nearest, ties away from zero.
    NearestAway,
    Zero,
    Down,
    Up,
}

impl Rounding {
    /// Rounds to an integral number.
    pub fn integral(self, value: f64) -> f64 {
        match self {
            Rounding::Nearest => value.round_ties_even(),
            Rounding::NearestAway => value.round(),
            Rounding::Zero => value.trunc(),
            Rounding::Down => value.floor(),
            Rounding::Up => value.ceil(),
        }
    }
}

/// A format of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    F16,
    Bf16,
    /// The upper 19 bits of 32.
    Tf32,
    F32,
    F64,
    /// Has no infinities, and one NaN of each sign.
    E4m3,
    E5m2,
}

const F64_FRACTION: u32 = 52;
const F64_BIAS: i64 = 1023;

impl Format {
    pub fn width(self) -> u32 {
        match self {
            Format::E4m3 | Format::E5m2 => 8,
            Format::F16 | Format::Bf16 => 16,
            Format::Tf32 | Format::F32 => 32,
            Format::F64 => 64,
        }
    }

    fn exponent_bits(self) -> u32 {
        match self {
            Format::E4m3 => 4,
            Format::F16 | Format::E5m2 => 5,
            Format::Bf16 | Format::Tf32 | Format::F32 => 8,
            Format::F64 => 11,
        }
    }

    /// Bits of the stored fraction.
    pub fn fraction_bits(self) -> u32 {
        self.width() - 1 - self.exponent_bits() - self.unused_bits()
    }

    /// Bits below the fraction that no number uses.
    fn unused_bits(self) -> u32 {
        if self == Format::Tf32 {
            13
        } else {
            0
        }
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    pub fn sign_bit(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// All bits of a number.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width())
    }

    /// The canonical NaN: every computed NaN is this one.
    pub fn nan(self) -> u64 {
        self.mask() >> 1
    }

    /// Bits of the exponent field.
    pub fn exponent_field(self) -> u64 {
        let fraction = self.fraction_bits() + self.unused_bits();
        self.nan() >> fraction << fraction
    }

    /// Infinity, or `None` if the format has none.
    pub fn infinity(self) -> Option<u64> {
        (self != Format::E4m3).then(|| self.exponent_field())
    }

    /// The largest finite number.
    pub fn max_finite(self) -> u64 {
        match self.infinity() {
            Some(infinity) => infinity - (1 << self.unused_bits()),
            None => self.nan() - 1,
        }
    }

    /// Whether every number of this format is one of `other`.
    pub fn is_within(self, other: Format) -> bool {
        self.fraction_bits() <= other.fraction_bits() && self.exponent_bits() <= other.exponent_bits()
    }

    pub fn one(self) -> u64 {
        (self.bias() as u64) << (self.fraction_bits() + self.unused_bits())
    }

    pub fn is_nan(self, bits: u64) -> bool {
        match self.infinity() {
            Some(infinity) => bits & self.nan() > infinity,
            None => bits & self.nan() == self.nan(),
        }
    }

    pub fn is_subnormal(self, bits: u64) -> bool {
        bits & self.exponent_field() == 0 && bits & self.nan() != 0
    }

    /// Replaces a subnormal number by a zero of its sign.
    pub fn flush(self, bits: u64) -> u64 {
        if self.is_subnormal(bits) {
            bits & self.sign_bit()
        } else {
            bits
        }
    }

    /// The number that the bits represent. Exact.
    pub fn widen(self, bits: u64) -> f64 {
        match self {
            Format::F64 => return f64::from_bits(bits),
            Format::F32 => return f64::from(f32::from_bits(bits as u32)),
            _ => {}
        }
        let sign = if bits & self.sign_bit() == 0 { 1.0 } else { -1.0 };
        if self.is_nan(bits) {
            return f64::NAN;
        }
        let magnitude = bits & self.nan();
        if Some(magnitude) == self.infinity() {
            return sign * f64::INFINITY;
        }
        let encoding = magnitude >> self.unused_bits();
        let fraction_bits = self.fraction_bits();
        if encoding >> fraction_bits == 0 {
            return sign * encoding as f64 * power_of_two(1 - self.bias() - i64::from(fraction_bits));
        }
        let rebias = ((F64_BIAS - self.bias()) as u64) << F64_FRACTION;
        sign * f64::from_bits((encoding << (F64_FRACTION - fraction_bits)) + rebias)
    }

    /// Rounds a number to this format. A format without infinities takes its largest number
    /// instead.
    pub fn narrow(self, value: f64, rounding: Rounding) -> u64 {
        if value.is_nan() {
            return self.nan();
        }
        if self == Format::F64 {
            return value.to_bits();
        }
        let is_negative = value.is_sign_negative();
        let sign = if is_negative { self.sign_bit() } else { 0 };
        if value == 0.0 {
            return sign;
        }
        if value.is_infinite() {
            return sign | self.infinity().unwrap_or(self.max_finite());
        }

        // The number is significand * 2^last.
        let bits = value.to_bits() & (u64::MAX >> 1);
        let (significand, last) = match bits >> F64_FRACTION {
            0 => (bits, 1 - F64_BIAS - i64::from(F64_FRACTION)),
            exponent => (
                bits & ((1 << F64_FRACTION) - 1) | 1 << F64_FRACTION,
                exponent as i64 - F64_BIAS - i64::from(F64_FRACTION),
            ),
        };
        let smallest = 1 - self.bias();
        let exponent = (last + i64::from(significand.ilog2())).max(smallest);
        // Bits to cut. At least 29, as every other format is narrower than f64. From 54 on the rest
        // is less than one half.
        let cut = (exponent - i64::from(self.fraction_bits()) - last).min(63);
        let (kept, rest, half) = (significand >> cut, significand & ((1 << cut) - 1), 1 << (cut - 1));
        let is_up = match rounding {
            Rounding::Nearest => rest > half || rest == half && kept & 1 == 1,
            Rounding::NearestAway => rest >= half,
            Rounding::Zero => false,
            Rounding::Down => is_negative && rest != 0,
            Rounding::Up => !is_negative && rest != 0,
        };
        // The leading one of a normal number adds one to the exponent, which is one too small here.
        let encoding = kept + u64::from(is_up) + (((exponent - smallest) as u64) << self.fraction_bits());
        let magnitude = encoding << self.unused_bits();
        if magnitude <= self.max_finite() {
            return sign | magnitude;
        }
        let is_outward = match rounding {
            Rounding::Nearest | Rounding::NearestAway => true,
            Rounding::Zero => false,
            Rounding::Down => is_negative,
            Rounding::Up => !is_negative,
        };
        let infinity = self.infinity().filter(|_| is_outward);
        sign | infinity.unwrap_or(self.max_finite())
    }
}

/// A power of two that is a normal `f64`.
pub fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((F64_BIAS + exponent) as u64) << F64_FRACTION)
}

/// Rounds an integer to an `f64` whose last bit says whether something was lost ("round to odd").
/// Rounding that once more, to a format of at most 51 bits, gives the same as rounding the integer.
pub fn integer_to_odd(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let cut = (magnitude.max(1).ilog2() + 1).saturating_sub(F64_FRACTION + 1);
    let lost = magnitude & ((1 << cut) - 1) != 0;
    let kept = (magnitude >> cut) as u64 | u64::from(lost);
    let result = kept as f64 * power_of_two(i64::from(cut));
    if value < 0 {
        -result
    } else {
        result
    }
}
