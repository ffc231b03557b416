//! Predicts what the kernels of a file take under each setting, for the term `time` of the cost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};
use ptx_emu::grid::launch::Launch;

use crate::ptxas::Cuda;
use crate::sass;
use crate::time::{self, NotPredicted, Tried};

/// The tools and launches that times are predicted with.
pub struct Clock {
    pub cuda: Cuda,
    given: Given,
}

/// The launches that `--launch` and `--recorded` give.
#[derive(Default)]
struct Given {
    launches: Vec<Launch>,
    /// The file of each.
    files: Vec<PathBuf>,
    /// How many of them, the first ones, were named by the user. Those of a recording may be of
    /// kernels that no input has.
    num_named: usize,
}

/// The most kernels that an error names.
const NAMED: usize = 10;

/// The default's times by kernel, or why there are none.
pub type Times = BTreeMap<String, Result<Tried, NotPredicted>>;

impl Clock {
    /// Finds ptxas and nvdisasm in a folder and reads the launches: those that the user names, and
    /// recorded ones.
    pub fn new(cuda: &Path, launch_files: &[PathBuf], recorded: &[PathBuf]) -> Result<Clock> {
        let advice = "the term time of --cost; --cost spills,occupancy,sass,registers needs no nvdisasm";
        let cuda = sass::tools(cuda).context(advice)?;
        Ok(Clock { cuda, given: Given::read(launch_files, recorded)? })
    }

    /// The launches of a file with these kernels: the given ones, else those beside it. Empty: they are made up.
    pub fn launches(&self, path: &Path, has_kernel: impl Fn(&str) -> bool) -> Result<Vec<Launch>> {
        self.given.of(path, has_kernel)
    }

    /// The hashes of the given launches, which all shards of a run have in common.
    pub fn hashes(&self) -> Vec<String> {
        self.given.launches.iter().map(time::hash).collect()
    }

    /// As [`Given::ensure_all_used`].
    pub fn ensure_all_used(&self, kernels: &BTreeSet<&str>) -> Result<()> {
        self.given.ensure_all_used(kernels)
    }

    /// As [`Given::check`].
    pub fn check(
        &self,
        files: &[PathBuf],
        kernels: impl Fn(&Path) -> Result<Option<BTreeSet<String>>>,
    ) -> Result<bool> {
        self.given.check(files, kernels)
    }
}

impl Given {
    fn read(named: &[PathBuf], recorded: &[PathBuf]) -> Result<Given> {
        let mut given = Given::default();
        for (number, file) in named.iter().chain(recorded).enumerate() {
            let own = Launch::read_file(file)?;
            given.files.extend(own.iter().map(|_| file.clone()));
            given.launches.extend(own);
            if number < named.len() {
                given.num_named = given.launches.len();
            }
        }
        Ok(given)
    }

    fn of(&self, path: &Path, has_kernel: impl Fn(&str) -> bool) -> Result<Vec<Launch>> {
        time::own_launches(&self.launches, path, has_kernel)
    }

    /// Makes a given launch of a kernel that no input has an error. `kernels`: of the whole input.
    fn ensure_all_used(&self, kernels: &BTreeSet<&str>) -> Result<()> {
        let mut all = self.launches[..self.num_named].iter().zip(&self.files);
        let Some((lost, file)) = all.find(|(launch, _)| !kernels.contains(&*launch.kernel)) else {
            return Ok(());
        };
        let (name, file) = (&lost.kernel, file.display());
        let near = kernels.iter().find(|known| known.contains(&**name) || name.contains(**known));
        let near = near.map_or(String::new(), |near| format!(" (is it {near}?)"));
        let mut known: Vec<&str> = kernels.iter().take(NAMED).copied().collect();
        let more = format!("{} more", kernels.len().saturating_sub(NAMED));
        if kernels.len() > NAMED {
            known.push(&more);
        }
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        bail!("--launch {file}: no input has a kernel {name}{near}; the kernels of the input: {known}")
    }

    /// Finds mistakes in launches before anything is compiled: what is not understood, and kernels that no input has. Returns whether any launch
    /// is given. `kernels`: those of a file, if they can be told.
    fn check(
        &self,
        files: &[PathBuf],
        kernels: impl Fn(&Path) -> Result<Option<BTreeSet<String>>>,
    ) -> Result<bool> {
        let mut is_given = false;
        let mut known: Option<BTreeSet<String>> = Some(BTreeSet::new());
        for file in files {
            if self.of(file, |_| true)?.is_empty() {
                continue;
            }
            is_given = true;
            match kernels(file)? {
                Some(own) => {
                    self.of(file, |kernel| own.contains(kernel))?;
                    known = known.map(|known| known.into_iter().chain(own).collect());
                }
                None => known = None,
            }
        }
        if let Some(known) = known.filter(|_| is_given) {
            self.ensure_all_used(&known.iter().map(String::as_str).collect())?;
        }
        Ok(is_given)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_launch_of_a_kernel_that_is_not_there_is_an_error_before_anything_is_compiled() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| folder.path().join(name);
        let given = |kernels: &[&str]| Given {
            launches: kernels.iter().map(|name| Launch::new((*name).to_owned())).collect(),
            files: kernels.iter().map(|_| "a.launch".into()).collect(),
            num_named: kernels.len(),
        };
        let inputs = [of("a.ll"), of("b.ll")];
        let two = |path: &Path| {
            let name = if path.ends_with("a.ll") { "sums" } else { "sort" };
            Ok(Some(BTreeSet::from([name.to_owned()])))
        };
        assert!(given(&["sort", "sums"]).check(&inputs, two).unwrap());
        assert!(!given(&[]).check(&inputs, two).unwrap());
        let why = |given: &Given| given.check(&inputs, two).unwrap_err().to_string();
        assert_eq!(
            why(&given(&["sort", "sum"])),
            "--launch a.launch: no input has a kernel sum (is it sums?); the kernels of the input: sort, sums"
        );
        assert!(given(&["sum"]).check(&inputs, |_| Ok(None)).unwrap(), "only llc can tell");
        fs::write(of("b.launch"), "kernel sums\ngrid 1\nblock 32\n").unwrap();
        assert!(why(&given(&[])).ends_with("b.ll has no kernel sums"));
        let many: Vec<String> = (10..22).map(|number| format!("k{number}")).collect();
        let many = many.iter().map(String::as_str).collect();
        let why = given(&["x"]).ensure_all_used(&many).unwrap_err().to_string();
        assert!(why.ends_with("k19, 2 more"), "{why}");
    }
}
