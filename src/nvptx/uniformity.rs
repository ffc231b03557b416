//! Tells when all threads of a block get the same result.

use super::arithmetic::{Arithmetic, IntegerOp};

/// When the result of an integer instruction is uniform: the same in all threads of a block, and
/// recognised as such by ptxas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uniformity {
    /// Always: block indices, block sizes, grid sizes.
    Always,
    /// If all operands that it reads are uniform.
    IfOperandsAre,
    /// Unknown.
    Unknown,
}

/// The special registers that are uniform, by their names after `INT_PTX_SREG_`.
const BLOCK_REGISTERS: [&str; 3] = ["CTAID", "NCTAID", "NTID"];

/// Prefixes of the names of integer instructions that [`IntegerOp`] does not classify.
const INTEGER_PREFIXES: [&str; 20] = [
    "ABS_S", "AND", "BFE_", "CLZ", "INEG", "MULT", "NEG_S", "NOT", "OR", "POPC", "PRMT", "SELP_", "SETP_",
    "SHL", "SMAX", "SMIN", "SRA", "SRL", "UM", "XOR",
];

impl Uniformity {
    /// Classifies the opcode of this name, which computes `arithmetic`.
    pub fn from_name(name: &str, arithmetic: Option<IntegerOp>) -> Uniformity {
        let starts_with = |text: &str, prefixes: &[&str]| prefixes.iter().any(|p| text.starts_with(p));
        if let Some(register) = name.strip_prefix("INT_PTX_SREG_") {
            return match starts_with(register, &BLOCK_REGISTERS) {
                true => Uniformity::Always,
                false => Uniformity::Unknown,
            };
        }
        let is_integer = match arithmetic {
            Some(IntegerOp { operation: Arithmetic::ThreadId(_) | Arithmetic::LaneId, .. }) => false,
            Some(_) => true,
            None => starts_with(name, &INTEGER_PREFIXES),
        };
        if is_integer {
            Uniformity::IfOperandsAre
        } else {
            Uniformity::Unknown
        }
    }
}
