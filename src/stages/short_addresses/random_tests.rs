//! Checks that random functions access the same addresses before and after the edits.

use super::demand::Demand;
use super::edits::{Edit, Editor};
use super::roles::Roles;
use crate::fuzzing::{cases, Rng, FEW};
use crate::mir::{AddressSpace, InstrId, VRegId};
use crate::nvptx::counterparts::Counterpart;
use crate::ssa::forms::Value;
use crate::ssa::testing::{imm, TestFunction};
use std::collections::{BTreeMap, BTreeSet};

const SHARED: AddressSpace = AddressSpace::Shared;
const GLOBAL: AddressSpace = AddressSpace::Global;
const LOAD: &str = "LD_i64";

/// An instruction with one result, which has 64 bits or 32.
#[derive(Clone, Debug)]
struct Instr {
    name: String,
    result: VRegId,
    inputs: Vec<Value>,
    bits: u32,
    /// The address space of a load.
    space: Option<AddressSpace>,
}

/// Makes a random instruction on registers of 64 and of 32 bits.
fn random_instr(rng: &mut Rng, wide: &[VRegId], narrow: &[VRegId], result: VRegId) -> Instr {
    let mut pick = |regs: &[VRegId]| {
        let back = rng.below(regs.len() as u32).min(rng.below(regs.len() as u32));
        Value::Reg(regs[regs.len() - 1 - back as usize])
    };
    let (a, b, c) = (pick(wide), pick(wide), pick(wide));
    let (n, m) = (pick(narrow), pick(narrow));
    let any = imm((i64::from(rng.below(u32::MAX)) - (1 << 20)) << rng.below(8));
    let by = imm(i64::from(rng.below(40)));
    let (name, bits, inputs) = match rng.below(20) {
        0 => ("ADD64rr", 64, vec![a, b]),
        1 => ("ADD64ri", 64, vec![a, any]),
        2 => ("SUB64rr", 64, vec![a, b]),
        3 => ("SHL64_ri", 64, vec![a, by]),
        4 => ("SHL64_rr", 64, vec![a, n]),
        5 => ("MULT64rr", 64, vec![a, b]),
        6 => ("MAD_LO_S64rrr", 64, vec![a, b, c]),
        7 => ("CVT_s64_s32", 64, vec![n, imm(0)]),
        8 => ("CVT_u64_u32", 64, vec![n, imm(0)]),
        9 => ("MUL_WIDEs32_ri", 64, vec![n, imm(12)]),
        10 => ("MUL_WIDEu32_rr", 64, vec![n, m]),
        11 => ("AND_b64rr", 64, vec![a, b]),
        12 => ("XOR_b64ri", 64, vec![a, any]),
        13 => ("NOT_b64", 64, vec![a]),
        14 => ("SRL64_ri", 64, vec![a, imm(i64::from(rng.below(20)))]),
        15 => ("CVT_u32_u64", 32, vec![a, imm(0)]),
        16 => ("ADD32rr", 32, vec![n, m]),
        _ => {
            let space = if rng.below(4) == 0 { GLOBAL } else { SHARED };
            let immediates = [0, 0, i64::from(space.number()), 0, 64, -1].map(imm);
            let inputs = immediates.into_iter().chain([a, imm(i64::from(rng.below(64)))]).collect();
            return Instr { name: LOAD.to_owned(), result, inputs, bits: 64, space: Some(space) };
        }
    };
    Instr { name: name.to_owned(), result, inputs, bits, space: None }
}

/// Makes a function of one block whose first registers are parameters: two of 64 bits and two of
/// 32.
fn random_code(rng: &mut Rng) -> Vec<Instr> {
    let v = VRegId::from_raw;
    let (mut wide, mut narrow) = (vec![v(0), v(1)], vec![v(2), v(3)]);
    let mut code = Vec::new();
    for result in (4..8 + rng.below(24)).map(v) {
        let instr = random_instr(rng, &wide, &narrow, result);
        if instr.bits == 64 { &mut wide } else { &mut narrow }.push(result);
        code.push(instr);
    }
    code
}

fn function(code: &[Instr]) -> TestFunction {
    let mut f = TestFunction::new(4 + code.len(), 1);
    let narrow = code.iter().filter(|instr| instr.bits == 32).map(|instr| instr.result);
    f.machine.regs_of_32_bits = narrow.chain([2, 3].map(VRegId::from_raw)).collect();
    for instr in code {
        let number = f.op(leak(&instr.name), instr.result.raw(), &instr.inputs);
        if let Some(space) = instr.space {
            f.machine.spaces.insert(number, space);
        }
    }
    f.end_block(&[]);
    f
}

/// Returns a static copy of an opcode's name.
fn leak(name: &str) -> &'static str {
    const NAMES: [&str; 18] = [
        "ADD64rr",
        "ADD64ri",
        "SUB64rr",
        "SHL64_ri",
        "SHL64_rr",
        "MULT64rr",
        "MAD_LO_S64rrr",
        "CVT_s64_s32",
        "CVT_u64_u32",
        "MUL_WIDEs32_ri",
        "MUL_WIDEu32_rr",
        "AND_b64rr",
        "XOR_b64ri",
        "NOT_b64",
        "SRL64_ri",
        "CVT_u32_u64",
        "ADD32rr",
        LOAD,
    ];
    NAMES.into_iter().find(|&n| n == name).expect("it is listed")
}

/// Computes the addresses of the loads, in order; those in shared memory modulo 2^32.
fn addresses(code: &[Instr], parameters: [u64; 4]) -> Vec<u64> {
    let mut known: BTreeMap<VRegId, u64> =
        parameters.into_iter().enumerate().map(|(reg, value)| (VRegId::from_usize(reg), value)).collect();
    let mut accessed = Vec::new();
    for instr in code {
        let inputs: Vec<u64> = instr
            .inputs
            .iter()
            .map(|&input| match input {
                Value::Reg(reg) => known[&reg],
                Value::Imm(value) => value as u64,
            })
            .collect();
        let value = match instr.space {
            Some(space) => {
                let address = inputs[6].wrapping_add(inputs[7]);
                let address = if space == SHARED { u64::from(address as u32) } else { address };
                accessed.push(address);
                address.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }
            None => compute(&instr.name, &inputs),
        };
        known.insert(instr.result, if instr.bits == 32 { u64::from(value as u32) } else { value });
    }
    accessed
}

fn compute(name: &str, inputs: &[u64]) -> u64 {
    let (a, b) = (inputs[0], inputs.get(1).copied().unwrap_or(0));
    let shift = |bits: u32| if b < u64::from(bits) { a << b } else { 0 };
    match name {
        "ADD64rr" | "ADD64ri" | "ADD32rr" | "ADD32ri" => a.wrapping_add(b),
        "SUB64rr" | "SUB32rr" => a.wrapping_sub(b),
        "SHL64_ri" | "SHL64_rr" => shift(64),
        "SHL32_ri" | "SHL32_rr" => shift(32),
        "MULT64rr" | "MULT32rr" | "MULT32ri" => a.wrapping_mul(b),
        "MAD_LO_S64rrr" | "MAD_LO_S32rrr" => a.wrapping_mul(b).wrapping_add(inputs[2]),
        "CVT_s64_s32" => i64::from(a as i32) as u64,
        "CVT_u64_u32" | "CVT_u32_u64" => u64::from(a as u32),
        "MUL_WIDEs32_ri" => (i64::from(a as i32) * i64::from(b as i32)) as u64,
        "MUL_WIDEu32_rr" => u64::from(a as u32) * u64::from(b as u32),
        "AND_b64rr" | "AND_b32rr" => a & b,
        "XOR_b64ri" | "XOR_b32ri" => a ^ b,
        "NOT_b64" | "NOT_b32" => !a,
        "SRL64_ri" => a >> b,
        _ => unreachable!("{name}"),
    }
}

/// Makes the edits. Truncations are put after the definitions of what they read, or first for
/// parameters.
fn apply(code: &[Instr], edits: &[Edit]) -> Vec<Instr> {
    let mut code = code.to_vec();
    let original: Vec<VRegId> = code.iter().map(|instr| instr.result).collect();
    let at = |code: &[Instr], reg: VRegId| code.iter().position(|instr| instr.result == reg);
    let of = |code: &[Instr], instr: InstrId| at(code, original[instr.index()]).expect("it is there");
    for &edit in edits {
        match edit {
            Edit::Narrow(reg) => {
                let index = at(&code, reg).expect("it is there");
                code[index].bits = 32;
            }
            Edit::Truncate { of, result } => {
                let index = at(&code, of).map_or(0, |index| index + 1);
                let inputs = vec![Value::Reg(of), imm(0)];
                code.insert(
                    index,
                    Instr { name: "CVT_u32_u64".to_owned(), result, inputs, bits: 32, space: None },
                );
            }
            Edit::SetRead { instr, operand, reg } => {
                let index = of(&code, instr);
                code[index].inputs[operand - 1] = Value::Reg(reg);
            }
            Edit::LowHalf(instr) => {
                let index = of(&code, instr);
                code[index].name = Counterpart::LowHalf.name(&code[index].name);
                for input in &mut code[index].inputs {
                    if let Value::Imm(value) = input {
                        *value = i64::from(*value as i32);
                    }
                }
            }
            Edit::ShortAddress(_) => {}
            Edit::Replace { reg, by } => {
                code.retain(|instr| instr.result != reg);
                for input in code.iter_mut().flat_map(|instr| &mut instr.inputs) {
                    if matches!(*input, Value::Reg(read) if read == reg) {
                        *input = Value::Reg(by);
                    }
                }
            }
        }
    }
    code
}

/// Asserts that operations of 64 bits read registers of 64, and addresses of global memory have 64
/// bits.
fn assert_sizes(code: &[Instr]) {
    let mut narrow: BTreeSet<VRegId> = [2, 3].map(VRegId::from_raw).into();
    for instr in code {
        let reads_narrow: Vec<bool> = instr
            .inputs
            .iter()
            .filter_map(|input| if let Value::Reg(reg) = input { Some(narrow.contains(reg)) } else { None })
            .collect();
        let expected = match instr.name.as_str() {
            LOAD if instr.space == Some(SHARED) => None,
            LOAD | "CVT_u32_u64" => Some(false),
            "CVT_s64_s32" | "CVT_u64_u32" | "MUL_WIDEs32_ri" | "MUL_WIDEu32_rr" => Some(true),
            name => Some(name.contains("32")),
        };
        let is_right = expected.is_none_or(|is_narrow| reads_narrow[0] == is_narrow);
        assert!(is_right, "{instr:?} in {code:#?}");
        if instr.bits == 32 {
            narrow.insert(instr.result);
        }
    }
}

#[test]
fn random_functions_access_the_same_addresses() {
    let (mut demand, mut edits) = (Demand::default(), Vec::new());
    let mut seen = [0; 4];
    for seed in 0..cases(2000) {
        let mut rng = Rng::new(seed + 1);
        let code = random_code(&mut rng);
        let (facts, machine) = function(&code).finish();
        edits.clear();
        demand.find(&facts, &machine);
        let counts = Editor::new(Roles { facts: &facts, machine: &machine }, &demand, &mut edits).run();
        let count = [counts.addresses, counts.registers, counts.conversions, counts.truncations];
        seen.iter_mut().zip(count).for_each(|(seen, count)| *seen += count);
        let after = apply(&code, &edits);
        assert_sizes(&after);
        for _ in 0..4 {
            let mut any = || u64::from(rng.below(u32::MAX)) << 32 | u64::from(rng.below(u32::MAX));
            let parameters = [any(), any(), any() >> 32, any() >> 32];
            let [old, new] = [&code, &after].map(|code| addresses(code, parameters));
            assert_eq!(old, new, "seed {seed}: {code:#?}, {edits:#?}");
        }
    }
    assert!(FEW || seen.iter().all(|&n| n > 20), "addresses, registers, conversions, truncations: {seen:?}");
}
