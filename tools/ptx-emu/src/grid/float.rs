//! Floating-point instructions of PTX, bit by bit.
//!
//! **Problem.** An interpreted kernel must leave exactly the bytes in memory that a GPU leaves:
//! every rounding, flush, clamp and NaN counts.
//!
//! **Method.** [`Float::decode`] reads the words of an opcode once. It rejects words that it does
//! not know, or that the instruction cannot have. [`Float::eval`] then is a pure function of bits.
//! Packed operands are computed lane by lane. Numbers are computed in [`arithmetic`] and converted
//! in [`format`].
//!
//! **Source.** PTX ISA, sections 9.3 "Operand comparisons", 9.7.3 "Floating Point Instructions",
//! 9.7.4 "Half Precision", 9.7.7 "Comparison and Selection Instructions" and 9.7.9.21 "cvt".
//!
//! **Deviation.**
//!
//! * The results of approximations (`.approx`, `.full`) are not documented to the bit. Here each is
//!   a hash of its opcode and its operands: equal in two texts, and two different computations do
//!   not agree by chance. It is a number in [-2, 2). With [`Float::with_values`] the result is what
//!   ptxas' code computes: [`approximate`]. A reciprocal with `.ftz` always is, as a division may
//!   begin with one.
//! * Every computed NaN is the canonical one of its format, also in `f64`, where PTX promises
//!   nothing. `neg` and `abs` of an `f32` count as computed: PTX leaves their NaN open, and ptxas
//!   makes sums of them. Those of other formats, and `copysign`, work on the bits.
//! * With `.ftz` a result is flushed if it is subnormal after rounding.
//! * A zero is +0 after `.sat` and `.relu`, and -0 is less than +0 for `min` and `max` of every
//!   format. PTX says the latter of 16-bit formats only.
//! * Comparisons with a boolean operator (`setp.lt.and.f32`) are not decoded: the caller drops the
//!   operator and combines the result.
//!
//! **Complexity.** Constant.

mod approximate;
mod arithmetic;
mod format;
#[cfg(test)]
mod tests;

use crate::ptx::value::{mix, mix_text};

pub use approximate::Approximation;
use approximate::Function;
use arithmetic::Arithmetic;
pub use format::{Format, Rounding};

/// A floating-point instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Float {
    operation: Operation,
    from: Type,
    to: Type,
    modifiers: Modifiers,
    /// The format of all operands except the last one, where that has another (`fma.rn.f32.f16`).
    factors: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Arithmetic(Arithmetic),
    Subtract,
    Reciprocal,
    Negate,
    Absolute,
    Extreme {
        is_max: bool,
    },
    CopySign,
    /// The result is a number of the type `to`, or one bit if that is a predicate.
    Compare(Comparison),
    Test(Test),
    Convert,
    Approximate {
        function: Function,
        approximation: Approximation,
        seed: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Comparison {
    is_less: bool,
    is_equal: bool,
    is_greater: bool,
    is_unordered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Type {
    element: Element,
    lanes: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Float(Format),
    Integer { width: u32, is_signed: bool },
    Predicate,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Modifiers {
    rounding: Option<Rounding>,
    /// Rounds to an integral number.
    integral: Option<Rounding>,
    flushes: bool,
    /// Clamps to [0, 1].
    saturates: bool,
    /// Clamps to [0, infinity].
    rectifies: bool,
    /// The largest finite number instead of infinity.
    stays_finite: bool,
    propagates_nan: bool,
    xors_signs: bool,
    takes_absolute: bool,
    is_approximate: bool,
}

const ROUNDINGS: &[&str] = &["rn", "rz", "rm", "rp"];
const INTEGRAL: &[&str] = &["rni", "rzi", "rmi", "rpi"];

impl Modifiers {
    /// Reads words of the opcode. `None` if one of them is not allowed, or excludes another one.
    fn read(words: &[&str], allowed: &[&[&str]]) -> Option<Modifiers> {
        let mut modifiers = Modifiers::default();
        for (index, &word) in words.iter().enumerate() {
            if !allowed.iter().any(|group| group.contains(&word)) || words[..index].contains(&word) {
                return None;
            }
            let rounding = match word.as_bytes() {
                [b'r', b'n', ..] => Rounding::Nearest,
                [b'r', b'z', ..] => Rounding::Zero,
                [b'r', b'm', ..] => Rounding::Down,
                _ => Rounding::Up,
            };
            match word {
                "rna" => modifiers.set_rounding(Rounding::NearestAway)?,
                _ if ROUNDINGS.contains(&word) => modifiers.set_rounding(rounding)?,
                _ if INTEGRAL.contains(&word) => {
                    if modifiers.integral.replace(rounding).is_some() {
                        return None;
                    }
                }
                "ftz" => modifiers.flushes = true,
                "sat" => modifiers.saturates = true,
                "relu" => modifiers.rectifies = true,
                "satfinite" => modifiers.stays_finite = true,
                "NaN" => modifiers.propagates_nan = true,
                "xorsign" => modifiers.xors_signs = true,
                "abs" => modifiers.takes_absolute = true,
                "approx" | "full" => modifiers.is_approximate = true,
                _ => return None,
            }
        }
        Some(modifiers)
    }

    fn set_rounding(&mut self, rounding: Rounding) -> Option<()> {
        self.rounding.replace(rounding).is_none().then_some(())
    }
}

impl Type {
    fn decode(word: &str) -> Option<Type> {
        let float = |format, lanes| Some(Type { element: Element::Float(format), lanes });
        match word {
            "f16" => float(Format::F16, 1),
            "f16x2" => float(Format::F16, 2),
            "bf16" => float(Format::Bf16, 1),
            "bf16x2" => float(Format::Bf16, 2),
            "tf32" => float(Format::Tf32, 1),
            "f32" => float(Format::F32, 1),
            "f32x2" => float(Format::F32, 2),
            "f64" => float(Format::F64, 1),
            "e4m3x2" => float(Format::E4m3, 2),
            "e5m2x2" => float(Format::E5m2, 2),
            "s8" | "u8" | "s16" | "u16" | "s32" | "u32" | "s64" | "u64" => {
                let width = word[1..].parse().ok()?;
                Some(Type { element: Element::Integer { width, is_signed: word.starts_with('s') }, lanes: 1 })
            }
            _ => None,
        }
    }

    /// Reads the type of a computing instruction: a number in a format that has arithmetic.
    fn decode_number(word: &str) -> Option<Type> {
        let is_stored = |format| matches!(format, Format::Tf32 | Format::E4m3 | Format::E5m2);
        Type::decode(word).filter(|ty| matches!(ty.element, Element::Float(format) if !is_stored(format)))
    }

    fn predicate(lanes: u32) -> Type {
        Type { element: Element::Predicate, lanes }
    }

    fn element_width(self) -> u32 {
        match self.element {
            Element::Float(format) => format.width(),
            Element::Integer { width, .. } => width,
            Element::Predicate => 1,
        }
    }

    fn width(self) -> u32 {
        self.element_width() * self.lanes
    }

    fn lane(self, bits: u64, lane: u32) -> u64 {
        let width = self.element_width();
        bits >> (width * lane) & (u64::MAX >> (64 - width))
    }
}

impl Comparison {
    fn decode(word: &str) -> Option<Comparison> {
        let (name, is_unordered) = match word {
            "num" | "nan" => (word, word == "nan"),
            _ => match word.strip_suffix('u') {
                Some(name) => (name, true),
                None => (word, false),
            },
        };
        let (is_less, is_equal, is_greater) = match name {
            "eq" => (false, true, false),
            "ne" => (true, false, true),
            "lt" => (true, false, false),
            "le" => (true, true, false),
            "gt" => (false, false, true),
            "ge" => (false, true, true),
            "num" => (true, true, true),
            "nan" => (false, false, false),
            _ => return None,
        };
        Some(Comparison { is_less, is_equal, is_greater, is_unordered })
    }

    fn holds(self, a: f64, b: f64) -> bool {
        match a.partial_cmp(&b) {
            Some(std::cmp::Ordering::Less) => self.is_less,
            Some(std::cmp::Ordering::Equal) => self.is_equal,
            Some(std::cmp::Ordering::Greater) => self.is_greater,
            None => self.is_unordered,
        }
    }
}

impl Test {
    fn decode(word: &str) -> Option<Test> {
        Some(match word {
            "finite" => Test::Finite,
            "infinite" => Test::Infinite,
            "number" => Test::Number,
            "notanumber" => Test::NotANumber,
            "normal" => Test::Normal,
            "subnormal" => Test::Subnormal,
            _ => return None,
        })
    }

    fn holds(self, format: Format, bits: u64) -> bool {
        let value = format.widen(bits);
        match self {
            Test::Finite => value.is_finite(),
            Test::Infinite => value.is_infinite(),
            Test::Number => !value.is_nan(),
            Test::NotANumber => value.is_nan(),
            Test::Normal => value.is_finite() && value != 0.0 && !format.is_subnormal(bits),
            Test::Subnormal => format.is_subnormal(bits),
        }
    }
}

impl Float {
    /// Reads the words of an opcode, without the dots. `None` if it is not an instruction of this
    /// module.
    pub fn decode(words: &[&str]) -> Option<Float> {
        let (&name, rest) = words.split_first()?;
        match name {
            "cvt" => return Float::decode_convert(rest),
            "set" | "setp" => return Float::decode_compare(name == "set", rest),
            "add" | "sub" | "fma" => {
                if let [words @ .., "f32", factor @ ("f16" | "bf16")] = words {
                    return Float::decode_mixed(words, factor);
                }
            }
            _ => {}
        }
        let (&type_word, rest) = rest.split_last()?;
        let ty = Type::decode_number(type_word)?;
        let Element::Float(format) = ty.element else { return None };
        if rest.contains(&"approx") || rest.contains(&"full") {
            return Float::decode_approximate(words, ty, rest);
        }

        let is_single_or_double = matches!(type_word, "f32" | "f64");
        let has_short_format = matches!(format, Format::F16 | Format::Bf16);
        let roundings = if has_short_format { &ROUNDINGS[..1] } else { ROUNDINGS };
        let can_flush: &[&str] = if matches!(format, Format::F16 | Format::F32) { &["ftz"] } else { &[] };
        let can_saturate: &[&str] = if matches!(type_word, "f16" | "f16x2" | "f32") { &["sat"] } else { &[] };
        let mut to = ty;
        let (operation, modifiers) = match name {
            "add" | "sub" | "mul" => {
                let operation = match name {
                    "add" => Operation::Arithmetic(Arithmetic::Add),
                    "sub" => Operation::Subtract,
                    _ => Operation::Arithmetic(Arithmetic::Multiply),
                };
                (operation, Modifiers::read(rest, &[roundings, can_flush, can_saturate])?)
            }
            "fma" | "mad" => {
                let can_rectify: &[&str] = if has_short_format { &["relu"] } else { &[] };
                let modifiers = Modifiers::read(rest, &[roundings, can_flush, can_saturate, can_rectify])?;
                if name == "mad" && !is_single_or_double || modifiers.saturates && modifiers.rectifies {
                    return None;
                }
                modifiers.rounding?;
                (Operation::Arithmetic(Arithmetic::MultiplyAdd), modifiers)
            }
            "div" | "rcp" | "sqrt" if is_single_or_double => {
                let modifiers = Modifiers::read(rest, &[roundings, can_flush])?;
                modifiers.rounding?;
                let operation = match name {
                    "div" => Operation::Arithmetic(Arithmetic::Divide),
                    "rcp" => Operation::Reciprocal,
                    _ => Operation::Arithmetic(Arithmetic::SquareRoot),
                };
                (operation, modifiers)
            }
            "neg" | "abs" if type_word != "f32x2" => {
                let operation = if name == "neg" { Operation::Negate } else { Operation::Absolute };
                (operation, Modifiers::read(rest, &[can_flush])?)
            }
            "min" | "max" if type_word != "f32x2" => Float::decode_extreme(name, rest, can_flush)?,
            "copysign" if is_single_or_double => (Operation::CopySign, Modifiers::read(rest, &[])?),
            "testp" if is_single_or_double => {
                let [test] = rest else { return None };
                to = Type::predicate(1);
                (Operation::Test(Test::decode(test)?), Modifiers::default())
            }
            _ => return None,
        };
        Some(Float { operation, from: ty, to, modifiers, factors: None })
    }

    /// Reads the modifiers of a minimum or maximum.
    fn decode_extreme(name: &str, words: &[&str], can_flush: &[&str]) -> Option<(Operation, Modifiers)> {
        let modifiers = Modifiers::read(words, &[can_flush, &["NaN", "xorsign", "abs"]])?;
        let is_allowed = modifiers.xors_signs == modifiers.takes_absolute;
        is_allowed.then_some((Operation::Extreme { is_max: name == "max" }, modifiers))
    }

    /// Reads an instruction in `f32` whose operands, except the last, have another format.
    fn decode_mixed(words: &[&str], factor: &str) -> Option<Float> {
        let (&name, rest) = words.split_first()?;
        let modifiers = Modifiers::read(rest, &[ROUNDINGS, &["sat"]])?;
        let operation = match name {
            "add" => Operation::Arithmetic(Arithmetic::Add),
            "sub" => Operation::Subtract,
            _ => {
                modifiers.rounding?;
                Operation::Arithmetic(Arithmetic::MultiplyAdd)
            }
        };
        let ty = Type::decode("f32")?;
        let factors = if factor == "f16" { Format::F16 } else { Format::Bf16 };
        Some(Float { operation, from: ty, to: ty, modifiers, factors: Some(factors) })
    }

    fn decode_compare(has_number: bool, words: &[&str]) -> Option<Float> {
        let (&comparison, rest) = words.split_first()?;
        let (&from, rest) = rest.split_last()?;
        let from = Type::decode_number(from)
            .filter(|&from| from.element_width() * from.lanes < 64 || from.lanes == 1)?;
        let (to, rest) = if has_number {
            let (&to, rest) = rest.split_last()?;
            let to = Type::decode(to).filter(|to| to.lanes == from.lanes)?;
            let is_usable = match to.element {
                Element::Float(format) => matches!(format, Format::F16 | Format::Bf16 | Format::F32),
                Element::Integer { width, .. } => matches!(width, 16 | 32),
                Element::Predicate => false,
            };
            (Some(to).filter(|_| is_usable)?, rest)
        } else {
            (Type::predicate(from.lanes), rest)
        };
        let modifiers = Modifiers::read(rest, &[&["ftz"]])?;
        let operation = Operation::Compare(Comparison::decode(comparison)?);
        Some(Float { operation, from, to, modifiers, factors: None })
    }

    fn decode_convert(words: &[&str]) -> Option<Float> {
        let [rest @ .., to, from] = words else { return None };
        let (to, from) = (Type::decode(to)?, Type::decode(from)?);
        let modifiers =
            Modifiers::read(rest, &[ROUNDINGS, &["rna"], INTEGRAL, &["ftz", "sat", "relu", "satfinite"]])?;
        // One lane becomes one lane, two become two, or two scalars become a pair.
        if from.lanes > to.lanes || to.element == Element::Float(Format::F32) && to.lanes == 2 {
            return None;
        }
        let has_f32 = [to, from].iter().any(|ty| ty.element == Element::Float(Format::F32));
        let is_right = match (from.element, to.element) {
            (Element::Float(source), Element::Float(target)) => {
                let is_same = source == target;
                let is_exact = is_same || source.is_within(target);
                // Rounding away from zero is for tf32 only; fp8 never overflows.
                (modifiers.rounding != Some(Rounding::NearestAway) || target == Format::Tf32)
                    && (modifiers.integral.is_none() || is_same && modifiers.rounding.is_none())
                    && (is_exact || modifiers.rounding.is_some())
                    && (!matches!(target, Format::E4m3 | Format::E5m2) || modifiers.stays_finite)
                    && source != Format::Tf32
            }
            (Element::Float(source), Element::Integer { .. }) => {
                modifiers.integral.is_some()
                    && modifiers.rounding.is_none()
                    && !modifiers.rectifies
                    && !modifiers.stays_finite
                    && !matches!(source, Format::Tf32 | Format::E4m3 | Format::E5m2)
            }
            (Element::Integer { .. }, Element::Float(target)) => {
                modifiers.rounding.is_some_and(|rounding| rounding != Rounding::NearestAway)
                    && modifiers.integral.is_none()
                    && to.lanes == 1
                    && target != Format::Tf32
            }
            _ => false,
        };
        let is_usable = is_right && (has_f32 || !modifiers.flushes);
        is_usable.then_some(Float { operation: Operation::Convert, from, to, modifiers, factors: None })
    }

    fn decode_approximate(words: &[&str], ty: Type, rest: &[&str]) -> Option<Float> {
        let function = Function::decode(words[0], rest.contains(&"full"))?;
        let modifiers = Modifiers::read(rest, &[&["approx", "full", "ftz"]])?;
        if rest.contains(&"full") && rest.contains(&"approx") {
            return None;
        }
        // For these, ptxas writes MUFU alone with `.ftz`; without it MUFU gives the same unless the
        // operand is subnormal. So both have one hash.
        let is_scaled = matches!(function, Function::Log2 | Function::ReciprocalRoot | Function::Root);
        let is_f32 = matches!(ty.element, Element::Float(Format::F32));
        let is_same = |word: &&&str| **word != "ftz" || !is_scaled || !is_f32;
        let seed = words.iter().filter(is_same).fold(0, |seed, word| mix_text(seed, word));
        let operation = Operation::Approximate { function, approximation: Approximation::Hash, seed };
        let float = Float { operation, from: ty, to: ty, modifiers, factors: None };
        if function == Function::Reciprocal && modifiers.flushes {
            return float.with_values();
        }
        Some(float)
    }

    /// The same instruction; if it is approximate, its result is the value of ptxas' code. `None`
    /// if ptxas does not know it.
    pub fn with_values(mut self) -> Option<Float> {
        if let Operation::Approximate { function, approximation, .. } = &mut self.operation {
            let Element::Float(format) = self.from.element else { return None };
            if self.from.lanes > 1 && format.width() > 16 || !function.exists(format, self.modifiers.flushes)
            {
                return None;
            }
            *approximation = Approximation::Value;
        }
        Some(self)
    }

    /// The number of operands that the instruction has.
    pub fn num_operands(&self) -> usize {
        match self.operation {
            Operation::Arithmetic(Arithmetic::MultiplyAdd) => 3,
            Operation::Arithmetic(Arithmetic::SquareRoot)
            | Operation::Reciprocal
            | Operation::Negate
            | Operation::Absolute
            | Operation::Test(_) => 1,
            Operation::Arithmetic(_)
            | Operation::Subtract
            | Operation::Extreme { .. }
            | Operation::CopySign
            | Operation::Compare(_) => 2,
            Operation::Convert => (self.to.lanes / self.from.lanes) as usize,
            Operation::Approximate { function, .. } => function.num_operands(),
        }
    }

    /// Bits of the result. A wider register has copies of the sign above it if
    /// [`Float::has_signed_result`], and zeros otherwise.
    pub fn result_width(&self) -> u32 {
        self.to.width()
    }

    /// Whether the operands are floating-point numbers. Those of a conversion from integers are
    /// not.
    pub fn reads_floats(&self) -> bool {
        matches!(self.from.element, Element::Float(_))
    }

    pub fn has_signed_result(&self) -> bool {
        matches!(self.to.element, Element::Integer { is_signed: true, .. })
    }

    /// Computes the result. Operands and result are right-aligned. Of two predicates, that of the
    /// lower lane is the lower bit.
    pub fn eval(&self, mut operands: [u64; 3]) -> u64 {
        if let Some(format) = self.factors {
            for bits in &mut operands[..self.num_operands() - 1] {
                *bits = Format::F32.narrow(format.widen(*bits & format.mask()), Rounding::Nearest);
            }
        }
        let pairs = self.operation == Operation::Convert && self.from.lanes != self.to.lanes;
        let mut result = 0;
        for lane in 0..self.to.lanes {
            let lane_operands = if pairs {
                // The first operand becomes the upper half.
                [self.from.lane(operands[1 - lane as usize], 0), 0, 0]
            } else {
                operands.map(|bits| self.from.lane(bits, lane))
            };
            result |= self.eval_lane(lane_operands) << (lane * self.to.element_width());
        }
        result
    }

    fn eval_lane(&self, operands: [u64; 3]) -> u64 {
        match (self.operation, self.from.element) {
            (Operation::Convert, _) => self.convert(operands[0]),
            (_, Element::Float(format)) if self.modifiers.flushes => {
                self.eval_number(format, operands.map(|bits| format.flush(bits)))
            }
            (_, Element::Float(format)) => self.eval_number(format, operands),
            // Decoding lets nothing else through.
            (_, Element::Integer { .. } | Element::Predicate) => 0,
        }
    }

    fn eval_number(&self, format: Format, operands: [u64; 3]) -> u64 {
        let [a, b, _] = operands;
        let rounding = self.modifiers.rounding.unwrap_or(Rounding::Nearest);
        let compute = |arithmetic, operands| {
            self.finish(format, arithmetic::compute(arithmetic, format, rounding, operands))
        };
        match self.operation {
            Operation::Arithmetic(arithmetic) => compute(arithmetic, operands),
            Operation::Subtract => compute(Arithmetic::Add, [a, b ^ format.sign_bit(), 0]),
            Operation::Reciprocal => compute(Arithmetic::Divide, [format.one(), a, 0]),
            Operation::Negate | Operation::Absolute if format == Format::F32 && format.is_nan(a) => {
                format.nan()
            }
            Operation::Negate => a ^ format.sign_bit(),
            Operation::Absolute => a & !format.sign_bit(),
            Operation::CopySign => b & !format.sign_bit() | a & format.sign_bit(),
            Operation::Extreme { is_max } => self.extreme(format, is_max, a, b),
            Operation::Compare(comparison) => self.truth(comparison.holds(format.widen(a), format.widen(b))),
            Operation::Test(test) => self.truth(test.holds(format, a)),
            Operation::Approximate { function, approximation, seed } => {
                let result = match approximation {
                    Approximation::Hash => hash(format, seed, &operands[..function.num_operands()]),
                    Approximation::Value => function.eval(format, self.modifiers.flushes, a, b),
                };
                self.finish(format, result)
            }
            // `eval_lane` does it.
            Operation::Convert => 0,
        }
    }

    /// The truth value in the type of the result.
    fn truth(&self, holds: bool) -> u64 {
        match self.to.element {
            _ if !holds => 0,
            Element::Float(format) => format.one(),
            Element::Integer { width, .. } => u64::MAX >> (64 - width),
            Element::Predicate => 1,
        }
    }

    fn extreme(&self, format: Format, is_max: bool, a: u64, b: u64) -> u64 {
        let sign = (a ^ b) & format.sign_bit();
        let [a, b] =
            [a, b].map(|bits| if self.modifiers.xors_signs { bits & !format.sign_bit() } else { bits });
        let result = match (format.is_nan(a), format.is_nan(b)) {
            (true, true) => return format.nan(),
            (true, false) | (false, true) if self.modifiers.propagates_nan => return format.nan(),
            (true, false) => b,
            (false, true) => a,
            // In the total order -0 is less than +0.
            (false, false) => {
                if format.widen(a).total_cmp(&format.widen(b)).is_gt() == is_max {
                    a
                } else {
                    b
                }
            }
        };
        if self.modifiers.xors_signs {
            result | sign
        } else {
            result
        }
    }

    fn convert(&self, bits: u64) -> u64 {
        let rounding = self.modifiers.rounding.unwrap_or(Rounding::Nearest);
        match (self.from.element, self.to.element) {
            (Element::Float(source), Element::Float(target)) => {
                let mut value = source.widen(self.flush_single(source, bits));
                if let Some(integral) = self.modifiers.integral {
                    value = integral.integral(value);
                }
                let result = target.narrow(value, rounding);
                self.finish(target, self.flush_single(target, result))
            }
            (Element::Float(source), Element::Integer { width, is_signed }) => {
                let value = source.widen(self.flush_single(source, bits));
                let integral = self.modifiers.integral.unwrap_or(Rounding::Nearest).integral(value);
                to_integer(integral, source == Format::F64, width, is_signed)
            }
            (Element::Integer { width, is_signed }, Element::Float(target)) => {
                let unused = 64 - width;
                let value =
                    if is_signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) };
                let result = match target {
                    Format::F64 => arithmetic::integer_to_f64(value, rounding),
                    _ => target.narrow(format::integer_to_odd(value), rounding),
                };
                self.finish(target, result)
            }
            // Decoding lets nothing else through.
            _ => 0,
        }
    }

    /// Flushes a subnormal number of `f32`. In conversions `.ftz` concerns no other format.
    fn flush_single(&self, format: Format, bits: u64) -> u64 {
        if self.modifiers.flushes && format == Format::F32 {
            format.flush(bits)
        } else {
            bits
        }
    }

    /// Applies the modifiers to a result.
    fn finish(&self, format: Format, mut bits: u64) -> u64 {
        let modifiers = &self.modifiers;
        if modifiers.flushes && self.operation != Operation::Convert {
            bits = format.flush(bits);
        }
        let is_nan = format.is_nan(bits);
        let is_negative = bits & format.sign_bit() != 0;
        if modifiers.saturates {
            return if is_nan || is_negative { 0 } else { bits.min(format.one()) };
        }
        if modifiers.rectifies && is_negative && !is_nan {
            return 0;
        }
        if modifiers.stays_finite && Some(bits & !format.sign_bit()) == format.infinity() {
            return bits & format.sign_bit() | format.max_finite();
        }
        bits
    }
}

/// Computes a * b + c, rounded once, for the bits of F16, Bf16, F32 or F64.
pub fn multiply_add(format: Format, rounding: Rounding, operands: [u64; 3]) -> u64 {
    arithmetic::compute(Arithmetic::MultiplyAdd, format, rounding, operands)
}

/// Clamps an integral number to the integers of a width.
fn to_integer(value: f64, is_double: bool, width: u32, is_signed: bool) -> u64 {
    if value.is_nan() {
        return if is_double || width == 64 { 1 << (width - 1) } else { 0 };
    }
    let (least, most) =
        if is_signed { (-1 << (width - 1), (1 << (width - 1)) - 1) } else { (0, (1 << width) - 1) };
    // The cast clamps to 128 bits.
    let clamped: i128 = (value as i128).clamp(least, most);
    clamped as u64 & (u64::MAX >> (64 - width))
}

/// A number in [-2, 2) that depends on every bit; NaN if an operand is NaN.
fn hash(format: Format, seed: u64, operands: &[u64]) -> u64 {
    if operands.iter().any(|&bits| format.is_nan(bits)) {
        return format.nan();
    }
    let hash = operands.iter().fold(seed, |hash, &bits| mix(hash, bits));
    // 53 random bits of a fraction.
    let fraction = (hash >> 11) as f64 / (1u64 << 53) as f64;
    format.narrow(4.0 * fraction - 2.0, Rounding::Zero)
}
