//! A missed remark for every COPY that a tied operand forces (row T9).
//!
//! **Problem.** A COPY that the coalescer cannot remove costs a move at run time; who writes inline assembly or
//! intrinsics with tied results wants to know where and why. **Algorithm.** In front of the rewriting, while
//! instruction and kill flags are still those that forced it, one remark for each pair that is left.
//!
//! **Source.** two-address-instruction.txt, "OptimizationRemarkEmitter integration"; errata 7. Upstream has no
//! such remark. **Complexity.** One question to LLVM for a function if nobody asks; otherwise linear in the
//! pairs, and in the instruction's text once.

use super::Walk;
use crate::llvm::{MachineInstr, Remark, RemarkKind};
use crate::mir::Operand;

/// The pass that the remarks are of.
pub(super) const PASS: &str = "twoaddressinstruction";
const NAME: &str = "TiedOperandCopy";
/// Characters of an instruction that are shown: one with hundreds of operands has a remark for each.
const MAX_TEXT: usize = 160;

impl<'f> Walk<'_, 'f> {
    /// On the pairs of `mi` that are about to get COPYs.
    pub(super) fn remark_copies(&self, mi: MachineInstr<'f>) {
        let text = shortened(mi.text());
        for (src, dst) in self.b.tied.all_pairs() {
            let operands = &self.b.tied.operands;
            if operands[src].reg() == operands[dst].reg() {
                continue;
            }
            let name = |op: Operand| self.mf.reg_text(op.reg(), op.subreg());
            let parts = [
                ("", "Function: ".to_owned()),
                ("Function", self.mf.name().into_owned()),
                ("", ": COPY of ".to_owned()),
                ("From", name(operands[src])),
                ("", " to ".to_owned()),
                ("To", name(operands[dst])),
                ("", ", as both are tied in '".to_owned()),
                ("Instruction", text.clone()),
                ("", "': ".to_owned()),
                ("Reason", self.reason(mi, src).to_owned()),
            ];
            let remark = Remark { kind: RemarkKind::Missed, pass: PASS, name: NAME, parts: &parts };
            remark.emit_at(self.block, mi);
        }
    }

    fn reason(&self, mi: MachineInstr<'f>, src: usize) -> &'static str {
        let reg = self.b.tied.operands[src].reg();
        if !self.run.optimize {
            "optimisation is off"
        } else if !self.is_plainly_killed(mi, reg) {
            "the source is read again later"
        } else if self.b.tied.uses_of(reg).count() > 1 {
            "the instruction reads the source in another operand too"
        } else {
            "the source ends here, so coalescing may join both"
        }
    }
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(MAX_TEXT) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
