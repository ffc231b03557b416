//! Takes one step back in one program: finds where the value of a register comes from.
//!
//! **Problem.** A goal is followed from a point back through moves. A move may write part of a
//! register, and the followed value may be a part as well. The two parts may be the same or
//! disjoint, one may contain the other, or they may overlap.
//!
//! **Algorithm.** The last def of the register before the point is looked up. Lanes tell how much
//! of the followed part it writes. If it writes all, the move's source replaces the part. If it
//! writes some, the step says how to divide the goal. The search ends at anchors, and at PHIs,
//! which count as the start of the block.
//!
//! **Source.** Lanes and indices are LLVM's (`LaneBitmask.h`, `TargetRegisterInfo.h`).
//! **Deviation.** Halves of a register have indices of ours ([`super::halves`]). **Complexity.**
//! The logarithm of the register's defs, and the move's operands.

use super::halves::Halves;
use super::instr::Instr;
use super::program::{Point, Program};
use super::report::CheckerTarget;
use crate::mir::{BlockId, InstrId, Operand, VRegId};

/// Part of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// The register.
    pub reg: VRegId,
    /// The index of the part; 0 for the whole register.
    pub sub: u32,
}

impl Part {
    /// Returns the part of a virtual register that an operand reads.
    pub fn read_by(op: Operand) -> Option<Part> {
        Some(Part { reg: op.vreg()?, sub: op.subreg() })
    }
}

/// One step back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The block does not define the register before the point, or a PHI does.
    Start,
    /// The value does not matter.
    Undefined,
    /// This def operand of an anchor makes the value.
    DefinedBy(Point),
    /// The value is that of another part before a move.
    Moved {
        /// The part.
        from: Part,
        /// The move.
        by: InstrId,
    },
    /// This def writes another part of the register. The search goes on before it.
    Skipped(Point),
    /// The def writes only the lanes of this part of the followed part. These lanes and the others
    /// are followed separately.
    Split(u32),
    /// The goal is only about the lanes of this part of the followed part.
    Narrow(u32),
    /// The value is put together from several. Its two halves are followed separately.
    Halves,
    /// The parts overlap, and no index names the overlap.
    NoIndex,
}

/// Compares lanes and indices of parts.
pub struct Parts<'a, T> {
    /// The target's tables.
    pub target: &'a T,
}

/// The last def of a register before a point, and the part that is followed.
struct FoundDef<'a> {
    at: Point,
    operands: &'a [Operand],
    part: Part,
    lanes: u64,
}

impl FoundDef<'_> {
    fn def(&self) -> Operand {
        self.operands[self.at.operand as usize]
    }
}

/// A part of a register that a move writes with part `from_sub` of `source`.
struct Written {
    sub: u32,
    source: Operand,
    from_sub: u32,
}

impl Written {
    /// Part `sub` is written with all that `source` names.
    fn all_of(source: Operand, sub: u32) -> Written {
        Written { sub, source, from_sub: 0 }
    }
    /// The whole register is written with part `from_sub` of `source`.
    fn part_of(source: Operand, from_sub: u32) -> Written {
        Written { sub: 0, source, from_sub }
    }
}

impl<T: CheckerTarget> Parts<'_, T> {
    /// Returns the index of part `b` of part `a`.
    pub fn compose(&self, a: u32, b: u32) -> Option<u32> {
        match (a, b) {
            (0, _) => Some(b),
            (_, 0) => Some(a),
            _ if Halves::is(a) && Halves::is(b) => Halves::compose(a, b),
            _ if Halves::is(a) || Halves::is(b) => None,
            _ => Some(self.target.compose(a, b)).filter(|&c| c != 0),
        }
    }
    /// Returns the index of `part` within `whole`.
    pub fn part_of(&self, whole: u32, part: u32) -> Option<u32> {
        if whole == 0 || whole == part {
            return Some(if whole == part { 0 } else { part });
        }
        if Halves::is(whole) || Halves::is(part) {
            return (Halves::is(whole) && Halves::is(part)).then(|| Halves::part_of(whole, part)).flatten();
        }
        (1..self.target.num_indices()).find(|&i| self.compose(whole, i) == Some(part))
    }
    /// Returns the lanes of an index in the register.
    pub fn lanes(&self, sub: u32) -> u64 {
        if sub == 0 {
            u64::MAX
        } else {
            self.target.lanes(sub)
        }
    }
    /// Maps lanes numbered within `sub` to lanes of the register.
    pub fn lanes_in(&self, sub: u32, lanes: u64) -> u64 {
        match sub {
            0 => lanes,
            _ if lanes == u64::MAX => self.target.lanes(sub),
            _ => self.target.compose_lanes(sub, lanes) & self.target.lanes(sub),
        }
    }
    /// Returns the lanes of a part, numbered within the part. A whole register has all that there
    /// may be.
    pub fn lanes_of(&self, sub: u32) -> u64 {
        match sub {
            0 => u64::MAX,
            _ => self.target.reverse_compose_lanes(sub, self.target.lanes(sub)),
        }
    }

    /// Takes one step back from before `at` in `block`. Also returns whether the def is flagged
    /// dead.
    pub fn step(&self, p: &Program, part: Part, lanes: u64, block: BlockId, at: Point) -> (Step, bool) {
        let Some(at) = p.def_before(part.reg, block, at) else { return (Step::Start, false) };
        let found = FoundDef { at, operands: p.operands(at.instr), part, lanes };
        let step = self.at_def(p.instr(at.instr), &found);
        let is_of_value = !matches!(step, Step::Skipped(_) | Step::Split(_) | Step::Undefined);
        (step, is_of_value && found.def().is_dead())
    }

    fn at_def(&self, instr: &Instr, found: &FoundDef) -> Step {
        let operands = found.operands;
        if instr.is(Instr::PHI) {
            return Step::Start;
        }
        if instr.is(Instr::IMPLICIT_DEF) {
            return self.if_covered(found, || Step::Undefined);
        }
        if instr.is_anchor() {
            return self.if_covered(found, || Step::DefinedBy(found.at));
        }
        if instr.is(Instr::COPY) {
            let written = Written::all_of(operands[1], found.def().subreg());
            return self.if_covered(found, || self.moved(found, written));
        }
        if instr.is(Instr::PACK) {
            return self.at_pack(found);
        }
        if instr.is(Instr::UNPACK) {
            let n = operands.len() - 1;
            let half = Halves::nth(found.at.operand, n as u32);
            return self.moved(found, Written::part_of(operands[n], half));
        }
        if instr.is(Instr::LOW_HALF | Instr::HIGH_HALF) {
            let half = if instr.is(Instr::LOW_HALF) { Halves::LOW } else { Halves::HIGH };
            return self.moved(found, Written::part_of(operands[1], half));
        }
        if instr.is(Instr::EXTRACT_SUBREG) {
            let index = operands.get(2).filter(|op| !op.is_reg()).map_or(0, |index| index.imm_low());
            return self.moved(found, Written::part_of(operands[found.at.operand as usize + 1], index));
        }
        if instr.is(Instr::INSERT_SUBREG) {
            let inserted = Written::all_of(operands[2], operands[3].imm_low());
            return self.first_that_covers(found, [inserted, Written::all_of(operands[1], 0)]);
        }
        let pairs = operands[1..].chunks_exact(2);
        self.first_that_covers(found, pairs.map(|pair| Written::all_of(pair[0], pair[1].imm_low())))
    }

    /// Takes the step at a def that writes the register or the part that it names: `step` if it
    /// writes all of the followed part.
    fn if_covered(&self, found: &FoundDef, step: impl FnOnce() -> Step) -> Step {
        match self.cover(found, found.def().subreg()) {
            Cover::Nothing if found.def().is_undef() => Step::Undefined,
            Cover::Nothing => Step::Skipped(found.at),
            Cover::All => step(),
            Cover::Other(step) => step,
        }
    }

    /// Takes the step of the first written part that overlaps the followed part. If none does, the
    /// followed part has no value.
    fn first_that_covers(&self, found: &FoundDef, parts: impl IntoIterator<Item = Written>) -> Step {
        for written in parts {
            match self.cover(found, written.sub) {
                Cover::Nothing => {}
                Cover::All => return self.moved(found, written),
                Cover::Other(step) => return step,
            }
        }
        Step::Undefined
    }

    fn at_pack(&self, found: &FoundDef) -> Step {
        let (sub, pieces) = (found.part.sub, &found.operands[1..]);
        if sub != 0 && !Halves::is(sub) {
            return Step::NoIndex;
        }
        let nth = |i: usize| Halves::nth(i as u32, pieces.len() as u32);
        let holds = |&i: &usize| sub != 0 && self.part_of(nth(i), sub).is_some();
        match (0..pieces.len()).find(holds) {
            Some(i) => self.moved(found, Written::all_of(pieces[i], nth(i))),
            None => Step::Halves,
        }
    }

    /// Takes the step to the source of a move. The followed part lies inside the written part.
    fn moved(&self, found: &FoundDef, written: Written) -> Step {
        let Written { sub, source, from_sub } = written;
        if source.is_undef() {
            return Step::Undefined;
        }
        let place = self.part_of(sub, found.part.sub).and_then(|inside| {
            let from = self.compose(source.subreg(), from_sub)?;
            Some(Part { sub: self.compose(from, inside)?, ..Part::read_by(source)? })
        });
        place.map_or(Step::NoIndex, |from| Step::Moved { from, by: found.at.instr })
    }

    /// Returns how much of the followed part a def of part `written` writes.
    fn cover(&self, found: &FoundDef, written: u32) -> Cover {
        let sub = found.part.sub;
        if written == 0 || written == sub {
            return Cover::All;
        }
        if Halves::is(sub) {
            return Cover::Other(Step::NoIndex);
        }
        let followed_lanes = self.lanes_in(sub, found.lanes);
        let written_lanes = self.lanes(written);
        if followed_lanes & written_lanes == 0 {
            return Cover::Nothing;
        }
        let Some(inner) = self.part_of(sub, written) else {
            // The def is larger than the part, or the two overlap without a common index.
            let inside = self.part_of(written, sub).is_some();
            return if inside { Cover::All } else { Cover::Other(Step::NoIndex) };
        };
        let is_all = followed_lanes & !written_lanes == 0;
        Cover::Other(if is_all { Step::Narrow(inner) } else { Step::Split(inner) })
    }
}

/// How much of the followed part a def writes.
enum Cover {
    Nothing,
    All,
    /// Some of it.
    Other(Step),
}
