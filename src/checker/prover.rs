//! Holds one run of the proof, and puts mismatches in words. The rest of the proof is in
//! [`super::prove`], `follow` and `block_start`.

use super::align::Alignment;
use super::goal::{End, Goal, Mismatch, Origin, Place, Wanted};
use super::halves::Halves;
use super::program::Program;
use super::proof::Proof;
use super::report::{CheckerTarget, Report};
use super::step::Parts;
use crate::mir::{BlockNumber, InstrId};

/// One run.
pub struct Prover<'a, T> {
    /// The program before the pass.
    pub before: &'a Program,
    /// The program after the pass.
    pub after: &'a Program,
    /// The instructions and blocks that are the same in both.
    pub alignment: &'a Alignment,
    /// The target's parts of registers.
    pub parts: Parts<'a, T>,
    /// The goals.
    pub proof: &'a mut Proof,
    /// Counts.
    pub report: &'a mut Report,
}

impl<T: CheckerTarget> Prover<'_, T> {
    /// Puts a mismatch in words.
    pub fn mismatch(&self, g: &Goal, after: Option<End>, before: End) -> Mismatch {
        Mismatch { found: self.text_after(g, after), wanted: self.text_before(g, before) }
    }
    /// Puts the value after the pass in words.
    pub fn text_after(&self, g: &Goal, end: Option<End>) -> String {
        match (g.after, end) {
            (Place::Reg(part), Some(end)) => {
                self.text(self.after, part.into(), end, self.after.numbers[g.block])
            }
            (Place::Rematerialised { instr, .. }, _) => {
                format!("the result of {}", self.name(self.after, instr))
            }
            _ => "no value".into(),
        }
    }
    /// Puts the value before the pass in words.
    pub fn text_before(&self, g: &Goal, end: End) -> String {
        self.text(self.before, g.before, end, self.before.numbers[g.before_block])
    }
    fn text(&self, p: &Program, value: Wanted, end: End, block: BlockNumber) -> String {
        let value = match (value.origin, value.sub) {
            (Origin::Constant(_), _) => "a constant".into(),
            (Origin::Reg(reg), 0) => format!("{reg}"),
            (Origin::Reg(reg), sub) if Halves::is(sub) => format!("{}{reg}", Halves::text(sub)),
            (Origin::Reg(reg), sub) => format!("part {sub} of {reg}"),
        };
        match end {
            End::Start => format!("{value} as it comes into {block}"),
            End::Undefined => format!("{value}, which has no value"),
            End::Halves => format!("{value}, which is put together of others"),
            End::DefinedBy(def) => {
                format!("{value}, operand {} of {}", def.operand, self.name(p, def.instr))
            }
        }
    }
    fn name(&self, p: &Program, instr: InstrId) -> String {
        let opcode = self.parts.target.opcode_name(p.instr(instr).opcode);
        format!("{opcode} (instruction {} of {})", p.position(instr), p.numbers[p.block_of(instr)])
    }
}
