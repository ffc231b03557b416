//! Gives affinity hints on registers that hold the components of one value (requirement T7).
//!
//! **Problem.** A wide load, a texture load, `mma` or `wgmma` writes many registers that hold one
//! value, or reads them. The coalescer sees registers, all alike. **Algorithm.** The walk reaches
//! each instruction before its ties are rewritten. It visits the operands of one value in order.
//! The second and each later one gets the hint that it is next to the previous one.
//!
//! * Results: those of an instruction that has several, tied or not. Neighbours are of one class,
//!   so the predicate of a `shfl` is not one.
//! * Operands that are read: of an instruction whose results are such neighbours (`mma`, `tex`,
//!   unpacks, inline assembly), of a store, of a pack, and of inline assembly without a result.
//!   Operands side by side and of one class are neighbours. A tied one is not; its result is.
//! * REG_SEQUENCE: the parts of its register follow each other without gaps. The sources become
//!   neighbours.
//! * EXTRACT_SUBREG with several pairs: the parts of one source follow each other.
//!
//! **Source.** The description of CICC's Two-Address Instruction Pass, "earlyTied Optimization
//! Detail". **Our deviation.** Erratum 6, see [`crate::passes::affinity`]. The operands of an `mma`
//! are its fragments in sequence, and only the assembly text says where one ends. So the last
//! register of a fragment and the first of the next are neighbours, too. **Complexity.** Linear in
//! the operands of such instructions; one query to LLVM for each pair of registers.

use super::host::{InstrFacts, TwoAddressHost};
use super::walk::{TwoAddress, Walk};
use crate::mir::{InstrKind, Operand, Register};
use crate::passes::affinity::AffinityHints;
use crate::passes::function::InstrHandle;
use std::ops::Range;

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Gives hints on the results of an instruction that has several, and on the operands that it
    /// reads as one value.
    pub(super) fn hint_vectors(&mut self, mi: H::Instr, facts: &InstrFacts<H::Instr>) {
        let is_asm = facts.kind.is_inline_asm();
        if !is_asm && facts.kind != InstrKind::Other {
            return;
        }
        let is_reader = !facts.has_several_results && self.is_vector_reader(mi, facts);
        if !facts.has_several_results && !is_reader {
            return;
        }
        let host = self.host;
        let TwoAddress { operands, hints, .. } = &mut *self.b;
        mi.read_operands(operands);
        let explicit = || operands.iter().copied().take_while(|op| !op.is_implicit());
        // A flag word precedes each operand of inline assembly. It does not separate neighbours.
        let regs = || explicit().filter(|op| !is_asm || op.is_reg());
        let result = |op: Operand| (op.is_def() && op.is_whole()).then(|| op.reg());
        let writes_vector = add_run(host, hints, regs().filter(|op| op.is_def()).map(result));
        if is_reader || writes_vector {
            let read = |op: Operand| (op.reads_whole() && !op.is_tied()).then(|| op.reg());
            add_run(host, hints, regs().filter(|op| !op.is_def()).map(read));
        }
    }

    /// Whether an instruction without several results reads the components of one value.
    fn is_vector_reader(&mut self, mi: H::Instr, facts: &InstrFacts<H::Instr>) -> bool {
        if facts.kind.is_inline_asm() {
            return !facts.has_result;
        }
        let (readers, index) = (&mut self.b.vector_readers, facts.opcode as usize);
        if index >= readers.len() {
            readers.resize(index + 1, None);
        }
        *readers[index].get_or_insert_with(|| self.host.reads_vector(mi))
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

    /// Gives hints on registers that hold parts of one register, each with its sub-register index.
    /// `None` stands for a register that does not count.
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

/// Makes each register a neighbour of the previous one, if both are of one class. `None` stands for
/// an operand that does not count. Returns whether there are any neighbours.
fn add_run<H: TwoAddressHost>(
    host: H,
    hints: &mut AffinityHints,
    regs: impl Iterator<Item = Option<Register>>,
) -> bool {
    let (mut previous, mut found) = (None, false);
    for reg in regs {
        if let (Some(previous), Some(reg)) = (previous, reg) {
            if host.is_same_class(previous, reg) {
                hints.add_neighbours(previous, reg);
                found = true;
            }
        }
        previous = reg;
    }
    found
}
