//! Finds the opcode that moves the same bits in registers of another class.
//!
//! **Problem.** Up to LLVM 20 each load, store, select and shuffle has two opcodes: one for integer
//! registers and one for floating-point registers.
//!
//! **Algorithm.** Two opcodes are twins if their descriptions differ only in register classes, and
//! their mnemonics only in the type.
//!
//! **Source.** `NVPTXInstrInfo.td` of LLVM 17 to 20.

/// Returns a mnemonic with the letter of its 32-bit or 64-bit type masked; `None` if the type may
/// mean more than a width.
pub fn untyped_mnemonic(text: &str) -> Option<String> {
    let word = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    if !["ld", "ldu", "st", "selp", "shfl"].contains(&&text[..word]) {
        return None;
    }
    let mut text = text.to_owned();
    for bits in ["32", "64"] {
        for letter in [".f", ".b", ".u"] {
            if let Some(at) = text.find(&format!("{letter}{bits}")) {
                text.replace_range(at + 1..at + 2, "?");
            }
        }
    }
    Some(text)
}

/// Returns a bit mask of the operands that have class `from` in one description and class `to` in
/// the other. `None` if there is no such operand, or if the descriptions differ elsewhere.
pub fn changed_operands<C: PartialEq>(one: &[C], other: &[C], from: &C, to: &C) -> Option<u64> {
    if one.len() != other.len() || one.len() > u64::BITS as usize {
        return None;
    }
    let mut changed = 0;
    for (index, (a, b)) in one.iter().zip(other).enumerate() {
        if a == b {
            continue;
        }
        if a != from || b != to {
            return None;
        }
        changed |= 1 << index;
    }
    (changed != 0).then_some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_32_and_64_bits_are_left_out() {
        assert_eq!(untyped_mnemonic("ld.global.f32 \t"), untyped_mnemonic("ld.global.u32 \t"));
        assert_eq!(untyped_mnemonic("selp.f64 \t").as_deref(), Some("selp.?64 \t"));
        assert_ne!(untyped_mnemonic("selp.f64 \t"), untyped_mnemonic("selp.f32 \t"));
        assert_ne!(untyped_mnemonic("ld.global.s32"), untyped_mnemonic("ld.global.u32"));
        assert_ne!(untyped_mnemonic("selp.f16 \t"), untyped_mnemonic("selp.b16 \t"));
    }

    #[test]
    fn only_what_moves_bits_has_a_twin() {
        assert_eq!(untyped_mnemonic("add.f32 \t"), None);
        assert_eq!(untyped_mnemonic(""), None);
        assert_eq!(untyped_mnemonic("stacksave.u32"), None);
    }

    #[test]
    fn classes_change_one_way() {
        assert_eq!(changed_operands(&[1, 9, 1], &[2, 9, 2], &1, &2), Some(0b101));
        assert_eq!(changed_operands(&[1, 9, 2], &[2, 9, 2], &1, &2), Some(0b1));
        assert_eq!(changed_operands(&[1, 9, 2], &[2, 9, 1], &1, &2), None);
        assert_eq!(changed_operands(&[1, 9], &[1, 9], &1, &2), None);
        assert_eq!(changed_operands(&[1], &[2, 2], &1, &2), None);
    }
}
