// A pass of LLVM's that a pass of ours owns.
#pragma once

#include "llvm/CodeGen/MachineFunctionPass.h"

namespace ptxpasses {

// A protected virtual of MachineFunctionPass, named through a derived class so
// that it can be called on another object.
struct StockPassAccess : llvm::MachineFunctionPass {
  static llvm::MachineFunctionProperties
  required(const llvm::MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getRequiredProperties)();
  }
  static llvm::MachineFunctionProperties
  set(const llvm::MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getSetProperties)();
  }
  static llvm::MachineFunctionProperties
  cleared(const llvm::MachineFunctionPass &P) {
    return (P.*&StockPassAccess::getClearedProperties)();
  }
  static bool run(llvm::MachineFunctionPass &P, llvm::MachineFunction &MF) {
    return (P.*&StockPassAccess::runOnMachineFunction)(MF);
  }
};

} // namespace ptxpasses
