//! Finds the address and the type among the operands of loads and stores.

use crate::mir::{Kind, Operand, Register};
use crate::versions::{Nvptx, VERSIONS};

/// The form of a 64-bit address, which is in the last explicit operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressMode {
    /// A register and a constant offset.
    Offset,
    /// Only a register: `_areg_64` in LLVM 17 to 20, where `_ari_64` is a separate opcode.
    Register,
}

impl AddressMode {
    /// Classifies the opcode of this name; `None` if it is no load or store, or its address is a symbol or has 32 bits.
    pub fn from_name(name: &str) -> Option<AddressMode> {
        let others = ["LDU_", "INT_PTX_LDG_", "INT_PTX_LDU_"];
        if !is_load_or_store(name) && !others.iter().any(|prefix| name.starts_with(prefix)) {
            return None;
        }
        let ends_with = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        if ends_with(&["areg_64", "areg64"]) {
            return Some(AddressMode::Register);
        }
        let is_other = ends_with(&["ari", "areg", "asi", "avar", "avar64", "avar_64"]);
        (!is_other).then_some(AddressMode::Offset)
    }
}

/// Returns where the address of a load or store with these explicit operands ends. From LLVM 24 on a policy of the cache is behind it;
/// the operands of one that has a policy, which is a register, are taken for the end, and so are those of other instructions.
pub fn end_of_address(explicit: &[Operand]) -> usize {
    match explicit {
        [.., has_policy, policy]
            if VERSIONS.nvptx.operands_behind_address == 2
                && has_policy.kind() == Kind::Imm
                && policy.is_reg()
                && policy.reg() == Register::NONE =>
        {
            explicit.len() - 2
        }
        _ => explicit.len(),
    }
}

/// Tells whether the opcode of this name is an `ld` or a `st`. `st.async` is none: its value comes behind the address.
pub fn is_load_or_store(name: &str) -> bool {
    ["LD_", "ST_", "LDV_", "STV_"].iter().any(|prefix| name.starts_with(prefix))
        && !name.starts_with("ST_ASYNC_")
}

/// The type that the immediates of a load or store name: `NVPTX::PTXLdStInstCode`, the same in all versions.
pub mod type_code {
    /// `.u`
    pub const UNSIGNED: u32 = 0;
    /// `.s`
    pub const SIGNED: u32 = 1;
    /// `.f`
    pub const FLOAT: u32 = 2;
}

/// Returns how many immediates of the load or store of this name come before its type. The width in bits follows the type. `None` if
/// no operand names the type: the opcode names it, or, for stores since LLVM 21, it does not matter.
pub fn immediates_before_type(name: &str, version: &Nvptx) -> Option<u32> {
    let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    // LLVM 17 to 20 name the address, and the stores have a type.
    let names_address =
        ["areg", "areg_64", "ari", "ari_64", "asi", "avar"].iter().any(|end| name.ends_with(end));
    if name.starts_with("LD_GLOBAL_NC_") {
        Some(0)
    } else if is(&["LD_", "LDV_"]) || is(&["ST_", "STV_"]) && names_address {
        Some(version.immediates_before_type as u32)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::Versions;

    #[test]
    fn addresses_accesses_of_all_versions() {
        for (name, mode) in [
            ("LD_i32_areg_64", Some(AddressMode::Register)),
            ("ST_f32_ari_64", Some(AddressMode::Offset)),
            ("LDV_i32_v4_areg_64", Some(AddressMode::Register)),
            ("INT_PTX_LDG_GLOBAL_i32areg64", Some(AddressMode::Register)),
            ("INT_PTX_LDG_G_v4f32_ELE_ari64", Some(AddressMode::Offset)),
            ("LD_i32", Some(AddressMode::Offset)),
            ("STV_i32_v4", Some(AddressMode::Offset)),
            ("LD_GLOBAL_NC_v4i32", Some(AddressMode::Offset)),
            ("LD_i32_avar", None),
            ("LD_i32_asi", None),
            ("LD_i32_areg", None),
            ("ST_i32_ari", None),
            ("ST_ASYNC_SYS_B8", None),
            ("StoreParamI32", None),
            ("INT_PTX_ATOM_ADD_32_Si", None),
        ] {
            assert_eq!(AddressMode::from_name(name), mode, "{name}");
        }
    }

    #[test]
    fn the_type_of_a_load_is_an_immediate() {
        for (version, name, before) in [
            (17, "LD_i32_avar", Some(3)),
            (19, "STV_f32_v2_ari_64", Some(3)),
            (19, "INT_PTX_LDG_GLOBAL_i32areg64", None),
            (20, "LD_i32_areg_64", Some(4)),
            (20, "ST_i32_asi", Some(4)),
            (21, "LD_i32", Some(3)),
            (22, "LDV_i32_v2", Some(3)),
            (22, "LD_GLOBAL_NC_i32", Some(0)),
            (22, "ST_i32", None),
            (22, "STV_i32_v2", None),
            (22, "SELP_b32rr", None),
        ] {
            let nvptx = Versions::of(version).nvptx;
            assert_eq!(immediates_before_type(name, &nvptx), before, "LLVM {version}: {name}");
        }
    }
}
