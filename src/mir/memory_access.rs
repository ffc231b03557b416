//! A memory operand of an instruction (`MachineMemOperand.h`).

use super::address_space::AddressSpace;
use super::records::PtxMemOperand as MemOperand;

/// The memory access of an instruction, as described by one of its memory operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    /// How many bytes; `None` if unknown or scalable.
    pub size: Option<u64>,
    /// What the address is a multiple of.
    pub alignment: u64,
    /// The number of the address space; [`MemoryAccess::space`] has its name.
    pub address_space: u32,
    /// It reads.
    pub is_load: bool,
    /// It writes.
    pub is_store: bool,
    /// It is volatile.
    pub is_volatile: bool,
    /// It is atomic, with any ordering.
    pub is_atomic: bool,
    /// The memory never changes.
    pub is_invariant: bool,
}

impl MemoryAccess {
    /// Returns the address space.
    pub fn space(&self) -> AddressSpace {
        AddressSpace::from_number(self.address_space)
    }
}

impl MemOperand {
    /// Returns the address space.
    pub fn space(&self) -> AddressSpace {
        AddressSpace::from_number(self.address_space)
    }
}
