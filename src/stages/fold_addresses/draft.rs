//! Tracks the state of a function while edits are collected.
//!
//! The facts of a function stay as they were read. A draft knows what the edits have changed since:
//! which instruction defines a register, how many operands read it, and what changed instructions
//! compute.

use super::edits::{Edit, Inputs, NewOpcode};
use crate::adt::{BitSet, PackedOption};
use crate::mir::{virtual_reads, BlockId, InstrId, Kind, VRegId};
use crate::nvptx::arithmetic::{Arithmetic, IntegerOp};
use crate::nvptx::created::CreatedOp;
use crate::ssa::forms::Value;
use crate::ssa::machine::MachineInfo;
use crate::ssa::SsaFacts;
use index_vec::IndexVec;
use rustc_hash::FxHashMap;

/// An instruction that an edit has changed or inserted.
#[derive(Clone, Copy)]
enum Changed {
    /// One operand of a load or store is another register.
    Address { operand: usize, reg: VRegId },
    /// The instruction computes this operation on a register and a constant.
    WithConstant { op: Option<IntegerOp>, reg: VRegId, constant: i64 },
    /// The instruction computes this operation on registers.
    OfRegisters { op: Option<IntegerOp>, inputs: Inputs },
}

/// An integer operation on two operands. An operand is `None` unless it is a whole register or a
/// constant.
#[derive(Clone, Copy)]
pub struct Binary {
    /// The operation.
    pub operation: Arithmetic,
    /// The operands.
    pub operands: [Option<Value>; 2],
}

impl Binary {
    /// Returns the two registers that it adds, if it is such an addition.
    pub fn added_registers(&self) -> Option<[VRegId; 2]> {
        match (self.operation, self.operands) {
            (Arithmetic::Add, [Some(Value::Reg(a)), Some(Value::Reg(b))]) => Some([a, b]),
            _ => None,
        }
    }
}

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct DraftBuffers {
    def: IndexVec<VRegId, PackedOption<InstrId>>,
    num_reads: IndexVec<VRegId, u32>,
    erased: BitSet,
    changed: FxHashMap<InstrId, Changed>,
    /// By inserted instruction: its block. Inserted instructions are numbered after the function's
    /// own.
    blocks_of_inserted: Vec<BlockId>,
    /// The registers that changed and inserted instructions read, each with the instruction.
    added_reads: Vec<(VRegId, InstrId)>,
    edits: Vec<Edit>,
}

impl DraftBuffers {
    /// Returns the edits of the last draft.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }
}

/// A function and the edits so far.
pub struct Draft<'a, M> {
    facts: &'a SsaFacts,
    machine: &'a M,
    b: &'a mut DraftBuffers,
}

impl<'a, M: MachineInfo> Draft<'a, M> {
    /// Begins with a function as it was read.
    pub fn new(facts: &'a SsaFacts, machine: &'a M, b: &'a mut DraftBuffers) -> Self {
        let num_regs = facts.shape.num_virt_regs;
        b.def.clear();
        b.def.extend((0..num_regs).map(|reg| PackedOption::from(facts.def_of(VRegId::from_usize(reg)))));
        b.num_reads.clear();
        b.num_reads.extend(facts.num_reads.iter().copied());
        b.erased.reset(num_regs);
        b.changed.clear();
        b.blocks_of_inserted.clear();
        b.added_reads.clear();
        b.edits.clear();
        Draft { facts, machine, b }
    }
    /// Returns the registers of the function whose definitions were erased.
    pub fn erased(&self) -> &BitSet {
        &self.b.erased
    }
    /// Returns the instruction that defines a register.
    pub fn def(&self, reg: VRegId) -> Option<InstrId> {
        self.b.def[reg].get()
    }
    /// Returns how many operands read a register.
    pub fn num_reads(&self, reg: VRegId) -> u32 {
        self.b.num_reads[reg]
    }
    /// Returns the block of an instruction.
    pub fn block(&self, instr: InstrId) -> BlockId {
        match instr.index().checked_sub(self.facts.num_instrs()) {
            None => self.facts.block_of_instr(instr),
            Some(inserted) => self.b.blocks_of_inserted[inserted],
        }
    }
    /// Returns whether an instruction is a PHI.
    pub fn is_phi(&self, instr: InstrId) -> bool {
        instr.index() < self.facts.num_instrs() && self.facts.is_phi_instr(instr)
    }
    /// Returns whether an instruction of the function that defines a register still exists.
    pub fn is_there(&self, instr: InstrId) -> bool {
        let result = self.facts.operands_of(instr)[0].vreg();
        result.is_some_and(|reg| self.def(reg) == Some(instr))
    }
    /// Returns the integer operation that an instruction computes.
    pub fn integer_op(&self, instr: InstrId) -> Option<IntegerOp> {
        match self.b.changed.get(&instr) {
            Some(Changed::Address { .. }) | None => self.machine.opcode_info(instr).arithmetic,
            Some(&(Changed::WithConstant { op, .. } | Changed::OfRegisters { op, .. })) => op,
        }
    }
    /// Returns the 64-bit operation on two operands that an instruction computes.
    pub fn binary64(&self, instr: InstrId) -> Option<Binary> {
        let operation = self.integer_op(instr).filter(|op| op.bits == 64)?.operation;
        let operands = match self.b.changed.get(&instr) {
            Some(&Changed::WithConstant { reg, constant, .. }) => {
                [Value::Reg(reg), Value::Imm(constant)].map(Some)
            }
            Some(Changed::OfRegisters { inputs, .. }) => {
                let &[a, b] = inputs.as_slice() else { return None };
                [Value::Reg(a), Value::Reg(b)].map(Some)
            }
            Some(Changed::Address { .. }) => return None,
            None => {
                let operands = self.facts.operands_of(instr);
                (operands.len() == 3).then(|| [1, 2].map(|index| self.value(instr, index)))?
            }
        };
        Some(Binary { operation, operands })
    }
    fn value(&self, instr: InstrId, index: usize) -> Option<Value> {
        let operand = self.facts.operands_of(instr)[index];
        match operand.kind() {
            Kind::Imm => Some(Value::Imm(self.machine.immediate(instr, index))),
            Kind::Reg if operand.reads_whole() => operand.vreg().map(Value::Reg),
            _ => None,
        }
    }

    /// Calls `visit` with the virtual registers that an instruction reads.
    fn for_each_read(&self, instr: InstrId, mut visit: impl FnMut(VRegId)) {
        match self.b.changed.get(&instr) {
            None => virtual_reads(self.facts.operands_of(instr)).for_each(visit),
            Some(&Changed::Address { operand, reg }) => {
                for (index, o) in self.facts.operands_of(instr).iter().enumerate().filter(|(_, o)| o.is_use())
                {
                    if let Some(read) = o.vreg() {
                        visit(if index == operand { reg } else { read });
                    }
                }
            }
            Some(&Changed::WithConstant { reg, .. }) => visit(reg),
            Some(Changed::OfRegisters { inputs, .. }) => inputs.as_slice().iter().copied().for_each(visit),
        }
    }
    /// Calls `visit` with the instructions that read a register, once for each operand that does.
    /// Only for functions of several blocks.
    pub fn for_each_reader(&self, reg: VRegId, mut visit: impl FnMut(InstrId)) {
        let readers = self.facts.readers_of(reg).filter(|reader| !self.b.changed.contains_key(reader));
        readers.filter(|&reader| self.is_alive(reader)).for_each(&mut visit);
        let added = self.b.added_reads.iter().filter(|&&(read, _)| read == reg);
        added.map(|&(_, reader)| reader).filter(|&reader| self.is_alive(reader)).for_each(visit);
    }
    /// Returns whether an instruction has not been erased.
    fn is_alive(&self, instr: InstrId) -> bool {
        match self.result(instr) {
            Some(result) => self.def(result) == Some(instr),
            None => true,
        }
    }
    /// Returns the register that the first operand of an instruction defines.
    fn result(&self, instr: InstrId) -> Option<VRegId> {
        match instr.index().checked_sub(self.facts.num_instrs()) {
            None => self.facts.operands_of(instr).first().filter(|o| o.is_def()).and_then(|o| o.vreg()),
            Some(inserted) => Some(VRegId::from_usize(self.facts.shape.num_virt_regs + inserted)),
        }
    }

    /// Changes what an instruction computes and reads. An instruction is changed at most once.
    fn change(&mut self, instr: InstrId, changed: Changed) {
        debug_assert!(!self.b.changed.contains_key(&instr));
        self.count_reads(instr, u32::wrapping_sub);
        self.b.changed.insert(instr, changed);
        self.count_reads(instr, u32::wrapping_add);
        let mut added_reads = std::mem::take(&mut self.b.added_reads);
        self.for_each_read(instr, |reg| added_reads.push((reg, instr)));
        self.b.added_reads = added_reads;
    }
    fn count_reads(&mut self, instr: InstrId, add: fn(u32, u32) -> u32) {
        let mut num_reads = std::mem::take(&mut self.b.num_reads);
        self.for_each_read(instr, |reg| num_reads[reg] = add(num_reads[reg], 1));
        self.b.num_reads = num_reads;
    }

    /// Gives a load or store another address, a register and an offset; the register is at
    /// `operand`.
    pub fn set_address(
        &mut self,
        instr: InstrId,
        operand: usize,
        opcode: NewOpcode,
        reg: VRegId,
        offset: i64,
    ) {
        self.change(instr, Changed::Address { operand, reg });
        self.b.edits.push(Edit::SetOperands { instr, opcode, operand, reg, constant: offset });
    }
    /// Makes an instruction compute an operation on a register and a constant.
    pub fn set_with_constant(&mut self, instr: InstrId, opcode: NewOpcode, reg: VRegId, constant: i64) {
        let op = match opcode {
            NewOpcode::Created(op) => op.integer_op(),
            NewOpcode::Same | NewOpcode::Counterpart(_) => self.integer_op(instr),
        };
        self.change(instr, Changed::WithConstant { op, reg, constant });
        self.b.edits.push(Edit::SetOperands { instr, opcode, operand: 1, reg, constant });
    }
    /// Makes an instruction compute an operation on registers.
    pub fn set_operation(&mut self, instr: InstrId, op: CreatedOp, inputs: &[VRegId]) {
        let inputs = Inputs::new(inputs);
        self.change(instr, Changed::OfRegisters { op: op.integer_op(), inputs });
        self.b.edits.push(Edit::SetOperation { instr, op, inputs });
    }
    /// Inserts an operation on registers, with an optional constant after them. Returns its result,
    /// a new register.
    pub fn insert(
        &mut self,
        before: InstrId,
        op: CreatedOp,
        inputs: &[VRegId],
        constant: Option<u32>,
    ) -> VRegId {
        let inputs = Inputs::new(inputs);
        let block = self.block(before);
        let instr = InstrId::from_usize(self.facts.num_instrs() + self.b.blocks_of_inserted.len());
        self.b.blocks_of_inserted.push(block);
        let result = self.b.def.push(instr.into());
        self.b.num_reads.push(0);
        self.b.edits.push(Edit::Insert { before, op, inputs, constant, result });
        let changed = match (constant, inputs.as_slice()) {
            (Some(constant), &[reg]) => {
                Changed::WithConstant { op: op.integer_op(), reg, constant: i64::from(constant) }
            }
            _ => Changed::OfRegisters { op: op.integer_op(), inputs },
        };
        self.b.changed.insert(instr, changed);
        self.count_reads(instr, u32::wrapping_add);
        let mut added_reads = std::mem::take(&mut self.b.added_reads);
        self.for_each_read(instr, |reg| added_reads.push((reg, instr)));
        self.b.added_reads = added_reads;
        result
    }
    /// Erases the instruction that defines a register.
    pub fn erase(&mut self, reg: VRegId) {
        let instr = self.def(reg).expect("something defines it");
        self.count_reads(instr, u32::wrapping_sub);
        self.b.def[reg] = PackedOption::NONE;
        if reg.index() < self.facts.shape.num_virt_regs {
            self.b.erased.insert(reg.index());
        }
        self.b.edits.push(Edit::Erase(reg));
    }
    /// Erases the integer operations that define these registers, and those that define their
    /// operands, as long as nothing reads them. Returns how many.
    pub fn erase_unread(&mut self, candidates: &mut Vec<VRegId>) -> u64 {
        let mut erased = 0;
        while let Some(reg) = candidates.pop() {
            let Some(def) = self.def(reg) else { continue };
            let is_read = self.num_reads(reg) != 0;
            if is_read || self.integer_op(def).is_none() {
                continue;
            }
            candidates.extend(virtual_reads(self.facts.operands_of(def)));
            self.erase(reg);
            erased += 1;
        }
        erased
    }
}
