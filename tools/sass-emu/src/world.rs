//! Everything that the warps of a launch share: global memory, and of the block that runs its
//! shared memory, its barriers and its constants.

use crate::decode::{Place, Space, Step, Unknown, Vote};
use crate::lanes::{Row, Row64, LANES};
use crate::memory::Memory;

/// The window of shared memory in generic addresses.
pub const SHARED_WINDOW: u64 = 0xf00 << 32;
/// The window of local memory in generic addresses.
pub const LOCAL_WINDOW: u64 = 0xf01 << 32;
/// The window of the program's constants, bank 3, in generic addresses.
pub const CONSTANTS_WINDOW: u64 = 0xf02 << 32;
/// Why a run stopped before its kernel ended.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Stop {
    #[error("the budget of instructions is used up")]
    Budget,
    #[error("a trap at {:#x}", 16 * at)]
    Trap { at: Place },
    #[error("{why} at {:#x}", 16 * at)]
    Fault { at: Place, why: &'static str },
    #[error("all threads of a block wait for each other")]
    Deadlock,
    #[error(transparent)]
    Unknown(#[from] Unknown),
}

/// The kind of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Load,
    Store,
    Atomic,
    /// From global to shared memory.
    Copy,
    /// A bulk copy. `addresses` are that of its barrier in shared memory, and that of its source,
    /// which is 0 if a tensor map has it. `bytes` is 0 if the tensor map has the size.
    Bulk,
    /// An arrival at such a barrier with the bytes that copies will bring.
    Expect,
    /// A test whether such a barrier has passed; it is assumed to have.
    Wait,
}

/// A memory access of a warp.
pub struct Access<'a> {
    pub kind: AccessKind,
    /// Never generic.
    pub space: Space,
    /// Bytes per lane.
    pub bytes: usize,
    pub addresses: &'a Row64,
    pub lanes: u32,
}

/// Follows a run: the issue of each instruction, with the lanes for which its guard holds, and each
/// memory access.
pub trait Observer {
    fn block(&mut self, _block: [u32; 3]) {}
    fn issue(&mut self, _warp: u32, _at: Place, _lanes: u32) {}
    fn access(&mut self, _warp: u32, _at: Place, _access: &Access) {}
}

/// An observer that ignores everything.
impl Observer for () {}

#[derive(Clone, Copy, Debug, Default)]
struct Barrier {
    /// How often it was passed.
    generation: u64,
    arrived: u32,
    expected: Option<u32>,
    holds: u32,
    reduces: Option<Vote>,
    /// The result of its last pass: the predicate, and how often it held.
    result: (bool, u32),
}

/// Everything that the warps of a launch share.
pub struct World<'a, O> {
    pub code: &'a [Result<Step, Unknown>],
    pub global: Memory<'a>,
    pub observer: O,
    /// The block that runs.
    pub block: [u32; 3],
    /// Instructions that warps have issued.
    pub executed: u64,
    /// Room for the words of one load.
    pub rows: [Row; 8],
    banks: Vec<Vec<u8>>,
    shared: Vec<u8>,
    barriers: [Barrier; 16],
    /// Threads of the block that have not left.
    threads: u32,
    budget: u64,
    slice_ends: u64,
}

/// Instructions of a warp before the next one has its turn.
const SLICE: u64 = 8192;

impl<'a, O: Observer> World<'a, O> {
    /// Before the first block. `shared`: bytes of a block's shared memory.
    pub fn new(
        code: &'a [Result<Step, Unknown>],
        global: Memory<'a>,
        observer: O,
        banks: Vec<Vec<u8>>,
        shared: usize,
        budget: u64,
    ) -> Self {
        World {
            code,
            global,
            observer,
            block: [0; 3],
            executed: 0,
            rows: [[0; LANES]; 8],
            banks,
            shared: vec![0; shared],
            barriers: [Barrier::default(); 16],
            threads: 0,
            budget,
            slice_ends: 0,
        }
    }

    pub fn begin_block(&mut self, block: [u32; 3], threads: u32) {
        self.block = block;
        self.threads = threads;
        self.barriers = [Barrier::default(); 16];
        self.shared.fill(0);
        self.observer.block(block);
    }

    pub fn begin_slice(&mut self) {
        self.slice_ends = self.executed + SLICE;
    }

    /// Counts an instruction that a warp issues; `lanes` are those for which its guard holds.
    pub fn count(&mut self, warp: u32, at: Place, lanes: u32) -> Result<(), Stop> {
        self.observer.issue(warp, at, lanes);
        self.executed += 1;
        if self.executed > self.budget {
            return Err(Stop::Budget);
        }
        Ok(())
    }

    pub fn is_slice_over(&self) -> bool {
        self.executed > self.slice_ends
    }

    /// Reads a constant. Beyond the end of a bank everything is zero.
    #[inline]
    pub fn constant(&self, bank: u8, offset: u64, bytes: usize) -> u64 {
        let mut word = [0; 8];
        if let Some(bank) = self.banks.get(bank as usize) {
            let at = (offset as usize).min(bank.len());
            let end = (at + bytes).min(bank.len());
            word[..end - at].copy_from_slice(&bank[at..end]);
        }
        u64::from_le_bytes(word)
    }

    pub fn read_shared(&self, at: u64, bytes: usize) -> Result<u64, &'static str> {
        let at = at as usize;
        let own = self.shared.get(at..at + bytes).ok_or("a read after the end of shared memory")?;
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(own);
        Ok(u64::from_le_bytes(word))
    }

    pub fn write_shared(&mut self, at: u64, bytes: usize, value: u64) -> Result<(), &'static str> {
        let at = at as usize;
        let own = self.shared.get_mut(at..at + bytes).ok_or("a write after the end of shared memory")?;
        own.copy_from_slice(&value.to_le_bytes()[..bytes]);
        Ok(())
    }

    /// Lets threads arrive at a barrier; returns how often it was passed before.
    pub fn arrive(
        &mut self,
        number: u8,
        expected: Option<u32>,
        threads: u32,
        holds: u32,
        reduces: Option<Vote>,
    ) -> u64 {
        let barrier = &mut self.barriers[number as usize];
        let generation = barrier.generation;
        barrier.arrived += threads;
        barrier.holds += holds;
        (barrier.expected, barrier.reduces) = (expected, reduces);
        barrier.pass(self.threads);
        generation
    }

    pub fn generation(&self, number: u8) -> u64 {
        self.barriers[number as usize].generation
    }

    pub fn barrier_result(&self, number: u8) -> (bool, u32) {
        self.barriers[number as usize].result
    }

    /// Removes threads that leave: barriers no longer wait for them.
    pub fn leave(&mut self, threads: u32) {
        self.threads -= threads;
        for barrier in &mut self.barriers {
            if barrier.arrived > 0 {
                barrier.pass(self.threads);
            }
        }
    }
}

impl Barrier {
    fn pass(&mut self, threads: u32) {
        if self.arrived >= self.expected.unwrap_or(threads) {
            let holds = match self.reduces {
                Some(Vote::All) => self.holds == self.arrived,
                _ => self.holds > 0,
            };
            *self = Barrier {
                generation: self.generation + 1,
                result: (holds, self.holds),
                ..Barrier::default()
            };
        }
    }
}
