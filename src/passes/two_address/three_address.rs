//! Replaces a two-address instruction by a three-address one of the target (requirement T2). NVPTX
//! has none.

use super::host::TwoAddressHost;
use super::walk::{Cursor, Walk};
use crate::mir::Register;
use crate::passes::function::{BlockHandle, InstrHandle};

impl<H: TwoAddressHost> Walk<'_, H> {
    /// Whether `A = op B(tied)` would otherwise need a copy between different physical registers.
    pub(super) fn is_profitable_to_convert(&self, a: Register, b: Register) -> bool {
        let from_b = self.b.maps.src.mapped_physical(b);
        if !from_b.is_valid() {
            return false;
        }
        let to_a = self.b.maps.dst.mapped_physical(a);
        to_a.is_valid() && !self.host.regs_overlap(from_b, to_a)
    }

    /// Lets the target convert `at.mi`. On success `at` is at the new instruction.
    pub(super) fn convert_to_three_address(
        &mut self,
        at: &mut Cursor<H::Instr>,
        a: Register,
        b: Register,
    ) -> bool {
        let mi = at.mi;
        // Instructions that the target adds are between these two.
        let (before, after) = (mi.prev(), mi.next());
        let Some(new) = self.host.convert_to_three_address(mi) else { return false };
        let in_place = new == mi;
        if self.options.differences.converts_in_place {
            self.number_span(before, after);
        }
        if !in_place {
            self.host.substitute_debug_value(mi, new);
            mi.erase();
        }
        if !self.options.differences.converts_in_place {
            self.number_span(before, after);
        }
        if !in_place || !self.options.differences.converts_in_place {
            self.dist -= 1;
        }
        at.mi = new;
        at.next = new.next();
        self.b.maps.src.remove(a);
        self.b.maps.dst.remove(b);
        true
    }

    fn number_span(&mut self, before: Option<H::Instr>, after: Option<H::Instr>) {
        let mut position = before.map_or_else(|| self.block.first(), |mi| mi.next());
        while position != after {
            let Some(mi) = position else { break };
            self.b.distance.insert(mi.key(), self.dist);
            self.dist += 1;
            position = mi.next();
        }
    }
}
