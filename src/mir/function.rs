//! A whole function as plain arrays: what an analysis computes on.
//!
//! Read once through the boundary, or made by a test. Blocks are counted in layout order and
//! instructions in the order of their blocks, those inside bundles too; debug instructions and pseudo
//! probes are left out, as they have no slot and must not change any result.

use super::{Operand, Register};
use crate::adt::Rows;
use std::ops::Range;

/// Blocks, their successors, instructions and operands of a function.
#[derive(Default, Debug)]
pub struct FunctionFacts {
    /// How many virtual registers there are.
    pub num_virt_regs: usize,
    /// LLVM's number of each block; may have gaps, see [`FunctionFacts::block_by_number`].
    pub numbers: Vec<u32>,
    /// By number, the block; [`FunctionFacts::NONE`] in a gap.
    pub by_number: Vec<u32>,
    /// The successors of each block, in LLVM's order.
    pub succs: Rows,
    /// By block, its first instruction; one more at the end.
    pub first_instr: Vec<u32>,
    /// By instruction, its first operand; one more at the end.
    pub first_operand: Vec<u32>,
    /// By instruction, `IS_PHI` and the others.
    pub instr_flags: Vec<u8>,
    /// All operands.
    pub operands: Vec<Operand>,
}

impl FunctionFacts {
    /// No block.
    pub const NONE: u32 = u32::MAX;
    /// Flag of an instruction: PHI.
    pub const IS_PHI: u8 = 1;
    /// Flag of an instruction: in one bundle with the instruction before.
    pub const IN_BUNDLE: u8 = 2;
    /// Flag of an instruction: some def is early-clobber.
    pub const HAS_EARLY_CLOBBER: u8 = 4;

    /// Empties it, for a function with so many virtual registers and block numbers.
    pub fn clear(&mut self, num_virt_regs: usize, num_block_ids: usize) {
        self.num_virt_regs = num_virt_regs;
        self.numbers.clear();
        self.by_number.clear();
        self.by_number.resize(num_block_ids, Self::NONE);
        self.succs.clear();
        self.first_instr.clear();
        self.first_instr.push(0);
        self.first_operand.clear();
        self.first_operand.push(0);
        self.instr_flags.clear();
        self.operands.clear();
    }
    /// How many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.numbers.len()
    }
    /// How many instructions there are.
    pub fn num_instrs(&self) -> usize {
        self.instr_flags.len()
    }
    /// The instructions of a block.
    pub fn instrs(&self, block: usize) -> Range<usize> {
        self.first_instr[block] as usize..self.first_instr[block + 1] as usize
    }
    /// The operands of an instruction.
    pub fn operands(&self, instr: usize) -> &[Operand] {
        &self.operands[self.first_operand[instr] as usize..self.first_operand[instr + 1] as usize]
    }
    /// Whether an instruction is a PHI.
    pub fn is_phi(&self, instr: usize) -> bool {
        self.instr_flags[instr] & Self::IS_PHI != 0
    }
    /// The (register, predecessor) pairs that a PHI reads.
    pub fn phi_uses(&self, phi: usize) -> impl Iterator<Item = (Register, usize)> + '_ {
        let pairs = self.operands(phi).get(1..).unwrap_or_default().chunks_exact(2);
        pairs
            .filter(|p| p[0].is_reg() && p[0].reads())
            .map(|p| (p[0].reg(), self.by_number[p[1].block_number() as usize] as usize))
    }
}
