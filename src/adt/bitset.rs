//! Keeps a dense set of small numbers in words of 64 bits. A second level has a bit for each word
//! that is not zero, so a walk over a sparse set skips 4,096 numbers at a time.

/// A set of numbers below a fixed size.
#[derive(Default, Clone, Debug)]
pub struct BitSet {
    words: Vec<u64>,
    /// One bit for each word that is not zero.
    summary: Vec<u64>,
}

impl BitSet {
    /// Empties the set, for numbers below `size`.
    pub fn reset(&mut self, size: usize) {
        let words = size.div_ceil(64);
        self.words.clear();
        self.words.resize(words, 0);
        self.summary.clear();
        self.summary.resize(words.div_ceil(64), 0);
    }
    /// Inserts `i`. Returns false if it was there.
    pub fn insert(&mut self, i: usize) -> bool {
        let (word, bit) = (i / 64, 1 << (i % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.summary[word / 64] |= 1 << (word % 64);
        new
    }
    /// Returns whether `i` is in it.
    pub fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 != 0
    }
    /// Returns the smallest number of the set that is at least `from`.
    pub fn first(&self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = *self.words.get(word)? & !0 << (from % 64);
        while bits == 0 {
            word = self.next_word(word + 1)?;
            bits = self.words[word];
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
    /// Removes the smallest number that is at least `from`, and returns it.
    pub fn take_first(&mut self, from: usize) -> Option<usize> {
        let i = self.first(from)?;
        let word = i / 64;
        self.words[word] &= !(1 << (i % 64));
        if self.words[word] == 0 {
            self.summary[word / 64] &= !(1 << (word % 64));
        }
        Some(i)
    }
    /// Returns the first word from `from` on that has a bit.
    fn next_word(&self, from: usize) -> Option<usize> {
        let mut at = from / 64;
        let mut bits = *self.summary.get(at)? & !0 << (from % 64);
        while bits == 0 {
            at += 1;
            bits = *self.summary.get(at)?;
        }
        Some(at * 64 + bits.trailing_zeros() as usize)
    }
}

/// Returns the positions of the bits of `word`, ascending.
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = word.trailing_zeros();
        (i < 64).then(|| {
            word &= word - 1;
            i as usize
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_ascending() {
        let mut s = BitSet::default();
        s.reset(130);
        assert!(s.insert(129) && s.insert(3) && s.insert(64) && !s.insert(3));
        assert!(s.contains(64) && !s.contains(65));
        assert_eq!(s.take_first(0), Some(3));
        assert_eq!(s.first(65), Some(129));
        assert_eq!(s.take_first(65), Some(129));
        assert_eq!(s.take_first(65), None);
        assert_eq!(s.take_first(0), Some(64));
        assert_eq!(s.take_first(200), None);
        s.reset(10_000);
        assert!(s.insert(9_999) && s.insert(4_100));
        assert_eq!(
            (s.first(0), s.first(4_101), s.take_first(4_096)),
            (Some(4_100), Some(9_999), Some(4_100))
        );
        assert_eq!((s.take_first(0), s.first(0)), (Some(9_999), None));
        assert_eq!(bits(0b1001 | 1 << 63).collect::<Vec<_>>(), [0, 3, 63]);
    }
}
