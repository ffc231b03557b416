//! CSSA: which registers the PHIs of a function can share, before PHI elimination (row C8, `cicc` profile).
//!
//! **Problem.** PHI elimination makes two copies of every edge of a PHI and leaves it to the coalescer to get rid of
//! them. In *conventional* SSA no two registers that PHIs join, directly or through others, interfere: they can
//! be one register, and a PHI is no code at all. SSA of an optimiser is not conventional (lost copies, swaps), so some
//! copies have to stay; which ones is decided here, in SSA form, where interference is a question of dominance.
//!
//! **Algorithm.** A *node* is a live range with one def and one value: that of a register that a PHI names; that of a
//! PHI itself, at the start of its block; and that of the copy that an operand may need, from in front of the
//! terminators of the predecessor to its end. Nodes are sorted once, in preorder of the dominator tree; *congruence
//! classes* are ascending lists of them.
//!
//! 1. A PHI and its operands' copies are one class: these never interfere. Every register is another.
//! 2. *Affinities* (a PHI and its result, a copy and its operand) in the order of their weight, the depth of the loop,
//!    outermost last: the two classes become one unless they interfere ([`classes`]).
//! 3. A copy is needed only where an affinity is left. All others vanish, as both ends are one register.
//! 4. What LiveVariables has to know of the new registers follows from the nodes ([`variables`]).
//!
//! Two nodes interfere if one is live at the def of the other and their values differ ([`Method`]): a copy has the
//! value of its operand, a result that of its PHI; by [`Method::Value`] COPYs have the value of what they copy. Equal values
//! may overlap only if the later one is a copy from the class itself. Any other def, of an equal constant say, would hide
//! the value before it, and the class would not be live everywhere where its members are. Letting equal constants overlap
//! was tried and changed nothing in the corpus.
//!
//! The two-address pass writes the results of an instruction with tied operands before that reads; so these interfere with
//! what it reads, but for a source that is tied to them alone (`ties`).
//!
//! **Order of copies.** Copies for several PHIs at one place are one parallel copy. Here they are put one behind the
//! other in any order, so an operand lives to the end of the predecessor, beside the copies there, and a PHI beside the
//! results at the start of its block. What a cycle of copies needs (the swap problem) stays in registers of their own.
//!
//! **Source.** Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, "Revisiting Out-of-SSA Translation for
//! Correctness, Code Quality, and Efficiency" (CGO 2009); Sreedhar et al. 1999 for [`Method::Plain`];
//! register-coalescing.txt, "CSSA Coalescing". **Deviation:** the paper inserts all copies and takes them away again;
//! here they are nodes, and one is made only when it has to stay. The text runs its stage on IR; here it is where PHIs
//! are lowered, the last place with SSA form and exact liveness.
//!
//! **Complexity.** Sorting the nodes; a test is linear in the two classes, times a search in the live range. Classes of
//! thousands of nodes would make that quadratic: the steps of all tests are limited ([`classes`]).

pub mod classes;
#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod tests;
#[cfg(all(ptx_host, not(test)))]
mod ties;
pub mod variables;

use crate::adt::Rows;
use crate::cfg::graph::Dominators;
use crate::liveness::slot_index::{SlotIndex, SlotIndexes};
use std::ops::Range;

/// No register, class, node.
pub const NONE: u32 = u32::MAX;

/// When two live ranges that intersect interfere: `-usedessa`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Unless one stands for the other: a copy for its operand, a PHI for its result.
    Plain,
    /// Unless their values are equal by a COPY within the class as well.
    Value,
}

/// A register that a PHI names and that may share another one.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Index of the virtual register.
    pub reg: u32,
    /// Its def: the start of the block for a PHI.
    pub def: SlotIndex,
    /// Its live range: in [`Function::segments`].
    pub segments: Range<u32>,
    /// Registers with one number have one value; any number below that of the candidates.
    pub value: u32,
    /// The register that it is a COPY of, or [`NONE`].
    pub copied: u32,
    /// Only registers of one class can be one.
    pub class: u32,
    /// The PHI that it is the result of, or [`NONE`].
    pub phi: u32,
    /// If the instruction that defines it has tied operands: its partner, or [`NONE`] (`ties`).
    pub partner: Option<u32>,
}

/// A PHI.
#[derive(Clone, Debug)]
pub struct Phi {
    /// Its position among all PHIs of the function.
    pub index: usize,
    /// Its block.
    pub block: u32,
    /// Its result, a candidate, or [`NONE`].
    pub result: u32,
    /// In [`Function::sources`].
    pub sources: Range<u32>,
    /// The class of its registers.
    pub class: u32,
}

/// An operand of a PHI.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The predecessor.
    pub pred: u32,
    /// What it reads, a candidate; [`NONE`] if that is undefined or cannot share a register.
    pub candidate: u32,
}

/// A function in SSA form, as far as the stage has to know it. Blocks are counted in layout order.
#[derive(Default)]
pub struct Function {
    /// The PHIs that may share registers.
    pub phis: Vec<Phi>,
    /// Their operands; one for each predecessor.
    pub sources: Vec<Source>,
    /// Registers.
    pub candidates: Vec<Candidate>,
    /// Live ranges, half open, ascending in each.
    pub segments: Vec<(SlotIndex, SlotIndex)>,
    /// By block, where copies are put at its end: in front of the terminators.
    pub ends: Vec<SlotIndex>,
    /// By block, how often it is executed, as the depth of loops.
    pub weights: Vec<u32>,
}

/// The graph and the slots that go with it.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// Slots.
    pub slots: &'a SlotIndexes,
    /// Dominators, numbered.
    pub dominators: &'a Dominators,
    /// Successors.
    pub succs: &'a Rows,
}

impl Function {
    /// Empties it.
    pub fn clear(&mut self) {
        self.phis.clear();
        self.sources.clear();
        self.candidates.clear();
        self.segments.clear();
        self.ends.clear();
        self.weights.clear();
    }
}

/// Marks the PHIs that a marked one reads, and so on: at first the ones whose results other instructions read. `reads`
/// appends the PHIs that a PHI reads. The others are of no use: nothing but they read their registers, whose live ranges
/// would end once PHIs are no code.
pub fn mark_useful(useful: &mut [bool], mut reads: impl FnMut(usize, &mut Vec<u32>)) {
    let mut list: Vec<u32> = (0..useful.len() as u32).filter(|&p| useful[p as usize]).collect();
    let mut read = Vec::new();
    while let Some(phi) = list.pop() {
        reads(phi as usize, &mut read);
        list.extend(read.drain(..).filter(|&p| !std::mem::replace(&mut useful[p as usize], true)));
    }
}

/// The stage and its buffers, kept from function to function.
#[cfg(all(ptx_host, not(test)))]
#[derive(Default)]
pub struct Cssa {
    function: Function,
    classes: classes::Classes,
    run: pass::Buffers,
}
