//! One step back in one program: where a register has its value from.

use super::halves::Halves;
use super::program::{Instr, Point, Program};
use super::report::CheckerTarget;
use crate::mir::Operand;

/// Part of a register: the lanes of `lanes`, seen from `sub` (0: the whole register).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part {
    /// Index of a virtual register.
    pub reg: u32,
    /// Index of the part.
    pub sub: u32,
}

/// What is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The block does not define it before.
    Start,
    /// No value: any will do.
    Undefined,
    /// An instruction makes it, by the def operand that is named.
    Made {
        /// The instruction.
        instr: u32,
        /// Its operand.
        operand: u32,
    },
    /// It is what this part is before instruction `.1`.
    Moved(Part, u32),
    /// A def that is passed: the search goes on before it.
    Passed(Point),
    /// Only the lanes of this part of the part are defined there: they go one way, the others another.
    Split(u32),
    /// Only the lanes of this part of the part are asked for: it is that part.
    Narrow(u32),
    /// It is put together of others: its halves go each their own way.
    Halves,
    /// Parts that overlap in a way that no index tells.
    Shapes,
}

/// Compares lanes and indices of parts.
pub struct Parts<'a, T> {
    /// The target's tables.
    pub target: &'a T,
}

impl<T: CheckerTarget> Parts<'_, T> {
    /// The index of part `b` of part `a`.
    pub fn compose(&self, a: u32, b: u32) -> Option<u32> {
        match (a, b) {
            (0, _) => Some(b),
            (_, 0) => Some(a),
            _ if Halves::is(a) && Halves::is(b) => Halves::compose(a, b),
            _ if Halves::is(a) || Halves::is(b) => None,
            _ => Some(self.target.compose(a, b)).filter(|&c| c != 0),
        }
    }
    /// The part of `whole` that is `part`.
    pub fn part_of(&self, whole: u32, part: u32) -> Option<u32> {
        if whole == 0 || whole == part {
            return Some(if whole == part { 0 } else { part });
        }
        if Halves::is(whole) || Halves::is(part) {
            return (Halves::is(whole) && Halves::is(part)).then(|| Halves::part_of(whole, part)).flatten();
        }
        (1..self.target.num_indices()).find(|&i| self.compose(whole, i) == Some(part))
    }
    /// The lanes of an index in the register.
    pub fn lanes(&self, sub: u32) -> u64 {
        if sub == 0 {
            u64::MAX
        } else {
            self.target.lanes(sub)
        }
    }
    /// Lanes that are seen from `sub`, in the register.
    pub fn lanes_in(&self, sub: u32, lanes: u64) -> u64 {
        match sub {
            0 => lanes,
            _ if lanes == u64::MAX => self.target.lanes(sub),
            _ => self.target.compose_lanes(sub, lanes) & self.target.lanes(sub),
        }
    }
    /// The lanes that a part has, seen from it; of a whole register all that there may be.
    pub fn lanes_of(&self, sub: u32) -> u64 {
        match sub {
            0 => u64::MAX,
            _ => self.target.reverse_compose_lanes(sub, self.target.lanes(sub)),
        }
    }

    /// One step back from before `at` in `block`; also whether the def is flagged dead.
    pub fn step(&self, p: &Program, part: Part, lanes: u64, block: u32, at: Point) -> (Step, bool) {
        let Some(found) = p.def_before(part.reg, block, at) else { return (Step::Start, false) };
        let operands = p.operands(found.instr);
        let def = operands[found.operand as usize];
        let step = self.at_def(p.instr(found.instr), operands, found, part, lanes);
        (step, def.is_dead() && !matches!(step, Step::Passed(..) | Step::Split(_) | Step::Undefined))
    }

    fn at_def(&self, instr: &Instr, operands: &[Operand], at: Point, part: Part, lanes: u64) -> Step {
        let Point { instr: index, operand } = at;
        let def = operands[operand as usize];
        if instr.is(Instr::PHI) {
            return Step::Start;
        }
        if instr.is_anchor() || instr.is(Instr::IMPLICIT_DEF) {
            return match self.cover(part.sub, lanes, def.subreg()) {
                Cover::Nothing if def.is_undef() => Step::Undefined,
                Cover::Nothing => Step::Passed(at),
                Cover::All if instr.is(Instr::IMPLICIT_DEF) => Step::Undefined,
                Cover::All => Step::Made { instr: index, operand },
                Cover::Other(step) => step,
            };
        }
        let source = |sub: u32, src: Operand, more: u32| {
            // `sub` is the part that is written with part `more` of `src`.
            if src.is_undef() {
                return Step::Undefined;
            }
            let rest = match self.part_of(sub, part.sub) {
                Some(rest) => rest,
                None => return Step::Shapes,
            };
            let place = self.compose(src.subreg(), more).and_then(|s| self.compose(s, rest));
            match place {
                Some(sub) => Step::Moved(Part { reg: src.reg().virt_index() as u32, sub }, index),
                None => Step::Shapes,
            }
        };
        if instr.is(Instr::COPY) {
            return match self.cover(part.sub, lanes, def.subreg()) {
                Cover::Nothing if def.is_undef() => Step::Undefined,
                Cover::Nothing => Step::Passed(at),
                Cover::All => source(def.subreg(), operands[1], 0),
                Cover::Other(step) => step,
            };
        }
        if instr.is(Instr::PACK) {
            let n = operands.len() as u32 - 1;
            if part.sub != 0 && !Halves::is(part.sub) {
                return Step::Shapes;
            }
            let piece =
                (0..n).find(|&i| part.sub != 0 && self.part_of(Halves::nth(i, n), part.sub).is_some());
            return match piece {
                Some(i) => source(Halves::nth(i, n), operands[i as usize + 1], 0),
                None => Step::Halves,
            };
        }
        if instr.is(Instr::UNPACK) {
            let n = operands.len() as u32 - 1;
            return source(0, operands[n as usize], Halves::nth(operand, n));
        }
        if instr.is(Instr::LOW_HALF | Instr::HIGH_HALF) {
            return source(
                0,
                operands[1],
                if instr.is(Instr::LOW_HALF) { Halves::LOW } else { Halves::HIGH },
            );
        }
        if instr.is(Instr::EXTRACT_SUBREG) {
            // LLVM's has an index; the other one writes several registers with one part each.
            let src = operands[operand as usize + 1];
            return match operands.get(2).filter(|op| !op.is_reg()) {
                Some(index) => source(0, src, index.imm_low()),
                None => source(0, src, 0),
            };
        }
        let pieces: &mut dyn Iterator<Item = (u32, Operand)> = if instr.is(Instr::INSERT_SUBREG) {
            &mut [(operands[3].imm_low(), operands[2]), (0, operands[1])].into_iter()
        } else {
            &mut operands[1..].chunks_exact(2).map(|p| (p[1].imm_low(), p[0]))
        };
        for (sub, src) in pieces {
            match self.cover(part.sub, lanes, sub) {
                Cover::Nothing => {}
                Cover::All => return source(sub, src, 0),
                Cover::Other(step) => return step,
            }
        }
        Step::Undefined
    }

    /// How much of the lanes seen from `sub` a def of `def` writes.
    fn cover(&self, sub: u32, lanes: u64, def: u32) -> Cover {
        if def == 0 || def == sub {
            return Cover::All;
        }
        if Halves::is(sub) {
            return Cover::Other(Step::Shapes);
        }
        let asked = self.lanes_in(sub, lanes);
        let written = self.lanes(def);
        if asked & written == 0 {
            return Cover::Nothing;
        }
        let Some(inner) = self.part_of(sub, def) else {
            // The def is larger than the part, or the two have no common shape.
            let inside = self.part_of(def, sub).is_some();
            return if inside { Cover::All } else { Cover::Other(Step::Shapes) };
        };
        Cover::Other(if asked & !written == 0 { Step::Narrow(inner) } else { Step::Split(inner) })
    }
}

enum Cover {
    Nothing,
    All,
    Other(Step),
}
