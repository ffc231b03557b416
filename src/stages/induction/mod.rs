//! Makes induction variables of sums of an induction variable and a register that its loop does not change (`cicc` profile, stage
//! `induction`).
//!
//! **Problem.** LoopStrengthReduce has few variables walk through a loop, and takes it for free to compute others of them in it. Of
//! pointers that walk side by side it makes one, and distances to it:
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
//! That is what reaches this stage of the loops that LoopStrengthReduce still changes, and from other front ends ([`loops`] chooses these
//! loops).
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. First, variables of a loop that are equal all the time become one ([`equal`]).
//!
//! 1. Find induction variables: PHIs of two values at the header of a loop, one of which is the PHI and a step that the loop does not
//!    change. Find their sums with another register that the loop does not change, the *distance*, in blocks that every turn passes
//!    (`find`).
//! 2. Variables and distances that sums connect are a class. Compute its gain (`gain`): a variable is erased if nothing but its sums
//!    reads it; a distance ends in front of the loop if nothing reads it there or behind, and no loop around it either. If these take
//!    more registers of 32 bits than the new variables, and the distances alone over an eighth of those, all sums of the class become variables.
//! 3. Find the initial value of each new variable: the sum of the old variable's initial value and the distance, which may be there
//!    already (`initial`). The new variables have the same steps in the same places.
//!
//! **Registers.** A new variable that is no address counts an eighth more. A variable that all threads share counts five eighths: ptxas
//! has it in uniform registers, if one is left. A distance that all threads share counts nothing. A distance that is a product of 32
//! bits counts one register, as ptxas multiplies and adds in one instruction where the sum is read; but where inline assembly copies
//! to shared memory with a few of them, ptxas has their sums at once, and they count in full.
//!
//! **Source.** Strength reduction of a loop's linear expressions (Cocke and Kennedy 1977), where LLVM's chooses among these by a count of
//! registers. No description of CICC has it. **Deviation:** none. Measurements: docs/measured.md, "Walking side by side".
//!
//! **Complexity.** Linear in instructions and operands; for distances of sums that may be erased, their readers times the loops around
//! these.

pub mod equal;
pub mod find;
mod gain;
pub mod initial;
pub mod loops;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod pass;
#[cfg(test)]
mod tests;
pub mod types;

use crate::ssa::SsaFacts;
use find::Found;
use gain::Gains;
use types::{InductionTarget, NewVariable, SumId};

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct InductionVariables {
    found: Found,
    gains: Gains,
}

impl InductionVariables {
    /// Finds the variables to make in a function in SSA form, those of one old variable one behind the other.
    pub fn run(&mut self, facts: &SsaFacts, target: &mut impl InductionTarget, out: &mut Vec<NewVariable>) {
        out.clear();
        let InductionVariables { found, gains } = self;
        found.find(facts, target);
        if found.sums.is_empty() {
            return;
        }
        gains.compute(facts, target, found);
        let mut first = SumId::new(0);
        for sums in
            found.sums.as_raw_slice().chunk_by(|a, b| (a.variable, a.distance) == (b.variable, b.distance))
        {
            let sums_of_new = first..first + sums.len();
            first = sums_of_new.end;
            let variable = sums[0].variable;
            if gains.is_worth_it(variable) {
                out.push(NewVariable { variable, sums: sums_of_new });
            }
        }
    }
}
