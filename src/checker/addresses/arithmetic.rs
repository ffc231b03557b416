//! Computes arithmetic instructions from the text that they print as.
//!
//! **Problem.** The stages know instructions by their opcodes. If a stage mistakes an opcode, the
//! checker must not make the same mistake. **Algorithm.** The mnemonic is split at its dots:
//! operation, modifiers, type. The modifiers of conversions are operands, so conversions are known
//! by the names of their opcodes. An unknown instruction is not computed. **Source.** PTX ISA,
//! "Integer Arithmetic Instructions" and "Logic and Shift Instructions". **Complexity.** Constant.

/// Computes the value of an instruction from its operands. `None` if the instruction is not a known
/// one.
pub fn compute(mnemonic: &str, name: &str, operands: &[u64]) -> Option<u64> {
    // A conversion prints modifiers that its opcode does not tell.
    if let Some((to, from)) = name.strip_prefix("CVT_INREG_").and_then(|n| n.split_once('_')) {
        return convert(to, from, *operands.first()?);
    }
    if let Some((to, from)) = name.strip_prefix("CVT_").and_then(|n| n.split_once('_')) {
        let (&value, &mode) = (operands.first()?, operands.get(1)?);
        return (mode == 0).then(|| convert(to, from, value)).flatten();
    }
    if name == "COPY" {
        return operands.first().copied();
    }
    // Up to LLVM 20 these print as several lines.
    match (name.trim_end_matches("_Sink"), operands) {
        ("I32toI16L", &[value]) => return Some(u64::from(value as u16)),
        ("I32toI16H", &[value]) => return Some(u64::from((value >> 16) as u16)),
        _ => {}
    }
    if let ("add.s16x2" | "add.u16x2", &[a, b]) = (mnemonic.trim(), operands) {
        let [low, high] = [0, 16].map(|by| u64::from((a >> by) as u16).wrapping_add(b >> by) & 0xffff);
        return Some(low | high << 16);
    }
    let mut words = mnemonic.trim().split('.');
    let operation = words.next()?;
    let rest: Vec<&str> = words.collect();
    let bits = match rest.last()?.trim_start_matches(['b', 's', 'u']) {
        "32" => 32,
        "64" => 64,
        _ => return None,
    };
    let mask = u64::MAX >> (64 - bits);
    let (a, b, c) = (*operands.first()?, operands.get(1).copied(), operands.get(2).copied());
    let result = match (operation, &rest[..rest.len() - 1]) {
        // A `mov` that puts halves together reads several.
        ("mov", []) if operands.len() == 1 => a,
        ("mov", []) if name == "V2I32toI64" => u64::from(a as u32) | b? << 32,
        ("neg", []) => a.wrapping_neg(),
        ("max", []) if *rest.last()? == "s32" => (a as i32).max(b? as i32) as u64,
        ("min", []) if *rest.last()? == "s32" => (a as i32).min(b? as i32) as u64,
        ("not", []) => !a,
        ("selp", []) => {
            if c? & 1 != 0 {
                a
            } else {
                b?
            }
        }
        ("add", []) => a.wrapping_add(b?),
        ("sub", []) => a.wrapping_sub(b?),
        ("or", []) => a | b?,
        ("xor", []) => a ^ b?,
        ("and", []) => a & b?,
        ("shl", []) => (a & mask).checked_shl(b? as u32).filter(|_| b < Some(bits)).unwrap_or(0),
        ("shr", []) if rest[0].starts_with(['u', 'b']) => {
            (a & mask).checked_shr(b? as u32).filter(|_| b < Some(bits)).unwrap_or(0)
        }
        ("shr", []) if bits == 32 => (a as i32 >> b?.min(31)) as u64,
        ("mul", ["lo"]) => a.wrapping_mul(b?),
        ("mad", ["lo"]) => a.wrapping_mul(b?).wrapping_add(c?),
        ("mul" | "mad", ["wide"]) if bits == 32 => {
            let product = if *rest.last()? == "u32" {
                u64::from(a as u32) * u64::from(b? as u32)
            } else {
                (i64::from(a as i32) * i64::from(b? as i32)) as u64
            };
            return Some(product.wrapping_add(if operation == "mad" { c? } else { 0 }));
        }
        ("bfe", []) if *rest.last()? == "u32" && b? + c? <= 32 => a >> b? & !(u64::MAX << c?),
        ("bfe", []) if *rest.last()? == "s32" && c? > 0 && b?.saturating_add(c?) <= 32 => {
            ((a as u32) << (32 - b? - c?)) as i32 as u64 >> (32 - c?)
        }
        _ => return None,
    };
    Some(result & mask)
}

/// Converts an integer from one type to another.
fn convert(to: &str, from: &str, value: u64) -> Option<u64> {
    Some(match (to, from) {
        ("u64" | "s64", "u32") => u64::from(value as u32),
        ("u64" | "s64", "s32") => i64::from(value as i32) as u64,
        ("u32" | "s32", "u64" | "s64") => u64::from(value as u32),
        ("u64" | "s64", "u16") => u64::from(value as u16),
        ("u64" | "s64", "s16") => i64::from(value as i16) as u64,
        ("u64" | "s64", "u8") => u64::from(value as u8),
        ("u64" | "s64", "s8") => i64::from(value as i8) as u64,
        ("u32" | "s32", "u16") => u64::from(value as u16),
        ("u32" | "s32", "s16") => u64::from(i32::from(value as i16) as u32),
        ("u32" | "s32", "u8") => u64::from(value as u8),
        ("u16" | "s16", "u32" | "s32" | "u64" | "s64") => u64::from(value as u16),
        ("u32" | "s32", "s8") => u64::from(i32::from(value as i8) as u32),
        _ => return None,
    })
}
