/*
 * Plain records of a function's liveness and of opcodes; part of ptxpasses.h.
 *
 * This is their only declaration; ptxpasses_records.h has the emitter's.
 * bindgen's output is committed as src/mir/records.rs. Numbers have types of
 * their own, which src/mir/record_ids.rs defines.
 */
#ifndef PTXPASSES_MACHINE_RECORDS_H
#define PTXPASSES_MACHINE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t PtxSlot;          /* see PtxSlotKind */
typedef uint32_t PtxValueNo;       /* llvm::VNInfo::id */
typedef uint8_t PtxVarFlags;       /* PTX_VAR_* */
typedef uint32_t PtxOptBlockId;    /* position of a block; UINT32_MAX: none */
typedef uint32_t PtxOptReader;     /* Rust's; 0: none */
typedef uint32_t PtxOptRegClassId; /* UINT32_MAX: none */

/** The slots of an entry, in order. A slot is four times the entry, the
 * position in the row that `ptx_slots_read` gives, plus one of these. */
typedef enum PtxSlotKind : uint8_t {
  /** Boundary of a block, and def of a PHI-def. */
  PTX_SLOT_BLOCK,
  /** Early-clobber def, and use tied to one. */
  PTX_SLOT_EARLY_CLOBBER,
  /** Any other def or use. */
  PTX_SLOT_REGISTER,
  /** End of a def that nothing reads. */
  PTX_SLOT_DEAD,
} PtxSlotKind;

/* ----------------------------------------------------------- live ranges */

/* The def of a value that is no longer used. */
#define PTX_UNUSED_VALUE 0xffffffffu

/** Value number `value` is live from `start` up to but excluding `end`. */
typedef struct PtxSegment {
  /** First slot. */
  PtxSlot start;
  /** First slot after the segment. */
  PtxSlot end;
  /** The number of the value. */
  PtxValueNo value;
} PtxSegment;

/** One register's values and segments, as slices of two arrays. */
typedef struct PtxLiveRange {
  /** Virtual register index, or register unit. */
  uint32_t owner;
  /** First value; the array has the slot of its def. */
  uint32_t first_value;
  /** How many there are. */
  uint32_t num_values;
  /** First segment. */
  uint32_t first_segment;
  /** How many there are. */
  uint32_t num_segments;
} PtxLiveRange;

/* --------------------------------------------------------- LiveVariables */

/* How the instructions of a function name a virtual register. A local
 * register has one def and is live only in its block: its one piece is its
 * live range. */
#define PTX_VAR_NAMED (1u << 0)
#define PTX_VAR_GLOBAL (1u << 1)
#define PTX_VAR_DEFINED (1u << 2)
#define PTX_VAR_MANY_DEFS (1u << 3)

/** A stretch of one register within one block. */
typedef struct PtxPiece {
  /** The block; `None` if the register's piece is not known yet. */
  PtxOptBlockId block;
  /** The def, or the start of the block. */
  PtxSlot start;
  /** The last use so far, or the dead slot of a def that is not read. */
  PtxSlot end;
  /** The first operand that reads at the end; `None` if nothing does. */
  PtxOptReader reader;
} PtxPiece;

/** The contents of LLVM's VarInfo for a global register: slices of arrays of
 * blocks and of kills. */
typedef struct PtxVarInfo {
  /** Virtual register index. */
  uint32_t reg;
  /** First block; block numbers, ascending. */
  uint32_t first_alive;
  /** How many blocks. */
  uint32_t num_alive;
  /** First kill; entries of instructions. */
  uint32_t first_kill;
  /** How many kills. */
  uint32_t num_kills;
} PtxVarInfo;

/* --------------------------------------------------------------- opcodes */

/** The description of an opcode (MCInstrDesc). */
typedef struct PtxOpcodeFacts {
  /** `MCInstrDesc::getFlags` */
  uint64_t flags;
  /** `TSFlags` */
  uint64_t target_flags;
  /** How many operands it has. */
  uint32_t num_operands;
  /** Every target has it. */
  bool is_generic;
} PtxOpcodeFacts;

/** An operand of a description. */
typedef struct PtxOpcodeOperand {
  /** Its register class, if it has one. */
  PtxOptRegClassId reg_class;
  /** Size in bits of a register of that class. */
  uint32_t class_bits;
  /** `MCOI::OperandType` */
  uint8_t operand_type;
} PtxOpcodeOperand;

/** The only memory operand of an instruction. */
typedef struct PtxMemOperand {
  /** Its address space. */
  uint32_t address_space;
  /** The memory never changes. */
  bool is_invariant;
  /** It refers to a value of the IR. */
  bool has_value;
} PtxMemOperand;

#ifdef __cplusplus
}
#endif
#endif
