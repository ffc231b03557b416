//! Declares register files, the stage's questions to the target, and its edits.

use crate::mir::{InstrId, VRegId};
use crate::ssa::pressure::StorageOf;
use crate::ssa::repeat::Repeat;
use std::ops::{Index, IndexMut, Range};

/// The machine registers that a virtual register competes for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterFile {
    /// Registers of 32 bits; wider values take several.
    Registers,
    /// Registers of one bit.
    Predicates,
}

/// A value for each register file.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PerFile<T> {
    /// The value for [`RegisterFile::Registers`].
    pub registers: T,
    /// The value for [`RegisterFile::Predicates`].
    pub predicates: T,
}

impl<T> PerFile<T> {
    /// Visits both values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        [&mut self.registers, &mut self.predicates].into_iter()
    }
}

impl<T> Index<RegisterFile> for PerFile<T> {
    type Output = T;
    fn index(&self, file: RegisterFile) -> &T {
        match file {
            RegisterFile::Registers => &self.registers,
            RegisterFile::Predicates => &self.predicates,
        }
    }
}

impl<T> IndexMut<RegisterFile> for PerFile<T> {
    fn index_mut(&mut self, file: RegisterFile) -> &mut T {
        match file {
            RegisterFile::Registers => &mut self.registers,
            RegisterFile::Predicates => &mut self.predicates,
        }
    }
}

/// The room that a virtual register takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterSize {
    /// The file that it is in.
    pub file: RegisterFile,
    /// The number of registers of that file.
    pub count: u32,
}

/// Answers questions about the target's instructions and registers.
pub trait RematTarget: Repeat + StorageOf {
    /// Whether an instruction computes its result from its operands alone, so cheaply that it may
    /// be computed twice.
    fn is_cheap(&mut self, instr: InstrId) -> bool;
    /// Whether an instruction's operands in this file must not be rematerialised.
    fn pins_operands(&mut self, reader: InstrId, file: RegisterFile) -> bool;
    /// Whether the result of an instruction must not be rematerialised because of a reader in its
    /// own block.
    fn is_pinned_by(&mut self, instr: InstrId, reader: InstrId) -> bool;
    /// Whether the result of an instruction takes no register in ptxas.
    fn is_free(&mut self, instr: InstrId) -> bool;
    /// Whether the result of an instruction is the same in all threads, so that ptxas has it in
    /// uniform registers.
    fn is_uniform(&mut self, instr: InstrId) -> bool;
    /// Returns the room that a virtual register takes.
    fn size(&mut self, reg: VRegId) -> RegisterSize;
}

index_vec::define_index_type! {
    /// A recomputation, in the order in which they are made.
    pub struct RecomputationId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An edit: a copy of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recomputation {
    /// The instruction that it copies.
    pub original: InstrId,
    /// The instruction that it is put before.
    pub before: InstrId,
    /// Its readers, as a range of the list of all readers.
    pub(super) readers: Range<usize>,
}

/// An instruction that reads a recomputed register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reader {
    /// An instruction of the function.
    Instr(InstrId),
    /// Another recomputation.
    Recomputation(RecomputationId),
}
