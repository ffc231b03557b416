//! Lists the registers that PHIs read over each edge, and finds where they live on.
//!
//! **Problem.** Several PHIs may read one register over one edge. The register ends in the
//! predecessor only when the last of them has become a copy, and only if no other successor needs
//! it.
//!
//! **Algorithm.** The uses are listed in the order in which PHIs are lowered. The uses of one
//! register over the edges from one predecessor are a class. Classes are found in two steps without
//! hashing: by predecessor (counting sort), and within it by register (an array of the last class
//! of each). LiveVariables is queried for all classes of a register at once, before the first PHI
//! is lowered.
//!
//! **Our deviation.** LLVM queries for each use, and walks all kills of the register each time.
//! That is quadratic where PHIs read one register over hundreds of edges.
//!
//! The answers stay right while PHIs are lowered. A register that a copy ends in a block was alive
//! through it and is now killed in it: it is live into it as before. Only in the block that defines
//! it would a kill be new. But it ends there only if it is not live out, and then no other block's
//! edges matter.
//!
//! **Complexity.** Linear in uses, kills of the registers used, successors of the predecessors and
//! blocks.

use super::host::PhiId;
use crate::adt::{PackedOption, Rows};
use crate::mir::{BlockNumber, Operand, Register, VRegId};
use index_vec::IndexVec;

index_vec::define_index_type! {
    /// A source operand of a PHI, numbered over all PHIs.
    struct UseId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A class of uses.
    struct ClassId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// The PHIs of a function and the registers that they read.
#[derive(Default)]
pub(super) struct PhiUses {
    blocks: Vec<BlockPhis>,
    phis: IndexVec<PhiId, Phi>,
    uses: IndexVec<UseId, Use>,
    classes: IndexVec<ClassId, Class>,
    /// By register, the last of its classes so far.
    last: IndexVec<VRegId, PackedOption<ClassId>>,
    uses_by_pred: Rows<BlockNumber, UseId>,
    classes_by_reg: Rows<VRegId, ClassId>,
    /// By block that a PHI reads from, its successors.
    succs: Rows<BlockNumber, BlockNumber>,
    /// The successors of one register's predecessors, predecessor by predecessor, and the answer
    /// for each.
    asked: Vec<BlockNumber>,
    answers: Vec<bool>,
}

/// The PHIs of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockPhis {
    pub(super) block: BlockNumber,
    first: PhiId,
    /// One past the last.
    end: PhiId,
}

impl BlockPhis {
    /// Lists them in order.
    pub(super) fn phis(self) -> impl Iterator<Item = PhiId> {
        (self.first.raw()..self.end.raw()).map(PhiId::from_raw)
    }
}

struct Phi {
    dst: Operand,
    first_use: UseId,
}

/// A register that a PHI reads over an edge.
#[derive(Clone, Copy)]
pub(super) struct Use {
    /// The register.
    pub(super) source: Operand,
    /// The predecessor.
    pub(super) pred: BlockNumber,
    /// `None` if the register is undefined.
    class: PackedOption<ClassId>,
}

/// The uses of a register over the edges from one predecessor.
struct Class {
    reg: VRegId,
    pred: BlockNumber,
    /// The number of uses whose PHIs are not lowered yet.
    num_unlowered: u32,
    is_live_out: bool,
}

impl PhiUses {
    /// Empties it for a function with this many registers.
    pub(super) fn reset(&mut self, num_virt_regs: usize) {
        self.blocks.clear();
        self.phis.clear();
        self.uses.clear();
        self.classes.clear();
        // Few functions have more PHI uses than registers. Growing step by step would copy them
        // each time.
        self.phis.reserve(num_virt_regs / 2);
        self.uses.reserve(num_virt_regs);
    }

    /// Lists the next PHI, of this block.
    pub(super) fn push_phi(&mut self, block: BlockNumber, operands: &[Operand]) {
        let phi = self.phis.push(Phi { dst: operands[0], first_use: self.uses.len_idx() });
        match self.blocks.last_mut().filter(|last| last.block == block) {
            Some(last) => last.end = phi + 1,
            None => self.blocks.push(BlockPhis { block, first: phi, end: phi + 1 }),
        }
        let pairs = operands[1..].chunks_exact(2);
        self.uses.extend(pairs.map(|pair| {
            let (source, pred) = (pair[0], pair[1].block_number());
            Use { source, pred, class: PackedOption::NONE }
        }));
    }

    /// Sorts the uses into classes when all PHIs have been listed.
    pub(super) fn classify(&mut self, num_block_ids: usize, num_virt_regs: usize) {
        self.uses_by_pred.collect(num_block_ids, self.uses.iter_enumerated().map(|(i, u)| (i, u.pred)));
        self.classes.reserve(self.uses.len());
        self.last.clear();
        self.last.resize(num_virt_regs, PackedOption::NONE);
        for (pred, uses) in self.uses_by_pred.iter() {
            for &id in uses {
                let read = &mut self.uses[id];
                let Some(reg) = read.source.vreg().filter(|_| !read.source.is_undef()) else { continue };
                let known = self.last[reg].get().filter(|&class| self.classes[class].pred == pred);
                let new = || Class { reg, pred, num_unlowered: 0, is_live_out: false };
                let class = known.unwrap_or_else(|| self.classes.push(new()));
                self.last[reg] = class.into();
                read.class = class.into();
                self.classes[class].num_unlowered += 1;
            }
        }
    }

    /// Lists the successors of the blocks that PHIs read from; `list` appends those of one. Needs
    /// classes.
    pub(super) fn list_successors(&mut self, list: impl Fn(BlockNumber, &mut Vec<BlockNumber>)) {
        self.succs.clear();
        for (block, uses) in self.uses_by_pred.iter() {
            self.asked.clear();
            if !uses.is_empty() {
                list(block, &mut self.asked);
            }
            self.succs.push_row(self.asked.iter().copied());
        }
    }

    /// Finds where the registers live on: in which successors of the predecessors. `lives_in` is
    /// called once for each register, with blocks. It writes for each block whether the register
    /// lives through it or is killed in it. Needs successors.
    pub(super) fn find_live_out(
        &mut self,
        mut lives_in: impl FnMut(Register, &[BlockNumber], &mut Vec<bool>),
    ) {
        let regs = self.classes.iter_enumerated().map(|(id, class)| (id, class.reg));
        self.classes_by_reg.collect(self.last.len(), regs);
        for (reg, classes) in self.classes_by_reg.iter().filter(|(_, classes)| !classes.is_empty()) {
            self.asked.clear();
            for &class in classes {
                self.asked.extend_from_slice(self.succs.row(self.classes[class].pred));
            }
            lives_in(reg.into(), &self.asked, &mut self.answers);
            let mut answers = &self.answers[..];
            for &class in classes {
                let class = &mut self.classes[class];
                let these;
                (these, answers) = answers.split_at(self.succs.row(class.pred).len());
                class.is_live_out = these.contains(&true);
            }
        }
    }

    /// Lists the blocks with PHIs, in order.
    pub(super) fn blocks(&self) -> &[BlockPhis] {
        &self.blocks
    }

    /// Returns the operand that a PHI defines.
    pub(super) fn dst(&self, phi: PhiId) -> Operand {
        self.phis[phi].dst
    }

    /// Lists the registers that a PHI reads.
    pub(super) fn uses(&self, phi: PhiId) -> &[Use] {
        let end = self.phis.get(phi + 1).map_or(self.uses.len_idx(), |next| next.first_use);
        self.uses[self.phis[phi].first_use..end].as_raw_slice()
    }

    /// Notes that a PHI is lowered: it reads nothing any more. Needs classes.
    pub(super) fn set_lowered(&mut self, phi: PhiId) {
        let first = self.phis[phi].first_use.index();
        for id in (first..first + self.uses(phi).len()).map(UseId::from_usize) {
            if let Some(class) = self.uses[id].class.get() {
                self.classes[class].num_unlowered -= 1;
            }
        }
    }

    fn class_of(&self, read: Use) -> &Class {
        &self.classes[read.class.get().expect("a register that is defined has a class")]
    }

    /// Tells whether PHIs that are not lowered yet read the register over the same edge; undefined
    /// reads do not count. If `read` itself is undefined, [`Self::find_live_out`] must have run.
    pub(super) fn is_read_again(&self, read: Use) -> bool {
        let is_unlowered = |class: ClassId| self.classes[class].num_unlowered != 0;
        match (read.class.get(), read.source.vreg()) {
            (Some(class), _) => is_unlowered(class),
            (None, Some(reg)) => {
                let classes = self.classes_by_reg.row(reg).iter();
                classes
                    .filter(|&&class| self.classes[class].pred == read.pred)
                    .any(|&class| is_unlowered(class))
            }
            (None, None) => false,
        }
    }

    /// Tells whether the register is live out of the predecessor for another reason than PHIs, as
    /// [`Self::find_live_out`] found.
    pub(super) fn is_live_out(&self, read: Use) -> bool {
        self.class_of(read).is_live_out
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

    fn block(number: u32) -> BlockNumber {
        BlockNumber::from_raw(number)
    }

    fn uses(phis: &[Vec<Operand>]) -> PhiUses {
        let mut uses = PhiUses::default();
        // Traces of another function, which must be gone.
        uses.push_phi(block(3), &phi(&[(1, 2)]));
        uses.classify(4, 100);
        uses.reset(100);
        phis.iter().for_each(|phi| uses.push_phi(block(0), phi));
        uses.classify(4, 100);
        uses
    }

    /// Lowers a PHI; tells for each of its uses whether others read the register over the same
    /// edge.
    fn lower(uses: &mut PhiUses, phi: usize) -> Vec<bool> {
        let phi = PhiId::new(phi);
        uses.set_lowered(phi);
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
    fn an_undefined_source_is_not_a_use() {
        let mut undef = phi(&[(5, 1)]);
        undef[1] = undef[1].test_flag(Operand::UNDEF_SHIFT);
        let mut uses = uses(&[phi(&[(5, 1)]), undef]);
        assert_eq!(lower(&mut uses, 0), [false]);
        uses.set_lowered(PhiId::new(1));
    }

    #[test]
    fn phis_are_listed_by_block() {
        let mut uses = PhiUses::default();
        uses.push_phi(block(3), &phi(&[(5, 1), (6, 2)]));
        uses.push_phi(block(3), &phi(&[(7, 1)]));
        uses.push_phi(block(1), &phi(&[(8, 3)]));
        let phis = |of: &BlockPhis| (of.block.raw(), of.phis().map(|phi| phi.raw()).collect::<Vec<_>>());
        let listed: Vec<_> = uses.blocks().iter().map(phis).collect();
        assert_eq!(listed, [(3, vec![0, 1]), (1, vec![2])]);
        let preds = |phi| uses.uses(PhiId::new(phi)).iter().map(|u| u.pred.raw()).collect::<Vec<_>>();
        assert_eq!((preds(0), preds(1), preds(2)), (vec![1, 2], vec![1], vec![3]));
        assert_eq!(uses.dst(PhiId::new(1)).reg(), Register::virt(99));
    }

    #[test]
    fn every_register_is_asked_for_once() {
        let mut uses = uses(&[phi(&[(6, 3), (5, 1)]), phi(&[(5, 2), (5, 1)])]);
        // Block 1 has the successor 7, block 2 has 7 and 8, block 3 none.
        uses.list_successors(|pred, succs| {
            succs.extend([7, 8].map(block).into_iter().take([0, 1, 2, 0][pred.index()]));
        });
        let mut asked = Vec::new();
        uses.find_live_out(|reg, succs, answers| {
            asked.push((reg.virt_index(), succs.to_vec()));
            answers.clear();
            answers.extend(succs.iter().map(|&s| s == block(8)));
        });
        assert_eq!(asked, [(5, [7, 7, 8].map(block).to_vec()), (6, vec![])]);
        let answers =
            |phi| uses.uses(PhiId::new(phi)).iter().map(|&u| uses.is_live_out(u)).collect::<Vec<_>>();
        assert_eq!((answers(0), answers(1)), (vec![false; 2], vec![true, false]));
    }
}
