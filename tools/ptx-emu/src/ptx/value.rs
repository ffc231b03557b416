//! Values of registers: bits, some of which may be undefined.
//!
//! A register is undefined if it was never written, or if an `implicit-def` comment names it. Bytes
//! of a parameter that were never stored are undefined too. Moves, packing, logic and shifts by a
//! known amount track every bit (half of a 64-bit register may be undefined). Any other operation
//! with an undefined bit gives an undefined result.
//!
//! Widths are at most 128, the widest register of PTX.

use std::fmt;

/// Bits, some of which may be undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Zero where `undef` is set and above `width`.
    pub bits: u128,
    /// The bits that are undefined.
    pub undef: u128,
    /// The number of bits, at most 128.
    pub width: u32,
}

/// The lowest `width` bits.
pub fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

impl Value {
    /// A defined value.
    pub fn new(bits: u128, width: u32) -> Self {
        Value { bits: bits & mask(width), undef: 0, width }
    }

    /// A value without any defined bit.
    pub fn undefined(width: u32) -> Self {
        Value { bits: 0, undef: mask(width), width }
    }

    /// A value with some undefined bits.
    pub fn with_undef(bits: u128, undef: u128, width: u32) -> Self {
        let undef = undef & mask(width);
        Value { bits: bits & mask(width) & !undef, undef, width }
    }

    /// The bits, if all of them are defined.
    pub fn defined(self) -> Option<u128> {
        (self.undef == 0).then_some(self.bits)
    }

    /// Truncates it, or extends it with zeros.
    pub fn resize(self, width: u32) -> Self {
        Value::with_undef(self.bits, self.undef, width)
    }

    /// The same with copies of the sign above it.
    pub fn sign_extend(self, width: u32) -> Self {
        if self.width == 0 || width <= self.width {
            return self.resize(width);
        }
        let above = mask(width) & !mask(self.width);
        let spread = |bits: u128| bits | if bits >> (self.width - 1) & 1 == 1 { above } else { 0 };
        Value::with_undef(spread(self.bits), spread(self.undef), width)
    }

    /// The value as a signed number, with undefined bits as zeros.
    pub fn signed(self) -> i128 {
        let shift = 128 - self.width.max(1);
        ((self.bits << shift) as i128) >> shift
    }

    /// Shifts zeros in from above.
    pub fn shift_right(self, amount: u32) -> Self {
        if amount >= 128 {
            return Value::new(0, self.width);
        }
        Value::with_undef(self.bits >> amount, self.undef >> amount, self.width)
    }

    /// Shifts zeros in from below.
    pub fn shift_left(self, amount: u32) -> Self {
        if amount >= 128 {
            return Value::new(0, self.width);
        }
        Value::with_undef(self.bits << amount, self.undef << amount, self.width)
    }

    /// Puts `part` above its bits.
    pub fn append(self, part: Value) -> Self {
        let bits = self.bits | part.bits.checked_shl(self.width).unwrap_or(0);
        let undef = self.undef | part.undef.checked_shl(self.width).unwrap_or(0);
        Value::with_undef(bits, undef, self.width + part.width)
    }

    /// Whether `other` has the same bits wherever this value is defined.
    pub fn is_met_by(self, other: Value) -> bool {
        let known = mask(self.width) & !self.undef;
        (self.bits ^ other.bits) & known == 0 && other.undef & known == 0
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.undef == 0 {
            write!(f, "{:#x}", self.bits)
        } else if self.undef == mask(self.width) {
            write!(f, "undefined")
        } else {
            write!(f, "{:#x} (undefined: {:#x})", self.bits, self.undef)
        }
    }
}

/// Mixes a word into a hash: the finaliser of splitmix64 on both.
pub fn mix(hash: u64, word: u64) -> u64 {
    let mut z = (hash.rotate_left(23) ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Adds a text to a hash.
pub fn mix_text(hash: u64, text: &str) -> u64 {
    text.bytes().fold(mix(hash, text.len() as u64), |hash, byte| mix(hash, u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_for_itself() {
        let half = Value::new(7, 32).append(Value::undefined(32));
        assert_eq!((half.width, half.bits, half.undef), (64, 7, 0xffff_ffff_0000_0000));
        assert_eq!(half.defined(), None);
        assert_eq!(half.resize(32).defined(), Some(7));
        assert_eq!(half.shift_left(32).shift_right(32).resize(32).defined(), Some(7));
        assert!(half.is_met_by(Value::new(0x1_0000_0007, 64)));
        assert!(!half.is_met_by(Value::new(8, 64)));
        assert!(!Value::new(7, 64).is_met_by(half));
    }

    #[test]
    fn signs() {
        assert_eq!(Value::new(0x80, 8).sign_extend(16).defined(), Some(0xff80));
        assert_eq!(Value::new(0x7f, 8).sign_extend(16).defined(), Some(0x7f));
        assert_eq!(Value::undefined(8).sign_extend(16).undef, 0xffff);
        assert_eq!(Value::new(0xffff, 16).signed(), -1);
        assert_eq!(Value::new(u128::MAX, 128).signed(), -1);
    }
}
