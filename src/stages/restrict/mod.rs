//! Takes the pointers that a kernel gets for `__restrict__` (`-ptx-restrict`, default profile, stage
//! `restrict`).
//!
//! **Problem.** A kernel reads one array and writes another. If nothing says that they do not
//! overlap, each store may change what a later load reads. So neither LLVM nor `ptxas` may start a
//! load before a store that stands before it, or read through the cache for read-only
//! data. C++ has `__restrict__` for this, which few sources use.
//!
//! **Algorithm.** The user promises it for all kernels at once. Each pointer that a kernel gets is
//! marked `noalias`, as clang marks it for `__restrict__`. What follows does the rest: LLVM reads by
//! `ld.global.nc` what clang has found to be only read, and `early-loads` moves loads.
//!
//! **Source.** nvcc's option `--restrict`. **Deviation.** nvcc's optimiser knows of it from the
//! start; here LLVM's has run. **Complexity.** Linear in parameters.

use crate::mir::Parameter;

/// Whether a pointer is marked.
pub fn is_promised(parameter: &Parameter) -> bool {
    parameter.is_of_kernel && !parameter.is_by_value && !parameter.is_restrict
}

/// The names of its counts.
pub const COUNTED: [&str; 2] =
    ["pointers promised to be restrict", "pointers left: restrict or by value already, or not of a kernel"];

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Parameter = Parameter { is_of_kernel: true, is_by_value: false, is_restrict: false };

    #[test]
    fn pointers_that_a_kernel_gets_are_promised() {
        assert!(is_promised(&PLAIN));
        assert!(!is_promised(&Parameter { is_of_kernel: false, ..PLAIN }));
        assert!(!is_promised(&Parameter { is_by_value: true, ..PLAIN }));
        assert!(!is_promised(&Parameter { is_restrict: true, ..PLAIN }));
    }
}
