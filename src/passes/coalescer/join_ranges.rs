//! Carries out a join whose values are all mapped: updates ranges and code to the joined register.
//!
//! **Algorithm.** Parts of values that another value replaces are cut out. Copies and IMPLICIT_DEFs
//! that are not needed are erased. The two ranges are merged, and extended again to the end points
//! of the parts that were cut out.
//!
//! **Source.** `pruneValues`, `eraseInstrs`, the rest of `joinVirtRegs`. **Deviation:** in the
//! default profile, readers of a replaced IMPLICIT_DEF are flagged undefined. LLVM assumes that
//! only PHIs read one. It leaves a range whose reader no def reaches, and may crash on that.
//!
//! **Complexity.** Linear in the values that the other side affects, and in the segments of both.

use super::host::CoalescerHost;
use super::join_vals::{JoinVals, Resolution, Side, Val};
use super::pair::CoalescerPair;
use super::state::Coalescing;
use crate::liveness::ranges::UNUSED;
use crate::liveness::slot_index::SlotIndex;
use crate::mir::VRegId;
use crate::versions::VERSIONS;

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Joins two ranges whose values are mapped.
    pub(super) fn join_mapped(&mut self, join: &mut JoinVals, pair: &CoalescerPair) {
        let mut ends = std::mem::take(&mut self.buffers.ends);
        ends.clear();
        self.prune_values(join, Side::Left, &mut ends);
        self.prune_values(join, Side::Right, &mut ends);
        self.erase_instrs(join, pair, Side::Left);
        self.erase_instrs(join, pair, Side::Right);
        while let Some(reg) = self.buffers.read_by_erased.pop() {
            self.shrink_to_uses(reg);
        }
        self.check_debug_values(join);
        join.join_ranges();
        if join.has_undefined() {
            // No def reaches them.
            ends.retain(|&end| !join.is_undefined(end));
        }
        let range = &mut join.sides[Side::Left].range;
        if !ends.is_empty() {
            let around = self.graph.with_slots(self.slots);
            self.buffers.extender.extend_to(around, range, &ends);
        }
        self.ranges.store(pair.dst, range);
        self.buffers.ends = ends;
        if join.has_undefined() {
            self.flag_undefined(join, pair);
        }
    }

    /// Flags as undefined the readers of an erased IMPLICIT_DEF, or of a copy of one.
    fn flag_undefined(&mut self, join: &JoinVals, pair: &CoalescerPair) {
        for reg in [pair.dst, pair.src] {
            self.set_uses_undef(reg, |this, instr| {
                let at = this.code.slot(instr);
                join.is_undefined(at) && !this.ranges.get(pair.dst).is_live_at(at)
            });
        }
    }

    /// Cuts out of both ranges the parts that values of `side` replace or that are replaced in them
    /// (`pruneValues`).
    fn prune_values(&mut self, join: &mut JoinVals, side: Side, ends: &mut Vec<SlotIndex>) {
        for i in 0..join.sides[side].affected.len() {
            let value = join.sides[side].affected[i];
            let def = join.sides[side].def(value);
            let v = *join.sides[side].val(value);
            let pruned = match v.resolution {
                Resolution::Keep => None,
                Resolution::Replace => Some(side.other()),
                Resolution::Erase | Resolution::Merge => Some(side).filter(|_| join.is_pruned(side, value)),
                Resolution::Impossible => unreachable!("the join was given up"),
            };
            let Some(pruned) = pruned else { continue };
            let around = self.graph.with_slots(self.slots);
            let num_ends = ends.len();
            let range = &mut join.sides[pruned].range;
            self.buffers.extender.prune_value(around, self.graph.succs, range, def, ends);
            let replaces_implicit_def = self.replaces_implicit_def(join, side, v);
            self.buffers.has_erased_implicit_def |= replaces_implicit_def;
            if v.resolution != Resolution::Replace {
                if replaces_implicit_def && VERSIONS.coalescer.drops_ends_of_implicit_defs {
                    ends.truncate(num_ends);
                }
            } else if !def.is_block() {
                self.set_live(def, join.sides[side].reg());
                if !replaces_implicit_def {
                    ends.push(def);
                } else if self.options.flags_undefined {
                    let implicit_def = join.sides[side.other()].def(v.other());
                    join.note_undefined(implicit_def, def);
                }
            }
        }
    }

    /// Tells whether the other side's value, which a value of `side` copies or replaces, is defined
    /// by an IMPLICIT_DEF that is erased.
    fn replaces_implicit_def(&self, join: &JoinVals, side: Side, v: Val) -> bool {
        let other = &join.sides[side.other()];
        other.val(v.other()).resolution == Resolution::Keep && self.is_erasable_implicit_def(other, v.other())
    }

    /// Flags as undefined the reads of `reg`, the register that stays, that no def reaches after a
    /// join. Only an erased IMPLICIT_DEF leaves such reads.
    pub(super) fn flag_reads_after_join(&mut self, reg: VRegId) {
        if VERSIONS.coalescer.flags_reads_after_joins && self.buffers.has_erased_implicit_def {
            self.set_uses_undef(reg, |this, instr| {
                !this.ranges.get(reg).is_live_at(this.code.slot(instr).early_clobber())
            });
        }
    }

    /// Clears the dead flag of the def of `reg` at `def`.
    fn set_live(&mut self, def: SlotIndex, reg: VRegId) {
        let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
        self.set_dead(instr, reg, false);
    }

    /// Erases the copies and IMPLICIT_DEFs of `side` that are not needed (`eraseInstrs`). The
    /// registers that the copies read go to `read_by_erased`.
    fn erase_instrs(&mut self, join: &mut JoinVals, pair: &CoalescerPair, side: Side) {
        for i in 0..join.sides[side].affected.len() {
            let value = join.sides[side].affected[i];
            let v = *join.sides[side].val(value);
            let def = join.sides[side].def(value);
            match v.resolution {
                Resolution::Keep
                    if v.is_pruned && self.is_erasable_implicit_def(&join.sides[side], value) =>
                {
                    let range = &mut join.sides[side].range;
                    range.segments.retain(|s| s.value != value);
                    range.set_def(value, UNUSED);
                }
                Resolution::Erase => {}
                _ => continue,
            }
            let instr = self.slots.instr_at(def).expect("a value is defined by an instruction");
            if self.code.is_copy(instr) {
                let src = self.code.copy_regs(instr).1.vreg();
                let src = src.filter(|src| ![pair.src, pair.dst].contains(src));
                self.buffers.read_by_erased.extend(src);
            }
            self.erase(instr);
        }
    }
}
