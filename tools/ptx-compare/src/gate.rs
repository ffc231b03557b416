//! `gate`: has a kernel got worse than it was? For CI.
//!
//! The baseline is a file of numbers, kernel by kernel, that `--save` writes and that belongs into the repository beside the
//! kernels. Exit status 1 if a kernel is worse by more than the thresholds allow; each one is named, with why.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::inputs::{self, FileArgs};
use crate::kernels::{changes, named, CHANGES};
use crate::llc::Tools;
use crate::measure::setting::{Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiler, Judge, JudgeArgs, Numbers};
use crate::output::write_json;
use crate::progress::Progress;
use crate::ptxas::CudaArgs;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{self, counted};

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
}

impl Limits {
    /// In which respects `new` is worse than they allow.
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
        // The warps, not their percentage: it is rounded.
        let let_pass = new.max_warps * self.occupancy / 100;
        let percent = |numbers: &Numbers| format!("{} %", numbers.occupancy());
        check(new.warps + let_pass < old.warps, "occupancy", percent(old), percent(new));
        worse
    }
}

/// The layout of the file.
const FORMAT: u32 = 1;

/// The numbers of all kernels, and what they were made with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Baseline {
    format: u32,
    llvm: String,
    ptxas: String,
    setting: String,
    /// By file and kernel.
    files: BTreeMap<String, BTreeMap<String, Numbers>>,
}

impl Baseline {
    fn read(path: &Path) -> Result<Baseline> {
        let bytes = fs::read(path)
            .with_context(|| format!("cannot read {}: --save makes the first one", path.display()))?;
        let baseline: Baseline = serde_json::from_slice(&bytes)
            .with_context(|| format!("{} is not a baseline of ptx-compare gate's", path.display()))?;
        ensure!(baseline.format == FORMAT, "{}: of format {}, not {FORMAT}", path.display(), baseline.format);
        Ok(baseline)
    }
}

/// The result of a comparison.
#[derive(Debug, Default)]
struct Comparison {
    /// File, kernel, numbers before and now, and why it is worse.
    worse: Vec<(String, String, Numbers, Numbers, Vec<String>)>,
    notes: Vec<String>,
    compared: usize,
}

fn compare(old: &Baseline, new: &Baseline, limits: &Limits) -> Comparison {
    let mut result = Comparison::default();
    for (what, old, new) in [
        ("LLVM", &old.llvm, &new.llvm),
        ("ptxas", &old.ptxas, &new.ptxas),
        ("the setting", &old.setting, &new.setting),
    ] {
        if old != new {
            result.notes.push(format!("{what} is another one than the baseline's: {new}, was {old}"));
        }
    }
    for (file, kernels) in &new.files {
        let before = old.files.get(file);
        for (kernel, numbers) in kernels {
            let Some(old) = before.and_then(|kernels| kernels.get(kernel)) else {
                result.notes.push(format!("{file}: {kernel} is not in the baseline; --save adds it"));
                continue;
            };
            result.compared += 1;
            let why = limits.exceeded(old, numbers);
            if !why.is_empty() {
                result.worse.push((file.clone(), kernel.clone(), old.clone(), numbers.clone(), why));
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

pub fn run(args: &Args) -> Result<ExitCode> {
    // A typing mistake in its name is to show before the work.
    let old = match args.save && !args.baseline.exists() {
        true => None,
        false => Some(Baseline::read(&args.baseline)?),
    };
    let mut compiler = Compiler::new(&args.tools, &args.compile, args.judge.maxrregcount)?;
    let judge = Judge::new(&args.cuda.folder(), &args.judge)?;
    let setting = named(&args.setting)?;
    let files = compiler.take(args.files.find(true)?)?;
    let progress = Progress::with_bad_word("gate", files.len(), "failed");
    let measured = files
        .par_iter()
        .map(|file| {
            let outcome = measure(&compiler, &judge, &setting, file)?;
            progress.step(outcome.is_err());
            Ok((inputs::name_of(file), outcome))
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();

    let mut new = Baseline {
        format: FORMAT,
        llvm: compiler.llc.version.clone(),
        ptxas: judge.ptxas.version.clone(),
        setting: setting.name.clone(),
        files: BTreeMap::new(),
    };
    let mut failed = Vec::new();
    for (file, outcome) in measured {
        match outcome {
            Ok(kernels) => drop(new.files.insert(file, kernels)),
            Err(why) => failed.push(why),
        }
    }
    let mut comparison =
        old.as_ref().map_or_else(Comparison::default, |old| compare(old, &new, &args.limits));
    if args.save {
        // The baseline is about to be what they speak of.
        comparison.notes.clear();
    }
    if old.is_some() || !failed.is_empty() {
        report(args, &comparison, &failed)?;
    }
    if args.save {
        ensure!(failed.is_empty(), "{}: not written", args.baseline.display());
        // Files that were not named now keep their numbers.
        if let Some(mut old) = old {
            old.files.append(&mut new.files);
            new.files = old.files;
        }
        write_json(&args.baseline, &new)?;
        println!(
            "{}: {}",
            args.baseline.display(),
            counted(new.files.values().map(BTreeMap::len).sum(), "kernel")
        );
        return Ok(ExitCode::SUCCESS);
    }
    Ok(if comparison.worse.is_empty() && failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(
    compiler: &Compiler,
    judge: &Judge,
    setting: &Setting,
    file: &Path,
) -> Result<Result<BTreeMap<String, Numbers>, String>> {
    let input = compiler.input(file)?;
    let judged = match compiler.compile(&input, setting, &[])? {
        Ok(module) => judge.judge(&module, &input.cpu)?,
        Err(complaint) => Err(complaint),
    };
    match judged {
        Ok(numbers) => Ok(Ok(numbers)),
        Err(complaint) => Ok(Err(compiler.advise(judge, &input, &complaint)?)),
    }
}

fn report(args: &Args, comparison: &Comparison, failed: &[String]) -> Result<()> {
    let mut header = vec!["file", "kernel", "worse"];
    header.extend(CHANGES);
    let mut sheet = Sheet::new(&header, 3);
    let mut rows = Vec::new();
    for (file, kernel, old, new, why) in &comparison.worse {
        let mut line = vec![file.clone(), kernel.clone(), why.join(", ")];
        line.extend(changes(old, new));
        sheet.add(line);
        rows.push(
            serde_json::json!({"file": file, "kernel": kernel, "baseline": old, "now": new, "worse": why}),
        );
    }
    args.output.write(&sheet, &rows)?;
    if !args.output.takes_stdout() {
        if !comparison.worse.is_empty() {
            println!("{}", sheet.terminal());
        }
        let worse = comparison.worse.len();
        println!("{} compared, {worse} worse", counted(comparison.compared, "kernel"));
    }
    text::print_notes(comparison.notes.iter().chain(failed));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(registers: u64, spill_loads: u64, sass: u64, warps: u32) -> Numbers {
        Numbers { registers, spill_loads, sass, warps, max_warps: 64, ..Numbers::default() }
    }

    fn limits(registers: u64, spills: u64, sass: f64, occupancy: u32) -> Limits {
        Limits { registers, spills, sass, occupancy }
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
            comparison.worse.iter().map(|w| (w.0.as_str(), w.1.as_str())).collect::<Vec<_>>(),
            [("a", "k")]
        );
        let notes = comparison.notes.join("\n");
        for part in
            ["ptxas is another one", "a: new is not in the baseline", "a: gone of the baseline is gone"]
        {
            assert!(notes.contains(part), "{notes}");
        }
    }
}
