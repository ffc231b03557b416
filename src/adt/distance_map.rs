//! What the walk over a block knows of the instructions that it has met: how far each is from the start of the
//! block, and which copies have been processed.
//!
//! Problem: stock two-address enters every instruction into a hash map and every copy into a hash set, and looks
//! very few up: on NVPTX hardly any. The two are most of the pass's time.
//!
//! Algorithm: an append-only log of the operations on both; the first lookup in a block replays it into one hash
//! map, later ones replay what has come since. Instructions are keyed by address as in LLVM, including what
//! follows from that: an address that is used again keeps its entry until it is set or erased. The map is never
//! iterated.
//!
//! Complexity: one push for each instruction; lookups constant in the mean.

use rustc_hash::FxHashMap;

#[derive(Clone, Copy)]
enum Op {
    Insert(u32),
    Set(u32),
    Erase,
    Process,
}

/// What is known of an instruction.
#[derive(Clone, Copy, Default)]
struct Met {
    distance: Option<u32>,
    processed: bool,
}

/// LLVM's `DistanceMap` and `Processed`, by address of an instruction.
#[derive(Default)]
pub struct DistanceMap {
    log: Vec<(usize, Op)>,
    map: FxHashMap<usize, Met>,
    /// The walk may come to a copy that has been processed: a chain has been followed ahead of it, or an
    /// instruction was moved. Until then, in a block, it comes to each once.
    out_of_order: bool,
}

impl DistanceMap {
    /// Empties it, for the next block.
    pub fn clear(&mut self) {
        self.log.clear();
        self.out_of_order = false;
        let (len, capacity) = (self.map.len(), self.map.capacity());
        self.map.clear();
        // Clearing costs the capacity: after a large block not for every small one.
        if capacity > 64 && len * 8 < capacity {
            self.map.shrink_to(len * 2);
        }
    }
    /// Enters `key` unless it is there.
    pub fn insert(&mut self, key: usize, distance: u32) {
        self.log.push((key, Op::Insert(distance)));
    }
    /// Enters `key`, whatever its distance was.
    pub fn set(&mut self, key: usize, distance: u32) {
        self.log.push((key, Op::Set(distance)));
    }
    /// Forgets the distance of `key`.
    pub fn erase(&mut self, key: usize) {
        self.log.push((key, Op::Erase));
    }
    /// The distance of `key`.
    pub fn get(&mut self, key: usize) -> Option<u32> {
        self.replay();
        self.map.get(&key)?.distance
    }
    /// The walk may come to a processed copy again.
    pub fn set_out_of_order(&mut self) {
        self.out_of_order = true;
    }
    /// The walk has come to the copy `key`, which counts as processed; whether it did not before.
    pub fn process(&mut self, key: usize) -> bool {
        if self.out_of_order {
            return self.process_ahead(key).0;
        }
        self.log.push((key, Op::Process));
        true
    }
    /// The same ahead of the walk; and the distance of `key`.
    pub fn process_ahead(&mut self, key: usize) -> (bool, Option<u32>) {
        self.out_of_order = true;
        self.replay();
        let met = self.map.entry(key).or_default();
        (!std::mem::replace(&mut met.processed, true), met.distance)
    }

    fn replay(&mut self) {
        self.map.reserve(self.log.len());
        for (key, op) in self.log.drain(..) {
            let met = self.map.entry(key).or_default();
            match op {
                Op::Insert(d) => met.distance = met.distance.or(Some(d)),
                Op::Set(d) => met.distance = Some(d),
                Op::Erase => met.distance = None,
                Op::Process => met.processed = true,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t1_operations_take_effect_in_order() {
        let mut m = DistanceMap::default();
        m.insert(8, 1);
        m.insert(8, 2);
        assert_eq!(m.get(8), Some(1));
        m.set(8, 3);
        m.insert(16, 4);
        assert_eq!((m.get(8), m.get(16)), (Some(3), Some(4)));
        m.erase(8);
        assert_eq!(m.get(8), None);
        m.insert(8, 5);
        assert_eq!(m.get(8), Some(5));
        m.clear();
        assert_eq!((m.get(8), m.get(16)), (None, None));
    }

    #[test]
    fn t5_a_copy_is_processed_once_whatever_its_distance() {
        let mut m = DistanceMap::default();
        assert!(m.process(8) && m.process(16), "in order each is new");
        m.insert(8, 1);
        assert_eq!(m.process_ahead(24), (true, None));
        assert_eq!(m.process_ahead(8), (false, Some(1)));
        assert!(!m.process(24) && !m.process(16) && m.process(32));
        m.erase(8);
        assert_eq!(m.process_ahead(8), (false, None));
        m.clear();
        assert!(m.process(8));
    }

    #[test]
    fn clearing_after_a_large_block_gives_the_memory_back() {
        let mut m = DistanceMap::default();
        for i in 0..10_000 {
            m.insert(i * 8, 1);
        }
        assert_eq!(m.get(8), Some(1));
        m.clear();
        m.insert(8, 1);
        assert_eq!(m.get(8), Some(1));
        m.clear();
        assert!(m.map.capacity() < 1000);
    }
}
