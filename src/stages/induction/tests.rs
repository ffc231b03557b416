//! Checks on random loops that the new variables take fewer registers than what they replace, and
//! checks initial values.

use super::equal::{EqualPair, EqualVariables};
use super::find::{variable_of, Found};
use super::initial::{InitialValue, InitialValues, SumTarget};
use super::types::{InductionTarget, NewVariable, SumId, Variable, VariableId};
use super::InductionVariables;
use crate::fuzzing::{cases, Rng, FEW};
use crate::mir::testing::{end_block, push, read, write};
use crate::mir::{virtual_reads, BlockId, FunctionFacts, InstrFlags, InstrId, Operand, RegClassId, VRegId};
use crate::ssa::forms::{Definition, Defs, Op, Value};
use crate::ssa::SsaFacts;
use std::collections::BTreeSet;

/// Takes instructions that read two registers and define one as sums. Every seventh register is
/// uniform.
struct TestTarget<'a>(&'a SsaFacts);

impl TestTarget<'_> {
    fn result(&self, instr: InstrId) -> VRegId {
        self.0.operands_of(instr)[0].vreg().unwrap()
    }
}

fn is_uniform(reg: VRegId) -> bool {
    reg.raw() % 7 == 0
}

impl InductionTarget for TestTarget<'_> {
    fn is_sum(&mut self, instr: InstrId) -> bool {
        matches!(self.0.operands_of(instr), [result, _, _] if result.is_def())
    }
    fn is_move(&mut self, instr: InstrId) -> bool {
        matches!(self.0.operands_of(instr), [result] if result.is_def())
    }
    fn constant_operand(&mut self, _: InstrId) -> Option<i64> {
        None
    }
    fn class(&mut self, _: VRegId) -> Option<RegClassId> {
        Some(RegClassId::from_usize(0))
    }
    fn is_access(&mut self, _: InstrId) -> bool {
        true
    }
    fn is_inline_asm(&mut self, _: InstrId) -> bool {
        false
    }
    fn registers32(&mut self, _: VRegId) -> u32 {
        1
    }
    fn is_uniform(&mut self, instr: InstrId) -> bool {
        is_uniform(self.result(instr))
    }
    fn registers32_in_sums(&mut self, reg: VRegId, _: InstrId) -> u32 {
        u32::from(!is_uniform(reg))
    }
}

/// Makes a function. Block 0 defines registers from 1 on, the last of them the step. Block 1 is a
/// loop of variables with random sums and other reads. Block 2 reads some more.
fn random_loop(rng: &mut Rng) -> FunctionFacts {
    let mut facts = FunctionFacts::default();
    facts.clear(100, 3);
    let distances = 1 + rng.below(5);
    let (step, variables) = (distances + 1, 1 + rng.below(3));
    (1..=step).for_each(|r| push(&mut facts, InstrFlags::NONE, &[write(r)]));
    end_block(&mut facts, 0, &[1]);
    let variable = |v: u32| (20 + 2 * v, 21 + 2 * v);
    for v in 0..variables {
        let (reg, next) = variable(v);
        let begin = 1 + rng.below(step);
        let mut pairs = [[read(begin), Operand::test_block(0)], [read(next), Operand::test_block(1)]];
        if rng.one_in(2) {
            pairs.swap(0, 1);
        }
        push(&mut facts, InstrFlags::PHI, &[&[write(reg)][..], &pairs.concat()].concat());
    }
    let mut steps: Vec<u32> = (0..variables).collect();
    let mut sums = 0;
    for _ in 0..variables + rng.below(6) {
        let next_is_there = |v: u32, steps: &[u32]| !steps.contains(&v);
        let (reg, next) = variable(rng.below(variables));
        let of = if next_is_there((reg - 20) / 2, &steps) && rng.one_in(2) { next } else { reg };
        let more = 1 + rng.below(distances);
        if rng.one_in(8) {
            push(&mut facts, InstrFlags::NONE, &[read(if rng.one_in(2) { of } else { more })]);
        } else {
            let result = 40 + sums;
            sums += 1;
            let both = if rng.one_in(2) { [of, more] } else { [more, of] };
            push(&mut facts, InstrFlags::NONE, &[write(result), read(both[0]), read(both[1])]);
            push(&mut facts, InstrFlags::NONE, &[read(result)]);
        }
        if !steps.is_empty() && rng.one_in(2) {
            let (reg, next) = variable(steps.remove(0));
            push(&mut facts, InstrFlags::NONE, &[write(next), read(reg), read(step)]);
        }
    }
    for v in steps {
        let (reg, next) = variable(v);
        push(&mut facts, InstrFlags::NONE, &[write(next), read(reg), read(step)]);
    }
    end_block(&mut facts, 1, &[1, 2]);
    for r in (1..=distances).filter(|_| rng.one_in(8)) {
        push(&mut facts, InstrFlags::NONE, &[read(r)]);
    }
    end_block(&mut facts, 2, &[]);
    facts
}

#[test]
fn induction_variables_take_fewer_registers_than_distances() {
    let (mut rng, mut variables) = (Rng::new(5), InductionVariables::default());
    let (mut new_variables, mut made) = (Vec::new(), 0);
    for _ in 0..cases(20_000) {
        let facts = SsaFacts::of(random_loop(&mut rng));
        variables.run(&facts, &mut TestTarget(&facts), &mut new_variables);
        made += new_variables.len();
        let mut erased: BTreeSet<InstrId> = BTreeSet::new();
        for new in &new_variables {
            let Variable { phi, increment, entry, .. } = variables.found.variable(new);
            assert_eq!(entry, BlockId::new(0));
            let [reg, next] = [phi, increment].map(|i| facts.operands_of(i)[0].vreg().unwrap());
            let sums = variables.found.sums_of(new);
            for sum in sums {
                let of = if sum.reads_next { next } else { reg };
                let mut both: Vec<VRegId> = virtual_reads(facts.operands_of(sum.instr)).collect();
                both.sort_unstable();
                assert_eq!(both, [sums[0].distance, of]);
                assert!(erased.insert(sum.instr));
            }
            erased.extend([phi, increment]);
        }
        let registers = |erased| registers_through_loop(&facts, erased);
        // The new variables also read the step.
        let steps = usize::from(!new_variables.is_empty() && !is_step_live(&facts, &erased));
        let (before, after) = (registers(&BTreeSet::new()), registers(&erased) + new_variables.len() + steps);
        assert!(new_variables.is_empty() || after < before, "{before} to {after}");
    }
    assert!(FEW || made > 1000, "{made}");
}

/// Makes a loop of this many variables, each of which is added to one shared distance.
fn loop_with_one_distance(num_variables: u32) -> FunctionFacts {
    let (mut facts, distance, step) = (FunctionFacts::default(), 1, 2);
    facts.clear(3 + 4 * num_variables as usize, 3);
    let initial = |n| 3 + n;
    let [reg, next, sum] = [1, 2, 3].map(|part| move |n| 3 + part * num_variables + n);
    (1..3 + num_variables).for_each(|r| push(&mut facts, InstrFlags::NONE, &[write(r)]));
    end_block(&mut facts, 0, &[1]);
    for n in 0..num_variables {
        let (entry, latch) = (Operand::test_block(0), Operand::test_block(1));
        push(&mut facts, InstrFlags::PHI, &[write(reg(n)), read(initial(n)), entry, read(next(n)), latch]);
    }
    for n in 0..num_variables {
        push(&mut facts, InstrFlags::NONE, &[write(sum(n)), read(reg(n)), read(distance)]);
        push(&mut facts, InstrFlags::NONE, &[read(sum(n))]);
        push(&mut facts, InstrFlags::NONE, &[write(next(n)), read(reg(n)), read(step)]);
    }
    end_block(&mut facts, 1, &[1, 2]);
    end_block(&mut facts, 2, &[]);
    facts
}

#[test]
fn one_distance_of_many_variables_is_not_worth_it() {
    let made = |num_variables| {
        let facts = SsaFacts::of(loop_with_one_distance(num_variables));
        let mut new_variables = Vec::new();
        InductionVariables::default().run(&facts, &mut TestTarget(&facts), &mut new_variables);
        new_variables.len()
    };
    assert_eq!([1, 5].map(made), [1, 5]);
    assert_eq!([10, 16].map(made), [0, 0]);
}

#[test]
fn equal_induction_variables_are_found_and_the_first_increment_is_kept() {
    let (mut rng, mut equal, mut found) = (Rng::new(6), EqualVariables::default(), 0);
    for _ in 0..cases(20_000) {
        let facts = SsaFacts::of(random_loop(&mut rng));
        equal.find(&facts, &mut TestTarget(&facts));
        found += equal.pairs.len();
        // All steps are the same, so only the initial values tell variables apart.
        let phis = facts.instrs_of(BlockId::new(1)).take_while(|&instr| facts.is_phi_instr(instr));
        let initial = |phi| variable_of(&facts, &mut TestTarget(&facts), phi).unwrap().initial;
        let values: BTreeSet<VRegId> = phis.clone().map(initial).collect();
        let erased: BTreeSet<InstrId> = equal.pairs.iter().map(|pair| pair.erased.phi).collect();
        assert_eq!((erased.len(), phis.count() - erased.len()), (equal.pairs.len(), values.len()));
        for EqualPair { kept, erased: other } in &equal.pairs {
            assert!(!erased.contains(&kept.phi) && kept.increment < other.increment);
            assert_eq!(initial(kept.phi), initial(other.phi));
        }
    }
    assert!(FEW || found > 1000, "{found}");
}

/// Returns the register of the step, the last one that block 0 defines.
fn step_of(facts: &SsaFacts) -> VRegId {
    let last = facts.instrs_of(BlockId::new(0)).next_back().unwrap();
    facts.operands_of(last)[0].vreg().unwrap()
}

/// Lists the instructions of the loop, and after it, that are not erased.
fn instrs_left<'a>(facts: &'a SsaFacts, erased: &'a BTreeSet<InstrId>) -> impl Iterator<Item = InstrId> + 'a {
    let instrs = facts.blocks().skip(1).flat_map(|block| facts.instrs_of(block));
    instrs.filter(|instr| !erased.contains(instr))
}

/// Counts the registers that live through the loop: PHIs, and registers that are read in the loop
/// or after it. Uniform ones take none.
fn registers_through_loop(facts: &SsaFacts, erased: &BTreeSet<InstrId>) -> usize {
    let step = step_of(facts);
    let mut live = BTreeSet::new();
    for instr in instrs_left(facts, erased) {
        if facts.is_phi_instr(instr) {
            // A variable whose initial value and step are uniform is uniform.
            let initial = facts.phi_reads_of(instr).map(|read| read.0).min();
            if !is_uniform(step) || !initial.is_some_and(is_uniform) {
                live.extend(facts.operands_of(instr)[0].vreg());
            }
        } else {
            let reads = virtual_reads(facts.operands_of(instr));
            live.extend(reads.filter(|&reg| reg.raw() < 20 && !is_uniform(reg)));
        }
    }
    live.len()
}

/// Returns whether an instruction that stays, in the loop or after it, reads the step, or the step
/// takes no register.
fn is_step_live(facts: &SsaFacts, erased: &BTreeSet<InstrId>) -> bool {
    let step = step_of(facts);
    let mut left = instrs_left(facts, erased).filter(|&instr| !facts.is_phi_instr(instr));
    is_uniform(step) || left.any(|instr| virtual_reads(facts.operands_of(instr)).any(|reg| reg == step))
}

/// Treats each instruction with two operands and a result as an addition of 64 bits, of two
/// registers or a register and a constant.
struct Sums<'a>(&'a SsaFacts);

impl Defs for Sums<'_> {
    fn definition(&mut self, reg: VRegId) -> Option<Definition> {
        let def = self.0.def_of(reg)?;
        let [_, a, b] = *self.0.operands_of(def) else { return None };
        let value = |o: Operand| o.vreg().map_or_else(|| Value::Imm(o.imm_low().into()), Value::Reg);
        Some(Definition { op: Op::Add(value(a), value(b)), bits: 64 })
    }
}

impl SumTarget for Sums<'_> {
    fn sum_bits(&mut self, instr: InstrId) -> Option<u32> {
        TestTarget(self.0).is_sum(instr).then_some(64)
    }
    fn have_same_class(&mut self, _: VRegId, _: VRegId) -> bool {
        true
    }
}

/// Finds the initial value of the sum of variable 10, which begins with `initial`, and register 2.
/// `before` lists the sums before the loop: result and operands of each. The step is register 3.
fn initial_value(initial: u32, before: &[[Operand; 3]]) -> InitialValue {
    let mut facts = FunctionFacts::default();
    facts.clear(20, 3);
    (1..=3).for_each(|r| push(&mut facts, InstrFlags::NONE, &[write(r)]));
    before.iter().for_each(|sum| push(&mut facts, InstrFlags::NONE, sum));
    end_block(&mut facts, 0, &[1]);
    let phi = [write(10), read(initial), Operand::test_block(0), read(11), Operand::test_block(1)];
    push(&mut facts, InstrFlags::PHI, &phi);
    push(&mut facts, InstrFlags::NONE, &[write(12), read(10), read(2)]);
    push(&mut facts, InstrFlags::NONE, &[write(11), read(10), read(3)]);
    end_block(&mut facts, 1, &[1, 2]);
    end_block(&mut facts, 2, &[]);
    let facts = SsaFacts::of(facts);
    let (mut found, mut values) = (Found::default(), InitialValues::default());
    found.find(&facts, &mut TestTarget(&facts));
    assert_eq!(found.sums.len(), 1);
    let new = NewVariable { variable: VariableId::new(0), sums: SumId::new(0)..SumId::new(1) };
    values.read(&facts, &found, std::slice::from_ref(&new), &mut Sums(&facts));
    values.find(&facts, &found, &new, &mut Sums(&facts))
}

#[test]
fn induction_variables_begin_with_sums_that_are_there() {
    let reg = VRegId::new;
    assert_eq!(initial_value(1, &[]), InitialValue::Sum);
    let sum = [write(5), read(1), read(2)];
    assert_eq!(initial_value(1, &[sum]), InitialValue::Existing(reg(5)));
    let eight_more = [[write(4), read(1), Operand::test_imm(8)], [write(5), read(4), read(2)]];
    assert_eq!(initial_value(1, &eight_more), InitialValue::PlusConstant(reg(5), -8));
    let step_less = [[write(6), read(1), read(3)], sum];
    assert_eq!(initial_value(6, &step_less), InitialValue::PlusStep(reg(5)));
}
