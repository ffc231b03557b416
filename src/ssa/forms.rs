//! Addresses as linear forms: a sum of registers, each times a factor, and a constant.
//!
//! **Problem.** Two addresses can be compared only if it is known what they are sums of. Between the index of an array
//! and the address there are operations that do not distribute over sums as such: `or`, and extensions from 32 to 64
//! bits, which a sum must not wrap around in front of.
//!
//! **Algorithm.** From a register back through its defs. A form is exact modulo 2^64, that of a register of 32 bits as such modulo
//! 2^32. `or` and `xor` are sums where no bit
//! can be set on both sides; an operation of 32 bits is one of numbers, which an extension distributes over, if its
//! result is less than 2^32. Both are told by the bits of a register that may be set ([`Forms::bits`]). What is no sum is an
//! *atom*, a term of itself.
//!
//! **Source.** LLVM's `SeparateConstOffsetFromGEP` and `computeKnownBits`, which work on IR, with its flags; this is for what
//! is there behind instruction selection. **Deviation:** flags (`nuw`, `disjoint`) are not believed, as passes that make one
//! instruction of two that are alike need not have kept them right.
//!
//! **Complexity.** Every register is looked at once; a form has at most [`MOST_TERMS`] terms.

use crate::mir::Register;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Longer sums are atoms.
pub const MOST_TERMS: usize = 8;
/// Longer chains of defs are not followed.
const MOST_DEFS: u32 = 24;

/// What an operation reads.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A virtual register.
    Reg(Register),
    /// A constant.
    Imm(i64),
}

/// What defines a register.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// The value itself: a copy or a constant.
    Is(Value),
    /// The sum.
    Add(Value, Value),
    /// The difference.
    Sub(Value, Value),
    /// Bitwise or.
    Or(Value, Value),
    /// Bitwise exclusive or.
    Xor(Value, Value),
    /// Bitwise and.
    And(Value, Value),
    /// Shifted left; less than the width.
    Shl(Value, u32),
    /// Shifted right, zeros coming in; less than the width.
    Shr(Value, u32),
    /// The low bits of the product of the first two, and the third added.
    MulAdd(Value, i64, Value),
    /// 64 bits of a product of 32 bits, both taken as signed or not.
    MulWide(Value, i64, Extension),
    /// The low 32 of 64 bits.
    Truncate(Value),
    /// Anything of so many bits, zeros in front.
    Field(u32),
    /// A PHI of a loop: the first value, and in every turn the constant on top.
    Counter(Value, i64),
}

/// How 32 bits become 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extension {
    /// Zeros in front.
    Zero,
    /// The sign bit in front.
    Sign,
}

/// A register of 64 bits, or one of 32 bits extended, times a factor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Term {
    /// Index of the virtual register, or behind these a number of bits of one.
    pub reg: u32,
    /// If it has 32 bits.
    pub extension: Option<Extension>,
    /// The factor, modulo 2^64, not 0.
    pub factor: u64,
}

/// Where defs are looked up.
pub trait Defs {
    /// The operation that defines a virtual register, and its width, 32 or 64; none if it is any other.
    fn op(&mut self, reg: Register) -> Option<(Op, u32)>;
}

/// A form: its terms, ordered by register, and the constant, modulo 2^64.
#[derive(Clone, Debug)]
pub struct Form {
    terms: Range<usize>,
    /// What comes on top.
    pub constant: u64,
}

/// Forms of the registers of one function; the buffers are kept.
#[derive(Default)]
pub struct Forms {
    terms: Vec<Term>,
    forms: Vec<Form>,
    /// By virtual register, the number of its form, of its own width and of 32 bits extended either way.
    known: [Vec<Option<u32>>; 3],
    /// By virtual register, the bits that may be set.
    bits: Vec<Option<u64>>,
    /// Bits of atoms, which are atoms with numbers behind the registers.
    parts: FxHashMap<Part, u32>,
    sum: Vec<Term>,
}

/// Bits of an atom, as low bits, of an operation of so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// Those of a mask.
    Masked(u32, u32, u64),
    /// All but so many of the lowest.
    Shifted(u32, u32, u32),
}

fn all(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// All bits from the lowest that is set; none of none.
fn from_lowest(bits: u64) -> u64 {
    (bits & bits.wrapping_neg()).wrapping_neg()
}

/// All bits up to the highest of a number.
fn up_to(number: u64) -> u64 {
    u64::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}

/// Bits that may be set in a sum, in `width` bits.
fn bits_of_sum(a: u64, b: u64, width: u32) -> u64 {
    let low = from_lowest(a | b);
    match a.checked_add(b) {
        Some(most) if most <= all(width) => low & up_to(most),
        _ => low & all(width),
    }
}

/// The same of a product with a constant that is not negative.
fn bits_of_product(a: u64, factor: u64, width: u32) -> u64 {
    if a == 0 || factor == 0 {
        return 0;
    }
    let low = u64::MAX.checked_shl(a.trailing_zeros() + factor.trailing_zeros()).unwrap_or(0);
    match a.checked_mul(factor) {
        Some(most) if most <= all(width) => low & up_to(most),
        _ => low & all(width),
    }
}

impl Forms {
    /// Begins with a function of so many virtual registers.
    pub fn clear(&mut self, num_virt_regs: usize) {
        self.terms.clear();
        self.forms.clear();
        for known in &mut self.known {
            known.clear();
            known.resize(num_virt_regs, None);
        }
        self.bits.clear();
        self.bits.resize(num_virt_regs, None);
        self.parts.clear();
    }

    /// The terms of a form.
    pub fn terms(&self, form: u32) -> &[Term] {
        &self.terms[self.forms[form as usize].terms.clone()]
    }
    /// The constant of a form.
    pub fn constant(&self, form: u32) -> u64 {
        self.forms[form as usize].constant
    }

    /// The sum of two forms; none if it has too many terms.
    pub fn sum(&mut self, a: u32, b: u32) -> Option<u32> {
        self.add(a, 1, b)
    }
    /// The difference of two forms; none if it has too many terms.
    pub fn difference(&mut self, a: u32, b: u32) -> Option<u32> {
        self.add(a, u64::MAX, b)
    }
    /// The form of a register of `width` bits, 32 or 64, modulo 2^`width`.
    pub fn of(&mut self, defs: &mut impl Defs, reg: Register, width: u32) -> u32 {
        self.whole(defs, reg, width, 0)
    }
    /// The bits of a register of `width` bits that may be set.
    pub fn bits_of_register(&mut self, defs: &mut impl Defs, reg: Register, width: u32) -> u64 {
        self.bits(defs, Value::Reg(reg), width, 0)
    }

    fn push(&mut self, terms: &[Term], constant: u64) -> u32 {
        let first = self.terms.len();
        self.terms.extend_from_slice(terms);
        self.forms.push(Form { terms: first..self.terms.len(), constant });
        self.forms.len() as u32 - 1
    }
    fn atom(&mut self, reg: u32, extension: Option<Extension>) -> u32 {
        self.push(&[Term { reg, extension, factor: 1 }], 0)
    }

    /// `a + factor * b`; none if it has too many terms.
    fn add(&mut self, a: u32, factor: u64, b: u32) -> Option<u32> {
        let mut sum = std::mem::take(&mut self.sum);
        sum.clear();
        sum.extend_from_slice(self.terms(a));
        let scaled = |t: &Term| Term { factor: t.factor.wrapping_mul(factor), ..*t };
        sum.extend(self.terms(b).iter().map(scaled));
        sum.sort_unstable_by_key(|t| (t.reg, t.extension));
        sum.dedup_by(|next, t| {
            let same = (next.reg, next.extension) == (t.reg, t.extension);
            if same {
                t.factor = t.factor.wrapping_add(next.factor);
            }
            same
        });
        sum.retain(|t| t.factor != 0);
        let constant = self.constant(a).wrapping_add(self.constant(b).wrapping_mul(factor));
        let form = (sum.len() <= MOST_TERMS).then(|| self.push(&sum, constant));
        self.sum = sum;
        form
    }
    fn scale(&mut self, a: u32, factor: u64) -> Option<u32> {
        let zero = self.push(&[], 0);
        self.add(zero, factor, a)
    }

    fn whole(&mut self, defs: &mut impl Defs, reg: Register, width: u32, depth: u32) -> u32 {
        if let Some(form) = self.known[0][reg.virt_index()] {
            return form;
        }
        if depth == MOST_DEFS {
            return self.atom(reg.virt_index() as u32, None);
        }
        let op = defs.op(reg).filter(|d| d.1 == width);
        let form = op.and_then(|(op, _)| self.sum_of(defs, op, width, depth + 1));
        let form = form.unwrap_or_else(|| self.atom(reg.virt_index() as u32, None));
        self.known[0][reg.virt_index()] = Some(form);
        form
    }

    /// Bits of an atom that are taken by themselves: the atom that they are, and how far it is shifted to the left.
    fn part(&mut self, defs: &mut impl Defs, op: Op, width: u32, depth: u32) -> Option<(u32, u32)> {
        let (part, by) = match op {
            Op::And(a, Value::Imm(mask)) => {
                let (atom, by) = self.shifted_atom(defs, a, width, depth)?;
                (Part::Masked(width, atom, (mask as u64 & all(width)) >> by), by)
            }
            Op::Shr(a, by) => match self.shifted_atom(defs, a, width, depth)? {
                (atom, 0) => (Part::Shifted(width, atom, by), 0),
                _ => return None,
            },
            _ => return None,
        };
        let next = (self.known[0].len() + self.parts.len()) as u32;
        Some((*self.parts.entry(part).or_insert(next), by))
    }
    /// The atom that a value is when it is shifted to the left, and how far.
    fn shifted_atom(
        &mut self,
        defs: &mut impl Defs,
        value: Value,
        width: u32,
        depth: u32,
    ) -> Option<(u32, u32)> {
        let form = self.value(defs, value, width, depth);
        match *self.terms(form) {
            [Term { reg, extension: None, factor }]
                if factor.is_power_of_two() && self.constant(form) == 0 =>
            {
                Some((reg, factor.trailing_zeros())).filter(|&(_, by)| by < width)
            }
            _ => None,
        }
    }

    fn value(&mut self, defs: &mut impl Defs, value: Value, width: u32, depth: u32) -> u32 {
        match value {
            Value::Reg(reg) => self.whole(defs, reg, width, depth),
            Value::Imm(imm) => self.push(&[], imm as u64),
        }
    }

    fn sum_of(&mut self, defs: &mut impl Defs, op: Op, width: u32, depth: u32) -> Option<u32> {
        match op {
            Op::Is(a) => Some(self.value(defs, a, width, depth)),
            Op::Add(a, b) => {
                let (a, b) = (self.value(defs, a, width, depth), self.value(defs, b, width, depth));
                self.add(a, 1, b)
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.value(defs, a, width, depth), self.value(defs, b, width, depth));
                self.add(a, u64::MAX, b)
            }
            Op::Or(a, b) | Op::Xor(a, b) => {
                if self.bits(defs, a, width, depth) & self.bits(defs, b, width, depth) != 0 {
                    return None;
                }
                let (a, b) = (self.value(defs, a, width, depth), self.value(defs, b, width, depth));
                self.add(a, 1, b)
            }
            Op::Shl(a, by) => {
                let a = self.value(defs, a, width, depth);
                self.scale(a, 1 << by)
            }
            Op::MulAdd(a, factor, c) => {
                let (a, c) = (self.value(defs, a, width, depth), self.value(defs, c, width, depth));
                self.add(c, factor as u64, a)
            }
            Op::MulWide(a, factor, extension) => {
                let a = self.extended(defs, a, extension, depth);
                let factor = match extension {
                    Extension::Zero => u64::from(factor as u32),
                    Extension::Sign => i64::from(factor as i32) as u64,
                };
                self.scale(a, factor)
            }
            Op::Truncate(a) => {
                let whole = self.value(defs, a, 64, depth);
                self.low_half(whole)
            }
            Op::And(..) | Op::Shr(..) => {
                let (atom, by) = self.part(defs, op, width, depth)?;
                Some(self.push(&[Term { reg: atom, extension: None, factor: 1 << by }], 0))
            }
            Op::Field(_) | Op::Counter(..) => None,
        }
    }

    /// A form of 64 bits modulo 2^32, where a register and one that is extended are the same.
    fn low_half(&mut self, whole: u32) -> Option<u32> {
        let mut terms = std::mem::take(&mut self.sum);
        terms.clear();
        terms.extend(self.terms(whole).iter().map(|t| Term { extension: None, ..*t }));
        let narrow = self.push(&terms, self.constant(whole));
        self.sum = terms;
        // What is the same twice becomes one term.
        self.scale(narrow, 1)
    }

    /// The form of 32 bits, extended.
    fn extended(&mut self, defs: &mut impl Defs, value: Value, extension: Extension, depth: u32) -> u32 {
        let reg = match value {
            Value::Imm(imm) => {
                let constant = match extension {
                    Extension::Zero => u64::from(imm as u32),
                    Extension::Sign => i64::from(imm as i32) as u64,
                };
                return self.push(&[], constant);
            }
            Value::Reg(reg) => reg,
        };
        // What is not negative is the same either way.
        let is_negative = extension == Extension::Sign && self.bits(defs, value, 32, depth) >> 31 != 0;
        let extension = if is_negative { Extension::Sign } else { Extension::Zero };
        let known = 1 + usize::from(is_negative);
        if let Some(form) = self.known[known][reg.virt_index()] {
            return form;
        }
        if depth == MOST_DEFS {
            return self.atom(reg.virt_index() as u32, Some(extension));
        }
        let op = defs.op(reg).filter(|d| d.1 == 32).map(|d| d.0);
        let form = op.and_then(|op| match extension {
            Extension::Zero => self.number(defs, op, depth + 1),
            Extension::Sign => self.signed(defs, op, depth + 1),
        });
        let form = form.unwrap_or_else(|| self.atom(reg.virt_index() as u32, Some(extension)));
        self.known[known][reg.virt_index()] = Some(form);
        form
    }

    /// The result of an operation of 32 bits as a number, if it does not wrap around.
    fn number(&mut self, defs: &mut impl Defs, op: Op, depth: u32) -> Option<u32> {
        let most = u64::from(u32::MAX);
        let bits = |f: &mut Self, defs: &mut _, v| f.bits(defs, v, 32, depth);
        let fits = match op {
            Op::Is(a) => return Some(self.extended(defs, a, Extension::Zero, depth)),
            Op::And(..) | Op::Shr(..) => {
                // The mask had been shifted to where it is.
                let (atom, by) = self.part(defs, op, 32, depth)?;
                return Some(
                    self.push(&[Term { reg: atom, extension: Some(Extension::Zero), factor: 1 << by }], 0),
                );
            }
            Op::Truncate(Value::Reg(a)) => {
                return (self.bits(defs, Value::Reg(a), 64, depth) <= most)
                    .then(|| self.whole(defs, a, 64, depth));
            }
            Op::Or(a, b) | Op::Xor(a, b) => bits(self, defs, a) & bits(self, defs, b) == 0,
            Op::Add(a, b) => bits(self, defs, a) + bits(self, defs, b) <= most,
            Op::Shl(a, by) => bits(self, defs, a) << by <= most,
            Op::MulAdd(a, factor, c) => {
                let product = bits(self, defs, a).checked_mul(u64::from(factor as u32));
                product.and_then(|p| p.checked_add(bits(self, defs, c))).is_some_and(|n| n <= most)
            }
            _ => false,
        };
        if !fits {
            return None;
        }
        let number = |f: &mut Self, defs: &mut _, v| f.extended(defs, v, Extension::Zero, depth);
        match op {
            Op::Or(a, b) | Op::Xor(a, b) | Op::Add(a, b) => {
                let (a, b) = (number(self, defs, a), number(self, defs, b));
                self.add(a, 1, b)
            }
            Op::Shl(a, by) => {
                let a = number(self, defs, a);
                self.scale(a, 1 << by)
            }
            Op::MulAdd(a, factor, c) => {
                let (a, c) = (number(self, defs, a), number(self, defs, c));
                self.add(c, u64::from(factor as u32), a)
            }
            _ => None,
        }
    }

    /// The same as a signed number that may be negative.
    fn signed(&mut self, defs: &mut impl Defs, op: Op, depth: u32) -> Option<u32> {
        match op {
            Op::Is(a) => Some(self.extended(defs, a, Extension::Sign, depth)),
            Op::Or(a, b) | Op::Xor(a, b) => {
                // One side has the sign bit; the other one is added below it.
                let sides = [self.bits(defs, a, 32, depth), self.bits(defs, b, 32, depth)];
                if sides[0] & sides[1] != 0 {
                    return None;
                }
                let (a, b) = (
                    self.extended(defs, a, Extension::Sign, depth),
                    self.extended(defs, b, Extension::Sign, depth),
                );
                self.add(a, 1, b)
            }
            _ => None,
        }
    }

    /// The bits that may be set.
    fn bits(&mut self, defs: &mut impl Defs, value: Value, width: u32, depth: u32) -> u64 {
        let reg = match value {
            Value::Imm(imm) => return imm as u64 & all(width),
            Value::Reg(reg) => reg,
        };
        if let Some(bits) = self.bits[reg.virt_index()] {
            return bits & all(width);
        }
        if depth >= MOST_DEFS {
            return all(width);
        }
        let bits = match defs.op(reg) {
            Some((op, bits)) if bits == width => self.bits_of(defs, op, width, depth + 1),
            _ => all(width),
        };
        self.bits[reg.virt_index()] = Some(bits);
        bits
    }

    fn bits_of(&mut self, defs: &mut impl Defs, op: Op, width: u32, depth: u32) -> u64 {
        let mut of = |v, width| self.bits(defs, v, width, depth);
        match op {
            Op::Is(a) => of(a, width),
            Op::Add(a, b) => bits_of_sum(of(a, width), of(b, width), width),
            Op::Sub(a, b) => from_lowest(of(a, width) | of(b, width)) & all(width),
            Op::Or(a, b) | Op::Xor(a, b) => of(a, width) | of(b, width),
            Op::And(a, b) => of(a, width) & of(b, width),
            Op::Shl(a, by) => of(a, width) << by & all(width),
            Op::Shr(a, by) => of(a, width) >> by,
            Op::MulAdd(a, factor, c) => {
                let product = bits_of_product(of(a, width), factor as u64 & all(width), width);
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
            Op::Truncate(a) => of(a, 64) & all(32),
            Op::Field(len) => u64::MAX.checked_shr(64 - len.min(width)).unwrap_or(0),
            Op::Counter(first, step) => from_lowest(of(first, width) | step as u64) & all(width),
        }
    }
}

#[cfg(test)]
mod tests;
