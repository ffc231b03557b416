//! Compiles one input under one setting, and gives ptxas' figures for each kernel.
//!
//! `tune`, `build`, `gate` and `report` are built on this. A [`Compiler`] makes PTX from an
//! [`Input`] under a [`Setting`], a [`Judge`] makes [`Numbers`] from the PTX. Neither fails because
//! of the input: a complaint of llc or ptxas is a line of text.
//!
//! * The CPU is `--mcpu`, otherwise the `"target-cpu"` of the input's functions, otherwise sm_80;
//!   the file's name never counts. If llc or ptxas rejects a guessed one, the complaint names one
//!   that both accept.
//! * Occupancy is for blocks of `--block` threads; fewer if the kernel's launch bounds allow fewer,
//!   and as many as `.reqntid` says. Static shared memory counts, dynamic shared memory only by
//!   `--shared`.
//! * ptxas gets the PTX without `debug` ([`crate::ptxas::without_debug`]).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use anyhow::{ensure, Context, Result};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::complaint::Complaint;
use crate::inputs::{self, Files, Processor, Target, DEFAULT_CPU};
use crate::llc::{complaint, shell_words, Exit, Llc, Tools, Words};
use crate::places;
use crate::ptxas::{self, Cached, CachedArgs, Cuda, Kept, Usage};
use crate::source::{self, Commands, Made, Toolkit, SOURCES};

pub mod identity;
pub mod judgement;
pub mod memo;
mod probe;
pub mod sameness;
pub mod setting;

use memo::{Loops, Made as Text, Memo};
pub use nvptx_occupancy::Multiprocessor;
use probe::Probe;
use ptx_emu::ptx;
use ptx_emu::ptx::module::{Function, Module};
use setting::Setting;

/// The options of subcommands that compile.
#[derive(clap::Args, Clone, Debug)]
pub struct CompileArgs {
    /// Compile for this processor, or for one file or folder for another one (k.cu=sm_90) [default:
    /// the "target-cpu" of the input's functions]; several times for several, in `kernels` and
    /// `report`
    #[arg(long, value_name = "[FILE=]CPU")]
    pub mcpu: Vec<Processor>,
    /// CUDA's toolkit for clang, for sources of CUDA [default: CUDA_PATH, that of the ptxas on the
    /// PATH, build/toolkit, that of Python's packages, /usr/local/cuda]
    #[arg(long, value_name = "DIR")]
    pub cuda_path: Option<PathBuf>,
    /// Flags for clang, which makes IR of .cu and .cl, e.g. '-Iinclude -DN=4'
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, value_parser = shell_words, default_value = "")]
    pub clang_args: Words,
    /// Optimisation level
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level: u8,
}

/// The options of subcommands that ask ptxas about kernels.
#[derive(clap::Args, Debug)]
pub struct JudgeArgs {
    #[command(flatten)]
    cached: CachedArgs,
    /// Threads of a block, for occupancy; a kernel's launch bounds win
    #[arg(long, value_name = "THREADS", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub block: u32,
    /// Bytes of shared memory that a block gets at launch, for occupancy
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub shared: u32,
    /// Compile for N registers a thread: -maxreg for the plugin, unless its options name one, and
    /// ptxas' limit on both sides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub maxrregcount: Option<u32>,
}

/// A file to compile.
#[derive(Clone, Debug)]
pub struct Input {
    pub path: PathBuf,
    /// The processor, and whether it is a guess.
    pub cpu: String,
    pub cpu_is_guessed: bool,
    /// LLVM IR as text, also for bitcode; `None` for machine code and PTX.
    pub ir: Option<String>,
    /// The file's bytes.
    pub content: Vec<u8>,
    has_triple: bool,
    /// The optimisation level that its compile command names.
    level: Option<u8>,
    /// Further notes about its compilation.
    notes: Vec<String>,
    /// The IR that clang has made from it.
    made: Option<Arc<NamedTempFile>>,
    /// clang's complaint about it.
    refused: Option<Complaint>,
}

impl Input {
    /// The file that llc reads.
    fn file(&self) -> &Path {
        self.made.as_ref().map_or(&self.path, |made| made.path())
    }

    /// Notes about its compilation: the processor is a guess, CUDA's headers are missing.
    pub fn notes(&self) -> Vec<String> {
        let path = self.path.display();
        let guessed = self.cpu_is_guessed.then(|| {
            format!("{path}: names no target-cpu: compiled for {}; --mcpu chooses another one", self.cpu)
        });
        guessed.into_iter().chain(self.notes.iter().map(|note| format!("{path}: {note}"))).collect()
    }

    /// The kernels that it defines; `None` if only llc can tell.
    pub fn kernels(&self) -> Option<BTreeSet<String>> {
        identity::kernels(self.ir.as_ref().filter(|_| self.refused.is_none())?)
    }

    /// Whether it is already PTX.
    pub fn is_ptx(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "ptx")
    }
}

/// A file and the processor that it is compiled for: `None` for the one that it names itself.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    pub path: &'a Path,
    pub cpu: Option<String>,
}

/// PTX of one input under one setting.
pub type Compiled = Result<Module, Complaint>;

/// Runs one llc.
#[derive(Debug)]
pub struct Compiler {
    pub llc: Llc,
    level: u8,
    mcpu: Vec<Processor>,
    clang_args: Vec<String>,
    cuda_path: Option<PathBuf>,
    /// Set when the first source is compiled.
    toolkit: OnceLock<Toolkit>,
    /// The commands that compile some of the sources.
    commands: Commands,
    /// The registers per thread that the plugin compiles for, unless a setting says it.
    maxreg: Option<u32>,
    /// The names that `-ptx-passes` takes.
    steps: Vec<String>,
    /// For a pass or stage, the pass in or after which it runs.
    hosts: BTreeMap<String, String>,
    probe: Probe,
    /// What llc has made, where it is remembered.
    memo: Option<Memo>,
}

/// The option that proves the passes.
const VERIFY: &str = "-ptx-verify";
/// The option that writes statistics to a file.
const STATISTICS: &str = "-ptx-stats-json";

impl Compiler {
    /// Checks llc and plugin. `maxrregcount`: see [`JudgeArgs`].
    pub fn new(tools: &Tools, args: &CompileArgs, maxrregcount: Option<u32>) -> Result<Self> {
        Compiler::with(tools, args, maxrregcount, None)
    }

    /// The same; what llc and the plugin say of themselves is kept between runs.
    pub fn with(
        tools: &Tools,
        args: &CompileArgs,
        maxrregcount: Option<u32>,
        kept: Option<Kept>,
    ) -> Result<Self> {
        let llc = Llc::new(tools)?;
        let probe = Probe::new(&llc, kept)?;
        let table = &probe.table;
        let steps: Vec<String> = table
            .lines()
            .skip(1)
            .filter_map(|line| Some(line.split_whitespace().next()?.to_owned()))
            .collect();
        let hosts = table.lines().skip(1).filter_map(|line| {
            // Up to 0.3.1 the words were others. words: ok: they are quoted
            let places = ["Rust, before ", "Rust, after ", "Rust, in front of ", "Rust, behind "];
            let host = places.iter().find_map(|place| line.split_once(place))?.1;
            Some((line.split_whitespace().next()?.to_owned(), host.trim().to_owned()))
        });
        let is_named = tools.plugin.plugin_args.0.iter().any(|flag| is_maxreg(flag));
        ensure!(!steps.is_empty(), "-ptx-passes=help lists nothing: is the plugin of another version?");
        Ok(Compiler {
            hosts: hosts.collect(),
            steps,
            llc,
            level: args.level,
            maxreg: maxrregcount.filter(|_| !is_named),
            mcpu: args.mcpu.clone(),
            clang_args: args.clang_args.0.clone(),
            cuda_path: args.cuda_path.clone(),
            toolkit: OnceLock::new(),
            commands: Commands::new(),
            memo: None,
            probe,
        })
    }

    /// Remembers from now on what llc makes.
    pub fn remember(&mut self) {
        self.memo = Some(Memo::default());
    }

    /// Has the plugin write code for the ptxas that will compile it, where that says its version, the
    /// plugin has the option, and the caller has not given it.
    pub fn write_for(&mut self, cuda: &Path) {
        const OPTION: &str = "ptx-ptxas-version";
        // The plugin reads this variable, and an option of ours would win.
        if std::env::var("PTXPASSES_ARGS").is_ok_and(|words| words.contains(OPTION)) {
            return;
        }
        let version = Cuda::find(cuda).and_then(|cuda| cuda.number().ok());
        if let Some(version) = version.filter(|_| self.knows(OPTION)) {
            self.llc.add_plugin_option(OPTION, &version.to_string());
        }
    }

    /// Takes over the commands of these files, and returns the files.
    pub fn take(&mut self, files: Files) -> Result<Vec<PathBuf>> {
        inputs::check_processors(&self.mcpu, &files.files)?;
        self.commands = files.commands;
        Ok(files.files)
    }

    /// The processors that a file is compiled for: those of `--mcpu`, otherwise those of its
    /// compile command, otherwise the one that it names itself.
    fn processors(&self, path: &Path) -> Vec<Option<String>> {
        let mut cpus: Vec<String> =
            inputs::processors(&self.mcpu, path).into_iter().map(str::to_owned).collect();
        if let Some(command) = self.commands.get(path).filter(|_| cpus.is_empty()) {
            cpus.clone_from(&command.processors);
        }
        if cpus.is_empty() {
            vec![None]
        } else {
            cpus.into_iter().map(Some).collect()
        }
    }

    /// The files, each once for each processor.
    pub fn jobs<'a>(&self, files: &'a [PathBuf]) -> Vec<Job<'a>> {
        let of_file = |path: &'a PathBuf| self.processors(path).into_iter().map(move |cpu| Job { path, cpu });
        files.iter().flat_map(of_file).collect()
    }

    /// Reads a file that is compiled for a single processor.
    pub fn input(&self, path: &Path) -> Result<Input> {
        let mut cpus = self.processors(path);
        ensure!(
            cpus.len() == 1,
            "{}: compiled for {}: this command takes one processor a file; --mcpu names one",
            path.display(),
            cpus.into_iter().flatten().collect::<Vec<_>>().join(" and ")
        );
        self.read(&Job { path, cpu: cpus.pop().flatten() })
    }

    /// Reads a file and determines its processor.
    pub fn read(&self, job: &Job) -> Result<Input> {
        let path = job.path;
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let command = self.commands.get(path);
        let is_source = command.is_some() || SOURCES.contains(&extension);
        let extension = if is_source { SOURCES[0] } else { extension };
        let mut notes = command.map_or_else(Vec::new, |command| command.notes.clone());
        if command.is_some_and(|command| command.level == 0) {
            notes.push(
                "its compile command has no -O: nothing is optimised, by the plugin neither".to_owned(),
            );
        }
        let (made, refused) = match is_source {
            false => (None, None),
            true => match self.compile_source(job)? {
                Ok(Made { file, note }) => {
                    notes.extend(note);
                    (Some(Arc::new(file)), None)
                }
                Err(complaint) => (None, Some(complaint)),
            },
        };
        let file = made.as_ref().map_or(path, |made| made.path());
        let content = fs::read(file).with_context(|| format!("cannot read {}", path.display()))?;
        if extension == "ptx" {
            inputs::ensure_ptx(path, &content)?;
        }
        let ir = match extension {
            "bc" => self.disassemble(path)?,
            "ll" | "cu" | "cl" => Some(String::from_utf8_lossy(&content).into_owned()),
            _ => None,
        };
        let mut target =
            ir.as_deref().map_or_else(|| Target::of(&String::from_utf8_lossy(&content)), Target::of);
        if extension == "ptx" {
            target.cpu = ptx::analyse(&String::from_utf8_lossy(&content)).target;
        }
        // In a source's IR clang has written the processor that it was given.
        let named = job.cpu.clone().or_else(|| target.cpu.filter(|_| !is_source));
        Ok(Input {
            level: command.map(|command| command.level),
            notes,
            path: path.to_owned(),
            cpu_is_guessed: named.is_none(),
            cpu: named.unwrap_or_else(|| DEFAULT_CPU.to_owned()),
            ir,
            content,
            has_triple: target.has_triple,
            made,
            refused,
        })
    }

    /// The IR of CUDA or OpenCL, by its compile command or by the clang beside llc. The inner error
    /// is clang's complaint.
    fn compile_source(&self, job: &Job) -> Result<Result<Made, Complaint>> {
        let path = job.path;
        let toolkit = match self.toolkit.get() {
            Some(toolkit) => toolkit,
            None => {
                let found = Toolkit::find(self.cuda_path.as_deref())?;
                self.toolkit.get_or_init(|| found)
            }
        };
        let cpu = job.cpu.as_deref().unwrap_or(DEFAULT_CPU);
        if let Some(command) = self.commands.get(path) {
            return command.compile(cpu, &self.clang_args, toolkit);
        }
        let clang = places::beside(self.llc.program(), "clang").with_context(|| {
            format!(
                "{}: no clang beside llc makes IR of it: {}",
                path.display(),
                self.llc.program().display()
            )
        })?;
        let mut words =
            vec!["-S".into(), "-emit-llvm".into(), "-fno-ident".into(), format!("-O{}", self.level)];
        let is_cuda = path.extension().is_some_and(|extension| extension == SOURCES[0]);
        words.extend(
            match is_cuda {
                true => ["-x cuda --cuda-device-only", &format!("--offload-arch={cpu}")].join(" "),
                false => {
                    let feature = source::ptx_feature(cpu);
                    format!(
                        "--target=nvptx64-nvidia-cuda -march={cpu} -Xclang -target-feature -Xclang {feature}"
                    )
                }
            }
            .split(' ')
            .map(str::to_owned),
        );
        words.extend(self.clang_args.iter().cloned());
        let words = words.into_iter().map(OsString::from).collect();
        let run = source::Run { clang: clang.as_os_str(), directory: None, source: path };
        if is_cuda {
            run.cuda(words, cpu, toolkit)
        } else {
            run.plain(words)
        }
    }

    /// Disassembles bitcode with the llvm-dis beside llc; `None` if there is no such tool, or if it
    /// rejects the file as llc will.
    fn disassemble(&self, path: &Path) -> Result<Option<String>> {
        let Some(tool) = places::beside(self.llc.program(), "llvm-dis") else { return Ok(None) };
        let output = Command::new(&tool)
            .args([path.as_os_str(), "-o".as_ref(), "-".as_ref()])
            .output()
            .with_context(|| format!("cannot run {}", tool.display()))?;
        let text = output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned());
        Ok(text)
    }

    /// For a stage or pass, the pass in or after which it runs. Without that host, which then is
    /// stock's, a stage does not run.
    pub fn hosts(&self) -> &BTreeMap<String, String> {
        &self.hosts
    }

    /// The plugin's version, as it prints it.
    pub fn plugin_version(&self) -> Result<String> {
        self.probe.plugin_version()
    }

    /// The names that `-ptx-passes` takes.
    pub fn steps(&self) -> &[String] {
        &self.steps
    }

    /// Whether this llc has an option.
    pub fn knows(&self, option: &str) -> bool {
        let key = format!("--{}", option.trim_start_matches('-').split('=').next().unwrap_or(""));
        self.probe.options.lines().any(|line| {
            let rest = line.trim_start().strip_prefix(&key);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '=']))
        })
    }

    /// Whether this llc has everything that a setting needs.
    pub fn has(&self, setting: &Setting) -> bool {
        setting.flags.iter().all(|flag| self.knows(flag))
            && setting.without.iter().all(|step| self.steps.contains(step))
    }

    /// The whole command line for an input under a setting, except for the output.
    pub fn command_line(&self, input: &Input, setting: &Setting) -> Vec<OsString> {
        self.llc.command_line(setting.side(), &self.arguments(input, setting, &input.cpu))
    }

    /// llc's arguments for an input under a setting, after those that load the plugin.
    fn arguments(&self, input: &Input, setting: &Setting, cpu: &str) -> Vec<OsString> {
        let mut args: Vec<OsString> = setting.flags.iter().map(OsString::from).collect();
        args.extend(self.maxreg.and_then(|limit| maxreg_of(setting, limit)).map(OsString::from));
        if !setting.without.is_empty() {
            let kept: Vec<&str> = self
                .steps
                .iter()
                .filter(|step| !setting.without.contains(step))
                .map(String::as_str)
                .collect();
            args.push(format!("-ptx-passes={}", kept.join(",")).into());
        }
        if !input.has_triple {
            args.push("-march=nvptx64".into());
        }
        args.extend([
            format!("-mcpu={cpu}").into(),
            format!("-O{}", input.level.unwrap_or(self.level)).into(),
            input.file().into(),
        ]);
        args
    }

    /// Compiles an input under a setting with the further flags `more`. The inner error is one
    /// line.
    pub fn compile(&self, input: &Input, setting: &Setting, more: &[&str]) -> Result<Compiled> {
        if input.is_ptx() {
            return Ok(Ok(Module::new(String::from_utf8_lossy(&input.content).into_owned())));
        }
        Ok(self.compile_for(input, setting, more, &input.cpu)?.map(Module::new))
    }

    /// Compiles an input under a setting; if the plugin runs, it proves its passes, and says what it did to loops.
    pub fn compile_proven(
        &self,
        input: &Input,
        setting: &Setting,
    ) -> Result<Result<(Module, Option<Loops>), Complaint>> {
        if setting.stock || input.is_ptx() {
            return Ok(self.compile(input, setting, &[])?.map(|module| (module, None)));
        }
        let made = self.text(input, setting, &[VERIFY], &input.cpu, self.knows(STATISTICS))?;
        Ok(made.map(|made| (Module::new(made.text.clone()), made.loops)))
    }

    fn compile_for(
        &self,
        input: &Input,
        setting: &Setting,
        more: &[&str],
        cpu: &str,
    ) -> Result<Result<String, Complaint>> {
        Ok(self.text(input, setting, more, cpu, false)?.map(|made| made.text.clone()))
    }

    /// The text that llc makes, which may be remembered. `has_statistics`: with what the plugin did to loops.
    fn text(
        &self,
        input: &Input,
        setting: &Setting,
        more: &[&str],
        cpu: &str,
        has_statistics: bool,
    ) -> Result<Result<Arc<Text>, Complaint>> {
        if let Some(complaint) = &input.refused {
            return Ok(Err(complaint.clone()));
        }
        let mut args = self.arguments(input, setting, cpu);
        args.extend(more.iter().map(OsString::from));
        args.extend(["-o".into(), "-".into()]);
        let mut all = vec![OsString::from(setting.side().to_string())];
        all.extend(args.iter().cloned());
        let key =
            self.memo.as_ref().map(|memo| (memo, memo::key(&all, input.file(), &input.path, &input.content)));
        if let Some(known) = key.as_ref().and_then(|(memo, key)| memo.get(key)) {
            return Ok(known);
        }
        let statistics = has_statistics.then(NamedTempFile::new).transpose().context("temporary file")?;
        args.extend(statistics.iter().map(|file| format!("{STATISTICS}={}", file.path().display()).into()));
        let output = self.llc.execute(&self.llc.command_line(setting.side(), &args))?;
        ensure!(output.exit != Exit::Signal(ptxas::INTERRUPTED), "llc was interrupted");
        let made = match output.exit {
            Exit::Code(0) => {
                let json = statistics.map(|file| fs::read_to_string(file.path()).context("temporary file"));
                let loops = json.transpose()?.map(|json| Loops::read(&json)).transpose()?.flatten();
                Ok(Arc::new(Text { text: String::from_utf8_lossy(&output.stdout).into_owned(), loops }))
            }
            exit => Err(complaint(exit, &String::from_utf8_lossy(&output.stderr))),
        };
        if let Some((memo, key)) = key {
            memo.put(key, &made);
        }
        Ok(made)
    }

    /// Extends a complaint about an input whose processor was guessed: names one that llc and ptxas
    /// both accept.
    pub fn advise(&self, judge: &Judge, input: &Input, complaint: impl Display) -> Result<String> {
        let takes = |cpu: &str| match self.compile_for(input, &Setting::stock(), &[], cpu)? {
            Ok(text) => Ok(judge.assemble(&Module::new(text), cpu)?.is_ok()),
            Err(_) => Ok(false),
        };
        let advice = if input.cpu_is_guessed { inputs::advice(takes)? } else { String::new() };
        Ok(format!("{}: {complaint}{advice}", input.path.display()))
    }
}

/// The option that makes the plugin compile for a register limit, unless the setting has one: LLVM
/// rejects a second one.
fn maxreg_of(setting: &Setting, limit: u32) -> Option<String> {
    let names_one = setting.flags.iter().any(|flag| is_maxreg(flag));
    (!setting.stock && !names_one).then(|| format!("-maxreg={limit}"))
}

fn is_maxreg(flag: &str) -> bool {
    flag.trim_start_matches('-').split('=').next() == Some("maxreg")
}

/// The numbers of one kernel, from ptxas.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    pub registers: u64,
    pub spill_stores: u64,
    pub spill_loads: u64,
    pub stack: u64,
    /// SASS instructions without padding.
    pub sass: u64,
    /// Bytes of static shared memory.
    pub shared: u64,
    /// Threads of the block that occupancy is computed for.
    pub block: u32,
    /// Warps that are resident on a multiprocessor, and the most that can be.
    pub warps: u32,
    pub max_warps: u32,
}

impl Numbers {
    pub fn spills(&self) -> u64 {
        self.spill_stores + self.spill_loads
    }

    /// The percentage.
    pub fn occupancy(&self) -> u32 {
        100 * self.warps / self.max_warps.max(1)
    }
}

/// The launch bounds in a kernel's head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// `.reqntid`: the threads of a block.
    pub exact: Option<u32>,
    /// `.maxntid`: the most threads of a block.
    pub most: Option<u32>,
    /// `.minnctapersm`
    pub min_blocks: Option<u32>,
    /// `.maxnreg`
    pub max_registers: Option<u32>,
}

impl Bounds {
    /// Reads them from the part between the parameters and the body.
    pub fn of(kernel: &Function) -> Bounds {
        let mut bounds = Bounds::default();
        let tail = kernel.head.rsplit_once(')').map_or("", |(_, tail)| tail);
        let mut words = tail.split([' ', ',']).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            let mut product = None;
            while let Some(number) = words.peek().and_then(|word| word.parse::<u32>().ok()) {
                product = Some(product.unwrap_or(1_u32).saturating_mul(number));
                words.next();
            }
            match word {
                ".reqntid" => bounds.exact = product,
                ".maxntid" => bounds.most = product,
                ".minnctapersm" => bounds.min_blocks = product,
                ".maxnreg" => bounds.max_registers = product,
                _ => {}
            }
        }
        bounds
    }

    /// The threads of a block if the user wants this many.
    pub fn block(&self, threads: u32) -> u32 {
        self.exact.unwrap_or_else(|| threads.min(self.most.unwrap_or(threads)))
    }
}

/// Runs ptxas, and computes numbers from its output.
#[derive(Debug)]
pub struct Judge<'a> {
    pub ptxas: Cached<'a>,
    block: u32,
    shared: u32,
}

impl<'a> Judge<'a> {
    /// Finds ptxas in a folder.
    pub fn new(cuda: &Path, args: &'a JudgeArgs) -> Result<Self> {
        let ptxas = Cached::open(cuda, &args.cached, args.maxrregcount)?;
        Ok(Judge { ptxas, block: args.block, shared: args.shared })
    }

    /// Runs ptxas on a whole module.
    pub fn assemble(&self, module: &Module, cpu: &str) -> Result<Result<Usage, Complaint>> {
        self.assemble_text(module.text(), cpu)
    }

    pub fn assemble_text(&self, text: &str, cpu: &str) -> Result<Result<Usage, Complaint>> {
        Ok(self.ptxas.assemble(text, cpu)?.and_then(complete).map_err(of_line))
    }

    /// The same, with the cubin.
    pub fn machine_code(&self, text: &str, cpu: &str) -> Result<Result<(Usage, Vec<u8>), Complaint>> {
        let outcome = self.ptxas.machine_code(text, cpu)?;
        Ok(outcome.and_then(|(usage, cubin)| Ok((complete(usage)?, cubin))).map_err(of_line))
    }

    /// The numbers of each kernel of a module.
    pub fn judge(&self, module: &Module, cpu: &str) -> Result<Result<BTreeMap<String, Numbers>, Complaint>> {
        Ok(self.assemble(module, cpu)?.map(|usage| self.numbers(module, &usage, cpu)))
    }

    /// The numbers of those kernels of a module that ptxas has assembled.
    pub fn numbers(&self, module: &Module, usage: &Usage, cpu: &str) -> BTreeMap<String, Numbers> {
        let processor = Multiprocessor::of(cpu);
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut result = BTreeMap::new();
        for kernel in &usage.kernels {
            let head = module.functions.iter().find(|function| function.name == kernel.name);
            let block = head.map_or(self.block, |head| Bounds::of(head).block(self.block));
            let shared = small(kernel.shared).saturating_add(self.shared);
            let numbers = Numbers {
                registers: kernel.registers,
                spill_stores: kernel.spill_stores,
                spill_loads: kernel.spill_loads,
                stack: kernel.stack,
                sass: kernel.sass.unwrap_or(0),
                shared: kernel.shared,
                block,
                warps: processor.resident_warps(block, small(kernel.registers), shared),
                max_warps: processor.architecture.max_warps,
            };
            result.insert(kernel.name.clone(), numbers);
        }
        result
    }
}

/// Refuses figures that lack SASS: a kernel without it would look like the best of all.
fn complete(usage: Usage) -> Result<Usage, Complaint> {
    let unknown = usage.kernels.iter().find(|kernel| kernel.sass.is_none());
    match unknown.map(|kernel| format!("the disassembler says nothing of {}", kernel.name)) {
        Some(complaint) => Err(complaint.into()),
        None => Ok(usage),
    }
}

/// A complaint of ptxas without the name of the temporary file.
fn of_line(complaint: Complaint) -> Complaint {
    complaint.words().trim_start_matches("ptxas ").replacen("ptx, line", "ptxas: line", 1).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(directives: &str) -> Bounds {
        let module =
            Module::new(format!(".visible .entry k(\n.param .u32 p\n)\n{directives}\n{{\nret;\n}}\n"));
        Bounds::of(&module.functions[0])
    }

    #[test]
    fn launch_bounds() {
        assert_eq!(bounds(""), Bounds::default());
        let all = bounds(".maxntid 128, 2, 1\n.minnctapersm 2\n.maxnreg 40");
        assert_eq!(
            (all.most, all.min_blocks, all.max_registers, all.exact),
            (Some(256), Some(2), Some(40), None)
        );
        assert_eq!((all.block(1024), all.block(64)), (256, 64));
        let exact = bounds(".reqntid 96");
        assert_eq!(exact.block(1024), 96);
        assert_eq!(bounds(".maxntid 128").block(1024), 128, "LLVM 22 writes one number");
    }

    #[test]
    fn the_plugin_gets_a_limit_of_registers_once() {
        let of = |setting: Setting| maxreg_of(&setting, 64);
        assert_eq!(of(Setting::default_one()).as_deref(), Some("-maxreg=64"));
        assert_eq!(of(Setting::stock()), None);
        assert_eq!(of(Setting { flags: vec!["-maxreg=32".to_owned()], ..Setting::default() }), None);
        assert!(is_maxreg("--maxreg=8") && !is_maxreg("-maxregs") && !is_maxreg("-ptx-lsr"));
    }

    #[test]
    fn occupancy_in_percent() {
        let numbers =
            Numbers { warps: 24, max_warps: 64, spill_loads: 4, spill_stores: 8, ..Numbers::default() };
        assert_eq!((numbers.occupancy(), numbers.spills()), (37, 12));
    }
}
