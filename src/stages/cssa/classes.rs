//! Congruence classes: nodes, affinities, and the test whether two classes interfere.
//!
//! **Algorithm.** Both classes are walked through together, in preorder of the dominator tree, with a stack of the nodes
//! that dominate the current one: a node can only be live at the def of another if it dominates it, and if the
//! nearest one of the stack is not live there, no node of its class above it with another value is. Nodes of
//! one value may be live together within a class, so each node knows the nearest one above it that is live at its def and
//! has its value: in its own class (`above`), and during a test in the other one (`beside`).
//!
//! **Source.** Boissinot et al. 2009, section IV.B and algorithm 2. **Deviation:** the number of steps is limited.
//! **Complexity.** A test is linear in the nodes of both classes.

use super::variables::covers;
use super::{Function, Graph, Method, NONE};
use crate::liveness::slot_index::SlotIndex;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// So many steps of tests are made for each node and no more: what is left then stays apart, as copies that the
/// coalescer sees.
const STEPS_PER_NODE: usize = 128;

/// What a node stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A candidate.
    Register(u32),
    /// A PHI.
    Phi(u32),
    /// The copy for a source.
    Copy(u32),
}

/// A live range with one def and one value.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it is defined.
    pub block: u32,
    /// There.
    pub def: SlotIndex,
    value: u32,
    class: u32,
    segments: Range<u32>,
}

#[derive(Clone, Copy)]
struct Affinity {
    weight: u32,
    /// A node that stands for a PHI or one of its operands, and the register.
    nodes: [u32; 2],
}

/// What is counted.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    /// Classes joined.
    pub joined: u64,
    /// Pairs of classes that interfere.
    pub interfering: u64,
    /// Pairs of classes that were not tested any more.
    pub untested: u64,
}

/// The classes of a function.
#[derive(Default)]
pub struct Classes {
    /// The nodes, in preorder.
    pub nodes: Vec<Node>,
    /// Segments of the nodes.
    segments: Vec<(SlotIndex, SlotIndex)>,
    /// By candidate, PHI and source, its node.
    of_candidate: Vec<u32>,
    of_phi: Vec<u32>,
    of_source: Vec<u32>,
    /// By node, the one that it is a copy of.
    copied: Vec<u32>,
    /// By node, its partner.
    partner: Vec<u32>,
    /// By node, its class; a class is named after one of its nodes.
    class: Vec<u32>,
    /// By class, its nodes in `members`.
    lists: Vec<Range<u32>>,
    members: Vec<u32>,
    above: Vec<u32>,
    beside: Vec<u32>,
    stack: Vec<u32>,
    affinities: Vec<Affinity>,
    /// What was counted.
    pub counts: Counts,
}

impl Classes {
    /// Finds the classes of a function.
    pub fn compute(&mut self, f: &Function, graph: Graph, method: Method) {
        self.make_nodes(f, graph, method);
        self.relate(f);
        self.begin_classes(f);
        self.list_affinities(f);
        self.counts = Counts::default();
        let mut steps = self.nodes.len() * STEPS_PER_NODE;
        for i in 0..self.affinities.len() {
            let [a, b] = self.affinities[i].nodes.map(|n| self.class[n as usize]);
            if a == b {
                continue;
            }
            let cost = self.list(a).len() + self.list(b).len();
            if cost > steps {
                self.counts.untested += 1;
                continue;
            }
            steps -= cost;
            if self.nodes[a as usize].class != self.nodes[b as usize].class || self.interfere(graph, a, b) {
                self.counts.interfering += 1;
            } else {
                self.join(a, b);
                self.counts.joined += 1;
            }
        }
    }

    /// The class of a candidate.
    pub fn of_candidate(&self, candidate: u32) -> u32 {
        self.class[self.of_candidate[candidate as usize] as usize]
    }
    /// The class of a PHI, which its operands are copied to.
    pub fn of_phi(&self, phi: usize) -> u32 {
        self.class[self.of_phi[phi] as usize]
    }
    /// The nodes of a class.
    pub fn list(&self, class: u32) -> &[u32] {
        let range = &self.lists[class as usize];
        &self.members[range.start as usize..range.end as usize]
    }
    /// All classes.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.nodes.len() as u32).filter(|&n| self.class[n as usize] == n)
    }
    /// Whether a copy is made for a source of a PHI.
    pub fn is_copied(&self, source: u32, candidate: u32) -> bool {
        candidate == NONE
            || self.class[self.of_source[source as usize] as usize] != self.of_candidate(candidate)
    }
    /// Live range of a node.
    pub fn segments(&self, node: u32) -> &[(SlotIndex, SlotIndex)] {
        let range = &self.nodes[node as usize].segments;
        &self.segments[range.start as usize..range.end as usize]
    }
    /// Whether a node is live at a slot.
    pub fn is_live(&self, node: u32, at: SlotIndex) -> bool {
        covers(self.segments(node), at)
    }
    /// Whether two nodes have one value by construction.
    pub fn is_same_value(&self, a: u32, b: u32) -> bool {
        self.nodes[a as usize].value == self.nodes[b as usize].value
    }

    /// All nodes, sorted.
    fn make_nodes(&mut self, f: &Function, graph: Graph, method: Method) {
        let (nodes, segments) = (&mut self.nodes, &mut self.segments);
        nodes.clear();
        segments.clear();
        let mut next_value = f.candidates.len() as u32;
        let mut own_value = || {
            next_value += 1;
            next_value - 1
        };
        let value_of = |i: u32| match method {
            Method::Plain => i,
            Method::Value => f.candidates[i as usize].value,
        };
        for (i, c) in f.candidates.iter().enumerate() {
            let first = segments.len() as u32;
            let mut def = c.def;
            let range = &f.segments[c.segments.start as usize..c.segments.end as usize];
            if def.is_block() {
                // The result of a PHI is written behind all PHIs.
                def = SlotIndex(def.0 + 1);
                for &(start, end) in range {
                    match start <= c.def && c.def < end {
                        true if start < c.def => segments.extend([(start, c.def), (def, end)]),
                        true => segments.push((def, end)),
                        false => segments.push((start, end)),
                    }
                }
            } else {
                segments.extend_from_slice(range);
                if c.partner.is_some() {
                    // Ahead of what the instruction reads.
                    def = def.base();
                }
            }
            nodes.push(Node {
                kind: Kind::Register(i as u32),
                block: graph.slots.block_of(c.def) as u32,
                def,
                value: value_of(i as u32),
                class: c.class,
                segments: first..segments.len() as u32,
            });
        }
        let mut push = |kind, block, (def, end): (SlotIndex, SlotIndex), value, class| {
            let at = segments.len() as u32;
            segments.push((def, end));
            nodes.push(Node { kind, block, def, value, class, segments: at..at + 1 });
        };
        for (i, phi) in f.phis.iter().enumerate() {
            let start = graph.slots.start(phi.block as usize);
            let value = if phi.result == NONE { own_value() } else { value_of(phi.result) };
            // Beside the results of all PHIs of the block.
            push(Kind::Phi(i as u32), phi.block, (start, SlotIndex(start.0 + 2)), value, phi.class);
            for s in phi.sources.clone() {
                let source = f.sources[s as usize];
                let value = if source.candidate == NONE { own_value() } else { value_of(source.candidate) };
                let pred = source.pred as usize;
                let range = (f.ends[pred], graph.slots.end(pred));
                push(Kind::Copy(s), source.pred, range, value, phi.class);
            }
        }
        nodes.sort_by_key(|n| (graph.dominators.preorder(n.block as usize), n.def));
        self.of_candidate.clear();
        self.of_candidate.resize(f.candidates.len(), NONE);
        self.of_phi.clear();
        self.of_phi.resize(f.phis.len(), NONE);
        self.of_source.clear();
        self.of_source.resize(f.sources.len(), NONE);
        for (n, node) in nodes.iter().enumerate() {
            match node.kind {
                Kind::Register(i) => self.of_candidate[i as usize] = n as u32,
                Kind::Phi(i) => self.of_phi[i as usize] = n as u32,
                Kind::Copy(i) => self.of_source[i as usize] = n as u32,
            }
        }
    }

    /// What is a copy of what: results of PHIs, operands of copies, registers of registers.
    fn relate(&mut self, f: &Function) {
        let by_reg: FxHashMap<u32, u32> =
            f.candidates.iter().enumerate().map(|(i, c)| (c.reg, i as u32)).collect();
        let of_candidate = |c: Option<u32>| c.map_or(NONE, |c| self.of_candidate[c as usize]);
        self.copied.clear();
        self.copied.extend(self.nodes.iter().map(|node| match node.kind {
            Kind::Phi(_) => NONE,
            Kind::Copy(s) => of_candidate(Some(f.sources[s as usize].candidate).filter(|&c| c != NONE)),
            Kind::Register(i) => match &f.candidates[i as usize] {
                c if c.phi != NONE => self.of_phi[c.phi as usize],
                c => of_candidate(by_reg.get(&c.copied).copied()),
            },
        }));
        self.partner.clear();
        self.partner.extend(self.nodes.iter().map(|node| match node.kind {
            Kind::Register(i) => {
                let partner = f.candidates[i as usize].partner.and_then(|reg| by_reg.get(&reg));
                of_candidate(partner.copied())
            }
            _ => NONE,
        }));
    }

    /// A PHI and its copies are a class, every register is one.
    fn begin_classes(&mut self, f: &Function) {
        let n = self.nodes.len();
        self.class.clear();
        self.class.extend(0..n as u32);
        self.members.clear();
        self.members.extend(0..n as u32);
        self.lists.clear();
        self.lists.extend((0..n as u32).map(|i| i..i + 1));
        for buffer in [&mut self.above, &mut self.beside] {
            buffer.clear();
            buffer.resize(n, NONE);
        }
        for (i, phi) in f.phis.iter().enumerate() {
            let (class, first) = (self.of_phi[i], self.members.len());
            self.members.push(class);
            self.members.extend(phi.sources.clone().map(|s| self.of_source[s as usize]));
            self.members[first..].sort_unstable();
            for &node in &self.members[first..] {
                self.class[node as usize] = class;
            }
            self.lists[class as usize] = first as u32..self.members.len() as u32;
        }
    }

    /// The heaviest first; of equal ones as the code has them.
    fn list_affinities(&mut self, f: &Function) {
        self.affinities.clear();
        for (i, phi) in f.phis.iter().enumerate() {
            let pairs = phi.sources.clone().map(|s| {
                let source = f.sources[s as usize];
                (source.candidate, self.of_source[s as usize], f.weights[source.pred as usize])
            });
            let result = (phi.result, self.of_phi[i], f.weights[phi.block as usize]);
            for (candidate, node, weight) in std::iter::once(result).chain(pairs) {
                if candidate != NONE {
                    let nodes = [node, self.of_candidate[candidate as usize]];
                    self.affinities.push(Affinity { weight, nodes });
                }
            }
        }
        self.affinities.sort_by_key(|a| std::cmp::Reverse(a.weight));
    }

    /// Whether a node, ahead of another one in preorder, dominates it.
    fn dominates(&self, graph: Graph, above: u32, below: u32) -> bool {
        let [a, b] = [above, below].map(|n| self.nodes[n as usize].block as usize);
        graph.dominators.dominates(a, b)
    }

    /// Whether two classes interfere. If not, `beside` is set for the nodes of both.
    fn interfere(&mut self, graph: Graph, a: u32, b: u32) -> bool {
        let (mut i, mut j) = (self.lists[a as usize].clone(), self.lists[b as usize].clone());
        self.stack.clear();
        loop {
            let next = match (i.is_empty(), j.is_empty()) {
                (true, true) => return false,
                (true, false) => j.next(),
                (false, true) => i.next(),
                (false, false) => {
                    let [x, y] = [i.start, j.start].map(|at| self.members[at as usize]);
                    if x < y {
                        i.next()
                    } else {
                        j.next()
                    }
                }
            };
            let Some(next) = next else { return false };
            let node = self.members[next as usize];
            while self.stack.last().is_some_and(|&top| !self.dominates(graph, top, node)) {
                self.stack.pop();
            }
            self.beside[node as usize] = NONE;
            if let Some(&parent) = self.stack.last() {
                if self.interferes_above(node, parent) {
                    return true;
                }
            }
            self.stack.push(node);
        }
    }

    /// Whether `node` interferes with a node of the other class at or above `parent`, the nearest one that dominates it.
    fn interferes_above(&mut self, node: u32, parent: u32) -> bool {
        let is_same_class = self.class[node as usize] == self.class[parent as usize];
        let mut other = if is_same_class { self.beside[parent as usize] } else { parent };
        let def = self.nodes[node as usize].def;
        let is_live = |other: u32| {
            // A result of the same instruction begins behind what that reads.
            let is_beside = self.nodes[other as usize].def == def;
            let ends = self.partner[node as usize] == other && !self.is_live(other, def.register());
            is_beside || self.is_live(other, def) && !ends
        };
        while other != NONE && !is_live(other) {
            other = self.above[other as usize];
        }
        if other == NONE {
            return false;
        }
        self.beside[node as usize] = other;
        let class_of = |n: u32| self.class[n as usize];
        let copied = self.copied[node as usize];
        let is_copy = copied != NONE && [node, other].map(class_of).contains(&class_of(copied));
        !is_copy || !self.is_same_value(node, other)
    }

    /// Makes two classes that do not interfere, as was just tested, one.
    fn join(&mut self, a: u32, b: u32) {
        let [i, j] = [a, b].map(|c| self.lists[c as usize].clone());
        let first = self.members.len();
        let (mut i, mut j) = (i.start as usize..i.end as usize, j.start as usize..j.end as usize);
        while !i.is_empty() || !j.is_empty() {
            let from_a = j.is_empty() || !i.is_empty() && self.members[i.start] < self.members[j.start];
            let at = if from_a { i.next() } else { j.next() }.expect("one of them is not empty");
            let node = self.members[at];
            // Nodes that dominate the same one are in the order of their numbers: the greater one is nearer.
            let nearer = match (self.above[node as usize], self.beside[node as usize]) {
                (NONE, other) | (other, NONE) => other,
                (above, beside) => above.max(beside),
            };
            self.above[node as usize] = nearer;
            self.class[node as usize] = a;
            self.members.push(node);
        }
        self.lists[a as usize] = first as u32..self.members.len() as u32;
        self.lists[b as usize] = 0..0;
    }
}
