//! Proves that a pass has not changed what the code computes (requirement K1).
//!
//! **Problem.** A pass that changes registers and moves is right if every instruction that does something still
//! reads what it read before. The passes decide by liveness and interference; this module must not, or it would
//! share their errors. It has two snapshots of the function, before and behind the pass, and nothing else.
//!
//! **The machine.** COPY, PHI, IMPLICIT_DEF, KILL, REG_SEQUENCE, INSERT_SUBREG and EXTRACT_SUBREG are *moves*, and so
//! are packs and unpacks ([`halves`]). All
//! other instructions are *anchors*: each makes new values, one for each def operand, that nothing is known of but
//! who made them. Anchors are the same on both sides ([`align`]): nothing with effects may be lost, added or change
//! places with another such instruction. So both programs run block by block in lockstep, and what is left to show is, for each operand of an anchor, that the
//! register it reads now holds the value of the register that it read before.
//!
//! **Lattice.** At each point, for each part of a register `r` behind the pass: the set of parts of registers `x`
//! before the pass whose current value `r` holds. Top is all (a point not reached), bottom none; the meet over
//! edges is the intersection; a def of `r` by an anchor leaves what the same operand defined before; a move
//! copies the set; a def or move of `x` on the other side takes `x` out of all sets and, if its new value is that
//! of `y`, puts it where `y` is. A register that has no value on a way (undefined, IMPLICIT_DEF) is in every set:
//! any value will do. This is the formulation of a checker for going out of SSA.
//!
//! **Algorithm** ([`prove`], `follow`, `block_start`). The greatest fixed point of these equations is not computed: membership `x ∈ S(r)` is, for the pairs that
//! operands ask for. From the operand both registers are followed back ([`step`]), each through the moves of its
//! own program, to an anchor (the same one: shown; another one: refuted) or to the start of the block, where the
//! pair, behind PHIs, is asked for at the end of each predecessor. A pair that is met again is taken for shown:
//! that is the greatest fixed point, and sound as every way from the entry is finite. It needs no liveness, and it
//! does not mind in which order moves are.
//!
//! Two registers that are defined in the same one block each hold the same value everywhere if they do at its end;
//! so pairs of SSA registers are asked for once and not in each block that they live through.
//!
//! An instruction that depends on nothing but its operands may be repeated (rematerialisation): its value is its
//! content, and "is what it would compute here" is a place like a register ([`goal::Place::Computed`]). One that reads nothing
//! may also be taken back to where it was computed before, on all ways ([`goal::Origin::Constant`]). Operands of commutable instructions
//! may be swapped if the target says so. Kill flags and ties are looked at apart ([`flags`]).
//!
//! **Source.** The formulation by sets and their intersection is that of regalloc2's `checker.rs`, turned around as
//! our passes do not allocate: names of registers on both sides. That a pair met again holds is co-induction as in
//! proofs of bisimulation. **Deviation:** on demand and sparse, where regalloc2 keeps the set of every location at every block.
//!
//! What the emitter does has no program before it; behind it [`defined`] shows that every register that is read has a
//! value.
//!
//! **What it cannot prove**, and counts as *not checked* ([`NotChecked`]): the insides of bundles; instructions
//! that the target rewrites (three-address form, folded loads, swapped operands with another opcode), but for operands that keep their registers; branches
//! of a block one of whose edges was split, but for the successors; what is in physical registers when an instruction that names them moves; overlapping parts without a common
//! index; functions in which the coalescer has joined reserved registers or folded loads; SUBREG_TO_REG is an anchor. Debug values are not looked at. Contents are compared by 64-bit hashes. Functions that the stock pass gets after all are not ours
//! to check. A wrong fact that no code depends on (classes, live intervals) is the machine verifier's.
//!
//! **Complexity.** Linear in operands and moves, times the logarithm of a register's defs; a pair of registers
//! with defs in several blocks costs the blocks that it is live through, as liveness does.

pub mod addresses;
pub mod align;
mod block_start;
pub mod contents;
pub mod defined;
pub mod flags;
mod follow;
pub mod goal;
pub mod halves;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod program;
pub mod prove;
pub mod prover;
pub mod report;
pub mod step;
#[cfg(any(test, fuzzing))]
pub(crate) mod tests;

use align::Alignment;
use defined::Defined;
use flags::Kills;
use goal::Proof;
use program::{Instr, Program};
use prover::Prover;
pub use report::{CheckerTarget, Failure, NotChecked, Report, Rules};
use step::Parts;

/// Buffers, kept from function to function.
#[derive(Default)]
pub struct Checker {
    alignment: Alignment,
    proof: Proof,
    kills: Kills,
    defined: Defined,
}

impl Checker {
    /// Shows that `after` computes what `before` did. Both are indexed.
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
        Prover { b: before, a: after, alignment, parts, proof, report }.run()
    }

    /// Shows that behind instruction selection every register that is read was defined; of how many operands.
    ///
    /// # Errors
    /// The first one that was not.
    pub fn check_selection(&mut self, program: &Program) -> Result<u64, Failure> {
        self.defined.check(program)
    }

    fn check_kills(&mut self, before: &Program, after: &Program, report: &mut Report) -> Result<(), Failure> {
        let Err(fault) = self.kills.check(after) else { return Ok(()) };
        if self.kills.check(before).is_err() {
            report.not_checked(NotChecked::Kills);
            return Ok(());
        }
        let number = after.numbers[fault.block as usize];
        let reg = fault.reg;
        Err(match fault.instr {
            Some(i) => Failure::at(i, format!("%{reg} is read behind the use that kills it")),
            None => Failure::cfg(format!("%{reg} is killed in bb.{number} and read in a block behind it")),
        })
    }
}

/// Tied operands are one register.
fn check_ties(p: &Program) -> Result<(), Failure> {
    match p.instrs.iter().position(|i| i.is(Instr::UNTIED)) {
        Some(i) => Err(Failure::at(i as u32, "a use is tied to a def of another register".into())),
        None => Ok(()),
    }
}
