// Our passes in a pipeline of LLVM's new pass manager.
#pragma once

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassInstrumentationCallbacks;
class TargetMachine;
} // namespace llvm

namespace ptxpasses {

// Inserts our passes into a pipeline that generates code, which LLVM has made
// for the machine and not run yet. Callbacks are the host's, and may be null.
void enterNewPipeline(llvm::TargetMachine &TM, llvm::ModulePassManager &MPM,
                      llvm::PassInstrumentationCallbacks *Callbacks);

} // namespace ptxpasses
