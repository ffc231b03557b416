//! Declares the function in memory and the handles to its parts.

use crate::mir::Operand;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::marker::PhantomData;

/// A function.
#[derive(Default)]
pub struct InMemory {
    pub(crate) blocks: RefCell<Vec<BlockData>>,
    pub(crate) instrs: RefCell<Vec<InstrData>>,
    pub(crate) num_virt_regs: Cell<u32>,
    pub(crate) is_ssa: Cell<bool>,
    /// The header and the blocks of each loop, inner loops first.
    pub(crate) loops: Vec<(u32, Vec<u32>)>,
    /// The number of calls that listed the operands of a register.
    pub(crate) lists_of_operands: Cell<usize>,
    /// The remarks that were emitted.
    pub(crate) remarks: RefCell<Vec<String>>,
    /// Whether control flow has to stay properly nested.
    pub(crate) is_structured: bool,
    pub(super) variables: Option<RefCell<Vec<VarInfo>>>,
}

/// A block, whose number is its position.
#[derive(Default)]
pub(crate) struct BlockData {
    /// Numbers of instructions, in order.
    pub(crate) instrs: Vec<u32>,
    pub(crate) succs: Vec<u32>,
    pub(crate) preds: Vec<u32>,
}

/// An instruction. Its number is never used again.
#[derive(Clone, Default)]
pub(crate) struct InstrData {
    pub(crate) opcode: String,
    pub(crate) operands: Vec<Operand>,
    /// Pairs (use, def) of tied operands.
    pub(crate) ties: Vec<(usize, usize)>,
    pub(crate) block: Option<u32>,
}

/// A block.
#[derive(Clone, Copy)]
pub struct Block<'t> {
    pub(crate) f: &'t InMemory,
    pub(crate) number: u32,
}

impl PartialEq for Block<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// An instruction.
#[derive(Clone, Copy)]
pub struct Instr<'t> {
    pub(crate) f: &'t InMemory,
    pub(crate) id: u32,
}

impl PartialEq for Instr<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// LiveVariables.
#[derive(Clone, Copy)]
pub struct Variables<'t> {
    pub(super) f: &'t InMemory,
    pub(super) infos: &'t RefCell<Vec<VarInfo>>,
}

/// An entry of it.
#[derive(Clone, Default)]
pub(super) struct VarInfo {
    pub(super) alive: BTreeSet<u32>,
    pub(super) kills: Vec<u32>,
}

/// LiveIntervals, which no test keeps: there is no value of this type.
#[derive(Clone, Copy)]
pub struct NoIntervals<'t>(pub(super) Infallible, PhantomData<&'t ()>);
