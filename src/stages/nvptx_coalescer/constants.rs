//! Makes copies of constants immediate moves.
//!
//! **Problem.** A constant that many registers begin with, such as the zero of all accumulators, is kept in one register that
//! is copied to the others. It is live for long, and none of these copies can be joined. They are most of the copies that
//! the standard coalescer leaves.
//!
//! **Algorithm.** Copies are visited in the order of the code. If an immediate move defines the value that a copy copies, the
//! copy becomes such a move too, and the range of the constant is shrunk. A constant that nothing reads any more is erased.
//! A copy at the end of a predecessor was the operand of a PHI: the constant is then made on the edge.
//!
//! **Source.** Requirement C9. LLVM does this (`reMaterializeTrivialDef`) where the target says that an instruction is
//! rematerialisable, which NVPTX says of none. Constants that other instructions read stay as they are.
//!
//! **Complexity.** Linear in the entries and in the readers of constants, whose ranges are shrunk once at the end. Where debug
//! values name a constant, each of its copies takes time linear in its readers.

use super::budget::Account;
use super::counts::Counts;
use super::families::Families;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrId, Register, VRegId};
use crate::nvptx::moves::Family;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;

/// Makes the copies of constants in a function immediate moves.
pub fn run<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
    account: &mut Account,
    counts: &mut Counts,
) {
    let mut constants = Vec::new();
    for at in c.slots.all() {
        let Some(copy) = c.copy_at(at) else { continue };
        counts.copies_seen += 1;
        let Some((dst, src)) = c.code.copy_vregs(copy) else { continue };
        let Some(def) = constant_at(c, families, src, at) else { continue };
        let class = c.class(src);
        if c.class(dst) != class || !account.try_copy(copy) || !account.may_remove(copy) {
            continue;
        }
        account.note_removed(1);
        c.update_later(src);
        c.replace_by_computation(def, src, dst.into(), Some(class), copy);
        counts.immediates += 1;
        constants.push(src);
    }
    c.late_updates();
    constants.sort_unstable();
    constants.dedup();
    counts.constants_erased += constants.iter().filter(|&&reg| c.code.is_unnamed(reg)).count() as u64;
}

/// Finds the immediate move that defines the value that `reg` has before `at`.
fn constant_at<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
    reg: VRegId,
    at: SlotIndex,
) -> Option<InstrId> {
    let range = c.ranges.get(reg);
    let def = c.slots.def_instr(range.def(range.query(at).value_in()?))?;
    is_constant(c, families, def, reg).then_some(def)
}

/// Whether `instr` is an immediate move to `reg` that may be repeated.
pub fn is_constant<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
    instr: InstrId,
    reg: VRegId,
) -> bool {
    // Its only def is of `reg`; it reads no register.
    let mut registers = c.code.operands(instr).filter(|op| op.is_reg());
    let is_only = registers.next().is_some_and(|op| op.is_def() && op.reg() == Register::from(reg));
    if !is_only || registers.next().is_some() || c.code.is_copy(instr) || c.code.is_implicit_def(instr) {
        return false;
    }
    // LLVM says of some that they have effects (LOAD_CONST_F16): these are not repeated.
    let is_immediate = families.of(c.host, instr).is_some_and(|of| of.family == Family::Immediate);
    is_immediate && c.host.is_safe_to_move(instr)
}
