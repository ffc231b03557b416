//! Parses PTX text into functions that can be run.
//!
//! It reads what LLVM's NVPTX backend prints. A statement is an optional guard, an opcode with its
//! modifiers, and operands between commas. The parser does not know what an opcode means;
//! [`super::run`] does. Names become numbers: registers by the scope of their `.reg`, labels by the
//! block that contains them (inline assembly has both).
//!
//! Two kinds of comments matter. `implicit-def: %r5` is an IMPLICIT_DEF: from there on the register
//! is undefined. And LLVM accepts any text as inline assembly: tests/lit/Inputs/random-ir.py writes
//! comments that say which operands are results. LLVM itself never prints these:
//!
//! ```text
//! // asm %r1 &%r2 <- %r2 : %r3 %rd1       results (& for early-clobber), tied operands (by their results' registers:
//!                                         assembly names these alone), other operands
//! // volatile asm ...                     the same with a side effect
//! ```
//!
//! If anything in a function is not understood, its problem says where, and it is not run.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::Error;

use super::scan::{self, Item};

/// A register's index in [`Function::registers`].
pub type Reg = usize;

/// An operand of an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A virtual register.
    Reg(Reg),
    /// `%tid.x` and other special registers.
    Special(String),
    /// Whole number, truncated to the width of its use.
    Integer(i128),
    /// `0f3F800000`: the bits, and how many.
    Bits(u64, u32),
    /// The address of a symbol, and an offset. Also labels and callees.
    Symbol(String, i64),
    /// `{a, b}`.
    Vector(Vec<Operand>),
    /// `[a+8]`: address and offset; after a comma, coordinates or more.
    Memory(Box<Operand>, i64, Vec<Operand>),
    /// `p|q`.
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`
    Not(Box<Operand>),
    /// `-a`
    Negated(Box<Operand>),
    /// `(param0, param1)`.
    Group(Vec<Operand>),
    /// `_`
    Sink,
}

impl Operand {
    /// Appends all registers of the operand.
    pub fn registers(&self, into: &mut Vec<Reg>) {
        match self {
            Operand::Reg(reg) => into.push(*reg),
            Operand::Vector(parts) | Operand::Group(parts) => {
                parts.iter().for_each(|part| part.registers(into));
            }
            Operand::Memory(base, _, more) => {
                base.registers(into);
                more.iter().for_each(|part| part.registers(into));
            }
            Operand::Pair(first, second) => {
                first.registers(into);
                second.registers(into);
            }
            Operand::Not(inner) | Operand::Negated(inner) => inner.registers(into),
            _ => {}
        }
    }
}

/// The kind of a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// An instruction of PTX.
    Instruction,
    /// `.param` of a call: the operand is its name, the number its size.
    Declare(u64),
    /// The registers among the operands are undefined.
    ImplicitDef,
    /// Inline assembly in a comment: `results` operands (the set bits of `early` mark those that
    /// are early-clobber), then `tied` ones, then others.
    Assembly {
        /// The first operands, which it writes.
        results: usize,
        /// Which of them are early-clobber, a bit each.
        early: u128,
        /// The number of operands after these that share a register with a result.
        tied: usize,
        /// Whether it must not be moved or removed.
        is_volatile: bool,
    },
}

/// An instruction as written in the text.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Its line in the text, from 1 on.
    pub line: usize,
    /// Its kind.
    pub kind: Kind,
    /// It runs only if this predicate is true (or false, if the second is set).
    pub guard: Option<(Reg, bool)>,
    /// The opcode with all its words: `add.s32`.
    pub opcode: String,
    /// The operands, in the order of the text.
    pub operands: Vec<Operand>,
    /// The targets of a branch.
    pub targets: Vec<usize>,
}

/// A virtual register.
#[derive(Clone, Debug)]
pub struct Register {
    /// Its name with the percent sign.
    pub name: String,
    /// Its bits; 1 for a predicate.
    pub width: u32,
}

/// A function with a body.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Its name in the text.
    pub name: String,
    /// Everything before the opening brace.
    pub head: String,
    /// The line on which the head begins, from 1 on.
    pub line: usize,
    /// Variables in local memory: name, alignment, bytes.
    pub locals: Vec<(String, u64, u64)>,
    /// Its virtual registers, in the order of their declarations.
    pub registers: Vec<Register>,
    /// Its instructions, in the order of the text.
    pub code: Vec<Instruction>,
    /// The instructions of each statement of inline assembly, in the order of the text.
    pub assemblies: Vec<Range<usize>>,
    /// The error, if something was not understood.
    pub problem: Option<Error>,
}

/// All functions of a module that have a body.
pub fn parse(ptx: &str) -> Vec<Function> {
    let mut parser = Parser::default();
    scan::scan(ptx, |line, item| parser.take(line, item));
    parser.functions
}

#[derive(Default)]
struct Parser {
    functions: Vec<Function>,
    /// Name, head and line of the function whose body begins next.
    head: Option<(String, String, usize)>,
    /// The function that is being read.
    body: Option<Body>,
    /// Blocks that are open.
    depth: usize,
}

#[derive(Default)]
struct Scope {
    parent: usize,
    /// `%r1` and what it is.
    names: HashMap<String, Reg>,
    /// `%r` of `.reg .b32 %r<12>`: the width, and the count.
    stems: HashMap<String, (u32, u64)>,
    labels: HashMap<String, usize>,
}

struct Body {
    function: Function,
    scopes: Vec<Scope>,
    open: Vec<usize>,
    /// The scope of every instruction, for labels.
    scope_of: Vec<usize>,
    last_label: String,
    tables: HashMap<String, Vec<String>>,
    in_assembly: bool,
    line: usize,
}

impl Parser {
    fn take(&mut self, line: usize, item: Item) {
        match item {
            Item::Open => {
                self.depth += 1;
                match (&mut self.body, self.head.take()) {
                    (None, Some((name, head, line))) if self.depth == 1 => {
                        self.body = Some(Body::new(name, head, line));
                    }
                    (Some(body), _) => body.open_scope(),
                    _ => {}
                }
            }
            Item::Close => {
                self.depth = self.depth.saturating_sub(1);
                if let Some(mut body) = self.body.take() {
                    if self.depth == 0 {
                        body.resolve();
                        self.functions.push(body.function);
                    } else {
                        body.open.pop();
                        self.body = Some(body);
                    }
                }
            }
            Item::Statement(text) => match &mut self.body {
                Some(body) => body.take(line, |body| body.statement(&text)),
                None => self.head = function_name(&text).map(|name| (name, text, line)),
            },
            Item::Label(name) => {
                if let Some(body) = &mut self.body {
                    body.label(name);
                }
            }
            Item::Comment(text) => {
                if let Some(body) = &mut self.body {
                    body.take(line, |body| body.comment(text));
                }
            }
        }
    }
}

/// The name in `.visible .func (.param .b32 func_retval0) f( ...`; `None` for another directive.
pub(super) fn function_name(head: &str) -> Option<String> {
    let after = [".entry", ".func"].iter().find_map(|word| {
        let (before, after) = head.split_once(word)?;
        before.split_whitespace().all(|word| word.starts_with('.')).then_some(after)
    })?;
    let after = after.trim_start();
    let after = match after.strip_prefix('(') {
        Some(results) => results.split_once(')')?.1.trim_start(),
        None => after,
    };
    Some(after.split(['(', ' ']).next().unwrap_or("").to_owned())
}

impl Body {
    fn new(name: String, head: String, line: usize) -> Self {
        Body {
            function: Function { name, head, line, ..Function::default() },
            scopes: vec![Scope::default()],
            open: vec![0],
            scope_of: Vec::new(),
            last_label: String::new(),
            tables: HashMap::new(),
            in_assembly: false,
            line: 0,
        }
    }

    fn take(&mut self, line: usize, read: impl FnOnce(&mut Self) -> Result<(), Error>) {
        self.line = line;
        if let Err(why) = read(self) {
            self.function.problem.get_or_insert(why.on(line));
        }
    }

    fn scope(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn open_scope(&mut self) {
        let parent = self.scope();
        self.open.push(self.scopes.len());
        self.scopes.push(Scope { parent, ..Scope::default() });
    }

    fn label(&mut self, name: String) {
        let (scope, at) = (self.scope(), self.function.code.len());
        self.last_label.clone_from(&name);
        self.scopes[scope].labels.insert(name, at);
    }

    fn add(&mut self, kind: Kind, opcode: &str, operands: Vec<Operand>) {
        let instruction = Instruction {
            line: self.line,
            kind,
            guard: None,
            opcode: opcode.to_owned(),
            operands,
            targets: Vec::new(),
        };
        self.function.code.push(instruction);
        self.scope_of.push(self.scope());
        if let Some(assembly) = self.function.assemblies.last_mut().filter(|_| self.in_assembly) {
            assembly.end = self.function.code.len();
        }
    }

    fn comment(&mut self, text: &str) -> Result<(), Error> {
        match text {
            "begin inline asm" => {
                let first = self.function.code.len();
                self.function.assemblies.push(first..first);
                self.in_assembly = true;
            }
            "end inline asm" => self.in_assembly = false,
            _ => {
                if let Some(names) = text.strip_prefix("implicit-def: ") {
                    let operand = self.operand(names.trim())?;
                    self.add(Kind::ImplicitDef, "implicit-def", vec![operand]);
                } else if self.in_assembly {
                    return self.assembly(text);
                }
            }
        }
        Ok(())
    }

    fn assembly(&mut self, text: &str) -> Result<(), Error> {
        let (is_volatile, body) = match text.strip_prefix("volatile asm") {
            Some(body) => (true, body),
            None => (false, text.strip_prefix("asm").unwrap_or("")),
        };
        // Triton names the accumulators here. They are tied: the results are in the registers of
        // the operands.
        if text.starts_with("wait for regs:") {
            return Ok(());
        }
        let Some((results, others)) = body.split_once("<-") else {
            // A comment between instructions means nothing, unless it names registers.
            return match text.contains('%') {
                true => Err("inline assembly in a comment, results unknown".into()),
                false => Ok(()),
            };
        };
        let (tied, plain) = others.split_once(':').ok_or("inline assembly without :")?;
        let mut operands = Vec::new();
        let mut early = 0;
        for (index, word) in results.split_whitespace().enumerate() {
            early |= u128::from(word.starts_with('&')) << index;
            operands.push(self.operand(word.trim_start_matches('&'))?);
        }
        let results = operands.len();
        for word in tied.split_whitespace().chain(plain.split_whitespace()) {
            operands.push(self.operand(word)?);
        }
        let tied = tied.split_whitespace().count();
        self.add(Kind::Assembly { results, early, tied, is_volatile }, "asm", operands);
        Ok(())
    }

    fn statement(&mut self, text: &str) -> Result<(), Error> {
        if text.starts_with('.') {
            return self.directive(text);
        }
        let (guard, text) = match text.strip_prefix('@') {
            Some(guarded) => {
                let (name, rest) =
                    guarded.trim_start().split_once(' ').ok_or("a guard without instruction")?;
                let reg = self.register(name.trim_start_matches('!')).ok_or("unknown guard")?;
                (Some((reg, name.starts_with('!'))), rest.trim_start())
            }
            None => (None, text),
        };
        // `{%r1}` may follow the opcode directly.
        let end = text.find([' ', '{', '(', '[']).unwrap_or(text.len());
        let (opcode, rest) = text.split_at(end);
        let operands =
            split(rest).into_iter().map(|word| self.operand(word)).collect::<Result<Vec<_>, _>>()?;
        self.add(Kind::Instruction, opcode, operands);
        if let Some(last) = self.function.code.last_mut() {
            last.guard = guard;
        }
        Ok(())
    }

    fn directive(&mut self, text: &str) -> Result<(), Error> {
        let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
        match name {
            ".reg" => self.registers(rest),
            ".param" => self.parameter(rest),
            ".branchtargets" => {
                let names = rest.split(',').map(|name| name.trim().to_owned()).collect();
                self.tables.insert(self.last_label.clone(), names);
                Ok(())
            }
            ".local" => {
                let (name, align, size) = sized(rest)?;
                self.function.locals.push((name, align, size));
                Ok(())
            }
            // Shared variables get addresses from their names.
            ".shared" | ".global" | ".const" | ".loc" | ".file" | ".pragma" | ".callprototype" => Ok(()),
            ".noreturn" | ".maxntid" | ".reqntid" | ".minnctapersm" | ".maxnreg" => Ok(()),
            _ => Err(Error::unknown("directive", name)),
        }
    }

    /// `.b32 %r<12>, %SP`; also `.v2 .b32 %v`.
    fn registers(&mut self, text: &str) -> Result<(), Error> {
        let (kind, names) = text.split_once(' ').ok_or("a .reg without names")?;
        let width = type_width(kind.trim_start_matches('.')).ok_or_else(|| Error::unknown("type", kind))?;
        let scope = self.scope();
        for name in names.split(',').map(str::trim) {
            match name.split_once('<') {
                Some((stem, count)) => {
                    let count =
                        count.trim_end_matches('>').trim().parse().map_err(|_| "a .reg without number")?;
                    self.scopes[scope].stems.insert(stem.to_owned(), (width, count));
                }
                None => {
                    let reg = self.function.registers.len();
                    self.function.registers.push(Register { name: name.to_owned(), width });
                    self.scopes[scope].names.insert(name.to_owned(), reg);
                }
            }
        }
        Ok(())
    }

    /// `.b32 param0` or `.align 16 .b8 param1[16]` in a call sequence.
    fn parameter(&mut self, text: &str) -> Result<(), Error> {
        let (name, _, size) = sized(text)?;
        self.add(Kind::Declare(size), ".param", vec![Operand::Symbol(name, 0)]);
        Ok(())
    }

    /// The register of this name, seen from the innermost scope.
    fn register(&mut self, name: &str) -> Option<Reg> {
        for &scope in self.open.iter().rev() {
            if let Some(&reg) = self.scopes[scope].names.get(name) {
                return Some(reg);
            }
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            if let Some(&(width, count)) = self.scopes[scope].stems.get(stem) {
                if name[stem.len()..].parse().is_ok_and(|number: u64| number < count) {
                    let reg = self.function.registers.len();
                    self.function.registers.push(Register { name: name.to_owned(), width });
                    self.scopes[scope].names.insert(name.to_owned(), reg);
                    return Some(reg);
                }
            }
        }
        None
    }

    fn operand(&mut self, text: &str) -> Result<Operand, Error> {
        let text = text.trim();
        let inside = |open, close| text.strip_prefix(open)?.strip_suffix(close);
        if let Some(list) = inside('{', '}') {
            return Ok(Operand::Vector(self.operands(list)?));
        }
        if let Some(list) = inside('(', ')') {
            return Ok(Operand::Group(self.operands(list)?));
        }
        if let Some(list) = inside('[', ']') {
            let words = split(list);
            let (address, more) = words.split_first().ok_or("an empty address")?;
            let more = more.iter().map(|word| self.operand(word)).collect::<Result<_, _>>()?;
            let (base, offset) = split_offset(address);
            return Ok(Operand::Memory(Box::new(self.operand(base)?), offset, more));
        }
        if let Some((a, b)) = text.split_once('|') {
            return Ok(Operand::Pair(Box::new(self.operand(a)?), Box::new(self.operand(b)?)));
        }
        if text == "_" {
            return Ok(Operand::Sink);
        }
        if let Some(rest) = text.strip_prefix('!') {
            return Ok(Operand::Not(Box::new(self.operand(rest)?)));
        }
        if let Some(number) = number(text) {
            return Ok(number);
        }
        if let Some(rest) = text.strip_prefix('-') {
            return Ok(Operand::Negated(Box::new(self.operand(rest)?)));
        }
        if let Some(reg) = self.register(text) {
            return Ok(Operand::Reg(reg));
        }
        if let Some(name) = text.strip_prefix('%') {
            // A register must be declared. Of the special registers only these may end in a digit.
            let is_special = !name.ends_with(|c: char| c.is_ascii_digit())
                || ["envreg", "pm", "reserved_smem_offset_", "clock64"]
                    .iter()
                    .any(|known| name.starts_with(known));
            return match is_special {
                true => Ok(Operand::Special(name.to_owned())),
                false => Err(Error::unknown("register", text)),
            };
        }
        let (name, offset) = split_offset(text);
        let fits = |c: char| c.is_ascii_alphanumeric() || "_$.%".contains(c);
        if name.is_empty() || !name.chars().all(fits) {
            return Err(Error::unknown("operand", text));
        }
        Ok(Operand::Symbol(name.to_owned(), offset))
    }

    fn operands(&mut self, list: &str) -> Result<Vec<Operand>, Error> {
        split(list).into_iter().map(|word| self.operand(word)).collect()
    }

    /// Fills in the targets of branches.
    fn resolve(&mut self) {
        for (index, &scope) in self.scope_of.iter().enumerate() {
            let instruction = &mut self.function.code[index];
            let opcode = instruction.opcode.split('.').next().unwrap_or("");
            let names: Vec<&String> = match (opcode, instruction.operands.as_slice()) {
                ("bra", [Operand::Symbol(name, _)]) => vec![name],
                ("brx", [_, Operand::Symbol(table, _)]) => {
                    self.tables.get(table).map_or(vec![], |names| names.iter().collect())
                }
                ("bra" | "brx", _) => vec![],
                _ => continue,
            };
            let find = |name: &String| {
                let mut scope = scope;
                loop {
                    match self.scopes[scope].labels.get(name) {
                        Some(&at) => return Some(at),
                        None if scope == 0 => return None,
                        None => scope = self.scopes[scope].parent,
                    }
                }
            };
            match names.into_iter().map(find).collect::<Option<Vec<_>>>() {
                Some(targets) if !targets.is_empty() => instruction.targets = targets,
                _ => {
                    let why = Error::from("a branch to nowhere");
                    self.function.problem.get_or_insert(why.on(instruction.line));
                }
            }
        }
    }
}

/// Reads `.b32 name` or `.align 16 .b8 name[16]`: name, alignment and bytes. Words such as
/// `.global` may stand between. After `.ptr` the alignment is that of the pointer's target, which
/// is ignored.
pub fn sized(text: &str) -> Result<(String, u64, u64), Error> {
    let (mut align, mut width, mut name, mut is_pointer) = (None, None, String::new(), false);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word.strip_prefix('.') {
            Some("align") => {
                let number = words.next().and_then(|word| word.parse().ok());
                align = if is_pointer { align } else { number };
            }
            Some("ptr") => is_pointer = true,
            Some(word) => width = width.or(type_width(word)),
            None => name.push_str(word),
        }
    }
    let bytes = u64::from(width.ok_or_else(|| Error::unknown("type", format!("of {name}")))?) / 8;
    let (name, count) = match name.split_once('[') {
        Some((name, count)) => {
            let count = count.trim_end_matches(']');
            (name, if count.is_empty() { 0 } else { count.parse().map_err(|_| "an array without size")? })
        }
        None => (name.as_str(), 1),
    };
    Ok((name.to_owned(), align.unwrap_or(bytes.max(1)), bytes * count))
}

/// The operands of a list, separated by commas outside any brackets.
pub fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                words.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(text[start..].trim());
    if words.len() == 1 && words[0].is_empty() {
        words.clear();
    }
    words
}

/// `%rd1+-4` or `table + 8`: the part before the last sign, and the number after it.
pub fn split_offset(text: &str) -> (&str, i64) {
    let parted = text.rfind('+').filter(|&at| at > 0).and_then(|at| {
        let offset = text[at + 1..].trim();
        Some((text[..at].trim(), i64::try_from(integer(offset)?).ok()?))
    });
    let parted = parted.or_else(|| {
        let at = text.rfind('-').filter(|&at| at > 0)?;
        let offset = i64::try_from(integer(text[at + 1..].trim())?).ok()?;
        Some((text[..at].trim(), -offset))
    });
    parted.unwrap_or((text.trim(), 0))
}

/// Reads an integer as PTX writes it: decimal, `0x1f`, `-3`.
pub fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16),
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse(),
        None => return None,
    };
    number.ok().map(|number| sign * number)
}

fn number(text: &str) -> Option<Operand> {
    for (prefix, width) in [("0f", 32), ("0F", 32), ("0d", 64), ("0D", 64)] {
        if let Some(hex) = text.strip_prefix(prefix) {
            return u64::from_str_radix(hex, 16).ok().map(|bits| Operand::Bits(bits, width));
        }
    }
    match text {
        "true" => Some(Operand::Integer(1)),
        "false" => Some(Operand::Integer(0)),
        "WARP_SZ" => Some(Operand::Integer(32)),
        _ => integer(text).map(Operand::Integer),
    }
}

/// Bits of `s32`, `f16x2`, `pred`, and so on; `None` for others.
pub fn type_width(name: &str) -> Option<u32> {
    if name == "pred" {
        return Some(1);
    }
    let (name, lanes) = match name.split_once('x') {
        Some((name, lanes)) => (name, lanes.parse().ok().filter(|lanes| (2..=4).contains(lanes))?),
        None => (name, 1),
    };
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let class = &name[..name.len() - digits.len()];
    let width: u32 = match (class, digits) {
        ("s" | "u" | "b" | "f" | "bf" | "tf", _) => digits.parse().ok()?,
        ("e", "4m3" | "5m2" | "8m0" | "3m2" | "2m3") => 8,
        ("e", "2m1") => 4,
        _ => return None,
    };
    [4, 8, 16, 32, 64, 128].contains(&width).then_some(width * lanes).filter(|&width| width <= 128)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(body: &str) -> Function {
        let text = format!(
            ".visible .func (.param .b32 func_retval0) f(\n.param .b32 f_param_0\n)\n{{\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n\
             .reg .b64 %rd<3>;\n{body}\n}}\n"
        );
        let mut all = parse(&text);
        assert_eq!((all.len(), all[0].name.as_str()), (1, "f"));
        all.remove(0)
    }

    #[test]
    fn operands() {
        let f = function("@!%p1 st.global.v2.b32 [%rd1+-4], {%r1, -7};\nmov.b64 %rd1, table+8;\nmov.b32 %r2, %tid.x;\nmov.b32 %r1, 0f3F800000;");
        assert_eq!(f.problem, None);
        assert!(
            matches!(&f.code[0].operands[0], Operand::Memory(base, -4, _) if matches!(**base, Operand::Reg(_)))
        );
        assert!(matches!(&f.code[0].operands[1], Operand::Vector(v) if v[1] == Operand::Integer(-7)));
        assert!(f.code[0].guard.is_some_and(|(_, negated)| negated));
        assert_eq!(f.code[1].operands[1], Operand::Symbol("table".to_owned(), 8));
        assert_eq!(f.code[2].operands[1], Operand::Special("tid.x".to_owned()));
        assert_eq!(f.code[3].operands[1], Operand::Bits(0x3f80_0000, 32));
    }

    #[test]
    fn scopes_and_labels() {
        let f = function(
            "$A: { .reg .b32 %r<2>; mov.b32 %r1, %r2; W: bra W; }\n{ W: bra W; }\nmov.b32 %r1, %r2;\nbra.uni $A;\n\
             $T: .branchtargets $A, $B;\nbrx.idx %r1, $T;\n$B: ret;",
        );
        assert_eq!(f.problem, None);
        assert_ne!(f.code[0].operands[0], f.code[3].operands[0], "the inner %r1 is another one");
        assert_eq!(f.code[0].operands[1], f.code[3].operands[1], "it has no %r2 of its own");
        let targets: Vec<_> = f.code.iter().map(|i| i.targets.clone()).filter(|t| !t.is_empty()).collect();
        assert_eq!(targets, [vec![1], vec![2], vec![0], vec![0, 6]]);
    }

    #[test]
    fn what_is_not_understood_is_named() {
        assert!(function("bra $nowhere;").problem.is_some());
        assert!(function("mov.b32 %r1, %r77;").problem.is_some());
        assert!(function("// begin inline asm\n// %r1 %r2\n// end inline asm").problem.is_some());
        assert!(function("// begin inline asm\n// wait\n// end inline asm\n// %r1").problem.is_none());
    }

    #[test]
    fn inline_assembly_is_found() {
        let f = function(
            "ret;\n// begin inline asm\n{ mov.b32 %r1, 1; bra L; L: }\n// end inline asm\nret;\n\
             // begin inline asm\n// nothing\n// end inline asm\n// begin inline asm\nret;\n// end inline asm",
        );
        assert_eq!(f.assemblies, [1..3, 4..4, 4..5]);
    }

    #[test]
    fn comments_that_count() {
        let f = function("// implicit-def: %r1\n// begin inline asm\n// volatile asm %r1 &%r2 <- %r2 : %r3 4\n// end inline asm");
        assert_eq!(f.problem, None);
        assert_eq!(f.code[0].kind, Kind::ImplicitDef);
        assert_eq!(f.code[1].kind, Kind::Assembly { results: 2, early: 2, tied: 1, is_volatile: true });
        assert_eq!(f.code[1].operands.len(), 5);
    }

    #[test]
    fn names_of_functions() {
        let name = |head: &str| function_name(head).unwrap_or_default();
        assert_eq!(name(".visible .entry k( .param .u64 p )"), "k");
        assert_eq!(name(".func (.param .align 16 .b8 func_retval0[16]) g( )"), "g");
        assert_eq!(name(".func h .noreturn"), "h");
        assert_eq!(name(".global .b8 x[4] = {1}"), "");
    }

    #[test]
    fn widths() {
        let width = |name| type_width(name).unwrap_or(0);
        assert_eq!(["b32", "f16x2", "pred", "b128", "e4m3x2", "tf32"].map(width), [32, 32, 1, 128, 16, 32]);
        assert_eq!(["rn", "x2", "wide", "m16n8k16", "b7"].map(width), [0; 5]);
    }
}
