//! Emits one node: the dispatch, the nodes that are not machine instructions, and the information
//! that the DAG keeps beside the graph (requirements E2, E3 and E9).

use super::block::{BlockEmitter, FirstInstr, Repetition};
use super::host::EmitterHost;
use crate::mir::dag::ids::{NodeHandle, NodeId};
use crate::mir::dag::new_instr::{new, reg_flag, NewOperand};
use crate::mir::dag::node::{extra_info, isd, Node};
use crate::mir::dag::operand::kind;
use crate::mir::dag::schedule::flag;
use crate::mir::Register;
use crate::versions::VERSIONS;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Emits a node. Leaves its first instruction in `self.first`.
    pub(super) fn emit_node(&mut self, id: NodeId, repetition: Repetition) {
        self.first = None;
        self.counts.nodes += 1;
        let node = &self.dag.nodes[id];
        if self.settings.glue_consumers {
            self.buffers.glue.enter(&self.dag, node);
        }
        self.counts.bundles += u64::from(node.glued_user.is_some());
        self.counts.multi_result += u64::from(node.num_results() > 1);
        if node.is_machine() {
            self.emit_machine_node(node, repetition);
        } else {
            self.emit_special_node(node, repetition);
        }
        if let Some(first) = &self.first {
            self.set_extra_info(node, first);
        }
    }

    fn emit_special_node(&mut self, node: &Node, repetition: Repetition) {
        let operands = self.dag.operands_of(node);
        let leaf = |kind: u32, handle: NodeHandle| [NewOperand::of(kind, handle.0 as u64)];
        match node.opcode {
            isd::ENTRY_TOKEN | isd::MERGE_VALUES | isd::TOKEN_FACTOR => {}
            isd::COPY_TO_REG => self.emit_copy_to_reg(node, repetition),
            isd::COPY_FROM_REG => {
                let src = operands[1].as_register().expect("CopyFromReg names a register");
                self.emit_copy_from_reg(node, 0, src);
            }
            isd::EH_LABEL | isd::ANNOTATION_LABEL => {
                let is_eh = node.opcode == isd::EH_LABEL;
                let opcodes = &self.target.opcodes;
                let opcode = if is_eh { opcodes.eh_label } else { opcodes.annotation_label };
                self.emit(opcode, node.handle, &leaf(new::LABEL, node.handle));
            }
            isd::LIFETIME_START | isd::LIFETIME_END => {
                let is_start = node.opcode == isd::LIFETIME_START;
                let opcodes = &self.target.opcodes;
                let opcode = if is_start { opcodes.lifetime_start } else { opcodes.lifetime_end };
                let slot = operands[1];
                assert_eq!(slot.kind, kind::FRAME_INDEX, "a lifetime is that of a stack object");
                self.emit(opcode, node.handle, &[NewOperand::of(slot.kind.into(), self.dag.word_of(slot))]);
            }
            isd::PSEUDO_PROBE => {
                self.emit(self.target.opcodes.pseudo_probe, node.handle, &leaf(new::PROBE, node.handle));
            }
            isd::INLINEASM | isd::INLINEASM_BR => self.emit_inline_asm(node, repetition),
            other => unreachable!("node kind {other} is one of `unsupported.rs`"),
        }
    }

    /// Emits a CopyToReg (requirement E3). An undefined value becomes an IMPLICIT_DEF. Nothing is
    /// emitted if the register already has the value, or if it feeds inline assembly that can read
    /// the value's own register. Otherwise a COPY.
    fn emit_copy_to_reg(&mut self, node: &Node, repetition: Repetition) {
        let operands = self.dag.operands_of(node);
        let dst = operands[1].as_register().expect("CopyToReg names a register");
        let undefined = operands[2].as_value().is_some_and(|value| self.is_undefined(value));
        if dst.is_virtual() && undefined {
            let def = [NewOperand::reg(dst, reg_flag::DEFINE)];
            self.emit(self.target.opcodes.implicit_def, node.handle, &def);
            return;
        }
        let src = match operands[2].as_register() {
            Some(reg) => reg,
            None => self.value_reg(&operands[2]),
        };
        if src != dst && !self.give_to_asm(node, dst, src, repetition) {
            self.emit_copy(node.handle, dst, src);
        }
    }

    /// Gives the first instruction of a node the information that the DAG keeps beside the graph.
    fn set_extra_info(&self, node: &Node, first: &FirstInstr<H>) {
        let &FirstInstr { mi: first, may_be_call } = first;
        if may_be_call && self.host.is_call_site(first) {
            if self.dag.has(flag::CALL_SITE_INFO) {
                self.host.add_call_site_info(first, node.handle);
            }
            if VERSIONS.emitter.called_globals {
                self.host.add_called_global(first, node.handle);
            }
        }
        if !node.has_extra_info() {
            return;
        }
        if node.has(extra_info::NO_MERGE) {
            self.host.set_no_merge(first);
        }
        if node.has(extra_info::PC_SECTIONS) {
            self.host.set_pc_sections(first, node.handle);
        }
        if node.has(extra_info::MMRA) {
            self.host.set_mmra(first, node.handle);
        }
    }

    /// Does the same for the mark of a heap allocation, after the node's debug values.
    pub(super) fn set_heap_alloc(&self, id: NodeId, first: Option<H::Instr>) {
        let node = &self.dag.nodes[id];
        if !node.has(extra_info::HEAP_ALLOC_SITE) {
            return;
        }
        if let Some(first) = first.filter(|&first| self.host.is_call(first)) {
            self.host.set_heap_alloc(first, node.handle);
        }
    }

    /// The convergence control token that `node` is glued to.
    pub(super) fn convergence_token(&mut self, node: &Node) -> Option<Register> {
        let last = self.dag.operands_of(node).last()?;
        if !VERSIONS.emitter.convergence_tokens
            || !(last.is_glue() || VERSIONS.emitter.convergence_by_last_operand)
        {
            return None;
        }
        let glue = &self.dag.nodes[self.dag.node_of(last.as_value()?)];
        if !glue.is_opcode(self.target.opcodes.convergencectrl_glue) {
            return None;
        }
        Some(self.value_reg(&self.dag.operands_of(glue)[0]))
    }
}
