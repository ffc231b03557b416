//! What the library is to do, which the program that starts the application writes for it.
//!
//! **Problem.** The library is loaded by the application, whose command line is its own.
//! **Method.** A variable of the environment names a folder with a file of JSON. Child processes
//! inherit it. **Source.** None. **Deviation.** None. **Complexity.** Linear in the file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The variable of the environment that names the folder.
pub const VARIABLE: &str = "PTXPASSES_GPU_HOOK";
/// The file in it.
pub const FILE: &str = "setup.json";
/// The driver's name, which leads to our library first.
pub const DRIVER: &str = "libcuda.so.1";
/// The name of the real driver in the folder.
pub const REAL: &str = "libptx-real-cuda.so.1";
/// The file name that cargo gives our library, and that it has beside `ptx-compare`.
pub const LIBRARY: &str = "libptx_hook.so";

/// What the library is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setup {
    Record(Record),
    Replace(Replace),
}

/// It records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Where images, memory and events go.
    pub folder: PathBuf,
    /// The most bytes of memory of a launch.
    pub most_memory: u64,
    /// The most shapes of a kernel.
    pub most_shapes: usize,
}

/// It gives the driver other code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replace {
    /// Where the events go.
    pub folder: PathBuf,
    pub images: Vec<Replacement>,
}

/// Other code for an image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replacement {
    /// The digest of the application's own.
    pub digest: String,
    /// The cubin in its place.
    pub cubin: PathBuf,
}
