//! States that stored forms are added, scaled and halved as their values are. The forms are those
//! of [`LinearForms`], with the factors below, for all values of the atoms.

use super::operations::extend;
use super::term::{any_below, cases, given, Term};
use super::Statement;
use crate::nvptx::arithmetic::Extension;
use crate::ssa::forms::linear::{FormId, LinearForms};
use crate::ssa::forms::number::Number;
use crate::ssa::forms::{self, AtomId};

type T = Term<64>;

/// Factors and constants: small ones, of one bit, at the edges of 32 and 64 bits.
const FACTORS: [u64; 6] = [1, 12, u64::MAX, 1 << 31, (1 << 32) + 1, 1 << 63];

/// Stores a form with a term for each atom. The factors are those from `first` on.
fn form(forms: &mut LinearForms, first: usize, extensions: [Option<Extension>; 3]) -> FormId {
    let factor = |index: usize| FACTORS[(first + index) % FACTORS.len()];
    let terms = [0, 1, 2].map(|index| forms::Term {
        atom: AtomId::from_usize(index),
        extension: extensions[index],
        factor: factor(index),
    });
    forms.push(&terms, factor(3))
}

/// Returns the value of a form.
fn value(forms: &LinearForms, form: FormId, atoms: [T; 3]) -> T {
    let product = |term: &forms::Term| {
        let atom = atoms[term.atom.index()];
        T::of(term.factor).times(term.extension.map_or(atom, |extension| extend(atom, extension)))
    };
    let constant = T::of(forms.constant(form));
    forms.terms(form).iter().map(product).fold(constant, |sum, product| sum + product)
}

/// Returns the statements.
pub fn statements() -> Vec<Statement> {
    let any_factor = || any_below(FACTORS.len() as u32) as usize;
    let (zero, sign) = (Some(Extension::Zero), Some(Extension::Sign));
    let sum = || {
        let (mut forms, atoms) = (LinearForms::default(), ["x", "y", "z"].map(T::any));
        let a = form(&mut forms, any_factor(), [None, zero, sign]);
        let b = form(&mut forms, any_factor(), [None, sign, sign]);
        let factor = FACTORS[any_factor()];
        let of_b = T::any("b");
        given(of_b.is(value(&forms, b, atoms)));
        let sum = forms.add(a, factor, b)?;
        let expected = value(&forms, a, atoms) + T::of(factor).times(of_b);
        Some(value(&forms, sum, atoms).is(expected).exact())
    };
    let low_half = || {
        let (mut forms, atoms) = (LinearForms::default(), ["x", "y", "z"].map(T::any));
        let whole = form(&mut forms, any_factor(), [None, zero, sign]);
        let of_whole = T::any("whole");
        given(of_whole.is(value(&forms, whole, atoms)));
        let low = forms.low_half(whole)?;
        Some(value(&forms, low, atoms).low(32).is(of_whole.low(32)).exact())
    };
    vec![
        Statement { rule: "a form and a factor times another one".into(), bits: 64, cases: cases(sum) },
        Statement { rule: "the low half of a form".into(), bits: 64, cases: cases(low_half) },
    ]
}
