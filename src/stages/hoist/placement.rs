//! Tracks the blocks of instructions while the stage moves them.

use super::target::HoistTarget;
use crate::mir::{BlockId, InstrId, VRegId};
use crate::ssa::movable::movable_result;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// An edit: `instr` moves to the end of the code of `to`, before the terminators and after the
/// instructions that moved there earlier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The instruction.
    pub instr: InstrId,
    /// The block that it moves to.
    pub to: BlockId,
}

/// The present blocks of instructions.
#[derive(Default)]
pub struct Placement {
    /// The block of each instruction, moved ones included.
    block_of: IndexVec<InstrId, BlockId>,
    /// By block: its movable instructions; those that moved there come after its own.
    movable: IndexVec<BlockId, Vec<InstrId>>,
}

impl Placement {
    /// Reads the blocks of a function's instructions, and which instructions of `blocks` may move.
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
    /// Returns the block that an instruction is in now.
    pub fn block_of(&self, instr: InstrId) -> BlockId {
        self.block_of[instr]
    }
    /// Returns the block in which a register is defined now. `None` if it has no definition.
    pub fn block_of_def(&self, facts: &SsaFacts, reg: VRegId) -> Option<BlockId> {
        facts.def_of(reg).map(|def| self.block_of[def])
    }
    /// Returns the movable instructions of a block, in order.
    pub fn movable(&self, block: BlockId) -> &[InstrId] {
        &self.movable[block]
    }
    /// Moves the movable instructions of a block whose results are to be computed above.
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
    /// Lists the instructions that have left their blocks, by target block.
    pub fn list_moves(&self, facts: &SsaFacts, moves: &mut Vec<Move>) {
        for to in facts.blocks() {
            let has_moved = |&&instr: &&InstrId| facts.block_of_instr(instr) != to;
            moves.extend(self.movable[to].iter().filter(has_moved).map(|&instr| Move { instr, to }));
        }
    }
}

/// Returns the register that a movable instruction defines.
pub fn result_of_movable(facts: &SsaFacts, instr: InstrId) -> VRegId {
    movable_result(facts, instr).expect("a movable instruction has a result")
}
