//! Describes the two registers of a copy that may become one (`CoalescerPair`).
//!
//! **Source.** `CoalescerPair` of `RegisterCoalescer.cpp`, for copies of whole virtual registers.

use super::host::CoalescerHost;
use super::state::Coalescing;
use crate::mir::{InstrId, RegClassId, VRegId};
use crate::versions::VERSIONS;

/// Two registers: `src` would become `dst`.
#[derive(Clone, Copy, Debug)]
pub struct CoalescerPair {
    /// The register that goes.
    pub src: VRegId,
    /// The register that stays.
    pub dst: VRegId,
    /// Whether the copy goes from `dst` to `src`.
    pub is_flipped: bool,
    /// The class of the joined register.
    pub new_class: RegClassId,
    /// Whether one of the two has another class than the joined register.
    pub is_cross_class: bool,
}

impl CoalescerPair {
    /// Exchanges the register that goes and the one that stays (`flip`).
    pub fn flip(&mut self) {
        std::mem::swap(&mut self.src, &mut self.dst);
        self.is_flipped = !self.is_flipped;
    }
    /// The register that the copy reads.
    pub fn copied(&self) -> VRegId {
        if self.is_flipped {
            self.dst
        } else {
            self.src
        }
    }
    /// The register that the copy defines.
    pub fn defined(&self) -> VRegId {
        if self.is_flipped {
            self.src
        } else {
            self.dst
        }
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// Makes the pair of a copy of virtual registers, if their classes and the target allow one
    /// (`setRegisters`).
    pub fn pair_of(&mut self, copy: InstrId, dst: VRegId, src: VRegId) -> Option<CoalescerPair> {
        let (dst_class, src_class) = (self.class(dst), self.class(src));
        let new_class = if dst_class == src_class {
            dst_class
        } else {
            self.host.common_sub_class(dst_class, src_class)?
        };
        if VERSIONS.coalescer.needs_allocatable_class && self.host.class_info(new_class).num_allocatable == 0
        {
            return None;
        }
        if !self.host.should_coalesce(copy, src_class, dst_class, new_class) {
            return None;
        }
        let is_cross_class = new_class != dst_class || new_class != src_class;
        Some(CoalescerPair { src, dst, is_flipped: false, new_class, is_cross_class })
    }

    /// Whether `instr` is a copy between the two registers, in either direction (`isCoalescable`).
    pub fn is_coalescable(&self, pair: &CoalescerPair, instr: InstrId) -> bool {
        if !self.code.is_copy(instr) {
            return false;
        }
        let regs = self.code.copy_regs(instr);
        let (src, dst) = (pair.src.into(), pair.dst.into());
        regs == (src, dst) || regs == (dst, src)
    }
}
