//! Reads a cubin: the kernels of an ELF file, their constants, variables and attributes.
//!
//! **Problem.** A kernel needs more than its code: constant banks, addresses of variables that the
//! loader fills in, sizes of shared and local memory, and the place of its parameters. They are in
//! sections that only NVIDIA's tools write.
//!
//! **Method.** Sections are found by name. `.nv.info.KERNEL` holds attributes, each with a format,
//! a code and a value. Variables of global memory get addresses here, and relocations in constant
//! banks are applied.
//!
//! **Source.** The names of attributes and relocations in the output of `cuobjdump -elf`.
//!
//! **Complexity.** Linear in the file.

use std::collections::BTreeMap;

use object::read::elf::{ElfFile64, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, RelocationTarget, SectionIndex};

use crate::error::Error;

/// The address of the first variable of global memory. Launches put no buffers near it.
pub const VARIABLES: u64 = 0xe00 << 32;

/// A kernel or a function of a cubin.
#[derive(Clone, Debug, Default)]
pub struct Kernel {
    pub name: String,
    /// The bytes of its section: 16 for each instruction.
    pub code: Vec<u8>,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of static shared memory of a block.
    pub shared: u64,
    /// Bytes of local memory of a thread, those of known calls included.
    pub local: u64,
    /// The offset of the parameters in bank 0, and their size in bytes.
    pub parameters: (u32, u32),
    /// In order, the offset of each parameter among these, and its size.
    pub layout: Vec<(u32, u32)>,
    /// The constant banks other than bank 0, by number.
    pub banks: BTreeMap<u8, Vec<u8>>,
    /// The size of bank 0.
    pub bank0: u32,
    /// The offsets of functions in the code, by name.
    pub functions: BTreeMap<String, u64>,
}

/// A variable of global memory.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub address: u64,
    pub size: u64,
}

/// A cubin.
#[derive(Debug, Default)]
pub struct Cubin {
    /// The number in `sm_90`: 90.
    pub architecture: u32,
    pub kernels: BTreeMap<String, Kernel>,
    pub variables: Vec<Variable>,
    /// Content of global memory, by address.
    pub initial: Vec<(u64, Vec<u8>)>,
}

/// Attribute codes of `.nv.info`, with the names that `cuobjdump -elf` gives them.
mod attribute {
    pub const PARAM_CBANK: u8 = 0x0a;
    pub const FRAME_SIZE: u8 = 0x11;
    pub const MIN_STACK_SIZE: u8 = 0x12;
    pub const KPARAM_INFO: u8 = 0x17;
    /// For a parameter whose size does not fit in the field of the other one.
    pub const KPARAM_INFO_V2: u8 = 0x45;
    pub const REGCOUNT: u8 = 0x2f;
}

type File<'a> = ElfFile64<'a>;

impl Cubin {
    /// Reads the bytes of a cubin.
    pub fn read(bytes: &[u8]) -> Result<Cubin, Error> {
        Cubin::read_placed(bytes, |_| None)
    }

    /// Reads the bytes of a cubin. `place` gives the addresses of variables of global memory, which
    /// memory before the launch must hold. Variables without one get an address here.
    pub fn read_placed(bytes: &[u8], place: impl Fn(&str) -> Option<u64>) -> Result<Cubin, Error> {
        let file = File::parse(bytes)?;
        let header = file.elf_header();
        let machine = header.e_machine(file.endian()).0;
        if machine != 190 {
            return Err(Error::Machine(machine));
        }
        let flags = header.e_flags(file.endian()).0;
        let mut cubin =
            Cubin { architecture: architecture(flags, header.e_ident().abi_version), ..Cubin::default() };
        cubin.place_variables(&file, &place)?;
        for section in file.sections() {
            let Some(name) = section.name()?.strip_prefix(".text.") else { continue };
            let mut kernel =
                Kernel { name: name.to_owned(), code: section.data()?.to_vec(), ..Kernel::default() };
            kernel.read_sections(&file, &cubin)?;
            if let Some((offset, value)) = section.relocations().next() {
                let (section, kind) = (section.name()?.to_owned(), value.flags());
                let RelocationFlags::Elf { r_type } = kind else { continue };
                return Err(Error::Relocation { section, kind: r_type.0, offset });
            }
            for symbol in file.symbols().filter(|symbol| symbol.section_index() == Some(section.index())) {
                kernel.functions.insert(symbol.name()?.to_owned(), symbol.address());
            }
            cubin.kernels.insert(kernel.name.clone(), kernel);
        }
        for section in file.sections() {
            if section.name()?.starts_with(".nv.info") {
                cubin.read_attributes(&file, section.name()?, section.data()?)?;
            }
        }
        Ok(cubin)
    }

    pub fn kernel(&self, name: &str) -> Result<&Kernel, Error> {
        self.kernels.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.kernels.keys().map(String::as_str).collect();
            Error::Kernel { name: name.to_owned(), known: known.join(", ") }
        })
    }

    /// Gives the variables of global memory their addresses.
    fn place_variables(&mut self, file: &File, place: &dyn Fn(&str) -> Option<u64>) -> Result<(), Error> {
        let mut at = VARIABLES;
        for section in file.sections().filter(|section| is_global(section.name().unwrap_or_default())) {
            at = at.next_multiple_of(section.align().max(256));
            for symbol in file.symbols().filter(|symbol| symbol.section_index() == Some(section.index())) {
                if symbol.size() > 0 {
                    let name = symbol.name()?.to_owned();
                    let address = place(&name).unwrap_or(at + symbol.address());
                    self.variables.push(Variable { name, address, size: symbol.size() });
                }
            }
            // A section that has no bytes in the file is zero.
            let mut bytes = section.data()?.to_vec();
            bytes.resize(section.size() as usize, 0);
            for (offset, value, size) in
                relocations(file, section.index(), |index, offset| self.address(file, index, offset))?
            {
                let offset = offset as usize;
                bytes[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
            self.initial.push((at, bytes));
            at += section.size();
        }
        Ok(())
    }

    /// The address of a symbol.
    fn address(&self, file: &File, symbol: object::SymbolIndex, addend: i64) -> Option<u64> {
        let symbol = file.symbol_by_index(symbol).ok()?;
        let name = symbol.name().ok()?;
        let known =
            self.variables.iter().find(|variable| variable.name == name).map(|variable| variable.address);
        // A place in code counts from the start of its section, one in shared memory from the
        // block's.
        Some(known.unwrap_or(symbol.address()).wrapping_add(addend as u64))
    }

    /// Reads the attributes of one kernel, or of all.
    fn read_attributes(&mut self, file: &File, section: &str, mut bytes: &[u8]) -> Result<(), Error> {
        let own = section.strip_prefix(".nv.info.");
        let short = || Error::Short(section.to_owned());
        while let [format, code, low, high, rest @ ..] = bytes {
            let size = usize::from(u16::from_le_bytes([*low, *high]));
            let is_sized = *format == 4;
            let value = if is_sized { rest.get(..size).ok_or_else(short)? } else { &[] };
            bytes = if is_sized { &rest[size..] } else { rest };
            let word =
                |at: usize| value.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
            let (Some(first), Some(second)) = (word(0), word(4)) else { continue };
            let is_parameter = [attribute::KPARAM_INFO, attribute::KPARAM_INFO_V2].contains(code);
            let name = if is_parameter || *code == attribute::PARAM_CBANK {
                own.map(str::to_owned)
            } else {
                let symbol = file.symbol_by_index(object::SymbolIndex(first as usize)).ok();
                symbol.and_then(|symbol| symbol.name().ok().map(str::to_owned))
            };
            let Some(kernel) = name.and_then(|name| self.kernels.get_mut(&name)) else { continue };
            match *code {
                attribute::REGCOUNT => kernel.registers = second,
                attribute::FRAME_SIZE | attribute::MIN_STACK_SIZE => {
                    kernel.local = kernel.local.max(second.into());
                }
                attribute::PARAM_CBANK => kernel.parameters = (second & 0xffff, second >> 16),
                _ if is_parameter => {
                    // The parameter's number and offset, 16 bits each, then its size with other
                    // facts.
                    let size = word(8).ok_or_else(short)?;
                    let size = if *code == attribute::KPARAM_INFO { size >> 18 } else { size & 0xffff };
                    let number = (second & 0xffff) as usize;
                    kernel.layout.resize(kernel.layout.len().max(number + 1), (0, 0));
                    kernel.layout[number] = (second >> 16, size);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The architecture's number, from the flags of the ELF header.
fn architecture(flags: u32, abi: u8) -> u32 {
    // From ABI version 8 on the number is in bits 8 to 23, before in bits 0 to 7.
    if abi >= 8 {
        flags >> 8 & 0xffff
    } else {
        flags & 0xff
    }
}

fn is_global(name: &str) -> bool {
    name == ".nv.global" || name == ".nv.global.init"
}

/// The values that relocations write into a section: offset, value, bytes.
fn relocations(
    file: &File,
    section: SectionIndex,
    address: impl Fn(object::SymbolIndex, i64) -> Option<u64>,
) -> Result<Vec<(u64, u64, usize)>, Error> {
    let section = file.section_by_index(section)?;
    let mut found = Vec::new();
    for (offset, relocation) in section.relocations() {
        let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
        let RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
        let size = match r_type.0 {
            // R_CUDA_NONE
            0 => continue,
            2 => 8,
            1 => 4,
            kind => {
                let section = section.name()?.to_owned();
                return Err(Error::Relocation { section, kind, offset });
            }
        };
        let addend = if relocation.has_implicit_addend() {
            let bytes = section.data()?;
            let mut word = [0; 8];
            word[..size].copy_from_slice(&bytes[offset as usize..offset as usize + size]);
            i64::from_le_bytes(word)
        } else {
            relocation.addend()
        };
        if let Some(value) = address(symbol, addend) {
            found.push((offset, value, size));
        }
    }
    Ok(found)
}

impl Kernel {
    /// Reads the kernel's facts that have sections of their own.
    fn read_sections(&mut self, file: &File, cubin: &Cubin) -> Result<(), Error> {
        for section in file.sections() {
            let name = section.name()?;
            let bank = name.strip_prefix(".nv.constant").and_then(|rest| {
                let (number, owner) =
                    rest.split_once('.').map_or((rest, None), |(n, owner)| (n, Some(owner)));
                (owner.is_none() || owner == Some(&self.name)).then(|| number.parse::<u8>().ok()).flatten()
            });
            match bank {
                Some(0) => self.bank0 = section.size() as u32,
                Some(bank) => {
                    let mut bytes = section.data()?.to_vec();
                    let values =
                        relocations(file, section.index(), |symbol, add| cubin.address(file, symbol, add))?;
                    for (offset, value, size) in values {
                        let at = offset as usize;
                        bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
                    }
                    self.banks.insert(bank, bytes);
                }
                None => {}
            }
            if name.strip_prefix(".nv.shared.") == Some(&self.name) {
                self.shared = section.size();
            }
        }
        Ok(())
    }
}
