//! Decodes instructions into steps that run fast.
//!
//! **Problem.** An instruction is text; a kernel runs each of its instructions thousands of times.
//!
//! **Method.** One function takes the operands from a reader in their order, by the opcode. The
//! reader records which operands and modifiers were taken. If one is left at the end, the
//! instruction counts as unknown. So no modifier is ignored by accident.
//!
//! **Complexity.** Linear in the code.

use std::collections::BTreeMap;

use crate::error::Unsupported;
use crate::float::{Arithmetic, Comparison, Format, Function, Integral, Mode, Range, Rounding};
use crate::instruction::{Address, Instruction, Operand, Predicate, Register, Registers, Value, SIZE};

/// The place of a step in its code.
pub type Place = u32;

/// The main part of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Zero,
    Lane(u8),
    Uniform(u8),
    Word(u32),
    /// A number that a signed 32-bit one cannot hold, for an instruction on 64 bits.
    Wide(u64),
    /// Bank and offset.
    Constant(u8, u32),
}

/// A source of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub from: From,
    pub is_negated: bool,
    pub is_inverted: bool,
    pub is_absolute: bool,
    /// The halves that an instruction on pairs of 16 or 32 bits reads.
    pub halves: Halves,
}

/// A selection of the halves of a word, or of a pair of words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Halves {
    #[default]
    Both,
    Low,
    High,
    /// Each in the other's place.
    Swapped,
}

/// A register that is written; `None`: no register.
pub type Target = Option<(Registers, u8)>;

/// A predicate that is written: whether it is uniform, and its number.
pub type Flag = Option<(bool, u8)>;

/// A space of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    Global,
    Shared,
    Local,
    Generic,
}

/// The operand that gives an access its address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place64 {
    pub address: Address,
    /// Whether registers are pairs that hold 64 bits.
    pub is_wide: bool,
}

/// The number type of an integer instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    U32,
    S32,
    U64,
    S64,
}

impl Kind {
    pub fn is_signed(self) -> bool {
        matches!(self, Kind::S32 | Kind::S64)
    }

    pub fn is_wide(self) -> bool {
        matches!(self, Kind::U64 | Kind::S64)
    }
}

/// A connective of predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    And,
    Or,
    Xor,
}

impl Join {
    pub fn of(self, a: u32, b: u32) -> u32 {
        match self {
            Join::And => a & b,
            Join::Or => a | b,
            Join::Xor => a ^ b,
        }
    }
}

/// The part of a product that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Low,
    High { is_signed: bool },
    Wide { is_signed: bool },
}

/// An operation of atomic instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    Add,
    Minimum,
    Maximum,
    Increment,
    Decrement,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    /// Stores if the old value is as expected; the result is whether it was.
    CompareStore,
}

/// The number type of an atomic instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Unsigned,
    Signed,
    Float(Format),
    /// Two in one word.
    Halves(Format),
}

/// The rule by which a shuffle chooses a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shuffle {
    Index,
    Up,
    Down,
    Butterfly,
}

/// A vote over all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    Any,
    All,
    Equal,
}

/// A reduction over the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    And,
    Or,
    Xor,
    Sum,
    Minimum { is_signed: bool },
    Maximum { is_signed: bool },
}

/// A pattern of bytes of two words, which a number of two bits moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Four bytes that follow each other, from the one with this number on.
    Forward,
    /// The same, downwards.
    Backward,
    /// This byte four times.
    Same,
    /// Bytes of a word with numbers of at least this.
    AtLeast,
    /// Bytes of a word with numbers of at most this.
    AtMost,
    /// A half of a word twice.
    Half,
}

impl Pattern {
    /// The choice of bytes that PRMT without a pattern takes.
    pub fn choice(self, number: u32) -> u32 {
        let number = number & 3;
        (0..4).fold(0, |choice, at| {
            let byte = match self {
                Pattern::Forward => number + at,
                Pattern::Backward => number.wrapping_sub(at) & 7,
                Pattern::Same => number,
                Pattern::AtLeast => number.max(at),
                Pattern::AtMost => number.min(at),
                Pattern::Half => 2 * (number & 1) + (at & 1),
            };
            choice | byte << (4 * at)
        })
    }
}

/// A special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    Zero,
    Thread(usize),
    Block(usize),
    Lane,
    /// Lanes whose number is less than, equal to or greater than the lane's own; the flag includes
    /// the equal one.
    Lanes(std::cmp::Ordering, bool),
    /// The upper word of shared memory's window.
    SharedWindow,
    /// The number of the block in its cluster.
    ClusterBlock,
    Clock,
    Warp,
    Multiprocessor,
}

/// The facts of an asynchronous instruction that its time depends on.
#[derive(Clone, Debug, PartialEq)]
pub enum Asynchronous {
    Other,
    /// A copy by a tensor map: this uniform register holds the place in shared memory, the next one
    /// the place of the barrier.
    Tensor(u8),
    /// A copy of bytes: the uniform register of the place and the barrier, as above; that of the
    /// source; and that of the size, in units of 16 bytes.
    Bytes(u8, u8, u8),
    /// An arrival at a barrier, and the source that holds the bytes to come.
    Expect(Place64, Source),
    Wait(Place64),
}

/// The operation of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    Nothing,
    /// An instruction whose value is not computed: [`decode_assuming`]. Its predicate becomes true.
    Assume(Asynchronous),
    // Control: the places that lanes go to, and convergence barriers.
    Branch {
        to: Place,
    },
    BranchIf {
        divergent: bool,
        to: Place,
    },
    /// All lanes of the group branch if one of them does.
    BranchAny {
        to: Place,
    },
    /// All lanes of the group branch if each of them does. Otherwise none does.
    BranchAll {
        to: Place,
    },
    BranchIndirect {
        base: u64,
    },
    Call {
        to: Place,
    },
    Return {
        base: u64,
    },
    Exit,
    Trap,
    Enter {
        barrier: u8,
    },
    Meet {
        barrier: u8,
    },
    Leave {
        barrier: u8,
    },
    MeetLanes,
    /// Moves the lanes of a convergence barrier to a register, or back.
    SaveBarrier {
        barrier: u8,
        clears: bool,
    },
    RestoreBarrier {
        barrier: u8,
    },
    Barrier {
        waits: bool,
        reduces: Option<Vote>,
        counts: bool,
    },
    BarrierResult,
    // Integers.
    Move,
    MoveWide,
    ToUniform,
    Special(Special),
    SpecialWide(Special),
    Constant {
        bank: u8,
        address: Address,
        bytes: usize,
        is_signed: bool,
    },
    Add {
        is_extended: bool,
        num: usize,
    },
    AddWide {
        is_extended: bool,
    },
    /// Two sums of 16 bits, without a carry between them.
    AddHalves,
    Multiply {
        part: Part,
        is_extended: bool,
    },
    ShiftAdd {
        shift: u32,
        high: bool,
        sign_extends: bool,
        is_extended: bool,
    },
    Logic {
        table: u8,
        join: Join,
    },
    PredicateLogic {
        tables: [u8; 2],
    },
    Shift {
        left: bool,
        high: bool,
        wraps: bool,
        kind: Kind,
    },
    Compare {
        comparison: Comparison,
        kind: Kind,
        join: Join,
        is_extended: bool,
    },
    Select {
        is_float: bool,
    },
    SelectWide,
    Extreme {
        kind: Kind,
        adds: bool,
        relu: bool,
    },
    Extreme3 {
        kind: Kind,
        relu: bool,
    },
    /// The least or the greatest of two numbers, or of three, in each half of a word; with `adds`
    /// that of a sum and a number.
    ExtremeHalves {
        is_signed: bool,
        adds: bool,
        three: bool,
        relu: bool,
    },
    /// Without a pattern, a word chooses the bytes one by one; with one, a number of two bits.
    Permute(Option<Pattern>),
    Absolute,
    SignExtend {
        is_signed: bool,
        wraps: bool,
    },
    Mask {
        wraps: bool,
    },
    CountOnes,
    FindLeading {
        is_signed: bool,
        shifts: bool,
    },
    Reverse,
    PredicatesTo {
        mask: u32,
        byte: u32,
    },
    ToPredicates {
        mask: u32,
        byte: u32,
    },
    DotProduct {
        signed: [bool; 2],
        halves: Option<bool>,
    },
    // Floating point.
    Single {
        operation: Arithmetic,
        mode: Mode,
    },
    /// The same on both words of register pairs.
    Singles {
        operation: Arithmetic,
        mode: Mode,
    },
    Double {
        operation: Arithmetic,
        round: Rounding,
    },
    Pairs {
        operation: Arithmetic,
        mode: Mode,
        format: Format,
        relu: bool,
        single: bool,
    },
    CompareFloats {
        comparison: Comparison,
        format: Format,
        join: Join,
        flushes: bool,
    },
    ComparePairs {
        comparison: Comparison,
        format: Format,
        join: Join,
        flushes: bool,
    },
    ExtremeFloat {
        flushes: bool,
        keeps_nan: bool,
        three: bool,
    },
    ExtremePairs {
        format: Format,
        keeps_nan: bool,
        three: bool,
    },
    /// Whether the first of two numbers is the one to take as their least or greatest; and whether
    /// neither is a number.
    ChooseDouble {
        takes_least: bool,
    },
    /// A comparison whose result is 1.0 or 0.0.
    CompareToFloat {
        comparison: Comparison,
        join: Join,
        flushes: bool,
    },
    CheckDivision,
    Function(Function),
    FunctionUpper(Function),
    FromInteger {
        format: Format,
        bits: u32,
        is_signed: bool,
        round: Rounding,
        byte: u32,
    },
    ToInteger {
        format: Format,
        bits: u32,
        is_signed: bool,
        direction: Integral,
        flushes: bool,
    },
    /// Converts a word to an integer of fewer bits; the nearest one, if it does not fit.
    Clamp {
        bits: u32,
        is_signed: bool,
        from_signed: bool,
    },
    Convert {
        to: Format,
        from: Format,
        round: Rounding,
        flushes: bool,
        integral: Option<Integral>,
    },
    Pack {
        format: Format,
        round: Rounding,
        relu: bool,
    },
    /// Converts two numbers of 8 bits to two of 16.
    Unpack(Range),
    // Lanes.
    Shuffle(Shuffle),
    Vote(Vote),
    /// Chooses the first lane.
    Elect,
    Match {
        all: bool,
        wide: bool,
    },
    Reduce(Reduction),
    // Memory.
    Load {
        space: Space,
        place: Place64,
        bytes: usize,
        is_signed: bool,
    },
    Store {
        space: Space,
        place: Place64,
        bytes: usize,
    },
    Atomic {
        space: Space,
        place: Place64,
        bytes: usize,
        atomic: Atomic,
        number: Number,
        /// How many of these numbers follow each other, each changed for itself.
        num: usize,
    },
    CopyToShared {
        shared: Place64,
        global: Place64,
        bytes: usize,
        fills: bool,
    },
    LoadMatrix {
        place: Place64,
        num: usize,
        transposes: bool,
    },
    StoreMatrix {
        place: Place64,
        num: usize,
        transposes: bool,
    },
    // Matrices.
    MatrixMultiply(crate::matrix::Shape),
    MoveMatrix,
}

/// A step: an instruction, ready to run.
#[derive(Clone, Debug)]
pub struct Step {
    pub guard: Option<Predicate>,
    pub operation: Operation,
    pub target: Target,
    pub flags: [Flag; 2],
    pub sources: [Source; 4],
    pub conditions: [Predicate; 3],
}

/// An unknown instruction.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the emulator does not know `{text}`{}{why}", if *why == Unsupported::Opcode { "" } else { ": " })]
pub struct Unknown {
    /// The opcode with its modifiers.
    pub opcode: String,
    pub text: String,
    pub why: Unsupported,
}

const TRUE: Predicate = Predicate { is_uniform: false, number: None, is_negated: false };
const FALSE: Predicate = Predicate { is_negated: true, ..TRUE };
const ZERO: Source = Source {
    from: From::Zero,
    is_negated: false,
    is_inverted: false,
    is_absolute: false,
    halves: Halves::Both,
};

/// Modifiers that do not change the result: caches, scopes, hints.
const SILENT: &[&str] = &[
    "E",
    "STRONG",
    "WEAK",
    "GPU",
    "SYS",
    "CTA",
    "SM",
    "VC",
    "CONSTANT",
    "EF",
    "EL",
    "LU",
    "NA",
    "EN",
    "LTC64B",
    "LTC128B",
    "LTC256B",
    "PRIVATE",
    "MMIO",
    "BYPASS",
    "DEFER_BLOCKING",
    "RECONVERGENT",
    "RELIABLE",
    "REL",
    "NOINC",
    "NODEC",
    "ABS",
    "SPIN",
    "MMA",
    "LUT",
    "PACK_AB",
    "ACCESS",
    "NTZ",
    "IVALL",
    "ALL",
    "U",
    "SC",
    "INV",
];

/// Takes the operands and modifiers of an instruction in their order.
struct Reader<'a> {
    instruction: &'a Instruction,
    modifiers: Vec<&'a str>,
    /// The next operand.
    at: usize,
    step: Step,
    num_sources: usize,
    num_conditions: usize,
}

type Known<T> = Result<T, Unsupported>;

impl<'a> Reader<'a> {
    fn new(instruction: &'a Instruction) -> Self {
        let step = Step {
            guard: instruction.guard.filter(|guard| guard.number.is_some() || guard.is_negated),
            operation: Operation::Nothing,
            target: None,
            flags: [None; 2],
            sources: [ZERO; 4],
            conditions: [TRUE; 3],
        };
        let modifiers = instruction.modifiers().collect();
        Reader { instruction, modifiers, at: 0, step, num_sources: 0, num_conditions: 0 }
    }

    /// Takes a modifier if it is there.
    fn take(&mut self, modifier: &str) -> bool {
        let place = self.modifiers.iter().position(|own| *own == modifier);
        place.map(|place| self.modifiers.remove(place)).is_some()
    }

    /// Takes the first modifier for which `value` has a result.
    fn choose<T>(&mut self, value: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (place, value) =
            self.modifiers.iter().enumerate().find_map(|(at, own)| Some((at, value(own)?)))?;
        self.modifiers.remove(place);
        Some(value)
    }

    /// Takes the first modifier that a table names.
    fn pick<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        self.choose(|name| table.iter().find(|(own, _)| *own == name).map(|(_, value)| *value))
    }

    fn peek(&self) -> Option<&'a Operand> {
        self.instruction.operands.get(self.at)
    }

    fn next(&mut self) -> Known<&'a Operand> {
        let operand = self.peek().ok_or("an operand is missing")?;
        self.at += 1;
        Ok(operand)
    }

    fn register_target(&mut self) -> Known<()> {
        let register = self.next()?.register().ok_or("its target is not a register")?;
        self.step.target = register.number.map(|number| (register.file, number));
        Ok(())
    }

    /// Takes one predicate that is written.
    fn flag(&mut self, which: usize) -> Known<()> {
        let predicate = self.next()?.predicate().ok_or("its target is not a predicate")?;
        self.step.flags[which] = predicate.number.map(|number| (predicate.is_uniform, number));
        Ok(())
    }

    fn is_predicate_next(&self) -> bool {
        self.peek().is_some_and(|operand| operand.predicate().is_some())
    }

    /// Takes the predicates here; they are written.
    fn flags(&mut self) -> Known<()> {
        for which in 0..2 {
            if self.is_predicate_next() {
                self.flag(which)?;
            }
        }
        Ok(())
    }

    fn source(&mut self) -> Known<()> {
        let operand = self.next()?;
        let source = source(operand, self.instruction, false)?;
        self.push(source)
    }

    /// Takes a floating-point source; an immediate comes from the encoding.
    fn float(&mut self) -> Known<()> {
        let operand = self.next()?;
        let source = source(operand, self.instruction, true)?;
        self.push(source)
    }

    /// Takes a source of two floating-point numbers. `R5.F32` and an immediate are one number for both.
    fn float_pair(&mut self) -> Known<()> {
        let operand = self.next()?;
        let suffixes: Vec<&str> = operand.suffixes.iter().map(String::as_str).collect();
        let halves = match suffixes[..] {
            ["F32x2", "HI_LO"] => Halves::Both,
            ["F32x2", "LO_HI"] => Halves::Swapped,
            _ => {
                return self.push(Source { halves: Halves::Low, ..source(operand, self.instruction, true)? })
            }
        };
        let plain = Operand { suffixes: Vec::new(), ..operand.clone() };
        self.push(Source { halves, ..source(&plain, self.instruction, true)? })
    }

    fn push(&mut self, source: Source) -> Known<()> {
        let free = self.step.sources.get_mut(self.num_sources).ok_or("too many sources")?;
        (*free, self.num_sources) = (source, self.num_sources + 1);
        Ok(())
    }

    fn sources(&mut self, num: usize) -> Known<()> {
        (0..num).try_for_each(|_| self.source())
    }

    fn floats(&mut self, num: usize) -> Known<()> {
        (0..num).try_for_each(|_| self.float())
    }

    fn condition(&mut self) -> Known<()> {
        let predicate = self.next()?.predicate().ok_or("a condition is not a predicate")?;
        let free = self.step.conditions.get_mut(self.num_conditions).ok_or("too many conditions")?;
        (*free, self.num_conditions) = (predicate, self.num_conditions + 1);
        Ok(())
    }

    /// Takes the predicates here; they are read.
    fn conditions(&mut self) -> Known<()> {
        while self.is_predicate_next() {
            self.condition()?;
        }
        Ok(())
    }

    fn integer(&mut self) -> Known<i64> {
        match self.next()?.value {
            Value::Integer(number) => Ok(number),
            _ => Err("an operand is not a number".into()),
        }
    }

    fn barrier(&mut self) -> Known<u8> {
        match self.next()?.value {
            Value::Barrier(number) => Ok(number),
            _ => Err("an operand is not a convergence barrier".into()),
        }
    }

    fn memory(&mut self, is_wide: bool) -> Known<Place64> {
        match &self.next()?.value {
            Value::Memory(address) => Ok(Place64 { address: address.clone(), is_wide }),
            _ => Err("an operand is not a place in memory".into()),
        }
    }

    /// The bytes of an access, and whether it extends the sign.
    fn width(&mut self) -> (usize, bool) {
        let width = self.pick(&[
            ("U8", (1, false)),
            ("S8", (1, true)),
            ("U16", (2, false)),
            ("S16", (2, true)),
            ("64", (8, false)),
            ("128", (16, false)),
            ("256", (32, false)),
        ]);
        width.unwrap_or((4, false))
    }

    fn join(&mut self) -> Join {
        let join = self.pick(&[("AND", Join::And), ("OR", Join::Or), ("XOR", Join::Xor)]);
        join.unwrap_or(Join::And)
    }

    fn kind(&mut self) -> Kind {
        let kind =
            self.pick(&[("U32", Kind::U32), ("S32", Kind::S32), ("U64", Kind::U64), ("S64", Kind::S64)]);
        kind.unwrap_or(Kind::S32)
    }

    fn rounding(&mut self) -> Rounding {
        let round = self.pick(&[
            ("RN", Rounding::Nearest),
            ("RM", Rounding::Down),
            ("RP", Rounding::Up),
            ("RZ", Rounding::Zero),
        ]);
        round.unwrap_or_default()
    }

    fn mode(&mut self) -> Mode {
        Mode { round: self.rounding(), flushes: self.take("FTZ"), saturates: self.take("SAT"), scale: 0 }
    }

    fn integral(&mut self) -> Option<Integral> {
        self.pick(&[
            ("TRUNC", Integral::Zero),
            ("FLOOR", Integral::Down),
            ("CEIL", Integral::Up),
            ("ROUND", Integral::Nearest),
        ])
    }

    fn format(&mut self) -> Option<Format> {
        self.pick(&[
            ("F16", Format::Half),
            ("BF16", Format::Brain),
            ("F32", Format::Single),
            ("F64", Format::Double),
        ])
    }

    /// The format of an instruction on pairs of 16 bits.
    fn pairs(&mut self) -> Format {
        if self.take("BF16_V2") || self.take("BF16") {
            Format::Brain
        } else {
            Format::Half
        }
    }

    /// Bits and sign of an integer in a conversion.
    fn integer_type(&mut self) -> Option<(u32, bool)> {
        self.pick(&[
            ("U8", (8, false)),
            ("S8", (8, true)),
            ("U16", (16, false)),
            ("S16", (16, true)),
            ("U32", (32, false)),
            ("S32", (32, true)),
            ("U64", (64, false)),
            ("S64", (64, true)),
        ])
    }

    fn finish(self) -> Known<Step> {
        if let Some(left) = self.modifiers.iter().find(|left| !SILENT.contains(left)) {
            return Err(format!("the modifier .{left}").into());
        }
        if self.at < self.instruction.operands.len() {
            return Err(format!("its operand {}", self.at + 1).into());
        }
        Ok(self.step)
    }
}

fn register_source(register: Register) -> From {
    match (register.file, register.number) {
        (_, None) => From::Zero,
        (Registers::Lane, Some(number)) => From::Lane(number),
        (Registers::Uniform, Some(number)) => From::Uniform(number),
    }
}

fn source(operand: &Operand, instruction: &Instruction, is_float: bool) -> Known<Source> {
    let from = match &operand.value {
        Value::Register(register) => register_source(*register),
        Value::Integer(_) | Value::Float(_) if is_float => From::Word(instruction.immediate),
        Value::Integer(number) => {
            let is_wide = instruction.modifiers().any(|own| matches!(own, "64" | "S64" | "U64"));
            match i32::try_from(*number) {
                Err(_) if is_wide => From::Wide(*number as u64),
                _ => From::Word(*number as u32),
            }
        }
        Value::Float(_) => From::Word(instruction.immediate),
        Value::Constant(bank, address) if address.terms.is_empty() => {
            From::Constant(*bank, address.offset as u32)
        }
        _ => return Err("an operand of this kind".into()),
    };
    let mut halves = Halves::Both;
    for suffix in &operand.suffixes {
        match suffix.as_str() {
            "H0_H0" | "H0" => halves = Halves::Low,
            "H1_H1" | "H1" => halves = Halves::High,
            "H1_H0" | "64" | "U32" | "F32" | "ROW" | "COL" => {}
            // One byte of a word: conversions read it themselves.
            "B0" | "B1" | "B2" | "B3" => {}
            _ => return Err(format!("the suffix .{suffix}").into()),
        }
    }
    let Operand { is_negated, is_inverted, is_absolute, .. } = *operand;
    Ok(Source { from, is_negated, is_inverted, is_absolute, halves })
}

/// The number of the first byte of the part of a word that an operand names: `.B3`, or `.H1`, which
/// is its upper half.
fn byte_of(operand: Option<&Operand>) -> u32 {
    let named = |name: &str| operand.is_some_and(|operand| operand.has(name));
    [("B1", 1), ("B2", 2), ("B3", 3), ("H1", 2)]
        .into_iter()
        .find(|(name, _)| named(name))
        .map_or(0, |(_, byte)| byte)
}

/// Instructions of the uniform path that do the same as an instruction of lanes, by the name
/// without `U`.
const UNIFORM: &[&str] = &[
    "MOV",
    "IADD3",
    "IADD",
    "LEA",
    "LOP3",
    "SHF",
    "ISETP",
    "SEL",
    "PRMT",
    "IMAD",
    "SGXT",
    "FLO",
    "POPC",
    "PLOP3",
    "BREV",
    "FADD",
    "FMUL",
    "FFMA",
    "FSETP",
    "FSEL",
    "I2F",
    "F2I",
    "IMNMX",
    "VIMNMX",
    "BMSK",
    "IABS",
    "FMNMX",
    "I2FP",
    "VIADD",
    "FRND",
    "F2F",
    "LDC",
    "VIADDMNMX",
    "VIMNMX3",
    "F2FP",
    "HADD2",
    "HMUL2",
    "HFMA2",
];

/// Decodes the code of a kernel. An unknown instruction stays in its place as such.
pub fn decode(code: &[Instruction], functions: &BTreeMap<String, u64>) -> Vec<Result<Step, Unknown>> {
    code.iter()
        .map(|instruction| {
            step(instruction, functions).map_err(|why| Unknown {
                opcode: instruction.opcode.clone(),
                text: instruction.text.clone(),
                why,
            })
        })
        .collect()
}

/// Instructions that run asynchronously, beside the warp: products of warp groups, tensor and bulk
/// copies, barriers in shared memory, and those of Blackwell's tensor memory. Their values are not
/// known here.
const ASYNCHRONOUS: &[&str] = &[
    "HGMMA",
    "IGMMA",
    "QGMMA",
    "BGMMA",
    "UTMALDG",
    "UTMASTG",
    "UTMAREDG",
    "UTMAPF",
    "UTMACCTL",
    "UTMACMDFLUSH",
    "UBLKCP",
    "UBLKRED",
    "UBLKPF",
    "SYNCS",
    "UTCHMMA",
    "UTCQMMA",
    "UTCIMMA",
    "UTCOMMA",
    "UTCBAR",
    "UTCCP",
    "UTCSHIFT",
    "UTCATOMSWS",
    "LDTM",
    "STTM",
    "LDT",
    "STT",
];

/// The same as [`decode`] for a run whose values do not matter. Asynchronous instructions become
/// steps that only set their predicate to true, so that code that waits for them goes on. Returns
/// the opcodes of these instructions too.
pub fn decode_assuming(
    code: &[Instruction],
    functions: &BTreeMap<String, u64>,
) -> (Vec<Result<Step, Unknown>>, Vec<String>) {
    let mut assumed = Vec::new();
    let mut steps = decode(code, functions);
    for (step, instruction) in steps.iter_mut().zip(code) {
        if step.is_ok() || !ASYNCHRONOUS.contains(&instruction.base()) {
            continue;
        }
        let mut reader = Reader::new(instruction);
        reader.step.operation = Operation::Assume(asynchronous(instruction));
        let first = instruction.operands.first().and_then(Operand::predicate);
        reader.step.flags[0] = first.and_then(|predicate| Some((predicate.is_uniform, predicate.number?)));
        assumed.push(instruction.opcode.clone());
        *step = Ok(reader.step);
    }
    (steps, assumed)
}

fn asynchronous(instruction: &Instruction) -> Asynchronous {
    // The uniform register that begins an operand's address.
    let uniform = |at: usize| match instruction.operands.get(at).map(|operand| &operand.value) {
        Some(Value::Memory(address)) => address.terms.first().and_then(|term| term.register.number),
        Some(Value::Register(register)) => register.number,
        _ => None,
    };
    let barrier = |at: usize| match instruction.operands.get(at).map(|operand| &operand.value) {
        Some(Value::Memory(address)) => Some(Place64 { address: address.clone(), is_wide: false }),
        _ => None,
    };
    let found = match instruction.base() {
        "UTMALDG" => uniform(0).map(Asynchronous::Tensor),
        // From global to shared memory.
        "UBLKCP" if instruction.opcode.starts_with("UBLKCP.S.G") => {
            (|| Some(Asynchronous::Bytes(uniform(0)?, uniform(1)?, uniform(2)?)))()
        }
        "SYNCS" if instruction.has("PHASECHK") => barrier(1).map(Asynchronous::Wait),
        "SYNCS" if instruction.has("ARRIVE") => (|| {
            let bytes = source(instruction.operands.get(2)?, instruction, false).ok()?;
            Some(Asynchronous::Expect(barrier(1)?, bytes))
        })(),
        _ => None,
    };
    found.unwrap_or(Asynchronous::Other)
}

fn place(address: i64) -> Known<Place> {
    let is_right = address >= 0 && address as u64 % SIZE == 0;
    is_right
        .then_some((address as u64 / SIZE) as Place)
        .ok_or_else(|| format!("the target {address:#x}").into())
}

fn step(instruction: &Instruction, functions: &BTreeMap<String, u64>) -> Known<Step> {
    let mut r = Reader::new(instruction);
    let base = instruction.base();
    let lanes = base.strip_prefix('U').filter(|name| UNIFORM.contains(name)).unwrap_or(base);
    let lanes = if base == "LDCU" || base == "ULDC" { "LDC" } else { lanes };
    r.step.operation = match lanes {
        "NOP" | "YIELD" | "ERRBAR" | "CGAERRBAR" | "CCTL" | "MEMBAR" | "FENCE" | "LDGDEPBAR"
        | "NANOSLEEP" | "PREEXIT" | "DEPBAR" | "ACQBULK" | "UCGABAR_ARV" | "UCGABAR_WAIT" | "WARPGROUP"
        | "BPTI" | "ENDCOLLECTIVE" => {
            r.at = instruction.operands.len();
            r.modifiers.clear();
            Operation::Nothing
        }
        "BRA" | "BRX" | "JMP" | "BRXU" | "CALL" | "RET" | "EXIT" | "KILL" | "BPT" | "BSSY" | "BSYNC"
        | "BREAK" | "WARPSYNC" | "BMOV" | "BAR" | "B2R" => control(&mut r, lanes, functions)?,
        "LDG" | "LD" | "LDS" | "LDL" | "STG" | "ST" | "STS" | "STL" | "ATOMG" | "ATOM" | "ATOMS" | "RED"
        | "REDG" | "LDGSTS" | "LDSM" | "STSM" => memory(&mut r, lanes)?,
        "SHFL" | "VOTE" | "VOTEU" | "ELECT" | "MATCH" | "REDUX" | "CREDUX" => across(&mut r, lanes)?,
        "HMMA" | "IMMA" | "DMMA" | "BMMA" | "MOVM" => matrix(&mut r, lanes)?,
        _ => match integer(&mut r, lanes)? {
            Some(operation) => operation,
            None => float(&mut r, lanes)?.ok_or(Unsupported::Opcode)?,
        },
    };
    r.finish()
}

fn control(r: &mut Reader, base: &str, functions: &BTreeMap<String, u64>) -> Known<Operation> {
    Ok(match base {
        "BRA" | "JMP" if r.take("DIV") || r.instruction.has("CONV") => {
            let divergent = !r.take("CONV");
            r.source()?;
            Operation::BranchIf { divergent, to: place(r.integer()?)? }
        }
        "BRA" if r.take("ANY") => Operation::BranchAny { to: place(r.integer()?)? },
        // ptxas repeats the test after it, for the lanes that would have branched.
        "BRA" if r.take("U") => {
            r.conditions()?;
            Operation::BranchAll { to: place(r.integer()?)? }
        }
        "BRA" | "JMP" => {
            r.conditions()?;
            Operation::Branch { to: place(r.integer()?)? }
        }
        "BRX" | "BRXU" => {
            r.conditions()?;
            r.source()?;
            let base = r.instruction.address as i64 + SIZE as i64 + r.integer()?;
            Operation::BranchIndirect { base: base as u64 }
        }
        "CALL" => {
            let to = match &r.next()?.value {
                Value::Integer(address) => *address,
                Value::Name(name) => {
                    *functions.get(name).ok_or_else(|| format!("the function {name}"))? as i64
                }
                _ => return Err("a call through a register".into()),
            };
            Operation::Call { to: place(to)? }
        }
        "RET" => {
            r.source()?;
            // The function's own name: addresses count from the start of its section.
            let base = match &r.next()?.value {
                Value::Name(name) => functions.get(name).copied().unwrap_or(0),
                Value::Integer(address) => *address as u64,
                _ => return Err("its base".into()),
            };
            Operation::Return { base }
        }
        "EXIT" => {
            r.conditions()?;
            Operation::Exit
        }
        "KILL" => Operation::Exit,
        "BPT" => {
            r.at = r.instruction.operands.len();
            r.modifiers.clear();
            Operation::Trap
        }
        _ => return meeting(r, base),
    })
}

/// Convergence barriers, and barriers of the block.
fn meeting(r: &mut Reader, base: &str) -> Known<Operation> {
    Ok(match base {
        "BSSY" => {
            r.conditions()?;
            let barrier = r.barrier()?;
            r.integer()?;
            Operation::Enter { barrier }
        }
        "BSYNC" | "BREAK" => {
            r.conditions()?;
            let barrier = r.barrier()?;
            r.conditions()?;
            if base == "BSYNC" {
                Operation::Meet { barrier }
            } else {
                Operation::Leave { barrier }
            }
        }
        "WARPSYNC" => {
            // The named lanes that have not left go on together. They stay together up to
            // `ENDCOLLECTIVE`, as groups part at jumps only; the last operand is the place after
            // that.
            let is_collective = r.take("COLLECTIVE");
            let names_all = r.take("ALL") || r.peek().is_none();
            if names_all {
                r.push(Source { from: From::Word(u32::MAX), ..ZERO })?;
            } else {
                r.source()?;
            }
            if is_collective {
                r.next()?;
            }
            Operation::MeetLanes
        }
        "BMOV" => {
            let clears = r.take("CLEAR");
            r.take("32");
            if let Some(Value::Barrier(barrier)) = r.peek().map(|operand| operand.value.clone()) {
                r.at += 1;
                r.source()?;
                Operation::RestoreBarrier { barrier }
            } else {
                r.register_target()?;
                Operation::SaveBarrier { barrier: r.barrier()?, clears }
            }
        }
        "BAR" => barrier(r)?,
        "B2R" => {
            if !r.take("RESULT") {
                return Err("a barrier's state".into());
            }
            r.register_target()?;
            r.flags()?;
            Operation::BarrierResult
        }
        _ => unreachable!("control takes the opcodes that step gives it"),
    })
}

/// A barrier of the block.
fn barrier(r: &mut Reader) -> Known<Operation> {
    let reduces = if r.take("RED") {
        let vote = r.pick(&[("AND", Vote::All), ("OR", Vote::Any), ("POPC", Vote::Equal)]);
        Some(vote.ok_or("its reduction")?)
    } else {
        None
    };
    let waits = !r.take("ARV");
    r.take("SYNC");
    r.source()?;
    let counts = !r.is_predicate_next() && r.peek().is_some();
    if counts {
        r.source()?;
    }
    r.conditions()?;
    Ok(Operation::Barrier { waits, reduces, counts })
}

fn special(name: &str) -> Known<Special> {
    use std::cmp::Ordering;
    Ok(match name {
        "SRZ" => Special::Zero,
        "SR_TID.X" => Special::Thread(0),
        "SR_TID.Y" => Special::Thread(1),
        "SR_TID.Z" => Special::Thread(2),
        "SR_CTAID.X" => Special::Block(0),
        "SR_CTAID.Y" => Special::Block(1),
        "SR_CTAID.Z" => Special::Block(2),
        "SR_LANEID" => Special::Lane,
        "SR_EQMASK" => Special::Lanes(Ordering::Equal, false),
        "SR_LTMASK" => Special::Lanes(Ordering::Less, false),
        "SR_LEMASK" => Special::Lanes(Ordering::Less, true),
        "SR_GTMASK" => Special::Lanes(Ordering::Greater, false),
        "SR_GEMASK" => Special::Lanes(Ordering::Greater, true),
        "SR_SWINHI" => Special::SharedWindow,
        "SR_CgaCtaId" => Special::ClusterBlock,
        "SR_CLOCKLO" | "SR_CLOCKHI" | "SR_GLOBALTIMERLO" | "SR_GLOBALTIMERHI" | "SR_CLOCK" => Special::Clock,
        "SR_WARPID" => Special::Warp,
        "SR_VIRTUALSMID" | "SR_SMID" => Special::Multiprocessor,
        _ => return Err(format!("the special register {name}").into()),
    })
}

type Group = fn(&mut Reader, &str) -> Known<Option<Operation>>;

/// The operation by the group that has the opcode, if one has.
fn first_of(groups: &[Group], r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    for group in groups {
        if let Some(operation) = group(r, base)? {
            return Ok(Some(operation));
        }
    }
    Ok(None)
}

fn integer(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    first_of(&[moves, chosen, sums, products, comparisons, bits], r, base)
}

/// Moves, special registers, constants.
fn moves(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "MOV" => {
            let is_wide = r.take("64");
            r.register_target()?;
            r.source()?;
            if r.peek().is_some() {
                // The byte mask must be that of all bytes.
                if r.integer()? != 0xf {
                    return Err("a mask of bytes".into());
                }
            }
            if is_wide {
                Operation::MoveWide
            } else {
                Operation::Move
            }
        }
        "R2UR" => {
            r.register_target()?;
            r.flags()?;
            r.take("OR");
            r.take("FILL");
            r.source()?;
            Operation::ToUniform
        }
        "S2R" | "S2UR" | "CS2R" => {
            let is_wide = base == "CS2R" && !r.take("32");
            r.register_target()?;
            let Value::Name(name) = &r.next()?.value else { return Err("its source".into()) };
            let special = special(name)?;
            if is_wide {
                Operation::SpecialWide(special)
            } else {
                Operation::Special(special)
            }
        }
        "LDC" => {
            let (bytes, is_signed) = r.width();
            r.register_target()?;
            let Value::Constant(bank, address) = &r.next()?.value else {
                return Err("a constant without a bank".into());
            };
            Operation::Constant { bank: *bank, address: address.clone(), bytes, is_signed }
        }
        _ => return Ok(None),
    }))
}

/// Selections, permutations, predicates in registers.
fn chosen(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "SEL" => {
            let is_wide = r.take("64");
            r.register_target()?;
            r.sources(2)?;
            r.condition()?;
            if is_wide {
                Operation::SelectWide
            } else {
                Operation::Select { is_float: false }
            }
        }
        "PRMT" => {
            r.register_target()?;
            let pattern = r.pick(&[
                ("F4E", Pattern::Forward),
                ("B4E", Pattern::Backward),
                ("RC8", Pattern::Same),
                ("ECL", Pattern::AtLeast),
                ("ECR", Pattern::AtMost),
                ("RC16", Pattern::Half),
            ]);
            r.sources(3)?;
            Operation::Permute(pattern)
        }
        "P2R" | "R2P" => {
            let byte = r.choose(|name| name.strip_prefix('B')?.parse().ok()).unwrap_or(0);
            if base == "P2R" {
                r.register_target()?;
            }
            if r.peek().is_some_and(|operand| operand.value == Value::Name("PR".to_owned())) {
                r.at += 1;
            }
            r.source()?;
            let mask = r.integer()? as u32;
            if base == "P2R" {
                Operation::PredicatesTo { mask, byte }
            } else {
                Operation::ToPredicates { mask, byte }
            }
        }
        _ => return Ok(None),
    }))
}

/// Sums.
fn sums(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "IADD3" | "VIADD" | "IADD" => {
            let is_wide = r.take("64");
            let is_extended = r.take("X");
            let has_halves = base == "VIADD" && r.take("16x2");
            r.register_target()?;
            r.flags()?;
            let num = if base == "IADD3" { 3 } else { 2 };
            r.sources(num)?;
            if is_extended {
                r.conditions()?;
                // A carry that is not there is 0; `PT` is one that is always 1.
                r.step.conditions[r.num_conditions..].fill(FALSE);
            }
            if has_halves {
                if r.step.sources.iter().any(|source| source.is_negated) {
                    return Err("a negated pair of halves".into());
                }
                Operation::AddHalves
            } else if is_wide {
                Operation::AddWide { is_extended }
            } else {
                Operation::Add { is_extended, num }
            }
        }
        "LEA" => {
            let (high, sign_extends, is_extended) = (r.take("HI"), r.take("SX32"), r.take("X"));
            r.register_target()?;
            r.flags()?;
            r.sources(2)?;
            if high && r.step.sources[0].is_negated {
                return Err("the upper word of a negated pair".into());
            }
            // Whether it adds one besides the carry was never seen.
            if is_extended && r.step.sources[0].is_negated {
                return Err("a negated number with a carry".into());
            }
            if high && !sign_extends {
                r.source()?;
            }
            let shift = r.integer()? as u32;
            r.conditions()?;
            Operation::ShiftAdd { shift, high, sign_extends, is_extended }
        }
        "IABS" => {
            r.register_target()?;
            r.source()?;
            Operation::Absolute
        }
        _ => return Ok(None),
    }))
}

/// Products.
fn products(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "IMAD" => {
            let is_extended = r.take("X");
            // These hints say why ptxas chose a multiplication.
            for hint in ["MOV", "SHL", "IADD", "SHR"] {
                r.take(hint);
            }
            let is_signed = !r.take("U32");
            let part = if r.take("WIDE") {
                Part::Wide { is_signed }
            } else if r.take("HI") {
                Part::High { is_signed }
            } else {
                Part::Low
            };
            r.register_target()?;
            r.flags()?;
            r.sources(3)?;
            r.conditions()?;
            Operation::Multiply { part, is_extended }
        }
        "IDP" => {
            let halves = if r.take("2A") {
                let high = r.take("HI");
                r.take("LO");
                Some(high)
            } else {
                r.take("4A");
                None
            };
            let mut sign = || r.pick(&[("S8", true), ("S16", true), ("U8", false), ("U16", false)]);
            let signed = [sign().ok_or("its types")?, sign().ok_or("its types")?];
            r.register_target()?;
            r.sources(3)?;
            Operation::DotProduct { signed, halves }
        }
        _ => return Ok(None),
    }))
}

/// Comparisons, minima and maxima.
fn comparisons(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "ISETP" => {
            let kind = r.kind();
            let is_extended = r.take("EX");
            let join = r.join();
            let comparison = r.choose(Comparison::read).ok_or("its comparison")?;
            r.flags()?;
            r.sources(2)?;
            r.conditions()?;
            Operation::Compare { comparison, kind, join, is_extended }
        }
        "IMNMX" | "VIMNMX" | "VIADDMNMX" => {
            let halves = r.pick(&[("S16x2", true), ("U16x2", false)]);
            let (kind, relu) = (r.kind(), r.take("RELU"));
            r.flags()?;
            r.register_target()?;
            r.flags()?;
            if r.step.flags != [None; 2] {
                return Err("a predicate as its result".into());
            }
            let adds = base == "VIADDMNMX";
            r.sources(if adds { 3 } else { 2 })?;
            r.condition()?;
            if kind.is_wide() {
                let is_false = |own: Predicate| own.number.is_none() && own.is_negated;
                if !r.next()?.predicate().is_some_and(is_false) {
                    return Err("a predicate as its second condition".into());
                }
            }
            extreme(r, kind, halves, adds, false, relu)?
        }
        "VIMNMX3" => {
            let halves = r.pick(&[("S16x2", true), ("U16x2", false)]);
            let (kind, relu) = (r.kind(), r.take("RELU"));
            r.register_target()?;
            r.sources(3)?;
            // One for both: three of the same kind.
            r.condition()?;
            extreme(r, kind, halves, false, true, relu)?
        }
        _ => return Ok(None),
    }))
}

/// The least or the greatest of integers; `halves` says whether each half of a word is a number of
/// its own, with a sign or without. `relu`: a negative result becomes 0.
fn extreme(
    r: &Reader,
    kind: Kind,
    halves: Option<bool>,
    adds: bool,
    three: bool,
    relu: bool,
) -> Known<Operation> {
    if relu && !halves.unwrap_or(kind == Kind::S32) {
        return Err("the modifier .RELU of other numbers than those of 32 or 16 bits with a sign".into());
    }
    Ok(match halves {
        Some(_) if r.step.sources.iter().any(|source| source.is_negated) => {
            return Err("a negated pair of halves".into());
        }
        Some(is_signed) => Operation::ExtremeHalves { is_signed, adds, three, relu },
        None if three => Operation::Extreme3 { kind, relu },
        None => Operation::Extreme { kind, adds, relu },
    })
}

/// Instructions on single bits.
fn bits(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "LOP3" => {
            let join = if r.take("PAND") { Join::And } else { Join::Or };
            if r.is_predicate_next() {
                r.flag(0)?;
            }
            r.register_target()?;
            r.sources(3)?;
            let table = r.integer()? as u8;
            r.conditions()?;
            Operation::Logic { table, join }
        }
        "PLOP3" => {
            r.flags()?;
            for _ in 0..3 {
                r.condition()?;
            }
            Operation::PredicateLogic { tables: [r.integer()? as u8, r.integer()? as u8] }
        }
        "SHF" => {
            let left = r.take("L");
            if !left && !r.take("R") {
                return Err("its direction".into());
            }
            let (wraps, high, kind) = (r.take("W"), r.take("HI"), r.kind());
            r.register_target()?;
            r.sources(3)?;
            Operation::Shift { left, high, wraps, kind }
        }
        "SGXT" => {
            let (is_signed, wraps) = (!r.take("U32"), r.take("W"));
            r.register_target()?;
            r.sources(2)?;
            Operation::SignExtend { is_signed, wraps }
        }
        "BMSK" => {
            let wraps = r.take("W");
            r.register_target()?;
            r.sources(2)?;
            Operation::Mask { wraps }
        }
        "POPC" => {
            r.register_target()?;
            r.source()?;
            Operation::CountOnes
        }
        "FLO" => {
            let (is_signed, shifts) = (!r.take("U32"), r.take("SH"));
            r.register_target()?;
            r.flags()?;
            r.source()?;
            Operation::FindLeading { is_signed, shifts }
        }
        "BREV" => {
            r.register_target()?;
            r.source()?;
            Operation::Reverse
        }
        _ => return Ok(None),
    }))
}

fn float(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    first_of(&[float_arithmetic, float_functions, float_comparisons, conversions], r, base)
}

/// Sums and products.
fn float_arithmetic(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "FADD" | "FMUL" | "FFMA" => {
            let scale = if base == "FMUL" {
                r.pick(&[("M2", 1), ("M4", 2), ("M8", 3), ("D2", -1), ("D4", -2), ("D8", -3)])
            } else {
                None
            };
            let mode = Mode { scale: scale.unwrap_or(0), ..r.mode() };
            r.register_target()?;
            let (operation, num) = arithmetic(base);
            r.floats(num)?;
            Operation::Single { operation, mode }
        }
        "FADD2" | "FMUL2" | "FFMA2" => {
            let mode = r.mode();
            r.register_target()?;
            let (operation, num) = arithmetic(base);
            (0..num).try_for_each(|_| r.float_pair())?;
            Operation::Singles { operation, mode }
        }
        "DADD" | "DMUL" | "DFMA" => {
            let round = r.rounding();
            r.register_target()?;
            let (operation, num) = arithmetic(base);
            r.floats(num)?;
            Operation::Double { operation, round }
        }
        "HADD2" | "HMUL2" | "HFMA2" => {
            let format = r.pairs();
            let single = r.take("F32");
            let relu = r.take("RELU");
            let mode = r.mode();
            r.register_target()?;
            let (operation, num) = arithmetic(base);
            for _ in 0..num {
                r.float()?;
                // An immediate is two numbers, one for each half.
                let is_immediate = matches!(r.step.sources[r.num_sources - 1].from, From::Word(_));
                if is_immediate && r.peek().is_some_and(is_number) {
                    r.at += 1;
                }
            }
            Operation::Pairs { operation, mode, format, relu, single }
        }
        _ => return Ok(None),
    }))
}

/// The functions of the MUFU unit, and the check of a division by one of them.
fn float_functions(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "FCHK" => {
            r.take("DIVIDE");
            r.flag(0)?;
            r.floats(2)?;
            Operation::CheckDivision
        }
        "MUFU" => {
            let upper = r.choose(|name| match name {
                "RCP64H" => Some(Function::Reciprocal),
                "RSQ64H" => Some(Function::ReciprocalRoot),
                _ => None,
            });
            let operation = match upper {
                Some(function) => Operation::FunctionUpper(function),
                None => Operation::Function(r.choose(Function::read).ok_or("its function")?),
            };
            r.register_target()?;
            r.float()?;
            operation
        }
        _ => return Ok(None),
    }))
}

/// Comparisons, selections, minima and maxima.
fn float_comparisons(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "DSETP" if r.instruction.has("MAX") || r.instruction.has("MIN") => {
            let takes_least = r.take("MIN");
            r.take("MAX");
            r.take("AND");
            r.flags()?;
            r.floats(2)?;
            r.condition()?;
            if r.step.conditions[0] != TRUE {
                return Err("a condition of a choice".into());
            }
            Operation::ChooseDouble { takes_least }
        }
        "FSET" => {
            if !r.take("BF") {
                return Err("a mask as its result".into());
            }
            let (flushes, join) = (r.take("FTZ"), r.join());
            let comparison = r.choose(Comparison::read).ok_or("its comparison")?;
            r.register_target()?;
            r.floats(2)?;
            r.condition()?;
            Operation::CompareToFloat { comparison, join, flushes }
        }
        "FSETP" | "DSETP" | "HSETP2" => {
            let format = match base {
                "FSETP" => Format::Single,
                "DSETP" => Format::Double,
                _ => r.pairs(),
            };
            let flushes = r.take("FTZ");
            let join = r.join();
            let comparison = r.choose(Comparison::read).ok_or("its comparison")?;
            r.flags()?;
            r.float()?;
            r.float()?;
            if r.peek().is_some_and(is_number) {
                r.at += 1;
            }
            r.conditions()?;
            if base == "HSETP2" {
                Operation::ComparePairs { comparison, format, join, flushes }
            } else {
                Operation::CompareFloats { comparison, format, join, flushes }
            }
        }
        "FSEL" => {
            r.register_target()?;
            r.floats(2)?;
            r.condition()?;
            Operation::Select { is_float: true }
        }
        "FMNMX" | "FMNMX3" => {
            let (flushes, keeps_nan) = (r.take("FTZ"), r.take("NAN"));
            r.register_target()?;
            let three = base == "FMNMX3";
            r.floats(if three { 3 } else { 2 })?;
            r.condition()?;
            Operation::ExtremeFloat { flushes, keeps_nan, three }
        }
        "HMNMX2" | "VHMNMX" => {
            let (format, keeps_nan) = (r.pairs(), r.take("NAN"));
            r.register_target()?;
            let three = base == "VHMNMX";
            r.floats(if three { 3 } else { 2 })?;
            // One for both: three of the same kind.
            r.condition()?;
            Operation::ExtremePairs { format, keeps_nan, three }
        }
        _ => return Ok(None),
    }))
}

/// Conversions between formats, and from and to integers.
fn conversions(r: &mut Reader, base: &str) -> Known<Option<Operation>> {
    Ok(Some(match base {
        "I2F" | "I2FP" => {
            let round = r.rounding();
            let format = r.format().unwrap_or(Format::Single);
            let (bits, is_signed) = r.integer_type().unwrap_or((32, true));
            r.register_target()?;
            let byte = byte_of(r.peek());
            r.source()?;
            Operation::FromInteger { format, bits, is_signed, round, byte }
        }
        "F2I" | "F2IP" => {
            if base == "F2IP" {
                return Err("packed integers".into());
            }
            let flushes = r.take("FTZ");
            let direction = r.integral().unwrap_or(Integral::Nearest);
            let format = r.format().unwrap_or(Format::Single);
            let (bits, is_signed) = r.integer_type().unwrap_or((32, true));
            r.register_target()?;
            r.float()?;
            Operation::ToInteger { format, bits, is_signed, direction, flushes }
        }
        "I2I" => {
            let (to, from) = (r.integer_type(), r.integer_type());
            let (Some((bits @ (8 | 16), is_signed)), Some((32, from_signed))) = (to, from) else {
                return Err("its types".into());
            };
            if !r.take("SAT") {
                return Err("a conversion that does not saturate".into());
            }
            r.register_target()?;
            r.source()?;
            Operation::Clamp { bits, is_signed, from_signed }
        }
        "F2F" | "FRND" => {
            let (round, flushes) = (r.rounding(), r.take("FTZ"));
            let integral = r.integral();
            let first = r.format().unwrap_or(Format::Single);
            let (to, from) =
                if base == "FRND" { (first, first) } else { (first, r.format().unwrap_or(Format::Single)) };
            let integral =
                if base == "FRND" { Some(integral.unwrap_or(Integral::Nearest)) } else { integral };
            r.register_target()?;
            r.float()?;
            Operation::Convert { to, from, round, flushes, integral }
        }
        "F2FP" if r.take("UNPACK_B") => {
            let Some(range) = r.pick(&[("E5M2", Range::Wide), ("E4M3", Range::Narrow)]) else {
                return Err("a format of 8 bits".into());
            };
            if r.format() != Some(Format::Half) {
                return Err("the format of its result".into());
            }
            r.register_target()?;
            r.source()?;
            Operation::Unpack(range)
        }
        "F2FP" => {
            let (round, relu) = (r.rounding(), r.take("RELU"));
            let format = r.format().unwrap_or(Format::Half);
            if r.instruction.has("MERGE_C") {
                return Err("the modifier .MERGE_C".into());
            }
            r.take("F32");
            r.register_target()?;
            r.floats(2)?;
            Operation::Pack { format, round, relu }
        }
        _ => return Ok(None),
    }))
}

fn is_number(operand: &Operand) -> bool {
    matches!(operand.value, Value::Integer(_) | Value::Float(_))
}

fn arithmetic(base: &str) -> (Arithmetic, usize) {
    if base.contains("ADD") {
        (Arithmetic::Add, 2)
    } else if base.contains("MUL") {
        (Arithmetic::Multiply, 2)
    } else {
        (Arithmetic::MultiplyAdd, 3)
    }
}

fn across(r: &mut Reader, base: &str) -> Known<Operation> {
    Ok(match base {
        "SHFL" => {
            let shuffle = r.pick(&[
                ("IDX", Shuffle::Index),
                ("UP", Shuffle::Up),
                ("DOWN", Shuffle::Down),
                ("BFLY", Shuffle::Butterfly),
            ]);
            r.flag(0)?;
            r.register_target()?;
            r.sources(3)?;
            Operation::Shuffle(shuffle.ok_or("its mode")?)
        }
        "VOTE" | "VOTEU" => {
            let vote = r.pick(&[("ANY", Vote::Any), ("ALL", Vote::All), ("EQ", Vote::Equal)]);
            if !r.is_predicate_next() {
                r.register_target()?;
            }
            r.flag(0)?;
            r.condition()?;
            Operation::Vote(vote.ok_or("its question")?)
        }
        "ELECT" => {
            r.flag(0)?;
            r.register_target()?;
            r.condition()?;
            Operation::Elect
        }
        "MATCH" => {
            let (all, wide) = (r.instruction.has("ALL"), r.take("U64"));
            r.take("ANY");
            if r.is_predicate_next() {
                r.flag(0)?;
            }
            r.register_target()?;
            r.source()?;
            Operation::Match { all, wide }
        }
        _ => {
            let is_signed = r.take("S32");
            let reduction = r.pick(&[
                ("AND", Reduction::And),
                ("OR", Reduction::Or),
                ("XOR", Reduction::Xor),
                ("SUM", Reduction::Sum),
                ("MIN", Reduction::Minimum { is_signed }),
                ("MAX", Reduction::Maximum { is_signed }),
            ]);
            r.register_target()?;
            r.source()?;
            Operation::Reduce(reduction.unwrap_or(Reduction::And))
        }
    })
}

/// Whether addresses of a space have 64 bits.
fn is_wide(space: Space) -> bool {
    matches!(space, Space::Generic | Space::Global)
}

fn memory(r: &mut Reader, base: &str) -> Known<Operation> {
    let space = match base {
        "LDS" | "STS" | "ATOMS" | "LDSM" | "STSM" => Space::Shared,
        "LDL" | "STL" => Space::Local,
        "LD" | "ST" | "ATOM" => Space::Generic,
        _ => Space::Global,
    };
    let is_wide = is_wide(space);
    Ok(match base {
        "LDG" | "LD" | "LDS" | "LDL" => {
            let (bytes, is_signed) = r.width();
            if r.is_predicate_next() {
                r.flag(0)?;
                if r.step.flags[0].is_some() {
                    return Err("a predicate as its result".into());
                }
            }
            r.register_target()?;
            let place = r.memory(is_wide)?;
            r.conditions()?;
            Operation::Load { space, place, bytes, is_signed }
        }
        "STG" | "ST" | "STS" | "STL" => {
            let (bytes, _) = r.width();
            let place = r.memory(is_wide)?;
            r.source()?;
            Operation::Store { space, place, bytes }
        }
        "LDGSTS" => copy_to_shared(r)?,
        "LDSM" | "STSM" => matrix_access(r, base)?,
        _ => atomic_access(r, base, space)?,
    })
}

fn copy_to_shared(r: &mut Reader) -> Known<Operation> {
    let (bytes, _) = r.width();
    let fills = r.take("ZFILL");
    let (shared, global) = match &r.next()?.value {
        Value::Copy(shared, global) => (shared.clone(), global.clone()),
        Value::Memory(shared) => (shared.clone(), r.memory(true)?.address),
        _ => return Err("its places".into()),
    };
    r.conditions()?;
    let shared = Place64 { address: shared, is_wide: false };
    Ok(Operation::CopyToShared { shared, global: Place64 { address: global, is_wide: true }, bytes, fills })
}

fn matrix_access(r: &mut Reader, base: &str) -> Known<Operation> {
    r.take("16");
    let transposes = r.take("MT88");
    if !transposes && !r.take("M88") {
        return Err("the shape of its matrices".into());
    }
    let num = r.choose(|name| name.parse().ok()).unwrap_or(1);
    Ok(if base == "LDSM" {
        r.register_target()?;
        Operation::LoadMatrix { place: r.memory(false)?, num, transposes }
    } else {
        let place = r.memory(false)?;
        r.source()?;
        Operation::StoreMatrix { place, num, transposes }
    })
}

fn atomic_access(r: &mut Reader, base: &str, space: Space) -> Known<Operation> {
    let is_wide = is_wide(space);
    let atomic = atomic(r)?;
    // Each number, its bytes, and how many of them follow each other.
    let kind = r.pick(&[
        ("S32", (Number::Signed, 4, 1)),
        ("S64", (Number::Signed, 8, 1)),
        ("U32", (Number::Unsigned, 4, 1)),
        ("F32", (Number::Float(Format::Single), 4, 1)),
        ("F64", (Number::Float(Format::Double), 8, 1)),
        ("F16x2", (Number::Halves(Format::Half), 4, 1)),
        ("BF16x2", (Number::Halves(Format::Brain), 4, 1)),
        ("BF16_V2", (Number::Halves(Format::Brain), 4, 1)),
        ("F32x2", (Number::Float(Format::Single), 4, 2)),
        ("F32x4", (Number::Float(Format::Single), 4, 4)),
        ("F16x4", (Number::Halves(Format::Half), 4, 2)),
        ("F16x8", (Number::Halves(Format::Half), 4, 4)),
        ("BF16x4", (Number::Halves(Format::Brain), 4, 2)),
        ("BF16x8", (Number::Halves(Format::Brain), 4, 4)),
    ]);
    let (number, bytes, num) = kind.unwrap_or((Number::Unsigned, 4, 1));
    if atomic != Atomic::Add && matches!(number, Number::Float(_) | Number::Halves(_)) {
        return Err("its operation on floating-point numbers".into());
    }
    let bytes = if r.take("64") { 8 } else { bytes };
    for silent in ["32", "FTZ", "RN", "POPC"] {
        r.take(silent);
    }
    if base.starts_with("ATOM") {
        if base != "ATOMS" || r.is_predicate_next() {
            r.flag(0)?;
        }
        if r.peek().is_some_and(|operand| operand.register().is_some()) {
            r.register_target()?;
        }
    }
    let place = r.memory(is_wide)?;
    if r.peek().is_none() {
        // ATOMS.POPC.INC adds one for each lane.
        r.push(Source { from: From::Word(1), ..ZERO })?;
    }
    while r.peek().is_some() {
        r.source()?;
    }
    Ok(Operation::Atomic { space, place, bytes, atomic, number, num })
}

fn atomic(r: &mut Reader) -> Known<Atomic> {
    if r.instruction.has("POPC") && r.take("INC") {
        return Ok(Atomic::Add);
    }
    let atomic = r.pick(&[
        ("ADD", Atomic::Add),
        ("MIN", Atomic::Minimum),
        ("MAX", Atomic::Maximum),
        ("INC", Atomic::Increment),
        ("DEC", Atomic::Decrement),
        ("AND", Atomic::And),
        ("OR", Atomic::Or),
        ("XOR", Atomic::Xor),
        ("EXCH", Atomic::Exchange),
        ("CAS", Atomic::CompareExchange),
        ("CAST", Atomic::CompareStore),
    ]);
    atomic.ok_or("its operation".into())
}

fn matrix(r: &mut Reader, base: &str) -> Known<Operation> {
    if base == "MOVM" {
        r.take("16");
        if !r.take("MT88") {
            return Err("its shape".into());
        }
        r.register_target()?;
        r.source()?;
        return Ok(Operation::MoveMatrix);
    }
    let shape = crate::matrix::Shape::read(base, &r.modifiers);
    let shape = shape.ok_or_else(|| format!("the shape of {base}.{}", r.modifiers.join(".")))?;
    r.modifiers.clear();
    r.register_target()?;
    r.sources(3)?;
    r.conditions()?;
    Ok(Operation::MatrixMultiply(shape))
}
