//! Products of small matrices whose elements are spread over the lanes of a warp.
//!
//! **Problem.** HMMA, IMMA and DMMA take registers that hold parts of matrices. The result depends
//! on which lane holds which element.
//!
//! **Method.** A [`Shape`] gives the formats and sizes. Elements are gathered from their places,
//! multiplied, and spread again. The places are those of PTX's `mma`; a machine instruction is a
//! whole `mma` or a part of one.
//!
//! **Source.** PTX ISA, "Matrix Fragments for mma". Fasi et al., "Numerical behavior of NVIDIA
//! tensor cores", for the sum.
//!
//! **Deviation.** A sum is computed in double precision and rounded once; tensor cores truncate
//! some bits.
//!
//! **Complexity.** The product of the three sizes.

use crate::float::{narrow, widen, Format, Rounding};
use crate::lanes::{Row, LANES};

/// The number type of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    Float(Format),
    /// Bits and sign.
    Integer(u32, bool),
    /// TF32: single precision, of which only the upper 19 bits count.
    Tensor,
}

impl Element {
    fn bits(self) -> u32 {
        match self {
            Element::Float(format) => 8 * format.bytes() as u32,
            Element::Integer(bits, _) => bits,
            Element::Tensor => 32,
        }
    }

    fn value(self, bits: u64) -> f64 {
        match self {
            Element::Float(format) => widen(format, bits),
            Element::Integer(32, _) => f64::from(bits as i32),
            Element::Integer(size, true) => f64::from((bits as i32) << (32 - size) >> (32 - size)),
            Element::Integer(..) => bits as f64,
            Element::Tensor => widen(Format::Single, bits & 0xffff_e000),
        }
    }
}

/// The sizes and formats of a product of `m` x `k` and `k` x `n` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    m: usize,
    n: usize,
    k: usize,
    factors: [Element; 2],
    sum: Element,
    saturates: bool,
}

impl Shape {
    /// Reads the modifiers of HMMA, IMMA or DMMA. `None` for an unknown shape.
    pub fn read(base: &str, modifiers: &[&str]) -> Option<Shape> {
        let has = |name: &str| modifiers.contains(&name);
        let size = modifiers.first().copied()?;
        let (m, n, k) = match size {
            "1688" => (16, 8, 8),
            "16816" => (16, 8, 16),
            "16832" => (16, 8, 32),
            "8816" => (8, 8, 16),
            "884" => (8, 8, 4),
            "1684" => (16, 8, 4),
            "16864" => (16, 8, 64),
            _ => return None,
        };
        let (factors, sum) = match base {
            "HMMA" => {
                let factor = if has("BF16") {
                    Element::Float(Format::Brain)
                } else if has("TF32") {
                    Element::Tensor
                } else {
                    Element::Float(Format::Half)
                };
                let sum = if has("F32") { Format::Single } else { Format::Half };
                ([factor; 2], Element::Float(sum))
            }
            "DMMA" => ([Element::Float(Format::Double); 2], Element::Float(Format::Double)),
            "IMMA" => {
                let mut kinds = modifiers.iter().filter_map(|name| {
                    Some(match *name {
                        "S8" => Element::Integer(8, true),
                        "U8" => Element::Integer(8, false),
                        "S4" => Element::Integer(4, true),
                        "U4" => Element::Integer(4, false),
                        _ => return None,
                    })
                });
                let first = kinds.next()?;
                ([first, kinds.next().unwrap_or(first)], Element::Integer(32, true))
            }
            _ => return None,
        };
        let known = ["F32", "F16", "BF16", "TF32", "S8", "U8", "S4", "U4", "SAT", "ROW", "COL", size];
        if modifiers.iter().any(|name| !known.contains(name)) {
            return None;
        }
        Some(Shape { m, n, k, factors, sum, saturates: has("SAT") })
    }

    /// The number of registers of an operand: 0 and 1 are the factors, 2 the sum.
    pub fn registers(self, operand: usize) -> u8 {
        let [_, _, bits] = self.sizes(operand);
        let (rows, columns) = self.extent(operand);
        (rows * columns * bits).div_ceil(32 * LANES) as u8
    }

    fn extent(self, operand: usize) -> (usize, usize) {
        [(self.m, self.k), (self.n, self.k), (self.m, self.n)][operand]
    }

    fn sizes(self, operand: usize) -> [usize; 3] {
        let element = [self.factors[0], self.factors[1], self.sum][operand];
        let (rows, columns) = self.extent(operand);
        [rows, columns, element.bits() as usize]
    }

    /// Lane, register and bit of an element. The second factor is addressed by its columns.
    fn place(self, operand: usize, row: usize, column: usize) -> (usize, usize, usize) {
        let [rows, _, bits] = self.sizes(operand);
        // Elements that are adjacent in one or more registers: 32 bits of a factor, two numbers of
        // a sum.
        let together = if operand == 2 { 2 } else { (32 / bits).max(1) };
        let group = column / together;
        let lane = row % 8 * 4 + group % 4;
        // Rows 8 to 15 come before the columns of the fourth and later groups.
        let upper_rows = (rows / 8).max(1);
        let index = (group / 4 * upper_rows + row / 8) * together + column % together;
        let bit = index * bits;
        (lane, bit / 32, bit % 32)
    }

    fn gather(self, operand: usize, rows: &[Row]) -> Vec<f64> {
        let [num_rows, columns, bits] = self.sizes(operand);
        let element = [self.factors[0], self.factors[1], self.sum][operand];
        let mut values = Vec::with_capacity(num_rows * columns);
        for row in 0..num_rows {
            for column in 0..columns {
                let (lane, register, bit) = self.place(operand, row, column);
                let low = u64::from(rows[register][lane]);
                let high = if bits == 64 { u64::from(rows[register + 1][lane]) << 32 } else { 0 };
                let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
                values.push(element.value((low | high) >> bit & mask));
            }
        }
        values
    }
}

/// Multiplies and adds; returns the registers of the result.
pub fn multiply(shape: Shape, operands: &[Vec<Row>; 3]) -> Vec<Row> {
    let [a, b, c] = [0, 1, 2].map(|operand| shape.gather(operand, &operands[operand]));
    let mut result = vec![[0; LANES]; shape.registers(2) as usize];
    for row in 0..shape.m {
        for column in 0..shape.n {
            let products = (0..shape.k).map(|at| a[row * shape.k + at] * b[column * shape.k + at]);
            let (lane, register, bit) = shape.place(2, row, column);
            let start = c[row * shape.n + column];
            let bits = match shape.sum {
                // In the order of PTX's definition, as a chain of fused steps.
                Element::Float(Format::Double) => (0..shape.k)
                    .fold(start, |sum, at| a[row * shape.k + at].mul_add(b[column * shape.k + at], sum))
                    .to_bits(),
                Element::Float(format) => narrow(format, Rounding::Nearest, start + products.sum::<f64>()),
                _ => {
                    let sum = (start + products.sum::<f64>()) as i64;
                    let kept =
                        if shape.saturates { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                    u64::from(kept as u32)
                }
            };
            result[register][lane] |= (bits as u32) << bit;
            if shape.sum.bits() == 64 {
                result[register + 1][lane] = (bits >> 32) as u32;
            }
        }
    }
    result
}

/// The lanes that give the row addresses of this many 8 x 8 matrices.
pub fn rows(num: usize) -> u32 {
    u32::MAX >> (32 - 8 * num)
}

/// Spreads an 8 x 8 matrix of 16-bit numbers over the lanes.
pub fn distribute(rows: &[[u16; 8]; 8], transposes: bool) -> Row {
    std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        let value = |column: usize| if transposes { rows[column][row] } else { rows[row][column] };
        u32::from(value(column)) | u32::from(value(column + 1)) << 16
    })
}

/// Collects an 8 x 8 matrix of 16-bit numbers from the lanes.
pub fn collect(lanes: &Row, transposes: bool) -> [[u16; 8]; 8] {
    let mut rows = [[0; 8]; 8];
    for (lane, word) in lanes.iter().enumerate() {
        for (at, half) in [*word as u16, (word >> 16) as u16].into_iter().enumerate() {
            let (row, column) = (lane / 4, lane % 4 * 2 + at);
            let (row, column) = if transposes { (column, row) } else { (row, column) };
            rows[row][column] = half;
        }
    }
    rows
}

/// Transposes an 8 x 8 matrix of 16-bit numbers.
pub fn transpose(lanes: &Row) -> Row {
    distribute(&collect(lanes, false), true)
}
