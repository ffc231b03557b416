//! Emits a missed remark for every COPY that a tied operand forces (requirement T9).
//!
//! **Problem.** A COPY that the coalescer cannot remove costs a move at run time; authors of inline
//! assembly and of intrinsics with tied results want to know where and why. **Algorithm.** One remark for each pair that is left, before the
//! instruction and its kill flags change.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "OptimizationRemarkEmitter integration", and erratum 7.
//! LLVM has no such remark. **Complexity.** One question to LLVM for a function if nobody wants remarks; otherwise linear in
//! the pairs, and in the instruction's text once.

use super::host::TwoAddressHost;
use super::tied_operands::TiedPair;
use super::walk::Walk;
use crate::mir::Operand;

const NAME: &str = "TiedOperandCopy";
/// How many characters of an instruction are shown: one with hundreds of operands has a remark for each.
const MAX_TEXT_CHARS: usize = 160;

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Emits remarks on the pairs of `mi` that are about to get COPYs.
    pub(super) fn remark_copies(&self, mi: H::Instr) {
        let text = shortened(self.host.text(mi));
        for TiedPair { src, dst } in self.b.tied.all_pairs() {
            let operands = &self.b.tied.operands;
            if operands[src].reg() == operands[dst].reg() {
                continue;
            }
            let name = |op: Operand| self.host.reg_text(op);
            let parts = [
                ("", "Function: ".to_owned()),
                ("Function", self.host.name()),
                ("", ": COPY of ".to_owned()),
                ("From", name(operands[src])),
                ("", " to ".to_owned()),
                ("To", name(operands[dst])),
                ("", ", as both are tied in '".to_owned()),
                ("Instruction", text.clone()),
                ("", "': ".to_owned()),
                ("Reason", self.reason(mi, src).to_owned()),
            ];
            self.host.emit_missed(mi, NAME, &parts);
        }
    }

    fn reason(&self, mi: H::Instr, src: usize) -> &'static str {
        let reg = self.b.tied.operands[src].reg();
        if !self.options.optimize {
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
    if let Some((end, _)) = text.char_indices().nth(MAX_TEXT_CHARS) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
