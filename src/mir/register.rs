//! Registers, numbered as in LLVM.

/// A virtual or physical register, by LLVM's number: bit 31 marks a virtual one, and 0 means no
/// register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Register(pub u32);

impl Register {
    /// No register.
    pub const NONE: Register = Register(0);
    const VIRTUAL: u32 = 1 << 31;

    /// Returns the virtual register with this index.
    pub const fn virt(index: u32) -> Register {
        Register(index | Self::VIRTUAL)
    }
    /// Returns whether there is a register at all.
    pub const fn is_valid(self) -> bool {
        self.0 != 0
    }
    /// Returns whether it is a virtual register.
    pub const fn is_virtual(self) -> bool {
        self.0 & Self::VIRTUAL != 0
    }
    /// Returns whether it is a physical register.
    pub const fn is_physical(self) -> bool {
        self.is_valid() && !self.is_virtual()
    }
    /// Returns the index of a virtual register, from 0.
    pub const fn virt_index(self) -> usize {
        debug_assert!(self.is_virtual());
        (self.0 & !Self::VIRTUAL) as usize
    }
}
