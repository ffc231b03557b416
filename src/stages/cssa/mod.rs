//! Finds the registers that the PHIs of a function can share, before PHI elimination (requirement
//! C8, default profile, stage `cssa`).
//!
//! **Problem.** PHI elimination makes two copies for every edge of a PHI, and the coalescer has to
//! remove them. In *conventional* SSA no two registers that PHIs join, directly or through others,
//! interfere. Then they can be one register, and a PHI needs no code. After optimisation SSA is not
//! conventional (lost copies, swaps), so some copies are needed. This stage decides which ones, in
//! SSA form, where interference follows from dominance:
//!
//! ```text
//! loop:                                 loop:
//!   %i = PHI %zero, %next                 %s = ...           (no PHI, no copy)
//!   ...                                   ...
//!   %next = add %i, 1                     %s = add %s, 1
//! ```
//!
//! **Algorithm.**
//!
//! 1. Read the PHIs, and choose those that take part: by default, small webs of PHIs in loops
//!    (`webs`). If there are none, stop. Collect the registers that the chosen PHIs name, with
//!    their live ranges (`collect`).
//! 2. Make a *node* of each live range with one def and one value (`nodes`). There are three kinds:
//!    a register that a PHI names; the PHI itself, at the start of its block; and the copy that an
//!    operand may need, from before the terminators of the predecessor to its end. Nodes are sorted
//!    once, in preorder of the dominator tree. *Congruence classes* are ascending lists of them
//!    (`partition`).
//! 3. A PHI and the copies of its operands start as one class: these never interfere. Every
//!    register starts as a class of its own. Join the classes of a PHI and its result, and of a
//!    copy and its operand, unless they interfere. Start with the joins that save the most copies
//!    in the innermost loops (`classes`, `interference`).
//! 4. A copy is needed only if such a pair is in two classes. In one class both ends are one
//!    register.
//! 5. Compute LiveVariables of the new registers from the nodes (`variables`).
//!
//! Two nodes interfere if one is live at the def of the other and their values differ
//! ([`types::Method`]). A copy has the value of its operand, a result that of its PHI. With
//! [`types::Method::Value`], COPYs have the value of their source. Equal values may overlap only if
//! the later one is a copy from the class itself. Any other def, such as that of an equal constant,
//! would end the earlier value, and the class would not be live everywhere where its members are.
//! Letting equal constants overlap was tried, and changed nothing in the corpus.
//!
//! The two-address pass writes the results of an instruction with tied operands before the
//! instruction reads its operands. So these results interfere with the operands, except with a
//! source that is tied to them alone (`ties`).
//!
//! **Order of copies.** Copies for several PHIs at one place are one parallel copy. Here they are
//! placed one after the other, in any order. So an operand is live to the end of the predecessor,
//! together with the copies there. A PHI is live together with the results at the start of its
//! block. Registers of a cycle of copies (the swap problem) do not share.
//!
//! **Source.** Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, "Revisiting Out-of-SSA
//! Translation for Correctness, Code Quality, and Efficiency" (CGO 2009); Sreedhar et al. 1999 for
//! [`types::Method::Plain`]; the reference description of CICC 13.0's register coalescing, "CSSA
//! Coalescing". **Deviation:** the paper inserts all copies and removes them again. Here copies are
//! nodes, and only the needed ones are inserted. CICC runs its stage on IR. Here it runs right
//! before PHIs are lowered, the last place with SSA form and exact liveness. Measurements:
//! docs/stages/cssa.md, "Sharing the registers of PHIs".
//!
//! **Complexity.** Sorting the nodes. A test is linear in the two classes, times a search in the
//! live range. Classes of thousands of nodes would make that quadratic, so the steps of all tests
//! together are limited (`classes`).

pub mod classes;
pub mod collect;
mod interference;
pub mod nodes;
pub mod partition;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod pass;
pub mod shared;
#[cfg(test)]
mod tests;
pub mod ties;
pub mod types;
pub mod variables;
pub mod webs;

use crate::mir::{BlockId, VRegId};
use classes::Classes;
use collect::{Collector, CssaTarget, PhiTarget};
use index_vec::IndexVec;
use types::{CssaFacts, Graph, Method, Scope};

/// The algorithm with its buffers, kept from function to function.
#[derive(Default)]
pub struct CssaCoalescing {
    collector: Collector,
    /// The facts of the function.
    pub facts: CssaFacts,
    /// The classes of its nodes.
    pub classes: Classes,
    /// The number of its PHIs, of any kind.
    pub num_phis: usize,
}

impl CssaCoalescing {
    /// Reads the PHIs of a function in SSA form. Returns whether any takes part. Classes are not
    /// computed yet. `loop_depths` appends the loop depth of each block; it is called only if some
    /// PHI may take part.
    pub fn read(
        &mut self,
        phis: &mut impl PhiTarget,
        loop_depths: impl FnOnce(&mut IndexVec<BlockId, u32>),
        scope: Scope,
    ) -> bool {
        self.num_phis = self.collector.read(phis, loop_depths, scope, &mut self.facts);
        self.classes.clear();
        self.collector.num_taking_part() != 0
    }
    /// Returns the registers that participating PHIs name, some more than once.
    pub fn registers(&self) -> impl Iterator<Item = VRegId> + '_ {
        self.collector.registers()
    }
    /// Finds the congruence classes of the function whose PHIs were read.
    pub fn run(
        &mut self,
        phis: &mut impl PhiTarget,
        target: &mut impl CssaTarget,
        graph: Graph,
        method: Method,
    ) {
        self.collector.collect(phis, target, graph, &mut self.facts);
        self.classes.compute(&self.facts, graph, method);
    }
}
