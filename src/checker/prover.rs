//! Holds one run of the proof; its parts are in [`super::prove`], `follow` and `block_start`.

use super::align::Alignment;
use super::goal::{End, Goal, Mismatch, Origin, Place, Proof, Wanted};
use super::halves::Halves;
use super::program::Program;
use super::report::{CheckerTarget, Report};
use super::step::Parts;

/// One run.
pub struct Prover<'a, T> {
    /// The program before the pass.
    pub b: &'a Program,
    /// The program after the pass.
    pub a: &'a Program,
    /// Which instructions and blocks are the same.
    pub alignment: &'a Alignment,
    /// The target's parts of registers.
    pub parts: Parts<'a, T>,
    /// Buffers.
    pub proof: &'a mut Proof,
    /// Counts.
    pub report: &'a mut Report,
}

impl<T: CheckerTarget> Prover<'_, T> {
    /// Says what was found and what was wanted.
    pub fn mismatch(&self, g: &Goal, after: Option<End>, before: End) -> Mismatch {
        Mismatch { found: self.text_after(g, after), wanted: self.text_before(g, before) }
    }
    /// Says what was found.
    pub fn text_after(&self, g: &Goal, end: Option<End>) -> String {
        let number = self.a.numbers[g.block as usize];
        match (g.after, end) {
            (Place::Reg(part), Some(end)) => self.text(self.a, part.into(), end, number),
            (Place::Computed { instr, .. }, _) => format!("the result of {}", self.name(self.a, instr)),
            _ => "no value".into(),
        }
    }
    /// Says what was wanted.
    pub fn text_before(&self, g: &Goal, end: End) -> String {
        self.text(self.b, g.before, end, self.b.numbers[g.before_block as usize])
    }
    fn text(&self, p: &Program, value: Wanted, end: End, block: u32) -> String {
        let reg = match (value.origin, value.sub) {
            (Origin::Constant(_), _) => "a constant".into(),
            (Origin::Reg(reg), 0) => format!("%{reg}"),
            (Origin::Reg(reg), sub) if Halves::is(sub) => format!("{}%{reg}", Halves::text(sub)),
            (Origin::Reg(reg), sub) => format!("part {sub} of %{reg}"),
        };
        match end {
            End::Start => format!("{reg} as it comes into bb.{block}"),
            End::Undefined => format!("{reg}, which has no value"),
            End::Apart => format!("{reg}, which is put together of others"),
            End::Made { instr, operand } => format!("{reg}, operand {operand} of {}", self.name(p, instr)),
        }
    }
    fn name(&self, p: &Program, instr: u32) -> String {
        let block = p.block_of(instr);
        let position = instr - p.block(block).start;
        let opcode = self.parts.target.opcode_name(p.instr(instr).opcode);
        format!("{opcode} (instruction {position} of bb.{})", p.numbers[block as usize])
    }
}
