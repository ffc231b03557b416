/*
 * The C ABI between LLVM's SelectionDAG and the emitter; part of ptxpasses.h.
 *
 * One call reads a block's schedule: the steps in order, and for each node a
 * record, its operands and its results. Nodes, results and debug values are
 * numbered from 0. Rust refers to them by these numbers, or passes back the
 * opaque pointers of the records. One call makes a machine instruction.
 */
#ifndef PTXPASSES_EMITTER_H
#define PTXPASSES_EMITTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptxpasses_records.h"

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

/* Kinds of constants as operands of a debug instruction. */
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

/* ------------------------------------------------------------ the schedule */

typedef struct PtxDag {
  const PtxDagStep *steps; /* none: all nodes, each once and in order */
  const PtxDagNode *nodes;
  const PtxDagOperand *operands;
  const uint64_t *words; /* 64-bit payloads of operands */
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
  /* The kinds in the block: a bit for each PTX_ISD_* of a node, and bits for
   * PTX_SD_METADATA and PTX_SD_OTHER as inputs of machine nodes. */
  uint32_t special_kinds, odd_inputs;
} PtxDag;

void ptx_emit_read(PtxEmission *e, PtxDag *out);
/* The nodes that use `node`, with repetitions, in the order of the uses;
 * PTX_NONE for a node that is not scheduled. Valid until the next call. */
const PtxOptNodeId *ptx_emit_users(PtxEmission *e, PtxNodeHandle node,
                                   uint32_t *num);

/* ------------------------------------------------------------ the function */

/* Blocks of the IR are numbered from 0. */
typedef struct PtxIr {
  const PtxIrValue *values; /* in ascending order of registers */
  const PtxIrUse *uses;
  const PtxIrEdge *edges;
  uint32_t num_values, num_uses, num_edges, num_blocks;
} PtxIr;

/* Reads the function; valid until this is called again. */
void ptx_emit_ir(PtxEmission *e, PtxIr *out);
/* The IR block that the block belongs to, in the function read last, or
 * PTX_NONE. */
PtxOptIrBlockId ptx_emit_ir_block(PtxEmission *e);

/* ------------------------------------------------------------- the target */

PtxTargetOpcodes ptx_target_opcodes(void);

typedef struct PtxRegClass {
  uint32_t num_regs;
  uint32_t flags;
  const uint32_t *sub_classes; /* a bit for each class, itself too */
  uint32_t bits;               /* size of a register */
  const char *name;
} PtxRegClass;

/* A number that identifies the subtarget: equal while nothing below changes. */
uint64_t ptx_emit_target(PtxEmission *e);
uint32_t ptx_emit_num_classes(PtxEmission *e);
void ptx_emit_class(PtxEmission *e, PtxClassId id, PtxRegClass *out);
/* TargetLowering::getRegClassFor; PTX_NONE: the type is illegal. */
PtxOptClassId ptx_emit_class_for_type(PtxEmission *e, uint32_t type,
                                      bool divergent);
/* The same for a type that may be illegal: some targets have a class for rows
 * of registers. Only for a value that must be in a register. */
PtxOptClassId ptx_emit_class_for_any_type(PtxEmission *e, uint32_t type,
                                          bool divergent);
PtxClassId ptx_emit_minimal_phys_class(PtxEmission *e, PtxReg reg,
                                       uint32_t type);
/* PTX_NONE: there is none. */
PtxOptClassId ptx_emit_sub_class_with_subreg(PtxEmission *e,
                                             PtxClassId reg_class,
                                             uint32_t subreg);
PtxOptClassId ptx_emit_matching_super_class(PtxEmission *e,
                                            PtxClassId super_class,
                                            PtxClassId sub_class,
                                            uint32_t subreg);
PtxReg ptx_emit_subreg_of(PtxEmission *e, PtxReg reg, uint32_t subreg);
/* Whether `sub` is part of `reg`; both physical. */
bool ptx_emit_is_subreg(PtxEmission *e, PtxReg reg, PtxReg sub);
uint32_t ptx_emit_num_rounding_regs(PtxEmission *e);
PtxReg ptx_emit_rounding_reg(PtxEmission *e, uint32_t index);

typedef struct PtxDesc {
  uint32_t num_defs, num_operands, flags;
  uint32_t num_implicit_defs, num_implicit_uses;
  const uint16_t *implicit_defs, *implicit_uses;
  const PtxDescOperand *operands; /* valid until the next call */
} PtxDesc;

void ptx_emit_desc(PtxEmission *e, uint32_t opcode, PtxDesc *out);
/* The pseudos around a call, which LLVM knows as such. */
uint32_t ptx_emit_call_frame_setup(PtxEmission *e);
uint32_t ptx_emit_call_frame_destroy(PtxEmission *e);
/* Separate from the description: the name is far away in memory. */
const char *ptx_emit_opcode_name(PtxEmission *e, uint32_t opcode);

/* ------------------------------------------------------------------ edits */

PtxReg ptx_emit_new_reg(PtxEmission *e, PtxOptClassId reg_class);
void ptx_emit_set_class(PtxEmission *e, PtxReg reg, PtxClassId reg_class);
void ptx_emit_clear_kills(PtxEmission *e, PtxReg reg);

typedef struct PtxNewInstr {
  uint32_t opcode;
  uint32_t mi_flags;
  PtxNodeHandle location; /* whose debug location it gets; null: none */
  PtxNodeHandle machine;  /* whose memory operands and CFI type; null: none */
  const PtxNewOperand *operands;
  const PtxTie *ties;
  uint32_t num_operands, num_ties;
} PtxNewInstr;

/* Makes an instruction and inserts it at the insertion point. */
PtxInstr *ptx_emit_instr(PtxEmission *e, const PtxNewInstr *instr);
void ptx_emit_noop(PtxEmission *e);
void ptx_emit_dead_except(PtxEmission *e, PtxInstr *mi, const PtxReg *used,
                          uint32_t num);
void ptx_emit_implicit_use(PtxEmission *e, PtxInstr *mi, PtxReg reg);
/* Runs the target's hook for `mi`. `first` is the first instruction of the
 * node. Returns the first instruction afterwards, because the hook may replace
 * it. */
PtxInstr *ptx_emit_post_isel(PtxEmission *e, PtxInstr *mi, PtxInstr *first,
                             PtxNodeHandle node);
/* Whether the def of `reg` is an extension that the target sees through: the
 * register that it extends, and the part of `reg` that holds that. */
bool ptx_emit_coalescable_ext(PtxEmission *e, PtxReg reg, PtxReg *src,
                              uint32_t *subreg);

/* Extra information that the DAG keeps for a node. ptx_emit_mmra is for all
 * instructions from `first` on. */
bool ptx_emit_is_call(PtxInstr *mi);
bool ptx_emit_is_call_site(PtxInstr *mi);
void ptx_emit_call_site_info(PtxEmission *e, PtxInstr *mi, PtxNodeHandle node);
void ptx_emit_called_global(PtxEmission *e, PtxInstr *mi, PtxNodeHandle node);
void ptx_emit_no_merge(PtxEmission *e, PtxInstr *mi);
void ptx_emit_pc_sections(PtxEmission *e, PtxInstr *mi, PtxNodeHandle node);
void ptx_emit_mmra(PtxEmission *e, PtxInstr *first, PtxNodeHandle node);
void ptx_emit_heap_alloc(PtxEmission *e, PtxInstr *mi, PtxNodeHandle node);

/* Debug instructions. They are not in a block before ptx_emit_insert. */
void ptx_dbg_constant(PtxEmission *e, uint64_t constant, PtxDbgConstant *out);
/* The constant of a value with one location, and its expression, folded as far
 * as possible. */
void ptx_dbg_fold_constant(PtxEmission *e, PtxDbgValueId value,
                           PtxDbgConstant *out);
/* The only def of `reg` and the index of its operand; null if there is not
 * exactly one. */
PtxInstr *ptx_dbg_only_def(PtxEmission *e, PtxReg reg, uint32_t *index);
bool ptx_dbg_is_copy(PtxEmission *e, const PtxInstr *mi);
uint32_t ptx_dbg_number(PtxInstr *mi);

/* The expression of a debug instruction: */
#define PTX_EXPR_OF_VALUE 0 /* that of the debug value */
#define PTX_EXPR_GIVEN 1    /* `expression` */
#define PTX_EXPR_UNDEF 2    /* that of a value without a location */
/* Changes to the debug value's expression. */
#define PTX_EXPR_DEREF (1u << 4)       /* append a dereference */
#define PTX_EXPR_TO_VARIADIC (1u << 5) /* make it one of several locations */

PtxInstr *ptx_dbg_build(PtxEmission *e, PtxDbgValueId value, uint32_t opcode,
                        uint32_t expression_kind, const PtxMetadata *expression,
                        bool indirect, const PtxNewOperand *operands,
                        uint32_t num);
PtxInstr *ptx_dbg_label(PtxEmission *e, uint32_t label);
/* Before `before`, in its block. */
void ptx_emit_insert_before(PtxInstr *mi, PtxInstr *before);
/* Into the block: at the insertion point, or at its end. */
void ptx_emit_insert(PtxEmission *e, PtxInstr *mi);
void ptx_emit_append(PtxEmission *e, PtxInstr *mi);
/* Null is the end of the block. */
PtxInstr *ptx_emit_first_non_phi(PtxEmission *e);
PtxInstr *ptx_emit_first_terminator(PtxEmission *e);
PtxInstr *ptx_emit_insert_point(PtxEmission *e);
bool ptx_mi_is_debug_value(const PtxInstr *mi);
/* Drops the location of a debug value, and moves it before `before`. */
void ptx_emit_drop_location(PtxInstr *mi, PtxInstr *before);

/* The shim's arguments for one block. */
typedef struct PtxEmitRun {
  uint32_t pass;
  PtxFunction *mf;
  PtxEmission *emission;
} PtxEmitRun;

#ifdef __cplusplus
}
#endif
#endif
