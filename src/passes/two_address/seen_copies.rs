//! Remembers which copies of a block have been entered into the copy maps.

use rustc_hash::FxHashSet;

/// The copies of a block that have been seen, by address.
///
/// As long as the walk reaches each copy once, a log is enough. When a chain has been followed
/// ahead of the walk, or an instruction was moved, the rest of the block uses a set.
#[derive(Default)]
pub(super) struct SeenCopies {
    log: Vec<usize>,
    set: FxHashSet<usize>,
    out_of_order: bool,
}

impl SeenCopies {
    /// Empties it for the next block, in time linear in its content.
    pub(super) fn clear(&mut self) {
        self.log.clear();
        self.out_of_order = false;
        let (len, capacity) = (self.set.len(), self.set.capacity());
        self.set.clear();
        if capacity > 64 && len * 8 < capacity {
            self.set.shrink_to(len * 2);
        }
    }
    /// The walk may come to an instruction again.
    pub(super) fn set_out_of_order(&mut self) {
        self.out_of_order = true;
    }
    /// Enters a copy that the walk has reached. Returns whether it is new. `key` is its address.
    pub(super) fn visit(&mut self, key: usize) -> bool {
        if self.out_of_order {
            return self.insert(key);
        }
        self.log.push(key);
        true
    }
    /// Enters a copy ahead of the walk. Returns whether it is new.
    pub(super) fn insert(&mut self, key: usize) -> bool {
        self.out_of_order = true;
        if !self.log.is_empty() {
            self.set.extend(self.log.drain(..));
        }
        self.set.insert(key)
    }
}
