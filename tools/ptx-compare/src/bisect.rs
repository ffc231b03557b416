//! `bisect`: finds the function and the stages of the plugin that make a difference.
//!
//! The difference is one of [`Respect`], or one that a command finds in the PTX. Stock's code is
//! good, and the plugin's is bad. Between them are modules whose first functions are the plugin's
//! and whose others are stock's (`-ptx-bisect-limit`), and functions that go through some of the
//! plugin's passes and stages (`-ptx-passes`; its `help` lists them). [`search`] finds the
//! function, then a minimal set of passes and stages, then the coalescer's copy if that pass is in
//! the set.
//!
//! The function comes first. From then on only what was bad about it counts: other passes and
//! stages may also change the functions before it.
//!
//! Exit status as of `git bisect run`: 0 if it is found, 1 if nothing differs, 2 if the search
//! failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Context, Result};
use ptx_emu::ptx::module::Module;
use serde::Serialize;
use wait_timeout::ChildExt;

use crate::complaint::Complaint;
use crate::inputs;
use crate::llc::{display_line, Exit, Tools};
use crate::measure::sameness;
use crate::measure::setting::{named, Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiler, Input, Judge, JudgeArgs, Numbers};
use crate::ptxas::CudaArgs;
use crate::sass;
use crate::sheet::{OutputArgs, Sheet};
use crate::source::SOURCES;
use crate::text::{change, counted, print_notes};
use crate::time;

mod search;

use search::Verdict;

#[derive(clap::Args, Debug)]
#[command(
    after_help = "Exit status, as of `git bisect run`: 0 if the function and the stages are found, 1 if nothing differs, \
                        2 if it could not be searched for, such as where stock's code is bad as well."
)]
pub struct Args {
    #[command(flatten)]
    tools: Tools,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    cuda: CudaArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// In which respect stock's code and the plugin's differ
    #[arg(long, value_name = "RESPECT", default_value = "output", conflicts_with = "command")]
    by: Respect,
    /// Run this shell command on the PTX: exit status 0 is good, 125 is skipped, any other one is
    /// bad. The PTX's path is in $PTX, and the last argument if the command does not name $PTX
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// Look at this kernel or function only
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    kernel: Option<String>,
    /// The setting that is compared with stock, by its name; `kernels --setting list` names all
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    setting: String,
    /// A module (.ll, .bc, .mir); of .cu and .cl make IR first: clang -S -emit-llvm
    #[arg(value_name = "IN")]
    file: PathBuf,
}

/// The respect in which stock's code and the plugin's are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
enum Respect {
    /// A function's PTX is another one
    Output,
    /// A kernel needs more registers
    Registers,
    /// A kernel spills and reloads more bytes
    Spills,
    /// A kernel has more SASS instructions
    Sass,
    /// A kernel has a lower occupancy
    Occupancy,
    /// A function computes something else, by the interpreter of `equal`
    Equal,
    /// A kernel is predicted to take over 1 % longer, by `FILE.launch` beside the input or by
    /// launches that are made up
    Time,
}

impl fmt::Display for Respect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = clap::ValueEnum::to_possible_value(self);
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

impl Respect {
    /// The number that ptxas gives, if ptxas is asked; a larger one is worse.
    fn cost(self, numbers: &Numbers) -> Option<u64> {
        match self {
            Respect::Registers => Some(numbers.registers),
            Respect::Spills => Some(numbers.spills()),
            Respect::Sass => Some(numbers.sass),
            Respect::Occupancy => Some(u64::from(numbers.max_warps.saturating_sub(numbers.warps))),
            Respect::Output | Respect::Equal | Respect::Time => None,
        }
    }

    /// The number that users know.
    fn shown(self, numbers: &Numbers) -> u64 {
        match self {
            Respect::Occupancy => u64::from(numbers.occupancy()),
            _ => self.cost(numbers).unwrap_or_default(),
        }
    }

    fn asks_ptxas(self) -> bool {
        self.cost(&Numbers::default()).is_some()
    }
}

/// A kernel is slower if it takes more than stock's time by this part of it.
const SLOWER: f64 = 0.01;
/// The exit status of a command that cannot decide.
const SKIP: i32 = 125;
/// The exit statuses of a shell that cannot run the command.
const NOT_RUN: [i32; 2] = [126, 127];
/// Each step is printed on stderr if the search takes longer than this.
const QUIET: Duration = Duration::from_secs(3);
/// The pass `induction` optimises the loops that LLVM's LoopStrengthReduce leaves alone. That LSR
/// leaves them is not a pass, but a unit of the search like one. The option undoes only that.
const LOOPS: &str = "induction";
const LEAVES_LOOPS: &str = "no-lsr";
const LSR: &str = "-ptx-lsr";
/// Passes with an option that limits their work: the pass, the option, what it counts.
const LIMITS: [(&str, &str, &str); 1] = [("nvptx-coalescer", "-nvptx-coalesce-limit", "removed copy")];
/// More than any function has.
const MOST: usize = 1 << 24;

/// The outcome of a try: its verdict, the names of the bad functions, and the difference.
#[derive(Clone, Debug)]
struct Seen {
    verdict: Verdict,
    bad: BTreeSet<String>,
    why: String,
}

impl Seen {
    fn of(bad: BTreeMap<String, String>) -> Seen {
        let verdict = if bad.is_empty() { Verdict::Good } else { Verdict::Bad };
        let first = bad.iter().next().map(|(name, why)| format!("{name}: {why}"));
        let more = if bad.len() > 1 { format!(" and {} more", bad.len() - 1) } else { String::new() };
        Seen {
            verdict,
            why: first.map_or(String::new(), |first| format!("{first}{more}")),
            bad: bad.into_keys().collect(),
        }
    }

    fn plain(verdict: Verdict, why: String) -> Seen {
        Seen { verdict, bad: BTreeSet::new(), why }
    }
}

/// One line of the table.
#[derive(Debug, Serialize)]
struct Step {
    tried: String,
    verdict: Verdict,
    seen: String,
    flags: Vec<String>,
}

/// The result for programs.
#[derive(Debug, Serialize)]
struct Found {
    input: String,
    llvm: String,
    by: String,
    /// The functions; more than one if the search cannot tell them apart.
    functions: Vec<String>,
    stages: Vec<String>,
    /// Passes of the set that are in it only because others run in or after them.
    places: Vec<String>,
    /// The option that limits a stage, and its least bad value.
    limit: Option<(String, usize)>,
    good: String,
    bad: String,
}

struct Bisection<'a> {
    args: &'a Args,
    compiler: Compiler,
    judge: Option<Judge<'a>>,
    setting: Setting,
    input: Input,
    /// Stock's code, and its numbers.
    stock: Module,
    numbers: BTreeMap<String, Numbers>,
    /// Whether bad means that llc or ptxas fails.
    fails: bool,
    /// The functions that count; `None`: all.
    names: Option<BTreeSet<String>>,
    /// The verdicts of earlier tries, by their flags.
    known: BTreeMap<Vec<String>, Seen>,
    steps: Vec<Step>,
    start: Instant,
}

impl Bisection<'_> {
    fn setting_with(&self, flags: &[String]) -> Setting {
        let mut setting = self.setting.clone();
        // Flags that name passes replace what the setting leaves out.
        if flags.iter().any(|flag| flag.starts_with("-ptx-passes")) {
            setting.without.clear();
        }
        setting.flags.extend_from_slice(flags);
        setting
    }

    /// Compiles with more flags and judges the result.
    fn look(&mut self, tried: String, flags: Vec<String>) -> Result<Seen> {
        if let Some(seen) = self.known.get(&flags) {
            return Ok(seen.clone());
        }
        let judged = self.judge_setting(&self.setting_with(&flags))?;
        Ok(self.record(tried, flags, judged))
    }

    /// Records a try; the error is a complaint of llc or ptxas.
    fn record(&mut self, tried: String, flags: Vec<String>, judged: Result<Seen, Complaint>) -> Seen {
        let seen = match judged {
            Ok(seen) if self.fails => Seen::plain(Verdict::Good, seen.why),
            Ok(seen) => seen,
            Err(complaint) if self.fails => Seen::plain(Verdict::Bad, complaint.into()),
            Err(complaint) => Seen::plain(Verdict::Skip, complaint.into()),
        };
        if self.start.elapsed() > QUIET {
            eprintln!("bisect: {tried}: {}", seen.verdict);
        }
        self.known.insert(flags.clone(), seen.clone());
        self.steps.push(Step { tried, verdict: seen.verdict, seen: seen.why.clone(), flags });
        seen
    }

    /// Judges the code of a setting; the inner error is a complaint of llc or ptxas.
    fn judge_setting(&self, setting: &Setting) -> Result<Result<Seen, Complaint>> {
        let module = match self.compiler.compile(&self.input, setting, &[])? {
            Ok(module) => module,
            Err(complaint) => return Ok(Err(complaint)),
        };
        if let Some(command) = &self.args.command {
            return self.run_command(command, module.text()).map(Ok);
        }
        let mut bad = match &self.judge {
            None if self.args.by == Respect::Equal => {
                sameness::computing_other(&self.compiler, &self.input, setting, module.text(), None)?
            }
            None if self.args.by == Respect::Time => self.slower(&module)?,
            None => self.other_output(&module),
            Some(judge) => match judge.judge(&module, &self.input.cpu)? {
                Ok(numbers) => self.worse(&numbers),
                Err(complaint) => return Ok(Err(complaint)),
            },
        };
        if let Some(names) = &self.names {
            bad.retain(|name, _| names.contains(name));
        }
        Ok(Ok(Seen::of(bad)))
    }

    /// The functions whose text differs from stock's.
    fn other_output(&self, ours: &Module) -> BTreeMap<String, String> {
        let texts = |module: &Module| -> BTreeMap<String, String> {
            let function =
                |number: usize| (module.functions[number].name.clone(), module.function(number).to_owned());
            (0..module.functions.len()).map(function).collect()
        };
        let [stock, ours] = [texts(&self.stock), texts(ours)];
        let names: BTreeSet<&String> = stock.keys().chain(ours.keys()).collect();
        let lines = |text: Option<&String>| text.map_or(0, |text| text.lines().count());
        let differing = names.into_iter().filter(|name| stock.get(*name) != ours.get(*name));
        differing
            .map(|name| {
                let [old, new] = [stock.get(name), ours.get(name)].map(lines);
                let why = if old == new {
                    format!("other lines, {new} as before")
                } else {
                    format!("{old} > {new} lines")
                };
                (name.clone(), why)
            })
            .collect()
    }

    /// The kernels that are worse than stock's.
    fn worse(&self, ours: &BTreeMap<String, Numbers>) -> BTreeMap<String, String> {
        let by = self.args.by;
        let pairs = ours.iter().filter_map(|(name, new)| Some((name, self.numbers.get(name)?, new)));
        pairs
            .filter(|(_, old, new)| by.cost(new) > by.cost(old))
            .map(|(name, old, new)| (name.clone(), format!("{by} {}", change(by.shown(old), by.shown(new)))))
            .collect()
    }

    /// The kernels that are predicted to take longer than stock's.
    fn slower(&self, ours: &Module) -> Result<BTreeMap<String, String>> {
        let cuda = sass::tools(&self.args.cuda.folder()?)?;
        let texts = [&self.stock, ours].map(Module::text);
        let rows = time::predictions(&cuda, &self.input.path, texts, &self.input.cpu, &[], false)?;
        if let Some(row) = rows.iter().find(|row| row.prediction.is_none()) {
            let why = row.error.as_deref().unwrap_or_default();
            ensure!(
                self.args.kernel.is_some(),
                "{}: its time is not predicted: {why}; --kernel takes another one",
                row.kernel
            );
        }
        let ratios = rows.into_iter().filter_map(|row| Some((row.kernel, row.prediction?.ratio)));
        let slower = ratios.filter(|(_, ratio)| *ratio > 1.0 + SLOWER);
        Ok(slower.map(|(kernel, ratio)| (kernel, format!("predicted time {ratio:.3} of stock's"))).collect())
    }

    /// Runs the user's command.
    fn run_command(&self, command: &str, ptx: &str) -> Result<Seen> {
        let dir = tempfile::tempdir().context("temporary directory")?;
        let stem = self.input.path.file_stem().unwrap_or_default();
        let path = dir.path().join(stem).with_extension("ptx");
        fs::write(&path, ptx).context("temporary file")?;
        let names_it = ["$PTX", "${PTX"].iter().any(|name| command.contains(name));
        let line = if names_it { command.to_owned() } else { format!("{command} \"$PTX\"") };
        let mut child = Command::new("sh")
            .args(["-c", &line])
            .env("PTX", &path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("cannot run sh")?;
        let exit = match child.wait_timeout(self.compiler.llc.timeout).context("waiting for the command")? {
            Some(status) => Exit::from(status),
            None => {
                child.kill().context("stopping the command")?;
                child.wait().context("waiting for the command")?;
                Exit::TimedOut
            }
        };
        let verdict = match exit {
            Exit::Code(0) => Verdict::Good,
            Exit::Code(SKIP) => Verdict::Skip,
            Exit::Code(code) if NOT_RUN.contains(&code) => bail!("the command cannot be run: {command}"),
            Exit::Signal(signal) if signal == crate::ptxas::INTERRUPTED => {
                bail!("the command was interrupted")
            }
            _ => Verdict::Bad,
        };
        Ok(Seen::plain(verdict, exit.to_string()))
    }

    /// The functions in the order of `-ptx-bisect-limit`.
    fn functions(&self) -> Result<Vec<String>> {
        let setting = self.setting_with(&[limit(0)]);
        let mut line = self.compiler.command_line(&self.input, &setting);
        line.extend(["-o".into(), "-".into()]);
        let output = self.compiler.llc.execute(&line)?;
        let words = String::from_utf8_lossy(&output.stderr);
        let name = |line: &str| {
            let (_, rest) = line.split_once("bisect: function ")?;
            Some(rest.split_once(", ")?.1.rsplit_once(": ")?.0.to_owned())
        };
        Ok(words.lines().filter_map(name).collect())
    }

    /// The number of the bad function, and that of the last good one before it. They are neighbours
    /// unless those between are skipped.
    fn find_function(&mut self, functions: &[String]) -> Result<(usize, usize)> {
        let all = functions.len();
        search::first_bad(0, all, |number| {
            let tried = format!("functions 1 to {number} of {all}");
            Ok(self.look(tried, vec![limit(number)])?.verdict)
        })
    }

    /// The flags for some of the units. All units except [`LEAVES_LOOPS`] are passes and stages.
    fn flags(&self, number: usize, units: &[String], chosen: &BTreeSet<usize>) -> Vec<String> {
        let names: Vec<&str> =
            chosen.iter().map(|&unit| units[unit].as_str()).filter(|name| *name != LEAVES_LOOPS).collect();
        let passes = if names.is_empty() { "none".to_owned() } else { names.join(",") };
        let mut flags = vec![limit(number), format!("-ptx-passes={passes}")];
        // Without the pass LoopStrengthReduce runs anyway.
        let can_leave = units.iter().position(|unit| unit == LEAVES_LOOPS);
        if can_leave.is_some_and(|unit| !chosen.contains(&unit)) && names.contains(&LOOPS) {
            flags.push(LSR.to_owned());
        }
        flags
    }

    fn find_stages(&mut self, number: usize, units: &[String]) -> Result<BTreeSet<usize>> {
        search::minimal(units.len(), |chosen| {
            let name =
                |units: &mut dyn Iterator<Item = &String>| units.cloned().collect::<Vec<_>>().join(", ");
            let left_out: Vec<&String> =
                (0..units.len()).filter(|unit| !chosen.contains(unit)).map(|unit| &units[unit]).collect();
            let tried = match left_out[..] {
                [unit] if unit == LEAVES_LOOPS => format!("with {LSR}"),
                [unit] => format!("without {unit}"),
                _ => format!("only {}", name(&mut chosen.iter().map(|&unit| &units[unit]))),
            };
            let flags = self.flags(number, units, chosen);
            Ok(self.look(tried, flags)?.verdict)
        })
    }

    /// The least bad value of an option, if the value 0 is good.
    fn find_limit(&mut self, flags: &[String], option: &str, what: &str) -> Result<Option<usize>> {
        let mut test = |number: usize| {
            let more = [flags, &[format!("{option}={number}")]].concat();
            let tried = format!("{} of {}", counted(number, what), option.trim_start_matches('-'));
            Ok::<_, anyhow::Error>(self.look(tried, more)?.verdict)
        };
        if test(0)? != Verdict::Good {
            return Ok(None);
        }
        let Some((good, bad)) = search::doubled(MOST, &mut test)? else { return Ok(None) };
        let (good, bad) = search::first_bad(good, bad, &mut test)?;
        Ok((good + 1 == bad).then_some(bad))
    }

    fn line(&self, flags: &[String]) -> String {
        display_line(&self.compiler.command_line(&self.input, &self.setting_with(flags)))
    }
}

fn limit(number: usize) -> String {
    format!("-ptx-bisect-limit={number}")
}

/// The passes and stages of a setting, and [`LEAVES_LOOPS`] if the setting makes LoopStrengthReduce
/// leave loops alone.
fn units(compiler: &Compiler, setting: &Setting) -> Vec<String> {
    let steps = compiler.steps().iter().filter(|step| !setting.without.contains(step));
    let mut units: Vec<String> = steps.cloned().collect();
    let is_told = |flag: &String| flag == LSR || flag == "-disable-lsr";
    if units.iter().any(|unit| unit == LOOPS) && !setting.flags.iter().any(is_told) {
        units.push(LEAVES_LOOPS.to_owned());
    }
    units
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let path = args.file.display();
    let extension = args.file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    ensure!(
        !SOURCES.contains(&extension),
        "{path}: bisect takes .ll, .bc and .mir, so that its command lines of llc can be run again: make IR of it (clang -S -emit-llvm)"
    );
    let mut compiler = Compiler::new(&args.tools, &args.compile, args.judge.maxrregcount)?;
    ensure!(compiler.knows("ptx-bisect-limit"), "this plugin has no -ptx-bisect-limit: it is an older one");
    let setting = named(&args.setting)?;
    ensure!(!setting.stock, "{} is stock llc: there is no pass of the plugin in it", setting.name);
    let judge = match args.command.is_none() && args.by.asks_ptxas() {
        true => {
            let folder = args.cuda.folder()?;
            compiler.write_for(&folder);
            Some(Judge::new(&folder, &args.judge)?)
        }
        false => None,
    };
    let input = compiler.input(&args.file)?;
    print_notes(&input.notes());
    let stock = compiler.compile(&input, &Setting::stock(), &[])?;
    let stock = stock.map_err(|complaint| anyhow::anyhow!("{path}: stock: {complaint}"))?;
    let numbers = match &judge {
        None => BTreeMap::new(),
        Some(judge) => {
            let numbers = judge.judge(&stock, &input.cpu)?;
            numbers.map_err(|complaint| anyhow::anyhow!("{path}: stock: {complaint}"))?
        }
    };
    if let Some(kernel) = &args.kernel {
        let names: Vec<&str> = stock
            .functions
            .iter()
            .map(|function| function.name.as_str())
            .filter(|name| judge.is_none() || numbers.contains_key(*name))
            .collect();
        ensure!(names.contains(&kernel.as_str()), "{path} has no {kernel}, but {}", names.join(", "));
    }
    let mut bisection = Bisection {
        args,
        compiler,
        judge,
        setting,
        input,
        stock,
        numbers,
        fails: false,
        names: args.kernel.iter().cloned().map(|name| BTreeSet::from([name])).next(),
        known: BTreeMap::new(),
        steps: Vec::new(),
        start: Instant::now(),
    };
    bisection.search()
}

impl Bisection<'_> {
    fn search(&mut self) -> Result<ExitCode> {
        let path = inputs::name_of(&self.args.file);
        let functions = self.functions()?;
        ensure!(!functions.is_empty(), "{path}: the plugin comes to no function");
        let all = functions.len();
        let flags = vec![limit(all)];
        let judged = self.judge_setting(&self.setting_with(&flags))?;
        self.fails = judged.is_err();
        let ours = self.record(format!("all of {}", counted(all, "function")), flags, judged);
        let what = self.what();
        match ours.verdict {
            Verdict::Good => {
                eprintln!("nothing differs: {path} is good with all of the plugin, by {what}");
                return Ok(ExitCode::FAILURE);
            }
            Verdict::Skip => {
                bail!("{path}: no verdict on the plugin's code, by {what}: {}", ours.why)
            }
            Verdict::Bad => {}
        }
        let none = self.look("no function".to_owned(), vec![limit(0)])?;
        let alone = "so the plugin alone does not make the difference";
        ensure!(
            none.verdict == Verdict::Good,
            "{path}: stock's code is not good either, by {what}: {alone}{}{}",
            if none.why.is_empty() { "" } else { ": " },
            none.why
        );

        let (before, number) = self.find_function(&functions)?;
        // From here on only what was bad about this function counts.
        let seen = self.known[&vec![limit(number)]].clone();
        if !seen.bad.is_empty() {
            self.names = Some(seen.bad);
        }
        let suspects = functions[before..number].to_vec();

        let units = units(&self.compiler, &self.setting);
        let everything: BTreeSet<usize> = (0..units.len()).collect();
        let flags = self.flags(number, &units, &everything);
        let whole = self.look(format!("function {number}, all stages"), flags)?;
        let nothing = self.flags(number, &units, &BTreeSet::new());
        let stages = match (whole.verdict, self.look("no stage".to_owned(), nothing)?.verdict) {
            (Verdict::Bad, Verdict::Good) => self.find_stages(number, &units)?,
            _ => bail!("{path}: {}: no choice of stages makes the difference", suspects.join(" or ")),
        };
        let mut bad = self.flags(number, &units, &stages);
        // Without the last one it is good, or skipped.
        let fewer: BTreeSet<usize> = stages.iter().copied().take(stages.len() - 1).collect();
        let mut good = self.flags(number, &units, &fewer);
        let (places, stages) =
            apart(stages.iter().map(|&unit| units[unit].clone()).collect(), self.compiler.hosts());

        let least = self.find_least(&stages, &mut good, &mut bad)?;
        let found = Found {
            input: path,
            llvm: self.compiler.llc.version.clone(),
            by: what,
            functions: suspects,
            stages,
            places,
            limit: least,
            good: self.line(&good),
            bad: self.line(&bad),
        };
        self.print(&found)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Where one looks for a difference, in words.
    fn what(&self) -> String {
        match &self.args.command {
            Some(command) => command.clone(),
            None if self.fails => "a failure".to_owned(),
            None => self.args.by.to_string(),
        }
    }

    /// Finds the smallest number of an option that limits one of these stages; the flags of both sides get it.
    fn find_least(
        &mut self,
        stages: &[String],
        good: &mut Vec<String>,
        bad: &mut Vec<String>,
    ) -> Result<Option<(String, usize)>> {
        let mut least = None;
        for (pass, option, what) in LIMITS {
            if least.is_none() && stages.iter().any(|stage| stage == pass) && self.compiler.knows(option) {
                if let Some(number) = self.find_limit(bad, option, what)? {
                    *good = [&bad[..], &[format!("{option}={}", number - 1)]].concat();
                    bad.push(format!("{option}={number}"));
                    least = Some((option.to_owned(), number));
                }
            }
        }
        Ok(least)
    }

    fn print(&self, found: &Found) -> Result<()> {
        let mut sheet = Sheet::new(&["step", "tried", "verdict", "seen"], 4);
        for (number, step) in self.steps.iter().enumerate() {
            sheet.add(vec![
                (number + 1).to_string(),
                step.tried.clone(),
                step.verdict.to_string(),
                step.seen.clone(),
            ]);
        }
        self.args.output.write(&sheet, &serde_json::json!({"found": found, "steps": self.steps}))?;
        if !self.args.output.takes_stdout() {
            println!("{}, {}, stock > {}, by {}:", found.input, found.llvm, self.setting.name, found.by);
            println!("{}", sheet.terminal());
            println!("good: {}", found.good);
            println!("bad:  {}", found.bad);
            println!("{}", found.summary());
        }
        Ok(())
    }
}

impl Found {
    /// The result in one line.
    fn summary(&self) -> String {
        let limit = self.limit.as_ref().map_or(String::new(), |(option, number)| {
            let what = LIMITS.iter().find(|limit| limit.1 == option).map_or("", |limit| limit.2);
            format!(", {what} {number}")
        });
        let places = match self.places.is_empty() {
            true => String::new(),
            false => format!(" (in {})", self.places.join(", ")),
        };
        format!("{}: {}{places}{limit}", self.functions.join(" or "), self.stages.join(" + "))
    }
}

/// Splits a set into the passes in or after which others of it run, and the rest.
fn apart(set: Vec<String>, hosts: &BTreeMap<String, String>) -> (Vec<String>, Vec<String>) {
    let places: BTreeSet<String> = set.iter().filter_map(|stage| hosts.get(stage)).cloned().collect();
    set.into_iter().partition(|stage| places.contains(stage))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen() {
        let seen = Seen::of(BTreeMap::new());
        assert_eq!((seen.verdict, seen.why.as_str()), (Verdict::Good, ""));
        let of =
            |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), "sass 1 > 2".to_owned())).collect();
        assert_eq!(Seen::of(of(&["f"])).why, "f: sass 1 > 2");
        let seen = Seen::of(of(&["f", "g", "h"]));
        assert_eq!(
            (seen.verdict, seen.why.as_str(), seen.bad.len()),
            (Verdict::Bad, "f: sass 1 > 2 and 2 more", 3)
        );
    }

    #[test]
    fn worse_is_a_greater_cost() {
        let [old, new] = [40, 48].map(|warps| Numbers {
            warps,
            max_warps: 64,
            registers: u64::from(warps),
            ..Numbers::default()
        });
        assert!(Respect::Occupancy.cost(&old) > Respect::Occupancy.cost(&new));
        assert!(Respect::Registers.cost(&new) > Respect::Registers.cost(&old));
        assert_eq!((Respect::Occupancy.shown(&old), Respect::Registers.shown(&old)), (62, 40));
        assert!(
            Respect::Spills.asks_ptxas() && !Respect::Equal.asks_ptxas() && !Respect::Output.asks_ptxas()
        );
    }

    #[test]
    fn the_line_that_says_it_all() {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mut found = Found {
            input: String::new(),
            llvm: String::new(),
            by: String::new(),
            functions: texts(&["f"]),
            stages: texts(&["cssa", "nvptx-coalescer"]),
            places: Vec::new(),
            limit: Some((LIMITS[0].1.to_owned(), 3)),
            good: String::new(),
            bad: String::new(),
        };
        assert_eq!(found.summary(), "f: cssa + nvptx-coalescer, removed copy 3");
        found.functions = texts(&["f", "g"]);
        found.limit = None;
        assert_eq!(found.summary(), "f or g: cssa + nvptx-coalescer");
        found.places = texts(&["livevars"]);
        assert_eq!(found.summary(), "f or g: cssa + nvptx-coalescer (in livevars)");
    }

    #[test]
    fn a_pass_that_is_only_the_place_of_others_is_not_a_culprit() {
        let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let hosts = BTreeMap::from([("induction", "livevars"), ("cssa", "phi-elim")]);
        let hosts = hosts.into_iter().map(|(stage, host)| (stage.to_owned(), host.to_owned())).collect();
        let of = |set: &[&str]| apart(texts(set), &hosts);
        assert_eq!(
            of(&["induction", "livevars", "no-lsr"]),
            (texts(&["livevars"]), texts(&["induction", "no-lsr"]))
        );
        assert_eq!(of(&["livevars", "phi-elim"]), (texts(&[]), texts(&["livevars", "phi-elim"])));
    }
}
