//! An emulator of a GPU: whole grids of PTX, by interpretation.
//!
//! **Problem.** Does a kernel leave the same memory with the plugin as without it?
//! [`crate::ptx::run`] runs one thread at a time, and no floating point. Wrong code may show only
//! between threads, in the last bit of a sum, or in a loop that runs long enough.
//!
//! **Method.** Layers, each of which uses those below it:
//!
//! * [`compare`]: two texts of a module against each other.
//! * [`launch`]: shapes, parameters and memory of a launch, given or made up; [`limits`]: how large
//!   it may be; [`meeting`]: the values that threads look for in memory.
//! * [`block`]: runs a launch: blocks, and the order in which warps run; `warp`: the lanes of a
//!   warp, and each instruction; `world`: everything that they share, barriers too.
//! * `program`: a module, ready to run; `decode`: text to steps; [`image`]: variables and functions
//!   of a module; [`memory`].
//! * `windows`: generic addresses. `integer`, `float`, `matrix`: pure functions of numbers.
//!
//! **Source.** NVIDIA's "Parallel Thread Execution ISA"; each function names its section.
//!
//! **Deviation.** Approximations, wgmma and memory that was never written are hashes: equal on both
//! sides, different for different inputs. For a comparison with SASS, approximations can have
//! values instead ([`Approximation`]). An unknown instruction ends the comparison of its kernel,
//! and is counted.
//!
//! **Complexity.** Linear in the instructions that threads run: 50 to 100 million a second.

pub mod block;
pub mod compare;
mod decode;
mod float;
pub mod image;
mod integer;
pub mod launch;
pub mod limits;
mod matrix;
pub mod meeting;
pub mod memory;
mod program;
mod warp;
mod windows;
mod world;

pub use float::Approximation;
