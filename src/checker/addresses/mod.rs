//! Checks that instructions read the same values as before, however these are computed.
//!
//! **Problem.** The stage that folds addresses ([`crate::stages::fold_addresses`]) gives loads and
//! stores other base registers and offsets, and computes sums and products differently. To the
//! proof of moves these are other instructions. The stage reasons about bits and wrapping, which
//! this check must not share. Another stage ([`crate::stages::hoist`]) computes in other blocks,
//! and a third ([`crate::stages::induction`]) makes other induction variables.
//!
//! **Algorithm.** Random interpretation: the code before and after the stage is computed on the
//! same random inputs, and what it reads is compared. Every register that cannot be computed gets a
//! random value in each of [`SAMPLES`] samples. The value is the same before and after the stage,
//! because SSA registers keep their defs. The other registers are computed from these by the text
//! that the instruction *prints as* (`mul.wide.u32`), not by opcode ([`arithmetic`]). In some
//! samples the values are evenly distributed. There a different sum goes unseen with a chance of
//! 2^-64. A sum that is equal only while a bit is clear differs half of the time. In the other
//! samples the values are extreme, so that sums wrap around in some of them ([`mod@random`]).
//!
//! Any other instruction that depends on nothing but its operands is computed as a hash of its
//! content and of their values. The hash is the same where the operands are. An induction variable
//! is its start plus its step times the number of iterations. That number is random, but the same
//! for all variables of one loop.
//!
//! Where a stage may let an approximation flush subnormal numbers, its operand is computed as a
//! float ([`floats`]). What the instruction takes the operand for must not change.
//!
//! Some instructions are not computed: loads, stores, PHIs, inline assembly, branches. They must
//! stay the same, in the same order, and read the same values ([`accesses`]). For loads and stores
//! these values are their addresses. Which operand is an address is read from the text as well
//! ([`text`]). All else of such an instruction must stay as it is, its constants and symbols
//! included. [`super::defined`] shows that registers are defined where they are read.
//!
//! **Source.** Gulwani and Necula, "Discovering affine equalities using random interpretation"
//! (2003). **Deviation.** They join samples at PHIs. Here a PHI has a random value, or is an
//! induction variable.
//!
//! **Complexity.** Linear in the instructions, times [`SAMPLES`].

pub mod accesses;
pub mod arithmetic;
pub mod comparison;
pub mod computation;
pub mod floats;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod random;
#[cfg(test)]
mod tests;
pub mod text;

use crate::mir::VRegId;
use computation::{Computation, InductionVariable, Input, ValueSource};
use index_vec::IndexVec;
use random::{random, SAMPLES};

/// A value in each sample.
pub type Values = [u64; SAMPLES];

/// The values of a function's registers.
#[derive(Default)]
pub struct SampledValues {
    known: IndexVec<VRegId, Option<Values>>,
}

/// A register whose values are to be computed.
#[derive(Clone, Copy, PartialEq)]
struct Pending {
    reg: VRegId,
    /// Its inputs are on the stack above it.
    is_waiting: bool,
}

impl SampledValues {
    /// Starts a function with this many virtual registers.
    pub fn clear(&mut self, num_virt_regs: usize) {
        self.known.clear();
        self.known.resize(num_virt_regs, None);
    }

    /// Computes the values of the sum of `reg` and a constant.
    pub fn of_sum(&mut self, source: &mut impl ValueSource, reg: VRegId, constant: i64) -> Values {
        self.of_register(source, reg).map(|v| v.wrapping_add(constant as u64))
    }

    fn of_register(&mut self, source: &mut impl ValueSource, reg: VRegId) -> Values {
        let mut stack = vec![Pending { reg, is_waiting: false }];
        while let Some(top) = stack.last_mut() {
            let reg = top.reg;
            if self.known[reg].is_some() {
                stack.pop();
                continue;
            }
            top.is_waiting = true;
            let computation = source.computation(reg);
            let bound = computation.as_ref().and_then(|c| num_values(&c.name, source.max_threads()));
            let computation = computation.filter(|c| c.is_computed() && bound.is_none());
            let variable = if computation.is_none() { source.induction_variable(reg) } else { None };
            let values = match (computation, variable) {
                (Some(computation), _) => {
                    let num_pending = stack.len();
                    let unknown = computation.registers().filter(|&r| self.known[r].is_none());
                    stack.extend(unknown.map(|reg| Pending { reg, is_waiting: false }));
                    if stack.len() > num_pending {
                        continue;
                    }
                    extended(source, reg, self.computed(&computation, reg))
                }
                (None, Some(variable)) => match variable.registers().find(|&r| self.known[r].is_none()) {
                    Some(unknown) if !stack.contains(&Pending { reg: unknown, is_waiting: true }) => {
                        stack.push(Pending { reg: unknown, is_waiting: false });
                        continue;
                    }
                    // A value that depends on itself may be anything.
                    Some(_) => extended(source, reg, any_values(reg, bound)),
                    None => self.after_iterations(variable),
                },
                (None, None) => extended(source, reg, any_values(reg, bound)),
            };
            self.known[reg] =
                Some(if source.bits(reg) == 32 { values.map(|v| u64::from(v as u32)) } else { values });
        }
        self.value_of(reg)
    }

    /// Returns the values of a register that were computed before.
    fn value_of(&self, reg: VRegId) -> Values {
        self.known[reg].expect("computed above")
    }

    /// Computes `reg` from known values.
    fn computed(&self, computation: &Computation, reg: VRegId) -> Values {
        std::array::from_fn(|sample| {
            let value = |input: &Input| match *input {
                Input::Reg(r) => self.value_of(r)[sample],
                Input::Imm(imm) => imm as u64,
                Input::Other => 0,
            };
            let inputs: Vec<u64> = computation.inputs.iter().map(value).collect();
            computation.value(&inputs, sample).unwrap_or_else(|| random(key_of(reg), sample))
        })
    }

    /// Computes an induction variable after a random number of iterations.
    fn after_iterations(&self, variable: InductionVariable) -> Values {
        std::array::from_fn(|sample| {
            let step = match variable.step {
                Input::Imm(step) => step as u64,
                Input::Reg(reg) => self.value_of(reg)[sample],
                Input::Other => unreachable!("a step is a number"),
            };
            let distance = random(variable.loop_key, sample).wrapping_mul(step);
            let sum = self.value_of(variable.start)[sample].wrapping_add(distance);
            sum & u64::MAX >> (64 - variable.bits)
        })
    }
}

/// Returns random values of a register, below `bound` if there is one.
fn any_values(reg: VRegId, bound: Option<u32>) -> Values {
    std::array::from_fn(|sample| {
        let any = random(key_of(reg), sample);
        bound.map_or(any, |bound| any % u64::from(bound))
    })
}

/// Extends the values of a register if its def loads fewer bits.
fn extended(source: &mut impl ValueSource, reg: VRegId, values: Values) -> Values {
    let Some(extension) = source.extension(reg) else { return values };
    values.map(|value| extension.of(value))
}

fn key_of(reg: VRegId) -> u64 {
    u64::from(reg.raw())
}

/// Counts the values of a thread's or lane's number in a special register: PTX ISA, "Special
/// Registers".
fn num_values(name: &str, max_threads: [u32; 3]) -> Option<u32> {
    match name {
        "INT_PTX_SREG_TID_x" => Some(max_threads[0]),
        "INT_PTX_SREG_TID_y" => Some(max_threads[1]),
        "INT_PTX_SREG_TID_z" => Some(max_threads[2]),
        "INT_PTX_SREG_LANEID" | "SREG_LANEID" => Some(32),
        _ => None,
    }
}
