//! Holds a function in SSA form as the stages in front of LiveVariables see it.
//!
//! * [`facts`]: blocks, instructions, who defines and who reads a register, dominators and loops.
//! * [`machine`]: the questions to the target that an algorithm may have, answered by LLVM or by a test.
//! * [`forms`]: values as linear forms of registers; [`definitions`] reads from the code what such forms are made of.
//! * `snapshot`: reads all that from LLVM's function.

pub mod definitions;
pub mod facts;
pub mod forms;
pub mod machine;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod snapshot;
#[cfg(test)]
pub(crate) mod testing;

pub use facts::SsaFacts;
