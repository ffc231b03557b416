//! Holds the registers of the classes, for PHI elimination.

use crate::mir::{BlockNumber, Register, VRegId};
use crate::passes::phi_elim::host::{PhiId, SharedRegisters};
use index_vec::IndexVec;
use std::ops::Range;

/// The registers of a function's classes.
#[derive(Default)]
pub struct SharedRegs {
    /// By PHI: the register of its class, if it has one.
    incoming: IndexVec<PhiId, Option<Register>>,
    /// The first register that was made.
    first: Option<VRegId>,
    /// By new register: the blocks that it is live into, as a range of `live_in`, ascending.
    live_in_rows: Vec<Range<usize>>,
    live_in: Vec<BlockNumber>,
}

impl SharedRegs {
    /// Begins with a function of this many PHIs, without classes.
    pub fn begin(&mut self, num_phis: usize) {
        self.incoming.clear();
        self.incoming.resize(num_phis, None);
        self.first = None;
        self.live_in_rows.clear();
        self.live_in.clear();
    }
    /// Adds the next new register, with the blocks that it is live into.
    pub fn push(&mut self, reg: VRegId, live_in: impl Iterator<Item = BlockNumber>) {
        self.first.get_or_insert(reg);
        let first = self.live_in.len();
        self.live_in.extend(live_in);
        self.live_in[first..].sort_unstable();
        self.live_in_rows.push(first..self.live_in.len());
    }
    /// Sets the register of a PHI's class. The PHI is given by its position in the function.
    pub fn set_incoming(&mut self, phi: usize, reg: Register) {
        self.incoming[phi] = Some(reg);
    }
}

impl SharedRegisters for SharedRegs {
    fn incoming(&self, phi: PhiId) -> Option<Register> {
        self.incoming.get(phi).copied().flatten()
    }
    fn live_in(&self, reg: Register) -> Option<&[BlockNumber]> {
        let position = reg.vreg()?.index().checked_sub(self.first?.index())?;
        Some(&self.live_in[self.live_in_rows.get(position)?.clone()])
    }
}
