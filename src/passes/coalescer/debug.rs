//! Debug values and joins.
//!
//! **Problem.** A DBG_VALUE names a register. After a join the register may have another value there than
//! before: then the debug value must be of nothing.
//!
//! **Algorithm.** For each register that debug values named when the pass began, their slots in order. At a
//! join they and the segments of the other register are walked side by side: where that one is live, the
//! debug value stays only if what became of this register's value there says that it stays.
//!
//! **Source.** `buildVRegToDbgValueMap`, `checkMergingChangesDbgValues`.
//!
//! **Complexity.** Debug values and segments of both registers, for each join.

use super::code::Code;
use super::host::{CoalescerHost, Edit};
use super::join_vals::{JoinVals, Resolution, LEFT, RIGHT};
use super::Coalescing;
use crate::adt::Rows;
use crate::liveness::slot_index::{Slot, SlotIndex};

/// The debug values of each register, as positions in `Code::debug`.
#[derive(Default)]
pub struct DebugValues {
    by_reg: Rows,
}

impl DebugValues {
    /// Those of a function.
    pub fn read(&mut self, code: &Code) {
        self.by_reg.clear();
        if code.debug.is_empty() {
            return;
        }
        let values = code.debug.iter().enumerate().filter(|d| d.1.is_value);
        self.by_reg.collect(code.num_regs(), values.map(|(i, d)| (i as u32, d.reg as usize)));
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Marks the debug values that a join would change (`checkMergingChangesDbgValues`).
    pub fn check_debug_values(&mut self, join: &JoinVals) {
        if !self.b.debug.by_reg.is_empty() {
            self.check_debug_values_of(join, RIGHT);
            self.check_debug_values_of(join, LEFT);
        }
    }

    fn check_debug_values_of(&mut self, join: &JoinVals, side: usize) {
        let (this, other) = (&join.sides[side], &join.sides[1 - side].range);
        // Registers that were made later have none.
        if this.reg as usize >= self.b.debug.by_reg.len() {
            return;
        }
        let mut segments = other.segments.iter().peekable();
        let mut i = 0;
        while let Some(&value) = self.b.debug.by_reg.row(this.reg as usize).get(i) {
            let Some(segment) = segments.peek() else { return };
            let at = SlotIndex::new(self.code.debug[value as usize].entry, Slot::Block);
            if at >= segment.end {
                segments.next();
                continue;
            }
            i += 1;
            if at >= segment.start
                && self.code.debug_instr_names(value, this.reg)
                && becomes_undef(join, side, at)
            {
                self.host.edit(Edit::DebugUndef(value));
                self.code.undef_debug_instr(value);
            }
        }
    }

    /// The slot of the last instruction before a debug operand, or of the start of its block.
    pub fn debug_slot(&self, debug: u32) -> SlotIndex {
        let mut at = SlotIndex::new(self.code.debug[debug as usize].entry - 1, Slot::Block);
        let start = self.slots.start(self.slots.block_of(at));
        while at > start && self.slots.instr_at(at).is_none() {
            at = SlotIndex::new(at.entry() - 1, Slot::Block);
        }
        at
    }
}

/// Whether a debug value of the register of `side` at `at`, where the other register is live, is of another
/// value after the join.
fn becomes_undef(join: &JoinVals, side: usize, at: SlotIndex) -> bool {
    let side = &join.sides[side];
    let Some(segment) = side.range.segments.get(side.range.view().find(at)) else { return true };
    let resolution = side.vals[segment.value as usize].resolution;
    !matches!(resolution, Resolution::Keep | Resolution::Erase)
}
