//! Lists the definition and the readers of each register, the dominators of blocks, and their
//! loops.
//!
//! **Problem.** The stages before LiveVariables need all this for the same function, often without
//! a change in between.
//!
//! **Algorithm.** One pass over the operands finds the definitions. Another lists the readers when
//! they are first asked for; they are not needed in a function of one block. Dominators and loops
//! are computed again only if the edges differ from those of the last function: these stages change
//! no edges.
//!
//! **Source.** LLVM's `MachineRegisterInfo`, `MachineDominatorTree` and `MachineLoopInfo`.
//! **Deviation:** the facts are arrays of numbers, and are not updated when the function changes.
//!
//! **Complexity.** Linear in operands, plus that of dominators and loops.

use crate::adt::{PackedOption, Rows};
use crate::cfg::{Cfg, Dominators, Loops};
use crate::mir::{BlockId, BlockNumber, FunctionFacts, InstrFlags, InstrId, InstrRun, Operand, VRegId};
use index_vec::IndexVec;
use std::cell::{Cell, OnceCell};
use std::ops::Deref;

/// The code of a function, its definitions and readers, and what is known about its blocks.
#[derive(Default)]
pub struct SsaFacts {
    facts: FunctionFacts,
    /// By virtual register: the instruction that defines it.
    pub def: IndexVec<VRegId, PackedOption<InstrId>>,
    /// By virtual register: how many operands read it.
    pub num_reads: IndexVec<VRegId, u32>,
    /// By virtual register: the instructions that read it, in order, one for each operand. They are
    /// listed when they are first asked for. Empty if there is only one block.
    reads: OnceCell<Rows<VRegId, InstrId>>,
    /// The buffer of `reads`, while they are not listed.
    free_reads: Cell<Rows<VRegId, InstrId>>,
    /// By instruction: its block.
    pub block_of: IndexVec<InstrId, BlockId>,
    /// Predecessors of blocks, and orders.
    pub cfg: Cfg,
    /// Which block dominates which.
    pub dominators: Dominators,
    /// Natural loops.
    pub loops: Loops,
    /// The edges that the graph, the dominators and the loops were computed from.
    succs: Rows<BlockId, BlockId>,
}

impl Deref for SsaFacts {
    type Target = FunctionFacts;
    fn deref(&self) -> &FunctionFacts {
        &self.facts
    }
}

impl SsaFacts {
    /// Calls `read` to fill in the function, and computes all else from it.
    pub fn read<T>(&mut self, read: impl FnOnce(&mut FunctionFacts) -> T) -> T {
        let SsaFacts { facts, def, num_reads, reads, free_reads, block_of, cfg, dominators, loops, succs } =
            self;
        let result = read(facts);
        block_of.clear();
        for block in facts.shape.blocks() {
            block_of.resize(facts.instr_range(block).end.index(), block);
        }
        let num_regs = facts.shape.num_virt_regs;
        def.clear();
        def.resize(num_regs, PackedOption::NONE);
        num_reads.clear();
        num_reads.resize(num_regs, 0);
        for instr in facts.instr_flags.indices() {
            for operand in facts.operands(instr).iter().filter(|o| o.is_virtual()) {
                let reg = operand.reg().virt_index();
                if operand.is_def() {
                    def[reg] = instr.into();
                } else {
                    num_reads[reg] += 1;
                }
            }
        }
        if let Some(listed) = reads.take() {
            free_reads.set(listed);
        }
        if *succs != facts.shape.succs {
            succs.clone_from(&facts.shape.succs);
            cfg.compute(succs);
            dominators.compute(cfg);
            loops.compute(cfg, dominators);
        }
        result
    }
    fn list_reads(&self) -> Rows<VRegId, InstrId> {
        let mut reads = self.free_reads.take();
        reads.clear();
        if self.has_readers() {
            let read = |instr: InstrId| {
                let operands = self.operands(instr).iter().filter(|o| o.is_virtual() && o.is_use());
                operands.map(move |o| (instr, VRegId::from_usize(o.reg().virt_index())))
            };
            reads.collect_counted(self.num_reads.as_raw_slice(), self.instr_ids().flat_map(read));
        }
        reads
    }
    /// Returns whether [`SsaFacts::readers_of`] lists readers, which it does if there is more than
    /// one block.
    pub fn has_readers(&self) -> bool {
        self.shape.num_blocks() > 1
    }
    /// Lists the blocks in layout order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + Clone {
        self.shape.blocks()
    }
    /// Lists all instructions in order.
    pub fn instr_ids(&self) -> impl DoubleEndedIterator<Item = InstrId> + ExactSizeIterator + Clone {
        (0..self.num_instrs()).map(InstrId::from_usize)
    }
    /// Lists the instructions of a block in order.
    pub fn instrs_of(
        &self,
        block: BlockId,
    ) -> impl DoubleEndedIterator<Item = InstrId> + ExactSizeIterator + Clone {
        self.instrs(block)
    }
    /// Returns the block of an instruction.
    pub fn block_of_instr(&self, instr: InstrId) -> BlockId {
        self.block_of[instr]
    }
    /// Lists the predecessors of a block in layout order.
    pub fn preds_of(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + Clone + '_ {
        self.cfg.preds.row(block).iter().copied()
    }
    /// Lists the successors of a block in LLVM's order.
    pub fn succs_of(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> + Clone + '_ {
        self.shape.succs.row(block).iter().copied()
    }
    /// Returns the operands of an instruction.
    pub fn operands_of(&self, instr: InstrId) -> &[Operand] {
        self.operands(instr)
    }
    /// Returns the flags of an instruction, `InstrFlags::PHI` and the others.
    pub fn flags_of(&self, instr: InstrId) -> InstrFlags {
        self.instr_flags[instr]
    }
    /// Returns whether an instruction is a PHI.
    pub fn is_phi_instr(&self, instr: InstrId) -> bool {
        self.is_phi(instr)
    }
    /// Lists the registers that a PHI reads, each with the block at whose end it is read.
    pub fn phi_reads_of(&self, phi: InstrId) -> impl Iterator<Item = (VRegId, BlockId)> + '_ {
        InstrRun::phi_uses(self.operands_of(phi))
            .filter_map(|(reg, number)| Some((reg.vreg()?, self.block_numbered(number))))
    }
    /// Finds the block of LLVM's number `number`.
    pub fn block_numbered(&self, number: BlockNumber) -> BlockId {
        self.shape.block_numbered(number)
    }
    /// Finds the instruction that defines a register. `None` if nothing does.
    pub fn def_of(&self, reg: VRegId) -> Option<InstrId> {
        self.def[reg].get()
    }
    /// Finds the block in which a register is defined. `None` if nothing defines it.
    pub fn block_of_def(&self, reg: VRegId) -> Option<BlockId> {
        self.def_of(reg).map(|def| self.block_of_instr(def))
    }
    /// Lists the instructions that read a register, in order, one for each operand. Empty if there
    /// is only one block.
    pub fn readers_of(
        &self,
        reg: VRegId,
    ) -> impl DoubleEndedIterator<Item = InstrId> + ExactSizeIterator + Clone + '_ {
        self.reads.get_or_init(|| self.list_reads()).row(reg).iter().copied()
    }
    /// Returns whether a block dominates another one or itself. An unreachable block is dominated
    /// by all.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.dominators.dominates(above, below)
    }
    /// Finds the immediate dominator of a block. `None` for the entry and for unreachable blocks.
    pub fn idom_of(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.idom[block].get()
    }
    /// Returns whether two blocks have the same innermost loop, or both are in no loop.
    pub fn have_same_loop(&self, a: BlockId, b: BlockId) -> bool {
        self.loops.innermost(a) == self.loops.innermost(b)
    }
    /// Returns whether a block is in the innermost loop of another one, or the other one is in no
    /// loop.
    pub fn is_in_loop_of(&self, block: BlockId, of: BlockId) -> bool {
        self.loops.is_in_loop_of(block, of)
    }
    /// Computes the facts of a function in a test.
    #[cfg(test)]
    pub(crate) fn of(function: FunctionFacts) -> Self {
        let mut ssa = Self::default();
        ssa.read(|facts| *facts = function);
        ssa
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::testing::{end_block, push, read, write};

    #[test]
    fn who_reads_and_which_block_dominates_is_of_the_function_read_last() {
        // 0 → 1 → 1, 2, with the edges in the order given.
        let function = |of_loop: &[u32]| {
            let mut facts = FunctionFacts::default();
            facts.clear(3, 3);
            push(&mut facts, InstrFlags::NONE, &[write(0)]);
            end_block(&mut facts, 0, &[1]);
            push(&mut facts, InstrFlags::NONE, &[write(1), read(0), read(0)]);
            end_block(&mut facts, 1, of_loop);
            push(&mut facts, InstrFlags::NONE, &[write(2), read(1)]);
            end_block(&mut facts, 2, &[]);
            facts
        };
        let mut ssa = SsaFacts::of(function(&[1, 2]));
        let defs = |ssa: &SsaFacts| ssa.def.iter().map(|d| d.get().map(InstrId::index)).collect::<Vec<_>>();
        assert_eq!((defs(&ssa), &ssa.num_reads.raw[..]), (vec![Some(0), Some(1), Some(2)], &[2, 1, 0][..]));
        let readers = |reg| ssa.readers_of(VRegId::new(reg)).map(InstrId::index).collect::<Vec<_>>();
        assert_eq!([0, 1, 2].map(readers), [vec![1, 1], vec![2], vec![]]);
        assert_eq!((ssa.loops.num_loops(), ssa.dominates(BlockId::new(1), BlockId::new(2))), (1, true));
        ssa.read(|facts| *facts = function(&[2]));
        assert_eq!((ssa.loops.num_loops(), ssa.dominates(BlockId::new(1), BlockId::new(2))), (0, true));
        // One block alone has no rows.
        ssa.read(|facts| {
            facts.clear(2, 1);
            push(facts, InstrFlags::NONE, &[write(0)]);
            push(facts, InstrFlags::NONE, &[write(1), read(0)]);
            end_block(facts, 0, &[]);
        });
        assert_eq!((defs(&ssa), &ssa.num_reads.raw[..]), (vec![Some(0), Some(1)], &[1, 0][..]));
        assert!(!ssa.has_readers());
    }
}
