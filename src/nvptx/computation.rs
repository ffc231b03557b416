//! Classifies computations by the cost of moving or repeating them.

use super::arithmetic::IntegerOp;
use super::moves::{Family, Move};

/// Tells whether the opcode of this name begins or ends a call sequence (`Callseq_Start`,
/// `Callseq_End`). Those must not be reordered.
pub fn is_call_sequence(name: &str) -> bool {
    matches!(name, "Callseq_Start" | "Callseq_End")
}

/// The kind of computation, as far as the opcode's name tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// An address space cast: `cvta`.
    AddressSpaceCast,
    /// `INLINEASM`.
    InlineAsm,
    /// `INLINEASM_BR`.
    InlineAsmBr,
    /// A move of a register of any class.
    Copy,
    /// A constant.
    Constant,
    /// A comparison of integers.
    CompareIntegers,
    /// A comparison of floating-point numbers.
    CompareFloats,
    /// ptxas calls a routine for it.
    Routine,
    /// At most one hardware instruction, on integers.
    Cheap,
    /// Anything else.
    Other,
}

impl Operation {
    /// Classifies the opcode of this name, given its classification as a move and as arithmetic.
    pub fn from_name(name: &str, move_: Option<Move>, arithmetic: Option<IntegerOp>) -> Operation {
        if name.starts_with("cvta_") {
            Operation::AddressSpaceCast
        } else if name == "COPY" {
            Operation::Copy
        } else if let Some(rest) = name.strip_prefix("INLINEASM") {
            if rest.is_empty() {
                Operation::InlineAsm
            } else {
                Operation::InlineAsmBr
            }
        } else if move_.is_some_and(|m| m.family == Family::Immediate) {
            Operation::Constant
        } else if let Some(types) = name.strip_prefix("SETP_") {
            match types.starts_with('f') || types.starts_with("bf") {
                true => Operation::CompareFloats,
                false => Operation::CompareIntegers,
            }
        } else if is_routine(name) {
            Operation::Routine
        } else if arithmetic.is_some_and(|a| a.operation.is_cheap()) {
            Operation::Cheap
        } else {
            Operation::Other
        }
    }
}

/// Returns whether ptxas calls a routine for the opcode of this name: exact quotients, reciprocals
/// and square roots, and 64-bit integer division.
fn is_routine(name: &str) -> bool {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    begins(&["FDIV64", "FRCP64", "INT_NVVM_DIV_R", "INT_NVVM_RCP_R", "INT_NVVM_SQRT_R"])
        || begins(&["DIV_R", "RCP_R", "SQRT_R"])
        || begins(&["FDIV32", "FRCP32"]) && name.contains("prec")
        || begins(&["SDIV", "UDIV", "SREM", "UREM"]) && name.contains("64")
}

/// Facts about an opcode that its name does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstrDesc {
    /// It only computes: no memory access, no side effect, no control flow.
    pub only_computes: bool,
    /// Its only result is a predicate.
    pub defines_predicate: bool,
}

/// A computation, in the terms of the stages that move or repeat computations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computation {
    /// Not just a computation: the instruction also does something else.
    None,
    /// At most one hardware instruction, on integers.
    Cheap,
    /// One predicate.
    Predicate,
    /// One predicate, from a comparison of floating-point numbers.
    FloatComparison,
    /// A comparison with more than one result.
    Comparison,
    /// A constant.
    Constant,
    /// ptxas calls a routine for it.
    Routine,
    /// Anything else.
    Other,
    /// An address space cast, which LLVM regards as more than a computation.
    AddressSpaceCast,
    /// Inline assembly, which may have effects.
    InlineAsm,
}

impl Computation {
    /// Classifies an opcode by its operation and its description.
    pub fn new(operation: Operation, desc: InstrDesc) -> Computation {
        match operation {
            Operation::AddressSpaceCast => Computation::AddressSpaceCast,
            Operation::InlineAsm | Operation::InlineAsmBr => Computation::InlineAsm,
            _ if !desc.only_computes => Computation::None,
            Operation::Constant => Computation::Constant,
            Operation::Copy => Computation::Other,
            Operation::CompareFloats if desc.defines_predicate => Computation::FloatComparison,
            _ if desc.defines_predicate => Computation::Predicate,
            Operation::CompareFloats | Operation::CompareIntegers => Computation::Comparison,
            Operation::Routine => Computation::Routine,
            Operation::Cheap => Computation::Cheap,
            Operation::Other => Computation::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn computation(name: &str, defines_predicate: bool) -> Computation {
        let operation = Operation::from_name(name, Move::from_name(name), IntegerOp::from_name(name));
        Computation::new(operation, InstrDesc { only_computes: true, defines_predicate })
    }

    #[test]
    fn computations_by_name_and_result() {
        for (name, defines_predicate, expected) in [
            ("cvta_to_global_64", false, Computation::AddressSpaceCast),
            ("INLINEASM", false, Computation::InlineAsm),
            ("INLINEASM_BR", false, Computation::InlineAsm),
            ("COPY", true, Computation::Other),
            ("IMOV1ri", true, Computation::Constant),
            ("SETP_f32rr", true, Computation::FloatComparison),
            ("SETP_bf16rr", true, Computation::FloatComparison),
            ("SETP_s32rr", true, Computation::Predicate),
            ("SETP_f16x2rr", false, Computation::Comparison),
            ("XOR_predrr", true, Computation::Predicate),
            ("FDIV32rr_prec", false, Computation::Routine),
            ("FDIV32rr", false, Computation::Other),
            ("SDIVi64rr", false, Computation::Routine),
            ("ADDi32rr", false, Computation::Cheap),
            ("MULTi32rr", false, Computation::Other),
        ] {
            assert_eq!(computation(name, defines_predicate), expected, "{name}");
        }
        let has_effects = InstrDesc { only_computes: false, defines_predicate: true };
        assert_eq!(Computation::new(Operation::CompareIntegers, has_effects), Computation::None);
    }
}
