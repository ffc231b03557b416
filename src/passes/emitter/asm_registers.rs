//! Lets inline assembly use the registers that hold its values anyway, without copies (requirements
//! E12 and E13, default profile).
//!
//! Problem. On NVPTX inline assembly has more results than any other node: mma, wgmma, ldmatrix and
//! texture fetches often come as such. Selection gives it registers of its own. A CopyToReg that is
//! glued to it fills each operand, and a CopyFromReg glued after it reads each result. So each
//! operand and each result costs a COPY. At -O0 the COPY stays; otherwise the coalescer has to join
//! it.
//!
//! Algorithm. These registers are renamed:
//! * Operands (E12). The value of a CopyToReg that is glued to the assembly already is in a
//!   register. If that register has the same class, the assembly reads it, and no COPY is made.
//! * Results (E13). The CopyFromRegs glued after the assembly are walked in order. Each gets the
//!   register that a CopyToReg of its value wants, as any result does by requirement E5, if that
//!   has the same class.
//!
//! This is sound because both registers have one def, and only the glued nodes name the register
//! that is replaced. The latter follows from how LLVM makes these nodes; it is checked at the end
//! of the function (`Emitter::check_replaced`). Other blocks read the results of an INLINEASM_BR,
//! and LLVM looks for its copies there: they stay.
//!
//! Source: the reference description of CICC 13.0's instruction emitter, "bit 36" and "Multi-Result
//! SDNode Self-Recursion". Deviation: the description speaks of texture nodes, which in LLVM have
//! no glue and no copies (errata 1). Complexity: linear in the nodes that are glued to the
//! assembly.

use super::block::{BlockEmitter, Repetition};
use super::host::EmitterHost;
use crate::mir::dag::ids::NodeId;
use crate::mir::dag::node::{isd, Node};
use crate::mir::Register;

impl<H: EmitterHost> BlockEmitter<'_, H> {
    /// Lets the assembly that `node`, a CopyToReg of `src` to `dst`, is glued to read `src`.
    /// Returns false if a COPY is needed.
    pub(super) fn give_to_asm(
        &mut self,
        node: &Node,
        dst: Register,
        src: Register,
        repetition: Repetition,
    ) -> bool {
        let is_given = self.settings.glue_consumers
            && repetition == Repetition::Once
            && self.is_glued_to_asm(node)
            && self.have_same_class(dst, src);
        if is_given {
            self.buffers.asm.rename(dst, src);
            self.counts.glue_consumers += 1;
        }
        is_given
    }

    /// Gives the results of inline assembly the registers that the CopyToRegs of their values want.
    pub(super) fn put_asm_results(&mut self, node: &Node, repetition: Repetition) {
        if !self.settings.direct_results || repetition != Repetition::Once || node.is_isd(isd::INLINEASM_BR) {
            return;
        }
        let mut next = node.glued_user;
        while let Some(id) = next.get() {
            let copy = &self.dag.nodes[id];
            if !copy.is_isd(isd::COPY_FROM_REG) {
                return;
            }
            let reg = self.dag.operands_of(copy)[1].as_register().expect("CopyFromReg names a register");
            let value = self.dag.value_of(copy, 0);
            let copies = self.dag.copies_of(copy).iter().filter(|copy| copy.value == value);
            let wanted = copies.map(|copy| copy.reg).find(|&dst| self.have_same_class(reg, dst));
            if let Some(wanted) = wanted.filter(|_| self.buffers.asm.now(reg) == reg) {
                self.buffers.asm.rename(reg, wanted);
                self.counts.direct_results += 1;
            }
            next = copy.glued_user;
        }
    }

    fn have_same_class(&self, a: Register, b: Register) -> bool {
        a.is_virtual() && b.is_virtual() && self.host.class_of(a) == self.host.class_of(b)
    }

    /// Whether the chain of glue after `node` leads to inline assembly. Each chain is walked once.
    fn is_glued_to_asm(&mut self, node: &Node) -> bool {
        let Some(next) = node.glued_user.get() else { return false };
        let here = self.dag.operands_of(node).last().filter(|op| op.is_glue()).is_some();
        let known = self.buffers.asm.chain.filter(|&(id, _)| here && std::ptr::eq(&self.dag.nodes[id], node));
        let is_asm = known.map_or_else(|| self.comes_to_asm(next), |(_, is_asm)| is_asm);
        self.buffers.asm.chain = Some((next, is_asm));
        is_asm
    }

    fn comes_to_asm(&self, first: NodeId) -> bool {
        let chain = std::iter::successors(Some(first), |&id| self.dag.nodes[id].glued_user.get());
        let mut rest = chain.map(|id| &self.dag.nodes[id]).skip_while(|node| node.is_isd(isd::COPY_TO_REG));
        rest.next().is_some_and(|node| node.is_isd(isd::INLINEASM) || node.is_isd(isd::INLINEASM_BR))
    }
}
