//! The jobs for the worker, and its answers: lines of JSON. Those of answers begin with [`MARK`].

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The begin of an answer's line. Kernels may print to the same output.
pub const MARK: &str = "gpu-run: ";

/// Codes of a kernel that are to be timed, for one launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// Its name in all cubins.
    pub kernel: String,
    /// Blocks of the grid, and threads of a block, by axis.
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The files with the content of its memory.
    #[serde(default)]
    pub memory: Vec<PathBuf>,
    /// The arguments, in order.
    pub arguments: Vec<Argument>,
    /// Cubins. The first is what the others are compared with.
    pub codes: Vec<PathBuf>,
    /// The numbers of those that are left out, never 0.
    pub left_out: Vec<usize>,
    /// Blocks of samples.
    pub blocks: usize,
    /// Whether each sample is waited for, and its code said before: to find out which code fails there.
    pub is_careful: bool,
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Argument {
    /// The bytes of a number or a structure.
    Bytes(Vec<u8>),
    /// The address of the memory at this place.
    Memory(usize),
    /// The bytes of a pointer or a structure, and the addresses that are among them.
    Addresses { bytes: Vec<u8>, places: Vec<Place> },
}

/// An address among the bytes of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The offset of its eight bytes.
    pub at: usize,
    /// The memory that it is of, by its place.
    pub memory: usize,
    /// Its offset in that memory.
    pub offset: u64,
}

/// The GPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub name: String,
    /// The version of CUDA that the driver has, such as 13.0.
    pub driver: String,
    /// Its compute capability: 90 is sm_90.
    pub architecture: u32,
}

/// Milliseconds of a launch in a block of samples, by code: of those that take part, then of the first one's second copy.
pub type Block = Vec<f64>;

/// A line that the worker says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// It has a GPU.
    Ready(Card),
    /// It runs this code: if nothing is said after this, the code is the reason.
    Runs(usize),
    /// It goes on.
    Alive,
    /// All codes have run; samples follow.
    Samples,
    /// This code leaves other bytes than the first one.
    Differs(usize),
    Block(Block),
    Done,
    /// The driver refuses something, or the launch cannot be timed. After an error of a kernel the worker ends.
    Failed(String),
}
