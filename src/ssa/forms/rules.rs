//! Lists the rules by which the result of an operation is a linear form of its operands.
//!
//! A rule computes with a [`Number`] and makes forms by [`Context`], whatever these are. In a
//! function they are `u64` and stored forms; in a statement for a solver they are terms. So the
//! rules that are proved (`scripts/prove`) are the ones that run.

use super::bits::KnownBits;
use super::number::Number;
use super::operation::{Op, Value};
use crate::mir::VRegId;
use crate::nvptx::arithmetic::Extension;

/// Selects bits of an atom and moves them down to bit 0, in an operation of `width` bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part<A, N> {
    /// The bits of a mask.
    Masked { width: u32, atom: A, mask: N },
    /// All bits except the lowest `by`.
    Shifted { width: u32, atom: A, by: u32 },
}

/// An atom shifted left.
pub struct ShiftedAtom<A> {
    /// The atom.
    pub atom: A,
    /// How many bits it is shifted by.
    pub by: u32,
}

/// Answers the questions of the rules about the operands of an operation, and makes forms for them.
pub trait Context: KnownBits {
    /// An atom.
    type Atom: Copy;
    /// A form.
    type Form: Copy;

    /// Returns the form of a register of `width` bits, modulo 2^`width`.
    fn form_of_register(&mut self, reg: VRegId, width: u32) -> Self::Form;
    /// Returns the form of a register of 32 bits that is extended to 64.
    fn extended_register(&mut self, reg: VRegId, extension: Extension) -> Self::Form;
    /// Makes the form of a constant.
    fn constant_form(&mut self, constant: Self::Number) -> Self::Form;
    /// Makes the form of an atom times a factor.
    fn term(&mut self, atom: Self::Atom, extension: Option<Extension>, factor: Self::Number) -> Self::Form;
    /// Makes `a + factor * b`; `None` if it has too many terms.
    fn add(&mut self, a: Self::Form, factor: Self::Number, b: Self::Form) -> Option<Self::Form>;
    /// Makes `factor * a`; `None` if it has too many terms.
    fn scale(&mut self, a: Self::Form, factor: Self::Number) -> Option<Self::Form>;
    /// Reduces a form of 64 bits modulo 2^32. `None` if it has too many terms.
    fn low_half(&mut self, whole: Self::Form) -> Option<Self::Form>;
    /// Returns the atom and the shift, less than `width`, if a form is an atom shifted left.
    fn shifted_atom(&mut self, form: Self::Form, width: u32) -> Option<ShiftedAtom<Self::Atom>>;
    /// Returns the atom that stands for some bits of another one.
    fn part(&mut self, part: Part<Self::Atom, Self::Number>) -> Self::Atom;
}

/// Returns the form of a value of `width` bits, modulo 2^`width`.
fn value<C: Context>(c: &mut C, value: Value, width: u32) -> C::Form {
    match value {
        Value::Reg(reg) => c.form_of_register(reg, width),
        Value::Imm(imm) => {
            let constant = c.constant(imm);
            c.constant_form(constant)
        }
    }
}

/// Returns the form of a value of 32 bits that is extended to 64.
fn extended<C: Context>(c: &mut C, value: Value, extension: Extension) -> C::Form {
    match value {
        Value::Reg(reg) => c.extended_register(reg, extension),
        Value::Imm(imm) => {
            let constant = extended_constant(c, imm, extension);
            c.constant_form(constant)
        }
    }
}

/// Returns a constant of 32 bits that is extended to 64.
fn extended_constant<C: Context>(c: &C, constant: i64, extension: Extension) -> C::Number {
    let half = C::Number::HALF;
    match extension {
        Extension::Zero => c.constant(constant) & C::Number::low_bits(half),
        Extension::Sign => c.constant(constant).sign_extended(half),
    }
}

/// Returns whether no bit may be set in both of two values, so that `or` and `xor` are their sum.
fn are_disjoint<C: Context>(c: &mut C, a: Value, b: Value, width: u32) -> bool {
    let (a, b) = (c.of(a, width), c.of(b, width));
    is_sum(a, b)
}

/// Returns whether `or` is a sum, by the bits that may be set on both sides.
pub fn is_sum<N: Number>(a: N, b: N) -> bool {
    a & b == N::of(0)
}

/// Returns the difference of two numbers of `width` bits whose forms have the same terms, from the
/// constants of the forms. It is sign-extended.
pub fn distance<N: Number>(constant: N, from: N, width: u32) -> N {
    constant.wrapping_sub(from).sign_extended(width)
}

/// Returns the result of an operation as a form modulo 2^`width`.
pub fn whole<C: Context>(c: &mut C, op: Op, width: u32) -> Option<C::Form> {
    let minus_one = C::Number::of(u64::MAX);
    let one = C::Number::of(1);
    match op {
        Op::Copy(a) => Some(value(c, a, width)),
        Op::Add(a, b) => {
            let (a, b) = (value(c, a, width), value(c, b, width));
            c.add(a, one, b)
        }
        Op::Sub(a, b) => {
            let (a, b) = (value(c, a, width), value(c, b, width));
            c.add(a, minus_one, b)
        }
        Op::Or(a, b) | Op::Xor(a, b) => {
            if !are_disjoint(c, a, b, width) {
                return None;
            }
            let (a, b) = (value(c, a, width), value(c, b, width));
            c.add(a, one, b)
        }
        Op::Shl(a, by) => {
            let a = value(c, a, width);
            c.scale(a, one << by)
        }
        Op::MulAdd(a, factor, b) => {
            let (a, b) = (value(c, a, width), value(c, b, width));
            let factor = c.constant(factor);
            c.add(b, factor, a)
        }
        Op::MulWide(a, factor, extension) => {
            let a = extended(c, a, extension);
            let factor = extended_constant(c, factor, extension);
            c.scale(a, factor)
        }
        Op::Truncate(a) => {
            let whole = value(c, a, C::Number::BITS);
            c.low_half(whole)
        }
        Op::And(..) | Op::Shr(..) => {
            let ShiftedAtom { atom, by } = part(c, op, width)?;
            Some(c.term(atom, None, one << by))
        }
        Op::BitField(_) | Op::Counter(..) => None,
    }
}

/// Returns the unsigned result of an operation of 32 bits; `None` if it may wrap around.
pub fn zero_extended<C: Context>(c: &mut C, op: Op) -> Option<C::Form> {
    if !fits_half(c, op) {
        return None;
    }
    let one = C::Number::of(1);
    match op {
        Op::Copy(a) => Some(extended(c, a, Extension::Zero)),
        Op::And(..) | Op::Shr(..) => {
            let ShiftedAtom { atom, by } = part(c, op, C::Number::HALF)?;
            Some(c.term(atom, Some(Extension::Zero), one << by))
        }
        Op::Truncate(Value::Reg(a)) => Some(c.form_of_register(a, C::Number::BITS)),
        Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) => {
            let (a, b) = (extended(c, a, Extension::Zero), extended(c, b, Extension::Zero));
            c.add(a, one, b)
        }
        Op::Shl(a, by) => {
            let a = extended(c, a, Extension::Zero);
            c.scale(a, one << by)
        }
        Op::MulAdd(a, factor, b) => {
            let (a, b) = (extended(c, a, Extension::Zero), extended(c, b, Extension::Zero));
            let factor = extended_constant(c, factor, Extension::Zero);
            c.add(b, factor, a)
        }
        _ => None,
    }
}

/// Returns whether an operation on unsigned numbers of 32 bits has a result below 2^32 without
/// wrapping around.
fn fits_half<C: Context>(c: &mut C, op: Op) -> bool {
    let half = C::Number::HALF;
    let max = C::Number::low_bits(half);
    match op {
        Op::Copy(_) | Op::And(..) | Op::Shr(..) => true,
        Op::Truncate(a) => c.of(a, C::Number::BITS) <= max,
        Op::Or(a, b) | Op::Xor(a, b) => are_disjoint(c, a, b, half),
        Op::Add(a, b) => c.of(a, half).wrapping_add(c.of(b, half)) <= max,
        Op::Shl(a, by) => c.of(a, half) << by <= max,
        Op::MulAdd(a, factor, b) => {
            let factor = extended_constant(c, factor, Extension::Zero);
            let product = c.of(a, half).checked_mul(factor);
            product.and_then(|p| p.checked_add(c.of(b, half))).is_some_and(|n| n <= max)
        }
        _ => false,
    }
}

/// Returns the signed result of an operation of 32 bits, which may be negative.
pub fn sign_extended<C: Context>(c: &mut C, op: Op) -> Option<C::Form> {
    match op {
        Op::Copy(a) => Some(extended(c, a, Extension::Sign)),
        Op::Or(a, b) | Op::Xor(a, b) => {
            // One side has the sign bit; the other one is added below it.
            if !are_disjoint(c, a, b, C::Number::HALF) {
                return None;
            }
            let (a, b) = (extended(c, a, Extension::Sign), extended(c, b, Extension::Sign));
            c.add(a, C::Number::of(1), b)
        }
        _ => None,
    }
}

/// Returns, as an atom of their own, the bits of an atom that `and` or a right shift selects.
fn part<C: Context>(c: &mut C, op: Op, width: u32) -> Option<ShiftedAtom<C::Atom>> {
    let (part, by) = match op {
        Op::And(a, Value::Imm(mask)) => {
            let form = value(c, a, width);
            let ShiftedAtom { atom, by } = c.shifted_atom(form, width)?;
            // The same bits of the atom may be selected before and after the shift.
            let mask = (c.constant(mask) & C::Number::low_bits(width)) >> by;
            (Part::Masked { width, atom, mask }, by)
        }
        Op::Shr(a, by) => {
            let form = value(c, a, width);
            match c.shifted_atom(form, width)? {
                ShiftedAtom { atom, by: 0 } => (Part::Shifted { width, atom, by }, 0),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(ShiftedAtom { atom: c.part(part), by })
}
