//! Finds induction variables that are equal all the time: of one loop, with the same step, and begun with the same register or constant.
//!
//! **Problem.** LLVM's loop unroller counts the turns of the loop that it makes with a variable of its own, beside those of the loop.
//! LoopStrengthReduce makes one of both. Where it leaves a loop alone, each takes a register and an addition through all of the loop.
//!
//! **Algorithm.** List the variables of each header with their `Key`, and sort. Those with equal keys become one, the one whose
//! increment comes first: that dominates all that read the others behind their steps.
//!
//! **Source.** LLVM's `replaceCongruentIVs`, which LoopStrengthReduce runs. **Deviation:** only equal variables of one width.
//!
//! **Complexity.** N log N for N PHIs of a header.

use super::find::variable_of;
use super::types::{InductionTarget, Variable};
use crate::mir::{BlockId, InstrId, Kind, RegClassId, VRegId};
use crate::ssa::forms::Value;
use crate::ssa::SsaFacts;

/// Two variables that are equal.
#[derive(Clone, Copy, Debug)]
pub struct EqualPair {
    /// The variable that all read.
    pub kept: Variable,
    /// The variable that is erased.
    pub erased: Variable,
}

/// Tells variables of one header apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    entry: BlockId,
    class: RegClassId,
    initial: Value,
    step: Value,
}

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct EqualVariables {
    of_header: Vec<(Key, Variable)>,
    /// The pairs that were found.
    pub pairs: Vec<EqualPair>,
}

impl EqualVariables {
    /// Finds the pairs of a function in SSA form.
    pub fn find(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget) {
        let EqualVariables { of_header, pairs } = self;
        pairs.clear();
        for block in facts.blocks() {
            of_header.clear();
            for phi in facts.instrs_of(block).take_while(|&instr| facts.is_phi_instr(instr)) {
                let Some(variable) = variable_of(facts, target, phi) else { continue };
                let Some(key) = key_of(facts, target, &variable) else { continue };
                of_header.push((key, variable));
            }
            of_header.sort_unstable_by_key(|&(key, Variable { phi, .. })| (key, phi));
            for equal in of_header.chunk_by(|a, b| a.0 == b.0) {
                let is_later = |a: Variable, b: Variable| comes_first(facts, b.increment, a.increment);
                let first = |a: Variable, b: Variable| if is_later(a, b) { b } else { a };
                let variables = || equal.iter().map(|&(_, variable)| variable);
                let kept = variables().reduce(first).expect("a chunk has one");
                pairs.extend(
                    variables().filter(|v| v.phi != kept.phi).map(|erased| EqualPair { kept, erased }),
                );
            }
        }
    }
}

/// Tells the key of a variable; `None` if its step is neither a register nor a constant.
fn key_of(facts: &SsaFacts, target: &mut impl InductionTarget, variable: &Variable) -> Option<Key> {
    let &Variable { phi, increment, initial, step, entry, .. } = variable;
    let reg = facts.operands_of(phi)[0].vreg()?;
    let step = match (step.kind(), step.vreg()) {
        (_, Some(step)) => Value::Reg(step),
        (Kind::Imm, None) => Value::Imm(target.constant_operand(increment)?),
        _ => return None,
    };
    let value =
        |target: &mut _, reg: VRegId| constant(facts, target, reg).map_or(Value::Reg(reg), Value::Imm);
    let initial = value(target, initial);
    Some(Key { entry, class: target.class(reg)?, initial, step })
}

/// Tells the constant that a register holds, if a move of it defines the register.
fn constant(facts: &SsaFacts, target: &mut impl InductionTarget, reg: VRegId) -> Option<i64> {
    let def = facts.def_of(reg)?;
    if target.is_move(def) {
        target.constant_operand(def)
    } else {
        None
    }
}

/// Whether an instruction stands in front of another one, on each way to the latch that both dominate.
fn comes_first(facts: &SsaFacts, a: InstrId, b: InstrId) -> bool {
    let [of_a, of_b] = [a, b].map(|instr| facts.block_of_instr(instr));
    if of_a == of_b {
        a < b
    } else {
        facts.dominates(of_a, of_b)
    }
}
