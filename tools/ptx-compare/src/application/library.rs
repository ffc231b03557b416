//! Makes a library without code that only names others.
//!
//! **Problem.** What the loader finds under the driver's name must lead to our library, and to the
//! real driver for all that ours does not have. A name that our library itself would need cannot be
//! in a package, as no system has it. **Method.** An ELF file with a dynamic section only: its own
//! name, and the paths of two libraries, ours first. The loader loads both, and looks each symbol
//! up in that order.
//!
//! **Source.** System V ABI, "Dynamic Linking". **Deviation.** It has no table of symbols to look
//! up, which glibc takes for an empty one. **Complexity.** None.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The tags of a dynamic section.
mod tag {
    pub const NULL: u64 = 0;
    pub const NEEDED: u64 = 1;
    pub const STRTAB: u64 = 5;
    pub const SYMTAB: u64 = 6;
    pub const STRSZ: u64 = 10;
    pub const SYMENT: u64 = 11;
    pub const SONAME: u64 = 14;
}

/// The sizes of ELF's structures.
const HEADER: u64 = 64;
const SEGMENT: u64 = 56;
const SYMBOL: u64 = 24;
/// The largest page of the systems that have GPUs.
const PAGE: u64 = 0x1_0000;
/// The kinds of segments, and that they may be read and written: the loader writes addresses into
/// the dynamic section.
const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
const READ_WRITE: u32 = 6;

/// The machine that this program is for.
const MACHINE: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };

/// The bytes of a library with a name that needs others, in order.
pub fn naming(name: &str, needed: &[&Path]) -> Vec<u8> {
    let mut names = vec![0_u8];
    let mut add = |name: &[u8]| {
        let at = names.len() as u64;
        names.extend_from_slice(name);
        names.push(0);
        at
    };
    let mut entries: Vec<(u64, u64)> =
        needed.iter().map(|path| (tag::NEEDED, add(path.as_os_str().as_bytes()))).collect();
    entries.push((tag::SONAME, add(name.as_bytes())));
    let dynamic = HEADER + 2 * SEGMENT;
    let size = (entries.len() as u64 + 5) * 16;
    let symbols = dynamic + size;
    let strings = symbols + SYMBOL;
    entries.extend([
        (tag::STRTAB, strings),
        (tag::STRSZ, names.len() as u64),
        (tag::SYMTAB, symbols),
        (tag::SYMENT, SYMBOL),
        (tag::NULL, 0),
    ]);
    let all = strings + names.len() as u64;
    let mut bytes = header();
    for (kind, start, size, align) in [(LOAD, 0, all, PAGE), (DYNAMIC, dynamic, size, 8)] {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(READ_WRITE.to_le_bytes());
        // Its place in the file and in memory, and its size in both.
        for number in [start, start, start, size, size, align] {
            bytes.extend(number.to_le_bytes());
        }
    }
    for (tag, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    // The first symbol is always empty.
    bytes.extend([0; SYMBOL as usize]);
    bytes.extend(names);
    bytes
}

/// The header: a shared library of 64 bits, with two segments and no section.
fn header() -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    for number in [3, MACHINE] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(1_u32.to_le_bytes());
    for number in [0, HEADER, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(0_u32.to_le_bytes());
    for number in [HEADER as u16, SEGMENT as u16, 2, 64, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use object::read::elf::{Dyn, ElfFile64, FileHeader, ProgramHeader};
    use object::Endianness;

    use super::*;

    #[test]
    fn it_names_what_it_needs() {
        let bytes = naming("libcuda.so.1", &[Path::new("/a/hook.so"), Path::new("/b/libcuda.so.5")]);
        let file = ElfFile64::<Endianness>::parse(&bytes[..]).unwrap();
        let (header, endian) = (file.elf_header(), file.endian());
        let segments = header.program_headers(endian, &bytes[..]).unwrap();
        let entries = segments.iter().find_map(|own| own.dynamic(endian, &bytes[..]).unwrap()).unwrap();
        let value = |wanted: u64| {
            let own = entries.iter().filter(move |own| own.d_tag(endian).0 as u64 == wanted);
            own.map(|own| own.d_val(endian)).collect::<Vec<u64>>()
        };
        let strings = value(tag::STRTAB)[0];
        let text = |at: u64| {
            let rest = &bytes[(strings + at) as usize..];
            String::from_utf8(rest[..rest.iter().position(|&byte| byte == 0).unwrap()].to_vec()).unwrap()
        };
        let names = |tag: u64| value(tag).into_iter().map(text).collect::<Vec<String>>();
        assert_eq!(names(tag::NEEDED), ["/a/hook.so", "/b/libcuda.so.5"]);
        assert_eq!(names(tag::SONAME), ["libcuda.so.1"]);
        assert_eq!(strings + value(tag::STRSZ)[0], bytes.len() as u64);
    }
}
