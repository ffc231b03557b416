//! The kind and the size of an image of code that an application gives the driver.
//!
//! **Problem.** The driver's functions take the address of an image and no size. **Method.** A
//! cubin says in its headers where its last part ends, a fat binary how many bytes follow its
//! header; the text of PTX ends with a zero byte. Only bytes that these headers name are read.
//!
//! **Source.** The ELF format; `fatbinary_section.h` of CUDA's toolkit for the wrapper; the header
//! of a fat binary as the toolkit's `fatbinary` writes it. **Deviation.** None. **Complexity.**
//! Linear in the number of sections.

use serde::{Deserialize, Serialize};

/// The kind of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// An ELF file of machine code.
    Cubin,
    /// The text of PTX.
    Ptx,
    /// Several of both, for several processors.
    FatBinary,
}

impl Kind {
    /// The ending of a file of this kind.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Cubin => "cubin",
            Kind::Ptx => "ptx",
            Kind::FatBinary => "fatbin",
        }
    }
}

/// Memory that begins where an image does.
pub trait Memory {
    /// The bytes at an offset.
    fn read<const N: usize>(&self, at: u64) -> [u8; N];
    /// How many bytes come before the first zero byte.
    fn text(&self) -> u64;
}

/// Why an image is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("code that begins with {0:02x?} is not a cubin, a fat binary or PTX")]
    Kind([u8; 4]),
    #[error("a cubin whose headers are not those of 64 bits")]
    Elf,
    #[error("headers that name {0} bytes")]
    Size(u64),
}

/// The first bytes of a fat binary.
pub const FAT: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
/// Those of the structure that points to one.
pub const WRAPPER: [u8; 4] = [0xb1, 0x43, 0x62, 0x46];
/// Where that structure has the address of the fat binary.
pub const WRAPPED: u64 = 8;
/// No image is larger.
const MOST: u64 = 1 << 33;
/// SHT_NOBITS: a section without bytes in the file.
const NO_BITS: u32 = 8;

/// Finds out the kind and the size of an image.
///
/// # Errors
/// Says that it is not an image, or that its headers are not understood.
pub fn extent(memory: &(impl Memory + ?Sized)) -> Result<(Kind, u64), Error> {
    let first: [u8; 4] = memory.read(0);
    let (kind, size) = match first {
        [0x7f, b'E', b'L', b'F'] => (Kind::Cubin, elf(memory)?),
        FAT => {
            let header = u64::from(u16::from_le_bytes(memory.read(6)));
            (Kind::FatBinary, header.saturating_add(u64::from_le_bytes(memory.read(8))))
        }
        // A comment, a directive, or space before one.
        [b'/' | b'.' | b' ' | b'\t' | b'\r' | b'\n', ..] => (Kind::Ptx, memory.text()),
        _ => return Err(Error::Kind(first)),
    };
    if size > MOST {
        return Err(Error::Size(size));
    }
    Ok((kind, size))
}

fn elf(memory: &(impl Memory + ?Sized)) -> Result<u64, Error> {
    let [class, order]: [u8; 2] = memory.read(4);
    if (class, order) != (2, 1) {
        return Err(Error::Elf);
    }
    let long = |at: u64| u64::from_le_bytes(memory.read(at));
    let short = |at: u64| u64::from(u16::from_le_bytes(memory.read(at)));
    let (segments, sections) = (long(32), long(40));
    let [segment, num_segments, section, num_sections] = [54, 56, 58, 60].map(short);
    if num_segments > 0 && segment < 56 || num_sections > 0 && section < 64 {
        return Err(Error::Elf);
    }
    let mut end = 64_u64;
    let mut upto = |start: u64, size: u64| end = end.max(start.saturating_add(size));
    upto(segments, segment * num_segments);
    upto(sections, section * num_sections);
    if segments.max(sections) > MOST {
        return Err(Error::Size(segments.max(sections)));
    }
    for number in 0..num_segments {
        let at = segments + number * segment;
        upto(long(at + 8), long(at + 32));
    }
    for number in 0..num_sections {
        let at = sections + number * section;
        if u32::from_le_bytes(memory.read(at + 4)) != NO_BITS {
            upto(long(at + 24), long(at + 32));
        }
    }
    Ok(end)
}

impl Memory for [u8] {
    fn read<const N: usize>(&self, at: u64) -> [u8; N] {
        let part = usize::try_from(at).ok().and_then(|at| self.get(at..at.checked_add(N)?));
        part.and_then(|part| part.try_into().ok()).unwrap_or([0; N])
    }

    fn text(&self) -> u64 {
        self.iter().position(|&byte| byte == 0).unwrap_or(self.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_ends_where_its_headers_say() {
        let text = b"//\n.version 8.0\0beyond";
        assert_eq!(extent(&text[..]), Ok((Kind::Ptx, 15)));
        let mut fat = [0_u8; 40];
        fat[..4].copy_from_slice(&FAT);
        fat[6] = 16;
        fat[8] = 24;
        assert_eq!(extent(&fat[..]), Ok((Kind::FatBinary, 40)));
        fat[15] = 0xff;
        assert!(matches!(extent(&fat[..]), Err(Error::Size(_))));
        assert_eq!(extent(&[1_u8, 2, 3, 4][..]), Err(Error::Kind([1, 2, 3, 4])));
    }

    #[test]
    fn a_cubin_ends_after_its_last_part() {
        let mut elf = vec![0_u8; 400];
        elf[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        elf[40] = 128; // sections
        elf[58] = 64;
        elf[60] = 2;
        assert_eq!(extent(&elf[..]), Ok((Kind::Cubin, 256)));
        // The second one has 100 bytes at 300.
        (elf[192 + 4], elf[192 + 24], elf[192 + 25], elf[192 + 32]) = (1, 44, 1, 100);
        assert_eq!(extent(&elf[..]), Ok((Kind::Cubin, 400)));
        elf[192 + 4] = 8;
        assert_eq!(extent(&elf[..]), Ok((Kind::Cubin, 256)));
        elf[4] = 1;
        assert_eq!(extent(&elf[..]), Err(Error::Elf));
    }
}
