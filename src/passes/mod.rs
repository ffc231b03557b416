//! The passes that LLVM also has. Each folder is named after LLVM's pass.

pub mod affinity;
pub mod coalescer;
pub mod copy_maps;
pub mod emitter;
pub mod function;
pub mod phi_elim;
pub mod two_address;
