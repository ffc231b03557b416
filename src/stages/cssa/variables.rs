//! What LiveVariables says of a class that has become one register.
//!
//! **Problem.** A register with several defs is alive through the blocks that it is live into and out of without a def
//! there; where members of one value overlap, a kill of one is none of the class.
//!
//! **Algorithm.** The live ranges of all nodes of the class, sorted: what they cover together, less blocks with defs;
//! and the ends of members that nothing else of the class covers. Where a PHI of the class is, its node covers the
//! start of the block: that is what makes the register live in there.
//!
//! **Complexity.** Sorting the segments of the class, and the size of the result.

use super::classes::{Classes, Kind};
use super::{Function, Graph, NONE};
use crate::liveness::slot_index::SlotIndex;

/// What is known of one class.
#[derive(Default, Debug)]
pub struct Variables {
    /// What the class covers, ascending, not touching.
    pub covered: Vec<(SlotIndex, SlotIndex)>,
    /// Blocks it is live into, ascending.
    pub live_in: Vec<u32>,
    /// Of these, the ones it is alive through.
    pub alive: Vec<u32>,
    /// Entries of the instructions that kill it.
    pub kills: Vec<u32>,
    /// (candidate, entry): kills of a member that are none of the class.
    pub stale: Vec<(u32, u32)>,
    /// Blocks with a def.
    defs: Vec<u32>,
    segments: Vec<(SlotIndex, SlotIndex)>,
    /// By segment, the end of the furthest one up to it.
    furthest: Vec<SlotIndex>,
}

impl Variables {
    /// Of a class.
    pub fn compute(&mut self, f: &Function, graph: Graph, classes: &Classes, class: u32) {
        self.gather(f, classes, class);
        self.kills(classes, class);
        self.alive(graph);
    }

    /// Segments and blocks with defs.
    fn gather(&mut self, f: &Function, classes: &Classes, class: u32) {
        let Variables { covered, defs, segments, furthest, .. } = self;
        segments.clear();
        defs.clear();
        for &node in classes.list(class) {
            let n = &classes.nodes[node as usize];
            let is_made = match n.kind {
                // The result of a PHI is written only if that has another register.
                Kind::Register(i) => {
                    let phi = f.candidates[i as usize].phi;
                    phi == NONE || classes.of_phi(phi as usize) != class
                }
                Kind::Phi(_) => false,
                Kind::Copy(s) => classes.is_copied(s, f.sources[s as usize].candidate),
            };
            if is_made {
                defs.push(n.block);
            }
            segments.extend_from_slice(classes.segments(node));
        }
        defs.sort_unstable();
        segments.sort_unstable();
        covered.clear();
        furthest.clear();
        for &(start, end) in &*segments {
            furthest.push(furthest.last().map_or(end, |&last: &SlotIndex| last.max(end)));
            match covered.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => covered.push((start, end)),
            }
        }
    }

    fn kills(&mut self, classes: &Classes, class: u32) {
        self.kills.clear();
        self.stale.clear();
        for &node in classes.list(class) {
            let Kind::Register(i) = classes.nodes[node as usize].kind else { continue };
            for &(_, end) in classes.segments(node).iter().filter(|s| !s.1.is_block()) {
                // Whether something begins before and goes on behind.
                let before = self.segments.partition_point(|s| s.0 < end);
                if self.furthest[..before].last().is_some_and(|&last| last > end) {
                    self.stale.push((i, end.entry()));
                } else {
                    self.kills.push(end.entry());
                }
            }
        }
        self.kills.sort_unstable();
        self.kills.dedup();
    }

    fn alive(&mut self, graph: Graph) {
        self.live_in.clear();
        self.alive.clear();
        for &(start, end) in &self.covered {
            let mut block = graph.slots.block_of(start);
            if graph.slots.start(block) < start {
                block += 1;
            }
            while block < graph.slots.num_blocks() && graph.slots.start(block) < end {
                self.live_in.push(block as u32);
                if graph.slots.end(block) <= end && self.defs.binary_search(&(block as u32)).is_err() {
                    self.alive.push(block as u32);
                }
                block += 1;
            }
        }
    }

    /// Whether the register is live into a block.
    pub fn is_live_in(&self, block: u32) -> bool {
        self.live_in.binary_search(&block).is_ok()
    }
}

/// Whether ascending segments cover a slot.
pub fn covers(segments: &[(SlotIndex, SlotIndex)], at: SlotIndex) -> bool {
    let next = segments.partition_point(|s| s.0 <= at);
    next > 0 && at < segments[next - 1].1
}
