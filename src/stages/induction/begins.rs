//! What the new variables begin with.
//!
//! **Problem.** In front of a loop it is the sum of what the old variable begins with and the distance. In a pipelined loop that sum is
//! there already, less a constant or a step: the pointer that the first turns, which go ahead of the loop, have read from. Distances are
//! computed for the loop alone then, and need not be computed at all.
//!
//! **Algorithm.** All are written as linear forms ([`Forms`]). Of the sums whose block dominates the one in front of the loop, one with the
//! same terms is taken; else one that differs by the step.
//!
//! **Source.** As for addresses that differ by a constant ([`crate::stages::fold_addresses`]). **Deviation:** none.
//!
//! **Complexity.** O(sums · log sums), and the sums with the same terms as a new variable.

use super::pass::{index_of, sum};
use super::{Own, Variable, Variables};
use crate::llvm::MachineInstr;
use crate::mir::Register;
use crate::nvptx::arithmetic::with_immediate;
use crate::nvptx::moves::ByOpcode;
use crate::ssa::forms::Forms;
use crate::ssa::SsaFacts;
use crate::stages::fold_addresses::Code;

/// What a variable begins with.
#[derive(Clone, Copy)]
pub enum Begin {
    /// A register that is there; and a constant; and a step.
    Is(Register),
    /// See above.
    Plus(Register, i64),
    /// See above.
    Stepped(Register),
    /// The sum of what its variable begins with.
    Sum,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Begins {
    forms: Forms,
    /// Sums, by the terms of their forms: form and instruction.
    sums: Vec<(u32, u32)>,
    /// Those of variables that go.
    steps: Vec<u32>,
    /// By opcode of a sum of registers, that with a constant.
    twins: ByOpcode<u32>,
}

impl Begins {
    /// Reads the sums of a function, but for those that go with variables or may go.
    pub fn read(&mut self, facts: &SsaFacts, variables: &Variables, own: &[Own], code: &mut Code) {
        self.forms.clear(facts.shape.num_virt_regs);
        self.sums.clear();
        self.steps.clear();
        self.steps.extend(own.iter().map(|own| variables.variable(own).step));
        self.steps.sort_unstable();
        let goes = |i: u32| variables.is_sum(i) || self.steps.binary_search(&i).is_ok();
        for instr in (0..facts.num_instrs() as u32).filter(|&i| !goes(i)) {
            let [result, ..] = *facts.operands(instr as usize) else { continue };
            if result.is_virtual() && result.is_def() {
                if let Some(bits) = sum(code, instr) {
                    self.sums.push((self.forms.of(code, result.reg(), bits), instr));
                }
            }
        }
        let forms = &self.forms;
        self.sums.sort_unstable_by(|a, b| forms.terms(a.0).cmp(forms.terms(b.0)).then(a.1.cmp(&b.1)));
    }

    /// What a new variable begins with.
    pub fn find(&mut self, facts: &SsaFacts, variables: &Variables, own: &Own, code: &mut Code) -> Begin {
        let Variable { entry, step, first, by, .. } = variables.variable(own);
        let bits = sum(code, step).expect("a step is a sum");
        let more = Register::virt(variables.sums(own)[0].more);
        let [first_form, more] = [first, more].map(|reg| self.forms.of(code, reg, bits));
        let Some(wanted) = self.forms.sum(first_form, more) else { return Begin::Sum };
        let by = by.is_reg().then(|| self.forms.of(code, by.reg(), bits));
        let before = by.and_then(|by| self.forms.difference(wanted, by));

        let (forms, mf) = (&self.forms, code.function());
        let there = |form: u32| {
            let at = self.sums.partition_point(|s| forms.terms(s.0) < forms.terms(form));
            let same = self.sums[at..].iter().take_while(|s| forms.terms(s.0) == forms.terms(form));
            let there = same.filter_map(|&(of, instr)| {
                let reg = facts.operands(instr as usize)[0].reg();
                let fits = mf.class_id(reg) == mf.class_id(first);
                let more = forms.constant(form).wrapping_sub(forms.constant(of)) as i64;
                let more = if bits == 32 { i64::from(more as i32) } else { more };
                (fits && facts.dominators.dominates(code.block(instr) as usize, entry as usize))
                    .then_some((reg, more))
            });
            there.max_by_key(|&(_, more)| more == 0)
        };
        match (there(wanted), before.and_then(there)) {
            (Some((reg, 0)), _) => Begin::Is(reg),
            (Some((reg, more)), _) => Begin::Plus(reg, more),
            (None, Some((reg, 0))) => Begin::Stepped(reg),
            _ => Begin::Sum,
        }
    }

    /// The register of it, which is computed where the loop is entered if it is not there. `phi`, `step` and `sum` are of the variable; it
    /// comes back to `phi` by operand `at_next`.
    pub fn make(
        &mut self,
        begin: Begin,
        [phi, step, sum]: [MachineInstr; 3],
        at_next: usize,
        code: &Code,
        entry: u32,
    ) -> Register {
        let mf = code.function();
        let [reg, next] = [phi, step].map(|mi| mi.operand(0).reg());
        let like = |mi: MachineInstr| {
            let made = mi.clone_before(mi);
            (made, mf.def(made).expect("it was made").instr)
        };
        let (made, mi) = match begin {
            Begin::Is(reg) => return reg,
            Begin::Plus(of, more) => {
                let name = || mf.opcode_named(&with_immediate(&mf.opcode_name(sum.opcode())));
                let twin = self.twins.of(sum.opcode(), name);
                let (made, mi) = like(sum);
                let twin = twin.expect("every sum of registers has one with a constant");
                mi.set_address(Some(twin), 1, of, more);
                (made, mi)
            }
            Begin::Stepped(of) => {
                let (made, mi) = like(step);
                mi.set_reg(index_of(mi, reg).expect("a step reads its variable"), of);
                (made, mi)
            }
            Begin::Sum => {
                let (made, mi) = like(sum);
                let index = index_of(mi, reg).or_else(|| index_of(mi, next)).expect("so does a sum");
                mi.set_reg(index, phi.operand(4 - at_next).reg());
                (made, mi)
            }
        };
        mi.move_to_end_of(mf.block_numbered(entry));
        made
    }
}
