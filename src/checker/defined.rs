//! Every register that is read has a value: what selection may not lose.
//!
//! **Problem.** The emitter erases copies that nothing reads (requirement E11) and makes none where it knows that there will
//! be no reader (requirement E14). There is no program before it to compare with; but the mistake that it can make leaves a
//! register that is read on a way from the entry on which nothing defines it.
//!
//! **Algorithm.** As for kill flags ([`super::flags`]): a walk over each block finds the registers that it reads
//! before it defines them, those of PHIs at the ends of predecessors. From there back over predecessors, up to blocks
//! that define the register; the entry must not be met. What an IMPLICIT_DEF defines counts as defined, and an
//! undefined use reads nothing.
//!
//! **Complexity.** Linear, and for registers that are read in other blocks than they are defined in, the blocks that
//! they are live through.

use super::program::{Instr, Point, Program, NONE};
use super::report::Failure;
use crate::mir::Operand;

/// Buffers.
#[derive(Default)]
pub struct Defined {
    /// By register, the last block that is known to define it.
    defined_in: Vec<u32>,
    exposed: Vec<Exposed>,
    /// By block, the register that was last looked for at its end.
    marks: Vec<u32>,
    stack: Vec<u32>,
}

/// A register that comes into a block and is read: there, or by a PHI behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Exposed {
    reg: u32,
    block: u32,
    instr: u32,
    operand: u32,
}

impl Defined {
    /// Finds a read of what nothing has defined; how many operands were looked at.
    ///
    /// # Errors
    /// The first one.
    pub fn check(&mut self, p: &Program) -> Result<u64, Failure> {
        self.defined_in.clear();
        self.defined_in.resize(p.num_regs, NONE);
        self.exposed.clear();
        let mut reads = 0;
        for block in 0..p.num_blocks() as u32 {
            for instr in p.block(block) {
                let operands = p.operands(instr);
                for (operand, op) in operands.iter().enumerate().filter(|(_, op)| is_read(**op)) {
                    reads += 1;
                    let reg = op.reg().virt_index() as u32;
                    let at = Exposed { reg, block, instr, operand: operand as u32 };
                    if p.instr(instr).is(Instr::PHI) {
                        self.read_by_phi(p, at, operands[operand + 1]);
                    } else if self.defined_in[reg as usize] != block {
                        self.exposed.push(at);
                    }
                }
                for op in operands.iter().filter(|op| op.is_def() && op.is_virtual()) {
                    self.defined_in[op.reg().virt_index()] = block;
                }
            }
        }
        self.across(p)?;
        Ok(reads)
    }

    fn read_by_phi(&mut self, p: &Program, at: Exposed, pred: Operand) {
        let Some(pred) = p.block_numbered(pred.block_number()) else { return };
        if !is_defined_in(p, at.reg, pred) {
            self.exposed.push(Exposed { block: pred, ..at });
        }
    }

    fn across(&mut self, p: &Program) -> Result<(), Failure> {
        self.exposed.sort_unstable();
        self.marks.clear();
        self.marks.resize(p.num_blocks(), NONE);
        for &at in &self.exposed {
            self.stack.push(at.block);
            while let Some(block) = self.stack.pop() {
                if std::mem::replace(&mut self.marks[block as usize], at.reg) == at.reg {
                    continue;
                }
                if block == 0 {
                    self.stack.clear();
                    let what =
                        format!("operand {} is read, and on some way there nothing defines it", at.operand);
                    return Err(Failure {
                        operand: Some(at.operand as usize),
                        ..Failure::at(at.instr, what)
                    });
                }
                let preds = p.preds(block).iter().map(|p| p.raw());
                self.stack.extend(preds.filter(|&pred| !is_defined_in(p, at.reg, pred)));
            }
        }
        Ok(())
    }
}

fn is_read(op: Operand) -> bool {
    op.is_use() && op.is_virtual() && !op.is_undef()
}

/// Whether a block has a def of a register.
fn is_defined_in(p: &Program, reg: u32, block: u32) -> bool {
    p.def_before(reg, block, Point::before(p.block(block).end)).is_some()
}
