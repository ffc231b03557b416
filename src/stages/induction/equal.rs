//! Finds induction variables of one loop that are always equal: with the same step, and the same
//! initial register or constant.
//!
//! **Problem.** LLVM's loop unroller counts the iterations of its loop with a variable of its own,
//! beside those of the loop. LoopStrengthReduce merges both. Where it leaves a loop alone, each
//! takes a register and an addition throughout the loop.
//!
//! **Algorithm.** List the variables of each header with their `Key`, and sort. Of those with equal
//! keys, the one whose increment comes first is kept: it dominates all readers of the other
//! variables' increments.
//!
//! **Source.** LLVM's `replaceCongruentIVs`, which LoopStrengthReduce runs. **Deviation:** only
//! equal variables of one width.
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

/// Variables of one header with the same key are equal.
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

/// Returns the key of a variable. `None` if its step is neither a register nor a constant.
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

/// Returns the constant that a register holds, if a move of a constant defines it.
fn constant(facts: &SsaFacts, target: &mut impl InductionTarget, reg: VRegId) -> Option<i64> {
    let def = facts.def_of(reg)?;
    if target.is_move(def) {
        target.constant_operand(def)
    } else {
        None
    }
}

/// Returns whether an instruction comes before another one. Both dominate the latch.
fn comes_first(facts: &SsaFacts, a: InstrId, b: InstrId) -> bool {
    let [of_a, of_b] = [a, b].map(|instr| facts.block_of_instr(instr));
    if of_a == of_b {
        a < b
    } else {
        facts.dominates(of_a, of_b)
    }
}
