//! Finds the place for a PHI's copy in a predecessor: after the def of its source, and before
//! control may leave for the PHI's block.

use super::host::PhiElimHost;
use super::walk::{Pred, Walk};
use crate::mir::{InstrKind, Register};
use crate::passes::function::{BlockHandle, FunctionHandle, InstrHandle};

/// A block with PHIs, as its predecessors see it.
#[derive(Clone, Copy)]
pub(super) struct PhiBlock<H: FunctionHandle> {
    pub(super) block: H::Block,
    /// Control comes to it from a call.
    is_eh_pad: bool,
    /// Control may come to it from an INLINEASM_BR.
    is_asm_br_target: bool,
}

impl<H: PhiElimHost> PhiBlock<H> {
    pub(super) fn new(host: H, block: H::Block) -> Self {
        PhiBlock { block, is_eh_pad: host.is_eh_pad(block), is_asm_br_target: host.is_asm_br_target(block) }
    }
}

/// Lists the instructions of `block` from the last to the first.
fn backwards<H: FunctionHandle>(block: H::Block) -> impl Iterator<Item = H::Instr> {
    std::iter::successors(block.last(), |mi| mi.prev())
}

impl<H: PhiElimHost, S> Walk<'_, H, S> {
    /// Finds the instruction that a copy of `src` in `from` for a PHI of `target` goes before;
    /// `None` is the end of the block.
    pub(super) fn insert_point(&self, from: Pred<H>, target: PhiBlock<H>, src: Register) -> Option<H::Instr> {
        let (host, pred) = (self.host, from.block);
        if !self.may_be_left_early(pred, target) {
            return from.first_terminator;
        }
        // Right before the call or INLINEASM_BR, or right after the def if that is later.
        let defs: Vec<_> = host.defs(src).filter(|def| def.block() == pred).collect();
        let mut before = pred.first();
        for mi in backwards::<H>(pred) {
            if defs.contains(&mi) {
                before = mi.next();
                break;
            }
            let leaves = target.is_eh_pad && host.is_call(mi) || mi.kind() == InstrKind::InlineAsmBr;
            if leaves {
                before = Some(mi);
                break;
            }
        }
        host.skip_phis_and_labels(pred, before)
    }

    /// Tells whether control may leave `pred` for `target` before the terminators.
    fn may_be_left_early(&self, pred: H::Block, target: PhiBlock<H>) -> bool {
        let has_asm_br = || backwards::<H>(pred).any(|mi| mi.kind() == InstrKind::InlineAsmBr);
        let differences = &self.options.differences;
        target.is_eh_pad
            || target.is_asm_br_target && (!differences.asm_br_must_be_in_predecessor || has_asm_br())
    }
}
