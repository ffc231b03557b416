//! Keeps LLVM's LiveIntervals up to date while PHIs and tied operands become copies, and answers
//! the passes' queries.
//!
//! **Problem.** With `-early-live-intervals` PHI elimination and two-address run after
//! LiveIntervals. They have to leave it as LLVM's passes do, value by value:
//! `-verify-machineinstrs` and the coalescer read it.
//!
//! **Algorithm.** Each function does what the named code of LLVM does, by the elementary operations
//! of LiveRange and VNInfo. A segment is addressed by its position, which is valid until the range
//! changes.
//!
//! **Source.** `PHIElimination.cpp` and `TwoAddressInstructionPass.cpp`.

use crate::llvm::{LiveIntervals, MachineBasicBlock, MachineInstr, RangeHandle, SlotIndex, ValueHandle};
use crate::mir::{LiveIn, Register, Slot};
use crate::versions::VERSIONS;

const ALL_LANES: u64 = u64::MAX;

/// Tells how `reg` is live at the start of `block` (`LiveIntervals::isLiveInToMBB`, and whether a
/// PHI defines it there).
pub(super) fn live_in<'f>(lis: LiveIntervals<'f>, reg: Register, block: MachineBasicBlock<'f>) -> LiveIn {
    let start = lis.block_start(block);
    match lis.interval(reg).value_at(start) {
        None => LiveIn::No,
        Some(value) if value.def() == start => LiveIn::DefinedAtStart,
        Some(_) => LiveIn::Yes,
    }
}

/// Tells whether the value of `reg` that `mi` reads ends there (`isPlainlyKilled`).
pub(super) fn ends_at<'f>(lis: LiveIntervals<'f>, mi: MachineInstr<'f>, reg: Register) -> bool {
    if reg.is_virtual() {
        return range_ends_at(lis, mi, lis.interval(reg));
    }
    if !VERSIONS.two_address.phys_kills_from_liveness {
        return mi.kills_register(reg);
    }
    let mf = mi.function();
    !mf.is_reserved(reg) && mf.units(reg).into_iter().all(|unit| range_ends_at(lis, mi, lis.unit(unit)))
}

/// `isPlainlyKilled` of a range. An undefined read has no value and no kill flag either.
fn range_ends_at<'f>(lis: LiveIntervals<'f>, mi: MachineInstr<'f>, range: RangeHandle<'f>) -> bool {
    if range.values().next().is_none() {
        return false;
    }
    let read = lis.instr_slot(mi);
    let end = range.first_after(read).map(|segment| segment.end);
    end.is_some_and(|end| !end.is(Slot::Block) && end.same_instr(read))
}

/// Finds the last reader of `reg` in `block`; `None` if it lives on past the block (the start of
/// `rescheduleMIBelowKill`).
pub(super) fn find_kill<'f>(
    lis: LiveIntervals<'f>,
    reg: Register,
    block: MachineBasicBlock<'f>,
) -> Option<MachineInstr<'f>> {
    let range = lis.interval(reg);
    let end = lis.block_end(block).prev();
    let next = range.find(end);
    if next < range.num_segments() && range.segment(next).start.is_before(end) {
        return None;
    }
    lis.instr_at(range.segment(next - 1).end)
}

/// Makes `reg` live from the start of `block` to `copy` (PHI elimination, the incoming register).
pub(super) fn add_incoming<'f>(
    lis: LiveIntervals<'f>,
    reg: Register,
    block: MachineBasicBlock<'f>,
    copy: MachineInstr<'f>,
) {
    let start = lis.block_start(block);
    let end = lis.instr_slot(copy).at(Slot::Register);
    let range = if VERSIONS.phi_elim.updates_sub_ranges && lis.has_interval(reg) {
        lis.interval(reg)
    } else {
        lis.create_empty_interval(reg)
    };
    let value = range.value_at(start).unwrap_or_else(|| range.next_value(lis, start));
    range.add_segment(start, end, value);
}

/// Makes `copy` the def of `reg`, which a PHI defined at the start of `block` (PHI elimination, the
/// destination).
pub(super) fn phi_def_to_copy<'f>(
    lis: LiveIntervals<'f>,
    reg: Register,
    block: MachineBasicBlock<'f>,
    copy: MachineInstr<'f>,
) {
    let start = lis.block_start(block);
    let def = lis.instr_slot(copy).at(Slot::Register);
    for range in phi_elim_ranges(lis, reg) {
        move_phi_def(lis, range, start, def);
    }
}

/// Moves the def of the value that `range` has from a PHI at `start` to `def`, the slot of the
/// PHI's copy. Copies are in another order than their PHIs, and other copies may come before or
/// after this one. So `def` can be on either side of the segment's start.
fn move_phi_def<'f>(lis: LiveIntervals<'f>, range: RangeHandle<'f>, start: SlotIndex, def: SlotIndex) {
    let Some(segment) = range.first_after(start) else { return };
    let old = if VERSIONS.phi_elim.updates_sub_ranges { segment.start } else { start };
    let value_at = |slot| range.value_at(slot).expect("the range has the PHI's value");
    if range.segment(range.num_segments() - 1).end.is(Slot::Dead) {
        // A dead value: a point at the start, now one at the copy.
        let dead = value_at(old);
        range.remove_segment(old, old.at(Slot::Dead));
        range.create_dead_def(lis, def);
        range.remove_value(dead);
        return;
    }
    if def.is_before(old) {
        range.add_segment(def, old, value_at(old));
    } else if old.is_before(def) {
        range.remove_segment(old, def);
    }
    value_at(def).set_def(def);
}

/// Ends `reg` in `block` at `last` (PHI elimination, a source that ends).
pub(super) fn end_at<'f>(
    lis: LiveIntervals<'f>,
    reg: Register,
    last: MachineInstr<'f>,
    block: MachineBasicBlock<'f>,
) {
    let from = lis.instr_slot(last).at(Slot::Register);
    let end = lis.block_end(block);
    for range in phi_elim_ranges(lis, reg) {
        range.remove_segment(from, end);
    }
}

/// The ranges of `reg` that PHI elimination updates: the main range and, from LLVM 18, the
/// sub-ranges.
fn phi_elim_ranges<'f>(lis: LiveIntervals<'f>, reg: Register) -> Vec<RangeHandle<'f>> {
    let mut ranges = vec![lis.interval(reg)];
    if VERSIONS.phi_elim.updates_sub_ranges {
        ranges.extend(lis.sub_ranges(reg).into_iter().map(|(range, _)| range));
    }
    ranges
}

/// Gives the new `copy` to `dst` a slot and makes `dst` live from it to `mi` (`processTiedPairs`).
/// Returns the slot.
pub(super) fn insert_copy<'f>(
    lis: LiveIntervals<'f>,
    copy: MachineInstr<'f>,
    mi: MachineInstr<'f>,
    dst: Register,
    early_clobber: bool,
) -> SlotIndex {
    let def = lis.insert_in_maps(copy).at(Slot::Register);
    let end = lis.instr_slot(mi).at(if early_clobber { Slot::EarlyClobber } else { Slot::Register });
    let ranges: Vec<RangeHandle> = if dst.is_virtual() {
        let main = lis.interval(dst);
        std::iter::once(main).chain(lis.sub_ranges(dst).into_iter().map(|(range, _)| range)).collect()
    } else {
        mi.function().units(dst).into_iter().filter_map(|unit| lis.cached_unit(unit)).collect()
    };
    for range in ranges {
        let value = range.next_value(lis, def);
        range.add_segment(def, end, value);
    }
    def
}

/// Ends `reg` at the copy in slot `copy` instead of at `mi`, except for the `remaining` lanes
/// (`processTiedPairs`). The main range ends there if every sub-range that is live at the copy
/// does.
pub(super) fn end_at_copy<'f>(
    lis: LiveIntervals<'f>,
    mi: MachineInstr<'f>,
    reg: Register,
    copy: SlotIndex,
    remaining: u64,
) {
    let read = lis.instr_slot(mi);
    let shrink = |range: RangeHandle<'f>, lanes: u64| {
        let Some((index, segment)) = range.containing(copy) else { return true };
        let ends = lanes & remaining == 0 && segment.end.at(Slot::Block) == read;
        if ends {
            range.set_end(index, copy);
        }
        ends
    };
    let mut all_end = true;
    for (range, lanes) in lis.sub_ranges(reg) {
        all_end &= shrink(range, lanes);
    }
    if all_end {
        shrink(lis.interval(reg), ALL_LANES);
    }
}

/// Updates for `mi`, an INSERT_SUBREG that has become a COPY to a part of its register (the end of
/// that case in `runOnMachineFunction`).
pub(super) fn insert_subreg_to_copy<'f>(lis: LiveIntervals<'f>, mi: MachineInstr<'f>) {
    let def = mi.operand(0);
    let reg = def.reg();
    let sub_ranges = lis.sub_ranges(reg);
    if sub_ranges.is_empty() {
        // There is a sub-register def now: compute the interval anew, with sub-ranges.
        lis.remove_interval(reg);
        lis.compute_interval(reg);
        return;
    }
    let defined = mi.function().lane_mask(def.subreg());
    let slot = lis.instr_slot(mi).at(Slot::Register);
    for (range, _) in sub_ranges.into_iter().filter(|(_, lanes)| lanes & defined == 0) {
        // These lanes pass through: the value defined here is the previous one.
        let (index, segment) = range.containing(slot).expect("INSERT_SUBREG defined all lanes");
        if VERSIONS.two_address.insert_subreg_removes_undef_lanes && def.is_undef() {
            range.remove_value(segment.value);
        } else {
            range.merge_value(segment.value, range.segment(index - 1).value);
        }
    }
    lis.shrink_to_uses(reg);
}

/// Moves the values and segments of `from` to `into`; `from` has no interval afterwards
/// (`processStatepoint`).
pub(super) fn merge(lis: LiveIntervals, into: Register, from: Register) {
    let (to, old) = (lis.interval(into), lis.interval(from));
    let values: Vec<ValueHandle> = old.values().map(|value| to.create_value_copy(lis, value)).collect();
    for segment in old.segments() {
        to.add_segment(segment.start, segment.end, values[segment.value.number()]);
    }
    lis.remove_interval(from);
}
