//! Replaces PHIs whose values are computed alike by one computation (default profile, stage
//! `equal-phis`).
//!
//! **Problem.** A program has two versions of a loop, or of a piece of work: one that tests each
//! element against a limit, and one that does not. Both end alike, and clang joins the ends. An
//! index that both versions compute becomes a PHI of two equal values. LLVM does not see that they
//! are equal: neither dominates the other, and InstCombine joins them only if nothing else reads
//! them. So all addresses that are computed from the PHI are new ones:
//!
//! ```text
//! a:                                    a:
//!   x0 = zext (tid + 256)                 ...
//! b:                                    b:
//!   x1 = zext (tid + 256)                 x1 = zext (tid + 256)
//!   if (x1 < n) ...                       if (x1 < n) ...
//! end:                            =>    end:
//!   x = phi [x0, a], [x1, b]              x = zext (tid + 256)
//!   load p[x]                             load p[x]    (the address of p[tid], and 1024)
//! ```
//!
//! **Algorithm.** The values of a PHI are compared, one instruction and operand after the other. If
//! all are the same operations on the same values, and these values dominate the PHI, they are
//! computed once more in the PHI's block, if that takes few instructions. NVPTX's passes on
//! addresses follow. PHIs at the start of loops stay, as there the computation would run in each
//! iteration.
//!
//! **Source.** nvcc's code for `thrust::transform`. **Deviation.** LLVM's GVNHoist moves equal
//! computations up to a block that dominates both, but only if each path from there has one.
//! **Complexity.** Linear in PHIs and their values, as chains of four instructions at most are
//! compared.

use crate::mir::EqualPhi;

/// The most instructions that are computed again. The old ones stay if something else reads them.
const MAX_INSTRS: u32 = 4;

/// Whether a PHI is replaced.
pub fn is_replaced(phi: &EqualPhi) -> bool {
    phi.num_instrs <= MAX_INSTRS
}

/// The names of its counts: the PHIs whose values are computed alike.
pub const COUNTED: [&str; 2] = ["PHIs replaced", "PHIs left: their values take too many instructions"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_few_instructions_are_computed_again() {
        assert!(is_replaced(&EqualPhi { num_instrs: 1 }));
        assert!(is_replaced(&EqualPhi { num_instrs: 4 }));
        assert!(!is_replaced(&EqualPhi { num_instrs: 5 }));
    }
}
