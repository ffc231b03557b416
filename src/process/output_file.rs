//! Keeps the files that options name open until the process ends.

use super::compiler;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Mutex;

/// The place for a text that is written when the process ends.
pub enum OutputFile {
    /// `-`
    Stdout,
    /// An open file.
    File {
        /// The file.
        file: File,
        /// Its name.
        name: String,
        /// Whether it was not there before.
        is_new: bool,
    },
}

impl OutputFile {
    /// Writes `text` in place of what was there.
    ///
    /// # Errors
    /// The file and why it cannot be written.
    pub fn write(self, text: &str) -> Result<(), String> {
        match self {
            OutputFile::Stdout => std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()),
            OutputFile::File { mut file, name, .. } => {
                let _ = file.set_len(0); // a pipe has no length
                file.write_all(text.as_bytes()).map_err(|e| {
                    let _ = file.set_len(0); // nothing is better than half of it
                    format!("cannot write '{name}': {e}")
                })
            }
        }
    }
    /// Leaves everything as it was before the option was read.
    pub fn leave(self) {
        if let OutputFile::File { file, name, is_new: true } = self {
            // Another process may have written it in the meantime.
            if file.metadata().is_ok_and(|data| data.len() == 0) {
                let _ = std::fs::remove_file(name);
            }
        }
    }
}

/// A knob that names a file. The file is opened when the option is read, so that a bad path is an error then.
pub struct FileKnob {
    file: Mutex<Option<OutputFile>>,
    is_set: AtomicBool,
}

impl FileKnob {
    /// A knob that is not set.
    pub const fn unset() -> FileKnob {
        FileKnob { file: Mutex::new(None), is_set: AtomicBool::new(false) }
    }
    /// Sets it: opens a file, or stdout for `-`.
    ///
    /// # Errors
    /// The file and why it cannot be written.
    pub fn open(&self, value: &str) -> Result<(), String> {
        let mut place = self.file.lock().unwrap_or_else(|e| e.into_inner());
        // The last one counts, as for all options.
        if let Some(earlier) = place.take() {
            earlier.leave();
        }
        *place = Some(if value == "-" {
            OutputFile::Stdout
        } else {
            let name = compiler::output_file_name(value);
            // Not truncated before there is something to write.
            let open = |create| File::options().write(true).create(create).truncate(false).open(&name);
            let (file, is_new) = match open(false) {
                Err(e) if e.kind() == ErrorKind::NotFound => (open(true), true),
                there => (there, false),
            };
            let file = file.map_err(|e| {
                format!("cannot write '{name}': {e}; allowed: a file that can be written, or '-' for stdout")
            })?;
            OutputFile::File { file, name, is_new }
        });
        self.is_set.store(true, Relaxed);
        Ok(())
    }
    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Relaxed)
    }
    /// Takes the file out: it is written once.
    pub fn take(&self) -> Option<OutputFile> {
        self.file.lock().unwrap_or_else(|e| e.into_inner()).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "opens files")]
    fn p7_a_file_that_cannot_be_written_is_named() {
        let e = FileKnob::unset().open("/no/such/directory/x.json").unwrap_err();
        assert!(e.starts_with("cannot write '/no/such/directory/x.json'"), "{e}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "opens files")]
    fn p9_a_file_that_nothing_is_written_to_is_left_as_it_was() {
        let folder = std::env::temp_dir().join(format!("ptxpasses-output-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.join(name).to_str().unwrap().to_owned());
        std::fs::write(&old, "as it was").unwrap();
        for name in [&old, &new] {
            let knob = FileKnob::unset();
            knob.open(name).unwrap();
            knob.take().unwrap().leave();
        }
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "as it was");
        assert!(!std::fs::exists(&new).unwrap());
        // Of two names the last one counts, and the same one twice is no other.
        let knob = FileKnob::unset();
        for name in [&new, &old, &old] {
            knob.open(name).unwrap();
        }
        knob.take().unwrap().write("now").unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "now");
        assert!(!std::fs::exists(&new).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
