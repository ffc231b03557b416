//! Compressed rows: many short lists of `u32` in two arrays.

/// Row `i` is `items[start[i]..start[i + 1]]`.
#[derive(Default, Clone, PartialEq, Eq, Debug)]
pub struct Rows {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    /// Empties it.
    pub fn clear(&mut self) {
        self.start.clear();
        self.items.clear();
    }
    /// Appends a row of `len` items for `fill` to write.
    pub fn push_row(&mut self, len: usize, fill: impl FnOnce(&mut [u32])) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        let at = self.items.len();
        self.items.resize(at + len, 0);
        fill(&mut self.items[at..]);
        self.start.push(self.items.len() as u32);
    }
    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }
    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Row `i`.
    pub fn row(&self, i: usize) -> &[u32] {
        &self.items[self.start[i] as usize..self.start[i + 1] as usize]
    }
    /// All items, row after row.
    pub fn items_mut(&mut self) -> &mut [u32] {
        &mut self.items
    }
    /// Makes it `rows` rows, row `r` of all `i` for which `(i, r)` is in `pairs`, in their order. Linear.
    pub fn collect(&mut self, rows: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) {
        self.start.clear();
        self.start.resize(rows + 1, 0);
        pairs.clone().for_each(|(_, r)| self.start[r as usize + 1] += 1);
        self.fill(pairs);
    }
    /// The same where it is known how many items each row has.
    pub fn collect_counted(&mut self, counts: &[u32], pairs: impl Iterator<Item = (u32, u32)>) {
        self.start.clear();
        self.start.push(0);
        self.start.extend_from_slice(counts);
        self.fill(pairs);
    }
    /// Fills rows; behind the first `start` has how many items each has.
    fn fill(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        let Rows { start, items } = self;
        let rows = start.len() - 1;
        for r in 0..rows {
            start[r + 1] += start[r];
        }
        items.clear();
        items.resize(start[rows] as usize, 0);
        pairs.for_each(|(i, r)| {
            items[start[r as usize] as usize] = i;
            start[r as usize] += 1;
        });
        // Every start is that of the next row now.
        self.start.copy_within(0..rows, 1);
        self.start[0] = 0;
    }
    /// Makes it the transpose of `other`: `i` is in row `j` as often as `j` was in row `i`, ascending.
    /// Linear.
    pub fn transpose_of(&mut self, other: &Rows) {
        let row = |i: usize| other.row(i).iter().map(move |&item| (i as u32, item));
        self.collect(other.len(), (0..other.len()).flat_map(row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transpose_keeps_every_pair() {
        let mut a = Rows::default();
        assert!(a.is_empty());
        for row in [&[1u32, 2, 2][..], &[], &[0]] {
            a.push_row(row.len(), |r| r.copy_from_slice(row));
        }
        let mut t = Rows::default();
        t.transpose_of(&a);
        assert_eq!((t.len(), t.row(0), t.row(1), t.row(2)), (3, &[2][..], &[0][..], &[0, 0][..]));
        t.collect(3, [(7, 2), (5, 0), (6, 2)].into_iter());
        assert_eq!((t.len(), t.row(0), t.row(1), t.row(2)), (3, &[5][..], &[][..], &[7, 6][..]));
        t.collect(0, [].into_iter());
        assert!(t.is_empty());
        t.transpose_of(&Rows::default());
        assert!(t.is_empty());
    }
}
