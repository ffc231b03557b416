// The size of code in IR.
#pragma once

#include "compat.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace ptxpasses {

// Whether an instruction becomes code at all.
inline bool isCode(const llvm::Instruction &I) {
  if (isDebugOrPseudo(I) || llvm::isa<llvm::PHINode>(I) ||
      I.isLifetimeStartOrEnd())
    return false;
  if (auto *Cast = llvm::dyn_cast<llvm::CastInst>(&I))
    return !Cast->isNoopCast(I.getModule()->getDataLayout());
  return !llvm::isa<llvm::AssumeInst>(I) && !llvm::isa<llvm::FreezeInst>(I);
}

// The instructions of a function that become code.
inline uint32_t numCode(const llvm::Function &F) {
  return uint32_t(llvm::count_if(llvm::instructions(F), isCode));
}

} // namespace ptxpasses
