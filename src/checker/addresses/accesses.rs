//! Compares the values that the instructions read that are not computed.
//!
//! **Problem.** A stage that recomputes addresses must leave all other instructions as they were,
//! with the same values. **Algorithm.** Their reads are listed in order, before and after the
//! stage. The two lists must be equal. Some stages make registers narrower. A 32-bit read must then
//! be the low half of the 64-bit read before. It must also stand where the low half is enough: as
//! an address in a small address space, or in a PHI. Such a PHI has 32 bits itself, and its readers
//! are compared. **Complexity.** Linear.

use super::random::SAMPLES;
use super::Values;

/// An operand that an instruction reads, or the address of a load or store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// Tells instructions apart.
    pub key: usize,
    /// The values of the operand or address.
    pub values: Values,
    /// The size of the register that is read, in bits; 0 if it is unknown.
    pub bits: u32,
    /// Where it is read.
    pub place: Place,
}

/// Why a value is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The value is not read: it is the content of an instruction, which must not change.
    Content,
    /// As an address in an address space whose addresses have 32 bits.
    SmallAddress,
    /// To be the value of a PHI.
    Phi,
    /// For anything else.
    Other,
}

/// Chooses the values that are compared, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// The values of induction variables are computed as well.
    pub variables: bool,
    /// Low halves may replace 64-bit values where these are enough.
    pub low_halves: bool,
    /// Approximations may flush subnormal numbers, if their operands are never subnormal.
    pub flushes: bool,
    /// Comparisons of 32-bit integers may be in another form that means the same.
    pub comparisons: bool,
}

impl Access {
    /// The content of an instruction.
    pub fn of_instr(key: usize, content: u64) -> Access {
        Access { key, values: [content; SAMPLES], bits: 0, place: Place::Content }
    }
    /// Returns whether this access reads after the stage what `before` read before it.
    fn keeps(&self, before: &Access, compared: Compared) -> bool {
        let is_low_half = compared.low_halves
            && (before.bits, self.bits) == (64, 32)
            && matches!(self.place, Place::SmallAddress | Place::Phi);
        // Sums of 32 bits count modulo 2^32.
        let is_short = self.bits == 32 && self.place == Place::SmallAddress;
        let are_equal = match is_low_half || is_short {
            true => self.values.map(|v| v as u32) == before.values.map(|v| v as u32),
            false => self.values == before.values,
        };
        (self.key, self.place) == (before.key, before.place)
            && are_equal
            && (self.bits == before.bits || is_low_half)
    }
}

/// Returns the position of the first access that is a different one or has other values. `None` if
/// all are as they were.
pub fn first_difference(before: &[Access], after: &[Access], compared: Compared) -> Option<usize> {
    let first = before.iter().zip(after).position(|(b, a)| !a.keeps(b, compared));
    first.or_else(|| (before.len() != after.len()).then(|| before.len().min(after.len())))
}
