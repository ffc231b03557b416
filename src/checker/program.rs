//! Holds a function as the checker sees it: a snapshot that outlives changes of the function.
//!
//! **Problem.** The checker compares the function after a pass with the one before it, which is
//! gone by then. It asks both of them thousands of times which def reaches a point.
//!
//! **Algorithm.** Blocks and instructions are copied in layout order. [`Program::index`] then finds
//! the edges, the anchors, and the defs of each register in order. A binary search among the defs
//! finds the last one before a point.
//!
//! **Source.** Def-use chains, kept as compressed sparse rows ([`Rows`]). **Complexity.** Linear to
//! read and to index; a question costs the logarithm of the register's defs.

use super::instr::Instr;
use crate::adt::{PackedOption, Rows};
use crate::mir::{BlockId, BlockNumber, InstrId, Operand, VRegId};
use index_vec::IndexVec;

/// An operand of an instruction. As a point of the program: the operands before it have been
/// written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// The instruction; at a block's end, the number after its last one.
    pub instr: InstrId,
    /// The position of the operand.
    pub operand: u32,
}

impl Point {
    /// Returns the point before all of an instruction.
    pub const fn before(instr: InstrId) -> Point {
        Point { instr, operand: 0 }
    }
}

/// Says where control may leave a predecessor for a block, other than at the predecessor's end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EarlyEntry {
    /// At a call: the block is a landing pad.
    pub from_call: bool,
    /// At an INLINEASM_BR.
    pub from_asm_br: bool,
}

impl EarlyEntry {
    /// Returns whether there is such an entry.
    pub fn is_possible(self) -> bool {
        self != EarlyEntry::default()
    }
}

/// Counts the virtual registers that an instruction reads.
#[derive(Clone, Copy, Debug)]
pub struct VirtualReads {
    /// How many operands read one.
    pub count: usize,
    /// The position of the last of these operands.
    pub last: usize,
}

/// A function.
#[derive(Default, Debug, Clone)]
pub struct Program {
    /// How many virtual registers there are.
    pub num_regs: usize,
    /// By block, in layout order: LLVM's number for it.
    pub numbers: IndexVec<BlockId, BlockNumber>,
    /// By number: the block. `None` for an unused number.
    by_number: IndexVec<BlockNumber, PackedOption<BlockId>>,
    /// By block: how control may come into it early.
    pub early_entries: IndexVec<BlockId, EarlyEntry>,
    /// By block: its successors.
    pub succs: Rows<BlockId, BlockId>,
    preds: Rows<BlockId, BlockId>,
    /// The same as `succs`, by number: successors are read before they have a position.
    succ_numbers: Rows<BlockId, BlockNumber>,
    /// By block: its first instruction. One more entry at the end.
    first_instr: IndexVec<BlockId, InstrId>,
    /// All instructions.
    pub instrs: IndexVec<InstrId, Instr>,
    /// All operands.
    pub operands: Vec<Operand>,
    /// By instruction: its block.
    block_of: IndexVec<InstrId, BlockId>,
    /// By register: its defs in order.
    defs: Rows<VRegId, Point>,
    /// By block: whether control may leave it before its end.
    early_exits: IndexVec<BlockId, bool>,
}

impl Program {
    /// Empties it.
    pub fn clear(&mut self, num_regs: usize, num_block_ids: usize) {
        self.num_regs = num_regs;
        self.numbers.clear();
        self.by_number.clear();
        self.by_number.resize(num_block_ids, PackedOption::NONE);
        self.early_entries.clear();
        self.succ_numbers.clear();
        self.first_instr.clear();
        self.first_instr.push(InstrId::new(0));
        self.instrs.clear();
        self.operands.clear();
    }
    /// Begins a block whose successors have these numbers. Its code goes to `instrs` and
    /// `operands`.
    pub fn begin_block(
        &mut self,
        number: BlockNumber,
        early_entry: EarlyEntry,
        succs: impl IntoIterator<Item = BlockNumber>,
    ) {
        self.by_number[number] = self.numbers.push(number).into();
        self.succ_numbers.push_row(succs);
        self.early_entries.push(early_entry);
    }
    /// Ends the block.
    pub fn end_block(&mut self) {
        self.first_instr.push(self.instrs.len_idx());
    }
    /// Finds edges, anchors and defs once all code has been read. Linear.
    pub fn index(&mut self) {
        self.index_edges();
        self.block_of.clear();
        for block in self.numbers.indices() {
            self.block_of.resize(self.first_instr[block + 1].index(), block);
        }
        let Program { num_regs, instrs, operands, defs, .. } = self;
        instrs.iter_mut().for_each(|instr| instr.find_anchor(instr.operands(operands)));
        let all_defs = instrs.iter_enumerated().flat_map(|(i, instr)| {
            let of_instr = (0..).zip(instr.operands(operands));
            of_instr
                .filter(|(_, op)| op.is_def())
                .filter_map(move |(operand, op)| Some((Point { instr: i, operand }, op.reg().vreg()?)))
        });
        defs.collect(*num_regs, all_defs);
    }
    fn index_edges(&mut self) {
        let Program { succs, preds, succ_numbers, numbers, by_number, early_entries, early_exits, .. } = self;
        succs.clear();
        for (_, of_block) in succ_numbers.iter() {
            succs.push_row(of_block.iter().map(|&number| by_number[number].get().expect("in the function")));
        }
        preds.transpose_of(succs, numbers.len());
        early_exits.clear();
        let leaves_early = |block| succs.row(block).iter().any(|&succ| early_entries[succ].is_possible());
        early_exits.extend(numbers.indices().map(leaves_early));
    }

    /// Returns a bound of the numbers of blocks.
    pub fn num_block_ids(&self) -> usize {
        self.by_number.len()
    }
    /// Counts the blocks.
    pub fn num_blocks(&self) -> usize {
        self.numbers.len()
    }
    /// Lists the blocks in layout order.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + ExactSizeIterator {
        self.numbers.indices()
    }
    /// Returns whether control enters the function here.
    pub fn is_entry(block: BlockId) -> bool {
        block.index() == 0
    }
    /// Lists the predecessors of a block.
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        self.preds.row(block)
    }
    /// Lists the successors of a block.
    pub fn succs(&self, block: BlockId) -> &[BlockId] {
        self.succs.row(block)
    }
    /// Finds the block of a number, if there is one.
    pub fn block_numbered(&self, number: BlockNumber) -> Option<BlockId> {
        self.by_number.get(number)?.get()
    }
    /// Lists the instructions of a block.
    pub fn block(&self, block: BlockId) -> impl DoubleEndedIterator<Item = InstrId> + Clone {
        (self.first_instr[block].raw()..self.first_instr[block + 1].raw()).map(InstrId::from_raw)
    }
    /// Returns the position of an instruction in its block.
    pub fn position(&self, instr: InstrId) -> usize {
        instr.index() - self.first_instr[self.block_of(instr)].index()
    }
    /// Returns the point after all of a block.
    pub fn end(&self, block: BlockId) -> Point {
        Point::before(self.first_instr[block + 1])
    }
    /// Returns the block of an instruction.
    pub fn block_of(&self, instr: InstrId) -> BlockId {
        self.block_of[instr]
    }
    /// Returns an instruction.
    pub fn instr(&self, instr: InstrId) -> &Instr {
        &self.instrs[instr]
    }
    /// Lists the operands of an instruction.
    pub fn operands(&self, instr: InstrId) -> &[Operand] {
        self.instrs[instr].operands(&self.operands)
    }
    /// Returns the operand at a point.
    pub fn operand(&self, at: Point) -> Operand {
        self.operands(at.instr)[at.operand as usize]
    }
    /// Lists all defs of a register, in order.
    pub fn defs(&self, reg: VRegId) -> &[Point] {
        if reg.index() < self.defs.len() {
            self.defs.row(reg)
        } else {
            &[]
        }
    }
    /// Finds the last def of a register in `block` before a point.
    pub fn def_before(&self, reg: VRegId, block: BlockId, at: Point) -> Option<Point> {
        let defs = self.defs(reg);
        let last = defs.partition_point(|&d| d < at).checked_sub(1)?;
        (defs[last].instr >= self.first_instr[block]).then_some(defs[last])
    }
    /// Finds the PHI of `block` that defines a register.
    pub fn phi_of(&self, reg: VRegId, block: BlockId) -> Option<InstrId> {
        let defs = self.defs(reg);
        let first = defs.partition_point(|d| d.instr < self.first_instr[block]);
        let instr = defs.get(first)?.instr;
        (self.block_of(instr) == block && self.instr(instr).is(Instr::PHI)).then_some(instr)
    }
    /// Finds the block that has all defs of a register. `None` if there are no defs, or several
    /// blocks have them.
    pub fn def_block(&self, reg: VRegId) -> Option<BlockId> {
        let (first, last) = (self.defs(reg).first()?, self.defs(reg).last()?);
        let block = self.block_of(first.instr);
        (self.block_of(last.instr) == block).then_some(block)
    }
    /// Returns whether control may leave a block before its end.
    pub fn has_early_exit(&self, block: BlockId) -> bool {
        self.early_exits[block]
    }
    /// Counts the operands of an instruction that read virtual registers.
    pub fn virtual_reads(&self, instr: InstrId) -> VirtualReads {
        let reads = self.operands(instr).iter().enumerate();
        let reads = reads.filter(|(_, op)| op.is_use() && op.reg().is_virtual());
        let none = VirtualReads { count: 0, last: 0 };
        reads.fold(none, |sum, (last, _)| VirtualReads { count: sum.count + 1, last })
    }
    /// Returns the first operand that an instruction defines, or the point after all its operands.
    pub fn first_def(&self, instr: InstrId) -> Point {
        Point { instr, operand: self.operands(instr).iter().take_while(|op| !op.is_def()).count() as u32 }
    }
    /// Returns whether an instruction writes a physical register that is read.
    pub fn writes_physical(&self, instr: InstrId) -> bool {
        self.operands(instr).iter().any(|op| op.is_def() && op.reg().is_physical() && !op.is_dead())
    }
}
