//! Memory of a launch, page by page.
//!
//! **Problem.** A kernel may touch a few bytes of large buffers, and addresses outside all buffers.
//!
//! **Method.** A page is made when it is first touched. A [`Content`] fills it with what was there
//! before the launch.
//!
//! **Deviation.** A GPU faults where nothing is mapped; here the content decides.
//!
//! **Complexity.** A hash look-up for each access to a page that was not touched recently.

use rustc_hash::FxHashMap;

/// Bytes of a page. It is small: lanes that read at random touch a page each, and each page is
/// filled.
pub const PAGE: u64 = 256;

/// Memory before a launch.
pub trait Content {
    /// Fills a page, whose address is a multiple of [`PAGE`].
    fn fill(&self, address: u64, page: &mut [u8]);
}

impl<F: Fn(u64, &mut [u8])> Content for F {
    fn fill(&self, address: u64, page: &mut [u8]) {
        self(address, page);
    }
}

struct Page {
    data: Box<[u8; PAGE as usize]>,
    /// Which bytes were written, a bit each.
    written: [u64; PAGE as usize / 64],
}

/// Bytes by their addresses.
pub struct Memory<'a> {
    content: Box<dyn Content + 'a>,
    places: FxHashMap<u64, usize>,
    pages: Vec<Page>,
    /// Pages that were touched recently and their indices, by the lower bits of their numbers.
    recent: Box<[(u64, usize); RECENT]>,
}

const RECENT: usize = 256;

impl<'a> Memory<'a> {
    pub fn new(content: impl Content + 'a) -> Self {
        Memory {
            content: Box::new(content),
            places: FxHashMap::default(),
            pages: Vec::new(),
            recent: Box::new([(u64::MAX, 0); RECENT]),
        }
    }

    fn page(&mut self, address: u64) -> &mut Page {
        let number = address / PAGE;
        // The lanes' local memories differ in bits 32 and up of the address.
        let slot = (number ^ address >> 32) as usize % RECENT;
        if self.recent[slot].0 != number {
            let place = self.places.get(&number).copied().unwrap_or_else(|| {
                let mut page = Page { data: Box::new([0; PAGE as usize]), written: [0; PAGE as usize / 64] };
                self.content.fill(number * PAGE, &mut page.data[..]);
                self.pages.push(page);
                self.places.insert(number, self.pages.len() - 1);
                self.pages.len() - 1
            });
            self.recent[slot] = (number, place);
        }
        &mut self.pages[self.recent[slot].1]
    }

    /// Reads up to eight bytes as a little-endian number.
    pub fn read(&mut self, address: u64, bytes: usize) -> u64 {
        let at = (address % PAGE) as usize;
        let mut word = [0; 8];
        if at + bytes > PAGE as usize {
            for (index, byte) in word.iter_mut().take(bytes).enumerate() {
                *byte = self.read(address.wrapping_add(index as u64), 1) as u8;
            }
        } else {
            word[..bytes].copy_from_slice(&self.page(address).data[at..at + bytes]);
        }
        u64::from_le_bytes(word)
    }

    /// Writes the low bytes of a number.
    pub fn write(&mut self, address: u64, bytes: usize, value: u64) {
        let at = (address % PAGE) as usize;
        if at + bytes > PAGE as usize {
            for index in 0..bytes {
                self.write(address.wrapping_add(index as u64), 1, value >> (8 * index));
            }
            return;
        }
        let page = self.page(address);
        page.data[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
        for at in at..at + bytes {
            page.written[at / 64] |= 1 << (at % 64);
        }
    }

    /// Puts content into memory; it does not count as written.
    pub fn fill(&mut self, address: u64, bytes: &[u8]) {
        for (at, &byte) in (address..).zip(bytes) {
            self.page(at).data[(at % PAGE) as usize] = byte;
        }
    }

    /// All bytes that were written, in order of their addresses.
    pub fn written(&self) -> Vec<(u64, u8)> {
        let mut numbers: Vec<(u64, usize)> = self.places.iter().map(|(&n, &place)| (n, place)).collect();
        numbers.sort_unstable();
        let mut bytes = Vec::new();
        for (number, place) in numbers {
            let page = &self.pages[place];
            for (at, &byte) in page.data.iter().enumerate() {
                if page.written[at / 64] >> (at % 64) & 1 == 1 {
                    bytes.push((number * PAGE + at as u64, byte));
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
    fn what_was_written_is_read_over_the_end_of_a_page() {
        let mut memory = Memory::new(|address: u64, page: &mut [u8]| page.fill((address / PAGE) as u8));
        assert_eq!(memory.read(PAGE - 2, 4), 0x0101_0000);
        memory.write(PAGE - 1, 2, 0xabcd);
        assert_eq!(memory.read(PAGE - 2, 4), 0x01ab_cd00);
        assert_eq!(memory.written(), [(PAGE - 1, 0xcd), (PAGE, 0xab)]);
    }
}
