//! Binds PHI elimination to LLVM's function.

use super::host::PhiElimHost;
use crate::llvm::{can_split_edge, EdgeSplitter, MachineBasicBlock, MachineInstr, MachineLoop, Run};
use crate::mir::{BlockNumber, Operand, Register, VRegId};

impl<'f> PhiElimHost for Run<'f> {
    type Loop = MachineLoop<'f>;
    type EdgeSplitter = EdgeSplitter<'f>;

    fn num_block_ids(self) -> usize {
        self.mf.num_block_ids()
    }
    fn block_numbered(self, number: BlockNumber) -> MachineBasicBlock<'f> {
        self.mf.block_numbered(number)
    }
    fn phi_operands(self, block: MachineBasicBlock<'f>, out: &mut Vec<Operand>) {
        block.phi_operands(out);
    }
    fn phis(self, block: MachineBasicBlock<'f>) -> impl Iterator<Item = MachineInstr<'f>> {
        block.phis()
    }
    fn is_eh_pad(self, block: MachineBasicBlock<'f>) -> bool {
        block.is_eh_pad()
    }
    fn is_asm_br_target(self, block: MachineBasicBlock<'f>) -> bool {
        block.is_asm_br_target()
    }
    fn first_terminator(self, block: MachineBasicBlock<'f>) -> Option<MachineInstr<'f>> {
        block.first_terminator()
    }
    fn skip_phis_and_labels(
        self,
        block: MachineBasicBlock<'f>,
        from: Option<MachineInstr<'f>>,
    ) -> Option<MachineInstr<'f>> {
        block.skip_phis_and_labels(from)
    }

    fn is_call(self, mi: MachineInstr<'f>) -> bool {
        mi.properties().is_call()
    }
    fn debug_number(self, mi: MachineInstr<'f>) -> Option<u32> {
        mi.debug_number()
    }
    fn add_debug_phi(self, number: u32, block: MachineBasicBlock<'f>, reg: Register) {
        self.mf.add_debug_phi(number, block, reg);
    }

    fn new_reg_like(self, like: Register) -> Register {
        self.mf.new_reg_like(like)
    }
    fn insert_implicit_def(
        self,
        block: MachineBasicBlock<'f>,
        before: Option<MachineInstr<'f>>,
        like: MachineInstr<'f>,
        reg: Register,
    ) -> MachineInstr<'f> {
        block.insert_implicit_def(before, like, reg)
    }
    fn insert_destination_copy(
        self,
        block: MachineBasicBlock<'f>,
        before: Option<MachineInstr<'f>>,
        like: MachineInstr<'f>,
        src: Register,
        dst: Register,
    ) -> MachineInstr<'f> {
        block.insert_phi_destination_copy(before, like, src, dst)
    }
    fn insert_source_copy(
        self,
        block: MachineBasicBlock<'f>,
        before: Option<MachineInstr<'f>>,
        src: Operand,
        dst: Register,
    ) -> MachineInstr<'f> {
        block.insert_phi_source_copy(before, (src.reg(), src.subreg()), dst)
    }
    fn remove_from_block(self, phi: MachineInstr<'f>) {
        phi.remove_from_block();
    }
    fn set_def_dead(self, mi: MachineInstr<'f>) {
        mi.set_dead(0, true);
    }
    fn delete(self, phi: MachineInstr<'f>) {
        self.mf.delete_instr(phi);
    }
    fn insert_in_slots(self, mi: MachineInstr<'f>) {
        if let Some(slots) = self.slots {
            slots.insert_instr(mi);
        }
    }
    fn remove_from_slots(self, mi: MachineInstr<'f>) {
        if let Some(slots) = self.slots {
            slots.remove_instr(mi);
        }
    }
    fn set_no_phis(self) {
        self.mf.set_no_phis();
    }

    fn requires_structured_cfg(self) -> bool {
        self.mf.requires_structured_cfg()
    }
    fn loop_of(self, block: MachineBasicBlock<'f>) -> Option<MachineLoop<'f>> {
        self.loops.and_then(|loops| loops.loop_for(block))
    }
    fn is_header(self, of: MachineLoop<'f>, block: MachineBasicBlock<'f>) -> bool {
        of.is_header(block)
    }
    fn contains(self, outer: MachineLoop<'f>, inner: Option<MachineLoop<'f>>) -> bool {
        outer.contains(inner)
    }
    fn can_split_edge(self, pred: MachineBasicBlock<'f>, succ: MachineBasicBlock<'f>) -> bool {
        can_split_edge(pred, succ, self.loops)
    }
    fn edge_splitter(self) -> EdgeSplitter<'f> {
        EdgeSplitter::new(self.host_pass, self.mf)
    }
    fn split_edge(
        self,
        splitter: &mut EdgeSplitter<'f>,
        pred: MachineBasicBlock<'f>,
        succ: MachineBasicBlock<'f>,
        live_in: Option<&[VRegId]>,
    ) -> bool {
        splitter.split(pred, succ, live_in)
    }
    fn recalculate_dominators(self) {
        self.host_pass.recalculate_dominators(self.mf);
    }
}
