//! What the emitter asks of LLVM, and what it has it do. Unit tests bring a host of their own.

use super::dag::{ClassId, NodeHandle};
use super::live_out::Ir;
use crate::mir::Register;
use std::borrow::Cow;

/// What an operand of a new instruction is; leaves of [`super::dag::operand`] keep their number.
pub mod new {
    #![allow(missing_docs)]
    pub const REG: u32 = 0;
    pub const IMM: u32 = 1;
    pub const METADATA: u32 = 3;
    pub const ASM_STRING: u32 = 32;
    pub const LABEL: u32 = 33;
    pub const PROBE: u32 = 34;
    pub const FUNCTION: u32 = 35;
    pub const FRAME_INDEX: u32 = 36;
    pub const CONST_WIDE_INT: u32 = 37;
    pub const CONST_FP: u32 = 38;
    pub const DBG_INSTR_REF: u32 = 39;
}

/// Flags of a register operand.
pub mod reg_flag {
    #![allow(missing_docs)]
    pub const DEFINE: u32 = 1;
    pub const IMPLICIT: u32 = 1 << 1;
    pub const KILL: u32 = 1 << 2;
    pub const EARLY_CLOBBER: u32 = 1 << 3;
    pub const DEBUG: u32 = 1 << 4;
}

/// An operand of a new instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct NewOperand {
    /// See [`new`].
    pub kind: u32,
    /// See [`reg_flag`].
    pub flags: u32,
    /// The register.
    pub reg: Register,
    /// Which part of it.
    pub subreg: u32,
    /// An immediate or a handle.
    pub payload: u64,
}

impl NewOperand {
    /// A register.
    pub fn reg(reg: Register, flags: u32) -> NewOperand {
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
    /// One that LLVM's node or constant makes.
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

/// Operands, by index, that must be the same register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Tie {
    /// The def.
    pub def: u32,
    /// The use.
    pub used: u32,
}

/// A new instruction.
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
    /// In order; those that the opcode implies are LLVM's to add.
    pub operands: &'a [NewOperand],
    /// Of inline assembly.
    pub ties: &'a [Tie],
}

/// Target-independent opcodes; [`super::dag::NONE`] where LLVM has none.
#[derive(Clone, Copy, Default, Debug)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Opcodes {
    pub copy: u32,
    pub implicit_def: u32,
    pub extract_subreg: u32,
    pub insert_subreg: u32,
    pub subreg_to_reg: u32,
    pub copy_to_regclass: u32,
    pub reg_sequence: u32,
    pub stackmap: u32,
    pub patchpoint: u32,
    pub statepoint: u32,
    pub eh_label: u32,
    pub annotation_label: u32,
    pub lifetime_start: u32,
    pub lifetime_end: u32,
    pub pseudo_probe: u32,
    pub inlineasm: u32,
    pub inlineasm_br: u32,
    pub dbg_value: u32,
    pub dbg_value_list: u32,
    pub dbg_instr_ref: u32,
    pub convergencectrl_anchor: u32,
    pub convergencectrl_entry: u32,
    pub convergencectrl_loop: u32,
    pub convergencectrl_glue: u32,
    /// The flag of an unpredictable instruction.
    pub mi_unpredictable: u32,
}

/// What LLVM's description of an opcode says.
#[derive(Clone, Copy, Default)]
pub struct DescFacts<'a> {
    /// Explicit results.
    pub num_defs: u32,
    /// See [`super::target::Desc`].
    pub flags: u32,
    /// Physical registers that it defines.
    pub implicit_defs: &'a [u16],
    /// Physical registers that it reads.
    pub implicit_uses: &'a [u16],
}

/// What the description says of one operand.
#[derive(Clone, Copy)]
pub struct DescOperand {
    /// The class that it must be of.
    pub class: Option<ClassId>,
    /// A def that is optional.
    pub is_optional_def: bool,
    /// A use that is tied to a def.
    pub is_tied: bool,
}

/// What a class is.
#[derive(Clone)]
pub struct ClassFacts<'a> {
    /// How many registers it has.
    pub num_regs: u32,
    /// See [`super::classes::Class`].
    pub flags: u32,
    /// A bit for each class that is part of it, itself too.
    pub sub_classes: &'a [u32],
    /// Size of a register.
    pub bits: u32,
    /// LLVM's name.
    pub name: Cow<'a, str>,
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

/// Which expression a debug instruction gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expression {
    /// That of the debug value.
    Own,
    /// This one of LLVM's.
    Given(usize),
    /// That of a value that is nowhere.
    Undef,
    /// That of the value, for a list of locations.
    InstrRef,
}

/// A debug instruction.
#[derive(Clone, Copy)]
pub struct NewDbg<'a> {
    /// The debug value.
    pub value: usize,
    /// DBG_VALUE, DBG_VALUE_LIST or DBG_INSTR_REF.
    pub opcode: u32,
    /// Its expression.
    pub expression: Expression,
    /// Of a DBG_VALUE.
    pub indirect: bool,
    /// Its locations.
    pub operands: &'a [NewOperand],
}

/// LLVM, or a test's stand-in.
#[allow(clippy::missing_errors_doc)]
pub trait Host {
    /// A machine instruction.
    type Instr: Copy + PartialEq;

    /// Target-independent opcodes.
    fn opcodes(&self) -> Opcodes;
    /// How many register classes there are.
    fn num_classes(&self) -> u32;
    /// A register class.
    fn class(&self, id: ClassId) -> ClassFacts<'_>;
    /// `getRegClassFor`; none if the type is not legal.
    fn class_for_type(&self, ty: u16, divergent: bool) -> Option<ClassId>;
    /// The same of a type that need not be legal, for a value that must be in a register: ARM has classes for rows of
    /// vector registers.
    fn class_for_any_type(&self, ty: u16, divergent: bool) -> Option<ClassId>;
    /// `getMinimalPhysRegClass`
    fn minimal_phys_class(&self, reg: Register, ty: u16) -> ClassId;
    /// `getSubClassWithSubReg`
    fn sub_class_with_subreg(&self, class: ClassId, subreg: u32) -> Option<ClassId>;
    /// `getMatchingSuperRegClass`
    fn matching_super_class(&self, class: ClassId, sub: ClassId, subreg: u32) -> Option<ClassId>;
    /// `getSubReg`
    fn subreg_of(&self, reg: Register, subreg: u32) -> Register;
    /// Whether `sub` is part of `reg`.
    fn is_subreg(&self, reg: Register, sub: Register) -> bool;
    /// Whether two registers are the same or share a part.
    fn regs_overlap(&self, a: Register, b: Register) -> bool;
    /// Registers that control rounding.
    fn rounding_regs(&self) -> Vec<Register>;
    /// The description of an opcode; appends its explicit operands, results too.
    fn desc(&self, opcode: u32, operands: &mut Vec<DescOperand>) -> DescFacts<'_>;
    /// Whether an opcode begins or ends what belongs to one call.
    fn is_call_sequence(&self, opcode: u32) -> bool;

    /// Appends the nodes that use `node`, as often as they do, in the order of LLVM's list.
    fn users(&self, node: NodeHandle, out: &mut Vec<u32>);
    /// Where the values of the function are read that live across blocks.
    fn ir(&self) -> Ir<'_>;
    /// The IR block that the block belongs to, of the function that [`Host::ir`] has read.
    fn ir_block(&self) -> Option<u32>;
    /// How many virtual registers there are.
    fn num_virt_regs(&self) -> usize;
    /// Whether a virtual register has an operand other than its def, of a debug instruction maybe.
    fn is_read(&self, reg: Register) -> bool;
    /// Takes an instruction out of its block and frees it.
    fn erase(&self, mi: Self::Instr);
    /// The class of a virtual register.
    fn class_of(&self, reg: Register) -> ClassId;
    /// Whether the def of `reg` is a sign or zero extension that the target sees through: the register that it
    /// extends and the part of `reg` that has it.
    fn coalescable_ext(&self, reg: Register) -> Option<(Register, u32)>;

    /// A new virtual register.
    fn new_reg(&self, class: ClassId) -> Register;
    /// Changes the class of a virtual register.
    fn set_class(&self, reg: Register, class: ClassId);
    /// Takes away all kill flags of a register.
    fn clear_kills(&self, reg: Register);
    /// Makes an instruction and inserts it where the block goes on.
    fn emit(&self, instr: &NewInstr) -> Self::Instr;
    /// Inserts the target's no-operation.
    fn emit_noop(&self);
    /// `setPhysRegsDeadExcept`
    fn set_dead_except(&self, mi: Self::Instr, used: &[Register]);
    /// Appends an implicit use.
    fn add_implicit_use(&self, mi: Self::Instr, reg: Register);
    /// The target's hook, and what is the node's first instruction then.
    fn post_isel_hook(&self, mi: Self::Instr, first: Self::Instr, node: NodeHandle) -> Self::Instr;

    /// A call of the kind that debug information describes.
    fn is_call_site(&self, mi: Self::Instr) -> bool;
    /// Its arguments become known.
    fn add_call_site_info(&self, mi: Self::Instr, node: NodeHandle);
    /// The function that it calls becomes known.
    fn add_called_global(&self, mi: Self::Instr, node: NodeHandle);
    /// It is not to be merged with others.
    fn set_no_merge(&self, mi: Self::Instr);
    /// It gets the node's PC sections.
    fn set_pc_sections(&self, mi: Self::Instr, node: NodeHandle);
    /// All from `first` on get the node's memory-model annotations.
    fn set_mmra(&self, first: Self::Instr, node: NodeHandle);
    /// If it is a call, it gets the node's heap allocation.
    fn set_heap_alloc(&self, mi: Self::Instr, node: NodeHandle);

    /// What a constant is.
    fn dbg_constant(&self, constant: u64) -> DbgConstant;
    /// The constant of a debug value of one location, folded with its expression, which comes too.
    fn dbg_fold_constant(&self, value: usize) -> (DbgConstant, Expression);
    /// The one instruction that defines `reg`, and its operand.
    fn only_def(&self, reg: Register) -> Option<(Self::Instr, u32)>;
    /// Whether it moves a value and makes none.
    fn is_copy(&self, mi: Self::Instr) -> bool;
    /// Its number for debug values, a new one if it has none.
    fn debug_number(&self, mi: Self::Instr) -> u32;
    /// Makes a debug instruction that is in no block yet.
    fn build_dbg(&self, dbg: &NewDbg) -> Self::Instr;
    /// The same of a label.
    fn build_dbg_label(&self, label: usize) -> Self::Instr;
    /// Inserts it before another, in the block of that one.
    fn insert_before(&self, mi: Self::Instr, before: Self::Instr);
    /// Inserts it where the block goes on.
    fn insert(&self, mi: Self::Instr);
    /// Inserts it at the end of the block.
    fn append(&self, mi: Self::Instr);
    /// The block's first instruction behind PHIs.
    fn first_non_phi(&self) -> Option<Self::Instr>;
    /// The block's first terminator.
    fn first_terminator(&self) -> Option<Self::Instr>;
    /// The instruction that the block goes on before.
    fn insert_point(&self) -> Option<Self::Instr>;
    /// The next one of the block.
    fn next(&self, mi: Self::Instr) -> Option<Self::Instr>;
    /// DBG_VALUE and DBG_VALUE_LIST.
    fn is_debug_value(&self, mi: Self::Instr) -> bool;
    /// A debug value loses its location and goes before another instruction.
    fn drop_location(&self, mi: Self::Instr, before: Self::Instr);
}
