//! The opcodes that stages create.

use super::arithmetic::{Arithmetic, Extension, IntegerOp};
use crate::versions::Nvptx;

/// An operation that a stage creates. Most of their opcodes were renamed in LLVM 21 or 22, and
/// again in LLVM 24.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreatedOp {
    /// The sum of 32 bits and a constant.
    Add32Constant,
    /// The `or` of 32 bits and a constant.
    Or32Constant,
    /// The sum of two registers of 64 bits.
    Add64,
    /// 32 bits shifted left by a constant.
    Shl32,
    /// 64 bits shifted left by a constant.
    Shl64,
    /// 32 bits shifted right by a constant, with their sign.
    Sar32,
    /// The low 32 of 64 bits.
    Truncate,
    /// The 64-bit product of two 32-bit registers, extended this way.
    MulWide(Extension),
    /// The signed 64-bit product of 32 bits and a constant.
    MulWideSignedConstant,
    /// The product of [`CreatedOp::MulWide`] plus a third register. Some versions lack it.
    MulAddWide(Extension),
}

impl CreatedOp {
    /// All operations.
    pub const ALL: [CreatedOp; 12] = [
        CreatedOp::Add32Constant,
        CreatedOp::Or32Constant,
        CreatedOp::Add64,
        CreatedOp::Shl32,
        CreatedOp::Shl64,
        CreatedOp::Sar32,
        CreatedOp::Truncate,
        CreatedOp::MulWide(Extension::Sign),
        CreatedOp::MulWide(Extension::Zero),
        CreatedOp::MulWideSignedConstant,
        CreatedOp::MulAddWide(Extension::Sign),
        CreatedOp::MulAddWide(Extension::Zero),
    ];

    /// Returns the possible names of the opcode in a version, the usual one first; empty if the
    /// version has no such opcode.
    pub fn names_in(self, version: &Nvptx) -> impl Iterator<Item = &'static str> {
        let is_there = version.multiplies_and_adds_wide || !matches!(self, CreatedOp::MulAddWide(_));
        let mut names = self.names();
        names[..=version.usual_name].rotate_right(1);
        names.into_iter().filter(move |_| is_there)
    }

    /// Returns the opcode's names: the one up to LLVM 20 or 21, the one up to 23, and the one of
    /// 24, where one opcode takes registers and constants.
    pub fn names(self) -> [&'static str; 3] {
        match self {
            CreatedOp::Add32Constant => ["ADDi32ri", "ADD32ri", "ADD32"],
            CreatedOp::Or32Constant => ["ORb32ri", "OR_b32ri", "OR_b32"],
            CreatedOp::Add64 => ["ADDi64rr", "ADD64rr", "ADD64"],
            CreatedOp::Shl32 => ["SHLi32ri", "SHL32_ri", "SHL32"],
            CreatedOp::Shl64 => ["SHLi64ri", "SHL64_ri", "SHL64"],
            CreatedOp::Sar32 => ["SRAi32ri", "SRA32_ri", "SRA32"],
            CreatedOp::Truncate => ["CVT_u32_u64"; 3],
            CreatedOp::MulWide(Extension::Sign) => ["MULWIDES64", "MUL_WIDEs32_rr", "MUL_WIDEs32"],
            CreatedOp::MulWide(Extension::Zero) => ["MULWIDEU64", "MUL_WIDEu32_rr", "MUL_WIDEu32"],
            CreatedOp::MulWideSignedConstant => ["MULWIDES64Imm", "MUL_WIDEs32_ri", "MUL_WIDEs32"],
            CreatedOp::MulAddWide(Extension::Sign) => ["MAD_WIDE_S32rrr", "MAD_WIDE_S32rrr", "MAD_WIDE_S32"],
            CreatedOp::MulAddWide(Extension::Zero) => ["MAD_WIDE_U32rrr", "MAD_WIDE_U32rrr", "MAD_WIDE_U32"],
        }
    }

    /// Returns the operation of the opcode, as [`IntegerOp::from_name`] classifies it.
    pub fn integer_op(self) -> Option<IntegerOp> {
        let (operation, bits) = match self {
            CreatedOp::Add32Constant => (Arithmetic::Add, 32),
            CreatedOp::Or32Constant => (Arithmetic::Or, 32),
            CreatedOp::Add64 => (Arithmetic::Add, 64),
            CreatedOp::Shl32 => (Arithmetic::Shl, 32),
            CreatedOp::Shl64 => (Arithmetic::Shl, 64),
            CreatedOp::Truncate => (Arithmetic::Truncate, 32),
            CreatedOp::MulWideSignedConstant => (Arithmetic::MulWideConstant(Extension::Sign), 64),
            CreatedOp::Sar32 | CreatedOp::MulWide(_) | CreatedOp::MulAddWide(_) => return None,
        };
        Some(IntegerOp { operation, bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn created_operations_are_what_their_names_say() {
        for op in CreatedOp::ALL {
            // The names of LLVM 24 are classified together with their operands.
            for name in &op.names()[..2] {
                assert_eq!(op.integer_op(), IntegerOp::from_name(name), "{name}");
            }
        }
    }
}
