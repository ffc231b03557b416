//! Measures the register pressure of candidates that live through blocks. Keeps those that are a
//! worthwhile part of it.

use super::candidates::Candidates;
use super::limits::Limits;
use super::types::{PerFile, RegisterFile, RegisterSize, RematTarget};
use crate::mir::{BlockId, VRegId};
use crate::ssa::live_in::LiveInWalk;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// By block, a number of registers.
type Registers = IndexVec<BlockId, u32>;

/// The pressure of a function, with buffers that are kept from function to function.
#[derive(Default)]
pub struct Pressure {
    /// By candidate: the blocks that it lives into but that do not read it; see
    /// `Candidate::blocks_through`.
    blocks_through: Vec<BlockId>,
    /// The registers of candidates that live through each block.
    through: PerFile<Registers>,
    /// All registers that live into each block.
    live_in: PerFile<Registers>,
    blocks: Vec<BlockId>,
}

impl Pressure {
    /// Finds the blocks that each candidate lives through, and drops candidates that live into too
    /// many blocks.
    pub fn find_blocks_through(
        &mut self,
        facts: &SsaFacts,
        target: &mut impl RematTarget,
        walk: &mut LiveInWalk,
        candidates: &mut Candidates,
    ) {
        let Pressure { blocks_through, through, .. } = self;
        blocks_through.clear();
        through.iter_mut().for_each(|through| reset(through, facts));
        let mut list = std::mem::take(&mut candidates.list);
        list.as_mut_vec().retain_mut(|candidate| {
            let first = blocks_through.len();
            let readers = candidates.readers(candidate);
            if !walk.follow(facts, candidate.reg, readers.iter().copied(), blocks_through) {
                blocks_through.truncate(first);
                return false;
            }
            let RegisterSize { file, count } = target.size(candidate.reg);
            let mut end = first;
            for at in first..blocks_through.len() {
                let block = blocks_through[at];
                // Readers are in order, and so are their blocks.
                let is_read =
                    readers.binary_search_by_key(&block, |&reader| facts.block_of_instr(reader)).is_ok();
                if !is_read {
                    through[file][block] += count;
                    blocks_through[end] = block;
                    end += 1;
                }
            }
            blocks_through.truncate(end);
            candidate.blocks_through = first..end;
            true
        });
        candidates.list = list;
    }

    /// Measures the registers that live into each block, its PHIs' results included, in the files
    /// where candidates may be worthwhile.
    pub fn measure(
        &mut self,
        facts: &SsaFacts,
        limits: &Limits,
        target: &mut impl RematTarget,
        walk: &mut LiveInWalk,
    ) {
        self.live_in.iter_mut().for_each(|live_in| reset(live_in, facts));
        let may_be_high = PerFile {
            registers: self.may_be_high(limits, RegisterFile::Registers),
            predicates: self.may_be_high(limits, RegisterFile::Predicates),
        };
        if !may_be_high.registers && !may_be_high.predicates {
            return;
        }
        let mut everywhere: PerFile<u32> = PerFile::default();
        let mut blocks = std::mem::take(&mut self.blocks);
        for reg in (0..facts.shape.num_virt_regs).map(VRegId::from_usize) {
            let readers = facts.readers_of(reg);
            let Some(def) = facts.def_of(reg).filter(|_| readers.len() > 0) else { continue };
            let RegisterSize { file, count } = target.size(reg);
            if !may_be_high[file] {
                continue;
            }
            if facts.is_phi_instr(def) {
                self.live_in[file][facts.block_of_instr(def)] += count;
            }
            blocks.clear();
            if walk.follow(facts, reg, readers, &mut blocks) {
                blocks.iter().for_each(|&block| self.live_in[file][block] += count);
            } else {
                everywhere[file] += count;
            }
        }
        self.blocks = blocks;
        for file in [RegisterFile::Registers, RegisterFile::Predicates] {
            self.live_in[file].iter_mut().for_each(|live_in| *live_in += everywhere[file]);
        }
    }

    /// Keeps the candidates that live through some block whose pressure is high and of which
    /// candidates are a worthwhile part.
    pub fn keep_worthwhile(&self, limits: &Limits, candidates: &mut Candidates) {
        candidates.list.retain(|candidate| {
            let file = candidate.file;
            self.blocks_through[candidate.blocks_through.clone()].iter().any(|&block| {
                let (through, live_in) = (self.through[file][block], self.live_in[file][block]);
                live_in >= limits.min_pressure[file] && through * limits.min_share >= live_in
            })
        });
    }

    /// Returns whether candidates may be a worthwhile part of a high pressure in some block.
    fn may_be_high(&self, limits: &Limits, file: RegisterFile) -> bool {
        self.through[file].iter().any(|&through| through * limits.min_share >= limits.min_pressure[file])
    }
}

fn reset(registers: &mut Registers, facts: &SsaFacts) {
    registers.clear();
    registers.resize(facts.shape.num_blocks(), 0);
}
