//! Computes with ranges of floats of 32 bits.
//!
//! **Problem.** The bounds must hold for what the hardware computes, which rounds, and for the code
//! that ptxas makes: it may fuse a product and a sum, and round once.
//!
//! **Algorithm.** Rounding to nearest is monotone, so the rounded result of bounds is a bound of
//! the result. A product that may be fused is not rounded. Its bounds move outwards by one float,
//! as the exact product lies within that distance of the rounded one. NaN may be in any range: it
//! is not subnormal.
//!
//! **Source.** IEEE 754 and PTX ISA, "Floating-Point Instructions". **Deviation.** Infinity times
//! zero, which is NaN, counts as zero for the bounds. **Complexity.** Constant.

/// The values that a register may have, apart from NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// No value is less.
    pub low: f32,
    /// No value is greater.
    pub high: f32,
    /// No value has a lesser magnitude, except zero.
    pub least: f32,
    /// The value is never NaN.
    pub is_number: bool,
}

impl Range {
    /// Any value.
    pub const ANY: Range =
        Range { low: f32::NEG_INFINITY, high: f32::INFINITY, least: 0.0, is_number: false };

    /// Returns the range that holds one value.
    pub fn constant(value: f32) -> Range {
        if value.is_nan() {
            return Range::ANY;
        }
        let least = if value == 0.0 { f32::INFINITY } else { value.abs() };
        Range { low: value, high: value, least, is_number: true }
    }
    /// Returns the range of integers between two numbers.
    pub fn integers(low: f32, high: f32) -> Range {
        Range { low, high, least: 1.0, is_number: true }
    }
    /// Returns whether no value is subnormal.
    pub fn is_never_subnormal(self) -> bool {
        let normal = f32::MIN_POSITIVE;
        self.least >= normal || self.low >= normal || self.high <= -normal
    }
    /// Returns the range with subnormal values replaced by zero.
    pub fn flushed(self) -> Range {
        let normal = f32::MIN_POSITIVE;
        Range {
            low: if self.low > 0.0 && self.low < normal { 0.0 } else { self.low },
            high: if self.high < 0.0 && self.high > -normal { 0.0 } else { self.high },
            least: self.least.max(normal),
            ..self
        }
    }

    /// Returns the range of the negated value.
    pub fn negated(self) -> Range {
        Range { low: -self.high, high: -self.low, ..self }
    }
    /// Returns the range of the absolute value.
    pub fn absolute(self) -> Range {
        Range { low: self.low_magnitude(), high: self.high_magnitude(), ..self }
    }
    /// Returns the range of the sum.
    pub fn plus(self, other: Range) -> Range {
        Range {
            low: or(self.low + other.low, f32::NEG_INFINITY),
            high: or(self.high + other.high, f32::INFINITY),
            least: if self.agrees_in_sign(other) { self.least.min(other.least) } else { 0.0 },
            is_number: false,
        }
    }
    /// Returns the range of the product, rounded, or exact if it may be fused with a sum.
    pub fn times(self, other: Range, may_be_fused: bool) -> Range {
        Product::new(self, other).range(may_be_fused)
    }
    /// Returns the range of the square; see [`Range::times`].
    pub fn squared(self, may_be_fused: bool) -> Range {
        Product::square(self).range(may_be_fused)
    }
    /// Returns the range of `self * other + addend`, rounded once.
    pub fn times_plus(self, other: Range, addend: Range) -> Range {
        Product::new(self, other).plus(addend)
    }
    /// Returns the range of `self * self + addend`, rounded once.
    pub fn squared_plus(self, addend: Range) -> Range {
        Product::square(self).plus(addend)
    }
    /// Returns a range that covers both values.
    pub fn either(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            least: self.least.min(other.least),
            is_number: self.is_number && other.is_number,
        }
    }
    /// Returns the range of the greater value. If one is NaN, the result is the other one, or NaN.
    pub fn maximum(self, other: Range) -> Range {
        let either = self.either(other);
        let bounds = [self, other].into_iter().filter(|range| range.is_number).map(|range| range.low);
        Range {
            low: bounds.fold(either.low, f32::max),
            is_number: self.is_number || other.is_number,
            ..either
        }
    }
    /// Returns the range of the lesser value. If one is NaN, the result is the other one, or NaN.
    pub fn minimum(self, other: Range) -> Range {
        self.negated().maximum(other.negated()).negated()
    }

    /// Returns the range of the greater value, or NaN if one is NaN.
    pub fn maximum_or_nan(self, other: Range) -> Range {
        let either = self.either(other);
        Range { low: self.low.max(other.low), ..either }
    }
    /// Returns the range of the lesser value, or NaN if one is NaN.
    pub fn minimum_or_nan(self, other: Range) -> Range {
        self.negated().maximum_or_nan(other.negated()).negated()
    }

    fn low_magnitude(self) -> f32 {
        self.low.max(-self.high).max(0.0)
    }
    fn high_magnitude(self) -> f32 {
        self.low.abs().max(self.high.abs())
    }
    fn is_positive(self) -> bool {
        self.low >= 0.0
    }
    fn is_negative(self) -> bool {
        self.high <= 0.0
    }
    /// Returns whether no two values have opposite signs, apart from zeros.
    fn agrees_in_sign(self, other: Range) -> bool {
        self.is_positive() && other.is_positive() || self.is_negative() && other.is_negative()
    }
}

/// The product of two values before rounding.
struct Product {
    /// Pairs of bounds whose products are bounds of the product.
    bounds: [(f32, f32); 4],
    /// The least magnitudes of the two values, apart from zero.
    least: (f32, f32),
    is_positive: bool,
    is_negative: bool,
}

impl Product {
    fn new(a: Range, b: Range) -> Product {
        Product {
            bounds: [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)],
            least: (a.least, b.least),
            is_positive: a.agrees_in_sign(b),
            is_negative: a.agrees_in_sign(b.negated()),
        }
    }
    fn square(a: Range) -> Product {
        let (low, high) = (a.low_magnitude(), a.high_magnitude());
        Product {
            bounds: [(low, low), (low, low), (high, high), (high, high)],
            least: (a.least, a.least),
            is_positive: true,
            is_negative: false,
        }
    }
    /// Returns the least magnitude of the rounded product, apart from zero.
    fn least(&self) -> f32 {
        or(self.least.0 * self.least.1, 0.0)
    }
    fn range(&self, is_exact: bool) -> Range {
        let products = self.bounds.map(|(a, b)| or(a * b, 0.0));
        let (mut low, mut high) = (least_of(products), greatest_of(products));
        let mut least = self.least();
        if is_exact {
            low = if self.is_positive { next_down(low).max(0.0) } else { next_down(low) };
            high = if self.is_negative { -next_down(-high).max(0.0) } else { -next_down(-high) };
            least = next_down(least).max(0.0);
        }
        Range { low, high, least, is_number: false }
    }
    fn plus(&self, addend: Range) -> Range {
        let sum = |(a, b): (f32, f32), c: f32| if (a * b).is_nan() { c } else { a.mul_add(b, c) };
        let lows = self.bounds.map(|bounds| or(sum(bounds, addend.low), f32::NEG_INFINITY));
        let highs = self.bounds.map(|bounds| or(sum(bounds, addend.high), f32::INFINITY));
        let has_one_sign =
            self.is_positive && addend.is_positive() || self.is_negative && addend.is_negative();
        Range {
            low: least_of(lows),
            high: greatest_of(highs),
            least: if has_one_sign { self.least().min(addend.least) } else { 0.0 },
            is_number: false,
        }
    }
}

fn or(value: f32, if_nan: f32) -> f32 {
    if value.is_nan() {
        if_nan
    } else {
        value
    }
}

fn least_of(values: [f32; 4]) -> f32 {
    values.into_iter().fold(f32::INFINITY, f32::min)
}

fn greatest_of(values: [f32; 4]) -> f32 {
    values.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// Returns the greatest float below `value`, which is not NaN.
fn next_down(value: f32) -> f32 {
    match value.to_bits() {
        _ if value == f32::NEG_INFINITY => value,
        _ if value == 0.0 => -f32::from_bits(1),
        bits if value > 0.0 => f32::from_bits(bits - 1),
        bits => f32::from_bits(bits + 1),
    }
}
