//! Stores linear forms and adds them up.

use crate::mir::VRegId;
use crate::nvptx::arithmetic::Extension;
use index_vec::IndexVec;
use std::ops::Range;

/// The most terms that a stored sum has.
pub const MAX_TERMS: usize = 8;

index_vec::define_index_type! {
    /// The number of a stored form.
    pub struct FormId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// The number of an atom. A virtual register's atom has the index of the register. Atoms that
    /// are bits of others come after those.
    pub struct AtomId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

impl From<VRegId> for AtomId {
    fn from(reg: VRegId) -> AtomId {
        AtomId::from_raw(reg.raw())
    }
}

/// An atom of 64 bits, or one of 32 bits extended, times a factor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Term {
    /// The atom.
    pub atom: AtomId,
    /// How it is extended; `None` if it is as wide as the form.
    pub extension: Option<Extension>,
    /// The factor, modulo 2^64, not 0.
    pub factor: u64,
}

impl Term {
    /// Returns the atom itself.
    pub fn of(atom: AtomId, extension: Option<Extension>) -> Term {
        Term { atom, extension, factor: 1 }
    }
}

/// A form: its terms, ordered by atom, and the constant, modulo 2^64.
#[derive(Clone, Debug)]
struct Form {
    terms: Range<usize>,
    constant: u64,
}

/// The forms of a function; the buffers are kept.
#[derive(Default)]
pub struct LinearForms {
    terms: Vec<Term>,
    forms: IndexVec<FormId, Form>,
    /// A buffer for the terms of a new form.
    sum: Vec<Term>,
}

impl LinearForms {
    /// Forgets all forms.
    pub fn clear(&mut self) {
        self.terms.clear();
        self.forms.clear();
    }
    /// Returns the terms of a form.
    pub fn terms(&self, form: FormId) -> &[Term] {
        &self.terms[self.forms[form].terms.clone()]
    }
    /// Returns the constant of a form.
    pub fn constant(&self, form: FormId) -> u64 {
        self.forms[form].constant
    }
    /// Stores a form.
    pub fn push(&mut self, terms: &[Term], constant: u64) -> FormId {
        let first = self.terms.len();
        self.terms.extend_from_slice(terms);
        self.forms.push(Form { terms: first..self.terms.len(), constant })
    }
    /// Stores `a + factor * b`; `None` if it has too many terms.
    pub fn add(&mut self, a: FormId, factor: u64, b: FormId) -> Option<FormId> {
        let mut sum = std::mem::take(&mut self.sum);
        sum.clear();
        sum.extend_from_slice(self.terms(a));
        let scaled = |t: &Term| Term { factor: t.factor.wrapping_mul(factor), ..*t };
        sum.extend(self.terms(b).iter().map(scaled));
        sum.sort_unstable_by_key(|t| (t.atom, t.extension));
        sum.dedup_by(|next, t| {
            let same = (next.atom, next.extension) == (t.atom, t.extension);
            if same {
                t.factor = t.factor.wrapping_add(next.factor);
            }
            same
        });
        sum.retain(|t| t.factor != 0);
        let constant = self.constant(a).wrapping_add(self.constant(b).wrapping_mul(factor));
        let form = (sum.len() <= MAX_TERMS).then(|| self.push(&sum, constant));
        self.sum = sum;
        form
    }
    /// Stores `factor * a`; `None` if it has too many terms.
    pub fn scale(&mut self, a: FormId, factor: u64) -> Option<FormId> {
        let zero = self.push(&[], 0);
        self.add(zero, factor, a)
    }
    /// Stores a form of 64 bits modulo 2^32. There an extended register is equal to the register
    /// itself.
    pub fn low_half(&mut self, whole: FormId) -> Option<FormId> {
        let mut terms = std::mem::take(&mut self.sum);
        terms.clear();
        terms.extend(self.terms(whole).iter().map(|t| Term { extension: None, ..*t }));
        let narrow = self.push(&terms, self.constant(whole));
        self.sum = terms;
        // Adds up the terms that have become equal.
        self.scale(narrow, 1)
    }
}
