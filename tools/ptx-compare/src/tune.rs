//! `tune`, `merge` and `build`: choose settings with ptxas in the loop.
//!
//! `tune` compiles each input under a pool of settings ([`crate::measure::setting`]), asks ptxas
//! about each distinct code once, chooses a setting for each kernel and writes one PTX in which
//! each kernel comes from its setting.
//!
//! | module      | what it does                                                        |
//! |-------------|---------------------------------------------------------------------|
//! | [`record`]  | measures one file under every setting                                |
//! | [mod@clock]   | predicts times, for the term `time` of the cost                      |
//! | [`gpu`]     | measures times on a GPU, with `--gpu` or `--verify-time`             |
//! | [`choose`]  | chooses from what was measured                                       |
//! | [`splice`]  | puts one PTX together, and checks it                                 |
//! | [`recorded`] | launches and images of a recorded application                      |
//! | [`choices`] | the files: choices, shards                                           |
//! | [`summary`] | what was gained                                                      |
//! | [`stop`]    | time limit and Ctrl-C                                                |
//!
//! `--shard I/N` measures every Nth file and writes the results; `merge` chooses and writes the
//! PTX. So the work can be split over machines, and the result does not depend on the split: `tune`
//! without shards uses the same records. `build` replays choices without ptxas: the hash of its IR
//! identifies a kernel, and a changed kernel gets the default.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{bail, ensure, Context, Result};
use rayon::prelude::*;

use crate::inputs::{self, FileArgs, NO_KERNEL};
use crate::llc::Tools;
use crate::measure::identity::Definitions;
use crate::measure::setting::{rows, rows_by_time, Effort, Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiler, Input, Judge, JudgeArgs, Numbers};
use crate::output;
use crate::progress::Progress;
use crate::ptxas::CudaArgs;
use crate::sheet::OutputArgs;
use crate::text::{self, counted};

mod choices;
mod choose;
mod clock;
mod codes;
mod gpu;
mod on_gpu;
mod record;
mod recorded;
mod splice;
mod stop;
mod summary;

use choices::{Choice, Config, Part, Predicted, Shard};
pub use choices::{Choices, ImageOf};
use choose::Term;
use clock::Clock;
use codes::Codes;
use gpu::{Asked, Gpu};
use record::Record;
use recorded::Recorded;
use splice::{Modules, Rejected};
use stop::Stop;

#[derive(clap::Args, Debug)]
pub struct TuneArgs {
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
    /// Where the PTX and choices.json go
    #[arg(short, long, value_name = "DIR", default_value = "build/tune")]
    out: PathBuf,
    /// The terms of the cost, the most important first
    #[arg(
        long,
        value_name = "TERMS",
        value_delimiter = ',',
        default_value = "time,spills,occupancy,sass,registers"
    )]
    cost: Vec<Term>,
    /// Launches for the term time, and for --gpu [default: k.launch beside an input k.ll, else made up, which --gpu does not measure]; docs/comparing.md
    /// says how they are written
    #[arg(long, value_name = "FILE")]
    launch: Vec<PathBuf>,
    /// Launches of an application that `record` has left in this folder. Kernels without one keep
    /// the default
    #[arg(long, value_name = "DIR", conflicts_with = "shard")]
    recorded: Option<PathBuf>,
    /// Measure on this machine's GPU, for the launches that are given: a kernel gets what is faster than stock for sure, else stock's code
    #[arg(long, conflicts_with = "shard")]
    gpu: bool,
    /// Predict, then measure as --gpu does, but only the three settings with the least predicted time: a kernel gets what is faster than stock for sure, else the default
    #[arg(long, conflicts_with_all = ["shard", "gpu"])]
    verify_time: bool,
    /// How many settings are tried
    #[arg(long, value_name = "EFFORT", default_value = "quick")]
    effort: Effort,
    /// Begin nothing new after this many seconds, and write what is there; so does Ctrl-C
    #[arg(long, value_name = "SECONDS")]
    time: Option<u64>,
    /// Measure the Ith of N parts of the files, and write DIR/shard-I-of-N.json for `merge`
    #[arg(long, value_name = "I/N", value_parser = choices::part)]
    shard: Option<Part>,
    /// Runs at the same time [default: one per core]
    #[arg(short, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    files: FileArgs,
}

impl TuneArgs {
    /// The codes that a GPU measures; `None` without a GPU.
    fn asked(&self) -> Option<Asked> {
        match (self.gpu, self.verify_time) {
            (true, _) => Some(Asked::All),
            (_, true) => Some(Asked::Best),
            _ => None,
        }
    }
}

#[derive(clap::Args, Debug)]
pub struct MergeArgs {
    #[command(flatten)]
    tools: Tools,
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Where the PTX and choices.json go
    #[arg(short, long, value_name = "DIR", default_value = "build/tune")]
    out: PathBuf,
    /// The files of `tune --shard`, all parts
    #[arg(value_name = "SHARD", required = true)]
    shards: Vec<PathBuf>,
}

#[derive(clap::Args, Debug)]
pub struct BuildArgs {
    #[command(flatten)]
    tools: Tools,
    #[command(flatten)]
    compile: CompileArgs,
    /// The choices of `tune`
    #[arg(long, value_name = "FILE")]
    choices: PathBuf,
    /// Where the PTX goes
    #[arg(short, long, value_name = "DIR", default_value = "build/tune")]
    out: PathBuf,
    #[command(flatten)]
    files: FileArgs,
}

/// The name of the file of choices.
const CHOICES: &str = "choices.json";

pub fn tune(args: &TuneArgs) -> Result<ExitCode> {
    let start = Instant::now();
    check_terms(args)?;
    let judge = Judge::new(&args.cuda.folder()?, &args.judge)?;
    let kept = Some(judge.ptxas.kept);
    let mut compiler = Compiler::with(&args.tools, &args.compile, args.judge.maxrregcount, kept)?;
    let found = args.files.find(false)?;
    let mcpu = common_cpu(args, &found)?;
    compiler.remember();
    let files = compiler.take(found)?;
    check_names(&files)?;
    check_output(&args.out, &written(args, &files), &args.output)?;
    let is_timed = args.cost.contains(&Term::Time);
    let pool = if is_timed { rows_by_time(args.effort) } else { rows(args.effort) };
    let recorded = recorded(args, &compiler, &files)?;
    let clock = is_timed.then(|| clock(args, recorded.as_ref())).transpose()?;
    if let Some(clock) = &clock {
        check_launches(clock, &compiler, &files, args.asked())?;
    }
    let mut gpu = args.asked().map(Gpu::start).transpose()?;
    let mut config = Config {
        llvm: compiler.llc.version.clone(),
        plugin: compiler.plugin_version()?,
        ptxas: judge.ptxas.version.clone(),
        level: args.compile.level,
        mcpu,
        cost: args.cost.clone(),
        card: gpu.as_ref().map(|gpu| gpu.card().clone()),
        launches: clock.as_ref().map(Clock::hashes).unwrap_or_default(),
        block: args.judge.block,
        shared: args.judge.shared,
        maxrregcount: args.judge.maxrregcount,
        settings: pool.into_iter().filter(|setting| compiler.has(setting)).collect(),
        files: files.iter().map(|file| inputs::name_of(file)).collect(),
        keep_default: BTreeSet::new(),
        images: Vec::new(),
    };
    let stop = Stop::listening(args.time)?;
    let part = args.shard.unwrap_or(Part { number: 1, of: 1 });
    let own: Vec<&PathBuf> =
        files.iter().enumerate().filter(|(index, _)| part.has(*index)).map(|(_, file)| file).collect();
    let pool = threads(args)?;
    let measured = pool.install(|| {
        measure_all(&compiler, &judge, clock.as_ref(), &config, &own, &stop, args.asked().is_some())
    });
    let (mut records, mut codes): (Vec<Record>, Vec<Codes>) = measured?.into_iter().unzip();
    if let Some(gpu) = &mut gpu {
        gpu.measure_all(&mut records, &mut codes, &stop)?;
    }
    if let (Some(clock), None, true) = (&clock, args.shard, records.iter().all(Record::is_compiled)) {
        let kernels = records.iter().flat_map(|file| file.kernels.keys().map(String::as_str));
        clock.ensure_all_used(&kernels.collect())?;
    }
    if let (Some(recorded), Some(clock)) = (&recorded, &clock) {
        text::print_notes(&take_recorded(&mut config, recorded, clock, &records));
    }
    let seconds = start.elapsed().as_secs_f64();
    if let Some(part) = args.shard {
        let path = write_shard(args, part, config, records)?;
        println!("{}: {} in {seconds:.1} s", path.display(), counted(own.len(), "file"));
        return Ok(ExitCode::SUCCESS);
    }
    let code =
        pool.install(|| finish(&compiler, &config, &records, &args.out, &args.output, Some(&judge)))?;
    if !args.output.takes_stdout() {
        let whole = start.elapsed().as_secs_f64();
        let settings = counted(config.settings.len(), "setting");
        println!("{settings}, {whole:.1} s, of them {seconds:.1} s to measure");
    }
    Ok(code)
}

/// The threads that files are measured by.
fn threads(args: &TuneArgs) -> Result<rayon::ThreadPool> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.unwrap_or(0));
    threads.build().context("starting threads")
}

/// Finds options that need the term time where that is not among the terms.
fn check_terms(args: &TuneArgs) -> Result<()> {
    let is_timed = args.cost.contains(&Term::Time);
    ensure!(is_timed || args.launch.is_empty(), "--launch is of predicted times: --cost lacks the term time");
    ensure!(is_timed || args.recorded.is_none(), "--recorded is about time: --cost lacks the term time");
    match args.asked().filter(|_| !is_timed) {
        Some(asked) => bail!("{} is about time: --cost lacks the term time", asked.option()),
        None => Ok(()),
    }
}

/// The names of the files that `tune` will write.
fn written(args: &TuneArgs, files: &[PathBuf]) -> Vec<PathBuf> {
    match args.shard {
        Some(part) => vec![shard_name(part)],
        None => files.iter().map(|file| ptx_name(file)).chain([CHOICES.into()]).collect(),
    }
}

/// Finds out before the work whether its results can be written: the files with these names in a folder, and the tables.
fn check_output(folder: &Path, names: &[PathBuf], tables: &OutputArgs) -> Result<()> {
    output::make_folder(folder)?;
    names.iter().try_for_each(|name| output::check(&folder.join(name)))?;
    tables.check()
}

/// Lets a mistake in a launch show before anything is compiled. If a GPU is asked, there must be a launch.
fn check_launches(clock: &Clock, compiler: &Compiler, files: &[PathBuf], asked: Option<Asked>) -> Result<()> {
    let is_given = clock.check(files, |file| Ok(compiler.input(file)?.kernels()))?;
    match asked.filter(|_| !is_given) {
        Some(asked) => bail!(
            "{} measures launches that are given, and there is none: --launch FILE, --recorded DIR, or k.launch beside an input k.ll",
            asked.option()
        ),
        None => Ok(()),
    }
}

/// Measures files, in threads. `has_gpu`: machine codes are kept for one.
fn measure_all(
    compiler: &Compiler,
    judge: &Judge,
    clock: Option<&Clock>,
    config: &Config,
    files: &[&PathBuf],
    stop: &Stop,
    has_gpu: bool,
) -> Result<Vec<(Record, Codes)>> {
    let progress = Progress::with_bad_word("tune", files.len(), "failed");
    let measure = |file: &&PathBuf| {
        let mut codes = Codes::new(has_gpu);
        let record = record::measure(compiler, judge, clock, &config.settings, file, stop, &mut codes)?;
        progress.step(record.failed.is_some());
        Ok((record, codes))
    };
    let measured = files.par_iter().map(measure).collect();
    progress.finish();
    measured
}

/// The processor that all files are compiled for, if `--mcpu` names one.
fn common_cpu(args: &TuneArgs, found: &inputs::Files) -> Result<Option<String>> {
    let mcpu = match &args.compile.mcpu[..] {
        [] => None,
        [one] if !one.is_for_files() => Some(one.to_string()),
        _ => {
            ensure!(args.shard.is_none(), "--shard takes one --mcpu for all files");
            None
        }
    };
    ensure!(
        args.shard.is_none() || found.commands.is_empty(),
        "--shard takes no compile commands, which merge would have to know: make IR first (clang -S -emit-llvm)"
    );
    Ok(mcpu)
}

fn clock(args: &TuneArgs, recorded: Option<&Recorded>) -> Result<Clock> {
    let files = recorded.map(Recorded::launch_files).unwrap_or_default();
    Clock::new(&args.cuda.folder()?, &args.launch, &files)
}

/// The recording that is named.
fn recorded(args: &TuneArgs, compiler: &Compiler, files: &[PathBuf]) -> Result<Option<Recorded>> {
    let Some(folder) = &args.recorded else { return Ok(None) };
    Recorded::open(folder, kernels(compiler, files)?).map(Some)
}

/// Says which kernels keep the default, and which images the chosen code may replace; returns
/// notes.
fn take_recorded(config: &mut Config, recorded: &Recorded, clock: &Clock, records: &[Record]) -> Vec<String> {
    let (without, mut notes) = recorded.without(records);
    let (images, others) = recorded.images(records, &clock.cuda);
    (config.keep_default, config.images) = (without, images);
    notes.extend(others);
    notes
}

/// The kernels of all files; `None` if only llc can tell those of one.
fn kernels(compiler: &Compiler, files: &[PathBuf]) -> Result<Option<BTreeSet<String>>> {
    let mut all = BTreeSet::new();
    for file in files {
        match compiler.input(file)?.kernels() {
            Some(own) => all.extend(own),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}

fn shard_name(part: Part) -> PathBuf {
    format!("shard-{}-of-{}.json", part.number, part.of).into()
}

fn write_shard(args: &TuneArgs, part: Part, config: Config, records: Vec<Record>) -> Result<PathBuf> {
    let path = args.out.join(shard_name(part));
    let cut = records.iter().any(|record| !record.unmeasured.is_empty());
    ensure!(!cut, "{}: not written, as the run ended before all of it was measured", path.display());
    output::write_json(&path, &Shard::new(part, config, records))?;
    Ok(path)
}

pub fn merge(args: &MergeArgs) -> Result<ExitCode> {
    let (config, records) = choices::merge(&args.shards)?;
    let mut compile = args.compile.clone();
    compile.level = config.level;
    compile.mcpu = config.mcpu.iter().map(|cpu| cpu.parse()).collect::<Result<_>>()?;
    let compiler = Compiler::new(&args.tools, &compile, config.maxrregcount)?;
    ensure!(
        compiler.llc.version == config.llvm && compiler.plugin_version()? == config.plugin,
        "the shards are of {}, {}; this is {}, {}",
        config.llvm,
        config.plugin,
        compiler.llc.version,
        compiler.plugin_version()?
    );
    let names = records.iter().map(|record| ptx_name(&inputs::path_of(&record.file))).chain([CHOICES.into()]);
    check_output(&args.out, &names.collect::<Vec<_>>(), &args.output)?;
    finish(&compiler, &config, &records, &args.out, &args.output, None)
}

/// The name of a file's PTX.
pub fn ptx_name(file: &Path) -> PathBuf {
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(".ptx");
    PathBuf::from(name)
}

fn check_names(files: &[PathBuf]) -> Result<()> {
    let mut names: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    for file in files {
        if let Some(other) = names.insert(ptx_name(file), file) {
            bail!(
                "{} and {} would both become {}: give them in two runs, with an -o each",
                other.display(),
                file.display(),
                ptx_name(file).display()
            );
        }
    }
    Ok(())
}

/// The outcome of a file.
#[derive(Default)]
struct Finished {
    /// `None` if there is nothing to write.
    ptx: Option<String>,
    /// The name of the setting, by kernel.
    settings: BTreeMap<String, String>,
    notes: Vec<String>,
    /// Whether there is no code of the default to write.
    has_failed: bool,
}

/// Chooses, writes the PTX and the choices, and prints the gain. With a judge, ptxas also checks
/// the PTX as written.
fn finish(
    compiler: &Compiler,
    config: &Config,
    records: &[Record],
    out: &Path,
    tables: &OutputArgs,
    judge: Option<&Judge>,
) -> Result<ExitCode> {
    let progress = Progress::with_bad_word("prove", records.len(), "failed");
    let finish = |record: &Record| {
        let finished = finish_file(compiler, config, record, judge)?;
        progress.step(finished.has_failed);
        Ok(finished)
    };
    let finished = records.par_iter().map(finish).collect::<Result<Vec<_>>>();
    progress.finish();
    let finished = finished?;
    let mut kernels = Vec::new();
    let mut versions = BTreeMap::new();
    for (record, file) in records.iter().zip(&finished) {
        let Some(ptx) = &file.ptx else { continue };
        output::write(&out.join(ptx_name(&inputs::path_of(&record.file))), ptx)?;
        versions.extend(record.wanted_version.clone().map(|version| (record.file.clone(), version)));
        for (kernel, setting) in &file.settings {
            kernels.push(Choice {
                file: record.file.clone(),
                kernel: kernel.clone(),
                cpu: record.cpu.clone(),
                hash: record.kernels[kernel].hash.clone(),
                setting: setting.clone(),
                predicted: Predicted::of(record, kernel, setting),
                measured_of_stock: record.kernels[kernel].on_gpu.ratio(setting),
            });
        }
    }
    if finished.iter().all(|file| file.ptx.is_none()) {
        text::print_notes(finished.iter().flat_map(|file| &file.notes));
        bail!("{}, and nothing is written to {}", why_nothing(records), out.display());
    }
    output::write_json(&out.join(CHOICES), &Choices::new(config, kernels, versions))?;

    let chosen: Vec<&BTreeMap<String, String>> = finished.iter().map(|file| &file.settings).collect();
    let summary = summary::Summary::new(records, &chosen, config.card.clone());
    tables.write(&summary.sheet(), &summary)?;
    if !tables.takes_stdout() {
        println!("{}, {}, -O{}, {}", config.llvm, config.plugin, config.level, config.ptxas);
        match summary.is_empty() {
            true => println!("{}", why_nothing(records)),
            false => print!("{}", summary.terminal()),
        }
        println!("the PTX and choices.json are in {}", out.display());
    }
    text::print_notes(finished.iter().flat_map(|file| &file.notes));
    let is_unmeasured = |record: &Record| {
        record.failed.is_some() || record.kernels.values().any(|kernel| kernel.keeps_default)
    };
    let failed = records.iter().any(is_unmeasured) || finished.iter().any(|file| file.has_failed);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Explains why no kernel was measured.
fn why_nothing(records: &[Record]) -> String {
    let failed = records.iter().filter(|record| record.failed.is_some()).count();
    let cut = records.iter().filter(|record| record.failed.is_none() && !record.is_measured()).count();
    let why = match (failed, cut, records.len()) {
        (0, 0, _) => NO_KERNEL.to_owned(),
        (0, _, all) if cut == all => "the run ended first".to_owned(),
        (_, 0, all) if failed == all => format!("llc or ptxas refuses {}", counted(failed, "file")),
        (_, _, all) => format!(
            "of {}, llc or ptxas refuses {failed}, the run ended before {cut}, and the rest has no kernel",
            counted(all, "file")
        ),
    };
    format!("nothing was measured: {why}")
}

fn finish_file(
    compiler: &Compiler,
    config: &Config,
    record: &Record,
    judge: Option<&Judge>,
) -> Result<Finished> {
    let mut finished = Finished { notes: record.notes.clone(), ..Finished::default() };
    if let Some(why) = &record.failed {
        finished.notes = vec![why.clone()];
        return Ok(finished);
    }
    if !record.is_measured() {
        finished.notes.push(format!("{}: not measured, and not written", record.file));
        return Ok(finished);
    }
    if !record.unmeasured.is_empty() {
        finished.notes.push(format!("{}: not all was tried: {}", record.file, record.unmeasured.join(", ")));
    }
    if let Some(why) = &record.tied {
        finished.notes.push(format!("{}: all kernels come from one setting: {why}", record.file));
    }
    let input = compiler.input(&inputs::path_of(&record.file))?;
    let mut rejected: Vec<Rejected> = Vec::new();
    let chosen = choose_modules(compiler, config, record, &input, &mut rejected)?;
    let (modules, names) = match chosen {
        Ok(chosen) => chosen,
        Err(Rejected { why, .. }) => {
            finished.has_failed = true;
            finished.notes.push(format!("{}: {why}", record.file));
            return Ok(finished);
        }
    };
    for Rejected { setting, kernel, why } in &rejected {
        let kernel = kernel.as_ref().map_or(String::new(), |kernel| format!(", {kernel}"));
        let taken =
            if setting == DEFAULT { "kept, but computes other values than stock's" } else { "not taken" };
        finished.notes.push(format!("{}{kernel}: {setting} is {taken}: {why}", record.file));
    }
    let text = modules
        .splice(&names)
        .with_context(|| format!("{}: the chosen functions do not fit together", record.file))?;
    let text = splice::finished(&text, record.wanted_version.as_deref());
    if let Some(judge) = judge {
        check_numbers(judge, record, &names, &text)?;
    }
    finished.ptx = Some(text);
    finished.settings = names;
    Ok(finished)
}

/// The modules of the settings that a file's kernels take, and these settings.
type Chosen = (Modules, BTreeMap<String, String>);

/// Chooses a setting for each kernel, with those that turn out not to fit left out. An inner error says why even the default has no code.
fn choose_modules(
    compiler: &Compiler,
    config: &Config,
    record: &Record,
    input: &Input,
    rejected: &mut Vec<Rejected>,
) -> Result<Result<Chosen, Rejected>> {
    loop {
        let names = choose_all(record, config, rejected);
        let used: BTreeSet<&String> = names.values().collect();
        let used: Vec<&Setting> =
            config.settings.iter().filter(|setting| used.contains(&setting.name)).collect();
        let modules = match Modules::compile(compiler, input, &used)? {
            Ok(modules) => modules,
            Err(reason) if reason.setting == DEFAULT => return Ok(Err(reason)),
            Err(reason) => {
                rejected.push(reason);
                continue;
            }
        };
        let mut new = Vec::new();
        let proofs = used.par_iter().map(|setting| modules.differences(compiler, input, setting));
        for (setting, differing) in used.iter().zip(proofs.collect::<Result<Vec<_>>>()?) {
            let is_chosen = |reason: &Rejected| {
                reason
                    .kernel
                    .as_ref()
                    .and_then(|kernel| names.get(kernel))
                    .is_some_and(|name| *name == setting.name)
            };
            new.extend(
                differing.into_iter().filter(|reason| is_chosen(reason) && !rejected.contains(reason)),
            );
        }
        let is_new = new.iter().any(|reason| reason.setting != DEFAULT);
        rejected.extend(new);
        if !is_new {
            return Ok(Ok((modules, names)));
        }
    }
}

/// The setting of each kernel of a file.
fn choose_all(record: &Record, config: &Config, rejected: &[Rejected]) -> BTreeMap<String, String> {
    let settings = &config.settings;
    let mut names = BTreeMap::new();
    for group in &record.groups {
        if group.iter().all(|kernel| config.keep_default.contains(kernel)) {
            names.extend(group.iter().map(|kernel| (kernel.clone(), DEFAULT.to_owned())));
            continue;
        }
        let allowed = |setting: &Setting| {
            let concerns =
                |reason: &Rejected| reason.kernel.as_ref().is_none_or(|kernel| group.contains(kernel));
            !rejected.iter().any(|reason| reason.setting == setting.name && concerns(reason))
        };
        let best = choose::best(record, group, settings, &config.cost, allowed);
        names.extend(group.iter().map(|kernel| (kernel.clone(), settings[best].name.clone())));
    }
    names
}

/// Assembles the written text with ptxas: each kernel must have the numbers that it was chosen for.
fn check_numbers(judge: &Judge, record: &Record, names: &BTreeMap<String, String>, text: &str) -> Result<()> {
    let module = ptx_emu::ptx::module::Module::new(text.to_owned());
    let file = &record.file;
    let numbers = judge.judge(&module, &record.cpu)?;
    let numbers =
        numbers.map_err(|why| anyhow::anyhow!("{file}: ptxas refuses what was put together: {why}"))?;
    for (kernel, setting) in names {
        let [expected, found]: [Option<&Numbers>; 2] = [record.numbers(kernel, setting), numbers.get(kernel)];
        ensure!(
            expected == found,
            "{file}: {kernel} from {setting} was to need {expected:?}, put together it needs {found:?}"
        );
    }
    Ok(())
}

pub fn build(args: &BuildArgs) -> Result<ExitCode> {
    let choices = Choices::read(&args.choices)?;
    let mut compile = args.compile.clone();
    compile.level = choices.level;
    let mut compiler = Compiler::new(&args.tools, &compile, choices.maxrregcount)?;
    let files = compiler.take(args.files.find(false)?)?;
    check_names(&files)?;
    let names: Vec<PathBuf> = files.iter().map(|file| ptx_name(file)).collect();
    check_output(&args.out, &names, &OutputArgs::default())?;
    let mut notes = Vec::new();
    if (&compiler.llc.version, &compiler.plugin_version()?) != (&choices.llvm, &choices.plugin) {
        notes.push(format!("the choices were made with {}, {}", choices.llvm, choices.plugin));
    }
    let built =
        files.par_iter().map(|file| build_file(&compiler, &choices, file)).collect::<Result<Vec<_>>>()?;
    let mut chosen = 0;
    for (file, built) in files.iter().zip(built) {
        let path = args.out.join(ptx_name(file));
        output::write(&path, built.ptx.unwrap_or_default())?;
        chosen += built.settings.len();
        notes.extend(built.notes);
    }
    println!(
        "{} in {}, {} as chosen",
        counted(files.len(), "file"),
        args.out.display(),
        counted(chosen, "kernel")
    );
    text::print_notes(&notes);
    Ok(ExitCode::SUCCESS)
}

fn build_file(compiler: &Compiler, choices: &Choices, file: &Path) -> Result<Finished> {
    let input = compiler.input(file)?;
    let mut finished = Finished { notes: input.notes(), ..Finished::default() };
    let compiled = |settings: &[&Setting]| -> Result<Modules> {
        Modules::compile(compiler, &input, settings)?
            .map_err(|reason| anyhow::anyhow!("{}: {}: {}", file.display(), reason.setting, reason.why))
    };
    let default = compiled(&[])?;
    let known = known_choices(choices, &input, &default, &mut finished.notes);
    let used: BTreeSet<&String> = known.values().map(|choice| &choice.setting).collect();
    let used: Vec<&Setting> =
        choices.settings.iter().filter(|setting| used.contains(&setting.name)).collect();
    let lacking = used.iter().find(|setting| !compiler.has(setting));
    ensure!(
        lacking.is_none(),
        "{} does not know the options of {}",
        compiler.llc.version,
        lacking.map_or("", |s| &s.name)
    );
    let modules = if used.iter().all(|setting| setting.name == DEFAULT) { default } else { compiled(&used)? };
    finished.settings =
        known.iter().map(|(kernel, choice)| (kernel.clone(), choice.setting.clone())).collect();
    let text = match modules.splice(&finished.settings) {
        Some(text) => text,
        None => {
            let note =
                "its kernels belong together, and not all have the same choice: the default is taken for all";
            finished.notes.push(format!("{}: {note}", file.display()));
            finished.settings.clear();
            modules.default_one().text().to_owned()
        }
    };
    let version = known.values().find_map(|choice| choices.versions.get(&choice.file));
    finished.ptx = Some(splice::finished(&text, version.map(String::as_str)));
    Ok(finished)
}

/// The choices for the kernels of a file that have not changed since; a note for each other kernel.
fn known_choices<'a>(
    choices: &'a Choices,
    input: &Input,
    default: &Modules,
    notes: &mut Vec<String>,
) -> BTreeMap<String, &'a Choice> {
    let definitions = Definitions::of(input);
    let mut known = BTreeMap::new();
    for kernel in default.default_one().functions.iter().filter(|function| function.is_kernel) {
        let hash = definitions.hash(&kernel.name, &input.cpu);
        let same_name = || choices.kernels.iter().filter(|choice| choice.kernel == kernel.name);
        match same_name().find(|choice| choice.hash == hash && choice.cpu == input.cpu) {
            Some(choice) => {
                known.insert(kernel.name.clone(), choice);
            }
            None => {
                let why = match same_name().next() {
                    Some(choice) if choice.cpu != input.cpu => {
                        format!("was tuned for {}, not {}", choice.cpu, input.cpu)
                    }
                    Some(_) => "has changed since it was tuned".to_owned(),
                    None => "was not tuned".to_owned(),
                };
                notes.push(format!("{}: {} {why}: the default is taken", input.path.display(), kernel.name));
            }
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_what_is_written() {
        assert_eq!(ptx_name(Path::new("a/k.v1.ll")), Path::new("k.v1.ptx"));
        assert!(check_names(&["k.v1.ll".into(), "k.v2.ll".into()]).is_ok());
        let error = check_names(&["a/k.ll".into(), "b/k.bc".into()]).expect_err("one name").to_string();
        assert!(error.contains("a/k.ll and b/k.bc would both become k.ptx"), "{error}");
    }

    #[test]
    fn where_nothing_was_measured_it_says_why() {
        let record = || Record::default();
        let failed = || Record { failed: Some("no".to_owned()), ..record() };
        let cut = || Record { unmeasured: vec![DEFAULT.to_owned()], ..record() };
        let why = |records: &[Record]| why_nothing(records);
        assert!(why(&[record()])
            .starts_with("nothing was measured: there is no kernel in the input; a kernel is"));
        assert_eq!(why(&[cut(), cut()]), "nothing was measured: the run ended first");
        assert_eq!(why(&[failed()]), "nothing was measured: llc or ptxas refuses 1 file");
        let all = "of 3 files, llc or ptxas refuses 1, the run ended before 1, and the rest has no kernel";
        assert_eq!(why(&[failed(), record(), cut()]), format!("nothing was measured: {all}"));
    }

    #[test]
    fn the_kernels_of_a_file_that_was_cut_are_not_known() {
        let cut = |settings: &[&str]| Record {
            unmeasured: settings.iter().map(|&setting| setting.to_owned()).collect(),
            ..Record::default()
        };
        assert!(cut(&[]).is_compiled() && cut(&["lsr"]).is_compiled());
        assert!(!cut(&["lsr", DEFAULT]).is_compiled());
        assert!(!Record { failed: Some("no".to_owned()), ..Record::default() }.is_compiled());
    }
}
