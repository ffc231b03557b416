//! Holds goals: pairs of a place after the pass and a value before it that must be the same.

use super::program::Point;
use super::step::Part;
use crate::mir::{BlockId, InstrId, Operand, VRegId};

/// A place after the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Part of a register.
    Reg(Part),
    /// Nowhere: nothing is read.
    Undefined,
    /// The value that a pure instruction would compute here.
    Rematerialised {
        /// The instruction.
        instr: InstrId,
        /// The only virtual register that it reads.
        reads: Option<VRegId>,
    },
}

impl Place {
    /// Returns the place that an operand reads.
    pub fn read_by(op: Operand) -> Place {
        match Part::read_by(op) {
            Some(part) if !op.is_undef() => Place::Reg(part),
            _ => Place::Undefined,
        }
    }
    /// Returns the index of the part of a register; 0 for any other place.
    pub fn sub(self) -> u32 {
        match self {
            Place::Reg(part) => part.sub,
            _ => 0,
        }
    }
    /// Returns this place with another index of its register; a place without a register is
    /// unchanged.
    pub fn with_sub(self, sub: u32) -> Place {
        match self {
            Place::Reg(part) => Place::Reg(Part { sub, ..part }),
            other => other,
        }
    }
}

/// The origin of a value before the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A register.
    Reg(VRegId),
    /// A pure instruction that reads nothing.
    Constant(InstrId),
}

/// Part of a value before the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wanted {
    /// The whole value.
    pub origin: Origin,
    /// The index of the part.
    pub sub: u32,
}

impl Wanted {
    /// Returns the part of a register. `None` if the origin is a constant.
    pub fn part(self) -> Option<Part> {
        match self.origin {
            Origin::Reg(reg) => Some(Part { reg, sub: self.sub }),
            Origin::Constant(_) => None,
        }
    }
    /// Returns whether the origin is a constant.
    pub fn is_constant(self) -> bool {
        matches!(self.origin, Origin::Constant(_))
    }
}

impl From<Part> for Wanted {
    fn from(part: Part) -> Wanted {
        Wanted { origin: Origin::Reg(part.reg), sub: part.sub }
    }
}

/// To be shown: in these lanes, `after` has the value that `before` has. Each is taken at a point
/// of its own program. A `before` without a value allows any.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The place after the pass.
    pub after: Place,
    /// The point there.
    pub at: Point,
    /// Its block.
    pub block: BlockId,
    /// The value before the pass.
    pub before: Wanted,
    /// The point there.
    pub before_at: Point,
    /// Its block.
    pub before_block: BlockId,
    /// The lanes that count.
    pub lanes: u64,
    /// Whether `before` must have a value, because a rematerialised instruction reads it. Without a
    /// value, each of that instruction's results may be a different one.
    pub is_strict: bool,
}

/// The point of a remembered goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyPoint {
    /// The start of a block after the pass.
    StartOf(BlockId),
    /// The end of the block before the pass that has all defs of both registers.
    EndOfDefBlock(BlockId),
}

/// A remembered goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    point: KeyPoint,
    after: Place,
    before: Wanted,
    lanes: u64,
    is_strict: bool,
}

impl Goal {
    /// Returns the form in which the goal is remembered, at this point.
    pub fn key(&self, point: KeyPoint) -> Key {
        let Goal { after, before, lanes, is_strict, .. } = *self;
        Key { point, after, before, lanes, is_strict }
    }
}

/// Where following one side of a goal back has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The start of the block.
    Start,
    /// There is no value.
    Undefined,
    /// The def operand of an instruction that makes the value.
    DefinedBy(Point),
    /// A value made of halves, where the other side is the result of one instruction.
    Halves,
}

/// The outcome of one step of a side.
pub enum Outcome {
    /// There may be more steps.
    Continue,
    /// Nothing is left to show.
    Shown,
    /// It cannot be followed further.
    End(End),
}

/// Says why a goal does not hold.
pub struct Mismatch {
    /// The value that was found.
    pub found: String,
    /// The value that was wanted.
    pub wanted: String,
}
