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

use crate::error::Error;
use crate::ptx::trace::Space;
use crate::ptx::value::mix;

use super::launch::Launch;
use super::limits;
use super::matrix::Row;
use super::meeting::Meetings;
use super::memory::Memory;
pub use super::program::{Program, Stop};
use super::warp::{Warp, LANES};
pub use super::world::Undefined;
use super::world::World;

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
pub fn initial(program: &Program, launch: &Launch) -> Result<(Memory, Memory), Error> {
    let memory = |space: u64| Memory::new(mix(launch.seed, space), launch.content);
    let (mut global, mut constant) = (memory(1), memory(2));
    program.image.fill(&mut global, &mut constant)?;
    launch.fill(&mut global);
    launch.plant(Space::Global, &mut global);
    Ok((global, constant))
}

/// Runs a kernel.
pub fn run(program: &Program, launch: &Launch, undefined: Undefined, budget: u64) -> Result<Outcome, Error> {
    let image = &program.image;
    let kernel = image.function(&launch.kernel).filter(|&number| image.heads[number].is_kernel);
    let kernel = kernel.ok_or_else(|| Error::NoKernel(launch.kernel.clone()))?;
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
    let parameters = launch.parameters(&image.heads[kernel])?;
    let shared = (0..num_blocks).map(|_| shared());
    let mut world = World::new(program, launch, undefined, [global, constant], parameters, shared, budget);
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
    let shared = world.take_shared();
    let World { global, told, executed, partial, met, .. } = world;
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
