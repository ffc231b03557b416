//! The two registers of a copy, and whether another copy is one between them (`CoalescerPair`).
//!
//! **Source.** `CoalescerPair` of `RegisterCoalescer.cpp`, for copies of whole virtual registers.

use super::host::CoalescerHost;
use super::Coalescing;
use crate::mir::Register;
use crate::versions::VERSIONS;

/// `src` is to become `dst`.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The register that goes.
    pub src: u32,
    /// The register that stays.
    pub dst: u32,
    /// The copy goes from `dst` to `src`.
    pub flipped: bool,
    /// The class of the joined register.
    pub new_class: u32,
    /// It is not that of both.
    pub cross_class: bool,
}

impl Pair {
    /// Makes the other register the one that goes.
    pub fn flip(&mut self) {
        std::mem::swap(&mut self.src, &mut self.dst);
        self.flipped = !self.flipped;
    }
    /// The register that the copy reads.
    pub fn copied(&self) -> u32 {
        if self.flipped {
            self.dst
        } else {
            self.src
        }
    }
    /// The register that the copy defines.
    pub fn defined(&self) -> u32 {
        if self.flipped {
            self.src
        } else {
            self.dst
        }
    }
}

impl<H: CoalescerHost> Coalescing<'_, H> {
    /// The pair of a copy (`setRegisters`), if its classes allow it and the target too.
    pub fn pair_of(&mut self, copy: u32) -> Option<Pair> {
        let (dst, src) = self.code.copy_regs(copy);
        let (dst, src) = (dst.virt_index() as u32, src.virt_index() as u32);
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
        let cross_class = new_class != dst_class || new_class != src_class;
        Some(Pair { src, dst, flipped: false, new_class, cross_class })
    }

    /// Whether `instr` is a copy between the two registers, in either direction (`isCoalescable`).
    pub fn is_coalescable(&self, pair: &Pair, instr: u32) -> bool {
        if !self.code.is_copy(instr) {
            return false;
        }
        let regs = self.code.copy_regs(instr);
        let (src, dst) = (Register::virt(pair.src), Register::virt(pair.dst));
        regs == (src, dst) || regs == (dst, src)
    }
}
