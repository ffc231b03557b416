//! An emulator of NVIDIA's machine code (SASS), for cubins made by `ptxas` or `nvcc`.
//!
//! **Problem.** A GPU does not run PTX. ptxas chooses the instructions, their order and the
//! registers. Only its output answers questions of time, and of ptxas' own faults. NVIDIA documents
//! neither the encoding nor the meaning of SASS.
//!
//! **Method.** The modules, from the lowest to the highest:
//!
//! | module | content |
//! |---|---|
//! | [`error`] | the reasons why a cubin or its listing cannot be used |
//! | [`cubin`] | sections, symbols, relocations and attributes of the ELF file |
//! | [`instruction`] | text of `nvdisasm -json` to opcodes, operands and control fields |
//! | [`join`] | one run of `nvdisasm` for functions of several cubins |
//! | [`memory`] | global, shared and local memory |
//! | [`float`] | floating-point arithmetic and the MUFU unit |
//! | [`lanes`] | a word for each lane of a warp |
//! | [`matrix`] | products of small matrices over the lanes of a warp |
//! | [`decode`] | an instruction to a [`decode::Step`] that runs fast |
//! | [`world`] | everything that the warps of a launch share |
//! | [`warp`] | the lanes of a warp: registers, divergence, convergence barriers, each operation |
//! | [`grid`] | launches, block by block |
//!
//! **Source.** NVIDIA's "CUDA Binary Utilities" lists the opcodes. We found their meaning by
//! comparing the memory that SASS leaves with the memory that its PTX leaves. The control fields
//! are those of Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
//! section 2.1.
//!
//! **Deviation.** An unknown instruction ends the run with an error that names it. MUFU gives the
//! correctly rounded value, not the approximation of the unit's tables. wgmma, bulk copies,
//! clusters and textures are not known. For wgmma and bulk copies, a run whose values do not matter
//! tells an observer what their time depends on.
//!
//! **Complexity.** Linear in the instructions that warps run.

pub mod cubin;
pub mod decode;
pub mod error;
pub mod float;
pub mod grid;
pub mod instruction;
pub mod join;
pub mod lanes;
pub mod matrix;
pub mod memory;
pub mod warp;
pub mod world;
