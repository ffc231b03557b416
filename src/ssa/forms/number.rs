//! Declares the numbers that rules compute with.

use std::ops::{Add, BitAnd, BitOr, Shl, Shr};

/// A number of [`Number::BITS`] bits. In a function it is a `u64`. In a statement that a solver
/// proves it is a term, so that the proved code is the code that runs. The methods are those of
/// `u64`.
pub trait Number:
    Copy
    + PartialEq
    + PartialOrd
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many bits it has: 64, or fewer in a statement that is too hard to prove for 64.
    const BITS: u32;
    /// The width of the numbers that are extended to it.
    const HALF: u32 = Self::BITS / 2;
    /// A number of bits.
    type Count: Add<Output = Self::Count>;

    /// Makes a number from the lowest bits of `number`.
    fn of(number: u64) -> Self;
    /// Returns the sum, modulo 2^`BITS`.
    fn wrapping_add(self, other: Self) -> Self;
    /// Returns the difference, modulo 2^`BITS`.
    fn wrapping_sub(self, other: Self) -> Self;
    /// Returns the negated number, modulo 2^`BITS`.
    fn wrapping_neg(self) -> Self;
    /// Returns the sum; `None` if it does not fit.
    fn checked_add(self, other: Self) -> Option<Self>;
    /// Returns the product; `None` if it does not fit.
    fn checked_mul(self, other: Self) -> Option<Self>;
    /// Shifts to the left. `None` unless `by` is less than `BITS`.
    fn checked_shl(self, by: Self::Count) -> Option<Self>;
    /// Shifts to the right. `None` unless `by` is less than `BITS`.
    fn checked_shr(self, by: Self::Count) -> Option<Self>;
    /// Counts the zeros above the highest set bit.
    fn leading_zeros(self) -> Self::Count;
    /// Counts the zeros below the lowest set bit.
    fn trailing_zeros(self) -> Self::Count;

    /// Returns a number with the lowest `width` bits set.
    fn low_bits(width: u32) -> Self {
        Self::of(u64::MAX >> (64 - width))
    }
    /// Extends the lowest `width` bits with the highest of them.
    fn sign_extended(self, width: u32) -> Self;
}

impl Number for u64 {
    const BITS: u32 = 64;
    type Count = u32;

    fn of(number: u64) -> u64 {
        number
    }
    fn wrapping_add(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
    fn wrapping_sub(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }
    fn wrapping_neg(self) -> u64 {
        self.wrapping_neg()
    }
    fn checked_add(self, other: u64) -> Option<u64> {
        self.checked_add(other)
    }
    fn checked_mul(self, other: u64) -> Option<u64> {
        self.checked_mul(other)
    }
    fn checked_shl(self, by: u32) -> Option<u64> {
        self.checked_shl(by)
    }
    fn checked_shr(self, by: u32) -> Option<u64> {
        self.checked_shr(by)
    }
    fn leading_zeros(self) -> u32 {
        self.leading_zeros()
    }
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
    fn sign_extended(self, width: u32) -> u64 {
        let unused = 64 - width;
        ((self << unused) as i64 >> unused) as u64
    }
}
