//! Computes addresses of shared and constant memory with 32 bits (default profile, stage
//! `short-addresses`).
//!
//! **Problem.** In 64-bit code LLVM computes all addresses in registers of 64 bits, even for memory
//! whose addresses have 32:
//!
//! ```text
//! %rd2 = MUL_WIDEs32_ri %r1, 12       %rd3 = MOV_B64_sym @tile
//! %rd4 = ADD64rr %rd3, %rd2           %r5 = LD_i32 ..., %rd4, 8
//! ```
//!
//! ptxas drops the high halves where it sees that nothing reads them. But addresses that differ by
//! a constant modulo 2^32 often do not differ by a constant modulo 2^64, so each has a register of
//! its own. Sums and products are computed twice, for the low half and for another reader. And the
//! other stages count two registers for each value.
//!
//! **Algorithm.** In SSA form, before LiveVariables.
//!
//! 1. [`roles`]: how an instruction uses low halves. The low half of a sum, a product or a left
//!    shift needs only the low halves of its operands. An access to such memory needs only the low
//!    half of its address.
//! 2. [`demand`]: a register needs its high half if an instruction reads that half, or computes
//!    from it a register that needs its own.
//! 3. [`edits`]: the other registers that addresses are computed with get 32 bits, and so do the
//!    operations that define them. A register that stays is truncated, or the register of 32 bits
//!    that it was extended from is used.
//!
//! `pass` makes the edits.
//!
//! **Why that is right.** The address spaces of shared, constant and local memory have addresses of
//! 32 bits. PTX truncates an address of 64 bits to the width of its space, and extends one of 32
//! with zeros (PTX ISA, "Addresses as Operands"). In both cases the sum of register and offset
//! counts modulo 2^32: `ptxas` makes the same instruction, `LDS [R+offset]`, of either, from the
//! low half of a register of 64 bits.
//!
//! **Source.** NVCC computes these addresses with 32 bits. So does LLVM's `-nvptx-short-ptr`, by
//! another data layout, for all of a module, which must be compiled for it. **Deviation:** here it
//! is done after instruction selection, for each value by itself. Debug values of registers that
//! become narrower are lost.
//!
//! **Complexity.** Linear in operands, except that joining classes is almost linear.

pub mod demand;
pub mod edits;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod random_tests;
pub mod roles;
#[cfg(test)]
mod tests;

#[cfg(all(ptx_host, not(test)))]
pub use pass::ShortAddresses;
