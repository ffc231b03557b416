//! Recognises comparisons of 32-bit integers by order, and says how an opcode expresses them.
//!
//! **Problem.** A stage that writes a comparison in another form must know its relation. **Algorithm.**
//! Up to LLVM 20 the opcode's name has the sign, as in `SETP_u32rr`, and an operand the relation.
//! From 21 on the name is `SETP_i32rr`, and the operand has both; from 24 on it is `SETP_i32`.
//! **Source.** `NVPTXInstrInfo.td` of LLVM 17 to 24, and `CmpMode` of `NVPTX.h`. **Deviation.**
//! Equality has no sign and is not listed. **Complexity.** Linear in the name.

/// The position of the operand that says which relation, after a result and two inputs.
pub const MODE: usize = 3;

/// The relation of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Relation {
    const ALL: [Relation; 4] =
        [Relation::Less, Relation::LessOrEqual, Relation::Greater, Relation::GreaterOrEqual];

    /// The relation that holds between `b` and `a` if this one holds between `a` and `b`.
    pub fn exchanged(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessOrEqual => Relation::GreaterOrEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterOrEqual => Relation::LessOrEqual,
        }
    }

    /// The relation to `constant + difference` that holds if this one holds to `constant`: the
    /// relation and the difference.
    pub fn to_neighbour(self) -> (Relation, i64) {
        match self {
            Relation::Less => (Relation::LessOrEqual, -1),
            Relation::LessOrEqual => (Relation::Less, 1),
            Relation::Greater => (Relation::GreaterOrEqual, 1),
            Relation::GreaterOrEqual => (Relation::Greater, -1),
        }
    }
}

/// The numbers of the relations among the values of `CmpMode`. Those of unsigned integers are also
/// those of floats that may be unordered.
const FIRST_SIGNED: i64 = 2;
const FIRST_UNSIGNED: i64 = 8;

/// An opcode that compares two integers of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompareOp {
    /// Whether they are signed, if the opcode's name says so.
    sign: Option<bool>,
}

impl CompareOp {
    /// Classifies the opcode of this name.
    pub fn from_name(name: &str) -> Option<CompareOp> {
        let sign = match name.trim_end_matches("rr").trim_end_matches("ri").trim_end_matches("ir") {
            "SETP_s32" => Some(true),
            "SETP_u32" => Some(false),
            "SETP_i32" => None,
            _ => return None,
        };
        Some(CompareOp { sign })
    }

    /// The relation, and whether the integers are signed; `None` for equality. `mode` is the value
    /// of the operand at [`MODE`].
    pub fn relation(self, mode: i64) -> Option<(Relation, bool)> {
        let of = |first: i64| Some(Relation::ALL[usize::try_from(mode - first).ok().filter(|&n| n < 4)?]);
        match self.sign {
            Some(is_signed) => Some((of(FIRST_SIGNED)?, is_signed)),
            None => of(FIRST_SIGNED).map(|r| (r, true)).or_else(|| Some((of(FIRST_UNSIGNED)?, false))),
        }
    }

    /// The value of the operand at [`MODE`] for a relation of integers with the same sign as before.
    pub fn mode(self, relation: Relation, is_signed: bool) -> i64 {
        let first = if self.sign.is_some() || is_signed { FIRST_SIGNED } else { FIRST_UNSIGNED };
        first + relation as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_modes_of_all_versions() {
        let of = |name: &str, mode| CompareOp::from_name(name)?.relation(mode);
        assert_eq!(of("SETP_u32rr", 5), Some((Relation::GreaterOrEqual, false)));
        assert_eq!(of("SETP_s32ri", 4), Some((Relation::Greater, true)));
        for name in ["SETP_i32rr", "SETP_i32ri", "SETP_i32ir", "SETP_i32"] {
            assert_eq!(of(name, 2), Some((Relation::Less, true)));
            assert_eq!(of(name, 9), Some((Relation::LessOrEqual, false)));
        }
        for (name, mode) in [("SETP_i32rr", 0), ("SETP_i32rr", 6), ("SETP_i32rr", 12), ("SETP_s32rr", 8)] {
            assert_eq!(of(name, mode), None, "{name} {mode}");
        }
        for name in ["SETP_b32rr", "SETP_i64rr", "SETP_f32rr", "SETP_BOOL_i32_AND", "SETP_u16rr"] {
            assert_eq!(CompareOp::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_mode_is_read_as_it_is_written() {
        for (name, signs) in
            [("SETP_i32rr", &[true, false][..]), ("SETP_u32rr", &[false]), ("SETP_s32rr", &[true])]
        {
            let op = CompareOp::from_name(name).expect(name);
            for &is_signed in signs {
                for relation in Relation::ALL {
                    assert_eq!(op.relation(op.mode(relation, is_signed)), Some((relation, is_signed)));
                }
            }
        }
    }

    #[test]
    fn other_forms_mean_the_same() {
        let holds = |relation, a: i64, b: i64| match relation {
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterOrEqual => a >= b,
        };
        for relation in Relation::ALL {
            for (a, b) in (-2..3).flat_map(|a| (-2..3).map(move |b| (a, b))) {
                let (other, difference) = relation.to_neighbour();
                assert_eq!(holds(relation, a, b), holds(relation.exchanged(), b, a));
                assert_eq!(holds(relation, a, b), holds(other, a, b + difference));
            }
        }
    }
}
