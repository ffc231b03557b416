//! Holds a function in memory, written down as text, for the unit tests of passes.
//!
//! The text is like LLVM's MIR: `bb0 -> bb1 bb2:` begins a block and names its successors, and a
//! line such as `%2 = ADD killed %0(tied-def 0), %1.3` is an instruction. `%1.3` is part 3 of `%1`,
//! `$4` a physical register. It computes LiveVariables on demand, in a simple way, and has no
//! LiveIntervals.

mod data;
mod handles;
mod text;
mod variables;

pub use data::{Block, InMemory, Instr, NoIntervals, Variables};

use crate::mir::{Operand, Register};
use crate::passes::function::FunctionHandle;
use data::{BlockData, InstrData};
use std::cell::RefCell;

impl InMemory {
    /// Reads a function; panics on a mistake in the text.
    pub fn parse(text: &str) -> InMemory {
        text::parse(text)
    }
    /// Computes LiveVariables, kill and dead flags included, and keeps it from now on.
    pub fn with_variables(mut self) -> InMemory {
        self.variables = Some(RefCell::default());
        let num_virt_regs = self.num_virt_regs.get();
        (0..num_virt_regs).for_each(|reg| variables::compute(&self, Register::virt(reg)));
        self
    }
    /// The block at a position.
    pub fn block(&self, number: u32) -> Block<'_> {
        Block { f: self, number }
    }
    /// The instruction at a position of a block.
    pub fn instr(&self, block: u32, index: usize) -> Instr<'_> {
        Instr { f: self, id: self.blocks.borrow()[block as usize].instrs[index] }
    }
    /// A new virtual register.
    pub fn new_reg(&self) -> Register {
        self.num_virt_regs.set(self.num_virt_regs.get() + 1);
        Register::virt(self.num_virt_regs.get() - 1)
    }
    /// Puts a new block on an edge. Returns its number. The successor's PHIs name it, and the
    /// registers that they read over the edge are live through it.
    pub fn put_block_on_edge(&self, pred: Block<'_>, succ: Block<'_>) -> u32 {
        let mut blocks = self.blocks.borrow_mut();
        let new = blocks.len() as u32;
        blocks.push(BlockData { succs: vec![succ.number], preds: vec![pred.number], ..BlockData::default() });
        let replace = |list: &mut [u32], old| list.iter_mut().filter(|b| **b == old).for_each(|b| *b = new);
        replace(&mut blocks[pred.number as usize].succs, succ.number);
        replace(&mut blocks[succ.number as usize].preds, pred.number);
        let old = Operand::test_block(pred.number);
        for &id in &blocks[succ.number as usize].instrs {
            let instr = &mut self.instrs.borrow_mut()[id as usize];
            for i in (1..instr.operands.len()).filter(|_| instr.opcode == "PHI").collect::<Vec<_>>() {
                if instr.operands[i] == old {
                    instr.operands[i] = Operand::test_block(new);
                    let reg = instr.operands[i - 1].reg();
                    if let Some(variables) = self.variables() {
                        variables.set_alive(reg, new);
                    }
                }
            }
        }
        drop(blocks);
        self.insert(self.block(new), None, "BR", &[]);
        new
    }
    /// Inserts an instruction before another one, or at the end of the block.
    pub fn insert(
        &self,
        block: Block<'_>,
        before: Option<Instr<'_>>,
        opcode: &str,
        operands: &[Operand],
    ) -> Instr<'_> {
        let new = self.new_instr(opcode, operands);
        self.move_before(block, before, new);
        new
    }
    /// Puts an instruction that is not in a block before another one, or at the end of the block.
    pub fn move_before(&self, block: Block<'_>, before: Option<Instr<'_>>, new: Instr<'_>) {
        let mut blocks = self.blocks.borrow_mut();
        let instrs = &mut blocks[block.number as usize].instrs;
        let at =
            before.map_or(instrs.len(), |b| instrs.iter().position(|&i| i == b.id).expect("in the block"));
        instrs.insert(at, new.id);
        self.instrs.borrow_mut()[new.id as usize].block = Some(block.number);
    }
    /// Makes an instruction that is in no block.
    pub fn new_instr(&self, opcode: &str, operands: &[Operand]) -> Instr<'_> {
        let mut instrs = self.instrs.borrow_mut();
        let (opcode, operands) = (opcode.to_owned(), operands.to_vec());
        instrs.push(InstrData { opcode, operands, ..InstrData::default() });
        Instr { f: self, id: instrs.len() as u32 - 1 }
    }
    /// The text of a block's instructions, a line each.
    pub fn text_of(&self, block: u32) -> String {
        text::print(self, block)
    }
    /// The registers that LiveVariables lists as killed in a block, as `register@position`, sorted.
    pub fn kills_in(&self, block: u32) -> Vec<String> {
        variables::kills_in(self, block)
    }
    /// The numbers of the blocks that a register lives through, according to LiveVariables.
    pub fn alive_in(&self, reg: u32) -> Vec<u32> {
        variables::alive_in(self, reg)
    }
}
