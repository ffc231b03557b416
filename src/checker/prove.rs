//! The proof: every operand behind the pass reads what the one before it read.

use super::align::Alignment;
use super::halves::Halves;
use super::program::{Instr, Program, ASM_BR_TARGET, EH_PAD, NONE};
use super::step::{Part, Parts, Step};
use super::report::{CheckerTarget, Failure, NotChecked, Report};
use crate::mir::Operand;
use rustc_hash::FxHashSet;

/// Where a value behind the pass is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    /// In part of a register.
    Reg(Part),
    /// Nowhere: nothing is read.
    Undefined,
    /// It is what a pure instruction would compute here, of a register or of none ([`NONE`]).
    Computed(u32, u32),
}

/// What stands for a register before the pass from here on is what the pure instruction of this number, less
/// [`CONSTANT`], computes, which reads nothing.
const CONSTANT: u32 = 1 << 31;

/// To be shown: `after` at a point of the program behind has the value that `before` has at a point of the one
/// before, in these lanes, or `before` has none. A point is before an operand of an instruction.
#[derive(Clone, Copy, Debug)]
struct Goal {
    after: Place,
    at: (u32, u32),
    block: u32,
    before: Part,
    before_at: (u32, u32),
    before_block: u32,
    lanes: u64,
    /// It must have a value: something is computed of it again, and what comes of no value is another value every
    /// time.
    strict: bool,
}

/// A goal at the start of a block, or, with [`AT_HOME`], at the end of the block where both registers are defined.
type Key = (u32, Place, Part, u64, bool);
const AT_HOME: u32 = 1 << 31;

/// What a side of a goal has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Start,
    Undefined,
    Made {
        instr: u32,
        operand: u32,
    },
    /// Of halves, where the other side is the result of one instruction.
    Apart,
}

/// Buffers.
#[derive(Default)]
pub struct Proof {
    goals: Vec<Goal>,
    /// Goals that were shown or are being shown.
    known: FxHashSet<Key>,
    /// Those since the last root.
    log: Vec<Key>,
    /// Behind the pass and before it.
    phi_sources: [PhiSources; 2],
    /// Registers that an instruction writes early, and by which operand.
    early: Vec<(u32, u32)>,
}

/// The operands of one PHI by block: a block may have as many predecessors as the function has blocks.
#[derive(Default)]
struct PhiSources {
    /// By number of a predecessor: the operand, if it is of this turn.
    by_number: Vec<(u32, u32)>,
    turn: u32,
    phi: Option<u32>,
}

impl PhiSources {
    /// Reads the PHI of `block` that defines `reg`, if there is one.
    fn read(&mut self, p: &Program, block: u32, reg: u32) {
        self.phi = if reg < CONSTANT { p.phi_of(reg, block) } else { None };
        let Some(phi) = self.phi else { return };
        self.turn += 1;
        self.by_number.resize(p.num_block_ids().max(self.by_number.len()), (0, 0));
        for (k, pair) in p.operands(phi)[1..].chunks_exact(2).enumerate() {
            let entry = &mut self.by_number[pair[1].block_number() as usize];
            if entry.0 != self.turn {
                *entry = (self.turn, 2 * k as u32 + 1);
            }
        }
    }

    /// Of a part at the start of the block, what it is at the end of `pred`; none if that has no index.
    fn source<T: CheckerTarget>(&self, p: &Program, pred: u32, part: Part, parts: &Parts<T>) -> Option<Place> {
        let Some(phi) = self.phi else { return Some(Place::Reg(part)) };
        let (turn, operand) = self.by_number[p.numbers[pred as usize] as usize];
        let src = p.operands(phi)[operand as usize];
        // A PHI without a value for an edge: the verifier's.
        if turn != self.turn || src.is_undef() {
            return Some(Place::Undefined);
        }
        let sub = parts.compose(src.subreg(), part.sub)?;
        Some(Place::Reg(Part { reg: src.reg().virt_index() as u32, sub }))
    }
}

/// One run.
pub struct Prover<'a, T> {
    pub b: &'a Program,
    pub a: &'a Program,
    pub alignment: &'a Alignment,
    pub parts: Parts<'a, T>,
    pub proof: &'a mut Proof,
    pub report: &'a mut Report,
}

impl<T: CheckerTarget> Prover<'_, T> {
    /// Shows it for all operands.
    pub fn run(&mut self) -> Result<(), Failure> {
        self.proof.known.clear();
        for i in 0..self.a.instrs.len() as u32 {
            if !self.a.instr(i).is_anchor() {
                continue;
            }
            let m = self.alignment.before[i as usize];
            if m != NONE && self.alignment.replaced.binary_search(&i).is_err() {
                self.same(m, i)?;
            } else if m != NONE {
                // Computed anew instead of copied to a physical register.
                let place = self.computed(i).map_err(|why| self.failure(i, 0, why))?;
                let src = self.b.operands(m)[1];
                self.root(i, 1, place, m, src)?;
            } else if self.alignment.rewritten_after[i as usize] {
                self.rewritten(i)?;
            }
        }
        Ok(())
    }

    /// The same instruction, with other registers.
    fn same(&mut self, m: u32, i: u32) -> Result<(), Failure> {
        let (before, after) = (self.b.operands(m), self.a.operands(i));
        self.written_early(m, i)?;
        for index in 0..before.len() {
            if let Err(failure) = self.operand(m, i, index, index) {
                return if self.commuted(m, i) { Ok(()) } else { Err(failure) };
            }
        }
        for (index, op) in before.iter().enumerate() {
            let is_block = op.kind() == crate::mir::Kind::Other && self.b.instr(m).is(Instr::BRANCH);
            if !is_block || op.block_number() == after[index].block_number() {
                continue;
            }
            let to = self.a.block_numbered(after[index].block_number());
            let to = to.map(|to| self.alignment.end_of_edge(self.a, to));
            if to != Some(op.block_number()) {
                return Err(Failure::at(
                    i,
                    format!("it jumps elsewhere: before to bb.{}", op.block_number()),
                ));
            }
        }
        Ok(())
    }

    /// Operand `index` of `i` against operand `old` of `m`.
    fn operand(&mut self, m: u32, i: u32, old: usize, index: usize) -> Result<(), Failure> {
        let (op, new) = (self.b.operands(m)[old], self.a.operands(i)[index]);
        if !op.is_use() || !op.reg().is_virtual() || op.is_undef() {
            return Ok(());
        }
        if !new.is_use() || !new.reg().is_virtual() {
            return Err(Failure::at(i, format!("operand {index} was a virtual register")));
        }
        let place = if new.is_undef() {
            Place::Undefined
        } else {
            Place::Reg(Part { reg: new.reg().virt_index() as u32, sub: new.subreg() })
        };
        self.root(i, index, place, m, op)
    }

    /// Whether the operands match when some that commute are swapped.
    fn commuted(&mut self, m: u32, i: u32) -> bool {
        if !self.a.instr(i).is(Instr::COMMUTABLE) {
            return false;
        }
        let n = self.a.operands(i).len();
        let uses: Vec<usize> = (0..n).filter(|&k| self.a.operands(i)[k].is_use()).collect();
        for (k, &x) in uses.iter().enumerate() {
            for &y in &uses[k + 1..] {
                if !self.parts.target.commutes(self.a.instr(i).key, x, y) {
                    continue;
                }
                let swapped = |index| {
                    if index == x {
                        y
                    } else if index == y {
                        x
                    } else {
                        index
                    }
                };
                if (0..n).all(|index| self.operand(m, i, swapped(index), index).is_ok()) {
                    self.report.commuted += 1;
                    return true;
                }
            }
        }
        false
    }

    /// What is written before everything has been read is not read.
    fn written_early(&mut self, m: u32, i: u32) -> Result<(), Failure> {
        let (ops, old) = (self.a.operands(i), self.b.operands(m));
        let early = &mut self.proof.early;
        early.clear();
        let defs = ops.iter().enumerate().filter(|(_, op)| op.is_def() && op.is_early_clobber());
        early.extend(defs.map(|(d, op)| (op.reg().0, d as u32)));
        if early.is_empty() {
            return Ok(());
        }
        early.sort_unstable();
        for (u, op) in ops.iter().enumerate() {
            if !op.is_use() || !op.reg().is_virtual() || op.is_undef() || op.is_tied() {
                continue;
            }
            let first = early.partition_point(|e| e.0 < op.reg().0);
            let same = early[first..].iter().take_while(|e| e.0 == op.reg().0);
            if let Some((_, d)) = same.copied().find(|&(_, d)| old[d as usize].reg() != old[u].reg()) {
                let what = format!("operand {u} is read when operand {d} has overwritten it");
                return Err(Failure::at(i, what));
            }
        }
        Ok(())
    }

    /// An instruction that the target has made of another one: registers that it reads and that the other one read.
    fn rewritten(&mut self, i: u32) -> Result<(), Failure> {
        let before = self.alignment.block_before[self.a.block_of(i) as usize];
        for index in 0..self.a.operands(i).len() {
            let new = self.a.operands(i)[index];
            if !new.is_use() || !new.reg().is_virtual() || new.is_undef() {
                continue;
            }
            let reads = |op: &Operand| op.is_use() && *op == new.with_kill(op.is_kill());
            let same = self.b.block(before).find(|&m| {
                self.alignment.rewritten_before[m as usize]
                    && self.b.instr(m).key == self.a.instr(i).key
                    && self.b.operands(m).iter().any(reads)
            });
            if let Some(m) = same {
                let place = Place::Reg(Part { reg: new.reg().virt_index() as u32, sub: new.subreg() });
                self.root(i, index, place, m, new)?;
            }
        }
        Ok(())
    }

    /// A goal that everything else follows from.
    fn root(&mut self, i: u32, index: usize, after: Place, m: u32, op: Operand) -> Result<(), Failure> {
        self.report.uses += 1;
        self.proof.log.clear();
        self.proof.goals.clear();
        self.proof.goals.push(Goal {
            after,
            at: (i, 0),
            block: self.a.block_of(i),
            before: Part { reg: op.reg().virt_index() as u32, sub: op.subreg() },
            before_at: (m, 0),
            before_block: self.b.block_of(m),
            lanes: u64::MAX,
            strict: false,
        });
        self.show_goals(0).map_err(|why| self.failure(i, index, why))
    }

    /// Shows all goals. If one fails, what was assumed since the log had `logged` entries may be wrong and is forgotten.
    fn show_goals(&mut self, logged: usize) -> Result<(), (String, String)> {
        while let Some(goal) = self.proof.goals.pop() {
            if let Err(why) = self.goal(goal) {
                for key in self.proof.log.drain(logged..) {
                    self.proof.known.remove(&key);
                }
                return Err(why);
            }
        }
        Ok(())
    }

    fn failure(&self, i: u32, operand: usize, (found, wanted): (String, String)) -> Failure {
        let operand = Some(operand);
        Failure { instr: Some(i), operand, found, wanted, ..Failure::default() }
    }

    fn goal(&mut self, mut g: Goal) -> Result<(), (String, String)> {
        let mut after_dead = false;
        let mut before_dead = false;
        let after = loop {
            let Place::Reg(part) = g.after else { break None };
            let (step, dead) = self.parts.step(self.a, part, g.lanes, g.block, g.at);
            after_dead |= dead;
            match self.apply(step, &mut g, true) {
                Some(None) => return Ok(()),
                Some(Some(end)) => break Some(end),
                None => {}
            }
        };
        let before = loop {
            if g.before.reg >= CONSTANT {
                let instr = g.before.reg - CONSTANT;
                break End::Made { instr, operand: self.b.first_def(instr) };
            }
            let (step, dead) = self.parts.step(self.b, g.before, g.lanes, g.before_block, g.before_at);
            before_dead |= dead;
            match self.apply(step, &mut g, false) {
                Some(None) => return Ok(()),
                Some(Some(end)) => break end,
                None => {}
            }
        };
        if before == End::Undefined {
            return if g.strict { Err(self.texts(&g, after, before)) } else { Ok(()) };
        }
        if after_dead && !before_dead {
            return Err((
                format!("{}, which is flagged dead", self.text_after(&g, after)),
                self.text_before(&g, before),
            ));
        }
        match (after, before) {
            (Some(End::Start), End::Start) => self.at_start(g),
            (Some(End::Undefined), End::Start) => self.at_start(Goal { after: Place::Undefined, ..g }),
            (Some(End::Made { instr: n, operand }), End::Made { instr: m, operand: old }) => {
                if self.are_same((n, operand), (m, old), &g) {
                    return Ok(());
                }
                if self.a.instr(n).content == self.b.instr(m).content
                    && self.a.instr(n).is_pure()
                    && operand == old
                    && self.as_whole(g).is_some()
                {
                    return self.reads_same(n, m, (n, 0), g);
                }
                Err(self.texts(&g, after, before))
            }
            (Some(End::Made { instr: n, .. }), End::Start) => {
                let place = self.computed(n).ok().filter(|_| self.a.instr(n).is_pure());
                let whole =
                    self.as_whole(g).and_then(|g| Some((g, self.at_block_start(place?, (n, 0), g.block)?)));
                match whole {
                    Some((g, to_start)) => self.at_start(Goal { after: to_start, ..g }),
                    None if self.has_no_value(g) => Ok(()),
                    None => Err(self.texts(&g, after, before)),
                }
            }
            (Some(End::Start), End::Made { .. }) if g.before.reg >= CONSTANT => self.at_start(g),
            (Some(End::Start), End::Made { instr: m, operand }) => {
                let is_constant = self.b.instr(m).is_pure() && self.b.virtual_reads(m).0 == 0;
                let whole = self.as_whole(g).filter(|_| is_constant && operand == self.b.first_def(m));
                let constant = Part { reg: CONSTANT + m, sub: 0 };
                match whole {
                    Some(whole) if self.holds(Goal { before: constant, ..whole }) => Ok(()),
                    _ => Err(self.texts(&g, after, before)),
                }
            }
            (None, End::Start) => {
                let text = self.texts(&g, after, before);
                let to_start = self.at_block_start(g.after, g.at, g.block).ok_or(text)?;
                self.at_start(Goal { after: to_start, ..g })
            }
            (None, End::Made { instr: m, operand: old }) => {
                let Place::Computed(n, reg) = g.after else { return Err(self.texts(&g, after, before)) };
                if self.a.instr(n).content != self.b.instr(m).content
                    || self.a.first_def(n) != old
                    || self.as_whole(g).is_none()
                {
                    return Err(self.texts(&g, after, before));
                }
                if reg == NONE {
                    return Ok(());
                }
                let op = self.b.operands(m)[self.b.virtual_reads(m).1];
                let before = Part { reg: op.reg().virt_index() as u32, sub: op.subreg() };
                let after = Place::Reg(Part { reg, sub: 0 });
                self.proof.goals.push(Goal {
                    after,
                    before,
                    before_at: (m, 0),
                    lanes: u64::MAX,
                    strict: true,
                    ..g
                });
                Ok(())
            }
            _ => Err(self.texts(&g, after, before)),
        }
    }

    /// Whether `before`, followed back to the start of its block, has no value on any way.
    fn has_no_value(&mut self, g: Goal) -> bool {
        !g.strict && self.holds(Goal { after: Place::Undefined, ..g })
    }

    /// Whether a goal can be shown, which another one follows from.
    fn holds(&mut self, g: Goal) -> bool {
        let others = std::mem::replace(&mut self.proof.goals, vec![g]);
        let shown = self.show_goals(self.proof.log.len()).is_ok();
        self.proof.goals = others;
        shown
    }

    /// Applies a step to a side of the goal. None: go on. Some(None): nothing is left to show.
    fn apply(&mut self, step: Step, g: &mut Goal, is_after: bool) -> Option<Option<End>> {
        match step {
            Step::Start => return Some(Some(End::Start)),
            Step::Undefined => return Some(Some(End::Undefined)),
            Step::Made { instr, operand } => return Some(Some(End::Made { instr, operand })),
            Step::Moved(part, at) if is_after => (g.after, g.at) = (Place::Reg(part), (at, 0)),
            Step::Moved(part, at) => (g.before, g.before_at) = (part, (at, 0)),
            Step::Passed(instr, operand) if is_after => g.at = (instr, operand),
            Step::Passed(instr, operand) => g.before_at = (instr, operand),
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
                let narrowed = |part: Part| self.parts.compose(part.sub, sub).map(|sub| Part { sub, ..part });
                let lanes = self.parts.target.reverse_compose_lanes(sub, g.lanes & self.parts.lanes(sub));
                let after = match g.after {
                    Place::Reg(part) => narrowed(part).map(Place::Reg),
                    other => Some(other),
                };
                match (after, narrowed(g.before)) {
                    (Some(after), Some(before)) => (g.after, g.before, g.lanes) = (after, before, lanes),
                    _ => return self.shapes(),
                }
            }
            Step::Shapes => return self.shapes(),
        }
        None
    }

    /// A goal as one for each half.
    fn halves(&mut self, g: Goal) -> Option<Option<End>> {
        let of = |part: Part, half| self.parts.compose(part.sub, half).map(|sub| Part { sub, ..part });
        for half in [Halves::LOW, Halves::HIGH] {
            let after = match g.after {
                Place::Reg(part) => of(part, half).map(Place::Reg),
                Place::Undefined => Some(Place::Undefined),
                // What is computed anew is no value that moves.
                Place::Computed(..) => return Some(Some(End::Apart)),
            };
            let (Some(after), Some(before)) = (after, of(g.before, half)) else {
                let has_index = |part: Part| part.sub != 0 && !Halves::is(part.sub);
                let mixed = has_index(g.before) || matches!(g.after, Place::Reg(part) if has_index(part));
                return if mixed { self.shapes() } else { Some(Some(End::Apart)) };
            };
            self.proof.goals.push(Goal { after, before, ..g });
        }
        Some(None)
    }

    fn shapes(&mut self) -> Option<Option<End>> {
        self.report.not_checked(NotChecked::Shapes);
        Some(None)
    }

    /// A goal about whole registers that the goal follows from: itself, or that of the registers that it is about the
    /// same halves of.
    fn as_whole(&self, g: Goal) -> Option<Goal> {
        let sub = match g.after {
            Place::Reg(part) => part.sub,
            _ => 0,
        };
        let whole = |part: Part| Part { sub: 0, ..part };
        let after = match g.after {
            Place::Reg(part) => Place::Reg(whole(part)),
            other => other,
        };
        (sub == g.before.sub && (sub == 0 || Halves::is(sub))).then(|| Goal {
            after,
            before: whole(g.before),
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
    fn reads_same(&mut self, n: u32, m: u32, at: (u32, u32), g: Goal) -> Result<(), (String, String)> {
        for (op, new) in self.b.operands(m).iter().zip(self.a.operands(n)) {
            if !op.is_use() || !op.reg().is_virtual() || op.is_undef() {
                continue;
            }
            let part = |op: &Operand| Part { reg: op.reg().virt_index() as u32, sub: op.subreg() };
            let after = if new.is_undef() { Place::Undefined } else { Place::Reg(part(new)) };
            self.proof.goals.push(Goal {
                after,
                at,
                before: part(op),
                before_at: (m, 0),
                lanes: u64::MAX,
                strict: true,
                ..g
            });
        }
        Ok(())
    }

    /// The result of a pure instruction as a place.
    fn computed(&mut self, n: u32) -> Result<Place, (String, String)> {
        let (reads, last) = self.a.virtual_reads(n);
        let op = self.a.operands(n)[last];
        match reads {
            0 => Ok(Place::Computed(n, NONE)),
            1 if op.subreg() == 0 && !op.is_undef() => Ok(Place::Computed(n, op.reg().virt_index() as u32)),
            _ => Err(("a value that is computed anew of several registers".into(), "a copy".into())),
        }
    }

    /// What a place that is no register is at the start of the block.
    fn at_block_start(&self, place: Place, mut at: (u32, u32), block: u32) -> Option<Place> {
        let Place::Computed(n, mut reg) = place else { return Some(place) };
        if reg == NONE {
            return Some(place);
        }
        loop {
            match self.parts.step(self.a, Part { reg, sub: 0 }, u64::MAX, block, at).0 {
                Step::Start => return Some(Place::Computed(n, reg)),
                Step::Moved(part, moved) if part.sub == 0 => (reg, at) = (part.reg, (moved, 0)),
                _ => return None,
            }
        }
    }

    /// The goal is at the start of its block: it holds if it does on all ways there.
    fn at_start(&mut self, g: Goal) -> Result<(), (String, String)> {
        let no_value = || {
            let number = self.b.numbers[g.before_block as usize];
            let what = format!("%{}, which may have no value, as it comes into bb.{number}", g.before.reg);
            ("a value that is computed again".to_string(), what)
        };
        if (g.strict || g.before.reg >= CONSTANT) && g.before_block == 0 {
            return Err(no_value());
        }
        if let Some(home) = self.common_home(&g).filter(|_| !g.strict) {
            // Nothing else changes either: if it holds at the end of that block it holds for good.
            if self.is_new((home | AT_HOME, g.after, g.before, g.lanes, g.strict)) {
                let block = self.a.block_numbered(self.b.numbers[home as usize]).expect("blocks are matched");
                self.push_at_ends(g, block, home);
            }
            return Ok(());
        }
        if !self.is_new((g.block, g.after, g.before, g.lanes, g.strict)) {
            return Ok(());
        }
        let number = self.a.numbers[g.block as usize];
        let old_block = self.b.block_numbered(number).expect("a new block has no goals");
        if let Place::Reg(part) = g.after {
            self.proof.phi_sources[0].read(self.a, g.block, part.reg);
        }
        self.proof.phi_sources[1].read(self.b, old_block, g.before.reg);
        let preds = self.a.preds(g.block);
        for (k, &pred) in preds.iter().enumerate() {
            if preds[..k].last() == Some(&pred) {
                continue;
            }
            let mut after = match g.after {
                Place::Reg(part) => self.proof.phi_sources[0].source(self.a, pred.raw(), part, &self.parts),
                other => Some(other),
            };
            let mut from = pred.raw();
            // Blocks that were put on the edge.
            while self.alignment.block_before[from as usize] == NONE {
                let end = (self.a.block(from).end, 0);
                after = after.and_then(|place| self.across(place, end, from));
                from = self.a.preds(from)[0].raw();
            }
            let Some(after) = after else {
                if let Place::Computed(..) = g.after {
                    return Err(self.texts(&g, None, End::Start));
                }
                self.report.not_checked(NotChecked::Shapes);
                continue;
            };
            let old = self.alignment.block_before[from as usize];
            let before = match self.proof.phi_sources[1].source(self.b, old, g.before, &self.parts) {
                Some(Place::Reg(part)) => part,
                Some(_) if g.strict => return Err(no_value()),
                Some(_) => continue,
                None => {
                    self.report.not_checked(NotChecked::Shapes);
                    continue;
                }
            };
            let goal = Goal { after, before, ..g };
            let flags = self.b.block_flags[old_block as usize];
            if flags & (EH_PAD | ASM_BR_TARGET) == 0 || !self.push_at_exit(goal, from, old, flags) {
                self.push_at_ends(goal, from, old);
            }
        }
        Ok(())
    }

    fn push_at_ends(&mut self, g: Goal, block: u32, before_block: u32) {
        let (at, before_at) = ((self.a.block(block).end, 0), (self.b.block(before_block).end, 0));
        self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
    }

    /// Where control leaves a block ahead of its end: at its last call, or behind its INLINEASM_BRs. Whether it
    /// leaves nowhere else for that block.
    fn push_at_exit(&mut self, g: Goal, block: u32, before_block: u32, flags: u8) -> bool {
        let last = |p: &Program, block: u32, flag: u32| p.block(block).rev().find(|&i| p.instr(i).is(flag));
        if flags & EH_PAD != 0 {
            let calls = (last(self.a, block, Instr::CALL), last(self.b, before_block, Instr::CALL));
            if let (Some(at), Some(before_at)) = calls {
                let (at, before_at) = ((at, 0), (before_at, 0));
                self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
                return true;
            }
        }
        let jumps = (last(self.a, block, Instr::ASM_BR), last(self.b, before_block, Instr::ASM_BR));
        if let (Some(at), Some(before_at)) = jumps {
            let (at, before_at) = ((at + 1, 0), (before_at + 1, 0));
            self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
        }
        false
    }

    /// What a place at a point is at the start of the block, which has only moves.
    fn across(&self, place: Place, mut at: (u32, u32), block: u32) -> Option<Place> {
        let Place::Reg(mut part) = place else { return self.at_block_start(place, at, block) };
        loop {
            match self.parts.step(self.a, part, u64::MAX, block, at).0 {
                Step::Start => return Some(Place::Reg(part)),
                Step::Undefined => return Some(Place::Undefined),
                Step::Moved(from, moved) => (part, at) = (from, (moved, 0)),
                _ => return None,
            }
        }
    }

    /// The block that has all defs of both registers, if control leaves it at its end only; before the pass.
    fn common_home(&self, g: &Goal) -> Option<u32> {
        let home = self.b.home(Some(g.before.reg).filter(|&reg| reg < CONSTANT)?)?;
        let block = self.a.block_numbered(self.b.numbers[home as usize])?;
        let reg = match g.after {
            Place::Reg(part) => part.reg,
            Place::Computed(_, reg) => reg,
            Place::Undefined => NONE,
        };
        let same = reg == NONE || self.a.home(reg) == Some(block);
        // In that block itself a PHI has been at work already.
        (same && block != g.block && !self.b.has_early_exit(home)).then_some(home)
    }

    fn is_new(&mut self, key: Key) -> bool {
        let new = self.proof.known.insert(key);
        if new {
            self.proof.log.push(key);
            self.report.goals += 1;
        }
        new
    }

    fn texts(&self, g: &Goal, after: Option<End>, before: End) -> (String, String) {
        (self.text_after(g, after), self.text_before(g, before))
    }
    fn text_after(&self, g: &Goal, end: Option<End>) -> String {
        let number = self.a.numbers[g.block as usize];
        match (g.after, end) {
            (Place::Reg(part), Some(end)) => self.text(self.a, part, end, number),
            (Place::Computed(n, _), _) => format!("the result of {}", self.name(self.a, n)),
            _ => "no value".into(),
        }
    }
    fn text_before(&self, g: &Goal, end: End) -> String {
        self.text(self.b, g.before, end, self.b.numbers[g.before_block as usize])
    }
    fn text(&self, p: &Program, part: Part, end: End, block: u32) -> String {
        let reg = match part.sub {
            _ if part.reg >= CONSTANT => "a constant".into(),
            0 => format!("%{}", part.reg),
            sub if Halves::is(sub) => format!("{}%{}", Halves::text(sub), part.reg),
            sub => format!("part {sub} of %{}", part.reg),
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
