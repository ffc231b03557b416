//! `bench quality`: what ptxas makes of both sides, kernel by kernel.
//!
//! Registers, spills and SASS instructions are what the passes are judged by; moves and virtual registers in
//! the PTX are shown beside them. Every file is compiled by each llc without and with the plugin. A kernel
//! that ptxas takes from stock and not from the plugin, or that spills more, is a failure; so that nothing
//! hides in a mean, the kernels that are worse are named.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde::Serialize;

use crate::inputs::{self, Target, NEWER_CPUS};
use crate::llc::{complaint, shell_words, Exit, Llc, Side, Tools, Words};
use crate::parity::write_json;
use crate::progress::Progress;
use crate::ptx::{self, Stats};
use crate::ptxas::{self, Cached, CachedArgs, KernelUsage};
use crate::text::{self, counted, thousands};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// The llc to run; may be given several times, one a version
    #[arg(long, value_name = "LLC", required = true)]
    llc: Vec<PathBuf>,
    /// The plugin that one side loads
    #[arg(long, value_name = "SO")]
    plugin: PathBuf,
    /// The plugin's own options
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, value_parser = shell_words, default_value = "")]
    plugin_args: Words,
    /// Flags for both sides
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true, value_parser = shell_words, default_value = "")]
    extra: Words,
    /// Compile for this processor, whatever the file says
    #[arg(long, value_name = "CPU")]
    mcpu: Option<String>,
    /// Compile for N registers a thread: -maxreg for the plugin, -maxrregcount for ptxas on both sides
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    maxreg: Option<u32>,
    #[command(flatten)]
    cuda: CachedArgs,
    /// A line for every kernel, not for every file
    #[arg(long)]
    kernels: bool,
    /// Write the numbers of every kernel to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Optimisation level
    #[arg(short = 'O', value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    level: u8,
    /// Stop an llc that runs longer than this
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    timeout: u64,
    /// Kernels (.ll, .mir, .bc), or directories with kernels
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// One side of one kernel.
#[derive(Clone, Debug, Default, Serialize)]
struct Numbers {
    registers: u64,
    stack: u64,
    spill_stores: u64,
    spill_loads: u64,
    sass: u64,
    /// Moves between registers.
    moves: u64,
    /// Moves of constants.
    immediates: u64,
    all_moves: u64,
    instructions: u64,
    virtual_registers: u64,
}

impl Numbers {
    fn of(usage: &KernelUsage, ptx: &Stats) -> Self {
        Numbers {
            registers: usage.registers,
            stack: usage.stack,
            spill_stores: usage.spill_stores,
            spill_loads: usage.spill_loads,
            sass: usage.sass.unwrap_or(0),
            moves: ptx.moves.register,
            immediates: ptx.moves.immediate,
            all_moves: ptx.moves.total(),
            instructions: ptx.instructions,
            virtual_registers: ptx.register_total(),
        }
    }
    fn spills(&self) -> u64 {
        self.spill_stores + self.spill_loads
    }
}

/// Both sides of one kernel that ptxas takes from both.
#[derive(Clone, Debug, Default, Serialize)]
struct Kernel {
    file: String,
    name: String,
    /// It has mma or wgmma instructions.
    tensor_core: bool,
    stock: Numbers,
    ours: Numbers,
}

impl Kernel {
    fn label(&self) -> String {
        if self.file.contains(&self.name) || self.name.contains(&self.file) {
            self.file.clone()
        } else {
            format!("{}: {}", self.file, self.name)
        }
    }
}

/// What there is for one LLVM version.
#[derive(Debug, Default, Serialize)]
struct Report {
    llvm: String,
    kernels: Vec<Kernel>,
    /// ptxas takes stock's PTX and not ours, or llc fails with the plugin: file and complaint.
    rejected: Vec<(String, String)>,
    /// There is nothing to compare with: llc alone, or ptxas on its output, fails.
    unusable: Vec<(String, String)>,
}

/// One side of a file.
enum Outcome {
    Fine(Vec<(String, bool, Numbers)>),
    Failed(String),
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let ptxas = Cached::open(&args.cuda, args.maxreg)?;
    let files = inputs::discover(&args.files)?;
    let hosts = args.llc.iter().map(|llc| host(args, llc)).collect::<Result<Vec<_>>>()?;

    let progress = Progress::new("bench quality", 2 * files.len() * hosts.len());
    let mut reports = Vec::new();
    for llc in &hosts {
        let outcomes = files
            .par_iter()
            .map(|file| {
                let side = |side| -> Result<Outcome> {
                    let outcome = measure(llc, side, &ptxas, args, file)?;
                    progress.step(matches!(outcome, Outcome::Failed(_)));
                    Ok(outcome)
                };
                Ok((stem(file), side(Side::Stock)?, side(Side::Plugin)?))
            })
            .collect::<Result<Vec<_>>>()?;
        reports.push(Report::new(llc.version.clone(), outcomes));
    }
    progress.finish();
    for report in &reports {
        let limit = args.maxreg.map_or(String::new(), |n| format!(", {n} registers"));
        println!("{}, -O{}, {}{limit}:", report.llvm, args.level, ptxas.version);
        report.print(args.kernels);
    }
    if let Some(path) = &args.json {
        write_json(path, &reports)?;
    }
    Ok(if reports.iter().all(Report::is_fine) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn host(args: &Args, llc: &Path) -> Result<Llc> {
    let mut plugin_args = args.plugin_args.clone();
    plugin_args.0.extend(args.maxreg.map(|n| format!("-maxreg={n}")));
    let tools = Tools {
        llc: llc.to_owned(),
        plugin: args.plugin.clone(),
        plugin_args,
        llvm: None,
        extra: args.extra.clone(),
        timeout: args.timeout,
    };
    let llc = Llc::new(&tools)?;
    // llc goes on without a plugin that it cannot load; then there would be nothing to measure.
    llc.rust_passes()?;
    Ok(llc)
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compiles a file and asks ptxas; the inner error is one line. None as processor: the file's own.
fn compile(
    llc: &Llc,
    side: Side,
    ptxas: &Cached,
    level: u8,
    file: &Path,
    cpu: Option<&str>,
) -> Result<Result<(String, ptxas::Usage), String>> {
    let mut flags = inputs::default_flags(file)?;
    if let Some(cpu) = cpu {
        flags.retain(|flag| !flag.starts_with("-mcpu="));
        flags.push(format!("-mcpu={cpu}"));
    }
    flags.push(format!("-O{level}"));
    flags.push(file.to_string_lossy().into_owned());
    flags.extend(["-o".to_owned(), "-".to_owned()]);
    let output = llc.execute(&llc.command_line(side, &flags))?;
    if output.exit != Exit::Code(0) {
        let words = String::from_utf8_lossy(&output.stderr);
        return Ok(Err(format!("llc: {}", complaint(output.exit, &words))));
    }
    let ptx = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some(target) = ptx::analyse(&ptx).target else {
        return Ok(Err("the output has no .target".to_owned()));
    };
    Ok(ptxas.assemble(&ptx, &target)?.map(|usage| (ptx, usage)))
}

fn measure(llc: &Llc, side: Side, ptxas: &Cached, args: &Args, file: &Path) -> Result<Outcome> {
    let compile = |side, cpu| compile(llc, side, ptxas, args.level, file, cpu);
    let (ptx, usage) = match compile(side, args.mcpu.as_deref())? {
        Ok(compiled) => compiled,
        Err(mut complaint) => {
            let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            let names_one = Target::of(&String::from_utf8_lossy(&bytes)).cpu.is_some();
            for cpu in NEWER_CPUS.into_iter().filter(|_| args.mcpu.is_none() && !names_one) {
                if compile(Side::Stock, Some(cpu))?.is_ok() {
                    complaint.push_str(&format!(" (it names no target-cpu: give --mcpu={cpu})"));
                    break;
                }
            }
            return Ok(Outcome::Failed(complaint));
        }
    };
    let texts: BTreeMap<&str, &str> = ptx::kernels(&ptx).into_iter().collect();
    let kernel = |usage: &KernelUsage| {
        let text = texts.get(usage.name.as_str()).copied().unwrap_or("");
        (usage.name.clone(), uses_tensor_cores(text), Numbers::of(usage, &ptx::analyse(text)))
    };
    Ok(Outcome::Fine(usage.kernels.iter().map(kernel).collect()))
}

fn uses_tensor_cores(ptx: &str) -> bool {
    ["mma.sync", "wgmma.mma_async", "tcgen05.mma"].iter().any(|name| ptx.contains(name))
}

impl Report {
    fn new(llvm: String, files: Vec<(String, Outcome, Outcome)>) -> Self {
        let mut report = Report { llvm, ..Report::default() };
        for (file, stock, ours) in files {
            match (stock, ours) {
                (Outcome::Failed(why), _) => report.unusable.push((file, why)),
                (_, Outcome::Failed(why)) => report.rejected.push((file, why)),
                (Outcome::Fine(stock), Outcome::Fine(ours)) => {
                    let mut ours: BTreeMap<_, _> = ours.into_iter().map(|k| (k.0, k.2)).collect();
                    for (name, tensor_core, stock) in stock {
                        match ours.remove(&name) {
                            Some(ours) => {
                                let file = file.clone();
                                report.kernels.push(Kernel { file, name, tensor_core, stock, ours });
                            }
                            None => report.rejected.push((file.clone(), format!("kernel {name} is missing"))),
                        }
                    }
                }
            }
        }
        report
    }

    /// No kernel is lost, none spills more.
    fn is_fine(&self) -> bool {
        self.rejected.is_empty() && self.kernels.iter().all(|k| k.ours.spills() <= k.stock.spills())
    }

    fn print(&self, by_kernel: bool) {
        let groups = if by_kernel {
            each(&self.kernels, Kernel::label)
        } else {
            each(&self.kernels, |k| k.file.clone())
        };
        println!("{}", lines(&groups));
        println!("{LEGEND}\n");
        println!("{}", totals(&self.kernels));
        println!("{}", self.notes());
    }

    fn notes(&self) -> String {
        let mut notes = Vec::new();
        for (file, why) in &self.rejected {
            notes.push(format!("rejected: {file}: {why}"));
        }
        for (file, why) in &self.unusable {
            notes.push(format!("not compared, as stock's own is rejected: {file}: {why}"));
        }
        for k in self.kernels.iter().filter(|k| k.ours.spills() > k.stock.spills()) {
            notes.push(format!(
                "spills more: {}: {} -> {} bytes",
                k.label(),
                k.stock.spills(),
                k.ours.spills()
            ));
        }
        for k in self.kernels.iter().filter(|k| k.ours.registers > k.stock.registers + 1) {
            notes.push(format!(
                "more registers: {}: {} -> {}",
                k.label(),
                k.stock.registers,
                k.ours.registers
            ));
        }
        for k in self.kernels.iter().filter(|k| 100 * k.ours.sass > 101 * k.stock.sass) {
            notes.push(format!("more SASS: {}: {} -> {}", k.label(), k.stock.sass, k.ours.sass));
        }
        notes.push(format!(
            "{} rejected by ptxas from ours, {} from stock",
            counted(self.rejected.len(), "file"),
            self.unusable.len()
        ));
        notes.iter().map(|note| format!("* {note}\n")).collect()
    }
}

const LEGEND: &str = "\
stock > ptxpasses. regs: registers (of a file: of its largest kernel); spill: bytes spilled and reloaded; SASS: machine
instructions without padding; reg-reg, imm, moves: mov between registers, of a constant, all; vregs: virtual registers";

/// Kernels under one label, in their order.
fn each(kernels: &[Kernel], label: impl Fn(&Kernel) -> String) -> Vec<(String, Vec<&Kernel>)> {
    let mut groups: Vec<(String, Vec<&Kernel>)> = Vec::new();
    for kernel in kernels {
        let label = label(kernel);
        match groups.last_mut().filter(|group| group.0 == label) {
            Some(group) => group.1.push(kernel),
            None => groups.push((label, vec![kernel])),
        }
    }
    groups
}

type Getter = fn(&Numbers) -> u64;

const COLUMNS: [(&str, Getter); 9] = [
    ("regs", |n| n.registers),
    ("spill", Numbers::spills),
    ("stack", |n| n.stack),
    ("SASS", |n| n.sass),
    ("reg-reg", |n| n.moves),
    ("imm", |n| n.immediates),
    ("moves", |n| n.all_moves),
    ("instr", |n| n.instructions),
    ("vregs", |n| n.virtual_registers),
];

fn lines(groups: &[(String, Vec<&Kernel>)]) -> comfy_table::Table {
    let header: Vec<&str> = std::iter::once("kernel").chain(COLUMNS.iter().map(|c| c.0)).collect();
    let mut table = text::table(&header, 1);
    for (label, kernels) in groups {
        let mut line = vec![label.clone()];
        for (name, get) in COLUMNS {
            let whole = |side: fn(&Kernel) -> &Numbers| {
                let numbers = kernels.iter().map(|k| get(side(k)));
                if name == "regs" {
                    numbers.max().unwrap_or(0)
                } else {
                    numbers.sum()
                }
            };
            let (stock, ours) = (whole(|k| &k.stock), whole(|k| &k.ours));
            line.push(if stock == ours { stock.to_string() } else { format!("{stock} > {ours}") });
        }
        table.add_row(line);
    }
    table
}

/// The geometric mean of ours/stock, and over how many kernels; those with a zero say nothing.
fn geomean<'a>(kernels: impl Iterator<Item = &'a Kernel>, get: Getter) -> (f64, usize) {
    let logs: Vec<f64> = kernels
        .map(|k| (get(&k.stock), get(&k.ours)))
        .filter(|&(stock, ours)| stock > 0 && ours > 0)
        .map(|(stock, ours)| (ours as f64 / stock as f64).ln())
        .collect();
    ((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp(), logs.len())
}

/// The kernel with the largest ratio.
fn worst(kernels: &[Kernel], get: Getter) -> Option<(&Kernel, f64)> {
    let ratio = |k: &Kernel| get(&k.ours) as f64 / get(&k.stock).max(1) as f64;
    kernels.iter().map(|k| (k, ratio(k))).max_by(|a, b| a.1.total_cmp(&b.1))
}

const MANY_REGISTERS: u64 = 40;

fn totals(kernels: &[Kernel]) -> comfy_table::Table {
    let mut table = text::table(&["all kernels", "stock", "ptxpasses", "ratio"], 1);
    let registers: Getter = |n| n.registers;
    let sass: Getter = |n| n.sass;
    let mut mean = |label: &str, (ratio, count): (f64, usize)| {
        let label = format!("{label}, geometric mean over {count}");
        table.add_row(vec![label, String::new(), String::new(), format!("{ratio:.4}")]);
    };
    mean("registers", geomean(kernels.iter(), registers));
    let many = kernels.iter().filter(|k| k.stock.registers >= MANY_REGISTERS);
    mean("registers, kernels of 40 or more", geomean(many, registers));
    mean("registers, tensor-core kernels", geomean(kernels.iter().filter(|k| k.tensor_core), registers));
    mean("SASS", geomean(kernels.iter(), sass));
    mean("SASS, tensor-core kernels", geomean(kernels.iter().filter(|k| k.tensor_core), sass));
    for (name, get) in COLUMNS.iter().skip(1) {
        let (stock, ours): (u64, u64) =
            (kernels.iter().map(|k| get(&k.stock)).sum(), kernels.iter().map(|k| get(&k.ours)).sum());
        let ratio = if stock > 0 { format!("{:.4}", ours as f64 / stock as f64) } else { "-".to_owned() };
        table.add_row(vec![format!("{name}, sum"), thousands(stock), thousands(ours), ratio]);
    }
    for (label, get) in [("registers", registers), ("SASS", sass)] {
        if let Some((k, ratio)) = worst(kernels, get) {
            let cell = |n: &Numbers| thousands(get(n));
            let label = format!("worst in {label}: {}", k.label());
            table.add_row(vec![label, cell(&k.stock), cell(&k.ours), format!("{ratio:.4}")]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(registers: u64, sass: u64, spill_loads: u64) -> Numbers {
        Numbers { registers, sass, spill_loads, ..Numbers::default() }
    }

    fn kernel(name: &str, stock: Numbers, ours: Numbers) -> Kernel {
        Kernel { file: "f".into(), name: name.into(), tensor_core: false, stock, ours }
    }

    #[test]
    fn means_leave_zeros_out() {
        let kernels = [
            kernel("a", numbers(100, 1, 0), numbers(200, 1, 0)),
            kernel("b", numbers(100, 1, 0), numbers(50, 1, 0)),
            kernel("c", numbers(0, 1, 0), numbers(7, 1, 0)),
        ];
        let (mean, count) = geomean(kernels.iter(), |n| n.registers);
        assert!((mean - 1.0).abs() < 1e-12 && count == 2);
        assert_eq!(worst(&kernels[..2], |n| n.registers).map(|w| w.0.name.as_str()), Some("a"));
    }

    #[test]
    fn spills_and_lost_kernels_are_failures() {
        let fine = |name: &str, n: Numbers| (name.to_owned(), false, n);
        let report = |stock, ours| Report::new("llvm".into(), vec![("f".into(), stock, ours)]);
        let one = || Outcome::Fine(vec![fine("k", numbers(10, 5, 4))]);
        assert!(report(one(), one()).is_fine());
        assert!(!report(one(), Outcome::Failed("no".into())).is_fine());
        assert!(!report(one(), Outcome::Fine(Vec::new())).is_fine());
        assert!(!report(one(), Outcome::Fine(vec![fine("k", numbers(10, 5, 8))])).is_fine());
        let unusable = report(Outcome::Failed("no".into()), one());
        assert!(unusable.is_fine() && unusable.unusable.len() == 1);
    }

    #[test]
    fn what_is_worse_is_named() {
        let report = Report {
            kernels: vec![kernel("k", numbers(10, 100, 0), numbers(12, 102, 0))],
            ..Report::default()
        };
        let notes = report.notes();
        assert!(
            notes.contains("more registers: f: k: 10 -> 12") && notes.contains("more SASS: f: k: 100 -> 102")
        );
        assert!(notes.contains("0 files rejected"));
    }

    #[test]
    fn tables_fit_in_the_width() {
        let mut wide = kernel("k", numbers(255, 1_000_000, 20_000), numbers(254, 1_000_001, 0));
        wide.file = "triton_matmul_fp16_128x256x64_sm90".into();
        let groups = each(std::slice::from_ref(&wide), Kernel::label);
        for table in [lines(&groups).to_string(), totals(std::slice::from_ref(&wide)).to_string()] {
            assert!(table.lines().all(|line| line.len() <= usize::from(text::WIDTH)), "{table}");
        }
    }

    #[test]
    fn tensor_cores() {
        assert!(uses_tensor_cores("wgmma.mma_async.sync.aligned.m64n8k16"));
        assert!(uses_tensor_cores("wmma.mma.sync.aligned.row"));
        assert!(!uses_tensor_cores("fma.rn.f32"));
    }
}
