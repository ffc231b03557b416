//! Recognises maxima, minima, negations and bit fields of signed integers of 32 bits.
//!
//! **Algorithm.** By the opcode's name: `SMAXi32rr` up to LLVM 21, `SMAX32rr` up to 23, `SMAX32`
//! from 24 on. **Source.** `NVPTXInstrInfo.td` of LLVM 17 to 24. **Deviation.** Forms with a
//! constant are listed only from 24 on, where the operands tell. **Complexity.** Linear in the name.

/// An operation on signed integers of 32 bits. Its first operand is the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignedOp {
    /// The greater of two.
    Maximum,
    /// The lesser of two.
    Minimum,
    /// The number with its sign changed.
    Negation,
    /// A bit field. Two more operands are its position and its width, registers or constants.
    BitField,
}

impl SignedOp {
    /// Classifies the opcode of this name.
    pub fn from_name(name: &str) -> Option<SignedOp> {
        match name {
            "SMAXi32rr" | "SMAX32rr" | "SMAX32" => Some(SignedOp::Maximum),
            "SMINi32rr" | "SMIN32rr" | "SMIN32" => Some(SignedOp::Minimum),
            "INEG32" | "NEG_S32" => Some(SignedOp::Negation),
            "BFE_S32rii" | "BFE_S32" => Some(SignedOp::BitField),
            _ => None,
        }
    }
}
