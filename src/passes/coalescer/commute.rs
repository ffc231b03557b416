//! Making a copy needless where the two registers interfere.
//!
//! **Problem.** `B = A` where both are live with different values elsewhere. Two cases are easy all the same:
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
//! **Complexity.** Segments and operands of the two registers.

use super::code::{Place, NONE};
use super::host::{CoalescerHost, Edit};
use super::live_range::LiveRange;
use super::pair::Pair;
use super::Coalescing;
use crate::liveness::ranges::Segment;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, Register};

/// LLVM does not look at the ends of so many predecessors.
const MANY_PREDECESSORS: usize = 100;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// The copied value is a copy of the destination: the destination's value before it lives on, and the copy is
    /// erased.
    pub fn adjust_copies_back_from(&mut self, pair: &Pair, copy: u32) -> bool {
        let (a, b) = (pair.copied(), pair.defined());
        let at = self.slot_of(copy).register();
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let Some(segment_b) = range_b.segment_at(at) else { return false };
        let value_b = range_b.segments[segment_b].value;
        if range_b.values[value_b as usize] != at {
            return false;
        }
        let Some(segment_a) = range_a.segment_at(at.early_clobber()).map(|i| range_a.segments[i]) else {
            return false;
        };
        let def_a = range_a.values[segment_a.value as usize];
        let Some(copy_a) = self.slots.instr_at(def_a).filter(|_| !def_a.is_block()) else { return false };
        if !self.is_coalescable(pair, copy_a) {
            return false;
        }
        let Some(before) = range_b.segment_at(def_a.prev()) else { return false };
        let segment_before = range_b.segments[before];
        let last = self.slots.prev(segment_before.end);
        let in_block = self
            .slots
            .instr_at(last)
            .is_some_and(|i| self.code.instr(i).block == self.code.instr(copy).block);
        if !in_block || before + 1 != segment_b {
            return false;
        }
        let (from, to) = (segment_before.end, range_b.segments[segment_b].start);
        let mut scratch = std::mem::take(&mut self.b.scratch);
        self.ranges.edit(b, &mut scratch, |range| {
            range.values[value_b as usize] = from;
            range.add_segment(Segment { start: from, end: to, value: value_b });
            if value_b != segment_before.value {
                range.merge_value_into(value_b, segment_before.value);
            }
        });
        self.b.scratch = scratch;
        self.erase(copy);
        if segment_a.end == at {
            self.shrink_to_uses(a);
        }
        self.counts.extensions += 1;
        true
    }

    /// The def of the copied value is commuted, so that it defines the destination. The copy can be erased
    /// then; whether the destination's range is to be shrunk.
    pub fn remove_copy_by_commuting(&mut self, pair: &Pair, copy: u32) -> Option<bool> {
        let (a, b) = (pair.copied(), pair.defined());
        let at = self.slot_of(copy).register();
        let range_a = self.ranges.get(a);
        let value_a = range_a.value_at(at.early_clobber()).expect("the copied register is live");
        let def_a = range_a.values[value_a as usize];
        if def_a.is_block() {
            return None;
        }
        let def = self.slots.instr_at(def_a)?;
        if !self.host.is_commutable(def) {
            return None;
        }
        let def_index = self
            .code
            .operands(def)
            .position(|op| op.is_def() && op.reg() == Register::virt(a))
            .expect("the value is defined there") as u32;
        if !self.code.operand(Place { instr: def, index: def_index }).is_tied() {
            return None;
        }
        let use_index = self.host.tied_operand(def, def_index);
        let new_index = self.host.commutes_with(def, use_index)?;
        let new_dst = self.code.operand(Place { instr: def, index: new_index });
        if !new_dst.is_reg()
            || new_dst.reg() != Register::virt(b)
            || !self.ranges.get(b).query(def_a).is_kill
            || self.has_other_reaching_defs(a, b, value_a, at)
            || self.is_value_tied(a, value_a)
        {
            return None;
        }
        let mut operands = std::mem::take(&mut self.b.operands);
        let (a_class, b_class) = (self.class(a), self.class(b));
        let common =
            if a_class == b_class { Some(b_class) } else { self.host.common_sub_class(b_class, a_class) };
        if !self.host.commute(def, use_index, new_index, &mut operands) {
            self.b.operands = operands;
            return None;
        }
        let (entry, block) = (self.code.instr(def).entry, self.code.instr(def).block);
        let kind = self.code.kind(def);
        self.code.set_instr(def, entry, block, kind, &operands);
        self.b.operands = operands;
        match common {
            Some(class) if class != b_class => self.set_class(b, class),
            Some(_) => {}
            None => return None,
        }

        self.redirect_value(a, b, value_a, copy, at);
        let range_a = self.ranges.get(a);
        let mut moved = LiveRange::default();
        moved.segments.extend(range_a.segments.iter().filter(|s| s.value == value_a));
        let mut scratch = std::mem::take(&mut self.b.scratch);
        let shrink = self.ranges.edit(b, &mut scratch, |range| {
            let value_b = range.view().value_at(at).expect("the copy defines a value");
            range.values[value_b as usize] = def_a;
            moved.segments.iter().fold(false, |shrink, &s| {
                let i = range.add_segment(Segment { value: value_b, ..s });
                shrink | (range.segments[i].end == range.segments[i].end.dead())
            })
        });
        self.b.scratch = scratch;
        self.remove_def_at(a, def_a);
        self.counts.commutes += 1;
        Some(shrink)
    }

    /// Readers of a value of `a` read `b` instead; copies of it to `b` go.
    fn redirect_value(&mut self, a: u32, b: u32, value_a: u32, copy: u32, at: SlotIndex) {
        let mut places = std::mem::take(&mut self.b.places);
        self.code.places(a, &mut places);
        let range_a = self.ranges.get(a);
        let is_reader = |place: &Place| {
            let op = self.code.operand(*place);
            let at = self.slot_of(place.instr).early_clobber();
            op.is_use() && !op.is_undef() && range_a.value_at(at) == Some(value_a)
        };
        let moves: Vec<(Place, u32)> = places.iter().copied().filter(is_reader).map(|p| (p, b)).collect();
        self.b.places = places;
        for &(place, to) in &moves {
            self.host.edit(Edit::Mark(place, to));
        }
        let debug: Vec<u32> = self.code.debug_operands(a).collect();
        for &d in &debug {
            self.host.edit(Edit::MarkDebug(d, b));
        }
        self.host.edit(Edit::MoveMarked(a));
        self.code.distribute(a, &moves);
        self.code.move_debug_operands(a, |_| b);
        for &(Place { instr, .. }, _) in &moves {
            if instr == copy || !self.code.is_alive(instr) || !self.code.is_copy(instr) {
                continue;
            }
            if self.code.copy_regs(instr).0 != Register::virt(b) {
                continue;
            }
            // It copies `b` to itself.
            let def = self.slot_of(instr).register();
            let Some(value) = self.ranges.get(b).value_at(def) else { continue };
            let mut scratch = std::mem::take(&mut self.b.scratch);
            self.ranges.edit(b, &mut scratch, |range| {
                let value_b = range.view().value_at(at).expect("the copy defines a value");
                range.merge_value_into(value, value_b)
            });
            self.b.scratch = scratch;
            self.erase(instr);
        }
    }

    /// Whether a use of a value is tied to a def.
    fn is_value_tied(&self, reg: u32, value: u32) -> bool {
        let range = self.ranges.get(reg);
        !self.code.all_places(reg, |place, op| {
            !op.is_use() || !op.is_tied() || range.value_at(self.slot_of(place.instr)) != Some(value)
        })
    }

    /// Whether defs of `b` other than that at `at` may reach readers of a value of `a`.
    fn has_other_reaching_defs(&self, a: u32, b: u32, value_a: u32, at: SlotIndex) -> bool {
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let value_b = range_b.value_at(at).unwrap_or(NONE);
        // A PHI may read the value.
        for (value, &def) in range_a.values.iter().enumerate() {
            if !range_a.is_used(value as u32) || !def.is_block() {
                continue;
            }
            let preds = self.cfg.preds.row(BlockId::from_raw(self.slots.block_of(def)));
            if preds.len() > MANY_PREDECESSORS
                || preds.iter().any(|&p| range_a.value_before(self.slots.end(p.raw())) == Some(value_a))
            {
                return true;
            }
        }
        range_a.segments.iter().filter(|s| s.value == value_a).any(|sa| {
            let from = range_b.segments.partition_point(|s| s.start <= sa.start).saturating_sub(1);
            let near = range_b.segments[from..].iter().take_while(|sb| sa.end >= sb.start);
            near.filter(|sb| sb.value != value_b).any(|sb| {
                sb.start <= sa.start && sb.end > sa.start || sb.start > sa.start && sb.start < sa.end
            })
        })
    }
}
