//! The cheapest set of values to cut a graph of computations at.
//!
//! **Problem.** Each value has a cost. Some are there from the start (*sources*), the others are computed of some of them, and some are
//! needed at the end. Which are to be computed in the first place, and which in the second one, so that what goes over from the first
//! place to the second one costs least?
//!
//! **Algorithm.** A minimum cut of a network in which every value is an edge of its cost, as two nodes; that is as much as the
//! maximum flow (Ford and Fulkerson 1956), found by shortest augmenting paths (Edmonds and Karp 1972). An edge back from each
//! computation to its operands, of any capacity, has the operands of what is computed first be computed first. Of all
//! minimum cuts it is the one closest to the sources: nothing is computed early that does not pay.
//!
//! **Complexity.** O(flow · edges); the flow is at most the limit that is given.

use std::collections::VecDeque;

/// No edge.
const NONE: u32 = u32::MAX;
/// More than any flow.
const ANY: u32 = u32::MAX / 2;

/// The network. Values are numbered as they are added.
#[derive(Default)]
pub struct Cut {
    /// By node, its first edge; two nodes for each value, behind source and sink.
    first: Vec<u32>,
    /// By edge: where to, how much more may flow, the next edge of the node. The edge back is next to it.
    to: Vec<u32>,
    room: Vec<u32>,
    next: Vec<u32>,
    /// By node: the edge that it was reached by.
    reached_by: Vec<u32>,
    queue: VecDeque<u32>,
    path: Vec<u32>,
}

const SOURCE: u32 = 0;
const SINK: u32 = 1;

/// The node where a value comes in, and where it goes out.
fn nodes(value: u32) -> [u32; 2] {
    [2 + 2 * value, 3 + 2 * value]
}

impl Cut {
    /// Begins anew.
    pub fn clear(&mut self) {
        self.first.clear();
        self.first.resize(2, NONE);
        self.to.clear();
        self.room.clear();
        self.next.clear();
    }

    /// A value and what it costs to have it go over; its number.
    pub fn add(&mut self, cost: u32) -> u32 {
        let value = (self.first.len() as u32 - 2) / 2;
        self.first.extend([NONE; 2]);
        let [into, out] = nodes(value);
        self.edge(into, out, cost);
        value
    }
    /// The value is there from the start.
    pub fn is_there(&mut self, value: u32) {
        self.edge(SOURCE, nodes(value)[0], ANY);
    }
    /// The value is needed in the end.
    pub fn is_needed(&mut self, value: u32) {
        self.edge(nodes(value)[1], SINK, ANY);
    }
    /// One is computed of the other.
    pub fn reads(&mut self, value: u32, operand: u32) {
        self.edge(nodes(operand)[1], nodes(value)[0], ANY);
        self.edge(nodes(value)[0], nodes(operand)[0], ANY);
    }

    fn edge(&mut self, from: u32, to: u32, room: u32) {
        for (from, to, room) in [(from, to, room), (to, from, 0)] {
            let edge = self.to.len() as u32;
            self.to.push(to);
            self.room.push(room);
            self.next.push(std::mem::replace(&mut self.first[from as usize], edge));
        }
    }

    /// What goes over at least; none if that is more than `most`.
    pub fn run(&mut self, most: u32) -> Option<u32> {
        let mut flow = 0;
        while self.search() {
            self.path.clear();
            let mut at = SINK;
            while at != SOURCE {
                let edge = self.reached_by[at as usize];
                self.path.push(edge);
                at = self.to[edge as usize ^ 1];
            }
            let more =
                self.path.iter().map(|&edge| self.room[edge as usize]).min().expect("the sink is no source");
            for &edge in &self.path {
                self.room[edge as usize] -= more;
                self.room[edge as usize ^ 1] += more;
            }
            flow += more;
            if flow > most {
                return None;
            }
        }
        Some(flow)
    }

    /// Whether a value is computed, or was there, in the first place; behind [`Cut::run`].
    pub fn is_first(&self, value: u32) -> bool {
        self.reached_by[nodes(value)[0] as usize] != NONE
    }

    /// Follows edges with room from the source; whether the sink is reached.
    fn search(&mut self) -> bool {
        self.reached_by.clear();
        self.reached_by.resize(self.first.len(), NONE);
        // Of the source anything that is an edge.
        self.reached_by[SOURCE as usize] = 0;
        self.queue.clear();
        self.queue.push_back(SOURCE);
        while let Some(node) = self.queue.pop_front() {
            let mut edge = self.first[node as usize];
            while edge != NONE {
                let to = self.to[edge as usize];
                if self.room[edge as usize] > 0 && self.reached_by[to as usize] == NONE {
                    self.reached_by[to as usize] = edge;
                    if to == SINK {
                        return true;
                    }
                    self.queue.push_back(to);
                }
                edge = self.next[edge as usize];
            }
        }
        false
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
