//! Memory that can be read everywhere.
//!
//! **Problem.** A kernel that runs without its program has no data. In memory that is empty, or has
//! the same value everywhere, a wrong address reads the same as the right one.
//!
//! **Method.** Each byte that was never written holds a hash of its address. So every address can
//! be read, and a load from a wrong one shows in the result. A page is made when it is first
//! touched. It knows which of its bytes were written, and which have no defined value.
//!
//! **Deviation.** A GPU faults where nothing is mapped; here everything is mapped.
//!
//! **Complexity.** A hash look-up for each access; none for one on the same page as the last.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::ptx::value::mix;

/// The most bytes of a buffer, or of a variable that has a content.
pub const BUFFER: u64 = 1 << 30;
/// Bytes of a page.
const PAGE: usize = 256;
const WORDS: usize = PAGE / 64;

/// The kind of numbers in memory that was never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Numbers less than 64, of 32 or of 64 bits: indices, counts, trip counts.
    Small,
    /// `f32` from -2 to 2.
    Floats,
    /// Any bits; the top one is often set.
    Bits,
    /// Each word is of one of these kinds, or a small negative number.
    Mixed,
}

impl Content {
    /// The eight bytes at an address that is a multiple of eight, as a little-endian number.
    fn word(self, seed: u64, address: u64) -> u64 {
        let hash = mix(seed, address >> 3);
        let kind = match self {
            Content::Mixed => match mix(hash, 1) % 8 {
                0 | 1 => Content::Small,
                2 | 3 => Content::Floats,
                4 => return !(hash % 64),
                _ => Content::Bits,
            },
            kind => kind,
        };
        match kind {
            Content::Small if mix(hash, 2) % 4 == 0 => hash % 64,
            Content::Small => hash & 0x3f_0000_003f,
            // The sign, and an exponent from 2^-5 to 2^0: sums and products stay in range.
            Content::Floats => {
                let exponents = |bits: u64| (122 + bits % 6) << 23;
                let low = (hash & 0x807f_ffff) | exponents(hash >> 56);
                let high = (hash >> 32 & 0x807f_ffff) | exponents(hash >> 24);
                low | high << 32
            }
            Content::Bits | Content::Mixed => hash,
        }
    }
}

struct Page {
    address: u64,
    data: [u8; PAGE],
    written: [u64; WORDS],
    undefined: [u64; WORDS],
}

/// Content that repeats over a range of addresses.
struct Repeated {
    range: Range<u64>,
    /// Not empty.
    bytes: Vec<u8>,
}

impl Repeated {
    /// Puts the part of it that lies on a page into the page's data.
    fn overlay(&self, first: u64, data: &mut [u8; PAGE]) {
        let [start, end] =
            [self.range.start, self.range.end].map(|at| at.saturating_sub(first).min(PAGE as u64) as usize);
        let begin = (first + start as u64).saturating_sub(self.range.start) % self.bytes.len() as u64;
        let repeated = self.bytes.iter().cycle().skip(begin as usize);
        for (byte, &own) in data[start..end].iter_mut().zip(repeated) {
            *byte = own;
        }
    }
}

/// Content of a page that was never written, by its first address.
fn before(seed: u64, content: Content, repeated: &[Repeated], first: u64) -> [u8; PAGE] {
    let mut data = [0; PAGE];
    for (at, bytes) in data.chunks_exact_mut(8).enumerate() {
        bytes.copy_from_slice(&content.word(seed, first + 8 * at as u64).to_le_bytes());
    }
    repeated.iter().for_each(|repeated| repeated.overlay(first, &mut data));
    data
}

/// Bytes by their addresses.
pub struct Memory {
    seed: u64,
    content: Content,
    repeated: Vec<Repeated>,
    /// Whether bytes that were never written are undefined: a mask for 64 of them.
    unwritten: u64,
    places: FxHashMap<u64, usize>,
    pages: Vec<Page>,
    /// The page that was touched last, and its index.
    last: (u64, usize),
}

impl Memory {
    /// Makes a memory that was never written. The seed determines what it holds.
    pub fn new(seed: u64, content: Content) -> Self {
        let places = FxHashMap::default();
        Memory {
            seed,
            content,
            repeated: Vec::new(),
            unwritten: 0,
            places,
            pages: Vec::new(),
            last: (u64::MAX, 0),
        }
    }

    /// The same, with bytes that are undefined until they are written.
    pub fn undefined(seed: u64, content: Content) -> Self {
        Memory { unwritten: u64::MAX, ..Memory::new(seed, content) }
    }

    fn page(&mut self, address: u64) -> &mut Page {
        let number = address / PAGE as u64;
        if self.last.0 != number {
            let place = *self.places.entry(number).or_insert_with(|| {
                let first = number * PAGE as u64;
                self.pages.push(Page {
                    address: first,
                    data: before(self.seed, self.content, &self.repeated, first),
                    written: [0; WORDS],
                    undefined: [self.unwritten; WORDS],
                });
                self.pages.len() - 1
            });
            self.last = (number, place);
        }
        &mut self.pages[self.last.1]
    }

    /// The byte at an address, and whether it is undefined. Makes no page.
    pub fn byte(&self, address: u64) -> (u8, bool) {
        let at = (address % PAGE as u64) as usize;
        match self.places.get(&(address / PAGE as u64)) {
            Some(&place) => {
                let page = &self.pages[place];
                (page.data[at], page.undefined[at / 64] >> (at % 64) & 1 == 1)
            }
            None => {
                let data = before(self.seed, self.content, &self.repeated, address - at as u64);
                (data[at], self.unwritten != 0)
            }
        }
    }

    /// Copies what memory holds from an address on, the first one of a page. Makes no page.
    pub fn copy(&self, address: u64, target: &mut [u8]) {
        let pages = (address / PAGE as u64..).zip(target.chunks_mut(PAGE));
        for (number, target) in pages {
            match self.places.get(&number) {
                Some(&place) => target.copy_from_slice(&self.pages[place].data[..target.len()]),
                None => {
                    let data = before(self.seed, self.content, &self.repeated, number * PAGE as u64);
                    target.copy_from_slice(&data[..target.len()]);
                }
            }
        }
    }

    /// Reads up to eight bytes as a little-endian number, and a mask of its undefined bits.
    pub fn read(&mut self, address: u64, bytes: usize) -> (u64, u64) {
        let at = (address % PAGE as u64) as usize;
        if at + bytes > PAGE {
            return (0..bytes).fold((0, 0), |(value, undefined), index| {
                let (byte, bits) = self.read(address.wrapping_add(index as u64), 1);
                (value | byte << (8 * index), undefined | bits << (8 * index))
            });
        }
        let page = self.page(address);
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(&page.data[at..at + bytes]);
        let mut undefined = 0;
        if page.undefined != [0; WORDS] {
            for (index, at) in (at..at + bytes).enumerate() {
                if page.undefined[at / 64] >> (at % 64) & 1 == 1 {
                    undefined |= 0xff << (8 * index);
                }
            }
        }
        (u64::from_le_bytes(word), undefined)
    }

    /// Writes the low bytes of a number. A byte is undefined if any of its bits in `undefined` is
    /// set.
    pub fn write(&mut self, address: u64, bytes: usize, value: u64, undefined: u64) {
        let at = (address % PAGE as u64) as usize;
        if at + bytes > PAGE {
            for index in 0..bytes {
                let [value, undefined] = [value, undefined].map(|bits| bits >> (8 * index));
                self.write(address.wrapping_add(index as u64), 1, value, undefined);
            }
            return;
        }
        let page = self.page(address);
        page.data[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        for (index, at) in (at..at + bytes).enumerate() {
            let bit = 1 << (at % 64);
            page.written[at / 64] |= bit;
            if undefined >> (8 * index) & 0xff != 0 {
                page.undefined[at / 64] |= bit;
            } else {
                page.undefined[at / 64] &= !bit;
            }
        }
    }

    /// Fills memory from an address on. The content counts as never written.
    pub fn fill(&mut self, address: u64, bytes: &[u8]) {
        for (at, &byte) in (address..).zip(bytes) {
            self.page(at).data[(at % PAGE as u64) as usize] = byte;
        }
    }

    /// Fills `size` bytes from an address on with content that repeats and counts as never written.
    /// A page gets its part when it is made.
    pub fn repeat(&mut self, address: u64, size: u64, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let repeated = Repeated { range: address..address.saturating_add(size), bytes };
        for page in &mut self.pages {
            repeated.overlay(page.address, &mut page.data);
        }
        self.repeated.push(repeated);
    }

    /// All bytes that were written, in order of their addresses: value, and whether it is
    /// undefined.
    pub fn written(&self) -> Vec<(u64, u8, bool)> {
        let mut pages: Vec<&Page> = self.pages.iter().filter(|page| page.written != [0; WORDS]).collect();
        pages.sort_by_key(|page| page.address);
        let mut bytes = Vec::new();
        for page in pages {
            for (at, &byte) in page.data.iter().enumerate() {
                let is_set = |bits: &[u64; WORDS]| bits[at / 64] >> (at % 64) & 1 == 1;
                if is_set(&page.written) {
                    bytes.push((page.address + at as u64, byte, is_set(&page.undefined)));
                }
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_answers_the_same_again_and_otherwise_than_another() {
        for content in [Content::Small, Content::Floats, Content::Bits, Content::Mixed] {
            let mut memory = Memory::new(3, content);
            let words: Vec<u64> = (0..512).map(|at| memory.read(0x1000 + 8 * at, 8).0).collect();
            assert_eq!(memory.read(0x1008, 8).0, words[1]);
            memory.write(0x1100, 8, 1, 0);
            let (mut copy, pages) = ([0; 0x300], memory.pages.len());
            memory.copy(0x1000 + 8 * 512 - 0x100, &mut copy);
            assert_eq!(memory.pages.len(), pages, "a copy makes no page");
            for (at, word) in copy.chunks_exact(8).enumerate() {
                let own = memory.read(0x1f00 + 8 * at as u64, 8).0;
                assert_eq!(own.to_le_bytes(), word, "{at}");
            }
            memory.copy(0x1100, &mut copy);
            assert_eq!(copy[..8], 1_u64.to_le_bytes(), "what was written");
            let differ = words.windows(2).filter(|pair| pair[0] != pair[1]).count();
            assert!(differ > 480, "{content:?}: {differ}");
            assert!(Memory::new(4, content).read(0x1000, 8) != memory.read(0x1000, 8));
        }
        let mut floats = Memory::new(1, Content::Floats);
        assert!((0..999).all(|at| f32::from_bits(floats.read(4 * at, 4).0 as u32).abs() < 2.0));
        let mut bits = Memory::new(1, Content::Bits);
        assert!((0..99).filter(|at| bits.read(4 * at, 4).0 >> 31 == 1).count() > 30);
    }

    #[test]
    fn bytes_are_read_as_they_were_written_over_the_end_of_a_page() {
        let mut memory = Memory::new(1, Content::Bits);
        let before = memory.read(250, 4);
        memory.write(254, 4, 0x0403_0201, 0);
        assert_eq!(memory.read(254, 4), (0x0403_0201, 0));
        assert_eq!(memory.read(255, 2), (0x0302, 0));
        assert_eq!(memory.read(250, 4), before);
        memory.write(256, 1, 9, 1);
        assert_eq!(memory.read(254, 2), (0x0201, 0));
        assert_eq!(memory.read(254, 4).1, 0xff_0000);
        let written = memory.written();
        assert_eq!(written, [(254, 1, false), (255, 2, false), (256, 9, true), (257, 4, false)]);
        assert_eq!([255, 256].map(|at| memory.byte(at)), [(2, false), (9, true)]);
        memory.fill(0, &[7]);
        assert_eq!(memory.read(0, 1), (7, 0));
        assert_eq!(memory.written().len(), 4, "content that was there is not written");
        // Reads across two halves, at the end of a page and within one.
        for address in [508, 520] {
            memory.write(address, 8, 0x0807_0605_0403_0201, 0xffff_ffff << 32);
            assert_eq!(memory.read(address, 4), (0x0403_0201, 0));
            assert_eq!(memory.read(address + 2, 4).1, 0xffff_0000);
            memory.write(address, 8, 0, 0);
            assert_eq!(memory.read(address, 8), (0, 0));
        }
    }

    #[test]
    fn content_repeats_up_to_the_end_of_its_range_and_only_touched_pages_are_made() {
        let pattern: Vec<u8> = (1..=7).collect();
        let (start, size) = ((1 << 34) | 0xffff_f0fd, 250 << 20);
        let mut plain = Memory::new(1, Content::Bits);
        for is_touched in [false, true] {
            let mut memory = Memory::new(1, Content::Bits);
            if is_touched {
                memory.read(start, 1);
                memory.read(start + size, 1);
            }
            memory.repeat(start, size, pattern.clone());
            for at in [0, 1, 2, 3, 255, 256, 257, 1_000_003, size - 260, size - 1] {
                assert_eq!(memory.read(start + at, 1), (at % 7 + 1, 0), "{at}, {is_touched}");
            }
            assert_eq!(memory.read(start + 254, 8).0.to_le_bytes(), [3, 4, 5, 6, 7, 1, 2, 3]);
            for outside in [start - 1, start - 253, start + size, start + size + 1] {
                assert_eq!(memory.read(outside, 1), plain.read(outside, 1));
            }
            assert!(memory.pages.len() < 12, "{} pages", memory.pages.len());
            let pages = memory.pages.len();
            let untouched = start + (100 << 20);
            assert_eq!(u64::from(memory.byte(untouched).0), (100 << 20) % 7 + 1);
            assert_eq!(memory.pages.len(), pages, "a look makes no page");
            assert!(memory.written().is_empty());
            memory.write(start + 1, 1, 99, 0);
            assert_eq!(memory.read(start, 4).0.to_le_bytes()[..4], [1, 99, 3, 4]);
        }
    }

    #[test]
    fn bytes_that_were_not_written_may_be_undefined() {
        let mut memory = Memory::undefined(1, Content::Bits);
        memory.write(0x10, 2, 0x1234, 0);
        assert_eq!(memory.read(0x10, 2), (0x1234, 0));
        assert_eq!(memory.read(0x10, 4).1, 0xffff_0000);
        assert_eq!([0x11, 0x12, 0x4000].map(|at| memory.byte(at).1), [false, true, true]);
        assert_eq!(Memory::new(1, Content::Bits).read(0x10, 4).1, 0);
    }
}
