//! Phase 4: what each block does to each register, gathered in one walk.
//!
//! **Algorithm.** The walk keeps, for each register and block, *pieces*: the stretch from a def to the last
//! use that reads it, and before the first def the stretch from the start of the block to the last use
//! that is upward-exposed. A register whose only piece begins with its def is local: the piece is its live
//! range, and it never meets the data flow of phase 5. On GPU code these are nine registers in ten, so the
//! last piece is kept by register, and only a register that gets another one has a list.
//!
//! Within an instruction events happen in slot order: uses at the early-clobber slot (tied to such a def),
//! early-clobber defs, all other uses, all other defs. A bundle is one instruction. The uses of a PHI happen
//! at the ends of its predecessors.
//!
//! **Source.** live-range-calc.txt, phase 4 (kill and def sets of each block); the meaning of operands is
//! that of `LiveIntervalCalc::extendToUses`. **Deviation:** the text keeps sets by block in a hash table;
//! pieces say the same and are the segments of phase 7 already, but for what crosses blocks.
//!
//! **Complexity.** Linear in operands; 29 bytes for each register and no allocation beyond the growth of
//! reused arrays.

use super::ranges::Segment;
use super::slot_index::{Slot, SlotIndex, SlotIndexes};
use super::Unsuited;
use crate::mir::{Code, FunctionShape, InstrRun, Operand, Register};

const NONE: u32 = u32::MAX;

/// A stretch of one register within one block.
#[derive(Clone, Copy, Debug)]
#[repr(C)] // handed to the shim as it is
pub struct Piece {
    /// The block.
    pub block: u32,
    /// The def, or the start of the block.
    pub start: SlotIndex,
    /// The last use so far, or the dead slot of a def that is not read.
    pub end: SlotIndex,
    /// What reads at the end.
    pub reader: Reader,
}

/// The first operand of an instruction that reads a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Reader(u32);

impl Reader {
    const KILL: u32 = 1 << 31;
    /// Nothing reads.
    pub const NONE: Reader = Reader(!Self::KILL);

    fn new(index: usize, op: Operand) -> Reader {
        Reader(index as u32 | if op.is_kill() { Self::KILL } else { 0 })
    }
    /// Position of the operand in its instruction (or bundle).
    pub fn operand(self) -> Option<u32> {
        (self != Self::NONE).then_some(self.0 & !Self::KILL)
    }
    /// Whether the operand had a kill flag when it was read.
    pub fn has_kill_flag(self) -> bool {
        self.0 & Self::KILL != 0
    }
}

impl Piece {
    const MISSING: Piece =
        Piece { block: NONE, start: SlotIndex(0), end: SlotIndex(0), reader: Reader::NONE };

    /// The range of a local register.
    pub fn segment(&self) -> Segment {
        Segment { start: self.start, end: self.end, value: 0 }
    }
    /// Whether it begins with a def; otherwise it is live into its block.
    pub fn is_def(&self) -> bool {
        !self.start.is_block()
    }
}

/// Which piece of a register: one in the list, the last one, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceRef(u32);

impl PieceRef {
    /// No piece.
    pub const NONE: PieceRef = PieceRef(u32::MAX);
    const LAST: PieceRef = PieceRef(u32::MAX - 1);
}

/// A register is named by some operand that is neither def nor read, as an undefined use is; it may have no
/// piece.
pub const NAMED: u8 = 1;
/// It is live across a boundary of blocks.
pub const GLOBAL: u8 = 2;
/// It has a def.
pub const DEFINED: u8 = 4;
/// It has several.
pub const MANY_DEFS: u8 = 8;

/// The pieces of a function.
#[derive(Default, Debug)]
pub struct BlockFacts {
    /// By virtual register, its last piece.
    pub last: Vec<Piece>,
    /// By virtual register, [`NAMED`] and the others.
    pub flags: Vec<u8>,
    /// By virtual register, the first and last of the list of pieces before.
    lists: Vec<(PieceRef, PieceRef)>,
    earlier: Vec<(Piece, PieceRef)>,
    /// The registers with [`GLOBAL`], in the order of their first use across a boundary.
    pub globals: Vec<u32>,
    /// The registers with [`MANY_DEFS`], ascending.
    pub many_defs: Vec<u32>,
    /// (block, register): a PHI of some successor reads the register at the end of the block.
    pub phi_uses: Vec<(u32, u32)>,
    /// How many PHIs there are.
    pub num_phis: u32,
    /// Operands (entry, position) with a kill flag that are not the first to read at the end of a piece.
    pub stale_kills: Vec<(u32, u32)>,
    /// All flags of instructions, together.
    pub instr_flags: u8,
}

impl BlockFacts {
    /// Walks over the function and numbers its slots.
    ///
    /// # Errors
    /// When a register is read that nothing defines.
    pub fn gather(
        &mut self,
        shape: &FunctionShape,
        code: &mut impl Code,
        slots: &mut SlotIndexes,
    ) -> Result<(), Unsuited> {
        self.last.clear();
        self.last.resize(shape.num_virt_regs, Piece::MISSING);
        self.flags.clear();
        self.flags.resize(shape.num_virt_regs, 0);
        self.lists.clear();
        self.lists.resize(shape.num_virt_regs, (PieceRef::NONE, PieceRef::NONE));
        self.earlier.clear();
        self.globals.clear();
        self.many_defs.clear();
        self.phi_uses.clear();
        self.num_phis = 0;
        self.stale_kills.clear();
        self.instr_flags = 0;
        // Most lists have one entry for a register at most; growing step by step means copying each.
        self.earlier.reserve(shape.num_virt_regs);
        self.phi_uses.reserve(shape.num_virt_regs);
        slots.clear();
        for block in 0..shape.num_blocks() {
            let start = slots.begin_block();
            let mut at = Walk { facts: self, block: block as u32, start, entry: start.entry() };
            code.read_block(block, |run| at.run(shape, run));
            slots.end_instrs(at.entry);
        }
        slots.begin_block();
        for i in 0..self.phi_uses.len() {
            self.make_global(self.phi_uses[i].1);
        }
        self.many_defs.sort_unstable();
        match self.globals.iter().all(|&r| self.flags[r as usize] & DEFINED != 0) {
            true => Ok(()),
            false => Err(Unsuited::UseWithoutDef),
        }
    }

    fn make_global(&mut self, reg: u32) {
        let flags = &mut self.flags[reg as usize];
        if *flags & GLOBAL == 0 {
            *flags |= GLOBAL;
            self.globals.push(reg);
        }
    }

    /// Whether a register has one piece only, which is its live range.
    pub fn is_local(&self, reg: usize) -> bool {
        self.flags[reg] & (GLOBAL | MANY_DEFS | DEFINED) == DEFINED
    }
    /// The first piece of a register.
    pub fn first(&self, reg: u32) -> PieceRef {
        match self.lists[reg as usize].0 {
            PieceRef::NONE if self.last[reg as usize].block != NONE => PieceRef::LAST,
            first => first,
        }
    }
    /// A piece of `reg` and the one behind it; none if there is none.
    pub fn piece(&self, reg: u32, at: PieceRef) -> Option<(&Piece, PieceRef)> {
        match at {
            PieceRef::NONE => None,
            PieceRef::LAST => Some((&self.last[reg as usize], PieceRef::NONE)),
            PieceRef(i) => {
                let (piece, next) = &self.earlier[i as usize];
                Some((piece, *next))
            }
        }
    }
    /// The pieces of a register, in layout order.
    pub fn pieces(&self, reg: u32) -> impl Iterator<Item = &Piece> {
        let mut at = self.first(reg);
        std::iter::from_fn(move || {
            let (piece, next) = self.piece(reg, at)?;
            at = next;
            Some(piece)
        })
    }
    /// The defs among them.
    pub fn defs(&self, reg: u32) -> impl Iterator<Item = &Piece> {
        self.pieces(reg).filter(|p| p.is_def())
    }
}

/// The walk, at one instruction.
struct Walk<'a> {
    facts: &'a mut BlockFacts,
    block: u32,
    start: SlotIndex,
    entry: u32,
}

impl Walk<'_> {
    fn run(&mut self, shape: &FunctionShape, run: InstrRun) {
        let (mut i, mut operands) = (0, run.operands);
        while i < run.flags.len() {
            self.entry += 1;
            let mut flags = run.flags[i];
            let mut n = run.num_operands[i] as usize;
            i += 1;
            while i < run.flags.len() && run.flags[i] & InstrRun::IN_BUNDLE != 0 {
                flags |= run.flags[i];
                n += run.num_operands[i] as usize;
                i += 1;
            }
            self.facts.instr_flags |= flags;
            let (these, rest) = operands.split_at(n);
            operands = rest;
            if flags & InstrRun::IS_PHI != 0 {
                self.phi(shape, these);
            } else if flags & InstrRun::HAS_EARLY_CLOBBER != 0 {
                self.operands(these, Slot::EarlyClobber, |op| op.is_early_clobber());
                self.operands(these, Slot::Register, |op| !op.is_early_clobber());
            } else {
                self.operands(these, Slot::Register, |_| true);
            }
        }
    }

    fn phi(&mut self, shape: &FunctionShape, operands: &[Operand]) {
        self.facts.num_phis += 1;
        self.operands(&operands[..operands.len().min(1)], Slot::Register, |op| op.is_def());
        for (reg, pred) in InstrRun::phi_uses(operands) {
            if reg.is_virtual() {
                self.facts.phi_uses.push((shape.by_number[pred as usize], reg.virt_index() as u32));
            }
        }
        for op in operands {
            if op.is_virtual() && !op.is_def() {
                self.facts.flags[op.reg().virt_index()] |= NAMED;
            }
        }
    }

    /// The uses and then the defs among those `operands` that happen at `slot`.
    fn operands(&mut self, operands: &[Operand], slot: Slot, which: impl Fn(&Operand) -> bool) {
        let index = SlotIndex::new(self.entry, slot);
        let mut defs = 0; // are in front of this position
        for (i, op) in operands.iter().enumerate() {
            if !op.is_virtual() || !which(op) {
                continue;
            }
            if op.is_def() {
                defs = i + 1;
            }
            if op.reads() && !op.is_debug() {
                self.read(op.reg(), index, Reader::new(i, *op));
            } else if !op.is_def() {
                self.undefined_use(i, *op);
            }
        }
        for op in operands[..defs].iter().filter(|op| op.is_virtual() && op.is_def() && which(op)) {
            self.define(op.reg(), index);
        }
    }

    fn undefined_use(&mut self, index: usize, op: Operand) {
        if op.is_kill() {
            self.facts.stale_kills.push((self.entry, index as u32));
        }
        if !op.is_debug() {
            self.facts.flags[op.reg().virt_index()] |= NAMED;
        }
    }

    fn read(&mut self, reg: Register, at: SlotIndex, reader: Reader) {
        let reg = reg.virt_index();
        let last = &mut self.facts.last[reg];
        if last.block != self.block {
            self.push(reg, Piece { block: self.block, start: self.start, end: at, reader });
            self.facts.make_global(reg as u32);
            return;
        }
        let stale = if last.end.same_instr(at) && last.reader != Reader::NONE {
            // The instruction reads more than once, maybe at two slots: its first operand has the flag.
            last.end = last.end.max(at);
            if reader.operand() < last.reader.operand() {
                (std::mem::replace(&mut last.reader, reader), at)
            } else {
                (reader, at)
            }
        } else if last.end < at {
            let stale = (last.reader, last.end);
            (last.reader, last.end) = (reader, at);
            stale
        } else {
            (reader, at)
        };
        if stale.0.has_kill_flag() {
            self.facts.stale_kills.push((stale.1.entry(), stale.0 .0 & !Reader::KILL));
        }
    }

    fn define(&mut self, reg: Register, at: SlotIndex) {
        let reg = reg.virt_index();
        let last = &mut self.facts.last[reg];
        let piece = Piece { block: self.block, start: at, end: at.dead(), reader: Reader::NONE };
        if last.block == NONE {
            *last = piece;
            self.facts.flags[reg] |= DEFINED;
            return;
        }
        // Several defs by one instruction are one; early clobber wins.
        if last.start.same_instr(at) {
            last.start = last.start.min(at);
            return;
        }
        let flags = &mut self.facts.flags[reg];
        if *flags & (DEFINED | MANY_DEFS) == DEFINED {
            *flags |= MANY_DEFS;
            self.facts.many_defs.push(reg as u32);
        }
        *flags |= DEFINED;
        self.push(reg, piece);
    }

    fn push(&mut self, reg: usize, piece: Piece) {
        let before = std::mem::replace(&mut self.facts.last[reg], piece);
        if before.block == NONE {
            return;
        }
        let here = PieceRef(self.facts.earlier.len() as u32);
        self.facts.earlier.push((before, PieceRef::LAST));
        let (first, last) = &mut self.facts.lists[reg];
        match *last {
            PieceRef::NONE => *first = here,
            PieceRef(i) => self.facts.earlier[i as usize].1 = here,
        }
        *last = here;
    }
}
