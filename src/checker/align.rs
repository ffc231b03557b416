//! Which instruction behind the pass is which one before it.
//!
//! **Problem.** A pass keeps the instructions that do something and changes moves around them. An instruction
//! is the same if LLVM has it at the same address with the same content, in the same block.
//!
//! **Algorithm.** One walk over each block. What must not be lost is there, in the same order; what was lost
//! has no effects; what is new has none either: that its results are right is for [`super::prove`] to see.
//!
//! **Deviation.** Two things are taken on trust and counted: an instruction that the target has *rewritten* (an
//! operand folded into it, another opcode), of which only the operands that keep their registers are checked;
//! and branches of a block one of whose edges was split, where the lists of successors are compared. NVPTX has
//! neither but for split edges.

use super::program::{Instr, Program, NONE};
use super::report::{Failure, NotChecked, Report, Rules};
use rustc_hash::FxHashMap;

/// The correspondence of two programs.
#[derive(Default)]
pub struct Alignment {
    /// By instruction behind the pass, the one before it; [`NONE`] for a new one.
    pub before: Vec<u32>,
    /// By instruction before the pass, the one behind it.
    pub after: Vec<u32>,
    /// By instruction before and behind: the target has rewritten it.
    pub rewritten_before: Vec<bool>,
    /// See above.
    pub rewritten_after: Vec<bool>,
    /// By block behind the pass, the one before it; [`NONE`] for one that was put on an edge.
    pub block_before: Vec<u32>,
    /// Instructions behind the pass, in order, that compute what was copied to a physical register.
    pub replaced: Vec<u32>,
    by_key: FxHashMap<usize, u32>,
}

impl Alignment {
    /// Finds it.
    pub fn find(
        &mut self,
        b: &Program,
        a: &Program,
        rules: Rules,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.before.clear();
        self.before.resize(a.instrs.len(), NONE);
        self.after.clear();
        self.after.resize(b.instrs.len(), NONE);
        self.rewritten_before.clear();
        self.rewritten_before.resize(b.instrs.len(), false);
        self.rewritten_after.clear();
        self.rewritten_after.resize(a.instrs.len(), false);
        self.replaced.clear();
        self.by_key.clear();
        self.by_key.extend(b.instrs.iter().enumerate().map(|(i, instr)| (instr.key, i as u32)));
        self.blocks(b, a)?;
        for block in 0..a.num_blocks() as u32 {
            let before = self.block_before[block as usize];
            if before == NONE {
                self.new_block(a, block)?;
            } else {
                self.instrs(b, a, (before, block), rules, report)?;
            }
        }
        Ok(())
    }

    /// Blocks are the same, but for new ones on edges.
    fn blocks(&mut self, b: &Program, a: &Program) -> Result<(), Failure> {
        self.block_before.clear();
        self.block_before.extend(a.numbers.iter().map(|&n| b.block_numbered(n).unwrap_or(NONE)));
        for &number in &b.numbers {
            if a.block_numbered(number).is_none() {
                return Err(Failure::cfg(format!("bb.{number} is gone")));
            }
        }
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for block in 0..a.num_blocks() as u32 {
            let before = self.block_before[block as usize];
            if before == NONE {
                let (preds, succs) = (a.preds(block), a.succs(block));
                if preds.len() != 1 || succs.len() != 1 {
                    return Err(Failure::cfg(format!(
                        "new bb.{} is not on an edge",
                        a.numbers[block as usize]
                    )));
                }
                continue;
            }
            theirs.clear();
            theirs.extend(b.succs(before).iter().map(|&s| b.numbers[s.index()]));
            ours.clear();
            ours.extend(a.succs(block).iter().map(|&s| self.end_of_edge(a, s.raw())));
            theirs.sort_unstable();
            ours.sort_unstable();
            if theirs != ours {
                let number = a.numbers[block as usize];
                return Err(Failure::cfg(format!("bb.{number} has successors {ours:?}, had {theirs:?}")));
            }
        }
        Ok(())
    }

    /// The number of the block that an edge to `block` leads to, new blocks on it left out.
    pub fn end_of_edge(&self, a: &Program, mut block: u32) -> u32 {
        for _ in 0..a.num_blocks() {
            if self.block_before[block as usize] != NONE {
                break;
            }
            block = a.succs(block)[0].raw();
        }
        a.numbers[block as usize]
    }

    fn new_block(&self, a: &Program, block: u32) -> Result<(), Failure> {
        let is_more = |i: &Instr| i.is_anchor() && !i.is(Instr::BRANCH) || i.is(Instr::PACK);
        match a.block(block).find(|&i| is_more(a.instr(i))) {
            Some(i) => Err(Failure::at(i, "a new instruction on a split edge".into())),
            None => Ok(()),
        }
    }

    fn instrs(
        &mut self,
        b: &Program,
        a: &Program,
        (before, block): (u32, u32),
        rules: Rules,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let is_split = a.succs(block).iter().any(|&s| self.block_before[s.index()] == NONE);
        let mut last_ordered = None;
        let mut last = None;
        let mut has_new = false;
        for i in a.block(block).filter(|&i| a.instr(i).is_anchor()) {
            let instr = a.instr(i);
            let same = self.by_key.get(&instr.key).copied().filter(|&m| b.block_of(m) == before);
            let same = same.filter(|&m| b.instr(m).is_anchor());
            let Some(m) = same.filter(|&m| is_same(b, m, a, i)) else {
                has_new = true;
                if let Some(m) = same.filter(|&m| {
                    let flags = if rules.target_rewrites { Instr::TIED } else { Instr::COMMUTABLE };
                    b.instr(m).is(flags) && b.operands(m).len().min(a.operands(i).len()) > 0
                }) {
                    self.rewritten_before[m as usize] = true;
                    self.rewritten_after[i as usize] = true;
                }
                continue;
            };
            if instr.is(Instr::ORDERED | Instr::LOAD) {
                if last_ordered > Some(m) {
                    return Err(Failure::at(
                        i,
                        "it has changed places with another one that has effects".into(),
                    ));
                }
                last_ordered = Some(m);
            }
            if last > Some(m) && instr.is(Instr::PHYSICAL) {
                report.not_checked(NotChecked::MovedPhysical);
            }
            last = last.max(Some(m));
            self.before[i as usize] = m;
            self.after[m as usize] = i;
        }
        if rules.target_rewrites && has_new {
            let is_tied = |m: u32| {
                self.after[m as usize] == NONE && b.instr(m).is_anchor() && b.instr(m).is(Instr::TIED)
            };
            if let Some(m) = b.block(before).find(|&m| is_tied(m)) {
                self.rewritten_before[m as usize] = true;
                for m in b.block(before).skip((m + 1 - b.block(before).start) as usize) {
                    let tied = self.after[m as usize] == NONE && b.instr(m).is(Instr::TIED);
                    self.rewritten_before[m as usize] |= tied;
                }
                for i in a.block(block).filter(|&i| a.instr(i).is_anchor()) {
                    self.rewritten_after[i as usize] |= self.before[i as usize] == NONE;
                }
            }
        }
        self.new_and_lost(b, a, (before, block), is_split, report)
    }

    /// What is new and what is lost in a block.
    fn new_and_lost(
        &mut self,
        b: &Program,
        a: &Program,
        (before, block): (u32, u32),
        is_split: bool,
        report: &mut Report,
    ) -> Result<(), Failure> {
        // Copies to physical registers that the value is computed for anew.
        let mut lost = b.block(before).filter(|&m| {
            self.after[m as usize] == NONE && b.instr(m).is(Instr::COPY) && b.writes_physical(m)
        });
        let mut replaced = Vec::new();
        for i in a.block(block) {
            let instr = a.instr(i);
            if !instr.is_anchor() || self.before[i as usize] != NONE {
                continue;
            }
            if self.rewritten_after[i as usize] {
                report.not_checked(NotChecked::Rewritten);
                continue;
            }
            if is_split && instr.is(Instr::BRANCH) {
                report.not_checked(NotChecked::SplitEdge);
                continue;
            }
            if !instr.is_pure() {
                return Err(Failure::at(i, "a new instruction that has effects".into()));
            }
            if a.writes_physical(i) {
                let written =
                    |p: &Program, i: u32| p.operands(i).iter().find(|op| op.is_def()).map(|op| op.reg());
                match lost.next().filter(|&m| written(b, m) == written(a, i)) {
                    Some(m) => replaced.push((m, i)),
                    None => {
                        return Err(Failure::at(
                            i,
                            "a new instruction that writes a physical register".into(),
                        ))
                    }
                }
            }
        }
        for (m, i) in replaced {
            self.before[i as usize] = m;
            self.after[m as usize] = i;
            self.replaced.push(i);
        }
        for m in b.block(before) {
            let instr = b.instr(m);
            if !instr.is_anchor() || self.after[m as usize] != NONE || self.rewritten_before[m as usize] {
                continue;
            }
            if is_split && instr.is(Instr::BRANCH) {
                continue;
            }
            if instr.is(Instr::ORDERED) || b.writes_physical(m) {
                return Err(Failure::lost(m, before));
            }
        }
        Ok(())
    }
}

/// Whether the content is the same, and the physical registers that are written.
fn is_same(b: &Program, m: u32, a: &Program, i: u32) -> bool {
    b.instr(m).content == a.instr(i).content
        && b.operands(m).iter().zip(a.operands(i)).all(|(old, new)| {
            !old.is_def() || !new.is_def() || old.is_virtual() && new.is_virtual() || old.reg() == new.reg()
        })
}
