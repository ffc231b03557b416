//! Writes files completely or not at all.
//!
//! Every file that the tool leaves for its user is written here: beside its final path, under a
//! temporary name, and renamed when it is completely on the disk. So a full disk, or a run that is
//! stopped, leaves the old file. What is not a regular file, such as a pipe or a device, is written
//! directly. So is a file that the process has open already: `/dev/stdout`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Serialize;

/// Permissions of a new file, before the process' umask.
const NEW: u32 = 0o666;
/// The prefix of temporary names.
const TEMPORARY: &str = ".ptx-compare-";
/// EISDIR, for its words.
const IS_A_FOLDER: i32 = 21;
/// The most links that are followed.
const MOST_LINKS: usize = 40;
/// The folders in which open files of a process have names.
const OPEN_FILES: [&str; 2] = ["/proc", "/dev/fd"];

/// Whether a file must be on the disk when it gets its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lasting {
    Yes,
    /// If it is lost it is made again.
    No,
}

/// Writes a file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    put(path, content.as_ref(), Lasting::Yes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a cached file. There are thousands, and one that cannot be read is made again.
pub fn write_cached(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    put(path, content.as_ref(), Lasting::No).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a value as JSON, for programs.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    write(path, json(value)?)
}

/// A value as JSON, with a line end after it.
pub fn json(value: &impl Serialize) -> Result<String> {
    let mut text = serde_json::to_string_pretty(value).context("JSON")?;
    text.push('\n');
    Ok(text)
}

/// Makes a folder, and finds out whether files can be written there.
pub fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    probe(folder).with_context(|| format!("cannot write to {}", folder.display()))
}

/// Finds out, before the work that makes its content, whether a file can be written. Its folder must exist.
pub fn check(path: &Path) -> Result<()> {
    can_put(path).with_context(|| format!("cannot write {}", path.display()))
}

fn can_put(path: &Path) -> io::Result<()> {
    let Some(path) = followed(path)? else { return Ok(()) };
    match fs::metadata(&path) {
        Ok(there) if there.is_dir() => return Err(io::Error::from_raw_os_error(IS_A_FOLDER)),
        // To open a pipe would wait for its reader.
        Ok(there) if !there.is_file() => return Ok(()),
        Ok(_) => drop(OpenOptions::new().write(true).open(&path)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    probe(folder_of(&path))
}

/// Makes a file in a folder, and removes it.
fn probe(folder: &Path) -> io::Result<()> {
    tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder).map(drop)
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn put(path: &Path, content: &[u8], lasting: Lasting) -> io::Result<()> {
    let Some(path) = followed(path)? else { return fs::write(path, content) };
    let old = match OpenOptions::new().write(true).open(&path) {
        Ok(file) if !file.metadata()?.is_file() => return (&file).write_all(content),
        Ok(file) => Some(file.metadata()?.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut beside = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .permissions(fs::Permissions::from_mode(NEW))
        .tempfile_in(folder_of(&path))?;
    beside.write_all(content)?;
    if let Some(permissions) = old {
        beside.as_file().set_permissions(permissions)?;
    }
    // Some disks report only now that they are full.
    if lasting == Lasting::Yes {
        beside.as_file().sync_all()?;
    }
    beside.persist(&path)?;
    Ok(())
}

/// The file that a path means, through symbolic links, even to a file that does not exist yet;
/// `None` if it is an open file.
fn followed(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if OPEN_FILES.iter().any(|folder| path.starts_with(folder)) {
            return Ok(None);
        }
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(Some(path)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs::File;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<OsString> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_keeps_its_permissions() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a");
        write(&path, "one").expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        let plain = folder.path().join("plain");
        fs::write(&plain, "").expect("written");
        assert_eq!(mode(&path), mode(&plain), "as any new file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
        write(&path, "two").expect("written");
        assert_eq!((fs::read_to_string(&path).expect("read"), mode(&path)), ("two".to_owned(), 0o640));
        assert_eq!(names(folder.path()), ["a", "plain"]);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let [link, file] = ["link", "file"].map(|name| folder.path().join(name));
        symlink("file", &link).expect("a link");
        for content in ["one", "two"] {
            write(&link, content).expect("written");
            assert_eq!(fs::read_to_string(&file).expect("read"), content);
            assert_eq!(fs::read_link(&link).expect("a link"), Path::new("file"));
        }
        let own = folder.path().join("own");
        symlink("own", &own).expect("a link");
        assert!(format!("{:#}", write(&own, "x").expect_err("no end")).contains("too many symbolic links"));
    }

    #[test]
    fn a_device_is_written_as_it_is() {
        write(Path::new("/dev/null"), "x").expect("written");
        let error = format!("{:#}", write(Path::new("/dev/full"), "x").expect_err("full"));
        assert!(error.starts_with("cannot write /dev/full: No space left on device"), "{error}");
        let folder = tempfile::tempdir().expect("temporary folder");
        let file = File::create(folder.path().join("open")).expect("a file");
        let open = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
        write(Path::new(&open), "x").expect("written");
        assert_eq!(file.metadata().expect("open").len(), 1, "the one that is open");
        let error = format!("{:#}", write(folder.path(), "x").expect_err("a folder"));
        assert!(error.contains("cannot write") && error.contains("directory"), "{error}");
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let of = |name: &str| folder.path().join(name);
        make_folder(&of("a/b")).expect("made");
        check(&of("new")).expect("it can be made");
        fs::write(of("old"), "kept").expect("written");
        check(&of("old")).expect("it can be replaced");
        assert_eq!(fs::read_to_string(of("old")).expect("read"), "kept");
        check(Path::new("/dev/stdout")).expect("an open file");
        check(Path::new("/dev/null")).expect("a device");
        assert_eq!((names(folder.path()).len(), names(&of("a/b")).len()), (2, 0), "nothing is left");
        let error = |outcome: Result<()>| format!("{:#}", outcome.expect_err("it cannot"));
        assert!(error(check(&of("a"))).ends_with("a: Is a directory (os error 21)"));
        assert!(error(check(&of("none/new"))).contains("No such file or directory"));
        assert!(error(make_folder(&of("old"))).starts_with("cannot create "));
        // Not even root makes files there.
        assert!(error(make_folder(Path::new("/proc"))).starts_with("cannot write to /proc: "));
    }

    /// Files that are written for users go through this module. Others are temporary, and are gone
    /// when the tool ends.
    #[test]
    fn every_file_is_written_here() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut others = Vec::new();
        for entry in walkdir::WalkDir::new(sources) {
            let entry = entry.expect("an entry");
            let path = entry.path();
            if path.extension().is_none_or(|extension| extension != "rs") || path.ends_with("output.rs") {
                continue;
            }
            let text = fs::read_to_string(path).expect("a source");
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
            let writes = ["fs::write(", "File::create", ".persist(", "generate_to(", "OpenOptions"];
            let is_write = |line: &&str| writes.iter().any(|name| line.contains(name));
            let is_temporary = |line: &str| line.contains("(\"temporary file\")");
            for line in code.lines().filter(is_write).filter(|line| !is_temporary(line)) {
                others.push(format!("{}: {}", path.display(), line.trim()));
            }
        }
        assert!(others.is_empty(), "{}", others.join("\n"));
    }
}
