//! Holds two ranges that are being joined, and the fate of each of their values (`JoinVals`).
//!
//! The decisions are made in [`super::map_values`], and carried out in [`super::join_ranges`].

use super::live_range::{LiveRange, RangeRef};
use super::ranges::Ranges;
use crate::adt::PackedOption;
use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{VRegId, ValueNo};
use index_vec::IndexVec;
use std::ops::{Index, IndexMut};

/// Up to this many segments are added to a range one by one.
const MAX_SEGMENTS_ONE_BY_ONE: usize = 8;

/// The fate of a value (`ConflictResolution`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Resolution {
    /// It stays.
    #[default]
    Keep,
    /// It is the same as the other value, and its def is erased.
    Erase,
    /// It is merged with the other value, which the same instruction, or a PHI of the same block,
    /// defines.
    Merge,
    /// It stays, and replaces the other value from its def on.
    Replace,
    /// The registers cannot be joined.
    Impossible,
}

/// One of the two registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The register that stays.
    Left,
    /// The register that goes.
    Right,
}

impl Side {
    /// The other register.
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A value of one of the two ranges.
#[derive(Clone, Copy, Debug)]
pub struct Val {
    /// Its fate.
    pub resolution: Resolution,
    /// Its def has been analysed.
    pub is_analyzed: bool,
    /// It is not undefined.
    pub is_valid: bool,
    /// Its def must stay, even if that is an IMPLICIT_DEF.
    pub must_stay: bool,
    /// A value of the other range replaces it somewhere.
    pub is_pruned: bool,
    is_pruned_computed: bool,
    /// The value of the other range that is live at its def.
    pub other: PackedOption<ValueNo>,
    /// Its number in the joined range.
    pub assignment: PackedOption<ValueNo>,
}

impl Val {
    const NEW: Val = Val {
        resolution: Resolution::Keep,
        is_analyzed: false,
        is_valid: false,
        must_stay: false,
        is_pruned: false,
        is_pruned_computed: false,
        other: PackedOption::NONE,
        assignment: PackedOption::NONE,
    };

    /// Whether it becomes the other value.
    fn is_other(&self) -> bool {
        matches!(self.resolution, Resolution::Erase | Resolution::Merge)
    }
    /// The value of the other range that is live at its def. Must exist.
    pub fn other(&self) -> ValueNo {
        self.other.get().expect("the other register is live at the def")
    }
    /// Its number in the joined range. Valid after the analysis.
    fn number(&self) -> ValueNo {
        self.assignment.get().expect("every value has got a number")
    }
}

/// One of the two ranges.
#[derive(Default)]
pub struct JoinSide {
    /// The register, once a join has begun.
    reg: Option<VRegId>,
    /// Its range.
    pub range: LiveRange,
    vals: IndexVec<ValueNo, Val>,
    /// The values that the other side affects, sorted once all are mapped. Any other value is kept
    /// and never pruned.
    pub affected: Vec<ValueNo>,
    /// From the entry of the first slot of the range up to its last slot. A query at a def outside
    /// it finds no value.
    span: Option<(SlotIndex, SlotIndex)>,
}

impl JoinSide {
    fn begin(&mut self, reg: VRegId, range: RangeRef) {
        self.reg = Some(reg);
        self.range.assign(range);
        self.vals.clear();
        self.vals.resize(range.values.len(), Val::NEW);
        self.affected.clear();
        self.span = range.segments.first().zip(range.segments.last()).map(|(a, b)| (a.start.base(), b.end));
    }
    /// The register.
    pub fn reg(&self) -> VRegId {
        self.reg.expect("a join has begun")
    }
    /// How many values it has.
    pub fn num_values(&self) -> usize {
        self.vals.len()
    }
    /// The state of a value.
    pub fn val(&self, value: ValueNo) -> &Val {
        &self.vals[value]
    }
    /// The state of a value, to change.
    pub fn val_mut(&mut self, value: ValueNo) -> &mut Val {
        &mut self.vals[value]
    }
    /// Where a value is defined.
    pub fn def(&self, value: ValueNo) -> SlotIndex {
        self.range.view().def(value)
    }
    /// Whether a query at `def` may find a value.
    pub fn may_be_live_at(&self, def: SlotIndex) -> bool {
        self.span.is_some_and(|(start, end)| (start..end).contains(&def.base()))
    }
}

/// The two ranges.
#[derive(Default)]
pub struct Sides {
    left: JoinSide,
    right: JoinSide,
}

impl Index<Side> for Sides {
    type Output = JoinSide;
    fn index(&self, side: Side) -> &JoinSide {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }
}
impl IndexMut<Side> for Sides {
    fn index_mut(&mut self, side: Side) -> &mut JoinSide {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }
}

/// How far the def of a value has been analysed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Not at all.
    First,
    /// Up to a value that the same instruction defines earlier.
    AfterSameInstr,
    /// Up to the value that is live there.
    AfterLive,
}

/// Two ranges that are being joined.
#[derive(Default)]
pub struct JoinVals {
    /// Both.
    pub sides: Sides,
    /// The values of the joined range: which side each comes from, and its number there.
    new_values: IndexVec<ValueNo, (Side, ValueNo)>,
    /// Values whose analysis waits for that of others.
    pub stack: Vec<(Side, ValueNo, Step)>,
    joined: LiveRange,
    /// Where an erased IMPLICIT_DEF was live: from its def up to the first def that replaces it.
    undefined: Vec<(SlotIndex, SlotIndex)>,
    /// Whether a value of the left side has another number in the joined range.
    renumbers_left: bool,
}

impl JoinVals {
    /// Begins with `dst`, the register that stays, and `src`, the one that goes.
    pub fn begin(&mut self, dst: VRegId, src: VRegId, ranges: &Ranges) {
        self.new_values.clear();
        self.undefined.clear();
        self.renumbers_left = false;
        self.sides.left.begin(dst, ranges.get(dst));
        self.sides.right.begin(src, ranges.get(src));
    }
    /// Gives a value of `side` that stays the next number of the joined range.
    pub fn assign_new(&mut self, side: Side, value: ValueNo) {
        let number = self.new_values.push((side, value));
        self.set_number(side, value, number);
    }
    fn set_number(&mut self, side: Side, value: ValueNo, number: ValueNo) {
        self.sides[side].val_mut(value).assignment = number.into();
        self.renumbers_left |= side == Side::Left && number != value;
    }
    /// Gives a value its number in the joined range.
    pub fn assign(&mut self, side: Side, value: ValueNo, resolution: Resolution) {
        let v = self.sides[side].val_mut(value);
        v.resolution = resolution;
        if resolution == Resolution::Keep {
            return self.assign_new(side, value);
        }
        let other = v.other();
        self.sides[side].affected.push(value);
        let other_side = &mut self.sides[side.other()];
        match resolution {
            Resolution::Erase | Resolution::Merge => {
                let number = other_side.val(other).number();
                return self.set_number(side, value, number);
            }
            Resolution::Replace => {
                other_side.val_mut(other).is_pruned = true;
                other_side.affected.push(other);
            }
            Resolution::Keep | Resolution::Impossible => {}
        }
        self.assign_new(side, value);
    }
    /// Whether a value, or one that it was copied from, is replaced somewhere (`isPrunedValue`).
    pub fn is_pruned(&mut self, mut side: Side, mut value: ValueNo) -> bool {
        let first = (side, value);
        let is_pruned = loop {
            let v = self.sides[side].val_mut(value);
            if v.is_pruned || v.is_pruned_computed || !v.is_other() {
                break v.is_pruned;
            }
            v.is_pruned_computed = true;
            (side, value) = (side.other(), v.other());
        };
        (side, value) = first;
        loop {
            let v = self.sides[side].val_mut(value);
            if v.is_pruned || !v.is_pruned_computed {
                return is_pruned;
            }
            if !is_pruned {
                return false;
            }
            v.is_pruned = true;
            (side, value) = (side.other(), v.other());
        }
    }
    /// Notes that the IMPLICIT_DEF at `def`, which is erased, is replaced at `by`.
    pub fn note_undefined(&mut self, def: SlotIndex, by: SlotIndex) {
        match self.undefined.iter_mut().find(|span| span.0 == def) {
            Some(span) => span.1 = span.1.min(by),
            None => self.undefined.push((def, by)),
        }
    }
    /// Whether any erased IMPLICIT_DEF is replaced.
    pub fn has_undefined(&self) -> bool {
        !self.undefined.is_empty()
    }
    /// Whether `at` is where such an IMPLICIT_DEF was live. The instruction that replaces it
    /// counts: it may read it, too.
    pub fn is_undefined(&self, at: SlotIndex) -> bool {
        self.undefined.iter().any(|&(def, by)| def.base() < at.base() && at.base() <= by.base())
    }
    /// Merges the values and segments of both ranges into the left one (`LiveRange::join`).
    pub fn join_ranges(&mut self) {
        if !self.renumbers_left && self.sides.right.range.segments.len() <= MAX_SEGMENTS_ONE_BY_ONE {
            return self.join_in_place();
        }
        let JoinVals { sides: Sides { left, right }, joined: out, .. } = self;
        out.segments.clear();
        out.values.clear();
        out.values.extend(self.new_values.iter().map(|&(side, value)| {
            let from = if side == Side::Left { &left.range } else { &right.range };
            from.values.get(value).copied().unwrap_or(UNUSED)
        }));
        // Alternates runs of segments of the two sides. Of two segments with the same start the
        // left one comes first.
        let (mut a, mut b) = (&left.range.segments[..], &right.range.segments[..]);
        while let Some(first) = b.first() {
            let (run, more) = a.split_at(a.partition_point(|s| s.start <= first.start));
            append_segments(&mut out.segments, run, left);
            a = more;
            let until = a.first().map_or(b.len(), |first| b.partition_point(|s| s.start < first.start));
            let (run, more) = b.split_at(until);
            append_segments(&mut out.segments, run, right);
            b = more;
        }
        append_segments(&mut out.segments, a, left);
        std::mem::swap(&mut left.range, out);
    }
    /// Does the same where all values of the left range keep their numbers.
    fn join_in_place(&mut self) {
        let Sides { left, right } = &mut self.sides;
        left.range.values.resize(self.new_values.len(), UNUSED);
        for (value, v) in right.vals.iter_enumerated().filter(|(_, v)| !v.is_other()) {
            let def = right.range.values.get(value).copied().unwrap_or(UNUSED);
            left.range.set_def(v.number(), def);
        }
        for s in &right.range.segments {
            left.range.add_segment(Segment { value: right.val(s.value).number(), ..*s });
        }
    }
}

/// Appends segments of `side`, with values numbered as in the joined range.
fn append_segments(out: &mut Vec<Segment>, segments: &[Segment], side: &JoinSide) {
    for s in segments {
        let value = side.val(s.value).number();
        match out.last_mut() {
            Some(last) if last.value == value && last.end >= s.start => last.end = last.end.max(s.end),
            last => {
                debug_assert!(last.is_none_or(|l| l.end <= s.start), "values overlap");
                out.push(Segment { value, ..*s });
            }
        }
    }
}
