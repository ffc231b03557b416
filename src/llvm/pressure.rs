//! Measures register pressure from LLVM's LiveIntervals, for a pass that has them.
//!
//! **Problem.** How many virtual registers of a class are live at once, and where that is first
//! reached. **Algorithm.** The starts and ends of all segments of a class are sorted by slot. At
//! one slot ends come first: an operand that dies there does not count together with the result.
//! The maximum count is kept. **Source.** [`crate::liveness::pressure`] has the definition, and
//! measures our own ranges before LLVM has any. **Complexity.** Sorting the segments.

use super::{LiveIntervals, MachineFunction};
use crate::mir::{RegClassId, Register};
use std::collections::BTreeMap;

/// The register pressure of a class in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassPressure {
    /// The class.
    pub class: RegClassId,
    /// The most registers that are live at once.
    pub max_live: u32,
    /// The number of the first slot where this many are live, in the order of
    /// [`LiveIntervals::number_of`].
    pub at: u32,
}

impl<'f> LiveIntervals<'f> {
    /// Returns the pressure of each class that has a live register, ordered by class number.
    pub fn pressure(self, mf: MachineFunction<'f>) -> Vec<ClassPressure> {
        let mut events: BTreeMap<usize, Vec<(u32, i32)>> = BTreeMap::new();
        for reg in (0..mf.num_virt_regs()).map(|index| Register::virt(index as u32)) {
            let Some(class) = mf.class_id(reg).filter(|_| self.has_interval(reg)) else { continue };
            let of_class = events.entry(class).or_default();
            for segment in self.segments(reg) {
                of_class.extend([(segment.start, 1), (segment.end, -1)]);
            }
        }
        let by_class = events.into_iter().map(|(class, mut events)| {
            events.sort_unstable();
            let (mut live, mut max_live, mut at) = (0, 0, 0);
            for (slot, change) in events {
                live += change;
                if live > max_live {
                    (max_live, at) = (live, slot);
                }
            }
            ClassPressure { class: RegClassId::from_usize(class), max_live: max_live as u32, at }
        });
        by_class.filter(|pressure| pressure.max_live > 0).collect()
    }
}
