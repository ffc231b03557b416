//! Tracks which registers are parts of which values, and finds round trips: packs of all parts of a
//! value, and unpacks of packed values.
//!
//! **Problem.** SelectionDAG folds a pack of an unpack within one block. It does not across blocks,
//! through copies, or for parts of parts:
//!
//! ```text
//! %lo, %hi = I64toV2I32 %x   ...   other block:  %hi2 = COPY %hi;  %y = V2I32toI64 %lo, %hi2      %y is %x
//! %z = V2I64toI128 %a, %b    ...   other block:  %c, %d = I128toV2I64 %z                          %c is %a, %d is %b
//! ```
//!
//! **Algorithm.** Blocks are visited so that a definition comes before its readers, PHIs aside.
//! Each register gets the value that it holds: itself, the source of a move, or what a round trip
//! gives back. Each result of an unpack gets the bits that it holds, as a [`Part`] of a value. A
//! part of a part is a part of the first value. A pack of all bits of a value, in order, is that
//! value.
//!
//! Where other instructions read small parts too, the pack stays: otherwise the value would be live
//! together with its parts. Parts of 32 bits or more are hardware registers, the same ones as the
//! value's.
//!
//! In SSA form the value is available wherever its parts are. That does not hold in unreachable
//! blocks. LLVM has removed those already, and functions that still have one are left alone.
//!
//! **Complexity.** Linear in the instructions. Functions without packs or unpacks are only read.

use crate::mir::{InstrId, Operand, VRegId};
use crate::nvptx::moves::Family;
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;

/// The width of a hardware register.
pub const MIN_BITS_OF_REGISTER: u32 = 32;

/// A range of bits of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The register.
    pub whole: VRegId,
    /// The first bit.
    pub offset: u32,
    /// The number of bits.
    pub bits: u32,
}

/// A result that another register already holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundTrip {
    /// The result of a pack or unpack.
    pub result: VRegId,
    /// The register that holds the same value.
    pub value: VRegId,
}

/// The parts of a function; the buffers are kept.
#[derive(Default)]
pub struct Parts {
    /// The moves, packs and unpacks; a definition comes before its readers. Empty if the function
    /// has no packs or no unpacks.
    steps: Vec<(InstrId, Family)>,
    /// By register: the first register that holds its value.
    values: IndexVec<VRegId, VRegId>,
    /// By register: the part of a value that it holds.
    parts: IndexVec<VRegId, Option<Part>>,
    round_trips: Vec<RoundTrip>,
}

impl Parts {
    /// Finds the parts and round trips of a function.
    pub fn find(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        self.collect_steps(facts, machine);
        self.round_trips.clear();
        self.values.clear();
        self.parts.clear();
        if self.steps.is_empty() {
            return;
        }
        let num_regs = facts.shape.num_virt_regs;
        self.values.extend((0..num_regs).map(VRegId::from_usize));
        self.parts.resize(num_regs, None);
        for index in 0..self.steps.len() {
            let (instr, family) = self.steps[index];
            let mut walk = Walk { facts, machine, found: self };
            match family {
                Family::Pack(n) => walk.pack(instr, n),
                Family::Unpack(n) => walk.unpack(instr, n),
                Family::Half(number) => walk.half(instr, number),
                _ => walk.move_(instr),
            }
        }
    }
    /// Returns whether the function has nothing to look for: no packs or no unpacks.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
    /// Returns the results that another register already holds.
    pub fn round_trips(&self) -> &[RoundTrip] {
        &self.round_trips
    }
    /// Lists the packs and unpacks, and the moves of their results; readers come before
    /// definitions.
    pub fn backwards<'a>(&'a self, facts: &'a SsaFacts) -> impl Iterator<Item = InstrId> + 'a {
        let is_of_part = |instr: InstrId| {
            let result = facts.operands_of(instr)[0].vreg();
            result.is_some_and(|reg| self.parts[self.values[reg]].is_some())
        };
        let steps = self.steps.iter().rev();
        let concerned =
            steps.filter(move |&&(instr, family)| family != Family::Register || is_of_part(instr));
        concerned.map(|&(instr, _)| instr)
    }
    /// Returns the register of which `regs` are all parts, in this order.
    pub fn whole_of(&self, regs: &[VRegId], machine: &impl MachineInfo) -> Option<VRegId> {
        let part = self.joined(regs)?;
        (part.offset == 0 && part.bits == machine.bits(part.whole)).then_some(part.whole)
    }
    /// Returns the bits of one value that `regs` cover, if they are in this order and without gaps.
    fn joined(&self, regs: &[VRegId]) -> Option<Part> {
        let part = |reg: VRegId| *self.parts.get(*self.values.get(reg)?)?;
        let (&first, others) = regs.split_first()?;
        others.iter().try_fold(part(first)?, |joined, &reg| {
            let next = part(reg)?;
            let is_next = next.whole == joined.whole && next.offset == joined.offset + joined.bits;
            is_next.then_some(Part { bits: joined.bits + next.bits, ..joined })
        })
    }
    fn collect_steps(&mut self, facts: &SsaFacts, machine: &impl MachineInfo) {
        self.steps.clear();
        if facts.cfg.num_reachable < facts.cfg.num_blocks() {
            return;
        }
        let (mut has_packs, mut has_unpacks) = (false, false);
        for &block in facts.cfg.reachable().iter().rev() {
            for instr in facts.instrs_of(block) {
                let family = match machine.opcode_info(instr).move_ {
                    Some(m) => m.family,
                    None if facts.flags_of(instr).is_copy() => Family::Register,
                    None => continue,
                };
                match family {
                    Family::Pack(_) => has_packs = true,
                    Family::Unpack(_) | Family::Half(_) => has_unpacks = true,
                    Family::Register => {}
                    _ => continue,
                }
                self.steps.push((instr, family));
            }
        }
        if !has_packs || !has_unpacks {
            self.steps.clear();
        }
    }
}

/// A register, as far as packs and unpacks tell: a known value, or a part of one.
enum Found {
    Value(VRegId),
    Part(Part),
}

struct Walk<'a, M> {
    facts: &'a SsaFacts,
    machine: &'a M,
    found: &'a mut Parts,
}

impl<M: MachineInfo> Walk<'_, M> {
    fn value(&self, operand: Operand) -> Option<VRegId> {
        operand.reads_whole().then(|| operand.vreg()).flatten().map(|reg| self.found.values[reg])
    }
    fn result(&self, instr: InstrId, index: usize) -> Option<VRegId> {
        let result = *self.facts.operands_of(instr).get(index)?;
        result
            .vreg()
            .filter(|&reg| result.is_def() && result.subreg() == 0 && self.machine.class(reg).is_some())
    }
    /// Notes that a result holds what `value` holds, if both have one class.
    fn set_value(&mut self, result: VRegId, value: VRegId) -> bool {
        let is_same_class = self.machine.class(result) == self.machine.class(value);
        if is_same_class {
            self.found.values[result] = value;
        }
        is_same_class
    }

    fn move_(&mut self, instr: InstrId) {
        let operands = self.facts.operands_of(instr);
        let Some(result) = self.result(instr, 0).filter(|_| operands.len() == 2) else { return };
        if let Some(value) = self.value(operands[1]) {
            self.set_value(result, value);
        }
    }
    fn pack(&mut self, instr: InstrId, num_parts: u8) {
        let Some(result) = self.result(instr, 0) else { return };
        let mut regs = [result; 4];
        let regs = &mut regs[..usize::from(num_parts)];
        for (reg, &operand) in regs.iter_mut().zip(&self.facts.operands_of(instr)[1..]) {
            let Some(value) = self.value(operand) else { return };
            *reg = value;
        }
        let Some(part) = self.found.joined(regs) else { return };
        if part.bits < self.machine.bits(part.whole) {
            self.found.parts[result] = Some(part);
        } else if (self.are_parts_of_registers(instr) || self.reads_alone(instr))
            && self.set_value(result, part.whole)
        {
            self.found.round_trips.push(RoundTrip { result, value: part.whole });
        }
    }
    /// Returns whether the operands of a pack are hardware registers. They then share the whole's
    /// registers and need no others.
    fn are_parts_of_registers(&self, pack: InstrId) -> bool {
        let part = self.facts.operands_of(pack)[1].vreg();
        part.is_some_and(|part| self.machine.bits(part) >= MIN_BITS_OF_REGISTER)
    }
    /// Returns whether only packs of the same parts read the operands of a pack. The operands are
    /// then not live together with the whole.
    fn reads_alone(&self, pack: InstrId) -> bool {
        let parts_of = |instr| self.facts.operands_of(instr)[1..].iter().map(|o| o.vreg());
        let family = |instr| self.machine.opcode_info(instr).move_;
        let is_same = |reader| family(reader) == family(pack) && parts_of(reader).eq(parts_of(pack));
        parts_of(pack).flatten().all(|part| match self.facts.has_readers() {
            true => self.facts.readers_of(part).all(is_same),
            false => self.facts.num_reads[part] == 1,
        })
    }
    fn unpack(&mut self, instr: InstrId, num_parts: u8) {
        let num_parts = usize::from(num_parts);
        for index in 0..num_parts {
            let part = index as u32;
            if let Some(result) = self.result(instr, index) {
                self.part(result, self.facts.operands_of(instr)[num_parts], part);
            }
        }
    }
    fn half(&mut self, instr: InstrId, number: u8) {
        if let Some(result) = self.result(instr, 0) {
            self.part(result, self.facts.operands_of(instr)[1], number.into());
        }
    }
    /// Notes which part of an operand a result is, or that it equals a known value.
    fn part(&mut self, result: VRegId, of: Operand, number: u32) {
        let Some(whole) = self.value(of) else { return };
        let bits = self.machine.bits(result);
        match self.find_part(Part { whole, offset: number * bits, bits }) {
            Found::Part(part) => self.found.parts[result] = Some(part),
            Found::Value(value) => {
                if self.set_value(result, value) {
                    self.found.round_trips.push(RoundTrip { result, value });
                }
            }
        }
    }
    /// Follows a part to the value that it was packed from, and on to the value that this is a part
    /// of.
    fn find_part(&self, mut part: Part) -> Found {
        loop {
            if let Some((value, bits)) = self.packed_at(part) {
                if bits == part.bits {
                    return Found::Value(value);
                }
                part = Part { whole: value, offset: part.offset % bits, ..part };
            } else if let Some(of) = self.found.parts[part.whole] {
                part = Part { whole: of.whole, offset: of.offset + part.offset, ..part };
            } else {
                return Found::Part(part);
            }
        }
    }
    /// Returns the operand that a part lies in, and that operand's size, if the part's register is
    /// a pack of operands at least as large as the part.
    fn packed_at(&self, part: Part) -> Option<(VRegId, u32)> {
        let def = self.facts.def_of(part.whole)?;
        let of = self.machine.opcode_info(def).move_?;
        let Family::Pack(num_parts) = of.family else { return None };
        let bits = of.bits / u32::from(num_parts);
        let operand = *self.facts.operands_of(def).get(1 + (part.offset / bits) as usize)?;
        self.value(operand).filter(|_| part.bits <= bits).zip(Some(bits))
    }
}
