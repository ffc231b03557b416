//! The input files, and the flags that each is compiled with.
//!
//! A file with RUN lines (one of LLVM's own tests) says it itself, see [`crate::lit`]. Any other
//! file gets the least that llc needs: `-march=nvptx64` unless its target triple already says so,
//! and the `-mcpu` of its processor. That is the one that the caller names, or the `"target-cpu"`
//! of its functions, or else sm_80; the file's name never counts. The attribute must be repeated on
//! the command line: functions obey it, but llc writes the module's `.target` line from `-mcpu`
//! alone, and ptxas then rejects an sm_80 kernel under `.target sm_30`. Where sm_80 was assumed and
//! does not fit, [`advice`] names one that does.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, ensure, Context, Result};
use walkdir::WalkDir;

use crate::lit;
use crate::llc::{Llc, Side};
use crate::source::{self, Commands, SOURCES};
use crate::text::{counted, print_notes};

const EXTENSIONS: [&str; 3] = ["ll", "mir", "bc"];
pub const DEFAULT_CPU: &str = "sm_80";
/// The message for an input without kernels.
pub const NO_KERNEL: &str =
    "there is no kernel in the input; a kernel is a function that is a ptx_kernel or that nvvm.annotations names, in PTX an .entry";
/// The processors that are tried if that one does not fit.
const NEWER_CPUS: [&str; 3] = ["sm_90a", "sm_100a", "sm_120a"];

/// The inputs of subcommands that take sources as well.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct FileArgs {
    /// Take the sources of CUDA and OpenCL of this compile_commands.json, as its commands compile
    /// them: all, or those among the files
    #[arg(long, value_name = "JSON")]
    compile_commands: Option<PathBuf>,
    /// Kernels (.ll, .bc, .mir, .cu, .cl; of `gate` .ptx as well, of `time` two files of PTX or two
    /// cubins), or directories with .ll, .bc and .mir
    #[arg(value_name = "IN")]
    files: Vec<PathBuf>,
    /// A compile command of clang's after `--`, of which the device code is taken: -- clang++ -O3
    /// -c k.cu
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The files of [`FileArgs`], and the commands that compile some of them.
#[derive(Clone, Debug, Default)]
pub struct Files {
    pub files: Vec<PathBuf>,
    pub commands: Commands,
}

impl FileArgs {
    /// The files as they were named, in their order.
    pub fn named(&self) -> &[PathBuf] {
        &self.files
    }

    /// Finds the files; PTX as well if `ptx`.
    pub fn find(&self, ptx: bool) -> Result<Files> {
        ensure!(
            !self.files.is_empty() || !self.command.is_empty() || self.compile_commands.is_some(),
            "no input is named: files, folders, or a compile command after --; --help says more"
        );
        let mut commands =
            if self.command.is_empty() { Commands::new() } else { source::of_line(&self.command)? };
        let mut files: Vec<PathBuf> = commands.keys().cloned().collect();
        if let Some(path) = &self.compile_commands {
            let (mut found, notes) = source::of_database(path)?;
            print_notes(&notes);
            if !self.files.is_empty() {
                let named: BTreeSet<PathBuf> =
                    self.files.iter().filter_map(|file| file.canonicalize().ok()).collect();
                found.retain(|source, _| source.canonicalize().is_ok_and(|source| named.contains(&source)));
                let has = |file: &PathBuf| {
                    found.keys().any(|source| source.canonicalize().ok() == file.canonicalize().ok())
                };
                let lacking = self.files.iter().find(|file| has_extension(file, &SOURCES) && !has(file));
                if let Some(file) = lacking {
                    bail!("{} has no command for {}", path.display(), file.display());
                }
            }
            files.extend(found.keys().cloned());
            commands.append(&mut found);
        }
        if !self.files.is_empty() {
            let is_known = |file: &PathBuf| {
                let file = file.canonicalize().ok();
                file.is_some() && commands.keys().any(|source| source.canonicalize().ok() == file)
            };
            let others: Vec<PathBuf> = self.files.iter().filter(|file| !is_known(file)).cloned().collect();
            files.extend(discover_sources(&others, ptx)?);
        }
        files.sort();
        files.dedup();
        Ok(Files { files, commands })
    }

    /// The optimisation level in words: a compile command names its own.
    pub fn level(&self, level: u8) -> String {
        match (self.files.is_empty(), self.compile_commands.is_some() || !self.command.is_empty()) {
            (_, false) => format!("-O{level}"),
            (true, true) => "-O of the commands".to_owned(),
            (false, true) => format!("-O{level} or that of the command"),
        }
    }
}

/// A processor, and the files that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processor {
    /// A file or a folder; `None`: all files that no other one names.
    file: Option<PathBuf>,
    cpu: String,
}

impl std::str::FromStr for Processor {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (file, cpu) = match text.rsplit_once('=') {
            Some((file, cpu)) => (Some(PathBuf::from(file)), cpu),
            None => (None, text),
        };
        ensure!(
            !cpu.is_empty() && !cpu.contains(['/', ',', ' ']),
            "not a processor: '{cpu}'; sm_90, or k.cu=sm_90 for one file"
        );
        ensure!(file.as_deref() != Some(Path::new("")), "a file is missing before '=': k.cu=sm_90");
        Ok(Processor { file, cpu: cpu.to_owned() })
    }
}

impl std::fmt::Display for Processor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}={}", file.display(), self.cpu),
            None => f.write_str(&self.cpu),
        }
    }
}

impl Processor {
    /// Whether it is for some files only.
    pub fn is_for_files(&self) -> bool {
        self.file.is_some()
    }

    /// Whether it names this file.
    fn names(&self, path: &Path) -> bool {
        self.file
            .as_deref()
            .is_some_and(|file| path.starts_with(file) || path.file_name() == Some(file.as_os_str()))
    }
}

/// The processors that the caller names for a file.
pub fn processors<'a>(all: &'a [Processor], path: &Path) -> Vec<&'a str> {
    let cpus = |is_meant: &dyn Fn(&Processor) -> bool| -> Vec<&'a str> {
        all.iter().filter(|processor| is_meant(processor)).map(|processor| processor.cpu.as_str()).collect()
    };
    let named = cpus(&|processor| processor.names(path));
    if named.is_empty() {
        cpus(&|processor| processor.file.is_none())
    } else {
        named
    }
}

/// A typing mistake in a name must not look like success.
pub fn check_processors(all: &[Processor], files: &[PathBuf]) -> Result<()> {
    let idle =
        |processor: &&Processor| processor.file.is_some() && !files.iter().any(|file| processor.names(file));
    match all.iter().find(idle) {
        Some(processor) => bail!("--mcpu {processor}: no input is named so"),
        None => Ok(()),
    }
}

/// All input files under `paths`, sorted. A path without any is an error: a typing mistake must not
/// look like success.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    told(find(paths, &EXTENSIONS, Sources::Refused)?)
}

/// The same, with sources that clang compiles to IR if the caller names them directly, and with PTX
/// if `ptx`.
fn discover_sources(paths: &[PathBuf], ptx: bool) -> Result<Vec<PathBuf>> {
    let [ll, mir, bc] = EXTENSIONS;
    let extensions = [ll, mir, bc, "ptx"];
    told(find(paths, if ptx { &extensions } else { &EXTENSIONS }, Sources::Named)?)
}

/// The sources that a command accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sources {
    Refused,
    /// Only sources that are named directly: a file in a folder may not be device code.
    Named,
}

/// The files that were found.
#[derive(Debug)]
struct Found {
    files: Vec<PathBuf>,
    /// The note about sources that are left out.
    note: Option<String>,
}

/// Prints the note, and returns the files.
fn told(found: Found) -> Result<Vec<PathBuf>> {
    print_notes(&found.note);
    Ok(found.files)
}

fn find(paths: &[PathBuf], extensions: &[&str], sources: Sources) -> Result<Found> {
    let (mut files, mut left_out) = (BTreeSet::new(), BTreeSet::new());
    for path in paths {
        if path.is_file() && has_extension(path, &SOURCES) {
            let [ll, mir, bc] = EXTENSIONS;
            ensure!(
                sources == Sources::Named,
                "{}: this command takes .{ll}, .{mir} and .{bc}: make IR of it (clang -S -emit-llvm)",
                path.display()
            );
            files.insert(path.clone());
            continue;
        }
        let (mut found, mut passed_by) = (false, BTreeSet::new());
        for entry in WalkDir::new(path).follow_links(true) {
            let entry = entry.map_err(|error| anyhow!("{error}"))?;
            if entry.file_type().is_file() && has_extension(entry.path(), extensions) {
                found = true;
                files.insert(entry.into_path());
            } else if entry.file_type().is_file() && has_extension(entry.path(), &SOURCES) {
                passed_by.insert(entry.into_path());
            }
        }
        if !found && path.is_file() {
            let [cu, cl] = SOURCES;
            let all = match sources {
                Sources::Named => [extensions, &[cu, cl]].concat(),
                Sources::Refused => extensions.to_vec(),
            };
            bail!("{}: this command takes .{}, by the end of the name", path.display(), all.join(", ."));
        }
        if !found {
            let why = note(passed_by.len(), sources).map_or(String::new(), |note| format!("; {note}"));
            bail!("no .{} file in {}{why}", extensions.join(", ."), path.display());
        }
        left_out.append(&mut passed_by);
    }
    let note = note(left_out.difference(&files).count(), sources);
    Ok(Found { files: files.into_iter().collect(), note })
}

/// The note about this many sources in folders.
fn note(number: usize, sources: Sources) -> Option<String> {
    let how = match sources {
        Sources::Named => "name it itself, and the clang beside llc makes IR of it",
        Sources::Refused => "make IR of it (clang -S -emit-llvm)",
    };
    let [cu, cl] = SOURCES;
    (number > 0).then(|| {
        format!(
            "{} .{cu} or .{cl} in a folder left out: to have one compiled, {how}",
            counted(number, "file")
        )
    })
}

/// Reads a PTX text. An empty one is an error.
pub fn read_ptx(path: &Path) -> Result<String> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    ensure_ptx(path, text.as_bytes())?;
    Ok(text)
}

/// Rejects an empty PTX file: ptxas' message about it is misleading.
pub fn ensure_ptx(path: &Path, text: &[u8]) -> Result<()> {
    ensure!(
        !text.trim_ascii().is_empty(),
        "{}: the file is empty; PTX begins with .version and .target, and has an .entry for each kernel",
        path.display()
    );
    Ok(())
}

/// The name of a file as a text. [`path_of`] reverses it: a byte that is not UTF-8 is `\xff`, and a
/// backslash `\\`.
pub fn name_of(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        name.push_str(&chunk.valid().replace('\\', "\\\\"));
        name.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    name
}

/// The path whose name [`name_of`] has written.
pub fn path_of(name: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.bytes());
        let hex = after.strip_prefix('x').and_then(|after| after.get(..2));
        let (byte, length) = match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (byte, 3),
            None => (b'\\', usize::from(after.starts_with('\\'))),
        };
        bytes.push(byte);
        rest = &after[length..];
    }
    bytes.extend(rest.bytes());
    OsString::from_vec(bytes).into()
}

/// Paths are written by their names in files of ours.
pub mod name {
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&super::name_of(path))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        Ok(super::path_of(&String::deserialize(deserializer)?))
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e))
}

/// The target that the text of a module names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Whether it has an NVPTX triple.
    pub has_triple: bool,
    /// The `"target-cpu"` of its functions.
    pub cpu: Option<String>,
}

impl Target {
    /// Reads it from LLVM IR as text.
    pub fn of(content: &str) -> Target {
        Target {
            has_triple: quoted_after(content, "target triple = ")
                .is_some_and(|triple| triple.starts_with("nvptx")),
            cpu: quoted_after(content, "\"target-cpu\"=").map(str::to_owned),
        }
    }
}

/// The llc invocations for one file.
#[derive(Debug)]
pub struct Plan {
    pub invocations: Vec<lit::Invocation>,
    /// RUN lines left out because they were not understood.
    pub not_understood: usize,
    /// RUN lines left out because they emit no text.
    pub not_asm: usize,
    /// RUN lines left out because they ask for LLVM's new pass manager.
    pub new_pass_manager: usize,
    /// Whether the file has RUN lines, but none that runs llc on it.
    pub no_llc: bool,
}

/// The RUN lines' flags, or the default ones for a file without RUN lines. `mcpu`: see
/// [`default_flags`].
pub fn plan(path: &Path, mcpu: Option<&str>) -> Result<Plan> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let content = String::from_utf8_lossy(&bytes);
    let is_bitcode = path.extension().is_some_and(|e| e == "bc");
    Ok(match lit::parse(&content).filter(|_| !is_bitcode) {
        Some(lines) => Plan {
            no_llc: lines.invocations.is_empty()
                && lines.not_understood + lines.not_asm + lines.new_pass_manager == 0,
            invocations: lines.invocations,
            not_understood: lines.not_understood,
            not_asm: lines.not_asm,
            new_pass_manager: lines.new_pass_manager,
        },
        None => Plan {
            invocations: vec![lit::Invocation { args: default_args(&content, mcpu), levels: Vec::new() }],
            not_understood: 0,
            not_asm: 0,
            new_pass_manager: 0,
            no_llc: false,
        },
    })
}

/// The default flags, even if the file has RUN lines; for the processor `mcpu`, or if that is
/// `None` for the file's own.
pub fn default_flags(path: &Path, mcpu: Option<&str>) -> Result<Vec<String>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(default_args(&String::from_utf8_lossy(&bytes), mcpu))
}

/// Whether the processor of a file is a guess: neither the caller, nor RUN lines, nor the file's
/// text name one. Always false for bitcode, whose text is not known.
pub fn guesses_cpu(path: &Path, mcpu: Option<&str>) -> Result<bool> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let content = String::from_utf8_lossy(&bytes);
    let is_bitcode = has_extension(path, &["bc"]);
    let is_named = mcpu.is_some() || Target::of(&content).cpu.is_some() || lit::parse(&content).is_some();
    Ok(!is_bitcode && !is_named)
}

/// Ends a complaint about an input for which sm_80 was assumed because no processor was named. It
/// names the first newer processor that `takes` the input, or is empty.
pub fn advice(mut takes: impl FnMut(&str) -> Result<bool>) -> Result<String> {
    for cpu in NEWER_CPUS {
        if takes(cpu)? {
            return Ok(format!(" (it names no target-cpu, {DEFAULT_CPU} was taken: give --mcpu={cpu})"));
        }
    }
    Ok(String::new())
}

/// The same for a file that stock llc rejects; empty if its processor is named.
pub fn advice_for(llc: &Llc, path: &Path, mcpu: Option<&str>) -> Result<String> {
    if !guesses_cpu(path, mcpu)? {
        return Ok(String::new());
    }
    advice(|cpu| {
        let mut args: Vec<OsString> =
            default_flags(path, Some(cpu))?.into_iter().map(OsString::from).collect();
        args.extend([path.into(), "-o".into(), "-".into()]);
        Ok(llc.compile(Side::Stock, &args).is_ok())
    })
}

fn default_args(content: &str, mcpu: Option<&str>) -> Vec<String> {
    let mut args = Vec::new();
    match quoted_after(content, "target triple = ") {
        Some(triple) if triple.starts_with("nvptx") => {}
        // A module for another target: llc's default is right.
        Some(_) => return args,
        None => args.push("-march=nvptx64".to_owned()),
    }
    let cpu = mcpu.or_else(|| quoted_after(content, "\"target-cpu\"=")).unwrap_or(DEFAULT_CPU);
    args.push(format!("-mcpu={cpu}"));
    args
}

/// The quoted text directly after the first `key`.
fn quoted_after<'a>(content: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = content.split_once(key)?;
    rest.strip_prefix('"')?.split_once('"').map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triple_and_cpu() {
        let triple = "target triple = \"nvptx64-nvidia-cuda\"\n";
        assert_eq!(default_args("", None), ["-march=nvptx64", "-mcpu=sm_80"]);
        assert_eq!(default_args(triple, None), ["-mcpu=sm_80"]);
        assert_eq!(default_args(triple, Some("sm_90a")), ["-mcpu=sm_90a"]);
        let with_attribute = format!("{triple}attributes #0 = {{ \"target-cpu\"=\"sm_61\" }}\n");
        assert_eq!(default_args(&with_attribute, None), ["-mcpu=sm_61"]);
        assert_eq!(default_args(&with_attribute, Some("sm_75")), ["-mcpu=sm_75"]);
        assert!(default_args("target triple = \"x86_64-linux-gnu\"\n", Some("sm_75")).is_empty());
    }

    #[test]
    fn a_name_says_no_processor_and_run_lines_their_own() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let file = |content: &str| {
            let path = dir.path().join("a_sm90.ll");
            fs::write(&path, content).expect("write");
            path
        };
        let plain = file("; no word\n");
        assert_eq!(default_flags(&plain, None).expect("flags"), ["-march=nvptx64", "-mcpu=sm_80"]);
        assert!(
            guesses_cpu(&plain, None).expect("read") && !guesses_cpu(&plain, Some("sm_75")).expect("read")
        );
        assert!(!guesses_cpu(&file("\"target-cpu\"=\"sm_61\"\n"), None).expect("read"));
        let lit = file("; RUN: llc < %s -mcpu=sm_60\n");
        assert!(!guesses_cpu(&lit, None).expect("read"));
        assert_eq!(plan(&lit, Some("sm_75")).expect("plan").invocations[0].args, ["-mcpu=sm_60"]);
    }

    #[test]
    fn advice_names_the_first_processor_that_fits() {
        let of = |fitting: &'static str| advice(|cpu| Ok(cpu == fitting)).expect("advice");
        assert_eq!(of("sm_100a"), " (it names no target-cpu, sm_80 was taken: give --mcpu=sm_100a)");
        assert_eq!(of("none of them"), "");
    }

    #[test]
    fn levels_in_words() {
        let of = |files: &[&str], command: &[&str]| {
            let files = files.iter().map(PathBuf::from).collect();
            let command = command.iter().map(OsString::from).collect();
            FileArgs { files, command, compile_commands: None }.level(3)
        };
        assert_eq!(of(&["a.ll"], &[]), "-O3");
        assert_eq!(of(&[], &["clang"]), "-O of the commands");
        assert_eq!(of(&["a.ll"], &["clang"]), "-O3 or that of the command");
    }

    #[test]
    fn processors_by_file() {
        let all = ["sm_80", "a/k.cu=sm_90", "k.cu=sm_100a", "b=sm_75", "b=sm_86"]
            .map(|text| text.parse().expect(text));
        let of = |path: &str| processors(&all, Path::new(path)).join(" ");
        assert_eq!(
            [of("a/k.cu"), of("c/k.cu"), of("b/x.ll"), of("bb/x.ll")],
            ["sm_90 sm_100a", "sm_100a", "sm_75 sm_86", "sm_80"]
        );
        assert!(processors(&all[3..], Path::new("a.ll")).is_empty());
        let error = check_processors(&all, &["a/k.cu".into()]).expect_err("no b").to_string();
        assert_eq!(error, "--mcpu b=sm_75: no input is named so");
        for text in ["", "k.cu=", "=sm_80", "sm_80,sm_90"] {
            assert!(text.parse::<Processor>().is_err(), "{text}");
        }
    }

    #[test]
    fn missing_and_empty_paths_are_errors() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let error = discover(&[dir.path().to_owned()]).expect_err("nothing in it");
        assert!(error.to_string().contains(&dir.path().display().to_string()));
        assert!(discover(&[dir.path().join("nowhere")]).is_err());

        for name in ["b.ll", "a.mir", "c.txt"] {
            fs::write(dir.path().join(name), "").expect("write");
        }
        let error = discover(&[dir.path().join("c.txt")]).expect_err("a text").to_string();
        assert!(
            error.ends_with("c.txt: this command takes .ll, .mir, .bc, by the end of the name"),
            "{error}"
        );
        let error = discover_sources(&[dir.path().join("c.txt")], true).expect_err("a text").to_string();
        assert!(error.contains("takes .ll, .mir, .bc, .ptx, .cu, .cl, by"), "{error}");
        fs::write(dir.path().join("k.ptx"), " \n").expect("write");
        let error = read_ptx(&dir.path().join("k.ptx")).expect_err("nothing in it").to_string();
        assert!(error.contains("k.ptx: the file is empty; PTX begins with .version"), "{error}");

        let files = discover(&[dir.path().join("b.ll"), dir.path().to_owned()]).expect("two files");
        assert_eq!(files, [dir.path().join("a.mir"), dir.path().join("b.ll")]);
    }
    #[test]
    fn sources_in_folders_are_counted_and_named() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let folder = || vec![dir.path().to_owned()];
        let path = |name: &str| dir.path().join(name);
        for name in ["a.cu", "b.cl", "c.txt"] {
            fs::write(path(name), "").expect("write");
        }
        let named = |paths: &[PathBuf]| find(paths, &EXTENSIONS, Sources::Named);
        let error = named(&folder()).expect_err("sources alone").to_string();
        let note = "2 files .cu or .cl in a folder left out: to have one compiled, name it itself, and the clang beside llc makes IR of it";
        assert!(error.ends_with(&format!("; {note}")), "{error}");

        fs::write(path("k.ll"), "").expect("write");
        let found = named(&folder()).expect("one file");
        assert_eq!((found.files, found.note.as_deref()), (vec![path("k.ll")], Some(note)));
        let found = named(&[folder(), vec![path("a.cu"), path("b.cl")]].concat()).expect("all files");
        assert_eq!((found.files.len(), found.note), (3, None), "they are taken where they are named");

        let refusing = |paths: &[PathBuf]| find(paths, &EXTENSIONS, Sources::Refused);
        let note = refusing(&folder()).expect("one file").note.expect("a note");
        assert!(
            note.starts_with("2 files") && note.ends_with("make IR of it (clang -S -emit-llvm)"),
            "{note}"
        );
        let error = refusing(&[path("a.cu")]).expect_err("a source").to_string();
        assert!(error.contains("a.cu: this command takes .ll, .mir and .bc: make IR of it"), "{error}");
    }

    #[test]
    fn names_that_are_not_utf_8_stand_for_their_paths() {
        let path = |bytes: &[u8]| PathBuf::from(OsString::from_vec(bytes.to_vec()));
        assert_eq!(name_of(Path::new("a/ä b.ll")), "a/ä b.ll");
        assert_eq!(name_of(&path(b"a/\xff\xfe.ll")), r"a/\xff\xfe.ll");
        assert_eq!(name_of(Path::new(r"a\xff.ll")), r"a\\xff.ll");
        for bytes in
            [&b"k.ll"[..], b"\xff.ll", b"a\\xff", b"\\", b"\\\\x41", b"a\\", b"\xc3\xa4\xc3", b"\\x4"]
        {
            assert_eq!(path_of(&name_of(&path(bytes))), path(bytes), "{}", name_of(&path(bytes)));
        }
    }
}
