//! Tells how far an instruction is from the start of its block.
//!
//! **Problem.** LLVM's two-address pass enters every instruction into a hash map and looks up very
//! few, on NVPTX hardly any. The map takes most of the pass's time.
//!
//! **Algorithm.** Append the map's operations to a log. The first lookup in a block replays the log
//! into a hash map; a later one replays the operations since. As in LLVM, instructions are
//! identified by their address, so a new instruction at the address of an erased one keeps its
//! entry until that is set or erased. The map is never iterated.
//!
//! **Complexity.** One push for each instruction. A lookup takes constant time on average.

use rustc_hash::FxHashMap;

#[derive(Clone, Copy)]
enum Op {
    Insert(u32),
    Set(u32),
    Erase,
}

/// Maps the address of an instruction to its distance.
#[derive(Default)]
pub struct DistanceMap {
    log: Vec<(usize, Op)>,
    map: FxHashMap<usize, u32>,
}

impl DistanceMap {
    /// Empties the map, for the next block.
    pub fn clear(&mut self) {
        self.log.clear();
        let (len, capacity) = (self.map.len(), self.map.capacity());
        self.map.clear();
        // Clearing takes time linear in the capacity. Small blocks after a large one must not pay
        // for that.
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
    /// Forgets `key`.
    pub fn erase(&mut self, key: usize) {
        self.log.push((key, Op::Erase));
    }
    /// Returns the distance of `key`.
    pub fn get(&mut self, key: usize) -> Option<u32> {
        self.map.reserve(self.log.len());
        for (key, op) in self.log.drain(..) {
            match op {
                Op::Insert(d) => {
                    self.map.entry(key).or_insert(d);
                }
                Op::Set(d) => {
                    self.map.insert(key, d);
                }
                Op::Erase => {
                    self.map.remove(&key);
                }
            }
        }
        self.map.get(&key).copied()
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
    fn clearing_after_a_large_block_gives_the_memory_back() {
        let mut m = DistanceMap::default();
        for i in 0..2_000 {
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
