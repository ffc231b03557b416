//! Liveness by definition: the reference of the property tests.
//!
//! **Problem.** A test that shares code or ideas with the tested code finds nothing. So this has no
//! sets by block, no pieces, no walk over the dominator tree and no search in the order of uses. It
//! is slow on purpose.
//!
//! **Algorithm.** A register is live at a point (a slot, up to the next one) in two cases: the next
//! slot reads it, or it is live at the next point and the next slot does not define it. After the
//! last point of a block come the first points of all successors. That is iterated until nothing
//! changes. Where several values meet, the criterion of Cytron et al. itself is used, instead of
//! the frontiers that compute it. A block that is live in needs a PHI-def if and only if two defs
//! reach it on paths that share only that block and have no other def on them. By Menger, that is
//! so if no single block cuts all paths. Then exactly one value must be found backwards from every
//! other block, and that is checked.
//!
//! LiveVariables is LLVM's own walk, transcribed with its lists and their order.
//!
//! **Source.** The definitions; `LiveVariables.cpp` (`HandleVirtRegUse`, `HandleVirtRegDef`,
//! `MarkVirtRegAliveInBlock`, `runOnBlock`). **Complexity.** Points times registers times rounds;
//! for values blocks squared at worst.

use super::random::reached;
use crate::liveness::slot_index::{Slot, SlotIndex};
use crate::mir::{BlockId, FunctionFacts, InstrId};
use std::collections::BTreeSet;

/// From, to, and where the value is defined.
pub type NaiveSegment = (SlotIndex, SlotIndex, SlotIndex);

/// The defs and uses of one register.
#[derive(Default, Clone)]
pub struct RegEvents {
    /// Some operand names it.
    pub named: bool,
    /// The slot of each operand that defines it, in layout order.
    pub chain_defs: Vec<SlotIndex>,
    /// The slot of each operand that reads it; for PHIs the end of the predecessor.
    pub chain_uses: Vec<SlotIndex>,
}

impl RegEvents {
    /// Returns the slots of the defs in the order of `chain`, one for each instruction: its
    /// earliest slot, in the place of its first def in the chain.
    pub fn defs_in_order_of(chain: &[SlotIndex]) -> Vec<SlotIndex> {
        let mut defs: Vec<SlotIndex> = Vec::new();
        for &def in chain {
            match defs.iter_mut().find(|d| d.entry() == def.entry()) {
                Some(known) => *known = def.min(*known),
                None => defs.push(def),
            }
        }
        defs
    }
}

/// A function as events on slots.
pub struct Program {
    pub succs: Vec<Vec<usize>>,
    pub preds: Vec<Vec<usize>>,
    pub reachable: Vec<bool>,
    /// Start of each block, and the end of the last.
    pub starts: Vec<SlotIndex>,
    /// By instruction: its entry.
    pub entries: Vec<u32>,
    /// By virtual register.
    pub regs: Vec<RegEvents>,
}

/// The solution for one register.
pub struct Solution {
    /// By point.
    pub live: Vec<bool>,
    pub live_in: Vec<bool>,
    pub live_out: Vec<bool>,
    /// The blocks that need a PHI-def.
    pub phis: Vec<bool>,
    /// In order.
    pub segments: Vec<NaiveSegment>,
}

impl Program {
    pub fn of(f: &FunctionFacts) -> Program {
        let n = f.shape.num_blocks();
        let succs: Vec<Vec<usize>> = (0..n)
            .map(|b| f.shape.succs.row(BlockId::from_usize(b)).iter().map(|s| s.index()).collect())
            .collect();
        let mut preds = vec![Vec::new(); n];
        for (block, succs) in succs.iter().enumerate() {
            succs.iter().for_each(|&s| preds[s].push(block));
        }
        let mut p = Program {
            reachable: reached(&succs),
            succs,
            preds,
            starts: Vec::new(),
            entries: Vec::new(),
            regs: vec![RegEvents::default(); f.shape.num_virt_regs],
        };
        // PHIs read at ends of blocks that may not be numbered yet.
        let mut phi_uses = Vec::new();
        let mut entry = 0;
        for block in 0..n {
            p.starts.push(SlotIndex::new(entry, Slot::Block));
            for i in f.instrs(block.into()) {
                entry += u32::from(!f.instr_flags[i].is_in_bundle());
                p.entries.push(entry);
                for (index, op) in f.operands(i).iter().enumerate() {
                    if !op.is_reg() || !op.reg().is_virtual() || op.is_debug() {
                        continue;
                    }
                    let reg = op.reg().virt_index();
                    p.regs[reg].named = true;
                    let slot = if op.is_early_clobber() { Slot::EarlyClobber } else { Slot::Register };
                    let at = SlotIndex::new(entry, slot);
                    if f.is_phi(i) && index > 0 {
                        if op.reads() {
                            let number = f.operands(i)[index + 1].block_number();
                            phi_uses.push((reg, f.shape.block_numbered(number).index()));
                        }
                        continue;
                    }
                    if op.reads() {
                        p.regs[reg].chain_uses.push(at);
                    }
                    if op.is_def() {
                        p.regs[reg].chain_defs.push(at);
                    }
                }
            }
            entry += 1;
        }
        p.starts.push(SlotIndex::new(entry, Slot::Block));
        for (reg, block) in phi_uses {
            let end = p.end(block);
            p.regs[reg].chain_uses.push(end);
        }
        p
    }

    pub fn num_blocks(&self) -> usize {
        self.succs.len()
    }
    pub fn end(&self, block: usize) -> SlotIndex {
        self.starts[block + 1]
    }
    /// Returns the points of a block.
    fn points(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block].0 as usize..self.end(block).0 as usize
    }
    pub fn num_defs(&self, reg: usize) -> usize {
        RegEvents::defs_in_order_of(&self.regs[reg].chain_defs).len()
    }

    /// Returns where `reg` is live, and with which value. Without `values` it leaves PHI-defs and
    /// segments out.
    pub fn solve(&self, reg: usize, values: bool) -> Solution {
        let n = self.num_blocks();
        let num_points = self.starts[n].0 as usize;
        let mut used = vec![false; num_points + 1];
        let mut defined = vec![false; num_points + 1];
        self.regs[reg].chain_uses.iter().for_each(|u| used[u.0 as usize] = true);
        let defs = RegEvents::defs_in_order_of(&self.regs[reg].chain_defs);
        defs.iter().for_each(|d| defined[d.0 as usize] = true);

        let mut live = vec![false; num_points];
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..n).rev() {
                let points = self.points(block);
                let mut next = self.succs[block].iter().any(|&s| live[self.starts[s].0 as usize]);
                for p in points.clone().rev() {
                    // The slot after the last point belongs to the next block, except for reads of
                    // PHIs.
                    let inside = p + 1 < points.end;
                    next = used[p + 1] || next && !(inside && defined[p + 1]);
                    changed |= next != live[p];
                    live[p] = next;
                }
            }
        }
        // A def that is never read lives to the end of its instruction.
        for def in &defs {
            (def.0..def.dead().0).for_each(|p| live[p as usize] = true);
        }
        let live_in: Vec<bool> = (0..n).map(|b| live[self.points(b).start]).collect();
        let live_out: Vec<bool> = (0..n).map(|b| live[self.points(b).end - 1]).collect();
        let mut solution = Solution { live, live_in, live_out, phis: vec![false; n], segments: Vec::new() };
        if values {
            self.values(&defined, &mut solution);
        }
        solution
    }

    fn values(&self, defined: &[bool], solution: &mut Solution) {
        let n = self.num_blocks();
        let last_def: Vec<Option<SlotIndex>> =
            (0..n).map(|b| self.points(b).rev().find(|&p| defined[p]).map(|p| SlotIndex(p as u32))).collect();
        for block in 0..n {
            solution.phis[block] = solution.live_in[block] && self.two_values_meet(block, &last_def);
        }
        for block in 0..n {
            let mut value = None;
            if solution.phis[block] {
                value = Some(self.starts[block]);
            } else if solution.live_in[block] {
                let mut found = self.values_before(block, &last_def, &solution.phis);
                // In an unreachable block a register may be live in without a def. It then has the
                // only value that there is.
                if !self.reachable[block] && found.is_empty() {
                    found.extend(last_def.iter().flatten());
                }
                assert_eq!(found.len(), 1, "the criterion for PHI-defs is wrong at block {block}: {found:?}");
                value = found.first().copied();
            }
            for p in self.points(block) {
                if defined[p] {
                    value = Some(SlotIndex(p as u32));
                }
                if !solution.live[p] {
                    continue;
                }
                let (start, end) = (SlotIndex(p as u32), SlotIndex(p as u32 + 1));
                let value = value.expect("live without a value");
                match solution.segments.last_mut() {
                    Some(last) if last.1 == start && last.2 == value => last.1 = end,
                    _ => solution.segments.push((start, end, value)),
                }
            }
        }
    }

    /// Returns whether two defs reach the start of `block` on paths that share nothing but `block`.
    fn two_values_meet(&self, block: usize, last_def: &[Option<SlotIndex>]) -> bool {
        // Most blocks have one predecessor, which would be the cut.
        if self.preds[block].iter().all(|&p| p == self.preds[block][0]) {
            return false;
        }
        let Some(path) = self.path_to_def(block, None, last_def) else { return false };
        // A cut of one block would be on every path, so on this one.
        path.iter().all(|&without| self.path_to_def(block, Some(without), last_def).is_some())
    }

    /// Returns the blocks on some path back from the start of `block` to a def, the block of the
    /// def included. The path avoids block `without`.
    fn path_to_def(
        &self,
        block: usize,
        without: Option<usize>,
        last_def: &[Option<SlotIndex>],
    ) -> Option<Vec<usize>> {
        let n = self.num_blocks();
        let mut from = vec![None; n];
        let mut stack = vec![block];
        let mut first = true;
        while let Some(at) = stack.pop() {
            for &pred in &self.preds[at] {
                if from[pred].is_some() || Some(pred) == without {
                    continue;
                }
                from[pred] = Some(if first { usize::MAX } else { at });
                if last_def[pred].is_some() {
                    let mut path = vec![pred];
                    while let Some(next) = from[path[path.len() - 1]].filter(|&next| next != usize::MAX) {
                        path.push(next);
                    }
                    return Some(path);
                }
                // Back at the start nothing is new.
                if pred != block {
                    stack.push(pred);
                }
            }
            first = false;
        }
        None
    }

    /// Returns all values that are found backwards from the start of `block`.
    fn values_before(
        &self,
        block: usize,
        last_def: &[Option<SlotIndex>],
        phis: &[bool],
    ) -> BTreeSet<SlotIndex> {
        let mut found = BTreeSet::new();
        let mut seen = vec![false; self.num_blocks()];
        let mut stack = vec![block];
        while let Some(at) = stack.pop() {
            for &pred in &self.preds[at] {
                if std::mem::replace(&mut seen[pred], true) {
                    continue;
                }
                match last_def[pred] {
                    Some(def) => drop(found.insert(def)),
                    None if phis[pred] => drop(found.insert(self.starts[pred])),
                    None => stack.push(pred),
                }
            }
        }
        found
    }

    /// Returns the immediate dominators: `a` dominates `b` if `b` cannot be reached without `a`.
    pub fn idoms(&self) -> Vec<Option<usize>> {
        let n = self.num_blocks();
        let mut dominators = vec![vec![0]; n];
        for a in 1..n {
            let mut succs = self.succs.clone();
            succs[a].clear();
            let without = reached(&succs);
            // Blocks that `a` dominates are not reached; `a` itself still is.
            for b in (1..n).filter(|&b| self.reachable[b] && !without[b]) {
                dominators[b].push(a);
            }
        }
        // All but the block itself are listed; the nearest has most dominators.
        (0..n)
            .map(|b| {
                let above = dominators[b].iter().copied().filter(|&a| a != b);
                above
                    .max_by_key(|&a| dominators[a].len() + usize::from(a != 0))
                    .filter(|_| b != 0 && self.reachable[b])
            })
            .collect()
    }

    /// Returns the blocks in depth-first preorder from the entry.
    pub fn preorder(&self) -> Vec<usize> {
        fn visit(p: &Program, block: usize, order: &mut Vec<usize>) {
            order.push(block);
            for &succ in &p.succs[block] {
                if !order.contains(&succ) {
                    visit(p, succ, order);
                }
            }
        }
        let mut order = Vec::new();
        visit(self, 0, &mut order);
        order
    }
}

/// `LiveVariables::VarInfo`, and the def that it is looked up by.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
pub struct NaiveVarInfo {
    /// (block, instruction) of the only def.
    pub def: Option<(usize, InstrId)>,
    /// Blocks by position in the layout.
    pub alive: BTreeSet<usize>,
    /// (block, instruction).
    pub kills: Vec<(usize, InstrId)>,
}

impl NaiveVarInfo {
    fn mark_alive(&mut self, p: &Program, block: usize) {
        let mut worklist = vec![block];
        while let Some(block) = worklist.pop() {
            if let Some(i) = self.kills.iter().position(|k| k.0 == block) {
                self.kills.remove(i);
            }
            if self.def.expect("SSA").0 != block && self.alive.insert(block) {
                worklist.extend(p.preds[block].iter().rev());
            }
        }
    }

    fn handle_use(&mut self, p: &Program, block: usize, instr: InstrId) {
        if let Some(last) = self.kills.last_mut().filter(|k| k.0 == block) {
            last.1 = instr;
            return;
        }
        if self.def.expect("SSA").0 == block {
            return;
        }
        if !self.alive.contains(&block) {
            self.kills.push((block, instr));
        }
        for &pred in &p.preds[block] {
            self.mark_alive(p, pred);
        }
    }
}

/// LLVM's walk over a function in SSA form whose blocks are all reachable.
pub fn live_variables(f: &FunctionFacts, p: &Program) -> Vec<NaiveVarInfo> {
    let mut infos = vec![NaiveVarInfo::default(); f.shape.num_virt_regs];
    let mut phi_uses = vec![Vec::new(); f.shape.num_blocks()];
    for block in 0..f.shape.num_blocks() {
        for i in f.instrs(block.into()) {
            for (index, op) in f.operands(i).iter().enumerate() {
                if !op.is_reg() || !op.reg().is_virtual() {
                    continue;
                }
                let reg = op.reg().virt_index();
                if op.is_def() {
                    infos[reg].def = Some((block, i));
                } else if f.is_phi(i) && op.reads() {
                    let number = f.operands(i)[index + 1].block_number();
                    phi_uses[f.shape.block_numbered(number).index()].push(reg);
                }
            }
        }
    }
    for block in p.preorder() {
        for i in f.instrs(block.into()) {
            let virt = || f.operands(i).iter().filter(|op| op.is_reg() && op.reg().is_virtual());
            if !f.is_phi(i) {
                for op in virt().filter(|op| op.is_use() && op.reads() && !op.is_debug()) {
                    infos[op.reg().virt_index()].handle_use(p, block, i);
                }
            }
            for op in virt().filter(|op| op.is_def()) {
                let info = &mut infos[op.reg().virt_index()];
                if info.alive.is_empty() {
                    info.kills.push((block, i));
                }
            }
        }
        for &reg in &phi_uses[block] {
            infos[reg].mark_alive(p, block);
        }
    }
    infos
}
