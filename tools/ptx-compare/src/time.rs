//! `time`: predicts which of two versions of a kernel is faster, without a GPU.
//!
//! Sources are compiled under two settings, stock's and the plugin's unless told otherwise; two files of PTX or two cubins are compared as they are.
//! docs/time.md says what the prediction knows and what it does not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail, ensure, Context, Result};
use gpu_time::replay::CAUSES;
use ptx_emu::grid::launch::Launch;
use ptx_emu::ptx;
use rayon::prelude::*;
use serde::Serialize;

use crate::inputs::{self, FileArgs};
use crate::kernels::{change, named};
use crate::llc::Tools;
use crate::measure::setting::{Setting, DEFAULT, STOCK};
use crate::measure::{CompileArgs, Compiler, Job};
use crate::places;
use crate::progress::Progress;
use crate::ptxas::Cuda;
use crate::sass;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{counted, print_notes};

pub mod compare;
pub mod predict;

use compare::{compare, reason, Machined, Origin, Row};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    tools: Tools,
    #[command(flatten)]
    compile: CompileArgs,
    /// The setting that is timed, by its name; `kernels --setting list` names all
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    setting: String,
    /// The setting that it is compared with
    #[arg(long, value_name = "NAME", default_value = STOCK)]
    against: String,
    /// Launches [default: FILE.launch beside the input, else made up]; docs/comparing.md says how they are written
    #[arg(long, value_name = "FILE")]
    launch: Vec<PathBuf>,
    /// Processor that ptxas compiles for [default: that of the PTX]
    #[arg(long, value_name = "CPU")]
    gpu: Option<String>,
    /// Directory with bin/ptxas and bin/nvdisasm [default: build/cuda, else a CUDA toolkit]
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
    /// Instructions of warps that the emulated blocks of a launch may issue
    #[arg(long, value_name = "N", default_value_t = BUDGET)]
    budget: u64,
    /// Show this many of the instructions that take most of the time
    #[arg(long, value_name = "N", default_value_t = 0)]
    places: usize,
    /// Only the ratio, without its interval: some ten times as fast
    #[arg(long)]
    no_interval: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    files: FileArgs,
}

/// The prediction for a kernel of a file.
#[derive(Serialize)]
struct Named {
    file: String,
    #[serde(flatten)]
    row: Row,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let cuda = sass::tools(&args.cuda.clone().unwrap_or_else(places::ptxas))?;
    let launches = Launch::read_files(&args.launch)?;
    let named = args.files.named();
    let (rows, notes) = match as_they_are(args, &cuda, named)? {
        Some(sides) => {
            let launches = or_beside(&launches, &named[0])?;
            let file = inputs::name_of(&named[1]);
            if args.places > 0 {
                return print_places(args, &file, &sides, &launches);
            }
            (named_rows(&file, args, &sides, &launches)?, Vec::new())
        }
        None => {
            let mut compiler = Compiler::new(&args.tools, &args.compile, None)?;
            let settings = [&args.against, &args.setting].map(|name| setting(name));
            let [against, setting] = settings;
            let (against, setting) = (against?, setting?);
            for one in [&against, &setting] {
                ensure!(
                    compiler.has(one),
                    "{} does not have what the setting {} needs",
                    compiler.llc.version,
                    one.name
                );
            }
            let files = compiler.take(args.files.find(false)?)?;
            let jobs = compiler.jobs(&files);
            let progress = Progress::with_bad_word("time", jobs.len(), "failed");
            let outcomes = jobs.par_iter().map(|job| {
                let outcome = one_job(args, &cuda, &compiler, [&against, &setting], job, &launches)?;
                progress.step(outcome.is_err());
                Ok(outcome)
            });
            let outcomes = outcomes.collect::<Result<Vec<_>>>()?;
            progress.finish();
            let (mut rows, mut notes) = (Vec::new(), Vec::new());
            for outcome in outcomes {
                match outcome {
                    Ok(Timed { rows: own, notes: more }) => {
                        rows.extend(own);
                        notes.extend(more);
                    }
                    Err(why) => notes.push(why),
                }
            }
            (rows, notes)
        }
    };
    print(args, &rows, &notes)
}

/// Predicts the kernels of two texts of PTX that were made of one file, without intervals.
pub fn predictions(cuda: &Cuda, path: &Path, texts: [&str; 2], gpu: &str) -> Result<Vec<Row>> {
    let assemble =
        |text| Machined::assemble(cuda, text, gpu)?.map_err(|why| anyhow!("{}: {why}", path.display()));
    let sides = [assemble(texts[0])?, assemble(texts[1])?];
    compare([&sides[0], &sides[1]], &or_beside(&[], path)?, BUDGET, false)
}

/// Instructions of warps that the emulated blocks of a launch may issue.
const BUDGET: u64 = 50_000_000;

/// The rows of a file, and its notes.
struct Timed {
    rows: Vec<Named>,
    notes: Vec<String>,
}

/// stock is not among the settings that `kernels` compares with it.
fn setting(name: &str) -> Result<Setting> {
    if name == STOCK {
        Ok(Setting::stock())
    } else {
        named(name)
    }
}

/// Two files of PTX or machine code, which are compared as they are. `None` for sources.
fn as_they_are(args: &Args, cuda: &Cuda, files: &[PathBuf]) -> Result<Option<[Machined; 2]>> {
    let is_made =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "ptx" || extension == "cubin");
    if !files.iter().any(is_made) {
        return Ok(None);
    }
    let [a, b] = files else {
        bail!(
            "PTX and cubins are compared in pairs: two files, the one to compare with first; {} were given",
            files.len()
        );
    };
    let read = |path: &PathBuf| -> Result<Machined> {
        if path.extension().is_some_and(|extension| extension == "cubin") {
            return Machined::read(cuda, path);
        }
        ensure!(is_made(path), "{}: PTX and cubins are not compared with sources", path.display());
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let target = args.gpu.clone().or_else(|| ptx::analyse(&text).target);
        let gpu =
            target.with_context(|| format!("{}: it has no .target; --gpu names one", path.display()))?;
        Machined::assemble(cuda, &text, &gpu)?.map_err(|complaint| anyhow!("{}: {complaint}", path.display()))
    };
    Ok(Some([read(a)?, read(b)?]))
}

/// The given launches, else those of `FILE.launch` beside an input, else none.
fn or_beside(given: &[Launch], input: &Path) -> Result<Vec<Launch>> {
    let beside = input.with_extension("launch");
    if !given.is_empty() || !beside.is_file() {
        return Ok(given.to_vec());
    }
    Launch::read_file(&beside)
}

fn named_rows(file: &str, args: &Args, sides: &[Machined; 2], launches: &[Launch]) -> Result<Vec<Named>> {
    let rows = compare([&sides[0], &sides[1]], launches, args.budget, !args.no_interval)?;
    Ok(rows.into_iter().map(|row| Named { file: file.to_owned(), row }).collect())
}

/// Compiles a source both ways and predicts. The inner error is the complaint of a compiler.
fn one_job(
    args: &Args,
    cuda: &Cuda,
    compiler: &Compiler,
    settings: [&Setting; 2],
    job: &Job,
    launches: &[Launch],
) -> Result<Result<Timed, String>> {
    let input = compiler.read(job)?;
    let gpu = args.gpu.as_ref().unwrap_or(&input.cpu);
    let mut sides = Vec::with_capacity(2);
    for setting in settings {
        let complain = |why: String| format!("{}: {}: {why}", job.path.display(), setting.name);
        let module = match compiler.compile(&input, setting, &[])? {
            Ok(module) => module,
            Err(why) => return Ok(Err(complain(why))),
        };
        match Machined::assemble(cuda, module.text(), gpu)? {
            Ok(side) => sides.push(side),
            Err(why) => return Ok(Err(complain(why))),
        }
    }
    let [a, b] = [sides.remove(0), sides.remove(0)];
    let file = inputs::name_of(job.path);
    // Of launches for several files those of this one.
    let own: Vec<Launch> = or_beside(launches, job.path)?
        .into_iter()
        .filter(|launch| launches.is_empty() || a.listing.contains_key(&launch.kernel))
        .collect();
    let rows = named_rows(&file, args, &[a, b], &own)?;
    Ok(Ok(Timed { rows, notes: input.notes() }))
}

const HEADER: [&str; 8] = ["file", "kernel", "predicted", "from", "to", "warps", "instructions run", "why"];

fn print(args: &Args, rows: &[Named], notes: &[String]) -> Result<ExitCode> {
    let mut sheet = Sheet::new(&HEADER, 2);
    let mut failed = Vec::new();
    let mut ratios: Vec<f64> = Vec::new();
    for Named { file, row } in rows {
        let Some(found) = &row.prediction else {
            failed.push(format!(
                "{file}: {}: not predicted: {}",
                row.kernel,
                row.error.as_deref().unwrap_or("no launch")
            ));
            continue;
        };
        ratios.push(found.ratio);
        let [a, b] = &found.sides;
        let mark = if row.origin == Origin::MadeUp { "~" } else { "" };
        sheet.add(vec![
            file.clone(),
            row.kernel.clone(),
            format!("{mark}{:.3}", found.ratio),
            format!("{:.3}", found.low),
            format!("{:.3}", found.high),
            change(a.warps, b.warps),
            change(a.executed.round(), b.executed.round()),
            reason(found),
        ]);
    }
    args.output.write(&sheet, &rows)?;
    if !args.output.takes_stdout() && !ratios.is_empty() {
        println!("Predicted time, {} > {} (1 is the same):", args.against, args.setting);
        println!("{}\n", sheet.terminal());
        if rows.iter().any(|row| row.row.origin == Origin::MadeUp) {
            println!("~ made-up launches: the mean of up to five, and the lowest and highest of these. --launch gives a real one.");
        }
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let [faster, slower] = [
            ratios.iter().filter(|&&ratio| ratio < 0.99).count(),
            ratios.iter().filter(|&&ratio| ratio > 1.01).count(),
        ];
        println!(
            "{}: predicted {mean:.3} in the mean, {faster} faster by 1 %, {slower} slower",
            counted(ratios.len(), "kernel")
        );
    }
    print_notes(&[notes, &failed].concat());
    ensure!(!ratios.is_empty(), "nothing is predicted");
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints, for each kernel and side, the instructions that take most of the time.
fn print_places(args: &Args, file: &str, sides: &[Machined; 2], launches: &[Launch]) -> Result<ExitCode> {
    for Named { row, .. } in named_rows(file, args, sides, launches)? {
        let Some(found) = &row.prediction else {
            println!("{}: not predicted: {}", row.kernel, row.error.unwrap_or_default());
            continue;
        };
        println!("{}: predicted {:.3}", row.kernel, found.ratio);
        for (side, machined) in found.sides.iter().zip(sides) {
            let mut sheet = Sheet::new(&["instruction", "place", "of the time", "mainly"], 1);
            let sum = |at: usize| side.places[at].iter().sum::<f64>();
            let all: f64 = (0..side.places.len()).map(sum).sum();
            let mut order: Vec<usize> = (0..side.places.len()).collect();
            order.sort_by(|&a, &b| sum(b).total_cmp(&sum(a)));
            for &at in order.iter().take(args.places) {
                let most =
                    (0..CAUSES.len()).max_by(|&a, &b| side.places[at][a].total_cmp(&side.places[at][b]));
                sheet.add(vec![
                    machined.listing[&row.kernel][at].text.clone(),
                    format!("{:#06x}", 16 * at),
                    format!("{:.1} %", 100.0 * sum(at) / all),
                    CAUSES[most.unwrap_or(0)].1.to_owned(),
                ]);
            }
            println!("{}\n", sheet.terminal());
        }
    }
    Ok(ExitCode::SUCCESS)
}
