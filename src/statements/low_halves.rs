//! States that the low half of a 64-bit result is computed from low halves, for each opcode that
//! [`Narrowing`] says that of.

use super::operations::{extend, result, MAX_THREADS};
use super::term::{always, cases, given, Term};
use super::Statement;
use crate::nvptx::all_opcodes;
use crate::nvptx::arithmetic::{Extension, IntegerOp};
use crate::nvptx::narrowing::{low_half_name, Narrowing};
use crate::ssa::forms::number::Number;

type T = Term<64>;

/// Returns how numbers of a PTX type such as `s32` are extended, and the width of the type.
fn type_(name: &str) -> (Extension, u32) {
    let (sign, bits) = name.split_at(1);
    let extension = if sign == "s" { Extension::Sign } else { Extension::Zero };
    (extension, bits.parse().expect("a type ends with its width"))
}

/// Returns what a conversion between two types computes.
fn converted(to: &str, from: &str, value: T) -> T {
    let whole = match type_(from) {
        (Extension::Sign, bits) => value.sign_extended(bits),
        (Extension::Zero, bits) => value.low(bits),
    };
    whole.low(type_(to).1)
}

/// Returns what the opcode of this name computes, by PTX's description.
fn computed(name: &str, [x, y, z]: [T; 3]) -> T {
    let types = name.strip_prefix("CVT_").map(|types| types.strip_prefix("INREG_").unwrap_or(types));
    if let Some((to, from)) = types.and_then(|types| types.split_once('_')) {
        return converted(to, from, x);
    }
    if name == "V2I32toI64" {
        return x.low(32) | y << 32;
    }
    if let Some(IntegerOp { operation, bits }) = IntegerOp::from_name(name) {
        return result(operation, bits, |index| [x, y, z][index], MAX_THREADS);
    }
    let plain: String = name.chars().filter(|&c| c != '_').collect();
    let is = |prefix: &str| plain.starts_with(prefix);
    for (sign, extension) in [("S", Extension::Sign), ("U", Extension::Zero)] {
        let product = || extend(x, extension).times(extend(y, extension));
        if is(&format!("MULWIDE{sign}")) || is(&format!("MULWIDE{}", sign.to_lowercase())) {
            return product();
        }
        if is(&format!("MADWIDE{sign}")) {
            return product() + z;
        }
    }
    let width = if name.contains("64") || name == "MOV_ADDR64" { 64 } else { 32 };
    let whole = match () {
        // The address of a symbol, which is the operand.
        () if is("MOVADDR") || is("MOVB") && name.ends_with("sym") => x,
        () if is("MAD64") || is("MAD32") || is("MADLOS") => x.times(y) + z,
        () if is("SHL") => x.low(width).shifted_left(y.low(32)),
        () if is("SELP") => {
            let is_second = z.low(1).is(T::of(0));
            T::choose(&is_second, y, x)
        }
        () if is("NOT") => x.not(),
        () if is("INEG") || is("NEG") => x.wrapping_neg(),
        () => panic!("what {name} computes is not written down"),
    };
    whole.low(width)
}

/// Returns the statements of all opcodes. Opcodes with the same statement share one.
pub fn statements() -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for name in all_opcodes::names() {
        let Some(narrowing) = Narrowing::from_name(&name) else { continue };
        let goal = || {
            let operands = ["x", "y", "z"].map(T::any);
            if let Narrowing::ShiftBy(index) = narrowing {
                // The first operand of the instruction is its result.
                always(operands[usize::from(index) - 1].is_below(T::of(32)));
            }
            let low = ["low_x", "low_y", "low_z"].map(T::any);
            for (low, operand) in low.iter().zip(operands) {
                given(low.is(operand.low(32)));
            }
            let found = if narrowing.is_operation() { computed(&low_half_name(&name), low) } else { low[0] };
            Some(found.low(32).is(computed(&name, operands).low(32)).exact())
        };
        let cases = cases(goal);
        match statements.iter_mut().find(|other| other.cases == cases) {
            Some(other) => other.rule += &format!(", {name}"),
            None => statements.push(Statement { rule: format!("low half of {name}"), bits: 64, cases }),
        }
    }
    statements
}
