//! Halves of registers: what instructions that put values together and take them apart move.
//!
//! NVPTX has no sub-registers. `mov.b32 %r, {%lo, %hi}` and its inverse do what REG_SEQUENCE and EXTRACT_SUBREG do
//! elsewhere, and are moves to the checker as well; the parts that they move are halves, and halves of halves.
//!
//! The index of such a part, above all of the target's, is a way down a binary tree: [`Halves::LOW`] and
//! [`Halves::HIGH`] say which way at each step. They compose with one another and not with the target's.

use super::program::Instr;

/// Indices of halves.
pub struct Halves;

const BIT: u32 = 1 << 31;
/// Halves of halves: 128 bits in parts of one are seven steps.
const MAX_DEPTH: u32 = 8;

impl Halves {
    /// The less significant half.
    pub const LOW: u32 = BIT | 2;
    /// The more significant half.
    pub const HIGH: u32 = BIT | 3;

    /// Whether it is the index of such a part.
    pub fn is(sub: u32) -> bool {
        sub & BIT != 0
    }

    /// Part `i` of 2 or 4 of the same size.
    pub fn nth(i: u32, of: u32) -> u32 {
        BIT | of | i
    }

    fn depth(sub: u32) -> u32 {
        (sub & !BIT).ilog2()
    }

    /// Part `b` of part `a`; none if it is smaller than anything is.
    pub fn compose(a: u32, b: u32) -> Option<u32> {
        let depth = Self::depth(b);
        let path = (a & !BIT) << depth | (b & !BIT & ((1 << depth) - 1));
        (Self::depth(a) + depth <= MAX_DEPTH).then_some(BIT | path)
    }

    /// Which part of `whole` is `part`, 0 if it is all of it; none if it is outside of it or larger.
    pub fn part_of(whole: u32, part: u32) -> Option<u32> {
        let below = Self::depth(part).checked_sub(Self::depth(whole))?;
        let path = part & !BIT;
        (path >> below == whole & !BIT).then_some(if below == 0 {
            0
        } else {
            BIT | 1 << below | (path & ((1 << below) - 1))
        })
    }

    /// `the low half of `, and so on.
    pub fn text(sub: u32) -> String {
        let steps = (0..Self::depth(sub)).map(|step| if sub >> step & 1 == 0 { "low" } else { "high" });
        steps.map(|half| format!("the {half} half of ")).collect()
    }
}

/// What an NVPTX opcode of this name moves, in LLVM 17 to 22: [`Instr::PACK`] and the others, or 0.
pub fn flags_of(name: &str) -> u32 {
    let Some((from, to)) = name.trim_end_matches("_Sink").split_once("to") else { return 0 };
    if let (Some((n, bits)), Some(wide)) = (vector(from), scalar(to)) {
        return if n * bits == wide { Instr::PACK } else { 0 };
    }
    let Some(wide) = scalar(from) else { return 0 };
    if let Some((n, bits)) = vector(to) {
        return if n * bits == wide { Instr::UNPACK } else { 0 };
    }
    let half = |to: &str| scalar(to).is_some_and(|bits| 2 * bits == wide);
    match (to.strip_suffix('L'), to.strip_suffix('H')) {
        (Some(to), _) if half(to) => Instr::LOW_HALF,
        (_, Some(to)) if half(to) => Instr::HIGH_HALF,
        _ => 0,
    }
}

/// `V2I16`: how many, and of how many bits each.
fn vector(name: &str) -> Option<(u32, u32)> {
    let name = name.strip_prefix('V')?;
    let n = name.get(..1)?.parse().ok().filter(|n| [2, 4].contains(n))?;
    Some((n, scalar(&name[1..])?))
}

/// `I32` or `F64`: the bits.
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
        for name in ["V2I16toI32", "V4I16toI64", "V2I64toI128", "V2F32toF64"] {
            assert_eq!(flags_of(name), Instr::PACK, "{name}");
        }
        for name in ["I32toV2I16", "I64toV4I16", "I128toV2I64", "F64toV2F32"] {
            assert_eq!(flags_of(name), Instr::UNPACK, "{name}");
        }
        for (name, flags) in [("I32toI16L", Instr::LOW_HALF), ("I64toI32H_Sink", Instr::HIGH_HALF)] {
            assert_eq!(flags_of(name), flags, "{name}");
        }
        for name in ["V2I16toI64", "I64toI16L", "CVT_f32_f16", "I64toI32", "StoreParamV2I32", "to", "Vto"] {
            assert_eq!(flags_of(name), 0, "{name}");
        }
    }
}
