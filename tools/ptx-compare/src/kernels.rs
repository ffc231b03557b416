//! `kernels`: what ptxas makes of each kernel, with stock llc and under a setting, and a verdict.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;

use crate::inputs;
use crate::measure::judgement::{compare, Judgement};
use crate::measure::setting::{rows, Effort, Setting, DEFAULT};
use crate::measure::{CompileArgs, Compiler, Judge, JudgeArgs, Numbers};
use crate::progress::Progress;
use crate::ptxas;
use crate::sheet::{OutputArgs, Sheet};
use crate::text::{self, counted};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    compile: CompileArgs,
    #[command(flatten)]
    judge: JudgeArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// The setting that is compared with stock, by its name; `list` names all
    #[arg(long, value_name = "NAME", default_value = DEFAULT)]
    setting: String,
    /// Kernels (.ll, .bc, .mir, .cu, .cl), or directories with .ll, .bc and .mir
    #[arg(value_name = "IN", required = true)]
    files: Vec<PathBuf>,
}

/// Both sides of one kernel.
#[derive(Debug, Serialize)]
struct Row {
    file: String,
    kernel: String,
    stock: Numbers,
    ours: Numbers,
    verdict: Judgement,
    why: String,
}

/// The kernels of a file, and the notes about it.
#[derive(Default)]
struct Outcome {
    rows: Vec<Row>,
    notes: Vec<String>,
    failed: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let compiler = Compiler::new(&args.compile)?;
    if args.setting == "list" {
        print_settings(&compiler);
        return Ok(ExitCode::SUCCESS);
    }
    let setting = named(&args.setting)?;
    let judge = Judge::new(&args.judge)?;
    let files = inputs::discover_sources(&args.files, false)?;
    let progress = Progress::with_bad_word("kernels", files.len(), "failed");
    let outcomes = files
        .par_iter()
        .map(|file| {
            let outcome = measure(&compiler, &judge, &setting, file)?;
            progress.step(outcome.failed);
            Ok(outcome)
        })
        .collect::<Result<Vec<_>>>()?;
    progress.finish();

    let rows: Vec<&Row> = outcomes.iter().flat_map(|outcome| &outcome.rows).collect();
    let sheet = sheet(&rows);
    args.output.write(&sheet, &rows)?;
    if !args.output.takes_stdout() {
        println!(
            "{}, -O{}, {}, stock > {}:",
            compiler.llc.version, args.compile.level, judge.ptxas.version, setting.name
        );
        println!("{}", sheet.terminal());
        println!("{}", summary(rows.iter().map(|row| row.verdict)));
    }
    text::print_notes(outcomes.iter().flat_map(|outcome| &outcome.notes));
    Ok(if outcomes.iter().any(|outcome| outcome.failed) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The setting of a name.
pub fn named(name: &str) -> Result<Setting> {
    let all = rows(Effort::All);
    let names = || all.iter().map(|row| row.name.as_str()).collect::<Vec<_>>();
    all.iter().find(|row| row.name == name).cloned().with_context(|| {
        let near = names().into_iter().find(|known| known.contains(name) || name.contains(known));
        format!(
            "there is no setting {name}{}; --setting list names all",
            near.map_or(String::new(), |near| format!(" (is it {near}?)"))
        )
    })
}

fn print_settings(compiler: &Compiler) {
    let mut sheet = Sheet::new(&["setting", "options", "left out"], 3);
    for row in rows(Effort::More) {
        let known = if compiler.has(&row) { "" } else { " (not in this llc)" };
        sheet.add(vec![format!("{}{known}", row.name), row.flags.join(" "), row.without.join(" ")]);
    }
    println!("{}", sheet.terminal());
}

fn measure(compiler: &Compiler, judge: &Judge, setting: &Setting, file: &std::path::Path) -> Result<Outcome> {
    let input = compiler.input(file)?;
    let mut outcome = Outcome { notes: input.note().into_iter().collect(), ..Outcome::default() };
    let mut sides: Vec<BTreeMap<String, Numbers>> = Vec::new();
    for setting in [&Setting::stock(), setting] {
        let judged = match compiler.compile(&input, setting, &[])? {
            Ok(module) => {
                if !setting.stock {
                    outcome.notes.extend(ptxas::debug_note(file.display(), module.text()));
                }
                judge.judge(&module, &input.cpu)?
            }
            Err(complaint) => Err(complaint),
        };
        match judged {
            Ok(numbers) => sides.push(numbers),
            Err(complaint) => {
                outcome.failed = true;
                outcome.notes =
                    vec![compiler.advise(judge, &input, &format!("{}: {complaint}", setting.name))?];
                return Ok(outcome);
            }
        }
    }
    for (kernel, stock) in &sides[0] {
        let Some(ours) = sides[1].get(kernel) else {
            outcome.failed = true;
            outcome.notes.push(format!("{}: kernel {kernel} is missing with the plugin", file.display()));
            continue;
        };
        let (verdict, why) = compare(stock, ours);
        let file = file.display().to_string();
        outcome.rows.push(Row {
            file,
            kernel: kernel.clone(),
            stock: stock.clone(),
            ours: ours.clone(),
            verdict,
            why,
        });
    }
    Ok(outcome)
}

/// `a > b`, or one number where both are the same.
pub fn change<T: PartialEq + ToString>(old: T, new: T) -> String {
    if old == new {
        new.to_string()
    } else {
        format!("{} > {}", old.to_string(), new.to_string())
    }
}

/// The columns that tell two compilations of a kernel apart.
pub const CHANGES: [&str; 4] = ["registers", "spills", "SASS", "occupancy %"];

/// The cells for [`CHANGES`].
pub fn changes(old: &Numbers, new: &Numbers) -> Vec<String> {
    vec![
        change(old.registers, new.registers),
        change(old.spills(), new.spills()),
        change(old.sass, new.sass),
        change(old.occupancy(), new.occupancy()),
    ]
}

fn sheet(rows: &[&Row]) -> Sheet {
    let mut header = vec!["file", "kernel", "verdict", "why"];
    header.extend(CHANGES);
    let mut sheet = Sheet::new(&header, 4);
    for row in rows {
        let mut line = vec![row.file.clone(), row.kernel.clone(), row.verdict.to_string(), row.why.clone()];
        line.extend(changes(&row.stock, &row.ours));
        sheet.add(line);
    }
    sheet
}

/// How many kernels there are of each verdict.
pub fn summary(verdicts: impl Iterator<Item = Judgement>) -> String {
    let mut counts: BTreeMap<Judgement, usize> = BTreeMap::new();
    let mut all = 0;
    for verdict in verdicts {
        *counts.entry(verdict).or_default() += 1;
        all += 1;
    }
    let parts: Vec<String> = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    format!(
        "{}: {}",
        counted(all, "kernel"),
        if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_in_the_width() {
        let numbers = |registers, sass| Numbers {
            registers,
            sass,
            spill_loads: 20_000,
            warps: 64,
            max_warps: 64,
            ..Numbers::default()
        };
        let row = Row {
            file: format!("{}.ll", "deep/".repeat(30)),
            kernel: "_Z".repeat(90),
            stock: numbers(255, 1_000_000),
            ours: numbers(254, 999_999),
            verdict: Judgement::Better,
            why: "spills, occupancy, registers, SASS".to_owned(),
        };
        let table = sheet(&[&row]).terminal();
        assert!(table.lines().all(|line| line.chars().count() <= usize::from(crate::text::WIDTH)), "{table}");
        assert!(table.contains("255 > 254"), "{table}");
    }

    #[test]
    fn unknown_settings_have_a_near_one() {
        assert_eq!(named("pressure").expect("it is there").flags, ["-ptx-emit-order=pressure"]);
        let error = named("no-hoisting").expect_err("no such one").to_string();
        assert!(error.contains("no-hoisting (is it no-hoist?)"), "{error}");
    }

    #[test]
    fn counts() {
        let verdicts = [Judgement::Same, Judgement::Better, Judgement::Same];
        assert_eq!(summary(verdicts.into_iter()), "3 kernels: 1 better, 2 same");
    }
}
