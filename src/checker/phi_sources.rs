//! Finds the operand of a PHI for a predecessor.
//!
//! **Problem.** A block may have as many predecessors as the function has blocks, and a goal asks
//! for the operand of each. **Algorithm.** The operands are put in an array by the predecessor's
//! number, once for all predecessors. Each entry has the number of its PHI, so the array need not
//! be cleared. **Complexity.** Linear in the operands.

use super::goal::Place;
use super::program::Program;
use super::report::CheckerTarget;
use super::step::{Part, Parts};
use crate::mir::{BlockId, BlockNumber, InstrId, VRegId};
use index_vec::IndexVec;

/// The operand of a PHI for a predecessor.
#[derive(Clone, Copy, Default)]
struct PhiSource {
    /// The number of its PHI, in the order of reading.
    phi_count: u32,
    operand: usize,
}

/// The operands of one PHI by block.
#[derive(Default)]
pub struct PhiSources {
    /// By predecessor. Entries with another `phi_count` are of an earlier PHI.
    by_number: IndexVec<BlockNumber, PhiSource>,
    phi_count: u32,
    phi: Option<InstrId>,
}

impl PhiSources {
    /// Reads the PHI of `block` that defines `reg`, if there is one.
    pub fn read(&mut self, p: &Program, block: BlockId, reg: Option<VRegId>) {
        self.phi = reg.and_then(|reg| p.phi_of(reg, block));
        let Some(phi) = self.phi else { return };
        self.phi_count += 1;
        self.by_number.resize(p.num_block_ids().max(self.by_number.len()), PhiSource::default());
        for (operand, pair) in (1..).step_by(2).zip(p.operands(phi)[1..].chunks_exact(2)) {
            let entry = &mut self.by_number[pair[1].block_number()];
            if entry.phi_count != self.phi_count {
                *entry = PhiSource { phi_count: self.phi_count, operand };
            }
        }
    }

    /// Returns the place at the end of `pred` of a part at the start of the block. `None` if it has
    /// no index.
    pub fn source<T: CheckerTarget>(
        &self,
        p: &Program,
        pred: BlockId,
        part: Part,
        parts: &Parts<T>,
    ) -> Option<Place> {
        let Some(phi) = self.phi else { return Some(Place::Reg(part)) };
        let PhiSource { phi_count, operand } = self.by_number[p.numbers[pred]];
        let source = p.operands(phi)[operand];
        // LLVM's verifier reports a PHI that has no value for an edge.
        if phi_count != self.phi_count || source.is_undef() {
            return Some(Place::Undefined);
        }
        let sub = parts.compose(source.subreg(), part.sub)?;
        Some(Place::Reg(Part { sub, ..Part::read_by(source)? }))
    }
}
