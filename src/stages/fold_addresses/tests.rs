//! The edits for small functions.

use super::edits::{Edit, Inputs, NewOpcode};
use super::folding::{Counts, Folding};
use crate::mir::{InstrId, VRegId};
use crate::nvptx::arithmetic::Extension;
use crate::nvptx::counterparts::Counterpart;
use crate::nvptx::created::CreatedOp;
use crate::ssa::testing::{imm, reg, TestFunction};

fn vreg(index: u32) -> VRegId {
    VRegId::from_raw(index)
}
fn inputs(regs: &[u32]) -> Inputs {
    Inputs::new(&regs.iter().map(|&reg| vreg(reg)).collect::<Vec<_>>())
}
fn of_32_bits(f: &mut TestFunction, regs: &[u32]) {
    f.machine.regs_of_32_bits.extend(regs.iter().map(|&reg| vreg(reg)));
}
/// Appends a load of 64 bits from a register and an offset.
fn load(f: &mut TestFunction, result: u32, address: u32, offset: i64) -> InstrId {
    let immediates = [0, 0, 1, 0, 64, -1].map(imm);
    let operands: Vec<_> = immediates.into_iter().chain([reg(address), imm(offset)]).collect();
    f.op("LD_i64", result, &operands)
}
/// The position of the address operand of such a load.
const ADDRESS: usize = 7;

fn run(f: TestFunction) -> (Counts, Vec<Edit>) {
    let (facts, machine) = f.finish();
    let mut folding = Folding::default();
    let counts = folding.run(&facts, &machine);
    let edits = folding.edits().to_vec();
    // The buffers keep nothing of the function before.
    assert_eq!((folding.run(&facts, &machine), folding.edits()), (counts, &edits[..]));
    (counts, edits)
}

/// `a[i << 2]` and `a[i << 2 | 1]`: the last addition, of registers 0 and 5, is register 7.
fn index_arithmetic(f: &mut TestFunction) {
    of_32_bits(f, &[1, 2, 3]);
    f.op("MoveParamI64", 0, &[imm(0)]);
    f.op("INT_PTX_SREG_TID_x", 1, &[]);
    f.op("SHL32_ri", 2, &[reg(1), imm(2)]);
    f.op("OR_b32ri", 3, &[reg(2), imm(1)]);
    f.op("MUL_WIDEu32_ri", 4, &[reg(2), imm(8)]);
    f.op("MUL_WIDEu32_ri", 5, &[reg(3), imm(8)]);
    f.op("ADD64rr", 6, &[reg(0), reg(4)]);
    f.op("ADD64rr", 7, &[reg(0), reg(5)]);
}

#[test]
fn addresses_that_differ_by_a_constant_share_a_register() {
    let mut f = TestFunction::new(10, 1);
    index_arithmetic(&mut f);
    load(&mut f, 8, 6, 0);
    let instr = load(&mut f, 9, 7, 16);
    f.end_block(&[]);
    let (counts, edits) = run(f);
    let folded =
        Edit::SetOperands { instr, opcode: NewOpcode::Same, operand: ADDRESS, reg: vreg(6), constant: 24 };
    assert_eq!(edits, [folded, Edit::Erase(vreg(7)), Edit::Erase(vreg(5)), Edit::Erase(vreg(3))]);
    assert_eq!(counts, Counts { addresses: 2, folded: 1, erased: 3, ..Counts::default() });
}

#[test]
fn addresses_that_another_instruction_reads_stay() {
    let mut f = TestFunction::new(11, 1);
    index_arithmetic(&mut f);
    load(&mut f, 8, 6, 0);
    load(&mut f, 9, 7, 0);
    f.op("NOT_b64", 10, &[reg(7)]);
    f.end_block(&[]);
    assert_eq!(run(f), (Counts { addresses: 2, ..Counts::default() }, vec![]));
}

#[test]
fn addresses_that_inline_assembly_reads_become_sums() {
    let mut f = TestFunction::new(9, 1);
    index_arithmetic(&mut f);
    load(&mut f, 8, 6, 0);
    f.instr("INLINEASM", &[], &[imm(0), imm(0), reg(7)]);
    f.end_block(&[]);
    let opcode = NewOpcode::Counterpart(Counterpart::WithConstant);
    let (counts, edits) = run(f);
    let sum =
        Edit::SetOperands { instr: InstrId::from_raw(7), opcode, operand: 1, reg: vreg(6), constant: 8 };
    assert_eq!(edits, [sum, Edit::Erase(vreg(5)), Edit::Erase(vreg(3))]);
    assert_eq!(counts, Counts { addresses: 2, folded: 1, erased: 2, ..Counts::default() });
}

#[test]
fn addresses_on_another_branch_are_not_there() {
    let mut f = TestFunction::new(8, 3);
    f.op("MoveParamI64", 0, &[imm(0)]);
    f.op("MoveParamI64", 1, &[imm(1)]);
    f.end_block(&[1, 2]);
    for (address, result) in [(2, 3), (4, 5)] {
        f.op("ADD64rr", address, &[reg(0), reg(1)]);
        load(&mut f, result, address, 0);
        f.end_block(&[]);
    }
    assert_eq!(run(f), (Counts { addresses: 2, ..Counts::default() }, vec![]));
}

#[test]
fn addresses_sums_of_a_block_share_the_first() {
    let mut f = TestFunction::new(9, 2);
    of_32_bits(&mut f, &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    f.op("MoveParamI32", 0, &[imm(0)]);
    f.op("AND_b32ri", 1, &[reg(0), imm(255)]);
    f.op("OR_b32ri", 2, &[reg(1), imm(512)]);
    f.op("MoveParamI32", 3, &[imm(1)]);
    f.end_block(&[1]);
    f.op("SHL32_ri", 4, &[reg(3), imm(10)]);
    f.op("OR_b32rr", 5, &[reg(4), reg(1)]);
    let instr = f.op("OR_b32rr", 6, &[reg(4), reg(2)]);
    f.op("NOT_b32", 7, &[reg(5)]);
    f.op("NOT_b32", 8, &[reg(6)]);
    f.end_block(&[]);
    let (counts, edits) = run(f);
    let opcode = NewOpcode::Created(CreatedOp::Or32Constant);
    let sum = Edit::SetOperands { instr, opcode, operand: 1, reg: vreg(5), constant: 512 };
    assert_eq!(edits, [sum, Edit::Erase(vreg(2))]);
    assert_eq!(counts, Counts { sums: 1, erased: 1, ..Counts::default() });
}

/// Makes a loop that multiplies numbers that were extended before it, with an optional summand.
fn product_in_loop(name: &'static str, summand: Option<u32>) -> (TestFunction, InstrId) {
    let mut f = TestFunction::new(6, 3);
    of_32_bits(&mut f, &[0, 1]);
    f.op("MoveParamI32", 0, &[imm(0)]);
    f.op("MoveParamI32", 1, &[imm(1)]);
    f.op("CVT_s64_s32", 2, &[reg(0), imm(0)]);
    f.op("CVT_s64_s32", 3, &[reg(1), imm(0)]);
    f.op("MoveParamI64", 4, &[imm(2)]);
    f.end_block(&[1]);
    let operands: Vec<_> = [2, 3].into_iter().chain(summand).map(reg).collect();
    let instr = f.op(name, 5, &operands);
    f.end_block(&[1, 2]);
    f.end_block(&[]);
    (f, instr)
}

#[test]
fn addresses_products_in_loops_multiply_32_bits() {
    let erased = [Edit::Erase(vreg(3)), Edit::Erase(vreg(2))];
    let expected = Counts { products: 1, erased: 2, ..Counts::default() };
    let wide = CreatedOp::MulWide(Extension::Sign);
    let fused = CreatedOp::MulAddWide(Extension::Sign);

    let (f, instr) = product_in_loop("MULT64rr", None);
    let product = Edit::SetOperation { instr, op: wide, inputs: inputs(&[0, 1]) };
    assert_eq!(run(f), (expected, [&[product][..], &erased].concat()));

    let (f, instr) = product_in_loop("MAD_LO_S64rrr", Some(4));
    let product = Edit::SetOperation { instr, op: fused, inputs: inputs(&[0, 1, 4]) };
    assert_eq!(run(f), (expected, [&[product][..], &erased].concat()));

    // Before LLVM 22 there is no wide product with a summand.
    let (mut f, instr) = product_in_loop("MAD_LO_S64rrr", Some(4));
    f.machine.missing.push(fused);
    let result = vreg(6);
    let product = Edit::Insert { before: instr, op: wide, inputs: inputs(&[0, 1]), constant: None, result };
    let sum = Edit::SetOperation { instr, op: CreatedOp::Add64, inputs: inputs(&[6, 4]) };
    assert_eq!(run(f), (expected, [&[product, sum][..], &erased].concat()));
}

#[test]
fn addresses_shifts_that_a_loop_reads_become_products() {
    let function = |num_shifts: u32| {
        let mut f = TestFunction::new(14, 3);
        of_32_bits(&mut f, &[0, 1]);
        f.op("MoveParamI32", 0, &[imm(0)]);
        f.op("MoveParamI32", 1, &[imm(1)]);
        f.op("MoveParamI64", 2, &[imm(2)]);
        for k in 0..num_shifts {
            f.op("CVT_s64_s32", 3 + 2 * k, &[reg(k), imm(0)]);
            f.op("SHL64_ri", 4 + 2 * k, &[reg(3 + 2 * k), imm(2)]);
        }
        f.end_block(&[1]);
        for k in 0..num_shifts {
            f.op("ADD64rr", 8 + k, &[reg(2), reg(4 + 2 * k)]);
        }
        f.end_block(&[1, 2]);
        f.end_block(&[]);
        f
    };
    let opcode = NewOpcode::Created(CreatedOp::MulWideSignedConstant);
    let product = |instr, reg| Edit::SetOperands {
        instr: InstrId::from_raw(instr),
        opcode,
        operand: 1,
        reg: vreg(reg),
        constant: 4,
    };
    let edits = vec![product(4, 0), product(6, 1), Edit::Erase(vreg(5)), Edit::Erase(vreg(3))];
    assert_eq!(run(function(2)), (Counts { shifts: 2, erased: 2, ..Counts::default() }, edits));
    assert_eq!(run(function(1)), (Counts::default(), vec![]));
}

#[test]
fn addresses_sums_of_shifted_products_are_shifted_once() {
    let function = |other_shift| {
        let mut f = TestFunction::new(8, 1);
        f.op("MoveParamI64", 0, &[imm(0)]);
        f.op("MoveParamI64", 1, &[imm(1)]);
        let product = f.op("MULT64rr", 2, &[reg(1), reg(0)]);
        f.op("SHL64_ri", 3, &[reg(2), imm(2)]);
        f.op("SHL64_ri", 4, &[reg(1), imm(other_shift)]);
        f.op("ADD64rr", 5, &[reg(0), reg(3)]);
        let last = f.op("ADD64rr", 6, &[reg(5), reg(4)]);
        f.op("NOT_b64", 7, &[reg(6)]);
        f.end_block(&[]);
        assert_eq!((product.raw(), last.raw()), (2, 6));
        f
    };
    let before = InstrId::from_raw(6);
    let (add, shl) = (CreatedOp::Add64, CreatedOp::Shl64);
    let sum = Edit::Insert { before, op: add, inputs: inputs(&[2, 1]), constant: None, result: vreg(8) };
    let shift = Edit::Insert { before, op: shl, inputs: inputs(&[8]), constant: Some(2), result: vreg(9) };
    let last = Edit::SetOperation { instr: before, op: add, inputs: inputs(&[0, 9]) };
    let erased = [5, 3, 4].map(|reg| Edit::Erase(vreg(reg)));
    let edits = [&[sum, shift, last][..], &erased].concat();
    assert_eq!(run(function(2)), (Counts { shifted: 1, ..Counts::default() }, edits));
    assert_eq!(run(function(3)), (Counts::default(), vec![]));
}
