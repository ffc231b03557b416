//! Joining two ranges value by value (`JoinVals`).
//!
//! **Problem.** Two registers can be one if wherever both are live they have the same value, or one of the
//! two does not matter. The values of both that remain become the values of the joined range.
//!
//! **Algorithm.** Two values overlap only if one is live at the def of the other; so each def is looked at
//! once, defs that dominate it first (`map_values`). What becomes of the value that is defined
//! there ([`Resolution`]), and of the value of the other register that is live there:
//!
//! 1. *Coalescable copy*: the def is a copy between the two registers. It is erased, the values are one.
//! 2. *IMPLICIT_DEF*: there to give a PHI some value. The def is erased, or if it is the other value that is
//!    one, that is replaced from here on.
//! 3. *Copy of the same value*: both are copies of one value of a third register. The copy is erased.
//! 4. *Undefined lanes* and
//! 5. *dead lanes*: defs of parts of registers, which are left to the stock pass.
//!
//! PHI-defs never conflict: what they merge does, at the ends of predecessors. Anything else that is live at
//! a def makes the join impossible.
//!
//! **Source.** The comment above `JoinVals` in `RegisterCoalescer.cpp`, which is the best there is.
//! **Deviation:** LLVM's recursion up the dominator tree is a stack here, as it can be as deep as there are
//! values. In the `cicc` profile what reads a replaced IMPLICIT_DEF is flagged undefined. LLVM takes it that nobody
//! but PHIs reads one, leaves a range without a def that reaches the reader, and may crash on that.
//!
//! A PHI that many blocks feed has as many copies, and a register with many values is joined as often with one
//! of few. Nothing happens to a value whose def is not between the ends of the other range, so that such a value
//! costs a comparison; what happens to others is done to these alone ([`Side::affected`]), and if all values of the
//! left side keep their numbers the right one's segments are put between its own ([`JoinVals::join_in_place`]).
//!
//! **Complexity.** Values of both, and the logarithm of the segments of the other for those between its ends;
//! copies that are followed in case 3 as long as their chains are.

use super::copies::Failure;
use super::host::CoalescerHost;
use super::live_range::{LiveRange, RangeRef};
use super::pair::Pair;
use super::{around, Coalescing};
use crate::liveness::ranges::{Segment, UNUSED};
use crate::liveness::slot_index::SlotIndex;
use crate::versions::VERSIONS;

/// What becomes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Resolution {
    /// It stays.
    #[default]
    Keep,
    /// It is the other value, and its def is erased.
    Erase,
    /// It is the other value, which the same instruction, or a PHI of the same block, defines.
    Merge,
    /// It stays and replaces the other value from its def on.
    Replace,
    /// The registers cannot be joined.
    Impossible,
}

const NONE: u32 = u32::MAX;

/// From this many on it is remembered that the values of a register could not be joined with another's.
const MANY_VALUES: usize = 16;

/// A value of one of the two ranges.
#[derive(Clone, Copy, Debug)]
pub struct Val {
    /// What becomes of it.
    pub resolution: Resolution,
    /// Its def has been looked at.
    is_analyzed: bool,
    /// It is more than undefined.
    is_valid: bool,
    /// Its def must stay, even if it is an IMPLICIT_DEF.
    must_stay: bool,
    /// A value of the other range replaces it somewhere.
    pub is_pruned: bool,
    is_pruned_computed: bool,
    /// The value of the other range that is live at its def.
    pub other: u32,
    /// Its number in the joined range.
    pub assignment: u32,
}

impl Val {
    const NEW: Val = Val {
        resolution: Resolution::Keep,
        is_analyzed: false,
        is_valid: false,
        must_stay: false,
        is_pruned: false,
        is_pruned_computed: false,
        other: NONE,
        assignment: NONE,
    };
}

/// One of the two.
#[derive(Default)]
pub struct Side {
    /// The register.
    pub reg: u32,
    /// Its range.
    pub range: LiveRange,
    /// By number.
    pub vals: Vec<Val>,
    /// The values that the other side has an effect on, in order when all are mapped; what is not here is kept and
    /// never pruned.
    affected: Vec<u32>,
    /// Bases of the first slot of the range and behind the last one: nothing of it is live at a def elsewhere.
    span: (SlotIndex, SlotIndex),
}

impl Side {
    fn begin(&mut self, reg: u32, range: RangeRef) {
        self.reg = reg;
        self.range.assign(range);
        self.vals.clear();
        self.vals.resize(range.values.len(), Val::NEW);
        self.affected.clear();
        self.span = match (range.segments.first(), range.segments.last()) {
            (Some(first), Some(last)) => (first.start.base(), last.end),
            _ => (UNUSED, UNUSED),
        };
    }
    /// Whether a query at `def` may find something.
    fn may_be_live_at(&self, def: SlotIndex) -> bool {
        (self.span.0..self.span.1).contains(&def.base())
    }
}

/// The left side, the register that stays, is [`LEFT`].
pub const LEFT: usize = 0;
/// The register that goes.
pub const RIGHT: usize = 1;

/// How far the def of a value has been looked at.
#[derive(Clone, Copy)]
enum Step {
    /// Not at all.
    First,
    /// Up to a value that the same instruction defines earlier.
    BehindSameInstr,
    /// Up to the value that is live there.
    BehindLive,
}

/// The two ranges.
#[derive(Default)]
pub struct JoinVals {
    /// Both.
    pub sides: [Side; 2],
    /// The values of the joined range: which side each comes from, and its number there.
    pub new_values: Vec<(u8, u32)>,
    stack: Vec<(u8, u32, Step)>,
    joined: LiveRange,
    /// From where to where an IMPLICIT_DEF that goes was live: its def and the first one that replaces it.
    undefined: Vec<(SlotIndex, SlotIndex)>,
    /// A value of the left side has another number in the joined range.
    renumbers_left: bool,
}

/// So many segments are put into a range one by one.
const FEW_SEGMENTS: usize = 8;

impl JoinVals {
    /// Begins with the registers of `pair`.
    fn begin(&mut self, pair: &Pair, ranges: &super::ranges::Ranges) {
        self.new_values.clear();
        self.undefined.clear();
        self.renumbers_left = false;
        for (side, reg) in self.sides.iter_mut().zip([pair.dst, pair.src]) {
            side.begin(reg, ranges.get(reg));
        }
    }
    /// A value of `side` that stays gets the next number of the joined range.
    fn assign_new(&mut self, side: usize, value: u32) {
        let number = self.new_values.len() as u32;
        self.new_values.push((side as u8, value));
        self.set_number(side, value, number);
    }
    fn set_number(&mut self, side: usize, value: u32, number: u32) {
        self.sides[side].vals[value as usize].assignment = number;
        self.renumbers_left |= side == LEFT && number != value;
    }
    /// Gives a value its number in the joined range.
    fn assign(&mut self, side: usize, value: u32, resolution: Resolution) {
        let v = &mut self.sides[side].vals[value as usize];
        v.resolution = resolution;
        let other = v.other;
        if resolution == Resolution::Keep {
            return self.assign_new(side, value);
        }
        self.sides[side].affected.push(value);
        if matches!(resolution, Resolution::Erase | Resolution::Merge) {
            let number = self.sides[1 - side].vals[other as usize].assignment;
            return self.set_number(side, value, number);
        }
        if resolution == Resolution::Replace {
            let other_side = &mut self.sides[1 - side];
            other_side.vals[other as usize].is_pruned = true;
            other_side.affected.push(other);
        }
        self.assign_new(side, value);
    }
    /// The value itself or one that it was copied from is replaced somewhere (`isPrunedValue`).
    fn is_pruned(&mut self, mut side: usize, mut value: u32) -> bool {
        let (first_side, first) = (side, value);
        let pruned = loop {
            let v = &mut self.sides[side].vals[value as usize];
            if v.is_pruned
                || v.is_pruned_computed
                || !matches!(v.resolution, Resolution::Erase | Resolution::Merge)
            {
                break v.is_pruned;
            }
            v.is_pruned_computed = true;
            (side, value) = (1 - side, v.other);
        };
        (side, value) = (first_side, first);
        loop {
            let v = &mut self.sides[side].vals[value as usize];
            if v.is_pruned || !v.is_pruned_computed {
                return pruned;
            }
            if !pruned {
                return false;
            }
            v.is_pruned = true;
            (side, value) = (1 - side, v.other);
        }
    }
    /// An IMPLICIT_DEF that goes is replaced at `by`.
    fn note_undefined(&mut self, def: SlotIndex, by: SlotIndex) {
        match self.undefined.iter_mut().find(|span| span.0 == def) {
            Some(span) => span.1 = span.1.min(by),
            None => self.undefined.push((def, by)),
        }
    }
    /// Whether an instruction reads where such an IMPLICIT_DEF was live. The one that replaces it may, too.
    fn is_undefined(&self, at: SlotIndex) -> bool {
        self.undefined.iter().any(|&(def, by)| def.base() < at.base() && at.base() <= by.base())
    }
    /// Puts the values and segments of both together, into the left range (`LiveRange::join`).
    fn join_ranges(&mut self) {
        if !self.renumbers_left && self.sides[RIGHT].range.segments.len() <= FEW_SEGMENTS {
            return self.join_in_place();
        }
        let JoinVals { sides: [left, right], joined: out, .. } = self;
        out.segments.clear();
        out.values.clear();
        out.values.extend(self.new_values.iter().map(|&(side, value)| {
            let from = if side as usize == LEFT { &left.range } else { &right.range };
            from.values.get(value as usize).copied().unwrap_or(UNUSED)
        }));
        // Runs of one side in turn; of two segments that start together the left one comes first.
        let (mut a, mut b) = (&left.range.segments[..], &right.range.segments[..]);
        while let Some(first) = b.first() {
            let (run, more) = a.split_at(a.partition_point(|s| s.start <= first.start));
            append_segments(&mut out.segments, run, &left.vals);
            a = more;
            let until = a.first().map_or(b.len(), |first| b.partition_point(|s| s.start < first.start));
            let (run, more) = b.split_at(until);
            append_segments(&mut out.segments, run, &right.vals);
            b = more;
        }
        append_segments(&mut out.segments, a, &left.vals);
        std::mem::swap(&mut left.range, out);
    }
    /// The same if all values of the left range have the numbers that they had.
    fn join_in_place(&mut self) {
        let [left, right] = &mut self.sides;
        left.range.values.resize(self.new_values.len(), UNUSED);
        for (value, v) in right.vals.iter().enumerate() {
            if !matches!(v.resolution, Resolution::Erase | Resolution::Merge) {
                let def = right.range.values.get(value).copied().unwrap_or(UNUSED);
                left.range.values[v.assignment as usize] = def;
            }
        }
        for s in &right.range.segments {
            left.range.add_segment(Segment { value: right.vals[s.value as usize].assignment, ..*s });
        }
    }
}

/// Adds segments behind those that are in `out`, with the numbers of the joined range.
fn append_segments(out: &mut Vec<Segment>, segments: &[Segment], vals: &[Val]) {
    for s in segments {
        let value = vals[s.value as usize].assignment;
        match out.last_mut() {
            Some(last) if last.value == value && last.end >= s.start => last.end = last.end.max(s.end),
            last => {
                debug_assert!(last.is_none_or(|l| l.end <= s.start), "values overlap");
                out.push(Segment { value, ..*s });
            }
        }
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Joins the two registers if their values allow it (`joinVirtRegs`): code and range of `dst` are those of
    /// both then, but for the names of operands.
    pub fn join_virt_regs(&mut self, pair: &Pair) -> bool {
        if self.is_high_cost(pair.dst)
            || self.is_high_cost(pair.src)
            || self.interfere_plainly(pair)
            || self.failed_before(pair)
        {
            return false;
        }
        let mut join = std::mem::take(&mut self.b.join);
        join.begin(pair, self.ranges);
        let joined = self.map_values(&mut join, pair);
        if !joined && join.sides[LEFT].vals.len() >= MANY_VALUES {
            if let Some(failure) = Failure::new(&self.b.depends, self.ranges) {
                self.b.failed_pairs.insert((pair.dst, pair.src), failure);
            }
        }
        if joined {
            self.join_mapped(&mut join, pair);
        }
        self.b.join = join;
        joined
    }

    /// Whether a range with many values has been tried often enough.
    fn is_high_cost(&mut self, reg: u32) -> bool {
        if self.ranges.get(reg).values.len() < self.options.large_interval_size as usize {
            return false;
        }
        // It is counted how often it is tried.
        self.b.depends.on_more();
        let visits = &mut self.b.large_interval_visits;
        if visits.len() <= reg as usize {
            visits.resize(self.code.num_regs(), 0);
        }
        if visits[reg as usize] < self.options.large_interval_freq {
            visits[reg as usize] += 1;
            return false;
        }
        true
    }

    /// Whether the two were tried for another copy, and nothing has changed since. A PHI with many operands leaves
    /// many copies between the same two registers.
    fn failed_before(&mut self, pair: &Pair) -> bool {
        let failure = self.b.failed_pairs.get(&(pair.dst, pair.src));
        let Some(failure) = failure.filter(|f| f.still_holds(self.ranges)) else { return false };
        failure.depends_on().iter().for_each(|&reg| self.b.depends.on(reg));
        true
    }

    /// Whether an instruction that is no copy and no IMPLICIT_DEF defines the register with fewer values while
    /// a value of the other one that does not come from such an instruction either lives on. Nothing that is
    /// found out about other values changes that: the analysis would say impossible, after much work if the
    /// other register has many.
    fn interfere_plainly(&self, pair: &Pair) -> bool {
        let (dst, src) = (self.ranges.get(pair.dst), self.ranges.get(pair.src));
        let (few, many) = if src.values.len() <= dst.values.len() { (src, dst) } else { (dst, src) };
        let is_plain = |def: SlotIndex| {
            let instr = self.slots.instr_at(def);
            instr.is_some_and(|i| !self.code.is_copy(i) && !self.code.is_implicit_def(i))
        };
        few.values.iter().any(|&def| {
            let q = many.query(def);
            let Some(live) = q.value_in().filter(|_| q.value_defined().is_none()) else { return false };
            let other = many.values[live as usize];
            !(q.is_kill && q.end <= def)
                && def != UNUSED
                && !def.is_block()
                && is_plain(def)
                && (other.is_block() || is_plain(other))
        })
    }

    /// Finds out what becomes of every value; false if one makes the join impossible.
    fn map_values(&mut self, join: &mut JoinVals, pair: &Pair) -> bool {
        for side in [LEFT, RIGHT] {
            for value in 0..join.sides[side].vals.len() as u32 {
                let def = join.sides[side].range.values[value as usize];
                let is_apart = !join.sides[1 - side].may_be_live_at(def);
                let v = &mut join.sides[side].vals[value as usize];
                if is_apart && !v.is_analyzed {
                    (v.is_analyzed, v.is_valid) = (true, def != UNUSED);
                    join.assign_new(side, value);
                    continue;
                }
                self.compute_assignment(join, pair, side, value);
                if join.sides[side].vals[value as usize].resolution == Resolution::Impossible {
                    return false;
                }
            }
        }
        for side in &mut join.sides {
            side.affected.sort_unstable();
            side.affected.dedup();
        }
        true
    }

    /// `computeAssignment`: of a value, and of those before it that it depends on.
    fn compute_assignment(&mut self, join: &mut JoinVals, pair: &Pair, side: usize, value: u32) {
        join.stack.push((side as u8, value, Step::First));
        while let Some((side, value, step)) = join.stack.pop() {
            let side = side as usize;
            if matches!(step, Step::First) && join.sides[side].vals[value as usize].is_analyzed {
                continue;
            }
            // When the analysis needs another value first it pushes itself and that one.
            if let Some(resolution) = self.analyze(join, pair, side, value, step) {
                join.assign(side, value, resolution);
            }
        }
    }

    /// `analyzeValue`
    fn analyze(
        &mut self,
        join: &mut JoinVals,
        pair: &Pair,
        side: usize,
        value: u32,
        step: Step,
    ) -> Option<Resolution> {
        let JoinVals { sides, stack, .. } = join;
        let def = sides[side].range.values[value as usize];
        let is_phi = def.is_block();
        if let Step::First = step {
            let v = &mut sides[side].vals[value as usize];
            v.is_analyzed = true;
            if def == UNUSED {
                return Some(Resolution::Keep);
            }
            v.is_valid = true;
        }
        let other_side = 1 - side;
        let q = sides[other_side].range.view().query(def);
        if !matches!(step, Step::BehindLive) {
            if let Some(other) = q.value_defined() {
                let other_def = sides[other_side].range.values[other as usize];
                if other_def < def {
                    if let Step::First = step {
                        stack.push((side as u8, value, Step::BehindSameInstr));
                        stack.push((other_side as u8, other, Step::First));
                        return None;
                    }
                } else if def < other_def && q.value_in().is_some() {
                    // An early-clobber def while the other register is live.
                    sides[side].vals[value as usize].other = q.value_in().unwrap_or(NONE);
                    return Some(Resolution::Impossible);
                }
                let other_val = sides[other_side].vals[other as usize];
                let v = &mut sides[side].vals[value as usize];
                v.other = other;
                // The first one of the two that is visited stays.
                if !other_val.is_analyzed || other_val.assignment == NONE {
                    return Some(Resolution::Keep);
                }
                return Some(if !is_phi && v.is_valid && other_val.is_valid {
                    Resolution::Impossible
                } else {
                    Resolution::Merge
                });
            }
            let Some(other) = q.value_in() else { return Some(Resolution::Keep) };
            sides[side].vals[value as usize].other = other;
            if !sides[other_side].vals[other as usize].is_analyzed {
                stack.push((side as u8, value, Step::BehindLive));
                stack.push((other_side as u8, other, Step::First));
                return None;
            }
        }
        let other = sides[side].vals[value as usize].other;
        let def_instr = if is_phi { None } else { self.slots.instr_at(def) };
        if self.is_erasable_implicit_def(&sides[other_side], other) {
            self.settle_implicit_def(join, side, other, def_instr);
        }
        let JoinVals { sides, .. } = join;
        let other_val = sides[other_side].vals[other as usize];
        let Some(def_instr) = def_instr else { return Some(Resolution::Replace) };
        if self.code.is_implicit_def(def_instr) {
            return Some(Resolution::Erase);
        }
        if self.is_coalescable(pair, def_instr) {
            sides[side].vals[value as usize].is_valid &= other_val.is_valid;
            return Some(Resolution::Erase);
        }
        if q.is_kill && q.end <= def {
            return Some(Resolution::Keep);
        }
        if self.code.is_copy(def_instr) && self.are_identical(join, side, value, other) {
            return Some(Resolution::Erase);
        }
        Some(if other_val.is_valid { Resolution::Impossible } else { Resolution::Replace })
    }

    /// Whether the def of a value is an IMPLICIT_DEF that can go.
    fn is_erasable_implicit_def(&self, side: &Side, value: u32) -> bool {
        let def = side.range.values[value as usize];
        !side.vals[value as usize].must_stay
            && !def.is_block()
            && self.slots.instr_at(def).is_some_and(|i| self.code.is_implicit_def(i))
    }

    /// The other value is an IMPLICIT_DEF and live at a def of this side: whether it must stay.
    fn settle_implicit_def(&mut self, join: &mut JoinVals, side: usize, other: u32, def_instr: Option<u32>) {
        let other_side = &join.sides[1 - side];
        let def = other_side.range.values[other as usize];
        let block = self.slots.block_of(def);
        let stays = def_instr.is_some_and(|def_instr| {
            self.code.instr(def_instr).block != block
                || VERSIONS.coalescer.keeps_redefining_implicit_defs
                    && join.sides[side].range.view().is_live_at(self.slots.start(block))
        }) || self.host.has_eh_pad_successor(block);
        let v = &mut join.sides[1 - side].vals[other as usize];
        if stays {
            v.must_stay = true;
            // LLVM 17 leaves what was cleared at an earlier def as it is.
            v.is_valid |= VERSIONS.coalescer.keeps_redefining_implicit_defs;
        } else {
            v.is_valid = false;
        }
    }

    /// Whether both values are copies of one (`valuesIdentical`).
    fn are_identical(&mut self, join: &JoinVals, side: usize, value: u32, other: u32) -> bool {
        let (this, that) = (&join.sides[side], &join.sides[1 - side]);
        let that_def = that.range.values[other as usize];
        let origin = self.follow_copies(this.reg, this.range.values[value as usize]);
        if origin == (Some(that_def), that.reg) {
            return true;
        }
        origin == self.follow_copies(that.reg, that_def)
    }

    /// Where the value that `reg` is given at `def` comes from: the def of the first copied value, none if that
    /// is undefined, and its register (`followCopyChain`).
    fn follow_copies(&mut self, mut reg: u32, mut def: SlotIndex) -> (Option<SlotIndex>, u32) {
        while !def.is_block() {
            let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
            if !self.code.is_copy(instr) {
                break;
            }
            let src = self.code.copy_regs(instr).1;
            if !src.is_virtual() {
                break;
            }
            let src = src.virt_index() as u32;
            self.b.depends.on(src);
            let range = self.ranges.get(src);
            match range.query(def).value_in() {
                Some(value) => (reg, def) = (src, range.values[value as usize]),
                None => return (None, src),
            }
        }
        (Some(def), reg)
    }

    /// The values are mapped: ranges and code become those of the joined register.
    fn join_mapped(&mut self, join: &mut JoinVals, pair: &Pair) {
        let mut ends = std::mem::take(&mut self.b.ends);
        ends.clear();
        self.prune_values(join, LEFT, &mut ends);
        self.prune_values(join, RIGHT, &mut ends);
        let mut shrink = std::mem::take(&mut self.b.shrink_regs);
        self.erase_instrs(join, pair, LEFT, &mut shrink);
        self.erase_instrs(join, pair, RIGHT, &mut shrink);
        while let Some(reg) = shrink.pop() {
            self.shrink_to_uses(reg);
        }
        self.b.shrink_regs = shrink;
        self.check_debug_values(join);
        join.join_ranges();
        if !join.undefined.is_empty() {
            // They are not reached by a def.
            ends.retain(|&end| !join.is_undefined(end));
        }
        let range = &mut join.sides[LEFT].range;
        if !ends.is_empty() {
            let around = around!(self);
            self.b.extender.extend_to(around, range, &ends);
        }
        self.ranges.store(pair.dst, range);
        self.b.ends = ends;
        if !join.undefined.is_empty() {
            self.flag_undefined(join, pair);
        }
    }

    /// What read an IMPLICIT_DEF that went, or a copy of one, reads an undefined register.
    fn flag_undefined(&mut self, join: &JoinVals, pair: &Pair) {
        let mut places = std::mem::take(&mut self.b.places);
        for reg in [pair.dst, pair.src] {
            self.code.places(reg, &mut places);
            for &place in &places {
                let at = self.slot_of(place.instr);
                let reads = !self.code.operand(place).is_def();
                if reads && join.is_undefined(at) && !self.ranges.get(pair.dst).is_live_at(at) {
                    self.set_undef(place);
                }
            }
        }
        self.b.places = places;
    }

    /// Cuts out of either range what values of `side` replace (`pruneValues`).
    fn prune_values(&mut self, join: &mut JoinVals, side: usize, ends: &mut Vec<SlotIndex>) {
        for i in 0..join.sides[side].affected.len() {
            let value = join.sides[side].affected[i];
            let def = join.sides[side].range.values[value as usize];
            let v = join.sides[side].vals[value as usize];
            let around = around!(self);
            match v.resolution {
                Resolution::Keep => {}
                Resolution::Replace => {
                    let other = &mut join.sides[1 - side];
                    self.b.extender.prune_value(around, self.succs, &mut other.range, def, ends);
                    if !def.is_block() {
                        self.set_live(def, join.sides[side].reg);
                        let other = &join.sides[1 - side];
                        let kept = other.vals[v.other as usize].resolution == Resolution::Keep;
                        if !(kept && self.is_erasable_implicit_def(other, v.other)) {
                            ends.push(def);
                        } else if self.options.flags_undefined {
                            let implicit_def = other.range.values[v.other as usize];
                            join.note_undefined(implicit_def, def);
                        }
                    }
                }
                Resolution::Erase | Resolution::Merge => {
                    if join.is_pruned(side, value) {
                        self.b.extender.prune_value(
                            around,
                            self.succs,
                            &mut join.sides[side].range,
                            def,
                            ends,
                        );
                    }
                }
                Resolution::Impossible => unreachable!("the join was given up"),
            }
        }
    }

    /// The instruction at `def` defines `reg`, and it is not dead any more.
    fn set_live(&mut self, def: SlotIndex, reg: u32) {
        let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
        self.set_dead(instr, reg, false);
    }

    /// Erases the copies and IMPLICIT_DEFs of `side` that are not needed (`eraseInstrs`); registers that they
    /// read go to `shrink`.
    fn erase_instrs(&mut self, join: &mut JoinVals, pair: &Pair, side: usize, shrink: &mut Vec<u32>) {
        for i in 0..join.sides[side].affected.len() {
            let value = join.sides[side].affected[i] as usize;
            let v = join.sides[side].vals[value];
            let def = join.sides[side].range.values[value];
            match v.resolution {
                Resolution::Keep
                    if v.is_pruned && self.is_erasable_implicit_def(&join.sides[side], value as u32) =>
                {
                    let range = &mut join.sides[side].range;
                    range.segments.retain(|s| s.value != value as u32);
                    range.values[value] = UNUSED;
                }
                Resolution::Erase => {}
                _ => continue,
            }
            let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
            if self.code.is_copy(instr) {
                let src = self.code.copy_regs(instr).1;
                if src.is_virtual() && ![pair.src, pair.dst].contains(&(src.virt_index() as u32)) {
                    shrink.push(src.virt_index() as u32);
                }
            }
            self.erase(instr);
        }
    }
}
