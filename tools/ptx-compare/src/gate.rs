//! `gate`: has a kernel become worse? For CI.
//!
//! The baseline is a file of numbers, kernel by kernel. `--save` writes it; it belongs in the
//! repository beside the kernels. Exit status 1 if a kernel is worse by more than the thresholds
//! allow. Each such kernel is named, with the reason.
//!
//! With `--time` the baseline also holds predicted times ([`crate::time`]), in cycles for each
//! launch. Only times of the same launches are compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use ptx_emu::grid::launch::Launch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::complaint::Complaint;
use crate::inputs::{self, FileArgs, NO_KERNEL};
use crate::kernels::{changes, CHANGES};
use crate::llc::Tools;
use crate::measure::setting::{named, Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiler, Judge, JudgeArgs, Numbers};
use crate::output::write_json;
use crate::progress::Progress;
use crate::ptxas::{Cuda, CudaArgs};
use crate::sass;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{self, counted};
use crate::time::{self, Alone, NotPredicted, Origin};

#[derive(clap::Args, Debug)]
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
    #[command(flatten)]
    limits: Limits,
    /// Launches for --time [default: FILE.launch beside the input, else made up]; docs/comparing.md
    /// says how they are written
    #[arg(long, value_name = "FILE")]
    launch: Vec<PathBuf>,
    /// Do not fail where a launch that is given does not run, so that the time of its kernel is not
    /// predicted
    #[arg(long, requires = "time")]
    allow_unpredicted: bool,
    /// The numbers to compare with
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Write the numbers as they are now to the baseline, and do not fail
    #[arg(long)]
    save: bool,
    /// The setting that kernels are compiled under, by its name
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    setting: String,
    #[command(flatten)]
    files: FileArgs,
}

/// How much worse a kernel may be.
#[derive(clap::Args, Clone, Debug, Default)]
struct Limits {
    /// Registers more that are let pass
    #[arg(long, value_name = "N", default_value_t = 0)]
    registers: u64,
    /// Bytes spilled and reloaded more that are let pass
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    spills: u64,
    /// SASS instructions more that are let pass, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    sass: f64,
    /// Occupancy less that is let pass, in percent of the places for warps
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    occupancy: u32,
    /// Predict times as well (docs/time.md), and let this much more of it pass, in percent
    /// [default: times are not predicted]
    #[arg(long, value_name = "PERCENT", value_parser = percentage)]
    time: Option<f64>,
}

fn percentage(text: &str) -> Result<f64, &'static str> {
    let number: f64 = text.parse().map_err(|_| "it is not a number")?;
    (number.is_finite() && number >= 0.0).then_some(number).ok_or("it must be 0 or more")
}

impl Limits {
    /// The respects in which `new` is worse than the limits allow.
    fn exceeded(&self, old: &Numbers, new: &Numbers) -> Vec<String> {
        let mut worse = Vec::new();
        let mut check = |is_worse: bool, what: &str, old: String, new: String| {
            if is_worse {
                worse.push(format!("{what} {old} > {new}"));
            }
        };
        let text = |number: u64| number.to_string();
        check(
            new.registers > old.registers + self.registers,
            "registers",
            text(old.registers),
            text(new.registers),
        );
        check(
            new.spills() > old.spills() + self.spills,
            "spilled bytes",
            text(old.spills()),
            text(new.spills()),
        );
        let more_sass = new.sass as f64 > old.sass as f64 * (1.0 + self.sass / 100.0);
        check(more_sass, "SASS", text(old.sass), text(new.sass));
        // Compares warps: the percentage is rounded.
        let let_pass = new.max_warps * self.occupancy / 100;
        let percent = |numbers: &Numbers| format!("{} %", numbers.occupancy());
        check(new.warps + let_pass < old.warps, "occupancy", percent(old), percent(new));
        worse
    }

    /// Whether a predicted time is more than the limits allow; `ratio` is the time divided by the
    /// baseline's.
    fn is_slower(&self, ratio: f64) -> bool {
        self.time.is_some_and(|percent| ratio > 1.0 + percent / 100.0)
    }
}

/// The version of the file's layout.
const FORMAT: u32 = 1;

/// The numbers of all kernels, and the versions that made them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Baseline {
    format: u32,
    llvm: String,
    ptxas: String,
    setting: String,
    /// The numbers by file and kernel.
    files: BTreeMap<String, BTreeMap<String, Numbers>>,
    /// The version of this program that predicted the times; empty if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    predicted_by: String,
    /// Predicted times, by file and kernel.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    predicted: BTreeMap<String, BTreeMap<String, Alone>>,
}

impl Baseline {
    fn time(&self, file: &str, kernel: &str) -> Option<&Alone> {
        self.predicted.get(file)?.get(kernel)
    }

    fn read(path: &Path) -> Result<Baseline> {
        let bytes = fs::read(path)
            .with_context(|| format!("cannot read {}: --save makes the first one", path.display()))?;
        let baseline: Baseline = serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is not a baseline of ptx-compare gate's", path.display()))?;
        ensure!(baseline.format == FORMAT, "{}: of format {}, not {FORMAT}", path.display(), baseline.format);
        Ok(baseline)
    }
}

/// A kernel that is worse.
#[derive(Debug, Serialize)]
struct Worse {
    file: String,
    kernel: String,
    baseline: Numbers,
    now: Numbers,
    /// The predicted time divided by the baseline's.
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted_time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    launches: Option<Origin>,
    #[serde(rename = "worse")]
    why: Vec<String>,
}

/// The result of a comparison.
#[derive(Debug, Default)]
struct Comparison {
    worse: Vec<Worse>,
    notes: Vec<String>,
    compared: usize,
}

fn compare(old: &Baseline, new: &Baseline, limits: &Limits) -> Comparison {
    let mut result = Comparison::default();
    for (what, old, new) in [
        ("LLVM", &old.llvm, &new.llvm),
        ("ptxas", &old.ptxas, &new.ptxas),
        ("the setting", &old.setting, &new.setting),
        ("the version of ptx-compare, which predicts times,", &old.predicted_by, &new.predicted_by),
    ] {
        // A version is empty where no times are predicted.
        if old != new && !new.is_empty() {
            result.notes.push(format!("{what} is another one than the baseline's: {new}, was {old}"));
        }
    }
    let times_before = |file: &str, kernel: &str| old.time(file, kernel);
    for (file, kernels) in &new.files {
        let before = old.files.get(file);
        for (kernel, numbers) in kernels {
            let Some(old) = before.and_then(|kernels| kernels.get(kernel)) else {
                result.notes.push(format!("{file}: {kernel} is not in the baseline; --save adds it"));
                continue;
            };
            result.compared += 1;
            let mut why = limits.exceeded(old, numbers);
            let (predicted_time, launches, note) = match limits.time {
                Some(_) => times(times_before(file, kernel), new.time(file, kernel)),
                None => (None, None, None),
            };
            result.notes.extend(note.map(|note| format!("{file}: {kernel}: {note}")));
            if let Some(ratio) = predicted_time.filter(|&ratio| limits.is_slower(ratio)) {
                let mark = launches.map_or("", Origin::mark);
                why.push(format!("predicted time {mark}{ratio:.3} of the baseline's"));
            }
            if !why.is_empty() {
                result.worse.push(Worse {
                    file: file.clone(),
                    kernel: kernel.clone(),
                    baseline: old.clone(),
                    now: numbers.clone(),
                    predicted_time,
                    launches,
                    why,
                });
            }
        }
        for kernel in
            before.into_iter().flat_map(BTreeMap::keys).filter(|kernel| !kernels.contains_key(*kernel))
        {
            result.notes.push(format!("{file}: {kernel} of the baseline is gone"));
        }
    }
    result
}

/// The predicted time divided by the baseline's, the origin of the launches, or why there is none.
fn times(old: Option<&Alone>, new: Option<&Alone>) -> (Option<f64>, Option<Origin>, Option<String>) {
    let note = |text: &str| (None, None, Some(text.to_owned()));
    match (old, new) {
        // Another note says why there is no prediction now.
        (_, None) => (None, None, None),
        (None, Some(_)) => note("the baseline has no predicted time of it; --save with --time adds it"),
        (Some(old), Some(new)) => match new.ratio(old) {
            Some(ratio) => (Some(ratio), Some(new.origin), None),
            None => note("its launches are others than the baseline's: predicted times are not compared; --save with --time takes these"),
        },
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    // A typing mistake in its name must show before the work.
    let old = match args.save && !args.baseline.exists() {
        true => None,
        false => Some(Baseline::read(&args.baseline)?),
    };
    let mut compiler = Compiler::new(&args.tools, &args.compile, args.judge.maxrregcount)?;
    let folder = args.cuda.folder()?;
    compiler.write_for(&folder);
    let judge = Judge::new(&folder, &args.judge)?;
    let setting = named(&args.setting)?;
    let files = compiler.take(args.files.find(true)?)?;
    let timing = Timing::new(args, old.as_ref())?;
    let measured = measure_all(&compiler, &judge, &setting, timing.as_ref(), &files)?;

    let mut new = Baseline {
        format: FORMAT,
        llvm: compiler.llc.version.clone(),
        ptxas: judge.ptxas.version.clone(),
        setting: setting.name.clone(),
        predicted_by: timing.iter().map(|_| env!("CARGO_PKG_VERSION")).collect(),
        ..Baseline::default()
    };
    let (mut failed, mut notes, mut unpredicted) = (Vec::new(), Vec::new(), 0);
    let allows = args.allow_unpredicted || args.save;
    for (file, outcome) in measured {
        match outcome {
            Ok(measured) => {
                unpredicted += new.add(file, measured, timing.is_some(), allows, &mut notes);
            }
            Err(why) => failed.push(why.into()),
        }
    }
    ensure!(
        !failed.is_empty() || new.files.values().any(|kernels| !kernels.is_empty()),
        "nothing is compared: {NO_KERNEL}"
    );
    if let Some(timing) = timing.as_ref().filter(|_| failed.is_empty()) {
        time::ensure_named(&timing.launches, |kernel| {
            new.files.values().any(|kernels| kernels.contains_key(kernel))
        })?;
    }
    let mut comparison =
        old.as_ref().map_or_else(Comparison::default, |old| compare(old, &new, &args.limits));
    if args.save {
        // The notes speak of the old baseline, which is replaced.
        comparison.notes.clear();
        comparison.notes.extend(old.as_ref().and_then(|old| lost_times(old, &new, timing.is_some())));
    }
    comparison.notes.extend(notes);
    if old.is_some() || !failed.is_empty() {
        report(args, &comparison, &failed, unpredicted)?;
    } else {
        text::print_notes(&comparison.notes);
    }
    if args.save {
        ensure!(failed.is_empty(), "{}: not written", args.baseline.display());
        if let Some(old) = old {
            new.keep(old);
        }
        write_json(&args.baseline, &new)?;
        println!(
            "{}: {}",
            args.baseline.display(),
            counted(new.files.values().map(BTreeMap::len).sum(), "kernel")
        );
        return Ok(ExitCode::SUCCESS);
    }
    let is_fine = comparison.worse.is_empty() && failed.is_empty() && unpredicted == 0;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Measures all files, in threads. An inner error says why one could not be compiled.
fn measure_all(
    compiler: &Compiler,
    judge: &Judge,
    setting: &Setting,
    timing: Option<&Timing>,
    files: &[PathBuf],
) -> Result<Vec<(String, Result<Measured, Complaint>)>> {
    let progress = Progress::with_bad_word("gate", files.len(), "failed");
    let measured = files
        .par_iter()
        .map(|file| {
            let outcome = measure(compiler, judge, setting, timing, file)?;
            progress.step(outcome.is_err());
            Ok((inputs::name_of(file), outcome))
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();
    Ok(measured)
}

/// The note that files lose the predicted times that they have in the old baseline.
fn lost_times(old: &Baseline, new: &Baseline, is_timed: bool) -> Option<String> {
    let lost = new.files.keys().filter(|file| !is_timed && old.predicted.contains_key(*file)).count();
    let files = || counted(lost, "file");
    (lost > 0)
        .then(|| format!("the predicted times of {} are left out: --time keeps them up to date", files()))
}

impl Baseline {
    /// Adds the numbers of a file, and notes about its kernels without a time; returns how many of them are failures. `allows`: none is.
    fn add(
        &mut self,
        file: String,
        measured: Measured,
        is_timed: bool,
        allows: bool,
        notes: &mut Vec<String>,
    ) -> usize {
        let Measured { kernels, times, not_predicted } = measured;
        let mut unpredicted = 0;
        for (kernel, NotPredicted { why, is_given }) in not_predicted {
            let fails = is_given && !allows;
            unpredicted += usize::from(fails);
            let how = if is_given { " by the launch that is given" } else { "" };
            let advice = if fails { "; --allow-unpredicted lets that pass" } else { "" };
            notes.push(format!("{file}: {kernel}: its time is not predicted{how}: {why}{advice}"));
        }
        if is_timed {
            self.predicted.insert(file.clone(), times);
        }
        self.files.insert(file, kernels);
        unpredicted
    }

    /// Takes the numbers of files that are not named in this run.
    fn keep(&mut self, mut old: Baseline) {
        for file in self.files.keys() {
            old.predicted.remove(file);
        }
        old.predicted.append(&mut self.predicted);
        self.predicted = old.predicted;
        if self.predicted_by.is_empty() && !self.predicted.is_empty() {
            self.predicted_by = old.predicted_by;
        }
        old.files.append(&mut self.files);
        self.files = old.files;
    }
}

/// Predicts times.
struct Timing<'a> {
    cuda: Cuda,
    /// The launches that were given.
    launches: Vec<Launch>,
    old: Option<&'a Baseline>,
}

impl<'a> Timing<'a> {
    /// `None` unless times are asked for.
    fn new(args: &Args, old: Option<&'a Baseline>) -> Result<Option<Timing<'a>>> {
        if args.limits.time.is_none() {
            ensure!(args.launch.is_empty(), "--launch is of predicted times: it needs --time");
            return Ok(None);
        }
        if let Some(old) = old.filter(|_| !args.save) {
            ensure!(
                !old.predicted.is_empty(),
                "{} has no predicted times: --save with --time adds them",
                args.baseline.display()
            );
        }
        let mut cuda = sass::tools(&args.cuda.folder()?)?;
        cuda.max_registers = args.judge.maxrregcount;
        Ok(Some(Timing { cuda, launches: Launch::read_files(&args.launch)?, old }))
    }

    /// Predicts the kernels of a file. An inner error says why a kernel has no time.
    fn times(
        &self,
        file: &Path,
        text: &str,
        gpu: &str,
    ) -> Result<BTreeMap<String, Result<Alone, NotPredicted>>> {
        let name = inputs::name_of(file);
        let before = |kernel: &str| self.old.and_then(|old| old.time(&name, kernel));
        time::times(&self.cuda, file, text, gpu, &self.launches, before)
    }
}

/// The numbers of a file's kernels.
struct Measured {
    kernels: BTreeMap<String, Numbers>,
    times: BTreeMap<String, Alone>,
    /// Kernels without a time.
    not_predicted: Vec<(String, NotPredicted)>,
}

fn measure(
    compiler: &Compiler,
    judge: &Judge,
    setting: &Setting,
    timing: Option<&Timing>,
    file: &Path,
) -> Result<Result<Measured, Complaint>> {
    let input = compiler.input(file)?;
    let module = match compiler.compile(&input, setting, &[])? {
        Ok(module) => module,
        Err(complaint) => return Ok(Err(compiler.advise(judge, &input, &complaint)?.into())),
    };
    let kernels = match judge.judge(&module, &input.cpu)? {
        Ok(kernels) => kernels,
        Err(complaint) => return Ok(Err(compiler.advise(judge, &input, &complaint)?.into())),
    };
    let mut measured = Measured { kernels, times: BTreeMap::new(), not_predicted: Vec::new() };
    let Some(timing) = timing else { return Ok(Ok(measured)) };
    let mut outcomes = timing.times(file, module.text(), &input.cpu)?;
    for kernel in measured.kernels.keys() {
        let none = || NotPredicted { why: "there is no launch of it".to_owned(), is_given: false };
        let outcome = outcomes.remove(kernel).unwrap_or_else(|| Err(none()));
        match outcome {
            Ok(time) => drop(measured.times.insert(kernel.clone(), time)),
            Err(why) => measured.not_predicted.push((kernel.clone(), why)),
        }
    }
    Ok(Ok(measured))
}

/// `unpredicted`: the number of kernels that fail because their given launch does not run.
fn report(args: &Args, comparison: &Comparison, failed: &[String], unpredicted: usize) -> Result<()> {
    let mut header = vec!["file", "kernel", "worse"];
    header.extend(CHANGES);
    let has_time = args.limits.time.is_some();
    if has_time {
        header.push("predicted time");
    }
    let mut sheet = Sheet::new(&header, 3);
    for row in &comparison.worse {
        let mut line = vec![row.file.clone(), row.kernel.clone(), row.why.join(", ")];
        line.extend(changes(&row.baseline, &row.now));
        if has_time {
            line.push(row.predicted_time.map_or(String::new(), |ratio| format!("{ratio:.3}")));
        }
        sheet.add(line);
    }
    args.output.write(&sheet, &comparison.worse)?;
    if !args.output.takes_stdout() {
        if !comparison.worse.is_empty() {
            println!("{}", sheet.terminal());
        }
        let worse = comparison.worse.len();
        let mut line = format!("{} compared, {worse} worse", counted(comparison.compared, "kernel"));
        if unpredicted > 0 {
            line.push_str(&format!(", {unpredicted} without a predicted time"));
        }
        println!("{line}");
        if comparison.worse.iter().any(|row| row.launches == Some(Origin::MadeUp)) {
            println!("~ {}", time::MADE_UP);
        }
    }
    text::print_notes(comparison.notes.iter().chain(failed));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::compare::OneAlone;
    use crate::time::predict::Share;

    fn numbers(registers: u64, spill_loads: u64, sass: u64, warps: u32) -> Numbers {
        Numbers { registers, spill_loads, sass, warps, max_warps: 64, ..Numbers::default() }
    }

    fn limits(registers: u64, spills: u64, sass: f64, occupancy: u32) -> Limits {
        Limits { registers, spills, sass, occupancy, time: None }
    }

    #[test]
    fn thresholds() {
        let old = numbers(40, 0, 1000, 48);
        let strict = limits(0, 0, 0.0, 0);
        assert!(strict.exceeded(&old, &old).is_empty());
        assert!(strict.exceeded(&old, &numbers(32, 0, 900, 64)).is_empty());
        let worse = numbers(41, 4, 1010, 40);
        let all = ["registers 40 > 41", "spilled bytes 0 > 4", "SASS 1000 > 1010", "occupancy 75 % > 62 %"];
        assert_eq!(strict.exceeded(&old, &worse), all);
        assert!(limits(1, 4, 1.0, 13).exceeded(&old, &worse).is_empty());
        assert_eq!(limits(1, 3, 0.9, 12).exceeded(&old, &worse), all[1..]);
    }

    #[test]
    fn kernels_are_found_by_file_and_name() {
        let baseline = |kernels: &[(&str, &str, u64)]| {
            let mut baseline = Baseline::default();
            for (file, kernel, registers) in kernels {
                let kernels = baseline.files.entry((*file).to_owned()).or_default();
                kernels.insert((*kernel).to_owned(), numbers(*registers, 0, 10, 64));
            }
            baseline
        };
        let old = baseline(&[("a", "k", 10), ("a", "gone", 10), ("b", "k", 20)]);
        let mut new = baseline(&[("a", "k", 11), ("a", "new", 9), ("b", "k", 20)]);
        new.ptxas = "another".to_owned();
        let comparison = compare(&old, &new, &Limits::default());
        assert_eq!(comparison.compared, 2);
        assert_eq!(
            comparison.worse.iter().map(|w| (w.file.as_str(), w.kernel.as_str())).collect::<Vec<_>>(),
            [("a", "k")]
        );
        let notes = comparison.notes.join("\n");
        for part in
            ["ptxas is another one", "a: new is not in the baseline", "a: gone of the baseline is gone"]
        {
            assert!(notes.contains(part), "{notes}");
        }
    }

    #[test]
    fn times_are_compared_where_they_are_asked_for() {
        let baseline = |times: &[(&str, &str, f64)]| {
            let mut baseline = Baseline { predicted_by: "1".to_owned(), ..Baseline::default() };
            for &(kernel, launch, cycles) in times {
                let kernels = baseline.files.entry("a".to_owned()).or_default();
                kernels.insert(kernel.to_owned(), numbers(10, 0, 10, 64));
                let launches = vec![OneAlone { launch: launch.to_owned(), cycles, share: Share::All }];
                let time = Alone { origin: Origin::Given, launches };
                baseline.predicted.entry("a".to_owned()).or_default().insert(kernel.to_owned(), time);
            }
            baseline
        };
        let old = baseline(&[("k", "x", 100.0), ("other", "x", 100.0)]);
        let new = baseline(&[("k", "x", 103.0), ("other", "y", 900.0)]);
        let within = |percent| compare(&old, &new, &Limits { time: percent, ..Limits::default() });
        let slower = within(Some(2.9));
        assert_eq!(slower.worse.len(), 1);
        assert_eq!(slower.worse[0].why, ["predicted time 1.030 of the baseline's"]);
        assert!(slower.notes[0].contains("other: its launches are others"), "{:?}", slower.notes);
        assert!(within(Some(3.1)).worse.is_empty());
        let without = within(None);
        assert!(without.worse.is_empty() && without.notes.is_empty());
    }
}
