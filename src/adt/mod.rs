//! Data structures: dense, index-keyed, reused between functions.

mod bitset;
mod counters;
mod dense_map_order;
mod distance_map;
mod int_eq_classes;
mod packed_option;
mod rows;

pub use bitset::{bits, BitSet};
pub use counters::{Counter, Counters};
pub use dense_map_order::DenseMapOrder;
pub use distance_map::DistanceMap;
pub use int_eq_classes::IntEqClasses;
pub use packed_option::PackedOption;
pub use rows::{RowId, Rows};
