//! Replaces addresses that differ by a constant by one register and offsets (`cicc` profile, stage `fold-addresses`).
//!
//! **Problem.** Loads and stores take a register and a constant. The elements that an unrolled loop reads, `a[i]`, `a[i | 1]`,
//! `a[i + 2]`, often come with an address of its own for each, as instruction selection folds a constant only where it is the last
//! thing that is added:
//!
//! ```text
//! %r3 = OR_b32ri %r2, 1         %rd5 = MUL_WIDEu32_ri %r3, 8
//! %rd6 = ADD64rr %rd1, %rd5     LD_i64 ..., %rd6, 0
//! ```
//!
//! ptxas computes all of them, and each takes two of its registers until it is used. The same holds for indices of 32 bits, and for
//! 32-bit addresses in shared memory for inline assembly, four instructions each.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. The address of every load and store is written as a linear form
//! ([`forms`](crate::ssa::forms)). Addresses with the same terms differ by a constant.
//!
//! 1. [`addresses`]: an address is replaced by another one that dominates it and an offset, if nothing but loads and stores reads it.
//!    If inline assembly does, as in Triton's kernels, there is no place for an offset: the address becomes the sum of the other one
//!    and a constant, which ptxas folds.
//! 2. Instructions that nothing reads any more are erased.
//! 3. [`sums`]: sums of 32 bits that differ by a constant share one of them.
//! 4. [`shifts`]: sums of two shifted registers are shifted once.
//! 5. [`products`]: products of 64 bits that 32 bits are enough for multiply 32 bits.
//! 6. Instructions that nothing reads any more are erased.
//!
//! The bits that are clear are known of counters, which are multiples of the step of a loop, and of thread indices where a kernel
//! says how many threads it has.
//!
//! [`folding`] goes through these steps. It decides on [`SsaFacts`](crate::ssa::SsaFacts); a [`draft`] follows the changes, which come out
//! as a list of edits. `pass` makes them.
//!
//! Measurements: docs/measured.md, "Folding addresses".
//!
//! **Source.** The problem is that of LLVM's `SeparateConstOffsetFromGEP`, on IR; by the descriptions, CICC solves it on IR, too.
//! **Deviation:** behind instruction selection, where it is known which constants were not folded; debug values of an address that is
//! erased are lost.
//!
//! **Complexity.** O(instructions + addresses · log addresses + sums · log sums).

pub mod addresses;
pub mod draft;
pub mod edits;
pub mod folding;
pub mod function;
#[cfg(all(ptx_host, not(test)))]
mod pass;
pub mod products;
#[cfg(test)]
mod random_tests;
pub mod shifts;
pub mod sums;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::FoldAddresses;
