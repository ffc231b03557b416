//! Emits a missed remark for every COPY that an instruction forces (requirement T9).
//!
//! **Problem.** A COPY that the coalescer cannot remove costs a move at run time; authors of inline
//! assembly and of intrinsics with tied results want to know where and why. **Algorithm.** One
//! remark for each remaining pair, before the instruction and its kill flags change. One for each
//! part of a REG_SEQUENCE or EXTRACT_SUBREG, after its COPY is made. One for each INSERT_SUBREG
//! that becomes a COPY.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "OptimizationRemarkEmitter
//! integration", and erratum 7. LLVM has no such remark. **Complexity.** One query to LLVM for a
//! function if remarks are not wanted; otherwise linear in the pairs, and in the instruction's
//! text: once for the tied pairs of an instruction, once for each part.

use super::host::TwoAddressHost;
use super::tied_operands::TiedPair;
use super::walk::Walk;
use crate::mir::Operand;
use crate::passes::function::InstrHandle;
use crate::versions::VERSIONS;

/// The number of characters shown of an instruction. One with hundreds of operands may get a remark
/// for each.
const MAX_TEXT_CHARS: usize = 160;

/// Why there is a COPY. It gives the name of the remark, and the words between the registers and
/// the instruction.
#[derive(Clone, Copy)]
enum Cause {
    Tied,
    Part,
}

impl Cause {
    fn name_and_words(self) -> (&'static str, &'static str) {
        match self {
            Cause::Tied => ("TiedOperandCopy", ", as both are tied in '"),
            Cause::Part => ("SubRegisterCopy", ", which is a part of '"),
        }
    }
}

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Emits remarks on the pairs of `mi` that are about to get COPYs.
    pub(super) fn remark_copies(&self, mi: H::Instr) {
        let text = shortened(self.host.text(mi));
        for TiedPair { src, dst } in self.b.tied.all_pairs() {
            let (from, to) = (self.b.tied.operands[src], self.b.tied.operands[dst]);
            if from.reg() == to.reg() {
                continue;
            }
            let names = [from, to].map(|op| self.host.reg_text(op));
            self.remark(mi, Cause::Tied, names, text.clone(), self.reason(mi, src));
        }
    }

    /// Emits a remark on `copy`, the COPY of one part of `mi`, if remarks are wanted.
    pub(super) fn remark_part(&self, mi: H::Instr, copy: H::Instr) {
        if self.options.wants_remarks {
            let [to, from] = [0, 1].map(|index| copy.operand(index));
            self.remark_sub_register(mi, from, self.host.reg_text(to));
        }
    }

    /// Emits a remark on `mi`, an INSERT_SUBREG that is about to become a COPY, if remarks are
    /// wanted.
    pub(super) fn remark_insert_subreg(&self, mi: H::Instr) {
        if self.options.wants_remarks {
            let to = mi.operand(0).of_part(mi.operand(3).imm_low());
            self.remark_sub_register(mi, mi.operand(2), self.host.reg_text(to));
        }
    }

    fn remark_sub_register(&self, mi: H::Instr, from: Operand, to: String) {
        let ends = self.use_is_killed(mi, from);
        let reason = self.reason_of_source(ends);
        self.remark(mi, Cause::Part, [self.host.reg_text(from), to], shortened(self.host.text(mi)), reason);
    }

    fn remark(&self, mi: H::Instr, cause: Cause, [from, to]: [String; 2], text: String, reason: &str) {
        let (name, words) = cause.name_and_words();
        let parts = [
            ("", "Function: ".to_owned()),
            ("Function", self.host.name()),
            ("", ": COPY of ".to_owned()),
            ("From", from),
            ("", " to ".to_owned()),
            ("To", to),
            ("", words.to_owned()),
            ("Instruction", text),
            ("", "': ".to_owned()),
            ("Reason", reason.to_owned()),
        ];
        self.host.emit_missed(mi, name, &parts);
    }

    fn reason(&self, mi: H::Instr, src: usize) -> &'static str {
        let reg = self.b.tied.operands[src].reg();
        let ends = self.is_plainly_killed(mi, reg);
        if self.options.optimize && ends && self.b.tied.uses_of(reg).count() > 1 {
            "the instruction reads the source in another operand too"
        } else {
            self.reason_of_source(ends)
        }
    }

    fn reason_of_source(&self, ends: bool) -> &'static str {
        match (self.options.optimize, ends) {
            (false, _) => "optimisation is off",
            (true, false) if !VERSIONS.has_variables && self.lis.is_none() => {
                "the source may be read again later, so coalescing decides"
            }
            (true, false) => "the source is read again later",
            (true, true) => "the source ends here, so coalescing may join both",
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
