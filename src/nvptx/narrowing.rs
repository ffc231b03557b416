//! Which 64-bit instructions have a 32-bit one that computes the low half of their result.

use super::arithmetic::{Arithmetic, IntegerOp};
use super::moves::{Family, Move, TypeCode};

/// How the low half of a 64-bit result is computed from the low halves of the 64-bit operands.
/// Operands of other sizes stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Narrowing {
    /// By the same operation on 32 bits, with constants modulo 2^32.
    SameOperation,
    /// By the same operation, if this operand, the amount of a left shift, is a constant below 32.
    ShiftBy(u8),
    /// By the same operation, if the last operand, the mode of a conversion, is 0.
    Conversion,
    /// The low half is the first operand read, if the last operand, the mode of a conversion, is 0.
    Extended,
    /// The low half is the first operand read.
    FirstOperand,
}

impl Narrowing {
    /// Returns whether an operation, named by [`low_half_name`], computes the low half.
    pub fn is_operation(self) -> bool {
        matches!(self, Narrowing::SameOperation | Narrowing::ShiftBy(_) | Narrowing::Conversion)
    }
    /// Classifies the opcode of this name, which tells which operands are constants. `None` if the
    /// low half depends on more than low halves, or if the result does not have 64 bits.
    pub fn from_name(name: &str) -> Option<Narrowing> {
        let move_ = Move::from_name(name);
        Narrowing::of_opcode(name, move_, IntegerOp::of_opcode(name, move_))
    }
    /// Classifies the opcode of this name, given its classification as a move and as arithmetic.
    pub fn of_opcode(name: &str, move_: Option<Move>, arithmetic: Option<IntegerOp>) -> Option<Narrowing> {
        use Narrowing::*;
        match name {
            // The address of a symbol.
            "MOV_ADDR64" | "MOV_B64_sym" => return Some(SameOperation),
            "V2I32toI64" => return Some(FirstOperand),
            "CVT_INREG_s64_s32" => return Some(FirstOperand),
            "CVT_INREG_s64_s16" | "CVT_INREG_s64_s8" => return Some(SameOperation),
            _ => {}
        }
        if let Some((to, from)) = name.strip_prefix("CVT_").and_then(|types| types.split_once('_')) {
            return match (to, from) {
                ("s64" | "u64", "s32" | "u32") => Some(Extended),
                ("s64" | "u64", "s16" | "u16" | "s8" | "u8") => Some(Conversion),
                _ => None,
            };
        }
        if let Some(copy) = move_ {
            let is_copy = matches!(copy.family, Family::Register | Family::Immediate)
                && !name.starts_with("ProxyReg")
                && !name.starts_with("MoveParam");
            return (is_copy && copy.type_code == TypeCode::Int && copy.bits == 64).then_some(SameOperation);
        }
        if let Some(IntegerOp { operation, bits: 64 }) = arithmetic {
            use Arithmetic::*;
            return match operation {
                Add | Sub | Or | Xor | And | MulConstant | MulAddConstant | MulRegisters
                | MulAddRegisters | MulWideConstant(_) => Some(SameOperation),
                Shl => Some(ShiftBy(2)),
                _ => None,
            };
        }
        let same = [
            // Shifts by a register: an amount of 32 or more leaves nothing of the low half, in both
            // sizes.
            "SHLi64rr",
            "SHL64rr",
            "SELPb64rr",
            "SELPb64ri",
            "SELPb64ir",
            "SELPb64ii",
            "NOT64",
            "NOTb64",
            "INEG64",
            "NEGS64",
            "MAD64rri",
            "MADLOS64rri",
            "MULWIDES64",
            "MULWIDEU64",
            "MULWIDES64Imm64",
            "MULWIDEU64Imm64",
            "MULWIDEs32rr",
            "MULWIDEu32rr",
            "MADWIDES32rrr",
            "MADWIDES32rir",
            "MADWIDES32rri",
            "MADWIDES32rii",
            "MADWIDEU32rrr",
            "MADWIDEU32rir",
            "MADWIDEU32rri",
            "MADWIDEU32rii",
        ];
        let plain = || name.bytes().filter(|&c| c != b'_');
        same.iter().any(|same| same.bytes().eq(plain())).then_some(SameOperation)
    }
}

/// Returns the name of the opcode that computes the low half of this one's result. The opcode must
/// have a [`Narrowing`] that is an operation.
pub fn low_half_name(name: &str) -> String {
    // Up to LLVM 20 the width in a product's name is that of the product.
    for sign in ['S', 'U'] {
        if let Some(rest) = name.strip_prefix("MULWIDE").and_then(|rest| rest.strip_prefix(sign)) {
            return if rest == "64" { "MULTi32rr" } else { "MULTi32ri" }.to_owned();
        }
        let mad_wide = format!("MAD_WIDE_{sign}32");
        if let Some(operands) = name.strip_prefix(mad_wide.as_str()) {
            return format!("MAD_LO_S32{operands}");
        }
    }
    if let Some(operands) = name.strip_prefix("MUL_WIDEs32").or_else(|| name.strip_prefix("MUL_WIDEu32")) {
        return format!("MULT32{}", operands.trim_start_matches('_'));
    }
    match name {
        "MOV_ADDR64" => "MOV_ADDR".to_owned(),
        _ => name.replacen("64", "32", 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_halves_by_name() {
        use Narrowing::*;
        for (name, narrowing, low) in [
            ("ADDi64rr", SameOperation, "ADDi32rr"),
            ("ADD64ri", SameOperation, "ADD32ri"),
            ("SUB64ir", SameOperation, "SUB32ir"),
            ("ANDb64ri", SameOperation, "ANDb32ri"),
            ("XOR_b64rr", SameOperation, "XOR_b32rr"),
            ("MULTi64rr", SameOperation, "MULTi32rr"),
            ("MAD_LO_S64rri", SameOperation, "MAD_LO_S32rri"),
            ("MAD64rii", SameOperation, "MAD32rii"),
            ("MULWIDEU64Imm", SameOperation, "MULTi32ri"),
            ("MULWIDES64", SameOperation, "MULTi32rr"),
            ("MUL_WIDEs32_ri", SameOperation, "MULT32ri"),
            ("MAD_WIDE_U32rir", SameOperation, "MAD_LO_S32rir"),
            ("SHLi64ri", ShiftBy(2), "SHLi32ri"),
            ("SHL64_ri", ShiftBy(2), "SHL32_ri"),
            ("SHL64_rr", SameOperation, "SHL32_rr"),
            ("SELP_b64ri", SameOperation, "SELP_b32ri"),
            ("NOT_b64", SameOperation, "NOT_b32"),
            ("INEG64", SameOperation, "INEG32"),
            ("IMOVB64ri", SameOperation, "IMOVB32ri"),
            ("MOV_B64_i", SameOperation, "MOV_B32_i"),
            ("MOV_B64_sym", SameOperation, "MOV_B32_sym"),
            ("MOV_ADDR64", SameOperation, "MOV_ADDR"),
            ("CVT_s64_s16", Conversion, "CVT_s32_s16"),
            ("CVT_INREG_s64_s8", SameOperation, "CVT_INREG_s32_s8"),
        ] {
            assert_eq!(Narrowing::from_name(name), Some(narrowing), "{name}");
            assert_eq!(low_half_name(name), low);
        }
        for (name, narrowing) in
            [("CVT_s64_s32", Extended), ("CVT_INREG_s64_s32", FirstOperand), ("V2I32toI64", FirstOperand)]
        {
            assert_eq!(Narrowing::from_name(name), Some(narrowing), "{name}");
        }
    }

    #[test]
    fn what_needs_high_halves_has_no_low_half() {
        for name in [
            "SRLi64ri",
            "SRL64_rr",
            "SRAi64ri",
            "SDIVi64rr",
            "UREM64rr",
            "MULTHSi64rr",
            "MUL_HI_U64rr",
            "ADDCCi64rr",
            "MULWIDES32",
            "MUL_WIDEs16_ri",
            "ADDi32rr",
            "FMOV64rr",
            "SELP_f64rr",
            "CVT_s64_f32",
            "LD_i64",
            "MAX_S64rr",
            "MoveParamI64",
            "cvta_to_shared_64",
            "BITCONVERT_64_F2I",
            "V4I16toI64",
            "COPY",
        ] {
            assert_eq!(Narrowing::from_name(name), None, "{name}");
        }
    }
}
