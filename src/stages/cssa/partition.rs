//! Keeps the congruence classes: disjoint sets of nodes, each an ascending list.

use super::nodes::{NodeId, NodeKind, Nodes};
use super::types::CssaFacts;
use index_vec::IndexVec;
use std::ops::Range;

index_vec::define_index_type! {
    /// A congruence class. Its number is that of one of its nodes.
    pub struct ClassId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// The classes of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Partition {
    /// By node: its class.
    class_of: IndexVec<NodeId, ClassId>,
    /// By class: its nodes, as a range of `members`; empty for a number without a class.
    lists: IndexVec<ClassId, Range<usize>>,
    members: Vec<NodeId>,
}

impl Partition {
    /// Forgets the previous function: there are no classes.
    pub fn clear(&mut self) {
        self.class_of.clear();
        self.lists.clear();
        self.members.clear();
    }
    /// Makes the initial classes: one of each PHI and the copies of its operands, and one of each
    /// register.
    pub fn begin(&mut self, facts: &CssaFacts, nodes: &Nodes) {
        let num_nodes = nodes.list.len();
        self.clear();
        self.class_of.extend(nodes.list.indices().map(|node: NodeId| ClassId::from_raw(node.raw())));
        self.members.extend(nodes.list.indices());
        self.lists.extend((0..num_nodes).map(|node| node..node + 1));
        for (id, phi) in facts.phis.iter_enumerated() {
            let (class, first) = (self.class_of[nodes.of_phi(id)], self.members.len());
            self.members.push(nodes.of_phi(id));
            self.members.extend(phi.source_ids().map(|source| nodes.of_source(source)));
            self.members[first..].sort_unstable();
            for &node in &self.members[first..] {
                self.class_of[node] = class;
            }
            self.lists[class] = first..self.members.len();
        }
    }
    /// Returns the class of a node.
    pub fn class_of(&self, node: NodeId) -> ClassId {
        self.class_of[node]
    }
    /// Returns the nodes of a class, ascending.
    pub fn list(&self, class: ClassId) -> &[NodeId] {
        &self.members[self.lists[class].clone()]
    }
    /// Returns all classes.
    pub fn all(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.class_of
            .iter_enumerated()
            .filter(|(node, class)| node.raw() == class.raw())
            .map(|(_, &class)| class)
    }
    /// Returns whether a class has a PHI and a register, so that its registers can be one.
    pub fn is_shared(&self, nodes: &Nodes, class: ClassId) -> bool {
        let kinds = || self.list(class).iter().map(|&node| nodes.list[node].kind);
        kinds().any(|kind| matches!(kind, NodeKind::Phi(_)))
            && kinds().any(|kind| matches!(kind, NodeKind::Register(_)))
    }
    /// Joins two classes into one, which gets the number of the first. Calls `visit` with each node
    /// in order.
    pub fn join(&mut self, a: ClassId, b: ClassId, mut visit: impl FnMut(NodeId)) {
        let (mut i, mut j) = (self.lists[a].clone(), self.lists[b].clone());
        let first = self.members.len();
        while !i.is_empty() || !j.is_empty() {
            let from_a = j.is_empty() || !i.is_empty() && self.members[i.start] < self.members[j.start];
            let at = if from_a { i.next() } else { j.next() }.expect("one of them is not empty");
            let node = self.members[at];
            visit(node);
            self.class_of[node] = a;
            self.members.push(node);
        }
        self.lists[a] = first..self.members.len();
        self.lists[b] = 0..0;
    }
}
