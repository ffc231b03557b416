//! Everything that the warps of a launch share: memory, the blocks with their barriers, and counts.

use std::collections::BTreeMap;

use crate::ptx::value::mix;

use super::decode::{Code, Reduction};
use super::integer;
use super::launch::Launch;
use super::meeting::Meetings;
use super::memory::{Content, Memory};
use super::program::{Program, Stop};

/// The first address that `malloc` gives.
const HEAP: u64 = 0xd00 << 32;

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
    pub(super) fn memory(self, seed: u64, content: Content) -> Memory {
        match self {
            Undefined::TrackedInMemory => Memory::undefined(seed, content),
            _ => Memory::new(seed, content),
        }
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
    pub executed: u64,
    budget: u64,
    /// How often lanes went on at a warp-wide instruction without all lanes that it names.
    pub partial: u64,
    heap: u64,
    /// By thread, a hash of its calls of printf.
    pub told: BTreeMap<u64, u64>,
    pub met: Meetings,
}

impl<'a> World<'a> {
    /// Before the first instruction. `shared`: the shared memory of each block.
    pub fn new(
        program: &'a Program,
        launch: &'a Launch,
        undefined: Undefined,
        [global, constant]: [Memory; 2],
        parameters: Vec<u8>,
        shared: impl Iterator<Item = Memory>,
        budget: u64,
    ) -> Self {
        let threads = launch.threads() as u32;
        let block = |shared| Block { shared, stored: 0, barriers: [Barrier::default(); 16], threads };
        World {
            program,
            launch,
            undefined,
            global,
            constant,
            parameters,
            blocks: shared.map(block).collect(),
            executed: 0,
            budget,
            partial: 0,
            heap: HEAP,
            told: BTreeMap::new(),
            met: Meetings::default(),
        }
    }

    /// The shared memory of each block, at the end of the run.
    pub fn take_shared(&mut self) -> Vec<Memory> {
        std::mem::take(&mut self.blocks).into_iter().map(|block| block.shared).collect()
    }

    pub fn code(&self, function: usize) -> Result<&'a Code, Stop> {
        Ok(self.program.code(function)?)
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
        block.stored = block.stored.wrapping_add(mix(at, value & integer::mask(8 * bytes as u32)));
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
