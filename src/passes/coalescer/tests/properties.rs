//! The properties that each random function must have, and cases that once failed.

use super::super::code::Place;
use super::super::live_range::LiveRange;
use super::*;
use crate::fuzzing::{cases, FEW};
use crate::mir::ValueNo;

/// Coalesces `count` random functions and checks each.
fn check_random_functions(count: u64, setup: Setup) {
    let Setup { has_implicit_defs, stage, .. } = setup;
    let (mut liveness, mut buffers) = (Liveness::default(), Buffers::default());
    let count = cases(count);
    let seeds = match std::env::var("SEED") {
        Ok(seed) => seed.parse().map(|s: u64| s..s + 1).expect("SEED is a number"),
        Err(_) => 1..count + 1,
    };
    let (mut joins, mut extensions, mut longer) = (0, 0, 0);
    let mut of_stage = nvptx_coalescer::Counts::default();
    for seed in seeds.clone() {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let facts = random_function(&mut rng, has_implicit_defs);
        let c = coalesce(&facts, &mut liveness, setup, &mut buffers);
        of_stage.add(&c.stage_counts);
        for _ in 0..4 {
            check_runs(&facts, &c, &mut rng, seed);
        }
        if !has_implicit_defs {
            longer += check_ranges(&facts, &c, seed);
        }
        joins += c.counts.joins;
        extensions += c.counts.extensions;
    }
    let few = FEW || seeds.end - seeds.start == 1;
    assert!(few || joins > count / 4 && extensions > 0, "{joins} joins, {extensions}");
    for (what, count) in of_stage.counters() {
        let is_of_target = ["class", "register moves", "packs", "budget"].iter().any(|w| what.contains(w));
        assert!(few || stage.is_none() || is_of_target || count > 0, "no {what}");
    }
    assert!(FEW || longer as u64 <= count / 20, "{longer} ranges are longer than they need be");
}

#[test]
fn c1_4000_random_functions_do_what_they_did() {
    for has_implicit_defs in [false, true] {
        check_random_functions(2000, Setup { has_implicit_defs, ..Setup::DEFAULT });
    }
}

#[test]
fn c2_so_they_do_with_every_order_of_copies() {
    let orders = [
        Options { join_global_copies: true, ..OPTIONS },
        Options { terminal_rule: true, ..OPTIONS },
        Options { join_global_copies: true, terminal_rule: true, ..OPTIONS },
    ];
    for options in orders {
        for has_implicit_defs in [false, true] {
            check_random_functions(500, Setup { options, has_implicit_defs, ..Setup::DEFAULT });
        }
    }
    let options = Options { large_interval_size: 2, large_interval_freq: 1, ..OPTIONS };
    check_random_functions(1000, Setup { options, ..Setup::DEFAULT });
}

#[test]
fn c5_so_they_do_with_the_nvptx_coalescer_after() {
    let setup = Setup { stage: Some(nvptx_coalescer::Options::ALL), ..Setup::DEFAULT };
    check_random_functions(3000, setup);
    check_random_functions(1000, Setup { has_implicit_defs: true, ..setup });
}

/// Found by libFuzzer. A def of 3 gets a register of its own because of a copy of 3. The first free
/// register is 2, which was joined into 4. The new operands of 2 were taken for operands of 4, and
/// with a dead def of 2 the range of 4 was lost.
#[test]
fn c5_a_temporary_that_has_the_name_of_a_joined_register_is_not_that_register() {
    let mut facts = FunctionFacts::default();
    facts.clear(6, 4);
    let def = |to| (InstrFlags::NONE, vec![reg(to, true)]);
    let copy = |to, from| (InstrFlags::COPY, vec![reg(to, true), reg(from, false)]);
    let constant = |to| (InstrFlags::NONE, vec![reg(to, true), Operand::test_imm(1)]);
    let read = |of| (InstrFlags::NONE, vec![reg(of, false)]);
    let sum = (InstrFlags::NONE, vec![reg(1, true), reg(1, false), reg(2, false)]);
    let mut entry: Vec<_> = (0..6).map(def).collect();
    entry.extend([copy(1, 4), copy(4, 3), constant(3), copy(3, 4), read(0)]);
    let around = vec![copy(4, 0), copy(2, 5), copy(2, 4), sum, read(5)];
    let blocks: [(&[u32], _); 4] = [
        (&[1], entry),
        (&[1, 2], around),
        (&[3], vec![constant(4), read(3)]),
        (&[], vec![constant(4), read(5)]),
    ];
    for (number, (succs, instrs)) in blocks.into_iter().enumerate() {
        facts.shape.succs.push_row(succs.iter().map(|&s| BlockId::from_raw(s)));
        facts.shape.push_block(BlockNumber::new(number));
        instrs.into_iter().for_each(|(flags, operands)| push(&mut facts, flags, &operands));
        facts.end_block();
    }
    let setup = Setup { stage: Some(nvptx_coalescer::Options::ALL), ..Setup::DEFAULT };
    let c = coalesce(&facts, &mut Liveness::default(), setup, &mut Buffers::default());
    assert!(c.stage_counts.resequenced > 0);
    check_ranges(&facts, &c, 0);
    for seed in 1..9 {
        check_runs(&facts, &c, &mut Rng::new(seed), seed);
    }
}

/// Found by libFuzzer. In the entry block, 0 becomes a copy of an undefined value, whose register
/// by then holds another one. A copy of that in block 2 was taken for redundant, because both
/// seemed to copy the same value.
#[test]
fn c5_a_copy_of_an_undefined_value_copies_no_value() {
    let def = |to| (InstrFlags::NONE, vec![reg(to, true)]);
    let undefined = |to| (InstrFlags::IMPLICIT_DEF, vec![reg(to, true)]);
    let copy = |to, from| (InstrFlags::COPY, vec![reg(to, true), reg(from, false)]);
    let constant = |to| (InstrFlags::NONE, vec![reg(to, true), Operand::test_imm(1)]);
    let read = |of| (InstrFlags::NONE, vec![reg(of, false)]);
    let compute = |to, from: &[u32]| {
        let read = from.iter().map(|&of| reg(of, false));
        (InstrFlags::NONE, std::iter::once(reg(to, true)).chain(read).collect::<Vec<_>>())
    };
    let mut entry = vec![undefined(0), def(1), undefined(2), undefined(3), def(4), copy(3, 2), copy(1, 0)];
    entry.extend([compute(0, &[0]), copy(3, 0), copy(0, 1), copy(1, 2), copy(2, 3), read(0)]);
    let mut middle = vec![copy(3, 2), undefined(4), copy(4, 0), copy(2, 4), copy(1, 3)];
    middle.extend([copy(4, 1), copy(1, 2), copy(2, 3), copy(3, 4), read(1)]);
    let mut last = vec![copy(3, 0), constant(2), compute(0, &[4, 1]), compute(2, &[0])];
    last.extend([constant(0), copy(1, 0), read(3)]);
    let blocks: [(&[u32], _); 7] = [
        (&[1, 2, 3], entry),
        (&[2], vec![read(4)]),
        (&[3], vec![copy(1, 3), copy(3, 4), copy(4, 0), copy(0, 1), read(4)]),
        (&[4, 6], middle),
        (&[5, 6], vec![copy(1, 3), read(3)]),
        (&[6], vec![constant(3), read(1)]),
        (&[], last),
    ];
    let mut facts = FunctionFacts::default();
    facts.clear(5, 7);
    for (number, (succs, instrs)) in blocks.into_iter().enumerate() {
        facts.shape.succs.push_row(succs.iter().map(|&s| BlockId::from_raw(s)));
        facts.shape.push_block(BlockNumber::new(number));
        instrs.into_iter().for_each(|(flags, operands)| push(&mut facts, flags, &operands));
        facts.end_block();
    }
    for (join_global_copies, terminal_rule) in [(false, false), (false, true), (true, false), (true, true)] {
        let options = Options { join_global_copies, terminal_rule, ..OPTIONS };
        let setup = Setup { options, has_implicit_defs: true, ..Setup::DEFAULT };
        let c = coalesce(&facts, &mut Liveness::default(), setup, &mut Buffers::default());
        for seed in 1..9 {
            check_runs(&facts, &c, &mut Rng::new(seed), seed);
        }
    }
}

#[test]
fn c2_nothing_is_joined_where_that_is_off() {
    let mut rng = Rng::new(7);
    let facts = random_function(&mut rng, true);
    let options = Options { join: false, ..OPTIONS };
    let setup = Setup { options, has_implicit_defs: true, ..Setup::DEFAULT };
    let c = coalesce(&facts, &mut Liveness::default(), setup, &mut Buffers::default());
    assert_eq!(c.counts.joins, 0);
    let copies = facts.instr_flags.iter().filter(|f| f.is_copy()).count();
    let left = (0..facts.shape.num_blocks()).flat_map(|b| instrs_of(&c, b)).filter(|&i| c.code.is_copy(i));
    assert_eq!(left.count(), copies);
}

/// A range as an array: the value that is live at each slot.
#[derive(Clone, PartialEq, Eq, Debug)]
struct NaiveRange(Vec<Option<ValueNo>>);

impl NaiveRange {
    fn of(range: &LiveRange, slots: usize) -> NaiveRange {
        let mut naive = NaiveRange(vec![None; slots]);
        for s in &range.segments {
            naive.fill(s.start, s.end, Some(s.value));
        }
        naive
    }
    fn fill(&mut self, start: SlotIndex, end: SlotIndex, value: Option<ValueNo>) {
        self.0[start.0 as usize..end.0 as usize].fill(value);
    }
}

#[test]
fn c1_edits_of_a_range_are_those_of_an_array_of_slots() {
    const SLOTS: usize = 160;
    let mut rng = Rng::new(99);
    for _ in 0..cases(500) {
        let mut range = LiveRange::default();
        for _ in 0..4 {
            range.new_value(SlotIndex(4 * rng.below(SLOTS as u32 / 4)));
        }
        let mut naive = NaiveRange(vec![None; SLOTS]);
        for _ in 0..60 {
            let start = SlotIndex(rng.below(SLOTS as u32 - 8));
            let end = SlotIndex(start.0 + 1 + rng.below(7));
            let value = ValueNo::from_raw(rng.below(4));
            let span = &naive.0[start.0 as usize..end.0 as usize];
            match rng.below(3) {
                0 if span.iter().all(|v| v.is_none() || *v == Some(value)) => {
                    let i = range.add_segment(Segment { start, end, value });
                    let s = range.segments[i];
                    assert!(s.value == value && s.start <= start && end <= s.end);
                    naive.fill(start, end, Some(value));
                }
                1 if span[0].is_some() && span.iter().all(|v| *v == span[0]) => {
                    range.remove_segment(start, end);
                    naive.fill(start, end, None);
                }
                _ => {
                    assert_eq!(range.view().value_at(start), span[0]);
                    assert_eq!(range.view().overlaps_span(start, end), span.iter().any(|v| v.is_some()));
                }
            }
            assert_eq!(NaiveRange::of(&range, SLOTS), naive);
            let is_canonical =
                |w: &[Segment]| w[0].end < w[1].start || w[0].end == w[1].start && w[0].value != w[1].value;
            assert!(range.segments.windows(2).all(is_canonical), "{:?}", range.segments);
        }
        // Two values become one.
        let (from, into) = (ValueNo::from_raw(rng.below(4)), ValueNo::new(3));
        if from != into {
            let def = range.view().def(into);
            let kept = range.merge_value_into(from, into);
            assert_eq!(range.view().def(kept), def);
            for v in naive.0.iter_mut().filter(|v| **v == Some(from) || **v == Some(into)) {
                *v = Some(kept);
            }
            assert_eq!(NaiveRange::of(&range, SLOTS), naive);
        }
    }
}

#[test]
fn c1_a_new_instruction_takes_the_number_of_the_one_erased_last() {
    let mut rng = Rng::new(3);
    let mut facts = random_function(&mut rng, true);
    let (mut code, mut slots) = (Code::default(), Slots::default());
    let mut liveness = Liveness::default();
    liveness.analyze(&facts.shape, &mut { &facts }, false, &mut Chains(&facts)).expect("every use has a def");
    slots.read(&liveness.slots, &mut vec![1; liveness.slots.num_entries()]);
    code.read(&mut facts, &[]);
    let instr = InstrId::new;
    code.erase(instr(1), &mut slots);
    code.erase(instr(2), &mut slots);
    assert_eq!((code.new_instr(), code.new_instr()), (instr(2), instr(1)));
    let place = Place { instr: instr(3), index: 0 };
    assert!(code.operand(place).is_def() && !code.is_alive(instr(1)));
}
