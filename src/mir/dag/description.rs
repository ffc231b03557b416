//! The target's description of its opcodes and register classes.

pub use super::records::{PtxDescOperand as DescOperand, PtxTargetOpcodes as TargetOpcodes};

use super::ids::ClassId;
use super::records::{PTX_DESC_OPERAND_OPTIONAL_DEF, PTX_DESC_OPERAND_TIED};
use crate::adt::PackedOption;
use std::borrow::Cow;

/// Flags of [`ClassFacts`].
pub mod class_flag {
    pub use super::super::records::{
        PTX_CLASS_ALLOCATABLE as ALLOCATABLE, PTX_CLASS_COPY_IMPOSSIBLE as COPY_IMPOSSIBLE,
        PTX_CLASS_DIVERGENT as DIVERGENT,
    };
}

/// Flags of [`DescFacts`].
pub mod desc_flag {
    pub use super::super::records::{
        PTX_DESC_AS_CHEAP_AS_A_MOVE as AS_CHEAP_AS_A_MOVE, PTX_DESC_CALL as CALL,
        PTX_DESC_OPTIONAL_DEF as OPTIONAL_DEF, PTX_DESC_POST_ISEL_HOOK as POST_ISEL_HOOK,
        PTX_DESC_REMATERIALIZABLE as REMATERIALIZABLE, PTX_DESC_VARIADIC as VARIADIC,
        PTX_DESC_VARIADIC_DEFS as VARIADIC_DEFS,
    };
}

/// A register class.
#[derive(Clone)]
pub struct ClassFacts<'a> {
    /// How many registers it has.
    pub num_regs: u32,
    /// See [`class_flag`].
    pub flags: u32,
    /// A bit for each class contained in this one, itself included.
    pub sub_classes: &'a [u32],
    /// Size of a register.
    pub bits: u32,
    /// LLVM's name.
    pub name: Cow<'a, str>,
}

/// The description of an opcode, without its operands.
#[derive(Clone, Copy, Default)]
pub struct DescFacts<'a> {
    /// How many explicit results.
    pub num_defs: u32,
    /// See [`desc_flag`].
    pub flags: u32,
    /// Physical registers that it defines.
    pub implicit_defs: &'a [u16],
    /// Physical registers that it reads.
    pub implicit_uses: &'a [u16],
}

impl DescOperand {
    /// An operand that is neither an optional def nor tied.
    pub fn plain(class: Option<ClassId>) -> DescOperand {
        DescOperand { reg_class: PackedOption::from(class), flags: 0 }
    }
    /// The same, tied to a def.
    pub fn tied(class: Option<ClassId>) -> DescOperand {
        DescOperand { flags: PTX_DESC_OPERAND_TIED, ..DescOperand::plain(class) }
    }
    /// Whether it is an optional def.
    pub fn is_optional_def(self) -> bool {
        self.flags & PTX_DESC_OPERAND_OPTIONAL_DEF != 0
    }
    /// Whether it is a use that is tied to a def.
    pub fn is_tied(self) -> bool {
        self.flags & PTX_DESC_OPERAND_TIED != 0
    }
}
