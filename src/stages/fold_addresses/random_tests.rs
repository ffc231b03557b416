//! Checks that random functions compute the same addresses before and after the edits.

use super::edits::{Edit, NewOpcode};
use super::folding::Folding;
use crate::fuzzing::{cases, Rng, FEW};
use crate::mir::VRegId;
use crate::nvptx::created::CreatedOp;
use crate::ssa::forms::Value;
use crate::ssa::testing::{imm, TestFunction};
use std::collections::BTreeMap;

/// An instruction with one result.
#[derive(Clone, Debug)]
struct Instr {
    name: String,
    result: VRegId,
    inputs: Vec<Value>,
}

/// The registers of 32 and of 64 bits that are defined so far, by width.
#[derive(Default)]
struct Defined {
    by_width: [Vec<VRegId>; 2],
}

impl Defined {
    fn pick(&self, rng: &mut Rng, width: u32) -> Value {
        let regs = &self.by_width[usize::from(width == 64)];
        // Mostly one of the last, so that chains are long.
        let back = rng.below(regs.len() as u32).min(rng.below(regs.len() as u32));
        Value::Reg(regs[regs.len() - 1 - back as usize])
    }
}

const LOAD: &str = "LD_i64";

/// Makes a random instruction: the name of its opcode, its width and its inputs.
fn random_instr(rng: &mut Rng, defined: &Defined) -> (&'static str, u32, Vec<Value>) {
    let mut reg = |width| defined.pick(rng, width);
    let (a32, b32, a64, b64, c64) = (reg(32), reg(32), reg(64), reg(64), reg(64));
    let small = imm(i64::from(rng.below(40)) - 8);
    let by = imm(i64::from(1 + rng.below(4)));
    let mask = imm(i64::from(u32::MAX >> rng.below(32) << rng.below(4)));
    match rng.below(20) {
        0 | 1 => ("ADD64rr", 64, vec![a64, b64]),
        2 => ("ADD64ri", 64, vec![a64, small]),
        3 => ("SHL64_ri", 64, vec![a64, by]),
        4 => ("MULT64rr", 64, vec![a64, b64]),
        5 => ("MAD_LO_S64rrr", 64, vec![a64, b64, c64]),
        6 => ("CVT_s64_s32", 64, vec![a32, imm(0)]),
        7 => ("CVT_u64_u32", 64, vec![a32, imm(0)]),
        8 => ("MUL_WIDEs32_ri", 64, vec![a32, small]),
        9 => ("MUL_WIDEu32_ri", 64, vec![a32, by]),
        10 => ("ADD32rr", 32, vec![a32, b32]),
        11 => ("ADD32ri", 32, vec![a32, small]),
        12 => ("OR_b32ri", 32, vec![a32, by]),
        13 => ("OR_b32rr", 32, vec![a32, b32]),
        14 => ("AND_b32ri", 32, vec![a32, mask]),
        15 => ("SHL32_ri", 32, vec![a32, by]),
        16 => ("CVT_u32_u64", 32, vec![a64, imm(0)]),
        _ => {
            let immediates = [0, 0, 1, i64::from(rng.below(2)), [8, 16, 32, 64][rng.below(4) as usize], -1];
            let offset = imm(i64::from(rng.below(64)));
            (LOAD, 64, immediates.into_iter().map(imm).chain([a64, offset]).collect())
        }
    }
}

/// Makes parameters, and blocks of random instructions; the second block is a loop.
fn random_blocks(rng: &mut Rng) -> [Vec<Instr>; 2] {
    let mut defined = Defined::default();
    let mut next = 0;
    let mut push = |block: &mut Vec<Instr>, defined: &mut Defined, name: &str, width, inputs| {
        let result = VRegId::from_raw(next);
        next += 1;
        block.push(Instr { name: name.to_owned(), result, inputs });
        defined.by_width[usize::from(width == 64)].push(result);
    };
    let mut blocks = [Vec::new(), Vec::new()];
    for width in [32, 64, 32, 64] {
        let name = if width == 32 { "MoveParamSymbolI32" } else { "MoveParamSymbolI64" };
        push(&mut blocks[0], &mut defined, name, width, vec![imm(0)]);
    }
    let mut shifted = Vec::new();
    for block in &mut blocks {
        for _ in 0..10 {
            let (name, width, inputs) = random_instr(rng, &defined);
            push(block, &mut defined, name, width, inputs);
        }
        // Indices that are extended and shifted before the loop, and products that are shifted in
        // it.
        for by in [2, 2] {
            let start = if shifted.len() < 2 { ("CVT_s64_s32", 32) } else { ("MULT64rr", 64) };
            let other = if start.1 == 32 { imm(0) } else { Value::Reg(VRegId::from_raw(1)) };
            let first = defined.pick(rng, start.1);
            push(block, &mut defined, start.0, 64, vec![first, other]);
            let first = Value::Reg(*defined.by_width[1].last().expect("it was pushed"));
            push(block, &mut defined, "SHL64_ri", 64, vec![first, imm(by)]);
            shifted.push(Value::Reg(*defined.by_width[1].last().expect("it was pushed")));
        }
    }
    for pair in shifted.chunks(2) {
        let base = Value::Reg(VRegId::from_raw(3));
        push(&mut blocks[1], &mut defined, "ADD64rr", 64, vec![base, pair[0]]);
        let sum = Value::Reg(*defined.by_width[1].last().expect("it was pushed"));
        push(&mut blocks[1], &mut defined, "ADD64rr", 64, vec![sum, pair[1]]);
        let address = Value::Reg(*defined.by_width[1].last().expect("it was pushed"));
        let operands = [0, 0, 1, 0, 64, -1].map(imm).into_iter().chain([address, imm(0)]).collect();
        push(&mut blocks[1], &mut defined, LOAD, 64, operands);
    }
    blocks
}

/// Returns a static copy of an opcode's name.
fn static_name(name: &str) -> &'static str {
    const NAMES: [&str; 19] = [
        "MoveParamSymbolI32",
        "MoveParamSymbolI64",
        "ADD64rr",
        "ADD64ri",
        "SHL64_ri",
        "MULT64rr",
        "MAD_LO_S64rrr",
        "CVT_s64_s32",
        "CVT_u64_u32",
        "MUL_WIDEs32_ri",
        "MUL_WIDEu32_ri",
        "ADD32rr",
        "ADD32ri",
        "OR_b32ri",
        "OR_b32rr",
        "AND_b32ri",
        "SHL32_ri",
        "CVT_u32_u64",
        LOAD,
    ];
    NAMES.into_iter().find(|&n| n == name).expect("a name of random_instr's")
}

fn function(blocks: &[Vec<Instr>; 2]) -> TestFunction {
    let mut f = TestFunction::new(blocks.iter().map(Vec::len).sum(), 3);
    for (block, succs) in blocks.iter().zip([&[1][..], &[1, 2]]) {
        for Instr { name, result, inputs } in block {
            f.op(static_name(name), result.raw(), inputs);
            if ["I32", "32r", "32_ri", "u32_u64"]
                .iter()
                .any(|end| name.ends_with(end) || name.contains("b32"))
                && !name.contains("WIDE")
                || name.starts_with("ADD32")
            {
                f.machine.regs_of_32_bits.insert(*result);
            }
        }
        f.end_block(succs);
    }
    f.end_block(&[]);
    f
}

/// Computes the result of an instruction. A loaded value depends only on its place in memory and
/// its type.
fn compute(name: &str, inputs: &[u64]) -> u64 {
    let low = |value: u64| u64::from(value as u32);
    let signed = |value: u64| i64::from(value as i32) as u64;
    match *inputs {
        [a, b] if name.starts_with("ADD64") => a.wrapping_add(b),
        [a, b] if name.starts_with("ADD32") => low(a.wrapping_add(b)),
        [a, b] if name.starts_with("OR_b32") => low(a | b),
        [a, b] if name.starts_with("AND_b32") => low(a & b),
        [a, by] if name == "SHL64_ri" => a << by,
        [a, by] if name == "SHL32_ri" => low(a << by),
        [a, b] if name.starts_with("MUL_WIDEs32") => signed(a).wrapping_mul(signed(b)),
        [a, b] if name.starts_with("MUL_WIDEu32") => low(a).wrapping_mul(low(b)),
        [a, b, c] if name == "MAD_WIDE_S32rrr" => signed(a).wrapping_mul(signed(b)).wrapping_add(c),
        [a, b, c] if name == "MAD_WIDE_U32rrr" => low(a).wrapping_mul(low(b)).wrapping_add(c),
        [a, b] if name == "MULT64rr" => a.wrapping_mul(b),
        [a, b, c] if name == "MAD_LO_S64rrr" => a.wrapping_mul(b).wrapping_add(c),
        [a, 0] if name == "CVT_s64_s32" => signed(a),
        [a, 0] if name == "CVT_u64_u32" || name == "CVT_u32_u64" => low(a),
        [.., kind, bits, _, address, offset] if name == LOAD => {
            let place = address.wrapping_add(offset);
            let value = (place ^ place >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
            let shift = 64 - bits;
            if kind == 1 {
                ((value << shift) as i64 >> shift) as u64
            } else {
                value
            }
        }
        _ => panic!("{name} of {inputs:?}"),
    }
}

/// Computes the places that the loads read, by the register that they define.
fn places<'a>(code: impl Iterator<Item = &'a Instr>, parameters: &[u64]) -> BTreeMap<VRegId, u64> {
    let mut values: BTreeMap<VRegId, u64> = BTreeMap::new();
    let mut places = BTreeMap::new();
    for Instr { name, result, inputs } in code {
        let value = |input: &Value| match *input {
            Value::Reg(reg) => values[&reg],
            Value::Imm(imm) => imm as u64,
        };
        let inputs: Vec<u64> = inputs.iter().map(value).collect();
        if let (LOAD, [.., address, offset]) = (name.as_str(), &inputs[..]) {
            places.insert(*result, address.wrapping_add(*offset));
        }
        let value = match parameters.get(result.index()) {
            Some(&parameter) => parameter,
            None => compute(name, &inputs),
        };
        values.insert(*result, value);
    }
    places
}

/// Makes an edit. Instructions are found by their results, as at first both have the same numbers.
fn apply(code: &mut Vec<Instr>, edit: &Edit) {
    let position = |code: &[Instr], reg: u32| {
        code.iter().position(|i| i.result.raw() == reg).expect("the instruction is there")
    };
    let created = |op: CreatedOp| op.names()[1].to_owned();
    let registers = |regs: &[VRegId]| regs.iter().map(|&reg| Value::Reg(reg)).collect::<Vec<_>>();
    match *edit {
        Edit::SetOperands { instr, opcode, operand, reg, constant } => {
            let at = position(code, instr.raw());
            let instr = &mut code[at];
            instr.name = match opcode {
                NewOpcode::Same => instr.name.clone(),
                NewOpcode::Counterpart(which) => which.name(&instr.name),
                NewOpcode::Created(op) => created(op),
            };
            instr.inputs.truncate(operand + 1);
            instr.inputs.resize(operand + 1, imm(0));
            (instr.inputs[operand - 1], instr.inputs[operand]) = (Value::Reg(reg), imm(constant));
        }
        Edit::SetOperation { instr, op, inputs } => {
            let at = position(code, instr.raw());
            (code[at].name, code[at].inputs) = (created(op), registers(inputs.as_slice()));
        }
        Edit::Insert { before, op, inputs, constant, result } => {
            let mut inputs = registers(inputs.as_slice());
            inputs.extend(constant.map(|constant| imm(i64::from(constant))));
            let at = position(code, before.raw());
            code.insert(at, Instr { name: created(op), result, inputs });
        }
        Edit::Erase(reg) => {
            let at = position(code, reg.raw());
            code.remove(at);
            let is_read = |i: &Instr| i.inputs.iter().any(|&v| matches!(v, Value::Reg(r) if r == reg));
            assert!(!code.iter().any(is_read), "something reads {reg:?}");
        }
    }
}

#[test]
fn addresses_of_random_functions_stay_the_same() {
    let mut folding = Folding::default();
    let mut seen = [0; 5];
    for seed in 0..cases(1000) {
        let mut rng = Rng::new(seed + 1);
        let blocks = random_blocks(&mut rng);
        let (facts, machine) = function(&blocks).finish();
        let counts = folding.run(&facts, &machine);
        let count = [counts.folded, counts.sums, counts.shifted, counts.products, counts.shifts];
        seen.iter_mut().zip(count).for_each(|(seen, count)| *seen += count);
        let before: Vec<Instr> = blocks.concat();
        let mut after = before.clone();
        folding.edits().iter().for_each(|edit| apply(&mut after, edit));
        for _ in 0..4 {
            let wide = |rng: &mut Rng| u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX));
            let narrow = |rng: &mut Rng| u64::from(rng.below(u32::MAX) >> rng.below(32));
            let parameters = [narrow(&mut rng), wide(&mut rng), narrow(&mut rng), wide(&mut rng)];
            let [old, new] = [&before, &after].map(|code| places(code.iter(), &parameters));
            assert_eq!(old, new, "seed {seed}: {before:#?}, {:#?}", folding.edits());
        }
    }
    assert!(FEW || seen.iter().all(|&n| n > 3), "folded, sums, shifted, products, shifts: {seen:?}");
}
