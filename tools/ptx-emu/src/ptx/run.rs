//! Runs one function of PTX in one thread, and records what it does.
//!
//! **Problem.** Do two PTX texts of one kernel compute the same? The text is what a user gets. This
//! check sees what the emitter, every pass and the printer have done, and needs no GPU.
//!
//! **Method.** Differential execution: both texts run on the same made-up inputs, and their traces
//! are compared ([`super::trace`]). Nothing has to be computed as on a GPU, only the same on both
//! sides:
//!
//! * Moves, integer arithmetic and logic, comparisons, selects, conversions between integers,
//!   branches, loads and stores are exact: our passes change them, or control flow and addresses
//!   depend on them.
//! * Anything else is an *uninterpreted function*: each result is a hash of the opcode, the number
//!   of the result and all operands. That includes floating point: a hash shows that two operands
//!   are exchanged, `1.0 + 1.0` does not.
//! * Parameters, special registers and memory that was never written are hashes of name or address
//!   and a seed. Many are small numbers, so that loops end and comparisons go both ways. Several
//!   seeds give several paths.
//! * An instruction with outside effects (calls, barriers, atomics, volatile accesses, any opcode
//!   not known to be pure) is an event of the trace. It returns a hash of the event and its number.
//!   After it global and shared memory are unknown, so a load that was moved across it reads
//!   another value.
//! * Reads other than `ld` (ldmatrix, textures) depend on their operands and on which bytes were
//!   stored so far.
//!
//! Every other seed forces its branches. Each conditional one, and each table, goes where a hash of
//! its number in the run says; its condition is only compared. So blocks run whose conditions no
//! input would satisfy. That is sound because no pass from instruction selection on uses a
//! condition (LoopStrengthReduce before it does: see `equal`) or merges the tails of blocks (NVPTX
//! wants structured control flow). So the nth conditional branch of a run is the same one on both
//! sides. Branches in inline assembly are not among these, and their conditions are not compared:
//! see `super::assembly`.
//!
//! Stages on IR may empty a block, and instruction selection then branches on the opposite, to
//! exchanged targets. So a run may follow one of stock's: where stock's forced branch left its
//! condition, ours leaves its own, and otherwise goes by it. Both then go to the same block, if ours
//! computes the same condition or its opposite. Which of the two it is must not change
//! ([`super::trace::Senses`]).
//!
//! The address of a variable comes from its name. Each space other than global memory has a window
//! of generic addresses.
//!
//! **What it cannot see.** Registers of another thread. An uninterpreted instruction that only one
//! side has, if its result reaches no event. A `.ftz` of an approximate root or logarithm, which
//! changes the result for subnormal operands only. A path that no seed takes (the report counts the
//! instructions that were run). A register that holds an old value where LLVM's value is undefined
//! looks defined: `equal` asks a second witness.
//!
//! **Complexity.** Linear in the instructions that are run; a hash per byte of memory.

use rustc_hash::FxHashMap;

use super::assembly::{Assemblies, Assembly, Visit};
use super::decode::{decode, Arithmetic, Op, Order, Step, ORDERED};
use super::exact;
use super::parse::{Function, Operand, Reg};
use super::trace::{Condition, End, Event, Segment, Space, Trace, Write};
use super::value::{mix, mix_text, Value};

/// The bits of a generic address above the address in its space.
const WINDOWS: [(Space, u64); 4] =
    [(Space::Shared, 1), (Space::Local, 2), (Space::Const, 3), (Space::Param, 4)];
const WINDOW_BITS: u32 = 28;

/// Whether a run with this seed has forced branches.
pub fn is_forced(seed: u64) -> bool {
    seed % 2 == 1
}

/// A function, ready to run.
pub struct Program<'a> {
    /// The function.
    pub function: &'a Function,
    steps: Vec<Step<'a>>,
    assemblies: Assemblies,
}

impl<'a> Program<'a> {
    /// Decodes a function.
    pub fn new(function: &'a Function) -> Self {
        let steps: Vec<Step> = function.code.iter().map(decode).collect();
        Program { function, assemblies: Assemblies::new(function, &steps), steps }
    }

    /// The number of instructions.
    pub fn num_steps(&self) -> usize {
        self.steps.len()
    }

    /// The opcode of an instruction that is not run exactly.
    pub fn uninterpreted(&self, index: usize) -> Option<&'a str> {
        let step = &self.steps[index];
        let is_hash = matches!(step.op, Op::Pure { .. } | Op::Read | Op::Effect { .. } | Op::Assembly { .. });
        is_hash.then_some(step.instruction.opcode.as_str())
    }

    /// Runs the function from its start; sets `executed` for the instructions that run.
    pub fn run(&self, seed: u64, budget: usize, executed: &mut [bool]) -> Trace {
        self.follow(&[], seed, budget, executed)
    }

    /// The same, but forced branches follow those of another text's run with that seed.
    pub fn follow(&self, others: &[Condition], seed: u64, budget: usize, executed: &mut [bool]) -> Trace {
        let registers: Vec<Value> =
            self.function.registers.iter().map(|register| Value::undefined(register.width)).collect();
        let mut machine = Machine {
            seed,
            others,
            registers,
            carry: Value::undefined(32),
            visit: None,
            memory: FxHashMap::default(),
            declared: FxHashMap::default(),
            epoch: 0,
            stored: 0,
            order: 0,
            segments: vec![Segment::default()],
            events: Vec::new(),
            conditions: Vec::new(),
            line: 0,
        };
        let mut at = 0;
        let mut steps = 0;
        let end = loop {
            let Some(step) = self.steps.get(at) else {
                // The closing brace returns.
                machine.event("ret", vec![]);
                break End::Done;
            };
            if steps == budget {
                break End::Budget;
            }
            executed[at] = true;
            let assembly = self.assemblies.at(at);
            machine.enter(assembly, at);
            let pure = assembly.filter(|assembly| assembly.is_pure);
            steps += usize::from(pure.is_none() || machine.visit.is_some_and(|visit| visit.is_new()));
            let is_too_long = machine.visit.is_some_and(|visit| visit.is_too_long());
            match (machine.step(step), pure) {
                (Next::End(End::Undefined(..)), Some(assembly)) => at = self.give_up(&mut machine, assembly),
                (_, Some(assembly)) if is_too_long => at = self.give_up(&mut machine, assembly),
                (Next::Following, _) => at += 1,
                (Next::At(target), _) => at = target,
                (Next::End(end), _) => break end,
            }
        };
        let Machine { segments, events, conditions, line, .. } = machine;
        Trace { segments, events, conditions, end, steps, line }
    }

    /// Leaves an assembly whose results are all undefined; returns where control goes.
    fn give_up(&self, machine: &mut Machine, assembly: &Assembly) -> usize {
        self.steps[assembly.range.clone()].iter().for_each(|step| machine.undefine_results(step));
        assembly.range.end
    }
}

enum Next {
    Following,
    At(usize),
    End(End),
}

struct Machine<'a> {
    seed: u64,
    /// The branches that forced ones follow.
    others: &'a [Condition],
    registers: Vec<Value>,
    /// CC.CF, the carry flag of `add.cc` and the like.
    carry: Value,
    /// The run of inline assembly that we are in.
    visit: Option<Visit>,
    memory: FxHashMap<(Space, u64), (u8, u8)>,
    /// Sizes of a call's parameters.
    declared: FxHashMap<String, u64>,
    /// The number of times that global and shared memory became unknown.
    epoch: u64,
    /// A hash of which bytes were stored in this epoch, and how often.
    stored: u64,
    order: u32,
    segments: Vec<Segment>,
    events: Vec<Event>,
    conditions: Vec<Condition>,
    line: usize,
}

impl Machine<'_> {
    fn step(&mut self, step: &Step) -> Next {
        self.line = step.instruction.line;
        if let Some(next) = self.next_by_guard(step) {
            return next;
        }
        match step.op {
            Op::Undefine => self.undefine(step.instruction.operands.as_slice()),
            Op::Declare(size) => self.declare(step, size),
            Op::Assembly { results, early, tied, is_volatile } => {
                self.assembly(step, results, early, tied, is_volatile);
            }
            Op::Move => self.copy(step),
            Op::Exact(arithmetic) => self.compute(step, arithmetic),
            Op::Compare(order) => self.compare(step, order),
            Op::Select => self.select(step),
            Op::Convert(to) => self.convert(step, to),
            Op::ToGeneric(space) => self.change_window(step, space, u128::wrapping_add),
            Op::FromGeneric(space) => self.change_window(step, space, u128::wrapping_sub),
            Op::Pure { carry_in, carry_out } => self.hash(step, carry_in, carry_out),
            Op::Read => self.read_memory(step),
            Op::Effect { has_result, is_in_out } => self.effect(step, has_result, is_in_out),
            Op::Load { space, is_ordered, is_constant } => self.load(step, space, is_ordered, is_constant),
            Op::Store { space, is_ordered } => return self.store(step, space, is_ordered),
            Op::Branch => return self.branch(step),
            Op::Call => return self.call(step),
            Op::Leave => {
                self.event(&step.instruction.opcode, vec![]);
                return Next::End(End::Done);
            }
        }
        Next::Following
    }

    /// Goes to an instruction, which `assembly` contains if there is one.
    fn enter(&mut self, assembly: Option<&Assembly>, at: usize) {
        let last = self.visit;
        self.visit = assembly.map(|assembly| Visit::next(last, assembly, at));
        let Some(assembly) = assembly else { return };
        if is_forced(self.seed) && last.is_none_or(|last| !last.is_in(assembly)) {
            for &reg in &assembly.fresh {
                self.set(reg, Value::undefined(128));
            }
        }
    }

    fn undefine_results(&mut self, step: &Step) {
        self.undefine(&step.instruction.operands[..step.num_results()]);
    }

    /// Reads the guard. Returns where control goes if the instruction does not run, `None` if it
    /// runs.
    fn next_by_guard(&mut self, step: &Step) -> Option<Next> {
        let (reg, negated) = step.instruction.guard?;
        let mut guard = self.registers[reg];
        if step.op == Op::Branch {
            guard = self.condition(guard, None);
        }
        match guard.defined() {
            Some(value) if (value == 1) != negated => None,
            Some(_) => Some(Next::Following),
            None => Some(self.undefined_guard(step)),
        }
    }

    /// Handles an undefined guard: results are undefined, and effects end the run.
    fn undefined_guard(&mut self, step: &Step) -> Next {
        let operands = step.instruction.operands.as_slice();
        match step.op {
            Op::Branch | Op::Call | Op::Leave | Op::Store { .. } | Op::Effect { .. } => {
                Next::End(End::Undefined(self.line, "a guard"))
            }
            Op::Load { is_ordered: true, .. } => Next::End(End::Undefined(self.line, "a guard")),
            _ => {
                self.undefine(&operands[..operands.len().min(1)]);
                Next::Following
            }
        }
    }

    fn undefine(&mut self, operands: &[Operand]) {
        for operand in operands {
            let mut registers = Vec::new();
            results(operand, &mut registers);
            for reg in registers.into_iter().flatten() {
                self.set(reg, Value::undefined(128));
            }
        }
    }

    fn set(&mut self, reg: Reg, value: Value) {
        let width = self.registers[reg].width;
        self.registers[reg] = value.resize(width);
    }

    /// Writes a scalar, or a vector with the lowest bits first.
    fn write(&mut self, operand: &Operand, value: Value) {
        match operand {
            Operand::Reg(reg) => self.set(*reg, value),
            Operand::Vector(parts) => {
                let width = value.width / parts.len().max(1) as u32;
                for (index, part) in parts.iter().enumerate() {
                    self.write(part, value.shift_right(index as u32 * width).resize(width));
                }
            }
            _ => {}
        }
    }

    /// The value of an operand, truncated or extended to a width.
    fn read(&self, operand: &Operand, width: u32) -> Value {
        match operand {
            Operand::Reg(reg) => self.registers[*reg].resize(width),
            Operand::Integer(number) => Value::new(*number as u128, width),
            Operand::Bits(bits, own) => Value::new(u128::from(*bits), *own).resize(width),
            Operand::Symbol(name, offset) => {
                Value::new(u128::from(symbol_address(name).wrapping_add_signed(*offset)), width)
            }
            Operand::Special(name) => Value::new(u128::from(self.special(name)), width),
            Operand::Vector(parts) => {
                let own = width / parts.len().max(1) as u32;
                parts
                    .iter()
                    .fold(Value::default(), |whole, part| whole.append(self.read(part, own)))
                    .resize(width)
            }
            Operand::Memory(base, offset, _) => self.address(base, *offset).resize(width),
            Operand::Not(inner) => {
                let value = self.read(inner, width);
                Value::with_undef(!value.bits, value.undef, width)
            }
            Operand::Negated(inner) => match self.read(inner, width).defined() {
                Some(bits) => Value::new(bits.wrapping_neg(), width),
                None => Value::undefined(width),
            },
            Operand::Pair(..) | Operand::Group(_) | Operand::Sink => Value::undefined(width),
        }
    }

    fn address(&self, base: &Operand, offset: i64) -> Value {
        match self.read(base, 64).defined() {
            Some(address) => Value::new(u128::from((address as u64).wrapping_add_signed(offset)), 64),
            None => Value::undefined(64),
        }
    }

    /// All values of an operand of an uninterpreted function. A number has the operation's width.
    fn sources(&self, operand: &Operand, width: u32, into: &mut Vec<Value>) {
        match operand {
            Operand::Reg(reg) => into.push(self.registers[*reg]),
            Operand::Vector(parts) | Operand::Group(parts) => {
                parts.iter().for_each(|part| self.sources(part, width, into));
            }
            Operand::Memory(base, offset, more) => {
                into.push(self.address(base, *offset));
                more.iter().for_each(|part| self.sources(part, width, into));
            }
            Operand::Pair(a, b) => [a, b].into_iter().for_each(|part| self.sources(part, width, into)),
            Operand::Not(inner) => into.push(match inner.as_ref() {
                Operand::Reg(reg) => self.read(operand, self.registers[*reg].width),
                _ => self.read(operand, width),
            }),
            Operand::Bits(bits, own) => into.push(Value::new(u128::from(*bits), *own)),
            Operand::Symbol(..) => into.push(self.read(operand, 64)),
            Operand::Integer(_) | Operand::Negated(_) | Operand::Special(_) => {
                into.push(self.read(operand, width))
            }
            Operand::Sink => {}
        }
    }

    /// All values of these operands of an uninterpreted function.
    fn sources_among<'a>(&self, step: &Step, operands: impl Iterator<Item = &'a Operand>) -> Vec<Value> {
        let (mut sources, mut num_short) = (Vec::new(), num_shared_addresses(&step.name));
        for operand in operands {
            let first = sources.len();
            self.sources(operand, step.width, &mut sources);
            if matches!(operand, Operand::Memory(..)) && num_short > 0 {
                sources[first] = in_space(Some(Space::Shared), sources[first]);
                num_short -= 1;
            }
        }
        sources
    }

    /// One result of an uninterpreted function. It is small now and then, as numbers in programs
    /// are.
    fn hashed(&self, state: u64, sources: &[Value], width: u32) -> Value {
        let mut hash = state;
        for source in sources {
            if source.undef != 0 {
                return Value::undefined(width);
            }
            hash = mix(mix(hash, source.bits as u64), (source.bits >> 64) as u64);
        }
        let high = mix(hash, 1);
        if width > 1 && high % 8 == 0 {
            return Value::new(u128::from(hash % 64), width);
        }
        Value::new(u128::from(hash) | u128::from(high) << 64, width)
    }

    fn write_results(&mut self, operands: &[Operand], state: u64, sources: &[Value]) {
        let mut registers = Vec::new();
        operands.iter().for_each(|operand| results(operand, &mut registers));
        for (index, reg) in registers.into_iter().enumerate() {
            if let Some(reg) = reg {
                let value = self.hashed(mix(state, index as u64), sources, self.registers[reg].width);
                self.set(reg, value);
            }
        }
    }

    fn event(&mut self, what: &str, operands: Vec<Value>) {
        self.events.push(Event { line: self.line, what: what.to_owned(), operands, ends_segment: true });
        self.segments.push(Segment::default());
    }

    /// An access that must stay in its place among the events. Stores to other bytes may cross it
    /// if it is only volatile.
    fn access(&mut self, step: &Step, operands: Vec<Value>) {
        let ends_segment = ORDERED[1..].iter().any(|word| step.name.split('.').any(|own| own == *word));
        self.events.push(Event { line: self.line, what: step.name.clone(), operands, ends_segment });
        if ends_segment {
            self.segments.push(Segment::default());
        }
    }

    fn record(&mut self, key: (Space, u64), byte: u8, undef: u8, is_load: bool) {
        let write = Write { byte, undef, is_load, line: self.line as u32, order: self.order };
        if let Some(segment) = self.segments.last_mut() {
            segment.entry(key).or_default().push(write);
        }
        self.order += 1;
    }

    /// Global and shared memory become unknown: another thread may have written them.
    fn forget_memory(&mut self) {
        self.memory.retain(|(space, _), _| matches!(space, Space::Local | Space::Param | Space::Const));
        self.epoch += 1;
        self.stored = 0;
    }

    fn effect(&mut self, step: &Step, has_result: bool, is_in_out: bool) {
        let operands = step.instruction.operands.as_slice();
        let own = usize::from(has_result);
        let sources = self.sources_among(step, operands.iter().skip(if is_in_out { 0 } else { own }));
        let state = mix(mix(self.seed, step.hash), self.events.len() as u64);
        self.write_results(&operands[..own], state, &sources);
        self.event(&step.name, sources);
        self.forget_memory();
    }

    fn assembly(&mut self, step: &Step, outs: usize, early: u128, tied: usize, is_volatile: bool) {
        let (outs, ins) = step.instruction.operands.split_at(outs);
        let (tied, plain) = ins.split_at(tied);
        let mut sources = Vec::new();
        tied.iter().for_each(|operand| self.sources(operand, 64, &mut sources));
        // An early-clobber result is written before the other operands are read.
        for (index, out) in outs.iter().enumerate() {
            if early >> index & 1 == 1 {
                self.undefine(std::slice::from_ref(out));
            }
        }
        plain.iter().for_each(|operand| self.sources(operand, 64, &mut sources));
        let count = if is_volatile { self.events.len() as u64 } else { 0 };
        self.write_results(outs, mix(mix(self.seed, step.hash), count), &sources);
        if is_volatile {
            self.event("asm", sources);
            self.forget_memory();
        }
    }

    fn copy(&mut self, step: &Step) {
        let operands = step.instruction.operands.as_slice();
        if let [to, from] = operands {
            let value = self.read(from, step.width);
            self.write(to, value);
        }
    }

    fn compute(&mut self, step: &Step, arithmetic: Arithmetic) {
        let operands = step.instruction.operands.as_slice();
        let width = step.width;
        let read = |index: usize, width| {
            operands.get(index).map_or(Value::default(), |operand| self.read(operand, width))
        };
        let a = self.read(&operands[1], width);
        let b = read(2, exact::width_of_second(arithmetic, width));
        let c = read(3, exact::width_of_third(arithmetic, width));
        let result = exact::compute(arithmetic, &exact::Operands { width, signed: step.signed, a, b, c })
            // Division by zero: any value is right if it is always the same.
            .unwrap_or_else(|| self.hashed(mix(self.seed, step.hash), &[a], width));
        self.write(&operands[0], result);
    }

    fn compare(&mut self, step: &Step, order: Order) {
        let operands = step.instruction.operands.as_slice();
        let [a, b] = [1, 2].map(|i| self.read(&operands[i], step.width));
        self.write(&operands[0], exact::compare(order, step.signed, a, b));
    }

    fn select(&mut self, step: &Step) {
        let operands = step.instruction.operands.as_slice();
        let [a, b] = [1, 2].map(|i| self.read(&operands[i], step.width));
        let chosen = match self.read(&operands[3], 1).defined() {
            Some(1) => a,
            Some(_) => b,
            None if a == b => a,
            None => Value::undefined(step.width),
        };
        self.write(&operands[0], chosen);
    }

    fn convert(&mut self, step: &Step, to: u32) {
        let operands = step.instruction.operands.as_slice();
        let from = self.read(&operands[1], step.width);
        let wide = if step.signed { from.sign_extend(128) } else { from.resize(128) };
        // A narrower result is extended to its register by its own sign.
        let signed = step.instruction.opcode.starts_with("cvt.s");
        let result = wide.resize(to);
        self.write(&operands[0], if signed { result.sign_extend(128) } else { result });
    }

    /// Adds the window of a space to an address, or subtracts it.
    fn change_window(&mut self, step: &Step, space: Space, change: fn(u128, u128) -> u128) {
        let operands = step.instruction.operands.as_slice();
        let result = match self.read(&operands[1], step.width).defined() {
            Some(address) => Value::new(change(address, window_of(space).into()), step.width),
            None => Value::undefined(step.width),
        };
        self.write(&operands[0], result);
    }

    /// The values of all operands after the first.
    fn sources_of(&self, step: &Step) -> Vec<Value> {
        self.sources_among(step, step.instruction.operands.iter().skip(1))
    }

    /// Runs an uninterpreted function of the operands.
    fn hash(&mut self, step: &Step, carry_in: bool, carry_out: bool) {
        let mut sources = self.sources_of(step);
        if carry_in {
            sources.push(self.carry);
        }
        let state = mix(self.seed, step.hash);
        self.write_results(&step.instruction.operands[..1], state, &sources);
        if step.is_opposite {
            let predicate = &step.instruction.operands[0];
            let value = self.read(predicate, 1);
            self.write(predicate, Value { bits: value.bits ^ 1, ..value });
        }
        if carry_out {
            self.carry = self.hashed(mix(state, u64::MAX), &sources, 32);
        }
    }

    /// Runs a read other than `ld`: an uninterpreted function of the operands and of all stores so
    /// far.
    fn read_memory(&mut self, step: &Step) {
        let sources = self.sources_of(step);
        let state = mix(mix(mix(self.seed, step.hash), self.epoch), self.stored);
        self.write_results(&step.instruction.operands[..1], state, &sources);
    }

    /// Makes room for a call's parameter, which is undefined so far.
    fn declare(&mut self, step: &Step, size: u64) {
        let [Operand::Symbol(name, _)] = step.instruction.operands.as_slice() else { return };
        let address = symbol_address(name);
        self.declared.insert(name.clone(), size);
        for byte in 0..size {
            self.memory.insert((Space::Param, address.wrapping_add(byte)), (0, 0xff));
        }
    }

    /// The space and the address in it of an address in `space`, or of a generic one.
    fn place(address: u64, space: Option<Space>) -> (Space, u64) {
        match space {
            Some(space) => (space, address),
            None => {
                let window = address >> WINDOW_BITS;
                let known = WINDOWS.iter().find(|(_, number)| *number == window);
                known.map_or((Space::Global, address), |&(space, number)| {
                    (space, address - (number << WINDOW_BITS))
                })
            }
        }
    }

    fn load(&mut self, step: &Step, space: Option<Space>, is_ordered: bool, is_constant: bool) {
        let [to, Operand::Memory(base, offset, _), ..] = step.instruction.operands.as_slice() else {
            return;
        };
        let address = in_space(space, self.address(base, *offset));
        let mut registers = Vec::new();
        results(to, &mut registers);
        let bytes = u64::from(step.width.div_ceil(8));
        if is_ordered {
            let state = mix(mix(self.seed, step.hash), self.events.len() as u64);
            self.write_results(std::slice::from_ref(to), state, &[address]);
            for &reg in registers.iter().flatten() {
                self.extend_loaded(step, reg, self.registers[reg].resize(step.width));
            }
            if let Some(start) = address.defined() {
                let (space, start) = Self::place(start as u64, space);
                for at in 0..registers.len() as u64 * bytes {
                    self.record((space, start.wrapping_add(at)), 0, 0, true);
                }
            }
            self.access(step, vec![address]);
            return;
        }
        for (index, reg) in registers.into_iter().enumerate() {
            let Some(reg) = reg else { continue };
            let value = match address.defined() {
                Some(start) => {
                    let (space, start) = Self::place(start as u64, space);
                    let start = start.wrapping_add(index as u64 * bytes);
                    let byte = |at| self.byte(space, start.wrapping_add(at), is_constant);
                    (0..bytes).fold(Value::default(), |value, at| value.append(byte(at)))
                }
                None => Value::undefined(step.width),
            };
            self.extend_loaded(step, reg, value);
        }
    }

    /// Writes a loaded value to a register, which may be wider.
    fn extend_loaded(&mut self, step: &Step, reg: Reg, value: Value) {
        self.set(reg, if step.signed { value.sign_extend(128) } else { value });
    }

    fn byte(&self, space: Space, address: u64, is_constant: bool) -> Value {
        match self.memory.get(&(space, address)).filter(|_| !is_constant) {
            Some(&(byte, undef)) => Value::with_undef(byte.into(), undef.into(), 8),
            None => Value::new(self.initial_byte(space, address, is_constant).into(), 8),
        }
    }

    /// Memory that this thread has not written. Words of 32 or of 64 bits are small, one in two for
    /// parameters and one in four elsewhere.
    fn initial_byte(&self, space: Space, address: u64, is_constant: bool) -> u8 {
        let is_lost = matches!(space, Space::Global | Space::Shared) && !is_constant;
        let epoch = if is_lost { self.epoch } else { 0 };
        let pair = mix(mix(mix(self.seed, space as u64), epoch), address >> 3);
        let [low, in_word] = [address & 4 == 0, address & 3 == 0];
        let word = mix(pair, address >> 2);
        let kind = pair % if space == Space::Param { 4 } else { 8 };
        match kind {
            0 if in_word && low => (word % 40) as u8,
            1 if in_word => (word % 40) as u8,
            0 | 1 => 0,
            _ => (word >> (8 * (address & 3))) as u8,
        }
    }

    fn store(&mut self, step: &Step, space: Option<Space>, is_ordered: bool) -> Next {
        let [Operand::Memory(base, offset, _), from, ..] = step.instruction.operands.as_slice() else {
            return Next::Following;
        };
        let address = in_space(space, self.address(base, *offset));
        let lanes = if let Operand::Vector(parts) = from { parts.len() as u32 } else { 1 };
        let bytes = step.width.div_ceil(8);
        let mut values = Vec::new();
        match from {
            Operand::Vector(parts) => values.extend(parts.iter().map(|part| self.read(part, step.width))),
            _ => values.push(self.read(from, step.width)),
        }
        let Some(start) = address.defined() else {
            return Next::End(End::Undefined(self.line, "the address of a store"));
        };
        let (space, start) = Self::place(start as u64, space);
        for at in 0..u64::from(lanes * bytes) {
            let (lane, shift) = (at / u64::from(bytes), 8 * (at % u64::from(bytes)) as u32);
            let value = values[lane as usize].shift_right(shift).resize(8);
            let key = (space, start.wrapping_add(at));
            let (byte, undef) = (value.bits as u8, value.undef as u8);
            self.memory.insert(key, (byte, undef));
            self.stored = self.stored.wrapping_add(mix(space as u64, key.1));
            self.record(key, byte, undef, false);
        }
        if is_ordered {
            values.insert(0, Value::new(start.into(), 64));
            self.access(step, values);
        }
        Next::Following
    }

    /// The value that a branch uses; a forced one uses another than `value`.
    /// `table`: the number of its targets, if it is a table.
    fn condition(&mut self, value: Value, table: Option<u64>) -> Value {
        let targets = table.unwrap_or(2);
        if let Some(visit) = &mut self.visit {
            visit.count_branch();
            return if is_forced(self.seed) { visit.forced(self.seed, value, targets) } else { value };
        }
        let hash = || mix(mix(self.seed, 7), self.conditions.len() as u64 + 1);
        let used = match self.others.get(self.conditions.len()) {
            _ if !is_forced(self.seed) => value,
            Some(other) => other.followed_by(value),
            None => Value::new(u128::from(hash() % targets), value.width),
        };
        self.conditions.push(Condition { line: self.line, value, used, is_of_table: table.is_some() });
        used
    }

    fn branch(&mut self, step: &Step) -> Next {
        let instruction = step.instruction;
        let index = match instruction.opcode.starts_with("brx") {
            true => {
                let index = self.read(&instruction.operands[0], 32);
                self.condition(index, Some(instruction.targets.len() as u64))
            }
            false => Value::new(0, 32),
        };
        match index.defined().map(|index| instruction.targets.get(index as usize)) {
            Some(Some(&target)) => Next::At(target),
            // Beyond the table anything may happen.
            _ => Next::End(End::Undefined(self.line, "the index of a branch")),
        }
    }

    /// `call.uni (retval0), callee, (param0, param1), prototype;` where everything except the
    /// callee may be missing.
    fn call(&mut self, step: &Step) -> Next {
        let mut operands = step.instruction.operands.iter().peekable();
        let group = |operands: &mut std::iter::Peekable<std::slice::Iter<Operand>>| match operands.peek() {
            Some(Operand::Group(parts)) => {
                operands.next();
                parts.clone()
            }
            _ => Vec::new(),
        };
        let results = group(&mut operands);
        let callee = operands.next();
        let arguments = group(&mut operands);
        let mut values = Vec::new();
        let what = match callee {
            Some(Operand::Symbol(name, _)) => format!("call {name}"),
            Some(operand) => {
                let target = self.read(operand, 64);
                if target.undef != 0 {
                    return Next::End(End::Undefined(self.line, "a callee"));
                }
                values.push(target);
                "call".to_owned()
            }
            None => "call".to_owned(),
        };
        for argument in &arguments {
            match argument {
                Operand::Symbol(name, _) => {
                    let address = symbol_address(name);
                    let size = self.declared.get(name).copied().unwrap_or(0);
                    for start in (0..size).step_by(16) {
                        let bytes = (start..size.min(start + 16))
                            .map(|at| self.byte(Space::Param, address.wrapping_add(at), false));
                        values.push(bytes.fold(Value::default(), Value::append));
                    }
                }
                // A register or a number, in inline assembly.
                other => self.sources(other, 64, &mut values),
            }
        }
        let state = mix(mix_text(self.seed, &what), self.events.len() as u64);
        for (index, result) in results.iter().enumerate() {
            let Operand::Symbol(name, _) = result else { continue };
            let address = symbol_address(name);
            let size = self.declared.get(name).copied().unwrap_or(0);
            for at in 0..size {
                // Hashes one word at a time, so that it can be small.
                let word = self.hashed(mix(mix(state, index as u64), at / 4), &values, 32);
                let byte = word.shift_right(8 * (at % 4) as u32).resize(8);
                let key = (Space::Param, address.wrapping_add(at));
                self.memory.insert(key, (byte.bits as u8, byte.undef as u8));
            }
        }
        self.event(&what, values);
        self.forget_memory();
        Next::Following
    }

    /// A special register: small where a kernel expects it.
    fn special(&self, name: &str) -> u64 {
        let hash = mix_text(self.seed, name);
        match name.split('.').next().unwrap_or("") {
            "tid" | "laneid" | "warpid" => hash % 32,
            "ctaid" | "clusterid" | "cluster_ctaid" | "cluster_ctarank" => hash % 8,
            "ntid" => 32 << (hash % 3),
            "nctaid" | "nclusterid" | "cluster_nctaid" | "cluster_nctarank" | "nwarpid" => 1 + hash % 8,
            _ => hash,
        }
    }
}

/// The result registers of an operand; `_` keeps its place.
fn results(operand: &Operand, into: &mut Vec<Option<Reg>>) {
    match operand {
        Operand::Reg(reg) => into.push(Some(*reg)),
        Operand::Sink => into.push(None),
        Operand::Vector(parts) => parts.iter().for_each(|part| results(part, into)),
        Operand::Pair(a, b) => [a, b].into_iter().for_each(|part| results(part, into)),
        _ => {}
    }
}

/// Converts an address in an address space. In shared, local and constant memory it has 32 bits,
/// whatever the width of the register.
fn in_space(space: Option<Space>, address: Value) -> Value {
    match space {
        Some(Space::Shared | Space::Local | Space::Const) => address.resize(32).resize(64),
        _ => address,
    }
}

/// How many addresses of an instruction with this name are in shared memory. They are the first
/// ones.
fn num_shared_addresses(name: &str) -> usize {
    let has = |wanted: &str| name.split('.').any(|word| word == wanted);
    match (has("shared"), has("global")) {
        (true, true) => 1,
        (true, false) => usize::MAX,
        (false, _) => 0,
    }
}

fn window_of(space: Space) -> u64 {
    WINDOWS.iter().find(|(windowed, _)| *windowed == space).map_or(0, |(_, number)| number << WINDOW_BITS)
}

/// The address of a symbol: the same for every seed, and below all windows. All functions' frames
/// are one symbol, whatever their number.
fn symbol_address(name: &str) -> u64 {
    let name = if name.starts_with("__local_depot") { "__local_depot" } else { name };
    (mix_text(0, name) & ((1 << WINDOW_BITS) - 1) & !0xff) | 0x100
}

#[cfg(test)]
mod tests;
