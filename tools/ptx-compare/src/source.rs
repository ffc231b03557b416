//! Compiles CUDA and OpenCL to IR with clang.
//!
//! A source is compiled by the clang beside llc, or by a compile command. Of the command's words
//! those are left out that say what is made and for which processors; `--cuda-device-only -S
//! -emit-llvm` replaces them, once per processor. Such commands stand after `--` on our command
//! line, or in a `compile_commands.json`.
//!
//! clang gets the CUDA toolkit that [`crate::places::toolkit`] finds, unless the caller's words
//! name one. If there is none, or clang cannot compile the source with it, the source is compiled
//! without CUDA's headers and libdevice, and a note says so: sources that define `__global__`
//! themselves need neither.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{absolute, Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{bail, ensure, Context, Result};
use serde::Deserialize;
use tempfile::NamedTempFile;

use crate::complaint::Complaint;
use crate::places;

/// The extensions of sources of CUDA and OpenCL.
pub const SOURCES: [&str; 2] = ["cu", "cl"];

/// The device code of one source in a compile command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceCommand {
    compiler: OsString,
    /// The words between the compiler and the source.
    words: Vec<OsString>,
    source: PathBuf,
    directory: PathBuf,
    is_cuda: bool,
    /// The processors that it names.
    pub processors: Vec<String>,
    /// The level of optimisation for llc.
    pub level: u8,
    pub notes: Vec<String>,
}

/// Programs that run the compiler named after them.
const LAUNCHERS: [&str; 4] = ["ccache", "sccache", "distcc", "icecc"];

/// Options whose value is the next word, which is therefore not a source.
const WITH_VALUE: [&str; 28] = [
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-u",
    "-z",
    "-T",
    "-isystem",
    "-include",
    "-imacros",
    "-idirafter",
    "-iquote",
    "-isysroot",
    "-iprefix",
    "-iwithprefix",
    "-include-pch",
    "-target",
    "-resource-dir",
    "-working-directory",
    "-Xclang",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xcuda-ptxas",
    "-Xcuda-fatbinary",
    "-Xarch_device",
    "-Xarch_host",
];

/// Options that say what is made, or what else, with the next word as value.
const LEFT_OUT_WITH_VALUE: [&str; 6] = ["-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics"];

/// The same without a value.
const LEFT_OUT: [&str; 22] = [
    "-c",
    "-S",
    "-E",
    "-M",
    "-MD",
    "-MM",
    "-MMD",
    "-MP",
    "-MG",
    "-emit-llvm",
    "-fsyntax-only",
    "-v",
    "--cuda-device-only",
    "--cuda-host-only",
    "--cuda-compile-host-device",
    "--offload-device-only",
    "--offload-host-only",
    "--offload-host-device",
    "-fno-offload-lto",
    "-fno-lto",
    "-shared",
    "-static",
];

/// The same, by their beginnings.
const LEFT_OUT_BEGINNINGS: [&str; 9] = [
    "-o",
    "-foffload-lto",
    "-flto",
    "-save-temps",
    "--save-temps",
    "-ftime-trace",
    "-Wl,",
    "-Wp,-M",
    "-fuse-ld=",
];

/// The options of the plugin, by their beginnings.
const OF_THE_PLUGIN: [&str; 7] =
    ["ptx-", "maxreg", "nvptx-coalesce", "nvptx-copy-limit", "cssa-", "usedessa", "dump-before-cssa"];

/// clang's options that name processors, and those that remove them again.
const ARCHITECTURES: [&str; 2] = ["--offload-arch=", "--cuda-gpu-arch="];
const NO_ARCHITECTURES: [&str; 2] = ["--no-offload-arch=", "--no-cuda-gpu-arch="];

impl DeviceCommand {
    /// Reads a compile command that runs in `directory`; returns one for each source of CUDA or
    /// OpenCL in it.
    pub fn parse(words: &[OsString], directory: &Path) -> Result<Vec<DeviceCommand>> {
        let is_launcher = |word: &&OsString| LAUNCHERS.contains(&&*file_name(word));
        let launchers = words.iter().take_while(is_launcher).count();
        let (compiler, arguments) = words[launchers..].split_first().context("there is no compiler in it")?;
        ensure!(
            file_name(compiler).contains("clang"),
            "{} makes no LLVM IR of CUDA; take the command of a clang (CMake: -DCMAKE_CUDA_COMPILER=clang++)",
            compiler.to_string_lossy()
        );
        let mut command = DeviceCommand {
            compiler: compiler.clone(),
            words: Vec::new(),
            source: PathBuf::new(),
            directory: directory.to_owned(),
            is_cuda: true,
            processors: Vec::new(),
            level: 0,
            notes: Vec::new(),
        };
        let mut sources: Vec<(PathBuf, bool, Option<OsString>)> = Vec::new();
        let mut language: Option<OsString> = None;
        let mut arguments = arguments.iter();
        let mut only_files = false;
        while let Some(word) = arguments.next() {
            let text = word.to_string_lossy();
            if only_files || !text.starts_with(['-', '@']) || text == "-" {
                if let Some(is_cuda) = is_device(Path::new(word), language.as_deref()) {
                    sources.push((PathBuf::from(word), is_cuda, language.clone()));
                }
            } else if text == "--" {
                only_files = true;
            } else if LEFT_OUT_WITH_VALUE.contains(&&*text) {
                arguments.next();
            } else if text == "-x" {
                language = arguments.next().cloned();
            } else if let Some(name) = text.strip_prefix("-x") {
                language = Some(name.into());
            } else if text == "-mllvm" {
                let option = arguments.next().cloned().unwrap_or_default();
                command.add_option(word, option);
            } else if WITH_VALUE.contains(&&*text) {
                command.words.push(word.clone());
                command.words.extend(arguments.next().cloned());
            } else if !command.takes(&text) {
                command.words.push(word.clone());
            }
        }
        let commands = sources.into_iter().map(|(source, is_cuda, language)| {
            let mut command = DeviceCommand { source, is_cuda, ..command.clone() };
            if let Some(language) = language {
                command.words.extend(["-x".into(), language]);
            }
            command
        });
        Ok(commands.collect())
    }

    /// Adds an option of LLVM's. One of the plugin's is left out, as stock does not know it.
    fn add_option(&mut self, word: &OsStr, option: OsString) {
        let text = option.to_string_lossy().into_owned();
        let name = text.trim_start_matches('-');
        if OF_THE_PLUGIN.iter().any(|start| name.starts_with(start)) {
            self.notes.push(format!(
                "-mllvm {text} of the compile command is left out; --plugin-args gives it to ours"
            ));
        } else {
            self.words.extend([word.to_owned(), option]);
        }
    }

    /// Whether a word says what is made or for which processor, or loads the plugin. Such a word is
    /// not passed to clang.
    fn takes(&mut self, text: &str) -> bool {
        let value = |names: [&'static str; 2]| names.into_iter().find_map(|name| text.strip_prefix(name));
        if let Some(names) = value(ARCHITECTURES) {
            for name in names.split(',').filter(|name| *name != "native") {
                if !self.processors.iter().any(|known| known == name) {
                    self.processors.push(name.to_owned());
                }
            }
            return true;
        }
        if let Some(names) = value(NO_ARCHITECTURES) {
            let taken = |processor: &String| names.split(',').any(|name| name == processor || name == "all");
            self.processors.retain(|processor| !taken(processor));
            return true;
        }
        if let Some(level) = text.strip_prefix("-O") {
            self.level = match level {
                "" => 1,
                "s" | "z" => 2,
                "fast" => 3,
                number => number.parse::<u8>().unwrap_or(0).min(3),
            };
        }
        if let Some(processor) = text.strip_prefix("-march=").filter(|name| name.starts_with("sm_")) {
            self.processors = vec![processor.to_owned()];
            return true;
        }
        let loads = ["-fplugin=", "-fpass-plugin="].iter().any(|start| text.starts_with(start));
        LEFT_OUT.contains(&text)
            || LEFT_OUT_BEGINNINGS.iter().any(|start| text.starts_with(start))
            || (loads && text.contains("ptxpasses"))
    }

    /// The path of the source, relative to the current directory if it is below that.
    fn path(&self) -> PathBuf {
        let path = self.directory.join(&self.source);
        let here = std::env::current_dir().ok();
        let below = here.and_then(|here| Some(path.strip_prefix(here).ok()?.to_owned()));
        below.unwrap_or(path)
    }

    /// Compiles for a processor, with more words.
    pub fn compile(
        &self,
        processor: &str,
        more: &[String],
        toolkit: &Toolkit,
    ) -> Result<Result<Made, Complaint>> {
        let source = self.directory.join(&self.source);
        let mut base = self.words.clone();
        let last: Vec<OsString> = match self.is_cuda {
            true => ["--cuda-device-only".into(), format!("--offload-arch={processor}")]
                .map(OsString::from)
                .into(),
            false => vec![format!("-march={processor}").into()],
        };
        base.extend(["-S".into(), "-emit-llvm".into()]);
        base.extend(last);
        base.extend(more.iter().map(OsString::from));
        let run = Run { clang: &self.compiler, directory: Some(&self.directory), source: &source };
        if self.is_cuda {
            run.cuda(base, processor, toolkit)
        } else {
            run.plain(base)
        }
    }
}

/// The last part of a path.
fn file_name(word: &OsStr) -> std::borrow::Cow<'_, str> {
    Path::new(word).file_name().unwrap_or_default().to_string_lossy()
}

/// Whether a file is a source of device code; if so, whether it is CUDA.
fn is_device(path: &Path, language: Option<&OsStr>) -> Option<bool> {
    let [cu, cl] = SOURCES;
    match language.and_then(OsStr::to_str).filter(|language| *language != "none") {
        Some(language) => (language == "cuda" || language == "cl").then_some(language == "cuda"),
        None => {
            let extension = path.extension().and_then(OsStr::to_str);
            [cu, cl].map(Some).contains(&extension).then_some(extension == Some(cu))
        }
    }
}

/// Compile commands by the paths of their sources.
pub type Commands = BTreeMap<PathBuf, DeviceCommand>;

/// The device code of the command after `--`.
pub fn of_line(words: &[OsString]) -> Result<Commands> {
    let here = std::env::current_dir().context("the current folder")?;
    let commands = DeviceCommand::parse(words, &here).context("the compile command after --")?;
    ensure!(
        !commands.is_empty(),
        "the compile command after -- has no source of CUDA or OpenCL (.cu, .cl, -x cuda)"
    );
    Ok(commands.into_iter().map(|command| (command.path(), command)).collect())
}

/// An entry of `compile_commands.json`.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    arguments: Option<Vec<String>>,
}

/// The device code of a `compile_commands.json`, and notes about what is left out.
pub fn of_database(path: &Path) -> Result<(Commands, Vec<String>)> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    let entries: Vec<Entry> =
        serde_json::from_slice(&bytes).with_context(|| format!("{name} is not a compile_commands.json"))?;
    let folder = absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default();
    let mut commands = Commands::new();
    let (mut notes, mut others, mut why) = (Vec::new(), 0, String::new());
    for entry in entries {
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(line)) => {
                shlex::split(&line).with_context(|| format!("{name}: unbalanced quotes in {line}"))?
            }
            (None, None) => {
                bail!("{name}: the entry of {} has neither command nor arguments", entry.file.display())
            }
        };
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        match DeviceCommand::parse(&words, &folder.join(&entry.directory)) {
            Ok(found) => {
                for command in found {
                    let path = command.path();
                    if let Some(first) = commands.get(&path) {
                        if *first != command {
                            notes.push(format!(
                                "{}: has several commands in {name}: the first is taken",
                                path.display()
                            ));
                        }
                    } else {
                        commands.insert(path, command);
                    }
                }
            }
            // Any compiler may compile host code.
            Err(error) if is_device(&entry.file, None).is_some() => {
                others += 1;
                why = error.to_string();
            }
            Err(_) => {}
        }
    }
    if others > 0 {
        notes.push(format!("{} of {name} left out: {why}", crate::text::counted(others, "source")));
    }
    ensure!(
        !commands.is_empty(),
        "{name} has no source of CUDA or OpenCL that a clang compiles{}",
        if others > 0 { format!(": {why}") } else { String::new() }
    );
    Ok((commands, notes))
}

/// CUDA's toolkit for clang.
#[derive(Debug, Default)]
pub struct Toolkit {
    folder: Option<PathBuf>,
    /// Whether the caller has named it: then only that one will do.
    is_named: bool,
    /// A folder with an empty cuRAND header, if the toolkit lacks that. clang includes it and needs
    /// nothing from it.
    stand_in: Option<tempfile::TempDir>,
}

/// A header that clang includes in each source.
const CURAND: &str = "curand_mtgp32_kernel.h";

impl Toolkit {
    /// Finds it. `named`: by the caller.
    pub fn find(named: Option<&Path>) -> Result<Toolkit> {
        let folder = places::toolkit(named)?;
        let lacks_curand =
            folder.as_ref().is_some_and(|folder| !folder.join("include").join(CURAND).exists());
        let stand_in = match lacks_curand {
            true => {
                let made = tempfile::tempdir().context("temporary folder")?;
                fs::write(made.path().join(CURAND), "").context("temporary file")?;
                Some(made)
            }
            false => None,
        };
        Ok(Toolkit { folder, is_named: named.is_some(), stand_in })
    }

    fn words(&self) -> Option<Vec<OsString>> {
        let folder = self.folder.as_ref()?;
        let mut path = OsString::from("--cuda-path=");
        path.push(folder);
        let mut words = vec![path, "-Wno-unknown-cuda-version".into()];
        if let Some(made) = &self.stand_in {
            words.extend(["-idirafter".into(), made.path().into()]);
        }
        Some(words)
    }
}

/// The IR of a source.
#[derive(Debug)]
pub struct Made {
    pub file: NamedTempFile,
    /// A note about its compilation that the caller may not expect.
    pub note: Option<String>,
}

/// A clang that compiles a source.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub clang: &'a OsStr,
    pub directory: Option<&'a Path>,
    pub source: &'a Path,
}

impl Run<'_> {
    /// Compiles CUDA with these words: with the toolkit, or without CUDA's headers and libdevice.
    /// The inner error is clang's complaint.
    pub fn cuda(
        &self,
        words: Vec<OsString>,
        processor: &str,
        toolkit: &Toolkit,
    ) -> Result<Result<Made, Complaint>> {
        let starts = |start: &str| words.iter().any(|word| word.to_string_lossy().starts_with(start));
        // The caller has decided it.
        if starts("--cuda-path") || starts("-nocudainc") || starts("--no-cuda-inc") {
            return self.plain(words);
        }
        let with = |more: &[OsString]| self.plain([more, &words].concat());
        let feature = format!("--cuda-feature={}", ptx_feature(processor));
        let bare = ["-nocudainc", "-nocudalib", &feature].map(OsString::from);
        let Some((more, folder)) = toolkit.words().zip(toolkit.folder.as_ref()) else {
            let how = "there is no CUDA toolkit (--cuda-path and CUDA_PATH name one)";
            return Ok(match with(&bare)? {
                Ok(made) => Ok(Made {
                    note: Some(format!("compiled without CUDA's headers and libdevice: {how}")),
                    ..made
                }),
                Err(complaint) => Err(format!("{complaint}; {how}").into()),
            });
        };
        let complaint = match with(&more)? {
            Ok(made) => return Ok(Ok(made)),
            Err(complaint) if toolkit.is_named => return Ok(Err(complaint)),
            Err(complaint) => complaint,
        };
        Ok(match with(&bare)? {
            Ok(made) => {
                let folder = folder.display();
                let why = complaint.words().trim_start_matches("clang: ");
                let note = format!(
                    "compiled without CUDA's headers and libdevice, as clang refuses it with those of {folder}: {why}"
                );
                Ok(Made { note: Some(note), ..made })
            }
            Err(_) => Err(complaint),
        })
    }

    /// Compiles with these words.
    pub fn plain(&self, words: Vec<OsString>) -> Result<Result<Made, Complaint>> {
        let made = tempfile::Builder::new().suffix(".ll").tempfile().context("temporary file")?;
        let mut command = Command::new(self.clang);
        if let Some(directory) = self.directory {
            command.current_dir(directory);
        }
        let output = command
            .args(words)
            .arg(self.source)
            .arg("-o")
            .arg(made.path())
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", self.clang.to_string_lossy()))?;
        if output.status.success() {
            return Ok(Ok(Made { file: made, note: None }));
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|line| line.contains("error"));
        let words = line.or_else(|| text.lines().next()).unwrap_or("failed");
        Ok(Err(format!("clang: {words}").into()))
    }
}

/// The lowest PTX version for a processor; without CUDA, clang uses an older one.
pub fn ptx_feature(cpu: &str) -> &'static str {
    let digits = cpu.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
    match digits.parse().unwrap_or(0_u32) {
        0..=80 => "+ptx70",
        81..=86 => "+ptx71",
        87 => "+ptx74",
        88..=90 => "+ptx80",
        91..=100 => "+ptx86",
        _ => "+ptx88",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Vec<DeviceCommand>> {
        let words: Vec<OsString> =
            shlex::split(line).expect("quotes").into_iter().map(OsString::from).collect();
        DeviceCommand::parse(&words, Path::new("/d"))
    }

    #[test]
    fn the_device_code_of_a_command() {
        let line = "ccache /opt/bin/clang++-22 -fplugin=/x/libptxpasses.so -mllvm -ptx-stats -mllvm -inline-threshold=9 -I inc.cu -DA='b c' \
                    --offload-arch=sm_80,sm_90 --cuda-gpu-arch=sm_75 --no-offload-arch=sm_75 -std=c++17 -O2 -Xarch_host -O0 -MD -MF k.d -c a/k.cu host.cpp x.o -o k.o -lcudart";
        let [command] = &parse(line).expect("a command")[..] else { panic!("one source") };
        let words = [
            "-mllvm",
            "-inline-threshold=9",
            "-I",
            "inc.cu",
            "-DA=b c",
            "-std=c++17",
            "-O2",
            "-Xarch_host",
            "-O0",
            "-lcudart",
        ];
        assert_eq!(command.words, words);
        assert_eq!((command.compiler.as_os_str(), command.level), (OsStr::new("/opt/bin/clang++-22"), 2));
        assert_eq!(command.processors, ["sm_80", "sm_90"]);
        assert_eq!(command.path(), Path::new("/d/a/k.cu"));
        assert!(command.notes[0].contains("-mllvm -ptx-stats of the compile command is left out"));
    }

    #[test]
    fn languages_and_several_sources() {
        let commands = parse("clang -x cuda a.cpp -x none b.cu c.cpp d.cl --target=nvptx64 -march=sm_75")
            .expect("commands");
        let paths: Vec<PathBuf> = commands.iter().map(DeviceCommand::path).collect();
        assert_eq!(paths, ["/d/a.cpp", "/d/b.cu", "/d/d.cl"].map(PathBuf::from));
        assert!(
            commands[0].words.ends_with(&["-x".into(), "cuda".into()])
                && commands[0].is_cuda
                && !commands[2].is_cuda
        );
        assert_eq!(
            (commands[0].level, commands[2].processors.as_slice()),
            (0, ["sm_75".to_owned()].as_slice())
        );
        assert!(parse("clang++ -O2 a.cpp").expect("no source").is_empty());
        let error = parse("nvcc -O2 a.cu").expect_err("not clang").to_string();
        assert!(
            error.starts_with("nvcc makes no LLVM IR of CUDA") && error.contains("CMAKE_CUDA_COMPILER"),
            "{error}"
        );
        assert!(parse("ccache").is_err());
    }

    #[test]
    fn a_database_of_commands() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("compile_commands.json");
        let read = |text: &str| {
            fs::write(&path, text).expect("written");
            of_database(&path)
        };
        let host = r#"{"directory": "/p", "file": "h.cpp", "command": "gcc -c h.cpp"}"#;
        let nvcc = r#"{"directory": "/p", "file": "n.cu", "command": "nvcc -c n.cu"}"#;
        let clang = r#"{"directory": "/p", "file": "k.cu", "arguments": ["clang++", "-O3", "-c", "k.cu"]}"#;
        let again = clang.replace("-O3", "-O1");
        let (commands, notes) = read(&format!("[{host}, {nvcc}, {clang}, {again}]")).expect("commands");
        assert_eq!(commands.keys().collect::<Vec<_>>(), [Path::new("/p/k.cu")]);
        assert_eq!(commands[Path::new("/p/k.cu")].level, 3);
        assert!(
            notes[0].contains("has several commands") && notes[1].starts_with("1 source of "),
            "{notes:?}"
        );
        let error = |text: &str| format!("{:#}", read(text).expect_err("an error"));
        assert!(error(&format!("[{host}, {nvcc}]")).contains("nvcc makes no LLVM IR"));
        assert!(error(&format!("[{host}]")).ends_with("that a clang compiles"));
        assert!(error("{}").contains("is not a compile_commands.json"));
        assert!(error(r#"[{"directory": "/p", "file": "k.cu"}]"#).contains("neither command nor arguments"));
    }
}
