//! Finds the fields that two shifts are to extract.

use crate::mir::{InstrId, Kind};
use crate::nvptx::extremes::SignedOp;
use crate::ssa::facts::SsaFacts;
use crate::ssa::machine::MachineInfo;

/// The width of a register.
const BITS: i64 = 32;

/// A field that two shifts are to extract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The instruction that extracts it.
    pub instr: InstrId,
    /// By how many bits it is shifted left.
    pub left: u32,
    /// By how many bits it is shifted right then.
    pub right: u32,
}

/// The fields of a function.
#[derive(Default)]
pub struct Fields {
    found: Vec<Field>,
    num_left: u64,
}

impl Fields {
    /// Finds the fields that two shifts are to extract.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        self.found.clear();
        self.num_left = 0;
        for instr in facts.instr_ids() {
            if machine.opcode_info(instr).signed != Some(SignedOp::BitField) {
                continue;
            }
            let [_, from, position, width] = facts.operands_of(instr) else { continue };
            let is_whole = from.vreg().is_some() && from.reads_whole();
            let shifts = [position, width].iter().all(|o| o.kind() == Kind::Imm).then(|| {
                let [position, width] = [2, 3].map(|index| machine.immediate(instr, index));
                shifts(position, width)
            });
            match shifts.flatten().filter(|_| is_whole) {
                Some((left, right)) => self.found.push(Field { instr, left, right }),
                None => self.num_left += 1,
            }
        }
    }

    /// The fields that two shifts are to extract.
    pub fn found(&self) -> &[Field] {
        &self.found
    }

    /// How many stay.
    pub fn num_left(&self) -> u64 {
        self.num_left
    }
}

/// Returns the shifts for a field at this position with this width, unless it is to stay.
pub(super) fn shifts(position: i64, width: i64) -> Option<(u32, u32)> {
    let is_inside = position > 0 && width > 0 && position < BITS && width < BITS - position;
    let is_bytes = position % 8 == 0 && (width == 8 || width == 16);
    (is_inside && !is_bytes).then_some(((BITS - position - width) as u32, (BITS - width) as u32))
}
