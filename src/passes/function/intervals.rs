//! Declares what a pass may ask of LiveIntervals, and how the pass keeps it up to date.

use crate::mir::{LiveIn, Register};

/// LiveIntervals: by register, the ranges between instructions that it is live in.
pub trait IntervalsHandle: Copy {
    /// A block.
    type Block: Copy;
    /// An instruction.
    type Instr: Copy;
    /// A SlotIndex; a pass only hands it back.
    type Slot: Copy;
    /// A VNInfo; a pass only compares it.
    type Value: Copy + PartialEq;

    /// Whether `mi` has a slot.
    fn has_instr(self, mi: Self::Instr) -> bool;
    /// Gives the new `mi` a slot.
    fn insert_instr(self, mi: Self::Instr);
    /// Takes away the slot of `mi`, which is about to be erased.
    fn remove_instr(self, mi: Self::Instr);
    /// Updates for `mi`, which has moved within its block.
    fn handle_move(self, mi: Self::Instr);
    /// Computes `regs` anew between `begin` and `end`.
    fn repair(self, block: Self::Block, begin: Self::Instr, end: Option<Self::Instr>, regs: &[Register]);

    /// How `reg` is live at the start of `block`.
    fn live_in(self, reg: Register, block: Self::Block) -> LiveIn;
    /// Whether the value of `reg` that `mi` reads ends there.
    fn ends_at(self, mi: Self::Instr, reg: Register) -> bool;
    /// The last reader of `reg` in `block`; `None` if it lives on past the block.
    fn find_kill(self, reg: Register, block: Self::Block) -> Option<Self::Instr>;
    /// Whether the intervals of two registers overlap.
    fn overlap(self, a: Register, b: Register) -> bool;
    /// The value that `reg` has after `mi`.
    fn value_out(self, mi: Self::Instr, reg: Register) -> Option<Self::Value>;
    /// The value that `reg` has at `mi`.
    fn value_at(self, mi: Self::Instr, reg: Register) -> Option<Self::Value>;
    /// Whether `reg` has an interval.
    fn has_interval(self, reg: Register) -> bool;
    /// Drops the interval of `reg`; it is computed anew on demand.
    fn remove_interval(self, reg: Register);

    /// Makes `reg` live from the start of `block` to `copy`, which has a slot.
    fn add_incoming(self, reg: Register, block: Self::Block, copy: Self::Instr);
    /// Makes `copy` the def of `reg`, which a PHI defined at the start of `block`.
    fn phi_def_to_copy(self, reg: Register, block: Self::Block, copy: Self::Instr);
    /// Makes `reg`, which `mi` defines, live to the end of the block.
    fn live_to_end(self, reg: Register, mi: Self::Instr);
    /// Ends `reg` in `block` at `last`.
    fn end_at(self, reg: Register, last: Self::Instr, block: Self::Block);
    /// Gives the new `copy` to `dst` a slot, and makes `dst` live from it to `mi`.
    fn insert_copy(
        self,
        copy: Self::Instr,
        mi: Self::Instr,
        dst: Register,
        early_clobber: bool,
    ) -> Self::Slot;
    /// Ends `reg` at the copy in slot `copy` instead of at `mi`, except for the `remaining` lanes.
    fn end_at_copy(self, mi: Self::Instr, reg: Register, copy: Self::Slot, remaining: u64);
    /// Updates for `mi`, an INSERT_SUBREG that has become a COPY to a part of its register.
    fn insert_subreg_to_copy(self, mi: Self::Instr);
    /// Moves the values of `from` to `into`.
    fn merge(self, into: Register, from: Register);
}
