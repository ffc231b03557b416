//! Extracts signed bit fields by two shifts (default profile, stage `bit-fields`).
//!
//! **Problem.** LLVM makes one `bfe.s32` of two shifts. ptxas makes two machine instructions of it
//! again, `SHF.R` and `SGXT`. Both are on the pipe of logic, which takes half of the instructions
//! that a scheduler can issue. Of two shifts ptxas makes `SHF.L`, or a multiplication `IMAD.SHL`
//! where that pipe is busy, and `SHF.R`. It also puts the right shift and a sum together, which it
//! does not do with `SGXT`:
//!
//! ```text
//! bfe.s32 %r2, %r1, 7, 1;       shl.b32 %r3, %r1, 24;
//!                               shr.s32 %r2, %r3, 31;
//! ```
//!
//! **Algorithm.** In SSA form. Each `bfe.s32` with a constant position and width is read. Three
//! kinds of fields stay: those that begin at bit 0, of which ptxas makes one `SGXT`; bytes and
//! halves at a multiple of eight bits, which a conversion to floating point reads for nothing; and
//! those that reach the last bit.
//!
//! **Source.** None: found in the machine code of nvcc 13.0, whose compiler does not make `bfe` of
//! shifts. **Deviation.** None. **Complexity.** Linear in the instructions.

#[cfg(all(ptx_host, not(test)))]
mod pass;
#[cfg(test)]
mod tests;

use crate::mir::{InstrId, Kind};
use crate::nvptx::extremes::SignedOp;
use crate::ssa::facts::SsaFacts;
use crate::ssa::machine::MachineInfo;

#[cfg(all(ptx_host, not(test)))]
pub use pass::BitFields;

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
fn shifts(position: i64, width: i64) -> Option<(u32, u32)> {
    let is_inside = position > 0 && width > 0 && position < BITS && width < BITS - position;
    let is_bytes = position % 8 == 0 && (width == 8 || width == 16);
    (is_inside && !is_bytes).then_some(((BITS - position - width) as u32, (BITS - width) as u32))
}
