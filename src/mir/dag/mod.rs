//! A block's schedule, which the instruction emitter reads, and the instructions that the emitter
//! makes, as plain records.
//!
//! Problem. LLVM's SelectionDAG is a graph of pointers, and the stock emitter keys hash maps by
//! them. Here nodes and results are numbered in the order of emission, so that every map is an
//! array.
//!
//! The records are declared once, in `cpp-shim/ptxpasses_records.h`. The emitter is built and
//! tested without LLVM, and such a build has no libclang for bindgen. So bindgen's output is kept
//! in [`records`]. Every build for an LLVM compares it with the header and fails if they differ.
//! (cbindgen, from Rust to C, is not an option: it does not see the types that `index_vec` makes,
//! and checking the shim would need a Rust build.) The methods here give the records their meaning.
//!
//! * [`ids`] has the numbers, [`records`] the records;
//! * [`schedule`] is a whole block: steps, [`node`]s, [`operand`]s, and [`debug`] values;
//! * [`ir`] has the values that live across blocks, [`description`] the target's classes and
//!   opcodes;
//! * [`new_instr`] is an instruction to be made.

pub mod debug;
pub mod description;
pub mod ids;
pub mod ir;
pub mod new_instr;
pub mod node;
pub mod operand;
#[rustfmt::skip]
#[allow(missing_docs)]
pub mod records;
pub mod schedule;
#[cfg(test)]
pub mod testing;
