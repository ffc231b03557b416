//! Replacing a two-address instruction by a three-address one of the target (row T2). NVPTX has none.

use super::{Cursor, Walk};
use crate::llvm::MachineInstr;
use crate::mir::Register;
use crate::versions::VERSIONS;

impl<'f> Walk<'_, 'f> {
    /// Whether `A = op B(tied)` would need a copy between different physical registers otherwise.
    pub(super) fn is_profitable_to_convert(&self, a: Register, b: Register) -> bool {
        let from_b = self.b.maps.src.mapped_physical(b);
        if !from_b.is_valid() {
            return false;
        }
        let to_a = self.b.maps.dst.mapped_physical(a);
        to_a.is_valid() && !self.mf.regs_overlap(from_b, to_a)
    }

    /// Has the target convert `at.mi`; on success `at` is at the new instruction.
    pub(super) fn convert_to_three_address(&mut self, at: &mut Cursor<'f>, a: Register, b: Register) -> bool {
        let mi = at.mi;
        // Instructions that the target adds are between these two.
        let (before, after) = (mi.prev(), mi.next());
        let Some(new) = mi.convert_to_three_address(self.lv, self.lis) else { return false };
        let in_place = new == mi;
        if VERSIONS.two_address.converts_in_place {
            self.number_span(before, after);
        }
        if !in_place {
            mi.substitute_debug_value(new);
            mi.erase();
        }
        if !VERSIONS.two_address.converts_in_place {
            self.number_span(before, after);
        }
        if !in_place || !VERSIONS.two_address.converts_in_place {
            self.dist -= 1;
        }
        at.mi = new;
        at.next = new.next();
        self.b.maps.src.remove(a);
        self.b.maps.dst.remove(b);
        true
    }

    fn number_span(&mut self, before: Option<MachineInstr<'f>>, after: Option<MachineInstr<'f>>) {
        let mut position = before.map_or_else(|| self.block.first(), |mi| mi.next());
        while position != after {
            let Some(mi) = position else { break };
            self.b.distance.insert(mi.key(), self.dist);
            self.dist += 1;
            position = mi.next();
        }
    }
}
