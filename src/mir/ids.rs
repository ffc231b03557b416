//! The numbers of a function's entities: blocks, instructions, virtual registers.
//!
//! Each number is a `u32` of its own type and indexes an [`IndexVec`](index_vec::IndexVec) of that
//! type, so that a block is never taken for an instruction. A number that may be absent is a
//! [`PackedOption`](crate::adt::PackedOption) where many are kept, and an `Option` elsewhere.

use super::operand::{Kind, Operand};
use super::register::Register;
use std::fmt;

index_vec::define_index_type! {
    /// The position of a block in layout order.
    pub struct BlockId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "bb{}";
}

index_vec::define_index_type! {
    /// LLVM's number of a block (`MachineBasicBlock::getNumber`). It is not a position: numbers
    /// have gaps, and a block keeps its number when others come and go.
    pub struct BlockNumber = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DISPLAY_FORMAT = "bb.{}";
}

index_vec::define_index_type! {
    /// The position of an instruction in its function, not counting debug instructions.
    pub struct InstrId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "instr{}";
}

index_vec::define_index_type! {
    /// The index of a virtual register.
    pub struct VRegId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "%{}";
    DISPLAY_FORMAT = "%{}";
}

index_vec::define_index_type! {
    /// The target's number of a register unit, the smallest part that physical registers share.
    pub struct RegUnit = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "unit{}";
}

index_vec::define_index_type! {
    /// The target's number of a register class.
    pub struct RegClassId = u32;
    DISABLE_MAX_INDEX_CHECK = cfg!(not(debug_assertions));
    DEBUG_FORMAT = "class{}";
}

impl From<VRegId> for Register {
    fn from(id: VRegId) -> Register {
        Register::virt(id.raw())
    }
}

/// `%5` for a virtual register, `$5` for a physical one.
impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.vreg() {
            Some(reg) => write!(f, "{reg}"),
            None => write!(f, "${}", self.0),
        }
    }
}

impl Register {
    /// Returns the number of a virtual register; `None` for a physical one and for no register.
    pub fn vreg(self) -> Option<VRegId> {
        self.is_virtual().then(|| VRegId::from_usize(self.virt_index()))
    }
}

impl Operand {
    /// Returns the virtual register of a register operand; `None` for any other operand.
    pub fn vreg(self) -> Option<VRegId> {
        self.is_reg().then(|| self.reg().vreg()).flatten()
    }
    /// The number of the block that a block operand names.
    pub fn block_number(self) -> BlockNumber {
        debug_assert!(self.kind() == Kind::Other);
        BlockNumber::from_raw((self.0 >> Self::VALUE_SHIFT) as u32)
    }
}

/// Lists the virtual registers that the operands read, in order, with repetitions.
pub fn virtual_reads(operands: &[Operand]) -> impl Iterator<Item = VRegId> + Clone + '_ {
    operands.iter().filter(|o| o.is_use()).filter_map(|o| o.vreg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_its_index_and_back() {
        let id = VRegId::new(7);
        assert_eq!(Register::from(id).vreg(), Some(id));
        assert_eq!((Register(7).vreg(), Register::NONE.vreg()), (None, None));
    }
}
