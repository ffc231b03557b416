//! Edits that are noted while a function is examined, and made later.
//!
//! Handles allow edits at any time. A log is for passes that decide on the unchanged function:
//! nothing changes until [`EditLog::apply`].

use super::NewInstr;
use super::{MachineBasicBlock, MachineFunction, MachineInstr};
use crate::mir::{Opcode, Register};

enum Edit<'f> {
    SetReg { instr: MachineInstr<'f>, index: usize, reg: Register },
    SetImmediate { instr: MachineInstr<'f>, index: usize, value: i64 },
    SetOpcode { instr: MachineInstr<'f>, opcode: Opcode },
    ReplaceReg { from: Register, to: Register },
    ClearKills(Register),
    InsertCopy { before: MachineInstr<'f>, dst: Register, src: Register },
    Insert { before: MachineInstr<'f>, new: NewInstr<'f> },
    ChangeTo { instr: MachineInstr<'f>, new: NewInstr<'f> },
    Move { instr: MachineInstr<'f>, block: MachineBasicBlock<'f>, before: Option<MachineInstr<'f>> },
    Erase(MachineInstr<'f>),
}

/// Edits of one function, in the order in which they will be made.
#[must_use = "nothing changes before `apply`"]
pub struct EditLog<'f> {
    mf: MachineFunction<'f>,
    edits: Vec<Edit<'f>>,
}

impl<'f> EditLog<'f> {
    /// Starts an empty log.
    pub fn new(mf: MachineFunction<'f>) -> EditLog<'f> {
        EditLog { mf, edits: Vec::new() }
    }
    /// Returns how many edits there are.
    pub fn len(&self) -> usize {
        self.edits.len()
    }
    /// Returns whether there are no edits.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }
    /// Notes [`MachineInstr::set_reg`].
    pub fn set_reg(&mut self, instr: MachineInstr<'f>, index: usize, reg: Register) {
        self.edits.push(Edit::SetReg { instr, index, reg });
    }
    /// Notes [`MachineInstr::set_immediate`].
    pub fn set_immediate(&mut self, instr: MachineInstr<'f>, index: usize, value: i64) {
        self.edits.push(Edit::SetImmediate { instr, index, value });
    }
    /// Notes [`MachineInstr::set_opcode`].
    pub fn set_opcode(&mut self, instr: MachineInstr<'f>, opcode: impl Into<Opcode>) {
        self.edits.push(Edit::SetOpcode { instr, opcode: opcode.into() });
    }
    /// Notes [`MachineFunction::replace_reg`].
    pub fn replace_reg(&mut self, from: Register, to: Register) {
        self.edits.push(Edit::ReplaceReg { from, to });
    }
    /// Notes [`MachineFunction::clear_kills`].
    pub fn clear_kills(&mut self, reg: Register) {
        self.edits.push(Edit::ClearKills(reg));
    }
    /// Notes a copy of a whole register ([`MachineInstr::insert_copy_before`]).
    pub fn insert_copy(&mut self, before: MachineInstr<'f>, dst: Register, src: Register) {
        self.edits.push(Edit::InsertCopy { before, dst, src });
    }
    /// Notes [`MachineInstr::insert_before`].
    pub fn insert_before(&mut self, before: MachineInstr<'f>, new: NewInstr<'f>) {
        self.edits.push(Edit::Insert { before, new });
    }
    /// Notes [`MachineInstr::change_to`].
    pub fn change_to(&mut self, instr: MachineInstr<'f>, new: NewInstr<'f>) {
        self.edits.push(Edit::ChangeTo { instr, new });
    }
    /// Notes [`MachineInstr::move_before`].
    pub fn move_before(
        &mut self,
        instr: MachineInstr<'f>,
        block: MachineBasicBlock<'f>,
        before: Option<MachineInstr<'f>>,
    ) {
        self.edits.push(Edit::Move { instr, block, before });
    }
    /// Notes [`MachineInstr::erase`].
    pub fn erase(&mut self, instr: MachineInstr<'f>) {
        self.edits.push(Edit::Erase(instr));
    }
    /// Makes the edits.
    ///
    /// # Fatal errors
    /// Those of the edits, for the function in its current state.
    pub fn apply(self) {
        for edit in self.edits {
            match edit {
                Edit::SetReg { instr, index, reg } => instr.set_reg(index, reg),
                Edit::SetImmediate { instr, index, value } => instr.set_immediate(index, value),
                Edit::SetOpcode { instr, opcode } => instr.set_opcode(opcode),
                Edit::ReplaceReg { from, to } => self.mf.replace_reg(from, to),
                Edit::ClearKills(reg) => self.mf.clear_kills(reg),
                Edit::InsertCopy { before, dst, src } => {
                    before.insert_copy_before(dst, src, 0);
                }
                Edit::Insert { before, new } => {
                    before.insert_before(new);
                }
                Edit::ChangeTo { instr, new } => instr.change_to(new),
                Edit::Move { instr, block, before } => instr.move_before(block, before),
                Edit::Erase(instr) => instr.erase(),
            }
        }
    }
}
