//! PHIs that were lowered, by their operands.
//!
//! **Problem.** Tail duplication leaves PHIs with the same operands in several blocks with the same
//! predecessors. One incoming register, copied to once, does for all. **Algorithm.** A hash table of the lists
//! of operands; it is only looked up. As LLVM has it, two PHIs are alike when registers, parts of registers and
//! blocks are, in the same order; flags do not matter. **Complexity.** Linear in the operands.

use crate::mir::{Operand, Register};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// From the sources of a PHI to its incoming register.
#[derive(Default)]
pub(super) struct LoweredPhis {
    /// By hash, the last PHI of it.
    by_hash: FxHashMap<u64, u32>,
    phis: Vec<Lowered>,
    /// The sources of all, see [`source`].
    sources: Vec<(u64, u32)>,
}

struct Lowered {
    sources: Range<usize>,
    incoming: Register,
    /// The one before of the same hash.
    previous: Option<u32>,
}

/// A register with its part, and the block.
fn source(pair: &[Operand]) -> (u64, u32) {
    (u64::from(pair[0].reg().0) | u64::from(pair[0].subreg()) << 32, pair[1].block_number())
}

fn sources(operands: &[Operand]) -> impl ExactSizeIterator<Item = (u64, u32)> + '_ {
    operands[1..].chunks_exact(2).map(source)
}

impl LoweredPhis {
    pub(super) fn clear(&mut self) {
        self.by_hash.clear();
        self.phis.clear();
        self.sources.clear();
    }

    /// The incoming register of a PHI like this one. If there is none, it is what `new` makes.
    pub(super) fn incoming(
        &mut self,
        operands: &[Operand],
        new: impl FnOnce() -> Register,
    ) -> (Register, bool) {
        let mut hasher = FxHasher::default();
        sources(operands).for_each(|s| s.hash(&mut hasher));
        let last = self.by_hash.entry(hasher.finish()).or_insert(u32::MAX);
        let previous = (*last != u32::MAX).then_some(*last);
        let mut at = previous;
        while let Some(i) = at {
            let phi = &self.phis[i as usize];
            if self.sources[phi.sources.clone()].iter().copied().eq(sources(operands)) {
                return (phi.incoming, true);
            }
            at = phi.previous;
        }
        *last = self.phis.len() as u32;
        let first = self.sources.len();
        self.sources.extend(sources(operands));
        let incoming = new();
        self.phis.push(Lowered { sources: first..self.sources.len(), incoming, previous });
        (incoming, false)
    }
}
