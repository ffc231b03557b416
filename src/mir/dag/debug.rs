//! Debug values of a block, and the debug instructions made from them.

pub use super::records::{PtxDagDbgOf as DbgOf, PtxDagDbgOperand as DbgOperand, PtxDagDbgValue as DbgValue};

use super::ids::{DbgValueId, MetadataHandle, ValueId};
use super::new_instr::NewOperand;
use super::records::{
    PTX_DBG_BYVAL, PTX_DBG_EMITTED, PTX_DBG_INDIRECT, PTX_DBG_INVALIDATED, PTX_DBG_OPERAND_CONSTANT,
    PTX_DBG_OPERAND_FRAME_INDEX, PTX_DBG_OPERAND_NODE, PTX_DBG_OPERAND_UNSCHEDULED, PTX_DBG_OPERAND_VREG,
    PTX_DBG_VARIADIC,
};
use crate::mir::Register;

impl DbgValue {
    /// Whether its location is the address of the value.
    pub fn is_indirect(self) -> bool {
        self.flags & PTX_DBG_INDIRECT != 0
    }
    /// Whether it has a list of locations.
    pub fn is_variadic(self) -> bool {
        self.flags & PTX_DBG_VARIADIC != 0
    }
    /// Whether its node was deleted.
    pub fn is_invalidated(self) -> bool {
        self.flags & PTX_DBG_INVALIDATED != 0
    }
    /// Whether it has been emitted already, or need not be.
    pub fn is_emitted(self) -> bool {
        self.flags & PTX_DBG_EMITTED != 0
    }
    /// Whether it describes a by-value parameter.
    pub fn is_byval(self) -> bool {
        self.flags & PTX_DBG_BYVAL != 0
    }
}

/// A location of a debug value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DbgLocation {
    /// A result of the block.
    Value(ValueId),
    /// A node that is not scheduled, so the value is lost.
    Unscheduled,
    /// A constant of LLVM's.
    Constant(u64),
    /// A stack slot.
    FrameIndex(u64),
    /// A virtual register.
    Register(Register),
}

impl DbgOperand {
    /// Decodes it.
    ///
    /// # Panics
    /// If the shim passes a kind that it does not declare.
    pub fn location(self) -> DbgLocation {
        match self.kind {
            PTX_DBG_OPERAND_NODE => DbgLocation::Value(ValueId::from_raw(self.payload as u32)),
            PTX_DBG_OPERAND_UNSCHEDULED => DbgLocation::Unscheduled,
            PTX_DBG_OPERAND_CONSTANT => DbgLocation::Constant(self.payload),
            PTX_DBG_OPERAND_FRAME_INDEX => DbgLocation::FrameIndex(self.payload),
            PTX_DBG_OPERAND_VREG => DbgLocation::Register(Register(self.payload as u32)),
            kind => panic!("unknown kind {kind} of debug location"),
        }
    }
}

/// A constant as the location of a debug value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DbgConstant {
    /// Up to 64 bits wide: sign-extended, and the width.
    Int(i64, u32),
    /// Wider.
    WideInt(u64),
    /// Floating point.
    Fp(u64),
    /// A null pointer.
    NullPointer,
    /// None of these.
    Other,
}

/// The expression of a debug instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expression {
    /// The expression of the debug value.
    OfValue,
    /// This expression, an `MDNode` of LLVM's.
    Given(MetadataHandle),
    /// The expression of a value that has no location.
    Undef,
    /// The value's expression, rewritten for a list of locations; dereferenced first if the value
    /// is indirect.
    InstrRef {
        /// Dereference it.
        deref: bool,
        /// Rewrite an expression of one location as one of a list.
        to_variadic: bool,
    },
}

/// A debug instruction to be made.
#[derive(Clone, Copy)]
pub struct NewDbg<'a> {
    /// The debug value.
    pub value: DbgValueId,
    /// DBG_VALUE, DBG_VALUE_LIST or DBG_INSTR_REF.
    pub opcode: u32,
    /// Its expression.
    pub expression: Expression,
    /// Whether a DBG_VALUE is indirect.
    pub indirect: bool,
    /// Its locations.
    pub operands: &'a [NewOperand],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_decoded() {
        let location = |kind| DbgOperand { kind, padding: 0, payload: 7 }.location();
        assert_eq!(location(PTX_DBG_OPERAND_NODE), DbgLocation::Value(ValueId::new(7)));
        assert_eq!(location(PTX_DBG_OPERAND_UNSCHEDULED), DbgLocation::Unscheduled);
        assert_eq!(location(PTX_DBG_OPERAND_VREG), DbgLocation::Register(Register(7)));
    }

    #[test]
    #[should_panic(expected = "unknown kind 9 of debug location")]
    fn an_undeclared_kind_is_fatal() {
        let _ = DbgOperand { kind: 9, padding: 0, payload: 0 }.location();
    }
}
