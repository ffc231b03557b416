// bindgen's output for cpp-shim/ptxpasses_records.h; PTX_UPDATE_RECORDS=1 renews it.
use super::ids::*;

pub const PTX_STEP_NODE: u16 = 0;
pub const PTX_STEP_NOOP: u16 = 1;
pub const PTX_STEP_PHYS_COPY: u16 = 2;
pub const PTX_STEP_CLONE: u16 = 1;
pub const PTX_STEP_CLONED: u16 = 2;
pub const PTX_ISD_OTHER: u32 = 0;
pub const PTX_ISD_ENTRY_TOKEN: u32 = 1;
pub const PTX_ISD_MERGE_VALUES: u32 = 2;
pub const PTX_ISD_TOKEN_FACTOR: u32 = 3;
pub const PTX_ISD_COPY_TO_REG: u32 = 4;
pub const PTX_ISD_COPY_FROM_REG: u32 = 5;
pub const PTX_ISD_EH_LABEL: u32 = 6;
pub const PTX_ISD_ANNOTATION_LABEL: u32 = 7;
pub const PTX_ISD_LIFETIME_START: u32 = 8;
pub const PTX_ISD_LIFETIME_END: u32 = 9;
pub const PTX_ISD_PSEUDO_PROBE: u32 = 10;
pub const PTX_ISD_INLINEASM: u32 = 11;
pub const PTX_ISD_INLINEASM_BR: u32 = 12;
pub const PTX_NODE_MACHINE: u16 = 1;
pub const PTX_NODE_DIVERGENT: u16 = 2;
pub const PTX_NODE_HAS_DEBUG_VALUE: u16 = 4;
pub const PTX_NODE_NO_MERGE: u16 = 8;
pub const PTX_NODE_PC_SECTIONS: u16 = 16;
pub const PTX_NODE_MMRA: u16 = 32;
pub const PTX_NODE_HEAP_ALLOC_SITE: u16 = 64;
pub const PTX_TYPE_GLUE: u16 = 1;
pub const PTX_TYPE_CHAIN: u16 = 2;
pub const PTX_OPERAND_DIVERGENT: u16 = 32768;
pub const PTX_VALUE_USE: u16 = 256;
pub const PTX_SD_NODE: u16 = 0;
pub const PTX_SD_CONSTANT: u16 = 1;
pub const PTX_SD_REGISTER: u16 = 2;
pub const PTX_SD_METADATA: u16 = 3;
pub const PTX_SD_OTHER: u16 = 4;
pub const PTX_SD_LONG_CONSTANT: u16 = 5;
pub const PTX_SD_LEAF: u16 = 8;
pub const PTX_SD_WIDE_CONSTANT: u16 = 8;
pub const PTX_SD_CONSTANT_FP: u16 = 9;
pub const PTX_SD_REGISTER_MASK: u16 = 10;
pub const PTX_SD_GLOBAL_ADDRESS: u16 = 11;
pub const PTX_SD_BASIC_BLOCK: u16 = 12;
pub const PTX_SD_FRAME_INDEX: u16 = 13;
pub const PTX_SD_JUMP_TABLE: u16 = 14;
pub const PTX_SD_CONSTANT_POOL: u16 = 15;
pub const PTX_SD_EXTERNAL_SYMBOL: u16 = 16;
pub const PTX_SD_MC_SYMBOL: u16 = 17;
pub const PTX_SD_BLOCK_ADDRESS: u16 = 18;
pub const PTX_SD_TARGET_INDEX: u16 = 19;
pub const PTX_DAG_HAS_DEBUG_VALUES: u32 = 1;
pub const PTX_DAG_DEBUG_INSTR_REFS: u32 = 2;
pub const PTX_DAG_FIRST_BLOCK: u32 = 4;
pub const PTX_DAG_PHYS_REGS_FOR_VALUES: u32 = 8;
pub const PTX_DAG_STRICT_FP: u32 = 16;
pub const PTX_DAG_CALL_SITE_INFO: u32 = 32;
pub const PTX_DAG_OPTIMISE: u32 = 64;
pub const PTX_DBG_INDIRECT: u32 = 1;
pub const PTX_DBG_VARIADIC: u32 = 2;
pub const PTX_DBG_INVALIDATED: u32 = 4;
pub const PTX_DBG_EMITTED: u32 = 8;
pub const PTX_DBG_BYVAL: u32 = 16;
pub const PTX_DBG_OPERAND_NODE: u32 = 0;
pub const PTX_DBG_OPERAND_CONSTANT: u32 = 1;
pub const PTX_DBG_OPERAND_FRAME_INDEX: u32 = 2;
pub const PTX_DBG_OPERAND_VREG: u32 = 3;
pub const PTX_DBG_OPERAND_UNSCHEDULED: u32 = 4;
pub const PTX_CLASS_ALLOCATABLE: u32 = 1;
pub const PTX_CLASS_COPY_IMPOSSIBLE: u32 = 2;
pub const PTX_CLASS_DIVERGENT: u32 = 4;
pub const PTX_DESC_VARIADIC: u32 = 1;
pub const PTX_DESC_VARIADIC_DEFS: u32 = 2;
pub const PTX_DESC_CALL: u32 = 4;
pub const PTX_DESC_OPTIONAL_DEF: u32 = 8;
pub const PTX_DESC_POST_ISEL_HOOK: u32 = 16;
pub const PTX_DESC_REMATERIALIZABLE: u32 = 32;
pub const PTX_DESC_AS_CHEAP_AS_A_MOVE: u32 = 64;
pub const PTX_DESC_OPERAND_OPTIONAL_DEF: u32 = 1;
pub const PTX_DESC_OPERAND_TIED: u32 = 2;
pub const PTX_NEW_REG: u32 = 0;
pub const PTX_NEW_IMM: u32 = 1;
pub const PTX_NEW_METADATA: u32 = 3;
pub const PTX_NEW_ASM_STRING: u32 = 32;
pub const PTX_NEW_LABEL: u32 = 33;
pub const PTX_NEW_PROBE: u32 = 34;
pub const PTX_NEW_FUNCTION: u32 = 35;
pub const PTX_NEW_FRAME_INDEX: u32 = 36;
pub const PTX_NEW_CONST_WIDE_INT: u32 = 37;
pub const PTX_NEW_CONST_FP: u32 = 38;
pub const PTX_NEW_DBG_INSTR_REF: u32 = 39;
pub const PTX_REG_DEFINE: u32 = 1;
pub const PTX_REG_IMPLICIT: u32 = 2;
pub const PTX_REG_KILL: u32 = 4;
pub const PTX_REG_EARLY_CLOBBER: u32 = 8;
pub const PTX_REG_DEBUG: u32 = 16;
pub const PTX_REG_DEAD: u32 = 32;
/// One step of the schedule.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagStep {
    /// The number of a node or of a copy between units.
    pub index: u32,
    /// One of `PTX_STEP_*`.
    pub kind: u16,
    /// `PTX_STEP_CLONE` and `PTX_STEP_CLONED`.
    pub flags: u16,
}
/** A copy between units, of a register that is hard to copy otherwise.

 The first predecessor by value decides. If it is such a copy too, its
 register goes to the physical register `succ_reg`. Otherwise its physical
 register `pred_reg` goes to a new register of `reg_class`.*/
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxPhysCopy {
    /// The unit.
    pub unit: PtxUnitId,
    /// The first unit whose value it needs.
    pub pred_unit: PtxOptUnitId,
    /// Not zero if that unit is a copy between units too.
    pub pred_copies: u32,
    /// The physical register that has the value there.
    pub pred_reg: PtxReg,
    /// The physical register that the value is needed in.
    pub succ_reg: PtxReg,
    /// Class of the copy.
    pub reg_class: PtxOptClassId,
}
/** A node of the schedule.

 Records are small. A block's records are written and read once, and touching
 fresh memory costs more than the work on it.*/
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagNode {
    /// LLVM's node.
    pub handle: PtxNodeHandle,
    /// For a machine node the target's opcode, else one of `PTX_ISD_*`.
    pub opcode: u32,
    /// Position in the source, 0 if it has none.
    pub ir_order: u32,
    /// The MachineInstr flags that correspond to the node's flags.
    pub mi_flags: u32,
    /// Its first operand.
    pub first_operand: u32,
    /// Its first result.
    pub first_value: PtxValueId,
    /** The first use of its results by a CopyToReg to a virtual register. The
 uses are in the order of LLVM's use list.*/
    pub first_copy: u32,
    /// The node that is glued after it.
    pub glued_user: PtxOptNodeId,
    /// `PTX_NODE_*`
    pub flags: u16,
    /// How many operands it has.
    pub num_operands: u16,
    /// How many of them come before the chain and the glue.
    pub num_inputs: u16,
    /// How many results it has.
    pub num_values: u16,
    /// How many of them come before the chain and the glue.
    pub num_results: u16,
    /// Zero.
    pub padding: u16,
}
/** A result of a node.

 No member of a record is of character size. Compilers assume that a
 character may alias anything, and could keep no value in a register across a
 store.*/
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagValue {
    /// `llvm::MVT`
    pub ty: u16,
    /// `PTX_TYPE_*`, and uses counted in `PTX_VALUE_USE`.
    pub flags: u16,
}
/// An operand of a node.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagOperand {
    /// One of `PTX_SD_*`.
    pub kind: u16,
    /** For a constant its width, 64 if it is wider. For a register its type and
 `PTX_OPERAND_DIVERGENT`. For a node after the inputs `PTX_TYPE_*`.*/
    pub info: u16,
    /** For a node the result, for a constant its value, for a register its
 number, else the number of a word of the schedule.*/
    pub payload: u32,
}
/// A use of a result by a CopyToReg to a virtual register.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagCopy {
    /// The result.
    pub value: PtxValueId,
    /// The register.
    pub reg: PtxReg,
}
/// A debug value.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagDbgValue {
    /// Position in the source.
    pub order: u32,
    /// `PTX_DBG_*`
    pub flags: u32,
    /// Its first location.
    pub first_operand: u32,
    /// How many locations it has.
    pub num_operands: u32,
}
/// A location of a debug value.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagDbgOperand {
    /// One of `PTX_DBG_OPERAND_*`.
    pub kind: u32,
    /// Zero.
    pub padding: u32,
    /// A result, a constant of LLVM's, a frame index or a register.
    pub payload: u64,
}
/// Says that a debug value belongs to a node.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDagDbgOf {
    /// The node.
    pub node: PtxNodeId,
    /// The debug value.
    pub value: PtxDbgValueId,
}
/// A value of the IR that selection keeps in registers across blocks.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxIrValue {
    /// The first of its registers.
    pub reg: PtxReg,
    /// The block that defines it.
    pub def_block: PtxIrBlockId,
    /// Its first use.
    pub first_use: u32,
    /// How many uses it has.
    pub num_uses: u32,
}
/// A use of a value of the IR.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxIrUse {
    /// The block that reads it; for a PHI the block that the value comes from.
    pub block: PtxIrBlockId,
    /// Not zero if the reader is a PHI: it reads at the end of the block.
    pub is_at_end: u32,
}
/// An edge of the control-flow graph of the IR.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxIrEdge {
    /// The block that it leaves.
    pub from: PtxIrBlockId,
    /// The block that it enters.
    pub to: PtxIrBlockId,
}
/** Target-independent opcodes that the emitter treats specially, and the flag
 of an unpredictable instruction.*/
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct PtxTargetOpcodes {
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
    pub mi_unpredictable: u32,
}
/// One operand of an opcode's description.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxDescOperand {
    /// The class that its register must have.
    pub reg_class: PtxOptClassId,
    /// `PTX_DESC_OPERAND_*`
    pub flags: u32,
}
/// An operand of a new instruction.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxNewOperand {
    /// One of `PTX_NEW_*`, or a leaf of `PTX_SD_*`.
    pub kind: u32,
    /// `PTX_REG_*`
    pub flags: u32,
    /// The register.
    pub reg: PtxReg,
    /// The sub-register index.
    pub subreg: u32,
    /// An immediate or a handle.
    pub payload: u64,
}
/// Operands of a new instruction, by index, that must be the same register.
#[repr(C)]
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct PtxTie {
    /// The def.
    pub def: u32,
    /// The use.
    pub used: u32,
}
