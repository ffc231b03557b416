//! Tests what each part of the NVPTX coalescer's worklist decides: with it, other copies go than
//! without.

use super::*;
use nvptx_coalescer::Options as StageOptions;

/// Marks a move of a constant.
const CONSTANT: u32 = 100;

/// An instruction of a test.
type Instr = (InstrFlags, Vec<Operand>);

fn def(to: u32) -> Instr {
    (InstrFlags::NONE, vec![reg(to, true)])
}
fn copy(to: u32, from: u32) -> Instr {
    (InstrFlags::COPY, vec![reg(to, true), reg(from, false)])
}
fn constant(to: u32, value: u32) -> Instr {
    (InstrFlags::NONE, vec![reg(to, true), Operand::test_imm(value)])
}
fn change(of: u32) -> Instr {
    (InstrFlags::NONE, vec![reg(of, true), reg(of, false)])
}
fn read(of: &[u32]) -> Instr {
    (InstrFlags::NONE, of.iter().map(|&r| reg(r, false)).collect())
}

/// Runs the NVPTX coalescer alone on a function whose blocks are one loop deeper each, and checks
/// the result. Returns the remaining copies and moves of constants: their blocks, and the registers
/// that they define, plus [`CONSTANT`] for a move of a constant.
fn left_by(blocks: &[(&[u32], Vec<Instr>)], stage: StageOptions) -> Vec<(usize, u32)> {
    left_with(blocks, stage, None)
}
/// Does the same, with these frequencies of blocks.
fn left_with(
    blocks: &[(&[u32], Vec<Instr>)],
    stage: StageOptions,
    frequencies: Option<&'static [u64]>,
) -> Vec<(usize, u32)> {
    let mut facts = FunctionFacts::default();
    facts.clear(8, blocks.len());
    for (number, (succs, instrs)) in blocks.iter().enumerate() {
        facts.shape.succs.push_row(succs.iter().map(|&s| BlockId::from_raw(s)));
        facts.shape.push_block(BlockNumber::new(number));
        instrs.iter().for_each(|(flags, operands)| push(&mut facts, *flags, operands));
        facts.end_block();
    }
    let options = Options { join: false, ..OPTIONS };
    let setup = Setup { options, stage: Some(stage), frequencies, ..Setup::DEFAULT };
    let c = coalesce(&facts, &mut Liveness::default(), setup, &mut Buffers::default());
    check_ranges(&facts, &c, 0);
    for seed in 1..9 {
        check_runs(&facts, &c, &mut Rng::new(seed), seed);
    }
    let mut left = Vec::new();
    for block in 0..blocks.len() {
        for instr in instrs_of(&c, block) {
            let operands: Vec<_> = c.code.operands(instr).collect();
            let is_constant = super::constant(&operands).is_some();
            if c.code.is_copy(instr) || is_constant {
                let to = operands[0].reg().vreg().expect("a virtual register").raw();
                left.push((block, if is_constant { CONSTANT + to } else { to }));
            }
        }
    }
    left
}

#[test]
fn c4_the_copy_with_the_lower_register_is_joined_first() {
    let code = vec![def(2), copy(1, 2), copy(0, 2), change(1), change(0), read(&[0, 1])];
    let f = [(&[][..], code)];
    assert_eq!(left_by(&f, StageOptions::ALL), [(0, 1)]);
    let in_order_of_code = StageOptions { lower_registers_first: false, ..StageOptions::ALL };
    assert_eq!(left_by(&f, in_order_of_code), [(0, 0)]);
    assert_eq!(left_by(&f, StageOptions { worklist: false, ..StageOptions::ALL }).len(), 2);
}

#[test]
fn c4_of_two_copies_with_one_lower_register_the_heavier_one_is_joined_first() {
    let code = vec![def(0), copy(1, 0), copy(2, 0), change(1), change(2), read(&[1, 2]), read(&[2])];
    let f = [(&[][..], code)];
    let is_left = |reg, options| left_by(&f, options).iter().any(|&(_, left)| left == reg);
    assert!(is_left(1, StageOptions::ALL));
    assert!(!is_left(1, StageOptions { weights: false, ..StageOptions::ALL }));
}

#[test]
fn c4_the_copy_in_a_loop_is_heavier_than_one_of_registers_that_more_instructions_name() {
    let after = vec![copy(1, 0), change(1), read(&[1, 1]), read(&[1, 1]), read(&[2])];
    let f = [
        (&[1][..], vec![def(3)]),
        (&[1, 2][..], vec![def(0), copy(2, 0), read(&[3])]),
        // Not in a loop, according to the frequencies.
        (&[][..], after),
    ];
    let run = |frequencies| {
        let options = StageOptions { frequencies, ..StageOptions::ALL };
        let left = left_with(&f, options, Some(&[8, 256, 8]));
        left.iter().map(|&(block, _)| block).collect::<Vec<_>>()
    };
    assert_eq!(run(true), [2]);
    assert_eq!(run(false), [1]);
}

#[test]
fn c4_copies_of_local_registers_are_joined_before_others() {
    let code = vec![def(2), copy(1, 2), copy(0, 2), change(1), read(&[1])];
    let f = [(&[1][..], code), (&[][..], vec![read(&[0])])];
    assert_eq!(left_by(&f, StageOptions::ALL), [(0, 0)]);
    assert_eq!(left_by(&f, StageOptions { blocks_first: false, ..StageOptions::ALL }), [(0, 1)]);
}

#[test]
fn c4_a_copy_that_has_failed_is_tried_again_when_another_is_gone() {
    let f = [
        (&[1, 4][..], vec![def(5), def(1), copy(2, 1), read(&[5])]),
        (&[2][..], vec![copy(0, 1), change(0), read(&[0]), copy(2, 1)]),
        (&[2, 3][..], vec![change(2), read(&[5])]),
        (&[][..], vec![read(&[2])]),
        (&[3][..], vec![change(1), read(&[2, 1])]),
    ];
    assert_eq!(left_by(&f, StageOptions::ALL), [(0, 2)]);
    assert_eq!(left_by(&f, StageOptions { retries: false, ..StageOptions::ALL }), [(0, 2), (1, 0)]);
}

#[test]
fn c5_registers_are_joined_where_they_hold_equal_constants() {
    let with = |other| {
        [
            (&[1][..], vec![def(5), constant(0, 1), constant(1, other)]),
            (&[1, 2][..], vec![read(&[0, 1]), change(1), copy(0, 1), read(&[5])]),
            (&[][..], vec![read(&[0])]),
        ]
    };
    let plain = StageOptions { by_value: false, ..StageOptions::ALL };
    assert_eq!(left_by(&with(1), StageOptions::ALL).len(), 1);
    assert_eq!(left_by(&with(1), plain).len(), 3);
    assert_eq!(left_by(&with(0), StageOptions::ALL).len(), 3);
}

#[test]
fn c9_a_copy_of_a_constant_is_a_move_of_it() {
    let code = vec![constant(0, 1), copy(1, 0), copy(2, 0), change(1), change(2), read(&[1, 2])];
    let f = [(&[][..], code)];
    assert_eq!(left_by(&f, StageOptions::ALL), [(0, CONSTANT + 1), (0, CONSTANT + 2)]);
    let as_copies = left_by(&f, StageOptions { constants: false, ..StageOptions::ALL });
    assert!(as_copies.iter().any(|&(_, left)| left < CONSTANT));
}

#[test]
fn c9_a_constant_is_not_taken_for_redundant_by_numbers_that_slots_had_before_room_was_made() {
    // A copy of register 3 is inserted in block 1, for which all slots are renumbered while the
    // defs of register 1 are known.
    let f = [
        (&[1][..], vec![def(0), def(1), def(2), def(3), def(4), constant(4, 0), read(&[0])]),
        (&[2][..], vec![copy(1, 4), copy(3, 0), copy(0, 1), copy(1, 2), copy(2, 3), read(&[3])]),
        (
            &[2, 3, 4][..],
            vec![
                copy(3, 2),
                (InstrFlags::NONE, vec![reg(4, true), reg(1, false)]),
                copy(4, 0),
                copy(2, 4),
                copy(1, 3),
                copy(4, 1),
                copy(1, 2),
                copy(2, 3),
                copy(3, 4),
                read(&[1]),
            ],
        ),
        (&[4][..], vec![copy(1, 3), read(&[3])]),
        (&[][..], vec![constant(3, 1), read(&[1])]),
    ];
    let left = left_by(&f, StageOptions::ALL);
    assert!(left.iter().any(|&(block, left)| block == 2 && left >= CONSTANT), "{left:?}");
}
