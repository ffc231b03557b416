//! Makes the nodes of the classes: live ranges with one def and one value each.

use super::types::{CandidateId, CssaFacts, Graph, Method, NodeSegment, PhiId, SourceId, TiedDef, ValueNo};
use crate::adt::PackedOption;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, RegClassId, VRegId};
use index_vec::IndexVec;
use rustc_hash::FxHashMap;
use std::ops::Range;

index_vec::define_index_type! {
    /// A node. Nodes are numbered in preorder of the dominator tree.
    pub struct NodeId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A register, a PHI or a copy: a node is the live range of one of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A register.
    Register(CandidateId),
    /// A PHI.
    Phi(PhiId),
    /// The copy of an operand of a PHI.
    Copy(SourceId),
}

/// A live range with one def and one value.
#[derive(Clone, Debug)]
pub struct Node {
    /// The register, PHI or copy whose live range it is.
    pub kind: NodeKind,
    /// The block where it is defined.
    pub block: BlockId,
    /// The slot of its def.
    pub def: SlotIndex,
    /// Its register class.
    pub reg_class: Option<RegClassId>,
    value: ValueNo,
    segments: Range<usize>,
}

/// The nodes of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Nodes {
    /// The nodes.
    pub list: IndexVec<NodeId, Node>,
    segments: Vec<NodeSegment>,
    of_candidate: IndexVec<CandidateId, NodeId>,
    of_phi: IndexVec<PhiId, NodeId>,
    of_source: IndexVec<SourceId, NodeId>,
    /// By node: the node that it is a copy of.
    copied: IndexVec<NodeId, PackedOption<NodeId>>,
    /// By node: the node that it may share a register with although its instruction writes its
    /// result before it reads.
    tied_to: IndexVec<NodeId, PackedOption<NodeId>>,
}

impl Nodes {
    /// Forgets the previous function.
    pub fn clear(&mut self) {
        self.list.clear();
        self.segments.clear();
    }
    /// Makes the nodes of a function.
    pub fn make(&mut self, facts: &CssaFacts, graph: Graph, method: Method) {
        self.clear();
        self.add_registers(facts, graph, method);
        self.add_phis(facts, graph, method);
        self.list.as_mut_vec().sort_by_key(|node| (graph.dominators.preorder(node.block), node.def));
        self.find_nodes(facts);
        self.relate(facts);
    }
    /// Returns the node of a register.
    pub fn of_candidate(&self, candidate: CandidateId) -> NodeId {
        self.of_candidate[candidate]
    }
    /// Returns the node of a PHI.
    pub fn of_phi(&self, phi: PhiId) -> NodeId {
        self.of_phi[phi]
    }
    /// Returns the node of the copy of an operand.
    pub fn of_source(&self, source: SourceId) -> NodeId {
        self.of_source[source]
    }
    /// Returns the node that a node is a copy of: the PHI of a result, the operand of a copy, the
    /// source of a COPY.
    pub fn copied(&self, node: NodeId) -> Option<NodeId> {
        self.copied[node].get()
    }
    /// Returns the node that a node may share a register with although its instruction writes its
    /// result before it reads.
    pub fn tied_to(&self, node: NodeId) -> Option<NodeId> {
        self.tied_to[node].get()
    }
    /// Returns the live range of a node, ascending.
    pub fn segments(&self, node: NodeId) -> &[NodeSegment] {
        &self.segments[self.list[node].segments.clone()]
    }
    /// Returns whether a node is live at a slot.
    pub fn is_live(&self, node: NodeId, at: SlotIndex) -> bool {
        let segments = self.segments(node);
        let next = segments.partition_point(|segment| segment.start <= at);
        next > 0 && at < segments[next - 1].end
    }
    /// Returns whether two nodes have the same value by construction.
    pub fn have_same_value(&self, a: NodeId, b: NodeId) -> bool {
        self.list[a].value == self.list[b].value
    }

    fn add_registers(&mut self, facts: &CssaFacts, graph: Graph, method: Method) {
        for (id, candidate) in facts.candidates.iter_enumerated() {
            let first = self.segments.len();
            let range = &facts.segments[candidate.segments.clone()];
            let def = if candidate.def.is_block() {
                // The copy to a PHI's result is placed after all PHIs.
                let def = SlotIndex(candidate.def.0 + 1);
                for &NodeSegment { start, end } in range {
                    if start < candidate.def && candidate.def < end {
                        self.segments.push(NodeSegment { start, end: candidate.def });
                    }
                    let is_of_def = start <= candidate.def && candidate.def < end;
                    self.segments.push(NodeSegment { start: if is_of_def { def } else { start }, end });
                }
                def
            } else {
                self.segments.extend_from_slice(range);
                match candidate.tied {
                    TiedDef::None => candidate.def,
                    // Before the instruction's reads.
                    TiedDef::WrittenEarly | TiedDef::WrittenEarlyBut(_) => candidate.def.base(),
                }
            };
            self.list.push(Node {
                kind: NodeKind::Register(id),
                block: graph.block_of(candidate.def),
                def,
                value: value_of(facts, method, id),
                reg_class: Some(candidate.class),
                segments: first..self.segments.len(),
            });
        }
    }

    fn add_phis(&mut self, facts: &CssaFacts, graph: Graph, method: Method) {
        let mut next_value = ValueNo::from_usize(facts.candidates.len());
        let mut value_or_new = |candidate: Option<CandidateId>| match candidate {
            Some(candidate) => value_of(facts, method, candidate),
            None => {
                next_value += 1;
                next_value - 1
            }
        };
        for (id, phi) in facts.phis.iter_enumerated() {
            let start = graph.start(phi.block);
            // A PHI is live together with the results of all PHIs of the block.
            let range = NodeSegment { start, end: SlotIndex(start.0 + 2) };
            let value = value_or_new(phi.result);
            self.add(NodeKind::Phi(id), phi.block, range, value, phi.class);
            for id in phi.source_ids() {
                let source = facts.sources[id];
                let range = NodeSegment { start: facts.copy_slot(source.pred), end: graph.end(source.pred) };
                let value = value_or_new(source.candidate);
                self.add(NodeKind::Copy(id), source.pred, range, value, phi.class);
            }
        }
    }

    fn add(
        &mut self,
        kind: NodeKind,
        block: BlockId,
        range: NodeSegment,
        value: ValueNo,
        reg_class: Option<RegClassId>,
    ) {
        let at = self.segments.len();
        self.segments.push(range);
        self.list.push(Node { kind, block, def: range.start, value, reg_class, segments: at..at + 1 });
    }

    /// Finds the nodes of all registers, PHIs and operands.
    fn find_nodes(&mut self, facts: &CssaFacts) {
        self.of_candidate.resize(facts.candidates.len(), NodeId::new(0));
        self.of_phi.resize(facts.phis.len(), NodeId::new(0));
        self.of_source.resize(facts.sources.len(), NodeId::new(0));
        for (id, node) in self.list.iter_enumerated() {
            match node.kind {
                NodeKind::Register(candidate) => self.of_candidate[candidate] = id,
                NodeKind::Phi(phi) => self.of_phi[phi] = id,
                NodeKind::Copy(source) => self.of_source[source] = id,
            }
        }
    }

    /// Relates copies to the nodes that they are copies of, and tied registers to each other.
    fn relate(&mut self, facts: &CssaFacts) {
        let by_reg: FxHashMap<VRegId, CandidateId> =
            facts.candidates.iter_enumerated().map(|(id, c)| (c.reg, id)).collect();
        let of_reg = |reg: VRegId| by_reg.get(&reg).map(|&candidate| self.of_candidate[candidate]);
        self.copied.clear();
        self.copied.extend(self.list.iter().map(|node| {
            let copied = match node.kind {
                NodeKind::Phi(_) => None,
                NodeKind::Copy(source) => facts.sources[source].candidate.map(|c| self.of_candidate[c]),
                NodeKind::Register(candidate) => match &facts.candidates[candidate] {
                    c if c.phi.is_some() => c.phi.map(|phi| self.of_phi[phi]),
                    c => c.copied.and_then(of_reg),
                },
            };
            PackedOption::from(copied)
        }));
        self.tied_to.clear();
        self.tied_to.extend(self.list.iter().map(|node| {
            let tied_to = match node.kind {
                NodeKind::Register(candidate) => match facts.candidates[candidate].tied {
                    TiedDef::WrittenEarlyBut(reg) => of_reg(reg),
                    TiedDef::None | TiedDef::WrittenEarly => None,
                },
                NodeKind::Phi(_) | NodeKind::Copy(_) => None,
            };
            PackedOption::from(tied_to)
        }));
    }
}

/// Returns the value of a register. Without values, each register has its own.
fn value_of(facts: &CssaFacts, method: Method, candidate: CandidateId) -> ValueNo {
    match method {
        Method::Plain => ValueNo::from_raw(candidate.raw()),
        Method::Value => facts.candidates[candidate].value,
    }
}
