//! Copies of no value.
//!
//! **Problem.** A copy of an undefined register copies nothing: it goes, and who reads the copy reads an
//! undefined register. Where a PHI-def needs some value at the end of the block it becomes an IMPLICIT_DEF.
//!
//! **Source.** `eliminateUndefCopy`.

use super::host::{CoalescerHost, Edit};
use super::Coalescing;
use crate::liveness::slot_index::SlotIndex;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// The block slot of an instruction's entry.
    pub fn slot_of(&self, instr: u32) -> SlotIndex {
        SlotIndex(self.code.instr(instr).entry << 2)
    }

    /// None if the copy copies a value. Otherwise whether it is an IMPLICIT_DEF now; if not it can be erased.
    pub fn eliminate_undef_copy(&mut self, copy: u32) -> Option<bool> {
        let at = self.slot_of(copy);
        let (dst, src) = self.code.copy_regs(copy);
        let (dst, src) = (dst.virt_index() as u32, src.virt_index() as u32);
        if self.ranges.get(src).is_live_at(at) {
            return None;
        }
        let range = self.ranges.get(dst);
        let segment = range.segment_at(at.register()).expect("the copy defines a value");
        let next = range.value_at(range.segments[segment].end);
        let needed = match next {
            Some(value) => range.is_phi_def(value),
            None => !range.is_live_at(at),
        };
        if needed {
            self.host.edit(Edit::ToImplicitDef(copy));
            self.code.make_implicit_def(copy);
            // What could not be joined with a value may be with none.
            self.ranges.touch(dst);
            return Some(true);
        }
        let (before, value) = (range.value_at(at), range.segments[segment].value);
        let mut scratch = std::mem::take(&mut self.b.scratch);
        self.ranges.edit(dst, &mut scratch, |range| match before {
            Some(before) => {
                range.merge_value_into(value, before);
            }
            None => range.remove_value(value),
        });
        self.b.scratch = scratch;

        let mut places = std::mem::take(&mut self.b.places);
        self.code.places(dst, &mut places);
        for &place in places.iter().filter(|p| p.instr != copy) {
            let is_def = self.code.operand(place).is_def();
            if !is_def && !self.ranges.get(dst).is_live_at(self.slot_of(place.instr)) {
                self.set_undef(place);
            }
        }
        self.b.places = places;
        self.shrink_range(dst, false);
        Some(false)
    }
}
