//! Keeps debug values right when registers are joined.
//!
//! **Problem.** A DBG_VALUE names a register. After a join the register may have another value
//! there than before. Then the DBG_VALUE must become undef.
//!
//! **Algorithm.** At a join, we walk the debug values of one register and the segments of the other
//! side by side. Where the other one is live, the debug value stays only if the register's own
//! value there stays.
//!
//! **Source.** `buildVRegToDbgValueMap`, `checkMergingChangesDbgValues`.
//!
//! **Complexity.** Linear in the debug values and the segments of both registers, for each join.

use super::debug_operands::DebugOperandId;
use super::host::{CoalescerHost, Edit};
use super::join_vals::{JoinSide, JoinVals, Resolution, Side};
use super::state::Coalescing;
use crate::liveness::slot_index::SlotIndex;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Makes debug values undef if a join would change them (`checkMergingChangesDbgValues`).
    pub fn check_debug_values(&mut self, join: &JoinVals) {
        if !self.buffers.debug_values.is_empty() {
            self.check_debug_values_of(join, Side::Right);
            self.check_debug_values_of(join, Side::Left);
        }
    }

    fn check_debug_values_of(&mut self, join: &JoinVals, side: Side) {
        let (this, other) = (&join.sides[side], &join.sides[side.other()].range);
        let mut segments = other.segments.iter().peekable();
        let mut next = 0;
        while let Some(&value) = self.buffers.debug_values.of(this.reg()).get(next) {
            let Some(segment) = segments.peek() else { return };
            let at = self.code.debug.get(value).next_slot;
            if at >= segment.end {
                segments.next();
                continue;
            }
            next += 1;
            if at >= segment.start
                && self.code.debug_instr_names(value, this.reg())
                && becomes_undef(this, at)
            {
                self.host.edit(Edit::DebugUndef(value));
                self.code.debug.set_undef(value);
            }
        }
    }

    /// The slot of the last instruction before a debug operand, or of the start of its block.
    pub fn debug_slot(&self, id: DebugOperandId) -> SlotIndex {
        let mut at = self.code.debug.get(id).next_slot.prev().base();
        let start = self.slots.start(self.slots.block_of(at));
        while at > start && self.slots.instr_at(at).is_none() {
            at = at.prev().base();
        }
        at
    }
}

/// Whether a debug value of the register of `side` at `at`, where the other register is live, has
/// another value after the join.
fn becomes_undef(side: &JoinSide, at: SlotIndex) -> bool {
    let Some(segment) = side.range.segments.get(side.range.view().find(at)) else { return true };
    !matches!(side.val(segment.value).resolution, Resolution::Keep | Resolution::Erase)
}
