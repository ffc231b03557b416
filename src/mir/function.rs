//! A function as plain data, for analyses.
//!
//! Analyses read the shape (blocks and edges) first. They then visit the code once, in runs of
//! instructions that are not kept ([`Code`]), because touching fresh memory is slow.
//! [`FunctionFacts`] keeps a whole function, for tests and for analyses that visit it more than
//! once. Blocks are counted in layout order. Debug instructions and pseudo probes are left out:
//! they have no slot and must not change any result.

use super::ids::{BlockId, BlockNumber, InstrId};
use super::instr_flags::InstrFlags;
use super::operand::Operand;
use super::register::Register;
use crate::adt::{PackedOption, Rows};
use index_vec::IndexVec;
use std::ops::Range;

/// Blocks and their successors.
#[derive(Default, Clone, Debug)]
pub struct FunctionShape {
    /// How many virtual registers there are.
    pub num_virt_regs: usize,
    /// LLVM's number of each block. Numbers may have gaps.
    pub numbers: IndexVec<BlockId, BlockNumber>,
    /// By number, the block; `None` in a gap.
    by_number: IndexVec<BlockNumber, PackedOption<BlockId>>,
    /// The successors of each block, in LLVM's order.
    pub succs: Rows<BlockId, BlockId>,
}

impl FunctionShape {
    /// Empties the shape, for a function with this many virtual registers and block numbers.
    pub fn clear(&mut self, num_virt_regs: usize, num_block_ids: usize) {
        self.num_virt_regs = num_virt_regs;
        self.numbers.clear();
        self.by_number.clear();
        self.by_number.resize(num_block_ids, PackedOption::NONE);
        self.succs.clear();
    }
    /// Appends a block. Push the rows of `succs` after all blocks.
    pub fn push_block(&mut self, number: BlockNumber) -> BlockId {
        let block = self.numbers.push(number);
        self.by_number[number] = block.into();
        block
    }
    /// Appends the successors of the next block, given by LLVM's numbers.
    pub fn push_successors(&mut self, numbers: impl IntoIterator<Item = BlockNumber>) {
        let FunctionShape { by_number, succs, .. } = self;
        let block = |number: BlockNumber| by_number[number].get().expect("a successor is in the function");
        succs.push_row(numbers.into_iter().map(block));
    }
    /// Returns the block with LLVM's number `number`, which must exist.
    pub fn block_numbered(&self, number: BlockNumber) -> BlockId {
        self.by_number[number].get().expect("a block of the function")
    }
    /// Returns a number that is greater than LLVM's number of any block.
    pub fn num_block_ids(&self) -> usize {
        self.by_number.len()
    }
    /// Returns the blocks, in layout order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator + Clone {
        (0..self.num_blocks()).map(BlockId::from_usize)
    }
    /// Returns how many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.numbers.len()
    }
}

/// Tells whether a function with this many virtual registers is large. Buffers are kept from
/// function to function, because fresh memory may cost more time than the work in it. A large
/// function's buffers are freed as soon as no later step needs them: together they would be as
/// large as LLVM's own data.
pub fn is_large(num_virt_regs: usize) -> bool {
    num_virt_regs > 4096
}

/// Consecutive instructions of a block, in order. A bundle is never cut.
#[derive(Clone, Copy)]
pub struct InstrRun<'a> {
    /// By instruction.
    pub flags: &'a [InstrFlags],
    /// By instruction, how many operands it has.
    pub num_operands: &'a [u32],
    /// The operands of all instructions.
    pub operands: &'a [Operand],
}

impl InstrRun<'_> {
    /// Lists the (register, predecessor's number) pairs that a PHI with these operands reads.
    pub fn phi_uses(operands: &[Operand]) -> impl Iterator<Item = (Register, BlockNumber)> + '_ {
        let pairs = operands.get(1..).unwrap_or_default().chunks_exact(2);
        pairs.filter(|p| p[0].is_reg() && p[0].reads()).map(|p| (p[0].reg(), p[1].block_number()))
    }
}

/// Reads the instructions of a function once, block by block in layout order.
pub trait Code {
    /// Calls `visit` with the instructions of `block`.
    fn read_block(&mut self, block: BlockId, visit: impl FnMut(InstrRun));
}

/// A whole function.
#[derive(Default, Debug)]
pub struct FunctionFacts {
    /// Blocks and edges.
    pub shape: FunctionShape,
    /// By block, its first instruction; one more at the end.
    pub first_instr: IndexVec<BlockId, InstrId>,
    /// By instruction, its first operand; one more at the end.
    pub first_operand: IndexVec<InstrId, u32>,
    /// By instruction, how many operands it has.
    pub num_operands: IndexVec<InstrId, u32>,
    /// By instruction.
    pub instr_flags: IndexVec<InstrId, InstrFlags>,
    /// All operands.
    pub operands: Vec<Operand>,
}

impl FunctionFacts {
    /// Starts a function with this many virtual registers and block numbers.
    pub fn clear(&mut self, num_virt_regs: usize, num_block_ids: usize) {
        self.shape.clear(num_virt_regs, num_block_ids);
        self.first_instr.clear();
        self.first_instr.push(InstrId::from_raw(0));
        self.first_operand.clear();
        self.first_operand.push(0);
        self.num_operands.clear();
        self.instr_flags.clear();
        self.operands.clear();
    }
    /// Makes room for a function with this many virtual registers: as many instructions, with four
    /// operands each. An array that grows is copied and touches fresh memory again; unused room
    /// costs nothing.
    pub fn reserve(&mut self, num_virt_regs: usize) {
        self.first_operand.reserve(num_virt_regs);
        self.num_operands.reserve(num_virt_regs);
        self.instr_flags.reserve(num_virt_regs);
        self.operands.reserve(4 * num_virt_regs);
    }
    /// Appends the code of the next block.
    pub fn push_run(&mut self, run: InstrRun) {
        let mut end = self.operands.len() as u32;
        self.first_operand.extend(run.num_operands.iter().map(|n| {
            end += n;
            end
        }));
        self.num_operands.extend(run.num_operands.iter().copied());
        self.instr_flags.extend(run.flags.iter().copied());
        self.operands.extend_from_slice(run.operands);
    }
    /// Ends a block's code.
    pub fn end_block(&mut self) {
        self.first_instr.push(self.instr_flags.next_idx());
    }
    /// Returns how many instructions there are.
    pub fn num_instrs(&self) -> usize {
        self.instr_flags.len()
    }
    /// Returns the instructions of a block, in order.
    pub fn instrs(
        &self,
        block: BlockId,
    ) -> impl DoubleEndedIterator<Item = InstrId> + ExactSizeIterator + Clone {
        let Range { start, end } = self.instr_range(block);
        (start.index()..end.index()).map(InstrId::from_usize)
    }
    /// Returns the range of the instructions of a block.
    pub fn instr_range(&self, block: BlockId) -> Range<InstrId> {
        self.first_instr[block]..self.first_instr[block + 1]
    }
    /// Returns whether an instruction is a PHI.
    pub fn is_phi(&self, instr: InstrId) -> bool {
        self.instr_flags[instr].is_phi()
    }
    fn operand_range(&self, instr: InstrId) -> Range<usize> {
        self.first_operand[instr] as usize..self.first_operand[instr + 1] as usize
    }
    /// Returns the operands of an instruction, to change.
    pub fn operands_mut(&mut self, instr: InstrId) -> &mut [Operand] {
        let range = self.operand_range(instr);
        &mut self.operands[range]
    }
    /// Returns the operands of an instruction.
    pub fn operands(&self, instr: InstrId) -> &[Operand] {
        &self.operands[self.operand_range(instr)]
    }
}

impl Code for &FunctionFacts {
    fn read_block(&mut self, block: BlockId, mut visit: impl FnMut(InstrRun)) {
        let instrs = self.instr_range(block);
        let operands = self.first_operand[instrs.start] as usize..self.first_operand[instrs.end] as usize;
        visit(InstrRun {
            flags: self.instr_flags[instrs.clone()].as_raw_slice(),
            num_operands: self.num_operands[instrs].as_raw_slice(),
            operands: &self.operands[operands],
        });
    }
}
