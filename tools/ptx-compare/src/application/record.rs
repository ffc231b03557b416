//! Records what an application launches.
//!
//! **Problem.** `tune --gpu` needs launches with real sizes and memory, which only the application
//! has. **Method.** Crate gpu-hook records in the application's processes, into a folder beside the
//! one that is asked for. At the end their events are put together, images of which nothing was
//! launched are removed, and the folder gets its name. **Source.** None. **Deviation.** None.
//! **Complexity.** Linear in what is recorded.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use gpu_record::events::EXTENSION;
use gpu_record::manifest::{self, Manifest};
use gpu_record::setup::{Record, Setup};

use super::start::{self, Stage};
use crate::output;
use crate::sheet::Sheet;
use crate::text::counted;

#[derive(clap::Args, Debug)]
pub struct RecordArgs {
    /// Where the recording goes
    #[arg(short, long, value_name = "DIR", default_value = "ptx-recorded")]
    out: PathBuf,
    /// The most memory of a launch, in MB; one that has more is not recorded
    #[arg(long, value_name = "MB", default_value_t = 128)]
    most_memory: u64,
    /// How many launches of a kernel are recorded: the first of each shape, which is grid, block
    /// and dynamic shared memory
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    shapes: u64,
    /// The application and its arguments, after `--`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The folders of a recording.
const FOLDERS: [&str; 2] = ["images", "memory"];

pub fn record(args: &RecordArgs) -> Result<ExitCode> {
    check_place(&args.out)?;
    let stage = Stage::new()?;
    let parent = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    output::make_folder(parent)?;
    // The application may change its folder.
    let parent = std::path::absolute(parent).context("current folder")?;
    let made = tempfile::Builder::new()
        .prefix(".ptx-recorded-")
        .permissions(fs::Permissions::from_mode(0o777))
        .tempdir_in(&parent);
    let made = made.with_context(|| format!("cannot write to {}", parent.display()))?;
    for folder in FOLDERS {
        fs::create_dir(made.path().join(folder)).context("temporary folder")?;
    }
    let most_shapes = usize::try_from(args.shapes).unwrap_or(usize::MAX);
    let setup = Record {
        folder: made.path().to_owned(),
        most_memory: args.most_memory.saturating_mul(1 << 20),
        most_shapes,
    };
    let status = stage.run(&Setup::Record(setup), &args.command)?;
    let words = args.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let (manifest, launches) = Manifest::of(words, start::events(made.path())?, most_shapes);
    let failure = start::failure(status);
    failure.iter().for_each(|why| eprintln!("{why}"));
    for (file, text) in &launches {
        output::write(&made.path().join(file), text)?;
    }
    output::write_json(&made.path().join(manifest::FILE), &manifest)?;
    clean(made.path(), &manifest)?;
    let is_empty = launches.is_empty();
    if is_empty {
        eprintln!(
            "nothing was recorded, and {} is not written: {}",
            args.out.display(),
            why_nothing(&manifest)
        );
        say(&manifest);
    } else {
        put(made, &args.out)?;
        say(&manifest);
        eprintln!("the recording is in {}", args.out.display());
    }
    Ok(match (failure, is_empty) {
        (Some(_), _) => start::code(status),
        (None, true) => ExitCode::FAILURE,
        (None, false) => ExitCode::SUCCESS,
    })
}

/// Finds out whether the recording may have its place: nothing is there, an empty folder, or an
/// older recording.
fn check_place(out: &Path) -> Result<()> {
    if !out.exists() {
        return Ok(());
    }
    ensure!(out.is_dir(), "{} is not a folder: name another place by -o", out.display());
    let mut entries = fs::read_dir(out).with_context(|| format!("cannot read {}", out.display()))?;
    let is_free = out.join(manifest::FILE).is_file() || entries.next().is_none();
    ensure!(is_free, "{} has something else than a recording: name another place by -o", out.display());
    Ok(())
}

/// Removes events, which are in the manifest, and images of which nothing was launched.
fn clean(folder: &Path, manifest: &Manifest) -> Result<()> {
    let used: BTreeSet<PathBuf> = manifest.images.iter().map(|image| folder.join(&image.file)).collect();
    let is_rest = |path: &PathBuf| {
        let is_image = path.parent().is_some_and(|parent| parent.ends_with(FOLDERS[0]));
        is_image && !used.contains(path) || path.extension().is_some_and(|extension| extension == EXTENSION)
    };
    for folder in [folder.to_owned(), folder.join(FOLDERS[0])] {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
            let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
            if is_rest(&path) {
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
    }
    Ok(())
}

/// Gives the folder its name. An older recording is there until then.
fn put(made: tempfile::TempDir, out: &Path) -> Result<()> {
    let made = made.keep();
    let old = made.with_extension("old");
    let is_there = out.exists();
    let moved = || -> std::io::Result<()> {
        if is_there {
            fs::rename(out, &old)?;
        }
        fs::rename(&made, out)
    };
    moved().with_context(|| {
        format!("cannot write {}; what was recorded is in {}", out.display(), made.display())
    })?;
    if is_there {
        fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    Ok(())
}

/// Explains why nothing was recorded.
fn why_nothing(manifest: &Manifest) -> String {
    match (manifest.programs.len(), manifest.kernels.len()) {
        (0, _) => start::NOT_LOADED.to_owned(),
        (processes, 0) => format!(
            "{} loaded the driver, and launched no kernel that is known",
            counted(processes, "process")
        ),
        (_, kernels) => format!("of {}, no launch could be", counted(kernels, "kernel")),
    }
}

/// Says what was recorded, and what was not. Standard output is the application's.
fn say(manifest: &Manifest) {
    let mut sheet = Sheet::new(&["kernel", "launches", "recorded", "not recorded"], 1);
    let mut kernels: Vec<&manifest::Kernel> = manifest.kernels.iter().collect();
    kernels.sort_by(|a, b| (b.count, &a.name).cmp(&(a.count, &b.name)));
    for kernel in kernels {
        let count = if kernel.count == 0 { "?".to_owned() } else { kernel.count.to_string() };
        let why: Vec<&str> = kernel.skipped.iter().map(String::as_str).collect();
        sheet.add(vec![kernel.name.clone(), count, kernel.recorded.to_string(), why.join("; ")]);
    }
    if !manifest.kernels.is_empty() {
        eprintln!("{}", sheet.text(None));
    }
    manifest.notes.iter().for_each(|note| eprintln!("* {note}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_recording_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| folder.path().join(name);
        check_place(&of("new")).unwrap();
        fs::create_dir(of("empty")).unwrap();
        check_place(&of("empty")).unwrap();
        fs::write(of("file"), "").unwrap();
        assert!(check_place(&of("file")).unwrap_err().to_string().contains("is not a folder"));
        let error = check_place(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("has something else than a recording: name another place by -o"), "{error}");
        fs::write(of(manifest::FILE), "{}").unwrap();
        check_place(folder.path()).unwrap();
    }

    #[test]
    fn an_older_recording_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        for content in ["one", "two"] {
            let made = tempfile::tempdir_in(folder.path()).unwrap();
            fs::write(made.path().join("a"), content).unwrap();
            put(made, &out).unwrap();
            assert_eq!(fs::read_to_string(out.join("a")).unwrap(), content);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }

    #[test]
    fn it_says_why_nothing_was_recorded() {
        let mut manifest = Manifest::default();
        assert_eq!(why_nothing(&manifest), start::NOT_LOADED);
        manifest.programs = vec!["a".into(), "b".into()];
        assert_eq!(
            why_nothing(&manifest),
            "2 processes loaded the driver, and launched no kernel that is known"
        );
    }
}
