//! Holds the state of the block that is being emitted, and makes its instructions and registers.

use super::counts::Counts;
use super::glued_reads::GluedReads;
use super::host::EmitterHost;
use super::implicit_glue::GlueBundle;
use super::renamed_registers::AsmRegisters;
use super::settings::Settings;
use super::source_order::SourceOrder;
use super::target::EmitterTarget;
use crate::adt::PackedOption;
use crate::mir::dag::ids::{ClassId, NodeHandle, NodeId, SUnitId, ValueId};
use crate::mir::dag::new_instr::{reg_flag, NewInstr, NewOperand};
use crate::mir::dag::node::{step, Step};
use crate::mir::dag::schedule::Dag;
use crate::mir::Register;
use index_vec::IndexVec;

/// Buffers that are reused from block to block.
#[derive(Default)]
pub(super) struct Buffers {
    pub(super) values: IndexVec<ValueId, EmittedValue>,
    /// The register of each copy between units.
    pub(super) units: IndexVec<SUnitId, Register>,
    /// Operands of the instruction under construction, and the number of implicit registers among
    /// them.
    pub(super) operands: Vec<NewOperand>,
    pub(super) num_implicit: usize,
    /// Physical registers that the instruction defines and that are read.
    pub(super) used: Vec<Register>,
    pub(super) glued_reads: GluedReads,
    pub(super) users: Vec<PackedOption<NodeId>>,
    pub(super) order: SourceOrder,
    pub(super) glue: GlueBundle,
    pub(super) asm: AsmRegisters,
}

/// The register that holds a result, and how it may be read.
#[derive(Clone, Copy)]
pub(super) struct EmittedValue {
    /// `Register::NONE` before its node is emitted.
    pub(super) reg: Register,
    /// Whether the only use of the result may kill the register. It may not for a CopyFromReg,
    /// whose register may have other uses, nor for a convergence control token.
    pub(super) dies_at_use: bool,
    /// Whether the result is undefined: each use has a register of its own with an IMPLICIT_DEF.
    pub(super) is_undefined: bool,
}

impl EmittedValue {
    const NOT_YET: EmittedValue =
        EmittedValue { reg: Register::NONE, dies_at_use: false, is_undefined: false };
}

/// How often a node is emitted. The scheduler clones units to avoid copies of physical registers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Once.
    Once,
    /// The node is, or belongs to, a clone or the original of one.
    Cloned,
}

impl Repetition {
    pub(super) fn of(s: &Step) -> Repetition {
        if s.flags & (step::CLONE | step::CLONED) != 0 {
            Repetition::Cloned
        } else {
            Repetition::Once
        }
    }
}

/// The first instruction of a node.
pub(super) struct FirstInstr<H: EmitterHost> {
    pub(super) mi: H::Instr,
    /// Whether it may be a call.
    pub(super) may_be_call: bool,
}

/// The block that is being emitted.
pub(super) struct BlockEmitter<'a, H: EmitterHost> {
    pub(super) host: &'a H,
    pub(super) dag: Dag<'a>,
    pub(super) target: &'a mut EmitterTarget,
    pub(super) buffers: &'a mut Buffers,
    pub(super) settings: Settings,
    /// Whether the steps are in another order than the scheduler's.
    pub(super) is_reordered: bool,
    /// The first instruction of the current node.
    pub(super) first: Option<FirstInstr<H>>,
    pub(super) counts: Counts,
}

impl Buffers {
    /// Empties them for a block.
    pub(super) fn start(&mut self, dag: &Dag) {
        self.values.clear();
        self.values.resize(dag.values.len(), EmittedValue::NOT_YET);
        self.glued_reads.clear();
        self.asm.start_block();
        self.units.clear();
        if !dag.phys_copies.is_empty() {
            self.units.resize(dag.num_units, Register::NONE);
        }
    }
}

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Makes an instruction of `operands` that is not a call, with the debug location of
    /// `location`.
    pub(super) fn emit(&mut self, opcode: u32, location: NodeHandle, operands: &[NewOperand]) -> H::Instr {
        let instr =
            NewInstr { opcode, mi_flags: 0, location, machine: NodeHandle::NULL, operands, ties: &[] };
        self.emit_instr(&instr, false)
    }
    /// Makes an instruction.
    pub(super) fn emit_instr(&mut self, instr: &NewInstr, is_call: bool) -> H::Instr {
        let mi = self.host.emit(instr);
        if self.first.is_none() {
            self.first = Some(FirstInstr { mi, may_be_call: is_call });
        }
        self.counts.instructions += 1;
        mi
    }
    /// Makes `dst = COPY src`.
    pub(super) fn emit_copy(&mut self, location: NodeHandle, dst: Register, src: Register) -> H::Instr {
        let operands = [NewOperand::reg(dst, reg_flag::DEFINE), NewOperand::reg(src, 0)];
        self.emit(self.target.opcodes.copy, location, &operands)
    }
    /// Makes a virtual register, with or without a class.
    pub(super) fn new_reg(&mut self, class: impl Into<Option<ClassId>>) -> Register {
        self.counts.registers += 1;
        self.host.new_reg(class.into())
    }
    /// The class of a type whose value must be in a register.
    pub(super) fn class_for(&mut self, ty: u16, divergent: bool) -> ClassId {
        self.target
            .class_for_type(self.host, ty, divergent)
            .or_else(|| self.host.class_for_any_type(ty, divergent))
            .unwrap_or_else(|| panic!("type {ty} has no class of registers"))
    }
}
