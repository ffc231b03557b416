//! Reads an LLVM function in SSA form, and answers questions about its instructions.
//!
//! **Problem.** The stages before LiveVariables ask the same questions about the same function.
//!
//! **Algorithm.** The function is read when a stage needs it, if it has changed since the last
//! reading. The [`OpcodeTable`] classifies opcodes and is kept from function to function.
//!
//! **Complexity.** Linear in instructions.

use super::definitions::Definitions;
use super::facts::SsaFacts;
use super::machine::MachineInfo;
use super::pressure::StorageOf;
use super::repeat::{is_recomputed, Repeat};
use crate::llvm::{FunctionReader, Handles, MachineFunction, MachineInstr};
use crate::mir::{
    virtual_reads, AddressSpace, Float, FunctionFacts, InstrId, Opcode, Operand, RegClassId, VRegId,
};
use crate::nvptx::computation::{Computation, InstrDesc};
use crate::nvptx::cost::{Storage, Value};
use crate::nvptx::counterparts::Counterpart;
use crate::nvptx::created::CreatedOp;
use crate::nvptx::form::Form;
use crate::nvptx::occupancy::Architecture;
use crate::nvptx::table::OpcodeNames;
use crate::nvptx::uniformity::Uniformity;
use crate::nvptx::{OpcodeInfo, OpcodeTable};
use crate::versions::VERSIONS;
use std::cell::Cell;

/// The most definitions that are followed to decide whether a value is uniform.
const MAX_UNIFORM_DEPTH: u32 = 16;

/// The buffers, kept from function to function.
#[derive(Default)]
pub struct Snapshot {
    reader: FunctionReader,
    facts: SsaFacts,
    opcodes: OpcodeTable,
    /// By instruction: the known results of [`Instrs::is_uniform`].
    uniform: Vec<Option<bool>>,
    max_threads: Cell<Option<[u32; 3]>>,
    architecture: Cell<Option<Architecture>>,
    /// Whether the function has not changed since it was read.
    is_current: bool,
}

impl Snapshot {
    /// Forgets the function: it has changed, or another one follows.
    pub fn forget(&mut self) {
        self.is_current = false;
    }
    /// Frees the buffers. The table of the opcodes stays.
    pub fn free(&mut self) {
        *self = Snapshot { opcodes: std::mem::take(&mut self.opcodes), ..Snapshot::default() };
    }
    /// Forgets the function and hands over its reading. `None` if the function has changed since.
    pub fn hand_over(&mut self) -> Option<(&mut FunctionReader, &FunctionFacts)> {
        let is_current = std::mem::take(&mut self.is_current);
        is_current.then_some((&mut self.reader, &*self.facts))
    }
    /// Returns the table of the opcodes, which does not depend on the function.
    pub fn opcodes(&self) -> &OpcodeTable {
        &self.opcodes
    }
    /// Reads a function of several blocks, as [`Snapshot::of`] does.
    pub fn of_blocks<'a, 'f>(
        &'a mut self,
        mf: MachineFunction<'f>,
    ) -> Option<(&'a SsaFacts, Instrs<'a, 'f>)> {
        mf.blocks().nth(1)?;
        self.of(mf)
    }
    /// Reads a function, if it has changed since the last reading. Returns `None` if it is not for
    /// NVPTX or not in SSA form.
    pub fn of<'a, 'f>(&'a mut self, mf: MachineFunction<'f>) -> Option<(&'a SsaFacts, Instrs<'a, 'f>)> {
        if !mf.is_nvptx() || !mf.is_ssa() {
            return None;
        }
        let Snapshot { reader, facts, opcodes, uniform, max_threads, architecture, is_current } = self;
        if !*is_current {
            facts.read(|facts| reader.read_all(mf, facts));
            uniform.clear();
            uniform.resize(facts.num_instrs(), None);
            max_threads.set(None);
            architecture.set(None);
            *is_current = true;
        }
        let uniform = Cell::from_mut(&mut uniform[..]).as_slice_of_cells();
        let handles = reader.handles(mf);
        Some((facts, Instrs { handles, facts, opcodes, uniform, max_threads, architecture }))
    }
}

/// The operations of a function that was read.
pub type Code<'a, 'f> = Definitions<'a, Instrs<'a, 'f>>;

/// The instructions of a function that was read.
#[derive(Clone, Copy)]
pub struct Instrs<'a, 'f> {
    handles: Handles<'a, 'f>,
    facts: &'a SsaFacts,
    opcodes: &'a OpcodeTable,
    uniform: &'a [Cell<Option<bool>>],
    max_threads: &'a Cell<Option<[u32; 3]>>,
    architecture: &'a Cell<Option<Architecture>>,
}

impl<'f> Instrs<'_, 'f> {
    /// Returns the function.
    pub fn function(&self) -> MachineFunction<'f> {
        self.handles.function()
    }
    /// Returns the facts of the function.
    pub fn facts(&self) -> &SsaFacts {
        self.facts
    }
    /// Returns the architecture that the function is compiled for.
    pub fn architecture(&self) -> Architecture {
        let known =
            self.architecture.get().unwrap_or_else(|| Architecture::of(&self.function().ir().processor()));
        self.architecture.set(Some(known));
        known
    }
    /// Returns the instruction of this number.
    pub fn instr(&self, instr: InstrId) -> MachineInstr<'f> {
        self.handles.instr_of(&self.facts.block_of, instr)
    }
    /// Returns the row of the opcode table for an instruction.
    pub fn opcode_info_of(&self, mi: MachineInstr) -> OpcodeInfo {
        let (mf, opcode) = (self.function(), mi.opcode().number());
        self.opcodes.info(opcode, form_of(mi), || {
            let name = mf.opcode_name(opcode);
            // Opcodes without a name of their own are known by their text.
            if name.starts_with("anonymous_") {
                mf.mnemonic(opcode)
            } else {
                name
            }
        })
    }
    /// Returns the opcode that does the same as the one of an instruction, with other operands.
    pub fn counterpart(&self, mi: MachineInstr, which: Counterpart) -> Opcode {
        self.opcodes.counterpart(mi.opcode().number(), which, &self.function()).into()
    }
    /// Returns the opcode of an operation that a stage creates.
    pub fn created(&self, op: CreatedOp) -> Opcode {
        self.opcodes.created(op, &self.function()).into()
    }
    /// Returns whether the result of an instruction needs no register: it is a constant or a
    /// parameter, maybe cast to another address space.
    pub fn is_free(&self, instr: InstrId) -> bool {
        let mut mi = self.instr(instr);
        while self.computation_of(mi) == Computation::AddressSpaceCast {
            let address = mi.operand(1);
            let def = if address.is_virtual() { self.function().def(address.reg()) } else { None };
            let Some(def) = def else { return false };
            mi = def.instr;
        }
        self.computation_of(mi) == Computation::Constant || mi.loads_parameter()
    }
    /// Returns whether all threads of a block have the same result, in a way that ptxas recognises:
    /// it is computed from constants, parameters and numbers of blocks. ptxas keeps such integers
    /// in uniform registers.
    pub fn is_uniform(&self, instr: InstrId) -> bool {
        self.is_uniform_at(instr, 0)
    }
    fn is_uniform_at(&self, instr: InstrId, depth: u32) -> bool {
        let known = &self.uniform[instr.index()];
        if let Some(is_uniform) = known.get() {
            return is_uniform;
        }
        let is_uniform = match self.opcode_info(instr).uniformity {
            Uniformity::Always => true,
            Uniformity::IfOperandsAre if depth < MAX_UNIFORM_DEPTH => {
                virtual_reads(self.facts.operands_of(instr))
                    .all(|reg| self.facts.def_of(reg).is_some_and(|def| self.is_uniform_at(def, depth + 1)))
            }
            _ => self.is_free(instr),
        };
        known.set(Some(is_uniform));
        is_uniform
    }
    /// Returns what kind of computation an instruction is.
    pub fn computation(&self, instr: InstrId) -> Computation {
        self.computation_of(self.instr(instr))
    }
    /// Returns what kind of computation an instruction of LLVM's is.
    pub fn computation_of(&self, mi: MachineInstr) -> Computation {
        let mf = self.function();
        let desc = || {
            let only_computes = mi.only_computes();
            // Registers of generic instructions may have no class.
            let is_predicate = |reg| mf.class_id(reg).is_some() && mf.class_bits(reg) == 1;
            let defines_predicate = only_computes && mi.num_described_defs() == 1 && {
                let result = mi.operand(0);
                result.is_virtual() && is_predicate(result.reg())
            };
            InstrDesc { only_computes, defines_predicate }
        };
        self.opcodes.computation(mi.opcode().number(), form_of(mi), || mf.opcode_name(mi.opcode()), desc)
    }
}

/// Returns the form of an instruction's operands, where the name of its opcode does not tell it.
fn form_of(mi: MachineInstr) -> Form {
    if VERSIONS.nvptx.opcodes_name_constants || mi.num_described_defs() != 1 {
        return Form::NAMED;
    }
    let operands = (1..mi.num_operands()).map(|index| mi.operand(index));
    Form::of(operands.filter(|o| !o.is_implicit()).map(Operand::kind))
}

impl StorageOf for Instrs<'_, '_> {
    fn storage(&mut self, reg: VRegId) -> Storage {
        let def = self.facts.def_of(reg).filter(|_| self.class(reg).is_some());
        let Some(def) = def else { return Storage::Nowhere };
        let value = Value {
            bits: self.bits(reg),
            is_free: self.is_free(def),
            is_uniform: self.is_uniform(def),
            is_recomputed: is_recomputed(self.facts, self, reg),
        };
        Storage::of(value, self.architecture())
    }
}

impl Repeat for Instrs<'_, '_> {
    fn is_repeatable(&mut self, instr: InstrId) -> bool {
        let mi = self.instr(instr);
        mi.is_safe_to_move(None)
            || mi.loads_parameter()
            || self.computation_of(mi) == Computation::AddressSpaceCast
    }
}

impl MachineInfo for Instrs<'_, '_> {
    fn opcode_info(&self, instr: InstrId) -> OpcodeInfo {
        self.opcode_info_of(self.instr(instr))
    }
    fn immediate(&self, instr: InstrId, operand: usize) -> i64 {
        self.instr(instr).immediate(operand)
    }
    fn float(&self, instr: InstrId, operand: usize) -> Option<f32> {
        match self.instr(instr).float(operand)? {
            Float::F32(value) => Some(value),
            _ => None,
        }
    }
    fn class(&self, reg: VRegId) -> Option<RegClassId> {
        self.function().class_id(reg.into()).map(RegClassId::from_usize)
    }
    fn bits(&self, reg: VRegId) -> u32 {
        self.function().class_bits(reg.into())
    }
    fn max_threads(&self) -> [u32; 3] {
        let known = self.max_threads.get().unwrap_or_else(|| self.function().ir().max_threads());
        self.max_threads.set(Some(known));
        known
    }
    fn has_created(&self, op: CreatedOp) -> bool {
        self.opcodes.find_created(op, &self.function()).is_some()
    }
    fn memory_space(&self, instr: InstrId) -> Option<AddressSpace> {
        self.instr(instr).only_mem_operand().map(|operand| operand.space())
    }
    fn symbol_space(&self, instr: InstrId, operand: usize) -> Option<AddressSpace> {
        self.instr(instr).global(operand).map(|global| global.space())
    }
}

impl OpcodeNames for MachineFunction<'_> {
    fn name(&self, opcode: u32) -> String {
        self.opcode_name(opcode).into_owned()
    }
    fn opcode(&self, name: &str, near: u32) -> Option<u32> {
        self.opcode_named(name, near).map(Opcode::number)
    }
}
