//! Turns a scheduled SelectionDAG into MachineInstrs (the instruction emitter).
//!
//! Problem. For each block, instruction selection leaves a graph of nodes, and the scheduler an
//! order of them. Most nodes become one or more machine instructions at the insertion point. Each
//! result gets a virtual register of a class that suits the instruction, the type and the uses. The
//! register numbers of PTX follow from the order in which registers are made here.
//!
//! Algorithm. [`Emitter::block`] takes the schedule as dense records ([`crate::mir::dag`]) and
//! checks, before anything is made, that it supports all of them (`unsupported`). Then it emits the
//! units in the order of the schedule (requirement E1): first the nodes glued to a unit, then the
//! unit itself, contiguously. `emit_node` (requirement E2) dispatches to the special nodes (`node`,
//! requirements E2 and E3), machine nodes (`machine`, requirements E7 and E8), copies and results
//! (`registers`, requirements E4 and E5), operands (`operands`, requirements E6 and E7),
//! sub-register pseudos (`subregs`, requirement E8) and inline assembly (`inline_asm`, requirement
//! E9). The information that the DAG keeps beside the graph goes to the first instruction of the
//! node. Debug values and labels are inserted by their position in the source (`debug`, requirement
//! E10).
//!
//! The default profile goes further. Copies, parameters and other results that nothing reads are
//! erased when the function is done (`dead_copies`, requirements E11 and E14). A value that a glued
//! group already holds in a register is not copied for another member of the group (`implicit_glue`
//! and `asm_registers`, requirement E12). Results of inline assembly go straight to where they are
//! wanted (`asm_registers`, requirement E13). `-ptx-emit-order=pressure` chooses another order
//! (`reorder`).
//!
//! Source: the reference description of CICC 13.0's InstrEmitter; `InstrEmitter.cpp` and
//! `ScheduleDAGSDNodes.cpp` of LLVM.
//!
//! Deviations. Maps from results and units to registers are arrays; classes, descriptions and types
//! of the target are read once ([`target`]). LLVM's own later passes run custom inserters and
//! expand post-RA pseudos (errata 15). The dispatch is on symbolic kinds (errata 2). The stock
//! emitter emits blocks with stack maps, patch points or statepoints, which NVPTX does not have;
//! the statistics count them by reason. For the differences between versions of LLVM see
//! [`crate::versions`].
//!
//! Complexity: linear in nodes, operands and uses; O(n log n) to sort debug values.
//!
//! [`host::EmitterHost`] is the interface to LLVM, which `pass.rs` implements.

mod asm_registers;
mod block;
pub mod classes;
mod counts;
mod dead_copies;
mod debug;
mod debug_reordered;
mod glued_reads;
pub mod host;
mod implicit_glue;
mod inline_asm;
mod live_out;
mod machine;
mod node;
mod operands;
#[cfg(all(ptx_host, not(test)))]
mod pass;
mod pending_debug;
mod pressure_order;
mod registers;
mod renamed_registers;
mod reorder;
mod schedule_graph;
mod settings;
mod source_order;
mod subregs;
pub mod target;
#[cfg(test)]
mod tests;
mod unsupported;

pub use counts::Counts;
pub use dead_copies::{Erased, SelectedFunction, UnreadDef};
pub use settings::{EmitOrder, Settings};
pub use unsupported::Unsupported;

use crate::mir::dag::ids::NodeHandle;
use crate::mir::dag::new_instr::{reg_flag, NewOperand};
use crate::mir::dag::node::{step, PhysCopy};
use crate::mir::dag::schedule::Dag;
use block::{BlockEmitter, Buffers, Repetition};
use dead_copies::DeadCopies;
use host::EmitterHost;
use reorder::Reorder;
use target::EmitterTarget;

/// The emitter with its buffers, which are reused from block to block.
#[derive(Default)]
pub struct Emitter {
    target: EmitterTarget,
    target_key: Option<u64>,
    buffers: Buffers,
    reorder: Reorder,
    dead: DeadCopies,
}

impl Emitter {
    /// Forgets the target: the next block may be for another one.
    pub fn forget_target(&mut self) {
        self.target_key = None;
    }

    /// Emits one block. `target_key` is a number of the subtarget.
    ///
    /// # Errors
    /// The reason why the block is not supported. Then nothing was made, and the stock emitter may
    /// emit it.
    pub fn block<H: EmitterHost>(
        &mut self,
        host: &H,
        dag: Dag,
        target_key: u64,
        settings: Settings,
    ) -> Result<Counts, Unsupported> {
        if self.target_key != Some(target_key) {
            self.target.renew(host);
            self.target_key = Some(target_key);
        }
        unsupported::check(&dag, &self.target.opcodes)?;
        self.buffers.start(&dag);
        let mut counts = Counts::default();
        let reordered = match settings.order {
            EmitOrder::Pressure => self.reorder.run(host, &dag, &mut self.target, &mut counts),
            EmitOrder::Source => None,
        };
        let mut block = BlockEmitter {
            host,
            is_reordered: reordered.is_some(),
            dag: Dag { order: reordered.unwrap_or(dag.order), ..dag },
            settings,
            target: &mut self.target,
            buffers: &mut self.buffers,
            first: None,
            counts,
        };
        block.emit_schedule();
        Ok(block.counts)
    }

    /// Erases what nothing reads, when all blocks of the function are emitted (requirements E11 and
    /// E14).
    pub fn finish<F: SelectedFunction>(&mut self, function: &F, settings: Settings) -> Erased {
        if settings.dead_copies || settings.dead_parameters {
            self.dead.erase(function, settings)
        } else {
            Erased::default()
        }
    }

    /// Checks that nothing reads the registers that inline assembly no longer defines or reads.
    pub fn check_replaced<F: SelectedFunction>(&mut self, function: &F) {
        for reg in self.buffers.asm.take_replaced() {
            assert!(!function.is_read(reg), "%{} of inline assembly is read elsewhere", reg.virt_index());
        }
    }
}

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Emits all steps of the schedule (`EmitSchedule`, requirement E1).
    fn emit_schedule(&mut self) {
        let mut debug = self.begin_debug();
        for step in self.dag.steps() {
            if let Some(id) = step.node() {
                self.emit_node(id, Repetition::of(&step));
                let first = self.first.as_ref().map(|first| first.mi);
                if let Some(debug) = &mut debug {
                    self.process_source_node(debug, id, first);
                }
                self.set_heap_alloc(id, first);
                continue;
            }
            match step.kind {
                step::NOOP => self.host.emit_noop(),
                step::PHYS_COPY => self.emit_phys_reg_copy(&self.dag.phys_copies[step.index as usize]),
                kind => unreachable!("unknown kind {kind} of step"),
            }
        }
        if let Some(debug) = debug {
            self.emit_pending_debug(debug);
        }
        self.move_debug_values_before_terminators();
    }

    /// Emits a copy between units, to or from a physical register.
    fn emit_phys_reg_copy(&mut self, copy: &PhysCopy) {
        let Some(pred_unit) = copy.pred_unit.get() else { return };
        let opcode = self.target.opcodes.copy;
        let (dst, src) = if copy.pred_copies != 0 {
            let src = self.buffers.units[pred_unit];
            assert!(src.is_valid(), "{pred_unit:?} was emitted too late");
            (copy.succ_reg, src)
        } else {
            let dst = self.new_reg(copy.reg_class.get().expect("a copy between units has a class"));
            self.buffers.units[copy.unit] = dst;
            (dst, copy.pred_reg)
        };
        self.emit(
            opcode,
            NodeHandle::NULL,
            &[NewOperand::reg(dst, reg_flag::DEFINE), NewOperand::reg(src, 0)],
        );
    }
}
