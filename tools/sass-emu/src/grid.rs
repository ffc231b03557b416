//! A launch, block by block.
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
use crate::decode::{self, Step, Unknown};
use crate::instruction::Instruction;
use crate::lanes::{Row, LANES};
use crate::memory::Memory;
use crate::warp::{State, Warp};
use crate::world::World;
pub use crate::world::{Access, AccessKind, Observer, Stop, CONSTANTS_WINDOW, LOCAL_WINDOW, SHARED_WINDOW};

/// The first address above a thread's stack, in local memory.
const STACK: u32 = 0x00ff_fc00;

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
    let shared = kernel.shared.max(if cubin.architecture >= 90 { 1024 } else { 0 }) + launch.shared;
    let mut world = World::new(code, global, observer, banks, shared as usize, launch.budget);
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
    world.begin_block(block, threads);
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
            world.begin_slice();
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
    fn a_shifted_sum_with_a_negated_zero_carries() {
        // (40 >> 3) - R9, and the carry, which is 1 unless it borrows.
        let carry = |number| {
            let mut code = START.to_vec();
            code.extend([
                ("", "MOV", "R8,0x28"),
                ("", "MOV", number),
                ("", "LEA.HI", "R2,P0,R8,-R9,RZ,0x1d"),
                ("", "IADD3.X", "R2,R2,RZ,RZ,P0,!PT"),
            ]);
            code.extend(STORE);
            words(&code).unwrap()[0]
        };
        assert_eq!((carry("R9,0x0"), carry("R9,0x5"), carry("R9,0x6")), (6, 1, u32::MAX));
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
