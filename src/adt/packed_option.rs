//! Stores an optional number in 32 bits, for arrays of many.
//!
//! **Source.** `PackedOption` of cranelift-entity, whose ids have a reserved value, too.
//! **Deviation:** it takes any index type of index_vec.

use index_vec::Idx;
use std::fmt;
use std::marker::PhantomData;

/// An `Option<I>` of four bytes. The number `u32::MAX` stands for `None`, also at the boundary to
/// LLVM.
#[repr(transparent)]
pub struct PackedOption<I> {
    raw: u32,
    index: PhantomData<I>,
}

impl<I: Idx> PackedOption<I> {
    /// No number.
    pub const NONE: Self = PackedOption { raw: u32::MAX, index: PhantomData };

    /// Returns the number as an `Option`.
    pub fn get(self) -> Option<I> {
        self.is_some().then(|| I::from_usize(self.raw as usize))
    }
    /// Returns whether there is a number.
    pub fn is_some(self) -> bool {
        self.raw != u32::MAX
    }
    /// Returns whether there is none.
    pub fn is_none(self) -> bool {
        !self.is_some()
    }
}

impl<I: Idx> From<Option<I>> for PackedOption<I> {
    fn from(option: Option<I>) -> Self {
        option.map_or(Self::NONE, Self::from)
    }
}

impl<I: Idx> From<I> for PackedOption<I> {
    fn from(index: I) -> Self {
        debug_assert!(index.index() < u32::MAX as usize);
        PackedOption { raw: index.index() as u32, index: PhantomData }
    }
}

impl<I: Idx> Default for PackedOption<I> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<I> Clone for PackedOption<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for PackedOption<I> {}

impl<I> PartialEq for PackedOption<I> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl<I> Eq for PackedOption<I> {}

impl<I: Idx> fmt::Debug for PackedOption<I> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    index_vec::define_index_type! { struct TestId = u32; }

    #[test]
    fn packs_and_unpacks() {
        let some = PackedOption::from(TestId::new(3));
        assert_eq!((some.get(), some.is_none()), (Some(TestId::new(3)), false));
        assert_eq!(PackedOption::<TestId>::from(None), PackedOption::default());
        assert_eq!(PackedOption::<TestId>::NONE.get(), None);
        assert_eq!(size_of::<PackedOption<TestId>>(), 4);
    }
}
