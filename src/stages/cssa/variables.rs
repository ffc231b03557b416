//! Computes LiveVariables of a class that has become one register.
//!
//! **Problem.** A register with several defs is alive through a block if it is live into and out of
//! the block and has no def there. If members with the same value overlap, the kill of one member
//! is not a kill of the class.
//!
//! **Algorithm.** Sort the segments of all nodes of the class. The register is alive through the
//! blocks that the segments together cover, except blocks with defs. It is killed where a member
//! ends and no other segment of the class goes on. The node of a PHI covers the start of its block,
//! so the register is live into that block.
//!
//! **Complexity.** Sorting the segments of the class, and the size of the result.

use super::classes::Classes;
use super::nodes::NodeKind;
use super::partition::ClassId;
use super::types::{CandidateId, CssaFacts, Graph, NodeSegment};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::BlockId;

/// A kill of a member that is not a kill of the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StaleKill {
    /// The member.
    pub candidate: CandidateId,
    /// The entry of the instruction.
    pub entry: u32,
}

/// LiveVariables of one class.
#[derive(Default, Debug)]
pub struct Variables {
    /// The blocks that it is live into, ascending.
    pub live_in: Vec<BlockId>,
    /// The blocks of `live_in` that it is alive through.
    pub alive: Vec<BlockId>,
    /// Entries of the instructions that kill it.
    pub kills: Vec<u32>,
    /// Kills of members that must be removed.
    pub stale: Vec<StaleKill>,
    /// The slots that the class covers, as ascending segments that do not touch.
    covered: Vec<NodeSegment>,
    /// Blocks with a def.
    defs: Vec<BlockId>,
    segments: Vec<NodeSegment>,
    /// By segment: the furthest end up to it.
    furthest: Vec<SlotIndex>,
}

impl Variables {
    /// Computes LiveVariables of a class.
    pub fn compute(&mut self, facts: &CssaFacts, graph: Graph, classes: &Classes, class: ClassId) {
        self.gather(facts, classes, class);
        self.find_kills(classes, class);
        self.find_live_blocks(graph);
    }

    /// Gathers segments and blocks with defs.
    fn gather(&mut self, facts: &CssaFacts, classes: &Classes, class: ClassId) {
        let Variables { covered, defs, segments, furthest, .. } = self;
        segments.clear();
        defs.clear();
        for &id in classes.partition.list(class) {
            let node = &classes.nodes.list[id];
            let has_def = match node.kind {
                // The result of a PHI is written only if the PHI has another register.
                NodeKind::Register(candidate) => {
                    facts.candidates[candidate].phi.is_none_or(|phi| classes.of_phi(phi) != class)
                }
                NodeKind::Phi(_) => false,
                NodeKind::Copy(source) => classes.is_source_copied(facts, source),
            };
            if has_def {
                defs.push(node.block);
            }
            segments.extend_from_slice(classes.nodes.segments(id));
        }
        defs.sort_unstable();
        segments.sort_unstable();
        covered.clear();
        furthest.clear();
        for &segment in &*segments {
            furthest.push(furthest.last().map_or(segment.end, |&last: &SlotIndex| last.max(segment.end)));
            match covered.last_mut() {
                Some(last) if segment.start <= last.end => last.end = last.end.max(segment.end),
                _ => covered.push(segment),
            }
        }
    }

    fn find_kills(&mut self, classes: &Classes, class: ClassId) {
        self.kills.clear();
        self.stale.clear();
        for &id in classes.partition.list(class) {
            let NodeKind::Register(candidate) = classes.nodes.list[id].kind else { continue };
            for &NodeSegment { end, .. } in classes.nodes.segments(id).iter().filter(|s| !s.end.is_block()) {
                // Whether another segment begins before this end and continues after it.
                let before = self.segments.partition_point(|segment| segment.start < end);
                if self.furthest[..before].last().is_some_and(|&last| last > end) {
                    self.stale.push(StaleKill { candidate, entry: end.entry() });
                } else {
                    self.kills.push(end.entry());
                }
            }
        }
        self.kills.sort_unstable();
        self.kills.dedup();
    }

    fn find_live_blocks(&mut self, graph: Graph) {
        self.live_in.clear();
        self.alive.clear();
        let end_of_function = BlockId::from_usize(graph.slots.num_blocks());
        for &NodeSegment { start, end } in &self.covered {
            let mut block = graph.block_of(start);
            if graph.start(block) < start {
                block += 1;
            }
            while block < end_of_function && graph.start(block) < end {
                self.live_in.push(block);
                if graph.end(block) <= end && self.defs.binary_search(&block).is_err() {
                    self.alive.push(block);
                }
                block += 1;
            }
        }
    }
}
