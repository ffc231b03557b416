//! The exported functions and the real driver's: all unsafe code of this library.
//!
//! **Problem.** The driver's functions are C's, and take raw addresses. **Method.** [`hooks`]
//! exports those that are seen, each with the driver's own arguments; [`real`] calls those of the
//! real driver. What lies at an application's addresses is read only where the driver reads it too.
//!
//! **Source.** CUDA Driver API 13.0 (`cuda.h`). **Deviation.** None. **Complexity.** A call of C
//! for each function.
#![allow(unsafe_code)]

mod hooks;
mod raw;
mod real;

/// CUresult.
pub type Status = i32;
/// CUDA_SUCCESS.
pub const SUCCESS: Status = 0;
/// CUDA_ERROR_NOT_SUPPORTED: for a function that the real driver does not have.
pub const NOT_SUPPORTED: Status = 801;
