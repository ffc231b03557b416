/*
 * The C ABI between LLVM's SelectionDAG and the emitter; part of ptxpasses.h.
 *
 * A block's schedule is read in one go: steps in order, and of each node a
 * record, its operands and its results.  Nodes, results and debug values are
 * numbered from 0; Rust names them by these numbers or hands back the opaque
 * pointers of the records.  A machine instruction is made by one call.
 */
#ifndef PTXPASSES_EMITTER_H
#define PTXPASSES_EMITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PtxFunction PtxFunction;
typedef struct PtxInstr PtxInstr;
typedef struct PtxBlock PtxBlock;
typedef struct PtxEmission PtxEmission; /* of one block */
typedef struct PtxSDNode PtxSDNode;     /* llvm::SDNode */
typedef struct PtxMetadata PtxMetadata; /* llvm::MDNode */
typedef struct PtxValue PtxValue;       /* llvm::Value, a constant */

#define PTX_NONE 0xffffffffu

/* ------------------------------------------------------------ the schedule */

#define PTX_STEP_NODE 0
#define PTX_STEP_NOOP 1
#define PTX_STEP_PHYS_COPY 2 /* between units; `index` is into phys_copies */

#define PTX_STEP_CLONE (1u << 0)  /* a copy of a unit */
#define PTX_STEP_CLONED (1u << 1) /* a unit that there are copies of */

typedef struct PtxDagStep {
  uint32_t index;
  uint16_t kind;
  uint16_t flags;
} PtxDagStep;

/* A copy between units.  The first predecessor that is no mere order decides:
 * if it makes a copy as well, its register goes to the physical register
 * `succ_reg`; otherwise its physical register `pred_reg` goes to a new register
 * of `reg_class`. */
typedef struct PtxPhysCopy {
  uint32_t unit, pred_unit; /* PTX_NONE: no such predecessor */
  uint32_t pred_copies;     /* boolean */
  uint32_t pred_reg, succ_reg;
  uint32_t reg_class;
} PtxPhysCopy;

/* What a node that is no machine instruction is. */
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

/* Records are small: a block's are written and read once, and memory that is
 * touched for the first time costs more than what is done with it. */
typedef struct PtxDagNode {
  PtxSDNode *node;
  uint32_t opcode; /* or PTX_ISD_* */
  uint32_t ir_order;
  uint32_t mi_flags; /* those of MachineInstr that its own flags stand for */
  uint32_t first_operand, first_value;
  /* Uses by a CopyToReg to a virtual register, in the order of the uses, are
   * from here on: those of values of this node. */
  uint32_t first_copy;
  uint32_t glued_user; /* node, or PTX_NONE */
  uint16_t flags;
  /* Inputs and results are the operands and values before chain and glue. */
  uint16_t num_operands, num_inputs;
  uint16_t num_values, num_results;
  uint16_t padding;
} PtxDagNode;

/* Flags of a result, and of an operand behind the inputs: its type. */
#define PTX_TYPE_GLUE (1u << 0)
#define PTX_TYPE_CHAIN (1u << 1) /* MVT::Other */
/* Of an operand that is a register: its node is divergent. */
#define PTX_OPERAND_DIVERGENT (1u << 15)

/* Of a result besides: once if it is used, twice if it is used more often.
 * Uses are counted for nodes that have results. */
#define PTX_VALUE_USE (1u << 8)

/* No member of the records has the size of a character, which compilers take
 * to lie anywhere: they could keep nothing in a register across a store. */
typedef struct PtxDagValue {
  uint16_t type; /* llvm::MVT */
  uint16_t flags;
} PtxDagValue;

/* What an operand is; those from PTX_SD_LEAF on are passed back as they are. */
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

/* `info` of an operand behind the inputs is its type; of a constant of more
 * than 64 bits 64.  The word is that of PtxDag with number `payload`. */
typedef struct PtxDagOperand {
  uint16_t kind;
  uint16_t info;
  uint32_t payload;
} PtxDagOperand;

/* A use by a CopyToReg. */
typedef struct PtxDagCopy {
  uint32_t value;
  uint32_t reg;
} PtxDagCopy;

/* --------------------------------------------------------- debug values */

#define PTX_DBG_INDIRECT (1u << 0)
#define PTX_DBG_VARIADIC (1u << 1)
#define PTX_DBG_INVALIDATED (1u << 2)
#define PTX_DBG_EMITTED (1u << 3)
/* One of a by-value parameter: not in the list of the block's values. */
#define PTX_DBG_BYVAL (1u << 4)

typedef struct PtxDagDbgValue {
  uint32_t order;
  uint32_t flags;
  uint32_t first_operand, num_operands;
} PtxDagDbgValue;

#define PTX_DBG_OPERAND_NODE 0 /* `payload` is the result or PTX_NONE */
#define PTX_DBG_OPERAND_CONSTANT 1
#define PTX_DBG_OPERAND_FRAME_INDEX 2
#define PTX_DBG_OPERAND_VREG 3

typedef struct PtxDagDbgOperand {
  uint32_t kind;
  uint32_t padding;
  uint64_t payload;
} PtxDagDbgOperand;

/* Debug value `value` belongs to `node`. */
typedef struct PtxDagDbgOf {
  uint32_t node;
  uint32_t value;
} PtxDagDbgOf;

/* What a constant is as an operand of a debug instruction. */
#define PTX_CONST_INT 0 /* up to 64 bits: `value`, sign-extended */
#define PTX_CONST_WIDE_INT 1
#define PTX_CONST_FP 2
#define PTX_CONST_NULL_POINTER 3
#define PTX_CONST_OTHER 4

typedef struct PtxDbgConstant {
  uint32_t kind;
  uint32_t bits;
  int64_t value;
  const PtxValue *constant;
  const PtxMetadata *expression; /* see ptx_dbg_fold_constant */
} PtxDbgConstant;

/* What the whole block has. */
#define PTX_DAG_HAS_DEBUG_VALUES (1u << 0)
#define PTX_DAG_DEBUG_INSTR_REFS (1u << 1)
#define PTX_DAG_FIRST_BLOCK (1u << 2)
#define PTX_DAG_PHYS_REGS_FOR_VALUES (1u << 3)
#define PTX_DAG_STRICT_FP (1u << 4)
#define PTX_DAG_CALL_SITE_INFO (1u << 5)
#define PTX_DAG_OPTIMISE (1u << 6) /* not -O0 */

typedef struct PtxDag {
  const PtxDagStep *steps; /* none: all nodes, each once and in order */
  const PtxDagNode *nodes;
  const PtxDagOperand *operands;
  const uint64_t *words; /* what operands have that takes 64 bits */
  const PtxDagValue *values;
  const PtxDagCopy *copies;
  const PtxPhysCopy *phys_copies;
  const PtxDagDbgValue *dbg_values; /* of parameters first */
  const PtxDagDbgOperand *dbg_operands;
  const PtxDagDbgOf *dbg_of; /* by node */
  const uint32_t *dbg_label_orders;
  uint32_t num_steps, num_nodes, num_operands, num_words, num_values;
  uint32_t num_copies;
  uint32_t num_phys_copies, num_dbg_values, num_dbg_operands, num_dbg_of;
  uint32_t num_dbg_labels;
  uint32_t num_units;
  uint32_t flags;
  /* What there is in the block: a bit for each PTX_ISD_* of a node, and bits
   * for PTX_SD_METADATA and PTX_SD_OTHER as inputs of machine nodes. */
  uint32_t special_kinds, odd_inputs;
} PtxDag;

void ptx_emit_read(PtxEmission *e, PtxDag *out);
/* The nodes that use `node`, as often as they do, in the order of the uses;
 * PTX_NONE for one that is not scheduled.  Valid until the next call. */
const uint32_t *ptx_emit_users(PtxEmission *e, PtxSDNode *node, uint32_t *num);

/* ------------------------------------------------------------ the function */

/* A value of the IR that selection keeps in registers across blocks. */
typedef struct PtxIrValue {
  uint32_t reg; /* the first one of them */
  uint32_t def_block;
  uint32_t first_use, num_uses;
} PtxIrValue;

typedef struct PtxIrEdge {
  uint32_t from, to;
} PtxIrEdge;

/* Blocks of the IR are numbered from 0. */
typedef struct PtxIr {
  const PtxIrValue *values; /* in ascending order of registers */
  const uint32_t *uses;     /* block * 2, plus 1 for a PHI's at its end */
  const PtxIrEdge *edges;
  uint32_t num_values, num_uses, num_edges, num_blocks;
} PtxIr;

/* Reads the function; valid until this is called again. */
void ptx_emit_ir(PtxEmission *e, PtxIr *out);
/* The IR block that the block belongs to, of the function last read, or
 * PTX_NONE. */
uint32_t ptx_emit_ir_block(PtxEmission *e);

/* ------------------------------------------------------------- the target */

/* Target-independent opcodes that the emitter treats by itself, and the flag
 * for `unpredictable`. */
typedef struct PtxTargetOpcodes {
  uint32_t copy, implicit_def, extract_subreg, insert_subreg, subreg_to_reg;
  uint32_t copy_to_regclass, reg_sequence, stackmap, patchpoint, statepoint;
  uint32_t eh_label, annotation_label, lifetime_start, lifetime_end;
  uint32_t pseudo_probe, inlineasm, inlineasm_br;
  uint32_t dbg_value, dbg_value_list, dbg_instr_ref;
  /* PTX_NONE where LLVM has none */
  uint32_t convergencectrl_anchor, convergencectrl_entry, convergencectrl_loop;
  uint32_t convergencectrl_glue;
  uint32_t mi_unpredictable;
} PtxTargetOpcodes;
PtxTargetOpcodes ptx_target_opcodes(void);

#define PTX_CLASS_ALLOCATABLE (1u << 0)
#define PTX_CLASS_COPY_IMPOSSIBLE (1u << 1) /* or expensive */
#define PTX_CLASS_DIVERGENT (1u << 2)

typedef struct PtxRegClass {
  uint32_t num_regs;
  uint32_t flags;
  const uint32_t *sub_classes; /* a bit for each class, itself too */
  uint32_t bits;               /* size of a register */
  const char *name;
} PtxRegClass;

/* Numbers for what depends on the subtarget alone: equal as long as nothing of
 * the kind below changes. */
uint64_t ptx_emit_target(PtxEmission *e);
uint32_t ptx_emit_num_classes(PtxEmission *e);
void ptx_emit_class(PtxEmission *e, uint32_t id, PtxRegClass *out);
/* TargetLowering::getRegClassFor; PTX_NONE: the type is not legal. */
uint32_t ptx_emit_class_for_type(PtxEmission *e, uint32_t type, bool divergent);
/* The same of a type that need not be legal: some targets have a class for
 * rows of registers.  Only for a value that must be in one. */
uint32_t ptx_emit_class_for_any_type(PtxEmission *e, uint32_t type,
                                     bool divergent);
uint32_t ptx_emit_minimal_phys_class(PtxEmission *e, uint32_t reg,
                                     uint32_t type);
/* PTX_NONE: there is none. */
uint32_t ptx_emit_sub_class_with_subreg(PtxEmission *e, uint32_t reg_class,
                                        uint32_t subreg);
uint32_t ptx_emit_matching_super_class(PtxEmission *e, uint32_t super_class,
                                       uint32_t sub_class, uint32_t subreg);
uint32_t ptx_emit_subreg_of(PtxEmission *e, uint32_t reg, uint32_t subreg);
/* Whether `sub` is part of `reg`; both physical. */
bool ptx_emit_is_subreg(PtxEmission *e, uint32_t reg, uint32_t sub);
uint32_t ptx_emit_num_rounding_regs(PtxEmission *e);
uint32_t ptx_emit_rounding_reg(PtxEmission *e, uint32_t index);

#define PTX_DESC_VARIADIC (1u << 0)
#define PTX_DESC_VARIADIC_DEFS (1u << 1)
#define PTX_DESC_CALL (1u << 2)
#define PTX_DESC_OPTIONAL_DEF (1u << 3)
#define PTX_DESC_POST_ISEL_HOOK (1u << 4)
#define PTX_DESC_CHEAP (1u << 5) /* a constant that is cheap to make again */

#define PTX_DESC_OPERAND_OPTIONAL_DEF (1u << 0)
#define PTX_DESC_OPERAND_TIED (1u << 1)

typedef struct PtxDescOperand {
  uint32_t reg_class; /* or PTX_NONE */
  uint32_t flags;
} PtxDescOperand;

typedef struct PtxDesc {
  uint32_t num_defs, num_operands, flags;
  uint32_t num_implicit_defs, num_implicit_uses;
  const uint16_t *implicit_defs, *implicit_uses;
  const PtxDescOperand *operands; /* valid until the next call */
} PtxDesc;

void ptx_emit_desc(PtxEmission *e, uint32_t opcode, PtxDesc *out);
/* Whether it begins or ends what belongs to one call.  Apart from the
 * description: it takes the opcode's name, which is far from all else. */
bool ptx_emit_is_call_sequence(PtxEmission *e, uint32_t opcode);

/* ------------------------------------------------------------------ edits */

uint32_t ptx_emit_new_reg(PtxEmission *e, uint32_t reg_class);
void ptx_emit_set_class(PtxEmission *e, uint32_t reg, uint32_t reg_class);
void ptx_emit_clear_kills(PtxEmission *e, uint32_t reg);

/* What an operand of a new instruction is: PTX_SD_* leaves, and these. */
#define PTX_NEW_REG 0 /* `reg`, `subreg`, `flags` */
#define PTX_NEW_IMM 1
#define PTX_NEW_METADATA 3
/* The following are read off the node `payload`. */
#define PTX_NEW_ASM_STRING 32
#define PTX_NEW_LABEL 33
#define PTX_NEW_PROBE 34 /* several operands */
#define PTX_NEW_FUNCTION                                                       \
  35 /* global address as the asm's function reference                         \
      */
/* Of debug instructions. */
#define PTX_NEW_FRAME_INDEX 36
#define PTX_NEW_CONST_WIDE_INT 37 /* `payload` is a PtxValue */
#define PTX_NEW_CONST_FP 38
#define PTX_NEW_DBG_INSTR_REF 39 /* number `reg`, operand `subreg` */
#define PTX_NEW_DBG_REG 40       /* a use by a debug instruction */

#define PTX_REG_DEFINE (1u << 0)
#define PTX_REG_IMPLICIT (1u << 1)
#define PTX_REG_KILL (1u << 2)
#define PTX_REG_EARLY_CLOBBER (1u << 3)
#define PTX_REG_DEBUG (1u << 4)

typedef struct PtxNewOperand {
  uint32_t kind;
  uint32_t flags;
  uint32_t reg;
  uint32_t subreg;
  uint64_t payload;
} PtxNewOperand;

typedef struct PtxTie {
  uint32_t def, use; /* indices of operands */
} PtxTie;

typedef struct PtxNewInstr {
  uint32_t opcode;
  uint32_t mi_flags;
  PtxSDNode *location; /* whose debug location it gets; null: none */
  PtxSDNode *machine;  /* whose memory operands and CFI type; null: none */
  const PtxNewOperand *operands;
  const PtxTie *ties;
  uint32_t num_operands, num_ties;
} PtxNewInstr;

/* Makes it and inserts it where the block goes on. */
PtxInstr *ptx_emit_instr(PtxEmission *e, const PtxNewInstr *instr);
void ptx_emit_noop(PtxEmission *e);
void ptx_emit_dead_except(PtxEmission *e, PtxInstr *mi, const uint32_t *used,
                          uint32_t num);
void ptx_emit_implicit_use(PtxEmission *e, PtxInstr *mi, uint32_t reg);
/* The target's hook for `mi`.  `first` is the first instruction of the node;
 * what that is afterwards comes back. */
PtxInstr *ptx_emit_post_isel(PtxEmission *e, PtxInstr *mi, PtxInstr *first,
                             PtxSDNode *node);
/* A register that the def of `reg` extends, at which of its parts, and what it
 * gives; false if it is no such instruction. */
bool ptx_emit_coalescable_ext(PtxEmission *e, uint32_t reg, uint32_t *src,
                              uint32_t *subreg);

/* What the DAG knows of a node's instructions, from `first` on. */
bool ptx_emit_is_call_site(PtxInstr *mi);
void ptx_emit_call_site_info(PtxEmission *e, PtxInstr *mi, PtxSDNode *node);
void ptx_emit_called_global(PtxEmission *e, PtxInstr *mi, PtxSDNode *node);
void ptx_emit_no_merge(PtxEmission *e, PtxInstr *mi);
void ptx_emit_pc_sections(PtxEmission *e, PtxInstr *mi, PtxSDNode *node);
void ptx_emit_mmra(PtxEmission *e, PtxInstr *first, PtxSDNode *node);
void ptx_emit_heap_alloc(PtxEmission *e, PtxInstr *mi, PtxSDNode *node);

/* Debug instructions; they are in no block before ptx_emit_insert. */
void ptx_dbg_constant(PtxEmission *e, uint64_t constant, PtxDbgConstant *out);
/* The constant of a value of one location and its expression, folded as far as
 * it goes. */
void ptx_dbg_fold_constant(PtxEmission *e, uint32_t value, PtxDbgConstant *out);
/* `reg` has one def: that, and which of its operands; null if it has not. */
PtxInstr *ptx_dbg_only_def(PtxEmission *e, uint32_t reg, uint32_t *index);
bool ptx_dbg_is_copy(PtxEmission *e, const PtxInstr *mi);
uint32_t ptx_dbg_number(PtxInstr *mi);

/* Which expression a debug instruction gets: that of the value, or */
#define PTX_EXPR_OWN 0
#define PTX_EXPR_GIVEN 1 /* `expression` */
#define PTX_EXPR_UNDEF 2
/* The value's as one of several locations; dereferenced if it is indirect. */
#define PTX_EXPR_INSTR_REF 3

PtxInstr *ptx_dbg_build(PtxEmission *e, uint32_t value, uint32_t opcode,
                        uint32_t expression_kind, const PtxMetadata *expression,
                        bool indirect, const PtxNewOperand *operands,
                        uint32_t num);
PtxInstr *ptx_dbg_label(PtxEmission *e, uint32_t label);
/* Before `before`, in its block. */
void ptx_emit_insert_before(PtxInstr *mi, PtxInstr *before);
/* Into the block: where it goes on, or at its end. */
void ptx_emit_insert(PtxEmission *e, PtxInstr *mi);
void ptx_emit_append(PtxEmission *e, PtxInstr *mi);
/* Null is the end of the block. */
PtxInstr *ptx_emit_first_non_phi(PtxEmission *e);
PtxInstr *ptx_emit_first_terminator(PtxEmission *e);
PtxInstr *ptx_emit_insert_point(PtxEmission *e);
bool ptx_mi_is_debug_value(const PtxInstr *mi);
/* The debug value goes before `before` and has no location any more. */
void ptx_emit_drop_location(PtxInstr *mi, PtxInstr *before);

/* What the shim passes for one block. */
typedef struct PtxEmitRun {
  uint32_t pass;
  PtxFunction *mf;
  PtxEmission *emission;
} PtxEmitRun;

#ifdef __cplusplus
}
#endif
#endif
