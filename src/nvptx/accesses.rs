//! Finds the address and the type among the operands of loads and stores.

use crate::mir::{Kind, Operand, Register};
use crate::versions::{Nvptx, VERSIONS};

/// The form of an address in a register, which is in the last explicit operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressMode {
    /// A register and a constant offset.
    Offset,
    /// Only a register: `_areg_64` and `_areg` in LLVM 17 to 20, where `_ari_64` and `_ari` are separate opcodes.
    Register,
}

impl AddressMode {
    /// Classifies the opcode of this name; `None` if it is no load or store, or its address is a symbol.
    pub fn from_name(name: &str) -> Option<AddressMode> {
        let others = ["LDU_", "INT_PTX_LDG_", "INT_PTX_LDU_"];
        if !is_load_or_store(name) && !others.iter().any(|prefix| name.starts_with(prefix)) {
            return None;
        }
        let ends_with = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        if ends_with(&["areg_64", "areg64", "areg"]) {
            return Some(AddressMode::Register);
        }
        let is_other = ends_with(&["asi", "avar", "avar64", "avar_64"]);
        (!is_other).then_some(AddressMode::Offset)
    }
}

/// How to tell whether an access is to shared, constant or local memory, whose addresses have 32 bits, and where its address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Window {
    /// A load or store: its memory operand tells, and its address is where [`AddressMode`] says.
    LoadOrStore,
    /// An atomic operation: its memory operand tells, and its address is the first register that it reads.
    Atomic,
    /// It is to shared memory: its address is the first register that it reads.
    Shared,
}

impl Window {
    /// Classifies the opcode of this name. One without a name, as those of tensor cores, has for its name the text that it prints as. `None`
    /// if an address of 32 bits is not possible.
    pub fn from_name(name: &str, version: &Nvptx) -> Option<Window> {
        let is_short = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        if is_load_or_store(name) {
            let may_be_small =
                !name.starts_with("LD_GLOBAL_NC_") && !is_short(&["areg", "ari", "asi", "avar"]);
            return may_be_small.then_some(Window::LoadOrStore);
        }
        if name.starts_with("INT_PTX_ATOM_") {
            let is_64 = !version.addresses_have_classes || name.contains("p64");
            return is_64.then_some(Window::Atomic);
        }
        let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let is_shared = is(&["CP_ASYNC_CA_SHARED_GLOBAL_", "CP_ASYNC_CG_SHARED_GLOBAL_"])
            || is(&["ldmatrix.", "stmatrix.", "wmma.load.", "wmma.store."]) && name.contains(".shared.");
        (is_shared && !version.addresses_have_classes).then_some(Window::Shared)
    }
}

/// Returns the name of the opcode that does the same as this one, by an address of 32 bits.
pub fn short_address_name(name: &str) -> String {
    if is_load_or_store(name) {
        name.strip_suffix("_64").unwrap_or(name).to_owned()
    } else {
        name.replacen("p64", "p32", 1)
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
            ("LD_i32_areg", Some(AddressMode::Register)),
            ("ST_i32_ari", Some(AddressMode::Offset)),
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

    #[test]
    fn windows_of_all_versions() {
        for (version, name, window, short) in [
            (17, "LD_f32_areg_64", Some(Window::LoadOrStore), "LD_f32_areg"),
            (20, "STV_i32_v2_ari_64", Some(Window::LoadOrStore), "STV_i32_v2_ari"),
            (22, "LD_i32", Some(Window::LoadOrStore), "LD_i32"),
            (19, "INT_PTX_ATOM_ADD_S_32p64reg", Some(Window::Atomic), "INT_PTX_ATOM_ADD_S_32p32reg"),
            (22, "INT_PTX_ATOM_ADD_32_Si", Some(Window::Atomic), "INT_PTX_ATOM_ADD_32_Si"),
            (24, "INT_PTX_ATOM_CAS_64", Some(Window::Atomic), "INT_PTX_ATOM_CAS_64"),
            (22, "CP_ASYNC_CA_SHARED_GLOBAL_16", Some(Window::Shared), "CP_ASYNC_CA_SHARED_GLOBAL_16"),
            (
                22,
                "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
                Some(Window::Shared),
                "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
            ),
        ] {
            assert_eq!(
                Window::from_name(name, &Versions::of(version).nvptx),
                window,
                "LLVM {version}: {name}"
            );
            assert_eq!(short_address_name(name), short);
        }
        for (version, name) in [
            (17, "LD_f32_areg"),
            (17, "LD_f32_avar"),
            (17, "INT_PTX_ATOM_ADD_S_32p32reg"),
            (19, "CP_ASYNC_CA_SHARED_GLOBAL_16_64"),
            (19, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
            (22, "LD_GLOBAL_NC_i32"),
            (22, "ldmatrix.sync.aligned.m8n8.x4.b16"),
            (22, "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16"),
            (22, "INT_PTX_SATOM_ADD_s32_ctagenr"),
        ] {
            assert_eq!(Window::from_name(name, &Versions::of(version).nvptx), None, "LLVM {version}: {name}");
        }
    }
}
