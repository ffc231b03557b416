//! Finds the ranges of registers from their definitions.
//!
//! **Problem.** A function has few approximations, and their operands have few definitions.
//! **Algorithm.** On demand: the result of a definition that [`crate::nvptx::floats`] knows is
//! computed from the ranges of its inputs. Any other register may have any value. Results are
//! cached. **Source.** See [the stage](super). **Deviation.** A PHI may have any value.
//! **Complexity.** Each register once, for [`MAX_DEPTH`] steps.

use super::range::Range;
use crate::mir::{InstrId, Kind, Operand, VRegId};
use crate::nvptx::floats::{FloatOp, FloatOperation};
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use rustc_hash::FxHashMap;

/// The longest chain of definitions that is followed.
pub const MAX_DEPTH: u32 = 24;

/// The approximations of a function, and the ranges that decide which of them may flush. The
/// buffers are kept from function to function.
#[derive(Default)]
pub struct Ranges {
    known: FxHashMap<VRegId, Range>,
    /// The instructions that may flush.
    found: Vec<InstrId>,
    num_left: u64,
}

impl Ranges {
    /// Finds the approximations of a function that meet no subnormal number.
    pub fn find<M: MachineInfo>(&mut self, facts: &SsaFacts, machine: &M) {
        self.known.clear();
        self.found.clear();
        self.num_left = 0;
        for instr in facts.instr_ids() {
            let Some(op) = machine.opcode_info(instr).float.filter(|op| op.operation.scales_subnormals())
            else {
                continue;
            };
            let mut walk = Walk { facts, machine, known: &mut self.known };
            if walk.flushes(instr, op) {
                continue;
            }
            match walk.input(instr, 1, MAX_DEPTH).is_never_subnormal() {
                true => self.found.push(instr),
                false => self.num_left += 1,
            }
        }
    }
    /// Returns the approximations that may flush.
    pub fn found(&self) -> &[InstrId] {
        &self.found
    }
    /// Returns how many approximations may meet a subnormal number.
    pub fn num_left(&self) -> u64 {
        self.num_left
    }
}

struct Walk<'a, M> {
    facts: &'a SsaFacts,
    machine: &'a M,
    known: &'a mut FxHashMap<VRegId, Range>,
}

impl<M: MachineInfo> Walk<'_, M> {
    /// Returns whether an instruction flushes subnormal inputs and results.
    fn flushes(&self, instr: InstrId, op: FloatOp) -> bool {
        use FloatOperation::*;
        if matches!(op.operation, Move | Select | FromSigned | FromUnsigned | FromHalf) {
            return false;
        }
        let flag = 1 + op.operation.num_inputs();
        let has_flag = self.facts.operands_of(instr).get(flag).is_some_and(|o| o.kind() == Kind::Imm);
        op.flushes || has_flag && self.machine.immediate(instr, flag) != 0
    }

    /// Returns the range of the value that an operand reads.
    fn input(&mut self, instr: InstrId, position: usize, depth: u32) -> Range {
        let Some(&operand) = self.facts.operands_of(instr).get(position) else { return Range::ANY };
        match operand.vreg() {
            Some(reg) if operand.reads_whole() => self.register(reg, depth),
            Some(_) => Range::ANY,
            None => self.machine.float(instr, position).map_or(Range::ANY, Range::constant),
        }
    }

    fn register(&mut self, reg: VRegId, depth: u32) -> Range {
        if let Some(&range) = self.known.get(&reg) {
            return range;
        }
        let Some(depth) = depth.checked_sub(1) else { return Range::ANY };
        let range = self.facts.def_of(reg).map_or(Range::ANY, |def| self.result(def, depth));
        self.known.insert(reg, range);
        range
    }

    /// Returns the range of the result of an instruction.
    fn result(&mut self, def: InstrId, depth: u32) -> Range {
        let operands = self.facts.operands_of(def);
        if self.facts.is_phi_instr(def) || !operands[0].is_whole() {
            return Range::ANY;
        }
        if self.facts.flags_of(def).is_copy() {
            return if operands.len() == 2 { self.input(def, 1, depth) } else { Range::ANY };
        }
        let Some(op) = self.machine.opcode_info(def).float else { return Range::ANY };
        let flushes = self.flushes(def, op);
        let mut input = |position| {
            let range = self.input(def, position, depth);
            if flushes {
                range.flushed()
            } else {
                range
            }
        };
        use FloatOperation::*;
        let result = match op.operation {
            Move => input(1),
            Select => input(1).either(input(2)),
            Add => input(1).plus(input(2)),
            Subtract => input(1).plus(input(2).negated()),
            Multiply if is_same(operands) => input(1).squared(op.may_be_fused),
            Multiply => input(1).times(input(2), op.may_be_fused),
            MultiplyAdd if is_same(operands) => input(1).squared_plus(input(3)),
            MultiplyAdd => input(1).times_plus(input(2), input(3)),
            Absolute => input(1).absolute(),
            Negate => input(1).negated(),
            Minimum => input(1).minimum(input(2)),
            Maximum => input(1).maximum(input(2)),
            MinimumOrNan => input(1).minimum_or_nan(input(2)),
            MaximumOrNan => input(1).maximum_or_nan(input(2)),
            // The roots of the least and of the greatest number are the bounds, with some room for
            // the error. The root of -0 is -0; its reciprocal root is negative.
            Root => Range { low: 0.0, least: f32::from_bits(52 << 23), ..Range::ANY },
            ReciprocalRoot => Range { least: f32::from_bits(62 << 23), ..Range::ANY },
            Logarithm => Range::ANY,
            FromSigned => Range::integers(-TWO_TO_63, TWO_TO_63),
            FromUnsigned => Range::integers(0.0, 2.0 * TWO_TO_63),
            // The least half-precision magnitude is 2^-24.
            FromHalf => Range { least: f32::from_bits(103 << 23), ..Range::ANY },
        };
        if flushes {
            result.flushed()
        } else {
            result
        }
    }
}

const TWO_TO_63: f32 = (1u64 << 63) as f32;

/// Returns whether the first two inputs are one register.
fn is_same(operands: &[Operand]) -> bool {
    let (Some(a), Some(b)) = (operands.get(1), operands.get(2)) else { return false };
    a.vreg().is_some() && a.vreg() == b.vreg() && a.reads_whole() && b.reads_whole()
}
