//! Holds goals: pairs of a place behind the pass and a value before it that have to be the same.

use super::program::{Point, Program};
use super::report::CheckerTarget;
use super::step::{Part, Parts};
use rustc_hash::FxHashSet;

/// A place behind the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Part of a register.
    Reg(Part),
    /// Nowhere: nothing is read.
    Undefined,
    /// The value that a pure instruction would compute here.
    Computed {
        /// The instruction.
        instr: u32,
        /// The only register that it reads.
        reads: Option<u32>,
    },
}

/// The origin of a value before the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A register.
    Reg(u32),
    /// A pure instruction that reads nothing.
    Constant(u32),
}

/// Part of a value before the pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wanted {
    /// The whole value.
    pub origin: Origin,
    /// Index of the part.
    pub sub: u32,
}

impl Wanted {
    /// The part of a register, if it is of one.
    pub fn part(self) -> Option<Part> {
        match self.origin {
            Origin::Reg(reg) => Some(Part { reg, sub: self.sub }),
            Origin::Constant(_) => None,
        }
    }
    /// Whether it is of a constant.
    pub fn is_constant(self) -> bool {
        matches!(self.origin, Origin::Constant(_))
    }
}

impl From<Part> for Wanted {
    fn from(part: Part) -> Wanted {
        Wanted { origin: Origin::Reg(part.reg), sub: part.sub }
    }
}

/// To be shown: `after`, at a point of the program behind the pass, has the value that `before` has at a point of the program before
/// it, in these lanes; or `before` has no value.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The place behind the pass.
    pub after: Place,
    /// The point there.
    pub at: Point,
    /// Its block.
    pub block: u32,
    /// The value before the pass.
    pub before: Wanted,
    /// The point there.
    pub before_at: Point,
    /// Its block.
    pub before_block: u32,
    /// The lanes that count.
    pub lanes: u64,
    /// `before` must have a value: something is computed of it again, and an instruction computes another value of no value every
    /// time.
    pub is_strict: bool,
}

/// The point of a goal that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum KeyPoint {
    /// The start of a block behind the pass.
    StartOf(u32),
    /// The end of the block before the pass that defines both registers.
    EndOfHome(u32),
}

/// A goal that is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    point: KeyPoint,
    after: Place,
    before: Wanted,
    lanes: u64,
    is_strict: bool,
}

impl Goal {
    /// The goal, at this point, as it is remembered.
    pub fn key(&self, point: KeyPoint) -> Key {
        let Goal { after, before, lanes, is_strict, .. } = *self;
        Key { point, after, before, lanes, is_strict }
    }
}

/// The point where following a side of a goal back has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The start of the block.
    Start,
    /// There is no value.
    Undefined,
    /// An instruction makes it.
    Made {
        /// The instruction.
        instr: u32,
        /// Its def operand.
        operand: u32,
    },
    /// It is made of halves, where the other side is the result of one instruction.
    Apart,
}

/// The result of one step of a side.
pub enum Outcome {
    /// There may be more steps.
    GoOn,
    /// Nothing is left to show.
    Shown,
    /// It cannot be followed further.
    End(End),
}

/// Why a goal does not hold.
pub struct Mismatch {
    /// The value that was found.
    pub found: String,
    /// The value that was wanted.
    pub wanted: String,
}

/// Buffers.
#[derive(Default)]
pub struct Proof {
    pub(super) goals: Vec<Goal>,
    /// Goals that were shown or are being shown.
    pub(super) known: FxHashSet<Key>,
    /// Those since the last root.
    pub(super) log: Vec<Key>,
    /// Behind the pass and before it.
    pub(super) phi_sources: [PhiSources; 2],
    /// Registers that an instruction writes early, and by which operand.
    pub(super) early: Vec<(u32, u32)>,
}

/// The operand of a PHI for a predecessor.
#[derive(Clone, Copy, Default)]
struct PhiSource {
    /// The turn in which it was read.
    turn: u32,
    operand: u32,
}

/// The operands of one PHI by block: a block may have as many predecessors as the function has blocks.
#[derive(Default)]
pub struct PhiSources {
    /// By number of a predecessor; of the PHI if they are of this turn.
    by_number: Vec<PhiSource>,
    turn: u32,
    phi: Option<u32>,
}

impl PhiSources {
    /// Reads the PHI of `block` that defines `reg`, if there is one.
    pub fn read(&mut self, p: &Program, block: u32, reg: Option<u32>) {
        self.phi = reg.and_then(|reg| p.phi_of(reg, block));
        let Some(phi) = self.phi else { return };
        self.turn += 1;
        self.by_number.resize(p.num_block_ids().max(self.by_number.len()), PhiSource::default());
        for (k, pair) in p.operands(phi)[1..].chunks_exact(2).enumerate() {
            let entry = &mut self.by_number[pair[1].block_number() as usize];
            if entry.turn != self.turn {
                *entry = PhiSource { turn: self.turn, operand: 2 * k as u32 + 1 };
            }
        }
    }

    /// The place that a part at the start of the block has at the end of `pred`; none if it has no index.
    pub fn source<T: CheckerTarget>(
        &self,
        p: &Program,
        pred: u32,
        part: Part,
        parts: &Parts<T>,
    ) -> Option<Place> {
        let Some(phi) = self.phi else { return Some(Place::Reg(part)) };
        let PhiSource { turn, operand } = self.by_number[p.numbers[pred as usize] as usize];
        let src = p.operands(phi)[operand as usize];
        // A PHI without a value for an edge: the verifier's.
        if turn != self.turn || src.is_undef() {
            return Some(Place::Undefined);
        }
        let sub = parts.compose(src.subreg(), part.sub)?;
        Some(Place::Reg(Part { reg: src.reg().virt_index() as u32, sub }))
    }
}
