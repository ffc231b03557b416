/*
 * The C ABI between LLVM and the Rust passes.
 *
 * This header is the whole boundary: `build.rs` runs bindgen over it, so every
 * type and function below has exactly one definition. The shim that
 * implements it only translates; it makes no decisions. Conventions:
 *
 * - `Ptx*` handle types are LLVM objects whose insides Rust never reads.
 * - A register is LLVM's own 32-bit number: bit 31 set means virtual, 0 none.
 * - An operand is passed as one packed `uint64_t` (see PTX_OP_*). That takes
 *   one call, and Rust needs no layout of an LLVM class.
 * - Functions named `ptx_*` are in C++. Rust is entered only through the table
 *   `ptx_entry_points`, which the compiler checks against the types below on
 *   both sides; no panic ever leaves it.
 */
#ifndef PTXPASSES_H
#define PTXPASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ptxpasses_emitter.h"
#include "ptxpasses_machine_records.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PtxIrFunction PtxIrFunction;       /* llvm::Function          */
typedef struct PtxFunction PtxFunction;           /* llvm::MachineFunction   */
typedef struct PtxBlock PtxBlock;                 /* llvm::MachineBasicBlock */
typedef struct PtxInstr PtxInstr;                 /* llvm::MachineInstr      */
typedef struct PtxLiveVariables PtxLiveVariables; /* llvm::LiveVariables     */
typedef struct PtxLiveIntervals PtxLiveIntervals; /* llvm::LiveIntervals     */
/* llvm::LiveRange: of a virtual register, of some of its lanes (a sub-range),
 * or of a register unit. It is freed with its interval. */
typedef struct PtxRange PtxRange;
typedef struct PtxVNInfo PtxVNInfo; /* llvm::VNInfo, a value of a range */
typedef struct PtxAliasAnalysis PtxAliasAnalysis; /* llvm::AAResults         */
typedef struct PtxSlotIndexes PtxSlotIndexes;     /* llvm::SlotIndexes       */
typedef struct PtxDominators PtxDominators; /* llvm::MachineDominatorTree   */
typedef struct PtxLoops PtxLoops;           /* llvm::MachineLoopInfo         */
typedef struct PtxFrequencies
    PtxFrequencies;                     /* llvm::MachineBlockFrequencyInfo */
typedef struct PtxLoop PtxLoop;         /* llvm::MachineLoop             */
typedef struct PtxHostPass PtxHostPass; /* the shim's HostPass, that runs    */
typedef struct PtxEdgeSplitter PtxEdgeSplitter;
typedef struct PtxTimer PtxTimer;
typedef struct PtxPassState PtxPassState; /* Rust's, one for each pass object */
typedef struct PtxOpcodes PtxOpcodes;     /* llvm::MCInstrInfo, of a target  */
typedef struct PtxGlobal PtxGlobal;       /* llvm::GlobalValue               */

/* A borrowed string, not NUL-terminated. */
typedef struct PtxStr {
  const char *data;
  size_t len;
} PtxStr;

/* ------------------------------------------------------------------ host */

/* Values of LLVM's own options. False if the host has no option of that
 * name. */
bool ptx_llvm_option_bool(PtxStr name, bool *value);
bool ptx_llvm_option_unsigned(PtxStr name, uint32_t *value);
/* A cl::opt<cl::boolOrDefault>. Also false if the command line leaves it
 * unset. */
bool ptx_llvm_option_bool_or_default(PtxStr name, bool *value);
/* Whether the command line gives the option. */
bool ptx_llvm_option_given(PtxStr name);

/* ------------------------------------------------- instruction operands */

/* Packed operand. Bits 32-63: the register, the low half of an immediate, or
 * the number of a block. Below: the kind and, for registers, the other fields.
 * These are where LLVM has them, so packing a register operand is a copy; that
 * is checked when the plugin is loaded. */
#define PTX_OP_KIND_SHIFT 0   /* 8 bits: PTX_OPERAND_* */
#define PTX_OP_SUBREG_SHIFT 8 /* 12 bits: sub-register index */
#define PTX_OP_TIED_SHIFT 20  /* 4 bits: not zero if tied */
#define PTX_OP_DEF_SHIFT 24
#define PTX_OP_IMPLICIT_SHIFT 25
#define PTX_OP_DEAD_OR_KILL_SHIFT 26 /* dead def, or use that kills */
#define PTX_OP_UNDEF_SHIFT 28
#define PTX_OP_INTERNAL_READ_SHIFT 29 /* reads a def of the same bundle */
#define PTX_OP_EARLY_CLOBBER_SHIFT 30 /* defs; see also ptx_mbb_read */
#define PTX_OP_DEBUG_SHIFT 31
#define PTX_OP_VALUE_SHIFT 32

typedef enum PtxOperandKind : uint8_t {
  PTX_OPERAND_REG,
  PTX_OPERAND_IMM,
  PTX_OPERAND_REGMASK,
  PTX_OPERAND_OTHER,
} PtxOperandKind;

/* The generic opcodes that passes distinguish. Only this list makes the two
 * sides agree on them. */
typedef enum PtxInstrKind : uint8_t {
  PTX_KIND_OTHER,
  PTX_KIND_PHI,
  PTX_KIND_COPY,
  PTX_KIND_IMPLICIT_DEF,
  PTX_KIND_REG_SEQUENCE,
  PTX_KIND_INSERT_SUBREG,
  PTX_KIND_EXTRACT_SUBREG,
  PTX_KIND_SUBREG_TO_REG,
  PTX_KIND_KILL,
  PTX_KIND_BUNDLE,
  PTX_KIND_INLINE_ASM,
  PTX_KIND_INLINE_ASM_BR,
  PTX_KIND_STATEPOINT,
  PTX_KIND_DEBUG, /* isDebugInstr */
} PtxInstrKind;

/* Flags of PtxInstrFacts: what kinds of operands there are. */
#define PTX_MI_TIED_USE (1u << 0)
#define PTX_MI_PHYS_DEF (1u << 1) /* the def of a physical register */
#define PTX_MI_PHYS_USE (1u << 2) /* the use of a physical register */
#define PTX_MI_REG_MASK (1u << 3)
/* It has an explicit def of a virtual register; more than one. */
#define PTX_MI_RESULT (1u << 4)
#define PTX_MI_SEVERAL_RESULTS (1u << 5)

/* The facts about an instruction that a walk over a block needs, in one
 * call. */
typedef struct PtxInstrFacts {
  PtxInstr
      *next; /* the next one of the block (bundles counted as one), or null */
  uint32_t num_operands;
  uint32_t flags;
  uint32_t opcode;
  PtxInstrKind kind;
} PtxInstrFacts;

/* ------------------------------------------------ reading a whole function */

/* PtxBlockFacts.flags */
#define PTX_MBB_EH_PAD (1u << 0)
#define PTX_MBB_HAS_LIVE_INS (1u << 1)
/* Some INLINEASM_BR may jump to it. */
#define PTX_MBB_ASM_BR_TARGET (1u << 2)

typedef struct PtxBlockFacts {
  uint32_t number;
  uint32_t flags;
  uint32_t num_successors;
  /* Register masks that take effect at the start of the block, or null. */
  const uint32_t *begin_mask, *eh_mask;
} PtxBlockFacts;

/* PtxInstrBuffer.flags */
#define PTX_READ_IN_BUNDLE (1u << 1) /* bundled with the one before it */
#define PTX_READ_EARLY_CLOBBER (1u << 2)
#define PTX_READ_REG_MASK (1u << 3)
#define PTX_READ_PHYSICAL (1u << 4) /* names a physical register */
#define PTX_READ_SUBREG (1u << 5)   /* names part of a virtual register */

/* Buffers for a run of instructions: handle, kind, flags and number of operands
 * of each; all operands in one row. */
typedef struct PtxInstrBuffer {
  PtxInstr **instrs;
  PtxInstrKind *kinds;
  uint8_t *flags;
  uint32_t *num_operands;
  uint32_t instr_capacity;
  uint64_t *operands;
  uint32_t operand_capacity;
} PtxInstrBuffer;

typedef struct PtxReadResult {
  PtxInstr *next;           /* where to go on, null at the end of the block */
  const uint32_t *end_mask; /* there the register mask that takes effect, or
                             * null */
  uint32_t num_instrs;
  uint32_t num_operands;
  bool debug; /* debug instructions were left out */
} PtxReadResult;

void ptx_mbb_facts(PtxBlock *mbb, PtxBlockFacts *out);
/* The successors' numbers, in LLVM's order. */
void ptx_mbb_successors(PtxBlock *mbb, uint32_t *out);
/* Reads instructions, including those inside bundles, from `first` (null: the
 * first of the block) until the buffers are full; a bundle is never cut. Debug
 * instructions and pseudo probes are left out. A use tied to an early-clobber
 * def has that flag too. `clear_kills`: first clears the kill flags of virtual
 * registers. */
PtxReadResult ptx_mbb_read(PtxBlock *mbb, PtxInstr *first,
                           const PtxInstrBuffer *buffer, bool clear_kills);

/* Properties of an instruction, named after LLVM's functions. */
#define PTX_PROP_DEBUG_OR_PSEUDO (1u << 0)
#define PTX_PROP_UNMODELED_SIDE_EFFECTS (1u << 1)
#define PTX_PROP_CALL (1u << 2)
#define PTX_PROP_BRANCH (1u << 3)
#define PTX_PROP_TERMINATOR (1u << 4)
#define PTX_PROP_COMMUTABLE (1u << 5)
#define PTX_PROP_CONVERTIBLE_TO_3ADDR (1u << 6)
#define PTX_PROP_CONVERTIBLE_TO_3ADDR_IN_BUNDLE (1u << 7)
#define PTX_PROP_MAY_LOAD (1u << 8)
#define PTX_PROP_MAY_STORE (1u << 9)
#define PTX_PROP_POSITION (1u << 10)
#define PTX_PROP_CONVERGENT (1u << 11)
#define PTX_PROP_NOT_DUPLICABLE (1u << 12)
#define PTX_PROP_MAY_RAISE_FP_EXCEPTION (1u << 13)
#define PTX_PROP_ORDERED_MEMORY_REF (1u << 14)
#define PTX_PROP_INVARIANT_LOAD (1u << 15) /* and dereferenceable */
/* Its opcode is the target's own. */
#define PTX_PROP_TARGET_OPCODE (1u << 16)
#define PTX_PROP_UNCONDITIONAL_BRANCH (1u << 17)

/* Flags that ptx_mi_set_operand_flag changes. */
typedef enum PtxOperandFlag : uint8_t {
  PTX_FLAG_KILL,
  PTX_FLAG_UNDEF,
  PTX_FLAG_DEAD,
  PTX_FLAG_EARLY_CLOBBER,
} PtxOperandFlag;

/* ------------------------------------------------------------- function */

uint32_t ptx_mf_number(const PtxFunction *mf);
uint32_t ptx_mf_num_virt_regs(const PtxFunction *mf);
uint64_t ptx_mf_instruction_count(const PtxFunction *mf);
void ptx_mf_leave_ssa(PtxFunction *mf);
void ptx_mf_set_tied_ops_rewritten(PtxFunction *mf);
PtxBlock *ptx_mf_first_block(PtxFunction *mf);
PtxBlock *ptx_mbb_next(PtxBlock *mbb);
PtxInstr *ptx_mbb_first(PtxBlock *mbb);
PtxInstr *ptx_mbb_last(PtxBlock *mbb);
void ptx_mf_set_no_phis(PtxFunction *mf);
/* Whether the target wants loops and conditionals to stay properly nested. */
bool ptx_mf_requires_structured_cfg(const PtxFunction *mf);
PtxBlock *ptx_mf_block_numbered(PtxFunction *mf, uint32_t number);
/* Records the block of a PHI with this debug number, and the register that its
 * value arrives in. */
void ptx_mf_add_debug_phi(PtxFunction *mf, uint32_t number, PtxBlock *mbb,
                          uint32_t reg);
uint32_t ptx_mbb_number(const PtxBlock *mbb);
/* Only PTX_MBB_EH_PAD and PTX_MBB_ASM_BR_TARGET. */
uint32_t ptx_mbb_flags(const PtxBlock *mbb);
uint32_t ptx_mbb_num_predecessors(const PtxBlock *mbb);
uint32_t ptx_mbb_num_successors(const PtxBlock *mbb);
PtxBlock *ptx_mbb_predecessor(PtxBlock *mbb, uint32_t index);
PtxBlock *ptx_mbb_successor(PtxBlock *mbb, uint32_t index);
/* Null is the end of the block, here and below. */
PtxInstr *ptx_mbb_first_terminator(PtxBlock *mbb);
PtxInstr *ptx_mbb_skip_phis_and_labels(PtxBlock *mbb, PtxInstr *from);
/* Moves [first, last) before `before`; a null `last` or `before` is the end of
 * the block. */
void ptx_mbb_splice(PtxBlock *mbb, PtxInstr *before, PtxInstr *first,
                    PtxInstr *last);
void ptx_mbb_insert_before(PtxBlock *mbb, PtxInstr *before, PtxInstr *mi);

/* Whether the metadata of the loop that the block's IR branch closes has an
 * entry of this name. `value` becomes the integer after the name, 0 if there is
 * none. */
bool ptx_mbb_loop_metadata(const PtxBlock *mbb, PtxStr name, uint64_t *value);
/* INLINEASM without operands, with side effects. The text is copied. */
PtxInstr *ptx_mbb_insert_assembly(PtxBlock *mbb, PtxInstr *before, PtxStr text);

/* ---------------------------------------------------------- instruction */

void ptx_mi_facts(PtxInstr *mi, PtxInstrFacts *out);
uint32_t ptx_mi_properties(const PtxInstr *mi);
uint32_t ptx_mi_num_operands(const PtxInstr *mi);
/* For an immediate operand. */
int64_t ptx_mi_immediate(const PtxInstr *mi, uint32_t index);
uint32_t ptx_mi_num_explicit_operands_of_desc(const PtxInstr *mi);
/* Of the instruction, without implicit operands. */
uint32_t ptx_mi_num_explicit_operands(const PtxInstr *mi);
uint32_t ptx_mi_num_defs_of_desc(const PtxInstr *mi);
PtxInstr *ptx_mi_next(PtxInstr *mi);
PtxInstr *ptx_mi_prev(PtxInstr *mi);
PtxBlock *ptx_mi_block(PtxInstr *mi);
PtxFunction *ptx_mi_function(PtxInstr *mi);
uint64_t ptx_mi_operand(const PtxInstr *mi, uint32_t index);
/* Fills `out[0..n)` with the packed operands; n must be their number. */
void ptx_mi_operands(const PtxInstr *mi, uint64_t *out, uint32_t n);
bool ptx_mi_regmask_clobbers(const PtxInstr *mi, uint32_t index,
                             uint32_t phys_reg);
const uint32_t *ptx_mi_regmask(const PtxInstr *mi, uint32_t index);
/* The def that the tied use `index` is tied to. */
uint32_t ptx_mi_tied_def(const PtxInstr *mi, uint32_t index);
/* The first operand of an INLINEASM's operand groups. */
uint32_t ptx_inline_asm_first_operand(void);
/* For an INLINEASM. */
PtxStr ptx_mi_assembly_text(const PtxInstr *mi);
bool ptx_mi_is_safe_to_move(const PtxInstr *mi, PtxAliasAnalysis *aa);
/* False unless it has exactly one. */
bool ptx_mi_only_mem_operand(const PtxInstr *mi, PtxMemOperand *out);
uint32_t ptx_mi_latency(const PtxInstr *mi);
/* Prints the function to stderr. */
void ptx_mf_print(const PtxFunction *mf);
uint32_t ptx_mi_opcode(const PtxInstr *mi);
PtxInstrKind ptx_mi_kind(const PtxInstr *mi);
bool ptx_mi_reads_register(const PtxInstr *mi, uint32_t reg);
/* By the flags of the operands that name exactly this register. */
bool ptx_mi_kills_register(const PtxInstr *mi, uint32_t reg);
/* 0: none */
uint32_t ptx_mi_debug_number(const PtxInstr *mi);
/* Removes it from its block; ptx_mi_delete then frees it. */
void ptx_mi_remove_from_block(PtxInstr *mi);
void ptx_mi_delete(PtxFunction *mf, PtxInstr *mi);
/* `reg = IMPLICIT_DEF` with the debug location of `like`. */
PtxInstr *ptx_mbb_insert_implicit_def(PtxBlock *mbb, PtxInstr *before,
                                      const PtxInstr *like, uint32_t reg);
/* Target hooks: the copy at the PHI, with the debug location of `like`, and the
 * copy in a predecessor, without one. */
PtxInstr *ptx_mbb_insert_phi_destination_copy(PtxBlock *mbb, PtxInstr *before,
                                              const PtxInstr *like,
                                              uint32_t src, uint32_t dst);
PtxInstr *ptx_mbb_insert_phi_source_copy(PtxBlock *mbb, PtxInstr *before,
                                         uint32_t src, uint32_t src_subreg,
                                         uint32_t dst);

void ptx_mi_set_operand_reg(PtxInstr *mi, uint32_t index, uint32_t reg,
                            uint32_t subreg);
void ptx_mi_set_operand_subreg(PtxInstr *mi, uint32_t index, uint32_t subreg);
void ptx_mi_set_operand_flag(PtxInstr *mi, uint32_t index, PtxOperandFlag which,
                             bool value);
void ptx_mi_remove_operand(PtxInstr *mi, uint32_t index);
/* Turns it into a COPY, an IMPLICIT_DEF or a KILL. */
void ptx_mi_set_kind(PtxInstr *mi, PtxInstrKind kind);
/* Removes it, or the bundle that it heads, from its block. It stays in memory
 * until the run ends: ptx_run_end frees the run's erased instructions. */
void ptx_mi_erase(PtxInstr *mi);
void ptx_run_end(void);
/* The current run's changes to its function, made by those calls below that
 * passes outside this project may use: code, or only kill and dead flags. A
 * call that changes nothing does not count, nor does a new register. */
#define PTX_EDITED_CODE (1u << 0)
#define PTX_EDITED_FLAGS (1u << 1)
/* The first virtual register that violates SSA form's single def: it has more
 * than one def, or it is read and has none. 0 if there is none. */
uint32_t ptx_mf_not_ssa(const PtxFunction *mf, uint32_t *num_defs);
void ptx_run_forget_edits(void);
uint32_t ptx_run_edits(void);
/* How many instructions the current run has erased; with `indexes`, how many of
 * those still have a slot there. */
size_t ptx_run_num_erased(const PtxSlotIndexes *indexes);
/* Removes it and frees it at once, as LLVM's passes do. */
void ptx_mi_free(PtxInstr *mi);
/* Gives the instruction another opcode and clears its flags; operands stay. */
void ptx_mi_set_opcode(PtxInstr *mi, uint32_t opcode);
/* Turns operand `index` into an immediate; appends one. */
void ptx_mi_set_immediate(PtxInstr *mi, uint32_t index, int64_t value);
void ptx_mi_add_immediate(PtxInstr *mi, int64_t value);
/* The global in operand `index`; null if there is none. */
PtxGlobal *ptx_mi_global(const PtxInstr *mi, uint32_t index);
/* Inserts a clone of an instruction that defines one register, before `before`
 * (null: the end of the block), with the debug location of `at`. Returns the
 * new register that the clone defines. */
uint32_t ptx_mi_clone_before(const PtxInstr *mi, PtxBlock *mbb,
                             PtxInstr *before, const PtxInstr *at);
/* Moves it, from any block, before `before` (null: the end of the block). */
void ptx_mi_move_before(PtxInstr *mi, PtxBlock *mbb, PtxInstr *before);
/* `dst = COPY src:src_subreg` before `before`, with its debug location. */
PtxInstr *ptx_mi_insert_copy(PtxInstr *before, uint32_t dst, uint32_t src,
                             uint32_t src_subreg);
/* `dst:dst_subreg = COPY <operand index of before>` before `before`. */
PtxInstr *ptx_mi_insert_copy_of_operand(PtxInstr *before, uint32_t dst,
                                        uint32_t dst_subreg, uint32_t index);
/* Replaces `from` by `to` in every operand of the instructions inside the
 * bundle `mi`. */
void ptx_mi_replace_reg_in_bundle(PtxInstr *mi, uint32_t from, uint32_t to);

/* Target hooks. */
bool ptx_mi_operands_commute(const PtxInstr *mi, uint32_t *a, uint32_t *b);
/* The same with any partner of `a`, which is stored to `b`. */
bool ptx_mi_commutes_with_any(const PtxInstr *mi, uint32_t a, uint32_t *b);
bool ptx_mi_commute(PtxInstr *mi, uint32_t a, uint32_t b);
bool ptx_mi_commute_preference(const PtxInstr *mi, bool *commute);
PtxInstr *ptx_mi_convert_to_three_address(PtxInstr *mi, PtxLiveVariables *lv,
                                          PtxLiveIntervals *lis);
/* makeDebugValueSubstitution for the first def of each; `from` has a number. */
void ptx_mi_substitute_debug_value(PtxInstr *from, PtxInstr *to);
/* The operation of an instruction whose folded load is split off. */
typedef struct PtxUnfoldedLoad {
  uint32_t opcode;
  uint32_t num_defs;  /* of its description */
  uint32_t reg_index; /* the operand that is loaded */
} PtxUnfoldedLoad;
/* False if the target cannot split one off. */
bool ptx_mi_unfolded_load(const PtxInstr *mi, PtxUnfoldedLoad *out);
/* Splits the load off `mi` into two instructions, which are not in a block yet.
 * The loaded value is in a new register. */
bool ptx_mi_unfold_load(PtxInstr *mi, const PtxUnfoldedLoad *unfolded,
                        PtxInstr **load, PtxInstr **op, uint32_t *reg);
/* With `add_if_not_found`, an instruction that does not name `reg` gets an
 * implicit operand. If `reg` is physical, implicit operands of its parts with
 * the same flag are removed. */
void ptx_mi_add_register_killed(PtxInstr *mi, uint32_t reg,
                                bool add_if_not_found);
void ptx_mi_add_register_dead(PtxInstr *mi, uint32_t reg,
                              bool add_if_not_found);
/* Appends an implicit operand; `kill` is for uses. */
void ptx_mi_add_implicit(PtxInstr *mi, uint32_t reg, bool def, bool kill);
bool ptx_mi_def_is_dead(const PtxInstr *mi, uint32_t reg);

/* ------------------------------------------------------------ registers */

/* An operand that names a register. */
typedef struct PtxRegOperand {
  PtxInstr *instr;
  uint32_t index;
  uint64_t operand;
} PtxRegOperand;

/* The operands that name `reg`, or only its defs, in the order of LLVM's
 * chain: defs first. Returns how many there are; nothing is written past
 * `capacity`. */
size_t ptx_mri_operands(PtxFunction *mf, uint32_t reg, bool defs_only,
                        PtxRegOperand *out, size_t capacity);
/* The first def of a virtual register, its kind, and whether it is a terminator
 * whose result can be neither spilled nor copied after it. */
PtxInstr *ptx_mri_def(PtxFunction *mf, uint32_t reg, PtxInstrKind *kind,
                      bool *is_unspillable_terminator);
/* Narrows the class of virtual `reg` to one that `like` allows too; false if
 * there is none. */
bool ptx_mri_constrain_class_like(PtxFunction *mf, uint32_t reg, uint32_t like);
/* Gives virtual `reg` the class of the result of `opcode`. */
void ptx_mri_set_class_of_result(PtxFunction *mf, uint32_t reg,
                                 uint32_t opcode);
/* A new virtual register of the class of the result of `opcode`. */
uint32_t ptx_mri_new_result(PtxFunction *mf, uint32_t opcode);
/* A new virtual register of the class of `like`. */
uint32_t ptx_mri_new_reg_like(PtxFunction *mf, uint32_t like);
/* Whether only debug instructions, if any, read `reg`. */
bool ptx_mri_use_nodbg_empty(const PtxFunction *mf, uint32_t reg);
void ptx_mri_replace_reg(PtxFunction *mf, uint32_t from, uint32_t to);
bool ptx_mri_tracks_subreg_liveness(const PtxFunction *mf, uint32_t reg);
bool ptx_tri_regs_overlap(const PtxFunction *mf, uint32_t a, uint32_t b);
uint64_t ptx_tri_lane_mask(const PtxFunction *mf, uint32_t subreg);
/* First bit and size of a sub-register index; the bit is 65535 if it is not
 * contiguous. */
void ptx_tri_subreg_bits(const PtxFunction *mf, uint32_t subreg,
                         uint32_t *offset, uint32_t *size);

/* The target's opcodes. */
const PtxOpcodes *ptx_mf_opcodes(const PtxFunction *mf);
/* The opcode of this name; UINT32_MAX if there is none. The search goes from
 * opcode `near` in both directions. */
uint32_t ptx_opcode_named(const PtxOpcodes *opcodes, PtxStr name,
                          uint32_t near);
/* The global of this name in the function's module, or null. */
PtxGlobal *ptx_mf_global(const PtxFunction *mf, PtxStr name);
PtxStr ptx_global_name(const PtxGlobal *global);
uint32_t ptx_global_space(const PtxGlobal *global);
/* The alignment of its address, in bytes. */
uint64_t ptx_global_alignment(const PtxGlobal *global);
/* The IR function that it was made from. */
const PtxIrFunction *ptx_mf_ir(const PtxFunction *mf);
PtxStr ptx_ir_name(const PtxIrFunction *f);
/* Whether its calling convention is that of kernels. Older producers of IR say
 * it by an annotation. */
bool ptx_ir_has_kernel_convention(const PtxIrFunction *f);
PtxStr ptx_ir_module_name(const PtxIrFunction *f);
/* The value of a function's attribute; empty if it has none. */
PtxStr ptx_ir_attribute(const PtxIrFunction *f, PtxStr name);
typedef struct PtxAnnotation {
  PtxStr name;
  uint64_t value;
} PtxAnnotation;
/* The numbers that !nvvm.annotations gives the function, in order. Returns how
 * many there are; nothing is written past `capacity`. */
size_t ptx_ir_annotations(const PtxIrFunction *f, PtxAnnotation *out,
                          size_t capacity);
bool ptx_mf_is_ssa(const PtxFunction *mf);
bool ptx_mf_is_nvptx(const PtxFunction *mf);
uint32_t ptx_mf_num_block_ids(const PtxFunction *mf);
bool ptx_mf_subreg_liveness_enabled(const PtxFunction *mf);
/* The subtarget's default; the command line may override it. */
bool ptx_mf_machine_scheduler_enabled(const PtxFunction *mf);
uint32_t ptx_mri_class_id(const PtxFunction *mf, uint32_t reg);
PtxStr ptx_mri_class_name(const PtxFunction *mf, uint32_t reg);
uint32_t ptx_mri_class_bits(const PtxFunction *mf, uint32_t reg);

/* ------------------------------------------------ slots and dominators */

/* For use without LiveIntervals, which updates its SlotIndexes itself. */
void ptx_slots_insert_instr(PtxSlotIndexes *slots, PtxInstr *mi);
void ptx_slots_remove_instr(PtxSlotIndexes *slots, PtxInstr *mi);

/* For each block in layout order its start, then its instructions; after the
 * last block its end: LLVM's SlotIndex of each, as bits. Returns how many there
 * are; nothing is written past `capacity`. */
size_t ptx_slots_read(PtxSlotIndexes *slots, PtxFunction *mf, uint64_t *bits,
                      size_t capacity);
/* The numbers by which LLVM orders them. */
void ptx_slots_numbers(PtxSlotIndexes *slots, const uint64_t *bits, size_t n,
                       uint32_t *numbers);
/* By layout position of a block, the position of its immediate dominator;
 * UINT32_MAX for the entry and for unreachable blocks. `reachable` is 0 or
 * 1. */
void ptx_dominators_read(PtxDominators *dominators, PtxFunction *mf,
                         uint32_t *idom, uint8_t *reachable);

/* An operand in the order of LLVM's chain of a register. */
typedef struct PtxChainOperand {
  PtxInstr *instr;
  uint64_t operand; /* as in ptx_mbb_read */
  uint32_t index;   /* of the operand */
  /* SlotIndex number of the instruction. For a PHI's use, the number of the
   * block at whose end it reads, and `phi_use` is set. */
  uint32_t number;
  bool phi_use;
} PtxChainOperand;
/* The operands of `reg`, except those of debug instructions. Returns how many
 * there are; nothing is written past `capacity`. */
size_t ptx_slots_chain(PtxSlotIndexes *slots, PtxFunction *mf, uint32_t reg,
                       PtxChainOperand *out, size_t capacity);

/* The instructions that define virtual `reg`, one for each operand, in the
 * order of its chain; for a bundle its head. As above. */
size_t ptx_mri_def_chain(PtxFunction *mf, uint32_t reg, PtxInstr **out,
                         size_t capacity);

/* --------------------------------------------------- physical registers */

/* How many there are, and how many of them, from the first on, this function's
 * subtarget has. */
uint32_t ptx_tri_num_registers(const PtxFunction *mf);
uint32_t ptx_tri_num_supported_registers(const PtxFunction *mf);
/* The target's register table. It is constant: the same address means the same
 * registers and parts. */
const void *ptx_tri_table(const PtxFunction *mf);
/* The parts of `reg`, and the registers that contain it, in LLVM's order. */
size_t ptx_tri_sub_registers(const PtxFunction *mf, uint32_t reg, uint32_t *out,
                             size_t capacity);
size_t ptx_tri_super_registers(const PtxFunction *mf, uint32_t reg,
                               uint32_t *out, size_t capacity);
bool ptx_tri_in_allocatable_class(const PtxFunction *mf, uint32_t reg);
size_t ptx_mri_reserved_registers(const PtxFunction *mf, uint32_t *out,
                                  size_t capacity);
/* The registers that are live into `mbb`. */
size_t ptx_mbb_live_ins(const PtxBlock *mbb, uint32_t *out, size_t capacity);
/* The packed operands of the PHIs of `mbb`, one PHI after the other: each
 * begins with its only def. Returns how many there are; nothing is written past
 * `capacity`. */
size_t ptx_mbb_phi_operands(PtxBlock *mbb, uint64_t *out, size_t capacity);

/* -------------------------------------------------------- register units */

/* The register units of the live-ins of `mbb`, in LLVM's order, possibly with
 * repetitions. */
size_t ptx_mbb_live_in_units(PtxBlock *mbb, uint32_t *out, size_t capacity);
/* The physical registers that contain `unit`, in the order in which LLVM visits
 * them. */
size_t ptx_unit_registers(const PtxFunction *mf, uint32_t unit, uint32_t *out,
                          size_t capacity);
bool ptx_unit_is_reserved(const PtxFunction *mf, uint32_t unit);
/* The units of a physical register. As above. */
size_t ptx_tri_units(const PtxFunction *mf, uint32_t reg, uint32_t *out,
                     size_t capacity);
/* The roots of a unit. As above. */
size_t ptx_unit_roots(const PtxFunction *mf, uint32_t unit, uint32_t *out,
                      size_t capacity);
bool ptx_mri_is_reserved(const PtxFunction *mf, uint32_t reg);

/* -------------------------------------------------------- LiveVariables */

/* Makes an empty entry for `reg` if there is none. */
void ptx_lv_create_var_info(PtxLiveVariables *lv, uint32_t reg);
PtxInstr *ptx_lv_find_kill(PtxLiveVariables *lv, uint32_t reg, PtxBlock *mbb);
/* Whether `mi` is one of the kills of `reg`. */
bool ptx_lv_is_kill(PtxLiveVariables *lv, uint32_t reg, const PtxInstr *mi);
/* VarInfo::removeKill */
bool ptx_lv_remove_kill(PtxLiveVariables *lv, uint32_t reg, PtxInstr *mi);
/* removeVirtualRegisterKilled: the kill and the operand's flag */
bool ptx_lv_remove_killed(PtxLiveVariables *lv, uint32_t reg, PtxInstr *mi);
void ptx_lv_add_killed(PtxLiveVariables *lv, uint32_t reg, PtxInstr *mi);
void ptx_lv_replace_kill(PtxLiveVariables *lv, uint32_t reg, PtxInstr *from,
                         PtxInstr *to);
bool ptx_lv_remove_dead(PtxLiveVariables *lv, uint32_t reg, PtxInstr *mi);
void ptx_lv_add_dead(PtxLiveVariables *lv, uint32_t reg, PtxInstr *mi);
/* Empties the entry of `reg`, which no longer exists. */
void ptx_lv_clear(PtxLiveVariables *lv, uint32_t reg);
/* Recomputes where a register with one def lives and ends, including kill
 * flags. */
void ptx_lv_recompute(PtxLiveVariables *lv, uint32_t reg);
/* Says that `reg` lives through no block. */
void ptx_lv_clear_alive(PtxLiveVariables *lv, uint32_t reg);
/* Adds the blocks that `from` lives through to those of `into`. */
void ptx_lv_add_alive(PtxLiveVariables *lv, uint32_t into, uint32_t from);

bool ptx_lv_is_live_in(PtxLiveVariables *lv, uint32_t reg, PtxBlock *mbb);
bool ptx_lv_is_live_out(PtxLiveVariables *lv, uint32_t reg, PtxBlock *mbb);
/* VarInfo's facts about a block. */
#define PTX_LV_ALIVE (1u << 0)  /* the register lives through it */
#define PTX_LV_KILLED (1u << 1) /* it has a kill in it */
/* The flags above, for blocks given by number. */
void ptx_lv_block_flags(PtxLiveVariables *lv, uint32_t reg,
                        const uint32_t *blocks, size_t num_blocks,
                        uint8_t *out);
/* Numbers of the blocks in which `reg` is alive, and of the blocks of its
 * kills. Return how many there are; nothing is written past `capacity`. */
size_t ptx_lv_alive_blocks(PtxLiveVariables *lv, uint32_t reg, uint32_t *out,
                           size_t capacity);
size_t ptx_lv_kill_blocks(PtxLiveVariables *lv, uint32_t reg, uint32_t *out,
                          size_t capacity);
/* The instructions that kill it. As above. */
size_t ptx_lv_kills(PtxLiveVariables *lv, uint32_t reg, PtxInstr **out,
                    size_t capacity);
/* Makes `mi`, in the block with this number, a kill of `reg`, and flags its
 * operand; `reg` then does not live through the block. */
void ptx_lv_end_at(PtxLiveVariables *lv, uint32_t reg, PtxInstr *mi,
                   uint32_t block);

/* Says that `reg` does not live through the block with this number. */
void ptx_lv_end_alive(PtxLiveVariables *lv, uint32_t reg, uint32_t block);

typedef struct PtxLiveVariablesFill {
  PtxInstr *const *instrs; /* by entry */
  const PtxVarInfo *infos;
  size_t num_infos;
  const uint32_t *alive;
  const uint32_t *kills;
} PtxLiveVariablesFill;
/* Connects `lv`, which must be empty, to the function and fills in local
 * registers: those that are DEFINED, but neither MANY_DEFS nor GLOBAL. There is
 * room for `num_new_regs` more, so that PHI elimination need not move all of
 * them when it makes registers. */
void ptx_lv_begin(PtxLiveVariables *lv, PtxFunction *mf,
                  PtxInstr *const *instrs, const PtxVarFlags *flags,
                  const PtxPiece *pieces, size_t num_regs, size_t num_new_regs);
/* Whether it has facts about any register. */
bool ptx_lv_is_filled(const PtxLiveVariables *lv);
/* Flags as LiveVariables sets them. */
typedef enum PtxFlagEditKind : uint8_t {
  PTX_EDIT_SET_KILL,
  PTX_EDIT_CLEAR_KILL,
  PTX_EDIT_DEAD, /* addRegisterDead */
} PtxFlagEditKind;
typedef struct PtxFlagEdit {
  PtxInstr *instr;
  uint32_t at; /* position of the operand; with PTX_EDIT_DEAD the register */
  PtxFlagEditKind kind;
} PtxFlagEdit;
void ptx_lv_edit_flags(const PtxFlagEdit *edits, size_t n);
/* Fills in other registers. */
void ptx_lv_fill(PtxLiveVariables *lv, const PtxLiveVariablesFill *fill);

/* -------------------------------------------------------- LiveIntervals */

typedef struct PtxRegMask {
  uint32_t slot;
  const uint32_t *bits;
} PtxRegMask;
/* Some ranges. */
typedef struct PtxLiveRanges {
  const uint64_t *slots;
  const PtxLiveRange *ranges;
  size_t num_ranges;
  const PtxSlot *values;
  const PtxSegment *segments;
} PtxLiveRanges;
typedef struct PtxRegMasks {
  const uint64_t *slots;
  const PtxRegMask *masks;
  size_t num_masks;
  /* By block number: position of the first mask, and number of masks. */
  const uint32_t (*blocks)[2];
  size_t num_blocks;
} PtxRegMasks;
/* Connects `lis`, which must be empty, to the function. If LLVM asks for an
 * interval that was not filled in, its own code computes it. */
void ptx_lis_connect(PtxLiveIntervals *lis, PtxFunction *mf,
                     PtxSlotIndexes *indexes, PtxDominators *dominators);
/* Fill `lis`, which must be connected: local registers, other registers (some
 * at a time), register units, register masks. */
void ptx_lis_fill_local(PtxLiveIntervals *lis, const uint64_t *slots,
                        const PtxVarFlags *flags, const PtxPiece *pieces,
                        size_t num_regs);
void ptx_lis_fill_registers(PtxLiveIntervals *lis, const PtxLiveRanges *ranges);
void ptx_lis_fill_units(PtxLiveIntervals *lis, const PtxLiveRanges *ranges);
void ptx_lis_fill_masks(PtxLiveIntervals *lis, const PtxRegMasks *masks);
/* Whether `lis` is complete: stock has computed it, or it was filled in. */
bool ptx_lis_is_filled(const PtxLiveIntervals *lis);
/* The values of `reg`'s interval, by number: the SlotIndex number of the
 * instruction or block start of each def, UINT32_MAX for an unused value.
 * Returns how many there are, 0 if there is no interval; nothing is written
 * past `capacity`. */
size_t ptx_lis_values(PtxLiveIntervals *lis, PtxSlotIndexes *slots,
                      uint32_t reg, uint32_t *out, size_t capacity);
/* Whether the first of the ranges overlaps that of a register unit, which is
 * computed if necessary. */
bool ptx_lis_overlaps_unit(PtxLiveIntervals *lis, const PtxLiveRanges *all,
                           uint32_t unit);
/* Whether a register mask clobbers `phys` where the first of the ranges, that
 * of a virtual register, is live. */
bool ptx_lis_mask_clobbers(PtxLiveIntervals *lis, const PtxLiveRanges *all,
                           uint32_t phys);
/* LiveIntervals::splitSeparateComponents for the interval of `reg`. */
void ptx_lis_split_components(PtxLiveIntervals *lis, uint32_t reg);

/* A point of the function: llvm::SlotIndex, as bits. */
typedef uint64_t PtxSlotBits;
/* The slot `kind` of the same instruction or block start. */
PtxSlotBits ptx_slot_at(PtxSlotBits slot, PtxSlotKind kind);
PtxSlotBits ptx_slot_prev(PtxSlotBits slot);
/* Whether `a` comes before `b`. */
bool ptx_slot_is_before(PtxSlotBits a, PtxSlotBits b);

bool ptx_lis_has_instr(const PtxLiveIntervals *lis, const PtxInstr *mi);
PtxSlotBits ptx_lis_instr_slot(const PtxLiveIntervals *lis, const PtxInstr *mi);
/* The instruction of a slot, or null. */
PtxInstr *ptx_lis_instr_at(const PtxLiveIntervals *lis, PtxSlotBits slot);
PtxSlotBits ptx_lis_block_start(const PtxLiveIntervals *lis,
                                const PtxBlock *mbb);
PtxSlotBits ptx_lis_block_end(const PtxLiveIntervals *lis, const PtxBlock *mbb);
/* Gives the new `mi` a slot, and returns it. */
PtxSlotBits ptx_lis_insert_instr(PtxLiveIntervals *lis, PtxInstr *mi);
void ptx_lis_remove_instr(PtxLiveIntervals *lis, PtxInstr *mi);
void ptx_lis_handle_move(PtxLiveIntervals *lis, PtxInstr *mi);
void ptx_lis_repair(PtxLiveIntervals *lis, PtxBlock *mbb, PtxInstr *begin,
                    PtxInstr *end, const uint32_t *regs, size_t num_regs);
/* addSegmentToEndOfBlock */
void ptx_lis_live_to_end(PtxLiveIntervals *lis, uint32_t reg, PtxInstr *mi);

bool ptx_lis_has_interval(const PtxLiveIntervals *lis, uint32_t reg);
/* getInterval, which computes it if there is none. */
PtxRange *ptx_lis_interval(PtxLiveIntervals *lis, uint32_t reg);
PtxRange *ptx_lis_create_empty_interval(PtxLiveIntervals *lis, uint32_t reg);
/* createAndComputeVirtRegInterval */
void ptx_lis_compute_interval(PtxLiveIntervals *lis, uint32_t reg);
void ptx_lis_remove_interval(PtxLiveIntervals *lis, uint32_t reg);
void ptx_lis_shrink_to_uses(PtxLiveIntervals *lis, uint32_t reg);
typedef struct PtxSubRange {
  PtxRange *range;
  uint64_t lanes;
} PtxSubRange;
/* The sub-ranges of `reg`'s interval. Returns how many there are; nothing is
 * written past `capacity`. */
size_t ptx_lis_sub_ranges(PtxLiveIntervals *lis, uint32_t reg, PtxSubRange *out,
                          size_t capacity);
/* The range of a register unit. If there is none, the first function computes
 * it, and the second returns null. */
PtxRange *ptx_lis_unit(PtxLiveIntervals *lis, uint32_t unit);
PtxRange *ptx_lis_cached_unit(PtxLiveIntervals *lis, uint32_t unit);

bool ptx_range_overlaps(const PtxRange *a, const PtxRange *b);
size_t ptx_range_num_segments(const PtxRange *range);
/* The position of the first segment that ends after `slot`; the number of
 * segments if there is none. */
size_t ptx_range_find(const PtxRange *range, PtxSlotBits slot);
typedef struct PtxRangeSegment {
  PtxSlotBits start, end;
  PtxVNInfo *value;
} PtxRangeSegment;
PtxRangeSegment ptx_range_segment(const PtxRange *range, size_t index);
void ptx_range_set_end(PtxRange *range, size_t index, PtxSlotBits end);
void ptx_range_add_segment(PtxRange *range, PtxSlotBits start, PtxSlotBits end,
                           PtxVNInfo *value);
void ptx_range_remove_segment(PtxRange *range, PtxSlotBits start,
                              PtxSlotBits end);
size_t ptx_range_num_values(const PtxRange *range);
PtxVNInfo *ptx_range_value(PtxRange *range, size_t number);
/* getVNInfoAt, and valueOut of Query. Null if no value is live there. */
PtxVNInfo *ptx_range_value_at(const PtxRange *range, PtxSlotBits slot);
PtxVNInfo *ptx_range_value_out(const PtxRange *range, PtxSlotBits slot);
/* getNextValue, createValueCopy, createDeadDef */
PtxVNInfo *ptx_range_next_value(PtxRange *range, PtxLiveIntervals *lis,
                                PtxSlotBits def);
PtxVNInfo *ptx_range_create_value_copy(PtxRange *range, PtxLiveIntervals *lis,
                                       const PtxVNInfo *value);
void ptx_range_create_dead_def(PtxRange *range, PtxLiveIntervals *lis,
                               PtxSlotBits def);
/* removeValNo, MergeValueNumberInto */
void ptx_range_remove_value(PtxRange *range, PtxVNInfo *value);
void ptx_range_merge_value(PtxRange *range, PtxVNInfo *from, PtxVNInfo *into);
uint32_t ptx_value_number(const PtxVNInfo *value);
PtxSlotBits ptx_value_def(const PtxVNInfo *value);
void ptx_value_set_def(PtxVNInfo *value, PtxSlotBits def);

/* ------------------------------------------------- for a general pass */

/* The name of the IR block that it was made from; empty if there is none. */
PtxStr ptx_mbb_name(const PtxBlock *mbb);
bool ptx_mbb_is_entry(const PtxBlock *mbb);

/* Kinds and flags of an operand that a pass gives a new instruction. */
typedef enum PtxGivenKind : uint32_t {
  PTX_GIVEN_REG,    /* `reg`, `subreg`, `flags` */
  PTX_GIVEN_IMM,    /* `imm` */
  PTX_GIVEN_BLOCK,  /* `block` */
  PTX_GIVEN_FLOAT,  /* `flags`: PTX_FLOAT_*; `imm`: its bits */
  PTX_GIVEN_GLOBAL, /* `global`; `imm`: the offset */
  PTX_GIVEN_SYMBOL, /* `symbol`, which is copied */
} PtxGivenKind;
#define PTX_GIVEN_DEF (1u << 0)
#define PTX_GIVEN_IMPLICIT (1u << 1)
#define PTX_GIVEN_KILL (1u << 2)
#define PTX_GIVEN_DEAD (1u << 3)
#define PTX_GIVEN_UNDEF (1u << 4)
typedef enum PtxFloatType : uint32_t {
  PTX_FLOAT_HALF,
  PTX_FLOAT_BFLOAT,
  PTX_FLOAT_SINGLE,
  PTX_FLOAT_DOUBLE,
} PtxFloatType;
typedef struct PtxGivenOperand {
  PtxGivenKind kind;
  uint32_t flags;
  uint32_t reg, subreg;
  int64_t imm;
  PtxBlock *block;
  PtxGlobal *global;
  PtxStr symbol;
} PtxGivenOperand;
/* A memory operand that a pass gives a new instruction. */
typedef struct PtxGivenAccess {
  uint64_t size;      /* in bytes */
  uint64_t alignment; /* of the address: a power of two */
  uint32_t address_space;
  uint32_t flags;    /* PTX_ACCESS_*, not PTX_ACCESS_ATOMIC */
  PtxGlobal *global; /* where it is; null: not known */
  int64_t offset;    /* from there */
} PtxGivenAccess;
typedef struct PtxGivenInstr {
  uint32_t opcode;
  const PtxGivenOperand *operands;
  size_t num_operands;
  const PtxGivenAccess *accesses;
  size_t num_accesses;
  /* The instruction whose memory operands it gets in addition, or null. */
  const PtxInstr *memory_of;
} PtxGivenInstr;
/* Inserts an instruction before `before`, with its debug location. Null is the
 * end of the block; there it has no debug location. */
PtxInstr *ptx_mbb_insert_new(PtxBlock *mbb, PtxInstr *before,
                             const PtxGivenInstr *given);
/* The same after `mi`, or after all PHIs and labels of its block if `mi` is a
 * PHI, with the debug location of `mi`. */
PtxInstr *ptx_mi_insert_new_after(PtxInstr *mi, const PtxGivenInstr *given);
/* Turns `mi` into such an instruction, without flags. It keeps its explicit
 * defs, and `given` must have none. */
void ptx_mi_change_to(PtxInstr *mi, const PtxGivenInstr *given);
/* The type and the bits of an operand that is a constant of a PtxFloatType;
 * false if it is not one. */
bool ptx_mi_float(const PtxInstr *mi, uint32_t index, PtxFloatType *type,
                  uint64_t *bits);

#define PTX_ACCESS_LOAD (1u << 0)
#define PTX_ACCESS_STORE (1u << 1)
#define PTX_ACCESS_VOLATILE (1u << 2)
#define PTX_ACCESS_ATOMIC (1u << 3)
#define PTX_ACCESS_INVARIANT (1u << 4)
#define PTX_ACCESS_DEREFERENCEABLE (1u << 5)
/* A memory operand of an instruction. */
typedef struct PtxMemoryAccess {
  uint64_t size; /* in bytes; UINT64_MAX: not known */
  uint64_t alignment;
  uint32_t address_space;
  uint32_t flags; /* PTX_ACCESS_* */
} PtxMemoryAccess;
/* Returns how many there are; nothing is written past `capacity`. */
size_t ptx_mi_memory_accesses(const PtxInstr *mi, PtxMemoryAccess *out,
                              size_t capacity);
typedef struct PtxDebugLocation {
  PtxStr file;
  uint32_t line, column;
} PtxDebugLocation;
/* False if it has no location. */
bool ptx_mi_debug_location(const PtxInstr *mi, PtxDebugLocation *out);

/* A new virtual register of a class, given by number. */
uint32_t ptx_mri_new_reg(PtxFunction *mf, uint32_t class_id);
uint32_t ptx_tri_num_classes(const PtxFunction *mf);
PtxStr ptx_tri_class_name(const PtxFunction *mf, uint32_t class_id);
PtxStr ptx_tri_register_name(const PtxFunction *mf, uint32_t reg);

/* An unreachable block is dominated by every block, and dominates no other. */
bool ptx_dominators_dominate(const PtxDominators *dominators, const PtxBlock *a,
                             const PtxBlock *b);
/* Null for the entry and for unreachable blocks. */
PtxBlock *ptx_dominators_immediate(PtxDominators *dominators, PtxBlock *mbb);

/* The loop around it, or null. */
PtxLoop *ptx_loop_parent(PtxLoop *loop);
/* Its blocks, the header first. As above. */
size_t ptx_loop_blocks(PtxLoop *loop, PtxBlock **out, size_t capacity);

/* A segment of an interval, by the numbers by which LLVM orders slots. */
typedef struct PtxLiveSegment {
  uint32_t start, end, value;
} PtxLiveSegment;
/* For a virtual register that has an interval. As above. */
size_t ptx_lis_segments(const PtxLiveIntervals *lis, uint32_t reg,
                        PtxLiveSegment *out, size_t capacity);
/* The number of an instruction's first slot. False if it has none, as a debug
 * instruction or a new instruction. */
bool ptx_lis_number(const PtxLiveIntervals *lis, const PtxInstr *mi,
                    uint32_t *out);
bool ptx_lis_is_live_in(const PtxLiveIntervals *lis, uint32_t reg,
                        const PtxBlock *mbb);
bool ptx_lis_is_live_out(const PtxLiveIntervals *lis, uint32_t reg,
                         const PtxBlock *mbb);

/* ------------------------------------------------------------ coalescing */

bool ptx_mf_exposes_returns_twice(const PtxFunction *mf);
/* The subtarget's default of -join-globalcopies. */
bool ptx_mf_join_global_copies(const PtxFunction *mf);
bool ptx_mf_has_debug_phis(const PtxFunction *mf);
uint32_t ptx_loop_depth(const PtxLoops *loops, const PtxBlock *mbb);
/* The frequency of each block, by its number, in the unit of
 * MachineBlockFrequencyInfo. `out` has room for all numbers; numbers without a
 * block are left unchanged. */
void ptx_block_frequencies(const PtxFrequencies *frequencies,
                           const PtxFunction *mf, uint64_t *out);
bool ptx_mbb_has_eh_pad_successor(const PtxBlock *mbb);
/* The common sub-class of both, by number; UINT32_MAX if there is none. */
uint32_t ptx_tri_common_sub_class(const PtxFunction *mf, uint32_t a,
                                  uint32_t b);
/* Facts of RegisterClassInfo about a class, and the size of its registers. */
void ptx_class_info(PtxFunction *mf, uint32_t class_id,
                    uint32_t *num_allocatable, uint32_t *bits,
                    bool *is_proper_sub_class);
/* The target's hook. */
bool ptx_tri_should_coalesce(PtxInstr *copy, uint32_t src_class,
                             uint32_t dst_class, uint32_t new_class,
                             PtxLiveIntervals *lis);

/* An operand of a debug instruction that names a virtual register. */
typedef struct PtxDebugOperand {
  PtxInstr *instr;
  uint32_t index, reg;
  uint32_t entry; /* of the next instruction, or boundary of a block */
  bool is_value;  /* DBG_VALUE or DBG_VALUE_LIST */
} PtxDebugOperand;
/* In order. Returns how many there are; nothing is written past `capacity`. */
size_t ptx_mf_debug_operands(PtxFunction *mf, PtxDebugOperand *out,
                             size_t capacity);

/* The coalescer's edits of the function, in its order. */
typedef enum PtxCoalesceEditKind : uint32_t {
  PTX_COALESCE_RENAME,         /* a: source, b: destination register */
  PTX_COALESCE_CLEAR_KILLS,    /* a: register whose kill flags go */
  PTX_COALESCE_ERASE,          /* instr, and its slot */
  PTX_COALESCE_SET_DEAD,       /* instr, a: operand, b: value */
  PTX_COALESCE_SET_UNDEF,      /* instr, a: operand, b: value */
  PTX_COALESCE_SET_CLASS,      /* a: register, b: class */
  PTX_COALESCE_CLONE_REG,      /* a: register, b: the number of the new one */
  PTX_COALESCE_MARK,           /* instr, a: operand, b: its new register */
  PTX_COALESCE_MOVE_MARKED,    /* a: register whose marked operands move */
  PTX_COALESCE_DEBUG_UNDEF,    /* instr: a debug value of nothing */
  PTX_COALESCE_SET_KIND,       /* instr, a: as in ptx_mi_set_kind */
  PTX_COALESCE_REMOVE_OPERAND, /* instr, a: operand */
  PTX_COALESCE_DROP_MEM_REFS,  /* instr */
  /* instr, a: a physical register, whose def there no longer counts */
  PTX_COALESCE_REMOVE_PHYS_DEF,
  /* instr, a: a physical register that it defines, dead; b: whether missing
   * ranges of its units are computed, or left alone */
  PTX_COALESCE_ADD_PHYS_DEF,
  PTX_COALESCE_SET_OPCODE, /* instr, a: an opcode with as many operands */
  PTX_COALESCE_SET_IMM, /* instr, a: an operand, an immediate, b: its value */
} PtxCoalesceEditKind;
typedef struct PtxCoalesceEdit {
  PtxInstr *instr;
  PtxCoalesceEditKind kind;
  uint32_t a, b;
} PtxCoalesceEdit;
void ptx_coalesce_edit(PtxFunction *mf, PtxLiveIntervals *lis,
                       const PtxCoalesceEdit *edits, size_t n);

bool ptx_mi_is_as_cheap_as_a_move(const PtxInstr *mi);
bool ptx_mi_is_commutable(const PtxInstr *mi);
/* isReMaterializable; up to LLVM 21 isTriviallyReMaterializable. */
bool ptx_mi_is_rematerializable(const PtxInstr *mi);
/* As ptx_mi_is_safe_to_move, but with no store in between. */
bool ptx_mi_is_safe_to_move_without_store(const PtxInstr *mi,
                                          PtxAliasAnalysis *aa);
bool ptx_tri_class_contains(const PtxFunction *mf, uint32_t class_id,
                            uint32_t phys);
/* The class that an opcode's description requires for operand 0; UINT32_MAX if
 * none. */
uint32_t ptx_mi_def_class(const PtxInstr *mi);
/* Asks the target to compute the value of `def` again after `mi`, into
 * `dst`. */
PtxInstr *ptx_mi_rematerialize_after(PtxInstr *mi, const PtxInstr *def,
                                     uint32_t dst);
void ptx_mi_set_debug_loc_like(PtxInstr *mi, const PtxInstr *like);
/* Appends a copy of an implicit operand of `from`, with its flags. */
void ptx_mi_append_operand_of(PtxInstr *mi, const PtxInstr *from,
                              uint32_t index);
/* ReplaceMachineInstrInMaps */
void ptx_lis_replace_instr(PtxLiveIntervals *lis, PtxInstr *from, PtxInstr *to);
/* Moves the debug values of `from`, which nothing else reads any more, to `to`,
 * virtual or physical, after `mi`. */
void ptx_coalesce_move_debug_values(PtxFunction *mf, uint32_t from, uint32_t to,
                                    PtxInstr *mi);
/* `dst = COPY src` before `before` (null: the end of the block), with the debug
 * location of `like`. It gets a slot, returned as bits in `slot`. */
PtxInstr *ptx_coalesce_insert_copy(PtxBlock *mbb, PtxInstr *before,
                                   const PtxInstr *like, uint32_t dst,
                                   uint32_t src, PtxLiveIntervals *lis,
                                   uint64_t *slot);
/* Commutes operands of `mi`; null if the target declines. The result is `mi` or
 * a new instruction that is not in a block yet. */
PtxInstr *ptx_mi_commuted(PtxInstr *mi, uint32_t a, uint32_t b);
bool ptx_mi_can_fold_as_load(const PtxInstr *mi);
/* foldMemoryOperand: a new instruction before `mi` that itself loads the value
 * that these operands read; null if the target has none. */
PtxInstr *ptx_mi_fold_load(PtxInstr *mi, const uint32_t *operands,
                           size_t num_operands, PtxInstr *load,
                           PtxLiveIntervals *lis);
/* Moves the call info, if it is a call. */
void ptx_mi_move_call_info(PtxInstr *from, PtxInstr *to);
bool ptx_mri_is_constant_phys_reg(const PtxFunction *mf, uint32_t reg);
/* Whether they differ only in the virtual registers that they define. */
bool ptx_mi_computes_the_same(const PtxInstr *a, const PtxInstr *b);
/* The target's hook. */
bool ptx_mi_is_ignorable_use(const PtxInstr *mi, uint32_t index);
/* MachineRegisterInfo::recomputeRegClass */
bool ptx_mri_recompute_class(PtxFunction *mf, uint32_t reg);
void ptx_mf_verify(PtxHostPass *pass, PtxFunction *mf, PtxStr banner);
/* Replaces intervals by `changed`, and removes those of `removed`. */
void ptx_lis_update(PtxLiveIntervals *lis, const PtxLiveRanges *changed,
                    const uint32_t *removed, size_t num_removed);

/* ------------------------------------------------------------- checking */

/* An instruction, as the checker sees it. */
typedef struct PtxCheckedInstr {
  PtxInstr *instr;
  uint32_t opcode;
  uint32_t properties;                  /* PTX_PROP_* */
  uint32_t first_operand, num_operands; /* in the row of operands */
  PtxInstrKind kind;
} PtxCheckedInstr;

/* Reads a block without debug instructions, pseudo probes and the insides of
 * bundles. For each operand `hashes` gets LLVM's hash if it is neither a
 * register nor a block, and else 0. Returns how many instructions there are,
 * and in `num_operands` how many operands; nothing is written past either
 * capacity. */
size_t ptx_check_read(PtxBlock *mbb, PtxCheckedInstr *instrs,
                      size_t instr_capacity, uint64_t *operands,
                      uint64_t *hashes, size_t operand_capacity,
                      size_t *num_operands);
/* Whether the reserved registers are known. Right after instruction selection
 * they are not yet. */
bool ptx_mri_reserved_registers_known(const PtxFunction *mf);

void ptx_opcode_facts(const PtxFunction *mf, uint32_t opcode,
                      PtxOpcodeFacts *out);
/* Fills in as many operands as the description has. */
void ptx_opcode_operands(const PtxFunction *mf, uint32_t opcode,
                         PtxOpcodeOperand *out);
/* The first opcode from `from` on whose description equals that of `opcode`
 * except in register classes; UINT32_MAX if there is none. */
uint32_t ptx_opcode_alike(const PtxFunction *mf, uint32_t opcode,
                          uint32_t from);
PtxStr ptx_opcode_name(const PtxFunction *mf, uint32_t opcode);
/* The text that an instruction of a target opcode prints before its first
 * operand; empty for other opcodes. */
PtxStr ptx_opcode_mnemonic(const PtxFunction *mf, uint32_t opcode);
/* An operand of an instruction to be printed. */
typedef struct PtxPrintedOperand {
  int64_t value;     /* of an immediate; else the number of the name */
  bool is_immediate; /* else it prints as `operand_<value>` */
} PtxPrintedOperand;
/* An instruction of a target opcode with these operands, as the assembler reads
 * it. Empty for other opcodes, and for those that cannot be printed. */
size_t ptx_opcode_text(const PtxFunction *mf, uint32_t opcode,
                       const PtxPrintedOperand *operands, size_t num_operands,
                       char *out, size_t capacity);
/* For sub-register indices; 0 if there is none. */
uint32_t ptx_tri_compose(const PtxFunction *mf, uint32_t a, uint32_t b);
/* Converts lanes of a part to lanes of the whole, and back. */
uint64_t ptx_tri_compose_lanes(const PtxFunction *mf, uint32_t subreg,
                               uint64_t lanes);
uint64_t ptx_tri_reverse_compose_lanes(const PtxFunction *mf, uint32_t subreg,
                                       uint64_t lanes);
uint32_t ptx_tri_num_subreg_indices(const PtxFunction *mf);

/* ------------------------------------------------------- loops and edges */

/* The innermost loop that contains `mbb`, or null. */
PtxLoop *ptx_loop_for(PtxLoops *loops, PtxBlock *mbb);
PtxBlock *ptx_loop_header(PtxLoop *loop);
/* `inner` may be null. */
bool ptx_loop_contains(const PtxLoop *loop, const PtxLoop *inner);

/* MachineBasicBlock::SplitCriticalEdge, with the data that it keeps from edge
 * to edge: the sets of live-in registers and, where this LLVM has one, the
 * updater of dominator trees. The updater works when the splitter is freed. */
PtxEdgeSplitter *ptx_edge_splitter_new(PtxHostPass *pass, PtxFunction *mf);
void ptx_edge_splitter_free(PtxEdgeSplitter *splitter);
bool ptx_mbb_can_split_edge(const PtxBlock *pred, const PtxBlock *succ,
                            const PtxLoops *loops);
/* False if the edge cannot be split.  `live_in`: indices of the virtual
 * registers that are live into `succ` (null without LiveVariables). */
bool ptx_edge_splitter_split(PtxEdgeSplitter *splitter, PtxBlock *pred,
                             PtxBlock *succ, const uint32_t *live_in,
                             size_t num_live_in);
/* Recomputes the dominator tree, if there is one. */
void ptx_dominators_recalculate(PtxHostPass *pass, PtxFunction *mf);

/* -------------------------------------------------------------- remarks */

/* A piece of a remark's text; one with a key is an argument of the remark. */
typedef struct PtxRemarkPart {
  PtxStr key;
  PtxStr value;
} PtxRemarkPart;
typedef enum PtxRemarkKind : uint8_t {
  PTX_REMARK_ANALYSIS,
  PTX_REMARK_MISSED,
  PTX_REMARK_PASSED,
} PtxRemarkKind;
/* Whether remarks of this kind and of `pass` are shown or written anywhere. */
bool ptx_remarks_wanted(const PtxFunction *mf, PtxRemarkKind kind, PtxStr pass);
/* Emits one, at `mbb` and with the debug location of `mi`, which may be null;
 * if there is none, with the function's. */
void ptx_remark(PtxRemarkKind kind, PtxBlock *mbb, const PtxInstr *mi,
                PtxStr pass, PtxStr name, const PtxRemarkPart *parts,
                size_t num_parts);
/* A register, or part of one, with its class, and an instruction, as LLVM
 * prints them. Writes what fits, and returns how many characters there are. */
size_t ptx_reg_text(const PtxFunction *mf, uint32_t reg, uint32_t subreg,
                    char *out, size_t capacity);
size_t ptx_mi_text(const PtxInstr *mi, char *out, size_t capacity);
size_t ptx_mf_text(const PtxFunction *mf, char *out, size_t capacity);

/* ------------------------------------------------------------- stages */

/* Whether LLVM would skip a skippable pass of this name on the function: at
 * -O0, for optnone and past -opt-bisect-limit, which counts it. */
bool ptx_mf_skips_stage(const PtxFunction *mf, PtxStr name);

/* Starts the timer of a stage for -time-passes. The timer of the running pass,
 * `pass`, stops meanwhile. Null without -time-passes. */
PtxTimer *ptx_timer_start(PtxHostPass *pass, PtxStr name);
/* Stops it, in the same run of the pass. */
void ptx_timer_stop(PtxTimer *timer);

/* ----------------------------------------------------- entering Rust */

/* One knob of `-ptx-...`, as Rust describes it. */
typedef struct PtxKnob {
  PtxStr name;
  PtxStr help;
  PtxStr value_name; /* empty: the knob is a flag */
  bool hidden;
} PtxKnob;

/* Where a pass of the plugin runs, relative to a pass of LLVM, its anchor. */
typedef enum PtxPlace : uint8_t {
  PTX_PLACE_INSTEAD, /* in its place */
  PTX_PLACE_BEFORE,  /* right before it, as a pass of its own */
  PTX_PLACE_AFTER,   /* right after it, as a pass of its own */
  /* Not a pass, but the emitter of the SelectionDAG schedulers. */
  PTX_PLACE_EMITTER,
} PtxPlace;

/* Analyses that a pass needs or keeps. */
#define PTX_ANALYSIS_SLOT_INDEXES (1u << 0)
#define PTX_ANALYSIS_INTERVALS (1u << 1)
#define PTX_ANALYSIS_DOMINATORS (1u << 2)
#define PTX_ANALYSIS_LOOPS (1u << 3)
#define PTX_ANALYSIS_FREQUENCIES (1u << 4)
#define PTX_ANALYSIS_ALIASES (1u << 5)
/* Can only be kept. */
#define PTX_ANALYSIS_VARIABLES (1u << 6)
#define PTX_ANALYSIS_CFG (1u << 7)
#define PTX_ANALYSIS_ALL (1u << 8)

/* One pass of the plugin. */
typedef struct PtxPass {
  PtxPlace place;
  PtxStr argument;   /* its own in LLVM's registry; INSTEAD: the anchor's */
  PtxStr title;      /* one line, in LLVM's registry; INSTEAD: the anchor's */
  PtxStr anchor;     /* e.g. "twoaddressinstruction" */
  bool is_analysis;  /* others downcast it: replaced by a subclass */
  bool asks_to_skip; /* skipFunction, which -opt-bisect-limit counts */
  /* PTX_ANALYSIS_*; INSTEAD: in addition to those of the anchor. */
  uint32_t needs, keeps;
} PtxPass;

/* The inputs of one run of one pass on one function, from the pass manager. */
typedef struct PtxRun {
  uint32_t pass; /* index into the table of passes */
  PtxPassState *state;
  PtxFunction *mf;
  /* Null if not available. For LiveVariables and LiveIntervals themselves: the
   * empty object to fill. */
  PtxLiveVariables *lv;
  PtxLiveIntervals *lis;     /* likewise */
  PtxAliasAnalysis *aa;      /* likewise */
  PtxSlotIndexes *indexes;   /* likewise */
  PtxDominators *dominators; /* likewise */
  PtxLoops *loops;           /* likewise */
  /* Null unless the pass needs them. */
  PtxFrequencies *frequencies;
  PtxHostPass *host_pass;
  /* The state of the two-address pass that ran on the function, in the same
   * pass manager. Null if there is none, and for LiveVariables and
   * LiveIntervals. */
  const PtxPassState *two_address;
  /* LiveIntervals was computed for this pass: no other pass has updated it. */
  bool intervals_are_new;
  /* False at -O0 and, if the pass asks, for optnone and past
   * -opt-bisect-limit. */
  bool optimize;
  /* For LiveVariables and LiveIntervals: the arguments of the passes that can
   * see the result. These are all passes up to the last one that declares to
   * use it, except analyses that do not. */
  const PtxStr *readers;
  size_t num_readers;
  /* For the other passes: the argument of the next pass on the function,
   * ignoring those that preserve everything, such as printers and analyses. */
  PtxStr next;
} PtxRun;

/* PTX_DELEGATE: no code was changed, except flags that the stock pass sets
 * again. The stock pass takes the function; an analysis must be emptied. */
typedef enum PtxOutcome {
  PTX_UNCHANGED,
  PTX_CHANGED,
  PTX_DELEGATE,
  PTX_FAILED
} PtxOutcome;

/* ------------------------------------------------------------ being loaded */

/* The plugin's name. */
const char *ptx_plugin_name(void);
/* Why the plugin refused to load, or null. */
const char *ptx_refusal(void);
/* Constructs LLVM's PassPluginLibraryInfo at `result`, and returns `result`.
 * `version` is ours and must stay valid. */
void *ptx_pass_plugin_info(void *result, const char *version);

/* ------------------------------------------------- the selected function */

/* Writes the virtual registers whose only operand is one def, in ascending
 * order; `out` has room for all. Returns their number. */
uint32_t ptx_selected_unread(const PtxFunction *mf, PtxReg *out);

#define PTX_SELECTED_MOVABLE (1u << 0) /* isSafeToMove, past a store too */
#define PTX_SELECTED_CONVERGENT (1u << 1)
#define PTX_SELECTED_NUMBERED (1u << 2) /* a debug value names the result */
/* It is in the first block and has a symbol operand. */
#define PTX_SELECTED_PARAMETER (1u << 3)

typedef struct PtxSelectedDef {
  PtxInstr *mi; /* null if there is not exactly one */
  PtxInstrKind kind;
  uint32_t flags;
} PtxSelectedDef;

/* The only def of `reg`. */
void ptx_selected_def(PtxFunction *mf, PtxReg reg, PtxSelectedDef *out);

/* A loop in IR. */
typedef struct PtxIrLoop {
  const PtxIrFunction *function;
  /* How many times it runs each time it is entered; 0: unknown. */
  uint32_t trip_count;
  /* Instructions, without debug instructions. */
  uint32_t num_instrs;
  /* The instructions of all the function's innermost loops with a known trip
   * count, if each is fully unrolled. */
  uint64_t num_unrolled;
  /* Pointers that an iteration passes to the next one. */
  uint32_t num_pointers;
  /* Whether the steps of all its induction variables are known, and whether it
   * uses them only for addresses and for its exit condition. */
  bool has_constant_steps;
  bool reads_for_addresses;
  /* Loads and stores whose address advances by the same distance in each
   * iteration, and the base pointers of these addresses. */
  uint32_t num_accesses;
  uint32_t num_bases;
  /* Whether one of its variables has 32 bits and is extended in the loop. */
  bool extends_index;
  /* Whether it multiplies a variable by a number known only at run time. */
  bool multiplies_index;
  /* Integer extensions and products in it. */
  uint32_t num_widenings;
} PtxIrLoop;

/* The wish that the metadata of a loop states. */
typedef enum PtxUnrollWish {
  PTX_UNROLL_NO_WISH,
  PTX_UNROLL_DISABLED, /* or it was unrolled */
  PTX_UNROLL_WHOLE,
  PTX_UNROLL_COUNT,
  PTX_UNROLL_ENABLED,
} PtxUnrollWish;

/* A loop in IR that may be unrolled. Its instructions are those that become
 * code. */
typedef struct PtxUnrollLoop {
  const PtxIrFunction *function;
  uint32_t function_instrs;
  /* Those of them that ptxas makes a sequence of: see num_sequences. */
  uint32_t function_sequences;
  /* How many times it runs at most whenever it is entered, if one of its exits
   * says that; else 0. */
  uint32_t trip_count;
  /* How many times it runs at most whenever it is entered, whatever its exits
   * are; 0: there is no such number. */
  uint32_t most_iterations;
  /* A divisor of the number of times; at least 1. */
  uint32_t trip_multiple;
  PtxUnrollWish wish;
  uint32_t wished_count; /* of PTX_UNROLL_COUNT */
  uint32_t num_blocks;
  uint32_t num_instrs;
  /* Instructions that become constants, or addresses a constant away from base,
   * if it is unrolled wholly. */
  uint32_t num_known;
  /* Divisions, square roots, and video instructions in inline assembly, which
   * no processor has: ptxas makes a sequence of each. */
  uint32_t num_sequences;
  /* Bytes of the local variables that become registers then. */
  uint32_t local_bytes;
  /* 32-bit registers of what an iteration hands to the next one. */
  uint32_t num_carried;
  /* The length of the longest chain of PHIs that hand their values on, one to
   * the next one; 0: there is none. */
  uint32_t rotation;
  bool is_simple; /* neither loops nor calls of functions are inside */
  bool is_convergent;
  bool can_be_copied;
} PtxUnrollLoop;

typedef struct PtxUnroll {
  uint32_t count; /* 0 and 1: it stays as it is */
  /* Whether the iterations that are left over run in a loop of their own. */
  bool remainder;
  /* Whether ptxas is not to unroll what stays a loop. */
  bool last;
} PtxUnroll;

/* Where a branch goes, seen from a loop. */
typedef enum PtxLoopTarget {
  PTX_LOOP_HEADER,
  PTX_LOOP_INSIDE, /* another block of it */
  PTX_LOOP_EXIT,
} PtxLoopTarget;

/* A conditional branch that ends a loop's iteration. */
typedef struct PtxLoopBranch {
  const PtxIrFunction *function;
  /* Where it goes if its condition is true, and if not. */
  PtxLoopTarget if_true;
  PtxLoopTarget if_false;
  bool compares_integers;
  bool is_read_elsewhere; /* its condition */
  uint32_t num_blocks;    /* of the loop */
  bool is_unrolling_disabled;
} PtxLoopBranch;

/* A pointer that is a parameter. */
typedef struct PtxParameter {
  const PtxIrFunction *function;
  bool is_by_value;
  bool is_restrict; /* in the source */
} PtxParameter;

/* A PHI whose values are all computed alike. */
typedef struct PtxEqualPhi {
  const PtxIrFunction *function;
  uint32_t num_instrs; /* of the computation of one value */
} PtxEqualPhi;

/* A load that may move before a store of its block that waits for a load. */
typedef struct PtxEarlyLoad {
  const PtxIrFunction *function;
  uint32_t num_moved; /* loads of its block, so far */
  bool is_in_loop;
} PtxEarlyLoad;

/* Divisions of a block that have one divisor. */
typedef struct PtxSharedDivisor {
  const PtxIrFunction *function;
  uint32_t num_divisions;
  uint32_t num_reciprocals; /* those of 1 */
  uint32_t num_shared;      /* divisors of the function, so far */
  bool is_double;
  bool is_invariant; /* in the innermost loop; the reciprocal goes before it */
} PtxSharedDivisor;

/* A stage that works on IR. */
typedef enum PtxIrStage {
  PTX_IR_RESTRICT,
  PTX_IR_EQUAL_PHIS,
  PTX_IR_UNROLL,
  PTX_IR_EARLY_LOADS,
  PTX_IR_LOOP_BRANCHES,
  PTX_IR_DIVISIONS,
} PtxIrStage;

/* The values that move out of the loops of a function after unrolling. */
typedef struct PtxMoves {
  uint32_t most; /* this many; 0: none */
  bool loads;    /* whether what is computed from a loaded value may move */
} PtxMoves;

typedef enum PtxUnrolled {
  PTX_UNROLLED_NOT,
  PTX_UNROLLED_PARTLY,
  PTX_UNROLLED_WHOLLY,
} PtxUnrolled;

typedef struct PtxEntryPoints {
  /* The plugin's name, for messages and for the variable with its options. */
  const char *(*name)(void);
  /* What is wrong with the plugin's own description; null length: nothing.
   * Asked before anything else except the name. */
  PtxStr (*problem)(void);
  /* The name of the pass that this thread currently runs; null length: none. */
  PtxStr (*current_pass)(void);
  uint32_t (*num_knobs)(void);
  PtxKnob (*knob)(uint32_t index);
  /* Null length: accepted. Otherwise the error, to be shown with the knob's
   * name. */
  PtxStr (*set_knob)(uint32_t index, PtxStr value);
  /* Sets the knobs named in `arguments`, words as on a command line. Null
   * length: accepted. Otherwise the option and the error. */
  PtxStr (*set_knobs)(PtxStr arguments);
  uint32_t (*num_passes)(void);
  PtxPass (*pass)(uint32_t index);
  /* Whether functions of a target go through our version of the pass, or
   * through the added pass. `arch`: the first part of the triple. */
  bool (*takes)(uint32_t pass, PtxStr arch);
  /* What a pass needs of a target and the host's LLVM lacks; null length:
   * nothing. Asked when a machine of the target is made. */
  PtxStr (*lacks)(uint32_t pass, const PtxOpcodes *opcodes);
  /* Whether to ask `leaves_loop` about the loops of such a target. */
  bool (*chooses_loops)(PtxStr arch);
  /* Whether LoopStrengthReduce should leave a loop alone. */
  bool (*leaves_loop)(const PtxIrLoop *loop);
  /* Whether a stage on IR runs for such a target. */
  bool (*runs_on_ir)(PtxIrStage stage, PtxStr arch);
  /* The stage is done with a function.  `number`: its position among those of
   * its module that have a body; `num_instrs`: before the stage. */
  void (*ran_on_ir)(PtxIrStage stage, const PtxIrFunction *function,
                    uint32_t number, uint32_t num_instrs, uint64_t nanoseconds);
  /* Whether a parameter is to be marked as `__restrict__`.  False: it failed,
   * with the message at `error`. */
  bool (*promises_restrict)(const PtxParameter *parameter, bool *promises,
                            PtxStr *error);
  /* Whether a PHI is to be replaced by one computation of what its values
   * compute.  False: it failed, with the message at `error`. */
  bool (*replaces_phi)(const PtxEqualPhi *phi, bool *replaces, PtxStr *error);
  /* How a loop is to be unrolled.  False: it failed, with the message at
   * `error`. */
  bool (*unroll)(const PtxUnrollLoop *loop, PtxUnroll *choice, PtxStr *error);
  /* The loop of the last call was unrolled, or LLVM could not do it. */
  void (*unrolled)(PtxUnrolled result);
  /* What moves out of the loops of a function that was unrolled.  False: it
   * failed, with the message at `error`. */
  bool (*moves)(const PtxIrFunction *function, PtxStr processor,
                PtxMoves *moves, PtxStr *error);
  /* Whether a load is to move before the stores that it may pass.  False: it
   * failed, with the message at `error`. */
  bool (*moves_load)(const PtxEarlyLoad *load, bool *moves, PtxStr *error);
  /* Whether a branch is to be turned: its comparison becomes its inverse, and
   * its targets change places.  False: it failed, with the message at
   * `error`. */
  bool (*turns_branch)(const PtxLoopBranch *branch, bool *turns, PtxStr *error);
  /* Whether divisions are to share the reciprocal of their divisor.  False: it
   * failed, with the message at `error`. */
  bool (*shares_divisor)(const PtxSharedDivisor *divisor, bool *shares,
                         PtxStr *error);
  PtxPassState *(*new_state)(uint32_t pass);
  void (*free_state)(PtxPassState *state);
  /* On PTX_FAILED the message is at `error`, valid until this thread's next
   * call. */
  PtxOutcome (*run)(const PtxRun *run, PtxStr *error);
  /* Called when a pipeline begins with a module for such a target. */
  void (*begin_module)(PtxStr arch);
  /* The comment at the head of the assembly for such a target; null length:
   * none. Valid until this thread's next call. */
  PtxStr (*head)(PtxStr arch);
  /* Called when a pipeline is made: facts about targets may be out of date. */
  void (*new_pipeline)(void);
  /* As `run`, for one block: PTX_CHANGED or, if nothing was emitted,
   * PTX_DELEGATE. */
  PtxOutcome (*emit_block)(const PtxEmitRun *run, PtxStr *error);
  /* As `run`, for a function after all its blocks are emitted. */
  PtxOutcome (*finish_selection)(PtxFunction *mf, PtxStr *error);
  /* Whether an analysis is compared with the stock pass's. */
  bool (*check_analyses)(void);
  bool (*print_analyses)(void);
  /* The end of the message that no pass of ours can run in the new pass
   * manager. It tells the user how to continue without them; may be empty. */
  PtxStr (*way_out)(void);
  /* Whether LLVM's own code is wanted, so that LLVM's own passes suffice where
   * ours cannot run. */
  bool (*wants_stock)(void);
  /* Whether our passes should run in LLVM's new pass manager. */
  bool (*wants_new_pass_manager)(void);
  /* Notes in the statistics which pipeline ran, if it is not LLVM's choice, or
   * if it can have none of our passes. */
  void (*note_pipeline)(PtxStr which);
  /* At the end of the process: writes the files and statistics asked for. False
   * if that failed, which it has reported. */
  bool (*finish)(void);
} PtxEntryPoints;

/* Each plugin has its own. If it were visible, the shims of all plugins loaded
 * with RTLD_GLOBAL would use the first plugin's. */
extern const PtxEntryPoints ptx_entry_points
    __attribute__((visibility("hidden")));

#ifdef __cplusplus
}
#endif
#endif
