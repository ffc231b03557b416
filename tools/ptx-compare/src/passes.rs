//! `bench passes`: time and memory of the Rust passes against the stock ones.
//!
//! Times come from llc's own `-time-passes`, so both sides are measured by the same clock in the
//! same program. The sides run alternately, so a disturbance of the machine affects both. The
//! median of the pairwise ratios is robust where the ratio of two medians would not be. A pass of
//! the plugin is recognised by the mark after its name; its counterpart is the stock pass of the
//! same name. Instruction emission is not a pass but has a timer, [`EMITTER`], on both sides.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use ptx_emu::ptx;
use serde::Serialize;

use crate::inputs;
use crate::llc::{Llc, Side, Tools, RUST_PASS_SUFFIX};
use crate::output::write_json;
use crate::progress::Progress;
use crate::text::{self, mebibytes, thousands};
use crate::timing::{self, Clock, Times, RESOLUTION_MS};

/// LLVM's timer for the step that turns a schedule into machine instructions.
pub const EMITTER: &str = "Instruction Creation";

/// Options of every measurement.
#[derive(clap::Args, Debug)]
pub struct Setup {
    #[command(flatten)]
    pub tools: Tools,
    /// Compile for this processor [default: the "target-cpu" of the input's functions, else sm_80]
    #[arg(long, value_name = "CPU")]
    mcpu: Option<String>,
    /// Optimisation level
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub level: u8,
}

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    setup: Setup,
    /// Write the numbers to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Runs of each side
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Kernels (.ll, .mir, .bc), or directories with kernels
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// One run of llc.
pub struct Sample {
    /// Milliseconds by timer.
    pub times: Times,
    /// The whole of llc, by the same clock.
    pub llc_ms: f64,
    pub peak_bytes: f64,
}

/// The runs of both sides, pair by pair.
pub struct Samples {
    pub stock: Vec<Sample>,
    pub plugin: Vec<Sample>,
}

/// By run, a number of stock's and one of the plugin's.
pub type Pairs = Vec<(f64, f64)>;

impl Samples {
    fn pairs(&self, get: impl Fn(&Sample) -> f64) -> Pairs {
        self.stock.iter().zip(&self.plugin).map(|(a, b)| (get(a), get(b))).collect()
    }

    /// Names of the passes that the plugin replaced or added, without their mark.
    pub fn replaced(&self) -> BTreeSet<String> {
        let timers = self.plugin.iter().flat_map(|sample| sample.times.keys());
        let mut names: BTreeSet<String> =
            timers.filter_map(|name| name.strip_suffix(RUST_PASS_SUFFIX)).map(str::to_owned).collect();
        if !names.is_empty() {
            names.insert(EMITTER.to_owned());
        }
        names
    }

    /// Milliseconds in one pass. The plugin's side may also run the stock pass, for functions that
    /// are not its own.
    pub fn pass(&self, name: &str) -> Pairs {
        let marked = format!("{name}{RUST_PASS_SUFFIX}");
        let get = |times: &Times, name: &str| times.get(name).copied().unwrap_or(0.0);
        self.pairs(|sample| get(&sample.times, name) + get(&sample.times, &marked))
    }

    /// Milliseconds of the whole of llc.
    pub fn llc(&self) -> Pairs {
        self.pairs(|sample| sample.llc_ms)
    }

    pub fn has_stock(&self, name: &str) -> bool {
        self.stock.iter().any(|sample| sample.times.contains_key(name))
    }
}

/// Minimum, median and ratio of several runs.
#[derive(Clone, Debug, Serialize)]
struct Summary {
    stock_min: f64,
    stock_median: f64,
    plugin_min: f64,
    plugin_median: f64,
    /// Median of the pairwise ratios; `None` if the times are too short or stock has no such pass.
    ratio: Option<f64>,
}

impl Summary {
    fn of(pairs: &[(f64, f64)], resolution: f64) -> Self {
        let stock: Vec<f64> = pairs.iter().map(|p| p.0).collect();
        let plugin: Vec<f64> = pairs.iter().map(|p| p.1).collect();
        let stock_median = median(&stock);
        let ratios: Vec<f64> = pairs.iter().filter(|p| p.0 > 0.0).map(|p| p.1 / p.0).collect();
        Summary {
            stock_min: minimum(&stock),
            stock_median,
            plugin_min: minimum(&plugin),
            plugin_median: median(&plugin),
            ratio: (stock_median >= resolution && !ratios.is_empty()).then(|| median(&ratios)),
        }
    }

    fn cells(&self, label: &str, show: fn(f64) -> String) -> Vec<String> {
        vec![
            label.to_owned(),
            show(self.stock_min),
            show(self.stock_median),
            show(self.plugin_min),
            show(self.plugin_median),
            self.ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
        ]
    }
}

pub fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// llc's arguments for one kernel, without the output.
pub fn arguments(file: &Path, setup: &Setup) -> Result<Vec<OsString>> {
    let flags = inputs::default_flags(file, setup.mcpu.as_deref())?;
    let mut args: Vec<OsString> = flags.into_iter().map(OsString::from).collect();
    args.push(format!("-O{}", setup.level).into());
    args.push(file.into());
    Ok(args)
}

fn sample(llc: &Llc, side: Side, args: &[OsString], clock: Clock) -> Result<Sample> {
    let report = tempfile::NamedTempFile::new().context("temporary file")?;
    let mut args = args.to_vec();
    args.extend(timing::options(report.path()));
    args.extend(["-o".into(), "/dev/null".into()]);
    let usage = llc.measure(&llc.command_line(side, &args))?;
    let times = timing::parse(&fs::read_to_string(report.path()).context("temporary file")?, clock);
    ensure!(!times.is_empty(), "llc -time-passes reported nothing");
    let llc_ms = match clock {
        Clock::Wall => usage.wall.as_secs_f64() * 1000.0,
        Clock::Processor => usage.cpu_ns as f64 / 1e6,
    };
    Ok(Sample { times, llc_ms, peak_bytes: usage.peak_bytes as f64 })
}

/// Runs both sides alternately.
pub fn samples(
    llc: &Llc,
    args: &[OsString],
    runs: u16,
    clock: Clock,
    progress: &Progress,
) -> Result<Samples> {
    let mut samples = Samples { stock: Vec::new(), plugin: Vec::new() };
    for _ in 0..runs {
        samples.stock.push(sample(llc, Side::Stock, args, clock)?);
        progress.step(false);
        samples.plugin.push(sample(llc, Side::Plugin, args, clock)?);
        progress.step(false);
    }
    Ok(samples)
}

/// Instructions in the stock PTX. This also warms up the file cache.
fn instructions(llc: &Llc, args: &[OsString]) -> Result<u64> {
    let mut args = args.to_vec();
    args.extend(["-o".into(), "-".into()]);
    let ptx = llc.compile(Side::Stock, &args)?;
    // This warms up the plugin's side, and shows that it works.
    llc.compile(Side::Plugin, &args)?;
    Ok(ptx::analyse(&String::from_utf8_lossy(&ptx)).instructions)
}

#[derive(Serialize)]
struct FileReport {
    #[serde(with = "inputs::name")]
    file: PathBuf,
    instructions: u64,
    runs: u16,
    /// Milliseconds by pass.
    passes: BTreeMap<String, Summary>,
    passes_together_ms: Summary,
    llc_ms: Summary,
    peak_bytes: Summary,
}

const HEADER: [&str; 6] =
    ["pass, wall time in ms", "stock min", "stock median", "ptxpasses min", "ptxpasses median", "ratio"];

fn milliseconds(time: f64) -> String {
    format!("{time:.2}")
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let setup = &args.setup;
    let llc = Llc::new(&setup.tools)?;
    let files = inputs::discover(&args.files)?;
    println!("{}, -O{}, {} alternating runs of each side", llc.version, setup.level, args.runs);
    let progress = Progress::new("bench passes", 2 * usize::from(args.runs) * files.len());
    let mut reports = Vec::new();
    for file in &files {
        let llc_args = arguments(file, setup)?;
        let instructions = match instructions(&llc, &llc_args) {
            Ok(count) => count,
            Err(error) => {
                let advice = inputs::advice_for(&llc, file, setup.mcpu.as_deref())?;
                return Err(error.context(format!("llc fails on {}{advice}", file.display())));
            }
        };
        let samples = samples(&llc, &llc_args, args.runs, Clock::Wall, &progress)?;
        reports.push(FileReport::new(file, instructions, args.runs, &samples));
    }
    progress.finish();
    for report in &reports {
        report.print();
    }
    if reports.len() > 1 {
        print_all_files(&reports);
    }
    println!(
        "\nratio: median of the pairwise ratios ptxpasses/stock (of all files: ratio of the summed medians);\n\
         '-' where stock has no such pass, or takes less than {RESOLUTION_MS} ms, which -time-passes cannot resolve"
    );
    if reports.iter().all(|report| report.passes.is_empty()) {
        println!("note: the plugin replaced no pass (no timer ends in '{}')", RUST_PASS_SUFFIX.trim_start());
    }
    if let Some(path) = &args.json {
        write_json(path, &reports)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl FileReport {
    fn new(file: &Path, instructions: u64, runs: u16, samples: &Samples) -> Self {
        let names = samples.replaced();
        let mut passes = BTreeMap::new();
        let mut together: Pairs = vec![(0.0, 0.0); runs.into()];
        for name in names {
            let pairs = samples.pass(&name);
            for (sum, pair) in together.iter_mut().zip(&pairs) {
                *sum = (sum.0 + pair.0, sum.1 + pair.1);
            }
            let mut summary = Summary::of(&pairs, RESOLUTION_MS);
            summary.ratio = summary.ratio.filter(|_| samples.has_stock(&name));
            passes.insert(name, summary);
        }
        FileReport {
            file: file.to_owned(),
            instructions,
            runs,
            passes,
            passes_together_ms: Summary::of(&together, RESOLUTION_MS),
            llc_ms: Summary::of(&samples.llc(), RESOLUTION_MS),
            peak_bytes: Summary::of(&samples.pairs(|sample| sample.peak_bytes), 1.0),
        }
    }

    fn print(&self) {
        println!("\n{}: {} instructions", self.file.display(), thousands(self.instructions));
        let mut table = text::table(&HEADER, 1);
        for (name, summary) in &self.passes {
            table.add_row(summary.cells(name, milliseconds));
        }
        if !self.passes.is_empty() {
            table.add_row(self.passes_together_ms.cells("these passes together", milliseconds));
        }
        table.add_row(self.llc_ms.cells("whole llc", milliseconds));
        table.add_row(self.peak_bytes.cells("peak memory of llc, MiB", mebibytes));
        println!("{table}");
    }
}

/// Prints the sums over all files, of the minima and of the medians.
fn print_all_files(reports: &[FileReport]) {
    let sum = |summaries: Vec<&Summary>| {
        let add = |get: fn(&Summary) -> f64| summaries.iter().map(|s| get(s)).sum::<f64>();
        let (stock, plugin) = (add(|s| s.stock_median), add(|s| s.plugin_median));
        Summary {
            stock_min: add(|s| s.stock_min),
            stock_median: stock,
            plugin_min: add(|s| s.plugin_min),
            plugin_median: plugin,
            ratio: (stock >= RESOLUTION_MS).then(|| plugin / stock),
        }
    };
    let instructions: u64 = reports.iter().map(|report| report.instructions).sum();
    println!("\nall {} files: {} instructions", reports.len(), thousands(instructions));
    let mut table = text::table(&HEADER, 1);
    let names: BTreeSet<&String> = reports.iter().flat_map(|report| report.passes.keys()).collect();
    for name in &names {
        let total = sum(reports.iter().filter_map(|report| report.passes.get(*name)).collect());
        table.add_row(total.cells(name, milliseconds));
    }
    if !names.is_empty() {
        let together = sum(reports.iter().map(|report| &report.passes_together_ms).collect());
        table.add_row(together.cells("these passes together", milliseconds));
    }
    let whole = sum(reports.iter().map(|report| &report.llc_ms).collect());
    table.add_row(whole.cells("whole llc", milliseconds));
    println!("{table}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_of(times: &[(&str, f64)]) -> Sample {
        Sample {
            times: times.iter().map(|(name, ms)| ((*name).to_owned(), *ms)).collect(),
            llc_ms: 10.0,
            peak_bytes: 1e6,
        }
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&[]), 0.0);
    }

    #[test]
    fn ratio_is_the_median_of_pairs() {
        let summary = Summary::of(&[(10.0, 5.0), (100.0, 50.0), (10.0, 20.0)], 0.5);
        assert_eq!(summary.ratio, Some(0.5));
        assert_eq!(summary.stock_median, 10.0);
        assert_eq!(Summary::of(&[(0.1, 0.3)], 0.5).ratio, None);
    }

    #[test]
    fn passes_are_matched_by_name() {
        let stock = run_of(&[("Live Variable Analysis", 4.0), (EMITTER, 1.0), ("Other", 9.0)]);
        let plugin = run_of(&[
            ("Live Variable Analysis (ptxpasses)", 1.5),
            ("Live Variable Analysis", 0.5),
            ("NVPTX Register Coalescer (ptxpasses)", 3.0),
            (EMITTER, 2.0),
            ("Other", 9.0),
        ]);
        let samples = Samples { stock: vec![stock], plugin: vec![plugin] };
        let report = FileReport::new(Path::new("k.ll"), 7, 1, &samples);
        let ratios: Vec<_> = report.passes.iter().map(|(name, s)| (name.as_str(), s.ratio)).collect();
        assert_eq!(
            ratios,
            [(EMITTER, Some(2.0)), ("Live Variable Analysis", Some(0.5)), ("NVPTX Register Coalescer", None)]
        );
        assert_eq!(report.passes_together_ms.plugin_median, 7.0);
    }
}
