//! Files that options name, kept open until the process ends.

use super::arguments::OptionError;
use super::compiler;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
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
        /// Whether we created it.
        is_new: bool,
    },
}

impl OutputFile {
    /// Replaces the file's contents with `text`, completely or not at all.
    ///
    /// # Errors
    /// Names the file, and says why it cannot be written.
    pub fn write(self, text: &str) -> io::Result<()> {
        let written = match &self {
            OutputFile::Stdout => io::stdout().write_all(text.as_bytes()),
            OutputFile::File { file, name, .. } => {
                let named = |e: io::Error| io::Error::new(e.kind(), format!("cannot write '{name}': {e}"));
                replace(file, name, text.as_bytes()).map_err(named)
            }
        };
        if written.is_err() {
            self.leave();
        }
        written
    }
    /// Restores everything to its state before the option was read.
    pub fn leave(self) {
        if let OutputFile::File { file, name, is_new: true } = self {
            // Meanwhile another process may have written to it, or replaced it.
            let same = |ours: fs::Metadata, there: fs::Metadata| {
                there.len() == 0 && (ours.dev(), ours.ino()) == (there.dev(), there.ino())
            };
            if let (Ok(ours), Ok(there)) = (file.metadata(), fs::metadata(&name)) {
                if same(ours, there) {
                    let _ = fs::remove_file(name); // it may be gone already
                }
            }
        }
    }
}

/// The beginnings of paths that name a process's open files.
const OPEN_FILES: [&str; 3] = ["/proc", "/dev/fd", "/dev/std"];

/// Writes a temporary file in the same folder and renames it. A pipe or device is written directly,
/// and so is a file that is open already.
fn replace(mut file: &File, name: &str, text: &[u8]) -> io::Result<()> {
    let data = file.metadata()?;
    if !data.is_file() || OPEN_FILES.iter().any(|folder| name.starts_with(folder)) {
        return file.write_all(text);
    }
    // Keep a symbolic link a link.
    let path = fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
    let mut beside = std::ffi::OsString::from(".");
    beside.push(path.file_name().unwrap_or_default());
    beside.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = write_new(&beside, data.permissions(), text).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside); // it may not exist
    }
    written
}

fn write_new(path: &Path, permissions: fs::Permissions, text: &[u8]) -> io::Result<()> {
    // A file left by an earlier process with the same number is overwritten.
    let mut file = File::create(path)?;
    file.write_all(text)?;
    file.set_permissions(permissions)?;
    file.sync_all()
}

/// A knob that names a file. The file is opened when the option is read, so that a bad path is
/// reported then.
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
    /// Names the file, and says why it cannot be written.
    pub fn open(&self, value: &str) -> Result<(), OptionError> {
        let mut place = self.file.lock().unwrap_or_else(|e| e.into_inner());
        // The last value counts, as for all options.
        if let Some(earlier) = place.take() {
            earlier.leave();
        }
        *place = Some(if value == "-" {
            OutputFile::Stdout
        } else {
            let name = compiler::output_file_name(value);
            // Not truncated until there is something to write.
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
    /// Takes the file, so that it is written once.
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
        let e = FileKnob::unset().open("/no/such/directory/x.json").unwrap_err().to_string();
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
        // Of two names the last one counts. The same name twice is not a second name.
        let knob = FileKnob::unset();
        for name in [&new, &old, &old] {
            knob.open(name).unwrap();
        }
        knob.take().unwrap().write("now").unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "now");
        assert!(!std::fs::exists(&new).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg_attr(miri, ignore = "opens files")]
    fn a_file_that_cannot_be_written_whole_is_left_as_it_was() {
        let folder = std::env::temp_dir().join(format!("ptxpasses-output-whole-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.join(name).to_str().unwrap().to_owned());
        std::fs::write(&old, "as it was").unwrap();
        // A non-empty folder in place of the temporary file.
        for name in ["old", "new"] {
            std::fs::create_dir_all(folder.join(format!(".{name}.{}/in", std::process::id()))).unwrap();
        }
        for name in [&old, &new] {
            let knob = FileKnob::unset();
            knob.open(name).unwrap();
            let e = knob.take().unwrap().write("now").unwrap_err().to_string();
            assert!(e.starts_with(&format!("cannot write '{name}': ")), "{e}");
        }
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "as it was");
        assert!(!std::fs::exists(&new).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// rustc, its linker and the llc that the linker starts have the same options. All open the
    /// file, and only llc writes it.
    #[test]
    #[cfg_attr(miri, ignore = "opens files")]
    fn a_file_that_another_process_has_put_in_its_place_is_left() {
        let folder = std::env::temp_dir().join(format!("ptxpasses-output-other-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let name = folder.join("new").to_str().unwrap().to_owned();
        let [outer, inner] = [FileKnob::unset(), FileKnob::unset()];
        outer.open(&name).unwrap();
        inner.open(&name).unwrap();
        inner.take().unwrap().write("now").unwrap();
        outer.take().unwrap().leave();
        assert_eq!(std::fs::read_to_string(&name).unwrap(), "now");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    #[cfg_attr(miri, ignore = "opens files")]
    fn a_link_to_a_file_stays_one() {
        let folder = std::env::temp_dir().join(format!("ptxpasses-output-link-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.join(name));
        std::fs::write(&file, "as it was").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let knob = FileKnob::unset();
        knob.open(link.to_str().unwrap()).unwrap();
        knob.take().unwrap().write("now").unwrap();
        assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("file"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "now");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
