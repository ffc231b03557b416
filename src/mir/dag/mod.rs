//! Describes a block's schedule, which the instruction emitter reads, and the instructions that it makes, as plain
//! records.
//!
//! Problem. LLVM's SelectionDAG is a graph of pointers, and the stock emitter keys hash maps by them. Here nodes and
//! results are numbered in the order of emission, so that every map is an array.
//!
//! The records are declared once, in `cpp-shim/ptxpasses_records.h`. The emitter is built and tested without LLVM, and
//! such a build has no libclang for bindgen; so bindgen's output is kept in [`records`], and every build for an LLVM
//! compares it with the header and fails if they differ. (cbindgen would go the other way, from Rust to C. It does
//! not see the types that `index_vec` makes, and the shim could not be checked without a Rust build.) What a record
//! means is said by the methods here.
//!
//! * [`ids`] has the numbers, [`records`] the records;
//! * [`schedule`] is a whole block: steps, [`node`]s, [`operand`]s, and [`debug`] values;
//! * [`ir`] says which values live across blocks, [`description`] what the target says of classes and opcodes;
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
