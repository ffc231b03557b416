//! Recognises 32-bit and 64-bit integer arithmetic.

use super::moves::{Family, Move, TypeCode};

/// How 32 bits are extended to 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extension {
    /// With zeros.
    Zero,
    /// With the sign bit.
    Sign,
}

/// The operation of an instruction on integers. Its first operand is the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// A move of a register or a constant.
    Copy,
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Bitwise and.
    And,
    /// Shifted left by a constant.
    Shl,
    /// Shifted right by a constant; the high bits become zero.
    Shr,
    /// The low bits of the product with a constant.
    MulConstant,
    /// The low bits of the product with a constant, plus a third operand.
    MulAddConstant,
    /// The 64-bit product of 32 bits and a constant, both extended this way.
    MulWideConstant(Extension),
    /// The low bits of the product of two registers.
    MulRegisters,
    /// The low bits of the product of two registers, plus a third register.
    MulAddRegisters,
    /// 32 bits extended to 64.
    Extend(Extension),
    /// The low 32 bits of a 64-bit value.
    Truncate,
    /// A bit field, zero-extended. The third operand read is its width.
    BitField,
    /// The index of the thread in its block, in this dimension (of three).
    ThreadId(u8),
    /// The index of the thread in its warp.
    LaneId,
}

impl Arithmetic {
    /// Returns whether the result may be the sum of at most two registers and a constant.
    pub fn is_sum(self) -> bool {
        use Arithmetic::*;
        matches!(self, Add | Sub | Or | Xor | Truncate)
    }
    /// Returns whether it takes at most one hardware instruction.
    pub fn is_cheap(self) -> bool {
        use Arithmetic::*;
        matches!(
            self,
            Add | Sub | Or | Xor | And | Shl | Shr | MulConstant | MulWideConstant(_) | Extend(_) | Truncate
        )
    }
}

/// An operation and the width of its result, 32 or 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntegerOp {
    /// The operation.
    pub operation: Arithmetic,
    /// The width of the result.
    pub bits: u32,
}

impl IntegerOp {
    /// Classifies the opcode of this name. `COPY` is not classified: its register gives its width.
    pub fn from_name(name: &str) -> Option<IntegerOp> {
        IntegerOp::of_opcode(name, Move::from_name(name))
    }
    /// Classifies the opcode of this name; `move_` is its classification as a move.
    pub fn of_opcode(name: &str, move_: Option<Move>) -> Option<IntegerOp> {
        use Arithmetic::*;
        let (operation, bits) = match name {
            "COPY" => return None,
            "INT_PTX_SREG_TID_x" => (ThreadId(0), 32),
            "INT_PTX_SREG_TID_y" => (ThreadId(1), 32),
            "INT_PTX_SREG_TID_z" => (ThreadId(2), 32),
            // Named SREG_LANEID since LLVM 21.
            "INT_PTX_SREG_LANEID" | "SREG_LANEID" => (LaneId, 32),
            "CVT_u64_u32" | "CVT_s64_u32" => (Extend(Extension::Zero), 64),
            "CVT_s64_s32" | "CVT_u64_s32" => (Extend(Extension::Sign), 64),
            "CVT_u32_u64" | "CVT_s32_u64" | "CVT_u32_s64" | "CVT_s32_s64" | "I64toI32L" => (Truncate, 32),
            _ => match move_ {
                Some(copy) => {
                    let is_copy = matches!(copy.family, Family::Register | Family::Immediate);
                    (is_copy && copy.type_code == TypeCode::Int).then_some((Copy, copy.bits))?
                }
                None => binary(name)?,
            },
        };
        matches!(bits, 32 | 64).then_some(IntegerOp { operation, bits })
    }
}

/// Returns whether the opcode of this name computes 64 bits from 32: a widening product or an
/// extension. ptxas can add a third register in the same instruction.
pub fn is_widening(name: &str) -> bool {
    ["MULWIDE", "MUL_WIDE", "CVT_s64_s32", "CVT_u64_u32"].iter().any(|prefix| name.starts_with(prefix))
}

/// Parses a name made of a stem, a width and the operands' kinds: `ADDi64rr` and `ADD64rr`,
/// `ORb32ri` and `OR_b32ri`, `MULWIDEU64Imm` and `MUL_WIDEu32_ri`.
fn binary(name: &str) -> Option<(Arithmetic, u32)> {
    use Arithmetic::*;
    let (stem, rest) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (bits, operands) = (rest[..end].parse().ok()?, rest[end..].trim_start_matches('_'));
    let operation = match (stem, operands) {
        ("ADDi" | "ADD", "rr" | "ri") => Add,
        ("SUBi" | "SUB", "rr" | "ri" | "ir") => Sub,
        ("ORb" | "OR_b", "rr" | "ri") => Or,
        ("XORb" | "XOR_b", "rr" | "ri") => Xor,
        ("ANDb" | "AND_b", "rr" | "ri") => And,
        ("SHLi" | "SHL", "ri") => Shl,
        ("SRLi" | "SRL", "ri") => Shr,
        ("MULTi" | "MULT", "ri") => MulConstant,
        ("MULTi" | "MULT", "rr") => MulRegisters,
        ("MAD" | "MAD_LO_S", "rrr") => MulAddRegisters,
        ("MAD" | "MAD_LO_S", "rir" | "rii") => MulAddConstant,
        // Up to LLVM 20 the width is that of the product, since 21 that of the factors.
        ("MULWIDEU", "Imm") if bits == 64 => MulWideConstant(Extension::Zero),
        ("MULWIDES", "Imm") if bits == 64 => MulWideConstant(Extension::Sign),
        ("MUL_WIDEu", "ri") if bits == 32 => return Some((MulWideConstant(Extension::Zero), 64)),
        ("MUL_WIDEs", "ri") if bits == 32 => return Some((MulWideConstant(Extension::Sign), 64)),
        ("BFE_U", "rii") => BitField,
        _ => return None,
    };
    Some((operation, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_arithmetic_of_all_versions() {
        use Arithmetic::*;
        for (names, operation, bits) in [
            (&["ADDi64rr", "ADDi64ri", "ADD64rr", "ADD64ri"][..], Add, 64),
            (&["SUBi32rr", "SUB32rr", "SUB32ir"], Sub, 32),
            (&["ORb32ri", "OR_b32ri"], Or, 32),
            (&["XORb64rr", "XOR_b64rr"], Xor, 64),
            (&["ANDb32ri", "AND_b32ri"], And, 32),
            (&["SHLi64ri", "SHL64_ri"], Shl, 64),
            (&["SRLi32ri", "SRL32_ri"], Shr, 32),
            (&["MULTi32ri", "MULT32ri"], MulConstant, 32),
            (&["MAD32rir", "MAD_LO_S32rir"], MulAddConstant, 32),
            (&["MULTi64rr", "MULT64rr"], MulRegisters, 64),
            (&["MAD64rrr", "MAD_LO_S64rrr"], MulAddRegisters, 64),
            (&["MULWIDEU64Imm", "MUL_WIDEu32_ri"], MulWideConstant(Extension::Zero), 64),
            (&["MULWIDES64Imm", "MUL_WIDEs32_ri"], MulWideConstant(Extension::Sign), 64),
            (&["CVT_u64_u32"], Extend(Extension::Zero), 64),
            (&["CVT_s64_s32"], Extend(Extension::Sign), 64),
            (&["CVT_u32_u64"], Truncate, 32),
            (&["BFE_U32rii"], BitField, 32),
            (&["INT_PTX_SREG_TID_x"], ThreadId(0), 32),
            (&["IMOV32ri", "IMOVB32ri", "IMOV32i", "MOV_B32_i", "ProxyRegI32"], Copy, 32),
        ] {
            for name in names {
                assert_eq!(IntegerOp::from_name(name), Some(IntegerOp { operation, bits }), "{name}");
            }
        }
        for name in [
            "ADDCCi32ri",
            "FADDf64rr",
            "ADD16x2",
            "MULWIDEU32Imm",
            "MUL_WIDEu16_ri",
            "MULTHUi32ri",
            "SRAi32ri",
            "SHL32_rr",
            "BFE_S32rii",
            "FMOV32ri",
            "XOR_predrr",
            "MOV_B64_sym",
            "SHL16_ri",
            "MULWIDEU64Imm64",
        ] {
            assert_eq!(IntegerOp::from_name(name), None, "{name}");
        }
    }
}
