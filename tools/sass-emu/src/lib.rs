//! An emulator of NVIDIA's machine code (SASS), for cubins that `ptxas` or `nvcc` made.
//!
//! **Problem.** PTX is not what a GPU runs. ptxas chooses the instructions, their order and the registers, so questions of time, and of
//! ptxas' own faults, are answered by its output only. NVIDIA documents neither the encoding nor the meaning of SASS.
//!
//! **Method.** The modules, from the lowest to the highest:
//!
//! | module | content |
//! |---|---|
//! | [`cubin`] | sections, symbols, relocations and attributes of the ELF file |
//! | [`instruction`] | text of `nvdisasm -json` to opcodes, operands and control fields |
//! | [`memory`] | global, shared and local memory |
//! | [`float`] | floating-point arithmetic and the MUFU unit |
//! | [`matrix`] | products of small matrices over the lanes of a warp |
//! | [`decode`] | an instruction to a [`decode::Step`] that runs fast |
//! | [`warp`] | the lanes of a warp: registers, divergence, convergence barriers, each operation |
//! | [`grid`] | blocks, barriers, launches |
//!
//! **Source.** NVIDIA's "CUDA Binary Utilities" lists the opcodes. Their meaning was found by comparing what SASS leaves in memory with
//! what the PTX that it was made from leaves there. The control fields are those of Jia et al., "Dissecting the NVIDIA Volta GPU
//! Architecture via Microbenchmarking", section 2.1.
//!
//! **Deviation.** An instruction that is not known ends the run, and the error names it. MUFU gives the correctly rounded value, not the
//! approximation of the unit's tables. wgmma, bulk copies, clusters and textures are not known; where values are no matter, an observer is told
//! what the time of the former depends on.
//!
//! **Complexity.** Linear in the instructions that warps run.

pub mod cubin;
pub mod decode;
pub mod float;
pub mod grid;
pub mod instruction;
pub mod matrix;
pub mod memory;
pub mod warp;
