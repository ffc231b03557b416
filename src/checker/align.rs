//! Finds which instruction after the pass is which one before it.
//!
//! **Problem.** A pass keeps the instructions that have effects and changes the moves around them.
//! An instruction is the same if LLVM has it at the same address with the same content, in the same
//! block.
//!
//! **Algorithm.** One walk over each block. All instructions with effects must still be there, in
//! the same order. An instruction that is gone must have had no effects, and a new one must have
//! none. [`super::prove`] checks that the results of new ones are right.
//!
//! **Source.** None. **Deviation.** Two things are taken on trust and counted. First, instructions
//! that the target has *rewritten* (an operand folded into it, another opcode): only the operands
//! that keep their registers are checked. Second, the branches of a block with a split edge: there
//! the lists of successors are compared. On NVPTX only edges are split.
//!
//! **Complexity.** Linear, except for sorting the successors of each block.

use super::instr::Instr;
use super::program::Program;
use super::report::{Failure, NotChecked, Report, Rules};
use crate::adt::PackedOption;
use crate::mir::{BlockId, BlockNumber, InstrId};
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// The correspondence between two programs.
#[derive(Default)]
pub struct Alignment {
    /// By instruction after the pass: the one before it. `None` for a new one.
    pub before: IndexVec<InstrId, PackedOption<InstrId>>,
    /// By instruction before the pass: the one after it. `None` for one that is gone.
    pub after: IndexVec<InstrId, PackedOption<InstrId>>,
    /// By instruction before the pass: whether the target has rewritten it.
    pub rewritten_before: IndexVec<InstrId, bool>,
    /// By instruction after the pass: whether the target has rewritten it.
    pub rewritten_after: IndexVec<InstrId, bool>,
    /// By block after the pass: the one before it. `None` for a new block on an edge.
    pub block_before: IndexVec<BlockId, PackedOption<BlockId>>,
    /// Instructions after the pass, in order, that replace a copy to a physical register by
    /// computing its value there.
    pub replaced: Vec<InstrId>,
    by_key: FxHashMap<usize, InstrId>,
}

/// Both programs, the rules, and a report to count in.
struct Comparison<'a> {
    before: &'a Program,
    after: &'a Program,
    rules: Rules,
    report: &'a mut Report,
}

/// A block that exists on both sides.
#[derive(Clone, Copy)]
struct KeptBlock {
    before: BlockId,
    after: BlockId,
    /// Whether one of its edges has a new block now.
    is_split: bool,
}

impl Alignment {
    /// Finds it.
    pub fn find(
        &mut self,
        before: &Program,
        after: &Program,
        rules: Rules,
        report: &mut Report,
    ) -> Result<(), Failure> {
        self.before.clear();
        self.before.resize(after.instrs.len(), PackedOption::NONE);
        self.after.clear();
        self.after.resize(before.instrs.len(), PackedOption::NONE);
        self.rewritten_before.clear();
        self.rewritten_before.resize(before.instrs.len(), false);
        self.rewritten_after.clear();
        self.rewritten_after.resize(after.instrs.len(), false);
        self.replaced.clear();
        self.by_key.clear();
        self.by_key.extend(before.instrs.iter_enumerated().map(|(i, instr)| (instr.key, i)));
        self.align_blocks(before, after)?;
        let mut both = Comparison { before, after, rules, report };
        for block in after.blocks() {
            match self.block_before[block].get() {
                Some(old) => self.align_block(&mut both, old, block)?,
                None => check_new_block(after, block)?,
            }
        }
        Ok(())
    }

    /// Matches the blocks. All must be kept; new ones may lie only on edges.
    fn align_blocks(&mut self, before: &Program, after: &Program) -> Result<(), Failure> {
        self.block_before.clear();
        self.block_before.extend(after.numbers.iter().map(|&n| PackedOption::from(before.block_numbered(n))));
        if let Some(gone) = before.numbers.iter().find(|&&n| after.block_numbered(n).is_none()) {
            return Err(Failure::cfg(format!("{gone} is gone")));
        }
        let (mut old_succs, mut new_succs) = (Vec::new(), Vec::new());
        for block in after.blocks() {
            let number = after.numbers[block];
            let Some(old) = self.block_before[block].get() else {
                if after.preds(block).len() != 1 || after.succs(block).len() != 1 {
                    return Err(Failure::cfg(format!("new {number} is not on an edge")));
                }
                continue;
            };
            old_succs.clear();
            old_succs.extend(before.succs(old).iter().map(|&s| before.numbers[s]));
            new_succs.clear();
            new_succs.extend(after.succs(block).iter().map(|&s| self.end_of_edge(after, s)));
            old_succs.sort_unstable();
            new_succs.sort_unstable();
            if old_succs != new_succs {
                return Err(Failure::cfg(format!(
                    "{number} has successors {new_succs:?}, had {old_succs:?}"
                )));
            }
        }
        Ok(())
    }

    /// Returns the number of the block that an edge to `block` reaches, skipping new blocks on the
    /// edge.
    pub fn end_of_edge(&self, after: &Program, mut block: BlockId) -> BlockNumber {
        for _ in after.blocks() {
            if self.block_before[block].is_some() {
                break;
            }
            block = after.succs(block)[0];
        }
        after.numbers[block]
    }

    fn align_block(&mut self, both: &mut Comparison, before: BlockId, after: BlockId) -> Result<(), Failure> {
        let is_split = both.after.succs(after).iter().any(|&s| self.block_before[s].is_none());
        let block = KeptBlock { before, after, is_split };
        let has_new = self.align_anchors(both, block)?;
        if both.rules.target_rewrites && has_new {
            self.find_rewritten(both, block);
        }
        self.check_new(both, block)?;
        self.check_lost(both, block)
    }

    /// Matches the anchors that are the same. Returns whether the block has others after the pass.
    fn align_anchors(&mut self, both: &mut Comparison, block: KeptBlock) -> Result<bool, Failure> {
        let (before, after) = (both.before, both.after);
        let (mut last, mut last_ordered) = (None, None);
        let mut has_new = false;
        for new in after.block(block.after).filter(|&new| after.instr(new).is_anchor()) {
            let instr = after.instr(new);
            let at_same_address = self.by_key.get(&instr.key).copied();
            let at_same_address = at_same_address
                .filter(|&old| before.block_of(old) == block.before && before.instr(old).is_anchor());
            let Some(old) = at_same_address.filter(|&old| is_same(before, old, after, new)) else {
                has_new = true;
                let flags = if both.rules.target_rewrites { Instr::TIED } else { Instr::COMMUTABLE };
                let may_be_rewritten = |&old: &InstrId| {
                    before.instr(old).is(flags)
                        && !before.operands(old).is_empty()
                        && !after.operands(new).is_empty()
                };
                if let Some(old) = at_same_address.filter(may_be_rewritten) {
                    self.rewritten_before[old] = true;
                    self.rewritten_after[new] = true;
                }
                continue;
            };
            if instr.is(Instr::ORDERED | Instr::LOAD) {
                if last_ordered > Some(old) {
                    let what = "it has changed places with another one that has effects";
                    return Err(Failure::at(new, what.into()));
                }
                last_ordered = Some(old);
            }
            if last > Some(old) && instr.is(Instr::PHYSICAL) {
                both.report.not_checked(NotChecked::MovedPhysical);
            }
            last = last.max(Some(old));
            self.before[new] = old.into();
            self.after[old] = new.into();
        }
        Ok(has_new)
    }

    /// If a tied anchor is gone, counts it and the tied instructions gone after it as rewritten.
    /// The block's new anchors count as their results.
    fn find_rewritten(&mut self, both: &Comparison, block: KeptBlock) {
        let mut is_one_rewritten = false;
        for old in both.before.block(block.before) {
            let instr = both.before.instr(old);
            if self.after[old].is_none() && instr.is(Instr::TIED) && (is_one_rewritten || instr.is_anchor()) {
                self.rewritten_before[old] = true;
                is_one_rewritten = true;
            }
        }
        if is_one_rewritten {
            for new in both.after.block(block.after).filter(|&new| both.after.instr(new).is_anchor()) {
                self.rewritten_after[new] |= self.before[new].is_none();
            }
        }
    }

    /// Checks that the new instructions of a block have no effects. One may write a physical
    /// register if it replaces a copy to that register.
    fn check_new(&mut self, both: &mut Comparison, block: KeptBlock) -> Result<(), Failure> {
        let (before, after) = (both.before, both.after);
        let is_lost_copy = |&old: &InstrId| {
            self.after[old].is_none() && before.instr(old).is(Instr::COPY) && before.writes_physical(old)
        };
        let mut lost_copies = before.block(block.before).filter(is_lost_copy);
        let mut replaced = Vec::new();
        for new in after.block(block.after) {
            let instr = after.instr(new);
            if !instr.is_anchor() || self.before[new].is_some() {
                continue;
            }
            if self.rewritten_after[new] {
                both.report.not_checked(NotChecked::Rewritten);
                continue;
            }
            if block.is_split && instr.is(Instr::BRANCH) {
                both.report.not_checked(NotChecked::SplitEdge);
                continue;
            }
            if !instr.is_pure() {
                return Err(Failure::at(new, "a new instruction that has effects".into()));
            }
            if after.writes_physical(new) {
                let written = |p: &Program, i| p.operands(i).iter().find(|op| op.is_def()).map(|op| op.reg());
                match lost_copies.next().filter(|&old| written(before, old) == written(after, new)) {
                    Some(old) => replaced.push((old, new)),
                    None => {
                        let what = "a new instruction that writes a physical register";
                        return Err(Failure::at(new, what.into()));
                    }
                }
            }
        }
        for (old, new) in replaced {
            self.before[new] = old.into();
            self.after[old] = new.into();
            self.replaced.push(new);
        }
        Ok(())
    }

    /// Checks that the instructions of a block that are gone had no effects.
    fn check_lost(&self, both: &Comparison, block: KeptBlock) -> Result<(), Failure> {
        for old in both.before.block(block.before) {
            let instr = both.before.instr(old);
            let is_lost = instr.is_anchor() && self.after[old].is_none() && !self.rewritten_before[old];
            if !is_lost || block.is_split && instr.is(Instr::BRANCH) {
                continue;
            }
            if instr.is(Instr::ORDERED) || both.before.writes_physical(old) {
                return Err(Failure::lost(old));
            }
        }
        Ok(())
    }
}

/// Checks that a new block on an edge has only moves and branches.
fn check_new_block(after: &Program, block: BlockId) -> Result<(), Failure> {
    let is_more = |i: &Instr| i.is_anchor() && !i.is(Instr::BRANCH) || i.is(Instr::PACK);
    match after.block(block).find(|&i| is_more(after.instr(i))) {
        Some(i) => Err(Failure::at(i, "a new instruction on a split edge".into())),
        None => Ok(()),
    }
}

/// Returns whether the content and the written physical registers are the same.
fn is_same(before: &Program, old: InstrId, after: &Program, new: InstrId) -> bool {
    before.instr(old).content == after.instr(new).content
        && before.operands(old).iter().zip(after.operands(new)).all(|(old, new)| {
            !old.is_def() || !new.is_def() || old.is_virtual() && new.is_virtual() || old.reg() == new.reg()
        })
}
