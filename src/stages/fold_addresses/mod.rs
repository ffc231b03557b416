//! Replaces addresses that differ by constants with one register and offsets (default profile,
//! stage `fold-addresses`).
//!
//! **Problem.** Loads and stores take a register and a constant. The elements that an unrolled loop
//! reads, `a[i]`, `a[i | 1]`, `a[i + 2]`, often have an address register each, as instruction
//! selection folds a constant only if it is added last:
//!
//! ```text
//! %r3 = OR_b32ri %r2, 1         %rd5 = MUL_WIDEu32_ri %r3, 8
//! %rd6 = ADD64rr %rd1, %rd5     LD_i64 ..., %rd6, 0
//! ```
//!
//! ptxas computes all of them, and each takes two of its registers until it is used. The same holds
//! for indices of 32 bits, and for 32-bit addresses in shared memory that inline assembly reads,
//! four instructions each.
//!
//! **Algorithm.** In SSA form, before LiveVariables. The address of every load and store is written
//! as a linear form ([`forms`](crate::ssa::forms)). Addresses with the same terms differ by a
//! constant.
//!
//! 1. [`addresses`]: an address that only loads and stores read is replaced by a dominating address
//!    and an offset. Inline assembly, as in Triton's kernels, has no place for an offset. An
//!    address that it reads becomes the sum of the other address and a constant, which ptxas folds.
//! 2. Instructions that nothing reads any more are erased.
//! 3. [`sums`]: sums of 32 bits that differ by a constant share one of them.
//! 4. [`shifts`]: sums of two shifted registers are shifted once.
//! 5. [`products`]: 64-bit products whose factors fit in 32 bits multiply 32 bits.
//! 6. Instructions that nothing reads any more are erased.
//!
//! Clear bits are known of counters, which are multiples of the loop's step, and of thread indices
//! if the kernel declares its number of threads.
//!
//! [`folding`] runs these steps. It decides on [`SsaFacts`](crate::ssa::SsaFacts). A [`draft`]
//! tracks the changes, which come out as a list of edits. `pass` makes them.
//!
//! Measurements: docs/stages/fold-addresses.md, "Folding addresses".
//!
//! **Source.** The problem is that of LLVM's `SeparateConstOffsetFromGEP`, on IR; by its
//! descriptions, CICC solves it on IR, too. **Deviation:** here it is solved after instruction
//! selection, where it is known which constants were not folded. Debug values of an address that is
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
