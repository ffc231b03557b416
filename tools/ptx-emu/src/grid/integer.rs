//! Integer instructions of PTX.
//!
//! **Problem.** The passes rewrite addresses, loops and products. Integers must be computed as on a
//! GPU, with every edge case that PTX defines.
//!
//! **Method.** [`Integer::decode`] reads the words of an opcode once. [`Integer::eval`] is a pure
//! function of 64-bit numbers; an instruction reads as many of their bits as its type has.
//! Predicates are numbers of one bit.
//!
//! **Source.** PTX ISA, sections 9.7.1 "Integer Arithmetic Instructions", 9.7.2 "Extended-Precision
//! Integer Arithmetic Instructions", 9.7.7 "Comparison and Selection Instructions", 9.7.8 "Logic
//! and Shift Instructions" and 9.7.9 "Data Movement and Conversion Instructions" (cvt, cvta,
//! isspacep, prmt, shf).
//!
//! **Deviation.** A division by zero gives all ones, as on GPUs; PTX leaves the result unspecified.
//!
//! **Complexity.** Constant.

use crate::ptx::decode::{space_named, Order};
use crate::ptx::parse::type_width;
use crate::ptx::trace::Space;

use super::windows;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Sub,
    MulLow,
    MulHigh,
    MulWide,
    MadLow,
    MadHigh,
    MadWide,
    /// Of the low 24 bits of each operand.
    Mul24,
    Mad24,
    Div,
    Rem,
    Abs,
    Neg,
    Min,
    Max,
    And,
    Or,
    Xor,
    Not,
    /// 1 if the operand is zero, otherwise 0.
    LogicalNot,
    Shl,
    Shr,
    /// Shifts two words by an amount that is masked to 31, or clamped to 32.
    Funnel {
        is_left: bool,
        wraps: bool,
    },
    Extract,
    Insert,
    FindTop {
        is_amount: bool,
    },
    Reverse,
    LeadingZeros,
    Popcount,
    Permute(Permute),
    Lookup,
    AbsoluteDifferenceSum,
    /// A sum of four (or two) products: whether the first and the second operand are signed, the
    /// bits of an element of each, and the position of the first element in the second operand.
    Dot {
        signs: [bool; 2],
        bits: u32,
        first: u32,
    },
    BitMask {
        wraps: bool,
    },
    Compare(Order),
    Select,
    SelectBySign,
    Convert {
        from: u32,
        from_signed: bool,
    },
    ToGeneric(Space),
    FromGeneric(Space),
    IsSpace(Space),
}

/// Modes of `prmt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Permute {
    Index,
    Forward4,
    Backward4,
    Replicate8,
    EdgeLeft,
    EdgeRight,
    Replicate16,
}

/// An integer instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integer {
    operation: Operation,
    width: u32,
    signed: bool,
    saturates: bool,
    /// Two halves of this width, computed independently.
    is_packed: bool,
}

/// The lowest `width` bits.
pub fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The number that the lowest `width` bits mean in two's complement.
pub fn sign_extend(value: u64, width: u32) -> i64 {
    if width == 0 {
        return 0;
    }
    let shift = 64 - width.min(64);
    ((value << shift) as i64) >> shift
}

/// Width and sign of `s32`, `u64`, `b16`, `pred`.
fn integer_type(word: &str) -> Option<(u32, bool)> {
    let is_integer =
        word == "pred" || word.starts_with(['s', 'u', 'b']) && !word.starts_with("bf") && !word.contains('x');
    let width = type_width(word).filter(|_| is_integer)?;
    (width <= 64).then(|| (width, word.starts_with('s')))
}

/// Operations by the first word of their opcodes, and by the one between that and the type.
const PLAIN: [(&str, &str, Operation); 34] = {
    use Operation::*;
    [
        ("add", "", Add),
        ("sub", "", Sub),
        ("mul", "lo", MulLow),
        ("mul", "hi", MulHigh),
        ("mul", "wide", MulWide),
        ("mad", "lo", MadLow),
        ("mad", "hi", MadHigh),
        ("mad", "wide", MadWide),
        ("mul24", "lo", Mul24),
        ("mad24", "lo", Mad24),
        ("div", "", Div),
        ("rem", "", Rem),
        ("abs", "", Abs),
        ("neg", "", Neg),
        ("min", "", Min),
        ("max", "", Max),
        ("and", "", And),
        ("or", "", Or),
        ("xor", "", Xor),
        ("not", "", Not),
        ("cnot", "", LogicalNot),
        ("shl", "", Shl),
        ("shr", "", Shr),
        ("bfe", "", Extract),
        ("bfi", "", Insert),
        ("bfind", "", FindTop { is_amount: false }),
        ("bfind", "shiftamt", FindTop { is_amount: true }),
        ("brev", "", Reverse),
        ("clz", "", LeadingZeros),
        ("popc", "", Popcount),
        ("prmt", "", Permute(self::Permute::Index)),
        ("lop3", "", Lookup),
        ("sad", "", AbsoluteDifferenceSum),
        ("selp", "", Select),
    ]
};

impl Integer {
    /// Decodes the words of an opcode; `None` if it is not one of these instructions.
    pub fn decode(words: &[&str]) -> Option<Integer> {
        use Operation::*;
        let (&last, rest) = words.split_last()?;
        let (&first, middle) = rest.split_first()?;
        if let (["s16x2"] | ["u16x2"], "add" | "sub" | "min" | "max") = ([last], first) {
            let operation = match first {
                "add" => Add,
                "sub" => Sub,
                "min" => Min,
                _ => Max,
            };
            let signed = last.starts_with('s');
            let packed = Integer { operation, width: 16, signed, saturates: false, is_packed: true };
            return middle.is_empty().then_some(packed);
        }
        // `dp4a.s32.u32` and `cvt.s32.u16` have two types; this is the last.
        let (width, signed) = integer_type(last)?;
        let plain = Integer { operation: Add, width, signed, saturates: false, is_packed: false };
        let with = |operation| Some(Integer { operation, ..plain });
        let is_it = |part: &str| if part.is_empty() { middle.is_empty() } else { middle == [part] };
        if let Some((.., operation)) = PLAIN.iter().find(|(name, part, _)| *name == first && is_it(part)) {
            return with(*operation);
        }
        match (first, middle) {
            ("add", ["sat"]) => Some(Integer { operation: Add, saturates: true, ..plain }),
            ("sub", ["sat"]) => Some(Integer { operation: Sub, saturates: true, ..plain }),
            ("shf", [direction @ ("l" | "r"), mode @ ("wrap" | "clamp")]) => {
                with(Funnel { is_left: *direction == "l", wraps: *mode == "wrap" })
            }
            ("bmsk", [mode @ ("wrap" | "clamp")]) => with(BitMask { wraps: *mode == "wrap" }),
            ("dp4a", [a]) => with(Dot { signs: [a.starts_with('s'), signed], bits: 8, first: 0 }),
            ("dp2a", [half @ ("lo" | "hi"), a]) => {
                let first = if *half == "lo" { 0 } else { 16 };
                with(Dot { signs: [a.starts_with('s'), signed], bits: 16, first })
            }
            ("setp", [order]) => with(Compare(match (*order, signed) {
                ("eq", _) => Order::Eq,
                ("ne", _) => Order::Ne,
                ("lt", _) | ("lo", false) => Order::Lt,
                ("le", _) | ("ls", false) => Order::Le,
                ("gt", _) | ("hi", false) => Order::Gt,
                ("ge", _) | ("hs", false) => Order::Ge,
                _ => return None,
            })),
            ("slct", [kind]) => {
                let (width, _) = integer_type(kind)?;
                (last == "s32").then_some(Integer { operation: SelectBySign, width, ..plain })
            }
            ("cvt", [saturation @ .., to]) => {
                let (to, to_signed) = integer_type(to)?;
                let saturates = match saturation {
                    [] => false,
                    ["sat"] => true,
                    _ => return None,
                };
                let operation = Convert { from: width, from_signed: signed };
                Some(Integer { operation, width: to, signed: to_signed, saturates, is_packed: false })
            }
            ("cvta", ["to", space]) => with(FromGeneric(space_named(space)?)),
            ("cvta", [space]) => with(ToGeneric(space_named(space)?)),
            _ => None,
        }
    }

    /// Decodes opcodes whose last word is not a type: `isspacep.shared`, `prmt.b32.f4e`.
    pub fn decode_odd(words: &[&str]) -> Option<Integer> {
        let with = |operation, width| Integer {
            operation,
            width,
            signed: false,
            saturates: false,
            is_packed: false,
        };
        match words {
            ["isspacep", space] => Some(with(Operation::IsSpace(space_named(space)?), 64)),
            ["selp", kind @ ("f32" | "f64")] => Some(with(Operation::Select, type_width(kind)?)),
            ["prmt", "b32", mode] => {
                let mode = match *mode {
                    "f4e" => Permute::Forward4,
                    "b4e" => Permute::Backward4,
                    "rc8" => Permute::Replicate8,
                    "ecl" => Permute::EdgeLeft,
                    "ecr" => Permute::EdgeRight,
                    "rc16" => Permute::Replicate16,
                    _ => return None,
                };
                Some(with(Operation::Permute(mode), 32))
            }
            _ => None,
        }
    }

    /// Whether the operation turns an address into an address: adds to it, or converts it to
    /// another state space.
    pub fn keeps_addresses(&self) -> bool {
        matches!(
            self.operation,
            Operation::Add
                | Operation::Sub
                | Operation::ToGeneric(_)
                | Operation::FromGeneric(_)
                | Operation::Select
        )
    }

    /// An operand as a number.
    fn number(&self, value: u64) -> i128 {
        match self.signed {
            true => i128::from(sign_extend(value, self.width)),
            false => i128::from(value & mask(self.width)),
        }
    }

    /// A result, within the limits of the type if it saturates.
    fn clamp(&self, value: i128) -> u64 {
        let width = self.width;
        match (self.saturates, self.signed) {
            (false, _) => value as u64,
            (true, true) => value.clamp(-(1 << (width - 1)), (1 << (width - 1)) - 1) as u64,
            (true, false) => value.clamp(0, i128::from(mask(width))) as u64,
        }
    }

    /// cvt: a number of another type.
    fn convert(&self, a: u64, from: u32, from_signed: bool) -> u64 {
        let value = match from_signed {
            true => i128::from(sign_extend(a, from)),
            false => i128::from(a & mask(from)),
        };
        // A narrower result is extended to its register by its own sign.
        let value = self.clamp(value);
        if self.signed {
            sign_extend(value, self.width) as u64
        } else {
            value & mask(self.width)
        }
    }

    /// The product of the lowest 24 bits.
    fn product24(&self, a: u64, b: u64) -> u64 {
        let low = |value: u64| match self.signed {
            true => sign_extend(value, 24),
            false => (value & mask(24)) as i64,
        };
        (low(a) * low(b)) as u64
    }

    /// Computes the result. It may have more bits than the register; the register takes the lowest.
    pub fn eval(&self, operands: [u64; 4]) -> u64 {
        if self.is_packed {
            let half = Integer { is_packed: false, ..*self };
            let part = |shift: u32| half.eval(operands.map(|operand| operand >> shift)) & mask(16);
            return part(0) | part(16) << 16;
        }
        let width = self.width;
        let cut = |value: u64| value & mask(width);
        let [a, b, c, d] = operands;
        let (x, y) = (self.number(a), self.number(b));
        let product = |width: u32| match self.signed {
            true => ((x * y) >> width) as u64,
            false => ((x as u128 * y as u128) >> width) as u64,
        };
        let bool = u64::from;
        use Operation::*;
        match self.operation {
            Add => self.clamp(x + y),
            Sub => self.clamp(x - y),
            MulLow | MulWide => product(0),
            MulHigh => product(width),
            MadLow | MadWide => product(0).wrapping_add(c),
            MadHigh => product(width).wrapping_add(c),
            Mul24 | Mad24 => self.product24(a, b).wrapping_add(if self.operation == Mad24 { c } else { 0 }),
            Div if y == 0 => u64::MAX,
            Div => (x / y) as u64,
            Rem if y == 0 => a,
            Rem => (x % y) as u64,
            Abs => x.unsigned_abs() as u64,
            Neg => (-x) as u64,
            Min => x.min(y) as u64,
            Max => x.max(y) as u64,
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Not => !a,
            LogicalNot => bool(cut(a) == 0),
            // The amount has 32 bits; one greater than the width counts as the width.
            Shl => match b & mask(32) {
                amount if amount < u64::from(width) => a << amount,
                _ => 0,
            },
            Shr => (x >> (b & mask(32)).min(u64::from(width))) as u64,
            Funnel { is_left, wraps } => funnel(a, b, c, is_left, wraps),
            Extract => extract(a, b, c, width, self.signed),
            Insert => insert([a, b, c, d], width),
            FindTop { is_amount } => {
                find_top(cut(if self.signed && x < 0 { !a } else { a }), width, is_amount)
            }
            Reverse => cut(a).reverse_bits() >> (64 - width),
            LeadingZeros => u64::from(cut(a).leading_zeros() - (64 - width)),
            Popcount => u64::from(cut(a).count_ones()),
            Permute(mode) => permute(mode, a, b, c),
            Lookup => lookup(operands),
            AbsoluteDifferenceSum => ((x - y).unsigned_abs() as u64).wrapping_add(c),
            Dot { signs, bits, first } => dot([a, b >> first, c], signs, bits),
            BitMask { wraps } => bit_mask(a, b, wraps),
            Compare(order) => bool(holds(order, x, y)),
            Select => [b, a][usize::from(c & 1 == 1)],
            SelectBySign => [b, a][usize::from(sign_extend(c, 32) >= 0)],
            Convert { from, from_signed } => self.convert(a, from, from_signed),
            ToGeneric(space) => a.wrapping_add(windows::window(space)),
            FromGeneric(space) => a.wrapping_sub(windows::window(space)),
            IsSpace(space) => bool(windows::place(a).0 == space),
        }
    }
}

/// shf: shifts a pair of words.
fn funnel(a: u64, b: u64, c: u64, is_left: bool, wraps: bool) -> u64 {
    let amount = if wraps { c & 31 } else { (c & mask(32)).min(32) };
    let both = (b & mask(32)) << 32 | a & mask(32);
    if is_left {
        ((u128::from(both) << amount) >> 32) as u64
    } else {
        both >> amount
    }
}

/// bfi: a field of a register.
fn insert([a, b, c, d]: [u64; 4], width: u32) -> u64 {
    let cut = |value: u64| value & mask(width);
    // `bfi f, a, b, c, d`: puts bits of a into b, from position c on, d of them.
    let (first, len) = ((c & 0xff).min(u64::from(width)) as u32, (d & 0xff).min(64) as u32);
    let field = if first >= 64 { 0 } else { mask(len) << first };
    (cut(a).checked_shl(first).unwrap_or(0) & field) | (cut(b) & !field)
}

/// bfind: the highest bit that is set.
fn find_top(bits: u64, width: u32, is_amount: bool) -> u64 {
    match bits {
        0 => mask(32),
        _ if is_amount => u64::from(bits.leading_zeros() - (64 - width)),
        _ => u64::from(63 - bits.leading_zeros()),
    }
}

/// lop3: a table of three operands.
fn lookup([a, b, c, d]: [u64; 4]) -> u64 {
    (0..8).fold(0, |value, row| {
        let pick = |bits: u64, at: u32| if row >> at & 1 == 1 { bits } else { !bits };
        let holds = pick(a, 2) & pick(b, 1) & pick(c, 0);
        if d >> row & 1 == 1 {
            value | holds
        } else {
            value
        }
    })
}

/// dp4a, dp2a: `bits` are those of an element of the first operand.
fn dot([a, b, c]: [u64; 3], signs: [bool; 2], bits: u32) -> u64 {
    let element = |value: u64, index: u32, bits: u32, signed: bool| match signed {
        true => sign_extend(value >> (index * bits), bits),
        false => (value >> (index * bits) & mask(bits)) as i64,
    };
    (0..32 / bits).fold(c, |sum, index| {
        let product = element(a, index, bits, signs[0]) * element(b, index, 8, signs[1]);
        sum.wrapping_add(product as u64)
    })
}

/// bmsk: a mask from its first bit and its length.
fn bit_mask(a: u64, b: u64, wraps: bool) -> u64 {
    let (first, len) = match wraps {
        true => (a & 31, b & 31),
        false => ((a & mask(32)).min(32), (b & mask(32)).min(32)),
    };
    mask(len as u32) << first
}

/// Whether a comparison holds.
fn holds(order: Order, x: i128, y: i128) -> bool {
    match order {
        Order::Eq => x == y,
        Order::Ne => x != y,
        Order::Lt => x < y,
        Order::Le => x <= y,
        Order::Gt => x > y,
        Order::Ge => x >= y,
    }
}

impl Integer {
    /// The bits of the result that are undefined because of undefined bits of the operands. Like
    /// the result, they may be more than the register has.
    ///
    /// LLVM leaves bits undefined that it does not need: it packs a word with an undefined one, and
    /// truncates the pair to the word.
    pub fn undefined(&self, operands: [u64; 4], undefined: [u64; 4]) -> u64 {
        use Operation::*;
        if self.is_packed {
            let half = Integer { is_packed: false, ..*self };
            let part =
                |shift: u32| half.undefined(operands.map(|o| o >> shift), undefined.map(|u| u >> shift));
            return part(0) & mask(16) | (part(16) & mask(16)) << 16;
        }
        let [a, b, c, _] = undefined;
        // The first operands of this number supply single bits; the others choose which.
        let sources = match self.operation {
            Select if c & 1 == 1 => return u64::MAX,
            Select if operands[2] & 1 == 1 => return a,
            Select => return b,
            // The low bits of sums and products depend on the low bits of their operands alone.
            Add | Sub if !self.saturates => {
                return u64::MAX.checked_shl((a | b).trailing_zeros()).unwrap_or(0)
            }
            MulLow | MulWide | MadLow | MadWide => {
                let zeros = |operand: u64, undefined: u64| (operand | undefined).trailing_zeros();
                let changes = |a: u64, other: u32| if a == 0 { 64 } else { a.trailing_zeros() + other };
                let is_sum = matches!(self.operation, MadLow | MadWide);
                let first = changes(a, zeros(operands[1], b))
                    .min(changes(b, zeros(operands[0], a)))
                    .min(if is_sum { c.trailing_zeros() } else { 64 });
                return u64::MAX.checked_shl(first).unwrap_or(0);
            }
            Convert { .. } if self.saturates => 0,
            Not | Convert { .. } | Shl | Shr | Extract | Reverse => 1,
            And | Or | Xor | Insert | Funnel { .. } | Permute(_) => 2,
            Lookup => 3,
            _ => 0,
        };
        if undefined[sources..].iter().any(|&bits| bits != 0) {
            return u64::MAX;
        }
        // A bit of the result depends on one bit of each source at most. Zeros and ones there show
        // whether it changes.
        let filled = |ones: u32| {
            let fill = |at: usize| match ones >> at & 1 {
                1 => operands[at] | undefined[at],
                _ => operands[at] & !undefined[at],
            };
            self.eval(std::array::from_fn(fill))
        };
        let first = filled(0);
        (1..1 << sources).fold(0, |changed, ones| changed | (first ^ filled(ones)))
    }
}

/// Extracts `len` bits from `first` on. PTX ISA, section 9.7.1 "bfe".
fn extract(a: u64, first: u64, len: u64, width: u32, signed: bool) -> u64 {
    let (first, len) = ((first & 0xff) as u32, (len & 0xff) as u32);
    if len == 0 {
        return 0;
    }
    let end = (first + len).min(width);
    // Bits beyond the top are copies of the field's sign, which is the topmost bit at most.
    let sign = signed && a >> (end.min(width) - 1) & 1 == 1;
    (0..width.min(64)).fold(0, |value, index| {
        let at = first + index;
        let bit = if index < len && at < width { a >> at & 1 == 1 } else { sign };
        value | u64::from(bit) << index
    })
}

/// Picks bytes of two words. PTX ISA, section 9.7.9 "prmt".
fn permute(mode: Permute, a: u64, b: u64, c: u64) -> u64 {
    let both = (b & mask(32)) << 32 | a & mask(32);
    let low = c & 3;
    let chosen: [u64; 4] = std::array::from_fn(|at| {
        let at = at as u64;
        match mode {
            Permute::Index => c >> (4 * at) & 15,
            Permute::Forward4 => low + at,
            Permute::Backward4 => (low + 8 - at) & 7,
            Permute::Replicate8 => low,
            Permute::EdgeLeft => at.max(low),
            Permute::EdgeRight => at.min(low),
            Permute::Replicate16 => 2 * (low & 1) + (at & 1),
        }
    });
    chosen.iter().rev().fold(0, |word, choice| {
        let byte = both >> (8 * (choice & 7)) & 0xff;
        let byte = match mode {
            // The top bit of a selector asks for the byte's sign, eight times.
            Permute::Index if choice & 8 != 0 => (byte >> 7) * 0xff,
            _ => byte,
        };
        word << 8 | byte
    })
}

/// An instruction that reads or writes the carry. PTX ISA, section 9.7.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extended {
    kind: ExtendedKind,
    width: u32,
    signed: bool,
    reads_carry: bool,
    pub writes_carry: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExtendedKind {
    Add,
    Sub,
    Mad { is_high: bool },
}

impl Extended {
    /// Decodes `add.cc`, `addc`, `addc.cc`, `sub.cc`, `subc`, `mad.lo.cc`, `madc.hi` and so on.
    pub fn decode(words: &[&str]) -> Option<Extended> {
        let (&last, rest) = words.split_last()?;
        let (&first, middle) = rest.split_first()?;
        let (width, signed) = integer_type(last)?;
        let (writes_carry, middle) = match middle {
            [middle @ .., "cc"] => (true, middle),
            middle => (false, middle),
        };
        let reads_carry = matches!(first, "addc" | "subc" | "madc");
        let kind = match (first, middle) {
            ("add" | "addc", []) => ExtendedKind::Add,
            ("sub" | "subc", []) => ExtendedKind::Sub,
            ("mad" | "madc", [half @ ("lo" | "hi")]) => ExtendedKind::Mad { is_high: *half == "hi" },
            _ => return None,
        };
        (reads_carry || writes_carry).then_some(Extended { kind, width, signed, reads_carry, writes_carry })
    }

    pub fn reads_carry(&self) -> bool {
        self.reads_carry
    }

    /// Computes the result and the carry out.
    pub fn eval(&self, [a, b, c, _]: [u64; 4], carry: bool) -> (u64, bool) {
        let width = self.width;
        let cut = |value: u64| u128::from(value & mask(width));
        let carry = u128::from(carry && self.reads_carry);
        let sum = match self.kind {
            ExtendedKind::Add => cut(a) + cut(b) + carry,
            // The carry of a difference is the borrow.
            ExtendedKind::Sub => cut(a).wrapping_sub(cut(b)).wrapping_sub(carry),
            ExtendedKind::Mad { is_high } => {
                let product = match self.signed {
                    true => (i128::from(sign_extend(a, width)) * i128::from(sign_extend(b, width))) as u128,
                    false => cut(a) * cut(b),
                };
                cut(if is_high { (product >> width) as u64 } else { product as u64 }) + cut(c) + carry
            }
        };
        (sum as u64 & mask(width), sum >> width & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(opcode: &str, operands: &[u64]) -> u64 {
        let words: Vec<&str> = opcode.split('.').collect();
        let integer = Integer::decode(&words).or_else(|| Integer::decode_odd(&words)).expect(opcode);
        let mut all = [0; 4];
        all[..operands.len()].copy_from_slice(operands);
        integer.eval(all)
    }

    const MINUS: u64 = u64::MAX;

    #[test]
    fn arithmetic_of_every_width() {
        let cases: &[(&str, &[u64], u64, u32)] = &[
            ("add.s32", &[0xffff_ffff, 2], 1, 32),
            ("add.sat.s32", &[0x7fff_ffff, 2], 0x7fff_ffff, 32),
            ("sub.sat.s32", &[0x8000_0000, 2], 0x8000_0000, 32),
            ("sub.u64", &[0, 1], MINUS, 64),
            ("mul.lo.s64", &[MINUS, MINUS], 1, 64),
            ("mul.hi.u64", &[MINUS, MINUS], MINUS - 1, 64),
            ("mul.hi.s64", &[MINUS, 5], MINUS, 64),
            ("mul.hi.u32", &[0xffff_ffff, 0x8000_0000], 0x7fff_ffff, 32),
            ("mul.wide.s32", &[0xffff_ffff, 3], MINUS - 2, 64),
            ("mul.wide.u32", &[0xffff_ffff, 3], 0x2_ffff_fffd, 64),
            ("mul.wide.s16", &[0xffff, 3], 0xffff_fffd, 32),
            ("mad.lo.u32", &[0x1_0000, 0x1_0000, 7], 7, 32),
            ("mad.hi.s32", &[0xffff_fff0, 2, 9], 8, 32),
            ("mad.wide.s32", &[0xffff_ffff, 1, 1], 0, 64),
            ("mul24.lo.s32", &[0xff_ffff, 5], 0xffff_fffb, 32),
            ("mul24.lo.u32", &[0xff00_0003, 5], 15, 32),
            ("div.s32", &[0xffff_fff9, 2], 0xffff_fffd, 32),
            ("div.s32", &[0x8000_0000, 0xffff_ffff], 0x8000_0000, 32),
            ("rem.s32", &[0xffff_fff9, 2], 0xffff_ffff, 32),
            ("div.u32", &[7, 0], 0xffff_ffff, 32),
            ("rem.u64", &[MINUS, 10], 5, 64),
            ("abs.s16", &[0x8000], 0x8000, 16),
            ("neg.s32", &[1], 0xffff_ffff, 32),
            ("min.s32", &[0xffff_ffff, 1], 0xffff_ffff, 32),
            ("max.u16", &[0xffff, 1], 0xffff, 16),
            ("add.s16x2", &[0xffff_0001, 0x0001_0002], 0x0000_0003, 32),
            ("sad.u32", &[3, 10, 100], 107, 32),
            ("sad.s32", &[0xffff_ffff, 10, 0], 11, 32),
            ("dp4a.s32.s32", &[0x01ff_0302, 0x0101_0101, 10], 15, 32),
            ("dp4a.u32.u32", &[0x01ff_0302, 0x0101_0101, 10], 271, 32),
            ("dp2a.hi.s32.u32", &[0xffff_0002, 0x0302_0000, 0], 1, 32),
        ];
        for &(opcode, operands, expected, width) in cases {
            assert_eq!(eval(opcode, operands) & mask(width), expected, "{opcode} {operands:x?}");
        }
    }

    #[test]
    fn bits_and_shifts() {
        let cases: &[(&str, &[u64], u64, u32)] = &[
            ("shl.b32", &[1, 31], 0x8000_0000, 32),
            ("shl.b32", &[1, 32], 0, 32),
            ("shl.b64", &[1, 0x1_0000_0003], 8, 64),
            ("shr.u32", &[0x8000_0000, 40], 0, 32),
            ("shr.s32", &[0x8000_0000, 40], 0xffff_ffff, 32),
            ("shr.s16", &[0x8000, 3], 0xf000, 16),
            ("shf.l.wrap.b32", &[0x8000_0000, 1, 33], 3, 32),
            ("shf.r.wrap.b32", &[4, 3, 1], 0x8000_0002, 32),
            ("shf.l.clamp.b32", &[7, 1, 99], 7, 32),
            ("shf.r.clamp.b32", &[7, 9, 32], 9, 32),
            ("bfe.u32", &[0xabcd, 4, 8], 0xbc, 32),
            ("bfe.s32", &[0xabcd, 4, 8], 0xffff_ffbc, 32),
            ("bfe.u32", &[0xffff_fff9, 28, 8], 15, 32),
            ("bfe.s32", &[0xffff_fff9, 40, 8], 0xffff_ffff, 32),
            ("bfe.s32", &[0xffff_fff9, 4, 0], 0, 32),
            ("bfe.u64", &[0xf0 << 40, 44, 4], 15, 64),
            ("bfi.b32", &[0xff, 0x1111_1111, 8, 4], 0x1111_1f11, 32),
            ("bfi.b32", &[0xff, 0x1111_1111, 40, 4], 0x1111_1111, 32),
            ("bfi.b64", &[MINUS, 0, 60, 64], 0xf << 60, 64),
            ("bfind.u32", &[0x0100], 8, 32),
            ("bfind.s32", &[0xffff_fffe], 0, 32),
            ("bfind.shiftamt.u32", &[0x0100], 23, 32),
            ("bfind.u32", &[0], 0xffff_ffff, 32),
            ("brev.b32", &[1], 0x8000_0000, 32),
            ("clz.b64", &[1], 63, 32),
            ("clz.b32", &[0], 32, 32),
            ("popc.b32", &[0xf0f0], 8, 32),
            ("not.pred", &[1], 0, 1),
            ("cnot.b32", &[0], 1, 32),
            ("bmsk.clamp.b32", &[4, 8], 0xff0, 32),
            ("lop3.b32", &[0xc, 0xa, 0x6, 0x96], 0, 4),
            ("lop3.b32", &[0xf0, 0xcc, 0xaa, 0xe8], 0xe8, 8),
            ("prmt.b32", &[0x3322_1100, 0x7766_5544, 0x7520], 0x7755_2200, 32),
            ("prmt.b32", &[0x0000_8000, 0, 0x9999], 0xffff_ffff, 32),
            ("prmt.b32.rc16", &[0x3322_1100, 0, 1], 0x3322_3322, 32),
            ("prmt.b32.f4e", &[0x3322_1100, 0x7766_5544, 3], 0x6655_4433, 32),
            ("prmt.b32.b4e", &[0x3322_1100, 0x7766_5544, 1], 0x6677_0011, 32),
        ];
        for &(opcode, operands, expected, width) in cases {
            assert_eq!(eval(opcode, operands) & mask(width), expected, "{opcode} {operands:x?}");
        }
    }

    #[test]
    fn comparisons_and_conversions() {
        let cases: &[(&str, &[u64], u64)] = &[
            ("setp.lt.s32", &[0xffff_ffff, 0], 1),
            ("setp.lt.u32", &[0xffff_ffff, 0], 0),
            ("setp.hs.u32", &[0xffff_ffff, 0], 1),
            ("setp.eq.b16", &[0x1_0005, 5], 1),
            ("selp.b32", &[3, 4, 1], 3),
            ("selp.f64", &[3, 4, 0], 4),
            ("slct.b32.s32", &[3, 4, 0xffff_ffff], 4),
            ("cvt.s64.s32", &[0xffff_fffe], MINUS - 1),
            ("cvt.u64.u32", &[0x1_ffff_fffe], 0xffff_fffe),
            ("cvt.u32.u8", &[0x1ff], 0xff),
            ("cvt.s32.s8", &[0x80], MINUS << 7),
            ("cvt.s8.s32", &[0x1ff], MINUS),
            ("cvt.sat.u8.s32", &[0xffff_fff0], 0),
            ("cvt.sat.s8.s32", &[0x1ff], 127),
            ("isspacep.shared", &[0xf00_0000_0010], 1),
            ("isspacep.global", &[0xf00_0000_0010], 0),
            ("cvta.shared.u64", &[0x10], 0xf00_0000_0010),
            ("cvta.to.shared.u64", &[0xf00_0000_0010], 0x10),
            ("cvta.to.global.u64", &[0x1234_5678_9000], 0x1234_5678_9000),
        ];
        for &(opcode, operands, expected) in cases {
            assert_eq!(eval(opcode, operands), expected, "{opcode} {operands:x?}");
        }
        assert_eq!(Integer::decode(&["setp", "lo", "s32"]), None, "an order of unsigned numbers");
        assert_eq!(Integer::decode(&["add", "rn", "f32"]), None);
        assert_eq!(Integer::decode(&["mul", "s32"]), None);
    }

    /// Operations that move single bits.
    const EXACT: [&str; 21] = [
        "and.b64",
        "or.b64",
        "xor.b64",
        "not.b64",
        "lop3.b32",
        "shl.b64",
        "shr.u64",
        "shr.s64",
        "shr.s16",
        "cvt.u32.u64",
        "cvt.s32.s8",
        "cvt.u16.s32",
        "cvt.u8.u32",
        "bfe.u32",
        "bfe.s32",
        "bfi.b32",
        "brev.b32",
        "prmt.b32",
        "shf.l.wrap.b32",
        "shf.r.clamp.b32",
        "selp.b32",
    ];
    /// Other operations.
    const SAFE: [&str; 16] = [
        "add.s32",
        "sub.s64",
        "mul.lo.s32",
        "mul.wide.s16",
        "mul.wide.u32",
        "mad.lo.s64",
        "mad.wide.s32",
        "add.s16x2",
        "min.s32",
        "mul.hi.u32",
        "add.sat.s32",
        "cvt.sat.u8.s32",
        "setp.lt.s32",
        "clz.b32",
        "cvta.shared.u64",
        "bmsk.clamp.b32",
    ];

    /// Compares the undefined bits with everything that operands with undefined bits can give. None
    /// may be missing. Operations that move single bits may have none too many.
    #[test]
    fn undefined_bits_are_those_that_change() {
        for (number, opcode) in EXACT.iter().chain(&SAFE).enumerate() {
            let words: Vec<&str> = opcode.split('.').collect();
            let integer = Integer::decode(&words).expect(opcode);
            for round in 0..400 {
                let random = |index: u64| crate::ptx::value::mix(round, 100 * number as u64 + index);
                let mut operands: [u64; 4] = std::array::from_fn(|at| random(at as u64));
                // Amounts and selectors within the word; the fourth operand of `lop3` is its table.
                let small = |operand: &mut u64| *operand &= if *opcode == "prmt.b32" { 0xffff } else { 31 };
                match *opcode {
                    "lop3.b32" => operands[3] &= 0xff,
                    "shl.b64" | "shr.u64" | "shr.s64" | "shr.s16" => small(&mut operands[1]),
                    "bfe.u32" | "bfe.s32" => operands[1..3].iter_mut().for_each(small),
                    _ => operands[2..].iter_mut().for_each(small),
                }
                if round % 2 == 1 {
                    operands[..2].iter_mut().for_each(|operand| *operand <<= operand.count_ones() % 32);
                }
                // Up to three undefined bits in each source, in all combinations.
                let mut undefined = [0; 4];
                let sources = match *opcode {
                    "not.b64" | "brev.b32" | "clz.b32" => 1,
                    name if name.starts_with("sh") && !name.starts_with("shf") => 1,
                    name if name.starts_with("cvt") || name.starts_with("bfe") => 1,
                    "lop3.b32" | "mad.lo.s64" | "mad.wide.s32" => 3,
                    _ => 2,
                };
                for (at, bits) in undefined[..sources].iter_mut().enumerate() {
                    if random(10 + at as u64) % 3 != 0 {
                        *bits = (0..3)
                            .fold(0, |bits, index| bits | 1 << (random(20 + 3 * at as u64 + index) % 64));
                    }
                }
                let places: Vec<(usize, u64)> = (0..4)
                    .flat_map(|at| (0..64).map(move |bit| (at, 1 << bit)))
                    .filter(|&(at, bit)| undefined[at] & bit != 0)
                    .collect();
                let first = integer.eval(operands);
                let changed = (0..1_u32 << places.len()).fold(0, |changed, choice| {
                    let mut other = operands;
                    let flipped = places.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1);
                    flipped.for_each(|(_, &(at, bit))| other[at] ^= bit);
                    changed | (first ^ integer.eval(other))
                });
                let told = integer.undefined(operands, undefined);
                let context = format!("{opcode} {operands:x?} {undefined:x?}: {changed:x} {told:x}");
                assert_eq!(changed & !told, 0, "{context}");
                assert!(told == changed || !EXACT.contains(opcode), "{context}");
            }
        }
    }

    #[test]
    fn undefined_bits_of_sums_products_and_choices() {
        let undefined = |opcode: &str, operands: [u64; 4], undefined: [u64; 4]| {
            Integer::decode(&opcode.split('.').collect::<Vec<_>>())
                .expect(opcode)
                .undefined(operands, undefined)
        };
        let high = 0xffff_ffff << 32;
        assert_eq!(undefined("add.s64", [1, 2, 0, 0], [high, 0, 0, 0]), high);
        assert_eq!(undefined("mad.lo.s64", [1, 3, 2, 0], [high, 0, 0, 0]), high);
        assert_eq!(undefined("mul.lo.s64", [1, 1 << 32, 0, 0], [high, 0, 0, 0]), 0, "a shift to the left");
        assert_eq!(undefined("add.s16x2", [1, 2, 0, 0], [0xffff_0000, 0, 0, 0]), 0xffff_0000);
        assert_eq!(undefined("selp.b32", [1, 2, 1, 0], [0, 0xff, 0, 0]), 0);
        assert_eq!(undefined("selp.b32", [1, 2, 1, 0], [0xff, 0, 0, 0]), 0xff);
        assert_eq!(undefined("selp.b32", [1, 2, 1, 0], [0, 0, 1, 0]), MINUS);
        assert_eq!(undefined("shl.b32", [1, 2, 0, 0], [0, 1, 0, 0]), MINUS, "an amount");
        assert_eq!(undefined("min.s32", [1, 2, 0, 0], [1, 0, 0, 0]), MINUS);
        assert_eq!(undefined("min.s32", [1, 2, 0, 0], [0; 4]), 0);
    }

    #[test]
    fn carries() {
        let eval = |opcode: &str, operands: [u64; 4], carry| {
            let words: Vec<&str> = opcode.split('.').collect();
            Extended::decode(&words).expect(opcode).eval(operands, carry)
        };
        assert_eq!(eval("add.cc.u32", [0xffff_ffff, 1, 0, 0], true), (0, true), "the carry is not read");
        assert_eq!(eval("addc.u32", [0xffff_ffff, 1, 0, 0], true), (1, true));
        assert_eq!(eval("sub.cc.u32", [0, 1, 0, 0], false), (0xffff_ffff, true));
        assert_eq!(eval("subc.u32", [5, 1, 0, 0], true), (3, false));
        assert_eq!(eval("mad.lo.cc.u32", [0xffff_ffff, 2, 2, 0], false), (0, true));
        assert_eq!(eval("madc.hi.u32", [0xffff_ffff, 2, 2, 0], true), (4, false));
        assert_eq!(eval("add.cc.u64", [MINUS, 1, 0, 0], false), (0, true));
        assert_eq!(Extended::decode(&["add", "u32"]), None);
    }
}
