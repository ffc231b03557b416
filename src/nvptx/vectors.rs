//! Recognises instructions that read the components of one value from several registers.

/// Whether the opcode of this name reads a vector: a wide store to a parameter or a surface, a wide
/// return value, or a pack. Wide stores to memory and stores of matrices, which have no names, are
/// recognised by their effect: they store and do not load.
pub fn reads_vector(name: &str) -> bool {
    const STORES: [&str; 4] = ["STV_", "StoreParamV", "StoreRetvalV", "SUST_"];
    let packs = name.starts_with("V2") || name.starts_with("V4");
    packs || STORES.iter().any(|store| name.starts_with(store))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t7_wide_stores_and_packs_read_vectors() {
        for name in [
            "STV_i32_v4",
            "StoreParamV2F32",
            "StoreRetvalV4I32",
            "SUST_B_2D_V4I32_TRAP_R",
            "V2I32toI64",
            "V4I16toI64",
        ] {
            assert!(reads_vector(name), "{name}");
        }
        for name in ["ADDi32rr", "I64toV2I32", "LDV_i32_v4", "SELP_b32rr", "MULWIDES64", "VOTE_SYNC_ALLr"] {
            assert!(!reads_vector(name), "{name}");
        }
    }
}
