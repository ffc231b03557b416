//! Finds sums of pairs of 16-bit integers of which one half alone is read.

use crate::mir::{InstrId, Kind, Operand, VRegId};
use crate::nvptx::moves::Family;
use crate::nvptx::packed::PackedOp;
use crate::ssa::facts::SsaFacts;
use crate::ssa::machine::MachineInfo;
use index_vec::IndexVec;

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
    changed: Vec<PackedSum>,
}

impl PackedSums {
    /// Finds the sums of a pair and a constant of whose result one half alone is read.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        self.changed.clear();
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
    }

    /// Lists for each register which halves are read.
    fn list_reads(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        let reads = &mut self.reads;
        reads.clear();
        reads.resize(facts.shape.num_virt_regs, 0);
        // Whether a result of an unpack is read must be known first.
        let mut unpacks = Vec::new();
        for instr in facts.instr_ids() {
            let operands = facts.operands_of(instr);
            let read = match machine.opcode_info(instr).packed {
                Some(PackedOp::Half(0)) => LOW,
                Some(PackedOp::Half(_)) => HIGH,
                Some(PackedOp::Truncate) if machine.immediate(instr, 2) == 0 => LOW,
                Some(PackedOp::Halves) => {
                    unpacks.push(instr);
                    continue;
                }
                _ => WHOLE,
            };
            for operand in operands.iter().filter(|operand| operand.is_use()) {
                if let Some(reg) = operand.vreg() {
                    reads[reg] |= if operand.reads_whole() { read } else { WHOLE };
                }
            }
        }
        for unpack in unpacks {
            let [low, high, pair] = facts.operands_of(unpack) else { continue };
            let is_read = |half: &Operand| half.vreg().is_some_and(|reg| reads[reg] != 0);
            let both = [(low, LOW), (high, HIGH)];
            let read = both.into_iter().filter(|(half, _)| is_read(half)).fold(0, |all, (_, bit)| all | bit);
            if let Some(reg) = pair.vreg() {
                reads[reg] |= read;
            }
        }
    }

    /// The sums that are to be changed.
    pub fn changed(&self) -> &[PackedSum] {
        &self.changed
    }
}
