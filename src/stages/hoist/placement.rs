//! Keeps track of the blocks that instructions are in while the stage moves them.

use super::target::HoistTarget;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::ssa::movable::movable_result;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// An edit: `instr` moves to the end of the code of `to`, in front of the terminators and behind those that moved there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The instruction.
    pub instr: InstrId,
    /// The block that it moves to.
    pub to: BlockId,
}

/// Where instructions are.
#[derive(Default)]
pub struct Placement {
    /// The block of each instruction, moved ones included.
    block_of: IndexVec<InstrId, BlockId>,
    /// By block, its instructions that may move, those that moved there behind its own.
    movable: IndexVec<BlockId, Vec<InstrId>>,
}

impl Placement {
    /// Reads where the instructions of a function are, and which of these blocks' may move.
    pub fn read(&mut self, facts: &SsaFacts, target: &mut impl HoistTarget, blocks: &[BlockId]) {
        self.block_of.clone_from(&facts.block_of);
        self.movable.iter_mut().for_each(Vec::clear);
        let num_blocks = facts.shape.num_blocks().max(self.movable.len());
        self.movable.resize_with(num_blocks, Vec::new);
        for &block in blocks {
            let movable = facts
                .instrs_of(block)
                .filter(|&instr| movable_result(facts, instr).is_some() && target.may_move(instr));
            self.movable[block].extend(movable);
        }
    }
    /// Tells the block that an instruction is in now.
    pub fn block_of(&self, instr: InstrId) -> BlockId {
        self.block_of[instr]
    }
    /// Tells the block in which a register is defined now; none if nothing defines it.
    pub fn block_of_def(&self, facts: &SsaFacts, reg: VRegId) -> Option<BlockId> {
        facts.def_of(reg).map(|def| self.block_of[def])
    }
    /// Lists the instructions of a block that may move, in order.
    pub fn movable(&self, block: BlockId) -> &[InstrId] {
        &self.movable[block]
    }
    /// Moves those instructions up from a block whose results are to be computed above.
    pub fn move_up(
        &mut self,
        facts: &SsaFacts,
        block: BlockId,
        above: BlockId,
        is_above: impl Fn(VRegId) -> bool,
    ) {
        let mut here = std::mem::take(&mut self.movable[block]);
        here.retain(|&instr| {
            let moves = is_above(result_of_movable(facts, instr));
            if moves {
                self.movable[above].push(instr);
                self.block_of[instr] = above;
            }
            !moves
        });
        self.movable[block] = here;
    }
    /// Lists the instructions that have left their blocks, block by block.
    pub fn list_moves(&self, facts: &SsaFacts, moves: &mut Vec<Move>) {
        for to in facts.blocks() {
            let has_moved = |&&instr: &&InstrId| facts.block_of_instr(instr) != to;
            moves.extend(self.movable[to].iter().filter(has_moved).map(|&instr| Move { instr, to }));
        }
    }
}

/// Tells the register that a movable instruction defines.
pub fn result_of_movable(facts: &SsaFacts, instr: InstrId) -> VRegId {
    movable_result(facts, instr).expect("a movable instruction has a result")
}
