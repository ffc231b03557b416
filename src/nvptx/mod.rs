//! NVPTX's instruction set as the passes see it: which opcodes move, compute or access memory.
//!
//! Opcodes have other numbers and other names in every LLVM version; an opcode is classified by its name.

pub mod arithmetic;
pub mod moves;
