//! Makes a copy unnecessary where its two registers interfere.
//!
//! **Problem.** In `B = A` both registers are live elsewhere with different values. Two cases are
//! still easy:
//!
//! ```text
//! A = B                  B lives on instead: the second copy copies
//! ...                    what B has had all the time
//! B = A
//!
//! A = op A', B (killed)  B = op B, A'
//! ...                    ...
//! B = A                  (every reader of that A reads B)
//! ```
//!
//! **Source.** `adjustCopiesBackFrom`, `removeCopyByCommutingDef`, `hasOtherReachingDefs`.
//!
//! **Complexity.** Linear in the segments and operands of the two registers.

use super::code::Place;
use super::host::{CoalescerHost, Edit};
use super::pair::CoalescerPair;
use super::state::Coalescing;
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{InstrId, Register, VRegId, ValueNo};

/// LLVM does not look at the ends of more predecessors.
const MAX_PREDECESSORS: usize = 100;

/// A def that is commuted.
struct Commuted {
    instr: InstrId,
    slot: SlotIndex,
    /// The value that it defines.
    value: ValueNo,
    /// Its operand that is tied to the result, and the one that will be.
    tied: u32,
    new_tied: u32,
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Erases a copy of a value that is itself a copy of the destination: the destination's earlier
    /// value lives on.
    pub fn adjust_copies_back_from(&mut self, pair: &CoalescerPair, copy: InstrId) -> bool {
        let (a, b) = (pair.copied(), pair.defined());
        let at = self.code.slot(copy).register();
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let Some(segment_b) = range_b.segment_at(at) else { return false };
        let value_b = range_b.segments[segment_b].value;
        if range_b.def(value_b) != at {
            return false;
        }
        let Some(segment_a) = range_a.segment_at(at.early_clobber()).map(|i| range_a.segments[i]) else {
            return false;
        };
        let def_a = range_a.def(segment_a.value);
        let Some(copy_a) = self.slots.def_instr(def_a) else { return false };
        if !self.is_coalescable(pair, copy_a) {
            return false;
        }
        let Some(before) = range_b.segment_at(def_a.prev()) else { return false };
        let segment_before = range_b.segments[before];
        let last = self.slots.prev(segment_before.end);
        let block = self.code.block(copy);
        let is_in_block = self.slots.instr_at(last).is_some_and(|i| self.code.block(i) == block);
        if !is_in_block || before + 1 != segment_b {
            return false;
        }
        let (start, end) = (segment_before.end, range_b.segments[segment_b].start);
        self.edit_range(b, |range| {
            range.set_def(value_b, start);
            range.add_segment(Segment { start, end, value: value_b });
            if value_b != segment_before.value {
                range.merge_value_into(value_b, segment_before.value);
            }
        });
        self.erase(copy);
        if segment_a.end == at {
            self.shrink_to_uses(a);
        }
        self.counts.extensions += 1;
        true
    }

    /// Commutes the def of the copied value, so that it defines the destination. The copy can then
    /// be erased. Returns whether the destination's range has to be shrunk, or `None` if this
    /// cannot be done.
    pub fn remove_copy_by_commuting(&mut self, pair: &CoalescerPair, copy: InstrId) -> Option<bool> {
        let (a, b) = (pair.copied(), pair.defined());
        let at = self.code.slot(copy).register();
        let def = self.find_commutable_def(a, b, at)?;
        let (a_class, b_class) = (self.class(a), self.class(b));
        let common =
            if a_class == b_class { Some(b_class) } else { self.host.common_sub_class(b_class, a_class) };
        let mut operands = std::mem::take(&mut self.buffers.operands);
        let is_commuted = self.host.commute(def.instr, def.tied, def.new_tied, &mut operands);
        if is_commuted {
            let (slot, block) = (self.code.slot(def.instr), self.code.block(def.instr));
            let flags = self.code.flags(def.instr);
            self.code.set_instr(def.instr, slot, block, flags, &operands);
        }
        self.buffers.operands = operands;
        if !is_commuted {
            return None;
        }
        let class = common?;
        if class != b_class {
            self.set_class(b, class);
        }

        self.redirect_value(a, b, def.value, copy, at);
        let needs_shrink = self.move_value(a, b, &def, at);
        self.remove_def_at(a, def.slot);
        self.counts.commutes += 1;
        Some(needs_shrink)
    }

    /// Finds the def of the value of `a` that the copy at `at` copies to `b`, if it can be
    /// commuted.
    fn find_commutable_def(&mut self, a: VRegId, b: VRegId, at: SlotIndex) -> Option<Commuted> {
        let range_a = self.ranges.get(a);
        let value = range_a.value_at(at.early_clobber()).expect("the copied register is live");
        let slot = range_a.def(value);
        let instr = self.slots.def_instr(slot)?;
        if !self.host.is_commutable(instr) {
            return None;
        }
        let mut operands = self.code.places_of(instr);
        let (def, op) = operands
            .find(|(_, op)| op.is_def() && op.reg() == Register::from(a))
            .expect("the value is defined there");
        drop(operands);
        if !op.is_tied() {
            return None;
        }
        let tied = self.host.tied_operand(instr, def.index);
        let new_tied = self.host.commutes_with(instr, tied)?;
        let new_dst = self.code.operand(Place { instr, index: new_tied });
        if !new_dst.is_reg()
            || new_dst.reg() != Register::from(b)
            || !self.ranges.get(b).query(slot).is_kill
            || self.has_other_reaching_defs(a, b, value, at)
            || self.is_value_tied(a, value)
        {
            return None;
        }
        Some(Commuted { instr, slot, value, tied, new_tied })
    }

    /// Gives the segments of the value that `def` defined in `a` to the value of `b` that the copy
    /// at `at` defines. Returns whether part of it is dead now.
    fn move_value(&mut self, a: VRegId, b: VRegId, def: &Commuted, at: SlotIndex) -> bool {
        let segments = self.ranges.get(a).segments.iter();
        let moved: Vec<Segment> = segments.filter(|s| s.value == def.value).copied().collect();
        self.edit_range(b, |range| {
            let value = range.view().value_at(at).expect("the copy defines a value");
            range.set_def(value, def.slot);
            moved.iter().fold(false, |is_dead, &s| {
                let i = range.add_segment(Segment { value, ..s });
                is_dead | (range.segments[i].end == range.segments[i].end.dead())
            })
        })
    }

    /// Makes the readers of a value of `a` read `b` instead. Erases copies of it to `b`.
    fn redirect_value(&mut self, a: VRegId, b: VRegId, value_a: ValueNo, copy: InstrId, at: SlotIndex) {
        let mut places = std::mem::take(&mut self.buffers.places);
        self.code.places(a, &mut places);
        let range_a = self.ranges.get(a);
        let is_reader = |place: &Place| {
            let op = self.code.operand(*place);
            let at = self.code.slot(place.instr).early_clobber();
            op.is_use() && !op.is_undef() && range_a.value_at(at) == Some(value_a)
        };
        let moves: Vec<(Place, VRegId)> = places.iter().copied().filter(is_reader).map(|p| (p, b)).collect();
        self.buffers.places = places;
        for &(place, to) in &moves {
            self.host.edit(Edit::Mark(place, to));
        }
        for id in self.code.debug.of(a) {
            self.host.edit(Edit::MarkDebug(id, b));
        }
        self.host.edit(Edit::MoveMarked(a));
        self.code.distribute(a, &moves);
        self.code.debug.distribute(a, |_| b);
        for &(Place { instr, .. }, _) in &moves {
            if instr == copy || !self.code.is_alive(instr) || !self.code.is_copy(instr) {
                continue;
            }
            if self.code.copy_regs(instr).0 != Register::from(b) {
                continue;
            }
            // It copies `b` to itself.
            let Some(value) = self.ranges.get(b).value_at(self.code.slot(instr).register()) else { continue };
            self.edit_range(b, |range| {
                let value_b = range.view().value_at(at).expect("the copy defines a value");
                range.merge_value_into(value, value_b)
            });
            self.erase(instr);
        }
    }

    /// Whether a use of a value is tied to a def.
    fn is_value_tied(&self, reg: VRegId, value: ValueNo) -> bool {
        let range = self.ranges.get(reg);
        !self.code.all_places(reg, |place, op| {
            !op.is_use() || !op.is_tied() || range.value_at(self.code.slot(place.instr)) != Some(value)
        })
    }

    /// Whether defs of `b` other than that at `at` may reach readers of a value of `a`.
    fn has_other_reaching_defs(&self, a: VRegId, b: VRegId, value_a: ValueNo, at: SlotIndex) -> bool {
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let value_b = range_b.value_at(at);
        // A PHI may read the value.
        for (_, def) in range_a.used_values().filter(|(_, def)| def.is_block()) {
            let preds = self.graph.preds(self.slots.block_of(def));
            if preds.len() > MAX_PREDECESSORS
                || preds.iter().any(|&p| range_a.value_before(self.slots.end(p)) == Some(value_a))
            {
                return true;
            }
        }
        range_a.segments.iter().filter(|s| s.value == value_a).any(|sa| {
            let from = range_b.segments.partition_point(|s| s.start <= sa.start).saturating_sub(1);
            let near = range_b.segments[from..].iter().take_while(|sb| sa.end >= sb.start);
            near.filter(|sb| Some(sb.value) != value_b).any(|sb| {
                sb.start <= sa.start && sb.end > sa.start || sb.start > sa.start && sb.start < sa.end
            })
        })
    }
}
