//! `parity`: is llc's output byte-identical with the plugin?
//!
//! Both sides compile every input at every level. We compare the bytes on stdout, how llc ended,
//! and stderr. In stderr only what cannot be equal is ignored: the command line in a crash report,
//! addresses, times, and the mark ` (ptxpasses)` after a pass name. Two runs that both reject the
//! input in the same way are identical, but counted apart: a suite of invalid inputs must not look
//! like a proof.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use similar::TextDiff;

use crate::inputs::{self, Plan};
use crate::llc::{display_line, indent, Exit, Llc, Output, Side, Tools, RUST_PASS_SUFFIX};
use crate::output;
use crate::progress::Progress;
use crate::text::counted;
use crate::verdict::{self, Counts, Verdict};

/// Lines of a diff that the report shows.
const DIFF_LINES: usize = 40;
/// Time for one diff; after it `similar` falls back to a coarser one.
const DIFF_TIME: Duration = Duration::from_secs(2);

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    tools: Tools,
    /// Compile for this processor the files without RUN lines [default: the "target-cpu" of their
    /// functions, else sm_80]
    #[arg(long, value_name = "CPU")]
    mcpu: Option<String>,
    /// Runs at the same time (default: one per core)
    #[arg(short, value_name = "N")]
    jobs: Option<usize>,
    /// Optimisation levels
    #[arg(short = 'O', value_name = "LEVELS", value_delimiter = ',', default_value = "0,1,2,3",
          value_parser = clap::value_parser!(u8).range(0..=3))]
    levels: Vec<u8>,
    /// Write every run's verdict to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Differences to show in full
    #[arg(long, value_name = "N", default_value_t = 5)]
    diffs: usize,
    /// .ll, .mir and .bc files, or directories with such files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Compares the outputs of the two sides.
pub fn judge(stock: &Output, plugin: &Output) -> Verdict {
    Verdict::of(stock.exit, plugin.exit, || {
        stock.stdout == plugin.stdout && comparable_stderr(&stock.stderr) == comparable_stderr(&plugin.stderr)
    })
}

/// stderr without what differs from run to run anyway.
fn comparable_stderr(stderr: &[u8]) -> String {
    String::from_utf8_lossy(stderr)
        .lines()
        .filter(|line| !is_crash_noise(line) && !is_timing(line))
        .map(|line| without_addresses(&line.replace(RUST_PASS_SUFFIX, "")) + "\n")
        .collect()
}

/// Removes addresses of the process, e.g. of a basic block in the machine verifier's report. They
/// have twelve hexadecimal digits; constants in LLVM's printouts have up to eight or exactly
/// sixteen.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
        kept.push_str("0x");
        kept.push_str(if digits == 12 { &part[digits..] } else { part });
    }
    kept
}

/// The command line and the frames of LLVM's crash report.
fn is_crash_noise(line: &str) -> bool {
    let line = line.trim_start();
    let frame = line
        .strip_prefix('#')
        .is_some_and(|rest| rest.split_once(" 0x").is_some_and(|(n, _)| n.parse::<u32>().is_ok()));
    let bare_frame = line.contains("(+0x") && (line.ends_with(']') || line.ends_with(')'));
    frame
        || bare_frame
        || line.contains("Program arguments: ")
        || line.starts_with("Stack dump without symbol names")
}

/// A line with times, of `-time-passes` and the like.
fn is_timing(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("Total Execution Time:")
        || (line.starts_with(|c: char| c.is_ascii_digit() || c == '-') && line.contains("%)"))
        || line.starts_with("---User Time---")
        || line.starts_with("---System Time---")
        || line.starts_with("---Wall Time---")
}

/// One file, one set of flags, one level.
struct Job<'a> {
    file: &'a Path,
    args: Vec<OsString>,
    level: u8,
}

/// The verdict on one job, and how stock's run and ours ended.
type Outcome = (Verdict, Exit, Exit);

/// The report's data for one difference.
struct Evidence {
    stock: Output,
    plugin: Output,
    verdict: Verdict,
}

/// The `n` first differences in input order, in whatever order the threads find them.
struct FirstDifferences {
    limit: usize,
    found: Mutex<BTreeMap<usize, Evidence>>,
}

impl FirstDifferences {
    fn offer(&self, index: usize, evidence: Evidence) {
        if let Ok(mut found) = self.found.lock() {
            found.insert(index, evidence);
            if found.len() > self.limit {
                found.pop_last();
            }
        }
    }
}

/// Counts of what was not run, by reason.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Skipped {
    run_line_not_understood: usize,
    run_line_emits_no_text: usize,
    run_line_of_new_pass_manager: usize,
    file_without_llc_run: usize,
}

impl Skipped {
    /// Adds the RUN lines that a file's plan leaves out.
    pub fn add_run_lines(&mut self, plan: &Plan) {
        self.run_line_not_understood += plan.not_understood;
        self.run_line_emits_no_text += plan.not_asm;
        self.run_line_of_new_pass_manager += plan.new_pass_manager;
    }
}

#[derive(Serialize)]
struct Record {
    file: String,
    args: Vec<String>,
    level: u8,
    verdict: Verdict,
    stock: String,
    plugin: String,
}

#[derive(Serialize)]
struct Json<'a> {
    llc: &'a str,
    rust_passes: &'a [String],
    total: &'a Counts,
    by_level: BTreeMap<String, &'a Counts>,
    skipped: &'a Skipped,
    seconds: f64,
    runs: Vec<Record>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut tools = args.tools.clone();
    if !tools.plugin.plugin_args.0.iter().any(|arg| arg.trim_start_matches('-').starts_with("ptx-profile")) {
        tools.plugin.plugin_args.0.push("-ptx-profile=upstream".into());
    }
    let llc = Llc::new(&tools)?;
    let files = inputs::discover(&args.paths)?;
    let (jobs, skipped) = plan(&files, args.mcpu.as_deref(), &args.levels)?;
    let rust_passes = llc.rust_passes()?;

    let start = Instant::now();
    let first = FirstDifferences { limit: args.diffs, found: Mutex::default() };
    let outcomes = compare_all(&llc, &jobs, args.jobs, &first)?;
    let seconds = start.elapsed().as_secs_f64();

    let mut total = Counts::default();
    let mut by_level: BTreeMap<u8, Counts> = BTreeMap::new();
    for (job, (verdict, ..)) in jobs.iter().zip(&outcomes) {
        total.add(*verdict);
        by_level.entry(job.level).or_default().add(*verdict);
    }

    if let Ok(found) = first.found.lock() {
        for (number, (index, evidence)) in found.iter().enumerate() {
            print_difference(&llc, number + 1, &jobs[*index], evidence);
        }
    }
    println!("{}, {}, {seconds:.1} s", llc.version, counted(files.len(), "file"));
    print_rust_passes(&rust_passes);
    verdict::print_summary(&by_level, &total, "identical");
    print_skipped(&skipped);
    let verdicts = jobs.iter().zip(&outcomes).map(|(job, (verdict, ..))| (job.file, *verdict));
    verdict::print_advice(&llc, args.mcpu.as_deref(), verdicts)?;

    if let Some(path) = &args.json {
        let json = Json {
            llc: &llc.version,
            rust_passes: &rust_passes,
            total: &total,
            by_level: by_level.iter().map(|(k, v)| (format!("O{k}"), v)).collect(),
            skipped: &skipped,
            seconds,
            runs: records(&jobs, &outcomes),
        };
        output::write_json(path, &json)?;
    }
    if total.runs == 0 {
        println!("nothing was run: no file has flags that are understood");
    }
    let proved = total.runs > 0 && total.identical == total.runs;
    Ok(if proved { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All runs of these files, and what was left out.
fn plan<'a>(files: &'a [PathBuf], mcpu: Option<&str>, levels: &[u8]) -> Result<(Vec<Job<'a>>, Skipped)> {
    let mut skipped = Skipped::default();
    let mut jobs = Vec::new();
    for file in files {
        let plan = inputs::plan(file, mcpu)?;
        skipped.add_run_lines(&plan);
        skipped.file_without_llc_run += usize::from(plan.no_llc);
        jobs.extend(jobs_of(file, plan, levels));
    }
    Ok((jobs, skipped))
}

/// Runs both sides of each job on this many threads (default: one per core), and keeps the first
/// differences.
fn compare_all(
    llc: &Llc,
    jobs: &[Job],
    threads: Option<usize>,
    first: &FirstDifferences,
) -> Result<Vec<Outcome>> {
    let progress = Progress::new("parity", jobs.len());
    let compare = |(index, job): (usize, &Job)| -> Result<Outcome> {
        let stock = llc.execute(&llc.command_line(Side::Stock, &job.args))?;
        let plugin = llc.execute(&llc.command_line(Side::Plugin, &job.args))?;
        let verdict = judge(&stock, &plugin);
        progress.step(!verdict.is_identical());
        let exits = (stock.exit, plugin.exit);
        if !verdict.is_identical() {
            first.offer(index, Evidence { stock, plugin, verdict });
        }
        Ok((verdict, exits.0, exits.1))
    };
    let outcomes = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .context("starting threads")?
        .install(|| jobs.par_iter().enumerate().map(compare).collect::<Result<Vec<_>>>());
    progress.finish();
    outcomes
}

/// Every set of flags at the levels of the list and at those that its RUN lines name.
fn jobs_of<'a>(file: &'a Path, plan: Plan, levels: &[u8]) -> Vec<Job<'a>> {
    let mut jobs = Vec::new();
    for invocation in plan.invocations {
        let all: BTreeSet<u8> = levels.iter().chain(&invocation.levels).copied().collect();
        for level in all {
            let mut args: Vec<OsString> = invocation.args.iter().map(OsString::from).collect();
            args.push(format!("-O{level}").into());
            args.push(file.into());
            args.push("-o".into());
            args.push("-".into());
            jobs.push(Job { file, args, level });
        }
    }
    jobs
}

fn records(jobs: &[Job], outcomes: &[Outcome]) -> Vec<Record> {
    jobs.iter()
        .zip(outcomes)
        .map(|(job, (verdict, stock, plugin))| Record {
            file: inputs::name_of(job.file),
            args: job.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect(),
            level: job.level,
            verdict: *verdict,
            stock: stock.to_string(),
            plugin: plugin.to_string(),
        })
        .collect()
}

fn print_difference(llc: &Llc, number: usize, job: &Job, evidence: &Evidence) {
    let stock_line = llc.command_line(Side::Stock, &job.args);
    let plugin_line = llc.command_line(Side::Plugin, &job.args);
    println!("--- difference {number}: {} ---", evidence.verdict.describe());
    println!("stock:     {}", display_line(&stock_line));
    println!("ptxpasses: {}", display_line(&plugin_line));
    let (stock, plugin) = (&evidence.stock, &evidence.plugin);
    if stock.exit != plugin.exit {
        println!("stock: {}; ptxpasses: {}", stock.exit, plugin.exit);
    }
    let old_errors = comparable_stderr(&stock.stderr);
    let new_errors = comparable_stderr(&plugin.stderr);
    if old_errors != new_errors {
        print!("{}", unified_diff("stderr", &old_errors, &new_errors));
    }
    // If only one side failed, its missing output says nothing new.
    if stock.exit == plugin.exit && stock.stdout != plugin.stdout {
        let old = String::from_utf8_lossy(&stock.stdout);
        let new = String::from_utf8_lossy(&plugin.stdout);
        print!("{}", unified_diff("stdout", &old, &new));
    }
    println!();
}

/// The first lines of a unified diff; its header names the stream.
fn unified_diff(stream: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::configure().timeout(DIFF_TIME).diff_lines(old, new);
    let text = diff
        .unified_diff()
        .context_radius(3)
        .header(&format!("stock {stream}"), &format!("ptxpasses {stream}"))
        .to_string();
    indent(&text, DIFF_LINES) + "\n"
}

fn print_rust_passes(names: &[String]) {
    if names.is_empty() {
        println!(
            "note: the plugin replaced no pass (no timer ends in '{}'), so this compares stock with stock",
            RUST_PASS_SUFFIX.trim_start()
        );
    } else {
        println!("passes in Rust: {}", names.join(", "));
    }
}

/// Prints what was not run, by reason.
pub fn print_skipped(skipped: &Skipped) {
    for (count, what) in [
        (skipped.run_line_not_understood, "RUN lines not understood"),
        (skipped.run_line_emits_no_text, "RUN lines that emit no text"),
        (
            skipped.run_line_of_new_pass_manager,
            "RUN lines of the new pass manager, which runs no pass of the plugin",
        ),
        (skipped.file_without_llc_run, "files whose RUN lines do not run llc"),
    ] {
        if count > 0 {
            println!("skipped, {what}: {count}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(exit: Exit, stdout: &str, stderr: &str) -> Output {
        Output { exit, stdout: stdout.into(), stderr: stderr.into() }
    }

    const OK: Exit = Exit::Code(0);

    #[test]
    fn success_is_compared_by_bytes() {
        let stock = output(OK, "mov\n", "");
        assert_eq!(judge(&stock, &output(OK, "mov\n", "")), Verdict::Identical);
        assert_eq!(judge(&stock, &output(OK, "mov \n", "")), Verdict::Different);
        assert_eq!(judge(&stock, &output(OK, "mov\n", "warning: x\n")), Verdict::Different);
    }

    #[test]
    fn failures_are_compared_by_their_words() {
        let error = output(Exit::Code(1), "", "llc: error: no\n");
        let other_words = output(Exit::Code(1), "", "llc: error: panic in pass\n");
        assert_eq!(judge(&error, &error), Verdict::BothReject);
        assert_eq!(judge(&error, &other_words), Verdict::Different);
    }

    #[test]
    fn crash_reports_are_compared_without_addresses() {
        let report = |load: &str, address: &str, mark: &str| {
            format!(
                "LLVM ERROR: Cannot select: t5\n\
                 PLEASE submit a bug report.\n\
                 Stack dump:\n\
                 0.\tProgram arguments: llc {load}x.ll\n\
                 1.\tRunning pass 'Live Interval Analysis{mark}' on function '@f'\n\
                  #0 0x{address} llvm::sys::PrintStackTrace (/lib/libLLVM.so.19+0x{address})\n\
                 #12 0x{address} main\n\
                 Stack dump without symbol names (ensure you have llvm-symbolizer):\n\
                 /usr/lib/llvm-19/bin/llc(+0x1{address})[0x{address}]\n"
            )
        };
        let stock = output(Exit::Signal(6), "", &report("", "00007f01", ""));
        let plugin = output(Exit::Signal(6), "", &report("-load p.so ", "00007f99", RUST_PASS_SUFFIX));
        assert_eq!(judge(&stock, &plugin), Verdict::BothCrash);
        let elsewhere = report("", "1", "").replace("'@f'", "'@g'");
        assert_eq!(judge(&stock, &output(Exit::Signal(6), "", &elsewhere)), Verdict::Different);
    }

    #[test]
    fn addresses_are_ignored() {
        assert_eq!(without_addresses("%bb.0  (0x556a18a034e8) 0x3F80"), "%bb.0  (0x) 0x3F80");
        assert_eq!(without_addresses("0x3FF0000000000000, 0x"), "0x3FF0000000000000, 0x");
    }

    #[test]
    fn times_are_ignored() {
        let report = |time: &str| {
            format!(
                "  Total Execution Time: {time} seconds ({time} wall clock)\n   {time} ( 57.1%)   {time} ( 50.0%)  Slot index numbering\n"
            )
        };
        let (a, b) = (report("0.0010"), report("0.0012"));
        assert_eq!(judge(&output(OK, "", &a), &output(OK, "", &b)), Verdict::Identical);
    }

    #[test]
    fn the_first_differences_are_kept() {
        let first = FirstDifferences { limit: 2, found: Mutex::default() };
        for index in [7, 3, 9, 1] {
            let (stock, plugin) = (output(OK, "", ""), output(OK, "", ""));
            first.offer(index, Evidence { stock, plugin, verdict: Verdict::Different });
        }
        let kept: Vec<usize> = first.found.lock().expect("no panic").keys().copied().collect();
        assert_eq!(kept, [1, 3]);
    }

    #[test]
    fn levels_of_the_list_and_of_the_run_line() {
        let plan = Plan {
            invocations: vec![crate::lit::Invocation {
                args: vec!["-mcpu=sm_20".to_owned()],
                levels: vec![2],
            }],
            not_understood: 0,
            not_asm: 0,
            new_pass_manager: 0,
            no_llc: false,
        };
        let jobs = jobs_of(Path::new("a.ll"), plan, &[3, 0]);
        assert_eq!(jobs.iter().map(|job| job.level).collect::<Vec<_>>(), [0, 2, 3]);
        assert_eq!(jobs[1].args, ["-mcpu=sm_20", "-O2", "a.ll", "-o", "-"]);
    }

    #[test]
    fn diffs_are_short() {
        let old: String = (0..200).map(|i| format!("line {i}\n")).collect();
        let new: String = (0..200).map(|i| format!("line {}\n", i * 2)).collect();
        let diff = unified_diff("stdout", &old, &new);
        assert!(diff.starts_with("    --- stock stdout\n    +++ ptxpasses stdout\n"));
        assert_eq!(diff.lines().count(), DIFF_LINES + 1);
    }
}
