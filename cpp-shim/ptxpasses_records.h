/*
 * Plain records of a block's schedule and of the instructions that the emitter
 * makes from it; part of ptxpasses_emitter.h.
 *
 * This is their only declaration. The emitter's algorithm is built without LLVM
 * and without bindgen, so bindgen's output is kept in src/mir/dag/records.rs.
 * Every build for an LLVM compares the two and fails if they differ; with
 * PTX_UPDATE_RECORDS=1 it writes the file instead. Numbers have their own
 * types, which src/mir/dag/ids.rs defines.
 */
#ifndef PTXPASSES_RECORDS_H
#define PTXPASSES_RECORDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stands for "none" in the optional numbers below. */
#define PTX_NONE 0xffffffffu

typedef struct PtxSDNode *PtxNodeHandle; /* llvm::SDNode, null: none */
typedef uint32_t PtxReg;                 /* llvm::Register */
typedef uint32_t PtxNodeId, PtxOptNodeId;
typedef uint32_t PtxValueId; /* a result of a node, llvm::SDValue */
typedef uint32_t PtxClassId, PtxOptClassId;
typedef uint32_t PtxUnitId, PtxOptUnitId; /* llvm::SUnit::NodeNum */
typedef uint32_t PtxDbgValueId;
typedef uint32_t PtxIrBlockId, PtxOptIrBlockId; /* a block of the IR */

/* ------------------------------------------------------------ the schedule */

#define PTX_STEP_NODE 0
#define PTX_STEP_NOOP 1
#define PTX_STEP_PHYS_COPY 2 /* between units; `index` is into phys_copies */

#define PTX_STEP_CLONE (1u << 0)  /* a copy of a unit */
#define PTX_STEP_CLONED (1u << 1) /* a unit that was cloned */

/** One step of the schedule. */
typedef struct PtxDagStep {
  /** The number of a node or of a copy between units. */
  uint32_t index;
  /** One of `PTX_STEP_*`. */
  uint16_t kind;
  /** `PTX_STEP_CLONE` and `PTX_STEP_CLONED`. */
  uint16_t flags;
} PtxDagStep;

/** A copy between units, of a register that is hard to copy otherwise.
 *
 * The first predecessor by value decides. If it is such a copy too, its
 * register goes to the physical register `succ_reg`. Otherwise its physical
 * register `pred_reg` goes to a new register of `reg_class`. */
typedef struct PtxPhysCopy {
  /** The unit. */
  PtxUnitId unit;
  /** The first unit whose value it needs. */
  PtxOptUnitId pred_unit;
  /** Not zero if that unit is a copy between units too. */
  uint32_t pred_copies;
  /** The physical register that has the value there. */
  PtxReg pred_reg;
  /** The physical register that the value is needed in. */
  PtxReg succ_reg;
  /** Class of the copy. */
  PtxOptClassId reg_class;
} PtxPhysCopy;

/* Kinds of nodes that are not machine instructions. */
#define PTX_ISD_OTHER 0
#define PTX_ISD_ENTRY_TOKEN 1
#define PTX_ISD_MERGE_VALUES 2
#define PTX_ISD_TOKEN_FACTOR 3
#define PTX_ISD_COPY_TO_REG 4
#define PTX_ISD_COPY_FROM_REG 5
#define PTX_ISD_EH_LABEL 6
#define PTX_ISD_ANNOTATION_LABEL 7
#define PTX_ISD_LIFETIME_START 8
#define PTX_ISD_LIFETIME_END 9
#define PTX_ISD_PSEUDO_PROBE 10
#define PTX_ISD_INLINEASM 11
#define PTX_ISD_INLINEASM_BR 12

/* Flags of a node. */
#define PTX_NODE_MACHINE (1u << 0) /* `opcode` is a target opcode */
#define PTX_NODE_DIVERGENT (1u << 1)
#define PTX_NODE_HAS_DEBUG_VALUE (1u << 2)
#define PTX_NODE_NO_MERGE (1u << 3)
#define PTX_NODE_PC_SECTIONS (1u << 4)
#define PTX_NODE_MMRA (1u << 5)
#define PTX_NODE_HEAP_ALLOC_SITE (1u << 6)

/** A node of the schedule.
 *
 * Records are small. A block's records are written and read once, and touching
 * fresh memory costs more than the work on it. */
typedef struct PtxDagNode {
  /** LLVM's node. */
  PtxNodeHandle handle;
  /** For a machine node the target's opcode, else one of `PTX_ISD_*`. */
  uint32_t opcode;
  /** Position in the source, 0 if it has none. */
  uint32_t ir_order;
  /** The MachineInstr flags that correspond to the node's flags. */
  uint32_t mi_flags;
  /** Its first operand. */
  uint32_t first_operand;
  /** Its first result. */
  PtxValueId first_value;
  /** The first use of its results by a CopyToReg to a virtual register. The
   * uses are in the order of LLVM's use list. */
  uint32_t first_copy;
  /** The node that is glued after it. */
  PtxOptNodeId glued_user;
  /** `PTX_NODE_*` */
  uint16_t flags;
  /** How many operands it has. */
  uint16_t num_operands;
  /** How many of them come before the chain and the glue. */
  uint16_t num_inputs;
  /** How many results it has. */
  uint16_t num_values;
  /** How many of them come before the chain and the glue. */
  uint16_t num_results;
  /** Zero. */
  uint16_t padding;
} PtxDagNode;

/* Flags of a result, and of an operand after the inputs: its type. */
#define PTX_TYPE_GLUE (1u << 0)
#define PTX_TYPE_CHAIN (1u << 1) /* MVT::Other */
/* For a register operand: its node is divergent. */
#define PTX_OPERAND_DIVERGENT (1u << 15)

/* Also for a result: added once if it has one use, twice if it has more. Uses
 * are counted only for nodes that have results. */
#define PTX_VALUE_USE (1u << 8)

/** A result of a node.
 *
 * No member of a record is of character size. Compilers assume that a
 * character may alias anything, and could keep no value in a register across a
 * store. */
typedef struct PtxDagValue {
  /** `llvm::MVT` */
  uint16_t ty;
  /** `PTX_TYPE_*`, and uses counted in `PTX_VALUE_USE`. */
  uint16_t flags;
} PtxDagValue;

/* Kinds of operands. Those from PTX_SD_LEAF on are passed back unchanged. */
#define PTX_SD_NODE 0          /* `payload` is the result */
#define PTX_SD_CONSTANT 1      /* `payload`, sign-extended; `info` bits wide */
#define PTX_SD_REGISTER 2      /* `payload`; `info` is its type */
#define PTX_SD_METADATA 3      /* the word is a PtxMetadata*, maybe null */
#define PTX_SD_OTHER 4         /* a node that is not scheduled */
#define PTX_SD_LONG_CONSTANT 5 /* the word; `info` bits wide */
#define PTX_SD_LEAF 8          /* the word is the PtxSDNode* */
#define PTX_SD_WIDE_CONSTANT 8
#define PTX_SD_CONSTANT_FP 9
#define PTX_SD_REGISTER_MASK 10
#define PTX_SD_GLOBAL_ADDRESS 11
#define PTX_SD_BASIC_BLOCK 12
#define PTX_SD_FRAME_INDEX 13
#define PTX_SD_JUMP_TABLE 14
#define PTX_SD_CONSTANT_POOL 15
#define PTX_SD_EXTERNAL_SYMBOL 16
#define PTX_SD_MC_SYMBOL 17
#define PTX_SD_BLOCK_ADDRESS 18
#define PTX_SD_TARGET_INDEX 19

/** An operand of a node. */
typedef struct PtxDagOperand {
  /** One of `PTX_SD_*`. */
  uint16_t kind;
  /** For a constant its width, 64 if it is wider. For a register its type and
   * `PTX_OPERAND_DIVERGENT`. For a node after the inputs `PTX_TYPE_*`. */
  uint16_t info;
  /** For a node the result, for a constant its value, for a register its
   * number, else the number of a word of the schedule. */
  uint32_t payload;
} PtxDagOperand;

/** A use of a result by a CopyToReg to a virtual register. */
typedef struct PtxDagCopy {
  /** The result. */
  PtxValueId value;
  /** The register. */
  PtxReg reg;
} PtxDagCopy;

/* Facts about the whole block. */
#define PTX_DAG_HAS_DEBUG_VALUES (1u << 0)     /* or labels */
#define PTX_DAG_DEBUG_INSTR_REFS (1u << 1)     /* debug values name instrs */
#define PTX_DAG_FIRST_BLOCK (1u << 2)          /* of the function */
#define PTX_DAG_PHYS_REGS_FOR_VALUES (1u << 3) /* the target has such */
#define PTX_DAG_STRICT_FP (1u << 4)            /* the function is strictfp */
#define PTX_DAG_CALL_SITE_INFO (1u << 5)       /* call sites are described */
#define PTX_DAG_OPTIMISE (1u << 6)             /* not -O0 */

/* --------------------------------------------------------- debug values */

#define PTX_DBG_INDIRECT (1u << 0)
#define PTX_DBG_VARIADIC (1u << 1)
#define PTX_DBG_INVALIDATED (1u << 2)
#define PTX_DBG_EMITTED (1u << 3)
/* Belongs to a by-value parameter: not in the list of the block's values. */
#define PTX_DBG_BYVAL (1u << 4)

/** A debug value. */
typedef struct PtxDagDbgValue {
  /** Position in the source. */
  uint32_t order;
  /** `PTX_DBG_*` */
  uint32_t flags;
  /** Its first location. */
  uint32_t first_operand;
  /** How many locations it has. */
  uint32_t num_operands;
} PtxDagDbgValue;

#define PTX_DBG_OPERAND_NODE 0 /* `payload` is the result */
#define PTX_DBG_OPERAND_CONSTANT 1
#define PTX_DBG_OPERAND_FRAME_INDEX 2
#define PTX_DBG_OPERAND_VREG 3
#define PTX_DBG_OPERAND_UNSCHEDULED 4 /* a node that is not scheduled */

/** A location of a debug value. */
typedef struct PtxDagDbgOperand {
  /** One of `PTX_DBG_OPERAND_*`. */
  uint32_t kind;
  /** Zero. */
  uint32_t padding;
  /** A result, a constant of LLVM's, a frame index or a register. */
  uint64_t payload;
} PtxDagDbgOperand;

/** Says that a debug value belongs to a node. */
typedef struct PtxDagDbgOf {
  /** The node. */
  PtxNodeId node;
  /** The debug value. */
  PtxDbgValueId value;
} PtxDagDbgOf;

/* ------------------------------------------------------------ the function */

/** A value of the IR that selection keeps in registers across blocks. */
typedef struct PtxIrValue {
  /** The first of its registers. */
  PtxReg reg;
  /** The block that defines it. */
  PtxIrBlockId def_block;
  /** Its first use. */
  uint32_t first_use;
  /** How many uses it has. */
  uint32_t num_uses;
} PtxIrValue;

/** A use of a value of the IR. */
typedef struct PtxIrUse {
  /** The block that reads it; for a PHI the block that the value comes from. */
  PtxIrBlockId block;
  /** Not zero if the reader is a PHI: it reads at the end of the block. */
  uint32_t is_at_end;
} PtxIrUse;

/** An edge of the control-flow graph of the IR. */
typedef struct PtxIrEdge {
  /** The block that it leaves. */
  PtxIrBlockId from;
  /** The block that it enters. */
  PtxIrBlockId to;
} PtxIrEdge;

/* ------------------------------------------------------------- the target */

/** Target-independent opcodes that the emitter treats specially, and the flag
 * of an unpredictable instruction. */
typedef struct PtxTargetOpcodes {
  uint32_t copy, implicit_def, extract_subreg, insert_subreg, subreg_to_reg;
  uint32_t copy_to_regclass, reg_sequence, stackmap, patchpoint, statepoint;
  uint32_t eh_label, annotation_label, lifetime_start, lifetime_end;
  uint32_t pseudo_probe, inlineasm, inlineasm_br;
  uint32_t dbg_value, dbg_value_list, dbg_instr_ref;
  /* PTX_NONE where LLVM has no such opcode. */
  uint32_t convergencectrl_anchor, convergencectrl_entry, convergencectrl_loop;
  uint32_t convergencectrl_glue;
  uint32_t mi_unpredictable;
} PtxTargetOpcodes;

#define PTX_CLASS_ALLOCATABLE (1u << 0)
#define PTX_CLASS_COPY_IMPOSSIBLE (1u << 1) /* or expensive */
#define PTX_CLASS_DIVERGENT (1u << 2)

/* Flags of an opcode's description. */
#define PTX_DESC_VARIADIC (1u << 0)
#define PTX_DESC_VARIADIC_DEFS (1u << 1)
#define PTX_DESC_CALL (1u << 2)
#define PTX_DESC_OPTIONAL_DEF (1u << 3)
#define PTX_DESC_POST_ISEL_HOOK (1u << 4)
#define PTX_DESC_REMATERIALIZABLE (1u << 5)
#define PTX_DESC_AS_CHEAP_AS_A_MOVE (1u << 6)

#define PTX_DESC_OPERAND_OPTIONAL_DEF (1u << 0)
#define PTX_DESC_OPERAND_TIED (1u << 1)

/** One operand of an opcode's description. */
typedef struct PtxDescOperand {
  /** The class that its register must have. */
  PtxOptClassId reg_class;
  /** `PTX_DESC_OPERAND_*` */
  uint32_t flags;
} PtxDescOperand;

/* ------------------------------------------------------ new instructions */

/* Kinds of operands of a new instruction: PTX_SD_* leaves, and these. */
#define PTX_NEW_REG 0 /* `reg`, `subreg`, `flags` */
#define PTX_NEW_IMM 1
#define PTX_NEW_METADATA 3
/* The following are read from the node `payload`. */
#define PTX_NEW_ASM_STRING 32
#define PTX_NEW_LABEL 33
#define PTX_NEW_PROBE 34    /* several operands */
#define PTX_NEW_FUNCTION 35 /* the function that inline assembly calls */
/* For debug instructions. */
#define PTX_NEW_FRAME_INDEX 36
#define PTX_NEW_CONST_WIDE_INT 37 /* `payload` is a PtxValue */
#define PTX_NEW_CONST_FP 38
#define PTX_NEW_DBG_INSTR_REF 39 /* number `reg`, operand `subreg` */

#define PTX_REG_DEFINE (1u << 0)
#define PTX_REG_IMPLICIT (1u << 1)
#define PTX_REG_KILL (1u << 2)
#define PTX_REG_EARLY_CLOBBER (1u << 3)
#define PTX_REG_DEBUG (1u << 4)
#define PTX_REG_DEAD (1u << 5)

/** An operand of a new instruction. */
typedef struct PtxNewOperand {
  /** One of `PTX_NEW_*`, or a leaf of `PTX_SD_*`. */
  uint32_t kind;
  /** `PTX_REG_*` */
  uint32_t flags;
  /** The register. */
  PtxReg reg;
  /** The sub-register index. */
  uint32_t subreg;
  /** An immediate or a handle. */
  uint64_t payload;
} PtxNewOperand;

/** Operands of a new instruction, by index, that must be the same register. */
typedef struct PtxTie {
  /** The def. */
  uint32_t def;
  /** The use. */
  uint32_t used;
} PtxTie;

#ifdef __cplusplus
}
#endif
#endif
