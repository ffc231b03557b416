//! Sums of an induction variable and what its loop does not change become induction variables (`cicc` profile, stage `induction`).
//!
//! **Problem.** LoopStrengthReduce has few variables walk through a loop, and what is computed of them in it costs nothing. Of pointers
//! that walk side by side it makes one, and distances to it:
//!
//! ```text
//! loop:                               loop:
//!   %p = PHI %p0, %pn                   %q1 = PHI %p0 + %x1, %qn1
//!   %q1 = add %p, %x1                   %q2 = PHI %p0 + %x2, %qn2
//!   %q2 = add %p, %x2                   ...
//!   ...                                 %qn1 = add %q1, 128
//!   %pn = add %p, 128                   %qn2 = add %q2, 128
//! ```
//!
//! The distances live through the loop as the pointers would, and the variable does; and on top of that the pointers live, for longer than
//! they need: where a loop copies to shared memory ptxas computes all of them before it copies.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. An induction variable is a PHI of two where a loop begins, one of which is itself
//! and a step that the loop does not change. Its sums are those with a register that the loop does not change either, the distance, in blocks
//! that every turn passes. Variables and distances that sums connect stand or fall together. A variable goes if nothing but its sums reads it;
//! a distance ends where the loop begins if nothing reads it there or behind, and no loop around it either. If what goes and ends takes more
//! registers of 32 bits than the new variables, sums become variables. These begin with the sum of what their variables begin with and the
//! distances (`begins`), and have the same steps in the same places.
//!
//! A sum that is no address counts an eighth more: ptxas computes it where it is compared, not with others; and what is spilled of a distance
//! is only read again, of a variable it is written in every turn.
//!
//! A variable that all threads share is in registers of another kind, if ptxas has one left: it counts five eighths. Where CUTLASS has
//! three such pointers and one distance of each thread, that is all that takes registers.
//!
//! A distance takes none where all threads share it, and one where it is a product of 32 bits, as ptxas multiplies and adds in one
//! instruction where the sum is read. Where inline assembly copies to shared memory ptxas has a few sums at once: up to [`MOST_COPIED`]
//! such distances take what they have.
//!
//! **Measured** (ptxas 13.0, LLVM 22; against the rest of the profile). 242 kernels of Triton: registers 0.994, fewer in 44, down to 0.81, more
//! in none; SASS 0.998, spilled bytes 1.002 (1.014 if all sums count as addresses do, fewer in 54). 4,772 kernels of CUDA: 0.9996, fewer in 37,
//! more in 11. Where as many registers live as before, too (308 other kernels of Triton): 0.993 for 0.994, fewer in 53, more in 17; CUDA, all
//! distances counted, 0.9991, fewer in 93, more in 54. What threads share, in 796 kernels of CUTLASS, vLLM and others, against none of it
//! counting less: fewer in 6, more in 4; if it counts nothing, 7 and 10; half, 6 and 7. LLVM without LoopStrengthReduce: Triton 0.9986,
//! fewer in 66, more in 31, SASS 0.977. What counts less where assembly loads, or copies with many, of 452 other kernels of Triton: fewer in four
//! (168 > 142; SASS down to 0.95), more in two (matrix products in tf32, 122 > 128 for 10 % fewer instructions); if a copy's distance always counted
//! less, 68 tensor-core kernels would need 1.0007 of the registers, more in ten, up to 8, and 0.997 of the instructions.
//!
//! **Source.** Strength reduction of a loop's linear expressions (Cocke and Kennedy 1977), where LLVM's chooses among these by a count of
//! registers. None of the reference texts has it. **Deviation:** none.
//!
//! **Complexity.** Linear in instructions and operands, and for distances of sums that may go, their readers times the loops around these.

#[cfg(all(ptx_host, not(test)))]
mod begins;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(all(ptx_host, not(test)))]
pub use pass::Induction;

use crate::adt::IntEqClasses;
use crate::mir::{InstrRun, Operand, Register};
use crate::ssa::SsaFacts;
use std::ops::Range;

/// A variable that is no address counts so much of itself on top: an eighth.
const SHARE: i32 = 8;
/// What one counts that all threads share, for which ptxas has other registers, of these parts.
const UNIFORM_SHARE: i32 = 5;
/// Distances that assembly copies with at once, at most.
const MOST_COPIED: u32 = 8;
/// No instruction or block.
const NONE: u32 = u32::MAX;

/// What is asked of the target.
pub trait Target {
    /// Whether an instruction adds what it reads, all of one class, and does nothing else.
    fn is_sum(&mut self, instr: u32) -> bool;
    /// Whether an instruction may read or write memory, or is inline assembly.
    fn is_access(&mut self, instr: u32) -> bool;
    /// Whether an instruction is inline assembly.
    fn is_assembly(&mut self, instr: u32) -> bool;
    /// Registers of 32 bits of what an instruction defines.
    fn size(&mut self, instr: u32) -> u32;
    /// Whether all threads have the same of what an instruction defines, and ptxas sees that.
    fn is_uniform(&mut self, instr: u32) -> bool;
    /// Those that ptxas needs through a loop that adds it to something, if it has one sum at a time.
    fn size_in_sums(&mut self, instr: u32) -> u32;
}

/// An induction variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Its PHI, and the instruction that adds the step.
    pub phi: u32,
    /// See above.
    pub step: u32,
    /// What it begins with, and the step itself: a register or a constant.
    pub first: Register,
    /// See above.
    pub by: Operand,
    /// The block that it comes from where the loop begins, by position.
    pub entry: u32,
    /// The block where the loop begins, and the one that it goes on from.
    header: u32,
    latch: u32,
}

/// A sum of an induction variable and what its loop does not change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sum {
    variable: u32,
    /// The register on top.
    more: u32,
    /// Of the variable as it is behind the step.
    pub of_next: bool,
    /// What adds them.
    pub instr: u32,
}

/// Sums of one variable and one register, which become a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Own {
    variable: u32,
    sums: Range<usize>,
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Variables {
    variables: Vec<Variable>,
    /// By variable, and in it by register.
    sums: Vec<Sum>,
    /// By loop and register.
    order: Vec<u32>,
    /// By instruction, the header of the loop that it is a sum of.
    loop_of_sum: Vec<u32>,
    /// Variables that sums connect; by class, how many registers of 32 bits end, less those that are new: parts of [`SHARE`].
    classes: IntEqClasses,
    gains: Vec<i32>,
    copied: Vec<Copied>,
}

/// Distances of a class that assembly copies with.
#[derive(Clone, Copy, Default)]
struct Copied {
    distances: u32,
    /// What they count more if ptxas has their sums at once.
    more: i32,
}

impl Variables {
    /// Finds the sums that are to become variables in a function in SSA form.
    pub fn run(&mut self, facts: &SsaFacts, target: &mut impl Target, out: &mut Vec<Own>) {
        out.clear();
        self.variables.clear();
        self.sums.clear();
        self.find(facts, target);
        if self.sums.is_empty() {
            return;
        }
        self.keep_those_of_loops(facts);
        self.sums.sort_unstable();
        self.choose(facts, target);
        let mut first = 0;
        for sums in self.sums.chunk_by(|a, b| (a.variable, a.more) == (b.variable, b.more)) {
            let sums_of = first..first + sums.len();
            first = sums_of.end;
            let variable = sums[0].variable;
            if self.gains[self.classes.leader(variable) as usize] > 0 {
                out.push(Own { variable, sums: sums_of });
            }
        }
    }
    /// The variable that one is made of.
    pub fn variable(&self, own: &Own) -> Variable {
        self.variables[own.variable as usize]
    }
    /// Whether an instruction is a sum of a variable, which may become one.
    pub fn is_sum(&self, instr: u32) -> bool {
        self.loop_of_sum[instr as usize] != NONE
    }
    /// The sums that become one.
    pub fn sums(&self, own: &Own) -> &[Sum] {
        &self.sums[own.sums.clone()]
    }

    /// Finds PHIs that are themselves and a step, and sums of them.
    fn find(&mut self, facts: &SsaFacts, target: &mut impl Target) {
        for block in 0..facts.shape.num_blocks() {
            for phi in facts.instrs(block).take_while(|&i| facts.is_phi(i)) {
                let [result, a, from_a, b, from_b] = *facts.operands(phi) else { continue };
                if !a.reads_whole() || !b.reads_whole() {
                    continue;
                }
                for (first, entry, next, latch) in [(a, from_a, b, from_b), (b, from_b, a, from_a)] {
                    let step = facts.def[next.reg().virt_index()];
                    if step == NONE {
                        continue;
                    }
                    let Some(by) = other_of(facts, step, result.reg().virt_index() as u32) else { continue };
                    let [entry, latch] =
                        [entry, latch].map(|b| facts.shape.by_number[b.block_number() as usize]);
                    let first_sum = self.sums.len();
                    let (phi, first, header) = (phi as u32, first.reg(), block as u32);
                    let variable = Variable { phi, step, first, by, entry, header, latch };
                    for (reg, of_next) in [(result, false), (next, true)] {
                        self.find_sums(facts, target, reg.reg().virt_index() as u32, step, of_next);
                    }
                    if self.sums.len() > first_sum && target.is_sum(step) {
                        self.variables.push(variable);
                        break;
                    }
                    self.sums.truncate(first_sum);
                }
            }
        }
    }

    /// Finds the sums of a register of the variable that comes next.
    fn find_sums(&mut self, facts: &SsaFacts, target: &mut impl Target, reg: u32, step: u32, of_next: bool) {
        for &instr in facts.reads.row(reg as usize) {
            if instr == step || facts.is_phi(instr as usize) {
                continue;
            }
            let Some(more) = other_of(facts, instr, reg).filter(|o| o.is_reg()) else { continue };
            if target.is_sum(instr) {
                let more = more.reg().virt_index() as u32;
                self.sums.push(Sum { variable: self.variables.len() as u32, more, of_next, instr });
            }
        }
    }

    /// Drops the sums of what is no loop's variable, those of what the loop changes, and those that not every turn computes.
    fn keep_those_of_loops(&mut self, facts: &SsaFacts) {
        let loops = &facts.loops;
        let block_of_def = |reg: u32| match facts.def[reg as usize] {
            NONE => None,
            def => Some(facts.block_of[def as usize]),
        };
        self.sums.retain(|sum| {
            let variable = &self.variables[sum.variable as usize];
            let Some(this) = loops.innermost(variable.header) else { return false };
            let stays = |reg: u32| block_of_def(reg).is_some_and(|block| !loops.contains(this, block));
            let by = variable.by;
            let block = facts.block_of[sum.instr as usize];
            !loops.contains(this, variable.entry)
                && loops.contains(this, variable.latch)
                && (!by.is_reg() || stays(by.reg().virt_index() as u32))
                && stays(sum.more)
                && loops.contains(this, block)
                && facts.dominators.dominates(block as usize, variable.latch as usize)
        });
    }

    /// Finds out what is gained where variables and distances that sums connect go.
    fn choose(&mut self, facts: &SsaFacts, target: &mut impl Target) {
        self.classes.reset(self.variables.len());
        self.gains.clear();
        self.gains.resize(self.variables.len(), 0);
        self.loop_of_sum.clear();
        self.loop_of_sum.resize(facts.num_instrs(), NONE);
        for sum in &self.sums {
            self.loop_of_sum[sum.instr as usize] = self.variables[sum.variable as usize].header;
        }
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.sums.len() as u32);
        let variable = |s: u32| self.sums[s as usize].variable;
        let header = |&s: &u32| self.variables[variable(s) as usize].header;
        let key = |s: &u32| (header(s), self.sums[*s as usize].more);
        order.sort_unstable_by_key(|s| (key(s), *s));
        let is_same = |a: &u32, b: &u32| key(a) == key(b);
        for of_distance in order.chunk_by(is_same) {
            of_distance.iter().for_each(|&s| self.classes.join(variable(of_distance[0]), variable(s)));
        }
        let readers = |sum: &Sum| {
            let result = facts.operands(sum.instr as usize)[0].reg();
            facts.reads.row(result.virt_index()).iter().copied()
        };
        self.copied.clear();
        self.copied.resize(self.variables.len(), Copied::default());
        for of_distance in order.chunk_by(is_same) {
            let more = self.sums[of_distance[0] as usize].more;
            let def = facts.def[more as usize];
            let class = self.classes.leader(variable(of_distance[0])) as usize;
            let size = target.size_in_sums(def) as i32;
            if size == 0 || !self.ends_with(facts, more, header(&of_distance[0])) {
                continue;
            }
            self.gains[class] += size * SHARE;
            let mut copies =
                |i: u32| target.is_assembly(i) && !facts.operands(i as usize).iter().any(|o| o.is_def());
            if of_distance.iter().any(|&s| readers(&self.sums[s as usize]).any(&mut copies)) {
                self.copied[class].distances += 1;
                self.copied[class].more += (target.size(def) as i32 - size) * SHARE;
            }
        }
        for (gain, copied) in self.gains.iter_mut().zip(&self.copied) {
            if copied.distances <= MOST_COPIED {
                *gain += copied.more;
            }
        }
        self.order = order;
        for sums in self.sums.chunk_by(|a, b| a.variable == b.variable) {
            let Variable { phi, step, first, by, .. } = self.variables[sums[0].variable as usize];
            // It goes if nothing reads it but its sums, and PHI and step each other.
            let reads = |i: u32| facts.reads.row(facts.operands(i as usize)[0].reg().virt_index()).len();
            let goes = reads(phi) + reads(step) == sums.len() + 2;
            let size = target.size(step) as i32;
            let gain = &mut self.gains[self.classes.leader(sums[0].variable) as usize];
            if goes {
                let def = |reg: Register| facts.def[reg.virt_index()];
                let mut read = std::iter::once(first).chain(by.is_reg().then(|| by.reg())).map(def);
                let is_uniform = read.all(|def| def != NONE && target.is_uniform(def));
                *gain += size * if is_uniform { UNIFORM_SHARE } else { SHARE };
            }
            for of_distance in sums.chunk_by(|a, b| a.more == b.more) {
                let is_address = of_distance.iter().any(|sum| readers(sum).any(|i| target.is_access(i)));
                *gain -= size * (SHARE + i32::from(!is_address));
            }
        }
    }

    /// Whether a distance ends where the loop with a header begins, if the sums there do not read it.
    fn ends_with(&self, facts: &SsaFacts, more: u32, header: u32) -> bool {
        let home = facts.block_of[facts.def[more as usize] as usize];
        // What is defined outside of a loop around that one lives through all of it.
        let loops = &facts.loops;
        if loops.around(header).nth(1).is_some_and(|outer| !loops.contains(outer, home)) {
            return false;
        }
        let this = loops.innermost(header).expect("its sums were kept");
        let position = |block: u32| facts.cfg.postorder_position[block as usize];
        let is_sum = |&i: &u32| self.loop_of_sum[i as usize] == header;
        facts.reads.row(more as usize).iter().filter(|i| !is_sum(i)).all(|&i| {
            let is_before = |block: u32| !loops.contains(this, block) && position(block) > position(header);
            if facts.is_phi(i as usize) {
                let reads = InstrRun::phi_uses(facts.operands(i as usize));
                let mut of_reg = reads.filter(|u| u.0.virt_index() as u32 == more);
                return of_reg.all(|u| is_before(facts.shape.by_number[u.1 as usize]));
            }
            is_before(facts.block_of[i as usize])
        })
    }
}

/// Of an instruction that reads a register and one thing more, and computes one register: the other one.
fn other_of(facts: &SsaFacts, instr: u32, reg: u32) -> Option<Operand> {
    let [result, a, b] = *facts.operands(instr as usize) else { return None };
    let is_it = |o: Operand| o.reads_whole() && o.reg().virt_index() as u32 == reg;
    let other = if is_it(a) {
        b
    } else if is_it(b) {
        a
    } else {
        return None;
    };
    let is_value = !is_it(other) && (other.reads_whole() || !other.is_reg());
    (result.is_virtual() && result.is_def() && result.subreg() == 0 && is_value).then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng, FEW};
    use crate::mir::testing::{end_block, push, read, write};
    use crate::mir::FunctionFacts;
    use std::collections::BTreeSet;

    /// What reads two registers and defines one adds them. Every seventh register takes none.
    struct Plain<'a>(&'a FunctionFacts);
    fn is_free(reg: u32) -> bool {
        reg % 7 == 0
    }
    impl Target for Plain<'_> {
        fn is_sum(&mut self, instr: u32) -> bool {
            matches!(self.0.operands(instr as usize), [result, _, _] if result.is_def())
        }
        fn is_access(&mut self, _: u32) -> bool {
            true
        }
        fn is_assembly(&mut self, _: u32) -> bool {
            false
        }
        fn size(&mut self, _: u32) -> u32 {
            1
        }
        fn is_uniform(&mut self, instr: u32) -> bool {
            is_free(self.0.operands(instr as usize)[0].reg().virt_index() as u32)
        }
        fn size_in_sums(&mut self, instr: u32) -> u32 {
            u32::from(!is_free(self.0.operands(instr as usize)[0].reg().virt_index() as u32))
        }
    }

    /// Block 0 defines registers from 1 on, the last of them the step; 1 is a loop of variables with random sums and other reads; 2 reads
    /// some more.
    fn random_loop(rng: &mut Rng) -> FunctionFacts {
        let mut facts = FunctionFacts::default();
        facts.clear(100, 3);
        let distances = 1 + rng.below(5);
        let (step, variables) = (distances + 1, 1 + rng.below(3));
        (1..=step).for_each(|r| push(&mut facts, 0, &[write(r)]));
        end_block(&mut facts, 0, &[1]);
        let variable = |v: u32| (20 + 2 * v, 21 + 2 * v);
        for v in 0..variables {
            let (reg, next) = variable(v);
            let begin = 1 + rng.below(step);
            let mut pairs = [[read(begin), Operand::test_block(0)], [read(next), Operand::test_block(1)]];
            if rng.one_in(2) {
                pairs.swap(0, 1);
            }
            push(&mut facts, InstrRun::IS_PHI, &[&[write(reg)][..], &pairs.concat()].concat());
        }
        let mut steps: Vec<u32> = (0..variables).collect();
        let mut sums = 0;
        for _ in 0..variables + rng.below(6) {
            let next_is_there = |v: u32, steps: &[u32]| !steps.contains(&v);
            let (reg, next) = variable(rng.below(variables));
            let of = if next_is_there((reg - 20) / 2, &steps) && rng.one_in(2) { next } else { reg };
            let more = 1 + rng.below(distances);
            if rng.one_in(8) {
                push(&mut facts, 0, &[read(if rng.one_in(2) { of } else { more })]);
            } else {
                let result = 40 + sums;
                sums += 1;
                let both = if rng.one_in(2) { [of, more] } else { [more, of] };
                push(&mut facts, 0, &[write(result), read(both[0]), read(both[1])]);
                push(&mut facts, 0, &[read(result)]);
            }
            if !steps.is_empty() && rng.one_in(2) {
                let (reg, next) = variable(steps.remove(0));
                push(&mut facts, 0, &[write(next), read(reg), read(step)]);
            }
        }
        for v in steps {
            let (reg, next) = variable(v);
            push(&mut facts, 0, &[write(next), read(reg), read(step)]);
        }
        end_block(&mut facts, 1, &[1, 2]);
        for r in (1..=distances).filter(|_| rng.one_in(8)) {
            push(&mut facts, 0, &[read(r)]);
        }
        end_block(&mut facts, 2, &[]);
        facts.shape.finish();
        facts
    }

    #[test]
    fn induction_variables_take_fewer_registers_than_distances() {
        let (mut rng, mut variables) = (Rng::new(5), Variables::default());
        let (mut own, mut made) = (Vec::new(), 0);
        for _ in 0..cases(20_000) {
            let facts = SsaFacts::of(random_loop(&mut rng));
            variables.run(&facts, &mut Plain(&facts), &mut own);
            made += own.len();
            let mut gone: BTreeSet<u32> = BTreeSet::new();
            for own in &own {
                let Variable { phi, step, entry, .. } = variables.variable(own);
                assert_eq!(entry, 0);
                let [reg, next] = [phi, step].map(|i| facts.operands(i as usize)[0].reg());
                let more = variables.sums(own)[0].more;
                for sum in variables.sums(own) {
                    let of = if sum.of_next { next } else { reg };
                    let mut operands = facts.operands(sum.instr as usize)[1..].iter().map(|o| o.reg());
                    let mut both = [operands.next().unwrap(), operands.next().unwrap()];
                    both.sort_by_key(|r| r.virt_index());
                    assert_eq!(both, [Register::virt(more), of]);
                    assert!(gone.insert(sum.instr));
                }
                gone.extend([phi, step]);
            }
            // What is live through the loop: PHIs, and what is read in it or behind it.
            let step = facts.operands(facts.instrs(0).end - 1)[0].reg().virt_index() as u32;
            let through = |gone: &BTreeSet<u32>| {
                let instrs =
                    (facts.instrs(1).start..facts.num_instrs()).filter(|&i| !gone.contains(&(i as u32)));
                let mut live = BTreeSet::new();
                for i in instrs {
                    let operands = facts.operands(i);
                    if facts.is_phi(i) {
                        let variable = operands[0].reg().virt_index() as u32;
                        // Where what it begins with takes none and its step neither, it takes none.
                        let begin = InstrRun::phi_uses(operands).map(|u| u.0.virt_index() as u32);
                        if !is_free(step) || !begin.min().is_some_and(is_free) {
                            live.insert(variable);
                        }
                    } else {
                        let read =
                            operands.iter().filter(|o| o.is_use()).map(|o| o.reg().virt_index() as u32);
                        live.extend(read.filter(|&r| r < 20 && !is_free(r)));
                    }
                }
                live.len()
            };
            // The step lives on.
            let steps = usize::from(!own.is_empty() && !through_reads_step(&facts, &gone));
            let (before, after) = (through(&BTreeSet::new()), through(&gone) + own.len() + steps);
            assert!(own.is_empty() || after < before, "{before} to {after}");
        }
        assert!(FEW || made > 1000, "{made}");
    }

    /// Whether something that stays in the loop or behind it reads the step, or that takes no register.
    fn through_reads_step(facts: &FunctionFacts, gone: &BTreeSet<u32>) -> bool {
        let step = facts.operands(facts.instrs(0).end - 1)[0].reg();
        let mut stays = (facts.instrs(1).start..facts.num_instrs())
            .filter(|&i| !gone.contains(&(i as u32)) && !facts.is_phi(i));
        is_free(step.virt_index() as u32)
            || stays.any(|i| facts.operands(i).iter().any(|o| o.is_use() && o.reg() == step))
    }
}
