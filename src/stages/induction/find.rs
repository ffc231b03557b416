//! Finds the induction variables of a function, and their sums.

use super::types::{InductionTarget, NewVariable, Sum, SumId, Variable, VariableId};
use crate::adt::PackedOption;
use crate::mir::{BlockId, InstrId, Operand, VRegId};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The variables that have sums, and the sums.
#[derive(Default)]
pub struct Found {
    /// The variables.
    pub variables: IndexVec<VariableId, Variable>,
    /// The sums, sorted by variable and distance.
    pub sums: IndexVec<SumId, Sum>,
    /// By sum: the header of its loop. `NONE` for other instructions.
    header_of_sum: IndexVec<InstrId, PackedOption<BlockId>>,
}

impl Found {
    /// Finds variables, and those of their sums that every iteration computes.
    pub fn find(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget) {
        self.variables.clear();
        self.sums.clear();
        for block in facts.blocks() {
            for phi in facts.instrs_of(block).take_while(|&instr| facts.is_phi_instr(instr)) {
                self.find_variable(facts, target, phi);
            }
        }
        if self.sums.is_empty() {
            return;
        }
        self.keep_loop_sums(facts);
        self.sums.as_raw_slice_mut().sort_unstable();
        self.header_of_sum.clear();
        self.header_of_sum.resize(facts.num_instrs(), PackedOption::NONE);
        for sum in &self.sums {
            self.header_of_sum[sum.instr] = self.variables[sum.variable].header.into();
        }
    }
    /// Returns the variable that a new one is made from.
    pub fn variable(&self, new: &NewVariable) -> Variable {
        self.variables[new.variable]
    }
    /// Returns the sums that become a new variable.
    pub fn sums_of(&self, new: &NewVariable) -> &[Sum] {
        &self.sums.as_raw_slice()[new.sums.start.index()..new.sums.end.index()]
    }
    /// Returns the header of the loop that an instruction is a sum of, if it is one.
    pub fn header_of_sum(&self, instr: InstrId) -> Option<BlockId> {
        self.header_of_sum[instr].get()
    }
    /// Returns whether an instruction is a sum of a variable, which may be erased.
    pub fn is_sum(&self, instr: InstrId) -> bool {
        self.header_of_sum[instr].is_some()
    }

    /// Adds a PHI and its sums, if it is an induction variable with sums.
    fn find_variable(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget, phi: InstrId) {
        let Some(variable) = variable_of(facts, target, phi) else { return };
        let num_sums = self.sums.len();
        for (instr, reads_next) in [(phi, false), (variable.increment, true)] {
            let reg = facts.operands_of(instr)[0].vreg().expect("it defines a register");
            self.find_sums(facts, target, reg, variable.increment, reads_next);
        }
        if self.sums.len() > num_sums {
            self.variables.push(variable);
        }
    }

    /// Adds the sums that read a register of the next variable.
    fn find_sums(
        &mut self,
        facts: &SsaFacts,
        target: &mut impl InductionTarget,
        reg: VRegId,
        increment: InstrId,
        reads_next: bool,
    ) {
        for instr in facts.readers_of(reg) {
            if instr == increment || facts.is_phi_instr(instr) {
                continue;
            }
            let Some(distance) = other_operand(facts, instr, reg).and_then(|o| o.vreg()) else { continue };
            if target.is_sum(instr) {
                let variable = self.variables.next_idx();
                self.sums.push(Sum { variable, distance, reads_next, instr });
            }
        }
    }

    /// Drops the sums with a register that the loop changes, and those that some iterations do not
    /// compute.
    fn keep_loop_sums(&mut self, facts: &SsaFacts) {
        let Found { variables, sums, .. } = self;
        let loops = &facts.loops;
        sums.retain(|sum| {
            let Variable { header, latch, .. } = variables[sum.variable];
            let Some(this) = loops.innermost(header) else { return false };
            let is_in_loop = |block| loops.contains(this, block);
            let is_invariant = |reg: VRegId| facts.block_of_def(reg).is_some_and(|block| !is_in_loop(block));
            let block = facts.block_of_instr(sum.instr);
            is_in_loop(block) && is_invariant(sum.distance) && facts.dominates(block, latch)
        });
    }
}

/// Reads a PHI as an induction variable: it is in a loop's header, and its step is loop-invariant.
/// `None` if it is not one.
pub fn variable_of(facts: &SsaFacts, target: &mut impl InductionTarget, phi: InstrId) -> Option<Variable> {
    let [result, a, from_a, b, from_b] = *facts.operands_of(phi) else { return None };
    if !a.reads_whole() || !b.reads_whole() {
        return None;
    }
    let (reg, header) = (result.vreg()?, facts.block_of_instr(phi));
    let this = facts.loops.innermost(header)?;
    let is_in_loop = |block| facts.loops.contains(this, block);
    let is_invariant = |reg: VRegId| facts.block_of_def(reg).is_some_and(|block| !is_in_loop(block));
    for (initial, entry, next, latch) in [(a, from_a, b, from_b), (b, from_b, a, from_a)] {
        let (Some(initial), Some(next)) = (initial.vreg(), next.vreg()) else { continue };
        let Some(increment) = facts.def_of(next) else { continue };
        let Some(step) = other_operand(facts, increment, reg) else { continue };
        let [entry, latch] = [entry, latch].map(|block| facts.block_numbered(block.block_number()));
        if !is_in_loop(entry)
            && is_in_loop(latch)
            && step.vreg().is_none_or(is_invariant)
            && target.is_sum(increment)
        {
            return Some(Variable { phi, increment, initial, step, entry, header, latch });
        }
    }
    None
}

/// Returns the other operand of an instruction that reads `reg` and one more value, and defines one
/// register.
fn other_operand(facts: &SsaFacts, instr: InstrId, reg: VRegId) -> Option<Operand> {
    let [result, a, b] = *facts.operands_of(instr) else { return None };
    let is_reg = |o: Operand| o.reads_whole() && o.vreg() == Some(reg);
    let other = match (is_reg(a), is_reg(b)) {
        (true, false) => b,
        (false, true) => a,
        _ => return None,
    };
    let is_value = other.reads_whole() || !other.is_reg();
    (result.is_virtual() && result.is_def() && result.subreg() == 0 && is_value).then_some(other)
}
