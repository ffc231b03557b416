//! Lists the recomputations: in each block that reads a candidate, each of its steps once, before
//! the first reader there.

use super::candidates::{Candidate, Candidates, Step};
use super::types::{Reader, Recomputation, RecomputationId};
use crate::mir::{virtual_reads, BlockId, InstrId};
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

index_vec::define_index_type! {
    /// A step that a block needs.
    struct NeedId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A step that a block needs, and the instruction that it is put before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    block: BlockId,
    step: Step,
    before: InstrId,
}

/// A recomputation and one of its readers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Read {
    recomputation: RecomputationId,
    reader: Reader,
}

/// The recomputations of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Recomputations {
    /// The recomputations, in the order in which they are made.
    pub list: IndexVec<RecomputationId, Recomputation>,
    /// The readers of all recomputations.
    readers: Vec<Reader>,
    /// Sorted by block and step.
    needs: IndexVec<NeedId, Need>,
    /// The needs in the order in which their instructions are made.
    order: IndexVec<RecomputationId, NeedId>,
    /// By need: its index in `order`.
    recomputation_of: IndexVec<NeedId, RecomputationId>,
    reads: Vec<Read>,
}

impl Recomputations {
    /// Empties the list.
    pub fn clear(&mut self) {
        self.list.clear();
        self.readers.clear();
    }
    /// Lists the readers of a recomputation.
    pub fn readers(&self, recomputation: &Recomputation) -> &[Reader] {
        &self.readers[recomputation.readers.clone()]
    }

    /// Lists the recomputations of all candidates.
    pub fn list(&mut self, facts: &SsaFacts, candidates: &Candidates) {
        self.clear();
        self.find_needs(facts, candidates);
        self.reads.clear();
        for candidate in &candidates.list {
            self.find_reads(facts, candidates, candidate);
        }
        self.reads.sort_unstable();
        self.reads.dedup();
        let mut reads = self.reads.iter().peekable();
        for (id, &need) in self.order.iter_enumerated() {
            let first = self.readers.len();
            while let Some(read) = reads.next_if(|read| read.recomputation == id) {
                self.readers.push(read.reader);
            }
            let Need { step, before, .. } = self.needs[need];
            let readers = first..self.readers.len();
            self.list.push(Recomputation { original: step.instr, before, readers });
        }
    }

    /// Finds the steps that each block needs, and orders them.
    fn find_needs(&mut self, facts: &SsaFacts, candidates: &Candidates) {
        self.needs.clear();
        for candidate in &candidates.list {
            for readers in candidates.readers_by_block(facts, candidate) {
                let (block, before) = (facts.block_of_instr(readers[0]), readers[0]);
                let steps = candidates.steps(candidate).iter();
                self.needs.extend(steps.map(|&step| Need { block, step, before }));
            }
        }
        let needs = self.needs.as_mut_vec();
        needs.sort_unstable();
        needs.dedup_by(|next, need| (need.block, need.step) == (next.block, next.step));
        let needs = &self.needs;
        self.order.clear();
        self.order.extend(needs.indices());
        self.order.as_raw_slice_mut().sort_unstable_by_key(|&need| (needs[need].before, needs[need].step));
        self.recomputation_of.clear();
        self.recomputation_of.resize(needs.len(), RecomputationId::new(0));
        for (id, &need) in self.order.iter_enumerated() {
            self.recomputation_of[need] = id;
        }
    }

    /// Finds the instructions that read the recomputations of a candidate: its readers, and later
    /// steps.
    fn find_reads(&mut self, facts: &SsaFacts, candidates: &Candidates, candidate: &Candidate) {
        let steps = candidates.steps(candidate);
        for readers in candidates.readers_by_block(facts, candidate) {
            let block = facts.block_of_instr(readers[0]);
            for &step in steps {
                let reader = Reader::Recomputation(self.recomputation(block, step));
                for reg in virtual_reads(facts.operands_of(step.instr)) {
                    let def = facts.def_of(reg);
                    if let Some(&operand) = steps.iter().find(|step| Some(step.instr) == def) {
                        let recomputation = self.recomputation(block, operand);
                        self.reads.push(Read { recomputation, reader });
                    }
                }
            }
            let recomputation = self.recomputation(block, steps[steps.len() - 1]);
            let reads = readers.iter().map(|&reader| Read { recomputation, reader: Reader::Instr(reader) });
            self.reads.extend(reads);
        }
    }

    /// Finds the recomputation of a step in a block.
    fn recomputation(&self, block: BlockId, step: Step) -> RecomputationId {
        let needs = self.needs.as_raw_slice();
        let need = needs.partition_point(|need| (need.block, need.step) < (block, step));
        self.recomputation_of[need]
    }
}
