//! The instruction emitter: a scheduled SelectionDAG becomes MachineInstrs.
//!
//! Problem. Instruction selection leaves, block by block, a graph of nodes, and the scheduler the order in
//! which they are to run. Each node becomes one or more machine instructions at the point where the block goes
//! on; each result gets a virtual register of a class that suits the instruction, the type and the uses. The
//! register numbers of PTX follow from the order in which registers are made here.
//!
//! Algorithm. [`Emitter::block`] reads the schedule into dense records ([`dag`]) and decides, before anything is
//! made, whether all of it can be done here ([`left_to_stock`]). Then, in the order of the schedule (row E1): the
//! nodes glued to a unit before the unit itself, contiguous; each through [`Block::emit_node`] (row E2), which
//! dispatches to the special nodes ([`node`], rows E2 and E3), machine nodes ([`machine`], rows E7 and E8), copies and
//! results ([`registers`], rows E4 and E5), operands ([`operands`], rows E6 and E7), sub-register pseudos
//! ([`subregs`], row E8) and inline assembly ([`inline_asm`], row E9). What the DAG knows of the node goes to its
//! first instruction. With debug information, debug values and labels come in where the order of the source
//! says ([`debug`], row E10).
//!
//! Source: the reference text on InstrEmitter; `InstrEmitter.cpp` and `ScheduleDAGSDNodes.cpp` of LLVM.
//!
//! Deviations. Maps from results and units to registers are arrays; classes, descriptions and types of the
//! target are read once ([`target`]). Custom inserters and post-RA pseudos are not run here but by LLVM's own later
//! passes (errata 15); the dispatch is on symbolic kinds (errata 2). Stack maps, patch points and statepoints,
//! which NVPTX has not, are left to the stock emitter by the block; the statistics count these blocks by
//! reason. Where versions of LLVM differ, see [`versions`].
//!
//! Complexity: linear in nodes, operands and uses; sorting debug values, n log n.

pub mod classes;
pub mod dag;
pub mod host;
pub mod target;

mod debug;
mod inline_asm;
mod left_to_stock;
mod machine;
mod node;
mod operands;
mod order;
mod registers;
mod subregs;
#[cfg(test)]
mod tests;
mod versions;

use crate::mir::Register;
use dag::{step, ClassId, Dag, NodeHandle, PhysCopy, Step, NONE};
use host::{reg_flag, Host, NewInstr, NewOperand};
use left_to_stock::Reason;
use order::SourceOrder;
use target::Target;

/// What was done, of one block.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Nodes emitted, a clone as one more.
    pub nodes: u64,
    /// Instructions made, debug instructions apart.
    pub instructions: u64,
    /// COPYs among them that narrow or widen a class.
    pub class_copies: u64,
    /// Virtual registers made.
    pub registers: u64,
    /// Results that went to the register of the CopyToReg that uses them.
    pub reused: u64,
    /// Debug values and labels.
    pub debug: u64,
}

/// The emitter with its buffers, which are reused from block to block.
#[derive(Default)]
pub struct Emitter {
    target: Target,
    target_key: Option<u64>,
    buffers: Buffers,
}

#[derive(Default)]
struct Buffers {
    /// By result.
    values: Vec<Register>,
    /// By unit: the copies between units.
    units: Vec<Register>,
    operands: Vec<NewOperand>,
    used: Vec<Register>,
    users: Vec<u32>,
    order: SourceOrder,
}

/// Whether a node is emitted more than once.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cloning {
    /// This is a further time.
    is_clone: bool,
    /// There are, or will be, further times.
    is_cloned: bool,
}

impl Cloning {
    const NONE: Cloning = Cloning { is_clone: false, is_cloned: false };
    fn of(step: &Step) -> Cloning {
        Cloning { is_clone: step.flags & step::CLONE != 0, is_cloned: step.flags & step::CLONED != 0 }
    }
    fn any(self) -> bool {
        self.is_clone || self.is_cloned
    }
}

/// A block that is emitted.
struct Block<'a, H: Host> {
    host: &'a H,
    dag: Dag<'a>,
    target: &'a mut Target,
    b: &'a mut Buffers,
    /// The first instruction of the current node, and whether it is a call.
    first: Option<(H::Instr, bool)>,
    counts: Counts,
}

impl Emitter {
    /// Forgets the target: the next block may be of another one.
    pub fn forget_target(&mut self) {
        self.target_key = None;
    }

    /// Emits one block for a subtarget known by `target_key`.
    ///
    /// # Errors
    /// Why the stock emitter is to do it; then nothing was made.
    pub fn block<H: Host>(&mut self, host: &H, dag: Dag, target_key: u64) -> Result<Counts, Reason> {
        if self.target_key != Some(target_key) {
            self.target.renew(host);
            self.target_key = Some(target_key);
        }
        left_to_stock::check(&dag, &self.target.opcodes)?;
        self.buffers.start(&dag);
        let mut block = Block {
            host,
            dag,
            target: &mut self.target,
            b: &mut self.buffers,
            first: None,
            counts: Counts::default(),
        };
        block.emit_schedule();
        Ok(block.counts)
    }
}

impl Buffers {
    fn start(&mut self, dag: &Dag) {
        self.values.clear();
        self.values.resize(dag.values.len(), Register::NONE);
        self.units.clear();
        if !dag.phys_copies.is_empty() {
            self.units.resize(dag.num_units, Register::NONE);
        }
    }
}

impl<H: Host> Block<'_, H> {
    /// `EmitSchedule` (row E1).
    fn emit_schedule(&mut self) {
        let mut debug = self.begin_debug();
        for step in self.dag.steps {
            match step.kind {
                step::NOOP => self.host.emit_noop(),
                step::PHYS_COPY => self.emit_phys_reg_copy(&self.dag.phys_copies[step.index as usize]),
                _ => {
                    let id = step.index as usize;
                    self.emit_node(id, Cloning::of(step));
                    let first = self.first.map(|(mi, _)| mi);
                    if let Some(debug) = &mut debug {
                        self.process_source_node(debug, id, first);
                    }
                    self.set_heap_alloc(id, first);
                }
            }
        }
        if let Some(debug) = debug {
            self.emit_pending_debug(debug);
        }
        self.move_debug_values_before_terminators();
    }

    /// A copy between units, to a physical register or from one.
    fn emit_phys_reg_copy(&mut self, copy: &PhysCopy) {
        if copy.pred_unit == NONE {
            return;
        }
        let opcode = self.target.opcodes.copy;
        let (dst, src) = if copy.pred_copies != 0 {
            let src = self.b.units[copy.pred_unit as usize];
            assert!(src.is_valid(), "unit {} was emitted too late", copy.pred_unit);
            (copy.succ_reg, src)
        } else {
            let dst = self.new_reg(ClassId(copy.class));
            self.b.units[copy.unit as usize] = dst;
            (dst, copy.pred_reg)
        };
        self.emit(
            opcode,
            NodeHandle::NULL,
            &[NewOperand::reg(dst, reg_flag::DEFINE), NewOperand::reg(src, 0)],
        );
    }

    // ---- what every part of the emitter does

    /// Makes an instruction of `operands`, no call, with the debug location of `location`.
    fn emit(&mut self, opcode: u32, location: NodeHandle, operands: &[NewOperand]) -> H::Instr {
        let instr =
            NewInstr { opcode, mi_flags: 0, location, machine: NodeHandle::NULL, operands, ties: &[] };
        self.emit_instr(&instr, false)
    }
    fn emit_instr(&mut self, instr: &NewInstr, is_call: bool) -> H::Instr {
        let mi = self.host.emit(instr);
        if self.first.is_none() {
            self.first = Some((mi, is_call));
        }
        self.counts.instructions += 1;
        mi
    }
    /// `dst = COPY src`
    fn emit_copy(&mut self, location: NodeHandle, dst: Register, src: Register) -> H::Instr {
        let operands = [NewOperand::reg(dst, reg_flag::DEFINE), NewOperand::reg(src, 0)];
        self.emit(self.target.opcodes.copy, location, &operands)
    }
    fn new_reg(&mut self, class: ClassId) -> Register {
        self.counts.registers += 1;
        self.host.new_reg(class)
    }
    /// The class of a type whose value must be in a register.
    fn class_for(&mut self, ty: u16, divergent: bool) -> ClassId {
        self.target
            .class_for_type(self.host, ty, divergent)
            .or_else(|| self.host.class_for_any_type(ty, divergent))
            .unwrap_or_else(|| panic!("type {ty} has no class of registers"))
    }
}
