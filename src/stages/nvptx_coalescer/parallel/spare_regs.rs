//! Finds registers for temporaries and separate defs: unnamed ones that the coalescers left, or new
//! ones.

use crate::mir::{RegClassId, VRegId};
use crate::passes::coalescer::host::CoalescerHost;
use crate::passes::coalescer::Coalescing;
use index_vec::IndexVec;

/// The unnamed registers.
#[derive(Default)]
pub struct SpareRegs {
    /// The number of registers that the function had at first.
    num_old: usize,
    /// By class: the registers below this one have been searched.
    searched: IndexVec<RegClassId, VRegId>,
    /// Whether every operand has been updated to its present register.
    is_settled: bool,
}

impl SpareRegs {
    /// Begins with a function.
    pub fn begin<H: CoalescerHost>(&mut self, c: &Coalescing<'_, H>) {
        self.num_old = c.code.num_regs();
        self.searched.clear();
        self.is_settled = false;
    }

    /// Returns a register of the class of `of` that no operand names.
    pub fn take<H: CoalescerHost>(&mut self, c: &mut Coalescing<'_, H>, of: VRegId) -> VRegId {
        let class = c.class(of);
        if !std::mem::replace(&mut self.is_settled, true) {
            c.code.settle();
        }
        if class >= self.searched.len_idx() {
            self.searched.resize(class.index() + 1, VRegId::new(0));
        }
        let next = &mut self.searched[class];
        while next.index() < self.num_old {
            let reg = *next;
            *next += 1;
            if c.is_spare(reg) && c.class(reg) == class {
                return reg;
            }
        }
        c.clone_reg(of)
    }
}
