//! Keeps classes of small integers that are joined two by two.
//!
//! **Algorithm.** Union-find. Every number points to a smaller one of its class, and the smallest
//! one to itself. A search for the smallest one halves the path.
//!
//! **Source.** `llvm/ADT/IntEqClasses.h`.
//!
//! **Complexity.** A join or a search is O(log n) amortised.

/// Equivalence classes of `0..n`.
#[derive(Default, Debug)]
pub struct IntEqClasses {
    up: Vec<u32>,
}

impl IntEqClasses {
    /// Begins with `n` classes: each of `0..n` is one.
    pub fn reset(&mut self, n: usize) {
        self.up.clear();
        self.up.extend(0..n as u32);
    }
    /// Joins the classes of `a` and `b`.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.leader(a), self.leader(b));
        self.up[a.max(b) as usize] = a.min(b);
    }
    /// Returns the smallest number of the class of `i`.
    pub fn leader(&mut self, mut i: u32) -> u32 {
        while self.up[i as usize] != i {
            let up = self.up[self.up[i as usize] as usize];
            self.up[i as usize] = up;
            i = up;
        }
        i
    }
    /// Writes, by integer, the number of its class to `out`, and returns how many classes there
    /// are. Classes are numbered in the order of their leaders.
    pub fn compress(&self, out: &mut Vec<u32>) -> u32 {
        out.clear();
        let mut count = 0;
        for (i, &up) in self.up.iter().enumerate() {
            if up as usize == i {
                out.push(count);
                count += 1;
            } else {
                // Smaller integers already have the number of their class.
                out.push(out[up as usize]);
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_leads_and_classes_are_numbered_by_it() {
        let mut classes = IntEqClasses::default();
        classes.reset(7);
        for (a, b) in [(6, 4), (4, 1), (5, 2), (3, 3)] {
            classes.join(a, b);
        }
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|i| classes.leader(i)), [0, 1, 2, 3, 1, 2, 1]);
        let mut numbers = Vec::new();
        assert_eq!(classes.compress(&mut numbers), 4);
        assert_eq!(numbers, [0, 1, 2, 3, 1, 2, 1]);
    }
}
