//! Declares the interface through which the emitter reads the target and makes instructions.

use crate::adt::PackedOption;
use crate::mir::dag::debug::{DbgConstant, Expression, NewDbg};
use crate::mir::dag::description::{ClassFacts, DescFacts, DescOperand, TargetOpcodes};
use crate::mir::dag::ids::{ClassId, DbgValueId, IrBlockId, NodeHandle, NodeId};
use crate::mir::dag::ir::Ir;
use crate::mir::dag::new_instr::NewInstr;
use crate::mir::Register;
use std::borrow::Cow;

/// The host of the emitter: LLVM, or a stand-in in a unit test.
pub trait EmitterHost {
    /// A machine instruction.
    type Instr: Copy + PartialEq;

    /// Target-independent opcodes.
    fn opcodes(&self) -> TargetOpcodes;
    /// How many register classes there are.
    fn num_classes(&self) -> u32;
    /// A register class.
    fn class(&self, id: ClassId) -> ClassFacts<'_>;
    /// `getRegClassFor`; `None` if the type is not legal.
    fn class_for_type(&self, ty: u16, divergent: bool) -> Option<ClassId>;
    /// The same for a type that need not be legal, of a value that must be in a register: ARM has
    /// classes for rows of vector registers.
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
    /// The description of an opcode. Appends its explicit operands, results included.
    fn desc(&self, opcode: u32, operands: &mut Vec<DescOperand>) -> DescFacts<'_>;
    /// The opcodes of the pseudos that surround a call, as far as LLVM knows them.
    fn call_frame_opcodes(&self) -> [u32; 2];
    /// The name of an opcode.
    fn opcode_name(&self, opcode: u32) -> Cow<'_, str>;

    /// Appends the users of `node`, once for each use, in the order of LLVM's list; `NONE` for one
    /// that is not scheduled.
    fn users(&self, node: NodeHandle, out: &mut Vec<PackedOption<NodeId>>);
    /// The values of the function that live across blocks, and where they are read.
    fn ir(&self) -> Ir<'_>;
    /// The IR block that the block belongs to, of the function that [`EmitterHost::ir`] has read.
    fn ir_block(&self) -> Option<IrBlockId>;
    /// How many virtual registers there are.
    fn num_virt_regs(&self) -> usize;
    /// The class of a virtual register; `None` for a token, which has none.
    fn class_of(&self, reg: Register) -> Option<ClassId>;
    /// If the def of `reg` is a sign or zero extension that the target sees through: the register
    /// that it extends, and the sub-register index of that value in `reg`.
    fn coalescable_ext(&self, reg: Register) -> Option<(Register, u32)>;

    /// Makes a virtual register; a token has no class.
    fn new_reg(&self, class: Option<ClassId>) -> Register;
    /// Sets the class of a virtual register.
    fn set_class(&self, reg: Register, class: ClassId);
    /// Clears all kill flags of a register.
    fn clear_kills(&self, reg: Register);
    /// Makes an instruction and inserts it at the insertion point.
    fn emit(&self, instr: &NewInstr) -> Self::Instr;
    /// Inserts the target's no-operation.
    fn emit_noop(&self);
    /// `setPhysRegsDeadExcept`
    fn set_dead_except(&self, mi: Self::Instr, used: &[Register]);
    /// Appends an implicit use to an instruction.
    fn add_implicit_use(&self, mi: Self::Instr, reg: Register);
    /// Runs the target's hook (`AdjustInstrPostInstrSelection`). Returns the first instruction of
    /// the node, which the hook may have replaced.
    fn post_isel_hook(&self, mi: Self::Instr, first: Self::Instr, node: NodeHandle) -> Self::Instr;

    /// Whether it is a call of the kind that debug information describes.
    fn is_call_site(&self, mi: Self::Instr) -> bool;
    /// Records the arguments of a call.
    fn add_call_site_info(&self, mi: Self::Instr, node: NodeHandle);
    /// Records the function that it calls.
    fn add_called_global(&self, mi: Self::Instr, node: NodeHandle);
    /// Forbids to merge it with others.
    fn set_no_merge(&self, mi: Self::Instr);
    /// Gives it the node's PC sections.
    fn set_pc_sections(&self, mi: Self::Instr, node: NodeHandle);
    /// Gives all instructions from `first` on the node's memory-model annotations.
    fn set_mmra(&self, first: Self::Instr, node: NodeHandle);
    /// Whether it is a call.
    fn is_call(&self, mi: Self::Instr) -> bool;
    /// Gives a call the node's heap allocation.
    fn set_heap_alloc(&self, mi: Self::Instr, node: NodeHandle);

    /// Describes a constant.
    fn dbg_constant(&self, constant: u64) -> DbgConstant;
    /// The constant and the expression of a debug value with one location, folded.
    fn dbg_fold_constant(&self, value: DbgValueId) -> (DbgConstant, Expression);
    /// The only instruction that defines `reg`, and the index of the def among its operands.
    fn only_def(&self, reg: Register) -> Option<(Self::Instr, u32)>;
    /// Whether it copies a value (`isCopyLike` or `isCopyInstr`).
    fn is_copy(&self, mi: Self::Instr) -> bool;
    /// Its number for debug values; gives it one if it has none.
    fn debug_number(&self, mi: Self::Instr) -> u32;
    /// Makes a debug instruction that is not in a block yet.
    fn build_dbg(&self, dbg: &NewDbg) -> Self::Instr;
    /// Makes the debug instruction of a label, which is not in a block yet.
    fn build_dbg_label(&self, label: usize) -> Self::Instr;
    /// Inserts it before another, in the block of that one.
    fn insert_before(&self, mi: Self::Instr, before: Self::Instr);
    /// Inserts it at the insertion point.
    fn insert(&self, mi: Self::Instr);
    /// Inserts it at the end of the block.
    fn append(&self, mi: Self::Instr);
    /// The block's first instruction after the PHIs.
    fn first_non_phi(&self) -> Option<Self::Instr>;
    /// The block's first terminator.
    fn first_terminator(&self) -> Option<Self::Instr>;
    /// The instruction after the insertion point.
    fn insert_point(&self) -> Option<Self::Instr>;
    /// The next instruction of the block.
    fn next(&self, mi: Self::Instr) -> Option<Self::Instr>;
    /// Whether it is a DBG_VALUE or a DBG_VALUE_LIST.
    fn is_debug_value(&self, mi: Self::Instr) -> bool;
    /// Takes the location from a debug value and moves it before another instruction.
    fn drop_location(&self, mi: Self::Instr, before: Self::Instr);
}
