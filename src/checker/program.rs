//! A function as the checker sees it: a snapshot that outlives changes of the function.

use crate::adt::{PackedOption, Rows};
use crate::mir::{BlockId, Operand, Register};
use std::ops::Range;

/// No register, instruction or block.
pub const NONE: u32 = u32::MAX;

/// One instruction. A bundle counts as one.
#[derive(Clone, Copy, Debug)]
pub struct Instr {
    /// Where LLVM has it: the same instruction before and behind the pass, if the content is the same too, as
    /// LLVM uses memory again.
    pub key: usize,
    /// A hash of opcode and operands, without virtual registers, blocks, and flags.
    pub content: u64,
    /// LLVM's number.
    pub opcode: u32,
    /// [`Instr::COPY`] and the others.
    pub flags: u32,
    /// In [`Program::operands`].
    pub first_operand: u32,
    /// How many.
    pub num_operands: u32,
}

impl Instr {
    /// COPY
    pub const COPY: u32 = 1;
    /// PHI
    pub const PHI: u32 = 1 << 1;
    /// IMPLICIT_DEF
    pub const IMPLICIT_DEF: u32 = 1 << 2;
    /// REG_SEQUENCE
    pub const REG_SEQUENCE: u32 = 1 << 3;
    /// INSERT_SUBREG
    pub const INSERT_SUBREG: u32 = 1 << 4;
    /// EXTRACT_SUBREG
    pub const EXTRACT_SUBREG: u32 = 1 << 5;
    /// KILL
    pub const KILL: u32 = 1 << 6;
    /// A bundle, of which only the head is known.
    pub const BUNDLE: u32 = 1 << 7;
    /// Nothing may happen to it: it stores, calls, ends the block, ...
    pub const ORDERED: u32 = 1 << 8;
    /// Reads memory that may change.
    pub const LOAD: u32 = 1 << 9;
    /// Reads or writes a physical register that matters.
    pub const PHYSICAL: u32 = 1 << 10;
    /// Operands can be swapped.
    pub const COMMUTABLE: u32 = 1 << 11;
    /// Terminator.
    pub const TERMINATOR: u32 = 1 << 12;
    /// Branch.
    pub const BRANCH: u32 = 1 << 13;
    /// Call.
    pub const CALL: u32 = 1 << 14;
    /// INLINEASM_BR
    pub const ASM_BR: u32 = 1 << 15;
    /// Some use is tied.
    pub const TIED: u32 = 1 << 16;
    /// Some tied use that has a value is not the register of its def.
    pub const UNTIED: u32 = 1 << 18;
    /// SUBREG_TO_REG
    pub const SUBREG_TO_REG: u32 = 1 << 17;
    /// Makes one value of 2 or 4 that are its parts, the least significant first ([`super::halves`]).
    pub const PACK: u32 = 1 << 19;
    /// Takes one apart into 2 or 4.
    pub const UNPACK: u32 = 1 << 20;
    /// Takes the low half.
    pub const LOW_HALF: u32 = 1 << 21;
    /// Takes the high half.
    pub const HIGH_HALF: u32 = 1 << 22;
    /// It makes values of its own: no move. Found by [`Program::index`].
    const ANCHOR: u32 = 1 << 31;

    /// Whether it has one of these flags.
    pub fn is(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }
    /// Whether it makes values of its own, or has effects.
    pub fn is_anchor(&self) -> bool {
        self.is(Self::ANCHOR)
    }
    /// Whether its results depend on nothing but what it reads, and on no memory that changes.
    pub fn is_pure(&self) -> bool {
        !self.is(Self::ORDERED | Self::LOAD | Self::BUNDLE)
    }
}

/// A point of a program: before an operand of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Point {
    /// The instruction; the number behind a block's last at its end.
    pub instr: u32,
    /// The operand.
    pub operand: u32,
}

impl Point {
    /// Before all of an instruction.
    pub const fn before(instr: u32) -> Point {
        Point { instr, operand: 0 }
    }
}

/// Block flags.
pub const EH_PAD: u8 = 1;
/// Some INLINEASM_BR may jump there.
pub const ASM_BR_TARGET: u8 = 2;

/// A function.
#[derive(Default, Debug, Clone)]
pub struct Program {
    /// How many virtual registers there are.
    pub num_regs: usize,
    /// LLVM's number of each block, in layout order.
    pub numbers: Vec<u32>,
    /// By number, the block; none in a gap.
    by_number: Vec<PackedOption<BlockId>>,
    /// By block, [`EH_PAD`] and the other.
    pub block_flags: Vec<u8>,
    /// Successors; while the program is read, by number.
    pub succs: Rows<BlockId, BlockId>,
    /// Predecessors.
    pub preds: Rows<BlockId, BlockId>,
    /// Numbers of successors, while the program is read.
    succ_numbers: Rows,
    /// By block, its first instruction; one more at the end.
    pub first_instr: Vec<u32>,
    /// All instructions.
    pub instrs: Vec<Instr>,
    /// All operands.
    pub operands: Vec<Operand>,
    /// By instruction, its block.
    block_of: Vec<u32>,
    /// Of each register a row of defs in order: instruction and operand.
    first_def: Vec<u32>,
    defs: Vec<Point>,
    /// By register, the block that all of its defs are in; [`NONE`] if there is no such block.
    home: Vec<u32>,
    /// By block, whether control may leave it ahead of its end.
    early_exit: Vec<bool>,
}

impl Program {
    /// Empties it.
    pub fn clear(&mut self, num_regs: usize, num_block_ids: usize) {
        self.num_regs = num_regs;
        self.numbers.clear();
        self.by_number.clear();
        self.by_number.resize(num_block_ids, PackedOption::NONE);
        self.block_flags.clear();
        self.succ_numbers.clear();
        self.first_instr.clear();
        self.first_instr.push(0);
        self.instrs.clear();
        self.operands.clear();
    }
    /// Begins a block whose successors have these numbers. Its code goes to `instrs` and `operands`.
    pub fn begin_block(&mut self, number: u32, flags: u8, succs: &[u32]) {
        self.by_number[number as usize] = BlockId::from_usize(self.numbers.len()).into();
        self.numbers.push(number);
        self.succ_numbers.push_row(succs.iter().copied());
        self.block_flags.push(flags);
    }
    /// Ends it.
    pub fn end_block(&mut self) {
        self.first_instr.push(self.instrs.len() as u32);
    }
    /// Finds edges and defs when all has been read. Linear.
    pub fn index(&mut self) {
        self.succs.clear();
        for (_, succs) in self.succ_numbers.iter() {
            let block = |&number: &u32| self.by_number[number as usize].get().expect("in the function");
            self.succs.push_row(succs.iter().map(block));
        }
        self.preds.transpose_of(&self.succs, self.numbers.len());
        let leaves_early = |b: usize| {
            self.succs.row(BlockId::from_usize(b)).iter().any(|&s| self.block_flags[s.index()] != 0)
        };
        self.early_exit.clear();
        self.early_exit.extend((0..self.numbers.len()).map(leaves_early));
        self.block_of.clear();
        for block in 0..self.num_blocks() {
            let end = self.first_instr[block + 1] as usize;
            self.block_of.resize(end, block as u32);
        }
        let Program { num_regs, instrs, operands, block_of, first_def, defs, home, .. } = self;
        first_def.clear();
        first_def.resize(*num_regs + 1, 0);
        home.clear();
        home.resize(*num_regs, NONE);
        for (i, instr) in instrs.iter_mut().enumerate() {
            let operands = &operands[instr.first_operand as usize..][..instr.num_operands as usize];
            if !is_move(instr, operands) {
                instr.flags |= Instr::ANCHOR;
            }
            for op in operands.iter().filter(|op| op.is_def() && op.reg().is_virtual()) {
                let reg = op.reg().virt_index();
                let block = block_of[i];
                let seen = first_def[reg + 1] > 0;
                home[reg] = if !seen || home[reg] == block { block } else { NONE };
                first_def[reg + 1] += 1;
            }
        }
        for reg in 0..*num_regs {
            first_def[reg + 1] += first_def[reg];
        }
        defs.clear();
        defs.resize(first_def[*num_regs] as usize, Point::default());
        let mut next = first_def.clone();
        for (i, instr) in instrs.iter().enumerate() {
            let operands = &operands[instr.first_operand as usize..][..instr.num_operands as usize];
            for (index, op) in operands.iter().enumerate() {
                if op.is_def() && op.reg().is_virtual() {
                    let next = &mut next[op.reg().virt_index()];
                    defs[*next as usize] = Point { instr: i as u32, operand: index as u32 };
                    *next += 1;
                }
            }
        }
    }

    /// A bound of the numbers of blocks.
    pub fn num_block_ids(&self) -> usize {
        self.by_number.len()
    }
    /// The predecessors of a block.
    pub fn preds(&self, block: u32) -> &[BlockId] {
        self.preds.row(BlockId::from_raw(block))
    }
    /// The successors of a block.
    pub fn succs(&self, block: u32) -> &[BlockId] {
        self.succs.row(BlockId::from_raw(block))
    }
    /// How many blocks there are.
    pub fn num_blocks(&self) -> usize {
        self.numbers.len()
    }
    /// The block of a number, if there is one.
    pub fn block_numbered(&self, number: u32) -> Option<u32> {
        self.by_number.get(number as usize)?.get().map(BlockId::raw)
    }
    /// The instructions of a block.
    pub fn block(&self, block: u32) -> Range<u32> {
        self.first_instr[block as usize]..self.first_instr[block as usize + 1]
    }
    /// The block of an instruction.
    pub fn block_of(&self, instr: u32) -> u32 {
        self.block_of[instr as usize]
    }
    /// An instruction.
    pub fn instr(&self, instr: u32) -> &Instr {
        &self.instrs[instr as usize]
    }
    /// Its operands.
    pub fn operands(&self, instr: u32) -> &[Operand] {
        let instr = self.instr(instr);
        &self.operands[instr.first_operand as usize..][..instr.num_operands as usize]
    }
    /// All defs of a register, in order.
    pub fn defs(&self, reg: u32) -> &[Point] {
        match self.first_def.get(reg as usize..reg as usize + 2) {
            Some(&[first, end]) => &self.defs[first as usize..end as usize],
            _ => &[],
        }
    }
    /// The last def of a register in `block` before a point.
    pub fn def_before(&self, reg: u32, block: u32, at: Point) -> Option<Point> {
        let defs = self.defs(reg);
        let last = defs.partition_point(|&d| d < at).checked_sub(1)?;
        (defs[last].instr >= self.first_instr[block as usize]).then_some(defs[last])
    }
    /// The PHI of `block` that defines a register.
    pub fn phi_of(&self, reg: u32, block: u32) -> Option<u32> {
        let defs = self.defs(reg);
        let first = defs.partition_point(|d| d.instr < self.first_instr[block as usize]);
        let instr = defs.get(first)?.instr;
        (self.block_of(instr) == block && self.instr(instr).is(Instr::PHI)).then_some(instr)
    }
    /// The block that all defs of a register are in, if there are any and there is such a block.
    pub fn home(&self, reg: u32) -> Option<u32> {
        self.home.get(reg as usize).copied().filter(|&b| b != NONE)
    }
    /// Whether control may leave a block ahead of its end.
    pub fn has_early_exit(&self, block: u32) -> bool {
        self.early_exit[block as usize]
    }
    /// How many virtual registers an instruction reads, and the last of these operands.
    pub fn virtual_reads(&self, instr: u32) -> (usize, usize) {
        let reads = self.operands(instr).iter().enumerate();
        let reads = reads.filter(|(_, op)| op.is_use() && op.reg().is_virtual());
        reads.fold((0, 0), |(n, _), (index, _)| (n + 1, index))
    }
    /// The first operand that it defines; as many as it has operands if there is none.
    pub fn first_def(&self, instr: u32) -> u32 {
        self.operands(instr).iter().take_while(|op| !op.is_def()).count() as u32
    }
    /// Whether an instruction writes a physical register that is read.
    pub fn writes_physical(&self, instr: u32) -> bool {
        self.operands(instr).iter().any(|op| op.is_def() && op.reg().is_physical() && !op.is_dead())
    }
}

/// Whether it only moves values of virtual registers.
fn is_move(instr: &Instr, operands: &[Operand]) -> bool {
    let virt = |index: usize| operands.get(index).is_some_and(|op| op.is_reg() && op.reg().is_virtual());
    if instr.is(Instr::COPY) {
        let more = operands.get(2..).unwrap_or_default();
        return virt(0) && virt(1) && more.iter().all(|op| op.is_use() && op.reg().is_physical());
    }
    if instr.is(Instr::PHI | Instr::IMPLICIT_DEF | Instr::REG_SEQUENCE | Instr::EXTRACT_SUBREG) {
        let is_virtual = |op: &Operand| !op.is_reg() || op.reg().is_virtual();
        return virt(0) && operands.iter().all(is_virtual);
    }
    if instr.is(Instr::INSERT_SUBREG) {
        return virt(0) && virt(1) && virt(2);
    }
    if instr.is(Instr::PACK | Instr::UNPACK | Instr::LOW_HALF | Instr::HIGH_HALF) {
        let sizes: &[usize] = if instr.is(Instr::PACK | Instr::UNPACK) { &[3, 5] } else { &[2] };
        let defs = if instr.is(Instr::UNPACK) { operands.len().saturating_sub(1) } else { 1 };
        let is_plain = |(i, op): (usize, &Operand)| {
            op.is_reg() && op.is_virtual() && op.subreg() == 0 && op.is_def() == (i < defs)
        };
        return sizes.contains(&operands.len()) && operands.iter().enumerate().all(is_plain);
    }
    instr.is(Instr::KILL)
        && !operands
            .iter()
            .any(|op| op.is_reg() && op.reg() != Register::NONE && op.is_virtual() && op.is_def())
}
