//! The passes that LLVM has, too: each folder is named after LLVM's pass.

pub mod affinity;
pub mod coalescer;
pub mod copy_maps;
pub mod emitter;
#[cfg(any(ptx_host, test))]
pub(crate) mod phi_elim;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod two_address;
