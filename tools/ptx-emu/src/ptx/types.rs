//! Checks that each instruction's registers have the widths that its operands need.
//!
//! **Problem.** An interpreter truncates and extends numbers as needed, so a register of the wrong
//! width shows only if its value happens to reveal it. ptxas rejects most such lines, but not all:
//! an address in global memory may have half its width.
//!
//! **Method.** `rules` says for an opcode what each operand needs. Registers and special registers
//! are checked; numbers and names fit everywhere. An opcode without a rule, or an operand in a form
//! that the rule does not know, is counted, not guessed.
//!
//! **Source.** PTX ISA, sections 9.4 "Type Information for Instructions and Operands", 9.4.1
//! "Operand Size Exceeding Instruction-Type Size", and the instructions of 9.7.
//!
//! **Deviation.** Where ptxas accepts a 32-bit register as an address in global memory or a generic
//! one, this check does not, if addresses have 64 bits. Only widths are compared: whether a
//! register is declared `.f32` or `.b32` makes no difference to its bits.
//!
//! **Complexity.** Linear in the text.

use std::collections::BTreeMap;

use super::parse::{self, Function, Instruction, Kind, Operand};
use super::scan::{self, Item};
use super::trace::Space;

mod rules;

/// Bits of a predicate.
const PREDICATE: u32 = 1;

/// The registers that an operand needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// This many bits; in a vector each part.
    Bits(u32),
    /// This many bits or more: surplus bits are truncated or filled. All parts of a vector have the
    /// same width.
    AtLeast(u32),
    /// This many bits; in a vector all parts together.
    Whole(u32),
    /// This many bits, or a predicate.
    BitsOrPredicate(u32),
    /// A memory operand in a state space; `None`: with a generic address.
    Memory(Option<Space>),
    /// The brackets of a texture or a surface: a handle, perhaps a sampler, and coordinates.
    Texture,
    /// An address without brackets.
    GenericAddress,
    /// A number or a name; there is no rule for a register here.
    NoRegister,
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Need::Bits(PREDICATE) | Need::Whole(PREDICATE) => write!(f, "a predicate"),
            Need::Bits(width) | Need::Whole(width) => write!(f, "{width} bits"),
            Need::AtLeast(width) => write!(f, "{width} bits or more, in a vector all alike"),
            Need::BitsOrPredicate(width) => write!(f, "{width} bits or a predicate"),
            Need::Memory(Some(Space::Global)) => write!(f, "64 bits, as an address in global memory has"),
            Need::Memory(None) | Need::GenericAddress => write!(f, "64 bits, as a generic address has"),
            Need::Memory(Some(_)) => write!(f, "32 or 64 bits, as an address in its memory has"),
            Need::Texture => write!(f, "64 bits for a handle, and 32 for a coordinate"),
            Need::NoRegister => write!(f, "no register"),
        }
    }
}

/// A register of another width than its instruction needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongWidth {
    /// Its line in the text.
    pub line: usize,
    /// The function in which it is.
    pub function: String,
    opcode: String,
    /// Its place among the operands, from 1 on; 0 is the guard.
    operand: usize,
    register: String,
    width: u32,
    needed: String,
}

impl WrongWidth {
    /// The error without what may differ between two texts of a function: line and register.
    fn kind(&self) -> (&str, &str, usize, u32) {
        (&self.function, &self.opcode, self.operand, self.width)
    }
}

impl std::fmt::Display for WrongWidth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let WrongWidth { line, function, opcode, operand, register, width, needed } = self;
        let has = match *width {
            PREDICATE => "is a predicate".to_owned(),
            width => format!("has {width} bits"),
        };
        let place = match operand {
            0 => "the guard".to_owned(),
            place => format!("operand {place}"),
        };
        write!(f, "line {line}, function {function}: {register} {has}; {place} of {opcode} needs {needed}")
    }
}

/// The widths in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// Registers of a wrong width.
    pub wrong: Vec<WrongWidth>,
    /// Instructions that were checked.
    pub checked: u64,
    /// Instructions without a rule, by opcode.
    pub unchecked: BTreeMap<String, u64>,
}

impl Widths {
    /// The errors of this text that `other` does not have.
    pub fn beyond<'a>(&'a self, other: &Widths) -> Vec<&'a WrongWidth> {
        let mut known: BTreeMap<_, usize> = BTreeMap::new();
        for wrong in &other.wrong {
            *known.entry(wrong.kind()).or_default() += 1;
        }
        let mut new = Vec::new();
        for wrong in &self.wrong {
            match known.get_mut(&wrong.kind()) {
                Some(left) if *left > 0 => *left -= 1,
                _ => new.push(wrong),
            }
        }
        new
    }
}

/// Checks all functions of a module.
pub fn check(ptx: &str) -> Widths {
    let mut address_bits = 32;
    scan::scan(ptx, |_, item| {
        if let Item::Statement(text) = item {
            if let Some(size) = text.strip_prefix(".address_size") {
                address_bits = size.trim().parse().unwrap_or(address_bits);
            }
        }
    });
    let mut widths = Widths::default();
    for function in parse::parse(ptx) {
        let mut checker = Checker { function: &function, address_bits, wrong: Vec::new() };
        for instruction in function.code.iter().filter(|instruction| instruction.kind == Kind::Instruction) {
            match checker.instruction(instruction) {
                Some(()) => widths.checked += 1,
                None => *widths.unchecked.entry(instruction.opcode.clone()).or_default() += 1,
            }
        }
        widths.wrong.append(&mut checker.wrong);
    }
    widths
}

/// A register that does not fit: name and width.
type Misfit = (String, u32);

struct Checker<'a> {
    function: &'a Function,
    address_bits: u32,
    wrong: Vec<WrongWidth>,
}

impl Checker<'_> {
    /// Checks an instruction; `None` if it has no rule.
    fn instruction(&mut self, instruction: &Instruction) -> Option<()> {
        if let Some((guard, _)) = instruction.guard {
            let misfits = self.register(guard, |width| width == PREDICATE);
            self.note(instruction, 0, Need::Bits(PREDICATE), misfits);
        }
        let words: Vec<&str> = instruction.opcode.split('.').collect();
        let needs = rules::needs(&words, &instruction.operands)?;
        if needs.len() != instruction.operands.len() {
            return None;
        }
        let mut all = Vec::new();
        for (operand, &need) in instruction.operands.iter().zip(&needs) {
            all.push(self.operand(operand, need)?);
        }
        for (index, (misfits, need)) in all.into_iter().zip(needs).enumerate() {
            self.note(instruction, index + 1, need, misfits);
        }
        Some(())
    }

    fn note(&mut self, instruction: &Instruction, operand: usize, need: Need, misfits: Vec<Misfit>) {
        self.wrong.extend(misfits.into_iter().map(|(register, width)| WrongWidth {
            line: instruction.line,
            function: self.function.name.clone(),
            opcode: instruction.opcode.clone(),
            operand,
            register,
            width,
            needed: need.to_string(),
        }));
    }

    /// The register, if its width does not fit.
    fn register(&self, register: parse::Reg, fits: impl Fn(u32) -> bool) -> Vec<Misfit> {
        let register = &self.function.registers[register];
        match fits(register.width) {
            true => vec![],
            false => vec![(register.name.clone(), register.width)],
        }
    }

    /// The registers of an operand that do not fit; `None` if the operand has a form that the need
    /// does not know.
    fn operand(&self, operand: &Operand, need: Need) -> Option<Vec<Misfit>> {
        let fits = |width: u32| match need {
            Need::Bits(bits) | Need::Whole(bits) => width == bits,
            Need::AtLeast(bits) => width >= bits && width != PREDICATE,
            Need::BitsOrPredicate(bits) => width == bits || width == PREDICATE,
            Need::GenericAddress => self.is_address(width, None),
            Need::Memory(_) | Need::Texture | Need::NoRegister => false,
        };
        let all = |parts: &[Operand], need: Need| {
            let misfits: Option<Vec<_>> = parts.iter().map(|part| self.operand(part, need)).collect();
            Some(misfits?.concat())
        };
        match (operand, need) {
            (Operand::Memory(base, _, more), Need::Memory(space)) => {
                let mut misfits = self.base(base, |width| self.is_address(width, space))?;
                // Coordinates of a tensor.
                misfits.extend(all(more, Need::Bits(32))?);
                Some(misfits)
            }
            (Operand::Memory(base, _, more), Need::Texture) => {
                let mut misfits = self.base(base, |width| width == 64)?;
                let (coordinates, samplers) = more.split_last()?;
                misfits.extend(all(samplers, Need::Bits(64))?);
                misfits.extend(self.operand(coordinates, Need::Bits(32))?);
                Some(misfits)
            }
            (Operand::Memory(..), _) | (_, Need::Memory(_) | Need::Texture) => None,
            (Operand::Integer(_) | Operand::Bits(..) | Operand::Symbol(..) | Operand::Sink, _) => {
                Some(vec![])
            }
            (Operand::Group(parts), Need::NoRegister) => all(parts, need),
            (_, Need::NoRegister) => None,
            (Operand::Reg(register), _) => Some(self.register(*register, fits)),
            (Operand::Special(name), _) => Some(match rules::width_of_special(name) {
                Some(width) if !fits(width) => vec![(format!("%{name}"), width)],
                _ => vec![],
            }),
            (Operand::Vector(parts), Need::Whole(width)) => {
                all(parts, Need::Bits(width / parts.len().max(1) as u32))
            }
            (Operand::Vector(parts), Need::AtLeast(_)) => {
                let first = parts.iter().find_map(|part| match part {
                    Operand::Reg(register) => Some(self.function.registers[*register].width),
                    _ => None,
                });
                // If the first part is too narrow, it is the wrong one.
                let need = first.filter(|&width| fits(width)).map_or(need, Need::Bits);
                all(parts, need)
            }
            (Operand::Vector(parts), _) => all(parts, need),
            (Operand::Pair(first, predicate), _) => {
                let mut misfits = self.operand(first, need)?;
                misfits.extend(self.operand(predicate, Need::Bits(PREDICATE))?);
                Some(misfits)
            }
            (Operand::Not(inner) | Operand::Negated(inner), _) => self.operand(inner, need),
            (Operand::Group(_), _) => None,
        }
    }

    /// The register before an offset, if it does not fit.
    fn base(&self, base: &Operand, fits: impl Fn(u32) -> bool) -> Option<Vec<Misfit>> {
        match base {
            Operand::Reg(register) => Some(self.register(*register, fits)),
            Operand::Symbol(..) | Operand::Integer(_) => Some(vec![]),
            _ => None,
        }
    }

    /// Whether an address in a space, or a generic one, may have this many bits.
    fn is_address(&self, width: u32, space: Option<Space>) -> bool {
        let may_be_short = !matches!(space, None | Some(Space::Global)) || self.address_bits == 32;
        width == 64 || width == 32 && may_be_short
    }
}

#[cfg(test)]
mod tests;
