//! The vocabulary of machine code that needs no LLVM: registers and packed operands.
//!
//! Names and meanings are LLVM's (`Register.h`, `MachineOperand.h`); an operand travels over the
//! boundary as one `u64` so that reading an instruction is one call and no layout of an LLVM class
//! is known here.

mod function;
mod ids;
mod inline_asm;
mod kind;
mod operand;
#[cfg(any(test, fuzzing))]
pub(crate) mod testing;

pub use function::{Code, FunctionFacts, FunctionShape, InstrRun, NO_BLOCK};
pub use ids::{virtual_reads, BlockId, InstrId, RegClassId, VRegId};
pub use inline_asm::for_each_tied_use;
pub use kind::InstrKind;
pub use operand::{Kind, Operand};

/// A virtual or physical register, LLVM's own number: bit 31 set means virtual, 0 means none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct Register(pub u32);

impl Register {
    /// No register.
    pub const NONE: Register = Register(0);
    const VIRTUAL: u32 = 1 << 31;

    /// The virtual register with this index.
    pub const fn virt(index: u32) -> Register {
        Register(index | Self::VIRTUAL)
    }
    /// Whether there is a register at all.
    pub const fn is_valid(self) -> bool {
        self.0 != 0
    }
    /// Whether it is a virtual register.
    pub const fn is_virtual(self) -> bool {
        self.0 & Self::VIRTUAL != 0
    }
    /// Whether it is a physical register.
    pub const fn is_physical(self) -> bool {
        self.is_valid() && !self.is_virtual()
    }
    /// Dense index of a virtual register, from 0.
    pub const fn virt_index(self) -> usize {
        debug_assert!(self.is_virtual());
        (self.0 & !Self::VIRTUAL) as usize
    }
}
