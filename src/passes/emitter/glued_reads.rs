//! Keeps the registers that a chain of glued nodes reads.

use crate::mir::dag::ids::NodeId;
use crate::mir::Register;

/// The registers that the nodes of one chain of glue read.
///
/// Nodes are emitted in the order of their chain, so each chain is read once. LLVM reads it anew
/// for each of its nodes, and the chain of a `brx` has a node for each target.
#[derive(Default)]
pub(super) struct GluedReads {
    chain: Vec<Link>,
    reads: Vec<Register>,
    /// The current position in the chain.
    at: usize,
}

struct Link {
    node: NodeId,
    /// The first of [`GluedReads::reads`] that this node or a later one reads.
    first_read: usize,
}

impl GluedReads {
    /// Forgets the chain.
    pub(super) fn clear(&mut self) {
        self.chain.clear();
        self.reads.clear();
        self.at = 0;
    }
    /// Appends a node to the chain.
    pub(super) fn push_node(&mut self, node: NodeId) {
        self.chain.push(Link { node, first_read: self.reads.len() });
    }
    /// Adds registers that the last node of the chain reads.
    pub(super) fn extend(&mut self, reads: impl IntoIterator<Item = Register>) {
        self.reads.extend(reads);
    }
    /// Moves to `node`, at the current position or after it. Returns false if the chain does not
    /// have it there.
    pub(super) fn seek(&mut self, node: NodeId) -> bool {
        let ahead = self.chain[self.at..].iter().position(|link| link.node == node);
        self.at += ahead.unwrap_or(0);
        ahead.is_some()
    }
    /// The registers that the node at the current position and later ones read.
    pub(super) fn reads(&self) -> &[Register] {
        self.chain.get(self.at).map_or(&[], |link| &self.reads[link.first_read..])
    }
}
