//! Asks llc and the plugin what they are: the passes, the options, the versions.
//!
//! **Problem.** That is four runs of llc. Its start takes most of the time that a small kernel takes.
//!
//! **Method.** The four run side by side. The answers are kept by the files that they come from, with sizes and times of change, and by the variables
//! that change what is loaded. **Source.** None. **Deviation.** None. **Complexity.** Constant.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use anyhow::{ensure, Context, Result};
use serde::{Deserialize, Serialize};

use crate::llc::{Llc, Side};
use crate::ptxas::{self, Kept};

/// The answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// What `-ptx-passes=help` prints.
    pub table: String,
    /// What `--help-hidden` prints.
    pub options: String,
    /// What `-ptx-version` prints.
    pub version: String,
}

/// Variables that change which code runs, or its options.
const VARIABLES: [&str; 3] = ["LD_LIBRARY_PATH", "LD_PRELOAD", "PTXPASSES_ARGS"];

impl Probe {
    /// Asks, unless the answers are kept.
    pub fn new(llc: &Llc, kept: Option<Kept>) -> Result<Probe> {
        let kept = kept.and_then(|kept| Some((kept, key(llc)?)));
        if let Some(known) = kept.as_ref().and_then(|(kept, key)| kept.get(key)) {
            return Ok(known);
        }
        let probe = Probe::ask(llc)?;
        if let Some((kept, key)) = kept {
            kept.put(&key, &probe)?;
        }
        Ok(probe)
    }

    fn ask(llc: &Llc) -> Result<Probe> {
        let ask = |option: &str| -> Result<String> {
            let line = llc.command_line(Side::Plugin, &[option]);
            Ok(String::from_utf8_lossy(&llc.execute(&line)?.stdout).into_owned())
        };
        let first = || rayon::join(|| llc.rust_passes(), || ask("-ptx-passes=help"));
        let second = || rayon::join(|| ask("--help-hidden"), || ask("-ptx-version"));
        let ((passes, table), (options, version)) = rayon::join(first, second);
        // llc goes on without a plugin that it cannot load; then there would be nothing to measure.
        ensure!(
            !passes?.is_empty(),
            "{} runs no pass of the plugin: {}",
            llc.version,
            llc.plugin().display()
        );
        Ok(Probe { table: table?, options: options?, version: version? })
    }

    /// The first line of the plugin's version.
    pub fn plugin_version(&self) -> Result<String> {
        let line = self.version.lines().next();
        Ok(line.context("-ptx-version prints nothing: is the plugin of another version?")?.trim().to_owned())
    }
}

/// The key of the answers; `None` if a file cannot be told from a later one of its name.
fn key(llc: &Llc) -> Option<String> {
    let mut texts = vec![llc.version.clone(), identity(llc.program())?];
    texts.extend(
        llc.command_line::<&str>(Side::Plugin, &[]).iter().map(|word| word.to_string_lossy().into_owned()),
    );
    // The plugin that llc loads loads another one for its LLVM from the same folder.
    let folder = llc.plugin().parent()?;
    let is_library = |path: &Path| path.extension() == Some(OsStr::new("so"));
    let mut libraries: Vec<_> =
        fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    libraries.retain(|path| is_library(path));
    libraries.sort();
    for library in &libraries {
        texts.push(identity(library)?);
    }
    texts.extend(VARIABLES.map(|name| std::env::var(name).unwrap_or_default()));
    Some(format!("tools-{}", ptxas::key(&texts.iter().map(String::as_str).collect::<Vec<_>>())))
}

/// The name of a file, its size and the time of its last change.
fn identity(path: &Path) -> Option<String> {
    let data = fs::metadata(path).ok()?;
    let changed = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", path.display(), data.len(), changed.as_nanos()))
}
