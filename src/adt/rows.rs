//! Stores many short lists in two arrays ("compressed sparse rows").
//!
//! A table of rows is typed by the numbers that name its rows and by the items that they hold: the
//! successors of blocks are a `Rows<BlockId, BlockId>`, the readers of registers a
//! `Rows<VRegId, InstrId>`.

use std::marker::PhantomData;

/// A number that names a row: `usize`, or an index type of index_vec.
pub trait RowId: Copy + From<usize> + Into<usize> {}
impl<R: Copy + From<usize> + Into<usize>> RowId for R {}

/// Row `r` is `items[start[r]..start[r + 1]]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rows<R = usize, I = u32> {
    start: Vec<u32>,
    items: Vec<I>,
    row_id: PhantomData<R>,
}

impl<R, I> Default for Rows<R, I> {
    fn default() -> Self {
        Rows { start: Vec::new(), items: Vec::new(), row_id: PhantomData }
    }
}

impl<R: RowId, I: Copy> Rows<R, I> {
    /// Removes all rows.
    pub fn clear(&mut self) {
        self.start.clear();
        self.items.clear();
    }
    /// Appends a row.
    pub fn push_row(&mut self, items: impl IntoIterator<Item = I>) {
        if self.start.is_empty() {
            self.start.push(0);
        }
        self.items.extend(items);
        self.start.push(self.items.len() as u32);
    }
    /// Returns how many rows there are.
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }
    /// Returns whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns the items of a row.
    pub fn row(&self, row: R) -> &[I] {
        let row: usize = row.into();
        &self.items[self.start[row] as usize..self.start[row + 1] as usize]
    }
    /// Returns all rows with their names, in order.
    pub fn iter(&self) -> impl Iterator<Item = (R, &[I])> + Clone {
        (0..self.len()).map(|row| (R::from(row), self.row(R::from(row))))
    }
    /// Makes `num_rows` rows. Row `r` gets every `i` for which `(i, r)` is in `pairs`, in their
    /// order. Linear.
    pub fn collect(&mut self, num_rows: usize, pairs: impl Iterator<Item = (I, R)> + Clone) {
        self.start.clear();
        self.start.resize(num_rows + 1, 0);
        pairs.clone().for_each(|(_, row)| self.start[row.into() + 1] += 1);
        self.fill(pairs);
    }
    /// Does what [`Rows::collect`] does, where the number of items of each row is known.
    pub fn collect_counted(&mut self, counts: &[u32], pairs: impl Iterator<Item = (I, R)> + Clone) {
        self.start.clear();
        self.start.push(0);
        self.start.extend_from_slice(counts);
        self.fill(pairs);
    }
    /// Fills the rows. After its first element, `start` has the number of items of each row.
    fn fill(&mut self, pairs: impl Iterator<Item = (I, R)> + Clone) {
        let Rows { start, items, .. } = self;
        let num_rows = start.len() - 1;
        for row in 0..num_rows {
            start[row + 1] += start[row];
        }
        items.clear();
        if let Some((any, _)) = pairs.clone().next() {
            items.resize(start[num_rows] as usize, any);
        }
        pairs.for_each(|(item, row)| {
            let next = &mut start[row.into()];
            items[*next as usize] = item;
            *next += 1;
        });
        // Every start is that of the next row now.
        self.start.copy_within(0..num_rows, 1);
        self.start[0] = 0;
    }
}

impl<R: RowId, I: RowId> Rows<R, I> {
    /// Makes the transpose of `other`, with `num_rows` rows: `i` is in row `j` as often as `j` is
    /// in row `i` of `other`. Rows are ascending. Linear.
    pub fn transpose_of(&mut self, other: &Rows<I, R>, num_rows: usize) {
        self.collect(num_rows, other.iter().flat_map(|(i, row)| row.iter().map(move |&r| (i, r))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    index_vec::define_index_type! { struct A = u32; }
    index_vec::define_index_type! { struct B = u32; }

    #[test]
    fn a_transpose_keeps_every_pair() {
        let mut a = Rows::<A, B>::default();
        assert!(a.is_empty());
        for row in [&[1, 2, 2][..], &[], &[0]] {
            a.push_row(row.iter().map(|&b| B::new(b)));
        }
        let mut t = Rows::<B, A>::default();
        t.transpose_of(&a, 3);
        let rows = |t: &Rows<B, A>| -> Vec<Vec<usize>> {
            t.iter().map(|(_, row)| row.iter().map(|i| i.index()).collect()).collect()
        };
        assert_eq!(rows(&t), [vec![2], vec![0], vec![0, 0]]);
        assert_eq!(t.row(B::new(0)), [A::new(2)]);
        t.transpose_of(&Rows::default(), 2);
        assert_eq!(rows(&t), [Vec::<usize>::new(), Vec::new()]);
    }

    #[test]
    fn items_are_collected_in_the_order_of_the_pairs() {
        let mut t: Rows = Rows::default();
        t.collect(3, [(7, 2), (5, 0), (6, 2)].into_iter());
        assert_eq!((t.len(), t.row(0), t.row(1), t.row(2)), (3, &[5][..], &[][..], &[7, 6][..]));
        t.collect_counted(&[1, 2], [(1, 1), (2, 0), (3, 1)].into_iter());
        assert_eq!((t.len(), t.row(0), t.row(1)), (2, &[2][..], &[1, 3][..]));
        t.collect(0, [].into_iter());
        assert!(t.is_empty());
    }
}
