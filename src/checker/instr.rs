//! Describes one instruction of a snapshot, and tells moves from anchors.
//!
//! **Problem.** The proof follows values through the instructions that only move them. It ends at
//! all others, the *anchors*: they make values of their own, or have effects.
//!
//! **Algorithm.** The flags tell the kind of an instruction. An instruction of a moving kind is a
//! move if all registers that it names are virtual; the values of physical registers are not
//! followed. A COPY may read physical registers besides its source.
//!
//! **Source.** The moves are LLVM's generic opcodes (`llvm/Support/TargetOpcodes.def`).
//! **Deviation.** NVPTX's packs and unpacks are moves as well ([`super::halves`]); SUBREG_TO_REG is
//! an anchor. **Complexity.** Linear in the operands.

use crate::mir::Operand;

/// One instruction. A bundle counts as one.
#[derive(Clone, Copy, Debug)]
pub struct Instr {
    /// Its address in LLVM. An instruction keeps its address, but LLVM reuses memory. So it is the
    /// same instruction before and after the pass only if the content is the same too.
    pub key: usize,
    /// A hash of opcode and operands, without virtual registers, blocks, and flags.
    pub content: u64,
    /// A hash of the operands that are not registers, immediates or blocks: symbols and others.
    pub names: u64,
    /// LLVM's number of the opcode.
    pub opcode: u32,
    /// [`Instr::COPY`] and the others.
    pub flags: u32,
    /// The position of its first operand in [`super::program::Program::operands`].
    pub first_operand: u32,
    /// How many operands it has.
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
    /// A bundle. Only its head is known.
    pub const BUNDLE: u32 = 1 << 7;
    /// It has effects: no pass may lose it, or swap it with another such instruction.
    pub const ORDERED: u32 = 1 << 8;
    /// Reads memory that may change.
    pub const LOAD: u32 = 1 << 9;
    /// Writes a physical register that is read, or reads one that may be allocated.
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
    /// SUBREG_TO_REG
    pub const SUBREG_TO_REG: u32 = 1 << 17;
    /// Some tied use that has a value has a register other than its def's.
    pub const UNTIED: u32 = 1 << 18;
    /// Puts its 2 or 4 parts, the least significant first, together to one value
    /// ([`super::halves`]).
    pub const PACK: u32 = 1 << 19;
    /// Takes a value apart into 2 or 4 parts.
    pub const UNPACK: u32 = 1 << 20;
    /// Takes the low half of a value.
    pub const LOW_HALF: u32 = 1 << 21;
    /// Takes the high half of a value.
    pub const HIGH_HALF: u32 = 1 << 22;
    /// It is not a move. [`super::program::Program::index`] sets this flag.
    const ANCHOR: u32 = 1 << 31;

    /// Returns whether it has one of these flags.
    pub fn is(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }
    /// Returns whether it makes values of its own, or has effects.
    pub fn is_anchor(&self) -> bool {
        self.is(Self::ANCHOR)
    }
    /// Flags it as an anchor unless it is a move.
    pub(super) fn find_anchor(&mut self, operands: &[Operand]) {
        if !self.is_move(operands) {
            self.flags |= Self::ANCHOR;
        }
    }
    /// Returns whether its results depend only on what it reads, and not on memory that may change.
    pub fn is_pure(&self) -> bool {
        !self.is(Self::ORDERED | Self::LOAD | Self::BUNDLE)
    }
    /// Returns its operands; `all` has those of the function.
    pub(super) fn operands<'a>(&self, all: &'a [Operand]) -> &'a [Operand] {
        &all[self.first_operand as usize..][..self.num_operands as usize]
    }

    /// Returns whether it only moves values of virtual registers.
    fn is_move(&self, operands: &[Operand]) -> bool {
        let is_virtual = |index: usize| operands.get(index).is_some_and(|op| op.is_virtual());
        if self.is(Self::COPY) {
            let more = operands.get(2..).unwrap_or_default();
            return is_virtual(0)
                && is_virtual(1)
                && more.iter().all(|op| op.is_use() && op.reg().is_physical());
        }
        if self.is(Self::PHI | Self::IMPLICIT_DEF | Self::REG_SEQUENCE | Self::EXTRACT_SUBREG) {
            return is_virtual(0) && operands.iter().all(|op| !op.is_reg() || op.is_virtual());
        }
        if self.is(Self::INSERT_SUBREG) {
            return (0..3).all(is_virtual);
        }
        if self.is(Self::PACK | Self::UNPACK | Self::LOW_HALF | Self::HIGH_HALF) {
            let sizes: &[usize] = if self.is(Self::PACK | Self::UNPACK) { &[3, 5] } else { &[2] };
            let defs = if self.is(Self::UNPACK) { operands.len().saturating_sub(1) } else { 1 };
            let is_plain =
                |(i, op): (usize, &Operand)| op.is_virtual() && op.subreg() == 0 && op.is_def() == (i < defs);
            return sizes.contains(&operands.len()) && operands.iter().enumerate().all(is_plain);
        }
        self.is(Self::KILL) && !operands.iter().any(|op| op.is_virtual() && op.is_def())
    }
}
