//! The errors of this crate. An instruction that is not known is [`crate::decode::Unknown`], a run
//! that ends early [`crate::world::Stop`].

use std::borrow::Cow;

/// The reasons why a cubin cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("not an ELF file of 64 bits: {0}")]
    Elf(#[from] object::Error),
    #[error("not a cubin: the ELF file is for machine {0}, a cubin's is 190")]
    Machine(u16),
    #[error("the section {0} ends in the middle of an entry")]
    Short(String),
    #[error("the section {section} has a relocation of type {kind} at {offset:#x}; known are 1 and 2, addresses of 32 and 64 bits")]
    Relocation { section: String, kind: u32, offset: u64 },
    #[error("there is no kernel {name}; there are {known}")]
    Kernel { name: String, known: String },
    #[error("cannot run {program}: {why}")]
    Disassembler { program: String, why: String },
    #[error("{program} says of the cubin: {why}")]
    Disassembly { program: String, why: String },
    #[error("{why}")]
    Json { why: String },
    #[error("the guard {guard} is not a predicate")]
    Guard { guard: String },
    #[error("cannot read the operands of {instruction}")]
    Operands { instruction: String },
}

/// What of an instruction is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    #[error("")]
    Opcode,
    /// A modifier, an operand, and so on, in words.
    #[error("{0}")]
    Part(Cow<'static, str>),
}

impl From<&'static str> for Unsupported {
    fn from(words: &'static str) -> Unsupported {
        Unsupported::Part(words.into())
    }
}

impl From<String> for Unsupported {
    fn from(words: String) -> Unsupported {
        Unsupported::Part(words.into())
    }
}
