//! Builds functions in SSA form for tests, and answers questions about them.

use super::facts::SsaFacts;
use super::forms::Value;
use super::machine::MachineInfo;
use crate::mir::testing::{end_block, push, read, write};
use crate::mir::{AddressSpace, FunctionFacts, InstrFlags, InstrId, Operand, RegClassId, VRegId};
use crate::nvptx::created::CreatedOp;
use crate::nvptx::OpcodeInfo;
use std::collections::{BTreeMap, BTreeSet};

/// Makes an operand that is a register.
pub fn reg(index: u32) -> Value {
    Value::Reg(VRegId::from_raw(index))
}
/// Makes an operand that is a constant.
pub fn imm(value: i64) -> Value {
    Value::Imm(value)
}

/// Makes an operand that is a symbol.
pub fn named() -> Value {
    Value::Imm(SYMBOL)
}
/// Stands for a symbol among the inputs of an instruction.
const SYMBOL: i64 = i64::MIN;

/// A target whose instructions have the names of LLVM 22's opcodes. The number of a register class
/// is its size in bits.
#[derive(Default)]
pub struct TestMachine {
    opcodes: Vec<OpcodeInfo>,
    immediates: BTreeMap<(InstrId, usize), i64>,
    /// The operands that are constant floats.
    pub floats: BTreeMap<(InstrId, usize), f32>,
    /// The registers of 32 bits; the others have 64, or are in [`TestMachine::sizes`].
    pub regs_of_32_bits: BTreeSet<VRegId>,
    /// The sizes of registers of neither 32 nor 64 bits.
    pub sizes: BTreeMap<VRegId, u32>,
    /// The operations that the target does not have.
    pub missing: Vec<CreatedOp>,
    /// The address spaces of the memory that loads and stores access.
    pub spaces: BTreeMap<InstrId, AddressSpace>,
}

impl MachineInfo for TestMachine {
    fn opcode_info(&self, instr: InstrId) -> OpcodeInfo {
        self.opcodes[instr.index()]
    }
    fn immediate(&self, instr: InstrId, operand: usize) -> i64 {
        self.immediates[&(instr, operand)]
    }
    fn float(&self, instr: InstrId, operand: usize) -> Option<f32> {
        self.floats.get(&(instr, operand)).copied()
    }
    fn class(&self, reg: VRegId) -> Option<RegClassId> {
        Some(RegClassId::from_raw(self.bits(reg)))
    }
    fn bits(&self, reg: VRegId) -> u32 {
        let usual = if self.regs_of_32_bits.contains(&reg) { 32 } else { 64 };
        self.sizes.get(&reg).copied().unwrap_or(usual)
    }
    fn max_threads(&self) -> [u32; 3] {
        [1024; 3]
    }
    fn has_created(&self, op: CreatedOp) -> bool {
        !self.missing.contains(&op)
    }
    fn memory_space(&self, instr: InstrId) -> Option<AddressSpace> {
        self.spaces.get(&instr).copied()
    }
    fn symbol_space(&self, _: InstrId, _: usize) -> Option<AddressSpace> {
        None
    }
}

/// A function that is built block by block.
pub struct TestFunction {
    facts: FunctionFacts,
    /// The target of its instructions.
    pub machine: TestMachine,
    num_blocks: u32,
}

impl TestFunction {
    /// Starts a function with this many registers and blocks.
    pub fn new(num_regs: usize, num_blocks: usize) -> TestFunction {
        let mut facts = FunctionFacts::default();
        facts.clear(num_regs, num_blocks);
        TestFunction { facts, machine: TestMachine::default(), num_blocks: 0 }
    }
    /// Appends an instruction.
    pub fn instr(&mut self, name: &'static str, results: &[u32], inputs: &[Value]) -> InstrId {
        let instr = InstrId::from_usize(self.machine.opcodes.len());
        let mut operands: Vec<Operand> = results.iter().map(|&reg| write(reg)).collect();
        for &input in inputs {
            operands.push(match input {
                Value::Reg(reg) => read(reg.raw()),
                Value::Imm(SYMBOL) => Operand::test_symbol(),
                Value::Imm(value) => {
                    self.machine.immediates.insert((instr, operands.len()), value);
                    Operand::test_imm(value as u32)
                }
            });
        }
        self.machine.opcodes.push(OpcodeInfo::from_name(name));
        push(&mut self.facts, InstrFlags::NONE, &operands);
        instr
    }
    /// Appends an instruction with one result.
    pub fn op(&mut self, name: &'static str, result: u32, inputs: &[Value]) -> InstrId {
        self.instr(name, &[result], inputs)
    }
    /// Appends a PHI of registers that come from blocks.
    pub fn phi(&mut self, result: u32, incoming: &[(u32, u32)]) -> InstrId {
        let mut operands = vec![write(result)];
        operands.extend(incoming.iter().flat_map(|&(reg, block)| [read(reg), Operand::test_block(block)]));
        self.machine.opcodes.push(OpcodeInfo::from_name("PHI"));
        push(&mut self.facts, InstrFlags::PHI, &operands);
        InstrId::from_usize(self.machine.opcodes.len() - 1)
    }
    /// Ends a block, which goes on to others.
    pub fn end_block(&mut self, succs: &[u32]) {
        end_block(&mut self.facts, self.num_blocks, succs);
        self.num_blocks += 1;
    }
    /// Returns the facts of the function, whose last block has ended.
    pub fn finish(self) -> (SsaFacts, TestMachine) {
        (SsaFacts::of(self.facts), self.machine)
    }
}
