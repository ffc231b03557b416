// Kind and properties of one instruction, for all code that reads instructions.
#pragma once

#include "compat.h"

namespace ptxpasses {

inline PtxInstrKind kindOf(const llvm::MachineInstr &MI) {
  namespace Opcode = llvm::TargetOpcode;
  switch (MI.getOpcode()) {
  case Opcode::PHI:
  case Opcode::G_PHI:
    return PTX_KIND_PHI;
  case Opcode::COPY:
    return PTX_KIND_COPY;
  case Opcode::IMPLICIT_DEF:
    return PTX_KIND_IMPLICIT_DEF;
  case Opcode::REG_SEQUENCE:
    return PTX_KIND_REG_SEQUENCE;
  case Opcode::INSERT_SUBREG:
    return PTX_KIND_INSERT_SUBREG;
  case Opcode::EXTRACT_SUBREG:
    return PTX_KIND_EXTRACT_SUBREG;
  case Opcode::SUBREG_TO_REG:
    return PTX_KIND_SUBREG_TO_REG;
  case Opcode::KILL:
    return PTX_KIND_KILL;
  case Opcode::BUNDLE:
    return PTX_KIND_BUNDLE;
  case Opcode::INLINEASM:
    return PTX_KIND_INLINE_ASM;
  case Opcode::INLINEASM_BR:
    return PTX_KIND_INLINE_ASM_BR;
  case Opcode::STATEPOINT:
    return PTX_KIND_STATEPOINT;
  default:
    return MI.isDebugInstr() ? PTX_KIND_DEBUG : PTX_KIND_OTHER;
  }
}

// PTX_PROP_*
inline uint32_t propertiesOf(const llvm::MachineInstr &MI) {
  uint32_t R = 0;
  auto Set = [&R](bool B, uint32_t Flag) { R |= B ? Flag : 0; };
  Set(MI.isDebugOrPseudoInstr(), PTX_PROP_DEBUG_OR_PSEUDO);
  Set(MI.hasUnmodeledSideEffects(), PTX_PROP_UNMODELED_SIDE_EFFECTS);
  Set(MI.isCall(), PTX_PROP_CALL);
  Set(MI.isBranch(), PTX_PROP_BRANCH);
  Set(MI.isTerminator(), PTX_PROP_TERMINATOR);
  Set(MI.isCommutable(), PTX_PROP_COMMUTABLE);
  Set(MI.isConvertibleTo3Addr(), PTX_PROP_CONVERTIBLE_TO_3ADDR);
  Set(MI.isConvertibleTo3Addr(llvm::MachineInstr::AnyInBundle),
      PTX_PROP_CONVERTIBLE_TO_3ADDR_IN_BUNDLE);
  Set(MI.mayLoad(), PTX_PROP_MAY_LOAD);
  Set(MI.mayStore(), PTX_PROP_MAY_STORE);
  Set(MI.isPosition(), PTX_PROP_POSITION);
  Set(MI.isConvergent(), PTX_PROP_CONVERGENT);
  Set(MI.isNotDuplicable(), PTX_PROP_NOT_DUPLICABLE);
  Set(MI.mayRaiseFPException(), PTX_PROP_MAY_RAISE_FP_EXCEPTION);
  Set(MI.hasOrderedMemoryRef(), PTX_PROP_ORDERED_MEMORY_REF);
  Set(MI.isDereferenceableInvariantLoad(), PTX_PROP_INVARIANT_LOAD);
  Set(MI.getOpcode() > llvm::TargetOpcode::GENERIC_OP_END,
      PTX_PROP_TARGET_OPCODE);
  Set(MI.isUnconditionalBranch(), PTX_PROP_UNCONDITIONAL_BRANCH);
  return R;
}

} // namespace ptxpasses
