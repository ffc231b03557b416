//! Tests whether two congruence classes interfere.
//!
//! **Algorithm.** Visit the nodes of both classes together, in preorder of the dominator tree, with
//! a stack of the nodes that dominate the current one. A node can be live at the def of another
//! only if it dominates that def. If the nearest node of the stack is not live there, no higher
//! node of its class with another value is live there. Within a class, nodes of one value may be
//! live together. So each node links to the nearest higher node that is live at its def and has its
//! value: one link within its own class (`above`), and one, during a test, into the other class
//! (`beside`).
//!
//! **Source.** Boissinot et al. 2009, section IV.B and algorithm 2. **Complexity.** A test is
//! linear in the nodes of both classes.

use super::nodes::{NodeId, Nodes};
use super::partition::{ClassId, Partition};
use super::types::Graph;
use crate::adt::PackedOption;
use index_vec::IndexVec;

/// The nearest nodes with the same value, and the stack of the test.
#[derive(Default)]
pub struct Interference {
    /// By node: the nearest higher node of its class that is live at its def; the two have the same
    /// value.
    above: IndexVec<NodeId, PackedOption<NodeId>>,
    /// By node of the two classes of the last test: the nearest such node of the other class.
    beside: IndexVec<NodeId, PackedOption<NodeId>>,
    stack: Vec<NodeId>,
}

/// The function and its classes during a test.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The graph.
    pub graph: Graph<'a>,
    /// The nodes.
    pub nodes: &'a Nodes,
    /// Their classes.
    pub partition: &'a Partition,
}

impl Interference {
    /// Begins with classes in which no two nodes are live together.
    pub fn begin(&mut self, num_nodes: usize) {
        for buffer in [&mut self.above, &mut self.beside] {
            buffer.clear();
            buffer.resize(num_nodes, PackedOption::NONE);
        }
    }

    /// Returns whether two classes interfere.
    pub fn test(&mut self, context: Context, a: ClassId, b: ClassId) -> bool {
        let Context { graph, nodes, partition } = context;
        let (mut i, mut j) = (partition.list(a).iter().peekable(), partition.list(b).iter().peekable());
        self.stack.clear();
        loop {
            let next = match (i.peek(), j.peek()) {
                (Some(x), Some(y)) if x < y => i.next(),
                (_, Some(_)) => j.next(),
                (_, None) => i.next(),
            };
            let Some(&node) = next else { return false };
            let dominates = |above: NodeId| graph.dominates(nodes.list[above].block, nodes.list[node].block);
            while self.stack.last().is_some_and(|&top| !dominates(top)) {
                self.stack.pop();
            }
            self.beside[node] = PackedOption::NONE;
            if let Some(&parent) = self.stack.last() {
                if self.interferes_above(context, node, parent) {
                    return true;
                }
            }
            self.stack.push(node);
        }
    }

    /// Returns whether `node` interferes with a node of the other class at or above `parent`, the
    /// nearest node that dominates it.
    fn interferes_above(&mut self, context: Context, node: NodeId, parent: NodeId) -> bool {
        let Context { nodes, partition, .. } = context;
        let class_of = |node: NodeId| partition.class_of(node);
        let is_same_class = class_of(node) == class_of(parent);
        let mut other = if is_same_class { self.beside[parent].get() } else { Some(parent) };
        let def = nodes.list[node].def;
        let is_live = |other: NodeId| {
            // Two results of one instruction are live together: they begin after its reads.
            let is_beside = nodes.list[other].def == def;
            let ends = nodes.tied_to(node) == Some(other) && !nodes.is_live(other, def.register());
            is_beside || nodes.is_live(other, def) && !ends
        };
        while other.is_some_and(|other| !is_live(other)) {
            other = other.and_then(|other| self.above[other].get());
        }
        let Some(other) = other else { return false };
        self.beside[node] = other.into();
        let copied = nodes.copied(node);
        let is_copy = copied.is_some_and(|copied| [node, other].map(class_of).contains(&class_of(copied)));
        !is_copy || !nodes.have_same_value(node, other)
    }

    /// Updates a node of two classes that become one; the last test found that they do not
    /// interfere.
    pub fn join(&mut self, node: NodeId) {
        // Both dominate `node`, and nodes are numbered in preorder, so the greater number is the
        // nearer one.
        let nearest = self.above[node].get().max(self.beside[node].get());
        self.above[node] = nearest.into();
    }
}
