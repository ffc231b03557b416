//! Follows both sides of a goal back through the moves of their programs, and compares the ends.
//!
//! **Algorithm.** Each side takes steps ([`super::step`]) until it reaches an anchor, the start of
//! its block, or no value. Two ends agree if they are the same result of the same anchor. They also
//! agree if they are results of two pure instructions with the same content that read the same
//! values. A goal about a block's start goes on in the predecessors (`block_start`).
//!
//! **Complexity.** One step for each move on the path.

use super::goal::{End, Goal, Mismatch, Origin, Outcome, Place, Wanted};
use super::halves::Halves;
use super::program::Point;
use super::prove::value_read;
use super::prover::Prover;
use super::report::{CheckerTarget, NotChecked};
use super::step::{Part, Step};
use crate::mir::{BlockId, InstrId};

/// A side of a goal.
#[derive(Clone, Copy)]
enum Side {
    After,
    Before,
}

impl<T: CheckerTarget> Prover<'_, T> {
    /// Shows a goal, or pushes others that it follows from.
    pub fn show(&mut self, mut g: Goal) -> Result<(), Mismatch> {
        let (mut is_after_dead, mut is_before_dead) = (false, false);
        let after = loop {
            let Place::Reg(part) = g.after else { break None };
            let (step, dead) = self.parts.step(self.after, part, g.lanes, g.block, g.at);
            is_after_dead |= dead;
            match self.apply(step, &mut g, Side::After) {
                Outcome::Shown => return Ok(()),
                Outcome::End(end) => break Some(end),
                Outcome::Continue => {}
            }
        };
        let before = loop {
            let part = match g.before.origin {
                Origin::Reg(reg) => Part { reg, sub: g.before.sub },
                Origin::Constant(instr) => break End::DefinedBy(self.before.first_def(instr)),
            };
            let (step, dead) = self.parts.step(self.before, part, g.lanes, g.before_block, g.before_at);
            is_before_dead |= dead;
            match self.apply(step, &mut g, Side::Before) {
                Outcome::Shown => return Ok(()),
                Outcome::End(end) => break end,
                Outcome::Continue => {}
            }
        };
        if before == End::Undefined {
            return if g.is_strict { Err(self.mismatch(&g, after, before)) } else { Ok(()) };
        }
        if is_after_dead && !is_before_dead {
            let mut why = self.mismatch(&g, after, before);
            why.found += ", which is flagged dead";
            return Err(why);
        }
        self.show_ends(g, after, before)
    }

    /// Shows a goal whose two sides have been followed to their ends. `after` is `None` unless the
    /// place is a register.
    fn show_ends(&mut self, g: Goal, after: Option<End>, before: End) -> Result<(), Mismatch> {
        let is_shown = match (after, before) {
            (Some(End::Start), End::Start) => return self.at_start(g),
            (Some(End::Undefined), End::Start) => {
                return self.at_start(Goal { after: Place::Undefined, ..g })
            }
            (Some(End::DefinedBy(new)), End::DefinedBy(old)) => self.show_same_result(new, old, g),
            (Some(End::DefinedBy(new)), End::Start) => return self.show_computed_above(new, g),
            (Some(End::Start), End::DefinedBy(_)) if g.before.is_constant() => return self.at_start(g),
            (Some(End::Start), End::DefinedBy(old)) => self.show_constant(old, g),
            (None, End::Start) => match self.at_block_start(g.after, g.at, g.block) {
                Some(to_start) => return self.at_start(Goal { after: to_start, ..g }),
                None => false,
            },
            (None, End::DefinedBy(old)) => self.show_computed_here(old, g),
            _ => false,
        };
        is_shown.then_some(()).ok_or_else(|| self.mismatch(&g, after, before))
    }

    /// Shows that two results are the same one, or that their instructions compute the same.
    fn show_same_result(&mut self, new: Point, old: Point, g: Goal) -> bool {
        if self.are_same(new, old, &g) {
            return true;
        }
        let computes_same = self.after.instr(new.instr).content == self.before.instr(old.instr).content
            && self.after.instr(new.instr).is_pure()
            && new.operand == old.operand
            && self.as_whole(g).is_some();
        if computes_same {
            self.read_same(new.instr, old.instr, g);
        }
        computes_same
    }

    /// Shows a value that came into the block before the pass, but that an instruction of the block
    /// computes after it. What came in must be what that instruction computes.
    fn show_computed_above(&mut self, new: Point, g: Goal) -> Result<(), Mismatch> {
        let place = self.rematerialised(new.instr).ok();
        let place = place.filter(|_| self.after.instr(new.instr).is_pure());
        let whole = self.as_whole(g).and_then(|g| {
            let to_start = self.at_block_start(place?, Point::before(new.instr), g.block)?;
            Some(Goal { after: to_start, ..g })
        });
        match whole {
            Some(whole) => self.at_start(whole),
            None if self.has_no_value(g) => Ok(()),
            None => Err(self.mismatch(&g, Some(End::DefinedBy(new)), End::Start)),
        }
    }

    /// Shows a value that an instruction of this block made before the pass, but that comes into
    /// the block after it. That is right for a constant that was computed on all paths there.
    fn show_constant(&mut self, old: Point, g: Goal) -> bool {
        let instr = old.instr;
        let is_constant = self.before.instr(instr).is_pure() && self.before.virtual_reads(instr).count == 0;
        let whole = self.as_whole(g).filter(|_| is_constant && old == self.before.first_def(instr));
        let before = Wanted { origin: Origin::Constant(instr), sub: 0 };
        whole.is_some_and(|whole| self.holds(Goal { before, ..whole }))
    }

    /// Shows a value that is rematerialised here after the pass, and that an instruction made
    /// before it.
    fn show_computed_here(&mut self, old: Point, g: Goal) -> bool {
        let Place::Rematerialised { instr, reads } = g.after else { return false };
        if self.after.instr(instr).content != self.before.instr(old.instr).content
            || self.after.first_def(instr).operand != old.operand
            || self.as_whole(g).is_none()
        {
            return false;
        }
        if let Some(reg) = reads {
            let read = self.before.operands(old.instr)[self.before.virtual_reads(old.instr).last];
            let Some(before) = Part::read_by(read) else { return false };
            self.proof.goals.push(Goal {
                after: Place::Reg(Part { reg, sub: 0 }),
                before: before.into(),
                before_at: Point::before(old.instr),
                lanes: u64::MAX,
                is_strict: true,
                ..g
            });
        }
        true
    }

    /// Returns whether `before`, followed back from the start of its block, has no value on any
    /// path.
    fn has_no_value(&mut self, g: Goal) -> bool {
        !g.is_strict && self.holds(Goal { after: Place::Undefined, ..g })
    }

    /// Returns whether a goal can be shown that another one follows from.
    fn holds(&mut self, g: Goal) -> bool {
        let others = std::mem::replace(&mut self.proof.goals, vec![g]);
        let shown = self.show_goals(self.proof.log.len()).is_ok();
        self.proof.goals = others;
        shown
    }

    /// Applies a step to a side of the goal.
    fn apply(&mut self, step: Step, g: &mut Goal, side: Side) -> Outcome {
        match step {
            Step::Start => return Outcome::End(End::Start),
            Step::Undefined => return Outcome::End(End::Undefined),
            Step::DefinedBy(def) => return Outcome::End(End::DefinedBy(def)),
            Step::Moved { from, by } => match side {
                Side::After => (g.after, g.at) = (Place::Reg(from), Point::before(by)),
                Side::Before => (g.before, g.before_at) = (from.into(), Point::before(by)),
            },
            Step::Skipped(def) => match side {
                Side::After => g.at = def,
                Side::Before => g.before_at = def,
            },
            Step::Halves => return self.split_to_halves(*g),
            Step::Split(_) if Halves::is(g.before.sub) || Halves::is(g.after.sub()) => {
                return self.not_checked()
            }
            Step::Split(sub) => {
                let lanes = self.parts.lanes(sub);
                let after = self.parts.lanes_of(g.after.sub());
                let rest = g.lanes & !lanes & after & self.parts.lanes_of(g.before.sub);
                if rest != 0 {
                    self.proof.goals.push(Goal { lanes: rest, ..*g });
                }
                g.lanes &= lanes;
            }
            Step::Narrow(sub) => {
                let lanes = self.parts.target.reverse_compose_lanes(sub, g.lanes & self.parts.lanes(sub));
                let (Some(after), Some(before)) =
                    (self.part_of_place(g.after, sub), self.parts.compose(g.before.sub, sub))
                else {
                    return self.not_checked();
                };
                (g.after, g.before.sub, g.lanes) = (after, before, lanes);
            }
            Step::NoIndex => return self.not_checked(),
        }
        Outcome::Continue
    }

    /// Returns part `sub` of a place, if it has an index.
    fn part_of_place(&self, place: Place, sub: u32) -> Option<Place> {
        match place {
            Place::Reg(part) => self.parts.compose(part.sub, sub).map(|sub| place.with_sub(sub)),
            other => Some(other),
        }
    }

    /// Splits a goal into one for each half.
    fn split_to_halves(&mut self, g: Goal) -> Outcome {
        if let Place::Rematerialised { .. } = g.after {
            return Outcome::End(End::Halves);
        }
        for half in [Halves::LOW, Halves::HIGH] {
            let sub = self.parts.compose(g.before.sub, half);
            let (Some(after), Some(sub)) = (self.part_of_place(g.after, half), sub) else {
                let has_index = |sub: u32| sub != 0 && !Halves::is(sub);
                let is_mixed = has_index(g.before.sub) || has_index(g.after.sub());
                return if is_mixed { self.not_checked() } else { Outcome::End(End::Halves) };
            };
            self.proof.goals.push(Goal { after, before: Wanted { sub, ..g.before }, ..g });
        }
        Outcome::Shown
    }

    fn not_checked(&mut self) -> Outcome {
        self.report.not_checked(NotChecked::NoIndex);
        Outcome::Shown
    }

    /// Returns a goal about whole registers that implies this one. That is the goal itself, or, if
    /// both sides are the same half, the goal about the two registers.
    fn as_whole(&self, g: Goal) -> Option<Goal> {
        let sub = g.after.sub();
        (sub == g.before.sub && (sub == 0 || Halves::is(sub))).then_some(Goal {
            after: g.after.with_sub(0),
            before: Wanted { sub: 0, ..g.before },
            ..g
        })
    }

    /// Returns whether two def operands are the same result of the same instruction.
    fn are_same(&mut self, new: Point, old: Point, g: &Goal) -> bool {
        if self.alignment.rewritten_after[new.instr] {
            return self.alignment.rewritten_before[old.instr];
        }
        if self.alignment.before[new.instr].get() != Some(old.instr) || new.operand != old.operand {
            return false;
        }
        let Place::Reg(part) = g.after else { return false };
        let (new_sub, old_sub) = (self.after.operand(new).subreg(), self.before.operand(old).subreg());
        self.parts.part_of(new_sub, part.sub) == self.parts.part_of(old_sub, g.before.sub)
    }

    /// Pushes the goals that `new` and `old`, which have the same content, read the same values.
    fn read_same(&mut self, new: InstrId, old: InstrId, g: Goal) {
        for (&old_op, &new_op) in self.before.operands(old).iter().zip(self.after.operands(new)) {
            let Some(before) = value_read(old_op) else { continue };
            self.proof.goals.push(Goal {
                after: Place::read_by(new_op),
                at: Point::before(new),
                before: before.into(),
                before_at: Point::before(old),
                lanes: u64::MAX,
                is_strict: true,
                ..g
            });
        }
    }

    /// Returns the result of a pure instruction as a place.
    pub fn rematerialised(&self, instr: InstrId) -> Result<Place, Mismatch> {
        let reads = self.after.virtual_reads(instr);
        if reads.count == 0 {
            return Ok(Place::Rematerialised { instr, reads: None });
        }
        let read = self.after.operands(instr)[reads.last];
        if reads.count == 1 && read.is_whole() {
            return Ok(Place::Rematerialised { instr, reads: read.vreg() });
        }
        Err(Mismatch {
            found: "a value that is computed anew of several registers".into(),
            wanted: "a copy".into(),
        })
    }

    /// Maps a place other than a register to the start of the block.
    pub fn at_block_start(&self, place: Place, mut at: Point, block: BlockId) -> Option<Place> {
        let Place::Rematerialised { instr, reads: Some(mut reg) } = place else { return Some(place) };
        loop {
            match self.parts.step(self.after, Part { reg, sub: 0 }, u64::MAX, block, at).0 {
                Step::Start => return Some(Place::Rematerialised { instr, reads: Some(reg) }),
                Step::Moved { from, by } if from.sub == 0 => (reg, at) = (from.reg, Point::before(by)),
                _ => return None,
            }
        }
    }
}
