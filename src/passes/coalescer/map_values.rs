//! Decides the fate of each value when two registers are joined.
//!
//! **Problem.** Two registers can become one if, wherever both are live, they have the same value
//! or one of the two values does not matter. The remaining values become the values of the joined
//! range.
//!
//! **Algorithm.** Two values overlap only if one is live at the def of the other. So each def is
//! analysed once, after the defs that dominate it. The result is the fate of the value that is
//! defined there ([`Resolution`]) and of the value of the other register that is live there. The
//! def may be
//!
//! 1. a *coalescable copy*: a copy between the two registers. It is erased, and the two values
//!    become one.
//! 2. an *IMPLICIT_DEF*, which gives a PHI an arbitrary value. It is erased. If instead the other
//!    value is an IMPLICIT_DEF, it is replaced from here on.
//! 3. a *copy of the same value*: both registers are copies of one value of a third one. The copy
//!    is erased.
//! 4. *the same constant*: both are moves of equal constants, or copies of such. The move, or copy,
//!    is erased. The NVPTX coalescer notes which instructions move constants. In the standard
//!    coalescer none are noted.
//! 5. a def of *undefined lanes* or 6. of *dead lanes*: these are defs of sub-registers, which the
//!    stock pass handles.
//!
//! PHI-defs never conflict. The values that they merge may, at the ends of the predecessors. Any
//! other def, while the other register is live, makes the join impossible.
//!
//! **Source.** The comment above `JoinVals` in `RegisterCoalescer.cpp`. **Deviations:** LLVM's
//! recursion up the dominator tree is an explicit stack here, because it can be as deep as there
//! are values. A PHI with many operands has as many copies. Its register, with many values, is
//! joined with one of few values each time. So a value whose def is outside the span of the other
//! range costs one comparison only; those that the other side affects are listed in
//! [`JoinSide::affected`]. Failed pairs of registers, one with many values, are remembered.
//!
//! **Complexity.** Linear in the values of both. Each value inside the span of the other range adds
//! a binary search of its segments; case 3 adds the length of the chains of copies.

use super::code::Place;
use super::host::CoalescerHost;
use super::join_vals::{JoinSide, JoinVals, Resolution, Side, Step};
use super::live_range::Query;
use super::pair::CoalescerPair;
use super::state::Coalescing;
use super::worklists::Failure;
use crate::liveness::ranges::UNUSED;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrId, VRegId, ValueNo};
use crate::versions::VERSIONS;

/// For a register with at least this many values, a failed join is remembered by pair of registers.
const MIN_VALUES_TO_REMEMBER: usize = 16;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Joins the two registers if their values allow it (`joinVirtRegs`). Afterwards the range of
    /// `dst` is that of both, but operands are not renamed yet.
    pub fn join_virt_regs(&mut self, pair: &CoalescerPair) -> bool {
        if self.is_high_cost(pair.dst)
            || self.is_high_cost(pair.src)
            || self.interfere_plainly(pair)
            || self.failed_before(pair)
        {
            return false;
        }
        let mut join = std::mem::take(&mut self.buffers.join);
        join.begin(pair.dst, pair.src, self.ranges);
        let is_joined = self.map_values(&mut join, pair);
        if is_joined {
            self.join_mapped(&mut join, pair);
        } else if join.sides[Side::Left].num_values() >= MIN_VALUES_TO_REMEMBER {
            if let Some(failure) = Failure::new(&self.buffers.dependencies, self.ranges) {
                self.buffers.failed_pairs.insert((pair.dst, pair.src), failure);
            }
        }
        self.buffers.join = join;
        is_joined
    }

    /// Whether joins of a range with many values have been tried often enough
    /// (`isHighCostLiveInterval`).
    fn is_high_cost(&mut self, reg: VRegId) -> bool {
        if self.ranges.get(reg).values.len() < self.options.large_interval_size as usize {
            return false;
        }
        // The outcome depends on how often this is called.
        self.buffers.dependencies.add_others();
        let visits = &mut self.buffers.large_interval_visits;
        if reg >= visits.len_idx() {
            visits.resize(self.code.num_regs(), 0);
        }
        let limit = self.options.large_interval_freq;
        visits[reg] = visits[reg].saturating_add(1).min(limit.saturating_add(1));
        visits[reg] > limit
    }

    /// Whether joins of `reg` are given up: it has many values, and they have been tried often
    /// (`large-interval-freq-threshold`).
    pub fn is_given_up(&self, reg: VRegId) -> bool {
        let visits = self.buffers.large_interval_visits.get(reg).copied();
        visits.is_some_and(|visits| visits > self.options.large_interval_freq)
    }

    /// Whether a join of the two failed for another copy, and nothing that it depended on has
    /// changed since. A PHI with many operands leaves many copies between the same two registers.
    fn failed_before(&mut self, pair: &CoalescerPair) -> bool {
        let failure = self.buffers.failed_pairs.get(&(pair.dst, pair.src));
        let Some(failure) = failure.filter(|f| f.still_holds(self.ranges)) else { return false };
        failure.regs().iter().for_each(|&reg| self.buffers.dependencies.add(reg));
        true
    }

    /// Whether an instruction that is neither a copy nor an IMPLICIT_DEF defines the register with
    /// fewer values, while the other register is live across it with a value that does not come
    /// from a copy or IMPLICIT_DEF either. No other value changes that: the analysis would find the
    /// join impossible, after much work if the other register has many values.
    fn interfere_plainly(&self, pair: &CoalescerPair) -> bool {
        let (dst, src) = (self.ranges.get(pair.dst), self.ranges.get(pair.src));
        let (few, many) = if src.values.len() <= dst.values.len() { (src, dst) } else { (dst, src) };
        let is_plain = |def: SlotIndex| {
            let instr = self.slots.instr_at(def);
            instr.is_some_and(|i| !self.code.is_copy(i) && !self.code.is_implicit_def(i))
        };
        let is_constant = |def: SlotIndex| self.slots.instr_at(def).is_some_and(|i| self.is_constant(i));
        few.values.iter().any(|&def| {
            let q = many.query(def);
            let Some(live) = q.value_in().filter(|_| q.value_defined().is_none()) else { return false };
            let other = many.def(live);
            !(q.is_kill && q.end <= def)
                && def != UNUSED
                && !def.is_block()
                && is_plain(def)
                && (other.is_block() || is_plain(other) && !(is_constant(def) && is_constant(other)))
        })
    }

    /// Finds the fate of every value. Returns false if one makes the join impossible.
    fn map_values(&mut self, join: &mut JoinVals, pair: &CoalescerPair) -> bool {
        for side in [Side::Left, Side::Right] {
            for value in (0..join.sides[side].num_values()).map(ValueNo::from_usize) {
                let def = join.sides[side].def(value);
                let is_elsewhere = !join.sides[side.other()].may_be_live_at(def);
                let v = join.sides[side].val_mut(value);
                if is_elsewhere && !v.is_analyzed {
                    (v.is_analyzed, v.is_valid) = (true, def != UNUSED);
                    join.assign_new(side, value);
                    continue;
                }
                self.compute_assignment(join, pair, side, value);
                if join.sides[side].val(value).resolution == Resolution::Impossible {
                    return false;
                }
            }
        }
        for side in [Side::Left, Side::Right] {
            let affected = &mut join.sides[side].affected;
            affected.sort_unstable();
            affected.dedup();
        }
        true
    }

    /// Analyses a value, and first those that it depends on (`computeAssignment`).
    fn compute_assignment(&mut self, join: &mut JoinVals, pair: &CoalescerPair, side: Side, value: ValueNo) {
        join.stack.push((side, value, Step::First));
        while let Some((side, value, step)) = join.stack.pop() {
            if step == Step::First && join.sides[side].val(value).is_analyzed {
                continue;
            }
            // If the analysis needs another value first, it pushes this value and that one.
            if let Some(resolution) = self.analyze(join, pair, side, value, step) {
                join.assign(side, value, resolution);
            }
        }
    }

    /// Analyses a value (`analyzeValue`); `None` if another one has to be analysed first.
    fn analyze(
        &mut self,
        join: &mut JoinVals,
        pair: &CoalescerPair,
        side: Side,
        value: ValueNo,
        step: Step,
    ) -> Option<Resolution> {
        let def = join.sides[side].def(value);
        if step == Step::First {
            let v = join.sides[side].val_mut(value);
            v.is_analyzed = true;
            if def == UNUSED {
                return Some(Resolution::Keep);
            }
            v.is_valid = true;
        }
        let q = join.sides[side.other()].range.view().query(def);
        if step != Step::AfterLive {
            if let Some(other) = q.value_defined() {
                return analyze_same_instr(join, side, value, step, other, q);
            }
            let Some(other) = q.value_in() else { return Some(Resolution::Keep) };
            join.sides[side].val_mut(value).other = other.into();
            if !join.sides[side.other()].val(other).is_analyzed {
                join.stack.push((side, value, Step::AfterLive));
                join.stack.push((side.other(), other, Step::First));
                return None;
            }
        }
        Some(self.analyze_overlap(join, pair, side, value, q))
    }

    /// Analyses a value at whose def a value of the other register is live. That one has been
    /// analysed.
    fn analyze_overlap(
        &mut self,
        join: &mut JoinVals,
        pair: &CoalescerPair,
        side: Side,
        value: ValueNo,
        q: Query,
    ) -> Resolution {
        let def = join.sides[side].def(value);
        let other = join.sides[side].val(value).other();
        let def_instr = self.slots.def_instr(def);
        if self.is_erasable_implicit_def(&join.sides[side.other()], other) {
            self.decide_on_implicit_def(join, side, other, def_instr);
        }
        let other_val = *join.sides[side.other()].val(other);
        let Some(def_instr) = def_instr else { return Resolution::Replace };
        if self.code.is_implicit_def(def_instr) {
            return Resolution::Erase;
        }
        if self.is_coalescable(pair, def_instr) {
            join.sides[side].val_mut(value).is_valid &= other_val.is_valid;
            return Resolution::Erase;
        }
        if q.is_kill && q.end <= def {
            return Resolution::Keep;
        }
        if self.code.is_copy(def_instr) && self.are_identical(join, side, value, other)
            || self.are_equal_constants(join, side, value, other)
        {
            return Resolution::Erase;
        }
        if other_val.is_valid {
            Resolution::Impossible
        } else {
            Resolution::Replace
        }
    }

    /// Whether the def of a value is an IMPLICIT_DEF that may be erased.
    pub(super) fn is_erasable_implicit_def(&self, side: &JoinSide, value: ValueNo) -> bool {
        let def = side.def(value);
        !side.val(value).must_stay
            && !def.is_block()
            && self.slots.instr_at(def).is_some_and(|i| self.code.is_implicit_def(i))
    }

    /// Decides whether the IMPLICIT_DEF that defines the other value, which is live at a def of
    /// this side, must stay.
    fn decide_on_implicit_def(
        &mut self,
        join: &mut JoinVals,
        side: Side,
        other: ValueNo,
        def_instr: Option<InstrId>,
    ) {
        let block = self.slots.block_of(join.sides[side.other()].def(other));
        let must_stay = def_instr.is_some_and(|def_instr| {
            self.code.block(def_instr) != block
                || VERSIONS.coalescer.keeps_redefining_implicit_defs
                    && join.sides[side].range.view().is_live_at(self.slots.start(block))
        }) || self.host.has_eh_pad_successor(block);
        let v = join.sides[side.other()].val_mut(other);
        if must_stay {
            v.must_stay = true;
            // LLVM 17 leaves it cleared if an earlier def cleared it.
            v.is_valid |= VERSIONS.coalescer.keeps_redefining_implicit_defs;
        } else {
            v.is_valid = false;
        }
    }

    /// Whether both values are copies of one value (`valuesIdentical`).
    fn are_identical(&mut self, join: &JoinVals, side: Side, value: ValueNo, other: ValueNo) -> bool {
        let (this, that) = (&join.sides[side], &join.sides[side.other()]);
        let that_def = that.def(other);
        let origin = self.follow_copies(this.reg(), this.def(value));
        if origin == (Some(that_def), that.reg()) {
            return true;
        }
        origin == self.follow_copies(that.reg(), that_def)
    }

    /// Whether both values are the same noted constant.
    fn are_equal_constants(&mut self, join: &JoinVals, side: Side, value: ValueNo, other: ValueNo) -> bool {
        if self.buffers.constants.is_empty() {
            return false;
        }
        let (this, that) = (&join.sides[side], &join.sides[side.other()]);
        let Some(a) = self.constant_of(this.reg(), this.def(value)) else { return false };
        let Some(b) = self.constant_of(that.reg(), that.def(other)) else { return false };
        a == b || self.host.computes_the_same(a, b)
    }
    /// Finds the move of a constant that a value comes from, through copies.
    fn constant_of(&mut self, reg: VRegId, def: SlotIndex) -> Option<InstrId> {
        let def = self.follow_copies(reg, def).0?;
        self.slots.def_instr(def).filter(|&instr| self.is_constant(instr))
    }

    /// Follows copies back from the value that `reg` gets at `def` (`followCopyChain`). Returns the
    /// def of the original value, `None` if it is undefined, and its register.
    ///
    /// A copy whose read is flagged undefined copies nothing, although a value may be live in its
    /// source. Stock has such copies only where no value is live;
    /// [`Options::flags_undefined`](super::Options::flags_undefined) makes others.
    fn follow_copies(&mut self, mut reg: VRegId, mut def: SlotIndex) -> (Option<SlotIndex>, VRegId) {
        while !def.is_block() {
            let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
            if !self.code.is_copy(instr) {
                break;
            }
            let Some(src) = self.code.copy_regs(instr).1.vreg() else { break };
            self.buffers.dependencies.add(src);
            let is_undef =
                self.options.flags_undefined && self.code.operand(Place { instr, index: 1 }).is_undef();
            let range = self.ranges.get(src);
            match range.query(def).value_in().filter(|_| !is_undef) {
                Some(value) => (reg, def) = (src, range.def(value)),
                None => return (None, src),
            }
        }
        (Some(def), reg)
    }
}

/// Analyses a value whose def also defines a value of the other register, `other`: the same
/// instruction, or a PHI of the same block.
fn analyze_same_instr(
    join: &mut JoinVals,
    side: Side,
    value: ValueNo,
    step: Step,
    other: ValueNo,
    q: Query,
) -> Option<Resolution> {
    let JoinVals { sides, stack, .. } = join;
    let (def, other_def) = (sides[side].def(value), sides[side.other()].def(other));
    if other_def < def {
        if step == Step::First {
            stack.push((side, value, Step::AfterSameInstr));
            stack.push((side.other(), other, Step::First));
            return None;
        }
    } else if def < other_def && q.value_in().is_some() {
        // An early-clobber def while the other register is live.
        sides[side].val_mut(value).other = q.value_in().into();
        return Some(Resolution::Impossible);
    }
    let other_val = *sides[side.other()].val(other);
    let is_phi = def.is_block();
    let v = sides[side].val_mut(value);
    v.other = other.into();
    // The one of the two that is visited first stays.
    if !other_val.is_analyzed || other_val.assignment.is_none() {
        return Some(Resolution::Keep);
    }
    Some(if !is_phi && v.is_valid && other_val.is_valid { Resolution::Impossible } else { Resolution::Merge })
}
