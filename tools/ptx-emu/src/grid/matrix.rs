//! Products of matrices by a warp: `mma`, `wmma.mma`, and the fragments of `wmma.load` and
//! `wmma.store`.
//!
//! **Problem.** A warp holds three matrices in the registers of its 32 lanes. The instruction
//! computes D = A * B + C, with m rows, n columns and k products for each sum.
//!
//! **Method.** [`Holder`] says where each element is. The three matrices are taken out of the
//! registers and multiplied by the definition, and the result is put back. The layouts of `mma` are
//! all one formula. With g = lane / 4, t = lane % 4 and p elements in each register:
//!
//! | matrix | register r, element i                                                    |
//! |--------|--------------------------------------------------------------------------|
//! | A      | row g + 8 (r mod m/8), column 4p (r div m/8) + pt + i                      |
//! | B      | row 4pr + pt + i, column g                                                 |
//! | C, D   | of 32 or 64 bits: row g + 8 (r div 2), column 2t + r mod 2; f16: row g + 8r, column 2t + i |
//!
//! The layouts of `wmma` are not documented, so a program cannot depend on them. Here each lane
//! holds a run of consecutive elements. Where PTX gives a matrix more registers than it has
//! elements, the lanes start again at the first element.
//!
//! **Source.** PTX ISA, sections 9.7.14.4 "Matrix multiply-accumulate operation using wmma
//! instructions" and 9.7.14.5 "Matrix multiply-accumulate operation using mma instruction".
//!
//! **Deviation.** Sums of floating-point numbers: PTX does not say in which order and with how many
//! bits hardware adds. Here products are exact and are added to C one by one in the order of k;
//! each sum is rounded to nearest in the type of the accumulator (`f32` if C or D is). Sums of
//! integers are exact, and then wrap or clamp. A GPU may give other last bits where a sum is not
//! exact. Not decoded: the `f16` shape m8n8k4, floats of less than 8 bits, sparse and scaled
//! products.
//!
//! **Complexity.** m * n * k multiplications.

#[cfg(test)]
mod tests;

use super::float::{multiply_add, Format, Rounding};

pub const LANES: usize = 32;
/// One register of every lane.
pub type Row = [u64; LANES];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Float(Format),
    Integer { bits: usize, is_signed: bool },
}

impl Element {
    fn decode(word: &str) -> Option<Element> {
        Some(match word {
            "f16" => Element::Float(Format::F16),
            "bf16" => Element::Float(Format::Bf16),
            "tf32" => Element::Float(Format::Tf32),
            "f32" => Element::Float(Format::F32),
            "f64" => Element::Float(Format::F64),
            "e4m3" => Element::Float(Format::E4m3),
            "e5m2" => Element::Float(Format::E5m2),
            "b1" | "s4" | "u4" | "s8" | "u8" | "s32" => {
                Element::Integer { bits: word[1..].parse().ok()?, is_signed: word.starts_with('s') }
            }
            _ => return None,
        })
    }

    fn bits(self) -> usize {
        match self {
            Element::Float(format) => format.width() as usize,
            Element::Integer { bits, .. } => bits,
        }
    }

    /// Elements of a register, which has 32 bits, or 64 for `f64`.
    fn per_register(self) -> usize {
        (32 / self.bits()).max(1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    m: usize,
    n: usize,
    k: usize,
}

impl Shape {
    /// Reads `m16n8k8`.
    fn decode(word: &str) -> Option<Shape> {
        let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some(Shape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()? })
    }

    fn is_one_of(self, shapes: &[(usize, usize, usize)]) -> bool {
        shapes.contains(&(self.m, self.n, self.k))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    A,
    B,
    /// C or D.
    Sum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Mma,
    Wmma,
}

/// Tells which elements of a matrix the lanes and registers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Holder {
    family: Family,
    role: Role,
    shape: Shape,
    element: Element,
}

impl Holder {
    fn num_rows(self) -> usize {
        match self.role {
            Role::A | Role::Sum => self.shape.m,
            Role::B => self.shape.k,
        }
    }

    fn num_columns(self) -> usize {
        match self.role {
            Role::A => self.shape.k,
            Role::B | Role::Sum => self.shape.n,
        }
    }

    fn num_registers(self) -> usize {
        let elements = self.num_rows() * self.num_columns() / LANES;
        match (self.family, self.role, self.element) {
            // Registers hold some elements twice, or four times.
            (Family::Wmma, Role::A | Role::B, Element::Float(Format::F16)) => 8,
            _ => elements / self.element.per_register(),
        }
    }

    /// Row and column of an element. `index` counts the elements of one register from the low bits.
    fn position(self, lane: usize, register: usize, index: usize) -> (usize, usize) {
        let per = self.element.per_register();
        let (group, thread) = (lane / 4, lane % 4);
        match (self.family, self.role) {
            (Family::Mma, Role::A) => {
                let blocks = self.shape.m / 8;
                (group + 8 * (register % blocks), 4 * per * (register / blocks) + per * thread + index)
            }
            (Family::Mma, Role::B) => (4 * per * register + per * thread + index, group),
            (Family::Mma, Role::Sum) => {
                let pair = register * per + index;
                (group + 8 * (pair / 2), 2 * thread + pair % 2)
            }
            (Family::Wmma, role) => {
                let (rows, columns) = (self.num_rows(), self.num_columns());
                let place = ((lane * self.num_registers() + register) * per + index) % (rows * columns);
                // Elements of one register have neighbouring k.
                if role == Role::B {
                    (place % rows, place / rows)
                } else {
                    (place / columns, place % columns)
                }
            }
        }
    }

    /// Calls `visit` with lane, register, number within the register, and the element's number by
    /// rows.
    fn for_each(self, mut visit: impl FnMut(usize, usize, usize, usize)) {
        for lane in 0..LANES {
            for register in 0..self.num_registers() {
                for index in 0..self.element.per_register() {
                    let (row, column) = self.position(lane, register, index);
                    visit(lane, register, index, row * self.num_columns() + column);
                }
            }
        }
    }

    /// The bits of all elements by rows.
    fn take(self, registers: &[Row]) -> Vec<u64> {
        let bits = self.element.bits();
        let mut elements = vec![0; self.num_rows() * self.num_columns()];
        self.for_each(|lane, register, index, element| {
            elements[element] = registers[register][lane] >> (bits * index) & (u64::MAX >> (64 - bits));
        });
        elements
    }

    fn put(self, elements: &[u64]) -> Vec<Row> {
        let mut registers = vec![[0; LANES]; self.num_registers()];
        self.for_each(|lane, register, index, element| {
            registers[register][lane] |= elements[element] << (self.element.bits() * index);
        });
        registers
    }
}

/// The product of two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BitProduct {
    And,
    Xor,
}

/// A matrix multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    a: Holder,
    b: Holder,
    c: Holder,
    d: Holder,
    rounding: Rounding,
    /// Integers clamp instead of wrapping around.
    saturates: bool,
    bit_product: BitProduct,
}

/// Shapes of `mma` for the types of A, B and D. C has D's.
fn is_mma(shape: Shape, a: &str, b: &str, d: &str) -> bool {
    let shapes: &[(usize, usize, usize)] = match (a, b, d) {
        ("f16", "f16", "f16" | "f32") | ("bf16", "bf16", "f32") => &[(16, 8, 8), (16, 8, 16)],
        ("tf32", "tf32", "f32") => &[(16, 8, 4), (16, 8, 8)],
        ("f64", "f64", "f64") => &[(8, 8, 4), (16, 8, 4), (16, 8, 8), (16, 8, 16)],
        ("s8" | "u8", "s8" | "u8", "s32") => &[(8, 8, 16), (16, 8, 16), (16, 8, 32)],
        ("e4m3" | "e5m2", "e4m3" | "e5m2", "f16" | "f32") => &[(16, 8, 16), (16, 8, 32)],
        ("s4" | "u4", "s4" | "u4", "s32") => &[(8, 8, 32), (16, 8, 32), (16, 8, 64)],
        ("b1", "b1", "s32") => &[(8, 8, 128), (16, 8, 128), (16, 8, 256)],
        _ => &[],
    };
    shape.is_one_of(shapes)
}

/// Shapes of `wmma` for the types of one of its factors.
fn wmma_shapes(factor: &str) -> &'static [(usize, usize, usize)] {
    match factor {
        "f16" | "bf16" | "s8" | "u8" => &[(16, 16, 16), (32, 8, 16), (8, 32, 16)],
        "tf32" => &[(16, 16, 8)],
        "f64" => &[(8, 8, 4)],
        "s4" | "u4" => &[(8, 8, 32)],
        "b1" => &[(8, 8, 128)],
        _ => &[],
    }
}

/// Whether `wmma` multiplies such factors into sums of this type.
fn is_wmma_sum(factor: &str, sum: &str) -> bool {
    match factor {
        "f16" => matches!(sum, "f16" | "f32"),
        "bf16" | "tf32" => sum == "f32",
        "f64" => sum == "f64",
        _ => sum == "s32",
    }
}

/// Whether a matrix of `wmma` may have this layout: stored by rows, or by columns.
fn is_wmma_layout(factor: &str, role: Role, layout: &str) -> bool {
    match (factor, role) {
        ("s4" | "u4" | "b1", Role::A) => layout == "row",
        ("s4" | "u4" | "b1", Role::B) => layout == "col",
        _ => matches!(layout, "row" | "col"),
    }
}

/// Takes the first word off if it is one of those allowed.
fn take_word<'a>(words: &mut &[&'a str], allowed: &[&str]) -> Option<&'a str> {
    let (&first, rest) = words.split_first()?;
    if !allowed.contains(&first) {
        return None;
    }
    *words = rest;
    Some(first)
}

fn rounding(word: Option<&str>) -> Rounding {
    match word {
        Some("rz") => Rounding::Zero,
        Some("rm") => Rounding::Down,
        Some("rp") => Rounding::Up,
        _ => Rounding::Nearest,
    }
}

const ROUNDINGS: &[&str] = &["rn", "rz", "rm", "rp"];

impl Matrix {
    /// Reads the words of an opcode, without the dots. `None` if it is not a product that is known
    /// here.
    pub fn decode(words: &[&str]) -> Option<Matrix> {
        match words {
            ["mma", rest @ ..] => Matrix::decode_mma(rest),
            ["wmma", "mma", rest @ ..] => Matrix::decode_wmma(rest),
            _ => None,
        }
    }

    fn decode_mma(words: &[&str]) -> Option<Matrix> {
        let ["sync", "aligned", shape, "row", "col", rest @ ..] = words else { return None };
        let mut rest = rest;
        let shape = Shape::decode(shape)?;
        let rounding_word = take_word(&mut rest, ROUNDINGS);
        let saturates = take_word(&mut rest, &["satfinite"]).is_some();
        let [d, a, b, c, product @ ..] = rest else { return None };
        if d != c || !is_mma(shape, a, b, d) {
            return None;
        }
        let bit_product = decode_bit_product(a, product)?;
        Matrix::new(Family::Mma, shape, [a, b, c, d], rounding_word, saturates, bit_product)
    }

    fn decode_wmma(words: &[&str]) -> Option<Matrix> {
        let mut rest = words;
        let mut product = &rest[..0];
        if matches!(rest.first(), Some(&("xor" | "and"))) {
            (product, rest) = rest.split_at_checked(2)?;
        }
        let ["sync", "aligned", a_layout, b_layout, shape, after @ ..] = rest else { return None };
        let mut rest = after;
        let shape = Shape::decode(shape)?;
        let rounding_word = take_word(&mut rest, ROUNDINGS);
        let (d, a, b, c, saturates) = match rest {
            [d, c] => (*d, "f16", "f16", *c, false),
            [d, a, b, c] => (*d, *a, *b, *c, false),
            [d, a, b, c, "satfinite"] => (*d, *a, *b, *c, true),
            _ => return None,
        };
        let is_known = a == b
            && shape.is_one_of(wmma_shapes(a))
            && is_wmma_sum(a, c)
            && is_wmma_sum(a, d)
            && is_wmma_layout(a, Role::A, a_layout)
            && is_wmma_layout(b, Role::B, b_layout);
        if !is_known {
            return None;
        }
        let bit_product = decode_bit_product(a, product)?;
        Matrix::new(Family::Wmma, shape, [a, b, c, d], rounding_word, saturates, bit_product)
    }

    fn new(
        family: Family,
        shape: Shape,
        types: [&str; 4],
        rounding_word: Option<&str>,
        saturates: bool,
        bit_product: BitProduct,
    ) -> Option<Matrix> {
        let is_integer = types[3] == "s32";
        if saturates && (!is_integer || types[0] == "b1") || rounding_word.is_some() && types[3] != "f64" {
            return None;
        }
        let holder = |role, word| Some(Holder { family, role, shape, element: Element::decode(word)? });
        Some(Matrix {
            a: holder(Role::A, types[0])?,
            b: holder(Role::B, types[1])?,
            c: holder(Role::Sum, types[2])?,
            d: holder(Role::Sum, types[3])?,
            rounding: rounding(rounding_word),
            saturates,
            bit_product,
        })
    }

    /// The number of registers of the result.
    pub fn num_results(&self) -> usize {
        self.d.num_registers()
    }

    /// The numbers of registers of A, B and C.
    pub fn num_operands(&self) -> [usize; 3] {
        [self.a, self.b, self.c].map(Holder::num_registers)
    }

    /// Computes the rows of the result. There must be as many rows as `num_operands` says.
    pub fn eval(&self, a: &[Row], b: &[Row], c: &[Row]) -> Vec<Row> {
        let (left, right, start) = (self.a.take(a), self.b.take(b), self.c.take(c));
        let sums = match (self.c.element, self.d.element) {
            (Element::Float(before), Element::Float(after)) => {
                self.add_floats(before, after, &left, &right, &start)
            }
            _ => self.add_integers(&left, &right, &start),
        };
        self.d.put(&sums)
    }

    fn add_floats(
        &self,
        before: Format,
        after: Format,
        left: &[u64],
        right: &[u64],
        start: &[u64],
    ) -> Vec<u64> {
        let inner = if before == Format::F16 { after } else { before };
        let number = |element, bits| match element {
            Element::Float(format) => inner.narrow(format.widen(bits), Rounding::Nearest),
            // Decoding lets no integers through here.
            Element::Integer { .. } => bits,
        };
        let left: Vec<u64> = left.iter().map(|&bits| number(self.a.element, bits)).collect();
        let right: Vec<u64> = right.iter().map(|&bits| number(self.b.element, bits)).collect();
        self.sums(|row, column| {
            let sum = number(self.c.element, start[row * self.d.num_columns() + column]);
            let sum = (0..self.d.shape.k).fold(sum, |sum, k| {
                let (a, b) = self.factors(&left, &right, row, column, k);
                multiply_add(inner, self.rounding, [a, b, sum])
            });
            after.narrow(inner.widen(sum), Rounding::Nearest)
        })
    }

    fn add_integers(&self, left: &[u64], right: &[u64], start: &[u64]) -> Vec<u64> {
        self.sums(|row, column| {
            let sum = i64::from(start[row * self.d.num_columns() + column] as i32);
            let sum = (0..self.d.shape.k).fold(sum, |sum, k| {
                let (a, b) = self.factors(left, right, row, column, k);
                sum + self.integer_product(a, b)
            });
            let sum = if self.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
            u64::from(sum as u32)
        })
    }

    fn integer_product(&self, a: u64, b: u64) -> i64 {
        match (self.a.element.bits(), self.bit_product) {
            (1, BitProduct::And) => (a & b) as i64,
            (1, BitProduct::Xor) => (a ^ b) as i64,
            _ => signed(self.a.element, a) * signed(self.b.element, b),
        }
    }

    fn factors(&self, left: &[u64], right: &[u64], row: usize, column: usize, k: usize) -> (u64, u64) {
        (left[row * self.a.num_columns() + k], right[k * self.b.num_columns() + column])
    }

    fn sums(&self, sum: impl Fn(usize, usize) -> u64) -> Vec<u64> {
        let Shape { m, n, .. } = self.d.shape;
        (0..m * n).map(|place| sum(place / n, place % n)).collect()
    }
}

fn signed(element: Element, value: u64) -> i64 {
    match element {
        Element::Integer { bits, is_signed: true } => (value << (64 - bits)) as i64 >> (64 - bits),
        _ => value as i64,
    }
}

/// Reads `xor.popc` or `and.popc`, which only products of bits have.
fn decode_bit_product(factor: &str, words: &[&str]) -> Option<BitProduct> {
    match (factor, words) {
        ("b1", ["xor", "popc"]) => Some(BitProduct::Xor),
        ("b1", ["and", "popc"]) => Some(BitProduct::And),
        ("b1", _) => None,
        (_, []) => Some(BitProduct::And), // not used
        _ => None,
    }
}

/// The part of a matrix that `wmma.load` and `wmma.store` move between memory and registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment {
    holder: Holder,
    is_row_major: bool,
    is_store: bool,
}

const SPACES: &[&str] = &["global", "shared", "shared::cta"];

impl Fragment {
    /// Reads the words of an opcode, such as `wmma.load.a.sync.aligned.row.m16n16k16.global.f16`.
    /// The caller decodes the state space.
    pub fn decode(words: &[&str]) -> Option<Fragment> {
        let ["wmma", direction, role, "sync", "aligned", layout, shape, rest @ ..] = words else {
            return None;
        };
        let mut rest = rest;
        take_word(&mut rest, SPACES);
        let [word] = rest else { return None };
        let role = match (*direction, *role) {
            ("load", "a") => Role::A,
            ("load", "b") => Role::B,
            ("load", "c") | ("store", "d") => Role::Sum,
            _ => return None,
        };
        let shape = Shape::decode(shape)?;
        let is_known = if role == Role::Sum {
            ["f16", "bf16", "tf32", "f64", "s8", "s4", "b1"]
                .iter()
                .any(|factor| shape.is_one_of(wmma_shapes(factor)) && is_wmma_sum(factor, word))
                && matches!(*layout, "row" | "col")
        } else {
            shape.is_one_of(wmma_shapes(word)) && is_wmma_layout(word, role, layout)
        };
        let holder = Holder { family: Family::Wmma, role, shape, element: Element::decode(word)? };
        is_known.then_some(Fragment {
            holder,
            is_row_major: *layout == "row",
            is_store: *direction == "store",
        })
    }

    pub fn is_store(&self) -> bool {
        self.is_store
    }

    pub fn num_registers(&self) -> usize {
        self.holder.num_registers()
    }

    /// Bits of an element in memory and in its register: 1, 4, 8, 16, 32 or 64.
    pub fn element_bits(&self) -> u32 {
        self.holder.element.bits() as u32
    }

    /// The number of elements from one row (or column) to the next if the instruction does not say
    /// it.
    pub fn default_stride(&self) -> u64 {
        let length = if self.is_row_major { self.holder.num_columns() } else { self.holder.num_rows() };
        length as u64
    }

    /// The elements of a register, from the low bits up, as offsets from the start, in elements.
    pub fn elements(&self, lane: usize, register: usize, stride: u64) -> Vec<u64> {
        (0..self.holder.element.per_register())
            .map(|index| {
                let (row, column) = self.holder.position(lane, register, index);
                let (major, minor) = if self.is_row_major { (row, column) } else { (column, row) };
                (major as u64).wrapping_mul(stride).wrapping_add(minor as u64)
            })
            .collect()
    }
}
