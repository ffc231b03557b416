//! The groups of small loops, and round trips in small functions.

use super::groups::{GroupId, Groups, PartRegs, Source};
use super::parts::{Parts, RoundTrip};
use crate::mir::{BlockNumber, VRegId};
use crate::ssa::testing::{reg, TestFunction};

fn vreg(index: u32) -> VRegId {
    VRegId::from_raw(index)
}

/// The changes that a test makes to [`pipelined_loop`].
struct Changes {
    /// The registers that the PHIs take from the entry.
    from_entry: [u32; 2],
    /// The registers that the PHIs take from the latch.
    from_latch: [u32; 2],
    /// The half that the loop also reads alone.
    reads_alone: Option<u32>,
    /// The halves that the PHIs after the loop take.
    after: [u32; 2],
    /// The width of a half: 16 or 64.
    bits: u32,
}

const UNCHANGED: Changes =
    Changes { from_entry: [1, 2], from_latch: [6, 7], reads_alone: None, after: [3, 4], bits: 16 };

/// A loop, block 1, that carries the halves of registers 0 and 5 as registers 3 and 4. After the
/// loop these are registers 8 and 9.
fn pipelined_loop(changes: &Changes) -> TestFunction {
    let mut f = TestFunction::new(15, 3);
    let (pack, unpack) = match changes.bits {
        16 => ("V2I16toI32", "I32toV2I16"),
        _ => ("V2I64toI128", "I128toV2I64"),
    };
    for reg in 0..15 {
        let is_whole = [0, 5, 10, 11].contains(&reg);
        f.machine.sizes.insert(vreg(reg), if is_whole { 2 * changes.bits } else { changes.bits });
    }
    f.instr("LD_any", &[0], &[]);
    f.instr("LD_any", &[13], &[]);
    f.instr("LD_any", &[14], &[]);
    f.instr(unpack, &[1, 2], &[reg(0)]);
    f.end_block(&[1]);
    let [[low0, high0], [low, high]] = [changes.from_entry, changes.from_latch];
    f.phi(3, &[(low0, 0), (low, 1)]);
    f.phi(4, &[(high0, 0), (high, 1)]);
    f.instr(pack, &[10], &[reg(3), reg(4)]);
    f.instr("ADD32rr", &[5], &[reg(10), reg(0)]);
    f.instr(unpack, &[6, 7], &[reg(5)]);
    if let Some(half) = changes.reads_alone {
        f.instr("NOT_b16", &[12], &[reg(half)]);
    }
    f.end_block(&[1, 2]);
    let [low, high] = changes.after;
    f.phi(8, &[(low, 1)]);
    f.phi(9, &[(high, 1)]);
    f.instr(pack, &[11], &[reg(8), reg(9)]);
    f.end_block(&[]);
    f
}

fn wide_groups(changes: &Changes) -> (u64, Groups) {
    let (facts, machine) = pipelined_loop(changes).finish();
    let (mut parts, mut found) = (Parts::default(), Groups::default());
    parts.find(&facts, &machine);
    let num_wide = found.find(&facts, &machine, &parts);
    assert_eq!(
        found.find(&facts, &machine, &parts),
        num_wide,
        "the buffers say nothing of the function before"
    );
    (num_wide, found)
}

fn part_regs(regs: &[u32]) -> PartRegs {
    PartRegs::collect(regs.iter().map(|&reg| Some(vreg(reg)))).unwrap()
}

#[test]
fn c7_halves_that_a_loop_carries_become_wide() {
    for bits in [16, 64] {
        let (num_wide, found) = wide_groups(&Changes { bits, ..UNCHANGED });
        assert_eq!(num_wide, 2);
        let groups: Vec<_> = found.groups().iter().map(|group| (group.parts, found.sources(group))).collect();
        let in_loop = [Source::Whole(vreg(0)), Source::Whole(vreg(5))];
        let after = [Source::Group(GroupId::from_raw(0))];
        assert_eq!(groups, [(part_regs(&[3, 4]), &in_loop[..]), (part_regs(&[8, 9]), &after[..])]);
    }
}

#[test]
fn c7_halves_stay_if_one_is_read_alone() {
    // This holds for the PHIs after the loop too, which are wide together with them or not at all.
    assert_eq!(wide_groups(&Changes { reads_alone: Some(3), ..UNCHANGED }).0, 0);
    assert_eq!(wide_groups(&Changes { reads_alone: Some(4), ..UNCHANGED }).0, 0);
}

#[test]
fn c7_halves_stay_if_they_are_of_several_values() {
    assert_eq!(wide_groups(&Changes { from_latch: [7, 6], ..UNCHANGED }).0, 0);
    assert_eq!(wide_groups(&Changes { from_latch: [6, 2], ..UNCHANGED }).0, 0);
    assert_eq!(wide_groups(&Changes { after: [4, 3], ..UNCHANGED }).0, 0);
    assert_eq!(wide_groups(&Changes { after: [3, 3], ..UNCHANGED }).0, 0);
}

#[test]
fn c7_halves_stay_if_a_source_is_undefined() {
    // No instruction defines register 12.
    assert_eq!(wide_groups(&Changes { from_latch: [6, 12], ..UNCHANGED }).0, 0);
}

#[test]
fn c7_large_parts_of_several_values_are_packed_where_the_loop_is_entered() {
    let changes = Changes { from_entry: [13, 14], bits: 64, ..UNCHANGED };
    let (num_wide, found) = wide_groups(&changes);
    assert_eq!(num_wide, 2);
    let packed = Source::Packed(part_regs(&[13, 14]), BlockNumber::from_raw(0));
    assert_eq!(found.sources(&found.groups()[GroupId::from_raw(0)]), [packed, Source::Whole(vreg(5))]);
    // 16-bit halves would need an instruction and one more register. Inside the loop, values are
    // never packed.
    assert_eq!(wide_groups(&Changes { bits: 16, ..changes }).0, 0);
    assert_eq!(wide_groups(&Changes { from_entry: [1, 2], from_latch: [13, 14], ..changes }).0, 0);
    assert_eq!(wide_groups(&Changes { from_entry: [13, 12], ..changes }).0, 0);
}

/// Returns the round trips of a function whose registers have these sizes.
fn round_trips(sizes: &[u32], build: impl FnOnce(&mut TestFunction)) -> Vec<(u32, u32)> {
    let mut f = TestFunction::new(sizes.len(), 1);
    f.machine.sizes.extend((0..).map(vreg).zip(sizes.iter().copied()));
    build(&mut f);
    f.end_block(&[]);
    let (facts, machine) = f.finish();
    let mut parts = Parts::default();
    parts.find(&facts, &machine);
    let pair = |trip: &RoundTrip| (trip.result.raw(), trip.value.raw());
    parts.round_trips().iter().map(pair).collect()
}

#[test]
fn c7_a_pack_of_all_parts_is_the_value() {
    let found = round_trips(&[64, 32, 32, 32, 64], |f| {
        f.instr("LD_any", &[0], &[]);
        f.instr("I64toI32L", &[1], &[reg(0)]);
        f.instr("I64toI32H_Sink", &[2], &[reg(0)]);
        f.instr("MOV_B32_r", &[3], &[reg(2)]);
        f.instr("V2I32toI64", &[4], &[reg(1), reg(3)]);
    });
    assert_eq!(found, [(4, 0)]);
}

#[test]
fn c7_a_pack_of_parts_of_parts_is_the_value() {
    let found = round_trips(&[128, 64, 64, 32, 32, 16, 16, 32, 64, 128], |f| {
        f.instr("LD_any", &[0], &[]);
        f.instr("I128toV2I64", &[1, 2], &[reg(0)]);
        f.instr("I64toV2I32", &[3, 4], &[reg(2)]);
        f.instr("I32toV2I16", &[5, 6], &[reg(3)]);
        f.instr("V2I16toI32", &[7], &[reg(5), reg(6)]);
        f.instr("V2I32toI64", &[8], &[reg(7), reg(4)]);
        f.instr("V2I64toI128", &[9], &[reg(1), reg(8)]);
    });
    // The packs of 32 and 64 bits also give parts of register 0; they go when their reader goes.
    assert_eq!(found, [(9, 0)]);
}

#[test]
fn c7_parts_of_a_packed_value_are_what_was_packed() {
    let found = round_trips(&[32, 32, 64, 32, 32, 16, 16, 16, 16, 32], |f| {
        f.instr("LD_any", &[0], &[]);
        f.instr("LD_any", &[1], &[]);
        f.instr("V2I32toI64", &[2], &[reg(0), reg(1)]);
        f.instr("I64toV2I32", &[3, 4], &[reg(2)]);
        f.instr("I64toV4I16", &[5, 6, 7, 8], &[reg(2)]);
        f.instr("V2I16toI32", &[9], &[reg(7), reg(8)]);
    });
    assert_eq!(found, [(3, 0), (4, 1), (9, 1)]);
}

#[test]
fn c7_parts_out_of_order_are_not_a_value() {
    let packed = |parts: [u32; 2]| {
        round_trips(&[64, 32, 32, 64, 32, 32, 64], |f| {
            f.instr("LD_any", &[0], &[]);
            f.instr("I64toV2I32", &[1, 2], &[reg(0)]);
            f.instr("LD_any", &[3], &[]);
            f.instr("I64toV2I32", &[4, 5], &[reg(3)]);
            f.instr("V2I32toI64", &[6], &parts.map(reg));
        })
    };
    assert_eq!(packed([1, 2]), [(6, 0)]);
    for parts in [[2, 1], [1, 1], [1, 5], [4, 2]] {
        assert_eq!(packed(parts), []);
    }
}

#[test]
fn c7_small_parts_that_are_read_elsewhere_are_packed() {
    let packed = |pack, unpack, bits, is_read: bool| {
        round_trips(&[2 * bits, bits, bits, 2 * bits, bits], |f| {
            f.instr("LD_any", &[0], &[]);
            f.instr(unpack, &[1, 2], &[reg(0)]);
            f.instr(pack, &[3], &[reg(1), reg(2)]);
            if is_read {
                f.instr("NOT_any", &[4], &[reg(1)]);
            }
        })
    };
    assert_eq!(packed("V2I16toI32", "I32toV2I16", 16, false), [(3, 0)]);
    assert_eq!(packed("V2I16toI32", "I32toV2I16", 16, true), []);
    assert_eq!(packed("V2I32toI64", "I64toV2I32", 32, true), [(3, 0)]);
}
