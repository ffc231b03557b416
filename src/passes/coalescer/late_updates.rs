//! Remembers which ranges have to be shrunk later, in LLVM's order.

use crate::adt::DenseMapOrder;
use crate::mir::{Register, VRegId};
use crate::versions::VERSIONS;

/// Registers whose ranges are shrunk later (`ToBeUpdated`). The order is that of LLVM's set. It
/// matters because shrinking may make new registers.
pub struct LateUpdates {
    regs: Vec<VRegId>,
    order: DenseMapOrder,
}

impl Default for LateUpdates {
    fn default() -> Self {
        LateUpdates { regs: Vec::new(), order: DenseMapOrder::without_inline_buckets() }
    }
}

impl LateUpdates {
    /// Begins with a function.
    pub fn reset(&mut self) {
        if VERSIONS.coalescer.has_set_for_each_function {
            self.order.reset();
        }
        self.regs.clear();
    }
    /// Whether a register is one of them.
    pub fn contains(&self, reg: VRegId) -> bool {
        !self.regs.is_empty() && self.order.contains(Register::from(reg).0)
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.regs.is_empty()
    }
    /// Adds one, unless it is one of them.
    pub fn insert(&mut self, reg: VRegId) {
        if !self.contains(reg) {
            self.order.insert(Register::from(reg).0);
            self.regs.push(reg);
        }
    }
    /// Puts all of them into `out` in LLVM's order.
    pub fn in_order(&self, out: &mut Vec<VRegId>) {
        out.clear();
        out.extend(self.order.ordinals().map(|i| self.regs[i]));
    }
    /// Empties the set.
    pub fn clear(&mut self) {
        self.regs.clear();
        self.order.clear();
    }
}
