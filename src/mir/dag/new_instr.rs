//! Instructions to be made.

pub use super::records::{PtxNewOperand as NewOperand, PtxTie as Tie};

use super::ids::NodeHandle;
use crate::mir::Register;

/// Kinds of a [`NewOperand`]. Leaves of [`super::operand::kind`] keep their number.
pub mod new {
    pub use super::super::records::{
        PTX_NEW_ASM_STRING as ASM_STRING, PTX_NEW_CONST_FP as CONST_FP,
        PTX_NEW_CONST_WIDE_INT as CONST_WIDE_INT, PTX_NEW_DBG_INSTR_REF as DBG_INSTR_REF,
        PTX_NEW_FRAME_INDEX as FRAME_INDEX, PTX_NEW_FUNCTION as FUNCTION, PTX_NEW_IMM as IMM,
        PTX_NEW_LABEL as LABEL, PTX_NEW_METADATA as METADATA, PTX_NEW_PROBE as PROBE, PTX_NEW_REG as REG,
    };
}

/// Flags of a register operand.
pub mod reg_flag {
    pub use super::super::records::{
        PTX_REG_DEAD as DEAD, PTX_REG_DEBUG as DEBUG, PTX_REG_DEFINE as DEFINE,
        PTX_REG_EARLY_CLOBBER as EARLY_CLOBBER, PTX_REG_IMPLICIT as IMPLICIT, PTX_REG_KILL as KILL,
    };
}

impl NewOperand {
    /// A register.
    pub const fn reg(reg: Register, flags: u32) -> NewOperand {
        NewOperand { kind: new::REG, flags, reg, subreg: 0, payload: 0 }
    }
    /// Part of a register, read.
    pub fn subreg(reg: Register, subreg: u32) -> NewOperand {
        NewOperand { kind: new::REG, flags: 0, reg, subreg, payload: 0 }
    }
    /// An immediate.
    pub fn imm(value: i64) -> NewOperand {
        NewOperand::of(new::IMM, value as u64)
    }
    /// An operand that is made from LLVM's node or constant.
    pub fn of(kind: u32, payload: u64) -> NewOperand {
        NewOperand { kind, flags: 0, reg: Register::NONE, subreg: 0, payload }
    }
    /// Whether it is an implicit register.
    pub fn is_implicit_reg(self) -> bool {
        self.kind == new::REG && self.flags & reg_flag::IMPLICIT != 0
    }
    /// The register that it defines.
    pub fn as_def(self) -> Option<Register> {
        (self.kind == new::REG && self.flags & reg_flag::DEFINE != 0).then_some(self.reg)
    }
    /// The register that it reads.
    pub fn as_use(self) -> Option<Register> {
        (self.kind == new::REG && self.flags & reg_flag::DEFINE == 0).then_some(self.reg)
    }
}

/// An instruction to be made.
#[derive(Clone, Copy)]
pub struct NewInstr<'a> {
    /// The target's opcode.
    pub opcode: u32,
    /// Flags of the instruction.
    pub mi_flags: u32,
    /// The node whose debug location it gets.
    pub location: NodeHandle,
    /// The node whose memory operands and CFI type it gets.
    pub machine: NodeHandle,
    /// In order. LLVM adds the implicit operands of the opcode.
    pub operands: &'a [NewOperand],
    /// Ties between operands of inline assembly.
    pub ties: &'a [Tie],
}
