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
//! The `cicc` profile goes further: copies that nothing reads are not made ([`registers`], row E14) or erased when the
//! block is done ([`dead_copies`], row E11), a result that a glue bundle has made already is not copied again
//! ([`implicit_glue`], row E12), and `-ptx-emit-order=pressure` chooses another order ([`reorder`]).
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

mod dead_copies;
mod debug;
mod debug_reordered;
mod implicit_glue;
mod inline_asm;
mod left_to_stock;
pub mod live_out;
mod machine;
mod node;
mod operands;
mod order;
mod pressure_order;
mod registers;
mod reorder;
mod schedule_graph;
mod subregs;
#[cfg(test)]
mod tests;

use crate::mir::Register;
use dag::{step, ClassId, Dag, NodeHandle, PhysCopy, Step, NONE};
use host::{reg_flag, Host, NewInstr, NewOperand};
use implicit_glue::GlueBundle;
use left_to_stock::Reason;
use order::SourceOrder;
use reorder::Reorder;
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
    /// Copies that were made and whose result nothing read (row E11).
    pub dead_copies: u64,
    /// Of these, those that only a dead copy read.
    pub cascaded: u64,
    /// Results that an earlier node of the glue bundle had made already (row E12).
    pub glue_consumers: u64,
    /// Nodes of several results (row E13).
    pub multi_result: u64,
    /// Nodes with others glued to them (row E13).
    pub bundles: u64,
    /// CopyFromRegs at the begin of the function's first block (row E14).
    pub entry_copies: u64,
    /// Physical registers that a CopyFromReg names and nothing reads (row E14).
    pub unread_copies: u64,
    /// Blocks that were emitted in another order than the source's.
    pub reordered: u64,
    /// Registers of 32 bits that their peaks were lowered by.
    pub peak_reduction: u64,
    /// Blocks that have one order only, for calls or for physical registers.
    pub fixed: u64,
}

/// Which order the nodes of a block are emitted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EmitOrder {
    /// That of the scheduler that the user chose; LLVM's choice for NVPTX follows the source.
    #[default]
    Source,
    /// The one that needs the fewest registers, see [`pressure_order`].
    Pressure,
}

/// How blocks are emitted. The default is what the stock emitter does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Whether copies that nothing needs are left out (rows E11 to E14).
    pub improves: bool,
    /// The order.
    pub order: EmitOrder,
}

/// The emitter with its buffers, which are reused from block to block.
#[derive(Default)]
pub struct Emitter {
    target: Target,
    target_key: Option<u64>,
    buffers: Buffers,
    reorder: Reorder,
}

#[derive(Default)]
struct Buffers {
    /// By result.
    values: Vec<Made>,
    /// By unit: the copies between units.
    units: Vec<Register>,
    /// Of the instruction that is put together, and how many of them are implicit registers.
    operands: Vec<NewOperand>,
    num_implicit: usize,
    used: Vec<Register>,
    glued_reads: machine::GluedReads,
    users: Vec<u32>,
    order: SourceOrder,
    glue: GlueBundle,
}

/// What a result has become.
#[derive(Clone, Copy)]
struct Made {
    /// None before its node is emitted.
    reg: Register,
    /// Its only use may kill it. Not so with a CopyFromReg, whose register may have others, nor with a token of
    /// convergence control.
    dies_at_use: bool,
    /// Each use has a register of its own with an IMPLICIT_DEF.
    is_undefined: bool,
}

impl Made {
    const NOT_YET: Made = Made { reg: Register::NONE, dies_at_use: false, is_undefined: false };
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
    /// See [`Settings`].
    improves: bool,
    /// The steps are not in the order of the source.
    is_reordered: bool,
    /// Copies to registers of this block alone, in the order of emission (row E11).
    copies: Vec<dead_copies::CopyRecord<H>>,
    /// The first virtual register that the block made.
    first_made: Option<Register>,
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
    pub fn block<H: Host>(
        &mut self,
        host: &H,
        dag: Dag,
        target_key: u64,
        settings: Settings,
    ) -> Result<Counts, Reason> {
        if self.target_key != Some(target_key) {
            self.target.renew(host);
            self.target_key = Some(target_key);
        }
        left_to_stock::check(&dag, &self.target.opcodes)?;
        self.buffers.start(&dag);
        let mut counts = Counts::default();
        let reordered = match settings.order {
            EmitOrder::Pressure => self.reorder.run(host, &dag, &mut self.target, &mut counts),
            EmitOrder::Source => None,
        };
        let mut block = Block {
            host,
            is_reordered: reordered.is_some(),
            dag: Dag { order: reordered.unwrap_or(dag.order), ..dag },
            improves: settings.improves,
            copies: Vec::new(),
            first_made: None,
            target: &mut self.target,
            b: &mut self.buffers,
            first: None,
            counts,
        };
        block.emit_schedule();
        Ok(block.counts)
    }
}

impl Buffers {
    fn start(&mut self, dag: &Dag) {
        self.values.clear();
        self.values.resize(dag.values.len(), Made::NOT_YET);
        self.glued_reads.clear();
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
        self.count_entry_cascade();
        for step in self.dag.steps() {
            match step.kind {
                step::NOOP => self.host.emit_noop(),
                step::PHYS_COPY => self.emit_phys_reg_copy(&self.dag.phys_copies[step.index as usize]),
                _ => {
                    let id = step.index as usize;
                    self.emit_node(id, Cloning::of(&step));
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
        self.erase_dead_copies();
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
        let mi = self.emit(self.target.opcodes.copy, location, &operands);
        self.record_copy(mi, dst, src);
        mi
    }
    fn new_reg(&mut self, class: ClassId) -> Register {
        self.counts.registers += 1;
        let reg = self.host.new_reg(class);
        self.first_made.get_or_insert(reg);
        reg
    }
    /// The class of a type whose value must be in a register.
    fn class_for(&mut self, ty: u16, divergent: bool) -> ClassId {
        self.target
            .class_for_type(self.host, ty, divergent)
            .or_else(|| self.host.class_for_any_type(ty, divergent))
            .unwrap_or_else(|| panic!("type {ty} has no class of registers"))
    }
}
