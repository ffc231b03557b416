//! Shows that every operand after the pass reads the value that the same operand read before it.
//!
//! **Algorithm.** Each operand of an anchor that reads a virtual register is a goal; all other
//! goals come from these. If one fails, the operands of a commutable instruction are tried swapped.
//!
//! **Complexity.** Linear in the operands, plus the goals. For a commutable instruction that has
//! failed, each pair of its operands is tried.

use super::goal::{Goal, Mismatch, Place};
use super::instr::Instr;
use super::program::Point;
use super::proof::EarlyClobber;
use super::prover::Prover;
use super::report::{CheckerTarget, Failure};
use super::step::Part;
use crate::mir::{InstrId, Operand};

impl<T: CheckerTarget> Prover<'_, T> {
    /// Shows it for all operands.
    pub fn run(&mut self) -> Result<(), Failure> {
        self.proof.known.clear();
        for new in self.after.instrs.indices() {
            if !self.after.instr(new).is_anchor() {
                continue;
            }
            match self.alignment.before[new].get() {
                Some(old) if self.alignment.replaced.binary_search(&new).is_ok() => {
                    self.show_replaced(old, new)?;
                }
                Some(old) => self.show_instr(old, new)?,
                None if self.alignment.rewritten_after[new] => self.show_rewritten(new)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Shows that `new` computes the value that the copy `old` took to a physical register.
    fn show_replaced(&mut self, old: InstrId, new: InstrId) -> Result<(), Failure> {
        let place = self.rematerialised(new).map_err(|why| failure(new, 0, why))?;
        let Some(copied) = Part::read_by(self.before.operands(old)[1]) else {
            return Err(Failure::at(new, "it was a copy of a physical register".into()));
        };
        self.show_value(new, 1, place, old, copied)
    }

    /// Shows it for an instruction that is the same, with other registers.
    fn show_instr(&mut self, old: InstrId, new: InstrId) -> Result<(), Failure> {
        self.show_early_clobbers(old, new)?;
        for index in 0..self.before.operands(old).len() {
            if let Err(failure) = self.show_operand(old, new, index, index) {
                return if self.commutes(old, new) { Ok(()) } else { Err(failure) };
            }
        }
        self.show_targets(old, new)
    }

    /// Shows that a branch leads to the same blocks as before. New blocks may lie on the edges.
    fn show_targets(&self, old: InstrId, new: InstrId) -> Result<(), Failure> {
        if !self.before.instr(old).is(Instr::BRANCH) {
            return Ok(());
        }
        for (op, new_op) in self.before.operands(old).iter().zip(self.after.operands(new)) {
            let is_block = op.kind() == crate::mir::Kind::Other;
            if !is_block || op.block_number() == new_op.block_number() {
                continue;
            }
            let to = self.after.block_numbered(new_op.block_number());
            let to = to.map(|to| self.alignment.end_of_edge(self.after, to));
            if to != Some(op.block_number()) {
                return Err(Failure::at(new, format!("it jumps elsewhere: before to {}", op.block_number())));
            }
        }
        Ok(())
    }

    /// Shows it for operand `new_index` of `new` and operand `old_index` of `old`.
    fn show_operand(
        &mut self,
        old: InstrId,
        new: InstrId,
        old_index: usize,
        new_index: usize,
    ) -> Result<(), Failure> {
        let (old_op, new_op) = (self.before.operands(old)[old_index], self.after.operands(new)[new_index]);
        let Some(old_part) = value_read(old_op) else { return Ok(()) };
        if !new_op.is_use() || !new_op.reg().is_virtual() {
            return Err(Failure::at(new, format!("operand {new_index} was a virtual register")));
        }
        self.show_value(new, new_index, Place::read_by(new_op), old, old_part)
    }

    /// Returns whether the operands match when two that commute are swapped.
    fn commutes(&mut self, old: InstrId, new: InstrId) -> bool {
        if !self.after.instr(new).is(Instr::COMMUTABLE) {
            return false;
        }
        let operands = self.after.operands(new);
        let uses: Vec<usize> = (0..operands.len()).filter(|&index| operands[index].is_use()).collect();
        for (k, &x) in uses.iter().enumerate() {
            for &y in &uses[k + 1..] {
                if !self.parts.target.commutes(self.after.instr(new).key, x, y) {
                    continue;
                }
                let swapped = |index| match index {
                    _ if index == x => y,
                    _ if index == y => x,
                    _ => index,
                };
                let matches = |index| self.show_operand(old, new, swapped(index), index).is_ok();
                if (0..operands.len()).all(matches) {
                    self.report.commuted += 1;
                    return true;
                }
            }
        }
        false
    }

    /// Shows that no operand reads a register that an early-clobber def of the same instruction has
    /// overwritten.
    fn show_early_clobbers(&mut self, old: InstrId, new: InstrId) -> Result<(), Failure> {
        let (new_ops, old_ops) = (self.after.operands(new), self.before.operands(old));
        let early = &mut self.proof.early_clobbers;
        early.clear();
        let defs = new_ops.iter().enumerate().filter(|(_, op)| op.is_def() && op.is_early_clobber());
        early.extend(defs.map(|(operand, op)| EarlyClobber { reg: op.reg(), operand }));
        if early.is_empty() {
            return Ok(());
        }
        early.sort_unstable();
        for (read, op) in new_ops.iter().enumerate() {
            if value_read(*op).is_none() || op.is_tied() {
                continue;
            }
            let first = early.partition_point(|e| e.reg < op.reg());
            let mut same = early[first..].iter().take_while(|e| e.reg == op.reg());
            if let Some(e) = same.find(|e| old_ops[e.operand].reg() != old_ops[read].reg()) {
                let what = format!("operand {read} is read when operand {} has overwritten it", e.operand);
                return Err(Failure::at(new, what));
            }
        }
        Ok(())
    }

    /// Shows it for an instruction that the target has made from another one, for the registers
    /// that both read.
    fn show_rewritten(&mut self, new: InstrId) -> Result<(), Failure> {
        let before = self.alignment.block_before[self.after.block_of(new)].get();
        let before = before.expect("a new block has no rewritten instruction");
        for (index, &op) in self.after.operands(new).iter().enumerate() {
            let Some(part) = value_read(op) else { continue };
            let reads_same = |old: &Operand| old.is_use() && *old == op.with_kill(old.is_kill());
            let old = self.before.block(before).find(|&old| {
                self.alignment.rewritten_before[old]
                    && self.before.instr(old).key == self.after.instr(new).key
                    && self.before.operands(old).iter().any(reads_same)
            });
            if let Some(old) = old {
                self.show_value(new, index, Place::Reg(part), old, part)?;
            }
        }
        Ok(())
    }

    /// Shows that `place`, at operand `index` of `new`, has the value that `part` has at `old`.
    fn show_value(
        &mut self,
        new: InstrId,
        index: usize,
        place: Place,
        old: InstrId,
        part: Part,
    ) -> Result<(), Failure> {
        self.report.uses += 1;
        self.proof.log.clear();
        self.proof.goals.clear();
        self.proof.goals.push(Goal {
            after: place,
            at: Point::before(new),
            block: self.after.block_of(new),
            before: part.into(),
            before_at: Point::before(old),
            before_block: self.before.block_of(old),
            lanes: u64::MAX,
            is_strict: false,
        });
        self.show_goals(0).map_err(|why| failure(new, index, why))
    }

    /// Shows all goals. If one fails, forgets what was assumed since the log had `logged` entries:
    /// it may be wrong.
    pub fn show_goals(&mut self, logged: usize) -> Result<(), Mismatch> {
        while let Some(goal) = self.proof.goals.pop() {
            if let Err(why) = self.show(goal) {
                for key in self.proof.log.drain(logged..) {
                    self.proof.known.remove(&key);
                }
                return Err(why);
            }
        }
        Ok(())
    }
}

/// Returns the part of a virtual register whose value an operand reads.
pub(super) fn value_read(op: Operand) -> Option<Part> {
    Part::read_by(op).filter(|_| op.is_use() && !op.is_undef())
}

fn failure(instr: InstrId, operand: usize, why: Mismatch) -> Failure {
    let Mismatch { found, wanted } = why;
    Failure { instr: Some(instr), operand: Some(operand), found, wanted, ..Failure::default() }
}
