//! Copies of constants become immediate moves.
//!
//! **Problem.** A constant that many registers begin with, the zero of all accumulators, sits in one register that
//! is copied to the others: it lives long, and none of these copies can be joined. This is most of what the
//! standard coalescer leaves.
//!
//! **Algorithm.** Of each copy, in the order of the code: if the value that it copies is defined by an immediate
//! move, it becomes such a move itself, and the range of the constant is cut. A constant that nobody reads any
//! more is erased. A copy at the end of a predecessor is what was the operand of a PHI: the constant is then made on
//! the edge.
//!
//! **Source.** Row C9. LLVM does it (`reMaterializeTrivialDef`) where the target says that the instruction is
//! rematerialisable, which NVPTX says of none. **Deviation** from nothing: constants that are read by other
//! instructions stay as they are.
//!
//! **Complexity.** Linear in the entries and in the readers of constants, whose ranges are cut once at the end. Where debug values name a
//! constant, each of its copies costs its readers.

use super::families::Families;
use super::Counts;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::Register;
use crate::nvptx::moves::Family;
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;

/// Does it to the copies of a function.
pub fn run<H: CoalescerHost>(c: &mut Coalescing<'_, H>, families: &mut Families, counts: &mut Counts) {
    let mut constants = Vec::new();
    for entry in 0..c.slots.num_entries() {
        let Some(copy) = c.copy_at(entry) else { continue };
        counts.copies_seen += 1;
        let (dst, src) = c.code.copy_regs(copy);
        if !dst.is_virtual() || !src.is_virtual() {
            continue;
        }
        let reg = src.virt_index() as u32;
        let Some(def) = constant_at(c, families, reg, SlotIndex(entry << 2)) else { continue };
        let class = c.class(reg);
        if c.class(dst.virt_index() as u32) != class {
            continue;
        }
        c.update_later(reg);
        c.compute_again(def, reg, dst, Some(class), copy);
        counts.immediates += 1;
        constants.push(reg);
    }
    c.late_updates();
    constants.sort_unstable();
    constants.dedup();
    counts.constants_erased += constants.iter().filter(|&&reg| c.code.is_unnamed(reg)).count() as u64;
}

/// The immediate move that defines the value that `reg` has before `at`, if that is what does.
fn constant_at<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: &mut Families,
    reg: u32,
    at: SlotIndex,
) -> Option<u32> {
    let range = c.ranges.get(reg);
    let slot = range.values[range.query(at).value_in()? as usize];
    let def = c.slots.instr_at(slot).filter(|_| !slot.is_block())?;
    is_constant(c, families, def, reg).then_some(def)
}

/// Whether `instr` is an immediate move to `reg`, which may be repeated.
pub fn is_constant<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: &mut Families,
    instr: u32,
    reg: u32,
) -> bool {
    // The one def that it has is of `reg`; it reads no register.
    let mut registers = c.code.operands(instr).filter(|op| op.is_reg());
    let is_only = registers.next().is_some_and(|op| op.is_def() && op.reg() == Register::virt(reg));
    if !is_only || registers.next().is_some() || c.code.is_copy(instr) || c.code.is_implicit_def(instr) {
        return false;
    }
    // LLVM takes some for instructions with effects (LOAD_CONST_F16): these are not repeated.
    let is_immediate = families.of(c.host, instr).is_some_and(|of| of.family == Family::Immediate);
    is_immediate && c.host.properties(instr).is_safe_to_move
}
