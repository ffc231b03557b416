//! An emulator of a GPU: whole grids of PTX, by interpretation.
//!
//! **Problem.** Does a kernel leave the same memory behind with the plugin? [`crate::ptx::run`] runs one thread at a time, and no floating
//! point. Wrong code may show only between threads, in the last bit of a sum, or in a loop that is long enough.
//!
//! **Method.** The layers, each of which uses those below:
//!
//! * [`compare`]: two texts of a module against each other.
//! * [`launch`]: shapes, parameters and memory of a launch, given or made up; [`limits`]: how large it may be; [`meeting`]: what
//!   threads look for in memory.
//! * [`block`]: blocks, barriers, and the order in which warps run; `warp`: the lanes of a warp, and each instruction.
//! * `decode`: text to steps; [`image`]: variables and functions of a module; [`memory`].
//! * `integer`, `float`, `matrix`: pure functions of numbers.
//!
//! **Source.** NVIDIA's "Parallel Thread Execution ISA"; each function names its section.
//!
//! **Deviation.** Approximations, wgmma and memory that nobody has written are hashes: alike on both sides, unlike for different inputs.
//! Approximations may have values instead ([`Approximation`]), for a comparison with SASS.
//! Instructions that are not known end the comparison of a kernel, and are counted.
//!
//! **Complexity.** Linear in the instructions that threads run: some 50 to 100 million of them in a second.

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
mod warp;

pub use float::Approximation;
