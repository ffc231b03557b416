//! Disassembles the machine codes of a file by one run of the disassembler, and remembers what it said.
//!
//! **Problem.** The start of nvdisasm takes longer than ptxas, and settings that write different PTX often end in one machine code.
//!
//! **Method.** All functions that are not known are read together ([`sass_emu::join`]). What was read is kept by a digest of all that it depends
//! on, for this run and, if there is a folder, for the next ones. **Source.** None. **Deviation.** None. **Complexity.** Linear in the code.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, Result};
use sass_emu::cubin::Cubin;
use sass_emu::instruction::{code, Line, Listing};
use sass_emu::join::{self, Function};

use crate::measure::identity::Fnv;
use crate::ptxas::{key, Cuda, Kept};

/// Listings of code that was read.
#[derive(Default)]
pub struct Listings<'a> {
    /// By digest.
    known: Mutex<HashMap<String, Vec<Line>>>,
    /// Where they are kept between runs.
    kept: Option<Kept<'a>>,
    /// The version of the disassembler, asked for when it is needed.
    version: OnceLock<String>,
}

impl<'a> Listings<'a> {
    /// Listings that are kept between runs.
    pub fn kept(kept: Kept<'a>) -> Listings<'a> {
        Listings { kept: Some(kept), ..Listings::default() }
    }

    /// Reads the code of cubins, by one run of the disassembler if not all is known. All are for one processor.
    pub fn read(&self, cuda: &Cuda, cubins: &[&[u8]]) -> Result<()> {
        let mut new: BTreeMap<String, Function> = BTreeMap::new();
        for bytes in cubins {
            for function in Function::all(bytes)? {
                new.insert(digest(&function), function);
            }
        }
        let version = self.version(cuda)?;
        new.retain(|digest, _| !self.is_known(version, digest));
        let (digests, functions): (Vec<String>, Vec<Function>) = new.into_iter().unzip();
        let parts = digests.chunks(join::MOST).zip(functions.chunks(join::MOST));
        for (digests, functions) in parts {
            let file = tempfile::NamedTempFile::new().context("temporary file")?;
            let joined = join::joined(functions);
            fs::write(file.path(), joined).context("temporary file")?;
            let lines = join::lines(&cuda.nvdisasm(), file.path(), functions)?;
            for (digest, lines) in digests.iter().zip(lines) {
                if let Some(kept) = self.kept {
                    kept.put(&key(&[version, digest]), &lines)?;
                }
                self.known().insert(digest.clone(), lines);
            }
        }
        Ok(())
    }

    /// The listing of a cubin, which is read if it is not known.
    pub fn of(&self, cuda: &Cuda, bytes: &[u8], cubin: &Cubin) -> Result<Listing> {
        self.read(cuda, &[bytes])?;
        let known = self.known();
        let mut listing = Listing::default();
        for function in Function::all(bytes)? {
            let lines = known.get(&digest(&function));
            if let Some(lines) = lines.filter(|_| cubin.kernels.contains_key(&function.name)) {
                listing.insert(function.name.clone(), code(lines, &function.code)?);
            }
        }
        Ok(listing)
    }

    /// Whether a function's listing is known, in this run or from an earlier one.
    fn is_known(&self, version: &str, digest: &str) -> bool {
        if self.known().contains_key(digest) {
            return true;
        }
        let Some(lines) = self.kept.and_then(|kept| kept.get(&key(&[version, digest]))) else { return false };
        self.known().insert(digest.to_owned(), lines);
        true
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<String, Vec<Line>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The version of the disassembler; only what is kept between runs depends on it.
    fn version(&self, cuda: &Cuda) -> Result<&str> {
        if self.kept.is_none() {
            return Ok("");
        }
        if let Some(version) = self.version.get() {
            return Ok(version);
        }
        let version = cuda.disassembler_version()?;
        Ok(self.version.get_or_init(|| version))
    }
}

/// A digest of all that the listing of a function depends on.
fn digest(function: &Function) -> String {
    let mut digest = Fnv::new();
    function.parts(|bytes| digest.add(bytes));
    digest.text()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::ptxas::Kept;

    const CUBIN: &[u8] = include_bytes!("../../../../tests/report/lines.cubin");

    /// Tools of which nvdisasm lists two functions of this many instructions, and counts its runs.
    fn tools(folder: &std::path::Path, instructions: [usize; 2]) -> Cuda {
        let listed = instructions.map(|count| vec!["{\"opcode\": \"NOP\"}"; count].join(", "));
        let functions = listed.iter().enumerate().map(|(number, lines)| {
            format!("{{\"function-name\": \"code_{number}\", \"sass-instructions\": [{lines}]}}")
        });
        let json = format!("[{{}}, [{}]]", functions.collect::<Vec<_>>().join(", "));
        fs::create_dir_all(folder.join("bin")).expect("made");
        let tool = |name: &str, line: &str| {
            let path = folder.join("bin").join(name);
            fs::write(&path, format!("#!/bin/sh\n{line}\n")).expect("written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        };
        tool("ptxas", "");
        let runs = folder.join("runs").display().to_string();
        tool("nvdisasm", &format!("[ $1 = --version ] && exec echo 1\necho >>{runs}\necho '{json}'"));
        Cuda::find(folder).expect("tools")
    }

    fn lengths() -> [usize; 2] {
        let functions = Function::all(CUBIN).expect("a cubin");
        [0, 1].map(|number| functions[number].code.len() / 16)
    }

    #[test]
    fn a_code_is_listed_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let cuda = tools(folder.path(), lengths());
        let runs = || fs::read_to_string(folder.path().join("runs")).expect("runs").lines().count();
        let cubin = Cubin::read(CUBIN).expect("a cubin");
        let kept = Kept::new(folder.path());
        for _ in 0..2 {
            let listings = Listings::kept(kept);
            listings.read(&cuda, &[CUBIN, CUBIN]).expect("read");
            let listing = listings.of(&cuda, CUBIN, &cubin).expect("known");
            assert_eq!(listing["first"].len(), lengths()[0]);
            assert_eq!((listing.len(), runs()), (2, 1), "the second time from the folder");
        }
        Listings::default().read(&cuda, &[CUBIN]).expect("read");
        assert_eq!(runs(), 2, "nothing is kept");
    }

    #[test]
    fn a_listing_that_lacks_code_is_an_error() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let [first, second] = lengths();
        let cuda = tools(folder.path(), [first, second - 1]);
        let why = Listings::default().read(&cuda, &[CUBIN]).expect_err("one is missing").to_string();
        let less = second - 1;
        assert!(why.ends_with(&format!(": {less} of {second} instructions are listed")), "{why}");
    }
}
