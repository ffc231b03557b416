//! Reads the operations that define registers from the code.

use super::facts::SsaFacts;
use super::forms::{Definition, Defs, Op, Value};
use super::machine::MachineInfo;
use crate::adt::BitSet;
use crate::mir::{InstrId, Kind, Operand, VRegId};
use crate::nvptx::arithmetic::{Arithmetic, IntegerOp};

/// The operations of a function, as they were when it was read.
pub struct Definitions<'a, M> {
    facts: &'a SsaFacts,
    machine: M,
    /// The registers whose definition has been erased since.
    erased: Option<&'a BitSet>,
    max_threads: [u32; 3],
    /// For the operands of an operation.
    values: Vec<Value>,
}

impl<'a, M: MachineInfo> Definitions<'a, M> {
    /// Reads the operations of a function, without the definitions of registers that have been
    /// erased.
    pub fn new(facts: &'a SsaFacts, machine: M, erased: Option<&'a BitSet>) -> Self {
        let max_threads = machine.max_threads();
        Definitions { facts, machine, erased, max_threads, values: Vec::new() }
    }
    /// Returns the instruction that defines a register.
    pub fn def(&self, reg: VRegId) -> Option<InstrId> {
        self.facts.def_of(reg).filter(|_| !self.erased.is_some_and(|erased| erased.contains(reg.index())))
    }
    /// Returns the target of the operations.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// Reads a PHI of two values, one of which is the sum of the PHI itself and a constant.
    fn counter(&mut self, phi: VRegId, operands: &[Operand]) -> Option<Definition> {
        let [_, a, _, b, _] = *operands else { return None };
        for (first, next) in [(a, b), (b, a)] {
            let next = next.vreg().filter(|_| next.reads_whole());
            let def = next.and_then(|next| self.def(next)).filter(|&def| !self.facts.is_phi_instr(def));
            let (Some(next), Some(_), Some(first)) =
                (next, def, first.vreg().filter(|_| first.reads_whole()))
            else {
                continue;
            };
            if let Some(Definition { op: Op::Add(Value::Reg(reg), Value::Imm(step)), bits }) =
                self.definition(next)
            {
                if reg == phi {
                    return Some(Definition { op: Op::Counter(Value::Reg(first), step), bits });
                }
            }
        }
        None
    }

    /// Returns the operation of an instruction that defines a register. `is_copy` tells whether it
    /// is a COPY.
    fn integer_op(&self, instr: InstrId, reg: VRegId, is_copy: bool) -> Option<IntegerOp> {
        match self.machine.opcode_info(instr).arithmetic {
            None if is_copy && self.machine.class(reg).is_some() => {
                Some(IntegerOp { operation: Arithmetic::Copy, bits: self.machine.bits(reg) })
            }
            op => op,
        }
    }
}

impl<M: MachineInfo> Defs for Definitions<'_, M> {
    fn definition(&mut self, reg: VRegId) -> Option<Definition> {
        let instr = self.def(reg)?;
        let operands = self.facts.operands_of(instr);
        if self.facts.is_phi_instr(instr) {
            return self.counter(reg, operands);
        }
        let is_copy = self.facts.flags_of(instr).is_copy() && operands.len() == 2;
        let op = self.integer_op(instr, reg, is_copy)?;
        if operands[0].vreg() != Some(reg) || operands[0].subreg() != 0 {
            return None;
        }
        self.values.clear();
        for (index, &operand) in operands.iter().enumerate().skip(1) {
            self.values.push(match (operand.kind(), operand.vreg()) {
                (Kind::Imm, _) => Value::Imm(self.machine.immediate(instr, index)),
                (Kind::Reg, Some(read)) if operand.reads_whole() => {
                    // A copy may be between classes.
                    if is_copy && self.machine.class(read) != self.machine.class(reg) {
                        return None;
                    }
                    Value::Reg(read)
                }
                _ => return None,
            });
        }
        Some(Definition { op: Op::new(op, &self.values, self.max_threads)?, bits: op.bits })
    }
}
