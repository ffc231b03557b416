//! The methods of LiveVariables in a build for an LLVM that computes nothing about virtual
//! registers.

use super::facts::Handles;
use super::handles::{LiveVariables, MachineBasicBlock, MachineInstr};
use crate::mir::{BlockNumber, LocalRegisters, Register, VarInfo};

/// Methods that cannot be called, because their receiver has no value.
macro_rules! uncallable {
    ($($(#[$doc:meta])* $vis:vis $name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        impl<'f> LiveVariables<'f> {
            $(
                $(#[$doc])*
                $vis fn $name(self, $($arg: $ty),*) $(-> $result)? {
                    $(let _ = $arg;)*
                    match self.never {}
                }
            )*
        }
    };
}

uncallable! {
    /// Whether it has facts about any register.
    pub(crate) is_filled() -> bool;
    /// Connects the empty analysis to the function, which has this many PHIs, and fills in local
    /// registers from their pieces.
    pub(crate) begin_filling(handles: Handles<'_, 'f>, registers: LocalRegisters, num_phis: usize);
    /// Fills in other registers. Their rows of `alive` are LLVM's block numbers; their rows of
    /// `kills` are entries of instructions.
    pub fill(handles: Handles<'_, 'f>, infos: &[VarInfo], alive: &[u32], kills: &[u32]);
    /// Makes an empty entry for `reg` if there is none.
    pub(crate) create_var_info(reg: Register);
    /// The instruction of `block` that kills `reg`.
    pub(crate) find_kill(reg: Register, block: MachineBasicBlock<'f>) -> Option<MachineInstr<'f>>;
    /// Whether `mi` is a kill of `reg`.
    pub(crate) is_kill(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// Says that `reg` does not live through the block with this number.
    pub(crate) end_alive(reg: Register, block: BlockNumber);
    /// `VarInfo::removeKill`: whether `mi` was a kill. The operand's flag stays.
    pub(crate) remove_kill(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// Removes the kill and the operand's flag. Returns `false` if `mi` was not a kill.
    pub remove_killed(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// Makes `mi` a kill of `reg`, and sets the operand's flag.
    pub(crate) add_killed(reg: Register, mi: MachineInstr<'f>);
    /// Replaces the kill `from` by `to`; flags stay.
    pub(crate) replace_kill(reg: Register, from: MachineInstr<'f>, to: MachineInstr<'f>);
    /// Removes a dead def and the operand's flag. Returns `false` if it was not dead.
    pub(crate) remove_dead(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// Makes the def of `reg` at `mi` dead, and sets the operand's flag.
    pub(crate) add_dead(reg: Register, mi: MachineInstr<'f>);
    /// Whether `reg` is live into `block`.
    pub is_live_in(reg: Register, block: MachineBasicBlock<'f>) -> bool;
    /// Whether `reg` is live out of `block` for another reason than the PHIs of its successors.
    pub is_live_out(reg: Register, block: MachineBasicBlock<'f>) -> bool;
    /// Reads, for each of `blocks`, whether `reg` lives through it or is killed in it. Linear in
    /// the kills of `reg` and the blocks.
    pub(crate) lives_in(reg: Register, blocks: &[BlockNumber], out: &mut Vec<bool>);
    /// Reads the numbers of the blocks that `reg` lives through.
    pub(crate) alive_blocks(reg: Register, out: &mut Vec<BlockNumber>);
    /// Reads the numbers of the blocks in which `reg` is killed.
    pub(crate) kill_blocks(reg: Register, out: &mut Vec<BlockNumber>);
    /// Makes `mi`, in the block with this number, a kill of `reg`, which then does not live through
    /// the block. Sets the operand's flag.
    pub(crate) end_at(reg: Register, mi: MachineInstr<'f>, block: BlockNumber);
    /// The instructions that kill `reg`.
    pub(crate) kills(reg: Register) -> Vec<MachineInstr<'f>>;
    /// Says that `reg` lives through no block.
    pub(crate) clear_alive(reg: Register);
    /// Adds the blocks that `from` lives through to those of `into`.
    pub(crate) add_alive(into: Register, from: Register);
    /// Empties the entry of `reg`, which no longer exists.
    pub clear(reg: Register);
    /// Recomputes where `reg`, which has one def, lives and ends, including kill flags.
    pub(crate) recompute(reg: Register);
}
