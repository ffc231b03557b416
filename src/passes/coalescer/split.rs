//! Gives each part of a range a register of its own.
//!
//! **Problem.** A range that was shrunk may be in several unconnected parts.
//!
//! **Algorithm.** Two values are in one part if they meet in a PHI-def, or if one is defined where
//! the other ends (union-find). The first part keeps the register.
//!
//! **Source.** `ConnectedVNInfoEqClasses`, `LiveIntervals::splitSeparateComponents`.
//!
//! **Complexity.** O(n log n) in the values, segments and operands of the register.

use super::code::Place;
use super::debug_operands::DebugOperandId;
use super::host::{CoalescerHost, Edit};
use super::live_range::LiveRange;
use super::state::Coalescing;
use crate::liveness::ranges::{Segment, UNUSED};
use crate::mir::{VRegId, ValueNo};
use index_vec::IndexVec;

/// The part that each value is in, and the registers that the parts get.
struct Parts {
    by_value: IndexVec<ValueNo, u32>,
    num_parts: u32,
    reg: VRegId,
    first_new: VRegId,
}

impl Parts {
    /// The register of a value's part, if that is a new one.
    fn new_reg(&self, value: ValueNo) -> Option<VRegId> {
        let part = self.by_value[value];
        part.checked_sub(1).map(|new| VRegId::from_raw(self.first_new.raw() + new))
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Gives each part of the range of `reg`, except the first, a register of its own
    /// (`splitSeparateComponents`).
    pub fn split_parts(&mut self, reg: VRegId) {
        let mut by_value = std::mem::take(&mut self.buffers.parts);
        let num_parts = self.find_parts(reg, &mut by_value);
        let first_new = VRegId::from_usize(self.code.num_regs());
        let parts = Parts { by_value, num_parts, reg, first_new };
        if num_parts > 1 {
            for _ in 1..num_parts {
                self.clone_reg(reg);
            }
            self.move_operands_of_parts(&parts);
            self.split_range(&parts);
        }
        self.buffers.parts = parts.by_value;
    }

    /// Finds the part that each value is in. Parts are numbered in the order of their first values.
    /// Returns the number of parts (`ConnectedVNInfoEqClasses::Classify`).
    fn find_parts(&mut self, reg: VRegId, out: &mut IndexVec<ValueNo, u32>) -> u32 {
        let range = self.ranges.get(reg);
        let classes = &mut self.buffers.value_classes;
        classes.reset(range.values.len());
        let (mut last_used, mut last_unused) = (None, None);
        for (value, &def) in (0..).zip(&range.values.raw) {
            if def == UNUSED {
                if let Some(unused) = last_unused.replace(value) {
                    classes.join(unused, value);
                }
                continue;
            }
            last_used = Some(value);
            if def.is_block() {
                for &pred in self.graph.preds(self.slots.block_of(def)) {
                    if let Some(other) = range.value_before(self.slots.end(pred)) {
                        classes.join(value, other.raw());
                    }
                }
            } else if let Some(other) = range.value_before(def) {
                classes.join(value, other.raw());
            }
        }
        if let Some((used, unused)) = last_used.zip(last_unused) {
            classes.join(used, unused);
        }
        classes.compress(&mut out.raw)
    }

    /// Moves the operands of values that are not in the first part to the new registers.
    fn move_operands_of_parts(&mut self, parts: &Parts) {
        let reg = parts.reg;
        let mut moves: Vec<(Place, VRegId)> = Vec::new();
        let mut places = std::mem::take(&mut self.buffers.places);
        self.code.places(reg, &mut places);
        let range = self.ranges.get(reg);
        for &place in &places {
            let q = range.query(self.code.slot(place.instr));
            let reads = self.code.operand(place).reads();
            let value = if reads { q.value_in() } else { q.value_defined() };
            if let Some(to) = value.and_then(|value| parts.new_reg(value)) {
                moves.push((place, to));
            }
        }
        self.buffers.places = places;
        let new_reg_of_debug = |id| Some((id, parts.new_reg(range.query(self.debug_slot(id)).value_out()?)?));
        let debug_moves: Vec<(DebugOperandId, VRegId)> =
            self.code.debug.of(reg).filter_map(new_reg_of_debug).collect();
        for &(place, to) in &moves {
            self.host.edit(Edit::Mark(place, to));
        }
        for &(id, to) in &debug_moves {
            self.host.edit(Edit::MarkDebug(id, to));
        }
        self.host.edit(Edit::MoveMarked(reg));
        self.code.distribute(reg, &moves);
        let new_debug_reg = |id| debug_moves.iter().find(|m| m.0 == id).map_or(reg, |m| m.1);
        self.code.debug.distribute(reg, new_debug_reg);
    }

    /// Gives the parts their segments and values.
    fn split_range(&mut self, parts: &Parts) {
        let old = self.ranges.get(parts.reg);
        let mut split = vec![LiveRange::default(); parts.num_parts as usize];
        let mut numbers: IndexVec<ValueNo, ValueNo> = IndexVec::with_capacity(parts.by_value.len());
        for (&def, &part) in old.values.iter().zip(&parts.by_value) {
            numbers.push(split[part as usize].new_value(def));
        }
        for s in old.segments {
            let to = &mut split[parts.by_value[s.value] as usize].segments;
            to.push(Segment { value: numbers[s.value], ..*s });
        }
        let new_regs = (parts.first_new.raw()..).map(VRegId::from_raw);
        for (reg, range) in std::iter::once(parts.reg).chain(new_regs).zip(&split) {
            self.ranges.store(reg, range);
        }
    }
}
