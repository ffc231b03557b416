//! A dense set of small numbers, in words of 64 bits.

/// A set of numbers below a fixed size.
#[derive(Default, Clone, Debug)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Makes it the empty set of numbers below `size`.
    pub fn reset(&mut self, size: usize) {
        self.words.clear();
        self.words.resize(size.div_ceil(64), 0);
    }
    /// Inserts `i`; false if it was there.
    pub fn insert(&mut self, i: usize) -> bool {
        let bit = 1 << (i % 64);
        let new = self.words[i / 64] & bit == 0;
        self.words[i / 64] |= bit;
        new
    }
    /// Whether `i` is in it.
    pub fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 != 0
    }
    /// The smallest number that is at least `from`.
    pub fn first(&self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = *self.words.get(word)? & !0 << (from % 64);
        while bits == 0 {
            word += 1;
            bits = *self.words.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }
    /// The same, taken out.
    pub fn take_first(&mut self, from: usize) -> Option<usize> {
        let i = self.first(from)?;
        self.words[i / 64] &= !(1 << (i % 64));
        Some(i)
    }
}

/// The positions of the bits of `word`, ascending.
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
        assert_eq!(bits(0b1001 | 1 << 63).collect::<Vec<_>>(), [0, 3, 63]);
    }
}
