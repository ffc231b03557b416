//! Packs the facts about an instruction that analyses need into one byte.
//!
//! The kinds that analyses need are among these facts, so a function's facts need no second array
//! for the kind. The byte is made from [`InstrKind`] once, when the instruction is read
//! ([`InstrFlags::of_kind`]).

use super::kind::InstrKind;
use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// Properties of an instruction, or the union over several instructions. Those that do not come
/// from the kind are the shim's bits (`PTX_READ_*`).
#[derive(Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct InstrFlags(u8);

impl InstrFlags {
    /// No property.
    pub const NONE: InstrFlags = InstrFlags(0);
    /// PHI.
    pub const PHI: InstrFlags = InstrFlags(1);
    /// In one bundle with the instruction before it.
    pub const IN_BUNDLE: InstrFlags = InstrFlags(2);
    /// Some def is early-clobber. Uses tied to such a def have the operand's flag as well.
    pub const EARLY_CLOBBER: InstrFlags = InstrFlags(4);
    /// Some operand is a register mask.
    pub const REG_MASK: InstrFlags = InstrFlags(8);
    /// Some operand is a physical register.
    pub const PHYSICAL: InstrFlags = InstrFlags(16);
    /// Some operand is part of a virtual register.
    pub const SUBREG: InstrFlags = InstrFlags(32);
    /// COPY, if it is not also [`InstrFlags::IMPLICIT_DEF`].
    pub const COPY: InstrFlags = InstrFlags(64);
    /// IMPLICIT_DEF, if it is not also [`InstrFlags::COPY`].
    pub const IMPLICIT_DEF: InstrFlags = InstrFlags(128);
    /// SUBREG_TO_REG: both COPY and IMPLICIT_DEF.
    pub const SUBREG_TO_REG: InstrFlags = InstrFlags(64 | 128);

    /// Returns the flags of a kind; [`InstrFlags::NONE`] for a kind that no analysis needs.
    pub const fn of_kind(kind: InstrKind) -> InstrFlags {
        match kind {
            InstrKind::Phi => Self::PHI,
            InstrKind::Copy => Self::COPY,
            InstrKind::ImplicitDef => Self::IMPLICIT_DEF,
            InstrKind::SubregToReg => Self::SUBREG_TO_REG,
            _ => Self::NONE,
        }
    }
    /// Makes flags of these bits.
    pub const fn from_bits(bits: u8) -> InstrFlags {
        InstrFlags(bits)
    }
    /// Returns the bits.
    pub const fn bits(self) -> u8 {
        self.0
    }
    /// Returns both together.
    pub const fn with(self, other: InstrFlags) -> InstrFlags {
        InstrFlags(self.0 | other.0)
    }
    /// Tells whether it has any of `others`.
    pub const fn has_any(self, others: InstrFlags) -> bool {
        self.0 & others.0 != 0
    }
    /// Tells whether it is a PHI.
    pub const fn is_phi(self) -> bool {
        self.has_any(Self::PHI)
    }
    /// Tells whether it is in one bundle with the instruction before it.
    pub const fn is_in_bundle(self) -> bool {
        self.has_any(Self::IN_BUNDLE)
    }
    const fn copy_like(self) -> u8 {
        self.0 & Self::SUBREG_TO_REG.0
    }
    /// Tells whether it is a COPY.
    pub const fn is_copy(self) -> bool {
        self.copy_like() == Self::COPY.0
    }
    /// Tells whether it is an IMPLICIT_DEF.
    pub const fn is_implicit_def(self) -> bool {
        self.copy_like() == Self::IMPLICIT_DEF.0
    }
    /// Tells whether it is a SUBREG_TO_REG.
    pub const fn is_subreg_to_reg(self) -> bool {
        self.copy_like() == Self::SUBREG_TO_REG.0
    }
    /// Returns the flags of the same instruction, turned into a COPY.
    pub const fn to_copy(self) -> InstrFlags {
        InstrFlags(self.0 & !Self::SUBREG_TO_REG.0 | Self::COPY.0)
    }
    /// Returns the flags of the same instruction, turned into an IMPLICIT_DEF.
    pub const fn to_implicit_def(self) -> InstrFlags {
        InstrFlags(self.0 & !Self::SUBREG_TO_REG.0 | Self::IMPLICIT_DEF.0)
    }
    /// Returns the union of the flags.
    pub fn union(all: &[InstrFlags]) -> InstrFlags {
        all.iter().fold(Self::NONE, |union, &flags| union | flags)
    }
}

impl BitOr for InstrFlags {
    type Output = InstrFlags;
    fn bitor(self, other: InstrFlags) -> InstrFlags {
        self.with(other)
    }
}

impl BitOrAssign for InstrFlags {
    fn bitor_assign(&mut self, other: InstrFlags) {
        self.0 |= other.0;
    }
}

impl fmt::Debug for InstrFlags {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:#010b}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_bits_of_copies_name_three_kinds() {
        let kinds = |f: InstrFlags| [f.is_copy(), f.is_implicit_def(), f.is_subreg_to_reg()];
        assert_eq!(kinds(InstrFlags::COPY | InstrFlags::PHYSICAL), [true, false, false]);
        assert_eq!(kinds(InstrFlags::IMPLICIT_DEF), [false, true, false]);
        assert_eq!(kinds(InstrFlags::SUBREG_TO_REG), [false, false, true]);
        assert_eq!(kinds(InstrFlags::PHI), [false; 3]);
        assert_eq!(
            (InstrFlags::SUBREG | InstrFlags::COPY).to_implicit_def().to_copy(),
            InstrFlags::SUBREG | InstrFlags::COPY
        );
        assert!(InstrFlags::union(&[InstrFlags::PHI, InstrFlags::SUBREG]).has_any(InstrFlags::SUBREG));
    }
}
