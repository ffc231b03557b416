//! Keeps the files that options name open until the process ends.

use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Mutex;

/// The place for a text that is written when the process ends.
pub enum OutputFile {
    /// `-`
    Stdout,
    /// An open file and its name.
    File(File, String),
}

impl OutputFile {
    /// Writes `text` in place of what was there.
    ///
    /// # Errors
    /// The file and why it cannot be written.
    pub fn write(self, text: &str) -> Result<(), String> {
        match self {
            OutputFile::Stdout => std::io::stdout().write_all(text.as_bytes()).map_err(|e| e.to_string()),
            OutputFile::File(mut f, name) => {
                let _ = f.set_len(0); // a pipe has no length
                f.write_all(text.as_bytes()).map_err(|e| {
                    let _ = f.set_len(0); // nothing is better than half of it
                    format!("cannot write '{name}': {e}")
                })
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
        let file = if value == "-" {
            OutputFile::Stdout
        } else {
            // Not truncated before there is something to write.
            let open = File::options().write(true).create(true).truncate(false).open(value);
            let open = open.map_err(|e| {
                format!("cannot write '{value}': {e}; allowed: a file that can be written, or '-' for stdout")
            });
            OutputFile::File(open?, value.to_owned())
        };
        *self.file.lock().unwrap_or_else(|e| e.into_inner()) = Some(file);
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
}
