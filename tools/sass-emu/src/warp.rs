//! The lanes of a warp: registers, divergence, and each operation.
//!
//! **Problem.** The lanes of a warp may diverge at a branch, wait for each other, and meet again.
//! The place where they meet determines how many instructions are issued, so it must be the
//! hardware's.
//!
//! **Method.** Lanes with one program counter form a group. A branch may split a group. `BSSY`
//! records the lanes of a convergence barrier. `BSYNC` waits until all of them that have not left
//! have come; then they are one group. Groups meet nowhere else, except at `WARPSYNC`. Groups take
//! turns, so that one that spins does not stop another.
//!
//! **Source.** NVIDIA's patent US 2016/0019066 (convergence barriers); Habermaier and Knapp, "On
//! the Correctness of the SIMT Execution Model".
//!
//! **Complexity.** Linear in the instructions that groups issue; each works on 32 lanes.

use crate::decode::{
    Asynchronous, Atomic, Flag, From, Halves, Kind, Number, Operation, Part, Place, Place64, Reduction,
    Shuffle, Source, Space, Special, Step, Target, Vote,
};
use crate::float::{self, Format, Integral};
use crate::instruction::{Predicate, Registers, SIZE};
use crate::lanes::{Row, Row64, ALL, LANES};
use crate::matrix;
use crate::memory::Memory;
use crate::world::{Access, AccessKind, Observer, Stop, World, LOCAL_WINDOW, SHARED_WINDOW};

/// Instructions of a group before the next one has its turn.
const SLICE: u32 = 2048;

/// Why a group does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    No,
    /// For the lanes of a convergence barrier.
    Meet(u8),
    /// For these lanes, at WARPSYNC.
    Lanes(u32),
    /// For the end of a barrier of the block: its number, and how often it was passed before.
    Block(u8, u64),
}

/// Lanes with one program counter.
#[derive(Clone, Copy, Debug)]
struct Group {
    at: Place,
    lanes: u32,
    waits: Waits,
}

/// A warp.
pub struct Warp<'a> {
    /// Its number in its block.
    pub number: u32,
    pub threads: [Row; 3],
    registers: Vec<Row>,
    uniform: [u32; 256],
    predicates: [u32; 8],
    uniform_predicates: [bool; 8],
    barriers: [u32; 16],
    alive: u32,
    groups: Vec<Group>,
    /// The group whose turn it is.
    turn: usize,
    local: Memory<'a>,
    /// The barrier of the block that was passed last.
    passed: u8,
}

/// The state of a warp after its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has issued instructions.
    Ran,
    Waits,
    Done,
}

impl<'a> Warp<'a> {
    pub fn new(number: u32, threads: [Row; 3], alive: u32, local: Memory<'a>) -> Self {
        let (mut predicates, mut uniform_predicates) = ([0; 8], [false; 8]);
        (predicates[7], uniform_predicates[7]) = (ALL, true);
        Warp {
            number,
            threads,
            registers: vec![[0; LANES]; 256],
            uniform: [0; 256],
            predicates,
            uniform_predicates,
            barriers: [0; 16],
            alive,
            groups: vec![Group { at: 0, lanes: alive, waits: Waits::No }],
            turn: 0,
            local,
            passed: 0,
        }
    }

    /// Lets groups run until they wait, or for a slice.
    pub fn run<O: Observer>(&mut self, world: &mut World<O>) -> Result<State, Stop> {
        let mut has_run = false;
        loop {
            self.release(world);
            let num = self.groups.len();
            if num == 0 {
                return Ok(State::Done);
            }
            let next =
                (0..num).map(|add| (self.turn + add) % num).find(|&at| self.groups[at].waits == Waits::No);
            let Some(next) = next else {
                return Ok(if has_run { State::Ran } else { State::Waits });
            };
            if has_run {
                // Other warps get their turn too, wherever one of them may wait for this one.
                let slice_is_over = self.turn != next || num == 1;
                if slice_is_over && world.is_slice_over() {
                    return Ok(State::Ran);
                }
            }
            self.turn = next;
            self.run_group(next, world)?;
            has_run = true;
        }
    }

    /// Lets groups go on whose wait is over, and joins those that have met.
    fn release<O: Observer>(&mut self, world: &World<O>) {
        for at in 0..self.groups.len() {
            let group = self.groups[at];
            let goes_on = match group.waits {
                Waits::No => false,
                Waits::Block(number, generation) => world.generation(number) != generation,
                Waits::Meet(barrier) => {
                    let expected = self.barriers[barrier as usize] & self.alive;
                    let here = self.waiting(|waits| waits == Waits::Meet(barrier));
                    expected & !here == 0
                }
                Waits::Lanes(mask) => {
                    let here = self.waiting(|waits| matches!(waits, Waits::Lanes(_)));
                    mask & self.alive & !here == 0
                }
            };
            if !goes_on {
                continue;
            }
            match group.waits {
                Waits::Block(number, _) => {
                    self.groups[at].waits = Waits::No;
                    self.passed = number;
                }
                waits => {
                    // All that wait here go on together.
                    let is_same = |own: Waits| match (own, waits) {
                        (Waits::Lanes(_), Waits::Lanes(_)) => true,
                        _ => own == waits,
                    };
                    let mut joined: Vec<Group> = Vec::new();
                    self.groups.retain(|group| {
                        if !is_same(group.waits) {
                            return true;
                        }
                        match joined.iter_mut().find(|own| own.at == group.at) {
                            Some(own) => own.lanes |= group.lanes,
                            None => joined.push(Group { waits: Waits::No, ..*group }),
                        }
                        false
                    });
                    if let Waits::Meet(barrier) = waits {
                        self.barriers[barrier as usize] = 0;
                    }
                    self.groups.extend(joined);
                    return self.release(world);
                }
            }
        }
    }

    fn waiting(&self, is_it: impl Fn(Waits) -> bool) -> u32 {
        self.groups.iter().filter(|group| is_it(group.waits)).fold(0, |lanes, group| lanes | group.lanes)
    }

    fn run_group<O: Observer>(&mut self, index: usize, world: &mut World<O>) -> Result<(), Stop> {
        let Group { mut at, mut lanes, .. } = self.groups[index];
        for _ in 0..SLICE {
            let code = world.code;
            let step = match code.get(at as usize) {
                Some(Ok(step)) => step,
                Some(Err(unknown)) => return Err(Stop::Unknown(unknown.clone())),
                None => return Err(Stop::Fault { at, why: "the code ends" }),
            };
            let mask = lanes & step.guard.map_or(ALL, |guard| self.condition(guard));
            world.count(self.number, at, mask)?;
            if step.operation.is_control() {
                self.groups[index].at = at;
                if self.control(index, step, mask, world)? {
                    return Ok(());
                }
                Group { at, lanes, .. } = self.groups[index];
            } else {
                if mask != 0 {
                    self.execute(step, at, mask, world)?;
                }
                at += 1;
            }
        }
        self.groups[index].at = at;
        self.turn += 1;
        Ok(())
    }

    /// Moves some lanes of a group elsewhere. The group keeps the others, at the next instruction.
    fn part(&mut self, index: usize, lanes: u32, at: Place, waits: Waits) {
        let group = &mut self.groups[index];
        let next = group.at + 1;
        if group.lanes == lanes {
            (group.at, group.waits) = (at, waits);
        } else if lanes == 0 {
            group.at = next;
        } else {
            group.lanes &= !lanes;
            group.at = next;
            self.groups.push(Group { at, lanes, waits });
        }
    }

    /// Runs a control instruction. Returns whether the group's turn is over.
    fn control<O: Observer>(
        &mut self,
        index: usize,
        step: &Step,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<bool, Stop> {
        let Group { at, lanes, .. } = self.groups[index];
        let conditions = step.conditions.iter().fold(mask, |mask, &own| mask & self.condition(own));
        match step.operation {
            Operation::Branch { to } | Operation::Call { to } => self.part(index, conditions, to, Waits::No),
            Operation::BranchAny { to } => self.part(index, if mask == 0 { 0 } else { lanes }, to, Waits::No),
            Operation::BranchAll { to } => {
                self.part(index, if conditions == lanes { lanes } else { 0 }, to, Waits::No);
            }
            Operation::BranchIf { divergent, to } => {
                let expected = self.word(&step.sources[0], world)[0];
                let expected = if step.sources[0].is_inverted { !expected } else { expected };
                let is_taken = (mask != expected) == divergent;
                self.part(index, if is_taken { mask } else { 0 }, to, Waits::No);
            }
            Operation::BranchIndirect { base } | Operation::Return { base } => {
                if self.jump_indirect(index, step, base, mask, world)? {
                    return Ok(true);
                }
            }
            Operation::Exit => return Ok(self.exit(index, conditions, world)),
            Operation::Trap => {
                if mask != 0 {
                    return Err(Stop::Trap { at });
                }
                self.groups[index].at = at + 1;
            }
            Operation::Enter { barrier } => {
                if conditions != 0 {
                    self.barriers[barrier as usize] = conditions;
                }
                self.groups[index].at = at + 1;
            }
            Operation::Leave { barrier } => {
                self.barriers[barrier as usize] &= !conditions;
                self.groups[index].at = at + 1;
                // Others may be waiting for these lanes only.
                return Ok(conditions != 0 && self.groups.len() > 1);
            }
            Operation::Meet { barrier } => {
                let expected = self.barriers[barrier as usize];
                // Lanes that have left the barrier do not wait for it.
                let waits = conditions & expected;
                if expected & self.alive == waits {
                    self.barriers[barrier as usize] = 0;
                    self.groups[index].at = at + 1;
                    return Ok(false);
                }
                self.part(index, waits, at + 1, Waits::Meet(barrier));
                return Ok(true);
            }
            Operation::MeetLanes => {
                let named = self.word(&step.sources[0], world);
                let expected = named[(mask | 1 << 31).trailing_zeros() as usize] & self.alive;
                if expected & !mask == 0 {
                    self.groups[index].at = at + 1;
                    return Ok(false);
                }
                self.part(index, mask, at + 1, Waits::Lanes(expected));
                return Ok(true);
            }
            Operation::Barrier { .. } => return Ok(self.arrive(index, step, mask, world)),
            _ => unreachable!("is_control names these operations"),
        }
        Ok(matches!(self.groups.get(index), Some(group) if group.lanes != lanes || group.waits != Waits::No))
    }

    /// A jump to addresses that each lane has. Returns whether the group's turn is over.
    fn jump_indirect<O: Observer>(
        &mut self,
        index: usize,
        step: &Step,
        base: u64,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<bool, Stop> {
        let Group { at, lanes, .. } = self.groups[index];
        let targets = self.word(&step.sources[0], world);
        let mut left = mask;
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let same = lanes_where(left, |lane| targets[lane] == targets[first]);
            let target = base.wrapping_add(i64::from(targets[first] as i32) as u64);
            if target % SIZE != 0 || target / SIZE >= world.code.len() as u64 {
                return Err(Stop::Fault { at, why: "a jump out of the code" });
            }
            left &= !same;
            if left == 0 && self.groups[index].lanes == same {
                self.groups[index].at = (target / SIZE) as Place;
                return Ok(true);
            }
            self.groups[index].at = at;
            self.part(index, same, (target / SIZE) as Place, Waits::No);
        }
        if mask != 0 || lanes == 0 {
            return Ok(true);
        }
        self.groups[index].at = at + 1;
        Ok(false)
    }

    /// Lets lanes leave. Returns whether the group's turn is over.
    fn exit<O: Observer>(&mut self, index: usize, conditions: u32, world: &mut World<O>) -> bool {
        let Group { at, lanes, .. } = self.groups[index];
        if conditions == 0 {
            self.groups[index].at = at + 1;
            return false;
        }
        self.alive &= !conditions;
        for barrier in &mut self.barriers {
            *barrier &= !conditions;
        }
        world.leave(conditions.count_ones());
        let group = &mut self.groups[index];
        (group.lanes, group.at) = (lanes & !conditions, at + 1);
        if group.lanes == 0 {
            self.groups.remove(index);
            return true;
        }
        false
    }

    /// Arrives at a barrier of the block. Returns whether the group's turn is over.
    fn arrive<O: Observer>(&mut self, index: usize, step: &Step, mask: u32, world: &mut World<O>) -> bool {
        let Operation::Barrier { waits, reduces, counts } = step.operation else {
            unreachable!("control gives it barriers only");
        };
        let Group { at, .. } = self.groups[index];
        if mask == 0 {
            self.groups[index].at = at + 1;
            return false;
        }
        let first = mask.trailing_zeros() as usize;
        let number = self.word(&step.sources[0], world)[first] & 15;
        let expected = counts.then(|| self.word(&step.sources[1], world)[first]);
        let holds = reduces.map_or(0, |_| (mask & self.condition(step.conditions[0])).count_ones());
        let arrived = mask.count_ones();
        let generation = world.arrive(number as u8, expected, arrived, holds, reduces);
        if waits {
            self.part(index, mask, at + 1, Waits::Block(number as u8, generation));
            return true;
        }
        self.groups[index].at = at + 1;
        false
    }

    /// The lanes for which a predicate holds.
    fn condition(&self, predicate: Predicate) -> u32 {
        let number = predicate.number.unwrap_or(7) as usize;
        let holds = if predicate.is_uniform {
            if self.uniform_predicates[number] {
                ALL
            } else {
                0
            }
        } else {
            self.predicates[number]
        };
        if predicate.is_negated {
            !holds
        } else {
            holds
        }
    }

    /// The bits of a source, without its sign modifiers.
    #[inline]
    fn word<O: Observer>(&self, source: &Source, world: &World<O>) -> Row {
        match source.from {
            From::Zero => [0; LANES],
            From::Lane(number) => self.registers[number as usize],
            From::Uniform(number) => [self.uniform[number as usize]; LANES],
            From::Word(word) => [word; LANES],
            From::Wide(number) => [number as u32; LANES],
            From::Constant(bank, offset) => [world.constant(bank, offset.into(), 4) as u32; LANES],
        }
    }

    /// A source of integer instructions.
    #[inline]
    fn integer<O: Observer>(&self, source: &Source, world: &World<O>) -> Row {
        let mut row = self.word(source, world);
        if source.is_absolute {
            row.iter_mut().for_each(|word| *word = (*word as i32).unsigned_abs());
        }
        if source.is_negated {
            row.iter_mut().for_each(|word| *word = word.wrapping_neg());
        }
        if source.is_inverted {
            row.iter_mut().for_each(|word| *word = !*word);
        }
        row
    }

    /// A source of 64 bits as in its registers. An immediate is sign-extended.
    fn pair<O: Observer>(&self, source: &Source, world: &World<O>) -> Row64 {
        match source.from {
            From::Zero => [0; LANES],
            From::Lane(number) => {
                let (low, high) = (&self.registers[number as usize], &self.registers[number as usize + 1]);
                std::array::from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
            }
            From::Uniform(number) => {
                let [low, high] = [0, 1].map(|add| u64::from(self.uniform[number as usize + add]));
                [low | high << 32; LANES]
            }
            From::Word(word) => [i64::from(word as i32) as u64; LANES],
            From::Wide(number) => [number; LANES],
            From::Constant(bank, offset) => [world.constant(bank, offset.into(), 8); LANES],
        }
    }

    fn integer_pair<O: Observer>(&self, source: &Source, world: &World<O>) -> Row64 {
        let mut row = self.pair(source, world);
        if source.is_negated {
            row.iter_mut().for_each(|word| *word = word.wrapping_neg());
        }
        if source.is_inverted {
            row.iter_mut().for_each(|word| *word = !*word);
        }
        row
    }

    #[inline]
    fn single<O: Observer>(&self, source: &Source, world: &World<O>) -> [f32; LANES] {
        let (keeps, flips) = signs(source);
        self.word(source, world).map(|word| f32::from_bits(word & keeps ^ flips))
    }

    /// The lower and the upper number of a source of an instruction on pairs of 32 bits.
    fn singles<O: Observer>(&self, source: &Source, world: &World<O>) -> [[f32; LANES]; 2] {
        if source.halves == Halves::Low {
            return [self.single(source, world); 2];
        }
        let (keeps, flips) = signs(source);
        let row = self.pair(source, world);
        let number = |shift: u32| row.map(|words| f32::from_bits((words >> shift) as u32 & keeps ^ flips));
        match source.halves {
            Halves::Swapped => [32, 0].map(number),
            _ => [0, 32].map(number),
        }
    }

    fn double<O: Observer>(&self, source: &Source, world: &World<O>) -> [f64; LANES] {
        let (keeps, flips) = signs(source);
        let row = match source.from {
            // An immediate is the upper word.
            From::Word(word) => [u64::from(word) << 32; LANES],
            _ => self.pair(source, world),
        };
        let [keeps, flips] = [u64::from(keeps) << 32 | 0xffff_ffff, u64::from(flips) << 32];
        row.map(|bits| f64::from_bits(bits & keeps ^ flips))
    }

    /// A floating-point source of any format, in double precision, which represents it exactly.
    fn wide<O: Observer>(&self, source: &Source, format: Format, world: &World<O>) -> [f64; LANES] {
        match format {
            Format::Double => self.double(source, world),
            Format::Single => self.single(source, world).map(f64::from),
            Format::Half | Format::Brain => self.halves(source, format, world).map(|[low, _]| low),
        }
    }

    /// Both halves of a source of an instruction on pairs of 16 bits.
    fn halves<O: Observer>(&self, source: &Source, format: Format, world: &World<O>) -> [[f64; 2]; LANES] {
        self.word(source, world).map(|word| {
            let [low, high] = [word & 0xffff, word >> 16];
            let chosen = match source.halves {
                Halves::Both => [low, high],
                Halves::Low => [low, low],
                Halves::High => [high, high],
                Halves::Swapped => [high, low],
            };
            chosen.map(|bits| {
                let value = float::widen(format, bits.into());
                let value = if source.is_absolute { value.abs() } else { value };
                if source.is_negated {
                    -value
                } else {
                    value
                }
            })
        })
    }

    #[inline]
    fn write(&mut self, target: Target, mask: u32, row: &Row) {
        match target {
            None => {}
            Some((Registers::Lane, number)) => {
                let own = &mut self.registers[number as usize];
                if mask == ALL {
                    *own = *row;
                } else {
                    for lane in 0..LANES {
                        own[lane] = if mask >> lane & 1 == 1 { row[lane] } else { own[lane] };
                    }
                }
            }
            Some((Registers::Uniform, number)) => {
                self.uniform[number as usize] = row[mask.trailing_zeros() as usize % LANES];
            }
        }
    }

    fn write_pair(&mut self, target: Target, mask: u32, row: &Row64) {
        self.write(target, mask, &row.map(|word| word as u32));
        let high = target.map(|(file, number)| (file, number + 1));
        self.write(high, mask, &row.map(|word| (word >> 32) as u32));
    }

    #[inline]
    fn write_flag(&mut self, flag: Flag, mask: u32, holds: u32) {
        match flag {
            None => {}
            Some((false, number)) => {
                let own = &mut self.predicates[number as usize];
                *own = *own & !mask | holds & mask;
            }
            Some((true, number)) => {
                self.uniform_predicates[number as usize] = holds >> mask.trailing_zeros() & 1 == 1;
            }
        }
    }

    /// Runs an instruction that is not control, for the lanes of a mask that is not empty.
    fn execute<O: Observer>(
        &mut self,
        step: &Step,
        at: Place,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<(), Stop> {
        match &step.operation {
            Operation::Nothing => {}
            Operation::Assume(what) => {
                self.write_flag(step.flags[0], mask, ALL);
                self.tell_asynchronous(what, mask, at, world);
            }
            Operation::Move
            | Operation::MoveWide
            | Operation::ToUniform
            | Operation::Special { .. }
            | Operation::SpecialWide { .. }
            | Operation::Constant { .. }
            | Operation::Select { .. }
            | Operation::SelectWide
            | Operation::Permute(_)
            | Operation::PredicatesTo { .. }
            | Operation::ToPredicates { .. } => self.moves(step, mask, world),
            Operation::Add { .. }
            | Operation::AddHalves
            | Operation::AddWide { .. }
            | Operation::Multiply { .. }
            | Operation::ShiftAdd { .. }
            | Operation::DotProduct { .. }
            | Operation::Absolute => self.sums(step, mask, world),
            Operation::Compare { .. } => self.compare(step, mask, world),
            Operation::Extreme { .. } | Operation::Extreme3 { .. } => self.extremes(step, mask, world),
            Operation::ExtremeHalves { .. } => self.extreme_halves(step, mask, world),
            Operation::Logic { .. }
            | Operation::PredicateLogic { .. }
            | Operation::Shift { .. }
            | Operation::SignExtend { .. }
            | Operation::Mask { .. }
            | Operation::CountOnes
            | Operation::FindLeading { .. }
            | Operation::Reverse => self.bits(step, mask, world),
            Operation::MatrixMultiply { .. } | Operation::MoveMatrix => self.matrices(step, mask, world),
            Operation::Shuffle(_)
            | Operation::Vote(_)
            | Operation::Elect
            | Operation::Match { .. }
            | Operation::Reduce(_)
            | Operation::SaveBarrier { .. }
            | Operation::RestoreBarrier { .. }
            | Operation::BarrierResult => self.across(step, mask, world),
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Atomic { .. }
            | Operation::CopyToShared { .. }
            | Operation::LoadMatrix { .. }
            | Operation::StoreMatrix { .. } => self.access(step, at, mask, world)?,
            _ => self.float(step, mask, world),
        }
        Ok(())
    }

    /// The register at this offset of a source that has several.
    fn offset<O: Observer>(&self, source: &Source, add: u8, world: &World<O>) -> Row {
        let from = match source.from {
            From::Lane(number) => From::Lane(number + add),
            From::Uniform(number) => From::Uniform(number + add),
            from => from,
        };
        self.word(&Source { from, ..*source }, world)
    }

    /// Writes the two predicates of a comparison: its result and the opposite, each joined with the
    /// condition.
    fn write_flags(&mut self, step: &Step, mask: u32, holds: u32, join: impl Fn(u32, u32) -> u32) {
        let other = self.condition(step.conditions[0]);
        self.write_flag(step.flags[0], mask, join(holds, other));
        self.write_flag(step.flags[1], mask, join(!holds, other));
    }

    fn add_carries(&self, step: &Step, mut add: impl FnMut(usize)) {
        for condition in &step.conditions[..2] {
            let holds = self.condition(*condition);
            (0..LANES).filter(|lane| holds >> lane & 1 == 1).for_each(&mut add);
        }
    }

    fn add<O: Observer>(&mut self, step: &Step, mask: u32, is_extended: bool, num: usize, world: &World<O>) {
        if !is_extended && step.flags == [None; 2] {
            let mut sum = self.integer(&step.sources[0], world);
            for source in &step.sources[1..num] {
                let row = self.integer(source, world);
                sum.iter_mut().zip(row).for_each(|(sum, word)| *sum = sum.wrapping_add(word));
            }
            self.write(step.target, mask, &sum);
            return;
        }
        let mut sum = [0u64; LANES];
        for source in &step.sources[..num] {
            let row = self.word(source, world);
            for lane in 0..LANES {
                sum[lane] += addend(source, row[lane], is_extended);
            }
        }
        if is_extended {
            self.add_carries(step, |lane| sum[lane] += 1);
        }
        self.write(step.target, mask, &sum.map(|sum| sum as u32));
        for (which, flag) in step.flags.into_iter().enumerate() {
            self.write_flag(flag, mask, lanes_where(ALL, |lane| sum[lane] >> 32 > which as u64));
        }
    }

    fn multiply<O: Observer>(
        &mut self,
        step: &Step,
        mask: u32,
        part: Part,
        is_extended: bool,
        world: &World<O>,
    ) {
        let (x, y) = (self.integer(&step.sources[0], world), self.integer(&step.sources[1], world));
        let carry = if is_extended { self.condition(step.conditions[0]) } else { 0 };
        let carry = |lane: usize| u64::from(carry >> lane & 1);
        match part {
            Part::Low => {
                let z = self.integer(&step.sources[2], world);
                let row = std::array::from_fn(|lane| {
                    x[lane].wrapping_mul(y[lane]).wrapping_add(z[lane]).wrapping_add(carry(lane) as u32)
                });
                self.write(step.target, mask, &row);
            }
            Part::High { is_signed } | Part::Wide { is_signed } => {
                let z = self.integer_pair(&step.sources[2], world);
                let mut carries = 0;
                let sum: Row64 = std::array::from_fn(|lane| {
                    let product = if is_signed {
                        (i64::from(x[lane] as i32) * i64::from(y[lane] as i32)) as u64
                    } else {
                        u64::from(x[lane]) * u64::from(y[lane])
                    };
                    let (sum, first) = product.overflowing_add(z[lane]);
                    let (sum, second) = sum.overflowing_add(carry(lane));
                    carries |= u32::from(first | second) << lane;
                    sum
                });
                if matches!(part, Part::Wide { .. }) {
                    self.write_pair(step.target, mask, &sum);
                } else {
                    self.write(step.target, mask, &sum.map(|sum| (sum >> 32) as u32));
                }
                self.write_flag(step.flags[0], mask, carries);
            }
        }
    }

    fn special<O: Observer>(&self, special: Special, world: &World<O>) -> Row {
        let each = |value: u32| [value; LANES];
        match special {
            Special::Zero => each(0),
            Special::Thread(axis) => self.threads[axis],
            Special::Block(axis) => each(world.block[axis]),
            Special::Lane => std::array::from_fn(|lane| lane as u32),
            Special::Lanes(order, or_equal) => std::array::from_fn(|lane| {
                lanes_where(ALL, |other| other.cmp(&lane) == order || or_equal && other == lane)
            }),
            Special::SharedWindow => each((SHARED_WINDOW >> 32) as u32),
            Special::ClusterBlock | Special::Multiprocessor => each(0),
            Special::Clock => each(world.executed as u32),
            Special::Warp => each(self.number),
        }
    }

    #[allow(clippy::too_many_arguments)] // The fields of one operation.
    fn load_constant<O: Observer>(
        &mut self,
        step: &Step,
        mask: u32,
        bank: u8,
        address: &crate::instruction::Address,
        bytes: usize,
        is_signed: bool,
        world: &World<O>,
    ) {
        let mut offsets = [address.offset as u32; LANES];
        for term in &address.terms {
            let row = self.register(term.register.file, term.register.number.unwrap_or(0));
            offsets.iter_mut().zip(row).for_each(|(offset, word)| *offset = offset.wrapping_add(word));
        }
        for at in 0..bytes.div_ceil(4) {
            let size = bytes.min(4);
            let row = std::array::from_fn(|lane| {
                let word = world.constant(bank, u64::from(offsets[lane]) + 4 * at as u64, size);
                extend(word, size, is_signed)
            });
            let target = step.target.map(|(file, number)| (file, number + at as u8));
            self.write(target, mask, &row);
        }
    }

    fn register(&self, file: Registers, number: u8) -> Row {
        match file {
            Registers::Lane => self.registers[number as usize],
            Registers::Uniform => [self.uniform[number as usize]; LANES],
        }
    }

    /// Moves, special registers, constants, selections.
    fn moves<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match &step.operation {
            Operation::Move => {
                let row = self.integer(a, world);
                self.write(step.target, mask, &row);
            }
            Operation::MoveWide => {
                let row = self.integer_pair(a, world);
                self.write_pair(step.target, mask, &row);
            }
            Operation::ToUniform => {
                let row = self.word(a, world);
                self.write(step.target, mask, &row);
            }
            Operation::Special(special) => {
                let row = self.special(*special, world);
                self.write(step.target, mask, &row);
            }
            Operation::SpecialWide(special) => {
                let row = self.special(*special, world).map(u64::from);
                self.write_pair(step.target, mask, &row);
            }
            Operation::Constant { bank, address, bytes, is_signed } => {
                self.load_constant(step, mask, *bank, address, *bytes, *is_signed, world);
            }
            Operation::Select { is_float } => {
                let sign = |source: &Source| {
                    let (keeps, flips) = signs(source);
                    self.word(source, world).map(|word| word & keeps ^ flips)
                };
                let (x, y) = if *is_float {
                    (sign(a), sign(b))
                } else {
                    (self.integer(a, world), self.integer(b, world))
                };
                let holds = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| if holds >> lane & 1 == 1 { x[lane] } else { y[lane] });
                self.write(step.target, mask, &row);
            }
            Operation::SelectWide => {
                let (x, y) = (self.integer_pair(a, world), self.integer_pair(b, world));
                let holds = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| if holds >> lane & 1 == 1 { x[lane] } else { y[lane] });
                self.write_pair(step.target, mask, &row);
            }
            Operation::Permute(pattern) => {
                let (x, by, y) = (self.integer(a, world), self.integer(b, world), self.integer(c, world));
                let by = pattern.map_or(by, |pattern| by.map(|number| pattern.choice(number)));
                let row = std::array::from_fn(|lane| permute(x[lane], by[lane], y[lane]));
                self.write(step.target, mask, &row);
            }
            Operation::PredicatesTo { mask: bits, byte } => {
                let x = self.integer(a, world);
                let row = std::array::from_fn(|lane| {
                    let held = (0..7).fold(0, |held, at| held | (self.predicates[at] >> lane & 1) << at);
                    x[lane] & !(bits << (8 * byte)) | (held & bits) << (8 * byte)
                });
                self.write(step.target, mask, &row);
            }
            Operation::ToPredicates { mask: bits, byte } => {
                let x = self.integer(a, world);
                for at in (0..7).filter(|at| bits >> at & 1 == 1) {
                    let holds = lanes_where(ALL, |lane| x[lane] >> (8 * byte + at) & 1 == 1);
                    self.write_flag(Some((false, at as u8)), mask, holds);
                }
            }
            other => unreachable!("execute does not give {other:?} to moves"),
        }
    }

    /// Sums and products of integers.
    fn sums<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match &step.operation {
            Operation::Add { is_extended, num } => self.add(step, mask, *is_extended, *num, world),
            Operation::AddHalves => {
                let (x, y) = (self.integer(a, world), self.integer(b, world));
                let row = std::array::from_fn(|lane| {
                    let sum = |shift: u32| (x[lane] >> shift).wrapping_add(y[lane] >> shift) & 0xffff;
                    sum(0) | sum(16) << 16
                });
                self.write(step.target, mask, &row);
            }
            Operation::AddWide { is_extended } => {
                let mut sum = [0u128; LANES];
                for source in &step.sources[..3] {
                    let row = self.pair(source, world);
                    for lane in 0..LANES {
                        sum[lane] += if source.is_negated && !is_extended {
                            u128::from(!row[lane]) + 1
                        } else if source.is_inverted || source.is_negated {
                            u128::from(!row[lane])
                        } else {
                            u128::from(row[lane])
                        };
                    }
                }
                if *is_extended {
                    self.add_carries(step, |lane| sum[lane] += 1);
                }
                self.write_pair(step.target, mask, &sum.map(|sum| sum as u64));
                for (which, flag) in step.flags.into_iter().enumerate() {
                    self.write_flag(flag, mask, lanes_where(ALL, |lane| sum[lane] >> 64 > which as u128));
                }
            }
            Operation::Multiply { part, is_extended } => {
                self.multiply(step, mask, *part, *is_extended, world)
            }
            Operation::ShiftAdd { .. } => self.shift_add(step, mask, world),
            Operation::Absolute => {
                let row = self.integer(a, world).map(|word| (word as i32).unsigned_abs());
                self.write(step.target, mask, &row);
            }
            Operation::DotProduct { signed, halves } => {
                let [x, y, z] = [a, b, c].map(|source| self.integer(source, world));
                let row = std::array::from_fn(|lane| dot(x[lane], y[lane], z[lane], *signed, *halves));
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to sums"),
        }
    }

    /// The sum of a number and another one that is shifted (LEA).
    fn shift_add<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        let Operation::ShiftAdd { shift, high, sign_extends, is_extended } = &step.operation else {
            unreachable!("sums gives it shifted sums only");
        };
        let negated = a.is_negated && !high;
        let x = if negated { self.word(a, world) } else { self.integer(a, world) };
        let y = self.word(b, world);
        let z = self.integer(c, world);
        let carries = if *is_extended { self.condition(step.conditions[0]) } else { 0 };
        let sum: Row64 = std::array::from_fn(|lane| {
            let upper = if *sign_extends { (x[lane] as i32 >> 31) as u32 } else { z[lane] };
            let wide = u64::from(x[lane]) | u64::from(upper) << 32;
            let shifted = if *high { (wide << shift) >> 32 } else { u64::from((x[lane]) << shift) };
            let carry = u64::from(carries >> lane & 1);
            let shifted = match negated {
                // -x is ~x + 1, with its carry, after the shift.
                true => u64::from(!(shifted as u32)) + 1,
                false => u64::from(shifted as u32),
            };
            shifted + addend(b, y[lane], *is_extended) + carry
        });
        self.write(step.target, mask, &sum.map(|sum| sum as u32));
        self.write_flag(step.flags[0], mask, lanes_where(ALL, |lane| sum[lane] >> 32 != 0));
    }

    /// Comparisons of integers.
    fn compare<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, ..] = &step.sources;
        let Operation::Compare { comparison, kind, join, is_extended } = &step.operation else {
            unreachable!("execute gives it comparisons only");
        };
        let holds = if kind.is_wide() {
            let (x, y) = (self.integer_pair(a, world), self.integer_pair(b, world));
            lanes_where(ALL, |lane| match kind {
                Kind::S64 => comparison.holds(x[lane] as i64, y[lane] as i64),
                _ => comparison.holds(x[lane], y[lane]),
            })
        } else {
            let (x, y) = (self.integer(a, world), self.integer(b, world));
            let holds = lanes_where(ALL, |lane| match kind {
                Kind::S32 => comparison.holds(x[lane] as i32, y[lane] as i32),
                _ => comparison.holds(x[lane], y[lane]),
            });
            if *is_extended {
                // If the upper words are equal, the lower ones decide; the last condition
                // is their result.
                let equal = lanes_where(ALL, |lane| x[lane] == y[lane]);
                holds & !equal | equal & self.condition(step.conditions[1])
            } else {
                holds
            }
        };
        self.write_flags(step, mask, holds, |holds, other| join.of(holds, other));
    }

    /// Minima and maxima of integers.
    fn extremes<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match &step.operation {
            Operation::Extreme { kind, .. } if kind.is_wide() => {
                let (x, y) = (self.integer_pair(a, world), self.integer_pair(b, world));
                let takes_least = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| {
                    let is_less = match kind {
                        Kind::S64 => (x[lane] as i64) < y[lane] as i64,
                        _ => x[lane] < y[lane],
                    };
                    if is_less == (takes_least >> lane & 1 == 1) {
                        x[lane]
                    } else {
                        y[lane]
                    }
                });
                self.write_pair(step.target, mask, &row);
            }
            Operation::Extreme { kind, adds, relu } => {
                let mut x = self.integer(a, world);
                let mut y = self.integer(b, world);
                if *adds {
                    x.iter_mut().zip(y).for_each(|(x, y)| *x = x.wrapping_add(y));
                    y = self.integer(c, world);
                }
                let takes_least = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| {
                    let value = extreme(kind.is_signed(), takes_least >> lane & 1 == 1, x[lane], y[lane]);
                    rectified(*relu, value)
                });
                self.write(step.target, mask, &row);
            }
            Operation::Extreme3 { kind, relu } => {
                let [x, y, z] = [a, b, c].map(|source| self.integer(source, world));
                let is_least = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| {
                    let of = |x, y| extreme(kind.is_signed(), is_least >> lane & 1 == 1, x, y);
                    rectified(*relu, of(of(x[lane], y[lane]), z[lane]))
                });
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to extremes"),
        }
    }

    /// Minima and maxima of the halves of words.
    fn extreme_halves<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        let Operation::ExtremeHalves { is_signed, adds, three, relu } = &step.operation else {
            unreachable!("execute gives it such operations only");
        };
        let [x, y, z] = [a, b, c].map(|source| self.integer(source, world));
        let is_least = self.condition(step.conditions[0]);
        let row = std::array::from_fn(|lane| {
            let of = |x, y| extreme(*is_signed, is_least >> lane & 1 == 1, x, y);
            let half = |at: u32| {
                let own = |word: u32| {
                    if *is_signed {
                        (word >> at) as u16 as i16 as u32
                    } else {
                        word >> at & 0xffff
                    }
                };
                let (x, y, z) = (own(x[lane]), own(y[lane]), own(z[lane]));
                let value = match (adds, three) {
                    (true, _) => of(own(x.wrapping_add(y) << at), z),
                    (_, true) => of(of(x, y), z),
                    _ => of(x, y),
                };
                (rectified(*relu, value) & 0xffff) << at
            };
            half(0) | half(16)
        });
        self.write(step.target, mask, &row);
    }

    /// Instructions on single bits.
    fn bits<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match &step.operation {
            Operation::Logic { table, join } => {
                let (x, y, z) = (self.integer(a, world), self.integer(b, world), self.integer(c, world));
                let row = logic(*table, &x, &y, &z);
                self.write(step.target, mask, &row);
                if step.flags[0].is_some() {
                    let holds =
                        join.of(lanes_where(ALL, |lane| row[lane] != 0), self.condition(step.conditions[0]));
                    self.write_flag(step.flags[0], mask, holds);
                }
            }
            Operation::PredicateLogic { tables } => {
                let [x, y, z] = step.conditions.map(|condition| [self.condition(condition); LANES]);
                for (table, flag) in tables.iter().zip(step.flags) {
                    self.write_flag(flag, mask, logic(*table, &x, &y, &z)[0]);
                }
            }
            Operation::Shift { left, high, wraps, kind } => {
                let (low, by, upper) =
                    (self.integer(a, world), self.integer(b, world), self.integer(c, world));
                let row = shifts(*left, *high, *wraps, *kind, &low, &by, &upper);
                self.write(step.target, mask, &row);
            }
            Operation::SignExtend { is_signed, wraps } => {
                let (x, by) = (self.integer(a, world), self.integer(b, world));
                let row = std::array::from_fn(|lane| {
                    let bits = if *wraps { by[lane] & 31 } else { by[lane].min(32) };
                    let kept = u64::from(x[lane]) & ((1 << bits) - 1);
                    let is_negative = *is_signed && bits > 0 && kept >> (bits - 1) & 1 == 1;
                    (kept | if is_negative { u64::MAX << bits } else { 0 }) as u32
                });
                self.write(step.target, mask, &row);
            }
            Operation::Mask { wraps } => {
                let (from, num) = (self.integer(a, world), self.integer(b, world));
                let row = std::array::from_fn(|lane| {
                    let limit = |word: u32| if *wraps { word & 31 } else { word.min(32) };
                    (((1u64 << limit(num[lane])) - 1) << limit(from[lane])) as u32
                });
                self.write(step.target, mask, &row);
            }
            Operation::CountOnes => {
                let row = self.integer(a, world).map(u32::count_ones);
                self.write(step.target, mask, &row);
            }
            Operation::FindLeading { is_signed, shifts } => {
                let row = self.integer(a, world).map(|word| {
                    let word = if *is_signed && (word as i32) < 0 { !word } else { word };
                    match word.checked_ilog2() {
                        None => u32::MAX,
                        Some(bit) if *shifts => 31 - bit,
                        Some(bit) => bit,
                    }
                });
                self.write(step.target, mask, &row);
                self.write_flag(step.flags[0], mask, lanes_where(ALL, |lane| row[lane] != u32::MAX));
            }
            Operation::Reverse => {
                let row = self.integer(a, world).map(u32::reverse_bits);
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to bits"),
        }
    }

    /// Products of matrices, and their parts.
    fn matrices<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, _, _, _] = &step.sources;
        match &step.operation {
            Operation::MatrixMultiply(shape) => {
                let operands = [0, 1, 2].map(|operand| {
                    let source = &step.sources[operand];
                    let rows = shape.registers(operand);
                    (0..rows).map(|add| self.offset(source, add, world)).collect::<Vec<Row>>()
                });
                for (add, row) in (0u8..).zip(matrix::multiply(*shape, &operands)) {
                    let target = step.target.map(|(file, number)| (file, number + add));
                    self.write(target, mask, &row);
                }
            }
            Operation::MoveMatrix => {
                let row = matrix::transpose(&self.word(a, world));
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to matrices"),
        }
    }

    fn float<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        match &step.operation {
            Operation::Single { .. }
            | Operation::Singles { .. }
            | Operation::Double { .. }
            | Operation::Pairs { .. }
            | Operation::CheckDivision
            | Operation::Function { .. }
            | Operation::FunctionUpper { .. } => self.float_arithmetic(step, mask, world),
            Operation::CompareFloats { .. }
            | Operation::ComparePairs { .. }
            | Operation::ExtremeFloat { .. }
            | Operation::ExtremePairs { .. } => self.float_comparisons(step, mask, world),
            Operation::ChooseDouble { .. } | Operation::CompareToFloat { .. } => {
                self.float_choices(step, mask, world);
            }
            Operation::FromInteger { .. }
            | Operation::ToInteger { .. }
            | Operation::Convert { .. }
            | Operation::Pack { .. }
            | Operation::Unpack { .. } => self.conversions(step, mask, world),
            Operation::Clamp { .. } => self.clamp(step, mask, world),
            other => unreachable!("{other:?} is not one of floating point"),
        }
    }

    /// Floating-point arithmetic, and the functions of the MUFU unit.
    fn float_arithmetic<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match &step.operation {
            Operation::Single { operation, mode } => {
                let operands = [a, b, c].map(|source| self.single(source, world));
                let row = float::singles(*operation, *mode, &operands);
                self.write(step.target, mask, &row);
            }
            Operation::Singles { operation, mode } => {
                let [x, y, z] = [a, b, c].map(|source| self.singles(source, world));
                let [low, high] = [0, 1].map(|at| float::singles(*operation, *mode, &[x[at], y[at], z[at]]));
                let row = std::array::from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32);
                self.write_pair(step.target, mask, &row);
            }
            Operation::Double { operation, round } => {
                let (x, y, z) = (self.double(a, world), self.double(b, world), self.double(c, world));
                let row = std::array::from_fn(|lane| {
                    float::double(*operation, *round, [x[lane], y[lane], z[lane]])
                });
                self.write_pair(step.target, mask, &row);
            }
            Operation::Pairs { operation, mode, format, relu, single } => {
                let [x, y, z] = [a, b, c].map(|source| self.halves(source, *format, world));
                let row = std::array::from_fn(|lane| {
                    let half = |at: usize| {
                        let operands = [x[lane][at], y[lane][at], z[lane][at]];
                        float::half(*operation, *mode, *format, *relu, operands, *single)
                    };
                    if *single {
                        half(0)
                    } else {
                        half(0) | half(1) << 16
                    }
                });
                self.write(step.target, mask, &row);
            }
            Operation::CheckDivision => {
                let (x, y) = (self.single(a, world), self.single(b, world));
                let holds = lanes_where(ALL, |lane| float::needs_long_division(x[lane], y[lane]));
                self.write_flag(step.flags[0], mask, holds);
            }
            Operation::Function(function) => {
                let row = self.single(a, world).map(|value| function.single(value));
                self.write(step.target, mask, &row);
            }
            Operation::FunctionUpper(function) => {
                let (keeps, flips) = signs(a);
                let row = self.word(a, world).map(|word| function.upper(word & keeps ^ flips));
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to float_arithmetic"),
        }
    }

    /// Comparisons, minima and maxima of floating-point numbers.
    fn float_comparisons<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match &step.operation {
            Operation::CompareFloats { comparison, format, join, flushes } => {
                let flush = |value: f64| if *flushes { f64::from(float::flush(value as f32)) } else { value };
                let (x, y) = (self.wide(a, *format, world), self.wide(b, *format, world));
                let holds = lanes_where(ALL, |lane| comparison.holds(flush(x[lane]), flush(y[lane])));
                self.write_flags(step, mask, holds, |holds, other| join.of(holds, other));
            }
            Operation::ComparePairs { comparison, format, join, .. } => {
                let (x, y) = (self.halves(a, *format, world), self.halves(b, *format, world));
                let other = self.condition(step.conditions[0]);
                for at in 0..2 {
                    let holds = lanes_where(ALL, |lane| comparison.holds(x[lane][at], y[lane][at]));
                    self.write_flag(step.flags[at], mask, join.of(holds, other));
                }
            }
            Operation::ExtremeFloat { flushes, keeps_nan, three } => {
                let [x, y, z] = [a, b, c].map(|source| {
                    let row = self.single(source, world);
                    if *flushes {
                        row.map(float::flush)
                    } else {
                        row
                    }
                });
                let takes_least = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| {
                    let least = takes_least >> lane & 1 == 1;
                    let value = float::extreme(least, *keeps_nan, x[lane].into(), y[lane].into());
                    let value =
                        if *three { float::extreme(least, *keeps_nan, value, z[lane].into()) } else { value };
                    float::narrow(Format::Single, float::Rounding::Nearest, value) as u32
                });
                self.write(step.target, mask, &row);
            }
            Operation::ExtremePairs { format, keeps_nan, three } => {
                let [x, y, z] = [a, b, c].map(|source| self.halves(source, *format, world));
                let takes_least = self.condition(step.conditions[0]);
                let row = std::array::from_fn(|lane| {
                    let of = |x, y| float::extreme(takes_least >> lane & 1 == 1, *keeps_nan, x, y);
                    let half = |at: usize| {
                        let value = of(x[lane][at], y[lane][at]);
                        let value = if *three { of(value, z[lane][at]) } else { value };
                        float::narrow(*format, float::Rounding::Nearest, value) as u32
                    };
                    half(0) | half(1) << 16
                });
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to float_comparisons"),
        }
    }

    /// The choice of a double, and comparisons whose result is a number.
    fn float_choices<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, ..] = &step.sources;
        match &step.operation {
            Operation::ChooseDouble { takes_least } => {
                let (x, y) = (self.double(a, world), self.double(b, world));
                let first = lanes_where(ALL, |lane| {
                    let chosen = float::extreme(*takes_least, false, x[lane], y[lane]);
                    chosen.to_bits() == x[lane].to_bits()
                });
                // ptxas sets the bit of a quiet NaN where this holds: a number must not get it.
                let neither = lanes_where(ALL, |lane| x[lane].is_nan() && y[lane].is_nan());
                self.write_flag(step.flags[0], mask, first);
                self.write_flag(step.flags[1], mask, neither);
            }
            Operation::CompareToFloat { comparison, join, flushes } => {
                let [x, y] = [a, b].map(|source| {
                    let row = self.single(source, world);
                    if *flushes {
                        row.map(float::flush)
                    } else {
                        row
                    }
                });
                let holds = lanes_where(ALL, |lane| comparison.holds(x[lane], y[lane]));
                let holds = join.of(holds, self.condition(step.conditions[0]));
                let row = std::array::from_fn(|lane| if holds >> lane & 1 == 1 { 1f32.to_bits() } else { 0 });
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to float_choices"),
        }
    }

    /// Conversions between formats, and from and to integers.
    fn conversions<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, _, _] = &step.sources;
        match &step.operation {
            Operation::FromInteger { format, bits, is_signed, round, byte } => {
                let row = self.integer_pair_or_word(a, *bits, world).map(|word| {
                    let kept = if *bits == 64 { word } else { word >> (8 * byte) & ((1 << bits) - 1) };
                    let value = if *is_signed {
                        i128::from((kept << (64 - bits)) as i64 >> (64 - bits))
                    } else {
                        i128::from(kept)
                    };
                    float::from_integer(*format, *round, value)
                });
                self.write_format(step.target, mask, *format, &row);
            }
            Operation::ToInteger { format, bits, is_signed, direction, flushes } => {
                let row = self.wide(a, *format, world).map(|value| {
                    let value = if *flushes { f64::from(float::flush(value as f32)) } else { value };
                    let is_double = *format == Format::Double;
                    float::to_integer(float::integral(*direction, value), *bits, *is_signed, is_double)
                });
                if *bits == 64 {
                    self.write_pair(step.target, mask, &row);
                } else {
                    self.write(step.target, mask, &row.map(|word| word as u32));
                }
            }
            Operation::Convert { to, from, round, flushes, integral } => {
                let row = self.wide(a, *from, world).map(|value| {
                    let is_flushed = *flushes && *from == Format::Single;
                    let value = if is_flushed { f64::from(float::flush(value as f32)) } else { value };
                    let value =
                        integral.map_or(value, |direction: Integral| float::integral(direction, value));
                    let bits = float::narrow(*to, *round, value);
                    if *flushes && *to == Format::Single {
                        float::flush(f32::from_bits(bits as u32)).to_bits().into()
                    } else {
                        bits
                    }
                });
                self.write_format(step.target, mask, *to, &row);
            }
            Operation::Pack { format, round, relu } => {
                let (high, low) = (self.wide(a, Format::Single, world), self.wide(b, Format::Single, world));
                let row = std::array::from_fn(|lane| {
                    let half = |value: f64| {
                        let value = if *relu && value < 0.0 { 0.0 } else { value };
                        float::narrow(*format, *round, value) as u32
                    };
                    half(high[lane]) << 16 | half(low[lane])
                });
                self.write(step.target, mask, &row);
            }
            Operation::Unpack(range) => {
                let shift = if a.halves == Halves::High { 16 } else { 0 };
                let row = self.word(a, world).map(|word| {
                    let [low, high] = [0, 8].map(|at| (word >> (shift + at)) as u8);
                    u32::from(float::from_byte(low, *range)) | u32::from(float::from_byte(high, *range)) << 16
                });
                self.write(step.target, mask, &row);
            }
            other => unreachable!("execute does not give {other:?} to conversions"),
        }
    }

    /// A conversion to an integer of fewer bits.
    fn clamp<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let Operation::Clamp { bits, is_signed, from_signed } = &step.operation else {
            unreachable!("float gives it such operations only");
        };
        let (low, high) =
            if *is_signed { (-1i64 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        let row = self.integer(&step.sources[0], world).map(|word| {
            let value = if *from_signed { i64::from(word as i32) } else { i64::from(word) };
            value.clamp(low, high) as u32
        });
        self.write(step.target, mask, &row);
    }

    fn integer_pair_or_word<O: Observer>(&self, source: &Source, bits: u32, world: &World<O>) -> Row64 {
        if bits == 64 {
            self.integer_pair(source, world)
        } else {
            self.integer(source, world).map(u64::from)
        }
    }

    fn write_format(&mut self, target: Target, mask: u32, format: Format, row: &Row64) {
        if format == Format::Double {
            self.write_pair(target, mask, row);
        } else {
            self.write(target, mask, &row.map(|word| word as u32));
        }
    }

    /// Instructions in which lanes read the values of other lanes.
    fn across<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        let [a, b, c, _] = &step.sources;
        match step.operation {
            Operation::Shuffle(shuffle) => {
                let (x, by, clamp) = (self.word(a, world), self.word(b, world), self.word(c, world));
                let mut holds = 0;
                let row = std::array::from_fn(|lane| {
                    let (from, is_inside) = shuffle_from(shuffle, lane as i32, by[lane], clamp[lane]);
                    holds |= u32::from(is_inside) << lane;
                    x[from]
                });
                self.write(step.target, mask, &row);
                self.write_flag(step.flags[0], mask, holds);
            }
            Operation::Vote(vote) => {
                let holds = self.condition(step.conditions[0]) & mask;
                let answer = match vote {
                    Vote::Any => holds != 0,
                    Vote::All => holds == mask,
                    Vote::Equal => holds == 0 || holds == mask,
                };
                self.write(step.target, mask, &[holds; LANES]);
                self.write_flag(step.flags[0], mask, if answer { ALL } else { 0 });
            }
            Operation::Elect => {
                let first = mask.trailing_zeros();
                self.write(step.target, mask, &[first; LANES]);
                self.write_flag(step.flags[0], mask, 1 << first);
            }
            Operation::Match { all, wide } => {
                let x = if wide { self.pair(a, world) } else { self.word(a, world).map(u64::from) };
                if all {
                    let first = x[mask.trailing_zeros() as usize];
                    let is_same = lanes_where(mask, |lane| x[lane] == first) == mask;
                    self.write(step.target, mask, &[if is_same { mask } else { 0 }; LANES]);
                    self.write_flag(step.flags[0], mask, if is_same { ALL } else { 0 });
                } else {
                    let row = std::array::from_fn(|lane| lanes_where(mask, |other| x[other] == x[lane]));
                    self.write(step.target, mask, &row);
                }
            }
            Operation::Reduce(reduction) => {
                let x = self.integer(a, world);
                let words = (0..LANES).filter(|lane| mask >> lane & 1 == 1).map(|lane| x[lane]);
                let result = words.reduce(|a, b| match reduction {
                    Reduction::And => a & b,
                    Reduction::Or => a | b,
                    Reduction::Xor => a ^ b,
                    Reduction::Sum => a.wrapping_add(b),
                    Reduction::Minimum { is_signed } => extreme(is_signed, true, a, b),
                    Reduction::Maximum { is_signed } => extreme(is_signed, false, a, b),
                });
                self.write(step.target, mask, &[result.unwrap_or(0); LANES]);
            }
            _ => self.barriers(step, mask, world),
        }
    }

    /// Instructions that read and write the state of barriers.
    fn barriers<O: Observer>(&mut self, step: &Step, mask: u32, world: &World<O>) {
        match step.operation {
            Operation::SaveBarrier { barrier, clears } => {
                let lanes = self.barriers[barrier as usize];
                if clears {
                    self.barriers[barrier as usize] = 0;
                }
                self.write(step.target, mask, &[lanes; LANES]);
            }
            Operation::RestoreBarrier { barrier } => {
                let row = self.word(&step.sources[0], world);
                self.barriers[barrier as usize] = row[mask.trailing_zeros() as usize];
            }
            Operation::BarrierResult => {
                let (holds, count) = world.barrier_result(self.passed);
                self.write(step.target, mask, &[count; LANES]);
                self.write_flag(step.flags[0], mask, if holds { ALL } else { 0 });
            }
            _ => unreachable!("across takes the operations that execute gives it"),
        }
    }

    /// The address of each lane.
    fn addresses(&self, place: &Place64) -> Row64 {
        let mut sum = [place.address.offset as u64; LANES];
        for term in &place.address.terms {
            let number = term.register.number.unwrap_or(0);
            let low = self.register(term.register.file, number);
            let is_wide = term.is_wide || place.is_wide && !term.is_narrow;
            let high = if is_wide { self.register(term.register.file, number + 1) } else { [0; LANES] };
            for lane in 0..LANES {
                let word = u64::from(low[lane]) | u64::from(high[lane]) << 32;
                sum[lane] = sum[lane].wrapping_add(word.wrapping_mul(term.scale.into()));
            }
        }
        if place.is_wide {
            sum
        } else {
            sum.map(|sum| sum & 0xffff_ffff)
        }
    }

    fn read<O: Observer>(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        bytes: usize,
        world: &mut World<O>,
    ) -> Result<u64, &'static str> {
        match resolve(space, address) {
            (Space::Shared, at) => world.read_shared(at, bytes),
            (Space::Local, at) => Ok(self.local.read(at | (lane as u64) << 32, bytes)),
            (_, at) => Ok(world.global.read(at, bytes)),
        }
    }

    fn store<O: Observer>(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        bytes: usize,
        value: u64,
        world: &mut World<O>,
    ) -> Result<(), &'static str> {
        match resolve(space, address) {
            (Space::Shared, at) => world.write_shared(at, bytes, value),
            (Space::Local, at) => {
                self.local.write(at | (lane as u64) << 32, bytes, value);
                Ok(())
            }
            (_, at) => {
                world.global.write(at, bytes, value);
                Ok(())
            }
        }
    }

    fn access<O: Observer>(
        &mut self,
        step: &Step,
        at: Place,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<(), Stop> {
        let fault = |why| Stop::Fault { at, why };
        let lanes = (0..LANES).filter(|lane| mask >> lane & 1 == 1);
        match &step.operation {
            Operation::Load { space, place, bytes, is_signed } => {
                let addresses = self.addresses(place);
                let reads = mask & self.condition(step.conditions[0]);
                self.tell(AccessKind::Load, *space, *bytes, &addresses, reads, at, world);
                let size = (*bytes).min(4);
                for part in 0..bytes.div_ceil(4) {
                    let mut row = [0; LANES];
                    for lane in lanes.clone().filter(|lane| reads >> lane & 1 == 1) {
                        let address = addresses[lane].wrapping_add(4 * part as u64);
                        let word = self.read(*space, lane, address, size, world).map_err(fault)?;
                        row[lane] = extend(word, size, *is_signed);
                    }
                    world.rows[part] = row;
                }
                for part in 0..bytes.div_ceil(4) {
                    let (target, row) =
                        (step.target.map(|(file, n)| (file, n + part as u8)), world.rows[part]);
                    self.write(target, mask, &row);
                }
            }
            Operation::Store { space, place, bytes } => {
                let addresses = self.addresses(place);
                self.tell(AccessKind::Store, *space, *bytes, &addresses, mask, at, world);
                let size = (*bytes).min(4);
                for part in 0..bytes.div_ceil(4) {
                    let row = self.offset(&step.sources[0], part as u8, world);
                    for lane in lanes.clone() {
                        let address = addresses[lane].wrapping_add(4 * part as u64);
                        self.store(*space, lane, address, size, row[lane].into(), world).map_err(fault)?;
                    }
                }
            }
            Operation::Atomic { .. } => self.atomic(step, at, mask, world)?,
            Operation::CopyToShared { .. } => self.copy_to_shared(step, at, mask, world)?,
            Operation::LoadMatrix { .. } | Operation::StoreMatrix { .. } => {
                self.access_matrices(step, at, mask, world)?;
            }
            _ => unreachable!("access takes the operations that execute gives it"),
        }
        Ok(())
    }

    fn atomic<O: Observer>(
        &mut self,
        step: &Step,
        at: Place,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<(), Stop> {
        let fault = |why| Stop::Fault { at, why };
        let lanes = (0..LANES).filter(|lane| mask >> lane & 1 == 1);
        let Operation::Atomic { space, place, bytes, atomic, number, num } = &step.operation else {
            unreachable!("access gives it such operations only");
        };
        let addresses = self.addresses(place);
        self.tell(AccessKind::Atomic, *space, *bytes * *num, &addresses, mask, at, world);
        if *num > 1 {
            return self.atomic_vector(step, mask, &addresses, world).map_err(fault);
        }
        let [a, b] = [0, 1].map(|at| {
            let source = &step.sources[at];
            if *bytes == 8 {
                self.pair(source, world)
            } else {
                self.word(source, world).map(u64::from)
            }
        });
        let (mut old, mut holds) = ([0; LANES], 0);
        for lane in lanes {
            let address = addresses[lane];
            old[lane] = self.read(*space, lane, address, *bytes, world).map_err(fault)?;
            let new = update(*atomic, *number, *bytes, old[lane], a[lane], b[lane]);
            let has_met =
                matches!(atomic, Atomic::CompareStore | Atomic::CompareExchange) && old[lane] == a[lane];
            holds |= u32::from(has_met) << lane;
            self.store(*space, lane, address, *bytes, new, world).map_err(fault)?;
        }
        if *atomic == Atomic::CompareStore {
            let row = std::array::from_fn(|lane| u64::from(holds >> lane & 1));
            if *bytes == 8 {
                self.write_pair(step.target, mask, &row);
            } else {
                self.write(step.target, mask, &row.map(|word| word as u32));
            }
        } else if *bytes == 8 {
            self.write_pair(step.target, mask, &old);
        } else {
            self.write(step.target, mask, &old.map(|word| word as u32));
        }
        self.write_flag(step.flags[0], mask, holds);
        Ok(())
    }

    /// Changes several words that follow each other, each for itself, and returns what was there. The
    /// words of all lanes are read before a register is written: it may be an operand.
    fn atomic_vector<O: Observer>(
        &mut self,
        step: &Step,
        mask: u32,
        addresses: &Row64,
        world: &mut World<O>,
    ) -> Result<(), &'static str> {
        let Operation::Atomic { space, atomic, number, num, .. } = &step.operation else {
            unreachable!("atomic gives it its own operation");
        };
        for part in 0..*num {
            let row = self.offset(&step.sources[0], part as u8, world);
            let mut old = [0; LANES];
            for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                let address = addresses[lane].wrapping_add(4 * part as u64);
                let word = self.read(*space, lane, address, 4, world)?;
                old[lane] = word as u32;
                let new = update(*atomic, *number, 4, word, row[lane].into(), 0);
                self.store(*space, lane, address, 4, new, world)?;
            }
            world.rows[part] = old;
        }
        for part in 0..*num {
            let (target, row) = (step.target.map(|(file, n)| (file, n + part as u8)), world.rows[part]);
            self.write(target, mask, &row);
        }
        Ok(())
    }

    fn copy_to_shared<O: Observer>(
        &mut self,
        step: &Step,
        at: Place,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<(), Stop> {
        let fault = |why| Stop::Fault { at, why };
        let lanes = (0..LANES).filter(|lane| mask >> lane & 1 == 1);
        let Operation::CopyToShared { shared, global, bytes, fills } = &step.operation else {
            unreachable!("access gives it such operations only");
        };
        let (to, from) = (self.addresses(shared), self.addresses(global));
        let reads = mask & self.condition(step.conditions[0]);
        self.tell(AccessKind::Copy, Space::Global, *bytes, &from, reads, at, world);
        for lane in lanes {
            // Without the source it writes zeros, with and without .ZFILL: cp.async's ignore-src.
            let is_read = reads >> lane & 1 == 1;
            // With .ZFILL, the low bits of the address are the number of bytes at the end
            // that are not read and become zero.
            let left_out = if *fills { from[lane] % *bytes as u64 } else { 0 };
            let (start, num) = (from[lane] - left_out, *bytes as u64 - left_out);
            for part in (0..*bytes as u64).step_by(4) {
                let size = if is_read { num.saturating_sub(part).min(4) } else { 0 };
                let word = world.global.read(start + part, size as usize);
                world.write_shared(to[lane] + part, 4, word).map_err(fault)?;
            }
        }
        Ok(())
    }

    fn access_matrices<O: Observer>(
        &mut self,
        step: &Step,
        at: Place,
        mask: u32,
        world: &mut World<O>,
    ) -> Result<(), Stop> {
        let fault = |why| Stop::Fault { at, why };
        match &step.operation {
            Operation::LoadMatrix { place, num, transposes } => {
                let addresses = self.addresses(place);
                self.tell(AccessKind::Load, Space::Shared, 16, &addresses, matrix::rows(*num), at, world);
                for number in 0..*num {
                    let mut rows = [[0u16; 8]; 8];
                    for (row, values) in rows.iter_mut().enumerate() {
                        let address = addresses[8 * number + row];
                        for (column, value) in (0u64..).zip(values) {
                            *value = world.read_shared(address + 2 * column, 2).map_err(fault)? as u16;
                        }
                    }
                    let row = matrix::distribute(&rows, *transposes);
                    self.write(step.target.map(|(file, n)| (file, n + number as u8)), mask, &row);
                }
            }
            Operation::StoreMatrix { place, num, transposes } => {
                let addresses = self.addresses(place);
                self.tell(AccessKind::Store, Space::Shared, 16, &addresses, matrix::rows(*num), at, world);
                for number in 0..*num {
                    let rows =
                        matrix::collect(&self.offset(&step.sources[0], number as u8, world), *transposes);
                    for (row, values) in rows.iter().enumerate() {
                        let address = addresses[8 * number + row];
                        for (column, value) in (0u64..).zip(values) {
                            let value = u64::from(*value);
                            world.write_shared(address + 2 * column, 2, value).map_err(fault)?;
                        }
                    }
                }
            }
            _ => unreachable!("access gives it loads and stores of matrices"),
        }
        Ok(())
    }

    /// Tells the observer about an asynchronous instruction.
    fn tell_asynchronous<O: Observer>(
        &self,
        what: &Asynchronous,
        mask: u32,
        at: Place,
        world: &mut World<O>,
    ) {
        let uniform = |number: u8| u64::from(self.uniform.get(number as usize).copied().unwrap_or(0));
        let wide = |number: u8| uniform(number) | uniform(number.saturating_add(1)) << 32;
        let first = mask.trailing_zeros() as usize;
        let mut addresses = [0; LANES];
        let (kind, bytes) = match what {
            Asynchronous::Other => return,
            Asynchronous::Tensor(place) => {
                addresses[0] = uniform(place.saturating_add(1));
                (AccessKind::Bulk, 0)
            }
            Asynchronous::Bytes(place, from, size) => {
                (addresses[0], addresses[1]) = (uniform(place.saturating_add(1)), wide(*from));
                (AccessKind::Bulk, 16 * uniform(*size))
            }
            Asynchronous::Expect(place, bytes) => {
                addresses[0] = self.addresses(place)[first];
                (AccessKind::Expect, u64::from(self.word(bytes, world)[first]))
            }
            Asynchronous::Wait(place) => {
                addresses[0] = self.addresses(place)[first];
                (AccessKind::Wait, 0)
            }
        };
        let access =
            Access { kind, space: Space::Shared, bytes: bytes as usize, addresses: &addresses, lanes: 3 };
        world.observer.access(self.number, at, &access);
    }

    #[allow(clippy::too_many_arguments)] // The fields of one access.
    fn tell<O: Observer>(
        &self,
        kind: AccessKind,
        space: Space,
        bytes: usize,
        addresses: &Row64,
        lanes: u32,
        at: Place,
        world: &mut World<O>,
    ) {
        if lanes == 0 {
            return;
        }
        let (space, _) = resolve(space, addresses[lanes.trailing_zeros() as usize]);
        world.observer.access(self.number, at, &Access { kind, space, bytes, addresses, lanes });
    }
}

impl Operation {
    /// Whether it changes the program counter of lanes, or makes them wait.
    pub fn is_control(&self) -> bool {
        matches!(
            self,
            Operation::Branch { .. }
                | Operation::BranchIf { .. }
                | Operation::BranchAny { .. }
                | Operation::BranchAll { .. }
                | Operation::BranchIndirect { .. }
                | Operation::Call { .. }
                | Operation::Return { .. }
                | Operation::Exit
                | Operation::Trap
                | Operation::Enter { .. }
                | Operation::Meet { .. }
                | Operation::Leave { .. }
                | Operation::MeetLanes
                | Operation::Barrier { .. }
        )
    }
}

/// The space and the place in it that an address means.
fn resolve(space: Space, address: u64) -> (Space, u64) {
    match space {
        Space::Generic if address >> 32 == SHARED_WINDOW >> 32 => (Space::Shared, address & 0xffff_ffff),
        Space::Generic if address >> 32 == LOCAL_WINDOW >> 32 => (Space::Local, address & 0xffff_ffff),
        Space::Generic => (Space::Global, address),
        space => (space, address),
    }
}

/// The bits of a floating-point source to keep, and those to flip.
fn signs(source: &Source) -> (u32, u32) {
    (if source.is_absolute { 0x7fff_ffff } else { u32::MAX }, if source.is_negated { 0x8000_0000 } else { 0 })
}

/// A mask of the lanes for which something holds.
#[inline]
fn lanes_where(mask: u32, mut holds: impl FnMut(usize) -> bool) -> u32 {
    // A row first, so that the compiler works on several lanes at once.
    let bits: Row = std::array::from_fn(|lane| BITS[lane] & u32::from(holds(lane)).wrapping_neg());
    bits.iter().fold(0, |lanes, bit| lanes | bit) & mask
}

/// The bit of each lane in a mask.
const BITS: Row = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

fn extend(word: u64, bytes: usize, is_signed: bool) -> u32 {
    let unused = 32 - 8 * bytes as u32;
    let word = (word as u32) << unused;
    if is_signed {
        (word as i32 >> unused) as u32
    } else {
        word >> unused
    }
}

fn logic(table: u8, x: &Row, y: &Row, z: &Row) -> Row {
    match table {
        0xc0 => std::array::from_fn(|lane| x[lane] & y[lane]),
        0xfc => std::array::from_fn(|lane| x[lane] | y[lane]),
        0x3c => std::array::from_fn(|lane| x[lane] ^ y[lane]),
        0x96 => std::array::from_fn(|lane| x[lane] ^ y[lane] ^ z[lane]),
        _ => {
            let mut row = [0; LANES];
            for case in (0..8).filter(|case| table >> case & 1 == 1) {
                let flip = |bit: u32| if case & bit == 0 { u32::MAX } else { 0 };
                let (a, b, c) = (flip(4), flip(2), flip(1));
                for lane in 0..LANES {
                    row[lane] |= (x[lane] ^ a) & (y[lane] ^ b) & (z[lane] ^ c);
                }
            }
            row
        }
    }
}

#[allow(clippy::too_many_arguments)] // The fields of one operation.
fn shifts(left: bool, high: bool, wraps: bool, kind: Kind, low: &Row, by: &Row, upper: &Row) -> Row {
    if kind.is_wide() {
        return std::array::from_fn(|lane| shift(left, high, wraps, kind, low[lane], by[lane], upper[lane]));
    }
    let by: Row = by.map(|by| if wraps { by & 31 } else { by.min(32) });
    let both = |lane: usize| u64::from(low[lane]) | u64::from(upper[lane]) << 32;
    match (left, high, kind.is_signed()) {
        (true, false, _) => std::array::from_fn(|lane| (u64::from(low[lane]) << by[lane]) as u32),
        (true, true, _) => std::array::from_fn(|lane| (both(lane) << by[lane] >> 32) as u32),
        (false, true, true) => std::array::from_fn(|lane| (i64::from(upper[lane] as i32) >> by[lane]) as u32),
        (false, true, false) => std::array::from_fn(|lane| (u64::from(upper[lane]) >> by[lane]) as u32),
        (false, false, true) => std::array::from_fn(|lane| (both(lane) as i64 >> by[lane]) as u32),
        (false, false, false) => std::array::from_fn(|lane| (both(lane) >> by[lane]) as u32),
    }
}

#[allow(clippy::too_many_arguments)] // The fields of one operation.
fn shift(left: bool, high: bool, wraps: bool, kind: Kind, low: u32, by: u32, upper: u32) -> u32 {
    let bits = if kind.is_wide() { 64 } else { 32 };
    let by = if wraps { by & (bits - 1) } else { by.min(bits) };
    let both = u128::from(low) | u128::from(upper) << 32;
    let word = if left {
        if high {
            both << by >> 32
        } else {
            u128::from(low) << by
        }
    } else if high {
        if kind.is_signed() {
            return (i64::from(upper as i32) >> by.min(63)) as u32;
        }
        u128::from(upper) >> by
    } else if kind.is_signed() {
        return (both as u64 as i64 >> by.min(63)) as u32;
    } else {
        both >> by
    };
    word as u32
}

fn extreme(is_signed: bool, takes_least: bool, a: u32, b: u32) -> u32 {
    let is_less = if is_signed { (a as i32) < b as i32 } else { a < b };
    if is_less == takes_least {
        a
    } else {
        b
    }
}

/// A number; with `relu`, 0 in place of a negative one.
fn rectified(relu: bool, value: u32) -> u32 {
    if relu {
        (value as i32).max(0) as u32
    } else {
        value
    }
}

fn permute(x: u32, by: u32, y: u32) -> u32 {
    let bytes = u64::from(x) | u64::from(y) << 32;
    (0..4).fold(0, |word, at| {
        let choice = by >> (4 * at) & 15;
        let byte = (bytes >> (8 * (choice & 7))) as u8;
        let byte = if choice & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 };
        word | u32::from(byte) << (8 * at)
    })
}

fn dot(x: u32, y: u32, z: u32, signed: [bool; 2], halves: Option<bool>) -> u32 {
    let part = |word: u32, bits: u32, at: u32, is_signed: bool| {
        let kept = word >> (bits * at) & ((1 << bits) - 1);
        if is_signed {
            (kept << (32 - bits)) as i32 >> (32 - bits)
        } else {
            kept as i32
        }
    };
    let sum: i32 = match halves {
        None => (0..4)
            .map(|at| part(x, 8, at, signed[0]).wrapping_mul(part(y, 8, at, signed[1])))
            .fold(0, i32::wrapping_add),
        Some(high) => (0..2)
            .map(|at| {
                part(x, 16, at, signed[0]).wrapping_mul(part(y, 8, at + 2 * u32::from(high), signed[1]))
            })
            .fold(0, i32::wrapping_add),
    };
    (sum as u32).wrapping_add(z)
}

fn shuffle_from(shuffle: Shuffle, lane: i32, by: u32, clamp: u32) -> (usize, bool) {
    let (segment, clamp) = ((clamp >> 8 & 31) as i32, (clamp & 31) as i32);
    let by = (by & 31) as i32;
    let first = lane & segment;
    let last = first | clamp & !segment;
    let (from, is_inside) = match shuffle {
        Shuffle::Index => {
            let from = first | by & !segment;
            (from, from <= last)
        }
        Shuffle::Up => (lane - by, lane - by >= last),
        Shuffle::Down => (lane + by, lane + by <= last),
        Shuffle::Butterfly => (lane ^ by, lane ^ by <= last),
    };
    ((if is_inside { from } else { lane }) as usize, is_inside)
}

/// The new value of an atomic instruction.
fn update(atomic: Atomic, number: Number, bytes: usize, old: u64, a: u64, b: u64) -> u64 {
    let bits = 8 * bytes as u32;
    let signed = |value: u64| (value << (64 - bits)) as i64 >> (64 - bits);
    match (number, atomic) {
        (Number::Float(format), Atomic::Add) => add_floats(format, old, a),
        (Number::Halves(format), Atomic::Add) => {
            let half = |at: u32| add_floats(format, old >> at & 0xffff, a >> at & 0xffff) << at;
            half(0) | half(16)
        }
        (_, Atomic::Add) => old.wrapping_add(a),
        (Number::Signed, Atomic::Minimum) => {
            if signed(a) < signed(old) {
                a
            } else {
                old
            }
        }
        (Number::Signed, Atomic::Maximum) => {
            if signed(a) > signed(old) {
                a
            } else {
                old
            }
        }
        (_, Atomic::Minimum) => old.min(a),
        (_, Atomic::Maximum) => old.max(a),
        (_, Atomic::Increment) => {
            if old >= a {
                0
            } else {
                old + 1
            }
        }
        (_, Atomic::Decrement) => {
            if old == 0 || old > a {
                a
            } else {
                old - 1
            }
        }
        (_, Atomic::And) => old & a,
        (_, Atomic::Or) => old | a,
        (_, Atomic::Xor) => old ^ a,
        (_, Atomic::Exchange) => a,
        (_, Atomic::CompareExchange | Atomic::CompareStore) => {
            if old == a {
                b
            } else {
                old
            }
        }
    }
}

fn add_floats(format: Format, a: u64, b: u64) -> u64 {
    match format {
        Format::Double => float::double(
            float::Arithmetic::Add,
            float::Rounding::Nearest,
            [f64::from_bits(a), f64::from_bits(b), 0.0],
        ),
        Format::Single => {
            let mode = float::Mode { flushes: true, ..float::Mode::default() };
            float::single(
                float::Arithmetic::Add,
                mode,
                [f32::from_bits(a as u32), f32::from_bits(b as u32), 0.0],
            )
            .into()
        }
        format => {
            float::narrow(format, float::Rounding::Nearest, float::widen(format, a) + float::widen(format, b))
        }
    }
}

/// A source of a sum, of this word: -x is ~x + 1, with its carry. In the upper word of a pair the carry of the lower one is that 1.
fn addend(source: &Source, word: u32, is_extended: bool) -> u64 {
    match (source.is_negated, source.is_inverted) {
        (true, _) if !is_extended => u64::from(!word) + 1,
        (true, _) | (_, true) => u64::from(!word),
        _ => u64::from(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_shifted_as_single_words_are() {
        let low: Row = std::array::from_fn(|lane| (lane as u32).wrapping_mul(0x9e37_79b9));
        let upper = low.map(|word| word.rotate_left(11) ^ 0x8000_0001);
        let by: Row = std::array::from_fn(|lane| [0, 1, 7, 31, 32, 33, 63, 64, u32::MAX][lane % 9]);
        for kind in [Kind::U32, Kind::S32, Kind::U64, Kind::S64] {
            for bits in 0..8 {
                let [left, high, wraps] = [1, 2, 4].map(|bit| bits & bit != 0);
                let row = shifts(left, high, wraps, kind, &low, &by, &upper);
                for lane in 0..LANES {
                    let wanted = shift(left, high, wraps, kind, low[lane], by[lane], upper[lane]);
                    assert_eq!(row[lane], wanted, "{kind:?} {left} {high} {wraps} {}", by[lane]);
                }
            }
        }
    }
}
