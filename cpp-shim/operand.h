// The packed operand of ptxpasses.h.
#pragma once

#include "compat.h"

namespace ptxpasses {

inline uint64_t pack(const llvm::MachineOperand &MO) {
  auto Bit = [](bool B, unsigned Shift) { return uint64_t(B) << Shift; };
  switch (MO.getType()) {
  case llvm::MachineOperand::MO_Register:
    break;
  case llvm::MachineOperand::MO_Immediate:
    return uint32_t(MO.getImm()) | uint64_t(PTX_OPERAND_IMM)
                                       << PTX_OP_KIND_SHIFT;
  case llvm::MachineOperand::MO_RegisterMask:
    return uint64_t(PTX_OPERAND_REGMASK) << PTX_OP_KIND_SHIFT;
  case llvm::MachineOperand::MO_MachineBasicBlock:
    return uint32_t(MO.getMBB()->getNumber()) | uint64_t(PTX_OPERAND_OTHER)
                                                    << PTX_OP_KIND_SHIFT;
  default:
    return uint64_t(PTX_OPERAND_OTHER) << PTX_OP_KIND_SHIFT;
  }
  uint64_t R = unsigned(MO.getReg()) |
               uint64_t(PTX_OPERAND_REG) << PTX_OP_KIND_SHIFT |
               uint64_t(MO.getSubReg()) << PTX_OP_SUBREG_SHIFT |
               Bit(MO.isDef(), PTX_OP_DEF_SHIFT) |
               Bit(MO.isImplicit(), PTX_OP_IMPLICIT_SHIFT) |
               Bit(MO.isUndef(), PTX_OP_UNDEF_SHIFT) |
               Bit(MO.isTied(), PTX_OP_TIED_SHIFT) |
               Bit(MO.isDebug(), PTX_OP_DEBUG_SHIFT) |
               Bit(MO.isInternalRead(), PTX_OP_INTERNAL_READ_SHIFT);
  if (MO.isDef())
    R |= Bit(MO.isDead(), PTX_OP_DEAD_SHIFT) |
         Bit(MO.isEarlyClobber(), PTX_OP_EARLY_CLOBBER_SHIFT);
  else
    R |= Bit(MO.isKill(), PTX_OP_KILL_SHIFT);
  return R;
}

// A use that is tied to an early-clobber def is read at that def's slot.
inline bool isTiedToEarlyClobber(const llvm::MachineInstr &MI, unsigned Index) {
  const llvm::MachineOperand &MO = MI.getOperand(Index);
  return MO.isReg() && MO.isUse() && MO.isTied() &&
         MI.getOperand(MI.findTiedOperandIdx(Index)).isEarlyClobber();
}

} // namespace ptxpasses
