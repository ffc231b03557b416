//! Declares register files, the questions that the stage asks of the target, and its edits.

use crate::mir::{InstrId, VRegId};
use crate::ssa::pressure::StorageOf;
use crate::ssa::repeat::Repeat;
use std::ops::{Index, IndexMut, Range};

/// The registers of the machine that a virtual register competes for.
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
    /// That of [`RegisterFile::Registers`].
    pub registers: T,
    /// That of [`RegisterFile::Predicates`].
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
    /// Where.
    pub file: RegisterFile,
    /// How many registers of the file.
    pub count: u32,
}

/// Answers questions about the target's instructions and registers.
pub trait RematTarget: Repeat + StorageOf {
    /// Whether an instruction computes its result of its operands alone, at so little cost that it may be computed twice.
    fn is_cheap(&mut self, instr: InstrId) -> bool;
    /// Whether the registers of a file that an instruction reads must not be rematerialised.
    fn pins_operands(&mut self, reader: InstrId, file: RegisterFile) -> bool;
    /// Whether the result of an instruction must not be rematerialised because of a reader in its own block.
    fn is_pinned_by(&mut self, instr: InstrId, reader: InstrId) -> bool;
    /// Whether ptxas needs no register for the result of an instruction.
    fn is_free(&mut self, instr: InstrId) -> bool;
    /// Whether all threads share the result of an instruction, which ptxas has in uniform registers.
    fn is_uniform(&mut self, instr: InstrId) -> bool;
    /// Tells the room that a virtual register takes.
    fn size(&mut self, reg: VRegId) -> RegisterSize;
}

index_vec::define_index_type! {
    /// A recomputation, in the order in which they are made.
    pub struct RecomputationId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// An edit: one more instruction like another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recomputation {
    /// The instruction that it is like.
    pub original: InstrId,
    /// The instruction in front of which it is put.
    pub before: InstrId,
    /// Its readers, in the list of all.
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
