//! Tells what an opcode is on NVPTX: one table for all passes and stages.
//!
//! **Problem.** NVPTX has thousands of opcodes. Their numbers differ in every LLVM version, and up to LLVM 20 many of their names
//! differ from those since 21. Several passes ask the same questions of them: is this a move, an addition, a load?
//!
//! **Algorithm.** An opcode is classified by its name, which alone tells what it does. [`OpcodeTable`] holds one row for each opcode,
//! [`OpcodeInfo`], by number; a row is filled when the opcode is met first, so that no name is looked at twice. The columns, each in a
//! file of its own:
//!
//! | file | column |
//! |---|---|
//! | [`moves`] | moves, conversions between register classes, packs and unpacks |
//! | [`halves`] | packs and unpacks of two halves |
//! | [`arithmetic`] | integer arithmetic of 32 and 64 bits |
//! | [`accesses`] | loads and stores: where the address is, and where the type |
//! | [`computation`] | what a computation costs, and which are calls of routines |
//! | [`uniformity`] | whether all threads of a block get the same result |
//! | [`counterparts`] | the same instruction with an offset, with a constant, or for registers of the other class |
//! | [`twins`] | which opcodes differ in register classes alone: no column, it looks at descriptions |
//! | [`created`] | the opcodes that stages create |
//! | [`registers`] | register classes |
//!
//! The rows for all opcodes of each supported LLVM are under test: `tests/opcodes/` holds their names and what they are classified
//! as, and a lit test compares the names with those of the LLVM that is there.
//!
//! **Source.** `NVPTXInstrInfo.td` and `NVPTXIntrinsics.td` of LLVM 17 to 22. The checker has a derivation of its own, from the text
//! that instructions print as, so that a mistake here does not hide itself.
//!
//! **Complexity.** A name is looked at once; after that a question is one access to an array.

pub mod accesses;
pub mod arithmetic;
pub mod computation;
pub mod counterparts;
pub mod created;
pub mod halves;
pub mod moves;
pub mod registers;
pub mod table;
pub mod twins;
pub mod uniformity;

pub use table::{OpcodeInfo, OpcodeTable};

#[cfg(test)]
mod all_opcodes;
