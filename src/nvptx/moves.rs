//! Recognises moves: the operand classification of the NVPTX coalescer.
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, "Opcode
//! Classification" (requirements C3 and C7): the columns type code, size, bank and constraint flag.
//! **Deviation:** opcodes are classified by name, because CICC's opcode numbers are private.

/// The kinds of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Between two registers of one class: `IMOV32rr`, `FMOV64rr`, `MOV_B16_r`, `ProxyRegI32`,
    /// `MoveParamF32`.
    Register,
    /// A constant to a register: `IMOV32ri`, `MOV_F64_i`, `LOAD_CONST_F16`.
    Immediate,
    /// Between an integer and a floating-point register of one size: `BITCONVERT_32_I2F`.
    ClassCrossing,
    /// The address of a parameter to a register: `MoveParamSymbolI64`, `MOV64_PARAM`.
    Param,
    /// Puts this number of registers together into a wide one: `V2I32toI64`. The first operand is
    /// the least significant part.
    Pack(u8),
    /// Splits a wide register into this number of registers: `I64toV2I32`.
    Unpack(u8),
    /// One half of a wide register: `I64toI32H` is half 1.
    Half(u8),
}

/// The type of the value that is moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeCode {
    /// Bits, or an integer.
    Int,
    /// A floating-point number.
    Float,
}

/// A row of the classification.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The kind of move.
    pub family: Family,
    /// The type; for a [`Family::ClassCrossing`] move the type of its source.
    pub type_code: TypeCode,
    /// The size in bits; for a pack or unpack the size of the wide register. Registers of one size
    /// and type form one class, so this is also the bank.
    pub bits: u32,
}

impl Move {
    /// Returns the constraint flag: whether the two registers may be coalesced. Registers of 128
    /// bits are excluded.
    pub fn participates(&self) -> bool {
        self.family == Family::Register && Move::bank_participates(self.bits)
    }
    /// Returns the constraint flag of a bank: whether registers of this many bits may be coalesced.
    pub const fn bank_participates(bits: u32) -> bool {
        bits < 128
    }
    /// Whether its value is a constant or the address of a parameter. Such a move can be repeated
    /// in place of a copy.
    pub fn is_constant(&self) -> bool {
        matches!(self.family, Family::Immediate | Family::Param)
    }

    /// Classifies the opcode of this name; `None` if it is not a move.
    pub fn from_name(name: &str) -> Option<Move> {
        if let Some(rest) = name.strip_prefix("LOAD_CONST_") {
            typed_move(Family::Immediate, rest)
        } else if let Some(rest) = name.strip_prefix("BITCONVERT_") {
            let (bits, to) = rest.split_once('_')?;
            let type_code = if to.starts_with('F') { TypeCode::Float } else { TypeCode::Int };
            Some(Move { family: Family::ClassCrossing, type_code, bits: bits.parse().ok()? })
        } else if let Some(rest) = name.strip_prefix("ProxyReg") {
            typed_move(Family::Register, rest)
        } else if let Some(rest) = name.strip_prefix("MoveParam") {
            match rest.strip_prefix("Symbol") {
                Some(rest) => typed_move(Family::Param, rest),
                None => typed_move(Family::Register, rest),
            }
        } else if let Some(bits) = name.strip_prefix("MOV").and_then(|rest| rest.strip_suffix("_PARAM")) {
            Some(Move { family: Family::Param, type_code: TypeCode::Int, bits: bits.parse().ok()? })
        } else if let Some(rest) = name.strip_prefix("MOV_") {
            // MOV_B32_i, but not MOV_ADDR or MOV_B32_sym.
            typed_move(family_of_suffix(rest)?, rest.rsplit_once('_')?.0)
        } else if let Some((type_code, rest)) = untyped_move_prefix(name) {
            Some(Move { family: family_of_suffix(rest)?, type_code, bits: leading_number(rest)? })
        } else if let Some(double) = name.strip_prefix("INT_NVVM_") {
            half_of_double(double)
        } else {
            pack_or_unpack(name)
        }
    }
}

/// Parses the intrinsics that have opcodes of their own up to LLVM 19: `LOHI_I2D`, `D2I_HI`.
fn half_of_double(name: &str) -> Option<Move> {
    let family = match name {
        "LOHI_I2D" => Family::Pack(2),
        "D2I_LO" => Family::Half(0),
        "D2I_HI" => Family::Half(1),
        _ => return None,
    };
    Some(Move { family, type_code: TypeCode::Float, bits: 64 })
}

/// Strips the prefix `IMOVB`, `IMOV`, `FMOV`, `BFMOV` or `MOV`: from `IMOVB32ri`, `FMOV16i`,
/// `MOV16r`.
fn untyped_move_prefix(name: &str) -> Option<(TypeCode, &str)> {
    let prefixes = [
        ("IMOV", TypeCode::Int),
        ("FMOV", TypeCode::Float),
        ("BFMOV", TypeCode::Float),
        ("MOV", TypeCode::Int),
    ];
    let (type_code, rest) =
        prefixes.into_iter().find_map(|(prefix, type_code)| Some((type_code, name.strip_prefix(prefix)?)))?;
    Some((type_code, rest.trim_start_matches('B')))
}

/// Reads the digits before `r` and `i`.
fn leading_number(text: &str) -> Option<u32> {
    text.trim_end_matches(['r', 'i']).parse().ok()
}

/// Parses `V2I32toI64`, `I64toV2I32`, `I64toI32H`.
fn pack_or_unpack(name: &str) -> Option<Move> {
    let at = name.as_bytes().windows(2).position(|two| two == b"to")?;
    let (from, to) = (&name[..at], &name[at + 2..]);
    if let Some((parts, part_bits)) = vector(from) {
        let (type_code, bits) = type_and_bits(to)?;
        return (u32::from(parts) * part_bits == bits).then_some(Move {
            family: Family::Pack(parts),
            type_code,
            bits,
        });
    }
    let (type_code, bits) = type_and_bits(from)?;
    let to = to.strip_suffix("_Sink").unwrap_or(to);
    let family = if let Some((parts, part_bits)) = vector(to) {
        (u32::from(parts) * part_bits == bits).then_some(Family::Unpack(parts))?
    } else {
        let (half, number) = match (to.strip_suffix('L'), to.strip_suffix('H')) {
            (Some(half), _) => (half, 0),
            (_, Some(half)) => (half, 1),
            _ => return None,
        };
        type_and_bits(half).filter(|&(_, half_bits)| 2 * half_bits == bits)?;
        Family::Half(number)
    };
    Some(Move { family, type_code, bits })
}

/// Reads several values of one size: `V2I16` is two 16-bit values.
fn vector(name: &str) -> Option<(u8, u32)> {
    let name = name.strip_prefix('V')?;
    let parts = name.get(..1)?.parse().ok().filter(|n| [2, 4].contains(n))?;
    Some((parts, type_and_bits(&name[1..])?.1))
}

fn typed_move(family: Family, name: &str) -> Option<Move> {
    let (type_code, bits) = type_and_bits(name)?;
    Some(Move { family, type_code, bits })
}

/// Reads the end of a move's name: `rr`, `r` or `ri`, `i`.
fn family_of_suffix(name: &str) -> Option<Family> {
    let end = name.trim_start_matches(|c: char| c != 'r' && c != 'i');
    match end {
        "r" | "rr" => Some(Family::Register),
        "i" | "ri" => Some(Family::Immediate),
        _ => None,
    }
}

/// Reads a type: `F64` is a 64-bit floating-point number.
fn type_and_bits(name: &str) -> Option<(TypeCode, u32)> {
    let bits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let type_code = match &name[..name.len() - bits.len()] {
        "I" | "B" => TypeCode::Int,
        "F" | "BF" => TypeCode::Float,
        _ => return None,
    };
    Some((type_code, bits.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(name: &str, family: Family, type_code: TypeCode, bits: u32) {
        assert_eq!(Move::from_name(name), Some(Move { family, type_code, bits }), "{name}");
    }

    #[test]
    fn c3_moves_of_all_versions() {
        use Family::*;
        use TypeCode::*;
        for (name, bits) in
            [("IMOV1rr", 1), ("IMOVB16rr", 16), ("IMOV1r", 1), ("MOV16r", 16), ("MOV_B64_r", 64)]
        {
            is(name, Register, Int, bits);
        }
        is("FMOV32rr", Register, Float, 32);
        is("ProxyRegI32", Register, Int, 32);
        is("ProxyRegB1", Register, Int, 1);
        is("ProxyRegF64", Register, Float, 64);
        for (name, bits) in [("IMOV1ri", 1), ("IMOVB64ri", 64), ("IMOV32i", 32), ("MOV_B16_i", 16)] {
            is(name, Immediate, Int, bits);
        }
        for (name, bits) in [("FMOV64ri", 64), ("BFMOV16i", 16), ("MOV_BF16_i", 16), ("MOV_F32_i", 32)] {
            is(name, Immediate, Float, bits);
        }
        is("LOAD_CONST_BF16", Immediate, Float, 16);
        is("BITCONVERT_32_I2F", ClassCrossing, Int, 32);
        is("BITCONVERT_64_F2I", ClassCrossing, Float, 64);
        is("MoveParamI64", Register, Int, 64);
        is("MoveParamSymbolI64", Param, Int, 64);
        is("MOV32_PARAM", Param, Int, 32);
        is("V2I32toI64", Pack(2), Int, 64);
        is("V4I16toI64", Pack(4), Int, 64);
        is("V2I64toI128", Pack(2), Int, 128);
        is("V2F32toF64", Pack(2), Float, 64);
        is("I32toV2I16", Unpack(2), Int, 32);
        is("I64toV4I16", Unpack(4), Int, 64);
        is("I128toV2I64", Unpack(2), Int, 128);
        is("F64toV2F32", Unpack(2), Float, 64);
        is("I64toI32H", Half(1), Int, 64);
        is("I32toI16L_Sink", Half(0), Int, 32);
        is("INT_NVVM_LOHI_I2D", Pack(2), Float, 64);
        is("INT_NVVM_D2I_LO", Half(0), Float, 64);
        is("INT_NVVM_D2I_HI", Half(1), Float, 64);
    }

    #[test]
    fn c3_other_instructions_are_not_moves() {
        for name in [
            "MOV_ADDR",
            "MOV_ADDR64",
            "MOV_DEPOT_ADDR",
            "MOV_SPECIAL",
            "MOV_B32_sym",
            "CMOV32rr",
            "ADDi32rr",
            "COPY",
            "Return",
            "LD_i32_avar",
            "MOV_PARAM",
            "INT_MOV",
            "CVT_f32_f16",
            "StoreParamI32",
            "V2I16toI64",
            "I64toI16L",
            "I64toI32",
            "Vto",
            "INT_NVVM_D2I_RN",
        ] {
            assert_eq!(Move::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn c3_what_participates() {
        let participates = |name| Move::from_name(name).is_some_and(|e| e.participates());
        assert!(participates("MOV_B64_r") && participates("IMOV1rr"));
        assert!(
            !participates("MOV_B128_r") && !participates("IMOV32ri") && !participates("BITCONVERT_32_F2I")
        );
    }
}
