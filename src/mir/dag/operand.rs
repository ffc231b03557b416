//! Operands and results of nodes.

pub use super::records::{PtxDagOperand as Operand, PtxDagValue as Value};

use super::ids::ValueId;
use super::records::{PTX_OPERAND_DIVERGENT, PTX_TYPE_CHAIN, PTX_TYPE_GLUE, PTX_VALUE_USE};
use crate::mir::Register;

/// Kinds of an [`Operand`].
pub mod kind {
    pub use super::super::records::{
        PTX_SD_CONSTANT as CONSTANT, PTX_SD_FRAME_INDEX as FRAME_INDEX,
        PTX_SD_GLOBAL_ADDRESS as GLOBAL_ADDRESS, PTX_SD_LEAF as LEAF, PTX_SD_LONG_CONSTANT as LONG_CONSTANT,
        PTX_SD_METADATA as METADATA, PTX_SD_NODE as NODE, PTX_SD_OTHER as OTHER, PTX_SD_REGISTER as REGISTER,
    };
}

impl Value {
    /// Whether it is glue.
    pub fn is_glue(self) -> bool {
        self.flags & PTX_TYPE_GLUE != 0
    }
    /// Whether it is a chain.
    pub fn is_chain(self) -> bool {
        self.flags & PTX_TYPE_CHAIN != 0
    }
    /// Whether exactly one operand of the block uses it. Uses are counted only for nodes that have
    /// a register result.
    pub fn has_one_use(self) -> bool {
        self.flags / PTX_VALUE_USE == 1
    }
    /// Whether any operand uses it.
    pub fn has_use(self) -> bool {
        self.flags >= PTX_VALUE_USE
    }
}

impl Operand {
    fn has_type(self, ty: u16) -> bool {
        matches!(self.kind, kind::NODE | kind::OTHER) && self.info & ty != 0
    }
    /// Whether it is glue.
    pub fn is_glue(self) -> bool {
        self.has_type(PTX_TYPE_GLUE)
    }
    /// Whether it is a chain, or a basic block as the last operand.
    pub fn is_chain(self) -> bool {
        self.has_type(PTX_TYPE_CHAIN)
    }
    /// LLVM's number of the type of a register.
    pub fn register_type(self) -> u16 {
        self.info & !PTX_OPERAND_DIVERGENT
    }
    /// Whether it is a register that differs from thread to thread.
    pub fn is_divergent(self) -> bool {
        self.info & PTX_OPERAND_DIVERGENT != 0
    }
    /// The result, if the operand is one.
    pub fn as_value(self) -> Option<ValueId> {
        (self.kind == kind::NODE).then(|| ValueId::from_raw(self.payload))
    }
    /// The register, if the operand names one.
    pub fn as_register(self) -> Option<Register> {
        (self.kind == kind::REGISTER).then_some(Register(self.payload))
    }
    /// Whether it is the result `value`.
    pub fn is_value(self, value: ValueId) -> bool {
        self.as_value() == Some(value)
    }
    /// A constant of at most 32 bits, sign-extended.
    pub fn as_constant(self) -> Option<i64> {
        (self.kind == kind::CONSTANT).then_some(i64::from(self.payload as i32))
    }
}
