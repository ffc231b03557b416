// The packed operand of ptxpasses.h.
#pragma once

#include "compat.h"

#include <cstring>
#include <type_traits>

namespace ptxpasses {

// Whether LLVM has the fields of a register operand where PTX_OP_* puts them.
inline bool operandLayoutIsKnown() {
  using Operand = llvm::MachineOperand;
  auto Head = [](uint64_t Field, unsigned Shift) {
    Operand MO = Operand::CreateReg(llvm::Register(), /*isDef=*/false);
    Field <<= Shift;
    std::memcpy(static_cast<void *>(&MO), &Field, sizeof Field);
    return MO;
  };
  auto Flag = [&](bool (Operand::*Get)() const, unsigned Shift) {
    return (Head(1, Shift).*Get)() && !(Head(0, Shift).*Get)();
  };
  return Flag(&Operand::isTied, PTX_OP_TIED_SHIFT) &&
         Head(8, PTX_OP_TIED_SHIFT).isTied() &&
         Flag(&Operand::isDef, PTX_OP_DEF_SHIFT) &&
         Flag(&Operand::isImplicit, PTX_OP_IMPLICIT_SHIFT) &&
         Flag(&Operand::isKill, PTX_OP_DEAD_OR_KILL_SHIFT) &&
         Flag(&Operand::isUndef, PTX_OP_UNDEF_SHIFT) &&
         Flag(&Operand::isInternalRead, PTX_OP_INTERNAL_READ_SHIFT) &&
         Flag(&Operand::isEarlyClobber, PTX_OP_EARLY_CLOBBER_SHIFT) &&
         Flag(&Operand::isDebug, PTX_OP_DEBUG_SHIFT) &&
         Head(0xabc, PTX_OP_SUBREG_SHIFT).getSubReg() == 0xabc &&
         Head(PTX_OPERAND_REG, PTX_OP_KIND_SHIFT).isReg() &&
         !Head(0x80, PTX_OP_KIND_SHIFT).isReg() &&
         unsigned(Head(0x87654321, PTX_OP_VALUE_SHIFT).getReg()) == 0x87654321;
}

// A register operand: the head of LLVM's own object.
inline uint64_t packRegister(const llvm::MachineOperand &MO) {
  static_assert(std::is_trivially_copyable_v<llvm::MachineOperand>);
  uint64_t R;
  std::memcpy(&R, &MO, sizeof R);
  return R;
}

inline uint64_t packOther(const llvm::MachineOperand &MO) {
  auto Value = [](uint64_t V, uint64_t Kind) {
    return V << PTX_OP_VALUE_SHIFT | Kind << PTX_OP_KIND_SHIFT;
  };
  switch (MO.getType()) {
  case llvm::MachineOperand::MO_Immediate:
    return Value(MO.getImm(), PTX_OPERAND_IMM);
  case llvm::MachineOperand::MO_RegisterMask:
    return Value(0, PTX_OPERAND_REGMASK);
  case llvm::MachineOperand::MO_MachineBasicBlock:
    return Value(MO.getMBB()->getNumber(), PTX_OPERAND_OTHER);
  default:
    return Value(0, PTX_OPERAND_OTHER);
  }
}

inline uint64_t pack(const llvm::MachineOperand &MO) {
  return MO.isReg() ? packRegister(MO) : packOther(MO);
}

// A use tied to an early-clobber def is read at that def's slot.
inline bool isTiedToEarlyClobber(const llvm::MachineInstr &MI, unsigned Index) {
  const llvm::MachineOperand &MO = MI.getOperand(Index);
  return MO.isReg() && MO.isUse() && MO.isTied() &&
         MI.getOperand(MI.findTiedOperandIdx(Index)).isEarlyClobber();
}

} // namespace ptxpasses
