//! Where memory accesses have their address and their type among their operands.
//!
//! **Problem.** The stages change addresses. An address may be a register, a symbol, a frame object
//! or a constant. The value that a store or an atomic operation writes is a register too. So the
//! address must be found by position, not by kind of operand.
//!
//! **Algorithm.** The opcode's name and the LLVM version tell how many operands come between the
//! results and the address ([`AddressPlace`]). [`crate::ssa::address`] looks at the operand there.
//! `tests/addresses.py` compares the places of all opcodes with the text that LLVM prints and with
//! its description of the operands.
//!
//! **Source.** `NVPTXInstrInfo.td` and `NVPTXIntrinsics.td` of each version. **Deviation.**
//! Accesses whose address no stage changes have no place here: the stages treat everything that
//! they read as values. **Complexity.** A few comparisons of names, once for each opcode.

use crate::versions::Nvptx;

/// The place of the address among the operands of an opcode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressPlace {
    /// How many operands come between the results and the address: constants that give the kind of
    /// access, and the values that a store writes.
    pub operands_before: usize,
    /// The operand after the address is a constant added to it. From LLVM 21 on every address has
    /// one. In LLVM 17 to 20 the opcode's name tells, as `_ari_64` or `_areg_64`.
    pub has_offset: bool,
    /// The source of the address space.
    pub space: SpaceSource,
    /// The access also exists with a 32-bit address, if the space has such addresses.
    pub may_be_short: bool,
}

/// Where the address space of an access comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpaceSource {
    /// The memory operand of the load or store.
    LoadOrStore,
    /// The memory operand of the atomic operation.
    Atomic,
    /// The opcode: it is shared memory.
    Shared,
}

impl AddressPlace {
    /// Finds the place for the opcode of this name. An opcode without a name (tensor cores) is
    /// known by the text that it prints as. `None` for an opcode that accesses no memory, and for
    /// an access whose address no stage changes.
    pub fn from_name(name: &str, version: &Nvptx) -> Option<AddressPlace> {
        use SpaceSource::{Atomic, LoadOrStore, Shared};
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
        if let Some(operands_before) = operands_before_address(name, version) {
            let ends_with_offset = ends(&["ari", "ari32", "ari64", "ari_64", "asi"]);
            let has_32_bits = ends(&["areg", "ari", "asi", "avar"]);
            return Some(AddressPlace {
                operands_before,
                has_offset: !version.addresses_have_classes || ends_with_offset,
                space: LoadOrStore,
                may_be_short: is_load_or_store(name) && !name.starts_with("LD_GLOBAL_NC_") && !has_32_bits,
            });
        }
        let directly = |space, may_be_short| AddressPlace {
            operands_before: 0,
            has_offset: !version.addresses_have_classes,
            space,
            may_be_short,
        };
        if name.starts_with("INT_PTX_ATOM_") {
            let is_64 = !version.addresses_have_classes || name.contains("p64");
            return Some(directly(Atomic, is_64));
        }
        let is_shared = starts(&["CP_ASYNC_CA_SHARED_GLOBAL_", "CP_ASYNC_CG_SHARED_GLOBAL_"])
            || starts(&["ldmatrix.", "stmatrix.", "wmma.load.", "wmma.store."]) && name.contains(".shared.");
        (is_shared && !version.addresses_have_classes).then(|| directly(Shared, true))
    }
}

/// Counts the operands between the results and the address of the `ld`, `ldu` or `st` of this name;
/// `None` for any other opcode.
fn operands_before_address(name: &str, version: &Nvptx) -> Option<usize> {
    // The last constants before the address: type, width, from LLVM 22 on a mask. Stores have a
    // type only in LLVM 17 to 20.
    let after_type = 1 + version.immediates_after_width;
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if name.starts_with("LD_GLOBAL_NC_") {
        Some(1 + after_type)
    } else if name.starts_with("LDU_GLOBAL_") {
        Some(version.immediates_of_ldu)
    } else if starts(&["INT_PTX_LDG_G", "INT_PTX_LDU_G"]) {
        Some(0)
    } else if !is_load_or_store(name) {
        None
    } else if starts(&["LD_", "LDV_"]) {
        Some(version.immediates_before_type + 1 + after_type)
    } else {
        let has_type = usize::from(version.addresses_have_classes);
        Some(num_values(name) + version.immediates_before_type + has_type + 1)
    }
}

/// Counts the values that this store writes.
fn num_values(name: &str) -> usize {
    let lengths = [("_v2", 2), ("_v4", 4), ("_v8", 8)];
    lengths.iter().find(|(part, _)| name.contains(part)).map_or(1, |&(_, values)| values)
}

/// Returns the name of the same access with a 32-bit address.
pub fn short_address_name(name: &str) -> String {
    if is_load_or_store(name) {
        name.strip_suffix("_64").unwrap_or(name).to_owned()
    } else {
        name.replacen("p64", "p32", 1)
    }
}

/// Tells whether the opcode of this name is an `ld` or a `st`, of a scalar or a vector, as `LD_i32`
/// or `STV_f32_v2_ari_64`. `st.async` and `st.bulk` do not count.
pub fn is_load_or_store(name: &str) -> bool {
    let rest = ["LD_", "ST_", "LDV_", "STV_"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let is_type = |text: &str| {
        let bits = text.strip_prefix(['i', 'f']);
        bits.is_some_and(|bits| bits.starts_with(|c: char| c.is_ascii_digit()))
    };
    rest.is_some_and(|rest| is_type(rest) || rest.starts_with("GLOBAL_NC_"))
}

/// The codes of a load's or store's type immediate: `NVPTX::PTXLdStInstCode`, the same in all
/// versions.
pub mod type_code {
    /// `.u`
    pub const UNSIGNED: u32 = 0;
    /// `.s`
    pub const SIGNED: u32 = 1;
    /// `.f`
    pub const FLOAT: u32 = 2;
}

/// Returns how many immediates of this load or store come before its type. The width in bits
/// follows the type. `None` if no operand gives the type: the opcode's name does, or, for stores
/// since LLVM 21, the type does not matter.
pub fn immediates_before_type(name: &str, version: &Nvptx) -> Option<u32> {
    let is = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    // In LLVM 17 to 20 the name tells the kind of address, and stores have a type.
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

    /// The place of an address: operands before it, whether it has an offset, the space, and
    /// whether it may be short.
    fn place(major: u32, name: &str) -> Option<(usize, bool, SpaceSource, bool)> {
        let place = AddressPlace::from_name(name, &Versions::of(major).nvptx)?;
        Some((place.operands_before, place.has_offset, place.space, place.may_be_short))
    }

    #[test]
    fn places_of_the_addresses_of_loads_and_stores() {
        for (version, name, operands_before, has_offset, may_be_short) in [
            (17, "LD_i32_areg_64", 5, false, true),
            (17, "ST_f32_ari_64", 6, true, true),
            (19, "LDV_i32_v4_areg_64", 5, false, true),
            (19, "STV_i32_v4_ari_64", 9, true, true),
            (19, "INT_PTX_LDG_GLOBAL_i32areg64", 0, false, false),
            (19, "INT_PTX_LDG_G_v4f32_ELE_ari64", 0, true, false),
            (19, "INT_PTX_LDG_G_v2i32_ELE_areg32", 0, false, false),
            (17, "LD_i32_avar", 5, false, false),
            (17, "LD_i32_asi", 5, true, false),
            (17, "LD_f32_areg", 5, false, false),
            (20, "LD_i32_areg_64", 6, false, true),
            (20, "STV_i32_v2_ari_64", 8, true, true),
            (21, "LD_i32", 5, true, true),
            (21, "LDU_GLOBAL_i32", 0, true, false),
            (22, "LD_i32", 6, true, true),
            (22, "LD_GLOBAL_NC_v4i32", 3, true, false),
            (22, "LDU_GLOBAL_v2i64", 1, true, false),
            (22, "ST_i64", 5, true, true),
            (22, "STV_i16_v4", 8, true, true),
        ] {
            let expected = Some((operands_before, has_offset, SpaceSource::LoadOrStore, may_be_short));
            assert_eq!(place(version, name), expected, "LLVM {version}: {name}");
        }
    }

    #[test]
    fn places_of_the_addresses_of_other_accesses() {
        use SpaceSource::{Atomic, Shared};
        for (version, name, has_offset, space, may_be_short) in [
            (19, "INT_PTX_ATOM_ADD_S_32p64reg", false, Atomic, true),
            (17, "INT_PTX_ATOM_ADD_S_32p32reg", false, Atomic, false),
            (22, "INT_PTX_ATOM_ADD_32_Si", true, Atomic, true),
            (24, "INT_PTX_ATOM_CAS_64", true, Atomic, true),
            (22, "CP_ASYNC_CA_SHARED_GLOBAL_16", true, Shared, true),
            (22, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", true, Shared, true),
            (22, "wmma.store.d.sync.row.m16n16k16.shared.f16", true, Shared, true),
        ] {
            let expected = Some((0, has_offset, space, may_be_short));
            assert_eq!(place(version, name), expected, "LLVM {version}: {name}");
        }
        for (version, name) in [
            (19, "CP_ASYNC_CA_SHARED_GLOBAL_16_64"),
            (19, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
            (22, "ldmatrix.sync.aligned.m8n8.x4.b16"),
            (22, "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16"),
            (22, "INT_PTX_SATOM_ADD_s32_ctagenr"),
            (22, "CP_ASYNC_BULK_S2G"),
            (22, "ST_ASYNC_SYS_B8"),
            (22, "StoreParamI32"),
        ] {
            assert_eq!(place(version, name), None, "LLVM {version}: {name}");
        }
    }

    #[test]
    fn names_of_accesses_by_short_addresses() {
        for (name, short) in [
            ("LD_f32_areg_64", "LD_f32_areg"),
            ("STV_i32_v2_ari_64", "STV_i32_v2_ari"),
            ("LD_i32", "LD_i32"),
            ("INT_PTX_ATOM_ADD_S_32p64reg", "INT_PTX_ATOM_ADD_S_32p32reg"),
            ("INT_PTX_ATOM_ADD_32_Si", "INT_PTX_ATOM_ADD_32_Si"),
            ("CP_ASYNC_CA_SHARED_GLOBAL_16", "CP_ASYNC_CA_SHARED_GLOBAL_16"),
        ] {
            assert_eq!(short_address_name(name), short);
        }
    }
}
