//! Hand-written programs with right and wrong changes.

use super::*;

impl F {
    fn new(num_regs: u32, blocks: &[(&[I], &[u32])]) -> F {
        F { num_regs, blocks: blocks.iter().map(|(code, succs)| (code.to_vec(), succs.to_vec())).collect() }
    }
}

fn part_def(reg: u32, sub: u32) -> Operand {
    def(reg).test_subreg(sub)
}
fn kill(reg: u32) -> Operand {
    read(reg).test_flag(Operand::DEAD_OR_KILL_SHIFT)
}

fn rejects(before: &F, after: &F, what: &str) {
    let failure = check(before, after).expect_err("it is wrong");
    let text = failure.text(&before.program(), &after.program(), &TwoParts, |key| format!("i{key}"));
    assert!(text.contains(what), "{text}");
}

/// Makes a PHI that reads %`a` from block 0 and %`b` from block 1.
fn phi(dst: u32, a: u32, b: u32) -> I {
    I {
        key: 0,
        opcode: 3,
        flags: Instr::PHI,
        operands: vec![def(dst), read(a), Operand::test_block(0), read(b), Operand::test_block(1)],
    }
}

#[test]
fn k1_a_swap_of_phis_needs_two_registers_more() {
    let before = F::new(
        4,
        &[
            (&[op(1, &[def(0)]), op(2, &[def(1)])], &[1]),
            (&[phi(2, 0, 3), phi(3, 1, 2), effect(3, &[read(2), read(3)])], &[1]),
        ],
    );
    let head = [op(1, &[def(0)]), op(2, &[def(1)])];
    let lowered = |first: &[I], latch: &[I], top: &[I]| {
        let code = [&head[..], first].concat();
        let body = [top, &[effect(3, &[read(2), read(3)])], latch].concat();
        F::new(6, &[(&code, &[1]), (&body, &[1])])
    };
    let (first, top) = ([copy(4, 0), copy(5, 1)], [copy(2, 4), copy(3, 5)]);
    assert_eq!(check(&before, &lowered(&first, &[copy(4, 3), copy(5, 2)], &top)), Ok(()));
    // The lost copy and swap problems.
    rejects(&before, &lowered(&first, &[copy(4, 3), copy(5, 4)], &top), "operand 0 of op102");
    rejects(&before, &lowered(&[copy(2, 0), copy(3, 1)], &[copy(2, 3), copy(3, 2)], &[]), "reads %");
    rejects(&before, &lowered(&first, &[copy(4, 3)], &top), "reads %");
}

#[test]
fn k1_the_message_names_both_values() {
    let before = F::new(2, &[(&[op(1, &[def(0)]), op(2, &[def(1)]), effect(3, &[read(1)])], &[])]);
    let after = F::new(2, &[(&[op(1, &[def(0)]), op(2, &[def(1)]), effect(3, &[read(0)])], &[])]);
    let text = "bb.0, instruction 'i3': %0 (operand 0) reads %0, operand 0 of op101 (instruction 0 of bb.0); before the \
                pass it read %1, operand 0 of op102 (instruction 1 of bb.0)";
    rejects(&before, &after, text);
}

#[test]
fn k1_effects_stay_in_order() {
    let (a, b) = (effect(1, &[]), effect(2, &[]));
    let before = F::new(0, &[(&[a.clone(), b.clone()], &[])]);
    rejects(&before, &F::new(0, &[(&[b.clone(), a.clone()], &[])]), "changed places");
    rejects(&before, &F::new(0, &[(std::slice::from_ref(&a), &[])]), "is gone");
    rejects(&before, &F::new(0, &[(&[a, b, effect(3, &[])], &[])]), "new instruction");
}

#[test]
fn k1_what_depends_on_nothing_may_be_computed_again() {
    let constant = |key, reg, value| I { opcode: value, ..op(key, &[def(reg)]) };
    let before = F::new(
        2,
        &[(&[constant(1, 0, 7)], &[1]), (&[copy(1, 0), effect(2, &[read(1)]), effect(3, &[read(0)])], &[1])],
    );
    let after = |value| {
        let body = [constant(9, 1, value), effect(2, &[read(1)]), effect(3, &[read(0)])];
        F::new(2, &[(&[constant(1, 0, 7)], &[1]), (&body, &[1])])
    };
    assert_eq!(check(&before, &after(7)), Ok(()));
    rejects(&before, &after(8), "reads the result of op8");
    // Computed from no value, the result differs every time.
    let nothing = |second: I| {
        let sum = I { opcode: 9, ..op(2, &[def(1), read(0)]) };
        F::new(3, &[(&[sum, effect(3, &[read(1)]), second, effect(4, &[read(2)])], &[])])
    };
    let again = I { opcode: 9, ..op(8, &[def(2), read(0)]) };
    rejects(&nothing(copy(2, 1)), &nothing(again), "no value");
    // Computed from a register that has changed since.
    let sum = |key, dst, src| I { opcode: 9, ..op(key, &[def(dst), read(src)]) };
    let body = |new: I, change: bool| {
        let mut code = vec![op(1, &[def(0)]), sum(2, 1, 0)];
        code.extend(change.then(|| op(3, &[def(0)])));
        code.extend([new, effect(4, &[read(2)])]);
        F::new(3, &[(&code, &[])])
    };
    assert_eq!(check(&body(copy(2, 1), false), &body(sum(8, 2, 0), false)), Ok(()));
    assert!(check(&body(copy(2, 1), true), &body(sum(8, 2, 0), true)).is_err());
}

/// A constant is computed at the entry and again before a loop that may be skipped, as coalescing
/// leaves it.
#[test]
fn k1_what_depends_on_nothing_may_be_there_already() {
    let constant = |key, value| I { opcode: value, ..op(key, &[def(0)]) };
    let guarded = |entry: &[I], ahead: &[I]| {
        let body = [op(4, &[def(0), read(0)])];
        F::new(1, &[(entry, &[1, 3]), (ahead, &[2]), (&body, &[2, 3]), (&[effect(5, &[read(0)])], &[])])
    };
    let entry = [constant(1, 7)];
    assert_eq!(check(&guarded(&entry, &[constant(2, 7)]), &guarded(&entry, &[])), Ok(()));
    rejects(&guarded(&entry, &[constant(2, 8)]), &guarded(&entry, &[]), "it read %0, operand 0 of op8");
    // On two paths to it.
    let both = |ways: [&[I]; 2], last: &[I]| {
        let last = [last, &[effect(5, &[read(0)])]].concat();
        F::new(1, &[(&[], &[1, 2]), (ways[0], &[3]), (ways[1], &[3]), (&last, &[])])
    };
    let (a, b, other) = ([constant(1, 7)], [constant(2, 7)], [constant(2, 8)]);
    let is_judged = |ways| check(&both(ways, &[constant(3, 7)]), &both(ways, &[]));
    assert_eq!(is_judged([&a, &b]), Ok(()));
    assert!(is_judged([&a, &other]).is_err());
    assert!(is_judged([&a, &[]]).is_err());
    assert!(is_judged([&[], &b]).is_err());
    // In each iteration of a loop, which may change it.
    let in_loop = |first: &[I], last: &[I]| {
        F::new(1, &[(&[constant(1, 7)], &[1]), (&[first, &[effect(2, &[read(0)])], last].concat(), &[1])])
    };
    assert_eq!(check(&in_loop(&[constant(3, 7)], &[]), &in_loop(&[], &[])), Ok(()));
    let change = [op(4, &[def(0)])];
    assert!(check(&in_loop(&[constant(3, 7)], &change), &in_loop(&[], &change)).is_err());
    // The instruction reads something.
    let sum = |key| I { opcode: 9, ..op(key, &[def(0), read(1)]) };
    let twice = |second: &[I]| {
        F::new(2, &[(&[op(1, &[def(1)]), sum(2)], &[1]), (&[second, &[effect(3, &[read(0)])]].concat(), &[])])
    };
    assert!(check(&twice(&[op(4, &[def(1)]), sum(5)]), &twice(&[op(4, &[def(1)])])).is_err());
}

#[test]
fn k1_parts_of_registers() {
    let sequence = I {
        key: 0,
        opcode: 4,
        flags: Instr::REG_SEQUENCE,
        operands: vec![def(2), read(0), Operand::test_imm(1), read(1), Operand::test_imm(2)],
    };
    let defs = [op(1, &[def(0)]), op(2, &[def(1)])];
    let uses = [effect(3, &[read(2)]), effect(4, &[read(2).test_subreg(2)])];
    let with = |code: &[I]| F::new(3, &[(&[&defs[..], code, &uses[..]].concat(), &[])]);
    let part = |sub, src, undef: bool| {
        let mut i = copy(0, src);
        i.operands[0] = part_def(2, sub);
        if undef {
            i.operands[0] = i.operands[0].test_flag(Operand::UNDEF_SHIFT);
        }
        i
    };
    let before = with(&[sequence]);
    assert_eq!(check(&before, &with(&[part(1, 0, true), part(2, 1, false)])), Ok(()));
    assert_eq!(check(&before, &with(&[part(2, 1, true), part(1, 0, false)])), Ok(()));
    assert!(check(&before, &with(&[part(1, 1, true), part(2, 0, false)])).is_err());
    assert!(check(&before, &with(&[part(1, 0, true), part(2, 1, true)])).is_err());
    assert!(check(&before, &with(&[part(1, 0, true)])).is_err());
}

fn pack(dst: u32, low: u32, high: u32) -> I {
    I { key: 0, opcode: 5, flags: Instr::PACK, operands: vec![def(dst), read(low), read(high)] }
}
fn unpack(low: u32, high: u32, src: u32) -> I {
    I { key: 0, opcode: 6, flags: Instr::UNPACK, operands: vec![def(low), def(high), read(src)] }
}

/// %0 and %7 come into a loop as halves, and the loop packs them.
#[test]
fn k1_phis_of_halves_become_one() {
    let before = F::new(
        10,
        &[
            (&[op(1, &[def(0)]), unpack(1, 2, 0)], &[1]),
            (
                &[
                    phi(3, 1, 8),
                    phi(4, 2, 9),
                    pack(5, 3, 4),
                    effect(2, &[read(5)]),
                    op(3, &[def(7)]),
                    unpack(8, 9, 7),
                ],
                &[1],
            ),
        ],
    );
    let widened = |value: I, read_at_use: u32, more: &[I]| {
        let uses = [effect(2, &[read(read_at_use)]), op(3, &[def(7)])];
        let body = [&[value], more, &uses[..]].concat();
        F::new(10, &[(&[op(1, &[def(0)]), unpack(1, 2, 0)], &[1]), (&body, &[1])])
    };
    assert_eq!(check(&before, &before), Ok(()));
    assert_eq!(check(&before, &widened(phi(6, 0, 7), 6, &[])), Ok(()));
    // Taken apart and put together again.
    let again = [unpack(3, 4, 6), pack(5, 3, 4)];
    assert_eq!(check(&before, &widened(phi(6, 0, 7), 5, &again)), Ok(()));
    assert_eq!(check(&widened(phi(6, 0, 7), 6, &[]), &widened(phi(6, 0, 7), 5, &again)), Ok(()));
    let swapped = [unpack(3, 4, 6), pack(5, 4, 3)];
    rejects(&before, &widened(phi(6, 0, 7), 5, &swapped), "half of %");
    rejects(&widened(phi(6, 0, 7), 6, &[]), &widened(phi(6, 0, 7), 5, &swapped), "half of %");
    rejects(&before, &widened(phi(6, 0, 0), 6, &[]), "half of %0");
    rejects(&before, &widened(phi(6, 1, 7), 6, &[]), "reads ");
    rejects(&before, &widened(phi(6, 0, 7), 5, &[]), "reads ");
}

#[test]
fn k1_halves_of_halves_and_of_what_is_computed_again() {
    let defs = [op(1, &[def(0)]), op(2, &[def(1)])];
    let with =
        |code: &[I], reg| F::new(12, &[(&[&defs[..], code, &[effect(3, &[read(reg)])]].concat(), &[])]);
    let quarters = I {
        key: 0,
        opcode: 7,
        flags: Instr::UNPACK,
        operands: vec![def(4), def(5), def(6), def(7), read(3)],
    };
    let apart = [pack(3, 0, 1), quarters];
    assert_eq!(check(&with(&[], 0), &with(&[&apart[..], &[pack(8, 4, 5)]].concat(), 8)), Ok(()));
    assert!(check(&with(&[], 0), &with(&[&apart[..], &[pack(8, 4, 6)]].concat(), 8)).is_err());
    assert!(check(&with(&[], 1), &with(&[&apart[..], &[pack(8, 4, 5)]].concat(), 8)).is_err());
    let half = |flags, dst| I { key: 0, opcode: 8, flags, operands: vec![def(dst), read(3)] };
    assert_eq!(check(&with(&[], 1), &with(&[pack(3, 0, 1), half(Instr::HIGH_HALF, 9)], 9)), Ok(()));
    assert!(check(&with(&[], 1), &with(&[pack(3, 0, 1), half(Instr::LOW_HALF, 9)], 9)).is_err());
    // A value that depends on nothing is computed again, and taken apart in another block.
    let constant = |key, reg, value| I { opcode: value, ..op(key, &[def(reg)]) };
    let blocks = |code: &[I]| {
        let body = [code, &[effect(2, &[read(2), read(3)])]].concat();
        F::new(6, &[(&[constant(1, 0, 7)], &[1]), (&body, &[])])
    };
    assert_eq!(check(&blocks(&[unpack(2, 3, 0)]), &blocks(&[constant(9, 4, 7), unpack(2, 3, 4)])), Ok(()));
    assert!(check(&blocks(&[unpack(2, 3, 0)]), &blocks(&[constant(9, 4, 7), unpack(3, 2, 4)])).is_err());
    assert!(check(&blocks(&[unpack(2, 3, 0)]), &blocks(&[constant(9, 4, 8), unpack(2, 3, 4)])).is_err());
}

#[test]
fn k1_what_selection_leaves_is_defined() {
    let looped = |first: &[I], value, at_end: u32| {
        let body = [phi(1, 0, 2), op(2, &[def(2), read(value)]), effect(3, &[read(3)])];
        F::new(5, &[(first, &[1]), (&body, &[1, 2]), (&[effect(4, &[read(at_end)])], &[])]).program()
    };
    let check = |p: &Program| Checker::default().check_selection(p);
    let both = [op(1, &[def(0)]), implicit_def(3)];
    assert_eq!(check(&looped(&both, 1, 2)), Ok(5));
    // %4 has no def at all; nor has %3; nor has the %0 of the PHI; %2 is defined only after its
    // first read.
    for (first, value, at_end) in
        [(&both[..], 1, 4), (&both[..1], 1, 2), (&both[1..], 1, 2), (&both[..], 2, 2)]
    {
        let p = looped(first, value, at_end);
        let failure = check(&p).expect_err("a register has no value");
        let text = failure.text(&p, &p, &TwoParts, |key| format!("i{key}"));
        assert!(text.contains("nothing defines it"), "{text}");
    }
    // In an unreachable block anything goes.
    let unreached = F::new(1, &[(&[], &[]), (&[effect(1, &[read(0)])], &[1])]).program();
    assert_eq!(check(&unreached), Ok(1));
}

#[test]
fn k1_flags_that_lie() {
    let before = F::new(1, &[(&[op(1, &[def(0)]), effect(2, &[read(0)]), effect(3, &[read(0)])], &[])]);
    let after = F::new(1, &[(&[op(1, &[def(0)]), effect(2, &[kill(0)]), effect(3, &[read(0)])], &[])]);
    rejects(&before, &after, "%0 is read after the use that kills it");
    let dead = def(0).test_flag(Operand::DEAD_OR_KILL_SHIFT);
    let after = F::new(1, &[(&[op(1, &[dead]), effect(2, &[read(0)]), effect(3, &[read(0)])], &[])]);
    rejects(&before, &after, "which is flagged dead");
    // Across blocks.
    let looped = |first| {
        F::new(
            1,
            &[
                (&[op(1, &[def(0)])], &[1]),
                (&[effect(2, &[first])], &[1, 2]),
                (&[effect(3, &[kill(0)])], &[]),
            ],
        )
    };
    rejects(&looped(read(0)), &looped(kill(0)), "%0 is killed in bb.1");
    let undef = read(0).test_flag(Operand::UNDEF_SHIFT);
    rejects(&looped(read(0)), &looped(undef), "no value");
}

#[test]
fn k1_around_a_loop_what_has_no_value_may_be_any() {
    // %0 goes around the loop. After the pass %1 is read in its place, which every iteration
    // defines.
    let looped = |first: I, reg| {
        let iteration = [op(2, &[def(1)]), effect(3, &[read(reg)]), copy(2, 0), copy(0, 2)];
        F::new(3, &[(&[first], &[1]), (&iteration, &[1, 2]), (&[], &[])])
    };
    assert_eq!(check(&looped(implicit_def(0), 0), &looped(implicit_def(0), 1)), Ok(()));
    let defined = || op(1, &[def(0)]);
    rejects(&looped(defined(), 0), &looped(defined(), 1), "reads the result of op102");
}

#[test]
fn k1_operands_that_commute_may_be_swapped() {
    let with = |a, b, flags| {
        let sum = I { flags, ..op(3, &[def(2), read(a), read(b)]) };
        F::new(3, &[(&[op(1, &[def(0)]), op(2, &[def(1)]), sum, effect(4, &[read(2)])], &[])])
    };
    assert_eq!(check(&with(0, 1, Instr::COMMUTABLE), &with(1, 0, Instr::COMMUTABLE)), Ok(()));
    assert!(check(&with(0, 1, Instr::COMMUTABLE), &with(0, 0, Instr::COMMUTABLE)).is_err());
    assert!(check(&with(0, 1, 0), &with(1, 0, 0)).is_err());
}
