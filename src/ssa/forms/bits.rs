//! Computes which bits of a register may be set.

use super::operation::{Defs, Op, Value};
use crate::mir::VRegId;
use crate::nvptx::arithmetic::Extension;
use index_vec::IndexVec;

/// Returns the lowest `width` bits.
pub fn low_bits(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Returns all bits from the lowest that is set upwards; none if none is set.
fn from_lowest(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_neg()
}

/// Returns all bits up to the highest that is set.
fn up_to_highest(number: u64) -> u64 {
    u64::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}

/// Returns the bits that may be set in the sum of two numbers. The arguments are the bits that may be set in each.
fn bits_of_sum(a: u64, b: u64, width: u32) -> u64 {
    let low = from_lowest(a | b);
    match a.checked_add(b) {
        Some(max) if max <= low_bits(width) => low & up_to_highest(max),
        _ => low & low_bits(width),
    }
}

/// Returns the bits that may be set in the product with a constant that is not negative.
fn bits_of_product(a: u64, factor: u64, width: u32) -> u64 {
    if a == 0 || factor == 0 {
        return 0;
    }
    let low = u64::MAX.checked_shl(a.trailing_zeros() + factor.trailing_zeros()).unwrap_or(0);
    match a.checked_mul(factor) {
        Some(max) if max <= low_bits(width) => low & up_to_highest(max),
        _ => low & low_bits(width),
    }
}

/// The bits that may be set, by register. LLVM's `computeKnownBits` computes them for IR, and bits that must be set as well.
#[derive(Default)]
pub struct PossibleBits {
    known: IndexVec<VRegId, Option<u64>>,
    max_depth: u32,
}

impl PossibleBits {
    /// Begins with a function of so many virtual registers. At most `max_depth` definitions are followed.
    pub fn clear(&mut self, num_virt_regs: usize, max_depth: u32) {
        self.known.clear();
        self.known.resize(num_virt_regs, None);
        self.max_depth = max_depth;
    }

    /// Returns the bits that may be set in a value of `width` bits. `depth` definitions have been followed to it.
    pub fn of(&mut self, defs: &mut impl Defs, value: Value, width: u32, depth: u32) -> u64 {
        let reg = match value {
            Value::Imm(imm) => return imm as u64 & low_bits(width),
            Value::Reg(reg) => reg,
        };
        if let Some(bits) = self.known[reg] {
            return bits & low_bits(width);
        }
        if depth >= self.max_depth {
            return low_bits(width);
        }
        let bits = match defs.definition(reg) {
            Some(def) if def.bits == width => self.of_op(defs, def.op, width, depth + 1),
            _ => low_bits(width),
        };
        self.known[reg] = Some(bits);
        bits
    }

    fn of_op(&mut self, defs: &mut impl Defs, op: Op, width: u32, depth: u32) -> u64 {
        let mut of = |v, width| self.of(defs, v, width, depth);
        match op {
            Op::Copy(a) => of(a, width),
            Op::Add(a, b) => bits_of_sum(of(a, width), of(b, width), width),
            Op::Sub(a, b) => from_lowest(of(a, width) | of(b, width)) & low_bits(width),
            Op::Or(a, b) | Op::Xor(a, b) => of(a, width) | of(b, width),
            Op::And(a, b) => of(a, width) & of(b, width),
            Op::Shl(a, by) => of(a, width) << by & low_bits(width),
            Op::Shr(a, by) => of(a, width) >> by,
            Op::MulAdd(a, factor, c) => {
                let product = bits_of_product(of(a, width), factor as u64 & low_bits(width), width);
                bits_of_sum(product, of(c, width), width)
            }
            Op::MulWide(a, factor, extension) => {
                let a = of(a, 32);
                if extension == Extension::Sign && (a >> 31 != 0 || (factor as i32) < 0) {
                    let low = a.trailing_zeros() + (factor as i32).trailing_zeros();
                    return u64::MAX.checked_shl(low).unwrap_or(0);
                }
                bits_of_product(a, u64::from(factor as u32), 64)
            }
            Op::Truncate(a) => of(a, 64) & low_bits(32),
            Op::BitField(len) => u64::MAX.checked_shr(64 - len.min(width)).unwrap_or(0),
            Op::Counter(first, step) => from_lowest(of(first, width) | step as u64) & low_bits(width),
        }
    }
}
