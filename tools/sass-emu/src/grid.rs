//! A launch: blocks, their barriers, and everything that warps share.
//!
//! **Problem.** Blocks share global memory. The warps of a block share its shared memory and
//! barriers. Some kernels wait for other blocks.
//!
//! **Method.** Blocks run one after the other, and the warps of a block take turns. If all warps of
//! a block wait for a block that has not begun, or spin without end, the run stops with an error.
//! Constant bank 0 holds the sizes of the launch and the parameters, at the places of each
//! architecture.
//!
//! **Source.** The layout of bank 0: `cuobjdump -elf` and ptxas' code for `%ntid`, `%nctaid` and
//! `cvta`.
//!
//! **Complexity.** Linear in the instructions that warps run.

use crate::cubin::{Cubin, Kernel};
use crate::decode::{self, Place, Space, Step, Unknown, Vote};
use crate::instruction::Instruction;
use crate::memory::Memory;
use crate::warp::{Row, Row64, State, Warp, LANES};

/// The window of shared memory in generic addresses.
pub const SHARED_WINDOW: u64 = 0xf00 << 32;
/// The window of local memory in generic addresses.
pub const LOCAL_WINDOW: u64 = 0xf01 << 32;
/// The window of the program's constants, bank 3, in generic addresses.
pub const CONSTANTS_WINDOW: u64 = 0xf02 << 32;
/// The first address above a thread's stack, in local memory.
const STACK: u32 = 0x00ff_fc00;

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

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Blocks of the grid, and threads of a block.
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u64,
    /// The bytes of all parameters.
    pub parameters: Vec<u8>,
    /// The most warp instructions that may run.
    pub budget: u64,
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

/// The code of a kernel, ready to run.
pub struct Program<'a> {
    pub cubin: &'a Cubin,
    pub kernel: &'a Kernel,
    code: Vec<Result<Step, Unknown>>,
}

impl<'a> Program<'a> {
    pub fn new(cubin: &'a Cubin, kernel: &'a Kernel, code: &[Instruction]) -> Self {
        Program { cubin, kernel, code: decode::decode(code, &kernel.functions) }
    }

    /// A program for a run whose values do not matter, such as one for its time
    /// ([`decode::decode_assuming`]). Returns the opcodes of the instructions that do nothing in it
    /// too.
    pub fn assuming(cubin: &'a Cubin, kernel: &'a Kernel, code: &[Instruction]) -> (Self, Vec<String>) {
        let (code, assumed) = decode::decode_assuming(code, &kernel.functions);
        (Program { cubin, kernel, code }, assumed)
    }

    /// The instructions that the emulator does not know.
    pub fn unknown(&self) -> impl Iterator<Item = &Unknown> {
        self.code.iter().filter_map(|step| step.as_ref().err())
    }
}

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

impl<O: Observer> World<'_, O> {
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

/// Writes bank 0: the sizes of the launch, windows, the stack, and the parameters.
fn bank0(cubin: &Cubin, kernel: &Kernel, launch: &Launch) -> Vec<u8> {
    let (start, size) = kernel.parameters;
    let mut bank = vec![
        0;
        (kernel.bank0.max(start + size.max(launch.parameters.len() as u32)) + 64).max(0x400)
            as usize
    ];
    let mut put = |at: usize, bytes: &[u8]| bank[at..at + bytes.len()].copy_from_slice(bytes);
    let constants = match cubin.architecture {
        ..90 => 0x50,
        90..100 => 0xd0,
        _ => 0x120,
    };
    put(constants, &CONSTANTS_WINDOW.to_le_bytes());
    // The offsets of the block's sizes, the grid's, and the stack pointer.
    let [block, blocks, stack] = if cubin.architecture >= 100 {
        put(0x2f8, &LOCAL_WINDOW.to_le_bytes());
        [0x360, 0x370, 0x37c]
    } else {
        put(0x18, &SHARED_WINDOW.to_le_bytes());
        put(0x20, &LOCAL_WINDOW.to_le_bytes());
        [0, 0xc, 0x28]
    };
    for axis in 0..3 {
        put(block + 4 * axis, &launch.block[axis].to_le_bytes());
        put(blocks + 4 * axis, &launch.grid[axis].to_le_bytes());
    }
    put(stack, &STACK.to_le_bytes());
    put(start as usize, &launch.parameters);
    bank
}

/// A run of a launch.
pub struct Run<'a, O> {
    pub global: Memory<'a>,
    pub observer: O,
    /// Instructions that warps have issued.
    pub executed: u64,
    /// `None` if the kernel ended.
    pub stop: Option<Stop>,
}

/// Runs all blocks of a launch, in the order of their numbers.
pub fn run<'a, O: Observer>(
    program: &'a Program,
    launch: &Launch,
    global: Memory<'a>,
    observer: O,
) -> Run<'a, O> {
    let total = launch.grid.iter().map(|&size| u64::from(size)).product();
    run_some(program, launch, global, observer, 0..total, u64::MAX)
}

/// Runs these blocks of a launch, by their numbers, until warps have issued `enough` instructions.
pub fn run_some<'a, O: Observer>(
    program: &'a Program,
    launch: &Launch,
    mut global: Memory<'a>,
    observer: O,
    blocks: impl IntoIterator<Item = u64>,
    enough: u64,
) -> Run<'a, O> {
    let Program { cubin, kernel, code } = program;
    for (address, bytes) in &cubin.initial {
        global.fill(*address, bytes);
    }
    let mut banks = vec![Vec::new(); 8];
    for (number, bytes) in &kernel.banks {
        if let Some(bank) = banks.get_mut(*number as usize) {
            bank.clone_from(bytes);
        }
        if *number == 3 {
            global.fill(CONSTANTS_WINDOW, bytes);
        }
    }
    banks[0] = bank0(cubin, kernel, launch);
    let mut world = World {
        code,
        global,
        observer,
        block: [0; 3],
        executed: 0,
        rows: [[0; LANES]; 8],
        banks,
        shared: vec![
            0;
            (kernel.shared.max(if cubin.architecture >= 90 { 1024 } else { 0 }) + launch.shared)
                as usize
        ],
        barriers: [Barrier::default(); 16],
        threads: 0,
        budget: launch.budget,
        slice_ends: 0,
    };
    let [x, y, _] = launch.grid.map(u64::from);
    let mut stop = None;
    for number in blocks {
        if stop.is_some() || world.executed >= enough {
            break;
        }
        let block = [number % x, number / x % y, number / x / y].map(|place| place as u32);
        stop = run_block(&mut world, launch, block).err();
    }
    Run { global: world.global, observer: world.observer, executed: world.executed, stop }
}

fn run_block<O: Observer>(world: &mut World<O>, launch: &Launch, block: [u32; 3]) -> Result<(), Stop> {
    let [x, y, z] = launch.block;
    let threads = x * y * z;
    world.block = block;
    world.threads = threads;
    world.barriers = [Barrier::default(); 16];
    world.shared.fill(0);
    world.observer.block(block);
    let mut warps: Vec<Warp> = (0..threads.div_ceil(LANES as u32))
        .map(|number| {
            let first = number * LANES as u32;
            let row = |axis: usize| -> Row {
                std::array::from_fn(|lane| {
                    let thread = first + lane as u32;
                    [thread % x, thread / x % y, thread / x / y][axis]
                })
            };
            let alive = u32::MAX >> (LANES as u32 - (threads - first).min(LANES as u32));
            Warp::new(number, [row(0), row(1), row(2)], alive, Memory::new(|_: u64, _: &mut [u8]| {}))
        })
        .collect();
    loop {
        let (mut has_run, mut is_done) = (false, true);
        for warp in &mut warps {
            world.slice_ends = world.executed + SLICE;
            match warp.run(world)? {
                State::Ran => (has_run, is_done) = (true, false),
                State::Waits => is_done = false,
                State::Done => {}
            }
        }
        if is_done {
            return Ok(());
        }
        if !has_run {
            return Err(Stop::Deadlock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::{listing, SIZE};

    /// Runs a kernel given as guard, opcode and operands; returns the words that lanes have stored
    /// from 0x1000 on.
    fn words(code: &[(&str, &str, &str)]) -> Result<Vec<u32>, Stop> {
        let lines: Vec<String> = code
            .iter()
            .map(|(guard, opcode, operands)| {
                let guard =
                    if guard.is_empty() { String::new() } else { format!("\"predicate\":\"{guard}\",") };
                format!("{{{guard}\"opcode\":\"{opcode}\",\"operands\":\"{operands}\"}}")
            })
            .collect();
        let json =
            format!("[{{}},[{{\"function-name\":\"k\",\"sass-instructions\":[{}]}}]]", lines.join(","));
        let kernel =
            Kernel { name: "k".to_owned(), code: vec![0; code.len() * SIZE as usize], ..Kernel::default() };
        let mut cubin = Cubin { architecture: 80, ..Cubin::default() };
        cubin.kernels.insert("k".to_owned(), kernel.clone());
        let listing = listing(&json, &cubin).unwrap();
        let program = Program::new(&cubin, &kernel, &listing["k"]);
        let launch =
            Launch { grid: [1; 3], block: [32, 1, 1], shared: 0, parameters: vec![], budget: 10_000 };
        let mut run = run(&program, &launch, Memory::new(|_: u64, _: &mut [u8]| {}), ());
        match run.stop {
            Some(stop) => Err(stop),
            None => Ok((0..32).map(|lane| run.global.read(0x1000 + 4 * lane, 4) as u32).collect()),
        }
    }

    /// Puts the lane's number into R0 and the first address into R6.
    const START: [(&str, &str, &str); 2] = [("", "S2R", "R0,SR_TID.X"), ("", "MOV", "R6,0x1000")];
    /// Stores R2 of each lane.
    const STORE: [(&str, &str, &str); 3] =
        [("", "IMAD.WIDE.U32", "R4,R0,0x4,R6"), ("", "STG.E", "[R4.64],R2"), ("", "EXIT", "")];

    #[test]
    fn lanes_that_part_meet_again() {
        let mut code = START.to_vec();
        code.extend([
            ("", "ISETP.GE.U32.AND", "P0,PT,R0,0x8,PT"),
            ("", "BSSY", "B0,0x80"),
            ("@P0", "BRA", "0x70"),
            ("", "MOV", "R2,0x1"),
            ("", "BRA", "0x80"),
            ("", "MOV", "R2,0x2"),
            ("", "BSYNC", "B0"),
            // All lanes vote together.
            ("", "VOTE.ANY", "R3,PT,PT"),
            ("", "POPC", "R3,R3"),
            ("", "IADD3", "R2,R2,R3,RZ"),
        ]);
        code.extend(STORE);
        let words = words(&code).unwrap();
        assert!(
            words[..8].iter().all(|&word| word == 33) && words[8..].iter().all(|&word| word == 34),
            "{words:?}"
        );
    }

    #[test]
    fn lanes_that_left_store_nothing() {
        let mut code = START.to_vec();
        code.extend([
            ("", "MOV", "R2,0x5"),
            ("", "ISETP.GE.U32.AND", "P0,PT,R0,0x3,PT"),
            ("@P0", "EXIT", ""),
        ]);
        code.extend(STORE);
        assert_eq!(words(&code).unwrap()[..5], [5, 5, 5, 0, 0]);
    }

    #[test]
    fn what_is_not_known_is_named() {
        let unknown = |opcode| match words(&[("", opcode, "R0,R1,R2,RZ"), ("", "EXIT", "")]) {
            Err(Stop::Unknown(unknown)) => unknown.to_string(),
            other => panic!("{other:?}"),
        };
        assert!(unknown("IADD3.NEW").contains("the modifier .NEW"));
        assert!(unknown("FROBNICATE").contains("FROBNICATE R0"));
    }

    #[test]
    fn carries_go_from_word_to_word() {
        // 0xffffffff + 1, and the carry; a difference that borrows.
        let mut code = START.to_vec();
        code.extend([
            ("", "MOV", "R8,0xffffffff"),
            ("", "IADD3", "R2,P0,R8,0x1,RZ"),
            ("", "IADD3.X", "R2,R2,0x7,RZ,P0,!PT"),
        ]);
        code.extend(STORE);
        assert_eq!(words(&code).unwrap()[0], 8);
    }
}
