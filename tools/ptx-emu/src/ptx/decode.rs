//! What an opcode of PTX means to [`super::run`].
//!
//! The words of an opcode say which instructions are computed exactly, which are uninterpreted
//! functions of their operands, and which have effects outside; an unknown opcode is one of the
//! last. **Complexity.** Linear in the words.

use super::parse::{self, Instruction, Kind, Operand};
use super::trace::Space;
use super::value::mix_text;

/// Opcodes whose results depend on their operands alone. Some forms of them are computed exactly.
const PURE: &str =
    "abs add addc and bfe bfi bfind bmsk brev clz cnot copysign cos createpolicy cvt cvta div dp2a dp4a \
    ex2 fma fns getctarank isspacep istypep lg2 lop3 mad mad24 madc mapa max min mma mov movmatrix mul \
    mul24 neg not or popc prmt rcp rem rsqrt sad selp set setp shf shl shr sin slct sqrt sub subc suq \
    szext tanh testp txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 \
    vmax4 vmin vmin2 vmin4 vset vset2 vset4 vshl vshr vsub vsub2 vsub4 xor";
/// Opcodes that only read memory, but not as `ld` does.
const READS: &[&str] = &["ldmatrix", "suld", "tex", "tld4"];
/// Opcodes without a result, although their first operand may be a register.
const WITHOUT_RESULT: &str =
    "applypriority bar barrier cp discard fence membar nanosleep pmevent prefetch prefetchu red \
    setmaxnreg stackrestore sured sust";
/// Words of a load or store that must stay in its place. Only with the first may stores to other
/// bytes cross it.
pub const ORDERED: &[&str] = &["volatile", "relaxed", "acquire", "release", "mmio"];

/// Arithmetic on integers that is computed exactly. The names are those of the opcodes.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    MulHigh,
    MulWide,
    Mad,
    MadWide,
    And,
    Or,
    Xor,
    Not,
    Neg,
    Abs,
    Shl,
    Shr,
    BitField,
    Min,
    Max,
    Div,
    Rem,
}

/// A comparison of integers.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// The meaning of an opcode for one thread and its order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// From here on its registers are undefined.
    Undefine,
    /// A call's parameter; its size in bytes.
    Declare(u64),
    /// Inline assembly whose text names its operands.
    Assembly {
        /// The first operands, which it writes.
        results: usize,
        /// Which of them are early-clobber, a bit each.
        early: u128,
        /// The number of operands after these that share a register with a result.
        tied: usize,
        /// Whether it is an event.
        is_volatile: bool,
    },
    /// mov
    Move,
    /// Integer arithmetic that is computed exactly.
    Exact(Arithmetic),
    /// setp on integers.
    Compare(Order),
    /// selp
    Select,
    /// A conversion between integers, from this width.
    Convert(u32),
    /// To a generic address, or from one.
    ToGeneric(Space),
    /// From a generic address of this space.
    FromGeneric(Space),
    /// An uninterpreted function.
    Pure {
        /// Whether the carry flag is an operand.
        carry_in: bool,
        /// Whether the carry flag is a result.
        carry_out: bool,
    },
    /// A function of its operands and of memory.
    Read,
    /// An ordered event.
    Effect {
        /// Whether it has results.
        has_result: bool,
        /// Its results are also operands.
        is_in_out: bool,
    },
    /// ld
    Load {
        /// `None`: a generic address.
        space: Option<Space>,
        /// Whether it must stay in its place.
        is_ordered: bool,
        /// Whether what it reads is never written.
        is_constant: bool,
    },
    /// st
    Store {
        /// `None`: a generic address.
        space: Option<Space>,
        /// Whether it must stay in its place.
        is_ordered: bool,
    },
    /// bra, brx
    Branch,
    /// call
    Call,
    /// ret, exit, trap
    Leave,
}

/// An instruction, and what its opcode means.
#[derive(Debug)]
pub struct Step<'a> {
    /// The instruction.
    pub instruction: &'a Instruction,
    /// The meaning of its opcode.
    pub op: Op,
    /// The bits of the last type in the opcode.
    pub width: u32,
    /// Whether that type is a signed one.
    pub signed: bool,
    /// The opcode as an event names it.
    pub name: String,
    /// A hash of the name.
    pub hash: u64,
    /// Whether the result is the opposite of the function with this hash.
    pub is_opposite: bool,
}

impl Step<'_> {
    /// The number of operands that are results; these come first.
    pub fn num_results(&self) -> usize {
        let most = match self.op {
            Op::Branch | Op::Declare(_) | Op::Store { .. } | Op::Call | Op::Leave => 0,
            Op::Effect { has_result, .. } => usize::from(has_result),
            Op::Assembly { results, .. } => results,
            _ => 1,
        };
        most.min(self.instruction.operands.len())
    }
}

/// The state space of a word of an opcode.
pub fn space_named(word: &str) -> Option<Space> {
    match word {
        "global" => Some(Space::Global),
        "shared" | "shared::cta" | "shared::cluster" => Some(Space::Shared),
        "local" => Some(Space::Local),
        "const" => Some(Space::Const),
        "param" | "param::entry" | "param::func" => Some(Space::Param),
        _ => None,
    }
}

fn is_one_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether it is `s32`, `u64`, `b16` or the like: bits that can be computed.
fn is_integer(word: &str) -> bool {
    word.starts_with(['s', 'u', 'b'])
        && !word.contains('x')
        && !word.starts_with("bf")
        && parse::type_width(word).is_some()
}

/// Determines what an instruction means.
pub fn decode(instruction: &Instruction) -> Step<'_> {
    let words: Vec<&str> = instruction.opcode.split('.').collect();
    let last_type = words.iter().skip(1).rev().find(|word| parse::type_width(word).is_some());
    let kind = &instruction.kind;
    let op = match *kind {
        Kind::Declare(size) => Op::Declare(size),
        Kind::ImplicitDef => Op::Undefine,
        Kind::Assembly { results, early, tied, is_volatile } => {
            Op::Assembly { results, early, tied, is_volatile }
        }
        Kind::Instruction => decode_words(&words, &instruction.operands),
    };
    let name = event_name(&words);
    let opposite = opposite_of(&words, &instruction.operands);
    Step {
        instruction,
        op,
        width: last_type.and_then(|word| parse::type_width(word)).unwrap_or(64),
        signed: last_type.is_some_and(|word| word.starts_with('s')),
        is_opposite: opposite.is_some(),
        hash: mix_text(0, opposite.or_else(|| function_name(&words)).as_ref().unwrap_or(&name)),
        name,
    }
}

/// The opcode. That of a load or store does not distinguish `.f32` from `.b32`, a difference of
/// registers only.
fn event_name(words: &[&str]) -> String {
    let is_access = matches!(words[0], "ld" | "st");
    let bits = |word: &str| match word {
        "f16" | "f32" | "f64" if is_access => word.replace('f', "b"),
        "u8" | "u16" | "u32" | "u64" if is_access => word.replace('u', "b"),
        "s8" | "s16" | "s32" | "s64" if words[0] == "st" => word.replace('s', "b"),
        _ => word.to_owned(),
    };
    words.iter().map(|word| bits(word)).collect::<Vec<_>>().join(".")
}

fn decode_words(words: &[&str], operands: &[Operand]) -> Op {
    if let Some(op) = decode_exact(words, operands) {
        return op;
    }
    let first = words[0];
    let space = || words.iter().find_map(|word| space_named(word));
    let is_ordered = words.iter().any(|word| ORDERED.contains(word));
    let has = |word: &str| words.contains(&word);
    match first {
        "ld" | "ldu" => Op::Load { space: space(), is_ordered, is_constant: has("nc") || first == "ldu" },
        "st" if !has("async") && !has("bulk") => Op::Store { space: space(), is_ordered },
        "bra" | "brx" => Op::Branch,
        "call" => Op::Call,
        "ret" | "exit" | "trap" => Op::Leave,
        // Reading a special register that changes is an event. Other sources are addresses and
        // registers.
        "mov" if operands.get(1).is_some_and(changes) => Op::Effect { has_result: true, is_in_out: false },
        "mov" => Op::Move,
        // Without a result there is nothing to compute or read.
        _ if operands.is_empty() => Op::Effect { has_result: false, is_in_out: false },
        _ if is_one_of(PURE, first) || (first == "wmma" && has("mma")) => {
            Op::Pure { carry_in: matches!(first, "addc" | "subc" | "madc"), carry_out: has("cc") }
        }
        _ if READS.contains(&first) || (first == "wmma" && has("load")) => Op::Read,
        _ => {
            let can_have = matches!(
                operands.first(),
                Some(Operand::Reg(_) | Operand::Vector(_) | Operand::Pair(..) | Operand::Sink)
            );
            let barred = is_one_of(WITHOUT_RESULT, first) && !has("red") || first == "red" || has("dealloc");
            Op::Effect { has_result: can_have && !barred, is_in_out: has("mma_async") }
        }
    }
}

fn changes(operand: &Operand) -> bool {
    matches!(operand, Operand::Special(name)
        if ["clock", "globaltimer", "pm"].iter().any(|changing| name.starts_with(changing)))
}

/// For a comparison of floats that is the opposite of another one: the other one. Of two such, one
/// is a function of the operands, and the other one its opposite.
fn opposite_of(words: &[&str], operands: &[Operand]) -> Option<String> {
    let ("setp", [Operand::Reg(_), _, _]) = (words[0], operands) else { return None };
    let other = match *words.get(1)? {
        "geu" => "lt",
        "gtu" => "le",
        "leu" => "gt",
        "ltu" => "ge",
        "neu" => "eq",
        "equ" => "ne",
        "nan" => "num",
        _ => return None,
    };
    Some([&["setp", other], &words[2..]].concat().join("."))
}

/// The opcode without `.ftz`, if it is an approximation whose result `.ftz` changes for subnormal
/// operands only. Operands are hashes here, so these cases are not seen; [`crate::grid`] computes
/// them.
fn function_name(words: &[&str]) -> Option<String> {
    let is_scaled = matches!(words, ["rsqrt" | "sqrt" | "lg2", "approx", .., "f32"]);
    let without = words.iter().filter(|word| **word != "ftz").copied();
    is_scaled.then(|| without.collect::<Vec<_>>().join("."))
}

/// The instructions that are computed exactly, not hashed.
fn decode_exact(words: &[&str], operands: &[Operand]) -> Option<Op> {
    use Arithmetic::*;
    let plain =
        |operand: &Operand| !matches!(operand, Operand::Vector(_) | Operand::Pair(..) | Operand::Memory(..));
    if !operands.iter().all(plain) {
        return None;
    }
    let last = *words.last()?;
    let op = match (words, operands.len()) {
        (["cvta", "to", space, _], 2) => Op::FromGeneric(space_named(space)?),
        (["cvta", space, _], 2) => Op::ToGeneric(space_named(space)?),
        (["selp", _], 4) => Op::Select,
        (["and", _], 3) => Op::Exact(And),
        (["or", _], 3) => Op::Exact(Or),
        (["xor", _], 3) => Op::Exact(Xor),
        (["not", _], 2) => Op::Exact(Not),
        _ if !is_integer(last) => return None,
        (["add", _], 3) => Op::Exact(Add),
        (["sub", _], 3) => Op::Exact(Sub),
        (["mul", "lo", _], 3) => Op::Exact(Mul),
        (["mul", "hi", _], 3) => Op::Exact(MulHigh),
        (["mul", "wide", _], 3) => Op::Exact(MulWide),
        (["mad", "lo", _], 4) => Op::Exact(Mad),
        (["mad", "wide", _], 4) => Op::Exact(MadWide),
        (["neg", _], 2) => Op::Exact(Neg),
        (["abs", _], 2) => Op::Exact(Abs),
        (["shl", _], 3) => Op::Exact(Shl),
        (["shr", _], 3) => Op::Exact(Shr),
        (["bfe", _], 4) => Op::Exact(BitField),
        (["min", _], 3) => Op::Exact(Min),
        (["max", _], 3) => Op::Exact(Max),
        (["div", _], 3) => Op::Exact(Div),
        (["rem", _], 3) => Op::Exact(Rem),
        (["setp", order, _], 3) => Op::Compare(match *order {
            "eq" => Order::Eq,
            "ne" => Order::Ne,
            "lt" | "lo" => Order::Lt,
            "le" | "ls" => Order::Le,
            "gt" | "hi" => Order::Gt,
            "ge" | "hs" => Order::Ge,
            _ => return None,
        }),
        (["cvt", to, _], 2) if is_integer(to) => Op::Convert(parse::type_width(to)?),
        _ => return None,
    };
    Some(op)
}
