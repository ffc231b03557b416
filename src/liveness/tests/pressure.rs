//! Register pressure (requirement L8) against counting, slot by slot, on the naive ranges.
//!
//! **Problem.** The tests in [`crate::liveness::pressure`] sweep over made-up segments. This takes
//! whole functions through [`Liveness::live_intervals`] as the pass does, local registers and all.
//! **Algorithm.** At every slot, count the registers that [`naive`](super::naive) has live there.
//! **Source.** The definition in the tested module. **Complexity.** Slots times segments.

use super::{for_seeds, live_ranges, sample, solve_all, Program, Shape, TestHost, MANY_DEFS, SSA};
use crate::liveness::pressure::{Class, Classes, Peak, Pressure};
use crate::liveness::slot_index::SlotIndex;
use crate::liveness::Liveness;
use crate::mir::VRegId;

/// Sorted by name. Registers other than predicates have one of the other classes in turn.
const CLASSES: [(&str, u32); 4] = [("A", 16), ("B1", 1), ("C", 64), ("D", 96)];

fn class_of(reg: u32, predicates: &[bool]) -> usize {
    if predicates[reg as usize] {
        1
    } else {
        [0, 2, 3][reg as usize % 3]
    }
}

/// Returns the maximum of `count` over the slots from `from` up to `to`, and the first slot that
/// has it.
fn peak(from: SlotIndex, to: SlotIndex, count: impl Fn(u32) -> u32) -> Peak {
    let mut peak = Peak { max: count(from.0), at: from };
    for slot in from.0..to.0 {
        if count(slot) > peak.max {
            peak = Peak { max: count(slot), at: SlotIndex(slot) };
        }
    }
    peak
}

#[test]
fn l8_pressure_is_the_count_at_every_slot_in_600_functions() {
    let mut liveness = Liveness::default();
    let mut classes = Classes::default();
    let mut pressure = Pressure::default();
    for_seeds(90_000, 600, |seed| {
        // The naive solver does not handle several values with unreachable blocks.
        let shape = [MANY_DEFS, SSA, MANY_DEFS, Shape { unreachable: true, ..SSA }][seed as usize % 4];
        let sample = sample(seed, shape);
        let program = Program::of(&sample.function);
        let naive = solve_all(&program, |_| true);
        let mut host = TestHost::new(&sample, &program, seed);
        let ranges = live_ranges(&mut liveness, false, &mut host).expect("every use has a def");
        let class = |reg: VRegId| class_of(reg.raw(), &sample.predicates);
        classes.gather(
            &ranges,
            |reg| Some(class(reg)),
            |reg| {
                let (name, bits) = CLASSES[class(reg)];
                Class { name: name.into(), bits }
            },
        );
        pressure.measure(&ranges, &classes, &liveness.slots);

        let end = program.end(program.num_blocks() - 1);
        // By slot: how many are live of each class.
        let mut live = vec![[0; CLASSES.len()]; end.0 as usize];
        for (reg, solution) in naive.iter().enumerate() {
            for (from, to, _) in solution.iter().flat_map(|s| &s.segments) {
                live[from.0 as usize..to.0 as usize].iter_mut().for_each(|n| n[class(reg.into())] += 1);
            }
        }
        let total = |slot: u32| {
            let [a, _, c, d] = live[slot as usize];
            a + 2 * c + 3 * d
        };
        let index = |c: &Class| CLASSES.iter().position(|known| known.0 == c.name).expect("known");
        let present: Vec<usize> = classes.list.iter().map(index).collect();
        assert!(present.is_sorted());
        let expected = |from, to| -> Vec<Peak> {
            let by_class = present.iter().map(|&c| peak(from, to, |slot| live[slot as usize][c]));
            by_class.chain([peak(from, to, total)]).collect()
        };
        let mut got = pressure.by_class().to_vec();
        got.push(pressure.total());
        assert_eq!(got, expected(SlotIndex(0), end), "function");
        for (block, (by_class, total)) in pressure.blocks().enumerate() {
            let mut got = by_class.to_vec();
            got.push(total);
            assert_eq!(got, expected(program.starts[block], program.end(block)), "block {block}");
        }
        assert_eq!(pressure.blocks().count(), program.num_blocks());
    });
}
