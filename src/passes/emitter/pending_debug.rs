//! Keeps track of a block's debug values while it is emitted (requirement E10).

use super::host::EmitterHost;
use super::source_order::AnchorId;
use crate::mir::dag::debug::DbgOf;
use crate::mir::dag::ids::{DbgValueId, NodeId};
use crate::mir::dag::schedule::Dag;
use index_vec::{index_vec, IndexVec};

/// The debug values of the block being emitted.
pub(super) struct PendingDebug<H: EmitterHost> {
    /// Whether a debug value has been emitted.
    pub(super) emitted: IndexVec<DbgValueId, bool>,
    /// By node: the position of its first entry in [`Dag::dbg_of`], or the number of all entries.
    first_of: IndexVec<NodeId, u32>,
    /// The instructions that the anchors of [`SourceOrder`](super::source_order::SourceOrder) name.
    pub(super) instrs: IndexVec<AnchorId, H::Instr>,
    /// In a reordered block, by node: the number of these instructions when the node was done.
    pub(super) instrs_so_far: IndexVec<NodeId, AnchorId>,
}

impl<H: EmitterHost> PendingDebug<H> {
    /// Starts a block; the debug values marked in `emitted` need not be emitted.
    pub(super) fn new(dag: &Dag, emitted: IndexVec<DbgValueId, bool>, is_reordered: bool) -> Self {
        let mut first_of = index_vec![dag.dbg_of.len() as u32; dag.nodes.len()];
        for (i, of) in dag.dbg_of.iter().enumerate().rev() {
            first_of[of.node] = i as u32;
        }
        let num_reordered = if is_reordered { dag.nodes.len() } else { 0 };
        let instrs_so_far = index_vec![AnchorId::new(0); num_reordered];
        PendingDebug { emitted, first_of, instrs: IndexVec::new(), instrs_so_far }
    }

    /// The debug values of a node.
    pub(super) fn values_of<'a>(
        &self,
        dag: &Dag<'a>,
        node: NodeId,
    ) -> impl Iterator<Item = DbgValueId> + use<'a, H> {
        let of_node = dag.dbg_of[self.first_of[node] as usize..].iter();
        of_node.take_while(move |of: &&DbgOf| of.node == node).map(|of| of.value)
    }
}
