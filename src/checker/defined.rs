//! Shows that every register that is read has a value.
//!
//! **Problem.** The emitter erases copies that nothing reads (requirement E11) and makes no
//! copy that it knows to stay without a reader (requirement E14). There is no earlier program to compare
//! with. But a mistake there leaves a register that is read on a path from the entry on which
//! nothing defines it.
//!
//! **Algorithm.** As for kill flags ([`super::kill_flags`]). A walk over each block finds its
//! upward-exposed reads; those of PHIs are at the ends of predecessors. A second walk goes from
//! there back over predecessors, up to blocks that define the register. It must not reach the
//! entry. A register that an IMPLICIT_DEF defines counts as defined, and an undefined use reads
//! nothing.
//!
//! **Source.** None. **Complexity.** Linear, plus the blocks that registers are live through, for
//! registers that are read outside their defining block.

use super::instr::Instr;
use super::program::{Point, Program};
use super::prove::value_read;
use super::report::Failure;
use crate::adt::PackedOption;
use crate::mir::{BlockId, Operand, VRegId};
use index_vec::IndexVec;

/// Buffers, kept from function to function.
#[derive(Default)]
pub struct Defined {
    /// By register: the last block that is known to define it.
    defined_in: IndexVec<VRegId, PackedOption<BlockId>>,
    exposed: Vec<ExposedRead>,
    /// By block: the register last looked for at its end.
    marks: IndexVec<BlockId, PackedOption<VRegId>>,
    stack: Vec<BlockId>,
}

/// A read of a register whose value comes into `block`: a read there, or by a PHI of a successor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ExposedRead {
    reg: VRegId,
    block: BlockId,
    at: Point,
}

impl Defined {
    /// Finds a read of a register that nothing has defined. Returns the number of reads.
    ///
    /// # Errors
    /// The first such read.
    pub fn check(&mut self, p: &Program) -> Result<u64, Failure> {
        self.defined_in.clear();
        self.defined_in.resize(p.num_regs, PackedOption::NONE);
        self.exposed.clear();
        let mut reads = 0;
        for block in p.blocks() {
            for instr in p.block(block) {
                let operands = p.operands(instr);
                for (operand, &op) in operands.iter().enumerate() {
                    let Some(part) = value_read(op) else { continue };
                    reads += 1;
                    let at = Point { instr, operand: operand as u32 };
                    let read = ExposedRead { reg: part.reg, block, at };
                    if p.instr(instr).is(Instr::PHI) {
                        self.read_by_phi(p, read, operands[operand + 1]);
                    } else if self.defined_in[part.reg].get() != Some(block) {
                        self.exposed.push(read);
                    }
                }
                for reg in operands.iter().filter(|op| op.is_def()).filter_map(|op| op.vreg()) {
                    self.defined_in[reg] = block.into();
                }
            }
        }
        self.check_exposed(p)?;
        Ok(reads)
    }

    fn read_by_phi(&mut self, p: &Program, read: ExposedRead, pred: Operand) {
        let Some(pred) = p.block_numbered(pred.block_number()) else { return };
        if !is_defined_in(p, read.reg, pred) {
            self.exposed.push(ExposedRead { block: pred, ..read });
        }
    }

    /// Follows the exposed reads back to defs.
    fn check_exposed(&mut self, p: &Program) -> Result<(), Failure> {
        self.exposed.sort_unstable();
        self.marks.clear();
        self.marks.resize(p.num_blocks(), PackedOption::NONE);
        for &ExposedRead { reg, block, at } in &self.exposed {
            self.stack.clear();
            self.stack.push(block);
            while let Some(block) = self.stack.pop() {
                if std::mem::replace(&mut self.marks[block], reg.into()).get() == Some(reg) {
                    continue;
                }
                if Program::is_entry(block) {
                    let what =
                        format!("operand {} is read, and on some way there nothing defines it", at.operand);
                    let operand = Some(at.operand as usize);
                    return Err(Failure { operand, ..Failure::at(at.instr, what) });
                }
                self.stack.extend(p.preds(block).iter().filter(|&&pred| !is_defined_in(p, reg, pred)));
            }
        }
        Ok(())
    }
}

/// Returns whether a block has a def of a register.
fn is_defined_in(p: &Program, reg: VRegId, block: BlockId) -> bool {
    p.def_before(reg, block, p.end(block)).is_some()
}
