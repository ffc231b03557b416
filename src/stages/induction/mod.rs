//! Turns sums of an induction variable and a loop-invariant register into induction variables
//! (`cicc` profile, stage `induction`).
//!
//! **Problem.** LoopStrengthReduce keeps few induction variables in a loop, and assumes that
//! computing others from them is free. Of pointers that advance side by side it makes one, and
//! distances to it:
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
//! The distances live through the loop as the pointers would, and so does the variable. On top of
//! that the pointers live longer than they need: where a loop copies to shared memory, ptxas
//! computes all of them before it copies.
//!
//! Such code comes from the loops that LoopStrengthReduce still changes ([`loops`] chooses them),
//! and from other front ends.
//!
//! **Algorithm.** In SSA form, before LiveVariables. First, variables of a loop that are always
//! equal become one ([`equal`]).
//!
//! 1. Find induction variables: PHIs of two values at the header of a loop, one of which is the PHI
//!    plus a loop-invariant step. Find their sums with another loop-invariant register, the
//!    *distance*, in blocks that every iteration executes (`find`).
//! 2. Variables and distances that sums connect form a class. Compute its gain (`gain`). A variable
//!    is erased if only its sums read it. A distance ends before the loop if nothing else reads it
//!    in the loop or after it, nor in a surrounding loop. All sums of the class become variables on
//!    two conditions: the erased variables and ended distances take more registers of 32 bits than
//!    the new variables, and the distances alone more than an eighth of those.
//! 3. Find the initial value of each new variable: the sum of the old variable's initial value and
//!    the distance, which may exist already (`initial`). The new variables have the same steps in
//!    the same places.
//!
//! **Registers.** A new variable that is not an address counts an eighth more. A variable that is
//! the same in all threads counts five eighths: ptxas has it in uniform registers, if one is left.
//! A distance that is the same in all threads counts nothing. A distance that is a product of 32
//! bits counts one register, as ptxas multiplies and adds in one instruction where the sum is read.
//! But if inline assembly copies to shared memory with a few such distances, ptxas has their sums
//! at once, and they count in full.
//!
//! **Source.** Strength reduction of a loop's linear expressions (Cocke and Kennedy 1977); LLVM's
//! version chooses among these by a count of registers. No description of CICC has it.
//! **Deviation:** none. Measurements: docs/stages/induction.md, "Walking side by side".
//!
//! **Complexity.** Linear in instructions and operands. For the distances of the sums found: their
//! readers times the depth of the loops around these.

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
    /// Finds the variables to make in a function in SSA form. Those of one old variable are
    /// adjacent.
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
