//! Inserts copies at the ends of blocks, and makes room for them.

use super::host::CoalescerHost;
use super::slots::{Renumbering, RoomBefore};
use super::state::Coalescing;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::{BlockId, InstrFlags, InstrId, VRegId};

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Inserts `dst = COPY src`, with the debug location of `like`, at the end of `block`; `dst` is
    /// not read yet.
    pub(super) fn insert_copy(&mut self, like: InstrId, block: BlockId, dst: VRegId, src: VRegId) {
        let before = self.end_of_code(block);
        if self.slots.free_before(before).is_none() {
            self.make_room();
        }
        let def = self.insert_copy_at_end(like, block, dst, src);
        self.edit_range(dst, |range| range.create_dead_def(def));
    }

    /// The slot of the first terminator, or of the end of the block.
    pub(crate) fn end_of_code(&mut self, block: BlockId) -> SlotIndex {
        match self.first_terminator(block) {
            Some(terminator) => self.code.slot(terminator),
            None => self.slots.end(block),
        }
    }

    /// Inserts `dst = COPY src` at the end of `block`, where there is room. Returns the slot that
    /// defines `dst`; the range of `dst` does not have the value yet.
    pub(crate) fn insert_copy_at_end(
        &mut self,
        like: InstrId,
        block: BlockId,
        dst: VRegId,
        src: VRegId,
    ) -> SlotIndex {
        let terminator = self.first_terminator(block);
        let before = self.end_of_code(block);
        let slot = self.slots.free_before(before).expect("room was made");
        let new = self.code.new_instr();
        self.note_copy(new);
        let mut operands = std::mem::take(&mut self.buffers.operands);
        let host_slot = self.host.insert_copy(new, like, block, terminator, (dst, src), &mut operands);
        self.slots.set_instr(slot, new);
        self.slots.set_host(slot, host_slot);
        self.code.set_instr(new, slot, block, InstrFlags::COPY, &operands);
        self.buffers.operands = operands;
        slot.register()
    }

    /// The first terminator of a block.
    pub(crate) fn first_terminator(&mut self, block: BlockId) -> Option<InstrId> {
        let mut first = None;
        let (start, mut at) = (self.slots.start(block), self.slots.end(block));
        while at > start {
            at = at.prev().base();
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
        for block in self.slots.blocks() {
            let &[succ] = self.graph.succs(block) else { continue };
            if self.graph.preds(succ).len() == 2 {
                places.push(self.end_of_code(block));
            }
        }
        let new = self.slots.make_more_room(&places);
        self.renumber(&new);
    }

    /// Makes room in each of `places`, in ascending order.
    pub(crate) fn make_room_for(&mut self, places: &[RoomBefore]) {
        let new = self.slots.make_room(places);
        self.renumber(&new);
    }

    fn renumber(&mut self, new: &Renumbering) {
        self.ranges.renumber(new);
        self.code.renumber(|at| new.of(at));
    }
}
