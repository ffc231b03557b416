//! Proves that a pass has not changed the results of the code (requirement K1).
//!
//! For each operand that is read, the checker walks back through the moves of both programs, the
//! one before the pass and the one after it. On both sides it must reach the same instruction, or
//! two that compute the same.
//!
//! **Problem.** A pass that changes registers and moves is right if every instruction that has
//! effects still reads the values that it read before. The passes decide by liveness and
//! interference. This module must not, or it would share their errors. It has two snapshots of the
//! function, before and after the pass, and nothing else.
//!
//! **The machine.** COPY, PHI, IMPLICIT_DEF, KILL, REG_SEQUENCE, INSERT_SUBREG and EXTRACT_SUBREG
//! are *moves*, and so are packs and unpacks ([`halves`]). All other instructions are *anchors*.
//! Each makes new values, one for each def operand; nothing is known about such a value but its
//! operand ([`instr`]). Anchors are the same on both sides ([`align`]): an anchor with effects may
//! not be lost, added, or swapped with another such anchor. So both programs run block by block in
//! lockstep. It remains to show, for each operand of an anchor, that the register it reads now
//! holds the value of the register that it read before.
//!
//! **Lattice.** At each point, for each part of a register `r` after the pass: the set of parts of
//! registers `x` before the pass whose current value `r` holds. Top is all parts (a point not
//! reached), bottom is the empty set. The meet over edges is the intersection. A def of `r` by an anchor
//! leaves the part that the same operand defined before; a move copies the set. A def or move of
//! `x` on the other side takes `x` out of all sets. If its new value is that of `y`, it then puts
//! `x` where `y` is. A register that has no value on a path (undefined, IMPLICIT_DEF) is in every
//! set: any value will do.
//!
//! **Algorithm** ([`prove`], `follow`, `block_start`). The greatest fixed point of these equations
//! is not computed as a whole. Only membership, `x ∈ S(r)`, is decided, for the pairs that operands
//! ask for. From the operand both registers are followed back ([`step`]), each through the moves of
//! its own program. If both reach the same anchor, the pair is proved; if they reach different
//! ones, it is refuted. If both reach the start of the block, the pair goes through the PHIs and is
//! asked for at the end of each predecessor. A pair reached again is assumed proved (coinduction),
//! which gives the greatest fixed point. That is sound because every path from the entry is finite.
//! The proof needs no liveness and does not depend on the order of moves.
//!
//! Two registers whose defs are all in one block hold the same value everywhere if they do at that
//! block's end. So pairs of SSA registers are asked for once, and not in each block that they live
//! through.
//!
//! An instruction that depends on nothing but its operands may be rematerialised. Its value is its
//! content, and "the value that it would compute here" is a place like a register
//! ([`goal::Place::Rematerialised`]). If it reads nothing, it may also be traced back to where it
//! was computed before, on all paths ([`goal::Origin::Constant`]). Operands of commutable
//! instructions may be swapped if the target says so. Kill flags ([`kill_flags`]) and ties are
//! checked separately.
//!
//! **Source.** The formulation by sets and their intersection is that of regalloc2's `checker.rs`.
//! It is adapted to passes that do not allocate: both sides have names of registers. That a pair
//! reached again holds is coinduction, as in proofs of bisimulation. **Deviation.** On demand and
//! sparse; regalloc2 keeps the set of every location at every block.
//!
//! The emitter has no program before it. After it, [`defined`] shows that every register that is
//! read has a value. Stages that recompute addresses are checked by values instead ([`addresses`]).
//!
//! **Limits.** It cannot prove, and counts as *not checked* ([`NotChecked`]):
//!
//! * the insides of bundles;
//! * instructions that the target rewrites (three-address form, folded loads, swapped operands with
//!   another opcode), except for operands that keep their registers;
//! * branches of a block with a split edge, except for the successors;
//! * the contents of physical registers when an instruction that names them moves;
//! * overlapping parts without a common index.
//!
//! Functions in which the coalescer has joined reserved registers or folded loads are left out.
//! SUBREG_TO_REG is an anchor. Debug values are ignored. Contents are compared by 64-bit hashes. A
//! wrong fact that no code depends on (classes, live intervals) is for the machine verifier to
//! find.
//!
//! **Complexity.** Linear in operands and moves, times the logarithm of a register's defs. A pair
//! of registers with defs in several blocks costs the blocks that it is live through, as in
//! liveness analysis.

pub mod addresses;
pub mod align;
mod block_start;
pub mod contents;
pub mod defined;
mod follow;
pub mod goal;
pub mod halves;
pub mod instr;
pub mod kill_flags;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
mod phi_sources;
pub mod program;
pub mod proof;
pub mod prove;
pub mod prover;
pub mod report;
pub mod step;
#[cfg(any(test, fuzzing))]
pub(crate) mod tests;
#[cfg(all(ptx_host, not(test)))]
pub mod verify;

use align::Alignment;
use defined::Defined;
use instr::Instr;
use kill_flags::KillFlags;
use program::Program;
use proof::Proof;
use prover::Prover;
pub use report::{CheckerTarget, Failure, NotChecked, Report, Rules};
use step::Parts;

/// Checks functions one after the other; its buffers are kept.
#[derive(Default)]
pub struct Checker {
    alignment: Alignment,
    proof: Proof,
    kill_flags: KillFlags,
    defined: Defined,
}

impl Checker {
    /// Shows that `after` computes the same as `before`. Both are indexed.
    ///
    /// # Errors
    /// The first fault.
    pub fn check<T: CheckerTarget>(
        &mut self,
        before: &Program,
        after: &Program,
        target: &T,
        rules: Rules,
        report: &mut Report,
    ) -> Result<(), Failure> {
        if rules.kills {
            self.check_kills(before, after, report)?;
        }
        let ties = check_ties(after);
        if rules.makes_ties || ties.is_err() && check_ties(before).is_ok() {
            ties?;
        }
        if !rules.code {
            return Ok(());
        }
        for _ in after.instrs.iter().filter(|i| i.is(Instr::BUNDLE)) {
            report.not_checked(NotChecked::Bundle);
        }
        self.alignment.find(before, after, rules, report)?;
        let Checker { alignment, proof, .. } = self;
        let parts = Parts { target };
        Prover { before, after, alignment, parts, proof, report }.run()
    }

    /// Shows that after instruction selection every register that is read was defined. Counts the
    /// operands.
    ///
    /// # Errors
    /// The first register that was not.
    pub fn check_selection(&mut self, program: &Program) -> Result<u64, Failure> {
        self.defined.check(program)
    }

    fn check_kills(&mut self, before: &Program, after: &Program, report: &mut Report) -> Result<(), Failure> {
        let Err(fault) = self.kill_flags.check(after) else { return Ok(()) };
        if self.kill_flags.check(before).is_err() {
            report.not_checked(NotChecked::Kills);
            return Ok(());
        }
        Err(match fault.instr {
            Some(instr) => Failure::read_after_kill(instr, fault.reg),
            None => Failure::killed_but_live_out(after.numbers[fault.block], fault.reg),
        })
    }
}

/// Checks that tied operands have one register.
fn check_ties(p: &Program) -> Result<(), Failure> {
    match p.instrs.position(|i| i.is(Instr::UNTIED)) {
        Some(i) => Err(Failure::at(i, "a use is tied to a def of another register".into())),
        None => Ok(()),
    }
}
