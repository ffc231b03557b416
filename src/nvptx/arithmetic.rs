//! What opcodes compute, and which have an address, by name in LLVM 17 to 22.

use crate::nvptx::moves::{classify, Family, TypeCode};
use crate::ssa::forms::{Extension, Op, Value};

/// An operation on integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// A copy or a constant.
    Is,
    /// The others are [`Op`]'s.
    Add,
    /// See above.
    Sub,
    /// See above.
    Or,
    /// See above.
    Xor,
    /// See above.
    And,
    /// See above.
    Shl,
    /// See above.
    Shr,
    /// A product with a constant, without anything to add to.
    Mul,
    /// See above.
    MulAdd,
    /// See above.
    MulWide(Extension),
    /// A product of two registers, which is no [`Op`].
    Product,
    /// The same, and a third one is added.
    ProductAdd,
    /// A product with 1.
    Extend(Extension),
    /// See above.
    Truncate,
    /// So many bits, given by the third operand.
    Field,
    /// The number of the thread in this direction.
    Thread(usize),
    /// The number of a lane.
    Lane,
}

impl Arithmetic {
    /// Whether it may be the sum of registers and a constant, and reads one or two.
    pub fn is_sum(self) -> bool {
        use Arithmetic::*;
        matches!(self, Add | Sub | Or | Xor | Truncate)
    }
}

/// How an instruction names its address, which is what its operands end with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A register and a constant.
    Offset,
    /// A register alone: `_areg_64` in LLVM 17 to 20, where `_ari_64` is another opcode.
    Register,
}

/// What an opcode is, as far as addresses go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It computes integers of so many bits, 32 or 64, from integers.
    Arithmetic(Arithmetic, u32),
    /// It reads or writes memory.
    Access(Mode),
    /// Inline assembly, which may do anything with a register.
    Asm,
}

/// What an opcode of this name is.
pub fn kind(name: &str) -> Option<Kind> {
    if let Some(mode) = mode(name) {
        return Some(Kind::Access(mode));
    }
    if name == "INLINEASM" {
        return Some(Kind::Asm);
    }
    let (operation, bits) = arithmetic(name)?;
    matches!(bits, 32 | 64).then_some(Kind::Arithmetic(operation, bits))
}

/// The opcode with an offset, of one without.
pub fn with_offset(name: &str) -> String {
    name.replacen("areg", "ari", 1)
}

/// Of a sum of two registers the opcode of one with a constant.
pub fn with_immediate(name: &str) -> String {
    name.trim_end_matches("rr").to_owned() + "ri"
}

/// Instructions that the stage makes, whose opcodes have other names in LLVM 22.
#[derive(Clone, Copy)]
pub enum Made {
    /// Adds a constant of 32 bits.
    Add32Constant,
    /// Combines 32 bits with a constant by `or`.
    Or32Constant,
    /// Adds registers of 64 bits.
    Add64,
    /// Shifts 64 bits by a constant.
    Shl64,
    /// The low 32 of 64 bits.
    Truncate,
    /// 64 bits of a product of 32 bits.
    WideSigned,
    /// See above.
    WideUnsigned,
    /// The same of a register and a constant.
    WideSignedConstant,
    /// The same of registers, and a third one is added; not in LLVM 17 to 21.
    WideSignedAdd,
    /// See above.
    WideUnsignedAdd,
}

/// Their opcodes, as far as they were asked for.
#[derive(Default)]
pub struct MadeOpcodes([Option<Option<u32>>; MadeOpcodes::NAMES.len()]);

impl MadeOpcodes {
    const NAMES: [[&'static str; 2]; 10] = [
        ["ADDi32ri", "ADD32ri"],
        ["ORb32ri", "OR_b32ri"],
        ["ADDi64rr", "ADD64rr"],
        ["SHLi64ri", "SHL64_ri"],
        ["CVT_u32_u64"; 2],
        ["MULWIDES64", "MUL_WIDEs32_rr"],
        ["MULWIDEU64", "MUL_WIDEu32_rr"],
        ["MULWIDES64Imm", "MUL_WIDEs32_ri"],
        ["MAD_WIDE_S32rrr"; 2],
        ["MAD_WIDE_U32rrr"; 2],
    ];
    /// The opcode, found by `named`; none if there is none.
    pub fn get(&mut self, made: Made, named: impl Fn(&str) -> Option<u32>) -> Option<u32> {
        let names = Self::NAMES[made as usize];
        *self.0[made as usize].get_or_insert_with(|| names.into_iter().find_map(named))
    }
    /// One that is there in all versions.
    pub fn of(&mut self, made: Made, named: impl Fn(&str) -> Option<u32>) -> u32 {
        self.get(made, named).unwrap_or_else(|| panic!("NVPTX has {:?}", Self::NAMES[made as usize]))
    }
}

fn mode(name: &str) -> Option<Mode> {
    let prefixes = ["LD_", "LDV_", "LDU_", "ST_", "STV_", "INT_PTX_LDG_", "INT_PTX_LDU_"];
    if !prefixes.iter().any(|p| name.starts_with(p)) {
        return None;
    }
    let has = |end: [&str; 2]| end.iter().any(|e| name.ends_with(e));
    if has(["areg_64", "areg64"]) {
        return Some(Mode::Register);
    }
    // Addresses of 32 bits, and symbols.
    let is_other = ["ari", "areg", "asi", "avar"].iter().any(|m| name.ends_with(m));
    (!is_other && !has(["avar64", "avar_64"])).then_some(Mode::Offset)
}

fn arithmetic(name: &str) -> Option<(Arithmetic, u32)> {
    use Arithmetic::*;
    let exact = match name {
        "COPY" => return None, // its width is that of its register
        "INT_PTX_SREG_TID_x" => (Thread(0), 32),
        "INT_PTX_SREG_TID_y" => (Thread(1), 32),
        "INT_PTX_SREG_TID_z" => (Thread(2), 32),
        "INT_PTX_SREG_LANEID" => (Lane, 32),
        "CVT_u64_u32" | "CVT_s64_u32" => (Extend(Extension::Zero), 64),
        "CVT_s64_s32" | "CVT_u64_s32" => (Extend(Extension::Sign), 64),
        "CVT_u32_u64" | "CVT_s32_u64" | "CVT_u32_s64" | "CVT_s32_s64" | "I64toI32L" => (Truncate, 32),
        _ => {
            if let Some(entry) = classify(name) {
                let is = matches!(entry.family, Family::Register | Family::Immediate);
                return (is && entry.type_code == TypeCode::Int).then_some((Is, entry.bits));
            }
            // ADDi64rr, ADD64rr; ORb32ri, OR_b32ri; MULWIDEU64Imm, MUL_WIDEu32_ri.
            let plain: String = name.chars().filter(|&c| c != '_').collect();
            let digits = plain.find(|c: char| c.is_ascii_digit())?;
            let (stem, rest) = plain.split_at(digits);
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (bits, suffix) = (rest[..end].parse().ok()?, &rest[end..]);
            let operation = match (stem, suffix) {
                ("ADDi" | "ADD", "rr" | "ri") => Add,
                ("SUBi" | "SUB", "rr" | "ri" | "ir") => Sub,
                ("ORb" | "OR", "rr" | "ri") => Or,
                ("XORb" | "XOR", "rr" | "ri") => Xor,
                ("ANDb" | "AND", "rr" | "ri") => And,
                ("SHLi" | "SHL", "ri") => Shl,
                ("SRLi" | "SRL", "ri") => Shr,
                ("MULTi" | "MULT", "ri") => Mul,
                ("MULTi" | "MULT", "rr") => Product,
                ("MAD" | "MADLOS", "rrr") => ProductAdd,
                ("MAD" | "MADLOS", "rir" | "rii") => MulAdd,
                ("MULWIDEU", "Imm") if bits == 64 => MulWide(Extension::Zero),
                ("MULWIDES", "Imm") if bits == 64 => MulWide(Extension::Sign),
                ("MULWIDEu", "ri") if bits == 32 => return Some((MulWide(Extension::Zero), 64)),
                ("MULWIDEs", "ri") if bits == 32 => return Some((MulWide(Extension::Sign), 64)),
                ("BFEU", "rii") => Field,
                _ => return None,
            };
            (operation, bits)
        }
    };
    Some(exact)
}

/// The operation with its operands; none if they are none that it is known with. A block has `threads` at most in
/// each direction.
pub fn op(operation: Arithmetic, bits: u32, operands: &[Value], threads: [u32; 3]) -> Option<Op> {
    let imm = |i: usize| match operands.get(i) {
        Some(&Value::Imm(imm)) => Some(imm),
        _ => None,
    };
    let value = |i: usize| operands.get(i).copied();
    let by = || imm(1).and_then(|by| u32::try_from(by).ok()).filter(|&by| by < bits);
    Some(match operation {
        Arithmetic::Is => Op::Is(value(0)?),
        Arithmetic::Add => Op::Add(value(0)?, value(1)?),
        Arithmetic::Sub => Op::Sub(value(0)?, value(1)?),
        Arithmetic::Or => Op::Or(value(0)?, value(1)?),
        Arithmetic::Xor => Op::Xor(value(0)?, value(1)?),
        Arithmetic::And => Op::And(value(0)?, value(1)?),
        Arithmetic::Shl => Op::Shl(value(0)?, by()?),
        Arithmetic::Shr => Op::Shr(value(0)?, by()?),
        Arithmetic::Mul => Op::MulAdd(value(0)?, imm(1)?, Value::Imm(0)),
        Arithmetic::MulAdd => Op::MulAdd(value(0)?, imm(1)?, value(2)?),
        Arithmetic::Product | Arithmetic::ProductAdd => return None,
        Arithmetic::MulWide(extension) => Op::MulWide(value(0)?, imm(1)?, extension),
        // The rounding mode, none, is the operand behind.
        Arithmetic::Extend(extension) => (imm(1)? == 0).then_some(Op::MulWide(value(0)?, 1, extension))?,
        Arithmetic::Truncate => matches!(imm(1), None | Some(0)).then_some(Op::Truncate(value(0)?))?,
        Arithmetic::Field => Op::Field(imm(2)?.clamp(0, 64) as u32),
        Arithmetic::Thread(direction) => {
            Op::Field((threads[direction] - 1).checked_ilog2().map_or(0, |n| n + 1))
        }
        Arithmetic::Lane => Op::Field(5),
    })
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
            (&["MULTi32ri", "MULT32ri"], Mul, 32),
            (&["MAD32rir", "MAD_LO_S32rir"], MulAdd, 32),
            (&["MULTi64rr", "MULT64rr"], Product, 64),
            (&["MAD64rrr", "MAD_LO_S64rrr"], ProductAdd, 64),
            (&["MULWIDEU64Imm", "MUL_WIDEu32_ri"], MulWide(Extension::Zero), 64),
            (&["MULWIDES64Imm", "MUL_WIDEs32_ri"], MulWide(Extension::Sign), 64),
            (&["CVT_u64_u32"], Extend(Extension::Zero), 64),
            (&["CVT_s64_s32"], Extend(Extension::Sign), 64),
            (&["CVT_u32_u64"], Truncate, 32),
            (&["BFE_U32rii"], Field, 32),
            (&["INT_PTX_SREG_TID_x"], Thread(0), 32),
            (&["IMOV32ri", "IMOVB32ri", "IMOV32i", "MOV_B32_i", "ProxyRegI32"], Is, 32),
        ] {
            for name in names {
                assert_eq!(kind(name), Some(Kind::Arithmetic(operation, bits)), "{name}");
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
            assert_eq!(kind(name), None, "{name}");
        }
    }

    #[test]
    fn addresses_accesses_of_all_versions() {
        for (name, mode) in [
            ("LD_i32_areg_64", Some(Mode::Register)),
            ("ST_f32_ari_64", Some(Mode::Offset)),
            ("LDV_i32_v4_areg_64", Some(Mode::Register)),
            ("INT_PTX_LDG_GLOBAL_i32areg64", Some(Mode::Register)),
            ("INT_PTX_LDG_G_v4f32_ELE_ari64", Some(Mode::Offset)),
            ("LD_i32", Some(Mode::Offset)),
            ("STV_i32_v4", Some(Mode::Offset)),
            ("LD_GLOBAL_NC_v4i32", Some(Mode::Offset)),
            ("LD_i32_avar", None),
            ("LD_i32_asi", None),
            ("LD_i32_areg", None),
            ("ST_i32_ari", None),
            ("StoreParamI32", None),
            ("INT_PTX_ATOM_ADD_32_Si", None),
        ] {
            assert_eq!(kind(name), mode.map(Kind::Access), "{name}");
        }
        assert_eq!(with_offset("LDV_i32_v4_areg_64"), "LDV_i32_v4_ari_64");
        assert_eq!(with_immediate("ADDi64rr"), "ADDi64ri");
        assert_eq!(kind("INLINEASM"), Some(Kind::Asm));
        assert_eq!(kind("INLINEASM_BR"), None);
    }
}
