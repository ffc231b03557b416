//! `sass`: runs the machine code that ptxas makes of a PTX text, and compares memory with what the PTX leaves.
//!
//! **Problem.** PTX that is right may become wrong code in ptxas, and nobody sees it without a GPU.
//!
//! **Method.** Each kernel is launched twice: by the emulator of PTX, and by that of SASS, with the same memory before. Bytes that the PTX
//! leaves undefined are not compared. Launches are given, or made up as `equal --grid` makes them up. The two emulators share no code, so
//! a difference is a fault of one of them, or of ptxas.
//!
//! **Deviation.** Kernels that end in a trap, wait without end, or hold an instruction that one emulator does not know are counted
//! by their reason, not compared.
//!
//! **Complexity.** Linear in the instructions that both run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail, Context, Result};
use ptx_emu::grid::block::{self, Program, Undefined};
use ptx_emu::grid::launch::{Launch, Size, EDGES, VARIANTS};
use ptx_emu::grid::memory::Memory;
use ptx_emu::grid::Approximation;
use sass_emu::cubin::Cubin;
use sass_emu::instruction::disassemble;
use sass_emu::{grid, memory};

use crate::places;
use crate::progress::Progress;
use crate::ptxas::Cuda;
use crate::text::{counted, thousands};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// PTX, as llc writes it
    #[arg(value_name = "PTX", required = true)]
    ptx: Vec<PathBuf>,
    /// Launches, instead of made-up ones; docs/comparing.md says how they are written
    #[arg(long, value_name = "FILE")]
    launch: Vec<PathBuf>,
    /// Processor that ptxas compiles for [default: the PTX' own target]
    #[arg(long, value_name = "CPU")]
    gpu: Option<String>,
    /// Directory with bin/ptxas and bin/nvdisasm [default: build/cuda, else a CUDA toolkit]
    #[arg(long, value_name = "DIR")]
    cuda: Option<PathBuf>,
    /// Optimisation level of ptxas
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(0..=3))]
    level: u8,
    /// Instructions that the threads of a launch may execute
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    budget: u64,
    /// Name each kernel with its launches, and why one was not compared
    #[arg(long, short)]
    verbose: bool,
}

/// All that was compared.
#[derive(Default)]
struct Tally {
    kernels: u64,
    kernels_not_compared: u64,
    launches: u64,
    bytes: u64,
    /// Instructions that threads of the PTX, and warps of the SASS, have run.
    executed: [u64; 2],
    reasons: BTreeMap<String, u64>,
    different: Vec<String>,
}

/// The answer of one launch.
enum Seen {
    Same { bytes: u64, executed: [u64; 2] },
    NotCompared(String),
    Different(String),
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = args.cuda.clone().unwrap_or_else(places::ptxas);
    let cuda = Cuda::find(&folder).filter(|cuda| cuda.nvdisasm().is_file()).ok_or_else(|| {
        anyhow!("there is no bin/ptxas with bin/nvdisasm in {}; --cuda names their folder", folder.display())
    })?;
    let launches =
        args.launch.iter().map(|path| Launch::read_file(path)).collect::<Result<Vec<_>>>()?.concat();
    let mut tally = Tally::default();
    let progress = Progress::with_bad_word("run", args.ptx.len(), "different");
    for path in &args.ptx {
        one_file(args, path, &cuda, &launches, &mut tally).with_context(|| path.display().to_string())?;
        progress.step(!tally.different.is_empty());
    }
    drop(progress);
    for (reason, count) in &tally.reasons {
        println!("not compared: {count:>5}  {reason}");
    }
    tally.different.iter().for_each(|different| println!("DIFFERENT {different}"));
    println!(
        "{} compared, {} not; {}, {} bytes; {} instructions of threads in PTX, {} of warps in SASS; {} different",
        counted(tally.kernels as usize, "kernel"),
        tally.kernels_not_compared,
        counted(tally.launches as usize, "launch"),
        thousands(tally.bytes),
        thousands(tally.executed[0]),
        thousands(tally.executed[1]),
        tally.different.len()
    );
    if tally.kernels == 0 {
        bail!("no kernel was compared");
    }
    // Who gives launches wants each of them compared.
    let is_left_out = !launches.is_empty() && !tally.reasons.is_empty();
    Ok(if tally.different.is_empty() && !is_left_out { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one_file(args: &Args, path: &Path, cuda: &Cuda, given: &[Launch], tally: &mut Tally) -> Result<()> {
    let text = std::fs::read_to_string(path).context("cannot read it")?;
    let program = Program::with(&text, Approximation::Value).map_err(|why| anyhow!(why))?;
    let folder = tempfile::tempdir().context("temporary directory")?;
    let target = ptx_emu::ptx::analyse(&text).target;
    let gpu = args.gpu.clone().or(target).ok_or_else(|| anyhow!("it has no .target; --gpu names one"))?;
    let level = format!("-O{}", args.level);
    let file = cuda.cubin(folder.path(), &text, &gpu, &[&level, "-fmad=false"])?;
    let file = file.map_err(|complaint| anyhow!("ptxas -arch {gpu}: {complaint}"))?;
    let bytes = std::fs::read(&file).context("cannot read the cubin")?;
    let cubin = Cubin::read_placed(&bytes, |name| program.image.address(name))?;
    let listing = disassemble(&cuda.nvdisasm(), &file, &cubin)?;
    for name in program.kernels() {
        let named = format!("{}: {name}", path.display());
        let code = listing.get(name).ok_or_else(|| anyhow!("the cubin has no code of {name}"))?;
        let sass = grid::Program::new(&cubin, cubin.kernel(name)?, code);
        let own: Vec<&Launch> = given.iter().filter(|launch| launch.kernel == name).collect();
        if own.is_empty() && !given.is_empty() {
            continue;
        }
        let made_up = |variant| {
            let size = if variant < VARIANTS { Size::Usual } else { Size::Small };
            Launch::make_up([&program, &program], name, variant, size)
        };
        let launches: Vec<Result<Launch, String>> = if own.is_empty() {
            (0..VARIANTS + EDGES).map(made_up).collect()
        } else {
            own.into_iter().cloned().map(Ok).collect()
        };
        let mut is_compared = false;
        for (number, launch) in launches.into_iter().enumerate() {
            let seen = match launch {
                Ok(launch) => one_launch(&program, &sass, &launch, args.budget),
                Err(why) => Seen::NotCompared(why),
            };
            match seen {
                Seen::Same { bytes, executed } => {
                    is_compared = true;
                    tally.launches += 1;
                    tally.bytes += bytes;
                    tally.executed = std::array::from_fn(|at| tally.executed[at] + executed[at]);
                }
                Seen::NotCompared(why) => {
                    if args.verbose {
                        println!("{named}: launch {number}: not compared: {why}");
                    }
                    *tally.reasons.entry(why).or_default() += 1;
                }
                Seen::Different(why) => {
                    is_compared = true;
                    tally.launches += 1;
                    tally.different.push(format!("{named}: launch {number}: {why}"));
                }
            }
        }
        if args.verbose && is_compared {
            println!("{named}: compared");
        }
        *(if is_compared { &mut tally.kernels } else { &mut tally.kernels_not_compared }) += 1;
    }
    Ok(())
}

fn one_launch(ptx: &Program, sass: &grid::Program, launch: &Launch, budget: u64) -> Seen {
    let outcome = match block::run(ptx, launch, Undefined::Tracked, budget) {
        Ok(outcome) => outcome,
        Err(why) => return Seen::NotCompared(format!("PTX: {why}")),
    };
    if let Some(stop) = outcome.stop {
        return Seen::NotCompared(format!("PTX: {}", without_place(&stop.to_string())));
    }
    if outcome.partial > 0 {
        return Seen::NotCompared("PTX: lanes wait for others that never come".to_owned());
    }
    let head = ptx.image.function(&launch.kernel).map(|number| &ptx.image.heads[number]);
    let before = block::initial(ptx, launch).and_then(|(global, _)| {
        let head = head.ok_or_else(|| format!("there is no kernel {}", launch.kernel))?;
        Ok((RefCell::new(global), launch.parameters(head)?))
    });
    let (before, parameters) = match before {
        Ok(before) => before,
        Err(why) => return Seen::NotCompared(why),
    };
    let content = |address: u64, page: &mut [u8]| {
        let mut before = before.borrow_mut();
        for (at, bytes) in page.chunks_exact_mut(8).enumerate() {
            bytes.copy_from_slice(&before.read(address + 8 * at as u64, 8).0.to_le_bytes());
        }
    };
    let own =
        grid::Launch { grid: launch.grid, block: launch.block, shared: launch.shared, parameters, budget };
    let mut run = grid::run(sass, &own, memory::Memory::new(content), ());
    if let Some(stop) = run.stop {
        return match stop {
            grid::Stop::Unknown(unknown) => {
                Seen::NotCompared(format!("SASS: {} is not known: {}", unknown.opcode, unknown.why))
            }
            grid::Stop::Budget => Seen::NotCompared("SASS: the budget of instructions is used up".to_owned()),
            stop => Seen::Different(format!("the SASS does not end: {stop}")),
        };
    }
    let mut after = outcome.global;
    let written = after.written();
    let mut bytes = 0;
    for &(address, wanted, is_undefined) in &written {
        if is_undefined {
            continue;
        }
        bytes += 1;
        let byte = run.global.read(address, 1) as u8;
        if byte != wanted && !are_numbers_missing(&mut run.global, &mut after, address) {
            let place = place(launch, address);
            return Seen::Different(format!("{place} is {byte:#04x} by the SASS, {wanted:#04x} by the PTX"));
        }
    }
    for (address, byte) in run.global.written() {
        let is_ptx = written.binary_search_by_key(&address, |byte| byte.0).is_ok();
        if !is_ptx && before.borrow_mut().read(address, 1).0 as u8 != byte {
            return Seen::Different(format!("{} is written by the SASS alone", place(launch, address)));
        }
    }
    Seen::Same { bytes, executed: [outcome.executed, run.executed] }
}

/// Whether both sides hold a NaN of double precision here. Neither PTX nor IEEE 754 says which bits it has, and ptxas' code for divisions
/// and roots writes others than the unit does.
fn are_numbers_missing(sass: &mut memory::Memory, ptx: &mut Memory, address: u64) -> bool {
    let place = address & !7;
    [sass.read(place, 8), ptx.read(place, 8).0].iter().all(|&bits| f64::from_bits(bits).is_nan())
}

/// A reason without the line that it names, so that equal ones are counted together.
fn without_place(why: &str) -> &str {
    match why.split_once(": ") {
        Some((place, why)) if place.starts_with("line ") => why,
        _ => why,
    }
}

/// The place of an address: a buffer and the byte in it.
fn place(launch: &Launch, address: u64) -> String {
    let buffers = launch.buffers().enumerate();
    let found = buffers.filter(|(_, buffer)| buffer.address <= address).last();
    match found {
        Some((number, buffer)) if address - buffer.address < 1 << 32 => {
            format!("byte {} of buffer {number}", address - buffer.address)
        }
        _ => format!("the byte at {address:#x}"),
    }
}
