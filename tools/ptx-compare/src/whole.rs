//! `bench whole`: the time of llc, and of ptxas on its output, without and with the plugin. That is
//! the time that users wait for.
//!
//! The time is the processor's, user and system together, as a run of milliseconds may have to wait
//! for others. The sides run alternately, and the fastest of several runs counts.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use serde::Serialize;

use crate::inputs;
use crate::llc::{Llc, Side};
use crate::measure::judgement::mean_ratio;
use crate::output::write_json;
use crate::passes::{arguments, Setup};
use crate::places;
use crate::progress::Progress;
use crate::ptxas::CudaArgs;
use crate::text::{counted, print_notes, table};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    setup: Setup,
    /// Write the numbers to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    cuda: CudaArgs,
    /// Runs of each side; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Kernels (.ll, .mir, .bc), or directories with kernels
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Nanoseconds of one side.
#[derive(Clone, Copy, Debug, Serialize)]
struct Times {
    llc: u64,
    ptxas: u64,
}

impl Times {
    const NONE: Times = Times { llc: u64::MAX, ptxas: u64::MAX };

    fn fastest(self, other: Times) -> Times {
        Times { llc: self.llc.min(other.llc), ptxas: self.ptxas.min(other.ptxas) }
    }
    fn both(&self) -> u64 {
        self.llc + self.ptxas
    }
}

#[derive(Debug, Serialize)]
struct File {
    #[serde(with = "inputs::name")]
    file: PathBuf,
    stock: Times,
    plugin: Times,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let setup = &args.setup;
    let llc = Llc::new(&setup.tools)?;
    let ptxas = args.cuda.folder()?.join("bin/ptxas");
    ensure!(ptxas.is_file(), "no ptxas at {}: {}", ptxas.display(), places::ptxas_advice());
    let files = inputs::discover(&args.files)?;
    println!(
        "{}, -O{}, processor time, fastest of {} runs of each side",
        llc.version, setup.level, args.runs
    );
    let progress = Progress::new("bench whole", files.len());
    let (mut all, mut left_out) = (Vec::new(), Vec::new());
    for file in &files {
        let times = times_of(&llc, &ptxas, &arguments(file, setup)?, args.runs);
        progress.step(times.is_err());
        match times {
            Ok((stock, plugin)) => all.push(File { file: file.clone(), stock, plugin }),
            Err(why) => left_out.push(format!("{}: {why:#}", file.display())),
        }
    }
    progress.finish();
    print_notes(&left_out);
    ensure!(!all.is_empty(), "nothing was measured");
    print(&all);
    if let Some(path) = &args.json {
        write_json(path, &all)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The times of stock and of the plugin. It is an error if one of the programs rejects the file.
fn times_of(llc: &Llc, ptxas: &Path, args: &[OsString], runs: u16) -> Result<(Times, Times)> {
    let folder = tempfile::tempdir().context("temporary folder")?;
    let ptx = folder.path().join("ptx");
    let one = |side| -> Result<Times> {
        let mut args = args.to_vec();
        args.extend(["-o".into(), ptx.clone().into()]);
        let by_llc = llc.measure(&llc.command_line(side, &args))?;
        let text = fs::read_to_string(&ptx).context("temporary file")?;
        let target = target(&text).context("llc's output names no .target")?;
        let arch = format!("-arch={target}");
        let cubin = folder.path().join("cubin");
        let line = [ptxas.into(), arch.into(), ptx.clone().into(), "-o".into(), cubin.into()];
        let by_ptxas = llc.measure(&line)?;
        Ok(Times { llc: by_llc.cpu_ns, ptxas: by_ptxas.cpu_ns })
    };
    let (mut stock, mut plugin) = (Times::NONE, Times::NONE);
    for _ in 0..runs {
        stock = stock.fastest(one(Side::Stock)?);
        plugin = plugin.fastest(one(Side::Plugin)?);
    }
    Ok((stock, plugin))
}

/// The processor in a PTX text.
fn target(ptx: &str) -> Option<&str> {
    let line = ptx.lines().find_map(|line| line.trim_start().strip_prefix(".target "))?;
    line.split(',').next().map(str::trim)
}

fn print(all: &[File]) {
    let header = ["processor time in ms", "stock", "ptxpasses", "ratio of the sums", "geometric mean"];
    let mut rows = table(&header, 1);
    let mut add = |name: &str, part: fn(&Times) -> u64| {
        let stock: u64 = all.iter().map(|file| part(&file.stock)).sum();
        let plugin: u64 = all.iter().map(|file| part(&file.plugin)).sum();
        let (mean, _) = mean_ratio(all.iter().map(|file| (part(&file.stock), part(&file.plugin))));
        let milliseconds = |time: u64| format!("{:.1}", time as f64 / 1e6);
        let ratio = format!("{:.3}", plugin as f64 / stock as f64);
        rows.add_row([
            name.to_owned(),
            milliseconds(stock),
            milliseconds(plugin),
            ratio,
            format!("{mean:.3}"),
        ]);
    };
    add("llc", |times| times.llc);
    add("ptxas", |times| times.ptxas);
    add("both", Times::both);
    println!("{}\n{rows}", counted(all.len(), "file"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_the_first_word() {
        assert_eq!(target("//\n.version 8.0\n.target sm_80, debug\n"), Some("sm_80"));
        assert_eq!(target(".version 8.0\n"), None);
    }

    #[test]
    fn the_fastest_of_each_program_counts() {
        let fastest = Times::NONE.fastest(Times { llc: 3, ptxas: 9 }).fastest(Times { llc: 5, ptxas: 4 });
        assert_eq!((fastest.llc, fastest.ptxas, fastest.both()), (3, 4, 7));
    }
}
