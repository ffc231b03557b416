//! Finds the instructions of a block that may be computed in a block above, and the registers from
//! above that they read.

use super::cut::ValueId;
use super::limits::MAX_MOVABLE;
use super::placement::{result_of_movable, Placement};
use crate::mir::{virtual_reads, BlockId, InstrId, Operand, VRegId};
use crate::ssa::movable::movable_result;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// A register that a candidate reads or defines.
#[derive(Clone, Copy)]
pub struct Value {
    /// The register.
    pub reg: VRegId,
    /// Whether a candidate defines it. Otherwise it is defined above, and a candidate reads it.
    pub is_candidate: bool,
}

/// The candidates of one block, as the values that they read and define.
#[derive(Default)]
pub struct Candidates {
    /// The values, operands before results.
    values: IndexVec<ValueId, Value>,
    /// By virtual register: its value, valid if `round_of` is `round`.
    value_of: IndexVec<VRegId, ValueId>,
    round_of: IndexVec<VRegId, u32>,
    round: u32,
}

impl Candidates {
    /// Finds the candidates of a block for the block above.
    pub fn find(&mut self, facts: &SsaFacts, placement: &Placement, block: BlockId, above: BlockId) {
        self.begin_round(facts.shape.num_virt_regs);
        for &instr in placement.movable(block).iter().take(MAX_MOVABLE) {
            let operands = facts.operands_of(instr);
            let is_there = |o: &Operand| {
                let Some(reg) = o.vreg() else { return true };
                let home = || placement.block_of_def(facts, reg);
                let is_there_above = || home().is_some_and(|home| facts.dominates(home, above));
                !o.is_undef() && (self.value(reg).is_some() || is_there_above())
            };
            if !operands.iter().filter(|o| o.is_use()).all(is_there) {
                continue;
            }
            for reg in virtual_reads(operands) {
                if self.value(reg).is_none() {
                    self.push(Value { reg, is_candidate: false });
                }
            }
            self.push(Value { reg: result_of_movable(facts, instr), is_candidate: true });
        }
    }
    /// Returns the values, operands before results.
    pub fn values(&self) -> &IndexVec<ValueId, Value> {
        &self.values
    }
    /// Returns the value of a register, if a candidate reads or defines it.
    pub fn value(&self, reg: VRegId) -> Option<ValueId> {
        (self.round_of[reg] == self.round).then(|| self.value_of[reg])
    }
    /// Returns whether an instruction is a candidate.
    pub fn contains(&self, facts: &SsaFacts, instr: InstrId) -> bool {
        movable_result(facts, instr).is_some_and(|reg| {
            let is_candidate = |value: ValueId| self.values[value].is_candidate;
            facts.def_of(reg) == Some(instr) && self.value(reg).is_some_and(is_candidate)
        })
    }

    fn begin_round(&mut self, num_regs: usize) {
        self.values.clear();
        self.round = self.round.wrapping_add(1);
        if self.round_of.len() < num_regs || self.round == 0 {
            self.round = 1;
            self.round_of.clear();
            self.round_of.resize(num_regs, 0);
            self.value_of.resize(num_regs, ValueId::new(0));
        }
    }

    fn push(&mut self, value: Value) {
        self.round_of[value.reg] = self.round;
        self.value_of[value.reg] = self.values.push(value);
    }
}
