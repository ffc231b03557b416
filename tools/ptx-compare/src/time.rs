//! `time`: predicts which of two versions of a kernel is faster, without a GPU.
//!
//! Sources are compiled under two settings, stock's and the plugin's unless told otherwise; two files of PTX or two cubins are compared as they are.
//! docs/time.md says what the prediction knows and what it does not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail, ensure, Context, Result};
use ptx_emu::grid::launch::Launch;
use ptx_emu::grid::memory::Content;
use ptx_emu::ptx;
use rayon::prelude::*;
use serde::Serialize;

use crate::complaint::Complaint;
use crate::inputs::{self, FileArgs, NO_KERNEL};
use crate::llc::Tools;
use crate::measure::judgement::geometric_mean;
use crate::measure::setting::{named, Setting, DEFAULT, STOCK};
use crate::measure::{CompileArgs, Compiler, Job};
use crate::places;
use crate::progress::Progress;
use crate::ptxas::Cuda;
use crate::sass;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{change, counted, print_notes};

mod bounds;
pub mod compare;
mod hot;
mod listings;
pub mod predict;

use compare::{alone, compare, reason, together, Options, Row};
use hot::Place;

pub use compare::{hash, Alone, Machined, NotPredicted, Origin, Tried};
pub use listings::Listings;

/// The numbers in the memory of made-up launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Memory {
    /// From -2 to 2, in single precision
    Floats,
    /// Integers less than 64
    Small,
    /// Any bits
    Bits,
    /// Of all kinds
    Mixed,
}

impl From<Memory> for Content {
    fn from(memory: Memory) -> Content {
        match memory {
            Memory::Floats => Content::Floats,
            Memory::Small => Content::Small,
            Memory::Bits => Content::Bits,
            Memory::Mixed => Content::Mixed,
        }
    }
}

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
    /// Let the kernel touch memory outside of a launch's buffers, which is an error otherwise
    #[arg(long)]
    outside: bool,
    /// Numbers in the memory of made-up launches [default: other ones in each]
    #[arg(long, value_name = "NUMBERS")]
    memory: Option<Memory>,
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
    /// The instructions of both sides that take most of the time, where they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<[Vec<Place>; 2]>,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = args.cuda.clone().map_or_else(places::ptxas, Ok)?;
    let cuda = sass::tools(&folder)?;
    let launches = Launch::read_files(&args.launch)?;
    let named = args.files.named();
    let mut has_refused = false;
    let mut names = [args.against.clone(), args.setting.clone()];
    let (rows, notes) = match as_they_are(args, &cuda, named)? {
        Some(sides) => {
            names = [inputs::name_of(&named[0]), inputs::name_of(&named[1])];
            sides[0].machine().map_err(|why| anyhow!(why))?;
            let launches = or_beside(&launches, &named[0])?;
            (named_rows(&inputs::name_of(&named[1]), args, &sides, &launches)?, Vec::new())
        }
        None => {
            let mut compiler = Compiler::new(&args.tools, &args.compile, None)?;
            compiler.write_for(&folder);
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
            has_refused = outcomes.iter().any(Result::is_err);
            for outcome in outcomes {
                match outcome {
                    Ok(Timed { rows: own, notes: more }) => {
                        rows.extend(own);
                        notes.extend(more);
                    }
                    Err(why) => notes.push(why.into()),
                }
            }
            (rows, notes)
        }
    };
    ensure_named(&launches, |kernel| rows.iter().any(|row| row.row.kernel == kernel))?;
    print(args, &rows, &notes, names, has_refused)
}

/// Predicts the kernels of two texts of PTX that were made of one file, for the given launches of its kernels, else for those beside it, else
/// for made-up ones; a row for each kernel. `has_interval`: with how far numbers of the model move a ratio, where launches are given.
pub fn predictions(
    cuda: &Cuda,
    path: &Path,
    texts: [&str; 2],
    gpu: &str,
    given: &[Launch],
    has_interval: bool,
) -> Result<Vec<Row>> {
    let first = assemble(cuda, path, texts[0], gpu)?;
    let launches = own_launches(given, path, |kernel| first.has(kernel))?;
    let options = Options { budget: BUDGET, has_interval, has_bounds: true, memory: None };
    let rows = if texts[0] == texts[1] {
        compare([&first, &first], &launches, options)?
    } else {
        compare([&first, &assemble(cuda, path, texts[1], gpu)?], &launches, options)?
    };
    Ok(together(rows))
}

/// Predicts the kernels of one text of PTX that was made of a file, for the given launches of its kernels, else for those beside it, else
/// for made-up ones. `before`: the times of another version, as of [`alone`].
pub fn times<'a>(
    cuda: &Cuda,
    path: &Path,
    text: &str,
    gpu: &str,
    given: &[Launch],
    before: impl Fn(&str) -> Option<&'a Alone> + Sync,
) -> Result<BTreeMap<String, Result<Alone, NotPredicted>>> {
    let side = assemble(cuda, path, text, gpu)?;
    let launches = own_launches(given, path, |kernel| side.has(kernel))?;
    alone(&side, &launches, ALONE, before)
}

/// The times of a part of a file's code, with the launches that have run: `launches` are [`own_launches`] of the whole file, and kernels
/// that have none are left out if there are any.
pub fn tried_part(
    side: &Machined,
    launches: &[Launch],
) -> Result<BTreeMap<String, Result<Tried, NotPredicted>>> {
    let own: Vec<Launch> = launches.iter().filter(|launch| side.has(&launch.kernel)).cloned().collect();
    if own.is_empty() && !launches.is_empty() {
        return Ok(BTreeMap::new());
    }
    compare::tried(side, &own, ALONE)
}

/// The time of another version of a kernel for these launches: [`compare::again`].
pub fn again(side: &Machined, kernel: &str, tried: &Tried, is_enough: impl Fn(&Alone) -> bool) -> Alone {
    compare::again(side, kernel, tried, ALONE, is_enough)
}

/// Has ptxas compile a text of PTX that was made of a file.
pub fn assemble(cuda: &Cuda, path: &Path, text: &str, gpu: &str) -> Result<Machined> {
    Machined::assemble(cuda, text, gpu)?.map_err(|why| anyhow!("{}: {why}", path.display()))
}

/// Makes a typing mistake in `--launch` an error: a launch of a kernel that no input has.
pub fn ensure_named(given: &[Launch], has_kernel: impl Fn(&str) -> bool) -> Result<()> {
    match given.iter().find(|launch| !has_kernel(&launch.kernel)) {
        Some(lost) => bail!("--launch: no input has a kernel {}", lost.kernel),
        None => Ok(()),
    }
}

/// The given launches that are of this file's kernels, which `has_kernel` knows, else those of `FILE.launch` beside it, else none.
pub fn own_launches(given: &[Launch], path: &Path, has_kernel: impl Fn(&str) -> bool) -> Result<Vec<Launch>> {
    let mut launches = or_beside(given, path)?;
    let has = |launch: &Launch| has_kernel(&launch.kernel);
    match launches.iter().find(|launch| given.is_empty() && !has(launch)) {
        Some(lost) => {
            let (file, input) = (beside(path), path.display());
            bail!("{}: {input} has no kernel {}", file.display(), lost.kernel)
        }
        None => launches.retain(has),
    }
    Ok(launches)
}

/// The meaning of the mark of made-up launches.
pub const MADE_UP: &str = "made-up launches: --launch, or FILE.launch beside the input, gives a real one";

/// Instructions of warps that the emulated blocks of a launch may issue.
const BUDGET: u64 = 50_000_000;
/// The options of times by themselves, which have no interval.
const ALONE: Options = Options { budget: BUDGET, has_interval: false, has_bounds: true, memory: None };

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
            let side = Machined::read(cuda, path)?;
            ensure!(!side.listing.is_empty(), "{}: there is no kernel in this cubin", path.display());
            return Ok(side);
        }
        ensure!(is_made(path), "{}: PTX and cubins are not compared with sources", path.display());
        let text = inputs::read_ptx(path)?;
        let target = args.gpu.clone().or_else(|| ptx::analyse(&text).target);
        let gpu =
            target.with_context(|| format!("{}: it has no .target; --gpu names one", path.display()))?;
        Machined::assemble(cuda, &text, &gpu)?.map_err(|complaint| anyhow!("{}: {complaint}", path.display()))
    };
    Ok(Some([read(a)?, read(b)?]))
}

/// The file of launches that belongs to an input.
fn beside(input: &Path) -> PathBuf {
    input.with_extension("launch")
}

/// The given launches, else those of `FILE.launch` beside an input, else none.
fn or_beside(given: &[Launch], input: &Path) -> Result<Vec<Launch>> {
    let beside = beside(input);
    if !given.is_empty() || !beside.is_file() {
        return Ok(given.to_vec());
    }
    Launch::read_file(&beside)
}

fn named_rows(file: &str, args: &Args, sides: &[Machined; 2], launches: &[Launch]) -> Result<Vec<Named>> {
    let options = Options {
        budget: args.budget,
        has_interval: !args.no_interval,
        has_bounds: !args.outside,
        memory: args.memory.map(Content::from),
    };
    let rows = compare([&sides[0], &sides[1]], launches, options)?;
    let named = |row: Row| {
        let hottest = |prediction| hot::places(prediction, sides, &row.kernel, args.places);
        let places = row.prediction.as_ref().filter(|_| args.places > 0).map(hottest).transpose()?;
        Ok(Named { file: file.to_owned(), row, places })
    };
    rows.into_iter().map(named).collect()
}

/// Compiles a source both ways and predicts. The inner error is the complaint of a compiler.
fn one_job(
    args: &Args,
    cuda: &Cuda,
    compiler: &Compiler,
    settings: [&Setting; 2],
    job: &Job,
    launches: &[Launch],
) -> Result<Result<Timed, Complaint>> {
    let input = compiler.read(job)?;
    let gpu = args.gpu.as_ref().unwrap_or(&input.cpu);
    let mut sides = Vec::with_capacity(2);
    for setting in settings {
        let complain = |why: Complaint| format!("{}: {}: {why}", job.path.display(), setting.name).into();
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
    let own = own_launches(launches, job.path, |kernel| a.has(kernel))?;
    let rows = named_rows(&file, args, &[a, b], &own)?;
    Ok(Ok(Timed { rows, notes: input.notes() }))
}

const HEADER: [&str; 8] = ["file", "kernel", "predicted", "from", "to", "warps", "instructions run", "why"];

/// `names`: of the two sides. `has_refused`: a compiler has refused a file, which a note says.
fn print(
    args: &Args,
    rows: &[Named],
    notes: &[String],
    [first, second]: [String; 2],
    has_refused: bool,
) -> Result<ExitCode> {
    let mut sheet = Sheet::new(&HEADER, 2);
    let (mut failed, mut left_out) = (Vec::new(), Vec::new());
    let mut ratios: Vec<f64> = Vec::new();
    let mut assumed: BTreeSet<&str> = BTreeSet::new();
    for Named { file, row, .. } in rows {
        let Some(found) = &row.prediction else {
            failed.push(format!(
                "{file}: {}: not predicted: {}",
                row.kernel,
                row.error.as_deref().unwrap_or("no launch")
            ));
            continue;
        };
        ratios.push(found.ratio);
        if let Some((number, why)) = &row.left_out {
            let all = number + row.launches;
            left_out.push(format!("{file}: {}: {number} of {all} launches left out: {why}", row.kernel));
        }
        let [a, b] = &found.sides;
        let mark = row.origin.mark();
        let is_assumed = if found.assumed.is_empty() { "" } else { "*" };
        assumed.extend(found.assumed.iter().map(String::as_str));
        sheet.add(vec![
            file.clone(),
            row.kernel.clone(),
            format!("{mark}{:.3}{is_assumed}", found.ratio),
            format!("{:.3}", found.low),
            format!("{:.3}", found.high),
            change(a.warps, b.warps),
            change(a.executed.round(), b.executed.round()),
            reason(found),
        ]);
    }
    args.output.write(&sheet, &rows)?;
    if !args.output.takes_stdout() && !ratios.is_empty() {
        print_rows(rows, &sheet, [&first, &second], &ratios, &assumed);
    }
    print_notes(&[notes, &left_out, &failed].concat());
    // A compiler's complaint is among the notes.
    ensure!(!ratios.is_empty() || !rows.is_empty() || has_refused, "nothing is predicted: {NO_KERNEL}");
    ensure!(!ratios.is_empty(), "nothing is predicted");
    Ok(if failed.is_empty() && !has_refused { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the table, the places that take most of the time, and the mean.
fn print_rows(
    rows: &[Named],
    sheet: &Sheet,
    [first, second]: [&String; 2],
    ratios: &[f64],
    assumed: &BTreeSet<&str>,
) {
    println!("Predicted time, {first} > {second} (1 is the same):");
    println!("{}\n", sheet.terminal());
    for Named { file, row, places } in rows {
        // Of two files that are compared as they are, the side says which.
        let file = if *file == *second { String::new() } else { format!("{file}: ") };
        for (side, places) in [first, second].into_iter().zip(places.iter().flatten()) {
            println!("{file}{}, {side}:", row.kernel);
            println!("{}\n", hot::sheet(places).terminal());
        }
    }
    if rows.iter().any(|row| row.row.origin == Origin::MadeUp) {
        println!("~ {MADE_UP}; a ratio is the mean of up to five, from and to are their lowest and highest");
    }
    if !assumed.is_empty() {
        let names = assumed.iter().copied().collect::<Vec<_>>().join(", ");
        println!("* values are assumed, as the emulator does not know those of asynchronous instructions; they are timed: {names}");
    }
    let Some(mean) = geometric_mean(ratios.iter().copied()) else { return };
    let [faster, slower] = [
        ratios.iter().filter(|&&ratio| ratio < 0.99).count(),
        ratios.iter().filter(|&&ratio| ratio > 1.01).count(),
    ];
    println!(
        "{}: predicted {mean:.3} in the mean, {faster} faster by 1 %, {slower} slower",
        counted(ratios.len(), "kernel")
    );
}
