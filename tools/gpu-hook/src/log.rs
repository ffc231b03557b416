//! Writes events.
//!
//! **Problem.** Threads and forked processes write at the same time, and the process may end at any
//! moment. **Method.** A file for each process, lines appended in one piece under a lock.
//! **Source.** None. **Deviation.** None. **Complexity.** Linear.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use gpu_record::events::{Event, EXTENSION};

/// Where events are written.
pub struct Log {
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The file, and the process that has opened it: a forked one opens its own.
    file: Option<(u32, File)>,
    /// The lines that come once.
    said: BTreeSet<String>,
    /// Whether writing has failed, which is said once.
    has_failed: bool,
}

/// A lock that a panic of another thread does not close.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    pub fn new(folder: &Path) -> Log {
        Log { folder: folder.to_owned(), state: Mutex::default() }
    }

    /// Writes an event.
    pub fn write(&self, event: &Event) {
        let mut state = locked(&self.state);
        if let Err(why) = state.append(&self.folder, event) {
            if !state.has_failed {
                eprintln!("ptx-compare: cannot write to {}: {why}", self.folder.display());
            }
            state.has_failed = true;
        }
    }

    /// Writes an event unless the same was written before.
    pub fn once(&self, event: &Event) {
        let is_new = event.line().is_ok_and(|line| locked(&self.state).said.insert(line));
        if is_new {
            self.write(event);
        }
    }
}

impl State {
    fn append(&mut self, folder: &Path, event: &Event) -> std::io::Result<()> {
        let process = std::process::id();
        let file = match &mut self.file {
            Some((own, file)) if *own == process => file,
            _ => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let name = format!("{process}-{}.{EXTENSION}", now.as_nanos());
                let file = OpenOptions::new().create(true).append(true).open(folder.join(name))?;
                &mut self.file.insert((process, file)).1
            }
        };
        file.write_all(event.line()?.as_bytes())
    }
}

/// Writes a file under a temporary name and renames it, unless it is there.
pub fn store(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let thread = format!("{:?}", std::thread::current().id());
    let number: String = thread.chars().filter(char::is_ascii_digit).collect();
    let new = path.with_extension(format!("{}-{number}.new", std::process::id()));
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_lines() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::new(folder.path());
        let said = |what: &str| Event::Said { what: what.to_owned() };
        log.write(&said("a"));
        log.once(&said("b"));
        log.once(&said("b"));
        let file = fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        assert_eq!(Event::read(&fs::read_to_string(file).unwrap()), [said("a"), said("b")]);
    }

    #[test]
    fn a_file_is_stored_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        store(&path, b"one").unwrap();
        store(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
