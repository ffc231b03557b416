//! Computes 32-bit floats from the text that instructions print as.
//!
//! **Problem.** A stage gives `.ftz` to approximations whose operand is never subnormal
//! ([`crate::stages::flush`]). It reasons about ranges, and the checker must not share that
//! reasoning. **Algorithm.** The operand is computed in [`SAMPLES`] samples, as the hardware would.
//! Registers that are not computed get chosen numbers. In most samples these are subnormal, or
//! their squares or sums are. **Source.** PTX ISA, "Floating-Point Instructions". **Deviation.**
//! ptxas may round a product and a sum once instead of twice; here they are rounded twice.
//! **Complexity.** Constant for each sample.

use super::random::{mix, random};
use std::cmp::Ordering;

/// How many samples there are: a multiple of those of addresses.
pub const SAMPLES: usize = 10 * super::random::SAMPLES;

/// The operations whose approximations may begin to flush.
pub const APPROXIMATIONS: [&str; 3] = ["rsqrt", "sqrt", "lg2"];

/// How many kinds of numbers there are for registers that are not computed.
const KINDS: usize = 13;

/// The bits of a register in each sample.
pub type Bits = [u32; SAMPLES];

/// The parsed text of an instruction with one result.
#[derive(Clone, PartialEq, Debug)]
pub struct FloatText {
    operation: String,
    modifiers: Vec<String>,
    inputs: Vec<FloatInput>,
}

/// An input of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FloatInput {
    /// The operand at this position.
    Operand(usize),
    /// The bits of a constant.
    Constant(u32),
}

impl FloatText {
    /// Reads the text of an instruction; `operand_7` is its operand 7. `None` if the text is not
    /// one statement with a result and inputs.
    pub fn parse(text: &str) -> Option<FloatText> {
        let (statement, rest) = text.trim().split_once(';')?;
        let (mnemonic, operands) = statement.split_once(char::is_whitespace)?;
        let mut words = mnemonic.split('.').map(str::to_owned);
        let operation = words.next()?;
        let mut operands = operands.split(',').map(str::trim);
        (operands.next()? == "operand_0" && rest.trim().is_empty()).then_some(())?;
        let inputs = operands.map(FloatInput::parse).collect::<Option<_>>()?;
        Some(FloatText { operation, modifiers: words.collect(), inputs })
    }
    /// Lists the inputs.
    pub fn inputs(&self) -> &[FloatInput] {
        &self.inputs
    }
    /// Returns whether this is an approximation with an optional `.ftz`. Such a flag changes the
    /// result only for subnormal operands.
    pub fn is_approximation(&self) -> bool {
        APPROXIMATIONS.contains(&self.operation.as_str())
            && self.has("approx")
            && self.has("f32")
            && self.modifiers.iter().all(|word| ["approx", "ftz", "f32"].contains(&word.as_str()))
    }
    /// Hashes it without `.ftz`.
    pub fn hash_without_flush(&self) -> u64 {
        let words = self.modifiers.iter().filter(|word| *word != "ftz");
        let words = std::iter::once(&self.operation).chain(words);
        words.flat_map(|word| word.bytes().chain([b'.'])).fold(3, |hash, byte| mix(hash ^ u64::from(byte)))
    }
    /// Returns the bits that the instruction takes an input's bits for: `.ftz` flushes subnormal
    /// ones.
    pub fn taken(&self, bits: u32) -> u32 {
        if self.has("ftz") {
            flushed(f32::from_bits(bits)).to_bits()
        } else {
            bits
        }
    }

    /// Computes the result from the bits of the inputs. A float has 32 bits, a predicate one.
    /// `None` if the instruction is not known.
    pub fn compute(&self, inputs: &[u64]) -> Option<f32> {
        if let [.., to, from] = &self.modifiers[..] {
            if self.operation == "cvt" && to == "f32" {
                return self.convert(from, *inputs.first()?);
            }
        }
        let (last, words) = self.modifiers.split_last()?;
        let known = ["rn", "ftz", "approx", "NaN"];
        if !words.iter().all(|word| known.contains(&word.as_str())) {
            return None;
        }
        let input = |index: usize| Some(f32::from_bits(self.taken(*inputs.get(index)? as u32)));
        let result = match (self.operation.as_str(), last.as_str(), inputs.len()) {
            ("mov", "f32" | "b32", 1) => return Some(f32::from_bits(inputs[0] as u32)),
            ("selp", "f32" | "b32", 3) => {
                return Some(f32::from_bits(inputs[usize::from(inputs[2] & 1 == 0)] as u32))
            }
            ("add", "f32", 2) => input(0)? + input(1)?,
            ("sub", "f32", 2) => input(0)? - input(1)?,
            ("mul", "f32", 2) => input(0)? * input(1)?,
            ("fma", "f32", 3) => input(0)?.mul_add(input(1)?, input(2)?),
            ("abs", "f32", 1) => input(0)?.abs(),
            ("neg", "f32", 1) => -input(0)?,
            ("min" | "max", "f32", 2) => {
                let (a, b) = (input(0)?, input(1)?);
                match (self.operation.as_str(), a.is_nan() || b.is_nan()) {
                    (_, true) if self.has("NaN") => f32::NAN,
                    ("min", _) => a.min(b),
                    _ => a.max(b),
                }
            }
            ("sqrt", "f32", 1) if self.has("approx") => input(0)?.sqrt(),
            ("rsqrt", "f32", 1) if self.has("approx") => 1.0 / input(0)?.sqrt(),
            _ => return None,
        };
        Some(if self.has("ftz") { flushed(result) } else { result })
    }

    fn convert(&self, from: &str, bits: u64) -> Option<f32> {
        let (kind, size) = from.split_at(1);
        let shift = 64 - size.parse::<u32>().ok().filter(|size| (8..=64).contains(size))?;
        match (kind, &self.modifiers[..self.modifiers.len() - 2]) {
            ("u", [rounding]) => rounded((bits << shift >> shift).into(), rounding),
            ("s", [rounding]) => rounded(((bits << shift) as i64 >> shift).into(), rounding),
            // No half is subnormal as a float of 32 bits.
            ("f", []) if size == "16" => Some(from_half(bits as u16)),
            ("f", [ftz]) if size == "16" && ftz == "ftz" => Some(from_half(bits as u16)),
            _ => None,
        }
    }

    fn has(&self, word: &str) -> bool {
        self.modifiers.iter().any(|w| w == word)
    }
}

impl FloatInput {
    fn parse(text: &str) -> Option<FloatInput> {
        if let Some(position) = text.strip_prefix("operand_") {
            return Some(FloatInput::Operand(position.parse().ok()?));
        }
        let bits = text.strip_prefix("0f").filter(|digits| digits.len() == 8)?;
        Some(FloatInput::Constant(u32::from_str_radix(bits, 16).ok()?))
    }
}

/// Replaces a subnormal number by zero, with its sign.
fn flushed(value: f32) -> f32 {
    if value.is_subnormal() {
        0.0f32.copysign(value)
    } else {
        value
    }
}

/// Rounds an integer as a modifier says. `None` if the modifier is not one of the four.
fn rounded(value: i128, rounding: &str) -> Option<f32> {
    let (may_rise, may_fall) = match rounding {
        "rn" => (true, true),
        "rp" => (true, false),
        "rm" => (false, true),
        "rz" => (value < 0, value > 0),
        _ => return None,
    };
    let nearest = value as f32;
    // An integer other than zero is far from the least numbers, where the bits count the other way.
    let next = |is_up: bool| {
        f32::from_bits(if is_up == (value > 0) { nearest.to_bits() + 1 } else { nearest.to_bits() - 1 })
    };
    Some(match (nearest as i128).cmp(&value) {
        Ordering::Greater if !may_rise => next(false),
        Ordering::Less if !may_fall => next(true),
        _ => nearest,
    })
}

fn from_half(bits: u16) -> f32 {
    let sign = if bits >> 15 != 0 { -1.0 } else { 1.0 };
    let fraction = f32::from(bits & 0x3ff) / 1024.0;
    sign * match bits >> 10 & 0x1f {
        0 => fraction * 2f32.powi(-14),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        exponent => (1.0 + fraction) * 2f32.powi(i32::from(exponent) - 15),
    }
}

/// Returns the bits of a register that is not computed. A sample has the same kind of number in all
/// registers.
pub fn sampled(key: u64, sample: usize) -> u32 {
    let any = mix(mix(key) ^ (sample as u64) << 48);
    let (sign, fraction, pick) =
        ((any >> 63 << 31) as u32, any as u32 & 0x7f_ffff, (any >> 32 & 0xffff) as u32);
    let exponent = |lowest: i32, count: u32| sign | (((lowest + 127) as u32 + pick % count) << 23) | fraction;
    let subnormal = sign | fraction >> (pick % 23);
    const EDGES: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        -f32::MIN_POSITIVE,
        f32::MAX,
        f32::MIN,
        1e-45,
    ];
    match sample % KINDS {
        0 => any as u32,
        1 if pick % 4 == 0 => f32::NAN.to_bits(),
        1 => subnormal,
        // Their squares are about the least normal number.
        2 => exponent(-76, 14),
        3 => exponent(-1, 2),
        4 => EDGES[pick as usize % EDGES.len()].to_bits(),
        5 => exponent(-32, 13),
        6 if pick % 4 != 0 => sign,
        6 => subnormal,
        7 => exponent(60, 68),
        // NaN beside these.
        9 if any >> 50 & 3 == 0 => f32::NAN.to_bits(),
        9 => exponent(-76, 14),
        // Products of more than two, or with a constant, are subnormal.
        10 => exponent(-126, 30),
        11 => exponent(-100, 60),
        12 => exponent(-50, 20),
        // Their differences are subnormal.
        _ => f32::MIN_POSITIVE.to_bits() + pick % 8,
    }
}

/// Returns the bits of a register that is not computed, for reads of an integer or of a size other
/// than 32 bits.
pub fn sampled_integer(key: u64, sample: usize) -> u64 {
    random(key, sample % super::random::SAMPLES)
}

/// Returns a predicate that is not computed. In half of the samples all predicates are the same:
/// several of them may choose one value.
pub fn sampled_predicate(key: u64, sample: usize) -> u64 {
    match sample / KINDS % 4 {
        0 => 1,
        1 => 0,
        _ => mix(mix(key) ^ sample as u64) & 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> FloatText {
        FloatText::parse(text).unwrap_or_else(|| panic!("{text}"))
    }
    fn compute(text_of: &str, inputs: &[f32]) -> Option<f32> {
        let bits: Vec<u64> = inputs.iter().map(|value| u64::from(value.to_bits())).collect();
        text(text_of).compute(&bits)
    }

    #[test]
    fn k1_floats_are_computed_by_their_text() {
        let tiny = f32::from_bits(1);
        for (text, inputs, expected) in [
            ("add.rn.f32 \toperand_0, operand_1, operand_2;", &[1.0, 2.0][..], 3.0),
            ("sub.f32 \toperand_0, operand_1, operand_2;", &[1.0, 2.0], -1.0),
            ("mul.f32 \toperand_0, operand_1, operand_2;", &[1e-30, 1e-15], 1e-45),
            ("mul.ftz.f32 \toperand_0, operand_1, operand_2;", &[1e-30, 1e-15], 0.0),
            ("add.ftz.f32 \toperand_0, operand_1, operand_2;", &[tiny, 1.0], 1.0),
            ("fma.rn.f32 \toperand_0, operand_1, operand_2, operand_3;", &[2.0, 3.0, 4.0], 10.0),
            ("abs.f32 \toperand_0, operand_1;", &[-2.0], 2.0),
            ("neg.f32 \toperand_0, operand_1;", &[-2.0], 2.0),
            ("min.f32 \toperand_0, operand_1, operand_2;", &[f32::NAN, 2.0], 2.0),
            ("max.f32 \toperand_0, operand_1, operand_2;", &[1.0, 2.0], 2.0),
            ("sqrt.approx.f32 \toperand_0, operand_1;", &[4.0], 2.0),
            ("rsqrt.approx.ftz.f32 \toperand_0, operand_1;", &[tiny], f32::INFINITY),
            ("mov.b32 \toperand_0, operand_1;", &[tiny], tiny),
        ] {
            assert_eq!(compute(text, inputs), Some(expected), "{text}");
        }
        assert!(compute("max.NaN.f32 operand_0, operand_1, operand_2;", &[f32::NAN, 2.0]).unwrap().is_nan());
    }

    #[test]
    fn k1_integers_and_halves_become_floats() {
        let convert =
            |from: &str, bits| text(&format!("cvt.{from} \toperand_0, operand_1;")).compute(&[bits]);
        assert_eq!(convert("rn.f32.u32", 0xffff_ffff_8000_0000), Some(2_147_483_648.0));
        assert_eq!(convert("rn.f32.s32", 0x8000_0000), Some(-2_147_483_648.0));
        assert_eq!(convert("rn.f32.s8", 0xff), Some(-1.0));
        assert_eq!(convert("f32.f16", 0x3c00), Some(1.0));
        assert_eq!(convert("f32.f16", 0x8001), Some(-2f32.powi(-24)));
        assert_eq!(convert("ftz.f32.f16", 1), Some(2f32.powi(-24)));
        assert_eq!(convert("rz.f32.u32", 0xffff_ffff), Some(4_294_967_040.0));
        assert_eq!(convert("rp.f32.u32", 0xffff_fe01), Some(4_294_967_040.0));
        assert_eq!(convert("rz.f32.s32", 0x8000_0001), Some(-2_147_483_520.0));
        assert_eq!(convert("rm.f32.s32", 0x8000_0001), Some(-2_147_483_648.0));
        assert_eq!(convert("rn.sat.f32.u32", 1), None);
    }

    #[test]
    fn k1_a_select_reads_its_predicate() {
        let select = text("selp.f32 \toperand_0, operand_1, 0f40000000, operand_3;");
        assert_eq!(select.inputs()[1], FloatInput::Constant(2.0f32.to_bits()));
        let bits = [1.0f32, 2.0].map(|value| u64::from(value.to_bits()));
        assert_eq!(select.compute(&[bits[0], bits[1], 1]), Some(1.0));
        assert_eq!(select.compute(&[bits[0], bits[1], 0]), Some(2.0));
    }

    #[test]
    fn k1_other_instructions_are_not_computed() {
        for text in [
            "add.rz.f32 operand_0, operand_1, operand_2;",
            "add.sat.f32 operand_0, operand_1, operand_2;",
            "ex2.approx.f32 operand_0, operand_1;",
        ] {
            assert_eq!(compute(text, &[1.0; 2]), None, "{text}");
        }
        assert_eq!(FloatText::parse("{ add.f32 operand_0, operand_1, operand_2; }"), None);
        assert_eq!(FloatText::parse("st.b32 [operand_1], operand_0;"), None);
    }

    #[test]
    fn k1_approximations_are_alike_except_for_subnormal_operands() {
        let (plain, flush) = (
            text("rsqrt.approx.f32 operand_0, operand_1;"),
            text("rsqrt.approx.ftz.f32 operand_0, operand_1;"),
        );
        assert!(plain.is_approximation() && flush.is_approximation());
        assert_eq!(plain.hash_without_flush(), flush.hash_without_flush());
        assert_ne!(
            plain.hash_without_flush(),
            text("sqrt.approx.f32 operand_0, operand_1;").hash_without_flush()
        );
        assert_ne!(plain.taken(1), flush.taken(1));
        assert_eq!(plain.taken(0x80_0000), flush.taken(0x80_0000));
        for other in ["rcp.approx.f32", "ex2.approx.f32", "rsqrt.approx.f64", "sqrt.rn.f32"] {
            assert!(!text(&format!("{other} operand_0, operand_1;")).is_approximation(), "{other}");
        }
    }

    #[test]
    fn k1_samples_are_of_all_kinds() {
        let values: Vec<f32> = (0..SAMPLES).map(|sample| f32::from_bits(sampled(7, sample))).collect();
        let count = |is: fn(f32) -> bool| values.iter().filter(|value| is(**value)).count();
        assert!(count(f32::is_subnormal) > 8);
        assert!(count(|value| (value * value).is_subnormal()) > 4);
        assert!(count(|value| value.abs() > 1e10) > 4);
        for exponent in -145..0 {
            // A subnormal power as an `f32` is zero by `powi`.
            let product = |value: &&f32| ((f64::from(**value) * 2f64.powi(exponent)) as f32).is_subnormal();
            assert!(values.iter().filter(product).count() > 1, "2^{exponent}");
        }
    }
}
