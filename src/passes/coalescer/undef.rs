//! Eliminates copies of undefined registers.
//!
//! **Problem.** A copy of an undefined register copies nothing. The copy goes, and its readers read
//! an undefined register. Where a PHI-def needs a value at the end of the block, the copy becomes
//! an IMPLICIT_DEF.
//!
//! **Source.** `eliminateUndefCopy`.

use super::host::{CoalescerHost, Edit};
use super::state::Coalescing;
use crate::mir::{InstrId, InstrKind, VRegId};

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Erases a copy of an undefined register, or makes it an IMPLICIT_DEF. Returns false if it
    /// copies a value.
    pub fn eliminate_undef_copy(&mut self, copy: InstrId, dst: VRegId, src: VRegId) -> bool {
        let at = self.code.slot(copy);
        if self.ranges.get(src).is_live_at(at) {
            return false;
        }
        let range = self.ranges.get(dst);
        let segment = range.segments[range.segment_at(at.register()).expect("the copy defines a value")];
        let is_needed = match range.value_at(segment.end) {
            Some(next) => range.is_phi_def(next),
            None => !range.is_live_at(at),
        };
        if is_needed {
            self.make_implicit_def(copy);
            // A join that failed because of the copied value may succeed without one.
            self.ranges.touch(dst);
            return true;
        }
        let before = range.value_at(at);
        self.edit_range(dst, |range| match before {
            Some(before) => {
                range.merge_value_into(segment.value, before);
            }
            None => range.remove_value(segment.value),
        });
        self.flag_undef_uses(copy, dst);
        self.shrink_range(dst, false);
        self.erase(copy);
        true
    }

    /// Makes a copy an IMPLICIT_DEF of what it defines.
    fn make_implicit_def(&mut self, copy: InstrId) {
        self.remove_operands(copy, |op| !op.is_def());
        self.host.edit(Edit::SetKind(copy, InstrKind::ImplicitDef));
        self.code.make_implicit_def(copy);
    }

    /// Flags as undefined the readers of `dst` that no value reaches now, because `copy` no longer
    /// defines it.
    fn flag_undef_uses(&mut self, copy: InstrId, dst: VRegId) {
        self.set_uses_undef(dst, |this, instr| {
            instr != copy && !this.ranges.get(dst).is_live_at(this.code.slot(instr))
        });
    }
}
