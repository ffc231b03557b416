//! Gives affinity hints for the second and later pairs of a group that is taken apart (requirement T7).
//!
//! **Problem.** A texture load, `mma` or `wgmma` writes many registers that hold one value, or reads them. Once
//! each has a COPY of its own nothing says so any more. **Algorithm.** In front of the rewriting the pairs of
//! the group are gone through in the order of their components; a pair whose destination is adjacent to that of
//! the pair before gets a hint. What adjacent means depends on the group:
//!
//! * tied results of one instruction: no other result is between them, and they are of one class;
//! * REG_SEQUENCE: the parts of its register follow each other bit by bit. It is the sources that become
//!   neighbours;
//! * EXTRACT_SUBREG with several pairs: the parts of one source follow each other.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "earlyTied Optimization Detail". **Our deviation.**
//! Erratum 6, see [`crate::passes::affinity`]. **Complexity.** O(n log n) in the operands.

use super::host::TwoAddressHost;
use super::walk::{TwoAddress, Walk};
use crate::mir::Register;
use crate::passes::function::InstrHandle;
use std::ops::Range;

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Gives hints on the tied pairs that are about to get COPYs.
    pub(super) fn hint_tied_results(&mut self) {
        let host = self.host;
        let TwoAddress { tied, hints, results, .. } = &mut *self.b;
        results.clear();
        results.extend(tied.all_pairs().map(|pair| pair.dst));
        results.sort_unstable();
        let mut wanted = results.iter().copied().peekable();
        let mut previous: Option<Register> = None;
        for (index, op) in tied.operands.iter().enumerate().filter(|(_, op)| op.is_def()) {
            if wanted.peek().is_none() {
                break;
            }
            // A result that gets no COPY parts those on its two sides.
            let reg = wanted.next_if_eq(&index).map(|_| op.reg());
            if let (Some(previous), Some(reg)) = (previous, reg) {
                if is_same_class(host, previous, reg) {
                    hints.add_neighbours(previous, reg);
                }
            }
            previous = reg;
        }
    }

    /// Gives hints on the pairs (register, sub-register index) of a REG_SEQUENCE.
    pub(super) fn hint_reg_sequence(&mut self, mi: H::Instr) {
        let pairs = (1..mi.num_operands()).step_by(2);
        self.hint_parts(pairs.map(|i| {
            let op = mi.operand(i);
            ((!op.is_undef() && op.subreg() == 0).then_some(op.reg()), mi.operand(i + 1).imm_low())
        }));
    }

    /// Gives hints on the pairs (def, use) of an EXTRACT_SUBREG.
    pub(super) fn hint_extract_subreg(&mut self, mi: H::Instr) {
        let source = mi.operand(1).reg();
        let pairs = (0..mi.num_operands()).step_by(2);
        self.hint_parts(pairs.map(|i| {
            let (def, part) = (mi.operand(i), mi.operand(i + 1));
            ((part.reg() == source).then_some(def.reg()), part.subreg())
        }));
    }

    /// Gives hints on registers that hold parts of one register, each with its part; none in place of one that does not count.
    fn hint_parts(&mut self, parts: impl Iterator<Item = (Option<Register>, u32)>) {
        let mut previous: Option<(Register, u32)> = None;
        for (reg, subreg) in parts {
            let bits = (subreg != 0).then(|| self.host.subreg_bits(subreg)).flatten();
            if let (Some((previous, end)), Some(reg), Some(Range { start, .. })) = (previous, reg, &bits) {
                if end == *start {
                    self.b.hints.add_neighbours(previous, reg);
                }
            }
            previous = reg.zip(bits.map(|bits| bits.end));
        }
    }
}

fn is_same_class<H: TwoAddressHost>(host: H, a: Register, b: Register) -> bool {
    a.is_virtual() && b.is_virtual() && host.is_same_class(a, b)
}
