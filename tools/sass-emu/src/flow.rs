//! Basic blocks, dominators and loops of a kernel.
//!
//! **Method.** A block ends at an instruction that may go elsewhere, and before one that may be gone to. An edge to a block that dominates
//! its start closes a loop; loops with one head are one.
//!
//! **Source.** Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", as `petgraph` has it.
//!
//! **Deviation.** Indirect jumps have no edges.
//!
//! **Complexity.** Near linear in the code, for code with reducible loops.

use std::collections::BTreeMap;
use std::ops::Range;

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::instruction::{Instruction, Value, SIZE};

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its first block.
    pub head: usize,
    /// Its blocks, in order.
    pub blocks: Vec<usize>,
    /// 1 for a loop that lies in no other.
    pub depth: u32,
}

/// The blocks and loops of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// The instructions of each block.
    pub blocks: Vec<Range<usize>>,
    pub successors: Vec<Vec<usize>>,
    /// Outer loops come before those within them.
    pub loops: Vec<Loop>,
}

/// The place that a branch or call names.
fn target(instruction: &Instruction) -> Option<usize> {
    let is_branch = matches!(instruction.base(), "BRA" | "JMP");
    let last = instruction.operands.last().filter(|_| is_branch)?;
    match last.value {
        Value::Integer(address) => Some(address as usize / SIZE as usize),
        _ => None,
    }
}

fn ends_block(instruction: &Instruction) -> bool {
    matches!(instruction.base(), "BRA" | "JMP" | "BRX" | "EXIT" | "RET" | "CALL" | "BSYNC" | "BREAK" | "KILL")
}

/// Whether the next instruction may come after this one.
fn goes_on(instruction: &Instruction) -> bool {
    let is_conditional = instruction.guard.is_some()
        || instruction.operands.iter().any(|operand| operand.predicate().is_some())
        || instruction.has("DIV")
        || instruction.has("CONV");
    !matches!(instruction.base(), "BRA" | "JMP" | "BRX" | "EXIT" | "RET" | "KILL") || is_conditional
}

impl Flow {
    pub fn new(code: &[Instruction]) -> Flow {
        let mut starts: Vec<usize> = code.iter().filter_map(target).filter(|&at| at < code.len()).collect();
        starts.extend((0..code.len()).filter(|&at| at == 0 || ends_block(&code[at - 1])));
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([code.len()]);
        let blocks: Vec<Range<usize>> = starts.iter().zip(ends).map(|(&start, end)| start..end).collect();
        let block_at = |place: usize| starts.binary_search(&place).ok();
        let successors: Vec<Vec<usize>> = blocks
            .iter()
            .map(|block| {
                let last = &code[block.end - 1];
                let next = goes_on(last).then_some(block.end).and_then(block_at);
                let mut all: Vec<usize> = target(last).and_then(block_at).into_iter().chain(next).collect();
                all.dedup();
                all
            })
            .collect();
        let loops = loops(&successors);
        Flow { blocks, successors, loops }
    }

    /// The loops that hold an instruction, from the outermost on.
    pub fn loops_at(&self, place: usize) -> impl Iterator<Item = &Loop> {
        let block = self.blocks.iter().position(|block| block.contains(&place));
        self.loops
            .iter()
            .filter(move |own| block.is_some_and(|block| own.blocks.binary_search(&block).is_ok()))
    }
}

fn loops(successors: &[Vec<usize>]) -> Vec<Loop> {
    if successors.is_empty() {
        return Vec::new();
    }
    let edges = successors.iter().enumerate();
    let edges = edges.flat_map(|(from, all)| all.iter().map(move |&to| (from as u32, to as u32)));
    let mut graph: DiGraph<(), ()> = DiGraph::from_edges(edges);
    while graph.node_count() < successors.len() {
        graph.add_node(());
    }
    let dominators = simple_fast(&graph, NodeIndex::new(0));
    let mut bodies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, all) in successors.iter().enumerate() {
        for &head in all {
            let dominates = dominators
                .dominators(NodeIndex::new(from))
                .is_some_and(|mut all| all.any(|node| node.index() == head));
            if !dominates {
                continue;
            }
            let body = bodies.entry(head).or_insert_with(|| vec![head]);
            let mut open = vec![from];
            while let Some(block) = open.pop() {
                if !body.contains(&block) {
                    body.push(block);
                    open.extend(
                        graph
                            .neighbors_directed(NodeIndex::new(block), petgraph::Incoming)
                            .map(|n| n.index()),
                    );
                }
            }
        }
    }
    let mut loops: Vec<Loop> = bodies
        .into_iter()
        .map(|(head, mut blocks)| {
            blocks.sort_unstable();
            Loop { head, blocks, depth: 1 }
        })
        .collect();
    loops.sort_by_key(|own| std::cmp::Reverse(own.blocks.len()));
    for at in 0..loops.len() {
        let outer = loops[..at].iter().filter(|outer| outer.blocks.binary_search(&loops[at].head).is_ok());
        loops[at].depth = 1 + outer.count() as u32;
    }
    loops
}
