//! Holds a function in SSA form for the stages before LiveVariables.
//!
//! * [`facts`]: blocks, instructions, definitions and readers of registers, dominators and loops.
//! * [`address`]: the address of an instruction that accesses memory.
//! * [`machine`]: questions to the target, which LLVM or a test answers.
//! * [`live_in`]: the blocks that a register lives into; [`pressure`]: how many are live at once.
//! * [`movable`]: the instructions that can move.
//! * [`repeat`]: which registers ptxas recomputes where they are read.
//! * [`forms`]: values as linear forms of registers. [`definitions`] reads the operations for them
//!   from the code.
//! * `snapshot`: reads LLVM's function.

pub mod address;
pub mod definitions;
pub mod facts;
pub mod forms;
pub mod live_in;
pub mod machine;
pub mod movable;
pub mod pressure;
pub mod repeat;
#[cfg(all(ptx_host, not(test)))]
pub(crate) mod snapshot;
#[cfg(test)]
pub(crate) mod testing;

pub use facts::SsaFacts;
