//! Phase 4: what each block does to each register, gathered in one walk.
//!
//! **Algorithm.** The walk keeps, for each register and block, *pieces*: the stretch from a def to the last
//! use that reads it, and before the first def the stretch from the start of the block to the last use
//! that is upward-exposed. A register whose only piece begins with its def is local: the piece is its live
//! range, and it never meets the data flow of phase 5. On GPU code these are nine registers in ten.
//!
//! Within an instruction events happen in slot order: uses at the early-clobber slot (tied to such a def),
//! early-clobber defs, all other uses, all other defs. A bundle is one instruction. The uses of a PHI happen
//! at the ends of its predecessors.
//!
//! **Source.** live-range-calc.txt, phase 4 (kill and def sets of each block); the meaning of operands is
//! that of `LiveIntervalCalc::extendToUses`. **Deviation:** the text keeps sets by block in a hash table;
//! pieces say the same and are the segments of phase 7 already, but for what crosses blocks.
//!
//! **Complexity.** Linear in operands, no allocation beyond the growth of reused arrays.

use super::slot_index::{Slot, SlotIndex, SlotIndexes};
use super::Unsuited;
use crate::mir::{FunctionFacts, Operand, Register};

/// No piece.
pub const NONE: u32 = u32::MAX;

/// A stretch of one register within one block.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Virtual register index.
    pub reg: u32,
    /// The block.
    pub block: u32,
    /// The def, or the start of the block.
    pub start: SlotIndex,
    /// The last use so far, or the dead slot of a def that is not read.
    pub end: SlotIndex,
    /// Position in [`FunctionFacts::operands`] of the first operand that reads at the end; [`NONE`] if none
    /// does.
    pub read_by: u32,
    /// The register's next piece, in layout order; [`NONE`] behind the last.
    pub next: u32,
}

impl Piece {
    /// Whether it begins with a def; otherwise it is live into its block.
    pub fn is_def(&self) -> bool {
        !self.start.is_block()
    }
}

/// What the walk knows of a register.
#[derive(Clone, Copy, Debug)]
pub struct RegFacts {
    /// First piece.
    pub first: u32,
    /// Last piece.
    pub last: u32,
    /// How many pieces are defs.
    pub defs: u32,
    /// Some operand names it; it may have no piece all the same.
    pub named: bool,
    /// It is live across a boundary of blocks.
    pub global: bool,
}

impl RegFacts {
    const UNSEEN: RegFacts = RegFacts { first: NONE, last: NONE, defs: 0, named: false, global: false };
}

impl BlockFacts {
    /// The pieces of a register, in layout order.
    pub fn pieces_of(&self, reg: u32) -> impl Iterator<Item = &Piece> {
        let first = self.pieces.get(self.regs[reg as usize].first as usize);
        std::iter::successors(first, |p| self.pieces.get(p.next as usize))
    }
}

/// The pieces of a function.
#[derive(Default, Debug)]
pub struct BlockFacts {
    /// All, in layout order of their starts (early-clobber defs aside).
    pub pieces: Vec<Piece>,
    /// By virtual register.
    pub regs: Vec<RegFacts>,
    /// (block, register): a PHI of some successor reads the register at the end of the block.
    pub phi_uses: Vec<(u32, u32)>,
}

impl BlockFacts {
    /// Walks over the function.
    ///
    /// # Errors
    /// When a register is read that nothing defines.
    pub fn gather(&mut self, facts: &FunctionFacts, slots: &SlotIndexes) -> Result<(), Unsuited> {
        self.pieces.clear();
        self.phi_uses.clear();
        self.regs.clear();
        self.regs.resize(facts.num_virt_regs, RegFacts::UNSEEN);
        for block in 0..facts.num_blocks() {
            let start = slots.start(block);
            let mut entry = start.entry();
            let mut instrs = facts.instrs(block);
            while let Some(i) = instrs.next() {
                entry += 1;
                if facts.is_phi(i) {
                    self.phi(facts, i, block, entry);
                    continue;
                }
                let mut end = i + 1;
                let mut flags = facts.instr_flags[i];
                while end < instrs.end && facts.instr_flags[end] & FunctionFacts::IN_BUNDLE != 0 {
                    flags |= facts.instr_flags[end];
                    instrs.next();
                    end += 1;
                }
                let first = facts.first_operand[i];
                let operands = &facts.operands[first as usize..facts.first_operand[end] as usize];
                let mut at = Walk { facts: self, block: block as u32, start, entry, first };
                if flags & FunctionFacts::HAS_EARLY_CLOBBER != 0 {
                    at.operands(operands, Slot::EarlyClobber, |op| op.is_early_clobber());
                    at.operands(operands, Slot::Register, |op| !op.is_early_clobber());
                } else {
                    at.operands(operands, Slot::Register, |_| true);
                }
            }
        }
        for i in 0..self.phi_uses.len() {
            self.regs[self.phi_uses[i].1 as usize].global = true;
        }
        match self.regs.iter().any(|r| r.global && r.defs == 0) {
            true => Err(Unsuited::UseWithoutDef),
            false => Ok(()),
        }
    }

    fn phi(&mut self, facts: &FunctionFacts, phi: usize, block: usize, entry: u32) {
        let operands = facts.operands(phi);
        let start = SlotIndex::new(0, Slot::Block);
        let first = facts.first_operand[phi];
        let mut at = Walk { facts: self, block: block as u32, start, entry, first };
        at.operands(&operands[..operands.len().min(1)], Slot::Register, |op| op.is_def());
        for (reg, pred) in facts.phi_uses(phi) {
            if reg.is_virtual() {
                self.phi_uses.push((pred as u32, reg.virt_index() as u32));
            }
        }
        for op in operands {
            if op.is_reg() && op.reg().is_virtual() {
                self.regs[op.reg().virt_index()].named = true;
            }
        }
    }
}

/// The walk, at one instruction.
struct Walk<'a> {
    facts: &'a mut BlockFacts,
    block: u32,
    start: SlotIndex,
    entry: u32,
    /// Position of the instruction's first operand.
    first: u32,
}

impl Walk<'_> {
    /// The uses and then the defs among those `operands` that happen at `slot`.
    fn operands(&mut self, operands: &[Operand], slot: Slot, which: impl Fn(&Operand) -> bool) {
        let index = SlotIndex::new(self.entry, slot);
        let mut defs = false;
        for (i, op) in operands.iter().enumerate() {
            if !op.is_reg() || !op.reg().is_virtual() || op.is_debug() || !which(op) {
                continue;
            }
            if op.reads() {
                self.read(op.reg(), index, self.first + i as u32);
            }
            if op.is_def() {
                defs = true;
            } else {
                self.facts.regs[op.reg().virt_index()].named = true;
            }
        }
        if defs {
            for op in operands {
                if op.is_def() && op.reg().is_virtual() && which(op) {
                    self.define(op.reg(), index);
                }
            }
        }
    }

    fn read(&mut self, reg: Register, at: SlotIndex, operand: u32) {
        let r = &mut self.facts.regs[reg.virt_index()];
        if let Some(last) = self.facts.pieces.get_mut(r.last as usize) {
            if last.block == self.block {
                if last.end < at {
                    // An instruction may read at two slots; what counts is the order of its operands.
                    let same = last.end.same_instr(at);
                    last.read_by = if same { last.read_by.min(operand) } else { operand };
                    last.end = at;
                }
                return;
            }
        }
        r.global = true;
        self.push(reg, self.start, at, operand);
    }

    fn define(&mut self, reg: Register, at: SlotIndex) {
        let r = &mut self.facts.regs[reg.virt_index()];
        r.named = true;
        if let Some(last) = self.facts.pieces.get_mut(r.last as usize) {
            // Several defs by one instruction are one; early clobber wins.
            if last.start.same_instr(at) {
                last.start = last.start.min(at);
                return;
            }
        }
        r.defs += 1;
        self.push(reg, at, at.dead(), NONE);
    }

    fn push(&mut self, reg: Register, start: SlotIndex, end: SlotIndex, read_by: u32) {
        let BlockFacts { pieces, regs, .. } = &mut *self.facts;
        let r = &mut regs[reg.virt_index()];
        let piece = pieces.len() as u32;
        match pieces.get_mut(r.last as usize) {
            Some(last) => last.next = piece,
            None => r.first = piece,
        }
        r.last = piece;
        let reg = reg.virt_index() as u32;
        pieces.push(Piece { reg, block: self.block, start, end, read_by, next: NONE });
    }
}
