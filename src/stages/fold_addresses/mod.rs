//! Addresses that differ by a constant share a register (`cicc` profile, stage `fold-addresses`).
//!
//! **Problem.** Loads and stores take a register and a constant. What an unrolled loop reads, `a[i]`, `a[i | 1]`, `a[i + 2]`,
//! often comes with an address of its own for each, as instruction selection folds a constant only where it is the
//! last thing that is added:
//!
//! ```text
//! %r3 = OR_b32ri %r2, 1         %rd5 = MUL_WIDEu32_ri %r3, 8
//! %rd6 = ADD64rr %rd1, %rd5     LD_i64 ..., %rd6, 0
//! ```
//!
//! ptxas computes all of them, and each takes two of its registers until it is used. Indices of 32 bits are like this as well:
//! `%r9 = OR %i, %r3` and `%r10 = OR %i, %r4` in a loop, with `%r3 = OR %tid, 256` and `%r4 = OR %tid, 512` in front of it,
//! which live through the loop; and 32 bits of an address in shared memory for inline assembly, four instructions each.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables. The address of every load and store is written as a linear form
//! ([`forms`]). Addresses with the same terms differ by a constant: of those, each whose def is dominated by that of
//! another one that stays is replaced by it and an offset, if nothing but loads and stores reads it. If inline assembly does, as in
//! Triton's kernels, where no offset can be put, its def becomes the sum of that one and a constant, which ptxas folds. Then what
//! nothing reads any more is erased.
//!
//! Sorted by terms and by the preorder of the dominator tree, those that dominate an address are a stack.
//!
//! Then sums of 32 bits of one block, modulo 2^32: all but the first of those with the same terms become the sum of the first and
//! a constant, if they read a register of another block, which need not live on for them, or one that nobody else reads, which goes.
//!
//! What bits are clear is known of counters, which are multiples of what a loop adds to them, and of the numbers of threads
//! where a kernel says how many it has.
//!
//! **Measured** (LLVM 22, ptxas 13.0; 54 kernels that do not rotate values): registers 0.948, none more; SASS 0.984, none more; docs/measured.md,
//! "Folding addresses". Sums, on 308 kernels of Triton: registers 0.993, fewer in 26, more in 4; SASS 0.998. Without the rule that a
//! register of another block is not worth one addition, device functions of hashcat spilled 8 bytes more each.
//!
//! **Source.** The problem is that of LLVM's `SeparateConstOffsetFromGEP`, on IR; the reference texts have CICC do it on IR,
//! too. **Deviation:** behind instruction selection, where it is known which constants were not folded; debug values of an address
//! that is erased are lost.
//!
//! **Complexity.** O(instructions + addresses · log addresses + sums · log sums).

#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(all(ptx_host, not(test)))]
mod products;
#[cfg(all(ptx_host, not(test)))]
pub use pass::{Code, FoldAddresses};
