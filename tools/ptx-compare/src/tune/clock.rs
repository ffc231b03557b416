//! Predicts what the kernels of a file take under each setting, for the term `time` of the cost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ptx_emu::grid::launch::Launch;

use crate::ptxas::Cuda;
use crate::sass;
use crate::time::{self, Alone, Machined, NotPredicted};

/// The tools and launches that times are predicted with.
pub struct Clock {
    cuda: Cuda,
    /// The launches that `--launch` gives.
    given: Vec<Launch>,
}

/// Predicted times by kernel, or why there are none.
pub type Times = BTreeMap<String, Result<Alone, NotPredicted>>;

impl Clock {
    /// Finds ptxas and nvdisasm in a folder and reads the launches. `max_registers`: ptxas' limit, if there is one.
    pub fn new(cuda: &Path, launch_files: &[PathBuf], max_registers: Option<u32>) -> Result<Clock> {
        let advice = "the term time of --cost; --cost spills,occupancy,sass,registers needs no nvdisasm";
        let mut cuda = sass::tools(cuda).context(advice)?;
        cuda.max_registers = max_registers;
        Ok(Clock { cuda, given: Launch::read_files(launch_files)? })
    }

    /// The launches of a file with these kernels: the given ones, else those beside it. Empty: they are made up.
    pub fn launches(&self, path: &Path, has_kernel: impl Fn(&str) -> bool) -> Result<Vec<Launch>> {
        time::own_launches(&self.given, path, has_kernel)
    }

    /// The machine code of a part of a file's PTX.
    pub fn assemble(&self, path: &Path, text: &str, cpu: &str) -> Result<Machined> {
        time::assemble(&self.cuda, path, text, cpu)
    }

    /// Predicts the kernels of a part of a file's code. `before`: the times of the default, for the same launches.
    pub fn times(code: &Machined, launches: &[Launch], before: &Times) -> Result<Times> {
        let before = |kernel: &str| before.get(kernel)?.as_ref().ok();
        time::times_of_part(code, launches, before)
    }

    /// The hashes of the given launches, which all shards of a run have in common.
    pub fn hashes(&self) -> Vec<String> {
        self.given.iter().map(time::hash).collect()
    }

    /// Makes a given launch of a kernel that was not measured an error.
    pub fn ensure_all_used(&self, has_kernel: impl Fn(&str) -> bool) -> Result<()> {
        time::ensure_named(&self.given, has_kernel)
    }
}
