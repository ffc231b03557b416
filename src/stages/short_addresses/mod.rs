//! Computes addresses of shared and constant memory with 32 bits (`cicc` profile, stage `short-addresses`).
//!
//! **Problem.** In 64-bit code LLVM computes all addresses in registers of 64 bits, also those of memory whose addresses have 32:
//!
//! ```text
//! %rd2 = MUL_WIDEs32_ri %r1, 12       %rd3 = MOV_B64_sym @tile
//! %rd4 = ADD64rr %rd3, %rd2           %r5 = LD_i32 ..., %rd4, 8
//! ```
//!
//! ptxas drops the high halves where it sees that nothing reads them. But addresses that differ by a constant modulo 2^32 often differ by no
//! constant modulo 2^64, so that each has a register of its own; sums and products are computed twice, for the low half
//! and for another reader; and the other stages count two registers for each value.
//!
//! **Algorithm.** In SSA form, in front of LiveVariables.
//!
//! 1. [`roles`]: what an instruction does with low halves. The low half of a sum, a product or a shift to the left needs nothing but the low
//!    halves of its operands; an access to such memory needs nothing but that of its address.
//! 2. [`demand`]: a register needs its high half if an instruction reads that, or computes with it a register that needs its own.
//! 3. [`edits`]: the others that an address is computed with become registers of 32 bits, with the operations that define them. A register
//!    that stays is truncated, or was extended from 32 bits before.
//!
//! `pass` makes the edits.
//!
//! **Why that is right.** The address spaces of shared, constant and local memory have addresses of 32 bits. PTX truncates an address of
//! 64 bits to the width of its space and extends one of 32 with zeros (PTX ISA, "Addresses as Operands"). In both cases the sum of register and
//! offset counts modulo 2^32: `ptxas` makes the same instruction, `LDS [R+offset]`, of either, from the low half of a register of 64 bits.
//!
//! **Source.** NVCC computes these addresses with 32 bits; LLVM's `-nvptx-short-ptr` does, by another data layout, for all of a module, and
//! that must be compiled for it. **Deviation:** behind instruction selection, for each value by itself. Debug values of registers that become
//! narrower are lost.
//!
//! **Complexity.** Linear in operands, but for the near-linear joining of classes.

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
