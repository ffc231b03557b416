//! Gathers what each block does to each register, in one walk (phase 4).
//!
//! **Algorithm.** The walk keeps *pieces* of each register in each block. A piece goes from a def
//! to the last use that reads it. Before the first def, it goes from the start of the block to the
//! last upward-exposed use. A register whose only piece begins with its def is local: the piece is
//! its live range, and phase 5 need not look at it. On GPU code nine registers in ten are local. So
//! the last piece is kept by register, and only a register with more pieces has a list.
//!
//! Within an instruction events happen in slot order: uses that are tied to an early-clobber def,
//! early-clobber defs, all other uses, all other defs. A bundle counts as one instruction. The uses
//! of a PHI happen at the ends of its predecessors.
//!
//! **Source.** The reference description of the live-range calculation, phase 4 (kill and def sets
//! of each block); the meaning of operands is that of `LiveIntervalCalc::extendToUses`.
//! **Deviation:** the reference keeps sets by block in a hash table. Pieces hold the same facts,
//! and within a block they are already the segments of phase 7.
//!
//! **Complexity.** Linear in operands. The only allocations are those of growing arrays, which are
//! kept.

use super::slot_index::{Slot, SlotIndex, SlotIndexes};
use super::unsuited::Unsuited;
use crate::adt::PackedOption;
use crate::mir::{
    BlockId, Code, FunctionShape, InstrFlags, InstrRun, LocalRegisters, Operand, Piece, Reader, VRegId,
    VarFlags,
};
use index_vec::IndexVec;

index_vec::define_index_type! {
    /// The number of a piece that is not the last one of its register.
    pub struct EarlierPiece = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A place in the list of a register's pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceRef {
    /// At a piece that others follow.
    Earlier(EarlierPiece),
    /// At the last piece.
    Last,
    /// After all of them.
    End,
}

/// A piece that others follow. If there is no `next`, the last piece follows.
#[derive(Debug)]
struct ListedPiece {
    piece: Piece,
    next: PackedOption<EarlierPiece>,
}

/// The list of a register's pieces without the last one: its first and its last entry.
#[derive(Clone, Copy, Default, Debug)]
struct PieceList {
    first: PackedOption<EarlierPiece>,
    last: PackedOption<EarlierPiece>,
}

/// The pieces of a function.
#[derive(Default, Debug)]
pub struct BlockFacts {
    /// By virtual register, its last piece.
    pub last: IndexVec<VRegId, Piece>,
    /// By virtual register.
    pub flags: IndexVec<VRegId, VarFlags>,
    lists: IndexVec<VRegId, PieceList>,
    earlier: IndexVec<EarlierPiece, ListedPiece>,
    /// The registers with [`VarFlags::GLOBAL`], in the order of their first use across a boundary.
    pub globals: Vec<VRegId>,
    /// The registers with [`VarFlags::MANY_DEFS`], ascending.
    pub many_defs: Vec<VRegId>,
    /// Pairs of a block and a register: a PHI of some successor reads the register at the end of
    /// the block.
    pub phi_uses: Vec<(BlockId, VRegId)>,
    /// How many PHIs there are.
    pub num_phis: u32,
    /// Operands (entry, position) with a wrong kill flag: they are not the first reader at the end
    /// of a piece.
    pub stale_kills: Vec<(u32, u32)>,
    /// The union of the flags of all instructions.
    pub instr_flags: InstrFlags,
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
        self.reset(shape.num_virt_regs);
        slots.clear();
        for block in shape.blocks() {
            let start = slots.begin_block();
            let mut at = Walk { facts: self, block, start, entry: start.entry() };
            code.read_block(block, |run| at.run(shape, run));
            slots.end_instrs(at.entry);
        }
        slots.begin_block();
        for i in 0..self.phi_uses.len() {
            self.make_global(self.phi_uses[i].1);
        }
        self.many_defs.sort_unstable();
        match self.globals.iter().all(|&r| self.flags[r].has(VarFlags::DEFINED)) {
            true => Ok(()),
            false => Err(Unsuited::UseWithoutDef),
        }
    }

    fn reset(&mut self, num_virt_regs: usize) {
        self.last.clear();
        self.last.resize(num_virt_regs, Piece::MISSING);
        self.flags.clear();
        self.flags.resize(num_virt_regs, VarFlags::NONE);
        self.lists.clear();
        self.lists.resize(num_virt_regs, PieceList::default());
        self.earlier.clear();
        self.globals.clear();
        self.many_defs.clear();
        self.phi_uses.clear();
        self.num_phis = 0;
        self.stale_kills.clear();
        self.instr_flags = InstrFlags::NONE;
        // Few registers have more than one entry. Reserving avoids copying while the lists grow.
        self.earlier.reserve(num_virt_regs);
        self.phi_uses.reserve(num_virt_regs);
    }

    fn make_global(&mut self, reg: VRegId) {
        let flags = &mut self.flags[reg];
        if !flags.has(VarFlags::GLOBAL) {
            *flags |= VarFlags::GLOBAL;
            self.globals.push(reg);
        }
    }

    /// Returns all registers with their last pieces, as LLVM's analyses are filled with them.
    pub fn local_registers(&self) -> LocalRegisters<'_> {
        LocalRegisters { flags: &self.flags, pieces: &self.last }
    }
    /// Returns whether a register has one piece only, which is its live range.
    pub fn is_local(&self, reg: VRegId) -> bool {
        self.flags[reg].is_local()
    }
    /// Returns the first piece of a register.
    pub fn first(&self, reg: VRegId) -> PieceRef {
        match self.lists[reg].first.get() {
            Some(first) => PieceRef::Earlier(first),
            None if self.last[reg].is_missing() => PieceRef::End,
            None => PieceRef::Last,
        }
    }
    /// Returns the piece of `reg` at `at` and the place after it. `None` at the end.
    pub fn piece(&self, reg: VRegId, at: PieceRef) -> Option<(&Piece, PieceRef)> {
        match at {
            PieceRef::End => None,
            PieceRef::Last => Some((&self.last[reg], PieceRef::End)),
            PieceRef::Earlier(at) => {
                let ListedPiece { piece, next } = &self.earlier[at];
                Some((piece, next.get().map_or(PieceRef::Last, PieceRef::Earlier)))
            }
        }
    }
    /// Returns the pieces of a register, in layout order.
    pub fn pieces(&self, reg: VRegId) -> impl Iterator<Item = &Piece> {
        let mut at = self.first(reg);
        std::iter::from_fn(move || {
            let (piece, next) = self.piece(reg, at)?;
            at = next;
            Some(piece)
        })
    }
    /// Returns the pieces of a register that begin with a def, in layout order.
    pub fn defs(&self, reg: VRegId) -> impl Iterator<Item = &Piece> {
        self.pieces(reg).filter(|p| p.is_def())
    }
}

/// The walk over the instructions of a block, at one of them.
struct Walk<'a> {
    facts: &'a mut BlockFacts,
    block: BlockId,
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
            while i < run.flags.len() && run.flags[i].is_in_bundle() {
                flags |= run.flags[i];
                n += run.num_operands[i] as usize;
                i += 1;
            }
            self.facts.instr_flags |= flags;
            let (these, rest) = operands.split_at(n);
            operands = rest;
            if flags.is_phi() {
                self.phi(shape, these);
            } else if flags.has_any(InstrFlags::EARLY_CLOBBER) {
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
            if let Some(reg) = reg.vreg() {
                self.facts.phi_uses.push((shape.block_numbered(pred), reg));
            }
        }
        for op in operands {
            if op.is_virtual() && !op.is_def() {
                self.facts.flags[op.reg().virt_index()] |= VarFlags::NAMED;
            }
        }
    }

    /// Enters the uses and then the defs among those `operands` for which `happens` holds. They
    /// happen at `slot`.
    fn operands(&mut self, operands: &[Operand], slot: Slot, happens: impl Fn(&Operand) -> bool) {
        let index = SlotIndex::new(self.entry, slot);
        let mut defs = 0; // all defs are before this position
        for (i, op) in operands.iter().enumerate() {
            if !op.is_virtual() || !happens(op) {
                continue;
            }
            if op.is_def() {
                defs = i + 1;
            }
            let reg = VRegId::from_usize(op.reg().virt_index());
            if op.reads() && !op.is_debug() {
                self.read(reg, index, Reader::new(i, *op));
            } else if !op.is_def() {
                self.undefined_use(i, reg, *op);
            }
        }
        for op in operands[..defs].iter().filter(|op| op.is_virtual() && op.is_def() && happens(op)) {
            self.define(VRegId::from_usize(op.reg().virt_index()), index);
        }
    }

    fn undefined_use(&mut self, position: usize, reg: VRegId, op: Operand) {
        if op.is_kill() {
            self.facts.stale_kills.push((self.entry, position as u32));
        }
        if !op.is_debug() {
            self.facts.flags[reg] |= VarFlags::NAMED;
        }
    }

    fn read(&mut self, reg: VRegId, at: SlotIndex, reader: Reader) {
        let last = &mut self.facts.last[reg];
        if !last.is_in(self.block) {
            self.push(reg, Piece::new(self.block, self.start, at, Some(reader)));
            self.facts.make_global(reg);
            return;
        }
        // The reader that is not, or no longer, the first one at the end of the piece. Its kill
        // flag is stale.
        let (stale, stale_at) = match last.reader {
            // The instruction reads the register more than once, maybe at two slots. Its first
            // operand has the flag.
            Some(first) if last.end.same_instr(at) => {
                last.end = last.end.max(at);
                if reader.operand() < first.operand() {
                    last.reader = Some(reader);
                    (Some(first), at)
                } else {
                    (Some(reader), at)
                }
            }
            before if last.end < at => {
                let end = last.end;
                (last.reader, last.end) = (Some(reader), at);
                (before, end)
            }
            _ => (Some(reader), at),
        };
        if let Some(stale) = stale.filter(|s| s.has_kill_flag()) {
            self.facts.stale_kills.push((stale_at.entry(), stale.operand()));
        }
    }

    fn define(&mut self, reg: VRegId, at: SlotIndex) {
        let last = &mut self.facts.last[reg];
        let piece = Piece::new(self.block, at, at.dead(), None);
        if last.is_missing() {
            *last = piece;
            self.facts.flags[reg] |= VarFlags::DEFINED;
            return;
        }
        // Several defs by one instruction are one. It is an early-clobber def if one of them is.
        if last.start.same_instr(at) {
            last.start = last.start.min(at);
            return;
        }
        let flags = &mut self.facts.flags[reg];
        if flags.has(VarFlags::DEFINED) && !flags.has(VarFlags::MANY_DEFS) {
            *flags |= VarFlags::MANY_DEFS;
            self.facts.many_defs.push(reg);
        }
        *flags |= VarFlags::DEFINED;
        self.push(reg, piece);
    }

    fn push(&mut self, reg: VRegId, piece: Piece) {
        let before = std::mem::replace(&mut self.facts.last[reg], piece);
        if before.is_missing() {
            return;
        }
        let here = self.facts.earlier.push(ListedPiece { piece: before, next: PackedOption::NONE });
        let list = &mut self.facts.lists[reg];
        match list.last.get() {
            None => list.first = here.into(),
            Some(last) => self.facts.earlier[last].next = here.into(),
        }
        list.last = here.into();
    }
}
