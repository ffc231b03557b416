//! Tests the samples on functions in memory.

use super::accesses::{first_difference, Access, Compared, Place};
use super::arithmetic::compute;
use super::computation::{Computation, Extension, InductionVariable, Input, ValueSource};
use super::random::SAMPLES;
use super::{num_values, SampledValues, Values};
use crate::mir::VRegId;
use Input::{Imm, Other};

/// The computations of registers, and induction variables by register.
struct Listed(Vec<Option<Computation>>, Vec<(VRegId, InductionVariable)>);
impl ValueSource for Listed {
    fn computation(&mut self, reg: VRegId) -> Option<Computation> {
        self.0[reg.index()].clone()
    }
    fn induction_variable(&mut self, reg: VRegId) -> Option<InductionVariable> {
        self.1.iter().find(|(of, _)| *of == reg).map(|&(_, variable)| variable)
    }
    fn extension(&mut self, _: VRegId) -> Option<Extension> {
        None
    }
    fn bits(&self, _: VRegId) -> u32 {
        0
    }
    fn max_threads(&self) -> [u32; 3] {
        [1024; 3]
    }
}
fn reg(index: u32) -> Input {
    Input::Reg(VRegId::new(index as usize))
}
fn def(mnemonic: &str, inputs: &[Input]) -> Option<Computation> {
    Some(Computation {
        mnemonic: mnemonic.into(),
        name: String::new(),
        inputs: inputs.to_vec(),
        content: None,
    })
}
fn values(defs: Vec<Option<Computation>>, reg: usize, constant: i64) -> Values {
    let mut samples = SampledValues::default();
    samples.clear(defs.len());
    samples.of_sum(&mut Listed(defs, Vec::new()), VRegId::new(reg), constant)
}

#[test]
fn k1_addresses_or_is_a_sum_where_bits_are_clear() {
    let address = |shift, imm| {
        vec![
            None,
            None,
            def("shl.b32 \t", &[reg(0), Imm(shift)]),
            def("or.b32", &[reg(2), Imm(imm)]),
            def("mul.wide.u32 ", &[reg(3), Imm(8)]),
            def("add.s64", &[reg(1), reg(4)]),
            def("mul.wide.u32", &[reg(2), Imm(8)]),
            def("add.s64", &[reg(1), reg(6)]),
        ]
    };
    let sum = values(address(2, 3), 5, 0);
    assert_eq!(sum, values(address(2, 3), 7, 24));
    assert_ne!(sum, values(address(2, 3), 7, 23));
    assert_ne!(values(address(2, 4), 5, 0), values(address(2, 4), 7, 32));
    // A sum may wrap around in 32 bits.
    for imm in [1, 1 << 31] {
        let mut defs = address(0, 0);
        defs[3] = def("add.s32", &[reg(2), Imm(imm)]);
        assert_ne!(values(defs.clone(), 5, 0), values(defs, 7, 8 * imm), "{imm}");
    }
}

#[test]
fn k1_addresses_signs() {
    for (name, value, result) in [
        ("CVT_s64_s32", 0xffff_ffff, Some(u64::MAX)),
        ("CVT_u64_u32", 0xffff_ffff, Some(0xffff_ffff)),
        ("CVT_u32_u64", 0x1_0000_0002, Some(2)),
        ("CVT_f32_u32", 1, None),
    ] {
        assert_eq!(compute("cvt", name, &[value, 0]), result, "{name}");
    }
    assert_eq!(compute("mul.wide.s32", "", &[0xffff_ffff, 4]), Some(-4i64 as u64));
    assert_eq!(compute("mul.wide.u32", "", &[0xffff_ffff, 4]), Some(0x3_ffff_fffc));
    assert_eq!(compute("mad.wide.s32", "", &[0xffff_ffff, 4, 5]), Some(1));
    assert_eq!(compute("mad.wide.u32", "", &[0xffff_ffff, 4, 5]), Some(0x4_0000_0001));
    assert_eq!(compute("shr.s32", "", &[0x8000_0000, 4]), Some(0xf800_0000));
    assert_eq!(compute("shr.s32", "", &[0x8000_0000, 99]), Some(0xffff_ffff));
    assert_eq!(compute("shr.s64", "", &[1, 4]), None);
    assert_eq!(compute("bfe.u32", "", &[0xabcd, 4, 8]), Some(0xbc));
    assert_eq!(compute("bfe.s32", "", &[0xabcd, 4, 8]), Some(0xffff_ffbc));
    assert_eq!(compute("bfe.s32", "", &[0x7bcd, 8, 8]), Some(0x7b));
    assert_eq!(compute("add.s16x2", "ADD16x2", &[0xffff_ffff, 0x0001_0002]), Some(1));
    assert_eq!(compute("add.s16x2", "ADD16x2", &[0x1234_ffff, 0x0001_0001]), Some(0x1235_0000));
    assert_eq!(compute("mov.b32", "I32toI16L_Sink", &[0x1234_5678]), Some(0x5678));
    assert_eq!(compute("{ .reg .b16 tmp; mov.b32", "I32toI16H", &[0x1234_5678]), Some(0x1234));
    assert_eq!(compute("mov.b64", "", &[1, 2]), None);
    assert_eq!(compute("mov.u32", "INT_PTX_SREG_TID_x", &[]), None);
}

#[test]
fn k1_addresses_what_is_loaded_is_extended() {
    let extended = |value, bits, is_signed| Extension { bits, is_signed }.of(value);
    assert_eq!(extended(0x1_8000_0001, 32, true), 0xffff_ffff_8000_0001);
    assert_eq!(extended(0x1_8000_0001, 32, false), 0x8000_0001);
    assert_eq!(extended(0x1_8001, 16, true), 0xffff_ffff_ffff_8001);
}

#[test]
fn k1_addresses_what_depends_on_its_operands_alone_is_a_hash_of_them() {
    let fma = |content, operands: &[Input]| {
        let fma = def("fma.rn.f32", operands).map(|d| Computation { content: Some(content), ..d });
        values(vec![None, None, None, fma], 3, 0)
    };
    let one = fma(7, &[reg(0), Other, reg(1)]);
    assert_eq!(one, fma(7, &[reg(0), Other, reg(1)]));
    assert_ne!(one, fma(8, &[reg(0), Other, reg(1)]));
    assert_ne!(one, fma(7, &[reg(1), Other, reg(0)]));
    assert_ne!(one, fma(7, &[reg(0), Other, reg(2)]));
}

#[test]
fn k1_addresses_induction_variables_of_one_loop_have_as_many_iterations() {
    // %3 and %4 are variables; %5 = %3 + %2.
    let values = |steps: [Input; 2], loop_keys: [u64; 2], bits| {
        let mut defs = vec![None; 6];
        defs[1] = def("add.s64", &[reg(0), reg(2)]);
        defs[5] = def("add.s64", &[reg(3), reg(2)]);
        let variable = |which: usize| {
            let (start, step, loop_key) = (VRegId::new(which), steps[which], loop_keys[which]);
            (start + 3, InductionVariable { start, step, loop_key, bits })
        };
        let mut source = Listed(defs, vec![variable(0), variable(1)]);
        let mut samples = SampledValues::default();
        samples.clear(6);
        let mut is_variable = |reg| source.induction_variable(VRegId::new(reg)).is_some();
        assert!(is_variable(3) && !is_variable(5));
        [5, 4].map(|reg| samples.of_sum(&mut source, VRegId::new(reg), 0))
    };
    for step in [Imm(-8), reg(2)] {
        let [sum, own] = values([step; 2], [7; 2], 64);
        assert_eq!(sum, own);
        let [sum, own] = values([step; 2], [7, 8], 64);
        assert_ne!(sum, own);
        let [sum, own] = values([step; 2], [7; 2], 32);
        assert_ne!(sum, own);
    }
    let [sum, own] = values([Imm(8), Imm(4)], [7; 2], 64);
    assert_ne!(sum, own);
}

/// Guards a fix; tests/fuzz/run.py found the error. A register that waited to be computed was
/// mistaken for one that depends on itself.
#[test]
fn k1_addresses_a_step_that_waits_is_not_a_cycle() {
    // %3 begins with %0 and steps by %2 to %4, %5 begins with %0 + %2.
    let mut defs = vec![None; 6];
    defs[1] = def("add.s64", &[reg(0), reg(2)]);
    defs[4] = def("add.s64", &[reg(2), reg(3)]);
    let variable =
        |start| InductionVariable { start: VRegId::new(start), step: reg(2), loop_key: 7, bits: 64 };
    let variables = vec![(VRegId::new(3), variable(0)), (VRegId::new(5), variable(1))];
    let mut source = Listed(defs, variables);
    let mut samples = SampledValues::default();
    samples.clear(6);
    let [next, own] = [4, 5].map(|reg| samples.of_sum(&mut source, VRegId::new(reg), 0));
    assert_eq!(next, own);
}

#[test]
fn k1_addresses_differ() {
    let access = |key, value| Access { key, values: [value; SAMPLES], bits: 64, place: Place::Other };
    let compared = Compared::default();
    let before = [access(1, 5), access(2, 6)];
    assert_eq!(first_difference(&before, &before, compared), None);
    assert_eq!(first_difference(&before, &[access(1, 5), access(2, 7)], compared), Some(1));
    assert_eq!(first_difference(&before, &[access(2, 6), access(1, 5)], compared), Some(0));
    assert_eq!(first_difference(&before, &before[..1], compared), Some(1));
}

#[test]
fn k1_addresses_the_number_of_a_lane_has_a_name_in_each_version() {
    for name in ["INT_PTX_SREG_LANEID", "SREG_LANEID"] {
        assert_eq!(num_values(name, [1024; 3]), Some(32));
    }
    assert_eq!(num_values("INT_PTX_SREG_TID_y", [1, 7, 1]), Some(7));
    assert_eq!(num_values("INT_PTX_SREG_CTAID_x", [1; 3]), None);
}

#[test]
fn k1_low_halves_are_enough_for_short_addresses_and_phis() {
    const VALUE: u64 = 0x1234_5678_9abc_def0;
    let access = |value, bits, place| [Access { key: 1, values: [value; SAMPLES], bits, place }];
    let low_halves = |low_halves| Compared { low_halves, ..Compared::default() };
    for (place, is_enough) in [(Place::SmallAddress, true), (Place::Phi, true), (Place::Other, false)] {
        let before = access(VALUE, 64, place);
        let found = |value, bits, compared| first_difference(&before, &access(value, bits, place), compared);
        let expected = if is_enough { None } else { Some(0) };
        assert_eq!(found(VALUE & 0xffff_ffff, 32, low_halves(true)), expected, "{place:?}");
        assert_eq!(found(VALUE & 0xffff_ffff, 32, low_halves(false)), Some(0), "{place:?}");
        assert_eq!(found(VALUE & 0xffff_ffff ^ 1, 32, low_halves(true)), Some(0), "{place:?}");
        // A register of 64 bits keeps them all.
        assert_eq!(found(VALUE & 0xffff_ffff, 64, low_halves(true)), Some(0), "{place:?}");
    }
    // The sum of a 32-bit register and an offset wraps around.
    let before = access(0x1_0000_0004, 32, Place::SmallAddress);
    assert_eq!(first_difference(&before, &access(4, 32, Place::SmallAddress), low_halves(false)), None);
}

#[test]
fn k1_low_halves_of_selects_and_conversions() {
    assert_eq!(compute("selp.b64 ", "SELP_b64rr", &[1 << 40, 7, 3]), Some(1 << 40));
    assert_eq!(compute("selp.b32 ", "SELP_b32rr", &[5, 7, 2]), Some(7));
    assert_eq!(compute("not.b32 ", "NOT_b32", &[1]), Some(0xffff_fffe));
    assert_eq!(compute("neg.s64 ", "NEG_S64", &[1]), Some(u64::MAX));
    assert_eq!(compute("cvt.s64.s16", "CVT_s64_s16", &[0x1_8000, 0]), Some(0xffff_ffff_ffff_8000));
    assert_eq!(compute("cvt.s32.s16", "CVT_s32_s16", &[0x1_8000, 0]), Some(0xffff_8000));
    assert_eq!(compute("cvt.s32.s8", "CVT_INREG_s32_s8", &[0x180]), Some(0xffff_ff80));
    assert_eq!(compute("mov.b64", "V2I32toI64", &[1, 2]), Some(0x2_0000_0001));
}
