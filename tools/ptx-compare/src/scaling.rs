//! `bench scaling`: how the time of each pass and stage grows with the size of a kernel.
//!
//! **Problem.** An algorithm that is quadratic in something is fast on all kernels in our tests,
//! and takes minutes on one from a code generator. **Algorithm.** Kernels of chosen shapes
//! ([`crate::generate`]) are compiled in growing sizes, alternately without and with the plugin.
//! The fastest run of each side counts, in processor time. A line is fitted to the times of a pass
//! by least squares on logarithms, time = c * instructions^exponent: an exponent of 1 is linear.
//! Times below [`FLOOR_MS`] are left out, as they are mostly rounding and start-up, and a line
//! needs three points. Instructions are those of stock's PTX.
//!
//! The table has the times at the largest size, `--json` those of all sizes, and `--svg` draws them
//! ([`chart`]).

mod chart;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, ensure, Context, Result};
use ptx_emu::ptx;
use serde::Serialize;

use crate::generate::{self, Shape};
use crate::llc::{failure, Exit, Llc, Side};
use crate::output;
use crate::passes::{arguments, minimum, samples, Samples, Setup};
use crate::progress::Progress;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{print_notes, thousands};
use crate::timing::Clock;

/// Shorter times do not count in a fit: `-time-passes` prints tenths of a millisecond.
const FLOOR_MS: f64 = 1.0;
/// The fewest times for a fit: two always lie on a line.
const POINTS: usize = 3;
/// The sizes used without `--sizes`, up to `--max-size`.
const SIZES: [usize; 7] = [1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    setup: Setup,
    #[command(flatten)]
    output: OutputArgs,
    /// Draw the times into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Runs of each side; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Shapes of the kernels (default: all)
    #[arg(long, value_name = "SHAPE,...", value_delimiter = ',')]
    shape: Vec<Shape>,
    /// The largest of the sizes 1000, 3000, 10000, 30000, ... up to 1000000, in instructions
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(10_000..=1_000_000))]
    max_size: u32,
    /// Other sizes, three at least
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', conflicts_with = "max_size")]
    sizes: Vec<usize>,
    /// Tied operands of one statement in the shape asm-ties
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=1000))]
    ties: u16,
}

/// A line through times on logarithmic axes: time = `c_ms` * instructions^`exponent`.
#[derive(Clone, Copy, Debug, Serialize)]
struct Fit {
    c_ms: f64,
    exponent: f64,
    /// The number of times in the fit.
    points: usize,
}

impl Fit {
    /// The line through the times that count, if there are enough.
    fn of(instructions: &[u64], times_ms: &[f64]) -> Option<Fit> {
        let logs: Vec<(f64, f64)> = instructions
            .iter()
            .zip(times_ms)
            .filter(|(size, time)| **size > 0 && **time >= FLOOR_MS)
            .map(|(size, time)| ((*size as f64).ln(), time.ln()))
            .collect();
        let n = logs.len() as f64;
        let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / n;
        let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / n;
        let spread: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
        let exponent = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum::<f64>() / spread;
        let c_ms = (mean_y - exponent * mean_x).exp();
        (logs.len() >= POINTS && spread > 0.0).then_some(Fit { c_ms, exponent, points: logs.len() })
    }
}

/// Milliseconds of one side, by size.
#[derive(Clone, Debug, Serialize)]
struct Curve {
    ms: Vec<f64>,
    fit: Option<Fit>,
}

impl Curve {
    fn new(instructions: &[u64], ms: Vec<f64>) -> Curve {
        Curve { fit: Fit::of(instructions, &ms), ms }
    }
    fn exponent(&self) -> Option<f64> {
        self.fit.map(|fit| fit.exponent)
    }
}

/// The subject of a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// A pass that stock llc has as well.
    Pass,
    /// A stage, which only the plugin has.
    Stage,
    /// The sum of these.
    Together,
    Llc,
}

/// The times of a pass or stage in kernels of one shape.
#[derive(Clone, Debug, Serialize)]
struct Growth {
    kind: Kind,
    name: String,
    /// `None` for a stage.
    stock: Option<Curve>,
    plugin: Curve,
}

impl Growth {
    /// Whether the time of either side counts at the largest size.
    fn is_long(&self) -> bool {
        let curves = self.stock.iter().chain([&self.plugin]);
        curves.filter_map(|curve| curve.ms.last()).any(|time| *time >= FLOOR_MS)
    }
    /// Our time divided by stock's, at the largest size.
    fn ratio(&self) -> Option<f64> {
        let stock = *self.stock.as_ref()?.ms.last()?;
        (stock >= FLOOR_MS).then_some(self.plugin.ms.last()? / stock)
    }
}

/// The kernels of one shape.
#[derive(Clone, Debug, Serialize)]
struct Report {
    shape: &'static str,
    /// PTX instructions of each kernel.
    instructions: Vec<u64>,
    growths: Vec<Growth>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let setup = &args.setup;
    let sizes = sizes_of(args)?;
    let llc = Llc::new(&setup.tools)?;
    let shapes = if args.shape.is_empty() { &Shape::ALL[..] } else { &args.shape };
    let head = format!(
        "{}, -O{}, processor time, fastest of {} alternating runs of each side",
        llc.version, setup.level, args.runs
    );
    let progress =
        Progress::new("bench scaling", (2 * usize::from(args.runs) + 1) * sizes.len() * shapes.len());
    let mut notes = Vec::new();
    let mut reports = Vec::new();
    for shape in shapes {
        reports.push(measure(&llc, args, *shape, &sizes, &progress, &mut notes)?);
    }
    progress.finish();
    print_notes(&notes);
    let sheet = sheet(&reports);
    args.output.write(&sheet, &reports)?;
    if let Some(path) = &args.svg {
        output::write(path, chart::draw(&reports, &head))?;
    }
    if !args.output.takes_stdout() {
        println!(
            "{head}\n{}\nms and their ratio at the largest size, of what takes {FLOOR_MS} ms or more there; exponent e of time = c * instr^e, fitted to the\n\
             times of at least {FLOOR_MS} ms; '-' where stock has no such pass or takes less, or where fewer than {POINTS} times are that long",
            sheet.terminal()
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn sizes_of(args: &Args) -> Result<Vec<usize>> {
    let mut sizes = args.sizes.clone();
    if sizes.is_empty() {
        sizes.extend(SIZES.iter().filter(|size| **size <= args.max_size as usize));
    }
    sizes.sort_unstable();
    sizes.dedup();
    ensure!(sizes.len() >= POINTS, "--sizes has {} sizes; a fit needs {POINTS} at least", sizes.len());
    Ok(sizes)
}

/// Measures all sizes of a shape, up to the first that takes stock llc too long.
fn measure(
    llc: &Llc,
    args: &Args,
    shape: Shape,
    sizes: &[usize],
    progress: &Progress,
    notes: &mut Vec<String>,
) -> Result<Report> {
    let mut instructions = Vec::new();
    let mut all = Vec::new();
    for size in sizes {
        let file = tempfile::Builder::new().suffix(".ll").tempfile().context("temporary file")?;
        fs::write(file.path(), generate::kernel(shape, *size, args.ties.into())).context("temporary file")?;
        let llc_args = arguments(file.path(), &args.setup)?;
        let Some(count) = count(llc, &llc_args).with_context(|| format!("{} of {size}", shape.name()))?
        else {
            let seconds = llc.timeout.as_secs();
            let size = thousands(*size as u64);
            notes.push(format!(
                "{}: {size} instructions and more are left out, as stock llc takes over {seconds} s (--timeout)",
                shape.name()
            ));
            break;
        };
        progress.step(false);
        instructions.push(count);
        all.push(samples(llc, &llc_args, args.runs, Clock::Processor, progress)?);
    }
    ensure!(!all.is_empty(), "stock llc takes too long for the smallest kernel of {}", shape.name());
    Ok(Report { shape: shape.name(), growths: growths(&instructions, &all), instructions })
}

/// Instructions in stock's PTX; `None` if llc takes longer than allowed. This also warms up the
/// file cache.
fn count(llc: &Llc, args: &[OsString]) -> Result<Option<u64>> {
    let mut args = args.to_vec();
    args.extend(["-o".into(), "-".into()]);
    let line = llc.command_line(Side::Stock, &args);
    let output = llc.execute(&line)?;
    match output.exit {
        Exit::Code(0) => Ok(Some(ptx::analyse(&String::from_utf8_lossy(&output.stdout)).instructions)),
        Exit::TimedOut => Ok(None),
        exit => bail!("{}", failure(&line, exit, &output.stderr)),
    }
}

/// The curves of all passes and stages, of their sum and of llc; `all` has the runs of each size.
fn growths(instructions: &[u64], all: &[Samples]) -> Vec<Growth> {
    let names: BTreeSet<String> = all.iter().flat_map(Samples::replaced).collect();
    let mut growths: Vec<Growth> = names
        .into_iter()
        .map(|name| {
            let fastest = |samples: &Samples| fastest(&samples.pass(&name));
            let (stock, plugin) = all.iter().map(fastest).unzip();
            let has_stock = all.iter().any(|samples| samples.has_stock(&name));
            Growth {
                kind: if has_stock { Kind::Pass } else { Kind::Stage },
                stock: has_stock.then(|| Curve::new(instructions, stock)),
                plugin: Curve::new(instructions, plugin),
                name,
            }
        })
        .collect();
    growths.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    let sum = |of: &dyn Fn(&Growth) -> Option<&Curve>| -> Vec<f64> {
        let at = |size: usize| growths.iter().filter_map(of).map(|curve| curve.ms[size]).sum();
        (0..instructions.len()).map(at).collect()
    };
    let (stock, plugin) = (sum(&|growth| growth.stock.as_ref()), sum(&|growth| Some(&growth.plugin)));
    let (llc_stock, llc_plugin) = all.iter().map(|samples| fastest(&samples.llc())).unzip();
    for (kind, name, stock, plugin) in [
        (Kind::Together, "passes and stages together", stock, plugin),
        (Kind::Llc, "whole llc", llc_stock, llc_plugin),
    ] {
        let (stock, plugin) = (Curve::new(instructions, stock), Curve::new(instructions, plugin));
        growths.push(Growth { kind, name: name.to_owned(), stock: Some(stock), plugin });
    }
    growths
}

/// The shortest time of each side.
fn fastest(pairs: &[(f64, f64)]) -> (f64, f64) {
    let (stock, plugin): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    (minimum(&stock), minimum(&plugin))
}

fn sheet(reports: &[Report]) -> Sheet {
    let header = ["shape", "pass", "instr", "stock ms", "our ms", "ratio", "e stock", "e ours"];
    let mut sheet = Sheet::new(&header, 2);
    let number = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"));
    let ms = |curve: &Curve| curve.ms.last().map_or_else(|| "-".to_owned(), |time| format!("{time:.1}"));
    for report in reports {
        let instructions = report.instructions.last().map_or_else(String::new, u64::to_string);
        for growth in report.growths.iter().filter(|growth| growth.is_long()) {
            let stock = growth.stock.as_ref();
            sheet.add(vec![
                report.shape.to_owned(),
                growth.name.clone(),
                instructions.clone(),
                stock.map_or_else(|| "-".to_owned(), ms),
                ms(&growth.plugin),
                number(growth.ratio()),
                number(stock.and_then(Curve::exponent)),
                number(growth.plugin.exponent()),
            ]);
        }
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{Sample, EMITTER};

    /// Runs of both sides with these times; each side has been slower once.
    fn runs(stock: &[(&str, f64)], plugin: &[(&str, f64)], llc_ms: f64) -> Samples {
        let side = |times: &[(&str, f64)]| {
            let of = |factor: f64| Sample {
                times: times.iter().map(|(name, ms)| ((*name).to_owned(), ms * factor)).collect(),
                llc_ms: llc_ms * factor,
                peak_bytes: 1e6,
            };
            vec![of(1.5), of(1.0)]
        };
        Samples { stock: side(stock), plugin: side(plugin) }
    }

    /// A quadratic pass of stock's that is linear here, and a stage of n * sqrt(n).
    pub fn made_up() -> Report {
        let instructions = vec![1000, 10_000, 100_000];
        let all: Vec<Samples> = instructions
            .iter()
            .map(|n| {
                let n = *n as f64 / 1000.0;
                let emitter = (EMITTER, 4.0 * n);
                let plugin = [("PHIs (ptxpasses)", 2.0 * n), ("a<b (ptxpasses)", 3.0 * n.powf(1.5)), emitter];
                runs(&[("PHIs", n * n), ("Other", n), emitter], &plugin, 50.0 * n)
            })
            .collect();
        Report { shape: "phis", growths: growths(&instructions, &all), instructions }
    }

    #[test]
    fn exponents_of_made_up_times() {
        let sizes = [1000, 3000, 10_000, 30_000];
        for exponent in [0.5, 1.0, 1.05, 2.0] {
            let times: Vec<f64> = sizes.iter().map(|n| 0.1 * (*n as f64).powf(exponent)).collect();
            let fit = Fit::of(&sizes, &times).expect("four points");
            assert!((fit.exponent - exponent).abs() < 1e-9 && (fit.c_ms - 0.1).abs() < 1e-9, "{fit:?}");
            assert_eq!(fit.points, 4);
        }
    }

    #[test]
    fn a_fit_goes_between_times_that_are_off_both_ways() {
        let sizes = [1000, 10_000, 100_000, 1_000_000];
        let fit =
            Fit::of(&sizes, &[10.0 * 1.1, 100.0 / 1.1, 1000.0 / 1.1, 10_000.0 * 1.1]).expect("four points");
        assert!((fit.exponent - 1.0).abs() < 1e-9, "{fit:?}");
    }

    #[test]
    fn short_times_and_few_times_make_no_fit() {
        let sizes = [1000, 3000, 10_000, 30_000];
        // The first one is start-up; with it the exponent would be smaller.
        let fit = Fit::of(&sizes, &[0.9, 3.0, 10.0, 30.0]).expect("three points");
        assert!((fit.exponent - 1.0).abs() < 1e-9 && fit.points == 3, "{fit:?}");
        assert!(Fit::of(&sizes, &[0.9, 0.9, 10.0, 30.0]).is_none());
        assert!(Fit::of(&[7, 7, 7], &[2.0, 3.0, 4.0]).is_none());
    }

    #[test]
    fn passes_stages_and_their_sum_have_curves() {
        let report = made_up();
        let rows: Vec<(Kind, &str, Option<String>, String)> = report
            .growths
            .iter()
            .map(|growth| {
                let exponent = |curve: &Curve| format!("{:.2}", curve.exponent().expect("three points"));
                let stock = growth.stock.as_ref().map(exponent);
                (growth.kind, growth.name.as_str(), stock, exponent(&growth.plugin))
            })
            .collect();
        let (one, two) = ("1.00".to_owned(), "2.00".to_owned());
        assert_eq!(rows[0], (Kind::Pass, EMITTER, Some(one.clone()), one.clone()));
        assert_eq!(rows[1], (Kind::Pass, "PHIs", Some(two), one));
        assert_eq!(rows[2], (Kind::Stage, "a<b", None, "1.50".to_owned()));
        assert_eq!((rows[3].0, rows[4].0, rows.len()), (Kind::Together, Kind::Llc, 5));
        assert_eq!(report.growths[1].ratio(), Some(0.02));
        assert_eq!(report.growths[2].ratio(), None);
        assert_eq!(report.growths[3].plugin.ms, [9.0, 60.0 + 3.0 * 10_f64.powf(1.5), 3600.0]);
        assert_eq!(report.growths[4].plugin.ms, [50.0, 500.0, 5000.0]);
    }

    #[test]
    fn the_table_has_the_largest_size() {
        let csv = sheet(&[made_up()]).csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines[2], "phis,PHIs,100000,10000.0,200.0,0.02,2.00,1.00");
        assert_eq!(lines[3], "phis,a<b,100000,-,3000.0,-,-,1.50");

        let mut report = made_up();
        report.growths[2].plugin.ms = vec![0.0, 0.1, 0.9];
        assert_eq!(sheet(&[report]).csv().lines().count(), lines.len() - 1);
    }
}
