//! Finds the addresses in parameters and in memory.
//!
//! **Problem.** A word of eight bytes may be an address or a number; a launch whose addresses are
//! missed would run on other memory. **Method.** The driver knows its allocations: a word of a
//! parameter is an address if it lies in one, or just after its end. In memory there may be
//! millions of words: there only words in the span of all addresses that the driver has given out
//! are asked about, each value once. **Source.** None. **Deviation.** A number that is the address
//! of an allocation by chance is taken for one. **Complexity.** Linear in the bytes, with a
//! question to the driver for each distinct word in that span.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory that the driver knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub start: u64,
    pub size: u64,
}

/// The driver's knowledge of memory.
pub trait Knows {
    /// The allocation that an address lies in.
    fn range(&self, address: u64) -> Option<Range>;
    /// Whether an address is one of the host's memory that a GPU may use.
    fn is_of_host(&self, address: u64) -> bool;
}

/// The span of all addresses that the driver has given out.
pub struct Span {
    low: AtomicU64,
    high: AtomicU64,
}

impl Default for Span {
    fn default() -> Self {
        Span { low: AtomicU64::new(u64::MAX), high: AtomicU64::new(0) }
    }
}

impl Span {
    pub fn add(&self, range: Range) {
        self.low.fetch_min(range.start, Ordering::Relaxed);
        self.high.fetch_max(range.start.saturating_add(range.size), Ordering::Relaxed);
    }

    fn holds(&self, address: u64) -> bool {
        (self.low.load(Ordering::Relaxed)..self.high.load(Ordering::Relaxed)).contains(&address)
    }
}

/// The meaning of a word of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Number,
    /// An address in an allocation, or just after its end.
    In(Range),
    /// One of the host's memory.
    OfHost,
}

/// Says what a word of a parameter is.
pub fn word(gpu: &impl Knows, value: u64) -> Word {
    if value == 0 {
        return Word::Number;
    }
    if gpu.is_of_host(value) {
        return Word::OfHost;
    }
    if let Some(range) = gpu.range(value) {
        return Word::In(range);
    }
    match gpu.range(value - 1) {
        Some(range) => Word::In(range),
        None => Word::Number,
    }
}

/// Whether bytes of memory hold an address.
pub fn has_addresses(gpu: &impl Knows, span: &Span, bytes: &[u8]) -> bool {
    let mut asked: HashSet<u64> = HashSet::new();
    for part in bytes.chunks_exact(8) {
        let value = u64::from_le_bytes(part.try_into().unwrap_or_default());
        if span.holds(value) && asked.insert(value) && (gpu.range(value).is_some() || gpu.is_of_host(value)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fake;

    impl Range {
        fn holds(self, address: u64) -> bool {
            address >= self.start && address - self.start < self.size
        }
    }

    impl Knows for Fake {
        fn range(&self, address: u64) -> Option<Range> {
            [Range { start: 4096, size: 64 }, Range { start: 8192, size: 8 }]
                .into_iter()
                .find(|range| range.holds(address))
        }

        fn is_of_host(&self, address: u64) -> bool {
            address == 100_000
        }
    }

    #[test]
    fn a_word_is_what_the_driver_says() {
        assert_eq!(word(&Fake, 0), Word::Number);
        assert_eq!(word(&Fake, 4100), Word::In(Range { start: 4096, size: 64 }));
        assert_eq!(word(&Fake, 4160), Word::In(Range { start: 4096, size: 64 }), "the end");
        assert_eq!(word(&Fake, 4161), Word::Number);
        assert_eq!(word(&Fake, 100_000), Word::OfHost);
    }

    #[test]
    fn memory_is_asked_about_in_the_span_only() {
        let span = Span::default();
        let words = |values: &[u64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let has = |span: &Span, values: &[u64]| has_addresses(&Fake, span, &words(values));
        assert!(!has(&span, &[4096]), "nothing was given out");
        span.add(Range { start: 4096, size: 64 });
        assert!(has(&span, &[1, 2, 4100]));
        assert!(!has(&span, &[1, 2, 4160, 8192, 100_000]));
        span.add(Range { start: 100_000, size: 64 });
        assert!(has(&span, &[8199]));
        assert!(has(&span, &[100_000]) && !has(&span, &[5000, 5000, 6000]));
    }
}
