//! The symbolic checker: a miscompile in a pass of ours is caught by ourselves (row K1).
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
//! **Algorithm** ([`prove`]). The greatest fixed point of these equations is not computed: membership `x ∈ S(r)` is, for the pairs that
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
//! content, and "is what it would compute here" is a place like a register ([`prove`]'s `Computed`). One that reads nothing
//! may also be taken back to where it was computed before, on all ways (`CONSTANT`). Operands of commutable instructions
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
pub mod contents;
pub mod defined;
pub mod flags;
pub mod halves;
#[cfg(all(ptx_host, not(test)))]
pub mod pass;
pub mod program;
pub mod prove;
pub mod step;
#[cfg(any(test, fuzzing))]
pub(crate) mod tests;

use crate::adt::Counters;
use align::Alignment;
use defined::Defined;
use flags::Kills;
use program::{Instr, Program};
use prove::{Proof, Prover};
use step::Parts;

/// What the checker asks of the target.
pub trait Target {
    /// The index of part `b` of part `a`, 0 if there is none; neither is 0.
    fn compose(&self, a: u32, b: u32) -> u32;
    /// The lanes of a part.
    fn lanes(&self, sub: u32) -> u64;
    /// Lanes of a part, in the whole.
    fn compose_lanes(&self, sub: u32, lanes: u64) -> u64;
    /// Lanes of the whole, in a part.
    fn reverse_compose_lanes(&self, sub: u32, lanes: u64) -> u64;
    /// How many indices there are, 0 included.
    fn num_indices(&self) -> u32;
    /// The name of an opcode.
    fn opcode_name(&self, opcode: u32) -> String;
    /// Whether two operands of the instruction at `key`, which is there behind the pass, can be swapped.
    fn commutes(&self, key: usize, a: usize, b: usize) -> bool;
}

/// What a pass may do.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Have the target make other instructions of tied ones.
    pub target_rewrites: bool,
    /// Its output has the same register in tied operands, whatever its input has.
    pub makes_ties: bool,
    /// It keeps kill flags.
    pub kills: bool,
    /// It changes code, not flags alone.
    pub code: bool,
}

/// What was not proved, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotChecked {
    /// The target has made another instruction of one.
    Rewritten,
    /// Branches of a block one of whose edges was split.
    SplitEdge,
    /// Insides of a bundle.
    Bundle,
    /// An instruction that names physical registers has moved.
    MovedPhysical,
    /// Parts of registers without a common index.
    Shapes,
    /// Kill flags that were wrong before.
    Kills,
}

impl NotChecked {
    const ALL: [(NotChecked, &'static str); 6] = [
        (NotChecked::Rewritten, "not checked: instructions rewritten by the target"),
        (NotChecked::SplitEdge, "not checked: branches of blocks with split edges"),
        (NotChecked::Bundle, "not checked: bundles"),
        (NotChecked::MovedPhysical, "not checked: moved instructions with physical registers"),
        (NotChecked::Shapes, "not checked: overlapping parts of registers"),
        (NotChecked::Kills, "not checked: kill flags that were wrong before the pass"),
    ];
}

/// What was done.
#[derive(Default, Clone, Copy, Debug)]
pub struct Report {
    uses: u64,
    goals: u64,
    commuted: u64,
    not_checked: [u64; NotChecked::ALL.len()],
}

impl Report {
    fn not_checked(&mut self, why: NotChecked) {
        self.not_checked[why as usize] += 1;
    }
    /// Adds it to the statistics of the run.
    pub fn count(&self, counters: &mut Counters) {
        counters.extend([("verified operands", self.uses), ("verified pairs across blocks", self.goals)]);
        let more = NotChecked::ALL.iter().map(|&(why, name)| (name, self.not_checked[why as usize]));
        counters.extend(more.filter(|c| c.1 > 0));
    }
}

/// A miscompile.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The instruction behind the pass.
    pub instr: Option<u32>,
    /// The one before it, if it is gone, and its block.
    pub lost: Option<(u32, u32)>,
    /// Its operand.
    pub operand: Option<usize>,
    /// What the operand reads.
    pub found: String,
    /// What it read before.
    pub wanted: String,
    /// What is wrong, if it is no operand.
    pub what: String,
}

impl Failure {
    fn cfg(what: String) -> Failure {
        Failure { what, ..Failure::default() }
    }
    fn at(instr: u32, what: String) -> Failure {
        Failure { instr: Some(instr), what, ..Failure::default() }
    }
    fn lost(instr: u32, block: u32) -> Failure {
        let what = "an instruction that has effects is gone".into();
        Failure { lost: Some((instr, block)), what, ..Failure::default() }
    }
    /// In words. `text` is what an instruction behind the pass looks like.
    pub fn text<T: Target>(
        &self,
        b: &Program,
        a: &Program,
        target: &T,
        text: impl Fn(usize) -> String,
    ) -> String {
        let mut out = String::new();
        if let Some(i) = self.instr {
            let number = a.numbers[a.block_of(i) as usize];
            out += &format!("bb.{number}, instruction '{}': ", text(a.instr(i).key).trim());
            if let Some(op) = self.operand.and_then(|k| a.operands(i).get(k)).filter(|op| op.is_virtual()) {
                out += &format!("%{} ", op.reg().virt_index());
            }
        }
        if let Some((m, block)) = self.lost {
            let name = target.opcode_name(b.instr(m).opcode);
            out += &format!("bb.{}, {name}: ", b.numbers[block as usize]);
        }
        if self.what.is_empty() {
            out += &format!(
                "(operand {}) reads {}; before the pass it read {}",
                self.operand.unwrap_or_default(),
                self.found,
                self.wanted
            );
        }
        out + &self.what
    }
}

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
    pub fn check<T: Target>(
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
