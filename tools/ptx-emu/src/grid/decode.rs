//! Decodes the instructions of a function into the steps that the emulator runs.
//!
//! **Problem.** An instruction of a kernel runs often, for 32 lanes at a time. Names must be looked
//! up once, not each time.
//!
//! **Method.** Each instruction becomes a [`Step`]: an operation, its result registers and its
//! sources. Names of variables become addresses, and names of parameters offsets. An unknown
//! instruction is an error that names it: nothing is skipped.
//!
//! **Source.** PTX ISA, section 9.7 "Instructions"; each operation names its part.
//!
//! **Complexity.** Linear in the text.

use std::collections::HashMap;

use crate::error::Error;
use crate::ptx::decode::{space_named, ORDERED};
use crate::ptx::parse::{self, Function, Instruction, Kind, Operand};
use crate::ptx::trace::Space;
use crate::ptx::value::mix_text;

use super::float::{Approximation, Float};
use super::image::Image;
use super::integer::{mask, sign_extend, Extended, Integer};
use super::matrix::{Fragment, Matrix};
use super::windows;

/// A special register. PTX ISA, section 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
    Warp,
    Warps,
    /// The lanes whose numbers are less, equal or greater than the lane's own.
    Lanes(LaneMask),
    DynamicShared,
    TotalShared,
    /// Always this number: the block is a cluster of its own.
    Constant(u64),
    /// Different at each read.
    Changing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneMask {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// An operand that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Register(usize),
    /// A predicate that is negated.
    Not(usize),
    Constant(u64),
    Special(Special),
    /// Address of a variable in the function's frame.
    Local(u64),
}

/// A memory operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub base: Source,
    pub offset: i64,
    /// `None`: a generic address.
    pub space: Option<Space>,
    /// Whether it names a parameter of this function.
    pub is_own_parameter: bool,
}

/// An instruction whose result depends on its operands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pure {
    Integer(Integer),
    Float(Float),
}

impl Pure {
    pub fn decode(words: &[&str]) -> Option<Pure> {
        Float::decode(words)
            .map(Pure::Float)
            .or_else(|| Integer::decode(words).or_else(|| Integer::decode_odd(words)).map(Pure::Integer))
    }

    #[inline]
    pub fn eval(&self, operands: [u64; 4]) -> u64 {
        match self {
            Pure::Integer(integer) => integer.eval(operands),
            Pure::Float(float) => {
                let result = float.eval([operands[0], operands[1], operands[2]]);
                match float.has_signed_result() {
                    true => sign_extend(result, float.result_width()) as u64,
                    false => result,
                }
            }
        }
    }

    /// The bits of the result that are undefined because of undefined bits of the operands.
    pub fn undefined(&self, operands: [u64; 4], undefined: [u64; 4]) -> u64 {
        match self {
            Pure::Integer(integer) => integer.undefined(operands, undefined),
            Pure::Float(_) if undefined == [0; 4] => 0,
            Pure::Float(_) => u64::MAX,
        }
    }
}

/// The operation by which `setp` joins its comparison with a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    And,
    Or,
    Xor,
}

impl Join {
    fn read(word: &str) -> Option<Join> {
        Some(match word {
            "and" => Join::And,
            "or" => Join::Or,
            "xor" => Join::Xor,
            _ => return None,
        })
    }

    pub fn eval(self, a: u64, b: u64) -> u64 {
        match self {
            Join::And => a & b,
            Join::Or => a | b,
            Join::Xor => a ^ b,
        }
    }
}

/// The change that an atomic operation makes. PTX ISA, section 9.7.13 "atom".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The new value is this function of the old one and the operand.
    Pure(Pure),
    /// A sum of f32. Subnormal numbers are zero in global memory, and only there.
    Sum {
        global: Pure,
        elsewhere: Pure,
    },
    Exchange,
    CompareAndSwap,
    Increment,
    Decrement,
}

impl Change {
    /// Whether the old value is compared with the first operand.
    pub fn compares(&self) -> bool {
        matches!(self, Change::CompareAndSwap | Change::Increment | Change::Decrement)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    Popcount,
    And,
    Or,
}

/// A piece of a function's parameters: offset and bytes.
pub type Piece = (u64, u64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    Function(usize),
    Register(Source),
    /// A function of the system.
    System(String),
}

/// The operation of an instruction. PTX ISA, section 9.7.
#[derive(Clone, Debug)]
pub enum Operation {
    Nothing,
    /// From here on the registers are undefined.
    Undefine,
    /// mov: joins sources of `from` bits each, and splits the whole into results of `to` bits.
    Move {
        from: u32,
        to: u32,
    },
    Pure(Pure),
    /// setp. A predicate that it is joined with is the last source. A second result has the
    /// comparison negated.
    Test {
        test: Pure,
        join: Option<Join>,
    },
    Extended(Extended),
    Load {
        address: Address,
        bytes: usize,
        is_signed: bool,
    },
    Store {
        address: Address,
        bytes: usize,
    },
    Atomic {
        address: Address,
        bytes: usize,
        change: Change,
    },
    /// cp.async: copies bytes from global to shared memory. The first source, if any, is how many
    /// of them are read, or a predicate that none is.
    Copy {
        to: Address,
        from: Address,
        bytes: usize,
        has_predicate: bool,
    },
    Shuffle(Shuffle),
    Vote(Vote),
    Match {
        is_all: bool,
        width: u32,
    },
    Redux(Pure),
    ActiveMask,
    Elect,
    /// barrier.sync. The sources are its number and how many threads it waits for; without the
    /// latter, all.
    Barrier {
        reduction: Option<Reduction>,
        waits: bool,
    },
    WarpBarrier,
    Branch(usize),
    Table(Vec<usize>),
    Call {
        callee: Callee,
        arguments: Vec<Piece>,
        results: Vec<Piece>,
    },
    Return,
    Exit,
    Trap,
    Matrix(Matrix),
    /// ldmatrix, stmatrix. `count`: how many matrices.
    LoadMatrix {
        address: Address,
        count: usize,
        is_transposed: bool,
    },
    StoreMatrix {
        address: Address,
        count: usize,
        is_transposed: bool,
    },
    MoveMatrix,
    LoadFragment {
        address: Address,
        fragment: Fragment,
    },
    StoreFragment {
        address: Address,
        fragment: Fragment,
    },
    /// A function that PTX does not document, of all operands and of shared memory: here a hash of
    /// them.
    Opaque {
        seed: u64,
        results: usize,
    },
}

/// An instruction, ready to run.
#[derive(Clone, Debug)]
pub struct Step {
    pub line: usize,
    pub operation: Operation,
    pub guard: Option<(usize, bool)>,
    /// Whether it is an atomic or a volatile access. A loop that waits for other threads contains
    /// one.
    pub may_spin: bool,
    /// Registers of the results; `None` for `_`.
    pub results: Vec<Option<usize>>,
    pub sources: Vec<Source>,
    /// The number of sources in each operand of a matrix instruction: a, b, c.
    pub shape: Vec<usize>,
}

/// A function, ready to run.
#[derive(Debug)]
pub struct Code {
    pub steps: Vec<Step>,
    /// The mask of each register's bits.
    pub masks: Vec<u64>,
    /// Bytes of its frame in local memory.
    pub local_size: u64,
    /// Bytes of its parameters, and of the parameters of the calls in it.
    pub parameter_size: u64,
}

struct Decoder<'a> {
    image: &'a Image,
    function: &'a Function,
    locals: HashMap<&'a str, u64>,
    parameters: HashMap<&'a str, (u64, u64)>,
    parameter_size: u64,
    approximation: Approximation,
}

/// Decodes a function.
pub fn decode(image: &Image, number: usize, approximation: Approximation) -> Result<Code, Error> {
    let (function, head) = (&image.functions[number], &image.heads[number]);
    if let Some(problem) = &function.problem {
        return Err(problem.clone());
    }
    let mut locals = HashMap::new();
    let mut local_size: u64 = 0;
    for (name, align, size) in &function.locals {
        let at = local_size.next_multiple_of((*align).max(1));
        locals.insert(name.as_str(), at);
        local_size = at + size;
    }
    let own = head.results.iter().chain(&head.parameters);
    let parameters = own.map(|p| (p.name.as_str(), (p.offset, p.size))).collect();
    let mut decoder =
        Decoder { image, function, locals, parameters, parameter_size: head.size, approximation };
    decoder.declare();
    if let Some(register) = function.registers.iter().find(|register| register.width > 64) {
        return Err(format!("the register {} has {} bits", register.name, register.width).into());
    }
    let steps = function
        .code
        .iter()
        .map(|instruction| decoder.step(instruction).map_err(|why| why.on(instruction.line)))
        .collect::<Result<_, _>>()?;
    Ok(Code {
        steps,
        masks: function.registers.iter().map(|register| mask(register.width)).collect(),
        local_size: local_size.next_multiple_of(16),
        parameter_size: decoder.parameter_size.next_multiple_of(8),
    })
}

fn has(words: &[&str], wanted: &str) -> bool {
    words.contains(&wanted)
}

/// The last type among the words: its bits, and the word.
fn last_type<'a>(words: &[&'a str]) -> Option<(u32, &'a str)> {
    words[1..].iter().rev().find_map(|word| Some((parse::type_width(word)?, *word)))
}

impl<'a> Decoder<'a> {
    /// Gives room to the parameters of calls. Those of one name share it, as their scopes do not
    /// overlap.
    fn declare(&mut self) {
        for instruction in &self.function.code {
            let (Kind::Declare(size), [Operand::Symbol(name, _)]) =
                (&instruction.kind, instruction.operands.as_slice())
            else {
                continue;
            };
            let known = self.parameters.get(name.as_str()).map_or(0, |&(_, known)| known);
            if known < *size {
                let offset = self.parameter_size.next_multiple_of(16);
                self.parameters.insert(name.as_str(), (offset, *size));
                self.parameter_size = offset + size;
            }
        }
    }

    fn special(name: &str) -> Result<Special, Error> {
        let (stem, axis) = name.split_once('.').unwrap_or((name, "x"));
        let axis = match axis {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return Err(Error::unknown("register", format!("%{name}"))),
        };
        Ok(match stem {
            "tid" => Special::Thread(axis),
            "ntid" => Special::Threads(axis),
            "ctaid" | "clusterid" => Special::Block(axis),
            "nctaid" | "nclusterid" => Special::Blocks(axis),
            "laneid" => Special::Lane,
            "warpid" => Special::Warp,
            "nwarpid" => Special::Warps,
            "lanemask_eq" => Special::Lanes(LaneMask::Equal),
            "lanemask_lt" => Special::Lanes(LaneMask::Less),
            "lanemask_le" => Special::Lanes(LaneMask::LessOrEqual),
            "lanemask_gt" => Special::Lanes(LaneMask::Greater),
            "lanemask_ge" => Special::Lanes(LaneMask::GreaterOrEqual),
            "dynamic_smem_size" => Special::DynamicShared,
            "total_smem_size" => Special::TotalShared,
            "cluster_ctaid" | "cluster_ctarank" | "smid" | "gridid" => Special::Constant(0),
            "cluster_nctaid" | "cluster_nctarank" | "nsmid" => Special::Constant(1),
            "is_explicit_cluster" => Special::Constant(0),
            "clock" | "clock_hi" | "clock64" | "globaltimer" | "globaltimer_lo" | "globaltimer_hi" => {
                Special::Changing
            }
            _ if stem.starts_with("envreg") => Special::Constant(0),
            _ => return Err(Error::unknown("register", format!("%{name}"))),
        })
    }

    /// Address of a name, and whether it is a parameter of this function.
    fn symbol(&self, name: &str, offset: i64) -> Result<(Source, bool), Error> {
        if let Some(&at) = self.locals.get(name) {
            return Ok((Source::Local(at.wrapping_add_signed(offset)), false));
        }
        if let Some(&(at, _)) = self.parameters.get(name) {
            return Ok((Source::Constant(at.wrapping_add_signed(offset)), true));
        }
        let address = self.image.address(name).ok_or_else(|| Error::unknown("name", name))?;
        Ok((Source::Constant(address.wrapping_add_signed(offset)), false))
    }

    fn source(&self, operand: &Operand, width: u32) -> Result<Source, Error> {
        Ok(match operand {
            Operand::Reg(reg) => Source::Register(*reg),
            Operand::Integer(number) => Source::Constant(*number as u64),
            Operand::Bits(bits, _) => Source::Constant(*bits),
            Operand::Special(name) => Source::Special(Self::special(name)?),
            Operand::Symbol(name, offset) => self.symbol(name, *offset)?.0,
            Operand::Not(inner) => match **inner {
                Operand::Reg(reg) => Source::Not(reg),
                _ => return Err("a negation of something that is not a predicate".into()),
            },
            Operand::Negated(inner) => match self.source(inner, width)? {
                Source::Constant(bits) => Source::Constant(bits ^ 1 << (width - 1)),
                _ => return Err("a negated register".into()),
            },
            _ => return Err(format!("an operand that cannot stand here: {operand:?}").into()),
        })
    }

    /// All values of the operands; a vector gives one for each part.
    fn sources<'o>(
        &self,
        operands: impl IntoIterator<Item = &'o Operand>,
        width: u32,
    ) -> Result<Vec<Source>, Error> {
        let mut sources = Vec::new();
        for operand in operands {
            match operand {
                Operand::Vector(parts) => sources.extend(self.sources(parts, width)?),
                Operand::Sink => {}
                other => sources.push(self.source(other, width)?),
            }
        }
        Ok(sources)
    }

    fn address(&self, operand: &Operand, space: Option<Space>) -> Result<Address, Error> {
        let Operand::Memory(base, offset, _) = operand else {
            return Err("no memory operand".into());
        };
        let (base, is_own_parameter) = match base.as_ref() {
            Operand::Symbol(name, more) => self.symbol(name, *more)?,
            other => (self.source(other, 64)?, false),
        };
        let is_own_parameter = is_own_parameter || space == Some(Space::Param);
        Ok(Address { base, offset: *offset, space, is_own_parameter })
    }

    fn results(operand: &Operand) -> Result<Vec<Option<usize>>, Error> {
        Ok(match operand {
            Operand::Reg(reg) => vec![Some(*reg)],
            Operand::Sink => vec![None],
            Operand::Vector(parts) => {
                let parts = parts.iter().map(Self::results).collect::<Result<Vec<_>, _>>()?;
                parts.concat()
            }
            Operand::Pair(a, b) => [Self::results(a)?, Self::results(b)?].concat(),
            _ => return Err("a result that is not a register".into()),
        })
    }

    fn step(&self, instruction: &Instruction) -> Result<Step, Error> {
        let mut step = Step {
            line: instruction.line,
            operation: Operation::Nothing,
            guard: instruction.guard,
            may_spin: false,
            results: Vec::new(),
            sources: Vec::new(),
            shape: Vec::new(),
        };
        match instruction.kind {
            Kind::Declare(_) => {}
            Kind::ImplicitDef => {
                step.operation = Operation::Undefine;
                step.results = Self::results(operand(instruction, 0)?)?;
            }
            Kind::Assembly { .. } => return Err("made-up inline assembly".into()),
            Kind::Instruction => {
                let mut words: Vec<&str> = instruction.opcode.split('.').collect();
                // ptxas accepts `ex2.approx.f32.ftz` too, which libdevice contains.
                if let [.., kind, last @ "ftz"] = words.as_mut_slice() {
                    std::mem::swap(kind, last);
                }
                step.may_spin =
                    matches!(words[0], "atom" | "red") || words.iter().any(|word| ORDERED.contains(word));
                self.fill(&mut step, &words, instruction)?;
            }
        }
        Ok(step)
    }

    /// Finds the operation, and takes the operands that it needs.
    fn fill(&self, step: &mut Step, words: &[&str], instruction: &Instruction) -> Result<(), Error> {
        let operands = instruction.operands.as_slice();
        let operand = |index: usize| operand(instruction, index);
        let space = || words.iter().find_map(|word| space_named(word));
        let width = last_type(words).map_or(64, |(width, _)| width);
        match words[0] {
            "ld" | "ldu" => {
                let (width, kind) = last_type(words).ok_or_else(|| unknown(instruction))?;
                step.results = Self::results(operand(0)?)?;
                step.operation = Operation::Load {
                    address: self.address(operand(1)?, space())?,
                    bytes: width as usize / 8,
                    is_signed: kind.starts_with('s'),
                };
            }
            "st" if !has(words, "async") && !has(words, "bulk") => {
                step.sources = self.sources([operand(1)?], width)?;
                step.operation = Operation::Store {
                    address: self.address(operand(0)?, space())?,
                    bytes: width as usize / 8,
                };
            }
            "atom" | "red" if !has(words, "async") => self.atomic(step, words, operands, space())?,
            "cp" if words.starts_with(&["cp", "async"]) && !has(words, "bulk") => {
                self.copy(step, words, instruction)?
            }
            "bra" => step.operation = Operation::Branch(instruction.targets[0]),
            "brx" => {
                step.sources = vec![self.source(operand(0)?, 32)?];
                step.operation = Operation::Table(instruction.targets.clone());
            }
            "call" => self.call(step, operands)?,
            "ret" => step.operation = Operation::Return,
            "exit" => step.operation = Operation::Exit,
            "trap" => step.operation = Operation::Trap,
            "brkpt" | "membar" | "fence" | "prefetch" | "prefetchu" | "nanosleep" | "pmevent"
            | "setmaxnreg" | "griddepcontrol" | "discard" | "applypriority" => {}
            "bar" | "barrier" => self.barrier(step, words, operands)?,
            "activemask" => {
                step.results = Self::results(operand(0)?)?;
                step.operation = Operation::ActiveMask;
            }
            "createpolicy" => {
                step.results = Self::results(operand(0)?)?;
                step.sources = vec![Source::Constant(0)];
                step.operation = Operation::Move { from: 64, to: 64 };
            }
            "shfl" | "vote" | "match" | "redux" | "elect" => self.warp_wide(step, words, operands)?,
            "mov" => self.mov(step, instruction, width)?,
            "mma" | "wmma" | "ldmatrix" | "stmatrix" | "movmatrix" => self.matrix(step, words, operands)?,
            "wgmma" => self.wgmma(step, words, instruction)?,
            "setp" => self.test(step, words, instruction, width)?,
            _ => self.plain(step, words, instruction, width)?,
        }
        Ok(())
    }

    /// cp.async. PTX ISA, section 9.7.9.
    fn copy(&self, step: &mut Step, words: &[&str], instruction: &Instruction) -> Result<(), Error> {
        let operands = instruction.operands.as_slice();
        let unknown = || unknown(instruction);
        let operand = |index: usize| operand(instruction, index);
        match word(words, 2) {
            "ca" | "cg" => {
                let Some(&Operand::Integer(bytes)) = operands.get(2) else { return Err(unknown()) };
                step.sources = operands
                    .get(3)
                    .map_or(Ok(vec![]), |read| self.source(read, 32).map(|read| vec![read]))?;
                // An L2 cache policy of 64 bits is not a byte count.
                if has(words, "L2::cache_hint") && operands.len() == 4 {
                    step.sources.clear();
                }
                let has_predicate = match (step.sources.first(), operands.get(3)) {
                    (Some(Source::Not(_)), _) => true,
                    (Some(_), Some(&Operand::Reg(reg))) => self.function.registers[reg].width == 1,
                    _ => false,
                };
                step.operation = Operation::Copy {
                    to: self.address(operand(0)?, Some(Space::Shared))?,
                    from: self.address(operand(1)?, Some(Space::Global))?,
                    bytes: bytes as usize,
                    has_predicate,
                };
            }
            "commit_group" | "wait_group" | "wait_all" => {}
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// mov. PTX ISA, section 9.7.9.
    fn mov(&self, step: &mut Step, instruction: &Instruction, width: u32) -> Result<(), Error> {
        let operand = |index: usize| operand(instruction, index);
        let parts = |operand: &Operand| {
            if let Operand::Vector(parts) = operand {
                parts.len() as u32
            } else {
                1
            }
        };
        step.results = Self::results(operand(0)?)?;
        let [to, from] = [operand(0)?, operand(1)?].map(|operand| width / parts(operand));
        step.sources = self.sources([operand(1)?], from)?;
        step.operation = Operation::Move { from, to };
        Ok(())
    }

    /// wgmma. PTX ISA, section 9.7.15.
    fn wgmma(&self, step: &mut Step, words: &[&str], instruction: &Instruction) -> Result<(), Error> {
        let operands = instruction.operands.as_slice();
        let unknown = || unknown(instruction);
        let operand = |index: usize| operand(instruction, index);
        match word(words, 1) {
            "fence" | "commit_group" | "wait_group" => {}
            "mma_async" => {
                step.results = Self::results(operand(0)?)?;
                step.sources = self.sources(operands, 64)?;
                let results = step.results.len();
                step.operation = Operation::Opaque { seed: mix_text(0, &instruction.opcode), results };
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// setp. PTX ISA, section 9.7.7.
    fn test(
        &self,
        step: &mut Step,
        words: &[&str],
        instruction: &Instruction,
        width: u32,
    ) -> Result<(), Error> {
        let operands = instruction.operands.as_slice();
        let unknown = || unknown(instruction);
        let operand = |index: usize| operand(instruction, index);
        let joins = words.iter().find_map(|word| Join::read(word));
        let plain: Vec<&str> = words.iter().copied().filter(|word| Join::read(word).is_none()).collect();
        let test = Pure::decode(&plain).ok_or_else(unknown)?;
        step.results = Self::results(operand(0)?)?;
        step.sources = self.sources(&operands[1..], width)?;
        step.operation = Operation::Test { test, join: joins };
        Ok(())
    }

    /// An instruction whose one result depends on its operands alone.
    fn plain(
        &self,
        step: &mut Step,
        words: &[&str],
        instruction: &Instruction,
        width: u32,
    ) -> Result<(), Error> {
        let operands = instruction.operands.as_slice();
        let unknown = || unknown(instruction);
        let operand = |index: usize| operand(instruction, index);
        step.results = Self::results(operand(0)?)?;
        step.sources = self.sources(&operands[1..], width)?;
        step.operation = match Extended::decode(words) {
            Some(extended) => Operation::Extended(extended),
            None => Operation::Pure(Pure::decode(words).ok_or_else(unknown)?),
        };
        if let Operation::Pure(Pure::Float(float)) = &mut step.operation {
            if step.sources.len() != float.num_operands() {
                return Err(unknown());
            }
            if self.approximation == Approximation::Value {
                *float = float.with_values().ok_or_else(unknown)?;
            }
        }
        if step.sources.is_empty() || step.sources.len() > 4 || step.results.len() != 1 {
            return Err(unknown());
        }
        Ok(())
    }

    /// atom, red. PTX ISA, section 9.7.13.
    fn atomic(
        &self,
        step: &mut Step,
        words: &[&str],
        operands: &[Operand],
        space: Option<Space>,
    ) -> Result<(), Error> {
        let unknown = || unknown_words(words);
        let (width, kind) = last_type(words).filter(|(width, _)| *width <= 64).ok_or_else(unknown)?;
        let has_result = words[0] == "atom";
        let operands = match operands {
            [result, rest @ ..] if has_result => {
                step.results = Self::results(result)?;
                rest
            }
            all => all,
        };
        let pure = |words: &[&str]| Pure::decode(words).map(Change::Pure).ok_or_else(unknown);
        let change = match words.iter().find(|word| {
            matches!(**word, "add" | "min" | "max" | "and" | "or" | "xor" | "exch" | "cas" | "inc" | "dec")
        }) {
            Some(&"exch") => Change::Exchange,
            Some(&"cas") => Change::CompareAndSwap,
            Some(&"inc") => Change::Increment,
            Some(&"dec") => Change::Decrement,
            Some(&"add") if kind == "f32" => {
                let sum = |words: &[&str]| Pure::decode(words).ok_or_else(unknown);
                Change::Sum {
                    global: sum(&["add", "rn", "ftz", kind])?,
                    elsewhere: sum(&["add", "rn", kind])?,
                }
            }
            Some(&"add") if kind.contains('f') => pure(&["add", "rn", kind])?,
            Some(&operation) => pure(&[operation, kind])?,
            None => return Err(unknown()),
        };
        let [memory, values @ ..] = operands else { return Err(unknown()) };
        let needed = if change == Change::CompareAndSwap { 2 } else { 1 };
        if values.len() < needed || values[..needed].iter().any(|value| matches!(value, Operand::Vector(_))) {
            return Err(unknown());
        }
        step.sources = self.sources(&values[..needed], width)?;
        step.operation =
            Operation::Atomic { address: self.address(memory, space)?, bytes: width as usize / 8, change };
        Ok(())
    }

    /// `call.uni (retval0), callee, (param0, param1), prototype;` PTX ISA, section 9.7.12 "call".
    fn call(&self, step: &mut Step, operands: &[Operand]) -> Result<(), Error> {
        let piece = |operand: &Operand| match operand {
            Operand::Symbol(name, _) => {
                self.parameters.get(name.as_str()).copied().ok_or_else(|| Error::unknown("parameter", name))
            }
            _ => Err("a parameter of a call in a register".into()),
        };
        let pieces = |parts: &[Operand]| parts.iter().map(piece).collect::<Result<Vec<_>, _>>();
        let (results, rest) = match operands {
            [Operand::Group(parts), rest @ ..] => (pieces(parts)?, rest),
            rest => (vec![], rest),
        };
        let (callee, rest) = rest.split_first().ok_or("a call of nothing")?;
        let arguments = match rest.first() {
            Some(Operand::Group(parts)) => pieces(parts)?,
            _ => vec![],
        };
        let callee = match callee {
            Operand::Symbol(name, _) => match self.image.function(name) {
                Some(number) => Callee::Function(number),
                None if ["vprintf", "malloc", "free", "__assertfail"].contains(&name.as_str()) => {
                    Callee::System(name.clone())
                }
                None => return Err(format!("a call of {name}, which is not in the module").into()),
            },
            other => Callee::Register(self.source(other, 64)?),
        };
        step.operation = Operation::Call { callee, arguments, results };
        Ok(())
    }

    /// bar, barrier. PTX ISA, section 9.7.13.
    fn barrier(&self, step: &mut Step, words: &[&str], operands: &[Operand]) -> Result<(), Error> {
        if has(words, "cluster") {
            // A block is a cluster of its own: its threads wait for each other at `wait`, as at a
            // barrier.
            if has(words, "wait") {
                step.sources = vec![Source::Constant(15)];
                step.operation = Operation::Barrier { reduction: None, waits: true };
            }
            return Ok(());
        }
        if words.get(1) == Some(&"warp") {
            step.sources = self.sources(operands, 32)?;
            step.operation = Operation::WarpBarrier;
            return Ok(());
        }
        let waits = !has(words, "arrive");
        let (reduction, operands) = if has(words, "red") {
            let reduction = match () {
                () if has(words, "popc") => Reduction::Popcount,
                () if has(words, "and") => Reduction::And,
                () if has(words, "or") => Reduction::Or,
                () => return Err(unknown_words(words)),
            };
            let (result, others) = operands.split_first().ok_or_else(|| unknown_words(words))?;
            step.results = Self::results(result)?;
            (Some(reduction), others)
        } else {
            (None, operands)
        };
        step.sources = self.sources(operands, 32)?;
        step.operation = Operation::Barrier { reduction, waits };
        Ok(())
    }

    /// Instructions by which the lanes of a warp communicate. PTX ISA, sections 9.7.9 "shfl.sync"
    /// and 9.7.13 "vote.sync", "match.sync", "redux.sync", "elect.sync".
    fn warp_wide(&self, step: &mut Step, words: &[&str], operands: &[Operand]) -> Result<(), Error> {
        let unknown = || unknown_words(words);
        if !has(words, "sync") || operands.len() < 2 {
            return Err(unknown());
        }
        step.results = Self::results(&operands[0])?;
        step.sources = self.sources(&operands[1..], 32)?;
        step.operation = match (words[0], word(words, 2)) {
            ("elect", _) => Operation::Elect,
            ("shfl", "up") => Operation::Shuffle(Shuffle::Up),
            ("shfl", "down") => Operation::Shuffle(Shuffle::Down),
            ("shfl", "bfly") => Operation::Shuffle(Shuffle::Butterfly),
            ("shfl", "idx") => Operation::Shuffle(Shuffle::Index),
            ("vote", "all") => Operation::Vote(Vote::All),
            ("vote", "any") => Operation::Vote(Vote::Any),
            ("vote", "uni") => Operation::Vote(Vote::Uniform),
            ("vote", "ballot") => Operation::Vote(Vote::Ballot),
            ("match", "sync") if matches!(words[1], "any" | "all") => {
                let width = last_type(words).map_or(32, |(width, _)| width);
                Operation::Match { is_all: words[1] == "all", width }
            }
            ("redux", operation) => {
                let (_, kind) = last_type(words).ok_or_else(unknown)?;
                let mut plain = vec![operation];
                plain.extend(words.iter().skip(3).filter(|word| **word != "abs" && **word != kind));
                plain.push(kind);
                Operation::Redux(Pure::decode(&plain).filter(|_| !has(words, "abs")).ok_or_else(unknown)?)
            }
            _ => return Err(unknown()),
        };
        Ok(())
    }

    /// Matrix instructions. PTX ISA, section 9.7.14.
    fn matrix(&self, step: &mut Step, words: &[&str], operands: &[Operand]) -> Result<(), Error> {
        let unknown = || unknown_words(words);
        let operand = |index: usize| operands.get(index).ok_or_else(unknown);
        let space = words.iter().find_map(|word| space_named(word));
        let count = || match words {
            _ if has(words, "x4") => 4,
            _ if has(words, "x2") => 2,
            _ => 1,
        };
        let is_transposed = has(words, "trans");
        let is_plain = has(words, "m8n8") && has(words, "b16");
        match words[0] {
            "ldmatrix" if is_plain => {
                step.results = Self::results(operand(0)?)?;
                let address = self.address(operand(1)?, space)?;
                step.operation = Operation::LoadMatrix { address, count: count(), is_transposed };
            }
            "stmatrix" if is_plain => {
                step.sources = self.sources([operand(1)?], 32)?;
                let address = self.address(operand(0)?, space)?;
                step.operation = Operation::StoreMatrix { address, count: count(), is_transposed };
            }
            "movmatrix" if is_plain => {
                step.results = Self::results(operand(0)?)?;
                step.sources = self.sources([operand(1)?], 32)?;
                step.operation = Operation::MoveMatrix;
            }
            "wmma" if word(words, 1) == "load" => {
                step.results = Self::results(operand(0)?)?;
                let fragment = Fragment::decode(words).ok_or_else(unknown)?;
                if fragment.is_store() || step.results.len() != fragment.num_registers() {
                    return Err(unknown());
                }
                step.operation =
                    Operation::LoadFragment { address: self.address(operand(1)?, space)?, fragment };
                step.sources = self.stride(operands.get(2), &fragment)?;
            }
            "wmma" if word(words, 1) == "store" => {
                let fragment = Fragment::decode(words).ok_or_else(unknown)?;
                step.operation =
                    Operation::StoreFragment { address: self.address(operand(0)?, space)?, fragment };
                step.sources = self.stride(operands.get(2), &fragment)?;
                step.sources.extend(self.sources([operand(1)?], 32)?);
                if !fragment.is_store() || step.sources.len() != 1 + fragment.num_registers() {
                    return Err(unknown());
                }
            }
            "mma" | "wmma" => {
                let matrix = Matrix::decode(words).ok_or_else(unknown)?;
                step.results = Self::results(operand(0)?)?;
                for index in 1..4 {
                    let part = self.sources([operand(index)?], 64)?;
                    step.shape.push(part.len());
                    step.sources.extend(part);
                }
                if step.shape != matrix.num_operands() || step.results.len() != matrix.num_results() {
                    return Err(unknown());
                }
                step.operation = Operation::Matrix(matrix);
            }
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// The stride of a fragment in memory, in elements: the operand, or the default of the
    /// fragment.
    fn stride(&self, operand: Option<&Operand>, fragment: &Fragment) -> Result<Vec<Source>, Error> {
        match operand {
            Some(operand) => Ok(vec![self.source(operand, 32)?]),
            None => Ok(vec![Source::Constant(fragment.default_stride())]),
        }
    }
}

/// State space of an access, and the address in it. Addresses of shared, local and constant memory
/// have 32 bits.
pub fn resolve(space: Option<Space>, address: u64) -> (Space, u64) {
    match space {
        Some(Space::Global) => (Space::Global, address),
        Some(space) => (space, address & mask(32)),
        None => windows::place(address),
    }
}

fn unknown(instruction: &Instruction) -> Error {
    Error::unknown("instruction", &instruction.opcode)
}

fn unknown_words(words: &[&str]) -> Error {
    Error::unknown("instruction", words.join("."))
}

/// A part of an opcode; an empty one if it has no such part.
fn word<'a>(words: &[&'a str], index: usize) -> &'a str {
    words.get(index).copied().unwrap_or_default()
}

fn operand(instruction: &Instruction, index: usize) -> Result<&Operand, Error> {
    let operand = instruction.operands.get(index);
    operand.ok_or_else(|| Error::from("too few operands").of(&instruction.opcode))
}
