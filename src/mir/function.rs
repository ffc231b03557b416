//! A function as plain data: what an analysis computes on.
//!
//! Its shape (blocks and edges) is read first; its code is then visited once, in runs of instructions that
//! are forgotten again ([`Code`]), as fresh memory is what costs most. [`FunctionFacts`] keeps a whole
//! function, for who has to look twice and for tests. Blocks are counted in layout order. Debug instructions
//! and pseudo probes are left out, as they have no slot and must not change any result.

use super::{InstrKind, Operand, Register};
use crate::adt::Rows;
use std::ops::Range;

/// No block.
pub const NO_BLOCK: u32 = u32::MAX;

/// Blocks and their successors.
#[derive(Default, Clone, Debug)]
pub struct FunctionShape {
    /// How many virtual registers there are.
    pub num_virt_regs: usize,
    /// LLVM's number of each block; may have gaps.
    pub numbers: Vec<u32>,
    /// By number, the block; [`NO_BLOCK`] in a gap.
    pub by_number: Vec<u32>,
    /// The successors of each block, in LLVM's order.
    pub succs: Rows,
}

impl FunctionShape {
    /// Empties it, for a function with so many virtual registers and block numbers.
    pub fn clear(&mut self, num_virt_regs: usize, num_block_ids: usize) {
        self.num_virt_regs = num_virt_regs;
        self.numbers.clear();
        self.by_number.clear();
        self.by_number.resize(num_block_ids, NO_BLOCK);
        self.succs.clear();
    }
    /// Appends a block; its successors are pushed to `succs` by the caller, by number, until
    /// [`FunctionShape::finish`].
    pub fn push_block(&mut self, number: u32) {
        self.by_number[number as usize] = self.numbers.len() as u32;
        self.numbers.push(number);
    }
    /// Makes the successors blocks instead of numbers.
    pub fn finish(&mut self) {
        for block in self.succs.items_mut() {
            *block = self.by_number[*block as usize];
        }
    }
    /// How many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.numbers.len()
    }
}

/// Some instructions of a block, in order; a bundle is never cut.
#[derive(Clone, Copy)]
pub struct InstrRun<'a> {
    /// By instruction, `IS_PHI` and the others.
    pub flags: &'a [u8],
    /// By instruction, how many operands it has.
    pub num_operands: &'a [u32],
    /// The operands of all.
    pub operands: &'a [Operand],
}

impl InstrRun<'_> {
    /// Flag of an instruction: PHI.
    pub const IS_PHI: u8 = 1;
    /// In one bundle with the instruction before.
    pub const IN_BUNDLE: u8 = 2;
    /// Some def is early-clobber; uses tied to such a def have the flag too.
    pub const HAS_EARLY_CLOBBER: u8 = 4;
    /// Some operand is a register mask.
    pub const HAS_REG_MASK: u8 = 8;
    /// Some operand is a physical register.
    pub const HAS_PHYSICAL: u8 = 16;
    /// Some operand is part of a virtual register.
    pub const HAS_SUBREG: u8 = 32;
    /// COPY, if alone of the two.
    pub const IS_COPY: u8 = 64;
    /// IMPLICIT_DEF, if alone of the two.
    pub const IS_IMPLICIT_DEF: u8 = 128;
    /// Both: SUBREG_TO_REG.
    pub const KIND: u8 = Self::IS_COPY | Self::IS_IMPLICIT_DEF;

    /// The flags that say of which kind an instruction is, as far as they do.
    pub const fn kind_flags(kind: InstrKind) -> u8 {
        match kind {
            InstrKind::Phi => Self::IS_PHI,
            InstrKind::Copy => Self::IS_COPY,
            InstrKind::ImplicitDef => Self::IS_IMPLICIT_DEF,
            InstrKind::SubregToReg => Self::KIND,
            _ => 0,
        }
    }

    /// The (register, predecessor's number) pairs that a PHI with these operands reads.
    pub fn phi_uses(operands: &[Operand]) -> impl Iterator<Item = (Register, u32)> + '_ {
        let pairs = operands.get(1..).unwrap_or_default().chunks_exact(2);
        pairs.filter(|p| p[0].is_reg() && p[0].reads()).map(|p| (p[0].reg(), p[1].block_number()))
    }
}

/// The instructions of a function, to be visited once, block by block in layout order.
pub trait Code {
    /// Calls `visit` with the instructions of `block`.
    fn read_block(&mut self, block: usize, visit: impl FnMut(InstrRun));
}

/// A whole function.
#[derive(Default, Debug)]
pub struct FunctionFacts {
    /// Blocks and edges.
    pub shape: FunctionShape,
    /// By block, its first instruction; one more at the end.
    pub first_instr: Vec<u32>,
    /// By instruction, its first operand; one more at the end.
    pub first_operand: Vec<u32>,
    /// By instruction, how many operands it has.
    pub num_operands: Vec<u32>,
    /// By instruction, `InstrRun::IS_PHI` and the others.
    pub instr_flags: Vec<u8>,
    /// All operands.
    pub operands: Vec<Operand>,
}

impl FunctionFacts {
    /// Begins with a function of so many virtual registers and block numbers.
    pub fn clear(&mut self, num_virt_regs: usize, num_block_ids: usize) {
        self.shape.clear(num_virt_regs, num_block_ids);
        self.first_instr.clear();
        self.first_instr.push(0);
        self.first_operand.clear();
        self.first_operand.push(0);
        self.num_operands.clear();
        self.instr_flags.clear();
        self.operands.clear();
    }
    /// Appends the code of the next block.
    pub fn push_run(&mut self, run: InstrRun) {
        let mut end = self.operands.len() as u32;
        self.first_operand.extend(run.num_operands.iter().map(|n| {
            end += n;
            end
        }));
        self.num_operands.extend_from_slice(run.num_operands);
        self.instr_flags.extend_from_slice(run.flags);
        self.operands.extend_from_slice(run.operands);
    }
    /// Ends a block's code.
    pub fn end_block(&mut self) {
        self.first_instr.push(self.instr_flags.len() as u32);
    }
    /// How many instructions there are.
    pub fn num_instrs(&self) -> usize {
        self.instr_flags.len()
    }
    /// The instructions of a block.
    pub fn instrs(&self, block: usize) -> Range<usize> {
        self.first_instr[block] as usize..self.first_instr[block + 1] as usize
    }
    /// By instruction, its block.
    pub fn blocks_of_instrs(&self, out: &mut Vec<u32>) {
        out.clear();
        for block in 0..self.shape.num_blocks() {
            out.resize(self.instrs(block).end, block as u32);
        }
    }
    /// Whether an instruction is a PHI.
    pub fn is_phi(&self, instr: usize) -> bool {
        self.instr_flags[instr] & InstrRun::IS_PHI != 0
    }
    /// The operands of an instruction, to change.
    pub fn operands_mut(&mut self, instr: usize) -> &mut [Operand] {
        &mut self.operands[self.first_operand[instr] as usize..self.first_operand[instr + 1] as usize]
    }
    /// The operands of an instruction.
    pub fn operands(&self, instr: usize) -> &[Operand] {
        &self.operands[self.first_operand[instr] as usize..self.first_operand[instr + 1] as usize]
    }
}

impl Code for &FunctionFacts {
    fn read_block(&mut self, block: usize, mut visit: impl FnMut(InstrRun)) {
        let instrs = self.instrs(block);
        let operands = self.first_operand[instrs.start]..self.first_operand[instrs.end];
        visit(InstrRun {
            flags: &self.instr_flags[instrs.clone()],
            num_operands: &self.num_operands[instrs],
            operands: &self.operands[operands.start as usize..operands.end as usize],
        });
    }
}
