//! Finds maxima and minima whose second operand is a negation.

use crate::mir::{InstrId, Operand};
use crate::nvptx::extremes::SignedOp;
use crate::ssa::facts::SsaFacts;
use crate::ssa::machine::MachineInfo;

/// The maxima and minima whose operands are to be exchanged.
#[derive(Default)]
pub struct Extremes {
    exchanged: Vec<InstrId>,
    num_left: u64,
}

impl Extremes {
    /// Finds those whose second operand is a negation, and that another one of the same kind reads.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        let Extremes { exchanged, num_left } = self;
        exchanged.clear();
        *num_left = 0;
        let operation = |instr| machine.opcode_info(instr).signed;
        let is_negation = |operand: &Operand| {
            let def = operand.vreg().and_then(|reg| facts.def_of(reg));
            def.is_some_and(|def| operation(def) == Some(SignedOp::Negation))
        };
        for outer in facts.instr_ids() {
            let Some(kind @ (SignedOp::Maximum | SignedOp::Minimum)) = operation(outer) else { continue };
            for read in facts.operands_of(outer).iter().skip(1) {
                let inner = read.vreg().and_then(|reg| facts.def_of(reg));
                let Some(inner) = inner.filter(|&inner| operation(inner) == Some(kind)) else { continue };
                let [_, first, second, ..] = facts.operands_of(inner) else { continue };
                let are_whole =
                    [first, second].iter().all(|operand| operand.vreg().is_some() && operand.reads_whole());
                if are_whole && is_negation(second) {
                    if is_negation(first) {
                        *num_left += 1;
                    } else {
                        exchanged.push(inner);
                    }
                }
            }
        }
        exchanged.sort_unstable();
        exchanged.dedup();
    }

    /// The instructions whose operands are to be exchanged.
    pub fn exchanged(&self) -> &[InstrId] {
        &self.exchanged
    }

    /// How often both operands are negations.
    pub fn num_left(&self) -> u64 {
        self.num_left
    }
}
