//! Shrinks a range to its readers.
//!
//! **Problem.** When a reader goes, a register may not have to be live as far. A PHI-def that
//! nothing reads goes, and a def that nothing reads is dead. The rest of the range may be in
//! several parts, see [`super::split`].
//!
//! **Source.** `LiveIntervals::shrinkToUses`, `computeDeadValues`. **Complexity.** See
//! [`super::shrinker`].

use super::host::CoalescerHost;
use super::state::Coalescing;
use crate::liveness::ranges::UNUSED;
use crate::mir::{VRegId, ValueNo};

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Shrinks the range of `reg` to its readers, and splits it if it is in several parts.
    pub fn shrink_to_uses(&mut self, reg: VRegId) {
        self.counts.shrinks += 1;
        if self.shrink_range(reg, false) {
            self.split_parts(reg);
        }
    }

    /// Does the same. Instructions whose defs are all dead go to `dead_instrs`.
    pub fn shrink_to_uses_for_dead(&mut self, reg: VRegId) {
        self.counts.shrinks += 1;
        if self.shrink_range(reg, true) {
            self.split_parts(reg);
        }
    }

    /// Does the same for all registers, whose ranges were computed anew from code that the stock
    /// coalescer has changed. That leaves defs that nothing reads without a dead flag, and ranges
    /// that are in several parts once they are as short as the readers allow.
    pub fn shrink_all_to_uses_for_dead(&mut self) {
        for reg in (0..self.code.num_regs()).map(VRegId::from_usize) {
            if self.ranges.has(reg) {
                self.shrink_range(reg, true);
                self.split_parts(reg);
                self.eliminate_dead_defs();
            }
        }
    }

    /// Shrinks the range of `reg` to its readers. Returns whether it may be in several parts now.
    /// With `collects_dead`, instructions whose defs are all dead go to `dead_instrs`.
    pub fn shrink_range(&mut self, reg: VRegId, collects_dead: bool) -> bool {
        let mut places = std::mem::take(&mut self.buffers.places);
        self.code.places(reg, &mut places);
        self.buffers.shrinker.begin(self.ranges.get(reg));
        for &place in &places {
            if self.code.operand(place).reads() {
                self.buffers.shrinker.add_reader(self.code.slot(place.instr));
            }
        }
        self.buffers.places = places;
        let mut range = std::mem::take(&mut self.buffers.range);
        let around = self.graph.with_slots(self.slots);
        self.buffers.shrinker.finish(around, &mut range);

        let mut may_be_in_parts = false;
        for value in (0..range.values.len()).map(ValueNo::from_usize) {
            let def = range.values[value];
            if def == UNUSED {
                continue;
            }
            let segment = range.view().segment_at(def).expect("a value lives at its def");
            if range.segments[segment].end != def.dead() {
                continue;
            }
            may_be_in_parts = true;
            let Some(instr) = self.slots.def_instr(def) else {
                range.values[value] = UNUSED;
                range.segments.remove(segment);
                continue;
            };
            self.set_dead(instr, reg, true);
            if collects_dead && self.code.all_defs_are_dead(instr) {
                self.buffers.dead_instrs.push(instr);
            }
        }
        self.ranges.store(reg, &range);
        self.buffers.range = range;
        may_be_in_parts
    }
}
