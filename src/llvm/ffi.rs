//! bindgen's output for `cpp-shim/ptxpasses.h`.
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, dead_code, missing_docs)]
#![allow(clippy::all, clippy::undocumented_unsafe_blocks)]
use crate::mir::dag::{ids::*, records::*};
use crate::mir::{record_ids::*, records::*};

include!(concat!(env!("OUT_DIR"), "/ffi.rs"));
