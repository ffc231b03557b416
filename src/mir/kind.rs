//! The generic opcodes that passes distinguish.

use crate::versions::VERSIONS;

/// The kind of an instruction, the same on every target.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InstrKind {
    /// Any opcode that is not listed here.
    #[default]
    Other,
    /// PHI or G_PHI
    Phi,
    /// COPY
    Copy,
    /// IMPLICIT_DEF
    ImplicitDef,
    /// REG_SEQUENCE
    RegSequence,
    /// INSERT_SUBREG
    InsertSubreg,
    /// EXTRACT_SUBREG
    ExtractSubreg,
    /// SUBREG_TO_REG
    SubregToReg,
    /// KILL
    Kill,
    /// BUNDLE: the head of a bundle.
    Bundle,
    /// INLINEASM
    InlineAsm,
    /// INLINEASM_BR
    InlineAsmBr,
    /// STATEPOINT
    Statepoint,
    /// DBG_VALUE, DBG_LABEL, ...: `isDebugInstr`
    Debug,
}

impl InstrKind {
    /// Returns whether it is inline assembly (`isInlineAsm`).
    pub const fn is_inline_asm(self) -> bool {
        matches!(self, InstrKind::InlineAsm | InstrKind::InlineAsmBr)
    }
    /// Returns whether the coalescer treats it as a COPY (`isCopyLike`).
    pub const fn is_copy_like(self) -> bool {
        matches!(self, InstrKind::Copy | InstrKind::SubregToReg)
    }
    /// Returns the position of the operand that is copied to the first operand or to a part of it,
    /// for a COPY, an INSERT_SUBREG or a SUBREG_TO_REG.
    pub const fn copied_operand(self) -> Option<usize> {
        match self {
            InstrKind::Copy => Some(1),
            InstrKind::SubregToReg if VERSIONS.subreg_to_reg_begins_with_register => Some(1),
            InstrKind::InsertSubreg | InstrKind::SubregToReg => Some(2),
            _ => None,
        }
    }
}
