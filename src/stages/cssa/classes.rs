//! Joins nodes into congruence classes along affinities.
//!
//! **Algorithm.** At first, a PHI and the copies of its operands are one class, and every register
//! is a class of its own. An *affinity* is a PHI and its result, or a copy and its operand. Its
//! weight is the sum over the copies that it saves, which count more in deeper loops. Affinities
//! are visited heaviest first: the two classes become one unless they interfere.
//!
//! **Source.** Boissinot et al. 2009, section IV. **Deviation:** the number of steps is limited.
//!
//! **Complexity.** Sorting the affinities, and the tests, whose steps are limited.

use super::interference::{Context, Interference};
use super::nodes::{NodeId, NodeKind, Nodes};
use super::partition::{ClassId, Partition};
use super::types::{CandidateId, CssaFacts, Graph, Method, PhiId, SourceId};
use index_vec::IndexVec;

/// The steps that all tests together may take, per node. A pair whose test would take more than
/// what is left is not joined; the coalescer may still remove its copies. The limit only bounds
/// compile time: tests of large classes are quadratic.
const MAX_STEPS_PER_NODE: usize = 128;

/// A copy that is not needed if its two nodes are in one class.
#[derive(Clone, Copy)]
struct Affinity {
    weight: u64,
    /// A PHI, or the copy of an operand.
    node: NodeId,
    /// Its result, or the operand.
    register: NodeId,
}

/// Counts pairs of classes.
#[derive(Default, Clone, Copy, Debug)]
pub struct Counts {
    /// Pairs of classes that interfere.
    pub interfering: u64,
    /// Pairs of classes that were not tested, because of the limit.
    pub untested: u64,
}

/// The classes of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Classes {
    /// The nodes.
    pub nodes: Nodes,
    /// Their classes.
    pub partition: Partition,
    interference: Interference,
    affinities: Vec<Affinity>,
    /// By register: its last affinity.
    listed: IndexVec<CandidateId, usize>,
    /// The counts of the last function.
    pub counts: Counts,
}

impl Classes {
    /// Forgets the previous function: there are no classes.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.partition.clear();
        self.counts = Counts::default();
    }

    /// Finds the classes of a function.
    pub fn compute(&mut self, facts: &CssaFacts, graph: Graph, method: Method) {
        self.nodes.make(facts, graph, method);
        self.partition.begin(facts, &self.nodes);
        self.interference.begin(self.nodes.list.len());
        self.counts = Counts::default();
        self.list_affinities(facts);
        let mut steps = self.nodes.list.len() * MAX_STEPS_PER_NODE;
        for at in 0..self.affinities.len() {
            let Affinity { node, register, .. } = self.affinities[at];
            let [a, b] = [node, register].map(|node| self.partition.class_of(node));
            if a == b {
                continue;
            }
            let cost = self.partition.list(a).len() + self.partition.list(b).len();
            if cost > steps {
                self.counts.untested += 1;
                continue;
            }
            steps -= cost;
            if self.interfere(graph, a, b) {
                self.counts.interfering += 1;
            } else {
                let Classes { partition, interference, .. } = self;
                partition.join(a, b, |node| interference.join(node));
            }
        }
    }

    /// Returns the class of a register.
    pub fn of_candidate(&self, candidate: CandidateId) -> ClassId {
        self.partition.class_of(self.nodes.of_candidate(candidate))
    }
    /// Returns the class of a PHI, which its operands are copied to.
    pub fn of_phi(&self, phi: PhiId) -> ClassId {
        self.partition.class_of(self.nodes.of_phi(phi))
    }
    /// Returns whether an operand of a PHI is copied.
    pub fn is_source_copied(&self, facts: &CssaFacts, source: SourceId) -> bool {
        let class = self.partition.class_of(self.nodes.of_source(source));
        facts.sources[source].candidate.map(|c| self.of_candidate(c)) != Some(class)
    }
    /// Returns whether the result of a PHI is copied.
    pub fn is_result_copied(&self, facts: &CssaFacts, phi: PhiId) -> bool {
        facts.phis[phi].result.map(|c| self.of_candidate(c)) != Some(self.of_phi(phi))
    }
    /// Returns the classes whose registers can be one.
    pub fn shared(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.partition.all().filter(|&class| self.partition.is_shared(&self.nodes, class))
    }
    /// Returns the registers of a class.
    pub fn candidates_of(&self, class: ClassId) -> impl Iterator<Item = CandidateId> + '_ {
        self.partition.list(class).iter().filter_map(|&node| match self.nodes.list[node].kind {
            NodeKind::Register(candidate) => Some(candidate),
            NodeKind::Phi(_) | NodeKind::Copy(_) => None,
        })
    }

    /// Lists affinities, the heaviest first; those of equal weight in code order. An operand that a
    /// PHI has over several edges is one affinity, as all its copies go at once.
    fn list_affinities(&mut self, facts: &CssaFacts) {
        let Classes { nodes, affinities, listed, .. } = self;
        affinities.clear();
        listed.clear();
        listed.resize(facts.candidates.len(), 0);
        for (id, phi) in facts.phis.iter_enumerated() {
            let first = affinities.len();
            let mut add = |candidate: Option<CandidateId>, node, weight| {
                let Some(candidate) = candidate else { return };
                // The existing affinity of this PHI and register, if there is one.
                if let Some(known) = affinities[first..].get_mut(listed[candidate].wrapping_sub(first)) {
                    if known.register == nodes.of_candidate(candidate) {
                        known.weight = known.weight.saturating_add(weight);
                        return;
                    }
                }
                listed[candidate] = affinities.len();
                affinities.push(Affinity { weight, node, register: nodes.of_candidate(candidate) });
            };
            add(phi.result, nodes.of_phi(id), facts.weight(phi.block));
            for id in phi.source_ids() {
                let source = facts.sources[id];
                add(source.candidate, nodes.of_source(id), facts.weight(source.pred));
            }
        }
        affinities.sort_by_key(|affinity| std::cmp::Reverse(affinity.weight));
    }

    /// Returns whether two classes cannot become one.
    fn interfere(&mut self, graph: Graph, a: ClassId, b: ClassId) -> bool {
        let Classes { nodes, partition, interference, .. } = self;
        let reg_class = |class: ClassId| nodes.list[partition.list(class)[0]].reg_class;
        reg_class(a) != reg_class(b) || interference.test(Context { graph, nodes, partition }, a, b)
    }
}
