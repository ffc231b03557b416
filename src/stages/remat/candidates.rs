//! Finds the registers that may be recomputed in other blocks.

use super::limits::MAX_STEPS;
use super::types::{RegisterFile, RegisterSize, RematTarget};
use crate::mir::{BlockId, InstrFlags, InstrId, Operand, VRegId};
use crate::ssa::live_in::LiveInWalk;
use crate::ssa::repeat::is_recomputed;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;
use std::ops::Range;

index_vec::define_index_type! {
    /// A candidate.
    pub struct CandidateId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
}

/// A register that may be recomputed.
pub struct Candidate {
    /// The register.
    pub reg: VRegId,
    /// Its file.
    pub file: RegisterFile,
    /// The blocks that it lives into but that do not read it, as a range of the list in
    /// [`super::pressure`].
    pub blocks_through: Range<usize>,
    steps: Range<usize>,
    readers: Range<usize>,
    /// An origin is not live in a block that reads the candidate.
    lacks_origin: bool,
}

/// One of the instructions that compute a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// The length of the longest chain of such instructions above it.
    pub height: u32,
    /// The instruction.
    pub instr: InstrId,
}

/// A register that a candidate is computed from. It has to be live where the candidate is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Origin {
    reg: VRegId,
    candidate: CandidateId,
}

/// The candidates of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Candidates {
    /// The candidates.
    pub list: IndexVec<CandidateId, Candidate>,
    steps: Vec<Step>,
    origins: Vec<Origin>,
    readers: Vec<InstrId>,
    blocks: Vec<BlockId>,
}

impl Candidates {
    /// Returns whether some candidates are not predicates.
    pub fn has_registers(&self) -> bool {
        self.list.iter().any(|c| c.file == RegisterFile::Registers)
    }
    /// Drops the candidates that are not predicates.
    pub fn drop_registers(&mut self) {
        self.list.retain(|c| c.file != RegisterFile::Registers);
    }
    /// Returns the instructions that compute a candidate, operands first.
    pub fn steps(&self, candidate: &Candidate) -> &[Step] {
        &self.steps[candidate.steps.clone()]
    }
    /// Returns the readers of a candidate in other blocks, in order, so those of a block are
    /// adjacent.
    pub fn readers(&self, candidate: &Candidate) -> &[InstrId] {
        &self.readers[candidate.readers.clone()]
    }
    /// Returns these readers block by block.
    pub fn readers_by_block<'a>(
        &'a self,
        facts: &'a SsaFacts,
        candidate: &Candidate,
    ) -> impl Iterator<Item = &'a [InstrId]> {
        self.readers(candidate).chunk_by(|&a, &b| facts.block_of_instr(a) == facts.block_of_instr(b))
    }

    /// Finds the registers whose readers and steps allow recomputation.
    pub fn find(&mut self, facts: &SsaFacts, target: &mut impl RematTarget) {
        self.list.clear();
        self.steps.clear();
        self.origins.clear();
        self.readers.clear();
        for instr in facts.instr_ids() {
            let Some(computation) = Computation::of(facts, instr) else { continue };
            let reg = computation.result;
            let Some(file) = file_if_suited(facts, target, instr, reg) else { continue };
            let block = facts.block_of_instr(instr);
            let (num_readers, num_steps, num_origins) =
                (self.readers.len(), self.steps.len(), self.origins.len());
            self.read_readers(facts, reg, block);
            if self.find_steps(facts, target, instr, num_steps, 0).is_none() {
                self.readers.truncate(num_readers);
                self.steps.truncate(num_steps);
                self.origins.truncate(num_origins);
                continue;
            }
            self.list.push(Candidate {
                reg,
                file,
                blocks_through: 0..0,
                steps: num_steps..self.steps.len(),
                readers: num_readers..self.readers.len(),
                lacks_origin: false,
            });
        }
    }

    /// Keeps the candidates whose origins are live into all blocks that read them. A predicate's
    /// origin that ptxas recomputes counts as live only in a block that reads the origin.
    pub fn keep_if_origins_live(
        &mut self,
        facts: &SsaFacts,
        target: &mut impl RematTarget,
        walk: &mut LiveInWalk,
    ) {
        let Candidates { list, origins, readers, blocks, .. } = self;
        origins.sort_unstable();
        for of_origin in origins.chunk_by(|a, b| a.reg == b.reg) {
            let reg = of_origin[0].reg;
            blocks.clear();
            let is_followed = walk.follow(facts, reg, facts.readers_of(reg), blocks);
            let is_recomputed = is_recomputed(facts, target, reg);
            for origin in of_origin {
                let candidate = &mut list[origin.candidate];
                let is_kept = candidate.file == RegisterFile::Registers || !is_recomputed;
                let is_live = |&reader: &InstrId| {
                    let block = facts.block_of_instr(reader);
                    let mut readers = facts.readers_of(reg).map(|by| facts.block_of_instr(by));
                    walk.is_live_into(block) && (is_kept || readers.any(|of| of == block))
                };
                candidate.lacks_origin |=
                    !is_followed || !readers[candidate.readers.clone()].iter().all(is_live);
            }
        }
        list.retain(|c| !c.lacks_origin);
    }

    /// Adds the readers of a register outside its block, each once.
    fn read_readers(&mut self, facts: &SsaFacts, reg: VRegId, block: BlockId) {
        let first = self.readers.len();
        for reader in facts.readers_of(reg).filter(|&reader| facts.block_of_instr(reader) != block) {
            if self.readers[first..].last() != Some(&reader) {
                self.readers.push(reader);
            }
        }
    }

    /// Adds the steps that compute the result of an instruction, from index `first` on, and the
    /// origins of the next candidate. Returns the height of the last step. `None` if the
    /// instruction cannot be a step, or the steps are too many. `depth` is the number of steps
    /// below the instruction. A predicate is never an origin.
    fn find_steps(
        &mut self,
        facts: &SsaFacts,
        target: &mut impl RematTarget,
        instr: InstrId,
        first: usize,
        depth: usize,
    ) -> Option<u32> {
        if let Some(step) = self.steps[first..].iter().find(|step| step.instr == instr) {
            return Some(step.height);
        }
        if self.steps.len() - first + depth >= MAX_STEPS {
            return None;
        }
        let computation = Computation::of(facts, instr)?;
        let file = target.size(computation.result).file;
        let (mut height, mut num_registers) = (0, 0);
        for reg in computation.reads.iter().filter_map(|o| o.vreg()) {
            let def = facts.def_of(reg)?;
            if target.size(reg).file == RegisterFile::Predicates {
                if !target.is_cheap(def) {
                    return None;
                }
                height = height.max(1 + self.find_steps(facts, target, def, first, depth + 1)?);
            } else if file == RegisterFile::Registers || !target.is_free(def) {
                self.origins.push(Origin { reg, candidate: self.list.next_idx() });
            }
            num_registers += 1;
        }
        // With several registers to read, hardly any is saved.
        if file == RegisterFile::Registers && num_registers != 1 {
            return None;
        }
        self.steps.push(Step { height, instr });
        Some(height)
    }
}

/// Finds the file of the register that an instruction computes. `None` unless its readers allow
/// recomputation in other blocks.
fn file_if_suited(
    facts: &SsaFacts,
    target: &mut impl RematTarget,
    instr: InstrId,
    reg: VRegId,
) -> Option<RegisterFile> {
    let block = facts.block_of_instr(instr);
    let is_here = |&reader: &InstrId| facts.block_of_instr(reader) == block;
    let mut readers = facts.readers_of(reg);
    if readers.clone().all(|reader| is_here(&reader)) || !target.is_cheap(instr) {
        return None;
    }
    let RegisterSize { file, count } = target.size(reg);
    if file == RegisterFile::Registers && count > 1 && target.is_uniform(instr) {
        return None;
    }
    let mut here = readers.clone().filter(is_here);
    let is_kept = readers.any(|reader| facts.is_phi_instr(reader) || target.pins_operands(reader, file))
        || here.any(|reader| target.is_pinned_by(instr, reader));
    (!is_kept).then_some(file)
}

/// An instruction without side effects that computes one register from whole virtual registers and
/// constants.
struct Computation<'a> {
    result: VRegId,
    reads: &'a [Operand],
}

impl<'a> Computation<'a> {
    /// Reads an instruction. `None` if it is not one.
    fn of(facts: &'a SsaFacts, instr: InstrId) -> Option<Self> {
        const UNSUITED: InstrFlags = InstrFlags::PHI
            .with(InstrFlags::IN_BUNDLE)
            .with(InstrFlags::PHYSICAL)
            .with(InstrFlags::SUBREG)
            .with(InstrFlags::SUBREG_TO_REG);
        if facts.flags_of(instr).has_any(UNSUITED) {
            return None;
        }
        let (result, reads) = facts.operands_of(instr).split_first()?;
        let is_plain = |o: &Operand| !o.is_reg() || o.reads_whole() && !o.is_tied();
        let result = result.vreg().filter(|_| result.is_def())?;
        reads.iter().all(is_plain).then_some(Computation { result, reads })
    }
}
