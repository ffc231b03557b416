//! Machine nodes (rows E7 and E8).

use super::dag::{isd, Dag, Node, NONE};
use super::host::{Host, NewInstr};
use super::target::Desc;
use super::{Block, Cloning};
use crate::mir::Register;
use crate::versions::VERSIONS;

impl<H: Host> Block<'_, H> {
    /// A node with an opcode of the target: the pseudos that the emitter itself takes apart, or the generic way.
    pub(super) fn emit_machine_node(&mut self, node: &Node, cloning: Cloning) {
        let desc = self.target.desc(self.host, node.opcode);
        if desc.is_pseudo() {
            self.emit_pseudo(node, cloning);
        } else {
            self.emit_instruction(node, desc, cloning);
        }
    }

    fn emit_pseudo(&mut self, node: &Node, cloning: Cloning) {
        let opcodes = &self.target.opcodes;
        let is = |opcode: u32| node.opcode == opcode;
        if is(opcodes.extract_subreg) {
            self.emit_extract_subreg(node);
        } else if is(opcodes.insert_subreg) || is(opcodes.subreg_to_reg) {
            self.emit_insert_subreg(node, cloning);
        } else if is(opcodes.copy_to_regclass) {
            self.emit_copy_to_regclass(node);
        } else if is(opcodes.reg_sequence) {
            self.emit_reg_sequence(node, cloning);
        } else {
            // Each use of an IMPLICIT_DEF has one of its own, see value_reg.
            assert!(is(opcodes.implicit_def), "a pseudo that the emitter does not know");
        }
    }

    fn emit_instruction(&mut self, node: &Node, desc: Desc, cloning: Cloning) {
        let num_results = node.num_results();
        let num_defs = desc.num_defs();
        let variadic_defs =
            desc.is_variadic() && desc.variadic_ops_are_defs() && !self.dag.has(Dag::PHYS_REGS_FOR_VALUES);
        let mi = self.start(desc, node.handle, cloning);
        if num_results > 0 {
            let num_regs = if variadic_defs { num_results } else { num_defs };
            self.create_virtual_registers(node, desc, (num_regs, num_results), cloning);
        }
        // Operands that stand for optional results have been dealt with.
        let skip = num_defs.saturating_sub(num_results);
        for (i, op) in self.dag.inputs_of(node).iter().enumerate().skip(skip) {
            self.add_operand(&mi, op, Some(i - skip + num_defs));
        }
        let operands = std::mem::take(&mut self.b.operands);
        let instr = NewInstr {
            opcode: node.opcode,
            mi_flags: self.flags_of(node, num_results),
            location: node.handle,
            machine: node.handle,
            operands: &operands,
            ties: &[],
        };
        let instr = self.emit_instr(&instr, desc.is_call());
        self.b.operands = operands;
        self.finish_physical_defs(node, desc, instr, num_results, variadic_defs);
        if let Some(token) = self.convergence_token(node) {
            self.host.add_implicit_use(instr, token);
        }
        if desc.has_post_isel_hook() {
            let (first, _) = self.first.expect("an instruction was made");
            let first = self.host.post_isel_hook(instr, first, node.handle);
            // What it is now only LLVM knows.
            self.first = Some((first, true));
        }
    }

    fn flags_of(&self, node: &Node, num_results: usize) -> u32 {
        if num_results > 0 {
            node.mi_flags
        } else if VERSIONS.emitter.unpredictable_without_results {
            node.mi_flags & self.target.opcodes.mi_unpredictable
        } else {
            0
        }
    }

    /// Physical registers that the instruction defines: results beyond the explicit ones are copied out of them,
    /// and those that nothing reads are dead (row E7).
    fn finish_physical_defs(
        &mut self,
        node: &Node,
        desc: Desc,
        instr: H::Instr,
        num_results: usize,
        variadic_defs: bool,
    ) {
        self.b.used.clear();
        if desc.has_implicit_defs() && !variadic_defs {
            self.emit_results_from(node, desc, desc.num_defs(), num_results);
        }
        self.collect_glued_reads(node);
        if desc.is_call() && self.dag.has(Dag::STRICT_FP) {
            self.b.used.extend(self.host.rounding_regs());
        }
        if !self.b.used.is_empty() || desc.has_implicit_defs() || desc.has_optional_def() {
            self.host.set_dead_except(instr, &self.b.used);
        }
    }

    /// Results `i` and up of a node, which are in the physical registers that its opcode defines: the first one, then
    /// the others by recursion on the node, with the same maps (row E13). As deep as the opcode has such registers.
    fn emit_results_from(&mut self, node: &Node, desc: Desc, i: usize, num_results: usize) {
        if i >= num_results {
            return;
        }
        if self.dag.values_of(node)[i].has_use() {
            let def = self.target.implicit_defs(desc).nth(i - desc.num_defs());
            let reg = def.expect("a result beyond the registers that the opcode defines");
            self.b.used.push(reg);
            self.emit_copy_from_reg(node, i as u32, reg);
        }
        self.emit_results_from(node, desc, i + 1, num_results);
    }

    /// Registers that nodes glued behind `node` read.
    fn collect_glued_reads(&mut self, node: &Node) {
        if node.glued_user == NONE {
            return;
        }
        let mut glued = std::mem::take(&mut self.b.glued_reads);
        let at = glued.find(node.glued_user).unwrap_or_else(|| self.read_chain(&mut glued, node.glued_user));
        self.b.used.extend_from_slice(&glued.reads[glued.chain[at].first_read..]);
        self.b.glued_reads = glued;
    }

    /// Fills `glued` with the chain that starts with node `first`; the position of that.
    fn read_chain(&mut self, glued: &mut GluedReads, first: u32) -> usize {
        glued.clear();
        let mut user = first;
        while let Some(node) = self.dag.nodes.get(user as usize) {
            glued.chain.push(Link { node: user, first_read: glued.reads.len() });
            user = node.glued_user;
            let operands = self.dag.operands_of(node);
            if node.is_isd(isd::COPY_FROM_REG) {
                let reg = operands[1].as_register().expect("CopyFromReg names a register");
                if reg.is_physical() || !VERSIONS.emitter.glue_reads_physical_only {
                    glued.reads.push(reg);
                }
            } else if node.is_machine() {
                let desc = self.target.desc(self.host, node.opcode);
                glued.reads.extend(self.target.implicit_uses(desc));
                let registers = operands.iter().filter_map(|op| op.as_register());
                glued.reads.extend(registers.filter(|reg| reg.is_physical()));
            }
        }
        0
    }
}

/// What the nodes of a chain of glue read, the last chain that was asked for: nodes are emitted in the order of their
/// chain, so each chain is read once. LLVM reads it anew for each of its nodes, and there are as many as a `brx` has
/// targets.
#[derive(Default)]
pub(super) struct GluedReads {
    chain: Vec<Link>,
    reads: Vec<Register>,
    /// Where the last one was found.
    at: usize,
}

struct Link {
    node: u32,
    /// Of this node and those behind it, in [`GluedReads::reads`].
    first_read: usize,
}

impl GluedReads {
    pub(super) fn clear(&mut self) {
        self.chain.clear();
        self.reads.clear();
        self.at = 0;
    }
    /// The position of `node` in the chain, at the last one asked for or behind it.
    fn find(&mut self, node: u32) -> Option<usize> {
        let ahead = self.chain[self.at..].iter().position(|link| link.node == node)?;
        self.at += ahead;
        Some(self.at)
    }
}
