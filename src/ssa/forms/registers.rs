//! Writes registers as linear forms.

use super::bits::{low_bits, PossibleBits};
use super::linear::{AtomId, FormId, LinearForms, Term};
#[cfg(test)]
use super::operation::Definition;
use super::operation::{Defs, Op, Value};
use crate::adt::PackedOption;
use crate::mir::VRegId;
use crate::nvptx::arithmetic::Extension;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// How many definitions are followed at most.
const MAX_DEPTH: u32 = 24;

/// Selects bits of an atom and moves them down to bit 0, in an operation of so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// The bits of a mask.
    Masked { width: u32, atom: AtomId, mask: u64 },
    /// All bits except so many of the lowest.
    Shifted { width: u32, atom: AtomId, by: u32 },
}

/// An atom shifted left.
struct ShiftedAtom {
    atom: AtomId,
    by: u32,
}

impl ShiftedAtom {
    fn term(&self, extension: Option<Extension>) -> Term {
        Term { atom: self.atom, extension, factor: 1 << self.by }
    }
}

/// The forms of a register that are known.
#[derive(Default)]
struct KnownForms {
    /// In its own width.
    whole: IndexVec<VRegId, PackedOption<FormId>>,
    /// A register of 32 bits, extended with zeros.
    zero: IndexVec<VRegId, PackedOption<FormId>>,
    /// A register of 32 bits, extended with its sign.
    sign: IndexVec<VRegId, PackedOption<FormId>>,
}

/// Forms of the registers of one function; the buffers are kept.
#[derive(Default)]
pub struct Forms {
    linear: LinearForms,
    known: KnownForms,
    bits: PossibleBits,
    /// The numbers of the atoms that are bits of others, behind those of the registers.
    parts: FxHashMap<Part, AtomId>,
}

impl Forms {
    /// Begins with a function of so many virtual registers.
    pub fn clear(&mut self, num_virt_regs: usize) {
        self.linear.clear();
        let KnownForms { whole, zero, sign } = &mut self.known;
        for known in [whole, zero, sign] {
            known.clear();
            known.resize(num_virt_regs, PackedOption::NONE);
        }
        self.bits.clear(num_virt_regs, MAX_DEPTH);
        self.parts.clear();
    }
    /// Returns the terms of a form, ordered by atom.
    pub fn terms(&self, form: FormId) -> &[Term] {
        self.linear.terms(form)
    }
    /// Returns the constant of a form.
    pub fn constant(&self, form: FormId) -> u64 {
        self.linear.constant(form)
    }
    /// Returns the sum of two forms; `None` if it has too many terms.
    pub fn sum(&mut self, a: FormId, b: FormId) -> Option<FormId> {
        self.linear.add(a, 1, b)
    }
    /// Returns the difference of two forms; `None` if it has too many terms.
    pub fn difference(&mut self, a: FormId, b: FormId) -> Option<FormId> {
        self.linear.add(a, u64::MAX, b)
    }
    /// Returns the form of a register of `width` bits, 32 or 64, modulo 2^`width`.
    pub fn of(&mut self, defs: &mut impl Defs, reg: VRegId, width: u32) -> FormId {
        self.whole(defs, reg, width, 0)
    }
    /// Returns the bits of a register of `width` bits that may be set.
    pub fn bits_of_register(&mut self, defs: &mut impl Defs, reg: VRegId, width: u32) -> u64 {
        self.bits.of(defs, Value::Reg(reg), width, 0)
    }

    fn atom(&mut self, reg: VRegId, extension: Option<Extension>) -> FormId {
        self.linear.push(&[Term::of(reg.into(), extension)], 0)
    }

    fn whole(&mut self, defs: &mut impl Defs, reg: VRegId, width: u32, depth: u32) -> FormId {
        if let Some(form) = self.known.whole[reg].get() {
            return form;
        }
        if depth == MAX_DEPTH {
            return self.atom(reg, None);
        }
        let def = defs.definition(reg).filter(|d| d.bits == width);
        let form = def.and_then(|def| self.sum_of(defs, def.op, width, depth + 1));
        let form = form.unwrap_or_else(|| self.atom(reg, None));
        self.known.whole[reg] = form.into();
        form
    }

    /// Returns the bits of an atom that `and` or a right shift selects, as an atom of their own.
    fn part(&mut self, defs: &mut impl Defs, op: Op, width: u32, depth: u32) -> Option<ShiftedAtom> {
        let (part, by) = match op {
            Op::And(a, Value::Imm(mask)) => {
                let ShiftedAtom { atom, by } = self.shifted_atom(defs, a, width, depth)?;
                // The same bits of the atom may be selected before and behind the shift.
                (Part::Masked { width, atom, mask: (mask as u64 & low_bits(width)) >> by }, by)
            }
            Op::Shr(a, by) => match self.shifted_atom(defs, a, width, depth)? {
                ShiftedAtom { atom, by: 0 } => (Part::Shifted { width, atom, by }, 0),
                _ => return None,
            },
            _ => return None,
        };
        let next = AtomId::from_usize(self.known.whole.len() + self.parts.len());
        Some(ShiftedAtom { atom: *self.parts.entry(part).or_insert(next), by })
    }

    /// Returns the atom and the shift if a value is an atom shifted left.
    fn shifted_atom(
        &mut self,
        defs: &mut impl Defs,
        value: Value,
        width: u32,
        depth: u32,
    ) -> Option<ShiftedAtom> {
        let form = self.value(defs, value, width, depth);
        match *self.terms(form) {
            [Term { atom, extension: None, factor }]
                if factor.is_power_of_two() && self.constant(form) == 0 =>
            {
                Some(ShiftedAtom { atom, by: factor.trailing_zeros() }).filter(|a| a.by < width)
            }
            _ => None,
        }
    }

    fn value(&mut self, defs: &mut impl Defs, value: Value, width: u32, depth: u32) -> FormId {
        match value {
            Value::Reg(reg) => self.whole(defs, reg, width, depth),
            Value::Imm(imm) => self.linear.push(&[], imm as u64),
        }
    }

    /// Returns the result of an operation as a form modulo 2^`width`.
    fn sum_of(&mut self, defs: &mut impl Defs, op: Op, width: u32, depth: u32) -> Option<FormId> {
        match op {
            Op::Copy(a) => Some(self.value(defs, a, width, depth)),
            Op::Add(a, b) => {
                let (a, b) = (self.value(defs, a, width, depth), self.value(defs, b, width, depth));
                self.linear.add(a, 1, b)
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.value(defs, a, width, depth), self.value(defs, b, width, depth));
                self.linear.add(a, u64::MAX, b)
            }
            Op::Or(a, b) | Op::Xor(a, b) => {
                if self.bits.of(defs, a, width, depth) & self.bits.of(defs, b, width, depth) != 0 {
                    return None;
                }
                let (a, b) = (self.value(defs, a, width, depth), self.value(defs, b, width, depth));
                self.linear.add(a, 1, b)
            }
            Op::Shl(a, by) => {
                let a = self.value(defs, a, width, depth);
                self.linear.scale(a, 1 << by)
            }
            Op::MulAdd(a, factor, c) => {
                let (a, c) = (self.value(defs, a, width, depth), self.value(defs, c, width, depth));
                self.linear.add(c, factor as u64, a)
            }
            Op::MulWide(a, factor, extension) => {
                let a = self.extended(defs, a, extension, depth);
                self.linear.scale(a, extend_constant(factor, extension))
            }
            Op::Truncate(a) => {
                let whole = self.value(defs, a, 64, depth);
                self.linear.low_half(whole)
            }
            Op::And(..) | Op::Shr(..) => {
                let part = self.part(defs, op, width, depth)?;
                Some(self.linear.push(&[part.term(None)], 0))
            }
            Op::BitField(_) | Op::Counter(..) => None,
        }
    }

    /// Returns the form of a value of 32 bits that is extended to 64.
    fn extended(&mut self, defs: &mut impl Defs, value: Value, extension: Extension, depth: u32) -> FormId {
        let reg = match value {
            Value::Imm(imm) => return self.linear.push(&[], extend_constant(imm, extension)),
            Value::Reg(reg) => reg,
        };
        // Both extensions of a number that is not negative are equal.
        let is_signed = extension == Extension::Sign && self.bits.of(defs, value, 32, depth) >> 31 != 0;
        let extension = if is_signed { Extension::Sign } else { Extension::Zero };
        if let Some(form) = self.known.extended(is_signed)[reg].get() {
            return form;
        }
        if depth == MAX_DEPTH {
            return self.atom(reg, Some(extension));
        }
        let def = defs.definition(reg).filter(|d| d.bits == 32);
        let form = def.and_then(|def| match extension {
            Extension::Zero => self.zero_extended(defs, def.op, depth + 1),
            Extension::Sign => self.sign_extended(defs, def.op, depth + 1),
        });
        let form = form.unwrap_or_else(|| self.atom(reg, Some(extension)));
        self.known.extended(is_signed)[reg] = form.into();
        form
    }

    /// Returns the unsigned result of an operation of 32 bits; `None` if it may wrap around.
    fn zero_extended(&mut self, defs: &mut impl Defs, op: Op, depth: u32) -> Option<FormId> {
        if !self.fits_32_bits(defs, op, depth) {
            return None;
        }
        let number = |f: &mut Self, defs: &mut _, v| f.extended(defs, v, Extension::Zero, depth);
        match op {
            Op::Copy(a) => Some(number(self, defs, a)),
            Op::And(..) | Op::Shr(..) => {
                let part = self.part(defs, op, 32, depth)?;
                Some(self.linear.push(&[part.term(Some(Extension::Zero))], 0))
            }
            Op::Truncate(Value::Reg(a)) => Some(self.whole(defs, a, 64, depth)),
            Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) => {
                let (a, b) = (number(self, defs, a), number(self, defs, b));
                self.linear.add(a, 1, b)
            }
            Op::Shl(a, by) => {
                let a = number(self, defs, a);
                self.linear.scale(a, 1 << by)
            }
            Op::MulAdd(a, factor, c) => {
                let (a, c) = (number(self, defs, a), number(self, defs, c));
                self.linear.add(c, u64::from(factor as u32), a)
            }
            _ => None,
        }
    }

    /// Returns whether an operation on unsigned numbers has a result below 2^32 without wrapping around.
    fn fits_32_bits(&mut self, defs: &mut impl Defs, op: Op, depth: u32) -> bool {
        let max = u64::from(u32::MAX);
        let mut bits = |v| self.bits.of(defs, v, 32, depth);
        match op {
            Op::Copy(_) | Op::And(..) | Op::Shr(..) => true,
            Op::Truncate(a) => self.bits.of(defs, a, 64, depth) <= max,
            Op::Or(a, b) | Op::Xor(a, b) => bits(a) & bits(b) == 0,
            Op::Add(a, b) => bits(a) + bits(b) <= max,
            Op::Shl(a, by) => bits(a) << by <= max,
            Op::MulAdd(a, factor, c) => {
                let product = bits(a).checked_mul(u64::from(factor as u32));
                product.and_then(|p| p.checked_add(bits(c))).is_some_and(|n| n <= max)
            }
            _ => false,
        }
    }

    /// Returns the signed result of an operation of 32 bits, which may be negative.
    fn sign_extended(&mut self, defs: &mut impl Defs, op: Op, depth: u32) -> Option<FormId> {
        match op {
            Op::Copy(a) => Some(self.extended(defs, a, Extension::Sign, depth)),
            Op::Or(a, b) | Op::Xor(a, b) => {
                // One side has the sign bit; the other one is added below it.
                if self.bits.of(defs, a, 32, depth) & self.bits.of(defs, b, 32, depth) != 0 {
                    return None;
                }
                let [a, b] = [a, b].map(|v| self.extended(defs, v, Extension::Sign, depth));
                self.linear.add(a, 1, b)
            }
            _ => None,
        }
    }
}

impl KnownForms {
    fn extended(&mut self, is_signed: bool) -> &mut IndexVec<VRegId, PackedOption<FormId>> {
        if is_signed {
            &mut self.sign
        } else {
            &mut self.zero
        }
    }
}

/// Extends a constant of 32 bits.
fn extend_constant(constant: i64, extension: Extension) -> u64 {
    match extension {
        Extension::Zero => u64::from(constant as u32),
        Extension::Sign => i64::from(constant as i32) as u64,
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
