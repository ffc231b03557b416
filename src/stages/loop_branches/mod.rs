//! Turns branches at the ends of loops, so that ptxas may unroll these loops (default profile, stage
//! `loop-branches`).
//!
//! **Problem.** ptxas unrolls a loop of one block only if the branch back to the loop's start is the one
//! that is taken when the comparison holds. LLVM's InstCombine writes each `i != n` at the end of a loop as
//! `i == n` and leaves the loop if that holds. Instruction selection undoes this only if the exit is
//! the next block. Later, when blocks are placed, NVPTX keeps the comparison: it adds a second branch,
//! or from LLVM 24 on negates the predicate (`@!%p bra`). ptxas unrolls neither, not even a loop of 16
//! iterations:
//!
//! ```text
//! setp.eq.b32 %p1, %r1, %r2;          setp.ne.b32 %p1, %r1, %r2;
//! @%p1 bra    exit;             =>    @%p1 bra    loop;
//! bra.uni     loop;                   bra.uni     exit;      (if it is not the next block)
//! ```
//!
//! **Algorithm.** The branch of a loop of one block is turned if its condition is an integer comparison
//! that only this branch reads, and if it leaves the loop where that holds: the comparison becomes its
//! inverse, and the targets change places. Comparisons of floating-point numbers stay, as ptxas does
//! not unroll these loops in any form. So do loops of several blocks: if ptxas unrolls such a loop at
//! all, it does so in both forms.
//!
//! **Source.** Observed in ptxas 13.0: docs/stages/loop-branches.md has the forms that were tried.
//! **Deviation.** LLVM has no such pass. **Complexity.** Linear in the loops, without the analysis
//! that finds them.

use crate::mir::{LoopBranch, LoopTarget};

/// The reason why a branch stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It goes back to the loop's header where its condition holds.
    Form,
    /// Its loop has several blocks.
    Blocks,
    /// Its loop is not to be unrolled.
    Forbidden,
    /// Its condition does not compare integers.
    Condition,
    /// Something else reads its condition.
    Readers,
}

/// Chooses whether a branch is turned.
///
/// # Errors
/// Says why not.
pub fn turns(branch: &LoopBranch) -> Result<(), Reason> {
    if (branch.if_true, branch.if_false) != (LoopTarget::Exit, LoopTarget::Header) {
        return Err(Reason::Form);
    }
    if branch.num_blocks > 1 {
        return Err(Reason::Blocks);
    }
    if branch.is_unrolling_disabled {
        return Err(Reason::Forbidden);
    }
    if !branch.compares_integers {
        return Err(Reason::Condition);
    }
    if branch.is_read_elsewhere {
        return Err(Reason::Readers);
    }
    Ok(())
}

/// Counts the branches of a function.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Turned.
    turned: u64,
    /// Left, by reason.
    left: [u64; REASONS.len()],
}

/// The reasons, in the order of the enum, as the statistics have them.
const REASONS: [&str; 5] = [
    "branches left: they do not leave their loop where the condition holds",
    "branches left: their loop has several blocks",
    "branches left: their loop is not to be unrolled",
    "branches left: they do not compare integers",
    "branches left: something else reads the condition",
];

impl Counts {
    /// Counts a branch.
    pub fn add(&mut self, choice: Result<(), Reason>) {
        match choice {
            Ok(()) => self.turned += 1,
            Err(reason) => self.left[reason as usize] += 1,
        }
    }
    /// Names the counts.
    pub fn named(self) -> impl Iterator<Item = (&'static str, u64)> {
        [("branches turned", self.turned)].into_iter().chain(REASONS.into_iter().zip(self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAVES: LoopBranch = LoopBranch {
        if_true: LoopTarget::Exit,
        if_false: LoopTarget::Header,
        compares_integers: true,
        is_read_elsewhere: false,
        num_blocks: 1,
        is_unrolling_disabled: false,
    };

    #[test]
    fn a_branch_that_leaves_where_its_comparison_holds_is_turned() {
        assert_eq!(turns(&LEAVES), Ok(()));
    }

    #[test]
    fn other_branches_stay() {
        let other = |if_true, if_false| turns(&LoopBranch { if_true, if_false, ..LEAVES });
        assert_eq!(other(LoopTarget::Header, LoopTarget::Exit), Err(Reason::Form));
        assert_eq!(other(LoopTarget::Inside, LoopTarget::Header), Err(Reason::Form));
        assert_eq!(other(LoopTarget::Exit, LoopTarget::Inside), Err(Reason::Form));
        assert_eq!(turns(&LoopBranch { num_blocks: 2, ..LEAVES }), Err(Reason::Blocks));
        assert_eq!(turns(&LoopBranch { is_unrolling_disabled: true, ..LEAVES }), Err(Reason::Forbidden));
        assert_eq!(turns(&LoopBranch { compares_integers: false, ..LEAVES }), Err(Reason::Condition));
        assert_eq!(turns(&LoopBranch { is_read_elsewhere: true, ..LEAVES }), Err(Reason::Readers));
    }

    #[test]
    fn every_choice_is_counted() {
        let mut counts = Counts::default();
        let left = [Reason::Form, Reason::Blocks, Reason::Forbidden, Reason::Condition, Reason::Readers];
        for choice in left.map(Err).into_iter().chain([Ok(())]) {
            counts.add(choice);
        }
        assert_eq!(counts.named().map(|(_, n)| n).collect::<Vec<_>>(), [1; 6]);
    }
}
