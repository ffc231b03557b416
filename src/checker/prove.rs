//! Shows that every operand behind the pass reads the value that the same operand read before it.

use super::goal::{Goal, Mismatch, Place};
use super::program::{Instr, Point, NONE};
use super::prover::Prover;
use super::report::{CheckerTarget, Failure};
use super::step::Part;
use crate::mir::Operand;

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
            at: Point::before(i),
            block: self.a.block_of(i),
            before: Part { reg: op.reg().virt_index() as u32, sub: op.subreg() }.into(),
            before_at: Point::before(m),
            before_block: self.b.block_of(m),
            lanes: u64::MAX,
            is_strict: false,
        });
        self.show_goals(0).map_err(|why| self.failure(i, index, why))
    }

    /// Shows all goals. If one fails, what was assumed since the log had `logged` entries may be wrong and is forgotten.
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

    fn failure(&self, i: u32, operand: usize, why: Mismatch) -> Failure {
        let Mismatch { found, wanted } = why;
        let operand = Some(operand);
        Failure { instr: Some(i), operand, found, wanted, ..Failure::default() }
    }
}
