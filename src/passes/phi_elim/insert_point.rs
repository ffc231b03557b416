//! Where in a predecessor the copy for a PHI goes: behind the def of its source and before control may leave
//! the block for the PHI's.

use super::pass::{Pred, Walk};
use crate::llvm::{MachineBasicBlock, MachineInstr};
use crate::mir::{InstrKind, Register};
use crate::versions::VERSIONS;

/// A block with PHIs, as its predecessors have to know it.
#[derive(Clone, Copy)]
pub(super) struct Target<'f> {
    pub(super) block: MachineBasicBlock<'f>,
    /// Control comes from a call.
    is_eh_pad: bool,
    /// Control comes from an INLINEASM_BR, maybe.
    is_asm_br_target: bool,
}

impl<'f> Target<'f> {
    pub(super) fn new(block: MachineBasicBlock<'f>) -> Self {
        Target { block, is_eh_pad: block.is_eh_pad(), is_asm_br_target: block.is_asm_br_target() }
    }

    /// Whether control may leave `pred` for it ahead of the terminators.
    fn may_be_left_early(self, pred: MachineBasicBlock<'f>) -> bool {
        let has_asm_br = || backwards(pred).any(|mi| mi.kind() == InstrKind::InlineAsmBr);
        self.is_eh_pad
            || self.is_asm_br_target && (!VERSIONS.phi_elim.asm_br_must_be_in_predecessor || has_asm_br())
    }
}

/// The instructions of `block` from the last to the first.
fn backwards<'f>(block: MachineBasicBlock<'f>) -> impl Iterator<Item = MachineInstr<'f>> {
    std::iter::successors(block.last(), |mi| mi.prev())
}

impl<'f> Walk<'_, 'f> {
    /// What a copy of `src` at the end of `from` for a PHI of `target` is inserted before; `None` is the end.
    pub(super) fn insert_point(
        &self,
        from: Pred<'f>,
        target: Target<'f>,
        src: Register,
    ) -> Option<MachineInstr<'f>> {
        let pred = from.block;
        if !target.may_be_left_early(pred) {
            return from.first_terminator;
        }
        // Right before the call or INLINEASM_BR, or right behind the def where that is later.
        let defs: Vec<_> = self.mf.defs(src).filter(|def| def.block() == pred).collect();
        let mut before = pred.first();
        for mi in backwards(pred) {
            if defs.contains(&mi) {
                before = mi.next();
                break;
            }
            let leaves = target.is_eh_pad && mi.properties().is_call() || mi.kind() == InstrKind::InlineAsmBr;
            if leaves {
                before = Some(mi);
                break;
            }
        }
        pred.skip_phis_and_labels(before)
    }
}
