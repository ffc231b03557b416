//! Finds the opcode that does the same on other kinds of operands.

use super::accesses::{is_load_or_store, short_address_name};
use super::floats::flushing_name;
use super::narrowing::low_half_name;

/// The counterpart of an opcode that a stage asks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counterpart {
    /// For a load or store with a register address: the form with a register and an offset.
    WithOffset,
    /// For a sum of two registers: the sum of a register and a constant. In LLVM 24 that is the
    /// same opcode.
    WithConstant,
    /// For a 64-bit operation: the operation that computes the low half of its result.
    LowHalf,
    /// For an access with a 64-bit address: the one with a 32-bit address. Since LLVM 21 that is
    /// the same opcode.
    ShortAddress,
    /// For an approximation: the form that flushes subnormal numbers, where the opcode's name
    /// tells.
    Flushing,
}

impl Counterpart {
    /// Returns the name of the counterpart of the opcode of this name.
    pub fn name(self, name: &str) -> String {
        match self {
            Counterpart::WithOffset => name.replacen("areg", "ari", 1),
            Counterpart::WithConstant => match name.strip_suffix("rr") {
                Some(stem) => stem.to_owned() + "ri",
                None => name.to_owned(),
            },
            Counterpart::LowHalf => low_half_name(name),
            Counterpart::ShortAddress => short_address_name(name),
            Counterpart::Flushing => flushing_name(name),
        }
    }
}

/// How the immediates of an opcode depend on its register class. This matters when an integer
/// instruction becomes the floating-point one, or vice versa.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassImmediates {
    /// They do not depend on it.
    Unrelated,
    /// One of them gives the type: loads and stores.
    NameType,
    /// They stand in for registers of the class: selects. An integer constant is not a
    /// floating-point constant.
    AreValues,
}

impl ClassImmediates {
    /// Classifies the opcode of this name: `LD_i32_avar`, `STV_f32_v2_ari`, `SELP_b64ri`.
    pub fn from_name(name: &str) -> ClassImmediates {
        let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        if is_load_or_store(name) {
            ClassImmediates::NameType
        } else if is(&["SELP_"]) {
            ClassImmediates::AreValues
        } else {
            ClassImmediates::Unrelated
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_counterparts_by_name() {
        assert_eq!(Counterpart::WithOffset.name("LDV_i32_v4_areg_64"), "LDV_i32_v4_ari_64");
        assert_eq!(Counterpart::WithConstant.name("ADDi64rr"), "ADDi64ri");
        assert_eq!(Counterpart::WithConstant.name("ADD64"), "ADD64");
    }
}
