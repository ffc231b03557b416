//! `lint`: places in a PTX text that known versions of ptxas compile wrongly.
//!
//! **Problem.** A fault of ptxas shows as wrong results of a correct program. Its user has no reason
//! to look at ptxas.
//!
//! **Method.** [`ptxas_errata`] is the table of known faults, and [`patterns`] finds the code that
//! shows them. Only entries count that the version of ptxas has or may have, for the processor that
//! the text is for.
//!
//! **Deviation.** A place that is named need not be compiled wrongly: what else ptxas needs for it is
//! not documented. `ptx-compare sass` runs the machine code.
//!
//! **Complexity.** Linear in the text.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{bail, ensure, Context, Result};
use ptx_emu::ptx::parse;
use serde::Serialize;
use walkdir::WalkDir;

use crate::exit;
use crate::inputs;
use crate::output;
use crate::places;
use crate::ptxas::{Cuda, CudaArgs};
use crate::text::{self, counted};

mod patterns;

use patterns::Code;
use ptxas_errata::{Erratum, Evidence, Harm, Id, State, Tried, Version, ERRATA};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The version of ptxas that will compile the texts, such as 13.0.88 [default: that of the
    /// ptxas that is found]
    #[arg(long, value_name = "VERSION")]
    ptxas: Option<Version>,
    #[command(flatten)]
    cuda: CudaArgs,
    /// Processor that ptxas compiles for [default: the PTX' own target]
    #[arg(long, value_name = "CPU", value_parser = processor)]
    gpu: Option<String>,
    /// Do not look for this fault; may be given several times
    #[arg(long, value_name = "ID", value_parser = id)]
    allow: Vec<Id>,
    /// Write the places as JSON to this file ('-': standard output, and nothing else there)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the table of known faults, and look at nothing
    #[arg(long, conflicts_with_all = ["files", "json"])]
    list: bool,
    /// PTX texts, files of nvcc or clang that carry PTX, or folders with .ptx and .fatbin
    #[arg(value_name = "FILE", required_unless_present = "list")]
    files: Vec<PathBuf>,
}

fn id(text: &str) -> anyhow::Result<Id> {
    let known = ERRATA.iter().map(|erratum| erratum.id);
    known.clone().find(|id| id.name() == text).with_context(|| {
        let names: Vec<&str> = known.map(Id::name).collect();
        format!("there is no such entry; there are {}", names.join(", "))
    })
}

fn processor(text: &str) -> Result<String, &'static str> {
    let number = text.strip_prefix("sm_").map(|name| name.trim_end_matches(['a', 'f']));
    let is_number =
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    is_number.then(|| text.to_owned()).ok_or("a processor is named as sm_90 or sm_90a")
}

/// Where the version of ptxas is from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum From {
    CommandLine,
    Folder(PathBuf),
}

/// A place, for people and programs.
#[derive(Debug, Serialize)]
struct Found {
    #[serde(with = "inputs::name")]
    file: PathBuf,
    line: usize,
    function: String,
    id: Id,
    harm: Harm,
    /// Whether this version of ptxas is known to have the fault.
    state: State,
    /// The instructions.
    why: String,
    /// The versions of ptxas that have it.
    versions: Tried,
    /// The code that shows it.
    pattern: Option<&'static str>,
    fault: &'static str,
    avoided_by: &'static str,
    source: &'static str,
}

#[derive(Debug, Serialize)]
struct Numbers<'a> {
    ptxas: Version,
    /// The folder in which it was found.
    cuda: Option<&'a Path>,
    functions: usize,
    /// Faults that this version has or may have, whose pattern in PTX is not known.
    without_pattern: Vec<Id>,
    places: &'a [Found],
    /// What was not understood, so that places may be missing.
    notes: &'a [String],
    /// Why a file could not be looked at.
    errors: &'a [String],
}

/// What was found in all files.
#[derive(Default)]
struct Search {
    places: Vec<Found>,
    notes: Vec<String>,
    functions: usize,
    without_pattern: Vec<Id>,
}

impl Search {
    /// Looks at a text of a file.
    fn text(&mut self, path: &Path, text: &str, args: &Args, version: Version) -> Result<()> {
        let ptx = ptx_emu::ptx::analyse(text);
        let target = ptx.target;
        let gpu = args.gpu.clone().or_else(|| target.clone());
        let gpu = gpu.with_context(|| {
            format!("{}: it has no .target, so it is not PTX; --gpu names a processor", path.display())
        })?;
        let own: Vec<(&Erratum, State)> = ERRATA
            .iter()
            .filter(|erratum| erratum.processors.include(&gpu) && !args.allow.contains(&erratum.id))
            .map(|erratum| (erratum, erratum.versions.state(version)))
            .filter(|(_, state)| *state != State::Right)
            .collect();
        for (erratum, _) in own.iter().filter(|(erratum, _)| erratum.pattern.is_none()) {
            if !self.without_pattern.contains(&erratum.id) {
                self.without_pattern.push(erratum.id);
            }
        }
        let numbers = ptx.version.as_deref().and_then(|numbers| numbers.split_once('.'));
        let numbers = numbers.and_then(|(major, minor)| major.parse().ok().zip(minor.parse().ok()));
        if let Some((major, minor)) = numbers.filter(|&ptx| version.is_too_old_for(ptx)) {
            let name = path.display();
            let note =
                format!("{name}: ptxas {version} does not compile .version {major}.{minor}: not looked at");
            self.notes.push(note);
            return Ok(());
        }
        let parsed = parse::parse(text);
        if parsed.is_empty() {
            // nvcc embeds such a text for a source without kernels.
            ensure!(target.is_some(), "{}: it has no function with a body", path.display());
            self.notes.push(format!("{}: a text of it has no function with a body", path.display()));
        }
        self.functions += parsed.len();
        for function in &parsed {
            if let Some(problem) = &function.problem {
                self.notes.push(format!(
                    "{}: {}: not all of it is understood, so places may be missing: {problem}",
                    path.display(),
                    function.name
                ));
            }
            let code = Code::new(function);
            for (erratum, state) in &own {
                self.places.extend(code.find(erratum.id).into_iter().map(|place| Found {
                    file: path.to_owned(),
                    line: place.line,
                    function: function.name.clone(),
                    id: erratum.id,
                    harm: erratum.harm,
                    state: *state,
                    why: place.why,
                    versions: erratum.versions,
                    pattern: erratum.pattern,
                    fault: erratum.fault,
                    avoided_by: erratum.avoided_by,
                    source: erratum.source,
                }));
            }
        }
        Ok(())
    }
}

/// Looks at all files. Exit status 1 if there is a place, 2 if there is a file that it cannot look at.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.list {
        ERRATA.iter().for_each(|erratum| println!("{}\n", described(erratum)));
        return Ok(ExitCode::SUCCESS);
    }
    let (version, from) = version(args)?;
    let mut search = Search::default();
    let mut errors = Vec::new();
    let files = files(&args.files, &mut errors);
    for path in &files {
        let looked = texts(path, args)
            .and_then(|texts| texts.iter().try_for_each(|text| search.text(path, text, args, version)));
        if let Err(error) = looked {
            errors.push(format!("{error:#}"));
        }
    }
    errors.iter().for_each(|error| eprintln!("ptx-compare: error: {error}"));
    let Search { places, notes, functions, without_pattern } = search;
    text::print_notes(&notes);
    let is_output = args.json.as_deref() == Some(Path::new("-"));
    if let Some(path) = &args.json {
        let cuda = match &from {
            From::CommandLine => None,
            From::Folder(folder) => Some(folder.as_path()),
        };
        let without_pattern = without_pattern.clone();
        let json = output::json(&Numbers {
            ptxas: version,
            cuda,
            functions,
            without_pattern,
            places: &places,
            notes: &notes,
            errors: &errors,
        })?;
        if is_output {
            print!("{json}");
        } else {
            output::write(path, json)?;
        }
    }
    if !is_output {
        report(&places, version, &from, &without_pattern, (files.len(), functions));
    }
    Ok(match (errors.is_empty(), places.is_empty()) {
        (false, _) => ExitCode::from(exit::FAILED),
        (true, false) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
    })
}

/// The ends of the names of files in folders that are looked at.
const EXTENSIONS: [&str; 2] = ["ptx", "fatbin"];

/// The files that are named, and those in folders that are, sorted; each once.
fn files(named: &[PathBuf], errors: &mut Vec<String>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() && is_wanted(entry.path()) => {
                    files.push(entry.into_path());
                }
                Ok(_) => {}
                Err(error) if misses_nothing(&error) => {}
                Err(error) => errors.push(error.to_string()),
            }
        }
        if files.len() == before {
            errors.push(format!("no .{} file in {}", EXTENSIONS.join(" or ."), path.display()));
        }
    }
    // One that is named twice, or is in a folder that is, is looked at once.
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files
}

/// Whether a file in a folder is looked at.
fn is_wanted(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// Whether no file is left out where a folder has this error: a link to a folder around it, whose
/// files come anyway, or one that leads nowhere and has the name of a file of another kind.
fn misses_nothing(error: &walkdir::Error) -> bool {
    let leads_nowhere = error.io_error().is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    error.loop_ancestor().is_some() || leads_nowhere && !error.path().is_some_and(is_wanted)
}

/// The version of ptxas that counts.
fn version(args: &Args) -> Result<(Version, From)> {
    if let Some(version) = args.ptxas {
        return Ok((version, From::CommandLine));
    }
    let folder = args.cuda.folder().context("--ptxas VERSION names a version")?;
    let cuda = Cuda::find(&folder).with_context(|| {
        format!(
            "no ptxas in {}: {}; --ptxas VERSION names a version",
            folder.join("bin").display(),
            places::ptxas_advice()
        )
    })?;
    Ok((cuda.number()?, From::Folder(folder)))
}

/// The first bytes of an ELF file, such as a cubin or a program.
const ELF: &[u8] = b"\x7fELF";
/// The first bytes of a fat binary.
const FAT_BINARY: &[u8] = &0xba55_ed50_u32.to_le_bytes();

/// The PTX texts in a file.
fn texts(path: &Path, args: &Args) -> Result<Vec<String>> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    inputs::ensure_ptx(path, &bytes)?;
    if bytes.starts_with(ELF) || bytes.starts_with(FAT_BINARY) {
        return extracted(path, args)
            .with_context(|| format!("{name} is not PTX, but a file of machine code"));
    }
    let text =
        String::from_utf8(bytes).ok().with_context(|| format!("{name} is not PTX: it is not a text"))?;
    Ok(vec![text])
}

/// The PTX texts that a program, an object or a fat binary carries, by cuobjdump.
fn extracted(path: &Path, args: &Args) -> Result<Vec<String>> {
    let folder = args.cuda.folder().context("cuobjdump gets the PTX out of it")?;
    let tool = std::path::absolute(folder.join("bin/cuobjdump")).context("current folder")?;
    ensure!(
        tool.is_file(),
        "cuobjdump, which gets the PTX out of it, is not in {}",
        folder.join("bin").display()
    );
    let file = std::path::absolute(path).context("current folder")?;
    let made = tempfile::tempdir().context("temporary folder")?;
    let done = Command::new(&tool)
        .args(["-xptx", "all"])
        .arg(&file)
        .current_dir(made.path())
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot run {}", tool.display()))?;
    let mut written = Vec::new();
    for entry in fs::read_dir(made.path()).context("temporary folder")? {
        written.push(entry.context("temporary folder")?.path());
    }
    written.sort();
    if written.is_empty() {
        let said = String::from_utf8_lossy(&done.stderr);
        let said = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it says nothing");
        bail!("it carries no PTX, which lint needs: compile it with PTX (nvcc -gencode arch=compute_90,code=compute_90), or name the .ptx file; cuobjdump: {said}");
    }
    written.iter().map(|path| fs::read_to_string(path).context("cuobjdump's output")).collect()
}

/// An entry in words.
fn described(erratum: &Erratum) -> String {
    let Erratum { id, harm, versions, processors, pattern, fault, avoided_by, evidence, source } = erratum;
    let harm = match harm {
        Harm::WrongCode => "wrong code",
        Harm::SlowCode => "slow code",
    };
    let evidence = match evidence {
        Evidence::Emulated => {
            "each version named here compiled a text of ours, whose code was run by emulation"
        }
        Evidence::Reported => "as the source says; we did not repeat it",
    };
    format!(
        "{}: {harm}\n  ptxas: {versions} ({evidence})\n  processors: {processors}\n  code: {}\n  fault: {fault}\n  avoided by: {avoided_by}\n  source: {source}",
        id.name(),
        pattern.unwrap_or("no pattern is known")
    )
}

fn report(
    places: &[Found],
    version: Version,
    from: &From,
    without_pattern: &[Id],
    (files, functions): (usize, usize),
) {
    for found in places {
        let doubt = if found.state == State::NotTried { " (not tried with this ptxas)" } else { "" };
        println!(
            "{}:{}: {}: {}{doubt}: {}",
            found.file.display(),
            found.line,
            text::demangled(&found.function),
            found.id.name(),
            found.why
        );
    }
    for erratum in ERRATA.iter().filter(|erratum| places.iter().any(|found| found.id == erratum.id)) {
        println!("\n{}", described(erratum));
    }
    if !places.is_empty() {
        println!();
    }
    if !without_pattern.is_empty() {
        let names: Vec<&str> = without_pattern.iter().map(|id| id.name()).collect();
        println!("this ptxas has or may have faults without a known pattern: {} (--list)", names.join(", "));
    }
    let from = match from {
        From::CommandLine => "--ptxas".to_owned(),
        From::Folder(folder) => folder.join("bin").display().to_string(),
    };
    println!(
        "ptxas {version} ({from}), {}, {}: {}",
        counted(files, "file"),
        counted(functions, "function"),
        counted(places.len(), "place")
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_named_twice_or_lies_in_a_named_folder_is_looked_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.ptx", "b.ptx"].map(|name| folder.path().join(name));
        fs::write(&a, "").unwrap();
        fs::write(&b, "").unwrap();
        let named = [b.clone(), folder.path().to_owned(), folder.path().join(".").join("a.ptx")];
        let mut errors = Vec::new();
        assert_eq!(files(&named, &mut errors), [b, a]);
        // One that is not there is named in an error later, each time once.
        let missing = folder.path().join("c.ptx");
        assert_eq!(files(&[missing.clone(), missing.clone()], &mut errors), [missing]);
        assert!(errors.is_empty());
    }
}
