//! Compares forms with the values that random code computes.

use super::*;
use crate::fuzzing::{cases, FEW};
use crate::ssa::forms::number::Number;

struct Listed(Vec<Option<(Op, u32)>>);
impl Defs for Listed {
    fn definition(&mut self, reg: VRegId) -> Option<Definition> {
        self.0[reg.index()].map(|(op, bits)| Definition { op, bits })
    }
}

fn reg(index: usize) -> Value {
    Value::Reg(VRegId::from_usize(index))
}

/// Returns the constant between the forms of two registers, if they have the same terms.
fn distance(defs: Vec<Option<(Op, u32)>>, a: usize, b: usize) -> Option<i64> {
    let mut forms = Forms::default();
    forms.clear(defs.len());
    let mut defs = Listed(defs);
    let [a, b] = [a, b].map(|i| forms.of(&mut defs, VRegId::from_usize(i), 64));
    (forms.terms(a) == forms.terms(b)).then(|| forms.constant(b).wrapping_sub(forms.constant(a)) as i64)
}

#[test]
fn addresses_of_an_unrolled_loop_differ_by_constants() {
    let with = |shift, index| {
        vec![
            None,
            None,
            Some((Op::Shl(reg(0), shift), 32)),
            Some((Op::Or(reg(2), Value::Imm(index)), 32)),
            Some((Op::MulWide(reg(2), 8, Extension::Zero), 64)),
            Some((Op::MulWide(reg(3), 8, Extension::Zero), 64)),
            Some((Op::Add(reg(1), reg(4)), 64)),
            Some((Op::Add(reg(5), reg(1)), 64)),
        ]
    };
    assert_eq!(distance(with(2, 3), 6, 7), Some(24));
    assert_eq!(distance(with(2, 4), 6, 7), None);
}

#[test]
fn addresses_bits_are_the_same_shifted_before_and_after() {
    let with = |extension, mask| {
        vec![
            None,
            Some((Op::Shl(reg(0), 3), 32)),
            Some((Op::And(reg(1), Value::Imm(mask)), 32)),
            Some((Op::And(reg(0), Value::Imm(7)), 32)),
            Some((Op::MulWide(reg(2), 2, extension), 64)),
            Some((Op::MulWide(reg(3), 16, extension), 64)),
        ]
    };
    for extension in [Extension::Zero, Extension::Sign] {
        assert_eq!(distance(with(extension, 56), 4, 5), Some(0));
        assert_eq!(distance(with(extension, 63), 4, 5), Some(0));
        assert_eq!(distance(with(extension, 24), 4, 5), None);
        assert_eq!(distance(with(extension, 120), 4, 5), None);
    }
    let with = |by, width| {
        vec![None, Some((Op::Shr(reg(0), 3), width)), Some((Op::Shr(reg(0), by), width)), None]
            .into_iter()
            .chain([1, 2].map(|r| Some((Op::Add(reg(3), reg(r)), width))))
            .collect()
    };
    assert_eq!(distance(with(3, 64), 4, 5), Some(0));
    assert_eq!(distance(with(4, 64), 4, 5), None);
}

#[test]
fn addresses_sums_of_32_bits_that_wrap_are_none() {
    let with = |extension, bits, add| {
        vec![
            None,
            Some((Op::And(reg(0), Value::Imm(bits)), 32)),
            Some((Op::Add(reg(1), Value::Imm(add)), 32)),
            Some((Op::MulWide(reg(1), 4, extension), 64)),
            Some((Op::MulWide(reg(2), 4, extension), 64)),
        ]
    };
    for extension in [Extension::Zero, Extension::Sign] {
        assert_eq!(distance(with(extension, 0xff, 1), 3, 4), Some(4));
        assert_eq!(distance(with(extension, 0xff, -1), 3, 4), None);
        assert_eq!(distance(with(extension, 0xffff_ffff, 1), 3, 4), None);
    }
    // As a number without a sign it fits; with one it is negative.
    assert_eq!(distance(with(Extension::Zero, 0x7fff_ffff, 1), 3, 4), Some(4));
    assert_eq!(distance(with(Extension::Sign, 0x7fff_ffff, 1), 3, 4), None);
}

/// Random code: its defs, and the values that it computes.
struct Random {
    state: u64,
    defs: Vec<Option<(Op, u32)>>,
    values: Vec<u64>,
}

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % below
    }
    fn pick(&mut self, width: u32) -> Value {
        if self.next(4) == 0 {
            let imm = 1i64 << self.next(u64::from(width));
            return Value::Imm(if self.next(3) == 0 { imm.wrapping_neg() } else { imm });
        }
        loop {
            let i = self.next(self.defs.len() as u64) as usize;
            if self.defs[i].map_or([64, 32][i % 2], |d| d.1) == width {
                return reg(i);
            }
        }
    }
    fn value(&self, v: Value, width: u32) -> u64 {
        match v {
            Value::Reg(r) => self.values[r.index()],
            Value::Imm(imm) => imm as u64 & u64::low_bits(width),
        }
    }
    fn step(&mut self) {
        let width = if self.next(2) == 0 { 32 } else { 64 };
        let (a, b) = (self.pick(width), self.pick(width));
        let (x, y) = (self.value(a, width), self.value(b, width));
        let by = self.next(6) as u32;
        let imm = [1, 2, 4, 8, 12, -4][self.next(6) as usize];
        let (op, value) = match self.next(13) {
            0 | 1 => (Op::Add(a, b), x.wrapping_add(y)),
            2 => (Op::Sub(a, b), x.wrapping_sub(y)),
            3 | 4 => (Op::Or(a, b), x | y),
            5 => (Op::Xor(a, b), x ^ y),
            6 => (Op::And(a, b), x & y),
            7 => (Op::Shl(a, by), x << by),
            8 => (Op::Shr(a, by), x >> by),
            9 => (Op::MulAdd(a, imm, b), x.wrapping_mul(imm as u64).wrapping_add(y)),
            10 if width == 32 => {
                let a = self.pick(64);
                (Op::Truncate(a), self.value(a, 64))
            }
            11 if width == 32 => {
                // A bit field. Only the number of bits of its value is known.
                self.values.push(x & u64::low_bits(by + 1));
                self.defs.push(Some((Op::BitField(by + 1), 32)));
                return;
            }
            12 => {
                let turns = self.next(1 << 20);
                (Op::Counter(a, imm), x.wrapping_add((imm as u64).wrapping_mul(turns)))
            }
            _ if width == 64 => {
                let (a, signed) = (self.pick(32), self.next(2) == 0);
                let x = self.value(a, 32);
                if signed {
                    let product = i64::from(x as i32).wrapping_mul(i64::from(imm as i32));
                    (Op::MulWide(a, imm, Extension::Sign), product as u64)
                } else {
                    (Op::MulWide(a, imm, Extension::Zero), x.wrapping_mul(u64::from(imm as u32)))
                }
            }
            _ => (Op::Copy(a), x),
        };
        self.values.push(value & u64::low_bits(width));
        self.defs.push(Some((op, width)));
    }
}

/// Returns the value of an atom: a register, or bits of one.
fn value_of(forms: &Forms, values: &[u64], atom: AtomId) -> u64 {
    let Some(&value) = values.get(atom.index()) else {
        let (&part, _) = forms.parts.iter().find(|(_, &number)| number == atom).expect("it is a part");
        return match part {
            Part::Masked { width, atom, mask } => value_of(forms, values, atom) & u64::low_bits(width) & mask,
            Part::Shifted { width, atom, by } => (value_of(forms, values, atom) & u64::low_bits(width)) >> by,
        };
    };
    value
}

#[test]
fn addresses_forms_have_the_values_of_4000_random_programs() {
    let (mut long, mut parts) = (0, 0);
    for seed in 0..cases(4000) {
        let mut r = Random { state: seed, defs: vec![None; 4], values: Vec::new() };
        for i in 0..4 {
            let high = r.next(1 << 32) << 32;
            let shift = r.next(33);
            let value = (high | r.next(1 << 32)) >> shift;
            r.values.push(value & u64::low_bits([64, 32][i % 2]));
        }
        for _ in 0..24 {
            r.step();
        }
        let mut forms = Forms::default();
        forms.clear(r.defs.len());
        let mut defs = Listed(r.defs.clone());
        for (i, def) in r.defs.iter().enumerate() {
            let width = def.map_or([64, 32][i % 2], |d| d.1);
            let bits = forms.bits_of_register(&mut defs, VRegId::from_usize(i), width);
            assert_eq!(r.values[i] & !bits, 0, "seed {seed}: bits of {i}: {:?}", r.defs);
            let form = forms.of(&mut defs, VRegId::from_usize(i), width);
            long += u64::from(forms.terms(form).len() > 1 && forms.constant(form) != 0);
            let sum = forms.terms(form).iter().fold(forms.constant(form), |sum, term| {
                let value = value_of(&forms, &r.values, term.atom);
                let value = match term.extension {
                    Some(Extension::Sign) => i64::from(value as i32) as u64,
                    _ => value,
                };
                sum.wrapping_add(value.wrapping_mul(term.factor))
            });
            assert_eq!(sum & u64::low_bits(width), r.values[i], "seed {seed}: form of {i}: {:?}", r.defs);
        }
        parts += forms.parts.len();
    }
    assert!(FEW || long > 1000 && parts > 1000, "{long} {parts}");
}
