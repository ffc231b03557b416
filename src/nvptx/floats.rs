//! Recognises 32-bit floating-point arithmetic.
//!
//! **Problem.** A stage that reasons about the range of a value must know how the value is
//! computed. **Algorithm.** By the opcode's name. The names changed with LLVM 21 (`FMA32rrr` became
//! `FMA_F32rrr`), 22 and 24 (`FMA_F32`). Up to 20 the name tells whether subnormal numbers are
//! flushed; later an operand does for most opcodes. **Source.** The instruction tables of NVPTX in
//! LLVM 17 to 24. **Deviation.** Operations that round other than to nearest, saturate, or work on
//! vectors are not listed. **Complexity.** Linear in the name.

use super::moves::{Family, Move, TypeCode};

/// The operation of an instruction. Its first operand is the result; the inputs follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatOperation {
    /// The input itself.
    Move,
    /// The first or the second input; a third operand tells which.
    Select,
    /// The sum.
    Add,
    /// The first input minus the second one.
    Subtract,
    /// The product.
    Multiply,
    /// The product of two inputs, plus the third one, rounded once.
    MultiplyAdd,
    /// The absolute value.
    Absolute,
    /// The value with its sign changed.
    Negate,
    /// The lesser input. If one is NaN it is the other one, or NaN.
    Minimum,
    /// The greater input. If one is NaN it is the other one, or NaN.
    Maximum,
    /// The lesser input, or NaN if one is NaN.
    MinimumOrNan,
    /// The greater input, or NaN if one is NaN.
    MaximumOrNan,
    /// The square root, approximate.
    Root,
    /// The reciprocal of the square root, approximate.
    ReciprocalRoot,
    /// The logarithm to the base 2, approximate.
    Logarithm,
    /// A signed integer, converted.
    FromSigned,
    /// An unsigned integer, converted.
    FromUnsigned,
    /// A 16-bit float, converted.
    FromHalf,
}

impl FloatOperation {
    /// Returns how many inputs it has.
    pub fn num_inputs(self) -> usize {
        use FloatOperation::*;
        match self {
            MultiplyAdd => 3,
            Select | Add | Subtract | Multiply | Minimum | Maximum | MinimumOrNan | MaximumOrNan => 2,
            _ => 1,
        }
    }
    /// Returns whether it is an approximation whose code is longer if the input may be subnormal.
    pub fn scales_subnormals(self) -> bool {
        matches!(self, FloatOperation::Root | FloatOperation::ReciprocalRoot | FloatOperation::Logarithm)
    }
}

/// An operation, and the other facts that its opcode's name tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatOp {
    /// The operation.
    pub operation: FloatOperation,
    /// Subnormal inputs and results become zero. If this is not set, an operand after the inputs
    /// may say so.
    pub flushes: bool,
    /// ptxas may compute a product and a sum together, and round once.
    pub may_be_fused: bool,
}

impl FloatOp {
    /// Classifies the opcode of this name; `move_` is its classification as a move.
    pub fn from_name(name: &str, move_: Option<Move>) -> Option<FloatOp> {
        use FloatOperation::*;
        if let Some(move_) = move_ {
            let is_copy = move_.family == Family::Register || move_.type_code == TypeCode::Float;
            let is_move = is_copy && matches!(move_.family, Family::Register | Family::Immediate);
            return (is_move && move_.bits == 32).then_some(FloatOp {
                operation: Move,
                flushes: false,
                may_be_fused: false,
            });
        }
        // The suffix is last, or before the kinds of operands.
        let plain =
            ["_ftz", "_FTZ"].iter().find_map(|ftz| name.contains(ftz).then(|| name.replacen(ftz, "", 1)));
        let flushes = plain.is_some();
        let plain = plain.as_deref().unwrap_or(name);
        let stem = plain.trim_end_matches(['r', 'i']).trim_end_matches('_');
        let operation = match stem {
            "FADDf32" | "FADD_rnf32" | "INT_NVVM_ADD_RN_F" => Add,
            "FSUBf32" | "FSUB_rnf32" => Subtract,
            "FMULf32" | "FMUL_rnf32" | "INT_NVVM_MUL_RN_F" => Multiply,
            "FMA32" | "FMA_F32" | "INT_NVVM_FMA_rn_f32" | "FMA_RN_F32" => MultiplyAdd,
            "FABSf32" => Absolute,
            "FNEGf32" => Negate,
            "FMINf32" | "MIN_f32" => Minimum,
            "FMAXf32" | "MAX_f32" => Maximum,
            "FMINNANf32" | "MIN_NAN_f32" => MinimumOrNan,
            "FMAXNANf32" | "MAX_NAN_f32" => MaximumOrNan,
            "SELP_f32" | "SELP_b32" => Select,
            "INT_NVVM_SQRT_APPROX_F" | "SQRT_APPROX_F32" => Root,
            "INT_NVVM_RSQRT_APPROX_F" | "RSQRT_APPROX_f32" | "RSQRT_APPROX_F32" => ReciprocalRoot,
            "INT_NVVM_LG2_APPROX_F" | "LG2_APPROX_f32" | "LG2_APPROX_F32" => Logarithm,
            "CVT_f32_s8" | "CVT_f32_s16" | "CVT_f32_s32" | "CVT_f32_s64" => FromSigned,
            "CVT_f32_u8" | "CVT_f32_u16" | "CVT_f32_u32" | "CVT_f32_u64" => FromUnsigned,
            "CVT_f32_f16" => FromHalf,
            _ => return None,
        };
        let may_be_fused = matches!(stem, "FMULf32");
        Some(FloatOp { operation, flushes, may_be_fused })
    }
}

/// Returns the name of the same opcode that flushes subnormal numbers.
pub fn flushing_name(name: &str) -> String {
    name.replacen("_APPROX_", "_APPROX_FTZ_", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(name: &str) -> Option<FloatOp> {
        FloatOp::from_name(name, Move::from_name(name))
    }

    #[test]
    fn operations_of_all_versions() {
        use FloatOperation::*;
        for (names, operation) in [
            (&["FADDf32rr", "FADDf32ri", "FADD_rnf32rr", "FADDf32", "INT_NVVM_ADD_RN_F"][..], Add),
            (&["FSUBf32rr", "FSUB_rnf32ri", "FSUBf32"], Subtract),
            (&["FMULf32rr", "FMUL_rnf32ri", "FMULf32", "INT_NVVM_MUL_RN_F"], Multiply),
            (
                &["FMA32rrr", "FMA32rii", "FMA_F32rri", "FMA_F32", "INT_NVVM_FMA_rn_f32", "FMA_RN_F32"],
                MultiplyAdd,
            ),
            (&["FMINf32ri", "MIN_f32_rr", "MIN_f32"], Minimum),
            (&["FMAXf32rr", "MAX_f32_ri", "MAX_f32"], Maximum),
            (&["FMINNANf32rr", "MIN_NAN_f32_ri", "MIN_NAN_f32"], MinimumOrNan),
            (&["FMAXNANf32ri", "MAX_NAN_f32_rr", "MAX_NAN_f32"], MaximumOrNan),
            (&["SELP_f32ri", "SELP_f32rr", "SELP_b32rr", "SELP_f32"], Select),
            (&["INT_NVVM_RSQRT_APPROX_F", "RSQRT_APPROX_f32", "RSQRT_APPROX_F32"], ReciprocalRoot),
            (&["INT_NVVM_SQRT_APPROX_F", "SQRT_APPROX_F32"], Root),
            (&["INT_NVVM_LG2_APPROX_F", "LG2_APPROX_f32"], Logarithm),
            (&["CVT_f32_s32"], FromSigned),
            (&["CVT_f32_u8", "CVT_f32_u64"], FromUnsigned),
            (&["FMOV32ri", "FMOV32rr", "FMOV32i", "MOV_F32_i", "MOV_B32_r", "IMOV32rr"], Move),
        ] {
            for name in names {
                let found = op(name).unwrap_or_else(|| panic!("{name} is known"));
                assert_eq!((found.operation, found.flushes), (operation, false), "{name}");
            }
        }
    }

    #[test]
    fn names_tell_which_operations_flush() {
        for name in [
            "FADDf32rr_ftz",
            "FMA32_ftzrrr",
            "INT_NVVM_SQRT_APPROX_FTZ_F",
            "INT_NVVM_FMA_rn_ftz_f32",
            "FMA_RN_FTZ_F32",
        ] {
            assert!(op(name).is_some_and(|op| op.flushes), "{name}");
        }
        assert_eq!(flushing_name("INT_NVVM_SQRT_APPROX_F"), "INT_NVVM_SQRT_APPROX_FTZ_F");
        assert_eq!(flushing_name("SQRT_APPROX_F32"), "SQRT_APPROX_FTZ_F32");
    }

    #[test]
    fn only_products_without_a_rounding_are_fused() {
        assert!(["FMULf32rr", "FMULf32ri_ftz", "FMULf32"].iter().all(|name| op(name).unwrap().may_be_fused));
        assert!(!["FMUL_rnf32rr", "FMA32rrr", "FADDf32rr"].iter().any(|name| op(name).unwrap().may_be_fused));
    }

    #[test]
    fn others_are_not_known() {
        for name in [
            "FADDf64rr",
            "FMUL_rnf16rr",
            "FMA_F32x2rrr",
            "INT_NVVM_FMA_rn_sat_f32",
            "INT_NVVM_FMA_rn_ftz_sat_f32",
            "INT_NVVM_ADD_RN_SAT_F",
            "FMA_RM_F32",
            "FMA_RN_SAT_F32",
            "EX2_APPROX_f32",
            "RSQRT_APPROX_f64",
            "MOV_B32_i",
            "IMOV32ri",
            "FMAXNANABSf32",
            "SELP_b64rr",
            "CVT_f32_bf16",
            "CVT_f16_f32",
            "INT_NVVM_SUB_rn_F",
            "FMA_RN_F32_F16",
            "FMOV64ri",
        ] {
            assert_eq!(op(name), None, "{name}");
        }
    }
}
