//! A warp: 32 lanes that run a function together and diverge at branches.
//!
//! **Problem.** The lanes of a warp run in lockstep. They diverge at branches, wait for each other
//! at warp-wide instructions, and at barriers wait for the whole block.
//!
//! **Method.** Lanes at one place form a [`Group`]. The group that is deepest in calls runs first,
//! and among those the one earliest in the text. Groups that meet at one place become one. So loops
//! and ifs converge after their end, without an analysis of control flow. A warp-wide instruction
//! waits until all lanes that it names are there. One step is decoded once and run for all lanes of
//! the group: registers are rows of 32 numbers. A bit for each lane says whether its number is
//! undefined; for a number that is undefined in part, we keep its undefined bits too. Moves, loads,
//! stores, and integer instructions track them bit by bit.
//!
//! **Source.** PTX ISA, sections 3.1 "A Set of SIMT Multiprocessors", 3.2 "Independent Thread
//! Scheduling" and 9.7.
//!
//! **Deviation.** Between two instructions at which threads wait, a warp runs on its own: one of
//! the orders that PTX allows. Any other operation with an undefined bit in an operand gives an
//! undefined result, even where some of its bits would be known.
//!
//! **Complexity.** Linear in the instructions that groups run, times 32.

use rustc_hash::FxHashMap;

use crate::ptx::trace::Space;
use crate::ptx::value::mix;

use super::decode::*;
use super::integer::{mask as bits, sign_extend, Extended};
use super::matrix::{Fragment, Row};
use super::memory::Memory;
use super::program::Stop;
use super::world::{Undefined, World};

pub const LANES: usize = 32;

/// A mask of the lanes in `mask` for which something holds.
fn lanes_where(mask: u32, holds: impl Fn(usize) -> bool) -> u32 {
    lanes(mask).filter(|&lane| holds(lane)).fold(0, |all, lane| all | 1 << lane)
}

/// The numbers of the lanes in a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// A function call by lanes of a warp.
struct Frame {
    function: usize,
    registers: Vec<Row>,
    /// By register, the lanes whose number is undefined.
    undefined: Vec<u32>,
    /// For registers that were undefined in part: the undefined bits of each lane. They count only
    /// for lanes in `undefined`. A register that is not here is undefined in all bits.
    partial: FxHashMap<usize, Row>,
    carry: u32,
    carry_undefined: u32,
    /// Parameters of each lane, one lane after the other, and which of their bytes are undefined.
    parameters: Vec<u8>,
    parameters_undefined: Vec<bool>,
    parameter_size: usize,
    /// The address of its variables in local memory.
    local: u64,
    depth: usize,
    /// The frame and the place to return to, and where the results go there.
    caller: Option<(usize, usize)>,
    results: Vec<Piece>,
}

/// Lanes at one place.
#[derive(Clone, Debug)]
struct Group {
    mask: u32,
    frame: usize,
    at: usize,
    /// Whether it waits for other lanes of the warp.
    is_held: bool,
    /// The barrier that it waits at, and the generation whose end it waits for.
    barrier: Option<(usize, u64)>,
}

/// The numbers that the lanes read, and the lanes whose number is undefined.
#[derive(Clone, Copy)]
struct Read {
    row: Row,
    undefined: u32,
}

pub struct Warp {
    block: usize,
    number: usize,
    /// Thread numbers of the lanes, by axis.
    threads: [Row; 3],
    /// Lanes that have not left.
    alive: u32,
    groups: Vec<Group>,
    frames: Vec<Frame>,
    free: Vec<usize>,
    local: Memory,
    clock: u64,
    /// Atomic and volatile accesses so far, and how many slices in a row were used up.
    spun: usize,
    used_up: usize,
}

/// Atomic and volatile accesses of a warp before the next one has its turn. Two texts of a kernel
/// have equally many, so warps change at the same places.
const SLICE: usize = 512;
/// The same after a used-up slice, when lanes seem to spin for others that wait.
const SHORT_SLICE: usize = 16;

impl Warp {
    pub fn new(block: usize, number: usize, threads: [Row; 3], alive: u32, local: Memory) -> Self {
        let (groups, frames, free) = (Vec::new(), Vec::new(), Vec::new());
        Warp { block, number, threads, alive, groups, frames, free, local, clock: 0, spun: 0, used_up: 0 }
    }

    /// Puts all lanes at the start of a kernel.
    pub fn enter(&mut self, world: &World, kernel: usize) -> Result<(), Stop> {
        let frame = self.frame(world, kernel)?;
        self.groups.push(Group { mask: self.alive, frame, at: 0, is_held: false, barrier: None });
        Ok(())
    }

    pub fn is_done(&self) -> bool {
        self.groups.is_empty()
    }

    /// Makes a frame in which all registers are undefined.
    fn frame(&mut self, world: &World, function: usize) -> Result<usize, Stop> {
        let code = world.code(function)?;
        let size = code.parameter_size as usize;
        let is_tracked = world.undefined.is_tracked();
        let unwritten = |(register, width): (usize, &u64)| -> Row {
            std::array::from_fn(|lane| if is_tracked { 0 } else { mix(register as u64, lane as u64) & width })
        };
        let frame = Frame {
            function,
            registers: code.masks.iter().enumerate().map(unwritten).collect(),
            undefined: vec![if is_tracked { u32::MAX } else { 0 }; code.masks.len()],
            partial: FxHashMap::default(),
            carry: 0,
            carry_undefined: if is_tracked { u32::MAX } else { 0 },
            parameters: vec![0; size * LANES],
            parameters_undefined: vec![is_tracked; size * LANES],
            parameter_size: size,
            local: 0,
            depth: 0,
            caller: None,
            results: Vec::new(),
        };
        Ok(match self.free.pop() {
            Some(number) => {
                self.frames[number] = frame;
                number
            }
            None => {
                self.frames.push(frame);
                self.frames.len() - 1
            }
        })
    }

    /// Joins groups at one place, and chooses the one that runs.
    fn choose(&mut self, world: &World) -> Option<usize> {
        let mut index = 0;
        while index < self.groups.len() {
            let group = self.groups[index].clone();
            let other = self.groups[..index].iter().position(|other| {
                (other.frame, other.at, other.barrier) == (group.frame, group.at, group.barrier)
            });
            match other {
                Some(other) => {
                    self.groups[other].mask |= group.mask;
                    self.groups[other].is_held = false;
                    self.groups.swap_remove(index);
                }
                None => index += 1,
            }
        }
        let can_run = |group: &Group| {
            !group.is_held
                && group
                    .barrier
                    .is_none_or(|(number, generation)| world.generation(self.block, number) > generation)
        };
        let mut ready: Vec<usize> =
            (0..self.groups.len()).filter(|&index| can_run(&self.groups[index])).collect();
        ready.sort_by_key(|&index| {
            let group = &self.groups[index];
            (usize::MAX - self.frames[group.frame].depth, group.at)
        });
        ready.get(self.used_up % ready.len().max(1)).copied()
    }

    /// Runs until all lanes wait or have left, or for a slice; returns whether any step ran. After
    /// a slice that was used up, another group of the warp is chosen.
    pub fn run(&mut self, world: &mut World) -> Result<bool, Stop> {
        let mut has_run = false;
        let end = self.spun + if self.used_up == 0 { SLICE } else { SHORT_SLICE };
        while self.spun < end {
            let chosen = match self.groups.as_slice() {
                [] => return Ok(has_run),
                [only] if !only.is_held && only.barrier.is_none() => 0,
                _ => match self.choose(world) {
                    Some(chosen) => chosen,
                    None => {
                        self.used_up = 0;
                        return Ok(has_run);
                    }
                },
            };
            has_run |= self.step(world, chosen)?;
        }
        self.used_up += 1;
        Ok(has_run)
    }

    /// Releases lanes that wait for others that never come; returns whether there were any.
    pub fn release(&mut self, world: &mut World) -> Result<bool, Stop> {
        let Some(index) = self.groups.iter().position(|group| group.is_held) else { return Ok(false) };
        world.count_partial();
        self.groups[index].is_held = false;
        let group = self.groups[index].clone();
        self.step_of(world, index, group.mask)?;
        Ok(true)
    }

    fn step(&mut self, world: &mut World, index: usize) -> Result<bool, Stop> {
        let group = &self.groups[index];
        let needed = match world.code(self.frames[group.frame].function)?.steps.get(group.at) {
            Some(step) => self.lanes_needed(world, group, step),
            None => 0,
        };
        if needed & self.alive & !group.mask != 0 {
            self.groups[index].is_held = true;
            return Ok(false);
        }
        self.step_of(world, index, self.groups[index].mask)?;
        Ok(true)
    }

    /// The lanes that must be at an instruction before it runs.
    fn lanes_needed(&self, world: &World, group: &Group, step: &Step) -> u32 {
        match step.operation {
            Operation::Shuffle(_)
            | Operation::Vote(_)
            | Operation::Match { .. }
            | Operation::Redux(_)
            | Operation::Elect
            | Operation::WarpBarrier => {
                let first = group.mask.trailing_zeros() as usize;
                match step.sources.last() {
                    Some(&source) => self.read(world, group, source).row[first % LANES] as u32,
                    None => u32::MAX,
                }
            }
            Operation::Matrix(_)
            | Operation::LoadMatrix { .. }
            | Operation::StoreMatrix { .. }
            | Operation::MoveMatrix
            | Operation::LoadFragment { .. }
            | Operation::StoreFragment { .. }
            | Operation::Opaque { .. } => u32::MAX,
            _ => 0,
        }
    }

    fn read(&self, world: &World, group: &Group, source: Source) -> Read {
        let frame = &self.frames[group.frame];
        let all = |number: u64| Read { row: [number; LANES], undefined: 0 };
        match source {
            Source::Register(register) => {
                Read { row: frame.registers[register], undefined: frame.undefined[register] }
            }
            Source::Not(register) => Read {
                row: frame.registers[register].map(|bit| bit ^ 1),
                undefined: frame.undefined[register],
            },
            Source::Constant(number) => all(number),
            Source::Local(at) => all(frame.local + at),
            Source::Special(special) => match special {
                Special::Thread(axis) => Read { row: self.threads[axis], undefined: 0 },
                Special::Threads(axis) => all(world.launch.block[axis].into()),
                Special::Block(axis) => all(world.block_index(self.block, axis)),
                Special::Blocks(axis) => all(world.launch.grid[axis].into()),
                Special::Lane => Read { row: std::array::from_fn(|lane| lane as u64), undefined: 0 },
                Special::Warp => all(self.number as u64),
                Special::Warps => all(world.launch.threads().div_ceil(LANES as u64)),
                Special::Lanes(kind) => Read {
                    row: std::array::from_fn(|lane| {
                        let (own, below) = (1 << lane, bits(lane as u32));
                        match kind {
                            LaneMask::Equal => own,
                            LaneMask::Less => below,
                            LaneMask::LessOrEqual => below | own,
                            LaneMask::Greater => bits(32) & !(below | own),
                            LaneMask::GreaterOrEqual => bits(32) & !below,
                        }
                    }),
                    undefined: 0,
                },
                Special::DynamicShared => all(world.launch.shared),
                Special::TotalShared => all(world.program.image.shared_size + world.launch.shared),
                Special::Constant(number) => all(number),
                Special::Changing => Read { row: [self.clock; LANES], undefined: u32::MAX },
            },
        }
    }

    fn write(&mut self, world: &World, group: &Group, register: Option<usize>, mask: u32, value: &Read) {
        let Some(register) = register else { return };
        let frame = &mut self.frames[group.frame];
        let Ok(code) = world.code(frame.function) else { return };
        let width = code.masks[register];
        for lane in lanes(mask) {
            frame.registers[register][lane] = value.row[lane] & width;
        }
        let undefined = if world.undefined.is_tracked() { value.undefined & mask } else { 0 };
        frame.undefined[register] = (frame.undefined[register] & !mask) | undefined;
        if undefined != 0 {
            if let Some(row) = frame.partial.get_mut(&register) {
                lanes(undefined).for_each(|lane| row[lane] = u64::MAX);
            }
        }
    }

    /// The undefined bits of one lane's number.
    fn undefined_bits(&self, group: &Group, source: Source, lane: usize) -> u64 {
        match source {
            Source::Register(register) | Source::Not(register) => {
                let frame = &self.frames[group.frame];
                match frame.undefined[register] >> lane & 1 {
                    1 => frame.partial.get(&register).map_or(u64::MAX, |row| row[lane]),
                    _ => 0,
                }
            }
            Source::Special(Special::Changing) => u64::MAX,
            Source::Constant(_) | Source::Local(_) | Source::Special(_) => 0,
        }
    }

    /// Restricts the undefined bits of a lane's number, which was written as undefined, to these.
    fn narrow(&mut self, world: &World, group: &Group, register: Option<usize>, lane: usize, undefined: u64) {
        let Some(register) = register else { return };
        let frame = &mut self.frames[group.frame];
        let Ok(code) = world.code(frame.function) else { return };
        let width = code.masks[register];
        if undefined & width == 0 {
            frame.undefined[register] &= !(1 << lane);
        } else if undefined & width != width && frame.undefined[register] >> lane & 1 == 1 {
            frame.partial.entry(register).or_insert([u64::MAX; LANES])[lane] = undefined & width;
        }
    }

    /// Runs the instruction at which a group is, for the lanes of `mask`, and moves the group on.
    fn step_of(&mut self, world: &mut World, index: usize, mask: u32) -> Result<(), Stop> {
        let program = world.program;
        let group = self.groups[index].clone();
        let code = program.code(self.frames[group.frame].function)?;
        let Some(step) = code.steps.get(group.at) else {
            // The closing brace returns.
            return self.leave(world, index, mask, false);
        };
        world.count(mask)?;
        self.clock += 1;
        self.spun += usize::from(step.may_spin);
        // The barrier has passed; it was run when the group arrived.
        if let Some((number, _)) = group.barrier {
            if let Operation::Barrier { reduction: Some(reduction), .. } = step.operation {
                let result = world.reduction(self.block, number, reduction);
                let value = Read { row: [result; LANES], undefined: 0 };
                self.write(world, &group, step.results[0], mask, &value);
            }
            self.groups[index].barrier = None;
            self.groups[index].at += 1;
            return Ok(());
        }
        let mut active = mask;
        if let Some((register, negated)) = step.guard {
            let guard = self.read(world, &group, Source::Register(register));
            let unknown = guard.undefined & mask;
            if unknown != 0 {
                if step.results.is_empty() || matches!(step.operation, Operation::Atomic { .. }) {
                    return Err(Stop::Undefined(step.line, "a guard"));
                }
                // Whether it runs is undefined; so are its results.
                let undefined = Read { row: [0; LANES], undefined: u32::MAX };
                for &result in &step.results {
                    self.write(world, &group, result, unknown, &undefined);
                }
            }
            active = lanes_where(mask & !unknown, |lane| (guard.row[lane] == 1) != negated);
        }
        if active == 0 {
            self.groups[index].at += 1;
            return Ok(());
        }
        match &step.operation {
            Operation::Branch(target) => self.part(index, mask, active, Some(*target)),
            Operation::Table(targets) => self.table(world, step, index, mask, active, targets)?,
            Operation::Return | Operation::Exit => {
                self.part(index, mask, active, None);
                let leaving = self.groups.len() - 1;
                let is_exit = matches!(step.operation, Operation::Exit);
                self.leave(world, leaving, active, is_exit)?;
            }
            Operation::Trap => return Err(Stop::Trap(step.line, "trap".to_owned())),
            Operation::Call { callee, arguments, results } => {
                self.part(index, mask, active, None);
                let calling = self.groups.len() - 1;
                self.call(world, step, calling, callee, arguments, results)?;
            }
            Operation::Barrier { waits, .. } => {
                self.part(index, mask, active, None);
                let waiting = self.groups.len() - 1;
                self.barrier(world, step, waiting, *waits)?;
            }
            _ => {
                self.compute(world, step, &group, active)?;
                self.groups[index].at += 1;
            }
        }
        Ok(())
    }

    /// Takes the active lanes out of a group and moves the rest on. They become the last group, at
    /// the target or at the same instruction.
    fn part(&mut self, index: usize, mask: u32, active: u32, target: Option<usize>) {
        let mut taken = self.groups[index].clone();
        taken.mask = active;
        taken.at = target.unwrap_or(taken.at);
        self.groups[index].mask = mask & !active;
        self.groups[index].at += 1;
        if self.groups[index].mask == 0 {
            self.groups.remove(index);
        }
        self.groups.push(taken);
    }

    /// brx.idx. PTX ISA, section 9.7.12.
    fn table(
        &mut self,
        world: &World,
        step: &Step,
        index: usize,
        mask: u32,
        active: u32,
        targets: &[usize],
    ) -> Result<(), Stop> {
        let group = self.groups[index].clone();
        let value = self.read(world, &group, step.sources[0]);
        if value.undefined & active != 0 {
            return Err(Stop::Undefined(step.line, "the index of a branch"));
        }
        let mut left = active;
        while left != 0 {
            let choice = value.row[left.trailing_zeros() as usize] & bits(32);
            let same = lanes_where(left, |lane| value.row[lane] & bits(32) == choice);
            let Some(&target) = targets.get(choice as usize) else {
                return Err(Stop::Undefined(step.line, "an index past the table of a branch"));
            };
            self.groups.push(Group { mask: same, at: target, ..group.clone() });
            left &= !same;
        }
        self.groups[index] = Group { mask: mask & !active, at: group.at + 1, ..group };
        if mask == active {
            self.groups.remove(index);
        }
        Ok(())
    }

    /// Lets a group return to its caller, or leave the kernel.
    fn leave(&mut self, world: &mut World, index: usize, mask: u32, is_exit: bool) -> Result<(), Stop> {
        let group = self.groups[index].clone();
        let caller = self.frames[group.frame].caller.filter(|_| !is_exit);
        match caller {
            Some((frame, at)) => {
                let pieces = std::mem::take(&mut self.frames[group.frame].results);
                let head = &world.program.image.heads[self.frames[group.frame].function];
                let own: Vec<Piece> =
                    head.results.iter().map(|result| (result.offset, result.size)).collect();
                self.copy_parameters(group.frame, &own, frame, &pieces, mask);
                self.frames[group.frame].results = pieces;
                self.groups[index] = Group { mask, frame, at, is_held: false, barrier: None };
            }
            None => {
                self.alive &= !mask;
                self.groups.remove(index);
                world.leave(self.block, mask.count_ones());
                self.groups.iter_mut().for_each(|group| group.is_held = false);
            }
        }
        if caller.is_some() && !self.is_in_use(group.frame) {
            self.free.push(group.frame);
        }
        Ok(())
    }

    /// Whether lanes are in a frame, or in a function called from it.
    fn is_in_use(&self, frame: usize) -> bool {
        self.groups.iter().any(|group| {
            let callers = |&own: &usize| self.frames[own].caller.map(|(caller, _)| caller);
            std::iter::successors(Some(group.frame), callers).any(|own| own == frame)
        })
    }

    fn copy_parameters(&mut self, from: usize, sources: &[Piece], to: usize, targets: &[Piece], mask: u32) {
        for (&(source, size), &(target, room)) in sources.iter().zip(targets) {
            for lane in lanes(mask) {
                for byte in 0..size.min(room) as usize {
                    let [a, b] = [(from, source), (to, target)].map(|(frame, offset)| {
                        lane * self.frames[frame].parameter_size + offset as usize + byte
                    });
                    self.frames[to].parameters[b] = self.frames[from].parameters[a];
                    self.frames[to].parameters_undefined[b] = self.frames[from].parameters_undefined[a];
                }
            }
        }
    }

    /// call. PTX ISA, section 9.7.12.
    fn call(
        &mut self,
        world: &mut World,
        step: &Step,
        index: usize,
        callee: &Callee,
        arguments: &[Piece],
        results: &[Piece],
    ) -> Result<(), Stop> {
        let group = self.groups[index].clone();
        let function = match callee {
            Callee::Function(function) => *function,
            Callee::Register(source) => {
                let value = self.read(world, &group, *source);
                let first = group.mask.trailing_zeros() as usize;
                if value.undefined & group.mask != 0 {
                    return Err(Stop::Undefined(step.line, "a callee"));
                }
                // Lanes that call another function stay here, and call after these.
                let same = lanes_where(group.mask, |lane| value.row[lane] == value.row[first]);
                if same != group.mask {
                    self.groups.push(Group { mask: group.mask & !same, ..group.clone() });
                    self.groups[index].mask = same;
                }
                let function = world.program.image.function_at(value.row[first]);
                function.ok_or(Stop::Undefined(step.line, "a call of no function"))?
            }
            Callee::System(name) => return self.call_system(world, step, index, name, arguments, results),
        };
        let mask = self.groups[index].mask;
        let number = self.frame(world, function)?;
        let caller = &self.frames[group.frame];
        let local = caller.local + world.code(caller.function)?.local_size;
        let depth = caller.depth + 1;
        if depth > 200 {
            return Err(Stop::Trap(step.line, "a recursion too deep".to_owned()));
        }
        let head = &world.program.image.heads[function];
        let formal: Vec<Piece> = head.parameters.iter().map(|p| (p.offset, p.size)).collect();
        self.copy_parameters(group.frame, arguments, number, &formal, mask);
        let frame = &mut self.frames[number];
        (frame.local, frame.depth) = (local, depth);
        (frame.caller, frame.results) = (Some((group.frame, group.at + 1)), results.to_vec());
        self.groups[index] = Group { mask, frame: number, at: 0, is_held: false, barrier: None };
        Ok(())
    }

    /// Runs a device function of CUDA's runtime.
    fn call_system(
        &mut self,
        world: &mut World,
        step: &Step,
        index: usize,
        name: &str,
        arguments: &[Piece],
        results: &[Piece],
    ) -> Result<(), Stop> {
        let group = self.groups[index].clone();
        if name == "__assertfail" {
            return Err(Stop::Trap(step.line, name.to_owned()));
        }
        let frame = &mut self.frames[group.frame];
        for lane in lanes(group.mask) {
            let first = lane * frame.parameter_size;
            let mut word = |offset: usize, value: Option<u64>, size: usize| {
                let range = first + offset..first + offset + size.min(8);
                if let Some(value) = value {
                    frame.parameters[range.clone()].copy_from_slice(&value.to_le_bytes()[..size.min(8)]);
                    frame.parameters_undefined[range.clone()].fill(false);
                }
                let bytes = frame.parameters[range].iter().rev();
                bytes.fold(0, |value, &byte| value << 8 | u64::from(byte))
            };
            let values: Vec<u64> =
                arguments.iter().map(|&(offset, size)| word(offset as usize, None, size as usize)).collect();
            let result = match name {
                "malloc" => world.allocate(values.first().copied().unwrap_or(0)),
                "vprintf" => {
                    // The format is the same text on both sides; its address is that of a variable.
                    let thread =
                        self.threads.iter().fold(self.block as u64, |hash, row| mix(hash, row[lane]));
                    world.tell(thread, values.first().copied().unwrap_or(0));
                    1
                }
                _ => 0,
            };
            if let Some(&(offset, size)) = results.first() {
                word(offset as usize, Some(result), size as usize);
            }
        }
        self.groups[index].at += 1;
        Ok(())
    }

    /// bar.sync, bar.arrive, bar.red. PTX ISA, section 9.7.13.
    fn barrier(&mut self, world: &mut World, step: &Step, index: usize, waits: bool) -> Result<(), Stop> {
        let group = self.groups[index].clone();
        let first = group.mask.trailing_zeros() as usize;
        let reads: Vec<Read> = step.sources.iter().map(|&source| self.read(world, &group, source)).collect();
        if reads.iter().any(|read| read.undefined & group.mask != 0) {
            return Err(Stop::Undefined(step.line, "an operand of a barrier"));
        }
        let Operation::Barrier { reduction, .. } = step.operation else { return Ok(()) };
        let (numbers, predicate) = match (reduction, reads.as_slice()) {
            (Some(_), [numbers @ .., predicate]) => (numbers, Some(predicate)),
            (_, numbers) => (numbers, None),
        };
        let number = numbers.first().map_or(0, |read| read.row[first]) as usize;
        let expected = numbers.get(1).map(|read| read.row[first] as u32);
        if number > 15 {
            return Err(Stop::Undefined(step.line, "a barrier past the 16th"));
        }
        let holds =
            predicate.map_or(0, |read| lanes(group.mask).filter(|&lane| read.row[lane] == 1).count() as u32);
        let generation = world.arrive(self.block, number, expected, group.mask.count_ones(), holds);
        if waits {
            self.groups[index].barrier = Some((number, generation));
        } else {
            self.groups[index].at += 1;
        }
        Ok(())
    }

    /// Runs an instruction after which control goes on.
    fn compute(&mut self, world: &mut World, step: &Step, group: &Group, mask: u32) -> Result<(), Stop> {
        match &step.operation {
            Operation::Nothing | Operation::WarpBarrier => {}
            Operation::Undefine => {
                // A register that is not written keeps its number.
                if world.undefined == Undefined::Arbitrary {
                    return Ok(());
                }
                let undefined = Read { row: [0; LANES], undefined: u32::MAX };
                step.results.iter().for_each(|&result| self.write(world, group, result, mask, &undefined));
            }
            Operation::Move { from, to } => self.copy(world, step, group, mask, *from, *to),
            Operation::Pure(pure) => self.pure(world, step, group, mask, pure),
            Operation::Test { test, join } => self.test(world, step, group, mask, test, *join),
            Operation::Extended(extended) => self.extended(world, step, group, mask, extended),
            Operation::Load { address, bytes, is_signed } => {
                self.load(world, step, group, mask, address, *bytes, *is_signed)?;
            }
            Operation::Store { address, bytes } => self.store(world, step, group, mask, address, *bytes)?,
            Operation::Atomic { address, bytes, change } => {
                self.atomic(world, step, group, mask, address, *bytes, change)?;
            }
            Operation::Copy { to, from, bytes, has_predicate } => {
                self.copy_async(world, step, group, mask, (to, from), *bytes, *has_predicate)?
            }
            Operation::Shuffle(shuffle) => self.shuffle(world, step, group, mask, *shuffle),
            Operation::Vote(vote) => self.vote(world, step, group, mask, *vote),
            Operation::Match { is_all, width } => self.match_lanes(world, step, group, mask, *is_all, *width),
            Operation::Redux(pure) => self.redux(world, step, group, mask, pure),
            Operation::ActiveMask => {
                let value = Read { row: [mask.into(); LANES], undefined: 0 };
                self.write(world, group, step.results[0], mask, &value);
            }
            Operation::Elect => self.elect(world, step, group, mask),
            Operation::Matrix(matrix) => self.matrix(world, step, group, mask, matrix),
            Operation::LoadMatrix { address, count, is_transposed } => {
                self.load_matrix(world, step, group, address, *count, *is_transposed)?;
            }
            Operation::StoreMatrix { address, count, is_transposed } => {
                self.store_matrix(world, step, group, address, *count, *is_transposed)?;
            }
            Operation::MoveMatrix => self.move_matrix(world, step, group, mask),
            Operation::LoadFragment { address, fragment } => {
                self.load_fragment(world, step, group, mask, address, fragment)?
            }
            Operation::StoreFragment { address, fragment } => {
                self.store_fragment(world, step, group, mask, address, fragment)?
            }
            Operation::Opaque { seed, results } => self.opaque(world, step, group, mask, *seed, *results),
            Operation::Branch(_)
            | Operation::Table(_)
            | Operation::Call { .. }
            | Operation::Return
            | Operation::Exit
            | Operation::Trap
            | Operation::Barrier { .. } => {}
        }
        Ok(())
    }

    /// add.cc and its like. PTX ISA, section 9.7.2.
    fn extended(&mut self, world: &World, step: &Step, group: &Group, mask: u32, extended: &Extended) {
        let reads = self.reads(world, step, group);
        let frame = &self.frames[group.frame];
        let mut undefined = undefined_in(&reads);
        if extended.reads_carry() {
            undefined |= frame.carry_undefined;
        }
        let (mut value, mut carry) = (Read { row: [0; LANES], undefined }, 0);
        for lane in lanes(mask) {
            let operands = operands(&reads, lane);
            let (result, is_set) = extended.eval(operands, frame.carry >> lane & 1 == 1);
            value.row[lane] = result;
            carry |= u32::from(is_set) << lane;
        }
        if extended.writes_carry {
            let frame = &mut self.frames[group.frame];
            frame.carry = (frame.carry & !mask) | carry;
            frame.carry_undefined = (frame.carry_undefined & !mask) | (undefined & mask);
        }
        self.write(world, group, step.results[0], mask, &value);
    }

    /// redux.sync. PTX ISA, section 9.7.13.
    fn redux(&mut self, world: &World, step: &Step, group: &Group, mask: u32, pure: &Pure) {
        let value = self.read(world, group, step.sources[0]);
        let all = lanes(mask).map(|lane| value.row[lane]).reduce(|a, b| pure.eval([a, b, 0, 0]));
        let undefined = if value.undefined & mask != 0 { u32::MAX } else { 0 };
        let result = Read { row: [all.unwrap_or(0); LANES], undefined };
        self.write(world, group, step.results[0], mask, &result);
    }

    /// elect.sync. PTX ISA, section 9.7.13.
    fn elect(&mut self, world: &World, step: &Step, group: &Group, mask: u32) {
        let leader = mask.trailing_zeros();
        let lane = Read { row: [leader.into(); LANES], undefined: 0 };
        let is_leader =
            Read { row: std::array::from_fn(|lane| (lane as u32 == leader).into()), undefined: 0 };
        self.write(world, group, step.results[0], mask, &lane);
        self.write(world, group, step.results.get(1).copied().flatten(), mask, &is_leader);
    }

    /// movmatrix. PTX ISA, section 9.7.14.
    fn move_matrix(&mut self, world: &World, step: &Step, group: &Group, mask: u32) {
        let from = self.read(world, group, step.sources[0]);
        let half = |row: usize, column: usize| from.row[row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
        let row = std::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            half(column, row) | half(column + 1, row) << 16
        });
        let undefined = if from.undefined != 0 { u32::MAX } else { 0 };
        self.write(world, group, step.results[0], mask, &Read { row, undefined });
    }

    /// wmma.load. PTX ISA, section 9.7.14.
    fn load_fragment(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        mask: u32,
        address: &Address,
        fragment: &Fragment,
    ) -> Result<(), Stop> {
        let (places, _) = self.addresses(world, step, group, mask, address)?;
        let stride = self.read(world, group, step.sources[0]).row;
        let bytes = fragment.element_bits() as usize / 8;
        for (register, &result) in step.results.iter().enumerate() {
            let mut value = Read { row: [0; LANES], undefined: 0 };
            for lane in lanes(mask) {
                let elements = fragment.elements(lane, register, stride[lane] & bits(32));
                for (index, element) in elements.into_iter().enumerate() {
                    let at = places[lane].wrapping_add(element * bytes as u64);
                    let (part, undefined) = self.peek(world, group, address, at, bytes, lane);
                    value.row[lane] |= part << (8 * bytes * index);
                    value.undefined |= u32::from(undefined != 0) << lane;
                }
            }
            self.write(world, group, result, mask, &value);
        }
        Ok(())
    }

    /// wmma.store. PTX ISA, section 9.7.14.
    fn store_fragment(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        mask: u32,
        address: &Address,
        fragment: &Fragment,
    ) -> Result<(), Stop> {
        let (places, _) = self.addresses(world, step, group, mask, address)?;
        let reads = self.reads(world, step, group);
        let bytes = fragment.element_bits() as usize / 8;
        for (register, read) in reads[1..].iter().enumerate() {
            for lane in lanes(mask) {
                let elements = fragment.elements(lane, register, reads[0].row[lane] & bits(32));
                for (index, element) in elements.into_iter().enumerate() {
                    let at = places[lane].wrapping_add(element * bytes as u64);
                    let undefined = self.undefined_bits(group, step.sources[1 + register], lane);
                    let [value, undefined] =
                        [read.row[lane], undefined].map(|bits| bits >> (8 * bytes * index));
                    self.poke(world, group, address, at, bytes, lane, value, undefined);
                }
            }
        }
        Ok(())
    }

    /// An instruction whose results are hashes of everything that it reads.
    fn opaque(&mut self, world: &World, step: &Step, group: &Group, mask: u32, seed: u64, results: usize) {
        let reads = self.reads(world, step, group);
        let undefined = if reads.iter().any(|read| read.undefined & mask != 0) { u32::MAX } else { 0 };
        let all = reads.iter().flat_map(|read| read.row).fold(mix(seed, world.stored(self.block)), mix);
        for index in 0..results {
            let row = std::array::from_fn(|lane| mix(all, (index * LANES + lane) as u64));
            self.write(world, group, step.results[index], mask, &Read { row, undefined });
        }
    }

    fn reads(&self, world: &World, step: &Step, group: &Group) -> Vec<Read> {
        step.sources.iter().map(|&source| self.read(world, group, source)).collect()
    }

    /// mov. PTX ISA, section 9.7.9.
    fn copy(&mut self, world: &World, step: &Step, group: &Group, mask: u32, from: u32, to: u32) {
        let mut whole = Read { row: [0; LANES], undefined: 0 };
        for (index, &source) in step.sources.iter().enumerate() {
            let part = self.read(world, group, source);
            for (all, part) in whole.row.iter_mut().zip(part.row) {
                *all |= (part & bits(from)) << (index as u32 * from);
            }
            whole.undefined |= part.undefined;
        }
        let undefined_in_lane = |lane: usize| {
            let parts = step.sources.iter().enumerate().map(|(index, &source)| {
                (self.undefined_bits(group, source, lane) & bits(from)) << (index as u32 * from)
            });
            (lane, parts.fold(0, |all, part| all | part))
        };
        let partly: Vec<(usize, u64)> = lanes(whole.undefined & mask).map(undefined_in_lane).collect();
        for (index, &result) in step.results.iter().enumerate() {
            let row = whole.row.map(|value| value >> (index as u32 * to) & bits(to));
            self.write(world, group, result, mask, &Read { row, undefined: whole.undefined });
            for &(lane, undefined) in &partly {
                self.narrow(world, group, result, lane, undefined >> (index as u32 * to) & bits(to));
            }
        }
    }

    fn pure(&mut self, world: &World, step: &Step, group: &Group, mask: u32, pure: &Pure) {
        let reads = self.reads(world, step, group);
        let mut value = Read { row: [0; LANES], undefined: undefined_in(&reads) };
        for lane in lanes(mask) {
            value.row[lane] = pure.eval(operands(&reads, lane));
        }
        let undefined_in_lane = |lane: usize| {
            let mut undefined = [0; 4];
            for (bits, &source) in undefined.iter_mut().zip(&step.sources) {
                *bits = self.undefined_bits(group, source, lane);
            }
            (lane, pure.undefined(operands(&reads, lane), undefined))
        };
        let partly: Vec<(usize, u64)> = lanes(value.undefined & mask).map(undefined_in_lane).collect();
        self.write(world, group, step.results[0], mask, &value);
        for (lane, undefined) in partly {
            self.narrow(world, group, step.results[0], lane, undefined);
        }
    }

    /// setp. PTX ISA, section 9.7.7.
    fn test(
        &mut self,
        world: &World,
        step: &Step,
        group: &Group,
        mask: u32,
        test: &Pure,
        join: Option<Join>,
    ) {
        let reads = self.reads(world, step, group);
        let undefined = undefined_in(&reads);
        let mut values = [Read { row: [0; LANES], undefined }; 2];
        for lane in lanes(mask) {
            let holds = test.eval(operands(&reads, lane)) & 1;
            let other = reads.last().map_or(0, |read| read.row[lane]);
            for (value, holds) in values.iter_mut().zip([holds, holds ^ 1]) {
                value.row[lane] = join.map_or(holds, |join| join.eval(holds, other));
            }
        }
        for (&result, value) in step.results.iter().zip(&values) {
            self.write(world, group, result, mask, value);
        }
    }

    /// The addresses of an access. Those of shared, local and constant memory are cut to 32 bits
    /// later.
    fn addresses(
        &self,
        world: &World,
        step: &Step,
        group: &Group,
        mask: u32,
        address: &Address,
    ) -> Result<(Row, u32), Stop> {
        let base = self.read(world, group, address.base);
        if base.undefined & mask != 0
            && (step.results.is_empty() || matches!(step.operation, Operation::Atomic { .. }))
        {
            return Err(Stop::Undefined(step.line, "an address"));
        }
        Ok((base.row.map(|base| base.wrapping_add_signed(address.offset)), base.undefined))
    }

    /// Reads memory for one lane: the number, and a mask of its undefined bits.
    fn peek(
        &mut self,
        world: &mut World,
        group: &Group,
        address: &Address,
        at: u64,
        bytes: usize,
        lane: usize,
    ) -> (u64, u64) {
        let (space, at) = resolve(address.space, at);
        match space {
            Space::Global => world.global.read(at, bytes),
            Space::Const => world.constant.read(at, bytes),
            Space::Shared => world.shared(self.block).read(at, bytes),
            Space::Local => self.local.read((lane as u64) << 32 | at, bytes),
            Space::Param => {
                let frame = &self.frames[group.frame];
                let is_kernels =
                    !address.is_own_parameter || frame.depth == 0 && at < world.parameters.len() as u64;
                (0..bytes).fold((0, 0), |(value, undefined), index| {
                    let at = at as usize + index;
                    let (byte, is_undefined) = if is_kernels {
                        world.parameters.get(at).map_or((0, true), |&byte| (byte, false))
                    } else if at < frame.parameter_size {
                        let at = lane * frame.parameter_size + at;
                        (frame.parameters[at], frame.parameters_undefined[at])
                    } else {
                        (0, true)
                    };
                    let bits = if is_undefined { 0xff } else { 0 };
                    (value | u64::from(byte) << (8 * index), undefined | bits << (8 * index))
                })
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn poke(
        &mut self,
        world: &mut World,
        group: &Group,
        address: &Address,
        at: u64,
        bytes: usize,
        lane: usize,
        value: u64,
        undefined: u64,
    ) {
        let (space, at) = resolve(address.space, at);
        match space {
            Space::Global | Space::Const => world.global.write(at, bytes, value, undefined),
            Space::Shared => world.store_shared(self.block, at, bytes, value, undefined),
            Space::Local => self.local.write((lane as u64) << 32 | at, bytes, value, undefined),
            Space::Param => {
                let frame = &mut self.frames[group.frame];
                for index in 0..bytes {
                    if at as usize + index < frame.parameter_size {
                        let at = lane * frame.parameter_size + at as usize + index;
                        frame.parameters[at] = (value >> (8 * index)) as u8;
                        frame.parameters_undefined[at] = undefined >> (8 * index) & 0xff != 0;
                    }
                }
            }
        }
    }

    /// Ends the run if an address is not a multiple of the access's size: a GPU would fault.
    fn check_alignment(step: &Step, address: &Address, at: u64, bytes: usize) -> Result<(), Stop> {
        let is_parameter = address.space == Some(Space::Param);
        if !is_parameter && at % bytes.next_power_of_two() as u64 != 0 {
            return Err(Stop::Fault(step.line, "a misaligned address"));
        }
        Ok(())
    }

    /// ld. PTX ISA, section 9.7.9.
    #[allow(clippy::too_many_arguments)]
    fn load(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        mask: u32,
        address: &Address,
        bytes: usize,
        is_signed: bool,
    ) -> Result<(), Stop> {
        let (places, unknown) = self.addresses(world, step, group, mask, address)?;
        let mut values = vec![Read { row: [0; LANES], undefined: unknown }; step.results.len()];
        let mut partly = vec![];
        for lane in lanes(mask & !unknown) {
            Self::check_alignment(step, address, places[lane], bytes * step.results.len())?;
            if step.may_spin {
                let (space, at) = resolve(address.space, places[lane]);
                world.met.note(space, at, bytes, step.line, None);
            }
            for (index, value) in values.iter_mut().enumerate() {
                let at = places[lane].wrapping_add((index * bytes) as u64);
                let (word, undefined) = self.peek(world, group, address, at, bytes, lane);
                let extended =
                    |bits: u64| if is_signed { sign_extend(bits, 8 * bytes as u32) as u64 } else { bits };
                value.row[lane] = extended(word);
                if undefined != 0 {
                    value.undefined |= 1 << lane;
                    partly.push((step.results[index], lane, extended(undefined)));
                }
            }
        }
        for (&result, value) in step.results.iter().zip(&values) {
            self.write(world, group, result, mask, value);
        }
        for (result, lane, undefined) in partly {
            self.narrow(world, group, result, lane, undefined);
        }
        Ok(())
    }

    /// st. PTX ISA, section 9.7.9.
    fn store(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        mask: u32,
        address: &Address,
        bytes: usize,
    ) -> Result<(), Stop> {
        let (places, _) = self.addresses(world, step, group, mask, address)?;
        let reads = self.reads(world, step, group);
        for lane in lanes(mask) {
            Self::check_alignment(step, address, places[lane], bytes * reads.len())?;
            for (index, read) in reads.iter().enumerate() {
                let at = places[lane].wrapping_add((index * bytes) as u64);
                let undefined = self.undefined_bits(group, step.sources[index], lane);
                self.poke(world, group, address, at, bytes, lane, read.row[lane], undefined);
            }
        }
        Ok(())
    }

    /// atom, red: lane by lane. PTX ISA, section 9.7.13.
    #[allow(clippy::too_many_arguments)]
    fn atomic(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        mask: u32,
        address: &Address,
        bytes: usize,
        change: &Change,
    ) -> Result<(), Stop> {
        let (places, _) = self.addresses(world, step, group, mask, address)?;
        let reads = self.reads(world, step, group);
        let mut value = Read { row: [0; LANES], undefined: 0 };
        let cut = |value: u64| value & bits(8 * bytes as u32);
        for lane in lanes(mask) {
            Self::check_alignment(step, address, places[lane], bytes)?;
            let (old, undefined) = self.peek(world, group, address, places[lane], bytes, lane);
            let was_undefined = undefined != 0;
            let [b, c, ..] = operands(&reads, lane).map(cut);
            let (space, at) = resolve(address.space, places[lane]);
            world.met.note(space, at, bytes, step.line, change.compares().then_some(b));
            let new = match change {
                Change::Pure(pure) => pure.eval([old, b, 0, 0]),
                Change::Sum { global, elsewhere } => {
                    let sum = if space == Space::Global { global } else { elsewhere };
                    sum.eval([old, b, 0, 0])
                }
                Change::Exchange => b,
                Change::CompareAndSwap => {
                    if old == b {
                        c
                    } else {
                        old
                    }
                }
                Change::Increment => {
                    if old >= b {
                        0
                    } else {
                        old + 1
                    }
                }
                Change::Decrement => {
                    if old == 0 || old > b {
                        b
                    } else {
                        old - 1
                    }
                }
            };
            let is_undefined = reads.iter().any(|read| read.undefined >> lane & 1 == 1)
                || was_undefined && *change != Change::Exchange;
            let undefined = if is_undefined { u64::MAX } else { 0 };
            self.poke(world, group, address, places[lane], bytes, lane, new, undefined);
            value.row[lane] = old;
            value.undefined |= u32::from(was_undefined) << lane;
        }
        let result = step.results.first().copied().flatten();
        self.write(world, group, result, mask, &value);
        Ok(())
    }

    /// cp.async, done at once. PTX ISA, section 9.7.9.
    #[allow(clippy::too_many_arguments)]
    fn copy_async(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        mask: u32,
        (to, from): (&Address, &Address),
        bytes: usize,
        has_predicate: bool,
    ) -> Result<(), Stop> {
        let (targets, _) = self.addresses(world, step, group, mask, to)?;
        let reads = self.reads(world, step, group);
        for lane in lanes(mask) {
            let wanted = match reads.first().map(|read| read.row[lane] & bits(32)) {
                None => bytes as u64,
                Some(ignores) if has_predicate => (1 - (ignores & 1)) * bytes as u64,
                Some(read) => read,
            };
            // Where nothing is read, the address does not matter.
            let base = self.read(world, group, from.base);
            if wanted > 0 && base.undefined >> lane & 1 == 1 {
                return Err(Stop::Undefined(step.line, "an address"));
            }
            Self::check_alignment(step, to, targets[lane], bytes)?;
            let source = base.row[lane].wrapping_add_signed(from.offset);
            if wanted > 0 {
                Self::check_alignment(step, from, source, bytes)?;
            }
            for byte in 0..bytes as u64 {
                let (value, undefined) = match byte < wanted {
                    true => self.peek(world, group, from, source.wrapping_add(byte), 1, lane),
                    false => (0, 0),
                };
                self.poke(world, group, to, targets[lane].wrapping_add(byte), 1, lane, value, undefined);
            }
        }
        Ok(())
    }

    /// shfl.sync: value, lane or distance, clamp and segment, members. PTX ISA, section 9.7.9.
    fn shuffle(&mut self, world: &World, step: &Step, group: &Group, mask: u32, shuffle: Shuffle) {
        let [a, b, c] = [0, 1, 2].map(|index| self.read(world, group, step.sources[index]));
        let mut value = Read { row: a.row, undefined: 0 };
        let mut is_valid = Read { row: [0; LANES], undefined: b.undefined | c.undefined };
        for lane in lanes(mask) {
            let (distance, clamp, segment) =
                (b.row[lane] as i64 & 31, c.row[lane] as i64 & 31, c.row[lane] as i64 >> 8 & 31);
            let own = lane as i64;
            let max = (own & segment) | (clamp & !segment);
            let min = own & segment;
            let (from, valid) = match shuffle {
                Shuffle::Up => (own - distance, own - distance >= max),
                Shuffle::Down => (own + distance, own + distance <= max),
                Shuffle::Butterfly => (own ^ distance, own ^ distance <= max),
                Shuffle::Index => (min | (distance & !segment), min | (distance & !segment) <= max),
            };
            let from = if valid { from as usize % LANES } else { lane };
            value.row[lane] = a.row[from];
            // The value from an inactive lane is undefined.
            let is_undefined = a.undefined >> from & 1 == 1 || mask >> from & 1 == 0;
            value.undefined |= u32::from(is_undefined) << lane;
            is_valid.row[lane] = valid.into();
        }
        value.undefined |= is_valid.undefined;
        self.write(world, group, step.results[0], mask, &value);
        self.write(world, group, step.results.get(1).copied().flatten(), mask, &is_valid);
    }

    /// vote.sync. PTX ISA, section 9.7.13.
    fn vote(&mut self, world: &World, step: &Step, group: &Group, mask: u32, vote: Vote) {
        let value = self.read(world, group, step.sources[0]);
        let votes = lanes_where(mask, |lane| value.row[lane] & 1 == 1);
        let result = match vote {
            Vote::All => u64::from(votes == mask),
            Vote::Any => u64::from(votes != 0),
            Vote::Uniform => u64::from(votes == 0 || votes == mask),
            Vote::Ballot => votes.into(),
        };
        let undefined = if value.undefined & mask != 0 { u32::MAX } else { 0 };
        self.write(world, group, step.results[0], mask, &Read { row: [result; LANES], undefined });
    }

    /// match.sync. PTX ISA, section 9.7.13.
    fn match_lanes(
        &mut self,
        world: &World,
        step: &Step,
        group: &Group,
        mask: u32,
        is_all: bool,
        width: u32,
    ) {
        let value = self.read(world, group, step.sources[0]);
        let same =
            |lane: usize| lanes_where(mask, |other| (value.row[other] ^ value.row[lane]) & bits(width) == 0);
        let undefined = if value.undefined & mask != 0 { u32::MAX } else { 0 };
        let row = std::array::from_fn(|lane| match (is_all, same(lane)) {
            (false, same) => u64::from(same),
            (true, same) => u64::from(if same == mask { mask } else { 0 }),
        });
        self.write(world, group, step.results[0], mask, &Read { row, undefined });
        let agree = Read { row: row.map(|members| u64::from(members != 0)), undefined };
        self.write(world, group, step.results.get(1).copied().flatten(), mask, &agree);
    }

    /// mma, wmma.mma. PTX ISA, section 9.7.14. A result is undefined if it changes with the
    /// undefined operands.
    fn matrix(
        &mut self,
        world: &World,
        step: &Step,
        group: &Group,
        mask: u32,
        matrix: &super::matrix::Matrix,
    ) {
        let reads = self.reads(world, step, group);
        let unknown = undefined_in(&reads);
        let product = |filling: u64| {
            let rows: Vec<Row> = reads
                .iter()
                .map(|read| {
                    let known = |lane: usize| read.undefined >> lane & 1 == 0;
                    std::array::from_fn(|lane| if known(lane) { read.row[lane] } else { filling })
                })
                .collect();
            let (a, rest) = rows.split_at(step.shape[0]);
            let (b, c) = rest.split_at(step.shape[1]);
            matrix.eval(a, b, c)
        };
        let results = product(0);
        let others = if unknown & mask != 0 { product(0x3f81_3f81_3f81_3f81) } else { results.clone() };
        for ((&result, row), other) in step.results.iter().zip(&results).zip(&others) {
            let undefined = lanes_where(u32::MAX, |lane| row[lane] != other[lane]);
            self.write(world, group, result, mask, &Read { row: *row, undefined });
        }
    }

    /// ldmatrix: lane 8 * m + r has the address of row r of matrix m. PTX ISA, section 9.7.14.
    fn load_matrix(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        address: &Address,
        count: usize,
        is_transposed: bool,
    ) -> Result<(), Stop> {
        let (places, unknown) = self.addresses(world, step, group, group.mask, address)?;
        for (matrix, &result) in step.results.iter().enumerate().take(count) {
            let mut value = Read { row: [0; LANES], undefined: 0 };
            for lane in 0..LANES {
                for half in 0..2 {
                    let (holder, column) = matrix_place(matrix, lane, half, is_transposed);
                    if unknown >> holder & 1 == 1 {
                        value.undefined |= 1 << lane;
                        continue;
                    }
                    Self::check_alignment(step, address, places[holder], 16)?;
                    let at = places[holder].wrapping_add(2 * column as u64);
                    let (word, undefined) = self.peek(world, group, address, at, 2, lane);
                    value.row[lane] |= word << (16 * half);
                    value.undefined |= u32::from(undefined != 0) << lane;
                }
            }
            self.write(world, group, result, group.mask, &value);
        }
        Ok(())
    }

    /// stmatrix, the inverse of ldmatrix.
    fn store_matrix(
        &mut self,
        world: &mut World,
        step: &Step,
        group: &Group,
        address: &Address,
        count: usize,
        is_transposed: bool,
    ) -> Result<(), Stop> {
        let (places, _) = self.addresses(world, step, group, group.mask, address)?;
        let reads = self.reads(world, step, group);
        for (matrix, read) in reads.iter().enumerate().take(count) {
            for lane in 0..LANES {
                for half in 0..2 {
                    let (holder, column) = matrix_place(matrix, lane, half, is_transposed);
                    Self::check_alignment(step, address, places[holder], 16)?;
                    let at = places[holder].wrapping_add(2 * column as u64);
                    let undefined = self.undefined_bits(group, step.sources[matrix], lane);
                    let [value, undefined] = [read.row[lane], undefined].map(|bits| bits >> (16 * half));
                    self.poke(world, group, address, at, 2, lane, value, undefined);
                }
            }
        }
        Ok(())
    }
}

/// The place of an element of an 8x8 matrix that half of a lane's register holds: the lane with its
/// row's address, and its column.
fn matrix_place(matrix: usize, lane: usize, half: usize, is_transposed: bool) -> (usize, usize) {
    let (row, column) = (lane / 4, lane % 4 * 2 + half);
    let (row, column) = if is_transposed { (column, row) } else { (row, column) };
    (8 * matrix + row, column)
}

/// Lanes for which any of the numbers is undefined.
fn undefined_in(reads: &[Read]) -> u32 {
    reads.iter().fold(0, |all, read| all | read.undefined)
}

/// The operands of one lane; missing ones are 0.
fn operands(reads: &[Read], lane: usize) -> [u64; 4] {
    let mut operands = [0; 4];
    for (operand, read) in operands.iter_mut().zip(reads) {
        *operand = read.row[lane];
    }
    operands
}

#[cfg(test)]
mod tests;
