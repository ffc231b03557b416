//! Hashes the content of an instruction, which must be the same before and after a pass.
//!
//! **Problem.** Our passes may change registers. They may also replace an instruction for floats by
//! one for integers that moves the same bits, or the reverse: loads, stores, selects and shuffles
//! exist for both. Nothing else of an instruction may change.
//!
//! **Algorithm.** The content is a hash of the opcode's family and of the operands. Virtual
//! registers, blocks and the registers of explicit results are left out. The family of a load,
//! store, select or shuffle is a hash of what its opcodes have in common: their description, and
//! their mnemonic without its type. The family of any other opcode is the opcode itself. Where
//! immediates name the type, the text that LLVM prints takes their place. It tells the type,
//! whichever operand that is.
//!
//! **Source.** None. The checker derives the families on its own. It shares no code with `nvptx`
//! and the coalescer, which replace one opcode by another.
//!
//! **Complexity.** Linear in the operands. The family of an opcode is found once.

use crate::mir::{Kind, Operand};
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// Describes an opcode by what the members of a family have in common.
#[derive(Clone, Debug)]
pub struct Description<'a> {
    /// The name of the opcode, as `LD_i32_avar`.
    pub name: &'a str,
    /// The text before the first operand. Empty if the opcode is not one of the target's.
    pub mnemonic: &'a str,
    /// The description's flags: LLVM's and the target's.
    pub flags: [u64; 2],
    /// The type of each operand, as LLVM numbers it, and its register class's size in bits, or 0.
    pub operands: &'a [(u8, u32)],
}

/// Describes an opcode by the properties that it shares with its counterparts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    hash: u64,
    /// Whether it is a select. An immediate in it is an integer or a float, so a select with one
    /// has no counterpart.
    selects: bool,
    /// The size in bits of the value loaded or stored, if immediates name its type.
    typed_bits: Option<u32>,
    /// Whether it moves all bits of one register to another, of its class or not.
    pub is_register_move: bool,
}

impl Family {
    /// Makes a family of one opcode, which is generic or not NVPTX's.
    pub fn of_other(opcode: u32) -> Family {
        Family { hash: hash_of(opcode), selects: false, typed_bits: None, is_register_move: false }
    }

    /// Finds the family of an opcode of NVPTX.
    pub fn of(opcode: u32, of: &Description) -> Family {
        let alone = Family { is_register_move: is_register_move(of.name), ..Family::of_other(opcode) };
        let word = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let first = &of.mnemonic[..word(of.mnemonic)];
        if !["ld", "ldu", "st", "selp", "shfl"].contains(&first) {
            return alone;
        }
        let mut hasher = DefaultHasher::new();
        of.flags.hash(&mut hasher);
        for text in of.mnemonic.split('.') {
            // The last word also holds the text of the operands.
            let is_type = word(text) == 3 && text.starts_with(['b', 'f', 'u']);
            text[usize::from(is_type)..].hash(&mut hasher);
        }
        of.operands.hash(&mut hasher);
        let names_type = ["LD_", "LDV_", "ST_", "STV_"].iter().any(|start| of.name.starts_with(start));
        let typed_bits = of.operands.first().filter(|_| names_type).map(|o| o.1);
        Family { hash: hasher.finish(), selects: first == "selp", typed_bits, ..alone }
    }

    /// Returns the size in bits of the value loaded or stored, if immediates name its type. The
    /// text is then part of the content.
    pub fn typed_bits(&self) -> Option<u32> {
        self.typed_bits
    }

    /// Hashes the content of an instruction of `opcode` with these operands. `hashes` has the
    /// hashes of operands that are not registers, and 0 for blocks. `text` is [`hash_of_text`] if
    /// [`Family::typed_bits`] is `Some`, and 0 otherwise.
    pub fn content(&self, opcode: u32, operands: &[Operand], hashes: &[u64], text: u64) -> u64 {
        let has_value = self.selects && !operands.iter().all(|o| o.is_reg());
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(if has_value { hash_of(opcode) } else { self.hash });
        hasher.write_usize(operands.len());
        hasher.write_u64(text);
        for (op, &hash) in operands.iter().zip(hashes) {
            hasher.write_u64(match op.kind() {
                // In the text.
                Kind::Imm if self.typed_bits.is_some() => 0,
                // Virtual registers, and the register of an explicit result.
                Kind::Reg if op.reg().is_virtual() || op.is_def() && !op.is_implicit() => {
                    u64::from(op.is_def())
                }
                Kind::Reg => u64::from(op.reg().0) << 2 | 2 | u64::from(op.is_def()),
                _ => hash,
            });
        }
        hasher.finish()
    }
}

/// Hashes the operands that are neither registers nor immediates; `hashes` has 0 for blocks.
pub fn names(operands: &[Operand], hashes: &[u64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    let is_name = |o: &Operand| !matches!(o.kind(), Kind::Reg | Kind::Imm);
    operands.iter().zip(hashes).filter(|(o, _)| is_name(o)).for_each(|(_, &hash)| hasher.write_u64(hash));
    hasher.finish()
}

fn hash_of(opcode: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    opcode.hash(&mut hasher);
    hasher.finish()
}

/// Hashes the text of a load or store of a value of this many bits. The type is left out if another
/// type moves the same bits. A value smaller than its register is extended as the type says.
pub fn hash_of_text(text: &str, bits: u32) -> u64 {
    let statement = text.trim_end_matches([';', ' ']).rsplit(';').next().unwrap_or_default();
    let mnemonic = statement.split_whitespace().next().unwrap_or_default();
    let type_name = mnemonic.rsplit('.').next().unwrap_or_default();
    let is_any = !type_name.starts_with('s') && type_name.get(1..).is_some_and(|n| n.parse() == Ok(bits));
    let mut hasher = DefaultHasher::new();
    match text.split_once(mnemonic).filter(|_| is_any) {
        Some((before, after)) => {
            let untyped = &mnemonic[..mnemonic.len() - type_name.len()];
            (before, untyped, bits, after).hash(&mut hasher);
        }
        None => text.hash(&mut hasher),
    }
    hasher.finish()
}

/// Returns whether an NVPTX opcode of this name moves all bits of one register to another:
/// `IMOV32rr`, `MOV_B32_r`, `ProxyRegI32`, `BITCONVERT_32_I2F`. It must have two registers.
fn is_register_move(name: &str) -> bool {
    if name.starts_with("BITCONVERT_") || name.starts_with("ProxyReg") {
        return true;
    }
    if let Some(rest) = name.strip_prefix("MOV_") {
        return rest.ends_with("_r");
    }
    let rest = name.strip_prefix(['I', 'F']).unwrap_or(name);
    let Some(rest) = rest.strip_prefix("MOV") else { return false };
    let rest = rest.strip_prefix('B').unwrap_or(rest);
    matches!(rest.trim_start_matches(|c: char| c.is_ascii_digit()), "r" | "rr")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mir::Register;

    fn load(name: &'static str, mnemonic: &'static str) -> Family {
        Family::of(7, &Description { name, mnemonic, flags: [1, 2], operands: &[(1, 32), (0, 0)] })
    }
    fn family(opcode: u32, name: &'static str, mnemonic: &'static str) -> Family {
        Family::of(opcode, &Description { name, mnemonic, flags: [1, 2], operands: &[(1, 32), (1, 32)] })
    }
    fn reg(n: u32, def: bool) -> Operand {
        Operand::test_reg(Register::virt(n), def, false)
    }
    fn phys(n: u32) -> Operand {
        Operand::test_reg(Register(n), false, false)
    }
    #[test]
    fn k1_loads_of_integers_and_floats_are_the_same() {
        let (f32, b32) = (load("LD_f32", "ld.global.f32 \t"), load("LD_i32", "ld.global.b32 \t"));
        assert_eq!(f32, b32);
        assert_ne!(f32, load("LD_i32", "ld.shared.b32 \t"));
        assert_ne!(f32.hash, load("LD_i64", "ld.global.b64 \t").hash);
    }

    #[test]
    fn k1_the_type_of_a_load_matters_where_it_extends() {
        let of = |type_name| hash_of_text(&format!("ld.global.{type_name} \toperand_0, [operand_7+8];"), 32);
        assert_eq!(of("b32"), of("f32"));
        assert_ne!(of("u16"), of("f16"));
        assert_ne!(of("u32"), of("s32"));
        assert_ne!(of("u32"), of("u16"));
        let masked = |type_name, mask| {
            let text = format!(".pragma \"used_bytes_mask {mask}\";\n\tld.v2.{type_name} \t{{operand_0, operand_1}}, [operand_8];");
            hash_of_text(&text, 32)
        };
        assert_eq!(masked("b32", "0x0f"), masked("f32", "0x0f"));
        assert_ne!(masked("b32", "0x0f"), masked("f32", "0xf0"));
    }

    #[test]
    fn k1_the_text_of_a_load_is_its_content() {
        let family = load("LD_i32", "ld");
        let content = |space, text| {
            let operands = [reg(0, true), Operand::test_imm(space), reg(1, false)];
            family.content(7, &operands, &[0, u64::from(space), 0], text)
        };
        assert_eq!(content(1, 5), content(3, 5));
        assert_ne!(content(1, 5), content(1, 6));
    }

    #[test]
    fn k1_a_select_of_an_immediate_has_no_counterpart() {
        let (int, float) = (family(1, "SELP_b32rr", "selp.b32 \t"), family(2, "SELP_f32rr", "selp.f32 \t"));
        let regs = [reg(0, true), reg(1, false)];
        assert_eq!(int.content(1, &regs, &[0, 0], 0), float.content(2, &regs, &[0, 0], 0));
        let with_imm = [reg(0, true), Operand::test_imm(1)];
        assert_ne!(int.content(1, &with_imm, &[0, 5], 0), float.content(2, &with_imm, &[0, 5], 0));
    }

    #[test]
    fn k1_content_is_all_but_virtual_registers() {
        let add = family(3, "ADDi32rr", "add.s32 \t");
        let content = |operands: &[Operand]| add.content(3, operands, &vec![0; operands.len()], 0);
        assert_eq!(content(&[reg(0, true), reg(1, false)]), content(&[reg(5, true), reg(6, false)]));
        assert_ne!(content(&[reg(0, true), reg(1, false)]), content(&[reg(0, true), phys(1)]));
        assert_ne!(content(&[reg(0, true), phys(2)]), content(&[reg(0, true), phys(1)]));
        assert_ne!(content(&[reg(0, true)]), content(&[reg(0, true), reg(1, false)]));
        assert_ne!(
            add.content(3, &[Operand::test_imm(1)], &[1], 0),
            add.content(3, &[Operand::test_imm(1)], &[2], 0)
        );
        assert_ne!(add.hash, family(4, "SUBi32rr", "sub.s32 \t").hash);
    }

    #[test]
    fn k1_moves_of_whole_registers() {
        for name in
            ["IMOV32rr", "FMOV64rr", "IMOVB16rr", "MOV16r", "MOV_B32_r", "ProxyRegI32", "BITCONVERT_32_I2F"]
        {
            assert!(is_register_move(name), "{name}");
        }
        for name in ["IMOV32ri", "MOV_B32_i", "MOV_ADDR", "CMOV32rr", "ADDi32rr", "MOV32_PARAM", "INT_MOV"] {
            assert!(!is_register_move(name), "{name}");
        }
    }
}
