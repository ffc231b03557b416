//! Finds the cheapest set of values at which to cut a graph of computations.
//!
//! **Problem.** Code is split over two places, the first before the second. Each value has a cost.
//! Some values are available from the start (*sources*), the others are computed from earlier ones,
//! and some are needed at the end. A value *crosses* if it is computed in the first place and read
//! in the second. Which values are to be computed in the first place, so that those that cross cost
//! least?
//!
//! **Algorithm.** A minimum cut of a network in which every value is an edge between two nodes,
//! with its cost as capacity. The cut equals the maximum flow (Ford and Fulkerson 1956), found by
//! shortest augmenting paths (Edmonds and Karp 1972) from one source after the other. An edge of
//! unlimited capacity leads back from each computation to its operands, so the operands of a value
//! that is computed first are computed first too. If a search does not reach the sink, all nodes
//! that it reached are computed first, and are closed: no path leads on from them any more. Of all
//! minimum cuts it is the one closest to the sources: nothing is computed early unless it pays.
//!
//! **Complexity.** O(flow · edges). The flow is at most the given limit plus one path. All searches
//! that fail take O(edges) together.

use crate::adt::PackedOption;
use index_vec::IndexVec;

index_vec::define_index_type! {
    /// A value of the graph; they are numbered as they are added.
    pub struct ValueId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// A node of the flow network.
    struct NodeId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

index_vec::define_index_type! {
    /// An edge of the flow network.
    struct EdgeId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// The capacity of an edge that is never cut: more than any flow.
const UNLIMITED: u32 = u32::MAX / 2;
/// The node that everything needed flows to. The nodes of the values follow it.
const SINK: NodeId = NodeId { _raw: 0 };

impl ValueId {
    /// The node where the value's flow enters.
    fn entry(self) -> NodeId {
        NodeId::from_raw(1 + 2 * self.raw())
    }
    /// The node where it leaves.
    fn exit(self) -> NodeId {
        NodeId::from_raw(2 + 2 * self.raw())
    }
}

impl EdgeId {
    /// The edge between the same nodes in the other direction.
    fn reversed(self) -> EdgeId {
        EdgeId::from_raw(self.raw() ^ 1)
    }
}

/// An edge.
#[derive(Clone, Copy)]
struct Edge {
    /// The node that it leads to.
    to: NodeId,
    /// The capacity that is left.
    room: u32,
    /// The next edge of the node that it starts from.
    next: PackedOption<EdgeId>,
}

/// The network.
#[derive(Default)]
pub struct MinimumCut {
    /// By node: its first edge.
    first_edge: IndexVec<NodeId, PackedOption<EdgeId>>,
    /// Each edge is next to its reverse.
    edges: IndexVec<EdgeId, Edge>,
    /// Values that are available from the start.
    sources: Vec<ValueId>,
    /// By node: the edge that it was reached by, and the number of the last search that reached it.
    reached_by: IndexVec<NodeId, PackedOption<EdgeId>>,
    reached_in: IndexVec<NodeId, u32>,
    /// By node: whether a failed search reached it.
    is_closed: IndexVec<NodeId, bool>,
    /// The nodes that a search has reached, in order.
    queue: Vec<NodeId>,
}

impl MinimumCut {
    /// Empties the network.
    pub fn clear(&mut self) {
        self.first_edge.clear();
        self.first_edge.push(PackedOption::NONE);
        self.edges.clear();
        self.sources.clear();
    }
    /// Adds a value that costs `cost` if it crosses.
    pub fn add(&mut self, cost: u32) -> ValueId {
        let value = ValueId::from_usize(self.first_edge.len() / 2);
        self.first_edge.extend([PackedOption::NONE; 2]);
        self.add_edge(value.entry(), value.exit(), cost);
        value
    }
    /// Makes a value available from the start.
    pub fn mark_available(&mut self, value: ValueId) {
        self.sources.push(value);
    }
    /// Makes a value needed at the end.
    pub fn mark_needed(&mut self, value: ValueId) {
        self.add_edge(value.exit(), SINK, UNLIMITED);
    }
    /// Makes one value an operand of another one.
    pub fn add_read(&mut self, value: ValueId, operand: ValueId) {
        self.add_edge(operand.exit(), value.entry(), UNLIMITED);
        self.add_edge(value.entry(), operand.entry(), UNLIMITED);
    }

    /// Adds an edge and its reverse, which has no capacity.
    fn add_edge(&mut self, from: NodeId, to: NodeId, room: u32) {
        for (from, to, room) in [(from, to, room), (to, from, 0)] {
            let next = self.first_edge[from];
            self.first_edge[from] = self.edges.push(Edge { to, room, next }).into();
        }
    }

    /// Computes the least cost of values that cross. `None` if that is more than `max`.
    pub fn run(&mut self, max: u32) -> Option<u32> {
        let num_nodes = self.first_edge.len();
        self.reached_by.resize(num_nodes.max(self.reached_by.len()), PackedOption::NONE);
        self.reached_in.clear();
        self.reached_in.resize(num_nodes, 0);
        self.is_closed.clear();
        self.is_closed.resize(num_nodes, false);
        let (mut flow, mut search) = (0, 0);
        for at in 0..self.sources.len() {
            let source = self.sources[at].entry();
            loop {
                search += 1;
                if !self.search(source, search) {
                    break;
                }
                flow += self.augment(source);
                if flow > max {
                    return None;
                }
            }
        }
        Some(flow)
    }

    /// Returns whether a value is computed, or available, in the first place. Call it after
    /// [`MinimumCut::run`].
    pub fn is_first(&self, value: ValueId) -> bool {
        self.is_closed[value.entry()]
    }

    /// Follows edges with capacity left from a source. Returns whether the sink is reached.
    fn search(&mut self, source: NodeId, search: u32) -> bool {
        if self.is_closed[source] {
            return false;
        }
        self.reached_in[source] = search;
        self.queue.clear();
        self.queue.push(source);
        let mut at = 0;
        while let Some(&node) = self.queue.get(at) {
            at += 1;
            let mut next_edge = self.first_edge[node].get();
            while let Some(edge) = next_edge {
                let Edge { to, room, next } = self.edges[edge];
                if room > 0 && self.reached_in[to] != search && !self.is_closed[to] {
                    self.reached_in[to] = search;
                    self.reached_by[to] = edge.into();
                    if to == SINK {
                        return true;
                    }
                    self.queue.push(to);
                }
                next_edge = next.get();
            }
        }
        for &node in &self.queue {
            self.is_closed[node] = true;
        }
        false
    }

    /// Sends as much flow as fits along the path that was found. Returns how much.
    fn augment(&mut self, source: NodeId) -> u32 {
        let mut more = UNLIMITED;
        let mut node = SINK;
        while node != source {
            let edge = self.edge_into(node);
            more = more.min(self.edges[edge].room);
            node = self.edges[edge.reversed()].to;
        }
        node = SINK;
        while node != source {
            let edge = self.edge_into(node);
            self.edges[edge].room -= more;
            self.edges[edge.reversed()].room += more;
            node = self.edges[edge.reversed()].to;
        }
        more
    }

    /// Returns the edge by which the search reached a node.
    fn edge_into(&self, node: NodeId) -> EdgeId {
        self.reached_by[node].get().expect("the path goes through it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};

    #[test]
    fn hoist_two_that_end_are_cut_where_they_are_one() {
        let mut cut = MinimumCut::default();
        let mut run = |max| {
            cut.clear();
            let [a, b, sum] = [4, 4, 4].map(|cost| cut.add(cost));
            for operand in [a, b] {
                cut.mark_available(operand);
                cut.add_read(sum, operand);
            }
            cut.mark_needed(sum);
            let flow = cut.run(max);
            (flow, cut.is_first(sum))
        };
        assert_eq!(run(3).0, None);
        assert_eq!(run(8), (Some(4), true));
    }

    /// Compares with all sets of computations that contain their operands.
    #[test]
    fn hoist_cuts_are_the_cheapest_of_all() {
        let (mut rng, mut cut) = (Rng::new(7), MinimumCut::default());
        for _ in 0..cases(2000) {
            let (num_sources, n) = (1 + rng.below(4), 5 + rng.below(6));
            let costs: Vec<u32> = (0..n).map(|_| rng.below(4) * 4).collect();
            let operands: Vec<Vec<u32>> = (0..n)
                .map(|v| if v < num_sources { vec![] } else { vec![rng.below(v), rng.below(v)] })
                .collect();
            // A value without readers is needed at the end.
            let is_read = |v: u32| operands.iter().any(|of| of.contains(&v));
            let needed: Vec<bool> = (0..n).map(|v| !is_read(v) || rng.one_in(3)).collect();
            cut.clear();
            for v in 0..n {
                let value = cut.add(costs[v as usize]);
                if v < num_sources {
                    cut.mark_available(value);
                }
                operands[v as usize].iter().for_each(|&o| cut.add_read(value, ValueId::from_raw(o)));
                if needed[v as usize] {
                    cut.mark_needed(value);
                }
            }
            // The cost of the values that cross if these are computed first.
            let cost_of_crossing = |first: u32| {
                let is_first = |v: u32| v < num_sources || first >> v & 1 != 0;
                let is_read = |v: u32| {
                    needed[v as usize] || (0..n).any(|u| !is_first(u) && operands[u as usize].contains(&v))
                };
                (0..n).filter(|&v| is_first(v) && is_read(v)).map(|v| costs[v as usize]).sum::<u32>()
            };
            let is_closed = |first: u32| {
                (num_sources..n)
                    .filter(|&v| first >> v & 1 != 0)
                    .all(|v| operands[v as usize].iter().all(|&o| o < num_sources || first >> o & 1 != 0))
            };
            let best = (0..1 << n).filter(|&first| is_closed(first)).map(cost_of_crossing).min();
            let found = cut.run(UNLIMITED);
            let first = (num_sources..n)
                .filter(|&v| cut.is_first(ValueId::from_raw(v)))
                .fold(0, |set, v| set | 1 << v);
            assert!(is_closed(first), "{operands:?}: {first:b}");
            assert_eq!(
                (Some(cost_of_crossing(first)), best),
                (found, found),
                "{operands:?} {costs:?} {needed:?}"
            );
        }
    }
}
