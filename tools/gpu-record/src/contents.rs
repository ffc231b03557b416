//! The kernels, their parameters and the variables of a cubin.
//!
//! **Problem.** New code may take the place of an application's image only if it has all that the
//! application can ask for by name. A launch can be recorded only if the sizes of its parameters
//! are known.
//!
//! **Method.** A kernel is a symbol of a `.text.` section with the mark of an entry. Its
//! `.nv.info.` section has its parameters. Variables are symbols of the sections of global and
//! constant memory. **Source.** The output of `readelf` and `cuobjdump -elf`. **Deviation.** None.
//! **Complexity.** Linear in the file.

use std::collections::BTreeMap;

use object::read::elf::{ElfFile64, FileHeader};
use object::{Object, ObjectSection, ObjectSymbol, SymbolFlags};
use serde::{Deserialize, Serialize};

/// A parameter: its offset among all, and its size.
pub type Parameter = (u64, u64);

/// What an image has that an application can name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// By name, the parameters in order.
    pub kernels: BTreeMap<String, Vec<Parameter>>,
    /// By name, the sizes in bytes.
    pub variables: BTreeMap<String, u64>,
}

/// Why a cubin is not understood.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("it is not understood as a cubin: {0}")]
    Elf(#[from] object::Error),
    #[error("it is an ELF file for machine {0}, not for a GPU")]
    Machine(u16),
}

/// EM_CUDA.
const CUDA: u16 = 190;
/// STO_CUDA_ENTRY, in `st_other`.
const ENTRY: u8 = 0x10;
/// The kinds of the parts of a fat binary.
const FAT_PTX: usize = 1;
const FAT_CUBIN: usize = 2;
/// EIATTR_KPARAM_INFO, and the form for large parameters.
const PARAMETER: [u8; 2] = [0x17, 0x45];

impl Contents {
    /// Reads a cubin.
    ///
    /// # Errors
    /// Says that it is not one.
    pub fn of_cubin(bytes: &[u8]) -> Result<Contents, Error> {
        let file = ElfFile64::<object::Endianness>::parse(bytes)?;
        let machine = file.elf_header().e_machine(file.endian()).0;
        if machine != CUDA {
            return Err(Error::Machine(machine));
        }
        let mut contents = Contents::default();
        for symbol in file.symbols() {
            let Some(index) = symbol.section_index() else { continue };
            let (name, section) = (symbol.name()?, file.section_by_index(index)?);
            let of = section.name()?;
            let SymbolFlags::Elf { st_other, .. } = symbol.flags() else { continue };
            if of.strip_prefix(".text.") == Some(name) && st_other.0 & ENTRY != 0 {
                let info = file.section_by_name(&format!(".nv.info.{name}"));
                let parameters = info.map(|info| info.data()).transpose()?.map(parameters);
                contents.kernels.insert(name.to_owned(), parameters.unwrap_or_default());
            } else if is_of_variables(of) && symbol.size() > 0 && (symbol.is_global() || is_source_name(name))
            {
                contents.variables.insert(name.to_owned(), symbol.size());
            }
        }
        Ok(contents)
    }

    /// Reads the cubins of a fat binary, which have the same names. `None` if one of its parts is
    /// compressed, or is not understood, or if it has no cubin.
    pub fn of_fat_binary(bytes: &[u8]) -> Option<Contents> {
        let number = |at: usize, size: usize| -> Option<usize> {
            let mut word = [0; 8];
            word[..size].copy_from_slice(bytes.get(at..at.checked_add(size)?)?);
            usize::try_from(u64::from_le_bytes(word)).ok()
        };
        let mut contents = None::<Contents>;
        let mut at = number(6, 2)?;
        while at < bytes.len() {
            let (kind, header, size) = (number(at, 2)?, number(at + 4, 4)?, number(at + 8, 8)?);
            let start = at.checked_add(header.max(16))?;
            let end = start.checked_add(size)?;
            match kind {
                FAT_PTX => {}
                FAT_CUBIN => {
                    let own = Contents::of_cubin(bytes.get(start..end)?).ok()?;
                    contents.get_or_insert_default().extend(own);
                }
                _ => return None,
            }
            at = end;
        }
        contents
    }

    /// Adds what another image has.
    pub fn extend(&mut self, other: Contents) {
        self.kernels.extend(other.kernels);
        self.variables.extend(other.variables);
    }

    /// Why this one cannot take the place of an older one; `None` if it can.
    pub fn lacks(&self, old: &Contents) -> Option<String> {
        for (name, parameters) in &old.kernels {
            match self.kernels.get(name) {
                None => return Some(format!("the new code has no kernel {name}")),
                Some(own) if own != parameters => {
                    return Some(format!("the parameters of the kernel {name} differ in the new code"))
                }
                Some(_) => {}
            }
        }
        for (name, size) in &old.variables {
            match self.variables.get(name) {
                None => return Some(format!("the new code has no variable {name}")),
                Some(own) if own != size => {
                    return Some(format!("the variable {name} has {size} bytes, in the new code {own}"))
                }
                Some(_) => {}
            }
        }
        None
    }
}

/// Whether a section has variables of global or of constant memory. Bank 0 has parameters, bank 4
/// addresses, and those of one kernel have its name.
fn is_of_variables(section: &str) -> bool {
    [".nv.global", ".nv.global.init", ".nv.constant3"].contains(&section)
}

/// Whether a variable of the module only may have its name from the source. Compilers name their
/// own with these marks.
fn is_source_name(name: &str) -> bool {
    !name.contains('$') && !name.contains('.') && !name.starts_with("__unnamed")
}

/// Reads the parameters among the attributes of a kernel.
fn parameters(mut bytes: &[u8]) -> Vec<Parameter> {
    let mut found: BTreeMap<u32, Parameter> = BTreeMap::new();
    while let [format, code, low, high, rest @ ..] = bytes {
        let size = if *format == 4 { usize::from(u16::from_le_bytes([*low, *high])) } else { 0 };
        let Some((value, after)) = rest.split_at_checked(size) else { break };
        bytes = after;
        let word = |at: usize| value.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        if let (true, Some(place), Some(facts)) = (PARAMETER.contains(code), word(4), word(8)) {
            let size = if *code == PARAMETER[0] { facts >> 18 } else { facts & 0xffff };
            found.insert(place & 0xffff, (u64::from(place >> 16), u64::from(size)));
        }
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_in_order() {
        let one = |number: u16, offset: u16, size: u32| {
            let mut bytes = vec![4, 0x17, 12, 0, 0, 0, 0, 0];
            bytes.extend(number.to_le_bytes());
            bytes.extend(offset.to_le_bytes());
            bytes.extend((size << 18 | 0x1f000).to_le_bytes());
            bytes
        };
        let all = [one(1, 8, 4), vec![3, 0x1b, 0xff, 0], one(0, 0, 8)].concat();
        assert_eq!(parameters(&all), [(0, 8), (8, 4)]);
        assert_eq!(parameters(&all[..10]), []);
    }

    #[test]
    fn what_new_code_lacks_is_named() {
        let contents = |kernels: &[(&str, u64)], variables: &[(&str, u64)]| Contents {
            kernels: kernels.iter().map(|&(name, size)| (name.to_owned(), vec![(0, size)])).collect(),
            variables: variables.iter().map(|&(name, size)| (name.to_owned(), size)).collect(),
        };
        let old = contents(&[("k", 8)], &[("v", 4)]);
        assert_eq!(contents(&[("k", 8), ("l", 8)], &[("v", 4), ("w", 1)]).lacks(&old), None);
        let lacks = |new: Contents| new.lacks(&old).unwrap();
        assert_eq!(lacks(contents(&[], &[("v", 4)])), "the new code has no kernel k");
        assert_eq!(
            lacks(contents(&[("k", 4)], &[("v", 4)])),
            "the parameters of the kernel k differ in the new code"
        );
        assert_eq!(lacks(contents(&[("k", 8)], &[])), "the new code has no variable v");
        assert_eq!(
            lacks(contents(&[("k", 8)], &[("v", 8)])),
            "the variable v has 4 bytes, in the new code 8"
        );
    }

    #[test]
    fn a_fat_binary_without_a_cubin_has_no_contents() {
        let mut fat = vec![0; 16 + 16 + 8];
        (fat[6], fat[16], fat[20], fat[24]) = (16, 1, 16, 8);
        assert_eq!(Contents::of_fat_binary(&fat), None);
        fat[16] = 2;
        assert_eq!(Contents::of_fat_binary(&fat), None, "not a cubin");
        assert_eq!(Contents::of_fat_binary(&fat[..20]), None, "cut");
    }

    #[test]
    fn names_of_compilers_do_not_count() {
        assert!(is_source_name("_ZL5table") && !is_source_name("$str") && !is_source_name(".str"));
        assert!(Contents::of_cubin(b"\x7fELF").is_err());
    }
}
