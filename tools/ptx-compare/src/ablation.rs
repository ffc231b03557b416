//! `bench ablation`: the effect of each row of docs/requirements.md.
//!
//! The plugin can leave out what it does for one row, `-ptx-without=ROW`, and lists the rows that
//! have this switch. Every file is compiled once with all rows and once without each. What differs
//! is the effect of the row: a change of the PTX first, otherwise a change of what is printed
//! (missed remarks, the counters of the statistics).
//!
//! A row that changes no code anywhere is a failure, unless the plugin's list gives a reason. Rows
//! with a reason are named with it, and with whether what is printed changes.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, ensure, Context, Result};
use ptx_emu::ptx;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::complaint::Complaint;
use crate::inputs;
use crate::llc::{complaint, Exit, Hosts, Llc, Side};
use crate::output::{self, write_json};
use crate::progress::Progress;
use crate::ptxas::{Cached, CachedArgs, CudaArgs};
use crate::text::{self, counted};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    hosts: Hosts,
    /// Compile for this processor [default: the "target-cpu" of the input's functions, else sm_80]
    #[arg(long, value_name = "CPU")]
    mcpu: Option<String>,
    /// Leave out these rows only, separated by commas (default: all that have a switch)
    #[arg(long, value_name = "ROW,...", value_delimiter = ',')]
    rows: Vec<String>,
    /// Optimisation levels
    #[arg(short = 'O', value_name = "LEVEL,...", value_delimiter = ',', default_value = "0,3", value_parser = clap::value_parser!(u8).range(0..=3))]
    levels: Vec<u8>,
    /// Have ptxas say registers, SASS instructions and spills
    #[arg(long)]
    ptxas: bool,
    #[command(flatten)]
    cuda: CudaArgs,
    #[command(flatten)]
    cached: CachedArgs,
    /// Write each kernel that changes to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Kernels (.ll, .mir, .bc), or directories with kernels
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// A row of docs/requirements.md, as the plugin lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Row {
    name: String,
    /// The effect that is missing without it.
    effect: String,
    /// The reason why it changes no code, if it has one.
    reason: Option<String>,
    /// Whether `-ptx-without` can leave it out.
    has_switch: bool,
}

impl Row {
    /// Reads a line of `-ptx-without=help`.
    fn parse(line: &str) -> Option<Self> {
        let (name, text) = line.split_once(char::is_whitespace)?;
        let text = text.trim();
        let row = |effect: &str, reason: Option<&str>, has_switch| Row {
            name: name.to_owned(),
            effect: effect.to_owned(),
            reason: reason.map(str::to_owned),
            has_switch,
        };
        Some(match (text.strip_prefix("no switch: "), text.split_once("; no code changes: ")) {
            (Some(reason), _) => row("", Some(reason), false),
            (None, Some((effect, reason))) => row(effect, Some(reason), true),
            (None, None) => row(text, None, true),
        })
    }

    /// Reads the plugin's list.
    fn all(llc: &Llc) -> Result<Vec<Self>> {
        let line = llc.command_line(Side::Plugin, &["-ptx-without=help"]);
        let output = llc.execute(&line)?;
        let list = String::from_utf8_lossy(&output.stdout);
        let rows: Vec<Row> = list.lines().filter_map(Row::parse).collect();
        ensure!(
            output.exit == Exit::Code(0) && rows.iter().any(|row| row.has_switch),
            "the plugin does not list its rows: {} -ptx-without=help, {}: {}",
            llc.version,
            output.exit,
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(rows)
    }
}

/// The counts of a kernel. Without ptxas the last three are zero. JSON has a list of them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(into = "[i64; COLUMNS.len()]")]
struct Numbers {
    moves: i64,
    instructions: i64,
    virtual_registers: i64,
    registers: i64,
    sass: i64,
    spills: i64,
}

/// A column of the tables.
type Column = fn(&Numbers) -> i64;

/// The columns with their titles.
const COLUMNS: [(&str, Column); 6] = [
    ("moves", |n| n.moves),
    ("instr", |n| n.instructions),
    ("vregs", |n| n.virtual_registers),
    ("regs", |n| n.registers),
    ("SASS", |n| n.sass),
    ("spill", |n| n.spills),
];
/// The number of them that need no ptxas.
const PTX_COLUMNS: usize = 3;

impl From<Numbers> for [i64; COLUMNS.len()] {
    fn from(numbers: Numbers) -> Self {
        COLUMNS.map(|(_, column)| column(&numbers))
    }
}

/// The result of one run of llc.
#[derive(Default)]
struct Compiled {
    kernels: BTreeMap<String, Kernel>,
    /// The count of each remark line.
    remarks: BTreeMap<String, i64>,
    /// The counters, summed over all functions.
    counters: BTreeMap<String, i64>,
}

struct Kernel {
    hash: u64,
    numbers: Numbers,
}

/// A kernel that changes without the row.
#[derive(Debug, Serialize)]
struct Change {
    file: String,
    kernel: String,
    /// Moves, instructions and registers of the PTX; with ptxas also registers, SASS instructions
    /// and bytes of spills.
    with: Numbers,
    without: Numbers,
}

/// The effect of a row on some files.
#[derive(Debug, Default, Serialize)]
struct Effect {
    changes: Vec<Change>,
    /// Lines of remarks that appear or disappear.
    remarks: usize,
    /// The counters that change.
    counters: BTreeSet<String>,
    /// Failures of llc or ptxas without the row: file and complaint.
    failures: Vec<(String, Complaint)>,
}

impl Effect {
    fn of(file: &str, with: &Compiled, without: &Compiled) -> Self {
        let names: BTreeSet<&String> = with.kernels.keys().chain(without.kernels.keys()).collect();
        let mut changes = Vec::new();
        for name in names {
            let (a, b) = (with.kernels.get(name), without.kernels.get(name));
            if a.map(|k| k.hash) != b.map(|k| k.hash) {
                let numbers = |kernel: Option<&Kernel>| kernel.map_or(Numbers::default(), |k| k.numbers);
                let (file, kernel) = (file.to_owned(), name.clone());
                changes.push(Change { file, kernel, with: numbers(a), without: numbers(b) });
            }
        }
        let remarks = differences(&with.remarks, &without.remarks);
        let remarks = remarks.map(|(_, difference)| difference.unsigned_abs() as usize).sum();
        let counters = differences(&with.counters, &without.counters).map(|(name, _)| name.clone()).collect();
        Effect { changes, remarks, counters, failures: Vec::new() }
    }

    fn failed(file: &str, why: Complaint) -> Self {
        Effect { failures: vec![(file.to_owned(), why)], ..Effect::default() }
    }

    fn add(&mut self, other: Effect) {
        self.changes.extend(other.changes);
        self.remarks += other.remarks;
        self.counters.extend(other.counters);
        self.failures.extend(other.failures);
    }

    /// The sum of a column without the row, minus that with it.
    fn difference(&self, column: Column) -> i64 {
        self.changes.iter().map(|change| column(&change.without) - column(&change.with)).sum()
    }

    fn changes_output(&self) -> bool {
        !self.changes.is_empty() || self.remarks > 0 || !self.counters.is_empty()
    }
}

/// The keys whose values differ, and by how much; a missing one counts as 0.
fn differences<'a>(
    a: &'a BTreeMap<String, i64>,
    b: &'a BTreeMap<String, i64>,
) -> impl Iterator<Item = (&'a String, i64)> {
    let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |map: &BTreeMap<String, i64>, key: &String| map.get(key).copied().unwrap_or(0);
    keys.into_iter().map(move |key| (key, value(b, key) - value(a, key))).filter(|(_, change)| *change != 0)
}

/// All rows, with one LLVM version and one level.
#[derive(Debug, Serialize)]
struct Report {
    llvm: String,
    level: u8,
    /// Kernels that were compiled.
    kernels: usize,
    /// An effect for each row, in the order of the list.
    effects: Vec<Effect>,
    /// Files on which llc or ptxas fails with all rows: there is nothing to compare with.
    unusable: Vec<(String, Complaint)>,
}

/// The content of `--json`.
#[derive(Serialize)]
struct All<'a> {
    rows: &'a [Row],
    /// The meaning of a change's numbers.
    numbers: &'a [&'a str],
    reports: &'a [Report],
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let hosts = args.hosts.each()?.iter().map(Llc::new).collect::<Result<Vec<_>>>()?;
    let list = Row::all(&hosts[0])?;
    for other in &hosts[1..] {
        ensure!(
            Row::all(other)? == list,
            "the plugin for {} has other rows: build all versions anew",
            other.version
        );
    }
    let rows = chosen(&list, &args.rows)?;
    let files = inputs::discover(&args.files)?;
    let ptxas = match args.ptxas {
        true => Some(Cached::open(&args.cuda.folder()?, &args.cached, None)?),
        false => None,
    };
    let progress =
        Progress::new("bench ablation", files.len() * args.levels.len() * hosts.len() * (rows.len() + 1));
    let mut reports = Vec::new();
    for llc in &hosts {
        for &level in &args.levels {
            let mcpu = args.mcpu.as_deref();
            let bench = Bench { llc, level, mcpu, ptxas: ptxas.as_ref(), rows: &rows, progress: &progress };
            reports.push(bench.report(&files)?);
        }
    }
    progress.finish();
    print(&rows, &reports, args);
    if let Some(path) = &args.json {
        write_json(path, &All { rows: &rows, numbers: &titles(true), reports: &reports })?;
    }
    if let Some(path) = &args.csv {
        output::write(path, csv(&rows, &reports))?;
    }
    let verdict = Verdict::of(&rows, &reports);
    println!("{}", verdict.text(&list, &reports));
    ensure!(
        reports.iter().any(|report| report.kernels > 0),
        "llc compiles none of the files: nothing is compared"
    );
    Ok(if verdict.is_fine() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The rows to leave out: those with these names, otherwise all that have a switch.
fn chosen(list: &[Row], names: &[String]) -> Result<Vec<Row>> {
    let rows = list.iter().filter(|row| row.has_switch);
    let allowed: Vec<&str> = rows.clone().map(|row| row.name.as_str()).collect();
    if let Some(name) = names.iter().find(|name| !allowed.contains(&name.as_str())) {
        bail!("no row '{name}' with a switch; allowed: {}", allowed.join(", "));
    }
    Ok(rows.filter(|row| names.is_empty() || names.contains(&row.name)).cloned().collect())
}

/// The common part of all runs with one llc and one level.
struct Bench<'a> {
    llc: &'a Llc,
    level: u8,
    mcpu: Option<&'a str>,
    ptxas: Option<&'a Cached<'a>>,
    rows: &'a [Row],
    progress: &'a Progress,
}

impl Bench<'_> {
    fn report(&self, files: &[PathBuf]) -> Result<Report> {
        let outcomes = files.par_iter().map(|file| self.file(file)).collect::<Result<Vec<_>>>()?;
        let mut report = Report {
            llvm: self.llc.version.clone(),
            level: self.level,
            kernels: 0,
            effects: self.rows.iter().map(|_| Effect::default()).collect(),
            unusable: Vec::new(),
        };
        for (file, outcome) in files.iter().zip(outcomes) {
            match outcome {
                Ok((kernels, effects)) => {
                    report.kernels += kernels;
                    report.effects.iter_mut().zip(effects).for_each(|(sum, effect)| sum.add(effect));
                }
                Err(why) => report.unusable.push((label(file), why)),
            }
        }
        Ok(report)
    }

    /// The number of kernels in a file and the effect of each row, or why there is nothing to
    /// compare with.
    fn file(&self, file: &Path) -> Result<Result<(usize, Vec<Effect>), Complaint>> {
        let with = self.compile(file, None, self.mcpu)?;
        self.progress.step(false);
        let with = match with {
            Ok(with) => with,
            Err(mut why) => {
                if inputs::guesses_cpu(file, self.mcpu)? {
                    let takes = |cpu: &str| Ok(self.compile(file, None, Some(cpu))?.is_ok());
                    why = format!("{why}{}", inputs::advice(takes)?).into();
                }
                self.rows.iter().for_each(|_| self.progress.step(false));
                return Ok(Err(why));
            }
        };
        let effect = |row: &Row| {
            let without = self.compile(file, Some(&row.name), self.mcpu)?;
            self.progress.step(without.is_err());
            Ok(match without {
                Ok(without) => Effect::of(&label(file), &with, &without),
                Err(why) => Effect::failed(&label(file), format!("without {}: {why}", row.name).into()),
            })
        };
        let effects = self.rows.par_iter().map(effect).collect::<Result<Vec<_>>>()?;
        Ok(Ok((with.kernels.len(), effects)))
    }

    fn compile(
        &self,
        file: &Path,
        without: Option<&str>,
        mcpu: Option<&str>,
    ) -> Result<Result<Compiled, Complaint>> {
        let statistics = tempfile::NamedTempFile::new().context("temporary file")?;
        let mut flags: Vec<OsString> =
            inputs::default_flags(file, mcpu)?.into_iter().map(OsString::from).collect();
        flags.push(format!("-O{}", self.level).into());
        let mut to = OsString::from("-ptx-stats-json=");
        to.push(statistics.path());
        flags.extend([to, "-pass-remarks-missed=.".into()]);
        flags.extend(without.map(|row| format!("-ptx-without={row}").into()));
        flags.extend([file.into(), "-o".into(), "-".into()]);
        let line = self.llc.command_line(Side::Plugin, &flags);
        let output = self.llc.execute(&line)?;
        let is_failed = output.exit != Exit::Code(0);
        let stderr = String::from_utf8_lossy(&output.stderr);
        if is_failed {
            return Ok(Err(complaint(output.exit, &stderr)));
        }
        let ptx = String::from_utf8_lossy(&output.stdout);
        let kernels = match self.kernels(&ptx)? {
            Ok(kernels) => kernels,
            Err(why) => return Ok(Err(why)),
        };
        let counters = fs::read_to_string(statistics.path()).context("statistics")?;
        Ok(Ok(Compiled { kernels, remarks: remarks(&stderr), counters: counters_of(&counters)? }))
    }

    fn kernels(&self, ptx: &str) -> Result<Result<BTreeMap<String, Kernel>, Complaint>> {
        let mut kernels: BTreeMap<String, Kernel> = units(ptx)
            .map(|(name, text)| {
                let stats = ptx::analyse(text);
                let numbers = Numbers {
                    moves: stats.moves.total() as i64,
                    instructions: stats.instructions as i64,
                    virtual_registers: stats.register_total() as i64,
                    ..Numbers::default()
                };
                (name.to_owned(), Kernel { hash: hash(text), numbers })
            })
            .collect();
        if let (Some(ptxas), Some(target)) = (self.ptxas, ptx::analyse(ptx).target) {
            match ptxas.assemble(ptx, &target)? {
                Err(why) => return Ok(Err(format!("ptxas: {why}").into())),
                Ok(usage) => {
                    for usage in usage.kernels {
                        if let Some(kernel) = kernels.get_mut(&usage.name) {
                            kernel.numbers.registers = usage.registers as i64;
                            kernel.numbers.sass = usage.sass.unwrap_or(0) as i64;
                            kernel.numbers.spills = (usage.spill_stores + usage.spill_loads) as i64;
                        }
                    }
                }
            }
        }
        Ok(Ok(kernels))
    }
}

/// The name of a file in reports.
fn label(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The kernels, and before them the functions ahead of the first kernel as one unit.
fn units(ptx: &str) -> impl Iterator<Item = (&str, &str)> {
    let kernels = ptx::kernels(ptx);
    // The texts of the kernels are the end of the module.
    let head = &ptx[..ptx.len() - kernels.iter().map(|kernel| kernel.1.len()).sum::<usize>()];
    let functions = Some(("functions", head)).filter(|_| ptx::analyse(head).instructions > 0);
    functions.into_iter().chain(kernels)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The remarks of a run, each with its count.
fn remarks(stderr: &str) -> BTreeMap<String, i64> {
    let mut remarks = BTreeMap::new();
    for line in stderr.lines().filter(|line| line.contains("remark: ")) {
        *remarks.entry(line.to_owned()).or_default() += 1;
    }
    remarks
}

/// The statistics of a function and a pass.
#[derive(Deserialize)]
struct Entry {
    pass: String,
    counters: BTreeMap<String, i64>,
}

/// The counters of `-ptx-stats-json`, summed over functions.
fn counters_of(json: &str) -> Result<BTreeMap<String, i64>> {
    let entries: Vec<Entry> = serde_json::from_str(json).context("the statistics of the plugin")?;
    let mut sums = BTreeMap::new();
    for entry in entries {
        for (name, count) in entry.counters {
            *sums.entry(format!("{}: {name}", entry.pass)).or_default() += count;
        }
    }
    Ok(sums)
}

fn titles(with_ptxas: bool) -> Vec<&'static str> {
    let shown = if with_ptxas { COLUMNS.len() } else { PTX_COLUMNS };
    COLUMNS[..shown].iter().map(|(title, _)| *title).collect()
}

const LEGEND: &str = "\
A line is a row left out. kernels: those whose PTX changes; then what comes on top without the row, all kernels together:
moves, instructions, virtual registers of the PTX; remarks: lines that come or go; counters: statistics that change.";
const PTXAS_LEGEND: &str = "regs, SASS, spill: registers, instructions and bytes of spills that ptxas makes.";

fn print(rows: &[Row], reports: &[Report], args: &Args) {
    for report in reports {
        println!("{}, -O{}, {}:", report.llvm, report.level, counted(report.kernels, "kernel"));
        println!("{}\n", table(rows, report, args.ptxas));
    }
    println!("{LEGEND}");
    if args.ptxas {
        println!("{PTXAS_LEGEND}");
    }
    println!();
}

fn table(rows: &[Row], report: &Report, with_ptxas: bool) -> comfy_table::Table {
    let titles = titles(with_ptxas);
    let header: Vec<&str> =
        ["row", "kernels"].iter().chain(&titles).chain(&["remarks", "counters"]).copied().collect();
    let mut table = text::table(&header, 1);
    for (row, effect) in rows.iter().zip(&report.effects) {
        let mut line = vec![row.name.clone(), effect.changes.len().to_string()];
        line.extend(COLUMNS[..titles.len()].iter().map(|(_, column)| signed(effect.difference(*column))));
        line.extend([effect.remarks.to_string(), effect.counters.len().to_string()]);
        table.add_row(line);
    }
    table
}

/// 5 as `+5`, 0 as `0`.
fn signed(number: i64) -> String {
    if number > 0 {
        format!("+{number}")
    } else {
        number.to_string()
    }
}

/// The table of all versions and levels, with all columns.
fn csv(rows: &[Row], reports: &[Report]) -> String {
    let mut out = format!("llvm,level,row,kernels,changed,{},remarks,counters\n", titles(true).join(","));
    for report in reports {
        for (row, effect) in rows.iter().zip(&report.effects) {
            let differences = COLUMNS.map(|(_, column)| effect.difference(column).to_string());
            let _ = writeln!(
                out,
                "\"{}\",{},{},{},{},{},{},{}",
                report.llvm,
                report.level,
                row.name,
                report.kernels,
                effect.changes.len(),
                differences.join(","),
                effect.remarks,
                effect.counters.len()
            );
        }
    }
    out
}

/// Whether each row has the effect that it should have.
#[derive(Debug, Default)]
struct Verdict {
    /// Rows that change no code, without a reason for it.
    idle: Vec<Row>,
    /// Rows with a reason for changing no code; what is printed does not change either.
    silent: Vec<Row>,
    /// Rows with a reason for changing no code; what is printed changes.
    printed: Vec<Row>,
    /// The number of rows without which llc or ptxas fails.
    failures: usize,
}

impl Verdict {
    fn of(rows: &[Row], reports: &[Report]) -> Self {
        let mut verdict = Verdict::default();
        for (i, row) in rows.iter().enumerate() {
            let mut effects = reports.iter().map(|report| &report.effects[i]);
            verdict.failures += effects.clone().map(|effect| effect.failures.len()).sum::<usize>();
            let changes_code = effects.clone().any(|effect| !effect.changes.is_empty());
            match row.reason {
                None if !changes_code => verdict.idle.push(row.clone()),
                Some(_) if !effects.any(Effect::changes_output) => verdict.silent.push(row.clone()),
                Some(_) if !changes_code => verdict.printed.push(row.clone()),
                _ => {}
            }
        }
        verdict
    }

    fn is_fine(&self) -> bool {
        self.idle.is_empty() && self.failures == 0
    }

    /// The text below the tables.
    fn text(&self, list: &[Row], reports: &[Report]) -> String {
        let mut out = String::new();
        let mut say = |line: String| out += &format!("* {line}\n");
        for (what, complaints) in [
            ("not compared", complaints(reports, |report| report.unusable.iter().collect())),
            (
                "fails",
                complaints(reports, |report| {
                    report.effects.iter().flat_map(|effect| &effect.failures).collect()
                }),
            ),
        ] {
            for ((file, why), places) in complaints {
                say(format!("{what}: {file}: {why} ({})", places.join("; ")));
            }
        }
        let why = |row: &Row| row.reason.clone().unwrap_or_default();
        for row in list.iter().filter(|row| !row.has_switch) {
            say(format!("{} has no switch: {}", row.name, why(row)));
        }
        for row in &self.printed {
            say(format!("{} changes no code, but what is printed: {}", row.name, why(row)));
        }
        for row in &self.silent {
            say(format!("{} changes neither code nor what is printed: {}", row.name, why(row)));
        }
        for row in &self.idle {
            say(format!(
                "{} changes no code ({}), and docs/requirements.md has no reason for that",
                row.name, row.effect
            ));
        }
        out
    }
}

/// Files and complaints, each with the versions and levels that have it.
fn complaints<'a>(
    reports: &'a [Report],
    get: impl Fn(&'a Report) -> Vec<&'a (String, Complaint)>,
) -> BTreeMap<&'a (String, Complaint), Vec<String>> {
    let mut places: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for report in reports {
        let all: BTreeSet<_> = get(report).into_iter().collect();
        for complaint in all {
            places.entry(complaint).or_default().push(format!("{}, -O{}", report.llvm, report.level));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "\
E11          dead results of the emitter
L6           the local method; no code changes: it gives the same
L5           no switch: one bitset would do
";

    fn rows() -> Vec<Row> {
        LIST.lines().filter_map(Row::parse).collect()
    }

    fn compiled(hash: u64, moves: i64, counter: i64) -> Compiled {
        let numbers = Numbers { moves, instructions: 10, virtual_registers: 5, ..Numbers::default() };
        Compiled {
            kernels: BTreeMap::from([("k".to_owned(), Kernel { hash, numbers })]),
            remarks: BTreeMap::new(),
            counters: BTreeMap::from([("emitter: nodes".to_owned(), counter)]),
        }
    }

    fn report(effects: Vec<Effect>) -> Report {
        Report { llvm: "LLVM version 19".into(), level: 3, kernels: 1, effects, unusable: Vec::new() }
    }

    #[test]
    fn the_list_of_the_plugin() {
        let rows = rows();
        let reasons: Vec<_> = rows.iter().map(|row| row.reason.as_deref()).collect();
        assert_eq!(reasons, [None, Some("it gives the same"), Some("one bitset would do")]);
        assert_eq!(rows.iter().map(|row| row.has_switch).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(rows[1].effect, "the local method");
        assert_eq!(chosen(&rows, &[]).map(|rows| rows.len()).ok(), Some(2));
        let error = chosen(&rows, &["L5".to_owned()]).expect_err("no switch").to_string();
        assert!(error.contains("'L5'") && error.contains("E11, L6"), "{error}");
    }

    #[test]
    fn what_changes_is_counted() {
        let effect = Effect::of("f", &compiled(1, 3, 7), &compiled(2, 5, 7));
        assert_eq!((effect.changes.len(), effect.difference(|n| n.moves), effect.counters.len()), (1, 2, 0));
        let same = Effect::of("f", &compiled(1, 3, 7), &compiled(1, 3, 8));
        assert!(same.changes.is_empty() && same.changes_output() && same.counters.len() == 1);
        assert!(!Effect::of("f", &compiled(1, 3, 7), &compiled(1, 3, 7)).changes_output());
        let lost = Compiled { kernels: BTreeMap::new(), ..compiled(1, 3, 7) };
        assert_eq!(Effect::of("f", &compiled(1, 3, 7), &lost).changes.len(), 1);
    }

    #[test]
    fn remarks_and_counters_are_sums() {
        let once = remarks("a.cu:1:2: remark: copy\nb\n");
        let twice = remarks("a.cu:1:2: remark: copy\na.cu:1:2: remark: copy\n<unknown>:0:0: remark: x\n");
        assert_eq!(differences(&once, &twice).map(|d| d.1).sum::<i64>(), 2);
        let json =
            r#"[{"pass":"p","function":"f","counters":{"a":1}},{"pass":"p","counters":{"a":2,"b":0}}]"#;
        let sums = counters_of(json).expect("sums");
        assert_eq!((sums["p: a"], sums["p: b"]), (3, 0));
    }

    #[test]
    fn a_row_without_effect_is_a_failure_unless_there_is_a_reason() {
        let rows = chosen(&rows(), &[]).expect("rows");
        let changed = || Effect::of("f", &compiled(1, 3, 7), &compiled(2, 3, 7));
        let printed = || Effect::of("f", &compiled(1, 3, 7), &compiled(1, 3, 8));
        let names = |rows: &[Row]| rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();

        let good = Verdict::of(&rows, &[report(vec![changed(), printed()])]);
        assert!(good.is_fine() && names(&good.printed) == ["L6"]);
        // An effect with one of several versions and levels is enough.
        let idle = report(vec![printed(), Effect::default()]);
        assert!(Verdict::of(&rows, &[idle, report(vec![changed(), printed()])]).is_fine());

        let silent = Verdict::of(&rows, &[report(vec![changed(), Effect::default()])]);
        assert!(silent.is_fine() && names(&silent.silent) == ["L6"]);
        let bad = Verdict::of(&rows, &[report(vec![printed(), Effect::default()])]);
        assert!(!bad.is_fine() && names(&bad.idle) == ["E11"] && names(&bad.silent) == ["L6"]);
        let text = bad.text(&super::tests::rows(), &[]);
        assert!(text.contains("L5 has no switch") && text.contains("E11 changes no code"), "{text}");
        let failed = report(vec![changed(), Effect::failed("f", "llc: crash".to_owned().into())]);
        assert!(!Verdict::of(&rows, &[failed, report(vec![changed(), printed()])]).is_fine());
    }

    #[test]
    fn tables() {
        let rows = chosen(&rows(), &[]).expect("rows");
        let report = report(vec![Effect::of("f", &compiled(1, 3, 7), &compiled(2, 5, 7)), Effect::default()]);
        let table = table(&rows, &report, true).to_string();
        assert!(table.lines().all(|line| line.len() <= usize::from(text::WIDTH)), "{table}");
        assert!(table.contains("+2"), "{table}");
        let csv = csv(&rows, &[report]);
        assert_eq!(csv.lines().nth(1), Some("\"LLVM version 19\",3,E11,1,1,2,0,0,0,0,0,0,0"));
        assert!(csv.lines().all(|line| line.split(',').count() == 13), "{csv}");
    }

    #[test]
    fn functions_before_the_kernels_count() {
        let ptx = ".visible .func f()\n{\nret;\n}\n.visible .entry k()\n{\nret;\n}\n";
        let names: Vec<_> = units(ptx).map(|unit| unit.0).collect();
        assert_eq!(names, ["functions", "k"]);
        assert_eq!(units(".visible .entry k()\n{\nret;\n}\n").count(), 1);
    }
}
