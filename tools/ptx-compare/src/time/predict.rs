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
use std::collections::BTreeSet;

use gpu_time::code::{is_modelled, ops};
use gpu_time::machine::Machine;
use gpu_time::memory::{costs, Cost, Layout};
use gpu_time::replay::{replay, Causes, Replay, Shape};
use gpu_time::trace::{Block, Kind, Recorder};
use ptx_emu::grid::launch::Launch;
use ptx_emu::grid::memory::Memory;
use ptx_emu::ptx::value::mix;
use sass_emu::cubin::{Cubin, Kernel};
use sass_emu::instruction::Instruction;
use sass_emu::{grid, memory};
use serde::{Deserialize, Serialize};

use super::bounds::Bounds;
use crate::measure::Multiprocessor;
use crate::sass::content;

/// Blocks that are emulated at most.
const EMULATED: usize = 12;
/// Instructions of warps after which no further block is emulated.
const ENOUGH: u64 = 400_000;
/// Instructions of warps that a replay takes about at most, where the launch has more blocks.
const REPLAYED: u64 = 1_000_000;

/// Why a launch has no predicted time.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoTime {
    #[error(transparent)]
    Machine(#[from] gpu_time::machine::Error),
    #[error(transparent)]
    Launch(#[from] ptx_emu::Error),
    #[error(transparent)]
    Stop(#[from] grid::Stop),
    /// An access misses the buffers of the launch.
    #[error("{0}")]
    Miss(String),
    #[error("no thread writes to global memory")]
    NoStore,
    #[error("the time of {0} is not modelled")]
    Opcode(String),
    #[error("a block of {threads} threads with {registers} registers and {shared} bytes of shared memory does not fit")]
    NoRoom { threads: u32, registers: u32, shared: u64 },
}

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
    /// Asynchronous instructions that are timed without their values, as the emulator does not know these.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub assumed: BTreeSet<String>,
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
    /// Whether a thread of it writes to global memory.
    has_stores: bool,
    /// Opcodes whose values are assumed, each once.
    assumed: BTreeSet<String>,
}

/// How a prediction is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Instructions of warps that the emulated blocks may issue.
    pub budget: u64,
    /// Whether to find the interval, which takes as many replays as there are numbers to move.
    pub has_interval: bool,
    /// Whether the launch is made up. Its size says nothing about a real one, so its blocks are taken for those of a grid that fills the GPU. And it is an error
    /// if it writes nothing to global memory: all threads may fail the check with which a kernel begins, and the time of that check is not the kernel's.
    pub is_made_up: bool,
    /// Whether an access that misses the launch's buffers is an error: the sizes of a made-up launch's buffers say nothing about real ones.
    pub has_bounds: bool,
}

/// Rounds of resident blocks that stand for a grid that fills the GPU.
const ROUNDS: u32 = 2;

/// The blocks of a launch that stand for all of one multiprocessor's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Share {
    /// All of them.
    All,
    /// Rounds of resident ones.
    Rounds(u32),
}

/// The blocks of a launch that one multiprocessor gets.
fn own_blocks(machine: &Machine, launch: &Launch) -> u32 {
    let total = launch.grid.iter().map(|&size| u64::from(size)).product::<u64>();
    u32::try_from(total.div_ceil(u64::from(machine.multiprocessors))).unwrap_or(u32::MAX)
}

/// The blocks that share L1: those that are resident, but no more than a multiprocessor gets of the launch.
fn sharing(machine: &Machine, launch: &Launch, resident: u32, fills_gpu: bool) -> u32 {
    if fills_gpu {
        resident
    } else {
        resident.min(own_blocks(machine, launch))
    }
}

/// The share of each side.
fn shares<const N: usize>(
    machine: &Machine,
    traced: &[Traced; N],
    launch: &Launch,
    effort: Effort,
) -> [Share; N] {
    let most = traced.iter().map(|side| side.executed).fold(1.0, f64::max);
    let resident = traced.iter().map(|side| side.resident).max().unwrap_or(1);
    let affordable = ((REPLAYED as f64 / most) as u32).max(resident);
    traced.each_ref().map(|side| match effort.is_made_up {
        true => Share::Rounds(ROUNDS),
        false if own_blocks(machine, launch) <= affordable => Share::All,
        false => Share::Rounds(affordable.div_ceil(side.resident)),
    })
}

fn shape(machine: &Machine, launch: &Launch, traced: &Traced, share: Share) -> Shape {
    let resident = traced.resident;
    let blocks = match share {
        Share::All => own_blocks(machine, launch),
        Share::Rounds(rounds) => rounds.saturating_mul(resident),
    };
    Shape { resident, blocks }
}

fn cycles(replay: &Replay) -> f64 {
    replay.cycles as f64 / f64::from(replay.blocks)
}

/// Predicts the cycles of a multiprocessor for a block of one code. They mean something beside those of another version only, for the same
/// launch and share; `share` is that of the other version, and is chosen where there is none.
///
/// # Errors
/// Says why it cannot be run.
pub fn alone(
    machine: &Machine,
    code: Code,
    launch: &Launch,
    effort: Effort,
    share: Option<Share>,
) -> Result<(f64, Share), NoTime> {
    let traced = [trace(machine, code, launch, effort)?];
    check_stores(&traced, effort)?;
    let [chosen] = shares(machine, &traced, launch, effort);
    let share = share.unwrap_or(chosen);
    let [traced] = traced;
    let shape = shape(machine, launch, &traced, share);
    let replay = replay(machine, &ops(machine, code.instructions), &traced.blocks, &traced.costs, shape);
    Ok((cycles(&replay), share))
}

/// Predicts the ratio of two codes.
///
/// # Errors
/// Says why one of them cannot be run.
pub fn predict(
    machine: &Machine,
    codes: [Code; 2],
    launch: &Launch,
    effort: Effort,
) -> Result<Prediction, NoTime> {
    let [a, b] = codes.map(|code| trace(machine, code, launch, effort));
    let traced = [a?, b?];
    check_stores(&traced, effort)?;
    let shares = shares(machine, &traced, launch, effort);
    let shapes: [Shape; 2] = std::array::from_fn(|side| shape(machine, launch, &traced[side], shares[side]));
    let on = |machine: &Machine| -> [Replay; 2] {
        std::array::from_fn(|side| {
            let Traced { blocks, costs, .. } = &traced[side];
            replay(machine, &ops(machine, codes[side].instructions), blocks, costs, shapes[side])
        })
    };
    let ratio = |replays: &[Replay; 2]| {
        let [a, b] = replays.each_ref().map(cycles);
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
            cycles: cycles(&replay),
            executed: traced[side].executed,
            registers: codes[side].kernel.registers,
            instructions: codes[side].instructions.len(),
            warps: traced[side].warps,
            causes: replay.causes().map(|cycles| cycles / blocks),
            places: replay.places,
        }
    });
    let assumed = traced.iter().flat_map(|side| side.assumed.iter().cloned()).collect();
    Ok(Prediction { ratio: own, low, high, moved_most_by, assumed, sides })
}

/// The bytes of the buffer at an address.
fn size(launch: &Launch, address: u64) -> Option<u64> {
    launch
        .buffers()
        .find(|buffer| (buffer.address..buffer.address + buffer.size).contains(&address))
        .map(|buffer| buffer.size)
}

/// Refuses a launch without a result, if it needs one. Both sides of a comparison store alike.
fn check_stores(traced: &[Traced], effort: Effort) -> Result<(), NoTime> {
    if effort.is_made_up && traced.iter().all(|side| !side.has_stores) {
        return Err(NoTime::NoStore);
    }
    Ok(())
}

/// Whether a thread of some blocks writes to global memory, or may do so by an instruction whose value is assumed.
fn has_stores(blocks: &[Block], assumed: &[String]) -> bool {
    let is_store = |access: &gpu_time::trace::Traced| matches!(access.kind, Kind::Store | Kind::Atomic);
    !assumed.is_empty()
        || blocks.iter().flat_map(|block| &block.warps).flat_map(|warp| &warp.accesses).any(is_store)
}

/// Emulates some blocks of a launch.
fn trace(machine: &Machine, code: Code, launch: &Launch, effort: Effort) -> Result<Traced, NoTime> {
    let (program, assumed) = grid::Program::assuming(code.cubin, code.kernel, code.instructions);
    let before = RefCell::new(Memory::new(mix(launch.seed, 1), launch.content));
    launch.fill(&mut before.borrow_mut());
    if let Some(opcode) = assumed.iter().find(|opcode| !is_modelled(opcode)) {
        return Err(NoTime::Opcode(opcode.clone()));
    }
    let own = grid::Launch {
        grid: launch.grid,
        block: launch.block,
        shared: launch.shared,
        parameters: parameters(code.kernel, launch)?,
        budget: effort.budget,
    };
    // An address may come of a value that is assumed.
    let bounds = (effort.has_bounds && assumed.is_empty()).then_some(launch);
    let run = grid::run_some(
        &program,
        &own,
        memory::Memory::new(content(&before)),
        Bounds::new(bounds, Recorder::default()),
        chosen(launch.grid),
        ENOUGH,
    );
    // It comes before where the run ends: what is read there may have led to that.
    if let Some(missed) = run.observer.missed {
        return Err(NoTime::Miss(missed));
    }
    if let Some(stop) = run.stop {
        return Err(stop.into());
    }
    if let Some(launch) = bounds {
        check_edges(&program, &own, launch, memory::Memory::new(content(&before)))?;
    }
    // Since sm_90 the first KiB of shared memory is the system's, and counted with the block's.
    let reserved = if code.cubin.architecture >= 90 { 1024 } else { 0 };
    let shared = code.kernel.shared.saturating_sub(reserved) + launch.shared;
    let threads = launch.threads() as u32;
    let multiprocessor = Multiprocessor::of(machine.name);
    let warps = multiprocessor.resident_warps(threads, code.kernel.registers, shared as u32);
    if warps == 0 {
        return Err(NoTime::NoRoom { threads, registers: code.kernel.registers, shared });
    }
    let (blocks, resident) = (run.observer.inner.blocks, warps / threads.div_ceil(32));
    let sharing = sharing(machine, launch, resident, effort.is_made_up);
    let layout = Layout { size: &|address| size(launch, address), resident: sharing, shared };
    Ok(Traced {
        costs: costs(machine, &blocks, &layout),
        executed: run.executed as f64 / blocks.len().max(1) as f64,
        has_stores: has_stores(&blocks, &assumed),
        blocks,
        resident,
        warps,
        assumed: assumed.into_iter().collect(),
    })
}

/// Runs the first and the last block of a launch, which are the likeliest to miss a buffer. They are not part of the trace: few blocks of a
/// launch are like them.
fn check_edges(
    program: &grid::Program,
    own: &grid::Launch,
    launch: &Launch,
    memory: memory::Memory,
) -> Result<(), NoTime> {
    let run =
        grid::run_some(program, own, memory, Bounds::new(Some(launch), ()), edges(launch.grid), u64::MAX);
    if let Some(missed) = run.observer.missed {
        return Err(NoTime::Miss(missed));
    }
    if let Some(stop) = run.stop {
        return Err(stop.into());
    }
    Ok(())
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

/// The first and the last block, by number, unless they are among those that are emulated anyway.
fn edges(grid: [u32; 3]) -> Vec<u64> {
    let total: u64 = grid.map(u64::from).iter().product();
    let chosen = chosen(grid);
    let mut edges = vec![0, total.saturating_sub(1)];
    edges.retain(|number| !chosen.contains(number));
    edges
}

/// The bytes of all parameters, each where the cubin says that the kernel expects it.
pub fn parameters(kernel: &Kernel, launch: &Launch) -> Result<Vec<u8>, ptx_emu::Error> {
    let places: Vec<(u64, u64)> =
        kernel.layout.iter().map(|&(offset, size)| (offset.into(), size.into())).collect();
    launch.place_parameters(&places, kernel.parameters.1.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_emu::grid::launch::Argument;

    #[test]
    fn a_small_launch_leaves_l1_to_few_blocks() {
        let machine = Machine::of(90).unwrap();
        let mut launch = Launch::new("k".to_owned());
        launch.grid = [machine.multiprocessors * 2, 1, 1];
        let of = |fills_gpu| sharing(&machine, &launch, 16, fills_gpu);
        assert_eq!((of(false), of(true)), (2, 16));
        launch.grid = [machine.multiprocessors * 40, 1, 1];
        assert_eq!(sharing(&machine, &launch, 16, false), 16);
    }

    #[test]
    fn the_edges_of_a_grid_are_looked_at() {
        assert_eq!(edges([1000, 1, 1]), [0, 999]);
        assert_eq!(edges([10, 10, 10]), [0, 999]);
        // All blocks of a small grid are emulated.
        assert!(edges([4, 1, 1]).is_empty());
    }

    #[test]
    fn parameters_are_where_the_cubin_says() {
        // `ptxas -arch sm_90` of `(.param .u32 a, .param .align 8 .b8 s[12], .param .u64 out)`.
        let layout = vec![(0, 4), (8, 12), (24, 8)];
        let kernel = Kernel { layout, parameters: (0x210, 32), ..Kernel::default() };
        let mut launch = Launch::new("k".to_owned());
        launch.arguments = [vec![1; 4], vec![2; 12], vec![3; 8]].map(Argument::Bytes).to_vec();
        let bytes = parameters(&kernel, &launch).unwrap();
        assert_eq!((bytes.len(), bytes[3], bytes[4], bytes[8], bytes[19], bytes[24]), (32, 1, 0, 2, 2, 3));
        launch.arguments.pop();
        assert!(parameters(&kernel, &launch)
            .unwrap_err()
            .to_string()
            .contains("3 parameters, the launch gives 2"));
    }
}
