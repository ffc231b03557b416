//! Links numbered items to lists that are appended to, and to each other, in constant time.

use crate::adt::PackedOption;
use index_vec::Idx;

/// The first and the last item of a list. The owner of the items keeps the next one for each.
#[derive(Clone, Copy)]
pub struct List<I> {
    first: PackedOption<I>,
    last: PackedOption<I>,
}

impl<I: Idx> List<I> {
    /// The empty list.
    pub const EMPTY: List<I> = List { first: PackedOption::NONE, last: PackedOption::NONE };

    /// The first item.
    pub fn first(&self) -> Option<I> {
        self.first.get()
    }
    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }
    /// Makes another item the first one; `None` empties the list.
    pub fn set_first(&mut self, first: Option<I>) {
        self.first = first.into();
        if first.is_none() {
            self.last = PackedOption::NONE;
        }
    }
    /// Makes another item, which has no next one, the last one.
    pub fn set_last(&mut self, last: I) {
        self.last = last.into();
    }
    /// Appends an item. `link` makes it the next one of the previous last item.
    pub fn append(&mut self, item: I, link: impl FnOnce(I)) {
        match self.last.get() {
            Some(last) => link(last),
            None => self.first = item.into(),
        }
        self.last = item.into();
    }
    /// Appends a list. `link` makes its first item the next one of the previous last item.
    pub fn concat(&mut self, more: List<I>, link: impl FnOnce(I)) {
        if more.is_empty() {
            return;
        }
        match self.last.get() {
            Some(last) => {
                link(last);
                self.last = more.last;
            }
            None => *self = more,
        }
    }
}
