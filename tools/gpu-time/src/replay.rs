//! The model of a multiprocessor: replays the traces of all blocks that are resident on it, and those that follow.
//!
//! **Problem.** Warps hide each other's latencies. How well they do depends on all of them together.
//!
//! **Method.** Each of the four schedulers issues one instruction a cycle, of the warp that it issued last if that one is ready, else of the
//! oldest one that is (greedy, then oldest). A warp is ready after the stall count of its last instruction, when the scoreboards that
//! its next one waits for are free, and when that one's pipe is. Results come after the latency of their pipe, or of the level of
//! memory that answers. An instruction whose operands do not come through the ports of the registers in time holds up its scheduler.
//! The data path of L1 and shared memory, L2 and DRAM are queues with a bandwidth. The scheduler with the earliest clock goes next, so
//! that requests reach the queues in the order of time. Cycles without an issue are put down to what the warp that ends them waited for.
//!
//! **Source.** Greedy, then oldest: Rogers et al., "Cache-Conscious Wavefront Scheduling" (2012). It was chosen by the fitted two thirds of
//! `tests/gpu/data`. Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores" (2025) find greedy, then youngest, on Ampere;
//! that predicts these times worse. Ports and reuse cache: section 5.3 of that paper.
//!
//! **Complexity.** The instructions, times the warps of a scheduler (at most 16).

use std::collections::VecDeque;

use crate::code::{Action, Op, Reads, BANKS, OPERANDS};
use crate::machine::Machine;
use crate::memory::{Cost, Level, NONE};
use crate::pipe::{Pipe, PIPES};
use crate::trace::{bare, Block, HAS_ACCESS, IS_OFF};

/// The reasons for which cycles pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An instruction is issued.
    Issue,
    /// The stall count: a result of a pipe with a fixed latency.
    Dependency,
    /// The pipe of the instruction is busy.
    Pipe,
    /// The memory pipes have too much waiting work.
    Queue,
    /// A result of another unit: special functions, FP64, products of matrices, shuffles, constants.
    Units,
    Shared,
    L1,
    L2,
    Dram,
    Barrier,
    /// No warp is there: before the first and after the last instruction of a block.
    Launch,
}

/// All causes in their order, with their names.
pub const CAUSES: [(Cause, &str); 11] = [
    (Cause::Issue, "issue"),
    (Cause::Dependency, "dependencies"),
    (Cause::Pipe, "busy pipes"),
    (Cause::Queue, "memory queue"),
    (Cause::Units, "other units"),
    (Cause::Shared, "shared memory"),
    (Cause::L1, "L1"),
    (Cause::L2, "L2"),
    (Cause::Dram, "DRAM"),
    (Cause::Barrier, "barriers"),
    (Cause::Launch, "block launch"),
];

/// Cycles by cause.
pub type Causes = [f64; CAUSES.len()];

/// The answer of a replay.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Cycles until all blocks have ended.
    pub cycles: u64,
    /// Instructions that warps issued.
    pub issued: u64,
    /// Blocks that were replayed.
    pub blocks: u32,
    /// Cycles by cause at each place of the code; their sum is `cycles` up to the end of the last scheduler.
    pub places: Vec<Causes>,
}

impl Replay {
    /// Cycles by cause of the whole run.
    pub fn causes(&self) -> Causes {
        let mut all = Causes::default();
        for place in &self.places {
            for (sum, own) in all.iter_mut().zip(place) {
                *sum += own;
            }
        }
        all
    }
}

/// The parts of a multiprocessor with a scheduler each.
const PARTS: usize = 4;
const NEVER: u64 = u64::MAX;
/// The barrier of a warp that waits for something else.
const NO_BARRIER: u8 = u8::MAX;

struct Warp<'a> {
    places: &'a [u32],
    costs: &'a [Cost],
    at: usize,
    next_cost: usize,
    /// The block among those that were launched.
    block: usize,
    why: Cause,
    /// The barrier that it waits at.
    barrier: u8,
    /// The number of what must have been asked for before it goes on, or [`NONE`].
    awaits: u32,
    /// When the constant that it loaded last into a uniform register is there.
    uniform: u64,
    scoreboards: [u64; 6],
    reasons: [Cause; 6],
    /// The ends of what a scoreboard counts, for instructions that wait for a number of them.
    outstanding: VecDeque<u64>,
    /// The end of all copies so far.
    copied: u64,
    /// The end of all products of the group of warps so far, and the ends of their groups.
    multiplied: u64,
    products: VecDeque<u64>,
}

impl Warp<'_> {
    /// Puts off a time until the scoreboards that an instruction waits for are free.
    fn wait(&mut self, op: &Op, ready: &mut u64) {
        let mut wait = op.wait;
        while wait != 0 {
            let scoreboard = wait.trailing_zeros() as usize;
            wait &= wait - 1;
            if self.scoreboards[scoreboard] > *ready {
                (*ready, self.why) = (self.scoreboards[scoreboard], self.reasons[scoreboard]);
            }
        }
    }

    /// Counts an instruction's result, its copies and products, and its scoreboards.
    fn count(&mut self, op: &Op, issued: Issued, operands_latency: u64) {
        let Issued { mut done, mut reason, end_of_pipe, .. } = issued;
        if op.action == Action::Copy {
            self.copied = self.copied.max(done);
        } else if op.action == Action::Copies {
            (done, reason) = (done.max(self.copied), Cause::L2);
            self.outstanding.push_back(done);
        } else if let Action::Product(ends_group) = op.action {
            self.multiplied = self.multiplied.max(done);
            if ends_group {
                self.products.push_back(self.multiplied);
            }
        }
        if op.write < 6 {
            let own = &mut self.scoreboards[op.write as usize];
            if done > *own {
                *own = done;
                self.reasons[op.write as usize] = reason;
            }
        }
        if op.read < 6 {
            let own = &mut self.scoreboards[op.read as usize];
            let read = end_of_pipe + operands_latency;
            if read > *own {
                *own = read;
                self.reasons[op.read as usize] = Cause::Queue;
            }
        }
    }

    /// Puts off a time until the copies and products that an instruction waits for are done.
    fn depend(&mut self, op: &Op, ready: &mut u64) {
        self.why = Cause::Dependency;
        if let Action::Outstanding(_, most) = op.action {
            while self.outstanding.len() > most as usize {
                let end = self.outstanding.pop_front().unwrap_or(0);
                if end > *ready {
                    (*ready, self.why) = (end, Cause::L2);
                }
            }
        }
        if let Action::Products(most) = op.action {
            while self.products.len() > most as usize {
                let end = self.products.pop_front().unwrap_or(0);
                if end > *ready {
                    (*ready, self.why) = (end, Cause::Units);
                }
            }
        }
    }
}

/// The pipe that the instruction at a place holds, or [`NO_PIPE`].
fn held(ops: &[Op], place: u32) -> usize {
    let op = &ops[bare(place)];
    // A product of a group of warps goes into a queue.
    let waits = op.busy > 0 && !matches!(op.action, Action::Product(_));
    if waits && place & IS_OFF == 0 {
        op.pipe as usize
    } else {
        NO_PIPE
    }
}

/// The place after those of all pipes, of instructions that hold none.
const NO_PIPE: usize = PIPES.len();

/// An instruction that a warp issues.
#[derive(Clone, Copy, Debug)]
struct Issued {
    /// When it enters its pipe, and when it leaves that.
    start: u64,
    end_of_pipe: u64,
    /// When its result is there, and what that takes the time for.
    done: u64,
    reason: Cause,
    /// The number of what it asks for, or [`NONE`].
    asked_for: u32,
}

/// A block that is resident.
#[derive(Clone, Debug, Default)]
struct Resident {
    alive: u32,
    /// Warps that have arrived, by barrier.
    arrived: [u32; 16],
    expected: [Option<u32>; 16],
    /// When what an access brings is there, by its number.
    brought: Vec<(u64, Cause)>,
}

/// A warp of a scheduler, with what decides when it is next.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The time when it is ready, except for the pipe of its next instruction; [`NEVER`] at a barrier.
    ready: u64,
    /// That pipe, or [`NO_PIPE`].
    pipe: usize,
    /// Its index.
    warp: usize,
}

/// The ports by which a scheduler's registers are read: one for each bank.
#[derive(Default)]
struct Ports {
    /// When each is free.
    free: [u64; BANKS],
    /// The reuse cache: for each operand and bank the number of the warp, from 1 on, and the register that stays; 0 if there is none.
    stays: [[u64; BANKS]; OPERANDS],
}

impl Ports {
    /// Reads the operands of an instruction; how many cycles later than now it can begin. A port gives a register a cycle, and an instruction takes three cycles for all of its own.
    #[inline]
    fn read(&mut self, warp: usize, reads: &Reads, now: u64) -> u64 {
        if *reads == Reads::default() {
            return 0;
        }
        let mut counts = reads.halves.map(u64::from);
        for ((&register, &is_kept), stays) in reads.registers.iter().zip(&reads.stays).zip(&mut self.stays) {
            let Some(register) = register else { continue };
            let bank = usize::from(register) % BANKS;
            let own = (warp as u64 + 1) << 8 | u64::from(register);
            counts[bank] += u64::from(stays[bank] != own);
            stays[bank] = if is_kept { own } else { 0 };
        }
        // A bank that is not read delays nothing, as its port is free within the time of reading.
        let ends: [u64; BANKS] = std::array::from_fn(|bank| self.free[bank].max(now) + counts[bank]);
        self.free = ends;
        if ends.iter().all(|&end| end <= now + READING) {
            return 0;
        }
        self.delay(counts, now)
    }

    /// Puts off the reads of an instruction until it can do them all in the time that it has; how long.
    #[cold]
    fn delay(&mut self, counts: [u64; BANKS], now: u64) -> u64 {
        let late = self.free.iter().max().map_or(0, |end| end.saturating_sub(now + READING));
        for (free, count) in self.free.iter_mut().zip(counts) {
            *free = (*free).max(now + late + count);
        }
        late
    }
}

/// Cycles in which an instruction of a fixed latency reads its operands (Huerta et al., 2025).
const READING: u64 = 3;

#[derive(Default)]
struct Part {
    slots: Vec<Slot>,
    clock: u64,
    /// The end of its last issue.
    since: u64,
    last: usize,
    /// The slot that issues when the clock is reached, and whether its pipe is what it waits for.
    chosen: Option<(usize, Option<Cause>)>,
    /// When each pipe is free.
    pipes: [u64; PIPES.len()],
    /// When each takes an instruction: those of memory have a queue. [`NO_PIPE`] always does.
    free: [u64; PIPES.len() + 1],
    ports: Ports,
}

/// A launch, as far as it concerns one multiprocessor.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Blocks that are resident at once.
    pub resident: u32,
    /// Blocks that it runs in all.
    pub blocks: u32,
}

/// Replays the traces. Traced blocks take turns to stand for those that are run.
pub fn replay(
    machine: &Machine,
    ops: &[Op],
    blocks: &[Block],
    costs: &[Vec<Vec<Cost>>],
    shape: Shape,
) -> Replay {
    let mut model = Model {
        machine,
        ops,
        blocks,
        costs,
        warps: Vec::new(),
        parts: std::array::from_fn(|_| Part::default()),
        residents: Vec::new(),
        left: shape.blocks,
        data_path: 0.0,
        l2: 0.0,
        dram: 0.0,
        last_access: 0,
        result: Replay {
            places: vec![Causes::default(); ops.len()],
            blocks: shape.blocks,
            ..Replay::default()
        },
    };
    for _ in 0..shape.resident.min(shape.blocks) {
        model.launch(0);
    }
    while model.step() {}
    // L2 and DRAM may still have to write when the last warp has ended.
    let (end, cause) = if model.dram > model.l2 { (model.dram, Cause::Dram) } else { (model.l2, Cause::L2) };
    let result = &mut model.result;
    let rest = (end as u64).saturating_sub(result.cycles);
    result.cycles += rest;
    if let Some(place) = result.places.get_mut(model.last_access) {
        place[cause as usize] += (rest * PARTS as u64) as f64;
    }
    for place in &mut result.places {
        place.iter_mut().for_each(|cycles| *cycles /= PARTS as f64);
    }
    model.result
}

struct Model<'a> {
    machine: &'a Machine,
    ops: &'a [Op],
    blocks: &'a [Block],
    costs: &'a [Vec<Vec<Cost>>],
    warps: Vec<Warp<'a>>,
    parts: [Part; PARTS],
    residents: Vec<Resident>,
    /// Blocks that have not begun.
    left: u32,
    /// When the data path of L1 and shared memory, L2 and DRAM are free.
    data_path: f64,
    l2: f64,
    dram: f64,
    /// The place of the last access to memory.
    last_access: usize,
    result: Replay,
}

impl<'a> Model<'a> {
    /// Lets the next block begin.
    fn launch(&mut self, at: u64) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let number = self.residents.len();
        let traced = number % self.blocks.len();
        let block = &self.blocks[traced];
        self.residents.push(Resident::default());
        // The part with the fewest warps takes the first one. Parts that have as many take turns: the first warp of a block often does more than the others.
        let turn = |part: usize| (part + PARTS - number % PARTS) % PARTS;
        let first = (0..PARTS).min_by_key(|&part| (self.parts[part].slots.len(), turn(part))).unwrap_or(0);
        let mut alive = 0;
        for (place, trace) in block.warps.iter().enumerate() {
            if trace.places.is_empty() {
                continue;
            }
            let part = &mut self.parts[(first + place) % PARTS];
            let pipe = held(self.ops, trace.places[0]);
            part.slots.push(Slot { ready: at, pipe, warp: self.warps.len() });
            part.clock = part.clock.min(at).max(part.since);
            part.chosen = None;
            self.warps.push(Warp {
                places: &trace.places,
                costs: &self.costs[traced][place],
                at: 0,
                next_cost: 0,
                block: number,
                why: Cause::Launch,
                barrier: 0,
                awaits: NONE,
                uniform: 0,
                scoreboards: [0; 6],
                reasons: [Cause::Units; 6],
                outstanding: VecDeque::new(),
                copied: 0,
                multiplied: 0,
                products: VecDeque::new(),
            });
            alive += 1;
        }
        self.residents[number].alive = alive;
    }

    /// Lets the scheduler with the earliest clock go on. Returns whether there is one.
    fn step(&mut self) -> bool {
        let Some(number) = (0..PARTS).min_by_key(|&part| self.parts[part].clock) else { return false };
        let clock = self.parts[number].clock;
        if clock == NEVER {
            return self.free_all();
        }
        if let Some((slot, cause)) = self.parts[number].chosen.take() {
            self.issue(number, slot, clock, cause);
            return true;
        }
        let part = &self.parts[number];
        let at_of = |slot: &Slot| slot.ready.max(part.free[slot.pipe]);
        let (mut best, mut best_at) = (part.last, part.slots.get(part.last).map_or(NEVER, at_of));
        if best_at > clock {
            // Blocks that begin later stand later, so that slots are in the order of age.
            for (number, slot) in part.slots.iter().enumerate() {
                let at = at_of(slot);
                if at < best_at {
                    (best, best_at) = (number, at);
                    if at <= clock {
                        break;
                    }
                }
            }
        }
        if best_at == NEVER {
            self.parts[number].clock = NEVER;
            return true;
        }
        let Slot { ready, pipe, .. } = part.slots[best];
        let is_memory = pipe == Pipe::Memory as usize || pipe == Pipe::Texture as usize;
        let cause = (part.free[pipe] > ready).then_some(if is_memory { Cause::Queue } else { Cause::Pipe });
        if best_at > clock {
            let part = &mut self.parts[number];
            part.clock = best_at;
            part.chosen = Some((best, cause));
        } else {
            self.issue(number, best, clock, cause);
        }
        true
    }

    fn issue(&mut self, number: usize, slot: usize, now: u64, pipe_is_busy: Option<Cause>) {
        let part = &mut self.parts[number];
        let index = part.slots[slot].warp;
        let warp = &mut self.warps[index];
        let cause = pipe_is_busy.unwrap_or(warp.why);
        let place = warp.places[warp.at];
        let at = bare(place);
        let ops = self.ops;
        let op = &ops[at];
        let causes = &mut self.result.places[at];
        causes[cause as usize] += (now - part.since) as f64;
        causes[Cause::Issue as usize] += 1.0;
        self.result.issued += 1;
        // All warps of the scheduler wait for the ports.
        let late = if place & IS_OFF == 0 { part.ports.read(index, &op.reads, now) } else { 0 };
        causes[Cause::Pipe as usize] += late as f64;
        (part.since, part.clock, part.last) = (now + late + 1, now + late + 1, slot);
        // Its pipe.
        let is_off = place & IS_OFF != 0;
        let pipe = part.pipes[op.pipe as usize];
        let start = if is_off { now } else { now.max(pipe) };
        let mut issued = Issued {
            start,
            end_of_pipe: if is_off { pipe } else { start + op.busy },
            done: if is_off { now } else { start + op.latency },
            reason: Cause::Units,
            asked_for: NONE,
        };
        if place & HAS_ACCESS != 0 {
            self.last_access = at;
            self.access(index, op, &mut issued);
        }
        let part = &mut self.parts[number];
        part.pipes[op.pipe as usize] = issued.end_of_pipe;
        let slack = if matches!(op.pipe, Pipe::Memory | Pipe::Texture) { self.machine.queue } else { 0 };
        part.free[op.pipe as usize] = issued.end_of_pipe.saturating_sub(slack);
        let warp = &mut self.warps[index];
        warp.count(op, issued, self.machine.operands_latency);
        warp.at += 1;
        let mut ready = now + late + op.stall;
        warp.depend(op, &mut ready);
        let block = warp.block;
        let is_over = warp.at >= warp.places.len();
        if !is_over {
            self.prepare(number, slot, now, op, &mut ready);
        }
        self.parts[number].slots[slot].ready = ready;
        if issued.asked_for != NONE {
            self.wake(block, issued.asked_for, now + 1);
        }
        self.meet(number, slot, now, op, is_over, block);
        if is_over {
            self.end(number, slot, now);
        }
    }

    /// An access to memory: when it is done, and how long it holds its pipe.
    fn access(&mut self, index: usize, op: &Op, issued: &mut Issued) {
        let warp = &mut self.warps[index];
        let cost = warp.costs[warp.next_cost];
        warp.next_cost += 1;
        let block = warp.block;
        let path = self.data_path.max(issued.start as f64);
        self.data_path = path + f64::from(cost.wavefronts);
        let path = self.data_path as u64;
        issued.end_of_pipe = issued.end_of_pipe.max(path);
        let machine = self.machine;
        let (mut done, mut reason) = match cost.level {
            Level::Shared => (path + machine.shared_latency, Cause::Shared),
            Level::L1 => (path + machine.l1_latency, Cause::L1),
            Level::L2 => (path + machine.l2_latency, Cause::L2),
            Level::Dram => (path + machine.dram_latency, Cause::Dram),
        };
        if op.action == Action::Bulk {
            done += machine.bulk_latency;
        }
        // A queue that is late adds its delay.
        let mut wait = 0.0_f64;
        if cost.l2_bytes > 0.0 {
            self.l2 = self.l2.max(issued.start as f64) + f64::from(cost.l2_bytes) / machine.l2_bandwidth;
            wait = wait.max(self.l2 - path as f64);
        }
        if cost.dram_bytes > 0.0 {
            self.dram =
                self.dram.max(issued.start as f64) + f64::from(cost.dram_bytes) / machine.dram_bandwidth;
            wait = wait.max(self.dram - path as f64);
        }
        done += wait.max(0.0) as u64;
        let brought = &mut self.residents[block].brought;
        if cost.brings != NONE {
            let at = cost.brings as usize;
            if brought.len() <= at {
                brought.resize(at + 1, (0, Cause::L1));
            }
            brought[at] = (done, reason);
            if op.action == Action::Bulk {
                issued.asked_for = cost.brings;
            }
        }
        if cost.finds != NONE {
            // In the emulator's order another warp brings it, which in this order may not have asked yet.
            let (there, from) = brought.get(cost.finds as usize).copied().unwrap_or((0, Cause::L1));
            if there > done {
                (done, reason) = (there, from);
            }
        }
        (issued.done, issued.reason) = (done, reason);
    }

    /// Puts off a warp's time until its next instruction can begin, except for the pipe of that.
    fn prepare(&mut self, number: usize, slot: usize, now: u64, op: &Op, ready: &mut u64) {
        let warp = &mut self.warps[self.parts[number].slots[slot].warp];
        let next = warp.places[warp.at];
        if op.loads_uniform {
            warp.uniform = now + self.machine.uniform_load_latency;
        }
        if self.ops[bare(next)].uses_uniform && warp.uniform > *ready {
            (*ready, warp.why) = (warp.uniform, Cause::Units);
        }
        warp.wait(&self.ops[bare(next)], ready);
        self.parts[number].slots[slot].pipe = held(self.ops, next);
        let cost = warp.costs.get(warp.next_cost).filter(|cost| next & HAS_ACCESS != 0 && cost.waits);
        if let Some(cost) = cost {
            let brought = &self.residents[warp.block].brought;
            if brought.get(cost.finds as usize).is_none_or(|found| found.0 == 0) {
                (*ready, warp.why) = (NEVER, Cause::L2);
                (warp.awaits, warp.barrier) = (cost.finds, NO_BARRIER);
            }
        }
    }

    /// Arrives at a barrier, if that is the instruction.
    fn meet(&mut self, number: usize, slot: usize, now: u64, op: &Op, is_over: bool, block: usize) {
        match op.action {
            Action::Barrier(barrier, expected) => {
                let resident = &mut self.residents[block];
                resident.arrived[barrier as usize % 16] += 1;
                resident.expected[barrier as usize % 16] = expected;
                if !is_over {
                    let slot = &mut self.parts[number].slots[slot];
                    let warp = &mut self.warps[slot.warp];
                    (warp.why, warp.barrier) = (Cause::Barrier, barrier % 16);
                    slot.ready = NEVER;
                }
                self.pass(block, barrier as usize % 16, now);
            }
            Action::Arrive(barrier, expected) => {
                let resident = &mut self.residents[block];
                resident.arrived[barrier as usize % 16] += 1;
                resident.expected[barrier as usize % 16] = expected;
                self.pass(block, barrier as usize % 16, now);
            }
            _ => {}
        }
    }

    /// Lets the warps go on that wait until something is asked for; they wait for its end then.
    fn wake(&mut self, block: usize, number: u32, at: u64) {
        for part in &mut self.parts {
            for slot in &mut part.slots {
                let warp = &mut self.warps[slot.warp];
                if slot.ready == NEVER && warp.block == block && warp.awaits == number {
                    warp.awaits = NONE;
                    slot.ready = at;
                    part.clock = part.clock.min(at).max(part.since);
                    part.chosen = None;
                }
            }
        }
    }

    /// Lets the warps at a barrier go on, if all have arrived.
    fn pass(&mut self, block: usize, barrier: usize, now: u64) {
        let resident = &mut self.residents[block];
        let wanted = resident.expected[barrier].unwrap_or(resident.alive);
        if resident.arrived[barrier] == 0 || resident.arrived[barrier] < wanted {
            return;
        }
        resident.arrived[barrier] = 0;
        let at = now + self.machine.barrier_latency;
        for part in &mut self.parts {
            for slot in &mut part.slots {
                let warp = &mut self.warps[slot.warp];
                if slot.ready == NEVER && warp.block == block && usize::from(warp.barrier) == barrier {
                    slot.ready = at;
                    warp.wait(&self.ops[bare(warp.places[warp.at])], &mut slot.ready);
                    part.clock = part.clock.min(at).max(part.since);
                    part.chosen = None;
                }
            }
        }
    }

    /// Ends a warp, and its block with the last one.
    fn end(&mut self, number: usize, slot: usize, now: u64) {
        let part = &mut self.parts[number];
        let index = part.slots.remove(slot).warp;
        if part.last >= part.slots.len() {
            part.last = 0;
        }
        let block = self.warps[index].block;
        self.result.cycles = self.result.cycles.max(now + 1);
        self.residents[block].alive -= 1;
        if self.residents[block].alive == 0 {
            self.launch(now + self.machine.block_launch);
        } else {
            for barrier in 0..16 {
                self.pass(block, barrier, now);
            }
        }
    }

    /// Frees the warps that wait at barriers that no other warp reaches any more: the trace was cut off. Returns whether there was one.
    fn free_all(&mut self) -> bool {
        let mut has_freed = false;
        for part in &mut self.parts {
            for slot in &mut part.slots {
                slot.ready = part.since;
                part.clock = part.since;
                has_freed = true;
            }
        }
        has_freed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{costs, Layout};
    use crate::trace::{Kind, Order, Traced, WarpTrace};

    fn machine() -> Machine {
        Machine::of(90).unwrap()
    }

    fn op(pipe: Pipe, stall: u64) -> Op {
        let machine = machine();
        let (busy, latency) = (machine.busy(pipe), machine.latency(pipe));
        Op {
            pipe,
            action: Action::None,
            stall,
            busy,
            latency,
            loads_uniform: false,
            uses_uniform: false,
            write: 7,
            read: 7,
            wait: 0,
            reads: Reads::default(),
        }
    }

    /// Replays blocks of warps that all run the same places, with accesses to the sectors that are given for each warp.
    fn run(ops: &[Op], places: &[u32], warps: usize, shape: Shape, accesses: &[(Kind, Vec<u64>)]) -> Replay {
        let mut block = Block::default();
        for _ in 0..warps {
            let mut warp = WarpTrace::default();
            warp.places = places.to_vec();
            for (kind, sectors) in accesses {
                let first = block.sectors.len() as u32;
                block.sectors.extend(sectors);
                let sectors = sectors.len() as u16;
                warp.accesses.push(Traced {
                    kind: *kind,
                    wavefronts: 1,
                    first,
                    sectors,
                    order: Order::First,
                });
            }
            block.warps.push(warp);
        }
        let blocks = [block];
        let machine = machine();
        let layout = Layout { size: &|_| Some(1 << 30), resident: shape.resident, shared: 0 };
        replay(&machine, ops, &blocks, &costs(&machine, &blocks, &layout), shape)
    }

    const ONE: Shape = Shape { resident: 1, blocks: 1 };

    #[test]
    fn stall_counts_pass_where_one_warp_is_alone_and_are_hidden_by_others() {
        let ops = [op(Pipe::Fma, 4)];
        let places = [0; 100];
        let alone = run(&ops, &places, 1, ONE, &[]);
        assert_eq!(alone.issued, 100);
        assert!((396..=404).contains(&alone.cycles), "{}", alone.cycles);
        // Four warps of one scheduler take sixteen of the multiprocessor.
        let many = run(&ops, &places, 16, ONE, &[]);
        assert!(many.cycles < 420, "{}", many.cycles);
        assert!(many.causes()[Cause::Issue as usize] > 390.0);
    }

    #[test]
    fn a_pipe_has_its_width() {
        let places = [0; 100];
        let of = |pipe| run(&[op(pipe, 1)], &places, 16, ONE, &[]).cycles;
        let [fma, alu, special] = [Pipe::Fma, Pipe::Alu, Pipe::Special].map(of);
        assert!((398..=410).contains(&fma), "{fma}");
        assert!((798..=810).contains(&alu), "{alu}");
        assert!((3190..=3210).contains(&special), "{special}");
    }

    #[test]
    fn a_load_is_waited_for_once() {
        let machine = machine();
        let load = Op { write: 0, ..op(Pipe::Memory, 1) };
        let user = Op { wait: 1, ..op(Pipe::Alu, 1) };
        let places = [HAS_ACCESS, 1, HAS_ACCESS, 1];
        let accesses = [(Kind::Load, vec![7]), (Kind::Load, vec![7])];
        let cold = run(&[load, user], &places, 1, ONE, &accesses);
        let least = machine.dram_latency + machine.l1_latency;
        assert!((least..least + 20).contains(&cold.cycles), "{}", cold.cycles);
        let causes = cold.causes().map(|cycles| cycles * PARTS as f64);
        assert!(causes[Cause::Dram as usize] > 500.0 && causes[Cause::L1 as usize] > 20.0, "{causes:?}");
    }

    #[test]
    fn what_is_on_its_way_is_no_hit() {
        let load = |write| Op { write, ..op(Pipe::Memory, 1) };
        let user = Op { wait: 2, ..op(Pipe::Alu, 1) };
        let accesses = [(Kind::Load, vec![7]), (Kind::Load, vec![7])];
        let both = run(&[load(0), load(1), user], &[HAS_ACCESS, 1 | HAS_ACCESS, 2], 1, ONE, &accesses);
        assert!(both.cycles >= machine().dram_latency, "{}", both.cycles);
    }

    #[test]
    fn operands_in_one_bank_take_turns_at_its_port() {
        let of = |registers: [u8; 3], stays| {
            let reads = Reads { registers: registers.map(Some), stays: [stays; 3], halves: [0; BANKS] };
            // Two warps a scheduler, so that another one is always there.
            run(&[Op { reads, ..op(Pipe::Fma, 1) }], &[0; 300], 8, ONE, &[])
        };
        let cycles = |registers, stays| of(registers, stays).cycles.div_ceil(10);
        assert_eq!([cycles([2, 4, 6], false), cycles([2, 4, 5], false)], [180, 120]);
        // A register that stays is read once; what the last instruction of another warp left does not count.
        assert_eq!(cycles([2, 4, 6], true), 60);
        let busy = of([2, 4, 6], false).causes()[Cause::Pipe as usize];
        assert!((1190.0..=1200.0).contains(&busy), "{busy}");
    }

    #[test]
    fn an_instruction_reads_its_operands_in_three_cycles() {
        // One instruction of three operands in a bank is in time, the next one of that bank is not: Listing 1 of Huerta et al.
        let reads = |registers: [u8; 3]| Reads { registers: registers.map(Some), ..Reads::default() };
        let delays = |second: [u8; 3]| {
            let mut ports = Ports::default();
            [ports.read(0, &reads([10, 12, 14]), 0), ports.read(0, &reads(second), 1)]
        };
        assert_eq!(
            [delays([16, 19, 21]), delays([16, 18, 21]), delays([16, 18, 20])],
            [[0, 0], [0, 1], [0, 2]]
        );
    }

    #[test]
    fn the_reuse_cache_holds_a_register_for_its_operand_and_warp_until_the_next_read() {
        let reads = |first: u8, stays: bool| Reads {
            registers: [Some(first), None, None],
            stays: [stays, false, false],
            halves: [0; BANKS],
        };
        let takes = |warp, register, stays: [bool; 3]| {
            let mut ports = Ports::default();
            ports.read(0, &reads(2, stays[0]), 0);
            ports.read(0, &reads(2, stays[1]), 0);
            ports.read(warp, &reads(register, stays[2]), 0);
            ports.free[0]
        };
        assert_eq!(takes(0, 2, [false; 3]), 3);
        assert_eq!(takes(0, 2, [true, true, false]), 1);
        assert_eq!(takes(0, 2, [true, false, false]), 2, "it was read without being kept");
        assert_eq!(takes(1, 2, [true, true, false]), 2, "another warp");
        assert_eq!(takes(0, 4, [true, true, false]), 2, "another register");
    }

    #[test]
    fn warps_meet_at_a_barrier_and_go_on_together() {
        let barrier = Op { action: Action::Barrier(0, None), ..op(Pipe::Branch, 1) };
        let ops = [op(Pipe::Fma, 4), barrier];
        let mut places = vec![0; 50];
        places.push(1);
        places.extend([0; 50]);
        let run = run(&ops, &places, 8, ONE, &[]);
        assert_eq!(run.issued, 8 * 101);
        assert!(run.causes()[Cause::Barrier as usize] >= machine().barrier_latency as f64 - 5.0);
    }

    #[test]
    fn blocks_follow_each_other_where_there_is_no_room_for_all() {
        let (ops, places) = ([op(Pipe::Fma, 8)], [0; 100]);
        let of = |resident| run(&ops, &places, 4, Shape { resident, blocks: 4 }, &[]).cycles;
        assert!(of(4) < 850, "{}", of(4));
        assert!(of(1) > 3200, "{}", of(1));
    }

    #[test]
    fn blocks_whose_first_warp_does_most_share_the_schedulers() {
        let (ops, costs) = ([op(Pipe::Fma, 1)], vec![vec![Vec::new(); 4]]);
        let trace = |count| {
            let mut warp = WarpTrace::default();
            warp.places = vec![0; count];
            warp
        };
        let block = Block { warps: vec![trace(400), trace(1), trace(1), trace(1)], ..Block::default() };
        let run = replay(&machine(), &ops, &[block], &costs, Shape { resident: 4, blocks: 4 });
        assert!((400..=410).contains(&run.cycles), "{}", run.cycles);
    }

    #[test]
    fn a_scheduler_has_a_path_to_memory_that_takes_cycles_and_a_queue() {
        // One warp waits for the path; its last instructions are still in the queue when it ends.
        let ops = [op(Pipe::Memory, 1)];
        let machine = machine();
        let alone = run(&ops, &[0; 100], 1, ONE, &[]).cycles;
        let least = 99 * machine.memory_issue - machine.queue;
        assert!((least..=least + 4).contains(&alone), "{alone} {least}");
        assert!(run(&ops, &[0; 4], 1, ONE, &[]).cycles <= 5, "the queue takes a few");
    }

    #[test]
    fn dram_has_its_bandwidth() {
        let ops = [Op { write: 0, ..op(Pipe::Memory, 1) }];
        let places = [HAS_ACCESS; 100];
        // Each warp loads other sectors each time, but all warps the same ones: the first to ask brings them.
        let accesses: Vec<(Kind, Vec<u64>)> =
            (0..100).map(|at| (Kind::Load, (0..16).map(|sector| 64 * at + sector).collect())).collect();
        let run = run(&ops, &places, 1, Shape { resident: 8, blocks: 64 }, &accesses);
        let bytes = 64.0 * 100.0 * 16.0 * 32.0;
        let least = bytes / machine().dram_bandwidth;
        assert!(
            (run.cycles as f64) > 0.95 * least && (run.cycles as f64) < 1.2 * least,
            "{} {least}",
            run.cycles
        );
    }

    #[test]
    fn a_warp_that_is_ahead_of_its_bulk_copy_waits_for_it() {
        let machine = machine();
        let bulk = Op { action: Action::Bulk, ..op(Pipe::Memory, 1) };
        let asks = Op { write: 0, ..op(Pipe::Memory, 1) };
        let goes_on = Op { wait: 1, ..op(Pipe::Alu, 1) };
        let ops = [op(Pipe::Fma, 15), bulk, asks, goes_on];
        let cost = |brings, finds, waits| Cost {
            level: if waits { Level::Shared } else { Level::L2 },
            wavefronts: 1,
            l2_bytes: 0.0,
            dram_bytes: 0.0,
            brings,
            finds,
            waits,
        };
        let trace = |places: &[u32]| {
            let mut warp = WarpTrace::default();
            warp.places = places.to_vec();
            warp
        };
        // The first warp asks for the copy after 150 cycles; the second one is there at once.
        let first = [vec![0; 10], vec![1 | HAS_ACCESS]].concat();
        let block = Block { warps: vec![trace(&first), trace(&[3, 2 | HAS_ACCESS, 3])], ..Block::default() };
        let costs = [vec![vec![cost(0, NONE, false)], vec![cost(NONE, 0, true)]]];
        let run = replay(&machine, &ops, &[block], &costs, ONE);
        let least = 150 + machine.l2_latency + machine.bulk_latency;
        assert!((least..least + 12).contains(&run.cycles), "{} {least}", run.cycles);
        assert!(run.causes()[Cause::L2 as usize] > 50.0);
    }

    #[test]
    fn a_warp_waits_for_products_of_its_group_where_it_says_so() {
        let product = Op { action: Action::Product(true), busy: 128, latency: 128, ..op(Pipe::Tensor, 1) };
        let wait = |most| Op { action: Action::Products(most), ..op(Pipe::Branch, 1) };
        let of =
            |most| run(&[product, op(Pipe::Fma, 1), wait(most)], &[0, 0, 1, 1, 2, 1], 1, ONE, &[]).cycles;
        // Two products of 128 cycles; the second one runs on while the warp ends.
        assert!((256..=262).contains(&of(0)), "{}", of(0));
        assert!((128..=134).contains(&of(1)), "{}", of(1));
        assert!(of(2) < 10, "{}", of(2));
    }

    #[test]
    fn the_user_of_a_uniform_load_waits_although_no_scoreboard_says_so() {
        let load = Op { loads_uniform: true, ..op(Pipe::Uniform, 1) };
        let user = Op { uses_uniform: true, ..op(Pipe::Alu, 1) };
        let of = |user| run(&[load, user], &[0, 1], 1, ONE, &[]).cycles;
        let latency = machine().uniform_load_latency;
        assert!((latency..latency + 4).contains(&of(user)), "{}", of(user));
        assert!(of(op(Pipe::Alu, 1)) < 6);
    }

    #[test]
    fn an_instruction_whose_guard_is_false_holds_no_pipe() {
        let ops = [op(Pipe::Special, 1)];
        let off = run(&ops, &[IS_OFF; 100], 4, ONE, &[]);
        assert!(off.cycles < 110, "{}", off.cycles);
    }
}
