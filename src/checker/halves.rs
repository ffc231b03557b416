//! Names halves of registers, which packs and unpacks move.
//!
//! **Problem.** NVPTX has no sub-registers. Its `mov.b32 %r, {%lo, %hi}` and the inverse correspond
//! to the REG_SEQUENCE and EXTRACT_SUBREG of other targets, and are moves to the checker as well.
//! They move halves, and halves of halves.
//!
//! **Algorithm.** The index of such a part is a path down a binary tree; [`Halves::LOW`] and
//! [`Halves::HIGH`] are its steps. These indices are above all of the target's. They compose with
//! one another, but not with the target's.
//!
//! **Source.** The names of the opcodes are those of `NVPTXInstrInfo.td`. **Complexity.** Constant.

use super::instr::Instr;

/// Indices of halves.
pub struct Halves;

const BIT: u32 = 1 << 31;
/// The longest path. Seven steps lead from 128 bits to one.
const MAX_DEPTH: u32 = 8;

impl Halves {
    /// The less significant half.
    pub const LOW: u32 = BIT | 2;
    /// The more significant half.
    pub const HIGH: u32 = BIT | 3;

    /// Returns whether `sub` is the index of such a part.
    pub fn is(sub: u32) -> bool {
        sub & BIT != 0
    }

    /// Returns the index of part `i` of `of` equal parts, which are 2 or 4.
    pub fn nth(i: u32, of: u32) -> u32 {
        BIT | of | i
    }

    fn depth(sub: u32) -> u32 {
        (sub & !BIT).ilog2()
    }

    /// Returns the index of part `b` of part `a`. `None` if the path would be too long.
    pub fn compose(a: u32, b: u32) -> Option<u32> {
        let depth = Self::depth(b);
        let path = (a & !BIT) << depth | (b & !BIT & ((1 << depth) - 1));
        (Self::depth(a) + depth <= MAX_DEPTH).then_some(BIT | path)
    }

    /// Returns the index of `part` within `whole`, 0 if it is all of it. `None` if it is outside or
    /// larger.
    pub fn part_of(whole: u32, part: u32) -> Option<u32> {
        let below = Self::depth(part).checked_sub(Self::depth(whole))?;
        let path = part & !BIT;
        (path >> below == whole & !BIT).then_some(if below == 0 {
            0
        } else {
            BIT | 1 << below | (path & ((1 << below) - 1))
        })
    }

    /// Puts the index in words: `the low half of `, and so on.
    pub fn text(sub: u32) -> String {
        let steps = (0..Self::depth(sub)).map(|step| if sub >> step & 1 == 0 { "low" } else { "high" });
        steps.map(|half| format!("the {half} half of ")).collect()
    }
}

/// Returns which parts an NVPTX opcode of this name moves: [`Instr::PACK`] and the others, or 0.
pub fn flags_of(name: &str) -> u32 {
    match name {
        "INT_NVVM_LOHI_I2D" => return Instr::PACK,
        "INT_NVVM_D2I_LO" => return Instr::LOW_HALF,
        "INT_NVVM_D2I_HI" => return Instr::HIGH_HALF,
        _ => {}
    }
    let Some((from, to)) = name.trim_end_matches("_Sink").split_once("to") else { return 0 };
    if let (Some(vector), Some(wide)) = (Vector::named(from), scalar(to)) {
        return if vector.all_bits() == wide { Instr::PACK } else { 0 };
    }
    let Some(wide) = scalar(from) else { return 0 };
    if let Some(vector) = Vector::named(to) {
        return if vector.all_bits() == wide { Instr::UNPACK } else { 0 };
    }
    let half = |to: &str| scalar(to).is_some_and(|bits| 2 * bits == wide);
    match (to.strip_suffix('L'), to.strip_suffix('H')) {
        (Some(to), _) if half(to) => Instr::LOW_HALF,
        (_, Some(to)) if half(to) => Instr::HIGH_HALF,
        _ => 0,
    }
}

/// Several values of one size.
struct Vector {
    elements: u32,
    element_bits: u32,
}

impl Vector {
    /// Reads a name like `V2I16`.
    fn named(name: &str) -> Option<Vector> {
        let name = name.strip_prefix('V')?;
        let elements = name.get(..1)?.parse().ok().filter(|n| [2, 4].contains(n))?;
        Some(Vector { elements, element_bits: scalar(&name[1..])? })
    }
    fn all_bits(&self) -> u32 {
        self.elements * self.element_bits
    }
}

/// Reads the bits of `I32` or `F64`.
fn scalar(name: &str) -> Option<u32> {
    name.strip_prefix(['I', 'F'])?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k1_halves_compose() {
        let (low, high) = (Halves::LOW, Halves::HIGH);
        assert_eq!((Halves::nth(0, 2), Halves::nth(1, 2)), (low, high));
        let quarters = [(low, low), (low, high), (high, low), (high, high)];
        for (i, (a, b)) in quarters.into_iter().enumerate() {
            let quarter = Halves::nth(i as u32, 4);
            assert_eq!(Halves::compose(a, b), Some(quarter));
            assert_eq!(Halves::part_of(a, quarter), Some(b));
            assert_eq!(Halves::part_of(quarter, a), None);
            assert_eq!(Halves::part_of(quarter, quarter), Some(0));
        }
        assert_eq!(Halves::part_of(low, Halves::nth(2, 4)), None);
        assert_eq!(Halves::text(Halves::nth(1, 4)), "the high half of the low half of ");
        let deep = (1..MAX_DEPTH).try_fold(low, |sub, _| Halves::compose(sub, high)).unwrap();
        assert_eq!(Halves::compose(deep, low), None);
    }

    #[test]
    fn k1_what_moves_halves() {
        for name in ["V2I16toI32", "V4I16toI64", "V2I64toI128", "V2F32toF64", "INT_NVVM_LOHI_I2D"] {
            assert_eq!(flags_of(name), Instr::PACK, "{name}");
        }
        for name in ["I32toV2I16", "I64toV4I16", "I128toV2I64", "F64toV2F32"] {
            assert_eq!(flags_of(name), Instr::UNPACK, "{name}");
        }
        for (name, flags) in [
            ("I32toI16L", Instr::LOW_HALF),
            ("I64toI32H_Sink", Instr::HIGH_HALF),
            ("INT_NVVM_D2I_LO", Instr::LOW_HALF),
            ("INT_NVVM_D2I_HI", Instr::HIGH_HALF),
        ] {
            assert_eq!(flags_of(name), flags, "{name}");
        }
        for name in ["V2I16toI64", "I64toI16L", "CVT_f32_f16", "I64toI32", "StoreParamV2I32", "to", "Vto"] {
            assert_eq!(flags_of(name), 0, "{name}");
        }
    }
}
