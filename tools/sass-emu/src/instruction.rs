//! Reads instructions: opcode, operands and control fields.
//!
//! **Problem.** The encoding of SASS is not published and changes with the architecture. `nvdisasm`
//! decodes it for all of them.
//!
//! **Method.** `nvdisasm -json` gives opcode, guard and operands of each instruction as text.
//! Operands are parsed here. The control fields are not in the text. They are bits 105 to 125 of
//! the encoding, the same on all architectures from Volta on. Immediates of floating-point
//! instructions are read from bits 32 to 63 of the encoding, where they are exact.
//!
//! **Source.** "CUDA Binary Utilities", section 3; Jia et al., "Dissecting the NVIDIA Volta GPU
//! Architecture", section 2.1.
//!
//! **Complexity.** Linear in the code.

use std::path::Path;
use std::process::Command;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::cubin::Cubin;
use crate::error::Error;

/// Bytes of an instruction.
pub const SIZE: u64 = 16;

/// The scheduling information that ptxas writes into each instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Cycles until the warp may issue its next instruction.
    pub stall: u8,
    /// Whether the scheduler may prefer another warp.
    pub yields: bool,
    /// The scoreboard that is released when the result has been written.
    pub write_barrier: Option<u8>,
    /// The scoreboard that is released when the operands have been read.
    pub read_barrier: Option<u8>,
    /// Scoreboards that must be free before issue, a bit each.
    pub wait: u8,
    /// Operands that stay in the reuse cache, a bit each.
    pub reuse: u8,
}

impl Control {
    /// Reads the upper 64 bits of an instruction.
    pub fn read(high: u64) -> Control {
        let field = |low: u32, bits: u32| (high >> low & ((1 << bits) - 1)) as u8;
        let barrier = |value: u8| (value != 7).then_some(value);
        Control {
            stall: field(41, 4),
            // The bit is set if the warp should go on.
            yields: field(45, 1) == 0,
            write_barrier: barrier(field(46, 3)),
            read_barrier: barrier(field(49, 3)),
            wait: field(52, 6),
            reuse: field(58, 4),
        }
    }
}

/// A register file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Registers {
    /// `R0`: a word for each lane.
    Lane,
    /// `UR0`: a word for the warp.
    Uniform,
}

/// A register; a `None` number is `RZ` or `URZ`, which is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Register {
    pub file: Registers,
    pub number: Option<u8>,
}

/// A predicate; a `None` number is `PT` or `UPT`, which is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Predicate {
    pub is_uniform: bool,
    pub number: Option<u8>,
    pub is_negated: bool,
}

/// An address: up to two registers and an offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    pub terms: Vec<Term>,
    pub offset: i64,
}

/// A register of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    pub register: Register,
    /// Whether it is a pair of 64 bits.
    pub is_wide: bool,
    /// Whether it has 32 bits in an address of 64: `.U32`.
    pub is_narrow: bool,
    /// Its factor: `.X4`.
    pub scale: u8,
}

/// The main part of an operand.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Register(Register),
    Predicate(Predicate),
    /// A convergence barrier: `B0`.
    Barrier(u8),
    Integer(i64),
    /// A floating-point number; its bits are in the encoding.
    Float(f64),
    /// `c[bank][address]`
    Constant(u8, Address),
    Memory(Address),
    /// `[shared][global]`: both places of a copy.
    Copy(Address, Address),
    /// Anything else: a special register, a function, `PR`.
    Name(String),
}

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub value: Value,
    pub is_negated: bool,
    pub is_inverted: bool,
    pub is_absolute: bool,
    /// The text after the value, without `reuse`: `H0_H0`, `64`, `ROW`.
    pub suffixes: Vec<String>,
}

impl Operand {
    pub fn register(&self) -> Option<Register> {
        match self.value {
            Value::Register(register) => Some(register),
            _ => None,
        }
    }

    pub fn predicate(&self) -> Option<Predicate> {
        match self.value {
            Value::Predicate(predicate) => Some(predicate),
            _ => None,
        }
    }

    pub fn has(&self, suffix: &str) -> bool {
        self.suffixes.iter().any(|own| own == suffix)
    }
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its offset from the start of the section.
    pub address: u64,
    pub guard: Option<Predicate>,
    /// `LDG.E.64`: the name of the operation, and its modifiers.
    pub opcode: String,
    pub operands: Vec<Operand>,
    pub control: Control,
    /// Bits 32 to 63 of the encoding: the immediate, if the instruction has one.
    pub immediate: u32,
    /// The text that nvdisasm prints.
    pub text: String,
}

impl Instruction {
    /// The opcode without modifiers.
    pub fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    pub fn modifiers(&self) -> impl Iterator<Item = &str> {
        self.opcode.split('.').skip(1)
    }

    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers().any(|own| own == modifier)
    }
}

#[derive(Deserialize)]
struct Function {
    #[serde(rename = "function-name")]
    name: String,
    #[serde(rename = "sass-instructions")]
    instructions: Vec<Line>,
}

/// The text of an instruction, as `nvdisasm -json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    predicate: Option<String>,
    opcode: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    operands: String,
}

impl Line {
    /// Replaces the operands that are names which `name` knows.
    pub fn rename(&mut self, name: impl Fn(&str) -> Option<String>) {
        let is_name = |operand: &str| operand.starts_with(|letter: char| letter.is_ascii_lowercase());
        if !self.operands.split(',').any(is_name) {
            return;
        }
        let renamed =
            self.operands.split(',').map(|operand| name(operand).unwrap_or_else(|| operand.to_owned()));
        self.operands = renamed.collect::<Vec<_>>().join(",");
    }
}

/// The code of each kernel, by name.
pub type Listing = FxHashMap<String, Vec<Instruction>>;

/// Disassembles a cubin with `nvdisasm`.
///
/// # Errors
///
/// If the program cannot be started, the error names it. If it rejects the cubin, the error is its
/// message.
pub fn disassemble(nvdisasm: &Path, file: &Path, cubin: &Cubin) -> Result<Listing, Error> {
    of_kernels(run(nvdisasm, file)?, cubin)
}

/// Runs `nvdisasm`: the lines of each function.
pub(crate) fn run(nvdisasm: &Path, file: &Path) -> Result<FxHashMap<String, Vec<Line>>, Error> {
    let program = nvdisasm.display().to_string();
    let output = Command::new(nvdisasm).arg("-json").arg(file).output();
    let output =
        output.map_err(|why| Error::Disassembler { program: program.clone(), why: why.to_string() })?;
    let complain = |why: String| Error::Disassembly { program: program.clone(), why };
    if !output.status.success() {
        return Err(complain(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    lines(&String::from_utf8_lossy(&output.stdout)).map_err(|why| complain(why.to_string()))
}

/// Reads the output of `nvdisasm -json`.
fn lines(json: &str) -> Result<FxHashMap<String, Vec<Line>>, Error> {
    let (_, functions): (serde_json::Value, Vec<Function>) =
        serde_json::from_str(json).map_err(|why| Error::Json { why: why.to_string() })?;
    Ok(functions.into_iter().map(|function| (function.name, function.instructions)).collect())
}

/// Reads the output of `nvdisasm -json`.
///
/// # Errors
///
/// If it is not such output, or an instruction cannot be read.
pub fn listing(json: &str, cubin: &Cubin) -> Result<Listing, Error> {
    of_kernels(lines(json)?, cubin)
}

fn of_kernels(functions: FxHashMap<String, Vec<Line>>, cubin: &Cubin) -> Result<Listing, Error> {
    let mut listing = Listing::default();
    for (name, lines) in functions {
        let Some(kernel) = cubin.kernels.get(&name) else { continue };
        listing.insert(name, code(&lines, &kernel.code)?);
    }
    Ok(listing)
}

/// The instructions with these lines and bytes.
///
/// # Errors
///
/// If one cannot be read.
pub fn code(lines: &[Line], bytes: &[u8]) -> Result<Vec<Instruction>, Error> {
    let one = |(number, (line, bytes)): (usize, (&Line, &[u8]))| {
        let half = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap_or_default());
        instruction(line, number as u64 * SIZE, half(0), half(8))
    };
    lines.iter().zip(bytes.chunks_exact(SIZE as usize)).enumerate().map(one).collect()
}

fn instruction(line: &Line, address: u64, low: u64, high: u64) -> Result<Instruction, Error> {
    // P2R has the predicate file here: it is its operand, not a guard.
    let guard = line.predicate.as_deref().filter(|text| *text != "PR").map(|text| {
        let name = text.trim().trim_start_matches('@');
        predicate(name).ok_or_else(|| Error::Guard { guard: text.to_owned() })
    });
    let operands = split(&line.operands).map(operand).collect::<Option<Vec<_>>>();
    let guarded = line.predicate.as_ref().map(|guard| format!("{guard} ")).unwrap_or_default();
    let text = format!("{guarded}{} {}", line.opcode, line.operands.replace(',', ", "));
    Ok(Instruction {
        address,
        guard: guard.transpose()?,
        opcode: line.opcode.clone(),
        operands: operands.ok_or_else(|| Error::Operands { instruction: text.clone() })?,
        control: Control::read(high),
        immediate: (low >> 32) as u32,
        text: text.trim_end().to_owned(),
    })
}

/// The operands of a list, separated by commas outside brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |letter| {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|operand| !operand.is_empty())
}

fn predicate(text: &str) -> Option<Predicate> {
    let (is_negated, name) = match text.strip_prefix('!') {
        Some(name) => (true, name),
        None => (false, text),
    };
    let (is_uniform, name) = match name.strip_prefix('U') {
        Some(name) => (true, name),
        None => (false, name),
    };
    let number = match name.strip_prefix('P')? {
        "T" => None,
        digit => Some(digit.parse().ok().filter(|&number: &u8| number < 7)?),
    };
    Some(Predicate { is_uniform, number, is_negated })
}

fn register(text: &str) -> Option<Register> {
    let (file, name) = match text.strip_prefix('U') {
        Some(name) => (Registers::Uniform, name),
        None => (Registers::Lane, text),
    };
    let number = match name.strip_prefix('R')? {
        "Z" => None,
        digits => Some(digits.parse().ok()?),
    };
    Some(Register { file, number })
}

fn integer(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let number = match digits.strip_prefix("0x") {
        // An unsigned number may need all 64 bits.
        Some(digits) => u64::from_str_radix(digits, 16).ok()? as i64,
        None => digits.parse().ok()?,
    };
    number.checked_mul(sign)
}

fn address(text: &str) -> Option<Address> {
    let mut address = Address::default();
    for part in text.split('+').map(str::trim).filter(|part| !part.is_empty()) {
        if let Some(offset) = integer(part) {
            address.offset += offset;
            continue;
        }
        let mut names = part.split('.');
        let register = register(names.next()?)?;
        let mut term = Term { register, is_wide: false, is_narrow: false, scale: 1 };
        for suffix in names {
            match suffix {
                "64" => term.is_wide = true,
                "U32" => term.is_narrow = true,
                "reuse" => {}
                _ => term.scale = suffix.strip_prefix('X')?.parse().ok()?,
            }
        }
        if register.number.is_some() {
            address.terms.push(term);
        }
    }
    Some(address)
}

fn operand(text: &str) -> Option<Operand> {
    let mut rest = text.trim();
    let mut operand = Operand {
        value: Value::Integer(0),
        is_negated: false,
        is_inverted: false,
        is_absolute: false,
        suffixes: Vec::new(),
    };
    if let Some(predicate) = predicate(rest) {
        operand.value = Value::Predicate(predicate);
        return Some(operand);
    }
    if let Some(number) = integer(rest) {
        operand.value = Value::Integer(number);
        return Some(operand);
    }
    if let Some(number) = float(rest) {
        operand.value = Value::Float(number);
        return Some(operand);
    }
    if let Some(inner) = rest.strip_prefix('-') {
        (operand.is_negated, rest) = (true, inner);
    }
    if let Some(inner) = rest.strip_prefix('~') {
        (operand.is_inverted, rest) = (true, inner);
    }
    if let Some(inner) = rest.strip_prefix('|') {
        operand.is_absolute = true;
        let (inner, after) = inner.split_once('|')?;
        operand.suffixes.extend(suffixes(after));
        rest = inner;
    }
    if let Some(bank) = rest.strip_prefix("c[") {
        let (bank, place) = bank.split_once("][")?;
        let (place, after) = place.rsplit_once(']')?;
        operand.value = Value::Constant(integer(bank)?.try_into().ok()?, address(place)?);
        operand.suffixes.extend(suffixes(after));
        return Some(operand);
    }
    if let Some(place) = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        let own = address(place.1)?;
        // Before the address there may be a descriptor, which does not count in it, or a copy's
        // place in shared memory.
        operand.value = match place.0.strip_prefix('[') {
            Some(shared) => Value::Copy(address(shared.trim_end_matches(']'))?, own),
            None => Value::Memory(own),
        };
        return Some(operand);
    }
    let name = rest.split('.').next()?;
    let barrier = name.strip_prefix('B').and_then(|digits| digits.parse().ok());
    operand.value = match (register(name), barrier) {
        (Some(register), _) => Value::Register(register),
        (None, Some(barrier)) => Value::Barrier(barrier),
        (None, None) => {
            operand.value = Value::Name(rest.trim().to_owned());
            return Some(operand);
        }
    };
    operand.suffixes.extend(suffixes(&rest[name.len()..]));
    Some(operand)
}

fn suffixes(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('.').filter(|suffix| !suffix.is_empty() && *suffix != "reuse").map(str::to_owned)
}

fn float(text: &str) -> Option<f64> {
    if text.ends_with("INF") || text.ends_with("QNAN") || text.ends_with("SNAN") {
        return Some(if text.ends_with("NAN") { f64::NAN } else { f64::INFINITY });
    }
    text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-' || letter == '+')
        .then(|| text.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_that_are_names_get_other_ones() {
        let renamed = |operands: &str| {
            let mut line = Line { predicate: None, opcode: "CALL".to_owned(), operands: operands.to_owned() };
            line.rename(|name| (name == "code_1").then(|| "k".to_owned()));
            line.operands
        };
        assert_eq!(renamed("R2,code_1"), "R2,k");
        assert_eq!(renamed("R2,c[0x0][0x28],code_10"), "R2,c[0x0][0x28],code_10");
        assert_eq!(renamed(""), "");
    }

    #[test]
    fn operands_are_read_with_signs_and_suffixes() {
        let read = |text| operand(text).unwrap();
        let r = |number| Register { file: Registers::Lane, number: Some(number) };
        let it = read("-|R12.reuse|.H1_H1");
        assert!(it.is_negated && it.is_absolute && it.has("H1_H1"));
        assert_eq!(it.value, Value::Register(r(12)));
        assert_eq!(read("RZ").value, Value::Register(Register { file: Registers::Lane, number: None }));
        assert_eq!(read("-0x10").value, Value::Integer(-16));
        assert_eq!(read("+INF ").value, Value::Float(f64::INFINITY));
        let place = Address {
            terms: vec![Term { register: r(7), is_wide: false, is_narrow: false, scale: 1 }],
            offset: 0x178,
        };
        assert_eq!(read("c[0x0][R7+0x178]").value, Value::Constant(0, place));
        let Value::Memory(place) = read("desc[UR6][R2.64+-0x4]").value else { panic!() };
        assert_eq!((place.offset, place.terms[0].is_wide), (-4, true));
        assert_eq!(read("B2").value, Value::Barrier(2));
        assert_eq!(read("SR_TID.X").value, Value::Name("SR_TID.X".to_owned()));
        assert_eq!(split("P0,PT,[0x28][R2.64+0x2c],R4").count(), 4);
    }

    #[test]
    fn control_fields_are_those_of_the_encoding() {
        // S2R with a stall of 7 cycles; it sets scoreboard 0.
        let control = Control::read(0x000e_2e00_0000_2100);
        assert_eq!((control.stall, control.write_barrier, control.read_barrier), (7, Some(0), None));
        assert_eq!(control.wait, 0);
    }
}
