//! Inline assembly as LLVM sees it: one instruction, even if it branches.
//!
//! **Problem.** LLVM moves assembly without a side effect across branches. So in one text it may
//! run only where its result is needed, and in the other always. A run with forced branches must
//! compute the same from it wherever it stands.
//!
//! **Method.** The assembly computes a function of its operands and the seed. A forced branch in it
//! goes by a hash of its place in the assembly, of the number of branches that this run of the
//! assembly has met, and of its condition. So a wrong condition shows in the result. Such a run may
//! skip every definition of a register. Therefore registers that the assembly writes before it
//! reads them, in text order, are undefined when its run with forced branches begins. If a
//! condition is undefined, or a loop runs for long, all results are undefined, provided that the
//! assembly only computes. Such an assembly counts as one instruction in the budget of a run.
//!
//! **Deviation.** With forced branches, a tied operand counts as a result if the text writes it
//! under a guard or after a branch before it reads it.
//!
//! **Complexity.** Linear in the instructions of the assembly.

use std::ops::Range;

use super::decode::{Op, Step};
use super::parse::{Function, Reg};
use super::value::{mix, Value};

/// The most instructions that a run of an assembly that only computes may execute.
const MOST_STEPS: u64 = 1024;

/// One statement of inline assembly.
pub struct Assembly {
    /// Its instructions.
    pub range: Range<usize>,
    /// Whether it only computes: no memory is written, no event happens.
    pub is_pure: bool,
    /// The registers that are undefined when a run of it with forced branches begins.
    pub fresh: Vec<Reg>,
}

/// The inline assembly of a function.
pub struct Assemblies {
    all: Vec<Assembly>,
    /// For every instruction of the function, the assembly that contains it.
    number_of: Vec<Option<usize>>,
}

impl Assemblies {
    pub fn new(function: &Function, steps: &[Step]) -> Self {
        let mut number_of = vec![None; steps.len()];
        let mut all = Vec::new();
        for range in function.assemblies.iter().filter(|range| !range.is_empty()) {
            number_of[range.clone()].fill(Some(all.len()));
            all.push(Assembly::new(range.clone(), &steps[range.clone()]));
        }
        Assemblies { all, number_of }
    }

    /// The assembly that contains an instruction.
    pub fn at(&self, index: usize) -> Option<&Assembly> {
        self.number_of[index].map(|number| &self.all[number])
    }
}

impl Assembly {
    fn new(range: Range<usize>, steps: &[Step]) -> Self {
        let is_conditional =
            |step: &Step| step.op == Op::Branch && (step.instruction.guard.is_some() || is_table(step));
        let fresh = if steps.iter().any(is_conditional) { written_first(steps) } else { Vec::new() };
        Assembly { range, is_pure: !steps.iter().any(has_effect), fresh }
    }
}

fn is_table(step: &Step) -> bool {
    step.instruction.opcode.starts_with("brx")
}

fn has_effect(step: &Step) -> bool {
    match step.op {
        Op::Effect { .. } | Op::Store { .. } | Op::Call | Op::Leave => true,
        Op::Load { is_ordered, .. } => is_ordered,
        Op::Assembly { is_volatile, .. } => is_volatile,
        _ => false,
    }
}

/// The registers that the text defines before any use.
fn written_first(steps: &[Step]) -> Vec<Reg> {
    let (mut read, mut written) = (Vec::new(), Vec::new());
    for step in steps {
        let instruction = step.instruction;
        let count = match step.op {
            Op::Effect { is_in_out: true, .. } => 0,
            _ => step.num_results(),
        };
        read.extend(instruction.guard.map(|(reg, _)| reg).filter(|reg| !written.contains(reg)));
        let mut sources = Vec::new();
        instruction.operands[count..].iter().for_each(|operand| operand.registers(&mut sources));
        read.extend(sources.into_iter().filter(|reg| !written.contains(reg)));
        let mut results = Vec::new();
        instruction.operands[..count].iter().for_each(|operand| operand.registers(&mut results));
        written.extend(results.into_iter().filter(|reg| !read.contains(reg)));
    }
    written
}

/// A run of an assembly, up to the next instruction.
#[derive(Clone, Copy)]
pub struct Visit {
    first: usize,
    /// The place of that instruction in the assembly.
    place: usize,
    /// Instructions that it has reached.
    steps: u64,
    /// Conditional branches, and tables, that it has reached.
    branches: u64,
}

impl Visit {
    /// Goes on to the instruction `at` of an assembly; `last` is the run at the instruction before
    /// it.
    pub fn next(last: Option<Visit>, assembly: &Assembly, at: usize) -> Visit {
        let known = last.filter(|visit| visit.is_in(assembly));
        let first = assembly.range.start;
        let (steps, branches) = known.map_or((0, 0), |visit| (visit.steps, visit.branches));
        Visit { first, place: at - first, steps: steps + 1, branches }
    }

    /// Whether the run has just begun.
    pub fn is_new(&self) -> bool {
        self.steps == 1
    }

    /// Whether it has run for too long, and is given up.
    pub fn is_too_long(&self) -> bool {
        self.steps > MOST_STEPS
    }

    pub fn is_in(&self, assembly: &Assembly) -> bool {
        self.first == assembly.range.start
    }

    /// The value that a forced branch uses instead of its condition.
    pub fn forced(&self, seed: u64, condition: Value, targets: u64) -> Value {
        if condition.undef != 0 {
            return condition;
        }
        let place = mix(mix(mix(seed, 11), self.place as u64), self.branches);
        Value::new(u128::from(mix(place, condition.bits as u64) % targets), condition.width)
    }

    pub fn count_branch(&mut self) {
        self.branches += 1;
    }
}
