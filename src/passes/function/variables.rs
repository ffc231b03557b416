//! Declares what a pass may ask of LiveVariables, and how the pass keeps it up to date.

use crate::mir::{BlockNumber, Register};

/// LiveVariables: by virtual register, the blocks that it lives through and the instructions that
/// kill it.
pub trait VariablesHandle: Copy {
    /// A block.
    type Block: Copy;
    /// An instruction.
    type Instr: Copy;

    /// Makes an empty entry for `reg` if there is none.
    fn create_var_info(self, reg: Register);
    /// The instruction of `block` that kills `reg`.
    fn find_kill(self, reg: Register, block: Self::Block) -> Option<Self::Instr>;
    /// Whether `reg` is live into `block`.
    fn is_live_in(self, reg: Register, block: Self::Block) -> bool;
    /// Whether `reg` is live out of `block` for another reason than PHIs of its successors.
    fn is_live_out(self, reg: Register, block: Self::Block) -> bool;
    /// Writes to `out`, for each of `blocks` by number, whether `reg` lives through it or is killed
    /// in it.
    fn lives_in(self, reg: Register, blocks: &[BlockNumber], out: &mut Vec<bool>);
    /// Writes the numbers of the blocks that `reg` lives through to `out`.
    fn alive_blocks(self, reg: Register, out: &mut Vec<BlockNumber>);
    /// Writes the numbers of the blocks that `reg` is killed in to `out`.
    fn kill_blocks(self, reg: Register, out: &mut Vec<BlockNumber>);

    /// Whether `mi` is a kill of `reg`.
    fn is_kill(self, reg: Register, mi: Self::Instr) -> bool;
    /// Removes the block of that number from those that `reg` lives through.
    fn end_alive(self, reg: Register, block: BlockNumber);
    /// Removes a kill. Returns false if `mi` was not one. The operand's flag stays.
    fn remove_kill(self, reg: Register, mi: Self::Instr) -> bool;
    /// Removes a kill and the operand's flag. Returns false if `mi` was not one.
    fn remove_killed(self, reg: Register, mi: Self::Instr) -> bool;
    /// Makes `mi` a kill of `reg` and flags the operand.
    fn add_killed(self, reg: Register, mi: Self::Instr);
    /// Replaces the kill `from` by `to`; flags stay.
    fn replace_kill(self, reg: Register, from: Self::Instr, to: Self::Instr);
    /// Removes a dead def and the operand's flag. Returns false if it was not dead.
    fn remove_dead(self, reg: Register, mi: Self::Instr) -> bool;
    /// Makes the def of `reg` at `mi` dead and flags the operand.
    fn add_dead(self, reg: Register, mi: Self::Instr);
    /// Makes `mi` a kill of `reg` and flags the operand. `reg` no longer lives through the block of
    /// that number, which `mi` is in.
    fn end_at(self, reg: Register, mi: Self::Instr, block: BlockNumber);
    /// Makes `into` live through the blocks that `from` lived through; `from` then lives through
    /// none.
    fn move_alive(self, into: Register, from: Register);
    /// Makes `into` live and end wherever `from` did.
    fn merge(self, into: Register, from: Register);
    /// Computes anew where `reg`, which has one def, lives and ends, kill flags included.
    fn recompute(self, reg: Register);
}
