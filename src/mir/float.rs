//! Constants of floating-point types.

/// A floating-point constant that can be an operand, with all its bits: a NaN keeps its payload.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Float {
    /// The bits of a `half`.
    F16(u16),
    /// The bits of a `bfloat`.
    Bf16(u16),
    /// A `float`.
    F32(f32),
    /// A `double`.
    F64(f64),
}

impl Float {
    /// Returns its bits. In a type of fewer than 64 the upper ones are zero.
    pub fn to_bits(self) -> u64 {
        match self {
            Float::F16(bits) | Float::Bf16(bits) => bits.into(),
            Float::F32(value) => value.to_bits().into(),
            Float::F64(value) => value.to_bits(),
        }
    }
}

/// Equal if the types and the bits are the same.
impl PartialEq for Float {
    fn eq(&self, other: &Float) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other) && self.to_bits() == other.to_bits()
    }
}

impl Eq for Float {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_means_the_same_bits() {
        assert_eq!(Float::F32(f32::NAN), Float::F32(f32::NAN));
        assert_ne!(Float::F64(0.0), Float::F64(-0.0));
        assert_ne!(Float::F16(1), Float::Bf16(1));
        assert_eq!(Float::F32(1.0).to_bits(), 0x3f80_0000);
    }
}
