//! The methods of LiveVariables in a build for an LLVM that computes nothing of virtual registers.

use super::facts::Handles;
use super::handles::{LiveVariables, MachineBasicBlock, MachineInstr};
use crate::mir::{BlockNumber, LocalRegisters, Register, VarInfo};

/// Methods that nobody can call.
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
    /// Whether it has anything of a register.
    pub(crate) is_filled() -> bool;
    /// Connects the empty analysis to the function, which has this many PHIs, and fills in local registers from their pieces.
    pub(crate) begin_filling(handles: Handles<'_, 'f>, registers: LocalRegisters, num_phis: usize);
    /// Fills in other registers. Their rows of `alive` are LLVM's numbers of blocks, those of `kills` entries of instructions.
    pub fill(handles: Handles<'_, 'f>, infos: &[VarInfo], alive: &[u32], kills: &[u32]);
    /// Makes an empty entry for `reg` if there is none.
    pub(crate) create_var_info(reg: Register);
    /// The instruction of `block` that kills `reg`.
    pub(crate) find_kill(reg: Register, block: MachineBasicBlock<'f>) -> Option<MachineInstr<'f>>;
    /// Whether `mi` is a kill of `reg`.
    pub(crate) is_kill(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// `reg` does not live through the block of that number.
    pub(crate) end_alive(reg: Register, block: BlockNumber);
    /// `VarInfo::removeKill`: whether `mi` was a kill. The operand's flag stays.
    pub(crate) remove_kill(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// Removes the kill and the flag of the operand; false if `mi` was no kill.
    pub remove_killed(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// `mi` is a kill of `reg` and its operand says so.
    pub(crate) add_killed(reg: Register, mi: MachineInstr<'f>);
    /// The kill `from` becomes `to`; flags stay.
    pub(crate) replace_kill(reg: Register, from: MachineInstr<'f>, to: MachineInstr<'f>);
    /// Removes a dead def and the flag of the operand; false if it was not dead.
    pub(crate) remove_dead(reg: Register, mi: MachineInstr<'f>) -> bool;
    /// The def of `reg` at `mi` is dead and its operand says so.
    pub(crate) add_dead(reg: Register, mi: MachineInstr<'f>);
    /// Whether `reg` is live into `block`.
    pub is_live_in(reg: Register, block: MachineBasicBlock<'f>) -> bool;
    /// Whether `reg` is live out of `block` for another reason than PHIs of its successors.
    pub is_live_out(reg: Register, block: MachineBasicBlock<'f>) -> bool;
    /// Whether `reg` lives through or is killed in each of `blocks`, into `out`. Linear in the kills of `reg` and the blocks.
    pub(crate) lives_in(reg: Register, blocks: &[BlockNumber], out: &mut Vec<bool>);
    /// The numbers of the blocks that `reg` lives through, into `out`.
    pub(crate) alive_blocks(reg: Register, out: &mut Vec<BlockNumber>);
    /// The numbers of the blocks that `reg` is killed in, into `out`.
    pub(crate) kill_blocks(reg: Register, out: &mut Vec<BlockNumber>);
    /// `mi`, in the block of that number, is a kill of `reg`, which does not live through the block. The operand
    /// says so.
    pub(crate) end_at(reg: Register, mi: MachineInstr<'f>, block: BlockNumber);
    /// The instructions that kill `reg`.
    pub(crate) kills(reg: Register) -> Vec<MachineInstr<'f>>;
    /// `reg` lives through no block any more.
    pub(crate) clear_alive(reg: Register);
    /// `into` lives through the blocks that `from` lives through, too.
    pub(crate) add_alive(into: Register, from: Register);
    /// `reg` is gone: its entry becomes empty.
    pub clear(reg: Register);
    /// Computes anew where `reg`, which has one def, lives and ends, kill flags included.
    pub(crate) recompute(reg: Register);
}
