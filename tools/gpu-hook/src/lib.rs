//! A library in the place of NVIDIA's driver: it records kernel launches, or gives the driver other
//! code.
//!
//! **Problem.** `ptx-compare record` and `run` must see what an application loads and launches,
//! whatever it is written in, without changing it.
//!
//! **Method.** What the loader finds under the driver's name, `libcuda.so.1`, has no code and needs
//! two libraries: this one, then the real driver. So the loader finds there whatever this library
//! does not define: no function is only passed on. Of what it defines, `cuGetProcAddress` gives out
//! its own functions. A CUDA runtime gets all of the driver's functions by that one. CUPTI could
//! see the launches too, but only one tool may use it, and it cannot change what is loaded.
//!
//! **Source.** CUDA Driver API 13.0. **Deviation.** An application that names the driver's file by
//! its whole path, or is linked statically with the system's loader, goes past it: then the library
//! is not loaded, which `ptx-compare` says. What is called by the driver's private tables
//! (`cuGetExportTable`) is not seen. **Complexity.** A lookup in a hash table for a launch that is
//! not recorded.
//!
//! | module       | what it does                                                     |
//! |--------------|------------------------------------------------------------------|
//! | [`driver`]   | the exported functions and the real driver's: all unsafe code     |
//! | [`hook`]     | what is done at a load, a lookup and a launch                     |
//! | [`recorder`] | records launches                                                 |
//! | [`address`]  | finds the addresses in parameters and in memory                  |
//! | [`replacer`] | gives the driver other code                                      |
//! | [`names`]    | which image and which kernel a handle is of                      |
//! | [`log`]      | writes events                                                    |

mod address;
mod driver;
mod hook;
mod log;
mod names;
mod recorder;
mod replacer;
