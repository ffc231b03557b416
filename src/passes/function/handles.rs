//! Declares what a pass may ask of a function, a block and an instruction, and do to them.

use super::{IntervalsHandle, VariablesHandle};
use crate::mir::{BlockNumber, InstrKind, Operand, Register};

/// A machine function with its registers, and the liveness that is kept up to date for it.
pub trait FunctionHandle: Copy {
    /// A block.
    type Block: BlockHandle<Instr = Self::Instr>;
    /// An instruction.
    type Instr: InstrHandle<Block = Self::Block>;
    /// LiveVariables.
    type Variables: VariablesHandle<Block = Self::Block, Instr = Self::Instr>;
    /// LiveIntervals.
    type Intervals: IntervalsHandle<Block = Self::Block, Instr = Self::Instr>;

    /// LiveVariables, if it is kept.
    fn variables(self) -> Option<Self::Variables>;
    /// LiveIntervals, if it is kept.
    fn intervals(self) -> Option<Self::Intervals>;
    /// The blocks, in layout order.
    fn blocks(self) -> impl Iterator<Item = Self::Block>;
    /// How many virtual registers there are.
    fn num_virt_regs(self) -> usize;
    /// Marks the function as no longer in SSA form.
    fn leave_ssa(self);

    /// The operands that name `reg`, defs first. The function must not be changed while they are
    /// visited.
    fn reg_operands(self, reg: Register) -> impl Iterator<Item = NamedOperand<Self::Instr>>;
    /// The instructions that define `reg`, one for each operand. The function must not be changed
    /// meanwhile.
    fn defs(self, reg: Register) -> impl Iterator<Item = Self::Instr> {
        self.reg_operands(reg).take_while(|o| o.operand.is_def()).map(|o| o.instr)
    }
    /// The def of a virtual register that has at most one; LLVM asserts that there are not more.
    fn only_def(self, reg: Register) -> Option<VRegDef<Self::Instr>>;
    /// Whether nothing but debug instructions reads `reg`.
    fn use_nodbg_empty(self, reg: Register) -> bool;
}

/// A block.
pub trait BlockHandle: Copy + PartialEq {
    /// An instruction.
    type Instr: Copy + PartialEq;

    /// LLVM's number for it. Numbers are not positions: there may be gaps.
    fn number(self) -> BlockNumber;
    /// The first instruction; a bundle counts as one.
    fn first(self) -> Option<Self::Instr>;
    /// The last instruction.
    fn last(self) -> Option<Self::Instr>;
    /// How many successors there are.
    fn num_successors(self) -> u32;
    /// How many predecessors there are.
    fn num_predecessors(self) -> u32;
    /// The successors.
    fn successors(self) -> impl Iterator<Item = Self>;
    /// The predecessors.
    fn predecessors(self) -> impl Iterator<Item = Self>;
}

/// An instruction. It must not be used after it was erased, not even to compare.
pub trait InstrHandle: Copy + PartialEq {
    /// A block.
    type Block: Copy + PartialEq;

    /// Its address, to key maps by; never to order by.
    fn key(self) -> usize;
    /// The block that it is in.
    fn block(self) -> Self::Block;
    /// The next one of the block; a bundle counts as one.
    fn next(self) -> Option<Self>;
    /// The one before.
    fn prev(self) -> Option<Self>;
    /// Its kind.
    fn kind(self) -> InstrKind;

    /// How many operands there are.
    fn num_operands(self) -> usize;
    /// One operand.
    fn operand(self, index: usize) -> Operand;
    /// Writes all operands to `out`.
    fn read_operands(self, out: &mut Vec<Operand>);
    /// Whether some operand reads `reg`.
    fn reads_register(self, reg: Register) -> bool;
    /// Makes operand `index` the whole register `reg`.
    fn set_reg(self, index: usize, reg: Register);
    /// Removes it from its block and frees it.
    fn erase(self);
}

/// An operand that names a given register, and its position.
#[derive(Clone, Copy)]
pub struct NamedOperand<I> {
    /// The instruction.
    pub instr: I,
    /// Its position there.
    pub index: usize,
    /// The operand.
    pub operand: Operand,
}

/// The first def of a virtual register.
#[derive(Clone, Copy)]
pub struct VRegDef<I> {
    /// The instruction.
    pub instr: I,
    /// Whether it is an IMPLICIT_DEF.
    pub is_implicit_def: bool,
    /// Whether it is a terminator whose result can neither be spilled nor copied after it.
    pub is_unspillable_terminator: bool,
}
