//! `time`: predicts which of two versions of a kernel is faster.
//!
//! docs/time.md says what the prediction knows and what it does not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail, Context, Result};
use gpu_time::machine::Machine;
use ptx_emu::grid::launch::Launch;
use sass_emu::cubin::Cubin;
use sass_emu::instruction::{disassemble, Listing};
use serde::Serialize;

use crate::places;
use crate::ptxas::Cuda;

pub mod predict;

use predict::{predict, Code, Prediction};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Two cubins
    #[arg(value_name = "FILE", num_args = 2, required = true)]
    files: Vec<PathBuf>,
    /// Launches; docs/comparing.md says how they are written
    #[arg(long, value_name = "FILE")]
    launch: Vec<PathBuf>,
    /// Directory with bin/ptxas and bin/nvdisasm [default: build/cuda, else a CUDA toolkit]
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
    /// Instructions of warps that the emulated blocks may execute
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    budget: u64,
    /// Show this many of the instructions that take most of the time
    #[arg(long, value_name = "N", default_value_t = 0)]
    places: usize,
    /// Only the ratio, without its interval
    #[arg(long)]
    no_interval: bool,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Serialize)]
struct Row {
    kernel: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    prediction: Option<Prediction>,
}

/// A cubin with its instructions.
struct Loaded {
    cubin: Cubin,
    listing: Listing,
}

fn load(cuda: &Cuda, path: &Path) -> Result<Loaded> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let cubin = Cubin::read(&bytes).with_context(|| path.display().to_string())?;
    let listing = disassemble(&cuda.nvdisasm(), path, &cubin)?;
    Ok(Loaded { cubin, listing })
}

impl Loaded {
    fn code(&self, name: &str) -> Result<Code<'_>> {
        let instructions = self.listing.get(name).ok_or_else(|| anyhow!("there is no code of {name}"))?;
        Ok(Code { cubin: &self.cubin, kernel: self.cubin.kernel(name)?, instructions })
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = args.cuda.clone().unwrap_or_else(places::ptxas);
    let cuda = Cuda::find(&folder).filter(|cuda| cuda.nvdisasm().is_file()).ok_or_else(|| {
        anyhow!("there is no bin/nvdisasm in {}; --cuda names its folder", folder.display())
    })?;
    let launches =
        args.launch.iter().map(|path| Launch::read_file(path)).collect::<Result<Vec<_>>>()?.concat();
    let sides = [load(&cuda, &args.files[0])?, load(&cuda, &args.files[1])?];
    let [a, b] = [0, 1].map(|side: usize| sides[side].cubin.architecture);
    if a != b {
        bail!("{} is for sm_{a}, {} for sm_{b}", args.files[0].display(), args.files[1].display());
    }
    let machine = Machine::of(a).map_err(|why| anyhow!(why))?;
    let mut rows = Vec::new();
    for launch in &launches {
        let codes = [sides[0].code(&launch.kernel)?, sides[1].code(&launch.kernel)?];
        let (error, prediction) = match predict(&machine, codes, launch, args.budget, !args.no_interval) {
            Ok(prediction) => (None, Some(prediction)),
            Err(why) => (Some(why), None),
        };
        rows.push(Row { kernel: launch.kernel.clone(), error, prediction });
    }
    if args.format == Format::Json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
        return Ok(ExitCode::SUCCESS);
    }
    for row in &rows {
        match (&row.error, &row.prediction) {
            (Some(why), _) => println!("{}: not predicted: {why}", row.kernel),
            (_, Some(p)) => {
                println!(
                    "{}: predicted {:.3} ({:.3} to {:.3}, {})",
                    row.kernel, p.ratio, p.low, p.high, p.moved_most_by
                );
                for side in &p.sides {
                    println!(
                        "  {:10.0} cycles {:8.0} executed {:3} registers {:2} warps",
                        side.cycles, side.executed, side.registers, side.warps
                    );
                    for ((_, name), cycles) in gpu_time::replay::CAUSES.iter().zip(side.causes) {
                        print!("  {name} {:.1}%", 100.0 * cycles / side.cycles);
                    }
                    println!();
                }
                for (side, loaded) in p.sides.iter().zip(&sides) {
                    let instructions = &loaded.listing[&row.kernel];
                    let mut order: Vec<usize> = (0..side.places.len()).collect();
                    let sum = |at: usize| side.places[at].iter().sum::<f64>();
                    let all: f64 = order.iter().map(|&at| sum(at)).sum();
                    order.sort_by(|&a, &b| sum(b).total_cmp(&sum(a)));
                    for &at in order.iter().take(args.places) {
                        let most = (0..side.places[at].len())
                            .max_by(|&a, &b| side.places[at][a].total_cmp(&side.places[at][b]))
                            .unwrap_or(0);
                        println!(
                            "    {:5.1}% {:14} {:#06x} {}",
                            100.0 * sum(at) / all,
                            gpu_time::replay::CAUSES[most].1,
                            16 * at,
                            instructions[at].text
                        );
                    }
                    println!();
                }
            }
            _ => {}
        }
    }
    Ok(ExitCode::SUCCESS)
}
