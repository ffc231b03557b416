//! Lists the registers that PHIs read over each edge, and finds out whether they live on.
//!
//! **Problem.** Several PHIs may read one register over one edge. Only when the last of them has become a copy
//! is the register's life in the predecessor known to be over, unless another successor needs it.
//!
//! **Algorithm.** The uses are listed in the order in which PHIs are lowered; those of one predecessor and
//! register are one class. Classes are found in two steps, by predecessor (counting sort) and within it by
//! register (an array of the last class of each), so nothing is hashed. LiveVariables is asked for all classes of a register
//! at once, before the first PHI is lowered.
//!
//! **Our deviation.** LLVM asks for each use, and goes through all kills of the register each time: PHIs that
//! read one register over hundreds of edges make that quadratic. Answers stay what they were while PHIs are
//! lowered: a register that a copy ends in a block is no longer alive through it but killed there, live into it
//! as before. In the block that defines it the kill would be new; but it ends there only if it is live out
//! nowhere, and then no other block's edges are asked about.
//!
//! **Complexity.** Linear in uses, kills of the registers used, successors of the predecessors and blocks.

use crate::adt::Rows;
use crate::mir::{Operand, Register};
use std::ops::Range;

/// The PHIs of a function and what they read.
#[derive(Default)]
pub(super) struct PhiUses {
    blocks: Vec<(u32, Range<u32>)>,
    phis: Vec<Phi>,
    uses: Vec<Use>,
    classes: Vec<Class>,
    /// By register: the last of its classes so far, if that is one of its.
    last: Vec<u32>,
    rows: Rows,
    preds: Vec<u32>,
    answers: Vec<bool>,
}

struct Phi {
    dst: Operand,
    first_use: u32,
}

/// What a PHI reads over an edge.
#[derive(Clone, Copy)]
pub(super) struct Use {
    /// The register.
    pub(super) source: Operand,
    /// The number of the predecessor.
    pub(super) pred: u32,
    class: u32,
}

/// The uses of a register over the edges from one predecessor.
struct Class {
    reg: u32,
    pred: u32,
    /// How many PHIs with such a use are left.
    left: u32,
    live_out: bool,
}

const UNDEF: u32 = u32::MAX;

impl PhiUses {
    /// Empties it, for a function with that many registers.
    pub(super) fn reset(&mut self, num_virt_regs: usize) {
        self.blocks.clear();
        self.phis.clear();
        self.uses.clear();
        self.classes.clear();
        // Few functions have more uses by PHIs than registers; growing step by step means copying each.
        self.phis.reserve(num_virt_regs / 2);
        self.uses.reserve(num_virt_regs);
    }

    /// Lists the next PHI, of this block.
    pub(super) fn push_phi(&mut self, block: u32, operands: &[Operand]) {
        let phi = self.phis.len() as u32;
        match self.blocks.last_mut().filter(|last| last.0 == block) {
            Some(last) => last.1.end = phi + 1,
            None => self.blocks.push((block, phi..phi + 1)),
        }
        self.phis.push(Phi { dst: operands[0], first_use: self.uses.len() as u32 });
        let pairs = operands[1..].chunks_exact(2);
        self.uses.extend(pairs.map(|p| Use { source: p[0], pred: p[1].block_number(), class: UNDEF }));
    }

    /// All PHIs have been listed; sorts their uses into classes.
    pub(super) fn classify(&mut self, num_block_ids: usize, num_virt_regs: usize) {
        self.rows
            .collect(num_block_ids, self.uses.iter().enumerate().map(|(i, u)| (i as u32, u.pred as usize)));
        self.classes.reserve(self.uses.len());
        self.last.clear();
        self.last.resize(num_virt_regs, 0);
        for block in 0..self.rows.len() {
            let pred = block as u32;
            for &index in self.rows.row(block) {
                let read = &mut self.uses[index as usize];
                if read.source.is_undef() {
                    continue;
                }
                let reg = read.source.reg().virt_index();
                let last = &mut self.last[reg];
                let is_new = |c: &Class| (c.reg as usize, c.pred) != (reg, pred);
                if self.classes.get(*last as usize).is_none_or(is_new) {
                    *last = self.classes.len() as u32;
                    self.classes.push(Class { reg: reg as u32, pred, left: 0, live_out: false });
                }
                read.class = *last;
                self.classes[*last as usize].left += 1;
            }
        }
    }

    /// Finds out where the registers live on. `live_out` is called once for each register, with the numbers of the
    /// predecessors, ascending, and writes an answer for every one.
    pub(super) fn find_live_out(&mut self, mut live_out: impl FnMut(Register, &[u32], &mut Vec<bool>)) {
        let regs = self.classes.iter().enumerate().map(|(i, class)| (i as u32, class.reg as usize));
        self.rows.collect(self.last.len(), regs);
        for reg in 0..self.rows.len() {
            let classes = self.rows.row(reg);
            if classes.is_empty() {
                continue;
            }
            self.preds.clear();
            self.preds.extend(classes.iter().map(|&c| self.classes[c as usize].pred));
            live_out(Register::virt(reg as u32), &self.preds, &mut self.answers);
            for (&class, &answer) in classes.iter().zip(&self.answers) {
                self.classes[class as usize].live_out = answer;
            }
        }
    }

    /// The blocks with PHIs, in order: the number of each and its PHIs.
    pub(super) fn blocks(&self) -> &[(u32, Range<u32>)] {
        &self.blocks
    }

    /// What a PHI defines.
    pub(super) fn dst(&self, phi: u32) -> Operand {
        self.phis[phi as usize].dst
    }

    /// What a PHI reads.
    pub(super) fn uses(&self, phi: u32) -> &[Use] {
        let phi = phi as usize;
        let end = self.phis.get(phi + 1).map_or(self.uses.len(), |next| next.first_use as usize);
        &self.uses[self.phis[phi].first_use as usize..end]
    }

    /// The PHI is lowered: it reads nothing any more. Needs classes.
    pub(super) fn lowered(&mut self, phi: u32) {
        let first = self.phis[phi as usize].first_use as usize;
        for i in first..first + self.uses(phi).len() {
            if let Some(class) = self.classes.get_mut(self.uses[i].class as usize) {
                class.left -= 1;
            }
        }
    }

    /// Whether PHIs that are not lowered yet read the register over the same edge.
    pub(super) fn is_read_again(&self, read: Use) -> bool {
        self.classes[read.class as usize].left != 0
    }

    /// Whether the register is live out of the predecessor for another reason than PHIs, as [`Self::find_live_out`] found
    /// out.
    pub(super) fn is_live_out(&self, read: Use) -> bool {
        self.classes[read.class as usize].live_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phi(sources: &[(u32, u32)]) -> Vec<Operand> {
        let reg = |index| Operand::test_reg(Register::virt(index), false, false);
        let pair = |&(r, b): &(u32, u32)| [reg(r), Operand::test_block(b)];
        [reg(99)].into_iter().chain(sources.iter().flat_map(pair)).collect()
    }

    fn uses(phis: &[Vec<Operand>]) -> PhiUses {
        let mut uses = PhiUses::default();
        // What another function has left is gone.
        uses.push_phi(3, &phi(&[(1, 2)]));
        uses.classify(4, 100);
        uses.reset(100);
        phis.iter().for_each(|phi| uses.push_phi(0, phi));
        uses.classify(4, 100);
        uses
    }

    /// By use of a PHI, whether others read the register over the same edge once it is lowered.
    fn lower(uses: &mut PhiUses, phi: u32) -> Vec<bool> {
        uses.lowered(phi);
        uses.uses(phi).iter().map(|&u| uses.is_read_again(u)).collect()
    }

    #[test]
    fn the_last_phi_of_an_edge_ends_the_register() {
        let mut uses = uses(&[phi(&[(5, 1), (6, 2)]), phi(&[(5, 1), (5, 2)]), phi(&[(6, 1), (6, 2)])]);
        assert_eq!(lower(&mut uses, 0), [true, true]);
        assert_eq!(lower(&mut uses, 1), [false, false]);
        assert_eq!(lower(&mut uses, 2), [false, false]);
    }

    #[test]
    fn an_undefined_source_is_no_use() {
        let mut undef = phi(&[(5, 1)]);
        undef[1] = undef[1].test_flag(Operand::UNDEF_SHIFT);
        let mut uses = uses(&[phi(&[(5, 1)]), undef]);
        assert_eq!(lower(&mut uses, 0), [false]);
        uses.lowered(1);
    }

    #[test]
    fn phis_are_listed_by_block() {
        let mut uses = PhiUses::default();
        uses.push_phi(3, &phi(&[(5, 1), (6, 2)]));
        uses.push_phi(3, &phi(&[(7, 1)]));
        uses.push_phi(1, &phi(&[(8, 3)]));
        assert_eq!(uses.blocks(), [(3, 0..2), (1, 2..3)]);
        let preds = |phi| uses.uses(phi).iter().map(|u| u.pred).collect::<Vec<_>>();
        assert_eq!((preds(0), preds(1), preds(2)), (vec![1, 2], vec![1], vec![3]));
        assert_eq!(uses.dst(1).reg(), Register::virt(99));
    }

    #[test]
    fn every_register_is_asked_for_once() {
        let mut uses = uses(&[phi(&[(6, 3), (5, 1)]), phi(&[(5, 2), (5, 1)])]);
        let mut asked = Vec::new();
        uses.find_live_out(|reg, preds, answers| {
            asked.push((reg.virt_index(), preds.to_vec()));
            answers.clear();
            answers.extend(preds.iter().map(|&p| p == 2));
        });
        assert_eq!(asked, [(5, vec![1, 2]), (6, vec![3])]);
        let answers = |phi| uses.uses(phi).iter().map(|&u| uses.is_live_out(u)).collect::<Vec<_>>();
        assert_eq!((answers(0), answers(1)), (vec![false; 2], vec![true, false]));
    }
}
