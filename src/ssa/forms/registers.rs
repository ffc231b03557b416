//! Writes registers as linear forms.

use super::bits::{may_be_negative, KnownBits, PossibleBits};
use super::linear::{AtomId, FormId, LinearForms, Term};
use super::operation::Defs;
#[cfg(test)]
use super::operation::{Definition, Op, Value};
use super::rules::{self, Context, ShiftedAtom};
use crate::adt::PackedOption;
use crate::mir::VRegId;
use crate::nvptx::arithmetic::Extension;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// The most definitions that are followed.
const MAX_DEPTH: u32 = 24;

type Part = rules::Part<AtomId, u64>;

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
    /// The numbers of the atoms that are bits of others. They come after those of the registers.
    parts: FxHashMap<Part, AtomId>,
}

impl Forms {
    /// Starts a function with this many virtual registers.
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
    /// Returns what must be added to the value of form `from` to get that of `form`. Both are
    /// registers of `width` bits, and the forms have the same terms.
    pub fn distance(&self, form: FormId, from: FormId, width: u32) -> i64 {
        rules::distance(self.constant(form), self.constant(from), width) as i64
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
        self.bits.of(defs, reg, width, 0)
    }

    fn atom(&mut self, reg: VRegId, extension: Option<Extension>) -> FormId {
        self.linear.push(&[Term::of(reg.into(), extension)], 0)
    }

    fn whole<D: Defs>(&mut self, defs: &mut D, reg: VRegId, width: u32, depth: u32) -> FormId {
        if let Some(form) = self.known.whole[reg].get() {
            return form;
        }
        if depth == MAX_DEPTH {
            return self.atom(reg, None);
        }
        let def = defs.definition(reg).filter(|d| d.bits == width);
        let mut context = FormsAtDepth { forms: self, defs, depth: depth + 1 };
        let form = def.and_then(|def| rules::whole(&mut context, def.op, width));
        let form = form.unwrap_or_else(|| self.atom(reg, None));
        self.known.whole[reg] = form.into();
        form
    }

    /// Returns the form of a register of 32 bits that is extended to 64.
    fn extended<D: Defs>(&mut self, defs: &mut D, reg: VRegId, extension: Extension, depth: u32) -> FormId {
        let is_signed = extension == Extension::Sign && may_be_negative(self.bits.of(defs, reg, 32, depth));
        if let Some(form) = self.known.extended(is_signed)[reg].get() {
            return form;
        }
        let extension = if is_signed { Extension::Sign } else { Extension::Zero };
        if depth == MAX_DEPTH {
            return self.atom(reg, Some(extension));
        }
        let def = defs.definition(reg).filter(|d| d.bits == 32);
        let mut context = FormsAtDepth { forms: self, defs, depth: depth + 1 };
        let form = def.and_then(|def| match extension {
            Extension::Zero => rules::zero_extended(&mut context, def.op),
            Extension::Sign => rules::sign_extended(&mut context, def.op),
        });
        let form = form.unwrap_or_else(|| self.atom(reg, Some(extension)));
        self.known.extended(is_signed)[reg] = form.into();
        form
    }
}

/// The forms of a function's registers, some definitions away from the requested one.
struct FormsAtDepth<'a, D> {
    forms: &'a mut Forms,
    defs: &'a mut D,
    depth: u32,
}

impl<D: Defs> KnownBits for FormsAtDepth<'_, D> {
    type Number = u64;

    fn of_register(&mut self, reg: VRegId, width: u32) -> u64 {
        self.forms.bits.of(self.defs, reg, width, self.depth)
    }
}

impl<D: Defs> Context for FormsAtDepth<'_, D> {
    type Atom = AtomId;
    type Form = FormId;

    fn form_of_register(&mut self, reg: VRegId, width: u32) -> FormId {
        self.forms.whole(self.defs, reg, width, self.depth)
    }
    fn extended_register(&mut self, reg: VRegId, extension: Extension) -> FormId {
        self.forms.extended(self.defs, reg, extension, self.depth)
    }
    fn constant_form(&mut self, constant: u64) -> FormId {
        self.forms.linear.push(&[], constant)
    }
    fn term(&mut self, atom: AtomId, extension: Option<Extension>, factor: u64) -> FormId {
        self.forms.linear.push(&[Term { atom, extension, factor }], 0)
    }
    fn add(&mut self, a: FormId, factor: u64, b: FormId) -> Option<FormId> {
        self.forms.linear.add(a, factor, b)
    }
    fn scale(&mut self, a: FormId, factor: u64) -> Option<FormId> {
        self.forms.linear.scale(a, factor)
    }
    fn low_half(&mut self, whole: FormId) -> Option<FormId> {
        self.forms.linear.low_half(whole)
    }
    fn shifted_atom(&mut self, form: FormId, width: u32) -> Option<ShiftedAtom<AtomId>> {
        match *self.forms.terms(form) {
            [Term { atom, extension: None, factor }]
                if factor.is_power_of_two() && self.forms.constant(form) == 0 =>
            {
                Some(ShiftedAtom { atom, by: factor.trailing_zeros() }).filter(|a| a.by < width)
            }
            _ => None,
        }
    }
    fn part(&mut self, part: Part) -> AtomId {
        let next = AtomId::from_usize(self.forms.known.whole.len() + self.forms.parts.len());
        *self.forms.parts.entry(part).or_insert(next)
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

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
