//! Computes which bits of a register may be set.

use super::number::Number;
use super::operation::{Defs, Op, Value};
use crate::mir::VRegId;
use crate::nvptx::arithmetic::Extension;
use index_vec::IndexVec;

/// Returns all bits from the lowest set bit upwards, or 0 if none is set.
fn from_lowest<N: Number>(bits: N) -> N {
    (bits & bits.wrapping_neg()).wrapping_neg()
}

/// Returns all bits up to the highest set bit.
fn up_to_highest<N: Number>(number: N) -> N {
    N::of(u64::MAX).checked_shr(number.leading_zeros()).unwrap_or(N::of(0))
}

/// Returns the bits that may be set in the sum of two numbers. The arguments are the bits that may
/// be set in each.
fn bits_of_sum<N: Number>(a: N, b: N, width: u32) -> N {
    let low = from_lowest(a | b);
    match a.checked_add(b) {
        Some(max) if max <= N::low_bits(width) => low & up_to_highest(max),
        _ => low & N::low_bits(width),
    }
}

/// Returns the bits that may be set in the product with a constant that is not negative.
fn bits_of_product<N: Number>(a: N, factor: N, width: u32) -> N {
    if a == N::of(0) || factor == N::of(0) {
        return N::of(0);
    }
    let low = N::of(u64::MAX).checked_shl(a.trailing_zeros() + factor.trailing_zeros()).unwrap_or(N::of(0));
    match a.checked_mul(factor) {
        Some(max) if max <= N::low_bits(width) => low & up_to_highest(max),
        _ => low & N::low_bits(width),
    }
}

/// Returns whether a register of 32 bits may be negative, by its bits that may be set. If not, both
/// extensions of it are equal.
pub fn may_be_negative<N: Number>(bits: N) -> bool {
    bits >> (N::HALF - 1) != N::of(0)
}

/// Tells what is known about the bits of registers and constants.
pub trait KnownBits {
    /// A set of bits.
    type Number: Number;
    /// Returns a constant.
    fn constant(&self, constant: i64) -> Self::Number {
        Self::Number::of(constant as u64)
    }
    /// Returns the bits of a register that may be set.
    fn of_register(&mut self, reg: VRegId, width: u32) -> Self::Number;

    /// Returns the bits of a value that may be set.
    fn of(&mut self, value: Value, width: u32) -> Self::Number {
        match value {
            Value::Imm(imm) => self.constant(imm) & Self::Number::low_bits(width),
            Value::Reg(reg) => self.of_register(reg, width),
        }
    }
}

/// Returns the bits that may be set in the result of an operation of `width` bits.
pub fn bits_of_op<K: KnownBits>(known: &mut K, op: Op, width: u32) -> K::Number {
    let all = K::Number::low_bits(width);
    let none = K::Number::of(0);
    match op {
        Op::Copy(a) => known.of(a, width),
        Op::Add(a, b) => bits_of_sum(known.of(a, width), known.of(b, width), width),
        Op::Sub(a, b) => from_lowest(known.of(a, width) | known.of(b, width)) & all,
        Op::Or(a, b) | Op::Xor(a, b) => known.of(a, width) | known.of(b, width),
        Op::And(a, b) => known.of(a, width) & known.of(b, width),
        Op::Shl(a, by) => known.of(a, width) << by & all,
        Op::Shr(a, by) => known.of(a, width) >> by,
        Op::MulAdd(a, factor, c) => {
            let product = bits_of_product(known.of(a, width), known.constant(factor) & all, width);
            bits_of_sum(product, known.of(c, width), width)
        }
        Op::MulWide(a, factor, extension) => {
            let half = K::Number::HALF;
            let (a, factor) = (known.of(a, half), known.constant(factor) & K::Number::low_bits(half));
            if extension == Extension::Sign && (may_be_negative(a) || may_be_negative(factor)) {
                let low = a.trailing_zeros() + factor.trailing_zeros();
                return K::Number::of(u64::MAX).checked_shl(low).unwrap_or(none);
            }
            bits_of_product(a, factor, K::Number::BITS)
        }
        Op::Truncate(a) => known.of(a, K::Number::BITS) & all,
        Op::BitField(len) => match len.min(width) {
            0 => none,
            len => K::Number::low_bits(len),
        },
        Op::Counter(first, step) => from_lowest(known.of(first, width) | known.constant(step)) & all,
    }
}

/// The bits that may be set, by register. LLVM's `computeKnownBits` computes them for IR, and bits
/// that must be set as well.
#[derive(Default)]
pub struct PossibleBits {
    known: IndexVec<VRegId, Option<u64>>,
    max_depth: u32,
}

/// The bits of a function's registers, some definitions away from the one that was asked for.
struct BitsAtDepth<'a, D> {
    bits: &'a mut PossibleBits,
    defs: &'a mut D,
    depth: u32,
}

impl<D: Defs> KnownBits for BitsAtDepth<'_, D> {
    type Number = u64;

    fn of_register(&mut self, reg: VRegId, width: u32) -> u64 {
        self.bits.of(self.defs, reg, width, self.depth)
    }
}

impl PossibleBits {
    /// Starts a function with this many virtual registers. At most `max_depth` definitions are
    /// followed.
    pub fn clear(&mut self, num_virt_regs: usize, max_depth: u32) {
        self.known.clear();
        self.known.resize(num_virt_regs, None);
        self.max_depth = max_depth;
    }

    /// Returns the bits that may be set in a register of `width` bits. `depth` definitions have
    /// been followed to it.
    pub fn of<D: Defs>(&mut self, defs: &mut D, reg: VRegId, width: u32, depth: u32) -> u64 {
        if let Some(bits) = self.known[reg] {
            return bits & u64::low_bits(width);
        }
        if depth >= self.max_depth {
            return u64::low_bits(width);
        }
        let bits = match defs.definition(reg) {
            Some(def) if def.bits == width => {
                bits_of_op(&mut BitsAtDepth { bits: self, defs, depth: depth + 1 }, def.op, width)
            }
            _ => u64::low_bits(width),
        };
        self.known[reg] = Some(bits);
        bits
    }
}
