//! Finds comparisons that are the same apart from their sign.

use crate::mir::{InstrId, Kind, VRegId};
use crate::nvptx::comparisons::{Relation, MODE};
use crate::ssa::facts::SsaFacts;
use crate::ssa::machine::MachineInfo;
use rustc_hash::FxHashMap;

/// The second operand of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Second {
    /// A register.
    Reg(VRegId),
    /// A constant, as 32 bits.
    Constant(u32),
}

/// A comparison, apart from its sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form {
    /// Its relation.
    pub relation: Relation,
    /// Its first operand.
    pub first: VRegId,
    /// Its second operand.
    pub second: Second,
}

impl Form {
    /// The other form that means the same; `None` if there is none.
    fn other(self, is_signed: bool) -> Option<Form> {
        match self.second {
            Second::Reg(second) => {
                let exchanged = Form {
                    relation: self.relation.exchanged(),
                    first: second,
                    second: Second::Reg(self.first),
                };
                (second != self.first).then_some(exchanged)
            }
            Second::Constant(constant) => {
                let (relation, difference) = self.relation.to_neighbour();
                let neighbour = match is_signed {
                    true => i32::try_from(i64::from(constant as i32) + difference).ok()? as u32,
                    false => u32::try_from(i64::from(constant) + difference).ok()?,
                };
                Some(Form { relation, second: Second::Constant(neighbour), ..self })
            }
        }
    }
}

/// A comparison of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The instruction.
    pub instr: InstrId,
    /// Whether it is signed.
    pub is_signed: bool,
    /// Its operands and relation.
    pub form: Form,
}

/// Rewrites comparisons. Its buffers are kept from function to function.
#[derive(Default)]
pub struct Comparisons {
    all: Vec<Comparison>,
    /// How many unsigned and signed comparisons have a form.
    counts: FxHashMap<Form, [u32; 2]>,
    changed: Vec<Comparison>,
    num_left: u64,
}

impl Comparisons {
    /// Finds the comparisons to rewrite.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        let Comparisons { all, counts, changed, num_left } = self;
        all.clear();
        counts.clear();
        changed.clear();
        *num_left = 0;
        all.extend(facts.instr_ids().filter_map(|instr| read(facts, machine, instr)));
        for comparison in all.iter() {
            counts.entry(comparison.form).or_default()[usize::from(comparison.is_signed)] += 1;
        }
        // Signed ones first: an unsigned one changes only if that is not enough.
        for is_signed in [true, false] {
            for comparison in all.iter_mut().filter(|comparison| comparison.is_signed == is_signed) {
                let of_sign =
                    |form: &Form, sign: bool| counts.get(form).map_or(0, |count| count[usize::from(sign)]);
                if of_sign(&comparison.form, !is_signed) == 0 {
                    continue;
                }
                let other = comparison.form.other(is_signed);
                match other.filter(|other| of_sign(other, !is_signed) == 0) {
                    Some(other) => {
                        counts.entry(comparison.form).or_default()[usize::from(is_signed)] -= 1;
                        counts.entry(other).or_default()[usize::from(is_signed)] += 1;
                        comparison.form = other;
                        changed.push(*comparison);
                    }
                    None if !is_signed => *num_left += 1,
                    None => {}
                }
            }
        }
    }

    /// The comparisons to rewrite, in their new forms.
    pub fn changed(&self) -> &[Comparison] {
        &self.changed
    }

    /// How many unsigned comparisons stay the same as a signed one, as no single change helps.
    pub fn num_left(&self) -> u64 {
        self.num_left
    }
}

/// Reads a comparison of 32 bits by order, of a register with a register or a constant.
fn read(facts: &SsaFacts, machine: &impl MachineInfo, instr: InstrId) -> Option<Comparison> {
    let op = machine.opcode_info(instr).comparison?;
    let operands = facts.operands_of(instr);
    let [_, first, second, mode, ..] = operands else { return None };
    if mode.kind() != Kind::Imm || !first.reads_whole() {
        return None;
    }
    let (relation, is_signed) = op.relation(machine.immediate(instr, MODE))?;
    let second = match second.kind() {
        Kind::Imm => Second::Constant(machine.immediate(instr, 2) as u32),
        _ => Second::Reg(second.vreg().filter(|_| second.reads_whole())?),
    };
    Some(Comparison { instr, is_signed, form: Form { relation, first: first.vreg()?, second } })
}
