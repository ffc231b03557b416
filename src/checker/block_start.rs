//! Takes goals at the start of a block to the ends of its predecessors.

use super::goal::{End, Goal, Key, KeyPoint, Mismatch, Origin, Place};
use super::program::{Instr, Point, Program, ASM_BR_TARGET, EH_PAD, NONE};
use super::prover::Prover;
use super::report::{CheckerTarget, NotChecked};
use super::step::Step;

impl<T: CheckerTarget> Prover<'_, T> {
    /// The goal is at the start of its block: it holds if it does on all ways there.
    pub fn at_start(&mut self, g: Goal) -> Result<(), Mismatch> {
        if (g.is_strict || g.before.is_constant()) && g.before_block == 0 {
            return Err(self.no_value(&g));
        }
        if let Some(home) = self.common_home(&g).filter(|_| !g.is_strict) {
            // Nothing else changes either: if it holds at the end of that block it holds for good.
            if self.is_new(g.key(KeyPoint::EndOfHome(home))) {
                let block = self.a.block_numbered(self.b.numbers[home as usize]).expect("blocks are matched");
                self.push_at_ends(g, block, home);
            }
            return Ok(());
        }
        if !self.is_new(g.key(KeyPoint::StartOf(g.block))) {
            return Ok(());
        }
        let number = self.a.numbers[g.block as usize];
        let old_block = self.b.block_numbered(number).expect("a new block has no goals");
        if let Place::Reg(part) = g.after {
            self.proof.phi_sources[0].read(self.a, g.block, Some(part.reg));
        }
        self.proof.phi_sources[1].read(self.b, old_block, g.before.part().map(|part| part.reg));
        let preds = self.a.preds(g.block);
        for (k, &pred) in preds.iter().enumerate() {
            if preds[..k].last() == Some(&pred) {
                continue;
            }
            self.go_to_predecessor(&g, pred.raw(), old_block)?;
        }
        Ok(())
    }

    /// The goal at the end of a predecessor, behind its block's PHIs.
    fn go_to_predecessor(&mut self, g: &Goal, pred: u32, old_block: u32) -> Result<(), Mismatch> {
        let mut after = match g.after {
            Place::Reg(part) => self.proof.phi_sources[0].source(self.a, pred, part, &self.parts),
            other => Some(other),
        };
        let mut from = pred;
        // Blocks that were put on the edge.
        while self.alignment.block_before[from as usize] == NONE {
            after = after.and_then(|place| self.across(place, Point::before(self.a.block(from).end), from));
            from = self.a.preds(from)[0].raw();
        }
        let Some(after) = after else {
            if let Place::Computed { .. } = g.after {
                return Err(self.mismatch(g, None, End::Start));
            }
            self.report.not_checked(NotChecked::Shapes);
            return Ok(());
        };
        let old = self.alignment.block_before[from as usize];
        let source = |part| self.proof.phi_sources[1].source(self.b, old, part, &self.parts);
        let before = match g.before.part().map(source) {
            None => g.before,
            Some(Some(Place::Reg(part))) => part.into(),
            Some(Some(_)) if g.is_strict => return Err(self.no_value(g)),
            Some(Some(_)) => return Ok(()),
            Some(None) => {
                self.report.not_checked(NotChecked::Shapes);
                return Ok(());
            }
        };
        let goal = Goal { after, before, ..*g };
        let flags = self.b.block_flags[old_block as usize];
        if flags & (EH_PAD | ASM_BR_TARGET) == 0 || !self.push_at_exit(goal, from, old, flags) {
            self.push_at_ends(goal, from, old);
        }
        Ok(())
    }

    fn no_value(&self, g: &Goal) -> Mismatch {
        let number = self.b.numbers[g.before_block as usize];
        let value = match g.before.origin {
            Origin::Reg(reg) => format!("%{reg}"),
            Origin::Constant(_) => "a constant".into(),
        };
        Mismatch {
            found: "a value that is computed again".into(),
            wanted: format!("{value}, which may have no value, as it comes into bb.{number}"),
        }
    }

    fn push_at_ends(&mut self, g: Goal, block: u32, before_block: u32) {
        let [at, before_at] = [self.a.block(block).end, self.b.block(before_block).end].map(Point::before);
        self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
    }

    /// Where control leaves a block ahead of its end: at its last call, or behind its INLINEASM_BRs. Whether it
    /// leaves nowhere else for that block.
    fn push_at_exit(&mut self, g: Goal, block: u32, before_block: u32, flags: u8) -> bool {
        let last = |p: &Program, block: u32, flag: u32| p.block(block).rev().find(|&i| p.instr(i).is(flag));
        if flags & EH_PAD != 0 {
            let calls = (last(self.a, block, Instr::CALL), last(self.b, before_block, Instr::CALL));
            if let (Some(at), Some(before_at)) = calls {
                let [at, before_at] = [at, before_at].map(Point::before);
                self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
                return true;
            }
        }
        let jumps = (last(self.a, block, Instr::ASM_BR), last(self.b, before_block, Instr::ASM_BR));
        if let (Some(at), Some(before_at)) = jumps {
            let [at, before_at] = [at + 1, before_at + 1].map(Point::before);
            self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
        }
        false
    }

    /// Maps a place at a point to the place that it had at the start of the block, which has only moves.
    fn across(&self, place: Place, mut at: Point, block: u32) -> Option<Place> {
        let Place::Reg(mut part) = place else { return self.at_block_start(place, at, block) };
        loop {
            match self.parts.step(self.a, part, u64::MAX, block, at).0 {
                Step::Start => return Some(Place::Reg(part)),
                Step::Undefined => return Some(Place::Undefined),
                Step::Moved(from, moved) => (part, at) = (from, Point::before(moved)),
                _ => return None,
            }
        }
    }

    /// The block that has all defs of both registers, if control leaves it at its end only; before the pass.
    fn common_home(&self, g: &Goal) -> Option<u32> {
        let home = self.b.home(g.before.part()?.reg)?;
        let block = self.a.block_numbered(self.b.numbers[home as usize])?;
        let reg = match g.after {
            Place::Reg(part) => Some(part.reg),
            Place::Computed { reads, .. } => reads,
            Place::Undefined => None,
        };
        let same = reg.is_none_or(|reg| self.a.home(reg) == Some(block));
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
}
