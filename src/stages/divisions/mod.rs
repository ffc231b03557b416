//! Computes the reciprocal of a divisor once for several divisions (default profile, stage
//! `divisions`, off unless it is asked for).
//!
//! **Problem.** `ptxas` makes of each division that rounds to nearest an approximate reciprocal,
//! its refinement, the quotient and a test of the operands' exponents. A branch to a general
//! division follows. After the branch nothing is known of the reciprocal, so the next division by
//! the same number computes it again, and cannot start before the branch:
//!
//! ```text
//! x / d      y = 1/d, refined     test x, d     q = x * y, refined     or the general division
//! z / d      y = 1/d, refined     test z, d     q = z * y, refined     or the general division
//! ```
//!
//! **Algorithm.** Divisions of a block by the same value share the reciprocal, and have one test and
//! one branch. If the divisor does not change in a loop, the reciprocal is computed before it. The
//! steps are those of `ptxas`, in its order:
//!
//! ```text
//! y = rcp.approx d      y = y + y * (1 - d * y)                     (refined twice in f64)
//! q = x * y             q = q + y * (x - d * q)
//! ```
//!
//! The quotients are right to the bit if nothing on the way overflows or becomes subnormal. Then a
//! power of two more or less in an operand changes exponents alone, so the steps are right for all
//! such operands if `ptxas` may take them for any with these fractions. The test: the exponents of
//! the divisor and of each dividend are in a range of about half of all exponents. If one is not,
//! zeros are allowed next: the quotient of a zero is its product with `y`, which has the right sign.
//! Everything else is divided by LLVM's division.
//!
//! **Source.** `ptxas` 13.0's code for `div.rn` and `rcp.rn`, the same from sm_75 to sm_120. That
//! the steps round right is Markstein's theorem ("Computation of elementary functions on the IBM
//! RISC System/6000 processor", 1990). **Deviation.** The range of `ptxas`' test is wider, and not
//! documented. **Complexity.** Linear in divisions, as the search for others ends after 128
//! instructions.

use crate::mir::SharedDivisor;

/// The most divisors of a function that are shared. Each splits a block, and LLVM's MachineSink takes
/// a time that grows with the square of their number.
const MAX_SHARED: u32 = 64;

/// Whether divisions share the reciprocal of their divisor. A division alone takes as long as that of
/// `ptxas`, unless most of it moves out of a loop. In single precision that is the smaller part.
pub fn is_shared(divisor: &SharedDivisor) -> bool {
    let has_quotient = divisor.num_reciprocals < divisor.num_divisions;
    has_quotient
        && divisor.num_shared < MAX_SHARED
        && (divisor.num_divisions > 1 || divisor.is_double && divisor.is_invariant)
}

/// The names of its counts: the divisors whose divisions could be computed in one place.
pub const COUNTED: [&str; 2] = ["divisors shared", "divisors left: of one division, or too many"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_divisions_share_a_divisor() {
        let of = |num_divisions, num_reciprocals| SharedDivisor {
            num_divisions,
            num_reciprocals,
            num_shared: 0,
            is_double: false,
            is_invariant: false,
        };
        assert!(is_shared(&of(2, 0)));
        assert!(is_shared(&of(2, 1)));
        assert!(!is_shared(&of(1, 0)));
        assert!(!is_shared(&of(1, 1)));
        // LLVM leaves one of two equal ones.
        assert!(!is_shared(&of(2, 2)));
    }

    /// Of all divisors from 1 to 2, with approximations that are off by one unit at most, as PTX promises.
    #[test]
    fn a_refined_reciprocal_is_rounded_right_for_all_but_a_few_pairs() {
        let mut num_wrong = 0;
        for fraction in 0..1u32 << 23 {
            let divisor = f32::from_bits(1f32.to_bits() | fraction);
            // Rounding twice does no harm here: f64 has more than twice the bits.
            let right = (1.0 / f64::from(divisor)) as f32;
            for unit in [-1, 0, 1] {
                let approximation = f32::from_bits(right.to_bits().wrapping_add_signed(unit));
                let error = (-divisor).mul_add(approximation, 1.0);
                num_wrong += u32::from(approximation.mul_add(error, approximation) != right);
            }
        }
        assert_eq!(num_wrong, 33);
    }

    #[test]
    fn a_division_of_doubles_has_its_reciprocal_before_the_loop() {
        let alone = SharedDivisor {
            num_divisions: 1,
            num_reciprocals: 0,
            num_shared: 0,
            is_double: true,
            is_invariant: true,
        };
        assert!(is_shared(&alone));
        assert!(!is_shared(&SharedDivisor { is_double: false, ..alone }));
        assert!(!is_shared(&SharedDivisor { is_invariant: false, ..alone }));
        // LLVM moves it out of the loop itself.
        assert!(!is_shared(&SharedDivisor { num_reciprocals: 1, ..alone }));
        assert!(is_shared(&SharedDivisor { num_shared: 63, ..alone }));
        assert!(!is_shared(&SharedDivisor { num_shared: 64, ..alone }));
    }
}
