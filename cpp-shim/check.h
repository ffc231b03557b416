// See check.cpp.
#pragma once

#include "compat.h"

#include <string>

namespace ptxpasses {

void print(llvm::raw_ostream &OS, llvm::LiveVariables &LV,
           const llvm::MachineFunction &MF);
void print(llvm::raw_ostream &OS, llvm::LiveIntervals &LIS,
           const llvm::MachineFunction &MF);

// The first line that differs, from either text; empty if there is none. Lines
// of virtual registers from NumRegs on may differ.
std::string firstDifference(llvm::StringRef Ours, llvm::StringRef Stock,
                            unsigned NumRegs);

} // namespace ptxpasses
