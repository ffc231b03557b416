//! Reads the addresses of an instruction from its text.
//!
//! **Problem.** A stage may be wrong about where an instruction has its address, so the checker
//! must find that by itself.
//!
//! **Algorithm.** LLVM prints the instruction for the assembler. Each operand that is not a number
//! is printed as a name with its position, as in
//! `atom.shared.add.u32 operand_0, [operand_1+4], operand_3`. An address is an operand or a number
//! in brackets, alone or with a number added. The space words of the mnemonic belong to the
//! brackets, in order.
//!
//! **Source.** PTX ISA, "Addresses as Operands". **Deviation.** Coordinates and handles of textures
//! and surfaces, and the coordinates of tensors, also stand in brackets but are not addresses. They
//! are read as values. **Complexity.** Linear in the text.

use super::computation::Extension;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// The facts that the text of an instruction tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The addresses, in their order in the text.
    pub addresses: Vec<Address>,
    /// A hash of the text without the offsets of the addresses.
    pub rest: u64,
    mnemonic: String,
}

/// An address in brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// The operand or number that the offset is added to.
    pub base: Base,
    /// The number that is added.
    pub offset: i64,
    /// Whether it is in an address space with 32-bit addresses: shared, constant or local memory.
    pub is_small: bool,
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// The operand at this position.
    Operand(usize),
    /// A number.
    Number(i64),
}

impl Text {
    /// Reads the text of an instruction; `operand_7` is its operand 7.
    pub fn parse(text: &str) -> Text {
        let mut found = Text { addresses: Vec::new(), rest: 0, mnemonic: String::new() };
        let mut rest = DefaultHasher::new();
        // Some opcodes print several statements, in braces, or a directive before a load.
        for statement in text.split(';') {
            found.read_statement(statement, &mut rest);
        }
        found.rest = rest.finish();
        found
    }

    fn read_statement(&mut self, statement: &str, rest: &mut DefaultHasher) {
        let words = statement.trim_start_matches(|c: char| c.is_whitespace() || "{}".contains(c));
        let mnemonic = words.split_whitespace().next().unwrap_or_default();
        // Brackets in the declaration of a parameter hold its size.
        let is_access = !mnemonic.starts_with('.');
        if is_access && !mnemonic.is_empty() {
            mnemonic.clone_into(&mut self.mnemonic);
        }
        let inside = statement.split('[').skip(1).filter_map(|s| Some(s.split_once(']')?.0));
        let brackets: Vec<&str> = inside.filter(|_| is_access).collect();
        let spaces: Vec<&str> = mnemonic.split('.').filter(|word| is_space(word)).collect();
        let mut unread = statement;
        for (n, bracket) in brackets.iter().enumerate() {
            let Some((base, offset)) = base_and_offset(bracket) else { continue };
            let space = spaces.get(n).filter(|_| spaces.len() == brackets.len());
            let is_small =
                space.is_some_and(|space| ["shared", "shared::cta", "const", "local"].contains(space));
            self.addresses.push(Address { base, offset, is_small });
            let (before, after) = unread.split_once(*bracket).expect("it is in the text");
            before.hash(rest);
            base.hash(rest);
            unread = after;
        }
        unread.hash(rest);
    }

    /// Tells how a load of 32 bits or fewer extends its result. `None` for any other instruction.
    pub fn extension(&self) -> Option<Extension> {
        let mut words = self.mnemonic.split('.');
        if !["ld", "ldu"].contains(&words.next()?) {
            return None;
        }
        let type_name = words.next_back()?;
        let bits = type_name.get(1..)?.parse().ok().filter(|bits| (1..=32).contains(bits))?;
        Some(Extension { bits, is_signed: type_name.starts_with('s') })
    }

    /// Counts the low bits that a store reads of each value. `None` for any other instruction.
    pub fn stored_bits(&self) -> Option<u32> {
        let mut words = self.mnemonic.split('.');
        if words.next()? != "st" {
            return None;
        }
        words.next_back()?.get(1..)?.parse().ok()
    }
}

/// Tells whether an instruction only takes 32 bits apart into halves, its operands 0 and 1.
pub fn takes_halves(text: &str) -> bool {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    ["mov.b32 {operand_0, operand_1}, operand_2;", "mov.b32 {operand_0,operand_1}, operand_2;"]
        .contains(&words.as_str())
}

fn is_space(word: &str) -> bool {
    let space = word.split_once("::").map_or(word, |(space, _)| space);
    ["global", "shared", "const", "local", "param"].contains(&space)
}

/// Reads an operand or a number, alone or with a number added.
fn base_and_offset(text: &str) -> Option<(Base, i64)> {
    let (base, offset) = text.trim().split_once('+').unwrap_or((text.trim(), "0"));
    let base = match base.strip_prefix("operand_") {
        Some(number) => Base::Operand(number.parse().ok()?),
        None => Base::Number(base.parse().ok()?),
    };
    Some((base, offset.parse().ok()?))
}

impl Hash for Base {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match *self {
            Base::Operand(position) => (0, position as i64).hash(state),
            Base::Number(number) => (1, number).hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(text: &str) -> Vec<(Base, i64, bool)> {
        Text::parse(text).addresses.iter().map(|a| (a.base, a.offset, a.is_small)).collect()
    }
    const fn operand(position: usize) -> Base {
        Base::Operand(position)
    }

    #[test]
    fn k1_an_address_is_what_stands_in_brackets() {
        for (text, expected) in [
            ("atom.relaxed.sys.shared.cas.b32 \toperand_0, [operand_1], operand_3, 7;", &[(operand(1), 0, true)][..]),
            ("atom.shared.add.f64 \toperand_0, [operand_1+8], operand_3;", &[(operand(1), 8, true)]),
            ("st.global.v2.b32 \t[operand_6+-16], {operand_0, operand_1};", &[(operand(6), -16, false)]),
            (
                "cp.async.ca.shared.global [operand_0], [operand_2+4], 16;",
                &[(operand(0), 0, true), (operand(2), 4, false)],
            ),
            ("ld.b32 \toperand_0, [operand_6];", &[(operand(6), 0, false)]),
            ("ld.shared.b32 \toperand_0, [64];", &[(Base::Number(64), 0, true)]),
            (
                ".pragma \"used_bytes_mask 0x0f\";\n\tld.const.v2.b32 \t{operand_0, operand_1}, [operand_8+4];",
                &[(operand(8), 4, true)],
            ),
            (
                "wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 \t[operand_0],{operand_2, operand_3}, operand_6;",
                &[(operand(0), 0, true)],
            ),
            (
                "{ \n\t.reg \t.s32 temp; \n\tneg.s32 \ttemp, operand_2; \n\tatom.shared.add.u32 \toperand_0, [operand_1], temp; \n\t}",
                &[(operand(1), 0, true)],
            ),
            // There must be one space for each bracket; otherwise no space is known.
            (
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [operand_0], [operand_2], operand_6, [operand_4];",
                &[(operand(0), 0, false), (operand(2), 0, false), (operand(4), 0, false)],
            ),
        ] {
            assert_eq!(addresses(text), expected, "{text}");
        }
    }

    #[test]
    fn k1_handles_and_coordinates_are_values() {
        for text in [
            "tex.1d.v4.f32.s32 \t{operand_0, operand_1, operand_2, operand_3}, [operand_4, operand_5, {operand_6}];",
            "suld.b.1d.b32.clamp \t{operand_0}, [operand_1, {operand_2}];",
            ".param .align 4 .b8 param0[16];",
            ".param .align 4 .b8 param0[16];",
            "add.s32 \toperand_0, operand_1, operand_2;",
        ] {
            assert_eq!(addresses(text), [], "{text}");
        }
    }

    #[test]
    fn k1_the_rest_of_a_text_is_all_but_offsets() {
        let rest = |text| Text::parse(text).rest;
        assert_eq!(rest("ld.b32 operand_0, [operand_6];"), rest("ld.b32 operand_0, [operand_6+16];"));
        assert_ne!(rest("ld.b32 operand_0, [operand_6];"), rest("ld.u32 operand_0, [operand_6];"));
        assert_ne!(rest("ld.b32 operand_0, [operand_6];"), rest("ld.b32 operand_0, [operand_5];"));
        let cas = |text| rest(text);
        assert_ne!(
            cas("atom.cas.b32 operand_0, [operand_1], operand_3, 7;"),
            cas("atom.cas.b32 operand_0, [operand_1], operand_3, 11;")
        );
    }

    #[test]
    fn k1_the_bits_that_a_store_reads() {
        let bits = |text| Text::parse(text).stored_bits();
        assert_eq!(bits("st.global.b16 [operand_6], operand_0;"), Some(16));
        assert_eq!(bits("st.relaxed.sys.shared.v2.u8 [operand_6], {operand_0, operand_1};"), Some(8));
        assert_eq!(bits("ld.global.b16 operand_0, [operand_6];"), None);
        assert_eq!(bits("stmatrix.sync.aligned.m8n8.x1.shared.b16 [operand_0], {operand_1};"), None);
    }

    #[test]
    fn k1_halves_that_are_taken() {
        assert!(takes_halves("\tmov.b32 \t{operand_0, operand_1}, operand_2;"));
        assert!(!takes_halves("mov.b32 \t{operand_1, operand_0}, operand_2;"));
        assert!(!takes_halves("mov.b64 \t{operand_0, operand_1}, operand_2;"));
    }

    #[test]
    fn k1_what_a_load_extends() {
        let extension = |text| Text::parse(text).extension().map(|e| (e.bits, e.is_signed));
        assert_eq!(extension("ld.shared.s8 operand_0, [operand_6];"), Some((8, true)));
        assert_eq!(extension("ld.global.nc.b32 operand_0, [operand_3];"), Some((32, false)));
        assert_eq!(extension("ld.global.b64 operand_0, [operand_6];"), None);
        assert_eq!(extension("st.global.u8 [operand_6], operand_0;"), None);
    }
}
