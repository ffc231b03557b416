//! Predicts the ratio of the times of two machine codes of a kernel, for a launch.
//!
//! **Problem.** A launch fills a GPU; the model is of one multiprocessor, and emulating all blocks would take minutes.
//!
//! **Method.** Some blocks are emulated on both sides, and their traces stand for all (crate gpu-time). If one multiprocessor has few
//! blocks, exactly these are replayed. If it has many, each side replays whole rounds of resident blocks, and the time is that of a
//! block. The interval comes from the same replay on machines with one number moved.
//!
//! **Deviation.** Blocks that wait for others, which are not emulated, end in an error. So do kernels with an instruction that the
//! emulator does not know.
//!
//! **Complexity.** Linear in the instructions of the emulated and of the replayed blocks.

use std::cell::RefCell;

use gpu_time::code::ops;
use gpu_time::machine::Machine;
use gpu_time::memory::{costs, Cost, Layout};
use gpu_time::replay::{replay, Causes, Replay, Shape};
use gpu_time::trace::{Block, Recorder};
use ptx_emu::grid::launch::{Argument, Launch};
use ptx_emu::grid::memory::Memory;
use ptx_emu::ptx::value::mix;
use sass_emu::cubin::{Cubin, Kernel};
use sass_emu::instruction::Instruction;
use sass_emu::{grid, memory};
use serde::Serialize;

use crate::measure::Multiprocessor;
use crate::sass::content;

/// Blocks that are emulated at most.
const EMULATED: usize = 12;
/// Instructions of warps after which no further block is emulated.
const ENOUGH: u64 = 400_000;
/// Instructions of warps that a replay takes about at most, where the launch has more blocks.
const REPLAYED: u64 = 1_000_000;

/// The machine code of a kernel.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    pub cubin: &'a Cubin,
    pub kernel: &'a Kernel,
    pub instructions: &'a [Instruction],
}

/// One side of a prediction.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// Predicted cycles of a multiprocessor for a block.
    pub cycles: f64,
    /// Instructions that the warps of a block issue.
    pub executed: f64,
    pub registers: u32,
    /// Instructions of the code.
    pub instructions: usize,
    /// Warps that are resident on a multiprocessor.
    pub warps: u32,
    /// Cycles for a block, by cause.
    pub causes: Causes,
    #[serde(skip)]
    pub places: Vec<Causes>,
}

/// A prediction of the time of the second side, as a part of the first one's.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    pub ratio: f64,
    /// The interval of the ratios on all machines with one number moved.
    pub low: f64,
    pub high: f64,
    /// The number that moves the ratio most.
    pub moved_most_by: &'static str,
    pub sides: [Side; 2],
}

/// The trace of one side.
struct Traced {
    blocks: Vec<Block>,
    /// The costs of its accesses. No machine of the interval has other caches, so that all have the same.
    costs: Vec<Vec<Vec<Cost>>>,
    resident: u32,
    warps: u32,
    /// Instructions of an emulated block.
    executed: f64,
}

/// How a prediction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Instructions of warps that the emulated blocks may issue.
    pub budget: u64,
    /// Whether to find the interval, which takes as many replays as there are numbers to move.
    pub has_interval: bool,
    /// Whether to take the launch's blocks for those of a grid that fills the GPU: nobody knows how large a launch that is made up would be.
    pub fills_gpu: bool,
}

/// Rounds of resident blocks that stand for a grid that fills the GPU.
const ROUNDS: u32 = 2;

/// Predicts the ratio of two codes.
///
/// # Errors
/// Says why one of them cannot be run.
pub fn predict(
    machine: &Machine,
    codes: [Code; 2],
    launch: &Launch,
    effort: Effort,
) -> Result<Prediction, String> {
    let [a, b] = codes.map(|code| trace(machine, code, launch, effort.budget));
    let traced = [a?, b?];
    let total = launch.grid.iter().map(|&size| u64::from(size)).product::<u64>();
    let own = u32::try_from(total.div_ceil(u64::from(machine.multiprocessors))).unwrap_or(u32::MAX);
    let most = traced.iter().map(|side| side.executed).fold(1.0, f64::max);
    let affordable = (REPLAYED as f64 / most) as u32;
    let resident = traced[0].resident.max(traced[1].resident);
    // The blocks that each side replays.
    let shapes: [Shape; 2] = std::array::from_fn(|side| {
        let resident_here = traced[side].resident;
        let blocks = if effort.fills_gpu {
            ROUNDS * resident_here
        } else if own <= affordable.max(resident) {
            own
        } else {
            affordable.max(resident).div_ceil(resident_here) * resident_here
        };
        Shape { resident: resident_here, blocks }
    });
    let on = |machine: &Machine| -> [Replay; 2] {
        std::array::from_fn(|side| {
            let Traced { blocks, costs, .. } = &traced[side];
            replay(machine, &ops(machine, codes[side].instructions), blocks, costs, shapes[side])
        })
    };
    let ratio = |replays: &[Replay; 2]| {
        let [a, b] = replays.each_ref().map(|replay| replay.cycles as f64 / f64::from(replay.blocks));
        b / a
    };
    let replays = on(machine);
    let own = ratio(&replays);
    let (mut low, mut high, mut moved_most_by, mut most) = (own, own, "", 0.0);
    let is_same = codes[0].kernel.code == codes[1].kernel.code;
    for (name, machine) in if is_same || !effort.has_interval { Vec::new() } else { machine.moved() } {
        let moved = ratio(&on(&machine));
        (low, high) = (f64::min(low, moved), f64::max(high, moved));
        if (moved / own).ln().abs() > most {
            (most, moved_most_by) = ((moved / own).ln().abs(), name);
        }
    }
    let mut replays = replays.into_iter();
    let sides = std::array::from_fn(|side| {
        let replay = replays.next().unwrap_or_default();
        let blocks = f64::from(replay.blocks);
        Side {
            cycles: replay.cycles as f64 / blocks,
            executed: traced[side].executed,
            registers: codes[side].kernel.registers,
            instructions: codes[side].instructions.len(),
            warps: traced[side].warps,
            causes: replay.causes().map(|cycles| cycles / blocks),
            places: replay.places,
        }
    });
    Ok(Prediction { ratio: own, low, high, moved_most_by, sides })
}

/// The bytes of the buffer at an address.
fn size(launch: &Launch, address: u64) -> Option<u64> {
    launch
        .buffers()
        .find(|buffer| (buffer.address..buffer.address + buffer.size).contains(&address))
        .map(|buffer| buffer.size)
}

/// Emulates some blocks of a launch.
fn trace(machine: &Machine, code: Code, launch: &Launch, budget: u64) -> Result<Traced, String> {
    let program = grid::Program::new(code.cubin, code.kernel, code.instructions);
    let before = RefCell::new(Memory::new(mix(launch.seed, 1), launch.content));
    launch.fill(&mut before.borrow_mut());
    let own = grid::Launch {
        grid: launch.grid,
        block: launch.block,
        shared: launch.shared,
        parameters: parameters(launch),
        budget,
    };
    let run = grid::run_some(
        &program,
        &own,
        memory::Memory::new(content(&before)),
        Recorder::default(),
        chosen(launch.grid),
        ENOUGH,
    );
    if let Some(stop) = run.stop {
        return Err(stop.to_string());
    }
    // Since sm_90 the first KiB of shared memory is the system's, and counted with the block's.
    let reserved = if code.cubin.architecture >= 90 { 1024 } else { 0 };
    let shared = code.kernel.shared.saturating_sub(reserved) + launch.shared;
    let threads = launch.threads() as u32;
    let multiprocessor = Multiprocessor::of(machine.name);
    let warps = multiprocessor.resident_warps(threads, code.kernel.registers, shared as u32);
    if warps == 0 {
        return Err(format!(
            "a block of {threads} threads with {} registers and {shared} bytes of shared memory does not fit",
            code.kernel.registers
        ));
    }
    let (blocks, resident) = (run.observer.blocks, warps / threads.div_ceil(32));
    let layout = Layout { size: &|address| size(launch, address), resident, shared };
    Ok(Traced {
        costs: costs(machine, &blocks, &layout),
        executed: run.executed as f64 / blocks.len().max(1) as f64,
        blocks,
        resident,
        warps,
    })
}

/// The blocks that are emulated, by number: one in the middle and its neighbours along the grid's first two axes, which may share memory
/// with it, then others that are spread over the grid.
fn chosen(grid: [u32; 3]) -> Vec<u64> {
    let [x, y, z] = grid.map(u64::from);
    let total = x * y * z;
    let mut chosen: Vec<u64> = Vec::with_capacity(EMULATED);
    let middle = total / 2;
    let neighbours = [middle, (middle + 1) % total, (middle + x) % total];
    // Multiples of the golden ratio are spread evenly, however many there are.
    let spread = (1..).map(|number: u64| (number as f64 * 0.618_033_988_75).fract() * total as f64);
    for number in neighbours.into_iter().chain(spread.map(|place| place as u64).take(EMULATED)) {
        if !chosen.contains(&number) && chosen.len() < EMULATED {
            chosen.push(number);
        }
    }
    chosen
}

/// The bytes of all parameters, each aligned to its size as PTX has numbers and addresses.
fn parameters(launch: &Launch) -> Vec<u8> {
    let mut bytes = Vec::new();
    for argument in &launch.arguments {
        let own = match argument {
            Argument::Buffer(buffer) => buffer.address.to_le_bytes().to_vec(),
            Argument::Bytes(bytes) => bytes.clone(),
        };
        let alignment = 1 << own.len().trailing_zeros().min(3);
        bytes.resize(bytes.len().next_multiple_of(alignment), 0);
        bytes.extend(own);
    }
    bytes
}
