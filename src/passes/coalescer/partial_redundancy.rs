//! A copy that is needed on one way into its block alone.
//!
//! **Problem.**
//!
//! ```text
//! BB0: A = B     BB1:             BB0: A = B     BB1: B = A
//!         \       /        =>            \       /
//!       BB2: B = A                       BB2:
//! ```
//!
//! From BB0 the copy changes nothing; BB1, which has no other successor, can have it. A loop of one block is
//! the most common case: BB0 is BB2.
//!
//! **Source.** `removePartialRedundancy`, whose comment has the conditions.
//!
//! **Complexity.** Operands and segments of both registers.

use super::code::Place;
use super::host::CoalescerHost;
use super::pair::Pair;
use super::{around, Coalescing};
use crate::liveness::ranges::UNUSED;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrFlags, Register};
use crate::versions::VERSIONS;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Moves the copy, or drops it if both predecessors have copied back; false if that cannot be done.
    pub fn remove_partial_redundancy(&mut self, pair: &Pair, copy: u32) -> bool {
        let block = self.code.instr(copy).block;
        let &[p, q] = self.cfg.preds.row(BlockId::from_raw(block)) else { return false };
        if self.host.is_special_target(block) {
            return false;
        }
        let (a, b) = (pair.copied(), pair.defined());
        let at = self.slot_of(copy).early_clobber();
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let value_a = range_a.value_at(at).expect("the copied register is live");
        if !range_a.is_phi_def(value_a) || range_b.overlaps_span(self.slots.start(block), at) {
            return false;
        }
        let [p, q] = [p.raw(), q.raw()];
        let copied_back = [p, q].map(|pred| self.is_copied_back(a, b, pred));
        let left = match copied_back {
            [false, false] => return false,
            [true, true] => None,
            [true, false] => Some(q),
            [false, true] => Some(p),
        };
        if let Some(left) = left {
            if self.succs.row(BlockId::from_raw(left)).len() > 1 {
                return false;
            }
            let terminator = self.first_terminator(left);
            if let Some(terminator) = terminator {
                let from = self.slot_of(terminator).early_clobber();
                if self.ranges.get(b).overlaps_span(from, self.slots.end(left)) {
                    return false;
                }
            }
            self.insert_copy(copy, left, b, a);
        }
        let is_undef = self.code.operand(Place { instr: copy, index: 1 }).is_undef();
        let at = self.slot_of(copy).register();
        self.erase(copy);

        self.drop_def(b, at, is_undef && VERSIONS.coalescer.flags_moved_undef_copies);
        self.shrink_to_uses(b);
        self.shrink_to_uses(a);
        true
    }

    /// The instruction at `at` is no def of `reg` any more: what reaches it flows on. `flags`: uses that nothing
    /// reaches now are marked as reading no value.
    pub fn drop_def(&mut self, reg: u32, at: SlotIndex, flags: bool) {
        let mut ends = std::mem::take(&mut self.b.ends);
        ends.clear();
        let mut range = std::mem::take(&mut self.b.scratch);
        range.assign(self.ranges.get(reg));
        let value = range.view().query(at).value_out_or_dead().expect("it defines a value");
        self.b.extender.prune_value(around!(self), self.succs, &mut range, at, &mut ends);
        range.values[value as usize] = UNUSED;
        if flags {
            let mut places = std::mem::take(&mut self.b.places);
            self.code.places(reg, &mut places);
            for &place in &places {
                if self.code.operand(place).is_use() && !range.view().is_live_at(self.slot_of(place.instr)) {
                    self.set_undef(place);
                }
            }
            self.b.places = places;
        }
        self.b.extender.extend_to(around!(self), &mut range, &ends);
        self.ranges.store(reg, &range);
        self.b.scratch = range;
        self.b.ends = ends;
    }

    /// Whether `a` comes out of `pred` as a copy of `b` that is made there, with no def of `b` behind.
    fn is_copied_back(&self, a: u32, b: u32, pred: u32) -> bool {
        let (range_a, range_b) = (self.ranges.get(a), self.ranges.get(b));
        let end = self.slots.end(pred);
        let Some(value) = range_a.value_before(end) else { return false };
        let def = range_a.values[value as usize];
        let Some(instr) = self.slots.instr_at(def).filter(|_| !def.is_block()) else { return false };
        self.code.is_copy(instr)
            && self.code.copy_regs(instr) == (Register::virt(a), Register::virt(b))
            && self.code.instr(instr).block == pred
            && !range_b.values.iter().any(|&v| v != UNUSED && def < v && v < end)
    }

    /// Inserts `dst = COPY src` at the end of `block`; `dst` is not read yet.
    fn insert_copy(&mut self, like: u32, block: u32, dst: u32, src: u32) {
        let before = self.end_of_code(block);
        if self.slots.free_before(before).is_none() {
            self.make_room();
        }
        let def = self.insert_copy_at_end(like, block, dst, src);
        let mut scratch = std::mem::take(&mut self.b.scratch);
        self.ranges.edit(dst, &mut scratch, |range| range.create_dead_def(def));
        self.b.scratch = scratch;
    }

    /// The entry of the first terminator, or of the end of the block.
    pub(crate) fn end_of_code(&mut self, block: u32) -> u32 {
        match self.first_terminator(block) {
            Some(t) => self.code.instr(t).entry,
            None => self.slots.end(block).entry(),
        }
    }

    /// Inserts `dst = COPY src` at the end of `block`, where there is room; where it defines `dst`, whose range does
    /// not know of it.
    pub(crate) fn insert_copy_at_end(&mut self, like: u32, block: u32, dst: u32, src: u32) -> SlotIndex {
        let terminator = self.first_terminator(block);
        let before = self.end_of_code(block);
        let entry = self.slots.free_before(before).expect("room was made");
        let new = self.code.new_instr();
        self.b.lists.made_copy(new);
        let mut operands = std::mem::take(&mut self.b.operands);
        let slot = self.host.insert_copy(new, like, block, terminator, (dst, src), &mut operands);
        self.slots.set_instr(entry, new);
        self.slots.host[entry as usize] = slot;
        self.code.set_instr(new, entry, block, InstrFlags::COPY, &operands);
        self.b.operands = operands;
        SlotIndex(entry << 2).register()
    }

    /// The first terminator of a block.
    pub(crate) fn first_terminator(&mut self, block: u32) -> Option<u32> {
        let mut first = None;
        let mut at = self.slots.end(block);
        while at > self.slots.start(block) {
            at = SlotIndex(at.0 - 4);
            if let Some(instr) = self.slots.instr_at(at) {
                if !self.host.is_terminator(instr) {
                    break;
                }
                first = Some(instr);
            }
        }
        first
    }

    /// Makes room for copies before the terminators of all blocks that may get one.
    fn make_room(&mut self) {
        let mut places = Vec::new();
        for block in 0..self.slots.num_blocks() as u32 {
            let &[succ] = self.succs.row(BlockId::from_raw(block)) else { continue };
            if self.cfg.preds.row(succ).len() == 2 {
                places.push(match self.first_terminator(block) {
                    Some(t) => self.code.instr(t).entry,
                    None => self.slots.end(block).entry(),
                });
            }
        }
        let new = self.slots.make_room(&places);
        self.renumber(&new);
    }

    /// Makes room for so many instructions before each of `places` (ascending entries).
    pub(crate) fn make_room_for(&mut self, places: &[(u32, u32)]) {
        let new = self.slots.spread(places);
        self.renumber(&new);
    }

    fn renumber(&mut self, new: &[u32]) {
        self.ranges.renumber(new);
        self.code.renumber(|entry| new[entry as usize]);
    }
}
