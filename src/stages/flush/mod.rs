//! Lets approximations flush subnormal numbers where they meet none (default profile, stage
//! `flush`).
//!
//! **Problem.** The hardware's roots and logarithm treat subnormal numbers as zero. Without `.ftz`
//! PTX demands their right results, so ptxas scales the operand before and the result after, each
//! time:
//!
//! ```text
//! FSETP.GEU.AND P0, PT, |R0|, 1.175494350822287508e-38, PT
//! @!P0 FMUL R0, R0, 16777216
//! MUFU.RSQ R5, R0
//! @!P0 FMUL R5, R5, 4096
//! ```
//!
//! With `rsqrt.approx.ftz.f32` there is one instruction, `MUFU.RSQ`. Distances between bodies are
//! such roots: `x * x + y * y + z * z + c` is at least the constant `c`.
//!
//! **Algorithm.** In SSA form. For the operand of each `rsqrt.approx.f32`, `sqrt.approx.f32` and
//! `lg2.approx.f32`, the definitions are followed to find its range ([`ranges`]). If the range has
//! no subnormal number, the instruction gets `.ftz`.
//!
//! **Why that is right.** For a normal operand, an infinity or NaN, the code above executes `MUFU`
//! alone, on the operand as it is. A zero is scaled, which leaves it and its result, zero or
//! infinite, as they are. With `.ftz` it is the same `MUFU` on the same operand. So the result is
//! the same to the last bit. `tests/flush.py` compares the code that ptxas makes of both for each
//! architecture.
//!
//! **Source.** Interval arithmetic (Moore, 1966), with one more fact: the least magnitude of a
//! value that is not zero. **Deviation.** Ranges do not go through PHIs. Reciprocals and quotients
//! stay: their results may be subnormal, too. nvcc 13.0 has nothing like it.
//!
//! **Complexity.** Linear in the instructions: each register is computed once, and a chain of
//! definitions is followed for [`ranges::MAX_DEPTH`] steps.

#[cfg(all(ptx_host, not(test)))]
mod pass;
pub mod range;
pub mod ranges;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::Flush;
