//! Turns a pack of an unpacked value into a COPY.
//!
//! **Problem.** `mov.b64 {%r1, %r2}, %rd1` takes a register apart, and `mov.b64 %rd2, {%r1, %r2}`
//! puts the halves together again. Where nothing has changed them between, that is a copy of
//! `%rd1`.
//!
//! **Algorithm.** The values that the pack reads must come from unpacks of one value of one
//! register, each half from its own place. That register must still have the value at the pack. The
//! pack becomes a COPY, which the worklist then joins, and the ranges of the halves are shrunk.
//!
//! **Source.** The reference description of CICC 13.0's register coalescing, "Sub-Register
//! Handling". In SSA form, [`crate::stages::wide_phis`] does the same and more.
//!
//! **Complexity.** A lookup in the ranges of each half.

use super::families::Families;
use crate::mir::{InstrId, InstrKind, VRegId, ValueNo};
use crate::nvptx::moves::{Family, Move};
use crate::passes::coalescer::code::Place;
use crate::passes::coalescer::host::{CoalescerHost, Edit};
use crate::passes::coalescer::Coalescing;

/// Makes a pack a COPY if it reassembles an unpacked value. Returns whether it is a COPY now.
pub fn attempt<H: CoalescerHost>(c: &mut Coalescing<'_, H>, families: Families, pack: InstrId) -> bool {
    let Some(wide) = unpacked(c, families, pack) else { return false };
    let (slot, block, flags) = (c.code.slot(pack), c.code.block(pack), c.code.flags(pack).to_copy());
    let place = |index| Place { instr: pack, index };
    let halves: Vec<VRegId> = c.code.operands(pack).skip(1).filter_map(|op| op.reg().vreg()).collect();
    let whole = c.code.operand(place(1)).renamed(wide.into()).with_kill(false);
    let operands = [c.code.operand(place(0)), whole];
    for index in (2..c.code.num_operands(pack)).rev() {
        c.host.edit(Edit::RemoveOperand(place(index)));
    }
    c.host.edit(Edit::Mark(place(1), wide));
    c.host.edit(Edit::MoveMarked(halves[0]));
    c.host.edit(Edit::SetKind(pack, InstrKind::Copy));
    c.host.edit(Edit::ClearKills(wide));
    c.code.set_instr(pack, slot, block, flags, &operands);
    c.note_copy(pack);
    if let Some(dst) = operands[0].reg().vreg() {
        c.ranges.touch(dst);
    }
    halves.into_iter().for_each(|half| c.update_later(half));
    true
}

/// Finds the register that holds the value that `pack` reassembles.
fn unpacked<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
    pack: InstrId,
) -> Option<VRegId> {
    let of = families.of(c.host, pack)?;
    let num_parts = c.code.num_operands(pack) - 1;
    let mut found: Option<(VRegId, ValueNo)> = None;
    for part in 0..num_parts {
        let op = c.code.operand(Place { instr: pack, index: part + 1 });
        if op.is_undef() {
            return None;
        }
        let (reg, at) = (op.reg().vreg()?, c.code.slot(pack));
        let range = c.ranges.get(reg);
        let unpack = c.slots.def_instr(range.def(range.query(at).value_in()?))?;
        let wide = unpacked_part(c, families, unpack, reg, part, num_parts, of)?;
        let value = c.ranges.get(wide).query(c.code.slot(unpack)).value_in()?;
        if c.ranges.get(wide).query(at).value_in() != Some(value) || found.is_some_and(|f| f != (wide, value))
        {
            return None;
        }
        found = Some((wide, value));
    }
    let (wide, _) = found?;
    let dst = c.code.operand(Place { instr: pack, index: 0 }).reg().vreg()?;
    let class = c.class(dst);
    (class == c.class(wide) && Move::bank_participates(of.bits)).then_some(wide)
}

/// Returns the register whose part `part` the instruction `unpack` puts into `reg`. `None` unless
/// that part fits `of`, a pack of `num_parts` parts.
fn unpacked_part<H: CoalescerHost>(
    c: &mut Coalescing<'_, H>,
    families: Families,
    unpack: InstrId,
    reg: VRegId,
    part: u32,
    num_parts: u32,
    of: Move,
) -> Option<VRegId> {
    let family = families.of(c.host, unpack).filter(|unpack| unpack.bits == of.bits)?.family;
    let (num_defs, index) = match family {
        Family::Unpack(num) if u32::from(num) == num_parts => (num_parts, part),
        Family::Half(number) if num_parts == 2 && u32::from(number) == part => (1, 0),
        _ => return None,
    };
    let place = |index| Place { instr: unpack, index };
    if c.code.num_operands(unpack) != num_defs + 1 || c.code.operand(place(index)).reg() != reg.into() {
        return None;
    }
    let source = c.code.operand(place(num_defs));
    if source.is_undef() {
        return None;
    }
    source.reg().vreg()
}
