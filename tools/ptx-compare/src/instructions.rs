//! `bench instructions`: the number of machine instructions that llc executes, without and with the
//! plugin.
//!
//! Times of a run of milliseconds depend on the machine and its other users. The number of executed
//! instructions hardly does, so it shows changes that times do not. valgrind's callgrind counts
//! them. It misses caches and page faults: for these `bench passes` has times.
//!
//! `--json` keeps the numbers, and `--baseline` compares with such a file, for the same llc and the
//! same files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, ensure, Context, Result};
use serde::{Deserialize, Serialize};

use crate::inputs;
use crate::llc::{failure, Exit, Llc, Side};
use crate::measure::judgement::mean_ratio;
use crate::output::write_json;
use crate::passes::{arguments, Setup};
use crate::progress::Progress;
use crate::text::{table, thousands};

/// More than this many per mille over all files is a growth. Addresses and hashes make runs differ
/// by less.
const GROWTH_PER_MILLE: u64 = 5;

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    setup: Setup,
    /// Write the numbers to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Numbers that --json has kept: exit status 1 if the plugin's side executes over 0.5 % more
    /// than then
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Kernels (.ll, .mir, .bc), or directories with kernels
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// The counts of one file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Counts {
    #[serde(with = "inputs::name")]
    file: PathBuf,
    /// llc's version.
    llvm: String,
    stock: u64,
    plugin: u64,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let setup = &args.setup;
    let llc = Llc::new(&setup.tools)?;
    let files = inputs::discover(&args.files)?;
    let before =
        args.baseline.as_deref().map(|path| read_baseline(path, &files, &llc.version)).transpose()?;
    println!("{}, -O{}, instructions that llc executes", llc.version, setup.level);
    let progress = Progress::new("bench instructions", 2 * files.len());
    let mut all = Vec::new();
    for file in &files {
        let llc_args = arguments(file, setup)?;
        let count = |side| {
            let counted = executed(&llc, side, &llc_args);
            progress.step(counted.is_err());
            counted.with_context(|| format!("{}, {side}", file.display()))
        };
        let (stock, plugin) = (count(Side::Stock)?, count(Side::Plugin)?);
        all.push(Counts { file: file.clone(), llvm: llc.version.clone(), stock, plugin });
    }
    progress.finish();
    print(&all, before.as_ref());
    if let Some(path) = &args.json {
        write_json(path, &all)?;
    }
    let now = all.iter().map(|counts| counts.plugin).sum();
    Ok(match before.map(|before| before.values().sum()) {
        Some(before) if has_grown(before, now) => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    })
}

fn has_grown(before: u64, now: u64) -> bool {
    now * 1000 > before * (1000 + GROWTH_PER_MILLE)
}

/// The plugin's counts in a file written earlier, by input.
fn read_baseline(path: &Path, files: &[PathBuf], llvm: &str) -> Result<BTreeMap<PathBuf, u64>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let all: Vec<Counts> = serde_json::from_str(&text)
        .with_context(|| format!("{} is not what `bench instructions --json` writes", path.display()))?;
    if let Some(other) = all.iter().find(|counts| counts.llvm != llvm) {
        bail!("{} is of {}, and this is {llvm}", path.display(), other.llvm);
    }
    let known: BTreeMap<_, _> = all.into_iter().map(|counts| (counts.file, counts.plugin)).collect();
    let same = known.len() == files.len() && files.iter().all(|file| known.contains_key(file));
    ensure!(same, "{} is of other files; it has {}", path.display(), names(known.keys()));
    Ok(known)
}

fn names<'a>(files: impl Iterator<Item = &'a PathBuf>) -> String {
    files.map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Runs llc under callgrind.
fn executed(llc: &Llc, side: Side, args: &[OsString]) -> Result<u64> {
    let valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=yes"];
    let mut line: Vec<OsString> = valgrind.into_iter().map(OsString::from).collect();
    let mut args = args.to_vec();
    args.extend(["-o".into(), "/dev/null".into()]);
    line.extend(llc.command_line(side, &args));
    let output = llc.execute(&line).context("valgrind is needed (Debian: valgrind)")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.exit == Exit::Code(0), "{}", failure(&line, output.exit, &output.stderr));
    collected(&said).with_context(|| format!("callgrind does not tell its count:\n{said}"))
}

/// The count that callgrind prints at the end. A script that starts llc is replaced by llc before
/// it ends.
fn collected(said: &str) -> Option<u64> {
    said.lines().rev().find_map(|line| line.split_once("Collected :"))?.1.trim().parse().ok()
}

fn print(all: &[Counts], before: Option<&BTreeMap<PathBuf, u64>>) {
    let mut header = vec!["file", "stock", "ptxpasses", "ratio"];
    header.extend(before.map(|_| "of before"));
    let mut rows = table(&header, 1);
    let ratio = |old: u64, new: u64| format!("{:.4}", new as f64 / old as f64);
    let mut add = |name: String, stock: u64, plugin: u64, mean: Option<f64>, old: Option<u64>| {
        let mut row = vec![name, thousands(stock), thousands(plugin)];
        row.push(mean.map_or_else(|| ratio(stock, plugin), |mean| format!("{mean:.4}")));
        row.extend(old.map(|old| ratio(old, plugin)));
        rows.add_row(row);
    };
    for counts in all {
        let old = before.map(|before| before[&counts.file]);
        add(counts.file.display().to_string(), counts.stock, counts.plugin, None, old);
    }
    let sum = |side: fn(&Counts) -> u64| all.iter().map(side).sum::<u64>();
    let (stock, plugin) = (sum(|counts| counts.stock), sum(|counts| counts.plugin));
    let old = before.map(|before| before.values().sum());
    add("all".to_owned(), stock, plugin, None, old);
    let (mean, _) = mean_ratio(all.iter().map(|counts| (counts.stock, counts.plugin)));
    add("geometric mean".to_owned(), stock, plugin, Some(mean), old);
    println!("{rows}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_count_is_that_of_llc() {
        let said = "==7== Collected : 12\n==7==\n==8== Collected : 26462866\n==8== I refs: 26,462,866\n";
        assert_eq!(collected(said), Some(26_462_866));
        assert_eq!(collected("==7== no such tool"), None);
    }

    #[test]
    fn what_addresses_change_is_not_growth() {
        assert!(!has_grown(1_000_000, 1_004_000));
        assert!(has_grown(1_000_000, 1_006_000));
    }

    #[test]
    fn a_baseline_is_of_the_same_llc_and_files() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        let counts = Counts { file: "a.ll".into(), llvm: "LLVM 22".into(), stock: 10, plugin: 9 };
        write_json(file.path(), &[counts]).expect("written");
        let read = |names: &[&str], llvm: &str| {
            let files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            read_baseline(file.path(), &files, llvm).map_err(|error| error.to_string())
        };
        assert_eq!(read(&["a.ll"], "LLVM 22"), Ok(BTreeMap::from([("a.ll".into(), 9)])));
        assert!(read(&["a.ll"], "LLVM 19").unwrap_err().ends_with("is of LLVM 22, and this is LLVM 19"));
        assert!(read(&["a.ll", "b.ll"], "LLVM 22").unwrap_err().ends_with("is of other files; it has a.ll"));
    }
}
