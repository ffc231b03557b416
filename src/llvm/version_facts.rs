//! Tells the shim what it has to know of LLVM's version.

use super::ffi;
use crate::versions::{Shim, VERSIONS};

/// Facts of [`Shim`], which C++ reads.
#[no_mangle]
#[allow(non_upper_case_globals)]
pub static ptx_version_facts: ffi::PtxVersionFacts = {
    let Shim {
        live_intervals_tell_phys_kills,
        insert_subreg_removes_undef_lanes,
        phi_elim_updates_sub_ranges,
    } = VERSIONS.shim;
    ffi::PtxVersionFacts {
        live_intervals_tell_phys_kills,
        insert_subreg_removes_undef_lanes,
        phi_elim_updates_sub_ranges,
        immediates_before_type: VERSIONS.nvptx.immediates_before_type as u32,
    }
};
