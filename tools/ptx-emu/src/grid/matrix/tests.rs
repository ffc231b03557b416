//! Matrix products against plain ones.
//!
//! **Problem.** A layout that is wrong in the same way in taking out and putting back goes
//! unnoticed. **Method.** The tests put the matrices into registers and expect the result there by
//! the formulas of PTX ISA, section by section, not by the single formula under test. All sums are
//! of small integers, so the order of additions does not matter.

use super::*;
use crate::ptx::value::mix;

fn words(opcode: &str) -> Vec<&str> {
    opcode.split('.').collect()
}

fn matrix(opcode: &str) -> Matrix {
    Matrix::decode(&words(opcode)).unwrap_or_else(|| panic!("{opcode} is not decoded"))
}

fn fragment(opcode: &str) -> Fragment {
    Fragment::decode(&words(opcode)).unwrap_or_else(|| panic!("{opcode} is not decoded"))
}

/// Row and column of an element as in PTX ISA: from the group, the thread in the group, and the
/// element's number in the fragment.
type Place = fn(usize, usize, usize) -> (usize, usize);

/// One section of PTX ISA, "Matrix fragments for mma.m16n8k16 ...", word for word.
struct Section {
    opcodes: &'static [&'static str],
    a: Place,
    b: Place,
    sum: Place,
}

fn if_then(condition: bool, value: usize) -> usize {
    if condition {
        value
    } else {
        0
    }
}

const SUM_8: Place = |g, t, i| (g, t * 2 + (i & 1));
const SUM_16: Place = |g, t, i| (g + if_then(i >= 2, 8), t * 2 + (i & 1));

const SECTIONS: &[Section] = &[
    Section {
        opcodes: &["m8n8k4.row.col.f64.f64.f64.f64"],
        a: |g, t, _| (g, t),
        b: |g, t, _| (t, g),
        sum: SUM_8,
    },
    Section {
        opcodes: &["m16n8k4.row.col.f32.tf32.tf32.f32", "m16n8k4.row.col.f64.f64.f64.f64"],
        a: |g, t, i| (g + if_then(i == 1, 8), t),
        b: |g, t, _| (t, g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m16n8k8.row.col.f32.tf32.tf32.f32", "m16n8k8.row.col.f64.f64.f64.f64"],
        a: |g, t, i| (g + if_then(i == 1 || i == 3, 8), t + if_then(i >= 2, 4)),
        b: |g, t, i| (t + if_then(i == 1, 4), g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m16n8k16.row.col.f64.f64.f64.f64"],
        a: |g, t, i| (g + if_then(i % 2 != 0, 8), i * 2 - (i % 2) * 2 + t),
        b: |g, t, i| (t + i * 4, g),
        sum: SUM_16,
    },
    Section {
        opcodes: &[
            "m16n8k8.row.col.f16.f16.f16.f16",
            "m16n8k8.row.col.f32.f16.f16.f32",
            "m16n8k8.row.col.f32.bf16.bf16.f32",
        ],
        a: |g, t, i| (g + if_then(i >= 2, 8), t * 2 + (i & 1)),
        b: |g, t, i| (t * 2 + i, g),
        sum: SUM_16,
    },
    Section {
        opcodes: &[
            "m16n8k16.row.col.f16.f16.f16.f16",
            "m16n8k16.row.col.f32.f16.f16.f32",
            "m16n8k16.row.col.f32.bf16.bf16.f32",
        ],
        a: |g, t, i| {
            let is_upper = i < 2 || (4..6).contains(&i);
            (g + if_then(!is_upper, 8), t * 2 + (i & 1) + if_then(i >= 4, 8))
        },
        b: |g, t, i| (t * 2 + (i & 1) + if_then(i >= 2, 8), g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m8n8k16.row.col.s32.s8.s8.s32", "m8n8k16.row.col.satfinite.s32.u8.s8.s32"],
        a: |g, t, i| (g, t * 4 + i),
        b: |g, t, i| (t * 4 + i, g),
        sum: SUM_8,
    },
    Section {
        opcodes: &["m16n8k16.row.col.s32.s8.u8.s32", "m16n8k16.row.col.f16.e5m2.e5m2.f16"],
        a: |g, t, i| (g + if_then(i >= 4, 8), t * 4 + (i & 3)),
        b: |g, t, i| (t * 4 + i, g),
        sum: SUM_16,
    },
    Section {
        opcodes: &[
            "m16n8k32.row.col.s32.s8.s8.s32",
            "m16n8k32.row.col.s32.u8.u8.s32",
            "m16n8k32.row.col.f32.e4m3.e5m2.f32",
            "m16n8k32.row.col.f16.e4m3.e4m3.f16",
        ],
        a: |g, t, i| {
            let is_upper = i < 4 || (8..12).contains(&i);
            (g + if_then(!is_upper, 8), t * 4 + (i & 3) + if_then(i >= 8, 16))
        },
        b: |g, t, i| (t * 4 + (i & 3) + if_then(i >= 4, 16), g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m8n8k32.row.col.s32.s4.u4.s32"],
        a: |g, t, i| (g, t * 8 + i),
        b: |g, t, i| (t * 8 + i, g),
        sum: SUM_8,
    },
    Section {
        opcodes: &["m16n8k32.row.col.s32.s4.s4.s32"],
        a: |g, t, i| (g + if_then(i >= 8, 8), t * 8 + (i & 7)),
        b: |g, t, i| (t * 8 + i, g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m16n8k64.row.col.s32.u4.s4.s32"],
        a: |g, t, i| {
            let is_upper = i < 8 || (16..24).contains(&i);
            (g + if_then(!is_upper, 8), t * 8 + (i & 7) + if_then(i >= 16, 32))
        },
        b: |g, t, i| (t * 8 + (i & 7) + if_then(i >= 8, 32), g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m8n8k128.row.col.s32.b1.b1.s32.xor.popc"],
        a: |g, t, i| (g, t * 32 + i),
        b: |g, t, i| (t * 32 + i, g),
        sum: SUM_8,
    },
    Section {
        opcodes: &["m16n8k128.row.col.s32.b1.b1.s32.and.popc"],
        a: |g, t, i| (g + if_then(i >= 32, 8), t * 32 + (i & 31)),
        b: |g, t, i| (t * 32 + i, g),
        sum: SUM_16,
    },
    Section {
        opcodes: &["m16n8k256.row.col.s32.b1.b1.s32.xor.popc"],
        a: |g, t, i| {
            let is_upper = i < 32 || (64..96).contains(&i);
            (g + if_then(!is_upper, 8), t * 32 + (i & 31) + if_then(i >= 64, 128))
        },
        b: |g, t, i| (t * 32 + (i & 31) + if_then(i >= 32, 128), g),
        sum: SUM_16,
    },
];

/// A small number in the bits of an element: sums of products are exact in every type.
fn encode(element: Element, value: i64) -> u64 {
    match element {
        Element::Float(format) => format.narrow(value as f64, Rounding::Nearest),
        Element::Integer { bits, .. } => value as u64 & (u64::MAX >> (64 - bits)),
    }
}

fn decode_number(element: Element, bits: u64) -> i64 {
    match element {
        Element::Float(format) => format.widen(bits) as i64,
        Element::Integer { .. } => signed(element, bits),
    }
}

/// A matrix of numbers by rows.
struct Numbers {
    columns: usize,
    values: Vec<i64>,
}

impl Numbers {
    fn random(seed: u64, rows: usize, columns: usize, element: Element) -> Numbers {
        let (least, count) = match element {
            Element::Integer { bits: 1, .. } => (0, 2),
            Element::Integer { bits: 4, is_signed } => (if is_signed { -8 } else { 0 }, 16),
            Element::Integer { bits: 8, is_signed } => (if is_signed { -128 } else { 0 }, 256),
            _ => (-5, 11),
        };
        let values =
            (0..rows * columns).map(|place| least + (mix(seed, place as u64) % count) as i64).collect();
        Numbers { columns, values }
    }

    fn identity(size: usize, columns: usize) -> Numbers {
        let values = (0..size * columns).map(|place| i64::from(place / columns == place % columns)).collect();
        Numbers { columns, values }
    }

    fn at(&self, (row, column): (usize, usize)) -> i64 {
        assert!(column < self.columns);
        self.values[row * self.columns + column]
    }

    fn multiply_add(&self, b: &Numbers, c: &Numbers, multiply: impl Fn(i64, i64) -> i64) -> Numbers {
        let place = |place: usize| {
            let (row, column) = (place / c.columns, place % c.columns);
            let products = (0..self.columns).map(|k| multiply(self.at((row, k)), b.at((k, column))));
            c.values[place] + products.sum::<i64>()
        };
        Numbers { columns: c.columns, values: (0..c.values.len()).map(place).collect() }
    }

    /// Registers that hold the matrix by a section's formula.
    fn registers(&self, place: Place, holder: Holder) -> Vec<Row> {
        let per = holder.element.per_register();
        let mut rows = vec![[0; LANES]; holder.num_registers()];
        for (register, row) in rows.iter_mut().enumerate() {
            for (lane, bits) in row.iter_mut().enumerate() {
                for index in 0..per {
                    let value = self.at(place(lane / 4, lane % 4, register * per + index));
                    *bits |= encode(holder.element, value) << (index * holder.element.bits());
                }
            }
        }
        rows
    }
}

fn check_mma(opcode: &str, section: &Section, factors: Option<Numbers>, seed: u64) {
    let opcode = format!("mma.sync.aligned.{opcode}");
    let it = matrix(&opcode);
    let Shape { m, n, k } = it.a.shape;
    let b = factors.unwrap_or_else(|| Numbers::random(seed + 1, k, n, it.b.element));
    let a = Numbers::random(seed, m, k, it.a.element);
    let c = Numbers::random(seed + 2, m, n, it.c.element);
    let expected = a.multiply_add(&b, &c, |a, b| if opcode.contains("xor") { a ^ b } else { a * b });
    let result = it.eval(
        &a.registers(section.a, it.a),
        &b.registers(section.b, it.b),
        &c.registers(section.sum, it.c),
    );
    assert_eq!(result.len(), it.num_results());
    let wanted = expected.registers(section.sum, it.d);
    for (register, (row, wanted)) in result.iter().zip(&wanted).enumerate() {
        assert_eq!(row, wanted, "{opcode}, register {register}");
    }
}

#[test]
fn mma_against_plain_products() {
    for section in SECTIONS {
        for (index, opcode) in section.opcodes.iter().enumerate() {
            for seed in 0..4 {
                check_mma(opcode, section, None, 10 * seed + index as u64);
            }
        }
    }
}

#[test]
fn mma_by_the_identity() {
    for section in SECTIONS {
        for opcode in section.opcodes {
            let Shape { n, k, .. } = matrix(&format!("mma.sync.aligned.{opcode}")).a.shape;
            check_mma(opcode, section, Some(Numbers::identity(k, n)), 77);
        }
    }
}

#[test]
fn numbers_of_registers() {
    for (opcode, operands, results) in [
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", [1, 1, 2], 2),
        ("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", [8, 4, 4], 4),
        ("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", [2, 1, 4], 4),
        ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", [4, 2, 4], 4),
        ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", [2, 1, 2], 2),
        ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", [4, 2, 4], 4),
        ("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", [1, 1, 2], 2),
        ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", [4, 2, 4], 4),
        ("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", [4, 2, 4], 4),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", [8, 8, 4], 8),
        ("wmma.mma.sync.aligned.row.col.m32n8k16.f16.f32", [8, 8, 8], 4),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32", [4, 4, 8], 8),
        ("wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32", [2, 8, 8], 8),
        ("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", [4, 4, 8], 8),
        ("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64", [1, 1, 2], 2),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", [2, 2, 8], 8),
        ("wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32", [4, 1, 8], 8),
        ("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32", [1, 1, 2], 2),
        ("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", [1, 1, 2], 2),
    ] {
        let it = matrix(opcode);
        assert_eq!((it.num_operands(), it.num_results()), (operands, results), "{opcode}");
    }
}

#[test]
fn integers_wrap_or_clamp() {
    let full = [vec![[0x7f7f_7f7f; LANES]; 1], vec![[0x7f7f_7f7f; LANES]; 1]];
    let start = vec![[i32::MAX as u64; LANES]; 2];
    let wraps = matrix("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32").eval(&full[0], &full[1], &start);
    assert_eq!(wraps, vec![[(i32::MAX as u32).wrapping_add(16 * 127 * 127) as u64; LANES]; 2]);
    let clamps = matrix("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32");
    assert_eq!(clamps.eval(&full[0], &full[1], &start), start);
    let negative = vec![[0x8080_8080; LANES]; 1];
    let start = vec![[0x8000_0000; LANES]; 2];
    assert_eq!(clamps.eval(&full[0], &negative, &start), start);
}

#[test]
fn sums_are_rounded_one_by_one() {
    let opcode = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32";
    let it = matrix(opcode);
    // All products are 2^-24, and the sum is 1: added one by one, each is lost.
    let small = vec![[0x0c00_0c00; LANES]; it.num_operands()[0]];
    let other = vec![[0x0c00_0c00; LANES]; it.num_operands()[1]];
    let one = vec![[0x3f80_0000; LANES]; 4];
    assert_eq!(it.eval(&small, &other, &one), one);
    // From a start of zero none is lost.
    assert_eq!(it.eval(&small, &other, &[[0; LANES]; 4]), vec![[0x3500_0000; LANES]; 4]);
    // A NaN comes out as the canonical one.
    let nan = vec![[0xffc0_1234; LANES]; 4];
    assert_eq!(it.eval(&small, &other, &nan), vec![[0x7fff_ffff; LANES]; 4]);

    let downward = matrix("wmma.mma.sync.aligned.row.col.m8n8k4.rm.f64.f64.f64.f64");
    let tiny = [[(-1e-30f64).to_bits(); LANES]];
    let ones = [[1f64.to_bits(); LANES]; 2];
    let below = (0..4).fold(1f64.to_bits(), |bits, _| bits - 1);
    assert_eq!(downward.eval(&tiny, &ones[..1], &ones), vec![[below; LANES]; 2]);
}

/// Loads, multiplies and stores by `wmma`. Memory is a list of elements.
fn check_wmma(shape: &str, layouts: [&str; 4], factor: &str, sums: [&str; 2], padding: u64) {
    let [a_layout, b_layout, c_layout, d_layout] = layouts;
    let [d_type, c_type] = sums;
    let types = if factor == "f16" { sums.join(".") } else { format!("{d_type}.{factor}.{factor}.{c_type}") };
    let product = if factor == "b1" { "and.popc." } else { "" };
    let it = matrix(&format!("wmma.mma.{product}sync.aligned.{a_layout}.{b_layout}.{shape}.{types}"));
    let Shape { m, n, k } = it.a.shape;
    let numbers = [
        Numbers::random(1, m, k, it.a.element),
        Numbers::random(2, k, n, it.b.element),
        Numbers::random(3, m, n, it.c.element),
    ];
    let mut registers = Vec::new();
    let sides = [("a", a_layout, factor), ("b", b_layout, factor), ("c", c_layout, c_type)];
    for ((numbers, (name, layout, ty)), holder) in numbers.iter().zip(sides).zip([it.a, it.b, it.c]) {
        let load = fragment(&format!("wmma.load.{name}.sync.aligned.{layout}.{shape}.global.{ty}"));
        assert_eq!(load.num_registers(), holder.num_registers());
        assert_eq!(load.element_bits() as usize, holder.element.bits());
        let stride = load.default_stride() + padding;
        let mut seen = std::collections::BTreeSet::new();
        let mut rows = vec![[0; LANES]; load.num_registers()];
        for (register, row) in rows.iter_mut().enumerate() {
            for (lane, bits) in row.iter_mut().enumerate() {
                for (index, &offset) in load.elements(lane, register, stride).iter().enumerate() {
                    seen.insert(offset);
                    let (major, minor) = ((offset / stride) as usize, (offset % stride) as usize);
                    let place = if layout == "row" { (major, minor) } else { (minor, major) };
                    *bits |= encode(holder.element, numbers.at(place)) << (index * holder.element.bits());
                }
            }
        }
        assert_eq!(seen.len(), numbers.values.len(), "{shape} {name}: every element is loaded");
        registers.push(rows);
    }
    let result = it.eval(&registers[0], &registers[1], &registers[2]);
    let expected = numbers[0].multiply_add(&numbers[1], &numbers[2], |a, b| a * b);
    let store = fragment(&format!("wmma.store.d.sync.aligned.{d_layout}.{shape}.{d_type}"));
    assert!(store.is_store());
    let stride = store.default_stride() + padding;
    let mut stored = 0;
    for (register, row) in result.iter().enumerate() {
        for (lane, bits) in row.iter().enumerate() {
            for (index, offset) in store.elements(lane, register, stride).into_iter().enumerate() {
                let (major, minor) = ((offset / stride) as usize, (offset % stride) as usize);
                let place = if d_layout == "row" { (major, minor) } else { (minor, major) };
                let width = it.d.element.bits();
                let value = decode_number(it.d.element, bits >> (index * width) & (u64::MAX >> (64 - width)));
                assert_eq!(value, expected.at(place), "{shape} {factor} {place:?}");
                stored += 1;
            }
        }
    }
    assert_eq!(stored, m * n);
}

#[test]
fn wmma_against_plain_products() {
    let all = ["m16n16k16", "m32n8k16", "m8n32k16"];
    for (shapes, factor, sum_types) in [
        (&all[..], "f16", &[["f16", "f16"], ["f32", "f32"], ["f16", "f32"], ["f32", "f16"]][..]),
        (&all, "bf16", &[["f32", "f32"]]),
        (&["m16n16k8"], "tf32", &[["f32", "f32"]]),
        (&["m8n8k4"], "f64", &[["f64", "f64"]]),
        (&all, "s8", &[["s32", "s32"]]),
        (&all, "u8", &[["s32", "s32"]]),
    ] {
        for shape in shapes {
            for sums in sum_types {
                check_wmma(shape, ["row", "col", "row", "row"], factor, *sums, 0);
                check_wmma(shape, ["col", "row", "col", "row"], factor, *sums, 3);
            }
        }
    }
    for (shape, factor) in [("m8n8k32", "s4"), ("m8n8k32", "u4"), ("m8n8k128", "b1")] {
        check_wmma(shape, ["row", "col", "row", "col"], factor, ["s32", "s32"], 0);
    }
}

#[test]
fn unknown_words() {
    for opcode in [
        "mma",
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16",
        "mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e4m3.f32",
        "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
        "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32",
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32.xor.popc",
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.f32.e4m3.e4m3.f32",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k8.f16.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f64.f64",
        "wmma.mma.sync.aligned.row.row.m8n8k32.s32.s4.s4.s32",
        "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16",
    ] {
        assert_eq!(Matrix::decode(&words(opcode)), None, "{opcode}");
    }
    for opcode in [
        "wmma.load.d.sync.aligned.row.m16n16k16.f16",
        "wmma.store.a.sync.aligned.row.m16n16k16.f16",
        "wmma.load.a.sync.aligned.row.m16n16k16.f32",
        "wmma.load.c.sync.aligned.row.m16n16k16.bf16",
        "wmma.load.a.sync.aligned.col.m8n8k32.s4",
        "wmma.load.a.sync.aligned.row.m16n16k16.local.f16",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16.f16",
        "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16",
    ] {
        assert_eq!(Fragment::decode(&words(opcode)), None, "{opcode}");
    }
}
