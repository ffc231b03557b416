//! Takes goals at the start of a block to the ends of its predecessors.
//!
//! **Algorithm.** A goal at a block's start holds if it holds at the end of each predecessor, with
//! PHI results replaced by their sources. It is remembered; when it is reached again, it is assumed
//! proved. If one block has all defs of both registers and another block asks, the goal is asked
//! once, at the end of the defining block.
//!
//! **Complexity.** The blocks that a pair of registers is live through.

use super::goal::{End, Goal, Key, KeyPoint, Mismatch, Origin, Place};
use super::instr::Instr;
use super::program::{EarlyEntry, Point, Program};
use super::prover::Prover;
use super::report::{CheckerTarget, NotChecked};
use super::step::Step;
use crate::mir::BlockId;

/// A block, and the one that it was before the pass.
#[derive(Clone, Copy)]
struct Blocks {
    after: BlockId,
    before: BlockId,
}

impl<T: CheckerTarget> Prover<'_, T> {
    /// Shows a goal at the start of its block: it holds if it holds on all paths there.
    pub fn at_start(&mut self, g: Goal) -> Result<(), Mismatch> {
        if (g.is_strict || g.before.is_constant()) && Program::is_entry(g.before_block) {
            return Err(self.no_value(&g));
        }
        if let Some(blocks) = self.common_def_block(&g).filter(|_| !g.is_strict) {
            // No other block changes either of them: what holds at the end of that block holds for
            // good.
            if self.is_new(g.key(KeyPoint::EndOfDefBlock(blocks.before))) {
                self.push_at_ends(g, blocks);
            }
            return Ok(());
        }
        if !self.is_new(g.key(KeyPoint::StartOf(g.block))) {
            return Ok(());
        }
        let old_block = self.before.block_numbered(self.after.numbers[g.block]);
        let old_block = old_block.expect("a new block has no goals");
        if let Place::Reg(part) = g.after {
            self.proof.phi_after.read(self.after, g.block, Some(part.reg));
        }
        self.proof.phi_before.read(self.before, old_block, g.before.part().map(|part| part.reg));
        let preds = self.after.preds(g.block);
        for (k, &pred) in preds.iter().enumerate() {
            if preds[..k].last() == Some(&pred) {
                continue;
            }
            self.go_to_predecessor(&g, pred, self.before.early_entries[old_block])?;
        }
        Ok(())
    }

    /// Takes the goal to the end of a predecessor, through the PHIs of its block. `entry` says how
    /// else control may enter the block.
    fn go_to_predecessor(&mut self, g: &Goal, pred: BlockId, entry: EarlyEntry) -> Result<(), Mismatch> {
        let mut after = match g.after {
            Place::Reg(part) => self.proof.phi_after.source(self.after, pred, part, &self.parts),
            other => Some(other),
        };
        let mut from = pred;
        // Blocks that were put on the edge.
        let old = loop {
            if let Some(old) = self.alignment.block_before[from].get() {
                break old;
            }
            after = after.and_then(|place| self.across(place, from));
            from = self.after.preds(from)[0];
        };
        let Some(after) = after else {
            if let Place::Rematerialised { .. } = g.after {
                return Err(self.mismatch(g, None, End::Start));
            }
            self.report.not_checked(NotChecked::NoIndex);
            return Ok(());
        };
        let source = |part| self.proof.phi_before.source(self.before, old, part, &self.parts);
        let before = match g.before.part().map(source) {
            None => g.before,
            Some(Some(Place::Reg(part))) => part.into(),
            Some(Some(_)) if g.is_strict => return Err(self.no_value(g)),
            Some(Some(_)) => return Ok(()),
            Some(None) => {
                self.report.not_checked(NotChecked::NoIndex);
                return Ok(());
            }
        };
        let (goal, blocks) = (Goal { after, before, ..*g }, Blocks { after: from, before: old });
        if !entry.is_possible() || !self.push_at_exit(goal, blocks, entry) {
            self.push_at_ends(goal, blocks);
        }
        Ok(())
    }

    fn no_value(&self, g: &Goal) -> Mismatch {
        let number = self.before.numbers[g.before_block];
        let value = match g.before.origin {
            Origin::Reg(reg) => format!("{reg}"),
            Origin::Constant(_) => "a constant".into(),
        };
        Mismatch {
            found: "a value that is computed again".into(),
            wanted: format!("{value}, which may have no value, as it comes into {number}"),
        }
    }

    fn push_at_ends(&mut self, g: Goal, blocks: Blocks) {
        self.push_at(g, blocks, self.after.end(blocks.after), self.before.end(blocks.before));
    }

    fn push_at(&mut self, g: Goal, blocks: Blocks, at: Point, before_at: Point) {
        let Blocks { after: block, before: before_block } = blocks;
        self.proof.goals.push(Goal { at, block, before_at, before_block, ..g });
    }

    /// Pushes the goal where control leaves a block before its end: at its last call, or after its
    /// INLINEASM_BRs. Returns whether control reaches the goal's block from nowhere else in it.
    fn push_at_exit(&mut self, g: Goal, blocks: Blocks, entry: EarlyEntry) -> bool {
        let last = |flag: u32| {
            let last = |p: &Program, block| p.block(block).rev().find(|&i| p.instr(i).is(flag));
            Some((last(self.after, blocks.after)?, last(self.before, blocks.before)?))
        };
        if let Some((at, before_at)) = entry.from_call.then(|| last(Instr::CALL)).flatten() {
            self.push_at(g, blocks, Point::before(at), Point::before(before_at));
            return true;
        }
        if let Some((at, before_at)) = last(Instr::ASM_BR) {
            self.push_at(g, blocks, Point::before(at + 1), Point::before(before_at + 1));
        }
        false
    }

    /// Maps a place at the end of a block of moves to its place at the block's start.
    fn across(&self, place: Place, block: BlockId) -> Option<Place> {
        let mut at = self.after.end(block);
        let Place::Reg(mut part) = place else { return self.at_block_start(place, at, block) };
        loop {
            match self.parts.step(self.after, part, u64::MAX, block, at).0 {
                Step::Start => return Some(Place::Reg(part)),
                Step::Undefined => return Some(Place::Undefined),
                Step::Moved { from, by } => (part, at) = (from, Point::before(by)),
                _ => return None,
            }
        }
    }

    /// Finds the block that has all defs of both registers, if it is not the goal's and control
    /// leaves it only at its end.
    fn common_def_block(&self, g: &Goal) -> Option<Blocks> {
        let before = self.before.def_block(g.before.part()?.reg)?;
        let after = self.after.block_numbered(self.before.numbers[before])?;
        let reg = match g.after {
            Place::Reg(part) => Some(part.reg),
            Place::Rematerialised { reads, .. } => reads,
            Place::Undefined => None,
        };
        let same = reg.is_none_or(|reg| self.after.def_block(reg) == Some(after));
        // In that block itself a PHI has already taken effect.
        (same && after != g.block && !self.before.has_early_exit(before)).then_some(Blocks { after, before })
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
