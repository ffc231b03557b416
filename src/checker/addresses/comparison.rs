//! Reads a comparison of 32-bit integers from its text, and gives all forms that mean the same one
//! form.
//!
//! **Problem.** `setp.ge.s32 a, b` may become `setp.le.s32 b, a`, and `setp.ge.s32 a, 7` may become
//! `setp.gt.s32 a, 6`. **Algorithm.** The shared form of two registers has `lt` or `le`, that of a
//! register and a constant `lt` or `gt`. A constant without a neighbour keeps its relation.
//! **Source.** PTX ISA, "setp". **Deviation.** A constant before a register is not read.
//! **Complexity.** Linear in the text.

use super::random::mix;

/// A comparison in the shared form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    relation: &'static str,
    is_signed: bool,
    /// The positions of its operands that are registers.
    registers: Vec<usize>,
    constant: Option<i64>,
}

impl Comparison {
    /// Reads the text of an instruction; `operand_7` is its operand 7. `None` for any other
    /// instruction.
    pub fn parse(text: &str) -> Option<Comparison> {
        let (mnemonic, operands) = text.trim().trim_end_matches(';').split_once(char::is_whitespace)?;
        let words: Vec<&str> = mnemonic.split('.').collect();
        let ["setp", relation, sign @ ("s32" | "u32")] = words[..] else { return None };
        let is_signed = sign == "s32";
        let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
        let [_, first, second] = operands[..] else { return None };
        let register = |operand: &str| operand.strip_prefix("operand_")?.parse::<usize>().ok();
        let first = register(first)?;
        if let Some(second) = register(second) {
            let (relation, registers) = match relation {
                "lt" => ("lt", vec![first, second]),
                "le" => ("le", vec![first, second]),
                "gt" => ("lt", vec![second, first]),
                "ge" => ("le", vec![second, first]),
                _ => return None,
            };
            return Some(Comparison { relation, is_signed, registers, constant: None });
        }
        let constant: i64 = second.parse().ok()?;
        let (constant, least, most) = match is_signed {
            true => (i64::from(constant as i32), i64::from(i32::MIN), i64::from(i32::MAX)),
            false => (i64::from(constant as u32), 0, i64::from(u32::MAX)),
        };
        let (relation, constant) = match relation {
            "le" if constant < most => ("lt", constant + 1),
            "ge" if constant > least => ("gt", constant - 1),
            "lt" => ("lt", constant),
            "gt" => ("gt", constant),
            "le" => ("le", constant),
            "ge" => ("ge", constant),
            _ => return None,
        };
        Some(Comparison { relation, is_signed, registers: vec![first], constant: Some(constant) })
    }

    /// The positions of its operands that are registers, in the order of the shared form.
    pub fn registers(&self) -> impl Iterator<Item = usize> + '_ {
        self.registers.iter().copied()
    }

    /// A hash of everything but the registers.
    pub fn content(&self) -> u64 {
        let bytes = self.relation.bytes().map(u64::from);
        let rest = [
            u64::from(self.is_signed),
            u64::from(self.constant.is_some()),
            self.constant.unwrap_or(0) as u64,
        ];
        bytes.chain(rest).fold(2, |hash, part| mix(hash ^ part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_mean_the_same_are_the_same() {
        let of = |text: &str| Comparison::parse(text).expect(text);
        for (one, other) in [
            (
                "setp.ge.u32 \toperand_0, operand_1, operand_2;",
                "setp.le.u32 operand_0, operand_2, operand_1;",
            ),
            (
                "setp.gt.s32 \toperand_0, operand_1, operand_2;",
                "setp.lt.s32 operand_0, operand_2, operand_1;",
            ),
            ("setp.ge.s32 operand_0, operand_1, 7;", "setp.gt.s32 operand_0, operand_1, 6;"),
            ("setp.le.u32 operand_0, operand_1, -2;", "setp.lt.u32 operand_0, operand_1, -1;"),
        ] {
            assert_eq!(of(one), of(other));
            assert_eq!(of(one).content(), of(other).content());
        }
        for (one, other) in [
            ("setp.ge.u32 operand_0, operand_1, operand_2;", "setp.ge.s32 operand_0, operand_1, operand_2;"),
            ("setp.ge.u32 operand_0, operand_1, operand_2;", "setp.lt.u32 operand_0, operand_2, operand_1;"),
            ("setp.ge.s32 operand_0, operand_1, 7;", "setp.gt.s32 operand_0, operand_1, 7;"),
            ("setp.le.u32 operand_0, operand_1, -1;", "setp.lt.u32 operand_0, operand_1, 0;"),
            (
                "setp.le.s32 operand_0, operand_1, 2147483647;",
                "setp.lt.s32 operand_0, operand_1, -2147483648;",
            ),
        ] {
            assert_ne!(of(one).content(), of(other).content(), "{one} {other}");
        }
        let ordered = |text: &str| of(text).registers().collect::<Vec<_>>();
        assert_eq!(ordered("setp.lt.u32 operand_0, operand_1, operand_2;"), [1, 2]);
        assert_eq!(ordered("setp.gt.u32 operand_0, operand_1, operand_2;"), [2, 1]);
    }

    #[test]
    fn others_are_not_read() {
        for text in [
            "setp.eq.s32 operand_0, operand_1, operand_2;",
            "setp.lt.s64 operand_0, operand_1, operand_2;",
            "setp.lt.f32 operand_0, operand_1, operand_2;",
            "setp.lt.and.s32 operand_0, operand_1, operand_2, operand_3;",
            "setp.lt.s32 operand_0, 7, operand_2;",
            "add.s32 operand_0, operand_1, operand_2;",
            "",
        ] {
            assert_eq!(Comparison::parse(text), None, "{text}");
        }
    }
}
