//! Makes graphs for tests.

use crate::adt::Rows;
use crate::mir::BlockId;

/// Returns the successors of each block.
pub fn edges(succs: &[&[u32]]) -> Rows<BlockId, BlockId> {
    let mut rows = Rows::default();
    succs.iter().for_each(|succs| rows.push_row(succs.iter().map(|&s| BlockId::from_raw(s))));
    rows
}
