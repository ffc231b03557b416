//! Remembers what the disassembler has said of code.
//!
//! **Problem.** The start of nvdisasm takes longer than ptxas, and settings that write different PTX often end in one machine code.
//!
//! **Method.** A listing is kept by a digest of all that it depends on. **Source.** None. **Deviation.** None. **Complexity.** Linear in the code.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use object::{File, Object, ObjectSection, ObjectSymbol, RelocationTarget};
use sass_emu::cubin::Cubin;
use sass_emu::instruction::{Instruction, Listing};

use crate::measure::identity::Fnv;

/// Listings of code that was read before: the disassembler's start takes longer than ptxas, so it runs once for each distinct code.
#[derive(Default)]
pub struct Listings {
    /// By digest.
    known: Mutex<HashMap<String, Vec<Instruction>>>,
}

impl Listings {
    /// The listing of a cubin, by `read` if not all of its code is known.
    pub fn of(
        &self,
        bytes: &[u8],
        cubin: &Cubin,
        read: impl FnOnce() -> Result<Listing, sass_emu::error::Error>,
    ) -> Result<Listing, sass_emu::error::Error> {
        let digests = digests(bytes);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found: Option<Listing> = {
            let known = known();
            let code = |name: &String| Some((name.clone(), known.get(digests.get(name)?)?.clone()));
            cubin.kernels.keys().map(code).collect()
        };
        if let Some(found) = found {
            return Ok(found);
        }
        let listing = read()?;
        for (name, code) in &listing {
            if let Some(digest) = digests.get(name) {
                known().insert(digest.clone(), code.clone());
            }
        }
        Ok(listing)
    }
}

/// A digest of all that the listing of each function of a cubin depends on: processor, name, bytes, relocations and symbols. Empty if it cannot be read.
fn digests(cubin: &[u8]) -> BTreeMap<String, String> {
    let mut digests = BTreeMap::new();
    let Ok(file) = File::parse(cubin) else { return digests };
    for section in file.sections() {
        let Some(function) = section.name().ok().and_then(|name| name.strip_prefix(".text.")) else {
            continue;
        };
        let Ok(code) = section.data() else { continue };
        let mut digest = Fnv::new();
        digest.add(format!("{:?} {function} {}", file.flags(), code.len()).as_bytes());
        digest.add(code);
        let symbol = |index| file.symbol_by_index(index).and_then(|symbol| symbol.name()).unwrap_or_default();
        for (offset, relocation) in section.relocations() {
            let target = match relocation.target() {
                RelocationTarget::Symbol(index) => symbol(index),
                _ => "",
            };
            let (flags, addend) = (relocation.flags(), relocation.addend());
            digest.add(format!("{offset} {flags:?} {addend} {target}").as_bytes());
        }
        for symbol in file.symbols().filter(|symbol| symbol.section_index() == Some(section.index())) {
            let (name, address, size) = (symbol.name().unwrap_or_default(), symbol.address(), symbol.size());
            digest.add(format!("{name} {address} {size}").as_bytes());
        }
        digests.insert(function.to_owned(), digest.text());
    }
    digests
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const CUBIN: &[u8] = include_bytes!("../../../../tests/report/lines.cubin");

    #[test]
    fn a_digest_is_of_the_code() {
        let own = digests(CUBIN);
        assert!(own.len() == 2 && own["first"] != own["second"]);
        let file = File::parse(CUBIN).expect("a cubin");
        let (at, _) = file.section_by_name(".text.first").and_then(|code| code.file_range()).expect("code");
        let mut other = CUBIN.to_vec();
        other[at as usize + 4] ^= 1;
        assert_ne!(digests(&other)["first"], own["first"]);
        assert_eq!(digests(&other)["second"], own["second"]);
        assert!(digests(b"").is_empty());
    }

    #[test]
    fn a_code_is_listed_once() {
        let cubin = Cubin::read(CUBIN).unwrap();
        let (listings, reads) = (Listings::default(), Cell::new(0));
        let read = || {
            reads.set(reads.get() + 1);
            Ok(cubin.kernels.keys().map(|name| (name.clone(), Vec::new())).collect())
        };
        let first = listings.of(CUBIN, &cubin, read).unwrap();
        let second = listings.of(CUBIN, &cubin, || panic!("it is known")).unwrap();
        assert_eq!((first.len(), second.len(), reads.get()), (2, 2, 1));
    }
}
