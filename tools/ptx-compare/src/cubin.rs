//! Reads which lines each piece of ptxas' code comes from.
//!
//! **Problem.** nvdisasm prints live registers or lines, not both, and takes longer than ptxas. A
//! second run of it for the lines would be most of the time for a small kernel. And lines of the
//! source need debug information, which most inputs lack.
//!
//! **Method.** `ptxas -lineinfo` writes two DWARF line tables into the cubin, whether or not the
//! PTX has `.loc`: `.debug_line` with the lines of the source, and `.nv_debug_line_sass` with those
//! of the PTX. We read them with gimli. Each sequence of a table belongs to one function, which a
//! relocation names. The symbol's number is put into the upper half of the address.
//!
//! **Source.** The section names are those in `nvdisasm --help`, at `-g` and `-gp`. **Complexity**:
//! linear in the tables.

use std::collections::BTreeMap;

use anyhow::{ensure, Context, Result};
use gimli::{DebugLine, DebugLineOffset, LineProgramHeader, LittleEndian};
use object::{File, Object, ObjectSection, ObjectSymbol, RelocationTarget, SymbolIndex};
use serde::{Deserialize, Serialize};

/// The lines of the source.
const SOURCE: &str = ".debug_line";
/// The lines of the PTX.
const PTX: &str = ".nv_debug_line_sass";

type Slice<'a> = gimli::EndianSlice<'a, LittleEndian>;

/// The lines of all functions of a cubin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// The names of the source files.
    pub files: Vec<String>,
    pub functions: BTreeMap<String, Lines>,
}

/// The lines that the code of a function comes from. Each entry holds up to the address of the next
/// one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// Address in the function, line of the PTX.
    pub ptx: Vec<(u32, u32)>,
    /// Address in the function, index in [`Tables::files`], line. Line 0: unknown.
    pub source: Vec<(u32, u32, u32)>,
}

/// Reads both tables of a cubin; one that it lacks is empty.
pub fn lines(cubin: &[u8]) -> Result<Tables> {
    let file = File::parse(cubin).context("ptxas' output is not an ELF file")?;
    let mut tables = Tables::default();
    let mut numbers = BTreeMap::new();
    each_row(&file, PTX, |function, address, line, _| {
        tables.functions.entry(function.to_owned()).or_default().ptx.push((address, line));
    })?;
    let mut source: BTreeMap<String, Vec<(u32, u32, u32)>> = BTreeMap::new();
    each_row(&file, SOURCE, |function, address, line, name| {
        let next = numbers.len() as u32;
        let number = *numbers.entry(name).or_insert_with_key(|name| {
            tables.files.push(name.clone());
            next
        });
        source.entry(function.to_owned()).or_default().push((address, number, line));
    })?;
    for (function, rows) in source {
        tables.functions.entry(function).or_default().source = rows;
    }
    for lines in tables.functions.values_mut() {
        // Of several rows with one address the last one counts.
        lines.ptx.sort_by_key(|row| row.0);
        lines.source.sort_by_key(|row| row.0);
    }
    Ok(tables)
}

/// The oldest processor whose instructions have 16 bytes each.
const LONG_INSTRUCTIONS: u32 = 70;
/// The opcode and the guard of a NOP that always runs, and the bits that have them.
const NOP: (u64, u64) = (0x7918, 0xffff);

/// How many instructions each function of a cubin has, padding not counted: what a listing has, and without a disassembler, whose start takes longer than
/// ptxas. `None` for processors before sm_70, and if it is not a cubin.
pub fn instructions(cubin: &[u8], target: &str) -> Option<BTreeMap<String, u64>> {
    let number = target.strip_prefix("sm_")?.trim_end_matches(|c: char| !c.is_ascii_digit());
    if number.parse::<u32>().ok()? < LONG_INSTRUCTIONS {
        return None;
    }
    let file = File::parse(cubin).ok()?;
    let mut counts = BTreeMap::new();
    for section in file.sections() {
        let Some(function) = section.name().ok().and_then(|name| name.strip_prefix(".text.")) else {
            continue;
        };
        let is_one = |bytes: &&[u8]| {
            let low = bytes[..8].try_into().map_or(0, u64::from_le_bytes);
            low & NOP.1 != NOP.0
        };
        let count = section.data().ok()?.chunks_exact(16).filter(is_one).count();
        counts.insert(function.to_owned(), count as u64);
    }
    Some(counts)
}

/// Calls `take` with function, address, line and file of each row of a table.
fn each_row(file: &File, section: &str, mut take: impl FnMut(&str, u32, u32, String)) -> Result<()> {
    let Some(section) = file.section_by_name(section) else { return Ok(()) };
    let mut data = section.data().context("a line table")?.to_vec();
    for (offset, relocation) in section.relocations() {
        let RelocationTarget::Symbol(SymbolIndex(symbol)) = relocation.target() else { continue };
        let offset = usize::try_from(offset).context("a line table")?;
        let place = data.get_mut(offset..offset + 8).context("a relocation outside of its line table")?;
        place[4..].copy_from_slice(&u32::try_from(symbol).context("a line table")?.to_le_bytes());
    }
    let all = DebugLine::new(&data, LittleEndian);
    let mut offset = 0;
    while offset < data.len() {
        let program = all.program(DebugLineOffset(offset), 8, None, None).context("a line table")?;
        let length = program.header().unit_length();
        ensure!(length > 0, "an empty line table");
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row().context("a line table")? {
            if row.end_sequence() {
                continue;
            }
            let symbol = SymbolIndex((row.address() >> 32) as usize);
            let Ok(name) = file.symbol_by_index(symbol).and_then(|symbol| symbol.name()) else { continue };
            let line = row.line().map_or(0, |line| line.get() as u32);
            take(name, row.address() as u32, line, file_name(header, row.file_index()));
        }
        offset += 4 + length;
    }
    Ok(())
}

/// The path of a file in a line table.
fn file_name(header: &LineProgramHeader<Slice>, index: u64) -> String {
    let text = |value: gimli::AttributeValue<Slice>| match value {
        gimli::AttributeValue::String(text) => text.to_string_lossy().into_owned(),
        _ => String::new(),
    };
    let Some(file) = header.file(index) else { return String::new() };
    let name = text(file.path_name());
    match file.directory(header).map(text).filter(|folder| !folder.is_empty()) {
        Some(folder) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// tests/report/lines.ptx, assembled by `ptxas -arch sm_80 -lineinfo` of CUDA 13.0.
    const CUBIN: &[u8] = include_bytes!("../../../tests/report/lines.cubin");

    #[test]
    fn lines_are_those_that_nvdisasm_tells() {
        let tables = lines(CUBIN).expect("a cubin");
        // As `nvdisasm -c -g -gp` prints them.
        let first = &tables.functions["first"];
        assert_eq!(
            first.ptx,
            [(0, 8), (0x10, 15), (0x30, 8), (0x40, 15), (0x50, 17), (0x60, 19), (0x70, 20)]
        );
        let names = |rows: &[(u32, u32, u32)]| -> Vec<(u32, String, u32)> {
            rows.iter()
                .map(|&(address, file, line)| (address, tables.files[file as usize].clone(), line))
                .collect()
        };
        let row = |address, file: &str, line| (address, file.to_owned(), line);
        assert_eq!(
            names(&first.source),
            [
                row(0, "/src/kernels.cu", 11),
                row(0x10, "/src/kernels.cu", 12),
                row(0x50, "/src/helpers.h", 40),
                row(0x60, "/src/kernels.cu", 13)
            ]
        );
        let second = &tables.functions["second"];
        assert_eq!(
            second.ptx,
            [(0, 25), (0x10, 31), (0x20, 25), (0x30, 31), (0x50, 33), (0x60, 35), (0x70, 36)]
        );
        assert_eq!(names(&second.source)[1], row(0x50, "/src/helpers.h", 41));
    }

    #[test]
    fn instructions_are_counted_without_a_disassembler() {
        let counts = instructions(CUBIN, "sm_80").expect("a cubin");
        // `nvdisasm -c` lists these, and NOPs after them.
        assert_eq!((counts["first"], counts["second"], counts.len()), (9, 9, 2));
        assert_eq!(instructions(CUBIN, "sm_80a").as_ref(), Some(&counts));
        assert_eq!(instructions(CUBIN, "sm_61"), None, "instructions of 8 bytes");
        assert_eq!(instructions(b"", "sm_80"), None);
    }

    #[test]
    fn an_output_that_is_damaged_is_an_error() {
        assert!(lines(b"").is_err());
        assert!(lines(b"\x7fELF").is_err());
    }
}
