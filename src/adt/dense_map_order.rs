//! Iterates keys in the order of LLVM's `SmallDenseMap<Register, ...>` or `DenseSet<Register>`.
//!
//! **Problem.** LLVM's two-address pass keeps the tied operands of an instruction in such a map,
//! and inserts COPYs in the map's iteration order. So that order decides the names of registers and
//! the order of copies in the output. The coalescer shrinks ranges, which may make new registers,
//! in the order of such a set.
//!
//! **Algorithm.** The same table with the same growth, without values: hash `37 * key`, a power of
//! two of buckets, quadratic probing (linear from LLVM 23 on:
//! [`crate::versions::Versions::dense_map_probes_linearly`]), growth when three quarters are full.
//! No key is ever removed, so there are no tombstones. A table shrinks only when it is cleared
//! while almost empty.
//!
//! **Source.** `llvm/ADT/DenseMap.h` of LLVM 17 to 23. **Complexity.** An insertion takes constant
//! time on average.

use crate::versions::VERSIONS;

const INLINE_BUCKETS: usize = 4;
const FIRST_LARGE: usize = 64;

/// A bucket of the table.
#[derive(Clone, Copy)]
struct Bucket {
    /// [`Bucket::EMPTY_KEY`] if the bucket is empty.
    key: u32,
    ordinal: u32,
}

impl Bucket {
    /// `DenseMapInfo::getEmptyKey` of a register, which no register has.
    const EMPTY_KEY: u32 = u32::MAX;
    const EMPTY: Bucket = Bucket { key: Self::EMPTY_KEY, ordinal: 0 };

    fn is_empty(self) -> bool {
        self.key == Self::EMPTY_KEY
    }
}

/// The keys of a map, each with its ordinal of insertion. A key is the number of a register, in 32
/// bits as LLVM hashes it.
pub struct DenseMapOrder {
    buckets: Vec<Bucket>,
    spare: Vec<Bucket>,
    len: usize,
    /// The smallest number of buckets.
    smallest: usize,
    /// By how much a step of probing is longer than the one before.
    step_growth: usize,
}

/// A `SmallDenseMap` with 4 inline buckets.
impl Default for DenseMapOrder {
    fn default() -> Self {
        DenseMapOrder::of(INLINE_BUCKETS)
    }
}

impl DenseMapOrder {
    fn of(smallest: usize) -> Self {
        let step_growth = usize::from(!VERSIONS.dense_map_probes_linearly);
        DenseMapOrder {
            buckets: vec![Bucket::EMPTY; smallest],
            spare: Vec::new(),
            len: 0,
            smallest,
            step_growth,
        }
    }
    /// Makes the order of a `DenseMap` or `DenseSet`.
    pub fn without_inline_buckets() -> Self {
        DenseMapOrder::of(FIRST_LARGE)
    }

    /// Inserts `key` unless it is there. Returns its ordinal: keys are counted from 0 in the order
    /// of insertion.
    pub fn insert(&mut self, key: u32) -> usize {
        let mut bucket = self.find(key);
        if !self.buckets[bucket].is_empty() {
            return self.buckets[bucket].ordinal as usize;
        }
        if (self.len + 1) * 4 >= self.buckets.len() * 3 {
            self.grow();
            bucket = self.find(key);
        }
        self.buckets[bucket] = Bucket { key, ordinal: self.len as u32 };
        self.len += 1;
        self.len - 1
    }

    /// Returns whether `key` is there.
    pub fn contains(&self, key: u32) -> bool {
        !self.buckets[self.find(key)].is_empty()
    }

    /// Returns the ordinals in iteration order.
    pub fn ordinals(&self) -> impl Iterator<Item = usize> + '_ {
        self.buckets.iter().filter(|b| !b.is_empty()).map(|b| b.ordinal as usize)
    }

    /// Clears the map as `DenseMap::clear` does: a large table that is mostly empty gets smaller.
    pub fn clear(&mut self) {
        if self.len == 0 {
            return;
        }
        let mut size = self.buckets.len();
        if self.len * 4 < size && size > FIRST_LARGE {
            size = self.len.next_power_of_two() * 2;
            size = if size > self.smallest { size.max(FIRST_LARGE) } else { self.smallest };
        }
        self.buckets.clear();
        self.buckets.resize(size, Bucket::EMPTY);
        self.len = 0;
    }

    /// Makes it a new map, for the next function.
    pub fn reset(&mut self) {
        self.buckets.clear();
        self.buckets.resize(self.smallest, Bucket::EMPTY);
        self.len = 0;
    }

    fn find(&self, key: u32) -> usize {
        let mask = self.buckets.len() - 1;
        let mut bucket = key.wrapping_mul(37) as usize & mask;
        let mut step = 1;
        while !self.buckets[bucket].is_empty() && self.buckets[bucket].key != key {
            bucket = (bucket + step) & mask;
            step += self.step_growth;
        }
        bucket
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(FIRST_LARGE);
        std::mem::swap(&mut self.buckets, &mut self.spare);
        self.buckets.clear();
        self.buckets.resize(size, Bucket::EMPTY);
        for i in 0..self.spare.len() {
            let entry = self.spare[i];
            if !entry.is_empty() {
                let bucket = self.find(entry.key);
                self.buckets[bucket] = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of a virtual register.
    fn virt(index: u32) -> u32 {
        index | 1 << 31
    }

    fn order(map: &DenseMapOrder) -> Vec<usize> {
        map.ordinals().collect()
    }

    #[test]
    fn two_keys_stay_inline_and_a_third_grows() {
        let mut m = DenseMapOrder::default();
        // 37 * k mod 4 == k mod 4 for the low bits.
        assert_eq!(m.insert(virt(3)), 0);
        assert_eq!(m.insert(virt(1)), 1);
        assert_eq!(m.insert(virt(3)), 0);
        assert_eq!(order(&m), [1, 0]);
        assert_eq!(m.insert(virt(2)), 2);
        assert_eq!(m.buckets.len(), 64);
        // 37*1 = 37, 37*2 = 74 -> 10, 37*3 = 111 -> 47
        assert_eq!(order(&m), [2, 1, 0]);
    }

    #[test]
    fn collisions_probe_quadratically_and_since_llvm_23_linearly() {
        for (step_growth, third) in [(1, 3), (0, 2)] {
            let mut m = DenseMapOrder { step_growth, ..DenseMapOrder::without_inline_buckets() };
            // With 64 buckets, all three keys hash to the first one.
            m.insert(virt(0));
            m.insert(virt(64));
            m.insert(virt(128));
            assert_eq!([0, 1, third].map(|bucket| m.buckets[bucket].key), [0, 64, 128].map(virt));
        }
    }

    #[test]
    fn size_survives_a_clear_and_shrinks_when_mostly_empty() {
        let mut m = DenseMapOrder::default();
        for i in 0..100 {
            assert_eq!(m.insert(virt(i * 3)), i as usize);
        }
        assert_eq!(m.buckets.len(), 256);
        m.clear();
        assert_eq!((m.buckets.len(), m.len), (256, 0));
        for i in 0..5 {
            m.insert(virt(i));
        }
        m.clear();
        assert_eq!(m.buckets.len(), 64);
        m.insert(virt(0));
        m.clear();
        assert_eq!(m.buckets.len(), 64);
        m.reset();
        assert_eq!(m.buckets.len(), 4);
        assert_eq!(m.len, 0);
    }

    #[test]
    fn a_map_without_inline_buckets_begins_with_64() {
        let mut m = DenseMapOrder::without_inline_buckets();
        assert_eq!(m.insert(virt(3)), 0);
        assert_eq!(m.insert(virt(1)), 1);
        // 37*1 = 37, 37*3 = 111 -> 47
        assert_eq!(order(&m), [1, 0]);
        assert!(m.contains(virt(3)) && !m.contains(virt(2)));
        m.clear();
        assert_eq!(m.buckets.len(), 64);
    }

    #[test]
    fn every_key_is_iterated_once() {
        let mut m = DenseMapOrder::default();
        let number = if crate::fuzzing::FEW { 100 } else { 1000 };
        for i in 0..number {
            m.insert(virt(i * 64));
        }
        let mut seen = order(&m);
        seen.sort_unstable();
        assert_eq!(seen, (0..number as usize).collect::<Vec<_>>());
    }
}
