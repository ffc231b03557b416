//! `table`: the PTX of both sides in numbers.
//!
//! Moves in PTX are a means, not the end: ptxas removes most of them itself. So the table shows them next
//! to what counts, the registers, spills and SASS instructions that ptxas makes of the file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{bail, Context, Result};
use rayon::prelude::*;
use serde::Serialize;

use crate::inputs;
use crate::llc::{Llc, Side, Tools};
use crate::parity::write_json;
use crate::progress::Progress;
use crate::ptx::{self, Stats};
use crate::ptxas::{self, Cuda};
use crate::text::{self, counted, ratio, thousands};

#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    tools: Tools,
    /// Directory with bin/ptxas, and bin/nvdisasm or bin/cuobjdump
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
    /// Where the PTX of both sides goes
    #[arg(long, value_name = "DIR", default_value = "build/table")]
    out: PathBuf,
    /// Write the numbers to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Optimisation level
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    level: u8,
    /// Kernels (.ll, .mir, .bc), or directories with kernels
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// One side of one file.
#[derive(Clone, Debug, Default, Serialize)]
struct Numbers {
    ptx: Stats,
    ptxas: Option<ptxas::Usage>,
}

/// Both sides of one file.
#[derive(Debug, Serialize)]
struct Row {
    file: PathBuf,
    name: String,
    stock: Option<Numbers>,
    plugin: Option<Numbers>,
    /// What went wrong, for the notes under the table.
    notes: Vec<String>,
    /// llc itself failed.
    failed: bool,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let llc = Llc::new(&args.tools)?;
    let files = inputs::discover(&args.files)?;
    let mut names = BTreeSet::new();
    for file in &files {
        if !names.insert(stem(file)) {
            bail!("two kernels are called {}: their PTX would overwrite each other", stem(file));
        }
    }
    fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
    let cuda = args.cuda.as_deref().and_then(Cuda::find);

    let progress = Progress::new("table", files.len());
    let rows = files
        .par_iter()
        .map(|file| {
            let row = measure(&llc, cuda.as_ref(), args, file);
            progress.step(false);
            row
        })
        .collect::<Result<Vec<_>>>();
    progress.finish();
    let rows = rows?;

    println!("PTX of {}, -O{}, {}:", counted(rows.len(), "kernel"), args.level, llc.version);
    for row in &rows {
        println!("  {}", ptx_path(args, &row.name, Side::Stock).display());
        println!("  {}", ptx_path(args, &row.name, Side::Plugin).display());
    }
    println!();
    println!("{}", main_table(&rows));
    println!("{LEGEND}");
    println!();
    println!("Virtual registers by class:");
    println!("{}", class_table(&rows));
    print_notes(args, cuda.as_ref(), &rows);
    if let Some(path) = &args.json {
        write_json(path, &rows)?;
    }
    let failed = rows.iter().any(|row| row.failed);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

const LEGEND: &str = "\
moves: all mov instructions; reg-reg: between registers; imm: of a constant; bits: between integer and float registers;
pack: to or from a wide register; vregs: virtual registers; ptxas: registers of the largest kernel; spill: bytes spilled
and reloaded; SASS: machine instructions without padding; all: ratio of sums, for ptxas and SASS the geometric mean";

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn ptx_path(args: &Args, name: &str, side: Side) -> PathBuf {
    args.out.join(match side {
        Side::Stock => format!("{name}.stock.ptx"),
        Side::Plugin => format!("{name}.ptx"),
    })
}

fn measure(llc: &Llc, cuda: Option<&Cuda>, args: &Args, file: &Path) -> Result<Row> {
    let mut row = Row {
        file: file.to_owned(),
        name: stem(file),
        stock: None,
        plugin: None,
        notes: Vec::new(),
        failed: false,
    };
    let mut flags = inputs::default_flags(file)?;
    flags.push(format!("-O{}", args.level));
    flags.push(file.to_string_lossy().into_owned());
    flags.extend(["-o".to_owned(), "-".to_owned()]);
    for side in [Side::Stock, Side::Plugin] {
        let numbers = match llc.compile(side, &flags) {
            Ok(ptx) => {
                let path = ptx_path(args, &row.name, side);
                fs::write(&path, &ptx).with_context(|| format!("cannot write {}", path.display()))?;
                let ptx = String::from_utf8_lossy(&ptx);
                let stats = ptx::analyse(&ptx);
                if cuda.is_some() && side == Side::Plugin {
                    row.notes.extend(ptxas::debug_note(&row.name, &ptx));
                }
                let ptxas = match (cuda, &stats.target) {
                    (Some(cuda), Some(target)) => match cuda.assemble(&ptx, target)? {
                        Ok(usage) => Some(usage),
                        Err(complaint) => {
                            row.notes.push(format!("{} ({side}): {complaint}", row.name));
                            None
                        }
                    },
                    _ => None,
                };
                Some(Numbers { ptx: stats, ptxas })
            }
            Err(error) => {
                row.notes.push(format!("{} ({side}): llc failed: {error:#}", row.name));
                row.failed = true;
                None
            }
        };
        match side {
            Side::Stock => row.stock = numbers,
            Side::Plugin => row.plugin = numbers,
        }
    }
    Ok(row)
}

/// How the lines of several files are put together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Together {
    Sum,
    /// Only a mean ratio makes sense.
    MeanRatio,
}

type Getter = fn(&Numbers) -> Option<u64>;

/// The columns of the main table.
const COLUMNS: [(&str, Together, Getter); 10] = [
    ("instr", Together::Sum, |n| Some(n.ptx.instructions)),
    ("moves", Together::Sum, |n| Some(n.ptx.moves.total())),
    ("reg-reg", Together::Sum, |n| Some(n.ptx.moves.register)),
    ("imm", Together::Sum, |n| Some(n.ptx.moves.immediate)),
    ("bits", Together::Sum, |n| Some(n.ptx.moves.bit_cast)),
    ("pack", Together::Sum, |n| Some(n.ptx.moves.pack + n.ptx.moves.unpack)),
    ("vregs", Together::Sum, |n| Some(n.ptx.register_total())),
    ("ptxas", Together::MeanRatio, |n| n.ptxas.as_ref().map(|u| u.registers)),
    ("spill", Together::Sum, |n| n.ptxas.as_ref().map(|u| u.spill_bytes)),
    ("SASS", Together::MeanRatio, |n| n.ptxas.as_ref().and_then(|u| u.sass)),
];

fn main_table(rows: &[Row]) -> comfy_table::Table {
    let header: Vec<&str> = std::iter::once("kernel").chain(COLUMNS.iter().map(|c| c.0)).collect();
    let mut table = text::table(&header, 1);
    for row in rows {
        add_group(&mut table, &row.name, |column| pair(row, COLUMNS[column].2));
    }
    if rows.len() > 1 {
        add_all(&mut table, rows);
    }
    table
}

/// The lines for all kernels together; a column counts those kernels that have a value on both sides.
fn add_all(table: &mut comfy_table::Table, rows: &[Row]) {
    let mut lines = ["  stock", "  ptxpasses", "  ratio"].map(|label| vec![label.to_owned()]);
    for (_, together, get) in COLUMNS {
        let pairs: Vec<(u64, u64)> = rows.iter().filter_map(|row| pair(row, get)).collect();
        let old: u64 = pairs.iter().map(|p| p.0).sum();
        let new: u64 = pairs.iter().map(|p| p.1).sum();
        let cells = match together {
            _ if pairs.is_empty() => ["-", "-", "-"].map(str::to_owned),
            Together::Sum => [thousands(old), thousands(new), ratio(old as f64, new as f64)],
            Together::MeanRatio => [String::new(), String::new(), ratio(1.0, mean_ratio(&pairs))],
        };
        for (line, cell) in lines.iter_mut().zip(cells) {
            line.push(cell);
        }
    }
    table.add_row(vec!["all"]);
    for line in lines {
        table.add_row(line);
    }
}

/// Geometric mean of new/old; pairs with a zero say nothing about a factor.
fn mean_ratio(pairs: &[(u64, u64)]) -> f64 {
    let logs: Vec<f64> = pairs
        .iter()
        .filter(|(old, new)| *old > 0 && *new > 0)
        .map(|(old, new)| (*new as f64 / *old as f64).ln())
        .collect();
    if logs.is_empty() {
        1.0
    } else {
        (logs.iter().sum::<f64>() / logs.len() as f64).exp()
    }
}

fn pair(row: &Row, get: Getter) -> Option<(u64, u64)> {
    Some((get(row.stock.as_ref()?)?, get(row.plugin.as_ref()?)?))
}

/// The lines stock, ptxpasses and ratio of one kernel.
fn add_group(table: &mut comfy_table::Table, name: &str, value: impl Fn(usize) -> Option<(u64, u64)>) {
    let columns = table.column_count() - 1;
    let line = |label: &str, show: fn((u64, u64)) -> String| {
        let cells = (0..columns).map(|column| value(column).map_or_else(|| "-".to_owned(), show));
        std::iter::once(label.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    table.add_row(vec![name]);
    table.add_row(line("  stock", |(old, _)| thousands(old)));
    table.add_row(line("  ptxpasses", |(_, new)| thousands(new)));
    table.add_row(line("  ratio", |(old, new)| ratio(old as f64, new as f64)));
}

fn class_table(rows: &[Row]) -> comfy_table::Table {
    let sides = |row: &'_ Row| [row.stock.clone(), row.plugin.clone()];
    let classes: BTreeSet<String> =
        rows.iter().flat_map(sides).flatten().flat_map(|numbers| numbers.ptx.registers.into_keys()).collect();
    let header: Vec<&str> = std::iter::once("kernel").chain(classes.iter().map(String::as_str)).collect();
    let mut table = text::table(&header, 1);
    let count = |registers: &BTreeMap<String, u64>, class: &str| registers.get(class).copied().unwrap_or(0);
    let classes: Vec<String> = classes.into_iter().collect();
    for row in rows {
        add_group(&mut table, &row.name, |column| {
            let class = &classes[column];
            let (stock, plugin) = (row.stock.as_ref()?, row.plugin.as_ref()?);
            Some((count(&stock.ptx.registers, class), count(&plugin.ptx.registers, class)))
        });
    }
    table
}

fn print_notes(args: &Args, cuda: Option<&Cuda>, rows: &[Row]) {
    let mut notes = Vec::new();
    match (cuda, &args.cuda) {
        (Some(cuda), _) if !cuda.has_disassembler() => {
            notes.push(
                "SASS is not counted: no nvdisasm or cuobjdump beside ptxas; run scripts/setup cuda"
                    .to_owned(),
            );
        }
        (Some(_), _) => {}
        (None, Some(dir)) => notes.push(format!(
            "the columns ptxas, spill and SASS are empty: no ptxas in {}; run scripts/setup cuda",
            dir.join("bin").display()
        )),
        (None, None) => notes.push(
            "the columns ptxas, spill and SASS are empty without NVIDIA's tools: run scripts/setup cuda, then give --cuda build/cuda"
                .to_owned(),
        ),
    }
    notes.extend(rows.iter().flat_map(|row| row.notes.iter().cloned()));
    if !notes.is_empty() {
        println!("\nNotes:");
        for note in notes {
            println!("* {note}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(stock: u64, plugin: u64) -> Row {
        let side = |registers| Numbers {
            ptx: Stats {
                registers: BTreeMap::from([("b32".to_owned(), registers)]),
                instructions: 1_000_000,
                ..Stats::default()
            },
            ptxas: None,
        };
        Row {
            file: "k.ll".into(),
            name: "triton_matmul_fp16_128x256x64_sm90".to_owned(),
            stock: Some(side(stock)),
            plugin: Some(side(plugin)),
            notes: Vec::new(),
            failed: false,
        }
    }

    #[test]
    fn fits_in_the_width() {
        let table = main_table(&[row(20_000, 15_000), row(3, 3)]).to_string();
        assert!(table.lines().all(|line| line.len() <= usize::from(text::WIDTH)), "{table}");
        assert!(table.contains("1,000,000") && table.contains("0.75") && table.contains("same"), "{table}");
    }

    #[test]
    fn classes() {
        let table = class_table(&[row(4, 2)]).to_string();
        assert!(table.contains("b32") && table.contains("0.50"), "{table}");
    }

    #[test]
    fn mean_of_ratios() {
        assert!((mean_ratio(&[(100, 200), (100, 50), (0, 7)]) - 1.0).abs() < 1e-12);
        assert!((mean_ratio(&[]) - 1.0).abs() < 1e-12);
    }
}
