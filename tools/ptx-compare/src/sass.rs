//! `sass`: runs ptxas' machine code for a PTX text, and compares the memory that it leaves with the
//! PTX's.
//!
//! **Problem.** ptxas may make wrong code of correct PTX. Without a GPU that goes unnoticed.
//!
//! **Method.** Each kernel is launched twice: by the emulator of PTX, and by that of SASS, with the
//! same memory before. Bytes that the PTX leaves undefined are not compared. Launches are given, or
//! made up as in `equal --grid`. The two emulators share no code, so a difference is a fault of one
//! of them, or of ptxas.
//!
//! **Deviation.** A kernel is not compared, but counted by its reason, if it ends in a trap, waits
//! without end, or contains an instruction that one emulator does not know. Neither is a made-up launch
//! in which threads race, a parameter points to constant memory, or the SASS leaves shared memory.
//!
//! **Complexity.** Linear in the instructions that both run.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{anyhow, bail, Context, Result};
use ptx_emu::grid::block::{self, Program, Undefined};
use ptx_emu::grid::launch::{Launch, Size, EDGES, VARIANTS};
use ptx_emu::grid::memory::Memory;
use ptx_emu::grid::Approximation;
use sass_emu::cubin::Cubin;
use sass_emu::decode::Space;
use sass_emu::instruction::disassemble;
use sass_emu::{grid, memory};

use crate::inputs::{self, NO_KERNEL};
use crate::places;
use crate::progress::Progress;
use crate::ptxas::Cuda;
use crate::text::{counted, table_of_counts, thousands};

/// Bytes of dynamic shared memory of made-up launches. An access beyond them faults in SASS, but
/// not in PTX, whose memory can be read everywhere.
const SHARED: u64 = 160 << 10;

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

/// The options for running a text's machine code.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Optimisation level of ptxas.
    pub level: u8,
    /// Instructions that the threads of a launch may execute.
    pub budget: u64,
}

/// Everything that was compared.
#[derive(Default)]
pub struct Tally {
    pub kernels: u64,
    pub kernels_not_compared: u64,
    pub launches: u64,
    pub bytes: u64,
    /// Instructions that threads of the PTX, and warps of the SASS, have run.
    pub executed: [u64; 2],
    /// The seconds that the SASS emulator took.
    pub seconds: f64,
    pub reasons: BTreeMap<String, u64>,
    /// Instructions that the SASS emulator does not know, by opcode, even if they do not run.
    pub unknown: BTreeMap<String, u64>,
    /// The launches that differ: kernel, number, and how.
    pub different: Vec<(String, usize, String)>,
    /// Kernels that were compared, and launches that were not, with the reason.
    pub notes: Vec<String>,
}

impl Tally {
    /// Adds the counts of another text, without its differences and notes.
    pub fn add(&mut self, other: &Tally) {
        self.kernels += other.kernels;
        self.kernels_not_compared += other.kernels_not_compared;
        self.launches += other.launches;
        self.bytes += other.bytes;
        self.executed = std::array::from_fn(|at| self.executed[at] + other.executed[at]);
        self.seconds += other.seconds;
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += count;
        }
        for (opcode, count) in &other.unknown {
            *self.unknown.entry(opcode.clone()).or_default() += count;
        }
    }

    /// The counts in one line, without the differences.
    pub fn summary(&self) -> String {
        format!(
            "{} compared, {} not; {}, {} bytes; {} instructions of threads in PTX, {} of warps in SASS",
            counted(self.kernels as usize, "kernel"),
            self.kernels_not_compared,
            counted(self.launches as usize, "launch"),
            thousands(self.bytes),
            thousands(self.executed[0]),
            thousands(self.executed[1])
        )
    }
}

/// The result of one launch.
enum Seen {
    Same { bytes: u64, executed: [u64; 2] },
    NotCompared(String),
    Different(String),
}

/// Finds ptxas and nvdisasm in a folder.
pub fn tools(folder: &Path) -> Result<Cuda> {
    Cuda::find(folder).filter(|cuda| cuda.nvdisasm().is_file()).ok_or_else(|| {
        anyhow!("there is no bin/ptxas with bin/nvdisasm in {}: {}", folder.display(), places::ptxas_advice())
    })
}

/// The memory before a launch, for the emulator of SASS.
pub fn content(before: &RefCell<Memory>) -> impl Fn(u64, &mut [u8]) + '_ {
    |address, page| before.borrow().copy(address, page)
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let cuda = tools(&args.cuda.clone().map_or_else(places::ptxas, Ok)?)?;
    let launches = Launch::read_files(&args.launch)?;
    let options = Options { level: args.level, budget: args.budget };
    let mut tally = Tally::default();
    let progress = Progress::with_bad_word("run", args.ptx.len(), "different");
    for path in &args.ptx {
        let named = || path.display().to_string();
        let text = inputs::read_ptx(path)?;
        let target = ptx_emu::ptx::analyse(&text).target;
        let gpu = args.gpu.clone().or(target).context("it has no .target; --gpu names one");
        let own = gpu.and_then(|gpu| compare(&text, &gpu, &cuda, &launches, options)).with_context(named)?;
        tally.add(&own);
        if args.verbose {
            own.notes.iter().for_each(|note| println!("{}: {note}", path.display()));
        }
        for (kernel, launch, why) in own.different {
            tally.different.push((format!("{}: {kernel}", path.display()), launch, why));
        }
        progress.step(!tally.different.is_empty());
    }
    drop(progress);
    for (reason, count) in &tally.reasons {
        println!("not compared: {count:>5}  {reason}");
    }
    for (kernel, launch, why) in &tally.different {
        println!("DIFFERENT {kernel}: launch {launch}: {why}");
    }
    if args.verbose && !tally.unknown.is_empty() {
        println!(
            "{}",
            table_of_counts(&["instruction of SASS that is not known", "in the code"], &tally.unknown)
        );
    }
    if args.verbose && tally.seconds > 0.0 {
        let speed = tally.executed[1] as f64 / tally.seconds;
        println!("speed: {:.1} million instructions of warps in a second", speed / 1e6);
    }
    println!("{}; {} different", tally.summary(), tally.different.len());
    if tally.kernels + tally.kernels_not_compared == 0 && launches.is_empty() {
        bail!("no kernel was compared: {NO_KERNEL}");
    }
    if tally.kernels == 0 {
        bail!("no kernel was compared");
    }
    // A user who gives launches wants every one of them compared.
    let is_left_out = !launches.is_empty() && !tally.reasons.is_empty();
    Ok(if tally.different.is_empty() && !is_left_out { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Compares the kernels of a text with ptxas' machine code for a processor.
pub fn compare(text: &str, gpu: &str, cuda: &Cuda, given: &[Launch], options: Options) -> Result<Tally> {
    let program = Program::with(text, Approximation::Value)?;
    let folder = tempfile::tempdir().context("temporary directory")?;
    let level = format!("-O{}", options.level);
    let file = cuda.cubin(folder.path(), text, gpu, &[&level, "-fmad=false"])?;
    let file = file.map_err(|complaint| anyhow!("ptxas -arch {gpu}: {complaint}"))?;
    let bytes = std::fs::read(&file).context("cannot read the cubin")?;
    let cubin = Cubin::read_placed(&bytes, |name| program.image.address(name))?;
    let listing = disassemble(&cuda.nvdisasm(), &file, &cubin)?;
    let mut tally = Tally::default();
    for name in program.kernels() {
        let code = listing.get(name).ok_or_else(|| anyhow!("the cubin has no code of {name}"))?;
        let sass = grid::Program::new(&cubin, cubin.kernel(name)?, code);
        for unknown in sass.unknown() {
            *tally.unknown.entry(format!("{} {}", unknown.opcode, unknown.why)).or_default() += 1;
        }
        let own: Vec<&Launch> = given.iter().filter(|launch| launch.kernel == name).collect();
        if own.is_empty() && !given.is_empty() {
            continue;
        }
        let made_up = |variant| {
            let size = Size::of(variant);
            let launch = Launch::make_up([&program, &program], name, variant, size);
            launch.map(|launch| Launch { shared: SHARED, ..launch })
        };
        let is_made_up = own.is_empty();
        // No made-up address is one of constant memory.
        let head = program.image.function(name).map(|number| &program.image.heads[number]);
        let points_to_constant =
            head.is_some_and(|head| head.parameters.iter().any(|parameter| parameter.is_constant));
        let launches: Vec<Result<Launch, ptx_emu::Error>> = if is_made_up {
            (0..VARIANTS + EDGES).map(made_up).collect()
        } else {
            own.into_iter().cloned().map(Ok).collect()
        };
        let mut is_compared = false;
        for (number, launch) in launches.into_iter().enumerate() {
            let mut seen = match &launch {
                Ok(_) if is_made_up && points_to_constant => {
                    Seen::NotCompared("a parameter points to constant memory".to_owned())
                }
                Ok(launch) => one_launch(&program, &sass, launch, options.budget, &mut tally.seconds, ()).0,
                Err(why) => Seen::NotCompared(why.to_string()),
            };
            // The PTX reads and writes there: see `SHARED`.
            if matches!(&seen, Seen::Different(why) if is_made_up && why.contains("after the end of shared memory"))
            {
                seen = Seen::NotCompared("SASS: an access after the end of shared memory".to_owned());
            }
            if let (Seen::Different(_), Ok(launch), true) = (&seen, &launch, is_made_up) {
                let has_barrier = code.iter().any(|instruction| instruction.base() == "BAR");
                let sharing = Sharing { has_barrier, ..Sharing::default() };
                let (_, sharing) =
                    one_launch(&program, &sass, launch, options.budget, &mut tally.seconds, sharing);
                if sharing.is_some_and(|sharing| sharing.is_found) {
                    seen = Seen::NotCompared("threads write what others read or write".to_owned());
                }
            }
            is_compared |= tally.add_launch(name, number, seen);
        }
        if is_compared {
            tally.notes.push(format!("{name}: compared"));
        }
        *(if is_compared { &mut tally.kernels } else { &mut tally.kernels_not_compared }) += 1;
    }
    Ok(tally)
}

impl Tally {
    /// Adds the outcome of a launch. Returns whether memory was compared.
    fn add_launch(&mut self, name: &str, number: usize, seen: Seen) -> bool {
        let is_compared = !matches!(seen, Seen::NotCompared(_));
        match seen {
            Seen::Same { bytes, executed } => {
                self.launches += 1;
                self.bytes += bytes;
                self.executed = std::array::from_fn(|at| self.executed[at] + executed[at]);
            }
            Seen::NotCompared(why) => {
                self.notes.push(format!("{name}: launch {number}: not compared: {why}"));
                *self.reasons.entry(why).or_default() += 1;
            }
            Seen::Different(why) => {
                self.launches += 1;
                self.different.push((name.to_owned(), number, why));
            }
        }
        is_compared
    }
}

/// Finds bytes of global memory that one thread writes and another one reads or writes, without an
/// order between them. Then the final memory depends on the order in which threads run. A barrier
/// may order threads of one block, so they count only in a kernel without barriers.
#[derive(Default)]
struct Sharing {
    has_barrier: bool,
    block: u64,
    /// For each byte, the thread that has written it, and the one that has read it; `MANY` if there
    /// are several.
    bytes: HashMap<u64, [u64; 2]>,
    is_found: bool,
}

const NO_THREAD: u64 = u64::MAX;
const MANY: u64 = u64::MAX - 1;

impl grid::Observer for Sharing {
    fn block(&mut self, _: [u32; 3]) {
        self.block += 1;
    }

    fn access(&mut self, warp: u32, _: u32, access: &grid::Access) {
        let is_global = access.space == Space::Global;
        if !is_global || access.kind == grid::AccessKind::Atomic {
            return;
        }
        let which = usize::from(access.kind != grid::AccessKind::Store);
        for lane in (0..32).filter(|lane| access.lanes >> lane & 1 == 1) {
            let in_block = if self.has_barrier { 0 } else { u64::from(warp) << 5 | lane as u64 };
            let thread = self.block << 16 | in_block;
            for byte in 0..access.bytes as u64 {
                let address = access.addresses[lane].wrapping_add(byte);
                let own = self.bytes.entry(address).or_insert([NO_THREAD; 2]);
                own[which] = if [NO_THREAD, thread].contains(&own[which]) { thread } else { MANY };
                let [writer, reader] = *own;
                self.is_found |=
                    writer == MANY || writer != NO_THREAD && ![NO_THREAD, writer].contains(&reader);
            }
        }
    }
}

/// Runs a launch on both sides. Returns the result, and the observer of the SASS if it ran.
fn one_launch<O: grid::Observer>(
    ptx: &Program,
    sass: &grid::Program,
    launch: &Launch,
    budget: u64,
    seconds: &mut f64,
    observer: O,
) -> (Seen, Option<O>) {
    let not_compared = |why: String| (Seen::NotCompared(why), None);
    let outcome = match block::run(ptx, launch, Undefined::TrackedInMemory, budget) {
        Ok(outcome) => outcome,
        Err(why) => return not_compared(format!("PTX: {why}")),
    };
    if let Some(stop) = outcome.stop {
        return not_compared(format!("PTX: {}", without_place(&stop.to_string())));
    }
    if outcome.partial > 0 {
        return not_compared("PTX: lanes wait for others that never come".to_owned());
    }
    let head = ptx.image.function(&launch.kernel).map(|number| &ptx.image.heads[number]);
    let before = block::initial(ptx, launch).and_then(|(global, _)| {
        let head = head.ok_or_else(|| ptx_emu::Error::NoKernel(launch.kernel.clone()))?;
        Ok((RefCell::new(global), launch.parameters(head)?))
    });
    let (before, parameters) = match before {
        Ok(before) => before,
        Err(why) => return not_compared(why.to_string()),
    };
    let own =
        grid::Launch { grid: launch.grid, block: launch.block, shared: launch.shared, parameters, budget };
    let start = Instant::now();
    let mut run = grid::run(sass, &own, memory::Memory::new(content(&before)), observer);
    *seconds += start.elapsed().as_secs_f64();
    let observer = Some(run.observer);
    if let Some(stop) = run.stop {
        let seen = match stop {
            grid::Stop::Unknown(unknown) => {
                Seen::NotCompared(format!("SASS: {} is not known: {}", unknown.opcode, unknown.why))
            }
            grid::Stop::Budget => Seen::NotCompared("SASS: the budget of instructions is used up".to_owned()),
            stop => Seen::Different(format!("the SASS does not end: {stop}")),
        };
        return (seen, observer);
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
            let why = format!("{place} is {byte:#04x} by the SASS, {wanted:#04x} by the PTX");
            return (Seen::Different(why), observer);
        }
    }
    for (address, byte) in run.global.written() {
        let is_ptx = written.binary_search_by_key(&address, |byte| byte.0).is_ok();
        if !is_ptx && before.borrow_mut().read(address, 1).0 as u8 != byte {
            let why = format!("{} is written by the SASS alone", place(launch, address));
            return (Seen::Different(why), observer);
        }
    }
    (Seen::Same { bytes, executed: [outcome.executed, run.executed] }, observer)
}

/// Whether both sides hold a NaN of double precision here. Neither PTX nor IEEE 754 says which bits
/// it has, and ptxas' code for divisions and roots writes others than the unit does.
fn are_numbers_missing(sass: &mut memory::Memory, ptx: &mut Memory, address: u64) -> bool {
    let place = address & !7;
    [sass.read(place, 8), ptx.read(place, 8).0].iter().all(|&bits| f64::from_bits(bits).is_nan())
}

/// A reason without its line, so that equal ones are counted together.
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
