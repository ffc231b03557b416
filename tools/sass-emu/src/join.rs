//! Lets one run of `nvdisasm` read functions of several cubins.
//!
//! **Problem.** The start of `nvdisasm` takes some 0.7 s, more than ptxas takes for most kernels, and
//! it reads one file.
//!
//! **Method.** ptxas has applied all relocations in the code of a cubin. So the text of a function
//! depends on its bytes and its symbols only. [`joined`] makes a file of these alone, each function
//! in a section of its own and under a name of its own. [`lines`] puts the names in the operands
//! back.
//!
//! **Source.** The sections of cubins, as `readelf` prints them.
//!
//! **Deviation.** None.
//!
//! **Complexity.** Linear in the code.

use std::path::Path;

use object::read::elf::{ElfFile64, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use crate::error::Error;
use crate::instruction::{run, Line, SIZE};

/// Bytes of the header of an ELF file of 64 bits, of a section's header and of a symbol.
const HEADER: usize = 64;
const SYMBOL: usize = 24;
/// The number of the first section of code, after those of names and symbols.
const FIRST: usize = 4;
/// The alignment of code.
const ALIGN: usize = 128;

/// A function of a cubin, with all that the text of its instructions depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    pub name: String,
    /// The header of its file up to the entry point, and the flags, which name the processor.
    head: Vec<u8>,
    flags: u32,
    pub code: Vec<u8>,
    /// The upper byte of the information of its section, where the registers are.
    registers: u32,
    symbols: Vec<Symbol>,
}

/// A name for a place in a function's code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Symbol {
    name: String,
    other: u8,
    address: u64,
    size: u64,
}

impl Function {
    /// The functions of a cubin.
    ///
    /// # Errors
    ///
    /// If it is not a cubin.
    pub fn all(cubin: &[u8]) -> Result<Vec<Function>, Error> {
        let file: ElfFile64 = ElfFile64::parse(cubin)?;
        let (header, endian) = (file.elf_header(), file.endian());
        let machine = header.e_machine(endian).0;
        if machine != 190 {
            return Err(Error::Machine(machine));
        }
        let mut functions = Vec::new();
        for section in file.sections() {
            let Some(name) = section.name()?.strip_prefix(".text.") else { continue };
            let is_own = |symbol: &object::read::elf::ElfSymbol64| {
                symbol.section_index() == Some(section.index()) && symbol.kind() == SymbolKind::Text
            };
            let symbol = |symbol: object::read::elf::ElfSymbol64| -> Result<Symbol, Error> {
                let name = symbol.name()?.to_owned();
                let other = symbol.elf_symbol().st_other.0;
                Ok(Symbol { name, other, address: symbol.address(), size: symbol.size() })
            };
            functions.push(Function {
                name: name.to_owned(),
                head: cubin[..24].to_vec(),
                flags: header.e_flags(endian).0,
                code: section.data()?.to_vec(),
                registers: section.elf_section_header().sh_info.get(endian) & 0xff00_0000,
                symbols: file.symbols().filter(is_own).map(symbol).collect::<Result<_, _>>()?,
            });
        }
        Ok(functions)
    }

    /// Gives all that the text of its instructions depends on, part by part.
    pub fn parts(&self, mut take: impl FnMut(&[u8])) {
        let sizes = format!("{} {} {} {}", self.name, self.flags, self.registers, self.code.len());
        take(sizes.as_bytes());
        take(&self.head);
        take(&self.code);
        for Symbol { name, other, address, size } in &self.symbols {
            take(format!("{name} {other} {address} {size}").as_bytes());
        }
    }

    /// Whether a file may have both.
    pub fn goes_with(&self, other: &Function) -> bool {
        (&self.head, self.flags) == (&other.head, other.flags)
    }

    /// Its symbols with their new names. Its own is the last one, as a table has local ones first.
    fn renamed(&self, number: usize) -> impl Iterator<Item = (String, &Symbol)> {
        let others = self.symbols.iter().filter(|symbol| symbol.name != self.name);
        let own = self.symbols.iter().filter(|symbol| symbol.name == self.name);
        let others = others.enumerate().map(move |(at, symbol)| (format!("code_{number}_{at}"), symbol));
        others.chain(own.map(move |symbol| (own_name(number), symbol)))
    }
}

/// The name of a function in the joined file.
fn own_name(number: usize) -> String {
    format!("code_{number}")
}

/// Adds a text and a zero byte; returns where it is.
fn add(strings: &mut Vec<u8>, text: &str) -> u32 {
    let at = strings.len() as u32;
    strings.extend(text.as_bytes());
    strings.push(0);
    at
}

/// A section: its name, type, flags, link, information, alignment, size of an entry, and content.
struct Section<'a> {
    name: String,
    kind: u32,
    flags: u64,
    link: u32,
    information: u32,
    alignment: usize,
    entry: u64,
    content: &'a [u8],
}

/// The table of symbols, its names, the number of the first global one, and that of each function.
#[derive(Default)]
struct Symbols {
    table: Vec<u8>,
    names: Vec<u8>,
    first_global: u32,
    of: Vec<u32>,
}

impl Symbols {
    fn new(functions: &[Function]) -> Symbols {
        let mut symbols = Symbols { table: vec![0; SYMBOL], names: vec![0], ..Symbols::default() };
        for is_global in [false, true] {
            symbols.first_global = if is_global { symbols.count() } else { 0 };
            for (number, function) in functions.iter().enumerate() {
                let wanted = |(_, symbol): &(_, &Symbol)| (symbol.name == function.name) == is_global;
                for (name, symbol) in function.renamed(number).filter(wanted) {
                    symbols.add(&name, symbol, FIRST + number, is_global);
                }
                if is_global {
                    symbols.of.push(symbols.count() - 1);
                }
            }
        }
        symbols
    }

    fn count(&self) -> u32 {
        (self.table.len() / SYMBOL) as u32
    }

    /// Adds a function's symbol.
    fn add(&mut self, name: &str, symbol: &Symbol, section: usize, is_global: bool) {
        const FUNCTION: u8 = 2;
        let at = add(&mut self.names, name);
        self.table.extend(at.to_le_bytes());
        self.table.extend([u8::from(is_global) << 4 | FUNCTION, symbol.other]);
        self.table.extend((section as u16).to_le_bytes());
        self.table.extend(symbol.address.to_le_bytes());
        self.table.extend(symbol.size.to_le_bytes());
    }
}

/// An ELF file with these functions and nothing else. They [go](Function::goes_with) together.
pub fn joined(functions: &[Function]) -> Vec<u8> {
    let Some(first) = functions.first() else { return Vec::new() };
    let symbols = Symbols::new(functions);
    let table = |name: &str, kind, content| Section {
        name: name.to_owned(),
        kind,
        flags: 0,
        link: 0,
        information: 0,
        alignment: 8,
        entry: 0,
        content,
    };
    let mut sections = vec![
        table(".strtab", 3, &symbols.names[..]),
        Section {
            link: 2,
            information: symbols.first_global,
            entry: SYMBOL as u64,
            ..table(".symtab", 2, &symbols.table[..])
        },
    ];
    sections.extend(functions.iter().enumerate().map(|(number, function)| Section {
        // It is loaded, and is code.
        flags: 2 | 4,
        link: 3,
        information: function.registers | symbols.of.get(number).copied().unwrap_or(0),
        alignment: ALIGN,
        ..table(&format!(".text.{}", own_name(number)), 1, &function.code[..])
    }));
    let mut names = vec![0];
    let own = add(&mut names, ".shstrtab");
    let places: Vec<u32> = sections.iter().map(|section| add(&mut names, &section.name)).collect();
    let first_section = table(".shstrtab", 3, &names);
    let all = std::iter::once((own, &first_section)).chain(places.into_iter().zip(&sections));
    let mut file = vec![0; HEADER];
    let mut headers = vec![0; HEADER];
    for (name, section) in all {
        file.resize(file.len().next_multiple_of(section.alignment), 0);
        headers.extend([name, section.kind].iter().flat_map(|word| word.to_le_bytes()));
        let words = [section.flags, 0, file.len() as u64, section.content.len() as u64];
        headers.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        headers.extend([section.link, section.information].iter().flat_map(|word| word.to_le_bytes()));
        let words = [section.alignment as u64, section.entry];
        headers.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        file.extend(section.content);
    }
    file.resize(file.len().next_multiple_of(8), 0);
    file[..first.head.len()].copy_from_slice(&first.head);
    let at = file.len() as u64;
    file[40..48].copy_from_slice(&at.to_le_bytes());
    file[48..52].copy_from_slice(&first.flags.to_le_bytes());
    // The sizes of the headers, no program headers, the sections, and the one with their names.
    let shorts = [HEADER, 0, 0, HEADER, headers.len() / HEADER, 1];
    for (place, short) in file[52..HEADER].chunks_exact_mut(2).zip(shorts) {
        place.copy_from_slice(&(short as u16).to_le_bytes());
    }
    file.extend(headers);
    file
}

/// The most functions of a file: sections have numbers of 16 bits, of which some are reserved.
pub const MOST: usize = 0xf000;

/// The lines of each function, by one run of `nvdisasm` on `file`, which is [`joined`] of them.
///
/// # Errors
///
/// If the program cannot be run, rejects the file, or leaves out a function or an instruction.
pub fn lines(nvdisasm: &Path, file: &Path, functions: &[Function]) -> Result<Vec<Vec<Line>>, Error> {
    let mut found = run(nvdisasm, file)?;
    let of = |(number, function): (usize, &Function)| {
        let mut lines = found.remove(&own_name(number)).unwrap_or_default();
        let wanted = function.code.len() / SIZE as usize;
        if lines.len() != wanted {
            let why = format!("{}: {} of {wanted} instructions are listed", function.name, lines.len());
            return Err(Error::Disassembly { program: nvdisasm.display().to_string(), why });
        }
        for line in &mut lines {
            line.rename(|new| {
                let mut all = function.renamed(number);
                Some(all.find(|(name, _)| name == new)?.1.name.clone())
            });
        }
        Ok(lines)
    };
    functions.iter().enumerate().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBIN: &[u8] = include_bytes!("../../../tests/report/lines.cubin");

    #[test]
    fn functions_have_sections_and_names_of_their_own() {
        let own = Function::all(CUBIN).unwrap();
        assert_eq!(own.iter().map(|function| &*function.name).collect::<Vec<_>>(), ["second", "first"]);
        let mut other = own[0].clone();
        other.symbols.push(Symbol { name: "inside".to_owned(), other: 0, address: 32, size: 16 });
        assert!(other.goes_with(&own[1]));
        let three = [own[0].clone(), own[1].clone(), other];
        let read = Function::all(&joined(&three)).unwrap();
        let names: Vec<&str> = read.iter().map(|function| &*function.name).collect();
        assert_eq!(names, ["code_0", "code_1", "code_2"]);
        for (own, read) in three.iter().zip(&read) {
            assert_eq!((&own.code, own.registers, own.flags), (&read.code, read.registers, read.flags));
            assert_eq!(own.symbols.len(), read.symbols.len());
        }
        let inside = &read[2].symbols[0];
        assert_eq!((&*inside.name, inside.address, inside.size), ("code_2_0", 32, 16));
        assert!(joined(&[]).is_empty());
        assert!(Function::all(b"").is_err());
    }

    #[test]
    fn all_that_a_listing_depends_on_is_given() {
        let parts = |function: &Function| {
            let mut all: Vec<u8> = Vec::new();
            function.parts(|bytes| all.extend(bytes));
            all
        };
        let own = Function::all(CUBIN).unwrap().remove(0);
        let mut other = own.clone();
        other.code[4] ^= 1;
        assert_ne!(parts(&own), parts(&other));
        let mut other = own.clone();
        other.symbols[0].address += 16;
        assert_ne!(parts(&own), parts(&other));
    }
}
