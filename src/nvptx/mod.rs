//! The meaning of NVPTX's opcodes: one table for all passes and stages.
//!
//! **Problem.** NVPTX has thousands of opcodes. Their numbers differ in every LLVM version. Many
//! names changed with LLVM 21; from 24 on a name does not say which operands are constants. Several
//! passes ask the same questions: is this a move, an addition, a load?
//!
//! **Algorithm.** An opcode is classified by its name, from LLVM 24 on together with its operands'
//! [`form`]. [`OpcodeTable`] holds one row, [`OpcodeInfo`], for each. A row is filled on first use,
//! so no name is parsed twice. Each column has a file:
//!
//! | file | column |
//! |---|---|
//! | [`moves`] | moves, conversions between register classes, packs and unpacks |
//! | [`arithmetic`] | integer arithmetic of 32 and 64 bits |
//! | [`accesses`] | loads and stores: where the address is, and where the type |
//! | [`comparisons`] | the relation of a comparison of 32-bit integers |
//! | [`extremes`] | maxima, minima and negations of signed 32-bit integers |
//! | [`packed`] | sums of pairs of 16-bit integers, and what reads one half of a pair |
//! | [`floats`] | the operation on floats of 32 bits |
//! | [`narrowing`] | how the low half of a result of 64 bits is computed |
//! | [`computation`] | what a computation costs, and which are calls of routines |
//! | [`uniformity`] | whether all threads of a block get the same result |
//! | [`counterparts`] | the same instruction with an offset, with a constant, with 32 bits, or for registers of the other class |
//! | [`twins`] | which opcodes differ only in register classes; not a column, as it compares descriptions |
//! | [`vectors`] | which opcodes read the components of one value; not a column, as two-address keeps the answers |
//! | [`form`] | which operands are constants; not a column, as the instruction tells it from LLVM 24 on |
//! | [`created`] | the opcodes that stages create |
//! | [`registers`] | register classes |
//! | [`occupancy`] | how many registers a thread may have; not a column, and a crate of its own |
//! | [`ptxas_errata`] | known faults of ptxas; not a column, and a crate of its own |
//! | [`cost`] | how many registers ptxas will use, and whether fewer are worth instructions; not a column |
//!
//! The rows for all opcodes of each supported LLVM are tested. `tests/opcodes/` holds their names
//! and rows, and a lit test compares the names with those of the installed LLVM.
//!
//! **Source.** `NVPTXInstrInfo.td` and `NVPTXIntrinsics.td` of LLVM 17 to 23, and the names of 24.
//! The checker classifies instructions independently, from the text that they print as, so that it
//! can find a mistake made here.
//!
//! **Complexity.** A name is parsed once. After that a question is one array access.

pub mod accesses;
pub mod arithmetic;
pub mod comparisons;
pub mod computation;
pub mod cost;
pub mod counterparts;
pub mod created;
pub mod extremes;
pub mod floats;
pub mod form;
pub mod moves;
pub mod narrowing;
pub mod packed;
pub mod registers;
pub mod table;
pub mod twins;
pub mod uniformity;
pub mod vectors;

pub use nvptx_occupancy as occupancy;
pub use ptxas_errata;
pub use table::{OpcodeInfo, OpcodeTable};

#[cfg(test)]
pub(crate) mod all_opcodes;
