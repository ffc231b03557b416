//! Emits machine nodes (requirements E7 and E8).

use super::block::{BlockEmitter, FirstInstr, Repetition};
use super::glued_reads::GluedReads;
use super::host::EmitterHost;
use super::target::Desc;
use crate::mir::dag::ids::NodeId;
use crate::mir::dag::new_instr::NewInstr;
use crate::mir::dag::node::{isd, Node};
use crate::mir::dag::schedule::flag;
use crate::versions::VERSIONS;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Emits a node with an opcode of the target: a pseudo that the emitter itself expands, or an
    /// instruction.
    pub(super) fn emit_machine_node(&mut self, node: &Node, repetition: Repetition) {
        let desc = self.target.desc(self.host, node.opcode);
        if desc.is_pseudo() {
            self.emit_pseudo(node, repetition);
        } else {
            self.emit_instruction(node, desc, repetition);
        }
    }

    /// Expands a pseudo.
    fn emit_pseudo(&mut self, node: &Node, repetition: Repetition) {
        let opcodes = &self.target.opcodes;
        let is = |opcode: u32| node.opcode == opcode;
        if is(opcodes.extract_subreg) {
            self.emit_extract_subreg(node);
        } else if is(opcodes.insert_subreg) || is(opcodes.subreg_to_reg) {
            self.emit_insert_subreg(node, repetition);
        } else if is(opcodes.copy_to_regclass) {
            self.emit_copy_to_regclass(node);
        } else if is(opcodes.reg_sequence) {
            self.emit_reg_sequence(node, repetition);
        } else {
            // Each use of an IMPLICIT_DEF makes its own, see value_reg.
            assert!(is(opcodes.implicit_def), "unknown pseudo {}", node.opcode);
        }
    }

    /// Emits an instruction: the registers of its results, then its operands.
    fn emit_instruction(&mut self, node: &Node, desc: Desc, repetition: Repetition) {
        let num_results = node.num_results();
        let num_defs = desc.num_defs();
        let variadic_defs =
            desc.is_variadic() && desc.variadic_ops_are_defs() && !self.dag.has(flag::PHYS_REGS_FOR_VALUES);
        let mi = self.start(desc, node.handle, repetition);
        if num_results > 0 {
            let num_regs = if variadic_defs { num_results } else { num_defs };
            self.create_virtual_registers(node, desc, (num_regs, num_results), repetition);
        }
        // The first operands name optional results, which create_virtual_registers has appended.
        let skip = num_defs.saturating_sub(num_results);
        for (i, op) in self.dag.inputs_of(node).iter().enumerate().skip(skip) {
            self.add_operand(&mi, op, Some(i - skip + num_defs));
        }
        let operands = std::mem::take(&mut self.buffers.operands);
        let instr = NewInstr {
            opcode: node.opcode,
            mi_flags: self.flags_of(node, num_results),
            location: node.handle,
            machine: node.handle,
            operands: &operands,
            ties: &[],
        };
        let instr = self.emit_instr(&instr, desc.is_call());
        self.buffers.operands = operands;
        self.finish_physical_defs(node, desc, instr, num_results, variadic_defs);
        if let Some(token) = self.convergence_token(node) {
            self.host.add_implicit_use(instr, token);
        }
        if desc.has_post_isel_hook() {
            let first = self.first.as_ref().expect("an instruction was made");
            let mi = self.host.post_isel_hook(instr, first.mi, node.handle);
            // The hook may have replaced it by any instruction.
            self.first = Some(FirstInstr { mi, may_be_call: true });
        }
    }

    /// The flags that the node gives its instruction.
    fn flags_of(&self, node: &Node, num_results: usize) -> u32 {
        if num_results > 0 {
            node.mi_flags
        } else if VERSIONS.emitter.unpredictable_without_results {
            node.mi_flags & self.target.opcodes.mi_unpredictable
        } else {
            0
        }
    }

    /// Copies results beyond the explicit ones out of the physical registers that the instruction
    /// defines, and marks as dead those that nothing reads (requirement E7).
    fn finish_physical_defs(
        &mut self,
        node: &Node,
        desc: Desc,
        instr: H::Instr,
        num_results: usize,
        variadic_defs: bool,
    ) {
        self.buffers.used.clear();
        if desc.has_implicit_defs() && !variadic_defs {
            self.emit_results_from(node, desc, desc.num_defs(), num_results);
        }
        self.collect_glued_reads(node);
        if desc.is_call() && self.dag.has(flag::STRICT_FP) {
            self.buffers.used.extend(self.host.rounding_regs());
        }
        if !self.buffers.used.is_empty() || desc.has_implicit_defs() || desc.has_optional_def() {
            self.host.set_dead_except(instr, &self.buffers.used);
        }
    }

    /// Copies results `i` and up of a node out of the physical registers that its opcode defines:
    /// the first one, then the others by recursion on the node, with the same maps (requirement
    /// E13). The recursion is as deep as there are such registers.
    fn emit_results_from(&mut self, node: &Node, desc: Desc, i: usize, num_results: usize) {
        if i >= num_results {
            return;
        }
        if self.dag.values_of(node)[i].has_use() {
            let def = self.target.implicit_defs(desc).nth(i - desc.num_defs());
            let reg = def.expect("a result beyond the registers that the opcode defines");
            self.buffers.used.push(reg);
            self.emit_copy_from_reg(node, i, reg);
        }
        self.emit_results_from(node, desc, i + 1, num_results);
    }

    /// Collects the registers that nodes glued after `node` read.
    fn collect_glued_reads(&mut self, node: &Node) {
        let Some(user) = node.glued_user.get() else { return };
        let mut glued = std::mem::take(&mut self.buffers.glued_reads);
        if !glued.seek(user) {
            self.read_chain(&mut glued, user);
        }
        self.buffers.used.extend_from_slice(glued.reads());
        self.buffers.glued_reads = glued;
    }

    /// Fills `glued` with the chain that starts with node `first`.
    fn read_chain(&mut self, glued: &mut GluedReads, first: NodeId) {
        glued.clear();
        let mut next = Some(first);
        while let Some(id) = next {
            glued.push_node(id);
            let node = &self.dag.nodes[id];
            next = node.glued_user.get();
            let operands = self.dag.operands_of(node);
            if node.is_isd(isd::COPY_FROM_REG) {
                let reg = operands[1].as_register().expect("CopyFromReg names a register");
                if reg.is_physical() || !VERSIONS.emitter.glue_reads_physical_only {
                    glued.extend([reg]);
                }
            } else if node.is_machine() {
                let desc = self.target.desc(self.host, node.opcode);
                glued.extend(self.target.implicit_uses(desc));
                let registers = operands.iter().filter_map(|op| op.as_register());
                glued.extend(registers.filter(|reg| reg.is_physical()));
            }
        }
    }
}
