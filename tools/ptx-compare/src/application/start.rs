//! Starts an application so that it gets our library in the place of the GPU's driver.
//!
//! **Problem.** The application finds the driver by itself, through the loader. **Method.** A
//! folder that comes first in `LD_LIBRARY_PATH` has a library with the driver's name and without
//! code. It needs our library and the real driver, in this order. The real driver is the one that
//! the loader finds now: a process of its own loads it and says its file.
//!
//! **Source.** ld.so(8). **Deviation.** None. **Complexity.** None.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{bail, ensure, Context, Result};
use gpu_record::events::{Event, EXTENSION};
use gpu_record::setup::{self, Setup};
use tempfile::TempDir;

use super::library;
use crate::places;

/// The driver's name without a version, by which some programs ask for it.
const UNVERSIONED: &str = "libcuda.so";
/// The variable of the loader.
const PATH: &str = "LD_LIBRARY_PATH";

/// What an application is started with.
pub struct Stage {
    folder: TempDir,
}

impl Stage {
    /// Finds the library and the driver.
    pub fn new() -> Result<Stage> {
        ensure!(cfg!(target_os = "linux"), "this works on Linux only, by its loader");
        let library = places::hook(setup::LIBRARY)?;
        let driver = driver()?;
        let folder = tempfile::tempdir().context("temporary folder")?;
        let own = library::naming(setup::DRIVER, &[&library, &driver]);
        fs::write(folder.path().join(setup::DRIVER), own).context("temporary file")?;
        for (name, to) in [(UNVERSIONED, Path::new(setup::DRIVER)), (setup::REAL, &driver)] {
            symlink(to, folder.path().join(name)).context("temporary folder")?;
        }
        Ok(Stage { folder })
    }

    /// Runs the application to its end.
    pub fn run(&self, setup: &Setup, command: &[OsString]) -> Result<ExitStatus> {
        let text = serde_json::to_vec(setup).context("JSON")?;
        let [program, arguments @ ..] = command else { bail!("no application is named after --") };
        fs::write(self.folder.path().join(setup::FILE), text).context("temporary file")?;
        let folders = env::var_os(PATH).filter(|folders| !folders.is_empty());
        let mut path = self.folder.path().as_os_str().to_owned();
        if let Some(folders) = folders {
            path.push(":");
            path.push(folders);
        }
        // Ctrl-C goes to the application as well. It decides, and what it leaves is still wanted.
        ctrlc::set_handler(|| {}).context("listening to Ctrl-C")?;
        let mut started = Command::new(program);
        started.args(arguments).env(PATH, path).env(setup::VARIABLE, self.folder.path());
        started.status().with_context(|| format!("cannot start {}", Path::new(program).display()))
    }
}

/// The file of the driver that a program gets here.
fn driver() -> Result<PathBuf> {
    let own = env::current_exe().context("finding this program")?;
    let mut command = Command::new(own);
    let output = command.arg("gpu-driver").stdin(Stdio::null()).output().context("looking for the driver")?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() || said.is_empty() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        bail!("{}", why.strip_prefix("ptx-compare: error: ").unwrap_or(&why));
    }
    Ok(PathBuf::from(said))
}

/// The events that all processes have written to a folder, in the order of their names.
pub fn events(folder: &Path) -> Result<Vec<Event>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    let mut events = Vec::new();
    for file in files {
        let text = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        events.extend(Event::read(&String::from_utf8_lossy(&text)));
    }
    Ok(events)
}

/// Explains why there is not one event.
pub const NOT_LOADED: &str = "the application has not loaded the driver through the system's loader: it uses no GPU, is linked statically, has other rights than its user (setuid), or names the driver's file by its path";

/// The exit status of an application, as a shell has it.
pub fn code(status: ExitStatus) -> ExitCode {
    let number = status.code().or_else(|| Some(128 + status.signal()?));
    ExitCode::from(number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX))
}

/// The same in words, if the application has failed.
pub fn failure(status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("the application ended with exit status {code}")),
        (None, signal) => Some(format!("the application was ended by signal {}", signal.unwrap_or(0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_status_is_the_applications() {
        let status = |raw| ExitStatus::from_raw(raw);
        assert_eq!(format!("{:?}", code(status(7 << 8))), format!("{:?}", ExitCode::from(7)));
        assert_eq!(format!("{:?}", code(status(9))), format!("{:?}", ExitCode::from(137)));
        assert_eq!(failure(status(0)), None);
        assert_eq!(failure(status(9)).unwrap(), "the application was ended by signal 9");
    }

    #[test]
    fn events_of_all_processes_are_read() {
        let folder = tempfile::tempdir().unwrap();
        for number in ["2", "1"] {
            let event = Event::Said { what: number.to_owned() };
            fs::write(folder.path().join(format!("{number}.{EXTENSION}")), event.line().unwrap()).unwrap();
        }
        fs::write(folder.path().join("other"), "{}").unwrap();
        let said = events(folder.path()).unwrap();
        assert_eq!(said, ["1", "2"].map(|what| Event::Said { what: what.to_owned() }));
    }
}
