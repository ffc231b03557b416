//! Which files are compiled, and with which flags.
//!
//! A file that carries RUN lines (one of LLVM's own tests) says so itself, see [`crate::lit`].
//! Any other file gets the least that llc needs: `-march=nvptx64` unless its target triple already says
//! what it is for, and the `-mcpu` that it was made for. That is the one that the caller names, or the `"target-cpu"` of
//! its functions, or else sm_80; never what the file's name holds. The attribute must be repeated on the command line: functions
//! obey their attribute, but llc writes the module's `.target` line from `-mcpu` alone, and ptxas then
//! rejects an sm_80 kernel under `.target sm_30`. Where sm_80 was taken and does not fit, [`advice`] names one that does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail, Context, Result};
use walkdir::WalkDir;

use crate::lit;
use crate::llc::{Llc, Side};

const EXTENSIONS: [&str; 3] = ["ll", "mir", "bc"];
/// CUDA and OpenCL.
pub const SOURCES: [&str; 2] = ["cu", "cl"];
pub const DEFAULT_CPU: &str = "sm_80";
/// The processors that are tried where that one does not fit.
const NEWER_CPUS: [&str; 3] = ["sm_90a", "sm_100a", "sm_120a"];

/// All input files under `paths`, sorted. A path without any is an error: a typing mistake must not
/// look like success.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    find(paths, &EXTENSIONS)
}

/// The same, with those sources of which a clang makes IR, where they are named themselves, and with PTX if `ptx`.
pub fn discover_sources(paths: &[PathBuf], ptx: bool) -> Result<Vec<PathBuf>> {
    let (sources, others): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| path.is_file() && has_extension(path, &SOURCES));
    let [ll, mir, bc] = EXTENSIONS;
    let extensions = [ll, mir, bc, "ptx"];
    let mut files = find(&others, if ptx { &extensions } else { &EXTENSIONS })?;
    files.extend(sources);
    files.sort();
    files.dedup();
    Ok(files)
}

fn find(paths: &[PathBuf], extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = BTreeSet::new();
    for path in paths {
        let mut found = false;
        for entry in WalkDir::new(path).follow_links(true) {
            let entry = entry.map_err(|error| anyhow!("{error}"))?;
            if entry.file_type().is_file() && has_extension(entry.path(), extensions) {
                found = true;
                files.insert(entry.into_path());
            }
        }
        if !found {
            bail!("no .{} file in {}", extensions.join(", ."), path.display());
        }
    }
    Ok(files.into_iter().collect())
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e))
}

/// The target that the text of a module names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// It has a triple of NVPTX's.
    pub has_triple: bool,
    /// The `"target-cpu"` of its functions.
    pub cpu: Option<String>,
}

impl Target {
    /// Reads it in LLVM's text.
    pub fn of(content: &str) -> Target {
        Target {
            has_triple: quoted_after(content, "target triple = ")
                .is_some_and(|triple| triple.starts_with("nvptx")),
            cpu: quoted_after(content, "\"target-cpu\"=").map(str::to_owned),
        }
    }
}

/// How one file is to be compiled.
#[derive(Debug)]
pub struct Plan {
    pub invocations: Vec<lit::Invocation>,
    /// RUN lines left out because they were not understood.
    pub not_understood: usize,
    /// RUN lines left out because they emit no text.
    pub not_asm: usize,
    /// RUN lines left out because they ask for LLVM's new pass manager.
    pub new_pass_manager: usize,
    /// The file has RUN lines, but none that runs llc on it.
    pub no_llc: bool,
}

/// The RUN lines' flags, or for a file without RUN lines the default ones. `mcpu`: see [`default_flags`].
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

/// The default flags, whether or not the file has RUN lines; for the processor `mcpu`, or without one for the file's own.
pub fn default_flags(path: &Path, mcpu: Option<&str>) -> Result<Vec<String>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(default_args(&String::from_utf8_lossy(&bytes), mcpu))
}

/// Whether nobody names the processor of a file: neither the caller, nor RUN lines, nor the text of the file. Of bitcode nothing is known.
pub fn guesses_cpu(path: &Path, mcpu: Option<&str>) -> Result<bool> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let content = String::from_utf8_lossy(&bytes);
    let is_bitcode = has_extension(path, &["bc"]);
    let is_named = mcpu.is_some() || Target::of(&content).cpu.is_some() || lit::parse(&content).is_some();
    Ok(!is_bitcode && !is_named)
}

/// Ends a complaint about an input for which sm_80 was taken, as nobody names a processor: with the first of the newer ones that
/// `takes` it, or with nothing.
pub fn advice(mut takes: impl FnMut(&str) -> Result<bool>) -> Result<String> {
    for cpu in NEWER_CPUS {
        if takes(cpu)? {
            return Ok(format!(" (it names no target-cpu, {DEFAULT_CPU} was taken: give --mcpu={cpu})"));
        }
    }
    Ok(String::new())
}

/// The same for a file that stock llc refuses; empty if somebody names its processor.
pub fn advice_for(llc: &Llc, path: &Path, mcpu: Option<&str>) -> Result<String> {
    if !guesses_cpu(path, mcpu)? {
        return Ok(String::new());
    }
    advice(|cpu| {
        let mut args = default_flags(path, Some(cpu))?;
        args.extend([path.to_string_lossy().into_owned(), "-o".to_owned(), "-".to_owned()]);
        Ok(llc.compile(Side::Stock, &args).is_ok())
    })
}

fn default_args(content: &str, mcpu: Option<&str>) -> Vec<String> {
    let mut args = Vec::new();
    match quoted_after(content, "target triple = ") {
        Some(triple) if triple.starts_with("nvptx") => {}
        // A module for another target: llc's default for it is the right one.
        Some(_) => return args,
        None => args.push("-march=nvptx64".to_owned()),
    }
    let cpu = mcpu.or_else(|| quoted_after(content, "\"target-cpu\"=")).unwrap_or(DEFAULT_CPU);
    args.push(format!("-mcpu={cpu}"));
    args
}

/// The text in quotes right after the first `key`.
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
    fn missing_and_empty_paths_are_errors() {
        let dir = tempfile::tempdir().expect("temporary directory");
        let error = discover(&[dir.path().to_owned()]).expect_err("nothing in it");
        assert!(error.to_string().contains(&dir.path().display().to_string()));
        assert!(discover(&[dir.path().join("nowhere")]).is_err());

        for name in ["b.ll", "a.mir", "c.txt"] {
            fs::write(dir.path().join(name), "").expect("write");
        }
        let files = discover(&[dir.path().join("b.ll"), dir.path().to_owned()]).expect("two files");
        assert_eq!(files, [dir.path().join("a.mir"), dir.path().join("b.ll")]);
    }
}
