//! Finds the initial values of the new variables.
//!
//! **Problem.** Before a loop the initial value is the sum of the old variable's initial value and
//! the distance. In a pipelined loop that sum exists already, less a constant or a step: it is the
//! pointer that the first iterations, which run ahead of the loop, have read from. Then the
//! distance is computed for the loop alone, and is no longer needed.
//!
//! **Algorithm.** All sums are written as linear forms ([`Forms`]). Among the sums whose block
//! dominates the entry of the loop, one with the same terms is taken, or else one that differs by
//! the step.
//!
//! **Source.** As for addresses that differ by a constant ([`crate::stages::fold_addresses`]).
//! **Deviation:** none.
//!
//! **Complexity.** O(sums · log sums), plus, for each new variable, the sums with its terms.

use super::find::Found;
use super::types::{NewVariable, Variable};
use crate::mir::{BlockId, InstrId, VRegId};
use crate::ssa::forms::{Defs, FormId, Forms};
use crate::ssa::SsaFacts;

/// The initial value of a new variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialValue {
    /// An existing register.
    Existing(VRegId),
    /// An existing register plus a constant.
    PlusConstant(VRegId, i64),
    /// An existing register plus the step.
    PlusStep(VRegId),
    /// The sum of the old variable's initial value and the distance.
    Sum,
}

/// Answers questions about sums.
pub trait SumTarget: Defs {
    /// Returns the width of an instruction that adds its operands and does nothing else. `None` for
    /// any other.
    fn sum_bits(&mut self, instr: InstrId) -> Option<u32>;
    /// Whether two registers are of the same class.
    fn have_same_class(&mut self, a: VRegId, b: VRegId) -> bool;
}

/// A sum of the function, and its linear form.
#[derive(Clone, Copy)]
struct KnownSum {
    form: FormId,
    instr: InstrId,
    result: VRegId,
}

/// A register, and the constant to add to it.
#[derive(Clone, Copy)]
struct Offset {
    base: VRegId,
    constant: i64,
}

/// The conditions on a register that the initial value is made from.
#[derive(Clone, Copy)]
struct Wanted {
    /// It has the class of this register.
    like: VRegId,
    /// It has this width.
    bits: u32,
    /// Its definition dominates this block.
    entry: BlockId,
}

/// The sums of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct InitialValues {
    forms: Forms,
    /// The sums, sorted by the terms of their forms.
    sums: Vec<KnownSum>,
    /// The increments of variables that may be erased, sorted.
    increments: Vec<InstrId>,
}

impl InitialValues {
    /// Reads the sums of a function, except those that may be erased: sums of variables, and
    /// increments of variables that new ones are made from.
    pub fn read(
        &mut self,
        facts: &SsaFacts,
        found: &Found,
        new_variables: &[NewVariable],
        target: &mut impl SumTarget,
    ) {
        self.forms.clear(facts.shape.num_virt_regs);
        self.sums.clear();
        self.increments.clear();
        self.increments.extend(new_variables.iter().map(|new| found.variable(new).increment));
        self.increments.sort_unstable();
        for instr in facts.instr_ids() {
            if found.is_sum(instr) || self.increments.binary_search(&instr).is_ok() {
                continue;
            }
            let Some(result) = result_of(facts, instr) else { continue };
            if let Some(bits) = target.sum_bits(instr) {
                let form = self.forms.of(target, result, bits);
                self.sums.push(KnownSum { form, instr, result });
            }
        }
        let forms = &self.forms;
        self.sums.sort_unstable_by(|a, b| {
            forms.terms(a.form).cmp(forms.terms(b.form)).then(a.instr.cmp(&b.instr))
        });
    }

    /// Finds the initial value of a new variable.
    pub fn find(
        &mut self,
        facts: &SsaFacts,
        found: &Found,
        new: &NewVariable,
        target: &mut impl SumTarget,
    ) -> InitialValue {
        let Variable { entry, increment, initial, step, .. } = found.variable(new);
        let bits = target.sum_bits(increment).expect("an increment is a sum");
        let distance = found.sums_of(new)[0].distance;
        let [initial_form, distance] = [initial, distance].map(|reg| self.forms.of(target, reg, bits));
        let Some(form) = self.forms.sum(initial_form, distance) else { return InitialValue::Sum };
        let step = step.vreg().map(|step| self.forms.of(target, step, bits));
        let before_step = step.and_then(|step| self.forms.difference(form, step));

        let wanted = Wanted { like: initial, bits, entry };
        let nearest = self.nearest(facts, target, form, wanted);
        match nearest {
            Some(Offset { base, constant: 0 }) => return InitialValue::Existing(base),
            Some(Offset { base, constant }) => return InitialValue::PlusConstant(base, constant),
            None => {}
        }
        match before_step.and_then(|form| self.nearest(facts, target, form, wanted)) {
            Some(Offset { base, constant: 0 }) => InitialValue::PlusStep(base),
            _ => InitialValue::Sum,
        }
    }

    /// Finds a sum with the terms of a form; one with the same constant, if there is one.
    fn nearest(
        &self,
        facts: &SsaFacts,
        target: &mut impl SumTarget,
        form: FormId,
        wanted: Wanted,
    ) -> Option<Offset> {
        let forms = &self.forms;
        let first = self.sums.partition_point(|sum| forms.terms(sum.form) < forms.terms(form));
        let same_terms =
            self.sums[first..].iter().take_while(|sum| forms.terms(sum.form) == forms.terms(form));
        let fitting = same_terms.filter_map(|sum| {
            let base = sum.result;
            let fits = target.have_same_class(base, wanted.like);
            let constant = forms.distance(form, sum.form, wanted.bits);
            (fits && facts.dominates(facts.block_of_instr(sum.instr), wanted.entry))
                .then_some(Offset { base, constant })
        });
        fitting.max_by_key(|offset| offset.constant == 0)
    }
}

/// Returns the register that the first operand of an instruction defines.
fn result_of(facts: &SsaFacts, instr: InstrId) -> Option<VRegId> {
    facts.operands_of(instr).first().filter(|result| result.is_def())?.vreg()
}
