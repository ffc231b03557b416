//! The cheapest set of values to cut a graph of computations at.
//!
//! **Problem.** Each value has a cost. Some are there from the start (*sources*), the others are computed of some of them, and some are
//! needed at the end. Which are to be computed in the first place, and which in the second one, so that what goes over from the first
//! place to the second one costs least?
//!
//! **Algorithm.** A minimum cut of a network in which every value is an edge of its cost, as two nodes; that is as much as the
//! maximum flow (Ford and Fulkerson 1956), found by shortest augmenting paths (Edmonds and Karp 1972) of one source after the other. An
//! edge back from each computation to its operands, of any capacity, has the operands of what is computed first be computed first. What a
//! search reaches that does not get to the end is computed first, and no path goes there any more: of it none leads on. Of all
//! minimum cuts it is the one closest to the sources: nothing is computed early that does not pay.
//!
//! **Complexity.** O(flow · edges); the flow is at most the limit that is given. The searches that fail take O(edges) together.

/// No edge.
const NONE: u32 = u32::MAX;
/// More than any flow.
const ANY: u32 = u32::MAX / 2;

/// An edge.
#[derive(Clone, Copy)]
struct Edge {
    /// The node that it goes to.
    to: u32,
    /// How much more may flow.
    room: u32,
    /// The next edge of the node that it comes from.
    next: u32,
}

/// The network. Values are numbered as they are added.
#[derive(Default)]
pub struct Cut {
    /// By node, its first edge; two nodes for each value, behind the sink.
    first: Vec<u32>,
    /// The one back is next to each.
    edges: Vec<Edge>,
    /// Values that are there from the start.
    sources: Vec<u32>,
    /// By node: the edge that it was reached by, and in which search.
    reached_by: Vec<u32>,
    reached_in: Vec<u32>,
    /// Nodes that a search has reached, in this order.
    queue: Vec<u32>,
}

const SINK: u32 = 0;
/// The search that has reached what others failed to get on from.
const FAILED: u32 = u32::MAX;

/// The node where a value comes in, and where it goes out.
fn nodes(value: u32) -> [u32; 2] {
    [1 + 2 * value, 2 + 2 * value]
}

impl Cut {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.first.clear();
        self.first.push(NONE);
        self.edges.clear();
        self.sources.clear();
    }

    /// A value and what it costs to have it go over; its number.
    pub fn add(&mut self, cost: u32) -> u32 {
        let value = self.first.len() as u32 / 2;
        self.first.extend([NONE; 2]);
        let [into, out] = nodes(value);
        self.edge(into, out, cost);
        value
    }
    /// The value is there from the start.
    pub fn is_there(&mut self, value: u32) {
        self.sources.push(value);
    }
    /// The value is needed in the end.
    pub fn is_needed(&mut self, value: u32) {
        self.edge(nodes(value)[1], SINK, ANY);
    }
    /// One is computed of the other.
    pub fn reads(&mut self, value: u32, operand: u32) {
        let [into, _] = nodes(value);
        let [operand_into, operand_out] = nodes(operand);
        self.edge(operand_out, into, ANY);
        self.edge(into, operand_into, ANY);
    }

    /// An edge, and the one back, which has no room.
    fn edge(&mut self, from: u32, to: u32, room: u32) {
        for (from, to, room) in [(from, to, room), (to, from, 0)] {
            let edge = self.edges.len() as u32;
            let next = std::mem::replace(&mut self.first[from as usize], edge);
            self.edges.push(Edge { to, room, next });
        }
    }

    /// What goes over at least; none if that is more than `most`.
    pub fn run(&mut self, most: u32) -> Option<u32> {
        let num_nodes = self.first.len();
        self.reached_by.resize(num_nodes.max(self.reached_by.len()), NONE);
        self.reached_in.clear();
        self.reached_in.resize(num_nodes, 0);
        let (mut flow, mut turn) = (0, 0);
        for k in 0..self.sources.len() {
            let source = nodes(self.sources[k])[0];
            loop {
                turn += 1;
                if !self.search(source, turn) {
                    break;
                }
                flow += self.augment(source);
                if flow > most {
                    return None;
                }
            }
        }
        Some(flow)
    }

    /// Whether a value is computed, or was there, in the first place; behind [`Cut::run`].
    pub fn is_first(&self, value: u32) -> bool {
        self.reached_in[nodes(value)[0] as usize] == FAILED
    }

    /// Follows edges with room from a source; whether the sink is reached.
    fn search(&mut self, source: u32, turn: u32) -> bool {
        if self.reached_in[source as usize] == FAILED {
            return false;
        }
        self.reached_in[source as usize] = turn;
        self.queue.clear();
        self.queue.push(source);
        let mut at = 0;
        while let Some(&node) = self.queue.get(at) {
            at += 1;
            let mut edge = self.first[node as usize];
            while edge != NONE {
                let Edge { to, room, next } = self.edges[edge as usize];
                let reached = &mut self.reached_in[to as usize];
                if room > 0 && *reached != turn && *reached != FAILED {
                    *reached = turn;
                    self.reached_by[to as usize] = edge;
                    if to == SINK {
                        return true;
                    }
                    self.queue.push(to);
                }
                edge = next;
            }
        }
        for &node in &self.queue {
            self.reached_in[node as usize] = FAILED;
        }
        false
    }

    /// Has as much flow as there is room for on the way that was found; how much.
    fn augment(&mut self, source: u32) -> u32 {
        let mut more = ANY;
        let mut at = SINK;
        while at != source {
            let edge = self.reached_by[at as usize] as usize;
            more = more.min(self.edges[edge].room);
            at = self.edges[edge ^ 1].to;
        }
        at = SINK;
        while at != source {
            let edge = self.reached_by[at as usize] as usize;
            self.edges[edge].room -= more;
            self.edges[edge ^ 1].room += more;
            at = self.edges[edge ^ 1].to;
        }
        more
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzing::{cases, Rng};

    #[test]
    fn hoist_two_that_end_are_cut_where_they_are_one() {
        let mut cut = Cut::default();
        let mut run = |most| {
            cut.clear();
            let [a, b, sum] = [4, 4, 4].map(|cost| cut.add(cost));
            for operand in [a, b] {
                cut.is_there(operand);
                cut.reads(sum, operand);
            }
            cut.is_needed(sum);
            let flow = cut.run(most);
            (flow, cut.is_first(sum))
        };
        assert_eq!(run(3).0, None);
        assert_eq!(run(8), (Some(4), true));
    }

    /// Against all sets of computations that have their operands in them.
    #[test]
    fn hoist_cuts_are_the_cheapest_of_all() {
        let (mut rng, mut cut) = (Rng::new(7), Cut::default());
        for _ in 0..cases(2000) {
            let (num_sources, n) = (1 + rng.below(4), 5 + rng.below(6));
            let costs: Vec<u32> = (0..n).map(|_| rng.below(4) * 4).collect();
            let operands: Vec<Vec<u32>> = (0..n)
                .map(|v| if v < num_sources { vec![] } else { vec![rng.below(v), rng.below(v)] })
                .collect();
            // What nobody reads is needed in the end.
            let is_read = |v: u32| operands.iter().any(|of| of.contains(&v));
            let needed: Vec<bool> = (0..n).map(|v| !is_read(v) || rng.one_in(3)).collect();
            cut.clear();
            for v in 0..n {
                cut.add(costs[v as usize]);
                if v < num_sources {
                    cut.is_there(v);
                }
                operands[v as usize].iter().for_each(|&o| cut.reads(v, o));
                if needed[v as usize] {
                    cut.is_needed(v);
                }
            }
            // What goes over, if these are computed first.
            let goes_over = |first: u32| {
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
            let best = (0..1 << n).filter(|&first| is_closed(first)).map(goes_over).min();
            let found = cut.run(ANY);
            let first = (num_sources..n).filter(|&v| cut.is_first(v)).fold(0, |set, v| set | 1 << v);
            assert!(is_closed(first), "{operands:?}: {first:b}");
            assert_eq!((Some(goes_over(first)), best), (found, found), "{operands:?} {costs:?} {needed:?}");
        }
    }
}
