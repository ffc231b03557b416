//! Follows both sides of a goal back through the moves of their programs, and compares the ends.

use super::goal::{End, Goal, Mismatch, Origin, Outcome, Place, Wanted};
use super::halves::Halves;
use super::program::Point;
use super::prover::Prover;
use super::report::{CheckerTarget, NotChecked};
use super::step::{Part, Step};
use crate::mir::Operand;

/// A side of a goal.
#[derive(Clone, Copy)]
enum Side {
    After,
    Before,
}

impl<T: CheckerTarget> Prover<'_, T> {
    /// Shows a goal, or leaves others that it follows from.
    pub fn show(&mut self, mut g: Goal) -> Result<(), Mismatch> {
        let (mut is_after_dead, mut is_before_dead) = (false, false);
        let after = loop {
            let Place::Reg(part) = g.after else { break None };
            let (step, dead) = self.parts.step(self.a, part, g.lanes, g.block, g.at);
            is_after_dead |= dead;
            match self.apply(step, &mut g, Side::After) {
                Outcome::Shown => return Ok(()),
                Outcome::End(end) => break Some(end),
                Outcome::GoOn => {}
            }
        };
        let before = loop {
            let part = match g.before.origin {
                Origin::Reg(reg) => Part { reg, sub: g.before.sub },
                Origin::Constant(instr) => break End::Made { instr, operand: self.b.first_def(instr) },
            };
            let (step, dead) = self.parts.step(self.b, part, g.lanes, g.before_block, g.before_at);
            is_before_dead |= dead;
            match self.apply(step, &mut g, Side::Before) {
                Outcome::Shown => return Ok(()),
                Outcome::End(end) => break end,
                Outcome::GoOn => {}
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

    /// Shows a goal both sides of which have been followed to an end; `after` is none of a place that is no register.
    fn show_ends(&mut self, g: Goal, after: Option<End>, before: End) -> Result<(), Mismatch> {
        let is_shown = match (after, before) {
            (Some(End::Start), End::Start) => return self.at_start(g),
            (Some(End::Undefined), End::Start) => {
                return self.at_start(Goal { after: Place::Undefined, ..g })
            }
            (Some(End::Made { instr: n, operand }), End::Made { instr: m, operand: old }) => {
                self.show_same_result((n, operand), (m, old), g)
            }
            (Some(End::Made { instr: n, operand }), End::Start) => {
                return self.show_computed_above((n, operand), g)
            }
            (Some(End::Start), End::Made { .. }) if g.before.is_constant() => return self.at_start(g),
            (Some(End::Start), End::Made { instr: m, operand }) => self.show_constant(m, operand, g),
            (None, End::Start) => match self.at_block_start(g.after, g.at, g.block) {
                Some(to_start) => return self.at_start(Goal { after: to_start, ..g }),
                None => false,
            },
            (None, End::Made { instr: m, operand: old }) => self.show_computed_here(m, old, g),
            _ => false,
        };
        is_shown.then_some(()).ok_or_else(|| self.mismatch(&g, after, before))
    }

    /// Both sides are results of instructions: they are the same one, or compute the same.
    fn show_same_result(&mut self, (n, operand): (u32, u32), (m, old): (u32, u32), g: Goal) -> bool {
        if self.are_same((n, operand), (m, old), &g) {
            return true;
        }
        let computes_same = self.a.instr(n).content == self.b.instr(m).content
            && self.a.instr(n).is_pure()
            && operand == old
            && self.as_whole(g).is_some();
        if computes_same {
            self.reads_same(n, m, Point::before(n), g);
        }
        computes_same
    }

    /// Behind the pass instruction `n` of this block makes the value; before it, the value comes into the block. So it must have been
    /// computed above.
    fn show_computed_above(&mut self, (n, operand): (u32, u32), g: Goal) -> Result<(), Mismatch> {
        let place = self.computed(n).ok().filter(|_| self.a.instr(n).is_pure());
        let whole =
            self.as_whole(g).and_then(|g| Some((g, self.at_block_start(place?, Point::before(n), g.block)?)));
        match whole {
            Some((g, to_start)) => self.at_start(Goal { after: to_start, ..g }),
            None if self.has_no_value(g) => Ok(()),
            None => Err(self.mismatch(&g, Some(End::Made { instr: n, operand }), End::Start)),
        }
    }

    /// Before the pass instruction `m` of this block makes the value; behind it, the value comes into the block. That is right of a
    /// constant that was computed on all ways there.
    fn show_constant(&mut self, m: u32, operand: u32, g: Goal) -> bool {
        let is_constant = self.b.instr(m).is_pure() && self.b.virtual_reads(m).0 == 0;
        let whole = self.as_whole(g).filter(|_| is_constant && operand == self.b.first_def(m));
        let before = Wanted { origin: Origin::Constant(m), sub: 0 };
        whole.is_some_and(|whole| self.holds(Goal { before, ..whole }))
    }

    /// Behind the pass the value is computed here; before it, instruction `m` made it.
    fn show_computed_here(&mut self, m: u32, old: u32, g: Goal) -> bool {
        let Place::Computed { instr: n, reads } = g.after else { return false };
        if self.a.instr(n).content != self.b.instr(m).content
            || self.a.first_def(n) != old
            || self.as_whole(g).is_none()
        {
            return false;
        }
        if let Some(reg) = reads {
            let op = self.b.operands(m)[self.b.virtual_reads(m).1];
            self.proof.goals.push(Goal {
                after: Place::Reg(Part { reg, sub: 0 }),
                before: Part { reg: op.reg().virt_index() as u32, sub: op.subreg() }.into(),
                before_at: Point::before(m),
                lanes: u64::MAX,
                is_strict: true,
                ..g
            });
        }
        true
    }

    /// Whether `before`, followed back to the start of its block, has no value on any way.
    fn has_no_value(&mut self, g: Goal) -> bool {
        !g.is_strict && self.holds(Goal { after: Place::Undefined, ..g })
    }

    /// Whether a goal can be shown, which another one follows from.
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
            Step::Made { instr, operand } => return Outcome::End(End::Made { instr, operand }),
            Step::Moved(part, at) => match side {
                Side::After => (g.after, g.at) = (Place::Reg(part), Point::before(at)),
                Side::Before => (g.before, g.before_at) = (part.into(), Point::before(at)),
            },
            Step::Passed(point) => match side {
                Side::After => g.at = point,
                Side::Before => g.before_at = point,
            },
            Step::Halves => return self.halves(*g),
            Step::Split(_)
                if Halves::is(g.before.sub) || matches!(g.after, Place::Reg(p) if Halves::is(p.sub)) =>
            {
                return self.shapes()
            }
            Step::Split(sub) => {
                let lanes = self.parts.lanes(sub);
                let after = match g.after {
                    Place::Reg(part) => self.parts.lanes_of(part.sub),
                    _ => u64::MAX,
                };
                let rest = g.lanes & !lanes & after & self.parts.lanes_of(g.before.sub);
                if rest != 0 {
                    self.proof.goals.push(Goal { lanes: rest, ..*g });
                }
                g.lanes &= lanes;
            }
            Step::Narrow(sub) => {
                let narrowed = |of: u32| self.parts.compose(of, sub);
                let lanes = self.parts.target.reverse_compose_lanes(sub, g.lanes & self.parts.lanes(sub));
                let after = match g.after {
                    Place::Reg(part) => narrowed(part.sub).map(|sub| Place::Reg(Part { sub, ..part })),
                    other => Some(other),
                };
                match (after, narrowed(g.before.sub)) {
                    (Some(after), Some(sub)) => (g.after, g.before.sub, g.lanes) = (after, sub, lanes),
                    _ => return self.shapes(),
                }
            }
            Step::Shapes => return self.shapes(),
        }
        Outcome::GoOn
    }

    /// A goal as one for each half.
    fn halves(&mut self, g: Goal) -> Outcome {
        let of = |sub: u32, half| self.parts.compose(sub, half);
        for half in [Halves::LOW, Halves::HIGH] {
            let after = match g.after {
                Place::Reg(part) => of(part.sub, half).map(|sub| Place::Reg(Part { sub, ..part })),
                Place::Undefined => Some(Place::Undefined),
                // What is computed anew is no value that moves.
                Place::Computed { .. } => return Outcome::End(End::Apart),
            };
            let (Some(after), Some(sub)) = (after, of(g.before.sub, half)) else {
                let has_index = |sub: u32| sub != 0 && !Halves::is(sub);
                let is_mixed =
                    has_index(g.before.sub) || matches!(g.after, Place::Reg(p) if has_index(p.sub));
                return if is_mixed { self.shapes() } else { Outcome::End(End::Apart) };
            };
            self.proof.goals.push(Goal { after, before: Wanted { sub, ..g.before }, ..g });
        }
        Outcome::Shown
    }

    fn shapes(&mut self) -> Outcome {
        self.report.not_checked(NotChecked::Shapes);
        Outcome::Shown
    }

    /// A goal about whole registers that the goal follows from: itself, or that of the registers that it is about the
    /// same halves of.
    fn as_whole(&self, g: Goal) -> Option<Goal> {
        let sub = match g.after {
            Place::Reg(part) => part.sub,
            _ => 0,
        };
        let after = match g.after {
            Place::Reg(part) => Place::Reg(Part { sub: 0, ..part }),
            other => other,
        };
        (sub == g.before.sub && (sub == 0 || Halves::is(sub))).then_some(Goal {
            after,
            before: Wanted { sub: 0, ..g.before },
            ..g
        })
    }

    /// Whether it is the same result of the same instruction.
    fn are_same(&mut self, (n, operand): (u32, u32), (m, old): (u32, u32), g: &Goal) -> bool {
        if self.alignment.rewritten_after[n as usize] {
            return self.alignment.rewritten_before[m as usize];
        }
        if self.alignment.before[n as usize] != m || operand != old {
            return false;
        }
        let (def, old_def) = (self.a.operands(n)[operand as usize], self.b.operands(m)[old as usize]);
        let Place::Reg(part) = g.after else { return false };
        self.parts.part_of(def.subreg(), part.sub) == self.parts.part_of(old_def.subreg(), g.before.sub)
    }

    /// `n`, as it would compute at `at`, and `m` have the same content: they read the same too.
    fn reads_same(&mut self, n: u32, m: u32, at: Point, g: Goal) {
        for (op, new) in self.b.operands(m).iter().zip(self.a.operands(n)) {
            if !op.is_use() || !op.reg().is_virtual() || op.is_undef() {
                continue;
            }
            let part = |op: &Operand| Part { reg: op.reg().virt_index() as u32, sub: op.subreg() };
            let after = if new.is_undef() { Place::Undefined } else { Place::Reg(part(new)) };
            self.proof.goals.push(Goal {
                after,
                at,
                before: part(op).into(),
                before_at: Point::before(m),
                lanes: u64::MAX,
                is_strict: true,
                ..g
            });
        }
    }

    /// The result of a pure instruction as a place.
    pub fn computed(&self, n: u32) -> Result<Place, Mismatch> {
        let (reads, last) = self.a.virtual_reads(n);
        let op = self.a.operands(n)[last];
        match reads {
            0 => Ok(Place::Computed { instr: n, reads: None }),
            1 if op.subreg() == 0 && !op.is_undef() => {
                Ok(Place::Computed { instr: n, reads: Some(op.reg().virt_index() as u32) })
            }
            _ => Err(Mismatch {
                found: "a value that is computed anew of several registers".into(),
                wanted: "a copy".into(),
            }),
        }
    }

    /// What a place that is no register is at the start of the block.
    pub fn at_block_start(&self, place: Place, mut at: Point, block: u32) -> Option<Place> {
        let Place::Computed { instr, reads: Some(mut reg) } = place else { return Some(place) };
        loop {
            match self.parts.step(self.a, Part { reg, sub: 0 }, u64::MAX, block, at).0 {
                Step::Start => return Some(Place::Computed { instr, reads: Some(reg) }),
                Step::Moved(part, moved) if part.sub == 0 => (reg, at) = (part.reg, Point::before(moved)),
                _ => return None,
            }
        }
    }
}
