//! Runs llc, without and with the plugin.
//!
//! Both sides get the same arguments in the same order. The plugin's side has `-load PLUGIN` and
//! the plugin's own options before them. Output goes to unnamed temporary files, not pipes: no
//! reader threads, no deadlock on a full pipe, and a killed run leaves no files.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure, Context, Result};
use wait4::Wait4;

use crate::complaint::Complaint;
use crate::places;
use crate::timing::{self, Clock};
use wait_timeout::ChildExt;

/// The suffix of the names of passes that run in Rust, in timers and printouts.
pub const RUST_PASS_SUFFIX: &str = " (ptxpasses)";

/// Options of subcommands that run one llc.
#[derive(clap::Args, Clone, Debug)]
pub struct Tools {
    /// The llc to run [default: one that the plugin has a build for, the newest]
    #[arg(long, value_name = "LLC")]
    llc: Option<PathBuf>,
    /// Take the llc of this LLVM major version, and refuse another one
    #[arg(long, value_name = "N")]
    llvm: Option<u32>,
    #[command(flatten)]
    pub plugin: PluginArgs,
}

/// Options of subcommands that run several.
#[derive(clap::Args, Clone, Debug)]
pub struct Hosts {
    /// The llc to run; may be given several times, one a version [default: one that the plugin has
    /// a build for, the newest]
    #[arg(long, value_name = "LLC")]
    llc: Vec<PathBuf>,
    /// Take the llc of this LLVM major version; with --llc given as often, in the same order, to
    /// refuse another one
    #[arg(long, value_name = "N")]
    llvm: Vec<u32>,
    #[command(flatten)]
    pub plugin: PluginArgs,
}

impl Hosts {
    /// The options for each llc.
    pub fn each(&self) -> Result<Vec<Tools>> {
        let (llcs, versions) = (self.llc.len(), self.llvm.len());
        ensure!(
            llcs == 0 || versions == 0 || versions == llcs,
            "--llvm is given {versions} times, --llc {llcs} times"
        );
        let tools = |number: usize| Tools {
            llc: self.llc.get(number).cloned(),
            llvm: self.llvm.get(number).copied(),
            plugin: self.plugin.clone(),
        };
        Ok((0..llcs.max(versions).max(1)).map(tools).collect())
    }
}

/// The plugin, and how both sides are run.
#[derive(clap::Args, Clone, Debug)]
pub struct PluginArgs {
    /// The plugin that one side loads [default: that of the same installation]
    #[arg(long, value_name = "SO")]
    plugin: Option<PathBuf>,
    /// The plugin's own options; for `parity` with -ptx-profile=upstream unless they name a profile
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, value_parser = shell_words, default_value = "")]
    pub plugin_args: Words,
    /// Flags for both sides, e.g. '-verify-machineinstrs'
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, value_parser = shell_words, default_value = "")]
    pub extra: Words,
    /// Stop an llc that runs longer than this
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub timeout: u64,
}

/// Arguments given as one string, split like a shell does.
#[derive(Clone, Debug, Default)]
pub struct Words(pub Vec<String>);

/// Parser for [`Words`] on the command line.
pub fn shell_words(text: &str) -> Result<Words> {
    shlex::split(text).map(Words).ok_or_else(|| anyhow!("unbalanced quotes in {text}"))
}

/// One of the two sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Stock,
    Plugin,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Stock => "stock",
            Side::Plugin => "ptxpasses",
        })
    }
}

/// llc and plugin, checked and ready to run.
#[derive(Debug)]
pub struct Llc {
    program: PathBuf,
    plugin: PathBuf,
    plugin_args: Vec<String>,
    extra: Vec<String>,
    pub timeout: Duration,
    /// First line of `--version` that names the version, e.g. "Debian LLVM version 19.1.7".
    pub version: String,
}

impl Llc {
    /// Checks that llc runs and has the expected version, and that the plugin exists.
    pub fn new(tools: &Tools) -> Result<Self> {
        // `-load libx.so` would search the library path; a path with a slash is used as given.
        let PluginArgs { plugin, plugin_args, extra, timeout } = &tools.plugin;
        let plugin = plugin.as_ref().map_or_else(places::plugin, |plugin| Ok(plugin.clone()))?;
        let plugin = plugin.canonicalize().with_context(|| format!("no plugin at {}", plugin.display()))?;
        let program =
            tools.llc.as_ref().map_or_else(|| places::llc(&plugin, tools.llvm), |llc| Ok(llc.clone()))?;
        let mut llc = Llc {
            program,
            plugin,
            plugin_args: plugin_args.0.clone(),
            extra: extra.0.clone(),
            timeout: Duration::from_secs(*timeout),
            version: String::new(),
        };
        let output = llc.execute(&[llc.program.clone().into(), "--version".into()])?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().map(str::trim).find(|line| line.contains("LLVM version "));
        let line = line.with_context(|| {
            format!(
                "{} --version does not tell an LLVM version: {}",
                llc.program.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            )
        })?;
        ensure!(text.contains("nvptx64"), "{} is built without the NVPTX target", llc.program.display());
        llc.version = line.to_owned();
        if let Some(expected) = tools.llvm {
            ensure!(
                llc.major() == Some(expected),
                "{} is {}, not LLVM {expected}",
                llc.program.display(),
                llc.version
            );
        }
        Ok(llc)
    }

    /// Gives the plugin an option, unless it has it.
    pub fn add_plugin_option(&mut self, name: &str, value: &str) {
        let given = |word: &String| {
            let word = word.trim_start_matches('-');
            word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        if !self.plugin_args.iter().any(given) {
            self.plugin_args.push(format!("-{name}={value}"));
        }
    }

    /// The path of the plugin.
    pub fn plugin(&self) -> &Path {
        &self.plugin
    }

    /// The path of llc.
    pub fn program(&self) -> &Path {
        &self.program
    }

    fn major(&self) -> Option<u32> {
        let (_, number) = self.version.split_once("LLVM version ")?;
        number.split('.').next()?.parse().ok()
    }

    /// The full command line: llc, `-load` and the plugin's options on its side, `args`, and the
    /// flags for both sides that are not already in `args` (LLVM rejects some options when
    /// repeated). From LLVM 24 on llc has no `-load`: there `env`, by its path, preloads the
    /// plugin.
    pub fn command_line<S: AsRef<OsStr>>(&self, side: Side, args: &[S]) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec![];
        let preloads = self.major() >= Some(24);
        if side == Side::Plugin && preloads {
            line.push("/usr/bin/env".into());
            line.push(preload(&self.plugin, std::env::var_os("LD_PRELOAD")));
        }
        line.push(self.program.clone().into());
        if side == Side::Plugin {
            if !preloads {
                line.push("-load".into());
                line.push(self.plugin.clone().into());
            }
            line.extend(self.plugin_args.iter().map(OsString::from));
        }
        line.extend(args.iter().map(|arg| arg.as_ref().to_owned()));
        let extra = self.extra.iter().filter(|e| !args.iter().any(|a| a.as_ref() == OsStr::new(e)));
        line.extend(extra.map(OsString::from));
        line
    }

    /// Runs a command line of [`Self::command_line`] without input, and captures both outputs.
    pub fn execute(&self, line: &[OsString]) -> Result<Output> {
        let mut stdout = tempfile::tempfile().context("temporary file")?;
        let mut stderr = tempfile::tempfile().context("temporary file")?;
        let mut child = spawn(line, &stdout, &stderr)?;
        let exit = match child.wait_timeout(self.timeout).context("waiting for llc")? {
            Some(status) => Exit::from(status),
            None => {
                child.kill().context("stopping llc")?;
                child.wait().context("waiting for llc")?;
                Exit::TimedOut
            }
        };
        let stdout = without_head(read_back(&mut stdout)?);
        Ok(Output { exit, stdout, stderr: read_back(&mut stderr)? })
    }

    /// Compiles and returns the standard output; anything except success is an error with llc's
    /// message.
    pub fn compile<S: AsRef<OsStr>>(&self, side: Side, args: &[S]) -> Result<Vec<u8>> {
        let line = self.command_line(side, args);
        let output = self.execute(&line)?;
        if output.exit != Exit::Code(0) {
            bail!("{}", failure(&line, output.exit, &output.stderr));
        }
        Ok(output.stdout)
    }

    /// Runs a command line without a time limit and measures it.
    pub fn measure(&self, line: &[OsString]) -> Result<Usage> {
        let mut stderr = tempfile::tempfile().context("temporary file")?;
        let null = File::options().write(true).open("/dev/null").context("/dev/null")?;
        let start = Instant::now();
        let used = spawn(line, &null, &stderr)?.wait4().context("waiting for llc")?;
        let wall = start.elapsed();
        if !used.status.success() {
            bail!("{}", failure(line, used.status.into(), &read_back(&mut stderr)?));
        }
        let cpu = used.rusage.utime + used.rusage.stime;
        Ok(Usage { wall, cpu_ns: cpu.as_nanos() as u64, peak_bytes: used.rusage.maxrss })
    }

    /// The names of the plugin's passes that llc runs, without their mark.
    ///
    /// llc ignores a plugin that it cannot use, so "identical" alone says little: this shows
    /// whether the plugin does anything at all. The timers show the marks of passes that have run.
    pub fn rust_passes(&self) -> Result<Vec<String>> {
        let kernel = tempfile::Builder::new().suffix(".ll").tempfile().context("temporary file")?;
        let ir = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @f() {\n  ret void\n}\n";
        fs::write(kernel.path(), ir).context("temporary file")?;
        let report = tempfile::NamedTempFile::new().context("temporary file")?;
        let mut args: Vec<OsString> = vec![kernel.path().into()];
        args.extend(timing::options(report.path()));
        args.extend(["-o".into(), "/dev/null".into()]);
        let line = self.command_line(Side::Plugin, &args);
        let output = self.execute(&line)?;
        if output.exit != Exit::Code(0) {
            bail!(
                "llc with the plugin fails on an empty kernel, {}",
                failure(&line, output.exit, &output.stderr)
            );
        }
        let times = timing::parse(&fs::read_to_string(report.path()).context("temporary file")?, Clock::Wall);
        let marked = times.keys().filter_map(|name| name.strip_suffix(RUST_PASS_SUFFIX));
        Ok(marked.map(str::to_owned).collect())
    }
}

fn spawn(line: &[OsString], stdout: &File, stderr: &File) -> Result<std::process::Child> {
    let (program, args) = line.split_first().context("empty command line")?;
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().context("temporary file")?)
        .stderr(stderr.try_clone().context("temporary file")?)
        .spawn()
        .with_context(|| format!("cannot run {}", Path::new(program).display()))
}

fn read_back(file: &mut File) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).context("temporary file")?;
    Ok(bytes)
}

/// PTX without the line with the plugin's options, so that equal code is equal text.
fn without_head(mut output: Vec<u8>) -> Vec<u8> {
    if output.starts_with(b"// ptxpasses ") {
        let end = output.iter().position(|&byte| byte == b'\n').map_or(output.len(), |at| at + 1);
        output.drain(..end);
    }
    output
}

/// The end of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
    TimedOut,
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit status {code}"),
            Exit::Signal(signal) => write!(f, "killed by signal {signal}"),
            Exit::TimedOut => write!(f, "stopped at the time limit"),
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Output {
    pub exit: Exit,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// The cost of a run.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub wall: Duration,
    /// Processor time, user and system together.
    pub cpu_ns: u64,
    pub peak_bytes: u64,
}

/// The text of an error message about a failed run.
pub fn failure(line: &[OsString], exit: Exit, stderr: &[u8]) -> String {
    let words = String::from_utf8_lossy(stderr);
    // llc's stack dump says nothing about the input.
    let dump =
        ["PLEASE submit a bug report", "Stack dump"].into_iter().filter_map(|mark| words.find(mark)).min();
    format!("{exit}\n  {}\n{}", display_line(line), indent(&words[..dump.unwrap_or(words.len())], 20))
}

/// The line of llc's message that says what is wrong, without the stack dump after it.
pub fn complaint(exit: Exit, stderr: &str) -> Complaint {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_error =
        |line: &&str| line.contains("error:") || line.contains("ERROR:") || line.contains("Assertion");
    let line = lines().find(is_error).or_else(|| lines().next());
    let words = match (line, exit) {
        (Some(line), Exit::Code(_)) => line.to_owned(),
        (Some(line), _) => format!("{line} ({exit})"),
        (None, _) => exit.to_string(),
    };
    format!("llc: {words}").into()
}

/// A command line as text that can be pasted into a shell.
pub fn display_line(line: &[OsString]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%".contains(c);
    let quoted = line.iter().map(|word| {
        let word = word.to_string_lossy();
        match shlex::try_quote(&word) {
            Ok(quoted) if word.is_empty() || !word.chars().all(plain) => quoted.into_owned(),
            _ => word.into_owned(),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// The first `limit` lines, each indented.
pub fn indent(text: &str, limit: usize) -> String {
    let mut lines: Vec<String> = text.lines().take(limit).map(|line| format!("    {line}")).collect();
    if text.lines().count() > limit {
        lines.push("    ...".to_owned());
    }
    lines.join("\n")
}

/// The variable that `env` sets to preload a library before those that are preloaded already.
fn preload(library: &Path, already: Option<OsString>) -> OsString {
    let mut text = OsString::from("LD_PRELOAD=");
    text.push(library);
    if let Some(already) = already.filter(|already| !already.is_empty()) {
        text.push(":");
        text.push(already);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A distribution's llc 24 has no `-load`: every command with the plugin failed.
    #[test]
    fn from_24_on_the_plugin_is_preloaded() {
        let line = |version: &str, side| {
            let llc = Llc {
                program: "llc".into(),
                plugin: "p.so".into(),
                plugin_args: vec!["-ptx-stats".to_owned()],
                extra: vec![],
                timeout: Duration::from_secs(1),
                version: version.to_owned(),
            };
            llc.command_line(side, &["k.ll"]).join(OsStr::new(" ")).into_string().expect("all of it is text")
        };
        assert_eq!(line("LLVM version 23.1.4", Side::Plugin), "llc -load p.so -ptx-stats k.ll");
        let preloaded = line("Debian LLVM version 24.0.0", Side::Plugin);
        assert!(preloaded.starts_with("/usr/bin/env LD_PRELOAD=p.so"), "{preloaded}");
        assert!(preloaded.ends_with(" llc -ptx-stats k.ll"), "{preloaded}");
        assert_eq!(line("Debian LLVM version 24.0.0", Side::Stock), "llc k.ll");
        let both = preload(Path::new("p.so"), Some("q.so".into()));
        assert_eq!(both, "LD_PRELOAD=p.so:q.so");
    }

    #[test]
    fn each_llc_has_its_version() {
        let plugin = PluginArgs {
            plugin: Some("p.so".into()),
            plugin_args: Words::default(),
            extra: Words::default(),
            timeout: 1,
        };
        let hosts = |llvm: &[u32]| Hosts {
            llc: vec!["a/llc".into(), "b/llc".into()],
            llvm: llvm.to_vec(),
            plugin: plugin.clone(),
        };
        type Pairs = Vec<(Option<PathBuf>, Option<u32>)>;
        let pairs = |hosts: Hosts| -> Result<Pairs> {
            Ok(hosts.each()?.into_iter().map(|tools| (tools.llc, tools.llvm)).collect())
        };
        let each = |llvm: &[u32]| pairs(hosts(llvm));
        let [a, b] = ["a/llc", "b/llc"].map(|llc| Some(PathBuf::from(llc)));
        assert_eq!(each(&[]).expect("two"), [(a.clone(), None), (b.clone(), None)]);
        assert_eq!(each(&[17, 22]).expect("two"), [(a, Some(17)), (b, Some(22))]);
        let found = |llvm: &[u32]| pairs(Hosts { llc: Vec::new(), ..hosts(llvm) }).expect("no complaint");
        assert_eq!(found(&[]), [(None, None)], "one is looked for");
        assert_eq!(found(&[17, 22]), [(None, Some(17)), (None, Some(22))]);
        let error = each(&[17]).expect_err("one version of two").to_string();
        assert_eq!(error, "--llvm is given 1 times, --llc 2 times");
    }

    #[test]
    fn the_head_is_not_part_of_the_code() {
        let of = |text: &str| String::from_utf8(without_head(text.into())).expect("text");
        assert_eq!(
            of("// ptxpasses 0.3.1 for LLVM 22, profile cicc, options none\n//\n.version 7.0\n"),
            "//\n.version 7.0\n"
        );
        for text in ["", "//\n// ptxpasses 1\n", "ptxpasses 0.3.1 for LLVM 22\n"] {
            assert_eq!(of(text), text);
        }
        assert_eq!(of("// ptxpasses 1"), "");
    }

    #[test]
    fn one_line_of_complaint() {
        let words = |exit, stderr: &str| String::from(complaint(exit, stderr));
        let dump = "LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.x\nPLEASE submit a bug report\nStack dump:\n0. a\n";
        assert_eq!(
            words(Exit::Signal(6), dump),
            "llc: LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.x (killed by signal 6)"
        );
        assert_eq!(words(Exit::Code(1), "\nllc: error: a.ll:1:1: no\n^\n"), "llc: llc: error: a.ll:1:1: no");
        assert_eq!(words(Exit::TimedOut, ""), "llc: stopped at the time limit");
    }

    #[test]
    fn failures_have_no_stack() {
        let text = failure(
            &["llc".into()],
            Exit::Signal(6),
            b"LLVM ERROR: no\nPLEASE submit a bug report\nStack dump:\n0. a\n",
        );
        assert_eq!(text, "killed by signal 6\n  llc\n    LLVM ERROR: no");
    }
}
