//! Floating-point instructions against known results, and properties on random bits.
//!
//! **Problem.** Rounding goes wrong in rare places: ties, subnormal numbers, the step to infinity.
//! A random number is hardly ever there. **Method.** Known results for each such place. Random
//! bits, half of them near such a place ([`Random`]), compared with rustc_apfloat. That shares no
//! code with what is tested, except in other directions in `f64`: there the tests check that it is
//! called correctly. It has no roots; those are tested by exact squares.

use rustc_apfloat::ieee::{BFloat, Double, Float8E4M3FN, Float8E5M2, Half, Single};
use rustc_apfloat::{Float as ApFloat, FloatConvert, Round};

use super::arithmetic::compute;
use super::*;

fn decode(opcode: &str) -> Option<Float> {
    Float::decode(&opcode.split('.').collect::<Vec<_>>())
}

fn eval(opcode: &str, operands: &[u64]) -> u64 {
    let instruction = decode(opcode).unwrap_or_else(|| panic!("{opcode} is not decoded"));
    assert_eq!(instruction.num_operands(), operands.len(), "{opcode}");
    let mut all = [0; 3];
    all[..operands.len()].copy_from_slice(operands);
    let result = instruction.eval(all);
    let width = instruction.result_width();
    assert_eq!(result & !(u64::MAX >> (64 - width)), 0, "{opcode}: bits above the result");
    result
}

#[track_caller]
fn check(opcode: &str, operands: &[u64], expected: u64) {
    let result = eval(opcode, operands);
    assert_eq!(result, expected, "{opcode} {operands:#x?}: {result:#x}, not {expected:#x}");
}

fn single(value: f32) -> u64 {
    u64::from(value.to_bits())
}

fn double(value: f64) -> u64 {
    value.to_bits()
}

const F32_NAN: u64 = 0x7fff_ffff;
const F64_NAN: u64 = 0x7fff_ffff_ffff_ffff;
/// A NaN that is not the canonical one.
const F32_OTHER_NAN: u64 = 0xffc0_0001;
const F32_INFINITY: u64 = 0x7f80_0000;
const F32_MAX: u64 = 0x7f7f_ffff;
const F32_NEGATIVE: u64 = 0x8000_0000;
const ALL_ROUNDINGS: [(&str, Rounding, Round); 4] = [
    ("rn", Rounding::Nearest, Round::NearestTiesToEven),
    ("rz", Rounding::Zero, Round::TowardZero),
    ("rm", Rounding::Down, Round::TowardNegative),
    ("rp", Rounding::Up, Round::TowardPositive),
];

/// Random bits, many of them near a special number.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = mix(self.0, 1);
        self.0
    }

    fn number(&mut self, format: Format) -> u64 {
        let word = self.word();
        let special = [
            0,
            1,
            format.one(),
            format.max_finite(),
            format.exponent_field(),
            format.nan(),
            1 << format.fraction_bits(),
            1 << (format.fraction_bits() - 1),
        ];
        let bits = match word & 7 {
            0 => special[(word >> 8) as usize % special.len()],
            1 => special[(word >> 8) as usize % special.len()].wrapping_add((word >> 16) % 5).wrapping_sub(2),
            // Few bits in the fraction: ties.
            2 => word >> 8 & (u64::MAX << (format.fraction_bits() / 2)),
            // Exponents near that of one: operands of similar size.
            3 | 4 => format.one() ^ (word >> 8 & ((8 << format.fraction_bits()) - 1)),
            _ => word >> 4,
        };
        bits & format.mask() ^ if word >> 63 == 1 { format.sign_bit() } else { 0 }
    }
}

// ---- known results

#[test]
fn rounding_of_sums() {
    let tiny = 0x0000_0001;
    for (rounding, up, down) in [("rn", 0, 0), ("rz", 0, -1), ("rm", 0, -1), ("rp", 1, 0)] {
        let near = |steps: i64| (single(1.0) as i64 + steps) as u64;
        check(&format!("add.{rounding}.f32"), &[single(1.0), tiny], near(up));
        check(&format!("sub.{rounding}.f32"), &[single(1.0), tiny], near(down));
        check(&format!("fma.{rounding}.f32"), &[tiny, tiny, single(1.0)], near(up));
        let near = |steps: i64| (double(1.0) as i64 + steps) as u64;
        check(&format!("add.{rounding}.f64"), &[double(1.0), 1], near(up));
        check(&format!("sub.{rounding}.f64"), &[double(1.0), 1], near(down));
    }
    // A tie goes to the even number, up or down.
    check("add.f32", &[single(16_777_216.0), single(1.0)], single(16_777_216.0));
    check("add.f32", &[single(16_777_218.0), single(1.0)], single(16_777_220.0));
    check("add.f16", &[0x6800, 0x3c00], 0x6800); // 2048 + 1
    check("add.f16", &[0x6801, 0x3c00], 0x6802); // 2050 + 1
    check("add.rn.bf16", &[0x4380, 0x3f80], 0x4380); // 256 + 1
    check("add.rn.bf16", &[0x4381, 0x3f80], 0x4382); // 258 + 1
}

#[test]
fn overflow() {
    for (rounding, positive, negative) in [
        ("rn", F32_INFINITY, F32_INFINITY),
        ("rz", F32_MAX, F32_MAX),
        ("rm", F32_MAX, F32_INFINITY),
        ("rp", F32_INFINITY, F32_MAX),
    ] {
        check(&format!("mul.{rounding}.f32"), &[F32_MAX, single(2.0)], positive);
        check(&format!("mul.{rounding}.f32"), &[F32_MAX, single(-2.0)], negative | F32_NEGATIVE);
        check(&format!("cvt.{rounding}.f32.f64"), &[double(1e300)], positive);
        check(&format!("cvt.{rounding}.f32.f64"), &[double(-1e300)], negative | F32_NEGATIVE);
        check(
            &format!("mul.{rounding}.f64"),
            &[double(f64::MAX), double(2.0)],
            match positive {
                F32_MAX => double(f64::MAX),
                _ => double(f64::INFINITY),
            },
        );
    }
    // The largest number of f16 is 65504. From 65520 on a number is nearer to the next power of
    // two.
    check("cvt.rn.f16.f32", &[single(65504.0 + 15.0)], 0x7bff);
    check("cvt.rn.f16.f32", &[single(65504.0 + 16.0)], 0x7c00);
    check("cvt.rz.f16.f32", &[single(65504.0 + 16.0)], 0x7bff);
    check("cvt.rn.satfinite.f16.f32", &[single(-1e9)], 0xfbff);
    check("add.f16", &[0x7bff, 0x4c00], 0x7c00);
}

#[test]
fn signs_of_zeros() {
    let (plus, minus) = (0, F32_NEGATIVE);
    for (rounding, sum) in [("rn", plus), ("rz", plus), ("rm", minus), ("rp", plus)] {
        check(&format!("sub.{rounding}.f32"), &[single(3.0), single(3.0)], sum);
        check(&format!("add.{rounding}.f32"), &[plus, minus], sum);
        check(&format!("add.{rounding}.f32"), &[minus, minus], minus);
        check(&format!("fma.{rounding}.f32"), &[single(2.0), single(1.5), single(-3.0)], sum);
        check(&format!("mul.{rounding}.f32"), &[minus, single(3.0)], minus);
        check(&format!("sqrt.{rounding}.f32"), &[minus], minus);
        check(&format!("rcp.{rounding}.f32"), &[minus], F32_INFINITY | F32_NEGATIVE);
        check(&format!("sub.{rounding}.f64"), &[double(3.0), double(3.0)], sum << 32);
    }
    check("min.f32", &[plus, minus], minus);
    check("min.f32", &[minus, plus], minus);
    check("max.f32", &[plus, minus], plus);
    check("max.f16", &[0x8000, 0], 0);
    check("setp.eq.f32", &[plus, minus], 1);
    check("cvt.rni.f32.f32", &[single(-0.25)], minus);
}

#[test]
fn fused_is_rounded_once() {
    // (1 + 2^-12)^2 - 1 needs 25 bits before the subtraction.
    let x = single(1.0 + 1.0 / 4096.0);
    check("fma.rn.f32", &[x, x, single(-1.0)], single(1.0 / 2048.0 + 1.0 / 16_777_216.0));
    check("mad.rn.f32", &[x, x, single(-1.0)], single(1.0 / 2048.0 + 1.0 / 16_777_216.0));
    // 129/128 * 1.5 = 193.5/128, a tie of bf16. f64 alone would lose the addend that breaks it.
    let (a, b) = (0x3f81, 0x3fc0);
    check("fma.rn.bf16", &[a, b, 0], 0x3fc2);
    check("fma.rn.bf16", &[a, b, 0x8001], 0x3fc1);
    check("fma.rn.bf16", &[a, b, 0x0001], 0x3fc2);
}

#[test]
fn subnormal_numbers() {
    let smallest_normal = 0x0080_0000;
    check("mul.f32", &[smallest_normal, single(0.5)], 0x0040_0000);
    check("mul.ftz.f32", &[smallest_normal, single(0.5)], 0);
    check("mul.ftz.f32", &[smallest_normal, single(-0.5)], F32_NEGATIVE);
    check("add.ftz.f32", &[0x007f_ffff, 0x8000_0001], 0);
    check("add.f32", &[0x007f_ffff, 1], smallest_normal);
    check("add.ftz.f32", &[0x007f_ffff, smallest_normal], smallest_normal);
    check("neg.ftz.f32", &[1], F32_NEGATIVE);
    check("abs.ftz.f32", &[0x8000_0001], 0);
    check("abs.f32", &[0x8000_0001], 1);
    check("rcp.rn.ftz.f32", &[1], F32_INFINITY);
    check("min.ftz.f32", &[1, 2], 0);
    check("setp.eq.ftz.f32", &[1, 0x8000_0002], 1);
    check("setp.eq.f32", &[1, 0x8000_0002], 0);
    check("setp.gt.ftz.f32", &[smallest_normal, 0x007f_ffff], 1);
    check("fma.rn.ftz.f16", &[0x0001, 0x3c00, 0x0400], 0x0400);
    check("mul.rp.f32", &[1, single(0.5)], 1);
    check("mul.rn.f32", &[1, single(0.5)], 0);
    check("mul.rn.f32", &[3, single(0.5)], 2);
    check("mul.f16", &[0x0001, 0x3800], 0);
    check("mul.f16", &[0x0003, 0x3800], 2);
    check("cvt.ftz.rn.f16.f32", &[1], 0);
    check("cvt.f32.f16", &[0x0001], single(1.0 / 16_777_216.0));
    check("cvt.ftz.f64.f32", &[0x8000_0001], double(-0.0));
    check("cvt.f64.f32", &[1], double(f64::powi(2.0, -149)));
    check("cvt.rn.ftz.f32.f64", &[double(f64::powi(2.0, -130))], 0);
}

#[test]
fn not_a_number() {
    for opcode in ["add.f32", "mul.f32", "sub.f32", "div.rn.f32", "div.rz.f32", "add.rp.f32", "div.full.f32"]
    {
        check(opcode, &[F32_OTHER_NAN, single(1.0)], F32_NAN);
        check(opcode, &[single(1.0), F32_OTHER_NAN], F32_NAN);
    }
    for rounding in ["rn", "rz"] {
        check(&format!("sub.{rounding}.f32"), &[F32_INFINITY, F32_INFINITY], F32_NAN);
        check(&format!("mul.{rounding}.f32"), &[F32_INFINITY, 0], F32_NAN);
        check(&format!("div.{rounding}.f32"), &[0, 0], F32_NAN);
        check(&format!("sqrt.{rounding}.f32"), &[single(-1.0)], F32_NAN);
        check(&format!("sqrt.{rounding}.f64"), &[double(-1.0)], F64_NAN);
        check(&format!("fma.{rounding}.f64"), &[double(f64::INFINITY), 0, 0], F64_NAN);
    }
    check("add.f16", &[0xfc00, 0x7c00], 0x7fff);
    check("add.rn.bf16", &[0xff80, 0x7f80], 0x7fff);
    // ptxas makes sums of these.
    check("neg.f32", &[F32_OTHER_NAN], F32_NAN);
    check("abs.f32", &[F32_OTHER_NAN], F32_NAN);
    // These work on the bits.
    check("neg.f16", &[0x7e01], 0xfe01);
    check("copysign.f32", &[F32_NEGATIVE, F32_NAN], 0xffff_ffff);
    check("copysign.f64", &[double(-1.0), double(2.0)], double(-2.0));
    check("cvt.f64.f32", &[F32_OTHER_NAN], F64_NAN);
    check("cvt.rn.f16.f32", &[F32_OTHER_NAN], 0x7fff);
    check("cvt.rn.bf16.f32", &[F32_OTHER_NAN], 0x7fff);
    check("cvt.rna.tf32.f32", &[F32_OTHER_NAN], F32_NAN);

    check("min.f32", &[F32_OTHER_NAN, single(1.0)], single(1.0));
    check("max.f32", &[single(1.0), F32_OTHER_NAN], single(1.0));
    check("max.f32", &[F32_OTHER_NAN, F32_OTHER_NAN], F32_NAN);
    check("max.NaN.f32", &[single(1.0), F32_OTHER_NAN], F32_NAN);
    check("min.NaN.f16x2", &[0x3c00_7e01, 0x4000_3c00], 0x3c00_7fff);
    check("min.f64", &[F64_NAN, double(1.0)], double(1.0));
}

#[test]
fn signs_of_extremes() {
    check("min.xorsign.abs.f32", &[single(-3.0), single(2.0)], single(-2.0));
    check("max.xorsign.abs.f32", &[single(-3.0), single(-2.0)], single(3.0));
    check("max.NaN.xorsign.abs.f16", &[0xc200, 0x7e00], 0x7fff);
    check("min.xorsign.abs.f32", &[F32_NAN, single(-2.0)], single(-2.0));
}

#[test]
fn clamps() {
    check("add.sat.f32", &[single(0.75), single(0.5)], single(1.0));
    check("add.sat.f32", &[single(-0.75), single(0.5)], 0);
    check("add.sat.f32", &[single(0.25), single(0.5)], single(0.75));
    check("mul.sat.f32", &[single(-0.0), single(0.5)], 0);
    check("add.sat.f32", &[F32_NAN, single(0.5)], 0);
    check("fma.rn.sat.f16", &[0x4000, 0x4000, 0], 0x3c00);
    check("fma.rn.relu.f16", &[0x4000, 0xc000, 0], 0);
    check("fma.rn.relu.f16", &[0x4000, 0x4000, 0], 0x4400);
    check("fma.rn.relu.f16", &[0x7e00, 0x4000, 0], 0x7fff);
    check("fma.rn.relu.bf16x2", &[0x4000_4000, 0xc000_4000, 0], 0x0000_4080);
    check("cvt.sat.f32.f32", &[single(7.0)], single(1.0));
    check("cvt.rn.sat.f32.s32", &[7], single(1.0));
    check("cvt.rn.relu.f16.f32", &[single(-3.0)], 0);
}

#[test]
fn lanes() {
    check("add.rn.f16x2", &[0x3c00_4000, 0x4000_4200], 0x4200_4500);
    check("mul.rn.bf16x2", &[0x4000_3f80, 0x4040_4040], 0x40c0_4040);
    check("neg.f16x2", &[0x3c00_8000], 0xbc00_0000);
    let pair = |high: f32, low: f32| single(high) << 32 | single(low);
    check("fma.rn.f32x2", &[pair(2.0, 3.0), pair(5.0, 7.0), pair(1.0, -1.0)], pair(11.0, 20.0));
    check("setp.lt.f16x2", &[0x3c00_4000, 0x4000_3c00], 0b10);
    check("setp.ge.f16x2", &[0x3c00_4000, 0x4000_3c00], 0b01);
    check("set.lt.f16x2.f16x2", &[0x3c00_4000, 0x4000_3c00], 0x3c00_0000);
}

#[test]
fn operands_of_two_formats() {
    check("add.f32.f16", &[0x3c00, single(2.5)], single(3.5));
    check("sub.rn.f32.bf16", &[0x3f80, single(2.5)], single(-1.5));
    check("sub.rz.f32.bf16", &[0x3f80, 1], single(1.0) - 1);
    check("fma.rn.f32.f16", &[0x3c01, 0x3c01, single(-1.0)], single(1.0 / 512.0 + 1.0 / 1_048_576.0));
    check("fma.rn.sat.f32.bf16", &[0x4000, 0x4000, single(-1.0)], single(1.0));
    check("add.f32.f16", &[0x7e01, single(2.5)], F32_NAN);
}

#[test]
fn comparisons() {
    let numbers = [("lt", 1.0, 2.0), ("eq", 2.0, 2.0), ("gt", 2.0, 1.0)];
    let names = ["eq", "ne", "lt", "le", "gt", "ge"];
    let holds = |name: &str, relation: &str| match name {
        "eq" => relation == "eq",
        "ne" => relation != "eq",
        "lt" => relation == "lt",
        "le" => relation != "gt",
        "gt" => relation == "gt",
        _ => relation != "lt",
    };
    for name in names {
        for (relation, a, b) in numbers {
            let expected = u64::from(holds(name, relation));
            check(&format!("setp.{name}.f32"), &[single(a), single(b)], expected);
            check(&format!("setp.{name}u.f64"), &[double(a.into()), double(b.into())], expected);
            check(&format!("set.{name}.u32.f32"), &[single(a), single(b)], expected * 0xffff_ffff);
            check(&format!("set.{name}.f32.f32"), &[single(a), single(b)], expected * 0x3f80_0000);
        }
        check(&format!("setp.{name}.f32"), &[F32_NAN, single(1.0)], 0);
        check(&format!("setp.{name}u.f32"), &[single(1.0), F32_NAN], 1);
    }
    check("setp.num.f32", &[single(1.0), single(1.0)], 1);
    check("setp.num.f32", &[single(1.0), F32_NAN], 0);
    check("setp.nan.f32", &[single(1.0), F32_NAN], 1);
    check("setp.nan.f32", &[single(1.0), single(1.0)], 0);
    check("set.gt.u16.f16", &[0x4000, 0x3c00], 0xffff);
}

#[test]
fn classes() {
    let cases = [
        (single(1.0), ["finite", "number", "normal"].as_slice()),
        (0, &["finite", "number"]),
        (1, &["finite", "number", "subnormal"]),
        (F32_INFINITY | F32_NEGATIVE, &["infinite", "number"]),
        (F32_OTHER_NAN, &["notanumber"]),
    ];
    for (bits, classes) in cases {
        for class in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
            check(&format!("testp.{class}.f32"), &[bits], u64::from(classes.contains(&class)));
        }
    }
}

// ---- conversions

#[test]
fn to_integers() {
    for (value, nearest, zero, down, up) in [
        (0.5, 0, 0, 0, 1),
        (1.5, 2, 1, 1, 2),
        (2.5, 2, 2, 2, 3),
        (-0.5, 0, 0, -1, 0),
        (-1.5, -2, -1, -2, -1),
        (-2.5, -2, -2, -3, -2),
        (2.75, 3, 2, 2, 3),
    ] {
        for (rounding, expected) in [("rni", nearest), ("rzi", zero), ("rmi", down), ("rpi", up)] {
            let expected: i32 = expected;
            check(&format!("cvt.{rounding}.s32.f32"), &[single(value)], u64::from(expected as u32));
            check(&format!("cvt.{rounding}.s64.f64"), &[double(value.into())], i64::from(expected) as u64);
            let as_float = single(expected as f32);
            assert_eq!(
                eval(&format!("cvt.{rounding}.f32.f32"), &[single(value)]) & F32_MAX,
                as_float & F32_MAX
            );
        }
    }
    let edge = 2_147_483_648.0;
    check("cvt.rzi.s32.f32", &[single(edge as f32)], 0x7fff_ffff);
    check("cvt.rzi.s32.f64", &[double(edge)], 0x7fff_ffff);
    check("cvt.rzi.s32.f64", &[double(edge - 1.0)], 0x7fff_ffff);
    check("cvt.rzi.s32.f64", &[double(edge - 2.0)], 0x7fff_fffe);
    check("cvt.rzi.s32.f64", &[double(-edge)], 0x8000_0000);
    check("cvt.rzi.s32.f64", &[double(-edge - 1.0)], 0x8000_0000);
    check("cvt.rzi.u32.f32", &[single(edge as f32)], 0x8000_0000);
    check("cvt.rzi.u32.f32", &[single(-1.0)], 0);
    check("cvt.rzi.u32.f32", &[single(1e20)], 0xffff_ffff);
    check("cvt.rzi.s64.f32", &[single(1e20)], i64::MAX as u64);
    check("cvt.rzi.s64.f32", &[single(-1e20)], i64::MIN as u64);
    check("cvt.rzi.u64.f64", &[double(f64::INFINITY)], u64::MAX);
    check("cvt.rzi.u64.f64", &[double(1e19)], 10_000_000_000_000_000_000);
    check("cvt.rzi.s16.f32", &[single(40000.0)], 0x7fff);
    check("cvt.rzi.s16.f32", &[single(-40000.0)], 0x8000);
    check("cvt.rzi.u16.f16", &[0x7bff], 65504);
    check("cvt.rzi.s8.f32", &[single(-200.0)], 0x80);
    check("cvt.rni.sat.u8.f32", &[single(254.5)], 254);
    check("cvt.rni.u8.f32", &[single(255.5)], 255);
    check("cvt.rpi.ftz.s32.f32", &[1], 0);
    check("cvt.rpi.s32.f32", &[1], 1);
    check("cvt.rni.s32.bf16", &[0x4020], 2);

    check("cvt.rzi.s32.f32", &[F32_NAN], 0);
    check("cvt.rzi.u32.f16", &[0x7e00], 0);
    check("cvt.rzi.s64.f32", &[F32_NAN], 1 << 63);
    check("cvt.rzi.u64.f32", &[F32_NAN], 1 << 63);
    check("cvt.rzi.s32.f64", &[F64_NAN], 1 << 31);
    check("cvt.rzi.u16.f64", &[F64_NAN], 1 << 15);
    assert!(decode("cvt.rzi.s8.f32").is_some_and(|it| it.has_signed_result() && it.result_width() == 8));
    assert!(decode("cvt.rzi.u8.f32").is_some_and(|it| !it.has_signed_result()));
}

#[test]
fn from_integers() {
    check("cvt.rn.f32.s32", &[0xffff_ffff], single(-1.0));
    check("cvt.rn.f32.u32", &[0xffff_ffff], single(4_294_967_296.0));
    check("cvt.rz.f32.u32", &[0xffff_ffff], single(4_294_967_040.0));
    check("cvt.rn.f32.s32", &[16_777_217], single(16_777_216.0));
    check("cvt.rp.f32.s32", &[16_777_217], single(16_777_218.0));
    check("cvt.rm.f32.s32", &[-16_777_217i32 as u32 as u64], single(-16_777_218.0));
    // Rounded through f64 this would be a tie, and go down.
    check("cvt.rn.f32.u64", &[(1 << 60) + (1 << 36) + 1], single((1u64 << 60) as f32) + 1);
    check("cvt.rn.f32.u64", &[(1 << 60) + (1 << 36)], single((1u64 << 60) as f32));
    check("cvt.rn.f64.s64", &[i64::MIN as u64], double(-9_223_372_036_854_775_808.0));
    check("cvt.rz.f64.u64", &[u64::MAX], double(18_446_744_073_709_549_568.0));
    check("cvt.rn.f64.u64", &[u64::MAX], double(18_446_744_073_709_551_616.0));
    check("cvt.rn.f32.s8", &[0x1_80], single(-128.0));
    check("cvt.rn.f32.u8", &[0x1_80], single(128.0));
    check("cvt.rn.f16.s32", &[65520], 0x7c00);
    check("cvt.rz.f16.s32", &[65520], 0x7bff);
    check("cvt.rn.f16.u16", &[2049], 0x6800);
    check("cvt.rn.bf16.s32", &[-257i32 as u32 as u64], 0xc380);
    check("cvt.rn.f32.s32", &[0], 0);
}

#[test]
fn packing() {
    // The first operand is the upper half.
    check("cvt.rn.f16x2.f32", &[single(1.0), single(2.0)], 0x3c00_4000);
    check("cvt.rn.relu.bf16x2.f32", &[single(-1.0), single(2.0)], 0x0000_4000);
    check("cvt.rz.bf16x2.f32", &[single(1.999), single(2.0)], 0x3fff_4000);
    check("cvt.rn.satfinite.e4m3x2.f32", &[single(1.0), single(-1e6)], 0x38fe);
    check("cvt.rn.satfinite.e4m3x2.f32", &[F32_NAN, single(448.0)], 0x7f7e);
    check("cvt.rn.satfinite.e5m2x2.f32", &[F32_INFINITY, single(1.0)], 0x7b3c);
    check("cvt.rn.satfinite.e5m2x2.f16x2", &[0x3c00_c000], 0x3cc0);
    check("cvt.rn.satfinite.relu.e4m3x2.f32", &[single(-1.0), single(0.5)], 0x0030);
    check("cvt.rn.f16x2.e4m3x2", &[0x38fe], 0x3c00_df00);
    check("cvt.rn.f16x2.e4m3x2", &[0x01ff], 0x1800_7fff);
    check("cvt.rn.f16x2.e5m2x2", &[0x3c7c], 0x3c00_7c00);
}

#[test]
fn tf32() {
    check("cvt.rna.tf32.f32", &[0x3f80_1000], 0x3f80_2000); // a tie
    check("cvt.rna.tf32.f32", &[0x3f80_0fff], 0x3f80_0000);
    check("cvt.rna.tf32.f32", &[0xbf80_1000], 0xbf80_2000);
    check("cvt.rn.tf32.f32", &[0x3f80_1000], 0x3f80_0000);
    check("cvt.rz.tf32.f32", &[0x3f80_1fff], 0x3f80_0000);
    check("cvt.rna.tf32.f32", &[F32_MAX], F32_INFINITY);
    check("cvt.rna.satfinite.tf32.f32", &[F32_MAX], 0x7f7f_e000);
    check("cvt.rna.tf32.f32", &[0x0000_1000], 0x0000_2000);
    // The lower bits of an operand are ignored.
    assert_eq!(Format::Tf32.widen(0x3fc0_1fff), 1.5);
}

// ---- properties

fn compute_apfloat<F: ApFloat>(arithmetic: Arithmetic, round: Round, operands: [u64; 3]) -> u64 {
    let [a, b, c] = operands.map(|bits| F::from_bits(u128::from(bits)));
    let result = match arithmetic {
        Arithmetic::Add => a.add_r(b, round).value,
        Arithmetic::Multiply => a.mul_r(b, round).value,
        Arithmetic::MultiplyAdd => a.mul_add_r(b, c, round).value,
        Arithmetic::Divide => a.div_r(b, round).value,
        Arithmetic::SquareRoot => unreachable!("rustc_apfloat has none"),
    };
    canonical(result)
}

fn canonical<F: ApFloat>(value: F) -> u64 {
    if value.is_nan() {
        return (1 << (F::BITS - 1)) - 1;
    }
    value.to_bits() as u64
}

fn agrees_with_apfloat<F: ApFloat>(format: Format) {
    let mut random = Random(format.width().into());
    for arithmetic in [Arithmetic::Add, Arithmetic::Multiply, Arithmetic::MultiplyAdd, Arithmetic::Divide] {
        for (name, rounding, round) in ALL_ROUNDINGS {
            for _ in 0..20_000 {
                let operands = [random.number(format), random.number(format), random.number(format)];
                let ours = compute(arithmetic, format, rounding, operands);
                let theirs = compute_apfloat::<F>(arithmetic, round, operands);
                assert_eq!(ours, theirs, "{arithmetic:?} {name} {operands:#x?}: {ours:#x}, not {theirs:#x}");
            }
        }
    }
}

#[test]
fn arithmetic_agrees_with_apfloat() {
    agrees_with_apfloat::<Half>(Format::F16);
    agrees_with_apfloat::<BFloat>(Format::Bf16);
    agrees_with_apfloat::<Single>(Format::F32);
    agrees_with_apfloat::<Double>(Format::F64);
}

fn converts_as_apfloat<F>(format: Format)
where
    Double: FloatConvert<F>,
    F: ApFloat + FloatConvert<Double>,
{
    let mut random = Random(7 + u64::from(format.width()));
    // Every number of the short formats.
    let all = if format.width() <= 16 { 0..1 << format.width() } else { 0..0 };
    for bits in all.chain((0..20_000).map(|_| random.number(format)).collect::<Vec<_>>()) {
        let theirs: Double = F::from_bits(u128::from(bits)).convert(&mut false).value;
        let ours = format.widen(bits);
        assert_eq!(canonical(theirs), Format::F64.narrow(ours, Rounding::Zero), "widening {bits:#x}");
    }
    for (name, rounding, round) in ALL_ROUNDINGS {
        for index in 0..40_000 {
            let mut bits = random.number(Format::F64);
            if index % 4 != 0 {
                // Near the format's own numbers, and in the middle between two of them.
                let near = format.widen(random.number(format)).to_bits();
                let half = 1u64 << (51 - format.fraction_bits());
                bits = near.wrapping_add([0, 1, u64::MAX, half, half - 1, half + 1][index % 6]);
            }
            let ours = format.narrow(f64::from_bits(bits), rounding);
            let value = Double::from_bits(u128::from(bits));
            let theirs: F = value.convert_r(round, &mut false).value;
            let mut theirs = canonical(theirs);
            if format.infinity().is_none() && !value.is_nan() && format.is_nan(theirs) {
                theirs = format.max_finite() | ours & format.sign_bit(); // it has overflowed
            }
            assert_eq!(ours, theirs, "narrowing {name} {bits:#x}: {ours:#x}, not {theirs:#x}");
        }
    }
}

#[test]
fn conversions_agree_with_apfloat() {
    converts_as_apfloat::<Half>(Format::F16);
    converts_as_apfloat::<BFloat>(Format::Bf16);
    converts_as_apfloat::<Single>(Format::F32);
    converts_as_apfloat::<Float8E5M2>(Format::E5m2);
    converts_as_apfloat::<Float8E4M3FN>(Format::E4m3);
}

#[test]
fn integers_agree_with_apfloat() {
    let mut random = Random(3);
    for (_, rounding, round) in ALL_ROUNDINGS {
        for _ in 0..20_000 {
            let word = random.word() >> (random.word() % 64);
            for value in [i128::from(word), i128::from(word as i64), i128::from(word) << (random.word() % 2)]
            {
                let ours = Format::F32.narrow(format::integer_to_odd(value), rounding);
                assert_eq!(ours, canonical(Single::from_i128_r(value, round).value), "{value}");
                let ours = Format::F16.narrow(format::integer_to_odd(value), rounding);
                assert_eq!(ours, canonical(Half::from_i128_r(value, round).value), "{value}");
            }
        }
    }
}

#[test]
fn roots_enclose_the_number() {
    let mut random = Random(11);
    for format in [Format::F32, Format::F64] {
        for index in 0..40_000 {
            let mut bits = random.number(format) & !format.sign_bit();
            if index % 3 == 0 {
                bits >>= random.word() % 64; // subnormal numbers
            }
            let root = |rounding| compute(Arithmetic::SquareRoot, format, rounding, [bits, 0, 0]);
            let [nearest, zero, down, up] = ALL_ROUNDINGS.map(|(_, rounding, _)| root(rounding));
            if format.is_nan(bits) {
                assert_eq!([nearest, zero, down, up], [format.nan(); 4]);
                continue;
            }
            assert_eq!(zero, down);
            assert!(down <= nearest && nearest <= up && up - down <= 1, "{bits:#x}");
            if format == Format::F64 {
                continue;
            }
            // Exact: a square of f32 has 48 bits.
            let square = |bits| format.widen(bits) * format.widen(bits);
            let value = format.widen(bits);
            assert!(square(down) <= value && value <= square(up), "{bits:#x}");
            assert_eq!(down == up, square(down) == value, "{bits:#x}");
        }
    }
    // A root of f64, tested by squares in quadruple precision: 106 bits.
    for (_, rounding, _) in &ALL_ROUNDINGS[1..] {
        for _ in 0..20_000 {
            let bits = random.word() >> 1 >> (random.word() % 16 * 4);
            if Format::F64.is_nan(bits) || bits == 0 || Some(bits) == Format::F64.infinity() {
                continue;
            }
            let quad = |bits: u64| -> rustc_apfloat::ieee::Quad {
                Double::from_bits(u128::from(bits)).convert(&mut false).value
            };
            let root = compute(Arithmetic::SquareRoot, Format::F64, *rounding, [bits, 0, 0]);
            let square = |bits| (quad(bits) * quad(bits)).value;
            match rounding {
                Rounding::Up => {
                    assert!(square(root) >= quad(bits) && square(root - 1) < quad(bits), "{bits:#x}")
                }
                _ => assert!(square(root) <= quad(bits) && square(root + 1) > quad(bits), "{bits:#x}"),
            }
        }
    }
}

#[test]
fn directions_enclose_the_nearest() {
    let mut random = Random(5);
    for (opcode, format) in [("f32", Format::F32), ("f64", Format::F64)] {
        for operation in ["add", "mul", "div", "fma"] {
            for _ in 0..5_000 {
                let operands = [0; 3].map(|_| random.number(format));
                let operands = &operands[..if operation == "fma" { 3 } else { 2 }];
                let value =
                    |rounding| format.widen(eval(&format!("{operation}.{rounding}.{opcode}"), operands));
                let [nearest, zero, down, up] = ALL_ROUNDINGS.map(|(name, ..)| value(name));
                if nearest.is_nan() {
                    assert!(zero.is_nan() && down.is_nan() && up.is_nan());
                    continue;
                }
                assert!(down <= nearest && nearest <= up, "{operation} {operands:#x?}");
                assert_eq!(
                    zero,
                    if nearest.is_sign_positive() { down } else { up },
                    "{operation} {operands:#x?}"
                );
            }
        }
    }
}

#[test]
fn approximations_are_hashes() {
    let mut random = Random(9);
    for (opcode, format, count) in [
        ("ex2.approx.f32", Format::F32, 1),
        ("ex2.approx.ftz.f32", Format::F32, 1),
        ("rsqrt.approx.f64", Format::F64, 1),
        ("tanh.approx.f16", Format::F16, 1),
        ("div.full.f32", Format::F32, 2),
        ("div.approx.ftz.f32", Format::F32, 2),
        ("rcp.approx.f32", Format::F32, 1),
    ] {
        let mut results = Vec::new();
        for _ in 0..1_000 {
            let operands = [random.number(format), random.number(format)];
            let result = eval(opcode, &operands[..count]);
            let value = format.widen(result);
            let has_nan = operands[..count].iter().any(|&bits| format.is_nan(bits));
            assert_eq!(has_nan, value.is_nan());
            assert!(has_nan || (-2.0..2.0).contains(&value), "{opcode}: {value}");
            assert_eq!(result, eval(opcode, &operands[..count]), "not a function");
            results.push(result);
        }
        results.sort_unstable();
        results.dedup();
        assert!(results.len() > 400, "{opcode}: {} results", results.len());
    }
    check("ex2.approx.ftz.f32", &[1], eval("ex2.approx.ftz.f32", &[0]));
    // Divisions begin with these.
    check("rcp.approx.ftz.f32", &[single(4.0)], single(0.25));
    check("rcp.approx.ftz.f64", &[double(3.0)], 0x3fd5_5555_0000_0000);
    assert_ne!(eval("ex2.approx.f32", &[1]), eval("ex2.approx.f32", &[0]));
    assert_ne!(eval("sin.approx.f32", &[1]), eval("cos.approx.f32", &[1]));
    let (one, subnormal) = (0x3f80_0000, 1);
    for (plain, flushes) in [
        ("rsqrt.approx.f32", "rsqrt.approx.ftz.f32"),
        ("sqrt.approx.f32", "sqrt.approx.ftz.f32"),
        ("lg2.approx.f32", "lg2.approx.ftz.f32"),
    ] {
        assert_eq!(eval(plain, &[one]), eval(flushes, &[one]));
        assert_ne!(eval(plain, &[subnormal]), eval(flushes, &[subnormal]));
    }
    assert_ne!(eval("ex2.approx.f32", &[one]), eval("ex2.approx.ftz.f32", &[one]));
    let half = eval("ex2.approx.f16x2", &[0x3c00_4000]);
    assert_eq!(
        half,
        eval("ex2.approx.f16x2", &[0x3c00_3c00]) & 0xffff_0000
            | eval("ex2.approx.f16x2", &[0x4000_4000]) & 0xffff
    );
}

fn value(opcode: &str, operands: &[u64]) -> u64 {
    let instruction = decode(opcode).and_then(Float::with_values);
    let instruction = instruction.unwrap_or_else(|| panic!("{opcode} has no value"));
    let mut all = [0; 3];
    all[..operands.len()].copy_from_slice(operands);
    instruction.eval(all)
}

#[track_caller]
fn check_value(opcode: &str, operands: &[u64], expected: u64) {
    let result = value(opcode, operands);
    assert_eq!(result, expected, "{opcode} {operands:#x?}: {result:#x}, not {expected:#x}");
}

/// The bits of a power of two; exact, also for subnormal numbers.
fn power(exponent: i32) -> u64 {
    single(2f64.powi(exponent) as f32)
}

const NEGATIVE: u64 = F32_NEGATIVE;

#[test]
fn values_of_approximations_are_rounded_functions() {
    // Bits from Python's math module, rounded by its struct module.
    for (opcode, operand, expected) in [
        ("ex2.approx.f32", 0.5, 0x3fb5_04f3),
        ("ex2.approx.ftz.f32", 0.5, 0x3fb5_04f3),
        ("lg2.approx.f32", 3.0, 0x3fca_e00d),
        ("rsqrt.approx.f32", 3.0, 0x3f13_cd3a),
        ("sqrt.approx.f32", 3.0, 0x3fdd_b3d7),
        ("sqrt.approx.ftz.f32", 3.0, 0x3fdd_b3d7),
        ("rcp.approx.f32", 3.0, 0x3eaa_aaab),
        ("rcp.approx.ftz.f32", 3.0, 0x3eaa_aaab),
        ("tanh.approx.f32", 0.5, 0x3eec_9a9f),
    ] {
        check_value(opcode, &[single(operand)], expected);
    }
    for opcode in ["div.approx.f32", "div.full.f32", "div.approx.ftz.f32", "div.full.ftz.f32"] {
        check_value(opcode, &[single(6.0), single(4.0)], single(1.5));
        // Two roundings: that of 1/3, and that of the product.
        check_value(opcode, &[single(5.0), single(3.0)], single(5.0 * (1.0 / 3.0f32)));
    }
    for format in ["ex2.approx.f16", "ex2.approx.f16x2"] {
        check_value(format, &[0x3800], if format.ends_with("x2") { 0x3c00_3da8 } else { 0x3da8 });
    }
    check_value("tanh.approx.f16x2", &[0x3c00_bc00], 0x3a18_ba18);
    check_value("tanh.approx.bf16", &[0x3f80], 0x3f43);
    check_value("ex2.approx.ftz.bf16x2", &[0x3f00_4000], 0x3fb5_4080);
    check_value("rcp.approx.ftz.f64", &[double(3.0)], 0x3fd5_5555_0000_0000);
    // The lower half of the operand is ignored.
    check_value("rcp.approx.ftz.f64", &[double(3.0) | 0xffff_ffff], 0x3fd5_5555_0000_0000);
    check_value("rsqrt.approx.ftz.f64", &[double(2.0)], 0x3fe6_a09e_0000_0000);
    check_value("rsqrt.approx.f64", &[double(4.0)], double(0.5));
}

#[test]
fn values_of_approximations_with_subnormal_numbers() {
    for (opcode, operand, expected) in [
        ("ex2.approx.f32", single(-149.0), 1),
        ("ex2.approx.f32", single(-127.0), power(-127)),
        ("ex2.approx.ftz.f32", single(-127.0), 0),
        ("ex2.approx.f32", single(-151.0), 0),
        ("ex2.approx.f32", 1, single(1.0)),
        ("lg2.approx.f32", 1, single(-149.0)),
        ("lg2.approx.ftz.f32", 1, F32_INFINITY | NEGATIVE),
        ("lg2.approx.f32", 1 | NEGATIVE, F32_NAN),
        ("rsqrt.approx.f32", power(-148), power(74)),
        ("rsqrt.approx.ftz.f32", power(-148), F32_INFINITY),
        ("rsqrt.approx.f32", power(-148) | NEGATIVE, F32_NAN),
        ("rsqrt.approx.ftz.f32", power(-148) | NEGATIVE, F32_INFINITY | NEGATIVE),
        ("sqrt.approx.f32", power(-148), power(-74)),
        ("sqrt.approx.ftz.f32", power(-148), 0),
        ("rcp.approx.f32", power(-127), power(127)),
        ("rcp.approx.f32", power(-130), F32_INFINITY),
        ("rcp.approx.ftz.f32", power(-127) | NEGATIVE, F32_INFINITY | NEGATIVE),
        ("rcp.approx.f32", power(127), power(-127)),
        ("rcp.approx.ftz.f32", power(127) | NEGATIVE, NEGATIVE),
        ("sin.approx.f32", 1 | NEGATIVE, NEGATIVE),
        ("cos.approx.f32", 1, single(1.0)),
        ("tanh.approx.f32", 1 | NEGATIVE, NEGATIVE),
    ] {
        check_value(opcode, &[operand], expected);
    }
    for (opcode, a, b, expected) in [
        ("div.full.f32", power(0), power(127), power(-127)),
        ("div.full.ftz.f32", power(2), power(127), power(-125)),
        ("div.full.ftz.f32", power(-126), power(127), 0),
        ("div.full.ftz.f32", power(-126) | NEGATIVE, power(127), NEGATIVE),
        ("div.full.f32", power(-130), power(-140), power(10)),
        ("div.full.ftz.f32", power(1), power(-140), F32_INFINITY),
        // PTX says: a divisor above 2^126 gives 0, or NaN for an infinity.
        ("div.approx.f32", power(100), power(127), 0),
        ("div.approx.ftz.f32", power(100), power(127), 0),
        ("div.approx.f32", F32_INFINITY, power(127), F32_NAN),
        ("div.approx.f32", power(-130), power(-140), power(10)),
        // The dividend times 2^24 is too large.
        ("div.approx.f32", power(110), power(-127), F32_INFINITY),
        ("div.approx.f32", 0, 0, F32_NAN),
    ] {
        check_value(opcode, &[a, b], expected);
    }
    // 2^-20 in halves; in bf16 `.ftz` flushes, and the hyperbolic tangent of a small number is
    // itself.
    check_value("ex2.approx.f16", &[0xcd00], 0x10);
    check_value("ex2.approx.ftz.bf16", &[0xc302], 0);
    check_value("tanh.approx.bf16", &[1], 1);
    check_value("tanh.approx.f16", &[0x8001], 0x8001);
    check_value("rcp.approx.ftz.f64", &[1 | 1 << 63], 0xfff0_0000_0000_0000);
    check_value("rcp.approx.ftz.f64", &[double(2f64.powi(1023))], 0);
    check_value("rsqrt.approx.ftz.f64", &[1], 0x7ff0_0000_0000_0000);
    check_value("rsqrt.approx.f64", &[1], double(2f64.powi(537)));
}

#[test]
fn values_of_approximations_at_special_numbers() {
    let infinity = 0x7ff0_0000_0000_0000;
    check_value("rsqrt.approx.f64", &[1 << 63], infinity | 1 << 63);
    check_value("rsqrt.approx.f64", &[infinity], 0);
    check_value("rsqrt.approx.f64", &[double(-1.0)], 0xfff8_0000_0000_0000);
    check_value("rsqrt.approx.f64", &[infinity | 1], F64_NAN);
    check_value("rcp.approx.ftz.f64", &[infinity | 1 << 63], 1 << 63);
    for name in ["ex2", "lg2", "sin", "cos", "rsqrt", "sqrt", "rcp"] {
        for flush in ["", ".ftz"] {
            check_value(&format!("{name}.approx{flush}.f32"), &[F32_OTHER_NAN], F32_NAN);
        }
    }
    check_value("sin.approx.f32", &[F32_INFINITY], F32_NAN);
    check_value("ex2.approx.f32", &[F32_INFINITY | NEGATIVE], 0);
    check_value("sqrt.approx.f32", &[NEGATIVE], NEGATIVE);
    check_value("rsqrt.approx.f32", &[NEGATIVE], F32_INFINITY | NEGATIVE);
    check_value("rcp.approx.f32", &[NEGATIVE], F32_INFINITY | NEGATIVE);
    check_value("rcp.approx.f32", &[F32_INFINITY], 0);
}

#[test]
fn values_of_sine_and_cosine_are_those_of_turns() {
    let quarter = single(std::f32::consts::FRAC_PI_2);
    // The product is rounded to zero, to 1/4 - 2^-26 turns.
    check_value("sin.approx.f32", &[quarter], single(1.0));
    check_value("cos.approx.f32", &[quarter], single(2f32.powi(-26) * std::f32::consts::TAU));
    check_value("cos.approx.ftz.f32", &[quarter], single(2f32.powi(-26) * std::f32::consts::TAU));
    check_value("sin.approx.f32", &[single(0.0)], 0);
}

/// Away from the edges, the values have the error that NVIDIA's guide gives, or less.
#[test]
fn values_of_approximations_are_near_the_functions() {
    type Function = fn(f64) -> f64;
    let functions: [(&str, Function); 5] = [
        ("ex2", f64::exp2),
        ("lg2", f64::log2),
        ("rsqrt", |x| 1.0 / x.sqrt()),
        ("sqrt", f64::sqrt),
        ("rcp", |x| 1.0 / x),
    ];
    let mut random = Random(11);
    for (name, function) in functions {
        let opcode = format!("{name}.approx.f32");
        for _ in 0..2_000 {
            let bits = random.number(Format::F32) & !NEGATIVE;
            let exact = function(Format::F32.widen(bits));
            let result = Format::F32.widen(value(&opcode, &[bits]));
            // Half of a subnormal number's last place is the least error.
            let close = (result - exact).abs() <= exact.abs() * 2f64.powi(-22) + 2f64.powi(-148);
            let fits = exact.abs() < 3.4e38;
            assert!(close || !fits, "{opcode} {bits:#x}: {result}, not {exact}");
        }
    }
    for _ in 0..2_000 {
        let bits = random.number(Format::F64) & !(1 << 63);
        let exact = 1.0 / f64::from_bits(bits).sqrt();
        let result = f64::from_bits(value("rsqrt.approx.f64", &[bits]));
        let is_near = (result - exact).abs() <= exact * 2f64.powi(-51);
        assert!(
            is_near || result.to_bits() == exact.to_bits() || exact.is_nan(),
            "{bits:#x}: {result}, not {exact}"
        );
    }
}

#[test]
fn what_ptxas_does_not_know_has_no_value() {
    for opcode in [
        "ex2.approx.f64",
        "sin.approx.f16",
        "tanh.approx.ftz.f32",
        "rcp.approx.f64",
        "ex2.approx.ftz.f16",
        "ex2.approx.bf16x2",
        "tanh.approx.ftz.bf16",
        "div.approx.f32x2",
        "sqrt.approx.ftz.f64",
    ] {
        let float = decode(opcode).unwrap_or_else(|| panic!("{opcode} has a hash"));
        assert_eq!(float.with_values(), None, "{opcode}");
    }
    let exact = decode("div.rn.f32");
    assert_eq!(exact.and_then(Float::with_values), exact);
}

#[test]
fn unknown_words() {
    for opcode in [
        "",
        "add",
        "add.s32",
        "add.rn.b32",
        "add.rna.f32",
        "add.rn.rz.f32",
        "add.rn.rn.f32",
        "add.ftz.f64",
        "add.rz.f16",
        "add.relu.f32",
        "add.rn.f16.f32",
        "add.ftz.f32.f16",
        "mul.rn.f32.f16",
        "fma.f32.f16",
        "add.f64.f32",
        "fma.f32",
        "fma.rn.oob.f16",
        "mad.lo.s32",
        "mad.rn.f16",
        "div.f32",
        "div.rn.f16",
        "sqrt.f32",
        "ex2.f32",
        "ex2.approx.full.f32",
        "sin.rn.f32",
        "min.xorsign.f32",
        "neg.s32",
        "setp.lt.s32",
        "setp.lo.f32",
        "setp.lt.and.f32",
        "set.lt.u64.f32",
        "set.lt.f32.f16x2",
        "testp.odd.f32",
        "cvt.u32.u16",
        "cvt.s32.f32",
        "cvt.f32.s32",
        "cvt.f16.f32",
        "cvt.rni.f32.f16",
        "cvt.rn.e4m3x2.f32",
        "cvt.rs.f16x2.f32",
        "cvt.rna.f16.f32",
        "cvt.rn.satfinite.e2m1x2.f32",
        "cvt.rn.f32x2.f32",
        "cvt.rn.ftz.f64.f16",
        "cvt.rn.f32.tf32",
        "cvt.rzi.s16.e4m3x2",
        "cvt.rn.f16x2.s32",
        "cvt.rna.f32.s32",
        "selp.f32",
        "lop3.b32",
        "mul.wide.s32",
        "copysign.f16",
    ] {
        assert_eq!(decode(opcode), None, "{opcode}");
    }
    for (opcode, result) in [
        ("cvt.rn.f16x2.f32", 32),
        ("setp.lt.f64", 1),
        ("setp.lt.bf16x2", 2),
        ("cvt.rzi.u8.f64", 8),
        ("cvt.rn.f16x2.e4m3x2", 32),
        ("set.lt.u32.f16", 32),
        ("add.f32x2", 64),
    ] {
        let instruction = decode(opcode).expect(opcode);
        assert_eq!(instruction.result_width(), result, "{opcode}");
    }
}
