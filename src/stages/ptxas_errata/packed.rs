//! Finds sums of pairs of 16-bit integers of which one half alone is read.
//!
//! **Algorithm.** Which halves of a register are read is what its readers read. A sum of pairs
//! and a copy pass both halves on, so they read what is read of their results. A worklist finds
//! the least solution: it goes from a register of which more is read to its definition. A PHI
//! counts as a reader of both: ptxas is right there, unless it finds which of its values it has.
//!
//! **Complexity.** Linear in the operands: a register can grow three times. Where a sum changes,
//! once more for each instruction in the longest chain that passes its halves on.

use crate::mir::{InstrId, Kind, Operand, VRegId};
use crate::nvptx::accesses::AddressPlace;
use crate::nvptx::moves::Family;
use crate::nvptx::packed::PackedOp;
use crate::ssa::facts::SsaFacts;
use crate::ssa::machine::MachineInfo;
use index_vec::{index_vec, IndexVec};

/// The halves of a register that are read, as bits.
type Reads = u8;
const LOW: Reads = 1;
const HIGH: Reads = 2;
/// All of it, or in another way.
const WHOLE: Reads = 4;

/// A sum of a pair and a constant that is to become a sum of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedSum {
    pub instr: InstrId,
    /// The operand that is not the constant.
    pub summand: usize,
    /// The constant of 32 bits: its half that is read, and 0.
    pub constant: u32,
}

/// The sums that are to be changed.
#[derive(Default)]
pub struct PackedSums {
    reads: IndexVec<VRegId, Reads>,
    /// The registers of which more is read than their definitions know.
    pending: Vec<VRegId>,
    changed: Vec<PackedSum>,
    altered: Vec<VRegId>,
}

impl PackedSums {
    /// Finds the sums of a pair and a constant of whose result one half alone is read.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        self.changed.clear();
        self.altered.clear();
        let packed = |instr| machine.opcode_info(instr).packed;
        if !facts.instr_ids().any(|instr| packed(instr) == Some(PackedOp::Add)) {
            return;
        }
        self.list_reads(facts, machine);
        for instr in facts.instr_ids().filter(|&instr| packed(instr) == Some(PackedOp::Add)) {
            let operands = facts.operands_of(instr);
            let [result, first, second] = operands else { continue };
            let mask = match result.vreg().map(|reg| self.reads[reg]) {
                Some(LOW) => 0xffff,
                Some(HIGH) => 0xffff_0000,
                _ => continue,
            };
            if !(first.reads_whole() && second.reads_whole()) {
                continue;
            }
            let constant_in = |operand: usize| {
                let def = facts.def_of(operands[operand].vreg()?)?;
                let is_constant = machine.opcode_info(def).move_?.family == Family::Immediate;
                let is_number = is_constant && facts.operands_of(def).get(1)?.kind() == Kind::Imm;
                is_number.then(|| machine.immediate(def, 1) as u32)
            };
            let found = [(1, 2), (2, 1)].into_iter().find_map(|(summand, operand)| {
                constant_in(operand).map(|constant| PackedSum { instr, summand, constant: constant & mask })
            });
            self.changed.extend(found.filter(|sum| operands[sum.summand].vreg().is_some()));
        }
        if !self.changed.is_empty() {
            self.list_altered(facts, machine);
        }
    }

    /// Lists the results of the changed sums, and of what passes on the half of them that is not
    /// read.
    fn list_altered(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        let mut is_altered: IndexVec<VRegId, bool> = index_vec![false; self.reads.len()];
        let results = self.changed.iter().filter_map(|sum| facts.operands_of(sum.instr)[0].vreg());
        results.for_each(|reg| is_altered[reg] = true);
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for instr in facts.instr_ids() {
                let passes_on = match machine.opcode_info(instr).packed {
                    Some(PackedOp::Add | PackedOp::Lower | PackedOp::Halves) => true,
                    _ => facts.flags_of(instr).is_copy(),
                };
                let (results, inputs): (Vec<&Operand>, Vec<&Operand>) = match passes_on {
                    true => facts.operands_of(instr).iter().partition(|o| o.is_def()),
                    false => continue,
                };
                if !inputs.iter().any(|input| input.is_use() && input.vreg().is_some_and(|r| is_altered[r])) {
                    continue;
                }
                // Of an unpack's results it is the one that no code reads.
                let registers = results.iter().filter_map(|result| result.vreg());
                for reg in registers.filter(|&reg| results.len() == 1 || self.reads[reg] == 0) {
                    has_grown |= !is_altered[reg];
                    is_altered[reg] = true;
                }
            }
        }
        self.altered.extend(is_altered.indices().filter(|&reg| is_altered[reg]));
    }

    /// Lists for each register which halves are read.
    fn list_reads(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        self.reads.clear();
        self.reads.resize(facts.shape.num_virt_regs, 0);
        facts.instr_ids().for_each(|instr| self.read_operands(instr, facts, machine));
        while let Some(grown) = self.pending.pop() {
            if let Some(def) = facts.def_of(grown) {
                self.read_operands(def, facts, machine);
            }
        }
    }

    /// Notes what an instruction reads, as far as it is known what is read of its results.
    fn read_operands(&mut self, instr: InstrId, facts: &SsaFacts, machine: &impl MachineInfo) {
        for (index, operand) in facts.operands_of(instr).iter().enumerate().filter(|(_, o)| o.is_use()) {
            let Some(reg) = operand.vreg() else { continue };
            let all = self.reads[reg] | self.read_at(index, instr, facts, machine);
            if all != self.reads[reg] {
                self.reads[reg] = all;
                self.pending.push(reg);
            }
        }
    }

    /// The halves of an operand that an instruction reads. What passes halves on reads those that
    /// are read of its result.
    fn read_at(&self, index: usize, instr: InstrId, facts: &SsaFacts, machine: &impl MachineInfo) -> Reads {
        let operands = facts.operands_of(instr);
        if !operands[index].reads_whole() {
            return WHOLE;
        }
        let of_result = |result: usize| {
            let reg = operands[result].vreg().filter(|_| operands[result].is_whole());
            reg.map_or(WHOLE, |reg| self.reads[reg])
        };
        let is_plain = |mode: usize| machine.immediate(instr, mode) == 0;
        let info = machine.opcode_info(instr);
        match info.packed {
            _ if facts.flags_of(instr).is_copy() => of_result(0),
            Some(PackedOp::Add) => of_result(0),
            Some(PackedOp::Half(0)) => LOW,
            Some(PackedOp::Half(_)) => HIGH,
            Some(PackedOp::Halves) => {
                let is_read = [LOW, HIGH].into_iter().zip([0, 1]).filter(|&(_, half)| of_result(half) != 0);
                is_read.fold(0, |all, (half, _)| all | half)
            }
            Some(PackedOp::Truncate) if is_plain(2) => LOW,
            Some(PackedOp::Lower) if index == 1 && (operands[2].is_reg() || is_plain(2)) => of_result(0),
            Some(PackedOp::Store) => match info.address {
                // The last operand before the address is the width.
                Some(AddressPlace { operands_before: before, .. })
                    if index < before && machine.immediate(instr, before - 1) == 16 =>
                {
                    LOW
                }
                _ => WHOLE,
            },
            _ => WHOLE,
        }
    }

    /// The sums that are to be changed.
    pub fn changed(&self) -> &[PackedSum] {
        &self.changed
    }
    /// The registers whose half that no code reads may be another one after the change.
    pub fn altered(&self) -> &[VRegId] {
        &self.altered
    }
}
