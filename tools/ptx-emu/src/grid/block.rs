//! A grid of blocks, run from its launch to its end.
//!
//! **Problem.** Blocks share global memory. The warps of a block share its shared memory and
//! barriers. Some kernels wait for other blocks.
//!
//! **Method.** All blocks of the grid live at once, and their warps take turns. Each runs until its
//! lanes wait, or until it has used up its slice of atomic and volatile accesses, so that a
//! spinning lane does not stop the others. Two texts of a kernel have the same barriers and the
//! same such accesses, so warps change at the same places in both, even where a kernel has races.
//!
//! **Source.** PTX ISA, sections 2.2 "Thread Hierarchy" and 9.7.13 "Parallel Synchronization and
//! Communication Instructions".
//!
//! **Complexity.** Linear in the instructions that are run.

use std::collections::BTreeMap;

use crate::ptx::trace::Space;
use crate::ptx::value::mix;

use super::decode::{self, Code, Reduction};
use super::float::Approximation;
use super::image::Image;
use super::launch::Launch;
use super::limits;
use super::matrix::Row;
use super::meeting::Meetings;
use super::memory::{Content, Memory};
use super::warp::{Warp, LANES};

/// The first address that `malloc` gives.
const HEAP: u64 = 0xd00 << 32;

/// Why a run stopped before its kernel ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has run as many instructions as it may.
    Budget,
    /// The kernel reports an error: a trap, or a failed assertion. Line and reason.
    Trap(usize, String),
    /// A GPU would fault.
    Fault(usize, &'static str),
    /// The next step depends on an undefined value.
    Undefined(usize, &'static str),
    /// All threads wait.
    Deadlock,
    /// The emulator does not know something in it.
    Unknown(String),
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Budget => write!(f, "the budget of instructions is used up"),
            Stop::Trap(line, what) => write!(f, "line {line}: {what}"),
            Stop::Fault(line, what) => write!(f, "line {line}: {what}"),
            Stop::Undefined(line, what) => write!(f, "line {line}: {what} is undefined"),
            Stop::Deadlock => write!(f, "all threads wait for each other"),
            Stop::Unknown(what) => write!(f, "{what}"),
        }
    }
}

/// The treatment of registers that were never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// Their values are undefined, and so is everything computed from them.
    Tracked,
    /// The same, and bytes of shared and local memory that were never written are undefined too.
    TrackedInMemory,
    /// They hold arbitrary numbers, as a GPU's registers do.
    Arbitrary,
}

impl Undefined {
    /// Whether a value computed from an undefined register is undefined.
    pub fn is_tracked(self) -> bool {
        self != Undefined::Arbitrary
    }

    /// Shared or local memory that was never written.
    fn memory(self, seed: u64, content: Content) -> Memory {
        match self {
            Undefined::TrackedInMemory => Memory::undefined(seed, content),
            _ => Memory::new(seed, content),
        }
    }
}

/// A module, ready to run.
pub struct Program {
    /// Variables and functions of the module.
    pub image: Image,
    codes: Vec<Result<Code, String>>,
}

impl Program {
    /// Reads a PTX text. The error names what is not understood. A function that is not understood
    /// is an error only when it is called.
    pub fn new(ptx: &str) -> Result<Program, String> {
        Program::with(ptx, Approximation::Hash)
    }

    /// The same as [`Program::new`]; `approximation` says what values approximate instructions
    /// have.
    pub fn with(ptx: &str, approximation: Approximation) -> Result<Program, String> {
        let image = Image::read(ptx)?;
        let decode = |number| decode::decode(&image, number, approximation);
        let codes = (0..image.functions.len()).map(decode).collect();
        Ok(Program { image, codes })
    }

    /// The names of the kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        let functions = self.image.functions.iter().zip(&self.image.heads);
        functions.filter(|(_, head)| head.is_kernel).map(|(function, _)| function.name.as_str())
    }

    pub(crate) fn code(&self, function: usize) -> Result<&Code, Stop> {
        let code = &self.codes[function];
        code.as_ref().map_err(|why| Stop::Unknown(format!("{}: {why}", self.image.functions[function].name)))
    }
}

/// A barrier of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Barrier {
    /// How often it was passed.
    generation: u64,
    arrived: u32,
    /// Threads that it waits for; `None`: all that have not left.
    expected: Option<u32>,
    /// Threads whose predicate holds, now and the last time.
    holds: u32,
    last_holds: u32,
    last_arrived: u32,
}

struct Block {
    shared: Memory,
    /// A hash of all stores to it; their order does not count.
    stored: u64,
    barriers: [Barrier; 16],
    threads: u32,
}

/// Everything that warps share.
pub(crate) struct World<'a> {
    pub program: &'a Program,
    pub launch: &'a Launch,
    pub undefined: Undefined,
    pub global: Memory,
    pub constant: Memory,
    /// The kernel's parameters.
    pub parameters: Vec<u8>,
    blocks: Vec<Block>,
    /// Instructions that threads have run, and the most that they may run.
    executed: u64,
    budget: u64,
    /// How often lanes went on at a warp-wide instruction without all lanes that it names.
    partial: u64,
    heap: u64,
    /// By thread, a hash of its calls of printf.
    told: BTreeMap<u64, u64>,
    pub met: Meetings,
}

impl<'a> World<'a> {
    pub fn code(&self, function: usize) -> Result<&'a Code, Stop> {
        self.program.code(function)
    }

    /// Counts one instruction for each lane.
    pub fn count(&mut self, mask: u32) -> Result<(), Stop> {
        self.executed += u64::from(mask.count_ones());
        if self.executed > self.budget {
            return Err(Stop::Budget);
        }
        Ok(())
    }

    pub fn count_partial(&mut self) {
        self.partial += 1;
    }

    pub fn block_index(&self, block: usize, axis: usize) -> u64 {
        let [x, y, _] = self.launch.grid.map(|size| size as usize);
        [block % x, block / x % y, block / x / y][axis] as u64
    }

    pub fn shared(&mut self, block: usize) -> &mut Memory {
        &mut self.blocks[block].shared
    }

    pub fn store_shared(&mut self, block: usize, at: u64, bytes: usize, value: u64, undefined: u64) {
        let block = &mut self.blocks[block];
        block.stored = block.stored.wrapping_add(mix(at, value & super::integer::mask(8 * bytes as u32)));
        block.shared.write(at, bytes, value, undefined);
    }

    pub fn stored(&self, block: usize) -> u64 {
        self.blocks[block].stored
    }

    pub fn generation(&self, block: usize, barrier: usize) -> u64 {
        self.blocks[block].barriers[barrier].generation
    }

    /// Lets threads arrive at a barrier; returns the generation whose end they wait for.
    pub fn arrive(
        &mut self,
        block: usize,
        number: usize,
        expected: Option<u32>,
        threads: u32,
        holds: u32,
    ) -> u64 {
        let block = &mut self.blocks[block];
        let barrier = &mut block.barriers[number];
        let generation = barrier.generation;
        barrier.arrived += threads;
        barrier.holds += holds;
        barrier.expected = expected;
        barrier.pass(block.threads);
        generation
    }

    pub fn reduction(&self, block: usize, number: usize, reduction: Reduction) -> u64 {
        let barrier = &self.blocks[block].barriers[number];
        match reduction {
            Reduction::Popcount => barrier.last_holds.into(),
            Reduction::And => (barrier.last_holds == barrier.last_arrived).into(),
            Reduction::Or => (barrier.last_holds > 0).into(),
        }
    }

    /// Lets threads of a block leave: a barrier no longer waits for them.
    pub fn leave(&mut self, block: usize, threads: u32) {
        let block = &mut self.blocks[block];
        block.threads -= threads;
        for barrier in &mut block.barriers {
            if barrier.arrived > 0 {
                barrier.pass(block.threads);
            }
        }
    }

    pub fn allocate(&mut self, bytes: u64) -> u64 {
        let address = self.heap;
        self.heap += bytes.clamp(1, 1 << 28).next_multiple_of(256);
        address
    }

    /// Notes that a thread has called printf.
    pub fn tell(&mut self, thread: u64, what: u64) {
        let told = self.told.entry(thread).or_default();
        *told = mix(*told, what);
    }
}

impl Barrier {
    fn pass(&mut self, threads: u32) {
        if self.arrived >= self.expected.unwrap_or(threads) {
            let generation = self.generation + 1;
            (self.last_holds, self.last_arrived) = (self.holds, self.arrived);
            *self = Barrier { generation, arrived: 0, holds: 0, ..*self };
        }
    }
}

/// The state after a run.
pub struct Outcome {
    /// `None`: the kernel ended.
    pub stop: Option<Stop>,
    /// Global memory.
    pub global: Memory,
    /// Shared memory of each block.
    pub shared: Vec<Memory>,
    /// By thread, a hash of its calls of printf.
    pub told: BTreeMap<u64, u64>,
    /// Instructions that threads have run.
    pub executed: u64,
    /// How often lanes went on at a warp-wide instruction without all lanes that it names.
    pub partial: u64,
    /// The memory where threads met, and what they looked for there.
    pub met: Meetings,
}

/// Global memory before a launch, and constant memory.
pub fn initial(program: &Program, launch: &Launch) -> Result<(Memory, Memory), String> {
    let memory = |space: u64| Memory::new(mix(launch.seed, space), launch.content);
    let (mut global, mut constant) = (memory(1), memory(2));
    program.image.fill(&mut global, &mut constant)?;
    launch.fill(&mut global);
    launch.plant(Space::Global, &mut global);
    Ok((global, constant))
}

/// Runs a kernel.
pub fn run(program: &Program, launch: &Launch, undefined: Undefined, budget: u64) -> Result<Outcome, String> {
    let image = &program.image;
    let kernel = image.function(&launch.kernel).filter(|&number| image.heads[number].is_kernel);
    let kernel = kernel.ok_or_else(|| format!("there is no kernel {}", launch.kernel))?;
    if let Ok(code) = program.code(kernel) {
        limits::check(launch, &image.heads[kernel], code)?;
    }
    let memory = |space: u64| undefined.memory(mix(launch.seed, space), launch.content);
    let (global, constant) = initial(program, launch)?;
    let num_blocks = launch.grid.iter().map(|&size| u64::from(size)).product::<u64>() as usize;
    let threads = launch.threads();
    let shared = || {
        let mut shared = memory(3);
        launch.plant(Space::Shared, &mut shared);
        shared
    };
    let blocks = (0..num_blocks).map(|_| Block {
        shared: shared(),
        stored: 0,
        barriers: [Barrier::default(); 16],
        threads: threads as u32,
    });
    let mut world = World {
        program,
        launch,
        undefined,
        global,
        constant,
        parameters: launch.parameters(&image.heads[kernel])?,
        blocks: blocks.collect(),
        executed: 0,
        budget,
        partial: 0,
        heap: HEAP,
        told: BTreeMap::new(),
        met: Meetings::default(),
    };
    let mut warps: Vec<Warp> = Vec::new();
    for block in 0..num_blocks {
        for number in 0..threads.div_ceil(LANES as u64) {
            let first = number * LANES as u64;
            let alive = super::integer::mask((threads - first).min(LANES as u64) as u32) as u32;
            let [x, y, _] = launch.block.map(u64::from);
            let row = |axis: usize| -> Row {
                std::array::from_fn(|lane| {
                    let thread = first + lane as u64;
                    [thread % x, thread / x % y, thread / x / y][axis]
                })
            };
            let local = memory(4);
            warps.push(Warp::new(block, number as usize, [row(0), row(1), row(2)], alive, local));
        }
    }
    let stop = run_warps(&mut world, &mut warps, kernel).err();
    if let Some(Stop::Unknown(why)) = stop {
        return Err(why);
    }
    let World { global, told, executed, partial, met, blocks, .. } = world;
    let shared = blocks.into_iter().map(|block| block.shared).collect();
    Ok(Outcome { stop, global, shared, told, executed, partial, met })
}

fn run_warps(world: &mut World, warps: &mut [Warp], kernel: usize) -> Result<(), Stop> {
    for warp in &mut *warps {
        warp.enter(world, kernel)?;
    }
    loop {
        let mut has_run = false;
        for warp in &mut *warps {
            has_run |= warp.run(world)?;
        }
        if warps.iter().all(Warp::is_done) {
            return Ok(());
        }
        if !has_run {
            let mut is_released = false;
            for warp in &mut *warps {
                is_released |= warp.release(world)?;
            }
            if !is_released {
                return Err(Stop::Deadlock);
            }
        }
    }
}
